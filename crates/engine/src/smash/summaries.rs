//! Not-may summaries: what is proved of a procedure for every caller.

use attest_model::FnId;
use attest_model::graph::{Loc, Outcome};
use attest_term::Term;

/// A call that asks: the work on its procedure, by number, and the location before it.
pub type Asker = (u32, Loc);

/// A not-may summary: from states in `pre` no execution of the function has this outcome
/// in a state of `post`, whatever the ghosts are.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The function.
    pub function: FnId,
    /// The only call that it serves, where calls share nothing.
    pub asker: Option<Asker>,
    /// How it ends.
    pub outcome: Outcome,
    /// The ghosts in pre- and post-condition.
    pub ghosts: Vec<Term>,
    /// Over the entry's vocabulary.
    pub pre: Term,
    /// Over the exit's vocabulary.
    pub post: Term,
    /// Why: an invariant a location.
    pub invariants: Vec<(Loc, Term)>,
    /// The summaries that these lean on.
    pub uses: Vec<Use>,
}

/// The use of a summary at a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Before the call.
    pub location: Loc,
    /// The summary's number.
    pub summary: usize,
    /// The caller's terms for its ghosts.
    pub ghosts: Vec<Term>,
}
