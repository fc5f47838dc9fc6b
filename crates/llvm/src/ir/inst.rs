//! The bodies of functions: local values, blocks, instructions and their parts.

use super::*;

/// A value local to a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// Name and type of a local value.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name without the `%`; a number for an unnamed value.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// A basic block of a function, by position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A basic block: instructions, the last of which is a terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label.
    pub name: String,
    /// Its instructions.
    pub insts: Vec<Inst>,
}

/// An operand of an instruction. Its type is the constant's or the local's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A local value.
    Local(LocalId),
    /// A constant.
    Const(ConstId),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The value that it defines.
    pub result: Option<LocalId>,
    /// The operation.
    pub kind: InstKind,
    /// Its `!dbg` location.
    pub dbg: Option<MdId>,
    /// Its line in the `.ll` file.
    pub line: u32,
    /// Whether it has a flag that lets a compiler change the result of floating-point arithmetic.
    pub fast: bool,
}

/// Flags such as `nsw` on an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[allow(missing_docs)]
pub struct Flags {
    pub nsw: bool,
    pub nuw: bool,
    pub exact: bool,
    pub disjoint: bool,
    pub nneg: bool,
    pub inbounds: bool,
    pub nusw: bool,
    pub samesign: bool,
}

/// Strength of an atomic access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Ordering {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// The qualifiers of a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// `volatile`.
    pub volatile: bool,
    /// `atomic`, with its ordering.
    pub atomic: Option<Ordering>,
    /// Alignment, if given.
    pub align: Option<u64>,
}

/// The operation of an instruction. Terminators come last.
#[derive(Clone, Debug)]
pub enum InstKind {
    /// A binary operation on integers, floats or vectors of them.
    Bin {
        /// The operation.
        op: BinOp,
        /// Flags such as `nsw`.
        flags: Flags,
        /// Type of operands and result.
        ty: Ty,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// `fneg`.
    FNeg(Ty, Operand),
    /// Comparison of integers or pointers.
    ICmp {
        /// The relation.
        pred: IntPredicate,
        /// Type of the operands.
        ty: Ty,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// Comparison of floats.
    FCmp {
        /// The relation.
        pred: FloatPredicate,
        /// Type of the operands.
        ty: Ty,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// A conversion.
    Cast {
        /// The conversion.
        op: CastOp,
        /// Flags such as `nneg`.
        flags: Flags,
        /// Source type.
        from: Ty,
        /// The operand.
        value: Operand,
        /// Result type.
        to: Ty,
    },
    /// `alloca`.
    Alloca {
        /// Element type.
        ty: Ty,
        /// Number of elements.
        count: Operand,
        /// Alignment, if given.
        align: Option<u64>,
    },
    /// `load`.
    Load {
        /// Type of the result.
        ty: Ty,
        /// The address.
        ptr: Operand,
        /// Qualifiers.
        access: Access,
    },
    /// `store`.
    Store {
        /// Type of the value.
        ty: Ty,
        /// The stored value.
        value: Operand,
        /// The address.
        ptr: Operand,
        /// Qualifiers.
        access: Access,
    },
    /// `getelementptr`.
    Gep {
        /// The type that the indices traverse.
        source: Ty,
        /// The base (a pointer, or a vector of pointers).
        base: Operand,
        /// Indices with their types.
        indices: Vec<(Ty, Operand)>,
        /// Flags such as `inbounds`.
        flags: Flags,
    },
    /// `phi`.
    Phi {
        /// Type of the result.
        ty: Ty,
        /// Value for each predecessor.
        incoming: Vec<(Operand, BlockId)>,
    },
    /// `select`.
    Select {
        /// Type of the condition (`i1` or a vector of it).
        cond_ty: Ty,
        /// The condition.
        cond: Operand,
        /// Type of the result.
        ty: Ty,
        /// Value if true.
        on_true: Operand,
        /// Value if false.
        on_false: Operand,
    },
    /// `freeze`.
    Freeze(Ty, Operand),
    /// A call.
    Call(Box<Call>),
    /// `extractvalue`.
    ExtractValue {
        /// Type of the aggregate.
        ty: Ty,
        /// The aggregate.
        agg: Operand,
        /// The path to the field.
        indices: Vec<u32>,
    },
    /// `insertvalue`.
    InsertValue {
        /// Type of the aggregate and the result.
        ty: Ty,
        /// The aggregate.
        agg: Operand,
        /// Type of the new field value.
        value_ty: Ty,
        /// The new field value.
        value: Operand,
        /// The path to the field.
        indices: Vec<u32>,
    },
    /// `extractelement`.
    ExtractElement {
        /// Type of the vector.
        ty: Ty,
        /// The vector.
        vector: Operand,
        /// The position.
        index: Operand,
    },
    /// `insertelement`.
    InsertElement {
        /// Type of the vector.
        ty: Ty,
        /// The vector.
        vector: Operand,
        /// The new element.
        value: Operand,
        /// The position.
        index: Operand,
    },
    /// `shufflevector`.
    ShuffleVector {
        /// Type of both vectors.
        ty: Ty,
        /// First vector.
        lhs: Operand,
        /// Second vector.
        rhs: Operand,
        /// The mask, a constant vector of `i32`.
        mask: ConstId,
    },
    /// `va_arg`.
    VaArg {
        /// The list.
        list: Operand,
        /// Type of the result.
        ty: Ty,
    },
    /// `atomicrmw`.
    AtomicRmw {
        /// The operation: `add`, `xchg`, ...
        op: String,
        /// The address.
        ptr: Operand,
        /// Type of the value.
        ty: Ty,
        /// The operand.
        value: Operand,
        /// `volatile`.
        volatile: bool,
        /// Its ordering.
        ordering: Ordering,
    },
    /// `cmpxchg`.
    CmpXchg {
        /// The address.
        ptr: Operand,
        /// Type of the values.
        ty: Ty,
        /// The expected value.
        expected: Operand,
        /// The new value.
        new: Operand,
        /// `weak`.
        weak: bool,
        /// `volatile`.
        volatile: bool,
        /// Its ordering on success.
        success: Ordering,
        /// Its ordering on failure.
        failure: Ordering,
    },
    /// `fence`.
    Fence(Ordering),
    /// A debug record (`#dbg_declare` or a call of `llvm.dbg.*`).
    Dbg(DbgRecord),
    /// `landingpad` and other exception instructions, by opcode.
    Exception(String),
    /// `ret`.
    Ret(Option<(Ty, Operand)>),
    /// `br label`.
    Br(BlockId),
    /// `br i1`.
    CondBr {
        /// The condition.
        cond: Operand,
        /// The target if true.
        then: BlockId,
        /// The target if false.
        other: BlockId,
    },
    /// `switch`.
    Switch {
        /// Type of the value.
        ty: Ty,
        /// The value.
        value: Operand,
        /// The target if no case matches.
        default: BlockId,
        /// The cases.
        cases: Vec<(ConstId, BlockId)>,
    },
    /// `indirectbr`.
    IndirectBr {
        /// The block address.
        address: Operand,
        /// All possible targets.
        targets: Vec<BlockId>,
    },
    /// `invoke`: a call with two successors.
    Invoke {
        /// The call.
        call: Box<Call>,
        /// The target of a return.
        normal: BlockId,
        /// The target of unwinding.
        unwind: BlockId,
    },
    /// `callbr` (asm goto).
    CallBr {
        /// The call.
        call: Box<Call>,
        /// The fall-through target.
        fallthrough: BlockId,
        /// The other targets.
        indirect: Vec<BlockId>,
    },
    /// `unreachable`.
    Unreachable,
    /// `resume`, `cleanupret` and other exception terminators, by opcode.
    ExceptionTerminator(String, Vec<BlockId>),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The called function.
    pub callee: Callee,
    /// The return type.
    pub ret: Ty,
    /// The function type, if given (always for varargs).
    pub fn_ty: Option<Ty>,
    /// Attributes of the return value.
    pub ret_attrs: Vec<Attr>,
    /// The arguments.
    pub args: Vec<Arg>,
    /// Attributes of the call, including those of its groups.
    pub attrs: Vec<Attr>,
    /// `musttail`.
    pub must_tail: bool,
    /// Operand bundles, by tag.
    pub bundles: Vec<(String, Vec<(Ty, Operand)>)>,
    /// Whether a sanitizer of clang added it.
    pub of_sanitizer: bool,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Its type.
    pub ty: Ty,
    /// Its attributes.
    pub attrs: Vec<Attr>,
    /// Its value.
    pub value: ArgValue,
}

/// The value of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgValue {
    /// An ordinary value.
    Value(Operand),
    /// `metadata ...`, for intrinsics only.
    Metadata(MdId),
}

/// The target of a call.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name, or a pointer.
    Value(Operand),
    /// Inline assembly: its text and constraints.
    Asm {
        /// The assembly text.
        text: String,
        /// The constraints.
        constraints: String,
        /// Whether it is `sideeffect`.
        side_effect: bool,
    },
}

/// The kind of a debug record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DbgKind {
    /// The variable lives at this address.
    Declare,
    /// The variable has this value from here on.
    Value,
    /// Assignment tracking.
    Assign,
    /// A label.
    Label,
}

/// A debug record about a C variable or label.
#[derive(Clone, Debug)]
pub struct DbgRecord {
    /// The kind.
    pub kind: DbgKind,
    /// The address or value; `None` if the optimiser dropped it, or it is a list.
    pub value: Option<Operand>,
    /// The `DILocalVariable` or `DILabel`.
    pub subject: Option<MdId>,
    /// Whether the `DIExpression` is empty, so that the value is the variable itself.
    pub plain: bool,
}

/// A metadata node of the module; see [`Metadata`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MdId(pub u32);

/// Binary operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
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
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    PtrToAddr,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

/// Relations of `icmp`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Relations of `fcmp`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatPredicate {
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
