//! Frontiers without search (algorithm notes 4.1).
//!
//! B is the set of regions without a witness that reach a target through
//! such regions only. A frontier is an edge from a visited region into B. No
//! frontier: the program is safe. The prefix of the abstract path is the
//! witness's own, so the trace is ordered by construction.

use crate::regions::{RegionId, Regions};
use attest_model::graph::{Graph, Loc};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// An edge from a visited region to one that may lead to a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frontier {
    /// The visited region.
    pub from: RegionId,
    /// The unvisited one.
    pub to: RegionId,
    /// Steps from there to the target.
    pub distance: u32,
}

/// Distances of the regions of B from the targets.
pub fn bad_regions(graph: &Graph, regions: &Regions, targets: &[Loc]) -> FxHashMap<RegionId, u32> {
    let mut distance = FxHashMap::default();
    let mut queue = VecDeque::new();
    for target in targets {
        for region in regions.at(*target) {
            if !regions.visited(*region) {
                distance.insert(*region, 0);
                queue.push_back(*region);
            }
        }
    }
    while let Some(region) = queue.pop_front() {
        let next = distance[&region] + 1;
        for edge in &graph.incoming[regions.region(region).loc.0 as usize] {
            for before in regions.at(graph.edge(*edge).src) {
                let open =
                    !regions.visited(*before) && !regions.region(*before).cut.contains(&region);
                if open && !distance.contains_key(before) {
                    distance.insert(*before, next);
                    queue.push_back(*before);
                }
            }
        }
    }
    distance
}

/// All frontiers, in a fixed order.
pub fn frontiers(
    graph: &Graph,
    regions: &Regions,
    bad: &FxHashMap<RegionId, u32>,
) -> Vec<Frontier> {
    let mut out = Vec::new();
    for (&to, &distance) in bad {
        for edge in &graph.incoming[regions.region(to).loc.0 as usize] {
            let src = graph.edge(*edge).src;
            for &from in regions.at(src) {
                let started = src == Graph::ROOT || regions.visited(from);
                if started && !regions.region(from).cut.contains(&to) {
                    out.push(Frontier { from, to, distance });
                }
            }
        }
    }
    out.sort_by_key(|f| (f.distance, f.from, f.to));
    out
}
