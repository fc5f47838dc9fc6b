//! Effort: what the engine has done so far, counted and not timed.
//!
//! Techniques share their work by effort, and engines are scheduled by it. It is a sum of
//! counts, weighted so that it is about the time that a machine of 2024 takes. The counts
//! are the same on every machine and however busy it is, so a check takes the same course
//! everywhere; the user's limits of time only end it.

use attest_solver::Solver;
use attest_term::Terms;
use std::time::Duration;

/// Nanoseconds of an interpreted instruction,
const INSTRUCTION: u64 = 20;
/// of a state that is kept or gone back to,
const SNAPSHOT: u64 = 1_600;
/// of a term that is made,
const TERM: u64 = 50;
/// and of one that is visited or asked for again.
const VISIT: u64 = 16;

/// What is counted besides the solver's work and the terms.
#[derive(Default)]
pub(crate) struct Counted {
    /// Interpreted instructions.
    pub instructions: u64,
    /// States that were kept or restored.
    pub snapshots: u64,
    /// The effort of solvers that were made for one call.
    pub other_solvers: Duration,
}

impl Counted {
    /// All work so far, as a time.
    pub fn effort(&self, terms: &Terms, solver: &dyn Solver) -> Duration {
        let made = TERM * terms.len() as u64 + VISIT * terms.work();
        let own = INSTRUCTION * self.instructions + SNAPSHOT * self.snapshots + made;
        Duration::from_nanos(own) + solver.statistics().effort() + self.other_solvers
    }
}
