//! Mistakes of attest itself: never a raw panic, always a plain message and status 6.
//!
//! The work runs in a thread of its own with a large stack, because C code
//! nests as deeply as its author likes and the reader follows it.

use crate::exit::Status;
use crate::output;
use std::panic;
use std::sync::{Arc, Mutex};
use std::thread;

const STACK: usize = 1 << 29;

/// Does the work; a panic becomes a message.
pub fn run(work: impl FnOnce() -> Status + Send + 'static) -> Status {
    attempt(work).unwrap_or_else(|message| {
        output::complain(&message);
        Status::Internal
    })
}

fn attempt(work: impl FnOnce() -> Status + Send + 'static) -> Result<Status, String> {
    let seen = Arc::new(Mutex::new(String::new()));
    let hook = seen.clone();
    panic::set_hook(Box::new(move |info| {
        if let Ok(mut seen) = hook.lock() {
            *seen = info.to_string();
        }
    }));
    let ended = thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .map(thread::JoinHandle::join);
    // The hook of the standard library again.
    drop(panic::take_hook());
    match ended {
        Ok(Ok(status)) => Ok(status),
        Ok(Err(_)) => Err(apology(&seen.lock().map(|s| s.clone()).unwrap_or_default())),
        Err(e) => Err(format!("no thread could be started: {e}; free some memory")),
    }
}

/// One line from what the panic said.
fn apology(seen: &str) -> String {
    let what = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let where_to = env!("CARGO_PKG_REPOSITORY");
    format!(
        "internal error, a mistake in attest and not in your program: {what}; \
         please report this line with the input files at {where_to}/issues"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught() {
        let caught = attempt(|| panic!("a test of the guard"));
        assert!(caught.is_err_and(|m| m.contains("a test of the guard")));
        assert_eq!(attempt(|| Status::Fine), Ok(Status::Fine));
    }

    #[test]
    fn the_apology_is_one_line() {
        let text = apology("panicked at src/x.rs:1:2:\nindex out of bounds");
        assert!(text.contains("src/x.rs:1:2: index out of bounds"));
        assert!(!text.contains('\n'));
    }
}
