//! Liveness: the registers that later code may read.
//!
//! States are stored and predicates are chosen over live registers only, and code with an unread
//! result is removed.
//!
//! Most registers of a big function are live in few of its blocks, so the analysis goes backwards
//! from each use to the definitions that reach it. Its cost is proportional to the result; sets of
//! all registers at all blocks would not fit in memory.

use crate::program::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegSet(BTreeSet<Reg>);

impl RegSet {
    /// Adds a register.
    pub fn insert(&mut self, reg: Reg) {
        self.0.insert(reg);
    }

    /// Removes a register.
    pub fn remove(&mut self, reg: Reg) {
        self.0.remove(&reg);
    }

    /// Whether it contains a register.
    pub fn contains(&self, reg: Reg) -> bool {
        self.0.contains(&reg)
    }

    /// The registers in order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.0.iter().copied()
    }
}

/// The live registers at the start of each block, after its phi copies.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// In order, for each block.
    live_in: Vec<Vec<Reg>>,
}

impl Liveness {
    /// Analyses a function.
    pub fn of(function: &Function) -> Liveness {
        let mut search = Search::new(function);
        search.start_at_uses(function);
        search.propagate();
        let mut live_in = vec![Vec::new(); function.blocks.len()];
        for (block, reg) in search.live {
            live_in[block.0 as usize].push(reg);
        }
        live_in.iter_mut().for_each(|regs| regs.sort_unstable());
        Liveness { live_in }
    }

    /// The live registers before the terminator of a block.
    pub fn at_end(&self, block: &Block) -> RegSet {
        let mut set = RegSet::default();
        block.end.targets(|target| {
            let written = |reg: &Reg| target.copies.iter().any(|(dst, _)| dst == reg);
            let live_in = &self.live_in[target.block.0 as usize];
            set.0.extend(live_in.iter().filter(|reg| !written(reg)));
        });
        block.end.targets(|target| {
            for (dst, src) in &target.copies {
                if self.is_live_in(target.block, *dst) {
                    insert(*src, &mut set);
                }
            }
        });
        block.end.own_uses(|a| insert(a, &mut set));
        set
    }

    /// The live registers before an instruction of a block.
    pub fn before(&self, function: &Function, block: BlockId, index: usize) -> RegSet {
        let code = function.block(block);
        let mut set = self.at_end(code);
        for inst in code.insts[index..].iter().rev() {
            step(inst, &mut set);
        }
        set
    }

    /// The live registers before each of these instructions of a block, given in order, by one walk
    /// over the block.
    pub fn before_each(
        &self,
        function: &Function,
        block: BlockId,
        indices: &[usize],
    ) -> Vec<Vec<Reg>> {
        let code = function.block(block);
        let mut set = self.at_end(code);
        let mut end = code.insts.len();
        let mut found = Vec::with_capacity(indices.len());
        for &index in indices.iter().rev() {
            for inst in code.insts[index..end].iter().rev() {
                step(inst, &mut set);
            }
            end = index;
            found.push(set.iter().collect());
        }
        found.reverse();
        found
    }

    /// The registers that are live at the start of a block, in order.
    pub fn live_in(&self, block: BlockId) -> &[Reg] {
        &self.live_in[block.0 as usize]
    }

    /// Whether a register is live at the start of a block.
    pub fn is_live_in(&self, block: BlockId, reg: Reg) -> bool {
        self.live_in(block).binary_search(&reg).is_ok()
    }
}

/// The search for live registers, from uses back to definitions.
struct Search<'f> {
    /// The edges into each block.
    incoming: Vec<Vec<(BlockId, &'f Target)>>,
    /// Which blocks write a register by an instruction.
    written: FxHashSet<(BlockId, Reg)>,
    /// Which registers are live at the start of a block.
    live: FxHashSet<(BlockId, Reg)>,
    /// Those of them whose incoming edges are still to be followed.
    work: Vec<(BlockId, Reg)>,
}

impl<'f> Search<'f> {
    fn new(function: &'f Function) -> Search<'f> {
        let mut incoming: Vec<Vec<(BlockId, &Target)>> = vec![Vec::new(); function.blocks.len()];
        for (i, block) in function.blocks.iter().enumerate() {
            let from = BlockId(i as u32);
            block.end.targets(|target| {
                let edges = &mut incoming[target.block.0 as usize];
                // Cases of a switch often share a target.
                let again = |(b, t): &(BlockId, &Target)| *b == from && t.copies == target.copies;
                if !edges.last().is_some_and(again) {
                    edges.push((from, target));
                }
            });
        }
        Search {
            incoming,
            written: FxHashSet::default(),
            live: FxHashSet::default(),
            work: Vec::new(),
        }
    }

    /// Records what each block reads before writing it, and what it writes.
    fn start_at_uses(&mut self, function: &Function) {
        for (i, block) in function.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            for inst in &block.insts {
                inst.uses(|a| self.used_at_end(id, a));
                inst.defs(|dst| {
                    self.written.insert((id, dst));
                });
            }
            block.end.own_uses(|a| self.used_at_end(id, a));
        }
    }

    /// An operand that is read after the block's known writes.
    fn used_at_end(&mut self, block: BlockId, a: Operand) {
        if let Operand::Reg(reg) = a
            && !self.written.contains(&(block, reg))
            && self.live.insert((block, reg))
        {
            self.work.push((block, reg));
        }
    }

    fn propagate(&mut self) {
        while let Some((block, reg)) = self.work.pop() {
            for i in 0..self.incoming[block.0 as usize].len() {
                let (from, target) = self.incoming[block.0 as usize][i];
                let copy = target.copies.iter().find(|(dst, _)| *dst == reg);
                let read = copy.map_or(Operand::Reg(reg), |(_, src)| *src);
                self.used_at_end(from, read);
            }
        }
    }
}

/// Steps backwards over an instruction.
pub(crate) fn step(inst: &Inst, set: &mut RegSet) {
    inst.defs(|dst| set.remove(dst));
    inst.uses(|a| insert(a, set));
}

fn insert(operand: Operand, set: &mut RegSet) {
    if let Operand::Reg(reg) = operand {
        set.insert(reg);
    }
}

/// The predecessors of each block; a block with two edges is listed twice.
pub fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); function.blocks.len()];
    for (i, block) in function.blocks.iter().enumerate() {
        block
            .end
            .targets(|t| all[t.block.0 as usize].push(BlockId(i as u32)));
    }
    all
}
