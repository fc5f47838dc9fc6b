//! From files to a program model: [`attest_frontend`], with advice for the user.

use crate::exit::Failure;
use attest_verifier::Error;

pub use attest_frontend::*;

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        Error::from(error).into()
    }
}
