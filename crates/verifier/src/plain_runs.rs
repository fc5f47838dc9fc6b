//! A bounded search for a failing run: a few plain inputs, then random ones.
//!
//! Many errors are shallow, so this comes before the engine. The bounds are numbers of
//! instructions and not of seconds, so that the same seed gives the same answer on every
//! machine.

use crate::confirm::{self, ConfirmedTest, Ran};
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Limits, Outcome, Overflow, Rest};
use attest_model::{Bail, Check, Checks, Class, InputKind, PlaceId, Program, Sort};
use std::collections::{BTreeMap, BTreeSet};
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

/// Runs that ended normally whose inputs are kept.
const MOST_ENDED: usize = 6;

/// How a run ends that is given up.
const TOO_LONG: &str = "took too many steps";

/// How the runs ended.
#[derive(Clone, Default, Debug)]
pub struct Tried {
    /// How many runs there were.
    pub runs: usize,
    /// How they ended, in words, with how many ended so.
    pub ends: BTreeMap<&'static str, usize>,
    /// The unsupported constructs and undefined behaviour that were met, the first of each
    /// kind.
    pub left: Vec<(Bail, PlaceId)>,
    /// The inputs of these runs.
    pub on: Vec<Arc<Inputs>>,
    /// Numbers that runs took from the environment that ended normally and took nothing else, a
    /// few.
    pub ended: Vec<Vec<i128>>,
    /// The program took nothing from the environment, so it has this run and no other.
    pub is_only_run: bool,
}

impl Tried {
    /// Inputs of runs that ended normally, a few.
    pub(crate) fn tests(&self) -> Vec<Arc<Inputs>> {
        let values = |numbers: &Vec<i128>| numbers.iter().copied().map(InputValue::Int).collect();
        let test = |numbers| Inputs {
            nondet: values(numbers),
            ..Inputs::default()
        };
        self.ended.iter().map(test).map(Arc::new).collect()
    }
}

/// What the runs gave.
#[derive(Debug, Default)]
pub(crate) struct PlainRuns {
    /// How they ended.
    pub tried: Tried,
    /// Runs that violate a check that is asked for, the first for each check.
    pub failing: Vec<ConfirmedTest>,
    /// The same of checks that are not asked for.
    pub notices: Vec<ConfirmedTest>,
    /// A run on listed inputs and then zeros that took too many steps, with what it took.
    pub long: Option<(Arc<Inputs>, Vec<Taken>)>,
}

/// How the program is run.
pub(crate) struct Plan<'a> {
    /// The tests of earlier checks, which come first.
    pub earlier: &'a [Arc<Inputs>],
    /// What is asked about.
    pub checks: &'a Checks,
    /// Violations of what is not asked about are wanted, too.
    pub notices: bool,
    /// Checks of which nothing is to be said.
    pub excused: &'a BTreeSet<Check>,
    /// End at the first violation.
    pub first: bool,
    /// What signed overflow does.
    pub overflow: Overflow,
    /// Bytes of the objects of a run.
    pub memory: u64,
    /// The seed of random inputs.
    pub seed: u64,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

/// Runs the program on some inputs; after a violation only for as long again.
pub(crate) fn search(program: &Program, plan: &Plan<'_>) -> PlainRuns {
    let mut search = PlainRuns::default();
    let checks = match plan.notices {
        true => Checks::of(&Class::ALL),
        false => plan.checks.clone(),
    };
    let mut left = STEPS_OF_ALL;
    let earlier = plan.earlier.iter().cloned();
    let mut plans = earlier.chain(plans(plan.seed).map(Arc::new));
    loop {
        let all_are_long = search.tried.runs == LONG_RUNS && search.too_long() == LONG_RUNS;
        let next = match all_are_long {
            true => Some(Arc::new(random(plan.seed))),
            false => plans.next(),
        };
        let Some(given) = next.filter(|_| left > 0 && !plan.stop.load(Ordering::Relaxed)) else {
            break;
        };
        let most = match all_are_long {
            true => STEPS_OF_LONG,
            false => STEPS_OF_RUN,
        };
        let limits = Limits {
            steps: most.min(left),
            memory: plan.memory,
            ..Limits::default()
        };
        let run = confirm::run(program, &given, &checks, plan.overflow, limits);
        left = left.saturating_sub(run.steps.max(1));
        let takes_nothing = run.asked == 0;
        let before = search.failing.len();
        search.record(run, given, plan);
        if before == 0 && !search.failing.is_empty() {
            left = left.min(STEPS_OF_ALL - left);
        }
        if plan.first && !search.failing.is_empty() || takes_nothing {
            search.tried.is_only_run = takes_nothing;
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

/// The seed that gives inputs again, where nothing is listed before it.
fn seed_of(given: &Inputs) -> Option<u64> {
    let listed = !(given.nondet.is_empty() && given.unknown.is_empty());
    match given.rest {
        Rest::Random(seed) if !listed => Some(seed),
        _ => None,
    }
}

/// What a run took, if that is numbers of the environment alone.
fn numbers(taken: &[Taken]) -> Option<Vec<i128>> {
    let number = |taken: &Taken| match (&taken.kind, taken.sort) {
        (InputKind::Uninit(_) | InputKind::Undef, _) | (_, Sort::F32 | Sort::F64) => None,
        (_, Sort::Int(_) | Sort::Ptr) => Some(taken.value.int() as i128),
    };
    let few = taken.len() <= PATTERN;
    let numbers = taken.iter().map(number).collect::<Option<Vec<i128>>>();
    numbers.filter(|_| few)
}

impl PlainRuns {
    /// Runs that took too many steps.
    fn too_long(&self) -> usize {
        self.tried.ends.get(TOO_LONG).copied().unwrap_or(0)
    }

    fn record(&mut self, run: Ran, given: Arc<Inputs>, plan: &Plan<'_>) {
        let tried = &mut self.tried;
        tried.runs += 1;
        let end = match &run.outcome {
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => "ended normally",
            Outcome::Error(_) => "failed an assertion",
            Outcome::Bailed(bail) if bail.kind.class().is_some() => "violated a check",
            Outcome::Bailed(_) => "met an unsupported construct",
            Outcome::AssumeFailed => "failed an assumption",
            Outcome::StepLimit => TOO_LONG,
            Outcome::MemoryLimit => "took too much memory",
            Outcome::DepthLimit => "recursed too deeply",
            Outcome::Stopped => "were stopped",
        };
        *tried.ends.entry(end).or_default() += 1;
        if let Some(test) = run.failing {
            let check = test.check();
            let is_asked = plan.checks.has(check.kind);
            let found = match is_asked {
                true => &mut self.failing,
                false => &mut self.notices,
            };
            let is_known =
                plan.excused.contains(&check) || found.iter().any(|known| known.check() == check);
            if !is_known {
                found.push(test.with_seed(seed_of(&given)));
            }
            if is_asked {
                return;
            }
        }
        let ends = matches!(
            run.outcome,
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted
        );
        if ends
            && run.never_set == 0
            && tried.ended.len() < MOST_ENDED
            && let Some(numbers) = numbers(&run.taken)
            && !tried.ended.contains(&numbers)
        {
            tried.ended.push(numbers);
        }
        match run.outcome {
            Outcome::Bailed(bail) if tried.left.iter().all(|(b, _)| b.kind != bail.kind) => {
                tried.left.push((bail, run.at));
                tried.on.push(given);
            }
            Outcome::StepLimit if self.long.is_none() && given.rest == Rest::Zero => {
                self.long = Some((given, run.taken));
            }
            _ => {}
        }
    }
}
