//! Execution of the program model: one instruction semantics over a value domain, concrete and
//! symbolic.
//!
//! # Files
//!
//! - `semantics`: the meaning of every instruction, over any domain
//! - `domain`: the interface to a value domain
//! - `concrete/`: the domain of machine values
//! - `symbolic/`: the domain of terms
//! - `interpreter`: runs in the concrete domain: control flow, activations, limits, observers
//! - `leak`: the heap memory that is left at the end of a run
//! - `inputs`: the inputs of a test
//! - `snapshot`: states of a run that share their unchanged parts
//! - `trace`, `ctext`: a run and its values in C terms
//! - `mutants`: deliberate faults that tests must detect
//!
//! **Invariant:** there is one semantics. No other code of the engine defines an instruction, and
//! there are no backward rules. **Invariant:** a run is determined by its program, inputs, limits
//! and overflow policy. It reads no clock and no environment. **Invariant:** how a run ended is a
//! value ([`Outcome`]), never only a message.

pub mod concrete;
pub mod ctext;
pub mod domain;
pub mod inputs;
pub mod interpreter;
pub mod leak;
pub mod mutants;
pub mod semantics;
pub mod snapshot;
pub mod symbolic;
pub mod trace;

pub use concrete::value::Val;
pub use domain::{Domain, Overflow, Stop};
pub use inputs::{Counts, InputValue, Inputs, Rest};
pub use interpreter::{CutTable, Go, Interpreter, Limits, Observer, Outcome};
pub use leak::{HeapLeft, Left};
pub use snapshot::Snapshot;
