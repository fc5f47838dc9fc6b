//! Constrained Horn clauses, for Z3's Spacer.
//!
//! The clauses are SMT-LIB text in the logic `HORN`, and so is the answer: what
//! is found is a guess for its reader to check, so nothing of it is believed
//! here. Spacer ends the process on mistakes of its own, so it is asked in a
//! process that does nothing else ([`HornProcess`]).

use std::ffi::CString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::thread;
use std::time::Duration;

use super::api::{self, Api};
use super::{text_or_empty, watched};
use crate::budget::Budget;
use crate::solver::{Limits, Reason};

/// A program that answers scripts: it reads one from its standard input, calls
/// [`solve_horn`], and writes the answer. Its last argument is the time in seconds. If Z3
/// cannot be asked, it writes why to its standard error and ends with another status than 0.
#[derive(Clone, Debug)]
pub struct HornProcess {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before the time.
    pub args: Vec<String>,
}

/// Between two looks at the process.
const PACE: Duration = Duration::from_millis(4);
/// The status of a process that says why Z3 cannot be asked.
const ABSENT: i32 = 2;

impl HornProcess {
    /// Answers a script. An error of [`Reason::Other`] says why Z3 cannot be asked; a process
    /// that dies has answered nothing.
    pub fn solve(&self, script: &str, limits: &Limits) -> Result<String, Reason> {
        let budget = Budget::new(limits);
        let failed = |error: std::io::Error| Reason::Other(error.to_string());
        let seconds = budget.left().map_or(3600.0, |left| left.as_secs_f64());
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .arg(format!("{seconds:.3}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (mut input, script) = (child.stdin.take(), script.to_owned());
        // A process that dies early does not read all of it, which is no mistake.
        let writer = thread::spawn(move || {
            if let Some(input) = &mut input {
                let _ = input.write_all(script.as_bytes());
            }
        });
        let (answer, words) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let status = wait(&mut child, &budget);
        let _ = writer.join();
        let answer = answer.join().unwrap_or_default();
        let words = words.join().unwrap_or_default();
        match status? {
            Some(ABSENT) => Err(Reason::Other(words.trim().to_owned())),
            _ => Ok(answer),
        }
    }
}

/// Everything that a process writes.
fn reader(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end of a process, or ends it.
fn wait(child: &mut Child, budget: &Budget) -> Result<Option<i32>, Reason> {
    let failed = |error: std::io::Error| Reason::Other(error.to_string());
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status.code());
        }
        if let Err(reason) = budget.check(0) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(reason);
        }
        thread::sleep(PACE);
    }
}

/// Answers a script in this process, which Z3 may end: what Z3 prints. An error says why
/// Z3 cannot be asked.
pub fn solve_horn(script: &str, limits: &Limits) -> Result<String, Reason> {
    let api = Arc::new(api::find().map_err(Reason::Other)?);
    let script = CString::new(script).map_err(|_| Reason::Other("a zero in a script".into()))?;
    let budget = Budget::new(limits);
    let context = Own::new(api);
    let stopped = AtomicU8::new(0);
    // Safety: the context lives until the end of this function, and the script ends with a
    // zero; what is returned lives until the next call.
    let answer = watched(
        &context.api,
        context.context,
        &budget,
        &stopped,
        || unsafe {
            text_or_empty((context.api.eval_smtlib2_string)(
                context.context,
                script.as_ptr(),
            ))
        },
    );
    match stopped.into_inner() {
        0 => Ok(answer),
        _ => Err(budget.spent(0).unwrap_or(Reason::Memory)),
    }
}

/// A context of its own, so that nothing of a script is left behind.
struct Own {
    api: Arc<Api>,
    context: api::Context,
}

impl Own {
    fn new(api: Arc<Api>) -> Own {
        // Safety: the functions have no conditions, and the context is deleted once.
        let context = unsafe {
            let config = (api.mk_config)();
            let context = (api.mk_context)(config);
            (api.del_config)(config);
            (api.set_error_handler)(context, Some(super::translate::ignore));
            context
        };
        Own { api, context }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Safety: see `Own::new`.
        unsafe { (self.api.del_context)(self.context) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    const COUNT: &str = "
        (set-logic HORN)
        (declare-fun head (Int Int) Bool)
        (assert (forall ((n Int)) (=> (>= n 0) (head 0 n))))
        (assert (forall ((i Int) (n Int)) (=> (and (head i n) (< i n)) (head (+ i 1) n))))
        (assert (forall ((i Int) (n Int)) (=> (and (head i n) (>= i n) (not (= i n))) false)))
        (check-sat)
        (get-model)";

    #[test]
    fn spacer_finds_the_bound_of_a_loop() {
        match solve_horn(COUNT, &Limits::default()) {
            Ok(answer) => {
                assert!(answer.trim_start().starts_with("sat"), "{answer}");
                assert!(answer.contains("define-fun head"), "{answer}");
            }
            // Where there is no Z3, that is what is said.
            Err(reason) => assert!(reason.to_string().contains("libz3"), "{reason}"),
        }
    }

    #[test]
    fn a_limit_ends_the_search() {
        // Squares are out of reach, and the search does not end by itself.
        let hard = "
            (set-logic HORN)
            (declare-fun p (Int Int Int) Bool)
            (assert (forall ((z Int)) (=> (> z 1) (p z z 0))))
            (assert (forall ((x Int) (y Int) (z Int))
                (=> (p x y z) (p (+ (* x y) 1) (+ (* 3 y) z) (+ z x)))))
            (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= (* x y) (* z z))) false)))
            (check-sat)";
        let limits = Limits {
            time: Some(Duration::from_millis(300)),
            ..Limits::default()
        };
        let start = Instant::now();
        let _ = solve_horn(hard, &limits);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
