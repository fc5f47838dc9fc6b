//! The definition of a local value dominates every use.
//!
//! Later stages keep values in slots and never check whether a slot was written; this check
//! justifies it. Dominators are computed by the iteration of Cooper, Harvey and Kennedy ("A Simple,
//! Fast Dominance Algorithm"); unreachable blocks are not checked, as in LLVM.

use super::{Reader, Res};
use crate::ir::{Block, ConstId, Function, InstKind, LocalId, MdId, Operand, Ty};
use crate::lexer::Pos;
use crate::visit::{self, Visit};

const NONE: u32 = u32::MAX;

/// The dominator tree, as the intervals of a traversal.
struct Tree {
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Tree {
    fn new(blocks: &[Block]) -> Tree {
        let successors: Vec<Vec<u32>> = blocks
            .iter()
            .map(|b| {
                b.insts
                    .last()
                    .map(|i| i.kind.successors())
                    .unwrap_or_default()
            })
            .map(|list| list.iter().map(|b| b.0).collect())
            .collect();
        let order = post_order(&successors);
        let mut number = vec![NONE; blocks.len()];
        for (&block, i) in order.iter().zip(0..) {
            number[block as usize] = i;
        }
        let mut preds = vec![Vec::new(); blocks.len()];
        for &block in &order {
            for &next in &successors[block as usize] {
                preds[next as usize].push(block);
            }
        }
        let idom = immediate_dominators(&order, &number, &preds);
        let mut children = vec![Vec::new(); blocks.len()];
        for &block in order.iter().filter(|&&block| block != 0) {
            children[idom[block as usize] as usize].push(block);
        }
        Tree::walk(&children)
    }

    fn walk(children: &[Vec<u32>]) -> Tree {
        let mut tree = Tree {
            enter: vec![NONE; children.len()],
            leave: vec![NONE; children.len()],
        };
        let mut clock = 0;
        let mut stack = vec![(0u32, 0usize)];
        while let Some((block, child)) = stack.last_mut() {
            let at = *block as usize;
            if *child == 0 {
                tree.enter[at] = clock;
                clock += 1;
            }
            match children[at].get(*child) {
                Some(&next) => {
                    *child += 1;
                    stack.push((next, 0));
                }
                None => {
                    tree.leave[at] = clock;
                    stack.pop();
                }
            }
        }
        tree
    }

    fn reachable(&self, block: u32) -> bool {
        self.enter[block as usize] != NONE
    }

    /// Whether every path to `b` passes through `a`.
    fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.enter[a] != NONE && self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }
}

/// The reachable blocks in postorder.
fn post_order(successors: &[Vec<u32>]) -> Vec<u32> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let mut stack = vec![(0u32, 0usize)];
    seen[0] = true;
    while let Some((block, child)) = stack.last_mut() {
        match successors[*block as usize].get(*child) {
            Some(&next) => {
                *child += 1;
                if !std::mem::replace(&mut seen[next as usize], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

fn immediate_dominators(order: &[u32], number: &[u32], preds: &[Vec<u32>]) -> Vec<u32> {
    let mut idom = vec![NONE; number.len()];
    idom[0] = 0;
    loop {
        let mut changed = false;
        for &block in order.iter().rev().filter(|&&block| block != 0) {
            let mut new = NONE;
            for &pred in preds[block as usize]
                .iter()
                .filter(|&&p| idom[p as usize] != NONE)
            {
                new = match new {
                    NONE => pred,
                    _ => intersect(pred, new, &idom, number),
                };
            }
            if idom[block as usize] != new {
                idom[block as usize] = new;
                changed = true;
            }
        }
        if !changed {
            return idom;
        }
    }
}

fn intersect(mut a: u32, mut b: u32, idom: &[u32], number: &[u32]) -> u32 {
    while a != b {
        while number[a as usize] < number[b as usize] {
            a = idom[a as usize];
        }
        while number[b as usize] < number[a as usize] {
            b = idom[b as usize];
        }
    }
    a
}

/// Collects the local values that an instruction uses.
struct Uses(Vec<LocalId>);

impl Visit for Uses {
    fn ty(&mut self, _: &mut Ty) {}

    fn constant(&mut self, _: &mut ConstId) {}

    fn metadata(&mut self, _: &mut MdId) {}

    fn operand(&mut self, operand: &mut Operand) {
        if let Operand::Local(id) = operand {
            self.0.push(*id);
        }
    }
}

impl Reader<'_> {
    /// Checks a body whose blocks are already positions.
    pub(super) fn check_dominance(&self, function: &Function, blocks: &mut [Block]) -> Res<()> {
        let tree = Tree::new(blocks);
        // Parameters have no position: they are always defined.
        let mut places = vec![None; function.locals.len()];
        for (block, i) in blocks.iter().zip(0u32..) {
            for (inst, j) in block.insts.iter().zip(0u32..) {
                if let Some(id) = inst.result {
                    places[id.0 as usize] = Some((i, j));
                }
            }
        }
        let fail = |id: LocalId, line| {
            let name = format!("%{}", function.locals[id.0 as usize].name);
            let message = "this value is used where it may not be defined";
            Err(self.fail_at(Pos { line, column: 1 }, &name, message))
        };
        let mut uses = Uses(Vec::new());
        for (block, i) in blocks.iter_mut().zip(0u32..) {
            if !tree.reachable(i) {
                continue;
            }
            for (inst, j) in block.insts.iter_mut().zip(0u32..) {
                match &mut inst.kind {
                    InstKind::Dbg(_) => {}
                    InstKind::Phi { incoming, .. } => {
                        for &(value, from) in incoming.iter() {
                            let Operand::Local(id) = value else { continue };
                            let Some((def, _)) = places[id.0 as usize] else {
                                continue;
                            };
                            if tree.reachable(from.0) && !tree.dominates(def, from.0) {
                                return fail(id, inst.line);
                            }
                        }
                    }
                    kind => {
                        visit::instruction(kind, &mut uses);
                        for id in uses.0.drain(..) {
                            let Some((def, at)) = places[id.0 as usize] else {
                                continue;
                            };
                            let before = if def == i {
                                at < j
                            } else {
                                tree.dominates(def, i)
                            };
                            if !before {
                                return fail(id, inst.line);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
