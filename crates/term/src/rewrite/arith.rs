//! Rules for sums, products and divisions.
//!
//! A sum keeps its constant outermost, so that `(p + 4) - (p + 8)` becomes a
//! number: syntactic decisions about aliasing rest on this (notes 2.6).

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;

impl Terms {
    fn plus(&mut self, x: Term, k: Bv) -> Option<Term> {
        let k = self.bv(k);
        Some(self.make(Op::Add, &[x, k]))
    }

    pub(super) fn rewrite_add(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(k) = self.k(b) {
            if k.is_zero() {
                return Some(a);
            }
            if let Some((x, c)) = self.with_const(Op::Add, a) {
                return self.plus(x, c.add(&k));
            }
            if let Some((c, x)) = self.pair(Op::Sub, a)
                && let Some(c) = self.k(c)
            {
                let sum = self.bv(c.add(&k));
                return Some(self.make(Op::Sub, &[sum, x]));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((x, k)) = self.with_const(Op::Add, x) {
                let sum = self.make(Op::Add, &[x, y]);
                return self.plus(sum, k);
            }
            if let Some(x) = self.under(Op::BvNeg, x) {
                return Some(self.make(Op::Sub, &[y, x]));
            }
            if self.under(Op::BvNot, x) == Some(y) {
                return Some(self.bv(Bv::ones(self.width(y))));
            }
            if let Some((z, minus)) = self.pair(Op::Sub, x)
                && minus == y
            {
                return Some(z);
            }
        }
        None
    }

    pub(super) fn rewrite_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bv(Bv::zero(self.width(a))));
        }
        if let Some(k) = self.k(b) {
            return self.plus(a, k.neg());
        }
        if self.bv_const(a).is_some_and(Bv::is_zero) {
            return Some(self.make(Op::BvNeg, &[b]));
        }
        if let Some((x, k)) = self.with_const(Op::Add, a) {
            let rest = self.make(Op::Sub, &[x, b]);
            return self.plus(rest, k);
        }
        if let Some((y, k)) = self.with_const(Op::Add, b) {
            let rest = self.make(Op::Sub, &[a, y]);
            return self.plus(rest, k.neg());
        }
        if let Some(x) = self.under(Op::BvNeg, b) {
            return Some(self.make(Op::Add, &[a, x]));
        }
        if let Some((x, y)) = self.pair(Op::Add, a)
            && (x == b || y == b)
        {
            return Some(if x == b { y } else { x });
        }
        if let Some((x, y)) = self.pair(Op::Add, b)
            && (x == a || y == a)
        {
            let rest = if x == a { y } else { x };
            return Some(self.make(Op::BvNeg, &[rest]));
        }
        None
    }

    pub(super) fn rewrite_neg(&mut self, a: Term) -> Option<Term> {
        if let Some(x) = self.under(Op::BvNeg, a) {
            return Some(x);
        }
        if let Some((x, y)) = self.pair(Op::Sub, a) {
            return Some(self.make(Op::Sub, &[y, x]));
        }
        let (x, k) = self.with_const(Op::Add, a)?;
        let k = self.bv(k.neg());
        Some(self.make(Op::Sub, &[k, x]))
    }

    pub(super) fn rewrite_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let k = self.k(b)?;
        if k.is_zero() {
            return Some(b);
        }
        if k.is_one() {
            return Some(a);
        }
        if k.is_ones() {
            return Some(self.make(Op::BvNeg, &[a]));
        }
        if let Some((x, c)) = self.with_const(Op::Mul, a) {
            let product = self.bv(c.mul(&k));
            return Some(self.make(Op::Mul, &[x, product]));
        }
        // The constant of a sum comes out, as addresses of array elements need it.
        let (x, c) = self.with_const(Op::Add, a)?;
        let product = self.make(Op::Mul, &[x, b]);
        self.plus(product, c.mul(&k))
    }

    pub(super) fn rewrite_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let positive = |term: Term| {
            self.zero_extended(term).is_some()
                || self.bv_const(term).is_some_and(|k| !k.is_negative())
        };
        if matches!(op, Op::Sdiv | Op::Srem) && positive(a) && positive(b) {
            return Some(self.make(if op == Op::Sdiv { Op::Udiv } else { Op::Urem }, &[a, b]));
        }
        let k = self.k(b)?;
        match op {
            Op::Udiv => {
                let shift = self.bv(Bv::new(width, k.power_of_two()? as u128));
                // In one bit, and in other narrow widths, the exponent still fits.
                Some(self.make(Op::Lshr, &[a, shift]))
            }
            Op::Urem => match k.power_of_two()? {
                0 => Some(self.bv(Bv::zero(width))),
                bits => Some(self.low_bits(a, bits)),
            },
            Op::Sdiv if k.is_ones() => Some(self.make(Op::BvNeg, &[a])),
            Op::Sdiv if k.is_one() => Some(a),
            Op::Srem if k.is_one() || k.is_ones() => Some(self.bv(Bv::zero(width))),
            _ => None,
        }
    }

    /// The low bits of a term, zero-extended to its width; fewer than the width.
    pub(super) fn low_bits(&mut self, a: Term, bits: u32) -> Term {
        let by = self.width(a) - bits;
        let low = self.make(
            Op::Extract {
                high: bits - 1,
                low: 0,
            },
            &[a],
        );
        self.make(Op::ZeroExt { by }, &[low])
    }
}
