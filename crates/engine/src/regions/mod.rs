//! Regions: a location and a predicate, and the edges that are left between them.
//!
//! The regions of a location are the leaves of a decision tree whose inner
//! nodes are the predicates it was split by, so they partition the states by
//! construction. Edges are implicit: every pair of regions at the ends of an
//! edge of the graph is connected until a cut says otherwise.
//!
//! - `graph`: the partition of a procedure and the set B, which change together;
//! - `frontier`: B, and the frontiers without search;
//! - `edges`: the removal of edges.

pub(crate) mod edges;
pub mod frontier;
pub(crate) mod graph;

use crate::forest::NodeId;
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::{Graph, Loc};
use attest_term::{Program as Compiled, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// `rho ? inside : outside` without an `ite` where one of the two is a constant.
fn either(terms: &mut Terms, rho: Term, inside: Term, outside: Term) -> Term {
    let not = terms.not(rho);
    match (terms.bool_const(inside), terms.bool_const(outside)) {
        _ if inside == outside => inside,
        (Some(true), _) => terms.any(&[rho, outside]),
        (Some(false), _) => terms.all(&[not, outside]),
        (_, Some(true)) => terms.any(&[not, inside]),
        (_, Some(false)) => terms.all(&[rho, inside]),
        _ => {
            let (yes, no) = (terms.all(&[rho, inside]), terms.all(&[not, outside]));
            terms.any(&[yes, no])
        }
    }
}

/// The regions of all locations.
#[derive(Default)]
pub struct Regions {
    /// The first location; ROOT has a region too.
    first: u32,
    regions: Vec<Region>,
    roots: Vec<RegionId>,
    leaves: Vec<Vec<RegionId>>,
}

impl Regions {
    /// One region for ROOT and one for each of a function's locations, which are numbered
    /// without gaps.
    pub fn new(locations: std::ops::Range<u32>) -> Regions {
        let region = |loc: Loc| Region {
            loc,
            predicate: Vec::new(),
            witnesses: Vec::new(),
            cut: FxHashSet::default(),
            cut_from: FxHashSet::default(),
            split: None,
        };
        let all = std::iter::once(Graph::ROOT).chain(locations.clone().map(Loc));
        let count = locations.len() as u32 + 1;
        Regions {
            first: locations.start,
            regions: all.map(region).collect(),
            roots: (0..count).map(RegionId).collect(),
            leaves: (0..count).map(|i| vec![RegionId(i)]).collect(),
        }
    }

    pub(crate) fn index(&self, loc: Loc) -> usize {
        match loc {
            Graph::ROOT => 0,
            Loc(number) => (number - self.first + 1) as usize,
        }
    }

    /// Forgets the tests, and which regions the program cannot start in: the query is
    /// asked in another context.
    pub fn forget_context(&mut self) {
        for region in &mut self.regions {
            region.witnesses.clear();
            region.cut_from.remove(&RegionId(0));
        }
        self.regions[0].cut.clear();
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
        &self.leaves[self.index(loc)]
    }

    /// How many locations there are, with ROOT.
    pub fn locations(&self) -> usize {
        self.roots.len()
    }

    /// The union of some regions of a location as one predicate: true and false at the leaves
    /// of its decision tree, put together from there. Where `is_in` says nothing of a leaf, it
    /// is in or not, as is shorter.
    pub fn union(
        &self,
        terms: &mut Terms,
        loc: Loc,
        is_in: impl Fn(RegionId) -> Option<bool>,
    ) -> Term {
        let mut order = vec![self.roots[self.index(loc)]];
        let mut at = 0;
        while let Some(region) = order.get(at) {
            if let Some(split) = &self.region(*region).split {
                order.extend([split.inside, split.outside]);
            }
            at += 1;
        }
        let mut union: FxHashMap<RegionId, Option<Term>> = FxHashMap::default();
        for region in order.into_iter().rev() {
            let term = match &self.region(region).split {
                None => is_in(region).map(|is_in| terms.bool(is_in)),
                Some(Split {
                    inside, outside, ..
                }) => {
                    let rho = self.region(*inside).predicate.last().copied();
                    let rho = rho.unwrap_or_else(|| terms.bool(true));
                    match (union[inside], union[outside]) {
                        (Some(inside), Some(outside)) => Some(either(terms, rho, inside, outside)),
                        (inside, outside) => inside.or(outside),
                    }
                }
            };
            union.insert(region, term);
        }
        union[&self.roots[self.index(loc)]].unwrap_or_else(|| terms.bool(false))
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.leaves.iter().map(Vec::len).sum()
    }

    /// Whether a test is inside.
    pub fn visited(&self, id: RegionId) -> bool {
        !self.region(id).witnesses.is_empty()
    }

    /// Whether a region was not split.
    pub fn is_leaf(&self, id: RegionId) -> bool {
        self.region(id).split.is_none()
    }

    /// Puts a test's state into its region, the shallowest first.
    pub fn witness(&mut self, id: RegionId, node: NodeId, depth: impl Fn(NodeId) -> u32) {
        let witnesses = &mut self.region_mut(id).witnesses;
        let at = witnesses.partition_point(|w| depth(*w) <= depth(node));
        witnesses.insert(at, node);
    }

    /// The region of a state: `holds` evaluates a predicate on it.
    pub fn find(&self, loc: Loc, mut holds: impl FnMut(&Compiled) -> bool) -> RegionId {
        let mut at = self.roots[self.index(loc)];
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
        let rho = match mutated(Mutant::InsideUnrestricted) {
            true => terms.bool(true),
            false => rho,
        };
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
        let index = self.index(loc);
        let leaves = &mut self.leaves[index];
        leaves.retain(|r| *r != id);
        leaves.extend([inside, outside]);
        (inside, outside)
    }
}
