//! clang driver and strict reader of textual LLVM IR.
//!
//! C becomes a [`Module`] in three steps, each its own function: clang is run
//! ([`clang`], [`compile_commands`]), its text is read ([`read_module`]), and
//! several modules become one ([`link()`]). [`Layout`] says how large types are,
//! and [`debug`] ties what was read back to the C source.
//!
//! The reader is strict: whatever it does not know is an error with file, line
//! and token, so that nothing of a program is ever skipped silently.

pub mod clang;
pub mod compile_commands;
pub mod ctype;
pub mod debug;
pub mod ir;
mod layout;
mod lexer;
pub mod link;
mod reader;
mod visit;

pub use clang::{Clang, ClangError, DataModel, Options, compile};
pub use compile_commands::Database;
pub use ir::Module;
pub use layout::Layout;
pub use link::{LinkError, link, link_library, link_missing};
pub use reader::{ReadError, read_module};
