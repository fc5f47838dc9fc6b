//! What one round of an algorithm's loop did.

use crate::verdict::FailingTest;

/// What one round of the loop did.
#[must_use]
pub(crate) enum Progress {
    /// Something changed.
    Made,
    /// A test reached the error.
    Failed(FailingTest),
    /// This frontier could not be decided with this witness.
    Stuck(&'static str),
}
