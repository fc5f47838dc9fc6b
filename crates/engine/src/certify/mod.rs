//! Proofs: from finished regions to invariants and summaries that the checker accepts.
//!
//! - `certificate`: the invariants of a finished region graph, and the verdict made of them;
//! - `partial`: the proof of some targets, where others are open;
//! - `object_age`: ghosts that stand for objects, in the summaries of a proof.

pub(crate) mod certificate;
pub(crate) mod object_age;
pub(crate) mod partial;
