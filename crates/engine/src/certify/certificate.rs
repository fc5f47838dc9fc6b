//! The proof that a finished region graph is (algorithm notes 7.1).
//!
//! At each location: the invariants that were found, and none of the regions
//! that reach a target. A region outside of B has no edge into B, so this is
//! inductive. Of the invariants only those are kept that some step needs.

use crate::certify::object_age;
use crate::core::Core;
use crate::events::Question;
use crate::invariants::houdini;
use crate::regions::RegionId;
use crate::smash::summaries::Summary;
use crate::task::Task;
use crate::verdict::{Proof, Reason, Verdict};
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::step::Hazard;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{BailKind, FnId, PlaceId};
use attest_solver::Answer;
use attest_term::{Sort, SymbolKind, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What a proof says of an instruction that may end in undefined or unsupported behaviour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Survival {
    /// Some executions get past it.
    Some,
    /// It is reached, and every execution ends there.
    Nothing(BailKind),
    /// It is not reached.
    NotReached,
}

/// The verdict where a test took an exit that no proof may exclude.
pub(crate) fn refused(core: &mut Core<'_>) -> Option<Verdict> {
    let (kind, what) = core.exits.leaves_model.clone()?;
    Some(Verdict::Unknown(Reason::LeavesModel { kind, what }))
}

/// The verdict of a proof whose assumptions were tested.
pub(crate) fn conclude(core: &mut Core<'_>) -> Option<Verdict> {
    refused(core).or_else(|| core.vacuity.proof.take().map(Verdict::Safe))
}

/// The verdict of a proof with these invariants, likewise.
pub(crate) fn conclude_by(
    core: &mut Core<'_>,
    task: &mut Task,
    invariants: Vec<(Loc, Term)>,
) -> Option<Verdict> {
    if let Some(verdict) = refused(core) {
        return Some(verdict);
    }
    let proof = Proof {
        invariants,
        uses: task.uses.clone(),
        summaries: used_summaries(core, task),
        assumed: core.options.assumed.clone(),
        asserts: core.options.checks.asserts,
        excused: core.stepper.excused.iter().copied().collect(),
    };
    if let Some(reason) = unavoidable_exit(core, task, &proof) {
        return Some(Verdict::Unknown(reason));
    }
    if !core.options.doubt || !doubt(core, task) {
        return Some(Verdict::Safe(proof));
    }
    core.vacuity.proof = Some(proof);
    None
}

/// Nothing behind an access runs that is through null, or outside of its object, each
/// time. A proof that says so of code that it takes as reached speaks of a program that
/// its author did not mean, and is no reason to call it safe. Of a procedure with
/// summaries, all of them must say so. A proof takes more as reached than is: where no
/// test ended so, all the places to which inlining has copied the access must say so.
fn unavoidable_exit(core: &mut Core<'_>, task: &Task, proof: &Proof) -> Option<Reason> {
    let until = core.effort() + core.options.tuning.proof.bail_effort;
    let mut maps = vec![(task.function, &proof.invariants)];
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
        for src in before_hazards(core, maps[0].0) {
            let vocabulary = core.names_of(maps[0].0).vocabulary;
            let hazards = core.stepper.hazards(&mut core.terms, &vocabulary, src);
            for hazard in hazards {
                if let Some(reason) = core.out_of_limits(task) {
                    return Some(reason);
                }
                if core.effort() > until {
                    let what =
                        "there was no time to see whether a proof that was found is about nothing";
                    return Some(Reason::Stuck(what.into()));
                }
                match survival(core, task, &hazard, src, &facts) {
                    Survival::Nothing(kind) if ended_so(core, src, kind) => {
                        return Some(certainly(core, kind, hazard.place));
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
    Some(certainly(core, *kind, *place))
}

/// That a proof is about a program that certainly ends in undefined or unsupported behaviour.
fn certainly(core: &Core<'_>, kind: BailKind, place: PlaceId) -> Reason {
    let what = match kind {
        BailKind::NullDeref => "an access that is through null",
        BailKind::InvalidPointer => {
            "an access that is through a number that is no object's address"
        }
        _ => "it happens",
    };
    let what = format!("{}: {what} whenever it is reached", kind.word());
    Reason::LeavesModel {
        kind,
        what: format!("{what}, at {}", core.program.place(place)),
    }
}

/// Whether a test ended so by a step from a location.
fn ended_so(core: &Core<'_>, src: Loc, kind: BailKind) -> bool {
    let edges = core.graph.outgoing[src.0 as usize].iter();
    let mut ends = edges.map(|edge| core.graph.edge(*edge).dst);
    ends.any(|dst| {
        core.graph.location(dst).kind == LocKind::Bail(kind)
            && core.forest.at(dst).iter().any(|node| {
                let parent = core.forest.node(*node).parent;
                parent.is_some_and(|parent| core.forest.node(parent).loc == src)
            })
    })
}

/// The locations of a function from which steps lead to exits that are assumed not to be
/// taken.
fn before_hazards(core: &Core<'_>, function: FnId) -> Vec<Loc> {
    let ends = &core.graph.functions[function.0 as usize].ends;
    let assumed = |loc: &&Loc| match core.graph.location(**loc).kind {
        LocKind::Bail(kind) => ends_for_good(core, kind),
        _ => false,
    };
    let edges = ends.values().filter(assumed);
    let edges = edges.flat_map(|loc| &core.graph.incoming[loc.0 as usize]);
    let mut sources: Vec<Loc> = edges.map(|edge| core.graph.edge(*edge).src).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// Whether proofs leave out executions that end so. Sums that wrap go on.
fn ends_for_good(core: &Core<'_>, kind: BailKind) -> bool {
    kind != BailKind::Overflow && core.options.assumed.contains(&kind)
}

/// What these maps, all of them, say of an instruction on the steps from a location.
fn survival(
    core: &mut Core<'_>,
    task: &Task,
    hazard: &Hazard,
    src: Loc,
    maps: &[FxHashMap<Loc, Term>],
) -> Survival {
    let mut reached = Survival::NotReached;
    for facts in maps {
        let fact = facts.get(&src).copied();
        let fact = fact.unwrap_or_else(|| core.terms.bool(true));
        let past = core.ask_briefly(task, Question::Local, &[fact, hazard.survives]);
        if !past.is_unsat() {
            return Survival::Some;
        }
        for (kind, leaves) in &hazard.leaves {
            if reached == Survival::NotReached
                && ends_for_good(core, *kind)
                && let Answer::Sat(_) = core.ask_briefly(task, Question::Local, &[fact, *leaves])
            {
                reached = Survival::Nothing(*kind);
            }
        }
    }
    reached
}

/// A proof assumes that some exits are not taken. If a test takes one, it is taken, and
/// the proof may be about nothing: such tests are searched for with half the effort that
/// the proof took. Whether there is anything to search for.
fn doubt(core: &mut Core<'_>, task: &mut Task) -> bool {
    let ends = &core.graph.functions[core.program.entry.0 as usize].ends;
    let is_assumed = |loc: &Loc| match core.graph.location(*loc).kind {
        LocKind::Bail(BailKind::Overflow) => false,
        LocKind::Bail(kind) => {
            let told = core.options.notices || kind.class().is_none();
            told && core.options.assumed.contains(&kind)
        }
        _ => false,
    };
    core.targets = ends.values().copied().filter(is_assumed).collect();
    let regions = core.targets.iter().flat_map(|loc| task.regions.at(*loc));
    let goals: Vec<_> = regions.copied().collect();
    task.regions.set_goals(core.graph, goals);
    let limits = &core.options.tuning.proof;
    let now = core.effort();
    let time = (now / limits.vacuity_divisor)
        .max(limits.vacuity_least)
        .min(limits.vacuity_most);
    core.vacuity.until = Some(now + time);
    !core.targets.is_empty()
}

/// The invariants of the present procedure's locations.
pub(crate) fn certificate(core: &mut Core<'_>, task: &Task) -> Vec<(Loc, Term)> {
    let bad = task.regions.bad().collect();
    outside(core, task, bad)
}

/// The invariants that say of each location: its state is in none of these regions.
pub(super) fn outside(
    core: &mut Core<'_>,
    task: &Task,
    regions: Vec<RegionId>,
) -> Vec<(Loc, Term)> {
    let mut by_location: FxHashMap<Loc, Vec<RegionId>> = FxHashMap::default();
    for region in regions {
        let loc = task.regions.region(region).loc;
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
            let predicate = task.regions.region(region).predicate.clone();
            cubes.push(core.terms.all(&predicate));
        }
        let any = core.terms.any(&cubes);
        goals.insert(loc, core.terms.not(any));
    }
    certificate_of(core, task, goals)
}

/// The invariants alone, where no step leads from them to a target.
pub(crate) fn certificate_without_regions(core: &mut Core<'_>, task: &Task) -> Vec<(Loc, Term)> {
    let never = core.terms.bool(false);
    let targets = core.targets.iter();
    let goals = targets.map(|loc| (*loc, never)).collect();
    certificate_of(core, task, goals)
}

/// What is to be shown at each location, and the invariants that this needs.
pub(super) fn certificate_of(
    core: &mut Core<'_>,
    task: &Task,
    goals: FxHashMap<Loc, Term>,
) -> Vec<(Loc, Term)> {
    let needed = needed(core, task, &goals);
    let mut all: Vec<Loc> = goals.keys().chain(needed.keys()).copied().collect();
    all.sort();
    all.dedup();
    let mut invariants = Vec::with_capacity(all.len());
    for loc in all {
        let mut parts: Vec<Term> = needed.get(&loc).into_iter().flatten().copied().collect();
        parts.sort_unstable();
        for part in &parts {
            let maker = houdini::maker(core, task, *part);
            *core.statistics.needed.entry(maker).or_default() += 1;
        }
        if mutated(Mutant::InvariantDropped) {
            parts.clear();
        }
        parts.extend(goals.get(&loc));
        invariants.push((loc, core.terms.all(&parts)));
    }
    invariants
}

/// The invariants that some step of the proof needs, those that they need included.
/// Where a solver call is not decided, all of the source's are kept.
fn needed(
    core: &mut Core<'_>,
    task: &Task,
    goals: &FxHashMap<Loc, Term>,
) -> FxHashMap<Loc, FxHashSet<Term>> {
    let mut needed: FxHashMap<Loc, FxHashSet<Term>> = FxHashMap::default();
    if task.invariants.values().all(Vec::is_empty) {
        return needed;
    }
    let mut work: Vec<(Loc, Term)> = goals.iter().map(|(loc, goal)| (*loc, *goal)).collect();
    work.sort_unstable();
    while let Some((dst, goal)) = work.pop() {
        let sources = core.graph.incoming[dst.0 as usize].clone();
        for edge in sources {
            let src = core.graph.edge(edge).src;
            if src == Graph::ROOT {
                continue;
            }
            let known = task.invariants.get(&src).cloned().unwrap_or_default();
            if known.is_empty() {
                continue;
            }
            if core.call_edge(src, dst).is_some() {
                // What the call leaves as it is must hold before it.
                for fact in known {
                    if needed.entry(src).or_default().insert(fact) {
                        work.push((src, fact));
                    }
                }
                continue;
            }
            let bad = core.terms.not(goal);
            let Some(mut all) = core.pre_of(task, src, dst, &[bad]) else {
                continue;
            };
            all.extend(goals.get(&src));
            all.extend(&known);
            let reason = match core.ask_patiently(task, Question::Induction, &all) {
                Answer::Unsat(reason) => reason,
                _ => known.clone(),
            };
            for fact in known.iter().filter(|f| reason.contains(f)) {
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
pub(super) fn used_summaries(core: &mut Core<'_>, task: &Task) -> Vec<(usize, Summary)> {
    let mut numbers: BTreeSet<usize> = BTreeSet::new();
    let mut work: Vec<usize> = task.uses.iter().map(|used| used.summary).collect();
    while let Some(number) = work.pop() {
        if numbers.insert(number) {
            work.extend(
                core.smash.summaries[number]
                    .uses
                    .iter()
                    .map(|used| used.summary),
            );
        }
    }
    let mut used: Vec<(usize, Summary)> =
        numbers.into_iter().map(|n| (n, named(core, n))).collect();
    let main = task.uses.clone();
    object_age::bound_ghosts(core, task, &mut used, &main);
    used
}

/// A summary whose ghosts are named after its number.
pub(crate) fn named(core: &mut Core<'_>, number: usize) -> Summary {
    let summary = core.smash.summaries[number].clone();
    with_ghosts(core, summary, |i, _| format!("s{number}.z{i}"))
}

/// A summary with other names for its ghosts, by their number and sort.
pub(crate) fn with_ghosts(
    core: &mut Core<'_>,
    mut summary: Summary,
    name: impl Fn(usize, Sort) -> String,
) -> Summary {
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    for (i, ghost) in summary.ghosts.iter_mut().enumerate() {
        let sort = core.terms.sort(*ghost);
        let named = core.terms.var(&name(i, sort), sort, SymbolKind::Ghost);
        names.insert(*ghost, named);
        *ghost = named;
    }
    let mut rename = |term: &mut Term| *term = core.terms.substitute(*term, &names);
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
