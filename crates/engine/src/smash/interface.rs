//! What a query says at the interface of a procedure: terms of the caller as terms over the
//! callee's exit, and terms over the callee's entry as terms of the caller.
//!
//! What only the caller knows cannot change while the callee runs: such terms are rigid, and
//! each of the largest becomes a ghost. So the answer to a query holds for every caller.

use crate::core::Core;
use crate::smash;
use crate::smash::frame;
use crate::task::Task;
use attest_exec::symbolic::memory::SIZES;
use attest_exec::symbolic::step::{Part, operand};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::Loc;
use attest_model::*;
use attest_term::{Sort as TermSort, SymbolKind, Term};
use rustc_hash::FxHashMap;

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
