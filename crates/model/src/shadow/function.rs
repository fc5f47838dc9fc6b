//! The instrumentation of a function.
//!
//! A parameter or result that may be unset is followed by its shadow: shadows of parameters come
//! after all parameters, those of results after all results, so calls pass them as ordinary values.

use super::maybe::{Maybe, Regs, required};
use super::rules::{Code, bits, is_zero, number};
use super::text::texts;
use crate::program::*;
use rustc_hash::FxHashMap;

const UNSET: &str = "a value that was never set";
const PASSED: &str = "an unset value as a variable argument";
const PRINTED: &str = "a text of which an unknown part is printed, and which may be unset";

/// A function with its shadows; `globals` has the shadow of each promoted global.
pub(super) fn instrument(
    program: &Program,
    maybe: &mut Maybe<'_>,
    globals: &[Option<GlobalReg>],
    id: FnId,
) -> Function {
    let function = program.function(id);
    let entries = maybe.entries(id);
    let mut writer = Writer {
        program,
        id,
        globals,
        shadows: FxHashMap::default(),
        blocks: vec![None; function.blocks.len()],
        current: BlockId(0),
        code: Code {
            regs: function.regs.clone(),
            insts: Vec::new(),
            places: Vec::new(),
            place: function.place,
            pointer_bits: program.pointer_bits,
        },
        maybe,
    };
    writer.find_shadows(function, &entries);
    for (i, regs) in entries.into_iter().enumerate() {
        writer.current = BlockId(i as u32);
        match regs {
            Some(regs) => writer.block(&function.blocks[i], regs),
            None => writer.unreachable(&function.blocks[i]),
        }
    }
    let Writer {
        blocks,
        code,
        shadows,
        ..
    } = writer;
    let mut out = Function {
        blocks: blocks.into_iter().flatten().collect(),
        regs: code.regs,
        ..function.clone()
    };
    let unset = |list: &[bool]| -> Vec<usize> {
        let numbered = list.iter().enumerate();
        let unset = numbered.filter(|(_, unset)| **unset);
        unset.map(|(i, _)| i).collect()
    };
    for i in unset(&maybe.results[id.0 as usize]) {
        let width = bits(function.results[i], program.pointer_bits);
        out.results.push(Sort::Int(width));
    }
    let params = unset(&maybe.params[id.0 as usize]);
    let params: Vec<Reg> = params
        .into_iter()
        .filter_map(|i| shadows.get(&Reg(i as u32)).copied())
        .collect();
    move_parameters(&mut out, &params);
    crate::tidy::tidy(&mut out);
    out
}

/// Makes these registers the last parameters.
fn move_parameters(function: &mut Function, moved: &[Reg]) {
    if moved.is_empty() {
        return;
    }
    let count = function.regs.len() as u32;
    let mut order: Vec<Reg> = (0..function.params).map(Reg).collect();
    order.extend(moved);
    let rest = (function.params..count).map(Reg);
    order.extend(rest.filter(|reg| !moved.contains(reg)));
    let mut number = vec![Reg(0); count as usize];
    for (new, old) in order.iter().enumerate() {
        number[old.0 as usize] = Reg(new as u32);
    }
    let regs = order
        .iter()
        .map(|old| function.regs[old.0 as usize].clone());
    function.regs = regs.collect();
    function.params += moved.len() as u32;
    let rename = |operand: &mut Operand| {
        if let Operand::Reg(reg) = operand {
            *reg = number[reg.0 as usize];
        }
    };
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            inst.uses_mut(rename);
            match inst {
                Inst::Call(call) => {
                    let results = call.results.iter_mut();
                    results.for_each(|reg| *reg = number[reg.0 as usize]);
                }
                other => {
                    if let Some(dst) = other.dst_mut() {
                        *dst = number[dst.0 as usize];
                    }
                }
            }
        }
        block.end.uses_mut(rename);
        block.end.targets_mut(|target| {
            for (dst, src) in &mut target.copies {
                *dst = number[dst.0 as usize];
                rename(src);
            }
        });
    }
}

struct Writer<'a, 'p> {
    program: &'a Program,
    id: FnId,
    maybe: &'a mut Maybe<'p>,
    globals: &'a [Option<GlobalReg>],
    /// The shadow of each register that may be unset somewhere.
    shadows: FxHashMap<Reg, Reg>,
    blocks: Vec<Option<Block>>,
    current: BlockId,
    code: Code,
}

impl Writer<'_, '_> {
    /// Makes the shadow registers.
    fn find_shadows(&mut self, function: &Function, entries: &[Option<Regs>]) {
        let mut found: Vec<Reg> = Vec::new();
        for (block, regs) in function.blocks.iter().zip(entries) {
            let Some(regs) = regs else { continue };
            let mut regs = regs.clone();
            found.extend(&regs);
            for inst in &block.insts {
                self.maybe.after(self.id, inst, &mut regs);
                inst.defs(|dst| found.extend(regs.contains(&dst).then_some(dst)));
            }
        }
        found.sort_unstable();
        found.dedup();
        for reg in found {
            let width = self.code.width_of(Operand::Reg(reg));
            let shadow = self.code.temp(width);
            self.shadows.insert(reg, shadow);
        }
    }

    /// Code that is never executed: calls in it would have too few arguments.
    fn unreachable(&mut self, block: &Block) {
        self.blocks[self.current.0 as usize] = Some(Block {
            insts: Vec::new(),
            places: Vec::new(),
            end: Terminator::Bail(Bail {
                kind: BailKind::Unsupported,
                what: "code without a path to it".into(),
            }),
            end_place: block.end_place,
        });
    }

    fn shadow(&self, operand: Operand, regs: &Regs) -> Operand {
        match operand {
            Operand::Reg(reg) if regs.contains(&reg) => match self.shadows.get(&reg) {
                Some(shadow) => Operand::Reg(*shadow),
                None => number(self.code.width_of(operand), 0),
            },
            _ => number(self.code.width_of(operand), 0),
        }
    }

    fn block(&mut self, block: &Block, mut regs: Regs) {
        for (inst, place) in block.insts.iter().zip(&block.places) {
            self.code.place = *place;
            self.inst(inst, &mut regs);
        }
        self.code.place = block.end_place;
        for operand in self.maybe.required_at_end(self.id, &block.end) {
            self.require(operand, BailKind::Uninitialised, UNSET, &mut regs);
        }
        let mut end = block.end.clone();
        let shadows = &self.shadows;
        let shadow = |operand: Operand| self.shadow(operand, &regs);
        end.targets_mut(|target| {
            let copies = target.copies.iter();
            let also: Vec<(Reg, Operand)> = copies
                .filter_map(|(dst, src)| Some((*shadows.get(dst)?, shadow(*src))))
                .collect();
            target.copies.extend(also);
        });
        if let Terminator::Return(values) = &mut end {
            let unset = &self.maybe.results[self.id.0 as usize];
            let also: Vec<Operand> = (values.iter().zip(unset))
                .filter(|(_, unset)| **unset)
                .map(|(value, _)| shadow(*value))
                .collect();
            values.extend(also);
        }
        self.finish(end, block.end_place);
    }

    fn finish(&mut self, end: Terminator, end_place: PlaceId) {
        self.blocks[self.current.0 as usize] = Some(Block {
            insts: std::mem::take(&mut self.code.insts),
            places: std::mem::take(&mut self.code.places),
            end,
            end_place,
        });
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Requires that an operand is set.
    fn require(&mut self, operand: Operand, kind: BailKind, what: &'static str, regs: &mut Regs) {
        let shadow = self.shadow(operand, regs);
        if !is_zero(shadow) {
            let width = self.code.width_of(shadow);
            self.code.emit(Inst::Shadow(Shadow::Require {
                shadow,
                width,
                kind,
                what,
            }));
        }
        if let Operand::Reg(reg) = operand {
            regs.remove(&reg);
        }
    }

    fn inst(&mut self, inst: &Inst, regs: &mut Regs) {
        let (kind, what) = match inst {
            // What `va_arg` reads has no shadow.
            Inst::Call(_) => (BailKind::Unsupported, PASSED),
            _ => (BailKind::Uninitialised, UNSET),
        };
        for operand in required(inst) {
            self.require(operand, kind, what, regs);
        }
        if let Inst::Print { what, args, .. } = inst {
            self.texts(what, args);
        }
        let before = regs.clone();
        self.maybe.after(self.id, inst, regs);
        match inst {
            Inst::Call(call) => return self.call(call, &before, regs),
            Inst::Store { sort, ptr, src } => {
                self.code.emit(inst.clone());
                let shadow = self.shadow(*src, &before);
                if !is_zero(shadow) {
                    let width = bits(*sort, self.program.pointer_bits);
                    self.code.emit(Inst::Shadow(Shadow::Store {
                        width,
                        ptr: *ptr,
                        src: shadow,
                    }));
                }
                return;
            }
            Inst::MemSet { dst, byte, len } => {
                self.code.emit(inst.clone());
                self.fill(*dst, self.shadow(*byte, &before), *len);
                return;
            }
            Inst::Alloc { dst, size, .. } if self.maybe.is_caller(self.id) => {
                self.code.emit(inst.clone());
                // What the environment passes is set.
                if self.maybe.any_memory() {
                    let (ptr, byte, len) = (Operand::Reg(*dst), number(8, 0), *size);
                    self.code
                        .emit(Inst::Shadow(Shadow::Fill { ptr, byte, len }));
                }
                return self.assign(*dst, None, regs);
            }
            Inst::SetGlobal { global, src } => {
                if let Some(global) = self.globals[global.0 as usize] {
                    let src = self.shadow(*src, &before);
                    self.code.emit(Inst::SetGlobal { global, src });
                }
            }
            _ => {}
        }
        // The operands may be written by the instruction itself, so their shadows come first.
        if let Some(dst) = inst.dst()
            && self.shadows.contains_key(&dst)
        {
            let shadow = match regs.contains(&dst) {
                true => Some(self.result(inst, &before)),
                false => None,
            };
            self.assign(dst, shadow, regs);
        }
        self.code.emit(inst.clone());
    }

    /// Assigns the shadow of a register, if it has one.
    fn assign(&mut self, dst: Reg, shadow: Option<Operand>, regs: &Regs) {
        let Some(to) = self.shadows.get(&dst).copied() else {
            return;
        };
        let width = self.code.width_of(Operand::Reg(to));
        let zero = number(width, 0);
        let src = shadow.filter(|_| regs.contains(&dst)).unwrap_or(zero);
        self.code.emit(Inst::Copy { dst: to, src });
    }

    /// The shadow of the result of an instruction that may be unset.
    fn result(&mut self, inst: &Inst, regs: &Regs) -> Operand {
        let width = match inst.dst() {
            Some(dst) => self.code.width_of(Operand::Reg(dst)),
            None => 1,
        };
        match inst {
            Inst::Load { ptr, .. } => {
                let (dst, ptr) = (self.code.temp(width), *ptr);
                self.code
                    .emit(Inst::Shadow(Shadow::Load { dst, width, ptr }));
                Operand::Reg(dst)
            }
            Inst::GetGlobal { global, .. } => match self.globals[global.0 as usize] {
                Some(global) => {
                    let dst = self.code.temp(width);
                    self.code.emit(Inst::GetGlobal { dst, global });
                    Operand::Reg(dst)
                }
                None => number(width, 0),
            },
            other => {
                let mut known: FxHashMap<Operand, Operand> = FxHashMap::default();
                other.uses(|operand| {
                    known.insert(operand, self.shadow(operand, regs));
                });
                let shadow = |operand: Operand| known.get(&operand).copied().unwrap_or(operand);
                // Inputs that are unset are unset as a whole.
                let all = number(width, u128::MAX);
                self.code.result(other, &shadow).unwrap_or(all)
            }
        }
    }

    fn fill(&mut self, ptr: Operand, byte: Operand, len: Operand) {
        if !is_zero(byte) {
            self.code
                .emit(Inst::Shadow(Shadow::Fill { ptr, byte, len }));
        }
    }

    /// A call with the shadows of arguments and results.
    fn call(&mut self, call: &Call, before: &Regs, regs: &Regs) {
        let mut call = call.clone();
        let callee = call.callee.0 as usize;
        if self.maybe.is_entry(call.callee) {
            for arg in call.args.clone() {
                self.require(arg, BailKind::Uninitialised, UNSET, &mut before.clone());
            }
        }
        let params = self.maybe.params[callee].iter().enumerate();
        let params: Vec<usize> = params.filter(|(_, u)| **u).map(|(i, _)| i).collect();
        for i in params {
            let shadow = match call.args.get(i) {
                Some(arg) => self.shadow(*arg, before),
                None => number(1, 0),
            };
            call.args.push(shadow);
        }
        let own = call.results.clone();
        let mut passed = Vec::new();
        for (i, unset) in self.maybe.results[callee].iter().enumerate() {
            if let (true, Some(dst)) = (*unset, own.get(i)) {
                let width = self.code.width_of(Operand::Reg(*dst));
                let shadow = match self.shadows.get(dst) {
                    Some(shadow) => *shadow,
                    None => self.code.temp(width),
                };
                call.results.push(shadow);
                passed.push(*dst);
            }
        }
        self.code.emit(Inst::Call(Box::new(call)));
        for dst in own {
            if !passed.contains(&dst) {
                self.assign(dst, None, regs);
            }
        }
    }

    /// Checks the texts that a call prints, in loops over their bytes.
    fn texts(&mut self, what: &Print, args: &[(Operand, Sort)]) {
        let texts = texts(self.program, what, args);
        let may_be_unset = |maybe: &Maybe<'_>, id: FnId, at: &usize| {
            let text = args.get(*at).map(|(text, _)| *text);
            text.filter(|text| maybe.memory(id, *text))
        };
        let unknown = texts.listed && self.maybe.any_memory()
            || (texts.part.iter()).any(|at| may_be_unset(self.maybe, self.id, at).is_some());
        if unknown {
            self.code.emit(Inst::Shadow(Shadow::Require {
                shadow: number(1, 1),
                width: 1,
                kind: BailKind::Unsupported,
                what: PRINTED,
            }));
        }
        for at in &texts.whole {
            if let Some(text) = may_be_unset(self.maybe, self.id, at) {
                self.scan(text);
            }
        }
    }

    /// Requires that the bytes of a text are set.
    fn scan(&mut self, text: Operand) {
        let place = self.code.place;
        let width = self.program.pointer_bits;
        let index = self.code.temp(width);
        self.code.emit(Inst::Copy {
            dst: index,
            src: number(width, 0),
        });
        let to = |block: BlockId| Target {
            block,
            copies: Vec::new(),
        };
        let (head, next, after) = (self.new_block(), self.new_block(), self.new_block());
        self.finish(Terminator::Goto(to(head)), place);
        self.current = head;
        let dst = Reg(self.code.regs.len() as u32);
        self.code.regs.push(RegInfo {
            sort: Sort::Ptr,
            name: "text".into(),
            variable: None,
        });
        self.code.emit(Inst::PtrAdd {
            dst,
            base: text,
            offset: 0,
            index: Operand::Reg(index),
            width,
            scale: 1,
        });
        let ptr = Operand::Reg(dst);
        let (shadow, byte) = (self.code.temp(8), self.code.temp(8));
        self.code.emit(Inst::Load {
            dst: byte,
            sort: Sort::Int(8),
            ptr,
            other: Other::default(),
        });
        self.code.emit(Inst::Shadow(Shadow::Load {
            dst: shadow,
            width: 8,
            ptr,
        }));
        self.code.emit(Inst::Shadow(Shadow::Require {
            shadow: Operand::Reg(shadow),
            width: 8,
            kind: BailKind::Uninitialised,
            what: UNSET,
        }));
        let cond = (self.code).compare(Relation::Eq, 8, Operand::Reg(byte), number(8, 0));
        let end = Terminator::Branch {
            cond,
            then: to(after),
            other: to(next),
        };
        self.finish(end, place);
        self.current = next;
        let one = number(width, 1);
        let more = (self.code).int(IntOp::Add, width, Operand::Reg(index), one);
        self.code.emit(Inst::Copy {
            dst: index,
            src: more,
        });
        self.finish(Terminator::Goto(to(head)), place);
        self.current = after;
    }
}
