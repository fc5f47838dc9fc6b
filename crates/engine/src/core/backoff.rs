//! Backoff: what has not helped is tried less often.
//!
//! Some solver calls cost little and save much where they help, and at some places they
//! never do: the local check of a step, a path through a callee. So after some calls in
//! a row that did not help at a place, only one in a few is made there.

use crate::tuning::SearchLimits;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// How often in a row something did not help, by place.
pub(crate) struct Backoff<K> {
    idle: FxHashMap<K, u32>,
    most_idle: u32,
    interval: u32,
}

impl<K: Eq + Hash> Default for Backoff<K> {
    fn default() -> Self {
        Backoff::new(&SearchLimits::default())
    }
}

impl<K: Eq + Hash> Backoff<K> {
    /// Nothing was tried yet.
    pub fn new(limits: &SearchLimits) -> Backoff<K> {
        Backoff {
            idle: FxHashMap::default(),
            most_idle: limits.idle_tries,
            interval: limits.idle_interval,
        }
    }

    /// Whether it should be tried this time. Every call counts as a try that did not help.
    pub fn is_due(&mut self, place: K) -> bool {
        let idle = self.idle.entry(place).or_default();
        *idle += 1;
        *idle <= self.most_idle || idle.is_multiple_of(self.interval)
    }

    /// It helped after all.
    pub fn helped(&mut self, place: &K) {
        self.idle.remove(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_is_tried_again() {
        let limits = SearchLimits::default();
        let (most_idle, interval) = (limits.idle_tries, limits.idle_interval);
        let mut seldom = Backoff::new(&limits);
        let mut due = |times: u32| (0..times).filter(|_| seldom.is_due('a')).count() as u32;
        assert_eq!(due(most_idle), most_idle);
        assert_eq!(due(10 * interval), 10);
        assert!(seldom.is_due('b'));
        seldom.helped(&'a');
        assert!((0..most_idle).all(|_| seldom.is_due('a')));
    }
}
