//! The verdict of a check, with the evidence that it may be said.
//!
//! The engine's word is not enough. A proof is checked by the independent
//! checker before `safe` is said, and a failing test is run again on the
//! program as it was loaded, not as it was inlined, before `unsafe` is said;
//! what it does natively is reported beside it. Everything else is `unknown`.

use crate::args::CheckArgs;
use crate::load::Source;
use crate::report::Phase;
use crate::search::Failing;
use crate::session::{Cause, Said, Session};
use crate::watch::Board;
use crate::{failure, report};
use attest_checker::{CheckResult, Fresh, check_proof};
use attest_engine::{
    Calls, Engine, FailingTest, Options, Proof, Reason, Strategy, Technique, Verdict, race,
};
use attest_evidence::{ProofParts, Subject, proof_of};
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::{Bail, BailKind, Graph, InlineOptions, Partial, PlaceId, Program, inline};
use attest_solver::WithFloats;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Recursion that is followed before the model is left.
const RECURSION: u32 = 4;
/// Instructions of the program with its calls inlined.
const MOST_INSTS: usize = 100_000;
/// Time for the search where no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(120);

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
) -> Decision {
    session.phase(Phase::Model);
    let forms = Form::all(program, args);
    let overflow = args.exec.overflow();
    let mut options = Options {
        without: args.without.clone(),
        overflow,
        time: Some(engine_time(session)),
        seed: args.exec.seed.unwrap_or(1),
        self_check: false,
        interrupt: Some(session.stop_flag()),
        ..Options::default()
    };
    if overflow == Overflow::Check {
        options.assumed.retain(|kind| *kind != BailKind::Overflow);
    }
    let assumed = options.assumed.iter().map(|kind| kind.word()).collect();
    session.note(|report| {
        report.assumptions = assumed;
        report.entry_assumptions = attest_model::caller::assumptions(program);
    });
    session.phase(Phase::Engine);
    let board = Board::new(session, args.trace_steps, args.tests.is_some());
    let mut engines: Vec<Engine<'_>> = Vec::new();
    let mut form_of: Vec<(&Form, Overflow)> = Vec::new();
    for form in &forms {
        let mut add = |strategy: &Strategy, options: Options| {
            form_of.push((form, options.overflow));
            let options = Options {
                strategy: *strategy,
                initial: crate::rules::state(source, &form.program),
                ..options
            };
            let solver = Box::new(attest_solver::standard());
            let engine = Engine::new(&form.program, &form.graph, options, solver);
            engines.push(engine.watched_by(board.watch(strategy.name)));
        };
        for strategy in &form.strategies {
            add(strategy, options.clone());
        }
        // Under wrap-around a proof that nothing wraps is tried as well.
        let numbers = form.strategies.contains(&Strategy::DATA);
        if numbers && overflow == Overflow::Wrap && options.uses(Technique::Guarded) {
            add(&Strategy::GUARDED, options.guarded());
        }
    }
    for (bail, at) in left {
        let what = (bail.kind, format!("{bail}, at {}", program.place(*at)));
        engines.iter_mut().for_each(|engine| engine.hear(&what));
    }
    let (winner, verdict) = race(&mut engines);
    for (i, engine) in engines.iter().enumerate() {
        board.note(i, &engine.statistics);
    }
    let decision = match verdict {
        Verdict::Safe(proof) => {
            session.phase(Phase::ProofCheck);
            let (form, overflow) = form_of[winner];
            let subject = subject(source, &form.inlining, overflow, &proof);
            let found = Found {
                program: &form.program,
                graph: &form.graph,
                engine: &engines[winner],
                proof: &proof,
            };
            found.confirm(session, &subject, args.proof.as_deref())
        }
        Verdict::Unsafe(test) => confirm_test(program, &test, overflow),
        Verdict::Unknown(Reason::Time) => Decision::Unknown(session.why(Cause::Time)),
        Verdict::Unknown(reason) => Decision::Unknown(reason.to_string()),
    };
    match &decision {
        Decision::Safe(_) => session.certain(Said::Safe),
        Decision::Unsafe(_) => session.certain(Said::Unsafe),
        Decision::Unknown(_) => {}
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

impl Form {
    /// What the strategies need: everything in one procedure, or procedures by themselves.
    /// Where nothing is left to summarise, SMASH would only repeat the others.
    fn all(program: &Program, args: &CheckArgs) -> Vec<Form> {
        let of = |strategies: Vec<Strategy>, partial: Option<Partial>| {
            let inlining = InlineOptions {
                recursion: RECURSION,
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
            let form = of(several, Some(Partial::default()));
            if alone || form.graph.has_calls() {
                forms.push(form);
            }
        }
        forms
    }
}

/// Time for the engine: what is left, but for a little in which to say so.
fn engine_time(session: &Session) -> Duration {
    let (Some(limit), Some(left)) = (session.settings().time, session.left()) else {
        return USUAL_TIME;
    };
    let margin = (limit / 10).clamp(Duration::from_millis(100), Duration::from_secs(5));
    left.saturating_sub(margin)
}

/// A proof that the engine found, and what it is about.
struct Found<'a, 'p> {
    program: &'a Program,
    graph: &'a Graph,
    engine: &'a Engine<'p>,
    proof: &'a Proof,
}

impl Found<'_, '_> {
    /// Safe only if the checker says so; then the proof is written where it is wanted.
    fn confirm(&self, session: &Session, subject: &Subject, file: Option<&Path>) -> Decision {
        let parts = ProofParts::of(self.proof, &self.engine.terms);
        let written = proof_of(
            subject,
            self.program,
            self.graph,
            &self.engine.terms,
            &parts,
        );
        let written = match written {
            Ok(written) => written,
            Err(why) => return Decision::Unknown(format!("the proof could not be written: {why}")),
        };
        let limits = attest_solver::Limits {
            time: Some(session.left().unwrap_or(USUAL_TIME)),
            interrupt: Some(session.stop_flag()),
            ..Default::default()
        };
        let mut solver = Fresh::new(WithFloats::new);
        let words = match check_proof(self.program, self.graph, &written, &mut solver, &limits) {
            Ok(result @ CheckResult::Accepted(_)) => result.to_string(),
            Ok(other) => {
                return Decision::Unknown(format!("a proof was found but not confirmed: {other}"));
            }
            Err(why) => {
                return Decision::Unknown(format!("a proof was found but not confirmed: {why}"));
            }
        };
        match file.map(|f| (f, std::fs::write(f, written.to_json()))) {
            Some((file, Err(why))) => {
                let what = format!(
                    "the proof could not be written to {}: {why}",
                    file.display()
                );
                Decision::Unknown(what)
            }
            Some((file, Ok(()))) => {
                session.note(|report| report.evidence.proof = Some(report::text(file)));
                Decision::Safe(words)
            }
            None => Decision::Safe(words),
        }
    }
}

/// Unsafe only if the program itself fails on the test.
fn confirm_test(program: &Program, test: &FailingTest, overflow: Overflow) -> Decision {
    let mut run = Interpreter::new(program, test.inputs.clone(), overflow, Limits::default());
    match run.run() {
        outcome @ Outcome::Error(_) => Decision::Unsafe(Failing {
            error: test.error.clone(),
            place: run.place(),
            ending: crate::words::ending(&run, &outcome),
            taken: run.machine.taken.clone(),
            given: test.inputs.clone(),
            seed: None,
        }),
        _ => Decision::Unknown(
            "a test fails with the calls inlined, but the program itself does not fail on it"
                .into(),
        ),
    }
}

fn subject(
    source: &Source,
    inlining: &InlineOptions,
    overflow: Overflow,
    proof: &Proof,
) -> Subject {
    Subject {
        files: source.files.clone(),
        stubs: source.stubs.clone(),
        database: source.database.clone(),
        rule: source.rule.clone(),
        data_model: failure::data_model(source),
        clang_args: source.clang_args.clone(),
        model: source.model.clone(),
        inline: *inlining,
        overflow: match overflow {
            Overflow::Wrap => attest_proof::Overflow::Wrap,
            Overflow::Assume => attest_proof::Overflow::Assume,
            Overflow::Check => attest_proof::Overflow::Check,
        },
        assumed: proof.assumed.clone(),
    }
}
