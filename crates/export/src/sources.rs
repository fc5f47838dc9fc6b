//! The program's source files as lines, for whoever quotes them.
//!
//! Whoever calls reads the files; here is only what they contain.

use std::collections::BTreeMap;

/// Files by the names that places use.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Vec<String>>);

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &str) {
        let lines = text.lines().map(str::to_owned).collect();
        self.0.insert(name.to_owned(), lines);
    }

    /// A line of a file, from 1; empty if it is not known.
    pub fn line(&self, file: &str, line: u32) -> &str {
        let lines = self.0.get(file);
        let at = (line as usize).checked_sub(1);
        lines
            .zip(at)
            .and_then(|(lines, at)| lines.get(at))
            .map_or("", String::as_str)
    }

    /// Files with their lines, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0
            .iter()
            .map(|(name, lines)| (name.as_str(), lines.as_slice()))
    }
}
