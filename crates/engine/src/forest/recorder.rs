//! What becomes of a test while it runs: its states at cut points, as nodes of the forest.
//!
//! All of them up to a number; of a long test the first few at each location, and the last one
//! before each of those, so that decisions lead from node to node. After that only states that
//! no path leads to are kept, and where calls are not inlined none.

use super::{ActivationId, Forest, Most, NodeId};
use attest_exec::{Counts, Go, Interpreter, Observer, Snapshot};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Watches a run and adds its states.
pub(super) struct Recorder<'f, 'g> {
    graph: &'g Graph,
    /// The activation of the entry,
    pub first: ActivationId,
    /// and those on the stack, the innermost last.
    active: Vec<ActivationId>,
    pub forest: &'f mut Forest,
    pub path: Vec<NodeId>,
    pub ways: Vec<u32>,
    most: Most,
    /// There are no paths to its states any more.
    pub lost: bool,
    /// There are calls that are not inlined.
    calls: bool,
    /// Numbers of cut points that become nodes in any case, and the last of them.
    keep: FxHashSet<u32>,
    last: u32,
    /// The number of the cut point.
    pub number: u32,
    /// How often each location was met.
    visits: FxHashMap<Loc, u32>,
    /// Instructions until the test had become a long one,
    pub steps: u64,
    /// and until it came to a location for the first time.
    pub news: u64,
    /// The last state that did not become a node, and the decisions until there.
    passed: Option<(Loc, Snapshot, usize, u32, Counts)>,
}

impl<'f, 'g> Recorder<'f, 'g> {
    /// One for a test, of which these states become nodes in any case.
    pub fn new(graph: &'g Graph, forest: &'f mut Forest, keep: FxHashSet<u32>, most: Most) -> Self {
        let first = forest.activate(None);
        Recorder {
            graph,
            first,
            active: vec![first],
            forest,
            path: Vec::new(),
            ways: Vec::new(),
            most,
            lost: false,
            calls: graph.has_calls(),
            last: keep.iter().copied().max().unwrap_or(0),
            keep,
            number: 0,
            visits: FxHashMap::default(),
            steps: 0,
            news: 0,
            passed: None,
        }
    }

    fn add(&mut self, at: Loc, state: Snapshot, number: u32, taken: Counts) {
        let ways = std::mem::take(&mut self.ways);
        let ways = (!self.lost).then_some(ways);
        let parent = self.path.last().copied();
        let activation = self.active[self.active.len() - 1];
        let id = self
            .forest
            .add(at, parent, Some(state), ways, number, activation);
        self.forest.nodes[id.0 as usize].taken = taken;
        self.path.push(id);
    }

    /// The last state that was passed by becomes a node after all.
    pub fn flush(&mut self) {
        if let Some((at, state, ways, number, taken)) = self.passed.take() {
            let later = self.ways.split_off(ways);
            self.add(at, state, number, taken);
            self.ways = later;
        }
    }

    /// Nothing more is kept: states in calls are of use only with their paths.
    fn is_mute(&self) -> bool {
        self.lost && self.calls
    }

    fn goes_on(&self, long: bool, later: u64) -> Go {
        let since_news = later + self.steps - self.news;
        let on = later < self.most.steps && since_news < self.most.limits.unchanged_instructions;
        match !long || self.number < self.last || on {
            true => Go::On,
            false => Go::Stop,
        }
    }

    /// Decisions lead to the start of a block and no further, so a state elsewhere
    /// must not be passed by if the next is to be a node.
    fn is_start_of_block(&self, at: Loc) -> bool {
        let position = self.graph.location(at).position;
        position.is_some_and(|p| p.index == 0)
    }
}

impl Observer for Recorder<'_, '_> {
    const CUTS: bool = true;
    const STEPS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        let depth = run.depth() as usize + 1;
        if self.active.len() != depth && !self.is_mute() {
            // The state that was passed by belongs to the activation that ended.
            self.flush();
            self.active.truncate(depth);
            if self.active.len() < depth {
                let before = self.path.last().copied();
                self.active.push(self.forest.activate(before));
            }
        }
        self.number += 1;
        let visits = self.visits.entry(at).or_default();
        *visits += 1;
        let long = self.path.len() >= self.most.nodes;
        if !long {
            self.steps = run.steps;
        }
        let later = run.steps - self.steps;
        let visits = *visits;
        if visits == 1 {
            self.news = run.steps;
        }
        let full = self.path.len() >= self.most.nodes.saturating_mul(self.most.limits.call_states);
        let far = later >= self.most.limits.followed_instructions || full;
        if long && far && self.number > self.last && !self.lost {
            self.flush();
            self.lost = true;
        }
        if self.is_mute() {
            return self.goes_on(long, later);
        }
        let taken = run.machine.feed.counts();
        let at_call = matches!(
            self.graph.location(at).kind,
            LocKind::BeforeCall | LocKind::AfterCall | LocKind::Entry
        );
        if !long
            || at_call
            || visits <= self.most.limits.late_states
            || self.keep.contains(&self.number)
        {
            self.flush();
            let state = run.snapshot(self.graph, at);
            self.add(at, state, self.number, taken);
        } else if self.lost && visits.is_power_of_two() {
            let state = run.snapshot(self.graph, at);
            self.add(at, state, self.number, taken);
        } else if !self.lost && self.is_start_of_block(at) {
            let (state, ways) = (run.snapshot(self.graph, at), self.ways.len());
            self.passed = Some((at, state, ways, self.number, taken));
        }
        self.goes_on(long, later)
    }

    fn ended_block(&mut self, run: &mut Interpreter<'_>, end: &Terminator, _place: PlaceId) {
        if self.lost {
            return;
        }
        self.ways.push(way(run, end));
        let Terminator::Return(values) = end else {
            return;
        };
        if run.depth() == 0 {
            return;
        }
        self.flush();
        self.number += 1;
        let exit = self.graph.functions[run.frame.function.0 as usize].exit;
        let returned = values.iter().map(|value| run.read(*value)).collect();
        let state = run.snapshot(self.graph, exit);
        let taken = run.machine.feed.counts();
        self.add(exit, state, self.number, taken);
        if let Some(id) = self.path.last() {
            self.forest.nodes[id.0 as usize].returned = returned;
        }
    }
}

/// Which of its ways a block takes, as [`attest_exec::symbolic::step::guards`] numbers them.
fn way(run: &Interpreter<'_>, end: &Terminator) -> u32 {
    match end {
        Terminator::Branch { cond, .. } => u32::from(!run.read(*cond).is_true()),
        Terminator::Switch { value, cases, .. } => {
            let value = run.read(*value).int();
            cases
                .iter()
                .position(|(case, _)| *case == value)
                .unwrap_or(cases.len()) as u32
        }
        Terminator::PtrSwitch { ptr, cases, .. } => {
            let p = run.read(*ptr);
            let fits = |(object, offset, _): &(ObjectId, u64, Target)| {
                p == attest_exec::Val::ptr(*object, *offset)
            };
            cases.iter().position(fits).unwrap_or(cases.len()) as u32
        }
        _ => 0,
    }
}
