//! `attest completions` and `attest man`: made from the options, so they cannot differ.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Failure, Status};
use crate::output;
use clap::CommandFactory;

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "attest", &mut text);
    output::print(text);
    Ok(Status::Fine)
}

/// Prints the manual page, a section for each command.
pub fn man() -> Result<Status, Failure> {
    let mut text = Vec::new();
    let command = Cli::command();
    let failed = |why: std::io::Error| Failure::input(format!("the manual cannot be made: {why}"));
    clap_mangen::Man::new(command.clone())
        .render(&mut text)
        .map_err(failed)?;
    for sub in command.get_subcommands() {
        let page = clap_mangen::Man::new(sub.clone());
        text.extend(format!(".SH COMMAND {}\n", sub.get_name().to_uppercase()).bytes());
        page.render_description_section(&mut text).map_err(failed)?;
        page.render_options_section(&mut text).map_err(failed)?;
    }
    output::print(text);
    Ok(Status::Fine)
}
