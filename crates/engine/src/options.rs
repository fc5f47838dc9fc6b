//! What the engine is told.

use attest_exec::Overflow;
use attest_model::{BailKind, Granularity};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of steps.
    pub granularity: Granularity,
    /// Signed overflow.
    pub overflow: Overflow,
    /// Ways out of the model that are taken as not happening, and printed.
    pub assumed: Vec<BailKind>,
    /// Wall-clock limit.
    pub time: Option<Duration>,
    /// Wall-clock limit of one solver query.
    pub query_time: Duration,
    /// Random tests at the start.
    pub first_tests: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Nodes that one test may add.
    pub test_nodes: usize,
    /// Discharge the side condition of every split.
    pub self_check: bool,
    /// Set by another thread to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// What C itself leaves undefined: a program that does it has no meaning to prove anything about.
pub const UNDEFINED: &[BailKind] = &[
    BailKind::NullDeref,
    BailKind::OutOfBounds,
    BailKind::UseAfterFree,
    BailKind::BadFree,
    BailKind::ConstWrite,
    BailKind::PtrOrder,
    BailKind::Division,
    BailKind::Shift,
    BailKind::FloatToInt,
    BailKind::Overlap,
    BailKind::Unreachable,
    BailKind::Overflow,
];

impl Default for Options {
    fn default() -> Options {
        Options {
            granularity: Granularity::Large,
            overflow: Overflow::Wrap,
            assumed: UNDEFINED.to_vec(),
            time: None,
            query_time: Duration::from_secs(5),
            first_tests: 8,
            seed: 1,
            test_nodes: 400,
            self_check: cfg!(debug_assertions),
            interrupt: None,
        }
    }
}
