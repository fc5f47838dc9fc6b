//! Frontiers: which one is next, and the tests that are to cross it.

use crate::core::Core;
use crate::events::{Cut, Event, Question, Why};
use crate::forest::NodeId;
use crate::progress::Progress;
use crate::refine::joint;
use crate::refine::refusal::Witness;
use crate::regions::edges;
use crate::regions::frontier::{Frontier, Next};
use crate::regions::{RegionId, Regions};
use crate::search::Search;
use crate::task::Task;
use crate::techniques::Technique;
use crate::testing;
use attest_exec::Inputs;
use attest_model::graph::Graph;
use attest_solver::Answer;
use attest_term::Term;
use std::sync::Arc;

/// The frontier to work on, which is counted as an attempt.
pub(crate) fn choose(core: &mut Core<'_>, task: &mut Task) -> Next {
    let attempts = &task.attempts;
    let age = |regions: &Regions, from, to| {
        let step = (regions.region(from).loc, regions.region(to).loc);
        attempts.by_step.get(&step).copied().unwrap_or(0) / 8
    };
    let ready = |regions: &Regions, from, to| {
        attempts.is_initial(regions, from, to) || attempts.witness(regions, from, to).is_some()
    };
    let next = task
        .regions
        .next(core.graph, core.options.self_check, age, ready);
    if let Next::Frontier(frontier) = next {
        let key = task.places(frontier.from, frontier.to);
        *task.attempts.by_step.entry(key).or_default() += 1;
        let witness = task.witness(frontier.from, frontier.to);
        let depth = witness.map(|node| core.forest.node(node).depth);
        core.tell(task, Event::Frontier { frontier, depth });
    }
    next
}

/// The frontier is the start of the program itself.
pub(crate) fn start_there(
    search: &mut Search<'_>,
    frontier: Frontier,
    pieces: &[Term],
) -> Progress {
    match search.core.ask(&search.task, Question::Frontier, pieces) {
        Answer::Sat(model) => {
            let initial = search.core.initial.clone();
            let inputs = search.core.test_of(&model, None, &initial, Graph::ROOT);
            cross(search, frontier, &[], None, inputs)
        }
        Answer::Unsat(_) => {
            edges::remove(&mut search.core, &mut search.task, frontier, Cut::Start);
            Progress::Made
        }
        Answer::Unknown(_) => search
            .task
            .give_up(frontier, None, "the solver does not know"),
    }
}

/// Runs the test that should cross a frontier.
pub(crate) fn cross(
    search: &mut Search<'_>,
    frontier: Frontier,
    others: &[RegionId],
    node: Option<NodeId>,
    inputs: Inputs,
) -> Progress {
    let aside = joint::aside(&search.core, &search.task, frontier);
    let follows = node.or_else(|| search.task.query.as_ref().map(|q| q.node));
    let inputs = Arc::new(inputs);
    if let Some(test) = testing::test(search, inputs.clone(), follows, Why::Crossing) {
        return Progress::Failed(test);
    }
    for _ in 0..search.core.options.tuning.search.scaled_tests {
        let number = search.core.statistics.tests;
        if number < search.core.options.tuning.search.scaled_until
            && search.core.options.uses(Technique::SmallTests)
            && !search.core.options.aims_at_locations()
            && let Some(smaller) =
                crate::testing::seeds::scaled(&inputs, number, &search.core.options.tuning.tests)
            && let Some(test) = testing::test(search, Arc::new(smaller), None, Why::Random)
        {
            return Progress::Failed(test);
        }
    }
    let mut targets = others.iter().chain([&frontier.to]).chain(&aside);
    if targets.any(|to| search.task.regions.visited(*to)) {
        return Progress::Made;
    }
    search.core.tell(&search.task, Event::Missed(frontier));
    let key = (frontier.from, frontier.to);
    *search.task.attempts.diverged.entry(key).or_default() += 1;
    search
        .task
        .give_up(frontier, node, "the test went elsewhere")
}

/// The answer to the frontier question: can a test that follows the witness's path cross?
pub(crate) enum Asked {
    /// No witness is left to try.
    NoWitness,
    /// Symbolic execution cannot follow the witness's path.
    Lost(NodeId),
    /// The solver's answer, with the witness and what was asked: the conditions of the path
    /// first, the precondition at its end last.
    Answered {
        /// What it said.
        answer: Answer,
        /// The witness.
        witness: Witness,
        /// The question.
        question: Vec<Term>,
    },
}

/// Asks the solver once whether a test along the witness's path can cross a frontier.
pub(crate) fn ask(core: &mut Core<'_>, task: &mut Task, frontier: Frontier, pre: &[Term]) -> Asked {
    match along_path(core, task, frontier, pre) {
        Ok((witness, question)) => Asked::Answered {
            answer: core.ask(task, Question::Frontier, &question),
            witness,
            question,
        },
        Err(asked) => asked,
    }
}

/// The frontier question, if an earlier refutation answers it without the solver.
pub(crate) fn remembered(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    pre: &[Term],
) -> Option<Asked> {
    if !core.options.aims_at_locations() || !core.options.uses(Technique::Remembered) {
        return None;
    }
    let (witness, question) = along_path(core, task, frontier, pre).ok()?;
    let known = core.refuted.core_of(&question)?.to_vec();
    Some(Asked::Answered {
        answer: Answer::Unsat(known),
        witness,
        question,
    })
}

/// The question whether a test along the witness's path can cross a frontier.
fn along_path(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    pre: &[Term],
) -> Result<(Witness, Vec<Term>), Asked> {
    let Some(node) = task.witness(frontier.from, frontier.to) else {
        return Err(Asked::NoWitness);
    };
    task.context.focus = Some(core.forest.node(node).activation);
    let Some(beta) = core.beta(task, node) else {
        return Err(Asked::Lost(node));
    };
    let at_end = core.all_along(task, &beta, pre);
    let path = core.path_to(task, node);
    let question: Vec<Term> = path.iter().chain(&at_end).copied().collect();
    Ok((Witness { node, beta, path }, question))
}

/// The conjuncts of a precondition that the solver needed to refuse the frontier.
pub(crate) fn needed(
    witness: &Witness,
    question: &[Term],
    pre: &[Term],
    core: &[Term],
) -> Vec<Term> {
    let at_end = &question[witness.path.len()..];
    let used = pre.iter().zip(at_end);
    let used = used.filter(|(_, there)| core.contains(there));
    used.map(|(piece, _)| *piece).collect()
}
