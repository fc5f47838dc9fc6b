//! The one place where regions are split (algorithm notes 0).
//!
//! `rho` must follow from the region, what is invariant there, and the
//! precondition of the target. Then the states outside of `rho` cannot step
//! into the target and their edge may go. That is the only condition, it
//! speaks of one edge, and whoever made `rho` need not be trusted: with
//! `self_check` the solver discharges it here. For several targets the union of their
//! preconditions implies `rho`, so each of them does, and all these edges may go.

use crate::core::Core;
use crate::core::state_view::StateView;
use crate::events::{Cut, Event, Question};
use crate::forest::NodeId;
use crate::progress::Progress;
use crate::regions::RegionId;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use attest_exec::mutants::{Mutant, mutated};
use attest_solver::Answer;
use attest_term::{Program as Compiled, Scratch, Term};

/// Splits the region before a frontier by `rho` and deletes the edge from the part
/// outside of it. `pieces` are the precondition of the frontier's target, or of the union
/// of it and others, whose edges go as well.
pub(crate) fn apply_split(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    others: &[RegionId],
    rho: Term,
    pieces: &[Term],
    generator: &'static str,
) -> Progress {
    let rho = match mutated(Mutant::SplitNegated) {
        true => core.terms.not(rho),
        false => rho,
    };
    if core.terms.bool_const(rho) == Some(false) {
        edges::remove_all(core, task, frontier, others, Cut::Facts);
        return Progress::Made;
    }
    if core.options.self_check && !confirmed(core, task, frontier, others, rho, pieces, generator) {
        // Not confirmed, not applied.
        for witness in task.regions.region(frontier.from).witnesses.clone() {
            let tried = (frontier.from, frontier.to, Some(witness));
            task.attempts.tried.insert(tried);
        }
        return Progress::Stuck("the split could not be confirmed");
    }
    let look = StateView {
        forest: &core.forest,
        graph: core.graph,
        symbols: &task.names.symbols,
        ghosts: &task.context.values,
        none: &task.context.none,
        pointer_bits: core.program.pointer_bits,
    };
    let mut scratch = Scratch::default();
    let holds = |rho: &Compiled, node: NodeId| {
        let env = look.at(node);
        env.is_some_and(|env| rho.eval_bool(&env, &mut scratch))
    };
    let wrong = mutated(Mutant::SplitOfWrongPart);
    let (graph, terms) = (core.graph, &mut core.terms);
    let (inside, outside) = task
        .regions
        .split(graph, terms, frontier, rho, wrong, holds);
    let loc = task.regions.region(inside).loc;
    *task.splits.entry(loc).or_default() += 1;
    core.statistics.regions = task.regions.count() as u64;
    core.tell(
        task,
        Event::Split {
            region: frontier.from,
            to: frontier.to,
            inside,
            outside,
            rho,
            generator,
        },
    );
    let from = if wrong { inside } else { outside };
    for to in others {
        let edge = Frontier {
            from,
            to: *to,
            ..frontier
        };
        edges::remove(core, task, edge, Cut::Union);
    }
    edges::check_edges(core, task, [inside, outside]);
    Progress::Made
}

/// Whether the solver confirms the split rule. Each other target is asked about with its own
/// precondition, so that a union which is too small is found.
fn confirmed(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    others: &[RegionId],
    rho: Term,
    pieces: &[Term],
    generator: &str,
) -> bool {
    let src = task.regions.region(frontier.from).loc;
    let mut preconditions = vec![pieces.to_vec()];
    if !others.is_empty() {
        let all = others.iter().chain([&frontier.to]);
        preconditions.extend(all.filter_map(|to| core.pre_conjuncts(task, src, *to)));
    }
    preconditions.into_iter().all(|pre| {
        let mut all = task.known_at(frontier.from);
        all.extend(pre);
        all.push(core.terms.not(rho));
        match core.ask(task, Question::SelfCheck, &all) {
            Answer::Unsat(_) => true,
            Answer::Sat(_) => panic!(
                "the split rule is violated by {generator}: {}",
                core.terms.to_c(rho)
            ),
            Answer::Unknown(_) => false,
        }
    })
}
