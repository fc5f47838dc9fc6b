//! The possible places of an address in a predicate.
//!
//! An address is an object and an offset. The object is a static object's number, or the object of
//! a pointer in a register, a global or memory; the offset shows whether the pointer was advanced
//! by a constant. Programs cannot see the value of a slot without a pointer: it counts as the last
//! pointer stored there, or no object.

use super::place::MOST_SHIFT;
use super::{Place, Places, PointsTo};
use crate::program::{FnId, ObjectId};
use attest_term::{Op, Term, Terms};

/// The pointer whose object a symbol names.
pub struct Leaf {
    /// The symbol that names its offset.
    pub offset: Term,
    /// Where the pointer may point.
    pub places: Places,
}

/// Which symbols name objects of pointers.
pub trait Leaves {
    /// The pointer whose object this is.
    fn leaf(&self, points_to: &PointsTo, object: Term) -> Option<Leaf>;
}

/// The nesting depth of addresses above which the place is unknown.
const DEEPEST: u32 = 12;

impl PointsTo {
    /// Whether a call of a function leaves this many bytes at an address unchanged.
    pub fn keeps(
        &self,
        terms: &Terms,
        leaves: &impl Leaves,
        callee: FnId,
        address: [Term; 2],
        bytes: u64,
    ) -> bool {
        let writes = self.writes(callee);
        if writes.anywhere {
            return false;
        }
        let places = self.places_of(terms, leaves, address);
        !writes.may_meet(&places, bytes)
    }

    /// Whether a call of a function cannot end the object of an address.
    pub fn keeps_alive(
        &self,
        terms: &Terms,
        leaves: &impl Leaves,
        callee: FnId,
        address: [Term; 2],
    ) -> bool {
        let ends = self.ends(callee);
        if ends.anywhere {
            return false;
        }
        !ends.may_meet(&self.places_of(terms, leaves, address))
    }

    /// The places of an address.
    pub fn places_of(
        &self,
        terms: &Terms,
        leaves: &impl Leaves,
        [object, offset]: [Term; 2],
    ) -> Places {
        self.address(terms, leaves, object, offset, DEEPEST)
    }

    fn address(
        &self,
        terms: &Terms,
        leaves: &impl Leaves,
        object: Term,
        offset: Term,
        depth: u32,
    ) -> Places {
        let Some(depth) = depth.checked_sub(1) else {
            return Places::anywhere();
        };
        if let Some(number) = terms.bv_const(object) {
            return self.static_address(terms, number.low_u64(), offset);
        }
        let (base, by) = constant_part(terms, offset);
        if let Some(leaf) = leaves.leaf(self, object) {
            return match base == leaf.offset {
                true => leaf.places.moved(by),
                false => leaf.places.any_offset(),
            };
        }
        match terms.op(object) {
            Op::ReadPtrObject { .. } => {
                let (at, place) = (terms.arg(object, 0), terms.arg(object, 1));
                let holder = self.address(terms, leaves, at, place, depth);
                let stored = self.stored_at(&holder);
                let same = matches!(terms.op(base), Op::ReadPtrOffset { .. })
                    && terms.args(base) == terms.args(object)
                    && terms.op(base).version() == terms.op(object).version();
                match same {
                    true => stored.moved(by),
                    false => stored.any_offset(),
                }
            }
            Op::Ite => {
                let [which, yes, no] = [0, 1, 2].map(|i| terms.arg(object, i));
                let twin = terms.op(base) == Op::Ite && terms.arg(base, 0) == which;
                let side = |object: Term, index: usize| match twin {
                    true => {
                        let base = terms.arg(base, index);
                        self.address(terms, leaves, object, base, depth).moved(by)
                    }
                    false => {
                        let places = self.address(terms, leaves, object, offset, depth);
                        places.any_offset()
                    }
                };
                side(yes, 1).join(side(no, 2))
            }
            _ => Places::anywhere(),
        }
    }

    fn static_address(&self, terms: &Terms, object: u64, offset: Term) -> Places {
        let Ok(number) = u32::try_from(object) else {
            return Places::anywhere();
        };
        if number == 0 {
            return Places::default();
        }
        let at = terms.bv_const(offset).map(|bits| bits.low_u64());
        match self.static_place(ObjectId(number), at.unwrap_or(0)) {
            Some(place) => {
                let place = match at {
                    Some(_) => place,
                    None => {
                        let (base, by) = constant_part(terms, offset);
                        let zeros = low_zeros(terms, base).min(MOST_SHIFT);
                        Place::new(place.site, by, zeros)
                    }
                };
                Places {
                    list: vec![place],
                    ..Places::default()
                }
            }
            // The number of a dynamic object: its place is unknown.
            None => Places::anywhere(),
        }
    }
}

/// The number of low bits of an offset that are zero by its form: the start of a page.
fn low_zeros(terms: &Terms, offset: Term) -> u32 {
    match terms.op(offset) {
        Op::ZeroExt { .. } => low_zeros(terms, terms.arg(offset, 0)),
        Op::Concat => {
            let low = terms.arg(offset, 1);
            let zero = terms.bv_const(low).is_some_and(|bits| bits.is_zero());
            if zero { terms.width(low) } else { 0 }
        }
        _ => 0,
    }
}

/// An offset without its constant summand, and the constant.
fn constant_part(terms: &Terms, offset: Term) -> (Term, u64) {
    if terms.op(offset) == Op::Add {
        let (a, b) = (terms.arg(offset, 0), terms.arg(offset, 1));
        for (base, by) in [(a, b), (b, a)] {
            if let Some(by) = terms.bv_const(by) {
                return (base, by.low_u64());
            }
        }
    }
    (offset, 0)
}
