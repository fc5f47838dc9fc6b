//! Exit statuses, the numbers of CBMC that users' scripts already know.

use attest_verifier::{Error, ErrorKind};
use std::process::ExitCode;

/// What a command ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Safe; or a run that ended normally.
    Fine = 0,
    /// Wrong usage.
    Usage = 1,
    /// The input could not be read or compiled, or uses what is not supported.
    Input = 2,
    /// There is nothing to check.
    Nothing = 3,
    /// Not decided.
    Unknown = 5,
    /// A mistake in attest.
    Internal = 6,
    /// Unsafe; or a run that reached the error.
    Error = 10,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command could not be done: one line for the user and the status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What happened, where, and what to do next.
    pub message: String,
    /// The exit status.
    pub status: Status,
}

impl Failure {
    /// The command line asks for what cannot be done.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            status: Status::Usage,
        }
    }

    /// An input cannot be used.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            status: Status::Input,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let message = error.message();
        match error.kind() {
            ErrorKind::Usage => Failure::usage(message),
            ErrorKind::Input => Failure::input(message),
        }
    }
}
