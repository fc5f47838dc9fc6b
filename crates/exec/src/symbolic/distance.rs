//! Syntactic facts about two addresses, without the solver: a constant difference, the objects of a
//! choice, and the low bits that are certainly zero.

use attest_term::{Op, Term, Terms};

/// The difference of two terms, if it is a constant. Most terms are neither constants nor sums;
/// then the result is `None`, without building the difference.
pub(super) fn difference(terms: &mut Terms, a: Term, b: Term) -> Option<u128> {
    if a == b {
        return Some(0);
    }
    let is_sum = |t: Term| matches!(terms.op(t), Op::Add | Op::Sub);
    let numbers = terms.is_const(a) && terms.is_const(b);
    if !numbers && !is_sum(a) && !is_sum(b) {
        return None;
    }
    let difference = terms.sub(a, b);
    let difference = terms.bv_const(difference);
    difference.and_then(attest_term::Bv::to_u128)
}

/// Adds the numbers that an object can have, each once; false if not all are known.
pub(super) fn object_numbers(
    terms: &Terms,
    object: Term,
    depth: u32,
    numbers: &mut Vec<u32>,
) -> bool {
    if let Some(number) = object_number(terms, object) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        return true;
    }
    let mut branches = [1, 2].into_iter();
    depth > 0
        && terms.op(object) == Op::Ite
        && branches
            .all(|branch| object_numbers(terms, terms.arg(object, branch), depth - 1, numbers))
}

pub(super) fn object_number(terms: &Terms, object: Term) -> Option<u32> {
    let number = terms.bv_const(object)?.to_u128()?;
    u32::try_from(number).ok()
}

/// The number of low bits of the difference of two sums that are certainly zero; common summands
/// cancel.
pub(super) fn zeros_of_difference(terms: &Terms, a: Term, b: Term) -> u32 {
    let mut left = summands(terms, a);
    let mut right = summands(terms, b);
    left.retain(|x| match right.iter().position(|y| x == y) {
        Some(same) => {
            right.swap_remove(same);
            false
        }
        None => true,
    });
    let zeros = left.iter().chain(&right).map(|t| trailing_zeros(terms, *t));
    zeros.min().unwrap_or(terms.width(a))
}

fn summands(terms: &Terms, term: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match terms.op(term) {
            Op::Add if out.len() < 8 => work.extend(terms.args(term)),
            _ => out.push(term),
        }
    }
    out
}

/// The number of low bits of a term that are certainly zero, by a bounded inspection.
pub(super) fn trailing_zeros(terms: &Terms, term: Term) -> u32 {
    zeros_within(terms, term, 8)
}

fn zeros_within(terms: &Terms, term: Term, depth: u32) -> u32 {
    if let Some(value) = terms.bv_const(term) {
        return value.trailing_zeros();
    }
    if depth == 0 {
        return 0;
    }
    let zeros = |t: Term| zeros_within(terms, t, depth - 1);
    match terms.op(term) {
        Op::Concat => {
            let low = terms.arg(term, 1);
            let below = zeros(low);
            if below >= terms.width(low) {
                terms.width(low) + zeros(terms.arg(term, 0))
            } else {
                below
            }
        }
        Op::Add | Op::Sub => terms
            .args(term)
            .iter()
            .map(|a| zeros(*a))
            .min()
            .unwrap_or(0),
        Op::Mul => terms
            .args(term)
            .iter()
            .map(|a| zeros(*a))
            .sum::<u32>()
            .min(terms.width(term)),
        Op::ZeroExt { .. } | Op::SignExt { .. } => {
            let inner = terms.arg(term, 0);
            zeros(inner).min(terms.width(inner))
        }
        Op::Ite => zeros(terms.arg(term, 1)).min(zeros(terms.arg(term, 2))),
        _ => 0,
    }
}
