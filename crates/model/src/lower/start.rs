//! How a program starts and ends: functions that run around `main`, and `main`'s arguments.

use super::types::unsupported;
use crate::caller::reads_arguments;
use crate::program::*;
use attest_llvm::ir::{GlobalKind, Module};
use std::sync::Arc;

/// Lists of functions that run before `main` and after it, with words for them.
const AROUND: [(&str, &str); 2] = [
    (
        "llvm.global_ctors",
        "a function that runs before main (constructor)",
    ),
    (
        "llvm.global_dtors",
        "a function that runs after main (destructor)",
    ),
];

/// What runs around the entry has no model, so a program with such functions leaves the
/// model where it begins.
pub(super) fn leave_if_surrounded(module: &Module, entry: &mut Function) {
    let is_there = |name: &str| {
        let variable = module.lookup(name).map(|g| &module.global(g).kind);
        matches!(variable, Some(GlobalKind::Variable(v)) if v.init.is_some())
    };
    let Some((_, what)) = AROUND.iter().find(|(name, _)| is_there(name)) else {
        return;
    };
    let first = &mut entry.blocks[0];
    first.insts.clear();
    first.places.clear();
    first.end = Terminator::Bail(unsupported(BailKind::Unsupported, *what));
    first.end_place = entry.place;
}

/// The number of `main`'s arguments is not negative. Where `main` looks at them, it has
/// none but the program's name, which a verdict says ([`crate::caller::assumptions`]). A
/// `main` that the program itself calls gets what it is given.
pub(super) fn bound_arguments(functions: &mut [Function], main: FnId) {
    let is_call = |inst: &Inst| matches!(inst, Inst::Call(call) if call.callee == main);
    let mut blocks = functions.iter().flat_map(|f| &f.blocks);
    if blocks.any(|block| block.insts.iter().any(is_call)) {
        return;
    }
    let function = &mut functions[main.0 as usize];
    let first = function.regs.first().filter(|_| function.params > 0);
    let Some(Sort::Int(width)) = first.map(|reg| reg.sort) else {
        return;
    };
    let (rel, value) = match reads_arguments(function) {
        true => (Relation::Eq, 1),
        false => (Relation::Sge, 0),
    };
    let dst = Reg(function.regs.len() as u32);
    function.regs.push(RegInfo {
        sort: Sort::Int(1),
        name: Arc::from("argc.bound"),
        variable: None,
    });
    let compare = Inst::Compare {
        rel,
        width,
        dst,
        a: Operand::Reg(Reg(0)),
        b: Operand::Const(Constant::Int { width, value }),
    };
    let cond = Operand::Reg(dst);
    let entry = &mut function.blocks[0];
    entry.insts.splice(0..0, [compare, Inst::Assume { cond }]);
    entry.places.splice(0..0, [function.place; 2]);
}
