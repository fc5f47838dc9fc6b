//! What the tools say about a violation.

use super::finding::{FoundAt, blind_spot, silence_counts};
use super::tool::Family;
use attest_model::BailKind;
use std::fmt;

/// What a native run says about a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// A tool finds the same at the same line.
    Confirmed {
        /// The tool,
        tool: Family,
        /// what it calls that,
        finding: &'static str,
        /// and where.
        at: FoundAt,
    },
    /// A tool finds the same, but at another line.
    OtherLine {
        /// The tool,
        tool: Family,
        /// what it calls that,
        finding: &'static str,
        /// and where, if it says so.
        at: Option<FoundAt>,
    },
    /// A tool finds something else.
    OtherKind {
        /// The tool,
        tool: Family,
        /// what it calls that,
        finding: &'static str,
        /// and where, if it says so.
        at: Option<FoundAt>,
    },
    /// The run ended without a finding.
    NotFound {
        /// The tool.
        tool: Family,
        /// What was looked for.
        kind: BailKind,
        /// The status; none if a signal ended it.
        status: Option<i32>,
    },
    /// The program cannot be built so.
    CannotBuild(String),
    /// No tool for it is here.
    NotAvailable(String),
    /// The run did not end in time.
    TimedOut,
}

impl Confirmation {
    /// Whether a tool has found the violation.
    pub fn is_confirmed(&self) -> bool {
        matches!(self, Confirmation::Confirmed { .. })
    }

    /// Whether it speaks against the violation: a run to the end in which nothing is found,
    /// and a kind that is always found. The caller has to know that the run was given all
    /// that the test says, and that the violation is not inside a library function.
    pub fn contradicts(&self) -> bool {
        match self {
            Confirmation::NotFound { kind, status, .. } => {
                status.is_some() && silence_counts(*kind)
            }
            _ => false,
        }
    }

    /// How much it says, for the choice between several attempts.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Confirmation::Confirmed { .. } => 6,
            Confirmation::OtherLine { .. } => 5,
            Confirmation::OtherKind { .. } => 4,
            Confirmation::NotFound { .. } => 3,
            Confirmation::TimedOut => 2,
            Confirmation::CannotBuild(_) => 1,
            Confirmation::NotAvailable(_) => 0,
        }
    }
}

/// ` at FILE:LINE`, or nothing.
struct At<'a>(&'a Option<FoundAt>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(at) => write!(f, " at {at}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Confirmation::Confirmed { tool, finding, at } => {
                write!(f, "{tool} confirms it: {finding} at {at}")
            }
            Confirmation::OtherLine { tool, finding, at } => {
                write!(
                    f,
                    "{tool} finds the same at another place: {finding}{}",
                    At(at)
                )
            }
            Confirmation::OtherKind { tool, finding, at } => {
                write!(f, "{tool} finds something else: {finding}{}", At(at))
            }
            Confirmation::NotFound { tool, kind, status } => {
                let end = match status {
                    Some(status) => format!("the run ends with status {status}"),
                    None => "a signal ends the run".into(),
                };
                write!(f, "{tool} does not see it, {end}: {}", blind_spot(*kind))
            }
            Confirmation::CannotBuild(why) => {
                let first = why.lines().next().unwrap_or_default();
                write!(
                    f,
                    "not confirmed: it does not build with a sanitizer: {first}"
                )
            }
            Confirmation::NotAvailable(why) => write!(f, "not confirmed: {why}"),
            Confirmation::TimedOut => {
                f.write_str("not confirmed: the run does not end within the time limit")
            }
        }
    }
}
