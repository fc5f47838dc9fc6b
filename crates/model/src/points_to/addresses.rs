//! The addresses in terms about one function's states: which of them can never meet.
//!
//! The points-to sets hold in every state of every run, so two addresses whose
//! places never meet are two places in memory there, and a write to the one
//! leaves the other as it was. What would else be a choice between aliasings in
//! every predicate is decided without a question (algorithm notes 2.5, 5.4).

use super::{Leaf, Leaves, Places, PointsTo};
use crate::program::{FnId, GlobalReg, Reg};
use attest_term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A pointer of a function's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// In a register.
    Reg(Reg),
    /// In a promoted global.
    Global(GlobalReg),
}

/// The pointers of a function's state as terms, and what is known of addresses.
#[derive(Debug)]
pub struct Addresses {
    points_to: Rc<PointsTo>,
    function: FnId,
    /// By the term of the object: that of the offset, and where the pointer is.
    pointers: FxHashMap<Term, (Term, Holder)>,
    known: RefCell<FxHashMap<[Term; 2], Rc<Places>>>,
}

impl Addresses {
    /// The addresses of a function, whose pointers have these objects and offsets.
    pub fn new(
        points_to: &Rc<PointsTo>,
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
            known: RefCell::default(),
        }
    }

    /// Whether a write of so many bytes, or of any number of them, never meets so many
    /// bytes elsewhere.
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

    /// Whether a call of a function leaves so many bytes at an address as they are.
    pub fn keeps(&self, terms: &Terms, callee: FnId, address: [Term; 2], bytes: u64) -> bool {
        (self.points_to).keeps(terms, self, callee, address, bytes)
    }

    fn places(&self, terms: &Terms, address: [Term; 2]) -> Rc<Places> {
        if let Some(known) = self.known.borrow().get(&address) {
            return known.clone();
        }
        let places = Rc::new(self.points_to.places_of(terms, self, address));
        self.known.borrow_mut().insert(address, places.clone());
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
