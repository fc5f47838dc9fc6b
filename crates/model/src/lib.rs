//! The program model of attest: what a C program is to the interpreter, the engine and the checker.
//!
//! [`lower`](lower::lower) makes a [`Program`] from LLVM IR.

pub mod caller;
pub mod cuts;
pub mod effects;
pub mod environment;
pub mod graph;
pub mod inline;
pub mod library;
pub mod liveness;
pub mod lower;
pub mod points_to;
pub mod program;
pub mod relevance;
pub mod show;
mod tidy;
mod walk;

pub use caller::{Bounds, Caller};
pub use cuts::{Granularity, Position};
pub use effects::{Effects, effects};
pub use graph::{Graph, Loc};
pub use inline::{InlineOptions, Partial, inline};
pub use lower::{ModelError, Options, lower};
pub use points_to::PointsTo;
pub use program::*;
