//! The C programs of `tests/programs`, each with its expected verdict in its first comment.
//!
//! A comment line `// expect: VERDICT` starts a case, and the lines after it belong to it, up
//! to an empty comment line:
//!
//! ```text
//! // expect: safe | safe(PART OF THE VERDICT) | safe(nothing to check) | unsafe | unknown | unknown(PART OF THE REASON) | ends(STATUS)
//! // algorithm: NAMES     one run for each, of full if the line is missing
//! // options: OPTIONS     of attest, and after `--` of clang
//! // says: WORDS          somewhere in the output
//! // budget: SECONDS      of processor time, where the search does not end by itself
//! // check: CLASSES        the classes asked for, separated by commas
//! // violated: KIND at LINE     or at FILE:LINE: a violation that is reported
//! // natively: confirmed | no (REASON)     whether a native run `confirms` a violation
//! // inputs: NUMBERS       of a run that has the violations, for people and scripts
//! ```
//!
//! In the groups under `checks` the violations that a case reports are exactly those that it is
//! expected to have; comments at the ends of lines mark them too (`common/marks.rs`).
//!
//! A folder with a `main.c` is one program of several files. With `ends`, the program is run
//! and not checked. A safe program has a proof that the checker accepts, an unsafe one a test
//! that fails natively, or only in the interpreter with `unsafe(interpreted)`.

mod common;
#[path = "common/marks.rs"]
mod marks;

use common::{Ended, attest_in, root};
use libtest_mimic::{Arguments, Failed, Trial};
use marks::Violation;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The processor time of a check: more than any of these programs needs to be decided.
const BUDGET: &str = "100";

/// One run of a program, and what it must say.
#[derive(Clone, Default, Debug)]
struct Case {
    expect: String,
    algorithm: Option<String>,
    options: Vec<String>,
    says: Vec<String>,
    budget: Option<String>,
    check: Option<String>,
    /// The violations that the header lists.
    violated: Vec<String>,
    natively: Option<String>,
}

/// The cases that the first comment of a program has.
fn cases(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Vec<Case>> = Vec::new();
    let comment = text.lines().map_while(|line| line.strip_prefix("// "));
    for line in comment {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("`{line}`"))?;
        let value = value.trim();
        if key == "expect" {
            cases.push(vec![Case {
                expect: value.to_owned(),
                ..Case::default()
            }]);
            continue;
        }
        let last = cases
            .last_mut()
            .ok_or_else(|| format!("`{key}` is before any `expect`"))?;
        match key {
            "algorithm" => {
                let case = last[0].clone();
                let with = |name: &str| Case {
                    algorithm: Some(name.to_owned()),
                    ..case.clone()
                };
                *last = value.split_whitespace().map(with).collect();
            }
            "options" => {
                let words = || value.split_whitespace().map(str::to_owned);
                last.iter_mut()
                    .for_each(|case| case.options.extend(words()));
            }
            "says" => last
                .iter_mut()
                .for_each(|case| case.says.push(value.to_owned())),
            "budget" => {
                last.iter_mut()
                    .for_each(|case| case.budget = Some(value.to_owned()));
            }
            "check" => {
                last.iter_mut()
                    .for_each(|case| case.check = Some(value.to_owned()));
            }
            "violated" => last
                .iter_mut()
                .for_each(|case| case.violated.push(value.to_owned())),
            "natively" => {
                if value != "confirmed" && !(value.starts_with("no (") && value.ends_with(')')) {
                    return Err(format!("`{value}` is not `confirmed` or `no (REASON)`"));
                }
                last.iter_mut()
                    .for_each(|case| case.natively = Some(value.to_owned()));
            }
            "inputs" => {}
            _ => return Err(format!("`{key}` is not known here")),
        }
    }
    match cases.is_empty() {
        true => Err("the first comment has no `expect`".to_owned()),
        false => Ok(cases.concat()),
    }
}

/// The command line of a case.
fn arguments(case: &Case, files: &[String]) -> Vec<String> {
    let at = case.options.iter().position(|option| option == "--");
    let (own, clang) = case.options.split_at(at.unwrap_or(case.options.len()));
    let mut arguments = Vec::new();
    if case.expect.starts_with("ends(") {
        arguments.push("run".to_owned());
    } else {
        let budget = case.budget.as_deref().unwrap_or(BUDGET);
        arguments.extend(["check", "--cpu-limit", budget].map(str::to_owned));
    }
    if let Some(algorithm) = &case.algorithm {
        arguments.extend(["--algorithm".to_owned(), algorithm.clone()]);
    }
    if let Some(check) = &case.check {
        arguments.extend(["--check".to_owned(), check.clone()]);
    }
    [&arguments[..], own, files, clang].concat()
}

/// The violations that a case must report: none is known for a group without marks.
type Expected = Option<BTreeSet<Violation>>;

/// The violations that a case of a program must report, from its header and its lines.
fn expected(case: &Case, folder: &Path, files: &[String]) -> Result<BTreeSet<Violation>, String> {
    let listed = case.violated.iter();
    let listed = listed.map(|value| marks::in_header(value, &files[0]));
    let mut all: BTreeSet<Violation> = listed.collect::<Result<_, _>>()?;
    for file in files {
        let text = std::fs::read_to_string(folder.join(file)).map_err(|e| e.to_string())?;
        all.extend(marks::marked(file, &text, &case.options)?);
    }
    match (case.expect.starts_with("safe"), all.is_empty()) {
        (true, false) => Err("a safe case has violations".to_owned()),
        (false, true) if case.expect == "unsafe" => {
            Err("an unsafe case has no violation".to_owned())
        }
        _ => Ok(all),
    }
}

/// What is wrong with the violations that a run reports and with what it says of the native run.
fn wrongly_told(case: &Case, expected: &Expected, ended: &Ended) -> Option<String> {
    if let Some(expected) = expected {
        let told = marks::told(&ended.stdout);
        if let Some(why) = marks::difference(expected, &told) {
            return Some(why);
        }
    }
    let mut lines = ended.stdout.lines();
    let confirmed = lines.any(|line| line.contains(" confirms it: "));
    let natively = case.natively.as_deref()?;
    match (natively == "confirmed", confirmed) {
        (true, false) => Some("it is not confirmed natively".to_owned()),
        (false, true) => Some("it is confirmed natively".to_owned()),
        _ => None,
    }
}

/// What is wrong with how a run ended.
fn wrong(case: &Case, expected: &Expected, ended: &Ended) -> Option<String> {
    let (word, part) = case.expect.split_once('(').unwrap_or((&case.expect, ""));
    let part = part.strip_suffix(')').unwrap_or(part);
    let verdict = ended.verdict();
    let has = |words: &str| ended.stdout.contains(words);
    let right = match word {
        "safe" if part == "nothing to check" => {
            ended.status == 3 && verdict.starts_with("verdict: safe (nothing to check: ")
        }
        "safe" => {
            let limited = verdict.starts_with("verdict: safe ") && verdict.contains(part);
            let safe = verdict == "verdict: safe" && part.is_empty() || limited && !part.is_empty();
            ended.status == 0 && safe && has("accepted") && !has("vacuous")
        }
        "unsafe" => {
            let natively =
                part == "interpreted" || expected.is_some() || has("the test fails natively");
            ended.status == 10 && verdict == "verdict: unsafe" && natively
        }
        "unknown" => {
            let unknown = verdict.starts_with("verdict: unknown (");
            ended.status == 5 && unknown && verdict.contains(part)
        }
        // As SV-COMP names them, where a property is given.
        "true" => ended.status == 0 && verdict == "verdict: true" && has("accepted"),
        "false" => ended.status == 10 && verdict == format!("verdict: {}", case.expect),
        "ends" => part.parse() == Ok(ended.status),
        _ => return Some(format!("`{}` is no verdict", case.expect)),
    };
    if !right {
        return Some(format!("expected {}", case.expect));
    }
    if let Some(why) = wrongly_told(case, expected, ended) {
        return Some(why);
    }
    let missing = case.says.iter().find(|words| !has(words));
    missing.map(|words| format!("it does not say `{words}`"))
}

fn run(folder: &Path, case: &Case, expected: &Expected, files: &[String]) -> Result<(), Failed> {
    let arguments = arguments(case, files);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = attest_in(folder, &arguments);
    match wrong(case, expected, &ended) {
        None => Ok(()),
        Some(why) => {
            let Ended {
                status,
                stdout,
                stderr,
            } = ended;
            let command = arguments.join(" ");
            Err(format!("{why}: attest {command}\nstatus {status}\n{stdout}{stderr}").into())
        }
    }
}

/// The trials of a program: its files are in a folder, the first has the comment.
fn trials(group: &str, name: &str, folder: &Path, files: Vec<String>) -> Vec<Trial> {
    let text = std::fs::read_to_string(folder.join(&files[0])).expect("a program");
    let cases = match cases(&text) {
        Ok(cases) => cases,
        Err(why) => return vec![Trial::test(name, || Err(why.into()))],
    };
    let several = cases.len() > 1;
    let trial = |(i, case): (usize, Case)| {
        let name = if several {
            format!("{name}:{}", i + 1)
        } else {
            name.to_owned()
        };
        let (folder, files) = (folder.to_owned(), files.clone());
        let marked = group.starts_with("checks/") || !case.violated.is_empty();
        let expected = match marked.then(|| expected(&case, &folder, &files)) {
            Some(Err(why)) => return Trial::test(name, || Err(why.into())),
            Some(Ok(expected)) => Some(expected),
            None => None,
        };
        Trial::test(name, move || run(&folder, &case, &expected, &files))
    };
    cases.into_iter().enumerate().map(trial).collect()
}

/// The entries of a folder, sorted, without what checks keep there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).expect("a folder of programs");
    let all = all.map(|entry| entry.expect("an entry"));
    let all = all.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut all: Vec<PathBuf> = all.map(|entry| entry.path()).collect();
    all.sort();
    all
}

fn main() {
    let programs = root().join("tests/programs");
    let mut all = Vec::new();
    for group in GROUPS {
        let folder = programs.join(group);
        for path in entries(&folder) {
            let file = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let name = format!("{group}/{file}");
            if path.is_dir() {
                let mut files: Vec<String> = entries(&path)
                    .iter()
                    .map(|file| {
                        file.file_name()
                            .expect("a name")
                            .to_string_lossy()
                            .into_owned()
                    })
                    .filter(|file| file.ends_with(".c"))
                    .collect();
                files.sort_by_key(|file| file != "main.c");
                all.extend(trials(group, &name, &path, files));
            } else if file.ends_with(".c") {
                all.extend(trials(group, &name, &folder, vec![file]));
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

/// The folders of `tests/programs`, by what their programs are for: a dozen for `./x quick`,
/// what techniques decide, facts about loops, verdicts that were once wrong, today's answers
/// that are sound and should be better, and a folder of right and wrong programs for each class
/// of checks.
const GROUPS: [&str; 13] = [
    "smoke",
    "verdicts",
    "loops",
    "unwinding",
    "regressions",
    "fixme",
    "checks/assert",
    "checks/memory",
    "checks/leak",
    "checks/overflow",
    "checks/arithmetic",
    "checks/uninitialised",
    "checks/first-hour",
];
