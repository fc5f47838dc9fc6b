//! `check --tests` and `replay`: a failing test as files, and what they do.

mod common;

use common::{Ended, Folder};
use std::process::Command;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// A folder with a program that fails on 4711 and its test in `out`.
fn with_test(text: &str) -> (Folder, Ended) {
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["check", "a.c", "--tests", "out"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    (folder, ended)
}

fn program(error: &str) -> String {
    format!(
        "{HEAD}{error}\nint main(void) {{ int x = __VERIFIER_nondet_int(); \
         if (x * 3u == 14133) reach_error(); return 0; }}\n"
    )
}

#[test]
fn a_failing_test_is_written_and_replayed() {
    let (folder, ended) = with_test(&program(""));
    let line =
        "the test is in out/failing.json; to run it natively: attest replay out/failing.json";
    assert!(ended.stdout.contains(line), "{ended:?}");
    let again = folder.attest(&["replay", "out/failing.json"]);
    assert_eq!(again.status, 10, "{again:?}");
    assert!(
        again.stdout.starts_with("the test fails natively: a.c:4:"),
        "{again:?}"
    );
}

#[test]
fn the_harness_builds_by_hand() {
    // Declared only, and with a body that would hide the failure.
    for error in ["", "void reach_error(void) {}"] {
        let (folder, ended) = with_test(&program(error));
        assert!(ended.stdout.contains("out/failing.c"), "{ended:?}");
        let harness = std::fs::read_to_string(folder.path("out/failing.c")).expect("a harness");
        let command = harness.lines().find(|l| l.trim().starts_with("cc "));
        let command = command.expect(&harness).trim();
        let clang = attest_llvm::clang::Clang::find().expect("clang").path;
        for compiler in [clang.display().to_string(), "cc".into()] {
            let output = Command::new("sh")
                .args(["-c", &command.replacen("cc", &compiler, 1)])
                .current_dir(folder.path(""))
                .output()
                .expect("a shell");
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                "42\n",
                "{compiler}: {output:?}"
            );
        }
    }
}

#[test]
fn a_test_that_does_not_fail_any_more() {
    let (folder, _) = with_test(&program(""));
    let text = std::fs::read_to_string(folder.path("out/failing.json")).expect("a test");
    assert!(text.contains("\"4711\""), "{text}");
    folder.write("other.json", text.replace("\"4711\"", "\"4712\""));
    let ended = folder.attest(&["replay", "other.json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("does not fail natively"), "{ended:?}");
}

#[test]
fn tests_that_cannot_be_replayed() {
    let (folder, _) = with_test(&program(""));
    let refused = |ended: Ended, why: &str| {
        assert_eq!(ended.status, 2, "{ended:?}");
        assert!(ended.stderr.contains(why), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    };
    refused(
        folder.attest(&["replay", "no.json"]),
        "no.json: the test cannot be read",
    );
    folder.write("bad.json", "{");
    refused(
        folder.attest(&["replay", "bad.json"]),
        "bad.json: not a test file",
    );
    folder.write("a.c", "int main(void) { return 1; }\n");
    refused(
        folder.attest(&["replay", "out/failing.json"]),
        "not those that the test is about",
    );
    std::fs::remove_file(folder.path("a.c")).expect("the program");
    refused(
        folder.attest(&["replay", "out/failing.json"]),
        "in the same folder",
    );
}

#[test]
fn a_native_run_that_does_not_end() {
    let text = program("").replace("int x =", "int x = 0; for (;;) x += ");
    let folder = Folder::with(&[("a.c", &text)]);
    let (other, _) = with_test(&program(""));
    let test = std::fs::read_to_string(other.path("out/failing.json")).expect("a test");
    let hash = |folder: &Folder| {
        let file = attest_proof::HashedFile::of(&folder.path("a.c"));
        file.expect("a file").sha256
    };
    folder.write("t.json", test.replace(&hash(&other), &hash(&folder)));
    let ended = folder.attest(&["replay", "t.json", "--time-limit", "0.3"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(ended.stdout.contains("does not end natively"), "{ended:?}");
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = Folder::with(&[("a.c", &program("")), ("file", "")]);
    let ended = folder.attest(&["check", "a.c", "--tests", "file/out"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(
        ended.stderr.contains("the folder for tests cannot be made"),
        "{ended:?}"
    );
}

#[test]
fn tests_of_a_safe_program() {
    let text = program("").replace("== 14133", "== 14133 && x == 0");
    let folder = Folder::with(&[("a.c", &text)]);
    let ended = folder.attest(&["check", "a.c", "--tests", "out"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("written to out: "), "{ended:?}");
    let again = folder.attest(&["replay", "out/test-0001.json"]);
    assert_eq!(again.status, 0, "{again:?}");
}

#[test]
fn a_test_that_a_native_run_cannot_be_given() {
    let text = "extern void reach_error(void);\n\
        int main(void) { int x; if (x * 3u == 12345) reach_error(); return 0; }\n";
    let (folder, ended) = with_test(text);
    assert!(
        ended.stdout.contains("no list of inputs repeats it"),
        "{ended:?}"
    );
    let again = folder.attest(&["replay", "out/failing.json"]);
    // What is on the stack is anybody's guess.
    if again.status != 10 {
        assert_eq!(again.status, 0, "{again:?}");
        assert!(again.stdout.contains("there the test fails"), "{again:?}");
    }
}
