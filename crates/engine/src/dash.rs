//! DASH: tests and a region graph that refine each other until one of them decides.
//!
//! The loop is that of the paper (Fig. 8), with the frontier found without
//! search and one question each: can a test cross it? If yes, the test is
//! run. If not, the region before the frontier is split by a predicate that
//! keeps the states which can still cross away from those that cannot
//! (`refine`). SYNERGY and LCT-D are the same loop with another
//! [`Strategy`](crate::Strategy).
//!
//! Soundness rests on one rule, at one place (`split`): for
//! `R and Pre(R') => rho` the edge from `R and not rho` to `R'` may go.

use crate::along::Along;
use crate::candidates::Pools;
use crate::cegar::Abstraction;
use crate::dse::Tree;
use crate::events::{Conclusion, Cut, Event, Question, View, Watcher, Why};
use crate::forest::{ActivationId, Forest, Most, NodeId, TestRun};
use crate::frontier::{Bad, Frontier, Next, Space, has_abstract_path};
use crate::instance::{Background, Instance};
use crate::lee_yannakakis::Known;
use crate::look::{Ghosts, Look};
use crate::must::MustSummaries;
use crate::options::Options;
use crate::procedures::{Ending, Key, Query, Summary, Use};
use crate::regions::{RegionId, Regions};
use crate::roam::Roamer;
use crate::statistics::Statistics;
use crate::strategy::{Candidates, Edges, Local, Search};
use crate::techniques::Technique;
use crate::universal::Place;
use crate::verdict::{FailingTest, Proof, Reason, Verdict};
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::env::SymbolTable;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Part, Stepper, Transition, Vocabulary};
use attest_exec::{CutTable, Inputs, Interpreter, Limits, Outcome};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use attest_solver::{Answer, Solver, clock};
use attest_term::{Scratch, SymbolId, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
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
    /// How often in a row the local check did not help, by step.
    pub(crate) idle_checks: FxHashMap<(Loc, Loc), u32>,
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
    pub(crate) along: Along,
    /// Those of them that are contracts: used at every call of their function.
    pub(crate) contracts: Vec<usize>,
    /// Functions for which contracts were looked for: the activations there were, and the
    /// facts that are still to be tried.
    pub(crate) contracted: FxHashMap<FnId, (usize, Vec<Term>)>,
    /// Invariants of procedures that hold from every state that they are entered in.
    pub(crate) background: FxHashMap<(FnId, Option<Loc>), Background>,
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
    later_steps: u64,
    pub(crate) leaves_model: Option<(BailKind, String)>,
    /// What a proof takes as not happening, and did happen.
    happened: Option<(BailKind, String)>,
    /// Whether the only run there is was looked at (`alone`).
    alone: bool,
    /// A proof that is doubted, and until when (`certificate`).
    pub(crate) proof: Option<Proof>,
    pub(crate) doubt_until: Option<Instant>,
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
    watcher: Option<Box<dyn Watcher + 'p>>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// The symbols of a procedure, their table, and those that are objects of pointers.
pub(crate) type Names = (Rc<Vocabulary>, Rc<SymbolTable>, Rc<FxHashSet<Term>>);

/// Tests that may go astray at one frontier before it is given up.
const MOST_ASTRAY: u32 = 4;
/// States before a location that make the way to it a long one,
const LONG: u32 = 12;
/// and short ones that are tried.
const MOST_SHORTCUTS: usize = 200;

/// Local checks of one step in a row that do not help, before they are made seldom:
const MOST_IDLE: u32 = 16;
/// one in so many.
const SELDOM: u32 = 4;

/// Tests that branch at loops get this part of the time,
const ROAMING: u32 = 3;
/// and not much more than this at once.
const LEAST_ROAMING: Duration = Duration::from_millis(500);
/// Tests on smaller inputs for each crossing test.
const SCALED: u32 = 3;
/// Tests after which crossing tests are not run on smaller inputs as well.
const MOST_SCALED: u64 = 120;
/// Instructions that tests may take after their first states, all together,
const LATER: u64 = 16_000_000;
/// and each in any case.
const LEAST_LATER: u64 = 100_000;

/// What one round of the loop did.
pub(crate) enum Progress {
    /// Something changed.
    Made,
    /// A test reached the error.
    Failed(FailingTest),
    /// This frontier could not be decided with this witness.
    Stuck(&'static str),
}

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
            roams: options.roams && options.uses(Technique::Roaming) && !options.is_of_papers(),
            transitions: FxHashMap::default(),
            pre_memo: FxHashMap::default(),
            not_local: FxHashMap::default(),
            idle_checks: FxHashMap::default(),
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
            started: clock::now(),
            deadline: options.time.map(|t| clock::now() + t),
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

    /// Runs until there is a verdict.
    pub fn run(&mut self) -> Verdict {
        loop {
            if let Some(verdict) = self.step(Duration::MAX) {
                return verdict;
            }
        }
    }

    /// Works for some time; the verdict, if there is one.
    pub fn step(&mut self, time: Duration) -> Option<Verdict> {
        let until = clock::now().checked_add(time);
        let verdict = self.decide(until)?;
        self.tell(Event::Conclusion(match &verdict {
            Verdict::Safe(_) => Conclusion::Proof,
            Verdict::Unsafe(_) => Conclusion::Failure,
            Verdict::Unknown(reason) => Conclusion::Nothing(reason.clone()),
        }));
        Some(verdict)
    }

    fn decide(&mut self, until: Option<Instant>) -> Option<Verdict> {
        // Doubts about a proof are settled by tests, whoever found it.
        match self.options.strategy.search {
            Search::LeeYannakakis if self.proof.is_none() => self.lee_yannakakis(until),
            Search::Dse(order) if self.proof.is_none() => self.dse(order, until),
            Search::Cegar if self.proof.is_none() => self.cegar(until),
            _ => self.dash(until),
        }
    }

    /// The loop of DASH, until there is a verdict or it is late.
    fn dash(&mut self, until: Option<Instant>) -> Option<Verdict> {
        if self.forest.is_empty()
            && let Some(test) = self.first_tests()
        {
            return Some(Verdict::Unsafe(test));
        }
        if let Some(until) = until {
            let now = clock::now();
            // A head start is a long slice, and mostly for a proof.
            let most = LEAST_ROAMING.max((now - self.started) / 10);
            let share = (until.saturating_duration_since(now) / ROAMING).min(most);
            if let Some(test) = self.roam(now + share) {
                return Some(Verdict::Unsafe(test));
            }
        }
        // The papers' algorithms have no invariants, and doubts need none.
        let wanted = self.proof.is_none() && self.options.strategy.candidates != Candidates::Never;
        if wanted && self.forest.last_took_no_inputs() && !std::mem::replace(&mut self.alone, true)
        {
            self.learn_alone();
        }
        if self.wants_initial_abstraction() {
            self.abstract_initially();
            self.options.initial.clear();
        }
        while until.is_none_or(|until| clock::now() < until) {
            if self.proof.is_some() && self.doubts_are_over() {
                return self.conclude();
            }
            if let Some(reason) = self.out_of_limits() {
                return Some(Verdict::Unknown(reason));
            }
            if self.options.only_proofs && self.leaves_model.is_some() {
                let why = "there is no such proof: a test leaves the model";
                return Some(Verdict::Unknown(Reason::Stuck(why.into())));
            }
            self.tell(Event::Round);
            if std::mem::take(&mut self.invariants_suffice) && self.proof.is_none() {
                let invariants = self.certificate_without_regions();
                match self.conclude_by(invariants) {
                    Some(verdict) => return Some(verdict),
                    None => continue,
                }
            }
            if let Some(ending) = self.ended() {
                self.answer(ending);
                continue;
            }
            let frontier = match self.choose() {
                Next::Frontier(frontier) => frontier,
                Next::Nothing if self.query.is_some() => {
                    self.answer(Ending::No);
                    continue;
                }
                Next::Idle(_) if self.query.is_some() => {
                    self.answer(Ending::Unknown);
                    continue;
                }
                Next::Nothing => match self.conclude() {
                    Some(verdict) => return Some(verdict),
                    None => continue,
                },
                Next::Idle(_) if self.proof.is_some() => return self.conclude(),
                Next::Idle(count) => {
                    return Some(Verdict::Unknown(Reason::Stuck(format!(
                        "{count} frontiers are left that the solver cannot decide"
                    ))));
                }
            };
            match self.cross_or_refine(frontier) {
                Progress::Made => {}
                Progress::Failed(test) => return Some(Verdict::Unsafe(test)),
                Progress::Stuck(why) => self.tell(Event::Stuck { frontier, why }),
            }
        }
        None
    }

    /// Whether the present query is answered by a test, or has used up its rounds.
    fn ended(&mut self) -> Option<Ending> {
        let reached = self.bad.reached();
        let query = self.query.as_mut()?;
        if reached {
            return Some(Ending::Yes);
        }
        if query.rounds == 0 {
            return Some(Ending::Later);
        }
        query.rounds -= 1;
        None
    }

    fn doubts_are_over(&self) -> bool {
        let late = |at: Option<Instant>| at.is_some_and(|at| clock::now() >= at);
        self.leaves_model.is_some() || late(self.doubt_until) || self.out_of_limits().is_some()
    }

    pub(crate) fn out_of_limits(&self) -> Option<Reason> {
        let interrupted = self
            .options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if interrupted {
            return Some(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|d| clock::now() >= d) {
            return Some(Reason::Time);
        }
        let rounds = self.options.rounds;
        let many = rounds.is_some_and(|most| self.statistics.iterations >= most)
            || self.regions.count() > 200_000
            || self.forest.len() > 2_000_000;
        many.then_some(Reason::Size)
    }

    /// The frontier to work on, which is counted as an attempt.
    pub(crate) fn choose(&mut self) -> Next {
        let mut bad = std::mem::take(&mut self.bad);
        let space = self.space();
        if self.options.self_check {
            bad.self_check(space);
        }
        let age = |from, to| {
            let attempts = self.attempts.get(&self.places(from, to)).copied();
            attempts.unwrap_or(0) / 8
        };
        let ready = |from, to| self.is_initial(from, to) || self.witness(from, to).is_some();
        let next = bad.next(space, age, ready);
        self.bad = bad;
        if let Next::Frontier(frontier) = next {
            let key = self.places(frontier.from, frontier.to);
            *self.attempts.entry(key).or_default() += 1;
            let witness = self.witness(frontier.from, frontier.to);
            let depth = witness.map(|node| self.forest.node(node).depth);
            self.tell(Event::Frontier { frontier, depth });
        }
        next
    }

    pub(crate) fn places(&self, from: RegionId, to: RegionId) -> (Loc, Loc) {
        (self.regions.region(from).loc, self.regions.region(to).loc)
    }

    fn is_initial(&self, from: RegionId, to: RegionId) -> bool {
        let root = self.regions.region(from).loc == Graph::ROOT;
        root && !self.tried.contains(&(from, to, None))
    }

    /// The shallowest witness that was not yet tried at this frontier.
    pub(crate) fn witness(&self, from: RegionId, to: RegionId) -> Option<NodeId> {
        let astray = self.astray.get(&(from, to));
        if astray.is_some_and(|n| *n >= MOST_ASTRAY) {
            return None;
        }
        let witnesses = &self.regions.region(from).witnesses;
        let key = |w: &NodeId| (from, to, Some(*w));
        witnesses
            .iter()
            .find(|w| !self.tried.contains(&key(w)))
            .copied()
    }

    /// One round: cross the frontier with a test, or split the region before it.
    fn cross_or_refine(&mut self, frontier: Frontier) -> Progress {
        let (src, dst) = self.places(frontier.from, frontier.to);
        if src == Graph::ROOT && self.query.is_some() {
            return self.enter_there(frontier);
        }
        if let Some((callee, outcome)) = self.call_edge(src, dst) {
            return self.cross_call(frontier, callee, outcome);
        }
        let Some(pieces) = self.pieces(src, frontier.to) else {
            self.cut(frontier, Cut::NoStep);
            return Progress::Made;
        };
        if self.excluded_locally(frontier, &pieces) {
            self.cut(frontier, Cut::Local);
            return Progress::Made;
        }
        if src == Graph::ROOT {
            return self.start_there(frontier, &pieces);
        }
        let Some(node) = self.witness(frontier.from, frontier.to) else {
            return Progress::Stuck("every witness was tried");
        };
        self.focus = Some(self.forest.node(node).activation);
        let Some(beta) = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, node)
        else {
            return self.refine_by_facts(frontier, node, &pieces);
        };
        let questions = self.all_along(&beta, &pieces);
        let path = self.path_to(node);
        let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
        match self.ask(Question::Frontier, &all) {
            Answer::Sat(model) => {
                let inputs = self.test_of(&model, Some(node), &beta, src);
                match self.cross(frontier, Some(node), inputs) {
                    Progress::Stuck(why) => self
                        .cross_as_laid_out(frontier, node, &all, &beta, src)
                        .unwrap_or(Progress::Stuck(why)),
                    progress => progress,
                }
            }
            Answer::Unsat(core) => {
                let used = pieces.iter().zip(&questions);
                let used = used.filter(|(_, q)| core.contains(q)).map(|(p, _)| *p);
                let used = used.collect();
                self.refine(frontier, node, &pieces, used, &path, &beta)
            }
            Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatAtFrontier) => {
                self.cut(frontier, Cut::Facts);
                Progress::Made
            }
            Answer::Unknown(_) => self.give_up(frontier, Some(node), "the solver does not know"),
        }
    }

    /// This witness is of no use at this frontier.
    pub(crate) fn give_up(
        &mut self,
        frontier: Frontier,
        node: Option<NodeId>,
        why: &'static str,
    ) -> Progress {
        self.tried.insert((frontier.from, frontier.to, node));
        Progress::Stuck(why)
    }

    /// Whether region, step and region exclude each other, whatever the tests did.
    pub(crate) fn excluded_locally(&mut self, frontier: Frontier, pieces: &[Term]) -> bool {
        let key = (frontier.from, frontier.to);
        let mut all = pieces.to_vec();
        let local = match self.options.uses(Technique::Local) {
            true => self.options.strategy.local,
            false => Local::Nothing,
        };
        match local {
            Local::Nothing => return false,
            Local::Target => {}
            Local::Pair => all.extend(self.known_at(frontier.from)),
        }
        if self.not_local.get(&key) == Some(&self.invariants_version) {
            return false;
        }
        let step = self.places(frontier.from, frontier.to);
        let idle = self.idle_checks.entry(step).or_default();
        *idle += 1;
        // The thesis's check of targets is always made.
        if local == Local::Pair && *idle > MOST_IDLE && !idle.is_multiple_of(SELDOM) {
            return false;
        }
        match self.ask_patiently(Question::Local, &all) {
            Answer::Unsat(_) => {
                self.idle_checks.remove(&step);
                return true;
            }
            Answer::Sat(_) if mutated(Mutant::SatIsUnsatLocally) => return true,
            Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatLocally) => return true,
            _ => {}
        }
        self.not_local.insert(key, self.invariants_version);
        false
    }

    /// What holds of every state of a region that is ever reached.
    pub(crate) fn known_at(&self, region: RegionId) -> Vec<Term> {
        let region = self.regions.region(region);
        let mut all = region.predicate.clone();
        all.extend(self.invariants.get(&region.loc).into_iter().flatten());
        all
    }

    /// The frontier is the start of the program itself.
    fn start_there(&mut self, frontier: Frontier, pieces: &[Term]) -> Progress {
        match self.ask(Question::Frontier, pieces) {
            Answer::Sat(model) => {
                let initial = self.initial.clone();
                let inputs = self.test_of(&model, None, &initial, Graph::ROOT);
                self.cross(frontier, None, inputs)
            }
            Answer::Unsat(_) => {
                self.cut(frontier, Cut::Start);
                Progress::Made
            }
            Answer::Unknown(_) => self.give_up(frontier, None, "the solver does not know"),
        }
    }

    /// Runs the test that should cross a frontier.
    pub(crate) fn cross(
        &mut self,
        frontier: Frontier,
        node: Option<NodeId>,
        inputs: Inputs,
    ) -> Progress {
        let follows = node.or_else(|| self.query.as_ref().map(|q| q.node));
        let inputs = Arc::new(inputs);
        if let Some(test) = self.test(inputs.clone(), follows, Why::Crossing) {
            return Progress::Failed(test);
        }
        for _ in 0..SCALED {
            let number = self.statistics.tests;
            if number < MOST_SCALED
                && self.options.uses(Technique::SmallTests)
                && let Some(smaller) = crate::first::scaled(&inputs, number)
                && let Some(test) = self.test(Arc::new(smaller), None, Why::Random)
            {
                return Progress::Failed(test);
            }
        }
        if self.regions.visited(frontier.to) {
            return Progress::Made;
        }
        self.tell(Event::Missed(frontier));
        let key = (frontier.from, frontier.to);
        *self.astray.entry(key).or_default() += 1;
        self.give_up(frontier, node, "the test went elsewhere")
    }

    /// Deletes an edge.
    pub(crate) fn cut(&mut self, frontier: Frontier, why: Cut) {
        let (from, to) = (frontier.from, frontier.to);
        self.regions.cut(from, to);
        let mut bad = std::mem::take(&mut self.bad);
        bad.cut(self.space(), from, to);
        self.bad = bad;
        self.tell(Event::Cut { from, to, why });
    }

    /// After a split SYNERGY asks of every edge of the new regions whether it is there.
    pub(crate) fn check_edges(&mut self, parts: [RegionId; 2]) {
        if self.options.strategy.edges == Edges::Lazy {
            return;
        }
        for part in parts {
            let loc = self.regions.region(part).loc;
            let outgoing = self.graph.outgoing[loc.0 as usize].clone();
            for edge in outgoing {
                for to in self.regions.at(self.graph.edge(edge).dst).to_vec() {
                    self.check_edge(part, to);
                }
            }
            let incoming = self.graph.incoming[loc.0 as usize].clone();
            for edge in incoming {
                for from in self.regions.at(self.graph.edge(edge).src).to_vec() {
                    self.check_edge(from, part);
                }
            }
        }
    }

    fn check_edge(&mut self, from: RegionId, to: RegionId) {
        if self.regions.region(from).cut.contains(&to) {
            return;
        }
        let frontier = Frontier {
            from,
            to,
            distance: 0,
        };
        let (src, dst) = self.places(from, to);
        if self.call_edge(src, dst).is_some() {
            return;
        }
        let Some(mut all) = self.pieces(src, to) else {
            self.cut(frontier, Cut::NoStep);
            return;
        };
        all.extend(self.known_at(from));
        if self.ask(Question::Edge, &all).is_unsat() {
            self.cut(frontier, Cut::Edge);
        }
    }

    /// A few runs on simple inputs, so that there is something to follow.
    fn first_tests(&mut self) -> Option<FailingTest> {
        for inputs in std::mem::take(&mut self.options.recalled) {
            if let Some(test) = self.test(inputs, None, Why::Recalled) {
                return Some(test);
            }
            if self.out_of_limits().is_some() {
                break;
            }
        }
        let count = match self.options.uses(Technique::FirstRuns) {
            true => self.options.first_tests.max(1),
            false => 1,
        };
        for i in 0..count {
            let why = if i < 2 { Why::First } else { Why::Random };
            let inputs = crate::first::inputs(i, self.options.seed);
            if let Some(test) = self.test(Arc::new(inputs), None, why) {
                return Some(test);
            }
            if self.forest.last_took_no_inputs() {
                // Every run is this one.
                break;
            }
            if self.out_of_limits().is_some() {
                break;
            }
        }
        match self.options.uses(Technique::Shortcuts) && !self.options.is_of_papers() {
            true => self.shortcuts(),
            false => None,
        }
    }

    /// Where only long tests came, ones without their turns through loops may come as well:
    /// every question about a short path is an easier one.
    fn shortcuts(&mut self) -> Option<FailingTest> {
        let mut tried = 0;
        for loc in (0..self.graph.locations.len() as u32).map(Loc) {
            let nodes = self.forest.at(loc).iter();
            let Some(nearest) = nodes.min_by_key(|n| self.forest.node(**n).depth) else {
                continue;
            };
            if self.forest.node(*nearest).depth < LONG || tried == MOST_SHORTCUTS {
                continue;
            }
            let Some(inputs) = self.forest.shortcut(*nearest) else {
                continue;
            };
            tried += 1;
            if let Some(test) = self.test(Arc::new(inputs), None, Why::Shortcut) {
                return Some(test);
            }
            if self.out_of_limits().is_some() {
                break;
            }
        }
        None
    }

    /// Runs a test, one that follows the path of a node if there is one, and sorts its
    /// states into regions; a violation is confirmed by a second run.
    pub(crate) fn test(
        &mut self,
        inputs: Arc<Inputs>,
        follows: Option<NodeId>,
        why: Why,
    ) -> Option<FailingTest> {
        let most = Most {
            nodes: self.options.test_nodes,
            steps: match self.options.uses(Technique::LongTests) {
                true => (self.later_steps / 2).max(LEAST_LATER),
                false => 0,
            },
        };
        let run = self.run_test(inputs.clone(), follows, most);
        // Where there was nothing new far out, the next test will hardly find it.
        let weight = if run.news { 1 } else { 4 };
        self.later_steps = self.later_steps.saturating_sub(weight * run.later) + LEAST_LATER;
        self.in_each(|engine, level| engine.take_in(&run.nodes, level));
        self.keep_paths(&run.nodes);
        self.judge(inputs, &run, why)
    }

    /// Runs a test whose states belong to no region yet.
    pub(crate) fn run_test(
        &mut self,
        inputs: Arc<Inputs>,
        follows: Option<NodeId>,
        most: Most,
    ) -> TestRun {
        self.forest
            .run(&self.stepper, &self.cuts, inputs, follows, most)
    }

    /// Says what a test did; the failing test if it is one.
    pub(crate) fn judge(
        &mut self,
        inputs: Arc<Inputs>,
        run: &TestRun,
        why: Why,
    ) -> Option<FailingTest> {
        self.statistics.nodes = self.forest.len() as u64;
        self.tell(Event::Test {
            why,
            inputs: inputs.clone(),
            outcome: run.outcome.clone(),
            place: run.place,
            nodes: run.nodes.len(),
        });
        match &run.outcome {
            Outcome::Error(error) => {
                let limits = Limits::default();
                let overflow = self.options.overflow;
                let mut again = Interpreter::new(self.program, inputs.clone(), overflow, limits);
                let confirmed = matches!(again.run(), Outcome::Error(_));
                assert!(confirmed, "the interpreter is deterministic");
                Some(FailingTest {
                    inputs,
                    error: error.clone(),
                    place: run.place,
                })
            }
            Outcome::Bailed(bail) => {
                self.left_model(
                    bail.kind,
                    format!("{bail}, at {}", self.program.place(run.place)),
                );
                None
            }
            _ => None,
        }
    }

    /// The states of a test that belong to the present instance become witnesses.
    fn take_in(&mut self, nodes: &[NodeId], _level: usize) {
        let Some(query) = &self.query else {
            let Some(first) = nodes.first() else {
                return;
            };
            let activation = self.forest.node(*first).activation;
            for node in self.forest.activation(activation).nodes.clone() {
                self.sort_in(node);
            }
            return;
        };
        if query.contract.is_some() {
            let entry = self.graph.functions[self.function.0 as usize].entry;
            for node in nodes {
                let node = self.forest.node(*node);
                if node.loc == entry
                    && let Some(before) = self.forest.activation(node.activation).before
                {
                    self.adopt(node.activation, before);
                }
            }
            return;
        }
        let Some(before) = self.forest.same_in(nodes, query.node) else {
            return;
        };
        if let Some(activation) = self.forest.called(before) {
            self.adopt(activation, before);
        }
    }

    /// Puts a state into its region.
    pub(crate) fn sort_in(&mut self, node: NodeId) {
        let region = self.region_of(node, &mut Scratch::default());
        let first = !self.regions.visited(region);
        let depth = |node: NodeId| self.forest.node(node).depth;
        self.regions.witness(region, node, depth);
        if first {
            let mut bad = std::mem::take(&mut self.bad);
            bad.visited(self.space(), region);
            self.bad = bad;
        }
    }

    /// No proof is possible any more, not even of a kind that would be assumed away:
    /// it does happen. But a violation may still be found.
    fn left_model(&mut self, kind: BailKind, what: String) {
        if kind.traps() && self.options.assumed.contains(&kind) {
            return;
        }
        if self.options.assumed.contains(&kind) {
            self.happened.get_or_insert((kind, what.clone()));
        }
        self.leaves_model.get_or_insert((kind, what));
        let gone = LocKind::Bail(kind);
        let is_gone = |loc: &Loc| self.graph.location(*loc).kind == gone;
        let lost: Vec<Loc> = self.targets.iter().copied().filter(is_gone).collect();
        self.targets.retain(|loc| !lost.contains(loc));
        self.in_each(|engine, level| {
            if level == 0 {
                for loc in &lost {
                    let mut bad = std::mem::take(&mut engine.bad);
                    bad.without_goals_at(engine.space(), *loc);
                    engine.bad = bad;
                }
            }
        });
    }

    /// A way out of the model that proofs take as not happening, but some run took.
    pub fn happened(&self) -> Option<&(BailKind, String)> {
        self.happened.as_ref()
    }

    /// Is told of a run elsewhere that took such a way out: no proof may assume it away.
    pub fn hear(&mut self, (kind, what): &(BailKind, String)) {
        if self.happened.is_none() && self.options.assumed.contains(kind) {
            self.left_model(*kind, what.clone());
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
