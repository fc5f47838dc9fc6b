//! Where a procedure walks over arrays: accesses whose place depends on the state, each as an
//! element of an array at an index.

use crate::core::Core;
use crate::invariants::places::Place;
use crate::invariants::pools::Array;
use crate::invariants::pools::Walks;
use crate::task::Task;
use attest_exec::symbolic::memory::{BASE, Pointer, SHADOW};
use attest_exec::symbolic::step::Part;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::Loc;
use attest_term::{Op, Term};
use std::sync::Arc;

/// Where the present procedure walks over arrays.
pub(super) fn walks(core: &mut Core<'_>, task: &mut Task) -> Walks {
    if let Some(known) = &task.pools.walks {
        return known.clone();
    }
    let mut found = Vec::new();
    let locations: Vec<Loc> = (core.graph.locations_of(task.function)).map(Loc).collect();
    for loc in locations {
        let mut accesses: Vec<(Pointer, u32, u32)> = Vec::new();
        let mut about = Vec::new();
        for transition in core.transitions(task, loc).iter() {
            about.extend(transition.condition());
            for value in transition.regs.iter().chain(&transition.state.globals) {
                if let SymVal::Bits(term) = value {
                    about.push(*term);
                }
            }
            for (at, value) in transition.state.memory.stores() {
                accesses.push((at, core.terms.width(value) / 8, BASE));
                about.push(value);
            }
        }
        for read in core.terms.reads(&about) {
            if let Op::Read {
                version: version @ (BASE | SHADOW),
                bytes,
            } = core.terms.op(read)
            {
                let object = core.terms.arg(read, 0);
                let offset = core.terms.arg(read, 1);
                accesses.push((Pointer { object, offset }, bytes, version));
            }
        }
        for (at, bytes, version) in accesses {
            let walk = walk(core, task, at, bytes, version);
            let new = |(array, index)| (loc, array, index);
            if let Some(walk) = walk.map(new)
                && !found.contains(&walk)
            {
                found.push(walk);
            }
        }
    }
    let found = Arc::new(found);
    task.pools.walks = Some(found.clone());
    found
}

/// An access whose place depends on the state, as an element of an array.
pub(super) fn walk(
    core: &mut Core<'_>,
    task: &Task,
    at: Pointer,
    bytes: u32,
    version: u32,
) -> Option<(Array, Term)> {
    let is_plain = core.terms.is_const(at.object) || task.names.object_parts.contains(&at.object);
    if !is_plain || core.terms.is_const(at.offset) || !(1..=8).contains(&bytes) {
        return None;
    }
    let own = offset_of(task, at.object);
    let mut place = Place {
        bytes: Some(bytes),
        object: at.object,
        base: None,
        start: 0,
        stride: 0,
    };
    let mut work = vec![at.offset];
    while let Some(term) = work.pop() {
        match core.terms.op(term) {
            Op::Add => work.extend(core.terms.args(term)),
            _ if Some(term) == own => place.base = own,
            _ => {
                let constant = core.terms.bv_const(term).and_then(|bv| bv.to_i128());
                match constant {
                    Some(value) => place.start += value,
                    None => place.stride = gcd(place.stride, factor(core, term)),
                }
            }
        }
    }
    if place.stride < i128::from(bytes) {
        // The offset itself walks.
        place.base = None;
        place.stride = bytes.into();
    }
    place.start = place.start.rem_euclid(place.stride);
    let array = Array {
        place,
        bytes,
        version,
    };
    let index = place.index(&mut core.terms, at.offset)?;
    Some((array, index))
}

/// The offset of the pointer in the state whose object this is.
pub(super) fn offset_of(task: &Task, object: Term) -> Option<Term> {
    let value = match task.names.vocabulary.part(object)? {
        Part::Reg(reg, false) => task.names.vocabulary.reg(reg),
        Part::Global(global, false) => task.names.vocabulary.global(global),
        _ => return None,
    };
    match value {
        SymVal::Ptr(p) => Some(p.offset),
        _ => None,
    }
}

/// A number that a term is a multiple of by its form.
pub(super) fn factor(core: &mut Core<'_>, term: Term) -> i128 {
    let zeros = match core.terms.op(term) {
        Op::Mul => {
            let args = core.terms.args(term);
            let numbers = args.iter().filter_map(|a| core.terms.bv_const(*a));
            return numbers.filter_map(|n| n.to_i128()).product::<i128>().abs();
        }
        Op::Concat => {
            let low = core.terms.arg(term, 1);
            let zero = core.terms.bv_const(low).is_some_and(|bv| bv.is_zero());
            if zero { core.terms.width(low) } else { 0 }
        }
        _ => 0,
    };
    1 << zeros.min(16)
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
