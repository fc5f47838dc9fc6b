//! API rules in SLIC, and the programs that they instrument.
//!
//! A rule is a state machine over calls of functions ([`ast`], read by
//! [`parse`]). [`instrument()`] makes two things of a rule and the textual IR of
//! a program: IR in which every use of a watched function, direct or as a
//! pointer, goes to a wrapper instead; and a C file with the rule's state and
//! the wrappers ([`emit`]). A wrapper runs the events before the call, calls
//! the function, runs the events after it and returns its result, so the
//! program behaves as before. As the result is plain IR and C, every
//! other part of attest, the checker and the native build included, sees the
//! same program and needs to know nothing of rules.
//!
//! The language is that of SLAM and YOGI; `docs/slic.md` has its grammar.

pub mod ast;
pub mod emit;
mod expression;
pub mod instrument;
mod ir;
mod large_files;
pub mod lexer;
mod parser;
pub mod prototype;
pub mod stub;

pub use ast::Rule;
pub use instrument::{Instrumented, Unit, conflict, instrument};
pub use lexer::SlicError;
pub use parser::parse;

/// The function that a violated rule calls; a call of it is the error of the property.
pub const ABORT: &str = "__slic_abort";
/// The prefix of the names of wrappers.
pub const WRAPPER: &str = "__slic_";
