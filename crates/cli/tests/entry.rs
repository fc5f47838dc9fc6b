//! `--entry FUNCTION`: the programs of `entry/`, whose first comment says what
//! each function's verdict is. Every `safe` is accepted by the checker, every
//! `unsafe` fails natively too, and runs again from the command that is printed.

mod common;

use common::{Ended, Folder, attest_in, root};

/// Functions with their verdicts, and what an unknown one says.
fn expected(text: &str) -> Vec<(&str, &str, &str)> {
    let comment = text.split("*/").next().unwrap_or_default();
    let lines = comment.trim_start_matches("/*").lines();
    lines
        .filter_map(|line| {
            let (name, rest) = line.trim().split_once(": ")?;
            let (verdict, words) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((name, verdict, words))
        })
        .collect()
}

fn check(files: &[&str], name: &str, verdict: &str, words: &str, data_model: &str) {
    let folder = root().join("crates/cli/tests/entry");
    let mut args = vec!["check", "--entry", name, "--data-model", data_model];
    args.extend(["--time-limit", "100"]);
    args.extend(files);
    let ended = attest_in(&folder, &args);
    let context = || format!("{name} of {files:?} with {data_model}: {ended:?}");
    let said = ended.verdict();
    assert!(
        said.starts_with(&format!("verdict: {verdict}")),
        "{}",
        context()
    );
    assert!(said.contains(words), "{}", context());
    match verdict {
        "safe" => {
            let words = ["accepted", "assumed: globals have their initial values"];
            let all = words.iter().all(|w| ended.stdout.contains(w));
            assert!(all, "{}", context());
            assert!(!ended.stdout.contains("vacuous"), "{}", context());
        }
        "unsafe" => {
            let natively = ["the test fails natively", " confirms it: "];
            let natively = natively.iter().any(|words| ended.stdout.contains(words));
            assert!(natively, "{}", context());
            assert_eq!(again(&folder, &ended), 10, "{}", context());
        }
        _ => {}
    }
}

/// Runs the command that a check prints.
fn again(folder: &std::path::Path, ended: &Ended) -> i32 {
    let line = ended
        .stdout
        .lines()
        .find_map(|l| l.strip_prefix("to run it again: attest "));
    let words: Vec<&str> = line.expect(&ended.stdout).split(' ').collect();
    attest_in(folder, &words).status
}

fn check_all(files: &[&str]) {
    let first = root().join("crates/cli/tests/entry").join(files[0]);
    let text = std::fs::read_to_string(first).expect("a program");
    let all = expected(&text);
    assert!(!all.is_empty(), "{files:?}");
    for (name, verdict, words) in all {
        check(files, name, verdict, words, "lp64");
        check(files, name, verdict, words, "ilp32");
    }
}

#[test]
fn scalars() {
    check_all(&["scalars.c"]);
}

#[test]
fn aliases() {
    check_all(&["aliases.c"]);
}

#[test]
fn arrays() {
    check_all(&["arrays.c"]);
}

#[test]
fn structures() {
    check_all(&["structures.c"]);
}

#[test]
fn depth() {
    check_all(&["depth.c"]);
}

#[test]
fn functions() {
    check_all(&["functions.c"]);
}

#[test]
fn loops() {
    check_all(&["loops.c"]);
}

#[test]
fn outside_the_model() {
    check_all(&["outside.c"]);
}

#[test]
fn several_files() {
    check_all(&["two_files/a.c", "two_files/b.c"]);
}

#[test]
fn inputs_in_words() {
    let text = "extern void reach_error(void);\nstruct s { char c; struct s *next; };\n\
        void f(struct s *s, char *p, unsigned n) {\n\
        if (s && s->next == s && p == &s->c && s->c == 'x' && n == 7) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c", "--entry", "f"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    for words in [
        "argument s of f = ",
        ": points to struct s #1",
        "argument p of f = ",
        ": points to .c in struct s #1",
        "argument n of f = 7",
        "struct s #1 .next = ",
        "contents of struct s #1: .c = 120",
        "in caller of f at a.c:3",
    ] {
        assert!(ended.stdout.contains(words), "{words:?}: {ended:?}");
    }
}

#[test]
fn a_run_takes_arguments_in_order() {
    let text = "extern int printf(const char *, ...);\n\
        int f(int a, short *p) { if (p) printf(\"%d %d\\n\", a, *p); return a; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["run", "a.c", "--entry", "f", "--input", "5,0"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""), "{ended:?}");
    assert!(ended.stderr.contains("f returned 5"), "{ended:?}");
    let ended = folder.attest(&["run", "a.c", "--entry", "f", "--input", "-5,2"]);
    assert_eq!(ended.stdout, "-5 0\n", "{ended:?}");
    let ended = folder.attest(&["run", "a.c", "--entry", "f", "--contents", "1:0"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("no byte of an object"), "{ended:?}");
}

#[test]
fn proofs_say_what_the_arguments_are() {
    let text = "extern void reach_error(void);\n\
        void f(int *p, int *q) { if (p && q && p != q) { *p = 1; *q = 2; if (*p != 1) reach_error(); } }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let args = ["check", "a.c", "--entry", "f", "--proof", "p.json"];
    let ended = folder.attest(&args);
    assert_eq!(ended.status, 0, "{ended:?}");
    let proof = std::fs::read_to_string(folder.path("p.json")).expect("a proof");
    assert!(proof.contains("\"arguments\": {"), "{proof}");
    let said = "assumed: p: null, or one of 4 places in int[4] #1";
    assert!(ended.stdout.contains(said), "{ended:?}");
}

#[test]
fn no_debug_information_is_no_guess() {
    let text = "define void @f(ptr %p) {\n  ret void\n}\n";
    let ended = Folder::with(&[("a.ll", text)]).attest(&["check", "a.ll", "--entry", "f"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    let words =
        "an argument that is a pointer to something that the debug information does not tell: p";
    assert!(ended.verdict().contains(words), "{ended:?}");
}
