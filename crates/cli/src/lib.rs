//! The command line of attest, as a library that its tests can call.
//!
//! One file a command ([`run`], [`model`], [`check`]), one for the options of
//! all of them ([`args`]), and one for each idea that they share.

pub mod args;
pub mod check;
pub mod deadline;
pub mod decide;
pub mod exit;
pub mod files;
pub mod guard;
pub mod load;
pub mod model;
pub mod output;
pub mod property;
pub mod run;
pub mod search;
pub mod survey;
pub mod trace;
pub mod usage;
pub mod words;
