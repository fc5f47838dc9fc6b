//! Functions of the C library that read what comes from outside: what C promises of them is
//! proved and true of the machine's library, and everything else can be in a failing test.

mod common;

use attest_llvm::clang::Clang;
use attest_term::random::Random;
use common::Folder;
use std::process::{Command, Stdio};

const START: &str = "
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int digit(int c) { return '0' <= c && c <= '9'; }
int main(void) {
";

fn program(body: &str) -> String {
    format!("{START}{body}\nreturn 0;\n}}\n")
}

/// What holds of every input, by what it is about.
const SAFE: &[(&str, &str)] = &[
    (
        "characters",
        "int c = getchar(); assert(c == EOF || (0 <= c && c <= 255));",
    ),
    (
        "the end stays",
        "int c = getchar(); if (c == EOF && feof(stdin)) assert(getc(stdin) == EOF);",
    ),
    (
        "end or failure",
        "if (getchar() == EOF) assert(feof(stdin) || ferror(stdin)); else assert(!feof(stdin));",
    ),
    (
        "pushed back",
        "int c = getchar(); if (c != EOF) { ungetc(c, stdin); assert(getchar() == c); }",
    ),
    (
        "behind a number",
        "int n; if (scanf(\"%d\", &n) == 1) assert(!digit(getchar()));",
    ),
    (
        "the end behind a number",
        "int n; if (scanf(\"%d\", &n) == 1 && feof(stdin)) assert(getchar() == EOF);",
    ),
    (
        "no number",
        "int n = 5, got = scanf(\"%d\", &n); assert(got == 1 || got == 0 || got == EOF);
         if (got != 1) assert(n == 5);
         if (got == 0) assert(!digit(getchar()));
         if (got == EOF) assert(feof(stdin) || ferror(stdin));",
    ),
    (
        "one of two",
        "int a = 1, b = 2, got = scanf(\"%d ,%d\", &a, &b); assert(got <= 2);
         if (got == 1) assert(b == 2);",
    ),
    (
        "no line",
        "char line[3]; if (!fgets(line, 3, stdin)) assert(feof(stdin) || ferror(stdin));",
    ),
    (
        "no word",
        "char word[3]; if (scanf(\"%2s\", word) == EOF) assert(feof(stdin) || ferror(stdin));",
    ),
    (
        "files",
        "FILE *file = fopen(\"input\", \"r\"); if (!file) return 0;
         if (fgetc(file) == EOF) assert(feof(file) || ferror(file)); else assert(!ferror(file));
         fprintf(stderr, \"done\\n\"); fclose(file);",
    ),
    (
        "blocks",
        "char block[4]; size_t got = fread(block, 2, 2, stdin); assert(got <= 2);
         if (got < 2) assert(feof(stdin) || ferror(stdin));",
    ),
    (
        "random numbers and times",
        "srand((unsigned)time(NULL)); assert(rand() >= 0 && rand() % 6 + 1 <= 6);
         clock_t then = clock(), now = clock(); assert(sizeof now < 8 || now >= then || now == -1);",
    ),
];

/// The same, which takes too long to prove for a test.
const TRUE: &[(&str, &str)] = &[
    (
        "lines",
        "char line[3]; if (fgets(line, 3, stdin)) { assert(line[0] == 0 || line[1] == 0 || line[2] == 0);
         if (line[0] == '\\n') assert(line[1] == 0); }",
    ),
    (
        "words",
        "char word[3]; if (scanf(\"%2s\", word) == 1) { assert(word[0] != ' ' && word[1] != '\\n');
         assert(word[1] == 0 || word[2] == 0); }",
    ),
];

#[test]
fn what_c_promises_is_proved() {
    for (what, body) in SAFE {
        for model in ["lp64", "ilp32"] {
            let folder = Folder::with(&[("a.c", &program(body))]);
            let ended = folder.attest(&["check", "a.c", "--data-model", model]);
            let verdict = ended.verdict();
            assert_eq!(verdict, "verdict: safe", "{what}, {model}: {ended:?}");
        }
    }
}

#[test]
fn what_c_promises_is_not_refuted() {
    for (what, body) in TRUE {
        let folder = Folder::with(&[("a.c", &program(body))]);
        let ended = folder.attest(&["check", "a.c", "--time-limit", "3"]);
        assert_ne!(ended.verdict(), "verdict: unsafe", "{what}: {ended:?}");
    }
}

/// The same programs with the machine's own library, on many inputs.
#[test]
fn what_c_promises_is_true() {
    let clang = Clang::find().expect("clang");
    let mut random = Random(1);
    let pieces = [
        "12", "-", "+7", " ", "\n", ",", "x", "ab", "3 4", "5,6", "\0", "é",
    ];
    for (what, body) in SAFE.iter().chain(TRUE) {
        let folder = Folder::with(&[("a.c", &program(body))]);
        let binary = folder.path("a");
        let mut command = Command::new(&clang.path);
        command.arg(folder.path("a.c")).arg("-o").arg(&binary);
        assert!(command.status().expect("clang runs").success(), "{what}");
        for _ in 0..60 {
            let text: String = (0..random.below(5))
                .map(|_| pieces[random.below(pieces.len() as u64) as usize])
                .collect();
            folder.write("input", &text);
            let input = std::fs::File::open(folder.path("input")).expect("an input");
            let mut command = Command::new(&binary);
            command.current_dir(folder.path("."));
            command.stdin(input).stderr(Stdio::null());
            let status = command.status().expect("the program runs");
            assert!(status.success(), "{what}: {text:?}");
        }
    }
}

/// What can be read, by an assertion that it violates.
const UNSAFE: &[(&str, &str)] = &[
    ("a character", "assert(getchar() != 'q');"),
    ("the end", "assert(getchar() != EOF);"),
    ("a failure", "getchar(); assert(!ferror(stdin));"),
    ("why it failed", "getchar(); assert(!ferror(stdin) || errno != 4);"),
    (
        "what the library does besides",
        "errno = 0; if (getchar() == 'q') assert(errno == 0);",
    ),
    (
        "a line",
        "char line[8]; if (fgets(line, 8, stdin)) assert(line[0] != 'a' || line[1] != '\\n');",
    ),
    (
        "a number",
        "int n; if (scanf(\"%d\", &n) == 1) assert(n != -17);",
    ),
    (
        "a long number behind a short one",
        "short s; long long n; if (scanf(\"%hd%lld\", &s, &n) == 2) assert(s != 9 || n != 12345678901);",
    ),
    (
        "a fraction",
        "double d; if (scanf(\"%lf\", &d) == 1) assert(d != 2.5);",
    ),
    (
        "what is no number",
        "int n; if (scanf(\"%d\", &n) == 0) assert(getchar() != 'z');",
    ),
    (
        "a letter that is a digit to another base",
        "int n; if (scanf(\"%d\", &n) == 0) assert(getchar() != 'a');",
    ),
    (
        "the end behind a fraction",
        "double d; if (scanf(\"%lf\", &d) == 1) assert(!feof(stdin));",
    ),
    (
        "a number that is too large",
        "int n; errno = 0; if (scanf(\"%d\", &n) == 1) assert(errno != ERANGE);",
    ),
    (
        "a digit behind an octal number",
        "int n; if (scanf(\"%i\", &n) == 1) assert(getchar() != '8');",
    ),
    (
        "a separator",
        "int n; char c; if (scanf(\"%d %c\", &n, &c) == 2) assert(n != 3 || c != ';');",
    ),
    (
        "a word",
        "char w[6]; if (scanf(\"%5s\", w) == 1) assert(w[0] != 'o' || w[1] != 'k' || w[2]);",
    ),
    (
        "a file that cannot be opened",
        "FILE *f = fopen(\"a\", \"r\"); assert(f);",
    ),
    (
        "a file",
        "FILE *f = fopen(\"a\", \"r+\"); int a, b; if (!f) return 1;
         while (fscanf(f, \"%d:%d\", &a, &b) == 2) { fprintf(f, \"%d\", a); assert(a < 100 || b != 7); }
         fclose(f);",
    ),
    (
        "a block",
        "unsigned n = 0; if (fread(&n, sizeof n, 1, stdin) == 1) assert(n != 0x01020304);",
    ),
    (
        "a failure to write",
        "FILE *f = fopen(\"a\", \"w\"); if (f) { fputs(\"x\", f); assert(!ferror(f)); fclose(f); }",
    ),
    ("a random number", "assert(rand() % 6 + 1 != 4);"),
    ("a time", "assert(time(NULL) != 1000000000);"),
];

#[test]
fn whatever_can_be_read_is_found() {
    for (what, body) in UNSAFE {
        let folder = Folder::with(&[("a.c", &program(body))]);
        let ended = folder.attest(&["check", "a.c", "--tests", "out"]);
        assert_eq!(ended.verdict(), "verdict: unsafe", "{what}: {ended:?}");
        let again = folder.attest(&["replay", "out/failing.json"]);
        assert_eq!(again.status, 10, "{what}: {again:?}");
    }
}

/// A function of the program comes before the library's of the same name, natively too.
#[test]
fn the_programs_own_come_first() {
    let own = "static int calls; int rand(void) { return ++calls; }
        int getline(char *line, int most) { line[0] = 'a'; return most; }";
    let rest = "int main(void) { char l[2]; int n = rand() + getline(l, 3);
        if (getchar() == 'q') assert(n != 4 || l[0] != 'a'); return 0; }";
    let text = format!("#include <assert.h>\nint getchar(void);\n{own}\n{rest}\n");
    let folder = Folder::with(&[("a.c", &text)]);
    let ended = folder.attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
}

/// What is read is said in words, and the run is told without the library's lines.
#[test]
fn the_run_is_told_in_the_programs_own_lines() {
    let folder = Folder::with(&[("a.c", &program("assert(getchar() != 'q');"))]);
    let ended = folder.attest(&["check", "a.c"]);
    let text = &ended.stdout;
    assert!(text.contains("1. a character that is read = 113"), "{text}");
    assert!(!text.contains("    <attest>/"), "{text}");
    assert!(text.contains("call getchar()"), "{text}");
}
