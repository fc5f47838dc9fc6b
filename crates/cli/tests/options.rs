//! `docs/options.md` is the option table as a document: made from the declarations that make the
//! help and the manual page, so the three cannot differ. `docs/tuning.md` is the table of the
//! engine's limits in the same way.
//!
//! `UPDATE=1 cargo test -p attest --test options` writes both anew.

mod common;

use attest_engine::{Technique, Tuning};
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write;

const OPENING: &str = "\
# Options

Made from the option table in `crates/cli/src`; a test compares the two, and
`UPDATE=1 cargo test -p attest --test options` writes this page anew.

`--help` and `-h` work everywhere. The exit status and the last line of the output are in
[guide.md](guide.md#exit-status). For experiments, `attest check` also takes
`--tune NAME=VALUE`; [tuning.md](tuning.md) has the names.
";

const TECHNIQUES: &str = "
## Techniques

The names that `--without` and `--with` take. None of them is needed for
soundness: without one of them a check answers the same, or `unknown`. Numbers
in brackets are sections of [notes.md](notes.md).

| name | switch | what it does |
|---|---|---|
";

const TUNING: &str = "\
# Limits of the engine

Made from the table in `crates/engine/src/tuning.rs`; a test compares the two, and
`UPDATE=1 cargo test -p attest --test options` writes this page anew.

`attest check --tune NAME=VALUE` sets one of them for an experiment; it may be given
again. The defaults are what is tested and measured. No value makes a verdict wrong: a
proof is checked and a failing test is run as always. A value is at least 1 (0.001 for
numbers with a point) and at most a hundred times its default. Effort is counted work in
seconds of a common machine, not time on the clock.

| name | default | what it limits |
|---|---|---|
";

/// The page of limits as it has to be.
fn tuning() -> String {
    let mut page = TUNING.to_owned();
    for limit in Tuning::rows() {
        let cells = [
            &format!("`{}`", limit.name),
            &format!("`{}`", limit.default),
            limit.about,
        ];
        row(&mut page, &cells);
    }
    page
}

/// The page as it has to be.
fn page() -> String {
    let mut page = OPENING.to_owned();
    let mut command = attest::args::Cli::command();
    command.build();
    for sub in visible(&command) {
        section(&mut page, sub, "attest");
    }
    page += TECHNIQUES;
    for technique in Technique::ALL {
        let switch = match technique.is_usual() {
            true => "--without",
            false => "--with",
        };
        row(
            &mut page,
            &[
                &format!("`{}`", technique.name()),
                &format!("`{switch}`"),
                technique.about(),
            ],
        );
    }
    page
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    let subs = command.get_subcommands();
    subs.filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
}

/// A command with its table, or those below it.
fn section(page: &mut String, command: &Command, above: &str) {
    let name = format!("{above} {}", command.get_name());
    if command.has_subcommands() {
        for sub in visible(command) {
            section(page, sub, &name);
        }
        return;
    }
    let about = command.get_about().expect("a command says what it does");
    write!(page, "\n## {name}\n\n{about}.\n").expect("text");
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && arg.get_id() != "help" && arg.get_id() != "version")
        .collect();
    if arguments.is_empty() {
        return;
    }
    *page += "\n| option | meaning |\n|---|---|\n";
    for arg in arguments {
        row(page, &[&spelling(arg), &meaning(arg)]);
    }
}

/// How an argument is written: `-o`, `--out FILE`, or its place.
fn spelling(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let value = match takes_value {
        true => names.join(" "),
        false => String::new(),
    };
    let long = arg.get_long().map(|long| format!("--{long} {value}"));
    let several = matches!(arg.get_action(), ArgAction::Append);
    let long = match long {
        Some(long) => long.trim().to_owned(),
        None if arg.is_last_set() => format!("-- {value}..."),
        None if several => format!("{value}..."),
        None => value,
    };
    let short = arg.get_short().map(|short| format!(", `-{short}`"));
    format!("`{long}`{}", short.unwrap_or_default())
}

/// The help of an argument with its values and its default.
fn meaning(arg: &Arg) -> String {
    let mut text = arg.get_help().expect("an option has help").to_string();
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values = arg.get_possible_values();
    if takes_value && !values.is_empty() {
        let values: Vec<String> = values
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}`: {help}", value.get_name()),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        write!(text, ". Values: {}", values.join("; ")).expect("text");
    }
    if takes_value && !arg.is_hide_default_value_set() {
        for value in arg.get_default_values() {
            write!(text, ". Default: `{}`", value.to_string_lossy()).expect("text");
        }
    }
    text
}

fn row(page: &mut String, cells: &[&str]) {
    for cell in cells {
        write!(page, "| {} ", cell.replace('|', "\\|")).expect("text");
    }
    *page += "|\n";
}

/// Compares a page with what it has to be, or writes it.
fn compare(name: &str, page: &str) {
    let path = common::root().join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, page).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    for (at, (is, should)) in written.lines().zip(page.lines()).enumerate() {
        assert_eq!(is, should, "{name}, line {}: run with UPDATE=1", at + 1);
    }
    assert_eq!(written, page, "{name}: run with UPDATE=1");
}

#[test]
fn the_page_is_the_option_table() {
    compare("docs/options.md", &page());
}

#[test]
fn the_page_of_limits_is_their_table() {
    compare("docs/tuning.md", &tuning());
}

/// Every command and every option of its own is on the page.
#[test]
fn nothing_is_left_out() {
    let page = page();
    let mut command = attest::args::Cli::command();
    command.build();
    for sub in visible(&command) {
        assert!(
            page.contains(&format!("\n## attest {}", sub.get_name())),
            "{}",
            sub.get_name()
        );
        let shown = sub.get_arguments().filter(|arg| !arg.is_hide_set());
        for long in shown.filter_map(|arg| arg.get_long()) {
            let row = format!("\n| `--{long}");
            assert!(long == "help" || page.contains(&row), "--{long}");
        }
    }
}
