//! Interprets a C program as `scripts/csmith-diff` needs it: its output on
//! standard output, its status as the exit status, 98 over a limit, 99 where it
//! leaves the model.
//!
//! `interpret [--ilp32] [--steps N] FILE... [-- CLANG-ARGS]`

use attest::load::{Source, load};
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_llvm::clang::DataModel;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

const OVER_LIMIT: u8 = 98;
const FAILED: u8 = 99;

fn main() -> ExitCode {
    let mut source = Source::default();
    let mut limits = Limits::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--ilp32" => source.data_model = DataModel::Ilp32,
            "--steps" => {
                limits.steps = args.next().and_then(|n| n.parse().ok()).unwrap_or(u64::MAX)
            }
            "--" => source.clang_args.extend(args.by_ref()),
            _ => source.files.push(arg.into()),
        }
    }
    let program = match load(&source) {
        Ok(program) => program,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(FAILED);
        }
    };
    let inputs = Arc::new(Inputs::default());
    let mut run = Interpreter::new(&program, inputs, Overflow::Wrap, limits);
    run.machine.output = Some(Vec::new());
    let outcome = run.run();
    let output = run.machine.output.take().unwrap_or_default();
    if std::io::stdout().write_all(&output).is_err() {
        return ExitCode::from(FAILED);
    }
    let place = program.place(run.place());
    eprintln!("{outcome:?} at {place} after {} steps", run.steps);
    match outcome {
        Outcome::Returned(value) => ExitCode::from(value.unwrap_or(0) as u8),
        Outcome::Exited(value) => ExitCode::from(value as u8),
        Outcome::Aborted => ExitCode::from(134),
        Outcome::StepLimit | Outcome::MemoryLimit | Outcome::DepthLimit => {
            ExitCode::from(OVER_LIMIT)
        }
        _ => ExitCode::from(FAILED),
    }
}
