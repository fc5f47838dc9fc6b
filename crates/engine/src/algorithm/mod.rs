//! What an algorithm is: something that works on a search for some effort.

pub(crate) mod baselines;
pub(crate) mod crossing;
pub(crate) mod dash;
pub mod portfolio;
pub mod strategy;
pub(crate) mod vacuity;

use crate::search::Search;
use crate::verdict::Verdict;
use std::time::Duration;

/// One of the papers' algorithms, with what it keeps from slice to slice.
pub(crate) trait Algorithm {
    /// Works until so much effort was spent altogether; the verdict, if there is one.
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict>;
}
