//! What an algorithm is: something that works on a search for some effort.
//!
//! - `dash`: the loop of DASH, which with other settings is SYNERGY, LCT-D and SMASH;
//! - `crossing`: the frontier to work on, the solver call about it, and the test that crosses it;
//! - `vacuity`: the same loop, aimed at what a proof assumes;
//! - `strategy`: the algorithms of the papers as settings;
//! - `portfolio`: engines that take turns;
//! - `baselines`: the algorithms that the papers compare themselves with.

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
pub(crate) trait Algorithm: Send {
    /// Works until so much effort was spent altogether; the verdict, if there is one.
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict>;
}
