//! The first abstraction: what states the program can be in for each state of the rule.
//!
//! The YOGI study (section 8) starts with the predicates of the rule that
//! mention no parameters and no results, since almost every proof needs them.
//! Here it is the state of the rule itself, and what the program knows along
//! with it, as in property simulation (ESP; Das, Lerner, Seigle, PLDI 2002):
//! states of the program with the same state of the rule are merged, and those
//! with different ones are kept apart. Of a merged state is known which
//! variables have one value, and which are never zero: an error code that is
//! not zero goes with a device that was not started.
//!
//! The merged states are computed forward from the start. The solver finds a
//! state at the end of a step that is not among them, which is merged, until
//! no step leads out of them. They are inductive then, by themselves, and
//! become invariants like those of [`crate::invariants::houdini`]; a location without
//! states is not reached. Where a source's states have not changed, its steps
//! are not looked at again. [`crate::simulation::tracked`] says what is followed.
//!
//! - `tracked`: the variables and objects that are followed;
//! - `merged`: the merged states, one for each state of the rule.

pub(crate) mod merged;
pub(crate) mod tracked;

use crate::algorithm::strategy::{Calls, Candidates};
use crate::core::Core;
use crate::events::{Cut, Event, Question};
use crate::invariants::houdini;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::simulation::tracked::{Followed, How, Places};
use crate::task::Task;
use crate::techniques::Technique;
use crate::testing::explore;
use crate::verdict::FailingTest;
use attest_exec::Snapshot;
use attest_model::graph::{Graph, Loc};
use attest_model::points_to::Places as Targets;
use attest_solver::Answer;
use attest_term::{Op, Sort, Term};
use merged::{Merged, Merger, Simulation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A simulation of the whole program.
struct Run<'a> {
    places: &'a Places,
    /// States that runs came to, by location.
    samples: &'a FxHashMap<Loc, Vec<Snapshot>>,
    budget: Duration,
    known: FxHashMap<Loc, Simulation>,
    /// When each step was looked at last: what changed since then is to be followed.
    done: FxHashMap<(Loc, Loc), u64>,
    clock: u64,
}

/// A step, and the states that it is followed from.
struct Source<'a> {
    src: Loc,
    /// When the step is taken.
    condition: &'a [Term],
    /// What is followed before it, and what is known of that; nothing at the start.
    followed: &'a [Followed],
    state: Option<&'a Merger>,
    /// What it neither changes nor looks at, by its numbers after and before.
    kept: &'a [(usize, usize)],
    /// The parts of all else.
    looked_at: &'a FxHashSet<Term>,
}

/// Steps that are to be taken: where their source is in the order, source and target.
type Work = BTreeSet<(u32, Loc, Loc)>;

/// Whether the first abstraction is to be made.
pub(crate) fn wants_initial_abstraction(core: &Core<'_>) -> bool {
    let strategy = &core.options.strategy;
    !core.testing.abstracted
        && !core.options.initial.is_empty()
        && core.options.uses(Technique::Initial)
        && strategy.calls == Calls::Inlined
        && strategy.candidates == Candidates::Invariants
}

/// Finds the states of the program for those of the rule everywhere and makes invariants
/// of them, if there is time to come to an end. A failing test, if roaming finds one
/// meanwhile.
pub(crate) fn abstract_initially(search: &mut Search<'_>) -> Option<FailingTest> {
    let now = search.core.effort();
    let time =
        (search.core.effort_left() * 3 / 5).min(search.core.options.tuning.simulation.effort);
    // Registers say enough for most rules, and cost least; then comes where the watched
    // object is held.
    let samples = explore::samples(&mut search.core);
    let all = tracked::followed_places(&search.core, &search.task);
    let near = tracked::places_of_watched(&search.core, &all);
    let mut passes = vec![(Places::default(), 1), (near, 3), (all, 4)];
    if passes[1].0.is_empty() {
        passes.remove(1);
    }
    for (places, quarters) in passes {
        let budget = now + time * quarters / 4;
        if simulate_with(
            &mut search.core,
            &mut search.task,
            &places,
            &samples,
            budget,
        ) && cut_targets(&mut search.core, &mut search.task, budget)
        {
            break;
        }
        if let Some(test) = explore::explore_if_due(search) {
            return Some(test);
        }
    }
    None
}

/// Makes invariants of the states of the program, with those of some memory; whether
/// there was time for it.
fn simulate_with(
    core: &mut Core<'_>,
    task: &mut Task,
    places: &Places,
    samples: &FxHashMap<Loc, Vec<Snapshot>>,
    budget: Duration,
) -> bool {
    let locations = (0..core.graph.locations.len() as u32).map(Loc);
    let inner: Vec<Loc> = locations.filter(|loc| core.is_inner(task, *loc)).collect();
    let Some(mut known) = simulate(core, task, places, samples, budget) else {
        return false;
    };
    for loc in inner {
        let fact = match known.remove(&loc) {
            Some(mut simulation) => formula(core, &mut simulation),
            None => core.terms.bool(false),
        };
        if core.terms.bool_const(fact) == Some(true) {
            continue;
        }
        task.pools.makers.insert(fact, Technique::Initial);
        let maker = houdini::maker(core, task, fact);
        core.tell(task, Event::Invariant { loc, fact, maker });
        task.invariants.entry(loc).or_default().push(fact);
    }
    task.invariants_version += 1;
    true
}

/// Asks of every step into a target whether it is possible, before a search for ways to
/// one: mostly few are left, or none. Whether none is.
fn cut_targets(core: &mut Core<'_>, task: &mut Task, budget: Duration) -> bool {
    let mut none_left = true;
    for target in core.targets.clone() {
        for edge in core.graph.incoming[target.0 as usize].clone() {
            let src = core.graph.edge(edge).src;
            if core.call_edge(src, target).is_some() || core.effort() > budget {
                return false;
            }
            if !core.is_inner(task, src) {
                continue;
            }
            let pairs = task.regions.at(src).to_vec().into_iter();
            let pairs =
                pairs.flat_map(|from| task.regions.at(target).iter().map(move |to| (from, *to)));
            for (from, to) in pairs.collect::<Vec<_>>() {
                let frontier = Frontier {
                    from,
                    to,
                    distance: 0,
                };
                match core.pre_conjuncts(task, src, to) {
                    None => edges::remove(core, task, frontier, Cut::NoStep),
                    Some(pieces) if edges::excluded_locally(core, task, frontier, &pieces) => {
                        edges::remove(core, task, frontier, Cut::Local);
                    }
                    Some(_) => none_left = false,
                }
            }
        }
    }
    none_left
}

/// The states at every location that may be reached; none if time is up.
fn simulate(
    core: &mut Core<'_>,
    task: &Task,
    places: &Places,
    samples: &FxHashMap<Loc, Vec<Snapshot>>,
    budget: Duration,
) -> Option<FxHashMap<Loc, Simulation>> {
    let mut run = Run {
        places,
        samples,
        budget,
        known: FxHashMap::default(),
        done: FxHashMap::default(),
        clock: 0,
    };
    let order = order(core);
    let mut work: Work = BTreeSet::new();
    push_edges(core, Graph::ROOT, &order, &mut work);
    while let Some((_, src, dst)) = work.pop_first() {
        if !core.is_inner(task, dst) {
            continue;
        }
        if core.call_edge(src, dst).is_some() {
            return None;
        }
        if follow(core, task, src, dst, &mut run)? {
            push_edges(core, dst, &order, &mut work);
        }
    }
    Some(run.known)
}

fn push_edges(core: &Core<'_>, src: Loc, order: &[u32], work: &mut Work) {
    for edge in &core.graph.outgoing[src.0 as usize] {
        work.insert((order[src.0 as usize], src, core.graph.edge(*edge).dst));
    }
}

/// A number for each location: but for loops, steps go to larger ones.
fn order(core: &Core<'_>) -> Vec<u32> {
    let count = core.graph.locations.len();
    let mut order = vec![0; count];
    let mut seen = vec![false; count];
    let mut next = count as u32;
    // What is left to do at each location of the path.
    let mut path = vec![(Graph::ROOT, 0)];
    seen[Graph::ROOT.0 as usize] = true;
    while let Some((loc, done)) = path.last_mut() {
        let outgoing = &core.graph.outgoing[loc.0 as usize];
        match outgoing.get(*done) {
            Some(edge) => {
                *done += 1;
                let dst = core.graph.edge(*edge).dst;
                if !std::mem::replace(&mut seen[dst.0 as usize], true) {
                    path.push((dst, 0));
                }
            }
            None => {
                next -= 1;
                order[loc.0 as usize] = next;
                path.pop();
            }
        }
    }
    order
}

/// Adds the states that a step leads to; whether there are new ones. None if time is up.
fn follow(core: &mut Core<'_>, task: &Task, src: Loc, dst: Loc, run: &mut Run<'_>) -> Option<bool> {
    let Some(condition) = core.pre_of(task, src, dst, &[]) else {
        return Some(false);
    };
    let since = run.done.insert((src, dst), run.clock);
    let sources: Vec<Option<Merger>> = match run.known.get(&src) {
        None => vec![None],
        Some(before) => {
            let new = |state: &&Merger| since.is_none_or(|at| state.changed > at);
            let states = before.states.values().filter(new);
            states.map(|state| Some(state.clone())).collect()
        }
    };
    let at = run.known.remove(&dst);
    let first = at.is_none();
    let begun = run.clock;
    let mut now = match at {
        Some(now) => now,
        None => begin(core, task, dst, run),
    };
    let before = if src == dst {
        Some(&now)
    } else {
        run.known.get(&src)
    };
    let kept = kept(core, task, src, dst, &condition, &now, before);
    let followed = before.map_or(Vec::new(), |before| before.followed.clone());
    let mut looked_at = condition.clone();
    for (i, followed) in now.followed.iter().enumerate() {
        if !kept.iter().any(|(to, _)| *to == i) {
            looked_at.push(core.pre_of_one(task, src, dst, followed.term));
        }
    }
    let looked_at = parts_of(core, &looked_at);
    for state in sources {
        let source = Source {
            src,
            condition: &condition,
            followed: &followed,
            state: state.as_ref(),
            kept: &kept,
            looked_at: &looked_at,
        };
        follow_one(core, task, &source, dst, &mut now, run)?;
    }
    // A step that nothing takes leaves its target unreached.
    let changed = run.clock > begun;
    if !first || changed {
        run.known.insert(dst, now);
    }
    Some(changed)
}

/// What is followed at a location, and the states there that runs came to: these need no
/// questions.
fn begin(core: &mut Core<'_>, task: &Task, loc: Loc, run: &mut Run<'_>) -> Simulation {
    let mut begun = Simulation {
        limits: core.options.tuning.simulation,
        followed: tracked::followed(core, task, loc, run.places),
        states: BTreeMap::new(),
        mergers: 0,
    };
    let terms: Vec<Term> = begun.followed.iter().map(|f| f.term).collect();
    let nodes = core
        .forest
        .at(loc)
        .iter()
        .take(core.options.tuning.simulation.tested_states);
    let tested = nodes.filter_map(|node| core.forest.node(*node).state.as_ref());
    let roamed = run.samples.get(&loc).into_iter().flatten();
    for state in tested.chain(roamed) {
        let values = core.terms.eval_all(&terms, &core.view(task).state(state));
        run.clock += 1;
        begun.merge(&values, Merged::each(&values), run.clock);
        begun.forget(run.clock);
    }
    begun.mergers = 0;
    begun
}

/// Adds the states that a step leads to from some.
fn follow_one(
    core: &mut Core<'_>,
    task: &Task,
    source: &Source<'_>,
    dst: Loc,
    now: &mut Simulation,
    run: &mut Run<'_>,
) -> Option<()> {
    let src = source.src;
    while !now.followed.is_empty() || now.states.is_empty() {
        if core.effort() > run.budget || core.out_of_limits(task).is_some() {
            return None;
        }
        let answer = escape(core, task, source, dst, now);
        run.clock += 1;
        match answer {
            Answer::Unsat(_) => {
                run.clock -= 1;
                break;
            }
            Answer::Sat(model) => {
                let followed = now.followed.iter();
                let terms: Vec<Term> = followed.map(|f| f.term).collect();
                let after = terms.iter();
                let after = after.map(|term| core.pre_of_one(task, src, dst, *term));
                let after: Vec<Term> = after.collect();
                let values = model.values(&core.terms, &after);
                let mut state = Merged::each(&values);
                if let Some(before) = source.state {
                    for (to, from) in source.kept {
                        state[*to] = before.known[*from].clone();
                    }
                }
                if !now.merge(&values, state, run.clock) {
                    // A model that leads to nothing new would be a mistake: forget all.
                    now.forget_all(run.clock);
                }
            }
            Answer::Unknown(_) => now.forget_all(run.clock),
        }
        now.forget(run.clock);
    }
    Some(())
}

/// Asks for a state behind a step that is not among those that are known. Where that is
/// too much at once, it is asked of one thing that is followed after the other.
fn escape(
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
fn leads_outside(
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
fn known_after(
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

/// Adds what is known before a step to a question, as far as that is about what the
/// step looks at: what else is known could be true whatever the answer is.
fn add_source(core: &mut Core<'_>, task: &Task, source: &Source<'_>, question: &mut Vec<Term>) {
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
fn by_cases(core: &mut Core<'_>, term: Term) -> Term {
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

fn equal_by_cases(core: &mut Core<'_>, a: Term, b: Term, most: u32) -> Term {
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
fn kept(
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
fn parts_of(core: &Core<'_>, terms: &[Term]) -> FxHashSet<Term> {
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

/// That the state is among those that are known.
fn formula(core: &mut Core<'_>, simulation: &mut Simulation) -> Term {
    let mut any = Vec::with_capacity(simulation.states.len());
    for state in simulation.states.values_mut() {
        any.push(fact(core, &simulation.followed, state));
    }
    core.terms.any(&any)
}

/// That the state is one of these.
fn fact(core: &mut Core<'_>, followed: &[Followed], state: &mut Merger) -> Term {
    if let Some(fact) = state.fact {
        return fact;
    }
    let mut all = Vec::new();
    for (followed, merged) in followed.iter().zip(&state.known) {
        all.extend(known_fact(core, followed.term, merged));
    }
    let fact = core.terms.all(&all);
    state.fact = Some(fact);
    fact
}

/// That this is known of something.
fn known_fact(core: &mut Core<'_>, term: Term, merged: &Merged) -> Option<Term> {
    match merged {
        Merged::Few(values) => {
            let mut is = Vec::with_capacity(values.len());
            for value in values {
                let value = core.terms.value(value.clone());
                is.push(core.terms.eq(term, value));
            }
            Some(core.terms.any(&is))
        }
        Merged::NotZero => {
            let Sort::BitVec(width) = core.terms.sort(term) else {
                return None;
            };
            let zero = core.terms.bv_u128(width, 0);
            Some(core.terms.ne(term, zero))
        }
        Merged::Any => None,
    }
}
