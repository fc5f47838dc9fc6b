//! Procedures: queries at call edges and the summaries they leave (SMASH; algorithm notes 5).
//!
//! A frontier at a call asks whether the callee can bring the state before the
//! call into the region after it. What the callee cannot change is a matter of
//! the caller alone (the frame). The rest becomes a query over the callee's
//! interface: the caller's terms in it are rigid ghosts, so that the answer
//! holds for every caller. A `no` is a not-may summary: entry states from which
//! no execution ends in the post-condition. A `yes` is a test of the whole
//! program.
//!
//! Soundness: a summary's invariants come from the callee's own splits and
//! cuts, each justified by one edge, whatever the context was that asked.

use crate::algorithm::crossing::{self, Asked};
use crate::certify::certificate;
use crate::core::Core;
use crate::events::{Event, ProcedureEvent, Question};
use crate::progress::Progress;
use crate::refine;
use crate::refine::refusal::Refusal;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::smash;
use crate::smash::Ending;
use crate::smash::Key;
use crate::smash::Query;
use crate::smash::context;
use crate::smash::contracts;
use crate::smash::frame;
use crate::smash::must;
use crate::smash::must::ByPath;
use crate::smash::summaries::Asker;
use crate::smash::summaries::Summary;
use crate::smash::summaries::Use;
use crate::smash::task_of_query;
use crate::smash::weaken;
use crate::task::Task;
use attest_exec::symbolic::memory::SIZES;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Part, operand};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Graph, Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{Sort as TermSort, SymbolKind, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A frontier at a call: summaries first, then a sub-query.
pub(crate) fn cross_call(
    search: &mut Search<'_>,
    frontier: Frontier,
    callee: FnId,
    outcome: Outcome,
) -> Progress {
    let src = search.task.regions.region(frontier.from).loc;
    let predicate = search.task.regions.region(frontier.to).predicate.clone();
    let (frame, rest) = frame::frame(&search.core, &search.task, src, &predicate);
    let Some((post, ghosts)) = post_condition(&mut search.core, &search.task, src, callee, &rest)
    else {
        let node = search.task.witness(frontier.from, frontier.to);
        return search
            .task
            .give_up(frontier, node, "the call's post-condition is too large");
    };
    let mut pieces = frame.clone();
    let mut known = applicable(
        &mut search.core,
        &search.task,
        src,
        callee,
        outcome,
        post,
        &ghosts,
    );
    if let Some((post, ghosts)) = weaken::weaker(&mut search.core, &search.task, src, callee, &rest)
    {
        known.extend(applicable(
            &mut search.core,
            &search.task,
            src,
            callee,
            outcome,
            post,
            &ghosts,
        ));
    }
    for (number, bindings) in known {
        let pre = search.core.smash.summaries[number].pre;
        if let Some(pre) = at_call(&mut search.core, &search.task, src, pre, &bindings) {
            pieces.push(search.core.terms.not(pre));
            let used = Use {
                location: src,
                summary: number,
                ghosts: bindings.iter().map(|(_, term)| *term).collect(),
            };
            if !search.task.uses.contains(&used) {
                search.task.uses.push(used);
                let (what, function) = (ProcedureEvent::NotMayUsed, callee);
                search
                    .core
                    .tell(&search.task, Event::Procedure { what, function });
            }
        }
    }
    if outcome == Outcome::Return {
        let contracted =
            contracts::contracted(&mut search.core, &mut search.task, src, callee, &rest);
        pieces.extend(contracted);
    }
    let pieces = search.core.flatten(pieces);
    if edges::excluded_locally(&mut search.core, &mut search.task, frontier, &pieces) {
        edges::remove(
            &mut search.core,
            &mut search.task,
            frontier,
            crate::events::Cut::Local,
        );
        return Progress::Made;
    }
    let (core, task) = (&mut search.core, &mut search.task);
    let (answer, witness, question) = match crossing::ask(core, task, frontier, &pieces) {
        Asked::NoWitness => return Progress::Stuck("every witness was tried"),
        Asked::Lost(node) => return refine::refine_by_facts(core, task, frontier, node, &pieces),
        Asked::Answered {
            answer,
            witness,
            question,
        } => (answer, witness, question),
    };
    let node = witness.node;
    match answer {
        Answer::Unsat(reason) => {
            let refusal = Refusal {
                frontier,
                core: crossing::needed(&witness, &question, &pieces, &reason),
                witness: &witness,
                pre: &pieces,
                is_call: true,
            };
            refine::refine(core, task, &refusal)
        }
        Answer::Sat(_)
            if contracts::in_contract(search) && contracts::is_recursive(&search.core, callee) =>
        {
            search
                .task
                .give_up(frontier, Some(node), "the contract is not inductive")
        }
        Answer::Sat(_) => {
            let mut missed = Vec::new();
            if outcome == Outcome::Return {
                match must::cross_by_path(search, frontier, node, callee) {
                    ByPath::Crossed(progress) => return progress,
                    ByPath::Missed(paths) => missed = paths,
                }
            }
            if let Some(progress) = contracts::open_contract(search, frontier, callee) {
                return progress;
            }
            let weaker = weaken::weaken(
                &mut search.core,
                &search.task,
                frontier,
                callee,
                &rest,
                &missed,
            );
            let is_weaker = weaker.is_some();
            let (post, ghosts) = weaker.unwrap_or((post, ghosts));
            let key = Key {
                function: callee,
                outcome,
                post,
                level: level(search, callee, outcome, post),
                asker: asker(&search.core, &search.task, src),
            };
            open(
                search,
                Query {
                    key,
                    ghosts,
                    frame,
                    frontier,
                    node,
                    rounds: 0,
                    contract: None,
                    is_weaker,
                },
            )
        }
        Answer::Unknown(_) => search
            .task
            .give_up(frontier, Some(node), "the solver does not know"),
    }
}

/// The query's post-condition over the callee's exit and ghosts, each with the
/// caller's term that it stands for.
pub(crate) fn post_condition(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    callee: FnId,
    rest: &[Term],
) -> Option<(Term, Vec<(Term, Term)>)> {
    let results = core.call_at(src)?.results.clone();
    let vocabulary = core.names_of(callee).vocabulary;
    let all = core.terms.all(rest);
    // What only the caller knows is rigid for the callee.
    let mut rigid: FxHashMap<Term, bool> = FxHashMap::default();
    for part in core.terms.reachable(&[all]) {
        let own = match task.names.vocabulary.part(part) {
            Some(Part::Reg(reg, _)) => !results.contains(&reg),
            Some(_) => false,
            None => {
                let op = core.terms.op(part);
                !op.is_read()
                    || op.version() == Some(SIZES)
                    || frame::is_kept(core, task, src, part)
            }
        };
        let args = core.terms.args(part).iter();
        let fixed = own && args.clone().all(|a| rigid[a]);
        rigid.insert(part, fixed);
    }
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut ghosts: Vec<(Term, Term)> = Vec::new();
    for part in core.terms.reachable(&[all]) {
        if let Some(Part::Reg(reg, second)) = task.names.vocabulary.part(part)
            && let Some(at) = results.iter().position(|r| *r == reg)
        {
            let value = vocabulary.results().get(at)?;
            map.insert(part, value.terms().nth(usize::from(second))?);
        }
    }
    // The largest rigid terms, in the order in which they are met.
    for part in core.terms.reachable(&[all]) {
        if rigid[&part] {
            continue;
        }
        for arg in core.terms.args(part).to_vec() {
            if rigid[&arg] && !core.terms.is_const(arg) && !map.contains_key(&arg) {
                let sort = core.terms.sort(arg);
                let ghost = ghost(core, ghosts.len(), sort);
                ghosts.push((ghost, arg));
                map.insert(arg, ghost);
            }
        }
    }
    if ghosts.len() > core.options.tuning.smash.ghosts {
        return None;
    }
    Some((core.terms.substitute(all, &map), ghosts))
}

fn ghost(core: &mut Core<'_>, number: usize, sort: TermSort) -> Term {
    let name = smash::ghost_name(number, sort);
    core.terms.var(&name, sort, SymbolKind::Ghost)
}

/// Who asks at a call, where what is known of a procedure serves one call alone.
fn asker(core: &Core<'_>, task: &Task, src: Loc) -> Option<Asker> {
    let shared = core.options.strategy.calls.not_may();
    (!shared).then_some((task.number, src))
}

/// Summaries that exclude this outcome and post-condition for some entry states.
fn applicable(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    callee: FnId,
    outcome: Outcome,
    post: Term,
    ghosts: &[(Term, Term)],
) -> Vec<(usize, Vec<(Term, Term)>)> {
    let mut found = Vec::new();
    let asker = asker(core, task, src);
    let known: Vec<usize> = (0..core.smash.summaries.len())
        .rev()
        .filter(|i| {
            let summary = &core.smash.summaries[*i];
            let offered = asker.is_none() || summary.asker == asker;
            summary.function == callee && summary.outcome == outcome && offered
        })
        .take(core.options.tuning.smash.summaries)
        .collect();
    for number in known {
        let summary = &core.smash.summaries[number];
        if core.smash.contracts.contains(&number) {
            continue;
        }
        if summary.post == post {
            found.push((number, ghosts.to_vec()));
        } else if summary.ghosts.is_empty() {
            let wider = summary.post;
            if is_within(core, task, post, wider) {
                found.push((number, Vec::new()));
            }
        }
    }
    found
}

/// Whether one post-condition implies another; the same two meet at many frontiers.
fn is_within(core: &mut Core<'_>, task: &Task, post: Term, wider: Term) -> bool {
    if let Some(known) = core.smash.within.get(&(post, wider)) {
        return *known;
    }
    let outside = core.terms.not(wider);
    let within = core
        .ask(task, Question::Generalise, &[post, outside])
        .is_unsat();
    core.smash.within.insert((post, wider), within);
    within
}

/// A term over the callee's entry and ghosts, as one over the caller's state before
/// the call; none if it speaks of registers that have no value there.
pub(crate) fn at_call(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    term: Term,
    ghosts: &[(Term, Term)],
) -> Option<Term> {
    let call = core.call_at(src)?.clone();
    let params = core.program.function(call.callee).params;
    let vocabulary = core.names_of(call.callee).vocabulary;
    let caller = task.names.vocabulary.clone();
    let bits = core.program.pointer_bits;
    let mut map: FxHashMap<Term, Term> = ghosts.iter().copied().collect();
    let regs: Vec<SymVal> = (0..core.program.function(caller.function).regs.len() as u32)
        .map(|reg| caller.reg(Reg(reg)))
        .collect();
    for part in core.terms.reachable(&[term]) {
        if let Some(Part::Reg(reg, second)) = vocabulary.part(part) {
            if reg.0 >= params {
                return None;
            }
            let arg = *call.args.get(reg.0 as usize)?;
            let value = operand(&mut core.terms, &regs, arg, bits);
            map.insert(part, value.terms().nth(usize::from(second))?);
        }
    }
    Some(core.terms.substitute(term, &map))
}

/// How many queries with this question wait for the next one.
fn level(search: &Search<'_>, callee: FnId, outcome: Outcome, post: Term) -> u32 {
    let same = |query: &Option<Query>| {
        query
            .as_ref()
            .is_some_and(|q| (q.key.function, q.key.outcome, q.key.post) == (callee, outcome, post))
    };
    let waiting = search.waiting.iter().filter(|i| same(&i.query)).count() as u32;
    waiting + u32::from(same(&search.task.query))
}

/// Starts or resumes the work on a sub-query.
fn open(search: &mut Search<'_>, mut query: Query) -> Progress {
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
            let inside = |region: &crate::regions::RegionId| {
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
            crossing::cross(search, frontier, None, inputs)
        }
        Some((Answer::Unsat(_), _)) => {
            edges::remove(core, task, frontier, crate::events::Cut::Start);
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
        pieces.push(at_call(core, caller, src, *p, &query.ghosts)?);
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
        summarise(&mut search.core, &search.task);
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

/// The callee's finished region graph as a not-may summary.
fn summarise(core: &mut Core<'_>, task: &Task) {
    let Some(query) = &task.query else {
        return;
    };
    let (key, ghosts) = (query.key, query.ghosts.clone());
    let mut invariants = certificate::certificate(core, task);
    let entry = core.graph.functions[task.function.0 as usize].entry;
    let mut pre = core.terms.bool(true);
    if let Some((_, term)) = invariants.iter_mut().find(|(loc, _)| *loc == entry) {
        *term = drop_implied(core, task, *term);
        pre = *term;
    }
    core.smash.summaries.push(Summary {
        function: key.function,
        asker: key.asker,
        outcome: key.outcome,
        ghosts: ghosts.into_iter().map(|(ghost, _)| ghost).collect(),
        pre,
        post: key.post,
        invariants,
        uses: task.uses.clone(),
    });
    let (what, function) = (ProcedureEvent::NotMay, key.function);
    core.tell(task, Event::Procedure { what, function });
}

/// A predicate without the conjuncts that follow from the others: a caller would have
/// to carry them to where they are seen to be true.
fn drop_implied(core: &mut Core<'_>, task: &Task, predicate: Term) -> Term {
    let mut parts = core.flatten(vec![predicate]);
    parts.sort_by_key(|part| core.terms.dag_size(&[*part]));
    let mut at = parts.len();
    while at > 0 {
        at -= 1;
        let mut all = parts.clone();
        let part = all.remove(at);
        all.push(core.terms.not(part));
        if core
            .ask_briefly(task, Question::Generalise, &all)
            .is_unsat()
        {
            parts.remove(at);
        }
    }
    core.terms.all(&parts)
}
