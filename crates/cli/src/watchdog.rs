//! The limits of a check: time, memory, and the patience of the user.
//!
//! The work looks at its deadline and at the session's flag by itself, and so
//! ends with all that it knows. The watchdog raises the flag when memory runs
//! out or the user presses Ctrl-C, and is the last resort where the work does
//! not look: inside clang, the encoding of a large question, a native run. It
//! then says what was known last.

use crate::memory;
use crate::session::{Cause, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(20);
/// How long the work may take to stop when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Watches over a check until its verdict is said.
pub fn start(session: &Arc<Session>) {
    let session = session.clone();
    let interrupted = on_interrupt();
    thread::spawn(move || {
        while !session.has_ended() {
            look(&session, &interrupted);
            let left = session.left().unwrap_or(LOOK);
            thread::sleep(LOOK.min(left));
        }
    });
}

fn look(session: &Session, interrupted: &AtomicBool) {
    if interrupted.load(Ordering::SeqCst) {
        session.ask_to_stop(Cause::Interrupt);
    }
    if let Some(limit) = session.settings().memory {
        let used = memory::now().unwrap_or_default();
        if used > limit {
            session.ask_to_stop(Cause::Memory);
        }
        if used > limit.saturating_add(limit / 4) {
            // It would not help to wait while it grows.
            session.give_up(Cause::Memory);
        }
    }
    if session.left().is_some_and(|left| left.is_zero()) {
        session.give_up(Cause::Time);
    }
    if let Some((cause, since)) = session.asked()
        && since > GRACE
    {
        session.give_up(cause);
    }
}

/// A flag that Ctrl-C sets. The second Ctrl-C ends the program at once.
#[cfg(unix)]
fn on_interrupt() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The status is what shells give to a program that a signal ended. If
        // the handlers cannot be set the signal still ends the program.
        let end =
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, flag.clone());
        let set = signal_hook::flag::register(signal, flag.clone());
        debug_assert!(end.is_ok() && set.is_ok());
    }
    flag
}

#[cfg(not(unix))]
fn on_interrupt() -> Arc<AtomicBool> {
    Arc::default()
}
