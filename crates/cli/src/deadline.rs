//! The time limit of a check: a watchdog that says the verdict if nobody else has.
//!
//! It holds for everything, clang included, since it does not ask the work to
//! look at a clock.

use crate::exit::Status;
use crate::output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The verdict is said once.
static SAID: AtomicBool = AtomicBool::new(false);

/// Ends the program after this many seconds.
pub fn start(seconds: f64) {
    let Ok(limit) = Duration::try_from_secs_f64(seconds) else {
        return;
    };
    thread::spawn(move || {
        thread::sleep(limit);
        if !SAID.swap(true, Ordering::SeqCst) {
            let plural = if seconds == 1.0 { "" } else { "s" };
            output::print(format!(
                "verdict: unknown (the time limit of {seconds} second{plural} is used up)\n"
            ));
            std::process::exit(Status::Unknown as i32);
        }
    });
}

/// Says that there is no verdict, and why.
pub fn say_unknown(reason: &str) -> Status {
    say(&format!("unknown ({reason})"), Status::Unknown)
}

/// Says the verdict, the last line of a check.
pub fn say(verdict: &str, status: Status) -> Status {
    if SAID.swap(true, Ordering::SeqCst) {
        // The watchdog is about to end the program with its own verdict.
        loop {
            thread::park();
        }
    }
    output::print(format!("verdict: {verdict}\n"));
    status
}
