//! Replay files: every check as an SMT-LIB script that any solver can run.
//!
//! A wrapper writes `000001.smt2` etc. into a folder, with the answer and its cost as a comment and
//! as the expected status. If a file cannot be written, [`Recorded::error`] reports it; answers
//! never change.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use attest_term::{Term, Terms};

use crate::solver::{Answer, Limits, Solver};
use crate::statistics::Statistics;

/// A solver whose checks are written to files.
pub struct Recorded<S> {
    solver: S,
    folder: PathBuf,
    facts: Vec<Term>,
    count: u64,
    error: Option<io::Error>,
}

impl<S: Solver> Recorded<S> {
    /// Writes the checks of a solver into a folder, which is created if needed.
    pub fn new(solver: S, folder: &Path) -> io::Result<Recorded<S>> {
        std::fs::create_dir_all(folder)?;
        Ok(Recorded {
            solver,
            folder: folder.to_owned(),
            facts: Vec::new(),
            count: 0,
            error: None,
        })
    }

    /// The first error in writing, if there was one.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    fn write(&mut self, terms: &Terms, assumptions: &[Term], answer: &Answer, start: Instant) {
        let all = [&self.facts[..], assumptions].concat();
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let text = format!(
            "; {} said {answer} in {:.3?}; {} facts, then {} assumptions\n\
             (set-info :status {status})\n{}",
            self.solver.name(),
            start.elapsed(),
            self.facts.len(),
            assumptions.len(),
            terms.to_smtlib_script(&all)
        );
        let file = self.folder.join(format!("{:06}.smt2", self.count));
        if let Err(error) = std::fs::write(file, text) {
            self.error.get_or_insert(error);
        }
    }
}

impl<S: Solver> Solver for Recorded<S> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        self.facts.push(fact);
        self.solver.assert(terms, fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let start = Instant::now();
        let answer = self.solver.check(terms, assumptions, limits);
        self.count += 1;
        self.write(terms, assumptions, &answer, start);
        answer
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}
