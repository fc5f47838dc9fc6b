//! Instructions and what ends a block.
//!
//! They move scalars only. Control leaves a block by its [`Terminator`] alone, and phis are
//! copies on the way to a [`Target`].

use super::*;
use std::fmt;
use std::sync::Arc;

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
