//! Results beside each other: a column for each configuration, a row for each program.

use crate::exit::Failure;
use crate::matrix::table::{Row, Table, configurations};
use crate::matrix::totals::{self, Totals};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A program with its size and property.
pub type Key = (String, Option<u32>, String);

/// One configuration of a table.
#[derive(Debug)]
pub struct Column {
    /// Its name; with that of the table where several tables have it.
    pub name: String,
    /// Its results.
    pub rows: BTreeMap<Key, Row>,
}

/// All columns.
#[derive(Debug)]
pub struct Columns {
    /// In the order of the command line and the tables.
    pub columns: Vec<Column>,
    /// Every program that some column has, in the order in which they come.
    pub keys: Vec<Key>,
}

impl Columns {
    /// Reads tables; `TABLE.tsv:NAME` is one configuration of a table.
    pub fn read(names: &[String]) -> Result<Columns, Failure> {
        let mut columns: Vec<Column> = Vec::new();
        let mut keys: Vec<Key> = Vec::new();
        for name in names {
            let (file, only) = match name.rsplit_once(':') {
                Some((file, only)) if !Path::new(name).exists() => (file, Some(only)),
                _ => (name.as_str(), None),
            };
            let rows = Table::read(Path::new(file))?;
            let found = configurations(&rows);
            if let Some(only) = only
                && !found.contains(&only)
            {
                return Err(Failure::usage(format!(
                    "{file} has no configuration {only}; it has {}",
                    found.join(", ")
                )));
            }
            if rows.is_empty() {
                return Err(Failure::input(format!(
                    "{file}: there are no results in it"
                )));
            }
            for configuration in found {
                if only.is_some_and(|only| only != configuration) {
                    continue;
                }
                let mut column = Column {
                    name: configuration.into(),
                    rows: BTreeMap::new(),
                };
                if columns.iter().any(|c| c.name == configuration) {
                    column.name = format!("{configuration} ({file})");
                }
                for row in rows.iter().filter(|r| r.configuration == configuration) {
                    let key = (row.program.clone(), row.size, row.property.clone());
                    if !keys.contains(&key) {
                        keys.push(key.clone());
                    }
                    column.rows.insert(key, row.clone());
                }
                columns.push(column);
            }
        }
        Ok(Columns { columns, keys })
    }

    /// Programs that one column calls safe and another unsafe.
    pub fn disagree(&self) -> Vec<&Key> {
        let says = |key: &Key, verdict: &str| {
            let rows = self.columns.iter().filter_map(|c| c.rows.get(key));
            rows.into_iter().any(|row| row.verdict == verdict)
        };
        let both = |key: &&Key| says(key, "safe") && says(key, "unsafe");
        self.keys.iter().filter(both).collect()
    }

    /// The first column with each of the others.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        let others = self.columns.iter().skip(1);
        others.map(|b| Pair {
            a: &self.columns[0],
            b,
        })
    }

    /// What each column comes to.
    pub fn totals(&self) -> Vec<Totals> {
        let decides =
            |column: &Column, key: &Key| column.rows.get(key).is_some_and(Row::is_decided);
        let common = |key: &Key| self.columns.iter().all(|column| decides(column, key));
        let of =
            |column: &Column| Totals::of(column.rows.iter().map(|(key, row)| (row, common(key))));
        self.columns.iter().map(of).collect()
    }

    /// The summary of all columns and the comparison with the first.
    pub fn in_words(&self) -> String {
        let totals = self.totals();
        let names = self.columns.iter().map(|column| column.name.as_str());
        let all: Vec<(&str, Totals)> = names.zip(totals).collect();
        let mut out = totals::in_words(&all);
        for pair in self.pairs() {
            let _ = writeln!(out, "{}", pair.in_words());
        }
        for (program, size, property) in self.disagree() {
            let size = size.map(|n| format!(" [{n}]")).unwrap_or_default();
            let _ = writeln!(out, "DISAGREE: {program}{size} {property}");
        }
        out
    }
}

impl Column {
    /// The times of what it decided rightly, the shortest first, with the points of each.
    pub fn decided(&self) -> Vec<(f64, i64)> {
        let right = |row: &&Row| row.is_decided() && !row.is_wrong();
        let rows = self.rows.values().filter(right);
        let mut times: Vec<(f64, i64)> = rows.map(|row| (row.cpu, row.score())).collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        times
    }
}

/// Two columns.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The first,
    pub a: &'a Column,
    /// and the second.
    pub b: &'a Column,
}

impl Pair<'_> {
    /// The programs that both have.
    pub fn rows(&self) -> Vec<(&Row, &Row)> {
        let a = self.a.rows.iter();
        a.filter_map(|(key, row)| Some((row, self.b.rows.get(key)?)))
            .collect()
    }

    /// What only one of them decides, and how the times of the others compare.
    pub fn in_words(&self) -> String {
        let rows = self.rows();
        let count = |a: bool, b: bool| {
            let fits = |(x, y): &&(&Row, &Row)| x.is_decided() == a && y.is_decided() == b;
            rows.iter().filter(fits).count()
        };
        let both = rows
            .iter()
            .filter(|(x, y)| x.is_decided() && y.is_decided());
        let (mut x, mut y) = (0.0, 0.0);
        for (a, b) in both {
            x += a.cpu;
            y += b.cpu;
        }
        let ratio = match x > 0.0 {
            true => format!(
                "; {} takes {:.2} times as long on those",
                self.b.name,
                y / x
            ),
            false => String::new(),
        };
        format!(
            "{} and {}: both decide {}, only the first {}, only the second {}, none {}{ratio}",
            self.a.name,
            self.b.name,
            count(true, true),
            count(true, false),
            count(false, true),
            count(false, false),
        )
    }
}
