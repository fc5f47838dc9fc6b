//! The frame of a call: where memory is after it what it was before.
//!
//! The points-to analysis of the program, which the checker makes for itself,
//! says what the callee may write, and where a pointer in a register, a global
//! or memory may point, at any time. So a read of the memory after the call is
//! one of the memory before it, if its address is nowhere that the callee
//! writes; an address in an object that the call made counts as well, for what
//! nobody wrote there has always been its contents.

use crate::state::{Pointer, State, Value};
use attest_model::points_to::{Leaf, Leaves, Places, PointsTo};
use attest_model::{FnId, GlobalReg, Reg};
use attest_term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a call leaves as it is.
#[derive(Debug)]
pub struct Frame {
    points_to: Rc<PointsTo>,
    callee: FnId,
    /// Pointers of the states before and after the call: by the object, the
    /// offset and the places.
    pointers: FxHashMap<Term, (Term, Places)>,
}

impl Frame {
    /// The frame of a call in a function, whose state it turns from one of these to the other.
    pub fn of(points_to: &Rc<PointsTo>, caller: FnId, callee: FnId, states: [&State; 2]) -> Frame {
        let mut pointers = FxHashMap::default();
        for state in states {
            let regs = state.regs.iter().enumerate();
            let regs = regs.map(|(i, v)| (v, points_to.register(caller, Reg(i as u32))));
            let globals = state.globals.iter().enumerate();
            let globals = globals.map(|(i, v)| (v, points_to.global(GlobalReg(i as u32))));
            for (value, places) in regs.chain(globals) {
                if let Value::Ptr(pointer) = value {
                    pointers.insert(pointer.object, (pointer.offset, places.clone()));
                }
            }
        }
        Frame {
            points_to: points_to.clone(),
            callee,
            pointers,
        }
    }

    /// Whether so many bytes at an address are after the call what they were before.
    pub fn keeps(&self, terms: &Terms, at: Pointer, bytes: u64) -> bool {
        let address = [at.object, at.offset];
        (self.points_to).keeps(terms, self, self.callee, address, bytes)
    }
}

impl Leaves for Frame {
    fn leaf(&self, _: &PointsTo, object: Term) -> Option<Leaf> {
        let (offset, places) = self.pointers.get(&object)?;
        Some(Leaf {
            offset: *offset,
            places: places.clone(),
        })
    }
}
