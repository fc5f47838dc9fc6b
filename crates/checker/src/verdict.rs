//! The checker's results, as values and as text.

use crate::open::Open;
use crate::state::Value;
use attest_model::graph::Loc;
use attest_model::{BailKind, Class, InputKind, ObjectId, Program};
use attest_proof::Overflow;
use attest_solver::Model;
use attest_term::{Terms, Value as Number};
use std::fmt;

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a proof that is not accepted proves nothing"]
pub enum CheckResult {
    /// Every edge was confirmed.
    Accepted(Accepted),
    /// An edge was refuted.
    Rejected(Failure),
    /// An edge could be neither confirmed nor refuted.
    Undecided(Failure),
}

/// The confirmed claims and their assumptions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Accepted {
    /// The number of edges; of an unwinding, that of executed instructions.
    pub edges: usize,
    /// Whether all executions were unwound.
    pub unwound: bool,
    /// The number of confirmed summaries of procedures.
    pub summaries: usize,
    /// The number of solver checks.
    pub questions: usize,
    /// The kinds that the proof does not exclude.
    pub assumed: Vec<BailKind>,
    /// Whether it does not exclude calls of error functions.
    pub asserts_end: bool,
    /// Whether memory that is not freed is looked for.
    pub leaks: bool,
    /// Whether values that were never set are looked for.
    pub uninitialised: bool,
    /// The number of single checks that it does not exclude.
    pub excused: usize,
    /// What models of functions assume that the program can call.
    pub assuming: Vec<String>,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Why the proof holds vacuously, if it does.
    pub vacuous: Option<String>,
}

impl Accepted {
    /// What is assumed where this is not excluded.
    pub(crate) fn of(program: &Program, open: &Open, overflow: Overflow) -> Accepted {
        Accepted {
            assumed: open.kinds.clone(),
            asserts_end: open.asserts,
            leaks: open.leaks,
            uninitialised: open.uninitialised,
            excused: open.checks.len(),
            assuming: program.assuming.iter().map(ToString::to_string).collect(),
            overflow,
            ..Accepted::default()
        }
    }

    /// The classes of which the proof excludes all checks that it was asked to.
    pub fn covered(&self) -> Vec<Class> {
        let open = |kind: BailKind| self.assumed.contains(&kind);
        let all = Class::ALL.into_iter();
        all.filter(|class| match class {
            Class::Assert => !self.asserts_end,
            // Wrapped sums are no overflow.
            Class::Overflow => self.overflow == Overflow::Check && !open(BailKind::Overflow),
            // That nothing is left is a proof of both kinds.
            Class::Leak => self.leaks && !open(BailKind::NotFreed),
            Class::Uninitialised if !self.uninitialised => false,
            class => class.kinds().all(|kind| !open(kind)),
        })
        .collect()
    }

    /// Whether a kind that the proof does not exclude is one that can happen at all.
    fn ends_a_run(&self, kind: BailKind) -> bool {
        match kind {
            BailKind::Overflow => self.overflow == Overflow::Check,
            BailKind::Leak | BailKind::NotFreed | BailKind::Uninitialised => false,
            _ => true,
        }
    }
}

/// The first edge that could not be confirmed.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Its source.
    pub source: Loc,
    /// Its source in words; empty where all executions were unwound.
    pub from: String,
    /// Its target in words, or the place of a violation.
    pub to: String,
    /// What fails.
    pub why: String,
    /// A state in the source's invariant for which it fails.
    pub state: Vec<(String, String)>,
    /// For an unwinding, what the environment gives on the way to a violation, in order.
    pub inputs: Vec<InputTaken>,
}

/// A value that an execution takes from the environment.
#[derive(Clone, PartialEq, Debug)]
pub struct InputTaken {
    /// What it stands for.
    pub kind: InputKind,
    /// The value; of a pointer, its address.
    pub value: Number,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from.is_empty(), self.to.is_empty()) {
            (true, true) => write!(f, "{}", self.why)?,
            (true, false) => write!(f, "{} at {}", self.why, self.to)?,
            (false, _) => write!(f, "edge from {} to {}: {}", self.from, self.to, self.why)?,
        }
        for (i, (name, value)) in self.state.iter().enumerate() {
            let before = if i == 0 { "; for instance with " } else { ", " };
            write!(f, "{before}{name} = {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckResult::Rejected(failure) => write!(f, "rejected: {failure}"),
            CheckResult::Undecided(failure) => write!(f, "could not be confirmed: {failure}"),
            CheckResult::Accepted(accepted) => {
                if let Some(why) = &accepted.vacuous {
                    writeln!(f, "warning: the proof is vacuous: {why}")?;
                }
                let (ends, not): (Vec<BailKind>, Vec<BailKind>) = accepted
                    .assumed
                    .iter()
                    .partition(|kind| kind.class().is_some());
                let covered = accepted.covered();
                let covered: Vec<&str> = covered.iter().map(|class| class.word()).collect();
                match covered.is_empty() {
                    true => writeln!(f, "proved: nothing of any class")?,
                    false => writeln!(f, "proved: {}", covered.join(", "))?,
                }
                let mut ends: Vec<&str> = ends
                    .iter()
                    .filter(|kind| accepted.ends_a_run(**kind))
                    .map(|kind| kind.word())
                    .collect();
                if accepted.asserts_end {
                    ends.push("calls of error functions");
                }
                if !ends.is_empty() {
                    writeln!(f, "ends a run: {}", ends.join(", "))?;
                }
                if accepted.excused > 0 {
                    let all = if accepted.excused == 1 {
                        "check"
                    } else {
                        "checks"
                    };
                    writeln!(f, "excused: {} {all}", accepted.excused)?;
                }
                let mut assumed: Vec<&str> = not.iter().map(|kind| kind.word()).collect();
                if accepted.overflow == Overflow::Assume {
                    assumed.push("signed overflow");
                }
                if !assumed.is_empty() {
                    writeln!(f, "assumed not to happen: {}", assumed.join(", "))?;
                }
                if !accepted.assuming.is_empty() {
                    writeln!(f, "assuming: {}", accepted.assuming.join(", "))?;
                }
                if accepted.summaries > 0 {
                    writeln!(f, "summaries checked: {}", accepted.summaries)?;
                }
                let (edges, questions) = (accepted.edges, accepted.questions);
                match accepted.unwound {
                    true => writeln!(
                        f,
                        "all executions unwound: {edges} instructions, with {questions} solver calls"
                    )?,
                    false => writeln!(f, "edges checked: {edges}, with {questions} solver calls")?,
                }
                write!(f, "accepted")
            }
        }
    }
}

/// The values of parts of the state in a model.
pub(crate) fn describe(
    program: &Program,
    terms: &Terms,
    model: &Model,
    parts: &[(String, Value)],
) -> Vec<(String, String)> {
    let number = |term| model.value(terms, term);
    let words = |value: Value| match value {
        Value::One(term) => match number(term) {
            Number::Bv(bits) => match bits.to_i128() {
                Some(n) if bits.width() > 1 => n.to_string(),
                _ => bits.low_u64().to_string(),
            },
            other => other.to_string(),
        },
        Value::Ptr(p) => {
            let (object, offset) = (number(p.object).low_u64(), number(p.offset).low_u64());
            match program.object(ObjectId(object as u32)) {
                _ if object == 0 && offset == 0 => "null".to_owned(),
                _ if object == 0 => format!("{offset:#x}"),
                Some(known) => format!("&{}+{offset}", known.name),
                None => format!("&object {object}+{offset}"),
            }
        }
    };
    parts
        .iter()
        .map(|(name, value)| (name.clone(), words(*value)))
        .collect()
}
