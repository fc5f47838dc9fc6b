//! The engine of attest: tests and a region graph that refine each other.
//!
//! An `Engine` is an algorithm and the search that it works on. A search is a core, which all
//! tasks share, and a stack of tasks, each of which is one procedure under one query. What is
//! done is a function of a core and a task.
//!
//! - `core/`: what any algorithm may use: program, terms, solver, limits, listener;
//! - `forest/`: the states that tests reached, with their parents;
//! - `regions/`: the partition of the states, its edges, and the frontiers;
//! - `algorithm/`: the loop of DASH, the vacuity check, the portfolio, the baselines;
//! - `refine/`: the ladders of generators, and the one place where regions are split;
//! - `invariants/`: candidates from tests, and the inductive ones among them;
//! - `simulation/`: the initial abstraction for a rule;
//! - `testing/`: the first tests, exploration, and what becomes of a test;
//! - `smash/`: queries about procedures and their summaries;
//! - `certify/`: from finished regions to a proof.
//!
//! Beside the folders:
//!
//! - `engine`: what callers use; `search` and `task`: the state of the work;
//! - `options`, `techniques`, `tuning`: what the engine is told, what can be switched off, and
//!   its limits;
//! - `events`, `statistics`, `progress`: what it tells, what it counts, what one step did;
//! - `verdict`: what it answers.

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
pub mod tuning;
pub mod verdict;

pub use algorithm::portfolio::{Race, race};
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
pub use tuning::Tuning;
pub use verdict::{FailingTest, Proof, Reason, Verdict};
