//! Writing to the user: results to standard output, everything else to standard error.
//!
//! A reader that has gone away (`attest model x.c | head`) ends the program
//! quietly. A verdict that could not be written does not look like success.

use crate::exit::Status;
use std::io::{self, Write};

/// Writes a result.
pub fn print(bytes: impl AsRef<[u8]>) {
    let mut out = io::stdout().lock();
    if let Err(e) = out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
        if e.kind() != io::ErrorKind::BrokenPipe {
            complain(&format!("the result could not be written: {e}"));
        }
        std::process::exit(Status::Input as i32);
    }
}

/// Writes a message about the work. If nobody reads it, nothing is lost.
pub fn note(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Says what went wrong, in the form of other tools.
pub fn complain(message: &str) {
    note(&format!("attest: {}\n", message.trim_end()));
}
