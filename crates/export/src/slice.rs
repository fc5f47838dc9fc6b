//! What of a failing run led to its error: a dynamic slice.
//!
//! A run is recorded as events, each with what it read and wrote. Backwards
//! from the error, an event matters if it wrote what a later one that matters
//! reads, or decided whether that one happens (control dependence by
//! post-dominators, in the same activation). Presentation only: nothing is
//! concluded from what is left out.

use attest_model::{BlockId, Function, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that is written and read: a register of an activation, a global
/// register, or a byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    /// Activation and register.
    Reg(u32, u32),
    /// A global register.
    Global(u32),
    /// Object and offset.
    Byte(u32, u64),
}

/// An event of a run, as slicing sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// The activation.
    pub activation: u32,
    /// Its block.
    pub block: u32,
    /// It ends a block with a choice.
    pub decides: bool,
    /// It enters this activation.
    pub enters: Option<u32>,
    /// What it reads,
    pub reads: Vec<Cell>,
    /// and writes.
    pub writes: Vec<Cell>,
}

/// For each block, the blocks whose end decides whether it is executed.
pub(crate) fn control_dependence(function: &Function) -> Vec<Vec<u32>> {
    let count = function.blocks.len();
    let end = count;
    let mut after: Vec<Vec<usize>> = Vec::with_capacity(count);
    for block in &function.blocks {
        let mut targets = Vec::new();
        block
            .end
            .targets(|target| targets.push(target.block.0 as usize));
        if targets.is_empty() || matches!(block.end, Terminator::Return(_)) {
            targets.push(end);
        }
        after.push(targets);
    }
    let parents = post_dominators(&after, end);
    let mut out = vec![Vec::new(); count];
    for (block, targets) in after.iter().enumerate() {
        if targets.len() < 2 {
            continue;
        }
        for target in targets {
            let mut at = *target;
            // Up to the block's own post-dominator, everything depends on its choice.
            while at != end && Some(at) != parents[block] {
                if !out[at].contains(&(block as u32)) {
                    out[at].push(block as u32);
                }
                match parents[at] {
                    Some(next) if next != at => at = next,
                    _ => break,
                }
            }
        }
    }
    out
}

/// Immediate post-dominators by iteration (Cooper, Harvey, Kennedy). Blocks
/// from which no end is reached have none.
fn post_dominators(after: &[Vec<usize>], end: usize) -> Vec<Option<usize>> {
    let mut before = vec![Vec::new(); end + 1];
    for (block, targets) in after.iter().enumerate() {
        for target in targets {
            before[*target].push(block);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; end + 1];
    let mut stack = vec![(end, 0)];
    seen[end] = true;
    while let Some((at, next)) = stack.pop() {
        if let Some(&block) = before[at].get(next) {
            stack.push((at, next + 1));
            if !std::mem::replace(&mut seen[block], true) {
                stack.push((block, 0));
            }
        } else {
            order.push(at);
        }
    }
    let mut rank = vec![0; end + 1];
    for (i, block) in order.iter().enumerate() {
        rank[*block] = i;
    }
    let mut parents: Vec<Option<usize>> = vec![None; end + 1];
    parents[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|b| **b != end) {
            let mut new: Option<usize> = None;
            for &target in after[block].iter().filter(|t| seen[**t]) {
                if parents[target].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => target,
                    Some(known) => meet(&parents, &rank, known, target),
                });
            }
            if new.is_some() && parents[block] != new {
                parents[block] = new;
                changed = true;
            }
        }
    }
    parents
}

fn meet(parents: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] < rank[b] {
            match parents[a] {
                Some(next) if next != a => a = next,
                _ => return b,
            }
        }
        while rank[b] < rank[a] {
            match parents[b] {
                Some(next) if next != b => b = next,
                _ => return a,
            }
        }
        if rank[a] == rank[b] && a != b {
            return a;
        }
    }
    a
}

/// Which steps matter for the last one. `deciders` gives the blocks that
/// decide about a block of an activation.
pub(crate) fn slice(steps: &[Step], deciders: impl Fn(u32, BlockId) -> Vec<u32>) -> Vec<bool> {
    let mut matters = vec![false; steps.len()];
    let mut wanted: FxHashSet<Cell> = FxHashSet::default();
    // Blocks of activations whose last decision before here is wanted.
    let mut decisions: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut entered: FxHashSet<u32> = FxHashSet::default();
    let mut known: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
    for (i, step) in steps.iter().enumerate().rev() {
        let mut needed = i + 1 == steps.len();
        for cell in &step.writes {
            needed |= wanted.remove(cell);
        }
        if step.decides {
            needed |= decisions.remove(&(step.activation, step.block));
        }
        if let Some(activation) = step.enters {
            needed |= entered.remove(&activation);
        }
        if !needed {
            continue;
        }
        matters[i] = true;
        wanted.extend(&step.reads);
        entered.insert(step.activation);
        let at = (step.activation, step.block);
        let about = known
            .entry(at)
            .or_insert_with(|| deciders(step.activation, BlockId(step.block)));
        decisions.extend(about.iter().map(|block| (step.activation, *block)));
    }
    matters
}
