//! Where facts about every element of an array read, and at which index a read is one of them.

use attest_term::{Op, Term, Terms};

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
    pub fn index_of(&self, terms: &mut Terms, read: Term) -> Option<Term> {
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

    pub fn exact_index(&self, terms: &mut Terms, offset: Term) -> Option<Term> {
        let above = self.above_start(terms, offset);
        divided(terms, above, self.stride)
    }

    pub fn above_start(&self, terms: &mut Terms, offset: Term) -> Term {
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
