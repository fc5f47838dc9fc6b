//! A bounded search for a failing run: a few plain inputs, then random ones.
//!
//! The bounds are numbers of instructions and not of seconds, so that the
//! same seed gives the same answer on every machine.

use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow, Rest};
use attest_model::{Bail, PlaceId, Program};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs at most.
const MOST_RUNS: u64 = 200;
/// Instructions in one run at most.
const STEPS_OF_RUN: u64 = 1_000_000;
/// Plain runs that take more than that before a random one may take longer,
const LONG_RUNS: usize = 2;
/// up to here: where all runs are long, much that is short of one tells little.
const STEPS_OF_LONG: u64 = 6_000_000;
/// Instructions in all runs together at most: about a second.
const STEPS_OF_ALL: u64 = 10_000_000;
/// Inputs that follow a plain pattern before zeros come.
const PATTERN: usize = 256;

/// How a run ends that is given up.
const TOO_LONG: &str = "took too many steps";

/// What the runs gave.
#[derive(Debug, Default)]
pub struct Search {
    /// How many runs there were.
    pub runs: usize,
    /// How they ended, in words, with how many ended so.
    pub ends: BTreeMap<&'static str, usize>,
    /// The ways out of the model that were met, the first of each kind.
    pub left: Vec<(Bail, PlaceId)>,
    /// The first run that reached the error.
    pub failing: Option<Failing>,
    /// A run on listed inputs and then zeros that took too many steps, with what it took.
    pub long: Option<(Arc<Inputs>, Vec<Taken>)>,
}

/// A run that reached the error.
#[derive(Debug)]
pub struct Failing {
    /// The error function.
    pub error: Arc<str>,
    /// Where it was called.
    pub place: PlaceId,
    /// How the run ended, in words.
    pub ending: String,
    /// The inputs in order.
    pub taken: Vec<Taken>,
    /// What the run was given.
    pub given: Arc<Inputs>,
    /// The seed that gives them again; none where plain zeros follow the list.
    pub seed: Option<u64>,
    /// It is a native run, too long for the interpreter.
    pub native: bool,
}

/// Runs the program on some inputs, those of earlier tests first, until `stop` is set.
pub fn search(
    program: &Program,
    earlier: &[Arc<Inputs>],
    overflow: Overflow,
    memory: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Search {
    let mut search = Search::default();
    let mut left = STEPS_OF_ALL;
    let earlier = earlier.iter().cloned();
    let mut plans = earlier.chain(plans(seed).map(Arc::new));
    loop {
        let all_are_long = search.runs == LONG_RUNS && search.too_long() == LONG_RUNS;
        let next = match all_are_long {
            true => Some(Arc::new(random(seed))),
            false => plans.next(),
        };
        let Some(given) = next.filter(|_| left > 0 && !stop.load(Ordering::Relaxed)) else {
            break;
        };
        let most = if all_are_long {
            STEPS_OF_LONG
        } else {
            STEPS_OF_RUN
        };
        let limits = Limits {
            steps: most.min(left),
            memory,
            ..Limits::default()
        };
        let listed = !(given.nondet.is_empty() && given.unknown.is_empty());
        let seed = match given.rest {
            Rest::Random(seed) if !listed => Some(seed),
            _ => None,
        };
        let mut run = Interpreter::new(program, given.clone(), overflow, limits);
        let outcome = run.run();
        left = left.saturating_sub(run.steps.max(1));
        search.record(&run, &outcome, given, seed);
        if search.failing.is_some() || run.machine.feed.taken() == 0 {
            // Without inputs every run is this one.
            break;
        }
    }
    search
}

/// Zeros, ones, minus ones, counting, large numbers; then random ones.
pub fn plans(seed: u64) -> impl Iterator<Item = Inputs> {
    let plain = |value: fn(usize) -> i128| Inputs {
        nondet: (0..PATTERN).map(|i| InputValue::Int(value(i))).collect(),
        ..Inputs::default()
    };
    let patterns = [
        Inputs::default(),
        plain(|_| 1),
        plain(|_| -1),
        plain(|i| i as i128),
        plain(|i| (i % 2) as i128),
        plain(|_| i128::from(i32::MAX)),
        plain(|_| i128::from(i32::MIN)),
    ];
    let random = (0..MOST_RUNS).map(move |i| random(seed.wrapping_add(i)));
    patterns.into_iter().chain(random).take(MOST_RUNS as usize)
}

fn random(seed: u64) -> Inputs {
    Inputs {
        rest: Rest::Random(seed),
        ..Inputs::default()
    }
}

impl Search {
    /// Runs that took too many steps.
    fn too_long(&self) -> usize {
        self.ends.get(TOO_LONG).copied().unwrap_or(0)
    }

    fn record(
        &mut self,
        run: &Interpreter<'_>,
        outcome: &Outcome,
        given: Arc<Inputs>,
        seed: Option<u64>,
    ) {
        self.runs += 1;
        let end = match outcome {
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => "ended normally",
            Outcome::Error(_) => "reached the error",
            Outcome::Bailed(bail) if bail.kind.traps() => "ended by a null dereference",
            Outcome::Bailed(_) => "left the model",
            Outcome::AssumeFailed => "failed an assumption",
            Outcome::StepLimit => TOO_LONG,
            Outcome::MemoryLimit => "took too much memory",
            Outcome::DepthLimit => "recursed too deeply",
            Outcome::Stopped => "were stopped",
        };
        *self.ends.entry(end).or_default() += 1;
        match outcome {
            Outcome::Bailed(bail) if self.left.iter().all(|(b, _)| b.kind != bail.kind) => {
                self.left.push((bail.clone(), run.place()));
            }
            Outcome::StepLimit if self.long.is_none() && given.rest == Rest::Zero => {
                self.long = Some((given, run.machine.taken.clone()));
            }
            Outcome::Error(error) => {
                self.failing = Some(Failing {
                    error: error.clone(),
                    place: run.place(),
                    ending: crate::words::ending(run, outcome),
                    taken: run.machine.taken.clone(),
                    given,
                    seed,
                    native: false,
                });
            }
            _ => {}
        }
    }
}
