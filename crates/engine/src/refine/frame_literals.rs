//! Literals of the caller alone, left out of what is asked of a callee.
//!
//! The precondition over the large step after a call is a formula of many
//! literals: the ways through the step, and what should hold after each. Those
//! about what the call cannot change would be ghosts of the query, and the
//! answer would fit this caller and no other. The predicate only has to follow
//! from the precondition and to exclude the test. So each of these literals
//! gets a switch; one question with all of them on says which the solver used,
//! and the others become true. With negations at the leaves that makes the
//! formula weaker and never stronger. What is left speaks of less: after one
//! of a hundred calls in `main`, of the lock, and not of every number that a
//! later request may have.

use crate::core::Core;
use crate::events::Question;
use crate::smash::frame;
use crate::task::Task;
use attest_exec::symbolic::path::PathState;
use attest_model::graph::{Edge, EdgeOp, Loc};
use attest_solver::Answer;
use attest_term::{Op, Sort, SymbolKind, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A literal: an atom and whether it is positive.
type Literal = (Term, bool);

/// The location before the call that leads to this one, if one does.
pub(crate) fn call_before(core: &Core<'_>, loc: Loc) -> Option<Loc> {
    let incoming = core.graph.incoming[loc.0 as usize].iter();
    let mut edges = incoming.map(|edge| core.graph.edge(*edge));
    let is_call = |edge: &&Edge| matches!(edge.op, EdgeOp::Call(..));
    edges.find(is_call).map(|edge| edge.src)
}

/// Pieces of a predicate after a call without the literals that the call cannot change
/// and that are not needed to exclude the path; the pieces themselves where that says
/// nothing.
pub(crate) fn without_idle_frame(
    core: &mut Core<'_>,
    task: &Task,
    call: Loc,
    plain: Vec<Term>,
    path: &[Term],
    beta: &Arc<PathState>,
) -> Vec<Term> {
    // Whole pieces of the frame are never asked of the callee.
    let (kept, mixed) = frame::frame(core, task, call, &plain);
    let literals = literals_of(core, &mixed);
    let is_idle = |literal: &Literal| frame::is_framed(core, task, call, literal.0);
    let framed = literals.iter().filter(|l| is_idle(l)).count();
    if framed < core.options.tuning.refinement.frame_literals
        || literals.len() > core.options.tuning.refinement.literals
    {
        return plain;
    }
    let mut switches = Vec::with_capacity(framed);
    let mut switched = FxHashMap::default();
    for literal in &literals {
        let there = core.along(task, beta, literal.0);
        let mut term = term_of(core, (there, literal.1));
        if frame::is_framed(core, task, call, literal.0) {
            let name = format!("used.{}", switches.len());
            let switch = core.terms.var(&name, Sort::Bool, SymbolKind::Ghost);
            term = core.terms.implies(switch, term);
            switches.push((switch, *literal));
        }
        switched.insert(*literal, term);
    }
    let mut all = path.to_vec();
    all.extend(rebuilt(core, &mixed, &switched));
    all.extend(switches.iter().map(|(switch, _)| switch));
    all.extend(core.all_along(task, beta, &kept));
    let Answer::Unsat(reason) = core.ask_briefly(task, Question::Generalise, &all) else {
        return plain;
    };
    let idle = switches
        .iter()
        .filter(|(switch, _)| !reason.contains(switch));
    let idle: FxHashMap<Literal, Term> = idle
        .map(|(_, literal)| (*literal, core.terms.bool(true)))
        .collect();
    let mut weaker = kept;
    weaker.extend(rebuilt(core, &mixed, &idle));
    core.flatten(weaker)
}

fn term_of(core: &mut Core<'_>, (atom, positive): Literal) -> Term {
    match positive {
        true => atom,
        false => core.terms.not(atom),
    }
}

/// The literals of formulas, each once.
fn literals_of(core: &Core<'_>, formulas: &[Term]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut seen: rustc_hash::FxHashSet<Literal> = formulas.iter().map(|f| (*f, true)).collect();
    let mut work: Vec<Literal> = formulas.iter().rev().map(|f| (*f, true)).collect();
    while let Some((term, positive)) = work.pop() {
        let mut add = |next: Literal| {
            if seen.insert(next) {
                work.push(next);
            }
        };
        match core.terms.op(term) {
            Op::Not => add((core.terms.arg(term, 0), !positive)),
            Op::And | Op::Or => {
                for arg in core.terms.args(term) {
                    add((*arg, positive));
                }
            }
            Op::Ite => {
                let condition = core.terms.arg(term, 0);
                add((condition, true));
                add((condition, false));
                add((core.terms.arg(term, 1), positive));
                add((core.terms.arg(term, 2), positive));
            }
            Op::Bool(_) => {}
            _ => found.push((term, positive)),
        }
    }
    found
}

/// Formulas with other terms for their literals.
fn rebuilt(core: &mut Core<'_>, formulas: &[Term], with: &FxHashMap<Literal, Term>) -> Vec<Term> {
    let mut made: FxHashMap<Literal, Term> = with.clone();
    let rebuilt = formulas
        .iter()
        .map(|f| rebuild(core, (*f, true), &mut made));
    rebuilt.collect()
}

fn rebuild(
    core: &mut Core<'_>,
    (term, positive): Literal,
    made: &mut FxHashMap<Literal, Term>,
) -> Term {
    // No recursion: formulas may be deep.
    let mut work = vec![((term, positive), false)];
    while let Some((at, expanded)) = work.pop() {
        if made.contains_key(&at) {
            continue;
        }
        let (term, positive) = at;
        let needs: Vec<Literal> = match core.terms.op(term) {
            Op::Not => vec![(core.terms.arg(term, 0), !positive)],
            Op::And | Op::Or => core
                .terms
                .args(term)
                .iter()
                .map(|a| (*a, positive))
                .collect(),
            Op::Ite => {
                let args = core.terms.args(term);
                let (c, a, b) = (args[0], args[1], args[2]);
                vec![(c, true), (c, false), (a, positive), (b, positive)]
            }
            _ => Vec::new(),
        };
        if !expanded && !needs.is_empty() {
            work.push((at, true));
            work.extend(needs.into_iter().map(|need| (need, false)));
            continue;
        }
        let parts: Vec<Term> = needs.iter().map(|need| made[need]).collect();
        let new = match (core.terms.op(term), positive) {
            (Op::Not, _) => parts[0],
            (Op::And, true) | (Op::Or, false) => core.terms.all(&parts),
            (Op::Or, true) | (Op::And, false) => core.terms.any(&parts),
            (Op::Ite, _) => {
                let then = core.terms.any(&[parts[1], parts[2]]);
                let otherwise = core.terms.any(&[parts[0], parts[3]]);
                core.terms.all(&[then, otherwise])
            }
            _ => term_of(core, at),
        };
        made.insert(at, new);
    }
    made[&(term, positive)]
}
