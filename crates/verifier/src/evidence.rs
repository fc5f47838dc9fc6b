//! Tests as values that outlive a check: the failing one, with what it does natively, and
//! those that do not fail.

use crate::answer::Answer;
use crate::case::Case;
use crate::confirm::ConfirmedTest;
use crate::listener::Event;
use crate::report;
use crate::session::Session;
use crate::source::{Source, written_data_model};
use attest_evidence::{ErrorReached, Prepared, ReplayError, ReplayOutcome, Test};
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome};
use attest_export::Story;
use attest_model::Program;
use attest_proof::HashedFile;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time for a native run of a failing test.
const NATIVE_TIME: Duration = Duration::from_secs(10);
/// Instructions in all runs that give the tests their values.
const STEPS: u64 = 20_000_000;

/// The test of a run on these inputs.
pub fn test_of(
    source: &Source,
    program: &Program,
    taken: &[Taken],
    given: &Arc<Inputs>,
    error: Option<ErrorReached>,
) -> io::Result<Test> {
    let hashed = |files: &[PathBuf]| -> io::Result<Vec<HashedFile>> {
        files.iter().map(|path| HashedFile::of(path)).collect()
    };
    let database = source.database.as_deref().map(HashedFile::of);
    let test = Test {
        format: attest_evidence::test::FORMAT.into(),
        tool: format!("attest {}", env!("CARGO_PKG_VERSION")),
        files: hashed(&source.files)?,
        data_model: written_data_model(source),
        clang_args: source.clang_args.clone(),
        stubs: hashed(&source.stubs)?,
        database: database.transpose()?,
        rule: source.rule.as_deref().map(HashedFile::of).transpose()?,
        entry: source.model.entry.clone(),
        errors: source.model.errors.clone(),
        malloc: source.model.malloc.into(),
        inputs: Vec::new(),
        uninitialised: Vec::new(),
        memory: Vec::new(),
        unwritten: Vec::new(),
        arguments: None,
        error,
        violation: None,
    };
    Ok(test.with_run(program, taken, given))
}

/// Compiles the native program of a test, unless the check is to stop.
pub(crate) fn prepare(
    session: &Session,
    test: &Test,
) -> Result<Result<Prepared, String>, ReplayError> {
    attest_evidence::prepare_unless(test, Some(session.stop_flag()))
}

/// Makes a test of a violation, runs it natively, and tells both. An error says how the native
/// run contradicts: it has all that the test has, and does not fail.
pub(crate) fn natively(
    case: &Case,
    failing: ConfirmedTest,
    number: usize,
    story: &Story,
) -> Result<ConfirmedTest, String> {
    let session = &*case.session;
    let is_assert = failing.check().kind.is_none();
    let error = ErrorReached {
        function: failing.what().to_owned(),
        place: failing.place().to_owned(),
    };
    let (taken, given) = (failing.taken(), failing.given());
    let reached = is_assert.then(|| error.clone());
    let made = test_of(&case.source, &case.program, taken, given, reached);
    let test = match made {
        Ok(test) => Arc::new(match failing.violation() {
            Some(violation) => test.with_violation(violation.clone()),
            None => test,
        }),
        Err(why) => {
            session.tell(Event::Natively(format!("not tried natively: {why}")));
            return Ok(failing);
        }
    };
    let trace = story.that_matters();
    let failing = failing.with_test(test.clone()).with_trace(trace.clone());
    let is_asked = case.settings.checks.has(failing.check().kind);
    if is_asked && number == 0 {
        case.is_certain(&Answer::Unsafe(failing.clone()));
    }
    let mut told = report::Failing {
        check: failing.word(),
        function: error.function,
        place: error.place,
        inputs: test.inputs.clone(),
        trace,
        natively: None,
    };
    if is_asked {
        session.note(|report| {
            if report.failure.is_none() {
                report.failure = Some(told.clone());
                report.details.test = Some(Test::clone(&test));
            }
        });
    }
    let prepared = prepare(session, &test).map(|built| built.map(Arc::new));
    session.tell(Event::Evidence {
        test: test.clone(),
        prepared: prepared.as_ref().ok().and_then(|p| p.clone().ok()),
        number,
    });
    let run = |built: Arc<Prepared>| match failing.is_native() {
        // It has just been seen to.
        true => Ok(ReplayOutcome::Failed(failing.place().to_owned())),
        false => built.run(&test, NATIVE_TIME),
    };
    let mut against = None;
    let words = match prepared.map(|built| built.map(run)) {
        _ if !is_assert => {
            let (words, no) = with_sanitizer(session, &test, failing.given());
            against = no;
            words
        }
        Ok(Ok(Ok(outcome))) => {
            let passed = matches!(outcome, ReplayOutcome::Passed(Some(_)));
            let words = native_words(&outcome);
            if passed && has_all(&test, failing.given()) {
                against = Some(format!("a run of the model fails, but {words}"));
            }
            words
        }
        Ok(Err(why)) => native_words(&ReplayOutcome::DidNotBuild(why)),
        Ok(Ok(Err(why))) | Err(why) => format!("not tried natively: {why}"),
    };
    told.natively = Some(words.clone());
    session.tell(Event::Natively(words));
    let first = number == 0;
    session.note(|report| match (&against, is_asked) {
        (None, true) => {
            if first {
                report.failure = Some(told.clone());
            }
            report.violations.push(told);
        }
        (None, false) => report.notices.push(told),
        // What the machine does counts.
        (Some(_), _) if first => {
            report.failure = None;
            report.details.test = None;
        }
        (Some(_), _) => {}
    });
    match against {
        None => Ok(failing),
        Some(against) => {
            if first {
                session.is_open();
            }
            Err(against)
        }
    }
}

/// What a sanitizer says of a violation, and how it contradicts, if it does: it always sees
/// such a violation, has all that the test has but values that were never set, and sees nothing.
fn with_sanitizer(session: &Session, test: &Test, given: &Inputs) -> (String, Option<String>) {
    let said = attest_evidence::confirm_natively(test, NATIVE_TIME, Some(session.stop_flag()));
    match said {
        Ok(Some(said)) => {
            let in_library = test.violation.as_ref().is_some_and(|v| v.is_in_library());
            let counts = said.contradicts() && !in_library;
            let against = if !counts {
                None
            } else if has_all(test, given) {
                Some(format!("a run of the model does it, but {said}"))
            } else if !test.uninitialised.is_empty() {
                // The use of such a value comes first in the run, and is undefined by itself.
                Some(format!(
                    "a violation depends on values that were never set, which \
                     --check uninitialised asks for, and {said}"
                ))
            } else {
                None
            };
            (said.to_string(), against)
        }
        Ok(None) => ("not tried natively".into(), None),
        Err(why) => (format!("not tried natively: {why}"), None),
    }
}

/// Whether a native run has all that the test says: inputs, and nothing of the machine's
/// own, such as what is in memory before it is written.
fn has_all(test: &Test, given: &Inputs) -> bool {
    let is_zero = |text: &str| match InputValue::parse(text) {
        Some(InputValue::Int(n)) => n == 0,
        Some(InputValue::Float(x)) => x.to_bits() == 0,
        None => false,
    };
    let unset = test.uninitialised.iter().all(|u| is_zero(&u.value));
    unset && test.memory.is_empty() && given.argc.is_none_or(|n| n == 1)
}

/// What a test does natively, on one line.
pub fn native_words(outcome: &ReplayOutcome) -> String {
    match outcome {
        ReplayOutcome::DidNotBuild(why) => {
            let first = why.lines().next().unwrap_or_default();
            format!("the test does not build natively: {first}")
        }
        outcome => format!("the test {outcome}"),
    }
}

/// Tells the engine's tests that end without failing, as far as they end soon.
pub(crate) fn tell(case: &Case, tests: &[Arc<Inputs>]) {
    if !case.settings.keep_tests {
        return;
    }
    let mut left = STEPS;
    let mut made = Vec::new();
    let mut trouble = None;
    for given in tests {
        let limits = Limits {
            steps: left,
            ..Limits::default()
        };
        let overflow = case.settings.overflow;
        let mut run = Interpreter::new(&case.program, given.clone(), overflow, limits);
        let outcome = run.run();
        left = left.saturating_sub(run.steps.max(1));
        let ends = matches!(
            outcome,
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::AssumeFailed
        );
        if left == 0 || case.session.is_stopping() {
            break;
        }
        if !ends {
            continue;
        }
        let taken = &run.machine.taken;
        match test_of(&case.source, &case.program, taken, given, None) {
            Ok(test) => made.push(test),
            Err(why) => {
                trouble = Some(why.to_string());
                break;
            }
        }
    }
    case.session.tell(Event::Tests {
        tests: Arc::new(made),
        trouble,
    });
}
