//! Strategies that take turns on one program.
//!
//! No refinement is best everywhere: where control decides, cores close the
//! proof, and where numbers do, candidates from the tests. Engines with
//! different strategies work in turn, each for a slice of time that grows, so
//! the race costs a small factor over the better one. The first that decides
//! ends it. What a test of one of them did, no proof of another may assume away.

use crate::engine::Engine;
use crate::verdict::{Reason, Verdict};
use std::time::Duration;

/// Engines that take turns, over several verdicts: the search may go on after a violation.
pub struct Race {
    given_up: Vec<Option<Reason>>,
    slice: Duration,
    /// The first round is that of head starts.
    round: u32,
    /// Whose turn is next.
    next: usize,
    /// The effort of all together after which the search ends.
    end: Option<Duration>,
}

impl Race {
    /// A race of these engines.
    pub fn of(engines: &[Engine<'_>]) -> Race {
        Race {
            given_up: vec![None; engines.len()],
            slice: engines.first().map_or(Duration::ZERO, Engine::first_slice),
            round: 0,
            next: 0,
            end: None,
        }
    }

    /// Ends the search once all engines together have spent this effort. Slices are cut to what is
    /// left of it: a head start may be half of the whole search.
    pub fn end_at(&mut self, effort: Duration) {
        self.end = Some(effort);
    }

    /// An engine takes no further part, since what it says is not confirmed.
    pub fn give_up(&mut self, engine: usize, why: Reason) {
        self.given_up[engine] = Some(why);
    }

    /// Runs engines in turn until one decides, all have given up, or all together have spent
    /// this effort or that of the end. Gives the number of the engine whose verdict it is.
    pub fn run(&mut self, engines: &mut [Engine<'_>], pause: Option<Duration>) -> (usize, Verdict) {
        loop {
            if let Some(best) = last_word(&self.given_up) {
                return best;
            }
            let spent = || {
                engines
                    .iter()
                    .map(|engine| engine.effort())
                    .sum::<Duration>()
            };
            if [pause, self.end]
                .iter()
                .flatten()
                .any(|most| spent() >= *most)
            {
                return (0, Verdict::Unknown(Reason::Enough));
            }
            let left = self.end.map(|end| end.saturating_sub(spent()));
            let i = self.next;
            let time = match self.round {
                0 => engines[i].head_start(),
                _ => self.slice,
            };
            let time = left.map_or(time, |left| time.min(left));
            self.pass();
            if self.given_up[i].is_some() || time.is_zero() {
                continue;
            }
            match engines[i].step(time) {
                None => {}
                Some(Verdict::Unknown(reason)) => self.given_up[i] = Some(reason),
                Some(verdict) => {
                    // It goes on if the search does.
                    self.next = i;
                    return (i, verdict);
                }
            }
            if let Some(happened) = engines[i].happened().cloned() {
                engines
                    .iter_mut()
                    .for_each(|engine| engine.refute_assumption(&happened));
            }
        }
    }

    /// The turn is the next engine's.
    fn pass(&mut self) {
        self.next += 1;
        if self.next == self.given_up.len() {
            self.next = 0;
            if self.round > 0 {
                self.slice = self.slice.saturating_mul(3) / 2;
            }
            self.round += 1;
        }
    }
}

/// Runs engines in turn until one decides or all have given up. Gives the number of the
/// engine whose verdict it is.
pub fn race(engines: &mut [Engine<'_>]) -> (usize, Verdict) {
    Race::of(engines).run(engines, None)
}

/// When all have given up: the reason that tells the user most.
fn last_word(given_up: &[Option<Reason>]) -> Option<(usize, Verdict)> {
    let mut best: Option<(usize, &Reason)> = None;
    for (i, reason) in given_up.iter().enumerate() {
        let reason = reason.as_ref()?;
        let weight = |reason: &Reason| match reason {
            Reason::Interrupted => 4,
            Reason::LeavesModel { .. } => 3,
            Reason::Time => 2,
            Reason::Size => 1,
            Reason::Stuck(_) | Reason::Enough => 0,
        };
        if best.is_none_or(|(_, b)| weight(reason) > weight(b)) {
            best = Some((i, reason));
        }
    }
    best.map(|(i, reason)| (i, Verdict::Unknown(reason.clone())))
}
