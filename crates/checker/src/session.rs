//! The solver with what it is asked about, and how a check ends early.

use crate::verdict::Failure;
use attest_solver::{Answer, Limits, Solver};
use attest_term::{Term, Terms};
use rustc_hash::FxHashSet;

/// Why a check ends early.
pub enum Stop {
    /// An edge was refuted.
    Rejected(Failure),
    /// An edge could be neither confirmed nor refuted.
    Undecided(Failure),
}

/// The solver with what it is asked about.
pub struct Session<'s> {
    /// The arena of the proof's terms.
    pub terms: Terms,
    /// Who answers.
    pub solver: &'s mut dyn Solver,
    /// How long a question may take.
    pub limits: &'s Limits,
    /// Questions so far.
    pub questions: usize,
    /// Facts that cannot all hold, as answers were: the summaries of a function have many
    /// steps in common.
    excluded: FxHashSet<Vec<Term>>,
}

impl<'s> Session<'s> {
    /// Nothing was asked yet.
    pub fn new(terms: Terms, solver: &'s mut dyn Solver, limits: &'s Limits) -> Session<'s> {
        Session {
            terms,
            solver,
            limits,
            questions: 0,
            excluded: FxHashSet::default(),
        }
    }

    /// Whether all of the facts can hold.
    pub fn ask(&mut self, facts: &[Term]) -> Answer {
        let false_fact = |fact: &Term| self.terms.bool_const(*fact) == Some(false);
        if facts.iter().any(false_fact) {
            return Answer::Unsat(Vec::new());
        }
        let mut key = facts.to_vec();
        key.sort_unstable();
        key.dedup();
        if self.excluded.contains(&key) {
            return Answer::Unsat(Vec::new());
        }
        self.questions += 1;
        let answer = self.solver.check(&self.terms, facts, self.limits);
        if answer.is_unsat() {
            self.excluded.insert(key);
        }
        answer
    }
}
