//! Roaming: tests that branch where a loop of the program turns.
//!
//! A program that waits for inputs in a loop has few states there, and a long
//! sequence of inputs to most of them. One goes on from the state that an
//! earlier one came to, at the head of a loop, with other inputs for one turn
//! ([`crate::answers`]): the same one throughout, those that led there, those of
//! a turn that led to something new, or any. A state that was met before is not
//! gone on from. So the sequence is found turn by turn, and no question is
//! asked. Every other time it goes on from a state that is news
//! ([`crate::news`]), else from the one that was found first, of its own or of the
//! search's tests. What it finds becomes a test like any other: an error, and the
//! first that comes to a location.

use crate::answers::{Answers, Plan};
use crate::core::Core;
use crate::engine::Engine;
use crate::events::Why;
use crate::forest::NodeId;
use crate::initial;
use crate::news::{ALL_MADE, News, Stop};
use crate::testing;
use crate::verdict::FailingTest;
use attest_exec::inputs::Feed;
use attest_exec::{Go, InputValue, Inputs, Interpreter, Limits, Observer, Outcome, Snapshot};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{BailKind, GlobalReg, PlaceId, Program};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The part of a slice that is for roaming at its start,
const OF_SLICE: u32 = 5;
/// though not more than this, or the part of all time below,
const AT_LEAST: Duration = Duration::from_millis(500);
/// or this part of a slice in which the first abstraction of a rule is made.
const OF_FIRST_SLICE: u32 = 20;
/// The part of all time that is for roaming,
const OF_ALL: u32 = 10;
/// so much at once.
const AT_ONCE: Duration = Duration::from_millis(100);
/// Instructions of one turn.
const STEPS: u64 = 200_000;
/// Turns from one location that later ones are like.
const MOST_MODELS: usize = 64;
/// Turns from one state where a turn takes several inputs.
const MIXED: usize = 24;
/// It goes on from the start once in so many times, since most that it leads to may lead to
/// nothing,
const STARTS: u64 = 16;
/// and so often if there is nothing else.
const MOST_STARTS: u32 = 20;
/// States that it may still go on from, and all that were met.
const MOST_WAITING: usize = 40_000;
const MOST_SEEN: usize = 1_000_000;
/// Numbers of a rule's state that are told apart.
const MOST_OF_RULE: u64 = 3;
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
    answers: Rc<RefCell<Answers>>,
    turns: Vec<Turn>,
    /// States to go on from, in the order in which they were found.
    waiting: VecDeque<Rc<Stop>>,
    news: News,
    /// The state of the rule: what is no news in one may be in another.
    rule: Vec<GlobalReg>,
    /// States that were gone on from.
    chosen: u64,
    seen: FxHashSet<u64>,
    /// Locations that turns came to.
    covered: FxHashSet<Loc>,
    /// Where turns left the model, and how, once a test did so too.
    left: FxHashSet<(PlaceId, BailKind)>,
    /// Nodes of the forest that were looked at.
    heard: u32,
    /// Inputs of turns that led to news, by where they started.
    models: FxHashMap<Loc, Vec<Box<[InputValue]>>>,
    tests: u32,
    /// States that were come to, by location, where somebody wants them.
    samples: Option<FxHashMap<Loc, Vec<Snapshot>>>,
}

/// Stops at the head of a loop once the turn has taken an input.
struct Watch<'g, 'f> {
    graph: &'g Graph,
    is_new: &'f dyn Fn(Loc) -> bool,
    /// Locations that turns came to, and whether this one comes to another.
    covered: &'f mut FxHashSet<Loc>,
    covers: bool,
    stopped: Option<Loc>,
    new: bool,
    samples: &'f mut Option<FxHashMap<Loc, Vec<Snapshot>>>,
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
    fn new(program: &'p Program, graph: &Graph, core: &Core<'p>) -> Option<Roamer<'p>> {
        let limits = Limits {
            steps: STEPS,
            memory: 1 << 28,
            depth: 10_000,
        };
        let inputs = Arc::new(Inputs::default());
        let mut run = Interpreter::new(program, inputs, core.options.overflow, limits);
        let entry = graph.functions[program.entry.0 as usize].entry;
        let start = Rc::new(Stop {
            state: run.snapshot(graph, entry),
            turn: 0,
            times: Cell::new(0),
        });
        let roamer = Roamer {
            spent: Duration::ZERO,
            run,
            start: start.clone(),
            answers: Rc::new(RefCell::new(Answers::new(program, core.options.seed))),
            turns: vec![Turn {
                before: Before::Test(Rc::default()),
                nondet: Box::default(),
                uninit: 0,
            }],
            waiting: VecDeque::from([start]),
            news: News::new(),
            rule: core.options.initial.clone(),
            chosen: 0,
            seen: FxHashSet::default(),
            covered: FxHashSet::default(),
            left: FxHashSet::default(),
            heard: 0,
            models: FxHashMap::default(),
            tests: 0,
            samples: initial::wants_initial_abstraction(core).then(FxHashMap::default),
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

    /// A plan for a turn from a location: any answers, or those of a turn from there that led
    /// to news, with a few changed.
    fn plan(&mut self, from: Loc) -> Plan {
        let mut answers = self.answers.borrow_mut();
        let z = answers.roll();
        let models = self.models.get(&from).filter(|_| z & 3 == 0);
        match models {
            Some(models) => {
                let model = &models[((z >> 4) % models.len() as u64) as usize];
                let changes = answers.roll() & answers.roll() & answers.roll();
                Plan::Like(model.iter().copied().collect(), changes)
            }
            None => Plan::Any { plain: z & 3 == 1 },
        }
    }

    /// A turn led to news.
    fn remember(&mut self, from: Loc, turn: u32) {
        let z = self.answers.borrow_mut().roll() as usize;
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
        let random = self.answers.borrow_mut().roll();
        let news = &mut self.news;
        let mut is_news = false;
        let mut rule = FxHasher::default();
        for part in &self.rule {
            let value = stop.state.global(*part);
            (value.lo.min(MOST_OF_RULE), value.hi).hash(&mut rule);
        }
        let start = self.start.state.memory();
        stop.state.bytes(start, rule.finish(), |place, value| {
            is_news |= news.see(place, value, &stop, random);
        });
        if is_news {
            self.remember(from, turn);
            self.answers.borrow_mut().was_good();
        }
        self.waiting.push_back(stop);
        true
    }

    /// The next state to go on from.
    fn next(&mut self) -> Option<Rc<Stop>> {
        self.chosen += 1;
        let starts = self.start.times.get();
        let again = starts < MOST_STARTS || starts != ALL_MADE && !self.waiting.is_empty();
        if again && self.chosen.is_multiple_of(STARTS) {
            return Some(self.start.clone());
        }
        if self.chosen.is_multiple_of(2)
            && let Some(stop) = self.news.choose()
        {
            return Some(stop);
        }
        while let Some(stop) = self.waiting.pop_front() {
            if stop.times.get() == 0 {
                return Some(stop);
            }
        }
        let start = again.then(|| self.start.clone());
        self.news.choose().or(start)
    }
}

/// Roams at the start of a slice; a failing test, if one finds it.
pub(crate) fn roam_first<'p>(engine: &mut Engine<'p>, end: Duration) -> Option<FailingTest> {
    let now = engine.core.effort();
    // A head start is a long slice, and mostly for a proof.
    let slice = end.saturating_sub(now);
    let mut most = AT_LEAST.max(now / OF_ALL);
    if initial::wants_initial_abstraction(&engine.core) {
        most = most.max(slice / OF_FIRST_SLICE);
    }
    roam(engine, now + most.min(slice / OF_SLICE))
}

/// Roams until it has had its part of the time; a failing test, if one finds it.
pub(crate) fn roam_if_due<'p>(engine: &mut Engine<'p>) -> Option<FailingTest> {
    let now = engine.core.effort();
    let spent = engine.core.testing.roamer.as_ref()?.spent;
    let due = (now / OF_ALL).saturating_sub(spent);
    match due.is_zero() {
        true => None,
        false => roam(engine, now + due.max(AT_ONCE)),
    }
}

/// Goes on until it is late; a failing test, if one finds it.
fn roam<'p>(engine: &mut Engine<'p>, until: Duration) -> Option<FailingTest> {
    let mut roamer = match engine.core.testing.roamer.take() {
        Some(roamer) => roamer,
        None if std::mem::take(&mut engine.core.testing.roams) => {
            Roamer::new(engine.core.program, engine.core.graph, &engine.core)?
        }
        None => return None,
    };
    let began = engine.core.effort();
    hear_tests(&engine.core, &mut roamer);
    while engine.core.effort() < until && engine.core.out_of_limits(&engine.task).is_none() {
        let Some(stop) = roamer.next() else {
            break;
        };
        if let Some(test) = roam_from(engine, &mut roamer, &stop, until) {
            return Some(test);
        }
    }
    roamer.spent += engine.core.effort() - began;
    if roamer.seen.len() < MOST_SEEN {
        engine.core.testing.roamer = Some(roamer);
    }
    None
}

/// The states at heads of loops that tests came to since it last looked.
fn hear_tests<'p>(core: &Core<'p>, roamer: &mut Roamer<'p>) {
    roamer.answers.borrow_mut().begin(Plan::Any { plain: true });
    let from = roamer.heard;
    roamer.heard = core.forest.len() as u32;
    for id in (from..roamer.heard).map(NodeId) {
        let node = core.forest.node(id);
        if core.graph.location(node.loc).kind != LocKind::LoopHead {
            continue;
        }
        let inputs = core.forest.inputs_to(id);
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
pub(crate) fn samples<'p>(core: &mut Core<'_>) -> FxHashMap<Loc, Vec<Snapshot>> {
    let samples = core
        .testing
        .roamer
        .as_mut()
        .map(|roamer| roamer.samples.take());
    samples.flatten().unwrap_or_default()
}

/// All turns from one state; mixed ones only if it was gone on from before.
fn roam_from<'p>(
    engine: &mut Engine<'p>,
    roamer: &mut Roamer<'p>,
    stop: &Stop,
    until: Duration,
) -> Option<FailingTest> {
    let times = stop.times.replace(stop.times.get().saturating_add(1));
    let mut several = times > 0;
    let all = roamer.answers.borrow().values.len();
    let first = if several { all } else { 0 };
    for i in first..all + MIXED {
        let value = roamer.answers.borrow().values.get(i).copied();
        let plan = match value {
            Some(value) => Plan::All(value),
            // What led here once may lead on in the same way.
            None if several && i == all && times == 0 => {
                let before = &roamer.turns[stop.turn as usize].nondet;
                Plan::Like(before.iter().copied().collect(), 0)
            }
            None if several => roamer.plan(stop.state.loc),
            None => break,
        };
        if engine.core.effort() >= until && i > all {
            break;
        }
        let (taken, test) = turn(engine, roamer, stop, plan);
        if test.is_some() {
            return test;
        }
        several |= taken > 1;
        if taken == 0 {
            // Every turn is this one.
            break;
        }
    }
    if !several {
        stop.times.set(ALL_MADE);
    }
    None
}

/// One turn from a state: how many answers it took, and the failing test that it is.
fn turn<'p>(
    engine: &mut Engine<'p>,
    roamer: &mut Roamer<'p>,
    stop: &Stop,
    plan: Plan,
) -> (usize, Option<FailingTest>) {
    roamer.answers.borrow_mut().begin(plan);
    roamer.run.restore(engine.core.graph, &stop.state);
    roamer.run.steps = 0;
    roamer.run.machine.taken.clear();
    roamer.run.machine.feed = Feed::made_by(roamer.answers.clone());
    let forest = &engine.core.forest;
    let mut watch = Watch {
        graph: engine.core.graph,
        is_new: &|loc| forest.at(loc).is_empty(),
        covered: &mut roamer.covered,
        covers: false,
        stopped: None,
        new: false,
        samples: &mut roamer.samples,
    };
    let outcome = roamer.run.watch(&mut watch, &engine.core.cuts);
    let (stopped, new, covers) = (watch.stopped, watch.new, watch.covers);
    engine.core.limits.counted.instructions += roamer.run.steps;
    engine.core.limits.counted.snapshots += 1;
    let [taken, uninit] = roamer.run.machine.feed.counts();
    let turn = roamer.turns.len() as u32;
    roamer.turns.push(Turn {
        before: Before::Turn(stop.turn),
        nondet: roamer.answers.borrow().made(),
        uninit: uninit as u32,
    });
    let fails = matches!(outcome, Outcome::Error(_));
    // One that fails here fails as a test, but for what is lost on the way there.
    let most = if fails { 2 * MOST_TESTS } else { MOST_TESTS };
    // No proof may assume away what a run did.
    let left = match &outcome {
        Outcome::Bailed(bail) => Some((roamer.run.place(), bail.kind)),
        _ => None,
    };
    let left = left.filter(|way| !roamer.left.contains(way));
    if (fails || new || left.is_some()) && roamer.tests < most {
        roamer.tests += 1;
        let inputs = Arc::new(roamer.inputs(turn));
        if let Some(test) = testing::test(engine, inputs, None, Why::Roam) {
            return (taken, Some(test));
        }
        if engine.core.exits.leaves_model.is_some() {
            roamer.left.extend(left);
        }
    }
    let fresh = stopped.filter(|_| outcome == Outcome::Stopped);
    let kept = fresh.is_some_and(|at| {
        let next = roamer.run.snapshot(engine.core.graph, at);
        roamer.keep(next, turn, stop.state.loc)
    });
    if !kept {
        roamer.turns.pop();
    }
    if covers {
        roamer.answers.borrow_mut().was_good();
    }
    (taken, None)
}
