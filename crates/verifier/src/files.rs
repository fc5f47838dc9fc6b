//! A look at the input files before anything is done with them, so that a
//! wrong one gets one clear line instead of what clang would make of it.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

const KINDS: &str = "attest reads C (.c), preprocessed C (.i) and LLVM IR as text (.ll)";

/// Whether a file can be an input at all.
pub fn inspect(file: &Path) -> Result<(), Error> {
    let fail = |why: String| Err(Error::input(format!("{}: {why}", file.display())));
    let meta = match fs::metadata(file) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return fail("there is no such file; check its name and the current directory".into());
        }
        Err(e) => return fail(unreadable(&e)),
    };
    if meta.is_dir() {
        return fail("this is a directory; name the files in it that make up the program".into());
    }
    if !meta.is_file() {
        return fail(format!("this is no regular file; {KINDS}"));
    }
    let mut bytes = Vec::new();
    if let Err(e) = File::open(file).and_then(|mut f| f.read_to_end(&mut bytes)) {
        return fail(unreadable(&e));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return fail("the file is empty; name a file with a program in it".into());
    }
    if bytes.starts_with(b"BC\xc0\xde") {
        return fail("this is LLVM bitcode; make text of it with `llvm-dis` first".into());
    }
    if bytes.contains(&0) {
        return fail(format!("this is a binary file; {KINDS}"));
    }
    match file.extension().and_then(|e| e.to_str()) {
        Some("ll") if std::str::from_utf8(&bytes).is_err() => {
            fail("this is not UTF-8 text; LLVM writes its text as UTF-8".into())
        }
        Some("c" | "h" | "i" | "ll") => Ok(()),
        _ => fail(format!("its kind is not known by its name; {KINDS}")),
    }
}

fn unreadable(e: &io::Error) -> String {
    if e.kind() == io::ErrorKind::PermissionDenied {
        return "the file may not be read; change its permissions (chmod +r)".into();
    }
    format!("the file cannot be read: {e}")
}
