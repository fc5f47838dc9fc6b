//! Complete unwinding: all executions of a program at once, from the initial state to their ends.
//!
//! Where every loop and every recursion of a program is bounded, no invariant is needed: the
//! executions are a finite graph, and a solver says whether one of them reaches a violation. A
//! proof by unwinding is a claim: so many instructions, so many iterations of a loop whose
//! condition is open, so deep a recursion. Within these the checker executes the program by its own
//! semantics and finds that no path goes on, and that no path reaches a violation. A program
//! without inputs has one path, and no solver call is made.
//!
//! It is bounded model checking (Clarke, Biere, Raimi and Zhu, 2001) with unwinding assertions,
//! with three differences. Blocks are executed in the weak topological order, with all paths to a
//! block joined, so each iteration executes a block once. Calls are executed at the call, not
//! inlined, so that recursion needs no bound of its own. And loops ask the solver only where the
//! condition for another iteration is open.
//!
//! It is sound since every path of the program is executed or shown to be impossible: a join keeps
//! the disjunction of its paths, and a path is only dropped at a loop or a call if the solver
//! refutes its condition. After a violation that the proof must exclude, a path goes on without
//! the knowledge that it did not happen, which only adds paths. What the encoding does not know
//! makes the proof undecided if a path leads there.
//!
//! # Files
//!
//! - `activation`: the blocks of functions, loops and calls; `join`: where paths come together
//! - `runs`: runs of the interpreter that must be among the executions
//! - `run`: what instructions need to know; `leaves`: what a term can be
//! - `memory`: reads; `index`: which writes a read has to look at
//! - `questions`: the solver's part

mod activation;
mod index;
mod join;
mod leaves;
mod memory;
mod questions;
mod run;
mod runs;

pub use memory::Whole;
pub use run::Run;

use crate::encode::{Encoder, Flow};
use crate::memory::Memories;
use crate::open::Open;
use crate::state::{State, Value};
use crate::verdict::{Accepted, CheckResult, Failure, InputTaken};
use activation::{Cause, Unwinder};
use attest_model::graph::Graph;
use attest_model::points_to::Addresses;
use attest_model::*;
use attest_proof::{Proof, ProofError, Unwinding};
use attest_solver::{Answer, Limits, Model, Solver};
use attest_term::{Term, Terms};
use questions::Questions;
use std::sync::Arc;

/// Checks a proof by unwinding of a program whose calls are not inlined.
pub fn check_unwinding(
    program: &Program,
    proof: &Proof,
    claim: &Unwinding,
    solver: &mut dyn Solver,
    limits: &Limits,
) -> Result<CheckResult, ProofError> {
    let open = Open::of(program, proof)?;
    let points_to = Arc::new(PointsTo::default());
    let lives = Lives::default();
    let mut terms = Terms::new();
    let addresses = Addresses::new(&points_to, program.entry, []);
    let mut encoder = Encoder {
        program,
        function: program.entry,
        terms: &mut terms,
        memories: Memories::of_run(
            program.pointer_bits,
            Arc::new(addresses),
            Whole::of(program),
        ),
        open: &open,
        overflow: proof.overflow,
        lives: &lives,
        points_to: &points_to,
        run: Some(Run::new(first_object(program))),
        exits: Vec::new(),
        unsupported: Vec::new(),
        definitions: Vec::new(),
        resolved: Default::default(),
        place: PlaceId(0),
        position: Position::start(BlockId(0)),
    };
    let (flow, args) = initial(&mut encoder);
    let mut unwinder = Unwinder::new(encoder, Questions::new(solver, limits), claim);
    let stopped = unwinder.entry(flow, args).err();
    let result = unwinder
        .conclude(stopped)
        .and_then(|()| unwinder.find_runs(&claim.runs));
    Ok(match result {
        Ok(()) => {
            let mut accepted = Accepted::of(program, &open, proof.overflow);
            accepted.unwound = true;
            accepted.edges = unwinder.instructions as usize;
            accepted.vacuous = unwinder.vacuous();
            accepted.questions = unwinder.questions.checks;
            CheckResult::Accepted(accepted)
        }
        Err(Stop::Rejected(failure)) => CheckResult::Rejected(*failure),
        Err(Stop::Undecided(failure)) => CheckResult::Undecided(*failure),
    })
}

/// The number of the first object that a run makes.
fn first_object(program: &Program) -> u32 {
    // The two objects of `main`'s arguments may exist; no other entry has any.
    let entry = program.function(program.entry);
    program.first_dynamic().0 + if entry.params == 0 { 0 } else { 2 }
}

/// The initial state, and the arguments of the entry.
fn initial(encoder: &mut Encoder<'_>) -> (Flow, Vec<Value>) {
    let program = encoder.program;
    let bits = program.pointer_bits;
    let symbols = State::symbols(encoder.terms, program, program.entry);
    let params = program.function(program.entry).params as usize;
    let args = symbols.regs[..params].to_vec();
    let globals = program.globals.iter().zip(&symbols.globals);
    let globals = globals.map(|(info, symbol)| match info.init {
        Some(constant) => Value::constant(encoder.terms, constant, bits),
        None => *symbol,
    });
    let globals = globals.collect();
    let counter = encoder.terms.bv_u128(32, first_object(program).into());
    let path = encoder.terms.bool(true);
    let state = State {
        regs: Vec::new(),
        globals,
        counter,
    };
    let flow = Flow {
        state,
        memory: Memories::START,
        path,
    };
    (flow, args)
}

/// Why a proof by unwinding is not accepted.
enum Stop {
    /// A path reaches a violation.
    Rejected(Box<Failure>),
    /// It is not known whether one does.
    Undecided(Box<Failure>),
}

impl Unwinder<'_, '_> {
    /// What the executions show, after all of them or those before the unwinding stopped.
    fn conclude(&mut self, stopped: Option<Cause>) -> Result<(), Stop> {
        if !matches!(stopped, Some(Cause::Interrupted | Cause::Effort)) {
            self.exclude_violations()?;
        }
        if let Some(cause) = stopped {
            return Err(Stop::Undecided(Box::new(self.failure(&cause.to_string()))));
        }
        for construct in std::mem::take(&mut self.encoder.unsupported) {
            let asked = self.ask(&[construct.cond]);
            if !asked.is_unsat() {
                let place = self.encoder.program.place(construct.place).to_string();
                let mut failure = self.failure(&format!("not supported: {}", construct.what));
                failure.to = place;
                return Err(Stop::Undecided(Box::new(failure)));
            }
        }
        Ok(())
    }

    /// Looks for runs of the program among the executions.
    fn find_runs(&mut self, runs: &[Vec<i128>]) -> Result<(), Stop> {
        let encoder = &self.encoder;
        let Some(run) = &encoder.run else {
            return Ok(());
        };
        for inputs in runs {
            let (terms, definitions) = (&*encoder.terms, &encoder.definitions);
            if let Some(why) = runs::missing(terms, definitions, run, &self.ends, inputs) {
                let why =
                    format!("a run on the inputs {inputs:?} is not among the executions: {why}");
                return Err(Stop::Undecided(Box::new(self.failure(&why))));
            }
        }
        Ok(())
    }

    /// Asks whether a path reaches one of the violations, all at once.
    fn exclude_violations(&mut self) -> Result<(), Stop> {
        let conditions: Vec<Term> = self.encoder.exits.iter().map(|exit| exit.cond).collect();
        if conditions.is_empty() {
            return Ok(());
        }
        let any = self.encoder.terms.any(&conditions);
        match self.ask(&[any]) {
            Answer::Unsat(_) => Ok(()),
            Answer::Unknown(reason) => {
                let why = format!("not decided ({reason}): a violation may be reached");
                Err(Stop::Undecided(Box::new(self.failure(&why))))
            }
            Answer::Sat(model) => Err(Stop::Rejected(Box::new(self.violation(&model)))),
        }
    }

    /// The violation that a model reaches, with what it takes from the environment.
    fn violation(&mut self, model: &Arc<Model>) -> Failure {
        let terms = &*self.encoder.terms;
        let holds = |cond: Term| model.satisfies(terms, &[cond]);
        let exits = &self.encoder.exits;
        let mut failure = self.failure("a violation is reached");
        if let Some(exit) = exits.iter().find(|exit| holds(exit.cond)) {
            failure.why = format!("{} is reached", exit.what);
            failure.to = self.encoder.program.place(exit.place).to_string();
        }
        let run = self.encoder.run.iter();
        let inputs = run.flat_map(|run| &run.inputs);
        let taken = inputs.filter(|(path, _, _)| holds(*path));
        failure.inputs = taken
            .map(|(_, value, kind)| InputTaken {
                kind: kind.clone(),
                value: model.value(terms, number_of(*value)),
            })
            .collect();
        failure
    }

    fn failure(&self, why: &str) -> Failure {
        Failure {
            source: Graph::ROOT,
            from: String::new(),
            to: String::new(),
            why: why.into(),
            state: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// Why the proof says nothing, if it does: no path ends.
    fn vacuous(&mut self) -> Option<String> {
        let any = self.encoder.terms.any(&self.ends.clone());
        self.ask(&[any]).is_unsat().then(|| {
            "no execution ends: assumptions exclude all inputs, or every execution goes on forever"
                .into()
        })
    }
}

/// A value of the environment as a number: its pointers lead to no object.
fn number_of(value: Value) -> Term {
    match value {
        Value::One(term) => term,
        Value::Ptr(p) => p.offset,
    }
}
