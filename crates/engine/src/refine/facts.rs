//! Facts of the test's state: the other end of the interpolation (algorithm notes 6.2).
//!
//! Where the precondition speaks of inputs, what is true of the state serves
//! instead: a smallest set of equalities under which the step is impossible.
//! Inputs stay where they are, inside the question. Which pointers are the
//! same is asked before which object each of them is: as in alpha, a relation
//! of pointers stands for many states and an object's number for one.

use crate::core::Core;
use crate::events::{Cut, Question};
use crate::forest::NodeId;
use crate::refine::initial_edge;
use crate::refine::refusal::Suggestion;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::Part;
use attest_solver::{Answer, Model};
use attest_term::{Op, SymbolKind, Term};
use std::sync::Arc;

/// A split by what is true of the witness's state; the last step of every ladder.
pub(crate) fn suggest(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pre: &[Term],
) -> Suggestion {
    if initial_edge::excluded_initially(core, task, frontier, pre) {
        return Suggestion::NoEdge(Cut::Start);
    }
    let mut facts = facts(core, task, node, pre);
    if let Some(suggestion) = by_aliasing(core, task, frontier, node, pre, &facts) {
        return suggestion;
    }
    let mut rounds = 0;
    let reason = loop {
        rounds += 1;
        let mut all = facts.clone();
        all.extend(task.known_at(frontier.from));
        all.extend(pre);
        match core.ask_patiently(task, Question::Facts, &all) {
            Answer::Unsat(reason) => break reason,
            Answer::Sat(model) => {
                // The model reads memory where no fact speaks yet.
                let more = facts_at_reads(core, task, node, pre, &model, &facts);
                if !more.is_empty()
                    && facts.len() < core.options.tuning.refinement.facts
                    && rounds < core.options.tuning.refinement.fact_rounds
                {
                    facts.extend(more);
                    continue;
                }
            }
            Answer::Unknown(_) => {}
        }
        return Suggestion::GiveUp("no facts exclude the step");
    };
    let used: Vec<Term> = facts.into_iter().filter(|f| reason.contains(f)).collect();
    if used.is_empty() {
        return Suggestion::NoEdge(Cut::Facts);
    }
    without(core, task, frontier, used, pre, "facts")
}

/// The split that keeps states with all of these facts apart, as few of them as will do.
fn without(
    core: &mut Core<'_>,
    task: &Task,
    frontier: Frontier,
    facts: Vec<Term>,
    pre: &[Term],
    generator: &'static str,
) -> Suggestion {
    let used = fewest(core, task, frontier, facts, pre);
    let fact = core.terms.all(&used);
    let rho = core.terms.not(fact);
    Suggestion::Split { rho, generator }
}

/// Splits by parts of the state that are constant along the test's path, if a few of
/// them exclude the step and say it in fewer terms than the precondition does: where
/// control decides, that is the value of a control variable.
pub(crate) fn by_constants(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    plain: &[Term],
    beta: &Arc<PathState>,
) -> Option<Suggestion> {
    let size = core.terms.dag_size(plain);
    if size < core.options.tuning.refinement.kept_terms {
        return None;
    }
    let mut facts = facts(core, task, node, pieces);
    let along = core.all_along(task, beta, &facts);
    let mut along = along.iter();
    facts.retain(|_| {
        let constant = along.next().map(|f| core.terms.bool_const(*f));
        constant == Some(Some(true))
    });
    if facts.is_empty() {
        return None;
    }
    let mut all = facts.clone();
    all.extend(task.known_at(frontier.from));
    all.extend(pieces);
    let Answer::Unsat(reason) = core.ask_briefly(task, Question::Facts, &all) else {
        return None;
    };
    facts.retain(|f| reason.contains(f));
    if facts.is_empty() {
        return Some(Suggestion::NoEdge(Cut::Facts));
    }
    if facts.len() > 2 * core.options.tuning.refinement.constants {
        return None;
    }
    let used = fewest(core, task, frontier, facts, pieces);
    if used.len() > core.options.tuning.refinement.constants || core.terms.dag_size(&used) >= size {
        return None;
    }
    let fact = core.terms.all(&used);
    let rho = core.terms.not(fact);
    Some(Suggestion::Split {
        rho,
        generator: "constants",
    })
}

/// Splits by which pointers are the same, and by what else is true of the witness
/// except which objects they are, if that excludes the step.
fn by_aliasing(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    facts: &[Term],
) -> Option<Suggestion> {
    let objects: Vec<Term> = objects(core, task, pieces);
    let mut aliasing = Vec::new();
    for (i, a) in objects.iter().enumerate() {
        for b in &objects[i + 1..] {
            let same = core.terms.eq(*a, *b);
            match core.is_true_at(task, node, same) {
                Some(true) => aliasing.push(same),
                Some(false) => aliasing.push(core.terms.not(same)),
                None => {}
            }
        }
    }
    if aliasing.is_empty() {
        return None;
    }
    let is_number = |f: &&Term| {
        let args = core.terms.args(**f);
        args.iter().any(|a| objects.contains(a))
    };
    aliasing.extend(facts.iter().filter(|f| !is_number(f)));
    let mut all = aliasing.clone();
    all.extend(task.known_at(frontier.from));
    all.extend(pieces);
    let Answer::Unsat(reason) = core.ask_patiently(task, Question::Facts, &all) else {
        return None;
    };
    aliasing.retain(|f| reason.contains(f));
    if aliasing.is_empty() {
        return Some(Suggestion::NoEdge(Cut::Facts));
    }
    Some(without(core, task, frontier, aliasing, pieces, "aliasing"))
}

/// The terms that are objects of pointers, as far as the pieces mention them.
fn objects(core: &Core<'_>, task: &Task, pieces: &[Term]) -> Vec<Term> {
    let mut objects = core.terms.reachable(pieces);
    objects.retain(|term| match core.terms.op(*term) {
        Op::Var(_) => task.names.object_parts.contains(term),
        Op::ReadPtrObject { version: BASE } => core.is_of_state(task, *term),
        _ => false,
    });
    objects.truncate(core.options.tuning.refinement.compared_pointers);
    objects
}

/// Facts that the others make superfluous are dropped, one question each.
pub(crate) fn fewest(
    core: &mut Core<'_>,
    task: &Task,
    frontier: Frontier,
    mut facts: Vec<Term>,
    pieces: &[Term],
) -> Vec<Term> {
    let mut at = facts.len();
    while at > 0 && facts.len() > 1 {
        at = (at - 1).min(facts.len() - 1);
        let mut rest = facts.clone();
        rest.remove(at);
        let mut all = rest.clone();
        all.extend(task.known_at(frontier.from));
        all.extend(pieces);
        if let Answer::Unsat(reason) = core.ask_briefly(task, Question::Generalise, &all) {
            rest.retain(|f| reason.contains(f));
            facts = rest;
        }
    }
    facts
}

/// Equalities true of a node's state, about what the pieces mention.
fn facts(core: &mut Core<'_>, task: &Task, node: NodeId, pieces: &[Term]) -> Vec<Term> {
    let mut facts = Vec::new();
    let about: Vec<Term> = core.terms.reachable(pieces);
    for term in about {
        let is_part = matches!(task.names.vocabulary.part(term), Some(p) if p != Part::NextObject);
        let is_read = core.terms.op(term).is_read() && core.is_of_state(task, term);
        let is_counter = task.names.vocabulary.part(term) == Some(Part::NextObject);
        let is_ghost = match core.terms.op(term) {
            Op::Var(symbol) => core.terms.symbol(symbol).kind == SymbolKind::Ghost,
            _ => false,
        };
        if !(is_part || is_read || is_counter || is_ghost) {
            continue;
        }
        if reads_an_address(core, task, node, term) {
            continue;
        }
        let Some(value) = core.value_at(task, node, term) else {
            continue;
        };
        let constant = core.terms.value(value);
        facts.push(core.terms.eq(term, constant));
    }
    facts.retain(|f| !matches!(core.terms.op(*f), Op::Bool(_)));
    facts
}

/// Whether a term reads a stored pointer as data: its value is a matter of the
/// run's layout, so it is no fact to build on.
pub(crate) fn reads_an_address(core: &mut Core<'_>, task: &Task, node: NodeId, term: Term) -> bool {
    let Op::Read { version: BASE, .. } = core.terms.op(term) else {
        return false;
    };
    let (object, offset) = (core.terms.arg(term, 0), core.terms.arg(term, 1));
    let tag = core.terms.read_tag(BASE, object, offset);
    core.is_true_at(task, node, tag) == Some(true)
}

/// Facts about the places that reads with an input in their address have in a model.
fn facts_at_reads(
    core: &mut Core<'_>,
    task: &Task,
    node: NodeId,
    pieces: &[Term],
    model: &Model,
    known: &[Term],
) -> Vec<Term> {
    let mut facts = Vec::new();
    for read in core.terms.reads(pieces) {
        if core.is_of_state(task, read) {
            continue;
        }
        let (object, offset) = (core.terms.arg(read, 0), core.terms.arg(read, 1));
        let places = model.values(&core.terms, &[object, offset]);
        let counter = task.names.vocabulary.next_object();
        let next = core
            .value_at(task, node, counter)
            .map_or(0, |v| v.low_u64());
        if places[0].low_u64() >= next {
            continue;
        }
        let args: Vec<Term> = places.into_iter().map(|v| core.terms.value(v)).collect();
        let place = core.terms.make(core.terms.op(read), &args);
        if reads_an_address(core, task, node, place) {
            continue;
        }
        let Some(value) = core.value_at(task, node, place) else {
            continue;
        };
        let constant = core.terms.value(value);
        let fact = core.terms.eq(place, constant);
        if !known.contains(&fact)
            && !facts.contains(&fact)
            && !matches!(core.terms.op(fact), Op::Bool(_))
        {
            facts.push(fact);
        }
    }
    facts
}
