//! The engine of attest: DASH over regions and a forest of tests.
//!
//! [`dash`] is the loop; [`strategy`] says which of the papers' algorithms it
//! is. [`forest`] holds the tests, [`regions`] the abstraction, [`frontier`]
//! the edge between them. What splits a region comes from `refine` and
//! the files it names, and is applied in `split`.

mod alone;
mod along;
mod alpha;
mod answers;
mod arrays;
mod candidates;
pub mod cegar;
mod certificate;
mod contracts;
mod core;
pub mod dash;
pub mod dse;
mod effort;
mod eliminate;
mod engine;
pub mod events;
mod facts;
mod first;
mod followed;
pub mod forest;
mod frame;
pub mod frontier;
mod guess;
mod houdini;
mod implied;
mod initial;
mod instance;
mod layout;
pub mod lee_yannakakis;
mod linear;
mod literals;
mod look;
mod must;
mod news;
mod older;
pub mod options;
mod outset;
pub mod procedures;
mod progress;
mod query;
pub mod race;
pub mod recall;
mod refine;
mod region_graph;
pub mod regions;
mod roam;
mod seldom;
mod smash;
mod split;
pub mod statistics;
pub mod strategy;
mod task;
pub mod techniques;
mod testing;
mod universal;
pub mod verdict;
mod ways;
mod weaker;

pub use engine::Engine;
pub use events::{Event, Watcher};
pub use options::{Options, UNDEFINED};
pub use procedures::{Summary, Use};
pub use race::race;
pub use recall::Learnt;
pub use statistics::Statistics;
pub use strategy::{Calls, Order, Strategy};
pub use techniques::Technique;
pub use verdict::{FailingTest, Proof, Reason, Verdict};
