//! The only places where `safe` and `unsafe` come from.
//!
//! A proof is checked by the independent checker before `safe` is said, and a failing test
//! is run on the program as it was loaded, not as it was inlined, before `unsafe` is said.
//! The fields of [`CheckedProof`] and [`ConfirmedTest`] are private to this file, and it
//! builds them nowhere but behind the checker's call and behind a run.

use crate::messages;
use crate::sources;
use attest_checker::{CheckResult, check_proof};
use attest_evidence::{Input, Prepared, ReplayOutcome, Test};
use attest_exec::inputs::Taken;
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_export::proof::Explained;
use attest_export::story::Line;
use attest_model::{Graph, PlaceId, Program};
use attest_proof::Proof;
use attest_solver::WithFloats;
use std::sync::Arc;
use std::time::Duration;

/// A proof that the independent checker accepted.
#[derive(Clone, Debug)]
pub struct CheckedProof {
    proof: Arc<Proof>,
    accepted: String,
    explained: Explained,
}

impl CheckedProof {
    /// The proof, for `attest-checker`.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// What it says, in C.
    pub fn explained(&self) -> &Explained {
        &self.explained
    }

    /// Ways out of the model that it takes as not happening, such as `out-of-bounds`.
    pub fn assumptions(&self) -> &[String] {
        &self.proof.assumed
    }

    /// What the checker said.
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

/// Has the checker look at a proof of a program with its calls inlined: the proof with what
/// it says about the original program in C, or why the checker does not accept it.
pub(crate) fn check(
    original: &Program,
    (program, graph): (&Program, &Graph),
    proof: Proof,
    limits: &attest_solver::Limits,
) -> Result<CheckedProof, String> {
    let mut solver = WithFloats::new();
    let accepted = match check_proof(program, graph, &proof, &mut solver, limits) {
        Ok(result @ CheckResult::Accepted(_)) => result.to_string(),
        Ok(other) => return Err(other.to_string()),
        Err(why) => return Err(why.to_string()),
    };
    let explained = sources::explain(original, (program, graph), &proof);
    Ok(CheckedProof {
        proof: Arc::new(proof),
        accepted,
        explained,
    })
}

/// A run on which the program reached the error.
#[derive(Clone, Debug)]
pub struct ConfirmedTest {
    error: Arc<str>,
    at: PlaceId,
    place: String,
    ending: String,
    taken: Vec<Taken>,
    given: Arc<Inputs>,
    seed: Option<u64>,
    native: bool,
    test: Option<Arc<Test>>,
    trace: Vec<Line>,
}

impl ConfirmedTest {
    /// The error function that is called.
    pub fn function(&self) -> &str {
        &self.error
    }

    /// Where it is called, as `file:line:column`.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The same as a place of the program.
    pub fn at(&self) -> PlaceId {
        self.at
    }

    /// How the run ended, in words.
    pub fn ending(&self) -> &str {
        &self.ending
    }

    /// The environment's answers, in order.
    pub fn inputs(&self) -> &[Input] {
        self.test.as_ref().map_or(&[], |test| &test.inputs)
    }

    /// The lines of C that lead to the error.
    pub fn trace(&self) -> &[Line] {
        &self.trace
    }

    /// The run as a test that can be replayed; none if a file of the program is gone.
    pub fn test(&self) -> Option<&Test> {
        self.test.as_deref()
    }

    /// All that the run asked for, in order.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// What the run was given.
    pub fn given(&self) -> &Arc<Inputs> {
        &self.given
    }

    /// The seed that gives the inputs again; none where plain zeros follow the list.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Whether it is a native run, too long for the interpreter.
    pub fn is_native(&self) -> bool {
        self.native
    }

    /// The same as a test.
    pub(crate) fn with_test(self, test: Arc<Test>) -> ConfirmedTest {
        let test = Some(test);
        ConfirmedTest { test, ..self }
    }

    /// The same with the lines of its run.
    pub(crate) fn with_trace(self, trace: Vec<Line>) -> ConfirmedTest {
        ConfirmedTest { trace, ..self }
    }

    /// The same, with the seed that gives its inputs again.
    pub(crate) fn with_seed(self, seed: Option<u64>) -> ConfirmedTest {
        ConfirmedTest { seed, ..self }
    }
}

/// A run of the interpreter that has ended.
pub(crate) struct Ran {
    /// How.
    pub outcome: Outcome,
    /// Where.
    pub at: PlaceId,
    /// After so many instructions.
    pub steps: u64,
    /// What it asked for.
    pub taken: Vec<Taken>,
    /// How many inputs it asked for.
    pub asked: usize,
    /// The test, if it reached the error.
    pub failing: Option<ConfirmedTest>,
}

/// Runs the program as it was loaded.
pub(crate) fn run(
    program: &Program,
    given: &Arc<Inputs>,
    overflow: Overflow,
    limits: Limits,
) -> Ran {
    let mut run = Interpreter::new(program, given.clone(), overflow, limits);
    let outcome = run.run();
    let at = run.place();
    let failing = match &outcome {
        Outcome::Error(error) => Some(ConfirmedTest {
            error: error.clone(),
            at,
            place: program.place(at).to_string(),
            ending: messages::ending(&run, &outcome),
            taken: run.machine.taken.clone(),
            given: given.clone(),
            seed: None,
            native: false,
            test: None,
            trace: Vec::new(),
        }),
        _ => None,
    };
    Ran {
        at,
        steps: run.steps,
        asked: run.machine.feed.taken(),
        taken: std::mem::take(&mut run.machine.taken),
        outcome,
        failing,
    }
}

/// A run that is too long for the interpreter.
pub(crate) struct LongRun<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its only error,
    pub error: Arc<str>,
    /// and where it is called.
    pub at: PlaceId,
    /// What the run asked for until it was given up.
    pub taken: &'a [Taken],
    /// What it is given.
    pub given: &'a Arc<Inputs>,
}

/// Runs the program natively, as it is without optimisation: the test, if it fails.
pub(crate) fn run_natively(
    run: &LongRun<'_>,
    built: &Prepared,
    test: &Test,
    time: Duration,
) -> Option<ConfirmedTest> {
    let Ok(ReplayOutcome::Failed(_)) = built.run(test, time) else {
        return None;
    };
    let place = run.program.place(run.at).to_string();
    Some(ConfirmedTest {
        ending: format!(
            "the error is reached: {} is called at {place}\n",
            &run.error
        ),
        error: run.error.clone(),
        at: run.at,
        place,
        taken: run.taken.to_vec(),
        given: run.given.clone(),
        seed: None,
        native: true,
        test: None,
        trace: Vec::new(),
    })
}
