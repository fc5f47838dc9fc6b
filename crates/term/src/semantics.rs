//! The meaning of every operation on values: one function, used by the constant folder and by the
//! reference evaluator.
//!
//! Memory reads and variables need a state and are in `eval`.

use crate::bv::Bv;
use crate::float::{self, Host};
use crate::op::Op;
use crate::value::Value;

/// The value of `op` on `args`; `None` for leaves and reads, and where the operands do not fit.
pub(crate) fn apply(op: Op, args: &[&Value]) -> Option<Value> {
    match (op, args) {
        (Op::Bool(b), []) => Some(Value::Bool(b)),
        (Op::And, _) => fold(args, true, |a, b| a && b),
        (Op::Or, _) => fold(args, false, |a, b| a || b),
        (Op::Eq, [a, b]) => Some(Value::Bool(a == b)),
        (Op::Ite, [Value::Bool(c), t, e]) => Some(if *c { t } else { e }.to_owned().clone()),
        (Op::Not, [Value::Bool(a)]) => Some(Value::Bool(!a)),
        (Op::Xor, [Value::Bool(a), Value::Bool(b)]) => Some(Value::Bool(a ^ b)),
        (_, [Value::Bv(a)]) => bv_unary(op, a),
        (_, [Value::Bv(a), Value::Bv(b)]) => bv_binary(op, a, b),
        (Op::FConvert(to), [a]) => float::convert(a, to),
        (Op::FToBits, [Value::F32(bits)]) => Some(Value::bv(32, *bits as u128)),
        (Op::FToBits, [Value::F64(bits)]) => Some(Value::bv(64, *bits as u128)),
        (Op::FFma, [Value::F32(a), Value::F32(b), Value::F32(c)]) => {
            let (a, b, c) = (f32::from_bits(*a), f32::from_bits(*b), f32::from_bits(*c));
            Some(Value::f32(a.mul_add(b, c)))
        }
        (Op::FFma, [Value::F64(a), Value::F64(b), Value::F64(c)]) => {
            let (a, b, c) = (f64::from_bits(*a), f64::from_bits(*b), f64::from_bits(*c));
            Some(Value::f64(a.mul_add(b, c)))
        }
        (_, [Value::F32(a)]) => float_unary(op, f32::from_bits(*a)),
        (_, [Value::F64(a)]) => float_unary(op, f64::from_bits(*a)),
        (_, [Value::F32(a), Value::F32(b)]) => {
            float_binary(op, f32::from_bits(*a), f32::from_bits(*b))
        }
        (_, [Value::F64(a), Value::F64(b)]) => {
            float_binary(op, f64::from_bits(*a), f64::from_bits(*b))
        }
        _ => None,
    }
}

impl Op {
    /// The value of the operation on values; `None` for leaves and reads, which
    /// need a state, and where the operands do not fit.
    pub fn apply(self, args: &[&Value]) -> Option<Value> {
        apply(self, args)
    }
}

fn fold(args: &[&Value], start: bool, step: impl Fn(bool, bool) -> bool) -> Option<Value> {
    let fold = args
        .iter()
        .try_fold(start, |acc, arg| Some(step(acc, arg.as_bool()?)));
    fold.map(Value::Bool)
}

fn bv_unary(op: Op, a: &Bv) -> Option<Value> {
    Some(Value::Bv(match op {
        Op::BvNeg => a.neg(),
        Op::BvNot => a.not(),
        Op::Extract { high, low } => a.extract(high, low),
        Op::ZeroExt { by } => a.zero_extend(by),
        Op::SignExt { by } => a.sign_extend(by),
        Op::FFromSigned(to) => return Some(float::from_int(a, true, to)),
        Op::FFromUnsigned(to) => return Some(float::from_int(a, false, to)),
        Op::FFromBits(to) => return Some(Value::from_bits(crate::Sort::Float(to), a.low_u64())),
        _ => return None,
    }))
}

fn bv_binary(op: Op, a: &Bv, b: &Bv) -> Option<Value> {
    Some(Value::Bv(match op {
        Op::Add => a.add(b),
        Op::Sub => a.sub(b),
        Op::Mul => a.mul(b),
        Op::Udiv => a.udiv(b),
        Op::Sdiv => a.sdiv(b),
        Op::Urem => a.urem(b),
        Op::Srem => a.srem(b),
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::Shl => a.shl(b),
        Op::Lshr => a.lshr(b),
        Op::Ashr => a.ashr(b),
        Op::Concat => a.concat(b),
        Op::Ult => return Some(Value::Bool(a.ult(b))),
        Op::Ule => return Some(Value::Bool(!b.ult(a))),
        Op::Slt => return Some(Value::Bool(a.slt(b))),
        Op::Sle => return Some(Value::Bool(!b.slt(a))),
        _ => return None,
    }))
}

fn float_unary<F: Host>(op: Op, a: F) -> Option<Value> {
    match op {
        Op::FToSigned { width } => Some(Value::Bv(a.to_int(true, width))),
        Op::FToUnsigned { width } => Some(Value::Bv(a.to_int(false, width))),
        _ => F::unary(op, a)
            .map(F::value)
            .or_else(|| F::classify(op, a).map(Value::Bool)),
    }
}

fn float_binary<F: Host>(op: Op, a: F, b: F) -> Option<Value> {
    F::binary(op, a, b)
        .map(F::value)
        .or_else(|| F::compare(op, a, b).map(Value::Bool))
}
