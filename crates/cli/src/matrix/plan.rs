//! What a suite says, and the runs that it stands for.
//!
//! Paths in a suite are relative to its own folder, and its commands run there.
//! A program with sizes is one program for each of them, compiled with
//! `-DN=size`.

use crate::args::SuiteArgs;
use crate::exit::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Seconds for a run where the suite does not say.
const USUAL_TIME: f64 = 60.0;
/// So much longer than its processor time a run may take on the clock where the suite does not say.
const BUSY: f64 = 10.0;

/// A suite as it is written.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    time: Option<f64>,
    cpu: Option<f64>,
    memory: Option<u64>,
    workers: Option<usize>,
    table: Option<PathBuf>,
    #[serde(default)]
    programs: Vec<Programs>,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    configurations: Vec<Configuration>,
    #[serde(default)]
    tools: Vec<Tool>,
}

/// Programs, a file each unless they are linked.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Programs {
    /// Files, or patterns with one `*` in the last part.
    #[serde(default)]
    files: Vec<String>,
    /// All files are one program.
    #[serde(default)]
    linked: bool,
    /// A list with the columns path, expected (true, false) and data_model; it and the root
    /// may begin with a variable of the environment, as in `$TASKS/list.tsv`,
    list: Option<PathBuf>,
    /// the folder that its paths start from,
    root: Option<PathBuf>,
    /// and the beginnings of the paths that are meant.
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    sizes: Vec<u32>,
    expect: Option<String>,
    /// Options of `attest check`.
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    clang: Vec<String>,
}

/// What must not happen, as options of `attest check`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Property {
    name: String,
    #[serde(default)]
    options: Vec<String>,
}

/// How attest checks, as options of `attest check`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Configuration {
    name: String,
    #[serde(default)]
    options: Vec<String>,
}

/// Another tool.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    /// A command with `{file}`, `{size}`, `{time}`, `{memory}` and `{model}`.
    command: String,
    /// What it says of a safe program,
    safe: String,
    /// and of an unsafe one.
    #[serde(rename = "unsafe")]
    fails: String,
}

/// The runs of a suite.
#[derive(Debug)]
pub struct Plan {
    /// The folder of the suite.
    pub folder: PathBuf,
    /// The file of results.
    pub table: PathBuf,
    /// Seconds of a run on the clock.
    pub time: f64,
    /// Seconds of processor time of a run.
    pub cpu: Option<f64>,
    /// Megabytes of a run.
    pub memory: Option<u64>,
    /// Processes at a time.
    pub workers: usize,
    /// All runs, in the order of the table.
    pub runs: Vec<Run>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The program as the suite names it.
    pub program: String,
    /// Its size, in a family.
    pub size: Option<u32>,
    /// The property's name.
    pub property: String,
    /// The configuration's or tool's name.
    pub configuration: String,
    /// `safe`, `unsafe` or nothing.
    pub expected: String,
    /// How it is done.
    pub how: How,
    /// A number of all that the outcome depends on.
    pub stamp: String,
}

/// How a run is done.
#[derive(Clone, Debug)]
pub enum How {
    /// By `attest check` with these arguments before and after those for limits and reports.
    Attest(Vec<String>, Vec<String>),
    /// By another tool: the words of its command, and what it says of safe and unsafe programs.
    Tool(Vec<String>, [String; 2]),
}

impl Run {
    /// The program with its size and property.
    pub fn label(&self) -> String {
        let mut label = self.program.clone();
        if let Some(size) = self.size {
            label += &format!(" [{size}]");
        }
        if !self.property.is_empty() {
            label += &format!(", {}", self.property);
        }
        label
    }
}

/// One program of a suite.
struct Program {
    files: Vec<String>,
    size: Option<u32>,
    expected: String,
    options: Vec<String>,
    clang: Vec<String>,
    model: &'static str,
}

impl Plan {
    /// Reads a suite and makes its runs.
    pub fn read(args: &SuiteArgs) -> Result<Plan, Failure> {
        let name = args.suite.display().to_string();
        let fail = |why: String| Failure::input(format!("{name}: {why}"));
        let text = std::fs::read_to_string(&args.suite)
            .map_err(|why| fail(format!("the suite cannot be read: {why}")))?;
        let written: Written = toml::from_str(&text).map_err(|why| {
            let line = why
                .span()
                .map(|span| text[..span.start].lines().count().max(1));
            let at = line.map_or(String::new(), |line| format!("line {line}: "));
            fail(format!("{at}{}", why.message().replace('\n', " ")))
        })?;
        let folder = match args.suite.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let mut programs = Vec::new();
        for entry in &written.programs {
            programs.extend(entry.each(&folder).map_err(&fail)?);
        }
        if programs.is_empty() {
            return Err(fail("there are no programs in it; add [[programs]]".into()));
        }
        if written.configurations.is_empty() && written.tools.is_empty() {
            return Err(fail(
                "there is nothing to run in it; add [[configurations]]".into(),
            ));
        }
        let names = written.configurations.iter().map(|c| &c.name);
        let names: Vec<&String> = names.chain(written.tools.iter().map(|t| &t.name)).collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(fail(format!("two configurations are called {name}")));
            }
        }
        let cpu = args.cpu_limit.or(written.cpu);
        let usual = cpu.map_or(USUAL_TIME, |cpu| cpu * BUSY);
        let time = args.time_limit.or(written.time).unwrap_or(usual);
        for (name, limit) in [("cpu", cpu), ("time", Some(time))] {
            if limit.is_some_and(|limit| !(limit.is_finite() && limit > 0.0)) {
                return Err(fail(format!("{name} is a number of seconds above 0")));
            }
        }
        let table = match (&args.table, &written.table) {
            (Some(table), _) => table.clone(),
            (None, Some(table)) => folder.join(table),
            (None, None) => args.suite.with_extension("tsv"),
        };
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let asked = args.workers.map(usize::from);
        let workers = asked.or(written.workers).unwrap_or(cores);
        let mut plan = Plan {
            folder,
            table,
            time,
            cpu,
            memory: args.memory_limit.or(written.memory),
            workers: workers.max(1),
            runs: Vec::new(),
        };
        plan.make_runs(&written, &programs).map_err(&fail)?;
        Ok(plan)
    }

    /// The limit that counts: that of processor time if there is one.
    pub fn limit(&self) -> f64 {
        self.cpu.unwrap_or(self.time)
    }

    fn make_runs(&mut self, written: &Written, programs: &[Program]) -> Result<(), String> {
        let default = [Property {
            name: String::new(),
            options: Vec::new(),
        }];
        let properties = match written.properties.is_empty() {
            true => &default[..],
            false => &written.properties,
        };
        let me = std::env::current_exe().and_then(std::fs::read);
        let me = hash(
            &me.map_err(|why| format!("attest cannot read itself: {why}"))?,
            0,
        );
        // How long the clock may go on says nothing where processor time is limited.
        let (limit, counted) = (self.limit(), self.cpu.is_some());
        for program in programs {
            let mut texts = 0;
            for file in &program.files {
                let path = self.folder.join(file);
                let text = std::fs::read(&path)
                    .map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
                texts = hash(&text, texts);
            }
            for property in properties {
                let mut add = |configuration: &str, how: How| {
                    let limits = format!("{limit} {counted} {:?} {how:?}", self.memory);
                    let mut stamp = hash(limits.as_bytes(), texts);
                    if let How::Attest(..) = how {
                        stamp = hash(&me.to_le_bytes(), stamp);
                    }
                    self.runs.push(Run {
                        program: program.files.join(" "),
                        size: program.size,
                        property: property.name.clone(),
                        configuration: configuration.into(),
                        expected: program.expected.clone(),
                        how,
                        stamp: format!("{stamp:016x}"),
                    });
                };
                for configuration in &written.configurations {
                    let mut before = program.files.clone();
                    for options in [&property.options, &configuration.options, &program.options] {
                        before.extend(options.iter().cloned());
                    }
                    let mut after: Vec<String> = Vec::new();
                    if !program.clang.is_empty() {
                        after.push("--".into());
                        after.extend(program.clang.iter().cloned());
                    }
                    add(&configuration.name, How::Attest(before, after));
                }
                for tool in &written.tools {
                    let size = program.size.map(|n| n.to_string()).unwrap_or_default();
                    let time = limit.to_string();
                    let memory = self.memory.unwrap_or(0).to_string();
                    let filled = |word: &str| {
                        word.replace("{file}", &program.files.join(" "))
                            .replace("{size}", &size)
                            .replace("{time}", &time)
                            .replace("{memory}", &memory)
                            .replace("{model}", program.model)
                    };
                    let words: Vec<String> = tool.command.split_whitespace().map(filled).collect();
                    if words.is_empty() {
                        return Err(format!("the command of {} is empty", tool.name));
                    }
                    let says = [tool.safe.clone(), tool.fails.clone()];
                    add(&tool.name, How::Tool(words, says));
                }
            }
        }
        Ok(())
    }
}

impl Programs {
    /// The programs that an entry stands for.
    fn each(&self, folder: &Path) -> Result<Vec<Program>, String> {
        if let Some(expect) = &self.expect
            && !["safe", "unsafe"].contains(&expect.as_str())
        {
            return Err(format!("expect is safe or unsafe, not `{expect}`"));
        }
        let mut files = Vec::new();
        for pattern in &self.files {
            files.extend(matching(folder, pattern)?);
        }
        let groups: Vec<Vec<String>> = match self.linked {
            true => vec![files],
            false => files.into_iter().map(|file| vec![file]).collect(),
        };
        let mut out = Vec::new();
        for files in groups.iter().filter(|files| !files.is_empty()) {
            let expected = match &self.expect {
                Some(expect) => expect.clone(),
                None => expected_in(&folder.join(&files[0])),
            };
            let sizes: Vec<Option<u32>> = match self.sizes.is_empty() {
                true => vec![None],
                false => self.sizes.iter().copied().map(Some).collect(),
            };
            for size in sizes {
                let mut clang = self.clang.clone();
                clang.extend(size.map(|n| format!("-DN={n}")));
                out.push(Program {
                    files: files.clone(),
                    size,
                    expected: expected.clone(),
                    options: self.options.clone(),
                    clang,
                    model: "LP64",
                });
            }
        }
        if let Some(list) = &self.list {
            out.extend(self.listed(folder, list)?);
        }
        Ok(out)
    }

    fn listed(&self, folder: &Path, list: &Path) -> Result<Vec<Program>, String> {
        let path = folder.join(in_environment(list)?);
        let text = std::fs::read_to_string(&path)
            .map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let column = |name: &str| head.iter().position(|h| *h == name);
        let at = column("path").ok_or(format!("{} has no column path", path.display()))?;
        let root = in_environment(&self.root.clone().unwrap_or_default())?;
        let mut out = Vec::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).copied();
            let Some(name) = cell(Some(at)) else { continue };
            let meant = |start: &String| name.starts_with(start.as_str());
            if !self.only.is_empty() && !self.only.iter().any(meant) {
                continue;
            }
            let expected = match cell(column("expected")) {
                Some("true") => "safe",
                Some("false") => "unsafe",
                _ => "",
            };
            let narrow = cell(column("data_model")) == Some("ILP32");
            let mut options = self.options.clone();
            if narrow {
                options.extend(["--data-model".into(), "ilp32".into()]);
            }
            out.push(Program {
                files: vec![root.join(name).display().to_string()],
                size: None,
                expected: expected.into(),
                options,
                clang: self.clang.clone(),
                model: if narrow { "ILP32" } else { "LP64" },
            });
        }
        Ok(out)
    }
}

/// A path that may begin with a variable.
fn in_environment(path: &Path) -> Result<PathBuf, String> {
    let text = path.display().to_string();
    let Some(rest) = text.strip_prefix('$') else {
        return Ok(path.to_owned());
    };
    let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let value = std::env::var(name);
    let value = value.map_err(|_| format!("{text}: the variable {name} is not set"))?;
    Ok(Path::new(&value).join(rest))
}

/// The files of a pattern with at most one `*`, in its last part.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    if !pattern.contains('*') {
        return Ok(vec![pattern.into()]);
    }
    let (place, name) = pattern.rsplit_once('/').unwrap_or((".", pattern));
    let Some((start, end)) = name.split_once('*').filter(|_| !place.contains('*')) else {
        return Err(format!("{pattern}: a * can be in the last part only"));
    };
    let read = std::fs::read_dir(folder.join(place));
    let entries = read.map_err(|why| format!("{place} cannot be read: {why}"))?;
    let mut found: Vec<String> = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let fits = name.len() >= start.len() + end.len();
        if fits && name.starts_with(start) && name.ends_with(end) {
            found.push(match place {
                "." => name,
                place => format!("{place}/{name}"),
            });
        }
    }
    if found.is_empty() {
        return Err(format!("no file is called {pattern}"));
    }
    found.sort();
    Ok(found)
}

/// What the first line of a program expects: `/* expected: safe`.
fn expected_in(file: &Path) -> String {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().unwrap_or_default();
    let Some((_, rest)) = first.split_once("expected:") else {
        return String::new();
    };
    let word = rest.split_whitespace().next().unwrap_or_default();
    match word.trim_matches(|c: char| !c.is_alphabetic()) {
        word @ ("safe" | "unsafe") => word.into(),
        _ => String::new(),
    }
}

/// FNV-1a, from a number on.
fn hash(bytes: &[u8], from: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ from.rotate_left(17);
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(start, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_tell_texts_apart() {
        assert_ne!(hash(b"a", 0), hash(b"b", 0));
        assert_ne!(hash(b"a", 0), hash(b"a", 1));
        assert_ne!(hash(b"b", hash(b"a", 0)), hash(b"a", hash(b"b", 0)));
    }

    /// The suites of the evaluation can be read, and every program says what is expected.
    #[test]
    fn suites_of_the_evaluation() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evaluation");
        let mut suites = matching(&folder, "*.toml").expect("suites");
        // Programs that are not part of the repository are where TASKS says.
        suites.retain(|name| {
            let text = std::fs::read_to_string(folder.join(name)).expect(name);
            !text.contains("$TASKS")
        });
        assert!(suites.len() >= 8, "{suites:?}");
        for name in suites {
            let plan = Plan::read(&SuiteArgs {
                suite: folder.join(&name),
                table: None,
                workers: None,
                time_limit: None,
                cpu_limit: None,
                memory_limit: None,
                quiet: true,
            });
            let plan = plan.expect(&name);
            assert_eq!(plan.table, folder.join(&name).with_extension("tsv"));
            for run in &plan.runs {
                assert_ne!(run.expected, "", "{name}: {}", run.program);
            }
        }
    }

    #[test]
    fn expectations_are_in_the_first_line() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        for (text, expected) in [
            ("/* expected: safe\n", "safe"),
            ("/* expected: unsafe, soon */\n", "unsafe"),
            ("// nothing\n// expected: safe\n", ""),
            ("", ""),
        ] {
            std::fs::write(file.path(), text).expect("a text");
            assert_eq!(expected_in(file.path()), expected, "{text}");
        }
    }
}
