//! The symbolic value domain: execution over terms.

mod distance;
pub mod domain;
pub mod env;
pub mod memory;
pub mod path;
pub mod step;
pub mod value;
