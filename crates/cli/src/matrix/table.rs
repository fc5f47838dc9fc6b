//! The table of results: a header and a line for each run, with tabs.
//!
//! It is read again when a suite goes on and when tables are compared. A line
//! that is not whole, because its writer was killed, is no line.

use super::plan::Run;
use super::totals::{self, Totals};
use crate::exit::Failure;
use attest_verifier::answer::TIME;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// What is counted in a run of attest.
pub const COUNTS: [&str; 12] = [
    "iterations",
    "tests",
    "regions",
    "questions",
    "splits",
    "predicates",
    "invariants",
    "not-may",
    "not-may-used",
    "must",
    "must-used",
    "memory-mb",
];

const FIRST: [&str; 10] = [
    "program",
    "size",
    "property",
    "configuration",
    "expected",
    "verdict",
    "cpu",
    "wall",
    "limit",
    "reason",
];

/// One result.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// The program,
    pub program: String,
    /// its size in a family,
    pub size: Option<u32>,
    /// the property,
    pub property: String,
    /// and the configuration or tool.
    pub configuration: String,
    /// `safe`, `unsafe` or nothing.
    pub expected: String,
    /// `safe`, `unsafe`, `unknown` or `error`.
    pub verdict: String,
    /// Seconds of processor time; those on the clock where it is not known.
    pub cpu: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds that it had.
    pub limit: f64,
    /// Why it is unknown, or what went wrong.
    pub reason: String,
    /// The counts, where there are any.
    pub counts: [Option<u64>; COUNTS.len()],
    /// A number of all that the outcome depends on.
    pub stamp: String,
}

impl Row {
    /// Whether it is the result of this run.
    pub fn is_of(&self, run: &Run) -> bool {
        self.program == run.program
            && self.size == run.size
            && self.property == run.property
            && self.configuration == run.configuration
    }

    /// Whether there is a verdict.
    pub fn is_decided(&self) -> bool {
        ["safe", "unsafe"].contains(&self.verdict.as_str())
    }

    /// Whether the verdict is not the expected one.
    pub fn is_wrong(&self) -> bool {
        self.is_decided() && !self.expected.is_empty() && self.expected != self.verdict
    }

    /// Whether it has no verdict because its time was used up.
    pub fn is_late(&self) -> bool {
        self.verdict == "unknown" && self.reason.starts_with(TIME)
    }

    /// A count by its name.
    pub fn count(&self, name: &str) -> Option<u64> {
        let at = COUNTS.iter().position(|n| *n == name)?;
        self.counts[at]
    }

    /// Sets a count by its name.
    #[cfg(test)]
    pub fn set_count(&mut self, name: &str, value: u64) {
        let at = COUNTS.iter().position(|n| *n == name);
        self.counts[at.expect("a count")] = Some(value);
    }

    /// The points of SV-COMP.
    pub fn score(&self) -> i64 {
        match (self.verdict.as_str(), self.is_wrong()) {
            ("safe", false) => 2,
            ("unsafe", false) => 1,
            ("safe", true) => -32,
            ("unsafe", true) => -16,
            _ => 0,
        }
    }

    fn line(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let mut line = String::new();
        for text in [
            &self.program,
            &self.size.map(|n| n.to_string()).unwrap_or_default(),
            &self.property,
            &self.configuration,
            &self.expected,
            &self.verdict,
        ] {
            line.push_str(&clean(text));
            line.push('\t');
        }
        let _ = write!(
            line,
            "{:.3}\t{:.3}\t{}\t{}\t",
            self.cpu,
            self.wall,
            self.limit,
            clean(&self.reason)
        );
        for count in self.counts {
            let _ = write!(
                line,
                "{}\t",
                count.map(|n| n.to_string()).unwrap_or_default()
            );
        }
        line + &clean(&self.stamp) + "\n"
    }

    fn read(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != FIRST.len() + COUNTS.len() + 1 {
            return None;
        }
        let mut counts = [None; COUNTS.len()];
        for (count, cell) in counts.iter_mut().zip(&cells[FIRST.len()..]) {
            *count = match *cell {
                "" => None,
                cell => Some(cell.parse().ok()?),
            };
        }
        Some(Row {
            program: cells[0].into(),
            size: match cells[1] {
                "" => None,
                cell => Some(cell.parse().ok()?),
            },
            property: cells[2].into(),
            configuration: cells[3].into(),
            expected: cells[4].into(),
            verdict: cells[5].into(),
            cpu: cells[6].parse().ok()?,
            wall: cells[7].parse().ok()?,
            limit: cells[8].parse().ok()?,
            reason: cells[9].into(),
            counts,
            stamp: cells[cells.len() - 1].into(),
        })
    }
}

fn header() -> String {
    let names: Vec<&str> = FIRST.iter().chain(&COUNTS).copied().collect();
    names.join("\t") + "\tstamp\n"
}

/// A table that is written to.
#[derive(Debug)]
pub struct Table {
    file: File,
    name: String,
}

impl Table {
    /// Opens a table for more rows, with those that it has.
    pub fn open(path: &Path) -> Result<(Table, Vec<Row>), Failure> {
        let rows = match path.exists() {
            true => Table::read(path)?,
            false => Vec::new(),
        };
        // What is left of a line that was never finished goes here.
        Table::write(path, &rows)?;
        let name = path.display().to_string();
        let file = File::options().append(true).open(path);
        let file = file.map_err(|why| cannot_write(&name, &why))?;
        Ok((Table { file, name }, rows))
    }

    /// The rows of a table.
    pub fn read(path: &Path) -> Result<Vec<Row>, Failure> {
        let name = path.display();
        let text = std::fs::read(path)
            .map_err(|why| Failure::input(format!("{name}: the table cannot be read: {why}")))?;
        let text = String::from_utf8_lossy(&text);
        let Some(rows) = text.strip_prefix(header().as_str()) else {
            return Err(Failure::input(format!(
                "{name}: this is no table of attest suite; give its name with --table, or move it away"
            )));
        };
        let whole = rows
            .split_inclusive('\n')
            .filter_map(|l| l.strip_suffix('\n'));
        Ok(whole.filter_map(Row::read).collect())
    }

    /// Adds a row, as one piece.
    pub fn append(&mut self, row: &Row) -> Result<(), Failure> {
        let written = self.file.write_all(row.line().as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(|why| cannot_write(&self.name, &why))
    }

    /// Writes a whole table in place of what there was.
    pub fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
        let name = path.display().to_string();
        let text: String = rows.iter().map(Row::line).collect();
        let draft = path.with_extension("tsv.new");
        std::fs::write(&draft, header() + &text)
            .and_then(|()| std::fs::rename(&draft, path))
            .map_err(|why| cannot_write(&name, &why))
    }
}

fn cannot_write(name: &str, why: &std::io::Error) -> Failure {
    Failure::input(format!("{name}: the table cannot be written: {why}"))
}

/// The configurations of some rows, in the order in which they come.
pub fn configurations(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.configuration.as_str()) {
            names.push(&row.configuration);
        }
    }
    names
}

/// A line for each configuration: what it decided and what that cost.
pub fn summary(rows: &[Row]) -> String {
    let names = configurations(rows);
    let key = |row: &Row| (row.program.clone(), row.size, row.property.clone());
    let mut decided: BTreeMap<_, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_decided()) {
        *decided.entry(key(row)).or_default() += 1;
    }
    let common = |row: &Row| decided.get(&key(row)) == Some(&names.len());
    let totals = |name: &&str| {
        let mine = rows.iter().filter(|row| row.configuration == *name);
        Totals::of(mine.map(|row| (row, common(row))))
    };
    let all: Vec<_> = names.iter().map(|name| (*name, totals(name))).collect();
    totals::in_words(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let mut row = Row {
            program: "a.c".into(),
            size: Some(4),
            configuration: "dash".into(),
            verdict: "unknown".into(),
            cpu: 1.25,
            wall: 2.5,
            limit: 20.0,
            reason: "two\tlines\nof reason".into(),
            stamp: "12".into(),
            ..Row::default()
        };
        row.counts[3] = Some(17);
        let line = row.line();
        let read = Row::read(line.trim_end_matches('\n')).expect("a row");
        row.reason = "two lines of reason".into();
        assert_eq!(read, row);
        for cut in 1..line.len() - 1 {
            let part = &line[..cut];
            let partial = Row::read(part);
            assert!(partial.is_none_or(|r| r.stamp.len() < 2), "{part}");
        }
    }
}
