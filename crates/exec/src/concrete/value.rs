//! Concrete values and their arithmetic.
//!
//! A value is two machine words without a tag: the instruction knows its type. An integer has its
//! low bits in `lo`, a pointer its offset in `lo` and its object in `hi`, a float its bit pattern
//! in `lo`.

use attest_model::{Constant, IntOp, IntUnary, ObjectId, Relation, Resize};

/// A machine value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Val {
    /// Low word.
    pub lo: u64,
    /// High word.
    pub hi: u64,
}

impl Val {
    /// An integer, or a float's bits, of at most 64 bits.
    #[inline(always)]
    pub const fn small(lo: u64) -> Val {
        Val { lo, hi: 0 }
    }

    /// An integer of up to 128 bits.
    #[inline(always)]
    pub const fn wide(value: u128) -> Val {
        Val {
            lo: value as u64,
            hi: (value >> 64) as u64,
        }
    }

    /// A pointer.
    #[inline(always)]
    pub const fn ptr(object: ObjectId, offset: u64) -> Val {
        Val {
            lo: offset,
            hi: object.0 as u64,
        }
    }

    /// One bit.
    #[inline(always)]
    pub const fn bit(on: bool) -> Val {
        Val::small(on as u64)
    }

    /// The integer.
    #[inline(always)]
    pub const fn int(self) -> u128 {
        self.lo as u128 | (self.hi as u128) << 64
    }

    /// The object of a pointer.
    #[inline(always)]
    pub const fn object(self) -> ObjectId {
        ObjectId(self.hi as u32)
    }

    /// Whether a bit is set.
    #[inline(always)]
    pub const fn is_true(self) -> bool {
        self.lo & 1 == 1
    }

    /// The value of a constant.
    #[inline(always)]
    pub fn of(constant: Constant) -> Val {
        match constant {
            Constant::Int { value, .. } => Val::wide(value),
            Constant::Ptr { object, offset } => Val::ptr(object, offset),
            Constant::F32(bits) => Val::small(u64::from(bits)),
            Constant::F64(bits) => Val::small(bits),
        }
    }

    /// The integer read as signed.
    #[inline(always)]
    pub fn signed(self, width: u32) -> i128 {
        if width <= 64 {
            i128::from(signed64(self.lo, width))
        } else {
            let shift = 128 - width;
            ((self.int() << shift) as i128) >> shift
        }
    }
}

#[inline(always)]
fn mask64(value: u64, width: u32) -> u64 {
    value & (u64::MAX >> (64 - width))
}

#[inline(always)]
fn signed64(value: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

#[inline(always)]
fn mask128(value: u128, width: u32) -> u128 {
    value & (u128::MAX >> (128 - width))
}

/// Integer arithmetic, wrapping. Total, by the conventions of SMT-LIB: division by zero gives all
/// ones, its remainder is the dividend, and a shift by the width or more gives zero or the sign.
/// The semantics excludes these cases with [`Domain::require`](crate::Domain::require) first.
#[inline(always)]
pub fn int(op: IntOp, width: u32, a: Val, b: Val) -> Val {
    if width > 64 {
        return int_wide(op, width, a, b);
    }
    let (x, y) = (a.lo, b.lo);
    let result = match op {
        IntOp::Add => x.wrapping_add(y),
        IntOp::Sub => x.wrapping_sub(y),
        IntOp::Mul => x.wrapping_mul(y),
        IntOp::And => x & y,
        IntOp::Or => x | y,
        IntOp::Xor => x ^ y,
        IntOp::UDiv => x.checked_div(y).unwrap_or(u64::MAX),
        IntOp::URem => x.checked_rem(y).unwrap_or(x),
        IntOp::SDiv => {
            let (s, t) = (signed64(x, width), signed64(y, width));
            if t == 0 {
                if s < 0 { 1 } else { u64::MAX }
            } else {
                s.wrapping_div(t) as u64
            }
        }
        IntOp::SRem => {
            let (s, t) = (signed64(x, width), signed64(y, width));
            if t == 0 { x } else { s.wrapping_rem(t) as u64 }
        }
        IntOp::Shl => {
            if y >= u64::from(width) {
                0
            } else {
                x << y
            }
        }
        IntOp::LShr => {
            if y >= u64::from(width) {
                0
            } else {
                x >> y
            }
        }
        IntOp::AShr => (signed64(x, width) >> y.min(63)) as u64,
    };
    Val::small(mask64(result, width))
}

#[inline(never)]
fn int_wide(op: IntOp, width: u32, a: Val, b: Val) -> Val {
    let (x, y) = (a.int(), b.int());
    let (s, t) = (a.signed(width), b.signed(width));
    let in_range = y < u128::from(width);
    let result = match op {
        IntOp::Add => x.wrapping_add(y),
        IntOp::Sub => x.wrapping_sub(y),
        IntOp::Mul => x.wrapping_mul(y),
        IntOp::And => x & y,
        IntOp::Or => x | y,
        IntOp::Xor => x ^ y,
        IntOp::UDiv => x.checked_div(y).unwrap_or(u128::MAX),
        IntOp::URem => x.checked_rem(y).unwrap_or(x),
        IntOp::SDiv if t == 0 => {
            if s < 0 {
                1
            } else {
                u128::MAX
            }
        }
        IntOp::SDiv => s.wrapping_div(t) as u128,
        IntOp::SRem if t == 0 => x,
        IntOp::SRem => s.wrapping_rem(t) as u128,
        IntOp::Shl if in_range => x << y,
        IntOp::LShr if in_range => x >> y,
        IntOp::Shl | IntOp::LShr => 0,
        IntOp::AShr => (s >> y.min(127)) as u128,
    };
    Val::wide(mask128(result, width))
}

/// Unary integer arithmetic.
pub fn int_unary(op: IntUnary, width: u32, a: Val) -> Val {
    let x = a.int();
    Val::wide(match op {
        IntUnary::PopCount => u128::from(x.count_ones()),
        IntUnary::LeadingZeros => u128::from(x.leading_zeros() - (128 - width)),
        IntUnary::TrailingZeros => u128::from(x.trailing_zeros().min(width)),
        IntUnary::ByteSwap => x.swap_bytes() >> (128 - width),
        IntUnary::BitReverse => x.reverse_bits() >> (128 - width),
    })
}

/// Comparison.
#[inline(always)]
pub fn compare(rel: Relation, width: u32, a: Val, b: Val) -> bool {
    if width > 64 {
        let (x, y) = (a.int(), b.int());
        let (s, t) = (a.signed(width), b.signed(width));
        return relate(rel, x.cmp(&y), s.cmp(&t));
    }
    match rel {
        Relation::Eq => a.lo == b.lo,
        Relation::Ne => a.lo != b.lo,
        Relation::Ult => a.lo < b.lo,
        Relation::Ule => a.lo <= b.lo,
        Relation::Ugt => a.lo > b.lo,
        Relation::Uge => a.lo >= b.lo,
        Relation::Slt => signed64(a.lo, width) < signed64(b.lo, width),
        Relation::Sle => signed64(a.lo, width) <= signed64(b.lo, width),
        Relation::Sgt => signed64(a.lo, width) > signed64(b.lo, width),
        Relation::Sge => signed64(a.lo, width) >= signed64(b.lo, width),
    }
}

fn relate(rel: Relation, unsigned: std::cmp::Ordering, signed: std::cmp::Ordering) -> bool {
    match rel {
        Relation::Eq => unsigned.is_eq(),
        Relation::Ne => unsigned.is_ne(),
        Relation::Ult => unsigned.is_lt(),
        Relation::Ule => unsigned.is_le(),
        Relation::Ugt => unsigned.is_gt(),
        Relation::Uge => unsigned.is_ge(),
        Relation::Slt => signed.is_lt(),
        Relation::Sle => signed.is_le(),
        Relation::Sgt => signed.is_gt(),
        Relation::Sge => signed.is_ge(),
    }
}

/// Change of width.
#[inline(always)]
pub fn resize(how: Resize, from: u32, to: u32, a: Val) -> Val {
    match how {
        Resize::ZeroExtend => a,
        Resize::Truncate if to <= 64 => Val::small(mask64(a.lo, to)),
        Resize::Truncate => Val::wide(mask128(a.int(), to)),
        Resize::SignExtend if to <= 64 => Val::small(mask64(signed64(a.lo, from) as u64, to)),
        Resize::SignExtend => Val::wide(mask128(a.signed(from) as u128, to)),
    }
}
