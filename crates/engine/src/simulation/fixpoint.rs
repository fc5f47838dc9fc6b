//! The merged states at every location: steps are taken from what is known of their source
//! until nothing new is known anywhere.

use super::merged::{Merged, Merger, Simulation};
use super::step_question::{Source, escape, kept, parts_of};
use super::tracked;
use crate::core::Core;
use crate::simulation::tracked::Places;
use crate::task::Task;
use attest_exec::Snapshot;
use attest_model::graph::{Graph, Loc};
use attest_solver::Answer;
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A simulation of the whole program.
pub(super) struct Run<'a> {
    pub places: &'a Places,
    /// States that runs reached, by location.
    pub samples: &'a FxHashMap<Loc, Vec<Snapshot>>,
    pub budget: Duration,
    pub known: FxHashMap<Loc, Simulation>,
    /// When each step was last taken: what changed since then is still to be done.
    pub done: FxHashMap<(Loc, Loc), u64>,
    pub clock: u64,
}

/// Steps that are to be taken: where their source is in the order, source and target.
pub(super) type Work = BTreeSet<(u32, Loc, Loc)>;

/// The states at every location that may be reached; none if time is up.
pub(super) fn simulate(
    core: &mut Core<'_>,
    task: &Task,
    places: &Places,
    samples: &FxHashMap<Loc, Vec<Snapshot>>,
    budget: Duration,
) -> Option<FxHashMap<Loc, Simulation>> {
    let mut run = Run {
        places,
        samples,
        budget,
        known: FxHashMap::default(),
        done: FxHashMap::default(),
        clock: 0,
    };
    let order = order(core);
    let mut work: Work = BTreeSet::new();
    push_edges(core, Graph::ROOT, &order, &mut work);
    while let Some((_, src, dst)) = work.pop_first() {
        if !core.is_inner(task, dst) {
            continue;
        }
        if core.call_edge(src, dst).is_some() {
            return None;
        }
        if follow(core, task, src, dst, &mut run)? {
            push_edges(core, dst, &order, &mut work);
        }
    }
    Some(run.known)
}

pub(super) fn push_edges(core: &Core<'_>, src: Loc, order: &[u32], work: &mut Work) {
    for edge in &core.graph.outgoing[src.0 as usize] {
        work.insert((order[src.0 as usize], src, core.graph.edge(*edge).dst));
    }
}

/// A number for each location: but for loops, steps go to larger ones.
pub(super) fn order(core: &Core<'_>) -> Vec<u32> {
    let count = core.graph.locations.len();
    let mut order = vec![0; count];
    let mut seen = vec![false; count];
    let mut next = count as u32;
    // What is left to do at each location of the path.
    let mut path = vec![(Graph::ROOT, 0)];
    seen[Graph::ROOT.0 as usize] = true;
    while let Some((loc, done)) = path.last_mut() {
        let outgoing = &core.graph.outgoing[loc.0 as usize];
        match outgoing.get(*done) {
            Some(edge) => {
                *done += 1;
                let dst = core.graph.edge(*edge).dst;
                if !std::mem::replace(&mut seen[dst.0 as usize], true) {
                    path.push((dst, 0));
                }
            }
            None => {
                next -= 1;
                order[loc.0 as usize] = next;
                path.pop();
            }
        }
    }
    order
}

/// Adds the states that a step leads to; whether there are new ones. None if time is up.
pub(super) fn follow(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    dst: Loc,
    run: &mut Run<'_>,
) -> Option<bool> {
    let Some(condition) = core.pre_of(task, src, dst, &[]) else {
        return Some(false);
    };
    let since = run.done.insert((src, dst), run.clock);
    let sources: Vec<Option<Merger>> = match run.known.get(&src) {
        None => vec![None],
        Some(before) => {
            let new = |state: &&Merger| since.is_none_or(|at| state.changed > at);
            let states = before.states.values().filter(new);
            states.map(|state| Some(state.clone())).collect()
        }
    };
    let at = run.known.remove(&dst);
    let first = at.is_none();
    let begun = run.clock;
    let mut now = match at {
        Some(now) => now,
        None => begin(core, task, dst, run),
    };
    let before = if src == dst {
        Some(&now)
    } else {
        run.known.get(&src)
    };
    let kept = kept(core, task, src, dst, &condition, &now, before);
    let followed = before.map_or(Vec::new(), |before| before.followed.clone());
    let mut looked_at = condition.clone();
    for (i, followed) in now.followed.iter().enumerate() {
        if !kept.iter().any(|(to, _)| *to == i) {
            looked_at.push(core.pre_of_one(task, src, dst, followed.term));
        }
    }
    let looked_at = parts_of(core, &looked_at);
    for state in sources {
        let source = Source {
            src,
            condition: &condition,
            followed: &followed,
            state: state.as_ref(),
            kept: &kept,
            looked_at: &looked_at,
        };
        follow_one(core, task, &source, dst, &mut now, run)?;
    }
    // A step that nothing takes leaves its target unreached.
    let changed = run.clock > begun;
    if !first || changed {
        run.known.insert(dst, now);
    }
    Some(changed)
}

/// What is tracked at a location, and the states there that runs reached: these need no
/// solver calls.
pub(super) fn begin(core: &mut Core<'_>, task: &Task, loc: Loc, run: &mut Run<'_>) -> Simulation {
    let mut begun = Simulation {
        limits: core.options.tuning.simulation,
        followed: tracked::followed(core, task, loc, run.places),
        states: BTreeMap::new(),
        mergers: 0,
    };
    let terms: Vec<Term> = begun.followed.iter().map(|f| f.term).collect();
    let nodes = core
        .forest
        .at(loc)
        .iter()
        .take(core.options.tuning.simulation.tested_states);
    let tested = nodes.filter_map(|node| core.forest.node(*node).state.as_ref());
    let roamed = run.samples.get(&loc).into_iter().flatten();
    for state in tested.chain(roamed) {
        let values = core.terms.eval_all(&terms, &core.view(task).state(state));
        run.clock += 1;
        begun.merge(&values, Merged::each(&values), run.clock);
        begun.forget(run.clock);
    }
    begun.mergers = 0;
    begun
}

/// Adds the states that a step leads to from some.
pub(super) fn follow_one(
    core: &mut Core<'_>,
    task: &Task,
    source: &Source<'_>,
    dst: Loc,
    now: &mut Simulation,
    run: &mut Run<'_>,
) -> Option<()> {
    let src = source.src;
    while !now.followed.is_empty() || now.states.is_empty() {
        if core.effort() > run.budget || core.out_of_limits(task).is_some() {
            return None;
        }
        let answer = escape(core, task, source, dst, now);
        run.clock += 1;
        match answer {
            Answer::Unsat(_) => {
                run.clock -= 1;
                break;
            }
            Answer::Sat(model) => {
                let followed = now.followed.iter();
                let terms: Vec<Term> = followed.map(|f| f.term).collect();
                let after = terms.iter();
                let after = after.map(|term| core.pre_of_one(task, src, dst, *term));
                let after: Vec<Term> = after.collect();
                let values = model.values(&core.terms, &after);
                let mut state = Merged::each(&values);
                if let Some(before) = source.state {
                    for (to, from) in source.kept {
                        state[*to] = before.known[*from].clone();
                    }
                }
                if !now.merge(&values, state, run.clock) {
                    // A model that leads to nothing new would be a mistake: forget all.
                    now.forget_all(run.clock);
                }
            }
            Answer::Unknown(_) => now.forget_all(run.clock),
        }
        now.forget(run.clock);
    }
    Some(())
}
