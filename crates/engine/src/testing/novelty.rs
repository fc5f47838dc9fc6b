//! Novel states: those with a byte whose value no earlier state had there.
//!
//! A program that counts before it fails, as a queue does that must be full
//! first, has one state for each number and very many others beside it.
//! Expanding states in the order in which they were found never reaches the
//! larger numbers. So for each byte of the state, the first state with each
//! value is remembered. The bytes are served round robin: the next one
//! names its latest new value, and the state that had it is expanded. A
//! byte has 256 values, so there is an end of novelty.

use crate::tuning::ExplorationLimits;
use attest_exec::Snapshot;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// All iterations from a state were made.
pub(crate) const ALL_MADE: u32 = u32::MAX;

/// A state to expand.
pub(crate) struct Stop<S = Snapshot> {
    pub state: S,
    /// The iteration that led there.
    pub iteration: u32,
    /// How often it was expanded, or [`ALL_MADE`].
    times: AtomicU32,
}

impl<S> Stop<S> {
    /// A state that was not expanded yet.
    pub fn new(state: S, iteration: u32) -> Stop<S> {
        Stop {
            state,
            iteration,
            times: AtomicU32::new(0),
        }
    }

    /// How often it was expanded.
    pub fn times(&self) -> u32 {
        self.times.load(Ordering::Relaxed)
    }

    pub fn set_times(&self, times: u32) {
        self.times.store(times, Ordering::Relaxed);
    }
}

/// What a byte has been.
struct Place<S> {
    /// Its values, with how many states had it and the one of them that is remembered.
    values: FxHashMap<u8, (u32, Arc<Stop<S>>)>,
    /// Values whose states are to be gone on from, the latest last.
    fresh: Vec<u8>,
}

/// What all bytes have been.
pub(crate) struct Novelty<S = Snapshot> {
    places: Vec<Place<S>>,
    numbers: FxHashMap<u64, usize>,
    next: usize,
    most_times: u32,
    most_places: usize,
}

impl<S> Novelty<S> {
    /// Nothing was seen yet.
    pub fn new(limits: &ExplorationLimits) -> Novelty<S> {
        Novelty {
            places: Vec::new(),
            numbers: FxHashMap::default(),
            next: 0,
            most_times: limits.continued,
            most_places: limits.bytes,
        }
    }

    /// Looks at one byte of a new state. Later states with a value are remembered instead of
    /// the first by chance, since that one may lead nowhere. Tells whether it is news.
    pub fn see(&mut self, place: u64, value: u8, stop: &Arc<Stop<S>>, random: u64) -> bool {
        let next = self.places.len();
        if next >= self.most_places && !self.numbers.contains_key(&place) {
            return false;
        }
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(Place {
                values: FxHashMap::default(),
                fresh: Vec::new(),
            });
        }
        let place = &mut self.places[number];
        match place.values.get_mut(&value) {
            None => {
                place.values.insert(value, (1, stop.clone()));
                place.fresh.push(value);
                true
            }
            Some((count, remembered)) => {
                *count += 1;
                if random.is_multiple_of(u64::from(*count)) {
                    *remembered = stop.clone();
                    if !place.fresh.contains(&value) {
                        place.fresh.insert(0, value);
                    }
                }
                false
            }
        }
    }

    /// The state that the next byte names.
    pub fn choose(&mut self) -> Option<Arc<Stop<S>>> {
        for _ in 0..self.places.len() {
            let number = self.next % self.places.len();
            self.next = number + 1;
            let place = &mut self.places[number];
            // What never changes is no news.
            while place.values.len() > 1 {
                let Some(value) = place.fresh.last() else {
                    break;
                };
                let (_, stop) = &place.values[value];
                if stop.times() < self.most_times {
                    return Some(stop.clone());
                }
                place.fresh.pop();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state with these bytes, seen; its name, and whether it is news.
    fn see(novelty: &mut Novelty<u32>, name: u32, bytes: &[u8], random: u64) -> bool {
        let stop = Arc::new(Stop::new(name, 0));
        let places = bytes.iter().enumerate();
        places.fold(false, |is_news, (place, value)| {
            novelty.see(place as u64, *value, &stop, random) | is_news
        })
    }

    /// The state that is chosen, which is gone on from.
    fn go_on(novelty: &mut Novelty<u32>) -> Option<u32> {
        let stop = novelty.choose()?;
        stop.set_times(stop.times() + 1);
        Some(stop.state)
    }

    #[test]
    fn bytes_take_turns_and_name_their_latest_value() {
        let mut novelty = Novelty::new(&ExplorationLimits::default());
        // The first byte counts, the second is a flag, the third never changes.
        assert!(see(&mut novelty, 0, &[0, 0, 7], 1));
        assert!(see(&mut novelty, 1, &[1, 0, 7], 1));
        assert!(see(&mut novelty, 2, &[1, 1, 7], 1));
        assert!(see(&mut novelty, 3, &[2, 0, 7], 1));
        assert!(!see(&mut novelty, 4, &[2, 1, 7], 1));
        let chosen: Vec<_> = (0..6).filter_map(|_| go_on(&mut novelty)).collect();
        assert_eq!(chosen, [3, 2, 3, 2, 3, 2]);
    }

    #[test]
    fn a_state_is_no_news_for_ever() {
        let mut novelty = Novelty::new(&ExplorationLimits::default());
        see(&mut novelty, 0, &[0], 1);
        see(&mut novelty, 1, &[1], 1);
        let chosen: Vec<_> = std::iter::from_fn(|| go_on(&mut novelty)).collect();
        let most = ExplorationLimits::default().continued as usize;
        assert_eq!(chosen, [vec![1; most], vec![0; most]].concat());
    }

    #[test]
    fn another_state_with_the_value_takes_over_by_chance() {
        let mut novelty = Novelty::new(&ExplorationLimits::default());
        see(&mut novelty, 0, &[0], 1);
        see(&mut novelty, 1, &[1], 1);
        while go_on(&mut novelty).is_some() {}
        // The n-th state with a value takes over if n divides the random number.
        assert!(!see(&mut novelty, 2, &[1], 1));
        assert_eq!(go_on(&mut novelty), None);
        assert!(!see(&mut novelty, 3, &[1], 3));
        assert_eq!(go_on(&mut novelty), Some(3));
    }

    #[test]
    fn what_never_changes_is_no_news() {
        let mut novelty = Novelty::new(&ExplorationLimits::default());
        see(&mut novelty, 0, &[5, 6], 1);
        see(&mut novelty, 1, &[5, 6], 2);
        assert_eq!(go_on(&mut novelty), None);
    }

    #[test]
    fn there_are_only_so_many_places() {
        let mut novelty = Novelty::new(&ExplorationLimits::default());
        let many = vec![0; ExplorationLimits::default().bytes];
        assert!(see(&mut novelty, 0, &many, 1));
        assert!(!see(&mut novelty, 1, &[many, vec![1]].concat(), 1));
    }
}
