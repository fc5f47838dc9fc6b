//! Tests: the first ones, short cuts to what only long ones reach, and what becomes of each.
//!
//! A test is a run of the whole program. Its states become witnesses of the regions that
//! they lie in, one that fails is run a second time before it is believed, and one that
//! meets an unsupported construct rules out the proofs that would assume its absence.
//!
//! - `seeds`: the first tests, and smaller versions of tests;
//! - `explore`: exploration that branches at the heads of loops;
//! - `explorer`: what exploration remembers;
//! - `input_gen`: the inputs that exploration chooses;
//! - `novelty`: which states are new;
//! - `layout`: tests whose objects lie where runs have them.

pub(crate) mod explore;
pub(crate) mod explorer;
pub(crate) mod input_gen;
pub(crate) mod layout;
pub(crate) mod novelty;
pub(crate) mod seeds;

use crate::core::Core;
use crate::events::{Event, Why};
use crate::forest::{Most, NodeId, TestRun};
use crate::search::Search;
use crate::smash::context;
use crate::smash::must;
use crate::task::Task;
use crate::techniques::Technique;
use crate::verdict::FailingTest;
use attest_exec::{Inputs, Interpreter, Limits, Outcome};
use attest_model::graph::{Loc, LocKind};
use attest_model::{Bail, BailKind, Check, PlaceId};
use std::sync::Arc;

/// A few runs on simple inputs, so that there is something to follow.
pub(crate) fn first_tests(search: &mut Search<'_>) -> Option<FailingTest> {
    for inputs in std::mem::take(&mut search.core.testing.recalled) {
        if let Some(test) = test(search, inputs, None, Why::Recalled) {
            return Some(test);
        }
        if search.core.out_of_limits(&search.task).is_some() {
            break;
        }
    }
    let count = match search.core.options.uses(Technique::FirstRuns) {
        true => search.core.options.first_tests.max(1),
        false => 1,
    };
    for i in 0..count {
        // The thesis begins with a random test (section 3.1).
        let i = match count == 1 && search.core.options.aims_at_locations() {
            true => 2,
            false => i,
        };
        let why = if i < 2 { Why::First } else { Why::Random };
        let inputs = crate::testing::seeds::inputs(
            i,
            search.core.options.seed,
            &search.core.options.tuning.tests,
        );
        if let Some(test) = test(search, Arc::new(inputs), None, why) {
            return Some(test);
        }
        if search.core.forest.last_took_no_inputs() {
            // Every run is this one.
            break;
        }
        if search.core.out_of_limits(&search.task).is_some() {
            break;
        }
    }
    match search.core.options.uses(Technique::Shortcuts) && !search.core.options.is_of_papers() {
        true => shortcuts(search),
        false => None,
    }
}

/// Where only long tests came, ones without their iterations of loops may come as well:
/// every solver call about a short path is an easier one.
fn shortcuts(search: &mut Search<'_>) -> Option<FailingTest> {
    let limits = search.core.options.tuning.tests;
    let mut tried = 0;
    for loc in (0..search.core.graph.locations.len() as u32).map(Loc) {
        let nodes = search.core.forest.at(loc).iter();
        let Some(nearest) = nodes.min_by_key(|n| search.core.forest.node(**n).depth) else {
            continue;
        };
        if search.core.forest.node(*nearest).depth < limits.long_way || tried == limits.shortcuts {
            continue;
        }
        let Some(inputs) = search.core.forest.shortcut(*nearest) else {
            continue;
        };
        tried += 1;
        if let Some(test) = test(search, Arc::new(inputs), None, Why::Shortcut) {
            return Some(test);
        }
        if search.core.out_of_limits(&search.task).is_some() {
            break;
        }
    }
    None
}

/// Runs a test, one that follows the path of a node if there is one, and sorts its
/// states into regions; a violation is confirmed by a second run.
pub(crate) fn test(
    search: &mut Search<'_>,
    inputs: Arc<Inputs>,
    follows: Option<NodeId>,
    why: Why,
) -> Option<FailingTest> {
    let most = Most {
        nodes: search.core.options.test_nodes,
        steps: match search.core.options.uses(Technique::LongTests) {
            true => (search.core.testing.later_steps / 2)
                .max(search.core.options.tuning.tests.later_least),
            false => 0,
        },
        limits: search.core.options.tuning.tests,
    };
    let mut run = run_test(&mut search.core, inputs.clone(), follows, most);
    if violated(&search.core, &run).is_some() {
        // The search goes on after a violation as if no test had been there.
        run.nodes.pop();
    }
    // Where there was nothing new far out, the next test will hardly find it.
    let weight = if run.news { 1 } else { 4 };
    search.core.testing.later_steps = search
        .core
        .testing
        .later_steps
        .saturating_sub(weight * run.later)
        + search.core.options.tuning.tests.later_least;
    search.for_each_task(|core, task, caller| take_in(core, task, caller, &run.nodes));
    must::keep_paths(&mut search.core, &search.task, &run.nodes);
    judge(search, inputs, &run, why)
}

/// Runs a test whose states belong to no region yet.
pub(crate) fn run_test(
    core: &mut Core<'_>,
    inputs: Arc<Inputs>,
    follows: Option<NodeId>,
    most: Most,
) -> TestRun {
    let run = core
        .forest
        .run(&core.stepper, &core.cuts, inputs, follows, most);
    core.limits.counted.instructions += run.steps;
    core.limits.counted.snapshots += run.nodes.len() as u64;
    run
}

/// Says what a test did; the failing test if it is one.
pub(crate) fn judge(
    search: &mut Search<'_>,
    inputs: Arc<Inputs>,
    run: &TestRun,
    why: Why,
) -> Option<FailingTest> {
    search.core.statistics.nodes = search.core.forest.len() as u64;
    search.core.tell(
        &search.task,
        Event::Test {
            why,
            inputs: inputs.clone(),
            outcome: run.outcome.clone(),
            place: run.place,
            nodes: run.nodes.len(),
        },
    );
    if let Some(found) = violated(&search.core, run) {
        let limits = Limits::default();
        let overflow = search.core.options.overflow;
        let mut again = Interpreter::new(search.core.program, inputs.clone(), overflow, limits);
        let confirmed = again.run() == run.outcome;
        assert!(confirmed, "the interpreter is deterministic");
        return Some(FailingTest { inputs, ..found });
    }
    match &run.outcome {
        Outcome::Bailed(bail) => ended(search, inputs, bail, run.place),
        Outcome::Error(error) => notice(search, inputs, None, error, run.place),
        _ => {}
    }
    None
}

/// The check that a run violated, of those that are asked for.
fn violated(core: &Core<'_>, run: &TestRun) -> Option<FailingTest> {
    let (kind, what) = match &run.outcome {
        Outcome::Error(error) => (None, error),
        Outcome::Bailed(bail) => (Some(bail.kind), &bail.what),
        _ => return None,
    };
    let asked = core.options.asks_for(kind) && !core.stepper.excuses(run.place, kind);
    asked.then(|| FailingTest {
        inputs: Arc::default(),
        check: Check {
            place: run.place,
            kind,
        },
        what: what.clone(),
    })
}

/// A run ended by what no check asks for: the check of another class, or a construct that is
/// not supported.
fn ended(search: &mut Search<'_>, inputs: Arc<Inputs>, bail: &Bail, place: PlaceId) {
    match bail.kind.class() {
        Some(_) => notice(search, inputs, Some(bail.kind), &bail.what, place),
        None => {
            let place = search.core.program.place(place);
            left_model(search, bail.kind, format!("{bail}, at {place}"));
        }
    }
}

/// Remembers the violation of a check that nobody asks for.
fn notice(
    search: &mut Search<'_>,
    inputs: Arc<Inputs>,
    kind: Option<BailKind>,
    what: &Arc<str>,
    place: PlaceId,
) {
    let check = Check { place, kind };
    let known = &mut search.core.exits.notices;
    let excused = search.core.stepper.excuses(place, kind);
    if !excused && known.iter().all(|notice| notice.check != check) {
        known.push(FailingTest {
            inputs,
            check,
            what: what.clone(),
        });
    }
}

/// The states of a test that belong to a task become witnesses.
fn take_in(core: &mut Core<'_>, task: &mut Task, caller: Option<&mut Task>, nodes: &[NodeId]) {
    let Some(query) = &task.query else {
        let Some(first) = nodes.first() else {
            return;
        };
        let activation = core.forest.node(*first).activation;
        for node in core.forest.activation(activation).nodes.clone() {
            core.add_witness(task, node);
        }
        return;
    };
    if let Some(contract) = query.contract {
        let entry = core.graph.functions[task.function.0 as usize].entry;
        for node in nodes {
            let node = core.forest.node(*node);
            let activation = node.activation;
            if node.loc == entry && core.forest.activation(activation).before.is_some() {
                context::adopt_for_contract(core, task, activation, contract);
            }
        }
        return;
    }
    let Some(before) = core.forest.same_in(nodes, query.node) else {
        return;
    };
    if let (Some(activation), Some(caller)) = (core.forest.called(before), caller) {
        context::adopt(core, task, caller, activation, before);
    }
}

/// No proof is possible any more, not even of a kind that would be assumed away:
/// it does happen. But a violation may still be found.
pub(crate) fn left_model(search: &mut Search<'_>, kind: BailKind, what: String) {
    if search.core.options.assumed.contains(&kind) {
        search
            .core
            .exits
            .happened
            .get_or_insert((kind, what.clone()));
    }
    search.core.exits.leaves_model.get_or_insert((kind, what));
    let gone = LocKind::Bail(kind);
    let is_gone = |loc: &Loc| search.core.graph.location(*loc).kind == gone;
    let lost: Vec<Loc> = search
        .core
        .targets
        .iter()
        .copied()
        .filter(is_gone)
        .collect();
    search.core.targets.retain(|loc| !lost.contains(loc));
    let root = search.waiting.first_mut().unwrap_or(&mut search.task);
    for loc in lost {
        root.regions.without_goals_at(search.core.graph, loc);
    }
}
