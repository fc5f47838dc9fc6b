//! Operations on scalars: integers, floats, and conversions. They are total; separate checks
//! exclude the cases that C leaves undefined.

use super::Sort;

/// Binary integer operations. The model's arithmetic wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Unary integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntUnary {
    /// Number of ones.
    PopCount,
    /// Zeros above the highest one; the width for 0.
    LeadingZeros,
    /// Zeros below the lowest one; the width for 0.
    TrailingZeros,
    /// Bytes in reverse order.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
}

/// Relations between integers, or offsets of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions between integer widths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resize {
    /// Keep the low bits.
    Truncate,
    /// Zeros above.
    ZeroExtend,
    /// Copies of the sign above.
    SignExtend,
}

/// The two IEEE formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl FloatFormat {
    /// The sort of values of this format.
    pub fn sort(self) -> Sort {
        match self {
            FloatFormat::Single => Sort::F32,
            FloatFormat::Double => Sort::F64,
        }
    }
}

/// Binary float operations, rounding to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`.
    Rem,
    /// The first with the sign of the second.
    CopySign,
    /// C's `fmin`.
    Min,
    /// C's `fmax`.
    Max,
}

/// Unary float operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// Sign flipped.
    Neg,
    /// Sign cleared.
    Abs,
    /// Square root.
    Sqrt,
    /// Toward minus infinity.
    Floor,
    /// Toward plus infinity.
    Ceil,
    /// Toward zero.
    Trunc,
    /// To nearest, ties away from zero.
    Round,
    /// To nearest, ties to even.
    RoundEven,
}

/// Float relations: the ordered ones are false and the unordered ones true on NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatRelation {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Conversions between floats and integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCast {
    /// Between the formats.
    Format {
        /// The operand's format.
        from: FloatFormat,
        /// The result's format.
        to: FloatFormat,
    },
    /// An integer to a float, to nearest even.
    FromInt {
        /// Bits of the integer.
        width: u32,
        /// Whether it is signed.
        signed: bool,
        /// The result's format.
        to: FloatFormat,
    },
    /// A float to an integer toward zero. Out of range bails.
    ToInt {
        /// The operand's format.
        from: FloatFormat,
        /// Bits of the integer.
        width: u32,
        /// Whether it is signed.
        signed: bool,
        /// Whether out of range gives the nearest bound (and NaN 0) instead of a bail.
        saturating: bool,
    },
    /// The bit pattern as an integer.
    ToBits(FloatFormat),
    /// A bit pattern as a float.
    FromBits(FloatFormat),
}
