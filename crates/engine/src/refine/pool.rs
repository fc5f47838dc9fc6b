//! Refinement by candidates: the region before a frontier is split by facts that hold of all
//! tests, where the solver needs few of them to exclude the step (notes 6.3).

use crate::core::Core;
use crate::events::Cut;
use crate::events::Question;
use crate::forest::NodeId;
use crate::invariants::candidates;
use crate::invariants::houdini;
use crate::invariants::houdini::STAGES;
use crate::refine::facts;
use crate::refine::refusal::{Refusal, Suggestion};
use crate::regions::frontier::Frontier;
use crate::task::Task;
use crate::techniques::Technique;
use attest_solver::Answer;
use attest_term::Term;
use rustc_hash::FxHashSet;

/// Splits by candidates that exclude the step together, if there are such: "tests
/// suggest, the solver selects". The witness satisfies them, so it is separated.
pub(crate) fn suggest(
    core: &mut Core<'_>,
    task: &mut Task,
    refusal: &Refusal<'_>,
) -> Option<Suggestion> {
    let (frontier, node, pieces) = (refusal.frontier, refusal.witness.node, refusal.pre);
    let loc = task.regions.region(frontier.from).loc;
    let pool = candidates::candidates_at(core, task, loc);
    by_candidates(core, task, frontier, node, pieces, pool, "candidates").or_else(|| {
        match core.options.uses(Technique::Regions) {
            true => by_region(core, task, frontier, node, pieces),
            false => None,
        }
    })
}

/// The same with what holds of the tests' states in this region alone: what is true of
/// no loop as a whole may be true of the part of it that an earlier split left.
fn by_region(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
) -> Option<Suggestion> {
    let region = task.regions.region(frontier.from);
    let (loc, witnesses) = (region.loc, region.witnesses.clone());
    if witnesses.len() < core.options.tuning.refinement.region_states
        || witnesses.len() == core.nodes_at(task, loc).len()
    {
        return None;
    }
    let tests = witnesses.iter().map(|w| core.forest.node(*w).test);
    let tests: FxHashSet<NodeId> = tests.collect();
    if tests.len() < core.options.tuning.refinement.region_tests {
        return None;
    }
    let hope = task
        .pools
        .hope
        .entry(loc)
        .or_insert(core.options.tuning.refinement.region_failures);
    *hope = hope.checked_sub(1)?;
    let pool = candidates::guessed(core, task, loc, &witnesses);
    let found = by_candidates(core, task, frontier, node, pieces, pool, "region");
    if found.is_some() {
        *task.pools.hope.entry(loc).or_default() += 3;
    }
    found
}

/// Splits by the fewest of these that exclude the step.
fn by_candidates(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    mut pool: Vec<Term>,
    generator: &'static str,
) -> Option<Suggestion> {
    if pool.is_empty() {
        return None;
    }
    pool.sort_by_key(|c| houdini::weight(core, *c));
    let mut reason = None;
    let mut asked = 0;
    for stage in STAGES {
        let part = houdini::up_to(core, stage, &pool);
        if part.len() == asked {
            continue;
        }
        asked = part.len();
        let mut all = task.known_at(frontier.from);
        all.extend(pieces);
        all.extend(part);
        match core.ask_briefly(task, Question::Generalise, &all) {
            Answer::Unsat(found) => reason = Some(found),
            Answer::Sat(_) => continue,
            Answer::Unknown(_) => {}
        }
        break;
    }
    let reason = reason?;
    let mut used: Vec<Term> = pool.into_iter().filter(|c| reason.contains(c)).collect();
    if used.is_empty() {
        return Some(Suggestion::NoEdge(Cut::Facts));
    }
    // Those that come late are dropped first, and the simple ones are early.
    used.sort_by_key(|c| core.terms.dag_size(&[*c]));
    let used = facts::fewest(core, task, frontier, used, pieces);
    let fact = core.terms.all(&used);
    if core.is_true_at(task, node, fact) != Some(true) {
        return None;
    }
    let rho = core.terms.not(fact);
    Some(Suggestion::Split { rho, generator })
}
