//! Rules for sums, products and divisions.
//!
//! A sum keeps its constant outermost, so that `(p + 4) - (p + 8)` becomes a number: syntactic
//! alias decisions rest on this (algorithm notes 2.6). A choice between constants is treated like a
//! constant, so that two paths through a loop body that add up to the same value give the same
//! term.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;

impl Terms {
    fn plus(&mut self, x: Term, k: Bv) -> Option<Term> {
        let k = self.bv(k);
        Some(self.make(Op::Add, &[x, k]))
    }

    /// The condition of a choice between two constants.
    fn choice_of_constants(&self, term: Term) -> Option<Term> {
        let &[condition, then, other] = self.args(term) else {
            return None;
        };
        let constant = self.op(term) == Op::Ite && self.is_const(then) && self.is_const(other);
        constant.then_some(condition)
    }

    /// `x` and `i` where the term is a sum of `x` and a choice `i` between constants.
    fn with_choice(&self, term: Term) -> Option<(Term, Term)> {
        let (x, y) = self.pair(Op::Add, term)?;
        match (self.choice_of_constants(x), self.choice_of_constants(y)) {
            (_, Some(_)) => Some((x, y)),
            (Some(_), None) => Some((y, x)),
            (None, None) => None,
        }
    }

    /// The sum of two choices with the same condition.
    fn choices_added(&mut self, a: Term, b: Term) -> Option<Term> {
        let condition = self.choice_of_constants(a)?;
        if self.choice_of_constants(b)? != condition {
            return None;
        }
        let then = self.make(Op::Add, &[self.arg(a, 1), self.arg(b, 1)]);
        let other = self.make(Op::Add, &[self.arg(a, 2), self.arg(b, 2)]);
        Some(self.make(Op::Ite, &[condition, then, other]))
    }

    /// Moves choices between constants outwards in a sum, where they can combine.
    fn rewrite_add_choice(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(both) = self.choices_added(a, b) {
            return Some(both);
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some((rest, choice)) = self.with_choice(x) else {
                continue;
            };
            if let Some(both) = self.choices_added(choice, y) {
                return Some(self.make(Op::Add, &[rest, both]));
            }
            if self.choice_of_constants(y).is_none() {
                let sum = self.make(Op::Add, &[rest, y]);
                return Some(self.make(Op::Add, &[sum, choice]));
            }
        }
        None
    }

    pub(super) fn rewrite_add(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(k) = self.k(b) {
            if k.is_zero() {
                return Some(a);
            }
            if let Some((x, c)) = self.with_const(Op::Add, a) {
                return self.plus(x, c.add(&k));
            }
            if let Some((x, choice)) = self.with_choice(a) {
                let choice = self.make(Op::Add, &[choice, b]);
                return Some(self.make(Op::Add, &[x, choice]));
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
        self.rewrite_add_choice(a, b)
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
        if let Some((x, choice)) = self.with_choice(a) {
            let rest = self.make(Op::Sub, &[x, b]);
            return Some(self.make(Op::Add, &[rest, choice]));
        }
        if let Some((y, choice)) = self.with_choice(b) {
            let rest = self.make(Op::Sub, &[a, y]);
            let choice = self.make(Op::BvNeg, &[choice]);
            return Some(self.make(Op::Add, &[rest, choice]));
        }
        None
    }

    /// `c ? x + k : x + m` is `x + (c ? k : m)`.
    pub(super) fn rewrite_ite_sum(&mut self, c: Term, t: Term, e: Term) -> Option<Term> {
        let split = |terms: &Terms, term: Term| {
            let width = terms.width(term);
            terms
                .with_const(Op::Add, term)
                .unwrap_or((term, Bv::zero(width)))
        };
        let ((x, k), (y, m)) = (split(self, t), split(self, e));
        if x != y || self.is_const(x) {
            return None;
        }
        let (k, m) = (self.bv(k), self.bv(m));
        let choice = self.make(Op::Ite, &[c, k, m]);
        Some(self.make(Op::Add, &[x, choice]))
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
        if let Some((x, choice)) = self.with_choice(a) {
            let product = self.make(Op::Mul, &[x, b]);
            let choice = self.make(Op::Mul, &[choice, b]);
            return Some(self.make(Op::Add, &[product, choice]));
        }
        // Move the constant of a sum outside the product, as addresses of array elements need it.
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
