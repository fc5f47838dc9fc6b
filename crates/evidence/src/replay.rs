//! Replaying a test: in the interpreter, and natively.

use crate::build::prepare;
use crate::harness::ASSUMPTION;
use crate::native::{Stopped, Words};
use crate::test::{Test, TestError};
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::Program;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a native run of a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// It reached the error; the text says where.
    Failed(String),
    /// It ended otherwise, with this status; none if a signal ended it.
    Passed(Option<i32>),
    /// It did not end in time.
    Timeout,
    /// clang or the linker rejected it, with this message.
    DidNotBuild(String),
}

impl fmt::Display for ReplayOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayOutcome::Failed(place) => write!(f, "fails natively: {place}"),
            ReplayOutcome::Passed(Some(ASSUMPTION)) => {
                f.write_str("does not fail natively: an assumption did not hold")
            }
            ReplayOutcome::Passed(Some(status)) => {
                write!(f, "does not fail natively: it ended with status {status}")
            }
            ReplayOutcome::Passed(None) => f.write_str("does not fail natively: a signal ended it"),
            ReplayOutcome::Timeout => f.write_str("does not end natively within the time limit"),
            ReplayOutcome::DidNotBuild(why) => write!(f, "does not build natively:\n{why}"),
        }
    }
}

/// Why a test cannot be replayed at all.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file cannot be read or started.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// A file's contents are not those that the test is about.
    #[error("{0}: its contents are not those that the test is about")]
    Hash(PathBuf),
    /// The test is malformed.
    #[error("{0}")]
    Test(TestError),
    /// There is no clang.
    #[error("{0}")]
    Clang(attest_llvm::clang::ClangError),
    /// The caller's flag was set.
    #[error("interrupted")]
    Interrupted,
}

/// Runs a test in the interpreter.
pub fn confirm(
    program: &Program,
    test: &Test,
    overflow: Overflow,
    limits: Limits,
) -> Result<Outcome, TestError> {
    let inputs = Arc::new(test.to_inputs()?);
    Ok(Interpreter::new(program, inputs, overflow, limits).run())
}

impl From<Stopped> for ReplayError {
    fn from(stopped: Stopped) -> ReplayError {
        match stopped {
            Stopped::Io(path, why) => ReplayError::Io(path, why),
            Stopped::Interrupted => ReplayError::Interrupted,
        }
    }
}

/// Builds the program of a test with its harness, runs it, and says whether it fails.
pub fn replay(test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
    match prepare(test)? {
        Ok(prepared) => prepared.run(test, time),
        Err(why) => Ok(ReplayOutcome::DidNotBuild(why)),
    }
}

/// Runs a program that was built with a harness in which the error has this status.
pub(crate) fn run(
    binary: &Path,
    test: &Test,
    reached: i32,
    time: Duration,
    interrupt: Option<&AtomicBool>,
) -> Result<ReplayOutcome, ReplayError> {
    let words = Words {
        program: binary,
        arguments: &[],
        environment: &[],
        fixed: false,
    };
    Ok(match words.run(time, interrupt)? {
        Some(Some(code)) if code == reached => {
            let place = test.error.as_ref().map(|error| error.place.clone());
            ReplayOutcome::Failed(place.unwrap_or_else(|| "an error function".into()))
        }
        Some(code) => ReplayOutcome::Passed(code),
        None => ReplayOutcome::Timeout,
    })
}
