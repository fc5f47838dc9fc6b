//! Where a pointer may point: an abstract object, and an offset modulo a power of two.
//!
//! Offsets wrap at the pointer's width, and so does an index times the size of an element. So only
//! powers of two survive as strides: congruent offsets stay congruent, whatever the index. A known
//! offset is the case where the modulus is the whole width.

/// An abstract object, as a handle into [`super::PointsTo::sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site(pub u32);

/// Offsets of an abstract object that are congruent to one modulo `2^shift`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The object.
    pub site: Site,
    /// The offset, below `2^shift`.
    pub offset: u64,
    /// The modulus; the pointer's width means this offset alone, 0 any offset.
    pub shift: u32,
}

/// The largest modulus below the pointer's width.
pub(crate) const MOST_SHIFT: u32 = 16;

/// The relative position of two ranges of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// Whenever they overlap, the first is inside the second.
    Inside,
    /// They never overlap.
    Apart,
    /// Nothing is known.
    Mixed,
}

/// The low bits of a number.
pub(crate) fn low(value: u64, shift: u32) -> u64 {
    match shift {
        64.. => value,
        _ => value & ((1 << shift) - 1),
    }
}

impl Place {
    /// A place, with its offset reduced modulo its modulus.
    pub fn new(site: Site, offset: u64, shift: u32) -> Place {
        let offset = low(offset, shift);
        Place {
            site,
            offset,
            shift,
        }
    }

    /// The place some bytes further, with a modulus no finer than this one.
    pub(crate) fn moved(self, by: u64, shift: u32) -> Place {
        let offset = self.offset.wrapping_add(by);
        Place::new(self.site, offset, self.shift.min(shift))
    }

    /// The distance from another place of the same object, and its modulus.
    pub(crate) fn distance(self, from: Place) -> (u64, u32) {
        let shift = self.shift.min(from.shift);
        (low(self.offset.wrapping_sub(from.offset), shift), shift)
    }

    /// Whether both may be the same offset.
    pub(crate) fn may_equal(self, other: Place) -> bool {
        self.distance(other).0 == 0
    }

    /// The bytes up to the end of the object, as a length. For several offsets these are the bytes
    /// of all.
    pub(crate) fn rest(self) -> u128 {
        let all = 1u128 << self.shift;
        match self.shift <= MOST_SHIFT {
            true => all,
            false => all - u128::from(self.offset),
        }
    }

    /// The relative position of this many bytes here and `length` bytes there, in the same object.
    pub(crate) fn overlap(self, bytes: u128, to: Place, length: u128) -> Overlap {
        let (distance, shift) = self.distance(to);
        let (distance, span) = (u128::from(distance), 1u128 << shift);
        if length <= span && distance + bytes <= length {
            Overlap::Inside
        } else if distance >= length && distance + bytes <= span {
            Overlap::Apart
        } else {
            Overlap::Mixed
        }
    }
}

/// The possible places of a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// It may point anywhere.
    pub anywhere: bool,
    /// The places, if not anywhere.
    pub list: Vec<Place>,
    /// The plain numbers that it may be, including null: offsets of no object.
    pub numbers: Vec<Place>,
}

impl Places {
    /// Any place at all.
    pub fn anywhere() -> Places {
        Places {
            anywhere: true,
            ..Places::default()
        }
    }

    /// The union of both.
    pub fn join(mut self, other: Places) -> Places {
        self.anywhere |= other.anywhere;
        self.list.extend(other.list);
        self.numbers.extend(other.numbers);
        for list in [&mut self.list, &mut self.numbers] {
            list.sort();
            list.dedup();
        }
        self
    }

    /// The places some bytes further.
    pub fn moved(&self, by: u64) -> Places {
        self.map(|place| place.moved(by, u64::BITS))
    }

    /// Any offset of the same objects.
    pub fn any_offset(&self) -> Places {
        self.map(|place| Place::new(place.site, 0, 0))
    }

    fn map(&self, change: impl Fn(Place) -> Place) -> Places {
        let list = self.list.iter().map(|place| change(*place)).collect();
        let numbers = self.numbers.iter().map(|place| change(*place)).collect();
        let anywhere = self.anywhere;
        let all = Places {
            anywhere,
            list,
            numbers,
        };
        all.join(Places::default())
    }

    /// Whether this many bytes at one of these places never overlap `length` bytes, or any number
    /// if none, at one of the others.
    pub fn apart(&self, bytes: u64, others: &Places, length: Option<u64>) -> bool {
        let meets = |place: &Place, other: &Place| {
            let length = length.map_or(other.rest(), u128::from);
            place.site == other.site
                && place.overlap(bytes.into(), *other, length) != Overlap::Apart
        };
        let mut places = self.list.iter();
        let met = |place: &Place| others.list.iter().any(|other| meets(place, other));
        !self.anywhere && !others.anywhere && !places.any(met)
    }

    /// Whether an offset of an object is among them.
    pub fn has(&self, site: Site, offset: u64) -> bool {
        let there = |place: &Place| place.site == site && low(offset, place.shift) == place.offset;
        self.anywhere || self.list.iter().any(there)
    }

    /// Whether a plain number is among them.
    pub fn has_number(&self, number: u64) -> bool {
        let there = |place: &Place| low(number, place.shift) == place.offset;
        self.anywhere || self.numbers.iter().any(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_of_ranges_agrees_with_their_members() {
        let site = Site(0);
        let places = |width: u32| {
            (0..=width).flat_map(move |shift| {
                (0..1u64 << shift.min(4)).map(move |at| Place::new(site, at, shift))
            })
        };
        // Offsets of four bits; a range that would wrap is no access.
        let members = |place: Place, bytes: u128| {
            (0..16u64).filter(move |at| {
                low(*at, place.shift) == place.offset && u128::from(*at) + bytes <= 16
            })
        };
        for (a, b) in places(4).flat_map(|a| places(4).map(move |b| (a, b))) {
            for (n, m) in [(1, 1), (1, 4), (4, 1), (4, 4), (2, 8), (8, 2)] {
                let overlap = a.overlap(n, b, m);
                for (x, y) in members(a, n).flat_map(|x| members(b, m).map(move |y| (x, y))) {
                    let (x, y) = (u128::from(x), u128::from(y));
                    let read_stored = x < y + m && y < x + n;
                    let inside = x >= y && x + n <= y + m;
                    assert!(
                        !read_stored || overlap != Overlap::Apart,
                        "{a:?} {n} {b:?} {m}"
                    );
                    assert!(
                        !read_stored || inside || overlap != Overlap::Inside,
                        "{a:?} {n} {b:?} {m}"
                    );
                    assert!(x != y || a.may_equal(b));
                }
            }
        }
    }
}
