//! Instructions and terminators.
//!
//! They move scalars only. Control leaves a block only by its [`Terminator`], and phis are copies
//! on the edge to a [`Target`].

use super::*;
use std::fmt;
use std::sync::Arc;

/// The source of an input.
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
    /// The result of a library function that the model leaves unspecified (such as `printf`'s
    /// count).
    Result(Arc<str>),
}

/// The storage of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A variable of a function: it ends with the activation.
    Stack,
    /// `malloc`, `calloc` etc.
    Heap,
}

/// A function of libc that prints. It only affects the output.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Print {
    /// Its name: `printf`, `puts`, ...
    pub name: Arc<str>,
    /// The argument with the format or text; none where the first is a character.
    pub format: Option<usize>,
    /// Whether it certainly prints to the standard output.
    pub to_stdout: bool,
}

/// A set of places of a pointer: an object, and the low bits of the offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// A static object, or none at all, whose offsets are plain numbers; `None` for any dynamic
    /// object.
    pub object: Option<ObjectId>,
    /// The offset modulo `2^bits`.
    pub offset: u64,
    /// The number of known bits of the offset.
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
    /// Unary arithmetic.
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
    /// Unary float arithmetic.
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
    /// Comparison of pointers; an ordered comparison between different objects bails.
    PtrCompare {
        rel: Relation,
        dst: Reg,
        a: Operand,
        b: Operand,
        /// Whether one may be a number that happens to be the other's address: then they are equal.
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
    /// `dst := a - b` in bytes; different objects bail.
    PtrDiff {
        dst: Reg,
        width: u32,
        a: Operand,
        b: Operand,
    },
    /// The address of a pointer as an integer of this width.
    PtrToInt { dst: Reg, width: u32, a: Operand },
    /// The pointer for an address.
    IntToPtr {
        dst: Reg,
        width: u32,
        a: Operand,
        /// Whether no object's address went into it: then it stays a number.
        plain: bool,
    },
    /// The pointer is in one of these spots: a fact about the code from points-to, with no effect.
    Within {
        ptr: Operand,
        spots: Arc<[Spot]>,
        first_dynamic: ObjectId,
    },
    /// Bails if the pointer's object has ended and an access of `len` bytes is not empty. It stands
    /// before the accesses that need it (`crate::lives`); others are to objects that are alive.
    Alive { ptr: Operand, len: Operand },
    /// The pointer for a number of the environment, into the environment's memory.
    Foreign {
        dst: Reg,
        a: Operand,
        environment: ObjectId,
    },
    /// Reads memory.
    Load {
        dst: Reg,
        sort: Sort,
        ptr: Operand,
        /// How to read bytes that are no stored pointer, if a pointer is read.
        other: Other,
    },
    /// Writes memory.
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
    /// `free(ptr)`; `ended` gets one bit: whether an object ended, which is none for null and for
    /// memory of the environment.
    Free { ptr: Operand, ended: Option<Reg> },
    /// The end of the lifetime of a stack object.
    EndLife { ptr: Operand },
    /// What `realloc(ptr, size)` does before it frees: makes a heap object with the old contents.
    /// The [`Inst::Free`] of the same pointer that follows ends the old object.
    Realloc {
        dst: Reg,
        ptr: Operand,
        size: Operand,
    },
    /// Copies bytes and pointer slots; `overlap` allows overlapping ranges.
    MemCopy {
        dst: Operand,
        src: Operand,
        len: Operand,
        overlap: bool,
    },
    /// Fills with a byte.
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
    /// Only executions with a true condition continue.
    Assume { cond: Operand },
    /// Makes variable arguments readable through a `va_list`: these, or those of the activation if
    /// inlining has not replaced them.
    VaStart {
        list: Operand,
        args: Option<Vec<(Operand, Sort)>>,
    },
    /// Prints; the result, if it is used, is arbitrary.
    Print {
        what: Print,
        dst: Option<Reg>,
        args: Vec<(Operand, Sort)>,
    },
    /// Calls a function of the model. Never inside a step of the graph.
    Call(Box<Call>),
    /// Reads or writes shadows, or requires that a value was set ([`Program::shadows`]).
    Shadow(Shadow),
}

/// The instructions on shadows. The shadow of a value has its bits; a bit is 1 if the value's bit
/// depends on contents that were never set. The shadow of memory is a memory of its own, with the
/// same objects.
///
/// Writes of memory clear the shadow of what they write, copies copy it, and an allocation that
/// does not write zeros sets it: this is part of these instructions. None of the instructions here
/// checks its address; each follows an access to the same bytes that does.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Shadow {
    /// Reads the shadow of this many bits.
    Load { dst: Reg, width: u32, ptr: Operand },
    /// Writes the shadow of this many bits; the rest of the last byte is set.
    Store {
        width: u32,
        ptr: Operand,
        src: Operand,
    },
    /// Fills shadows with a byte.
    Fill {
        ptr: Operand,
        byte: Operand,
        len: Operand,
    },
    /// The shadow is zero; else the run ends with this kind.
    Require {
        shadow: Operand,
        width: u32,
        kind: BailKind,
        what: &'static str,
    },
}

/// The meaning of bytes that are no stored pointer, where a pointer is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Other {
    /// A number that may be any object's address.
    #[default]
    Address,
    /// A number that no address went into: no object's (`points_to::provenance`).
    Number,
    /// Bytes that were never written: a number of the environment, whose memory this is.
    Foreign(ObjectId),
}

/// A call of a function of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The called function.
    pub callee: FnId,
    /// The arguments for its parameters.
    pub args: Vec<Operand>,
    /// Arguments beyond the parameters.
    pub varargs: Vec<(Operand, Sort)>,
    /// The registers for the results.
    pub results: Vec<Reg>,
}

/// A jump with the parallel copies for the target's phis: all sources are read before any
/// destination is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The target block.
    pub block: BlockId,
    /// The copies.
    pub copies: Vec<(Reg, Operand)>,
}

/// The end of a program without an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halt {
    /// `exit(status)`, whose last functions have run.
    Exit,
    /// `_exit(status)`, `_Exit` or `quick_exit`: nothing more runs.
    Immediate,
    /// `abort()`.
    Abort,
}

/// The end of a block.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// An unconditional jump.
    Goto(Target),
    /// A two-way branch.
    Branch {
        /// One bit.
        cond: Operand,
        /// The target if it is 1.
        then: Target,
        /// The target if it is 0.
        other: Target,
    },
    /// A switch over an integer.
    Switch {
        /// Bits of the value.
        width: u32,
        /// The value.
        value: Operand,
        /// The cases.
        cases: Vec<(u128, Target)>,
        /// The target if no case matches.
        default: Target,
    },
    /// A switch over an address: calls through pointers and computed `goto`.
    PtrSwitch {
        /// The address.
        ptr: Operand,
        /// The cases: object, offset, target.
        cases: Vec<(ObjectId, u64, Target)>,
        /// The target if no case matches.
        default: Target,
    },
    /// Returns these results to the caller.
    Return(Vec<Operand>),
    /// The program ends; the operand is the status if one is given.
    Halt(Halt, Option<Operand>),
    /// The property is violated.
    Error(Arc<str>),
    /// Undefined behaviour or an unsupported construct.
    Bail(Bail),
}
