//! The environment's memory: the target of pointers that the program gets from outside.
//!
//! `__VERIFIER_nondet_pointer()` has no object of the program to point to, and neither have pointer
//! variables of a function before their first assignment, which models of the environment use for
//! the same purpose. Such a pointer is null, an error number in the last page of the address space
//! (as the kernel's `ERR_PTR`), or a place in memory that the environment owns: one object with
//! arbitrary contents. Two of these pointers are equal or at least a page apart; none of them leads
//! to an object of the program. A verdict prints this as an assumption.
//!
//! Memory that is read as a pointer before its first write, on the heap, the stack or in the
//! environment's object, holds such a pointer too, if nothing but whole pointers is ever stored at
//! that place (`points_to::unset`). Any other number in memory that is read as a pointer is no
//! object's address, unless an address was stored in it (`points_to::provenance`).
//!
//! A number of the environment stands for a pointer as follows: null and the last page are numbers,
//! and an access through them, also at a field's offset, ends the program; the low bits of any
//! other number select a page ([`place`]).

use crate::program::{Program, StaticKind, StaticObject};

/// Nothing is mapped below this address: an access there ends the program.
pub const FIRST_ADDRESS: u64 = 0x1_0000;

/// Nothing is mapped in this many bytes at the end of the address space.
pub const LAST_PAGE: u64 = 0x1000;

/// Alignment of the targets of the environment's pointers.
pub const ALIGN: u64 = 0x1000;

/// The bits of a number that select a place.
pub const PLACES: u64 = (1 << 17) - 1;

/// Size of the environment's memory; after the last place there is as much again.
pub const SIZE: u64 = 2 * ALIGN * (PLACES + 1);

/// Whether an access through a number ends the program.
pub fn traps(number: u64, pointer_bits: u32) -> bool {
    let mask = u64::MAX >> (64 - pointer_bits);
    number.wrapping_add(LAST_PAGE) & mask < LAST_PAGE + FIRST_ADDRESS
}

/// The offset in the environment's memory for a number; none if it is null or in the last page.
pub fn place(number: u64, pointer_bits: u32) -> Option<u64> {
    let mask = u64::MAX >> (64 - pointer_bits);
    let is_number = number.wrapping_add(LAST_PAGE) & mask <= LAST_PAGE;
    (!is_number).then_some((number & PLACES) * ALIGN)
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

/// The assumption about pointers from the environment.
pub fn assumption(program: &Program) -> Option<String> {
    program.environment?;
    Some(
        "pointers from the environment, and those that were never set, are null, error \
         numbers, or lead to memory of the environment's own, apart from the program's objects; \
         two of them are equal or a page apart"
            .into(),
    )
}
