//! Clean-up of a lowered function: blocks joined, copies propagated, dead code removed.
//!
//! clang's unoptimised code moves every variable through temporaries and jumps through empty
//! blocks. Undoing this halves the work of every later part. No step depends on overflow, undefined
//! behaviour or memory: each renames registers or removes code without effect.

use crate::liveness::{Liveness, predecessors, step};
use crate::program::*;

/// Runs all steps.
pub fn tidy(function: &mut Function) {
    run(function, &vec![false; function.regs.len()]);
}

/// The same, but the variables of C that may hold an address keep their values also where no code
/// reads them any more: memory that such a variable points to is not lost. Without debug
/// information any register may be a variable.
pub fn tidy_but_variables(function: &mut Function) {
    let none = function.regs.iter().all(|reg| reg.variable.is_none());
    let may_hold = |reg: &RegInfo| match reg.sort {
        Sort::Ptr => none || reg.variable.is_some(),
        Sort::Int(width) => width >= 32 && (none || reg.variable.is_some()),
        Sort::F32 | Sort::F64 => false,
    };
    let kept: Vec<bool> = function.regs.iter().map(may_hold).collect();
    run(function, &kept);
}

fn run(function: &mut Function, kept: &[bool]) {
    join_blocks(function);
    propagate_copies(function);
    remove_dead(function, kept);
    retarget_results(function);
    remove_dead(function, kept);
    compact_registers(function);
}

/// Appends a block to its only predecessor, if that has no other successor, and removes unreachable
/// blocks.
fn join_blocks(function: &mut Function) {
    let preds = predecessors(function);
    let follows: Vec<bool> = preds
        .iter()
        .enumerate()
        .map(|(i, preds)| {
            let [only] = preds[..] else { return false };
            let goes_on = matches!(function.block(only).end, Terminator::Goto(_));
            i != 0 && only.0 as usize != i && goes_on
        })
        .collect();
    let mut blocks: Vec<Option<Block>> = std::mem::take(&mut function.blocks)
        .into_iter()
        .map(Some)
        .collect();
    // Each chain is built from its first block, so that no instruction is moved twice.
    for i in 0..blocks.len() {
        if follows[i] {
            continue;
        }
        let Some(mut block) = blocks[i].take() else {
            continue;
        };
        while let Terminator::Goto(target) = &block.end
            && follows[target.block.0 as usize]
            && let Some(next) = blocks[target.block.0 as usize].take()
        {
            // With one predecessor, the copies cannot read each other's results.
            for (dst, src) in &target.copies {
                block.insts.push(Inst::Copy {
                    dst: *dst,
                    src: *src,
                });
                block.places.push(block.end_place);
            }
            block.insts.extend(next.insts);
            block.places.extend(next.places);
            block.end = next.end;
            block.end_place = next.end_place;
        }
        blocks[i] = Some(block);
    }
    keep_reachable(function, blocks);
}

fn keep_reachable(function: &mut Function, blocks: Vec<Option<Block>>) {
    let mut number = vec![None; blocks.len()];
    let mut order = vec![0usize];
    number[0] = Some(BlockId(0));
    let mut at = 0;
    while at < order.len() {
        if let Some(block) = &blocks[order[at]] {
            block.end.targets(|t| {
                let to = t.block.0 as usize;
                if number[to].is_none() {
                    number[to] = Some(BlockId(order.len() as u32));
                    order.push(to);
                }
            });
        }
        at += 1;
    }
    let mut slots = blocks;
    for old in order {
        let Some(mut block) = slots[old].take() else {
            continue;
        };
        block
            .end
            .targets_mut(|t| t.block = number[t.block.0 as usize].unwrap_or(t.block));
        function.blocks.push(block);
    }
}

/// The number of writes of each register.
fn definition_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0u32; function.regs.len()];
    for reg in 0..function.params {
        counts[reg as usize] += 1;
    }
    for block in &function.blocks {
        for inst in &block.insts {
            inst.defs(|dst| counts[dst.0 as usize] += 1);
        }
        block.end.targets(|t| {
            t.copies
                .iter()
                .for_each(|(dst, _)| counts[dst.0 as usize] += 1)
        });
    }
    counts
}

/// Reads the source of a copy instead of the copy, inside a block and while the source is
/// unchanged.
fn propagate_copies(function: &mut Function) {
    let definitions = definition_counts(function);
    let mut known: Vec<Option<Operand>> = vec![None; function.regs.len()];
    // Copies of each register, so that a new value of it drops them.
    let mut copies_of: Vec<Vec<Reg>> = vec![Vec::new(); function.regs.len()];
    for block in &mut function.blocks {
        let mut touched = Vec::new();
        for inst in &mut block.insts {
            inst.uses_mut(|a| replace(a, &known));
            inst.defs(|dst| {
                for copy in copies_of[dst.0 as usize].drain(..) {
                    known[copy.0 as usize] = None;
                }
            });
            if let Inst::Copy { dst, src } = inst
                && definitions[dst.0 as usize] == 1
                && *src != Operand::Reg(*dst)
            {
                known[dst.0 as usize] = Some(*src);
                touched.push(*dst);
                if let Operand::Reg(source) = src {
                    copies_of[source.0 as usize].push(*dst);
                }
            }
        }
        block.end.uses_mut(|a| replace(a, &known));
        block
            .end
            .targets_mut(|t| t.copies.iter_mut().for_each(|(_, a)| replace(a, &known)));
        for reg in touched {
            if let Some(Operand::Reg(source)) = known[reg.0 as usize].take() {
                copies_of[source.0 as usize].clear();
            }
        }
    }
}

fn replace(operand: &mut Operand, known: &[Option<Operand>]) {
    if let Operand::Reg(reg) = operand
        && let Some(source) = known[reg.0 as usize]
    {
        *operand = source;
    }
}

/// Makes an instruction write the variable that its result is copied to.
fn retarget_results(function: &mut Function) {
    let definitions = definition_counts(function);
    let mut uses = vec![0u32; function.regs.len()];
    for block in &function.blocks {
        let mut count = |a: Operand| {
            if let Operand::Reg(reg) = a {
                uses[reg.0 as usize] += 1;
            }
        };
        block.insts.iter().for_each(|inst| inst.uses(&mut count));
        block.end.uses(&mut count);
    }
    let mut last = Last::new(function.regs.len());
    for (id, block) in function.blocks.iter_mut().enumerate() {
        last.enter(id);
        for i in 0..block.insts.len() {
            if let Inst::Copy {
                dst: variable,
                src: Operand::Reg(temp),
            } = block.insts[i]
                && definitions[temp.0 as usize] == 1
                && uses[temp.0 as usize] == 1
                && let Some(at) = last.definition_free_of(temp, variable)
                && let Some(dst) = block.insts[at].dst_mut()
            {
                *dst = variable;
                // An input gets the source place of its assignment; other instructions keep theirs.
                if matches!(block.insts[at], Inst::Input { .. }) {
                    block.places[at] = block.places[i];
                }
                block.insts[i] = Inst::Copy {
                    dst: variable,
                    src: Operand::Reg(variable),
                };
            }
            last.record(i, &block.insts[i]);
        }
        let mut keep = block
            .insts
            .iter()
            .map(|inst| !is_nothing(inst))
            .collect::<Vec<_>>()
            .into_iter();
        block.insts.retain(|inst| !is_nothing(inst));
        block.places.retain(|_| keep.next().unwrap_or(true));
    }
}

fn is_nothing(inst: &Inst) -> bool {
    matches!(inst, Inst::Copy { dst, src: Operand::Reg(src) } if dst == src)
}

/// The last access to each register in the current block, up to the current position.
struct Last {
    block: usize,
    /// Block and instruction of the last definition of each register.
    defined: Vec<(usize, usize)>,
    /// Block and instruction of the last definition or use of each register.
    touched: Vec<(usize, usize)>,
    call: Option<usize>,
}

impl Last {
    fn new(regs: usize) -> Last {
        let nowhere = (usize::MAX, 0);
        Last {
            block: 0,
            defined: vec![nowhere; regs],
            touched: vec![nowhere; regs],
            call: None,
        }
    }

    fn enter(&mut self, block: usize) {
        self.block = block;
        self.call = None;
    }

    fn record(&mut self, index: usize, inst: &Inst) {
        let here = (self.block, index);
        inst.uses(|a| {
            if let Operand::Reg(reg) = a {
                self.touched[reg.0 as usize] = here;
            }
        });
        inst.defs(|dst| {
            self.defined[dst.0 as usize] = here;
            self.touched[dst.0 as usize] = here;
        });
        if matches!(inst, Inst::Call(_)) {
            self.call = Some(index);
        }
    }

    /// Where `temp` is defined in this block, if `variable` is neither read nor written after that
    /// and no call lies between.
    fn definition_free_of(&self, temp: Reg, variable: Reg) -> Option<usize> {
        let (block, at) = self.defined[temp.0 as usize];
        let (touched_in, touched) = self.touched[variable.0 as usize];
        let free = touched_in != self.block || touched <= at;
        let no_call = self.call.is_none_or(|call| call < at);
        (block == self.block && free && no_call).then_some(at)
    }
}

/// Removes pure instructions and phi copies with unread results, except those whose results are
/// kept.
fn remove_dead(function: &mut Function, kept: &[bool]) {
    let live = Liveness::of(function);
    for block in &mut function.blocks {
        let mut set = live.at_end(block);
        let mut keep = vec![true; block.insts.len()];
        for (i, inst) in block.insts.iter().enumerate().rev() {
            // A variable that is not assigned yet points nowhere.
            let is_value = !matches!(inst, Inst::Input { .. } | Inst::Foreign { .. });
            let wanted = inst
                .dst()
                .is_none_or(|dst| (is_value && kept[dst.0 as usize]) || set.contains(dst));
            if inst.is_pure() && !wanted {
                keep[i] = false;
            } else {
                step(inst, &mut set);
            }
        }
        let mut flags = keep.iter();
        block.insts.retain(|_| *flags.next().unwrap_or(&true));
        let mut flags = keep.iter();
        block.places.retain(|_| *flags.next().unwrap_or(&true));
        block.end.targets_mut(|t| {
            t.copies
                .retain(|(dst, _)| kept[dst.0 as usize] || live.is_live_in(t.block, *dst))
        });
    }
}

/// Renumbers the remaining registers without gaps, parameters first.
fn compact_registers(function: &mut Function) {
    let mut used = vec![false; function.regs.len()];
    used[..function.params as usize].fill(true);
    for block in &function.blocks {
        let mut mark = |a: Operand| {
            if let Operand::Reg(reg) = a {
                used[reg.0 as usize] = true;
            }
        };
        for inst in &block.insts {
            inst.uses(&mut mark);
            inst.defs(|dst| mark(Operand::Reg(dst)));
        }
        block.end.uses(&mut mark);
        block.end.targets(|t| {
            t.copies
                .iter()
                .for_each(|(dst, _)| mark(Operand::Reg(*dst)))
        });
    }
    let mut number = vec![Reg(0); used.len()];
    let mut next = 0;
    for (at, used) in used.iter().enumerate() {
        number[at] = Reg(next);
        next += u32::from(*used);
    }
    let mut flags = used.iter();
    function.regs.retain(|_| *flags.next().unwrap_or(&true));
    let rename = |a: &mut Operand| {
        if let Operand::Reg(reg) = a {
            *reg = number[reg.0 as usize];
        }
    };
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            inst.uses_mut(rename);
            if let Inst::Call(call) = inst {
                call.results
                    .iter_mut()
                    .for_each(|r| *r = number[r.0 as usize]);
            } else if let Some(dst) = inst.dst_mut() {
                *dst = number[dst.0 as usize];
            }
        }
        block.end.uses_mut(rename);
        block.end.targets_mut(|t| {
            for (dst, src) in &mut t.copies {
                *dst = number[dst.0 as usize];
                rename(src);
            }
        });
    }
}
