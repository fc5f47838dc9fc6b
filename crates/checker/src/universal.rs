//! Facts about every index: the instances that a check needs.
//!
//! The `forall` of an invariant ranges over every value of the symbol `k`. As a goal it is shown
//! for an arbitrary `k`; no step changes `k`, since it is not part of the state. As a hypothesis it
//! may be instantiated with any term: with the goal's own `k`, and here with the indices for which
//! one of its reads equals a read of the check. A missing instance makes a check fail, never pass.

use crate::memory::{SHADOW, START};
use attest_term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of instances of one fact in a check.
const MOST_INSTANCES: usize = 200;

/// Instances of a fact about every `index` at the places that the formulas read.
pub fn instances(terms: &mut Terms, index: Term, fact: Term, formulas: &[Term]) -> Vec<Term> {
    let patterns = patterns(terms, index, fact);
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for (object, offset) in places(terms, formulas) {
        for pattern in &patterns {
            let apart = terms.is_const(object) && terms.is_const(pattern.object);
            if apart && object != pattern.object {
                continue;
            }
            let above = terms.sub(offset, pattern.start);
            let Some(at) = quotient(terms, above, pattern.stride) else {
                continue;
            };
            if at == index || out.len() >= MOST_INSTANCES || !seen.insert(at) {
                continue;
            }
            let instance = terms.substitute(fact, &FxHashMap::from_iter([(index, at)]));
            if terms.bool_const(instance) != Some(true) {
                out.push(instance);
            }
        }
    }
    out
}

/// A read at `start + index * stride`.
struct Pattern {
    object: Term,
    start: Term,
    stride: u64,
}

fn patterns(terms: &mut Terms, index: Term, fact: Term) -> Vec<Pattern> {
    let width = terms.width(index);
    let (zero, one) = (terms.bv_u128(width, 0), terms.bv_u128(width, 1));
    let mut out = Vec::new();
    for (object, offset) in places(terms, &[fact]) {
        if !terms.reachable(&[offset]).contains(&index) {
            continue;
        }
        let start = terms.substitute(offset, &FxHashMap::from_iter([(index, zero)]));
        let next = terms.substitute(offset, &FxHashMap::from_iter([(index, one)]));
        let stride = terms.sub(next, start);
        let stride = terms.bv_const(stride).and_then(|bv| bv.to_u128());
        if let Some(stride @ 1..=65_536) = stride {
            out.push(Pattern {
                object,
                start,
                stride: stride as u64,
            });
        }
    }
    out
}

/// The places in the start's memory that terms read.
fn places(terms: &Terms, roots: &[Term]) -> Vec<(Term, Term)> {
    let reads = terms.reads(roots).into_iter();
    let of_start = |read: &Term| matches!(terms.op(*read).version(), Some(START | SHADOW));
    let reads = reads.filter(of_start);
    let mut places: Vec<(Term, Term)> = reads
        .map(|read| (terms.arg(read, 0), terms.arg(read, 1)))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The quotient as a term, if the division has no remainder.
fn quotient(terms: &mut Terms, term: Term, by: u64) -> Option<Term> {
    if let Some(exact) = exact(terms, term, by.into()) {
        return Some(exact);
    }
    // A constant in the sum gives the remainder: an inner byte of an element.
    let inner = |part: &Term| match terms.bv_const(*part).map(|number| number.to_i128()) {
        Some(number) => number.is_none_or(|number| number % i128::from(by) != 0),
        None => false,
    };
    let whole = terms.op(term) != Op::Add || !terms.args(term).iter().any(inner);
    if !by.is_power_of_two() || !whole {
        return None;
    }
    let shift = terms.bv_u128(terms.width(term), by.trailing_zeros().into());
    Some(terms.lshr(term, shift))
}

/// The quotient of a sum of multiples.
fn exact(terms: &mut Terms, term: Term, by: i128) -> Option<Term> {
    let width = terms.width(term);
    if let Some(number) = terms.bv_const(term) {
        let number = number.to_i128()?;
        return (number % by == 0).then(|| terms.bv_i128(width, number / by));
    }
    let op = terms.op(term);
    let args = terms.args(term).to_vec();
    match op {
        _ if by == 1 => Some(term),
        Op::Add | Op::Sub | Op::BvNeg => {
            let parts = args.iter().map(|part| exact(terms, *part, by));
            let parts: Option<Vec<Term>> = parts.collect();
            Some(terms.make(op, &parts?))
        }
        Op::Mul => {
            let number = args.iter().position(|a| terms.is_const(*a))?;
            let less = exact(terms, args[number], by)?;
            Some(terms.mul(args[1 - number], less))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::{Sort, SymbolKind};

    #[test]
    fn a_read_gives_its_index() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(64);
        let k = terms.var("k", sort, SymbolKind::Plain);
        let i = terms.var("i", sort, SymbolKind::Plain);
        let object = terms.bv_u128(32, 5);
        let four = terms.bv_u128(64, 4);
        let read = |terms: &mut Terms, at: Term, more: u128| {
            let offset = terms.mul(at, four);
            let more = terms.bv_u128(64, more);
            let offset = terms.add(offset, more);
            let byte = terms.read(START, object, offset, 4);
            let zero = terms.bv_u128(32, 0);
            terms.eq(byte, zero)
        };
        let fact = read(&mut terms, k, 8);
        let formulas = read(&mut terms, i, 8);
        assert_eq!(instances(&mut terms, k, fact, &[formulas]), [formulas]);
        // A multiple that is added to an unknown term leaves no remainder.
        let further = terms.add(i, four);
        let eight = terms.bv_u128(64, 8);
        let further = terms.add(further, eight);
        let byte = terms.read(START, object, further, 4);
        let zero = terms.bv_u128(32, 0);
        let further = terms.eq(byte, zero);
        assert_eq!(instances(&mut terms, k, fact, &[further]).len(), 1);
        // Not the start of an element.
        let inner = read(&mut terms, i, 9);
        assert!(instances(&mut terms, k, fact, &[inner]).is_empty());
    }
}
