//! SYNERGY (FSE 2006), figures 1, 3, 4, 6, 7, 8 and 9.

use crate::{FULL, check, decide, linear};
use attest_engine::Strategy;

const PAPER: [Strategy; 1] = [Strategy::SYNERGY];

/// Figure 1: a long loop that has nothing to do with the error behind it. A refinement
/// from paths unrolls it; one test goes through it.
#[test]
fn a_long_loop_before_the_error() {
    let source = "int main(void) { int bound = __VERIFIER_nondet_int(), n = 0, sum = 3;
        while (n < 900) { sum = sum + n; n = n + 1; }
        if (bound == -51234) reach_error(); return 0; }";
    check("synergy 1", source, "unsafe", 12, &FULL);
    check("synergy 1", source, "unsafe", 12, &PAPER);
}

/// Figure 3: a lock in a loop that two predicates prove.
#[test]
fn a_lock_is_taken_and_released_in_turn() {
    let body = |release: &str| {
        format!(
            "int main(void) {{ int held = 0, before, count = __VERIFIER_nondet_int();
             do {{ held = 1; before = count;
               if (__VERIFIER_nondet_int()) {{ {release} count++; }} }} while (count != before);
             if (!held) reach_error(); return 0; }}"
        )
    };
    check("synergy 3", &body("held = 0;"), "safe", 50, &FULL);
    check("synergy 3", &body("held = 0;"), "safe", 50, &PAPER);
    let wrong = body("held = 0; if (count == 41) break;");
    check("synergy 3, wrong", &wrong, "unsafe", 50, &FULL);
    check("synergy 3, wrong", &wrong, "unsafe", 50, &PAPER);
}

/// Figure 4: figure 1 with both variables in one array.
#[test]
fn a_long_loop_over_an_array() {
    let source = "int main(void) { int cell[2], n = 0, at = 1;
        cell[0] = __VERIFIER_nondet_int(); cell[at] = 2;
        while (n < 800) { cell[at] = cell[at] + n; n = n + 1; }
        if (cell[0] == -9321) reach_error(); return 0; }";
    check("synergy 4", source, "unsafe", 40, &FULL);
    check("synergy 4", source, "unsafe", 40, &PAPER);
}

/// Figure 6: the graph alone proves it, but the loop has no finite quotient.
#[test]
fn a_loop_without_a_finite_quotient() {
    let source = "int main(void) { int left = __VERIFIER_nondet_int();
        while (left > 2) left = left - 3;
        __VERIFIER_assume(0); reach_error(); return 0; }";
    for strategy in FULL.into_iter().chain(PAPER) {
        let run = decide("synergy 6", source, strategy);
        assert_eq!(run.verdict, "safe");
        assert!(run.iterations() <= 4, "{:?}", run.statistics);
    }
}

/// Figure 7: two conditions that a random test does not meet.
#[test]
fn two_conditions_on_inputs() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x != y) if (3 * x == x + 46) reach_error(); return 0; }";
    check("synergy 7", source, "unsafe", 4, &FULL);
    check("synergy 7", source, "unsafe", 4, &PAPER);
}

/// A lock that is set, and then so many diamonds that have nothing to do with it.
fn diamonds(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        body += &format!("int x{i} = {i};\n");
    }
    for i in 0..n {
        body += &format!("if (__VERIFIER_nondet_int()) x{i} = x{i} + 2; else x{i} = x{i} - 3;\n");
    }
    format!(
        "int main(void) {{ int state = __VERIFIER_nondet_int(); if (state != 6) return 1;
         {body} if (state != 6) reach_error(); return 0; }}"
    )
}

/// Figure 8: linear in the number of diamonds, though the paths are exponentially many.
#[test]
fn a_chain_of_diamonds() {
    for strategy in FULL.into_iter().chain([Strategy::CONTROL]) {
        linear("synergy 8", diamonds, &[25, 50, 100, 200], strategy);
    }
}

/// Figure 8 with the paper's own algorithm, a step for each instruction; each diamond is
/// some ten of them, and every new region's edges are asked about.
#[test]
fn a_chain_of_diamonds_by_synergy() {
    linear("synergy 8", diamonds, &[10, 20, 40, 80], Strategy::SYNERGY);
}

/// Figure 9: exact preconditions never end here; a candidate that the tests suggest does.
/// The paper's algorithm may go on for ever, and is not asked.
#[test]
fn a_loop_that_needs_generalisation() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(), y = 4; if (x != 0) return 1;
        while (y >= 0) y = y + x;
        reach_error(); return 0; }";
    check("synergy 9", source, "safe", 10, &FULL);
}
