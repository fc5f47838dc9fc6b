//! DASH: tests and a region graph that refine each other until one of them decides.
//!
//! The loop is that of the paper (Fig. 8), with the frontier found without
//! search and one question each: can a test cross it? If yes, the test is
//! run. If not, the region before the frontier is split by a predicate that
//! keeps the states which can still cross away from those that cannot
//! (`refine`). SYNERGY and LCT-D are the same loop with another
//! [`Strategy`](crate::Strategy).
//!
//! Soundness rests on one rule, at one place (`split`): for
//! `R and Pre(R') => rho` the edge from `R and not rho` to `R'` may go.

use crate::algorithm::Algorithm;
use crate::algorithm::crossing::{self, Asked};
use crate::algorithm::strategy::Candidates;
use crate::algorithm::vacuity;
use crate::certify::certificate;
use crate::events::{Cut, Event};
use crate::invariants::single_run;
use crate::progress::Progress;
use crate::refine;
use crate::refine::joint::{self, Joint};
use crate::refine::refusal::Refusal;
use crate::regions::edges;
use crate::regions::frontier::{Frontier, Next};
use crate::search::Search;
use crate::simulation;
use crate::smash::Ending;
use crate::smash::call;
use crate::smash::query;
use crate::task::Task;
use crate::testing;
use crate::testing::explore;
use crate::testing::layout;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::Graph;
use attest_solver::Answer;
use std::time::Duration;

/// DASH, and with other settings SYNERGY, SMASH and LCT-D.
pub(crate) struct Dash;

impl Algorithm for Dash {
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
        if let Some(test) = begin(search, until) {
            return Some(Verdict::Unsafe(test));
        }
        dash(search, until)
    }
}

/// What a slice of time begins with: the first tests, exploration, and the initial abstraction.
pub(crate) fn begin(search: &mut Search<'_>, until: Option<Duration>) -> Option<FailingTest> {
    if search.core.forest.is_empty()
        && let Some(test) = testing::first_tests(search)
    {
        return Some(test);
    }
    if let Some(until) = until
        && let Some(test) = explore::explore_first(search, until)
    {
        return Some(test);
    }
    // The papers' algorithms have no invariants, and the test of assumptions needs none.
    let core = &mut search.core;
    let wanted =
        core.vacuity.proof.is_none() && core.options.strategy.candidates != Candidates::Never;
    if wanted
        && core.forest.last_took_no_inputs()
        && !std::mem::replace(&mut core.testing.single_run_seen, true)
    {
        single_run::learn_single_run(core, &mut search.task);
    }
    if simulation::wants_initial_abstraction(&search.core) {
        let found = simulation::abstract_initially(search);
        search.core.testing.abstracted = true;
        return found;
    }
    None
}

/// How a round of the loop ends.
pub(crate) enum Round {
    /// It changed something.
    Worked,
    /// It decided.
    Verdict(Verdict),
    /// The invariants alone exclude the targets.
    Proved,
    /// No frontier is left to work on.
    Settled(Next),
}

/// The loop of DASH, until there is a verdict or it is late.
fn dash(search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
    while until.is_none_or(|until| search.core.effort() < until) {
        let found = match round(search) {
            Round::Worked => continue,
            Round::Verdict(verdict) => return Some(verdict),
            Round::Proved => {
                certificate::certificate_without_regions(&mut search.core, &search.task)
            }
            Round::Settled(Next::Idle(count)) => {
                return Some(Verdict::Unknown(Reason::Stuck(format!(
                    "{count} frontiers are left that the solver cannot decide"
                ))));
            }
            Round::Settled(_) => match certificate::refused(&mut search.core) {
                Some(verdict) => return Some(verdict),
                None => certificate::certificate(&mut search.core, &search.task),
            },
        };
        return certificate::conclude_by(&mut search.core, &mut search.task, found)
            .or_else(|| vacuity::test(search, until));
    }
    None
}

/// One round: a frontier is crossed by a test, or the region before it is split.
pub(crate) fn round(search: &mut Search<'_>) -> Round {
    if let Some(reason) = search.core.out_of_limits(&search.task) {
        return Round::Verdict(Verdict::Unknown(reason));
    }
    if let Some(test) = explore::explore_if_due(search) {
        return Round::Verdict(Verdict::Unsafe(test));
    }
    search.core.tell(&search.task, Event::Round);
    if std::mem::take(&mut search.task.invariants_suffice) && search.core.vacuity.proof.is_none() {
        return Round::Proved;
    }
    if let Some(ending) = ended(&mut search.task) {
        return answered(search, ending);
    }
    let frontier = match crossing::choose(&mut search.core, &mut search.task) {
        Next::Frontier(frontier) => frontier,
        Next::Nothing if search.task.query.is_some() => return answered(search, Ending::No),
        Next::Idle(_) if search.task.query.is_some() => return answered(search, Ending::Unknown),
        next => return Round::Settled(next),
    };
    match cross_or_refine(search, frontier) {
        Progress::Made => Round::Worked,
        Progress::Failed(test) => Round::Verdict(Verdict::Unsafe(test)),
        Progress::Stuck(why) => {
            search
                .core
                .tell(&search.task, Event::Stuck { frontier, why });
            Round::Worked
        }
    }
}

/// The present query has its answer, and its caller goes on.
fn answered(search: &mut Search<'_>, ending: Ending) -> Round {
    let frontier = search.task.query.as_ref().map(|query| query.frontier);
    let progress = query::answer(search, ending);
    if let (Progress::Stuck(why), Some(frontier)) = (progress, frontier) {
        search
            .core
            .tell(&search.task, Event::Stuck { frontier, why });
    }
    Round::Worked
}

/// Whether the present query is answered by a test, or has used up its rounds.
fn ended(task: &mut Task) -> Option<Ending> {
    let reached = task.regions.reached();
    let query = task.query.as_mut()?;
    if reached {
        return Some(Ending::Yes);
    }
    if query.rounds == 0 {
        return Some(Ending::Later);
    }
    query.rounds -= 1;
    None
}

/// One round: cross the frontier with a test, or split the region before it.
fn cross_or_refine(search: &mut Search<'_>, frontier: Frontier) -> Progress {
    let (src, dst) = search.task.places(frontier.from, frontier.to);
    if src == Graph::ROOT && search.task.query.is_some() {
        return query::enter_there(search, frontier);
    }
    if let Some((callee, outcome)) = search.core.call_edge(src, dst) {
        return call::cross_call(search, frontier, callee, outcome);
    }
    let (core, task) = (&mut search.core, &mut search.task);
    if joint::refine_ahead(core, task, frontier) {
        return Progress::Made;
    }
    let Joint { others, pre, exact } = joint::joint(core, task, frontier);
    let (Some(pre), Some(exact)) = (pre, exact) else {
        edges::remove_all(core, task, frontier, &others, Cut::NoStep);
        return Progress::Made;
    };
    let remembered = crossing::remembered(core, task, frontier, &pre);
    // A target is unsatisfiable where a loop is unrolled in vain, and not as it comes first.
    let is_first = !task.splits.contains_key(&src);
    let is_known = remembered.is_some() && is_first;
    if !is_known && edges::excluded_locally(core, task, frontier, &exact) {
        edges::remove_all(core, task, frontier, &others, Cut::Local);
        return Progress::Made;
    }
    if src == Graph::ROOT {
        return crossing::start_there(search, frontier, &pre);
    }
    let (core, task) = (&mut search.core, &mut search.task);
    let asked = remembered.unwrap_or_else(|| crossing::ask(core, task, frontier, &pre));
    let (answer, witness, question) = match asked {
        Asked::NoWitness => return Progress::Stuck("every witness was tried"),
        Asked::Lost(node) => {
            let target = refine::Target {
                frontier,
                others: &others,
                pre: &pre,
            };
            return refine::refine_by_facts(core, task, target, node);
        }
        Asked::Answered {
            answer,
            witness,
            question,
        } => (answer, witness, question),
    };
    match answer {
        Answer::Sat(model) => {
            let inputs = core.test_of(&model, Some(witness.node), &witness.beta, src);
            match crossing::cross(search, frontier, &others, Some(witness.node), inputs) {
                Progress::Stuck(why) => {
                    layout::cross_with_layout(search, frontier, &witness, &question, src)
                        .unwrap_or(Progress::Stuck(why))
                }
                progress => progress,
            }
        }
        Answer::Unsat(reason) => {
            if core.options.aims_at_locations() {
                core.refuted.add(&reason);
            }
            let refusal = Refusal {
                frontier,
                others: &others,
                core: crossing::needed(&witness, &question, &pre, &reason),
                witness: &witness,
                pre: &pre,
                is_call: false,
            };
            refine::refine(core, task, &refusal)
        }
        Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatAtFrontier) => {
            edges::remove(core, task, frontier, Cut::Facts);
            Progress::Made
        }
        Answer::Unknown(_) => {
            task.give_up(frontier, Some(witness.node), "the solver does not know")
        }
    }
}
