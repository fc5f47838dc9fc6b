//! Tests with objects where runs have them.
//!
//! Where an object lies is arbitrary to the solver, since a proof may not rest
//! on it. A model may then compare a pointer with a number, or two pointers,
//! as no run does: an object ends up at the very address of an error number.
//! When such a test diverges, the solver call is repeated with the
//! addresses of the witness's run.

use crate::algorithm::crossing;
use crate::core::Core;
use crate::events::Question;
use crate::forest::NodeId;
use crate::progress::Progress;
use crate::refine::refusal::Witness;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::task::Task;
use attest_model::environment::FIRST_ADDRESS;
use attest_model::graph::Loc;
use attest_solver::Answer;
use attest_term::{Op, Term};

/// Crosses a frontier by a test that finds objects where they are, after one that did not.
pub(crate) fn cross_with_layout(
    search: &mut Search<'_>,
    frontier: Frontier,
    witness: &Witness,
    question: &[Term],
    src: Loc,
) -> Option<Progress> {
    let Witness { node, beta, .. } = witness;
    let node = *node;
    let layout = layout(&mut search.core, &search.task, node, question);
    if layout.is_empty() {
        return None;
    }
    let all = [question, &layout].concat();
    let Answer::Sat(model) = search
        .core
        .ask_patiently(&search.task, Question::Frontier, &all)
    else {
        return None;
    };
    let inputs = search.core.test_of(&model, Some(node), beta, src);
    Some(crossing::cross(search, frontier, &[], Some(node), inputs))
}

/// The addresses in a node's state of the objects whose addresses are mentioned.
fn layout(core: &mut Core<'_>, task: &Task, node: NodeId, mentioned: &[Term]) -> Vec<Term> {
    let mut facts = Vec::new();
    for base in core.terms.reachable(mentioned) {
        let Op::Base { width } = core.terms.op(base) else {
            continue;
        };
        let object = core.terms.arg(base, 0);
        let mut numbers = Vec::new();
        numbers_of(
            core,
            object,
            core.options.tuning.tests.pointer_choices,
            &mut numbers,
        );
        for number in numbers {
            let own = core.terms.base(number, width);
            let address = core.value_at(task, node, own);
            let Some(address) = address.filter(|a| a.low_u64() >= FIRST_ADDRESS) else {
                continue;
            };
            let address = core.terms.value(address);
            let is = core.terms.eq(object, number);
            let there = core.terms.eq(base, address);
            facts.push(core.terms.implies(is, there));
        }
    }
    facts
}

/// The numbers among what an object may be.
fn numbers_of(core: &Core<'_>, object: Term, depth: u32, numbers: &mut Vec<Term>) {
    if core.terms.op(object) == Op::Ite && depth > 0 {
        for way in [1, 2] {
            numbers_of(core, core.terms.arg(object, way), depth - 1, numbers);
        }
    } else if core.terms.is_const(object) && !numbers.contains(&object) {
        numbers.push(object);
    }
}
