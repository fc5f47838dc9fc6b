//! Corners of C and of its library where a verdict was once wrong, each with the right one.

mod common;

use common::Folder;

const HEAD: &str = "typedef unsigned long size_t;\n\
    extern void reach_error(void);\n\
    extern int __VERIFIER_nondet_int(void);\n\
    extern size_t __VERIFIER_nondet_ulong(void);\n\
    int printf(const char *, ...);\nint snprintf(char *, size_t, const char *, ...);\n\
    void *malloc(size_t);\nvoid *calloc(size_t, size_t);\nvoid *realloc(void *, size_t);\n\
    int isupper(int);\n";

/// Checks a program: its verdict, and what else is said.
fn check(body: &str, verdict: &str, words: &str) {
    let folder = Folder::with(&[("a.c", &format!("{HEAD}{body}\n"))]);
    let ended = folder.attest(&["check", "a.c", "--time-limit", "20"]);
    let said = ended.verdict();
    assert!(said.starts_with(verdict), "{body}: {ended:?}");
    assert!(ended.stdout.contains(words), "{body}: {ended:?}");
}

/// Runs a program without inputs, which does not fail.
fn ends_well(body: &str) {
    let folder = Folder::with(&[("a.c", &format!("{HEAD}{body}\n"))]);
    let ended = folder.attest(&["run", "a.c"]);
    assert_eq!(ended.status, 0, "{body}: {ended:?}");
}

const SAFE: &str = "verdict: safe";
const UNSAFE: &str = "verdict: unsafe";
const UNKNOWN: &str = "verdict: unknown";

/// What runs before main and after it, by any way out but those that skip it.
#[test]
fn constructors_and_destructors() {
    let program = "int g; __attribute__((KIND)) static void f(void) { if (g) reach_error(); g = 1; }\n\
        int main(void) { if (g) reach_error(); g = VALUE; return 0; }";
    let with = |kind: &str, value: &str| program.replace("KIND", kind).replace("VALUE", value);
    check(&with("constructor", "1"), UNSAFE, "");
    check(&with("destructor", "1"), UNSAFE, "");
    check(&with("destructor", "0"), SAFE, "");
    let again = "static int g; __attribute__((destructor)) static void f(void) { g++; }\n\
        int main(void) { if (g) reach_error(); return !g++ ? main() : 0; }";
    check(again, UNKNOWN, "a main that the program calls");
}

/// What `atexit` was given runs where the program ends by itself.
#[test]
fn functions_at_exit() {
    let program = "int atexit(void (*)(void)); void exit(int); void _Exit(int); void abort(void);\n\
        int g; static void f(void) { if (g) reach_error(); } static void h(void) { g = 1; }\n\
        int main(void) { FIRST; SECOND; if (__VERIFIER_nondet_int() == 77) { END; } _Exit(0); }";
    let with = |first: &str, second: &str, end: &str| {
        let text = program.replace("FIRST", first).replace("SECOND", second);
        text.replace("END", end)
    };
    for end in ["return 0", "exit(3)"] {
        check(&with("atexit(f)", "atexit(h)", end), UNSAFE, "");
        // The last that was given is the first that runs.
        check(&with("atexit(h)", "atexit(f)", end), SAFE, "");
    }
    for end in ["_Exit(1)", "abort()"] {
        check(&with("atexit(f)", "atexit(h)", end), SAFE, "");
    }
    let within = with("atexit(f)", "atexit(h)", "exit(0)").replace("g = 1", "exit(1)");
    check(&within, UNKNOWN, "exit while the program ends");
}

/// A conversion that writes to memory.
#[test]
fn printing_that_writes() {
    let program = "int main(void) { int n = 0; CALL; if (n == 3) reach_error(); return 0; }";
    let with = |call: &str| program.replace("CALL", call);
    check(&with("printf(\"abc%n\\n\", &n)"), UNKNOWN, "%n");
    check(&with("printf(\"abc%-5.2lln\\n\", &n)"), UNKNOWN, "%n");
    let chosen = "printf(__VERIFIER_nondet_int() ? \"abc\" : \"abc%n\", &n)";
    check(&with(chosen), UNKNOWN, "%n");
    let chosen = "printf(__VERIFIER_nondet_int() ? \"abc\" : \"%d and more\", n)";
    check(&with(chosen), SAFE, "");
}

/// What `%n` writes has the size that is said, and wide strings are not narrow ones.
#[test]
fn sizes_of_conversions() {
    let program = "int main(void) { char b[16]; TYPE n = -1; snprintf(b, 16, \"abc%MODIFIERn\", &n);\n\
        if (n != 3) reach_error(); return 0; }";
    for (ty, modifier) in [
        ("long", "l"),
        ("int", ""),
        ("short", "h"),
        ("signed char", "hh"),
    ] {
        let text = program.replace("TYPE", ty).replace("MODIFIER", modifier);
        ends_well(&text);
    }
    let neighbours = "struct { signed char a, b, c, d; } s = {1, 1, 1, 1};\n\
        int main(void) { char b[16]; snprintf(b, 16, \"abc%hhn\", &s.b);\n\
        if (s.a != 1 || s.b != 3 || s.c != 1 || s.d != 1) reach_error(); return 0; }";
    ends_well(neighbours);
    let wide = "int main(void) { char b[8];\n\
        if (snprintf(b, 8, \"%ls\", L\"abc\") != 3) reach_error(); return 0; }";
    check(wide, UNKNOWN, "unusual conversion");
}

/// An input that is no value.
#[test]
fn contents_of_an_object_as_input() {
    let program = "extern void __VERIFIER_nondet_memory(void *, size_t);\n\
        int main(void) { int x = 0; __VERIFIER_nondet_memory(&x, sizeof x);\n\
        if (x == 7) reach_error(); return 0; }";
    check(program, UNKNOWN, "__VERIFIER_nondet_memory");
}

/// A weak symbol that nothing defines is at no address.
#[test]
fn weak_symbols() {
    check(
        "extern int w __attribute__((weak));\nint main(void) { if (!&w) reach_error(); return 0; }",
        UNKNOWN,
        "`w`, which is weak",
    );
    check(
        "extern void f(void) __attribute__((weak));\n\
         int main(void) { if (!f) reach_error(); return 0; }",
        UNKNOWN,
        "`f`, which is weak",
    );
    check(
        "int w __attribute__((weak)) = 3;\nint main(void) { if (!&w) reach_error(); return 0; }",
        SAFE,
        "",
    );
}

/// Who looks at arguments has none but the program's name, and a verdict says so.
#[test]
fn arguments_of_main() {
    let with = |condition: &str| {
        format!("int main(int argc, char **argv) {{ if ({condition}) reach_error(); return 0; }}")
    };
    let assumed = "assumed: main gets no arguments: argc is 1";
    check(&with("argc > 1 && argv[1][0] == 'x'"), SAFE, assumed);
    check(&with("argc > 1 && !argv[1]"), SAFE, assumed);
    check(&with("argc < 0"), SAFE, "");
    check(&with("argc == 3"), UNSAFE, "");
    let again = "int main(int n, char **v) { if (n == 5 && !v) reach_error();\n\
        return n == 1 ? main(5, 0) : 0; }";
    check(again, UNSAFE, "");
}

/// A product that is too large for a size.
#[test]
fn calloc_of_too_much() {
    let fixed = "int main(void) { if (NOT calloc(1ul << 33, 1ul << 31)) reach_error(); return 0; }";
    check(&fixed.replace("NOT", "!"), UNSAFE, "fails natively");
    check(&fixed.replace("NOT", ""), SAFE, "");
    let open = "int main(void) { size_t n = __VERIFIER_nondet_ulong();\n\
        char *p = calloc(n, SIZE); if (p && n > 1ul << 61) reach_error(); return 0; }";
    check(&open.replace("SIZE", "8"), SAFE, "");
    let both = "int main(void) { size_t n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong();\n\
        if (n < 4 || n > 16) return 0; char *p = calloc(m, n);\n\
        if (p && m > 1ul << 62) reach_error(); return 0; }";
    check(both, SAFE, "");
    let usual =
        "int main(void) { int *p = calloc(3, sizeof(int)); if (p[2]) reach_error(); return 0; }";
    check(usual, SAFE, "");
}

/// Classes of characters are bits and not truth values.
#[test]
fn classes_of_characters() {
    let program = "int main(void) { int c = __VERIFIER_nondet_int(); if (c < 0 || c > 255) return 0;\n\
        if (isupper(c) > 1) reach_error(); return 0; }";
    check(program, UNSAFE, "fails natively");
}

/// What the machine does counts, where a native run has all that a test has.
#[test]
fn the_native_run_has_the_last_word() {
    let program = "int main(void) { _Alignas(128) char a[8];\n\
        if ((size_t)a % 128) reach_error(); return 0; }";
    check(program, UNKNOWN, "");
}

/// Implementations differ in what it gives.
#[test]
fn realloc_to_nothing() {
    let program =
        "int main(void) { int *p = malloc(8); if (realloc(p, 0)) reach_error(); return 0; }";
    check(program, UNKNOWN, "size 0");
}

/// Static error functions of the same name in two files are both errors.
#[test]
fn an_error_function_in_each_file() {
    let other = "static void reach_error(void) {}\n\
        void g(int x) { if (x == 123456) reach_error(); }\n";
    let main = "static void reach_error(void) {}\nvoid g(int);\n\
        extern int __VERIFIER_nondet_int(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7 && x == 8) reach_error();\n\
        g(x); return 0; }\n";
    let folder = Folder::with(&[("a.c", main), ("b.c", other)]);
    let ended = folder.attest(&["check", "a.c", "b.c"]);
    assert_eq!(ended.verdict(), UNSAFE, "{ended:?}");
}

/// The library's functions call each other, and not what the program calls by their names.
#[test]
fn names_of_the_library_in_the_program() {
    let program = "long strtol(const char *, char **, int);\n\
        int isdigit(int c) { return 0; } int isspace(int c) { return 1; }\n\
        int main(void) { if (strtol(\"12\", 0, 10) == 12 && !isdigit('1')) reach_error(); return 0; }";
    check(program, UNSAFE, "fails natively");
}

/// What glibc does at the edges.
#[test]
fn edges_of_the_library() {
    let math = "double sqrt(double); double fmin(double, double); long lround(double);\n\
        double copysign(double, double); int __signbit(double); int toupper(int);\n\
        int *__errno_location(void); double __VERIFIER_nondet_double(void);\n\
        char *strtok(char *, const char *);\n";
    let with = |body: &str| format!("{math}int main(void) {{ {body} return 0; }}");
    let errno = "double x = __VERIFIER_nondet_double(); if (x > -1 || x < -9) return 0;\n\
        sqrt(x); if (*__errno_location()) reach_error();";
    check(&with(errno), UNSAFE, "fails natively");
    let zeros = "double x = __VERIFIER_nondet_int() ? 0.0 : -0.0;\n\
        if (__signbit(fmin(0.0, x)) > 128) reach_error();";
    check(&with(zeros), UNKNOWN, "zeros of different signs");
    check(
        &with("if (lround(1e40) < 0) reach_error();"),
        UNKNOWN,
        "too large for an integer",
    );
    check(&with("if (lround(2.5) != 3) reach_error();"), SAFE, "");
    check(
        &with("if (__signbit(-1.0) == 128) reach_error();"),
        UNSAFE,
        "fails natively",
    );
    check(
        &with("if (toupper(-100) == 156) reach_error();"),
        UNSAFE,
        "fails natively",
    );
    let literal = "if (strtok(\"a\", \",\")) reach_error();";
    check(&with(literal), UNSAFE, "fails natively");
}

/// Numbers made of pointers, and of zeros at the end of a number.
#[test]
fn numbers_that_c_leaves_open() {
    let difference = "int main(void) { int a, b; int x = __VERIFIER_nondet_int();\n\
        if (x != 123456) return 0; if ((size_t)&a - (size_t)&b != 0) reach_error(); return 0; }";
    let folder = Folder::with(&[("a.c", &format!("{HEAD}{difference}\n"))]);
    let ended = folder.attest(&["check", "a.c", "--time-limit", "20"]);
    assert_ne!(ended.verdict(), SAFE, "{ended:?}");
    let zeros = "int main(void) { unsigned x = __VERIFIER_nondet_int();\n\
        if (GUARD __builtin_clz(x) != 32) return 0; if (!x) reach_error(); return 0; }";
    let folder = Folder::with(&[("a.c", &format!("{HEAD}{}\n", zeros.replace("GUARD", "")))]);
    let ended = folder.attest(&["check", "a.c", "--time-limit", "20"]);
    assert_ne!(ended.verdict(), SAFE, "{ended:?}");
    let right = "int main(void) { unsigned x = __VERIFIER_nondet_int();\n\
        if (x && __builtin_clz(x) > 31) reach_error(); return 0; }";
    check(right, SAFE, "");
}

/// An array whose size is said elsewhere.
#[test]
fn arrays_of_unknown_size() {
    let program = "extern int table[];\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x != 123456) return 0;\n\
        if (table[1] == 5) reach_error(); return 0; }";
    check(program, UNKNOWN, "");
}
