//! Tests: the first ones, short cuts to what only long ones reach, and what becomes of each.
//!
//! A test is a run of the whole program. Its states become witnesses of the regions that
//! they lie in, one that fails is run a second time before it is believed, and one that
//! leaves the model takes away the proofs that would assume the contrary.

use crate::engine::Engine;
use crate::events::{Event, Why};
use crate::forest::{Most, NodeId, TestRun};
use crate::techniques::Technique;
use crate::verdict::FailingTest;
use attest_exec::{Inputs, Interpreter, Limits, Outcome};
use attest_model::BailKind;
use attest_model::graph::{Loc, LocKind};
use attest_term::Scratch;
use std::sync::Arc;

/// States before a location that make the way to it a long one,
const LONG: u32 = 12;
/// and short ones that are tried.
const MOST_SHORTCUTS: usize = 200;
/// Instructions that each test may take after its first states.
const LEAST_LATER: u64 = 100_000;

impl Engine<'_> {
    /// A few runs on simple inputs, so that there is something to follow.
    pub(crate) fn first_tests(&mut self) -> Option<FailingTest> {
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
        let run = self
            .forest
            .run(&self.stepper, &self.cuts, inputs, follows, most);
        self.counted.instructions += run.steps;
        self.counted.snapshots += run.nodes.len() as u64;
        run
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
}
