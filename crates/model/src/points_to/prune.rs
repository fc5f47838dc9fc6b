//! Takes cases that no pointer reaches out of the switches on pointers.
//!
//! A call through a pointer has a case for each function of a fitting type and
//! a way out of the model for every other address. A pointer that were at a
//! case that is gone would take that way, so a mistake here is a lost proof or
//! a run that ends outside of the model, and never a call that is overlooked.

use super::PointsTo;
use super::place::Places;
use crate::program::*;

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
        for (number, block) in function.blocks.iter_mut().enumerate() {
            let Terminator::PtrSwitch { ptr, cases, .. } = &mut block.end else {
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
        }
        if removed > all {
            crate::tidy::tidy(function);
        }
    }
    removed
}
