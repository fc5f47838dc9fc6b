//! The embedded solver, with Z3 for checks with floats.
//!
//! Z3 is loaded at the first float, so programs without floats never wait for it. Without Z3,
//! floats are not decided.

use attest_term::{Term, Terms};

use crate::blaster::Blaster;
use crate::solver::{Answer, Limits, Reason, Solver};
use crate::statistics::Statistics;
use crate::z3::Z3;

/// The embedded solver, and Z3 for terms with floats.
#[derive(Default)]
pub struct WithFloats {
    first: Blaster,
    facts: Vec<Term>,
    /// Z3, if it was searched for and found.
    second: Option<Option<Z3>>,
}

impl WithFloats {
    /// Without any facts.
    pub fn new() -> WithFloats {
        WithFloats::default()
    }
}

impl Solver for WithFloats {
    fn name(&self) -> &'static str {
        "with-floats"
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        self.first.assert(terms, fact);
        self.facts.push(fact);
        if let Some(Some(second)) = &mut self.second {
            second.assert(terms, fact);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let answer = self.first.check(terms, assumptions, limits);
        if !matches!(&answer, Answer::Unknown(Reason::Float)) {
            return answer;
        }
        let facts = &self.facts;
        let second = self.second.get_or_insert_with(|| {
            let mut second = Z3::load().ok()?;
            for fact in facts {
                second.assert(terms, *fact);
            }
            Some(second)
        });
        match second {
            Some(second) => second.check(terms, assumptions, limits),
            None => answer,
        }
    }

    fn statistics(&self) -> Statistics {
        let own = self.first.statistics();
        match &self.second {
            Some(Some(second)) => own.over(&second.statistics()),
            _ => own,
        }
    }
}
