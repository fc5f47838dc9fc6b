//! Rules for bitwise operations, shifts, concatenation and extraction.
//!
//! Shifts by constants and low masks become `Concat`, `Extract` and extensions, which then combine:
//! a word that byte-wise C code splits and reassembles simplifies to the word itself.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;

impl Terms {
    pub(super) fn rewrite_bvand(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(a);
        }
        if self.complementary(a, b) {
            return Some(self.bv(Bv::zero(width)));
        }
        if let Some(narrow) = self.narrow_bitwise(Op::BvAnd, a, b) {
            return Some(narrow);
        }
        let k = self.k(b)?;
        if k.is_zero() {
            return Some(b);
        }
        if k.is_ones() {
            return Some(a);
        }
        if let Some((x, c)) = self.with_const(Op::BvAnd, a) {
            let both = self.bv(c.and(&k));
            return Some(self.make(Op::BvAnd, &[x, both]));
        }
        let bits = k.add(&Bv::one(width)).power_of_two()?;
        Some(self.low_bits(a, bits))
    }

    pub(super) fn rewrite_bvor(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        if self.complementary(a, b) {
            return Some(self.bv(Bv::ones(self.width(a))));
        }
        if let Some(k) = self.k(b) {
            if k.is_zero() {
                return Some(a);
            }
            if k.is_ones() {
                return Some(b);
            }
            let (x, c) = self.with_const(Op::BvOr, a)?;
            let both = self.bv(c.or(&k));
            return Some(self.make(Op::BvOr, &[x, both]));
        }
        if let Some(narrow) = self.narrow_bitwise(Op::BvOr, a, b) {
            return Some(narrow);
        }
        // High bits above zeros, or-ed with low bits that fit there.
        for (x, y) in [(a, b), (b, a)] {
            if let Some((high, zeros)) = self.pair(Op::Concat, x)
                && self.bv_const(zeros).is_some_and(Bv::is_zero)
                && let Some(low) = self.zero_extended(y)
                && self.width(low) <= self.width(zeros)
            {
                let by = self.width(zeros) - self.width(low);
                let low = self.make(Op::ZeroExt { by }, &[low]);
                return Some(self.make(Op::Concat, &[high, low]));
            }
        }
        None
    }

    pub(super) fn rewrite_bvxor(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.bv(Bv::zero(width)));
        }
        if self.complementary(a, b) {
            return Some(self.bv(Bv::ones(width)));
        }
        if let Some(narrow) = self.narrow_bitwise(Op::BvXor, a, b) {
            return Some(narrow);
        }
        let k = self.k(b)?;
        if k.is_zero() {
            return Some(a);
        }
        if k.is_ones() {
            return Some(self.make(Op::BvNot, &[a]));
        }
        let (x, c) = self.with_const(Op::BvXor, a)?;
        let both = self.bv(c.xor(&k));
        Some(self.make(Op::BvXor, &[x, both]))
    }

    /// A bitwise operation on two zero extensions, at the wider of the two inner widths.
    fn narrow_bitwise(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.zero_extended(a)?, self.zero_extended(b)?);
        let (full, inner) = (self.width(a), self.width(x).max(self.width(y)));
        let x = self.zext(x, inner);
        let y = self.zext(y, inner);
        let word = self.make(op, &[x, y]);
        Some(self.make(Op::ZeroExt { by: full - inner }, &[word]))
    }

    fn complementary(&self, a: Term, b: Term) -> bool {
        self.under(Op::BvNot, a) == Some(b) || self.under(Op::BvNot, b) == Some(a)
    }

    pub(super) fn rewrite_shift(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if self.bv_const(a).is_some_and(Bv::is_zero) {
            return Some(a);
        }
        let amount = self.bv_const(b)?.to_u128();
        let amount = amount.map_or(width, |n| n.min(width as u128) as u32);
        if amount == 0 {
            return Some(a);
        }
        if amount == width && op != Op::Ashr {
            return Some(self.bv(Bv::zero(width)));
        }
        if op == Op::Shl {
            let kept = self.make(
                Op::Extract {
                    high: width - amount - 1,
                    low: 0,
                },
                &[a],
            );
            let zeros = self.bv(Bv::zero(amount));
            return Some(self.make(Op::Concat, &[kept, zeros]));
        }
        // Beyond the width an arithmetic shift leaves copies of the sign bit.
        let low = amount.min(width - 1);
        let kept = self.make(
            Op::Extract {
                high: width - 1,
                low,
            },
            &[a],
        );
        let extend = if op == Op::Ashr {
            Op::SignExt { by: low }
        } else {
            Op::ZeroExt { by: low }
        };
        Some(self.make(extend, &[kept]))
    }

    pub(super) fn rewrite_concat(&mut self, high: Term, low: Term) -> Option<Term> {
        if self.bv_const(high).is_some_and(Bv::is_zero) {
            return Some(self.make(
                Op::ZeroExt {
                    by: self.width(high),
                },
                &[low],
            ));
        }
        if let Some(x) = self.zero_extended(high) {
            let by = self.width(high) - self.width(x);
            let word = self.make(Op::Concat, &[x, low]);
            return Some(self.make(Op::ZeroExt { by }, &[word]));
        }
        if let Some(word) = self.adjacent(high, low) {
            return Some(word);
        }
        // Adjacent parts combine across the association of concat.
        if let Some((x, y)) = self.pair(Op::Concat, high) {
            if let (Some(c), Some(k)) = (self.k(y), self.k(low)) {
                let both = self.bv(c.concat(&k));
                return Some(self.make(Op::Concat, &[x, both]));
            }
            if let Some(word) = self.adjacent(y, low) {
                return Some(self.make(Op::Concat, &[x, word]));
            }
        }
        if let Some((y, z)) = self.pair(Op::Concat, low)
            && let Some(word) = self.adjacent(high, y)
        {
            return Some(self.make(Op::Concat, &[word, z]));
        }
        None
    }

    /// One term for two adjacent parts of the same word.
    fn adjacent(&mut self, high: Term, low: Term) -> Option<Term> {
        match (self.op(high), self.op(low)) {
            (Op::Extract { high: h, low: l }, Op::Extract { high: m, low: k })
                if l == m + 1 && self.arg(high, 0) == self.arg(low, 0) =>
            {
                let word = self.arg(high, 0);
                Some(self.make(Op::Extract { high: h, low: k }, &[word]))
            }
            (
                Op::Read { version, bytes: n },
                Op::Read {
                    version: same,
                    bytes: m,
                },
            ) if version == same && n + m <= 8 && self.arg(high, 0) == self.arg(low, 0) => {
                let (object, above, offset) =
                    (self.arg(low, 0), self.arg(high, 1), self.arg(low, 1));
                let step = self.bv(Bv::new(self.width(offset), m.into()));
                let next = self.make(Op::Add, &[offset, step]);
                let whole = Op::Read {
                    version,
                    bytes: n + m,
                };
                (next == above).then(|| self.make(whole, &[object, offset]))
            }
            _ => None,
        }
    }

    pub(super) fn rewrite_extract(&mut self, high: u32, low: u32, a: Term) -> Option<Term> {
        let width = self.width(a);
        if high - low + 1 == width {
            return Some(a);
        }
        match (self.op(a), self.args(a)) {
            (Op::Extract { low: under, .. }, &[x]) => Some(self.make(
                Op::Extract {
                    high: high + under,
                    low: low + under,
                },
                &[x],
            )),
            (Op::Concat, &[x, y]) => {
                let split = self.width(y);
                if high < split {
                    return Some(self.make(Op::Extract { high, low }, &[y]));
                }
                let x = self.make(
                    Op::Extract {
                        high: high - split,
                        low: low.saturating_sub(split),
                    },
                    &[x],
                );
                if low >= split {
                    return Some(x);
                }
                let y = self.make(
                    Op::Extract {
                        high: split - 1,
                        low,
                    },
                    &[y],
                );
                Some(self.make(Op::Concat, &[x, y]))
            }
            (Op::ZeroExt { .. } | Op::SignExt { .. }, &[x]) => {
                self.extract_extended(high, low, x, matches!(self.op(a), Op::SignExt { .. }))
            }
            (Op::Add | Op::Sub | Op::Mul, &[x, y]) if low == 0 => {
                // The low bits of a sum are the sum of the low bits; this pays where it removes an
                // extension.
                if !self.narrows(x, high) || !self.narrows(y, high) {
                    return None;
                }
                let op = self.op(a);
                let x = self.make(Op::Extract { high, low }, &[x]);
                let y = self.make(Op::Extract { high, low }, &[y]);
                Some(self.make(op, &[x, y]))
            }
            (Op::Read { version, .. }, &[object, offset])
                if low.is_multiple_of(8) && (high + 1).is_multiple_of(8) =>
            {
                let start = self.bv(Bv::new(self.width(offset), low as u128 / 8));
                let offset = self.make(Op::Add, &[offset, start]);
                let bytes = (high + 1 - low) / 8;
                Some(self.make(Op::Read { version, bytes }, &[object, offset]))
            }
            _ => None,
        }
    }

    /// Whether extracting the bits up to `high` of the term simplifies it.
    fn narrows(&self, term: Term, high: u32) -> bool {
        match self.op(term) {
            Op::Const(_) => true,
            Op::ZeroExt { .. } | Op::SignExt { .. } => self.width(self.arg(term, 0)) <= high + 1,
            _ => false,
        }
    }

    fn extract_extended(&mut self, high: u32, low: u32, x: Term, signed: bool) -> Option<Term> {
        let inner = self.width(x);
        if high < inner {
            return Some(self.make(Op::Extract { high, low }, &[x]));
        }
        if low >= inner && !signed {
            return Some(self.bv(Bv::zero(high - low + 1)));
        }
        // The upper bits are at least the extension of the top bit.
        let start = low.min(inner - 1);
        let kept = self.make(
            Op::Extract {
                high: inner - 1,
                low: start,
            },
            &[x],
        );
        let by = (high - low + 1) - (inner - start);
        let extend = if signed {
            Op::SignExt { by }
        } else {
            Op::ZeroExt { by }
        };
        Some(self.make(extend, &[kept]))
    }

    pub(super) fn rewrite_zero_ext(&mut self, by: u32, a: Term) -> Option<Term> {
        if by == 0 {
            return Some(a);
        }
        let x = self.zero_extended(a)?;
        let inner = self.width(a) - self.width(x);
        Some(self.make(Op::ZeroExt { by: by + inner }, &[x]))
    }

    pub(super) fn rewrite_sign_ext(&mut self, by: u32, a: Term) -> Option<Term> {
        if by == 0 {
            return Some(a);
        }
        if let Some(x) = self.zero_extended(a) {
            let inner = self.width(a) - self.width(x);
            return Some(self.make(Op::ZeroExt { by: by + inner }, &[x]));
        }
        let x = self.sign_extended(a)?;
        let inner = self.width(a) - self.width(x);
        Some(self.make(Op::SignExt { by: by + inner }, &[x]))
    }
}
