//! Numbers: which of them can be an object's address.
//!
//! A number is an address if it was computed from a pointer, and a program may compute it in any
//! way: advanced by a constant its target is still known, and assembled from pieces it may lead
//! anywhere. A number without an address in it is no object's. So the analysis tracks places for
//! numbers of a pointer's width as for pointers, and for all others only whether they contain
//! pieces of an address; bytes in memory that are such pieces are distinguished from those that are
//! not ([`Bytes::Address`]). A comparison gives no part of an address: C defines no pointer for a
//! number that was guessed.
//!
//! One piece alone, such as the low half of an address in an `int`, is no address. Two of them may
//! be, and pieces in memory may be read together.

use super::constant;
use super::memory::{Bytes, Copied, Reading};
use super::place::{Place, Site};
use super::solve::{Node, Solver, Use};
use crate::environment;
use crate::program::*;

/// A number computed from other numbers.
pub(crate) struct Mixture {
    to: Node,
    /// Whether it has fewer bits than an address.
    narrow: bool,
    /// The operand with pieces of an address, if there is one.
    piece: Option<u32>,
}

/// The effect of pieces of an address in a number.
#[derive(Clone, Copy)]
pub(crate) enum Leak {
    /// This many bytes at these places become such pieces; all, if the number is unknown.
    Stored(Node, Option<u64>, Bytes),
    /// A copy also copies pieces.
    Copied(Copied),
}

impl Solver<'_> {
    /// The abstract object of numbers that contain pieces of an address.
    pub(crate) fn pieces(&self) -> Site {
        Site(self.program.objects.len() as u32 + 2)
    }

    /// A number that contains a piece of an address and is no address.
    fn piece(&self) -> Place {
        Place::new(self.pieces(), 0, 0)
    }

    /// Whether a value at this place contains bits of an address.
    fn is_of_address(&self, place: Place) -> bool {
        place.site == self.pieces() || !self.is_number(place.site)
    }

    /// Adds a constant number where an address may be.
    pub(crate) fn add_number(&mut self, value: u128, to: Node) {
        let bits = self.program.pointer_bits;
        match u64::try_from(value) {
            Ok(number) if environment::traps(number, bits) => {
                self.add(to, self.exact(self.none(), number));
            }
            _ => self.add(to, self.any_number()),
        }
    }

    /// The bits of some numbers become part of another number of this sort.
    pub(crate) fn mix(&mut self, from: &[Node], to: Node, sort: Sort) {
        if self.may_be_address(sort) {
            self.add(to, self.any_number());
        }
        let bits = self.program.pointer_bits;
        // A few high bits of an address are the same for all.
        let narrow = sort.bytes(bits) <= u64::from(bits / 16);
        self.mixtures.push(Mixture {
            to,
            narrow,
            piece: None,
        });
        let mixture = self.mixtures.len() as u32 - 1;
        for (operand, from) in from.iter().enumerate() {
            let operand = operand as u32;
            self.attach(*from, Use::Mix { mixture, operand });
        }
    }

    /// An operand of a mixture has this place, or any.
    pub(crate) fn apply_mix(&mut self, mixture: u32, operand: u32, place: Option<Place>) {
        if place.is_some_and(|place| !self.is_of_address(place)) {
            return;
        }
        let whole = place.is_none_or(|place| place.site != self.pieces());
        let mixture = &mut self.mixtures[mixture as usize];
        let to = mixture.to;
        let first = *mixture.piece.get_or_insert(operand);
        match mixture.narrow || (!whole && first == operand) {
            true => self.add(to, self.piece()),
            false => self.add_anywhere(to),
        }
    }

    /// Registers an effect of pieces of an address in a number.
    pub(crate) fn attach_leak(&mut self, from: Node, leak: Leak) {
        self.leaks.push(Some(leak));
        self.attach(from, Use::Leak(self.leaks.len() as u32 - 1));
    }

    /// Applies it to a number at this place, or at any.
    pub(crate) fn apply_leak(&mut self, leak: u32, place: Option<Place>) {
        if place.is_some_and(|place| !self.is_of_address(place)) {
            return;
        }
        match self.leaks[leak as usize].take() {
            Some(Leak::Stored(to, bytes, what)) => self.attach(to, Use::Data { bytes, what }),
            Some(Leak::Copied(copied)) => self.copy_may_write(copied, Bytes::Address),
            None => {}
        }
    }

    /// Reads bytes of an address as a number of this many bytes.
    pub(crate) fn read_piece(&mut self, bytes: u64, to: Node) {
        match 2 * u128::from(bytes) <= self.pointer_bytes() {
            true => self.add(to, self.piece()),
            false => self.add_anywhere(to),
        }
    }

    /// A computed number: the address of a pointer, an address advanced by a constant, or a number
    /// computed from others.
    pub(crate) fn computed(&mut self, function: FnId, inst: &Inst) {
        let bits = self.program.pointer_bits;
        let Some(dst) = inst.dst() else { return };
        let sort = self.program.function(function).regs[dst.0 as usize].sort;
        let to = self.register(function, dst);
        match moved_address(inst, bits) {
            Some((Operand::Reg(reg), by)) => {
                let from = self.register(function, reg);
                return self.attach_addition(from, to, by);
            }
            Some((Operand::Const(Constant::Ptr { object, offset }), by)) => {
                let at = offset.wrapping_add(by);
                return match object {
                    ObjectId::NULL => self.add_number(at.into(), to),
                    _ => self.add(to, self.static_place(object, at)),
                };
            }
            _ => {}
        }
        let mut from = Vec::new();
        match inst {
            Inst::Load { ptr, .. } => {
                if let Some(ptr) = self.operand(function, *ptr) {
                    let bytes = sort.bytes(bits);
                    self.attach(ptr, Use::Load(to, Reading::Bits(bytes)));
                }
            }
            // The result of a comparison is no part of an address, nor is the distance of two
            // places of one object.
            Inst::Compare { .. }
            | Inst::FloatCompare { .. }
            | Inst::PtrCompare { .. }
            | Inst::PtrDiff { .. }
            | Inst::Input { .. }
            | Inst::Print { .. } => {}
            _ => inst.uses(|operand| from.push(operand)),
        }
        let from: Vec<Node> = from
            .into_iter()
            .filter_map(|operand| self.operand(function, operand))
            .collect();
        self.mix(&from, to, sort);
    }
}

/// The address from which an instruction makes a number, and the constant that it adds.
fn moved_address(inst: &Inst, bits: u32) -> Option<(Operand, u64)> {
    match inst {
        Inst::PtrToInt { width, a, .. } if *width == bits => Some((*a, 0)),
        Inst::Int {
            op: IntOp::Add,
            width,
            a,
            b,
            ..
        } if *width == bits => match (constant(*a), constant(*b)) {
            (None, Some(by)) => Some((*a, by)),
            (Some(by), None) => Some((*b, by)),
            _ => None,
        },
        Inst::Int {
            op: IntOp::Sub,
            width,
            a,
            b,
            ..
        } if *width == bits => constant(*b).map(|by| (*a, by.wrapping_neg())),
        _ => None,
    }
}
