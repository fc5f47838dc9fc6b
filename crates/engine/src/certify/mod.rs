//! Proofs: from finished regions to invariants and summaries that the checker accepts.

pub(crate) mod certificate;
pub(crate) mod object_age;
