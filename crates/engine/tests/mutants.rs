//! Faults put into the engine on purpose. Each must be noticed: by the engine's own checks,
//! by the independent checker, by a wrong verdict, or by a test that goes astray.

mod common;

use attest_checker::CheckResult;
use attest_engine::{Engine, Options, Strategy, Verdict};
use attest_exec::mutants::{Mutant, with};
use attest_model::{BailKind, Checks, Class, Granularity, Graph, Program};
use common::{Source, at, checked, solver, written};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A program of the suite: what it is, its code, what it is in truth, and how it is run.
struct Subject {
    name: &'static str,
    code: &'static str,
    safe: bool,
    strategy: Strategy,
}

const DATA: Strategy = Strategy::DATA;
const CONTROL: Strategy = Strategy::CONTROL;

const SUITE: &[Subject] = &[
    Subject {
        name: "a value to be found",
        code: "int main(void) { int x = __VERIFIER_nondet_int();
               if (x * 3 + 7 == 322) reach_error(); return 0; }",
        safe: false,
        strategy: CONTROL,
    },
    Subject {
        name: "a float to be found",
        code: "int main(void) { double d = __VERIFIER_nondet_double();
               if (d * 2.0 == 5.0) reach_error(); return 0; }",
        safe: false,
        strategy: CONTROL,
    },
    Subject {
        name: "a choice",
        code: "int main(void) { int k = __VERIFIER_nondet_int(), x = k > 10 ? k + 5 : 7;
               if (x == 70123) reach_error(); return 0; }",
        safe: false,
        strategy: at(CONTROL, Granularity::Basic),
    },
    Subject {
        name: "an odd sum",
        code: "int main(void) { unsigned s = 1, k = __VERIFIER_nondet_int(); if (k == 3) return 0;
               while (__VERIFIER_nondet_int()) s = s + 2u * (unsigned)__VERIFIER_nondet_int();
               if (s == 7 && k == 3) reach_error(); return 0; }",
        safe: true,
        strategy: Strategy::DASH,
    },
    Subject {
        name: "two ways to the error",
        code: "int main(void) { unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
               if (x == 77123) goto both;
               if (y == 5123) goto first;
               return 0;
               both: if (y == 3) goto first; else goto second;
               first: if (x * x % 4 == 3) reach_error(); return 0;
               second: if (x * x % 4 == 3) { if (y == 9) reach_error(); } return 0; }",
        safe: true,
        strategy: Strategy::DASH,
    },
    Subject {
        name: "diamonds",
        code: "int main(void) { int k = __VERIFIER_nondet_int(), x = 0; if (k != 6) return 0;
               if (__VERIFIER_nondet_int()) x = 1; else x = 2;
               if (__VERIFIER_nondet_int()) x += 3; else x += 4;
               if (k != 6 || x > 6) reach_error(); return 0; }",
        safe: true,
        strategy: Strategy::DASH,
    },
    Subject {
        name: "a lock",
        code: "int main(void) { int held = 0, before, count = __VERIFIER_nondet_int();
               do { if (held) reach_error(); held = 1; before = count;
                 if (__VERIFIER_nondet_int()) { held = 0; count++; } } while (count != before);
               if (!held) reach_error(); return 0; }",
        safe: true,
        strategy: CONTROL,
    },
    Subject {
        name: "a late value",
        code: "int main(void) { int n = 0, x = __VERIFIER_nondet_int();
               while (n < 3) n++; if (x == 77123) reach_error(); return 0; }",
        safe: false,
        strategy: DATA,
    },
    Subject {
        name: "a late value, in blocks",
        code: "int main(void) { int x = __VERIFIER_nondet_int(), y = x - 5;
               if (x < 900) return 0; x = x + 1;
               if (y == 8000) { if (x == 8006) reach_error(); } return 0; }",
        safe: false,
        strategy: at(CONTROL, Granularity::Basic),
    },
    Subject {
        name: "below zero",
        code: "int main(void) { int x = __VERIFIER_nondet_int();
               if (x < -70000) { if (x > -70003) reach_error(); } return 0; }",
        safe: false,
        strategy: at(CONTROL, Granularity::Basic),
    },
    Subject {
        name: "a bound",
        code:
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 50) return 0;
               while (i < n) i++; if (i != n) reach_error(); return 0; }",
        safe: true,
        strategy: DATA,
    },
    Subject {
        name: "two counters",
        code: "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 5, k = 0;
               if (n < 0 || n > 100000) return 0;
               while (i < n) { i++; j += 2; k += 3; }
               while (i > 0) { i--; j -= 2; k -= 3; }
               if (j != 5 || k != 0) reach_error(); return 0; }",
        safe: true,
        strategy: DATA,
    },
    Subject {
        name: "pointers",
        code: "int one, two; int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
               int *p = __VERIFIER_nondet_int() ? &one : &two;
               int *q = __VERIFIER_nondet_int() ? &one : &two; if (p == q) return 0;
               *q = x; *p = y; if (*q < x) reach_error(); return 0; }",
        safe: true,
        strategy: Strategy::LCTD,
    },
    Subject {
        name: "pointers that meet",
        code: "int one, two; int main(void) { int *p = __VERIFIER_nondet_int() == 9 ? &one : &two;
               one = 4; *p = 8; if (one == 8) reach_error(); return 0; }",
        safe: false,
        strategy: Strategy::LCTD,
    },
    Subject {
        name: "a table",
        code: "int main(void) { int t[4] = {0, 0, 0, 0}; unsigned i = __VERIFIER_nondet_int();
               if (i > 3) return 0; t[i] = 7; if (t[2] == 7 && i != 2) reach_error();
               if (t[3] == 7 && __VERIFIER_nondet_int() == 4242) reach_error(); return 0; }",
        safe: false,
        strategy: at(CONTROL, Granularity::Basic),
    },
    Subject {
        name: "states",
        code: "int main(void) { int state = 1, opened = 0, n = 0;
               while (n < 1000) { n++; switch (state) { case 1: opened = 1; state = 2; break;
                 case 2: if (!opened) reach_error(); state = 3; break;
                 case 3: opened = 0; state = __VERIFIER_nondet_int() ? 1 : 4; break;
                 default: return 0; } } return 0; }",
        safe: true,
        strategy: at(CONTROL, Granularity::Basic),
    },
    Subject {
        name: "a use after the end",
        code: "void free(void *); int main(void) { int x = __VERIFIER_nondet_int();
               int *p = malloc(4); if (x == 77123) free(p); *p = 1; return 0; }",
        safe: false,
        strategy: DATA,
    },
    Subject {
        name: "a second end",
        code: "void free(void *); int main(void) { int x = __VERIFIER_nondet_int();
               int *p = malloc(4); if (x == 77123) free(p); free(p); return 0; }",
        safe: false,
        strategy: DATA,
    },
];

/// What notices that something is wrong with a run, if anything does.
fn noticed(subject: &Subject, source: &Source, program: &Program) -> Option<String> {
    let graph = Graph::of(program, subject.strategy.granularity);
    let checks = Checks::of(&[Class::Assert, Class::Memory]);
    let options = Options {
        strategy: subject.strategy,
        assumed: [&checks.others()[..], &[BailKind::PtrOrder]].concat(),
        checks,
        most_effort: Some(Duration::from_secs(4)),
        self_check: true,
        ..Default::default()
    };
    let run = catch_unwind(AssertUnwindSafe(|| {
        let mut engine = Engine::new(program, &graph, options, solver());
        let verdict = engine.run();
        let proof = match &verdict {
            Verdict::Safe(proof) => Some(written(source, program, &graph, engine.terms(), proof)),
            _ => None,
        };
        (verdict, proof, engine.statistics().clone())
    }));
    let (verdict, proof, statistics) = match run {
        Ok(run) => run,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            let words: String = words.unwrap_or_default().chars().take(40).collect();
            return Some(format!("the self-check: {words}"));
        }
    };
    if let Some(proof) = proof {
        // With the mutant gone: the checker is another program.
        let result = with(None, || checked(program, &graph, &proof));
        if !matches!(result, CheckResult::Accepted(_)) {
            return Some("the checker".to_owned());
        }
    }
    if std::env::var("MUTANTS_DEBUG").is_ok() {
        println!(
            "    {}: {} {statistics:?}",
            subject.name,
            common::word(&verdict)
        );
    }
    match verdict {
        Verdict::Safe(_) if !subject.safe => return Some("the verdict: safe".to_owned()),
        Verdict::Unsafe(_) if subject.safe => return Some("the verdict: unsafe".to_owned()),
        _ => {}
    }
    (statistics.missed > 0).then(|| "a test that went astray".to_owned())
}

#[test]
fn every_mutant_is_noticed() {
    let suite: Vec<(&Subject, Source, Program)> = SUITE
        .iter()
        .map(|subject| {
            let source = Source::new(subject.code);
            let program = source.load();
            (subject, source, program)
        })
        .collect();
    for (subject, source, program) in &suite {
        let by = noticed(subject, source, program);
        assert_eq!(by, None, "{}, and there is no mutant", subject.name);
    }
    // Panics are what is looked for here; they need no words of their own.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut escaped = Vec::new();
    for mutant in Mutant::ALL {
        let found = suite.iter().find_map(|(subject, source, program)| {
            let by = with(Some(mutant), || noticed(subject, source, program))?;
            Some((subject.name, by))
        });
        match found {
            Some((name, by)) => println!("{:<26} {name:<24} {by}", format!("{mutant:?}")),
            None => {
                println!("{:<26} escaped", format!("{mutant:?}"));
                escaped.push(mutant);
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(escaped.is_empty(), "{escaped:?} were not noticed");
}
