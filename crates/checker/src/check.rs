//! The check of a proof: one question an edge (algorithm notes 7.1).
//!
//! * (c0) the first state satisfies the invariant of the entry;
//! * (c1) what an edge makes of a state in its source's invariant is in its
//!   target's;
//! * (c2) no state in an invariant has an edge into the error, or out of the
//!   model in a way that the proof does not assume away.
//!
//! Then no execution reaches the error, by induction on its length. A question
//! that the solver does not answer is never taken for an answer.

use crate::background::Background;
use crate::encode::{Encoder, Flow, Leave};
use crate::memory::{Memories, START};
use crate::state::{State, Value};
use crate::step::{Arrival, Step, step};
use crate::verdict::{Accepted, CheckResult, Failure, describe};
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use attest_proof::{Overflow, Proof, ProofError, location_of};
use attest_solver::{Answer, Limits, Model, Solver};
use attest_term::{Op, Sort as TermSort, Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Checks a proof of an inlined program over its graph. An error is about the
/// proof's text; all else is a result.
pub fn check_proof(
    program: &Program,
    graph: &Graph,
    proof: &Proof,
    solver: &mut dyn Solver,
    limits: &Limits,
) -> Result<CheckResult, ProofError> {
    check_with_progress(program, graph, proof, solver, limits, &mut |_, _| {})
}

/// As [`check_proof`]; `progress` is told how many of the locations are done.
pub fn check_with_progress(
    program: &Program,
    graph: &Graph,
    proof: &Proof,
    solver: &mut dyn Solver,
    limits: &Limits,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<CheckResult, ProofError> {
    let mut terms = Terms::new();
    let symbols = State::symbols(&mut terms, program);
    let invariants = read_invariants(&mut terms, program, graph, proof)?;
    let checker = Checker {
        program,
        graph,
        background: Background::new(program, &symbols),
        symbols,
        invariants,
        assumed: proof.assumed_kinds()?,
        overflow: proof.overflow,
        lives_end: ends_lives(program),
    };
    let mut session = Session {
        terms,
        solver,
        limits,
        questions: 0,
    };
    Ok(match checker.run(&mut session, progress) {
        Ok(mut accepted) => {
            accepted.questions = session.questions;
            CheckResult::Accepted(accepted)
        }
        Err(Stop::Rejected(failure)) => CheckResult::Rejected(failure),
        Err(Stop::Undecided(failure)) => CheckResult::Undecided(failure),
    })
}

/// Reads the invariants; every symbol in them is a part of the state.
fn read_invariants(
    terms: &mut Terms,
    program: &Program,
    graph: &Graph,
    proof: &Proof,
) -> Result<FxHashMap<Loc, Term>, ProofError> {
    let mut out = FxHashMap::default();
    for invariant in &proof.invariants {
        let at = location_of(graph, invariant)?;
        let error = |what: String| {
            let number = invariant.location;
            ProofError(format!("the invariant of location {number}: {what}"))
        };
        let term = terms
            .parse_smtlib(&invariant.smt)
            .map_err(|e| error(e.to_string()))?;
        if terms.sort(term) != TermSort::Bool {
            return Err(error("it is no truth value".into()));
        }
        for part in terms.reachable(&[term]) {
            let fits = match terms.op(part) {
                Op::Read { version, .. } => version <= 1,
                Op::ReadTag { version }
                | Op::ReadPtrObject { version }
                | Op::ReadPtrOffset { version } => version == START,
                Op::Base { width } => width == program.pointer_bits,
                _ => continue,
            };
            let offset = terms.args(part).get(1).map(|offset| terms.width(*offset));
            if !fits || offset.is_some_and(|width| width != program.pointer_bits) {
                return Err(error("a read that is not of this program's memory".into()));
            }
        }
        let term = terms.simplify(term);
        if out.insert(at, term).is_some() {
            return Err(error("there are two".into()));
        }
    }
    Ok(out)
}

/// Whether the program ends the life of any object while it runs.
fn ends_lives(program: &Program) -> bool {
    let function = program.function(program.entry);
    let mut insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.any(|i| {
        matches!(
            i,
            Inst::Free { .. } | Inst::Realloc { .. } | Inst::EndLife { .. }
        )
    })
}

/// Why a check ends early.
enum Stop {
    Rejected(Failure),
    Undecided(Failure),
}

/// The solver with what it is asked about.
struct Session<'s> {
    terms: Terms,
    solver: &'s mut dyn Solver,
    limits: &'s Limits,
    questions: usize,
}

impl Session<'_> {
    fn ask(&mut self, facts: &[Term]) -> Answer {
        let false_fact = |fact: &Term| self.terms.bool_const(*fact) == Some(false);
        if facts.iter().any(false_fact) {
            return Answer::Unsat(Vec::new());
        }
        self.questions += 1;
        self.solver.check(&self.terms, facts, self.limits)
    }
}

struct Checker<'a> {
    program: &'a Program,
    graph: &'a Graph,
    background: Background<'a>,
    symbols: State,
    invariants: FxHashMap<Loc, Term>,
    assumed: Vec<BailKind>,
    overflow: Overflow,
    lives_end: bool,
}

/// A step with what its encoding left behind.
struct Encoded {
    step: Step,
    leaves: Vec<Leave>,
    definitions: Vec<Term>,
    memories: Memories,
}

impl Checker<'_> {
    fn run(
        &self,
        session: &mut Session<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Accepted, Stop> {
        let cuts = &self.graph.functions[self.program.entry.0 as usize].cuts;
        let mut accepted = Accepted {
            assumed: self.assumed.clone(),
            overflow: self.overflow,
            ..Accepted::default()
        };
        self.check_init(session)?;
        accepted.vacuous = self.vacuous(session)?;
        for (done, at) in cuts.values().enumerate() {
            progress(done, cuts.len());
            accepted.edges += self.check_step(session, *at)?;
        }
        Ok(accepted)
    }

    fn invariant(&self, terms: &mut Terms, at: Loc) -> Term {
        let known = self.invariants.get(&at).copied();
        known.unwrap_or_else(|| terms.bool(true))
    }

    fn entry(&self) -> Loc {
        self.graph.functions[self.program.entry.0 as usize].entry
    }

    /// (c0).
    fn check_init(&self, session: &mut Session<'_>) -> Result<(), Stop> {
        let entry = self.entry();
        let invariant = self.invariant(&mut session.terms, entry);
        let goal = session.terms.not(invariant);
        if session.terms.bool_const(goal) == Some(false) {
            return Ok(());
        }
        let mut question = self.first_state(&mut session.terms);
        question.push(goal);
        let failure = self.failure(
            Graph::ROOT,
            Some(entry),
            "the first state may not satisfy it",
        );
        self.refuted(session, question, true, failure, goal)
    }

    /// The equations of the first state: registers are zero but for the
    /// parameters, and globals as they were initialised.
    fn first_state(&self, terms: &mut Terms) -> Vec<Term> {
        let bits = self.program.pointer_bits;
        let function = self.program.function(self.program.entry);
        let regs = function.regs.iter().enumerate().map(|(i, info)| {
            let zero = Constant::zero(info.sort);
            (i >= function.params as usize).then_some(zero)
        });
        let globals = self.program.globals.iter().map(|info| info.init);
        let firsts: Vec<Option<Constant>> = regs.chain(globals).collect();
        let values = self.symbols.regs.iter().chain(&self.symbols.globals);
        let mut out = Vec::new();
        for (value, first) in values.zip(firsts) {
            if let Some(first) = first {
                let first = Value::constant(terms, first, bits);
                for (symbol, number) in value.terms().zip(first.terms()) {
                    out.push(terms.eq(symbol, number));
                }
            }
        }
        out
    }

    /// Says why the proof may be about nothing, if it may.
    fn vacuous(&self, session: &mut Session<'_>) -> Result<Option<String>, Stop> {
        let first = self.first_state(&mut session.terms);
        let facts = self.background.facts(&mut session.terms, &first, true);
        let question: Vec<Term> = first.iter().chain(&facts).copied().collect();
        if session.ask(&question).is_unsat() {
            return Ok(Some("there is no first state".into()));
        }
        let encoded = self.encode(&mut session.terms, self.entry())?;
        let arrivals = encoded.step.arrivals.iter().map(|a| a.flow.path);
        let leaves = encoded.leaves.iter().map(|leave| leave.cond);
        let ways: Vec<Term> = arrivals
            .chain(leaves)
            .chain(encoded.step.ends.iter().copied())
            .collect();
        for way in ways {
            let mut question = first.clone();
            question.extend(&encoded.definitions);
            question.push(way);
            let facts = self.background.facts(&mut session.terms, &question, true);
            question.extend(facts);
            if !session.ask(&question).is_unsat() {
                return Ok(None);
            }
        }
        let why = "no execution gets beyond the first location: assumptions exclude all inputs";
        Ok(Some(why.into()))
    }

    fn encode(&self, terms: &mut Terms, at: Loc) -> Result<Encoded, Stop> {
        let graph = &self.graph.functions[self.program.entry.0 as usize];
        let Some(position) = self.graph.location(at).position else {
            return Err(Stop::Undecided(self.failure(
                at,
                None,
                "it has no position",
            )));
        };
        let path = terms.bool(true);
        let mut encoder = Encoder {
            program: self.program,
            terms,
            memories: Memories::new(self.program.pointer_bits),
            assumed: &self.assumed,
            overflow: self.overflow,
            lives_end: self.lives_end,
            leaves: Vec::new(),
            definitions: Vec::new(),
            place: PlaceId(0),
        };
        let start = Flow {
            state: self.symbols.clone(),
            memory: Memories::START,
            path,
        };
        match step(&mut encoder, graph, position, start) {
            Ok(step) => Ok(Encoded {
                step,
                leaves: encoder.leaves,
                definitions: encoder.definitions,
                memories: encoder.memories,
            }),
            Err(why) => Err(Stop::Undecided(self.failure(at, None, &why))),
        }
    }

    /// (c1) and (c2) for all edges out of a location; gives their number.
    fn check_step(&self, session: &mut Session<'_>, at: Loc) -> Result<usize, Stop> {
        let invariant = self.invariant(&mut session.terms, at);
        let mut encoded = self.encode(&mut session.terms, at)?;
        let mut targets: Vec<Loc> = encoded.step.arrivals.iter().map(|a| a.at).collect();
        targets.sort_unstable();
        targets.dedup();
        let mut kinds: Vec<_> = encoded.leaves.iter().map(|leave| leave.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let edges = targets.len() + kinds.len() + usize::from(!encoded.step.ends.is_empty());
        if session.terms.bool_const(invariant) == Some(false) {
            return Ok(edges);
        }
        let mut known = vec![invariant];
        known.extend(&encoded.definitions);
        self.check_leaves(session, at, &known, &encoded.leaves, &kinds)?;
        for arrival in std::mem::take(&mut encoded.step.arrivals) {
            self.check_arrival(session, at, &known, &arrival, &mut encoded.memories)?;
        }
        Ok(edges)
    }

    /// (c2): all ways of a kind in one question.
    fn check_leaves(
        &self,
        session: &mut Session<'_>,
        at: Loc,
        known: &[Term],
        leaves: &[Leave],
        kinds: &[Option<BailKind>],
    ) -> Result<(), Stop> {
        for kind in kinds {
            let ways: Vec<&Leave> = leaves.iter().filter(|leave| leave.kind == *kind).collect();
            let conditions: Vec<Term> = ways.iter().map(|leave| leave.cond).collect();
            let any = session.terms.any(&conditions);
            let mut question = known.to_vec();
            question.push(any);
            let facts = self.background.facts(&mut session.terms, &question, false);
            question.extend(facts);
            let answer = session.ask(&question);
            let (model, reason) = match answer {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => (Some(model), None),
                Answer::Unknown(reason) => (None, Some(reason)),
            };
            let taken = ways.iter().find(|leave| {
                let holds = |m: &Arc<Model>| m.satisfies(&session.terms, &[leave.cond]);
                model.as_ref().is_none_or(holds)
            });
            let goal = match kind {
                None => "the error".to_owned(),
                Some(kind) => format!("a way out of the model ({})", kind.word()),
            };
            let mut failure = self.failure(at, None, &format!("{goal} may be reached"));
            failure.to = goal;
            if let Some(taken) = taken {
                let place = self.program.place(taken.place);
                failure.to = format!("{} ({place})", failure.to);
                failure.why = format!("{} may be reached", taken.what);
            }
            return Err(self.stop(session, failure, model, reason, None));
        }
        Ok(())
    }

    /// (c1).
    fn check_arrival(
        &self,
        session: &mut Session<'_>,
        from: Loc,
        known: &[Term],
        arrival: &Arrival,
        memories: &mut Memories,
    ) -> Result<(), Stop> {
        let target = self.invariant(&mut session.terms, arrival.at);
        if session.terms.bool_const(target) == Some(true) {
            return Ok(());
        }
        let after = self.after(&mut session.terms, target, &arrival.flow, memories);
        let goal = session.terms.not(after);
        let mut question = known.to_vec();
        question.extend([arrival.flow.path, goal]);
        let failure = self.failure(from, Some(arrival.at), "the edge may lead out of it");
        self.refuted(session, question, false, failure, goal)
    }

    /// An invariant of a location, as one over the step's start.
    fn after(&self, terms: &mut Terms, root: Term, flow: &Flow, memories: &mut Memories) -> Term {
        let before = self.symbols.parts();
        let now: FxHashMap<Term, Term> = before.into_iter().zip(flow.state.parts()).collect();
        let mut memo = FxHashMap::default();
        terms.transform(root, &mut memo, |terms, term, args| {
            let part = now.get(&term).copied();
            part.or_else(|| memories.resolve(terms, flow.memory, terms.op(term), args))
        })
    }

    /// Goes on if the question has no answer; it fails otherwise.
    fn refuted(
        &self,
        session: &mut Session<'_>,
        mut question: Vec<Term>,
        first: bool,
        failure: Failure,
        goal: Term,
    ) -> Result<(), Stop> {
        let facts = self.background.facts(&mut session.terms, &question, first);
        question.extend(facts);
        match session.ask(&question) {
            Answer::Unsat(_) => Ok(()),
            Answer::Sat(model) => Err(self.stop(session, failure, Some(model), None, Some(goal))),
            Answer::Unknown(reason) => Err(self.stop(session, failure, None, Some(reason), None)),
        }
    }

    fn stop(
        &self,
        session: &Session<'_>,
        mut failure: Failure,
        model: Option<Arc<Model>>,
        reason: Option<attest_solver::Reason>,
        goal: Option<Term>,
    ) -> Stop {
        if let Some(reason) = reason {
            failure.why = format!("not decided ({reason}): {}", failure.why);
            return Stop::Undecided(failure);
        }
        if let Some(model) = model {
            let roots = self.named_parts(&failure, &session.terms, goal);
            failure.state = describe(self.program, &session.terms, &model, &roots);
        }
        Stop::Rejected(failure)
    }

    /// The parts of the state that a counterexample is told by: those that
    /// the source's invariant mentions or its future reads.
    fn named_parts(
        &self,
        failure: &Failure,
        terms: &Terms,
        goal: Option<Term>,
    ) -> Vec<(String, Value)> {
        let mut roots: Vec<Term> = goal.into_iter().collect();
        roots.extend(self.invariants.get(&failure.source));
        let mentioned = terms.reachable(&roots);
        let live = &self.graph.location(failure.source).live;
        let function = self.program.function(self.program.entry);
        let mut out = Vec::new();
        for (i, value) in self.symbols.regs.iter().enumerate() {
            let info = &function.regs[i];
            let wanted = live.contains(&Reg(i as u32))
                || value.terms().any(|t| mentioned.binary_search(&t).is_ok());
            if wanted {
                let name = info
                    .variable
                    .map_or(&*info.name, |v| &self.program.variable(v).name);
                out.push((format!("{name} (r{i})"), *value));
            }
        }
        for (value, info) in self.symbols.globals.iter().zip(&self.program.globals) {
            out.push((info.name.to_string(), *value));
        }
        out
    }

    fn failure(&self, source: Loc, target: Option<Loc>, why: &str) -> Failure {
        let words = |at: Loc| {
            let location = self.graph.location(at);
            match location.position {
                Some(_) => format!("L{} ({})", at.0, self.program.place(location.place)),
                None => "the start".to_owned(),
            }
        };
        Failure {
            source,
            from: words(source),
            to: target.map_or_else(String::new, words),
            why: why.to_owned(),
            state: Vec::new(),
        }
    }
}
