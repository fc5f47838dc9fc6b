//! Evidence for verdicts: proofs and tests as files, and the replay of tests.
//!
//! [`proof`] writes the invariants of a safe program for `attest-checker`;
//! [`mod@test`] is a test as a file; [`mod@replay`] runs one in the interpreter
//! and natively, as the program that [`mod@build`] makes with the C of
//! [`mod@harness`]. A test that violates a check ([`violation`]) is built with a
//! sanitizer by [`sanitize`]. [`recall`] is for summaries that outlive a run.

mod allocation;
pub mod arguments;
pub mod build;
mod c_text;
pub mod harness;
pub mod heap;
mod native;
pub mod proof;
pub mod recall;
pub mod replay;
pub mod sanitize;
pub mod test;
pub mod violation;

pub use arguments::Arguments;
pub use build::{Prepared, prepare, prepare_unless};
pub use harness::harness;
pub use proof::{CallUse, ProofParts, Subject, SummaryProof, proof_of};
pub use replay::{ReplayError, ReplayOutcome, confirm, replay};
pub use sanitize::{Confirmation, confirm_natively};
pub use test::{ErrorReached, Input, InputSource, MemoryByte, Test, TestError};
pub use violation::{Call, Violation};
