//! Why a program could not be checked at all: one line for the user.

use attest_frontend::LoadError;
use attest_llvm::LinkError;
use attest_model::ModelError;
use std::fmt;

/// Why a program could not be checked at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Whose fault an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The settings ask for what cannot be done.
    Usage,
    /// A file cannot be read or compiled, or uses what is not supported.
    Input,
}

impl Error {
    /// The settings ask for what cannot be done.
    pub(crate) fn usage(message: impl Into<String>) -> Error {
        let message = message.into();
        let kind = ErrorKind::Usage;
        Error { kind, message }
    }

    /// An input cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Error {
        let message = message.into();
        let kind = ErrorKind::Input;
        Error { kind, message }
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What happened, where, and what to do next.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Says what to do next where the error itself does not.
impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        let advice = match &error {
            LoadError::Read(_) => {
                "; if clang or rustc wrote this file, please report it, and otherwise correct it"
            }
            LoadError::Link(LinkError::Duplicate { .. }) => {
                "; leave one of the files out, or make one definition static"
            }
            LoadError::Link(LinkError::DataLayout { .. }) => {
                "; compile them for the same one with --data-model"
            }
            LoadError::Model(ModelError::NoEntry { defined, .. }) if defined.is_empty() => {
                "; name the file that defines it"
            }
            _ => "",
        };
        Error::input(format!("{error}{advice}"))
    }
}
