//! Facts about every element of an array, without quantifiers.
//!
//! A fact with the symbol `k` in it holds for every value of `k`: "`k < i`
//! implies `a[k] = 0`". To prove it after a step, `k` is one arbitrary value,
//! which the step leaves as it is, so the question has no quantifier. To use
//! it, it is taken at `k` and at the places that the question reads: any
//! instances of a fact that holds for all are sound, and these are the ones
//! that matter. All of it happens where the solver is asked, so whoever uses
//! invariants need not know that some are of this kind.

use crate::core::Core;
use attest_exec::symbolic::memory::BASE;
use attest_term::{Op, Sort, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The symbol's name, which proofs use too.
pub(crate) const INDEX: &str = "k";
/// Instances in one question.
const MOST_INSTANCES: usize = 300;

/// Where a fact reads: `object[base + start + k * stride]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// How much; none is whether a pointer is stored there.
    pub bytes: Option<u32>,
    pub object: Term,
    pub base: Option<Term>,
    pub start: i128,
    pub stride: i128,
}

impl Place {
    /// Its offset at an index.
    pub fn offset(&self, terms: &mut Terms, index: Term) -> Term {
        let width = terms.width(index);
        let stride = terms.bv_i128(width, self.stride);
        let start = terms.bv_i128(width, self.start);
        let scaled = terms.mul(index, stride);
        let mut offset = terms.add(scaled, start);
        if let Some(base) = self.base {
            offset = terms.add(base, offset);
        }
        offset
    }

    /// The index at which its offset is that of a read, if it is a multiple of the stride.
    fn index_of(&self, terms: &mut Terms, read: Term) -> Option<Term> {
        let bytes = match terms.op(read) {
            Op::Read { bytes, .. } => Some(bytes),
            _ => None,
        };
        if bytes.is_some() != self.bytes.is_some() {
            return None;
        }
        let offset = terms.arg(read, 1);
        match bytes == self.bytes {
            true => self.index(terms, offset),
            // One byte of several, which has to be the first.
            false => self.exact_index(terms, offset),
        }
    }

    fn exact_index(&self, terms: &mut Terms, offset: Term) -> Option<Term> {
        let above = self.above_start(terms, offset);
        divided(terms, above, self.stride)
    }

    fn above_start(&self, terms: &mut Terms, offset: Term) -> Term {
        let start = terms.bv_i128(terms.width(offset), self.start);
        let above = terms.sub(offset, start);
        match self.base {
            Some(base) => terms.sub(above, base),
            None => above,
        }
    }

    /// The index at which its offset is this one, if it is a multiple of the stride.
    pub fn index(&self, terms: &mut Terms, offset: Term) -> Option<Term> {
        let width = terms.width(offset);
        let above = self.above_start(terms, offset);
        if let Some(exact) = divided(terms, above, self.stride) {
            return Some(exact);
        }
        let stride = self.stride as u64;
        if !stride.is_power_of_two() {
            return None;
        }
        let by = terms.bv_u128(width, stride.trailing_zeros().into());
        Some(terms.lshr(above, by))
    }
}

/// The quotient of a term that is a multiple of a number by its form.
pub(crate) fn divided(terms: &mut Terms, term: Term, by: i128) -> Option<Term> {
    if by == 1 {
        return Some(term);
    }
    let width = terms.width(term);
    let constant = |terms: &Terms, t: Term| terms.bv_const(t).and_then(|bv| bv.to_i128());
    if let Some(value) = constant(terms, term) {
        return (value % by == 0).then(|| terms.bv_i128(width, value / by));
    }
    let args = terms.args(term).to_vec();
    match terms.op(term) {
        op @ (Op::Add | Op::Sub | Op::BvNeg) => {
            let parts: Option<Vec<Term>> = args.iter().map(|a| divided(terms, *a, by)).collect();
            Some(terms.make(op, &parts?))
        }
        Op::Mul => {
            let factor = args.iter().position(|a| constant(terms, *a).is_some())?;
            let other = args[1 - factor];
            let factor = constant(terms, args[factor])?;
            if factor % by != 0 {
                return None;
            }
            let factor = terms.bv_i128(width, factor / by);
            Some(terms.mul(other, factor))
        }
        Op::Concat if constant(terms, args[1]) == Some(0) => {
            let factor = 1i128.checked_shl(terms.width(args[1]))?;
            if factor % by != 0 {
                return None;
            }
            let high = terms.zext(args[0], width);
            let factor = terms.bv_i128(width, factor / by);
            Some(terms.mul(high, factor))
        }
        _ => None,
    }
}

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
            if core.terms.op(read).version() != Some(BASE) {
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
                    if out.len() >= MOST_INSTANCES || !seen.insert((*fact, at)) {
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
