//! Not-may summaries of procedures in a proof (algorithm notes 5.4 and 7.2).

use crate::{Invariant, ProofError};
use attest_model::BailKind;
use attest_model::graph::Outcome;
use serde::{Deserialize, Serialize};

/// A rigid value that a summary holds for, whatever it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ghost {
    /// `s<ID>.z<N>`, with the summary's number and this one's.
    pub name: String,
    /// Its sort, as SMT-LIB writes it.
    pub sort: String,
}

/// A summary of the callee that a map uses at a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryUse {
    /// The location before the call.
    pub location: u32,
    /// Its position in the code: a cross-check.
    pub position: String,
    /// The summary's number.
    pub summary: u32,
    /// What its ghosts are here: SMT-LIB terms over the caller's state before
    /// the call and over the ghosts of the caller's own map.
    pub ghosts: Vec<String>,
}

/// For all values of the ghosts: no execution of the function that starts in
/// its invariant at the entry ends with the outcome in a state of `post`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Its number, which uses name it by.
    pub id: u32,
    /// The function's name.
    pub function: String,
    /// The function's number in the model.
    pub number: u32,
    /// `return`, `error`, or `bail:` and the word of a kind.
    pub outcome: String,
    /// Its ghosts.
    #[serde(default)]
    pub ghosts: Vec<Ghost>,
    /// The states that are not reached; `true` unless the outcome is `return`.
    pub post: String,
    /// The invariants; that of the entry is the precondition.
    pub invariants: Vec<Invariant>,
    /// The summaries of callees that it uses.
    #[serde(default)]
    pub calls: Vec<SummaryUse>,
}

impl Summary {
    /// The outcome that the summary excludes.
    pub fn outcome(&self) -> Result<Outcome, ProofError> {
        let word = &*self.outcome;
        let kind = |word: &str| BailKind::ALL.iter().copied().find(|k| k.word() == word);
        let outcome = match word.split_once(':') {
            None if word == "return" => Some(Outcome::Return),
            None if word == "error" => Some(Outcome::Error),
            Some(("bail", word)) => kind(word).map(Outcome::Bail),
            _ => None,
        };
        outcome.ok_or_else(|| ProofError(format!("summary {}: no outcome `{word}`", self.id)))
    }
}

/// An outcome as proofs write it; the end of the program is never excluded.
pub fn outcome_text(outcome: Outcome) -> Option<String> {
    match outcome {
        Outcome::Return => Some("return".to_owned()),
        Outcome::Error => Some("error".to_owned()),
        Outcome::Bail(kind) => Some(format!("bail:{}", kind.word())),
        Outcome::Halt => None,
    }
}
