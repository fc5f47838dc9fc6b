//! A refused frontier, and what is suggested to do about it.
//!
//! No test along the witness's path crosses the frontier. Generators get the [`Refusal`] and
//! return a [`Suggestion`]; they change no region. The ladder in [`crate::refine`] asks them in
//! order, and it alone applies what one of them suggests.

use crate::events::Cut;
use crate::forest::NodeId;
use crate::regions::RegionId;
use crate::regions::frontier::Frontier;
use attest_exec::symbolic::path::PathState;
use attest_term::Term;
use std::sync::Arc;

/// The state of a test before a frontier, and the path that led there.
pub(crate) struct Witness {
    /// The state.
    pub node: NodeId,
    /// The symbolic state of its path.
    pub beta: Arc<PathState>,
    /// The conditions of the path.
    pub path: Vec<Term>,
}

/// A frontier that no test along a path crosses.
pub(crate) struct Refusal<'a> {
    /// The frontier,
    pub frontier: Frontier,
    /// and the other regions at its target's location that it leads to.
    pub others: &'a [RegionId],
    /// The witness.
    pub witness: &'a Witness,
    /// The conjuncts of the precondition of the targets.
    pub pre: &'a [Term],
    /// Those of them that the solver needed.
    pub core: Vec<Term>,
    /// Whether it is about a call, whose summaries may say it all.
    pub is_call: bool,
}

/// What to do about a refused frontier.
pub(crate) enum Suggestion {
    /// Split the region by this predicate.
    Split {
        /// The precondition implies it, and the witness does not satisfy it.
        rho: Term,
        /// Who made it.
        generator: &'static str,
    },
    /// The edge is not there.
    NoEdge(Cut),
    /// Invariants were found; the frontier may be gone by what is known now.
    Learnt,
    /// Nothing helps with this witness.
    GiveUp(&'static str),
}
