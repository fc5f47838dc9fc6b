//! Inductive generalisation of what a split is about (algorithm notes 6.5; CTIGAR's step).
//!
//! A region is split by a cube of states that can cross, and no test is known
//! to come there. If no step leads into the cube from outside of it, its
//! complement is an invariant and there is no need for a split. Literals are
//! dropped from the cube as long as that stays so: the tests' states say first
//! which ones, by evaluation alone, and the solver is asked only where no
//! state is in the larger cube.

use crate::candidates;
use crate::core::Core;
use crate::events::{Event, Question};
use crate::houdini;
use crate::task::Task;
use attest_model::graph::{Graph, Loc};
use attest_term::{Program as Compiled, Term};

/// Literals of a cube that is tried.
const MOST_LITERALS: usize = 6;
/// How often that may fail at a location.
const HOPE: u32 = 8;

/// Makes the complement of a cube an invariant of a location, if it is one; whether it is.
pub(crate) fn learn_lemma(core: &mut Core<'_>, task: &mut Task, loc: Loc, cube: &[Term]) -> bool {
    if task.query.is_some() || cube.is_empty() || cube.len() > MOST_LITERALS {
        return false;
    }
    let sources: Vec<Loc> = core.graph.incoming[loc.0 as usize]
        .iter()
        .map(|edge| core.graph.edge(*edge).src)
        .collect();
    let by_calls = sources
        .iter()
        .any(|src| core.call_edge(*src, loc).is_some());
    let hope = task.pools.lemmas.entry(loc).or_insert(HOPE);
    if by_calls || !sources.contains(&loc) || *hope == 0 {
        return false;
    }
    *hope -= 1;
    let mut cube = cube.to_vec();
    if is_visited(core, task, loc, &cube) || !is_closed(core, task, loc, &sources, &cube) {
        return false;
    }
    let mut at = cube.len();
    while at > 0 && cube.len() > 1 {
        at -= 1;
        let mut less = cube.clone();
        less.remove(at);
        if !is_visited(core, task, loc, &less) && is_closed(core, task, loc, &sources, &less) {
            cube = less;
        }
    }
    let all = core.terms.all(&cube);
    let fact = core.terms.not(all);
    task.invariants.entry(loc).or_default().push(fact);
    task.pools.makers.insert(fact, crate::Technique::Lemmas);
    *task.pools.lemmas.entry(loc).or_default() += 2;
    task.invariants_version += 1;
    let maker = houdini::maker(core, task, fact);
    core.tell(task, Event::Invariant { loc, fact, maker });
    true
}

/// Whether a test's state is in a cube.
fn is_visited(core: &mut Core<'_>, task: &Task, loc: Loc, cube: &[Term]) -> bool {
    let all = core.terms.all(cube);
    let outside = core.terms.not(all);
    let outside = Compiled::compile(&core.terms, outside);
    candidates::which_hold(core, task, core.nodes_at(task, loc), &outside) != [true]
}

/// Whether no step leads into a cube from outside of it.
fn is_closed(core: &mut Core<'_>, task: &Task, loc: Loc, sources: &[Loc], cube: &[Term]) -> bool {
    let all = core.terms.all(cube);
    let outside = core.terms.not(all);
    sources.iter().all(|src| {
        let Some(mut question) = core.pre_of(task, *src, loc, cube) else {
            return true;
        };
        if *src != Graph::ROOT {
            question.extend(task.invariants.get(src).into_iter().flatten());
        }
        if *src == loc {
            question.push(outside);
        }
        core.ask_briefly(task, Question::Induction, &question)
            .is_unsat()
    })
}
