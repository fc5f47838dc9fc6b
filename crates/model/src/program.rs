//! The program model: what every later part of attest works on.
//!
//! It is made once from LLVM IR and then read by the interpreter, the symbolic
//! executor, the precondition and the exporters. A function is a graph of
//! basic blocks over mutable registers: the scalar variables of C that no
//! pointer can reach, and the temporaries between them. Everything else lives
//! in memory objects. Aggregates are split into their scalars and phis into
//! parallel copies on edges, so an instruction moves scalars only and a
//! predicate over registers means the same on every way into a location.
//!
//! What the model cannot express is a [`Terminator::Bail`] with its construct
//! and place. It is never left out.

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

/// A memory object. Number 0 is no object: pointers into it are absolute
/// addresses, the null pointer among them. Numbers are never reused.
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

/// What kind of scalar a value is.
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

/// Integer operations of two operands. The model's arithmetic wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Integer operations of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntUnary {
    /// Number of ones.
    PopCount,
    /// Zeros above the highest one; the width for 0.
    LeadingZeros,
    /// Zeros below the lowest one; the width for 0.
    TrailingZeros,
    /// Bytes in reverse order.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
}

/// Relations between integers, or offsets of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions between integer widths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resize {
    /// Keep the low bits.
    Truncate,
    /// Zeros above.
    ZeroExtend,
    /// Copies of the sign above.
    SignExtend,
}

/// The two IEEE formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl FloatFormat {
    /// The sort of values of this format.
    pub fn sort(self) -> Sort {
        match self {
            FloatFormat::Single => Sort::F32,
            FloatFormat::Double => Sort::F64,
        }
    }
}

/// Float operations of two operands, round to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`.
    Rem,
    /// The first with the sign of the second.
    CopySign,
    /// C's `fmin`.
    Min,
    /// C's `fmax`.
    Max,
}

/// Float operations of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// Sign flipped.
    Neg,
    /// Sign cleared.
    Abs,
    /// Square root.
    Sqrt,
    /// Toward minus infinity.
    Floor,
    /// Toward plus infinity.
    Ceil,
    /// Toward zero.
    Trunc,
    /// To nearest, ties away from zero.
    Round,
    /// To nearest, ties to even.
    RoundEven,
}

/// Float relations: the ordered ones are false and the unordered ones true on NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatRelation {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Conversions with a float on a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCast {
    /// Between the formats.
    Format {
        /// From.
        from: FloatFormat,
        /// To.
        to: FloatFormat,
    },
    /// An integer to a float, to nearest even.
    FromInt {
        /// Bits of the integer.
        width: u32,
        /// It is signed.
        signed: bool,
        /// The result's format.
        to: FloatFormat,
    },
    /// A float to an integer toward zero. Out of range is a bail.
    ToInt {
        /// The operand's format.
        from: FloatFormat,
        /// Bits of the integer.
        width: u32,
        /// It is signed.
        signed: bool,
        /// Out of range gives the nearest bound (and NaN 0) instead of a bail.
        saturating: bool,
    },
    /// The bit pattern as an integer.
    ToBits(FloatFormat),
    /// A bit pattern as a float.
    FromBits(FloatFormat),
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InputKind {
    /// A call of `__VERIFIER_nondet_NAME` or another function that stands for the environment.
    Nondet(Arc<str>),
    /// The value of a variable before its first assignment.
    Uninit(Arc<str>),
    /// An argument of the entry, or a pointer that an argument leads to.
    Argument(Arc<str>),
    /// `undef` of LLVM.
    Undef,
    /// The result of a library function that the model leaves open (such as `printf`'s count).
    Result(Arc<str>),
}

/// How an allocation came about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A variable of a function: it ends with the activation.
    Stack,
    /// `malloc` and its kin.
    Heap,
}

/// A function of libc that prints. Its effect is on the output only.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Print {
    /// Its name: `printf`, `puts`, ...
    pub name: Arc<str>,
    /// Which argument is the format or text; none where the first is a character.
    pub format: Option<usize>,
    /// It prints to the standard output for sure.
    pub to_stdout: bool,
}

/// Where a pointer may be: an object, and the low bits of the offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// A static object, or none at all, whose offsets are plain numbers; `None` for any that
    /// is made while running.
    pub object: Option<ObjectId>,
    /// The offset modulo `2^bits`.
    pub offset: u64,
    /// How many bits of the offset are known.
    pub bits: u32,
}

impl Spot {
    /// Any offset of the object.
    pub fn anywhere(self) -> Spot {
        Spot {
            offset: 0,
            bits: 0,
            ..self
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.object {
            Some(ObjectId::NULL) => f.write_str("no object")?,
            Some(object) => write!(f, "object {}", object.0)?,
            None => f.write_str("a new object")?,
        }
        match self.bits {
            0 => Ok(()),
            bits => write!(f, " at {} in {bits} bits", self.offset),
        }
    }
}

/// One instruction. Every operand is a scalar.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Inst {
    /// `dst := src`.
    Copy { dst: Reg, src: Operand },
    /// `dst := global`.
    GetGlobal { dst: Reg, global: GlobalReg },
    /// `global := src`.
    SetGlobal { global: GlobalReg, src: Operand },
    /// Arithmetic. `no_signed_wrap` keeps clang's `nsw` for the overflow policy.
    Int {
        op: IntOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
        no_signed_wrap: bool,
    },
    /// Arithmetic of one operand.
    IntUnary {
        op: IntUnary,
        width: u32,
        dst: Reg,
        a: Operand,
    },
    /// `dst := a rel b` as one bit.
    Compare {
        rel: Relation,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// Change of width.
    Resize {
        how: Resize,
        from: u32,
        to: u32,
        dst: Reg,
        a: Operand,
    },
    /// `dst := cond ? a : b`.
    Select {
        dst: Reg,
        cond: Operand,
        a: Operand,
        b: Operand,
    },
    /// Float arithmetic.
    Float {
        op: FloatOp,
        format: FloatFormat,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// Float arithmetic of one operand.
    FloatUnary {
        op: FloatUnary,
        format: FloatFormat,
        dst: Reg,
        a: Operand,
    },
    /// Float comparison.
    FloatCompare {
        rel: FloatRelation,
        format: FloatFormat,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// Float conversion.
    FloatCast {
        cast: FloatCast,
        dst: Reg,
        a: Operand,
    },
    /// Comparison of pointers; an ordered one of different objects is a bail.
    PtrCompare {
        rel: Relation,
        dst: Reg,
        a: Operand,
        b: Operand,
        /// One may be a number that happens to be the other's address: then they are equal.
        numbers: bool,
    },
    /// `dst := base + offset + index * scale`, the index sign-extended from its width.
    PtrAdd {
        dst: Reg,
        base: Operand,
        offset: u64,
        index: Operand,
        width: u32,
        scale: u64,
    },
    /// `dst := a - b` in bytes; different objects are a bail.
    PtrDiff {
        dst: Reg,
        width: u32,
        a: Operand,
        b: Operand,
    },
    /// The address of a pointer as an integer of this width.
    PtrToInt { dst: Reg, width: u32, a: Operand },
    /// The pointer of an address.
    IntToPtr {
        dst: Reg,
        width: u32,
        a: Operand,
        /// No object's address went into it: it stays a number.
        plain: bool,
    },
    /// The pointer is in one of these spots: known of the code, and no part of it.
    Within {
        ptr: Operand,
        spots: Arc<[Spot]>,
        first_dynamic: ObjectId,
    },
    /// The pointer of the environment that a number stands for, in the environment's memory.
    Foreign {
        dst: Reg,
        a: Operand,
        environment: ObjectId,
    },
    /// Read memory.
    Load {
        dst: Reg,
        sort: Sort,
        ptr: Operand,
        /// What bytes there are that are no stored pointer, if a pointer is read.
        other: Other,
    },
    /// Write memory.
    Store {
        sort: Sort,
        ptr: Operand,
        src: Operand,
    },
    /// A new object with arbitrary contents, or zeros.
    Alloc {
        dst: Reg,
        storage: Storage,
        size: Operand,
        zeroed: bool,
        name: Option<VarId>,
    },
    /// `free(ptr)`.
    Free { ptr: Operand },
    /// The end of the lifetime of a stack object.
    EndLife { ptr: Operand },
    /// `dst := realloc(ptr, size)`.
    Realloc {
        dst: Reg,
        ptr: Operand,
        size: Operand,
    },
    /// Copy bytes and pointer slots; `overlap` allows overlapping ranges.
    MemCopy {
        dst: Operand,
        src: Operand,
        len: Operand,
        overlap: bool,
    },
    /// Fill with a byte.
    MemSet {
        dst: Operand,
        byte: Operand,
        len: Operand,
    },
    /// An arbitrary value.
    Input {
        dst: Reg,
        sort: Sort,
        kind: InputKind,
    },
    /// Only executions with a true condition go on.
    Assume { cond: Operand },
    /// Make variable arguments readable through a `va_list`: these, or those
    /// of the activation where inlining has not written them out.
    VaStart {
        list: Operand,
        args: Option<Vec<(Operand, Sort)>>,
    },
    /// Print; the result, if wanted, is open.
    Print {
        what: Print,
        dst: Option<Reg>,
        args: Vec<(Operand, Sort)>,
    },
    /// Call a function of the model. Never inside a block of the graph.
    Call(Box<Call>),
}

/// What bytes that are no stored pointer are, where a pointer is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Other {
    /// A number that may be any object's address.
    #[default]
    Address,
    /// A number that no address went into: no object's (`points_to::provenance`).
    Number,
    /// Bytes that were never set: a number of the environment, whose memory this is.
    Foreign(ObjectId),
}

/// A call of a function of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Who is called.
    pub callee: FnId,
    /// The arguments for its parameters.
    pub args: Vec<Operand>,
    /// Arguments beyond the parameters.
    pub varargs: Vec<(Operand, Sort)>,
    /// Where the results go.
    pub results: Vec<Reg>,
}

/// A jump with the parallel copies that the target's phis ask for: all
/// sources are read before any destination is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Where to.
    pub block: BlockId,
    /// The copies.
    pub copies: Vec<(Reg, Operand)>,
}

/// How a program ends without an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halt {
    /// `exit(status)` and its kin.
    Exit,
    /// `abort()`.
    Abort,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Go on.
    Goto(Target),
    /// Two ways.
    Branch {
        /// One bit.
        cond: Operand,
        /// If it is 1.
        then: Target,
        /// If it is 0.
        other: Target,
    },
    /// Many ways on an integer.
    Switch {
        /// Bits of the value.
        width: u32,
        /// The value.
        value: Operand,
        /// The cases.
        cases: Vec<(u128, Target)>,
        /// If no case fits.
        default: Target,
    },
    /// Many ways on an address: calls through pointers and computed `goto`.
    PtrSwitch {
        /// The address.
        ptr: Operand,
        /// The cases: object, offset, target.
        cases: Vec<(ObjectId, u64, Target)>,
        /// If no case fits.
        default: Target,
    },
    /// Back to the caller with these results.
    Return(Vec<Operand>),
    /// The program ends; the operand is the status if one is given.
    Halt(Halt, Option<Operand>),
    /// The property is violated.
    Error(Arc<str>),
    /// Outside the model.
    Bail(Bail),
}

/// Why an execution leaves the model. Each kind is a reachability target of
/// its own: a proof needs the selected kinds unreachable, and says which were
/// not selected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BailKind {
    /// A function without a body or a model.
    Extern,
    /// Inline assembly.
    Asm,
    /// A call through a pointer that names no function of a fitting type.
    BadCall,
    /// Division by zero, or the quotient does not fit.
    Division,
    /// A shift by the width or more.
    Shift,
    /// A float that does not fit the integer it is converted to.
    FloatToInt,
    /// An access through a null pointer.
    NullDeref,
    /// An access outside its object.
    OutOfBounds,
    /// An access to an object whose life has ended.
    UseAfterFree,
    /// `free` of something that is not the start of a live heap object.
    BadFree,
    /// A write to constant memory.
    ConstWrite,
    /// An ordered comparison or difference of pointers into different objects.
    PtrOrder,
    /// An integer that is no known address, used as a pointer.
    IntToPtr,
    /// Part of a stored pointer read as data.
    PtrPun,
    /// Control reached what the compiler took for unreachable.
    Unreachable,
    /// Signed overflow, where the policy asks for it.
    Overflow,
    /// `memcpy` of overlapping ranges.
    Overlap,
    /// Exceptions, `setjmp` and the like.
    Exception,
    /// A type that the model has no values of (such as `long double`).
    Type,
    /// More activations of a function than inlining follows.
    Recursion,
    /// Another construct outside the model.
    Unsupported,
}

impl BailKind {
    /// All kinds.
    pub const ALL: &'static [BailKind] = &[
        BailKind::Extern,
        BailKind::Asm,
        BailKind::BadCall,
        BailKind::Division,
        BailKind::Shift,
        BailKind::FloatToInt,
        BailKind::NullDeref,
        BailKind::OutOfBounds,
        BailKind::UseAfterFree,
        BailKind::BadFree,
        BailKind::ConstWrite,
        BailKind::PtrOrder,
        BailKind::IntToPtr,
        BailKind::PtrPun,
        BailKind::Unreachable,
        BailKind::Overflow,
        BailKind::Overlap,
        BailKind::Exception,
        BailKind::Type,
        BailKind::Recursion,
        BailKind::Unsupported,
    ];

    /// Whether it ends the program on every machine with an operating system: nothing is
    /// mapped at the first and the last page. A run that does it has come to its end, and
    /// a proof need not exclude it.
    pub fn traps(self) -> bool {
        self == BailKind::NullDeref
    }

    /// Whether it is an access through a pointer that leads to no object: nothing gets past it.
    pub fn leads_nowhere(self) -> bool {
        matches!(self, BailKind::NullDeref | BailKind::IntToPtr)
    }

    /// A short word for reports and options.
    pub fn word(self) -> &'static str {
        match self {
            BailKind::Extern => "missing-function",
            BailKind::Asm => "inline-assembly",
            BailKind::BadCall => "bad-call",
            BailKind::Division => "division",
            BailKind::Shift => "shift",
            BailKind::FloatToInt => "float-to-int",
            BailKind::NullDeref => "null-dereference",
            BailKind::OutOfBounds => "out-of-bounds",
            BailKind::UseAfterFree => "use-after-free",
            BailKind::BadFree => "bad-free",
            BailKind::ConstWrite => "constant-write",
            BailKind::PtrOrder => "pointer-order",
            BailKind::IntToPtr => "integer-to-pointer",
            BailKind::PtrPun => "pointer-punning",
            BailKind::Unreachable => "unreachable",
            BailKind::Overflow => "overflow",
            BailKind::Overlap => "overlapping-copy",
            BailKind::Exception => "exception",
            BailKind::Type => "type",
            BailKind::Recursion => "recursion",
            BailKind::Unsupported => "unsupported",
        }
    }
}

/// A way out of the model, with what it is in words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bail {
    /// The kind.
    pub kind: BailKind,
    /// The construct: a function's name, an instruction, a type.
    pub what: Arc<str>,
}

impl fmt::Display for Bail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.what)
    }
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Instructions with their places.
    pub insts: Vec<Inst>,
    /// The place of each instruction.
    pub places: Vec<PlaceId>,
    /// How it ends.
    pub end: Terminator,
    /// The place of its end.
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
    /// Its node in the debug information, which knows its scope and line.
    pub declared: attest_llvm::ir::MdId,
}

/// What a register holds.
#[derive(Clone, Debug)]
pub struct RegInfo {
    /// Its sort.
    pub sort: Sort,
    /// The name in the IR, for people reading the model.
    pub name: Arc<str>,
    /// The C variable that it is, if it is one.
    pub variable: Option<VarId>,
}

/// A function of the model.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Registers of an activation; the parameters come first.
    pub regs: Vec<RegInfo>,
    /// How many of the registers are parameters.
    pub params: u32,
    /// More arguments may follow.
    pub varargs: bool,
    /// Sorts of the results.
    pub results: Vec<Sort>,
    /// Its blocks, the entry first.
    pub blocks: Vec<Block>,
    /// Where it is defined.
    pub place: PlaceId,
    /// Its address.
    pub object: ObjectId,
    /// Made by attest (a model of a library function), not by the user.
    pub synthetic: bool,
}

/// What a static object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StaticKind {
    /// A variable that may be written.
    Variable,
    /// A constant, such as a string literal.
    Constant,
    /// A function: it has an address and no contents.
    Function,
    /// A variable whose first contents the model cannot express: no access is modelled.
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
    /// What it is.
    pub kind: StaticKind,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Contents where they are not zero. `None`: declared only, so arbitrary.
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
    /// Its first value. `None`: declared only, so arbitrary.
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
    /// Where the program starts.
    pub entry: FnId,
    /// What the entry does, if it is a caller that attest made.
    pub caller: Option<Arc<crate::caller::Caller>>,
    /// The environment's memory, if pointers come from there.
    pub environment: Option<ObjectId>,
    /// The debug information that places and variables refer to.
    pub metadata: Arc<attest_llvm::debug::Metadata>,
}

impl Program {
    /// A function.
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The name of the function that the user sees as the entry.
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

    /// The number that the first dynamic object gets.
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
