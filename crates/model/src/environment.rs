//! The environment's memory: where pointers lead that the program gets from outside.
//!
//! `__VERIFIER_nondet_pointer()` and pointers in variables that are only
//! declared have no object of the program to point to. They are taken to be
//! null, an error number in the last page of the address space (as the kernel's
//! `ERR_PTR`), or a place in memory that the environment owns: one object with
//! arbitrary contents, whose pointers are again of this kind. All these
//! pointers may be equal or overlap each other's fields; none of them leads
//! to an object of the program unless the program put it there. A verdict
//! prints this as an assumption.
//!
//! A number of the environment stands for a pointer so: the first and the last
//! page are numbers, which end the program when they are accessed; of any other
//! number the low bits choose a place, aligned as `malloc` does.

use crate::program::{Program, StaticKind, StaticObject};

/// Bytes of a page at either end of the address space. An access there ends the program.
pub const TRAP_PAGE: u64 = 0x1000;

/// Alignment of the places that the environment's pointers lead to.
pub const ALIGN: u64 = 16;

/// The bits of a number that choose a place.
pub const PLACES: u64 = (1 << 25) - 1;

/// Bytes of the environment's memory; after the last place there is as much again.
pub const SIZE: u64 = 2 * ALIGN * (PLACES + 1);

/// The offset that a number stands for, or none if it stays a number.
pub fn place(number: u64, pointer_bits: u32) -> Option<u64> {
    (!traps(number, pointer_bits)).then_some((number & PLACES) * ALIGN)
}

/// Whether a number is in the first or the last page.
pub fn traps(number: u64, pointer_bits: u32) -> bool {
    let mask = u64::MAX >> (64 - pointer_bits);
    number.wrapping_add(TRAP_PAGE) & mask < 2 * TRAP_PAGE
}

/// The environment's memory as an object.
pub(crate) fn object() -> StaticObject {
    StaticObject {
        name: "environment".into(),
        kind: StaticKind::Variable,
        size: SIZE,
        align: ALIGN,
        init: None,
        variable: None,
    }
}

/// What is assumed of pointers from the environment, in words.
pub fn assumption(program: &Program) -> Option<String> {
    program.environment?;
    Some(
        "pointers from the environment are null, error numbers, or lead to memory of its own, \
         which no object of the program shares"
            .into(),
    )
}
