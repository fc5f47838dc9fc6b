//! Candidates from the conditions under which a location is entered.
//!
//! Before a loop a program mostly checks what the loop relies on: a buffer is
//! large enough, a size is positive. Tests meet such a bound nowhere near its
//! edge, so data does not suggest it, but the condition of the step into the
//! loop says it. It is about values before the step; where a register of the
//! location holds such a value after it, the condition is one of that register.

use crate::core::Core;
use crate::task::Task;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Graph, Loc};
use attest_term::{Op, Term};
use rustc_hash::FxHashMap;

/// Conditions of the steps into a location from elsewhere, as ones of its own state, and
/// their opposites.
pub(crate) fn entry_conditions(core: &mut Core<'_>, task: &Task, loc: Loc) -> Vec<Term> {
    let mut found = Vec::new();
    for edge in core.graph.incoming[loc.0 as usize].clone() {
        let src = core.graph.edge(edge).src;
        if src == loc || src == Graph::ROOT {
            continue;
        }
        let transitions = core.transitions(task, src);
        let Some(transition) = transitions.iter().find(|t| t.dst == loc) else {
            continue;
        };
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for reg in &core.graph.location(loc).live {
            let value = transition.regs[reg.0 as usize];
            if let (SymVal::Bits(value), SymVal::Bits(name)) =
                (value, task.names.vocabulary.reg(*reg))
                && core.terms.bv_const(value).is_none()
            {
                names.entry(value).or_insert(name);
            }
        }
        for term in core.terms.reachable(transition.condition()) {
            let compares = matches!(core.terms.op(term), Op::Eq | Op::Ult | Op::Slt);
            if !compares
                || core.terms.dag_size(&[term]) > core.options.tuning.invariants.condition_terms
            {
                continue;
            }
            let here = core.terms.substitute(term, &names);
            if here != term && core.is_of_state(task, here) && !found.contains(&here) {
                found.push(here);
            }
        }
    }
    found.truncate(core.options.tuning.invariants.entry_conditions);
    let opposites: Vec<Term> = found.iter().map(|c| core.terms.not(*c)).collect();
    found.extend(opposites);
    found
}
