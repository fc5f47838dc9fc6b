//! Bad input: one clear line, and the right status.

mod common;

use common::{Ended, Folder};

const MAIN: &str = "int main(void) { return 0; }\n";

/// Every command refuses the same way: one line with these words.
fn check(folder: &Folder, args: &[&str], status: i32, words: &[&str]) {
    for command in ["run", "model", "check"] {
        let mut all = vec![command];
        all.extend(args);
        one_line(&folder.attest(&all), status, words);
    }
}

fn one_line(ended: &Ended, status: i32, words: &[&str]) {
    assert_eq!(ended.status, status, "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    assert!(ended.stderr.starts_with("attest: "), "{ended:?}");
    assert_eq!(ended.stdout, "", "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "no {word:?}: {ended:?}");
    }
}

#[test]
fn missing_file() {
    check(&Folder::new(), &["no.c"], 2, &["no.c: ", "no such file"]);
}

#[test]
fn missing_stub() {
    let folder = Folder::with(&[("a.c", MAIN)]);
    check(&folder, &["a.c", "--stubs", "no.c"], 2, &["no.c: "]);
}

#[cfg(unix)]
#[test]
fn unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.c", MAIN)]);
    let path = folder.path("a.c");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("chmod");
    if std::fs::read(&path).is_err() {
        check(&folder, &["a.c"], 2, &["a.c: ", "may not be read"]);
    } else {
        // The superuser may read everything but this.
        let path = "/proc/self/mem";
        check(&folder, &[path], 2, &[path, "cannot be read"]);
    }
}

#[test]
fn directory() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub.c")).expect("a directory");
    check(&folder, &["sub.c"], 2, &["sub.c: ", "directory"]);
}

#[cfg(unix)]
#[test]
fn device() {
    check(&Folder::new(), &["/dev/zero"], 2, &["no regular file"]);
}

#[test]
fn empty_file() {
    let folder = Folder::with(&[("a.c", ""), ("b.ll", " \n\n"), ("c.i", "\n")]);
    for file in ["a.c", "b.ll", "c.i"] {
        check(&folder, &[file], 2, &[file, "is empty"]);
    }
}

#[test]
fn binary_file() {
    let folder = Folder::new();
    folder.write("a.c", b"\x7fELF\x02\x01\x00\x00\x00main");
    folder.write("b.ll", b"define \xff\xfe");
    folder.write("c.bc", b"BC\xc0\xde\x35\x14\x00");
    check(&folder, &["a.c"], 2, &["a.c: ", "binary file"]);
    check(&folder, &["b.ll"], 2, &["b.ll: ", "not UTF-8"]);
    check(&folder, &["c.bc"], 2, &["c.bc: ", "llvm-dis"]);
}

#[test]
fn file_of_unknown_kind() {
    let folder = Folder::with(&[("a.txt", MAIN), ("main", MAIN)]);
    check(&folder, &["a.txt"], 2, &["a.txt: ", "attest reads C"]);
    check(&folder, &["main"], 2, &["main: ", "attest reads C"]);
}

#[test]
fn file_that_does_not_compile() {
    let folder = Folder::with(&[("a.c", "int main(void) { return x; }\n")]);
    for command in ["run", "model", "check"] {
        let ended = folder.attest(&[command, "a.c"]);
        assert_eq!(ended.status, 2, "{ended:?}");
        assert_eq!(ended.stdout, "");
        assert!(ended.stderr.starts_with("attest: a.c does not compile:\n"));
        // clang's own words.
        assert!(ended.stderr.contains("a.c:1:25: error: use of undeclared"));
    }
}

#[test]
fn unknown_clang_argument() {
    let folder = Folder::with(&[("a.c", MAIN)]);
    let ended = folder.attest(&["run", "a.c", "--", "--no-such-thing"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.stderr.contains("--no-such-thing"), "{ended:?}");
}

#[test]
fn ir_with_unknown_syntax() {
    let folder = Folder::with(&[(
        "a.ll",
        "define i32 @main() {\n  %x = frobnicate i32 1\n  ret i32 0\n}\n",
    )]);
    check(&folder, &["a.ll"], 2, &["a.ll:2:8: ", "`frobnicate`"]);
    let folder = Folder::with(&[("a.ll", "define i32 @main() {\n  ret i32 0\n")]);
    check(&folder, &["a.ll"], 2, &["a.ll:", "end of the file"]);
}

#[test]
fn no_main() {
    let folder = Folder::with(&[("a.c", "int f(void) { return 0; }\n"), ("b.c", "int x;\n")]);
    check(&folder, &["a.c"], 2, &["`main`", "--entry", "f"]);
    check(&folder, &["b.c"], 2, &["`main`", "no function at all"]);
    let wrong = ["a.c", "--entry", "g"];
    check(&folder, &wrong, 2, &["`g`", "--entry"]);
}

#[test]
fn a_function_defined_twice() {
    let folder = Folder::with(&[("a.c", MAIN), ("b.c", MAIN)]);
    check(
        &folder,
        &["a.c", "b.c"],
        2,
        &["`main`", "a.c", "b.c", "leave one"],
    );
}

#[test]
fn compilation_database() {
    let folder = Folder::with(&[("a.c", MAIN), ("bad.json", "[{]")]);
    let with = |json| ["a.c", "--compile-commands", json];
    check(&folder, &with("no.json"), 2, &["no.json"]);
    check(&folder, &with("bad.json"), 2, &["bad.json"]);
}

#[test]
fn wrong_usage() {
    let folder = Folder::with(&[("a.c", MAIN)]);
    check(&folder, &[], 1, &["<FILE>"]);
    check(&folder, &["a.c", "--frob"], 1, &["'--frob'"]);
    check(&folder, &["a.c", "--data-model", "x"], 1, &["ilp32"]);
    check(&folder, &["a.c", "--property", "x"], 1, &["unreach-call"]);
    let usage = |args: &[&str], words: &[&str]| one_line(&folder.attest(args), 1, words);
    usage(&["frob"], &["'frob'"]);
    usage(&["run", "a.c", "--input", "1,,2"], &["no number"]);
    usage(&["run", "a.c", "--steps", "-1"], &["-1"]);
    usage(&["check", "a.c", "--time-limit", "never"], &["seconds"]);
    usage(&["suite"], &["SUITE.toml"]);
    usage(&["compare"], &["TABLE"]);
    usage(&["check", "a.c", "--order", "sideways"], &["breadth"]);
    usage(&["check", "a.c", "--tune", "no=1"], &["smash.levels"]);
    usage(
        &["check", "a.c", "--tune", "smash.levels=0"],
        &["from 1 to 600"],
    );
}

#[test]
fn nothing_asked_for() {
    let ended = Folder::new().attest(&[]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("Usage: attest"), "{ended:?}");
}

#[test]
fn property_files() {
    let folder = Folder::with(&[
        ("a.c", MAIN),
        ("end.prp", "CHECK( init(main()), LTL(F end) )"),
        ("odd.prp", "hello"),
    ]);
    let with = |file| ["a.c", "--property", file];
    check(&folder, &with("no.prp"), 2, &["no.prp: "]);
    check(
        &folder,
        &with("end.prp"),
        2,
        &["end.prp: ", "not supported"],
    );
    check(&folder, &with("odd.prp"), 2, &["odd.prp: ", "CHECK("]);
}

#[test]
fn no_clang() {
    let folder = Folder::with(&[("a.c", MAIN)]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_attest"))
        .args(["run", "a.c"])
        .current_dir(folder.path(""))
        .env("ATTEST_CLANG", "/no/such/clang")
        .output()
        .expect("attest starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("/no/such/clang"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn arguments_that_change_arithmetic() {
    let folder = Folder::with(&[("a.c", MAIN)]);
    for argument in ["-ffast-math", "-Ofast", "-frounding-math", "-m32", "-mx32"] {
        let named = format!("`{argument}`");
        check(&folder, &["a.c", "--", argument], 2, &[&named]);
    }
    let database = serde_json::json!([
        { "directory": folder.path("."), "file": "a.c", "command": "cc -O2 -Ofast -c a.c" }
    ]);
    folder.write("compile_commands.json", database.to_string());
    let args = ["a.c", "--compile-commands", "compile_commands.json"];
    check(&folder, &args, 2, &["`-Ofast`"]);
}
