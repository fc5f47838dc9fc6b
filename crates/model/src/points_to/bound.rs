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

/// Instructions to insert into the code of a block: before which instruction, and what.
pub(crate) type Insertions = Vec<(usize, Inst)>;

/// The facts before each access and each call through a pointer of a block.
pub(crate) fn bounds(
    program: &Program,
    points_to: &PointsTo,
    id: FnId,
    number: BlockId,
) -> Insertions {
    let (first_dynamic, bits) = (program.first_dynamic(), program.pointer_bits);
    let block = program.function(id).block(number);
    let mut bounds = Vec::new();
    let mut add = |at: usize, ptr: Operand, most: usize| {
        if let Operand::Reg(reg) = ptr
            && let Some(spots) = spots(points_to, id, reg, bits, most)
        {
            let within = Inst::Within {
                ptr,
                spots,
                first_dynamic,
            };
            bounds.push((at, within));
        }
    };
    for (at, inst) in block.insts.iter().enumerate() {
        let (first, second) = match inst {
            Inst::Load { ptr, .. }
            | Inst::Store { ptr, .. }
            | Inst::Free { ptr, .. }
            | Inst::Realloc { ptr, .. }
            | Inst::MemSet { dst: ptr, .. } => (ptr, None),
            Inst::MemCopy { dst, src, .. } => (dst, Some(src)),
            _ => continue,
        };
        for ptr in std::iter::once(first).chain(second) {
            add(at, *ptr, MOST_SPOTS);
        }
    }
    if let Terminator::PtrSwitch { ptr, .. } = &block.end {
        add(block.insts.len(), *ptr, MOST_CALLED);
    }
    bounds
}

/// Inserts instructions, which are in the order of their places.
pub(crate) fn insert(block: &mut Block, insertions: Insertions) {
    for (at, inst) in insertions.into_iter().rev() {
        let place = block.places.get(at).copied().unwrap_or(block.end_place);
        block.insts.insert(at, inst);
        block.places.insert(at, place);
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
