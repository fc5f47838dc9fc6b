//! Leaks: proofs that no heap object is left where a program ends, which the checker accepts, and
//! tests that end with one. The engine knows of neither: the count is a variable like others.

mod common;

use attest_checker::CheckResult;
use attest_engine::{Engine, Options, Strategy, Verdict};
use attest_model::{BailKind, Checks, Class, Graph, InlineOptions, Leaks, Partial, inline};
use common::Source;
use std::time::Duration;

const APART: InlineOptions = InlineOptions {
    partial: Some(Partial {
        small: 0,
        once: 0,
        growth: 1,
    }),
    ..common::INLINING
};

/// The verdict, `left` if a test ends with memory that is not freed.
fn decide(source: &str, strategy: Strategy, inlining: &InlineOptions) -> &'static str {
    let source = Source::new(source);
    let options = attest_model::Options {
        leaks: Leaks::Ends,
        ..Default::default()
    };
    let program = inline(&source.lowered(&options), inlining);
    let graph = Graph::of(&program, strategy.granularity);
    let options = Options {
        strategy,
        most_effort: Some(Duration::from_secs(120)),
        query_effort: common::PATIENCE,
        checks: Checks::of(&Class::ALL),
        self_check: true,
        ..Default::default()
    };
    let mut engine = Engine::new(&program, &graph, options, common::solver());
    match engine.run() {
        Verdict::Safe(proof) => {
            assert!(!proof.assumed.contains(&BailKind::NotFreed));
            let terms = engine.terms();
            let written = common::written_of(&source, inlining, &program, &graph, terms, &proof);
            let result = common::checked(&program, &graph, &written);
            assert!(matches!(result, CheckResult::Accepted(_)), "{result:?}");
            "safe"
        }
        Verdict::Unsafe(test) if test.check.kind == Some(BailKind::NotFreed) => "left",
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check(source: &str, expect: &str) {
    let source = &format!("void free(void *), exit(int);\n{source}");
    assert_eq!(
        decide(source, Strategy::DATA, &common::INLINING),
        expect,
        "{source}"
    );
    assert_eq!(
        decide(source, Strategy::SMASH, &APART),
        expect,
        "one procedure at a time: {source}"
    );
}

#[test]
fn a_loop_that_allocates_and_frees() {
    let source = "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) { \
        int *p = malloc(4); *p = i; FREE } return 0; }";
    check(&source.replace("FREE", "free(p);"), "safe");
    check(&source.replace("FREE", "if (i != 7) free(p);"), "left");
}

#[test]
fn one_input_leaks() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(); int *p = malloc(4); \
        if (!p) return 1; *p = x; if (x COND) p = 0; free(p); return 0; }";
    check(&source.replace("COND", "== 123456789"), "left");
    check(&source.replace("COND", "!= x"), "safe");
}

#[test]
fn memory_that_is_made_on_some_paths_only() {
    let source = "int *make(int want) { if (want > 3) return malloc(4); return 0; } \
        void drop(int *p) { if (p) free(p); } \
        int main(void) { int x = __VERIFIER_nondet_int(), *p = make(x); int *q = make(x + COND); \
        if (x > 3) *p = 1; if (p) { *p = 2; drop(q); } drop(p); return 0; }";
    check(&source.replace("COND", "0"), "safe");
    check(&source.replace("COND", "1"), "left");
}

#[test]
fn the_program_ends_inside_a_call() {
    let source = "int *g; void stop(int x) { if (x == 4711) { FREE exit(1); } } \
        int main(void) { g = malloc(4); stop(__VERIFIER_nondet_int()); free(g); return 0; }";
    check(&source.replace("FREE", "free(g);"), "safe");
    check(&source.replace("FREE", ""), "left");
}
