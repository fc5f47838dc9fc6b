//! The program model: the representation that all later parts of attest use.
//!
//! It is made once from LLVM IR and then read by the interpreter, the symbolic executor, the
//! precondition and the exporters. A function is a graph of basic blocks over mutable registers:
//! the scalar variables of C that no pointer can reach, and temporaries. Everything else is in
//! memory objects. Aggregates are split into their scalars and phis into parallel copies on edges,
//! so an instruction moves scalars only, and a predicate over registers has the same meaning on
//! every edge into a location.
//!
//! A construct that the model does not support is a [`Terminator::Bail`] with its name and place.
//! It is never ignored.
//!
//! `program/instruction.rs` has the instructions and terminators, `operation.rs` the operations on
//! scalars, `bail.rs` the kinds of bails, `check.rs` which of them are checks,
//! `users.rs` which places are the user's.

mod bail;
mod check;
mod instruction;
mod operation;
mod users;

pub use bail::*;
pub use check::*;
pub use instruction::*;
pub use operation::*;
pub use users::user_place;

use std::fmt;
use std::sync::Arc;

/// A function of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnId(pub u32);

/// A register of a function's activation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

/// A global variable that was promoted to a register of the whole state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalReg(pub u32);

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A memory object. Number 0 is no object: pointers into it are absolute addresses, including null.
/// Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object of null and of pointers made from plain numbers.
    pub const NULL: ObjectId = ObjectId(0);
}

/// A place in the C source, as a handle into [`Program::places`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PlaceId(pub u32);

/// A place in the source: file, line and column (0 where unknown).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file as the compiler named it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.file),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

/// The sort of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// An integer of 1 to 128 bits.
    Int(u32),
    /// A pointer: an object and an offset.
    Ptr,
    /// An IEEE single.
    F32,
    /// An IEEE double.
    F64,
}

impl Sort {
    /// Bytes that a value of this sort takes in memory.
    pub fn bytes(self, pointer_bits: u32) -> u64 {
        match self {
            Sort::Int(w) => u64::from(w.div_ceil(8)),
            Sort::Ptr => u64::from(pointer_bits / 8),
            Sort::F32 => 4,
            Sort::F64 => 8,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Int(w) => write!(f, "i{w}"),
            Sort::Ptr => f.write_str("ptr"),
            Sort::F32 => f.write_str("f32"),
            Sort::F64 => f.write_str("f64"),
        }
    }
}

/// A scalar constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// An integer; the bits above its width are zero.
    Int {
        /// Bits.
        width: u32,
        /// Value.
        value: u128,
    },
    /// An address.
    Ptr {
        /// The object.
        object: ObjectId,
        /// Bytes from its start, modulo the pointer width.
        offset: u64,
    },
    /// A single by its bits.
    F32(u32),
    /// A double by its bits.
    F64(u64),
}

impl Constant {
    /// The null pointer.
    pub const NULL: Constant = Constant::Ptr {
        object: ObjectId::NULL,
        offset: 0,
    };

    /// The sort of the constant.
    pub fn sort(self) -> Sort {
        match self {
            Constant::Int { width, .. } => Sort::Int(width),
            Constant::Ptr { .. } => Sort::Ptr,
            Constant::F32(_) => Sort::F32,
            Constant::F64(_) => Sort::F64,
        }
    }

    /// The zero of a sort.
    pub fn zero(sort: Sort) -> Constant {
        match sort {
            Sort::Int(width) => Constant::Int { width, value: 0 },
            Sort::Ptr => Constant::NULL,
            Sort::F32 => Constant::F32(0),
            Sort::F64 => Constant::F64(0),
        }
    }
}

/// What an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(Constant),
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Instructions with their places.
    pub insts: Vec<Inst>,
    /// The place of each instruction.
    pub places: Vec<PlaceId>,
    /// Its terminator.
    pub end: Terminator,
    /// The place of the terminator.
    pub end_place: PlaceId,
}

/// A C variable, as a handle into [`Program::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A C variable as the debug information knows it.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in C.
    pub name: Arc<str>,
    /// Its type in the debug information.
    pub ty: Option<attest_llvm::ir::MdId>,
    /// Its node in the debug information, which gives its scope and line.
    pub declared: attest_llvm::ir::MdId,
}

/// The attributes of a register.
#[derive(Clone, Debug)]
pub struct RegInfo {
    /// Its sort.
    pub sort: Sort,
    /// The name in the IR, for people reading the model.
    pub name: Arc<str>,
    /// Its C variable, if it is one.
    pub variable: Option<VarId>,
}

/// A function of the model.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Registers of an activation; the parameters come first.
    pub regs: Vec<RegInfo>,
    /// The number of parameters.
    pub params: u32,
    /// Whether it takes variable arguments.
    pub varargs: bool,
    /// Sorts of the results.
    pub results: Vec<Sort>,
    /// Its blocks, the entry first.
    pub blocks: Vec<Block>,
    /// Where it is defined.
    pub place: PlaceId,
    /// Its address.
    pub object: ObjectId,
    /// Whether attest made it (a model of a library function).
    pub synthetic: bool,
}

/// The kind of a static object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StaticKind {
    /// A variable that may be written.
    Variable,
    /// A constant, such as a string literal.
    Constant,
    /// A function: it has an address and no contents.
    Function,
    /// A variable whose initial contents the model cannot express: every access bails.
    Unmodelled,
}

/// A piece of the initial contents of a static object.
#[derive(Clone, PartialEq, Debug)]
pub enum InitPiece {
    /// Bytes at an offset.
    Bytes(u64, Vec<u8>),
    /// A pointer slot at an offset.
    Ptr(u64, ObjectId, u64),
}

/// A static object: a global variable, string literal or function.
#[derive(Clone, Debug)]
pub struct StaticObject {
    /// Its name in the IR.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: StaticKind,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Contents other than zero. `None`: declared only, so arbitrary.
    pub init: Option<Vec<InitPiece>>,
    /// The C variable.
    pub variable: Option<VarId>,
}

/// A promoted global variable.
#[derive(Clone, Debug)]
pub struct GlobalInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its sort.
    pub sort: Sort,
    /// Its initial value. `None`: declared only, so arbitrary.
    pub init: Option<Constant>,
    /// The C variable.
    pub variable: Option<VarId>,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Functions with a body, and models of those without.
    pub functions: Vec<Function>,
    /// Static objects; the object of number `i + 1` is at position `i`.
    pub objects: Vec<StaticObject>,
    /// Promoted global variables.
    pub globals: Vec<GlobalInfo>,
    /// Places in the source; number 0 is unknown.
    pub places: Vec<Place>,
    /// C variables.
    pub variables: Vec<Variable>,
    /// Width of a pointer: 32 or 64.
    pub pointer_bits: u32,
    /// The entry function.
    pub entry: FnId,
    /// The behaviour of the entry, if attest made it as a caller.
    pub caller: Option<Arc<crate::caller::Caller>>,
    /// The environment's memory, if the program has pointers into it.
    pub environment: Option<ObjectId>,
    /// The register that counts heap objects, if the program is instrumented for leaks
    /// ([`crate::leak`]).
    pub heap_count: Option<GlobalReg>,
    /// What models of functions assume that the program can call: a part of what a proof means.
    pub assuming: Arc<[Arc<str>]>,
    /// Whether memory has shadows, which say what was never set ([`Shadow`]).
    pub shadows: bool,
    /// The debug information that places and variables refer to.
    pub metadata: Arc<attest_llvm::debug::Metadata>,
}

impl Program {
    /// A function.
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The name of the entry as the user sees it.
    pub fn entry_name(&self) -> &str {
        match &self.caller {
            Some(caller) => &caller.function,
            None => &self.function(self.entry).name,
        }
    }

    /// A function by its name.
    pub fn lookup(&self, name: &str) -> Option<FnId> {
        let at = self.functions.iter().position(|f| &*f.name == name)?;
        Some(FnId(at as u32))
    }

    /// A static object; dynamic ones have no entry here.
    pub fn object(&self, id: ObjectId) -> Option<&StaticObject> {
        self.objects.get((id.0 as usize).checked_sub(1)?)
    }

    /// The number of the first dynamic object.
    pub fn first_dynamic(&self) -> ObjectId {
        ObjectId(self.objects.len() as u32 + 1)
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// A variable.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }
}

impl Function {
    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
}
