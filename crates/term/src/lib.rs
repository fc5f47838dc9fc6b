//! Terms: the one expression language of attest.
//!
//! Predicates are built, rewritten, evaluated on states, decided by a solver and printed. All of
//! these work on one kind of object, a [`Term`] in a [`Terms`] arena, so no two parts of attest can
//! disagree about what a predicate means. This crate does everything except deciding.
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
//! # Files
//!
//! - `arena`: [`Terms`], the storage with hash-consing ([`Terms::raw`] builds without rewriting)
//! - `table`: the hash table of hash-consing
//! - `op`, `sort`, `symbol`, `value`: operations, sorts, symbols and constants
//! - `bv`, `float`: bit-vector and floating-point arithmetic on values
//! - `semantics`: the meaning of every operation on values
//! - `build`: the named constructors
//! - `rewrite/`: the rewriting rules of the constructors
//! - `eval`: [`Env`] and the reference evaluator [`Terms::eval`]
//! - `compile`, `program`: the compiled evaluator [`Program`]
//! - `traverse`: free symbols, reads and substitution
//! - `smtlib/`: SMT-LIB text, written and read
//! - `pretty`: C-like text
//! - `random`: the random number generator
//! - `testing`: random terms and states for property tests
//!
//! **Invariant:** an operand has a smaller handle than the terms that use it; no traversal
//! recurses. **Invariant:** every operation is total. **Absent:** arrays, stores and quantifiers: a
//! predicate only has ground reads of a state.
//!
//! # What operations mean
//!
//! Operations of SMT-LIB's theories of bit vectors and floats have their SMT-LIB meaning. This
//! table lists the cases that programming languages leave undefined, and the operations of our own:
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
//! | `FToBits` | NaN | any NaN in proofs; `0x7fc00000` or `0x7ff8000000000000` in the evaluators |
//! | `Read` | | byte *i* is at offset + *i* modulo two to the offsets' width; little-endian |
//! | `ReadPtrObject` `ReadPtrOffset` `ReadTag` | | total functions of (version, object, offset), whatever bytes are stored there |
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
