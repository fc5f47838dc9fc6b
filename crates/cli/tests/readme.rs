//! The README keeps up with the program.

mod common;

use clap::CommandFactory;
use std::path::Path;
use std::process::{Command, Stdio};

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

/// A line `...` stands for any lines, and without one there are no others; at the end of a
/// line it stands for the rest.
fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [dots, rest @ ..] if dots == "..." => {
            (0..=actual.len()).any(|skip| matches(rest, &actual[skip..]))
        }
        [line, rest @ ..] => actual.split_first().is_some_and(|(first, more)| {
            let same = match line.strip_suffix(" ...") {
                Some(start) => first.starts_with(start),
                None => first == line,
            };
            same && matches(rest, more)
        }),
    }
}

/// A folder with what the samples name, and `attest` on its path.
struct Reader {
    folder: common::Folder,
    path: String,
}

impl Reader {
    fn new() -> Reader {
        let folder = common::Folder::new();
        let root = common::root().canonicalize().expect("the repository");
        for part in ["examples", "rules", "stubs", "contrib"] {
            std::os::unix::fs::symlink(root.join(part), folder.path(part)).expect("a link");
        }
        let programs = Path::new(env!("CARGO_BIN_EXE_attest")).parent();
        let programs = programs.expect("a folder").display();
        let others = std::env::var("PATH").unwrap_or_default();
        Reader {
            folder,
            path: format!("{programs}:{others}"),
        }
    }

    fn has(&self, program: &str) -> bool {
        let mut folders = self.path.split(':');
        folders.any(|folder| Path::new(folder).join(program).is_file())
    }

    /// Standard output and then standard error of a line for the shell.
    fn run(&self, line: &str) -> Vec<String> {
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.folder.path("."))
            .env("PATH", &self.path)
            .env("ATTEST_NO_CACHE", "1")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stdout) + &text(&output.stderr);
        said.lines().map(stable).collect()
    }
}

/// What `x` does besides building, which a test has no time for: the commands that build only
/// are those of CI.
fn without_building(command: &str) -> Option<String> {
    if let Some(rest) = command.strip_prefix("./x ") {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let text = std::fs::read_to_string(common::root().join("x")).expect("x");
        let known = text.lines().any(|l| l.trim_start().starts_with(word));
        assert!(known, "x has no command {word}");
        return match word {
            "test" | "setup" => None,
            _ => Some(format!("attest {rest}")),
        };
    }
    let builds = command.starts_with("cargo build ") || command.starts_with("export PATH=");
    (!builds).then(|| command.to_owned())
}

/// Runs the samples of a document and compares what is said; how many there were.
fn compare(document: &str) -> usize {
    let root = common::root();
    let text = std::fs::read_to_string(root.join(document)).expect(document);
    let reader = Reader::new();
    let mut run = 0;
    for (command, expected) in samples(&text) {
        let Some(mut line) = without_building(&command) else {
            continue;
        };
        // What is done with the output of attest is done only where the other program is.
        if let Some((ours, theirs)) = line.clone().split_once(" | ") {
            let program = theirs.split(' ').next().unwrap_or_default();
            if !reader.has(program) {
                line = format!("{ours} > /dev/null");
            }
        }
        let program = line.split(' ').next().unwrap_or_default();
        if program == "attest-checker" && !reader.has(program) {
            continue;
        }
        let actual = reader.run(&line);
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
    assert!(run >= 12, "{run} samples");
}

#[test]
fn samples_of_the_guide() {
    let run = compare("docs/guide.md");
    assert!(run >= 10, "{run} samples");
}

#[test]
fn samples_of_the_forms() {
    let run = compare("docs/forms.md") + compare("docs/slic.md");
    assert!(run >= 16, "{run} samples");
}

/// A command in a block of a document is one that is run: it begins with `$ `.
#[test]
fn commands_are_samples() {
    for document in [
        "README.md",
        "docs/guide.md",
        "docs/forms.md",
        "docs/slic.md",
    ] {
        let text = std::fs::read_to_string(common::root().join(document)).expect(document);
        for block in text.split("```").skip(1).step_by(2) {
            let mut words = block.lines().filter_map(|l| l.split(' ').next());
            let bare = words.find(|w| ["attest", "attest-checker", "./x", "cargo"].contains(w));
            assert_eq!(bare, None, "{document}: {block}");
        }
    }
}

/// The chapters that a newcomer needs are in the guide.
#[test]
fn the_guide_has_its_chapters() {
    let text = std::fs::read_to_string(common::root().join("docs/guide.md")).expect("the guide");
    for chapter in [
        "The first proof in five minutes",
        "Reading a trace",
        "Reading a proof",
        "Writing a rule",
        "Functions that are not there",
        "What unknown means",
        "Limits",
        "How it works",
    ] {
        assert!(text.contains(&format!("\n## {chapter}\n")), "{chapter}");
    }
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
        "docs/projects.md",
        "docs/slic.md",
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
