//! One program under one check: what every part of the pipeline is given.
//!
//! A check of a program has one case. Validating a witness has more: the program as it is,
//! and the same with claims of the witness in its text, whose answers are not those of the
//! program.

use crate::answer::Answer;
use crate::confirm::CheckedProof;
use crate::havoc::Havoc;
use crate::session::Session;
use crate::settings::Settings;
use crate::source::Source;
use crate::sources;
use attest_exec::Overflow;
use attest_model::{BailKind, Check, Checks, Program};
use attest_slic::Rule;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A program with all that a check of it knows and may do.
pub(crate) struct Case {
    /// The check.
    pub session: Arc<Session>,
    /// How it is done.
    pub settings: Arc<Settings>,
    /// The files.
    pub source: Arc<Source>,
    /// The program.
    pub program: Arc<Program>,
    /// Bodies that were added to it.
    pub havoc: Option<Arc<Havoc>>,
    /// The rule that it must not violate.
    pub rule: Option<Rule>,
    /// It is not the program that is asked about, but one with a witness in its text.
    pub is_changed: bool,
    /// Checks that the user has silenced.
    pub silenced: Arc<BTreeSet<Check>>,
}

impl Case {
    /// The same for the program with a witness in its text.
    pub fn changed(&self, source: Source, program: Program) -> Case {
        Case {
            session: self.session.clone(),
            settings: self.settings.clone(),
            source: Arc::new(source),
            program: Arc::new(program),
            havoc: self.havoc.clone(),
            rule: None,
            is_changed: true,
            silenced: Arc::default(),
        }
    }

    /// The same, asked about these checks.
    pub fn about(&self, checks: Checks, overflow: Overflow) -> Case {
        Case {
            session: self.session.clone(),
            settings: Arc::new(Settings {
                checks,
                overflow,
                ..Settings::clone(&self.settings)
            }),
            source: self.source.clone(),
            program: self.program.clone(),
            havoc: self.havoc.clone(),
            rule: self.rule.clone(),
            is_changed: self.is_changed,
            silenced: self.silenced.clone(),
        }
    }

    /// The answer holds whatever happens from here on, if it is one.
    pub fn is_certain(&self, answer: &Answer) {
        match answer {
            _ if self.is_changed => {}
            Answer::Safe(proof) => self.session.is_safe(proof),
            Answer::Unsafe(test) => self.session.is_unsafe(test),
            Answer::Unknown(_) | Answer::Nothing(_) => {}
        }
    }

    /// Notes what a proof would assume.
    pub fn note_assumptions(&self, assumed: &[BailKind]) {
        let mut of_entry = attest_model::caller::assumptions(&self.program);
        of_entry.extend(self.havocked());
        self.session.note(|report| {
            report.assumptions = assumed.iter().map(|kind| kind.word()).collect();
            report.entry_assumptions = of_entry;
        });
    }

    /// Notes what a proof says.
    pub fn note_proof(&self, proof: &CheckedProof) {
        let texts = sources::texts(&self.program);
        self.session.note(|report| {
            for (name, text) in &texts {
                report.details.sources.add(name, text);
            }
            report.proof = proof.explained().clone();
        });
    }

    /// What is assumed of functions without a body, in words.
    pub fn havocked(&self) -> Option<String> {
        self.havoc.as_ref()?.assumption(&self.program)
    }
}
