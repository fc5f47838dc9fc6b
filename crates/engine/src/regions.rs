//! Regions: a location and a predicate, and the edges that are left between them.
//!
//! The regions of a location are the leaves of a decision tree whose inner
//! nodes are the predicates it was split by, so they partition the states by
//! construction. Edges are implicit: every pair of regions at the ends of an
//! edge of the graph is connected until a cut says otherwise.

use crate::forest::NodeId;
use attest_model::graph::Loc;
use attest_term::{Program as Compiled, Term, Terms};
use rustc_hash::FxHashSet;

/// A region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// A location and a predicate.
pub struct Region {
    /// The location.
    pub loc: Loc,
    /// The predicate, as conjuncts.
    pub predicate: Vec<Term>,
    /// States of tests inside, the shallowest first.
    pub witnesses: Vec<NodeId>,
    /// Regions that it has no edge to any more, though the graph has one.
    pub cut: FxHashSet<RegionId>,
    /// Regions that have no edge to it any more.
    cut_from: FxHashSet<RegionId>,
    /// It was split and is no region any more.
    split: Option<Split>,
}

/// How a region was split.
struct Split {
    rho: Compiled,
    inside: RegionId,
    outside: RegionId,
}

/// The regions of all locations.
pub struct Regions {
    regions: Vec<Region>,
    roots: Vec<RegionId>,
    leaves: Vec<Vec<RegionId>>,
}

impl Regions {
    /// One region a location.
    pub fn new(locations: usize) -> Regions {
        let region = |i: usize| Region {
            loc: Loc(i as u32),
            predicate: Vec::new(),
            witnesses: Vec::new(),
            cut: FxHashSet::default(),
            cut_from: FxHashSet::default(),
            split: None,
        };
        Regions {
            regions: (0..locations).map(region).collect(),
            roots: (0..locations).map(|i| RegionId(i as u32)).collect(),
            leaves: (0..locations).map(|i| vec![RegionId(i as u32)]).collect(),
        }
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    /// A region, to be changed.
    pub fn region_mut(&mut self, id: RegionId) -> &mut Region {
        &mut self.regions[id.0 as usize]
    }

    /// The regions of a location.
    pub fn at(&self, loc: Loc) -> &[RegionId] {
        &self.leaves[loc.0 as usize]
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.leaves.iter().map(Vec::len).sum()
    }

    /// Whether a test is inside.
    pub fn visited(&self, id: RegionId) -> bool {
        !self.region(id).witnesses.is_empty()
    }

    /// The region of a state: `holds` evaluates a predicate on it.
    pub fn find(&self, loc: Loc, mut holds: impl FnMut(&Compiled) -> bool) -> RegionId {
        let mut at = self.roots[loc.0 as usize];
        while let Some(split) = &self.region(at).split {
            at = if holds(&split.rho) {
                split.inside
            } else {
                split.outside
            };
        }
        at
    }

    /// Deletes the edge between two regions.
    pub fn cut(&mut self, from: RegionId, to: RegionId) {
        self.region_mut(from).cut.insert(to);
        self.region_mut(to).cut_from.insert(from);
    }

    /// Replaces a region by its parts inside and outside of a predicate; both keep its
    /// cuts, and `holds` sorts its witnesses. Gives the two parts.
    pub fn split(
        &mut self,
        terms: &mut Terms,
        id: RegionId,
        rho: Term,
        mut holds: impl FnMut(&Compiled, NodeId) -> bool,
    ) -> (RegionId, RegionId) {
        let compiled = Compiled::compile(terms, rho);
        let not = terms.not(rho);
        let (inside, outside) = (
            RegionId(self.regions.len() as u32),
            RegionId(self.regions.len() as u32 + 1),
        );
        let old = self.region_mut(id);
        let witnesses = std::mem::take(&mut old.witnesses);
        let (loc, predicate) = (old.loc, old.predicate.clone());
        let (cut, cut_from) = (old.cut.clone(), old.cut_from.clone());
        let (yes, no): (Vec<_>, Vec<_>) = witnesses.into_iter().partition(|w| holds(&compiled, *w));
        for (literal, witnesses) in [(rho, yes), (not, no)] {
            let mut predicate = predicate.clone();
            predicate.push(literal);
            self.regions.push(Region {
                loc,
                predicate,
                witnesses,
                cut: cut.clone(),
                cut_from: cut_from.clone(),
                split: None,
            });
        }
        self.region_mut(id).split = Some(Split {
            rho: compiled,
            inside,
            outside,
        });
        // A self loop of the old region stands for all four of its parts.
        for part in [inside, outside] {
            for to in &cut {
                self.region_mut(*to).cut_from.insert(part);
            }
            for from in &cut_from {
                self.region_mut(*from).cut.insert(part);
            }
        }
        if cut.contains(&id) {
            for (a, b) in [
                (inside, inside),
                (inside, outside),
                (outside, inside),
                (outside, outside),
            ] {
                self.cut(a, b);
            }
        }
        let leaves = &mut self.leaves[loc.0 as usize];
        leaves.retain(|r| *r != id);
        leaves.extend([inside, outside]);
        (inside, outside)
    }
}
