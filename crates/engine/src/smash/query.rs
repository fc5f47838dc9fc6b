//! Queries: a call opens one (MAYMUST-CALL of the SMASH paper, Fig. 10), its task enters the
//! callee from the caller's state, and its answer goes back to the call.
//!
//! A `no` becomes a not-may summary. A `yes` is a test of the whole program, so the caller has
//! its states already. A query that is open for long waits while its caller does something
//! else, and is resumed where it was.

use crate::algorithm::crossing;
use crate::core::Core;
use crate::events::{Cut, Event, ProcedureEvent, Question};
use crate::progress::Progress;
use crate::regions::RegionId;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::smash::context;
use crate::smash::contracts;
use crate::smash::interface;
use crate::smash::not_may;
use crate::smash::task_of_query;
use crate::smash::weaken;
use crate::smash::{Ending, Key, Query};
use crate::task::Task;
use attest_exec::symbolic::path::PathState;
use attest_model::graph::{Graph, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::Term;
use std::sync::Arc;

/// How many queries with this callee and post-condition wait for the next one.
pub(super) fn level(search: &Search<'_>, callee: FnId, outcome: Outcome, post: Term) -> u32 {
    let same = |query: &Option<Query>| {
        query
            .as_ref()
            .is_some_and(|q| (q.key.function, q.key.outcome, q.key.post) == (callee, outcome, post))
    };
    let waiting = search.waiting.iter().filter(|i| same(&i.query)).count() as u32;
    waiting + u32::from(same(&search.task.query))
}

/// Starts or resumes the work on a sub-query.
pub(super) fn open(search: &mut Search<'_>, mut query: Query) -> Progress {
    let (key, node) = (query.key, query.node);
    if key.level >= search.core.options.tuning.smash.levels {
        return search
            .task
            .give_up(query.frontier, Some(node), "the recursion is too deep");
    }
    let tried = search.core.smash.opened.entry(key).or_default();
    *tried += 1;
    query.rounds = search
        .core
        .options
        .tuning
        .smash
        .rounds
        .saturating_mul(1 << (*tried).min(12));
    let task = match search.core.smash.paused.remove(&key) {
        Some(mut known) => {
            known.query = Some(query);
            known.regions.partition.forget_context();
            known.attempts.tried.clear();
            known.attempts.diverged.clear();
            known
        }
        None => new_task(&mut search.core, query),
    };
    search.enter(task);
    set_goals(&search.core, &mut search.task, key.outcome);
    if let Some(activation) = search.core.forest.called(node)
        && let Some(caller) = search.waiting.last_mut()
    {
        context::adopt(&mut search.core, &mut search.task, caller, activation, node);
    }
    let (what, function) = (ProcedureEvent::Query, key.function);
    search
        .core
        .tell(&search.task, Event::Procedure { what, function });
    Progress::Made
}

fn new_task(core: &mut Core<'_>, query: Query) -> Task {
    let Key {
        function: callee,
        outcome,
        post,
        ..
    } = query.key;
    let mut task = task_of_query::new_task(core, callee, Some(query));
    let exit = core.graph.functions[callee.0 as usize].exit;
    if outcome == Outcome::Return && core.terms.bool_const(post) != Some(true) {
        let root = task.regions.at(exit)[0];
        let partition = &mut task.regions.partition;
        partition.split(&mut core.terms, root, post, |_, _| false);
    }
    task
}

/// B of the present query: the exit's regions inside of the post-condition.
fn set_goals(core: &Core<'_>, task: &mut Task, outcome: Outcome) {
    let graph = &core.graph.functions[task.function.0 as usize];
    let goals = match graph.ends.get(&outcome) {
        None => Vec::new(),
        Some(loc) => {
            let post = task.query.as_ref().map(|q| q.key.post);
            let inside = |region: &RegionId| {
                let predicate = &task.regions.region(*region).predicate;
                outcome != Outcome::Return
                    || predicate.is_empty()
                    || predicate.first() == post.as_ref()
            };
            task.regions
                .at(*loc)
                .iter()
                .copied()
                .filter(inside)
                .collect()
        }
    };
    task.regions.set_goals(core.graph, goals);
}

/// The frontier is the start of the callee: is there a test that enters it there?
pub(crate) fn enter_there(search: &mut Search<'_>, frontier: Frontier) -> Progress {
    let (core, task) = (&mut search.core, &mut search.task);
    let Some(query) = &task.query else {
        return Progress::Stuck("no query");
    };
    if let Some(contract) = query.contract {
        return contracts::enter_for_contract(core, task, frontier, contract);
    }
    let before = query.node;
    let predicate = &task.regions.region(frontier.to).predicate;
    let asked = search
        .waiting
        .last_mut()
        .and_then(|caller| enters(core, caller, query, predicate));
    match asked {
        Some((Answer::Sat(model), beta)) => {
            let inputs = core.test_of(&model, Some(before), &beta, Graph::ROOT);
            crossing::cross(search, frontier, &[], None, inputs)
        }
        Some((Answer::Unsat(_), _)) => {
            edges::remove(core, task, frontier, Cut::Start);
            Progress::Made
        }
        _ => task.give_up(frontier, None, "the solver does not know"),
    }
}

/// In the caller: whether a test along the witness's path can enter the callee in a state of
/// the predicate, and the state before the call.
fn enters(
    core: &mut Core<'_>,
    caller: &mut Task,
    query: &Query,
    predicate: &[Term],
) -> Option<(Answer, Arc<PathState>)> {
    let before = query.node;
    let src = core.forest.node(before).loc;
    let mut pieces = query.frame.clone();
    for p in predicate {
        pieces.push(interface::at_call(core, caller, src, *p, &query.ghosts)?);
    }
    caller.context.focus = Some(core.forest.node(before).activation);
    let beta = core.beta(caller, before)?;
    let mut all = core.all_along(caller, &beta, &pieces);
    all.extend(core.path_to(caller, before));
    Some((core.ask(caller, Question::Frontier, &all), beta))
}

/// The present query has its answer: back to the caller.
pub(crate) fn answer(search: &mut Search<'_>, ending: Ending) -> Progress {
    if let Some(contract) = search.task.query.as_ref().and_then(|q| q.contract) {
        return contracts::answer_contract(search, contract, ending);
    }
    if ending == Ending::No {
        not_may::summarise(&mut search.core, &search.task);
    }
    let Some(mut ended) = search.leave() else {
        return Progress::Stuck("no caller");
    };
    let Some(query) = ended.query.take() else {
        return Progress::Stuck("no query");
    };
    if ending != Ending::No && query.is_weaker {
        weaken::refute_weaker(
            &mut search.core,
            &search.task,
            query.key.function,
            query.key.post,
        );
        return Progress::Made;
    }
    if ending != Ending::No {
        search.core.smash.paused.insert(query.key, ended);
    }
    let (frontier, node) = (query.frontier, query.node);
    match ending {
        Ending::No | Ending::Later => Progress::Made,
        Ending::Yes if search.task.regions.visited(frontier.to) => Progress::Made,
        Ending::Yes => search
            .task
            .give_up(frontier, Some(node), "the test went elsewhere"),
        Ending::Unknown => {
            search
                .task
                .give_up(frontier, Some(node), "the callee could not be decided")
        }
    }
}
