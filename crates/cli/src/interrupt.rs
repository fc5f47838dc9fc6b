//! Ctrl-C asks a check to end with what it knows.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C sets. The second Ctrl-C ends the program at once.
#[cfg(unix)]
pub fn flag() -> Arc<AtomicBool> {
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

/// A flag that nothing sets.
#[cfg(not(unix))]
pub fn flag() -> Arc<AtomicBool> {
    Arc::default()
}
