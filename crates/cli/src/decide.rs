//! The verdict of a check, with the evidence that it may be said.
//!
//! The engine's word is not enough. A proof is checked by the independent
//! checker before `safe` is said, and a failing test is run again on the
//! program as it was loaded, not as it was inlined, before `unsafe` is said;
//! what it does natively is reported beside it. Everything else is `unknown`.

mod align;
mod relevance;

use crate::args::CheckArgs;
use crate::cache::Cache;
use crate::load::Source;
use crate::report::Phase;
use crate::search::Failing;
use crate::session::{Cause, Said, Session};
use crate::watch::Board;
use crate::{failure, forms, report, words};
use attest_checker::{CheckResult, check_proof};
use attest_engine::{
    Calls, Engine, FailingTest, Options, Proof, Reason, Strategy, Technique, Verdict, race,
};
use attest_evidence::{ProofParts, Subject, proof_of};
use attest_exec::interpreter::Observer;
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::graph::Outcome as End;
use attest_model::{Bail, BailKind, Graph, InlineOptions, Inst, Partial, PlaceId, Program, inline};
use attest_solver::{WithFloats, clock};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Recursion that is followed before the model is left.
const RECURSION: u32 = 4;
/// The same at most, where the only run of the program says how deep it goes.
const DEEPEST: u32 = 16;
/// Instructions of the program with its calls inlined.
const MOST_INSTS: usize = 100_000;
/// Time for the search where no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(120);

/// No procedure is inlined that can be by itself.
const APART: Partial = Partial {
    small: 0,
    once: 0,
    growth: 1,
};

/// Time for SMASH before the others, where summaries were recalled.
const HEAD_START: Duration = Duration::from_secs(5);
/// So many procedures make a program large, and SMASH goes first,
const LARGE: usize = 16;
/// for this part of the time.
const SHARE_OF_LARGE: u32 = 3;
/// The first abstraction of a rule goes before all, for this part of the time.
const SHARE_OF_RULE: u32 = 2;

/// What a check may say.
pub enum Decision {
    /// The checker accepted the proof; its words.
    Safe(String),
    /// The test fails in the interpreter.
    Unsafe(Failing),
    /// Why there is no verdict.
    Unknown(String),
}

/// Searches for a proof or a failing test, given the ways out of the model that runs took.
pub fn decide(
    session: &Arc<Session>,
    args: &CheckArgs,
    source: &Source,
    program: &Program,
    left: &[(Bail, PlaceId)],
    cache: &mut Cache,
) -> Decision {
    session.phase(Phase::Model);
    let forms = Form::all(program, args);
    let overflow = args.exec.overflow();
    let mut options = Options {
        without: args.without.clone(),
        with: args.with.clone(),
        overflow,
        time: Some(engine_time(session)),
        effort: planned_effort(session),
        seed: args.exec.seed.unwrap_or(1),
        self_check: false,
        interrupt: Some(session.stop_flag()),
        ..Options::default()
    };
    if let Some(states) = args.test_states {
        options.test_nodes = states as usize;
    }
    if overflow == Overflow::Check {
        options.assumed.retain(|kind| *kind != BailKind::Overflow);
    }
    let assumed = options.assumed.clone();
    session.note(|report| {
        report.assumptions = assumed.iter().map(|kind| kind.word()).collect();
        report.entry_assumptions = crate::check::assumptions(args, program);
    });
    let happened = left
        .iter()
        .any(|(bail, _)| options.assumed.contains(&bail.kind) && !bail.kind.traps());
    // A page shows how the proof was found, so it is found again for one.
    let recalls = !happened && args.forms.report.is_none();
    if let Some(proof) = cache.proof(program).filter(|_| recalls)
        && let Some(decision) = known(session, args, source, program, &options, proof)
    {
        session.certain(Said::Safe);
        return decision;
    }
    session.phase(Phase::Engine);
    options.recalled = cache.tests();
    let keeps = args.tests.is_some() || args.forms.report.is_some() || cache.is_on();
    let board = Board::new(session, args.trace_steps, keeps);
    // What a run did is not to be assumed away there either, and its engines do not hear of it.
    if options.uses(Technique::Cd) && !happened {
        for form in &forms {
            let found = relevance::decide(session, args, source, program, form, &options, &board);
            if let Some(decision) = found {
                return decision;
            }
        }
        options.time = Some(engine_time(session));
    }
    let before = board.engines();
    let effort = options.effort;
    let mut engines: Vec<Engine<'_>> = Vec::new();
    let mut form_of: Vec<(&Form, Overflow)> = Vec::new();
    for form in &forms {
        let mut add = |strategy: &Strategy, options: Options| {
            form_of.push((form, options.overflow));
            let options = Options {
                strategy: *strategy,
                initial: crate::rules::state(source, &form.program),
                watched: crate::rules::watched(source, &form.program),
                ..options
            };
            let solver = Box::new(attest_solver::standard());
            let recalled = options.recalled.len();
            let simulates = *strategy == Strategy::CONTROL
                && !options.initial.is_empty()
                && options.uses(Technique::Initial);
            let mut engine = Engine::new(&form.program, &form.graph, options, solver);
            if simulates {
                engine.start_first(effort / SHARE_OF_RULE);
            }
            if strategy.calls != Calls::Inlined {
                let about = form.subject(source, overflow, &assumed);
                let until = clock::now() + engine_time(session) / 4;
                let count = cache.recall(&mut engine, &about, &form.program, &form.graph, until);
                if form.program.functions.len() >= LARGE {
                    engine.start_first(effort / SHARE_OF_LARGE);
                } else if count > 0 {
                    engine.start_first(HEAD_START);
                }
                if count > 0 {
                    let (tests, summaries) =
                        (words::count(recalled, "test"), words::summaries(count));
                    session.say(&format!("recalled: {tests}, {summaries}\n"));
                }
            }
            engines.push(engine.watched_by(board.watch(strategy.name)));
        };
        for strategy in &form.strategies {
            add(strategy, options.clone());
        }
        // Under wrap-around a proof that nothing wraps is tried as well.
        let overflows = form.graph.functions[form.program.entry.0 as usize]
            .ends
            .contains_key(&End::Bail(BailKind::Overflow));
        let numbers = form.strategies.contains(&Strategy::DATA) && overflows;
        if numbers && overflow == Overflow::Wrap && options.uses(Technique::Guarded) {
            add(&Strategy::GUARDED, options.guarded());
        }
    }
    for (bail, at) in left {
        let what = (bail.kind, format!("{bail}, at {}", program.place(*at)));
        engines.iter_mut().for_each(|engine| engine.hear(&what));
    }
    let first = engines.iter().position(|e| !e.head_start().is_zero());
    if let Some(first) = engines.get_mut(first.unwrap_or(0)) {
        first.start_roaming();
    }
    let (winner, verdict) = race(&mut engines);
    for (i, engine) in engines.iter().enumerate() {
        board.note(before + i, engine.statistics());
    }
    if let Verdict::Unknown(reason) = &verdict {
        let of = engines.iter().zip(&form_of);
        let of: Vec<_> = of
            .map(|(engine, (form, _))| (engine, &form.program, &form.graph))
            .collect();
        let next = forms::next_step(&of, reason);
        session.note(|report| report.next_step = next);
    }
    let decision = match verdict {
        Verdict::Safe(proof) => {
            session.phase(Phase::ProofCheck);
            let (form, overflow) = form_of[winner];
            let subject = form.subject(source, overflow, &proof.assumed);
            let found = Found {
                program: &form.program,
                graph: &form.graph,
                engine: &engines[winner],
                proof: &proof,
                original: program,
            };
            match found.confirm(session, &subject, args.proof.as_deref()) {
                Ok((words, proof)) => {
                    cache.note_proof(program, proof);
                    Decision::Safe(words)
                }
                Err(why) => Decision::Unknown(why),
            }
        }
        Verdict::Unsafe(test) => confirm_test(program, &form_of[winner].0.program, &test, overflow),
        Verdict::Unknown(Reason::Time) => Decision::Unknown(session.why(Cause::Time)),
        Verdict::Unknown(reason) => Decision::Unknown(reason.to_string()),
    };
    match &decision {
        Decision::Safe(_) => session.certain(Said::Safe),
        Decision::Unsafe(_) => session.certain(Said::Unsafe),
        Decision::Unknown(_) => {}
    }
    forms::cover(session, program, &board.tests(), overflow);
    cache.note_tests(board.tests());
    for (engine, (form, _)) in engines.iter_mut().zip(&form_of) {
        cache.learn(engine, &form.program, &form.graph);
    }
    if let Some(folder) = &args.tests {
        failure::write_tests(session, source, program, overflow, &board.tests(), folder);
    }
    decision
}

/// The program with its calls inlined in one way, and who works on it.
struct Form {
    inlining: InlineOptions,
    program: Program,
    graph: Graph,
    strategies: Vec<Strategy>,
}

/// How deep the calls are nested in a program that takes no inputs and ends soon: calls up
/// to there are all that there are. 0 for any other.
fn depth_of_only_run(program: &Program, overflow: Overflow) -> u32 {
    struct Depth(u32);
    impl Observer for Depth {
        const STEPS: bool = true;
        fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, _: PlaceId) {
            if let Inst::Call(_) = inst {
                self.0 = self.0.max(run.depth() + 1);
            }
        }
    }
    let limits = Limits {
        steps: 100_000,
        depth: DEEPEST,
        ..Limits::default()
    };
    let mut run = Interpreter::new(program, Default::default(), overflow, limits);
    let mut depth = Depth(0);
    let outcome = run.watch(&mut depth, &Default::default());
    let ended = matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_));
    match ended && run.machine.taken.is_empty() {
        true => depth.0,
        false => 0,
    }
}

impl Form {
    /// What the strategies need: everything in one procedure, or procedures by themselves.
    /// Where nothing is left to summarise, SMASH would only repeat the others.
    fn all(program: &Program, args: &CheckArgs) -> Vec<Form> {
        let recursion = RECURSION.max(depth_of_only_run(program, args.exec.overflow()));
        let of = |strategies: Vec<Strategy>, partial: Option<Partial>| {
            let inlining = InlineOptions {
                recursion,
                most_insts: MOST_INSTS,
                partial,
            };
            let program = inline(program, &inlining);
            let graph = Graph::of(&program, args.granularity());
            Form {
                inlining,
                program,
                graph,
                strategies,
            }
        };
        let is_inlined = |strategy: &Strategy| strategy.calls == Calls::Inlined;
        let (one, several): (Vec<_>, Vec<_>) = args.strategies().into_iter().partition(is_inlined);
        let mut forms = Vec::new();
        let alone = one.is_empty();
        if !alone {
            forms.push(of(one, None));
        }
        if !several.is_empty() {
            let partial = match args.apart {
                true => APART,
                false => Partial::default(),
            };
            let form = of(several, Some(partial));
            if alone || form.graph.has_calls() {
                forms.push(form);
            }
        }
        forms
    }

    /// What a proof over this form is about.
    fn subject(&self, source: &Source, overflow: Overflow, assumed: &[BailKind]) -> Subject {
        Subject {
            assumed: assumed.to_vec(),
            ..Form::about(source, self.inlining, written_overflow(overflow))
        }
    }

    fn about(
        source: &Source,
        inlining: InlineOptions,
        overflow: attest_proof::Overflow,
    ) -> Subject {
        Subject {
            files: source.files.clone(),
            stubs: source.stubs.clone(),
            database: source.database.clone(),
            rule: source.rule.clone(),
            data_model: failure::data_model(source),
            clang_args: source.clang_args.clone(),
            model: source.model.clone(),
            inline: inlining,
            overflow,
            assumed: Vec::new(),
        }
    }
}

fn written_overflow(overflow: Overflow) -> attest_proof::Overflow {
    match overflow {
        Overflow::Wrap => attest_proof::Overflow::Wrap,
        Overflow::Assume => attest_proof::Overflow::Assume,
        Overflow::Check => attest_proof::Overflow::Check,
    }
}

/// Time for the engine: what is left, but for a little in which to say so.
fn engine_time(session: &Session) -> Duration {
    let (Some(limit), Some(left)) = (session.limit(), session.left()) else {
        return USUAL_TIME;
    };
    let margin = (limit / 10).clamp(Duration::from_millis(100), Duration::from_secs(5));
    left.saturating_sub(margin)
}

/// The effort that the search plans with. It depends on what the user allows, and not on how
/// much of that is left, so that a check takes the same course on every machine.
fn planned_effort(session: &Session) -> Duration {
    session.limit().unwrap_or(USUAL_TIME)
}

/// A proof that the engine found, and what it is about.
struct Found<'a, 'p> {
    program: &'a Program,
    graph: &'a Graph,
    engine: &'a Engine<'p>,
    proof: &'a Proof,
    original: &'a Program,
}

impl Found<'_, '_> {
    /// Safe only if the checker says so: its words and the proof, or why not. The proof is
    /// written where it is wanted.
    fn confirm(
        &self,
        session: &Session,
        subject: &Subject,
        file: Option<&Path>,
    ) -> Result<(String, attest_proof::Proof), String> {
        let parts = ProofParts::of(self.proof, self.engine.terms());
        let written = proof_of(
            subject,
            self.program,
            self.graph,
            self.engine.terms(),
            &parts,
        );
        let written = written.map_err(|why| format!("the proof could not be written: {why}"))?;
        let words = accepted(session, self.program, self.graph, &written)
            .map_err(|why| format!("a proof was found but not confirmed: {why}"))?;
        forms::explain(session, self.original, (self.program, self.graph), &written);
        write(session, file, &written)?;
        Ok((words, written))
    }
}

/// What the checker says of a proof that it accepts, or why it does not.
fn accepted(
    session: &Session,
    program: &Program,
    graph: &Graph,
    proof: &attest_proof::Proof,
) -> Result<String, String> {
    let limits = attest_solver::Limits {
        time: Some(session.left().unwrap_or(USUAL_TIME)),
        interrupt: Some(session.stop_flag()),
        ..Default::default()
    };
    let mut solver = WithFloats::new();
    match check_proof(program, graph, proof, &mut solver, &limits) {
        Ok(result @ CheckResult::Accepted(_)) => Ok(result.to_string()),
        Ok(other) => Err(other.to_string()),
        Err(why) => Err(why.to_string()),
    }
}

fn write(
    session: &Session,
    file: Option<&Path>,
    proof: &attest_proof::Proof,
) -> Result<(), String> {
    let Some(file) = file else {
        return Ok(());
    };
    std::fs::write(file, proof.to_json()).map_err(|why| {
        format!(
            "the proof could not be written to {}: {why}",
            file.display()
        )
    })?;
    session.note(|report| report.evidence.proof = Some(report::text(file)));
    Ok(())
}

/// The proof of an earlier run, if it is one of this program, as it is checked now.
fn known(
    session: &Session,
    args: &CheckArgs,
    source: &Source,
    program: &Program,
    options: &Options,
    proof: &attest_proof::Proof,
) -> Option<Decision> {
    let subject = Subject {
        assumed: proof.assumed_kinds().ok()?,
        ..Form::about(source, proof.inline.into(), proof.overflow)
    };
    // It must not assume more than a proof of this run would.
    let allowed = match proof.overflow {
        attest_proof::Overflow::Check => options.guarded(),
        _ => options.clone(),
    };
    let same = written_overflow(allowed.overflow) == proof.overflow;
    let mut assumed = subject.assumed.iter();
    if !same || !assumed.all(|kind| allowed.assumed.contains(kind)) {
        return None;
    }
    let inlined = inline(program, &subject.inline);
    let graph = Graph::of(&inlined, proof.granularity.into());
    // It is about these files, whatever the record says.
    let empty = ProofParts::default();
    let terms = attest_term::Terms::new();
    let header = proof_of(&subject, &inlined, &graph, &terms, &empty).ok()?;
    let proof = attest_proof::Proof {
        invariants: proof.invariants.clone(),
        calls: proof.calls.clone(),
        summaries: proof.summaries.clone(),
        ..header
    };
    session.phase(Phase::ProofCheck);
    let words = accepted(session, &inlined, &graph, &proof).ok()?;
    forms::explain(session, program, (&inlined, &graph), &proof);
    write(session, args.proof.as_deref(), &proof).ok()?;
    session.say("recalled: the proof of an earlier check\n");
    Some(Decision::Safe(words))
}

/// Unsafe only if the program itself fails on the test.
fn confirm_test(
    program: &Program,
    inlined: &Program,
    test: &FailingTest,
    overflow: Overflow,
) -> Decision {
    let inputs = align::aligned(program, inlined, &test.inputs, overflow);
    let inputs = inputs.unwrap_or_else(|| test.inputs.clone());
    let mut run = Interpreter::new(program, inputs.clone(), overflow, Limits::default());
    match run.run() {
        outcome @ Outcome::Error(_) => Decision::Unsafe(Failing {
            error: test.error.clone(),
            place: run.place(),
            ending: crate::words::ending(&run, &outcome),
            taken: run.machine.taken.clone(),
            given: inputs,
            seed: None,
            native: false,
        }),
        _ => Decision::Unknown(
            "a test fails with the calls inlined, but the program itself does not fail on it"
                .into(),
        ),
    }
}
