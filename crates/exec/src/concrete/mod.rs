//! The concrete value domain.
//!
//! - `machine`: the [`Domain`](crate::Domain) of machine values, with a test's inputs
//! - `value`: integers and pointers, and their arithmetic
//! - `float`: floating-point arithmetic
//! - `memory`, `page`: objects, in pages that snapshots share
//! - `shadow`: what of an object was never set
//! - `print`: the output of the `printf` family

pub mod float;
pub mod machine;
pub mod memory;
pub mod page;
pub mod print;
pub mod shadow;
pub mod value;
