//! The engine: what all tasks share, the task at work, and those that wait for it.

use crate::algorithm::Algorithm;
use crate::algorithm::baselines::cegar::Cegar;
use crate::algorithm::baselines::dse::Dse;
use crate::algorithm::baselines::lee_yannakakis::LeeYannakakis;
use crate::algorithm::dash::Dash;
use crate::algorithm::strategy::Method;
use crate::algorithm::vacuity;
use crate::certify::{certificate, partial};
use crate::core::backoff::Backoff;
use crate::core::effort::Counted;
use crate::core::names;
use crate::core::path_subst::PathSubst;
use crate::core::prepared::Prepared;
use crate::core::refuted::Refuted;
use crate::core::{Core, Exits, Limits, Pre, Testing, Vacuity};
use crate::events::Watcher;
use crate::events::{Conclusion, Event};
use crate::forest::Forest;
use crate::options::Options;
use crate::regions::graph::RegionGraph;
use crate::search::Search;
use crate::smash::context;
use crate::smash::learnt::Learnt;
use crate::smash::{self, Smash};
use crate::statistics::Statistics;
use crate::task::Task;
use crate::techniques::Technique;
use crate::testing;
use crate::verdict::{FailingTest, Proof, Verdict};
use attest_exec::symbolic::step::Stepper;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::*;
use attest_solver::Solver;
use attest_term::Terms;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

/// The engine at work on one program: an algorithm and the search that it works on.
pub struct Engine<'p> {
    search: Search<'p>,
    algorithm: Box<dyn Algorithm>,
    /// The effort that it gets in a portfolio before the others.
    head_start: Duration,
}

// An engine may move to another thread; this fails to compile where it may not.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Engine<'_>>();
};

impl<'p> Engine<'p> {
    /// An engine for a program and its graph.
    pub fn new(
        program: &'p Program,
        graph: &'p Graph,
        options: Options,
        solver: Box<dyn Solver>,
    ) -> Engine<'p> {
        Engine::of(&Prepared::new(program, graph), options, solver)
    }

    /// An engine for a program that others work on too.
    pub fn of(prepared: &Prepared<'p>, options: Options, solver: Box<dyn Solver>) -> Engine<'p> {
        let Prepared {
            program,
            graph,
            points_to,
            effects,
            cuts,
        } = prepared.clone();
        let mut terms = Terms::new();
        let apart = options.uses_points_to().then_some(&points_to);
        let names = names::names(&mut terms, program, program.entry, apart);
        let stepper = Stepper {
            program,
            graph,
            overflow: options.overflow,
            excused: options.excused.clone(),
        };
        let initial = Arc::new(stepper.initial(&mut terms, &names.vocabulary));
        let ends = &graph.functions[program.entry.0 as usize].ends;
        let is_target = |loc: &Loc| match graph.location(*loc).kind {
            LocKind::Error => options.checks.asserts,
            LocKind::Bail(kind) => !options.assumed.contains(&kind),
            _ => false,
        };
        let targets: Vec<Loc> = ends.values().copied().filter(is_target).collect();
        let mut regions = RegionGraph::new(graph, program.entry);
        if options.aims_at_locations() {
            regions.latest_first(graph);
        }
        regions.aim_at(graph, &targets);
        let core = Core {
            cuts,
            forest: Forest::new(graph.locations.len()),
            testing: Testing {
                explorer: None,
                explores: false,
                later_steps: options.tuning.tests.later_instructions,
                single_run_seen: !options.uses(Technique::SingleRun),
                abstracted: false,
                recalled: options.recalled.clone(),
            },
            pre: Pre::default(),
            local_checks: Backoff::new(&options.tuning.search),
            universals: FxHashMap::default(),
            path_subst: PathSubst::new(&options.tuning.search),
            smash: Smash::new(&options.tuning.search),
            refuted: Refuted::default(),
            effects,
            points_to,
            names: FxHashMap::from_iter([(program.entry, names.clone())]),
            exits: Exits::default(),
            vacuity: Vacuity::default(),
            limits: Limits {
                deadline: options.time.map(|t| options.clock.now() + t),
                counted: Counted::default(),
            },
            watcher: None,
            statistics: Statistics {
                regions: graph.locations.len() as u64,
                ..Statistics::default()
            },
            program,
            graph,
            options,
            terms,
            stepper,
            solver,
            initial,
            targets,
        };
        let task = Task::new(program.entry, names, regions, &core.options.tuning.search);
        let algorithm: Box<dyn Algorithm> = match core.options.strategy.method {
            Method::Dash => Box::new(Dash),
            Method::LeeYannakakis => Box::new(LeeYannakakis::default()),
            Method::Dse(order) => Box::new(Dse::new(order)),
            Method::Cegar => Box::new(Cegar::default()),
        };
        Engine {
            search: Search {
                core,
                task,
                waiting: Vec::new(),
            },
            algorithm,
            head_start: Duration::ZERO,
        }
    }

    /// Runs until there is a verdict.
    pub fn run(&mut self) -> Verdict {
        loop {
            if let Some(verdict) = self.step(Duration::MAX) {
                return verdict;
            }
        }
    }

    /// Works for some effort; the verdict, if there is one.
    pub fn step(&mut self, effort: Duration) -> Option<Verdict> {
        let search = &mut self.search;
        let until = search.core.effort().checked_add(effort);
        // The assumptions of a proof are tested, whoever found it.
        let verdict = match search.core.vacuity.proof {
            None => self.algorithm.step(search, until),
            Some(_) => vacuity::resume(search, until),
        }?;
        let conclusion = Event::Conclusion(match &verdict {
            Verdict::Safe(_) => Conclusion::Proof,
            Verdict::Unsafe(_) => Conclusion::Failure,
            Verdict::Unknown(reason) => Conclusion::Nothing(reason.clone()),
        });
        search.core.tell(&search.task, conclusion);
        Some(verdict)
    }

    /// Tells somebody about every step from now on.
    pub fn watched_by(mut self, watcher: impl Watcher + 'p) -> Engine<'p> {
        self.search.core.watcher = Some(Box::new(watcher));
        self
    }

    /// The arena of all terms; a proof's terms live here.
    pub fn terms(&self) -> &Terms {
        &self.search.core.terms
    }

    /// The same, to read terms of elsewhere into it.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.search.core.terms
    }

    /// What was done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.search.core.statistics
    }

    /// The effort of its first slice in a race.
    pub fn first_slice(&self) -> Duration {
        self.search.core.options.tuning.search.first_slice
    }

    /// The effort so far.
    pub fn effort(&self) -> Duration {
        self.search.core.effort()
    }

    /// The location whose states were told apart most often, and how often.
    pub fn hardest(&self) -> Option<(Loc, u32)> {
        let splits = self.search.task.splits.iter().map(|(loc, n)| (*loc, *n));
        splits.max_by_key(|(loc, n)| (*n, std::cmp::Reverse(*loc)))
    }

    /// Makes the symbols of a function's state, for terms that are to be read.
    pub fn speak_of(&mut self, function: FnId) {
        self.search.core.names_of(function);
    }

    /// It gets so much time in a race before the others.
    pub fn start_first(&mut self, time: Duration) {
        self.head_start = time;
    }

    /// The time that it gets before the others.
    pub fn head_start(&self) -> Duration {
        self.head_start
    }

    /// It is the one whose tests branch at loops; one engine of several is enough.
    pub fn start_exploring(&mut self) {
        self.search.core.testing.explores = self.search.core.options.uses(Technique::Exploration)
            && !self.search.core.options.is_of_papers();
    }

    /// All summaries that were found.
    pub fn learnt(&mut self) -> Vec<Learnt> {
        let numbers = 0..self.search.core.smash.summaries.len();
        let learnt = |number| Learnt {
            number,
            contract: self.search.core.smash.contracts.contains(&number),
            summary: certificate::named(&mut self.search.core, number),
        };
        numbers.map(learnt).collect()
    }

    /// Takes over summaries that were found earlier and are true; a use in one of them is
    /// of the one with that number. Nothing must have been asked yet.
    pub fn recall(&mut self, all: Vec<Learnt>) {
        let numbers: Vec<usize> = all.iter().map(|known| known.number).collect();
        let first = self.search.core.smash.summaries.len();
        for known in all {
            let function = known.summary.function;
            let mut summary = match known.contract {
                true => certificate::with_ghosts(&mut self.search.core, known.summary, |i, _| {
                    context::given_name(function, i)
                }),
                false => certificate::with_ghosts(
                    &mut self.search.core,
                    known.summary,
                    smash::ghost_name,
                ),
            };
            for used in &mut summary.uses {
                let at = numbers.iter().position(|n| *n == used.summary);
                used.summary = first + at.unwrap_or_default();
            }
            if known.contract {
                self.search
                    .core
                    .smash
                    .contracts
                    .push(self.search.core.smash.summaries.len());
            }
            self.search.core.smash.summaries.push(summary);
        }
    }

    /// From now on a run that violates this check ends there, and nothing is said of it.
    pub fn excuse(&mut self, check: Check) {
        let core = &mut self.search.core;
        if check.kind == Some(BailKind::Leak) {
            // A step cannot tell the two kinds apart.
            core.stepper.excused.insert(Check {
                kind: Some(BailKind::NotFreed),
                ..check
            });
        }
        if core.stepper.excused.insert(check) {
            // Fewer steps are left; what was split by more of them stays right.
            core.pre = Pre::default();
        }
    }

    /// A run violates this check in a step's eyes, which is no violation all the same: no proof can
    /// exclude it, and other violations are looked for.
    pub fn leave_open(&mut self, check: Check, what: &str) {
        if let Some(kind) = check.kind {
            let exits = &mut self.search.core.exits;
            exits.leaves_model.get_or_insert((kind, what.to_owned()));
        }
        self.excuse(check);
    }

    /// Violations of checks that are not asked for, the first of each, which tests met.
    pub fn notices(&mut self) -> Vec<FailingTest> {
        std::mem::take(&mut self.search.core.exits.notices)
    }

    /// A proof of those targets that nothing leads to, where others are still open; none if
    /// that is no proof of any check.
    pub fn partial_proof(&mut self) -> Option<Proof> {
        partial::proof(&mut self.search)
    }

    /// An exit that proofs assume not to happen, but some run took.
    pub fn happened(&self) -> Option<&(BailKind, String)> {
        self.search.core.exits.happened.as_ref()
    }

    /// Is told of a run elsewhere that took such an exit: no proof may assume it away.
    pub fn refute_assumption(&mut self, (kind, what): &(BailKind, String)) {
        if self.search.core.exits.happened.is_none()
            && self.search.core.options.assumed.contains(kind)
        {
            testing::left_model(&mut self.search, *kind, what.clone());
        }
    }
}
