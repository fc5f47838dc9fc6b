//! The engine's state: one struct whose parts the techniques work on, a file each.
//!
//! What is about the procedure that is worked on is set aside and taken up again as a
//! whole ([`crate::instance`]); the rest is about the program.

use crate::along::Along;
use crate::candidates::Pools;
use crate::cegar::Abstraction;
use crate::dse::Tree;
use crate::effort::Counted;
use crate::events::{Event, View, Watcher};
use crate::forest::{ActivationId, Forest, NodeId};
use crate::frontier::{Bad, Space, has_abstract_path};
use crate::instance::{Background, Instance};
use crate::lee_yannakakis::Known;
use crate::look::{Ghosts, Look};
use crate::must::MustSummaries;
use crate::options::Options;
use crate::procedures::{Asker, Key, Query, Summary, Use};
use crate::regions::{RegionId, Regions};
use crate::roam::Roamer;
use crate::seldom::Seldom;
use crate::statistics::Statistics;
use crate::techniques::Technique;
use crate::universal::Place;
use crate::verdict::Proof;
use crate::weaker::Weaker;
use attest_exec::CutTable;
use attest_exec::symbolic::env::SymbolTable;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Part, Stepper, Transition, Vocabulary};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use attest_solver::Solver;
use attest_term::{Scratch, SymbolId, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The engine at work on one program, whose calls are inlined.
pub struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) graph: &'p Graph,
    pub(crate) options: Options,
    /// The arena of all terms; a proof's terms live here.
    pub terms: Terms,
    /// The procedure that is worked on; the fields from here to `uses` are about it
    /// ([`crate::instance`]).
    pub(crate) function: FnId,
    pub(crate) vocabulary: Rc<Vocabulary>,
    pub(crate) symbols: Rc<SymbolTable>,
    pub(crate) object_parts: Rc<FxHashSet<Term>>,
    pub(crate) stepper: Stepper<'p>,
    pub(crate) cuts: CutTable,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) regions: Regions,
    pub(crate) forest: Forest,
    /// Tests that branch at loops, and whether they are still to be begun.
    pub(crate) roamer: Option<Roamer<'p>>,
    pub(crate) roams: bool,
    pub(crate) bad: Bad,
    pub(crate) transitions: FxHashMap<Loc, Rc<Vec<Transition>>>,
    pub(crate) initial: Rc<PathState>,
    pub(crate) pre_memo: FxHashMap<(Loc, Loc), FxHashMap<Term, Term>>,
    /// Pairs that the local check could not separate, with the invariants it had.
    pub(crate) not_local: FxHashMap<(RegionId, RegionId), u32>,
    /// Local checks, by step.
    pub(crate) local_checks: Seldom<(Loc, Loc)>,
    /// Witnesses that failed at a frontier for good.
    pub(crate) tried: FxHashSet<(RegionId, RegionId, Option<NodeId>)>,
    pub(crate) attempts: FxHashMap<(Loc, Loc), u32>,
    /// Tests that went astray at a frontier.
    pub(crate) astray: FxHashMap<(RegionId, RegionId), u32>,
    /// Splits at each location.
    pub(crate) splits: FxHashMap<Loc, u32>,
    /// Facts that hold whenever a location is reached.
    pub(crate) invariants: FxHashMap<Loc, Vec<Term>>,
    /// How often the invariants changed.
    pub(crate) invariants_version: u32,
    /// No step leads from the invariants to a target.
    pub(crate) invariants_suffice: bool,
    /// Facts that hold for every index, and where they read ([`crate::universal`]).
    pub(crate) universals: FxHashMap<Term, Vec<Place>>,
    pub(crate) pools: Pools,
    /// What is asked of it; none for the program's entry.
    pub(crate) query: Option<Query>,
    /// The values of the query's ghosts, an activation each,
    pub(crate) ghosts: Ghosts,
    /// what they are along its path,
    pub(crate) ghost_terms: FxHashMap<ActivationId, FxHashMap<Term, Term>>,
    /// and what must hold there besides.
    pub(crate) conditions: FxHashMap<ActivationId, Vec<Term>>,
    /// The states that belong to the query, by location.
    pub(crate) own: FxHashMap<Loc, Vec<NodeId>>,
    /// Which work of all this is, and how many there have been.
    pub(crate) number: u32,
    pub(crate) numbers: u32,
    /// The summaries of callees that were used.
    pub(crate) uses: Vec<Use>,
    /// The activation whose ghosts are meant.
    pub(crate) focus: Option<ActivationId>,
    pub(crate) no_ghosts: FxHashMap<SymbolId, Value>,
    /// The callers that wait for the present query.
    pub(crate) stack: Vec<Instance>,
    /// Queries without an answer yet.
    pub(crate) paused: FxHashMap<Key, Instance>,
    /// How often each query was opened.
    pub(crate) opened: FxHashMap<Key, u32>,
    /// What was learnt of procedures.
    pub(crate) summaries: Vec<Summary>,
    pub(crate) must: MustSummaries,
    pub(crate) weaker: Weaker,
    pub(crate) along: Along,
    /// Those of them that are contracts: used at every call of their function.
    pub(crate) contracts: Vec<usize>,
    /// Functions for which contracts were looked for: the activations there were, and the
    /// facts that are still to be tried.
    pub(crate) contracted: FxHashMap<FnId, (usize, Vec<Term>)>,
    /// Invariants of procedures that hold from every state that they are entered in.
    pub(crate) background: FxHashMap<(FnId, Option<Asker>), Background>,
    /// Which post-conditions imply which.
    pub(crate) within: FxHashMap<(Term, Term), bool>,
    pub(crate) effects: Vec<Effects>,
    pub(crate) points_to: Rc<PointsTo>,
    names: FxHashMap<FnId, Names>,
    /// What the loops that are not DASH's keep: pairs of regions of Lee and Yannakakis,
    pub(crate) known: Known,
    /// the paths of directed testing,
    pub(crate) tree: Tree,
    /// and the predicates and abstract states of CEGAR.
    pub(crate) abstraction: Abstraction,
    pub(crate) targets: Vec<Loc>,
    /// Instructions that tests may still take after their first states.
    pub(crate) later_steps: u64,
    pub(crate) leaves_model: Option<(BailKind, String)>,
    /// What a proof takes as not happening, and did happen.
    pub(crate) happened: Option<(BailKind, String)>,
    /// Whether the only run there is was looked at (`alone`).
    pub(crate) alone: bool,
    /// A proof that is doubted, and until when (`certificate`).
    pub(crate) proof: Option<Proof>,
    pub(crate) doubt_until: Option<Duration>,
    pub(crate) counted: Counted,
    pub(crate) deadline: Option<Instant>,
    watcher: Option<Box<dyn Watcher + 'p>>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// The symbols of a procedure, their table, and those that are objects of pointers.
pub(crate) type Names = (Rc<Vocabulary>, Rc<SymbolTable>, Rc<FxHashSet<Term>>);
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
        let (vocabulary, symbols, object_parts) = names.clone();
        let stepper = Stepper {
            program,
            graph,
            overflow: options.overflow,
        };
        let initial = Rc::new(stepper.initial(&mut terms, &vocabulary));
        let ends = &graph.functions[program.entry.0 as usize].ends;
        let is_target = |loc: &Loc| match graph.location(*loc).kind {
            LocKind::Error => true,
            LocKind::Bail(kind) => !options.assumed.contains(&kind),
            _ => false,
        };
        let targets: Vec<Loc> = ends.values().copied().filter(is_target).collect();
        let regions = Regions::new(graph.locations_of(program.entry));
        let space = Space {
            graph,
            regions: &regions,
            entry: graph.functions[program.entry.0 as usize].entry,
        };
        let goals = targets.iter().flat_map(|loc| regions.at(*loc)).copied();
        let bad = Bad::new(space, goals);
        Engine {
            cuts: CutTable::of(program, graph),
            bad,
            regions,
            forest: Forest::new(graph.locations.len()),
            roamer: None,
            roams: false,
            transitions: FxHashMap::default(),
            pre_memo: FxHashMap::default(),
            not_local: FxHashMap::default(),
            local_checks: Seldom::default(),
            tried: FxHashSet::default(),
            attempts: FxHashMap::default(),
            astray: FxHashMap::default(),
            splits: FxHashMap::default(),
            invariants: FxHashMap::default(),
            invariants_version: 0,
            invariants_suffice: false,
            universals: FxHashMap::default(),
            pools: Pools::default(),
            function: program.entry,
            query: None,
            ghosts: FxHashMap::default(),
            ghost_terms: FxHashMap::default(),
            conditions: FxHashMap::default(),
            own: FxHashMap::default(),
            number: 0,
            numbers: 0,
            uses: Vec::new(),
            focus: None,
            no_ghosts: FxHashMap::default(),
            stack: Vec::new(),
            paused: FxHashMap::default(),
            opened: FxHashMap::default(),
            summaries: Vec::new(),
            must: MustSummaries::default(),
            weaker: Weaker::default(),
            along: Along::default(),
            contracts: Vec::new(),
            contracted: FxHashMap::default(),
            background: FxHashMap::default(),
            within: FxHashMap::default(),
            effects: attest_model::effects(program),
            points_to,
            names: FxHashMap::from_iter([(program.entry, names)]),
            known: Known::default(),
            tree: Tree::default(),
            abstraction: Abstraction::default(),
            later_steps: LATER,
            leaves_model: None,
            happened: None,
            alone: !options.uses(Technique::Alone),
            proof: None,
            doubt_until: None,
            counted: Counted::default(),
            deadline: options.time.map(|t| options.clock.now() + t),
            watcher: None,
            statistics: Statistics {
                regions: graph.locations.len() as u64,
                ..Statistics::default()
            },
            program,
            graph,
            options,
            terms,
            vocabulary,
            symbols,
            object_parts,
            stepper,
            solver,
            initial,
            targets,
        }
    }

    /// Tells somebody about every step from now on.
    pub fn watched_by(mut self, watcher: impl Watcher + 'p) -> Engine<'p> {
        self.watcher = Some(Box::new(watcher));
        self
    }

    pub(crate) fn tell(&mut self, event: Event) {
        self.statistics.count(&event);
        if let Some(watcher) = &mut self.watcher {
            let view = View {
                program: self.program,
                graph: self.graph,
                terms: &self.terms,
                regions: &self.regions,
                work: (self.number, self.function),
                statistics: &self.statistics,
            };
            watcher.event(&view, &event);
        }
    }

    /// Whether everything is proved but for the guards against overflow ([`Options::guarded`]):
    /// then there is a proof for those who assume them (algorithm notes 6.6).
    pub fn lacks_guards_only(&self) -> bool {
        if !self.options.only_proofs || self.leaves_model.is_some() || self.query.is_some() {
            return false;
        }
        let space = self.space();
        let guards = LocKind::Bail(BailKind::Overflow);
        let others = self.targets.iter();
        let others = others.filter(|loc| self.graph.location(**loc).kind != guards);
        let goals = others.flat_map(|loc| self.regions.at(*loc)).copied();
        !has_abstract_path(space, goals)
    }

    /// The location whose states were told apart most often, and how often.
    pub fn hardest(&self) -> Option<(Loc, u32)> {
        let splits = self.splits.iter().map(|(loc, n)| (*loc, *n));
        splits.max_by_key(|(loc, n)| (*n, std::cmp::Reverse(*loc)))
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
    pub(crate) fn look(&self) -> Look<'_> {
        Look {
            forest: &self.forest,
            graph: self.graph,
            symbols: &self.symbols,
            ghosts: &self.ghosts,
            none: &self.no_ghosts,
            pointer_bits: self.program.pointer_bits,
        }
    }

    /// The regions and where they hang.
    pub(crate) fn space(&self) -> Space<'_> {
        Space {
            graph: self.graph,
            regions: &self.regions,
            entry: self.graph.functions[self.function.0 as usize].entry,
        }
    }

    /// The region that a node's state lies in.
    pub(crate) fn region_of(&self, id: NodeId, scratch: &mut Scratch) -> RegionId {
        let env = self.look().at(id);
        self.regions.find(self.forest.node(id).loc, |rho| {
            env.as_ref().is_some_and(|env| rho.eval_bool(env, scratch))
        })
    }
}

fn names(
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
    (Rc::new(vocabulary), Rc::new(symbols), Rc::new(objects))
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
