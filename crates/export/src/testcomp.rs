//! Test suites in the format of Test-Comp: `metadata.xml` and `testcase-*.xml`.

use crate::witness::About;
use attest_evidence::{InputSource, Test};
use attest_proof::DataModel;
use std::fmt::Write;

/// A file of a suite: its name and its text.
pub type File = (String, String);

const DOCTYPE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The file that says what the suite is for.
pub fn metadata(about: &About) -> File {
    let (file, hash) = about.files.first().cloned().unwrap_or_default();
    let architecture = match about.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let mut out = format!(
        "{DOCTYPE}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    for (tag, value) in [
        ("sourcecodelang", "C"),
        ("producer", concat!("attest ", env!("CARGO_PKG_VERSION"))),
        ("specification", &about.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("entryfunction", &about.entry),
        ("architecture", architecture),
        ("creationtime", &about.creation_time),
    ] {
        let _ = writeln!(out, "  <{tag}>{}</{tag}>", escaped(value));
    }
    out.push_str("</test-metadata>\n");
    ("metadata.xml".into(), out)
}

/// A test: what its calls of the environment return, in order.
pub fn testcase(number: usize, test: &Test) -> File {
    let mut out = format!(
        "{DOCTYPE}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n"
    );
    out.push_str(match test.error {
        Some(_) => "<testcase coversError=\"true\">\n",
        None => "<testcase>\n",
    });
    for input in test
        .inputs
        .iter()
        .filter(|i| i.source == InputSource::Nondet)
    {
        let _ = writeln!(
            out,
            "  <input type=\"{}\">{}</input>",
            escaped(&input.ty),
            escaped(&input.value)
        );
    }
    out.push_str("</testcase>\n");
    (format!("testcase-{number}.xml"), out)
}

/// Files in a zip archive, without compression.
pub fn zip(files: &[File]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    let put = |out: &mut Vec<u8>, short: &[u16], long: &[u32]| {
        out.extend(short.iter().flat_map(|n| n.to_le_bytes()));
        out.extend(long.iter().flat_map(|n| n.to_le_bytes()));
    };
    for (name, text) in files {
        let at = out.len() as u32;
        let size = text.len() as u32;
        let crc = crc32fast::hash(text.as_bytes());
        // Version 2.0, no flags, stored, and the earliest date that the format has.
        let common = [20, 0, 0, 0, 0x21];
        out.extend(b"PK\x03\x04");
        put(&mut out, &common, &[crc, size, size]);
        put(&mut out, &[name.len() as u16, 0], &[]);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02");
        put(&mut directory, &[20], &[]);
        put(&mut directory, &common, &[crc, size, size]);
        put(&mut directory, &[name.len() as u16, 0, 0, 0, 0], &[0, at]);
        directory.extend(name.as_bytes());
    }
    let (at, size, count) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend(directory);
    out.extend(b"PK\x05\x06");
    put(&mut out, &[0, 0, count, count], &[size, at]);
    put(&mut out, &[0], &[]);
    out
}
