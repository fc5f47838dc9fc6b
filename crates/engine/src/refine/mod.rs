//! Refinement: the predicate that splits the region before a frontier.
//!
//! No test crosses, so there is a predicate that follows from the target's
//! precondition and that the test's state does not satisfy. Which one is the
//! strategy's choice: SYNERGY takes the whole precondition, DASH the
//! precondition under the aliasing of the test ([`crate::refine::alpha`]), and the
//! default the part that the solver used, if inputs can be kept out of it
//! ([`crate::refine::eliminate`]), or else facts of the test's state
//! ([`crate::refine::facts`]). Where a location is split again and again, candidates
//! that hold of all tests come first ([`crate::invariants::candidates`]).
//!
//! - `refusal`: a refused frontier, and what is suggested about it;
//! - `joint`: a frontier that leads to several regions of a location;
//! - `pool`: predicates from candidates;
//! - `alpha`: the aliasing that a test saw;
//! - `eliminate`: inputs out of preconditions;
//! - `low_bits`: what low bits say without the inputs;
//! - `facts`: facts of the test's state, below every ladder;
//! - `generalise`: what is more than one step's precondition, for SYNERGY;
//! - `frame_literals`: what a call cannot change, left out of predicates;
//! - `initial_edge`: the step out of the first state;
//! - `split`: the one place where regions are split.

pub(crate) mod alpha;
pub(crate) mod eliminate;
pub(crate) mod facts;
pub(crate) mod frame_literals;
mod generalise;
pub(crate) mod initial_edge;
pub(crate) mod joint;
mod low_bits;
pub(crate) mod pool;
pub(crate) mod refusal;
pub(crate) mod split;

use crate::algorithm::strategy::{Calls, Candidates, Predicate};
use crate::core::Core;
use crate::core::conjuncts;
use crate::events::{Cut, Question};
use crate::forest::NodeId;
use crate::invariants::houdini;
use crate::progress::Progress;
use crate::refine::alpha::{comparisons, restrict};
use crate::refine::eliminate::eliminate;
use crate::refine::refusal::{Refusal, Suggestion, Witness};
use crate::regions::RegionId;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::Loc;
use attest_solver::Answer;
use attest_term::{Op, Sort, Term};

/// A generator of suggestions; none where it has nothing to say about this refusal.
type Generator = fn(&mut Core<'_>, &mut Task, &Refusal<'_>) -> Option<Suggestion>;

/// The ladders, first come first served: [`facts`] are below all of them.
const BY_PRE: &[Generator] = &[sp, generalise::suggest, pre];
const BY_ALPHA: &[Generator] = &[sp, wp_alpha];
const BY_ALPHA_CORE: &[Generator] = &[sp, alpha_core];
const BY_CORE: &[Generator] = &[invariants, candidates, cores];
const BY_SUMMARY: &[Generator] = &[summary];

/// Asks the generators of the strategy in order, and does what the first of them suggests.
pub(crate) fn refine(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Progress {
    let mut ladder = ladder(core, task, refusal).iter();
    let suggestion = ladder.find_map(|generator| generator(core, task, refusal));
    let (frontier, node) = (refusal.frontier, refusal.witness.node);
    let suggestion =
        suggestion.unwrap_or_else(|| facts::suggest(core, task, frontier, node, refusal.pre));
    let target = Target {
        frontier,
        others: refusal.others,
        pre: refusal.pre,
    };
    apply(core, task, target, node, suggestion)
}

/// The same where symbolic execution cannot follow the witness's path: facts are all there is.
pub(crate) fn refine_by_facts(
    core: &mut Core<'_>,
    task: &mut Task,
    target: Target<'_>,
    node: NodeId,
) -> Progress {
    let suggestion = facts::suggest(core, task, target.frontier, node, target.pre);
    apply(core, task, target, node, suggestion)
}

/// What a frontier leads to.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The frontier,
    pub frontier: Frontier,
    /// the other regions at the location that it leads to,
    pub others: &'a [RegionId],
    /// and the precondition of all of them.
    pub pre: &'a [Term],
}

/// The one place where suggestions change regions.
fn apply(
    core: &mut Core<'_>,
    task: &mut Task,
    target: Target<'_>,
    node: NodeId,
    suggestion: Suggestion,
) -> Progress {
    let Target {
        frontier,
        others,
        pre,
    } = target;
    match suggestion {
        Suggestion::Split { rho, generator } => {
            split::apply_split(core, task, frontier, others, rho, pre, generator)
        }
        Suggestion::NoEdge(why) => {
            edges::remove_all(core, task, frontier, others, why);
            Progress::Made
        }
        Suggestion::Learnt => Progress::Made,
        Suggestion::GiveUp(why) => task.give_up(frontier, Some(node), why),
    }
}

/// The generators of the strategy.
fn ladder(core: &Core<'_>, task: &Task, refusal: &Refusal<'_>) -> &'static [Generator] {
    let is_of_state = |piece: &Term| core.is_of_state(task, *piece);
    match core.options.strategy.predicate {
        _ if refusal.is_call && refusal.core.iter().all(is_of_state) => BY_SUMMARY,
        Predicate::Core if core.options.uses(Technique::Cores) => BY_CORE,
        Predicate::Core | Predicate::Pre => BY_PRE,
        Predicate::AlphaCore if core.options.uses(Technique::Cores) => BY_ALPHA_CORE,
        Predicate::AlphaCore | Predicate::WpAlpha => BY_ALPHA,
    }
}

/// The conjuncts that the solver needed, where summaries of the callee say it all.
fn summary(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    separating(core, task, refusal, &refusal.core, "summary")
}

/// SP: the precondition without the condition of the step.
fn sp(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    if !core.options.uses(Technique::Sp) {
        return None;
    }
    let rest = without_condition(core, task, refusal)?;
    Some(
        separating(core, task, refusal, &rest, "sp").unwrap_or_else(|| {
            let (frontier, node) = (refusal.frontier, refusal.witness.node);
            facts::suggest(core, task, frontier, node, refusal.pre)
        }),
    )
}

/// SYNERGY: the whole precondition.
fn pre(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let plain = without_inputs(core, task, refusal, false)?;
    separating(core, task, refusal, &plain, "pre")
}

/// DASH: `not alpha or T_alpha`. States with another aliasing than the test's stay together
/// with those that can cross.
fn wp_alpha(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let plain = without_inputs(core, task, refusal, false)?;
    let rho = under_alpha(core, task, refusal.witness.node, &plain);
    separating(core, task, refusal, &[rho], "wp-alpha")
}

/// LCT-D: `not alpha or T_alpha` as a location is split first, and later the part of it that
/// the solver needed. That follows from the whole, and the path excludes it, so it is as
/// suitable (thesis, definition 1). No edge, if the region says already that it does not hold.
fn alpha_core(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let (_, splits) = splits_before(task, refusal);
    let limits = core.options.tuning.refinement;
    let is_small = core.terms.dag_size(refusal.pre) <= limits.predicate_terms;
    let is_of_state = |core: &Core<'_>, p: &Term| core.is_of_state(task, *p);
    let plain = if splits < limits.whole_splits && is_small {
        without_inputs(core, task, refusal, false)?
    } else if refusal.core.iter().all(|p| is_of_state(core, p)) {
        refusal.core.clone()
    } else {
        without_inputs(core, task, refusal, true)?
    };
    let rho = under_alpha(core, task, refusal.witness.node, &plain);
    if is_denied(core, task, refusal.frontier.from, rho) {
        return Some(Suggestion::NoEdge(Cut::Local));
    }
    separating(core, task, refusal, &[rho], "wp-alpha")
}

/// Whether a region's predicate says already, word for word, that another does not hold.
fn is_denied(core: &mut Core<'_>, task: &Task, region: RegionId, rho: Term) -> bool {
    let predicate = task.regions.region(region).predicate.clone();
    if predicate.contains(&core.terms.not(rho)) {
        return true;
    }
    let known = conjuncts::conjuncts(core, &predicate);
    let parts = conjuncts::conjuncts(core, &[rho]);
    parts.into_iter().any(|part| {
        let mut ways = conjuncts::disjuncts(core, part).into_iter();
        ways.all(|way| known.contains(&core.terms.not(way)))
    })
}

/// Invariants of the program, where there were many splits.
fn invariants(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let is_on = core.options.strategy.candidates >= Candidates::Invariants
        && core.options.uses(Technique::Houdini);
    let (loc, splits) = splits_before(task, refusal);
    (is_on && houdini::learn(core, task, loc, splits)).then_some(Suggestion::Learnt)
}

/// Candidates that hold of all tests, where there were some splits.
fn candidates(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let is_on = core.options.strategy.candidates >= Candidates::Refinement
        && core.options.uses(Technique::Refinement);
    let (_, splits) = splits_before(task, refusal);
    match is_on && splits >= core.options.tuning.refinement.splits_before_candidates {
        true => pool::suggest(core, task, refusal),
        false => None,
    }
}

/// The conjuncts that the solver needed, without inputs.
fn cores(core: &mut Core<'_>, task: &mut Task, refusal: &Refusal<'_>) -> Option<Suggestion> {
    let witness = refusal.witness;
    let (loc, splits) = splits_before(task, refusal);
    let plain = match refusal.core.iter().all(|p| core.is_of_state(task, *p)) {
        true => refusal.core.clone(),
        false => without_inputs(core, task, refusal, true)?,
    };
    let plain = match frame_literals::call_before(core, loc) {
        Some(call) if core.options.uses(Technique::Literals) => frame_literals::without_idle_frame(
            core,
            task,
            call,
            plain,
            &witness.path,
            &witness.beta,
        ),
        _ => plain,
    };
    if splits > core.options.tuning.refinement.diverging_splits
        && core.terms.dag_size(&plain) > core.options.tuning.refinement.predicate_terms
    {
        return None;
    }
    let compared = plain.iter().map(|p| comparisons(&core.terms, *p).len());
    if compared.sum::<usize>() > core.options.tuning.refinement.open_comparisons {
        let rho = under_alpha(core, task, witness.node, &plain);
        return separating(core, task, refusal, &[rho], "wp-alpha");
    }
    if core.options.uses(Technique::Facts)
        && let Some(suggestion) = facts::by_constants(
            core,
            task,
            refusal.frontier,
            witness.node,
            refusal.pre,
            &plain,
            &witness.beta,
        )
    {
        return Some(suggestion);
    }
    separating(core, task, refusal, &plain, "core")
}

/// The location before the frontier, and how often it was split.
fn splits_before(task: &Task, refusal: &Refusal<'_>) -> (Loc, u32) {
    let loc = task.regions.region(refusal.frontier.from).loc;
    (loc, task.splits.get(&loc).copied().unwrap_or(0))
}

/// A split by these, if they separate the witness's state.
fn separating(
    core: &mut Core<'_>,
    task: &Task,
    refusal: &Refusal<'_>,
    plain: &[Term],
    generator: &'static str,
) -> Option<Suggestion> {
    let rho = core.terms.all(plain);
    let separates =
        !plain.is_empty() && core.is_true_at(task, refusal.witness.node, rho) == Some(false);
    separates.then_some(Suggestion::Split { rho, generator })
}

/// The precondition without the condition of the step, if no test along the path
/// satisfies that either (the SP heuristic of the YOGI study, section 5.1).
fn without_condition(core: &mut Core<'_>, task: &Task, refusal: &Refusal<'_>) -> Option<Vec<Term>> {
    let (frontier, pieces) = (refusal.frontier, refusal.pre);
    let Witness { path, beta, .. } = refusal.witness;
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

/// `not alpha or T_alpha` of pieces over the state, with the test's aliasing.
fn under_alpha(core: &mut Core<'_>, task: &Task, node: NodeId, plain: &[Term]) -> Term {
    let mut alpha = Vec::new();
    let mut restricted = Vec::with_capacity(plain.len());
    for piece in plain {
        let mut answers = Vec::new();
        for cond in comparisons(&core.terms, *piece) {
            if is_choice(core, task, cond) {
                continue;
            }
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

/// Whether a condition came from the union of several targets: a branch chose between them, and
/// no pointers did. Such a choice is no aliasing, and both of its sides stay.
fn is_choice(core: &Core<'_>, task: &Task, cond: Term) -> bool {
    let is_of_pointer = |term: &Term| match core.terms.op(*term) {
        Op::ReadPtrObject { .. } | Op::ReadPtrOffset { .. } => true,
        _ => task.names.pointer_parts.contains(term),
    };
    let mentioned = core.terms.reachable(&[cond]);
    core.options.aims_at_locations() && !mentioned.iter().any(is_of_pointer)
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

/// Weaker pieces that speak of the state alone and still exclude the path; only those
/// that the solver uses, if `least`.
fn without_inputs(
    core: &mut Core<'_>,
    task: &Task,
    refusal: &Refusal<'_>,
    least: bool,
) -> Option<Vec<Term>> {
    let pieces = refusal.pre;
    let Witness { path, beta, .. } = refusal.witness;
    if pieces.iter().all(|p| core.is_of_state(task, *p)) {
        return Some(pieces.to_vec());
    }
    let possible: Vec<Term> = pieces.iter().map(|p| possible(core, task, *p)).collect();
    let possible = match core.options.aims_at_locations() {
        true => low_bits::split_off(&mut core.terms, &possible),
        false => possible,
    };
    let plain = eliminate(
        &mut core.terms,
        &possible,
        core.options.tuning.refinement.choices,
    );
    let mut plain = core.flatten(plain);
    plain.retain(|p| core.is_of_state(task, *p));
    let questions = core.all_along(task, beta, &plain);
    let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
    let answer = match core.refuted.core_of(&all) {
        Some(known) => Answer::Unsat(known.to_vec()),
        None => core.ask(task, Question::Plain, &all),
    };
    match answer {
        Answer::Unsat(reason) => {
            if core.options.aims_at_locations() {
                core.refuted.add(&reason);
            }
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
    let parts = conjuncts::disjuncts(core, piece);
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
