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

use crate::engine::Engine;
use crate::events::{Conclusion, Cut, Event, Question, Why};
use crate::forest::NodeId;
use crate::frontier::{Frontier, Next};
use crate::procedures::Ending;
use crate::regions::RegionId;
use crate::strategy::{Candidates, Edges, Local, Search};
use crate::techniques::Technique;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::Inputs;
use attest_exec::mutants::{Mutant, mutated};
use attest_model::graph::{Graph, Loc};
use attest_solver::Answer;
use attest_term::Term;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Tests that may go astray at one frontier before it is given up.
const MOST_ASTRAY: u32 = 4;

/// Tests on smaller inputs for each crossing test.
const SCALED: u32 = 3;
/// Tests after which crossing tests are not run on smaller inputs as well.
const MOST_SCALED: u64 = 120;

/// What one round of the loop did.
pub(crate) enum Progress {
    /// Something changed.
    Made,
    /// A test reached the error.
    Failed(FailingTest),
    /// This frontier could not be decided with this witness.
    Stuck(&'static str),
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
        let until = self.effort().checked_add(time);
        let verdict = self.decide(until)?;
        self.tell(Event::Conclusion(match &verdict {
            Verdict::Safe(_) => Conclusion::Proof,
            Verdict::Unsafe(_) => Conclusion::Failure,
            Verdict::Unknown(reason) => Conclusion::Nothing(reason.clone()),
        }));
        Some(verdict)
    }

    fn decide(&mut self, until: Option<Duration>) -> Option<Verdict> {
        // Doubts about a proof are settled by tests, whoever found it.
        match self.options.strategy.search {
            Search::LeeYannakakis if self.proof.is_none() => self.lee_yannakakis(until),
            Search::Dse(order) if self.proof.is_none() => self.dse(order, until),
            Search::Cegar if self.proof.is_none() => self.cegar(until),
            _ => self.dash(until),
        }
    }

    /// The loop of DASH, until there is a verdict or it is late.
    fn dash(&mut self, until: Option<Duration>) -> Option<Verdict> {
        if self.forest.is_empty()
            && let Some(test) = self.first_tests()
        {
            return Some(Verdict::Unsafe(test));
        }
        if let Some(until) = until
            && let Some(test) = self.roam_first(until)
        {
            return Some(Verdict::Unsafe(test));
        }
        // The papers' algorithms have no invariants, and doubts need none.
        let wanted = self.proof.is_none() && self.options.strategy.candidates != Candidates::Never;
        if wanted && self.forest.last_took_no_inputs() && !std::mem::replace(&mut self.alone, true)
        {
            self.learn_alone();
        }
        if self.wants_initial_abstraction() {
            let found = self.abstract_initially();
            self.options.initial.clear();
            if let Some(test) = found {
                return Some(Verdict::Unsafe(test));
            }
        }
        while until.is_none_or(|until| self.effort() < until) {
            if self.proof.is_some() && self.doubts_are_over() {
                return self.conclude();
            }
            if let Some(reason) = self.out_of_limits() {
                return Some(Verdict::Unknown(reason));
            }
            if self.options.only_proofs && self.leaves_model.is_some() {
                let why = "there is no such proof: a test leaves the model";
                return Some(Verdict::Unknown(Reason::Stuck(why.into())));
            }
            if let Some(test) = self.roam_if_due() {
                return Some(Verdict::Unsafe(test));
            }
            self.tell(Event::Round);
            if std::mem::take(&mut self.invariants_suffice) && self.proof.is_none() {
                let invariants = self.certificate_without_regions();
                match self.conclude_by(invariants) {
                    Some(verdict) => return Some(verdict),
                    None => continue,
                }
            }
            if let Some(ending) = self.ended() {
                self.answer(ending);
                continue;
            }
            let frontier = match self.choose() {
                Next::Frontier(frontier) => frontier,
                Next::Nothing if self.query.is_some() => {
                    self.answer(Ending::No);
                    continue;
                }
                Next::Idle(_) if self.query.is_some() => {
                    self.answer(Ending::Unknown);
                    continue;
                }
                Next::Nothing => match self.conclude() {
                    Some(verdict) => return Some(verdict),
                    None => continue,
                },
                Next::Idle(_) if self.proof.is_some() => return self.conclude(),
                Next::Idle(count) => {
                    return Some(Verdict::Unknown(Reason::Stuck(format!(
                        "{count} frontiers are left that the solver cannot decide"
                    ))));
                }
            };
            match self.cross_or_refine(frontier) {
                Progress::Made => {}
                Progress::Failed(test) => return Some(Verdict::Unsafe(test)),
                Progress::Stuck(why) => self.tell(Event::Stuck { frontier, why }),
            }
        }
        None
    }

    /// Whether the present query is answered by a test, or has used up its rounds.
    fn ended(&mut self) -> Option<Ending> {
        let reached = self.bad.reached();
        let query = self.query.as_mut()?;
        if reached {
            return Some(Ending::Yes);
        }
        if query.rounds == 0 {
            return Some(Ending::Later);
        }
        query.rounds -= 1;
        None
    }

    fn doubts_are_over(&self) -> bool {
        let late = |at: Option<Duration>| at.is_some_and(|at| self.effort() >= at);
        self.leaves_model.is_some() || late(self.doubt_until) || self.out_of_limits().is_some()
    }

    pub(crate) fn out_of_limits(&self) -> Option<Reason> {
        let interrupted = self
            .options
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        if interrupted {
            return Some(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|d| self.options.clock.now() >= d) {
            return Some(Reason::Time);
        }
        let rounds = self.options.rounds;
        let effort = self.options.most_effort;
        let many = rounds.is_some_and(|most| self.statistics.iterations >= most)
            || effort.is_some_and(|most| self.effort() >= most)
            || self.regions.count() > 200_000
            || self.forest.len() > 2_000_000;
        many.then_some(Reason::Size)
    }

    /// The frontier to work on, which is counted as an attempt.
    pub(crate) fn choose(&mut self) -> Next {
        let mut bad = std::mem::take(&mut self.bad);
        let space = self.space();
        if self.options.self_check {
            bad.self_check(space);
        }
        let age = |from, to| {
            let attempts = self.attempts.get(&self.places(from, to)).copied();
            attempts.unwrap_or(0) / 8
        };
        let ready = |from, to| self.is_initial(from, to) || self.witness(from, to).is_some();
        let next = bad.next(space, age, ready);
        self.bad = bad;
        if let Next::Frontier(frontier) = next {
            let key = self.places(frontier.from, frontier.to);
            *self.attempts.entry(key).or_default() += 1;
            let witness = self.witness(frontier.from, frontier.to);
            let depth = witness.map(|node| self.forest.node(node).depth);
            self.tell(Event::Frontier { frontier, depth });
        }
        next
    }

    pub(crate) fn places(&self, from: RegionId, to: RegionId) -> (Loc, Loc) {
        (self.regions.region(from).loc, self.regions.region(to).loc)
    }

    fn is_initial(&self, from: RegionId, to: RegionId) -> bool {
        let root = self.regions.region(from).loc == Graph::ROOT;
        root && !self.tried.contains(&(from, to, None))
    }

    /// The shallowest witness that was not yet tried at this frontier.
    pub(crate) fn witness(&self, from: RegionId, to: RegionId) -> Option<NodeId> {
        let astray = self.astray.get(&(from, to));
        if astray.is_some_and(|n| *n >= MOST_ASTRAY) {
            return None;
        }
        let witnesses = &self.regions.region(from).witnesses;
        let key = |w: &NodeId| (from, to, Some(*w));
        witnesses
            .iter()
            .find(|w| !self.tried.contains(&key(w)))
            .copied()
    }

    /// One round: cross the frontier with a test, or split the region before it.
    fn cross_or_refine(&mut self, frontier: Frontier) -> Progress {
        let (src, dst) = self.places(frontier.from, frontier.to);
        if src == Graph::ROOT && self.query.is_some() {
            return self.enter_there(frontier);
        }
        if let Some((callee, outcome)) = self.call_edge(src, dst) {
            return self.cross_call(frontier, callee, outcome);
        }
        let Some(pieces) = self.pieces(src, frontier.to) else {
            self.cut(frontier, Cut::NoStep);
            return Progress::Made;
        };
        if self.excluded_locally(frontier, &pieces) {
            self.cut(frontier, Cut::Local);
            return Progress::Made;
        }
        if src == Graph::ROOT {
            return self.start_there(frontier, &pieces);
        }
        let Some(node) = self.witness(frontier.from, frontier.to) else {
            return Progress::Stuck("every witness was tried");
        };
        self.focus = Some(self.forest.node(node).activation);
        let Some(beta) = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, node)
        else {
            return self.refine_by_facts(frontier, node, &pieces);
        };
        let questions = self.all_along(&beta, &pieces);
        let path = self.path_to(node);
        let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
        match self.ask(Question::Frontier, &all) {
            Answer::Sat(model) => {
                let inputs = self.test_of(&model, Some(node), &beta, src);
                match self.cross(frontier, Some(node), inputs) {
                    Progress::Stuck(why) => self
                        .cross_as_laid_out(frontier, node, &all, &beta, src)
                        .unwrap_or(Progress::Stuck(why)),
                    progress => progress,
                }
            }
            Answer::Unsat(core) => {
                let used = pieces.iter().zip(&questions);
                let used = used.filter(|(_, q)| core.contains(q)).map(|(p, _)| *p);
                let used = used.collect();
                self.refine(frontier, node, &pieces, used, &path, &beta)
            }
            Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatAtFrontier) => {
                self.cut(frontier, Cut::Facts);
                Progress::Made
            }
            Answer::Unknown(_) => self.give_up(frontier, Some(node), "the solver does not know"),
        }
    }

    /// This witness is of no use at this frontier.
    pub(crate) fn give_up(
        &mut self,
        frontier: Frontier,
        node: Option<NodeId>,
        why: &'static str,
    ) -> Progress {
        self.tried.insert((frontier.from, frontier.to, node));
        Progress::Stuck(why)
    }

    /// Whether region, step and region exclude each other, whatever the tests did.
    pub(crate) fn excluded_locally(&mut self, frontier: Frontier, pieces: &[Term]) -> bool {
        let key = (frontier.from, frontier.to);
        let mut all = pieces.to_vec();
        let local = match self.options.uses(Technique::Local) {
            true => self.options.strategy.local,
            false => Local::Nothing,
        };
        match local {
            Local::Nothing => return false,
            Local::Target => {}
            Local::Pair => all.extend(self.known_at(frontier.from)),
        }
        if self.not_local.get(&key) == Some(&self.invariants_version) {
            return false;
        }
        let step = self.places(frontier.from, frontier.to);
        // The thesis's check of targets is always made.
        if !self.local_checks.is_due(step) && local == Local::Pair {
            return false;
        }
        match self.ask_patiently(Question::Local, &all) {
            Answer::Unsat(_) => {
                self.local_checks.helped(&step);
                return true;
            }
            Answer::Sat(_) if mutated(Mutant::SatIsUnsatLocally) => return true,
            Answer::Unknown(_) if mutated(Mutant::UnknownIsUnsatLocally) => return true,
            _ => {}
        }
        self.not_local.insert(key, self.invariants_version);
        false
    }

    /// What holds of every state of a region that is ever reached.
    pub(crate) fn known_at(&self, region: RegionId) -> Vec<Term> {
        let region = self.regions.region(region);
        let mut all = region.predicate.clone();
        all.extend(self.invariants.get(&region.loc).into_iter().flatten());
        all
    }

    /// The frontier is the start of the program itself.
    fn start_there(&mut self, frontier: Frontier, pieces: &[Term]) -> Progress {
        match self.ask(Question::Frontier, pieces) {
            Answer::Sat(model) => {
                let initial = self.initial.clone();
                let inputs = self.test_of(&model, None, &initial, Graph::ROOT);
                self.cross(frontier, None, inputs)
            }
            Answer::Unsat(_) => {
                self.cut(frontier, Cut::Start);
                Progress::Made
            }
            Answer::Unknown(_) => self.give_up(frontier, None, "the solver does not know"),
        }
    }

    /// Runs the test that should cross a frontier.
    pub(crate) fn cross(
        &mut self,
        frontier: Frontier,
        node: Option<NodeId>,
        inputs: Inputs,
    ) -> Progress {
        let follows = node.or_else(|| self.query.as_ref().map(|q| q.node));
        let inputs = Arc::new(inputs);
        if let Some(test) = self.test(inputs.clone(), follows, Why::Crossing) {
            return Progress::Failed(test);
        }
        for _ in 0..SCALED {
            let number = self.statistics.tests;
            if number < MOST_SCALED
                && self.options.uses(Technique::SmallTests)
                && let Some(smaller) = crate::first::scaled(&inputs, number)
                && let Some(test) = self.test(Arc::new(smaller), None, Why::Random)
            {
                return Progress::Failed(test);
            }
        }
        if self.regions.visited(frontier.to) {
            return Progress::Made;
        }
        self.tell(Event::Missed(frontier));
        let key = (frontier.from, frontier.to);
        *self.astray.entry(key).or_default() += 1;
        self.give_up(frontier, node, "the test went elsewhere")
    }

    /// Deletes an edge.
    pub(crate) fn cut(&mut self, frontier: Frontier, why: Cut) {
        let (from, to) = (frontier.from, frontier.to);
        self.regions.cut(from, to);
        let mut bad = std::mem::take(&mut self.bad);
        bad.cut(self.space(), from, to);
        self.bad = bad;
        self.tell(Event::Cut { from, to, why });
    }

    /// After a split SYNERGY asks of every edge of the new regions whether it is there.
    pub(crate) fn check_edges(&mut self, parts: [RegionId; 2]) {
        if self.options.strategy.edges == Edges::Lazy {
            return;
        }
        for part in parts {
            let loc = self.regions.region(part).loc;
            let outgoing = self.graph.outgoing[loc.0 as usize].clone();
            for edge in outgoing {
                for to in self.regions.at(self.graph.edge(edge).dst).to_vec() {
                    self.check_edge(part, to);
                }
            }
            let incoming = self.graph.incoming[loc.0 as usize].clone();
            for edge in incoming {
                for from in self.regions.at(self.graph.edge(edge).src).to_vec() {
                    self.check_edge(from, part);
                }
            }
        }
    }

    fn check_edge(&mut self, from: RegionId, to: RegionId) {
        if self.regions.region(from).cut.contains(&to) {
            return;
        }
        let frontier = Frontier {
            from,
            to,
            distance: 0,
        };
        let (src, dst) = self.places(from, to);
        if self.call_edge(src, dst).is_some() {
            return;
        }
        let Some(mut all) = self.pieces(src, to) else {
            self.cut(frontier, Cut::NoStep);
            return;
        };
        all.extend(self.known_at(from));
        if self.ask(Question::Edge, &all).is_unsat() {
            self.cut(frontier, Cut::Edge);
        }
    }
}
