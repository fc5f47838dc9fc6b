//! Values that were never set: programs with the verdict and the place in their comments.
//!
//! Each is run in the interpreter on plain and random inputs, and given to the engine with this
//! class of checks alone; the checker checks each proof. `ATTEST_UNINITIALISED` names other files
//! or folders to be looked at; then what is found is only printed.

use attest_checker::{CheckResult, Fresh, check_proof};
use attest_engine::{Engine, Options, Verdict};
use attest_exec::{Inputs, Interpreter, Limits as RunLimits, Outcome, Overflow, Rest};
use attest_frontend::{Source, load};
use attest_model::{BailKind, Class, Granularity, Graph, InlineOptions, Program, inline};
use attest_solver::{Blaster, Cached, Limits};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// One expectation of a file.
#[derive(Debug)]
struct Case {
    file: PathBuf,
    safe: bool,
    /// `proved: no`: a proof is not expected yet.
    open: bool,
    args: Vec<String>,
    /// The lines of the violations; any of them.
    lines: BTreeSet<u32>,
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let value = |key: &str| line.strip_prefix("// ")?.strip_prefix(key).map(str::trim);
        if let Some(verdict) = value("expect:") {
            cases.push(Case {
                file: file.into(),
                safe: verdict == "safe",
                open: verdict == "unknown",
                args: Vec::new(),
                lines: BTreeSet::new(),
            });
        }
        if let (Some(options), Some(case)) = (value("options: --"), cases.last_mut()) {
            case.args = options.split_whitespace().map(str::to_owned).collect();
        }
    }
    for case in cases.iter_mut().filter(|case| !case.safe) {
        let lines = text.lines().zip(1..);
        let here = lines.filter(|(line, _)| line.contains("// violated"));
        case.lines = here.map(|(_, number)| number).collect();
    }
    cases
}

/// What was found.
#[derive(Debug, PartialEq)]
enum Found {
    Violated(u32, &'static str),
    Proved,
    Unknown(String),
    /// Something that must not be.
    Wrong(String),
}

const INLINING: InlineOptions = InlineOptions {
    recursion: 3,
    most_insts: 100_000,
    partial: None,
};

fn inputs() -> impl Iterator<Item = Inputs> {
    let plain = |value: i128| Inputs {
        nondet: vec![attest_exec::InputValue::Int(value); 64],
        ..Inputs::default()
    };
    let random = (0..60).map(|seed| Inputs {
        rest: Rest::Random(seed),
        ..Inputs::default()
    });
    [0, 1, -1, 3, 7].into_iter().map(plain).chain(random)
}

/// The line of a violation, in the user's file.
fn violated(program: &Program, inputs: Arc<Inputs>) -> Option<u32> {
    let limits = RunLimits {
        steps: 200_000,
        ..RunLimits::default()
    };
    let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits);
    let Outcome::Bailed(bail) = run.run() else {
        return None;
    };
    let stack = run.call_stack();
    let mut places = stack.iter().map(|(_, place)| program.place(*place));
    let user = places.find(|place| !place.file.ends_with("libc.c"));
    let line = user.map_or(0, |place| place.line);
    (bail.kind == BailKind::Uninitialised).then_some(line)
}

fn decide(case: &Case) -> Found {
    let mut source = Source::of([case.file.clone()]);
    source.clang_args = case.args.clone();
    source.model.uninitialised = true;
    let program = match load(&source) {
        Ok(program) => program,
        Err(e) => return Found::Unknown(e.to_string()),
    };
    for inputs in inputs() {
        if let Some(line) = violated(&program, Arc::new(inputs)) {
            return Found::Violated(line, "run");
        }
    }
    let partial = InlineOptions::partial();
    let mut last = Found::Unknown("nothing was tried".into());
    for inlining in [INLINING, partial] {
        last = search(case, &source, &program, &inlining);
        if !matches!(last, Found::Unknown(_)) {
            break;
        }
    }
    last
}

fn search(case: &Case, source: &Source, program: &Program, inlining: &InlineOptions) -> Found {
    let flat = inline(program, inlining);
    let graph = Graph::of(&flat, Granularity::Large);
    let kinds = BailKind::ALL.iter().copied();
    let other = |kind: &BailKind| kind.class().is_some_and(|c| c != Class::Uninitialised);
    let options = Options {
        assumed: kinds
            .filter(|k| other(k) || *k == BailKind::PtrOrder)
            .collect(),
        effort: Duration::from_secs(6),
        most_effort: Some(Duration::from_secs(6)),
        doubt: false,
        ..Options::default()
    };
    let solver = Box::new(Cached::new(Blaster::new()));
    let mut engine = Engine::new(&flat, &graph, options, solver);
    match engine.run() {
        Verdict::Unsafe(test) if test.check.kind == Some(BailKind::Uninitialised) => {
            match violated(program, test.inputs.clone()) {
                Some(line) => Found::Violated(line, "engine"),
                None => Found::Unknown("only the inlined program fails".into()),
            }
        }
        Verdict::Unsafe(test) => Found::Unknown(format!("another violation: {}", test.what)),
        Verdict::Unknown(why) => Found::Unknown(why.to_string()),
        Verdict::Safe(proof) => {
            let subject = attest_evidence::Subject {
                files: vec![case.file.clone()],
                clang_args: case.args.clone(),
                model: source.model.clone(),
                inline: *inlining,
                assumed: proof.assumed.clone(),
                ..Default::default()
            };
            let parts = attest_evidence::ProofParts::of(&proof, engine.terms());
            let written =
                attest_evidence::proof_of(&subject, &flat, &graph, engine.terms(), &parts)
                    .expect("the source is there");
            assert!(written.uninitialised);
            let mut solver = Fresh::new(Blaster::new);
            let limits = Limits::time(Duration::from_secs(20));
            match check_proof(&flat, &graph, &written, &mut solver, &limits) {
                Ok(CheckResult::Accepted { .. }) => Found::Proved,
                Ok(CheckResult::Rejected(why)) => Found::Wrong(format!("rejected: {why:?}")),
                Ok(other) => Found::Unknown(format!("the checker: {other:?}")),
                Err(e) => Found::Wrong(e.to_string()),
            }
        }
    }
}

fn files(from: &Path) -> Vec<PathBuf> {
    if from.is_file() {
        return vec![from.into()];
    }
    let entries = std::fs::read_dir(from).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn programs_have_the_verdict_in_their_comments() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uninitialised");
    let others = std::env::var_os("ATTEST_UNINITIALISED");
    let from: Vec<PathBuf> = match &others {
        Some(list) => std::env::split_paths(list).collect(),
        None => vec![own],
    };
    let mut wrong = Vec::new();
    for case in from
        .iter()
        .flat_map(|from| files(from))
        .flat_map(|f| cases(&f))
    {
        let begin = std::time::Instant::now();
        let found = std::thread::scope(|scope| {
            let big = std::thread::Builder::new().stack_size(64 << 20);
            let made = big.spawn_scoped(scope, || decide(&case)).expect("a thread");
            made.join().unwrap_or(Found::Wrong("a panic".into()))
        });
        let right = match &found {
            Found::Violated(line, _) => !case.safe && case.lines.contains(line),
            Found::Proved => case.safe,
            Found::Unknown(_) => case.open,
            Found::Wrong(_) => false,
        };
        let name = case.file.file_stem().unwrap_or_default().to_string_lossy();
        let word = if right { "ok   " } else { "WRONG" };
        let line = format!(
            "{word} {name} {:?} safe={}: {found:?}",
            case.args, case.safe
        );
        println!("{line} {:.1?}", begin.elapsed());
        if !right {
            wrong.push(line);
        }
    }
    assert!(others.is_some() || wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shadows have no effect: a run without a violation is the run of the program without them.
#[test]
fn shadows_have_no_effect() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uninitialised");
    let others = std::env::var_os("ATTEST_UNINITIALISED_RUNS");
    let from: Vec<PathBuf> = match &others {
        Some(list) => std::env::split_paths(list).collect(),
        None => vec![own],
    };
    for file in from.iter().flat_map(|from| files(from)) {
        let mut source = Source::of([file.clone()]);
        let Ok(plain) = load(&source) else { continue };
        source.model.uninitialised = true;
        let shadowed = load(&source).expect("it was loaded without shadows");
        for inputs in inputs().take(20) {
            let run = |program: &Program| {
                let limits = RunLimits {
                    steps: 300_000,
                    ..RunLimits::default()
                };
                let inputs = Arc::new(inputs.clone());
                let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits);
                let outcome = run.run();
                (outcome, program.place(run.place()).clone())
            };
            let (with, place) = run(&shadowed);
            let (without, _) = run(&plain);
            match &with {
                Outcome::Bailed(bail) if bail.kind == BailKind::Uninitialised => {
                    println!("{}: {place}", file.display());
                    break;
                }
                Outcome::StepLimit => {}
                Outcome::Bailed(bail) if bail.kind == BailKind::Unsupported => {}
                _ => assert_eq!(with, without, "{}", file.display()),
            }
        }
    }
}
