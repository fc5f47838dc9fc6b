//! The command line of attest: parse, do what the command says, exit with its status.

use attest::args::{Command, SlicCommand};
use attest::exit::{Failure, Status};
use attest::{cache, check, guard, model, output, replay, run, slic, stubs, usage};
use std::process::ExitCode;

fn main() -> ExitCode {
    let status = match usage::parse(std::env::args_os()) {
        Ok(command) => guard::run(move || dispatch(&command)),
        Err(answer) => answer.give(),
    };
    status.into()
}

fn dispatch(command: &Command) -> Status {
    let done = match command {
        Command::Run(args) => run::run(args),
        Command::Model(args) => model::model(args),
        Command::Check(args) => check::check(args),
        Command::Replay(args) => replay::replay(args),
        Command::Slic(SlicCommand::Check(args)) => slic::check(args),
        Command::Stubs(args) => stubs::stubs(args),
        Command::Cache(args) => cache::cache(args),
    };
    done.unwrap_or_else(|failure: Failure| {
        output::complain(&failure.message);
        failure.status
    })
}
