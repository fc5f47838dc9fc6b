//! Predicate abstraction with refinement (SLAM, POPL 2002), the baseline of SYNERGY and DASH.
//!
//! There is a set of predicates, used at every location. An abstract state is
//! a location and, for each predicate, true, false or not known: the Cartesian
//! abstraction, with one solver call for each predicate and value. *Reachability* follows
//! the steps of the graph from the start, breadth first, and leaves out states
//! that another one covers. If it does not reach a target, the abstract
//! states are inductive and are the proof. If it does, the *path* is executed
//! symbolically. Where it is possible, its inputs are the counterexample. Where
//! it is not, the preconditions along it, as far as the solver used them, are
//! the new *predicates*, and all starts again.
//!
//! No tests guide it, so a loop of a hundred iterations before the error takes a
//! hundred infeasible paths and as many predicates. If a path brings no
//! predicate that is new, there is no verdict.

use crate::algorithm::Algorithm;
use crate::algorithm::baselines::step_paths;
use crate::certify::certificate;
use crate::core::Core;
use crate::events::{Event, Question, Why};
use crate::refine::eliminate::eliminate;
use crate::search::Search;
use crate::task::Task;
use crate::testing;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::Inputs;
use attest_exec::symbolic::path::{PathState, conditions};
use attest_exec::symbolic::step::Part;
use attest_model::Reg;
use attest_model::graph::{Graph, Loc};
use attest_solver::{Answer, Model};
use attest_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;

/// The values of the predicates, where they are known.
type Cube = Vec<Option<bool>>;

/// The predicates and the abstract states of the present round.
#[derive(Default)]
pub(crate) struct Abstraction {
    predicates: Vec<Predicate>,
    states: Vec<State>,
    at: FxHashMap<Loc, Vec<usize>>,
    /// The first state whose steps were not taken.
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

/// Predicate abstraction with refinement.
#[derive(Default)]
pub(crate) struct Cegar(Abstraction);

impl Algorithm for Cegar {
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
        cegar(&mut self.0, search, until)
    }
}

/// The loop, until there is a verdict or it is late.
fn cegar(
    abstraction: &mut Abstraction,
    search: &mut Search<'_>,
    until: Option<Duration>,
) -> Option<Verdict> {
    while until.is_none_or(|until| search.core.effort() < until) {
        if let Some(reason) = search.core.out_of_limits(&search.task) {
            return Some(Verdict::Unknown(reason));
        }
        if abstraction.states.is_empty() {
            search.core.tell(&search.task, Event::Round);
            start_reachability(abstraction, search);
        }
        if abstraction.next == abstraction.states.len() {
            let invariants = reached(abstraction, search);
            return certificate::conclude_by(&mut search.core, &mut search.task, invariants);
        }
        let Some(path) = follow_state(abstraction, search) else {
            continue;
        };
        let verdict = match execute(search, &path) {
            Path::Fails(test) => Verdict::Unsafe(test),
            Path::Infeasible if add_predicates(abstraction, search, &path) => {
                abstraction.states.clear();
                continue;
            }
            // An exit that was a target is known to be reachable, and is no target
            // any more; there may be an error besides.
            Path::Undecided(_) if !search.core.targets.contains(&path[path.len() - 1]) => {
                abstraction.states.clear();
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

fn start_reachability(abstraction: &mut Abstraction, search: &mut Search<'_>) {
    abstraction.states.clear();
    abstraction.at.clear();
    abstraction.next = 0;
    let entry = search.core.graph.functions[search.task.function.0 as usize].entry;
    if let Some(cube) = post(abstraction, search, Graph::ROOT, &Vec::new(), entry) {
        add_state(abstraction, entry, cube, None);
    }
}

/// Follows the steps of the next state; the locations of a path to a target, if one is.
fn follow_state(abstraction: &mut Abstraction, search: &mut Search<'_>) -> Option<Vec<Loc>> {
    let at = abstraction.next;
    abstraction.next += 1;
    let state = &abstraction.states[at];
    let (loc, cube) = (state.loc, state.cube.clone());
    let edges = search.core.graph.outgoing[loc.0 as usize].clone();
    for edge in edges {
        let dst = search.core.graph.edge(edge).dst;
        let is_target = search.core.targets.contains(&dst);
        if search.core.graph.location(dst).position.is_none() && !is_target {
            continue;
        }
        let Some(after) = post(abstraction, search, loc, &cube, dst) else {
            continue;
        };
        if is_target {
            let mut path = vec![dst];
            let mut from = Some(at);
            while let Some(id) = from {
                path.push(abstraction.states[id].loc);
                from = abstraction.states[id].parent;
            }
            path.reverse();
            return Some(path);
        }
        add_state(abstraction, dst, after, Some(at));
    }
    None
}

fn add_state(abstraction: &mut Abstraction, loc: Loc, cube: Cube, parent: Option<usize>) {
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
fn literals(abstraction: &mut Abstraction, search: &mut Search<'_>, cube: &Cube) -> Vec<Term> {
    let values = abstraction.predicates.iter().zip(cube);
    let known = values.filter_map(|(p, value)| value.map(|value| (p.term, value)));
    let known: Vec<(Term, bool)> = known.collect();
    let literal = |(term, value): (Term, bool)| match value {
        true => term,
        false => search.core.terms.not(term),
    };
    known.into_iter().map(literal).collect()
}

/// The abstract state after a step; none if the step is impossible.
fn post(
    abstraction: &mut Abstraction,
    search: &mut Search<'_>,
    src: Loc,
    cube: &Cube,
    dst: Loc,
) -> Option<Cube> {
    let step = search.core.pre_of(&search.task, src, dst, &[])?;
    let mut known = literals(abstraction, search, cube);
    known.extend(&step);
    if search
        .core
        .ask(&search.task, Question::Post, &known)
        .is_unsat()
    {
        return None;
    }
    let mut after = Vec::with_capacity(abstraction.predicates.len());
    for i in 0..abstraction.predicates.len() {
        let predicate = &abstraction.predicates[i];
        let live = &search.core.graph.location(dst).live;
        let dead = predicate.regs.iter().any(|reg| !live.contains(reg));
        let term = predicate.term;
        let before = cube.get(i).copied().flatten();
        after.push(match dead {
            true => None,
            false => value_after(
                &mut search.core,
                &search.task,
                (src, dst),
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
    (src, dst): (Loc, Loc),
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
fn reached(abstraction: &mut Abstraction, search: &mut Search<'_>) -> Vec<(Loc, Term)> {
    let mut locations: Vec<Loc> = step_paths::before_targets(&search.core)
        .into_iter()
        .collect();
    locations.retain(|loc| !search.core.targets.contains(loc));
    locations.sort();
    let mut invariants = Vec::with_capacity(locations.len());
    for loc in locations {
        let here = abstraction.at.get(&loc).cloned().unwrap_or_default();
        let mut cubes = Vec::with_capacity(here.len());
        for id in here {
            let cube = abstraction.states[id].cube.clone();
            let literals = literals(abstraction, search, &cube);
            cubes.push(search.core.terms.all(&literals));
        }
        invariants.push((loc, search.core.terms.any(&cubes)));
    }
    invariants
}

/// Executes an abstract path symbolically, by each of its ways.
fn execute(search: &mut Search<'_>, path: &[Loc]) -> Path {
    let Some(ways) = executions(&mut search.core, path) else {
        return Path::Undecided("an abstract path has too many ways through switches");
    };
    let (src, target) = (path[path.len() - 2], path[path.len() - 1]);
    for states in ways {
        let last = states[states.len() - 1].clone();
        let Some(question) = question(&mut search.core, &search.task, &states, src, target, &[])
        else {
            continue;
        };
        match search.core.ask(&search.task, Question::Path, &question) {
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => {
                return Path::Undecided("the solver does not know whether a path is possible");
            }
            Answer::Sat(model) => {
                let inputs = inputs_along(&mut search.core, &model, &states, &last, src);
                return match testing::test(search, Arc::new(inputs), None, Why::Crossing) {
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
fn executions(core: &mut Core<'_>, path: &[Loc]) -> Option<Vec<Vec<Arc<PathState>>>> {
    let mut all = vec![vec![core.initial.clone()]];
    for (i, pair) in path[..path.len() - 1].windows(2).enumerate() {
        let ways = step_paths::ways(core, pair[0]);
        let mut next = Vec::new();
        for states in &all {
            let from = states[states.len() - 1].clone();
            for way in ways.iter().filter(|way| way.dst == pair[1]) {
                let taken =
                    step_paths::take(core, &from, pair[0], &way.decisions, &format!("c{i}"));
                if let Some(state) = taken {
                    let mut states = states.clone();
                    states.push(Arc::new(state));
                    next.push(states);
                }
            }
        }
        if next.len() > core.options.tuning.search.cegar_executions {
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
    states: &[Arc<PathState>],
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
    states: &[Arc<PathState>],
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
fn add_predicates(abstraction: &mut Abstraction, search: &mut Search<'_>, path: &[Loc]) -> bool {
    let Some(ways) = executions(&mut search.core, path) else {
        return false;
    };
    let mut cores: Vec<Vec<Term>> = Vec::new();
    match ways.is_empty() {
        // Some step of it is impossible by itself.
        true => cores.extend(preconditions(&mut search.core, &search.task, path, &[])),
        false => {
            for states in &ways {
                cores.extend(preconditions(&mut search.core, &search.task, path, states));
            }
        }
    }
    let mut new = false;
    for piece in cores.iter().flatten() {
        new |= add_predicate(abstraction, search, *piece);
    }
    if !new {
        // The parts are known, but not what they are together.
        for core in &cores {
            let all = search.core.terms.all(core);
            new |= add_predicate(abstraction, search, all);
        }
    }
    new
}

/// The used conjuncts of the preconditions along a path, a list for each location.
fn preconditions(
    core: &mut Core<'_>,
    task: &Task,
    path: &[Loc],
    states: &[Arc<PathState>],
) -> Vec<Vec<Term>> {
    let mut out = Vec::new();
    let mut after: Vec<Term> = Vec::new();
    for i in (0..path.len() - 1).rev() {
        let Some(pieces) = core.pre_of(task, path[i], path[i + 1], &after) else {
            break;
        };
        let plain = eliminate(
            &mut core.terms,
            &pieces,
            core.options.tuning.refinement.choices,
        );
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

fn add_predicate(abstraction: &mut Abstraction, search: &mut Search<'_>, piece: Term) -> bool {
    let term = match search.core.terms.op(piece) {
        Op::Not => search.core.terms.arg(piece, 0),
        _ => piece,
    };
    let predicates = &abstraction.predicates;
    if search.core.terms.bool_const(term).is_some() || predicates.iter().any(|p| p.term == term) {
        return false;
    }
    let mut regs: FxHashSet<Reg> = FxHashSet::default();
    for part in search.core.terms.reachable(&[term]) {
        if let Some(Part::Reg(reg, _)) = search.task.names.vocabulary.part(part) {
            regs.insert(reg);
        }
    }
    let mut regs: Vec<Reg> = regs.into_iter().collect();
    regs.sort_unstable_by_key(|reg| reg.0);
    abstraction.predicates.push(Predicate { term, regs });
    search.core.tell(&search.task, Event::Predicate(term));
    true
}
