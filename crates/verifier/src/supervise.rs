//! The two threads of a check.
//!
//! The work gets a thread of its own with a large stack, because C code nests as deeply as
//! its author likes and the reader follows it. The caller's thread hands events to the
//! listener and looks at the limits meanwhile. So the listener needs no locks, a check may
//! be started from any thread, and nothing of a check outlives its answer but work that
//! does not look at its limits; that work is left behind and its end is heard by nobody.

use crate::answer::Answer;
use crate::error::Error;
use crate::limits::Account;
use crate::listener::{Event, Listener};
use crate::report::{Checked, Report};
use crate::session::Session;
use crate::settings::Settings;
use crate::source::Source;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The stack of the work.
const STACK: usize = 1 << 29;
/// Between two looks at the limits.
const LOOK: Duration = Duration::from_millis(20);
/// Events that wait for the listener.
const WAITING: usize = 64;

/// What the worker says.
enum Message {
    /// Something happened.
    Event(Event),
    /// It has ended, with an answer or a panic.
    Ended(Result<Result<Answer, Error>, Box<dyn Any + Send>>),
}

/// Does the work of a check under its limits.
pub(crate) fn supervise(
    source: &Source,
    settings: &Settings,
    listener: &mut dyn Listener,
    work: impl FnOnce(Arc<Session>, Source, Settings) -> Result<Answer, Error> + Send + 'static,
) -> Result<Checked, Error> {
    let account = Account::open(settings.limits.clone()).ok_or_else(|| {
        Error::usage("the system does not say how much processor time is used; use --time-limit")
    })?;
    let (events, heard) = sync_channel(WAITING);
    let report = Report::new(settings, source);
    let tell = {
        let events = events.clone();
        // Once the caller has left, nobody hears it.
        move |event| drop(events.send(Message::Event(event)))
    };
    let session = Arc::new(Session::new(account, report, Box::new(tell)));
    let worker = {
        let (session, source, settings) = (session.clone(), source.clone(), settings.clone());
        move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(session, source, settings)));
            // The caller may have left.
            let _ = events.send(Message::Ended(ended));
        }
    };
    let started = thread::Builder::new().stack_size(STACK).spawn(worker);
    started.map_err(|why| {
        Error::input(format!(
            "no thread could be started: {why}; free some memory"
        ))
    })?;
    let answer = wait(&session, &heard, listener)?;
    let report = session.settle(&answer);
    Ok(Checked { answer, report })
}

/// Waits for the answer of the work, or for a limit.
fn wait(
    session: &Session,
    heard: &Receiver<Message>,
    listener: &mut dyn Listener,
) -> Result<Answer, Error> {
    let account = session.account();
    let mut looked = Instant::now();
    loop {
        let left = account.left().filter(|left| !left.is_zero());
        match heard.recv_timeout(LOOK.min(left.unwrap_or(LOOK))) {
            Ok(Message::Event(event)) => listener.event(&event),
            Ok(Message::Ended(ended)) => return conclude(session, ended),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if looked.elapsed() < LOOK && account.left().is_none_or(|left| !left.is_zero()) {
            continue;
        }
        looked = Instant::now();
        if let Some(cause) = account.look() {
            return Ok(session.given_up(cause));
        }
    }
}

/// The answer of work that has ended by itself.
fn conclude(
    session: &Session,
    ended: Result<Result<Answer, Error>, Box<dyn Any + Send>>,
) -> Result<Answer, Error> {
    // A panic is a mistake in attest, and the caller's to tell.
    let ended = ended.unwrap_or_else(|panic| resume_unwind(panic));
    match (ended, session.account().asked()) {
        // It is no news then that clang has failed.
        (Ok(Answer::Unknown(_)) | Err(_), Some(cause)) => Ok(session.stopped(cause)),
        (ended, _) => ended,
    }
}
