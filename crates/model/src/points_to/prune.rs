//! Takes cases that no pointer reaches out of the switches on pointers.
//!
//! A call through a pointer has a case for each function of a fitting type and
//! a way out of the model for every other address. A pointer that were at a
//! case that is gone would take that way, so a mistake here is a lost proof or
//! a run that ends outside of the model, and never a call that is overlooked.
//!
//! Where a pointer has no object but those with a case, only a number takes that
//! way, and it is said to be one: an access through a number, as others are.

use super::PointsTo;
use super::place::{Place, Places};
use crate::program::*;
use std::collections::BTreeMap;

/// Removes such cases; gives their number.
pub fn prune(program: &mut Program) -> usize {
    let has_switch = |f: &Function| {
        let mut ends = f.blocks.iter().map(|block| &block.end);
        ends.any(|end| matches!(end, Terminator::PtrSwitch { cases, .. } if !cases.is_empty()))
    };
    if !program.functions.iter().any(has_switch) {
        return 0;
    }
    let points_to = PointsTo::of(program);
    let mut removed = 0;
    for (id, function) in program.functions.iter_mut().enumerate() {
        let id = FnId(id as u32);
        let all = removed;
        // The ways out of the model for every other address: whether only numbers take them.
        let mut ways: BTreeMap<BlockId, bool> = BTreeMap::new();
        for (number, block) in function.blocks.iter_mut().enumerate() {
            let Terminator::PtrSwitch {
                ptr,
                cases,
                default,
            } = &mut block.end
            else {
                continue;
            };
            let places = match ptr {
                Operand::Reg(reg) => points_to.register(id, *reg),
                Operand::Const(_) => &Places::anywhere(),
            };
            if !points_to.is_active(id, BlockId(number as u32)) {
                continue;
            }
            let before = cases.len();
            cases.retain(|(object, offset, _)| {
                let case = points_to.static_place(*object, *offset);
                match case {
                    Some(case) => places.has(case.site, case.offset),
                    None => places.has_number(*offset),
                }
            });
            removed += before - cases.len();
            let case = |place: &Place| {
                let mut known = cases.iter();
                known.any(|(object, at, _)| points_to.static_place(*object, *at) == Some(*place))
            };
            let numbers = !places.anywhere && places.list.iter().all(case);
            *ways.entry(default.block).or_insert(true) &= numbers;
        }
        for (way, numbers) in ways {
            if let Terminator::Bail(bail) = &mut function.blocks[way.0 as usize].end
                && numbers
                && bail.kind == BailKind::BadCall
            {
                bail.kind = BailKind::IntToPtr;
                bail.what = "a call through a number that is no function's address".into();
            }
        }
        if removed > all {
            crate::tidy::tidy(function);
        }
    }
    removed
}
