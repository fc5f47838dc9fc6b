//! Lee and Yannakakis (STOC 1992), as SYNERGY's figure 5 has it: a baseline without guidance.
//!
//! Two phases, the first as long as it makes progress. *Search* looks for a
//! region without a witness and a concrete step into it from the witness of
//! another; a region has one witness at most. *Split* takes a visited region
//! `P` and a region `Q` such that some states of `P` step into `Q` and some do
//! not, and splits `P` by the precondition of `Q`. When nothing is left to
//! do, the visited regions are the reachable part of the bisimulation quotient,
//! and the program is safe.
//!
//! Neither phase knows where the error is. So where the quotient is infinite
//! (here: as large as the integers) it does not end, though the proof may need
//! no split at all; and a loop of a thousand iterations costs a thousand splits.
//!
//! A witness is a concrete state: the solver call fixes all that is live in it,
//! and the path to it as well, so that the answer is a test. Preconditions are
//! exact but for inputs, which are taken out of them from above
//! (`eliminate`). That is sound, since a split needs no more; a pair
//! that stays unstable for this reason is left alone, and if it matters in the
//! end there is no verdict. Proofs are those of the region graph, as SYNERGY's.

use crate::algorithm::Algorithm;
use crate::algorithm::crossing;
use crate::certify::certificate;
use crate::core::Core;
use crate::events::{Cut, Event, Question, Why};
use crate::forest::{Most, NodeId};
use crate::progress::Progress;
use crate::refine::eliminate::eliminate;
use crate::refine::split;
use crate::regions::RegionId;
use crate::regions::edges;
use crate::regions::frontier::{Frontier, Next};
use crate::search::Search;
use crate::task::Task;
use crate::testing;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::Inputs;
use attest_exec::symbolic::step::Part;
use attest_model::graph::{Graph, Loc};
use attest_solver::Answer;
use attest_term::{Scratch, Term};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Duration;

/// Pairs of regions that nothing more is to be asked about.
#[derive(Default)]
pub(crate) struct Known {
    /// There is no step from the witness of the first into the second.
    searched: FxHashSet<(RegionId, RegionId)>,
    /// They are stable, as far as can be told.
    stable: FxHashSet<(RegionId, RegionId)>,
}

/// What the search phase found.
enum Found {
    Witness,
    Failure(FailingTest),
    Nothing,
}

/// The algorithm of Lee and Yannakakis.
#[derive(Default)]
pub(crate) struct LeeYannakakis(Known);

impl Algorithm for LeeYannakakis {
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
        lee_yannakakis(&mut self.0, search, until)
    }
}

/// The loop, until there is a verdict or it is late.
fn lee_yannakakis(
    known: &mut Known,
    search: &mut Search<'_>,
    until: Option<Duration>,
) -> Option<Verdict> {
    while until.is_none_or(|until| search.core.effort() < until) {
        if let Some(reason) = search.core.out_of_limits(&search.task) {
            return Some(Verdict::Unknown(reason));
        }
        search.core.tell(&search.task, Event::Round);
        match search_for_witness(known, search) {
            Found::Witness => continue,
            Found::Failure(test) => return Some(Verdict::Unsafe(test)),
            Found::Nothing => {}
        }
        if stabilise(known, search) {
            continue;
        }
        if let Next::Nothing = crossing::choose(&mut search.core, &mut search.task) {
            if let Some(verdict) = certificate::refused(&mut search.core) {
                return Some(verdict);
            }
            let invariants = certificate::certificate(&mut search.core, &search.task);
            return certificate::conclude_by(&mut search.core, &mut search.task, invariants);
        }
        let why = "the regions are stable as far as the solver can tell, and reach the error";
        return Some(Verdict::Unknown(Reason::Stuck(why.into())));
    }
    None
}

/// Pairs of a visited region and one that it has an edge to.
fn pairs(core: &Core<'_>, task: &Task) -> Vec<(RegionId, RegionId)> {
    let mut pairs = Vec::new();
    let locations = core.graph.locations_of(task.function);
    for loc in std::iter::once(Graph::ROOT).chain(locations.map(Loc)) {
        for from in task.regions.at(loc) {
            if loc != Graph::ROOT && !task.regions.visited(*from) {
                continue;
            }
            for edge in &core.graph.outgoing[loc.0 as usize] {
                let to = task.regions.at(core.graph.edge(*edge).dst).iter();
                let cut = &task.regions.region(*from).cut;
                let to = to.filter(|to| !cut.contains(to));
                pairs.extend(to.map(|to| (*from, *to)));
            }
        }
    }
    pairs
}

/// Lines 11 to 15: a region without a witness, and a step into it from a witness.
fn search_for_witness(known: &mut Known, search: &mut Search<'_>) -> Found {
    for (from, to) in pairs(&search.core, &search.task) {
        if search.task.regions.visited(to) || !known.searched.insert((from, to)) {
            continue;
        }
        let node = search.task.regions.region(from).witnesses.first().copied();
        let Some(inputs) = step_into(&mut search.core, &search.task, from, node, to) else {
            continue;
        };
        let inputs = Arc::new(inputs);
        // The test stops as soon as it has reached the state it is for.
        let one_step = Most {
            nodes: 1,
            steps: 0,
            limits: search.core.options.tuning.tests,
        };
        let run = testing::run_test(&mut search.core, inputs.clone(), node, one_step);
        if let Some(test) = testing::judge(search, inputs, &run, Why::Crossing) {
            return Found::Failure(test);
        }
        let at = node.map_or(0, |node| search.core.forest.node(node).depth as usize + 1);
        let Some(&new) = run.nodes.get(at) else {
            continue;
        };
        let region = search
            .core
            .region_of(&search.task, new, &mut Scratch::default());
        if search.task.regions.visited(region) {
            // The solver's state and the interpreter's differ; that is no new witness.
            search.core.statistics.missed += 1;
            continue;
        }
        search.core.add_witness(&mut search.task, new);
        return Found::Witness;
    }
    Found::Nothing
}

/// Inputs on which the witness of a region steps into another.
fn step_into(
    core: &mut Core<'_>,
    task: &Task,
    from: RegionId,
    node: Option<NodeId>,
    to: RegionId,
) -> Option<Inputs> {
    let src = task.regions.region(from).loc;
    let pieces = core.pre_conjuncts(task, src, to)?;
    let Some(node) = node else {
        let Answer::Sat(model) = core.ask(task, Question::Frontier, &pieces) else {
            return None;
        };
        let initial = core.initial.clone();
        return Some(core.test_of(&model, None, &initial, Graph::ROOT));
    };
    let beta = core.beta(task, node)?;
    let mut all = values_at(core, task, node, &pieces);
    all.extend(pieces);
    let mut question = core.all_along(task, &beta, &all);
    question.extend(core.path_to(task, node));
    match core.ask(task, Question::Frontier, &question) {
        Answer::Sat(model) => Some(core.test_of(&model, Some(node), &beta, src)),
        _ => None,
    }
}

/// That the state is the witness's own: its live variables, and the memory that these
/// pieces read.
fn values_at(core: &mut Core<'_>, task: &Task, node: NodeId, pieces: &[Term]) -> Vec<Term> {
    let location = core.graph.location(core.forest.node(node).loc);
    let is_live = |part: Part| match part {
        Part::Reg(reg, _) => location.live.contains(&reg),
        Part::Global(..) | Part::NextObject => true,
        Part::Result(..) => false,
    };
    let parts = task.names.vocabulary.parts();
    let mut terms: Vec<Term> = parts
        .filter(|(_, part)| is_live(*part))
        .map(|(term, _)| term)
        .collect();
    terms.extend(core.terms.reads(pieces));
    terms.sort_unstable();
    let mut facts = Vec::with_capacity(terms.len());
    for term in terms {
        // What is read of an object that the step makes is not there yet.
        if !core.is_of_state(task, term) {
            continue;
        }
        if let Some(value) = core.value_at(task, node, term) {
            let value = core.terms.value(value);
            facts.push(core.terms.eq(term, value));
        }
    }
    facts
}

/// Lines 17 to 20: splits a visited region of which only a part steps into another.
fn stabilise(known: &mut Known, search: &mut Search<'_>) -> bool {
    for (from, to) in pairs(&search.core, &search.task) {
        if !known.stable.insert((from, to)) {
            continue;
        }
        let frontier = Frontier {
            from,
            to,
            distance: 0,
        };
        let src = search.task.regions.region(from).loc;
        let Some(pieces) = search.core.pre_conjuncts(&search.task, src, to) else {
            edges::remove(&mut search.core, &mut search.task, frontier, Cut::NoStep);
            continue;
        };
        let mut meets = pieces.clone();
        meets.extend(search.task.known_at(from));
        if search
            .core
            .ask(&search.task, Question::Edge, &meets)
            .is_unsat()
        {
            edges::remove(&mut search.core, &mut search.task, frontier, Cut::Edge);
            continue;
        }
        if src == Graph::ROOT {
            continue;
        }
        let plain = eliminate(
            &mut search.core.terms,
            &pieces,
            search.core.options.tuning.refinement.choices,
        );
        let mut plain = search.core.flatten(plain);
        plain.retain(|piece| search.core.is_of_state(&search.task, *piece));
        let pre = search.core.terms.all(&plain);
        let mut beside = search.task.known_at(from);
        beside.push(search.core.terms.not(pre));
        if !search
            .core
            .ask(&search.task, Question::Stable, &beside)
            .is_sat()
        {
            continue;
        }
        if let Progress::Made = split::apply_split(
            &mut search.core,
            &mut search.task,
            frontier,
            &[],
            pre,
            &pieces,
            "stable",
        ) {
            return true;
        }
    }
    false
}
