//! Refinement: the predicate that splits the region before a frontier.
//!
//! No test crosses, so there is a predicate that follows from the target's
//! precondition and that the test's state does not satisfy. Which one is the
//! strategy's choice: SYNERGY takes the whole precondition, DASH the
//! precondition under the aliasing of the test ([`crate::alpha`]), and the
//! default the part that the solver used, if inputs can be kept out of it
//! ([`crate::eliminate`]), or else facts of the test's state
//! ([`crate::facts`]). Where a location is split again and again, candidates
//! that hold of all tests come first ([`crate::candidates`]).

use crate::alpha::{comparisons, restrict};
use crate::candidates;
use crate::core::Core;
use crate::eliminate::eliminate;
use crate::events::Question;
use crate::facts;
use crate::forest::NodeId;
use crate::frontier::Frontier;
use crate::houdini;
use crate::literals;
use crate::progress::Progress;
use crate::split;
use crate::strategy::{Calls, Candidates, Predicate};
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::path::PathState;
use attest_solver::Answer;
use attest_term::{Op, Sort, Term};
use std::rc::Rc;

/// Splits at a location before candidates are preferred there.
const PATIENCE: u32 = 2;
/// Terms in a predicate before a location with many splits refuses it.
const MOST_TERMS: usize = 400;
/// Address comparisons that a predicate may leave open before the test's answers are
/// taken (algorithm notes 2.6, policy).
const FEW_COMPARISONS: usize = 4;
/// Splits after which a location is taken to diverge.
const MANY_SPLITS: u32 = 60;

/// Splits the region before a frontier that no test along this path crosses. `used`
/// are the pieces of the precondition that the solver needed to say so.
pub(crate) fn refine(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    used: Vec<Term>,
    path: &[Term],
    beta: &Rc<PathState>,
) -> Progress {
    let cores = core.options.uses(Technique::Cores);
    if core.options.uses(Technique::Sp)
        && !(cores && core.options.strategy.predicate == Predicate::Core)
        && let Some(rest) = without_condition(core, task, frontier, pieces, path, beta)
    {
        return split_by(core, task, frontier, node, &rest, pieces, "sp");
    }
    match core.options.strategy.predicate {
        Predicate::Core if !cores => refine_by_pre(core, task, frontier, node, pieces, path, beta),
        Predicate::Pre => refine_by_pre(core, task, frontier, node, pieces, path, beta),
        Predicate::WpAlpha => refine_by_alpha(core, task, frontier, node, pieces, path, beta),
        Predicate::Core => refine_by_core(core, task, frontier, node, pieces, used, path, beta),
    }
}

/// The precondition without the condition of the step, if no test along the path
/// satisfies that either (the SP heuristic of the YOGI study, section 5.1).
fn without_condition(
    core: &mut Core<'_>,
    task: &Task,
    frontier: Frontier,
    pieces: &[Term],
    path: &[Term],
    beta: &Rc<PathState>,
) -> Option<Vec<Term>> {
    let src = task.regions.region(frontier.from).loc;
    let dst = task.regions.region(frontier.to).loc;
    let condition = core.pre_of(task, src, dst, &[])?;
    let rest = pieces.iter().filter(|piece| !condition.contains(piece));
    let rest: Vec<Term> = rest.copied().collect();
    if rest.is_empty() || rest.len() == pieces.len() {
        return None;
    }
    let is_of_state = rest.iter().all(|piece| core.is_of_state(task, *piece));
    let mut all = core.all_along(task, beta, &rest);
    all.extend(path);
    (is_of_state && core.ask(task, Question::Generalise, &all).is_unsat()).then_some(rest)
}

/// By the whole precondition.
fn refine_by_pre(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    path: &[Term],
    beta: &Rc<PathState>,
) -> Progress {
    match without_inputs(core, task, pieces, path, beta, false) {
        Some(plain) => split_by(core, task, frontier, node, &plain, pieces, "pre"),
        None => facts::refine_by_facts(core, task, frontier, node, pieces),
    }
}

/// By `not alpha or T_alpha`: states with another aliasing than the test's stay
/// together with those that can cross.
fn refine_by_alpha(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    path: &[Term],
    beta: &Rc<PathState>,
) -> Progress {
    let Some(plain) = without_inputs(core, task, pieces, path, beta, false) else {
        return facts::refine_by_facts(core, task, frontier, node, pieces);
    };
    let rho = under_alpha(core, task, node, &plain);
    split_by(core, task, frontier, node, &[rho], pieces, "wp-alpha")
}

/// `not alpha or T_alpha` of pieces over the state, with the test's aliasing.
fn under_alpha(core: &mut Core<'_>, task: &Task, node: NodeId, plain: &[Term]) -> Term {
    let mut alpha = Vec::new();
    let mut restricted = Vec::with_capacity(plain.len());
    for piece in plain {
        let mut answers = Vec::new();
        for cond in comparisons(&core.terms, *piece) {
            if let Some(value) = core.is_true_at(task, node, cond) {
                let atom = atom(core, task, node, cond, value);
                answers.push((cond, value, atom));
            }
        }
        let (atoms, piece) = restrict(&mut core.terms, *piece, &answers);
        alpha.extend(atoms);
        restricted.push(piece);
    }
    alpha.sort_unstable();
    alpha.dedup();
    if mutated(Mutant::AlphaAtomDropped) {
        alpha.pop();
    }
    let under = core.terms.all(&restricted);
    let alpha = core.terms.all(&alpha);
    let other = core.terms.not(alpha);
    core.terms.any(&[other, under])
}

/// What the test says about an address comparison: for one that fails because the
/// objects differ, that they do.
fn atom(core: &mut Core<'_>, task: &Task, node: NodeId, cond: Term, holds: bool) -> Term {
    if holds {
        return cond;
    }
    let parts = match core.terms.op(cond) {
        Op::And => core.terms.args(cond).to_vec(),
        _ => vec![cond],
    };
    let differs = parts.into_iter().find(|part| {
        let objects = core.terms.op(*part) == Op::Eq
            && core.terms.sort(core.terms.arg(*part, 0)) == Sort::BitVec(32);
        objects && core.is_true_at(task, node, *part) == Some(false)
    });
    core.terms.not(differs.unwrap_or(cond))
}

/// By the pieces that the solver used.
fn refine_by_core(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    pieces: &[Term],
    used: Vec<Term>,
    path: &[Term],
    beta: &Rc<PathState>,
) -> Progress {
    let loc = task.regions.region(frontier.from).loc;
    let splits = task.splits.get(&loc).copied().unwrap_or(0);
    let candidates = core.options.strategy.candidates;
    if candidates >= Candidates::Invariants
        && core.options.uses(Technique::Houdini)
        && houdini::learn(core, task, loc, splits)
    {
        // The frontier may be gone by what is known now.
        return Progress::Made;
    }
    if candidates >= Candidates::Refinement
        && core.options.uses(Technique::Refinement)
        && splits >= PATIENCE
        && let Some(progress) = candidates::refine_by_candidates(core, task, frontier, node, pieces)
    {
        return progress;
    }
    let plain = if used.iter().all(|p| core.is_of_state(task, *p)) {
        Some(used)
    } else {
        without_inputs(core, task, pieces, path, beta, true)
    };
    let Some(plain) = plain else {
        return facts::refine_by_facts(core, task, frontier, node, pieces);
    };
    let plain = match literals::call_before(core, loc) {
        Some(call) if core.options.uses(Technique::Literals) => {
            literals::without_idle_frame(core, task, call, plain, path, beta)
        }
        _ => plain,
    };
    if splits > MANY_SPLITS && core.terms.dag_size(&plain) > MOST_TERMS {
        return facts::refine_by_facts(core, task, frontier, node, pieces);
    }
    let compared: usize = plain
        .iter()
        .map(|p| comparisons(&core.terms, *p).len())
        .sum();
    if compared > FEW_COMPARISONS {
        let rho = under_alpha(core, task, node, &plain);
        return split_by(core, task, frontier, node, &[rho], pieces, "wp-alpha");
    }
    if core.options.uses(Technique::Facts)
        && let Some(progress) =
            facts::refine_by_constants(core, task, frontier, node, pieces, &plain, beta)
    {
        return progress;
    }
    split_by(core, task, frontier, node, &plain, pieces, "core")
}

/// A split that separates the test's state, or one by facts if this does not.
pub(crate) fn split_by(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    node: NodeId,
    plain: &[Term],
    pieces: &[Term],
    generator: &'static str,
) -> Progress {
    let rho = core.terms.all(plain);
    if plain.is_empty() || core.is_true_at(task, node, rho) != Some(false) {
        return facts::refine_by_facts(core, task, frontier, node, pieces);
    }
    split::apply_split(core, task, frontier, rho, pieces, generator)
}

/// Weaker pieces that speak of the state alone and still exclude the path; only those
/// that the solver uses, if `least`.
fn without_inputs(
    core: &mut Core<'_>,
    task: &Task,
    pieces: &[Term],
    path: &[Term],
    beta: &Rc<PathState>,
    least: bool,
) -> Option<Vec<Term>> {
    if pieces.iter().all(|p| core.is_of_state(task, *p)) {
        return Some(pieces.to_vec());
    }
    let possible: Vec<Term> = pieces.iter().map(|p| possible(core, task, *p)).collect();
    let plain = eliminate(&mut core.terms, &possible);
    let mut plain = core.flatten(plain);
    plain.retain(|p| core.is_of_state(task, *p));
    let questions = core.all_along(task, beta, &plain);
    let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
    match core.ask(task, Question::Plain, &all) {
        Answer::Unsat(reason) => {
            let kept = plain.iter().zip(&questions);
            let kept = kept.filter(|(_, q)| !least || reason.contains(q));
            Some(kept.map(|(p, _)| *p).collect())
        }
        _ => None,
    }
}

/// A piece without those of its disjuncts that speak of inputs and that no input, and
/// no state, makes true.
fn possible(core: &mut Core<'_>, task: &Task, piece: Term) -> Term {
    // Preconditions over calls have such disjuncts; those over steps seldom do.
    if core.options.strategy.calls == Calls::Inlined {
        return piece;
    }
    let parts = disjuncts(core, piece);
    if parts.len() < 2 {
        return piece;
    }
    let mut left = Vec::with_capacity(parts.len());
    for part in parts {
        let asked = core.mentions_input(part);
        if !asked || !core.ask_briefly(task, Question::Plain, &[part]).is_unsat() {
            left.push(part);
        }
    }
    core.terms.any(&left)
}

fn disjuncts(core: &mut Core<'_>, piece: Term) -> Vec<Term> {
    match core.terms.op(piece) {
        Op::Or => core.terms.args(piece).to_vec(),
        Op::Not => {
            let inner = core.terms.arg(piece, 0);
            match core.terms.op(inner) {
                Op::And => {
                    let parts = core.terms.args(inner).to_vec();
                    parts.into_iter().map(|p| core.terms.not(p)).collect()
                }
                _ => vec![piece],
            }
        }
        _ => vec![piece],
    }
}

impl Core<'_> {
    /// The truth of a condition in a node's state.
    pub(crate) fn is_true_at(&self, task: &Task, node: NodeId, cond: Term) -> Option<bool> {
        self.value_at(task, node, cond).and_then(|v| v.as_bool())
    }
}
