//! Cut points: the positions of a function where states are compared with regions.
//!
//! The entry, every loop head, and both sides of each call are mandatory. The others are a choice
//! of granularity, made only here: the graph is the same construction over any set of cut points.
//! `insn` is the DASH paper's statement, `basic` the Aalto thesis's block, `large` the acyclic
//! piece between mandatory points (Beyer et al., FMCAD 2009), cut again at a join where it grows
//! too big for one formula.

use crate::liveness::predecessors;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Size of the steps between locations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Granularity {
    /// One instruction.
    Insn,
    /// One basic block.
    Basic,
    /// Everything between loop heads and calls, up to [`MOST_BLOCKS`].
    #[default]
    Large,
}

/// The number of basic blocks in one step at granularity `large` above which a join inside it
/// becomes a cut point.
pub const MOST_BLOCKS: usize = 25;

/// A position in a function: before the instruction of this index, or before
/// the terminator where the index is the number of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The block.
    pub block: BlockId,
    /// The instruction.
    pub index: u32,
}

impl Position {
    /// The start of a block, after its phi copies.
    pub fn start(block: BlockId) -> Position {
        Position { block, index: 0 }
    }
}

/// The cut points of a function.
pub fn cut_points(function: &Function, granularity: Granularity) -> BTreeSet<Position> {
    let walk = Walk::of(function);
    let mut cuts = BTreeSet::from([Position::start(BlockId(0))]);
    cuts.extend(walk.heads.iter().copied().map(Position::start));
    for (b, block) in function.blocks.iter().enumerate() {
        let block_id = BlockId(b as u32);
        for (i, inst) in block.insts.iter().enumerate() {
            let index = i as u32;
            if matches!(inst, Inst::Call(_)) {
                cuts.insert(Position {
                    block: block_id,
                    index,
                });
                cuts.insert(Position {
                    block: block_id,
                    index: index + 1,
                });
            }
        }
        match granularity {
            Granularity::Insn => {
                let all = 0..=block.insts.len() as u32;
                cuts.extend(all.map(|index| Position {
                    block: block_id,
                    index,
                }));
            }
            Granularity::Basic => {
                cuts.insert(Position::start(block_id));
            }
            Granularity::Large => {}
        }
    }
    if granularity == Granularity::Large {
        bound_steps(function, &walk, &mut cuts);
    }
    cuts
}

/// Targets of edges that close a cycle in a depth-first walk. Every cycle has one, also in
/// irreducible graphs.
pub fn loop_heads(function: &Function) -> BTreeSet<BlockId> {
    Walk::of(function).heads
}

/// A depth-first walk from the entry.
struct Walk {
    /// Targets of edges that close a cycle.
    heads: BTreeSet<BlockId>,
    /// Position of each block in an order that all other edges follow; unreachable blocks come
    /// last.
    rank: Vec<u32>,
}

impl Walk {
    fn of(function: &Function) -> Walk {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let count = function.blocks.len();
        let mut walk = Walk {
            heads: BTreeSet::new(),
            rank: vec![count as u32; count],
        };
        let mut left = count as u32;
        let mut marks = vec![Mark::New; count];
        let mut stack = vec![(BlockId(0), successors(function, BlockId(0)), 0)];
        marks[0] = Mark::Open;
        while let Some((block, next, at)) = stack.last_mut() {
            let Some(&to) = next.get(*at) else {
                left -= 1;
                walk.rank[block.0 as usize] = left;
                marks[block.0 as usize] = Mark::Done;
                stack.pop();
                continue;
            };
            *at += 1;
            match marks[to.0 as usize] {
                Mark::New => {
                    marks[to.0 as usize] = Mark::Open;
                    stack.push((to, successors(function, to), 0));
                }
                Mark::Open => {
                    walk.heads.insert(to);
                }
                Mark::Done => {}
            }
        }
        walk
    }
}

pub(crate) fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    let mut out = Vec::new();
    function.block(block).end.targets(|t| out.push(t.block));
    out
}

/// Adds cut points at joins inside steps with too many blocks, until there are none.
fn bound_steps(function: &Function, walk: &Walk, cuts: &mut BTreeSet<Position>) {
    let joins: Vec<bool> = predecessors(function).iter().map(|p| p.len() > 1).collect();
    let mut work: Vec<Position> = cuts.iter().copied().collect();
    while let Some(from) = work.pop() {
        while let Some(join) = oversized(function, walk, cuts, &joins, from) {
            cuts.insert(join);
            work.push(join);
        }
    }
}

/// A join that becomes a cut point if the step from a cut point is too big: of the joins that keep
/// the first part within bounds, the one where most paths meet, else the first one. The walk stops
/// as soon as the answer is known.
fn oversized(
    function: &Function,
    walk: &Walk,
    cuts: &BTreeSet<Position>,
    joins: &[bool],
    from: Position,
) -> Option<Position> {
    let mut paths = FxHashMap::from_iter([(from.block, 1u64)]);
    let mut ready = BTreeSet::from([(walk.rank[from.block.0 as usize], from.block)]);
    let mut best: Option<(u64, usize, BlockId)> = None;
    let mut at = 0;
    while let Some((_, block)) = ready.pop_first() {
        let here = paths[&block];
        let join = at > 0 && joins[block.0 as usize];
        if join && (at <= MOST_BLOCKS || best.is_none()) {
            best = best.max(Some((here, at, block)));
        }
        if at >= MOST_BLOCKS
            && let Some((_, _, block)) = best
        {
            return Some(Position::start(block));
        }
        at += 1;
        if leaves_step(function, cuts, from, block) {
            continue;
        }
        function.block(block).end.targets(|t| {
            if cuts.contains(&Position::start(t.block)) {
                return;
            }
            let count = paths.entry(t.block).or_insert_with(|| {
                ready.insert((walk.rank[t.block.0 as usize], t.block));
                0
            });
            *count = count.saturating_add(here);
        });
    }
    None
}

/// Whether a cut point inside the block ends every path through it.
fn leaves_step(
    function: &Function,
    cuts: &BTreeSet<Position>,
    from: Position,
    block: BlockId,
) -> bool {
    first_cut(function, cuts, from, block).is_some()
}

/// The first cut point of a block after its start (or after `from`, in its own block).
pub(crate) fn first_cut(
    function: &Function,
    cuts: &BTreeSet<Position>,
    from: Position,
    block: BlockId,
) -> Option<Position> {
    let after = if block == from.block {
        from.index + 1
    } else {
        0
    };
    let last = function.block(block).insts.len() as u32;
    if after > last {
        return None;
    }
    cuts.range(
        Position {
            block,
            index: after,
        }..=Position { block, index: last },
    )
    .next()
    .copied()
}

/// The blocks of a step from a cut point, in topological order, its own first.
pub fn step_blocks(function: &Function, cuts: &BTreeSet<Position>, from: Position) -> Vec<BlockId> {
    let inner = |block: BlockId| -> Vec<BlockId> {
        if leaves_step(function, cuts, from, block) {
            return Vec::new();
        }
        let mut next = successors(function, block);
        next.retain(|b| !cuts.contains(&Position::start(*b)));
        next
    };
    let mut seen = BTreeSet::from([from.block]);
    let mut order = Vec::new();
    let mut stack = vec![(from.block, inner(from.block), 0)];
    while let Some((block, next, at)) = stack.last_mut() {
        match next.get(*at) {
            Some(&to) => {
                *at += 1;
                if seen.insert(to) {
                    stack.push((to, inner(to), 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
