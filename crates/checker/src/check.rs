//! The check of a proof: one solver check per edge (algorithm notes 7.1 and 7.2).
//!
//! For the main map, the map of the entry function:
//! * (c0) the initial state satisfies the invariant of the entry;
//! * (c1) an edge leads from its source's invariant into its target's invariant; for the edges of a
//!   call see `call.rs`. No edge leads back to the entry, so a step out of it may be assumed to
//!   start in the initial state;
//! * (c2) no state in an invariant has an edge to the error, or to a bail that the proof does not
//!   assume away.
//!
//! For the map of a summary there is no (c0), since its invariant at the entry is the precondition.
//! (c1) is the same, over its own function. A summary of returns must exclude that a step from an
//! invariant returns in a state of the post, and says nothing about errors and bails; a summary of
//! the error or a bail must exclude exactly that.
//!
//! Then no execution reaches the error, and every summary is true, by induction on the length of an
//! execution of the program or of one function. Take an execution of a function from its map's
//! invariant at the entry. As long as each call in it does what its edge allows, it stays in the
//! invariants, so it does not end as the claim denies. A call inside is shorter, so the summaries
//! used there, for the values of their ghosts there, are true of it, and its frame is computed from
//! the code. So summaries may use each other and themselves in cycles (algorithm notes 5.6; partial
//! correctness: an inner call that never returns proves nothing, and nothing needs to be proved of
//! it). This only requires that every used summary is in the proof and is itself checked.
//!
//! An unknown answer of the solver is never taken as another answer.

use crate::background::Background;
use crate::call::resolve;
use crate::encode::{Definition, Exit, Flow};
use crate::map::{Claim, Map, Maps, call_at, read_maps};
use crate::memory::Memories;
use crate::open::Open;
use crate::semantics::{Encoded, ExitKinds, Semantics};
use crate::session::{Session, Stop};
use crate::state::Value;
use crate::step::Arrival;
use crate::unwind::check_unwinding;
use crate::verdict::{Accepted, CheckResult, Failure};
use attest_model::graph::{Graph, Loc, Outcome};
use attest_model::*;
use attest_proof::{Proof, ProofError};
use attest_solver::{Answer, Limits, Model, Solver};
use attest_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;

/// Checks a proof of an inlined program over its graph. An error is about the proof's text;
/// everything else is a result.
pub fn check_proof(
    program: &Program,
    graph: &Graph,
    proof: &Proof,
    solver: &mut dyn Solver,
    limits: &Limits,
) -> Result<CheckResult, ProofError> {
    check_with_progress(program, graph, proof, solver, limits, &mut |_, _| {})
}

/// As [`check_proof`]; `progress` gets the number of checked locations.
pub fn check_with_progress(
    program: &Program,
    graph: &Graph,
    proof: &Proof,
    solver: &mut dyn Solver,
    limits: &Limits,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<CheckResult, ProofError> {
    if let Some(claim) = &proof.unwinding {
        return check_unwinding(program, proof, claim, solver, limits);
    }
    let mut terms = Terms::new();
    let checker = Checker::of(&mut terms, program, graph, proof)?;
    let mut session = Session::new(terms, solver, limits);
    Ok(match checker.run(&mut session, progress) {
        Ok(mut accepted) => {
            accepted.questions = session.checks;
            CheckResult::Accepted(accepted)
        }
        Err(Stop::Rejected(failure)) => CheckResult::Rejected(*failure),
        Err(Stop::Undecided(failure)) => CheckResult::Undecided(*failure),
    })
}

/// Returns which summaries of a proof are true, in their order, and ignores the other parts. A
/// summary that uses one not known to be true does not count as true. `go_on` is given the effort of
/// the solver so far, and stops further checks.
pub fn check_summaries(
    program: &Program,
    graph: &Graph,
    proof: &Proof,
    solver: &mut dyn Solver,
    limits: &Limits,
    go_on: &mut dyn FnMut(Duration) -> bool,
) -> Result<Vec<bool>, ProofError> {
    let mut terms = Terms::new();
    let checker = Checker::of(&mut terms, program, graph, proof)?;
    let mut session = Session::new(terms, solver, limits);
    let summaries = &checker.maps.summaries;
    let mut holds = Vec::with_capacity(summaries.len());
    for summary in summaries {
        let map = &summary.map;
        let background = Background::new(program, &map.symbols);
        let mut cuts = graph.functions[map.function.0 as usize].cuts.values();
        holds.push(cuts.all(|at| {
            let step = |session: &mut _| checker.check_step(session, map, &background, *at);
            go_on(session.effort()) && step(&mut session).is_ok()
        }));
    }
    loop {
        let before = holds.clone();
        for (i, summary) in summaries.iter().enumerate() {
            let mut uses = summary.map.uses.values().flatten();
            holds[i] &= uses.all(|used| before[used.summary]);
        }
        if holds == before {
            return Ok(holds);
        }
    }
}

/// The hypotheses about the states that a step starts from, and the names of its joins.
struct Known {
    invariant: Term,
    definitions: Vec<Definition>,
}

impl Known {
    /// The formulas of a check, together with these hypotheses.
    fn with(&self, terms: &Terms, about: &[Term]) -> Vec<Term> {
        let mut formulas = vec![self.invariant];
        formulas.extend(about);
        needed(terms, &self.definitions, &mut formulas);
        formulas
    }
}

/// Adds the definitions of the names that the formulas mention, and those that they mention. A
/// definition whose name does not occur elsewhere has no effect.
fn needed(terms: &Terms, definitions: &[Definition], formulas: &mut Vec<Term>) {
    let mut seen: FxHashSet<Term> = terms.reachable(formulas).into_iter().collect();
    // A definition mentions only earlier ones.
    for definition in definitions.iter().rev() {
        if seen.contains(&definition.name) {
            formulas.push(definition.equation);
            seen.extend(terms.reachable(&[definition.equation]));
        }
    }
}

/// A program with the maps to check.
pub(crate) struct Checker<'a> {
    pub semantics: Semantics<'a>,
    pub maps: Maps,
    /// What calls of each function may change.
    pub effects: Vec<Effects>,
    /// How calls of each function may end other than by a return.
    pub exit_kinds: Vec<ExitKinds>,
}

impl<'a> Checker<'a> {
    fn of(
        terms: &mut Terms,
        program: &'a Program,
        graph: &'a Graph,
        proof: &Proof,
    ) -> Result<Checker<'a>, ProofError> {
        let points_to = Arc::new(PointsTo::of(program));
        let maps = read_maps(terms, program, graph, &points_to, proof)?;
        let semantics = Semantics {
            program,
            graph,
            open: Open::of(program, proof)?,
            overflow: proof.overflow,
            lives: Lives::of(program, &points_to),
            points_to,
        };
        Ok(Checker {
            maps,
            effects: effects(program),
            exit_kinds: semantics.exit_kinds(),
            semantics,
        })
    }
}

impl Checker<'_> {
    fn run(
        &self,
        session: &mut Session<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Accepted, Stop> {
        let summaries = self.maps.summaries.iter().map(|summary| &summary.map);
        let maps: Vec<&Map> = std::iter::once(&self.maps.main).chain(summaries).collect();
        let cuts = |map: &Map| &self.semantics.graph.functions[map.function.0 as usize].cuts;
        let all = maps.iter().map(|map| cuts(map).len()).sum();
        let Semantics { program, open, .. } = &self.semantics;
        let mut accepted = Accepted {
            summaries: self.maps.summaries.len(),
            ..Accepted::of(program, open, self.semantics.overflow)
        };
        self.check_init(session)?;
        accepted.vacuous = self.vacuous(session)?;
        let mut done = 0;
        for map in maps {
            let background = Background::new(self.semantics.program, &map.symbols);
            for at in cuts(map).values() {
                progress(done, all);
                done += 1;
                accepted.edges += self.check_step(session, map, &background, *at)?;
            }
        }
        Ok(accepted)
    }

    fn entry(&self) -> Loc {
        let entry = self.semantics.program.entry;
        self.semantics.graph.functions[entry.0 as usize].entry
    }

    /// (c0).
    fn check_init(&self, session: &mut Session<'_>) -> Result<(), Stop> {
        let (map, entry) = (&self.maps.main, self.entry());
        let invariant = map.invariant(&mut session.terms, entry);
        let goal = session.terms.not(invariant);
        if session.terms.bool_const(goal) == Some(false) {
            return Ok(());
        }
        let mut formulas = self.initial_state(&mut session.terms);
        formulas.push(goal);
        let why = "the initial state may violate it";
        let failure = self.failure(map, Graph::ROOT, Some(entry), why);
        let background = Background::new(self.semantics.program, &map.symbols).at_initial();
        self.refuted(session, map, &background, formulas, failure, goal)
    }

    /// The equations of the initial state: registers are zero except for the parameters, and
    /// globals have their initial values.
    fn initial_state(&self, terms: &mut Terms) -> Vec<Term> {
        let program = self.semantics.program;
        let function = program.function(program.entry);
        let regs = function.regs.iter().enumerate().map(|(i, info)| {
            let zero = Constant::zero(info.sort);
            (i >= function.params as usize).then_some(zero)
        });
        let globals = program.globals.iter().map(|info| info.init);
        let firsts: Vec<Option<Constant>> = regs.chain(globals).collect();
        let symbols = &self.maps.main.symbols;
        let values = symbols.regs.iter().chain(&symbols.globals);
        let mut out = Vec::new();
        for (value, first) in values.zip(firsts) {
            if let Some(first) = first {
                let first = Value::constant(terms, first, program.pointer_bits);
                for (symbol, number) in value.terms().zip(first.terms()) {
                    out.push(terms.eq(symbol, number));
                }
            }
        }
        out
    }

    /// Why the proof may be vacuous, if it may.
    fn vacuous(&self, session: &mut Session<'_>) -> Result<Option<String>, Stop> {
        let Semantics { program, graph, .. } = self.semantics;
        let map = &self.maps.main;
        let background = Background::new(program, &map.symbols).at_initial();
        let first = self.initial_state(&mut session.terms);
        if background.check(session, &first).is_unsat() {
            return Ok(Some("no initial state exists".into()));
        }
        if call_at(program, graph, self.entry()).is_some() {
            // Whether a callee returns is not decided here.
            return Ok(None);
        }
        let encoded = self.encode(&mut session.terms, map, self.entry())?;
        let step = &encoded.step;
        let arrivals = step.arrivals.iter().map(|a| a.flow.path);
        let returns = step.returns.iter().map(|(flow, _)| flow.path);
        let exits = encoded.exits.iter().map(|exit| exit.cond);
        let unsupported = encoded.unsupported.iter().map(|u| u.cond);
        let ends: Vec<Term> = arrivals
            .chain(returns)
            .chain(exits)
            .chain(unsupported)
            .chain(step.ends.iter().copied())
            .collect();
        for end in ends {
            let mut formulas = first.clone();
            formulas.push(end);
            needed(&session.terms, &encoded.definitions, &mut formulas);
            if !background.check(session, &formulas).is_unsat() {
                return Ok(None);
            }
        }
        let why = "no execution gets beyond the first location: assumptions exclude all inputs";
        Ok(Some(why.into()))
    }

    fn encode(&self, terms: &mut Terms, map: &Map, at: Loc) -> Result<Encoded, Stop> {
        let encoded =
            self.semantics
                .step_from(terms, map.function, &map.symbols, &map.addresses, at);
        encoded.map_err(|why| Stop::Undecided(Box::new(self.failure(map, at, None, &why))))
    }

    /// (c1) and (c2) for all edges out of a location; returns their number.
    fn check_step(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
    ) -> Result<usize, Stop> {
        if let Some(call) = call_at(self.semantics.program, self.semantics.graph, at) {
            return self.check_call(session, map, background, at, call);
        }
        let invariant = map.invariant(&mut session.terms, at);
        let checked = self.check_step_from(session, map, background, at, invariant);
        if checked.is_ok() || !self.is_initial(map, at) {
            return checked;
        }
        let mut known = self.initial_state(&mut session.terms);
        known.push(invariant);
        let first = session.terms.all(&known);
        let background = background.clone().at_initial();
        self.check_step_from(session, map, &background, at, first)
    }

    /// Whether a map's location has only the program's initial states: no step leads to its start,
    /// and calls of the entry function have their own maps.
    fn is_initial(&self, map: &Map, at: Loc) -> bool {
        let graph = self.semantics.graph;
        let mut incoming = graph.incoming[at.0 as usize].iter();
        std::ptr::eq(map, &self.maps.main)
            && at == self.entry()
            && incoming.all(|edge| graph.edge(*edge).src == Graph::ROOT)
    }

    /// As `check_step`, with these hypotheses.
    fn check_step_from(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        invariant: Term,
    ) -> Result<usize, Stop> {
        let mut encoded = self.encode(&mut session.terms, map, at)?;
        encoded.exits.retain(|exit| map.excludes(exit.kind));
        let step = &encoded.step;
        let mut targets: Vec<Loc> = step.arrivals.iter().map(|a| a.at).collect();
        targets.sort_unstable();
        targets.dedup();
        let mut kinds: Vec<_> = encoded.exits.iter().map(|exit| exit.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let ends = !(step.ends.is_empty() && step.returns.is_empty());
        let edges = targets.len() + kinds.len() + usize::from(ends);
        if session.terms.bool_const(invariant) == Some(false) {
            return Ok(edges);
        }
        let known = Known {
            invariant,
            definitions: std::mem::take(&mut encoded.definitions),
        };
        self.check_supported(session, map, background, at, &known, &encoded)?;
        self.check_exits(session, map, background, at, &known, &encoded.exits)?;
        for arrival in std::mem::take(&mut encoded.step.arrivals) {
            let memories = &mut encoded.memories;
            self.check_arrival(session, map, background, at, &known, &arrival, memories)?;
        }
        for (flow, values) in std::mem::take(&mut encoded.step.returns) {
            let memories = &mut encoded.memories;
            self.check_return(
                session, map, background, at, &known, &flow, &values, memories,
            )?;
        }
        Ok(edges)
    }

    /// Undecided if a construct that the encoder does not know may be executed.
    fn check_supported(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        known: &Known,
        encoded: &Encoded,
    ) -> Result<(), Stop> {
        for construct in &encoded.unsupported {
            let mut formulas = known.with(&session.terms, &[construct.cond]);
            formulas.extend(map.instances(&mut session.terms, at, &formulas));
            if !background.check(session, &formulas).is_unsat() {
                let place = self.semantics.program.place(construct.place);
                let why = format!("not supported: {}", construct.what);
                let mut failure = self.failure(map, at, None, &why);
                failure.to = place.to_string();
                return Err(Stop::Undecided(Box::new(failure)));
            }
        }
        Ok(())
    }

    /// (c2): all exits of one kind in one check.
    fn check_exits(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        known: &Known,
        exits: &[Exit],
    ) -> Result<(), Stop> {
        let mut kinds: Vec<_> = exits.iter().map(|exit| exit.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let of_kind: Vec<&Exit> = exits.iter().filter(|exit| exit.kind == kind).collect();
            let conditions: Vec<Term> = of_kind.iter().map(|exit| exit.cond).collect();
            let any = session.terms.any(&conditions);
            let mut formulas = known.with(&session.terms, &[any]);
            formulas.extend(map.instances(&mut session.terms, at, &formulas));
            let (model, reason) = match background.check(session, &formulas) {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => (Some(model), None),
                Answer::Unknown(reason) => (None, Some(reason)),
            };
            let taken = of_kind.iter().find(|exit| {
                let holds = |m: &Arc<Model>| m.satisfies(&session.terms, &[exit.cond]);
                model.as_ref().is_none_or(holds)
            });
            let goal = match kind {
                None => "the error".to_owned(),
                Some(kind) => format!(
                    "undefined behaviour or unsupported construct ({})",
                    kind.word()
                ),
            };
            let mut failure = self.failure(map, at, None, &format!("{goal} may be reached"));
            failure.to = goal;
            if let Some(taken) = taken {
                let place = self.semantics.program.place(taken.place);
                failure.to = format!("{} ({place})", failure.to);
                failure.why = format!("{} may be reached", taken.what);
            }
            return Err(self.stop(session, map, failure, model, reason, None));
        }
        Ok(())
    }

    /// (c1).
    #[allow(clippy::too_many_arguments)]
    fn check_arrival(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        from: Loc,
        known: &Known,
        arrival: &Arrival,
        memories: &mut Memories,
    ) -> Result<(), Stop> {
        let target = map.invariant(&mut session.terms, arrival.at);
        if session.terms.bool_const(target) == Some(true) {
            return Ok(());
        }
        let flow = &arrival.flow;
        let before = map.symbols.parts();
        let now: FxHashMap<Term, Term> = before.into_iter().zip(flow.state.parts()).collect();
        let after = resolve(&mut session.terms, target, &now, memories, flow.memory);
        let goal = session.terms.not(after);
        let mut formulas = known.with(&session.terms, &[flow.path, goal]);
        formulas.extend(map.instances(&mut session.terms, from, &formulas));
        let why = "the edge may lead out of it";
        let failure = self.failure(map, from, Some(arrival.at), why);
        self.refuted(session, map, background, formulas, failure, goal)
    }

    /// A summary of returns: this return is not into its post.
    #[allow(clippy::too_many_arguments)]
    fn check_return(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        from: Loc,
        known: &Known,
        flow: &Flow,
        values: &[Value],
        memories: &mut Memories,
    ) -> Result<(), Stop> {
        let Claim::Summary(at, Outcome::Return) = map.claim else {
            return Ok(());
        };
        let summary = &self.maps.summaries[at];
        let mut failure = self.failure(map, from, None, "it may return in a state of its post");
        failure.to = "the return".into();
        if summary.results.len() != values.len() {
            failure.why = "a return of another number of results".into();
            return Err(Stop::Undecided(Box::new(failure)));
        }
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        let pairs = (summary.results.iter().zip(values))
            .chain(map.symbols.globals.iter().zip(&flow.state.globals));
        for (symbol, value) in pairs {
            now.extend(symbol.terms().zip(value.terms()));
        }
        now.insert(map.symbols.counter, flow.state.counter);
        let goal = resolve(
            &mut session.terms,
            summary.post,
            &now,
            memories,
            flow.memory,
        );
        let formulas = known.with(&session.terms, &[flow.path, goal]);
        self.refuted(session, map, background, formulas, failure, goal)
    }

    /// Succeeds if the formulas are unsatisfiable; fails otherwise.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn refuted(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        formulas: Vec<Term>,
        failure: Failure,
        goal: Term,
    ) -> Result<(), Stop> {
        let (model, reason) = match background.check(session, &formulas) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Sat(model) => (Some(model), None),
            Answer::Unknown(reason) => (None, Some(reason)),
        };
        let goal = model.is_some().then_some(goal);
        Err(self.stop(session, map, failure, model, reason, goal))
    }
}
