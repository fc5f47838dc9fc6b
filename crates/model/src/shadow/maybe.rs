//! What may be unset: registers at each point of the code, parameters, results, promoted globals,
//! and the contents of abstract objects.
//!
//! One fixpoint over the whole program. It starts from the variables before their first assignment
//! and from new objects that are not written at once, and follows values forward. What is not in
//! the result is set in every run, so it needs no shadow. After a check of a register it is set.

use crate::points_to::{PointsTo, Site, SiteKind, unwritten};
use crate::program::*;
use rustc_hash::FxHashSet;

/// The registers that may be unset at a point.
pub(super) type Regs = FxHashSet<Reg>;

/// The operands that an instruction requires to be set.
pub(super) fn required(inst: &Inst) -> Vec<Operand> {
    match inst {
        Inst::Load { ptr, .. } | Inst::Store { ptr, .. } | Inst::Free { ptr, .. } => vec![*ptr],
        Inst::Alloc { size, .. } => vec![*size],
        Inst::Realloc { ptr, size, .. } => vec![*ptr, *size],
        Inst::MemCopy { dst, src, len, .. } => vec![*dst, *src, *len],
        Inst::MemSet { dst, len, .. } => vec![*dst, *len],
        Inst::Assume { cond } => vec![*cond],
        Inst::VaStart { list, .. } => vec![*list],
        Inst::Print { args, .. } => args.iter().map(|(a, _)| *a).collect(),
        Inst::Call(call) => call.varargs.iter().map(|(a, _)| *a).collect(),
        _ => Vec::new(),
    }
}

/// What may be unset, for the whole program.
pub(super) struct Maybe<'p> {
    program: &'p Program,
    points_to: PointsTo,
    /// Parameters, by function.
    pub params: Vec<Vec<bool>>,
    /// Results, by function.
    pub results: Vec<Vec<bool>>,
    /// Promoted globals.
    pub globals: Vec<bool>,
    sites: Vec<bool>,
    /// Whether an unset value may be stored anywhere.
    anywhere: bool,
    changed: bool,
}

impl<'p> Maybe<'p> {
    /// The least solution.
    pub fn of(program: &'p Program) -> Maybe<'p> {
        let points_to = PointsTo::of(program);
        let functions = program.functions.iter();
        let params = functions.clone().map(|f| vec![false; f.params as usize]);
        let results = functions.map(|f| vec![false; f.results.len()]);
        let mut all = Maybe {
            program,
            params: params.collect(),
            results: results.collect(),
            globals: vec![false; program.globals.len()],
            sites: vec![false; points_to.sites.len()],
            anywhere: false,
            changed: true,
            points_to,
        };
        all.new_objects();
        while std::mem::take(&mut all.changed) {
            for id in 0..program.functions.len() as u32 {
                all.entries(FnId(id));
            }
        }
        all
    }

    /// Whether any memory may be unset.
    pub fn any_memory(&self) -> bool {
        self.anywhere || self.sites.contains(&true)
    }

    /// Whether a function is the entry, which nothing passes unset values to and whose result is
    /// the status of the program.
    pub fn is_entry(&self, function: FnId) -> bool {
        function == self.program.entry
    }

    /// Whether a function is the caller that attest made for the entry: what it allocates is the
    /// environment's.
    pub fn is_caller(&self, function: FnId) -> bool {
        self.is_entry(function) && self.program.caller.is_some()
    }

    fn new_objects(&mut self) {
        for (i, kind) in self.points_to.sites.iter().enumerate() {
            let SiteKind::Made {
                function,
                block,
                index,
            } = kind
            else {
                continue;
            };
            let block = self.program.function(*function).block(*block);
            self.sites[i] = match &block.insts[*index as usize] {
                Inst::Alloc { .. } if self.is_caller(*function) => false,
                Inst::Alloc { size, zeroed, .. } => {
                    let bits = self.program.pointer_bits;
                    let written = |size| unwritten(block, *index as usize, size, bits).is_empty();
                    let at_once = match size {
                        Operand::Const(Constant::Int { value, .. }) => {
                            u64::try_from(*value).is_ok_and(written)
                        }
                        _ => false,
                    };
                    !zeroed && !at_once
                }
                Inst::Realloc { .. } => true,
                _ => false,
            };
        }
    }

    /// Whether memory at a pointer may be unset.
    pub fn memory(&self, function: FnId, ptr: Operand) -> bool {
        match ptr {
            Operand::Const(Constant::Ptr { object, offset }) => {
                let place = self.points_to.static_place(object, offset);
                self.anywhere || place.is_some_and(|place| self.sites[place.site.0 as usize])
            }
            Operand::Const(_) => false,
            Operand::Reg(reg) => {
                let places = self.points_to.register(function, reg);
                let held = |site: Site| self.sites[site.0 as usize];
                match places.anywhere {
                    true => self.any_memory(),
                    false => self.anywhere || places.list.iter().any(|place| held(place.site)),
                }
            }
        }
    }

    fn store(&mut self, function: FnId, ptr: Operand) {
        let before = self.any_memory();
        let sites: Vec<Site> = match ptr {
            Operand::Const(Constant::Ptr { object, offset }) => {
                let place = self.points_to.static_place(object, offset);
                place.map(|place| place.site).into_iter().collect()
            }
            Operand::Const(_) => Vec::new(),
            Operand::Reg(reg) => {
                let places = self.points_to.register(function, reg);
                if places.anywhere {
                    self.changed |= !std::mem::replace(&mut self.anywhere, true);
                }
                places.list.iter().map(|place| place.site).collect()
            }
        };
        for site in sites {
            self.changed |= !std::mem::replace(&mut self.sites[site.0 as usize], true);
        }
        self.changed |= before != self.any_memory();
    }

    fn note(list: &mut [bool], at: usize, changed: &mut bool) {
        if let Some(known) = list.get_mut(at) {
            *changed |= !std::mem::replace(known, true);
        }
    }

    /// The registers that may be unset at the start of each block; none for blocks that are not
    /// reached.
    pub fn entries(&mut self, id: FnId) -> Vec<Option<Regs>> {
        let program = self.program;
        let function = program.function(id);
        let mut entries: Vec<Option<Regs>> = vec![None; function.blocks.len()];
        let given = self.params[id.0 as usize].iter().enumerate();
        let given = given.filter(|(_, maybe)| **maybe);
        entries[0] = Some(given.map(|(i, _)| Reg(i as u32)).collect());
        let mut work = vec![BlockId(0)];
        while let Some(at) = work.pop() {
            let Some(mut regs) = entries[at.0 as usize].clone() else {
                continue;
            };
            let block = function.block(at);
            for inst in &block.insts {
                self.after(id, inst, &mut regs);
            }
            self.before_end(id, &block.end, &mut regs);
            block.end.targets(|target| {
                let next = passed(target, &regs);
                let known = &mut entries[target.block.0 as usize];
                let grown = match known {
                    None => {
                        *known = Some(next);
                        true
                    }
                    Some(known) => {
                        let before = known.len();
                        known.extend(next);
                        known.len() > before
                    }
                };
                if grown {
                    work.push(target.block);
                }
            });
        }
        entries
    }

    /// The registers that may be unset after an instruction.
    pub fn after(&mut self, id: FnId, inst: &Inst, regs: &mut Regs) {
        let maybe = |regs: &Regs, a: Operand| matches!(a, Operand::Reg(r) if regs.contains(&r));
        for operand in required(inst) {
            if let Operand::Reg(reg) = operand {
                regs.remove(&reg);
            }
        }
        let unset = match inst {
            Inst::Input { kind, .. } => matches!(kind, InputKind::Uninit(_) | InputKind::Undef),
            Inst::Load { ptr, .. } => self.memory(id, *ptr),
            Inst::GetGlobal { global, .. } => self.globals[global.0 as usize],
            Inst::SetGlobal { global, src } => {
                if maybe(regs, *src) {
                    Maybe::note(&mut self.globals, global.0 as usize, &mut self.changed);
                }
                return;
            }
            Inst::Store { ptr, src, .. } => {
                if maybe(regs, *src) {
                    self.store(id, *ptr);
                }
                return;
            }
            Inst::MemCopy { dst, src, .. } => {
                if self.memory(id, *src) {
                    self.store(id, *dst);
                }
                return;
            }
            Inst::MemSet { dst, byte, .. } => {
                if maybe(regs, *byte) {
                    self.store(id, *dst);
                }
                return;
            }
            Inst::Call(call) => {
                for (i, arg) in call.args.iter().enumerate() {
                    if maybe(regs, *arg) && !self.is_entry(call.callee) {
                        let params = &mut self.params[call.callee.0 as usize];
                        Maybe::note(params, i, &mut self.changed);
                    }
                }
                for (i, dst) in call.results.iter().enumerate() {
                    let results = &self.results[call.callee.0 as usize];
                    match results.get(i).copied().unwrap_or(false) {
                        true => regs.insert(*dst),
                        false => regs.remove(dst),
                    };
                }
                return;
            }
            // What these give is set.
            Inst::Alloc { .. } | Inst::Realloc { .. } | Inst::Print { .. } => false,
            // A multiple of nothing.
            Inst::PtrAdd { base, scale: 0, .. } => maybe(regs, *base),
            other => {
                let mut any = false;
                other.uses(|operand| any |= maybe(regs, operand));
                any
            }
        };
        if let Some(dst) = inst.dst() {
            match unset {
                true => regs.insert(dst),
                false => regs.remove(&dst),
            };
        }
    }

    /// The operands that the end of a block requires to be set.
    pub fn required_at_end(&self, id: FnId, end: &Terminator) -> Vec<Operand> {
        match end {
            Terminator::Branch { cond: a, .. }
            | Terminator::Switch { value: a, .. }
            | Terminator::PtrSwitch { ptr: a, .. }
            | Terminator::Halt(Halt::Exit, Some(a)) => vec![*a],
            Terminator::Return(values) if self.is_entry(id) && !self.is_caller(id) => {
                values.clone()
            }
            _ => Vec::new(),
        }
    }

    fn before_end(&mut self, id: FnId, end: &Terminator, regs: &mut Regs) {
        for operand in self.required_at_end(id, end) {
            if let Operand::Reg(reg) = operand {
                regs.remove(&reg);
            }
        }
        if let Terminator::Return(values) = end
            && !self.is_entry(id)
        {
            for (i, value) in values.iter().enumerate() {
                if matches!(value, Operand::Reg(reg) if regs.contains(reg)) {
                    let results = &mut self.results[id.0 as usize];
                    Maybe::note(results, i, &mut self.changed);
                }
            }
        }
    }
}

/// The registers that may be unset after a jump.
fn passed(target: &Target, regs: &Regs) -> Regs {
    let mut next = regs.clone();
    for (dst, src) in &target.copies {
        match src {
            Operand::Reg(src) if regs.contains(src) => next.insert(*dst),
            _ => next.remove(dst),
        };
    }
    next
}
