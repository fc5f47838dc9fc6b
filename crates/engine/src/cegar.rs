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

use crate::eliminate::eliminate;
use crate::engine::Engine;
use crate::events::{Event, Question, Why};
use crate::verdict::{FailingTest, Reason, Verdict};
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

impl Engine<'_> {
    /// The loop, until there is a verdict or it is late.
    pub(crate) fn cegar(&mut self, until: Option<Duration>) -> Option<Verdict> {
        while until.is_none_or(|until| self.effort() < until) {
            if let Some(reason) = self.out_of_limits() {
                return Some(Verdict::Unknown(reason));
            }
            if self.abstraction.states.is_empty() {
                self.tell(Event::Round);
                self.start_reachability();
            }
            if self.abstraction.next == self.abstraction.states.len() {
                let invariants = self.reached();
                return self.conclude_by(invariants);
            }
            let Some(path) = self.follow_state() else {
                continue;
            };
            let verdict = match self.execute(&path) {
                Path::Fails(test) => Verdict::Unsafe(test),
                Path::Infeasible if self.add_predicates(&path) => {
                    self.abstraction.states.clear();
                    continue;
                }
                // A way out of the model that was a target is known to be there, and is
                // none any more; there may be an error besides.
                Path::Undecided(_) if !self.targets.contains(&path[path.len() - 1]) => {
                    self.abstraction.states.clear();
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

    fn start_reachability(&mut self) {
        self.abstraction.states.clear();
        self.abstraction.at.clear();
        self.abstraction.next = 0;
        let entry = self.graph.functions[self.function.0 as usize].entry;
        if let Some(cube) = self.post(Graph::ROOT, &Vec::new(), entry) {
            self.add_state(entry, cube, None);
        }
    }

    /// Follows the steps of the next state; the locations of a path to a target, if one is.
    fn follow_state(&mut self) -> Option<Vec<Loc>> {
        let at = self.abstraction.next;
        self.abstraction.next += 1;
        let state = &self.abstraction.states[at];
        let (loc, cube) = (state.loc, state.cube.clone());
        let edges = self.graph.outgoing[loc.0 as usize].clone();
        for edge in edges {
            let dst = self.graph.edge(edge).dst;
            let is_target = self.targets.contains(&dst);
            if self.graph.location(dst).position.is_none() && !is_target {
                continue;
            }
            let Some(after) = self.post(loc, &cube, dst) else {
                continue;
            };
            if is_target {
                let mut path = vec![dst];
                let mut from = Some(at);
                while let Some(id) = from {
                    path.push(self.abstraction.states[id].loc);
                    from = self.abstraction.states[id].parent;
                }
                path.reverse();
                return Some(path);
            }
            self.add_state(dst, after, Some(at));
        }
        None
    }

    fn add_state(&mut self, loc: Loc, cube: Cube, parent: Option<usize>) {
        let abstraction = &mut self.abstraction;
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
    fn literals(&mut self, cube: &Cube) -> Vec<Term> {
        let values = self.abstraction.predicates.iter().zip(cube);
        let known = values.filter_map(|(p, value)| value.map(|value| (p.term, value)));
        let known: Vec<(Term, bool)> = known.collect();
        let literal = |(term, value): (Term, bool)| match value {
            true => term,
            false => self.terms.not(term),
        };
        known.into_iter().map(literal).collect()
    }

    /// The abstract state after a step; none if the step is impossible.
    fn post(&mut self, src: Loc, cube: &Cube, dst: Loc) -> Option<Cube> {
        let step = self.pre_of(src, dst, &[])?;
        let mut known = self.literals(cube);
        known.extend(&step);
        if self.ask(Question::Post, &known).is_unsat() {
            return None;
        }
        let mut after = Vec::with_capacity(self.abstraction.predicates.len());
        for i in 0..self.abstraction.predicates.len() {
            let predicate = &self.abstraction.predicates[i];
            let live = &self.graph.location(dst).live;
            let dead = predicate.regs.iter().any(|reg| !live.contains(reg));
            let term = predicate.term;
            let before = cube.get(i).copied().flatten();
            after.push(match dead {
                true => None,
                false => self.value_after(src, dst, term, before, &step, &known),
            });
        }
        Some(after)
    }

    /// What a predicate is after a step, if it is always the same.
    fn value_after(
        &mut self,
        src: Loc,
        dst: Loc,
        predicate: Term,
        before: Option<bool>,
        step: &[Term],
        known: &[Term],
    ) -> Option<bool> {
        let now = self.pre_of_one(src, dst, predicate);
        if let Some(value) = self.terms.bool_const(now) {
            return Some(value);
        }
        if now == predicate {
            let mine = self.terms.free_symbols(&[now]);
            let decided = self.terms.free_symbols(step);
            // The step has nothing to do with it.
            if before.is_some() || !mine.iter().any(|symbol| decided.contains(symbol)) {
                return before;
            }
        }
        let not = self.terms.not(now);
        for (case, value) in [(not, true), (now, false)] {
            let mut all = known.to_vec();
            all.push(case);
            if self.ask(Question::Post, &all).is_unsat() {
                return Some(value);
            }
        }
        None
    }

    /// The abstract states as invariants.
    fn reached(&mut self) -> Vec<(Loc, Term)> {
        let mut locations: Vec<Loc> = self.before_targets().into_iter().collect();
        locations.retain(|loc| !self.targets.contains(loc));
        locations.sort();
        let mut invariants = Vec::with_capacity(locations.len());
        for loc in locations {
            let here = self.abstraction.at.get(&loc).cloned().unwrap_or_default();
            let mut cubes = Vec::with_capacity(here.len());
            for id in here {
                let cube = self.abstraction.states[id].cube.clone();
                let literals = self.literals(&cube);
                cubes.push(self.terms.all(&literals));
            }
            invariants.push((loc, self.terms.any(&cubes)));
        }
        invariants
    }

    /// Executes an abstract path symbolically, by each of its ways.
    fn execute(&mut self, path: &[Loc]) -> Path {
        let Some(ways) = self.executions(path) else {
            return Path::Undecided("an abstract path has too many ways through switches");
        };
        let (src, target) = (path[path.len() - 2], path[path.len() - 1]);
        for states in ways {
            let last = states[states.len() - 1].clone();
            let Some(question) = self.question(&states, src, target, &[]) else {
                continue;
            };
            match self.ask(Question::Path, &question) {
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => {
                    return Path::Undecided("the solver does not know whether a path is possible");
                }
                Answer::Sat(model) => {
                    let inputs = self.inputs_along(&model, &states, &last, src);
                    return match self.test(Arc::new(inputs), None, Why::Crossing) {
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
    fn executions(&mut self, path: &[Loc]) -> Option<Vec<Vec<Rc<PathState>>>> {
        let mut all = vec![vec![self.initial.clone()]];
        for (i, pair) in path[..path.len() - 1].windows(2).enumerate() {
            let ways = self.ways(pair[0]);
            let mut next = Vec::new();
            for states in &all {
                let from = states[states.len() - 1].clone();
                for way in ways.iter().filter(|way| way.dst == pair[1]) {
                    let taken = self.take(&from, pair[0], &way.decisions, &format!("c{i}"));
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
        &mut self,
        states: &[Rc<PathState>],
        src: Loc,
        dst: Loc,
        after: &[Term],
    ) -> Option<Vec<Term>> {
        let pieces = self.pre_of(src, dst, after)?;
        let mut question = self.all_along(&states[states.len() - 1].clone(), &pieces);
        question.extend(conditions(states.iter().map(|state| &**state)));
        Some(question)
    }

    /// The inputs of an execution and of the step after it.
    fn inputs_along(
        &mut self,
        model: &Model,
        states: &[Rc<PathState>],
        last: &PathState,
        src: Loc,
    ) -> Inputs {
        let mut choose = |terms: &attest_term::Terms, ways: &[Term]| {
            let holds = |way: &Term| model.value(terms, *way).as_bool() == Some(true);
            ways.iter().position(holds)
        };
        let more = self
            .stepper
            .inputs_on(&mut self.terms, last, src, &mut choose);
        self.inputs_of(model, states, more)
    }

    /// Predicates from an infeasible path: preconditions of its end, backwards along it, of
    /// which only what the solver used. Whether there is a new one.
    fn add_predicates(&mut self, path: &[Loc]) -> bool {
        let Some(ways) = self.executions(path) else {
            return false;
        };
        let mut cores: Vec<Vec<Term>> = Vec::new();
        match ways.is_empty() {
            // Some step of it is impossible by itself.
            true => cores.extend(self.preconditions(path, &[])),
            false => {
                for states in &ways {
                    cores.extend(self.preconditions(path, states));
                }
            }
        }
        let mut new = false;
        for piece in cores.iter().flatten() {
            new |= self.add_predicate(*piece);
        }
        if !new {
            // The parts are known, but not what they are together.
            for core in &cores {
                let all = self.terms.all(core);
                new |= self.add_predicate(all);
            }
        }
        new
    }

    /// The used pieces of the preconditions along a path, a list for each location.
    fn preconditions(&mut self, path: &[Loc], states: &[Rc<PathState>]) -> Vec<Vec<Term>> {
        let mut out = Vec::new();
        let mut after: Vec<Term> = Vec::new();
        for i in (0..path.len() - 1).rev() {
            let Some(pieces) = self.pre_of(path[i], path[i + 1], &after) else {
                break;
            };
            let plain = eliminate(&mut self.terms, &pieces);
            let mut plain = self.flatten(plain);
            plain.retain(|piece| self.is_of_state(*piece));
            if let Some(state) = states.get(i).cloned() {
                let questions = self.all_along(&state, &plain);
                let path = conditions(states[..=i].iter().map(|state| &**state));
                let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
                let Answer::Unsat(core) = self.ask(Question::Path, &all) else {
                    break;
                };
                let used = plain.iter().zip(&questions);
                let used = used.filter(|(_, question)| core.contains(question));
                plain = used.map(|(piece, _)| *piece).collect();
            }
            out.push(plain.clone());
            after = plain;
        }
        out
    }

    fn add_predicate(&mut self, piece: Term) -> bool {
        let term = match self.terms.op(piece) {
            Op::Not => self.terms.arg(piece, 0),
            _ => piece,
        };
        let predicates = &self.abstraction.predicates;
        if self.terms.bool_const(term).is_some() || predicates.iter().any(|p| p.term == term) {
            return false;
        }
        let mut regs: FxHashSet<Reg> = FxHashSet::default();
        for part in self.terms.reachable(&[term]) {
            if let Some(Part::Reg(reg, _)) = self.vocabulary.part(part) {
                regs.insert(reg);
            }
        }
        let mut regs: Vec<Reg> = regs.into_iter().collect();
        regs.sort_unstable_by_key(|reg| reg.0);
        self.abstraction.predicates.push(Predicate { term, regs });
        self.tell(Event::Predicate(term));
        true
    }
}
