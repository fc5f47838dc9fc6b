//! Candidates about every element of an array, from the tests' states.
//!
//! Loops walk over arrays, so what they establish is mostly about a stretch
//! of one: up to the counter, from the counter on, or the whole. For each
//! array that the code walks over and each such stretch, the elements in the
//! stored states suggest what all elements there are: one value, a function of
//! the index, the other array's element, bounded, in order, or compared with
//! a variable. The candidates have the index `k` as a free symbol
//! ([`crate::invariants::universal`]) and are proved by [`crate::invariants::houdini`] like all others.
//!
//! - `walks`: where the procedure walks over arrays;
//! - `material`: what candidates of a location are made of;
//! - `rows`: what the stored states say;
//! - `claims`: what all elements of a segment have in common.

mod claims;
mod material;
mod rows;
mod walks;

use crate::core::Core;
use crate::invariants::places::Place;
use crate::invariants::pools::Walks;
use crate::invariants::universal;
use crate::task::Task;
use attest_exec::symbolic::memory::BASE;
use attest_model::ObjectId;
use attest_model::graph::Loc;
use attest_term::Term;
use claims::about_stretch;
use material::{Material, is_there, material, some_states};
use rows::rows;
use rustc_hash::FxHashSet;
use walks::walks;

/// A stretch of an array: from an index, or the start, up to another.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    /// An end, and how many elements after it the stretch begins.
    pub from: Option<(usize, i128)>,
    pub to: usize,
}

/// Candidates about the elements of arrays at a location.
pub(crate) fn array_candidates(core: &mut Core<'_>, task: &mut Task, loc: Loc) -> Vec<Term> {
    let walks = walks(core, task);
    if walks.is_empty() || core.nodes_at(task, loc).is_empty() {
        return Vec::new();
    }
    let mut facts = untagged(core, task, loc, &walks);
    let Some(material) = material(core, task, loc, &walks) else {
        return facts;
    };
    let rows = rows(core, task, loc, &material);
    for at in 0..material.arrays.len() {
        // What is true of the whole is not said of the ends of it.
        let mut whole: Vec<Term> = Vec::new();
        let mut own: Vec<Term> = Vec::new();
        for stretch in stretches(&material) {
            let mut found = about_stretch(core, task, &material, &rows, at, stretch);
            match stretch.from {
                None if stretch.to == material.constant_ends => {
                    whole = found.iter().map(|(claim, _)| *claim).collect();
                }
                None => {}
                Some(_) => found.retain(|(claim, _)| !whole.contains(claim)),
            }
            let found = found
                .into_iter()
                .take(core.options.tuning.arrays.segment_candidates);
            own.extend(found.map(|(_, fact)| fact));
        }
        let mut seen = FxHashSet::default();
        own.retain(|fact| core.terms.bool_const(*fact).is_none() && seen.insert(*fact));
        own.truncate(core.options.tuning.arrays.candidates / material.arrays.len());
        facts.extend(own);
    }
    facts
}

/// That objects which are walked over hold no pointers.
fn untagged(core: &mut Core<'_>, task: &Task, loc: Loc, walks: &Walks) -> Vec<Term> {
    let mut facts = Vec::new();
    let index = universal::index(core);
    let nodes = some_states(core, task, loc);
    for (_, array, _) in walks.iter() {
        let object = array.place.object;
        if !is_there(core, task, loc, object) {
            continue;
        }
        let tag = core.terms.read_tag(BASE, object, index);
        let fact = core.terms.not(tag);
        let place = Place {
            bytes: None,
            object,
            base: None,
            start: 0,
            stride: 1,
        };
        if !facts.contains(&fact) {
            let holds = nodes.iter().all(|node| {
                let number = core
                    .value_at(task, *node, object)
                    .map_or(0, |v| v.low_u64());
                let state = core.forest.node(*node).state.as_ref();
                state.is_none_or(|s| s.memory().holds_no_pointer(ObjectId(number as u32)))
            });
            if holds {
                core.universals.insert(fact, vec![place]);
                facts.push(fact);
            }
        }
    }
    facts
}

/// Up to each end, and from each that is no constant, or from right after it, up to another.
fn stretches(material: &Material) -> Vec<Stretch> {
    let ends = 0..material.ends.len();
    let mut out: Vec<Stretch> = ends.map(|to| Stretch { from: None, to }).collect();
    for from in 0..material.constant_ends {
        for to in 0..material.ends.len().min(material.constant_ends + 1) {
            for more in [0, 1] {
                let from = (to != from).then_some((from, more));
                out.extend(from.map(|from| Stretch {
                    from: Some(from),
                    to,
                }));
            }
        }
    }
    out
}
