//! Random exploration: tests that branch at the heads of the program's loops.
//!
//! A program that waits for inputs in a loop has few states there, and needs a long
//! sequence of inputs to reach most of them. Exploration expands a state at the head of
//! a loop, which an earlier run reached, with other inputs for one iteration
//! ([`crate::testing::input_gen`]): one value throughout, the inputs that led there, those
//! of an iteration that led to something new, or any. A state that was seen before is not
//! expanded. So the sequence is found one iteration at a time, without a solver call. Every
//! other state that is expanded is a novel one ([`crate::testing::novelty`]), the rest are
//! taken in the order in which they were found, by exploration or by the search's tests.
//! Runs that fail, and the first to reach a location, become tests like any other.

use crate::core::Core;
use crate::events::Why;
use crate::forest::NodeId;
use crate::search::Search;
use crate::simulation;
use crate::testing;
use crate::testing::input_gen::Plan;
use crate::testing::novelty::{ALL_MADE, Stop};
use crate::verdict::FailingTest;
use attest_exec::inputs::Feed;
use attest_exec::{Outcome, Snapshot};
use attest_model::graph::{Loc, LocKind};
use attest_model::{BailKind, Check, PlaceId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::testing::explorer::*;
use attest_exec::inputs::locked;

/// Explores at the start of a slice. Returns the counterexample if one is found.
pub(crate) fn explore_first<'p>(search: &mut Search<'p>, end: Duration) -> Option<FailingTest> {
    let now = search.core.effort();
    // A head start is a long slice, and mostly for a proof.
    let slice = end.saturating_sub(now);
    let limits = &search.core.options.tuning.exploration;
    let mut most = limits.least.max(now / limits.divisor);
    if simulation::wants_initial_abstraction(&search.core) {
        most = most.max(slice / limits.first_slice_divisor);
    }
    let most = most.min(slice / limits.slice_divisor);
    explore(search, now + most)
}

/// Explores until exploration has had its part of the effort. Returns the counterexample if one
/// is found.
pub(crate) fn explore_if_due<'p>(search: &mut Search<'p>) -> Option<FailingTest> {
    let now = search.core.effort();
    let spent = search.core.testing.explorer.as_ref()?.spent;
    let limits = &search.core.options.tuning.exploration;
    let due = (now / limits.divisor).saturating_sub(spent);
    let at_once = limits.at_once;
    match due.is_zero() {
        true => None,
        false => explore(search, now + due.max(at_once)),
    }
}

/// Explores up to this effort. Returns the counterexample if one is found.
fn explore<'p>(search: &mut Search<'p>, until: Duration) -> Option<FailingTest> {
    let mut explorer = match search.core.testing.explorer.take() {
        Some(explorer) => explorer,
        None if std::mem::take(&mut search.core.testing.explores) => {
            let samples = simulation::wants_initial_abstraction(&search.core);
            let core = &search.core;
            Explorer::new(core.program, core.graph, &core.options, samples)?
        }
        None => return None,
    };
    let began = search.core.effort();
    take_tests(&search.core, &mut explorer);
    while search.core.effort() < until && search.core.out_of_limits(&search.task).is_none() {
        let Some(stop) = explorer.next() else {
            break;
        };
        if let Some(test) = explore_from(search, &mut explorer, &stop, until) {
            // The search may go on after a violation.
            search.core.testing.explorer = Some(explorer);
            return Some(test);
        }
    }
    explorer.spent += search.core.effort() - began;
    if explorer.seen.len() < search.core.options.tuning.exploration.seen_states {
        search.core.testing.explorer = Some(explorer);
    }
    None
}

/// Takes the states at heads of loops that tests have reached since the last time.
fn take_tests<'p>(core: &Core<'p>, explorer: &mut Explorer<'p>) {
    locked(&explorer.generator).begin(Plan::Any { plain: true });
    let from = explorer.heard;
    explorer.heard = core.forest.len() as u32;
    for id in (from..explorer.heard).map(NodeId) {
        let node = core.forest.node(id);
        if core.graph.location(node.loc).kind != LocKind::LoopHead {
            continue;
        }
        let inputs = core.forest.inputs_to(id);
        let (Some(state), Some(inputs)) = (node.state.clone(), inputs) else {
            continue;
        };
        let iteration = explorer.iterations.len() as u32;
        explorer.iterations.push(Iteration {
            before: Before::Test(Arc::new(inputs)),
            nondet: Box::default(),
            uninit: 0,
        });
        if !explorer.keep(state, iteration, node.loc) {
            explorer.iterations.pop();
        }
    }
}

/// The states that exploration reached, by location.
pub(crate) fn samples(core: &mut Core<'_>) -> FxHashMap<Loc, Vec<Snapshot>> {
    let samples = core
        .testing
        .explorer
        .as_mut()
        .map(|explorer| explorer.samples.take());
    samples.flatten().unwrap_or_default()
}

/// All iterations from one state; mixed inputs only if it was expanded before.
fn explore_from<'p>(
    search: &mut Search<'p>,
    explorer: &mut Explorer<'p>,
    stop: &Stop,
    until: Duration,
) -> Option<FailingTest> {
    let times = stop.times();
    stop.set_times(times.saturating_add(1));
    let mut several = times > 0;
    let all = locked(&explorer.generator).values.len();
    let first = if several { all } else { 0 };
    for i in first..all + search.core.options.tuning.exploration.mixed_iterations {
        let value = locked(&explorer.generator).values.get(i).copied();
        let plan = match value {
            Some(value) => Plan::All(value),
            // The inputs that led here may lead on.
            None if several && i == all && times == 0 => {
                let before = &explorer.iterations[stop.iteration as usize].nondet;
                Plan::Like(before.iter().copied().collect(), 0)
            }
            None if several => explorer.plan(stop.state.loc),
            None => break,
        };
        if search.core.effort() >= until && i > all {
            break;
        }
        let (taken, test) = iteration(search, explorer, stop, plan);
        if test.is_some() {
            return test;
        }
        several |= taken > 1;
        if taken == 0 {
            // The iteration takes no inputs, so there is only one.
            break;
        }
    }
    if !several {
        stop.set_times(ALL_MADE);
    }
    None
}

/// Whether a test that ended so is known, so that another is of no use.
fn is_known(core: &Core<'_>, place: PlaceId, kind: BailKind) -> bool {
    let check = Check {
        place,
        kind: Some(kind),
    };
    let mut notices = core.exits.notices.iter();
    core.exits.leaves_model.is_some()
        || core.stepper.excused.contains(&check)
        || notices.any(|notice| notice.check == check)
}

/// One iteration from a state: how many inputs it took, and the counterexample that it is.
fn iteration<'p>(
    search: &mut Search<'p>,
    explorer: &mut Explorer<'p>,
    stop: &Stop,
    plan: Plan,
) -> (usize, Option<FailingTest>) {
    locked(&explorer.generator).begin(plan);
    explorer.run.restore(search.core.graph, &stop.state);
    explorer.run.steps = 0;
    explorer.run.machine.taken.clear();
    explorer.run.machine.feed = Feed::made_by(explorer.generator.clone());
    let forest = &search.core.forest;
    let mut watch = Watch {
        graph: search.core.graph,
        is_new: &|loc| forest.at(loc).is_empty(),
        covered: &mut explorer.covered,
        covers: false,
        stopped: None,
        new: false,
        samples: &mut explorer.samples,
        most_samples: explorer.limits.samples,
    };
    let outcome = explorer.run.watch(&mut watch, &search.core.cuts);
    let (stopped, new, covers) = (watch.stopped, watch.new, watch.covers);
    search.core.limits.counted.instructions += explorer.run.steps;
    search.core.limits.counted.snapshots += 1;
    let [taken, uninit] = explorer.run.machine.feed.counts();
    let iteration = explorer.iterations.len() as u32;
    explorer.iterations.push(Iteration {
        before: Before::Iteration(stop.iteration),
        nondet: locked(&explorer.generator).made(),
        uninit: uninit as u32,
    });
    let at = explorer.run.place();
    let violates =
        |kind| search.core.options.asks_for(kind) && !search.core.stepper.excuses(at, kind);
    let fails = match &outcome {
        Outcome::Error(_) => violates(None),
        Outcome::Bailed(bail) => violates(Some(bail.kind)),
        _ => false,
    };
    // A run that fails here also fails as a test, unless its inputs mean something else there.
    let tests = search.core.options.tuning.exploration.tests;
    let most = if fails { 2 * tests } else { tests };
    // No proof may assume away what a run did.
    let left = match &outcome {
        Outcome::Bailed(bail) => Some((at, bail.kind)),
        _ => None,
    };
    let left = left.filter(|exit| !explorer.left.contains(exit));
    if (fails || new || left.is_some()) && explorer.tests < most {
        explorer.tests += 1;
        let inputs = Arc::new(explorer.inputs(iteration));
        if let Some(test) = testing::test(search, inputs, None, Why::Explore) {
            return (taken, Some(test));
        }
        if left.is_some_and(|(place, kind)| is_known(&search.core, place, kind)) {
            explorer.left.extend(left);
        }
    }
    let fresh = stopped.filter(|_| outcome == Outcome::Stopped);
    let kept = fresh.is_some_and(|at| {
        let next = explorer.run.snapshot(search.core.graph, at);
        explorer.keep(next, iteration, stop.state.loc)
    });
    if !kept {
        explorer.iterations.pop();
    }
    if covers {
        locked(&explorer.generator).was_good();
    }
    (taken, None)
}
