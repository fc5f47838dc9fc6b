//! Proofs and violations by complete unwinding, before the engines.
//!
//! The claim is made here and the checker does the rest: it executes the program within the bounds
//! of the claim, on all paths at once, and either accepts the claim as a proof or says on which
//! inputs a violation is reached. Those are run like any other test before anything is said of
//! them. Most programs without a bound on their loops are given up soon, and the engines follow.
//! Where a rule gives the engines an initial abstraction, they go first.
//!
//! The bounds come from the runs before. A program without inputs has one run, so the claim is that
//! run's length, whatever it is.

use crate::case::Case;
use crate::confirm::{self, Refused};
use crate::known::Findings;
use crate::plain_runs::Tried;
use crate::report::Phase;
use crate::rules;
use crate::settings::{Algorithm, Technique};
use crate::stage::{self, Stage};
use crate::standing::Verdict as Standing;
use crate::variant;
use attest_checker::InputTaken;
use attest_evidence::{ProofParts, Subject, proof_of};
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome};
use attest_model::{
    BailKind, Check, Class, Graph, InlineOptions, InputKind, Program, StaticKind, StaticObject,
};
use attest_proof::{Proof, Unwinding};
use attest_term::{Terms, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The bounds where a program has inputs: instructions,
const INSTRUCTIONS: u64 = 1_000_000;
/// iterations of a loop whose condition is open,
const ITERATIONS: u64 = 2_000;
/// activations of a function on a call chain.
const DEPTH: u32 = 300;
/// Instructions of the only run of a program beyond which it is not executed in the checker.
const LONGEST_RUN: u64 = 20_000_000;
/// Activations of a function on a call chain in such a run.
const DEEPEST_RUN: u32 = 20_000;
/// The part of the effort of a check that the first attempt may take,
const SHARE_OF_FIRST: u32 = 40;
/// and the second,
const SHARE_OF_SECOND: u32 = 6;
/// and each at most.
const MOST_EFFORT: [Duration; 2] = [Duration::from_millis(400), Duration::from_secs(8)];
/// Violations after which the engines go on.
const MOST_VIOLATIONS: usize = 16;

/// Which attempt it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// Before the engines: most bounded programs are decided in a moment.
    First,
    /// After the engines have worked for a while.
    Second,
}

impl Attempt {
    fn effort(self, case: &Case) -> Duration {
        let planned = case.session.planned_effort();
        match self {
            Attempt::First => (planned / SHARE_OF_FIRST).min(MOST_EFFORT[0]),
            Attempt::Second => (planned / SHARE_OF_SECOND).min(MOST_EFFORT[1]),
        }
    }
}

/// The effort of the engines after which the second attempt follows.
pub(crate) fn engines_first(case: &Case) -> Duration {
    case.session.planned_effort() / SHARE_OF_SECOND
}

/// Whether programs are unwound in this check.
pub(crate) fn is_on(case: &Case) -> bool {
    let settings = &case.settings;
    let is_asked = settings.algorithm == Algorithm::Full && settings.uses(Technique::Unwinding);
    is_asked && !case.is_changed
}

/// Looks for a proof or for violations; true if all is decided.
pub(crate) fn decide(
    stage: &Stage,
    assumed: &[BailKind],
    tried: &Tried,
    attempt: Attempt,
    findings: &mut Findings,
) -> bool {
    let case = &stage.case;
    if !is_on(case) {
        return false;
    }
    let settings = &case.settings;
    let (claim, is_only_run) = match length_of_only_run(case) {
        Some(_) if attempt == Attempt::Second => return false,
        Some(claim) => (claim, true),
        None if attempt == Attempt::First && has_initial_abstraction(case) => return false,
        None => {
            let claim = Unwinding {
                instructions: INSTRUCTIONS,
                iterations: ITERATIONS,
                depth: DEPTH,
                runs: match is_closed(&case.program) {
                    true => tried.ended.clone(),
                    false => Vec::new(),
                },
            };
            (claim, false)
        }
    };
    case.session.phase(Phase::Engine);
    let graph = Graph::of(&case.program, settings.granularity());
    let effort = attempt.effort(case);
    for _ in 0..MOST_VIOLATIONS {
        let Some(proof) = written(case, &graph, assumed, &findings.excused(), &claim) else {
            return false;
        };
        let limits = attest_solver::Limits {
            effort: (!is_only_run).then_some(effort),
            ..case.session.solver_limits()
        };
        match confirm::check(&case.program, (&case.program, &graph), proof, &limits) {
            Ok(proof) => {
                case.note_proof(&proof);
                findings.proved(case, proof);
                return findings.complete(&settings.checks) || is_for_the_next(stage, findings);
            }
            Err(refused) => {
                if !violated(case, &refused, findings) {
                    return is_for_the_next(stage, findings);
                }
                if settings.first || findings.complete(&settings.checks) {
                    return true;
                }
            }
        }
    }
    is_for_the_next(stage, findings)
}

/// Whether the engines begin with the initial abstraction of a rule. It goes before all: rules are
/// for programs that are called again and again by an environment, which have no bound.
fn has_initial_abstraction(case: &Case) -> bool {
    let is_on = case.settings.uses(Technique::Initial);
    is_on && !rules::state(&case.source, &case.program).is_empty()
}

/// Whether nothing but what it asks for comes from outside of a program.
fn is_closed(program: &Program) -> bool {
    let takes_arguments = program.function(program.entry).params > 0;
    let known =
        |object: &StaticObject| object.init.is_some() || object.kind == StaticKind::Function;
    let globals = program.globals.iter().all(|global| global.init.is_some());
    !takes_arguments && globals && program.objects.iter().all(known)
}

/// Whether the rest is the next stage's: a machine goes on after an overflow, which that one does.
fn is_for_the_next(stage: &Stage, findings: &Findings) -> bool {
    stage.more && findings.verdict(Class::Overflow) == Standing::Violated
}

/// The claim about a program that takes no inputs and ends.
fn length_of_only_run(case: &Case) -> Option<Unwinding> {
    if !is_closed(&case.program) {
        return None;
    }
    let limits = Limits {
        steps: LONGEST_RUN,
        memory: case.settings.object_memory(),
        depth: DEEPEST_RUN,
    };
    let none = Arc::default();
    let overflow = case.settings.overflow;
    let mut run = Interpreter::new(&case.program, none, overflow, limits);
    let outcome = run.run();
    let ended = matches!(
        outcome,
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Bailed(_)
    );
    let takes_nothing = run.machine.feed.counts() == [0, 0];
    (ended && takes_nothing).then(|| Unwinding {
        // An instruction of the interpreter is one of the checker.
        instructions: run.steps + 1,
        iterations: ITERATIONS,
        depth: DEEPEST_RUN,
        runs: match outcome {
            Outcome::Bailed(_) => Vec::new(),
            _ => vec![Vec::new()],
        },
    })
}

/// The claim as a proof; none if a file of the program is gone.
fn written(
    case: &Case,
    graph: &Graph,
    assumed: &[BailKind],
    excused: &BTreeSet<Check>,
    claim: &Unwinding,
) -> Option<Proof> {
    let overflow = variant::written(case.settings.overflow);
    let subject = Subject {
        assumed: assumed.to_vec(),
        asserts_end: !case.settings.checks.asserts,
        excused: excused.iter().copied().collect(),
        unwinding: Some(claim.clone()),
        ..variant::subject(&case.source, InlineOptions::default(), overflow)
    };
    let parts = ProofParts::default();
    proof_of(&subject, &case.program, graph, &Terms::new(), &parts).ok()
}

/// Whether a refusal comes with a violation that is one.
fn violated(case: &Case, refused: &Refused, findings: &mut Findings) -> bool {
    if !refused.is_rejected {
        return false;
    }
    let inputs = Arc::new(inputs(&refused.inputs));
    let settings = &case.settings;
    let run = confirm::run(
        &case.program,
        &inputs,
        &settings.checks,
        settings.overflow,
        Limits {
            steps: LONGEST_RUN,
            memory: settings.object_memory(),
            ..Limits::default()
        },
    );
    match run.failing {
        Some(test) if !findings.knows(test.check()) => stage::violated(case, test, findings),
        _ => false,
    }
}

/// What the checker says of an execution as the inputs of a test.
fn inputs(taken: &[InputTaken]) -> Inputs {
    let mut inputs = Inputs::default();
    for InputTaken { kind, value } in taken {
        let value = match value {
            Value::Bv(bits) => InputValue::Int(bits.to_i128().unwrap_or_default()),
            Value::F32(number) => InputValue::Float(f32::from_bits(*number).into()),
            Value::F64(number) => InputValue::Float(f64::from_bits(*number)),
            Value::Bool(truth) => InputValue::Int(i128::from(*truth)),
        };
        match kind {
            InputKind::Nondet(_) | InputKind::Result(_) | InputKind::Argument(_) => {
                inputs.nondet.push(value);
            }
            InputKind::Uninit(_) | InputKind::Undef => inputs.uninit.push(value),
        }
    }
    inputs
}
