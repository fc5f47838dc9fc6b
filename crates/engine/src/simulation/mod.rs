//! The initial abstraction: which states the program can be in for each state of the rule.
//!
//! The YOGI study (section 8) starts with the predicates of the rule that
//! mention no parameters and no results, since almost every proof needs them.
//! Here it is the state of the rule itself, and what the program knows along
//! with it, as in property simulation (ESP; Das, Lerner, Seigle, PLDI 2002):
//! states of the program with the same state of the rule are merged, and those
//! with different ones are kept apart. Of a merged state is known which
//! variables have one value, and which are never zero: an error code that is
//! not zero goes with a device that was not started.
//!
//! The merged states are computed forward from the start. The solver finds a
//! state at the end of a step that is not among them, which is merged, until
//! no step leads out of them. They are inductive then, by themselves, and
//! become invariants like those of [`crate::invariants::houdini`]; a location without
//! states is not reached. Where a source's states have not changed, its steps
//! are not taken again. [`crate::simulation::tracked`] says what is tracked.
//!
//! - `tracked`: the variables and objects that are tracked;
//! - `merged`: the merged states, one for each state of the rule;
//! - `fixpoint`: taking steps until nothing new is known;
//! - `step_question`: the solver calls about one step;
//! - `facts`: merged states as formulas.

mod facts;
mod fixpoint;
pub(crate) mod merged;
mod step_question;
pub(crate) mod tracked;

use crate::algorithm::strategy::{Calls, Candidates};
use crate::core::Core;
use crate::events::{Cut, Event};
use crate::invariants::houdini;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::simulation::tracked::Places;
use crate::task::Task;
use crate::techniques::Technique;
use crate::testing::explore;
use crate::verdict::FailingTest;
use attest_exec::Snapshot;
use attest_model::graph::Loc;
use facts::formula;
use fixpoint::simulate;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Whether the first abstraction is to be made.
pub(crate) fn wants_initial_abstraction(core: &Core<'_>) -> bool {
    let strategy = &core.options.strategy;
    !core.testing.abstracted
        && !core.options.initial.is_empty()
        && core.options.uses(Technique::Initial)
        && strategy.calls == Calls::Inlined
        && strategy.candidates == Candidates::Invariants
}

/// Finds the states of the program for those of the rule everywhere and makes invariants
/// of them, if the effort suffices. Returns the counterexample if exploration finds one
/// meanwhile.
pub(crate) fn abstract_initially(search: &mut Search<'_>) -> Option<FailingTest> {
    let now = search.core.effort();
    let time =
        (search.core.effort_left() * 3 / 5).min(search.core.options.tuning.simulation.effort);
    // Registers say enough for most rules, and cost least; then comes where the watched
    // object is held.
    let samples = explore::samples(&mut search.core);
    let all = tracked::followed_places(&search.core, &search.task);
    let near = tracked::places_of_watched(&search.core, &all);
    let mut passes = vec![(Places::default(), 1), (near, 3), (all, 4)];
    if passes[1].0.is_empty() {
        passes.remove(1);
    }
    for (places, quarters) in passes {
        let budget = now + time * quarters / 4;
        if simulate_with(
            &mut search.core,
            &mut search.task,
            &places,
            &samples,
            budget,
        ) && cut_targets(&mut search.core, &mut search.task, budget)
        {
            break;
        }
        if let Some(test) = explore::explore_if_due(search) {
            return Some(test);
        }
    }
    None
}

/// Makes invariants of the states of the program, with those of some memory; whether
/// there was time for it.
fn simulate_with(
    core: &mut Core<'_>,
    task: &mut Task,
    places: &Places,
    samples: &FxHashMap<Loc, Vec<Snapshot>>,
    budget: Duration,
) -> bool {
    let locations = (0..core.graph.locations.len() as u32).map(Loc);
    let inner: Vec<Loc> = locations.filter(|loc| core.is_inner(task, *loc)).collect();
    let Some(mut known) = simulate(core, task, places, samples, budget) else {
        return false;
    };
    for loc in inner {
        let fact = match known.remove(&loc) {
            Some(mut simulation) => formula(core, &mut simulation),
            None => core.terms.bool(false),
        };
        if core.terms.bool_const(fact) == Some(true) {
            continue;
        }
        task.pools.makers.insert(fact, Technique::Initial);
        let maker = houdini::maker(core, task, fact);
        core.tell(task, Event::Invariant { loc, fact, maker });
        task.invariants.entry(loc).or_default().push(fact);
    }
    task.invariants_version += 1;
    true
}

/// Asks of every step into a target whether it is possible, before a search for ways to
/// one: mostly few are left, or none. Whether none is.
fn cut_targets(core: &mut Core<'_>, task: &mut Task, budget: Duration) -> bool {
    let mut none_left = true;
    for target in core.targets.clone() {
        for edge in core.graph.incoming[target.0 as usize].clone() {
            let src = core.graph.edge(edge).src;
            if core.call_edge(src, target).is_some() || core.effort() > budget {
                return false;
            }
            if !core.is_inner(task, src) {
                continue;
            }
            let pairs = task.regions.at(src).to_vec().into_iter();
            let pairs =
                pairs.flat_map(|from| task.regions.at(target).iter().map(move |to| (from, *to)));
            for (from, to) in pairs.collect::<Vec<_>>() {
                let frontier = Frontier {
                    from,
                    to,
                    distance: 0,
                };
                match core.pre_conjuncts(task, src, to) {
                    None => edges::remove(core, task, frontier, Cut::NoStep),
                    Some(pieces) if edges::excluded_locally(core, task, frontier, &pieces) => {
                        edges::remove(core, task, frontier, Cut::Local);
                    }
                    Some(_) => none_left = false,
                }
            }
        }
    }
    none_left
}
