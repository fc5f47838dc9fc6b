//! Debug information: the file, line, column and C variable of parts of the IR.
//!
//! Metadata nodes are read generically, any `!DIsomething(key: value, ...)` in the same form, and
//! interpreted on demand by the functions of [`Metadata`].

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
    /// Used but not yet defined.
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

/// The number of steps in a chain of scopes or types. Real chains are short; those of a hostile
/// file may be cyclic.
const MAX_STEPS: usize = 1000;

/// A C variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableInfo {
    /// Its name in the source.
    pub name: String,
    /// The line of its declaration; 0 if unknown.
    pub line: u32,
    /// Its position among the parameters, from 1, if it is one.
    pub arg: Option<u32>,
    /// Its type; see [`Metadata::ctype`].
    pub ty: Option<MdId>,
    /// The block, function or file that declares it.
    pub scope: Option<MdId>,
}

/// A C function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subprogram {
    /// Its name in the source.
    pub name: String,
    /// The name of its symbol, where it differs.
    pub linkage_name: Option<String>,
    /// The place of its declaration or definition.
    pub place: Option<Place>,
    /// Its type, a [`CType::Function`](crate::ctype::CType::Function).
    pub ty: Option<MdId>,
}

impl Metadata {
    /// A node; a handle of another module gives an undefined one.
    pub fn node(&self, id: MdId) -> &MdNode {
        self.nodes.get(id.0 as usize).unwrap_or(&MdNode::Forward)
    }

    /// The kind of a `!DIsomething` node.
    pub fn kind(&self, id: MdId) -> Option<&str> {
        match self.node(id) {
            MdNode::Special(kind, _) => Some(kind),
            _ => None,
        }
    }

    /// A field of a `!DIsomething` node.
    pub fn field(&self, id: MdId, name: &str) -> Option<&MdValue> {
        match self.node(id) {
            MdNode::Special(_, fields) => fields.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// A field that is another node.
    pub fn node_field(&self, id: MdId, name: &str) -> Option<MdId> {
        match self.field(id, name)? {
            MdValue::Node(node) => Some(*node),
            _ => None,
        }
    }

    /// A field that is a text.
    pub fn text_field(&self, id: MdId, name: &str) -> Option<&str> {
        match self.field(id, name)? {
            MdValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A field that is a number.
    pub fn number_field(&self, id: MdId, name: &str) -> Option<i128> {
        match self.field(id, name)? {
            MdValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A field that is a word, or several joined by `|`.
    pub fn word_field(&self, id: MdId, name: &str) -> Option<&str> {
        match self.field(id, name)? {
            MdValue::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn small_number(&self, id: MdId, name: &str) -> u32 {
        self.number_field(id, name)
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0)
    }

    /// The elements of a tuple.
    pub fn tuple(&self, id: MdId) -> &[MdValue] {
        match self.node(id) {
            MdNode::Tuple(elements) => elements,
            _ => &[],
        }
    }

    /// The scopes around a node, innermost first.
    fn scopes(&self, id: MdId) -> impl Iterator<Item = MdId> + '_ {
        std::iter::successors(self.node_field(id, "scope"), |&at| {
            self.node_field(at, "scope")
        })
        .take(MAX_STEPS)
    }

    /// The source place of a `DILocation`.
    pub fn place(&self, location: MdId) -> Option<Place> {
        if self.kind(location)? != "DILocation" {
            return None;
        }
        let line = self.small_number(location, "line");
        let column = self.small_number(location, "column");
        Some(Place {
            file: self.file_of(location)?,
            line,
            column,
        })
    }

    /// The file of a location, scope, variable or function.
    pub fn file_of(&self, id: MdId) -> Option<String> {
        for at in std::iter::once(id).chain(self.scopes(id)) {
            if self.kind(at) == Some("DIFile") {
                return self.file_name(at);
            }
            if let Some(file) = self.node_field(at, "file") {
                return self.file_name(file);
            }
        }
        None
    }

    /// The name of a `DIFile`: as the compiler was given it, unless it is relative to a directory
    /// other than the compiler's.
    fn file_name(&self, file: MdId) -> Option<String> {
        let name = self.text_field(file, "filename")?;
        let directory = self.text_field(file, "directory").unwrap_or_default();
        if name.starts_with('/') || directory.is_empty() || self.is_compile_directory(directory) {
            return Some(name.to_owned());
        }
        Some(format!("{}/{name}", directory.trim_end_matches('/')))
    }

    fn is_compile_directory(&self, directory: &str) -> bool {
        let units = self
            .named
            .get("llvm.dbg.cu")
            .map(Vec::as_slice)
            .unwrap_or_default();
        units.iter().any(|&unit| {
            self.node_field(unit, "file")
                .and_then(|file| self.text_field(file, "directory"))
                == Some(directory)
        })
    }

    /// For a location in an inlined function: the location of the call.
    pub fn inlined_at(&self, location: MdId) -> Option<MdId> {
        self.node_field(location, "inlinedAt")
    }

    /// The name of the function that contains a location, block or variable.
    pub fn enclosing_function(&self, id: MdId) -> Option<&str> {
        std::iter::once(id)
            .chain(self.scopes(id))
            .find(|&at| self.kind(at) == Some("DISubprogram"))
            .and_then(|at| self.text_field(at, "name"))
    }

    /// The name of the function that a variable is local to; none for a global one.
    pub fn function_of_variable(&self, id: MdId) -> Option<&str> {
        let id = match self.kind(id)? {
            "DIGlobalVariableExpression" => self.node_field(id, "var")?,
            _ => id,
        };
        self.enclosing_function(id)
    }

    /// The contents of a `DISubprogram`.
    pub fn subprogram(&self, id: MdId) -> Option<Subprogram> {
        if self.kind(id)? != "DISubprogram" {
            return None;
        }
        let line = self.small_number(id, "line");
        Some(Subprogram {
            name: self.text_field(id, "name").unwrap_or_default().to_owned(),
            linkage_name: self.text_field(id, "linkageName").map(str::to_owned),
            place: self.file_of(id).map(|file| Place {
                file,
                line,
                column: 0,
            }),
            ty: self.node_field(id, "type"),
        })
    }

    /// The contents of a `DILocalVariable`, `DIGlobalVariable` or `DIGlobalVariableExpression`.
    pub fn variable(&self, id: MdId) -> Option<VariableInfo> {
        let id = match self.kind(id)? {
            "DIGlobalVariableExpression" => self.node_field(id, "var")?,
            _ => id,
        };
        if !matches!(self.kind(id)?, "DILocalVariable" | "DIGlobalVariable") {
            return None;
        }
        Some(VariableInfo {
            name: self.text_field(id, "name").unwrap_or_default().to_owned(),
            line: self.small_number(id, "line"),
            arg: Some(self.small_number(id, "arg")).filter(|&arg| arg > 0),
            ty: self.node_field(id, "type"),
            scope: self.node_field(id, "scope"),
        })
    }
}
