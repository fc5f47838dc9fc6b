//! The ends of a program, where the count of heap objects must be 0, and the loops without an exit.

use super::count::is_heap;
use super::{End, Leaks, called_from_entry};
use crate::cuts::loop_heads;
use crate::liveness::predecessors;
use crate::program::*;
use std::collections::BTreeSet;

/// Puts a check before each end.
pub(super) fn check(program: &mut Program, count: GlobalReg, leaks: Leaks) {
    let halts = functions_that_halt(program);
    let bits = program.pointer_bits;
    for id in 0..program.functions.len() {
        let is_entry = program.entry == FnId(id as u32);
        let function = &mut program.functions[id];
        if leaks == Leaks::Everywhere {
            let mut heads = heads_without_exit(function, &halts);
            heads.retain(|head| is_idle_from(function, *head));
            for head in heads {
                guard(
                    function,
                    head,
                    0,
                    End::Loop.bail(leaks.kind()),
                    (count, bits),
                );
            }
        }
        for at in 0..function.blocks.len() {
            let block = &function.blocks[at];
            let end = match &block.end {
                Terminator::Return(_) if is_entry => End::Return,
                Terminator::Halt(Halt::Exit, _) => End::Exit,
                Terminator::Halt(Halt::Abort | Halt::Immediate, _) if leaks != Leaks::Ends => {
                    End::Immediate
                }
                _ => continue,
            };
            let index = block.insts.len();
            let bail = end.bail(leaks.kind());
            guard(function, BlockId(at as u32), index, bail, (count, bits));
        }
    }
}

/// Splits a block before an instruction: the rest runs only if no heap object is left.
fn guard(
    function: &mut Function,
    at: BlockId,
    index: usize,
    bail: Bail,
    (count, bits): (GlobalReg, u32),
) {
    let mut fresh = |sort| {
        function.regs.push(RegInfo {
            sort,
            name: "heap objects".into(),
            variable: None,
        });
        Reg(function.regs.len() as u32 - 1)
    };
    let (left, some) = (fresh(Sort::Int(bits)), fresh(Sort::Int(1)));
    let next = function.blocks.len() as u32;
    let jump = |block| Target {
        block: BlockId(block),
        copies: Vec::new(),
    };
    let block = &mut function.blocks[at.0 as usize];
    let place = block.places.get(index).copied().unwrap_or(block.end_place);
    let branch = Terminator::Branch {
        cond: Operand::Reg(some),
        then: jump(next),
        other: jump(next + 1),
    };
    let rest = Block {
        insts: block.insts.split_off(index),
        places: block.places.split_off(index),
        end: std::mem::replace(&mut block.end, branch),
        end_place: std::mem::replace(&mut block.end_place, place),
    };
    block.insts.extend([
        Inst::GetGlobal {
            dst: left,
            global: count,
        },
        Inst::Compare {
            rel: Relation::Ne,
            width: bits,
            dst: some,
            a: Operand::Reg(left),
            b: Operand::Const(Constant::zero(Sort::Int(bits))),
        },
    ]);
    block.places.extend([place; 2]);
    function.blocks.push(Block {
        insts: Vec::new(),
        places: Vec::new(),
        end: Terminator::Bail(bail),
        end_place: place,
    });
    function.blocks.push(rest);
}

/// The loops without an exit that the program may reach: from them no return, no end of the
/// program and no call that may end it can be reached. Runs that stay there are never looked at for
/// leaks, except at loops before which a check was put ([`Leaks::Everywhere`]). None if the program
/// has no heap memory.
///
/// A loop that has an exit and is still endless for some values is not among them.
pub fn endless(program: &Program) -> Vec<PlaceId> {
    let halts = functions_that_halt(program);
    let called = called_from_entry(program);
    let reached = || {
        let functions = program.functions.iter().zip(&called);
        functions.filter_map(|(f, called)| called.then_some(f))
    };
    if !reached().any(|f| f.blocks.iter().any(|b| b.insts.iter().any(is_heap))) {
        return Vec::new();
    }
    let mut found = BTreeSet::new();
    for function in reached() {
        for head in heads_without_exit(function, &halts) {
            let block = function.block(head);
            if is_guarded(function, block) {
                continue;
            }
            found.insert(block.places.first().copied().unwrap_or(block.end_place));
        }
    }
    found.into_iter().collect()
}

/// Whether a block ends with the check before a loop without an exit.
fn is_guarded(function: &Function, block: &Block) -> bool {
    let Terminator::Branch { then, .. } = &block.end else {
        return false;
    };
    let end = &function.block(then.block).end;
    matches!(end, Terminator::Bail(bail) if End::of(bail) == Some(End::Loop))
}

/// Which functions may end the program in good order or at once, their callees included.
fn functions_that_halt(program: &Program) -> Vec<bool> {
    let own = |f: &Function| {
        let mut ends = f.blocks.iter().map(|b| &b.end);
        ends.any(|end| matches!(end, Terminator::Halt(..)))
    };
    let mut halts: Vec<bool> = program.functions.iter().map(own).collect();
    loop {
        let mut changed = false;
        for (id, function) in program.functions.iter().enumerate() {
            if !halts[id] && function.blocks.iter().any(|b| calls(b, &halts)) {
                halts[id] = true;
                changed = true;
            }
        }
        if !changed {
            return halts;
        }
    }
}

fn calls(block: &Block, functions: &[bool]) -> bool {
    let is_call =
        |inst: &Inst| matches!(inst, Inst::Call(call) if functions[call.callee.0 as usize]);
    block.insts.iter().any(is_call)
}

/// The heads of loops from which control cannot leave the function nor end the program.
fn heads_without_exit(function: &Function, halts: &[bool]) -> Vec<BlockId> {
    let preds = predecessors(function);
    let mut leaves = vec![false; function.blocks.len()];
    let is_exit = |block: &Block| match &block.end {
        Terminator::Return(_) | Terminator::Halt(..) => true,
        _ => calls(block, halts),
    };
    let blocks = function.blocks.iter().enumerate();
    let mut work: Vec<usize> = blocks
        .filter_map(|(i, block)| is_exit(block).then_some(i))
        .collect();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut leaves[at], true) {
            work.extend(preds[at].iter().map(|pred| pred.0 as usize));
        }
    }
    let heads = loop_heads(function).into_iter();
    heads.filter(|head| !leaves[head.0 as usize]).collect()
}

/// Whether nothing happens from here on: no effect, no input, no bail, no end.
fn is_idle_from(function: &Function, start: BlockId) -> bool {
    let mut seen = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(at) = work.pop() {
        let block = function.block(at);
        let idle = |inst: &Inst| inst.is_pure() && inst.bail_kinds().is_empty();
        let ends = matches!(block.end, Terminator::Error(_) | Terminator::Bail(_));
        if ends || !block.insts.iter().all(idle) {
            return false;
        }
        block.end.targets(|t| {
            if seen.insert(t.block) {
                work.push(t.block);
            }
        });
    }
    true
}
