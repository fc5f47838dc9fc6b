//! The independent proof checker.
//!
//! It shares with the engine the reader of LLVM IR, the program model with its inliner, graph and
//! points-to analysis, terms, and a solver. It does not share the semantics of instructions or any
//! part of the search. See [`check_proof`] for what is checked.
//!
//! # Files
//!
//! - `check`: the checks of a proof, and why they suffice
//! - `call`: the checks of a call that is not inlined; `frame`: what a call leaves unchanged
//! - `map`: the maps of a proof, parsed and validated
//! - `semantics`: the code between cut points, as terms
//! - `step`: the paths from a cut point to the next locations
//! - `encode`, `access`, `arith`: instructions, memory accesses, arithmetic
//! - `memory`, `state`: versions of memory, and the rest of a state
//! - `background`: facts that hold in every state
//! - `universal`: instances of invariants about every index
//! - `unwind/`: proofs by complete unwinding
//! - `session`: the solver and the checks so far; `fresh`: a new solver for each check
//! - `open`: what a proof does not exclude
//! - `failure`: descriptions of failed edges; `verdict`: results
//! - `program`: from a proof and files to the program; `main`: the command
//!
//! **Invariant:** nothing here depends on `attest-exec` or the engine. **Invariant:** every summary
//! of a proof is checked, used or not, so summaries may use each other in cycles. **Invariant:** a
//! construct that the checker cannot encode makes a proof undecided, never accepted.

mod access;
mod arith;
mod background;
mod call;
mod check;
mod encode;
mod failure;
mod frame;
mod fresh;
mod map;
mod memory;
mod open;
mod program;
mod semantics;
mod session;
mod state;
mod step;
mod universal;
mod unwind;
mod verdict;

pub use check::{check_proof, check_summaries, check_with_progress};
pub use fresh::Fresh;
pub use program::{InputError, load_for};
pub use verdict::{Accepted, CheckResult, Failure, InputTaken};
