//! What code and documents cite exists: documents by their names, sections of the algorithm
//! notes by their numbers, and the targets of links.

mod common;

use attest_engine::Technique;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All files below a folder of the repository with this ending, without build folders.
fn files(folder: &Path, ending: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, ending, out);
        } else if name.ends_with(ending) {
            out.push(path);
        }
    }
}

fn below(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    files(&common::root().join(folder), ending, &mut found);
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    found.into_iter().map(read).collect()
}

/// Every document: those at the root and those in `docs`.
fn documents() -> Vec<(PathBuf, String)> {
    let root = common::root();
    let mut all = below("docs", ".md");
    for entry in std::fs::read_dir(&root).expect("the root").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).expect("a text");
            all.push((path, text));
        }
    }
    all
}

/// The comments of a Rust text as one line, so that a citation may be broken over two.
fn comments(text: &str) -> String {
    let lines = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("//")?;
        Some(rest.trim_start_matches(['/', '!']).trim())
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The sections that a comment cites: after "notes", "6.3", "7.1 and 7.2", "10.2, 19", "(1.5, 2)".
fn cited(comment: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in comment.split("notes").skip(1) {
        let rest: Vec<char> = rest.chars().collect();
        let near = rest.iter().take(10).position(char::is_ascii_digit);
        let Some(mut at) = near else { continue };
        if rest[..at].iter().any(|c| ['.', ';', '`', '['].contains(c)) {
            continue;
        }
        loop {
            let start = at;
            while at < rest.len() && (rest[at].is_ascii_digit() || is_dot_within(&rest, at)) {
                at += 1;
            }
            found.push(rest[start..at].iter().collect());
            let more: String = rest[at..].iter().collect();
            let next = [", ", " and "].iter().find_map(|between| {
                let rest = more.strip_prefix(between)?;
                rest.starts_with(|c: char| c.is_ascii_digit())
                    .then_some(between.len())
            });
            match next {
                Some(length) => at += length,
                None => break,
            }
        }
    }
    found
}

fn is_dot_within(text: &[char], at: usize) -> bool {
    text[at] == '.' && text.get(at + 1).is_some_and(char::is_ascii_digit)
}

/// The numbers of the notes' sections, and of the traps in their last one.
fn sections() -> BTreeSet<String> {
    let path = common::root().join("docs/notes.md");
    let text = std::fs::read_to_string(path).expect("docs/notes.md");
    let number = |line: &str| {
        let heading = line.trim_start_matches('#').trim_start();
        let is_item = line.starts_with(|c: char| c.is_ascii_digit());
        if !line.starts_with('#') && !is_item {
            return None;
        }
        let number = heading.split(' ').next()?.trim_end_matches('.');
        let digits = number.chars().all(|c| c.is_ascii_digit() || c == '.');
        (digits && !number.is_empty()).then(|| number.to_owned())
    };
    text.lines().filter_map(number).collect()
}

#[test]
fn citations_are_read() {
    for (comment, sections) in [
        (
            "the algorithm notes 7.1 and 7.2): no regions",
            vec!["7.1", "7.2"],
        ),
        ("(algorithm notes 6.5; CTIGAR's step)", vec!["6.5"]),
        ("(notes 10.4, 38: it)", vec!["10.4", "38"]),
        (
            "the algorithm notes list (1.4, 10.3), each",
            vec!["1.4", "10.3"],
        ),
        ("algorithm notes (1.5, 2),", vec!["1.5", "2"]),
        ("algorithm notes 2.6. A second sentence", vec!["2.6"]),
        ("it notes that. 3 of them", vec![]),
    ] {
        assert_eq!(cited(comment), sections, "{comment}");
    }
}

/// Every section of the notes that a comment or a technique cites is there.
#[test]
fn sections_that_code_cites_exist() {
    let sections = sections();
    let mut citations = 0;
    for (path, text) in below("crates", ".rs") {
        if path.ends_with("tests/documents.rs") {
            continue;
        }
        for section in cited(&comments(&text)) {
            assert!(
                sections.contains(&section),
                "{} cites section {section} of the notes",
                path.display()
            );
            citations += 1;
        }
    }
    assert!(citations >= 40, "{citations} citations were found");
    for technique in Technique::ALL {
        let parts = technique.about().split(['(', ')', ' ', ',', ';']);
        let numbers =
            parts.filter(|p| p.contains('.') && p.starts_with(|c: char| c.is_ascii_digit()));
        for number in numbers.filter(|n| !n.ends_with('.')) {
            assert!(sections.contains(number), "{technique} cites {number}");
        }
    }
}

/// Every document that code names is there: `docs/NAME.md`, or a name such as `README.md`.
#[test]
fn documents_that_code_cites_exist() {
    let root = common::root();
    for folder in [
        "crates", "scripts", "contrib", "bench", "examples", "rules", "stubs",
    ] {
        for ending in [".rs", ".toml", ".py", ".c", ".h", ".slic"] {
            for (path, text) in below(folder, ending) {
                if path.ends_with("tests/documents.rs") {
                    continue;
                }
                let words = text.split(|c: char| !(c.is_alphanumeric() || "._/-".contains(c)));
                for word in words.filter(|w| w.len() > 3) {
                    let name = word.trim_end_matches('.');
                    let is_named = name.contains("docs/") || !name.contains('/');
                    if !name.ends_with(".md") || name.starts_with('.') || !is_named {
                        continue;
                    }
                    let name = name.trim_start_matches("../").trim_start_matches('/');
                    assert!(
                        [
                            root.join(name),
                            root.join("docs").join(name),
                            path.with_file_name(name)
                        ]
                        .iter()
                        .any(|place| place.exists()),
                        "{} names {word}",
                        path.display()
                    );
                }
            }
        }
    }
}

/// What a link to a heading is called.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.collect()
}

/// Links between documents lead to files and headings that exist.
#[test]
fn links_lead_somewhere() {
    for (path, text) in documents() {
        let folder = path.parent().expect("a folder");
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => folder.join(file),
            };
            assert!(target.exists(), "{}: {link}", path.display());
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&target).expect("a text");
                let mut headings = there.lines().filter(|l| l.starts_with('#')).map(anchor);
                assert!(headings.any(|h| h == heading), "{}: {link}", path.display());
            }
        }
    }
}

/// Every page is linked from another one, so that readers find it.
#[test]
fn every_page_is_linked() {
    let all = documents();
    for (path, _) in &all {
        let name = path.file_name().expect("a name").to_string_lossy();
        let is_root = ["README.md", "CHANGELOG.md"].contains(&&*name);
        let folder = path.parent().and_then(|p| p.file_name());
        // The records of decisions are a folder, which is linked as one.
        let link = match folder.is_some_and(|f| f == "decisions") {
            true => "decisions)".to_owned(),
            false => format!("{name})"),
        };
        let has = |(other, text): &(PathBuf, String)| {
            let anchored = link.replace(')', "#");
            other != path && (text.contains(&link) || text.contains(&anchored))
        };
        assert!(
            is_root || all.iter().any(has),
            "{name} is linked from nowhere"
        );
    }
}

/// ARCHITECTURE.md stays short: lists of files are in the crates.
#[test]
fn the_architecture_is_short() {
    let path = common::root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).expect("ARCHITECTURE.md");
    assert!(
        text.lines().count() <= 200,
        "{} lines",
        text.lines().count()
    );
}

/// The fenced blocks of a document: what follows the opening fence, and the lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| !line.starts_with("```"));
            found.push((kind, inside.collect()));
        }
    }
    found
}

/// The tutorial names files that exist. What it quotes with `from=FILE` is in that file, and
/// the code that it adds imports only what other files of the engine import.
#[test]
fn the_tutorial_is_about_this_code() {
    let root = common::root();
    let text = std::fs::read_to_string(root.join("docs/first-technique.md")).expect("the page");
    let mut prose = text.lines();
    let mut named = 0;
    while let Some(line) = prose.next() {
        if line.starts_with("```") {
            prose.by_ref().find(|line| line.starts_with("```"));
            continue;
        }
        for word in line.split('`').skip(1).step_by(2) {
            if word.starts_with("crates/") {
                assert!(root.join(word).exists(), "there is no {word}");
                named += 1;
            }
        }
    }
    assert!(named >= 5, "{named} files are named");
    let engine = below("crates/engine/src", ".rs");
    let is_there = |text: &str, line: &str| text.lines().any(|other| other == line);
    let (mut quoted, mut imported) = (0, 0);
    for (kind, lines) in blocks(&text) {
        if let Some(file) = kind.strip_prefix("rust,from=") {
            let source = std::fs::read_to_string(root.join(file)).expect(file);
            for line in lines {
                assert!(is_there(&source, line), "{file} has no line {line}");
                quoted += 1;
            }
        } else if kind == "rust,new" {
            for line in lines.into_iter().filter(|line| line.starts_with("use ")) {
                let is_known = engine.iter().any(|(_, source)| is_there(source, line));
                assert!(is_known, "no file of the engine has {line}");
                imported += 1;
            }
        }
    }
    assert!(quoted >= 5, "{quoted} lines are quoted");
    assert!(imported >= 4, "{imported} lines import something");
}
