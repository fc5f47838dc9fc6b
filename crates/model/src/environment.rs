//! The environment's memory: where pointers lead that the program gets from outside.
//!
//! `__VERIFIER_nondet_pointer()` and pointer variables of a function before
//! their first assignment, which models of the environment use for the same,
//! have no object of the program to point to. They are taken to be null, an
//! error number in the last page of the address space (as the kernel's
//! `ERR_PTR`), or a place in memory that the environment owns: one object with
//! arbitrary contents. All these pointers may be equal or overlap each other's
//! fields; none of them leads to an object of the program. A verdict prints
//! this as an assumption. Of numbers in memory nothing is assumed, there as
//! elsewhere: read as a pointer they may be any object's address.
//!
//! A number of the environment stands for a pointer so: null and the last page
//! are numbers, which end the program when they are accessed, a field's offset
//! further on too; of any other number the low bits choose a place, aligned as
//! `malloc` does (`foreign_pointer` in `lower/libc.rs`).

use crate::program::{Program, StaticKind, StaticObject};

/// Nothing is mapped below this address: an access there ends the program.
pub const FIRST_ADDRESS: u64 = 0x1_0000;

/// Nothing is mapped in so many bytes at the end of the address space.
pub const LAST_PAGE: u64 = 0x1000;

/// Alignment of the places that the environment's pointers lead to.
pub const ALIGN: u64 = 16;

/// The bits of a number that choose a place.
pub const PLACES: u64 = (1 << 25) - 1;

/// Bytes of the environment's memory; after the last place there is as much again.
pub const SIZE: u64 = 2 * ALIGN * (PLACES + 1);

/// Whether an access at a number ends the program.
pub fn traps(number: u64, pointer_bits: u32) -> bool {
    let mask = u64::MAX >> (64 - pointer_bits);
    number.wrapping_add(LAST_PAGE) & mask < LAST_PAGE + FIRST_ADDRESS
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
        "pointers from the environment, and variables that were never set, are null, error \
         numbers, or lead to memory of the environment's own, apart from the program's objects"
            .into(),
    )
}
