//! The step out of the start: it is only ever taken from the first state.
//!
//! Nothing leads back to the start of the program, so the states there are
//! those that the program begins with, and the symbolic first state is all of
//! them. If it cannot take a step into a region, nothing can, and no predicate
//! over the start has to say why. That matters where none could: a pointer
//! that was never set may lead anywhere, and that memory is as it was at first
//! everywhere is a fact about every place, not about some.
//!
//! The checker takes the steps out of the start from the first state as well.

use crate::core::Core;
use crate::events::Question;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use attest_model::graph::Graph;
use attest_term::Term;

/// Whether this frontier is a step out of the start that no first state can take.
pub(crate) fn excluded_initially(
    core: &mut Core<'_>,
    task: &Task,
    frontier: Frontier,
    pieces: &[Term],
) -> bool {
    let (src, dst) = task.places(frontier.from, frontier.to);
    let start = core.graph.functions[core.program.entry.0 as usize].entry;
    if task.query.is_some() || src != start || core.call_edge(src, dst).is_some() {
        return false;
    }
    let mut incoming = core.graph.incoming[start.0 as usize].iter();
    if !incoming.all(|edge| core.graph.edge(*edge).src == Graph::ROOT) {
        return false;
    }
    let first = core.initial.clone();
    let mut all = core.all_along(task, &first, pieces);
    all.extend(&first.state.path);
    core.ask(task, Question::Frontier, &all).is_unsat()
}
