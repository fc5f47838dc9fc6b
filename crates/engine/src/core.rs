//! What every algorithm and technique may use: the program, the terms, the solver, the
//! forest of tests, the limits, and the listener.
//!
//! Nothing here is about one procedure or one query; that is a [`Task`]'s.

use crate::along::Along;
use crate::effort::Counted;
use crate::events::{Event, View, Watcher};
use crate::forest::{Forest, NodeId};
use crate::look::Look;
use crate::options::Options;
use crate::regions::RegionId;
use crate::roam::Roamer;
use crate::seldom::Seldom;
use crate::smash::Smash;
use crate::statistics::Statistics;
use crate::task::Task;
use crate::universal::Place;
use crate::verdict::Proof;
use attest_exec::CutTable;
use attest_exec::symbolic::env::SymbolTable;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Part, Stepper, Transition, Vocabulary};
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use attest_solver::Solver;
use attest_term::{Scratch, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What all tasks share.
pub(crate) struct Core<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its locations and edges.
    pub graph: &'p Graph,
    /// Where pointers lead.
    pub points_to: Rc<PointsTo>,
    /// What calls may change.
    pub effects: Vec<Effects>,
    /// Where runs are watched.
    pub cuts: CutTable,
    /// What the caller asked for.
    pub options: Options,
    /// The arena of all terms; a proof's terms live here.
    pub terms: Terms,
    /// Makes transitions of edges.
    pub stepper: Stepper<'p>,
    /// Answers questions.
    pub solver: Box<dyn Solver>,
    /// The states that tests reached.
    pub forest: Forest,
    /// The state that the program starts in.
    pub initial: Rc<PathState>,
    /// The locations that must not be reached.
    pub targets: Vec<Loc>,
    /// Transitions and preconditions that were computed.
    pub pre: Pre,
    /// Terms over the ends of paths.
    pub path_subst: Along,
    /// The symbols of procedures.
    pub names: FxHashMap<FnId, Names>,
    /// Local checks, by step.
    pub local_checks: Seldom<(Loc, Loc)>,
    /// Facts that hold for every index, and where they read ([`crate::universal`]).
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
    pub transitions: FxHashMap<Loc, Rc<Vec<Transition>>>,
    /// The preconditions of terms over a step.
    pub memo: FxHashMap<(Loc, Loc), FxHashMap<Term, Term>>,
}

/// What the making of tests remembers.
pub(crate) struct Testing<'p> {
    /// Random exploration from the states at loops, and whether it is still to begin.
    pub roamer: Option<Roamer<'p>>,
    /// Whether it is still to begin.
    pub roams: bool,
    /// Instructions that tests may still take after their first states.
    pub later_steps: u64,
    /// Whether the only run there is was looked at.
    pub alone: bool,
}

/// The unsupported exits that tests took.
#[derive(Default)]
pub(crate) struct Exits {
    /// The first one: no proof is possible any more.
    pub leaves_model: Option<(BailKind, String)>,
    /// The first one that proofs assume not to happen.
    pub happened: Option<(BailKind, String)>,
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

/// The symbols of a procedure's state, shared by its tasks.
#[derive(Clone)]
pub(crate) struct Names {
    /// The terms of registers, globals, and memory.
    pub vocabulary: Rc<Vocabulary>,
    /// Where to find their values in a state.
    pub symbols: Rc<SymbolTable>,
    /// Those that are objects of pointers.
    pub object_parts: Rc<FxHashSet<Term>>,
}

impl Core<'_> {
    /// The symbolic state of a node's path; none where symbolic execution cannot follow.
    pub(crate) fn beta(&mut self, task: &Task, node: NodeId) -> Option<Rc<PathState>> {
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
    pub(crate) fn look<'a>(&'a self, task: &'a Task) -> Look<'a> {
        Look {
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
        let env = self.look(task).at(id);
        task.regions
            .partition
            .find(self.forest.node(id).loc, |rho| {
                env.as_ref().is_some_and(|env| rho.eval_bool(env, scratch))
            })
    }
}

pub(crate) fn names(
    terms: &mut Terms,
    program: &Program,
    function: FnId,
    points_to: Option<&Rc<PointsTo>>,
) -> Names {
    let mut vocabulary = Vocabulary::of(terms, program, function);
    if let Some(points_to) = points_to {
        vocabulary = vocabulary.with_points_to(points_to);
    }
    let symbols = SymbolTable::new(terms, &vocabulary, program);
    let objects = object_parts(program, &vocabulary);
    Names {
        vocabulary: Rc::new(vocabulary),
        symbols: Rc::new(symbols),
        object_parts: Rc::new(objects),
    }
}

/// The terms that are objects of pointers in the state.
fn object_parts(program: &Program, vocabulary: &Vocabulary) -> FxHashSet<Term> {
    let function = program.function(vocabulary.function);
    let is_pointer = |part: Part| match part {
        Part::Reg(reg, false) => function.regs[reg.0 as usize].sort == Sort::Ptr,
        Part::Global(global, false) => program.globals[global.0 as usize].sort == Sort::Ptr,
        _ => false,
    };
    vocabulary
        .parts()
        .filter(|(_, part)| is_pointer(*part))
        .map(|(term, _)| term)
        .collect()
}
