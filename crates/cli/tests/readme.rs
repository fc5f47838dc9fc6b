//! The README keeps up with the program.

use clap::CommandFactory;

/// Every option is a row of the README's table, and the table has no others.
#[test]
fn options_are_in_the_readme() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"))
        .expect("README.md");
    let mut expected: Vec<String> = attest::args::Cli::command()
        .get_subcommands()
        .flat_map(|c| c.get_arguments())
        .filter_map(|a| a.get_long().map(|l| format!("--{l}")))
        .filter(|l| l != "--help")
        .collect();
    expected.sort();
    expected.dedup();
    let mut rows: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `--"))
        .filter_map(|row| row.split(['`', ' ']).next())
        .map(|name| format!("--{name}"))
        .collect();
    rows.sort();
    assert_eq!(rows, expected);
}
