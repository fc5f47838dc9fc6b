//! The Aalto thesis (2013), figures 2.3, 3.4, 4.2 and 5.2, and table 5.3.

use crate::{FULL, check, decide};
use attest_engine::Strategy;

const PAPER: [Strategy; 2] = [Strategy::DASH, Strategy::LCTD];

/// Figure 2.3: the running example of abstraction refinement.
#[test]
fn two_counters_that_meet_at_the_head_only() {
    let source = "int main(void) { int a = 6, b = a;
        while (a == b) { a = a + 2; if (a == b) reach_error(); b = __VERIFIER_nondet_int(); }
        return 0; }";
    check("thesis 2.3", source, "safe", 20, &FULL);
    check("thesis 2.3", source, "safe", 20, &PAPER);
}

/// Figure 3.4: the running example of DASH.
#[test]
fn a_difference_that_is_not_zero() {
    let source = |least: i32| {
        format!(
            "int main(void) {{ int x = __VERIFIER_nondet_int();
             if (x > {least}) {{ x = x - 35; if (x == 0) reach_error(); }} return 0; }}"
        )
    };
    check("thesis 3.4", &source(35), "safe", 12, &FULL);
    check("thesis 3.4", &source(35), "safe", 12, &PAPER);
    check("thesis 3.4, wrong", &source(34), "unsafe", 12, &FULL);
    check("thesis 3.4, wrong", &source(34), "unsafe", 12, &PAPER);
}

/// Figure 4.2: a conversion to a narrower type.
#[test]
fn a_narrow_copy() {
    let source = |wide: &str| {
        format!(
            "int whole; int main(void) {{ whole = __VERIFIER_nondet_int(); {wide}
             signed char part = whole;
             while (part != 0) {{ if (whole == part) reach_error(); ++part; }} return 0; }}"
        )
    };
    check("thesis 4.2", &source(""), "unsafe", 12, &FULL);
    check("thesis 4.2", &source(""), "unsafe", 12, &PAPER);
    check(
        "thesis 4.2, wide",
        &source("if (whole < 300) return 0;"),
        "safe",
        12,
        &FULL,
    );
}

/// Figure 5.2: diamonds that have nothing to do with the check behind them. What is
/// checked holds by itself (no square is 3 modulo 4), as the constant lock of the figure
/// does; the choices are made first, so that the diamonds' conditions are in the state.
fn diamonds(n: usize) -> String {
    let (mut choices, mut body) = (String::new(), String::new());
    for i in 0..n {
        choices += &format!("int c{i} = __VERIFIER_nondet_int();\n");
        body += &format!("if (c{i} > 0) x = x + 4; else spare = spare + 4;\n");
    }
    format!(
        "int spare; int main(void) {{ unsigned held = __VERIFIER_nondet_int(), x = 0;
         {choices} {body} if ((held * held) % 4 == 3) reach_error(); return 0; }}"
    )
}

/// Table 5.3: with the check for unsatisfiable targets there are far fewer iterations, and
/// they grow with the diamonds and not with their paths.
#[test]
fn unsatisfiable_targets_win_by_ten() {
    let runs = [3, 6].map(|n| PAPER.map(|s| decide(&format!("thesis 5.2, {n}"), &diamonds(n), s)));
    for run in runs.iter().flatten() {
        assert_eq!(run.verdict, "safe", "{:?}", run.statistics);
        assert_eq!(run.statistics.missed, 0);
    }
    let [small, large] = runs.map(|both| both.map(|run| run.iterations()));
    assert!(large[0] >= 10 * large[1], "{large:?}");
    assert!(large[0] >= 4 * small[0], "plain DASH: {small:?}, {large:?}");
    assert!(large[1] <= 2 * small[1] + 2, "LCT-D: {small:?}, {large:?}");
    check("thesis 5.2, 6", &diamonds(6), "safe", 6, &FULL);
}
