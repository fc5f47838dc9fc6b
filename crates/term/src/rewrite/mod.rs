//! The rewriting constructor: a term equal to the requested one, and usually smaller.
//!
//! Rules are local: they inspect the operation, its operands, and one or two levels below. Each
//! builds its result from smaller or more canonical parts through [`Terms::make`] again; a bound on
//! that nesting keeps the work of one construction constant, so that building a deep term takes
//! linear time. Where the bound stops a chain of rules, the result is still equal.
//!
//! After rewriting: constants are the last operand of a commutative operation, other operands are
//! in handle order; `Ule`, `Sle` and `Xor` do not occur (`a <= b` is `!(b < a)`); subtraction of a
//! constant is an addition; shifts by constants, low masks and remainders by powers of two are
//! `Concat`, `Extract` and extensions; conjunctions and disjunctions are flat, sorted and without
//! repetitions.
//!
//! Files: `boolean` (truth values), `compare` (equality and order), `arith` (sums, products,
//! divisions), `bits` (bitwise operations, shifts, concatenation), `float` (IEEE floats).

mod arith;
mod bits;
mod boolean;
mod compare;
mod float;

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;
use crate::semantics;
use crate::value::{NAN32, NAN64, Value};

/// The nesting depth of constructors at which rewriting stops.
const MAX_DEPTH: u32 = 12;

impl Terms {
    /// A term equal to the operation over the operands, rewritten.
    ///
    /// # Panics
    /// If the operands' sorts do not fit the operation.
    pub fn make(&mut self, op: Op, args: &[Term]) -> Term {
        if args.is_empty() || self.depth >= MAX_DEPTH {
            return self.raw(op, args);
        }
        self.depth += 1;
        let term = match *args {
            [a, b] if op.is_commutative() => self.make_ordered(op, &self.in_order(a, b)),
            _ => self.make_ordered(op, args),
        };
        self.depth -= 1;
        term
    }

    fn make_ordered(&mut self, op: Op, args: &[Term]) -> Term {
        let rewritten = self
            .fold_constants(op, args)
            .or_else(|| self.rewrite(op, args));
        match rewritten {
            Some(term) => term,
            None => self.raw(op, args),
        }
    }

    /// The operands with a constant last, else in handle order.
    fn in_order(&self, a: Term, b: Term) -> [Term; 2] {
        let key = |term| (self.is_const(term), term);
        if key(a) <= key(b) { [a, b] } else { [b, a] }
    }

    /// Evaluates an operation on constants. An operation on constants and one choice between
    /// constants becomes the choice between the results.
    fn fold_constants(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        if matches!(op, Op::And | Op::Or | Op::Ite) || op.is_read() {
            return None;
        }
        let mut open = args.iter().filter(|&&arg| !self.is_const(arg));
        let (first, second) = (open.next(), open.next());
        match (first, second) {
            (None, _) => {
                let value = self.apply_to_constants(op, args, None)?;
                Some(self.value(value))
            }
            (Some(&choice), None) if op != Op::Not && self.op(choice) == Op::Ite => {
                let &[condition, then, other] = self.args(choice) else {
                    return None;
                };
                if !self.is_const(then) || !self.is_const(other) {
                    return None;
                }
                let then = self.apply_to_constants(op, args, Some(then))?;
                let other = self.apply_to_constants(op, args, Some(other))?;
                let (then, other) = (self.value(then), self.value(other));
                Some(self.make(Op::Ite, &[condition, then, other]))
            }
            _ => None,
        }
    }

    /// The operation's value, with `instead` for the operand that is not constant.
    fn apply_to_constants(&self, op: Op, args: &[Term], instead: Option<Term>) -> Option<Value> {
        let values: Vec<Value> = args
            .iter()
            .map(|&arg| self.constant(arg).or_else(|| self.constant(instead?)))
            .collect::<Option<_>>()?;
        // The bits of a NaN are unspecified, even if one run fixes them.
        if op == Op::FToBits && matches!(values[0], Value::F32(NAN32) | Value::F64(NAN64)) {
            return None;
        }
        semantics::apply(op, &values.iter().collect::<Vec<_>>())
    }

    fn rewrite(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        use Op::*;
        match (op, args) {
            (And | Or, _) => Some(self.rewrite_junction(op, args)),
            (Not, &[a]) => self.rewrite_not(a),
            (Xor, &[a, b]) => {
                let same = self.make(Eq, &[a, b]);
                Some(self.make(Not, &[same]))
            }
            (Ite, &[c, t, e]) => self.rewrite_ite(c, t, e),
            (Eq, &[a, b]) => self.rewrite_eq(a, b),
            (Ult, &[a, b]) => self.rewrite_ult(a, b),
            (Slt, &[a, b]) => self.rewrite_slt(a, b),
            (Ule | Sle, &[a, b]) => {
                let strict = self.make(if op == Ule { Ult } else { Slt }, &[b, a]);
                Some(self.make(Not, &[strict]))
            }
            (Add, &[a, b]) => self.rewrite_add(a, b),
            (Sub, &[a, b]) => self.rewrite_sub(a, b),
            (BvNeg, &[a]) => self.rewrite_neg(a),
            (Mul, &[a, b]) => self.rewrite_mul(a, b),
            (Udiv | Urem | Sdiv | Srem, &[a, b]) => self.rewrite_division(op, a, b),
            (BvNot, &[a]) => (self.op(a) == BvNot).then(|| self.arg(a, 0)),
            (BvAnd, &[a, b]) => self.rewrite_bvand(a, b),
            (BvOr, &[a, b]) => self.rewrite_bvor(a, b),
            (BvXor, &[a, b]) => self.rewrite_bvxor(a, b),
            (Shl | Lshr | Ashr, &[a, b]) => self.rewrite_shift(op, a, b),
            (Concat, &[a, b]) => self.rewrite_concat(a, b),
            (Extract { high, low }, &[a]) => self.rewrite_extract(high, low, a),
            (ZeroExt { by }, &[a]) => self.rewrite_zero_ext(by, a),
            (SignExt { by }, &[a]) => self.rewrite_sign_ext(by, a),
            _ => self.rewrite_float(op, args),
        }
    }

    // Helpers of the rules.

    fn bv(&mut self, value: Bv) -> Term {
        self.value(Value::Bv(value))
    }

    fn truth(&mut self, b: bool) -> Term {
        self.value(Value::Bool(b))
    }

    fn k(&self, term: Term) -> Option<Bv> {
        self.bv_const(term).cloned()
    }

    /// The operand of a unary operation of this kind.
    fn under(&self, op: Op, term: Term) -> Option<Term> {
        (self.op(term) == op).then(|| self.arg(term, 0))
    }

    /// The two operands of a binary operation of this kind.
    fn pair(&self, op: Op, term: Term) -> Option<(Term, Term)> {
        (self.op(term) == op).then(|| (self.arg(term, 0), self.arg(term, 1)))
    }

    /// `x` and `k` where the term is a commutative operation on `x` and a constant `k`.
    fn with_const(&self, op: Op, term: Term) -> Option<(Term, Bv)> {
        let (x, k) = self.pair(op, term)?;
        Some((x, self.k(k)?))
    }

    /// The operand of a zero extension by at least one bit.
    fn zero_extended(&self, term: Term) -> Option<Term> {
        match self.op(term) {
            Op::ZeroExt { by: 1.. } => Some(self.arg(term, 0)),
            _ => None,
        }
    }

    /// The operand of a sign extension.
    fn sign_extended(&self, term: Term) -> Option<Term> {
        match self.op(term) {
            Op::SignExt { .. } => Some(self.arg(term, 0)),
            _ => None,
        }
    }
}
