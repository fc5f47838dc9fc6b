//! What the tools find, and which checks it confirms: one table for all of them.

use super::tool::Family;
use attest_model::BailKind::{self, *};
use std::fmt;

/// A kind of finding.
#[derive(PartialEq, Eq, Debug)]
pub struct Kind {
    /// Whose.
    pub family: Family,
    /// A part of the line that the tool writes. The first row that fits counts.
    pub says: &'static str,
    /// Its name in messages.
    pub name: &'static str,
    /// The kinds of checks that it confirms. These are several where the tool sees less than
    /// attest: a write to a constant is for it a write to some address where none is allowed.
    pub confirms: &'static [BailKind],
}

const fn row(
    family: Family,
    says: &'static str,
    name: &'static str,
    confirms: &'static [BailKind],
) -> Kind {
    Kind {
        family,
        says,
        name,
        confirms,
    }
}

/// A jump to where no code is, as `report.rs` names it.
pub const JUMP: &str = "SEGV jump";

/// All kinds of findings. Those of signals come from several lines of a report, which
/// `report.rs` makes the names here of.
#[rustfmt::skip]
pub const KINDS: &[Kind] = &[
    row(Family::Address, "heap-buffer-overflow", "heap-buffer-overflow", &[OutOfBounds]),
    row(Family::Address, "dynamic-stack-buffer-overflow", "dynamic-stack-buffer-overflow", &[OutOfBounds]),
    row(Family::Address, "stack-buffer-overflow", "stack-buffer-overflow", &[OutOfBounds]),
    row(Family::Address, "stack-buffer-underflow", "stack-buffer-underflow", &[OutOfBounds]),
    row(Family::Address, "global-buffer-overflow", "global-buffer-overflow", &[OutOfBounds]),
    row(Family::Address, "negative-size-param", "negative-size-param", &[OutOfBounds]),
    row(Family::Address, "heap-use-after-free", "heap-use-after-free", &[UseAfterFree]),
    row(Family::Address, "stack-use-after-scope", "stack-use-after-scope", &[UseAfterFree]),
    row(Family::Address, "stack-use-after-return", "stack-use-after-return", &[UseAfterFree]),
    row(Family::Address, "attempting double-free", "double free", &[BadFree, UseAfterFree]),
    row(Family::Address, "attempting free on address which was not malloc()-ed", "free of what malloc did not return", &[BadFree]),
    row(Family::Address, "attempting to call malloc_usable_size()", "size of what malloc did not return", &[BadFree]),
    row(Family::Address, "alloc-dealloc-mismatch", "alloc-dealloc-mismatch", &[BadFree]),
    row(Family::Address, "-param-overlap", "overlapping copy", &[Overlap, OutOfBounds]),
    row(Family::Address, "stack-overflow", "stack overflow", &[]),
    row(Family::Address, "requested allocation size", "allocation of too large an object", &[]),
    row(Family::Address, "out of memory", "out of memory", &[]),
    // The signals, as `report.rs` names them.
    row(Family::Address, "SEGV at the zero page", "access to the zero page", &[NullDeref, InvalidPointer, BadCall]),
    row(Family::Address, "SEGV write at the zero page", "write to the zero page", &[NullDeref, InvalidPointer]),
    row(Family::Address, JUMP, "jump to an invalid address", &[BadCall, NullDeref, InvalidPointer]),
    row(Family::Address, "SEGV write", "write to an invalid address", &[ConstWrite, InvalidPointer, OutOfBounds, UseAfterFree, NullDeref]),
    row(Family::Address, "SEGV", "access to an invalid address", &[InvalidPointer, OutOfBounds, UseAfterFree, NullDeref, BadCall]),
    row(Family::Address, "BUS", "access to an invalid address", &[InvalidPointer, OutOfBounds, ConstWrite]),
    row(Family::Address, "FPE", "division that the processor rejects", &[Division]),
    row(Family::Address, "ILL", "illegal instruction", &[Unreachable, BadCall]),
    row(Family::Undefined, "signed integer overflow", "signed integer overflow", &[Overflow]),
    row(Family::Undefined, "negation of", "signed integer overflow", &[Overflow]),
    row(Family::Undefined, "division by zero", "division by zero", &[Division]),
    row(Family::Undefined, "division of", "division that overflows", &[Division, Overflow]),
    row(Family::Undefined, "shift exponent", "shift exponent", &[Shift]),
    row(Family::Undefined, "left shift of", "left shift", &[Shift, Overflow]),
    row(Family::Undefined, "out of bounds for type", "index out of bounds", &[OutOfBounds]),
    row(Family::Undefined, "outside the range of representable values", "float outside of the range", &[FloatToInt]),
    row(Family::Undefined, "unreachable program point", "unreachable code", &[Unreachable]),
    row(Family::Undefined, "incorrect function type", "call of a function of another type", &[BadCall]),
    row(Family::Undefined, "null pointer", "null pointer", &[NullDeref]),
    row(Family::Undefined, "misaligned address", "misaligned address", &[]),
    row(Family::Undefined, "variable length array bound", "size of an array", &[OutOfBounds]),
    row(Family::Leak, "leak of", "leak", &[Leak]),
    row(Family::Memory, "use-of-uninitialized-value", "use-of-uninitialized-value", &[Uninitialised]),
    row(Family::Valgrind, "Conditional jump or move depends on uninitialised", "branch on an uninitialised value", &[Uninitialised]),
    row(Family::Valgrind, "Use of uninitialised value", "use of an uninitialised value", &[Uninitialised]),
    row(Family::Valgrind, "contains uninitialised byte", "uninitialised byte for the system", &[Uninitialised]),
    row(Family::Valgrind, "points to uninitialised byte", "uninitialised byte for the system", &[Uninitialised]),
    row(Family::Valgrind, "Invalid access to a freed block", "access to a freed block", &[UseAfterFree]),
    row(Family::Valgrind, "Invalid access beside a block", "access beside a block", &[OutOfBounds]),
    row(Family::Valgrind, "Invalid access to the zero page", "access to the zero page", &[NullDeref, InvalidPointer]),
    row(Family::Valgrind, "Invalid read", "invalid read", &[OutOfBounds, InvalidPointer, UseAfterFree, NullDeref]),
    row(Family::Valgrind, "Invalid write", "invalid write", &[OutOfBounds, InvalidPointer, UseAfterFree, NullDeref, ConstWrite]),
    row(Family::Valgrind, "Invalid free()", "invalid free", &[BadFree, UseAfterFree]),
    row(Family::Valgrind, "Mismatched free()", "mismatched free", &[BadFree]),
    row(Family::Valgrind, "Source and destination overlap", "overlapping copy", &[Overlap]),
    row(Family::Valgrind, "Jump to the invalid address", "jump to an invalid address", &[BadCall, NullDeref, InvalidPointer]),
    row(Family::Valgrind, "definitely lost", "leak", &[Leak, NotFreed]),
    row(Family::Valgrind, "indirectly lost", "leak", &[Leak, NotFreed]),
    row(Family::Valgrind, "possibly lost", "leak", &[Leak, NotFreed]),
    row(Family::Valgrind, "still reachable", "memory that is not freed", &[NotFreed]),
    row(Family::Valgrind, "(SIGFPE)", "division that the processor rejects", &[Division]),
    row(Family::Valgrind, "(SIGSEGV)", "access to an invalid address", &[ConstWrite, InvalidPointer, OutOfBounds, UseAfterFree]),
];

/// What a tool says that the table does not have.
pub const OTHER: Kind = row(Family::Address, "", "another finding", &[]);

/// The kind of a line of a tool.
pub fn kind_of(family: Family, line: &str) -> Option<&'static Kind> {
    let mut rows = KINDS.iter().filter(|row| row.family == family);
    rows.find(|row| line.contains(row.says))
}

/// A call on the stack of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The file and the line, if they are known.
    pub place: Option<(String, u32)>,
    /// The module and the offset in it, where the tool says only these.
    pub module: Option<(String, u64)>,
}

/// A finding of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind it is.
    pub kind: &'static Kind,
    /// The calls, innermost first.
    pub frames: Vec<Frame>,
}

impl Finding {
    /// The innermost place in files that this accepts as the user's.
    pub fn place(&self, is_users: &dyn Fn(&str) -> bool) -> Option<FoundAt> {
        let mut places = self.frames.iter().filter_map(|frame| {
            let (file, line) = frame.place.as_ref()?;
            Some((file, *line, &frame.function))
        });
        let (file, line, function) = places.find(|(file, ..)| is_users(file))?;
        Some(FoundAt {
            file: file.clone(),
            line,
            function: function.clone(),
        })
    }
}

/// Where a tool finds something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundAt {
    /// The file as the debug information names it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}

impl fmt::Display for FoundAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        write!(f, "{name}:{}", self.line)
    }
}

/// Whether the tools always see a violation of this kind in code that is compiled with them,
/// so that a run without a finding speaks against it. The table is conservative: a kind is in
/// it if every single operation is checked.
///
/// - Arithmetic and overflow: UndefinedBehaviorSanitizer has a check at each operation.
/// - Null: nothing is mapped at the zero page, and the access itself is carried out. (What
///   attest calls a null access may be beyond the zero page, but still below the first
///   address that the system maps.)
/// - Not out of bounds: behind the zone around an object there may be another object; an
///   address inside of a padded object is not poisoned.
/// - Not use after free: the memory may be another object's again.
/// - Not a bad free, a bad call or an overlap: the library need not look at its arguments.
/// - Not a write to a constant: one on the stack can be written.
/// - Not leaks: an old copy of a pointer on the stack keeps memory reachable.
/// - Not uninitialised values: the tools follow them bit by bit, and not into all functions.
///
/// It is about user code. Nothing counts of a violation inside a library function, which is
/// not compiled with the tools; [`Violation::is_in_library`](crate::Violation::is_in_library)
/// says so.
pub fn silence_counts(kind: BailKind) -> bool {
    match kind {
        Overflow | Division | Shift | FloatToInt | Unreachable | NullDeref => true,
        OutOfBounds | UseAfterFree | BadFree | BadCall | Overlap | ConstWrite | InvalidPointer
        | Leak | NotFreed | Uninitialised => false,
        // These are no checks.
        Extern | Asm | PtrOrder | PtrPun | Exception | Type | Recursion | Unsupported => false,
    }
}

/// Why no tool sees a violation of a kind, where that is known.
pub(super) fn blind_spot(kind: BailKind) -> &'static str {
    match kind {
        OutOfBounds => "the address may lie in another object",
        UseAfterFree => "the memory may be in use again",
        ConstWrite => "the constant may lie in memory that can be written",
        InvalidPointer => "the address may be in use",
        BadCall => "the call may work on this machine",
        Leak => "an old copy of the pointer may be left",
        Uninitialised => "the value may not matter",
        _ => "the run ends without a finding",
    }
}
