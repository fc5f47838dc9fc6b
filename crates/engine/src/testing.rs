//! Tests: the first ones, short cuts to what only long ones reach, and what becomes of each.
//!
//! A test is a run of the whole program. Its states become witnesses of the regions that
//! they lie in, one that fails is run a second time before it is believed, and one that
//! leaves the model takes away the proofs that would assume the contrary.

use crate::contracts;
use crate::core::Core;
use crate::engine::Engine;
use crate::events::{Event, Why};
use crate::forest::{Most, NodeId, TestRun};
use crate::must;
use crate::procedures;
use crate::task::Task;
use crate::techniques::Technique;
use crate::verdict::FailingTest;
use attest_exec::{Inputs, Interpreter, Limits, Outcome};
use attest_model::BailKind;
use attest_model::graph::{Loc, LocKind};
use attest_term::Scratch;
use std::sync::Arc;

/// States before a location that make the way to it a long one,
const LONG: u32 = 12;
/// and short ones that are tried.
const MOST_SHORTCUTS: usize = 200;
/// Instructions that each test may take after its first states.
const LEAST_LATER: u64 = 100_000;

/// A few runs on simple inputs, so that there is something to follow.
pub(crate) fn first_tests(engine: &mut Engine<'_>) -> Option<FailingTest> {
    for inputs in std::mem::take(&mut engine.core.options.recalled) {
        if let Some(test) = test(engine, inputs, None, Why::Recalled) {
            return Some(test);
        }
        if engine.core.out_of_limits(&engine.task).is_some() {
            break;
        }
    }
    let count = match engine.core.options.uses(Technique::FirstRuns) {
        true => engine.core.options.first_tests.max(1),
        false => 1,
    };
    for i in 0..count {
        let why = if i < 2 { Why::First } else { Why::Random };
        let inputs = crate::first::inputs(i, engine.core.options.seed);
        if let Some(test) = test(engine, Arc::new(inputs), None, why) {
            return Some(test);
        }
        if engine.core.forest.last_took_no_inputs() {
            // Every run is this one.
            break;
        }
        if engine.core.out_of_limits(&engine.task).is_some() {
            break;
        }
    }
    match engine.core.options.uses(Technique::Shortcuts) && !engine.core.options.is_of_papers() {
        true => shortcuts(engine),
        false => None,
    }
}

/// Where only long tests came, ones without their turns through loops may come as well:
/// every question about a short path is an easier one.
fn shortcuts(engine: &mut Engine<'_>) -> Option<FailingTest> {
    let mut tried = 0;
    for loc in (0..engine.core.graph.locations.len() as u32).map(Loc) {
        let nodes = engine.core.forest.at(loc).iter();
        let Some(nearest) = nodes.min_by_key(|n| engine.core.forest.node(**n).depth) else {
            continue;
        };
        if engine.core.forest.node(*nearest).depth < LONG || tried == MOST_SHORTCUTS {
            continue;
        }
        let Some(inputs) = engine.core.forest.shortcut(*nearest) else {
            continue;
        };
        tried += 1;
        if let Some(test) = test(engine, Arc::new(inputs), None, Why::Shortcut) {
            return Some(test);
        }
        if engine.core.out_of_limits(&engine.task).is_some() {
            break;
        }
    }
    None
}

/// Runs a test, one that follows the path of a node if there is one, and sorts its
/// states into regions; a violation is confirmed by a second run.
pub(crate) fn test(
    engine: &mut Engine<'_>,
    inputs: Arc<Inputs>,
    follows: Option<NodeId>,
    why: Why,
) -> Option<FailingTest> {
    let most = Most {
        nodes: engine.core.options.test_nodes,
        steps: match engine.core.options.uses(Technique::LongTests) {
            true => (engine.core.testing.later_steps / 2).max(LEAST_LATER),
            false => 0,
        },
    };
    let run = run_test(&mut engine.core, inputs.clone(), follows, most);
    // Where there was nothing new far out, the next test will hardly find it.
    let weight = if run.news { 1 } else { 4 };
    engine.core.testing.later_steps = engine
        .core
        .testing
        .later_steps
        .saturating_sub(weight * run.later)
        + LEAST_LATER;
    engine.for_each_task(|core, task, caller| take_in(core, task, caller, &run.nodes));
    must::keep_paths(&mut engine.core, &engine.task, &run.nodes);
    judge(engine, inputs, &run, why)
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
    engine: &mut Engine<'_>,
    inputs: Arc<Inputs>,
    run: &TestRun,
    why: Why,
) -> Option<FailingTest> {
    engine.core.statistics.nodes = engine.core.forest.len() as u64;
    engine.core.tell(
        &engine.task,
        Event::Test {
            why,
            inputs: inputs.clone(),
            outcome: run.outcome.clone(),
            place: run.place,
            nodes: run.nodes.len(),
        },
    );
    match &run.outcome {
        Outcome::Error(error) => {
            let limits = Limits::default();
            let overflow = engine.core.options.overflow;
            let mut again = Interpreter::new(engine.core.program, inputs.clone(), overflow, limits);
            let confirmed = matches!(again.run(), Outcome::Error(_));
            assert!(confirmed, "the interpreter is deterministic");
            Some(FailingTest {
                inputs,
                error: error.clone(),
                place: run.place,
            })
        }
        Outcome::Bailed(bail) => {
            left_model(
                engine,
                bail.kind,
                format!("{bail}, at {}", engine.core.program.place(run.place)),
            );
            None
        }
        _ => None,
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
            sort_in(core, task, node);
        }
        return;
    };
    if let Some(contract) = query.contract {
        let entry = core.graph.functions[task.function.0 as usize].entry;
        for node in nodes {
            let node = core.forest.node(*node);
            let activation = node.activation;
            if node.loc == entry && core.forest.activation(activation).before.is_some() {
                contracts::adopt_for_contract(core, task, activation, contract);
            }
        }
        return;
    }
    let Some(before) = core.forest.same_in(nodes, query.node) else {
        return;
    };
    if let (Some(activation), Some(caller)) = (core.forest.called(before), caller) {
        procedures::adopt(core, task, caller, activation, before);
    }
}

/// Puts a state into its region.
pub(crate) fn sort_in(core: &mut Core<'_>, task: &mut Task, node: NodeId) {
    let region = core.region_of(task, node, &mut Scratch::default());
    let depth = |node: NodeId| core.forest.node(node).depth;
    task.regions.add_witness(core.graph, region, node, depth);
}

/// No proof is possible any more, not even of a kind that would be assumed away:
/// it does happen. But a violation may still be found.
fn left_model(engine: &mut Engine<'_>, kind: BailKind, what: String) {
    if kind.traps() && engine.core.options.assumed.contains(&kind) {
        return;
    }
    if engine.core.options.assumed.contains(&kind) {
        engine
            .core
            .exits
            .happened
            .get_or_insert((kind, what.clone()));
    }
    engine.core.exits.leaves_model.get_or_insert((kind, what));
    let gone = LocKind::Bail(kind);
    let is_gone = |loc: &Loc| engine.core.graph.location(*loc).kind == gone;
    let lost: Vec<Loc> = engine
        .core
        .targets
        .iter()
        .copied()
        .filter(is_gone)
        .collect();
    engine.core.targets.retain(|loc| !lost.contains(loc));
    let root = engine.waiting.first_mut().unwrap_or(&mut engine.task);
    for loc in lost {
        root.regions.without_goals_at(engine.core.graph, loc);
    }
}

impl Engine<'_> {
    /// A way out of the model that proofs take as not happening, but some run took.
    pub fn happened(&self) -> Option<&(BailKind, String)> {
        self.core.exits.happened.as_ref()
    }

    /// Is told of a run elsewhere that took such a way out: no proof may assume it away.
    pub fn hear(&mut self, (kind, what): &(BailKind, String)) {
        if self.core.exits.happened.is_none() && self.core.options.assumed.contains(kind) {
            left_model(self, *kind, what.clone());
        }
    }
}
