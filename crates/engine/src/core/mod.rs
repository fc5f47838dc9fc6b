//! What every algorithm and technique may use: the program, the terms, the solver, the
//! forest of tests, the limits, and the listener.
//!
//! Nothing here is about one procedure or one query; that is a [`Task`]'s.
//!
//! - `prepared`: what is made once for a program and shared by its engines;
//! - `oracle`: solver calls, preconditions, and what models mean as tests;
//! - `state_view`: predicates in the states of tests;
//! - `names`: the symbols of a procedure's state;
//! - `path_subst`: terms over the end of a path as ones over its inputs;
//! - `refuted`: refutations that are remembered;
//! - `conjuncts`: conjunctions and disjunctions as lists;
//! - `effort`: counted work, which schedules;
//! - `backoff`: what has not helped is tried less often.

pub(crate) mod backoff;
pub(crate) mod conjuncts;
pub(crate) mod effort;
pub(crate) mod names;
pub(crate) mod oracle;
pub(crate) mod path_subst;
pub mod prepared;
pub(crate) mod refuted;
pub(crate) mod state_view;

use crate::core::backoff::Backoff;
use crate::core::effort::Counted;
use crate::core::names::{Names, names};
use crate::core::path_subst::{Path, PathSubst};
use crate::core::refuted::Refuted;
use crate::core::state_view::StateView;
use crate::events::{Event, View, Watcher};
use crate::forest::{Forest, NodeId};
use crate::invariants::places::Place;
use crate::options::Options;
use crate::regions::RegionId;
use crate::smash::Smash;
use crate::statistics::Statistics;
use crate::task::Task;
use crate::testing::explorer::Explorer;
use crate::verdict::Reason;
use crate::verdict::{FailingTest, Proof};
use attest_exec::CutTable;
use attest_exec::Inputs;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Stepper, Transition, substitute};
use attest_model::graph::{EdgeOp, Graph, Loc, LocKind, Outcome};
use attest_model::*;
use attest_solver::Solver;
use attest_term::{Scratch, Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What all tasks share.
pub(crate) struct Core<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its locations and edges.
    pub graph: &'p Graph,
    /// Where pointers lead.
    pub points_to: Arc<PointsTo>,
    /// What calls may change.
    pub effects: Arc<Vec<Effects>>,
    /// Where runs are watched.
    pub cuts: Arc<CutTable>,
    /// What the caller asked for.
    pub options: Options,
    /// The arena of all terms; a proof's terms live here.
    pub terms: Terms,
    /// Makes transitions of edges.
    pub stepper: Stepper<'p>,
    /// Answers the solver calls.
    pub solver: Box<dyn Solver>,
    /// The states that tests reached.
    pub forest: Forest,
    /// The state that the program starts in.
    pub initial: Arc<PathState>,
    /// The locations that must not be reached.
    pub targets: Vec<Loc>,
    /// Transitions and preconditions that were computed.
    pub pre: Pre,
    /// Terms over the ends of paths.
    pub path_subst: PathSubst,
    /// Conjunctions along paths that the solver refuted.
    pub refuted: Refuted,
    /// The symbols of procedures.
    pub names: FxHashMap<FnId, Names>,
    /// Local checks, by step.
    pub local_checks: Backoff<(Loc, Loc)>,
    /// Facts that hold for every index, and where they read ([`crate::invariants::universal`]).
    pub universals: FxHashMap<Term, Vec<Place>>,
    /// What is known of procedures.
    pub smash: Smash,
    /// What the making of tests remembers.
    pub testing: Testing<'p>,
    /// The unsupported exits that tests took.
    pub exits: Exits,
    /// A proof whose assumptions are tested.
    pub vacuity: Vacuity,
    /// What ends the run.
    pub limits: Limits,
    /// Who is told of every step.
    pub watcher: Option<Box<dyn Watcher + 'p>>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// Transitions and preconditions that were computed.
#[derive(Default)]
pub(crate) struct Pre {
    /// The transitions out of a location.
    pub transitions: FxHashMap<Loc, Arc<Vec<Transition>>>,
    /// The preconditions of terms over a step.
    pub memo: FxHashMap<(Loc, Loc), FxHashMap<Term, Term>>,
}

/// What the making of tests remembers.
pub(crate) struct Testing<'p> {
    /// Random exploration from the states at loops, and whether it is still to begin.
    pub explorer: Option<Explorer<'p>>,
    /// Whether it is still to begin.
    pub explores: bool,
    /// Instructions that tests may still take after their first states.
    pub later_steps: u64,
    /// Whether the only run there is was looked at.
    pub single_run_seen: bool,
    /// Whether the initial abstraction of a rule was made.
    pub abstracted: bool,
    /// Tests of an earlier run that are still to be run.
    pub recalled: Vec<Arc<Inputs>>,
}

/// The unsupported exits that tests took.
#[derive(Default)]
pub(crate) struct Exits {
    /// The first one: no proof is possible any more.
    pub leaves_model: Option<(BailKind, String)>,
    /// The first one that proofs assume not to happen.
    pub happened: Option<(BailKind, String)>,
    /// Violations of checks that nobody asks for.
    pub notices: Vec<FailingTest>,
}

/// A proof whose assumptions are tested before it is said.
#[derive(Default)]
pub(crate) struct Vacuity {
    /// The proof.
    pub proof: Option<Proof>,
    /// The effort at which testing ends.
    pub until: Option<Duration>,
}

/// What ends the run.
pub(crate) struct Limits {
    /// The end of the user's time.
    pub deadline: Option<Instant>,
    /// What is counted for the effort.
    pub counted: Counted,
}

impl Core<'_> {
    /// The symbolic state of a node's path; none where symbolic execution cannot follow.
    pub(crate) fn beta(&mut self, task: &Task, node: NodeId) -> Option<Arc<PathState>> {
        let vocabulary = &task.names.vocabulary;
        self.forest
            .beta(&mut self.terms, &self.stepper, vocabulary, node)
    }

    /// Tells the listener about a step, and counts it.
    pub(crate) fn tell(&mut self, task: &Task, event: Event) {
        self.statistics.count(&event);
        if let Some(watcher) = &mut self.watcher {
            let view = View {
                program: self.program,
                graph: self.graph,
                terms: &self.terms,
                regions: &task.regions.partition,
                work: (task.number, task.function),
                statistics: &self.statistics,
            };
            watcher.event(&view, &event);
        }
    }

    /// The symbols of a procedure.
    pub(crate) fn names_of(&mut self, function: FnId) -> Names {
        if let Some(known) = self.names.get(&function) {
            return known.clone();
        }
        let apart = self.options.uses_points_to().then_some(&self.points_to);
        let made = names(&mut self.terms, self.program, function, apart);
        self.names.insert(function, made.clone());
        made
    }

    /// The states of tests, for the current procedure's predicates.
    pub(crate) fn view<'a>(&'a self, task: &'a Task) -> StateView<'a> {
        StateView {
            forest: &self.forest,
            graph: self.graph,
            symbols: &task.names.symbols,
            ghosts: &task.context.values,
            none: &task.context.none,
            pointer_bits: self.program.pointer_bits,
        }
    }

    /// The region that a node's state lies in.
    pub(crate) fn region_of(&self, task: &Task, id: NodeId, scratch: &mut Scratch) -> RegionId {
        let env = self.view(task).at(id);
        task.regions
            .partition
            .find(self.forest.node(id).loc, |rho| {
                env.as_ref().is_some_and(|env| rho.eval_bool(env, scratch))
            })
    }

    /// The effort so far.
    pub(crate) fn effort(&self) -> Duration {
        self.limits.counted.effort(&self.terms, &*self.solver)
    }

    /// The effort that is left of what the search plans with.
    pub(crate) fn effort_left(&self) -> Duration {
        self.options.effort.saturating_sub(self.effort())
    }

    /// Puts a test's state into its region.
    pub(crate) fn add_witness(&self, task: &mut Task, node: NodeId) {
        let region = self.region_of(task, node, &mut Scratch::default());
        let depth = |node: NodeId| self.forest.node(node).depth;
        task.regions.add_witness(self.graph, region, node, depth);
    }

    /// Terms over the state of a path, as ones over the inputs of the path.
    pub(crate) fn all_along(
        &mut self,
        task: &Task,
        beta: &Arc<PathState>,
        of: &[Term],
    ) -> Vec<Term> {
        let path = Path {
            beta: beta.clone(),
            names: task.names.vocabulary.clone(),
        };
        let mut memo = self.path_subst.take(&path);
        let mut out = Vec::with_capacity(of.len());
        for term in of {
            let (terms, values) = (&mut self.terms, beta.values());
            let there = substitute(terms, &task.names.vocabulary, values, *term, &mut memo);
            out.push(
                match task
                    .context
                    .focus
                    .and_then(|at| task.context.terms.get(&at))
                {
                    Some(ghosts) => self.terms.substitute(there, ghosts),
                    None => there,
                },
            );
        }
        self.path_subst.keep(path, memo);
        out
    }

    /// The same of one term.
    pub(crate) fn along(&mut self, task: &Task, beta: &Arc<PathState>, term: Term) -> Term {
        self.all_along(task, beta, &[term])[0]
    }

    /// The tests' states at a location that the present work may look at.
    pub(crate) fn nodes_at<'a>(&'a self, task: &'a Task, loc: Loc) -> &'a [NodeId] {
        match task.query {
            None => self.forest.at(loc),
            Some(_) => task.context.nodes.get(&loc).map_or(&[], Vec::as_slice),
        }
    }

    /// Whether a location is one where states are kept.
    pub(crate) fn is_inner(&self, task: &Task, loc: Loc) -> bool {
        let location = self.graph.location(loc);
        location.function == Some(task.function)
            && !matches!(
                location.kind,
                LocKind::Error | LocKind::Halt | LocKind::Exit | LocKind::Bail(_) | LocKind::Root
            )
    }

    /// The call on an edge, if it is a call's.
    pub(crate) fn call_edge(&self, src: Loc, dst: Loc) -> Option<(FnId, Outcome)> {
        let edges = self.graph.outgoing[src.0 as usize].iter();
        edges
            .map(|edge| self.graph.edge(*edge))
            .find_map(|edge| match edge.op {
                EdgeOp::Call(callee, outcome) if edge.dst == dst => Some((callee, outcome)),
                _ => None,
            })
    }

    pub(crate) fn call_at(&self, loc: Loc) -> Option<&Call> {
        let location = self.graph.location(loc);
        let position = location.position?;
        let function = self.program.function(location.function?);
        match function
            .block(position.block)
            .insts
            .get(position.index as usize)
        {
            Some(Inst::Call(call)) => Some(call),
            _ => None,
        }
    }

    /// The conditions of the path to a node, with those of its query's context.
    pub(crate) fn path_to(&self, task: &Task, node: NodeId) -> Vec<Term> {
        let mut path = self.forest.path_condition(node);
        let activation = self.forest.node(node).activation;
        path.extend(
            task.context
                .conditions
                .get(&activation)
                .into_iter()
                .flatten(),
        );
        path
    }

    /// The truth of a condition in a node's state.
    pub(crate) fn is_true_at(&self, task: &Task, node: NodeId, cond: Term) -> Option<bool> {
        self.value_at(task, node, cond).and_then(|v| v.as_bool())
    }

    pub(crate) fn out_of_limits(&self, task: &Task) -> Option<Reason> {
        let interrupted = self
            .options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if interrupted {
            return Some(Reason::Interrupted);
        }
        if self
            .limits
            .deadline
            .is_some_and(|d| self.options.clock.now() >= d)
        {
            return Some(Reason::Time);
        }
        let rounds = self.options.rounds;
        let effort = self.options.most_effort;
        let many = rounds.is_some_and(|most| self.statistics.iterations >= most)
            || effort.is_some_and(|most| self.effort() >= most)
            || task.regions.count() > 200_000
            || self.forest.len() > 2_000_000;
        many.then_some(Reason::Size)
    }
}
