//! The README keeps up with the program.

mod common;

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

/// What a sample says, without the numbers that differ from one version to the next.
fn stable(line: &str) -> String {
    let counts = ["modelled:", "tried:", "edges checked:", "round"];
    let steps = [
        "frontier:",
        "to   region",
        "a test comes",
        "asked:",
        "split:",
        "into ",
    ];
    let counts = counts.iter().any(|word| line.starts_with(word));
    if !counts && !steps.iter().any(|word| line.trim().starts_with(word)) {
        return line.to_owned();
    }
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}

/// The commands of the README's samples, with the lines that follow them.
fn samples(text: &str) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    // The lines of a command are in its own block.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        if line.starts_with("```") {
            open = None;
        } else if let Some(command) = line.strip_prefix("$ ") {
            open = Some(out.len());
            out.push((command.into(), Vec::new()));
        } else if let Some(at) = open {
            out[at].1.push(line.into());
        }
    }
    out
}

/// A line `...` stands for any lines, and without one there are no others.
fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [dots, rest @ ..] if dots == "..." => {
            (0..=actual.len()).any(|skip| matches(rest, &actual[skip..]))
        }
        [line, rest @ ..] => actual
            .split_first()
            .is_some_and(|(first, more)| first == line && matches(rest, more)),
    }
}

/// Runs the samples of a document and compares what is said; how many there were.
fn compare(document: &str) -> usize {
    let root = common::root();
    let text = std::fs::read_to_string(root.join(document)).expect(document);
    let folder = common::Folder::new();
    for part in ["examples", "rules", "rules/tests"] {
        std::fs::create_dir(folder.path(part)).expect("a folder");
        for file in std::fs::read_dir(root.join(part)).expect("a folder") {
            let file = file.expect("a file");
            if file.path().is_file() {
                let to = folder.path(part).join(file.file_name());
                std::fs::copy(file.path(), to).expect("a copy");
            }
        }
    }
    let mut run = 0;
    for (command, expected) in samples(&text) {
        // What is not attest alone is for the reader's eyes only.
        let Some(args) = command.strip_prefix("attest ").filter(|a| !a.contains('|')) else {
            continue;
        };
        let args: Vec<&str> = args.split(' ').collect();
        let ended = folder.attest(&args);
        let lines = ended.stdout.lines().chain(ended.stderr.lines());
        let actual: Vec<String> = lines.map(stable).collect();
        let expected: Vec<String> = expected.iter().map(|l| stable(l)).collect();
        assert!(
            matches(&expected, &actual),
            "{document}: {command} says\n{}\nand not\n{}",
            actual.join("\n"),
            expected.join("\n")
        );
        run += 1;
    }
    run
}

#[test]
fn samples_are_what_attest_says() {
    let run = compare("README.md");
    assert!(run >= 6, "{run} samples");
}

#[test]
fn samples_of_the_guide() {
    let run = compare("docs/guide.md") + compare("docs/forms.md");
    assert!(run >= 12, "{run} samples");
}

/// Links between the documents lead to files that exist.
#[test]
fn links_lead_somewhere() {
    let root = common::root();
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/guide.md",
        "docs/forms.md",
        "docs/json.md",
        "docs/evaluation.md",
    ] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        let folder = root.join(document).parent().expect("a folder").to_owned();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                assert!(folder.join(file).exists(), "{document}: {link}");
            }
        }
    }
}

/// The help fits a screen and shows examples.
#[test]
fn help_fits_the_screen() {
    let help = attest::args::Cli::command().render_help().to_string();
    assert!(help.lines().count() <= 40, "{help}");
    assert!(
        help.lines().all(|line| line.chars().count() <= 100),
        "{help}"
    );
    for command in [
        "attest check ",
        "attest run ",
        "attest tests ",
        "attest replay ",
    ] {
        assert!(help.contains(command), "{command}: {help}");
    }
}
