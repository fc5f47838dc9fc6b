//! RefineWithGeneralization: a predicate that is more than one step's precondition, where exact
//! preconditions do not end (SYNERGY, line 35 of its figure 2 and section 5).
//!
//! Exact preconditions go back through a loop one iteration at a time: `y < 0`, `y + x < 0`,
//! `y + 2x < 0`, and each has the counter of the loop in it. The paper leaves open which
//! generalisation is used and names two, interpolation and widening. So there are two here.
//! The first is a conjunct of the precondition that no test's state at the location satisfies,
//! or none in the region: an interpolant between what the tests reached and the rest of an
//! error path. A counter that the tests run through is not in it. The second is about
//! predicates that go on and on all the same: facts that hold of all tests' states and that no
//! step breaks become invariants ([`crate::invariants::houdini`]). As in widening, what was
//! true so far is taken to be true for ever, and here it is kept if that is so.
//!
//! The paper uses it where the algorithm does not end without. Here the first is used where a
//! location was split before, and the second where it was split again and again. Sound, since
//! the precondition implies each of its conjuncts, and invariants are a part of the proof.

use crate::algorithm::strategy::Predicate;
use crate::core::Core;
use crate::invariants::{candidates, houdini};
use crate::refine::refusal::{Refusal, Suggestion};
use crate::refine::{separating, splits_before, without_inputs};
use crate::task::Task;
use crate::techniques::Technique;
use attest_model::graph::Loc;
use attest_term::{Program as Compiled, Term};

/// A more general predicate than the precondition, if there is one.
pub(super) fn suggest(
    core: &mut Core<'_>,
    task: &mut Task,
    refusal: &Refusal<'_>,
) -> Option<Suggestion> {
    let options = &core.options;
    if options.strategy.predicate != Predicate::Pre || !options.uses(Technique::Generalise) {
        return None;
    }
    let limits = options.tuning.refinement;
    let (loc, splits) = splits_before(task, refusal);
    if splits < limits.splits_before_generalising {
        return None;
    }
    if splits >= limits.splits_before_widening && houdini::learn(core, task, loc, splits) {
        return Some(Suggestion::Learnt);
    }
    interpolant(core, task, refusal, loc)
}

/// The smallest conjunct of the precondition that no test's state at the location satisfies, or
/// else none in the region.
fn interpolant(
    core: &mut Core<'_>,
    task: &mut Task,
    refusal: &Refusal<'_>,
    loc: Loc,
) -> Option<Suggestion> {
    let mut plain = without_inputs(core, task, refusal, false)?;
    plain.sort_by_key(|piece| core.terms.dag_size(&[*piece]));
    let outside: Vec<Term> = plain.iter().map(|piece| core.terms.not(*piece)).collect();
    let compiled = Compiled::compile_all(&core.terms, &outside);
    let at_location = core.nodes_at(task, loc).to_vec();
    let in_region = task.regions.region(refusal.frontier.from).witnesses.clone();
    let rho = [at_location, in_region].iter().find_map(|nodes| {
        let holds = candidates::which_hold(core, task, nodes, &compiled);
        plain
            .iter()
            .zip(holds)
            .find_map(|(piece, outside)| outside.then_some(*piece))
    })?;
    separating(core, task, refusal, &[rho], "interpolant")
}
