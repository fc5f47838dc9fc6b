//! Lee and Yannakakis (STOC 1992), as SYNERGY's figure 5 has it: a baseline without guidance.
//!
//! Two phases, the first as long as it makes progress. *Search* looks for a
//! region without a witness and a concrete step into it from the witness of
//! another; a region has one witness at most. *Split* takes a visited region
//! `P` and a region `Q` such that some states of `P` step into `Q` and some do
//! not, and splits `P` by the precondition of `Q`. When nothing is left to
//! do, the visited regions are the reachable part of the bisimulation quotient,
//! and the program is safe.
//!
//! Neither phase knows where the error is. So where the quotient is infinite
//! (here: as large as the integers) it does not end, though the proof may need
//! no split at all; and a loop of a thousand turns costs a thousand splits.
//!
//! A witness is a concrete state: the question fixes all that is live in it,
//! and the path to it as well, so that the answer is a test. Preconditions are
//! exact but for inputs, which are taken out of them from above
//! (`eliminate`). That is sound, since a split needs no more; a pair
//! that stays unstable for this reason is left alone, and if it matters in the
//! end there is no verdict. Proofs are those of the region graph, as SYNERGY's.

use crate::dash::Progress;
use crate::eliminate::eliminate;
use crate::engine::Engine;
use crate::events::{Cut, Event, Question, Why};
use crate::forest::{Most, NodeId};
use crate::frontier::{Frontier, Next};
use crate::regions::RegionId;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::Inputs;
use attest_exec::symbolic::step::Part;
use attest_model::graph::{Graph, Loc};
use attest_solver::Answer;
use attest_term::{Scratch, Term};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Duration;

/// A test that stops as soon as it has come to the state it is for.
const ONE_STEP: Most = Most { nodes: 1, steps: 0 };

/// Pairs of regions that nothing more is to be asked about.
#[derive(Default)]
pub(crate) struct Known {
    /// There is no step from the witness of the first into the second.
    searched: FxHashSet<(RegionId, RegionId)>,
    /// They are stable, as far as can be told.
    stable: FxHashSet<(RegionId, RegionId)>,
}

/// What the search phase found.
enum Found {
    Witness,
    Failure(FailingTest),
    Nothing,
}

impl Engine<'_> {
    /// The loop, until there is a verdict or it is late.
    pub(crate) fn lee_yannakakis(&mut self, until: Option<Duration>) -> Option<Verdict> {
        while until.is_none_or(|until| self.effort() < until) {
            if let Some(reason) = self.out_of_limits() {
                return Some(Verdict::Unknown(reason));
            }
            self.tell(Event::Round);
            match self.search_for_witness() {
                Found::Witness => continue,
                Found::Failure(test) => return Some(Verdict::Unsafe(test)),
                Found::Nothing => {}
            }
            if self.stabilise() {
                continue;
            }
            if let Next::Nothing = self.choose() {
                return self.conclude();
            }
            let why = "the regions are stable as far as the solver can tell, and reach the error";
            return Some(Verdict::Unknown(Reason::Stuck(why.into())));
        }
        None
    }

    /// Pairs of a visited region and one that it has an edge to.
    fn pairs(&self) -> Vec<(RegionId, RegionId)> {
        let mut pairs = Vec::new();
        let locations = self.graph.locations_of(self.function);
        for loc in std::iter::once(Graph::ROOT).chain(locations.map(Loc)) {
            for from in self.regions.at(loc) {
                if loc != Graph::ROOT && !self.regions.visited(*from) {
                    continue;
                }
                for edge in &self.graph.outgoing[loc.0 as usize] {
                    let to = self.regions.at(self.graph.edge(*edge).dst).iter();
                    let cut = &self.regions.region(*from).cut;
                    let to = to.filter(|to| !cut.contains(to));
                    pairs.extend(to.map(|to| (*from, *to)));
                }
            }
        }
        pairs
    }

    /// Lines 11 to 15: a region without a witness, and a step into it from a witness.
    fn search_for_witness(&mut self) -> Found {
        for (from, to) in self.pairs() {
            if self.regions.visited(to) || !self.known.searched.insert((from, to)) {
                continue;
            }
            let node = self.regions.region(from).witnesses.first().copied();
            let Some(inputs) = self.step_into(from, node, to) else {
                continue;
            };
            let inputs = Arc::new(inputs);
            let run = self.run_test(inputs.clone(), node, ONE_STEP);
            if let Some(test) = self.judge(inputs, &run, Why::Crossing) {
                return Found::Failure(test);
            }
            let at = node.map_or(0, |node| self.forest.node(node).depth as usize + 1);
            let Some(&new) = run.nodes.get(at) else {
                continue;
            };
            let region = self.region_of(new, &mut Scratch::default());
            if self.regions.visited(region) {
                // The solver's state and the interpreter's differ; that is no new witness.
                self.statistics.missed += 1;
                continue;
            }
            self.sort_in(new);
            return Found::Witness;
        }
        Found::Nothing
    }

    /// Inputs on which the witness of a region steps into another.
    fn step_into(&mut self, from: RegionId, node: Option<NodeId>, to: RegionId) -> Option<Inputs> {
        let src = self.regions.region(from).loc;
        let pieces = self.pieces(src, to)?;
        let Some(node) = node else {
            let Answer::Sat(model) = self.ask(Question::Frontier, &pieces) else {
                return None;
            };
            let initial = self.initial.clone();
            return Some(self.test_of(&model, None, &initial, Graph::ROOT));
        };
        let beta = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, node)?;
        let mut all = self.values_at(node, &pieces);
        all.extend(pieces);
        let mut question = self.all_along(&beta, &all);
        question.extend(self.path_to(node));
        match self.ask(Question::Frontier, &question) {
            Answer::Sat(model) => Some(self.test_of(&model, Some(node), &beta, src)),
            _ => None,
        }
    }

    /// That the state is the witness's own: its live variables, and the memory that these
    /// pieces read.
    fn values_at(&mut self, node: NodeId, pieces: &[Term]) -> Vec<Term> {
        let location = self.graph.location(self.forest.node(node).loc);
        let is_live = |part: Part| match part {
            Part::Reg(reg, _) => location.live.contains(&reg),
            Part::Global(..) | Part::NextObject => true,
            Part::Result(..) => false,
        };
        let parts = self.vocabulary.parts();
        let mut terms: Vec<Term> = parts
            .filter(|(_, part)| is_live(*part))
            .map(|(term, _)| term)
            .collect();
        terms.extend(self.terms.reads(pieces));
        terms.sort_unstable();
        let mut facts = Vec::with_capacity(terms.len());
        for term in terms {
            // What is read of an object that the step makes is not there yet.
            if !self.is_of_state(term) {
                continue;
            }
            if let Some(value) = self.value_at(node, term) {
                let value = self.terms.value(value);
                facts.push(self.terms.eq(term, value));
            }
        }
        facts
    }

    /// Lines 17 to 20: splits a visited region of which only a part steps into another.
    fn stabilise(&mut self) -> bool {
        for (from, to) in self.pairs() {
            if !self.known.stable.insert((from, to)) {
                continue;
            }
            let frontier = Frontier {
                from,
                to,
                distance: 0,
            };
            let src = self.regions.region(from).loc;
            let Some(pieces) = self.pieces(src, to) else {
                self.cut(frontier, Cut::NoStep);
                continue;
            };
            let mut meets = pieces.clone();
            meets.extend(self.known_at(from));
            if self.ask(Question::Edge, &meets).is_unsat() {
                self.cut(frontier, Cut::Edge);
                continue;
            }
            if src == Graph::ROOT {
                continue;
            }
            let plain = eliminate(&mut self.terms, &pieces);
            let mut plain = self.flatten(plain);
            plain.retain(|piece| self.is_of_state(*piece));
            let pre = self.terms.all(&plain);
            let mut beside = self.known_at(from);
            beside.push(self.terms.not(pre));
            if !self.ask(Question::Stable, &beside).is_sat() {
                continue;
            }
            if let Progress::Made = self.apply_split(frontier, pre, &pieces, "stable") {
                return true;
            }
        }
        false
    }
}
