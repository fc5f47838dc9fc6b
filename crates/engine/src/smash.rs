//! What is known of procedures, whoever asks: summaries of both kinds and contracts.

use crate::instance::Background;
use crate::must::MustSummaries;
use crate::procedures::{Asker, Key, Summary};
use crate::task::Task;
use crate::weaker::Weaker;
use attest_model::FnId;
use attest_term::Term;
use rustc_hash::FxHashMap;

/// The tables of SMASH.
#[derive(Default)]
pub(crate) struct Smash {
    /// How many tasks there have been.
    pub numbers: u32,
    /// Tasks whose query has no answer yet.
    pub paused: FxHashMap<Key, Task>,
    /// How often each query was opened.
    pub opened: FxHashMap<Key, u32>,
    /// Not-may summaries.
    pub summaries: Vec<Summary>,
    /// Must summaries.
    pub must: MustSummaries,
    /// Queries about a part of a region.
    pub weaker: Weaker,
    /// Those summaries that are contracts: used at every call of their function.
    pub contracts: Vec<usize>,
    /// Functions for which contracts were looked for: the activations there were, and the
    /// facts that are still to be tried.
    pub contracted: FxHashMap<FnId, (usize, Vec<Term>)>,
    /// Invariants of procedures that hold from every state that they are entered in.
    pub background: FxHashMap<(FnId, Option<Asker>), Background>,
    /// Which post-conditions imply which.
    pub within: FxHashMap<(Term, Term), bool>,
}
