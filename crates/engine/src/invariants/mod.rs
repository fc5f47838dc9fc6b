//! Invariants: candidates from the states of tests, and the inductive ones among them.

pub(crate) mod arrays;
pub(crate) mod candidates;
pub(crate) mod entry_guards;
pub(crate) mod houdini;
pub(crate) mod places;
pub(crate) mod pools;
pub(crate) mod single_run;
pub(crate) mod templates;
pub(crate) mod universal;
