//! The command line of attest, as a library that its tests can call.
//!
//! The library [`attest_verifier`] does the work; this parses, prints and writes files. One
//! file a command ([`run`], [`model`], [`check`], [`replay`], [`slic`], [`stubs`],
//! [`cache`], [`matrix`] for `suite`, [`suite`] for `tests`, [`compare`]), one for the
//! options of all of them ([`args`]), and one for each idea that they share.

pub mod args;
pub mod cache;
pub mod check;
pub mod compare;
mod config;
pub mod exit;
pub mod forms;
pub mod guard;
mod interrupt;
pub mod load;
pub mod manual;
pub mod matrix;
pub mod model;
pub mod output;
mod printer;
pub mod progress;
pub mod replay;
pub mod rules;
pub mod run;
pub mod slic;
pub mod stats;
pub mod stubs;
pub mod suite;
mod telling;
pub mod trace;
pub mod usage;

pub use attest_verifier::report;
