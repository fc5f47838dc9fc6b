//! The only places where `safe` and `unsafe` come from.
//!
//! A proof is checked by the independent checker before `safe` is said, and a failing test
//! is run on the program as it was loaded, not as it was inlined, before `unsafe` is said.
//! The fields of [`CheckedProof`] and [`ConfirmedTest`] are private to this file, and it
//! builds them nowhere but behind the checker's call and behind a run.

use crate::messages;
use crate::sources;
use crate::stack;
use attest_checker::{CheckResult, InputTaken, check_proof};
use attest_evidence::{Input, Prepared, ReplayOutcome, Test, Violation};
use attest_exec::inputs::Taken;
use attest_exec::{HeapLeft, Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_export::proof::Explained;
use attest_export::story::Line;
use attest_model::{BailKind, Check, Checks, Class, Graph, PlaceId, Program, check_word, class_of};
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
    others: Vec<CheckedProof>,
}

impl CheckedProof {
    /// Whether it excludes every violation of a kind; none is the call of an error function.
    pub fn excludes(&self, kind: Option<BailKind>) -> bool {
        match kind {
            None => !self.proof.asserts_end,
            // Sums that wrap around never get there.
            Some(BailKind::Overflow) if self.proof.overflow != attest_proof::Overflow::Check => {
                false
            }
            // That nothing is left is a proof of both kinds, where it is looked for.
            Some(BailKind::Leak | BailKind::NotFreed) => {
                let looks = self.proof.leaks != attest_proof::Leaks::Off;
                looks && self.is_excluded(BailKind::NotFreed)
            }
            Some(BailKind::Uninitialised) if !self.proof.uninitialised => false,
            Some(kind) => self.is_excluded(kind),
        }
    }

    fn is_excluded(&self, kind: BailKind) -> bool {
        !self.proof.assumed.iter().any(|word| word == kind.word())
    }

    /// All proofs of the answer, this one first: one may be about some classes and another
    /// about the others.
    pub fn all(&self) -> impl Iterator<Item = &CheckedProof> {
        std::iter::once(self).chain(&self.others)
    }

    /// The same together with others.
    pub(crate) fn beside(self, others: Vec<CheckedProof>) -> CheckedProof {
        CheckedProof { others, ..self }
    }

    /// The proof, for `attest-checker`.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// What it says, in C.
    pub fn explained(&self) -> &Explained {
        &self.explained
    }

    /// Kinds of checks that it does not exclude, such as `out-of-bounds`: a run ends there.
    pub fn assumptions(&self) -> &[String] {
        &self.proof.assumed
    }

    /// What the checker said.
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

/// A proof that the checker did not accept.
pub(crate) struct Refused {
    /// Why.
    pub why: String,
    /// Whether the checker shows that it is none.
    pub is_rejected: bool,
    /// For an unwinding, what the environment gives on the way to a violation.
    pub inputs: Vec<InputTaken>,
}

impl Refused {
    fn of(result: &CheckResult) -> Refused {
        let (is_rejected, inputs) = match result {
            CheckResult::Rejected(failure) => (true, failure.inputs.clone()),
            CheckResult::Accepted(_) | CheckResult::Undecided(_) => (false, Vec::new()),
        };
        Refused {
            why: result.to_string(),
            is_rejected,
            inputs,
        }
    }
}

/// Has the checker look at a proof of a program with its calls inlined: the proof with what
/// it says about the original program in C, or why the checker does not accept it.
pub(crate) fn check(
    original: &Program,
    (program, graph): (&Program, &Graph),
    proof: Proof,
    limits: &attest_solver::Limits,
) -> Result<CheckedProof, Refused> {
    let mut solver = WithFloats::new();
    let accepted = match check_proof(program, graph, &proof, &mut solver, limits) {
        Ok(result @ CheckResult::Accepted(_)) => result.to_string(),
        Ok(other) => return Err(Refused::of(&other)),
        Err(why) => {
            return Err(Refused {
                why: why.to_string(),
                is_rejected: false,
                inputs: Vec::new(),
            });
        }
    };
    let explained = sources::explain(original, (program, graph), &proof);
    Ok(CheckedProof {
        proof: Arc::new(proof),
        accepted,
        explained,
        others: Vec::new(),
    })
}

/// A run on which the program violated a check.
#[derive(Clone, Debug)]
pub struct ConfirmedTest {
    what: Arc<str>,
    check: Check,
    place: String,
    violation: Option<Arc<Violation>>,
    ending: String,
    taken: Vec<Taken>,
    given: Arc<Inputs>,
    seed: Option<u64>,
    native: bool,
    test: Option<Arc<Test>>,
    trace: Vec<Line>,
}

impl ConfirmedTest {
    /// The error function that is called, or what is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The check that is violated.
    pub fn check(&self) -> Check {
        self.check
    }

    /// Its class.
    pub fn class(&self) -> Option<Class> {
        class_of(self.check.kind)
    }

    /// Its kind as a word, such as `memory/out-of-bounds`.
    pub fn word(&self) -> String {
        check_word(self.check.kind)
    }

    /// Where it is violated in the user's code, as `file:line:column`.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Where it is violated, as a place of the program; this may be in a model of the library.
    pub fn at(&self) -> PlaceId {
        self.check.place
    }

    /// The violation with its calls; none if it is an assertion's.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_deref()
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
    /// How many inputs it asked for,
    pub asked: usize,
    /// and how many values that were never set.
    pub never_set: usize,
    /// The test, if it violated a check that is asked for.
    pub failing: Option<ConfirmedTest>,
}

/// Runs the program as it was loaded. It fails if it violates a check of these.
pub(crate) fn run(
    program: &Program,
    given: &Arc<Inputs>,
    checks: &Checks,
    overflow: Overflow,
    limits: Limits,
) -> Ran {
    let mut run = Interpreter::new(program, given.clone(), overflow, limits);
    let outcome = run.run();
    let at = run.place();
    let left = run.heap_left(&outcome);
    let violated = match (&outcome, &left) {
        (Outcome::Error(error), _) => Some((None, error.clone())),
        // Which kind of leak it is, the heap says.
        (_, Some(left)) => {
            let what = Arc::from(left.told(program).to_string());
            left.kind(program).map(|kind| (Some(kind), what))
        }
        (Outcome::Bailed(bail), None) => Some((Some(bail.kind), bail.what.clone())),
        _ => None,
    };
    // A leak is where the memory was allocated.
    let made_at = left.as_ref().and_then(HeapLeft::made_at);
    let place = match made_at {
        Some(made_at) => messages::place(program, made_at),
        None => messages::user_place(program, &run.call_stack(), at),
    };
    let failing = match violated {
        Some((kind, what)) if checks.has(kind) => Some(ConfirmedTest {
            violation: kind
                .and_then(|kind| stack::violation(kind, &what, &place, &run))
                .map(Arc::new),
            what,
            check: Check { place: at, kind },
            place,
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
        never_set: run.machine.feed.counts()[1],
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
        what: run.error.clone(),
        check: Check {
            place: run.at,
            kind: None,
        },
        place,
        violation: None,
        taken: run.taken.to_vec(),
        given: run.given.clone(),
        seed: None,
        native: true,
        test: None,
        trace: Vec::new(),
    })
}
