//! Frontiers without search (algorithm notes 4.1, 4.2).
//!
//! B is the set of regions without a witness that reach a target through
//! such regions only. A frontier is an edge from a visited region into B. No
//! frontier: the program is safe. The prefix of the abstract path is the
//! witness's own, so the trace is ordered by construction.
//!
//! B is kept up to date and not computed anew: each of its regions leans on
//! a next one that is nearer to a target. What loses its support looks for
//! another, nearest first, and leaves B if there is none. The frontiers wait
//! in a queue; those that are none any more are dropped when their turn
//! comes. So a round costs what it changed.

use crate::regions::{RegionId, Regions};
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::{Graph, Loc};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

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

/// What keeps a region in B.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// The next region of B on the way; none at a target itself.
    next: Option<RegionId>,
    distance: u32,
}

/// The regions of B.
#[derive(Default)]
pub struct Bad {
    goals: FxHashSet<RegionId>,
    /// A test was in a goal.
    reached: bool,
    members: FxHashMap<RegionId, Support>,
    /// Who leans on a region.
    leaning: FxHashMap<RegionId, Vec<RegionId>>,
    /// Frontiers by age and distance; some may be out of date.
    queue: BTreeSet<Waiting>,
    /// The place of each frontier in the queue.
    waiting: FxHashMap<(RegionId, RegionId), Waiting>,
    /// Frontiers that nobody can work on until there are more tests.
    idle: Vec<(RegionId, RegionId)>,
    /// Frontiers so far.
    seen: u32,
}

/// A frontier's place in the queue: age, distance or lateness, order of arrival, and the edge.
type Waiting = (u32, u32, u32, RegionId, RegionId);

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This frontier.
    Frontier(Frontier),
    /// Nothing can be done about the frontiers there are; so many.
    Idle(usize),
    /// There are no frontiers.
    Nothing,
}

/// Regions and the graph they hang on.
#[derive(Clone, Copy)]
pub struct Space<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The regions.
    pub regions: &'a Regions,
    /// Where the function starts.
    pub entry: Loc,
    /// The order of its locations, where frontiers at later ones come first.
    pub order: Option<&'a [u32]>,
}

impl Space<'_> {
    /// Regions with an edge to this one.
    pub(crate) fn before(self, region: RegionId) -> impl Iterator<Item = RegionId> {
        let loc = self.regions.region(region).loc;
        let sources = self.graph.incoming[loc.0 as usize].iter();
        let root = (loc == self.entry).then_some(Graph::ROOT);
        let mut seen = Vec::new();
        sources
            .map(move |edge| self.graph.edge(*edge).src)
            .filter(move |src| {
                let new = *src != Graph::ROOT && !seen.contains(src);
                seen.push(*src);
                new
            })
            .chain(root)
            .flat_map(move |src| self.regions.at(src).iter().copied())
            .filter(move |before| !self.regions.region(*before).cut.contains(&region))
    }

    /// Regions that this one has an edge to.
    fn after(self, region: RegionId) -> impl Iterator<Item = RegionId> {
        let this = self.regions.region(region);
        let own: &[_] = match this.loc {
            Graph::ROOT => &[],
            loc => &self.graph.outgoing[loc.0 as usize],
        };
        let first = (this.loc == Graph::ROOT).then_some(self.entry);
        own.iter()
            .map(move |edge| self.graph.edge(*edge).dst)
            .chain(first)
            .flat_map(move |dst| self.regions.at(dst).iter().copied())
            .filter(move |after| !this.cut.contains(after))
    }

    /// The place of a frontier among those of its age: by how near to a target it is, or by
    /// how late in the program.
    fn place(self, from: RegionId, distance: u32) -> u32 {
        match (self.order, self.regions.region(from).loc) {
            (None, _) => distance,
            (Some(_), Graph::ROOT) => u32::MAX,
            (Some(order), loc) => order[self.regions.index(loc)],
        }
    }

    /// Whether tests can start from here.
    pub(crate) fn started(self, region: RegionId) -> bool {
        self.regions.region(region).loc == Graph::ROOT || self.regions.visited(region)
    }
}

impl Bad {
    /// B of the regions as they are, with these as what is to be reached.
    pub fn new(space: Space<'_>, goals: impl IntoIterator<Item = RegionId>) -> Bad {
        let mut bad = Bad {
            goals: goals.into_iter().collect(),
            ..Bad::default()
        };
        let mut first: Vec<RegionId> = bad.goals.iter().copied().collect();
        first.sort_unstable();
        let mut found = VecDeque::new();
        for region in first {
            if space.regions.visited(region) {
                bad.reached = true;
            } else {
                bad.join(space, region, None, 0);
                found.push_back(region);
            }
        }
        bad.spread(space, found);
        bad
    }

    /// Whether a test was in a goal.
    pub fn reached(&self) -> bool {
        self.reached
    }

    /// What is to be reached.
    pub fn goals(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.goals.iter().copied()
    }

    /// The regions of B.
    pub fn regions(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.members.keys().copied()
    }

    /// Steps from a region of B to a target.
    pub fn distance(&self, region: RegionId) -> Option<u32> {
        self.members.get(&region).map(|s| s.distance)
    }

    fn join(&mut self, space: Space<'_>, region: RegionId, next: Option<RegionId>, distance: u32) {
        self.members.insert(region, Support { next, distance });
        if let Some(next) = next {
            self.leaning.entry(next).or_default().push(region);
        }
        for before in space.before(region) {
            if space.started(before) {
                self.enqueue(space, before, region, 0);
            }
        }
    }

    fn enqueue(&mut self, space: Space<'_>, from: RegionId, to: RegionId, age: u32) {
        let Some(distance) = self.distance(to) else {
            return;
        };
        self.seen += 1;
        let place = (age, space.place(from, distance), self.seen, from, to);
        if let Some(old) = self.waiting.insert((from, to), place) {
            self.queue.remove(&old);
        }
        self.queue.insert(place);
    }

    /// Regions without a witness before those that just joined join too.
    fn spread(&mut self, space: Space<'_>, mut found: VecDeque<RegionId>) {
        while let Some(region) = found.pop_front() {
            let distance = self.members[&region].distance + 1;
            let before: Vec<RegionId> = space.before(region).collect();
            for before in before {
                if !space.started(before) && !self.members.contains_key(&before) {
                    self.join(space, before, Some(region), distance);
                    found.push_back(before);
                }
            }
        }
    }

    /// An edge between two regions is gone.
    pub fn cut(&mut self, space: Space<'_>, from: RegionId, to: RegionId) {
        if self.members.get(&from).is_some_and(|s| s.next == Some(to)) {
            self.orphaned(space, vec![from]);
        }
    }

    /// A region has its first witness.
    pub fn visited(&mut self, space: Space<'_>, region: RegionId) {
        self.reached |= self.goals.contains(&region);
        if !mutated(Mutant::VisitedStays) {
            self.remove(space, region);
        }
        self.enqueue_after(space, region);
    }

    fn enqueue_after(&mut self, space: Space<'_>, region: RegionId) {
        for after in space.after(region) {
            self.enqueue(space, region, after, 0);
        }
    }

    /// A region was replaced by its parts.
    pub fn split(&mut self, space: Space<'_>, old: RegionId, parts: [RegionId; 2]) {
        let is_goal = self.goals.remove(&old);
        if is_goal {
            self.goals.extend(parts);
        }
        let mut found = VecDeque::new();
        for part in parts {
            if space.started(part) {
                self.enqueue_after(space, part);
                continue;
            }
            let nearest = if is_goal {
                Some((None, 0))
            } else {
                self.nearest(space, part).map(|(n, d)| (Some(n), d + 1))
            };
            if let Some((next, distance)) = nearest
                && !mutated(Mutant::PartsNotJoined)
            {
                self.join(space, part, next, distance);
                found.push_back(part);
            }
        }
        self.remove(space, old);
        self.spread(space, found);
    }

    /// The regions of a location are goals no more.
    pub fn without_goals_at(&mut self, space: Space<'_>, loc: Loc) {
        for region in space.regions.at(loc).to_vec() {
            if self.goals.remove(&region) {
                self.remove(space, region);
            }
        }
    }

    /// The region of B nearest to a target that this one has an edge to.
    fn nearest(&self, space: Space<'_>, region: RegionId) -> Option<(RegionId, u32)> {
        let members = space.after(region);
        members
            .filter_map(|after| Some((after, self.members.get(&after)?.distance)))
            .min_by_key(|(after, distance)| (*distance, *after))
    }

    fn remove(&mut self, space: Space<'_>, region: RegionId) {
        self.members.remove(&region);
        let leaning = self.leaning.remove(&region).unwrap_or_default();
        let lost = |r: &RegionId| self.members.get(r).is_some_and(|s| s.next == Some(region));
        let lost: Vec<RegionId> = leaning.into_iter().filter(lost).collect();
        self.orphaned(space, lost);
    }

    /// These have lost their support, and with them all who lean on them.
    fn orphaned(&mut self, space: Space<'_>, first: Vec<RegionId>) {
        let mut orphans: FxHashMap<RegionId, u32> = FxHashMap::default();
        let mut work = first;
        while let Some(region) = work.pop() {
            let Some(support) = self.members.remove(&region) else {
                continue;
            };
            orphans.insert(region, support.distance);
            for leaning in self.leaning.remove(&region).unwrap_or_default() {
                if self
                    .members
                    .get(&leaning)
                    .is_some_and(|s| s.next == Some(region))
                {
                    work.push(leaning);
                }
            }
        }
        if mutated(Mutant::OrphansLost) {
            return;
        }
        // Nearest first: each that finds a support may be one for the others.
        let mut waiting: BTreeSet<(u32, RegionId)> = BTreeSet::new();
        for orphan in orphans.keys() {
            if let Some((_, distance)) = self.nearest(space, *orphan) {
                waiting.insert((distance + 1, *orphan));
            }
        }
        while let Some((_, region)) = waiting.pop_first() {
            if self.members.contains_key(&region) {
                continue;
            }
            let Some((next, distance)) = self.nearest(space, region) else {
                continue;
            };
            self.join(space, region, Some(next), distance + 1);
            for before in space.before(region) {
                if orphans.contains_key(&before) && !self.members.contains_key(&before) {
                    waiting.insert((distance + 2, before));
                }
            }
        }
    }

    /// Whether an edge is a frontier.
    fn is_frontier(&self, space: Space<'_>, from: RegionId, to: RegionId) -> bool {
        self.members.contains_key(&to)
            && space.regions.is_leaf(from)
            && space.started(from)
            && !space.regions.region(from).cut.contains(&to)
    }

    /// The frontier to work on: the least often tried first, then the nearest to a target,
    /// then the oldest. `age` says how often, and `ready` whether it can be worked on.
    pub fn next(
        &mut self,
        space: Space<'_>,
        age: impl Fn(RegionId, RegionId) -> u32,
        ready: impl Fn(RegionId, RegionId) -> bool,
    ) -> Next {
        for round in 0..2 {
            while let Some(place) = self.queue.pop_first() {
                let (_, _, order, from, to) = place;
                self.waiting.remove(&(from, to));
                if !self.is_frontier(space, from, to) {
                    continue;
                }
                if !ready(from, to) {
                    self.idle.push((from, to));
                    continue;
                }
                let distance = self.members[&to].distance;
                let place_now = space.place(from, distance);
                let now = (age(from, to), place_now, order, from, to);
                self.queue.insert(now);
                self.waiting.insert((from, to), now);
                if now <= place {
                    return Next::Frontier(Frontier { from, to, distance });
                }
            }
            if round == 0 {
                // More tests may have come meanwhile.
                for (from, to) in std::mem::take(&mut self.idle) {
                    if self.is_frontier(space, from, to) {
                        self.enqueue(space, from, to, age(from, to));
                    }
                }
            }
        }
        match self.idle.len() {
            0 => Next::Nothing,
            n => Next::Idle(n),
        }
    }
}

impl Bad {
    /// Panics if B, its supports or its frontiers are not what they should be, by the
    /// plain computation of [`bad_regions`].
    pub fn self_check(&self, space: Space<'_>) {
        let exact = bad_regions(space, self.goals());
        let mine: FxHashSet<RegionId> = self.regions().collect();
        assert!(mine == exact, "B is {mine:?} and should be {exact:?}");
        for (region, support) in &self.members {
            let expected = match support.next {
                None => Some(0),
                Some(next) => self.distance(next).map(|d| d + 1),
            };
            assert_eq!(expected, Some(support.distance), "B: support of {region:?}");
        }
        for to in &exact {
            for from in space.before(*to).filter(|from| space.started(*from)) {
                let edge = (from, *to);
                let waits = self.waiting.contains_key(&edge) || self.idle.contains(&edge);
                assert!(waits, "B: {edge:?} is a frontier and nobody knows");
            }
        }
    }
}

/// B computed from scratch: what [`Bad`] must agree with.
pub fn bad_regions(
    space: Space<'_>,
    goals: impl IntoIterator<Item = RegionId>,
) -> FxHashSet<RegionId> {
    let mut found = FxHashSet::default();
    let mut work: Vec<RegionId> = goals.into_iter().collect();
    while let Some(region) = work.pop() {
        if space.started(region) || !found.insert(region) {
            continue;
        }
        work.extend(space.before(region));
    }
    found
}
