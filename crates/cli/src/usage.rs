//! From the command line to a command. Wrong usage is one line and status 1.

use crate::args::{Cli, Command};
use crate::exit::Status;
use crate::output;
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// What is printed instead of doing a command.
#[derive(Debug)]
pub enum Answer {
    /// The help or the version that was asked for.
    Help(String),
    /// What is wrong with the command line.
    Refusal(String),
    /// Nothing was asked for: the help, as a refusal.
    Nothing(String),
}

impl Answer {
    /// Prints it.
    pub fn give(&self) -> Status {
        match self {
            Answer::Help(text) => {
                output::print(text);
                Status::Fine
            }
            Answer::Refusal(message) => {
                output::complain(message);
                Status::Usage
            }
            Answer::Nothing(text) => {
                output::note(text);
                Status::Usage
            }
        }
    }
}

/// Reads the command line.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, Answer> {
    match Cli::try_parse_from(args) {
        Ok(cli) => Ok(cli.command),
        Err(error) => Err(answer(&error)),
    }
}

fn answer(error: &clap::Error) -> Answer {
    let text = format!("{}\n", error.render().to_string().trim_end());
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Answer::Help(text),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Answer::Nothing(text),
        _ => Answer::Refusal(one_line(&text)),
    }
}

/// The message and the tips of clap, without its usage lines.
fn one_line(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for paragraph in text.split("\n\n") {
        let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let tip = words.strip_prefix("tip: ");
        if parts.is_empty() {
            parts.push(words.trim_start_matches("error: ").into());
        } else if let Some(tip) = tip {
            parts.push(tip.into());
        } else if words.starts_with('[') {
            parts.push(words);
        }
    }
    parts.push("see `attest --help`".into());
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &[&str], expected: &str) {
        let args = std::iter::once("attest").chain(args.iter().copied());
        match parse(args.map(OsString::from)) {
            Err(Answer::Refusal(line)) => {
                assert!(line.contains(expected), "{line}");
                assert!(!line.contains('\n'), "{line}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn refusals() {
        check(&["run", "a.c", "--sed", "3"], "'--sed'");
        check(&["run"], "<FILE>");
        check(&["run", "a.c", "--input", "1,x"], "`x` is no number");
        check(&["run", "a.c", "--steps", "many"], "many");
        check(&["run", "a.c", "--data-model", "ilp64"], "ilp32");
        check(&["check", "a.c", "--time-limit", "0"], "above 0");
        check(&["frobnicate"], "frobnicate");
        check(&["suite"], "SUITE.toml");
        check(&["suite", "s.toml", "--workers", "0"], "0");
        check(&["compare"], "TABLE");
        check(&["check", "a.c", "--memory-limit", "0"], "0");
        check(&["check", "a.c", "--algorithm", "magic"], "dash");
        check(&["replay"], "TEST.json");
    }

    #[test]
    fn clap_agrees_with_itself() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
