//! `attest run`: what is printed, how the end is said, and the status.

mod common;

use common::Folder;

/// Runs a body of `main` and compares the status and words of the ending.
fn check(body: &str, options: &[&str], status: i32, ending: &[&str]) {
    let text = format!(
        "#include <stdlib.h>\n#include <stdio.h>\n#include <assert.h>\n\
         extern int __VERIFIER_nondet_int(void);\n\
         extern void __VERIFIER_assume(int);\n\
         extern void reach_error(void);\n\
         extern int somewhere(int);\n\
         static int deep(int n) {{ return deep(n + 1) + 1; }}\n\
         int main(void) {{\n{body}\n}}\n"
    );
    let folder = Folder::with(&[("a.c", &text)]);
    let mut args = vec!["run", "a.c"];
    args.extend(options);
    let ended = folder.attest(&args);
    assert_eq!(ended.status, status, "{body}: {ended:?}");
    for words in ending {
        assert!(ended.stderr.contains(words), "{body}: {words:?}: {ended:?}");
    }
}

#[test]
fn ends() {
    check("return 3;", &[], 0, &["main returned 3"]);
    check("exit(4);", &[], 0, &["exit(4) at a.c:10:1"]);
    check("abort();", &[], 0, &["abort()"]);
    check(
        "reach_error();",
        &[],
        10,
        &["reach_error is called at a.c:10:1", "  in main at a.c:10:1"],
    );
    check("assert(0);", &[], 10, &["__assert_fail", "a.c:10:1"]);
    check("__VERIFIER_assume(0);", &[], 5, &["assumption failed"]);
    check(
        "return somewhere(1);",
        &[],
        5,
        &["missing-function: somewhere", "a.c:10:8", "--stubs"],
    );
    check(
        "int *p = 0; return *p;",
        &[],
        10,
        &["null-dereference", "a.c:10:20"],
    );
    check(
        "for (;;) ;",
        &["--steps", "1000"],
        5,
        &["1000 steps", "--steps"],
    );
    check(
        "for (;;) malloc(1 << 20);",
        &["--memory-limit", "3"],
        5,
        &["--memory-limit"],
    );
    check(
        "return deep(0);",
        &[],
        5,
        &["in deep", "more calls", "in main"],
    );
}

#[test]
fn inputs() {
    let body = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return a - b;";
    check(body, &["--input", "3,-1"], 0, &["returned 4"]);
    check(body, &["--input", "-3"], 0, &["returned -3"]);
    check(body, &["--input=0x10,'a'"], 0, &["returned -81"]);
    check(body, &[], 0, &["returned 0"]);
    check(
        body,
        &["--input", "1,2,3"],
        0,
        &["1 value of --input was not asked for"],
    );
}

#[test]
fn seeds_repeat() {
    let text = "#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\n\
        int main(void) { printf(\"%d\\n\", __VERIFIER_nondet_int()); return 0; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let run = |seed| folder.attest(&["run", "a.c", "--seed", seed]).stdout;
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn overflow_policies() {
    let body = "int x = 2147483647; x += 1; return x < 0;";
    check(body, &[], 0, &["returned 1"]);
    check(body, &["--overflow", "wrap"], 0, &["returned 1"]);
    check(body, &["--overflow", "assume"], 5, &["assumption failed"]);
    check(body, &["--overflow", "check"], 10, &["overflow"]);
}

#[test]
fn data_models() {
    check("return sizeof(long);", &[], 0, &["returned 8"]);
    let text = "int main(void) { return sizeof(long); }\n";
    let folder = Folder::with(&[("a.c", text)]);
    for name in ["ilp32", "ILP32"] {
        let ended = folder.attest(&["run", "a.c", "--data-model", name]);
        assert!(ended.stderr.contains("returned 4"), "{ended:?}");
    }
}

#[test]
fn output_is_only_the_programs() {
    let text =
        "#include <stdio.h>\nint main(void) { int x = 5; printf(\"%d %s\\n\", x, \"five\"); }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["run", "a.c", "--trace"]);
    assert_eq!(ended.stdout, "5 five\n");
    assert!(ended.stderr.contains("a.c:2"), "{ended:?}");
    assert!(ended.stderr.contains("x = 5"), "{ended:?}");
}

#[test]
fn several_files_stubs_and_clang_arguments() {
    let folder = Folder::with(&[
        (
            "a.c",
            "int f(void), g(void);\nint main(void) { return f() * g() + K; }\n",
        ),
        ("b.c", "int f(void) { return 6; }\n"),
        (
            "s.c",
            "int f(void) { return 0; }\nint g(void) { return 7; }\n",
        ),
    ]);
    let args = ["run", "a.c", "b.c", "--stubs", "s.c", "--", "-DK=1"];
    let ended = folder.attest(&args);
    assert!(ended.stderr.contains("returned 43"), "{ended:?}");
}

#[test]
fn compile_commands() {
    let folder = Folder::with(&[("a.c", "int main(void) { return K; }\n")]);
    let directory = folder.path("").display().to_string();
    let json =
        format!(r#"[{{"directory": "{directory}", "file": "a.c", "command": "cc -DK=9 -c a.c"}}]"#);
    folder.write("compile_commands.json", json);
    let ended = folder.attest(&["run", "a.c", "--compile-commands", "compile_commands.json"]);
    assert!(ended.stderr.contains("returned 9"), "{ended:?}");
}

/// Places are named as seen from where attest runs, so that a trace has the lines.
#[test]
fn compile_commands_of_another_folder() {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    folder.write(
        "sub/a.c",
        "extern void reach_error(void);\nint main(void) {\n  if (K) reach_error();\n}\n",
    );
    let directory = folder.path("sub").display().to_string();
    let json =
        format!(r#"[{{"directory": "{directory}", "file": "a.c", "command": "cc -DK=9 -c a.c"}}]"#);
    folder.write("sub/compile_commands.json", json);
    let database = ["--compile-commands", "sub/compile_commands.json"];
    let ended = folder.attest(&["check", "sub/a.c", database[0], database[1], "--no-cache"]);
    assert!(ended.stdout.contains("if (K) reach_error();"), "{ended:?}");
    assert!(ended.stdout.contains("at sub/a.c:3:10"), "{ended:?}");
}

#[test]
fn another_entry() {
    let text = "int f(int x, unsigned char y) { return x + y; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["run", "a.c", "--entry", "f", "--input", "5,300"]);
    assert!(ended.stderr.contains("f returned 49"), "{ended:?}");
}
