//! The proof of some targets, where others are still open.
//!
//! A target is discharged if no visited region has an edge into the regions that may lead to
//! it. These regions, taken together for all discharged targets, are as good a certificate as
//! B is for all of them: a region outside has no edge into them. What is still open ends a
//! run of such a proof. Constructs that are not supported have no such meaning, so all of
//! them must be discharged.

use crate::certify::certificate;
use crate::core::Core;
use crate::regions::RegionId;
use crate::regions::frontier::bad_regions;
use crate::search::Search;
use crate::task::Task;
use crate::verdict::Proof;
use attest_model::graph::{Loc, LocKind};
use rustc_hash::FxHashSet;

/// The proof of the targets of the program that are discharged.
pub(crate) fn proof(search: &mut Search<'_>) -> Option<Proof> {
    let core = &mut search.core;
    if core.exits.leaves_model.is_some() || core.forest.is_empty() {
        return None;
    }
    let task = search.waiting.first().unwrap_or(&search.task);
    let mut proof = Proof {
        invariants: Vec::new(),
        uses: task.uses.clone(),
        summaries: Vec::new(),
        assumed: core.options.assumed.clone(),
        asserts: core.options.checks.asserts,
        excused: core.stepper.excused.iter().copied().collect(),
    };
    let mut bad: FxHashSet<RegionId> = FxHashSet::default();
    let mut any = false;
    for loc in core.targets.clone() {
        let discharged = leading_to(core, task, loc);
        any |= discharged.is_some();
        match (discharged, core.graph.location(loc).kind) {
            (Some(regions), _) => bad.extend(regions),
            (None, LocKind::Error) => proof.asserts = false,
            (None, LocKind::Bail(kind)) if kind.class().is_some() => proof.assumed.push(kind),
            (None, _) => return None,
        }
    }
    if !any {
        return None;
    }
    proof.invariants = certificate::outside(core, task, bad.into_iter().collect());
    proof.summaries = certificate::used_summaries(core, task);
    Some(proof)
}

/// The regions that may lead to a target, if no visited one is before them.
fn leading_to(core: &Core<'_>, task: &Task, target: Loc) -> Option<FxHashSet<RegionId>> {
    let space = task.regions.space(core.graph);
    let goals = task.regions.at(target).iter().copied();
    if goals.clone().any(|goal| task.regions.visited(goal)) {
        return None;
    }
    let regions = bad_regions(space, goals);
    let is_before = |region: &RegionId| space.before(*region).any(|from| space.started(from));
    (!regions.iter().any(is_before)).then_some(regions)
}
