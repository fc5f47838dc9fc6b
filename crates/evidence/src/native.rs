//! Runs a native program for a limited time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a run has no result.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// A file cannot be written or started.
    Io(PathBuf, io::Error),
    /// The caller's flag was set.
    Interrupted,
}

/// Runs a program for at most this many seconds of processor time.
const LIMITED: &str = "ulimit -t \"$1\"; shift; exec \"$@\"";
/// The same at the same addresses each time, where the system allows it.
const FIXED: &str = "ulimit -t \"$1\"; shift; \
    if setarch -R true 2>/dev/null; then exec setarch -R \"$@\"; fi; exec \"$@\"";
/// The longest time that a shell can be told.
const MOST_SECONDS: u64 = 1_000_000;

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
    ) -> Result<Option<Option<i32>>, Stopped> {
        let error = |e| Stopped::Io(self.program.to_owned(), e);
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
                    true => Err(Stopped::Interrupted),
                    false => Ok(None),
                };
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
