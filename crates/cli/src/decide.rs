//! The verdict of a check, with the evidence that it may be said.
//!
//! The engine's word is not enough. A proof is checked by the independent
//! checker before `safe` is said, and a failing test is run again on the
//! program as it was loaded, not as it was inlined, before `unsafe` is said;
//! what it does natively is reported beside it. Everything else is `unknown`.

use crate::args::CheckArgs;
use crate::load::Source;
use crate::search::Failing;
use attest_checker::{CheckResult, Fresh, check_proof};
use attest_engine::{Engine, FailingTest, Options, Proof, Verdict};
use attest_evidence::{ErrorReached, ReplayOutcome, Subject, Test, proof_of};
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_model::{BailKind, Granularity, Graph, InlineOptions, Program, inline};
use attest_proof::HashedFile;
use attest_solver::Blaster;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Recursion that is followed before the model is left.
const RECURSION: u32 = 4;
/// Instructions of the program with its calls inlined.
const MOST_INSTS: usize = 100_000;
/// Time for the search where no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(120);
/// Time for a native run of a failing test.
const NATIVE_TIME: Duration = Duration::from_secs(10);

/// What a check may say.
pub enum Decision {
    /// The checker accepted the proof; its words.
    Safe(String),
    /// The test fails in the interpreter.
    Unsafe(Failing),
    /// Why there is no verdict.
    Unknown(String),
}

/// Searches for a proof or a failing test.
pub fn decide(args: &CheckArgs, source: &Source, program: &Program) -> Decision {
    if source.model.entry != "main" {
        // Its pointers may lead anywhere, which the initial state cannot say yet.
        return Decision::Unknown("proofs from another entry than main are not built yet".into());
    }
    let started = Instant::now();
    let time = args
        .time_limit
        .and_then(|s| Duration::try_from_secs_f64(s * 0.8).ok())
        .unwrap_or(USUAL_TIME);
    let inlining = InlineOptions {
        recursion: RECURSION,
        most_insts: MOST_INSTS,
    };
    let inlined = inline(program, &inlining);
    let graph = Graph::of(&inlined, Granularity::Large);
    let overflow = args.exec.overflow();
    let mut options = Options {
        overflow,
        time: Some(time),
        seed: args.exec.seed.unwrap_or(1),
        self_check: false,
        ..Options::default()
    };
    if overflow == Overflow::Check {
        options.assumed.retain(|kind| *kind != BailKind::Overflow);
    }
    let mut engine = Engine::new(&inlined, &graph, options, Box::new(Blaster::new()));
    match engine.run() {
        Verdict::Safe(proof) => {
            let subject = subject(source, &inlining, overflow, &proof);
            let left = time
                .saturating_sub(started.elapsed())
                .max(Duration::from_secs(5));
            let found = Found {
                program: &inlined,
                graph: &graph,
                engine: &engine,
                proof: &proof,
            };
            found.confirm(&subject, left, args.proof.as_deref())
        }
        Verdict::Unsafe(test) => confirm_test(program, &test, overflow),
        Verdict::Unknown(reason) => Decision::Unknown(reason.to_string()),
    }
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
    fn confirm(&self, subject: &Subject, time: Duration, file: Option<&Path>) -> Decision {
        let invariants = &self.proof.invariants;
        let written = proof_of(
            subject,
            self.program,
            self.graph,
            &self.engine.terms,
            invariants,
        );
        let written = match written {
            Ok(written) => written,
            Err(why) => return Decision::Unknown(format!("the proof could not be written: {why}")),
        };
        let limits = attest_solver::Limits {
            time: Some(time),
            ..Default::default()
        };
        let mut solver = Fresh::new(Blaster::new);
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
            _ => Decision::Safe(words),
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
            seed: None,
        }),
        _ => Decision::Unknown(
            "a test fails with the calls inlined, but the program itself does not fail on it"
                .into(),
        ),
    }
}

/// How a failing run does natively, in words.
pub fn native(source: &Source, program: &Program, failing: &Failing) -> String {
    let hashed = |files: &[PathBuf]| -> std::io::Result<Vec<HashedFile>> {
        files.iter().map(|path| HashedFile::of(path)).collect()
    };
    let (files, stubs) = match (hashed(&source.files), hashed(&source.stubs)) {
        (Ok(files), Ok(stubs)) => (files, stubs),
        (Err(why), _) | (_, Err(why)) => return format!("not tried natively: {why}"),
    };
    let test = Test {
        format: attest_evidence::test::FORMAT.into(),
        tool: format!("attest {}", env!("CARGO_PKG_VERSION")),
        files,
        data_model: data_model(source),
        clang_args: source.clang_args.clone(),
        stubs,
        entry: source.model.entry.clone(),
        errors: source.model.errors.clone(),
        inputs: Vec::new(),
        uninitialised: Vec::new(),
        memory: Vec::new(),
        error: ErrorReached {
            function: failing.error.to_string(),
            place: program.place(failing.place).to_string(),
        },
    };
    let test = test.with_run(program, &failing.taken, &Inputs::default());
    match attest_evidence::replay(&test, NATIVE_TIME) {
        Ok(ReplayOutcome::DidNotBuild(why)) => {
            let first = why.lines().next().unwrap_or_default().to_owned();
            format!("the test does not build natively: {first}")
        }
        Ok(outcome) => format!("the test {outcome}"),
        Err(why) => format!("not tried natively: {why}"),
    }
}

fn data_model(source: &Source) -> attest_proof::DataModel {
    match source.data_model {
        attest_llvm::DataModel::Ilp32 => attest_proof::DataModel::Ilp32,
        attest_llvm::DataModel::Lp64 => attest_proof::DataModel::Lp64,
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
        data_model: data_model(source),
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
