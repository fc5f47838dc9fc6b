//! The proof that a finished region graph is (algorithm notes 7.1).
//!
//! At each location: the invariants that were found, and none of the regions
//! that reach a target. A region outside of B has no edge into B, so this is
//! inductive. Of the invariants only those are kept that some step needs.

use crate::engine::Engine;
use crate::events::Question;
use crate::frontier::Bad;
use crate::procedures::Summary;
use crate::regions::RegionId;
use crate::verdict::{Proof, Reason, Verdict};
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::step::Hazard;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{BailKind, FnId, PlaceId};
use attest_solver::Answer;
use attest_term::{Sort, SymbolKind, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for the search for tests that break a proof's assumptions.
const LEAST_DOUBT: Duration = Duration::from_millis(500);
const MOST_DOUBT: Duration = Duration::from_secs(5);
/// The part of a proof's time that is spent on doubts at most.
const DOUBTS: u32 = 2;
/// Time for the search for accesses that nothing gets past.
const MOST_HAZARDS: Duration = Duration::from_secs(20);

/// What a proof says of an instruction that may leave the model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Survival {
    /// Some executions get past it.
    Some,
    /// It is come to, and left so each time.
    Nothing(BailKind),
    /// It is not come to.
    NotReached,
}

impl Engine<'_> {
    /// No abstract path to a target is left: the verdict, or none if there are doubts to
    /// be settled first.
    pub(crate) fn conclude(&mut self) -> Option<Verdict> {
        if let Some((kind, what)) = self.leaves_model.take() {
            return Some(Verdict::Unknown(Reason::LeavesModel { kind, what }));
        }
        if let Some(proof) = self.proof.take() {
            return Some(Verdict::Safe(proof));
        }
        let invariants = self.certificate();
        self.conclude_by(invariants)
    }

    /// The verdict of a proof with these invariants, likewise.
    pub(crate) fn conclude_by(&mut self, invariants: Vec<(Loc, Term)>) -> Option<Verdict> {
        if let Some((kind, what)) = self.leaves_model.take() {
            return Some(Verdict::Unknown(Reason::LeavesModel { kind, what }));
        }
        let proof = Proof {
            invariants,
            uses: self.uses.clone(),
            summaries: self.used_summaries(),
            assumed: self.options.assumed.clone(),
        };
        if let Some(reason) = self.certain_end(&proof) {
            return Some(Verdict::Unknown(reason));
        }
        if !self.options.doubt || !self.doubt() {
            return Some(Verdict::Safe(proof));
        }
        self.proof = Some(proof);
        None
    }

    /// Nothing behind an access runs that is through null, or outside of its object, each
    /// time. A proof that says so of code that it takes as reached speaks of a program that
    /// its author did not mean, and is no reason to call it safe. Of a procedure with
    /// summaries, all of them must say so. A proof takes more as reached than is: where no
    /// test ended so, all the places to which inlining has copied the access must say so.
    fn certain_end(&mut self, proof: &Proof) -> Option<Reason> {
        let until = self.effort() + MOST_HAZARDS;
        let mut maps = vec![(self.function, &proof.invariants)];
        maps.extend(
            proof
                .summaries
                .iter()
                .map(|(_, s)| (s.function, &s.invariants)),
        );
        maps.sort_by_key(|(function, _)| *function);
        let mut certain: Vec<(PlaceId, BailKind)> = Vec::new();
        let mut survived: FxHashSet<PlaceId> = FxHashSet::default();
        for maps in maps.chunk_by(|a, b| a.0 == b.0) {
            let facts: Vec<FxHashMap<Loc, Term>> = maps
                .iter()
                .map(|(_, invariants)| invariants.iter().copied().collect())
                .collect();
            for src in self.before_hazards(maps[0].0) {
                let (vocabulary, ..) = self.names_of(maps[0].0);
                let hazards = self.stepper.hazards(&mut self.terms, &vocabulary, src);
                for hazard in hazards {
                    if let Some(reason) = self.out_of_limits() {
                        return Some(reason);
                    }
                    if self.effort() > until {
                        let what = "there was no time to see whether a proof that was found is about nothing";
                        return Some(Reason::Stuck(what.into()));
                    }
                    match self.survival(&hazard, src, &facts) {
                        Survival::Nothing(kind) if self.ended_so(src, kind) => {
                            return Some(self.certainly(kind, hazard.place));
                        }
                        Survival::Nothing(kind) => certain.push((hazard.place, kind)),
                        Survival::Some => {
                            survived.insert(hazard.place);
                        }
                        Survival::NotReached => {}
                    }
                }
            }
        }
        certain.retain(|(place, _)| !survived.contains(place));
        let (place, kind) = certain.first()?;
        Some(self.certainly(*kind, *place))
    }

    /// That a proof is about a program that certainly leaves the model somewhere.
    fn certainly(&self, kind: BailKind, place: PlaceId) -> Reason {
        let what = match kind {
            BailKind::NullDeref => "an access that is through null",
            BailKind::IntToPtr => "an access that is through a number that is no object's address",
            _ => "it happens",
        };
        let what = format!("{}: {what} whenever it is come to", kind.word());
        Reason::LeavesModel {
            kind,
            what: format!("{what}, at {}", self.program.place(place)),
        }
    }

    /// Whether a test left the model so by a step from a location.
    fn ended_so(&self, src: Loc, kind: BailKind) -> bool {
        let edges = self.graph.outgoing[src.0 as usize].iter();
        let mut ends = edges.map(|edge| self.graph.edge(*edge).dst);
        ends.any(|dst| {
            self.graph.location(dst).kind == LocKind::Bail(kind)
                && self.forest.at(dst).iter().any(|node| {
                    let parent = self.forest.node(*node).parent;
                    parent.is_some_and(|parent| self.forest.node(parent).loc == src)
                })
        })
    }

    /// The locations of a function from which steps leave the model in ways that are assumed
    /// not to happen.
    fn before_hazards(&self, function: FnId) -> Vec<Loc> {
        let ends = &self.graph.functions[function.0 as usize].ends;
        let assumed = |loc: &&Loc| match self.graph.location(**loc).kind {
            LocKind::Bail(kind) => self.ends_for_good(kind),
            _ => false,
        };
        let edges = ends.values().filter(assumed);
        let edges = edges.flat_map(|loc| &self.graph.incoming[loc.0 as usize]);
        let mut sources: Vec<Loc> = edges.map(|edge| self.graph.edge(*edge).src).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// Whether what leaves the model so is left out of a proof. Sums that wrap go on.
    fn ends_for_good(&self, kind: BailKind) -> bool {
        kind != BailKind::Overflow && self.options.assumed.contains(&kind)
    }

    /// What these maps, all of them, say of an instruction on the steps from a location.
    fn survival(&mut self, hazard: &Hazard, src: Loc, maps: &[FxHashMap<Loc, Term>]) -> Survival {
        let mut reached = Survival::NotReached;
        for facts in maps {
            let fact = facts.get(&src).copied();
            let fact = fact.unwrap_or_else(|| self.terms.bool(true));
            let past = self.ask_briefly(Question::Local, &[fact, hazard.survives]);
            if !past.is_unsat() {
                return Survival::Some;
            }
            for (kind, leaves) in &hazard.leaves {
                if reached == Survival::NotReached
                    && self.ends_for_good(*kind)
                    && let Answer::Sat(_) = self.ask_briefly(Question::Local, &[fact, *leaves])
                {
                    reached = Survival::Nothing(*kind);
                }
            }
        }
        reached
    }

    /// A proof takes some ways out of the model as not happening. If a test takes one, it
    /// does happen, and the proof may be about nothing: such tests are searched for, for
    /// half as long as the proof took. Whether there is anything to search for.
    fn doubt(&mut self) -> bool {
        let ends = &self.graph.functions[self.program.entry.0 as usize].ends;
        let is_assumed = |loc: &Loc| match self.graph.location(*loc).kind {
            LocKind::Bail(BailKind::Overflow) => false,
            LocKind::Bail(kind) if kind.traps() => false,
            LocKind::Bail(kind) => self.options.assumed.contains(&kind),
            _ => false,
        };
        self.targets = ends.values().copied().filter(is_assumed).collect();
        let regions = self.targets.iter().flat_map(|loc| self.regions.at(*loc));
        self.bad = Bad::new(self.space(), regions.copied());
        let now = self.effort();
        let time = (now / DOUBTS).clamp(LEAST_DOUBT, MOST_DOUBT);
        self.doubt_until = Some(now + time);
        !self.targets.is_empty()
    }

    /// The invariants of the present procedure's locations.
    pub(crate) fn certificate(&mut self) -> Vec<(Loc, Term)> {
        let mut by_location: FxHashMap<Loc, Vec<RegionId>> = FxHashMap::default();
        for region in self.bad.regions() {
            let loc = self.regions.region(region).loc;
            by_location.entry(loc).or_default().push(region);
        }
        let mut goals: FxHashMap<Loc, Term> = FxHashMap::default();
        let mut locations: Vec<Loc> = by_location.keys().copied().collect();
        locations.sort();
        for loc in locations {
            let mut regions = by_location.remove(&loc).unwrap_or_default();
            regions.sort();
            let mut cubes = Vec::with_capacity(regions.len());
            for region in regions {
                let predicate = self.regions.region(region).predicate.clone();
                cubes.push(self.terms.all(&predicate));
            }
            let any = self.terms.any(&cubes);
            goals.insert(loc, self.terms.not(any));
        }
        self.certificate_of(goals)
    }

    /// The invariants alone, where no step leads from them to a target.
    pub(crate) fn certificate_without_regions(&mut self) -> Vec<(Loc, Term)> {
        let never = self.terms.bool(false);
        let targets = self.targets.iter();
        let goals = targets.map(|loc| (*loc, never)).collect();
        self.certificate_of(goals)
    }

    /// What is to be shown at each location, and the invariants that this needs.
    fn certificate_of(&mut self, goals: FxHashMap<Loc, Term>) -> Vec<(Loc, Term)> {
        let needed = self.needed(&goals);
        let mut all: Vec<Loc> = goals.keys().chain(needed.keys()).copied().collect();
        all.sort();
        all.dedup();
        let mut invariants = Vec::with_capacity(all.len());
        for loc in all {
            let mut parts: Vec<Term> = needed.get(&loc).into_iter().flatten().copied().collect();
            parts.sort_unstable();
            for part in &parts {
                let maker = self.maker(*part);
                *self.statistics.needed.entry(maker).or_default() += 1;
            }
            if mutated(Mutant::InvariantDropped) {
                parts.clear();
            }
            parts.extend(goals.get(&loc));
            invariants.push((loc, self.terms.all(&parts)));
        }
        invariants
    }

    /// The invariants that some step of the proof needs, those that they need included.
    /// Where a question is not answered, all of the source's are kept.
    fn needed(&mut self, goals: &FxHashMap<Loc, Term>) -> FxHashMap<Loc, FxHashSet<Term>> {
        let mut needed: FxHashMap<Loc, FxHashSet<Term>> = FxHashMap::default();
        if self.invariants.values().all(Vec::is_empty) {
            return needed;
        }
        let mut work: Vec<(Loc, Term)> = goals.iter().map(|(loc, goal)| (*loc, *goal)).collect();
        work.sort_unstable();
        while let Some((dst, goal)) = work.pop() {
            let sources = self.graph.incoming[dst.0 as usize].clone();
            for edge in sources {
                let src = self.graph.edge(edge).src;
                if src == Graph::ROOT {
                    continue;
                }
                let known = self.invariants.get(&src).cloned().unwrap_or_default();
                if known.is_empty() {
                    continue;
                }
                if self.call_edge(src, dst).is_some() {
                    // What the call leaves as it is must hold before it.
                    for fact in known {
                        if needed.entry(src).or_default().insert(fact) {
                            work.push((src, fact));
                        }
                    }
                    continue;
                }
                let bad = self.terms.not(goal);
                let Some(mut all) = self.pre_of(src, dst, &[bad]) else {
                    continue;
                };
                all.extend(goals.get(&src));
                all.extend(&known);
                let core = match self.ask_patiently(Question::Induction, &all) {
                    Answer::Unsat(core) => core,
                    _ => known.clone(),
                };
                for fact in known.iter().filter(|f| core.contains(f)) {
                    if needed.entry(src).or_default().insert(*fact) {
                        work.push((src, *fact));
                    }
                }
            }
        }
        needed
    }

    /// The summaries that the proof uses, those that they use included, with ghosts that
    /// are named after the summary they belong to.
    fn used_summaries(&mut self) -> Vec<(usize, Summary)> {
        let mut numbers: BTreeSet<usize> = BTreeSet::new();
        let mut work: Vec<usize> = self.uses.iter().map(|used| used.summary).collect();
        while let Some(number) = work.pop() {
            if numbers.insert(number) {
                work.extend(self.summaries[number].uses.iter().map(|used| used.summary));
            }
        }
        let mut used: Vec<(usize, Summary)> =
            numbers.into_iter().map(|n| (n, self.named(n))).collect();
        let main = self.uses.clone();
        self.make_ghosts_older(&mut used, &main);
        used
    }

    /// A summary whose ghosts are named after its number.
    pub(crate) fn named(&mut self, number: usize) -> Summary {
        let summary = self.summaries[number].clone();
        self.with_ghosts(summary, |i, _| format!("s{number}.z{i}"))
    }

    /// A summary with other names for its ghosts, by their number and sort.
    pub(crate) fn with_ghosts(
        &mut self,
        mut summary: Summary,
        name: impl Fn(usize, Sort) -> String,
    ) -> Summary {
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for (i, ghost) in summary.ghosts.iter_mut().enumerate() {
            let sort = self.terms.sort(*ghost);
            let named = self.terms.var(&name(i, sort), sort, SymbolKind::Ghost);
            names.insert(*ghost, named);
            *ghost = named;
        }
        let mut rename = |term: &mut Term| *term = self.terms.substitute(*term, &names);
        rename(&mut summary.pre);
        rename(&mut summary.post);
        for (_, invariant) in &mut summary.invariants {
            rename(invariant);
        }
        for ghost in summary.uses.iter_mut().flat_map(|used| &mut used.ghosts) {
            rename(ghost);
        }
        summary
    }
}
