//! The region graph of a procedure: the partition of its states, and B.
//!
//! The partition ([`Regions`]) and the set B of regions that may lead to a target ([`Bad`])
//! change together, so one struct owns both: a split, a removed edge and a first witness
//! keep B current here and nowhere else.

use crate::forest::NodeId;
use crate::regions::frontier::{Bad, Frontier, Next, Space};
use crate::regions::{Region, RegionId, Regions};
use attest_model::FnId;
use attest_model::graph::{Graph, Loc};
use attest_term::{Program as Compiled, Term, Terms};

/// Regions and what may lead from them to a target.
pub(crate) struct RegionGraph {
    /// The regions of all locations.
    pub partition: Regions,
    /// Those that may lead to a target.
    bad: Bad,
    /// Where the procedure starts.
    entry: Loc,
}

impl RegionGraph {
    /// One region a location of a procedure, and nothing to be reached yet.
    pub fn new(graph: &Graph, function: FnId) -> RegionGraph {
        RegionGraph {
            partition: Regions::new(graph.locations_of(function)),
            bad: Bad::default(),
            entry: graph.functions[function.0 as usize].entry,
        }
    }

    /// The regions and where they hang.
    pub fn space<'a>(&'a self, graph: &'a Graph) -> Space<'a> {
        Space {
            graph,
            regions: &self.partition,
            entry: self.entry,
        }
    }

    /// Takes all regions of these locations as what is to be reached.
    pub fn aim_at(&mut self, graph: &Graph, targets: &[Loc]) {
        let regions = targets.iter().flat_map(|loc| self.partition.at(*loc));
        let goals: Vec<RegionId> = regions.copied().collect();
        self.set_goals(graph, goals);
    }

    /// Takes these regions as what is to be reached.
    pub fn set_goals(&mut self, graph: &Graph, goals: impl IntoIterator<Item = RegionId>) {
        self.bad = Bad::new(self.space(graph), goals);
    }

    /// The regions of a location are not to be reached any more.
    pub fn without_goals_at(&mut self, graph: &Graph, loc: Loc) {
        self.update(graph, |bad, space| bad.without_goals_at(space, loc));
    }

    /// Whether a test was in a goal.
    pub fn reached(&self) -> bool {
        self.bad.reached()
    }

    /// The regions that may lead to a goal.
    pub fn bad(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.bad.regions()
    }

    /// The next frontier, by age and by whether it can be worked on.
    pub fn next(
        &mut self,
        graph: &Graph,
        self_check: bool,
        age: impl Fn(&Regions, RegionId, RegionId) -> u32,
        ready: impl Fn(&Regions, RegionId, RegionId) -> bool,
    ) -> Next {
        self.update(graph, |bad, space| {
            if self_check {
                bad.self_check(space);
            }
            let regions = space.regions;
            bad.next(
                space,
                |from, to| age(regions, from, to),
                |from, to| ready(regions, from, to),
            )
        })
    }

    /// Removes the edge of a frontier.
    pub fn remove_edge(&mut self, graph: &Graph, from: RegionId, to: RegionId) {
        self.partition.cut(from, to);
        self.update(graph, |bad, space| bad.cut(space, from, to));
    }

    /// Splits the region before a frontier by `rho`; the part outside loses the edge. Gives
    /// the two parts. `holds` puts its witnesses into them.
    pub fn split(
        &mut self,
        graph: &Graph,
        terms: &mut Terms,
        frontier: Frontier,
        rho: Term,
        without_inside: bool,
        holds: impl FnMut(&Compiled, NodeId) -> bool,
    ) -> (RegionId, RegionId) {
        let (inside, outside) = self.partition.split(terms, frontier.from, rho, holds);
        let without = if without_inside { inside } else { outside };
        self.partition.cut(without, frontier.to);
        self.update(graph, |bad, space| {
            bad.split(space, frontier.from, [inside, outside]);
        });
        (inside, outside)
    }

    /// Adds a test's state to its region.
    pub fn add_witness(
        &mut self,
        graph: &Graph,
        region: RegionId,
        node: NodeId,
        depth: impl Fn(NodeId) -> u32,
    ) {
        let first = !self.partition.visited(region);
        self.partition.witness(region, node, depth);
        if first {
            self.update(graph, |bad, space| bad.visited(space, region));
        }
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        self.partition.region(id)
    }

    /// The regions of a location.
    pub fn at(&self, loc: Loc) -> &[RegionId] {
        self.partition.at(loc)
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.partition.count()
    }

    /// Whether a test is inside.
    pub fn visited(&self, id: RegionId) -> bool {
        self.partition.visited(id)
    }

    /// The locations of two regions.
    pub fn step(&self, from: RegionId, to: RegionId) -> (Loc, Loc) {
        (self.region(from).loc, self.region(to).loc)
    }

    /// Changes B, which looks at the regions meanwhile.
    fn update<R>(&mut self, graph: &Graph, change: impl FnOnce(&mut Bad, Space<'_>) -> R) -> R {
        let mut bad = std::mem::take(&mut self.bad);
        let result = change(&mut bad, self.space(graph));
        self.bad = bad;
        result
    }
}
