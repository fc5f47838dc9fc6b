//! The engines that look for a proof or a failing test, and what becomes of their verdict.
//!
//! Strategies share the effort on the variants of a program, and the first that decides ends
//! the search. This file is where the pipeline meets the engine: it starts engines, tells them
//! what is known already, and hands what they find to [`crate::confirm`]. What they say
//! counts for nothing before that.

use crate::answer::Why;
use crate::cache::Cache;
use crate::case::Case;
use crate::confirm::CheckedProof;
use crate::findings::{self, confirm_proof, confirm_test};
use crate::known::Findings;
use crate::limits::Cause;
use crate::listener::Event;
use crate::plain_runs::Tried;
use crate::report::Phase;
use crate::stage::{self, Stage};
use crate::standing::Verdict as Standing;
use crate::unwinding::{self, Attempt};
use crate::variant::{self, Variant};
use crate::watch::Board;
use crate::{evidence, explain, messages, relevance, rules};
use attest_engine::{
    Calls, Engine, FailingTest, Options, Prepared, Proof, Race, Reason, Strategy, Technique,
    Verdict,
};
use attest_evidence::{ProofParts, Subject, proof_of};
use attest_exec::{Inputs, Overflow};
use attest_model::{BailKind, Class, Graph, InlineOptions, Program, class_of, inline};
use std::sync::Arc;
use std::time::Duration;

/// Effort for SMASH before the others, where summaries were recalled.
const HEAD_START: Duration = Duration::from_secs(5);
/// So many procedures make a program large, and SMASH goes first,
const LARGE: usize = 16;
/// for this part of the effort.
const SHARE_OF_LARGE: u32 = 3;
/// The initial abstraction of a rule goes before all, for this part of the effort.
const SHARE_OF_RULE: u32 = 2;

/// After a violation the search goes on for as much effort as it has spent, and this at least.
const LEAST_MORE: Duration = Duration::from_secs(2);
/// The part of the time of a stage that another follows.
const SHARE_OF_STAGE: u32 = 2;

/// Searches for proofs and violations, given what plain runs met.
pub(crate) fn decide(stage: &Stage, tried: &Tried, cache: &mut Cache, findings: &mut Findings) {
    let case = &stage.case;
    let session = &*case.session;
    session.phase(Phase::Model);
    let mut options = options(stage, findings);
    case.note_assumptions(&options.assumed);
    let left = &tried.left;
    let happened = left.iter().any(|(bail, _)| bail.kind.class().is_none());
    // A page shows how the proof was found, so it is found again for one.
    let recalls = !happened && !findings.fails() && !case.settings.keep_history;
    if let Some(proof) = cache.proof(&case.program).filter(|_| recalls)
        && let Some(proof) = recalled(case, &options, proof)
    {
        return findings.proved(case, proof);
    }
    if unwinding::decide(stage, &options.assumed, tried, Attempt::First, findings) {
        return tell_tests(case, &tried.tests());
    }
    if let [(bail, at), ..] = &tried.left[..]
        && tried.is_only_run
        && happened
    {
        // What is behind it has no meaning, and nothing else is ever executed.
        let place = messages::place(&case.program, *at);
        let reason = Reason::LeavesModel {
            kind: bail.kind,
            what: format!("{bail}, at {place}"),
        };
        let next = messages::advice(bail.kind).to_owned();
        case.session.note(|report| report.next_step = Some(next));
        return findings.ended(Why::Undecided(reason.to_string()));
    }
    options.excused = findings.excused();
    let variants = Variant::all(&case.program, &case.settings);
    session.phase(Phase::Engine);
    options.recalled = cache.tests();
    let board = Board::new(case, cache.is_on());
    // Undefined behaviour that a run showed must not be assumed away there either, and those
    // engines are not told of it.
    if options.uses(Technique::Cd) && !happened {
        for variant in &variants {
            if relevance::decide(case, variant, &options, &board, findings) {
                return;
            }
        }
        options.time = Some(session.engine_time());
    }
    let mut search = Portfolio::new(stage, &variants, &board);
    search.start(&options, cache);
    search.tell(tried);
    search.decide(tried, cache, findings);
    search.keep(cache);
    tell_tests(case, &board.tests());
}

/// Tells tests that do not fail, and what they cover.
fn tell_tests(case: &Case, tests: &[Arc<Inputs>]) {
    explain::cover(case, tests);
    evidence::tell(case, tests);
}

/// The options of every engine.
fn options(stage: &Stage, findings: &Findings) -> Options {
    let case = &stage.case;
    let (session, settings) = (&*case.session, &*case.settings);
    let mut assumed = settings.checks.others();
    assumed.push(BailKind::PtrOrder);
    if settings.checks.has(Some(BailKind::Leak)) {
        // Steps cannot tell the two kinds apart.
        assumed.retain(|kind| *kind != BailKind::NotFreed);
    }
    let time = session.engine_time();
    let mut options = Options {
        without: settings.without.clone(),
        with: settings.with.clone(),
        overflow: settings.overflow,
        assumed,
        checks: settings.checks.clone(),
        excused: findings.excused(),
        notices: settings.notices,
        time: Some(if stage.more {
            time / SHARE_OF_STAGE
        } else {
            time
        }),
        clock: session.account().clock(),
        effort: session.planned_effort(),
        seed: settings.seed,
        tuning: settings.tuning,
        self_check: false,
        interrupt: Some(session.stop_flag()),
        ..Options::default()
    };
    if let Some(states) = settings.test_states {
        options.test_nodes = states as usize;
    }
    options
}

/// What becomes of a violation that an engine finds.
enum Confirmed {
    /// It is one.
    Yes,
    /// Memory is left, but it is no leak that is asked for: no proof can exclude that, and the
    /// search goes on for other violations.
    LeftOpen,
    /// It is none after all.
    No,
}

/// The engines of a check.
struct Portfolio<'p> {
    stage: &'p Stage,
    case: &'p Case,
    variants: &'p [Variant],
    board: &'p Arc<Board>,
    /// How many engines the board knew before.
    before: usize,
    engines: Vec<Engine<'p>>,
    /// What each of them works on.
    on: Vec<&'p Variant>,
    /// Kinds that proofs do not exclude.
    assumed: Vec<BailKind>,
}

impl<'p> Portfolio<'p> {
    fn new(stage: &'p Stage, variants: &'p [Variant], board: &'p Arc<Board>) -> Portfolio<'p> {
        Portfolio {
            stage,
            case: &stage.case,
            variants,
            board,
            before: board.engines(),
            engines: Vec::new(),
            on: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// Makes an engine for every strategy of every variant.
    fn start(&mut self, options: &Options, cache: &Cache) {
        self.assumed.clone_from(&options.assumed);
        for variant in self.variants {
            let prepared = Prepared::new(&variant.program, &variant.graph);
            for strategy in &variant.strategies {
                self.add(variant, &prepared, *strategy, options.clone(), cache);
            }
        }
    }

    fn add(
        &mut self,
        variant: &'p Variant,
        prepared: &Prepared<'p>,
        strategy: Strategy,
        options: Options,
        cache: &Cache,
    ) {
        let (case, effort) = (self.case, options.effort);
        let recalled = options.recalled.len();
        let about = Subject {
            assumed: options.assumed.clone(),
            ..variant::subject(
                &case.source,
                variant.inlining,
                variant::written(options.overflow),
            )
        };
        self.on.push(variant);
        let options = Options {
            strategy,
            initial: rules::state(&case.source, &variant.program),
            watched: rules::watched(&case.source, &variant.program),
            ..options
        };
        let simulates = strategy == Strategy::CONTROL
            && !options.initial.is_empty()
            && options.uses(Technique::Initial);
        let solver = Box::new(attest_solver::standard());
        let mut engine = Engine::of(prepared, options, solver);
        if simulates {
            engine.start_first(effort / SHARE_OF_RULE);
        }
        if strategy.calls != Calls::Inlined {
            let (program, graph) = (&variant.program, &variant.graph);
            let count = cache.recall(&case.session, &mut engine, &about, program, graph);
            if program.functions.len() >= LARGE {
                engine.start_first(effort / SHARE_OF_LARGE);
            } else if count > 0 {
                engine.start_first(HEAD_START);
            }
            if count > 0 {
                case.session.tell(Event::Recalled {
                    tests: recalled,
                    summaries: count,
                });
            }
        }
        let watch = self.board.watch(strategy.name);
        self.engines.push(engine.watched_by(watch));
    }

    /// Tells the engines what unsupported constructs plain runs met.
    fn tell(&mut self, tried: &Tried) {
        for (bail, at) in tried.left.iter().filter(|(b, _)| b.kind.class().is_none()) {
            let place = self.case.program.place(*at);
            let what = (bail.kind, format!("{bail}, at {place}"));
            self.engines
                .iter_mut()
                .for_each(|engine| engine.refute_assumption(&what));
        }
        let mut engines = self.engines.iter();
        let first = engines.position(|engine| !engine.head_start().is_zero());
        if let Some(first) = self.engines.get_mut(first.unwrap_or(0)) {
            first.start_exploring();
        }
    }

    /// Lets the engines take turns, and confirms what they find, until all is decided or
    /// nothing more can be found.
    fn decide(&mut self, tried: &Tried, cache: &mut Cache, findings: &mut Findings) {
        let case = self.case;
        let mut race = Race::of(&self.engines);
        // What is spent after the first violation is bounded by what was spent before it.
        let mut most = findings.fails().then_some(LEAST_MORE);
        if let Some(most) = most {
            race.end_at(most);
        }
        let mut unwinds = unwinding::is_on(case).then(|| unwinding::engines_first(case));
        loop {
            let until = unwinds.filter(|first| most.is_none_or(|most| *first < most));
            let (winner, verdict) = race.run(&mut self.engines, until);
            for (i, engine) in self.engines.iter().enumerate() {
                self.board.note(self.before + i, engine.statistics());
            }
            self.notices(findings);
            match verdict {
                Verdict::Safe(proof) => match self.confirm(winner, &proof) {
                    Ok(proof) => {
                        cache.note_proof(&case.program, proof.proof().clone());
                        return findings.proved(case, proof);
                    }
                    Err(why) => {
                        // The others may find one that is.
                        findings.ended(Why::Unconfirmed(why.clone()));
                        race.give_up(winner, Reason::Stuck(why));
                    }
                },
                Verdict::Unsafe(test) => {
                    match self.violated(winner, &test, findings) {
                        Confirmed::No => return,
                        Confirmed::LeftOpen => {
                            case.session.phase(Phase::Engine);
                            continue;
                        }
                        Confirmed::Yes => {}
                    }
                    let overflows = findings.verdict(Class::Overflow) == Standing::Violated;
                    let others = overflows && self.stage.more;
                    let complete = findings.complete(&case.settings.checks);
                    if case.settings.first || others || complete {
                        return;
                    }
                    let spent = self.engines.iter().map(Engine::effort).sum::<Duration>();
                    let end = *most.get_or_insert(spent + spent.max(LEAST_MORE));
                    race.end_at(end);
                    case.session.phase(Phase::Engine);
                }
                Verdict::Unknown(reason) => {
                    if until.is_some() && !case.session.is_stopping() {
                        unwinds = None;
                        if self.unwind(tried, findings) {
                            return;
                        }
                        continue;
                    }
                    return self.ended(reason, findings);
                }
            }
        }
    }

    /// Unwinds the program with more effort than at first; true if that decides all.
    fn unwind(&mut self, tried: &Tried, findings: &mut Findings) -> bool {
        let case = self.case;
        let before = findings.excused();
        if unwinding::decide(self.stage, &self.assumed, tried, Attempt::Second, findings) {
            return true;
        }
        for check in findings.excused().difference(&before) {
            for engine in &mut self.engines {
                engine.excuse(*check);
            }
        }
        case.session.phase(Phase::Engine);
        case.settings.first && findings.fails()
    }

    /// Confirms the violation that an engine found.
    fn violated(
        &mut self,
        winner: usize,
        test: &FailingTest,
        findings: &mut Findings,
    ) -> Confirmed {
        let case = self.case;
        let confirmed = confirm_test(case, &self.on[winner].program, test);
        let is_leak = class_of(test.check.kind) == Some(Class::Leak);
        match (confirmed, is_leak) {
            // Memory is left, but it is no leak of the kind that is asked for.
            (Err(_), true) => {
                let what = "memory is still pointed to where the program ends";
                for engine in &mut self.engines {
                    engine.leave_open(test.check, what);
                }
                findings.leave_open(Class::Leak);
                Confirmed::LeftOpen
            }
            (Err(why), false) => {
                findings.ended(Why::Unconfirmed(why));
                Confirmed::No
            }
            (Ok(confirmed), _) => {
                let check = confirmed.check();
                let is_so = stage::violated(case, confirmed, findings);
                for engine in &mut self.engines {
                    engine.excuse(check);
                }
                match is_so {
                    true => Confirmed::Yes,
                    false => Confirmed::No,
                }
            }
        }
    }

    /// Tells violations of what is not asked for that tests met.
    fn notices(&mut self, findings: &mut Findings) {
        let case = self.case;
        for i in 0..self.engines.len() {
            for test in self.engines[i].notices() {
                if case.settings.notices
                    && !findings.knows(test.check)
                    && let Ok(confirmed) = confirm_test(case, &self.on[i].program, &test)
                {
                    stage::violated(case, confirmed, findings);
                }
            }
        }
    }

    /// Has the checker look at the proof of an engine.
    fn confirm(&self, winner: usize, proof: &Proof) -> Result<CheckedProof, String> {
        let (case, variant) = (self.case, self.on[winner]);
        let subject = variant.subject(&case.source, case.settings.overflow, proof);
        confirm_proof(case, variant, self.engines[winner].terms(), proof, &subject)
    }

    /// The search ends undecided: some classes may be proved all the same.
    fn ended(&mut self, reason: Reason, findings: &mut Findings) {
        let case = self.case;
        if case.settings.checks.classes().count() > 1 || findings.fails() {
            for i in 0..self.engines.len() {
                let is_open = !findings.decided(&case.settings.checks);
                if is_open
                    && let Some(proof) = self.engines[i].partial_proof()
                    && let Ok(proof) = self.confirm(i, &proof)
                {
                    findings.proved(case, proof);
                }
            }
        }
        let next = self.next_step(&reason);
        case.session.note(|report| report.next_step = next);
        findings.ended(match reason {
            Reason::Time => Why::Limit(case.session.limit(Cause::Time)),
            reason => Why::Undecided(reason.to_string()),
        });
    }

    /// What a user can do about an open verdict.
    fn next_step(&self, reason: &Reason) -> Option<String> {
        if let Reason::LeavesModel { kind, .. } = reason {
            return Some(messages::advice(*kind).into());
        }
        let engines = self.engines.iter().zip(&self.on);
        let hardest = engines.filter_map(|(engine, variant)| {
            let (loc, splits) = engine.hardest()?;
            Some((splits, variant.place(loc)?))
        });
        let (splits, place) = hardest.max_by_key(|(splits, _)| *splits)?;
        Some(format!(
            "most of the work was on {place}, whose states were told apart {splits} times; \
             bound it, state what holds there with __VERIFIER_assume if that is known, \
             or allow more time with --time-limit"
        ))
    }

    /// Keeps what the engines learnt for later checks.
    fn keep(&mut self, cache: &mut Cache) {
        cache.note_tests(self.board.tests());
        for (engine, variant) in self.engines.iter_mut().zip(&self.on) {
            cache.learn(engine, &variant.program, &variant.graph);
        }
    }
}

/// The proof of an earlier check, if it is one of this program, as it is checked now.
fn recalled(case: &Case, options: &Options, proof: &attest_proof::Proof) -> Option<CheckedProof> {
    let subject = Subject {
        assumed: proof.assumed_kinds().ok()?,
        asserts_end: proof.asserts_end,
        ..variant::subject(&case.source, proof.inline.into(), proof.overflow)
    };
    // It must not assume more than a proof of this check would.
    let same = variant::written(options.overflow) == proof.overflow;
    let mut assumed = subject.assumed.iter();
    let covers = !proof.asserts_end || !options.checks.asserts;
    let all = covers && proof.excused.is_empty();
    if !same || !all || !assumed.all(|kind| options.assumed.contains(kind)) {
        return None;
    }
    let inlined = inline(&case.program, &subject.inline);
    let graph = Graph::of(&inlined, proof.granularity.into());
    // It is about these files, whatever the record says.
    let terms = attest_term::Terms::new();
    let header = proof_of(&subject, &inlined, &graph, &terms, &ProofParts::default()).ok()?;
    let proof = attest_proof::Proof {
        invariants: proof.invariants.clone(),
        calls: proof.calls.clone(),
        summaries: proof.summaries.clone(),
        ..header
    };
    case.session.phase(Phase::ProofCheck);
    let proof = findings::accepted(case, (&inlined, &graph), proof).ok()?;
    case.session.tell(Event::RecalledProof);
    Some(proof)
}

/// What an engine finds of one goal in a program.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A test reaches it.
    Reached(Arc<Inputs>),
    /// The engine finds that no test does; nothing has checked that.
    Unreachable,
    /// Neither is known.
    Open,
}

/// Searches for a test that reaches the error of a program, for suites of tests.
pub fn reach(program: &Program, overflow: Overflow, seed: u64, time: Duration) -> Goal {
    let goal = inline(program, &InlineOptions::default());
    let graph = Graph::of(&goal, Strategy::CONTROL.granularity);
    let options = Options {
        strategy: Strategy::CONTROL,
        overflow,
        time: Some(time),
        seed,
        self_check: false,
        ..Options::default()
    };
    let solver = Box::new(attest_solver::standard());
    match Engine::new(&goal, &graph, options, solver).run() {
        Verdict::Unsafe(test) => Goal::Reached(test.inputs),
        Verdict::Safe(_) => Goal::Unreachable,
        Verdict::Unknown(_) => Goal::Open,
    }
}
