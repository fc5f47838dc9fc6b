//! The types of LLVM IR as attest sees them.
//!
//! A [`Module`] is what one `.ll` file says, or several after linking. Types
//! and constants live in arenas of the module and are named by small handles;
//! values local to a function are numbered in it. Nothing here interprets the
//! program: that is the model's work.

use crate::debug::Metadata;
use rustc_hash::FxHashMap;

/// A type, as a handle into [`Types`]. Equal types of a module have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub u32);

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// A floating-point format.
    Float(FloatKind),
    /// A pointer into an address space.
    Ptr(u32),
    /// `[n x T]`.
    Array(u64, Ty),
    /// `<n x T>`; the flag says `vscale x`.
    Vector(u64, Ty, bool),
    /// A literal structure.
    Struct(StructBody),
    /// A named structure; its body is in [`Types::named`].
    Named(u32),
    /// A function type.
    Function {
        /// What it returns.
        ret: Ty,
        /// Its fixed parameters.
        params: Vec<Ty>,
        /// Whether more arguments may follow.
        varargs: bool,
    },
    /// A basic block.
    Label,
    /// A metadata operand.
    Metadata,
    /// A token.
    Token,
    /// A target extension type, by its text.
    Target(String),
}

/// Fields of a structure and whether it is packed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructBody {
    /// Types of the fields in order.
    pub fields: Vec<Ty>,
    /// No padding between the fields.
    pub packed: bool,
}

/// The floating-point formats of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
}

/// A named structure type; `body` is `None` for an opaque one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// Its name without the `%`.
    pub name: String,
    /// Its fields, if they are known.
    pub body: Option<StructBody>,
}

/// The arena of types of a module.
#[derive(Clone, Default, Debug)]
pub struct Types {
    pub(crate) kinds: Vec<TypeKind>,
    pub(crate) index: FxHashMap<TypeKind, Ty>,
    /// Named structures, by the number in [`TypeKind::Named`].
    pub named: Vec<NamedType>,
}

impl Types {
    /// The handle of a type, made if it is new.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        if let Some(&ty) = self.index.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.index.insert(kind, ty);
        ty
    }

    /// The shape of a type.
    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    /// The body of a literal or named structure.
    pub fn struct_body(&self, ty: Ty) -> Option<&StructBody> {
        match self.kind(ty) {
            TypeKind::Struct(body) => Some(body),
            TypeKind::Named(n) => self.named[*n as usize].body.as_ref(),
            _ => None,
        }
    }
}

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

/// What a constant is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstKind {
    /// An integer in two's complement: little-endian 64-bit words, as many as
    /// the width needs, the bits above the width zero.
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
    /// Elements of an array, vector or structure (told apart by the type).
    Aggregate(Vec<ConstId>),
    /// `splat (T v)`.
    Splat(ConstId),
    /// The address of a global variable, function or alias.
    Global(GlobalId),
    /// `blockaddress(@f, %b)`.
    BlockAddress(GlobalId, String),
    /// `dso_local_equivalent @f` or `no_cfi @f`: the function itself for us.
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
        /// The type that the indices walk.
        source: Ty,
        /// The base pointer.
        base: ConstId,
        /// The indices.
        indices: Vec<ConstId>,
        /// `inbounds` was said.
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
    /// What it is.
    pub kind: GlobalKind,
    /// The line of the `.ll` file where it stands.
    pub line: u32,
}

/// What a global symbol is.
#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// A variable.
    Variable(Variable),
    /// A function, with a body or only declared.
    Function(Box<Function>),
    /// Another name of something (`alias`); an `ifunc` has the flag set.
    Alias {
        /// What it stands for.
        target: ConstId,
        /// It is an `ifunc`, whose target is a resolver.
        ifunc: bool,
    },
    /// A name that was used but neither declared nor defined yet. Only while reading.
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
    /// Its alignment if it was said.
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
    /// A bare word such as `noreturn`, or with its text: `memory(none)`.
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
    /// Its value inside the body (numbered also for a declaration).
    pub local: LocalId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it returns.
    pub ret: Ty,
    /// Attributes of the return value.
    pub ret_attrs: Vec<Attr>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// More arguments may follow.
    pub varargs: bool,
    /// Attributes, those of its groups (`#0`) included.
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
    /// What it does.
    pub kind: InstKind,
    /// Its `!dbg` location.
    pub dbg: Option<MdId>,
    /// Its line in the `.ll` file.
    pub line: u32,
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
    /// Any fast-math flag.
    pub fast: bool,
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

/// How a memory access is qualified.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// `volatile`.
    pub volatile: bool,
    /// `atomic`, with its ordering.
    pub atomic: Option<Ordering>,
    /// Alignment if said.
    pub align: Option<u64>,
}

/// What an instruction does. Terminators come last.
#[derive(Clone, Debug)]
pub enum InstKind {
    /// A binary operation on integers, floats or vectors of them.
    Bin {
        /// Which.
        op: BinOp,
        /// `nsw` and the like.
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
        /// Which.
        op: CastOp,
        /// `nneg` and the like.
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
        /// Alignment if said.
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
        /// What is stored.
        value: Operand,
        /// The address.
        ptr: Operand,
        /// Qualifiers.
        access: Access,
    },
    /// `getelementptr`.
    Gep {
        /// The type that the indices walk.
        source: Ty,
        /// The base (a pointer, or a vector of pointers).
        base: Operand,
        /// Indices with their types.
        indices: Vec<(Ty, Operand)>,
        /// `inbounds` and the like.
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
        /// What is expected.
        expected: Operand,
        /// What is stored.
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
        /// Where if true.
        then: BlockId,
        /// Where if false.
        other: BlockId,
    },
    /// `switch`.
    Switch {
        /// Type of the value.
        ty: Ty,
        /// The value.
        value: Operand,
        /// Where if no case fits.
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
        /// Where it returns.
        normal: BlockId,
        /// Where it unwinds.
        unwind: BlockId,
    },
    /// `callbr` (asm goto).
    CallBr {
        /// The call.
        call: Box<Call>,
        /// Where it falls through.
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
    /// What is called.
    pub callee: Callee,
    /// The return type.
    pub ret: Ty,
    /// The function type if it was written out (always for varargs).
    pub fn_ty: Option<Ty>,
    /// Attributes of the return value.
    pub ret_attrs: Vec<Attr>,
    /// The arguments.
    pub args: Vec<Arg>,
    /// Attributes of the call, those of its groups included.
    pub attrs: Vec<Attr>,
    /// `musttail`.
    pub must_tail: bool,
    /// Operand bundles, by tag.
    pub bundles: Vec<(String, Vec<(Ty, Operand)>)>,
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

/// What is called.
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
        /// `sideeffect` was said.
        side_effect: bool,
    },
}

/// Which kind of debug record.
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
    /// Which kind.
    pub kind: DbgKind,
    /// The address or value; `None` if it was dropped, or a list.
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

/// What one `.ll` file says, or several after linking.
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
