//! Ghosts that stand for objects, in the summaries of a proof.
//!
//! A step takes the object of a ghost for one that was there before it, as it is
//! wherever a caller has its own object or that of a pointer for the ghost. The
//! checker knows this of pointers in the state and not of ghosts. So a proof
//! says it: such a ghost is below the counter of objects, at all locations of the
//! summary. The counter never falls, and at a call the checker sees that what the
//! caller has for the ghost is below it.

use crate::core::Core;
use crate::smash::summaries::Summary;
use crate::smash::summaries::Use;
use crate::task::Task;
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::step::{Part, Vocabulary};
use attest_exec::symbolic::value::SymVal;
use attest_model::FnId;
use attest_model::graph::{Loc, LocKind};
use attest_term::{Bv, Op, Sort, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Says of the summaries' ghosts that stand for objects that they are older than what is
/// made. `main` has the uses of the program's entry.
pub(crate) fn bound_ghosts(
    core: &mut Core<'_>,
    task: &Task,
    summaries: &mut [(usize, Summary)],
    main: &[Use],
) {
    let functions = summaries.iter().map(|(_, summary)| summary.function);
    let functions: BTreeSet<FnId> = functions.chain([task.function]).collect();
    let pointers: FxHashSet<Term> = functions
        .into_iter()
        .flat_map(|function| pointers(&core.names_of(function).vocabulary))
        .collect();
    let statics = core.program.first_dynamic().0;
    let is_there = |object: Term| match core.terms.op(object) {
        Op::ReadPtrObject { version: BASE } => true,
        Op::Var(_) => pointers.contains(&object),
        _ => {
            let number = core.terms.bv_const(object).and_then(Bv::to_u128);
            number.is_some_and(|number| number < statics.into())
        }
    };
    let objects = objects(&core.terms, summaries, main, &is_there);
    for (_, summary) in summaries {
        let ghosts = summary.ghosts.clone();
        let mut older: Vec<Term> = Vec::new();
        let vocabulary = core.names_of(summary.function).vocabulary;
        for ghost in ghosts.into_iter().filter(|ghost| objects.contains(ghost)) {
            older.push(core.terms.ult(ghost, vocabulary.next_object()));
        }
        if older.is_empty() {
            continue;
        }
        let mut known: FxHashMap<_, _> = summary.invariants.iter().copied().collect();
        let locations = core.graph.locations.iter().zip(0..);
        let inner = locations.filter(|(location, _)| {
            location.function == Some(summary.function)
                && matches!(
                    location.kind,
                    LocKind::Entry
                        | LocKind::LoopHead
                        | LocKind::BeforeCall
                        | LocKind::AfterCall
                        | LocKind::Inner
                )
        });
        for (_, number) in inner {
            let all = known.remove(&Loc(number));
            let all: Vec<Term> = older.iter().copied().chain(all).collect();
            known.insert(Loc(number), core.terms.all(&all));
        }
        summary.invariants = known.into_iter().collect();
        summary.invariants.sort_unstable_by_key(|(loc, _)| *loc);
    }
}

/// The ghosts that stand for objects: something is read there, here or in a summary that is
/// used, and all that callers have for them are objects too.
fn objects(
    terms: &Terms,
    summaries: &[(usize, Summary)],
    main: &[Use],
    is_there: &dyn Fn(Term) -> bool,
) -> FxHashSet<Term> {
    let ghosts: FxHashMap<usize, &[Term]> = summaries
        .iter()
        .map(|(number, summary)| (*number, &*summary.ghosts))
        .collect();
    let uses = || {
        let inner = summaries.iter().flat_map(|(_, summary)| &summary.uses);
        inner.chain(main)
    };
    // What callers have for each ghost.
    let given: Vec<(Term, Term)> = uses()
        .flat_map(|used| {
            let named = ghosts.get(&used.summary).copied().unwrap_or_default();
            named.iter().copied().zip(used.ghosts.iter().copied())
        })
        .collect();
    let mut objects: FxHashSet<Term> = FxHashSet::default();
    for (_, summary) in summaries {
        let invariants = summary.invariants.iter().map(|(_, invariant)| *invariant);
        let roots: Vec<Term> = invariants.chain([summary.post]).collect();
        for read in terms.reads(&roots) {
            choices(terms, terms.arg(read, 0), &mut |object| {
                objects.extend(is_ghost(terms, object).then_some(object));
            });
        }
    }
    loop {
        let before = objects.len();
        for (ghost, term) in &given {
            if objects.contains(ghost) {
                choices(terms, *term, &mut |object| {
                    objects.extend(is_ghost(terms, object).then_some(object));
                });
            }
        }
        if objects.len() == before {
            break;
        }
    }
    loop {
        let before = objects.len();
        for (ghost, term) in &given {
            let mut all = true;
            choices(terms, *term, &mut |object| {
                all &= objects.contains(&object) || is_there(object);
            });
            if !all {
                objects.remove(ghost);
            }
        }
        if objects.len() == before {
            return objects;
        }
    }
}

/// The objects of all pointers in the state of a function.
fn pointers(vocabulary: &Vocabulary) -> Vec<Term> {
    let all = vocabulary.parts();
    let objects = all.filter(|(term, part)| {
        let value = match part {
            Part::Reg(reg, _) => vocabulary.reg(*reg),
            Part::Global(global, _) => vocabulary.global(*global),
            Part::Result(..) | Part::NextObject => return false,
        };
        matches!(value, SymVal::Ptr(pointer) if pointer.object == *term)
    });
    objects.map(|(term, _)| term).collect()
}

/// All that a term may be by the choices in it.
fn choices(terms: &Terms, term: Term, each: &mut dyn FnMut(Term)) {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match terms.op(term) {
            Op::Ite => work.extend([terms.arg(term, 1), terms.arg(term, 2)]),
            _ => each(term),
        }
    }
}

fn is_ghost(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Var(symbol) => {
            terms.symbol(symbol).kind == SymbolKind::Ghost && terms.sort(term) == Sort::BitVec(32)
        }
        _ => false,
    }
}
