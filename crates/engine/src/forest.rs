//! The forest of tests: states that executions really reach (algorithm notes 3).
//!
//! A node is a state at a cut point with the decisions that led there from
//! its parent. Beta, the symbolic state of a node's path, is computed on
//! demand from the parent's and kept.

use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Stepper, Vocabulary};
use attest_exec::{CutTable, Go, Inputs, Interpreter, Limits, Observer, Outcome, Snapshot};
use attest_model::graph::{Graph, Loc, Outcome as End};
use attest_model::*;
use attest_term::{Term, Terms};
use std::rc::Rc;
use std::sync::Arc;

/// A node of the forest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A state that a test reached.
pub struct Node {
    /// Where.
    pub loc: Loc,
    /// The state before; none for the start.
    pub parent: Option<NodeId>,
    /// Steps from the start.
    pub depth: u32,
    /// The state; none where the program had ended.
    pub state: Option<Snapshot>,
    /// Decisions on the way from the parent.
    ways: Box<[u32]>,
    beta: Option<Option<Rc<PathState>>>,
}

/// All tests.
pub struct Forest {
    nodes: Vec<Node>,
}

/// What a test did.
pub struct TestRun {
    /// Its nodes, the first at the entry.
    pub nodes: Vec<NodeId>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub place: PlaceId,
}

impl Forest {
    /// No tests yet.
    pub fn new() -> Forest {
        Forest { nodes: Vec::new() }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Runs a test and keeps its states.
    pub fn run(
        &mut self,
        stepper: &Stepper<'_>,
        cuts: &CutTable,
        inputs: Arc<Inputs>,
        most_nodes: usize,
    ) -> TestRun {
        let limits = Limits {
            steps: 20_000_000,
            memory: 1 << 28,
            depth: 10_000,
        };
        let mut run = Interpreter::new(stepper.program, inputs, stepper.overflow, limits);
        let mut recorder = Recorder {
            graph: stepper.graph,
            forest: self,
            path: Vec::new(),
            ways: Vec::new(),
            most: most_nodes,
        };
        let outcome = run.watch(&mut recorder, cuts);
        let (mut path, ways) = (recorder.path, recorder.ways);
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
            path.push(self.add(*loc, path.last().copied(), None, ways));
        }
        TestRun {
            nodes: path,
            outcome,
            place,
        }
    }

    fn add(
        &mut self,
        loc: Loc,
        parent: Option<NodeId>,
        state: Option<Snapshot>,
        ways: Vec<u32>,
    ) -> NodeId {
        let depth = parent.map_or(0, |p| self.node(p).depth + 1);
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            loc,
            parent,
            depth,
            state,
            ways: ways.into_boxed_slice(),
            beta: None,
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
    ) -> Option<Rc<PathState>> {
        // The nearest ancestor that is known, then down again: no recursion on long paths.
        let mut missing = Vec::new();
        let mut at = Some(id);
        let mut state = None;
        while let Some(node) = at {
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
                None => Some(Rc::new(stepper.initial(terms, vocabulary))),
                Some(parent) => {
                    let start = stepper.graph.location(self.node(parent).loc).position;
                    let ways = self.node(node).ways.clone();
                    let prefix = format!("n{}.", node.0);
                    match (&state, start) {
                        (Some(from), Some(start)) => stepper
                            .follow(terms, from, start, &ways, &prefix)
                            .ok()
                            .map(Rc::new),
                        _ => None,
                    }
                }
            };
            self.nodes[node.0 as usize].beta = Some(next.clone());
            state = next;
        }
        state
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

    /// The conditions of a node's path. [`Forest::beta`] was called for it.
    pub fn path_condition(&self, id: NodeId) -> Vec<Term> {
        let steps = self.path(id);
        let states = steps
            .iter()
            .filter_map(|n| self.node(*n).beta.as_ref()?.as_deref());
        attest_exec::symbolic::path::conditions(states)
    }

    /// The symbolic states along a node's path.
    pub fn states(&self, id: NodeId) -> Vec<Rc<PathState>> {
        let steps = self.path(id);
        steps
            .iter()
            .filter_map(|n| self.node(*n).beta.clone()?)
            .collect()
    }
}

impl Default for Forest {
    fn default() -> Forest {
        Forest::new()
    }
}

/// Watches a run and adds its states.
struct Recorder<'f, 'g> {
    graph: &'g Graph,
    forest: &'f mut Forest,
    path: Vec<NodeId>,
    ways: Vec<u32>,
    most: usize,
}

impl Observer for Recorder<'_, '_> {
    const CUTS: bool = true;
    const STEPS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        let state = run.snapshot(self.graph, at);
        let ways = std::mem::take(&mut self.ways);
        let id = self
            .forest
            .add(at, self.path.last().copied(), Some(state), ways);
        self.path.push(id);
        if self.path.len() < self.most {
            Go::On
        } else {
            Go::Stop
        }
    }

    fn ended_block(&mut self, run: &Interpreter<'_>, end: &Terminator, _place: PlaceId) {
        self.ways.push(way(run, end));
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
