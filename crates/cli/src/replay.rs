//! `attest replay`: a test as a native program.
//!
//! Status 10 says that it fails and 0 that it ends without failing; 5 that it
//! does not end, 2 that it cannot be built. A test that violates a check other than an
//! assertion is built with a sanitizer: 10 says that this finds the violation, and 5 that
//! it finds something else or is not installed.

use crate::args::ReplayArgs;
use crate::exit::{Failure, Status};
use crate::load::Source;
use crate::{load, output};
use attest_evidence::{
    Confirmation, ReplayError, ReplayOutcome, Test, confirm, confirm_natively, replay as run,
};
use attest_exec::{Limits, Outcome, Overflow};
use attest_proof::{DataModel, HashedFile};
use attest_verifier::native_words;
use std::path::PathBuf;
use std::time::Duration;

/// Replays a test.
pub fn replay(args: &ReplayArgs) -> Result<Status, Failure> {
    let name = args.test.display();
    let text = std::fs::read_to_string(&args.test)
        .map_err(|why| Failure::input(format!("{name}: the test cannot be read: {why}")))?;
    let test = Test::parse(&text).map_err(|why| Failure::input(format!("{name}: {why}")))?;
    let time = Duration::try_from_secs_f64(args.time_limit).unwrap_or(Duration::MAX);
    if test.violation.is_some() {
        let said = confirm_natively(&test, time, None);
        let said = said.map_err(|why| Failure::input(advised(&why)))?;
        return violated(&name.to_string(), said);
    }
    let outcome = run(&test, time).map_err(|why| Failure::input(advised(&why)))?;
    if let ReplayOutcome::DidNotBuild(why) = &outcome {
        let all = why.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("{name}: the test does not build natively: {all}");
        return Err(Failure::input(message));
    }
    output::print(native_words(&outcome) + "\n");
    if matches!(outcome, ReplayOutcome::Passed(_)) && of_the_machine(&test) {
        output::print(format!(
            "it sets variables before their first assignment, or fresh memory, which a native \
             run cannot be given; the interpreter can: {}\n",
            interpreted(&test)?
        ));
    }
    Ok(match outcome {
        ReplayOutcome::Failed(_) => Status::Error,
        ReplayOutcome::Passed(_) => Status::Fine,
        ReplayOutcome::Timeout | ReplayOutcome::DidNotBuild(_) => Status::Unknown,
    })
}

/// What a sanitizer says about a violation.
fn violated(name: &str, said: Option<Confirmation>) -> Result<Status, Failure> {
    let Some(said) = said else {
        return Err(Failure::input(format!(
            "{name}: the test violates no check"
        )));
    };
    if let Confirmation::CannotBuild(why) = &said {
        let all = why.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("{name}: the test does not build with a sanitizer: {all}");
        return Err(Failure::input(message));
    }
    output::print(format!("{said}\n"));
    Ok(match said {
        Confirmation::Confirmed { .. } => Status::Error,
        Confirmation::NotFound { .. } => Status::Fine,
        _ => Status::Unknown,
    })
}

/// Whether a test sets what belongs to the machine.
fn of_the_machine(test: &Test) -> bool {
    let set = test.uninitialised.iter().any(|value| value.value != "0");
    set || test.memory.iter().any(|byte| byte.byte != 0)
}

/// What a test does in the interpreter.
fn interpreted(test: &Test) -> Result<&'static str, Failure> {
    let paths = |files: &[HashedFile]| files.iter().map(|f| PathBuf::from(&f.path)).collect();
    let source = Source {
        files: paths(&test.files),
        stubs: paths(&test.stubs),
        data_model: match test.data_model {
            DataModel::Ilp32 => attest_llvm::DataModel::Ilp32,
            DataModel::Lp64 => attest_llvm::DataModel::Lp64,
        },
        clang_args: test.clang_args.clone(),
        database: test.database.as_ref().map(|f| PathBuf::from(&f.path)),
        rule: test.rule.as_ref().map(|f| PathBuf::from(&f.path)),
        model: attest_model::Options {
            entry: test.entry.clone(),
            errors: test.errors.clone(),
            malloc: test.malloc.into(),
            ..Default::default()
        },
    };
    let program = load::load(&source)?;
    let outcome = confirm(&program, test, Overflow::Wrap, Limits::default());
    Ok(match outcome {
        Ok(Outcome::Error(_)) => "there the test fails",
        _ => "there it does not fail either",
    })
}

fn advised(why: &ReplayError) -> String {
    let advice = match why {
        ReplayError::Io(..) => {
            "; files are named as in the check, so replay the test in the same folder"
        }
        ReplayError::Hash(_) => "; check the program again for a new test",
        _ => "",
    };
    format!("{why}{advice}")
}
