//! Removing edges between regions: where there is no step, and where the solver refutes one.

use crate::algorithm::strategy::{Edges, Local};
use crate::core::Core;
use crate::events::{Cut, Event, Question};
use crate::regions::RegionId;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::mutants::{Mutant, mutated};
use attest_solver::Answer;
use attest_term::Term;

/// Deletes an edge.
pub(crate) fn remove(core: &mut Core<'_>, task: &mut Task, frontier: Frontier, why: Cut) {
    let (from, to) = (frontier.from, frontier.to);
    task.regions.remove_edge(core.graph, from, to);
    core.tell(task, Event::Cut { from, to, why });
}

/// Deletes the edges of a frontier that leads to several regions of one location.
pub(crate) fn remove_all(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    others: &[RegionId],
    why: Cut,
) {
    remove(core, task, frontier, why);
    for to in others {
        remove(
            core,
            task,
            Frontier {
                to: *to,
                ..frontier
            },
            why,
        );
    }
}

/// After a split SYNERGY asks of every edge of the new regions whether it is there.
pub(crate) fn check_edges(core: &mut Core<'_>, task: &mut Task, parts: [RegionId; 2]) {
    if core.options.strategy.edges == Edges::Lazy {
        return;
    }
    for part in parts {
        let loc = task.regions.region(part).loc;
        let outgoing = core.graph.outgoing[loc.0 as usize].clone();
        for edge in outgoing {
            for to in task.regions.at(core.graph.edge(edge).dst).to_vec() {
                check_edge(core, task, part, to);
            }
        }
        let incoming = core.graph.incoming[loc.0 as usize].clone();
        for edge in incoming {
            for from in task.regions.at(core.graph.edge(edge).src).to_vec() {
                check_edge(core, task, from, part);
            }
        }
    }
}

fn check_edge(core: &mut Core<'_>, task: &mut Task, from: RegionId, to: RegionId) {
    if task.regions.region(from).cut.contains(&to) {
        return;
    }
    let frontier = Frontier {
        from,
        to,
        distance: 0,
    };
    let (src, dst) = task.places(from, to);
    if core.call_edge(src, dst).is_some() {
        return;
    }
    let Some(mut all) = core.pre_conjuncts(task, src, to) else {
        remove(core, task, frontier, Cut::NoStep);
        return;
    };
    all.extend(task.known_at(from));
    if core.ask(task, Question::Edge, &all).is_unsat() {
        remove(core, task, frontier, Cut::Edge);
    }
}

/// Whether region, step and region exclude each other, whatever the tests did.
pub(crate) fn excluded_locally(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    pieces: &[Term],
) -> bool {
    let key = (frontier.from, frontier.to);
    let mut all = pieces.to_vec();
    let local = match core.options.uses(Technique::Local) {
        true => core.options.strategy.local,
        false => Local::Nothing,
    };
    match local {
        Local::Nothing => return false,
        Local::Target => {}
        Local::Pair => all.extend(task.known_at(frontier.from)),
    }
    if task.attempts.not_local.get(&key) == Some(&task.invariants_version) {
        return false;
    }
    let step = task.places(frontier.from, frontier.to);
    // The thesis's check of targets is always made.
    if !core.local_checks.is_due(step) && local == Local::Pair {
        return false;
    }
    match core.ask_patiently(task, Question::Local, &all) {
        Answer::Unsat(_) => {
            core.local_checks.helped(&step);
            return true;
        }
        Answer::Sat(_) if mutated(Mutant::SatIsUnsatLocally) => return true,
        Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatLocally) => return true,
        _ => {}
    }
    task.attempts.not_local.insert(key, task.invariants_version);
    false
}
