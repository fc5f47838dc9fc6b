//! Debug information: which file, line, column and C variable a thing of the IR belongs to.
//!
//! Metadata nodes are read generically, any `!DIsomething(key: value, ...)`
//! the same way, and interpreted on demand by the functions of [`Metadata`].

use crate::ir::{ConstId, MdId, Ty};
use rustc_hash::FxHashMap;

/// A reference inside metadata.
#[derive(Clone, PartialEq, Debug)]
pub enum MdValue {
    /// `null`.
    Null,
    /// Another node.
    Node(MdId),
    /// `!"text"`, or a quoted string in a field.
    Text(String),
    /// A number in a field.
    Number(i128),
    /// A word or several joined by `|`: `DW_TAG_member`, `DIFlagPrototyped | DIFlagX`, `true`.
    Word(String),
    /// A constant: `i32 7`, `ptr @g`.
    Const(Ty, ConstId),
    /// A local value inside a function: kept for syntax only.
    Local,
    /// An inline tuple, such as the elements of a `!DIArgList` or of an expression.
    List(Vec<MdValue>),
}

/// A metadata node.
#[derive(Clone, PartialEq, Debug)]
pub enum MdNode {
    /// Used but not (yet) defined.
    Forward,
    /// `!{...}`.
    Tuple(Vec<MdValue>),
    /// `!DIsomething(...)`: its kind without the `!`, and its fields.
    Special(String, Vec<(String, MdValue)>),
}

/// All metadata of a module.
#[derive(Clone, Default, Debug)]
pub struct Metadata {
    /// The nodes.
    pub nodes: Vec<MdNode>,
    /// `!llvm.module.flags` and other named lists.
    pub named: FxHashMap<String, Vec<MdId>>,
}

/// A place in the C source.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, as the compiler named it (joined with its directory only if relative to another).
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}
