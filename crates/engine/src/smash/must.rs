//! Must summaries: paths through procedures that tests took (SMASH; algorithm notes 5.3).
//!
//! A path through a callee, from its entry to its exit, is a relation between
//! the states that enter it and those that leave: its decisions, followed by
//! symbolic execution. One that a test took for one caller may serve another:
//! from the state before a call, along the path, into the region after the
//! call. If the solver finds inputs for that, a test crosses the call, and
//! nothing has to be asked of the callee.
//!
//! They are of no use for proofs, so nothing of a proof depends on them.

use crate::algorithm::crossing;
use crate::core::Core;
use crate::core::conjuncts;
use crate::events::{Event, ProcedureEvent, Question};
use crate::forest::NodeId;
use crate::progress::Progress;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::smash;
use crate::smash::Step;
use crate::task::Task;
use attest_exec::symbolic::path::{PathState, conditions};
use attest_model::FnId;
use attest_model::graph::LocKind;
use attest_solver::Answer;
use attest_term::Term;
use std::sync::Arc;

/// What the paths through a callee gave for a call.
pub(crate) enum ByPath {
    /// A test crossed it, or was meant to.
    Crossed(Progress),
    /// None leads into the region after it.
    Missed(Vec<Miss>),
}

/// A path through a callee that does not lead into the region after the call.
pub(crate) struct Miss {
    /// The conditions of the path, from the program's start.
    pub conditions: Vec<Term>,
    /// Where it ends.
    pub end: Arc<PathState>,
    /// Parts of the region that exclude it.
    pub parts: Vec<Term>,
}

/// Keeps the paths that a test took through procedures.
pub(crate) fn keep_paths(core: &mut Core<'_>, task: &Task, nodes: &[NodeId]) {
    if !core.options.strategy.calls.must() {
        return;
    }
    let mut entered: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let location = core.graph.location(core.forest.node(*node).loc);
        match location.kind {
            LocKind::Entry => entered.push(at),
            LocKind::Exit => {
                let Some(from) = entered.pop() else { continue };
                let Some(function) = location.function else {
                    continue;
                };
                let [a, b] = [from, at].map(|i| core.forest.node(nodes[i]).activation);
                if a == b
                    && at - from <= core.options.tuning.smash.path_steps
                    && function != core.program.entry
                {
                    keep_path(core, task, function, &nodes[from..=at]);
                }
            }
            _ => {}
        }
    }
}

fn keep_path(core: &mut Core<'_>, task: &Task, function: FnId, nodes: &[NodeId]) {
    let step = |pair: &[NodeId]| -> Step {
        let [before, after] = [pair[0], pair[1]].map(|n| core.forest.node(n));
        let start = core.graph.location(before.loc).position;
        (start, after.ways().into())
    };
    let path: Arc<[Step]> = nodes.windows(2).map(step).collect();
    let paths = core.smash.must.paths.entry(function).or_default();
    if paths.list.len() < core.options.tuning.smash.paths && paths.known.insert(path.clone()) {
        paths.list.push(path);
        let what = ProcedureEvent::Must;
        core.tell(task, Event::Procedure { what, function });
    }
}

/// Tries to cross a call by a path that some test took through the callee.
pub(crate) fn cross_by_path(
    search: &mut Search<'_>,
    frontier: Frontier,
    node: NodeId,
    callee: FnId,
) -> ByPath {
    let mut missed: Vec<Miss> = Vec::new();
    let paths = match search.core.options.strategy.calls.must() {
        true => search.core.smash.must.paths.get(&callee),
        false => None,
    };
    let count = paths.map_or(0, |paths| paths.list.len());
    let call = search.task.regions.region(frontier.from).loc;
    if count == 0 || !search.core.smash.must.tries.is_due(call) {
        return ByPath::Missed(missed);
    }
    let after = search.task.regions.region(frontier.to).predicate.clone();
    let after = conjuncts::conjuncts(&mut search.core, &after);
    let before = search.core.path_to(&search.task, node);
    let mut tried = 0;
    for number in (0..count)
        .rev()
        .take(search.core.options.tuning.smash.paths_looked_at)
    {
        let Some(states) = along_path(&mut search.core, &search.task, node, callee, number) else {
            continue;
        };
        let Some(end) = states.last().cloned() else {
            continue;
        };
        if tried == search.core.options.tuning.smash.paths_tried {
            break;
        }
        tried += 1;
        let through = conditions(states.iter().map(|s| &**s));
        let conditions = [&before[..], &through].concat();
        let there = search.core.all_along(&search.task, &end, &after);
        let all = [&conditions[..], &there].concat();
        match search.core.ask_briefly(&search.task, Question::Must, &all) {
            Answer::Sat(model) => {
                search.core.smash.must.tries.helped(&call);
                let function = callee;
                let what = ProcedureEvent::MustUsed;
                search
                    .core
                    .tell(&search.task, Event::Procedure { what, function });
                let mut path = search.core.forest.states(node);
                path.extend(states.iter().cloned());
                let inputs = search.core.inputs_of(&model, &path, Vec::new());
                return ByPath::Crossed(crossing::cross(search, frontier, &[], Some(node), inputs));
            }
            // Nobody takes this path from here, wherever it is to lead.
            Answer::Unsat(reason) if is_of_path(&search.core, &reason, node, &through) => {
                let key = (search.core.forest.like(node), number);
                search.core.smash.must.along.insert(key, None);
            }
            Answer::Unsat(reason) => {
                let parts = after.iter().zip(&there);
                let used = parts.filter(|(_, there)| reason.contains(there));
                missed.push(Miss {
                    conditions,
                    end,
                    parts: used.map(|(part, _)| *part).collect(),
                });
            }
            Answer::Unknown(_) => {}
        }
    }
    ByPath::Missed(missed)
}

/// Whether these are conditions of the path to a node and of a path from there alone.
fn is_of_path(core: &Core<'_>, reason: &[Term], node: NodeId, through: &[Term]) -> bool {
    let before = core.forest.path_condition(node);
    let mut reason = reason.iter();
    reason.all(|term| before.contains(term) || through.contains(term))
}

/// The states from one before a call along a path through the callee and back.
fn along_path(
    core: &mut Core<'_>,
    task: &Task,
    node: NodeId,
    callee: FnId,
    number: usize,
) -> Option<smash::PathSubst> {
    let key = (core.forest.like(node), number);
    if let Some(known) = core.smash.must.along.get(&key) {
        return known.clone();
    }
    let made = follow_path(core, task, node, callee, number);
    core.smash.must.along.insert(key, made.clone());
    made
}

fn follow_path(
    core: &mut Core<'_>,
    task: &Task,
    node: NodeId,
    callee: FnId,
    number: usize,
) -> Option<smash::PathSubst> {
    let path = core
        .smash
        .must
        .paths
        .get(&callee)?
        .list
        .get(number)?
        .clone();
    let mut state = core.beta(task, node)?;
    let call = core.graph.location(core.forest.node(node).loc).position;
    let into = std::iter::once((call, [].as_slice()));
    let through = path.iter().map(|(start, ways)| (*start, &**ways));
    let back = std::iter::once((None, [].as_slice()));
    let mut states = Vec::with_capacity(path.len() + 2);
    for (i, (start, ways)) in into.chain(through).chain(back).enumerate() {
        let prefix = format!("m{}.{number}.{i}.", core.forest.like(node).0);
        let next = core
            .stepper
            .follow(&mut core.terms, &state, start, ways, &prefix)
            .ok()?;
        let impossible = |c: &Term| core.terms.bool_const(*c) == Some(false);
        if next.state.path.iter().any(impossible) {
            return None;
        }
        state = Arc::new(next);
        states.push(state.clone());
    }
    Some(states.into())
}
