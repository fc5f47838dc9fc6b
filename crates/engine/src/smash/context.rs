//! The context of a query: the activations that belong to it, and what its ghosts are there.

use crate::core::Core;
use crate::forest::{ActivationId, NodeId};
use crate::task::Task;
use attest_model::{FnId, Reg};
use attest_term::{Op, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// Takes an activation that belongs to the present query: its states are witnesses.
pub(crate) fn adopt(
    core: &mut Core<'_>,
    task: &mut Task,
    caller: &mut Task,
    activation: ActivationId,
    before: NodeId,
) {
    let Some(query) = &task.query else {
        return;
    };
    let context = context(core, caller, before, &query.ghosts, &query.frame);
    let Some((values, terms, conditions)) = context else {
        return;
    };
    task.context.values.insert(activation, values);
    task.context.terms.insert(activation, terms);
    task.context.conditions.insert(activation, conditions);
    for node in core.forest.activation(activation).nodes.clone() {
        let loc = core.forest.node(node).loc;
        task.context.nodes.entry(loc).or_default().push(node);
        core.add_witness(task, node);
    }
}

/// In the caller: what ghosts are, and the frame's conditions, at a state before the call.
#[allow(clippy::type_complexity)] // Values, terms, conditions.
fn context(
    core: &mut Core<'_>,
    task: &mut Task,
    before: NodeId,
    ghosts: &[(Term, Term)],
    frame: &[Term],
) -> Option<(
    FxHashMap<attest_term::SymbolId, attest_term::Value>,
    FxHashMap<Term, Term>,
    Vec<Term>,
)> {
    task.context.focus = Some(core.forest.node(before).activation);
    // A test that does not satisfy the frame says nothing about the query.
    if frame
        .iter()
        .any(|f| core.is_true_at(task, before, *f) != Some(true))
    {
        return None;
    }
    let beta = core.beta(task, before)?;
    let mut values = FxHashMap::default();
    let mut terms = FxHashMap::default();
    for (ghost, binding) in ghosts {
        if let Op::Var(symbol) = core.terms.op(*ghost) {
            values.insert(symbol, core.value_at(task, before, *binding)?);
        }
        terms.insert(*ghost, core.all_along(task, &beta, &[*binding])[0]);
    }
    let mut conditions = core.all_along(task, &beta, frame);
    let outer = core.forest.node(before).activation;
    conditions.extend(task.context.conditions.get(&outer).into_iter().flatten());
    Some((values, terms, conditions))
}

/// An activation of the contract's function is a witness, with its own arguments.
pub(crate) fn adopt_for_contract(
    core: &mut Core<'_>,
    task: &mut Task,
    activation: ActivationId,
    contract: usize,
) {
    let function = core.smash.summaries[contract].function;
    let given = given(core, function);
    let nodes = core.forest.activation(activation).nodes.clone();
    let Some(&entry) = nodes.first() else {
        return;
    };
    let Some(beta) = core.beta(task, entry) else {
        return;
    };
    let mut values = FxHashMap::default();
    let mut terms = FxHashMap::default();
    for (ghost, part) in &given {
        let (Op::Var(symbol), Some(value)) =
            (core.terms.op(*ghost), core.value_at(task, entry, *part))
        else {
            return;
        };
        values.insert(symbol, value);
        task.context.focus = None;
        terms.insert(*ghost, core.all_along(task, &beta, &[*part])[0]);
    }
    task.context.values.insert(activation, values);
    task.context.terms.insert(activation, terms);
    for node in nodes {
        let loc = core.forest.node(node).loc;
        task.context.nodes.entry(loc).or_default().push(node);
        core.add_witness(task, node);
    }
}

/// What a call is given, each part with its ghost.
pub(crate) fn given(core: &mut Core<'_>, callee: FnId) -> Vec<(Term, Term)> {
    let vocabulary = core.names_of(callee).vocabulary;
    let params = core.program.function(callee).params;
    let effects = core.effects[callee.0 as usize].clone();
    let mut parts: Vec<Term> = Vec::new();
    for reg in 0..params {
        parts.extend(vocabulary.reg(Reg(reg)).terms());
    }
    for global in &effects.globals {
        parts.extend(vocabulary.global(*global).terms());
    }
    let mut out = Vec::with_capacity(parts.len());
    for (i, part) in parts.into_iter().enumerate() {
        let name = given_name(callee, i);
        let sort = core.terms.sort(part);
        out.push((core.terms.var(&name, sort, SymbolKind::Ghost), part));
    }
    out
}

/// The name of the ghost for a part of what a call is given.
pub(crate) fn given_name(callee: FnId, part: usize) -> String {
    format!("c{}.{part}", callee.0)
}
