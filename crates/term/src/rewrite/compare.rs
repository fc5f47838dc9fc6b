//! Rules for equality and order of bit vectors.
//!
//! Comparison with a constant moves inwards, towards the variable: through additions, complements,
//! extensions, concatenations and choices. Propagation can use equalities between a variable and a
//! constant.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;
use crate::sort::Sort;

impl Terms {
    pub(super) fn rewrite_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth(true));
        }
        match self.sort(a) {
            Sort::Bool => self.rewrite_bool_eq(a, b),
            Sort::Float(_) => None,
            Sort::BitVec(_) => match self.k(b) {
                Some(k) => self.rewrite_eq_const(a, k),
                None => self.rewrite_eq_open(a, b),
            },
        }
    }

    fn eq_value(&mut self, a: Term, k: Bv) -> Option<Term> {
        let k = self.bv(k);
        Some(self.make(Op::Eq, &[a, k]))
    }

    fn rewrite_eq_const(&mut self, a: Term, k: Bv) -> Option<Term> {
        let width = k.width();
        match (self.op(a), self.args(a)) {
            (Op::Add, _) => {
                let (x, c) = self.with_const(Op::Add, a)?;
                self.eq_value(x, k.sub(&c))
            }
            (Op::BvXor, &[x, y]) => match self.k(y) {
                Some(c) => self.eq_value(x, k.xor(&c)),
                None if k.is_zero() => Some(self.make(Op::Eq, &[x, y])),
                None => None,
            },
            (Op::Sub, &[x, y]) => match self.k(x) {
                Some(c) => self.eq_value(y, c.sub(&k)),
                None if k.is_zero() => Some(self.make(Op::Eq, &[x, y])),
                None => None,
            },
            (Op::BvNot, &[x]) => self.eq_value(x, k.not()),
            (Op::BvNeg, &[x]) => self.eq_value(x, k.neg()),
            (Op::ZeroExt { by: by @ 1.. }, &[x]) => {
                let low = k.extract(width - by - 1, 0);
                let fits = low.zero_extend(by) == k;
                if fits {
                    self.eq_value(x, low)
                } else {
                    Some(self.truth(false))
                }
            }
            (Op::SignExt { by }, &[x]) => {
                let low = k.extract(width - by - 1, 0);
                let fits = low.sign_extend(by) == k;
                if fits {
                    self.eq_value(x, low)
                } else {
                    Some(self.truth(false))
                }
            }
            (Op::Concat, &[high, low]) => {
                let split = self.width(low);
                let high = self.eq_value(high, k.extract(width - 1, split))?;
                let low = self.eq_value(low, k.extract(split - 1, 0))?;
                Some(self.make(Op::And, &[high, low]))
            }
            (Op::Ite, &[c, t, e]) => self.rewrite_eq_choice(c, t, e, k),
            // A one-bit word is compared with one only, never with zero.
            (_, _) if width == 1 && k.is_zero() => {
                let one = self.eq_value(a, Bv::one(1))?;
                Some(self.make(Op::Not, &[one]))
            }
            _ => None,
        }
    }

    /// `(c ? t : e) == k` where one of the branches is constant.
    fn rewrite_eq_choice(&mut self, c: Term, t: Term, e: Term, k: Bv) -> Option<Term> {
        let (condition, known, open) = match (self.k(t), self.k(e)) {
            (Some(known), _) => (c, known, e),
            (_, Some(known)) => (self.make(Op::Not, &[c]), known, t),
            _ => return None,
        };
        let hit = known == k;
        let rest = self.eq_value(open, k)?;
        if hit {
            return Some(self.make(Op::Or, &[condition, rest]));
        }
        let other = self.make(Op::Not, &[condition]);
        Some(self.make(Op::And, &[other, rest]))
    }

    fn rewrite_eq_open(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.op(a), self.op(b)) {
            (Op::ZeroExt { by }, Op::ZeroExt { by: other })
            | (Op::SignExt { by }, Op::SignExt { by: other })
                if by == other =>
            {
                let (x, y) = (self.arg(a, 0), self.arg(b, 0));
                return Some(self.make(Op::Eq, &[x, y]));
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                let (x, y) = (self.arg(a, 0), self.arg(b, 0));
                return Some(self.make(Op::Eq, &[x, y]));
            }
            (Op::Add, Op::Add) => {
                if let (Some((x, k)), Some((y, c))) =
                    (self.with_const(Op::Add, a), self.with_const(Op::Add, b))
                {
                    let offset = self.bv(k.sub(&c));
                    let x = self.make(Op::Add, &[x, offset]);
                    return Some(self.make(Op::Eq, &[x, y]));
                }
            }
            _ => {}
        }
        // x + y == x exactly if y == 0.
        for (sum, x) in [(a, b), (b, a)] {
            let Some((y, z)) = self.pair(Op::Add, sum) else {
                continue;
            };
            if y == x || z == x {
                let rest = if y == x { z } else { y };
                return self.eq_value(rest, Bv::zero(self.width(x)));
            }
        }
        None
    }

    pub(super) fn rewrite_ult(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth(false));
        }
        let width = self.width(a);
        let (one, ones) = (Bv::one(width), Bv::ones(width));
        match (self.k(a), self.k(b)) {
            (_, Some(k)) if k.is_zero() => Some(self.truth(false)),
            (_, Some(k)) if k.is_one() => self.eq_value(a, Bv::zero(width)),
            (_, Some(k)) if k.is_ones() => self.differs(a, k),
            (Some(k), _) if k.is_ones() => Some(self.truth(false)),
            (Some(k), _) if k.is_zero() => self.differs(b, k),
            (Some(k), _) if k == ones.sub(&one) => self.eq_value(b, ones),
            (left, right) => self.rewrite_ult_extended(a, b, left, right),
        }
    }

    fn differs(&mut self, a: Term, k: Bv) -> Option<Term> {
        let same = self.eq_value(a, k)?;
        Some(self.make(Op::Not, &[same]))
    }

    /// Unsigned order of zero extensions is the order of the inner words.
    fn rewrite_ult_extended(
        &mut self,
        a: Term,
        b: Term,
        left: Option<Bv>,
        right: Option<Bv>,
    ) -> Option<Term> {
        match (self.zero_extended(a), self.zero_extended(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => Some(self.make(Op::Ult, &[x, y])),
            (Some(x), None) => {
                let (low, fits) = self.narrowed(&right?, x);
                if !fits {
                    return Some(self.truth(true));
                }
                let low = self.bv(low);
                Some(self.make(Op::Ult, &[x, low]))
            }
            (None, Some(y)) => {
                let (low, fits) = self.narrowed(&left?, y);
                if !fits {
                    return Some(self.truth(false));
                }
                let low = self.bv(low);
                Some(self.make(Op::Ult, &[low, y]))
            }
            _ => None,
        }
    }

    /// The constant's low bits, as wide as `x`, and whether its other bits are zero.
    fn narrowed(&self, k: &Bv, x: Term) -> (Bv, bool) {
        let inner = self.width(x);
        let low = k.extract(inner - 1, 0);
        let fits = low.zero_extend(k.width() - inner) == *k;
        (low, fits)
    }

    pub(super) fn rewrite_slt(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth(false));
        }
        let width = self.width(a);
        let (least, greatest) = (Bv::signed_min(width), Bv::signed_max(width));
        let (left, right) = (self.k(a), self.k(b));
        match (&left, &right) {
            (_, Some(k)) if *k == least => return Some(self.truth(false)),
            (_, Some(k)) if *k == greatest => return self.differs(a, greatest),
            (Some(k), _) if *k == greatest => return Some(self.truth(false)),
            (Some(k), _) if *k == least => return self.differs(b, least),
            (_, Some(k)) if width > 1 && *k == least.add(&Bv::one(width)) => {
                return self.eq_value(a, least);
            }
            (Some(k), _) if width > 1 && *k == greatest.sub(&Bv::one(width)) => {
                return self.eq_value(b, greatest);
            }
            _ => {}
        }
        // Signed and unsigned order agree on non-negative operands.
        let positive = |terms: &Terms, term: Term, k: &Option<Bv>| {
            terms.zero_extended(term).is_some() || k.as_ref().is_some_and(|k| !k.is_negative())
        };
        match (positive(self, a, &left), positive(self, b, &right)) {
            (true, true) => return Some(self.make(Op::Ult, &[a, b])),
            (true, false) if right.is_some() => return Some(self.truth(false)),
            (false, true) if left.is_some() => return Some(self.truth(true)),
            _ => {}
        }
        match (self.sign_extended(a), self.sign_extended(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => Some(self.make(Op::Slt, &[x, y])),
            (Some(x), None) => self.rewrite_slt_narrow(x, &right?, false),
            (None, Some(y)) => self.rewrite_slt_narrow(y, &left?, true),
            _ => None,
        }
    }

    /// A sign extension of `x` compared with a constant, which is on the left if `flipped`.
    fn rewrite_slt_narrow(&mut self, x: Term, k: &Bv, flipped: bool) -> Option<Term> {
        let inner = self.width(x);
        let low = k.extract(inner - 1, 0);
        if low.sign_extend(k.width() - inner) != *k {
            // Outside the range of x: above it if positive, below it if negative.
            return Some(self.truth(k.is_negative() == flipped));
        }
        let low = self.bv(low);
        Some(self.make(Op::Slt, &if flipped { [low, x] } else { [x, low] }))
    }
}
