//! Rules for IEEE floats: only those that hold for every number, infinity and NaN.

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::{FloatSort, Sort};
use crate::value::Value;

impl Terms {
    pub(super) fn rewrite_float(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (Op::FNeg, &[a]) => self.under(Op::FNeg, a),
            (Op::FAbs, &[a]) => match self.op(a) {
                Op::FAbs => Some(a),
                Op::FNeg => {
                    let x = self.arg(a, 0);
                    Some(self.make(Op::FAbs, &[x]))
                }
                _ => None,
            },
            (Op::FMul | Op::FDiv, &[a, b]) => self.is_one(b).then_some(a),
            (Op::FEq | Op::FLe, &[a, b]) if a == b => {
                let nan = self.make(Op::FIsNan, &[a]);
                Some(self.make(Op::Not, &[nan]))
            }
            (Op::FLt, &[a, b]) if a == b => Some(self.truth(false)),
            (Op::FIsNan | Op::FIsInf | Op::FIsZero, &[a]) => match self.op(a) {
                Op::FNeg | Op::FAbs => {
                    let x = self.arg(a, 0);
                    Some(self.make(op, &[x]))
                }
                Op::FFromSigned(_) | Op::FFromUnsigned(_) if op == Op::FIsNan => {
                    Some(self.truth(false))
                }
                _ => None,
            },
            (Op::FConvert(to), &[a]) => {
                if self.sort(a) == Sort::Float(to) {
                    return Some(a);
                }
                // Widening is exact, so narrowing afterwards undoes it.
                let x = self.under(Op::FConvert(FloatSort::F64), a)?;
                (self.sort(x) == Sort::Float(to)).then_some(x)
            }
            (Op::FFromBits(to), &[a]) => {
                // The converse would lose NaN's payload.
                let x = self.under(Op::FToBits, a)?;
                (self.sort(x) == Sort::Float(to)).then_some(x)
            }
            _ => None,
        }
    }

    fn is_one(&self, term: Term) -> bool {
        let value = self.constant(term);
        value == Some(Value::f32(1.0)) || value == Some(Value::f64(1.0))
    }
}
