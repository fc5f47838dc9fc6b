//! Predicate abstraction with refinement (SLAM, POPL 2002), the baseline of SYNERGY and DASH.
//!
//! There is a set of predicates, used at every location. An abstract state is
//! a location and, for each predicate, true, false or not known: the Cartesian
//! abstraction, one question a predicate and value. *Reachability* follows
//! the steps of the graph from the start, breadth first, and leaves out states
//! that another one covers. If it does not come to a target, the abstract
//! states are inductive and are the proof. If it does, the *path* is executed
//! symbolically. Where it is possible, its inputs are the failing test. Where
//! it is not, the preconditions along it, as far as the solver used them, are
//! the new *predicates*, and all starts again.
//!
//! No tests guide it, so a loop of a hundred turns before the error takes a
//! hundred infeasible paths and as many predicates. If a path brings no
//! predicate that is new, there is no verdict.

use crate::certificate;
use crate::core::Core;
use crate::eliminate::eliminate;
use crate::engine::Engine;
use crate::events::{Event, Question, Why};
use crate::task::Task;
use crate::testing;
use crate::verdict::{FailingTest, Reason, Verdict};
use crate::ways;
use attest_exec::Inputs;
use attest_exec::symbolic::path::{PathState, conditions};
use attest_exec::symbolic::step::Part;
use attest_model::Reg;
use attest_model::graph::{Graph, Loc};
use attest_solver::{Answer, Model};
use attest_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Ways through the cases of switches along one abstract path.
const MOST_WAYS: usize = 64;

/// The values of the predicates, where they are known.
type Cube = Vec<Option<bool>>;

/// The predicates and the abstract states of the present round.
#[derive(Default)]
pub(crate) struct Abstraction {
    predicates: Vec<Predicate>,
    states: Vec<State>,
    at: FxHashMap<Loc, Vec<usize>>,
    /// The first state whose steps were not followed.
    next: usize,
}

struct Predicate {
    term: Term,
    /// The registers that it speaks of; it means nothing where they are dead.
    regs: Vec<Reg>,
}

struct State {
    loc: Loc,
    cube: Cube,
    parent: Option<usize>,
}

/// What a path was.
enum Path {
    Fails(FailingTest),
    Infeasible,
    Undecided(&'static str),
}

/// The loop, until there is a verdict or it is late.
pub(crate) fn cegar(engine: &mut Engine<'_>, until: Option<Duration>) -> Option<Verdict> {
    while until.is_none_or(|until| engine.core.effort() < until) {
        if let Some(reason) = engine.core.out_of_limits(&engine.task) {
            return Some(Verdict::Unknown(reason));
        }
        if engine.abstraction.states.is_empty() {
            engine.core.tell(&engine.task, Event::Round);
            start_reachability(engine);
        }
        if engine.abstraction.next == engine.abstraction.states.len() {
            let invariants = reached(engine);
            return certificate::conclude_by(&mut engine.core, &mut engine.task, invariants);
        }
        let Some(path) = follow_state(engine) else {
            continue;
        };
        let verdict = match execute(engine, &path) {
            Path::Fails(test) => Verdict::Unsafe(test),
            Path::Infeasible if add_predicates(engine, &path) => {
                engine.abstraction.states.clear();
                continue;
            }
            // A way out of the model that was a target is known to be there, and is
            // none any more; there may be an error besides.
            Path::Undecided(_) if !engine.core.targets.contains(&path[path.len() - 1]) => {
                engine.abstraction.states.clear();
                continue;
            }
            Path::Infeasible => Verdict::Unknown(Reason::Stuck(
                "an abstract path is infeasible and brings no new predicate".into(),
            )),
            Path::Undecided(why) => Verdict::Unknown(Reason::Stuck(why.into())),
        };
        return Some(verdict);
    }
    None
}

fn start_reachability(engine: &mut Engine<'_>) {
    engine.abstraction.states.clear();
    engine.abstraction.at.clear();
    engine.abstraction.next = 0;
    let entry = engine.core.graph.functions[engine.task.function.0 as usize].entry;
    if let Some(cube) = post(engine, Graph::ROOT, &Vec::new(), entry) {
        add_state(engine, entry, cube, None);
    }
}

/// Follows the steps of the next state; the locations of a path to a target, if one is.
fn follow_state(engine: &mut Engine<'_>) -> Option<Vec<Loc>> {
    let at = engine.abstraction.next;
    engine.abstraction.next += 1;
    let state = &engine.abstraction.states[at];
    let (loc, cube) = (state.loc, state.cube.clone());
    let edges = engine.core.graph.outgoing[loc.0 as usize].clone();
    for edge in edges {
        let dst = engine.core.graph.edge(edge).dst;
        let is_target = engine.core.targets.contains(&dst);
        if engine.core.graph.location(dst).position.is_none() && !is_target {
            continue;
        }
        let Some(after) = post(engine, loc, &cube, dst) else {
            continue;
        };
        if is_target {
            let mut path = vec![dst];
            let mut from = Some(at);
            while let Some(id) = from {
                path.push(engine.abstraction.states[id].loc);
                from = engine.abstraction.states[id].parent;
            }
            path.reverse();
            return Some(path);
        }
        add_state(engine, dst, after, Some(at));
    }
    None
}

fn add_state(engine: &mut Engine<'_>, loc: Loc, cube: Cube, parent: Option<usize>) {
    let abstraction = &mut engine.abstraction;
    let here = abstraction.at.entry(loc).or_default();
    let covers = |wide: &Cube| {
        let mut both = wide.iter().zip(&cube);
        both.all(|(wide, narrow)| wide.is_none() || wide == narrow)
    };
    if here.iter().any(|id| covers(&abstraction.states[*id].cube)) {
        return;
    }
    here.push(abstraction.states.len());
    abstraction.states.push(State { loc, cube, parent });
}

/// The literals of an abstract state.
fn literals(engine: &mut Engine<'_>, cube: &Cube) -> Vec<Term> {
    let values = engine.abstraction.predicates.iter().zip(cube);
    let known = values.filter_map(|(p, value)| value.map(|value| (p.term, value)));
    let known: Vec<(Term, bool)> = known.collect();
    let literal = |(term, value): (Term, bool)| match value {
        true => term,
        false => engine.core.terms.not(term),
    };
    known.into_iter().map(literal).collect()
}

/// The abstract state after a step; none if the step is impossible.
fn post(engine: &mut Engine<'_>, src: Loc, cube: &Cube, dst: Loc) -> Option<Cube> {
    let step = engine.core.pre_of(&engine.task, src, dst, &[])?;
    let mut known = literals(engine, cube);
    known.extend(&step);
    if engine
        .core
        .ask(&engine.task, Question::Post, &known)
        .is_unsat()
    {
        return None;
    }
    let mut after = Vec::with_capacity(engine.abstraction.predicates.len());
    for i in 0..engine.abstraction.predicates.len() {
        let predicate = &engine.abstraction.predicates[i];
        let live = &engine.core.graph.location(dst).live;
        let dead = predicate.regs.iter().any(|reg| !live.contains(reg));
        let term = predicate.term;
        let before = cube.get(i).copied().flatten();
        after.push(match dead {
            true => None,
            false => value_after(
                &mut engine.core,
                &engine.task,
                src,
                dst,
                term,
                before,
                &step,
                &known,
            ),
        });
    }
    Some(after)
}

/// What a predicate is after a step, if it is always the same.
fn value_after(
    core: &mut Core<'_>,
    task: &Task,
    src: Loc,
    dst: Loc,
    predicate: Term,
    before: Option<bool>,
    step: &[Term],
    known: &[Term],
) -> Option<bool> {
    let now = core.pre_of_one(task, src, dst, predicate);
    if let Some(value) = core.terms.bool_const(now) {
        return Some(value);
    }
    if now == predicate {
        let mine = core.terms.free_symbols(&[now]);
        let decided = core.terms.free_symbols(step);
        // The step has nothing to do with it.
        if before.is_some() || !mine.iter().any(|symbol| decided.contains(symbol)) {
            return before;
        }
    }
    let not = core.terms.not(now);
    for (case, value) in [(not, true), (now, false)] {
        let mut all = known.to_vec();
        all.push(case);
        if core.ask(task, Question::Post, &all).is_unsat() {
            return Some(value);
        }
    }
    None
}

/// The abstract states as invariants.
fn reached(engine: &mut Engine<'_>) -> Vec<(Loc, Term)> {
    let mut locations: Vec<Loc> = ways::before_targets(&engine.core).into_iter().collect();
    locations.retain(|loc| !engine.core.targets.contains(loc));
    locations.sort();
    let mut invariants = Vec::with_capacity(locations.len());
    for loc in locations {
        let here = engine.abstraction.at.get(&loc).cloned().unwrap_or_default();
        let mut cubes = Vec::with_capacity(here.len());
        for id in here {
            let cube = engine.abstraction.states[id].cube.clone();
            let literals = literals(engine, &cube);
            cubes.push(engine.core.terms.all(&literals));
        }
        invariants.push((loc, engine.core.terms.any(&cubes)));
    }
    invariants
}

/// Executes an abstract path symbolically, by each of its ways.
fn execute(engine: &mut Engine<'_>, path: &[Loc]) -> Path {
    let Some(ways) = executions(&mut engine.core, path) else {
        return Path::Undecided("an abstract path has too many ways through switches");
    };
    let (src, target) = (path[path.len() - 2], path[path.len() - 1]);
    for states in ways {
        let last = states[states.len() - 1].clone();
        let Some(question) = question(&mut engine.core, &engine.task, &states, src, target, &[])
        else {
            continue;
        };
        match engine.core.ask(&engine.task, Question::Path, &question) {
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => {
                return Path::Undecided("the solver does not know whether a path is possible");
            }
            Answer::Sat(model) => {
                let inputs = inputs_along(&mut engine.core, &model, &states, &last, src);
                return match testing::test(engine, Arc::new(inputs), None, Why::Crossing) {
                    Some(test) => Path::Fails(test),
                    None => Path::Undecided("the test of a feasible path went elsewhere"),
                };
            }
        }
    }
    Path::Infeasible
}

/// The symbolic executions of a path up to the location before its last; none if there
/// are too many.
fn executions(core: &mut Core<'_>, path: &[Loc]) -> Option<Vec<Vec<Rc<PathState>>>> {
    let mut all = vec![vec![core.initial.clone()]];
    for (i, pair) in path[..path.len() - 1].windows(2).enumerate() {
        let ways = ways::ways(core, pair[0]);
        let mut next = Vec::new();
        for states in &all {
            let from = states[states.len() - 1].clone();
            for way in ways.iter().filter(|way| way.dst == pair[1]) {
                let taken = ways::take(core, &from, pair[0], &way.decisions, &format!("c{i}"));
                if let Some(state) = taken {
                    let mut states = states.clone();
                    states.push(Rc::new(state));
                    next.push(states);
                }
            }
        }
        if next.len() > MOST_WAYS {
            return None;
        }
        all = next;
    }
    Some(all)
}

/// Whether an execution can go on by a step into a location, and these hold there.
fn question(
    core: &mut Core<'_>,
    task: &Task,
    states: &[Rc<PathState>],
    src: Loc,
    dst: Loc,
    after: &[Term],
) -> Option<Vec<Term>> {
    let pieces = core.pre_of(task, src, dst, after)?;
    let mut question = core.all_along(task, &states[states.len() - 1].clone(), &pieces);
    question.extend(conditions(states.iter().map(|state| &**state)));
    Some(question)
}

/// The inputs of an execution and of the step after it.
fn inputs_along(
    core: &mut Core<'_>,
    model: &Model,
    states: &[Rc<PathState>],
    last: &PathState,
    src: Loc,
) -> Inputs {
    let mut choose = |terms: &attest_term::Terms, ways: &[Term]| {
        let holds = |way: &Term| model.value(terms, *way).as_bool() == Some(true);
        ways.iter().position(holds)
    };
    let more = core
        .stepper
        .inputs_on(&mut core.terms, last, src, &mut choose);
    core.inputs_of(model, states, more)
}

/// Predicates from an infeasible path: preconditions of its end, backwards along it, of
/// which only what the solver used. Whether there is a new one.
fn add_predicates(engine: &mut Engine<'_>, path: &[Loc]) -> bool {
    let Some(ways) = executions(&mut engine.core, path) else {
        return false;
    };
    let mut cores: Vec<Vec<Term>> = Vec::new();
    match ways.is_empty() {
        // Some step of it is impossible by itself.
        true => cores.extend(preconditions(&mut engine.core, &engine.task, path, &[])),
        false => {
            for states in &ways {
                cores.extend(preconditions(&mut engine.core, &engine.task, path, states));
            }
        }
    }
    let mut new = false;
    for piece in cores.iter().flatten() {
        new |= add_predicate(engine, *piece);
    }
    if !new {
        // The parts are known, but not what they are together.
        for core in &cores {
            let all = engine.core.terms.all(core);
            new |= add_predicate(engine, all);
        }
    }
    new
}

/// The used pieces of the preconditions along a path, a list for each location.
fn preconditions(
    core: &mut Core<'_>,
    task: &Task,
    path: &[Loc],
    states: &[Rc<PathState>],
) -> Vec<Vec<Term>> {
    let mut out = Vec::new();
    let mut after: Vec<Term> = Vec::new();
    for i in (0..path.len() - 1).rev() {
        let Some(pieces) = core.pre_of(task, path[i], path[i + 1], &after) else {
            break;
        };
        let plain = eliminate(&mut core.terms, &pieces);
        let mut plain = core.flatten(plain);
        plain.retain(|piece| core.is_of_state(task, *piece));
        if let Some(state) = states.get(i).cloned() {
            let questions = core.all_along(task, &state, &plain);
            let path = conditions(states[..=i].iter().map(|state| &**state));
            let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
            let Answer::Unsat(reason) = core.ask(task, Question::Path, &all) else {
                break;
            };
            let used = plain.iter().zip(&questions);
            let used = used.filter(|(_, question)| reason.contains(question));
            plain = used.map(|(piece, _)| *piece).collect();
        }
        out.push(plain.clone());
        after = plain;
    }
    out
}

fn add_predicate(engine: &mut Engine<'_>, piece: Term) -> bool {
    let term = match engine.core.terms.op(piece) {
        Op::Not => engine.core.terms.arg(piece, 0),
        _ => piece,
    };
    let predicates = &engine.abstraction.predicates;
    if engine.core.terms.bool_const(term).is_some() || predicates.iter().any(|p| p.term == term) {
        return false;
    }
    let mut regs: FxHashSet<Reg> = FxHashSet::default();
    for part in engine.core.terms.reachable(&[term]) {
        if let Some(Part::Reg(reg, _)) = engine.task.names.vocabulary.part(part) {
            regs.insert(reg);
        }
    }
    let mut regs: Vec<Reg> = regs.into_iter().collect();
    regs.sort_unstable_by_key(|reg| reg.0);
    engine.abstraction.predicates.push(Predicate { term, regs });
    engine.core.tell(&engine.task, Event::Predicate(term));
    true
}
