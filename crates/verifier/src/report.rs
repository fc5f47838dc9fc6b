//! All that a check can say, as one value: `--json` writes it as it is.
//!
//! What it says of the verdict comes from an [`Answer`] and from nowhere else.
//! `docs/json.md` is the description for users; a test compares its keys with
//! those that are written.

use crate::answer::Answer;
use crate::memory;
use crate::settings::Settings;
use crate::source::Source;
use crate::standing::Standing;
use attest_engine::Statistics;
use attest_engine::events::{Cut, ProcedureEvent, Question};
use attest_evidence::{Input, Test};
use attest_exec::Overflow;
use attest_export::coverage::Coverage;
use attest_export::history::History;
use attest_export::proof::Explained;
use attest_export::story::Line;
use attest_export::{Sources, Story};
use attest_llvm::DataModel;
use attest_model::Granularity;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What the `format` of a report says. Keys may join; a key that goes or changes its meaning changes this.
pub const FORMAT: &str = "attest-report-1";

/// A check and its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: &'static str,
    verdict: &'static str,
    reason: Option<String>,
    status: i32,
    /// The program's files.
    pub files: Vec<String>,
    /// Files with bodies for functions that the program lacks.
    pub stubs: Vec<String>,
    /// Where the program starts.
    pub entry: String,
    /// What must not happen.
    pub property: Property,
    /// The API rule, if it was checked.
    pub rule: Option<RuleReport>,
    /// How it was checked.
    pub options: Options,
    /// Ways out of the model that a proof takes as not happening.
    pub assumptions: Vec<&'static str>,
    /// What is assumed of the call of an entry other than `main`.
    pub entry_assumptions: Vec<String>,
    /// Functions without a body or a model.
    pub missing_functions: Vec<String>,
    /// What is known of each class that is asked for.
    pub classes: Vec<Standing>,
    /// The first violation.
    pub failure: Option<Failing>,
    /// All violations of what is asked for, at most one a check.
    pub violations: Vec<Failing>,
    /// Violations of what is not asked for, which end a run.
    pub notices: Vec<Failing>,
    /// How many comments and settings silence findings.
    pub silenced: usize,
    /// What the verdict assumes of the program and its environment.
    pub assuming: Vec<String>,
    /// The proof in C.
    pub proof: Explained,
    /// What to do about an open verdict.
    pub next_step: Option<String>,
    /// What other forms are made of.
    #[serde(skip)]
    pub details: Details,
    /// Files that were written.
    pub evidence: Evidence,
    /// What it cost.
    pub statistics: Numbers,
    /// Time by phase.
    pub seconds: BTreeMap<&'static str, f64>,
    /// Who did it.
    pub versions: Versions,
}

/// An answer, and what is known besides.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// How it was found: statistics, times, and the answer as JSON.
    pub report: Report,
}

/// What must not happen.
#[derive(Clone, Debug, Serialize)]
pub struct Property {
    /// As the user named it.
    pub name: Option<String>,
    /// Functions that must not be called.
    pub errors: Vec<String>,
}

/// The API rule of a check.
#[derive(Clone, Debug, Serialize)]
pub struct RuleReport {
    /// Its file.
    pub file: String,
    /// Whether the program can call a function of it; none before that is known.
    pub applies: Option<bool>,
    /// What the rule's author wrote about the violation.
    pub message: Option<String>,
}

/// How it was checked.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Options {
    pub algorithm: &'static str,
    pub blocks: &'static str,
    pub data_model: &'static str,
    pub overflow: &'static str,
    pub seed: u64,
    pub time_limit: Option<f64>,
    pub cpu_limit: Option<f64>,
    pub memory_limit: Option<u64>,
}

/// A run that violates a check.
#[derive(Clone, Debug, Serialize)]
pub struct Failing {
    /// The kind of the check, such as `memory/out-of-bounds`.
    pub check: String,
    /// The error function that is called, or what is wrong.
    pub function: String,
    /// Where.
    pub place: String,
    /// The environment's answers in order.
    pub inputs: Vec<Input>,
    /// The lines of C that lead to the error.
    pub trace: Vec<Line>,
    /// What the program does natively, in words; none if it was not tried.
    pub natively: Option<String>,
}

/// Files that were written.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Evidence {
    /// The proof.
    pub proof: Option<String>,
    /// The failing test.
    pub test: Option<String>,
    /// Its harness.
    pub harness: Option<String>,
    /// How many tests that do not fail were written.
    pub tests: usize,
}

/// What it cost.
#[derive(Clone, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Numbers {
    pub runs_before: usize,
    pub iterations: u64,
    pub tests: u64,
    pub nodes: u64,
    pub regions: u64,
    pub invariants: BTreeMap<&'static str, u64>,
    /// Those of them that the proof has.
    pub needed: BTreeMap<&'static str, u64>,
    pub missed: u64,
    pub stuck: u64,
    pub splits: BTreeMap<&'static str, u64>,
    pub cuts: BTreeMap<&'static str, u64>,
    pub procedures: BTreeMap<&'static str, u64>,
    pub questions: BTreeMap<&'static str, Answers>,
    /// What was not there, such as Z3.
    pub absent: Option<String>,
    pub peak_memory_mb: Option<u64>,
}

/// Answers of the solver to questions of one kind.
#[derive(Clone, Copy, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Answers {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub seconds: f64,
}

/// Who did it.
#[derive(Clone, Debug, Serialize)]
pub struct Versions {
    /// attest itself.
    pub attest: &'static str,
    /// The major version of clang.
    pub clang: Option<u32>,
}

/// A part of the work that is timed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// clang, reading, linking.
    FrontEnd,
    /// Lowering, inlining, locations and edges.
    Model,
    /// Plain runs.
    Search,
    /// The engine.
    Engine,
    /// The check of a proof.
    ProofCheck,
    /// The native run of a failing test.
    Native,
}

impl Phase {
    /// All of them, in their order.
    pub const ALL: [Phase; 6] = [
        Phase::FrontEnd,
        Phase::Model,
        Phase::Search,
        Phase::Engine,
        Phase::ProofCheck,
        Phase::Native,
    ];

    /// Its key.
    pub fn key(self) -> &'static str {
        match self {
            Phase::FrontEnd => "front_end",
            Phase::Model => "model",
            Phase::Search => "search",
            Phase::Engine => "engine",
            Phase::ProofCheck => "proof_check",
            Phase::Native => "native",
        }
    }

    /// What is being done, for a person.
    pub fn words(self) -> &'static str {
        match self {
            Phase::FrontEnd => "compiling",
            Phase::Model => "making the model",
            Phase::Search => "trying runs",
            Phase::Engine => "searching for a proof or a test",
            Phase::ProofCheck => "checking the proof",
            Phase::Native => "running the test natively",
        }
    }
}

/// The key of the time of everything.
pub const TOTAL: &str = "total";

/// A duration with milliseconds.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// What other forms of the report are made of.
#[derive(Clone, Default, Debug)]
pub struct Details {
    /// The source files.
    pub sources: Sources,
    /// The failing run with all its lines.
    pub story: Option<Story>,
    /// The failing run as a test.
    pub test: Option<Test>,
    /// What the engine did.
    pub history: Option<History>,
    /// The lines and branches that tests reached, and how many tests there were.
    pub coverage: Option<(Coverage, usize)>,
}

/// The exit status where there is nothing to check.
pub const NOTHING: i32 = 3;

/// The exit status of a command that ends with an answer: the numbers of CBMC, and one of ours.
fn status(answer: &Answer) -> i32 {
    match answer {
        Answer::Safe(_) => 0,
        Answer::Unsafe(_) => 10,
        Answer::Nothing(_) => NOTHING,
        Answer::Unknown(_) => 5,
    }
}

impl Report {
    /// `safe`, `unsafe` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        self.verdict
    }

    /// Why it is unknown.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The exit status.
    pub fn status(&self) -> i32 {
        self.status
    }

    /// Takes over an answer.
    pub fn say(&mut self, answer: &Answer) {
        (self.verdict, self.reason) = match answer {
            Answer::Safe(_) => ("safe", None),
            Answer::Unsafe(_) => ("unsafe", None),
            Answer::Nothing(why) => ("safe", Some(format!("nothing to check: {why}"))),
            Answer::Unknown(why) => ("unknown", Some(why.to_string())),
        };
        self.status = status(answer);
    }

    /// The check has ended with an answer after this long.
    pub(crate) fn settle(&mut self, answer: &Answer, elapsed: Duration) {
        self.say(answer);
        self.seconds.insert(TOTAL, seconds(elapsed));
        self.statistics.peak_memory_mb = memory::peak().map(|bytes| bytes >> 20);
    }

    /// A phase took this long.
    pub(crate) fn add_time(&mut self, phase: Phase, time: Duration) {
        let known = self.seconds.entry(phase.key()).or_default();
        *known = seconds(Duration::from_secs_f64(*known) + time);
    }

    /// A report on a check that has just begun.
    pub(crate) fn new(settings: &Settings, source: &Source) -> Report {
        let names = |files: &[std::path::PathBuf]| {
            let name = |file: &std::path::PathBuf| text(file);
            files.iter().map(name).collect()
        };
        let mut report = Report {
            format: FORMAT,
            verdict: "unknown",
            reason: None,
            status: 5,
            files: names(&source.files),
            stubs: names(&source.stubs),
            entry: source.model.entry.clone(),
            property: Property {
                name: None,
                errors: source.model.errors.clone(),
            },
            rule: source.rule.as_deref().map(|file| RuleReport {
                file: text(file),
                applies: None,
                message: None,
            }),
            options: Options::of(settings, source),
            assumptions: Vec::new(),
            entry_assumptions: Vec::new(),
            missing_functions: Vec::new(),
            classes: Vec::new(),
            failure: None,
            violations: Vec::new(),
            notices: Vec::new(),
            silenced: 0,
            assuming: Vec::new(),
            proof: Explained::default(),
            next_step: None,
            details: Details::default(),
            evidence: Evidence::default(),
            statistics: Numbers::default(),
            seconds: Phase::ALL.iter().map(|p| (p.key(), 0.0)).collect(),
            versions: Versions {
                attest: env!("CARGO_PKG_VERSION"),
                clang: None,
            },
        };
        report.statistics.take(&Statistics::default());
        report
    }

    /// The report as text.
    pub fn to_json(&self) -> String {
        // Strings and finite numbers serialise without fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Options {
    fn of(settings: &Settings, source: &Source) -> Options {
        let limits = &settings.limits;
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        Options {
            algorithm: settings.algorithm.word(),
            blocks: match settings.granularity() {
                Granularity::Insn => "insn",
                Granularity::Basic => "basic",
                Granularity::Large => "large",
            },
            data_model: match source.data_model {
                DataModel::Ilp32 => "ilp32",
                DataModel::Lp64 => "lp64",
            },
            overflow: match settings.overflow {
                Overflow::Wrap => "wrap",
                Overflow::Assume => "assume",
                Overflow::Check => "check",
            },
            seed: settings.seed,
            time_limit: seconds(limits.time),
            cpu_limit: seconds(limits.cpu),
            memory_limit: limits.memory.map(|bytes| bytes >> 20),
        }
    }
}

/// A path as text.
pub fn text(path: &Path) -> String {
    path.display().to_string()
}

impl Numbers {
    /// Takes over what the engine counted.
    pub fn take(&mut self, from: &Statistics) {
        self.iterations = from.iterations;
        self.tests = from.tests;
        self.nodes = from.nodes;
        self.regions = from.regions;
        self.invariants = from.invariants.clone();
        self.needed = from.needed.clone();
        self.missed = from.missed;
        self.stuck = from.stuck;
        self.splits = from.splits.clone();
        let cuts = |why: &Cut| from.cuts.get(why).copied().unwrap_or_default();
        self.cuts = Cut::ALL.iter().map(|why| (why.word(), cuts(why))).collect();
        let deeds = ProcedureEvent::ALL.iter();
        self.procedures = deeds.map(|what| (what.word(), from.did(*what))).collect();
        let answers = |kind: &Question| {
            let tally = from.questions.get(kind).copied().unwrap_or_default();
            Answers {
                sat: tally.sat,
                unsat: tally.unsat,
                unknown: tally.unknown,
                seconds: seconds(tally.time),
            }
        };
        let all = Question::ALL.iter();
        self.questions = all.map(|kind| (kind.word(), answers(kind))).collect();
    }
}
