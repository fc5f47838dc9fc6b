//! What a run cost, counted from its events.
//!
//! The engine calls [`Statistics::count`] with every event before the watcher
//! sees it, and sets `nodes` and `regions` itself, since those are sizes.

use crate::events::{Cut, Event, ProcedureEvent, Question, Reply};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

/// What a run cost.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Rounds of the main loop.
    pub iterations: u64,
    /// Tests run.
    pub tests: u64,
    /// Nodes of the forest.
    pub nodes: u64,
    /// Regions.
    pub regions: u64,
    /// Solver calls by kind.
    pub questions: BTreeMap<Question, Tally>,
    /// Splits by what made the predicate.
    pub splits: BTreeMap<&'static str, u64>,
    /// Deleted edges by reason; those of splits are not among them.
    pub cuts: BTreeMap<Cut, u64>,
    /// Facts found to hold at their locations, by the technique that made them,
    pub invariants: BTreeMap<&'static str, u64>,
    /// and those of them that the proof has.
    pub needed: BTreeMap<&'static str, u64>,
    /// Tests that did not go where the solver said.
    pub missed: u64,
    /// Witnesses given up at a frontier.
    pub stuck: u64,
    /// What was asked and learnt of procedures.
    pub procedures: BTreeMap<ProcedureEvent, u64>,
}

/// Solver calls of one kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Answered yes.
    pub sat: u64,
    /// Answered no.
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Time of all of them.
    pub time: Duration,
}

impl Tally {
    /// How many there were.
    pub fn count(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }
}

impl AddAssign<&Statistics> for Statistics {
    /// Both together, for the engines of a portfolio.
    fn add_assign(&mut self, other: &Statistics) {
        self.iterations += other.iterations;
        self.tests += other.tests;
        self.nodes += other.nodes;
        self.regions += other.regions;
        self.missed += other.missed;
        self.stuck += other.stuck;
        for (kind, tally) in &other.questions {
            *self.questions.entry(*kind).or_default() += *tally;
        }
        for (maker, count) in &other.invariants {
            *self.invariants.entry(maker).or_default() += count;
        }
        for (maker, count) in &other.needed {
            *self.needed.entry(maker).or_default() += count;
        }
        for (generator, count) in &other.splits {
            *self.splits.entry(generator).or_default() += count;
        }
        for (why, count) in &other.cuts {
            *self.cuts.entry(*why).or_default() += count;
        }
        for (what, count) in &other.procedures {
            *self.procedures.entry(*what).or_default() += count;
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
    }
}

impl Statistics {
    /// Counts an event.
    pub fn count(&mut self, event: &Event) {
        match event {
            Event::Round => self.iterations += 1,
            Event::Test { .. } => self.tests += 1,
            Event::Invariant { maker, .. } => *self.invariants.entry(maker).or_default() += 1,
            Event::Missed(_) => self.missed += 1,
            Event::Stuck { .. } => self.stuck += 1,
            Event::Split { generator, .. } => *self.splits.entry(generator).or_default() += 1,
            Event::Predicate(_) => *self.splits.entry("predicate").or_default() += 1,
            Event::Procedure { what, .. } => *self.procedures.entry(*what).or_default() += 1,
            Event::Cut { why, .. } => *self.cuts.entry(*why).or_default() += 1,
            Event::Question { kind, answer, time } => {
                let tally = self.questions.entry(*kind).or_default();
                match answer {
                    Reply::Sat => tally.sat += 1,
                    Reply::Unsat => tally.unsat += 1,
                    Reply::Unknown => tally.unknown += 1,
                }
                tally.time += *time;
            }
            Event::Frontier { .. } | Event::Conclusion(_) => {}
        }
    }

    /// All solver calls.
    pub fn asked(&self) -> Tally {
        let mut all = Tally::default();
        for tally in self.questions.values() {
            all += *tally;
        }
        all
    }

    /// How often this was done with procedures.
    pub fn did(&self, what: ProcedureEvent) -> u64 {
        self.procedures.get(&what).copied().unwrap_or_default()
    }

    /// All splits.
    pub fn split(&self) -> u64 {
        self.splits.values().sum()
    }

    /// All edges deleted without a split.
    pub fn cut(&self) -> u64 {
        self.cuts.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_tallied_by_kind() {
        let mut statistics = Statistics::default();
        for (kind, answer) in [
            (Question::Frontier, Reply::Sat),
            (Question::Frontier, Reply::Unknown),
            (Question::Local, Reply::Unsat),
        ] {
            statistics.count(&Event::Question {
                kind,
                answer,
                time: Duration::from_millis(2),
            });
        }
        let frontier = statistics.questions[&Question::Frontier];
        assert_eq!((frontier.sat, frontier.unsat, frontier.unknown), (1, 0, 1));
        assert_eq!(statistics.asked().count(), 3);
        assert_eq!(statistics.asked().time, Duration::from_millis(6));
        let mut twice = statistics.clone();
        twice += &statistics;
        assert_eq!(twice.asked().count(), 6);
    }
}
