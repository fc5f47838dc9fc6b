//! A task: one procedure that is worked on, under one query.
//!
//! The program's entry is a task without a query. A sub-query makes a task for the callee,
//! and the caller's waits on the engine's stack until it has the answer. What a task holds
//! is about this procedure and this query; the rest is in [`Core`](crate::core::Core), and
//! the two are borrowed apart.

use crate::core::names::Names;
use crate::core::state_view::Ghosts;
use crate::forest::{ActivationId, NodeId};
use crate::invariants::pools::Pools;
use crate::progress::Progress;
use crate::regions::frontier::Frontier;
use crate::regions::graph::RegionGraph;
use crate::regions::{RegionId, Regions};
use crate::smash::Query;
use crate::smash::summaries::Use;
use crate::tuning::SearchLimits;
use attest_model::FnId;
use attest_model::graph::{Graph, Loc};
use attest_term::{SymbolId, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The work on one procedure.
pub(crate) struct Task {
    /// The procedure.
    pub function: FnId,
    /// Its number among all tasks, 0 for the program's.
    pub number: u32,
    /// The symbols of the procedure's state.
    pub names: Names,
    /// The partition of the procedure's states, and what may lead to a target.
    pub regions: RegionGraph,
    /// What was tried at the frontiers.
    pub attempts: Attempts,
    /// Splits at each location.
    pub splits: FxHashMap<Loc, u32>,
    /// Facts that hold whenever a location is reached.
    pub invariants: FxHashMap<Loc, Vec<Term>>,
    /// How often the invariants changed.
    pub invariants_version: u32,
    /// No step leads from the invariants to a target.
    pub invariants_suffice: bool,
    /// Candidate facts of the locations.
    pub pools: Pools,
    /// What is asked of it; none for the program's entry.
    pub query: Option<Query>,
    /// The states that belong to the query, and what its ghosts are there.
    pub context: Context,
    /// The summaries of callees that were used.
    pub uses: Vec<Use>,
}

/// What was tried at the frontiers of a task.
#[derive(Default)]
pub(crate) struct Attempts {
    /// Pairs that the local check could not separate, with the invariants it had.
    pub not_local: FxHashMap<(RegionId, RegionId), u32>,
    /// Witnesses that failed at a frontier for good.
    pub tried: FxHashSet<(RegionId, RegionId, Option<NodeId>)>,
    /// How often a step was chosen.
    pub by_step: FxHashMap<(Loc, Loc), u32>,
    /// Tests that diverged from the path that should cross a frontier.
    pub diverged: FxHashMap<(RegionId, RegionId), u32>,
    /// How many may do so before the frontier is given up.
    pub most_diverged: u32,
    /// Locations that were looked at before any test came there.
    pub ahead: FxHashSet<Loc>,
}

/// What a query is about: the activations of its procedure that belong to it.
#[derive(Default)]
pub(crate) struct Context {
    /// The values of the query's ghosts, an activation each,
    pub values: Ghosts,
    /// what they are along its path,
    pub terms: FxHashMap<ActivationId, FxHashMap<Term, Term>>,
    /// and what must hold there besides.
    pub conditions: FxHashMap<ActivationId, Vec<Term>>,
    /// The states that belong to the query, by location.
    pub nodes: FxHashMap<Loc, Vec<NodeId>>,
    /// The activation whose ghosts are meant.
    pub focus: Option<ActivationId>,
    /// The values of no ghosts.
    pub none: FxHashMap<SymbolId, Value>,
}

impl Task {
    /// A task that knows nothing.
    pub fn new(function: FnId, names: Names, regions: RegionGraph, limits: &SearchLimits) -> Task {
        Task {
            function,
            number: 0,
            names,
            regions,
            attempts: Attempts {
                most_diverged: limits.diverged_tests,
                ..Attempts::default()
            },
            splits: FxHashMap::default(),
            invariants: FxHashMap::default(),
            invariants_version: 0,
            invariants_suffice: false,
            pools: Pools::default(),
            query: None,
            context: Context::default(),
            uses: Vec::new(),
        }
    }

    /// The locations of two regions.
    pub fn places(&self, from: RegionId, to: RegionId) -> (Loc, Loc) {
        self.regions.step(from, to)
    }

    /// The shallowest witness that was not yet tried at this frontier.
    pub fn witness(&self, from: RegionId, to: RegionId) -> Option<NodeId> {
        self.attempts.witness(&self.regions.partition, from, to)
    }

    /// This witness is of no use at this frontier.
    pub fn give_up(
        &mut self,
        frontier: Frontier,
        node: Option<NodeId>,
        why: &'static str,
    ) -> Progress {
        self.attempts
            .tried
            .insert((frontier.from, frontier.to, node));
        Progress::Stuck(why)
    }

    /// What holds of every state of a region that is ever reached.
    pub fn known_at(&self, region: RegionId) -> Vec<Term> {
        let region = self.regions.region(region);
        let mut all = region.predicate.clone();
        all.extend(self.invariants.get(&region.loc).into_iter().flatten());
        all
    }
}

impl Attempts {
    /// Whether this is a step out of the start that was not tried.
    pub fn is_initial(&self, regions: &Regions, from: RegionId, to: RegionId) -> bool {
        let root = regions.region(from).loc == Graph::ROOT;
        root && !self.tried.contains(&(from, to, None))
    }

    /// The shallowest witness that was not yet tried at a frontier.
    pub fn witness(&self, regions: &Regions, from: RegionId, to: RegionId) -> Option<NodeId> {
        let diverged = self.diverged.get(&(from, to));
        if diverged.is_some_and(|n| *n >= self.most_diverged) {
            return None;
        }
        let mut witnesses = regions.region(from).witnesses.iter();
        let is_untried = |w: &&NodeId| !self.tried.contains(&(from, to, Some(**w)));
        witnesses.find(is_untried).copied()
    }
}
