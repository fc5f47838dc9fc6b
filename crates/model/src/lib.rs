//! The program model of attest: a C program as the interpreter, the engine and the checker see it.
//!
//! # Files
//!
//! - `program`, `program/`: functions, blocks, registers, objects; instructions, operations, bails
//! - `walk`: the registers that an instruction reads and writes, and the bails that it may cause
//! - `lower/`: from LLVM IR to a [`Program`]
//! - `tidy`: clean-up of lowered functions
//! - `library`: models of library functions, written in C
//! - `caller`: the arguments that an entry other than `main` gets
//! - `environment`: the memory behind pointers of the environment
//! - `inline`, `inline/`: full and partial inlining
//! - `cuts`: cut points; `graph`: locations and edges; `liveness`: live registers
//! - `effects`: what a call may change
//! - `leak`: counts heap objects, and bails where the program ends and some are left
//! - `points_to/`: where pointers may point
//! - `lives`: which accesses may be to an object that has ended
//! - `shadow/`: checks that values were set before they are used
//! - `wto`: the weak topological order of a function's blocks
//! - `relevance`: branches that cannot affect the property
//! - `show/`: the model as text and as a graph for Graphviz
//!
//! **Invariant:** undefined behaviour and unsupported constructs are explicit bails ([`BailKind`])
//! with their place. A construct is never ignored, and an unsupported construct in a function is no
//! reason to reject the program. **Invariant:** the caller of an entry other than `main` consists
//! of ordinary instructions in one step, so no other part treats it specially; its bounds are
//! options that a proof records. **Invariant:** phis are parallel copies on jumps, and aggregates
//! are split, so an instruction moves scalars only. **Invariant:** a promoted variable is arbitrary
//! before its first assignment. **Invariant:** the three granularities are one construction over
//! different cut points.

pub mod caller;
pub mod cuts;
pub mod effects;
pub mod environment;
pub mod graph;
pub mod inline;
pub mod leak;
pub mod library;
pub mod liveness;
pub mod lives;
pub mod lower;
pub mod points_to;
pub mod program;
pub mod relevance;
pub mod shadow;
pub mod show;
mod tidy;
mod walk;
pub mod wto;

pub use caller::{Bounds, Caller};
pub use cuts::{Granularity, Position};
pub use effects::{Effects, effects};
pub use graph::{Graph, Loc};
pub use inline::{InlineOptions, Partial, inline};
pub use leak::Leaks;
pub use lives::Lives;
pub use lower::{Malloc, ModelError, Options, lower};
pub use points_to::PointsTo;
pub use program::*;
