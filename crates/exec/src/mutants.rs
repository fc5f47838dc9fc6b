//! Deliberate faults, to test that tests and checks detect them.
//!
//! Each fault makes the engine unsound or unable to make progress. They exist in test builds only:
//! without the feature `mutants` the test at each place is the constant `false`. A mutant is active
//! on one thread, so tests do not disturb each other.

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Mutant {
    /// A jump drops the last of its parallel copies.
    PhiSkipped,
    /// A store into symbolic memory has no effect.
    WriteForgotten,
    /// The end of an object has no effect.
    EndForgotten,
    /// A new object has ended.
    MadeDead,
    /// An object that has ended may be freed.
    DoubleFreeAllowed,
    /// Signed comparisons are unsigned.
    SignedAsUnsigned,
    /// A branch drops its condition.
    GuardForgotten,
    /// Alpha lacks one comparison.
    AlphaAtomDropped,
    /// The local check reads "unknown" as "unsat".
    UnknownIsUnsatLocally,
    /// The frontier check reads "unknown" as "unsat".
    UnknownIsUnsatAtFrontier,
    /// The local check reads "sat" as "unsat".
    SatIsUnsatLocally,
    /// A split removes the edge of the wrong part.
    SplitOfWrongPart,
    /// A split uses the negation of its predicate.
    SplitNegated,
    /// The inner part of a split is not restricted by its predicate.
    InsideUnrestricted,
    /// The parts of a split are not added to B.
    PartsNotJoined,
    /// The precondition of a region lacks the region's last conjunct.
    ConjunctForgotten,
    /// Even numbers are taken for odd ones when an input is eliminated.
    ParityInverted,
    /// An unconstrained input is read as zero.
    InputTakenAsZero,
    /// Houdini keeps refuted candidates.
    RefutedKept,
    /// Houdini does not check the initial state.
    StartSkipped,
    /// Regions that lose their support are not attached again.
    OrphansLost,
    /// A visited region stays in B.
    VisitedStays,
    /// The certificate lacks the invariants of a location.
    InvariantDropped,
}

impl Mutant {
    /// All mutants.
    pub const ALL: [Mutant; 23] = [
        Mutant::PhiSkipped,
        Mutant::WriteForgotten,
        Mutant::EndForgotten,
        Mutant::MadeDead,
        Mutant::DoubleFreeAllowed,
        Mutant::SignedAsUnsigned,
        Mutant::GuardForgotten,
        Mutant::AlphaAtomDropped,
        Mutant::UnknownIsUnsatLocally,
        Mutant::UnknownIsUnsatAtFrontier,
        Mutant::SatIsUnsatLocally,
        Mutant::SplitOfWrongPart,
        Mutant::SplitNegated,
        Mutant::InsideUnrestricted,
        Mutant::PartsNotJoined,
        Mutant::ConjunctForgotten,
        Mutant::ParityInverted,
        Mutant::InputTakenAsZero,
        Mutant::RefutedKept,
        Mutant::StartSkipped,
        Mutant::OrphansLost,
        Mutant::VisitedStays,
        Mutant::InvariantDropped,
    ];
}

/// Whether a fault is active.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub const fn mutated(_: Mutant) -> bool {
    false
}

#[cfg(feature = "mutants")]
pub use present::{mutated, with};

#[cfg(feature = "mutants")]
mod present {
    use super::Mutant;
    use std::cell::Cell;

    thread_local! {
        static PRESENT: Cell<Option<Mutant>> = const { Cell::new(None) };
    }

    /// Whether a fault is active on this thread.
    pub fn mutated(mutant: Mutant) -> bool {
        PRESENT.get() == Some(mutant)
    }

    /// Runs `act` with a fault, or none, active.
    pub fn with<T>(mutant: Option<Mutant>, act: impl FnOnce() -> T) -> T {
        struct Restore(Option<Mutant>);
        impl Drop for Restore {
            fn drop(&mut self) {
                PRESENT.set(self.0);
            }
        }
        let _restore = Restore(PRESENT.replace(mutant));
        act()
    }
}
