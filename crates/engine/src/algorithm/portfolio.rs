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

/// The first slice.
const SLICE: Duration = Duration::from_millis(400);

/// Runs engines in turn until one decides or all have given up. Gives the number of the
/// engine whose verdict it is.
pub fn race(engines: &mut [Engine<'_>]) -> (usize, Verdict) {
    let mut given_up: Vec<Option<Reason>> = vec![None; engines.len()];
    let mut slice = SLICE;
    // The first round is that of head starts.
    for round in 0.. {
        for i in 0..engines.len() {
            let time = match round {
                0 => engines[i].head_start(),
                _ => slice,
            };
            if given_up[i].is_some() || time.is_zero() {
                continue;
            }
            match engines[i].step(time) {
                None => {}
                Some(Verdict::Unknown(reason)) => given_up[i] = Some(reason),
                Some(verdict) => return (i, verdict),
            }
            if let Some(happened) = engines[i].happened().cloned() {
                engines
                    .iter_mut()
                    .for_each(|engine| engine.refute_assumption(&happened));
            }
        }
        if round > 0 {
            slice = slice * 3 / 2;
        }
        if let Some(best) = last_word(&given_up) {
            return best;
        }
    }
    unreachable!("the rounds do not end")
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
            Reason::Stuck(_) => 0,
        };
        if best.is_none_or(|(_, b)| weight(reason) > weight(b)) {
            best = Some((i, reason));
        }
    }
    best.map(|(i, reason)| (i, Verdict::Unknown(reason.clone())))
}
