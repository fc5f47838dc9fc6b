//! The solver and the checks so far, and why a check ends early.

use crate::fresh::Fresh;
use crate::verdict::Failure;
use attest_solver::{Answer, Limits, Reason, Solver, WithFloats};
use attest_term::{Term, Terms};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The limit of conflicts of the first search,
const SHORT: u32 = 5_000;
/// and of the second.
const LONG: u32 = 50_000;

/// Why a check ends early.
pub enum Stop {
    /// An edge was refuted.
    Rejected(Box<Failure>),
    /// An edge could be neither confirmed nor refuted.
    Undecided(Box<Failure>),
}

/// The solver and the checks so far.
pub struct Session<'s> {
    /// The arena of the proof's terms.
    pub terms: Terms,
    /// The solver.
    pub solver: &'s mut dyn Solver,
    /// The limits of one check.
    pub limits: &'s Limits,
    /// The number of checks so far.
    pub checks: usize,
    /// The effort of other solvers that it used.
    aside: Duration,
    /// Sets of formulas known to be unsatisfiable: the summaries of a function have many steps in
    /// common.
    excluded: FxHashSet<Vec<Term>>,
}

impl<'s> Session<'s> {
    /// No checks yet.
    pub fn new(terms: Terms, solver: &'s mut dyn Solver, limits: &'s Limits) -> Session<'s> {
        Session {
            terms,
            solver,
            limits,
            checks: 0,
            aside: Duration::ZERO,
            excluded: FxHashSet::default(),
        }
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> Duration {
        self.solver.statistics().effort() + self.aside
    }

    /// Whether all of the formulas can hold.
    pub fn check(&mut self, facts: &[Term]) -> Answer {
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
        self.checks += 1;
        let answer = self.decide(facts);
        if answer.is_unsat() {
            self.excluded.insert(key);
        }
        answer
    }

    /// A search may take long because of earlier checks, or by accident. A long search is restarted
    /// with a new solver, and continues with the first one only if that takes longer still.
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
        let mut fresh = Fresh::new(WithFloats::new);
        let answer = fresh.check(&self.terms, facts, &within(LONG));
        self.aside += fresh.statistics().effort();
        match answer {
            Answer::Unknown(_) => self.solver.check(&self.terms, facts, self.limits),
            answer => answer,
        }
    }
}
