//! Facts about every element of an array, without quantifiers.
//!
//! A fact with the symbol `k` in it holds for every value of `k`: "`k < i`
//! implies `a[k] = 0`". To prove it after a step, `k` is one arbitrary value,
//! which the step leaves as it is, so the formula has no quantifier. To use
//! it, it is taken at `k` and at the places that the formula reads: any
//! instances of a fact that holds for all are sound, and these are the ones
//! that matter. All of it happens where the solver is asked, so whoever uses
//! invariants need not know that some are of this kind.

use crate::core::Core;
use attest_exec::symbolic::memory::{BASE, SHADOW};
use attest_term::{Sort, SymbolKind, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The symbol's name, which proofs use too.
pub(crate) const INDEX: &str = "k";

/// The symbol that stands for every index.
pub(crate) fn index(core: &mut Core<'_>) -> Term {
    let width = core.program.pointer_bits;
    core.terms
        .var(INDEX, Sort::BitVec(width), SymbolKind::Ghost)
}

/// Instances of the facts for all indices among these, each with its fact, at the places
/// that the others read.
pub(crate) fn instances(core: &mut Core<'_>, assumptions: &[Term]) -> Vec<(Term, Term)> {
    if core.universals.is_empty() {
        return Vec::new();
    }
    let is_universal = |t: &&Term| core.universals.contains_key(t);
    let facts: Vec<Term> = assumptions.iter().filter(is_universal).copied().collect();
    if facts.is_empty() {
        return Vec::new();
    }
    let rest = assumptions.iter().filter(|t| !is_universal(t)).copied();
    let mut about: Vec<Term> = rest.collect();
    let index = index(core);
    let mut seen: FxHashSet<(Term, Term)> = facts.iter().map(|f| (*f, index)).collect();
    let mut out = Vec::new();
    for _ in 0..2 {
        let reads = core.terms.reads(&about);
        about.clear();
        for read in reads {
            if !matches!(core.terms.op(read).version(), Some(BASE | SHADOW)) {
                continue;
            }
            let object = core.terms.arg(read, 0);
            for fact in &facts {
                for place in core.universals[fact].clone() {
                    if differ(core, object, place.object) {
                        continue;
                    }
                    let Some(at) = place.index_of(&mut core.terms, read) else {
                        continue;
                    };
                    if out.len() >= core.options.tuning.invariants.instances
                        || !seen.insert((*fact, at))
                    {
                        continue;
                    }
                    let map = FxHashMap::from_iter([(index, at)]);
                    let instance = core.terms.substitute(*fact, &map);
                    if core.terms.bool_const(instance) != Some(true) {
                        out.push((instance, *fact));
                        about.push(instance);
                    }
                }
            }
        }
    }
    out
}

/// Whether two objects differ by their numbers.
fn differ(core: &Core<'_>, a: Term, b: Term) -> bool {
    a != b && core.terms.is_const(a) && core.terms.is_const(b)
}
