//! A solver that starts afresh for each check.
//!
//! It is for checks that have little in common: an incremental solver grows with each of them.

use attest_solver::{Answer, Limits, Solver, Statistics};
use attest_term::{Term, Terms};

/// Makes a solver for each check.
pub struct Fresh<F> {
    make: F,
    facts: Vec<Term>,
    statistics: Statistics,
}

impl<S: Solver, F: FnMut() -> S> Fresh<F> {
    /// Uses the solvers made by this function.
    pub fn new(make: F) -> Fresh<F> {
        Fresh {
            make,
            facts: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

impl<S: Solver, F: FnMut() -> S + Send> Solver for Fresh<F> {
    fn name(&self) -> &'static str {
        "fresh"
    }

    fn assert(&mut self, _terms: &Terms, fact: Term) {
        self.facts.push(fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let mut solver = (self.make)();
        for fact in self.facts.iter().chain(assumptions) {
            solver.assert(terms, *fact);
        }
        let answer = solver.check(terms, &[], limits);
        self.statistics = self.statistics.plus(&solver.statistics());
        match answer {
            // The core is about assumptions, and the new solver got them as facts.
            Answer::Unsat(_) => Answer::Unsat(assumptions.to_vec()),
            other => other,
        }
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
