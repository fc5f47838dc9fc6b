//! Terms: the one expression language of attest.
//!
//! Predicates are built, rewritten, evaluated on states, decided by a solver
//! and shown to people. All of that is about one kind of object, a [`Term`] in
//! a [`Terms`] arena, so that no two parts of attest can disagree about what a
//! predicate means. This crate does everything but deciding.
//!
//! ```
//! use attest_term::{Sort, SymbolKind, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
//! let ten = terms.bv_u128(32, 10);
//! let one = terms.bv_u128(32, 1);
//! let next = terms.add(x, one);
//! let small = terms.sle(next, ten);
//! assert_eq!(terms.to_c(small), "x + 1 <= 10");
//! let text = terms.to_smtlib(small);
//! assert_eq!(terms.parse_smtlib(&text), Ok(small));
//! ```
//!
//! # Where things are
//!
//! [`Terms`] stores and hash-conses (`arena`); `build` has the named
//! constructors, `rewrite` their rules, and [`Terms::raw`] does without them;
//! `semantics` is the meaning of operations, [`Terms::eval`] the plain
//! evaluator and [`Program`] the fast one; `traverse` finds and replaces;
//! `smtlib` and `pretty` are the texts.
//!
//! **Invariant:** an operand has a smaller handle than what is over it; no
//! traversal recurses. **Invariant:** every operation is total. **Absent:**
//! arrays, stores and quantifiers: a predicate has ground reads of a state only.
//!
//! # What operations mean
//!
//! Those of SMT-LIB's theories of bit vectors and floats mean what they mean
//! there, and this in the cases that programs leave undefined:
//!
//! | operation | case | value |
//! |---|---|---|
//! | `Add` `Sub` `Mul` `BvNeg` | overflow | modulo two to the width |
//! | `Udiv` x 0 | | all ones |
//! | `Urem` x 0 | | x |
//! | `Sdiv` x 0 | | 1 if x is negative, else -1 |
//! | `Srem` x 0 | | x |
//! | `Sdiv` min -1, `Srem` min -1 | | min, 0 |
//! | `Srem` | | the sign of the dividend |
//! | `Shl` `Lshr` | amount ≥ width | 0 |
//! | `Ashr` | amount ≥ width | all bits the sign |
//! | `Eq` on floats | | identity: NaN equals NaN, +0 and -0 differ |
//! | `FEq` `FLt` `FLe` | an operand NaN | false |
//! | `FAdd` `FSub` `FMul` `FDiv` `FFma` `FSqrt`, conversions to floats | | to nearest, ties to even |
//! | `FRem` | | C's `fmod` (not SMT-LIB's `fp.rem`) |
//! | `FToSigned` `FToUnsigned` | | towards zero; saturating; NaN gives 0 |
//! | `FToBits` | NaN | any NaN for proofs; `0x7fc00000`, `0x7ff8000000000000` where it is evaluated |
//! | `Read` | | byte *i* is at offset + *i* modulo two to the offsets' width; little-endian |
//! | `ReadPtrObject` `ReadPtrOffset` `ReadTag` | | total functions of (version, object, offset), whatever bytes are there |
//! | `Base` | | a rigid total function of the object |

mod arena;
mod build;
mod bv;
mod compile;
mod eval;
mod float;
mod op;
mod pretty;
mod program;
pub mod random;
mod rewrite;
mod semantics;
mod smtlib;
mod sort;
mod symbol;
mod table;
#[doc(hidden)]
pub mod testing;
mod traverse;
mod value;

pub use arena::{Term, Terms};
pub use bv::Bv;
pub use eval::{Address, Env};
pub use op::{ConstId, MAX_WIDTH, Op, SortError};
pub use pretty::Limits;
pub use program::{Program, Scratch};
pub use smtlib::{ParseError, Sexps};
pub use sort::{FloatSort, Rounding, Sort};
pub use symbol::{Symbol, SymbolId, SymbolKind};
pub use traverse::Substitution;
pub use value::{NAN32, NAN64, Value};
