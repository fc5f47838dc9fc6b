//! The types of LLVM IR as attest sees them.
//!
//! A [`Module`] has the contents of one `.ll` file, or of several after linking. Types
//! (`ir/types.rs`) and constants live in arenas of the module and are named by small handles;
//! values local to a function are numbered in it (`ir/inst.rs`). Nothing here interprets the
//! program: the model does that.

mod inst;
mod types;

pub use inst::*;
pub use types::*;

use crate::debug::Metadata;
use rustc_hash::FxHashMap;

/// A constant, as a handle into [`Module::consts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub u32);

/// A constant and its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// Its type.
    pub ty: Ty,
    /// Its value.
    pub kind: ConstKind,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstKind {
    /// An integer in two's complement: little-endian 64-bit words, as many as the width needs; bits
    /// above the width are zero.
    Int(Vec<u64>),
    /// A float by its bit pattern in its own format (80 bits for `x86_fp80`).
    Float(u128),
    /// The null pointer.
    Null,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// `zeroinitializer`.
    Zero,
    /// `none`, the empty token.
    TokenNone,
    /// `c"..."`.
    Bytes(Vec<u8>),
    /// Elements of an array, vector or structure (distinguished by the type).
    Aggregate(Vec<ConstId>),
    /// `splat (T v)`.
    Splat(ConstId),
    /// The address of a global variable, function or alias.
    Global(GlobalId),
    /// `blockaddress(@f, %b)`.
    BlockAddress(GlobalId, String),
    /// `dso_local_equivalent @f` or `no_cfi @f`: equivalent to the function itself here.
    Equivalent(GlobalId),
    /// A constant expression.
    Expr(ConstExpr),
}

/// A constant expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstExpr {
    /// A conversion to the constant's type.
    Cast(CastOp, ConstId),
    /// `getelementptr`.
    Gep {
        /// The type that the indices traverse.
        source: Ty,
        /// The base pointer.
        base: ConstId,
        /// The indices.
        indices: Vec<ConstId>,
        /// Whether it is `inbounds`.
        inbounds: bool,
    },
    /// A binary operation.
    Bin(BinOp, ConstId, ConstId),
    /// An integer or pointer comparison.
    ICmp(IntPredicate, ConstId, ConstId),
    /// A float comparison.
    FCmp(FloatPredicate, ConstId, ConstId),
    /// `select`.
    Select(ConstId, ConstId, ConstId),
    /// `extractelement`.
    ExtractElement(ConstId, ConstId),
    /// `insertelement`.
    InsertElement(ConstId, ConstId, ConstId),
    /// `shufflevector`.
    ShuffleVector(ConstId, ConstId, ConstId),
}

/// A global symbol: an index into [`Module::globals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

/// A named thing at the top level.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name without the `@`.
    pub name: String,
    /// Its linkage.
    pub linkage: Linkage,
    /// Its kind.
    pub kind: GlobalKind,
    /// Its line in the `.ll` file.
    pub line: u32,
}

/// The kind of a global symbol.
#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// A variable.
    Variable(Variable),
    /// A function, with a body or only declared.
    Function(Box<Function>),
    /// An alias of a symbol; an `ifunc` has the flag set.
    Alias {
        /// The aliased symbol.
        target: ConstId,
        /// Whether it is an `ifunc`, whose target is a resolver.
        ifunc: bool,
    },
    /// A name that is used but not yet declared or defined. Only while reading.
    Forward,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The type of its contents.
    pub ty: Ty,
    /// `constant`, not `global`.
    pub constant: bool,
    /// Its initial contents; `None` for a declaration.
    pub init: Option<ConstId>,
    /// Its alignment, if given.
    pub align: Option<u64>,
    /// `thread_local` in any form.
    pub thread_local: bool,
    /// `externally_initialized`.
    pub externally_initialized: bool,
    /// `!dbg` attachments.
    pub dbg: Vec<MdId>,
}

/// Linkage of a global symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Linkage {
    External,
    Private,
    Internal,
    AvailableExternally,
    LinkOnce,
    LinkOnceOdr,
    Weak,
    WeakOdr,
    Appending,
    Common,
    ExternWeak,
}

/// An attribute of a function, parameter, return value or call site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// A single word such as `noreturn`, or a word with text: `memory(none)`.
    Word(String),
    /// A number: `align 4`, `dereferenceable(8)`.
    Number(String, u64),
    /// A type: `byval(%struct.s)`, `sret(T)`, `elementtype(T)`.
    Type(String, Ty),
    /// `"key"="value"` or `"key"`.
    Text(String, String),
}

impl Attr {
    /// The name of the attribute.
    pub fn name(&self) -> &str {
        match self {
            Attr::Word(n) | Attr::Number(n, _) | Attr::Type(n, _) | Attr::Text(n, _) => n,
        }
    }
}

/// Whether the list has an attribute of this name.
pub fn has_attr(attrs: &[Attr], name: &str) -> bool {
    attrs.iter().any(|a| a.name() == name)
}

/// The type in an attribute such as `byval(T)`.
pub fn type_attr(attrs: &[Attr], name: &str) -> Option<Ty> {
    attrs.iter().find_map(|a| match a {
        Attr::Type(n, ty) if n == name => Some(*ty),
        _ => None,
    })
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: Ty,
    /// Its attributes.
    pub attrs: Vec<Attr>,
    /// Its value in the body (numbered also for a declaration).
    pub local: LocalId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The return type.
    pub ret: Ty,
    /// Attributes of the return value.
    pub ret_attrs: Vec<Attr>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Whether it takes variable arguments.
    pub varargs: bool,
    /// Attributes, including those of its groups (`#0`).
    pub attrs: Vec<Attr>,
    /// Basic blocks, the entry first; empty for a declaration.
    pub blocks: Vec<Block>,
    /// Names and types of the local values.
    pub locals: Vec<Local>,
    /// The `DISubprogram` of a definition.
    pub dbg: Option<MdId>,
}

impl Function {
    /// Whether there is no body.
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// The contents of one `.ll` file, or of several after linking.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// `source_filename`s, one for each linked file.
    pub sources: Vec<String>,
    /// `target triple`.
    pub triple: String,
    /// `target datalayout`, as written.
    pub data_layout: String,
    /// `module asm` lines.
    pub module_asm: Vec<String>,
    /// All types.
    pub types: Types,
    /// All constants.
    pub consts: Vec<Const>,
    /// All global symbols.
    pub globals: Vec<Global>,
    /// Symbols by name.
    pub by_name: FxHashMap<String, GlobalId>,
    /// Debug information and other metadata.
    pub metadata: Metadata,
}

impl Module {
    /// A constant.
    pub fn constant(&self, id: ConstId) -> &Const {
        &self.consts[id.0 as usize]
    }

    /// A global symbol.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// A symbol by its name.
    pub fn lookup(&self, name: &str) -> Option<GlobalId> {
        self.by_name.get(name).copied()
    }
}
