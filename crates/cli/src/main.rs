//! The command line of attest: parse, do what the command says, exit with its status.

use attest::args::{Command, SlicCommand};
use attest::exit::{Failure, Status};
use attest::{
    cache, check, compare, guard, manual, matrix, model, output, replay, run, slic, stubs, suite,
    usage,
};
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
        Command::Cache(args) => cache::cache(args),
        Command::Slic(SlicCommand::Check(args)) => slic::check(args),
        Command::Stubs(args) => stubs::stubs(args),
        Command::Tests(args) => suite::tests(args),
        Command::Suite(args) => matrix::suite(args),
        Command::Compare(args) => compare::compare(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man => manual::man(),
    };
    done.unwrap_or_else(|failure: Failure| {
        output::complain(&failure.message);
        failure.status
    })
}
