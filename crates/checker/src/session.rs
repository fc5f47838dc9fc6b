//! The solver with what it is asked about, and how a check ends early.

use crate::fresh::Fresh;
use crate::verdict::Failure;
use attest_solver::{Answer, Limits, Reason, Solver, WithFloats};
use attest_term::{Term, Terms};
use rustc_hash::FxHashSet;

/// Conflicts of a search before it is begun anew,
const SHORT: u32 = 5_000;
/// and of the new one.
const LONG: u32 = 50_000;

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
        let answer = self.decide(facts);
        if answer.is_unsat() {
            self.excluded.insert(key);
        }
        answer
    }

    /// A search may go astray among what was asked before, or for no reason: one that takes
    /// long is begun anew by a solver that knows nothing else, and is gone on with only if
    /// that takes longer still.
    fn decide(&mut self, facts: &[Term]) -> Answer {
        let most = self.limits.conflicts.unwrap_or(u32::MAX);
        let within = |conflicts: u32| Limits {
            conflicts: Some(conflicts.min(most)),
            ..self.limits.clone()
        };
        let first = self.solver.check(&self.terms, facts, &within(SHORT));
        if most <= SHORT || !matches!(first, Answer::Unknown(Reason::Conflicts)) {
            return first;
        }
        let mut anew = Fresh::new(WithFloats::new);
        let anew = anew.check(&self.terms, facts, &within(LONG));
        match anew {
            Answer::Unknown(_) => self.solver.check(&self.terms, facts, self.limits),
            answer => answer,
        }
    }
}
