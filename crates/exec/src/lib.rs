//! Execution of the program model: one instruction semantics over a value domain, and its concrete run.

pub mod concrete;
pub mod ctext;
pub mod domain;
pub mod inputs;
pub mod interpreter;
pub mod mutants;
pub mod semantics;
pub mod snapshot;
pub mod symbolic;
pub mod trace;

pub use concrete::value::Val;
pub use domain::{Domain, Overflow, Stop};
pub use inputs::{Counts, InputValue, Inputs, Rest};
pub use interpreter::{CutTable, Go, Interpreter, Limits, Observer, Outcome};
pub use snapshot::Snapshot;
