//! Loads a program under the limits of a check: clang is killed when one is reached.

use crate::session::Session;
use crate::source::Source;
use attest_frontend::LoadError;
use attest_llvm::Module;
use attest_model::Program;

/// Loads the linked module of a program, library models included.
pub(crate) fn module(session: &Session, source: &Source) -> Result<Module, LoadError> {
    attest_frontend::load_module_unless(source, Some(session.stop_flag()))
}

/// Loads a program.
pub(crate) fn load(session: &Session, source: &Source) -> Result<Program, LoadError> {
    attest_frontend::model(&module(session, source)?, source)
}
