//! RefineWithGeneralization: a predicate that is more than one step's precondition, where exact
//! preconditions do not end (SYNERGY, line 35 of its figure 2 and section 5).
//!
//! Exact preconditions go back through a loop one iteration at a time: `y < 0`, `y + x < 0`,
//! `y + 2x < 0`, and each has the counter of the loop in it. The paper leaves open which
//! generalisation is used and names two, interpolation and widening. So there are two here.
//! The first is the part of the precondition that the solver needed to exclude the test's
//! path: that is an interpolant between the path and the rest of the way to the error, and what
//! has nothing to do with the contradiction, such as a counter, is not in it. The second is
//! the complement of facts that hold of all tests' states at the location and exclude the
//! step: as in widening, what was true so far is taken to be true for ever, and a test that
//! breaks it splits the region again.
//!
//! The paper uses it where the algorithm does not end without. Here that is where the location
//! was split before. Sound, since the first follows from the precondition as each of its
//! conjuncts does, and the solver says so of the second; the split rule asks for no more.

use crate::algorithm::strategy::Predicate;
use crate::core::Core;
use crate::refine::pool;
use crate::refine::refusal::{Refusal, Suggestion};
use crate::refine::{separating, splits_before, without_inputs};
use crate::task::Task;
use crate::techniques::Technique;

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
    let (_, splits) = splits_before(task, refusal);
    if splits < options.tuning.refinement.splits_before_generalising {
        return None;
    }
    interpolant(core, task, refusal).or_else(|| pool::suggest(core, task, refusal))
}

/// The conjuncts that the solver needed, if it did not need all.
fn interpolant(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    if refusal.core.len() == refusal.pre.len() {
        return None;
    }
    let plain = match refusal.core.iter().all(|p| core.is_of_state(task, *p)) {
        true => refusal.core.clone(),
        false => without_inputs(core, task, refusal, true)?,
    };
    separating(core, task, refusal, &plain, "interpolant")
}
