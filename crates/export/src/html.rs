//! A check as one page for a browser: no network, no other file.
//!
//! The page is `report.html`, which has its style and its script; the check is
//! put into it as JSON. A test opens it in a browser and clicks through it.

use crate::coverage::Lines;
use crate::history::History;
use crate::proof::LoopInvariant;
use crate::sources::Sources;
use crate::story::Line;
use serde::Serialize;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("report.html");

/// What the page shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// What to do about that.
    pub next_step: Option<String>,
    /// What must not be called.
    pub errors: Vec<String>,
    /// What a proof assumes.
    pub assumptions: Vec<String>,
    /// The environment's answers in order, in words.
    pub inputs: Vec<String>,
    /// Source files in order.
    pub files: Vec<SourceFile>,
    /// The failing run.
    pub trace: Vec<Line>,
    /// Steps before it that were not recorded.
    pub unrecorded: u64,
    /// How many tests executed a line.
    pub coverage: Lines,
    /// How many tests those were.
    pub tests: usize,
    /// Invariants of loops.
    pub invariants: Vec<LoopInvariant>,
    /// What the engine did.
    pub history: Option<History>,
    /// Seconds by phase.
    pub seconds: BTreeMap<String, f64>,
    /// Other numbers.
    pub numbers: BTreeMap<String, u64>,
    /// Who made it.
    pub version: String,
}

/// A source file.
#[derive(Clone, Debug, Serialize)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// The files of sources that have text.
pub fn files(sources: &Sources) -> Vec<SourceFile> {
    let known = sources.files().filter(|(_, lines)| !lines.is_empty());
    known
        .map(|(name, lines)| SourceFile {
            name: name.to_owned(),
            lines: lines.to_vec(),
        })
        .collect()
}

/// The page as text.
pub fn write(page: &Page) -> String {
    let data = serde_json::to_string(page).unwrap_or_default();
    // Nothing inside of the data may end the script that it is in.
    let data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--");
    PAGE.replacen("/*DATA*/", &data, 1)
}
