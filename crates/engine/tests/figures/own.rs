//! Small programs that no paper has, one for each thing that once went wrong or might.

use crate::{FULL, check, common, decide};
use attest_engine::{Engine, Options, Reason, Strategy, Verdict, race};
use attest_model::{BailKind, Graph};
use std::time::Duration;

#[test]
fn a_value_that_no_random_test_hits() {
    check(
        "own",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x * 3 + 7 == 322) reach_error(); return 0; }",
        "unsafe",
        100,
        &FULL,
    );
    check(
        "own",
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); if (x * 2 == 7u) reach_error(); return 0; }",
        "safe",
        100,
        &FULL,
    );
}

#[test]
fn a_test_deep_in_a_loop() {
    check(
        "own",
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n && i < 40) i++;
         if (i == 37) reach_error(); return 0; }",
        "unsafe",
        100,
        &FULL,
    );
}

#[test]
fn roaming_fills_a_queue() {
    // A dozen puts that each need five answers right, and no clearing between them.
    let source = "int head, level, broken, opened, mode, total;
         int ask(void) { return __VERIFIER_nondet_int(); }
         void put(void) {
           if (!opened || ask() != 4) return;
           if (ask() == 0 || ask() != 0) { total++; return; }
           if (head == 12) { if (!broken) reach_error(); return; }
           head++; }
         int main(void) {
           while (ask())
             switch (ask()) {
             case 1: opened = 1; break;
             case 2: put(); break;
             case 3: head = 0; mode = ask(); break;
             case 4: broken = ask() == 5; level = ask(); break;
             case 5: opened = 0; head = 0; break;
             case 6: level++; break;
             }
           return 0; }";
    let program = common::program(source);
    let graph = Graph::of(&program, Default::default());
    let mut engine = Engine::new(&program, &graph, Options::default(), common::solver());
    engine.start_exploring();
    let verdict = loop {
        if let Some(verdict) = engine.step(Duration::from_secs(3)) {
            break verdict;
        }
    };
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let rounds = engine.statistics().iterations;
    assert!(rounds < 20, "{rounds} rounds");
}

#[test]
fn pointers_alias_only_where_they_do() {
    check("own", "int main(void) { int a = 0, b = 0, c = 0; int *p = &a, *q = &b, *r = __VERIFIER_nondet_int() ? &a : &c;
         *q = 1; *r = 2; if (*q != 1) reach_error(); if (*p == 2 && r != p) reach_error(); return 0; }", "safe", 100, &FULL);
    check("own", "int main(void) { int a = 0, b = 0; int *p = &a, *r = __VERIFIER_nondet_int() == 77 ? &a : &b;
         *r = 2; if (*p == 2) reach_error(); return 0; }", "unsafe", 100, &FULL);
    check(
        "own",
        "int main(void) { int *p = malloc(4), *q = malloc(4); *p = 0; *q = 1; if (*p == 1) reach_error(); return 0; }",
        "safe",
        100,
        &FULL,
    );
}

#[test]
fn memory_is_as_it_was_at_first_wherever_a_pointer_leads() {
    // No predicate over the start says so of every place that `p` may be.
    let program = |otherwise: &str| {
        format!(
            "struct box {{ long other[4]; int *inside; }}; int x;
             int main(void) {{ struct box *p; int full = 0;
               while (__VERIFIER_nondet_int())
                 if (full) {{ {otherwise} full = 0; }}
                 else {{ if (p->inside == &x) reach_error(); p->inside = &x; full = 1; }}
               return 0; }}"
        )
    };
    check("own", &program("p->inside = 0;"), "safe", 100, &FULL);
    check("own", &program(""), "unsafe", 100, &FULL);
}

#[test]
fn a_test_finds_objects_where_runs_have_them() {
    // To the solver `x` may be anywhere; the first test that it makes goes astray.
    let source = "unsigned long __VERIFIER_nondet_ulong(void); int x;
         int main(void) { if ((unsigned long)&x == __VERIFIER_nondet_ulong()) reach_error();
           return 0; }";
    for strategy in FULL {
        let run = decide("own", source, strategy);
        assert_eq!(run.verdict, "unsafe", "{:?}", run.statistics);
        assert!(run.statistics.missed <= 1, "{:?}", run.statistics);
    }
}

#[test]
fn predicates_about_what_lies_behind_an_object() {
    // Preconditions of reads that would be out of bounds mention bytes that no object has.
    check(
        "own",
        "static int stars(const char *f) { int n = 0;
           while (*f) { if (f[0] == '%') { if (f[1] == '*') { n++; f++; } f++; } f++; }
           return n; }
         int main(void) { const char *texts[3] = {\"%d %i\", \"a%s\", \"%%%x\"};
           int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0;
           if (stars(texts[i]) != 0) reach_error(); return 0; }",
        "safe",
        2000,
        &[Strategy::SMASH],
    );
}

#[test]
fn an_uninitialised_variable_counts() {
    check(
        "own",
        "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; if (x != 1) reach_error(); return 0; }",
        "unsafe",
        100,
        &FULL,
    );
}

#[test]
fn calls_and_tables_of_functions() {
    check(
        "own",
        "static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
         int (*f[2])(int) = { up, down };
         int main(void) { int x = 5, i = __VERIFIER_nondet_int() & 1; x = f[i](x); x = f[1 - i](x);
         if (x != 5) reach_error(); return 0; }",
        "safe",
        100,
        &FULL,
    );
}

#[test]
fn what_leaves_the_model_is_unknown() {
    check(
        "own",
        "int missing(void); int main(void) { if (missing()) return 1; return 0; }",
        "unknown",
        100,
        &FULL,
    );
    // A gap that no execution reaches does no harm.
    check(
        "own",
        "int missing(void); int main(void) { int x = 3; if (x > 4) missing(); return 0; }",
        "safe",
        100,
        &FULL,
    );
}

/// What a run elsewhere did is not assumed away, whoever finds the proof.
#[test]
fn what_did_happen_is_not_assumed_away() {
    let source = "int main(void) { int state = 0;
        if (__VERIFIER_nondet_int()) state = 2; if (state == 1) reach_error(); return 0; }";
    let program = common::program(source);
    let graph = Graph::of(&program, Default::default());
    let verdict = |happened: Option<BailKind>| {
        let options = || Options {
            doubt: false,
            ..Options::default()
        };
        let engine = || Engine::new(&program, &graph, options(), common::solver());
        let mut engines = [engine(), engine()];
        if let Some(kind) = happened {
            let what = (kind, "a run".to_owned());
            engines
                .iter_mut()
                .for_each(|engine| engine.refute_assumption(&what));
        }
        race(&mut engines).1
    };
    assert!(matches!(verdict(None), Verdict::Safe(_)));
    let kind = BailKind::OutOfBounds;
    let vetoed = verdict(Some(kind));
    let Verdict::Unknown(Reason::LeavesModel { kind: why, .. }) = vetoed else {
        panic!("{vetoed:?}");
    };
    assert_eq!(why, kind);
    // A way out that proofs have to exclude is no news to them.
    assert!(matches!(
        verdict(Some(BailKind::Recursion)),
        Verdict::Safe(_)
    ));
}

#[test]
fn a_machine_of_states() {
    check("own", "int main(void) { int state = 1, opened = 0, n = 0;
         while (n < 1000) { n++; switch (state) { case 1: opened = 1; state = 2; break;
           case 2: if (!opened) reach_error(); state = 3; break;
           case 3: opened = 0; state = __VERIFIER_nondet_int() ? 1 : 4; break; default: return 0; } } return 0; }", "safe", 100, &FULL);
}
