//! clang driver and strict reader of textual LLVM IR.
//!
//! C becomes a [`Module`] in three steps, each its own function: clang runs ([`clang`],
//! [`compile_commands`]), its text is read ([`read_module`]), and several modules are linked into
//! one ([`link()`]). [`Layout`] has the sizes of types, and [`debug`] relates the IR to the C
//! source.
//!
//! # Files
//!
//! - `clang`: finds and runs clang; `compile_commands`: compilation databases
//! - `flags`: arguments of clang that are refused
//! - `lexer`, `reader/`: the textual IR, one file of `reader/` for each part of the language
//! - `ir`, `ir/`: the module that they build
//! - `visit`: every handle inside a function, variable or constant
//! - `link/`: one module of several
//! - `layout`: sizes, alignments and offsets of types
//! - `debug`, `ctype`: source places, C variables and C types
//!
//! **Invariant:** the reader is strict. Unknown syntax is an error with file, line, column and
//! token, so no part of a program is silently skipped. **Invariant:** no LLVM is linked and no LLVM
//! pass runs. Passes use undefined behaviour to change the meaning of a program, and a linked LLVM
//! would fix one version.

pub mod clang;
pub mod compile_commands;
pub mod ctype;
pub mod debug;
pub mod flags;
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
