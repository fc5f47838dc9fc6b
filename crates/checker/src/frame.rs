//! The frame of a call: where memory is after it what it was before.
//!
//! The points-to analysis of the program, which the checker makes for itself,
//! says what the callee may write, and where a pointer in a register, a global
//! or memory may point, at any time. So a read of the memory after the call is
//! one of the memory before it, if its address is nowhere that the callee
//! writes; an address in an object that the call made counts as well, for what
//! nobody wrote there has always been its contents.

use crate::state::{Pointer, State, Value};
use attest_model::points_to::{Addresses, Holder, PointsTo};
use attest_model::{FnId, GlobalReg, Reg};
use attest_term::{Term, Terms};
use std::rc::Rc;

/// What a call leaves as it is.
#[derive(Debug)]
pub struct Frame {
    callee: FnId,
    /// Pointers of the states before and after the call.
    addresses: Addresses,
}

impl Frame {
    /// The frame of a call in a function, whose state it turns from one of these to the other.
    pub fn of(points_to: &Rc<PointsTo>, caller: FnId, callee: FnId, states: [&State; 2]) -> Frame {
        let pointers = states.into_iter().flat_map(pointers);
        Frame {
            callee,
            addresses: Addresses::new(points_to, caller, pointers),
        }
    }

    /// Whether so many bytes at an address are after the call what they were before.
    pub fn keeps(&self, terms: &Terms, at: Pointer, bytes: u64) -> bool {
        let address = [at.object, at.offset];
        self.addresses.keeps(terms, self.callee, address, bytes)
    }
}

/// The addresses of a function whose state these symbols are.
pub fn addresses(points_to: &Rc<PointsTo>, function: FnId, symbols: &State) -> Rc<Addresses> {
    Rc::new(Addresses::new(points_to, function, pointers(symbols)))
}

fn pointers(state: &State) -> impl Iterator<Item = (Holder, [Term; 2])> {
    let regs = state.regs.iter().enumerate();
    let regs = regs.map(|(i, v)| (Holder::Reg(Reg(i as u32)), v));
    let globals = state.globals.iter().enumerate();
    let globals = globals.map(|(i, v)| (Holder::Global(GlobalReg(i as u32)), v));
    regs.chain(globals)
        .filter_map(|(holder, value)| match value {
            Value::Ptr(p) => Some((holder, [p.object, p.offset])),
            Value::One(_) => None,
        })
}
