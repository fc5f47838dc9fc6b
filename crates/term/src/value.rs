//! Values of terms: the results of evaluation, and constants.
//!
//! A float is stored as its encoding, so that equality of values is SMT-LIB's `=` (plus and minus
//! zero differ, NaN equals NaN), which hash-consing of constants needs. Every NaN becomes the one
//! canonical quiet NaN on construction, since SMT-LIB has a single NaN and C does not specify the
//! payload.

use std::fmt;

use crate::bv::Bv;
use crate::sort::{FloatSort, Sort};

/// The encoding of the one NaN of binary32.
pub const NAN32: u32 = 0x7fc0_0000;
/// The encoding of the one NaN of binary64.
pub const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit vector.
    Bv(Bv),
    /// A binary32 by its encoding; build with [`Value::f32`] so that NaN is canonical.
    F32(u32),
    /// A binary64 by its encoding; build with [`Value::f64`] so that NaN is canonical.
    F64(u64),
}

impl Value {
    /// A bit vector of at most 128 bits; higher bits are dropped.
    pub fn bv(width: u32, bits: u128) -> Value {
        Value::Bv(Bv::new(width, bits))
    }

    /// A binary32.
    pub fn f32(number: f32) -> Value {
        Value::F32(if number.is_nan() {
            NAN32
        } else {
            number.to_bits()
        })
    }

    /// A binary64.
    pub fn f64(number: f64) -> Value {
        Value::F64(if number.is_nan() {
            NAN64
        } else {
            number.to_bits()
        })
    }

    /// The value of a sort of at most 64 bits whose encoding is `bits`.
    /// Bits above the sort's are dropped; NaNs become canonical.
    ///
    /// # Panics
    /// If the sort has more than 64 bits.
    pub fn from_bits(sort: Sort, bits: u64) -> Value {
        assert!(sort.bits() <= 64, "the sort does not fit in 64 bits");
        match sort {
            Sort::Bool => Value::Bool(bits & 1 == 1),
            Sort::BitVec(width) => Value::bv(width, bits as u128),
            Sort::Float(FloatSort::F32) => Value::f32(f32::from_bits(bits as u32)),
            Sort::Float(FloatSort::F64) => Value::f64(f64::from_bits(bits)),
        }
    }

    /// The default of a sort: false, zero, plus zero.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::BitVec(width) => Value::Bv(Bv::zero(width)),
            small => Value::from_bits(small, 0),
        }
    }

    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(bv) => Sort::BitVec(bv.width()),
            Value::F32(_) => Sort::Float(FloatSort::F32),
            Value::F64(_) => Sort::Float(FloatSort::F64),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bit vector, if it is one.
    pub fn as_bv(&self) -> Option<&Bv> {
        match self {
            Value::Bv(bv) => Some(bv),
            _ => None,
        }
    }

    /// The low 64 bits of the encoding.
    pub fn low_u64(&self) -> u64 {
        match self {
            Value::Bool(b) => *b as u64,
            Value::Bv(bv) => bv.low_u64(),
            Value::F32(bits) => *bits as u64,
            Value::F64(bits) => *bits,
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Bv> for Value {
    fn from(bv: Bv) -> Value {
        Value::Bv(bv)
    }
}

impl fmt::Display for Value {
    /// Writes the value as SMT-LIB does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv(bv) => write!(f, "{bv}"),
            Value::F32(NAN32) => write!(f, "(_ NaN 8 24)"),
            Value::F64(NAN64) => write!(f, "(_ NaN 11 53)"),
            Value::F32(bits) => {
                let (sign, exponent, rest) = (bits >> 31, bits >> 23 & 0xff, bits & 0x7f_ffff);
                write!(f, "(fp #b{sign} #b{exponent:08b} #b{rest:023b})")
            }
            Value::F64(bits) => {
                let (sign, exponent, rest) =
                    (bits >> 63, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
                write!(f, "(fp #b{sign} #b{exponent:011b} #x{rest:013x})")
            }
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::F32(bits) => write!(f, "{}f32", f32::from_bits(*bits)),
            Value::F64(bits) => write!(f, "{}f64", f64::from_bits(*bits)),
            other => fmt::Display::fmt(other, f),
        }
    }
}
