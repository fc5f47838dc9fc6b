//! Says in the code where the pointers of accesses may point.
//!
//! A proof knows of a pointer in memory only what its invariants say. That it
//! leads to one of a few objects, or to none that has a name, holds in every
//! state of every run, and no invariant need say it: [`Inst::Within`] before an
//! access does. The interpreter leaves the model where it does not hold, so
//! every test tests the analysis.

use super::{PointsTo, SiteKind};
use crate::program::*;
use std::sync::Arc;

/// Places of a pointer beyond which nothing is said of it.
const MOST_SPOTS: usize = 6;

/// Puts what is known of a pointer before each access through it.
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
                let (Inst::Load { ptr, .. } | Inst::Store { ptr, .. }) = inst else {
                    continue;
                };
                if let Operand::Reg(reg) = ptr
                    && let Some(spots) = spots(&points_to, id, *reg, bits)
                {
                    bounds.push((at, *ptr, spots));
                }
            }
            for (at, ptr, spots) in bounds.into_iter().rev() {
                let place = block.places[at];
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

fn spots(points_to: &PointsTo, function: FnId, reg: Reg, bits: u32) -> Option<Arc<[Spot]>> {
    let places = points_to.register(function, reg);
    if places.anywhere {
        return None;
    }
    let spot = |place: &super::Place| Spot {
        object: match points_to.sites[place.site.0 as usize] {
            SiteKind::Static(object) => Some(object),
            _ => None,
        },
        offset: place.offset,
        bits: place.shift.min(bits),
    };
    let mut spots: Vec<Spot> = places.list.iter().map(spot).collect();
    if spots.len() > MOST_SPOTS {
        spots.iter_mut().for_each(|spot| *spot = spot.anywhere());
    }
    spots.sort();
    spots.dedup();
    (spots.len() <= MOST_SPOTS).then(|| spots.into())
}
