//! Bails: the ends of runs at undefined behaviour or unsupported constructs, by kind.

use std::fmt;
use std::sync::Arc;

/// Why an execution bails. Each kind is a separate reachability target: a proof shows that the
/// selected kinds are unreachable, and lists the others as assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BailKind {
    /// A function without a body or a model.
    Extern,
    /// Inline assembly.
    Asm,
    /// A call through a pointer that names no function of a fitting type.
    BadCall,
    /// Division by zero, or a quotient that does not fit.
    Division,
    /// A shift by the width or more.
    Shift,
    /// A float that does not fit the integer it is converted to.
    FloatToInt,
    /// An access through a null pointer.
    NullDeref,
    /// An access outside its object.
    OutOfBounds,
    /// An access to an object after its lifetime.
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
    /// Control reached code that the compiler declared unreachable.
    Unreachable,
    /// Signed overflow, if the policy checks it.
    Overflow,
    /// `memcpy` of overlapping ranges.
    Overlap,
    /// Exceptions, `setjmp` or similar.
    Exception,
    /// A type without values in the model (such as `long double`).
    Type,
    /// More activations of a function than the bound of inlining.
    Recursion,
    /// Another unsupported construct.
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

    /// Whether it ends the program on every machine with an operating system: nothing is mapped at
    /// the first and the last page. Such a run has ended, and a proof need not exclude it.
    pub fn traps(self) -> bool {
        self == BailKind::NullDeref
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

/// A bail, with a description.
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
