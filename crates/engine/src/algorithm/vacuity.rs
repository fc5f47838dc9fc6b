//! The vacuity check: tests of what a proof assumes.
//!
//! A proof assumes that exits such as an access out of bounds are not taken. If some run takes
//! one, the proof is about nothing. So before a proof is said, DASH goes on for a while with
//! these exits as its targets. No test of them: the proof is said.

use crate::algorithm::dash::{self, Round};
use crate::certify::certificate;
use crate::search::Search;
use crate::verdict::Verdict;
use std::time::Duration;

/// Begins a slice of time of the check.
pub(crate) fn resume(search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
    if let Some(test) = dash::begin(search, until) {
        return Some(Verdict::Unsafe(test));
    }
    test(search, until)
}

/// Looks for a test that takes an exit which the proof assumes away.
pub(crate) fn test(search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
    while until.is_none_or(|until| search.core.effort() < until) {
        if is_over(search) {
            return certificate::conclude(&mut search.core);
        }
        match dash::round(search) {
            Round::Worked | Round::Proved => {}
            Round::Verdict(verdict) => return Some(verdict),
            Round::Settled(_) => return certificate::conclude(&mut search.core),
        }
    }
    None
}

/// Whether a test took such an exit, or enough was tried.
fn is_over(search: &Search<'_>) -> bool {
    let core = &search.core;
    core.exits.leaves_model.is_some()
        || core.vacuity.until.is_some_and(|at| core.effort() >= at)
        || core.out_of_limits(&search.task).is_some()
}
