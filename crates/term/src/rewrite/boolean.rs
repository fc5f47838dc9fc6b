//! Rules for truth values: conjunction, disjunction, negation, choice.

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

/// A junction absorbs the operands of a nested one up to this many; without a limit, building a
/// long conjunction step by step would take quadratic time.
const FLAT_LIMIT: usize = 16;

impl Terms {
    pub(super) fn rewrite_not(&mut self, a: Term) -> Option<Term> {
        self.under(Op::Not, a)
    }

    /// Flattens, sorts, drops repetitions and neutral operands, and finds `x` beside `!x`.
    pub(super) fn rewrite_junction(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = op == Op::And;
        let mut flat: Vec<Term> = Vec::with_capacity(args.len().max(FLAT_LIMIT));
        for &arg in args {
            match self.bool_const(arg) {
                Some(b) if b == neutral => {}
                Some(_) => return arg,
                None if self.op(arg) == op && flat.len() + self.args(arg).len() <= FLAT_LIMIT => {
                    flat.extend_from_slice(self.args(arg));
                }
                None => flat.push(arg),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let complement = |&arg: &Term| {
            self.under(Op::Not, arg)
                .is_some_and(|inner| flat.binary_search(&inner).is_ok())
        };
        if flat.iter().any(complement) {
            return self.truth(!neutral);
        }
        match flat[..] {
            [] => self.truth(neutral),
            [only] => only,
            _ => self.raw(op, &flat),
        }
    }

    pub(super) fn rewrite_ite(&mut self, c: Term, t: Term, e: Term) -> Option<Term> {
        if let Some(b) = self.bool_const(c) {
            return Some(if b { t } else { e });
        }
        if t == e {
            return Some(t);
        }
        if let Some(c) = self.under(Op::Not, c) {
            return Some(self.make(Op::Ite, &[c, e, t]));
        }
        if self.sort(t) == Sort::Bool
            && let Some(term) = self.rewrite_bool_ite(c, t, e)
        {
            return Some(term);
        }
        // A nested choice on the same condition is decided.
        if let &[inner, then, _] = self.args(t)
            && self.op(t) == Op::Ite
            && inner == c
        {
            return Some(self.make(Op::Ite, &[c, then, e]));
        }
        if let &[inner, _, other] = self.args(e)
            && self.op(e) == Op::Ite
            && inner == c
        {
            return Some(self.make(Op::Ite, &[c, t, other]));
        }
        match self.sort(t) {
            Sort::BitVec(_) => self.rewrite_ite_sum(c, t, e),
            _ => None,
        }
    }

    fn rewrite_bool_ite(&mut self, c: Term, t: Term, e: Term) -> Option<Term> {
        let not_c = |terms: &mut Terms| terms.make(Op::Not, &[c]);
        if let Some(b) = self.bool_const(t) {
            return Some(if b {
                self.make(Op::Or, &[c, e])
            } else {
                let not_c = not_c(self);
                self.make(Op::And, &[not_c, e])
            });
        }
        if let Some(b) = self.bool_const(e) {
            return Some(if b {
                let not_c = not_c(self);
                self.make(Op::Or, &[not_c, t])
            } else {
                self.make(Op::And, &[c, t])
            });
        }
        if t == c {
            return Some(self.make(Op::Or, &[c, e]));
        }
        if e == c {
            return Some(self.make(Op::And, &[c, t]));
        }
        let opposite = self.under(Op::Not, t) == Some(e) || self.under(Op::Not, e) == Some(t);
        opposite.then(|| self.make(Op::Eq, &[c, t]))
    }

    /// Equality of truth values; a constant operand is the second.
    pub(super) fn rewrite_bool_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(truth) = self.bool_const(b) {
            return Some(if truth { a } else { self.make(Op::Not, &[a]) });
        }
        match (self.under(Op::Not, a), self.under(Op::Not, b)) {
            (Some(x), Some(y)) => Some(self.make(Op::Eq, &[x, y])),
            (Some(x), None) | (None, Some(x)) => {
                let y = if self.op(a) == Op::Not { b } else { a };
                if x == y {
                    return Some(self.truth(false));
                }
                let same = self.make(Op::Eq, &[x, y]);
                Some(self.make(Op::Not, &[same]))
            }
            (None, None) => None,
        }
    }
}
