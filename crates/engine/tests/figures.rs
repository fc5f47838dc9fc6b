//! Programs of the shape of the papers' figures, written anew, with the verdict that each must get.

use attest_engine::{Engine, Options, Statistics, Verdict};
use attest_llvm::clang::{Clang, compile};
use attest_model::{Granularity, Graph, InlineOptions, inline, lower};
use attest_solver::Blaster;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const PRELUDE: &str =
    "void reach_error(void) {} int __VERIFIER_nondet_int(void); void *malloc(unsigned long);\n";

/// The verdict in a word, and what it cost.
fn decide(source: &str, granularity: Granularity) -> (&'static str, Statistics) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file =
        std::env::temp_dir().join(format!("attest-engine-{}-{number}.c", std::process::id()));
    std::fs::write(&file, format!("{PRELUDE}{source}")).expect("a temporary file");
    let clang = Clang::find().expect("clang is installed");
    let text = compile(&clang, &Default::default(), &file);
    std::fs::remove_file(&file).ok();
    let text = text.unwrap_or_else(|e| panic!("{e}"));
    let module = attest_llvm::read_module(&text, "figure.c").unwrap_or_else(|e| panic!("{e}"));
    let program = lower(&module, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let program = inline(
        &program,
        &InlineOptions {
            recursion: 4,
            most_insts: 50_000,
        },
    );
    let graph = Graph::of(&program, granularity);
    let options = Options {
        time: Some(Duration::from_secs(60)),
        granularity,
        self_check: true,
        ..Default::default()
    };
    let mut engine = Engine::new(&program, &graph, options, Box::new(Blaster::new()));
    let word = match engine.run() {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    };
    (word, engine.statistics)
}

#[track_caller]
fn check(source: &str, expect: &str) {
    for granularity in [Granularity::Large, Granularity::Basic] {
        let (verdict, statistics) = decide(source, granularity);
        assert_eq!(
            verdict, expect,
            "{granularity:?}: {statistics:?} of {source}"
        );
        assert_eq!(
            statistics.missed, 0,
            "a test went astray: {granularity:?} of {source}"
        );
    }
}

#[test]
fn a_lock_is_taken_and_released_in_turn() {
    let body = |release: &str| {
        format!(
            "int main(void) {{ int held = 0, before, count = __VERIFIER_nondet_int();
             do {{ if (held) reach_error(); held = 1; before = count;
               if (__VERIFIER_nondet_int()) {{ {release} count++; }} }} while (count != before);
             if (!held) reach_error(); return 0; }}"
        )
    };
    check(&body("held = 0;"), "safe");
    check(&body(""), "unsafe");
}

#[test]
fn a_chain_of_diamonds_is_not_exponential() {
    let diamonds = |n: usize| {
        let steps = "if (__VERIFIER_nondet_int()) s += 2; else s += 4;\n".repeat(n);
        format!("int main(void) {{ unsigned s = 0; {steps} if (s & 1) reach_error(); return 0; }}")
    };
    let mut before = 0;
    for n in [5, 10, 20] {
        let (verdict, statistics) = decide(&diamonds(n), Granularity::Basic);
        assert_eq!(verdict, "safe", "{statistics:?}");
        let queries =
            statistics.frontier_queries + statistics.local_queries + statistics.other_queries;
        assert!(
            before == 0 || queries < before * 4,
            "{queries} queries for {n} diamonds, {before} for half of them"
        );
        before = queries;
    }
}

#[test]
fn a_value_that_no_random_test_hits() {
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x * 3 + 7 == 322) reach_error(); return 0; }",
        "unsafe",
    );
    check(
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); if (x * 2 == 7u) reach_error(); return 0; }",
        "safe",
    );
}

#[test]
fn a_test_deep_in_a_loop() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n && i < 40) i++;
         if (i == 37) reach_error(); return 0; }",
        "unsafe",
    );
}

#[test]
fn pointers_alias_only_where_they_do() {
    check(
        "int main(void) { int a = 0, b = 0, c = 0; int *p = &a, *q = &b, *r = __VERIFIER_nondet_int() ? &a : &c;
         *q = 1; *r = 2; if (*q != 1) reach_error(); if (*p == 2 && r != p) reach_error(); return 0; }",
        "safe",
    );
    check(
        "int main(void) { int a = 0, b = 0; int *p = &a, *r = __VERIFIER_nondet_int() == 77 ? &a : &b;
         *r = 2; if (*p == 2) reach_error(); return 0; }",
        "unsafe",
    );
    check(
        "int main(void) { int *p = malloc(4), *q = malloc(4); *p = 0; *q = 1; if (*p == 1) reach_error(); return 0; }",
        "safe",
    );
}

#[test]
fn an_uninitialised_variable_counts() {
    check(
        "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; if (x != 1) reach_error(); return 0; }",
        "unsafe",
    );
}

#[test]
fn calls_and_tables_of_functions() {
    check(
        "static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
         int (*f[2])(int) = { up, down };
         int main(void) { int x = 5, i = __VERIFIER_nondet_int() & 1; x = f[i](x); x = f[1 - i](x);
         if (x != 5) reach_error(); return 0; }",
        "safe",
    );
}

#[test]
fn what_leaves_the_model_is_unknown() {
    check(
        "int missing(void); int main(void) { if (missing()) return 1; return 0; }",
        "unknown",
    );
    // A gap that no execution reaches does no harm.
    check(
        "int missing(void); int main(void) { int x = 3; if (x > 4) missing(); return 0; }",
        "safe",
    );
}

#[test]
fn a_machine_of_states() {
    check(
        "int main(void) { int state = 1, opened = 0, n = 0;
         while (n < 1000) { n++; switch (state) { case 1: opened = 1; state = 2; break;
           case 2: if (!opened) reach_error(); state = 3; break;
           case 3: opened = 0; state = __VERIFIER_nondet_int() ? 1 : 4; break; default: return 0; } } return 0; }",
        "safe",
    );
}
