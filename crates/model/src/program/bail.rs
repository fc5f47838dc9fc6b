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
    /// An access through a number that is no object's address.
    InvalidPointer,
    /// Part of a stored pointer read as data.
    PtrPun,
    /// Control reached code that the compiler declared unreachable.
    Unreachable,
    /// Signed overflow, if the policy checks it.
    Overflow,
    /// `memcpy` of overlapping ranges.
    Overlap,
    /// At the end, heap memory that nothing points to.
    Leak,
    /// At the end, heap memory that is still pointed to and was not freed.
    NotFreed,
    /// A value that was never set decides a branch, an address or a result.
    Uninitialised,
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
        BailKind::InvalidPointer,
        BailKind::PtrPun,
        BailKind::Unreachable,
        BailKind::Overflow,
        BailKind::Overlap,
        BailKind::Leak,
        BailKind::NotFreed,
        BailKind::Uninitialised,
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
            BailKind::InvalidPointer => "invalid-pointer",
            BailKind::PtrPun => "pointer-punning",
            BailKind::Unreachable => "unreachable",
            BailKind::Overflow => "overflow",
            BailKind::Overlap => "overlapping-copy",
            BailKind::Leak => "unreachable-memory",
            BailKind::NotFreed => "not-freed",
            BailKind::Uninitialised => "never-set",
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
