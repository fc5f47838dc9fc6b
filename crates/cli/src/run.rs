//! `attest run`: one run of the interpreter.
//!
//! Standard output is what the program prints and nothing else, so it can be
//! compared with a native run. How the run ended is said on standard error.

use crate::args::RunArgs;
use crate::exit::{Failure, Status};
use crate::{load, output, trace};
use attest_exec::interpreter::CutTable;
use attest_exec::{Inputs, Interpreter, Outcome, Rest};
use attest_verifier::messages;
use std::sync::Arc;

/// Runs a program.
pub fn run(args: &RunArgs) -> Result<Status, Failure> {
    let program = load::load(&args.program.source()?)?;
    let inputs = Inputs {
        nondet: args.input.0.clone(),
        unknown: Arc::new(args.contents.0.clone()),
        rest: args.exec.seed.map_or(Rest::Zero, Rest::Random),
        ..Inputs::default()
    };
    let mut run = Interpreter::new(
        &program,
        Arc::new(inputs),
        args.exec.overflow(),
        args.exec.limits(args.steps),
    );
    run.machine.output = Some(Vec::new());
    let outcome = if args.trace {
        run.watch(&mut trace::to_stderr(&program), &CutTable::default())
    } else {
        run.run()
    };
    output::print(run.machine.output.take().unwrap_or_default());
    output::complain(&messages::ending(&run, &outcome));
    let unused = args.input.0.len().saturating_sub(run.machine.feed.taken());
    if unused > 0 {
        let was = if unused == 1 { "was" } else { "were" };
        let values = messages::count(unused, "value");
        output::complain(&format!("{values} of --input {was} not asked for"));
    }
    Ok(status(&outcome))
}

/// The exit status of a run.
fn status(outcome: &Outcome) -> Status {
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => Status::Fine,
        Outcome::Error(_) => Status::Error,
        // What a check calls a violation.
        Outcome::Bailed(bail) if bail.kind.class().is_some() => Status::Error,
        Outcome::Bailed(_)
        | Outcome::AssumeFailed
        | Outcome::StepLimit
        | Outcome::MemoryLimit
        | Outcome::DepthLimit
        | Outcome::Stopped => Status::Unknown,
    }
}
