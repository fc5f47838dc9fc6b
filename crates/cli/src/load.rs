//! From files to a program model: [`attest_frontend`], with advice for the user.

use crate::exit::Failure;
use attest_llvm::LinkError;
use attest_model::ModelError;

pub use attest_frontend::*;

/// Says what to do next where the error itself does not.
impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
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
        Failure::input(format!("{error}{advice}"))
    }
}
