//! Not-may summaries: which of them serve at a call (NOTMAY-PRE-USESUMMARY of the SMASH paper,
//! Fig. 10), and how a finished task becomes one (CREATE-NOTMAYSUMMARY, Fig. 8).
//!
//! Soundness: a summary's invariants come from the callee's own splits and cuts, each
//! justified by one edge, whatever the context was that asked.

use crate::certify::certificate;
use crate::core::Core;
use crate::events::{Event, ProcedureEvent, Question};
use crate::smash::call::CallSite;
use crate::smash::interface;
use crate::smash::summaries::{Asker, Summary, Use};
use crate::smash::weaken;
use crate::task::Task;
use attest_model::graph::Loc;
use attest_term::Term;

/// The complements of the summaries' preconditions, as terms over the state before the call:
/// where one of these is false, the call does not lead into the region.
pub(super) fn use_summaries(
    core: &mut Core<'_>,
    task: &mut Task,
    call: &CallSite,
    post: Term,
    ghosts: &[(Term, Term)],
) -> Vec<Term> {
    let mut known = applicable(core, task, call, post, ghosts);
    if let Some((post, ghosts)) = weaken::weaker(core, task, call.src, call.callee, &call.rest) {
        known.extend(applicable(core, task, call, post, &ghosts));
    }
    let mut pieces = Vec::new();
    for (number, bindings) in known {
        let pre = core.smash.summaries[number].pre;
        let Some(pre) = interface::at_call(core, task, call.src, pre, &bindings) else {
            continue;
        };
        pieces.push(core.terms.not(pre));
        let used = Use {
            location: call.src,
            summary: number,
            ghosts: bindings.iter().map(|(_, term)| *term).collect(),
        };
        if !task.uses.contains(&used) {
            task.uses.push(used);
            let (what, function) = (ProcedureEvent::NotMayUsed, call.callee);
            core.tell(task, Event::Procedure { what, function });
        }
    }
    pieces
}

/// Who asks at a call, where what is known of a procedure serves a single call.
pub(super) fn asker(core: &Core<'_>, task: &Task, src: Loc) -> Option<Asker> {
    let shared = core.options.strategy.calls.not_may();
    (!shared).then_some((task.number, src))
}

/// Summaries that exclude this outcome and post-condition for some entry states.
fn applicable(
    core: &mut Core<'_>,
    task: &Task,
    call: &CallSite,
    post: Term,
    ghosts: &[(Term, Term)],
) -> Vec<(usize, Vec<(Term, Term)>)> {
    let mut found = Vec::new();
    let asker = asker(core, task, call.src);
    let known: Vec<usize> = (0..core.smash.summaries.len())
        .rev()
        .filter(|i| {
            let summary = &core.smash.summaries[*i];
            let offered = asker.is_none() || summary.asker == asker;
            summary.function == call.callee && summary.outcome == call.outcome && offered
        })
        .take(core.options.tuning.smash.summaries)
        .collect();
    for number in known {
        let summary = &core.smash.summaries[number];
        if core.smash.contracts.contains(&number) {
            continue;
        }
        if summary.post == post {
            found.push((number, ghosts.to_vec()));
        } else if summary.ghosts.is_empty() {
            let wider = summary.post;
            if is_within(core, task, post, wider) {
                found.push((number, Vec::new()));
            }
        }
    }
    found
}

/// Whether one post-condition implies another; the same two meet at many frontiers.
fn is_within(core: &mut Core<'_>, task: &Task, post: Term, wider: Term) -> bool {
    if let Some(known) = core.smash.within.get(&(post, wider)) {
        return *known;
    }
    let outside = core.terms.not(wider);
    let within = core
        .ask(task, Question::Generalise, &[post, outside])
        .is_unsat();
    core.smash.within.insert((post, wider), within);
    within
}

/// The callee's finished region graph as a not-may summary.
pub(super) fn summarise(core: &mut Core<'_>, task: &Task) {
    let Some(query) = &task.query else {
        return;
    };
    let (key, ghosts) = (query.key, query.ghosts.clone());
    let mut invariants = certificate::certificate(core, task);
    let entry = core.graph.functions[task.function.0 as usize].entry;
    let mut pre = core.terms.bool(true);
    if let Some((_, term)) = invariants.iter_mut().find(|(loc, _)| *loc == entry) {
        *term = drop_implied(core, task, *term);
        pre = *term;
    }
    core.smash.summaries.push(Summary {
        function: key.function,
        asker: key.asker,
        outcome: key.outcome,
        ghosts: ghosts.into_iter().map(|(ghost, _)| ghost).collect(),
        pre,
        post: key.post,
        invariants,
        uses: task.uses.clone(),
    });
    let (what, function) = (ProcedureEvent::NotMay, key.function);
    core.tell(task, Event::Procedure { what, function });
}

/// A predicate without the conjuncts that follow from the others: a caller would have
/// to carry them to where they are seen to be true.
fn drop_implied(core: &mut Core<'_>, task: &Task, predicate: Term) -> Term {
    let mut parts = core.flatten(vec![predicate]);
    parts.sort_by_key(|part| core.terms.dag_size(&[*part]));
    let mut at = parts.len();
    while at > 0 {
        at -= 1;
        let mut all = parts.clone();
        let part = all.remove(at);
        all.push(core.terms.not(part));
        if core
            .ask_briefly(task, Question::Generalise, &all)
            .is_unsat()
        {
            parts.remove(at);
        }
    }
    core.terms.all(&parts)
}
