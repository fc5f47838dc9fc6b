//! The independent proof checker.
//!
//! It shares with the engine the reader of LLVM IR, the program model with its
//! inliner and graph, terms, and a solver; not the semantics of instructions,
//! nor anything of the search. See [`check_proof`] for what is checked.
//!
//! **Invariant:** nothing here depends on `attest-exec` or the engine.

mod access;
mod arith;
mod background;
mod call;
mod check;
mod encode;
mod fresh;
mod map;
mod memory;
mod program;
mod semantics;
mod session;
mod state;
mod step;
mod tell;
mod universal;
mod verdict;

pub use check::{check_proof, check_summaries, check_with_progress};
pub use fresh::Fresh;
pub use program::{InputError, load_for};
pub use verdict::{Accepted, CheckResult, Failure};
