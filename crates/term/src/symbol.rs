//! Symbols: the named leaves of terms.
//!
//! The kind of a symbol says what the engine may do with it. Registers and ghosts are part of the
//! state, so a region may mention them. An input is a fresh value of each nondeterministic call and
//! must be eliminated from a precondition (algorithm notes 1.8). The object counter carries the
//! background axiom "no pointer from the future" (algorithm notes 2.2).

use std::fmt;

use crate::sort::Sort;

/// A symbol of one [`Terms`](crate::Terms).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// The position in declaration order, for dense tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// A register of the current activation, or a promoted global.
    Register,
    /// A rigid value, fixed at a procedure's entry.
    Ghost,
    /// A value chosen by the environment.
    Input,
    /// The number of the next allocated object.
    ObjectCounter,
    /// Any other free symbol.
    Plain,
}

impl SymbolKind {
    /// All kinds, in declaration order.
    pub const ALL: [SymbolKind; 5] = [
        SymbolKind::Register,
        SymbolKind::Ghost,
        SymbolKind::Input,
        SymbolKind::ObjectCounter,
        SymbolKind::Plain,
    ];
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SymbolKind::Register => "register",
            SymbolKind::Ghost => "ghost",
            SymbolKind::Input => "input",
            SymbolKind::ObjectCounter => "object-counter",
            SymbolKind::Plain => "plain",
        })
    }
}

/// A declared symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The unique name.
    pub name: String,
    /// The name in the C source, for people.
    pub source: Option<String>,
    /// The sort of its values.
    pub sort: Sort,
    /// What it stands for.
    pub kind: SymbolKind,
}
