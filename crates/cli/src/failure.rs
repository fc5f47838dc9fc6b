//! A failing run as evidence: a test, what it does natively, and its files.

use crate::exit::Failure;
use crate::forms;
use crate::load::Source;
use crate::report;
use crate::search::Failing;
use crate::session::Session;
use crate::words;
use attest_evidence::{ErrorReached, Prepared, ReplayOutcome, Test, prepare};
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_model::Program;
use attest_proof::HashedFile;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Time for a native run of a failing test.
const NATIVE_TIME: Duration = Duration::from_secs(10);

/// Makes the folder of `--tests`, before any work is done for it.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|why| {
        let name = folder.display();
        Failure::input(format!(
            "{name}: the folder for tests cannot be made: {why}"
        ))
    })
}

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
        data_model: data_model(source),
        clang_args: source.clang_args.clone(),
        stubs: hashed(&source.stubs)?,
        database: database.transpose()?,
        rule: source.rule.as_deref().map(HashedFile::of).transpose()?,
        entry: source.model.entry.clone(),
        errors: source.model.errors.clone(),
        inputs: Vec::new(),
        uninitialised: Vec::new(),
        memory: Vec::new(),
        unwritten: Vec::new(),
        arguments: None,
        error,
    };
    Ok(test.with_run(program, taken, given))
}

/// The program's widths of types, in the words of proofs and tests.
pub fn data_model(source: &Source) -> attest_proof::DataModel {
    match source.data_model {
        attest_llvm::DataModel::Ilp32 => attest_proof::DataModel::Ilp32,
        attest_llvm::DataModel::Lp64 => attest_proof::DataModel::Lp64,
    }
}

/// Runs the test of a failing run natively, writes its files where they are
/// wanted, and says both. What the native run says against the verdict, if it does: that
/// it has all that the test has, and does not fail.
pub fn show(
    session: &Session,
    source: &Source,
    program: &Program,
    failing: &Failing,
    folder: Option<&Path>,
) -> Option<String> {
    let error = ErrorReached {
        function: failing.error.to_string(),
        place: program.place(failing.place).to_string(),
    };
    let made = test_of(
        source,
        program,
        &failing.taken,
        &failing.given,
        Some(error.clone()),
    );
    let test = match made {
        Ok(test) => test,
        Err(why) => {
            session.say(&format!("not tried natively: {why}\n"));
            return None;
        }
    };
    session.note(|report| {
        report.failure = Some(report::Failing {
            function: error.function,
            place: error.place,
            inputs: test.inputs.clone(),
            trace: report
                .details
                .story
                .iter()
                .flat_map(|s| s.that_matters())
                .collect(),
            natively: None,
        });
    });
    session.note(|report| report.details.test = Some(test.clone()));
    let prepared = prepare(&test);
    if let Some(folder) = folder {
        let built = prepared.as_ref().ok().and_then(|p| p.as_ref().ok());
        write(session, &test, built, folder);
    }
    let place = program.place(failing.place).to_string();
    let run = |p: Prepared| match failing.native {
        // It has just been seen to.
        true => Ok(ReplayOutcome::Failed(place)),
        false => p.run(&test, NATIVE_TIME),
    };
    let mut against = None;
    let natively = match prepared.map(|built| built.map(run)) {
        Ok(Ok(Ok(outcome))) => {
            let passed = matches!(outcome, ReplayOutcome::Passed(Some(_)));
            let words = in_words(&outcome);
            if passed && has_all(&test, &failing.given) {
                against = Some(format!("a run of the model fails, but {words}"));
            }
            words
        }
        Ok(Err(why)) => in_words(&ReplayOutcome::DidNotBuild(why)),
        Ok(Ok(Err(why))) | Err(why) => format!("not tried natively: {why}"),
    };
    session.note(|report| {
        if let Some(failure) = &mut report.failure {
            failure.natively = Some(natively.clone());
        }
    });
    session.say(&format!("{natively}\n"));
    against
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
pub fn in_words(outcome: &ReplayOutcome) -> String {
    match outcome {
        ReplayOutcome::DidNotBuild(why) => {
            let first = why.lines().next().unwrap_or_default();
            format!("the test does not build natively: {first}")
        }
        outcome => format!("the test {outcome}"),
    }
}

/// Instructions in all runs that give the tests their values.
const STEPS: u64 = 20_000_000;

/// Writes the engine's tests that end without failing, as far as they end soon.
pub fn write_tests(
    session: &Session,
    source: &Source,
    program: &Program,
    overflow: Overflow,
    tests: &[Arc<Inputs>],
    folder: &Path,
) {
    let mut left = STEPS;
    let mut written = 0;
    for given in tests {
        let limits = Limits {
            steps: left,
            ..Limits::default()
        };
        let mut run = Interpreter::new(program, given.clone(), overflow, limits);
        let outcome = run.run();
        left = left.saturating_sub(run.steps.max(1));
        let ends = matches!(
            outcome,
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::AssumeFailed
        );
        if left == 0 || session.asked().is_some() {
            break;
        }
        if !ends {
            continue;
        }
        let file = folder.join(format!("test-{:04}.json", written + 1));
        let test = test_of(source, program, &run.machine.taken, given, None);
        let done = test.and_then(|test| std::fs::write(&file, test.to_json()));
        if let Err(why) = done {
            let name = file.display();
            return session.say(&format!("{name}: the test cannot be written: {why}\n"));
        }
        written += 1;
    }
    session.note(|report| report.evidence.tests = written);
    if written > 0 {
        let tests = words::count(written, "test");
        let name = folder.display();
        session.say(&format!("written to {name}: {tests} that do not fail\n"));
    }
}

/// Writes the test and its harness.
fn write(session: &Session, test: &Test, built: Option<&Prepared>, folder: &Path) {
    let file = folder.join("failing.json");
    match std::fs::write(&file, test.to_json()) {
        Ok(()) => {
            let name = report::text(&file);
            let command = words::quoted(&name);
            session.say(&format!(
                "the test is in {name}; to run it natively: attest replay {command}\n"
            ));
            session.note(|report| report.evidence.test = Some(name));
        }
        Err(why) => {
            let name = file.display();
            return session.say(&format!("{name}: the test cannot be written: {why}\n"));
        }
    }
    if let Some(suite) = forms::suite_of(test) {
        let file = folder.join("failing.zip");
        let name = report::text(&file);
        session.say(&match std::fs::write(&file, suite) {
            Ok(()) => format!("as a suite of Test-Comp it is {name}\n"),
            Err(why) => format!("{name}: the suite cannot be written: {why}\n"),
        });
    }
    let Some(built) = built else {
        return;
    };
    let file = folder.join("failing.c");
    let name = report::text(&file);
    let others = built.beside(test, &name).unwrap_or_default();
    for (name, text) in others {
        if let Err(why) = std::fs::write(&name, text) {
            session.say(&format!("{name}: the file cannot be written: {why}\n"));
        }
    }
    match std::fs::write(&file, built.harness(test, &name)) {
        Ok(()) => {
            let how = match test.entry.as_str() {
                "main" => ", with the command that builds it",
                _ => "",
            };
            session.say(&format!("its environment in C is in {name}{how}\n"));
            session.note(|report| report.evidence.harness = Some(name));
        }
        Err(why) => session.say(&format!("{name}: the harness cannot be written: {why}\n")),
    }
}
