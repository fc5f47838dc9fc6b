//! `attest-checker PROOF.json FILE...`: accepted, or the edge that is not.
//!
//! Exit status: 0 accepted, 10 rejected, 5 not decided, 1 wrong usage, 2 the
//! proof or a file cannot be used.

use attest_checker::{CheckResult, check_with_progress, load_for};
use attest_model::Graph;
use attest_proof::{DataModel, Proof};
use attest_solver::{Limits, WithFloats};
use clap::Parser;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Checks a proof of attest against the program that it is about.
#[derive(Parser)]
#[command(name = "attest-checker", version)]
struct Args {
    /// The proof.
    proof: PathBuf,
    /// The program's files, in the order of the proof.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Seconds for one question to the solver.
    #[arg(long, default_value_t = 60, value_name = "S")]
    time_limit: u64,
}

/// Traversals of terms do not recurse, but joins and copies of memory do.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    let work = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&args));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        _ => {
            eprintln!("error: internal error; please report it");
            ExitCode::from(6)
        }
    }
}

fn run(args: &Args) -> ExitCode {
    match check(args) {
        Ok(result) => {
            println!("{result}");
            ExitCode::from(match result {
                CheckResult::Accepted(_) => 0,
                CheckResult::Rejected(_) => 10,
                CheckResult::Undecided(_) => 5,
            })
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// What the proof claims: the checker takes it from the proof, so the reader must see it.
fn claim(proof: &Proof) -> String {
    let errors = proof.errors.join(", ");
    let widths = match proof.data_model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    };
    let mut claim = format!("claim: from {} none of {errors} is called", proof.entry);
    claim.push_str(&format!("; data model {widths}"));
    if !proof.clang_args.is_empty() {
        claim.push_str(&format!("; compiled with {}", proof.clang_args.join(" ")));
    }
    for stub in &proof.stubs {
        claim.push_str(&format!("; with stubs from {}", stub.path));
    }
    if let Some(rule) = &proof.rule {
        claim.push_str(&format!("; with the rule {}", rule.path));
    }
    claim
}

fn check(args: &Args) -> Result<CheckResult, String> {
    let path = args.proof.display();
    let text = std::fs::read_to_string(&args.proof).map_err(|e| format!("{path}: {e}"))?;
    let proof = Proof::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    println!("{}", claim(&proof));
    let program = load_for(&proof, &args.files).map_err(|e| e.to_string())?;
    for line in attest_model::caller::assumptions(&program) {
        println!("assumed: {line}");
    }
    let graph = Graph::of(&program, proof.granularity.into());
    let limits = Limits::time(Duration::from_secs(args.time_limit));
    let mut solver = WithFloats::new();
    let mut last = Instant::now();
    let mut progress = |done: usize, all: usize| {
        let pause = Duration::from_secs(if std::io::stderr().is_terminal() {
            1
        } else {
            10
        });
        if last.elapsed() >= pause {
            last = Instant::now();
            eprintln!("{done} of {all} locations");
        }
    };
    check_with_progress(
        &program,
        &graph,
        &proof,
        &mut solver,
        &limits,
        &mut progress,
    )
    .map_err(|e| format!("{path}: {e}"))
}
