//! The engine of attest: DASH over regions and a forest of tests.
//!
//! `algorithm/dash.rs` is the loop; [`strategy`] says which of the papers' algorithms it
//! is. [`forest`] holds the tests, [`regions`] the abstraction, [`frontier`]
//! the edge between them. What splits a region comes from `refine` and
//! the files it names, and is applied in `split`.

pub mod algorithm;
mod certify;
mod core;
mod engine;
pub mod events;
pub mod forest;
mod invariants;
pub mod options;
mod progress;
mod refine;
pub mod regions;
mod search;
mod simulation;
pub mod smash;
pub mod statistics;
mod task;
pub mod techniques;
mod testing;
pub mod verdict;

pub use algorithm::portfolio::race;
pub use algorithm::strategy;
pub use algorithm::strategy::{Calls, Order, Strategy};
pub use core::prepared::Prepared;
pub use engine::Engine;
pub use events::{Event, Watcher};
pub use options::{Options, UNDEFINED};
pub use regions::frontier;
pub use smash::learnt::Learnt;
pub use smash::summaries::{Summary, Use};
pub use statistics::Statistics;
pub use techniques::Technique;
pub use verdict::{FailingTest, Proof, Reason, Verdict};
