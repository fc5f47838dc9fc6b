//! Verdicts. `Safe` carries its proof and `Unsafe` its test; there is no other way to make them.

use crate::smash::summaries::Summary;
use crate::smash::summaries::Use;
use attest_exec::Inputs;
use attest_model::{BailKind, Check, Loc};
use attest_term::Term;
use std::sync::Arc;

/// What the engine says.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution violates the property.
    Safe(Proof),
    /// This test violates it.
    Unsafe(FailingTest),
    /// Not decided, and why.
    Unknown(Reason),
}

/// An invariant a location: inductive over the edges and false at the error.
#[derive(Clone, Debug)]
pub struct Proof {
    /// Invariants over the state's vocabulary; locations that are not here have `true`.
    pub invariants: Vec<(Loc, Term)>,
    /// Summaries that they use at calls.
    pub uses: Vec<Use>,
    /// The summaries that are used, by number; their ghosts have the names of proofs.
    pub summaries: Vec<(usize, Summary)>,
    /// Kinds that the proof does not exclude: a run ends there.
    pub assumed: Vec<BailKind>,
    /// Whether it excludes calls of error functions.
    pub asserts: bool,
    /// Single checks that it does not exclude.
    pub excused: Vec<Check>,
}

/// Inputs on which the interpreter violated a check.
#[derive(Clone, Debug)]
pub struct FailingTest {
    /// The inputs.
    pub inputs: Arc<Inputs>,
    /// The check.
    pub check: Check,
    /// The error function that was called, or what is wrong.
    pub what: Arc<str>,
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit.
    Time,
    /// The caller asked to stop.
    Interrupted,
    /// The effort that was allowed after a violation is spent.
    Enough,
    /// Too many regions, nodes or iterations.
    Size,
    /// An execution ends in undefined or unsupported behaviour.
    LeavesModel {
        /// How.
        kind: BailKind,
        /// What and where, in words.
        what: String,
    },
    /// Every frontier was tried and none could be decided.
    Stuck(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Time => f.write_str("time limit"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Enough => f.write_str("not looked at further after a violation"),
            Reason::Size => f.write_str("the abstraction grew too large"),
            Reason::LeavesModel { what, .. } => write!(f, "an execution stops: {what}"),
            Reason::Stuck(why) => write!(f, "nothing more to try: {why}"),
        }
    }
}
