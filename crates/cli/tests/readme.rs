//! The documents keep up with the program: their commands are run, and every line that they
//! print is compared, figures included. Where a line depends on the version of clang or on the
//! machine, the document ends it with ` ...`.
//!
//! `UPDATE=1 cargo test -p attest --test readme` writes new figures and new output into the
//! documents; what cannot be updated so is a failure.

mod common;

use clap::CommandFactory;
use std::path::Path;
use std::process::{Command, Stdio};

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
    aligned(expected, actual, |line, first| line == first).is_some()
}

/// The sample with the lines of the output that its own lines stand for.
fn aligned(
    expected: &[String],
    actual: &[String],
    same: fn(&str, &str) -> bool,
) -> Option<Vec<String>> {
    let Some((line, rest)) = expected.split_first() else {
        return actual.is_empty().then(Vec::new);
    };
    let with = |line: &str, more: &[String]| {
        let rest = aligned(rest, more, same)?;
        Some([vec![line.to_owned()], rest].concat())
    };
    if line == "..." {
        return (0..=actual.len()).find_map(|skip| with(line, &actual[skip..]));
    }
    let (first, more) = actual.split_first()?;
    match line.strip_suffix(" ...") {
        Some(start) if first.starts_with(start) => with(line, more),
        None if same(line, first) => with(first, more),
        _ => None,
    }
}

/// Whether two lines differ in their figures only.
fn alike(line: &str, first: &str) -> bool {
    let words = |line: &str| {
        let parts = line.split(|c: char| c.is_ascii_digit());
        parts
            .filter(|p| !p.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    words(line) == words(first)
}

/// What a sample should say, if that can be told from what it says.
fn updated(expected: &[String], actual: &[String]) -> Option<Vec<String>> {
    if expected.iter().any(|line| line == "...") {
        return aligned(expected, actual, alike);
    }
    let kept = |(line, first): (&String, &String)| match line.strip_suffix(" ...") {
        Some(start) if first.starts_with(start) => line.clone(),
        _ => first.clone(),
    };
    match expected.len() == actual.len() {
        true => Some(expected.iter().zip(actual).map(kept).collect()),
        false => Some(actual.to_vec()),
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
        said.lines().map(str::to_owned).collect()
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
    let mut text = std::fs::read_to_string(root.join(document)).expect(document);
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
        run += 1;
        if matches(&expected, &actual) {
            continue;
        }
        let new = updated(&expected, &actual).filter(|_| std::env::var_os("UPDATE").is_some());
        let Some(new) = new else {
            let (is, should) = (actual.join("\n"), expected.join("\n"));
            panic!("{document}: {command} says\n{is}\nand not\n{should}");
        };
        let block = |lines: &[String]| [&[format!("$ {command}")], lines].concat().join("\n");
        text = text.replacen(&block(&expected), &block(&new), 1);
        std::fs::write(root.join(document), &text).expect(document);
    }
    run
}

#[test]
fn samples_are_what_attest_says() {
    let run = compare("README.md");
    assert!(run >= 3, "{run} samples");
}

#[test]
fn samples_of_the_guide() {
    let run = compare("docs/guide.md");
    assert!(run >= 22, "{run} samples");
}

#[test]
fn samples_of_the_formats() {
    let run = compare("docs/formats.md") + compare("docs/slic.md");
    assert!(run >= 17, "{run} samples");
}

/// A figure in a sample counts, and so do lines that are missing.
#[test]
fn samples_are_compared_whole() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let output = lines("edges checked: 4, with 3 questions\naccepted\nverdict: safe");
    for (sample, fits) in [
        (
            "edges checked: 4, with 3 questions\naccepted\nverdict: safe",
            true,
        ),
        (
            "edges checked: 5, with 3 questions\naccepted\nverdict: safe",
            false,
        ),
        ("edges checked: 4, ...\naccepted\nverdict: safe", true),
        ("edges checked: 5, ...\naccepted\nverdict: safe", false),
        ("...\nverdict: safe", true),
        ("accepted\nverdict: safe", false),
        ("edges checked: 4, with 3 questions\n...", true),
    ] {
        assert_eq!(matches(&lines(sample), &output), fits, "{sample}");
    }
    let old = lines("edges checked: 5, with 31 questions\n...\nverdict: safe");
    let new = lines("edges checked: 4, with 3 questions\n...\nverdict: safe");
    assert_eq!(updated(&old, &output), Some(new));
    assert_eq!(updated(&lines("...\nverdict: unsafe"), &output), None);
}

/// The README is short, and its first screen has both commands and both verdicts.
#[test]
fn the_readme_is_short() {
    let text = std::fs::read_to_string(common::root().join("README.md")).expect("README.md");
    assert!(
        text.lines().count() <= 150,
        "{} lines",
        text.lines().count()
    );
    let first: Vec<&str> = text.lines().take(60).collect();
    for line in [
        "./x check",
        "./x test",
        "verdict: safe",
        "verdict: unsafe",
        "CBMC",
    ] {
        assert!(first.iter().any(|l| l.contains(line)), "{line}");
    }
}

/// A command in a block of a document is one that is run: it begins with `$ `.
#[test]
fn commands_are_samples() {
    for document in [
        "README.md",
        "docs/guide.md",
        "docs/formats.md",
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

/// Documents say how many rules there are.
#[test]
fn the_number_of_rules() {
    let root = common::root();
    let entries = std::fs::read_dir(root.join("rules")).expect("rules");
    let is_rule = |name: &str| name.ends_with(".slic");
    let names = entries.flatten().map(|e| e.file_name());
    let rules = names.filter(|n| is_rule(&n.to_string_lossy())).count();
    for document in ["README.md", "docs/guide.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        let words: Vec<&str> = text.split_whitespace().collect();
        let said = format!("has {rules} ");
        assert!(words.join(" ").contains(&said), "{document}: {rules} rules");
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
        "What is checked",
        "Inputs",
        "Another entry than main",
        "Writing a rule",
        "Functions that are not there",
        "What unknown means",
        "Watching a check",
        "What a check keeps",
        "Exit status",
        "Limits",
        "How it works",
    ] {
        assert!(text.contains(&format!("\n## {chapter}\n")), "{chapter}");
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
