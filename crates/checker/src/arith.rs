//! The model's operations on numbers, as terms.
//!
//! They are total, as in the terms. [`undefined`] gives the cases that C leaves undefined, as
//! separate conditions with their bail kinds.

use attest_model::{
    BailKind, FloatCast, FloatFormat, FloatOp, FloatRelation, FloatUnary, IntOp, IntUnary,
    Relation, Resize,
};
use attest_term::{FloatSort, Rounding, Term, Terms};

/// Arithmetic of two integers.
pub fn int(t: &mut Terms, op: IntOp, a: Term, b: Term) -> Term {
    match op {
        IntOp::Add => t.add(a, b),
        IntOp::Sub => t.sub(a, b),
        IntOp::Mul => t.mul(a, b),
        IntOp::UDiv => t.udiv(a, b),
        IntOp::SDiv => t.sdiv(a, b),
        IntOp::URem => t.urem(a, b),
        IntOp::SRem => t.srem(a, b),
        IntOp::Shl => t.shl(a, b),
        IntOp::LShr => t.lshr(a, b),
        IntOp::AShr => t.ashr(a, b),
        IntOp::And => t.bvand(a, b),
        IntOp::Or => t.bvor(a, b),
        IntOp::Xor => t.bvxor(a, b),
    }
}

/// The condition under which an operation on integers is undefined, and its bail kind.
pub fn undefined(t: &mut Terms, op: IntOp, a: Term, b: Term) -> Option<(Term, BailKind)> {
    let width = t.width(a);
    match op {
        IntOp::UDiv | IntOp::URem => {
            let zero = t.bv_u128(width, 0);
            Some((t.eq(b, zero), BailKind::Division))
        }
        IntOp::SDiv | IntOp::SRem => {
            let zero = t.bv_u128(width, 0);
            let by_zero = t.eq(b, zero);
            let too_large = t.sdiv_overflow(a, b);
            Some((t.any(&[by_zero, too_large]), BailKind::Division))
        }
        IntOp::Shl | IntOp::LShr | IntOp::AShr => {
            let bound = t.bv_u128(width, width.into());
            Some((t.ule(bound, b), BailKind::Shift))
        }
        _ => None,
    }
}

/// The condition under which an operation that must not wrap as a signed one wraps.
pub fn overflows(t: &mut Terms, op: IntOp, a: Term, b: Term) -> Option<Term> {
    Some(match op {
        IntOp::Add => t.sadd_overflow(a, b),
        IntOp::Sub => t.ssub_overflow(a, b),
        IntOp::Mul => t.smul_overflow(a, b),
        IntOp::Shl => {
            // The bits shifted out are copies of the remaining sign.
            let moved = t.shl(a, b);
            let back = t.ashr(moved, b);
            t.ne(back, a)
        }
        _ => return None,
    })
}

/// Arithmetic of one integer.
pub fn int_unary(t: &mut Terms, op: IntUnary, a: Term) -> Term {
    let width = t.width(a);
    let bits: Vec<Term> = (0..width).map(|i| t.extract(i, i, a)).collect();
    match op {
        IntUnary::PopCount => {
            let zero = t.bv_u128(width, 0);
            bits.iter().fold(zero, |sum, bit| {
                let one = t.zext(*bit, width);
                t.add(sum, one)
            })
        }
        IntUnary::LeadingZeros => count_zeros(t, bits.iter().rev().copied(), width),
        IntUnary::TrailingZeros => count_zeros(t, bits.iter().copied(), width),
        IntUnary::BitReverse => join(t, bits.into_iter().rev()),
        IntUnary::ByteSwap => {
            let bytes: Vec<Term> = (0..width / 8)
                .map(|i| t.extract(8 * i + 7, 8 * i, a))
                .collect();
            join(t, bytes.into_iter().rev())
        }
    }
}

/// The number of zeros before the first one, in this order.
fn count_zeros(t: &mut Terms, bits: impl DoubleEndedIterator<Item = Term>, width: u32) -> Term {
    let bits: Vec<Term> = bits.collect();
    let mut count = t.bv_u128(width, width.into());
    for (distance, bit) in bits.into_iter().enumerate().rev() {
        let set = t.bit_to_bool(bit);
        let here = t.bv_u128(width, distance as u128);
        count = t.ite(set, here, count);
    }
    count
}

/// The concatenation of parts, the lowest first.
fn join(t: &mut Terms, mut parts: impl Iterator<Item = Term>) -> Term {
    let first = parts.next().unwrap_or_else(|| t.bv_u128(1, 0));
    parts.fold(first, |low, high| t.concat(high, low))
}

/// A relation of two integers.
pub fn relation(t: &mut Terms, rel: Relation, a: Term, b: Term) -> Term {
    match rel {
        Relation::Eq => t.eq(a, b),
        Relation::Ne => t.ne(a, b),
        Relation::Ult => t.ult(a, b),
        Relation::Ule => t.ule(a, b),
        Relation::Ugt => t.ult(b, a),
        Relation::Uge => t.ule(b, a),
        Relation::Slt => t.slt(a, b),
        Relation::Sle => t.sle(a, b),
        Relation::Sgt => t.slt(b, a),
        Relation::Sge => t.sle(b, a),
    }
}

/// A change of width.
pub fn resize(t: &mut Terms, how: Resize, to: u32, a: Term) -> Term {
    match how {
        Resize::Truncate => t.extract(to - 1, 0, a),
        Resize::ZeroExtend => t.zext(a, to),
        Resize::SignExtend => t.sext(a, to),
    }
}

/// An unsigned integer resized to another width.
pub fn fit(t: &mut Terms, a: Term, to: u32) -> Term {
    if t.width(a) > to {
        t.extract(to - 1, 0, a)
    } else {
        t.zext(a, to)
    }
}

/// Arithmetic of two floats.
pub fn float(t: &mut Terms, op: FloatOp, a: Term, b: Term) -> Term {
    match op {
        FloatOp::Add => t.fadd(a, b),
        FloatOp::Sub => t.fsub(a, b),
        FloatOp::Mul => t.fmul(a, b),
        FloatOp::Div => t.fdiv(a, b),
        FloatOp::Rem => t.frem(a, b),
        FloatOp::CopySign => {
            let magnitude = t.fabs(a);
            let negated = t.fneg(magnitude);
            let negative = t.is_negative(b);
            t.ite(negative, negated, magnitude)
        }
        FloatOp::Min => {
            let (nan, less) = (t.is_nan(a), t.folt(b, a));
            let second = t.any(&[nan, less]);
            t.ite(second, b, a)
        }
        FloatOp::Max => {
            let (nan, more) = (t.is_nan(a), t.folt(a, b));
            let second = t.any(&[nan, more]);
            t.ite(second, b, a)
        }
    }
}

/// Arithmetic of one float.
pub fn float_unary(t: &mut Terms, op: FloatUnary, a: Term) -> Term {
    match op {
        FloatUnary::Neg => t.fneg(a),
        FloatUnary::Abs => t.fabs(a),
        FloatUnary::Sqrt => t.fsqrt(a),
        FloatUnary::Floor => t.fround(Rounding::Down, a),
        FloatUnary::Ceil => t.fround(Rounding::Up, a),
        FloatUnary::Trunc => t.fround(Rounding::Zero, a),
        FloatUnary::Round => t.fround(Rounding::NearestAway, a),
        FloatUnary::RoundEven => t.fround(Rounding::NearestEven, a),
    }
}

/// A relation of two floats.
pub fn float_relation(t: &mut Terms, rel: FloatRelation, a: Term, b: Term) -> Term {
    use FloatRelation::*;
    let ordered = match rel {
        False | True | Ord | Uno => t.bool(false),
        Oeq | Ueq => t.foeq(a, b),
        Ogt | Ugt => t.folt(b, a),
        Oge | Uge => t.fole(b, a),
        Olt | Ult => t.folt(a, b),
        Ole | Ule => t.fole(a, b),
        One | Une => {
            let (less, more) = (t.folt(a, b), t.folt(b, a));
            t.any(&[less, more])
        }
    };
    let unordered = t.funordered(a, b);
    match rel {
        False => t.bool(false),
        True => t.bool(true),
        Ord => t.not(unordered),
        Uno => unordered,
        Oeq | Ogt | Oge | Olt | Ole | One => ordered,
        Ueq | Ugt | Uge | Ult | Ule | Une => t.any(&[unordered, ordered]),
    }
}

fn format(format: FloatFormat) -> FloatSort {
    match format {
        FloatFormat::Single => FloatSort::F32,
        FloatFormat::Double => FloatSort::F64,
    }
}

/// A conversion from or to a float.
pub fn float_cast(t: &mut Terms, cast: FloatCast, a: Term) -> Term {
    match cast {
        FloatCast::Format { to, .. } => t.float_convert(format(to), a),
        FloatCast::FromInt { signed, to, .. } => {
            if signed {
                t.float_from_signed(format(to), a)
            } else {
                t.float_from_unsigned(format(to), a)
            }
        }
        FloatCast::ToInt { width, signed, .. } => {
            if signed {
                t.float_to_signed(width, a)
            } else {
                t.float_to_unsigned(width, a)
            }
        }
        FloatCast::ToBits(_) => t.float_to_bits(a),
        FloatCast::FromBits(to) => t.float_from_bits(format(to), a),
    }
}

/// Whether a truncated float is outside an integer type's range; true for NaN.
pub fn does_not_fit(t: &mut Terms, from: FloatFormat, width: u32, signed: bool, a: Term) -> Term {
    let number = |t: &mut Terms, x: f64| match from {
        FloatFormat::Single => t.f32(x as f32),
        FloatFormat::Double => t.f64(x),
    };
    let whole = t.fround(Rounding::Zero, a);
    let (low, high) = if signed {
        let bound = 2f64.powi(width as i32 - 1);
        (number(t, -bound), number(t, bound))
    } else {
        (number(t, 0.0), number(t, 2f64.powi(width as i32)))
    };
    let (from_low, to_high) = (t.fole(low, whole), t.folt(whole, high));
    let fits = t.all(&[from_low, to_high]);
    t.not(fits)
}
