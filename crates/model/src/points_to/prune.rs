//! Removes impossible cases of switches over pointers.
//!
//! A call through a pointer has a case for each function of a fitting type and a bail for every
//! other address. A pointer with the value of a removed case would take the bail, so a mistake here
//! loses a proof or ends a run with a bail, but never misses a call.
//!
//! If all objects of a pointer have a case, only a number reaches the bail. Then the bail has the
//! kind of an access through a number.

use super::PointsTo;
use super::place::{Place, Places};
use crate::program::*;
use std::collections::BTreeMap;

/// Removes impossible cases; returns their number.
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
        // The bails for every other address, and whether only numbers reach them.
        let mut bails: BTreeMap<BlockId, bool> = BTreeMap::new();
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
            *bails.entry(default.block).or_insert(true) &= numbers;
        }
        for (block, numbers) in bails {
            if let Terminator::Bail(bail) = &mut function.blocks[block.0 as usize].end
                && numbers
                && bail.kind == BailKind::BadCall
            {
                bail.kind = BailKind::InvalidPointer;
                bail.what = "a call through a number that is no function's address".into();
            }
        }
        if removed > all {
            match program.heap_count {
                None => crate::tidy::tidy(function),
                Some(_) => crate::tidy::tidy_but_variables(function),
            }
        }
    }
    removed
}
