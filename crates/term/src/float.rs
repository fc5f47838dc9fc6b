//! IEEE arithmetic on the host's `f32` and `f64`.
//!
//! Rust guarantees IEEE results for the basic operations, without excess precision or fused steps,
//! so the host is an exact evaluator. Only NaN payloads are unspecified; [`Value`] makes them
//! canonical.

use crate::bv::Bv;
use crate::op::Op;
use crate::sort::{FloatSort, Rounding};
use crate::value::Value;

/// The operations required of a host float; one macro implements both formats.
pub(crate) trait Host: Copy {
    fn value(self) -> Value;
    fn unary(op: Op, a: Self) -> Option<Self>;
    fn binary(op: Op, a: Self, b: Self) -> Option<Self>;
    fn compare(op: Op, a: Self, b: Self) -> Option<bool>;
    fn classify(op: Op, a: Self) -> Option<bool>;
    fn to_int(self, signed: bool, width: u32) -> Bv;
}

macro_rules! host {
    ($float:ident, $make:ident) => {
        impl Host for $float {
            fn value(self) -> Value {
                Value::$make(self)
            }

            #[inline]
            fn unary(op: Op, a: $float) -> Option<$float> {
                Some(match op {
                    Op::FNeg => -a,
                    Op::FAbs => a.abs(),
                    Op::FSqrt => a.sqrt(),
                    Op::FRound(Rounding::NearestEven) => a.round_ties_even(),
                    Op::FRound(Rounding::NearestAway) => a.round(),
                    Op::FRound(Rounding::Up) => a.ceil(),
                    Op::FRound(Rounding::Down) => a.floor(),
                    Op::FRound(Rounding::Zero) => a.trunc(),
                    _ => return None,
                })
            }

            #[inline]
            fn binary(op: Op, a: $float, b: $float) -> Option<$float> {
                Some(match op {
                    Op::FAdd => a + b,
                    Op::FSub => a - b,
                    Op::FMul => a * b,
                    Op::FDiv => a / b,
                    Op::FRem => a % b,
                    _ => return None,
                })
            }

            #[inline]
            fn compare(op: Op, a: $float, b: $float) -> Option<bool> {
                Some(match op {
                    Op::FEq => a == b,
                    Op::FLt => a < b,
                    Op::FLe => a <= b,
                    _ => return None,
                })
            }

            #[inline]
            fn classify(op: Op, a: $float) -> Option<bool> {
                Some(match op {
                    Op::FIsNan => a.is_nan(),
                    Op::FIsInf => a.is_infinite(),
                    Op::FIsZero => a == 0.0,
                    Op::FIsNormal => a.is_normal(),
                    Op::FIsSubnormal => a.is_subnormal(),
                    Op::FIsNegative => !a.is_nan() && a.is_sign_negative(),
                    _ => return None,
                })
            }

            /// Towards zero, saturating at the ends of the range, NaN to zero.
            fn to_int(self, signed: bool, width: u32) -> Bv {
                if signed {
                    let least = i128::MIN >> (128 - width);
                    let number = (self as i128).clamp(least, !least);
                    Bv::new(width, number as u128)
                } else {
                    let greatest = u128::MAX >> (128 - width);
                    Bv::new(width, (self as u128).min(greatest))
                }
            }
        }
    };
}

host!(f32, f32);
host!(f64, f64);

/// A bit vector as a number of the format, rounded to nearest, ties to even.
pub(crate) fn from_int(bv: &Bv, signed: bool, to: FloatSort) -> Value {
    // Typing allows at most 128 bits, so both conversions exist.
    let (i, u) = (bv.to_i128().unwrap_or(0), bv.to_u128().unwrap_or(0));
    match (to, signed) {
        (FloatSort::F32, true) => Value::f32(i as f32),
        (FloatSort::F32, false) => Value::f32(u as f32),
        (FloatSort::F64, true) => Value::f64(i as f64),
        (FloatSort::F64, false) => Value::f64(u as f64),
    }
}

/// A number in another format, rounded to nearest, ties to even.
pub(crate) fn convert(value: &Value, to: FloatSort) -> Option<Value> {
    Some(match (value, to) {
        (Value::F32(bits), FloatSort::F64) => Value::f64(f32::from_bits(*bits) as f64),
        (Value::F64(bits), FloatSort::F32) => Value::f32(f64::from_bits(*bits) as f32),
        (Value::F32(_) | Value::F64(_), _) => value.clone(),
        _ => return None,
    })
}
