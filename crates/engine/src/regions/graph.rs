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
    /// The order of its locations, if frontiers come by it.
    order: Option<Vec<u32>>,
}

impl RegionGraph {
    /// One region a location of a procedure, and nothing to be reached yet.
    pub fn new(graph: &Graph, function: FnId) -> RegionGraph {
        RegionGraph {
            partition: Regions::new(graph.locations_of(function)),
            bad: Bad::default(),
            entry: graph.functions[function.0 as usize].entry,
            order: None,
        }
    }

    /// From now on frontiers at later locations come first: by the order in which a walk from
    /// the entry leaves the locations, so that what follows a location comes before it.
    pub fn latest_first(&mut self, graph: &Graph) {
        let regions = &self.partition;
        let mut order = vec![u32::MAX; regions.locations()];
        let mut seen = vec![false; regions.locations()];
        let mut left = 0;
        let mut work = vec![(self.entry, 0)];
        seen[regions.index(self.entry)] = true;
        while let Some((loc, at)) = work.pop() {
            let Some(edge) = graph.outgoing[loc.0 as usize].get(at) else {
                order[regions.index(loc)] = left;
                left += 1;
                continue;
            };
            work.push((loc, at + 1));
            let next = graph.edge(*edge).dst;
            if !std::mem::replace(&mut seen[regions.index(next)], true) {
                work.push((next, 0));
            }
        }
        self.order = Some(order);
    }

    /// The regions of a location that may lead to a goal and that a region has an edge to.
    pub fn targets(&self, from: RegionId, loc: Loc) -> Vec<RegionId> {
        let source = self.region(from);
        let all = self.at(loc).iter().copied();
        all.filter(|to| !source.cut.contains(to) && self.bad.distance(*to).is_some())
            .collect()
    }

    /// Whether a region may lead to a goal, and neither a test nor a split has been there.
    pub fn is_ahead(&self, id: RegionId) -> bool {
        let is_whole = self.region(id).predicate.is_empty() && !self.visited(id);
        is_whole && self.bad.distance(id).is_some_and(|distance| distance > 0)
    }

    /// Whether a region may lead to a goal.
    pub fn is_bad(&self, id: RegionId) -> bool {
        self.bad.distance(id).is_some()
    }

    /// The place of a location in the order by lateness, the latest first.
    pub fn lateness(&self, loc: Loc) -> u32 {
        let order = self.order.as_ref();
        order.map_or(0, |order| order[self.partition.index(loc)])
    }

    /// The regions and where they hang.
    pub fn space<'a>(&'a self, graph: &'a Graph) -> Space<'a> {
        Space {
            graph,
            regions: &self.partition,
            entry: self.entry,
            order: self.order.as_deref(),
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
