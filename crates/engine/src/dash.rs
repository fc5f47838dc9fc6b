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

use crate::alone;
use crate::cegar;
use crate::certificate;
use crate::core::Core;
use crate::dse;
use crate::engine::Engine;
use crate::events::{Conclusion, Cut, Event, Question, Why};
use crate::facts;
use crate::forest::NodeId;
use crate::frontier::{Frontier, Next};
use crate::initial;
use crate::layout;
use crate::lee_yannakakis;
use crate::procedures;
use crate::procedures::Ending;
use crate::progress::Progress;
use crate::refine;
use crate::regions::{RegionId, Regions};
use crate::roam;
use crate::strategy::{Candidates, Edges, Local, Search};
use crate::task::Task;
use crate::techniques::Technique;
use crate::testing;
use crate::verdict::{Reason, Verdict};
use attest_exec::Inputs;
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::Graph;
use attest_solver::Answer;
use attest_term::Term;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Tests on smaller inputs for each crossing test.
const SCALED: u32 = 3;
/// Tests after which crossing tests are not run on smaller inputs as well.
const MOST_SCALED: u64 = 120;

/// The loop of DASH, until there is a verdict or it is late.
fn dash(engine: &mut Engine<'_>, until: Option<Duration>) -> Option<Verdict> {
    if engine.core.forest.is_empty()
        && let Some(test) = testing::first_tests(engine)
    {
        return Some(Verdict::Unsafe(test));
    }
    if let Some(until) = until
        && let Some(test) = roam::roam_first(engine, until)
    {
        return Some(Verdict::Unsafe(test));
    }
    // The papers' algorithms have no invariants, and doubts need none.
    let wanted = engine.core.vacuity.proof.is_none()
        && engine.core.options.strategy.candidates != Candidates::Never;
    if wanted
        && engine.core.forest.last_took_no_inputs()
        && !std::mem::replace(&mut engine.core.testing.alone, true)
    {
        alone::learn_alone(&mut engine.core, &mut engine.task);
    }
    if initial::wants_initial_abstraction(&engine.core) {
        let found = initial::abstract_initially(engine);
        engine.core.options.initial.clear();
        if let Some(test) = found {
            return Some(Verdict::Unsafe(test));
        }
    }
    while until.is_none_or(|until| engine.core.effort() < until) {
        if engine.core.vacuity.proof.is_some() && doubts_are_over(&engine.core, &engine.task) {
            return certificate::conclude(&mut engine.core, &mut engine.task);
        }
        if let Some(reason) = engine.core.out_of_limits(&engine.task) {
            return Some(Verdict::Unknown(reason));
        }
        if let Some(test) = roam::roam_if_due(engine) {
            return Some(Verdict::Unsafe(test));
        }
        engine.core.tell(&engine.task, Event::Round);
        if std::mem::take(&mut engine.task.invariants_suffice)
            && engine.core.vacuity.proof.is_none()
        {
            let invariants =
                certificate::certificate_without_regions(&mut engine.core, &engine.task);
            match certificate::conclude_by(&mut engine.core, &mut engine.task, invariants) {
                Some(verdict) => return Some(verdict),
                None => continue,
            }
        }
        if let Some(ending) = ended(&mut engine.task) {
            let _ = procedures::answer(engine, ending);
            continue;
        }
        let frontier = match choose(&mut engine.core, &mut engine.task) {
            Next::Frontier(frontier) => frontier,
            Next::Nothing if engine.task.query.is_some() => {
                let _ = procedures::answer(engine, Ending::No);
                continue;
            }
            Next::Idle(_) if engine.task.query.is_some() => {
                let _ = procedures::answer(engine, Ending::Unknown);
                continue;
            }
            Next::Nothing => match certificate::conclude(&mut engine.core, &mut engine.task) {
                Some(verdict) => return Some(verdict),
                None => continue,
            },
            Next::Idle(_) if engine.core.vacuity.proof.is_some() => {
                return certificate::conclude(&mut engine.core, &mut engine.task);
            }
            Next::Idle(count) => {
                return Some(Verdict::Unknown(Reason::Stuck(format!(
                    "{count} frontiers are left that the solver cannot decide"
                ))));
            }
        };
        match cross_or_refine(engine, frontier) {
            Progress::Made => {}
            Progress::Failed(test) => return Some(Verdict::Unsafe(test)),
            Progress::Stuck(why) => engine
                .core
                .tell(&engine.task, Event::Stuck { frontier, why }),
        }
    }
    None
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

fn doubts_are_over(core: &Core<'_>, task: &Task) -> bool {
    let late = |at: Option<Duration>| at.is_some_and(|at| core.effort() >= at);
    core.exits.leaves_model.is_some()
        || late(core.vacuity.until)
        || core.out_of_limits(task).is_some()
}

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

/// One round: cross the frontier with a test, or split the region before it.
fn cross_or_refine(engine: &mut Engine<'_>, frontier: Frontier) -> Progress {
    let (src, dst) = engine.task.places(frontier.from, frontier.to);
    if src == Graph::ROOT && engine.task.query.is_some() {
        return procedures::enter_there(engine, frontier);
    }
    if let Some((callee, outcome)) = engine.core.call_edge(src, dst) {
        return procedures::cross_call(engine, frontier, callee, outcome);
    }
    let Some(pieces) = engine.core.pieces(&engine.task, src, frontier.to) else {
        cut(&mut engine.core, &mut engine.task, frontier, Cut::NoStep);
        return Progress::Made;
    };
    if excluded_locally(&mut engine.core, &mut engine.task, frontier, &pieces) {
        cut(&mut engine.core, &mut engine.task, frontier, Cut::Local);
        return Progress::Made;
    }
    if src == Graph::ROOT {
        return start_there(engine, frontier, &pieces);
    }
    let Some(node) = engine.task.witness(frontier.from, frontier.to) else {
        return Progress::Stuck("every witness was tried");
    };
    engine.task.context.focus = Some(engine.core.forest.node(node).activation);
    let Some(beta) = engine.core.beta(&engine.task, node) else {
        return facts::refine_by_facts(&mut engine.core, &mut engine.task, frontier, node, &pieces);
    };
    let questions = engine.core.all_along(&engine.task, &beta, &pieces);
    let path = engine.core.path_to(&engine.task, node);
    let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
    match engine.core.ask(&engine.task, Question::Frontier, &all) {
        Answer::Sat(model) => {
            let inputs = engine.core.test_of(&model, Some(node), &beta, src);
            match cross(engine, frontier, Some(node), inputs) {
                Progress::Stuck(why) => {
                    layout::cross_as_laid_out(engine, frontier, node, &all, &beta, src)
                        .unwrap_or(Progress::Stuck(why))
                }
                progress => progress,
            }
        }
        Answer::Unsat(reason) => {
            let used = pieces.iter().zip(&questions);
            let used = used.filter(|(_, q)| reason.contains(q)).map(|(p, _)| *p);
            let used = used.collect();
            refine::refine(
                &mut engine.core,
                &mut engine.task,
                frontier,
                node,
                &pieces,
                used,
                &path,
                &beta,
            )
        }
        Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatAtFrontier) => {
            cut(&mut engine.core, &mut engine.task, frontier, Cut::Facts);
            Progress::Made
        }
        Answer::Unknown(_) => engine
            .task
            .give_up(frontier, Some(node), "the solver does not know"),
    }
}

/// Whether region, step and region exclude each other, whatever the tests did.
pub(crate) fn excluded_locally(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    pieces: &[Term],
) -> bool {
    let key = (frontier.from, frontier.to);
    let mut all = pieces.to_vec();
    let local = match core.options.uses(Technique::Local) {
        true => core.options.strategy.local,
        false => Local::Nothing,
    };
    match local {
        Local::Nothing => return false,
        Local::Target => {}
        Local::Pair => all.extend(task.known_at(frontier.from)),
    }
    if task.attempts.not_local.get(&key) == Some(&task.invariants_version) {
        return false;
    }
    let step = task.places(frontier.from, frontier.to);
    // The thesis's check of targets is always made.
    if !core.local_checks.is_due(step) && local == Local::Pair {
        return false;
    }
    match core.ask_patiently(task, Question::Local, &all) {
        Answer::Unsat(_) => {
            core.local_checks.helped(&step);
            return true;
        }
        Answer::Sat(_) if mutated(Mutant::SatIsUnsatLocally) => return true,
        Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatLocally) => return true,
        _ => {}
    }
    task.attempts.not_local.insert(key, task.invariants_version);
    false
}

/// The frontier is the start of the program itself.
fn start_there(engine: &mut Engine<'_>, frontier: Frontier, pieces: &[Term]) -> Progress {
    match engine.core.ask(&engine.task, Question::Frontier, pieces) {
        Answer::Sat(model) => {
            let initial = engine.core.initial.clone();
            let inputs = engine.core.test_of(&model, None, &initial, Graph::ROOT);
            cross(engine, frontier, None, inputs)
        }
        Answer::Unsat(_) => {
            cut(&mut engine.core, &mut engine.task, frontier, Cut::Start);
            Progress::Made
        }
        Answer::Unknown(_) => engine
            .task
            .give_up(frontier, None, "the solver does not know"),
    }
}

/// Runs the test that should cross a frontier.
pub(crate) fn cross(
    engine: &mut Engine<'_>,
    frontier: Frontier,
    node: Option<NodeId>,
    inputs: Inputs,
) -> Progress {
    let follows = node.or_else(|| engine.task.query.as_ref().map(|q| q.node));
    let inputs = Arc::new(inputs);
    if let Some(test) = testing::test(engine, inputs.clone(), follows, Why::Crossing) {
        return Progress::Failed(test);
    }
    for _ in 0..SCALED {
        let number = engine.core.statistics.tests;
        if number < MOST_SCALED
            && engine.core.options.uses(Technique::SmallTests)
            && let Some(smaller) = crate::first::scaled(&inputs, number)
            && let Some(test) = testing::test(engine, Arc::new(smaller), None, Why::Random)
        {
            return Progress::Failed(test);
        }
    }
    if engine.task.regions.visited(frontier.to) {
        return Progress::Made;
    }
    engine.core.tell(&engine.task, Event::Missed(frontier));
    let key = (frontier.from, frontier.to);
    *engine.task.attempts.diverged.entry(key).or_default() += 1;
    engine
        .task
        .give_up(frontier, node, "the test went elsewhere")
}

/// Deletes an edge.
pub(crate) fn cut(core: &mut Core<'_>, task: &mut Task, frontier: Frontier, why: Cut) {
    let (from, to) = (frontier.from, frontier.to);
    task.regions.remove_edge(core.graph, from, to);
    core.tell(task, Event::Cut { from, to, why });
}

/// After a split SYNERGY asks of every edge of the new regions whether it is there.
pub(crate) fn check_edges(core: &mut Core<'_>, task: &mut Task, parts: [RegionId; 2]) {
    if core.options.strategy.edges == Edges::Lazy {
        return;
    }
    for part in parts {
        let loc = task.regions.region(part).loc;
        let outgoing = core.graph.outgoing[loc.0 as usize].clone();
        for edge in outgoing {
            for to in task.regions.at(core.graph.edge(edge).dst).to_vec() {
                check_edge(core, task, part, to);
            }
        }
        let incoming = core.graph.incoming[loc.0 as usize].clone();
        for edge in incoming {
            for from in task.regions.at(core.graph.edge(edge).src).to_vec() {
                check_edge(core, task, from, part);
            }
        }
    }
}

fn check_edge(core: &mut Core<'_>, task: &mut Task, from: RegionId, to: RegionId) {
    if task.regions.region(from).cut.contains(&to) {
        return;
    }
    let frontier = Frontier {
        from,
        to,
        distance: 0,
    };
    let (src, dst) = task.places(from, to);
    if core.call_edge(src, dst).is_some() {
        return;
    }
    let Some(mut all) = core.pieces(task, src, to) else {
        cut(core, task, frontier, Cut::NoStep);
        return;
    };
    all.extend(task.known_at(from));
    if core.ask(task, Question::Edge, &all).is_unsat() {
        cut(core, task, frontier, Cut::Edge);
    }
}

impl Engine<'_> {
    /// Runs until there is a verdict.
    pub fn run(&mut self) -> Verdict {
        loop {
            if let Some(verdict) = self.step(Duration::MAX) {
                return verdict;
            }
        }
    }

    /// Works for some time; the verdict, if there is one.
    pub fn step(&mut self, time: Duration) -> Option<Verdict> {
        let until = self.core.effort().checked_add(time);
        let verdict = self.decide(until)?;
        self.core.tell(
            &self.task,
            Event::Conclusion(match &verdict {
                Verdict::Safe(_) => Conclusion::Proof,
                Verdict::Unsafe(_) => Conclusion::Failure,
                Verdict::Unknown(reason) => Conclusion::Nothing(reason.clone()),
            }),
        );
        Some(verdict)
    }

    fn decide(&mut self, until: Option<Duration>) -> Option<Verdict> {
        // Doubts about a proof are settled by tests, whoever found it.
        match self.core.options.strategy.search {
            Search::LeeYannakakis if self.core.vacuity.proof.is_none() => {
                lee_yannakakis::lee_yannakakis(self, until)
            }
            Search::Dse(order) if self.core.vacuity.proof.is_none() => dse::dse(self, order, until),
            Search::Cegar if self.core.vacuity.proof.is_none() => cegar::cegar(self, until),
            _ => dash(self, until),
        }
    }
}

impl Core<'_> {
    pub(crate) fn out_of_limits(&self, task: &Task) -> Option<Reason> {
        let interrupted = self
            .options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if interrupted {
            return Some(Reason::Interrupted);
        }
        if self
            .limits
            .deadline
            .is_some_and(|d| self.options.clock.now() >= d)
        {
            return Some(Reason::Time);
        }
        let rounds = self.options.rounds;
        let effort = self.options.most_effort;
        let many = rounds.is_some_and(|most| self.statistics.iterations >= most)
            || effort.is_some_and(|most| self.effort() >= most)
            || task.regions.count() > 200_000
            || self.forest.len() > 2_000_000;
        many.then_some(Reason::Size)
    }
}
