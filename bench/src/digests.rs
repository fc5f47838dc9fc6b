//! Digests of the engine's work: what to compare before and after a change of shape.
//!
//! `./x digests` runs every algorithm on the programs of this repository, and the default
//! portfolio again with each technique switched off. A row of `bench/digests.tsv` has a
//! hash of all events, the verdict, and a hash of the proof. Term numbers are hashed as well,
//! so a change in the order in which terms are made shows. Nothing depends on the clock: a
//! run that does not decide ends after a fixed effort.
//!
//! Without options the rows are compared with those that are recorded; `--record` writes
//! them. IR depends on clang, so the recorded file names its version.

use attest_engine::events::{Conclusion, View, Watcher};
use attest_engine::{Engine, Event, Options, Proof, Reason, Strategy, Technique, Verdict, race};
use attest_exec::Outcome;
use attest_frontend::{Source, load, read_rule};
use attest_llvm::clang::Clang;
use attest_model::{GlobalReg, Graph, InlineOptions, Partial, Program, inline};
use attest_term::{Term, Terms};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The recorded rows.
const RECORD: &str = "bench/digests.tsv";
/// Folders whose programs are run.
const FOLDERS: [&str; 6] = [
    "examples",
    "evaluation/families",
    "evaluation/smash",
    "evaluation/synergy",
    "evaluation/thesis",
    "rules/tests",
];
/// Those on which techniques are switched off one by one.
const ABLATED: [&str; 5] = [
    "examples",
    "evaluation/families",
    "evaluation/smash",
    "evaluation/synergy",
    "evaluation/thesis",
];
/// The effort after which a run ends without a verdict.
const EFFORT: Duration = Duration::from_millis(400);
/// The effort that a run plans with.
const PLANNED: Duration = Duration::from_secs(4);
/// A run that takes longer than this on the clock is too long for a comparison.
const LIMIT: Duration = Duration::from_secs(300);
/// Instructions of an inlined program at most.
const MOST_INSTS: usize = 20_000;

/// One run: the program's file, the algorithm, and the technique that is switched off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    file: String,
    algorithm: &'static str,
    without: Option<Technique>,
}

impl Pair {
    fn name(&self) -> String {
        let algorithm = self.algorithm;
        match self.without {
            Some(technique) => format!("{}\t{algorithm} without {technique}", self.file),
            None => format!("{}\t{algorithm}", self.file),
        }
    }
}

/// The hash of the events so far.
#[derive(Clone, Default)]
struct Digest(Arc<Mutex<FxHasher>>);

impl Digest {
    fn hasher(&self) -> MutexGuard<'_, FxHasher> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn value(&self) -> u64 {
        self.hasher().finish()
    }
}

impl Watcher for Digest {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        let mut hasher = self.hasher();
        let hasher = &mut *hasher;
        (view.work.0, view.work.1.0).hash(hasher);
        hash_event(event, hasher);
    }
}

/// An event without its durations and without the names of its variants.
fn hash_event(event: &Event, hasher: &mut FxHasher) {
    std::mem::discriminant(event).hash(hasher);
    match event {
        Event::Round => {}
        Event::Frontier { frontier, depth } => {
            (frontier.from.0, frontier.to.0, depth).hash(hasher);
        }
        Event::Question { kind, answer, .. } => {
            (*kind as u8, *answer as u8).hash(hasher);
        }
        Event::Test {
            why,
            inputs,
            outcome,
            place,
            nodes,
        } => {
            (*why as u8, place.0, nodes).hash(hasher);
            format!("{:?}{:?}{:?}", inputs.nondet, inputs.uninit, inputs.unknown).hash(hasher);
            hash_outcome(outcome, hasher);
        }
        Event::Missed(frontier) => (frontier.from.0, frontier.to.0).hash(hasher),
        Event::Split {
            region,
            to,
            inside,
            outside,
            rho,
            generator,
        } => {
            [region, to, inside, outside].map(|r| r.0).hash(hasher);
            rho.hash(hasher);
            generator.hash(hasher);
        }
        Event::Cut { from, to, why } => (from.0, to.0, *why as u8).hash(hasher),
        Event::Invariant { loc, fact, maker } => (loc.0, fact, maker).hash(hasher),
        Event::Predicate(term) => term.hash(hasher),
        Event::Procedure { what, function } => (*what as u8, function.0).hash(hasher),
        Event::Stuck { frontier, .. } => (frontier.from.0, frontier.to.0).hash(hasher),
        Event::Conclusion(conclusion) => match conclusion {
            Conclusion::Proof => 0u8.hash(hasher),
            Conclusion::Failure => 1u8.hash(hasher),
            Conclusion::Nothing(_) => 2u8.hash(hasher),
        },
    }
}

fn hash_outcome(outcome: &Outcome, hasher: &mut FxHasher) {
    std::mem::discriminant(outcome).hash(hasher);
    if let Outcome::Bailed(bail) = outcome {
        bail.kind.word().hash(hasher);
    }
}

/// The hash of a proof: its terms as they are written.
fn hash_proof(proof: &Proof, terms: &Terms) -> u64 {
    let mut hasher = FxHasher::default();
    let mut fact = |term: Term| terms.to_smtlib(term).hash(&mut hasher);
    for (_, invariant) in &proof.invariants {
        fact(*invariant);
    }
    for (_, summary) in &proof.summaries {
        fact(summary.pre);
        fact(summary.post);
        summary.invariants.iter().for_each(|(_, term)| fact(*term));
    }
    let locations: Vec<u32> = proof.invariants.iter().map(|(loc, _)| loc.0).collect();
    locations.hash(&mut hasher);
    hasher.finish()
}

/// A program and how a rule is watched in it.
struct Loaded {
    program: Program,
    rule: Option<attest_slic::Rule>,
}

impl Loaded {
    fn of(file: &Path) -> Result<Loaded, String> {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        let first = text.lines().next().unwrap_or_default();
        let mut source = Source {
            files: vec![file.to_owned()],
            ..Source::default()
        };
        if file.starts_with("rules/tests") {
            let name = file.file_stem().and_then(|name| name.to_str());
            let name = name.and_then(|name| name.split('-').next()).unwrap_or("");
            source.rule = Some(format!("rules/{name}.slic").into());
            source.clang_args = vec!["-Istubs".into()];
            let listed = |key: &str| {
                let rest = first.split(key).nth(1).unwrap_or_default();
                let part = rest.split([';', '*']).next().unwrap_or_default();
                let names = part.split_whitespace();
                names
                    .map(|n| Path::new("stubs").join(n))
                    .collect::<Vec<_>>()
            };
            source.stubs = listed("stubs: ");
            source.files.extend(listed("with: "));
        }
        let rule = source.rule.as_deref().map(read_rule).transpose();
        let rule = rule.map_err(|e| e.to_string())?;
        let program = load(&source).map_err(|e| e.to_string())?;
        Ok(Loaded { program, rule })
    }

    /// The registers of the program that are the rule's state, and the watched object.
    fn state(&self, program: &Program) -> (Vec<GlobalReg>, Vec<GlobalReg>) {
        let Some(rule) = &self.rule else {
            return Default::default();
        };
        let watch = rule.watch.as_ref();
        let state = rule.state.iter().chain(watch.iter().flat_map(|w| &w.state));
        let mut names: Vec<&str> = state.map(|v| v.name.as_str()).collect();
        names.extend(watch.map(|w| w.name.as_str()));
        let globals = || (0u32..).map(GlobalReg).zip(&program.globals);
        let is_state = |name: &str| names.contains(&name) || name.starts_with("__slic_");
        let state = globals().filter(|(_, g)| is_state(&g.name));
        let watched = globals().filter(|(_, g)| watch.is_some_and(|w| *w.name == *g.name));
        let numbers = |found: Vec<(GlobalReg, _)>| found.into_iter().map(|(g, _)| g).collect();
        (numbers(state.collect()), numbers(watched.collect()))
    }

    /// Runs one algorithm; the row behind the names.
    fn run(&self, pair: &Pair) -> String {
        let strategies: Vec<Strategy> = match pair.algorithm {
            "full" => Strategy::DEFAULT.to_vec(),
            name => Strategy::ALL
                .into_iter()
                .filter(|s| s.name == name)
                .collect(),
        };
        let variant = |strategy: &Strategy| {
            let partial = (strategy.calls != attest_engine::Calls::Inlined).then(Partial::default);
            let options = InlineOptions {
                recursion: 4,
                most_insts: MOST_INSTS,
                partial,
            };
            let program = inline(&self.program, &options);
            let graph = Graph::of(&program, strategy.granularity);
            (program, graph)
        };
        let variants: Vec<_> = strategies.iter().map(variant).collect();
        let digest = Digest::default();
        let mut engines = Vec::new();
        for (strategy, (program, graph)) in strategies.iter().zip(&variants) {
            let (initial, watched) = self.state(program);
            let options = Options {
                strategy: *strategy,
                initial,
                watched,
                without: pair.without.into_iter().collect(),
                time: Some(LIMIT),
                effort: PLANNED,
                most_effort: Some(EFFORT),
                self_check: false,
                ..Options::default()
            };
            let solver = Box::new(attest_solver::standard());
            engines.push(Engine::new(program, graph, options, solver).watched_by(digest.clone()));
        }
        if let [first, ..] = &mut engines[..] {
            first.start_exploring();
        }
        let (winner, verdict) = race(&mut engines);
        let (word, proof) = match &verdict {
            Verdict::Safe(proof) => ("safe", hash_proof(proof, engines[winner].terms())),
            Verdict::Unsafe(_) => ("unsafe", 0),
            Verdict::Unknown(Reason::Time) => ("late", 0),
            Verdict::Unknown(_) => ("unknown", 0),
        };
        let effort: Duration = engines.iter().map(|engine| engine.effort()).sum();
        let effort = effort.as_micros();
        format!("{word}\t{:016x}\t{proof:016x}\t{effort}", digest.value())
    }
}

/// The programs and what is run on each.
fn pairs(only: Option<&str>) -> BTreeMap<PathBuf, Vec<Pair>> {
    let mut all: BTreeMap<PathBuf, Vec<Pair>> = BTreeMap::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.extension().is_none_or(|e| e != "c") {
                continue;
            }
            let file = path.display().to_string();
            if only.is_some_and(|only| !file.contains(only)) {
                continue;
            }
            let pair = |algorithm, without| Pair {
                file: file.clone(),
                algorithm,
                without,
            };
            let algorithms = Strategy::ALL.iter().map(|s| s.name);
            let mut rows: Vec<Pair> = algorithms.map(|name| pair(name, None)).collect();
            rows.push(pair("full", None));
            if ABLATED.contains(&folder) {
                let techniques = Technique::ALL.iter();
                rows.extend(techniques.map(|technique| pair("full", Some(*technique))));
            }
            all.insert(path, rows);
        }
    }
    all
}

/// The rows of all pairs, two programs at a time.
fn measure(pairs: BTreeMap<PathBuf, Vec<Pair>>) -> BTreeMap<String, String> {
    let work: Vec<(PathBuf, Vec<Pair>)> = pairs.into_iter().collect();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(BTreeMap::new());
    let worker = || {
        while let Some((file, pairs)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let loaded = Loaded::of(file);
            for pair in pairs {
                let row = match &loaded {
                    Ok(loaded) => loaded.run(pair),
                    Err(why) => format!("not loaded: {}", why.lines().next().unwrap_or("")),
                };
                if let Ok(mut rows) = rows.lock() {
                    rows.insert(pair.name(), row);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let big = std::thread::Builder::new().stack_size(256 << 20);
            if let Err(why) = big.spawn_scoped(scope, worker) {
                eprintln!("digests: no thread: {why}");
            }
        }
    });
    rows.into_inner().unwrap_or_default()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let record = args.iter().any(|arg| arg == "--record");
    let only = args.iter().find(|arg| !arg.starts_with("--"));
    let version = match Clang::find() {
        Ok(clang) => format!("# {}", clang.version),
        Err(why) => {
            eprintln!("digests: {why}");
            return ExitCode::FAILURE;
        }
    };
    let rows = measure(pairs(only.map(String::as_str)));
    if record {
        let lines = rows.iter().map(|(name, row)| format!("{name}\t{row}\n"));
        let text = format!("{version}\n{}", lines.collect::<String>());
        return match std::fs::write(RECORD, text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("digests: {RECORD}: {why}");
                ExitCode::FAILURE
            }
        };
    }
    let recorded = std::fs::read_to_string(RECORD).unwrap_or_default();
    if recorded.lines().next() != Some(&version) {
        eprintln!("digests: {RECORD} was recorded with another clang; run with --record first");
        return ExitCode::FAILURE;
    }
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for line in recorded.lines().skip(1) {
        let mut fields = line.splitn(3, '\t');
        if let (Some(file), Some(run), Some(row)) = (fields.next(), fields.next(), fields.next()) {
            known.insert(format!("{file}\t{run}"), row);
        }
    }
    let (mut same, mut differ, mut new) = (0, 0, 0);
    for (name, row) in &rows {
        match known.get(name) {
            Some(before) if before == row => same += 1,
            Some(before) => {
                differ += 1;
                println!("{name}\n  was {before}\n  is  {row}");
            }
            None => new += 1,
        }
    }
    println!("{same} the same, {differ} differ, {new} not recorded");
    match differ {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
