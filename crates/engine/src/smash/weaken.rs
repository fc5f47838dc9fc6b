//! Queries with weaker post-conditions, as must summaries suggest them.
//!
//! A query asks whether a callee can end in the region after the call, and the region may say
//! much of what the callee is not about: its not-may summary would serve only that region.
//! Every path that some test took through the callee does not lead there, or the call would
//! have been crossed by it ([`crate::smash::must`]), and the solver says which parts of the region
//! each of them contradicts. So the query is asked of these parts only. If they are enough,
//! the summary serves every region that has them. If a test ends in the weaker
//! post-condition after all, its path is one more that says which parts matter.
//!
//! This is the interplay of the SMASH paper, section 4, taken one step further: what must
//! summaries know decides what not-may summaries are made of. Nothing of a proof depends on
//! it: a summary of a weaker post-condition says more, and it is proved like any other.

use crate::algorithm::strategy::Calls;
use crate::core::Core;
use crate::core::conjuncts;
use crate::events::{Event, ProcedureEvent, Question};
use crate::forest::NodeId;
use crate::regions::frontier::Frontier;
use crate::smash::Post;
use crate::smash::interface;
use crate::smash::must::Miss;
use crate::task::Task;
use crate::techniques::Technique;
use attest_model::FnId;
use attest_model::graph::Loc;
use attest_term::Term;

/// The weaker post-condition that was chosen for this at a call.
pub(crate) fn weaker(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    callee: FnId,
    rest: &[Term],
) -> Option<Post> {
    let parts = core.smash.weaker.parts.get(&(src, rest.into()))?.clone();
    interface::post_condition(core, task, src, callee, &parts)
}

/// Chooses a weaker post-condition: as few parts as make the tests and every known path
/// through the callee miss it.
pub(crate) fn weaken(
    core: &mut Core<'_>,
    task: &Task,
    frontier: Frontier,
    callee: FnId,
    rest: &[Term],
    missed: &[Miss],
) -> Option<Post> {
    let both = core.options.strategy.calls == Calls::Smash;
    if !both || !core.options.uses(Technique::QueryWeakening) {
        return None;
    }
    let src = task.regions.region(frontier.from).loc;
    let all = conjuncts::conjuncts(core, rest);
    let key = (src, rest.into());
    let known = core.smash.weaker.parts.get(&key);
    let mut parts: Vec<Term> = known.cloned().unwrap_or_default();
    let witnesses = &task.regions.region(frontier.from).witnesses;
    for node in witnesses
        .iter()
        .take(core.options.tuning.smash.weakened_states)
    {
        if !misses(core, task, *node, &parts) {
            let false_there = |part: &&Term| misses(core, task, *node, &[**part]);
            let smallest = |part: &&Term| core.terms.dag_size(&[**part]);
            parts.push(*all.iter().filter(false_there).min_by_key(smallest)?);
        }
    }
    for miss in missed {
        let mut asked = miss.conditions.clone();
        asked.extend(core.all_along(task, &miss.end, &parts));
        if !core.ask_briefly(task, Question::Must, &asked).is_unsat() {
            let more = miss.parts.iter().filter(|part| all.contains(part));
            parts.extend(more);
        }
    }
    // In the order of the region, so that the same parts make the same query.
    let parts: Vec<Term> = all.iter().filter(|p| parts.contains(p)).copied().collect();
    if parts.len() == all.len() {
        return None;
    }
    let weaker = interface::post_condition(core, task, src, callee, &parts)?;
    if core.smash.weaker.refuted.contains(&(callee, weaker.0)) {
        return None;
    }
    core.smash.weaker.parts.insert(key, parts);
    let (what, function) = (ProcedureEvent::Weaker, callee);
    core.tell(task, Event::Procedure { what, function });
    Some(weaker)
}

/// Whether a test's state after the call at a node is outside of some of these.
fn misses(core: &Core<'_>, task: &Task, before: NodeId, parts: &[Term]) -> bool {
    let activation = core.forest.node(before).activation;
    let nodes = &core.forest.activation(activation).nodes;
    let at = nodes.iter().position(|n| *n == before);
    let after = at.and_then(|at| nodes.get(at + 1));
    let is_false = |after: NodeId| {
        let mut parts = parts.iter();
        parts.any(|part| core.is_true_at(task, after, *part) == Some(false))
    };
    after.is_some_and(|after| is_false(*after))
}

/// A query was not answered with no.
pub(crate) fn refute_weaker(core: &mut Core<'_>, task: &Task, callee: FnId, post: Term) {
    core.smash.weaker.refuted.insert((callee, post));
    let (what, function) = (ProcedureEvent::Refuted, callee);
    core.tell(task, Event::Procedure { what, function });
}
