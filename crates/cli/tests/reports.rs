//! `--json`, `--stats` and `--quiet`.

mod common;

use attest::report::Phase;
use attest_engine::events::{Cut, Question};
use common::{Folder, attest_in, root};
use serde_json::Value;
use std::collections::BTreeSet;

/// All keys of a report; where names are data the document's name for them.
fn keys(at: &str, value: &Value, out: &mut BTreeSet<String>) {
    // They are written as the first one is.
    if ["violations[]", "notices[]"].contains(&at) {
        out.insert(at.to_owned());
        return keys("failure", value, out);
    }
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = match at {
                    "statistics.splits" => "GENERATOR",
                    "statistics.cuts" => "REASON",
                    "statistics.procedures" => "WHAT",
                    "statistics.invariants" | "statistics.needed" => "TECHNIQUE",
                    "statistics.questions" => "KIND",
                    "seconds" => "PHASE",
                    _ => key,
                };
                let dot = if at.is_empty() { "" } else { "." };
                keys(&format!("{at}{dot}{key}"), value, out);
            }
        }
        Value::Array(list) => {
            for value in list {
                keys(&format!("{at}[]"), value, out);
            }
        }
        _ => {
            out.insert(at.to_owned());
        }
    }
}

const FAILING: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    extern void other(void);\nextern void nobody(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int();\n\
    if (x * 7 == 3 * 7 * 1234567) reach_error();\n\
    if (x * 7 == 5 * 7 * 1234567) { other(); nobody(); } }\n";

#[test]
fn the_document_has_the_keys_that_are_written() {
    let other = "void __attest_assuming_nothing_else(void);\n\
        void other(void) { __attest_assuming_nothing_else(); }\n";
    let folder = Folder::with(&[("a.c", FAILING), ("other.c", other)]);
    let mut written = BTreeSet::new();
    let options = ["--stubs", "other.c", "--tests", "out", "--json", "r.json"];
    folder.write("lock.c", LOCK);
    let proof = [
        "--algorithm",
        "dash",
        "--proof",
        "p.json",
        "--json",
        "r.json",
    ];
    let called = "void reach_error(void);\nvoid f(int *p) { if (p != p) reach_error(); }\n";
    folder.write("called.c", called);
    let entry = ["--entry", "f", "--seed", "1", "--json", "r.json"];
    let entry_of_main = ["--entry", "main", "--seed", "1", "--json", "r.json"];
    let counting = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
        int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0;\n\
        while (i < n) { i++; j += 2; } if (n > 0 && n < 999 && j != 2 * n) reach_error(); }\n";
    folder.write("counting.c", counting);
    let two = "int __VERIFIER_nondet_int(void);\nint main(void) {\n\
        int a[2] = {0}, i = __VERIFIER_nondet_int(); int b = 7 / i; return a[b & 1]; }\n";
    folder.write("two.c", two);
    let memory = ["--check", "memory", "--json", "r.json"];
    folder.write("r.slic", "void other(void);\nother.entry { abort; }\n");
    let rule = ["--spec", "r.slic", "--seed", "1", "--json", "r.json"];
    let called = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
        int count(int n) { if (n <= 0) return 0; return count(n - 1); }\n\
        int main(void) { if (count(__VERIFIER_nondet_int()) != 0) reach_error(); }\n";
    folder.write("recursion.c", called);
    let smash = ["--algorithm", "smash", "--seed", "1", "--json", "r.json"];
    for (status, file, options) in [
        (0, "recursion.c", &smash[..]),
        (0, "two.c", &memory[..]),
        (10, "a.c", &rule[..]),
        (0, "counting.c", &entry_of_main[..]),
        (10, "a.c", &options[..]),
        (0, "lock.c", &proof[..]),
        (0, "called.c", &entry[..]),
    ] {
        let classes: &[&str] = match file {
            "two.c" => &[],
            _ => &["--check", "assert"],
        };
        let ended = folder.attest(&[&["check", file], classes, options].concat());
        assert_eq!(ended.status, status, "{ended:?}");
        let text = std::fs::read_to_string(folder.path("r.json")).expect("a report");
        keys(
            "",
            &serde_json::from_str(&text).expect("JSON"),
            &mut written,
        );
    }
    // Without a failing run or a rule the whole of it is null.
    assert!(written.remove("failure"));
    assert!(written.remove("rule"));
    let document = std::fs::read_to_string(root().join("docs/json.md")).expect("docs/json.md");
    let rows = document.lines().filter_map(|l| l.strip_prefix("| `"));
    let rows: BTreeSet<String> = rows
        .filter_map(|r| Some(r.split('`').next()?.into()))
        .collect();
    assert_eq!(written, rows);
    let phases = Phase::ALL.iter().map(|phase| phase.key());
    let kinds = Question::ALL.iter().map(|kind| kind.word());
    let cuts = Cut::ALL.iter().map(|why| why.word());
    for word in phases.chain(kinds).chain(cuts) {
        assert!(document.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn a_report_on_standard_output_is_alone_there() {
    let ended = attest_in(
        &root(),
        &["check", "examples/copy.c", "--json", "-", "--stats"],
    );
    assert_eq!(ended.status, 0, "{ended:?}");
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["format"], "attest-report-1");
    assert_eq!(report["verdict"], "safe");
    assert_eq!(report["entry"], "main");
    assert_eq!(report["files"][0], "examples/copy.c");
    assert_eq!(report["versions"]["attest"], env!("CARGO_PKG_VERSION"));
    assert!(
        report["assumptions"]
            .as_array()
            .is_some_and(|a| !a.is_empty())
    );
    assert!(report["seconds"]["total"].as_f64() > Some(0.0));
    assert!(ended.stderr.ends_with("verdict: safe\n"), "{ended:?}");
    assert!(ended.stderr.contains("statistics:\n"), "{ended:?}");
}

#[test]
fn a_report_that_cannot_be_written() {
    let args = ["check", "examples/copy.c", "--json", "no/such/folder.json"];
    let ended = attest_in(&root(), &args);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert_eq!(ended.verdict(), "verdict: safe");
    assert!(
        ended.stderr.contains("the report cannot be written"),
        "{ended:?}"
    );
}

#[test]
fn statistics_come_before_the_verdict() {
    let ended = attest_in(&root(), &["check", "examples/spinlock.c", "--stats"]);
    assert_eq!(ended.verdict(), "verdict: safe");
    let rows = [
        "iterations",
        "tests",
        "regions",
        "splits",
        "cuts",
        "questions",
        "engine",
        "total",
    ];
    for row in rows {
        let line = |l: &str| l.trim().starts_with(row);
        assert!(ended.stdout.lines().any(line), "{row}: {ended:?}");
    }
}

#[test]
fn quiet() {
    let ended = attest_in(&root(), &["check", "examples/spinlock.c", "--quiet"]);
    assert_eq!(ended.stdout, "verdict: safe\n");
    assert_eq!(ended.stderr, "");
}

/// The example of the papers: lock and unlock in a loop.
const LOCK: &str = include_str!("../../../examples/lock.c");

#[test]
fn every_step_in_words() {
    let folder = Folder::with(&[("a.c", LOCK)]);
    let plain = ["check", "a.c", "--check", "assert", "--algorithm", "dash"];
    let silent = folder.attest(&plain);
    assert_eq!(silent.stderr, "");
    let ended = folder.attest(&[&plain[..], &["--trace-steps"]].concat());
    assert_eq!(ended.stdout, silent.stdout);
    assert_eq!(ended.verdict(), "verdict: safe");
    for words in [
        "  test: one of the first, on zeros: it ended normally at a.c:26:",
        "\nround 1: ",
        "  frontier: from region ",
        "the point at a.c:23:13: true",
        "  asked: can a test cross the frontier? no",
        "  split: region ",
        "y != old ",
        "  cut: no edge from region ",
        "\nconclusion: no abstract path to the error is left",
    ] {
        assert!(ended.stderr.contains(words), "{words:?}: {ended:?}");
    }
}

#[test]
fn algorithms_and_sizes_of_steps() {
    let folder = Folder::with(&[("a.c", LOCK)]);
    for algorithm in ["full", "dash", "synergy", "lctd"] {
        for blocks in [&[][..], &["--blocks", "insn"], &["--blocks", "large"]] {
            let args = [
                "check",
                "a.c",
                "--check",
                "assert",
                "--algorithm",
                algorithm,
            ];
            let ended = folder.attest(&[&args[..], blocks].concat());
            assert_eq!(ended.verdict(), "verdict: safe", "{algorithm}: {ended:?}");
        }
    }
}

/// `script` of util-linux gives a program a terminal.
#[test]
#[cfg(target_os = "linux")]
fn progress_is_for_terminals() {
    use std::process::{Command, Stdio};
    let folder = Folder::with(&[("a.c", LOCK)]);
    let line = |options: &str| {
        let program = env!("CARGO_BIN_EXE_attest");
        let output = Command::new("script")
            .args([
                "-qec",
                &format!("{program} check a.c --check assert {options}"),
                "/dev/null",
            ])
            .current_dir(folder.path(""))
            .stdin(Stdio::null())
            .output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Ok(shown) = line("") else {
        return attest_testing::tools::missing("script of util-linux");
    };
    assert!(shown.contains("compiling"), "{shown:?}");
    assert!(shown.contains("verdict: safe"), "{shown:?}");
    let quiet = line("--quiet").expect("it was there");
    assert_eq!(quiet.trim(), "verdict: safe");
}
