//! The weak topological order of a function's blocks (Bourdoncle, "Efficient chaotic iteration
//! strategies with widenings", 1993): loops as nested components, everything else in topological
//! order.
//!
//! Whoever executes blocks in this order, and repeats a component as long as something waits in
//! it, has all paths to a block together before it executes the block.

use crate::program::{BlockId, Function};
use rustc_hash::{FxHashMap, FxHashSet};

/// An element of the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A block outside of the loops below.
    Block(BlockId),
    /// A loop.
    Loop(Component),
}

/// A loop: a strongly connected part of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its first block. Every cycle of the component passes it or a head inside.
    pub head: BlockId,
    /// The order of its other blocks.
    pub body: Vec<Element>,
    /// All its blocks, in order of their numbers.
    pub blocks: Vec<BlockId>,
}

/// The order of the blocks that the entry of a function reaches.
pub fn weak_topological_order(function: &Function) -> Vec<Element> {
    let mut next: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    let mut work = vec![BlockId(0)];
    while let Some(block) = work.pop() {
        if next.contains_key(&block) {
            continue;
        }
        let mut targets = Vec::new();
        function
            .block(block)
            .end
            .targets(|target| targets.push(target.block));
        targets.dedup();
        work.extend(&targets);
        next.insert(block, targets);
    }
    let inside: FxHashSet<BlockId> = next.keys().copied().collect();
    order(&next, &inside, &[BlockId(0)])
}

/// The order of some blocks; these come first.
fn order(
    next: &FxHashMap<BlockId, Vec<BlockId>>,
    inside: &FxHashSet<BlockId>,
    first: &[BlockId],
) -> Vec<Element> {
    let mut out = Vec::new();
    for component in components(next, inside, first) {
        let head = component[0];
        let is_loop = component.len() > 1 || next[&head].contains(&head);
        if !is_loop {
            out.push(Element::Block(head));
            continue;
        }
        let rest: FxHashSet<BlockId> = component[1..].iter().copied().collect();
        let mut blocks = component;
        let starts: Vec<BlockId> = (next[&head].iter().copied())
            .chain(blocks[1..].iter().copied())
            .filter(|block| rest.contains(block))
            .collect();
        blocks.sort_unstable();
        out.push(Element::Loop(Component {
            head,
            body: order(next, &rest, &starts),
            blocks,
        }));
    }
    out
}

/// The strongly connected components of a part of the graph in topological order, each with the
/// block first that a search from these blocks meets first (Tarjan).
fn components(
    next: &FxHashMap<BlockId, Vec<BlockId>>,
    inside: &FxHashSet<BlockId>,
    first: &[BlockId],
) -> Vec<Vec<BlockId>> {
    struct Visit {
        index: usize,
        low: usize,
        is_open: bool,
    }
    let mut visits: FxHashMap<BlockId, Visit> = FxHashMap::default();
    let mut open: Vec<BlockId> = Vec::new();
    let mut out: Vec<Vec<BlockId>> = Vec::new();
    for &start in first {
        let mut path: Vec<(BlockId, usize)> = Vec::new();
        if inside.contains(&start) && !visits.contains_key(&start) {
            path.push((start, 0));
        }
        while let Some((block, at)) = path.last_mut() {
            let block = *block;
            if *at == 0 {
                let index = visits.len();
                let visit = Visit {
                    index,
                    low: index,
                    is_open: true,
                };
                visits.insert(block, visit);
                open.push(block);
            }
            let target = next[&block].get(*at).copied();
            *at += 1;
            match target {
                Some(target) if !inside.contains(&target) => {}
                Some(target) => match visits.get(&target) {
                    None => path.push((target, 0)),
                    Some(seen) if seen.is_open => {
                        let index = seen.index;
                        lower(visits.get_mut(&block).map(|v| &mut v.low), index);
                    }
                    Some(_) => {}
                },
                None => {
                    path.pop();
                    let (index, low) = (visits[&block].index, visits[&block].low);
                    if let Some((below, _)) = path.last() {
                        lower(visits.get_mut(below).map(|v| &mut v.low), low);
                    }
                    if index == low {
                        let from = open.iter().rposition(|b| *b == block).unwrap_or(0);
                        let component = open.split_off(from);
                        for member in &component {
                            if let Some(visit) = visits.get_mut(member) {
                                visit.is_open = false;
                            }
                        }
                        out.push(component);
                    }
                }
            }
        }
    }
    out.reverse();
    out
}

fn lower(low: Option<&mut usize>, to: usize) {
    if let Some(low) = low {
        *low = (*low).min(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Block, Operand, PlaceId, Target, Terminator};
    use std::sync::Arc;

    /// A function whose blocks have these successors.
    fn function(next: &[&[u32]]) -> Function {
        let target = |block: u32| Target {
            block: BlockId(block),
            copies: Vec::new(),
        };
        let blocks = next.iter().map(|targets| Block {
            insts: Vec::new(),
            places: Vec::new(),
            end: match targets {
                [] => Terminator::Return(Vec::new()),
                [one] => Terminator::Goto(target(*one)),
                [one, two] => Terminator::Branch {
                    cond: Operand::Const(crate::Constant::Int { width: 1, value: 1 }),
                    then: target(*one),
                    other: target(*two),
                },
                _ => panic!("two successors at most"),
            },
            end_place: PlaceId(0),
        });
        Function {
            name: Arc::from("f"),
            regs: Vec::new(),
            params: 0,
            varargs: false,
            results: Vec::new(),
            blocks: blocks.collect(),
            place: PlaceId(0),
            object: crate::ObjectId(0),
            synthetic: false,
        }
    }

    fn text(order: &[Element]) -> String {
        let words = order.iter().map(|element| match element {
            Element::Block(block) => block.0.to_string(),
            Element::Loop(inner) if inner.body.is_empty() => format!("({})", inner.head.0),
            Element::Loop(inner) => format!("({} {})", inner.head.0, text(&inner.body)),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn check(next: &[&[u32]], expected: &str) {
        let order = weak_topological_order(&function(next));
        assert_eq!(text(&order), expected);
    }

    #[test]
    fn straight_line_and_diamond() {
        check(&[&[1], &[2], &[]], "0 1 2");
        check(&[&[1, 2], &[3], &[3], &[]], "0 2 1 3");
    }

    #[test]
    fn loops_are_nested() {
        check(&[&[1], &[1, 2], &[]], "0 (1) 2");
        // An outer loop from 1 with an inner one from 2.
        check(
            &[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]],
            "0 (1 (2 3) 4) 5",
        );
    }

    #[test]
    fn two_entries_into_a_cycle() {
        check(&[&[1, 2], &[2], &[1, 3], &[]], "0 (1 2) 3");
    }
}
