//! What a call may write, its callees included: ranges of abstract objects.

use super::place::{Overlap, Place, Places, Site};
use super::solve::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// This many bytes from each offset of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Range {
    /// The place.
    pub at: Place,
    /// The number; none up to the object's end.
    pub bytes: Option<u64>,
}

/// What a call may write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writes {
    /// Whether any object may be written.
    pub anywhere: bool,
    /// The ranges, if not any object.
    pub ranges: BTreeMap<Site, BTreeSet<Range>>,
}

/// The number of ranges above which an object counts as written everywhere.
const MOST_RANGES: usize = 64;

impl Writes {
    /// Whether this many bytes at one of these places may be written.
    pub fn may_meet(&self, places: &Places, bytes: u64) -> bool {
        let met = |place: &Place| {
            let ranges = self.ranges.get(&place.site).into_iter().flatten();
            let apart = |range: &Range| {
                let length = range.bytes.map_or(range.at.rest(), u128::from);
                place.overlap(bytes.into(), range.at, length) == Overlap::Apart
            };
            !ranges.into_iter().all(apart)
        };
        if self.anywhere || places.anywhere {
            return self.anywhere || !self.ranges.is_empty();
        }
        places.list.iter().any(met)
    }

    fn add(&mut self, range: Range) -> bool {
        if self.anywhere {
            return false;
        }
        let ranges = self.ranges.entry(range.at.site).or_default();
        let whole = Range {
            at: Place::new(range.at.site, 0, 0),
            bytes: None,
        };
        if ranges.contains(&whole) || !ranges.insert(range) {
            return false;
        }
        if ranges.len() > MOST_RANGES {
            ranges.clear();
            ranges.insert(whole);
        }
        true
    }

    fn add_all(&mut self, other: &Writes) -> bool {
        if other.anywhere {
            return self.add_anywhere();
        }
        let mut more = false;
        for range in other.ranges.values().flatten() {
            more |= self.add(*range);
        }
        more
    }

    fn add_anywhere(&mut self) -> bool {
        self.ranges.clear();
        !std::mem::replace(&mut self.anywhere, true)
    }
}

/// The writes of each function, its callees included, as a fixpoint.
pub(crate) fn of(solver: &Solver<'_>) -> Vec<Writes> {
    let mut all = vec![Writes::default(); solver.written.len()];
    for (writes, written) in all.iter_mut().zip(&solver.written) {
        for (node, bytes) in written {
            match solver.places(*node) {
                None => {
                    writes.add_anywhere();
                }
                Some(places) => {
                    let real = places.iter().filter(|at| !solver.is_number(at.site));
                    real.for_each(|at| {
                        let (at, bytes) = (*at, *bytes);
                        writes.add(Range { at, bytes });
                    });
                }
            }
        }
    }
    let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); all.len()];
    for (caller, callees) in solver.calls.iter().enumerate() {
        for callee in callees {
            callers[*callee as usize].insert(caller);
        }
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(callee) = work.pop() {
        let passed = std::mem::take(&mut all[callee]);
        for &caller in &callers[callee] {
            if caller != callee && all[caller].add_all(&passed) {
                work.push(caller);
            }
        }
        all[callee] = passed;
    }
    all
}
