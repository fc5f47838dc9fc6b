//! What a check tells while it works.
//!
//! Events are values, and the words for them are the listener's: nothing in this crate
//! prints. They come on the thread that called the check, in the order in which they
//! happened.

use crate::confirm::ConfirmedTest;
use crate::plain_runs::Tried;
use crate::report::Phase;
use crate::source::Source;
use crate::survey::Survey;
use attest_evidence::{Prepared, Test};
use attest_model::Program;
use std::sync::Arc;

/// Something that happened in a check.
#[derive(Clone)]
pub enum Event {
    /// A phase of the work begins.
    Phase(Phase),
    /// The engine has come so far.
    Progress {
        /// Rounds of its main loop.
        iterations: u64,
        /// Tests that it ran.
        tests: u64,
        /// Regions that it has.
        regions: u64,
    },
    /// A step of the engine in words, if [`crate::Settings::steps`] asks for them.
    Step(String),
    /// The program has a model.
    Modelled {
        /// The program.
        program: Arc<Program>,
        /// What is in it.
        survey: Arc<Survey>,
    },
    /// Plain runs were made.
    Tried {
        /// The program.
        program: Arc<Program>,
        /// What is in it.
        survey: Arc<Survey>,
        /// How the runs ended.
        tried: Tried,
    },
    /// The proof of an earlier check holds.
    RecalledProof,
    /// What an earlier check learnt is used.
    Recalled {
        /// Tests.
        tests: usize,
        /// Summaries of procedures.
        summaries: usize,
    },
    /// What was learnt could not be kept.
    NotKept(String),
    /// A claim of a witness was left out.
    LeftOut {
        /// The claim, in C.
        claim: String,
        /// Why.
        why: String,
    },
    /// The witness is accepted.
    WitnessAccepted,
    /// Tests that do not fail, if [`crate::Settings::keep_tests`] asks for them.
    Tests {
        /// The tests.
        tests: Arc<Vec<Test>>,
        /// Why there are no more of them, if that is a mistake.
        trouble: Option<String>,
    },
    /// A run fails.
    Fails(Arc<Fails>),
    /// The failing run as a test, with its native program if it compiles.
    Evidence {
        /// The test.
        test: Arc<Test>,
        /// The native program.
        prepared: Option<Arc<Prepared>>,
        /// How many violations were told before.
        number: usize,
    },
    /// What the failing run does natively, in words.
    Natively(String),
}

/// A run that fails.
#[derive(Clone, Debug)]
pub struct Fails {
    /// The program.
    pub program: Arc<Program>,
    /// Its files, those that the check added included.
    pub source: Arc<Source>,
    /// The test.
    pub test: ConfirmedTest,
    /// How many violations were told before.
    pub number: usize,
    /// Whether the check that it violates is asked for.
    pub is_asked: bool,
    /// The run line by line, for people.
    pub story: String,
    /// What the author of the rule says of the violation.
    pub violated: Option<String>,
    /// What is assumed of functions without a body.
    pub assumed: Option<String>,
}

/// Who is told.
pub trait Listener {
    /// Something happened.
    fn event(&mut self, event: &Event);
}

/// Hears nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: &Event) {}
}

impl<F: FnMut(&Event)> Listener for F {
    fn event(&mut self, event: &Event) {
        self(event);
    }
}
