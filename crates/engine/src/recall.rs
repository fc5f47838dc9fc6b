//! What an engine learnt, to be kept, and what was kept, to be known again.
//!
//! Summaries are true of a function's code wherever it is called, so that they
//! outlive a run. Whoever brings them back has checked them.

use crate::certificate;
use crate::contracts::given_name;
use crate::engine::Engine;
use crate::procedures::{Summary, ghost_name};
use crate::techniques::Technique;
use attest_model::FnId;
use std::time::Duration;

/// A summary with what must be known of it to use it again.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// Its number, by which others use it.
    pub number: usize,
    /// Whether it is a contract, which is used at every call.
    pub contract: bool,
    /// The summary, its ghosts named after its number.
    pub summary: Summary,
}

impl Engine<'_> {
    /// Makes the symbols of a function's state, for terms that are to be read.
    pub fn speak_of(&mut self, function: FnId) {
        self.core.names_of(function);
    }

    /// It gets so much time in a race before the others.
    pub fn start_first(&mut self, time: Duration) {
        self.core.options.head_start = time;
    }

    /// The time that it gets before the others.
    pub fn head_start(&self) -> Duration {
        self.core.options.head_start
    }

    /// It is the one whose tests branch at loops; one engine of several is enough.
    pub fn start_roaming(&mut self) {
        self.core.testing.roams =
            self.core.options.uses(Technique::Roaming) && !self.core.options.is_of_papers();
    }

    /// All summaries that were found.
    pub fn learnt(&mut self) -> Vec<Learnt> {
        let numbers = 0..self.core.smash.summaries.len();
        let learnt = |number| Learnt {
            number,
            contract: self.core.smash.contracts.contains(&number),
            summary: certificate::named(&mut self.core, number),
        };
        numbers.map(learnt).collect()
    }

    /// Takes over summaries that were found earlier and are true; a use in one of them is
    /// of the one with that number. Nothing must have been asked yet.
    pub fn recall(&mut self, all: Vec<Learnt>) {
        let numbers: Vec<usize> = all.iter().map(|known| known.number).collect();
        let first = self.core.smash.summaries.len();
        for known in all {
            let function = known.summary.function;
            let mut summary = match known.contract {
                true => certificate::with_ghosts(&mut self.core, known.summary, |i, _| {
                    given_name(function, i)
                }),
                false => certificate::with_ghosts(&mut self.core, known.summary, ghost_name),
            };
            for used in &mut summary.uses {
                let at = numbers.iter().position(|n| *n == used.summary);
                used.summary = first + at.unwrap_or_default();
            }
            if known.contract {
                self.core
                    .smash
                    .contracts
                    .push(self.core.smash.summaries.len());
            }
            self.core.smash.summaries.push(summary);
        }
    }
}
