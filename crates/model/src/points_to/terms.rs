//! Where the address of a read may be: places of the terms in predicates.
//!
//! An address is an object and an offset. The object is a static one's number,
//! that of a pointer in a register or a global, or that of a pointer in memory;
//! the offset tells whether the pointer was moved by a constant. The value of
//! a slot that holds no pointer is nothing that a program sees: it is taken to
//! be the last pointer stored there, or no object.

use super::{Place, Places, PointsTo, Site};
use crate::program::{FnId, ObjectId};
use attest_term::{Op, Term, Terms};

/// What a symbol is, that names the object of a pointer.
pub struct Leaf {
    /// The symbol that names its offset.
    pub offset: Term,
    /// Where the pointer may point.
    pub places: Places,
}

/// Says which symbols name objects of pointers.
pub trait Leaves {
    /// The pointer whose object this is.
    fn leaf(&self, points_to: &PointsTo, object: Term) -> Option<Leaf>;
}

/// Addresses inside each other before nothing is said.
const DEEPEST: u32 = 12;

impl PointsTo {
    /// Whether a call of a function leaves so many bytes at an address as they are.
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
                        let (inner, more) = constant_part(terms, base);
                        let places = self.address(terms, leaves, object, inner, depth);
                        // A constant object's offset is known only with its constant.
                        match terms.is_const(object) || terms.is_const(base) {
                            true => places.any_offset(),
                            false => places.moved(by.wrapping_add(more)),
                        }
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
                let list = match at {
                    Some(_) => vec![place],
                    None => vec![any(place.site)],
                };
                Places {
                    list,
                    ..Places::default()
                }
            }
            // The number of an object that was made: nobody knows where.
            None => Places::anywhere(),
        }
    }
}

fn any(site: Site) -> Place {
    Place::new(site, 0, 0)
}

/// An offset without the constant that is added to it, and the constant.
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
