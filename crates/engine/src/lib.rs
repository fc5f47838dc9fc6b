//! The engine of attest: DASH over regions and a forest of tests.

pub mod dash;
pub mod forest;
pub mod frontier;
pub mod options;
mod query;
pub mod regions;
pub mod verdict;

pub use dash::Engine;
pub use options::{Options, UNDEFINED};
pub use verdict::{FailingTest, Proof, Reason, Statistics, Verdict};
