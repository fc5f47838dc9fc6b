//! What does not help is tried seldom.
//!
//! Some questions cost little and save much where they help, and where they do
//! not they never do: the local check of a step, a path through a callee. So
//! after some in a row that did not help at a place, only one in a few is asked.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Tries in a row that do not help, before they are made seldom:
const MOST_IDLE: u32 = 16;
/// one in so many.
const SELDOM: u32 = 4;

/// How often in a row something did not help, by place.
pub(crate) struct Backoff<K>(FxHashMap<K, u32>);

impl<K> Default for Backoff<K> {
    fn default() -> Self {
        Backoff(FxHashMap::default())
    }
}

impl<K: Eq + Hash> Backoff<K> {
    /// Whether it should be tried this time. Every call counts as a try that did not help.
    pub fn is_due(&mut self, place: K) -> bool {
        let idle = self.0.entry(place).or_default();
        *idle += 1;
        *idle <= MOST_IDLE || idle.is_multiple_of(SELDOM)
    }

    /// It helped after all.
    pub fn helped(&mut self, place: &K) {
        self.0.remove(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_is_tried_again() {
        let mut seldom = Backoff::default();
        let mut due = |times: u32| (0..times).filter(|_| seldom.is_due('a')).count() as u32;
        assert_eq!(due(MOST_IDLE), MOST_IDLE);
        assert_eq!(due(10 * SELDOM), 10);
        assert!(seldom.is_due('b'));
        seldom.helped(&'a');
        assert!((0..MOST_IDLE).all(|_| seldom.is_due('a')));
    }
}
