//! Evidence for verdicts: what is written to files, and what replays it.
//!
//! [`proof`] writes the invariants of a safe program for `attest-checker`;
//! [`mod@test`] is a failing test as a file; [`mod@replay`] runs one in the
//! interpreter and, with the C of [`mod@harness`], natively.

pub mod harness;
pub mod proof;
pub mod replay;
pub mod test;

pub use harness::harness;
pub use proof::{Subject, proof_of};
pub use replay::{ReplayError, ReplayOutcome, confirm, replay};
pub use test::{ErrorReached, Input, InputSource, MemoryByte, Test, TestError};
