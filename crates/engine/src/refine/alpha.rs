//! Alpha: the aliasing that a test really saw (DASH 4.2, algorithm notes 2.6).
//!
//! A read after writes whose addresses are not known to be apart is an `ite`
//! over comparisons of addresses. WP-alpha keeps only the case that the test
//! was in: the comparisons that held become atoms of alpha, and the `ite`s
//! are replaced by the branch that was taken. `not alpha or T_alpha` follows
//! from the whole precondition for every alpha, so a wrong choice here costs
//! precision and never soundness.

use attest_term::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// The address comparisons that decide an `ite` in a term.
pub fn comparisons(terms: &Terms, piece: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for term in terms.reachable(&[piece]) {
        if terms.op(term) == Op::Ite {
            let cond = terms.arg(term, 0);
            if compares_addresses(terms, cond) && !found.contains(&cond) {
                found.push(cond);
            }
        }
    }
    found
}

/// Whether a condition is about objects and offsets of pointers.
fn compares_addresses(terms: &Terms, cond: Term) -> bool {
    match terms.op(cond) {
        Op::And | Op::Or | Op::Not => {
            let mut args = terms.args(cond).iter();
            args.all(|a| compares_addresses(terms, *a))
        }
        // Objects are of 32 bits, and what is compared with them is one too.
        Op::Eq => terms.sort(terms.arg(cond, 0)) == Sort::BitVec(32) || is_distance(terms, cond),
        Op::Ult => is_distance(terms, cond),
        _ => false,
    }
}

/// Whether a comparison is of a difference of offsets with a number.
fn is_distance(terms: &Terms, cond: Term) -> bool {
    terms.args(cond).iter().any(|a| terms.is_const(*a))
}

/// Replaces each `ite` over an answered comparison by its branch, and gives the atoms of
/// those that were met. An answer is a comparison, its truth, and an atom that implies it.
pub fn restrict(
    terms: &mut Terms,
    piece: Term,
    answers: &[(Term, bool, Term)],
) -> (Vec<Term>, Term) {
    let answers: FxHashMap<Term, (bool, Term)> = answers
        .iter()
        .map(|(c, value, atom)| (*c, (*value, *atom)))
        .collect();
    let mut memo = FxHashMap::default();
    let mut atoms = Vec::new();
    let restricted = terms.transform(piece, &mut memo, |terms, term, args| {
        if terms.op(term) != Op::Ite {
            return None;
        }
        let (holds, atom) = *answers.get(&terms.arg(term, 0))?;
        atoms.push(atom);
        Some(if holds { args[1] } else { args[2] })
    });
    (atoms, restricted)
}
