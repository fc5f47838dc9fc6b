//! What the engine is told.

use crate::algorithm::strategy::{Aim, Predicate, Strategy};
use crate::techniques::Technique;
use crate::tuning::Tuning;
use attest_exec::{Inputs, Overflow};
use attest_model::{BailKind, Check, Checks, GlobalReg};
use attest_solver::Clock;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub strategy: Strategy,
    /// Techniques that are switched off.
    pub without: Vec<Technique>,
    /// Those that are switched on.
    pub with: Vec<Technique>,
    /// Signed overflow.
    pub overflow: Overflow,
    /// Kinds of checks that are not asked for, which end a run, and kinds of unsupported
    /// constructs that are taken as not happening: proofs do not exclude them.
    pub assumed: Vec<BailKind>,
    /// What is asked for: a run that violates it is a counterexample.
    pub checks: Checks,
    /// Checks whose violation is known or silenced: a run ends there.
    pub excused: BTreeSet<Check>,
    /// Look for violations of checks that are not asked for as well.
    pub notices: bool,
    /// Time after which the search ends, whatever it is about to do.
    pub time: Option<Duration>,
    /// The clock that this time goes by.
    pub clock: Clock,
    /// Rounds of the main loop at most.
    pub rounds: Option<u64>,
    /// The effort that one solver call may take.
    pub query_effort: Duration,
    /// The effort that the search plans with: the parts that its techniques get are shares of
    /// it. It depends on the user's limits alone, so a check takes the same course everywhere.
    pub effort: Duration,
    /// The effort after which the search ends, if it is limited: the same on every machine.
    pub most_effort: Option<Duration>,
    /// Before a proof is said, search for tests that break what it assumes.
    pub doubt: bool,
    /// Tests of an earlier run, which come before all others.
    pub recalled: Vec<Arc<Inputs>>,
    /// The state of a rule: the first abstraction is about its values.
    pub initial: Vec<GlobalReg>,
    /// Those of them that are the watched object.
    pub watched: Vec<GlobalReg>,
    /// Random tests at the start.
    pub first_tests: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Nodes of a test before only few at each location are added.
    pub test_nodes: usize,
    /// The limits of the engine.
    pub tuning: Tuning,
    /// Discharge the side condition of every split.
    pub self_check: bool,
    /// Set by another thread to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// What C itself leaves undefined: a program that does it has no meaning to prove anything about.
pub const UNDEFINED: &[BailKind] = &[
    BailKind::NullDeref,
    BailKind::InvalidPointer,
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

impl Options {
    /// Whether a technique is switched on.
    pub fn uses(&self, technique: Technique) -> bool {
        match technique.is_usual() {
            true => !self.without.contains(&technique),
            false => self.with.contains(&technique),
        }
    }

    /// Whether a run that ends so violates a check that is asked for; no kind is a call of
    /// an error function.
    pub fn asks_for(&self, kind: Option<BailKind>) -> bool {
        // An inlined program cannot tell the two kinds of leaks apart.
        let leak = kind == Some(BailKind::NotFreed) && self.checks.has(Some(BailKind::Leak));
        leak || self.checks.has(kind)
    }

    /// Whether a frontier leads to all regions of a location that may lead to a target.
    pub(crate) fn aims_at_locations(&self) -> bool {
        self.strategy.aim == Aim::Location && self.uses(Technique::Joint)
    }

    /// Whether the algorithm is one of the papers as it is described there.
    pub(crate) fn is_of_papers(&self) -> bool {
        self.strategy.predicate != Predicate::Core
    }

    /// Whether points-to decides which writes a read may meet: the papers' algorithms have
    /// the aliasing of their tests for that.
    pub(crate) fn uses_points_to(&self) -> bool {
        !self.is_of_papers() && self.uses(Technique::PointsTo)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::DATA,
            without: Vec::new(),
            with: Vec::new(),
            overflow: Overflow::Wrap,
            assumed: UNDEFINED.to_vec(),
            checks: Checks {
                asserts: true,
                kinds: BTreeSet::from([BailKind::BadCall]),
            },
            excused: BTreeSet::new(),
            notices: true,
            time: None,
            clock: Clock::WALL,
            rounds: None,
            query_effort: Duration::from_secs(5),
            effort: Duration::from_secs(120),
            most_effort: None,
            doubt: true,
            recalled: Vec::new(),
            initial: Vec::new(),
            watched: Vec::new(),
            first_tests: 20,
            seed: 1,
            test_nodes: 400,
            tuning: Tuning::default(),
            self_check: cfg!(debug_assertions),
            interrupt: None,
        }
    }
}
