//! Roaming: tests that branch where a loop of the program turns.
//!
//! A program that waits for inputs in a loop has few states there, and a long
//! sequence of inputs to most of them. One goes on from the state that an
//! earlier one came to, at the head of a loop, with other inputs for one turn:
//! the numbers that the program compares its inputs with, or anything else, since
//! inputs are often kept in memory first. A state that was met
//! before is not gone on from. So the sequence is found turn by turn, and no
//! question is asked. What it finds becomes a test like any other: an
//! error, and the first that comes to a location.

use crate::engine::Engine;
use crate::events::Why;
use crate::verdict::FailingTest;
use attest_exec::inputs::Feed;
use attest_exec::{Go, InputValue, Inputs, Interpreter, Limits, Observer, Outcome, Snapshot};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{Constant, FnId, Inst, Operand, Program, Reg, Relation, Terminator};
use attest_solver::clock;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// Instructions of one turn.
const STEPS: u64 = 200_000;
/// Values that inputs are drawn from: those that they are compared with,
const MOST_VALUES: usize = 24;
/// and those that something is.
const MOST_OTHERS: usize = 48;
/// Inputs of one turn that are not zero.
const MOST_INPUTS: usize = 32;
/// Turns from one state where a turn takes several inputs.
const MIXED: usize = 24;
/// States that it may still go on from, and all that were met.
const MOST_WAITING: usize = 40_000;
const MOST_SEEN: usize = 1_000_000;
/// States at one location that are kept for the first abstraction.
const MOST_SAMPLES: usize = 100;
/// Sequences that become tests because they come to a new location.
const MOST_TESTS: u32 = 60;

/// A turn: the one before, and the inputs that it took.
struct Turn {
    before: Option<u32>,
    nondet: Box<[InputValue]>,
    uninit: u32,
}

/// What was seen, and where to go on.
pub(crate) struct Roamer<'p> {
    run: Interpreter<'p>,
    start: Snapshot,
    values: Vec<InputValue>,
    others: Vec<InputValue>,
    turns: Vec<Turn>,
    /// States to go on from, each with the turn that led there.
    waiting: VecDeque<(Snapshot, u32)>,
    seen: FxHashSet<u64>,
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
        let start = run.snapshot(graph, entry);
        let (values, others) = compared(program);
        let roamer = Roamer {
            run,
            start,
            values,
            others,
            turns: Vec::new(),
            waiting: VecDeque::new(),
            seen: FxHashSet::default(),
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
        let mut path = vec![last];
        while let Some(before) = self.turns[path[path.len() - 1] as usize].before {
            path.push(before);
        }
        let mut inputs = Inputs::default();
        for turn in path.into_iter().rev().map(|at| &self.turns[at as usize]) {
            inputs.nondet.extend(&turn.nondet);
            let uninit = (0..turn.uninit).map(|_| InputValue::Int(0));
            inputs.uninit.extend(uninit);
        }
        inputs
    }

    fn mixed(&mut self) -> Vec<InputValue> {
        let mut out = Vec::with_capacity(MOST_INPUTS);
        for _ in 0..MOST_INPUTS {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            let z = z ^ z >> 31;
            // Every other one is of the others, if there are any.
            let list = match z & 1 == 0 || self.others.is_empty() {
                true => &self.values,
                false => &self.others,
            };
            out.push(list[((z >> 1) % list.len() as u64) as usize]);
        }
        out
    }
}

impl<'p> Engine<'p> {
    /// Goes on until it is late; a failing test, if one finds it.
    pub(crate) fn roam(&mut self, until: Instant) -> Option<FailingTest> {
        let mut roamer = match self.roamer.take() {
            Some(roamer) => roamer,
            None if self.roams => Roamer::new(self.program, self.graph, self)?,
            None => return None,
        };
        if std::mem::take(&mut self.roams) {
            let start = roamer.start.clone();
            if let Some(test) = self.roam_from(&mut roamer, &start, None, until) {
                return Some(test);
            }
        }
        while clock::now() < until && self.out_of_limits().is_none() {
            let (state, turn) = roamer.waiting.pop_front()?;
            if let Some(test) = self.roam_from(&mut roamer, &state, Some(turn), until) {
                return Some(test);
            }
        }
        if roamer.seen.len() < MOST_SEEN {
            self.roamer = Some(roamer);
        }
        None
    }

    /// The states that roaming came to, by location.
    pub(crate) fn samples(&mut self) -> FxHashMap<Loc, Vec<Snapshot>> {
        let samples = self.roamer.as_mut().map(|roamer| roamer.samples.take());
        samples.flatten().unwrap_or_default()
    }

    /// All turns from one state.
    fn roam_from(
        &mut self,
        roamer: &mut Roamer<'p>,
        state: &Snapshot,
        before: Option<u32>,
        until: Instant,
    ) -> Option<FailingTest> {
        let mut several = false;
        for i in 0..roamer.values.len() + MIXED {
            let given = match roamer.values.get(i) {
                Some(value) => vec![*value; MOST_INPUTS],
                None if several => roamer.mixed(),
                None => break,
            };
            if clock::now() >= until && i > roamer.values.len() {
                break;
            }
            let given = Arc::new(Inputs {
                nondet: given,
                ..Inputs::default()
            });
            roamer.run.restore(self.graph, state);
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
                before,
                nondet: nondet.into(),
                uninit: uninit as u32,
            });
            let fails = matches!(outcome, Outcome::Error(_));
            // One that fails here fails as a test, but for what is lost on the way there.
            let most = if fails { 2 * MOST_TESTS } else { MOST_TESTS };
            // No proof may assume away what a run did.
            let left = matches!(outcome, Outcome::Bailed(_));
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
                let is_new = roamer.seen.insert(next.digest(roamer.start.memory()));
                let room = roamer.waiting.len() < MOST_WAITING;
                if is_new && room {
                    roamer.waiting.push_back((next, turn));
                }
                is_new && room
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
