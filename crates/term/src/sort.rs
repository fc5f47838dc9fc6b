//! Sorts: what kind of value a term has.
//!
//! Three kinds are enough for C through LLVM IR: truth values, bit vectors of a fixed width, and
//! the two IEEE 754 formats that C programs use. Memory is not a sort: a predicate holds ground
//! reads of the state, never a memory as a value (algorithm notes 2.6), so it can be evaluated on a
//! state.

use std::fmt;

/// An IEEE 754 binary format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatSort {
    /// binary32, C's `float`.
    F32,
    /// binary64, C's `double`.
    F64,
}

impl FloatSort {
    /// The number of bits of the encoding.
    pub fn bits(self) -> u32 {
        match self {
            FloatSort::F32 => 32,
            FloatSort::F64 => 64,
        }
    }

    /// The number of exponent bits, as SMT-LIB counts them.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatSort::F32 => 8,
            FloatSort::F64 => 11,
        }
    }

    /// The number of significand bits including the hidden one, as SMT-LIB counts them.
    pub fn significand_bits(self) -> u32 {
        self.bits() - self.exponent_bits()
    }
}

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit vector of this many bits, at least one.
    BitVec(u32),
    /// An IEEE 754 number; all NaNs are one value.
    Float(FloatSort),
}

/// The widest bit vector that the parser accepts as a sort.
const WIDEST_READ: u32 = 4096;

impl Sort {
    /// The width, if this is a bit vector.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// The number of bits of a value of this sort; one for a truth value.
    pub fn bits(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
            Sort::Float(format) => format.bits(),
        }
    }
}

impl Sort {
    /// Parses SMT-LIB's spelling of a sort.
    pub fn parse(text: &str) -> Option<Sort> {
        let floats = [FloatSort::F32, FloatSort::F64].map(Sort::Float);
        let mut fixed = floats.into_iter().chain([Sort::Bool]);
        if let Some(sort) = fixed.find(|sort| sort.to_string() == text) {
            return Some(sort);
        }
        let width = text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?;
        let width: u32 = width.parse().ok()?;
        (1..=WIDEST_READ)
            .contains(&width)
            .then_some(Sort::BitVec(width))
    }
}

impl fmt::Display for Sort {
    /// Writes the sort as SMT-LIB does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => {
                let (e, s) = (format.exponent_bits(), format.significand_bits());
                write!(f, "(_ FloatingPoint {e} {s})")
            }
        }
    }
}

/// A direction for rounding to an integral value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even: C's `rint` in the default environment.
    NearestEven,
    /// To the nearest, ties away from zero: C's `round`.
    NearestAway,
    /// Towards plus infinity: C's `ceil`.
    Up,
    /// Towards minus infinity: C's `floor`.
    Down,
    /// Towards zero: C's `trunc`.
    Zero,
}

impl Rounding {
    /// All modes, in declaration order.
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::Up,
        Rounding::Down,
        Rounding::Zero,
    ];

    /// The name in SMT-LIB's theory of floating-point numbers.
    pub fn smtlib(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::Zero => "RTZ",
        }
    }
}
