//! `attest-checker PROOF.json FILE...`: accepted, or the edge that is not.
//!
//! Exit status: 0 accepted, 10 rejected, 5 not decided, 1 wrong usage, 2 the
//! proof or a file cannot be used.

use attest_checker::{CheckResult, check_with_progress, load_for};
use attest_model::Graph;
use attest_proof::{DataModel, Proof};
use attest_solver::{Limits, WithFloats};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What `--help` says.
const HELP: &str = "\
Checks a proof of attest against the program that it is about

Usage: attest-checker [OPTIONS] <PROOF> <FILES>...

Arguments:
  <PROOF>     The proof
  <FILES>...  The program's files, in the order of the proof

Options:
      --time-limit <S>  Time limit of one solver call, in seconds [default: 60]
  -h, --help            Print help
  -V, --version         Print version
";

/// The command line. The options are few, and what is trusted should be small, so it is read
/// without a library.
struct Args {
    proof: PathBuf,
    files: Vec<PathBuf>,
    time_limit: u64,
}

/// Why there is nothing to check.
enum Answer {
    /// The user asked for this text.
    Text(String),
    /// The command line is wrong.
    Wrong(String),
}

impl Args {
    fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Args, Answer> {
        let mut words = words.into_iter();
        let (mut paths, mut time_limit, mut only_paths) = (Vec::new(), 60, false);
        while let Some(word) = words.next() {
            let text = word.to_str().filter(|_| !only_paths).unwrap_or("");
            let seconds = match text.split_once('=') {
                Some(("--time-limit", seconds)) => Some(seconds.to_owned()),
                _ if text == "--time-limit" => {
                    let next = words.next().and_then(|next| next.into_string().ok());
                    Some(next.unwrap_or_default())
                }
                _ => None,
            };
            match text {
                _ if seconds.is_some() => {
                    let seconds = seconds.unwrap_or_default();
                    let wrong = || Answer::Wrong(format!("--time-limit {seconds}: not a number"));
                    time_limit = seconds.parse().map_err(|_| wrong())?;
                }
                "--" => only_paths = true,
                "-h" | "--help" => return Err(Answer::Text(HELP.into())),
                "-V" | "--version" => {
                    let version = env!("CARGO_PKG_VERSION");
                    return Err(Answer::Text(format!("attest-checker {version}\n")));
                }
                _ if text.len() > 1 && text.starts_with('-') => {
                    return Err(Answer::Wrong(format!("{text}: no such option")));
                }
                _ => paths.push(PathBuf::from(word)),
            }
        }
        if paths.len() < 2 {
            let why = "a proof and the program's files are needed";
            return Err(Answer::Wrong(why.into()));
        }
        let files = paths.split_off(1);
        Ok(Args {
            proof: paths.remove(0),
            files,
            time_limit,
        })
    }
}

/// Traversals of terms do not recurse, but joins and copies of memory do.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    let args = match Args::parse(std::env::args_os().skip(1)) {
        Ok(args) => args,
        Err(Answer::Text(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(Answer::Wrong(why)) => {
            eprintln!("error: {why}; see attest-checker --help");
            return ExitCode::from(1);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<(String, usize, u64), String> {
        match Args::parse(words.iter().map(OsString::from)) {
            Ok(args) => Ok((
                args.proof.display().to_string(),
                args.files.len(),
                args.time_limit,
            )),
            Err(Answer::Text(text) | Answer::Wrong(text)) => Err(text),
        }
    }

    #[test]
    fn command_lines() {
        assert_eq!(parse(&["p", "a.c"]), Ok(("p".into(), 1, 60)));
        let both = Ok(("p".into(), 2, 7));
        assert_eq!(parse(&["--time-limit", "7", "p", "a.c", "b.c"]), both);
        assert_eq!(parse(&["p", "--time-limit=7", "a.c", "b.c"]), both);
        assert_eq!(parse(&["--", "-p", "a.c"]), Ok(("-p".into(), 1, 60)));
        assert!(parse(&["--time-limit", "soon", "p", "a.c"]).is_err_and(|e| e.contains("soon")));
        assert!(parse(&["--time", "p", "a.c"]).is_err_and(|e| e.contains("--time")));
        assert!(parse(&["p"]).is_err_and(|e| e.contains("files")));
        assert!(parse(&["-h"]).is_err_and(|e| e.contains("Usage")));
    }
}
