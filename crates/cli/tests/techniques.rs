//! Techniques by what they change from outside: programs that need them, and options.

mod common;

use common::{Ended, Folder};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// The check of a text.
fn check(body: &str, options: &[&str]) -> Ended {
    let text = format!("{HEAD}{body}");
    let mut all = vec!["check", "a.c"];
    all.extend(options);
    Folder::with(&[("a.c", &text)]).attest(&all)
}

/// Choices and loops between the uses of a flag that do not matter to it; the flag itself
/// does, and one of the choices sets it.
const PROTECTED: &str = "int locked;\n\
    static void acquire(void) { if (locked) reach_error(); locked = 1; }\n\
    static void release(void) { if (!locked) reach_error(); locked = 0; }\n\
    int main(void) {\n\
      int x = __VERIFIER_nondet_int(), protect = 1, sum = 0;\n\
      if (x > 0) protect = 0;\n\
      if (protect) acquire();\n\
      for (int i = 0; i < 1000; i++) sum += x;\n\
      if (protect) release();\n\
      return sum;\n\
    }\n";

/// Branches that no event depends on go either way, and the proof is one of the program.
#[test]
fn irrelevant_branches_are_left_open() {
    for algorithm in ["full", "smash", "lctd"] {
        let ended = check(PROTECTED, &["--with", "cd", "--algorithm", algorithm]);
        assert_eq!(ended.verdict(), "verdict: safe", "{algorithm}: {ended:?}");
        assert!(ended.stdout.contains("accepted"), "{ended:?}");
    }
}

/// What fails only with a branch left open does not fail: the branch is put back.
#[test]
fn branches_on_the_way_to_a_failure_are_put_back() {
    let indirect = "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n\
        if (x == x + 1) y = 0;\n\
        if (!y) reach_error(); return 0; }\n";
    let ended = check(indirect, &["--with", "cd"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let fails = "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n\
        if (x * 3 == 14133) y = 0;\n\
        if (!y) reach_error(); return 0; }\n";
    let ended = check(fails, &["--with", "cd"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    assert!(ended.stdout.contains("fails natively"), "{ended:?}");
}

/// The condition of a step is left out of a predicate where the rest will do.
#[test]
fn conditions_that_do_not_matter_are_left_out() {
    let body = "int state;\n\
        int main(void) { int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();\n\
        state = 1; if (i > 10) k++; if (k > 10) i++; if (i < k) i = k;\n\
        if (state != 1) reach_error(); return i; }\n";
    let options = ["--algorithm", "dash", "--with", "sp", "--stats"];
    let with = check(body, &options);
    assert_eq!(with.verdict(), "verdict: safe", "{with:?}");
    assert!(with.stdout.contains("sp "), "{with:?}");
    let without = check(body, &["--algorithm", "dash", "--stats"]);
    assert_eq!(without.verdict(), "verdict: safe", "{without:?}");
    assert!(!without.stdout.contains(" sp "), "{without:?}");
}

/// Only what is there for comparison can be switched on, and only the usual off.
#[test]
fn what_can_be_switched() {
    for (options, says) in [
        (["--with", "cores"], "these can be switched on: sp, cd"),
        (["--without", "sp"], "the techniques are initial"),
    ] {
        let ended = check("int main(void) { return 0; }\n", &options);
        assert_eq!(ended.status, 1, "{ended:?}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    }
}

/// A proof that needs that nothing overflows is said to, where that is all that is missing.
#[test]
fn what_overflow_would_give() {
    let body = "int main(void) { int x = -50, y = __VERIFIER_nondet_int();\n\
        if (y <= -1000 || y >= 1000000) return 0;\n\
        while (x < 0) { x = x + y; y++; }\n\
        if (y <= 0) reach_error(); return 0; }\n";
    let ended = check(body, &["--time-limit", "30"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(
        ended.stdout.contains("--overflow assume gives safe"),
        "{ended:?}"
    );
    let assumed = check(body, &["--overflow", "assume", "--time-limit", "60"]);
    assert_eq!(assumed.verdict(), "verdict: safe", "{assumed:?}");
}

/// A fact about every element of an array, from the loop that writes them to the one that
/// reads them, in a proof that the checker's own program accepts.
#[test]
fn every_element_of_an_array() {
    let body = "int a[1000];\n\
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;\n\
        for (int i = 0; i < n; i++) a[i] = 7;\n\
        for (int i = 0; i < n; i++) if (a[i] != 7) reach_error();\n\
        return 0; }\n";
    let text = format!("{HEAD}{body}");
    let folder = Folder::with(&[("a.c", &text)]);
    let ended = folder.attest(&["check", "a.c", "--proof", "a.proof", "--stats"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let needed = ended.stdout.lines().find(|l| l.contains("in the proof"));
    assert!(needed.is_some_and(|l| l.contains("arrays")), "{ended:?}");
    let proof = std::fs::read_to_string(folder.path("a.proof")).expect("a proof");
    assert!(proof.contains("forall"), "{proof}");
    let without = folder.attest(&["check", "a.c", "--without", "arrays", "--time-limit", "5"]);
    assert_eq!(without.status, 5, "{without:?}");
}

/// An inequality whose factors are nowhere in the program: Z3's Spacer finds it over the
/// integers, and it holds over bit vectors too.
#[test]
fn spacer_finds_what_no_template_has() {
    let body = "int main(void) { int x = 0, z = 0;\n\
        while (__VERIFIER_nondet_int() && x < 10000) {\n\
          x++; z += 5; if (__VERIFIER_nondet_int()) z += 1;\n\
        }\n\
        while (x > 0) { x--; z -= 3; }\n\
        if (z < 0) reach_error(); return 0; }\n";
    let ended = check(body, &["--time-limit", "60", "--stats"]);
    if ended.stdout.contains("not there") {
        // Without Z3 only its guesses are missing, and that is said.
        assert!(ended.stdout.contains("libz3"), "{ended:?}");
        return;
    }
    let answers = |line: &&str| line.trim_start().starts_with("horn");
    let answers = ended.stdout.lines().find(answers).unwrap_or_default();
    let sat = answers.split_whitespace().nth(2);
    if sat == Some("0") {
        // A Z3 of years ago does not find it.
        return;
    }
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let needed = ended.stdout.lines().find(|l| l.contains("in the proof"));
    assert!(needed.is_some_and(|l| l.contains("spacer")), "{ended:?}");
    let without = check(body, &["--without", "spacer", "--time-limit", "6"]);
    assert_eq!(without.status, 5, "{without:?}");
}

/// Code behind a pointer that is null each time never runs; that is no proof that it is right.
#[test]
fn what_is_behind_a_certain_null_dereference_is_not_safe() {
    let body = "extern void *calloc(unsigned long, unsigned long);\n\
        struct inner { int n; }; struct outer { long pad; struct inner *in; };\n\
        static int held;\n\
        static int probe(struct outer *o) {\n\
          struct inner *in = o->in; if (in->n != 1) return -1; held = 1; return -2; }\n\
        int main(void) { struct outer *o = calloc(1, sizeof *o); if (!o) return 0;\n\
        for (;;) { int c = __VERIFIER_nondet_int();\n\
          if (c == 0) probe(o); else if (c == 1) break; }\n\
        if (held) reach_error(); return 0; }\n";
    let apart: &[&str] = &["--time-limit", "60", "--algorithm", "smash", "--apart"];
    for options in [&["--time-limit", "60"], apart] {
        let ended = check(body, options);
        assert_eq!(ended.status, 5, "{ended:?}");
        assert!(ended.verdict().contains("null-dereference"), "{ended:?}");
    }
    // Where some executions get past it there is a proof.
    let set = body.replace(
        "for (;;)",
        "static struct inner i; if (__VERIFIER_nondet_int()) o->in = &i;\nfor (;;)",
    );
    let ended = check(&set, &["--time-limit", "60"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
}

/// A proof takes more as reached than is: code that it finds to end for certain, in a place to
/// which no test comes, is no reason to doubt it where the same code gets past elsewhere.
#[test]
fn what_no_test_came_to_is_no_certain_end() {
    let body = "struct node { int n; struct node *next; };\n\
        static struct node a, b; static struct node *head;\n\
        static void push(struct node *n) { head->next = n; }\n\
        int main(void) { unsigned n = __VERIFIER_nondet_int(), k = n * n;\n\
        while (__VERIFIER_nondet_int()) {\n\
          if (head != 0) reach_error();\n\
          if ((k & 3) == 2) push(&a); }\n\
        head = __VERIFIER_nondet_int() ? &b : 0;\n\
        while (__VERIFIER_nondet_int()) k++;\n\
        push(&a); return 0; }\n";
    let ended = check(body, &["--time-limit", "60"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    // One that a test comes to is.
    let met = body.replace("== 2", "== 1");
    let ended = check(&met, &["--time-limit", "60"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(ended.verdict().contains("null-dereference"), "{ended:?}");
}

/// A callee that never returns needs no summary to say so.
#[test]
fn procedures_that_do_not_return() {
    let body = "static void fail(void) { reach_error(); }\n\
        static void lock(int *a) { if (*a == 1) fail(); *a = 1; }\n\
        static void unlock(int *b) { if (*b != 1) fail(); *b = 0; }\n\
        int main(void) { int m = 0; lock(&m); unlock(&m); return 0; }\n";
    let ended = check(body, &["--algorithm", "smash", "--apart"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
}

/// Inline assembly is part of proofs and of failing tests.
#[test]
#[cfg(target_arch = "x86_64")]
fn assembly_in_proofs_and_tests() {
    let body = "static int test_and_set(int nr, unsigned long *words) { int old;\n\
        __asm__ volatile(\"lock; bts %2,%1\\n\\tsbb %0,%0\"\n\
          : \"=r\"(old), \"+m\"(*(volatile long *)words) : \"Ir\"(nr) : \"memory\");\n\
        return old; }\n\
        int main(void) { unsigned long words[2] = {0, 4}; int n = __VERIFIER_nondet_int();\n\
        if (n < 0 || n > 127) return 0;\n\
        if (test_and_set(n, words) && n != 66) reach_error();\n\
        if (!(words[n / 64] >> n % 64 & 1)) reach_error();\n\
        return 0; }\n";
    let ended = check(body, &["--time-limit", "60"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let wrong = check(&body.replace("n != 66", "n != 65"), &["--time-limit", "60"]);
    assert_eq!(wrong.verdict(), "verdict: unsafe", "{wrong:?}");
    let natively = wrong.stdout.contains("the test fails natively");
    assert!(natively, "{wrong:?}");
}
