//! The concrete value domain.

pub mod float;
pub mod machine;
pub mod memory;
pub mod page;
pub mod print;
pub mod value;
