//! Making tasks: the work on one procedure begins with what is known of it.
//!
//! Invariants that hold from every state in which a procedure is entered do not depend on the
//! query that found them, so later tasks begin with them.

use crate::core::Core;
use crate::regions::graph::RegionGraph;
use crate::smash::Background;
use crate::smash::Query;
use crate::task::Task;
use attest_model::FnId;
use attest_model::graph::Graph;

/// A task for a procedure, with one region a location.
pub(crate) fn new_task(core: &mut Core<'_>, function: FnId, query: Option<Query>) -> Task {
    let names = core.names_of(function);
    let mut task = Task::new(
        function,
        names,
        RegionGraph::new(core.graph, function),
        &core.options.tuning.search,
    );
    core.smash.numbers += 1;
    task.number = core.smash.numbers;
    let asker = query.as_ref().map(|query| (function, query.key.asker));
    if let Some(known) = asker.and_then(|asker| core.smash.background.get(&asker)) {
        task.invariants.clone_from(&known.invariants);
        task.pools.makers.clone_from(&known.makers);
        // The first search for invariants would find the same.
        task.pools.learned.insert(Graph::ROOT, 1);
    }
    task.query = query;
    task
}

/// Keeps the invariants of the present query, which do not depend on it, for others.
pub(crate) fn keep_invariants(core: &mut Core<'_>, task: &Task) {
    let Some(asker) = task.query.as_ref().map(|query| query.key.asker) else {
        return;
    };
    let known = Background {
        invariants: task.invariants.clone(),
        makers: task.pools.makers.clone(),
    };
    core.smash.background.insert((task.function, asker), known);
}
