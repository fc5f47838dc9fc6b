//! Smaller cores: which assumptions of a core can be dropped.
//!
//! A core becomes a predicate (algorithm notes 6.1), and a smaller core is a more general
//! predicate, so shrinking it is worth some solver calls. Each assumption is dropped in turn; if
//! the rest is unsatisfiable, it is the new core, and the core of that answer may drop more at
//! once. An unknown answer keeps the assumption, so the result is unsatisfiable whatever the limits
//! are.

use attest_term::{Term, Terms};

use crate::solver::{Answer, Core, Limits, Solver};

/// A subset of the core that is still a core; minimal unless an answer is unknown.
pub fn minimise_core(
    solver: &mut (impl Solver + ?Sized),
    terms: &Terms,
    core: &[Term],
    limits: &Limits,
) -> Core {
    let mut core = core.to_vec();
    let mut kept = 0;
    while kept < core.len() {
        let mut without = core.clone();
        without.remove(kept);
        match solver.check(terms, &without, limits) {
            // Assumptions that were needed stay needed: every smaller core has them.
            Answer::Unsat(smaller) => {
                let still = |term: &&Term| smaller.contains(term);
                kept = core[..kept].iter().filter(still).count();
                core = smaller;
            }
            Answer::Sat(_) | Answer::Unknown(_) => kept += 1,
        }
    }
    core
}
