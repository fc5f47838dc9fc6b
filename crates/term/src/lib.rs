//! Terms: the one expression language of attest.
mod arena;
mod build;
mod bv;
mod eval;
mod float;
mod op;
mod program;
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
pub use program::{Program, Scratch};
pub use smtlib::ParseError;
pub use sort::{FloatSort, Rounding, Sort};
pub use symbol::{Symbol, SymbolId, SymbolKind};
pub use traverse::Substitution;
pub use value::{NAN32, NAN64, Value};
