//! What an engine learnt, to be kept, and what was kept, to be known again.
//!
//! Summaries are true of a function's code wherever it is called, so that they
//! outlive a run. Whoever brings them back has checked them.

use crate::smash::summaries::Summary;

/// A summary with what must be known of it to use it again.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// Its number, by which others use it.
    pub number: usize,
    /// Whether it is a contract, which is used at every call.
    pub contract: bool,
    /// The summary, its ghosts named after its number.
    pub summary: Summary,
}
