//! Houdini over the candidates of all locations (Flanagan and Leino; algorithm notes 6.4).
//!
//! Start with everything that the tests did not break. A step that leads from
//! candidates that hold to one that does not refutes that one. What no step
//! refutes is inductive, by itself and whatever the tests were, and becomes
//! an invariant: a background fact of its location and a part of the proof.

use crate::algorithm::strategy::Candidates;
use crate::core::Core;
use crate::events::{Event, Question};
use crate::invariants::arrays;
use crate::invariants::candidates;
use crate::smash::frame;
use crate::smash::task_of_query;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_solver::Answer;
use attest_term::{Op, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// The last class of candidates that are checked together, stage by stage.
pub(crate) const STAGES: [u8; 3] = [1, 2, 3];

/// Looks for invariants at the first refinement and where a location is split again
/// and again; whether there are new ones.
pub(crate) fn learn(core: &mut Core<'_>, task: &mut Task, loc: Loc, splits: u32) -> bool {
    let only_here = core.options.strategy.candidates == Candidates::Invariants;
    if only_here && core.statistics.split() < core.options.tuning.invariants.first_at {
        return false;
    }
    let due = core
        .options
        .tuning
        .invariants
        .again_at
        .iter()
        .filter(|n| splits >= **n)
        .count() as u32
        + 1;
    let key = if due == 1 { Graph::ROOT } else { loc };
    let done = task.pools.learned.entry(key).or_default();
    if *done >= due {
        return false;
    }
    *done = due;
    let start = core.effort();
    let limits = &core.options.tuning.invariants;
    if task.pools.effort > start.mul_f64(limits.share) + limits.least {
        return false;
    }
    let found = houdini(core, task);
    task.pools.effort += core.effort().saturating_sub(start);
    found
}

/// Whether new invariants were found. The simple candidates go first: solver calls about
/// few are quick, and what they give is known in those about all.
fn houdini(core: &mut Core<'_>, task: &mut Task) -> bool {
    let locations: Vec<Loc> = (0..core.graph.locations.len() as u32)
        .map(Loc)
        .filter(|loc| core.is_inner(task, *loc))
        .collect();
    let mut sets: FxHashMap<Loc, Vec<Term>> = FxHashMap::default();
    for loc in &locations {
        sets.insert(*loc, ordered_candidates(core, task, *loc, locations.len()));
    }
    if task.query.is_some() {
        // A summary starts from whatever its invariant at the entry says.
        let entry = core.graph.functions[task.function.0 as usize].entry;
        sets.insert(entry, Vec::new());
    }
    let budget = houdini_budget(core);
    let mut found = false;
    let mut asked = 0;
    let mut stages = STAGES.into_iter().peekable();
    while let Some(stage) = stages.peek() {
        let mut part = FxHashMap::default();
        for (loc, all) in &sets {
            part.insert(*loc, up_to(core, *stage, all));
        }
        let count: usize = part.values().map(Vec::len).sum();
        if std::mem::replace(&mut asked, count) == count {
            stages.next();
            continue;
        }
        match inductive(core, task, &locations, part, budget) {
            Some(new) => found |= new,
            None => break,
        }
        if !weaken_constants(core, task, &mut sets, locations.len()) {
            stages.next();
        }
    }
    if task.query.is_none() && core.options.uses(Technique::Arrays) {
        found |= learn_arrays(core, task, &locations);
    }
    task.invariants_version += u32::from(found);
    task_of_query::keep_invariants(core, task);
    task.invariants_suffice = found && task.query.is_none() && excludes_targets(core, task);
    found
}

/// The candidates of one of so many locations, in the order in which they are looked at.
fn ordered_candidates(
    core: &mut Core<'_>,
    task: &mut Task,
    loc: Loc,
    locations: usize,
) -> Vec<Term> {
    let mut candidates = candidates::candidates_at(core, task, loc);
    if core.forest.at(loc).is_empty() {
        // As far as the tests go, nobody comes here.
        candidates = vec![core.terms.bool(false)];
    }
    candidates.truncate(core.options.tuning.invariants.program_candidates / locations.max(1));
    candidates.sort_by_key(|c| weight(core, *c));
    candidates
}

/// Where a variable that a loop looks at had one value in all tests and that is no
/// invariant, there are weaker candidates about it besides; whether they are new.
fn weaken_constants(
    core: &mut Core<'_>,
    task: &mut Task,
    sets: &mut FxHashMap<Loc, Vec<Term>>,
    locations: usize,
) -> bool {
    let mut any = false;
    let is_loop = |loc: &Loc| core.graph.location(*loc).kind == LocKind::LoopHead;
    let loops: Vec<Loc> = sets.keys().copied().filter(is_loop).collect();
    for loc in loops {
        let Some(candidates) = sets.get_mut(&loc) else {
            continue;
        };
        let known = task.invariants.get(&loc);
        let refuted = |c: &&Term| known.is_none_or(|known| !known.contains(c));
        let equations = candidates.iter().filter(refuted);
        let mut varying: Vec<Term> = equations.filter_map(|c| with_one_value(core, *c)).collect();
        if varying.is_empty() {
            continue;
        }
        // Those that the next steps look at.
        let conditions = candidates::conditions_at(core, task, loc);
        let mentioned = core.terms.reachable(&conditions);
        varying.retain(|variable| mentioned.contains(variable));
        if task.pools.vary(loc, varying) {
            *candidates = ordered_candidates(core, task, loc, locations);
            any = true;
        }
    }
    any
}

/// The variable of an equation between it and a number.
fn with_one_value(core: &Core<'_>, candidate: Term) -> Option<Term> {
    if core.terms.op(candidate) != Op::Eq {
        return None;
    }
    let (a, b) = (core.terms.arg(candidate, 0), core.terms.arg(candidate, 1));
    match (core.terms.bv_const(a), core.terms.bv_const(b)) {
        (None, Some(_)) => Some(a),
        (Some(_), None) => Some(b),
        _ => None,
    }
}

/// Whether no step leads from the invariants to a target, whatever the regions are.
fn excludes_targets(core: &mut Core<'_>, task: &Task) -> bool {
    for target in core.targets.clone() {
        for edge in core.graph.incoming[target.0 as usize].clone() {
            let src = core.graph.edge(edge).src;
            if core.call_edge(src, target).is_some() {
                return false;
            }
            let Some(mut all) = core.pre_of(task, src, target, &[]) else {
                continue;
            };
            all.extend(task.invariants.get(&src).into_iter().flatten());
            if !core.ask_briefly(task, Question::Induction, &all).is_unsat() {
                return false;
            }
        }
    }
    true
}

/// The same over candidates about all elements of arrays, with what is known by then.
fn learn_arrays(core: &mut Core<'_>, task: &mut Task, locations: &[Loc]) -> bool {
    let budget = houdini_budget(core);
    let mut sets: FxHashMap<Loc, Vec<Term>> = FxHashMap::default();
    for loc in locations {
        sets.insert(*loc, arrays::array_candidates(core, task, *loc));
    }
    inductive(core, task, locations, sets, budget).unwrap_or(false)
}

/// The order in which candidates are looked at: equations say most and cost least, then
/// come simple comparisons, sums, and at last disjunctions.
pub(crate) fn weight(core: &Core<'_>, candidate: Term) -> (u8, usize) {
    let size = core.terms.dag_size(&[candidate]);
    let class = match core.terms.op(candidate) {
        Op::Eq => 0,
        Op::Or => 3,
        _ if size <= core.options.tuning.invariants.simple_terms => 1,
        _ => 2,
    };
    (class, size)
}

/// The candidates of the classes up to this one.
pub(crate) fn up_to(core: &Core<'_>, class: u8, candidates: &[Term]) -> Vec<Term> {
    let belongs = |c: &&Term| weight(core, **c).0 <= class;
    candidates.iter().filter(belongs).copied().collect()
}

/// Adds the inductive part of these to the invariants; whether there was any, if there
/// was time to find out.
pub(crate) fn inductive(
    core: &mut Core<'_>,
    task: &mut Task,
    locations: &[Loc],
    mut sets: FxHashMap<Loc, Vec<Term>>,
    budget: Duration,
) -> Option<bool> {
    for (loc, candidates) in &mut sets {
        let known = task.invariants.get(loc);
        candidates.retain(|c| known.is_none_or(|known| !known.contains(c)));
    }
    if sets.values().all(Vec::is_empty) {
        return Some(false);
    }
    let mut work: BTreeSet<(Loc, Loc)> = BTreeSet::new();
    for edge in &core.graph.edges {
        let at_start = matches!(
            core.graph.location(edge.src).kind,
            LocKind::Root | LocKind::Entry
        );
        if mutated(Mutant::StartSkipped) && at_start {
            continue;
        }
        if sets.contains_key(&edge.dst) {
            work.insert((edge.src, edge.dst));
        }
    }
    while let Some((src, dst)) = work.pop_first() {
        if core.effort() > budget || core.out_of_limits(task).is_some() {
            return None;
        }
        if !filter(core, task, src, dst, &mut sets, budget) {
            continue;
        }
        for edge in &core.graph.outgoing[dst.0 as usize] {
            let after = core.graph.edge(*edge).dst;
            if sets.contains_key(&after) {
                work.insert((dst, after));
            }
        }
    }
    let mut found = false;
    for loc in locations {
        let new = sets.remove(loc).unwrap_or_default();
        found |= !new.is_empty();
        for fact in &new {
            core.tell(
                task,
                Event::Invariant {
                    loc: *loc,
                    fact: *fact,
                    maker: maker(core, task, *fact),
                },
            );
        }
        task.invariants.entry(*loc).or_default().extend(new);
    }
    Some(found)
}

/// The name of the technique that made a fact.
pub(crate) fn maker(core: &Core<'_>, task: &Task, fact: Term) -> &'static str {
    let known = task.pools.makers.get(&fact).map(|maker| maker.name());
    let arrays = core.universals.contains_key(&fact);
    known.unwrap_or(if arrays { "arrays" } else { "unreached" })
}

/// When a search that starts now is to be given up.
fn houdini_budget(core: &Core<'_>) -> Duration {
    let now = core.effort();
    let limits = &core.options.tuning.invariants;
    let allowed = now.mul_f64(limits.share * 2.0) + limits.least * 2;
    now + allowed.min(core.effort_left() / 4)
}

/// Drops the candidates of `dst` that a step from `src` breaks; whether there were any.
fn filter(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    dst: Loc,
    sets: &mut FxHashMap<Loc, Vec<Term>>,
    budget: Duration,
) -> bool {
    if core.call_edge(src, dst).is_some() {
        return filter_call(core, task, src, dst, sets);
    }
    let Some(step) = core.pre_of(task, src, dst, &[]) else {
        return false;
    };
    let mut dropped = false;
    // Parts of the candidates that are asked about at once; halved where it is too hard.
    let mut parts = in_parts(core, &sets[&dst]);
    while let Some(part) = parts.pop() {
        let part: Vec<Term> = part
            .into_iter()
            .filter(|c| sets[&dst].contains(c))
            .collect();
        if part.is_empty() {
            continue;
        }
        let after: Vec<Term> = part
            .iter()
            .map(|c| core.pre_of_one(task, src, dst, *c))
            .collect();
        let broken: Vec<Term> = after.iter().map(|term| core.terms.not(*term)).collect();
        let mut all = step.clone();
        all.push(core.terms.any(&broken));
        all.extend(task.invariants.get(&src).into_iter().flatten());
        all.extend(sets.get(&src).into_iter().flatten());
        let lost: Vec<Term> = match core.ask_briefly(task, Question::Induction, &all) {
            Answer::Unsat(_) => continue,
            Answer::Sat(_) if mutated(Mutant::RefutedKept) => continue,
            Answer::Sat(model) => {
                let values = model.values(&core.terms, &after);
                let pairs = part.iter().zip(values);
                let lost = pairs.filter(|(_, v)| v.as_bool() != Some(true));
                let lost: Vec<Term> = lost.map(|(c, _)| *c).collect();
                parts.push(part.clone());
                // A model that breaks nothing would be the solver's mistake: give up on all.
                if lost.is_empty() { part } else { lost }
            }
            Answer::Unknown(_) if part.len() > 1 && core.effort() < budget => {
                let half = part.len() / 2;
                parts.extend([part[half..].to_vec(), part[..half].to_vec()]);
                continue;
            }
            Answer::Unknown(_) => part,
        };
        dropped = true;
        if let Some(set) = sets.get_mut(&dst) {
            set.retain(|c| !lost.contains(c));
        }
        if src == dst {
            // What was dropped was assumed before the step, too.
            parts = in_parts(core, &sets[&dst]);
        }
    }
    dropped
}

/// Candidates in parts that are asked about at once: all of them, but few about arrays,
/// each of which has many instances.
fn in_parts(core: &Core<'_>, candidates: &[Term]) -> Vec<Vec<Term>> {
    let arrays = candidates
        .first()
        .is_some_and(|c| core.universals.contains_key(c));
    let most = if arrays {
        core.options.tuning.invariants.array_candidates
    } else {
        candidates.len().max(1)
    };
    candidates.chunks(most).map(<[Term]>::to_vec).collect()
}

/// Over a call only what it leaves as it is can be kept, and that held before.
fn filter_call(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    dst: Loc,
    sets: &mut FxHashMap<Loc, Vec<Term>>,
) -> bool {
    let mut kept = Vec::new();
    let candidates = sets[&dst].clone();
    for candidate in &candidates {
        if core.universals.contains_key(candidate) || !frame::is_framed(core, task, src, *candidate)
        {
            continue;
        }
        let mut all = vec![core.terms.not(*candidate)];
        all.extend(task.invariants.get(&src).into_iter().flatten());
        all.extend(sets.get(&src).into_iter().flatten());
        if core.ask_briefly(task, Question::Induction, &all).is_unsat() {
            kept.push(*candidate);
        }
    }
    let dropped = kept.len() < candidates.len();
    sets.insert(dst, kept);
    dropped
}
