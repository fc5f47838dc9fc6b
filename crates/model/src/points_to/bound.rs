//! States in the code where the pointers of accesses may point.
//!
//! A proof only knows of a pointer in memory what its invariants say. Points-to shows for every
//! reachable state that a pointer leads to one of a few objects, or to no named object, and which
//! numbers it may be. [`Inst::Within`] before an access or a call states this fact, so no invariant
//! has to. The interpreter bails where it does not hold, so every test also tests the analysis.

use super::{PointsTo, SiteKind};
use crate::program::*;
use std::sync::Arc;

/// The number of places of a pointer above which nothing is stated.
const MOST_SPOTS: usize = 6;
/// The same for a pointer that is called,
const MOST_CALLED: usize = 24;
/// and for the numbers that it may be.
const MOST_NUMBERS: usize = 4;

/// Adds the facts before each access and each call through a pointer.
pub fn bound(program: &mut Program) {
    let points_to = PointsTo::of(program);
    let (first_dynamic, bits) = (program.first_dynamic(), program.pointer_bits);
    for (id, function) in program.functions.iter_mut().enumerate() {
        let id = FnId(id as u32);
        for (number, block) in function.blocks.iter_mut().enumerate() {
            if !points_to.is_active(id, BlockId(number as u32)) {
                continue;
            }
            let mut bounds = Vec::new();
            for (at, inst) in block.insts.iter().enumerate() {
                let (first, second) = match inst {
                    Inst::Load { ptr, .. }
                    | Inst::Store { ptr, .. }
                    | Inst::Free { ptr }
                    | Inst::Realloc { ptr, .. }
                    | Inst::MemSet { dst: ptr, .. } => (ptr, None),
                    Inst::MemCopy { dst, src, .. } => (dst, Some(src)),
                    _ => continue,
                };
                for ptr in std::iter::once(first).chain(second) {
                    if let Operand::Reg(reg) = ptr
                        && let Some(spots) = spots(&points_to, id, *reg, bits, MOST_SPOTS)
                    {
                        bounds.push((at, *ptr, spots));
                    }
                }
            }
            if let Terminator::PtrSwitch { ptr, .. } = &block.end
                && let Operand::Reg(reg) = ptr
                && let Some(spots) = spots(&points_to, id, *reg, bits, MOST_CALLED)
            {
                bounds.push((block.insts.len(), *ptr, spots));
            }
            for (at, ptr, spots) in bounds.into_iter().rev() {
                let place = block.places.get(at).copied().unwrap_or(block.end_place);
                let within = Inst::Within {
                    ptr,
                    spots,
                    first_dynamic,
                };
                block.insts.insert(at, within);
                block.places.insert(at, place);
            }
        }
    }
}

fn spots(
    points_to: &PointsTo,
    function: FnId,
    reg: Reg,
    bits: u32,
    most: usize,
) -> Option<Arc<[Spot]>> {
    let places = points_to.register(function, reg);
    if places.anywhere {
        return None;
    }
    let spot = |place: &super::Place| Spot {
        object: match points_to.sites[place.site.0 as usize] {
            SiteKind::Static(object) => Some(object),
            SiteKind::NoObject | SiteKind::ErrorNumber | SiteKind::Piece => Some(ObjectId::NULL),
            _ => None,
        },
        offset: place.offset,
        bits: place.shift.min(bits),
    };
    let mut spots: Vec<Spot> = places.list.iter().map(spot).collect();
    let mut numbers: Vec<Spot> = places.numbers.iter().map(spot).collect();
    for (spots, most) in [(&mut spots, most), (&mut numbers, MOST_NUMBERS)] {
        if spots.len() > most {
            spots.iter_mut().for_each(|spot| *spot = spot.anywhere());
        }
        spots.sort();
        spots.dedup();
    }
    if spots.len() > most {
        return None;
    }
    spots.extend(numbers);
    Some(spots.into())
}
