//! What a proof does not exclude: kinds of bails, error functions, and single checks.
//!
//! Executions end there, so what a proof says holds as long as none of this happens.

use attest_model::{BailKind, Check, Program, check_word};
use attest_proof::{Leaks, Proof, ProofError};
use std::collections::BTreeSet;

/// What a proof does not exclude.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// Kinds of bails.
    pub kinds: Vec<BailKind>,
    /// Calls of error functions.
    pub asserts: bool,
    /// Whether the program looks for memory that is not freed.
    pub leaks: bool,
    /// Whether it looks for values that were never set.
    pub uninitialised: bool,
    /// Single checks.
    pub checks: BTreeSet<Check>,
}

impl Open {
    /// Reads it from the header of a proof.
    pub fn of(program: &Program, proof: &Proof) -> Result<Open, ProofError> {
        let mut checks = BTreeSet::new();
        for excused in &proof.excused {
            let kinds = BailKind::ALL.iter().map(|kind| Some(*kind));
            let mut kinds = kinds.chain([None]);
            let Some(kind) = kinds.find(|kind| check_word(*kind) == excused.check) else {
                let message = format!("`{}` in `excused` is no check", excused.check);
                return Err(ProofError(message));
            };
            let places = (0..program.places.len() as u32).map(attest_model::PlaceId);
            let there = places.filter(|p| program.place(*p).to_string() == excused.place);
            checks.extend(there.map(|place| Check { place, kind }));
        }
        Ok(Open {
            kinds: proof.assumed_kinds()?,
            asserts: proof.asserts_end,
            leaks: proof.leaks != Leaks::Off,
            uninitialised: proof.uninitialised,
            checks,
        })
    }

    /// Whether the proof need not exclude a check.
    pub fn has(&self, check: Check) -> bool {
        check.kind.is_none() && self.asserts || self.checks.contains(&check)
    }
}
