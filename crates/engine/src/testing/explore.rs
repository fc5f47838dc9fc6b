//! Roaming: tests that branch where a loop of the program turns.
//!
//! A program that waits for inputs in a loop has few states there, and a long
//! sequence of inputs to most of them. One goes on from the state that an
//! earlier one came to, at the head of a loop, with other inputs for one turn
//! ([`crate::testing::input_gen`]): the same one throughout, those that led there, those of
//! a turn that led to something new, or any. A state that was met before is not
//! gone on from. So the sequence is found turn by turn, and no question is
//! asked. Every other time it goes on from a state that is news
//! ([`crate::testing::novelty`]), else from the one that was found first, of its own or of the
//! search's tests. What it finds becomes a test like any other: an error, and the
//! first that comes to a location.

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

/// Roams at the start of a slice; a failing test, if one finds it.
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

/// Roams until it has had its part of the time; a failing test, if one finds it.
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

/// Goes on until it is late; a failing test, if one finds it.
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

/// The states at heads of loops that tests came to since it last looked.
fn take_tests<'p>(core: &Core<'p>, explorer: &mut Explorer<'p>) {
    locked(&explorer.answers).begin(Plan::Any { plain: true });
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
        let turn = explorer.turns.len() as u32;
        explorer.turns.push(Turn {
            before: Before::Test(Arc::new(inputs)),
            nondet: Box::default(),
            uninit: 0,
        });
        if !explorer.keep(state, turn, node.loc) {
            explorer.turns.pop();
        }
    }
}

/// The states that roaming came to, by location.
pub(crate) fn samples(core: &mut Core<'_>) -> FxHashMap<Loc, Vec<Snapshot>> {
    let samples = core
        .testing
        .explorer
        .as_mut()
        .map(|explorer| explorer.samples.take());
    samples.flatten().unwrap_or_default()
}

/// All turns from one state; mixed ones only if it was gone on from before.
fn explore_from<'p>(
    search: &mut Search<'p>,
    explorer: &mut Explorer<'p>,
    stop: &Stop,
    until: Duration,
) -> Option<FailingTest> {
    let times = stop.times();
    stop.set_times(times.saturating_add(1));
    let mut several = times > 0;
    let all = locked(&explorer.answers).values.len();
    let first = if several { all } else { 0 };
    for i in first..all + search.core.options.tuning.exploration.mixed_iterations {
        let value = locked(&explorer.answers).values.get(i).copied();
        let plan = match value {
            Some(value) => Plan::All(value),
            // What led here once may lead on in the same way.
            None if several && i == all && times == 0 => {
                let before = &explorer.turns[stop.turn as usize].nondet;
                Plan::Like(before.iter().copied().collect(), 0)
            }
            None if several => explorer.plan(stop.state.loc),
            None => break,
        };
        if search.core.effort() >= until && i > all {
            break;
        }
        let (taken, test) = turn(search, explorer, stop, plan);
        if test.is_some() {
            return test;
        }
        several |= taken > 1;
        if taken == 0 {
            // Every turn is this one.
            break;
        }
    }
    if !several {
        stop.set_times(ALL_MADE);
    }
    None
}

/// Whether a test is known that ended so, and nothing is gained by another.
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

/// One turn from a state: how many answers it took, and the failing test that it is.
fn turn<'p>(
    search: &mut Search<'p>,
    explorer: &mut Explorer<'p>,
    stop: &Stop,
    plan: Plan,
) -> (usize, Option<FailingTest>) {
    locked(&explorer.answers).begin(plan);
    explorer.run.restore(search.core.graph, &stop.state);
    explorer.run.steps = 0;
    explorer.run.machine.taken.clear();
    explorer.run.machine.feed = Feed::made_by(explorer.answers.clone());
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
    let turn = explorer.turns.len() as u32;
    explorer.turns.push(Turn {
        before: Before::Turn(stop.turn),
        nondet: locked(&explorer.answers).made(),
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
    // One that fails here fails as a test, but for what is lost on the way there.
    let tests = search.core.options.tuning.exploration.tests;
    let most = if fails { 2 * tests } else { tests };
    // No proof may assume away what a run did.
    let left = match &outcome {
        Outcome::Bailed(bail) => Some((at, bail.kind)),
        _ => None,
    };
    let left = left.filter(|way| !explorer.left.contains(way));
    if (fails || new || left.is_some()) && explorer.tests < most {
        explorer.tests += 1;
        let inputs = Arc::new(explorer.inputs(turn));
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
        explorer.keep(next, turn, stop.state.loc)
    });
    if !kept {
        explorer.turns.pop();
    }
    if covers {
        locked(&explorer.answers).was_good();
    }
    (taken, None)
}
