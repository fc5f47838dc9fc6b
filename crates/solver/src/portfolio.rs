//! Two solvers one after the other: the second gets what the first does not decide.
//!
//! Answers are facts about terms, whichever solver finds them, so any order is sound. Each of the
//! two gets the whole time limit: a caller that wants one limit for both halves it.

use std::time::Instant;

use attest_term::{Term, Terms};

use crate::solver::{Answer, Limits, Reason, Solver};
use crate::statistics::Statistics;

/// A solver and optionally a second one for its unknown answers.
pub struct Portfolio<A, B> {
    first: A,
    second: Option<B>,
    statistics: Statistics,
}

impl<A: Solver, B: Solver> Portfolio<A, B> {
    /// Calls `first`, and `second` if the answer is unknown.
    pub fn new(first: A, second: Option<B>) -> Portfolio<A, B> {
        Portfolio {
            first,
            second,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Solver, B: Solver> Solver for Portfolio<A, B> {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        self.first.assert(terms, fact);
        if let Some(second) = &mut self.second {
            second.assert(terms, fact);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let start = Instant::now();
        let mut answer = self.first.check(terms, assumptions, limits);
        if let (Answer::Unknown(reason), Some(second)) = (&answer, &mut self.second)
            && *reason != Reason::Interrupted
        {
            answer = second.check(terms, assumptions, limits);
        }
        self.statistics.count(&answer, start);
        answer
    }

    fn statistics(&self) -> Statistics {
        let own = self.statistics.over(&self.first.statistics());
        match &self.second {
            Some(second) => own.over(&second.statistics()),
            None => own,
        }
    }
}
