//! The addresses in terms over one function's states, and which of them are never equal.
//!
//! The points-to sets hold in every reachable state, so two addresses with disjoint sets are two
//! places in memory, and a write to one does not change the other. This decides many alias choices
//! in predicates without a solver call (algorithm notes 2.5, 5.4).

use super::{Leaf, Leaves, Places, PointsTo};
use crate::program::{FnId, GlobalReg, Reg};
use attest_term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A pointer of a function's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// In a register.
    Reg(Reg),
    /// In a promoted global.
    Global(GlobalReg),
}

/// The pointers of a function's state as terms, and points-to facts about addresses.
#[derive(Debug)]
pub struct Addresses {
    points_to: Arc<PointsTo>,
    function: FnId,
    /// For the term of each object: the offset's term, and the pointer's holder.
    pointers: FxHashMap<Term, (Term, Holder)>,
    known: Mutex<FxHashMap<[Term; 2], Arc<Places>>>,
}

impl Addresses {
    /// The addresses of a function whose pointers have these objects and offsets.
    pub fn new(
        points_to: &Arc<PointsTo>,
        function: FnId,
        pointers: impl IntoIterator<Item = (Holder, [Term; 2])>,
    ) -> Addresses {
        let pointers = pointers.into_iter();
        Addresses {
            points_to: points_to.clone(),
            function,
            pointers: pointers
                .map(|(holder, [object, offset])| (object, (offset, holder)))
                .collect(),
            known: Mutex::default(),
        }
    }

    /// Whether a write of this many bytes (any number, if none) never overlaps this many bytes at
    /// another address.
    pub fn apart(
        &self,
        terms: &Terms,
        write: [Term; 2],
        length: Option<u64>,
        read: [Term; 2],
        bytes: u64,
    ) -> bool {
        let written = self.places(terms, write);
        if written.anywhere {
            return false;
        }
        self.places(terms, read).apart(bytes, &written, length)
    }

    /// Whether no pointer to an object is ever stored at an address.
    pub fn holds_no_pointer(&self, terms: &Terms, address: [Term; 2]) -> bool {
        !(self.points_to).may_hold_pointer(&self.places(terms, address))
    }

    /// Whether a call of a function leaves this many bytes at an address unchanged.
    pub fn keeps(&self, terms: &Terms, callee: FnId, address: [Term; 2], bytes: u64) -> bool {
        (self.points_to).keeps(terms, self, callee, address, bytes)
    }

    /// Whether a call of a function cannot end the object of an address.
    pub fn keeps_alive(&self, terms: &Terms, callee: FnId, address: [Term; 2]) -> bool {
        (self.points_to).keeps_alive(terms, self, callee, address)
    }

    fn places(&self, terms: &Terms, address: [Term; 2]) -> Arc<Places> {
        // What is known is right at any time, also where another thread failed meanwhile.
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&address) {
            return known.clone();
        }
        let places = Arc::new(self.points_to.places_of(terms, self, address));
        known().insert(address, places.clone());
        places
    }
}

impl Leaves for Addresses {
    fn leaf(&self, points_to: &PointsTo, object: Term) -> Option<Leaf> {
        let (offset, holder) = *self.pointers.get(&object)?;
        let places = match holder {
            Holder::Reg(reg) => points_to.register(self.function, reg),
            Holder::Global(global) => points_to.global(global),
        };
        Some(Leaf {
            offset,
            places: places.clone(),
        })
    }
}
