//! What is known of procedures, whoever asks: queries, summaries of both kinds, contracts.
//!
//! - `call`: a frontier at a call, by the rules of the paper;
//! - `query`: queries, from the call that opens one to the answer;
//! - `not_may`: how not-may summaries are used and made;
//! - `interface`: terms of the caller as terms of the callee and back;
//! - `task_of_query`: what a new task knows from the start;
//! - `context`: the activations that belong to a query, and the values of its ghosts;
//! - `frame`: what a call leaves unchanged;
//! - `summaries`: not-may summaries;
//! - `must`: must summaries, the paths that tests took through a callee;
//! - `weaken`: weaker postconditions for queries;
//! - `contracts`: what recursive procedures return for what they are given;
//! - `learnt`: summaries that outlive a run.

pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod contracts;
pub(crate) mod frame;
pub(crate) mod interface;
pub mod learnt;
pub(crate) mod must;
pub(crate) mod not_may;
pub(crate) mod query;
pub mod summaries;
pub(crate) mod task_of_query;
pub(crate) mod weaken;

use crate::core::backoff::Backoff;
use crate::forest::NodeId;
use crate::regions::frontier::Frontier;
use crate::smash::summaries::Asker;
use crate::smash::summaries::Summary;
use crate::task::Task;
use crate::techniques::Technique;
use crate::tuning::SearchLimits;
use attest_exec::symbolic::path::PathState;
use attest_model::graph::{Loc, Outcome};
use attest_model::{FnId, Position};
use attest_term::{Sort as TermSort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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

impl Smash {
    /// Nothing is known yet.
    pub fn new(limits: &SearchLimits) -> Smash {
        let mut smash = Smash::default();
        smash.must.tries = Backoff::new(limits);
        smash
    }
}

/// What is asked of a procedure: can it end like this, in such a state?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub function: FnId,
    pub outcome: Outcome,
    /// Over the exit's vocabulary and ghosts.
    pub post: Term,
    /// How many queries with the same callee and post-condition wait for this one.
    pub level: u32,
    /// The only call that it is asked for, where calls share nothing.
    pub asker: Option<Asker>,
}

/// A query and the call that asks it.
pub(crate) struct Query {
    pub key: Key,
    /// Ghosts, each with the caller's term that it stands for.
    pub ghosts: Vec<(Term, Term)>,
    /// What must hold before the call besides.
    pub frame: Vec<Term>,
    /// The caller's frontier and witness.
    pub frontier: Frontier,
    pub node: NodeId,
    /// Rounds that are left before the caller goes on with something else.
    pub rounds: u32,
    /// It is asked for every call there is: the number of the contract that it would prove.
    pub contract: Option<usize>,
    /// Its post-condition is weaker than what the caller wants to know.
    pub is_weaker: bool,
}

/// How a sub-query ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Yes,
    No,
    Later,
    Unknown,
}

/// The name of a query's ghost: the same query has the same names everywhere.
pub(crate) fn ghost_name(number: usize, sort: TermSort) -> String {
    let kind = match sort {
        TermSort::Bool => "bool".to_owned(),
        TermSort::BitVec(width) => format!("i{width}"),
        TermSort::Float(float) => format!("f{}", float.bits()),
    };
    format!("z{number}.{kind}")
}

/// What holds at a procedure's locations whatever the query, and who made it.
#[derive(Clone, Default)]
pub(crate) struct Background {
    pub invariants: FxHashMap<Loc, Vec<Term>>,
    pub makers: FxHashMap<Term, Technique>,
}

/// One step of a path: where it starts (nowhere at an exit), and its decisions.
pub(crate) type Step = (Option<Position>, Box<[u32]>);

/// The paths through one function, from its entry to its exit.
#[derive(Default)]
pub(crate) struct Paths {
    pub list: Vec<Arc<[Step]>>,
    pub known: FxHashSet<Arc<[Step]>>,
}

/// What tests showed of procedures.
#[derive(Default)]
pub(crate) struct MustSummaries {
    pub paths: FxHashMap<FnId, Paths>,
    /// The states along a path from a state before a call, or none if nobody takes it from
    /// there; by the first node with that state's path.
    pub along: FxHashMap<(NodeId, usize), Option<PathSubst>>,
    /// Where paths are tried, by the location before the call.
    pub tries: Backoff<Loc>,
}

pub(crate) type PathSubst = Arc<[Arc<PathState>]>;

/// A post-condition over the callee's exit and ghosts, each with the caller's term.
pub(crate) type Post = (Term, Vec<(Term, Term)>);

/// The post-conditions that are asked for weaker ones.
#[derive(Default)]
pub(crate) struct Weaker {
    /// The parts that are asked for, by call and what the caller wants to know: the callee's
    /// post-condition would not do, since ghosts stand for other terms each time.
    pub parts: FxHashMap<(Loc, Box<[Term]>), Vec<Term>>,
    /// Post-conditions of a function that a test ended in, or that were not decided.
    pub refuted: FxHashSet<(FnId, Term)>,
}
