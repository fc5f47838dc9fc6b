//! Queries with weaker post-conditions, as must summaries suggest them.
//!
//! A query asks whether a callee can end in the region after the call, and the region may say
//! much of what the callee is not about: its not-may summary would serve that region alone.
//! Every path that some test took through the callee does not lead there, or the call would
//! have been crossed by it ([`crate::must`]), and the solver says which parts of the region
//! each of them contradicts. So the query is asked of these parts only. If they are enough,
//! the summary serves every region that has them. If a test ends in the weaker
//! post-condition after all, its path is one more that says which parts matter.
//!
//! This is the interplay of the SMASH paper, section 4, taken one step further: what must
//! summaries know decides what not-may summaries are made of. Nothing of a proof depends on
//! it: a summary of a weaker post-condition says more, and it is proved like any other.

use crate::engine::Engine;
use crate::events::{Deed, Event, Question};
use crate::forest::NodeId;
use crate::frontier::Frontier;
use crate::must::Miss;
use crate::strategy::Calls;
use crate::techniques::Technique;
use attest_model::FnId;
use attest_model::graph::Loc;
use attest_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Tests before a call that a weaker post-condition is compared with.
const MOST_WITNESSES: usize = 32;

/// A post-condition over the callee's exit and ghosts, each with the caller's term.
pub(crate) type Post = (Term, Vec<(Term, Term)>);

/// The post-conditions that are asked for weaker ones.
#[derive(Default)]
pub(crate) struct Weaker {
    /// The parts that are asked for, by call and what the caller wants to know: the callee's
    /// post-condition would not do, since ghosts stand for other terms each time.
    parts: FxHashMap<(Loc, Box<[Term]>), Vec<Term>>,
    /// Post-conditions of a function that a test ended in, or that were not decided.
    refuted: FxHashSet<(FnId, Term)>,
}

impl Engine<'_> {
    /// The parts of a conjunction.
    pub(crate) fn conjuncts(&mut self, of: &[Term]) -> Vec<Term> {
        let mut out = Vec::new();
        let mut work: Vec<Term> = of.iter().rev().copied().collect();
        while let Some(term) = work.pop() {
            let inner = match self.terms.op(term) {
                Op::Not => Some(self.terms.arg(term, 0)),
                _ => None,
            };
            match (self.terms.op(term), inner.map(|t| self.terms.op(t))) {
                (Op::And, _) => work.extend(self.terms.args(term).iter().rev()),
                (_, Some(Op::Or)) => {
                    let parts = inner.map_or(Vec::new(), |t| self.terms.args(t).to_vec());
                    for part in parts.into_iter().rev() {
                        work.push(self.terms.not(part));
                    }
                }
                (Op::Bool(true), _) => {}
                _ if out.contains(&term) => {}
                _ => out.push(term),
            }
        }
        out
    }

    /// The weaker post-condition that was chosen for this at a call.
    pub(crate) fn weaker(&mut self, src: Loc, callee: FnId, rest: &[Term]) -> Option<Post> {
        let parts = self.weaker.parts.get(&(src, rest.into()))?.clone();
        self.post_condition(src, callee, &parts)
    }

    /// Chooses a weaker post-condition: as few parts as make the tests and every known path
    /// through the callee miss it.
    pub(crate) fn weaken(
        &mut self,
        frontier: Frontier,
        callee: FnId,
        rest: &[Term],
        missed: &[Miss],
    ) -> Option<Post> {
        let both = self.options.strategy.calls == Calls::Smash;
        if !both || !self.options.uses(Technique::Weaker) {
            return None;
        }
        let src = self.regions.region(frontier.from).loc;
        let all = self.conjuncts(rest);
        let key = (src, rest.into());
        let known = self.weaker.parts.get(&key);
        let mut parts: Vec<Term> = known.cloned().unwrap_or_default();
        let witnesses = &self.regions.region(frontier.from).witnesses;
        for node in witnesses.iter().take(MOST_WITNESSES) {
            if !self.misses(*node, &parts) {
                let false_there = |part: &&Term| self.misses(*node, &[**part]);
                let smallest = |part: &&Term| self.terms.dag_size(&[**part]);
                parts.push(*all.iter().filter(false_there).min_by_key(smallest)?);
            }
        }
        for miss in missed {
            let mut asked = miss.conditions.clone();
            asked.extend(self.all_along(&miss.end, &parts));
            if !self.ask_briefly(Question::Must, &asked).is_unsat() {
                let more = miss.parts.iter().filter(|part| all.contains(part));
                parts.extend(more);
            }
        }
        // In the order of the region, so that the same parts make the same question.
        let parts: Vec<Term> = all.iter().filter(|p| parts.contains(p)).copied().collect();
        if parts.len() == all.len() {
            return None;
        }
        let weaker = self.post_condition(src, callee, &parts)?;
        if self.weaker.refuted.contains(&(callee, weaker.0)) {
            return None;
        }
        self.weaker.parts.insert(key, parts);
        let (what, function) = (Deed::Weaker, callee);
        self.tell(Event::Procedure { what, function });
        Some(weaker)
    }

    /// Whether a test's state after the call at a node is outside of some of these.
    fn misses(&self, before: NodeId, parts: &[Term]) -> bool {
        let activation = self.forest.node(before).activation;
        let nodes = &self.forest.activation(activation).nodes;
        let at = nodes.iter().position(|n| *n == before);
        let after = at.and_then(|at| nodes.get(at + 1));
        let is_false = |after: NodeId| {
            let mut parts = parts.iter();
            parts.any(|part| self.is_true_at(after, *part) == Some(false))
        };
        after.is_some_and(|after| is_false(*after))
    }

    /// A query was not answered with no.
    pub(crate) fn refute_weaker(&mut self, callee: FnId, post: Term) {
        self.weaker.refuted.insert((callee, post));
        let (what, function) = (Deed::Refuted, callee);
        self.tell(Event::Procedure { what, function });
    }
}
