//! The answers of attest in every form that people and their tools read.
//!
//! Values in, texts out: nothing here reads options, prints or runs a check.

mod cells;
pub mod cexpr;
pub mod claims;
pub mod coverage;
pub mod csource;
mod expression;
pub mod history;
pub mod html;
pub mod instrument;
pub mod proof;
pub mod sarif;
mod scope;
mod slice;
pub mod sources;
pub mod story;
pub mod testcomp;
mod tokens;
pub mod witness;

pub use sources::Sources;
pub use story::Story;
