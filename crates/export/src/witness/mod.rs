//! Witnesses of the software-verification community, written and read.
//!
//! A violation witness is a way to the error: waypoints that a failing run
//! passes. A correctness witness has invariants. [`yaml`] is format 2.0 and
//! [`graphml`] format 1.0; both are written from and read into the types here.
//! What is wrong with a witness by itself is found while reading; whether its
//! claims are true is a question about an instrumented program
//! ([`crate::instrument`]).

pub mod graphml;
mod make;
pub mod time;
pub mod yaml;

pub use make::{correctness, violation};

use attest_proof::DataModel;

/// Why a witness is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is wrong, and why.
    Wrong(String),
    /// It may be right, but uses what is not supported here.
    Unsupported(String),
}

/// Says that a witness is wrong.
pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Wrong(why.into()))
}

/// A witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What it is about.
    pub about: About,
    /// What it says.
    pub content: Content,
}

/// What a witness is about, and who made it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The program's files with the SHA-256 of their contents.
    pub files: Vec<(String, String)>,
    /// The property, as in a property file.
    pub specification: String,
    /// The widths of types.
    pub data_model: DataModel,
    /// When it was made, as ISO 8601.
    pub creation_time: String,
    /// Its own name.
    pub uuid: String,
    /// The function where the program starts.
    pub entry: String,
}

/// What a witness says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Invariants.
    Correctness(Vec<Claim>),
    /// Segments, each any number of waypoints to avoid and then one to follow.
    Violation(Vec<Vec<Waypoint>>),
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// It is about a loop, and not about a statement.
    pub of_loop: bool,
    /// All that is known of its place are lines: that of the statement before it, and in
    /// `next` that of the one after it.
    pub loose: bool,
    /// The line of what comes next, if the witness has it.
    pub next: Option<u32>,
    /// Where.
    pub location: Location,
    /// A C expression.
    pub value: String,
}

/// A place of a witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
    /// The function that is called there, if only the line is known.
    pub callee: Option<String>,
}

/// What a run passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What happens there.
    pub what: What,
    /// It is to be avoided, and not to be followed.
    pub avoid: bool,
    /// What holds then.
    pub constraint: Option<String>,
    /// Where.
    pub location: Location,
}

impl Waypoint {
    /// It has no more than a line, where it may not fit.
    pub fn is_loose(&self) -> bool {
        self.location.column.is_none() && matches!(self.what, What::Afterwards | What::Branching)
    }
}

/// What happens at a waypoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A statement is about to be executed.
    Assumption,
    /// A statement has been executed (GraphML).
    Afterwards,
    /// A condition is decided.
    Branching,
    /// A function is called.
    Enter,
    /// A call has returned.
    Return,
    /// The property is violated.
    Target,
}

impl What {
    /// The word of format 2.0.
    pub fn word(self) -> &'static str {
        match self {
            What::Assumption | What::Afterwards => "assumption",
            What::Branching => "branching",
            What::Enter => "function_enter",
            What::Return => "function_return",
            What::Target => "target",
        }
    }
}

/// A property as `CHECK( init(main()), LTL(G ! call(f())) )`, a line for each function.
pub fn specification(entry: &str, errors: &[String]) -> String {
    let line = |error: &String| format!("CHECK( init({entry}()), LTL(G ! call({error}())) )");
    let lines: Vec<String> = errors.iter().map(line).collect();
    lines.join("\n")
}

/// Reads a witness of either format.
pub fn read(text: &str) -> Result<Witness, Problem> {
    match text.trim_start().starts_with('<') {
        true => graphml::read(text),
        false => yaml::read(text),
    }
}

/// The segments of a violation witness are well formed.
pub(crate) fn check_segments(segments: &[Vec<Waypoint>]) -> Result<(), Problem> {
    let Some((last, before)) = segments.split_last() else {
        return wrong("a violation witness has at least one segment");
    };
    for segment in segments {
        let follows = segment.iter().filter(|w| !w.avoid).count();
        if follows != 1 || segment.last().is_some_and(|w| w.avoid) {
            return wrong("a segment ends with its one waypoint to follow");
        }
        let targets = segment.iter().filter(|w| w.what == What::Target);
        if targets.clone().any(|w| w.avoid) {
            return wrong("a target is not to be avoided");
        }
        if targets.clone().any(|w| w.constraint.is_some()) {
            return wrong("a target has no constraint");
        }
        let needs = |w: &&Waypoint| {
            matches!(w.what, What::Assumption | What::Branching) && w.constraint.is_none()
        };
        if segment.iter().any(|w| needs(&w)) {
            return wrong("an assumption and a branching have a constraint");
        }
    }
    let is_target = |segment: &Vec<Waypoint>| segment.last().map(|w| w.what) == Some(What::Target);
    if before.iter().any(is_target) {
        return wrong("only the last segment ends with a target");
    }
    match is_target(last) {
        true => Ok(()),
        false => wrong("the last segment ends with the target"),
    }
}
