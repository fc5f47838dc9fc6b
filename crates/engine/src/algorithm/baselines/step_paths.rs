//! The paths of a step: the decisions that lead from a cut point to the next.
//!
//! A test says which path it took; directed testing and the search for an
//! execution along an abstract path need those that no test took as well. Paths
//! that stop in the middle of a block are not among them.

use crate::core::Core;
use attest_exec::symbolic::path::PathState;
use attest_model::graph::{Graph, Loc, Outcome};
use attest_model::{BlockId, Position, Terminator};
use rustc_hash::FxHashSet;

/// One path of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// The decisions, each an index into the exits of a block.
    pub decisions: Box<[u32]>,
    /// Where it leads.
    pub dst: Loc,
}

/// All ways of the steps from a location; none from where the program has ended.
pub(crate) fn ways(core: &Core<'_>, src: Loc) -> Vec<Way> {
    let location = core.graph.location(src);
    let (Some(start), Some(id)) = (location.position, location.function) else {
        return Vec::new();
    };
    let function = core.program.function(id);
    let graph = &core.graph.functions[id.0 as usize];
    let mut ways = Vec::new();
    // Steps are acyclic, so this ends.
    let mut work: Vec<(Position, Vec<u32>)> = vec![(start, Vec::new())];
    while let Some((at, decisions)) = work.pop() {
        let after = Position {
            index: at.index + 1,
            ..at
        };
        let end = Position::start(BlockId(at.block.0 + 1));
        if let Some((_, dst)) = graph.cuts.range(after..end).next() {
            ways.push(Way {
                decisions: decisions.into(),
                dst: *dst,
            });
            continue;
        }
        let block = function.block(at.block);
        for (number, next) in after_block(&block.end).into_iter().enumerate() {
            let mut decisions = decisions.clone();
            decisions.push(number as u32);
            let dst = match next {
                Next::Outcome(outcome) => graph.ends.get(&outcome),
                Next::Block(block) => {
                    let position = Position::start(block);
                    let cut = graph.cuts.get(&position);
                    if cut.is_none() {
                        work.push((position, decisions.clone()));
                    }
                    cut
                }
            };
            if let Some(dst) = dst {
                ways.push(Way {
                    decisions: decisions.into(),
                    dst: *dst,
                });
            }
        }
    }
    ways
}

/// The symbolic state after a way from a location, if it can be taken at all. Inputs are
/// named by `prefix` and the way, so that a way has the same terms whenever it is taken.
pub(crate) fn take(
    core: &mut Core<'_>,
    from: &PathState,
    src: Loc,
    decisions: &[u32],
    prefix: &str,
) -> Option<PathState> {
    let start = core.graph.location(src).position;
    let way: Vec<String> = decisions.iter().map(u32::to_string).collect();
    let prefix = format!("{prefix}.{}.{}.", src.0, way.join("-"));
    let next = core
        .stepper
        .follow(&mut core.terms, from, start, decisions, &prefix);
    next.ok()
}

/// The locations from which the graph has a path to a target.
pub(crate) fn before_targets(core: &Core<'_>) -> FxHashSet<Loc> {
    let mut found: FxHashSet<Loc> = FxHashSet::default();
    let mut work = core.targets.clone();
    while let Some(loc) = work.pop() {
        if loc != Graph::ROOT && found.insert(loc) {
            let edges = core.graph.incoming[loc.0 as usize].iter();
            work.extend(edges.map(|edge| core.graph.edge(*edge).src));
        }
    }
    found
}

/// What comes after a block.
enum Next {
    Block(BlockId),
    Outcome(Outcome),
}

/// The exits of a block, numbered as [`attest_exec::symbolic::step::guards`] does.
fn after_block(end: &Terminator) -> Vec<Next> {
    let outcome = match end {
        Terminator::Return(_) => Outcome::Return,
        Terminator::Halt(..) => Outcome::Halt,
        Terminator::Error(_) => Outcome::Error,
        Terminator::Bail(bail) => Outcome::Bail(bail.kind),
        Terminator::Goto(target) => return vec![Next::Block(target.block)],
        Terminator::Branch { then, other, .. } => {
            return vec![Next::Block(then.block), Next::Block(other.block)];
        }
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(_, target)| target);
            let all = cases.chain([default]);
            return all.map(|target| Next::Block(target.block)).collect();
        }
        Terminator::PtrSwitch { cases, default, .. } => {
            let cases = cases.iter().map(|(_, _, target)| target);
            let all = cases.chain([default]);
            return all.map(|target| Next::Block(target.block)).collect();
        }
    };
    vec![Next::Outcome(outcome)]
}
