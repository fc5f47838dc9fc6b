//! The table of `--stats`.

use attest_engine::events::Question;
use attest_verifier::report::{Answers, Phase, Report, TOTAL};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a check cost, for a person.
pub fn table(report: &Report) -> String {
    let numbers = &report.statistics;
    let mut out = String::from("statistics:\n");
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<20} {value}");
    };
    row("runs before", numbers.runs_before.to_string());
    row("iterations", numbers.iterations.to_string());
    row("tests", numbers.tests.to_string());
    if report.options.algorithm == "lctd" {
        row("table 5.1", as_in_the_thesis(report));
    }
    row("nodes of the forest", numbers.nodes.to_string());
    row("regions", numbers.regions.to_string());
    row("invariants", sum(&numbers.invariants));
    row("  in the proof", sum(&numbers.needed));
    row("splits", sum(&numbers.splits));
    row("cuts", sum(&numbers.cuts));
    row("procedures", sum(&numbers.procedures));
    row("tests that missed", numbers.missed.to_string());
    row("stuck", numbers.stuck.to_string());
    if let Some(what) = &numbers.absent {
        row("not there", what.clone());
    }
    out.push_str(&questions(&numbers.questions));
    let _ = writeln!(out, "  {:<20} {:>9}", "time", "seconds");
    let phases = Phase::ALL.iter().map(|phase| phase.key());
    for key in phases.chain([TOTAL]) {
        let time = report.seconds.get(key).copied().unwrap_or_default();
        let _ = writeln!(out, "    {:<18} {time:>9.3}", key.replace('_', " "));
    }
    if let Some(memory) = numbers.peak_memory_mb {
        let _ = writeln!(out, "  {:<20} {memory} MB", "peak memory");
    }
    out
}

/// The columns of the thesis's table 5.1.
fn as_in_the_thesis(report: &Report) -> String {
    let numbers = &report.statistics;
    let asked = |answers: &Answers| answers.sat + answers.unsat + answers.unknown;
    let calls: u64 = numbers.questions.values().map(asked).sum();
    let of = |kind: Question| numbers.questions.get(kind.word()).copied();
    let of_targets = of(Question::Local).unwrap_or_default();
    let of_frontiers = of(Question::Frontier).unwrap_or_default();
    // A round that a remembered refutation decides is no solve run.
    let runs = asked(&of_targets).max(asked(&of_frontiers));
    format!(
        "{} test runs, {runs} solve runs, {calls} solver calls, {} unsat targets",
        numbers.tests, of_targets.unsat
    )
}

/// `5: core 3, facts 2`.
fn sum(parts: &BTreeMap<&'static str, u64>) -> String {
    let all: u64 = parts.values().sum();
    let some = parts.iter().filter(|(_, n)| **n > 0);
    let some: Vec<String> = some.map(|(name, n)| format!("{name} {n}")).collect();
    if some.is_empty() {
        all.to_string()
    } else {
        format!("{all}: {}", some.join(", "))
    }
}

fn questions(by_kind: &BTreeMap<&'static str, Answers>) -> String {
    let mut out = String::new();
    let mut row = |name: &str, words: [&str; 5]| {
        let [asked, sat, unsat, unknown, time] = words;
        let _ = writeln!(
            out,
            "  {name:<20} {asked:>7} {sat:>7} {unsat:>7} {unknown:>7} {time:>9}"
        );
    };
    row("questions", ["asked", "sat", "unsat", "unknown", "seconds"]);
    let mut all = Answers::default();
    let mut answers = |name: &str, a: Answers| {
        let asked = a.sat + a.unsat + a.unknown;
        let numbers = [asked, a.sat, a.unsat, a.unknown].map(|n| n.to_string());
        let [asked, sat, unsat, unknown] = &numbers;
        row(
            name,
            [asked, sat, unsat, unknown, &format!("{:.3}", a.seconds)],
        );
    };
    for kind in Question::ALL {
        let a = by_kind.get(kind.word()).copied().unwrap_or_default();
        if a.sat + a.unsat + a.unknown > 0 {
            answers(&format!("  {}", kind.word()), a);
            all.sat += a.sat;
            all.unsat += a.unsat;
            all.unknown += a.unknown;
            all.seconds += a.seconds;
        }
    }
    answers("  all", all);
    out
}
