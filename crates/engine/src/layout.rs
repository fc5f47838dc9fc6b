//! Tests with objects where runs have them.
//!
//! Where an object lies is arbitrary to the solver, since a proof may not rest
//! on it. A model may then compare a pointer with a number, or two pointers,
//! as no run does: an object ends up at the very address of an error number.
//! When such a test goes astray, the question is asked once more with the
//! addresses of the witness's run.

use crate::dash::Progress;
use crate::engine::Engine;
use crate::events::Question;
use crate::forest::NodeId;
use crate::frontier::Frontier;
use attest_exec::symbolic::path::PathState;
use attest_model::environment::FIRST_ADDRESS;
use attest_model::graph::Loc;
use attest_solver::Answer;
use attest_term::{Op, Term};
use std::rc::Rc;

/// Choices inside each other that are looked into for the objects of a pointer.
const DEEPEST: u32 = 8;

impl Engine<'_> {
    /// Crosses a frontier by a test that finds objects where they are, after one that did not.
    pub(crate) fn cross_as_laid_out(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        question: &[Term],
        beta: &Rc<PathState>,
        src: Loc,
    ) -> Option<Progress> {
        let layout = self.layout(node, question);
        if layout.is_empty() {
            return None;
        }
        let all = [question, &layout].concat();
        let Answer::Sat(model) = self.ask_patiently(Question::Frontier, &all) else {
            return None;
        };
        let inputs = self.test_of(&model, Some(node), beta, src);
        Some(self.cross(frontier, Some(node), inputs))
    }

    /// The addresses in a node's state of the objects whose addresses are mentioned.
    fn layout(&mut self, node: NodeId, mentioned: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        for base in self.terms.reachable(mentioned) {
            let Op::Base { width } = self.terms.op(base) else {
                continue;
            };
            let object = self.terms.arg(base, 0);
            let mut numbers = Vec::new();
            self.numbers_of(object, DEEPEST, &mut numbers);
            for number in numbers {
                let own = self.terms.base(number, width);
                let address = self.value_at(node, own);
                let Some(address) = address.filter(|a| a.low_u64() >= FIRST_ADDRESS) else {
                    continue;
                };
                let address = self.terms.value(address);
                let is = self.terms.eq(object, number);
                let there = self.terms.eq(base, address);
                facts.push(self.terms.implies(is, there));
            }
        }
        facts
    }

    /// The numbers among what an object may be.
    fn numbers_of(&self, object: Term, depth: u32, numbers: &mut Vec<Term>) {
        if self.terms.op(object) == Op::Ite && depth > 0 {
            for way in [1, 2] {
                self.numbers_of(self.terms.arg(object, way), depth - 1, numbers);
            }
        } else if self.terms.is_const(object) && !numbers.contains(&object) {
            numbers.push(object);
        }
    }
}
