//! Faults put in on purpose, to see that tests and checks notice them.
//!
//! Each is a place where the engine could be unsound or lose its way. They
//! exist in test builds only: without the feature `mutants` the question at
//! each place is the constant `false`. A mutant is present on one thread, so
//! tests do not disturb each other.

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Mutant {
    /// A jump forgets the last of its parallel copies.
    PhiSkipped,
    /// A store into symbolic memory does not happen.
    WriteForgotten,
    /// Signed comparisons are unsigned ones.
    SignedAsUnsigned,
    /// A branch forgets its condition.
    GuardForgotten,
    /// One comparison is missing from alpha.
    AlphaAtomDropped,
    /// The local check takes "unknown" as "no".
    UnknownIsUnsatLocally,
    /// The frontier question takes "unknown" as "no".
    UnknownIsUnsatAtFrontier,
    /// The local check takes "yes" as "no".
    SatIsUnsatLocally,
    /// A split deletes the edge of the wrong part.
    SplitOfWrongPart,
    /// A split goes by the negation of its predicate.
    SplitNegated,
    /// The part inside of a split's predicate is not restricted by it.
    InsideUnrestricted,
    /// The parts of a split do not join B.
    PartsNotJoined,
    /// The precondition of a region lacks the region's last conjunct.
    ConjunctForgotten,
    /// Even numbers are taken for odd ones when an input is eliminated.
    ParityInverted,
    /// An input that may be anything is taken to be zero.
    InputTakenAsZero,
    /// Houdini keeps what a model refutes.
    RefutedKept,
    /// Houdini does not look at the start of the program.
    StartSkipped,
    /// What has lost its support is not attached again.
    OrphansLost,
    /// A region that is visited stays in B.
    VisitedStays,
    /// The invariants that are needed at a location are not in the certificate.
    InvariantDropped,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 20] = [
        Mutant::PhiSkipped,
        Mutant::WriteForgotten,
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

/// Whether a fault is present.
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

    /// Whether a fault is present on this thread.
    pub fn mutated(mutant: Mutant) -> bool {
        PRESENT.get() == Some(mutant)
    }

    /// Does something with a fault, or none, present.
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
