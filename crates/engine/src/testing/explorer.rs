//! What random exploration remembers: the states to go on from, what was seen, and the
//! iterations that led there.

use crate::options::Options;
use crate::testing::input_gen::{InputGen, Plan};
use crate::testing::novelty::{ALL_MADE, Novelty, Stop};
use crate::tuning::ExplorationLimits;
use attest_exec::inputs::locked;
use attest_exec::{Go, InputValue, Inputs, Interpreter, Limits, Observer, Snapshot};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{BailKind, GlobalReg, PlaceId, Program};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An iteration of a loop: what came before it, and the inputs that it took.
pub(crate) struct Iteration {
    pub before: Before,
    pub nondet: Box<[InputValue]>,
    pub uninit: u32,
}

/// What comes before an iteration.
pub(crate) enum Before {
    /// The start, or a test that led to its state by these inputs.
    Test(Arc<Inputs>),
    /// Another iteration.
    Iteration(u32),
}

/// What was seen, and which states to expand.
pub(crate) struct Explorer<'p> {
    /// Its limits.
    pub limits: ExplorationLimits,
    /// Effort that it took.
    pub spent: Duration,
    pub run: Interpreter<'p>,
    pub start: Arc<Stop>,
    pub generator: Arc<Mutex<InputGen>>,
    pub iterations: Vec<Iteration>,
    /// States to expand, in the order in which they were found.
    pub waiting: VecDeque<Arc<Stop>>,
    pub novelty: Novelty,
    /// The state of the rule: what is not novel in one state of the rule may be in another.
    pub rule: Vec<GlobalReg>,
    /// How many states were expanded.
    pub chosen: u64,
    pub seen: FxHashSet<u64>,
    /// Locations that iterations reached.
    pub covered: FxHashSet<Loc>,
    /// Unsupported constructs that iterations met, once a test has met them too.
    pub left: FxHashSet<(PlaceId, BailKind)>,
    /// Nodes of the forest that were taken from.
    pub heard: u32,
    /// Inputs of iterations that led to something new, by where they started.
    pub models: FxHashMap<Loc, Vec<Box<[InputValue]>>>,
    pub tests: u32,
    /// States that were reached, by location, where somebody wants them.
    pub samples: Option<FxHashMap<Loc, Vec<Snapshot>>>,
}

/// Stops at the head of a loop once the iteration has taken an input.
pub(crate) struct Watch<'g, 'f> {
    pub graph: &'g Graph,
    pub is_new: &'f dyn Fn(Loc) -> bool,
    /// Locations that iterations reached, and whether this one reaches another.
    pub covered: &'f mut FxHashSet<Loc>,
    pub covers: bool,
    pub stopped: Option<Loc>,
    pub new: bool,
    pub samples: &'f mut Option<FxHashMap<Loc, Vec<Snapshot>>>,
    /// States at one location that are kept.
    pub most_samples: usize,
}

impl Observer for Watch<'_, '_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        if self.covered.insert(at) {
            self.covers = true;
            self.new |= (self.is_new)(at);
        }
        if let Some(samples) = self.samples {
            let samples = samples.entry(at).or_default();
            if samples.len() < self.most_samples {
                samples.push(run.snapshot(self.graph, at));
            }
        }
        let is_over = self.graph.location(at).kind == LocKind::LoopHead
            && run.machine.feed.counts() != [0, 0];
        self.stopped = is_over.then_some(at);
        if is_over { Go::Stop } else { Go::On }
    }
}

impl<'p> Explorer<'p> {
    /// One that begins at the start of a program that loops. `samples`: states at each location
    /// are kept.
    pub fn new(
        program: &'p Program,
        graph: &Graph,
        options: &Options,
        samples: bool,
    ) -> Option<Explorer<'p>> {
        let limits = Limits {
            steps: options.tuning.exploration.iteration_instructions,
            memory: 1 << 28,
            depth: 10_000,
        };
        let inputs = Arc::new(Inputs::default());
        let mut run = Interpreter::new(program, inputs, options.overflow, limits);
        let entry = graph.functions[program.entry.0 as usize].entry;
        let start = Arc::new(Stop::new(run.snapshot(graph, entry), 0));
        let explorer = Explorer {
            limits: options.tuning.exploration,
            spent: Duration::ZERO,
            run,
            start: start.clone(),
            generator: Arc::new(Mutex::new(InputGen::new(
                program,
                options.seed,
                &options.tuning.exploration,
            ))),
            iterations: vec![Iteration {
                before: Before::Test(Arc::default()),
                nondet: Box::default(),
                uninit: 0,
            }],
            waiting: VecDeque::from([start]),
            novelty: Novelty::new(&options.tuning.exploration),
            rule: options.initial.clone(),
            chosen: 0,
            seen: FxHashSet::default(),
            covered: FxHashSet::default(),
            left: FxHashSet::default(),
            heard: 0,
            models: FxHashMap::default(),
            tests: 0,
            samples: samples.then(FxHashMap::default),
        };
        let loops = |loc: &Loc| graph.location(*loc).kind == LocKind::LoopHead;
        let any = (0..graph.locations.len() as u32)
            .map(Loc)
            .any(|l| loops(&l));
        any.then_some(explorer)
    }

    /// The inputs of a sequence of iterations.
    pub fn inputs(&self, last: u32) -> Inputs {
        let mut path = vec![&self.iterations[last as usize]];
        let mut inputs = loop {
            match &path[path.len() - 1].before {
                Before::Test(inputs) => break (**inputs).clone(),
                Before::Iteration(before) => path.push(&self.iterations[*before as usize]),
            }
        };
        for iteration in path.into_iter().rev() {
            inputs.nondet.extend(&iteration.nondet);
            let uninit = (0..iteration.uninit).map(|_| InputValue::Int(0));
            inputs.uninit.extend(uninit);
        }
        inputs
    }

    /// A plan for an iteration from a location: any inputs, or those of an iteration from there
    /// that led to something new, with a few changed.
    pub fn plan(&mut self, from: Loc) -> Plan {
        let mut generator = locked(&self.generator);
        let z = generator.roll();
        let models = self.models.get(&from).filter(|_| z & 3 == 0);
        match models {
            Some(models) => {
                let model = &models[((z >> 4) % models.len() as u64) as usize];
                let changes = generator.roll() & generator.roll() & generator.roll();
                Plan::Like(model.iter().copied().collect(), changes)
            }
            None => Plan::Any { plain: z & 3 == 1 },
        }
    }

    /// An iteration led to something new.
    pub fn remember(&mut self, from: Loc, iteration: u32) {
        let z = locked(&self.generator).roll() as usize;
        let inputs = &self.iterations[iteration as usize].nondet;
        if inputs.is_empty() {
            return;
        }
        let models = self.models.entry(from).or_default();
        match models.len() < self.limits.models {
            true => models.push(inputs.clone()),
            false => models[z % self.limits.models] = inputs.clone(),
        }
    }

    /// Keeps a state to expand, unless it was seen before or there are too many.
    pub fn keep(&mut self, state: Snapshot, iteration: u32, from: Loc) -> bool {
        let is_new = self.seen.insert(state.digest(self.start.state.memory()));
        if !is_new || self.waiting.len() >= self.limits.waiting_states {
            return false;
        }
        let stop = Arc::new(Stop::new(state, iteration));
        let random = locked(&self.generator).roll();
        let novelty = &mut self.novelty;
        let mut is_news = false;
        let mut rule = FxHasher::default();
        for part in &self.rule {
            let value = stop.state.global(*part);
            (value.lo.min(self.limits.rule_values), value.hi).hash(&mut rule);
        }
        let start = self.start.state.memory();
        stop.state.bytes(start, rule.finish(), |place, value| {
            is_news |= novelty.see(place, value, &stop, random);
        });
        if is_news {
            self.remember(from, iteration);
            locked(&self.generator).was_good();
        }
        self.waiting.push_back(stop);
        true
    }

    /// The next state to go on from.
    pub fn next(&mut self) -> Option<Arc<Stop>> {
        self.chosen += 1;
        let starts = self.start.times();
        let again = starts < self.limits.starts || starts != ALL_MADE && !self.waiting.is_empty();
        if again && self.chosen.is_multiple_of(self.limits.start_interval) {
            return Some(self.start.clone());
        }
        if self.chosen.is_multiple_of(2)
            && let Some(stop) = self.novelty.choose()
        {
            return Some(stop);
        }
        while let Some(stop) = self.waiting.pop_front() {
            if stop.times() == 0 {
                return Some(stop);
            }
        }
        let start = again.then(|| self.start.clone());
        self.novelty.choose().or(start)
    }
}
