//! Checks that no value that was never set decides a branch, an address or a result.
//!
//! The program is instrumented: every register that may be unset gets a second one with its
//! *shadow*, in which a bit is 1 if the value's bit depends on contents that were never set, and
//! ordinary instructions compute it. Memory has shadows of its own ([`Shadow`],
//! [`Program::shadows`]). In front of a use there is a [`Shadow::Require`]. So interpreter, engine
//! and checker decide these checks like all others.
//!
//! Reading, copying, passing and returning an unset value is no use. Uses are: the condition of a
//! branch, a switch and an assumption; a pointer of an access, a call and `free`; the size of an
//! allocation or a copy; what is printed, the texts included; and the status of the program.
//!
//! # Files
//!
//! - `maybe`: what may be unset at all
//! - `rules`: the shadow of the result of an operation
//! - `function`: the instrumentation of a function
//! - `text`: which arguments of `printf` are texts
//!
//! **Invariant:** a register that `maybe` leaves out is set in every run, and the shadow register
//! of any other is assigned wherever the register is. **Invariant:** a shadow has no effect but at
//! a `Require`: without these the runs of the program are the same.

mod function;
mod maybe;
mod rules;
mod text;

use crate::program::*;
use maybe::Maybe;
use std::sync::Arc;

/// Adds shadows and checks to a program.
pub fn instrument(program: &mut Program) {
    let mut maybe = Maybe::of(program);
    let mut globals = program.globals.clone();
    let mut shadows = Vec::with_capacity(globals.len());
    for (info, unset) in program.globals.iter().zip(&maybe.globals) {
        shadows.push(unset.then_some(GlobalReg(globals.len() as u32)));
        if *unset {
            let sort = Sort::Int(rules::bits(info.sort, program.pointer_bits));
            let name: Arc<str> = format!("{}.shadow", info.name).into();
            globals.push(GlobalInfo {
                name,
                sort,
                // What the environment sets before the start is set.
                init: Some(Constant::zero(sort)),
                variable: None,
            });
        }
    }
    let count = program.functions.len() as u32;
    let functions = (0..count)
        .map(|id| function::instrument(program, &mut maybe, &shadows, FnId(id)))
        .collect();
    let memory = maybe.any_memory();
    program.functions = functions;
    program.globals = globals;
    program.shadows = memory;
}
