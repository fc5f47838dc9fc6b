//! Operations: the function symbols of the term language, and their typing.
//!
//! [`Op::result_sort`] is the only place that knows which operands an operation takes. The arena
//! asserts on it, since a wrong sort there is a programming error; the parser reports it as an
//! error of the text.

use std::fmt;

use crate::sort::{FloatSort, Rounding, Sort};
use crate::symbol::SymbolId;

/// An interned constant of one [`Terms`](crate::Terms).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub(crate) u32);

/// The operation at the root of a term. The meaning of each is in the table
/// of the [crate's documentation](crate).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // The names are the operations; the crate's table documents them.
pub enum Op {
    // Leaves.
    Bool(bool),
    Const(ConstId),
    Var(SymbolId),
    // Reads of the state's memory; operands (object: bv32, offset: bvW), W at most 64.
    Read {
        version: u32,
        bytes: u32,
    },
    ReadPtrObject {
        version: u32,
    },
    ReadPtrOffset {
        version: u32,
    },
    ReadTag {
        version: u32,
    },
    /// The rigid address of an object: bv32 to bv of this width.
    Base {
        width: u32,
    },
    // Truth values; `Eq` and `Ite` are for every sort.
    Not,
    And,
    Or,
    Xor,
    Eq,
    Ite,
    // Bit vectors.
    BvNeg,
    BvNot,
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    BvAnd,
    BvOr,
    BvXor,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExt {
        by: u32,
    },
    SignExt {
        by: u32,
    },
    Ult,
    Ule,
    Slt,
    Sle,
    // IEEE floats; arithmetic rounds to nearest, ties to even.
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FFma,
    FNeg,
    FAbs,
    FSqrt,
    FRound(Rounding),
    FEq,
    FLt,
    FLe,
    FIsNan,
    FIsInf,
    FIsZero,
    FIsNormal,
    FIsSubnormal,
    FIsNegative,
    FFromSigned(FloatSort),
    FFromUnsigned(FloatSort),
    FToSigned {
        width: u32,
    },
    FToUnsigned {
        width: u32,
    },
    FConvert(FloatSort),
    FFromBits(FloatSort),
    FToBits,
}

/// Why operands do not fit an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    op: Op,
    args: Vec<Sort>,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} does not take operands of sorts", self.op)?;
        self.args.iter().try_for_each(|sort| write!(f, " {sort}"))
    }
}

impl std::error::Error for SortError {}

/// The widest bit vector that may be built: text cannot request gigabytes.
pub const MAX_WIDTH: u32 = 1 << 24;

impl Op {
    /// Whether the order of the two operands does not matter.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or | Xor | Eq | Add | Mul | BvAnd | BvOr | BvXor | FAdd | FMul | FEq
        )
    }

    /// Whether this operation reads the state's memory.
    pub fn is_read(self) -> bool {
        use Op::*;
        matches!(
            self,
            Read { .. } | ReadPtrObject { .. } | ReadPtrOffset { .. } | ReadTag { .. }
        )
    }

    /// The memory version that a read refers to.
    pub fn version(self) -> Option<u32> {
        use Op::*;
        match self {
            Read { version, .. }
            | ReadPtrObject { version }
            | ReadPtrOffset { version }
            | ReadTag { version } => Some(version),
            _ => None,
        }
    }

    /// The sort of the result for operands of these sorts. The arena gives constants and variables
    /// their sorts; they are not typed here.
    pub fn result_sort(self, args: &[Sort]) -> Result<Sort, SortError> {
        self.type_of(args)
            .filter(|sort| sort.width().is_none_or(|w| (1..=MAX_WIDTH).contains(&w)))
            .ok_or_else(|| SortError {
                op: self,
                args: args.to_vec(),
            })
    }

    fn type_of(self, args: &[Sort]) -> Option<Sort> {
        use Op::*;
        use Sort::{BitVec, Bool as B, Float};
        Some(match (self, args) {
            (Bool(_), []) => B,
            (Read { bytes, .. }, [BitVec(32), BitVec(1..=64)]) => BitVec(bytes.checked_mul(8)?),
            (ReadPtrObject { .. }, [BitVec(32), BitVec(1..=64)]) => BitVec(32),
            (ReadPtrOffset { .. }, [BitVec(32), BitVec(w @ 1..=64)]) => BitVec(*w),
            (ReadTag { .. }, [BitVec(32), BitVec(1..=64)]) => B,
            (
                Base {
                    width: width @ 1..=64,
                },
                [BitVec(32)],
            ) => BitVec(width),
            (Not, [B]) | (Xor, [B, B]) => B,
            (And | Or, [_, _, ..]) if args.iter().all(|&sort| sort == B) => B,
            (Eq, [a, b]) if a == b => B,
            (Ite, [B, a, b]) if a == b => *a,
            (BvNeg | BvNot, [BitVec(w)]) => BitVec(*w),
            (
                Add | Sub | Mul | Udiv | Sdiv | Urem | Srem | BvAnd | BvOr | BvXor | Shl | Lshr
                | Ashr,
                [BitVec(v), BitVec(w)],
            ) if v == w => BitVec(*w),
            (Concat, [BitVec(v), BitVec(w)]) => BitVec(v.checked_add(*w)?),
            (Extract { high, low }, [BitVec(w)]) if low <= high && high < *w => {
                BitVec(high - low + 1)
            }
            (ZeroExt { by } | SignExt { by }, [BitVec(w)]) => BitVec(w.checked_add(by)?),
            (Ult | Ule | Slt | Sle, [BitVec(v), BitVec(w)]) if v == w => B,
            (FAdd | FSub | FMul | FDiv | FRem, [Float(a), Float(b)]) if a == b => Float(*a),
            (FFma, [Float(a), Float(b), Float(c)]) if a == b && b == c => Float(*a),
            (FNeg | FAbs | FSqrt | FRound(_), [Float(a)]) => Float(*a),
            (FEq | FLt | FLe, [Float(a), Float(b)]) if a == b => B,
            (FIsNan | FIsInf | FIsZero | FIsNormal | FIsSubnormal | FIsNegative, [Float(_)]) => B,
            (FFromSigned(to) | FFromUnsigned(to), [BitVec(1..=128)]) => Float(to),
            (
                FToSigned {
                    width: width @ 1..=128,
                }
                | FToUnsigned {
                    width: width @ 1..=128,
                },
                [Float(_)],
            ) => BitVec(width),
            (FConvert(to), [Float(_)]) => Float(to),
            (FFromBits(to), [BitVec(w)]) if *w == to.bits() => Float(to),
            (FToBits, [Float(a)]) => BitVec(a.bits()),
            _ => return None,
        })
    }
}
