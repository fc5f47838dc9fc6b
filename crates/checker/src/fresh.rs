//! A solver that begins anew for each question.
//!
//! For questions that have little in common: a solver that keeps what it knows
//! grows with every one of them.

use attest_solver::{Answer, Limits, Solver, Statistics};
use attest_term::{Term, Terms};

/// Makes a solver a question.
pub struct Fresh<F> {
    make: F,
    facts: Vec<Term>,
    statistics: Statistics,
}

impl<S: Solver, F: FnMut() -> S> Fresh<F> {
    /// Solvers made by this function.
    pub fn new(make: F) -> Fresh<F> {
        Fresh {
            make,
            facts: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

impl<S: Solver, F: FnMut() -> S> Solver for Fresh<F> {
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
        self.statistics = solver.statistics();
        match answer {
            // The core is over assumptions, and the new solver was given facts.
            Answer::Unsat(_) => Answer::Unsat(assumptions.to_vec()),
            other => other,
        }
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
