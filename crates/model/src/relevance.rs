//! Which conditions may matter to the property, by control dependence (the CD heuristic of the YOGI
//! study, section 5.2).
//!
//! An event is the error, an assignment to the state of a rule, or a call of a procedure with an
//! event. A branch may matter if an event depends on it, directly or through other branches.
//! [`abstracted`] makes the other branches nondeterministic, which adds executions. So a proof of
//! the result holds for the program, with the same locations and registers; a counterexample may be
//! spurious.

use crate::cuts::successors;
use crate::program::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A branch: the end of a block of a function.
pub type BranchId = (FnId, BlockId);

/// The program with nondeterministic choices at branches that no event depends on, except the kept
/// ones; and the list of these branches.
pub fn abstracted(
    program: &Program,
    state: &[GlobalReg],
    kept: &BTreeSet<BranchId>,
) -> (Program, BTreeSet<BranchId>) {
    let mut out = program.clone();
    let mut open = BTreeSet::new();
    let with_events = procedures_with_events(program, state);
    for (number, function) in out.functions.iter_mut().enumerate() {
        let id = FnId(number as u32);
        let relevant = relevant_branches(function, state, &with_events);
        for (number, block) in function.blocks.iter_mut().enumerate() {
            let branch = (id, BlockId(number as u32));
            let Terminator::Branch { cond, .. } = &mut block.end else {
                continue;
            };
            let is_fixed = matches!(cond, Operand::Const(_));
            if is_fixed || relevant[number] || kept.contains(&branch) {
                continue;
            }
            let dst = Reg(function.regs.len() as u32);
            function.regs.push(RegInfo {
                sort: Sort::Int(1),
                name: Arc::from("either"),
                variable: None,
            });
            *cond = Operand::Reg(dst);
            block.insts.push(Inst::Input {
                dst,
                sort: Sort::Int(1),
                kind: InputKind::Undef,
            });
            block.places.push(block.end_place);
            open.insert(branch);
        }
    }
    (out, open)
}

/// The procedures that contain an event, in their callees too.
fn procedures_with_events(program: &Program, state: &[GlobalReg]) -> Vec<bool> {
    let mut found = vec![false; program.functions.len()];
    loop {
        let mut changed = false;
        for (number, function) in program.functions.iter().enumerate() {
            let mut blocks = function.blocks.iter();
            if !found[number] && blocks.any(|block| has_event(block, state, &found)) {
                found[number] = true;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

fn has_event(block: &Block, state: &[GlobalReg], with_events: &[bool]) -> bool {
    let is_event = |inst: &Inst| match inst {
        Inst::SetGlobal { global, .. } => state.contains(global),
        Inst::Call(call) => with_events[call.callee.0 as usize],
        _ => false,
    };
    matches!(block.end, Terminator::Error(_)) || block.insts.iter().any(is_event)
}

/// For each block, whether an event depends on its end.
fn relevant_branches(function: &Function, state: &[GlobalReg], with_events: &[bool]) -> Vec<bool> {
    let count = function.blocks.len();
    let after = immediate_postdominators(function);
    // A block depends on a branch if it is on a path from one of the branch's targets to the point
    // where all paths join again, that point excluded.
    let mut decided_by: Vec<Vec<usize>> = vec![Vec::new(); count];
    for branch in 0..count {
        let targets = successors(function, BlockId(branch as u32));
        if targets.len() < 2 {
            continue;
        }
        for target in targets {
            let mut at = Some(target.0 as usize);
            while let Some(block) = at
                && at != after[branch]
            {
                if decided_by[block].last() != Some(&branch) {
                    decided_by[block].push(branch);
                }
                at = after[block];
            }
        }
    }
    let mut relevant = vec![false; count];
    let events = (0..count).filter(|b| has_event(&function.blocks[*b], state, with_events));
    let mut work: Vec<usize> = events.collect();
    while let Some(block) = work.pop() {
        for &branch in &decided_by[block] {
            if !std::mem::replace(&mut relevant[branch], true) {
                work.push(branch);
            }
        }
    }
    relevant
}

/// The immediate postdominator of each block: the next block on every path from it to an end; none
/// if it is the end itself, or if no end is reachable.
fn immediate_postdominators(function: &Function) -> Vec<Option<usize>> {
    let count = function.blocks.len();
    // The common end has the number `count`.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    let mut next: Vec<Vec<usize>> = Vec::with_capacity(count);
    for block in 0..count {
        let mut targets: Vec<usize> = successors(function, BlockId(block as u32))
            .into_iter()
            .map(|target| target.0 as usize)
            .collect();
        if targets.is_empty() {
            targets.push(count);
        }
        for target in &targets {
            before[*target].push(block);
        }
        next.push(targets);
    }
    let order = backward_postorder(&before, &mut next);
    let mut rank = vec![0; count + 1];
    for (i, block) in order.iter().enumerate() {
        rank[*block] = i;
    }
    rank[count] = count;
    let mut after: Vec<Option<usize>> = vec![None; count + 1];
    after[count] = Some(count);
    loop {
        let mut changed = false;
        for &block in order.iter().rev() {
            let mut meeting: Option<usize> = None;
            for &target in &next[block] {
                if after[target].is_none() {
                    continue;
                }
                meeting = Some(match meeting {
                    None => target,
                    Some(other) => meet(&after, &rank, other, target),
                });
            }
            if meeting.is_some() && after[block] != meeting {
                after[block] = meeting;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    after.truncate(count);
    let real = |after: Option<usize>| after.filter(|block| *block < count);
    after.into_iter().map(real).collect()
}

/// The blocks in postorder of a depth-first walk backwards from the common end. A block that cannot
/// reach an end becomes one, by an edge in `next`.
fn backward_postorder(before: &[Vec<usize>], next: &mut [Vec<usize>]) -> Vec<usize> {
    let count = next.len();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut starts: Vec<usize> = before[count].clone();
    let mut at = 0;
    loop {
        let start = match starts.get(at) {
            Some(start) => *start,
            None => match (0..count).rev().find(|block| !seen[*block]) {
                Some(block) => {
                    next[block].push(count);
                    starts.push(block);
                    block
                }
                None => break,
            },
        };
        at += 1;
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((block, edge)) = stack.pop() {
            match before[block].get(edge) {
                Some(&previous) => {
                    stack.push((block, edge + 1));
                    if !std::mem::replace(&mut seen[previous], true) {
                        stack.push((previous, 0));
                    }
                }
                None => order.push(block),
            }
        }
    }
    order
}

/// The nearest common postdominator, as far as known.
fn meet(after: &[Option<usize>], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        let behind = if rank[a] < rank[b] { &mut a } else { &mut b };
        match after[*behind] {
            Some(next) if next != *behind => *behind = next,
            // The common end.
            _ => return *behind,
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(end: Terminator) -> Block {
        Block {
            insts: Vec::new(),
            places: Vec::new(),
            end,
            end_place: PlaceId(0),
        }
    }

    fn to(block: u32) -> Target {
        Target {
            block: BlockId(block),
            copies: Vec::new(),
        }
    }

    fn branch(then: u32, other: u32) -> Terminator {
        Terminator::Branch {
            cond: Operand::Reg(Reg(0)),
            then: to(then),
            other: to(other),
        }
    }

    fn function(ends: Vec<Terminator>) -> Function {
        Function {
            name: Arc::from("f"),
            regs: Vec::new(),
            params: 0,
            varargs: false,
            results: Vec::new(),
            blocks: ends.into_iter().map(block).collect(),
            place: PlaceId(0),
            object: ObjectId(1),
            synthetic: false,
        }
    }

    fn relevant(ends: Vec<Terminator>) -> Vec<u32> {
        let found = relevant_branches(&function(ends), &[], &[]);
        let numbers = (0..).zip(found);
        numbers.filter_map(|(n, is)| is.then_some(n)).collect()
    }

    fn error() -> Terminator {
        Terminator::Error(Arc::from("reach_error"))
    }

    #[test]
    fn a_diamond_before_the_error_does_not_matter() {
        // 0 -> 1 | 2 -> 3 -> error | return
        let ends = vec![
            branch(1, 2),
            Terminator::Goto(to(3)),
            Terminator::Goto(to(3)),
            branch(4, 5),
            error(),
            Terminator::Return(Vec::new()),
        ];
        assert_eq!(relevant(ends), [3]);
    }

    #[test]
    fn branches_around_a_relevant_branch_matter() {
        // 0 -> 1 | 3, 1 -> error | 3
        let ends = vec![
            branch(1, 3),
            branch(2, 3),
            error(),
            Terminator::Return(Vec::new()),
        ];
        assert_eq!(relevant(ends), [0, 1]);
    }

    #[test]
    fn a_loop_before_the_error_does_not_matter_and_one_around_it_does() {
        // 0: a loop over 1; 2: error | 3
        let before = vec![
            branch(1, 2),
            Terminator::Goto(to(0)),
            branch(3, 4),
            error(),
            Terminator::Return(Vec::new()),
        ];
        assert_eq!(relevant(before), [2]);
        // 0 -> 1 | 3; 1 -> error | 0
        let around = vec![
            branch(1, 3),
            branch(2, 0),
            error(),
            Terminator::Return(Vec::new()),
        ];
        assert_eq!(relevant(around), [0, 1]);
    }

    #[test]
    fn endless_loops_are_handled() {
        let ends = vec![branch(1, 2), Terminator::Goto(to(1)), branch(3, 2), error()];
        assert!(relevant(ends).contains(&0));
    }
}
