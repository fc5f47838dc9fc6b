//! The symbolic value domain: execution over terms.

pub mod domain;
pub mod memory;
pub mod step;
pub mod value;
pub mod env;
