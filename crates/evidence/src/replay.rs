//! Replaying a test: in the interpreter, and natively.

use crate::build::prepare;
use crate::harness::ASSUMPTION;
use crate::test::{Test, TestError};
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::Program;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// Builds the program of a test with its harness, runs it, and says whether it fails.
pub fn replay(test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
    match prepare(test)? {
        Ok(prepared) => prepared.run(test, time),
        Err(why) => Ok(ReplayOutcome::DidNotBuild(why)),
    }
}

/// Runs a program for at most this many seconds of processor time.
const LIMITED: &str = "ulimit -t \"$1\"; shift; exec \"$@\"";
/// The same at the same addresses each time, where the system allows it.
const FIXED: &str = "ulimit -t \"$1\"; shift; \
    if setarch -R true 2>/dev/null; then exec setarch -R \"$@\"; fi; exec \"$@\"";
/// The longest time that a shell can be told.
const MOST_SECONDS: u64 = 1_000_000;

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

/// A command whose output does not matter.
pub(crate) struct Words<'a> {
    /// What is started.
    pub program: &'a Path,
    /// With these arguments,
    pub arguments: &'a [String],
    /// these variables besides the user's,
    pub environment: &'a [(&'static str, String)],
    /// and the same addresses in each run, if that is possible.
    pub fixed: bool,
}

impl Words<'_> {
    /// Runs it: none if it does not end in time, else its status, which is none if a signal
    /// ended it.
    pub(crate) fn run(
        &self,
        time: Duration,
        interrupt: Option<&AtomicBool>,
    ) -> Result<Option<Option<i32>>, ReplayError> {
        let error = |e| ReplayError::Io(self.program.to_owned(), e);
        // Who waits for it may be ended first; then it ends by itself.
        let seconds = time.as_secs().saturating_add(2).min(MOST_SECONDS);
        let mut child = Command::new("sh")
            .args(["-c", if self.fixed { FIXED } else { LIMITED }, "sh"])
            .arg(seconds.to_string())
            .arg(self.program)
            .args(self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(error)?;
        let end = Instant::now() + time;
        loop {
            if let Some(status) = child.try_wait().map_err(error)? {
                return Ok(Some(status.code()));
            }
            let interrupted = interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
            if interrupted || Instant::now() >= end {
                let _ = child.kill();
                let _ = child.wait();
                return match interrupted {
                    true => Err(ReplayError::Interrupted),
                    false => Ok(None),
                };
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
