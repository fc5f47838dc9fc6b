//! Invariants: candidates from the states of tests, and the inductive ones among them.
//!
//! - `candidates`: the facts of a location that hold in all stored states;
//! - `templates`: the forms of such facts, filled from columns of data;
//! - `entry_guards`: candidates from the conditions of the steps into a location;
//! - `pools`: the candidates of each location, and what their making remembers;
//! - `houdini`: the inductive ones among the candidates of all locations;
//! - `arrays`: candidates about every element of an array;
//! - `universal`: how a fact about every element is used and proved without quantifiers;
//! - `places`: where such facts read;
//! - `single_run`: the states of the only run of a program without inputs.

pub(crate) mod arrays;
pub(crate) mod candidates;
pub(crate) mod entry_guards;
pub(crate) mod houdini;
pub(crate) mod places;
pub(crate) mod pools;
pub(crate) mod single_run;
pub(crate) mod templates;
pub(crate) mod universal;
