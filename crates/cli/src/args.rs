//! Every option of attest, in one place. The help is made from this file, and
//! a test compares the table in the README with it.

use crate::exit::Failure;
use attest_exec::concrete::memory::Unknown;
use attest_exec::{InputValue, Limits, Overflow};
use attest_llvm::DataModel;
use attest_model::{Checks, Class, Granularity, Malloc};
use attest_verifier::{Algorithm, Named, Order, Source, Technique, Tuning, messages};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};

/// A property checker for C: proofs from tests.
#[derive(Parser, Debug)]
#[command(name = "attest", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  attest check examples/spinlock.c              check a program
  attest check prog.c --check memory,leak       check it for these classes of errors
  attest run examples/spinlock.c --input 1,0    run it on these inputs
  attest run prog.c --trace                     say what it does, line by line
  attest model prog.c --dot | dot -Tsvg > prog.svg
  attest check a.c b.c --stubs env.c -- -Iinclude -DDEBUG
  attest check prog.c --tests out               write the failing test to files
  attest check driver.c --spec rules/ --stubs stubs/linux_driver.c
  attest replay out/failing.json                run it natively
  attest check prog.c --report prog.html        write a page for a browser
  attest check prog.c --witness w.yml           write a witness; --check-witness validates one
  attest tests prog.c --out suite.zip           make tests that cover the branches

Exit status: 0 safe, 10 unsafe, 5 unknown, 3 nothing to check, 1 wrong usage, 2 unusable input,
6 internal error.";

/// A command with its options.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether a program can fail
    Check(Box<CheckArgs>),
    /// Run a program in the interpreter
    Run(RunArgs),
    /// Show the locations and edges of a program
    Model(ModelArgs),
    /// Build a program with the inputs of a test, run it natively, and say whether it fails
    Replay(ReplayArgs),
    /// Make a suite of tests that covers the branches of a program
    Tests(TestsArgs),
    /// Run programs with configurations, each with each, and keep a table of the results
    Suite(SuiteArgs),
    /// Compare tables of results, in words and as a page with plots
    Compare(CompareArgs),
    /// Print the completions of a shell: source <(attest completions bash)
    Completions(CompletionsArgs),
    /// Print the manual page: attest man | man -l -
    Man,
    /// Show or clear what earlier checks learnt
    Cache(CacheArgs),
    /// Work with API rules
    #[command(subcommand)]
    Slic(SlicCommand),
    /// Print skeletons of the functions that a program lacks
    Stubs(StubsArgs),
}

/// What to do with a rule.
#[derive(Subcommand, Debug)]
pub enum SlicCommand {
    /// Say whether a rule can be used, and on a program if one is given
    Check(SlicCheckArgs),
}

/// The options of `attest slic check`.
#[derive(Args, Debug)]
pub struct SlicCheckArgs {
    /// The rule (.slic)
    #[arg(value_name = "RULE", value_hint = ValueHint::FilePath)]
    pub rule: PathBuf,
    /// The program that it is for
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// C file with bodies for functions that the program lacks; may be given again
    #[arg(long, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub stubs: Vec<PathBuf>,
    /// Arguments for clang, such as -I and -D
    #[arg(last = true, value_name = "CLANG-ARGS")]
    pub clang_args: Vec<String>,
}

/// The options of `attest stubs`.
#[derive(Args, Debug)]
pub struct StubsArgs {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// Which program, for every command.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// C (.c), preprocessed C (.i) or LLVM IR (.ll) files; several are linked
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// SV-COMP's property, which is checked instead of the classes of --check: unreach-call, valid-memsafety, no-overflow, ... or a property file
    #[arg(long, value_name = "NAME|FILE.prp")]
    pub property: Option<String>,
    /// API rule that must not be violated, instead of a property; check also takes several, or a folder of rules (.slic)
    #[arg(long, value_name = "RULE", conflicts_with = "property", value_hint = ValueHint::AnyPath)]
    pub spec: Vec<PathBuf>,
    /// Function where the program starts [default: main]; another function than main gets arbitrary arguments
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// Widths of types: long and pointers of 32 or of 64 bits
    #[arg(long, value_name = "MODEL", default_value = "lp64", ignore_case = true)]
    pub data_model: DataModelName,
    /// Whether malloc and its like may fail; for a size that no object can have they always do
    #[arg(long, value_name = "HOW", default_value = "succeeds")]
    pub malloc: MallocName,
    /// C file with bodies for functions that the program lacks; may be given again
    #[arg(long, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub stubs: Vec<PathBuf>,
    /// compile_commands.json that says how to compile the files
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub compile_commands: Option<PathBuf>,
    /// Arguments for clang, such as -I and -D
    #[arg(last = true, value_name = "CLANG-ARGS")]
    pub clang_args: Vec<String>,
}

/// How a program is executed.
#[derive(Args, Clone, Debug)]
pub struct ExecArgs {
    /// Signed overflow where it is not asked for: the machine's wrap-around, or assumed absent; check asks for it (and ends a run)
    #[arg(long, value_name = "POLICY", default_value = "wrap")]
    pub overflow: OverflowName,
    /// Most memory in megabytes: of attest itself for check [default: no limit], of the objects of the program for run [default: 1024]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,
    /// Seed of random inputs [default: 1 for check; without it, run takes zeros]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// The options of `attest check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How it is executed.
    #[command(flatten)]
    pub exec: ExecArgs,
    /// Classes of checks, separated by commas: assert, memory, leak, overflow, arithmetic, uninitialised [default: assert,memory,overflow,arithmetic; assert with --spec]
    #[arg(long, value_name = "LIST", value_parser = class, value_delimiter = ',', conflicts_with = "property")]
    pub check: Vec<Class>,
    /// End at the first violation; without it the search goes on for about as long again
    #[arg(long)]
    pub first: bool,
    /// Status 0 where there is nothing to check, instead of 3
    #[arg(long)]
    pub allow_empty: bool,
    /// Give up after this many seconds [default: 120 for the engine]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up after this many seconds of processor time, however long they take on a busy machine
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub cpu_limit: Option<f64>,
    /// How proofs and tests are searched for
    #[arg(long, value_name = "NAME", default_value = "full")]
    pub algorithm: AlgorithmName,
    /// Which branch directed testing (dse) tries next
    #[arg(long, value_name = "ORDER", default_value = "depth")]
    pub order: OrderName,
    /// Keep every procedure by itself in smash, may and must, which inline small ones otherwise
    #[arg(long)]
    pub apart: bool,
    /// States of a test that are kept before it is thinned out [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub test_states: Option<u32>,
    /// Switch a technique off, by its name; may be given again
    #[arg(long, value_name = "NAME", value_parser = technique)]
    pub without: Vec<Technique>,
    /// Switch a technique on that is there for comparison: sp, cd
    #[arg(long, value_name = "NAME", value_parser = extra)]
    pub with: Vec<Technique>,
    /// Set a limit of the engine for an experiment; may be given again; docs/tuning.md has the names
    #[arg(long, value_name = "NAME=VALUE", hide = true, value_parser = limit)]
    pub tune: Vec<String>,
    /// Size of a step between locations [default: that of the algorithm, large for full]
    #[arg(long, value_name = "SIZE")]
    pub blocks: Option<BlocksName>,
    /// Write the proof of a safe program to this file, for attest-checker
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub proof: Option<PathBuf>,
    /// Write the tests to this folder, for attest replay; the failing one also as a C file to build by hand
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tests: Option<PathBuf>,
    /// Write a report in JSON to this file; - is standard output, where nothing else is written then
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub json: Option<PathBuf>,
    /// Files in other forms.
    #[command(flatten)]
    pub forms: crate::forms::FormArgs,
    /// Say what the check cost, before the verdict
    #[arg(long)]
    pub stats: bool,
    /// Say every step of the engine in words, on standard error
    #[arg(long)]
    pub trace_steps: bool,
    /// Say the verdict only, and show no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Neither use nor keep what earlier checks of the program learnt
    #[arg(long)]
    pub no_cache: bool,
    /// Folder for what checks learn [default: .attest]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "no_cache")]
    pub cache: Option<PathBuf>,
    /// Functions without a body: stop there, or take any result
    #[arg(long = "extern", value_name = "HOW", default_value = "reject")]
    pub external: External,
}

/// The options of `attest run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Inputs in the order in which the program asks for them: 3,-1,0x1f,'a',2.5; further ones are 0
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_parser = input_list, default_value = "", hide_default_value = true)]
    pub input: InputList,
    /// Bytes of fresh objects, as OBJECT:OFFSET=BYTE,... with the numbers that check prints; others are 0
    #[arg(long, value_name = "LIST", value_parser = contents, default_value = "", hide_default_value = true)]
    pub contents: Contents,
    /// Say what the program does: assignments, inputs, calls, decisions
    #[arg(long)]
    pub trace: bool,
    /// Most instructions to execute
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub steps: u64,
    /// How it is executed.
    #[command(flatten)]
    pub exec: ExecArgs,
}

/// The options of `attest model`.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Print a graph for Graphviz
    #[arg(long)]
    pub dot: bool,
    /// Size of a step between locations
    #[arg(long, value_name = "SIZE", default_value = "large")]
    pub blocks: BlocksName,
}

/// The options of `attest replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// A test that attest check --tests wrote
    #[arg(value_name = "TEST.json", value_hint = ValueHint::FilePath)]
    pub test: PathBuf,
    /// Stop the program after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "10")]
    pub time_limit: f64,
}

/// The options of `attest cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do
    #[arg(value_enum, default_value = "show")]
    pub action: CacheAction,
    /// The folder [default: .attest]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,
}

/// What `attest cache` does.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheAction {
    /// A line for each program that something is known of
    Show,
    /// Forget everything
    Clear,
}

/// The options of `attest tests`.
#[derive(Args, Debug)]
pub struct TestsArgs {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Where the suite goes, in the format of Test-Comp: a folder, or an archive if it ends in .zip
    #[arg(long, short, value_name = "DIR|FILE.zip", value_hint = ValueHint::AnyPath, default_value = "tests.zip")]
    pub out: PathBuf,
    /// Look for tests at most for this many seconds [default: 60]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// How it is executed.
    #[command(flatten)]
    pub exec: ExecArgs,
}

/// The options of `attest completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: clap_complete::Shell,
}

/// The options of `attest suite`.
#[derive(Args, Debug)]
pub struct SuiteArgs {
    /// The programs, properties, configurations and limits
    #[arg(value_name = "SUITE.toml", value_hint = ValueHint::FilePath)]
    pub suite: PathBuf,
    /// Table of results, which a suite that was stopped goes on with [default: SUITE.tsv]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub table: Option<PathBuf>,
    /// Runs at a time [default: that of the suite, or one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub workers: Option<u16>,
    /// Seconds of a run [default: that of the suite, or 60]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Seconds of processor time of a run [default: that of the suite, or no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub cpu_limit: Option<f64>,
    /// Most memory of a run in megabytes [default: that of the suite, or no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,
    /// Say the summary only
    #[arg(long, short)]
    pub quiet: bool,
}

/// The options of `attest compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Tables of attest suite; TABLE.tsv:NAME is one configuration of a table
    #[arg(required = true, value_name = "TABLE", value_hint = ValueHint::FilePath)]
    pub tables: Vec<String>,
    /// Page for a browser, with tables and plots
    #[arg(long, short, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
}

/// Words for [`DataModel`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DataModelName {
    Ilp32,
    Lp64,
}

/// Words for [`Malloc`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MallocName {
    Succeeds,
    MayFail,
}

/// Words for [`Overflow`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OverflowName {
    Wrap,
    Assume,
    Check,
}

/// Words for [`Algorithm`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlgorithmName {
    /// All that helps; strategies take turns
    Full,
    /// A procedure at a time, with must and not-may summaries
    Smash,
    /// SMASH with not-may summaries only
    May,
    /// SMASH with must summaries only
    Must,
    /// DASH as its paper has it: one question a round, the precondition under the test's aliasing
    Dash,
    /// Its predecessor: exact preconditions, and every edge of a new region is checked
    Synergy,
    /// DASH that first asks whether the target can be reached at all
    Lctd,
    /// A baseline of SYNERGY: the bisimulation quotient, without guidance
    LeeYannakakis,
    /// A baseline of DASH: directed testing, a test for every path
    Dse,
    /// A baseline of SYNERGY and DASH: predicate abstraction, refined by infeasible paths
    Cegar,
}

impl From<AlgorithmName> for Algorithm {
    fn from(name: AlgorithmName) -> Algorithm {
        match name {
            AlgorithmName::Full => Algorithm::Full,
            AlgorithmName::Smash => Algorithm::Smash,
            AlgorithmName::May => Algorithm::May,
            AlgorithmName::Must => Algorithm::Must,
            AlgorithmName::Dash => Algorithm::Dash,
            AlgorithmName::Synergy => Algorithm::Synergy,
            AlgorithmName::Lctd => Algorithm::Lctd,
            AlgorithmName::LeeYannakakis => Algorithm::LeeYannakakis,
            AlgorithmName::Dse => Algorithm::Dse,
            AlgorithmName::Cegar => Algorithm::Cegar,
        }
    }
}

/// Words for [`Order`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderName {
    /// The deepest
    Depth,
    /// The shallowest
    Breadth,
    /// One that leads to where no test was
    Coverage,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Order {
        match name {
            OrderName::Depth => Order::Depth,
            OrderName::Breadth => Order::Breadth,
            OrderName::Coverage => Order::Coverage,
        }
    }
}

/// Words for [`Granularity`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BlocksName {
    Insn,
    Basic,
    Large,
}

impl From<BlocksName> for Granularity {
    fn from(name: BlocksName) -> Granularity {
        match name {
            BlocksName::Insn => Granularity::Insn,
            BlocksName::Basic => Granularity::Basic,
            BlocksName::Large => Granularity::Large,
        }
    }
}

/// What becomes of functions without a body.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum External {
    Reject,
    Havoc,
}

/// The values of `--input`.
#[derive(Clone, Debug)]
pub struct InputList(pub Vec<InputValue>);

fn input_list(text: &str) -> Result<InputList, String> {
    if text.trim().is_empty() {
        return Ok(InputList(Vec::new()));
    }
    let value = |t: &str| {
        InputValue::parse(t)
            .ok_or_else(|| format!("`{t}` is no number; write a list such as 3,-1,0x1f,'a',2.5"))
    };
    let values: Result<Vec<_>, String> = text.split(',').map(value).collect();
    values.map(InputList)
}

/// The values of `--contents`.
#[derive(Clone, Debug)]
pub struct Contents(pub Unknown);

fn contents(text: &str) -> Result<Contents, String> {
    let byte = |t: &str| {
        let (place, byte) = t.trim().split_once('=')?;
        let (object, offset) = place.split_once(':')?;
        let place = (object.parse().ok()?, offset.parse().ok()?);
        Some((place, byte.parse().ok()?))
    };
    let parts = text.split(',').filter(|t| !t.trim().is_empty());
    let bytes = parts.map(|t| {
        byte(t).ok_or_else(|| format!("`{t}` is no byte of an object; write 12:0=255,12:1=7"))
    });
    bytes.collect::<Result<_, _>>().map(Contents)
}

/// A class of checks by its name.
fn class(text: &str) -> Result<Class, String> {
    Class::named(text.trim()).ok_or_else(|| {
        let names: Vec<&str> = Class::ALL.iter().map(|class| class.word()).collect();
        format!("the classes are {}", names.join(", "))
    })
}

/// A technique by its name.
fn technique(text: &str) -> Result<Technique, String> {
    let usual = || Technique::ALL.iter().filter(|t| t.is_usual());
    let known = usual().find(|t| t.name() == text);
    known.copied().ok_or_else(|| {
        let names: Vec<&str> = usual().map(|t| t.name()).collect();
        format!("the techniques are {}", names.join(", "))
    })
}

/// A technique that has to be switched on.
fn extra(text: &str) -> Result<Technique, String> {
    let extras = || Technique::ALL.iter().filter(|t| !t.is_usual());
    let known = extras().find(|t| t.name() == text);
    known.copied().ok_or_else(|| {
        let names: Vec<&str> = extras().map(|t| t.name()).collect();
        format!("these can be switched on: {}", names.join(", "))
    })
}

/// A limit of the engine and its value, if there is such a limit and it takes the value.
fn limit(text: &str) -> Result<String, String> {
    let known = Tuning::default().set(text);
    known.map(|()| text.to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && s > 0.0 => Ok(s),
        _ => Err("write a number of seconds above 0, such as 60 or 0.5".into()),
    }
}

/// An option with its value, where it is not the default.
fn option(words: &mut Vec<String>, name: &str, value: Option<String>) {
    if let Some(value) = value {
        words.extend([name.into(), value]);
    }
}

impl CheckArgs {
    /// What the program is asked about.
    pub fn checks(&self) -> Result<Checks, Failure> {
        if let Some(checks) = self.program.named().property_checks()? {
            return Ok(checks);
        }
        let checks = match (self.check.as_slice(), self.program.spec.is_empty()) {
            ([], true) => Checks::default(),
            ([], false) => Checks::of(&[Class::Assert]),
            (classes, _) => Checks::of(classes),
        };
        Ok(match self.exec.overflow {
            OverflowName::Wrap => checks,
            OverflowName::Assume => checks.without(Class::Overflow),
            OverflowName::Check => checks.with(Class::Overflow),
        })
    }

    /// Whether the property of SV-COMP decides what is asked.
    pub fn has_property(&self) -> Result<bool, Failure> {
        Ok(self.program.named().property_checks()?.is_some())
    }

    /// The limits of the engine, with those that were set.
    pub fn tuning(&self) -> Tuning {
        let mut tuning = Tuning::default();
        for limit in &self.tune {
            // The parser has refused what cannot be set.
            let _ = tuning.set(limit);
        }
        tuning
    }

    /// The command that runs the same program, with these stubs, on these inputs.
    pub fn as_run(&self, stubs: &[PathBuf], inputs: &[String], overflow: Overflow) -> String {
        let mut words: Vec<String> = vec!["attest".into(), "run".into()];
        words.extend(self.program.words(&self.program.spec, stubs));
        let overflow = match overflow {
            Overflow::Wrap => None,
            Overflow::Assume => Some("assume".into()),
            Overflow::Check => Some("check".into()),
        };
        option(&mut words, "--overflow", overflow);
        words.extend(inputs.iter().cloned());
        words.extend(self.program.words_for_clang());
        let words: Vec<String> = words.iter().map(|w| messages::quoted(w)).collect();
        words.join(" ")
    }

    /// The arguments of a check of the same program against one rule, with its own report.
    pub fn for_rule(&self, rule: &Path, report: &Path, sarif: &Path, limit: f64) -> Vec<String> {
        let name = rule.file_stem().unwrap_or_default();
        let mut words: Vec<String> = vec!["check".into()];
        words.extend(self.program.words(&[rule.to_owned()], &self.program.stubs));
        option(&mut words, "--overflow", self.exec.overflow_word());
        let number = |n: u64| n.to_string();
        option(&mut words, "--seed", self.exec.seed.map(number));
        let memory = self.exec.memory_limit.map(number);
        option(&mut words, "--memory-limit", memory);
        option(&mut words, "--time-limit", Some(limit.to_string()));
        let processor = self.cpu_limit.map(|s| s.to_string());
        option(&mut words, "--cpu-limit", processor);
        let algorithm = Algorithm::from(self.algorithm).word().to_owned();
        option(&mut words, "--algorithm", Some(algorithm));
        let order = self.order.to_possible_value();
        let order = order.map(|v| v.get_name().to_owned());
        option(&mut words, "--order", order);
        let states = self.test_states.map(u64::from).map(number);
        option(&mut words, "--test-states", states);
        words.extend(self.apart.then(|| "--apart".into()));
        for technique in &self.without {
            option(&mut words, "--without", Some(technique.name().to_owned()));
        }
        for technique in &self.with {
            option(&mut words, "--with", Some(technique.name().to_owned()));
        }
        for limit in &self.tune {
            option(&mut words, "--tune", Some(limit.clone()));
        }
        let size = |blocks: BlocksName| blocks.to_possible_value().map(|v| v.get_name().to_owned());
        option(&mut words, "--blocks", self.blocks.and_then(size));
        let file = |folder: &PathBuf| folder.join(name).display().to_string();
        option(&mut words, "--tests", self.tests.as_ref().map(file));
        let proof = self.proof.as_ref().map(|p| file(p) + ".proof");
        option(&mut words, "--proof", proof);
        let page = self.forms.report.as_ref().map(|p| file(p) + ".html");
        option(&mut words, "--report", page);
        let sarif = self
            .forms
            .sarif
            .is_some()
            .then(|| sarif.display().to_string());
        option(&mut words, "--sarif", sarif);
        option(&mut words, "--json", Some(report.display().to_string()));
        words.extend(["--quiet".into()]);
        words.extend(self.no_cache.then(|| "--no-cache".into()));
        let classes: Vec<&str> = self.check.iter().map(|class| class.word()).collect();
        let classes = (!classes.is_empty()).then(|| classes.join(","));
        option(&mut words, "--check", classes);
        words.extend(self.first.then(|| "--first".into()));
        words.extend(self.allow_empty.then(|| "--allow-empty".into()));
        let cache = self.cache.as_ref().map(|c| c.display().to_string());
        option(&mut words, "--cache", cache);
        let havoc = self.external == External::Havoc;
        option(&mut words, "--extern", havoc.then(|| "havoc".into()));
        words.extend(self.program.words_for_clang());
        words
    }
}

impl ProgramArgs {
    /// The words that name the program, with these rules and stubs, up to the arguments for
    /// clang.
    fn words(&self, rules: &[PathBuf], stubs: &[PathBuf]) -> Vec<String> {
        let path = |p: &PathBuf| p.display().to_string();
        let mut words: Vec<String> = self.files.iter().map(path).collect();
        option(&mut words, "--property", self.property.clone());
        for rule in rules {
            option(&mut words, "--spec", Some(path(rule)));
        }
        option(&mut words, "--entry", self.entry.clone());
        let ilp32 = self.data_model == DataModelName::Ilp32;
        let may_fail = self.malloc == MallocName::MayFail;
        option(&mut words, "--malloc", may_fail.then(|| "may-fail".into()));
        option(&mut words, "--data-model", ilp32.then(|| "ilp32".into()));
        for stub in stubs {
            option(&mut words, "--stubs", Some(path(stub)));
        }
        let database = self.compile_commands.as_ref().map(path);
        option(&mut words, "--compile-commands", database);
        words
    }

    /// The words that hand arguments to clang; they come last.
    fn words_for_clang(&self) -> Vec<String> {
        let marker = (!self.clang_args.is_empty()).then(|| "--".into());
        marker.into_iter().chain(self.clang_args.clone()).collect()
    }

    /// What to load, with every file looked at first.
    pub fn source(&self) -> Result<Source, Failure> {
        let rule = match self.spec.as_slice() {
            [] => None,
            [rule] if !rule.is_dir() => Some(rule.clone()),
            _ => return Err(Failure::usage("this command takes one rule; name its file")),
        };
        let named = Named {
            rule,
            ..self.named()
        };
        Ok(named.source()?)
    }

    /// What to load, if it were not for the rule.
    pub fn source_without_rule(&self) -> Result<Source, Failure> {
        Ok(self.named().source()?)
    }

    fn named(&self) -> Named {
        Named {
            files: self.files.clone(),
            stubs: self.stubs.clone(),
            property: self.property.clone(),
            rule: None,
            entry: self.entry.clone(),
            data_model: match self.data_model {
                DataModelName::Ilp32 => DataModel::Ilp32,
                DataModelName::Lp64 => DataModel::Lp64,
            },
            malloc: match self.malloc {
                MallocName::Succeeds => Malloc::Succeeds,
                MallocName::MayFail => Malloc::MayFail,
            },
            clang_args: self.clang_args.clone(),
            database: self.compile_commands.clone(),
        }
    }
}

impl ExecArgs {
    /// The overflow policy on the command line, where it is not the default.
    fn overflow_word(&self) -> Option<String> {
        match self.overflow {
            OverflowName::Wrap => None,
            OverflowName::Assume => Some("assume".into()),
            OverflowName::Check => Some("check".into()),
        }
    }

    /// The overflow policy.
    pub fn overflow(&self) -> Overflow {
        match self.overflow {
            OverflowName::Wrap => Overflow::Wrap,
            OverflowName::Assume => Overflow::Assume,
            OverflowName::Check => Overflow::Check,
        }
    }

    /// Limits of one run.
    pub fn limits(&self, steps: u64) -> Limits {
        let megabytes = self.memory_limit.unwrap_or(1024);
        Limits {
            steps,
            memory: megabytes.saturating_mul(1 << 20),
            ..Limits::default()
        }
    }
}
