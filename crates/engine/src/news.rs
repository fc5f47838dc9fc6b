//! States that are news: those with a byte that no state before had there.
//!
//! A program that counts before it fails, as a queue does that must be full
//! first, has one state for each number and very many others beside it. Going
//! on from states in the order in which they were found never gets to the
//! larger numbers. So of each byte of the state, the first state with each
//! value is remembered, and the bytes take turns: the one whose turn it is
//! names its latest new value, and the state that had it is gone on from. A
//! byte has 256 values, so nothing is news for ever.

use attest_exec::Snapshot;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// How often a state is gone on from because of its news.
const MOST_TIMES: u32 = 6;
/// All turns from a state were made.
pub(crate) const ALL_MADE: u32 = u32::MAX;
/// Bytes that take turns.
const MOST_PLACES: usize = 4_000;

/// A state to go on from.
pub(crate) struct Stop {
    pub state: Snapshot,
    /// The turn that led there.
    pub turn: u32,
    /// How often it was gone on from, or [`ALL_MADE`].
    pub times: Cell<u32>,
}

/// What a byte has been.
#[derive(Default)]
struct Place {
    /// Its values, with how many states had it and the one of them that is remembered.
    values: FxHashMap<u8, (u32, Rc<Stop>)>,
    /// Values whose states are to be gone on from, the latest last.
    fresh: Vec<u8>,
}

/// What all bytes have been.
#[derive(Default)]
pub(crate) struct News {
    places: Vec<Place>,
    numbers: FxHashMap<u64, usize>,
    next: usize,
}

impl News {
    /// Looks at one byte of a new state. Later states with a value are remembered instead of
    /// the first by chance, since that one may lead nowhere. Tells whether it is news.
    pub fn see(&mut self, place: u64, value: u8, stop: &Rc<Stop>, random: u64) -> bool {
        let next = self.places.len();
        if next >= MOST_PLACES && !self.numbers.contains_key(&place) {
            return false;
        }
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(Place::default());
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
    pub fn choose(&mut self) -> Option<Rc<Stop>> {
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
                if stop.times.get() < MOST_TIMES {
                    return Some(stop.clone());
                }
                place.fresh.pop();
            }
        }
        None
    }
}
