//! Roaming: tests that branch where a loop of the program turns.
//!
//! A program that waits for inputs in a loop has few states there, and a long
//! sequence of inputs to most of them. One goes on from the state that an
//! earlier one came to, at the head of a loop, with other inputs for one turn:
//! the numbers that the program compares its inputs with, or anything else, since
//! inputs are often kept in memory first. A state that was met
//! before is not gone on from. So the sequence is found turn by turn, and no
//! question is asked. Every other time it goes on from a state that is news
//! ([`crate::news`]), and from states that tests of the search came to. What it finds becomes
//! a test like any other: an error, and the first that comes to a location.

use crate::engine::Engine;
use crate::events::Why;
use crate::forest::NodeId;
use crate::news::{News, Stop};
use crate::verdict::FailingTest;
use attest_exec::inputs::Feed;
use attest_exec::{Go, InputValue, Inputs, Interpreter, Limits, Observer, Outcome, Snapshot};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{Constant, FnId, Inst, Operand, PlaceId, Program, Reg, Relation, Terminator};
use attest_solver::clock;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Instructions of one turn.
const STEPS: u64 = 200_000;
/// Values that inputs are drawn from: those that they are compared with,
const MOST_VALUES: usize = 24;
/// and those that something is.
const MOST_OTHERS: usize = 48;
/// Inputs of one turn that are not zero.
const MOST_INPUTS: usize = 32;
/// Turns from one location that later ones are like.
const MOST_MODELS: usize = 64;
/// Turns from one state where a turn takes several inputs.
const MIXED: usize = 24;
/// Times that it goes on from the start, while there is nothing else.
const MOST_STARTS: u32 = 20;
/// States that it may still go on from, and all that were met.
const MOST_WAITING: usize = 40_000;
const MOST_SEEN: usize = 1_000_000;
/// States at one location that are kept for the first abstraction.
const MOST_SAMPLES: usize = 100;
/// Sequences that become tests because they come to a new location.
const MOST_TESTS: u32 = 60;

/// A turn: what was before, and the inputs that it took.
struct Turn {
    before: Before,
    nondet: Box<[InputValue]>,
    uninit: u32,
}

/// What comes before a turn.
enum Before {
    /// The start, or a test that led to its state by these inputs.
    Test(Rc<Inputs>),
    /// Another turn.
    Turn(u32),
}

/// What was seen, and where to go on.
pub(crate) struct Roamer<'p> {
    /// Time that it took.
    pub spent: Duration,
    run: Interpreter<'p>,
    start: Rc<Stop>,
    values: Vec<InputValue>,
    others: Vec<InputValue>,
    turns: Vec<Turn>,
    /// States to go on from, in the order in which they were found.
    waiting: VecDeque<Rc<Stop>>,
    news: News,
    /// Whether the next is one that is news.
    wants_news: bool,
    seen: FxHashSet<u64>,
    /// Where turns left the model.
    left: FxHashSet<PlaceId>,
    /// Nodes of the forest that were looked at.
    heard: u32,
    /// Inputs of turns that led to news, by where they started.
    models: FxHashMap<Loc, Vec<Box<[InputValue]>>>,
    random: u64,
    tests: u32,
    /// States that were come to, by location, where somebody wants them.
    samples: Option<FxHashMap<Loc, Vec<Snapshot>>>,
}

/// Stops at the head of a loop once the turn has taken an input.
struct Watch<'g, 'f> {
    graph: &'g Graph,
    is_new: &'f dyn Fn(Loc) -> bool,
    stopped: Option<Loc>,
    new: bool,
    samples: &'f mut Option<FxHashMap<Loc, Vec<Snapshot>>>,
}

impl Observer for Watch<'_, '_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        self.new |= (self.is_new)(at);
        if let Some(samples) = self.samples {
            let samples = samples.entry(at).or_default();
            if samples.len() < MOST_SAMPLES {
                samples.push(run.snapshot(self.graph, at));
            }
        }
        let turned = self.graph.location(at).kind == LocKind::LoopHead
            && run.machine.feed.counts() != [0, 0];
        self.stopped = turned.then_some(at);
        if turned { Go::Stop } else { Go::On }
    }
}

impl<'p> Roamer<'p> {
    fn new(program: &'p Program, graph: &Graph, engine: &Engine<'p>) -> Option<Roamer<'p>> {
        let limits = Limits {
            steps: STEPS,
            memory: 1 << 28,
            depth: 10_000,
        };
        let inputs = Arc::new(Inputs::default());
        let mut run = Interpreter::new(program, inputs, engine.options.overflow, limits);
        let entry = graph.functions[program.entry.0 as usize].entry;
        let start = Rc::new(Stop {
            state: run.snapshot(graph, entry),
            turn: 0,
            times: Cell::new(0),
        });
        let (values, others) = compared(program);
        let roamer = Roamer {
            spent: Duration::ZERO,
            run,
            start: start.clone(),
            values,
            others,
            turns: vec![Turn {
                before: Before::Test(Rc::default()),
                nondet: Box::default(),
                uninit: 0,
            }],
            waiting: VecDeque::from([start]),
            news: News::default(),
            wants_news: false,
            seen: FxHashSet::default(),
            left: FxHashSet::default(),
            heard: 0,
            models: FxHashMap::default(),
            random: engine.options.seed,
            tests: 0,
            samples: engine.wants_initial_abstraction().then(FxHashMap::default),
        };
        let loops = |loc: &Loc| graph.location(*loc).kind == LocKind::LoopHead;
        let any = (0..graph.locations.len() as u32)
            .map(Loc)
            .any(|l| loops(&l));
        any.then_some(roamer)
    }

    /// The inputs of a sequence of turns.
    fn inputs(&self, last: u32) -> Inputs {
        let mut path = vec![&self.turns[last as usize]];
        let mut inputs = loop {
            match &path[path.len() - 1].before {
                Before::Test(inputs) => break (**inputs).clone(),
                Before::Turn(before) => path.push(&self.turns[*before as usize]),
            }
        };
        for turn in path.into_iter().rev() {
            inputs.nondet.extend(&turn.nondet);
            let uninit = (0..turn.uninit).map(|_| InputValue::Int(0));
            inputs.uninit.extend(uninit);
        }
        inputs
    }

    fn roll(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Some value: every other one is zero or one, which most answers of an environment are.
    fn value(&mut self) -> InputValue {
        let z = self.roll();
        let list = match z & 3 {
            0 | 1 => return InputValue::Int(i128::from(z >> 2 & 1)),
            2 if !self.others.is_empty() => &self.others,
            _ => &self.values,
        };
        list[((z >> 2) % list.len() as u64) as usize]
    }

    /// Inputs for a turn from a location: any, or those of a turn from there that led to news,
    /// with a few changed.
    fn mixed(&mut self, from: Loc) -> Vec<InputValue> {
        let z = self.roll();
        let models = self.models.get(&from).filter(|_| z & 1 == 0);
        let mut out = match models {
            Some(models) => models[((z >> 4) % models.len() as u64) as usize].to_vec(),
            None => Vec::with_capacity(MOST_INPUTS),
        };
        if !out.is_empty() {
            for _ in 0..z >> 1 & 3 {
                let at = self.roll() % out.len() as u64;
                out[at as usize] = self.value();
            }
        }
        while out.len() < MOST_INPUTS {
            out.push(self.value());
        }
        out
    }

    /// A turn led to news.
    fn remember(&mut self, from: Loc, turn: u32) {
        let z = self.roll() as usize;
        let inputs = &self.turns[turn as usize].nondet;
        if inputs.is_empty() {
            return;
        }
        let models = self.models.entry(from).or_default();
        match models.len() < MOST_MODELS {
            true => models.push(inputs.clone()),
            false => models[z % MOST_MODELS] = inputs.clone(),
        }
    }

    /// Keeps a state to go on from, unless it was met before or there are too many.
    fn keep(&mut self, state: Snapshot, turn: u32, from: Loc) -> bool {
        let is_new = self.seen.insert(state.digest(self.start.state.memory()));
        if !is_new || self.waiting.len() >= MOST_WAITING {
            return false;
        }
        let stop = Rc::new(Stop {
            state,
            turn,
            times: Cell::new(0),
        });
        let random = self.roll();
        let news = &mut self.news;
        let mut is_news = false;
        stop.state.bytes(self.start.state.memory(), |place, value| {
            is_news |= news.see(place, value, &stop, random);
        });
        if is_news {
            self.remember(from, turn);
        }
        self.waiting.push_back(stop);
        true
    }

    /// The next state to go on from.
    fn next(&mut self) -> Option<Rc<Stop>> {
        self.wants_news = !self.wants_news;
        if self.wants_news
            && let Some(stop) = self.news.choose()
        {
            return Some(stop);
        }
        while let Some(stop) = self.waiting.pop_front() {
            if stop.times.get() == 0 {
                return Some(stop);
            }
        }
        let again = || self.start.times.get() < MOST_STARTS;
        self.news
            .choose()
            .or_else(|| again().then(|| self.start.clone()))
    }
}

impl<'p> Engine<'p> {
    /// Goes on until it is late; a failing test, if one finds it.
    pub(crate) fn roam(&mut self, until: Instant) -> Option<FailingTest> {
        let mut roamer = match self.roamer.take() {
            Some(roamer) => roamer,
            None if std::mem::take(&mut self.roams) => Roamer::new(self.program, self.graph, self)?,
            None => return None,
        };
        let began = clock::now();
        self.hear_tests(&mut roamer);
        while clock::now() < until && self.out_of_limits().is_none() {
            let Some(stop) = roamer.next() else {
                break;
            };
            if let Some(test) = self.roam_from(&mut roamer, &stop, until) {
                return Some(test);
            }
        }
        roamer.spent += clock::now() - began;
        if roamer.seen.len() < MOST_SEEN {
            self.roamer = Some(roamer);
        }
        None
    }

    /// The states at heads of loops that tests came to since it last looked.
    fn hear_tests(&self, roamer: &mut Roamer<'p>) {
        let from = roamer.heard;
        roamer.heard = self.forest.len() as u32;
        for id in (from..roamer.heard).map(NodeId) {
            let node = self.forest.node(id);
            if self.graph.location(node.loc).kind != LocKind::LoopHead {
                continue;
            }
            let inputs = self.forest.inputs_to(id);
            let (Some(state), Some(inputs)) = (node.state.clone(), inputs) else {
                continue;
            };
            let turn = roamer.turns.len() as u32;
            roamer.turns.push(Turn {
                before: Before::Test(Rc::new(inputs)),
                nondet: Box::default(),
                uninit: 0,
            });
            if !roamer.keep(state, turn, node.loc) {
                roamer.turns.pop();
            }
        }
    }

    /// The states that roaming came to, by location.
    pub(crate) fn samples(&mut self) -> FxHashMap<Loc, Vec<Snapshot>> {
        let samples = self.roamer.as_mut().map(|roamer| roamer.samples.take());
        samples.flatten().unwrap_or_default()
    }

    /// All turns from one state; mixed ones only if it was gone on from before.
    fn roam_from(
        &mut self,
        roamer: &mut Roamer<'p>,
        stop: &Stop,
        until: Instant,
    ) -> Option<FailingTest> {
        let times = stop.times.replace(stop.times.get() + 1);
        let mut several = times > 0;
        let first = if several { roamer.values.len() } else { 0 };
        for i in first..roamer.values.len() + MIXED {
            let given = match roamer.values.get(i) {
                Some(value) => vec![*value; MOST_INPUTS],
                None if several => roamer.mixed(stop.state.loc),
                None => break,
            };
            if clock::now() >= until && i > roamer.values.len() {
                break;
            }
            let given = Arc::new(Inputs {
                nondet: given,
                ..Inputs::default()
            });
            roamer.run.restore(self.graph, &stop.state);
            roamer.run.steps = 0;
            roamer.run.machine.taken.clear();
            roamer.run.machine.feed = Feed::new(given.clone());
            let forest = &self.forest;
            let mut watch = Watch {
                graph: self.graph,
                is_new: &|loc| forest.at(loc).is_empty(),
                stopped: None,
                new: false,
                samples: &mut roamer.samples,
            };
            let outcome = roamer.run.watch(&mut watch, &self.cuts);
            let (stopped, new) = (watch.stopped, watch.new);
            let [taken, uninit] = roamer.run.machine.feed.counts();
            several |= taken > 1;
            let turn = roamer.turns.len() as u32;
            let mut nondet = given.nondet.clone();
            nondet.resize(taken, InputValue::Int(0));
            roamer.turns.push(Turn {
                before: Before::Turn(stop.turn),
                nondet: nondet.into(),
                uninit: uninit as u32,
            });
            let fails = matches!(outcome, Outcome::Error(_));
            // One that fails here fails as a test, but for what is lost on the way there.
            let most = if fails { 2 * MOST_TESTS } else { MOST_TESTS };
            // No proof may assume away what a run did.
            let left =
                matches!(outcome, Outcome::Bailed(_)) && roamer.left.insert(roamer.run.place());
            if (fails || new || left) && roamer.tests < most {
                roamer.tests += 1;
                let inputs = Arc::new(roamer.inputs(turn));
                if let Some(test) = self.test(inputs, None, Why::Roam) {
                    return Some(test);
                }
            }
            let fresh = stopped.filter(|_| outcome == Outcome::Stopped);
            let kept = fresh.is_some_and(|at| {
                let next = roamer.run.snapshot(self.graph, at);
                roamer.keep(next, turn, stop.state.loc)
            });
            if !kept {
                roamer.turns.pop();
            }
            if taken == 0 {
                // Every turn is this one.
                break;
            }
        }
        None
    }
}

/// The numbers that a program compares its inputs with, zero and one; and those that it
/// compares something else with.
fn compared(program: &Program) -> (Vec<InputValue>, Vec<InputValue>) {
    let mut found: BTreeSet<i128> = [0, 1].into();
    let mut others: Vec<i128> = Vec::new();
    for function in (0..program.functions.len() as u32).map(FnId) {
        let inputs = of_inputs(program, function);
        let is_input =
            |operand: Operand| matches!(operand, Operand::Reg(reg) if inputs.contains(&reg));
        let number = |operand: Operand| match operand {
            Operand::Const(Constant::Int { value, width }) => Some(signed(value, width)),
            _ => None,
        };
        for block in &program.function(function).blocks {
            for inst in &block.insts {
                let Inst::Compare { rel, a, b, .. } = inst else {
                    continue;
                };
                for (a, b) in [(*a, *b), (*b, *a)] {
                    match is_input(a) {
                        true => found.extend(number(b)),
                        false if matches!(rel, Relation::Eq | Relation::Ne) => {
                            others.extend(number(b));
                        }
                        false => {}
                    }
                }
            }
            if let Terminator::Switch {
                value,
                cases,
                width,
                ..
            } = &block.end
            {
                let cases = cases.iter().map(|(case, _)| signed(*case, *width));
                match is_input(*value) {
                    true => found.extend(cases),
                    false => others.extend(cases),
                }
            }
        }
    }
    let mut numbers: Vec<i128> = found.into_iter().collect();
    numbers.sort_by_key(|n| n.abs());
    numbers.truncate(MOST_VALUES - 1);
    // And one that none of them is.
    let other = numbers.iter().max().map_or(2, |n| n + 1);
    numbers.push(other);
    let mut known: BTreeSet<i128> = numbers.iter().copied().collect();
    others.retain(|n| known.insert(*n));
    others.truncate(MOST_OTHERS);
    let values = |all: Vec<i128>| all.into_iter().map(InputValue::Int).collect();
    (values(numbers), values(others))
}

fn signed(value: u128, width: u32) -> i128 {
    let above = 128 - width.clamp(1, 128);
    (value as i128) << above >> above
}

/// Registers that hold an input as it was given.
fn of_inputs(program: &Program, function: FnId) -> FxHashSet<Reg> {
    let blocks = &program.function(function).blocks;
    let mut out: FxHashSet<Reg> = FxHashSet::default();
    loop {
        let before = out.len();
        let copied = |out: &mut FxHashSet<Reg>, to: Reg, from: &Operand| {
            if matches!(from, Operand::Reg(reg) if out.contains(reg)) {
                out.insert(to);
            }
        };
        for block in blocks {
            for inst in &block.insts {
                match inst {
                    Inst::Input { dst, .. } => {
                        out.insert(*dst);
                    }
                    Inst::Copy { dst, src: a } | Inst::Resize { dst, a, .. } => {
                        copied(&mut out, *dst, a);
                    }
                    _ => {}
                }
            }
            block.end.targets(|target| {
                for (to, from) in &target.copies {
                    copied(&mut out, *to, from);
                }
            });
        }
        if out.len() == before {
            return out;
        }
    }
}
