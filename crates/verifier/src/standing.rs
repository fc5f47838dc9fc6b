//! The verdict on each class of checks.

use serde::Serialize;

/// The verdict on one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No run violates a check of it, as long as no other check was violated before.
    Proved,
    /// A run violates one.
    Violated,
    /// Neither is known.
    Undecided,
    /// The program has no check of it.
    Empty,
}

impl Verdict {
    /// A word for people.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Violated => "violated",
            Verdict::Undecided => "undecided",
            Verdict::Empty => "nothing to check",
        }
    }
}

/// A class with its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Standing {
    /// The class.
    pub class: &'static str,
    /// What is known of it.
    pub verdict: Verdict,
    /// Places that runs violate.
    pub violations: usize,
    /// Places that have a check of it.
    pub places: usize,
}
