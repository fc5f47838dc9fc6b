//! The frame of a call: the memory that a call leaves unchanged.
//!
//! The points-to analysis, which the checker runs itself, says what the callee may write, and where
//! a pointer in a register, a global or memory may point. So a read of the memory after the call
//! equals the read before it, if the callee writes nowhere at its address. This includes addresses
//! in an object that the call made: memory that nobody wrote has always had the same contents.

use crate::state::{Pointer, State, Value};
use attest_model::points_to::{Addresses, Holder, PointsTo};
use attest_model::{Effects, FnId, GlobalReg, Reg};
use attest_term::{Term, Terms};
use std::sync::Arc;

/// What a call leaves unchanged.
#[derive(Debug)]
pub struct Frame {
    callee: FnId,
    /// Whether the contents of memory may change at all,
    memory: bool,
    /// and whether any object may end.
    lives: bool,
    /// Pointers of the states before and after the call.
    addresses: Addresses,
}

impl Frame {
    /// The frame of a call, between these two states of the caller.
    pub fn of(
        points_to: &Arc<PointsTo>,
        caller: FnId,
        (callee, effects): (FnId, &Effects),
        states: [&State; 2],
    ) -> Frame {
        let pointers = states.into_iter().flat_map(pointers);
        Frame {
            callee,
            memory: effects.memory,
            lives: effects.lives,
            addresses: Addresses::new(points_to, caller, pointers),
        }
    }

    /// Whether this many bytes at an address are the same before and after the call.
    pub fn keeps(&self, terms: &Terms, at: Pointer, bytes: u64) -> bool {
        let address = [at.object, at.offset];
        !self.memory || self.addresses.keeps(terms, self.callee, address, bytes)
    }

    /// Whether the object of an address ended before the call if and only if it has ended after it.
    /// An object that the call made had not ended before.
    pub fn keeps_alive(&self, terms: &Terms, at: Pointer) -> bool {
        let address = [at.object, at.offset];
        !self.lives || (self.addresses).keeps_alive(terms, self.callee, address)
    }
}

/// The addresses of a function whose state consists of these symbols.
pub fn addresses(points_to: &Arc<PointsTo>, function: FnId, symbols: &State) -> Arc<Addresses> {
    Arc::new(Addresses::new(points_to, function, pointers(symbols)))
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
