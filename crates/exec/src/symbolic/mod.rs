//! The symbolic value domain: execution over terms.
//!
//! - `domain`: the [`Domain`](crate::Domain) of terms, with the path condition and the bails
//! - `value`: symbolic scalars, and the names of the state's parts
//! - `memory`: reads resolved against a log of writes, by alias classes
//! - `distance`: syntactic facts about the distance of two addresses
//! - `step`: an edge of the graph as a transition; `Pre` is substitution into it
//! - `path`: execution along the path of a test
//! - `env`: a concrete state as an environment for terms

mod distance;
pub mod domain;
pub mod env;
pub mod memory;
pub mod path;
pub mod step;
pub mod value;
