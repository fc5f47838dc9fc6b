//! What configurations decided and what that cost, a line for each, as in the papers' tables.
//!
//! SMASH's table 2 has proofs, bugs, time-outs and time; its figure 12 how many summaries of
//! which kind were used in proofs and in bugs. A run that used up its time counts as
//! long as its limit in the time of all, so that giving up early does not look fast.

use super::table::Row;
use std::fmt::Write;

/// Of one configuration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    /// Proofs,
    pub safe: usize,
    /// failing tests,
    pub fails: usize,
    /// runs that used up their time,
    pub late: usize,
    /// and other runs without a verdict.
    pub unknown: usize,
    /// Runs that could not be.
    pub error: usize,
    /// Verdicts that are not the expected ones.
    pub wrong: usize,
    /// The points of SV-COMP.
    pub score: i64,
    /// Processor time of all runs; at least the limit of those that used up their time.
    pub seconds: f64,
    /// The same of those that all configurations decided.
    pub common: f64,
    /// Not-may summaries that were used in proofs and in bugs.
    pub not_may: [u64; 2],
    /// Must summaries that were used in proofs and in bugs.
    pub must: [u64; 2],
}

impl Totals {
    /// Of some rows, and which of them are decided by all.
    pub fn of<'r>(rows: impl Iterator<Item = (&'r Row, bool)>) -> Totals {
        let mut all = Totals::default();
        for (row, common) in rows {
            let verdict = match row.verdict.as_str() {
                "safe" => &mut all.safe,
                "unsafe" => &mut all.fails,
                "unknown" if row.is_late() => &mut all.late,
                "unknown" => &mut all.unknown,
                _ => &mut all.error,
            };
            *verdict += 1;
            all.wrong += usize::from(row.is_wrong());
            all.score += row.score();
            all.seconds += match row.is_late() {
                true => row.cpu.max(row.limit),
                false => row.cpu,
            };
            if common {
                all.common += row.cpu;
            }
            if row.is_decided() {
                let bug = usize::from(row.verdict == "unsafe");
                all.not_may[bug] += row.count("not-may-used").unwrap_or(0);
                all.must[bug] += row.count("must-used").unwrap_or(0);
            }
        }
        all
    }

    /// The names of the columns.
    pub const HEAD: [&str; 9] = [
        "safe", "unsafe", "time-out", "unknown", "error", "wrong", "score", "seconds", "common",
    ];

    /// The cells below them.
    pub fn cells(&self) -> [String; 9] {
        [
            self.safe.to_string(),
            self.fails.to_string(),
            self.late.to_string(),
            self.unknown.to_string(),
            self.error.to_string(),
            self.wrong.to_string(),
            self.score.to_string(),
            format!("{:.2}", self.seconds),
            format!("{:.2}", self.common),
        ]
    }

    /// The names of the columns about summaries.
    pub const SUMMARIES: [&str; 4] = [
        "not-may in proofs",
        "must in proofs",
        "not-may in bugs",
        "must in bugs",
    ];

    /// The cells below them: how many, and which part of both kinds.
    pub fn summaries(&self) -> [String; 4] {
        let share = |some: u64, all: u64| match all {
            0 => "0".into(),
            all => format!("{some} ({:.0}%)", some as f64 * 100.0 / all as f64),
        };
        let of = |kind: [u64; 2], bug: usize| share(kind[bug], self.not_may[bug] + self.must[bug]);
        [
            of(self.not_may, 0),
            of(self.must, 0),
            of(self.not_may, 1),
            of(self.must, 1),
        ]
    }

    /// Whether summaries were used.
    pub fn has_summaries(&self) -> bool {
        self.not_may != [0; 2] || self.must != [0; 2]
    }
}

/// The lines of all configurations, by their names.
pub fn in_words(all: &[(&str, Totals)]) -> String {
    let mut out = lines(all, &Totals::HEAD, |totals| totals.cells().to_vec());
    let decided = all.first().map(|(_, first)| first.common > 0.0);
    if decided == Some(true) && all.len() > 1 {
        out.push_str("common: seconds of the runs that all of them decide\n");
    }
    if all.iter().any(|(_, totals)| totals.has_summaries()) {
        out.push_str("summaries that were used:\n");
        out.push_str(&lines(all, &Totals::SUMMARIES, |totals| {
            totals.summaries().to_vec()
        }));
    }
    out
}

fn lines(all: &[(&str, Totals)], head: &[&str], cells: impl Fn(&Totals) -> Vec<String>) -> String {
    const FIRST: &str = "configuration";
    let width = all.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or(0).max(FIRST.len());
    let mut out = format!("{FIRST:width$}");
    for name in head {
        let _ = write!(out, " {name:>8}");
    }
    out.push('\n');
    for (name, totals) in all {
        let _ = write!(out, "{name:width$}");
        for (name, cell) in head.iter().zip(cells(totals)) {
            let width = name.len().max(8);
            let _ = write!(out, " {cell:>width$}");
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_verifier::answer::TIME;

    fn row(verdict: &str, reason: &str, cpu: f64, used: [u64; 2]) -> Row {
        let mut row = Row {
            verdict: verdict.into(),
            reason: reason.into(),
            expected: "safe".into(),
            cpu,
            limit: 60.0,
            ..Row::default()
        };
        row.set_count("not-may-used", used[0]);
        row.set_count("must-used", used[1]);
        row
    }

    #[test]
    fn every_run_is_in_one_column() {
        let late = format!("{TIME} of 60 seconds is used up");
        let rows = [
            row("safe", "", 1.0, [3, 1]),
            row("unsafe", "", 2.0, [1, 4]),
            row("unknown", &late, 55.5, [100, 100]),
            row("unknown", &late, 61.0, [0, 0]),
            row("unknown", "an execution stops", 0.5, [7, 0]),
            row("error", "no", 0.25, [0, 0]),
        ];
        let common = [true, false, false, false, false, false];
        let totals = Totals::of(rows.iter().zip(common));
        let expected = Totals {
            safe: 1,
            fails: 1,
            late: 2,
            unknown: 1,
            error: 1,
            wrong: 1,
            score: 2 - 16,
            seconds: 1.0 + 2.0 + 60.0 + 61.0 + 0.5 + 0.25,
            common: 1.0,
            not_may: [3, 1],
            must: [1, 4],
        };
        assert_eq!(totals, expected);
        let words = in_words(&[("smash", totals), ("dash", Totals::default())]);
        assert!(
            words.contains("3 (75%)") && words.contains("4 (80%)"),
            "{words}"
        );
        assert!(!in_words(&[("dash", Totals::default())]).contains("summaries"));
    }
}
