//! The solver calls of a simulation: does a step lead to a state that is not among those that
//! are known behind it?

use super::facts::known_fact;
use super::merged::{Merged, Merger, Simulation};
use super::tracked;
use crate::core::Core;
use crate::events::Question;
use crate::simulation::tracked::{Followed, How};
use crate::task::Task;
use attest_model::graph::Loc;
use attest_model::points_to::Places as Targets;
use attest_solver::Answer;
use attest_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A step, and the states that it is taken from.
pub(super) struct Source<'a> {
    pub src: Loc,
    /// When the step is taken.
    pub condition: &'a [Term],
    /// What is tracked before it, and what is known of that; nothing at the start.
    pub followed: &'a [Followed],
    pub state: Option<&'a Merger>,
    /// What it neither changes nor reads, by its numbers after and before.
    pub kept: &'a [(usize, usize)],
    /// The parts of all else.
    pub looked_at: &'a FxHashSet<Term>,
}

/// Asks for a state after a step that is not among those that are known. Where that is
/// too much at once, it asks about one tracked thing after the other.
pub(super) fn escape(
    core: &mut Core<'_>,
    task: &Task,
    source: &Source<'_>,
    dst: Loc,
    now: &Simulation,
) -> Answer {
    let known = known_after(core, source, now);
    let mut any = Vec::with_capacity(known.len());
    for state in &known {
        let facts: Vec<Term> = state.iter().flatten().copied().collect();
        any.push(core.terms.all(&facts));
    }
    let here = core.terms.any(&any);
    let question = leads_outside(core, task, source, dst, here);
    match core.ask_within(
        task,
        core.options.tuning.simulation.joint_conflicts,
        Question::Induction,
        &question,
    ) {
        Answer::Unknown(_) => {}
        answer => return answer,
    }
    let is_key = |i: &usize| now.followed[*i].how == How::Apart;
    let (keys, others): (Vec<usize>, Vec<usize>) = (0..now.followed.len()).partition(is_key);
    let key_of = |core: &mut Core<'_>, state: &[Option<Term>]| {
        let parts: Vec<Term> = keys.iter().filter_map(|i| state[*i]).collect();
        core.terms.all(&parts)
    };
    let key_of: Vec<Term> = known.iter().map(|state| key_of(core, state)).collect();
    let mut parts = vec![core.terms.any(&key_of)];
    for i in others {
        let mut all = Vec::with_capacity(known.len());
        for (state, key) in known.iter().zip(&key_of) {
            if let Some(fact) = state[i] {
                all.push(core.terms.implies(*key, fact));
            }
        }
        if !all.is_empty() {
            parts.push(core.terms.all(&all));
        }
    }
    for part in parts {
        let question = leads_outside(core, task, source, dst, part);
        let answer = match core.ask_briefly(task, Question::Induction, &question) {
            Answer::Unknown(_) => core.ask_afresh(task, Question::Induction, &question),
            answer => answer,
        };
        if !answer.is_unsat() {
            return answer;
        }
    }
    Answer::Unsat(Vec::new())
}

/// Can a step lead to where this does not hold?
pub(super) fn leads_outside(
    core: &mut Core<'_>,
    task: &Task,
    source: &Source<'_>,
    dst: Loc,
    after: Term,
) -> Vec<Term> {
    let inside = core.pre_of_one(task, source.src, dst, after);
    let inside = by_cases(core, inside);
    let mut question = source.condition.to_vec();
    question.push(core.terms.not(inside));
    add_source(core, task, source, &mut question);
    question
}

/// The facts of each known state after a step, but for what is known before the step
/// already of what it leaves as it is.
pub(super) fn known_after(
    core: &mut Core<'_>,
    source: &Source<'_>,
    now: &Simulation,
) -> Vec<Vec<Option<Term>>> {
    let mut all = Vec::with_capacity(now.states.len());
    for state in now.states.values() {
        let mut said = vec![false; state.known.len()];
        if let Some(before) = source.state {
            for (to, from) in source.kept {
                said[*to] = before.known[*from].is_within(&state.known[*to]);
            }
        }
        let mut facts = Vec::with_capacity(said.len());
        for ((followed, merged), said) in now.followed.iter().zip(&state.known).zip(said) {
            facts.push(match said {
                true => None,
                false => known_fact(core, followed.term, merged),
            });
        }
        all.push(facts);
    }
    all
}

/// Adds what is known before a step to a solver call, as far as it is about what the
/// step reads: what else is known could be true whatever the answer is.
pub(super) fn add_source(
    core: &mut Core<'_>,
    task: &Task,
    source: &Source<'_>,
    question: &mut Vec<Term>,
) {
    let Some(state) = source.state else {
        return;
    };
    let mut asked = parts_of(core, question);
    asked.extend(source.looked_at);
    let facts = source.followed.iter().zip(&state.known);
    let mut waiting: Vec<(FxHashSet<Term>, (Term, Merged))> = facts
        .filter(|(_, merged)| **merged != Merged::Any)
        .map(|(f, merged)| (parts_of(core, &[f.term]), (f.term, merged.clone())))
        .collect();
    let reads = |core: &Core<'_>, parts: &FxHashSet<Term>| {
        let reads = parts.iter().copied();
        let reads = reads.filter(|part| core.terms.op(*part).version().is_some());
        let all = reads.map(|read| tracked::targets_of_read(core, task, read));
        all.fold(Targets::default(), Targets::join)
    };
    let widest = core.options.tuning.simulation.read_bytes;
    // A place may be asked about by more than one name.
    let mut places = reads(core, &asked);
    loop {
        let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(parts, _)| {
            !parts.is_disjoint(&asked) || !reads(core, parts).apart(widest, &places, Some(widest))
        });
        if now.is_empty() {
            return;
        }
        for (parts, (term, merged)) in now {
            question.extend(known_fact(core, term, &merged));
            places = places.join(reads(core, &parts));
            asked.extend(parts);
        }
        waiting = later;
    }
}

/// The same with equations of what is chosen as choices between equations: these are those
/// that the facts before the step are about, and a search over bits would be long.
pub(super) fn by_cases(core: &mut Core<'_>, term: Term) -> Term {
    let mut cases: FxHashMap<Term, Term> = FxHashMap::default();
    for equation in core.terms.reachable(&[term]) {
        if core.terms.op(equation) == Op::Eq {
            let [a, b] = [0, 1].map(|i| core.terms.arg(equation, i));
            let lifted = equal_by_cases(core, a, b, core.options.tuning.simulation.cases);
            if lifted != equation {
                cases.insert(equation, lifted);
            }
        }
    }
    match cases.is_empty() {
        true => term,
        false => core.terms.substitute(term, &cases),
    }
}

pub(super) fn equal_by_cases(core: &mut Core<'_>, a: Term, b: Term, most: u32) -> Term {
    for (a, b) in [(a, b), (b, a)] {
        if core.terms.op(a) == Op::Ite && most > 0 {
            let [which, yes, no] = [0, 1, 2].map(|i| core.terms.arg(a, i));
            let yes = equal_by_cases(core, yes, b, most / 2);
            let no = equal_by_cases(core, no, b, most / 2);
            return core.terms.ite(which, yes, no);
        }
    }
    core.terms.eq(a, b)
}

/// What a step neither changes nor looks at, by its numbers after and before it: of that as
/// much is known after the step as before, without asking for one value after the other.
pub(super) fn kept(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    dst: Loc,
    condition: &[Term],
    now: &Simulation,
    before: Option<&Simulation>,
) -> Vec<(usize, usize)> {
    let Some(before) = before else {
        return Vec::new();
    };
    let looked_at = parts_of(core, condition);
    let mut out = Vec::new();
    for (to, followed) in now
        .followed
        .iter()
        .enumerate()
        .filter(|(_, f)| f.how != How::Apart)
    {
        let same = |f: &Followed| f.term == followed.term;
        if let Some(from) = before.followed.iter().position(same)
            && core.pre_of_one(task, src, dst, followed.term) == followed.term
            && parts_of(core, &[followed.term]).is_disjoint(&looked_at)
        {
            out.push((to, from));
        }
    }
    out
}

/// The variables and places of memory in terms.
pub(super) fn parts_of(core: &Core<'_>, terms: &[Term]) -> FxHashSet<Term> {
    let mut seen: FxHashSet<Term> = terms.iter().copied().collect();
    let mut work: Vec<Term> = seen.iter().copied().collect();
    while let Some(term) = work.pop() {
        let args = core.terms.args(term).iter().copied();
        work.extend(args.filter(|arg| seen.insert(*arg)));
    }
    seen.retain(|term| match core.terms.op(*term) {
        Op::Var(_) => true,
        op => op.version().is_some(),
    });
    seen
}
