//! Terms: the one expression language of attest.
mod arena;
mod build;
mod bv;
mod eval;
mod float;
mod op;
mod rewrite;
mod semantics;
mod sort;
mod symbol;
mod table;
mod traverse;
mod value;

pub use arena::{Term, Terms};
pub use bv::Bv;
pub use eval::{Address, Env};
pub use op::{ConstId, MAX_WIDTH, Op, SortError};
pub use sort::{FloatSort, Rounding, Sort};
pub use symbol::{Symbol, SymbolId, SymbolKind};
pub use traverse::Substitution;
pub use value::{NAN32, NAN64, Value};
