//! Liveness: which registers a location's future can read.
//!
//! States are stored and predicates are chosen over live registers only, and
//! code whose result nobody reads goes away.

use crate::program::*;

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegSet(Vec<u64>);

impl RegSet {
    /// The empty set over so many registers.
    pub fn new(regs: usize) -> RegSet {
        RegSet(vec![0; regs.div_ceil(64)])
    }

    /// Adds a register.
    pub fn insert(&mut self, reg: Reg) {
        self.0[reg.0 as usize / 64] |= 1 << (reg.0 % 64);
    }

    /// Removes a register.
    pub fn remove(&mut self, reg: Reg) {
        self.0[reg.0 as usize / 64] &= !(1 << (reg.0 % 64));
    }

    /// Whether a register is in it.
    pub fn contains(&self, reg: Reg) -> bool {
        self.0[reg.0 as usize / 64] >> (reg.0 % 64) & 1 == 1
    }

    /// Adds all of another set; says whether anything was new.
    pub fn union(&mut self, other: &RegSet) -> bool {
        let mut grew = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grew |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    /// The registers in order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| Reg(i as u32 * 64 + bit))
        })
    }
}

/// What is live at the start of each block, after its phi copies.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<RegSet>,
    regs: usize,
}

impl Liveness {
    /// Analyses a function.
    pub fn of(function: &Function) -> Liveness {
        let regs = function.regs.len();
        let mut live = Liveness {
            live_in: vec![RegSet::new(regs); function.blocks.len()],
            regs,
        };
        let predecessors = predecessors(function);
        let mut queued = vec![true; function.blocks.len()];
        let mut work: Vec<usize> = (0..function.blocks.len()).collect();
        while let Some(at) = work.pop() {
            queued[at] = false;
            let block = &function.blocks[at];
            let mut set = live.at_end(block);
            for inst in block.insts.iter().rev() {
                step(inst, &mut set);
            }
            if live.live_in[at].union(&set) {
                for p in &predecessors[at] {
                    let p = p.0 as usize;
                    if !queued[p] {
                        queued[p] = true;
                        work.push(p);
                    }
                }
            }
        }
        live
    }

    /// What is live before the terminator of a block.
    pub fn at_end(&self, block: &Block) -> RegSet {
        let mut set = RegSet::new(self.regs);
        block.end.targets(|target| {
            let mut through = self.live_in[target.block.0 as usize].clone();
            for (dst, _) in &target.copies {
                through.remove(*dst);
            }
            for (dst, src) in &target.copies {
                if self.live_in[target.block.0 as usize].contains(*dst) {
                    insert(*src, &mut through);
                }
            }
            set.union(&through);
        });
        match &block.end {
            Terminator::Branch { cond: a, .. }
            | Terminator::Switch { value: a, .. }
            | Terminator::PtrSwitch { ptr: a, .. }
            | Terminator::Halt(_, Some(a)) => insert(*a, &mut set),
            Terminator::Return(values) => values.iter().for_each(|a| insert(*a, &mut set)),
            _ => {}
        }
        set
    }

    /// What is live before an instruction of a block.
    pub fn before(&self, function: &Function, block: BlockId, index: usize) -> RegSet {
        let code = function.block(block);
        let mut set = self.at_end(code);
        for inst in code.insts[index..].iter().rev() {
            step(inst, &mut set);
        }
        set
    }

    /// Whether a register is live at the start of a block.
    pub fn is_live_in(&self, block: BlockId, reg: Reg) -> bool {
        self.live_in[block.0 as usize].contains(reg)
    }
}

/// Goes back over an instruction.
pub(crate) fn step(inst: &Inst, set: &mut RegSet) {
    inst.defs(|dst| set.remove(dst));
    inst.uses(|a| insert(a, set));
}

fn insert(operand: Operand, set: &mut RegSet) {
    if let Operand::Reg(reg) = operand {
        set.insert(reg);
    }
}

/// Who goes to each block; a block that goes twice is listed twice.
pub fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); function.blocks.len()];
    for (i, block) in function.blocks.iter().enumerate() {
        block
            .end
            .targets(|t| all[t.block.0 as usize].push(BlockId(i as u32)));
    }
    all
}
