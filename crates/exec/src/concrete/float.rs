//! Concrete IEEE arithmetic on the host's floats.
//!
//! Rust computes `f32` and `f64` without excess precision or fused operations and rounds to nearest
//! even, as clang's code does with SSE2.

use super::value::Val;
use attest_model::{FloatCast, FloatFormat, FloatOp, FloatRelation, FloatUnary};

fn f32_of(a: Val) -> f32 {
    f32::from_bits(a.lo as u32)
}

fn f64_of(a: Val) -> f64 {
    f64::from_bits(a.lo)
}

fn val32(x: f32) -> Val {
    Val::small(u64::from(x.to_bits()))
}

fn val64(x: f64) -> Val {
    Val::small(x.to_bits())
}

macro_rules! binary {
    ($op:expr, $x:expr, $y:expr) => {{
        let (x, y) = ($x, $y);
        match $op {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            FloatOp::Rem => x % y,
            FloatOp::CopySign => x.copysign(y),
            FloatOp::Min => {
                if x.is_nan() || y < x {
                    y
                } else {
                    x
                }
            }
            FloatOp::Max => {
                if x.is_nan() || x < y {
                    y
                } else {
                    x
                }
            }
        }
    }};
}

/// Binary arithmetic.
pub fn float(op: FloatOp, format: FloatFormat, a: Val, b: Val) -> Val {
    match format {
        FloatFormat::Single => val32(binary!(op, f32_of(a), f32_of(b))),
        FloatFormat::Double => val64(binary!(op, f64_of(a), f64_of(b))),
    }
}

macro_rules! unary {
    ($op:expr, $x:expr) => {{
        let x = $x;
        match $op {
            FloatUnary::Neg => -x,
            FloatUnary::Abs => x.abs(),
            FloatUnary::Sqrt => x.sqrt(),
            FloatUnary::Floor => x.floor(),
            FloatUnary::Ceil => x.ceil(),
            FloatUnary::Trunc => x.trunc(),
            FloatUnary::Round => x.round(),
            FloatUnary::RoundEven => x.round_ties_even(),
        }
    }};
}

/// Unary arithmetic.
pub fn float_unary(op: FloatUnary, format: FloatFormat, a: Val) -> Val {
    match format {
        FloatFormat::Single => val32(unary!(op, f32_of(a))),
        FloatFormat::Double => val64(unary!(op, f64_of(a))),
    }
}

/// Comparison.
pub fn float_compare(rel: FloatRelation, format: FloatFormat, a: Val, b: Val) -> bool {
    // Every single is a double with the same order, so one comparison serves both formats.
    let (x, y) = match format {
        FloatFormat::Single => (f64::from(f32_of(a)), f64::from(f32_of(b))),
        FloatFormat::Double => (f64_of(a), f64_of(b)),
    };
    let unordered = x.is_nan() || y.is_nan();
    match rel {
        FloatRelation::False => false,
        FloatRelation::Oeq => x == y,
        FloatRelation::Ogt => x > y,
        FloatRelation::Oge => x >= y,
        FloatRelation::Olt => x < y,
        FloatRelation::Ole => x <= y,
        FloatRelation::One => !unordered && x != y,
        FloatRelation::Ord => !unordered,
        FloatRelation::Ueq => unordered || x == y,
        FloatRelation::Ugt => unordered || x > y,
        FloatRelation::Uge => unordered || x >= y,
        FloatRelation::Ult => unordered || x < y,
        FloatRelation::Ule => unordered || x <= y,
        FloatRelation::Une => x != y,
        FloatRelation::Uno => unordered,
        FloatRelation::True => true,
    }
}

/// Conversion. To an integer it truncates and saturates.
pub fn float_cast(cast: FloatCast, a: Val) -> Val {
    match cast {
        FloatCast::Format {
            from: FloatFormat::Single,
            to: FloatFormat::Double,
        } => val64(f64::from(f32_of(a))),
        FloatCast::Format {
            from: FloatFormat::Double,
            to: FloatFormat::Single,
        } => val32(f64_of(a) as f32),
        FloatCast::Format { .. } | FloatCast::ToBits(_) | FloatCast::FromBits(_) => a,
        FloatCast::FromInt {
            width,
            signed: true,
            to,
        } => {
            let x = a.signed(width);
            match to {
                FloatFormat::Single => val32(x as f32),
                FloatFormat::Double => val64(x as f64),
            }
        }
        FloatCast::FromInt {
            signed: false, to, ..
        } => match to {
            FloatFormat::Single => val32(a.int() as f32),
            FloatFormat::Double => val64(a.int() as f64),
        },
        FloatCast::ToInt {
            from,
            width,
            signed,
            ..
        } => {
            let x = as_double(from, a);
            let mask = u128::MAX >> (128 - width);
            Val::wide(if signed {
                let most = (mask >> 1) as i128;
                (x as i128).clamp(-most - 1, most) as u128 & mask
            } else {
                (x as u128).min(mask)
            })
        }
    }
}

/// Whether the truncated number is in the integer type's range.
pub fn float_fits(from: FloatFormat, width: u32, signed: bool, a: Val) -> bool {
    let x = as_double(from, a).trunc();
    let limit = |bits: u32| 2f64.powi(bits as i32);
    if signed {
        x >= -limit(width - 1) && x < limit(width - 1)
    } else {
        x > -1.0 && x < limit(width)
    }
}

fn as_double(format: FloatFormat, a: Val) -> f64 {
    match format {
        FloatFormat::Single => f64::from(f32_of(a)),
        FloatFormat::Double => f64_of(a),
    }
}
