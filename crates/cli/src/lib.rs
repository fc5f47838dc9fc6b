//! The command line of attest, as a library that its tests can call.
//!
//! One file a command ([`run`], [`model`], [`check`], [`replay`], [`slic`], [`stubs`],
//! [`cache`], [`matrix`] for `suite`, [`compare`]), one for the options of
//! all of them ([`args`]), and one for each idea that they share.

pub mod args;
pub mod cache;
pub mod check;
pub mod compare;
pub mod decide;
pub mod exit;
pub mod failure;
pub mod files;
pub mod forms;
pub mod guard;
pub mod havoc;
pub mod load;
mod long;
pub mod manual;
pub mod matrix;
pub mod memory;
pub mod model;
pub mod output;
pub mod processor;
pub mod progress;
pub mod property;
pub mod replay;
pub mod report;
pub mod rules;
pub mod run;
pub mod search;
pub mod session;
pub mod slic;
pub mod stats;
pub mod steps;
pub mod stubs;
pub mod suite;
pub mod survey;
pub mod task;
pub mod trace;
pub mod usage;
pub mod watch;
pub mod watchdog;
pub mod words;
