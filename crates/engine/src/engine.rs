//! The engine: what all tasks share, the task at work, and those that wait for it.

use crate::along::Along;
use crate::cegar::Abstraction;
use crate::core::{Core, Exits, Limits, Pre, Testing, Vacuity, names};
use crate::dse::Tree;
use crate::effort::Counted;
use crate::events::Watcher;
use crate::forest::Forest;
use crate::lee_yannakakis::Known;
use crate::options::Options;
use crate::region_graph::RegionGraph;
use crate::seldom::Seldom;
use crate::smash::Smash;
use crate::statistics::Statistics;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::CutTable;
use attest_exec::symbolic::step::Stepper;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use attest_solver::Solver;
use attest_term::Terms;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Duration;

/// The engine at work on one program, whose calls are inlined.
pub struct Engine<'p> {
    pub(crate) core: Core<'p>,
    /// The task at work,
    pub(crate) task: Task,
    /// and the callers that wait for its answer, the program's own first.
    pub(crate) waiting: Vec<Task>,
    /// What the loops that are not DASH's keep: pairs of regions of Lee and Yannakakis,
    pub(crate) known: Known,
    /// the paths of directed testing,
    pub(crate) tree: Tree,
    /// and the predicates and abstract states of CEGAR.
    pub(crate) abstraction: Abstraction,
}

/// Instructions that tests may take after their first states, all together.
const LATER: u64 = 16_000_000;

impl<'p> Engine<'p> {
    /// An engine for a program and its graph.
    pub fn new(
        program: &'p Program,
        graph: &'p Graph,
        options: Options,
        solver: Box<dyn Solver>,
    ) -> Engine<'p> {
        let mut terms = Terms::new();
        let points_to = Rc::new(PointsTo::of(program));
        let apart = options.uses_points_to().then_some(&points_to);
        let names = names(&mut terms, program, program.entry, apart);
        let stepper = Stepper {
            program,
            graph,
            overflow: options.overflow,
        };
        let initial = Rc::new(stepper.initial(&mut terms, &names.vocabulary));
        let ends = &graph.functions[program.entry.0 as usize].ends;
        let is_target = |loc: &Loc| match graph.location(*loc).kind {
            LocKind::Error => true,
            LocKind::Bail(kind) => !options.assumed.contains(&kind),
            _ => false,
        };
        let targets: Vec<Loc> = ends.values().copied().filter(is_target).collect();
        let mut regions = RegionGraph::new(graph, program.entry);
        regions.aim_at(graph, &targets);
        let core = Core {
            cuts: CutTable::of(program, graph),
            forest: Forest::new(graph.locations.len()),
            testing: Testing {
                roamer: None,
                roams: false,
                later_steps: LATER,
                alone: !options.uses(Technique::Alone),
            },
            pre: Pre::default(),
            local_checks: Seldom::default(),
            universals: FxHashMap::default(),
            path_subst: Along::default(),
            smash: Smash::default(),
            effects: attest_model::effects(program),
            points_to,
            names: FxHashMap::from_iter([(program.entry, names.clone())]),
            exits: Exits::default(),
            vacuity: Vacuity::default(),
            limits: Limits {
                deadline: options.time.map(|t| options.clock.now() + t),
                counted: Counted::default(),
            },
            watcher: None,
            statistics: Statistics {
                regions: graph.locations.len() as u64,
                ..Statistics::default()
            },
            program,
            graph,
            options,
            terms,
            stepper,
            solver,
            initial,
            targets,
        };
        Engine {
            core,
            task: Task::new(program.entry, names, regions),
            waiting: Vec::new(),
            known: Known::default(),
            tree: Tree::default(),
            abstraction: Abstraction::default(),
        }
    }

    /// Tells somebody about every step from now on.
    pub fn watched_by(mut self, watcher: impl Watcher + 'p) -> Engine<'p> {
        self.core.watcher = Some(Box::new(watcher));
        self
    }

    /// The arena of all terms; a proof's terms live here.
    pub fn terms(&self) -> &Terms {
        &self.core.terms
    }

    /// The same, to read terms of elsewhere into it.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.core.terms
    }

    /// What was done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.core.statistics
    }

    /// The effort so far.
    pub fn effort(&self) -> Duration {
        self.core.effort()
    }

    /// Begins a task, for which the present one waits.
    pub(crate) fn enter(&mut self, task: Task) {
        let caller = std::mem::replace(&mut self.task, task);
        self.waiting.push(caller);
        self.task.context.focus = None;
    }

    /// Ends the present task: its caller goes on. None where nobody waits.
    pub(crate) fn leave(&mut self) -> Option<Task> {
        let caller = self.waiting.pop()?;
        let ended = std::mem::replace(&mut self.task, caller);
        self.task.context.focus = None;
        Some(ended)
    }

    /// Does something for every task, the program's own first and the present one last, each
    /// with its caller.
    pub(crate) fn for_each_task(
        &mut self,
        mut work: impl FnMut(&mut Core<'p>, &mut Task, Option<&mut Task>),
    ) {
        let mut caller: Option<&mut Task> = None;
        for task in self.waiting.iter_mut().chain([&mut self.task]) {
            work(&mut self.core, task, caller);
            caller = Some(task);
        }
    }

    /// The location whose states were told apart most often, and how often.
    pub fn hardest(&self) -> Option<(Loc, u32)> {
        let splits = self.task.splits.iter().map(|(loc, n)| (*loc, *n));
        splits.max_by_key(|(loc, n)| (*n, std::cmp::Reverse(*loc)))
    }
}
