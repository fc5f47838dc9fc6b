//! What an algorithm is: something that works on a search for some effort.

use crate::search::Search;
use crate::verdict::Verdict;
use std::time::Duration;

/// One of the papers' algorithms, with what it keeps from slice to slice.
pub(crate) trait Algorithm {
    /// Works until so much effort was spent altogether; the verdict, if there is one.
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict>;
}
