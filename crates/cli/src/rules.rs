//! `attest check --spec RULES`: many rules at once, one table.
//!
//! Each rule is checked by a process of its own, as many at a time as the
//! machine has cores: they share nothing that one could break for another,
//! and each ends with evidence like any check. What is shared is the
//! compilation for the question whether a rule applies at all.

use crate::args::CheckArgs;
use crate::exit::{Failure, Status};
use crate::load::{Source, Texts, read_rule};
use crate::{output, report, words};
use attest_export::sarif;
use attest_model::{GlobalReg, Program};
use attest_slic::{Rule, WRAPPER};
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What the `format` of the report on many rules says.
pub const FORMAT: &str = "attest-rules-1";
/// Seconds for a rule where no limit is given.
const USUAL_TIME: f64 = 60.0;
/// What is said where the program calls no function of a rule.
pub const NOT_APPLICABLE: &str = "not applicable";

/// The rules that `--spec` names, if they are several or a folder.
pub fn several(spec: &[PathBuf]) -> Result<Option<Vec<PathBuf>>, Failure> {
    match spec {
        [] => return Ok(None),
        [one] if !one.is_dir() => return Ok(None),
        _ => {}
    }
    let mut out = Vec::new();
    for path in spec {
        if !path.is_dir() {
            out.push(path.clone());
            continue;
        }
        let name = path.display();
        let fail = |why| Failure::input(format!("{name}: the folder cannot be read: {why}"));
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fail)? {
            found.push(entry.map_err(fail)?.path());
        }
        found.retain(|file| file.extension().is_some_and(|e| e == "slic"));
        if found.is_empty() {
            return Err(Failure::input(format!(
                "{name}: there are no rules (.slic) in this folder"
            )));
        }
        found.sort();
        out.extend(found);
    }
    Ok(Some(out))
}

/// What a rule's author says about the place where a run violates it.
pub fn message(rule: &Rule, place: &attest_model::Place) -> Option<String> {
    let text = rule.message_at(place.line as usize)?;
    (*place.file == *rule.file && !text.is_empty()).then(|| text.to_owned())
}

/// The variables of the rule's state that are registers of the program, and for a rule about
/// each object which one it is.
pub fn state(source: &Source, program: &Program) -> Vec<GlobalReg> {
    let rule = source.rule.as_deref().map(read_rule);
    let Some(rule) = rule.and_then(Result::ok) else {
        return Vec::new();
    };
    let watch = rule.watch.as_ref();
    let state = rule.state.iter().chain(watch.iter().flat_map(|w| &w.state));
    let mut names: Vec<&str> = state.map(|v| v.name.as_str()).collect();
    names.extend(watch.map(|w| w.name.as_str()));
    globals(program, |name| {
        names.contains(&name) || name.starts_with("__slic_")
    })
}

/// The variable that is the watched object, if it is a register of the program.
pub fn watched(source: &Source, program: &Program) -> Vec<GlobalReg> {
    let rule = source.rule.as_deref().map(read_rule);
    match rule.and_then(Result::ok).and_then(|rule| rule.watch) {
        Some(watch) => globals(program, |name| name == watch.name),
        None => Vec::new(),
    }
}

fn globals(program: &Program, which: impl Fn(&str) -> bool) -> Vec<GlobalReg> {
    let globals = program.globals.iter().enumerate();
    let found = globals.filter(|(_, global)| which(&global.name));
    found.map(|(i, _)| GlobalReg(i as u32)).collect()
}

/// Whether the program can call a function of the rule, as far as the model knows it.
pub fn applies(program: &Program, rule: &Rule) -> bool {
    if rule.functions() == ["main"] {
        return true;
    }
    let survey = crate::survey::Survey::of(program);
    // What comes after a gap is not in the model, and may call anything.
    if !survey.missing.is_empty() || !survey.unsupported.is_empty() {
        return true;
    }
    let entry = program.entry_name();
    survey.functions.iter().any(|f| {
        let name = &program.function(*f).name;
        let watched = name.strip_prefix(WRAPPER).is_some_and(|rest| {
            let is = |f: &&str| rest == *f || rest.starts_with(&format!("{f}_"));
            rule.functions().iter().any(is)
        });
        watched && **name != *entry
    })
}

/// Why a rule does not apply.
pub fn not_applicable(rule: &Rule) -> String {
    let others = rule.functions().into_iter().filter(|f| *f != "main");
    let functions: Vec<&str> = others.collect();
    format!(
        "{NOT_APPLICABLE}: the program calls none of {}",
        functions.join(", ")
    )
}

/// The outcome of one rule.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The rule's file.
    pub rule: String,
    /// `safe`, `unsafe`, `unknown` or `not applicable`.
    pub verdict: String,
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// Why it is unknown or not applicable, or how the rule is violated.
    pub reason: String,
    /// The report of the check, as `docs/json.md` has it; null without one.
    pub report: Value,
    /// Its log in SARIF, if it made one.
    #[serde(skip)]
    pub sarif: Option<Value>,
}

/// What `--json` writes.
#[derive(Debug, Serialize)]
struct Table<'a> {
    format: &'static str,
    files: Vec<String>,
    verdict: &'static str,
    pairs: &'a [Pair],
}

/// Checks a program against many rules.
pub fn check_all(args: &CheckArgs, rules: &[PathBuf]) -> Result<Status, Failure> {
    let source = args.program.source_without_rule()?;
    let texts = Texts::of(&source)?;
    for folder in args.proof.iter().chain(&args.forms.report) {
        std::fs::create_dir_all(folder).map_err(|why| {
            let name = folder.display();
            Failure::input(format!("{name}: the folder cannot be made: {why}"))
        })?;
    }
    let read: Vec<Rule> = rules
        .iter()
        .map(|path| read_rule(path))
        .collect::<Result<_, _>>()?;
    let queue = Mutex::new((0..rules.len()).collect::<VecDeque<usize>>());
    let done: Mutex<Vec<(usize, Pair)>> = Mutex::default();
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers.min(rules.len()) {
            scope.spawn(|| {
                while let Some(i) = queue.lock().ok().and_then(|mut q| q.pop_front()) {
                    let pair = match skipped(&source, &texts, &read[i]) {
                        Some(pair) => pair,
                        None => worker(args, &rules[i]),
                    };
                    if let Ok(mut done) = done.lock() {
                        done.push((i, pair));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(i, _)| *i);
    let pairs: Vec<Pair> = done.into_iter().map(|(_, pair)| pair).collect();
    finish(args, &pairs)
}

/// The pair of a rule that the program's files say nothing of.
fn skipped(source: &Source, texts: &Texts, rule: &Rule) -> Option<Pair> {
    let begin = Instant::now();
    let made = attest_slic::instrument(rule, &texts.units(), &source.model.entry).ok()?;
    let only_main = rule.functions() == ["main"];
    if only_main || made.watched.iter().any(|f| f != "main") {
        return None;
    }
    Some(Pair {
        rule: rule.file.clone(),
        verdict: NOT_APPLICABLE.into(),
        seconds: report::seconds(begin.elapsed()),
        reason: not_applicable(rule),
        report: Value::Null,
        sarif: None,
    })
}

/// Checks one rule in a process of its own.
fn worker(args: &CheckArgs, rule: &Path) -> Pair {
    let begin = Instant::now();
    let outcome = run(args, rule);
    let mut sarif = None;
    let (verdict, reason, report) = match outcome {
        Ok((report, log)) => {
            sarif = log;
            let text = |key: &str| report[key].as_str().map(str::to_owned);
            let reason = text("reason").unwrap_or_default();
            let violated = &report["rule"]["message"];
            let place = report["failure"]["place"].as_str().unwrap_or_default();
            let verdict = text("verdict").unwrap_or_default();
            match (verdict.as_str(), report["rule"]["applies"].as_bool()) {
                ("unsafe", _) => {
                    let why = violated.as_str().unwrap_or("the rule is violated");
                    let told = format!("{place}: {why}");
                    (verdict, told, report)
                }
                (_, Some(false)) => (NOT_APPLICABLE.into(), reason, report),
                _ => (verdict, reason, report),
            }
        }
        Err(why) => ("unknown".into(), why, Value::Null),
    };
    Pair {
        rule: report::text(rule),
        verdict,
        seconds: report::seconds(begin.elapsed()),
        reason,
        report,
        sarif,
    }
}

/// The report of a check of one rule and its log in SARIF, or what it said instead.
fn run(args: &CheckArgs, rule: &Path) -> Result<(Value, Option<Value>), String> {
    let fail = |why: std::io::Error| format!("the check cannot be started: {why}");
    let folder = tempfile::tempdir().map_err(fail)?;
    let file = folder.path().join("report.json");
    let log = folder.path().join("report.sarif");
    let limit = args.time_limit.unwrap_or(USUAL_TIME);
    let mut command = Command::new(std::env::current_exe().map_err(fail)?);
    command.args(args.for_rule(rule, &file, &log, limit));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let output = command.stderr(Stdio::piped()).output().map_err(fail)?;
    let said = String::from_utf8_lossy(&output.stderr);
    match std::fs::read_to_string(&file) {
        Ok(text) => {
            let report =
                serde_json::from_str(&text).map_err(|e| format!("its report is broken: {e}"))?;
            let log = std::fs::read_to_string(&log).ok();
            let log = log.and_then(|text| serde_json::from_str(&text).ok());
            Ok((report, log))
        }
        Err(_) => {
            let line = said.lines().find(|l| !l.trim().is_empty());
            let line = line.unwrap_or("the check ended without a word");
            Err(line.trim_start_matches("attest: ").to_owned())
        }
    }
}

/// Says the table and the verdict over all.
fn finish(args: &CheckArgs, pairs: &[Pair]) -> Result<Status, Failure> {
    let count = |verdict: &str| pairs.iter().filter(|p| p.verdict == verdict).count();
    let (word, status) = match (count("unsafe"), count("unknown")) {
        (0, 0) => ("safe", Status::Fine),
        (0, _) => ("unknown", Status::Unknown),
        _ => ("unsafe", Status::Error),
    };
    let mut out = String::new();
    if !args.quiet {
        out.push_str(&table(pairs));
    }
    let undecided = words::count(count("unknown"), "rule");
    out.push_str(&match word {
        "unknown" => format!("verdict: unknown ({undecided} undecided)\n"),
        word => format!("verdict: {word}\n"),
    });
    let made = Table {
        format: FORMAT,
        files: args.program.files.iter().map(|f| report::text(f)).collect(),
        verdict: word,
        pairs,
    };
    if let Some(file) = &args.forms.sarif {
        let name = file.display();
        std::fs::write(file, log(&made, status)).map_err(|why| {
            Failure::input(format!("{name}: the SARIF file cannot be written: {why}"))
        })?;
    }
    let json = serde_json::to_string_pretty(&made).unwrap_or_default() + "\n";
    match &args.json {
        Some(file) if file.as_os_str() == "-" => {
            output::note(&out);
            output::print(json);
        }
        Some(file) => {
            let name = file.display();
            std::fs::write(file, json).map_err(|why| {
                Failure::input(format!("{name}: the report cannot be written: {why}"))
            })?;
            output::print(out);
        }
        None => output::print(out),
    }
    Ok(status)
}

/// All pairs of the program and a rule as one log in SARIF.
fn log(table: &Table<'_>, status: Status) -> String {
    let part = |pair: &Pair| match &pair.sarif {
        Some(log) => sarif::Part::Log(log.clone()),
        None => sarif::Part::Finding(Box::new(sarif::Finding {
            verdict: pair.verdict.clone(),
            rule: Some(pair.rule.clone()),
            message: pair.reason.clone(),
            files: table.files.clone(),
            ..Default::default()
        })),
    };
    let parts: Vec<_> = table.pairs.iter().map(part).collect();
    sarif::merge(&parts, status as i32)
}

fn table(pairs: &[Pair]) -> String {
    let width = |of: fn(&Pair) -> &str| pairs.iter().map(|p| of(p).len()).max().unwrap_or(0);
    let (rules, verdicts) = (width(|p| &p.rule), width(|p| &p.verdict).max(7));
    let mut out = format!(
        "{:rules$}  {:verdicts$}  {:>8}  reason\n",
        "rule", "verdict", "time"
    );
    for pair in pairs {
        let time = format!(
            "{:.2} s",
            Duration::from_secs_f64(pair.seconds).as_secs_f64()
        );
        let reason = pair.reason.lines().next().unwrap_or_default();
        let line = format!(
            "{:rules$}  {:verdicts$}  {time:>8}  {reason}",
            pair.rule, pair.verdict
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
