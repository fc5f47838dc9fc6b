//! What a suite says, and the runs that it stands for.
//!
//! Paths in a suite are relative to its own folder, and its commands run there.
//! A program with sizes is one program for each of them, compiled with
//! `-DN=size`.

use super::programs::{Program, Programs};
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

/// What must not happen, as options of `attest check`.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Property {
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
    /// Lists of programs that are not there and need not be.
    pub left_out: Vec<String>,
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

impl Written {
    fn read(suite: &Path) -> Result<Written, String> {
        let text = std::fs::read_to_string(suite)
            .map_err(|why| format!("the suite cannot be read: {why}"))?;
        toml::from_str(&text).map_err(|why| {
            let line = why
                .span()
                .map(|span| text[..span.start].lines().count().max(1));
            let at = line.map_or(String::new(), |line| format!("line {line}: "));
            format!("{at}{}", why.message().replace('\n', " "))
        })
    }

    /// The programs of all entries. `above` are the suites that lead to this one.
    fn all_programs(
        &self,
        folder: &Path,
        above: &mut Vec<PathBuf>,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<Program>, String> {
        let mut programs = Vec::new();
        for entry in &self.programs {
            programs.extend(entry.each(folder)?);
            left_out.extend(
                entry
                    .left_out(folder)
                    .map(|list| list.display().to_string()),
            );
            let Some(name) = &entry.suite else { continue };
            if name.components().count() != 1 {
                return Err(format!("{} is not in the same folder", name.display()));
            }
            let suite = folder.join(name);
            if above.iter().any(|a| a.file_name() == suite.file_name()) {
                return Err(format!("{} is part of itself", name.display()));
            }
            let of_it = |why: String| format!("{}: {why}", name.display());
            let written = Written::read(&suite).map_err(of_it)?;
            above.push(suite);
            let mut its = written.all_programs(folder, above, left_out)?;
            above.pop();
            for program in its.iter_mut().filter(|p| p.properties.is_empty()) {
                program.properties.clone_from(&written.properties);
            }
            programs.extend(its);
        }
        Ok(programs)
    }
}

impl Plan {
    /// Reads a suite and makes its runs.
    pub fn read(args: &SuiteArgs) -> Result<Plan, Failure> {
        let name = args.suite.display().to_string();
        let fail = |why: String| Failure::input(format!("{name}: {why}"));
        let written = Written::read(&args.suite).map_err(&fail)?;
        let folder = match args.suite.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let mut left_out = Vec::new();
        let mut above = vec![args.suite.clone()];
        let programs = written.all_programs(&folder, &mut above, &mut left_out);
        let programs = programs.map_err(&fail)?;
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
            left_out,
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
            let own = Some(&program.properties[..]).filter(|own| !own.is_empty());
            for property in own.unwrap_or(properties) {
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
        let mut suites = super::super::programs::matching(&folder, "*.toml").expect("suites");
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
}
