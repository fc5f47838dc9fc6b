//! What a check answers.
//!
//! The engine's word is not enough: [`Answer::Safe`] holds a proof that the independent
//! checker accepted, and [`Answer::Unsafe`] a test on which the program failed when it was
//! run again. Neither can be built elsewhere (`confirm.rs`), so no other part of the
//! workspace can answer `safe` or `unsafe`:
//!
//! ```compile_fail
//! use attest_verifier::CheckedProof;
//! let proof = CheckedProof {};
//! ```
//!
//! ```compile_fail,E0451
//! use attest_verifier::{Answer, ConfirmedTest};
//! fn forge(test: &ConfirmedTest) -> Answer {
//!     Answer::Unsafe(ConfirmedTest {
//!         place: "elsewhere.c:1:1".into(),
//!         ..test.clone()
//!     })
//! }
//! ```

pub use crate::confirm::{CheckedProof, ConfirmedTest};
use crate::messages;
use std::fmt;
use std::time::Duration;

/// How a check ends.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No run violates a check; the independent checker accepted the proof.
    Safe(CheckedProof),
    /// A run violates one; the program did so on this test when it was run again.
    Unsafe(ConfirmedTest),
    /// The program has nothing of what is asked about, and why.
    Nothing(String),
    /// Neither is known.
    Unknown(Why),
}

/// Why an answer is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A limit of the check was reached.
    Limit(Limit),
    /// The search ended without a proof or a test.
    Undecided(String),
    /// A proof or a test was found and not confirmed.
    Unconfirmed(String),
    /// A witness is wrong.
    Rejected(String),
    /// Neither is known of a witness.
    WitnessUndecided(String),
    /// As the other, and the program calls functions that have no body.
    Missing(Box<Why>, Vec<String>),
}

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Time on the wall.
    Time(Duration),
    /// Processor time.
    Processor(Duration),
    /// The time that a check takes where none is given.
    UsualTime,
    /// Memory, in bytes.
    Memory(u64),
    /// The caller asked to stop.
    Interrupt,
}

/// How the reason of a check begins that has used up its time.
pub const TIME: &str = "the time limit";

impl Why {
    /// The same for a program that lacks these functions.
    pub(crate) fn with_missing(self, names: Vec<String>) -> Why {
        match names.is_empty() {
            true => self,
            false => Why::Missing(Box::new(self), names),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Limit(limit) => limit.fmt(f),
            Why::Undecided(why) | Why::Unconfirmed(why) => f.write_str(why),
            Why::Rejected(why) => write!(f, "the witness is rejected: {why}"),
            Why::WitnessUndecided(why) => write!(f, "the witness is not decided: {why}"),
            Why::Missing(why, names) => write!(f, "{why}; missing: {}", names.join(", ")),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: &Duration| messages::seconds(*time);
        match self {
            Limit::Time(limit) => write!(f, "{TIME} of {} is used up", seconds(limit)),
            Limit::Processor(limit) => {
                let limit = seconds(limit);
                write!(f, "{TIME} of {limit} of processor time is used up")
            }
            Limit::UsualTime => {
                f.write_str("the usual time is used up; allow more with --time-limit")
            }
            Limit::Memory(bytes) => write!(
                f,
                "the memory limit of {} MB is used up; allow more with --memory-limit",
                bytes >> 20
            ),
            Limit::Interrupt => f.write_str("interrupted"),
        }
    }
}
