//! `attest check --spec RULES`: many rules at once, one table.
//!
//! Each rule is checked by a process of its own, as many at a time as the
//! machine has cores: they share nothing that one could break for another,
//! and each ends with evidence like any check. What is shared is the
//! compilation for the question whether a rule applies at all.

use crate::args::CheckArgs;
use crate::exit::{Failure, Status};
use crate::output;
use attest_export::sarif;
use attest_slic::Rule;
use attest_verifier::rules::{self, Applicable, NOT_APPLICABLE};
use attest_verifier::{messages, report};
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
pub fn check_all(args: &CheckArgs, files: &[PathBuf]) -> Result<Status, Failure> {
    let source = args.program.source_without_rule()?;
    let program = Applicable::of(&source)?;
    for folder in args.proof.iter().chain(&args.forms.report) {
        std::fs::create_dir_all(folder).map_err(|why| {
            let name = folder.display();
            Failure::input(format!("{name}: the folder cannot be made: {why}"))
        })?;
    }
    let read: Vec<Rule> = files
        .iter()
        .map(|path| rules::read(path))
        .collect::<Result<_, _>>()?;
    let queue = Mutex::new((0..files.len()).collect::<VecDeque<usize>>());
    let done: Mutex<Vec<(usize, Pair)>> = Mutex::default();
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers.min(files.len()) {
            scope.spawn(|| {
                while let Some(i) = queue.lock().ok().and_then(|mut q| q.pop_front()) {
                    let pair = match skipped(&program, &read[i]) {
                        Some(pair) => pair,
                        None => worker(args, &files[i]),
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
fn skipped(program: &Applicable, rule: &Rule) -> Option<Pair> {
    let begin = Instant::now();
    let reason = program.refuses(rule)?;
    Some(Pair {
        rule: rule.file.clone(),
        verdict: NOT_APPLICABLE.into(),
        seconds: report::seconds(begin.elapsed()),
        reason,
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
    let none_applies = count(NOT_APPLICABLE) == pairs.len();
    let (word, status) = match (count("unsafe"), count("unknown")) {
        (0, 0) if none_applies && !args.allow_empty => ("safe", Status::Nothing),
        (0, 0) => ("safe", Status::Fine),
        (0, _) => ("unknown", Status::Unknown),
        _ => ("unsafe", Status::Error),
    };
    let mut out = String::new();
    if !args.quiet {
        out.push_str(&table(pairs));
    }
    let undecided = messages::count(count("unknown"), "rule");
    out.push_str(&match word {
        "unknown" => format!("verdict: unknown ({undecided} undecided)\n"),
        word if none_applies => format!("verdict: {word} (nothing to check: no rule applies)\n"),
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
    let (others, known): (Vec<&Pair>, Vec<&Pair>) = pairs
        .iter()
        .partition(|pair| pair.verdict == NOT_APPLICABLE);
    for pair in known {
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
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|pair| &*pair.rule).collect();
        let count = messages::count(names.len(), "rule");
        let one = if names.len() == 1 { "does" } else { "do" };
        out.push_str(&format!("{count} {one} not apply: {}\n", names.join(", ")));
    }
    out
}
