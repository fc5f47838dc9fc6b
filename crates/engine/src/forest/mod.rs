//! The forest of tests: states that executions really reach (algorithm notes 3).
//!
//! A node is a state at a cut point with the decisions that led there from
//! its parent. Beta, the symbolic state of a node's path, is computed on
//! demand from the parent's and kept. It depends on the decisions alone, and
//! a test that crosses a frontier makes those of its witness first: nodes whose
//! paths are the same have one beta, with one name for each input, so the
//! solver knows what it is asked about the next one already.
//!
//! A long test is thinned out: when it has many nodes, only its first few
//! states at each location become nodes, and the last one before each of
//! those. So one test goes through thousands of iterations of a loop and still has
//! a node where it leaves the loop and nodes behind it, as SYNERGY's figure 1 wants
//! it. A very long one has states but no paths to them any more; it goes on
//! because an error may be at its end.
//!
//! - `recorder`: the nodes that a running test becomes.

mod recorder;

use crate::tuning::TestLimits;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Stepper, Vocabulary};
use attest_exec::{Counts, CutTable, Inputs, Interpreter, Limits, Outcome, Snapshot, Val};
use attest_model::PlaceId;
use attest_model::graph::{Loc, Outcome as End};
use attest_term::{Term, Terms};
use recorder::Recorder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A node of the forest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// An activation of a function in a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ActivationId(pub u32);

/// An activation: who called it, and its states.
pub struct Activation {
    /// The caller's state before the call; none for the program itself.
    pub before: Option<NodeId>,
    /// Its own states, in their order.
    pub nodes: Vec<NodeId>,
}

/// A state that a test reached.
pub struct Node {
    /// Where.
    pub loc: Loc,
    /// The state before; none for the start.
    pub parent: Option<NodeId>,
    /// Nodes from the start.
    pub depth: u32,
    /// The first node of its test.
    pub test: NodeId,
    /// Cut points from the start, those that were thinned out included.
    number: u32,
    /// The state; none where the program had ended.
    pub state: Option<Snapshot>,
    /// What the function returned, at its exit.
    pub returned: Box<[Val]>,
    /// The activation that it belongs to.
    pub activation: ActivationId,
    /// Inputs that were taken until then.
    taken: Counts,
    /// Decisions on the way from the parent.
    ways: Arc<[u32]>,
    /// The first node with the same path, which has the beta of all of them.
    like: NodeId,
    beta: Option<Option<Arc<PathState>>>,
}

/// The path to a node: that of its parent, where it is, and the decisions in between.
type PathKey = (Option<NodeId>, Loc, Arc<[u32]>);

impl Node {
    /// The decisions on the way from the parent.
    pub fn ways(&self) -> &[u32] {
        &self.ways
    }
}

/// All tests.
pub struct Forest {
    nodes: Vec<Node>,
    /// The nodes at each location, in the order in which they came.
    by_location: Vec<Vec<NodeId>>,
    activations: Vec<Activation>,
    /// The first node of each path.
    paths: FxHashMap<PathKey, NodeId>,
    /// The activation that a state before a call led to.
    called: FxHashMap<NodeId, ActivationId>,
    /// The inputs of each test, by its first node.
    inputs: FxHashMap<NodeId, Arc<Inputs>>,
    no_inputs: bool,
}

/// How much of a test there may be.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Nodes before it is a long one.
    pub nodes: usize,
    /// Instructions after that.
    pub steps: u64,
    /// How much of a long one.
    pub limits: TestLimits,
}

/// What a test did.
pub struct TestRun {
    /// Its nodes, the first at the entry.
    pub nodes: Vec<NodeId>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub place: PlaceId,
    /// Instructions after it had become a long one,
    pub later: u64,
    /// and whether it came to a new location by them.
    pub news: bool,
    /// All instructions that were executed for it.
    pub steps: u64,
}

impl Forest {
    /// No tests yet, for a graph with so many locations.
    pub fn new(locations: usize) -> Forest {
        Forest {
            nodes: Vec::new(),
            by_location: vec![Vec::new(); locations],
            activations: Vec::new(),
            paths: FxHashMap::default(),
            called: FxHashMap::default(),
            inputs: FxHashMap::default(),
            no_inputs: false,
        }
    }

    /// Whether the last test took no inputs, so that every other would be the same.
    pub fn last_took_no_inputs(&self) -> bool {
        self.no_inputs
    }

    /// The nodes at a location, in the order in which they came.
    pub fn at(&self, loc: Loc) -> &[NodeId] {
        &self.by_location[loc.0 as usize]
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// An activation.
    pub fn activation(&self, id: ActivationId) -> &Activation {
        &self.activations[id.0 as usize]
    }

    fn activate(&mut self, before: Option<NodeId>) -> ActivationId {
        let id = ActivationId(self.activations.len() as u32);
        self.activations.push(Activation {
            before,
            nodes: Vec::new(),
        });
        if let Some(before) = before {
            self.called.insert(before, id);
        }
        id
    }

    /// The activation that the call at a state led to, if the test got there.
    pub fn called(&self, before: NodeId) -> Option<ActivationId> {
        self.called.get(&before).copied()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Runs a test and keeps its states: the first `most.nodes`, then few at each
    /// location. One that follows the path of a node keeps those of the path and the next.
    pub fn run(
        &mut self,
        stepper: &Stepper<'_>,
        cuts: &CutTable,
        inputs: Arc<Inputs>,
        follows: Option<NodeId>,
        most: Most,
    ) -> TestRun {
        let limits = Limits {
            steps: 20_000_000,
            memory: 1 << 28,
            depth: 10_000,
        };
        let mut run = Interpreter::new(stepper.program, inputs.clone(), stepper.overflow, limits);
        let mut keep = FxHashSet::default();
        if let Some(node) = follows {
            let path = self.path(node);
            keep.extend(path.iter().map(|n| self.node(*n).number));
            keep.insert(self.node(node).number + 1);
        }
        let mut recorder = Recorder::new(stepper.graph, self, keep, most);
        let outcome = run.watch(&mut recorder, cuts);
        let no_inputs = run.machine.feed.taken() == 0;
        if !matches!(outcome, Outcome::Stopped) {
            recorder.flush();
        }
        let later = match recorder.path.len() >= most.nodes {
            true => run.steps.saturating_sub(recorder.steps),
            false => 0,
        };
        recorder.forest.no_inputs = no_inputs;
        let (lost, first) = (recorder.lost, recorder.first);
        let news = recorder.news > recorder.steps;
        let (mut path, ways, number) = (recorder.path, recorder.ways, recorder.number);
        let place = run.place();
        let ends = &stepper.graph.functions[stepper.program.entry.0 as usize].ends;
        let end = match &outcome {
            Outcome::Returned(_) => ends.get(&End::Return),
            Outcome::Exited(_) | Outcome::Aborted => ends.get(&End::Halt),
            Outcome::Error(_) => ends.get(&End::Error),
            Outcome::Bailed(bail) => ends.get(&End::Bail(bail.kind)),
            _ => None,
        };
        if let Some(loc) = end {
            let parent = path.last().copied();
            let ways = (!lost).then_some(ways);
            let id = self.add(*loc, parent, None, ways, number + 1, first);
            self.nodes[id.0 as usize].taken = run.machine.feed.counts();
            path.push(id);
        }
        if let Some(first) = path.first() {
            self.inputs.insert(*first, inputs);
        }
        TestRun {
            nodes: path,
            outcome,
            place,
            later,
            news,
            steps: run.steps,
        }
    }

    /// Adds a node; without decisions there is no path to it.
    fn add(
        &mut self,
        loc: Loc,
        parent: Option<NodeId>,
        state: Option<Snapshot>,
        ways: Option<Vec<u32>>,
        number: u32,
        activation: ActivationId,
    ) -> NodeId {
        let depth = parent.map_or(0, |p| self.node(p).depth + 1);
        let id = NodeId(self.nodes.len() as u32);
        let test = parent.map_or(id, |p| self.node(p).test);
        self.by_location[loc.0 as usize].push(id);
        self.activations[activation.0 as usize].nodes.push(id);
        let beta = ways.is_none().then_some(None);
        let ways: Option<Arc<[u32]>> = ways.map(Arc::from);
        let like = match &ways {
            Some(ways) => {
                let before = parent.map(|p| self.node(p).like);
                let first = self.paths.entry((before, loc, ways.clone()));
                *first.or_insert(id)
            }
            None => id,
        };
        self.nodes.push(Node {
            loc,
            parent,
            depth,
            test,
            number,
            state,
            returned: Box::default(),
            activation,
            taken: [0, 0],
            ways: ways.unwrap_or_default(),
            like,
            beta,
        });
        id
    }

    /// The symbolic state of a node's path; none where symbolic execution cannot follow.
    pub fn beta(
        &mut self,
        terms: &mut Terms,
        stepper: &Stepper<'_>,
        vocabulary: &Vocabulary,
        id: NodeId,
    ) -> Option<Arc<PathState>> {
        // The nearest ancestor that is known, then down again: no recursion on long paths.
        let mut missing = Vec::new();
        let mut at = Some(id);
        let mut state = None;
        while let Some(node) = at.map(|node| self.like(node)) {
            match &self.node(node).beta {
                Some(known) => {
                    state = known.clone();
                    break;
                }
                None => missing.push(node),
            }
            at = self.node(node).parent;
        }
        for node in missing.into_iter().rev() {
            let next = match self.node(node).parent {
                None => Some(Arc::new(stepper.initial(terms, vocabulary))),
                Some(parent) => {
                    let start = stepper.graph.location(self.node(parent).loc).position;
                    let ways = self.node(node).ways.clone();
                    let prefix = format!("n{}.", node.0);
                    state.as_ref().and_then(|from| {
                        let next = stepper.follow(terms, from, start, &ways, &prefix);
                        next.ok().map(Arc::new)
                    })
                }
            };
            self.nodes[node.0 as usize].beta = Some(next.clone());
            state = next;
        }
        state
    }

    /// The first node whose path is that of a node.
    pub fn like(&self, id: NodeId) -> NodeId {
        self.node(id).like
    }

    /// What is known of a node's beta.
    fn known_beta(&self, id: NodeId) -> Option<&Arc<PathState>> {
        self.node(self.like(id)).beta.as_ref()?.as_ref()
    }

    /// The nodes from the start to a node.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut out = vec![id];
        while let Some(parent) = self.node(out[out.len() - 1]).parent {
            out.push(parent);
        }
        out.reverse();
        out
    }

    /// The state of a test, given by its nodes, that was reached by the same decisions as
    /// this one. A long test may have other nodes on the way.
    pub fn same_in(&self, test: &[NodeId], id: NodeId) -> Option<NodeId> {
        let number = self.node(id).number;
        let at = test.partition_point(|n| self.node(*n).number < number);
        let other = *test.get(at)?;
        let (a, b) = (self.node(other), self.node(id));
        let same = a.number == b.number
            && a.loc == b.loc
            && self.decisions_back(other).eq(self.decisions_back(id));
        same.then_some(other)
    }

    /// The decisions from a node back to the start.
    fn decisions_back(&self, id: NodeId) -> impl Iterator<Item = u32> {
        let nodes = std::iter::successors(Some(id), |node| self.node(*node).parent);
        nodes.flat_map(|node| self.node(node).ways.iter().rev().copied())
    }

    /// The inputs of the test of a node, without those of the iterations of loops on its
    /// path; none if there are no iterations.
    pub fn shortcut(&self, id: NodeId) -> Option<Inputs> {
        let path = self.path(id);
        // The last time that an activation came to a location.
        let place = |node: NodeId| (self.node(node).activation, self.node(node).loc);
        let mut last = FxHashMap::default();
        for (at, node) in path.iter().enumerate() {
            last.insert(place(*node), at);
        }
        let mut stretches: Vec<(Counts, Counts)> = Vec::new();
        let mut from = [0, 0];
        let mut at = 0;
        while at < path.len() {
            let again = last[&place(path[at])];
            if again > at {
                stretches.push((from, self.node(path[at]).taken));
                from = self.node(path[again]).taken;
            }
            at = again + 1;
        }
        stretches.push((from, self.node(id).taken));
        let inputs = self.inputs.get(&self.node(id).test)?;
        (stretches.len() > 1).then(|| inputs.of_stretches(&stretches))
    }

    /// The inputs that led to a node.
    pub fn inputs_to(&self, id: NodeId) -> Option<Inputs> {
        let node = self.node(id);
        let inputs = self.inputs.get(&node.test)?;
        Some(inputs.of_stretches(&[([0, 0], node.taken)]))
    }

    /// The conditions of a node's path. [`Forest::beta`] was called for it.
    pub fn path_condition(&self, id: NodeId) -> Vec<Term> {
        let steps = self.path(id);
        let states = steps.iter().filter_map(|n| self.known_beta(*n));
        let states = states.map(|state| &**state);
        attest_exec::symbolic::path::conditions(states)
    }

    /// The symbolic states along a node's path.
    pub fn states(&self, id: NodeId) -> Vec<Arc<PathState>> {
        let steps = self.path(id);
        steps
            .iter()
            .filter_map(|n| self.known_beta(*n).cloned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_exec::{InputValue, Overflow};
    use attest_model::{Granularity, Graph, lower};

    const PROGRAM: &str = "
declare i32 @__VERIFIER_nondet_int()
define i32 @twice(i32 %n) {
  %a = call i32 @__VERIFIER_nondet_int()
  %c = icmp slt i32 %a, %n
  br i1 %c, label %below, label %above
below:
  ret i32 %a
above:
  %s = add i32 %a, %n
  ret i32 %s
}
define i32 @main() {
  %a = call i32 @__VERIFIER_nondet_int()
  %c = icmp slt i32 %a, 0
  br i1 %c, label %small, label %large
small:
  ret i32 1
large:
  %r = call i32 @twice(i32 %a)
  %s = call i32 @twice(i32 %r)
  ret i32 %s
}";

    /// Tests with the same decisions have one beta, up to where their decisions differ.
    #[test]
    fn paths_that_are_the_same_have_one_beta() {
        let module = attest_llvm::read_module(PROGRAM, "test.ll").expect("it reads");
        let program = lower(&module, &Default::default()).expect("it is a program");
        let graph = Graph::of(&program, Granularity::Large);
        let cuts = CutTable::of(&program, &graph);
        let stepper = Stepper {
            program: &program,
            graph: &graph,
            overflow: Overflow::Wrap,
            excused: Default::default(),
        };
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::of(&mut terms, &program, program.entry);
        let mut forest = Forest::new(graph.locations.len());
        let most = Most {
            nodes: 400,
            steps: 0,
            limits: TestLimits::default(),
        };
        let mut path = |inputs: &[i128]| {
            let nondet = inputs.iter().map(|n| InputValue::Int(*n)).collect();
            let inputs = Inputs {
                nondet,
                ..Inputs::default()
            };
            let run = forest.run(&stepper, &cuts, Arc::new(inputs), None, most);
            let beta = |node| forest.beta(&mut terms, &stepper, &vocabulary, node);
            run.nodes.into_iter().map(beta).collect::<Vec<_>>()
        };
        let first = path(&[5, 7, 9]);
        let same = path(&[6, 8, 3]);
        let other = path(&[6, 8, 20]);
        let apart = path(&[-1]);
        assert!(first.len() > 6 && first.iter().all(Option::is_some));
        let shared = |a: &[Option<Arc<PathState>>], b: &[Option<Arc<PathState>>]| {
            let is = |(a, b): (&Option<Arc<PathState>>, &Option<Arc<PathState>>)| match (a, b) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            };
            a.iter().zip(b).take_while(|pair| is(*pair)).count()
        };
        assert_eq!(
            (same.len(), shared(&first, &same)),
            (first.len(), first.len())
        );
        let turn = shared(&first, &other);
        assert!(turn > 4 && turn < first.len(), "{turn} of {}", first.len());
        assert!((1..turn).contains(&shared(&first, &apart)));
    }
}
