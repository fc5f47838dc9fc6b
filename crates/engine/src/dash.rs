//! DASH: tests and a region graph that refine each other until one of them decides.
//!
//! The loop is that of the paper (Fig. 8), with the frontier found without
//! search and one question each: can a test cross it? If yes, the test is
//! run. If not, the region before the frontier is split by a predicate that
//! keeps the states which can still cross away from those that cannot. The
//! predicate is the part of the precondition that the solver used, and where
//! that would speak of inputs, facts of the state that the test was in.
//!
//! Soundness rests on one rule, at one place (`apply_split`): for
//! `R and Pre(R') => rho` the edge from `R and not rho` to `R'` may go.

use crate::forest::{Forest, NodeId};
use crate::frontier::{Frontier, bad_regions, frontiers};
use crate::options::Options;
use crate::regions::{RegionId, Regions};
use crate::verdict::{FailingTest, Proof, Reason, Statistics, Verdict};
use attest_exec::symbolic::env::{StateEnv, SymbolTable};
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Part, Stepper, Transition, Vocabulary};
use attest_exec::{CutTable, Inputs, Interpreter, Limits, Outcome, Rest};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use attest_solver::{Answer, Model, Solver};
use attest_term::{Op, Program as Compiled, Scratch, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The engine at work on one program, whose calls are inlined.
pub struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) graph: &'p Graph,
    pub(crate) options: Options,
    /// The arena of all terms; a proof's terms live here.
    pub terms: Terms,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) symbols: SymbolTable,
    pub(crate) object_parts: FxHashSet<Term>,
    pub(crate) stepper: Stepper<'p>,
    cuts: CutTable,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) regions: Regions,
    pub(crate) forest: Forest,
    pub(crate) transitions: FxHashMap<Loc, Rc<Vec<Transition>>>,
    pub(crate) initial: Rc<PathState>,
    pub(crate) pre_memo: FxHashMap<(Loc, Loc), FxHashMap<Term, Term>>,
    /// Pairs that the local check could not separate.
    not_local: FxHashSet<(RegionId, RegionId)>,
    /// Witnesses that failed at a frontier for good.
    tried: FxHashSet<(RegionId, RegionId, Option<NodeId>)>,
    attempts: FxHashMap<(Loc, Loc), u32>,
    targets: Vec<Loc>,
    leaves_model: Option<String>,
    pub(crate) deadline: Option<Instant>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// Facts of one state that a question may have.
const MOST_FACTS: usize = 400;

/// What one round of the loop did.
enum Progress {
    /// Something changed.
    Made,
    /// A test reached the error.
    Failed(FailingTest),
    /// This frontier could not be decided.
    Stuck,
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
        let vocabulary = Vocabulary::new(&mut terms, program);
        let symbols = SymbolTable::new(&terms, &vocabulary, program);
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
        let targets = ends.values().copied().filter(is_target).collect();
        let object_parts = object_parts(program, &vocabulary);
        Engine {
            cuts: CutTable::of(program, graph),
            regions: Regions::new(graph.locations.len()),
            forest: Forest::new(),
            transitions: FxHashMap::default(),
            pre_memo: FxHashMap::default(),
            not_local: FxHashSet::default(),
            tried: FxHashSet::default(),
            attempts: FxHashMap::default(),
            leaves_model: None,
            deadline: options.time.map(|t| Instant::now() + t),
            statistics: Statistics::default(),
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

    /// Runs until there is a verdict.
    pub fn run(&mut self) -> Verdict {
        if let Some(test) = self.first_tests() {
            return Verdict::Unsafe(test);
        }
        loop {
            if let Some(reason) = self.out_of_limits() {
                return Verdict::Unknown(reason);
            }
            self.statistics.iterations += 1;
            let bad = bad_regions(self.graph, &self.regions, &self.targets);
            let open = frontiers(self.graph, &self.regions, &bad);
            if open.is_empty() {
                return self.conclude(bad);
            }
            let Some(frontier) = self.choose(&open) else {
                let why = format!(
                    "{} frontiers are left that the solver cannot decide",
                    open.len()
                );
                return Verdict::Unknown(Reason::Stuck(why));
            };
            match self.cross_or_refine(frontier) {
                Progress::Made => {}
                Progress::Failed(test) => return Verdict::Unsafe(test),
                Progress::Stuck => {}
            }
        }
    }

    fn out_of_limits(&self) -> Option<Reason> {
        let interrupted = self
            .options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if interrupted {
            return Some(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(Reason::Time);
        }
        (self.regions.count() > 200_000 || self.forest.len() > 2_000_000).then_some(Reason::Size)
    }

    /// No abstract path to a target is left.
    fn conclude(&mut self, bad: FxHashMap<RegionId, u32>) -> Verdict {
        if let Some(what) = self.leaves_model.take() {
            return Verdict::Unknown(Reason::LeavesModel(what));
        }
        let mut by_location: FxHashMap<Loc, Vec<RegionId>> = FxHashMap::default();
        for region in bad.keys() {
            by_location
                .entry(self.regions.region(*region).loc)
                .or_default()
                .push(*region);
        }
        let mut locations: Vec<Loc> = by_location.keys().copied().collect();
        locations.sort();
        let mut invariants = Vec::with_capacity(locations.len());
        for loc in locations {
            let mut regions = by_location.remove(&loc).unwrap_or_default();
            regions.sort();
            let mut cubes = Vec::with_capacity(regions.len());
            for region in regions {
                let predicate = self.regions.region(region).predicate.clone();
                cubes.push(self.terms.all(&predicate));
            }
            let any = self.terms.any(&cubes);
            invariants.push((loc, self.terms.not(any)));
        }
        Verdict::Safe(Proof {
            invariants,
            assumed: self.options.assumed.clone(),
        })
    }

    /// The frontier to work on: those tried least often first, then the nearest to a target.
    fn choose(&mut self, open: &[Frontier]) -> Option<Frontier> {
        let mut best: Option<(u32, Frontier)> = None;
        for frontier in open {
            if self.witness(*frontier).is_none() && !self.is_initial(*frontier) {
                continue;
            }
            let key = (
                self.regions.region(frontier.from).loc,
                self.regions.region(frontier.to).loc,
            );
            let attempts = self.attempts.get(&key).copied().unwrap_or(0) / 8;
            if best.is_none_or(|(least, b)| (attempts, frontier.distance) < (least, b.distance)) {
                best = Some((attempts, *frontier));
            }
        }
        let (_, frontier) = best?;
        let key = (
            self.regions.region(frontier.from).loc,
            self.regions.region(frontier.to).loc,
        );
        *self.attempts.entry(key).or_default() += 1;
        Some(frontier)
    }

    fn is_initial(&self, frontier: Frontier) -> bool {
        let root = self.regions.region(frontier.from).loc == Graph::ROOT;
        root && !self.tried.contains(&(frontier.from, frontier.to, None))
    }

    /// The shallowest witness that was not yet tried at this frontier.
    fn witness(&self, frontier: Frontier) -> Option<NodeId> {
        let witnesses = &self.regions.region(frontier.from).witnesses;
        let untried = |w: &&NodeId| {
            !self
                .tried
                .contains(&(frontier.from, frontier.to, Some(**w)))
        };
        witnesses
            .iter()
            .filter(untried)
            .min_by_key(|w| self.forest.node(**w).depth)
            .copied()
    }

    /// One round: cross the frontier with a test, or split the region before it.
    fn cross_or_refine(&mut self, frontier: Frontier) -> Progress {
        let src = self.regions.region(frontier.from).loc;
        let Some(pieces) = self.pieces(src, frontier.to) else {
            self.regions.cut(frontier.from, frontier.to);
            return Progress::Made;
        };
        if self.excluded_locally(frontier, &pieces) {
            self.regions.cut(frontier.from, frontier.to);
            self.statistics.cuts_local += 1;
            return Progress::Made;
        }
        if src == Graph::ROOT {
            return self.start_there(frontier, &pieces);
        }
        let Some(node) = self.witness(frontier) else {
            return Progress::Stuck;
        };
        let Some(beta) = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, node)
        else {
            return self.refine_by_facts(frontier, node, &pieces);
        };
        let mut memo = FxHashMap::default();
        let mut questions = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            questions.push(self.along(&beta, *piece, &mut memo));
        }
        let path = self.forest.path_condition(node);
        let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
        self.statistics.frontier_queries += 1;
        match self.ask(&all) {
            Answer::Sat(model) => {
                let inputs = self.test_of(&model, Some(node), &beta, src);
                self.cross(frontier, Some(node), inputs)
            }
            Answer::Unsat(core) => {
                let used = |question: &Term| core.contains(question);
                let kept: Vec<Term> = pieces
                    .iter()
                    .zip(&questions)
                    .filter(|(_, q)| used(q))
                    .map(|(p, _)| *p)
                    .collect();
                self.refine(frontier, node, &pieces, kept, &path, &beta)
            }
            Answer::Unknown(_) => {
                self.tried.insert((frontier.from, frontier.to, Some(node)));
                Progress::Stuck
            }
        }
    }

    /// Whether region, step and region exclude each other, whatever the tests did.
    fn excluded_locally(&mut self, frontier: Frontier, pieces: &[Term]) -> bool {
        if self.not_local.contains(&(frontier.from, frontier.to)) {
            return false;
        }
        let mut all = self.regions.region(frontier.from).predicate.clone();
        all.extend(pieces);
        self.statistics.local_queries += 1;
        if self.ask(&all).is_unsat() {
            return true;
        }
        self.not_local.insert((frontier.from, frontier.to));
        false
    }

    /// The frontier is the start of the program itself.
    fn start_there(&mut self, frontier: Frontier, pieces: &[Term]) -> Progress {
        self.statistics.frontier_queries += 1;
        match self.ask(pieces) {
            Answer::Sat(model) => {
                let initial = self.initial.clone();
                let inputs = self.test_of(&model, None, &initial, Graph::ROOT);
                self.cross(frontier, None, inputs)
            }
            Answer::Unsat(_) => {
                self.regions.cut(frontier.from, frontier.to);
                Progress::Made
            }
            Answer::Unknown(_) => {
                self.tried.insert((frontier.from, frontier.to, None));
                Progress::Stuck
            }
        }
    }

    /// Runs the test that should cross a frontier.
    fn cross(&mut self, frontier: Frontier, node: Option<NodeId>, inputs: Inputs) -> Progress {
        if let Some(test) = self.test(Arc::new(inputs)) {
            return Progress::Failed(test);
        }
        if self.regions.visited(frontier.to) {
            return Progress::Made;
        }
        self.statistics.missed += 1;
        self.tried.insert((frontier.from, frontier.to, node));
        Progress::Stuck
    }

    /// Splits by the pieces that the solver used, or by facts where those speak of inputs.
    fn refine(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        mut kept: Vec<Term>,
        path: &[Term],
        beta: &PathState,
    ) -> Progress {
        if kept.iter().any(|p| !self.is_of_state(*p)) {
            // The rest may be enough by itself.
            let plain: Vec<Term> = pieces
                .iter()
                .copied()
                .filter(|p| self.is_of_state(*p))
                .collect();
            let mut memo = FxHashMap::default();
            let mut questions = Vec::with_capacity(plain.len());
            for piece in &plain {
                questions.push(self.along(beta, *piece, &mut memo));
            }
            let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
            self.statistics.other_queries += 1;
            match self.ask(&all) {
                Answer::Unsat(core) => {
                    kept = plain
                        .iter()
                        .zip(&questions)
                        .filter(|(_, q)| core.contains(q))
                        .map(|(p, _)| *p)
                        .collect();
                }
                _ => return self.refine_by_facts(frontier, node, pieces),
            }
        }
        let rho = self.terms.all(&kept);
        let separates = self.value_at(node, rho).and_then(|v| v.as_bool()) == Some(false);
        if kept.is_empty() || !separates {
            return self.refine_by_facts(frontier, node, pieces);
        }
        self.statistics.splits_core += 1;
        self.apply_split(frontier, rho, pieces);
        Progress::Made
    }

    /// Splits by what is true of the witness: a smallest set of equalities under which
    /// the step is impossible. Inputs stay where they are, inside the question.
    fn refine_by_facts(&mut self, frontier: Frontier, node: NodeId, pieces: &[Term]) -> Progress {
        let mut facts = self.facts(node, pieces);
        let core = loop {
            let mut all = facts.clone();
            all.extend(&self.regions.region(frontier.from).predicate);
            all.extend(pieces);
            self.statistics.other_queries += 1;
            match self.ask(&all) {
                Answer::Unsat(core) => break core,
                Answer::Sat(model) => {
                    // The model reads memory where no fact speaks yet.
                    let more = self.facts_at_reads(node, pieces, &model, &facts);
                    if !more.is_empty() && facts.len() < MOST_FACTS {
                        facts.extend(more);
                        continue;
                    }
                }
                Answer::Unknown(_) => {}
            }
            self.tried.insert((frontier.from, frontier.to, Some(node)));
            return Progress::Stuck;
        };
        let used: Vec<Term> = facts.into_iter().filter(|f| core.contains(f)).collect();
        if used.is_empty() {
            self.regions.cut(frontier.from, frontier.to);
            return Progress::Made;
        }
        let fact = self.terms.all(&used);
        let rho = self.terms.not(fact);
        self.statistics.splits_facts += 1;
        self.apply_split(frontier, rho, pieces);
        Progress::Made
    }

    /// Equalities true of a node's state, about what the pieces mention.
    fn facts(&mut self, node: NodeId, pieces: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        let about: Vec<Term> = self.terms.reachable(pieces);
        for term in about {
            let is_part = matches!(self.vocabulary.part(term), Some(p) if p != Part::NextObject);
            let is_read = self.terms.op(term).is_read() && self.is_of_state(term);
            let is_counter = self.vocabulary.part(term) == Some(Part::NextObject);
            if !(is_part || is_read || is_counter) {
                continue;
            }
            if self.reads_an_address(node, term) {
                continue;
            }
            let Some(value) = self.value_at(node, term) else {
                continue;
            };
            let constant = self.terms.value(value);
            facts.push(self.terms.eq(term, constant));
        }
        facts.retain(|f| !matches!(self.terms.op(*f), Op::Bool(_)));
        facts
    }

    /// Whether a term reads a stored pointer as data: its value is a matter of the
    /// run's layout, so it is no fact to build on.
    fn reads_an_address(&mut self, node: NodeId, term: Term) -> bool {
        let Op::Read { version: BASE, .. } = self.terms.op(term) else {
            return false;
        };
        let (object, offset) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let tag = self.terms.read_tag(BASE, object, offset);
        self.value_at(node, tag).and_then(|v| v.as_bool()) == Some(true)
    }

    /// Facts about the places that reads with an input in their address have in a model.
    fn facts_at_reads(
        &mut self,
        node: NodeId,
        pieces: &[Term],
        model: &Model,
        known: &[Term],
    ) -> Vec<Term> {
        let mut facts = Vec::new();
        for read in self.terms.reads(pieces) {
            if self.is_of_state(read) {
                continue;
            }
            let (object, offset) = (self.terms.arg(read, 0), self.terms.arg(read, 1));
            let places = model.values(&self.terms, &[object, offset]);
            let counter = self.vocabulary.next_object();
            let next = self.value_at(node, counter).map_or(0, |v| v.low_u64());
            if places[0].low_u64() >= next {
                continue;
            }
            let args: Vec<Term> = places.into_iter().map(|v| self.terms.value(v)).collect();
            let place = self.terms.make(self.terms.op(read), &args);
            if self.reads_an_address(node, place) {
                continue;
            }
            let Some(value) = self.value_at(node, place) else {
                continue;
            };
            let constant = self.terms.value(value);
            let fact = self.terms.eq(place, constant);
            if !known.contains(&fact)
                && !facts.contains(&fact)
                && !matches!(self.terms.op(fact), Op::Bool(_))
            {
                facts.push(fact);
            }
        }
        facts
    }

    /// The one place where regions are split. `rho` must follow from the region and the
    /// precondition; then what is outside of it has no edge to the target.
    fn apply_split(&mut self, frontier: Frontier, rho: Term, pieces: &[Term]) {
        if self.options.self_check {
            let mut all = self.regions.region(frontier.from).predicate.clone();
            all.extend(pieces);
            all.push(self.terms.not(rho));
            self.statistics.other_queries += 1;
            let answer = self.ask(&all);
            assert!(
                !answer.is_sat(),
                "the split rule is violated: {}",
                self.terms.to_c(rho)
            );
            if answer.is_unknown() {
                // Not confirmed, not applied: the frontier stays and is aged.
                for witness in self.regions.region(frontier.from).witnesses.clone() {
                    self.tried
                        .insert((frontier.from, frontier.to, Some(witness)));
                }
                return;
            }
        }
        let (forest, graph, symbols, bits) = (
            &self.forest,
            self.graph,
            &self.symbols,
            self.program.pointer_bits,
        );
        let none = FxHashMap::default();
        let mut scratch = Scratch::default();
        let holds = |rho: &Compiled, node: NodeId| {
            let Some(state) = forest.node(node).state.as_ref() else {
                return false;
            };
            let env = StateEnv {
                state,
                graph,
                table: symbols,
                inputs: &none,
                pointer_bits: bits,
                extents: None,
            };
            rho.eval_bool(&env, &mut scratch)
        };
        let (_, outside) = self
            .regions
            .split(&mut self.terms, frontier.from, rho, holds);
        self.regions.cut(outside, frontier.to);
        self.statistics.regions = self.regions.count() as u64;
    }

    /// A few runs on simple inputs, so that there is something to follow.
    fn first_tests(&mut self) -> Option<FailingTest> {
        for i in 0..self.options.first_tests.max(1) {
            let rest = if i == 0 {
                Rest::Zero
            } else {
                Rest::Random(self.options.seed.wrapping_add(i.into()))
            };
            if let Some(test) = self.test(Arc::new(Inputs {
                rest,
                ..Default::default()
            })) {
                return Some(test);
            }
        }
        None
    }

    /// Runs a test and sorts its states into regions; a violation is confirmed by a second run.
    fn test(&mut self, inputs: Arc<Inputs>) -> Option<FailingTest> {
        self.statistics.tests += 1;
        let run = self.forest.run(
            &self.stepper,
            &self.cuts,
            inputs.clone(),
            self.options.test_nodes,
        );
        let none = FxHashMap::default();
        let mut scratch = Scratch::default();
        for id in &run.nodes {
            let node = self.forest.node(*id);
            let region = self.regions.find(node.loc, |rho| {
                let Some(state) = node.state.as_ref() else {
                    return false;
                };
                let env = StateEnv {
                    state,
                    graph: self.graph,
                    table: &self.symbols,
                    inputs: &none,
                    pointer_bits: self.program.pointer_bits,
                    extents: None,
                };
                rho.eval_bool(&env, &mut scratch)
            });
            self.regions.region_mut(region).witnesses.push(*id);
        }
        self.statistics.nodes = self.forest.len() as u64;
        match run.outcome {
            Outcome::Error(error) => {
                let mut again = Interpreter::new(
                    self.program,
                    inputs.clone(),
                    self.options.overflow,
                    Limits::default(),
                );
                let confirmed = matches!(again.run(), Outcome::Error(_));
                assert!(confirmed, "the interpreter is deterministic");
                Some(FailingTest {
                    inputs,
                    error,
                    place: run.place,
                })
            }
            Outcome::Bailed(bail) => {
                // No proof is possible any more, not even of a kind that would be
                // assumed away: it does happen. But a violation may still be found.
                let place = self.program.place(run.place);
                self.leaves_model
                    .get_or_insert_with(|| format!("{bail}, at {place}"));
                let kind = LocKind::Bail(bail.kind);
                self.targets
                    .retain(|loc| self.graph.location(*loc).kind != kind);
                None
            }
            _ => None,
        }
    }
}

/// The terms that are objects of pointers in the state.
fn object_parts(program: &Program, vocabulary: &Vocabulary) -> FxHashSet<Term> {
    let function = program.function(program.entry);
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
