//! How a program is checked: values, with the defaults of `attest check`.

use crate::limits::Limits;
use crate::silence::Silence;
use attest_engine::strategy::Method;
use attest_exec::Overflow;
use attest_model::{Checks, Granularity};
use std::path::PathBuf;

pub use attest_engine::{Order, Strategy, Technique, Tuning};

/// How a program is checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How proofs and tests are searched for.
    pub algorithm: Algorithm,
    /// Which branch directed testing tries next.
    pub order: Order,
    /// Keep every procedure by itself in SMASH, which inlines small ones otherwise.
    pub apart: bool,
    /// States of a test that are kept before it is thinned out.
    pub test_states: Option<u32>,
    /// Techniques that are switched off.
    pub without: Vec<Technique>,
    /// Techniques that are switched on.
    pub with: Vec<Technique>,
    /// The limits of the engine, for experiments.
    pub tuning: Tuning,
    /// Size of a step between locations; by default that of the algorithm.
    pub blocks: Option<Granularity>,
    /// What the program is asked about.
    pub checks: Checks,
    /// Findings of which nothing is to be said.
    pub silenced: Vec<Silence>,
    /// End at the first violation.
    pub first: bool,
    /// Look for violations of what is not asked for, too, and tell them.
    pub notices: bool,
    /// What signed overflow does where it is not asked for.
    pub overflow: Overflow,
    /// Seed of everything random.
    pub seed: u64,
    /// What the check may use.
    pub limits: Limits,
    /// Folder for what checks learn; nothing is kept without one.
    pub cache: Option<PathBuf>,
    /// Functions without a body return any value and change nothing.
    pub havoc: bool,
    /// Give the tests that do not fail to the listener.
    pub keep_tests: bool,
    /// Keep what a page for a browser shows: coverage, and the history of the regions.
    pub keep_history: bool,
    /// Tell every step of the engine.
    pub steps: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::Full,
            order: Order::Depth,
            apart: false,
            test_states: None,
            without: Vec::new(),
            with: Vec::new(),
            tuning: Tuning::default(),
            blocks: None,
            checks: Checks::default(),
            silenced: Vec::new(),
            first: false,
            notices: true,
            overflow: Overflow::Wrap,
            seed: 1,
            limits: Limits::default(),
            cache: None,
            havoc: false,
            keep_tests: false,
            keep_history: false,
            steps: false,
        }
    }
}

/// Memory of the program's objects where no limit is given.
const USUAL_MEMORY: u64 = 1 << 30;

impl Settings {
    /// The strategies of the algorithm, which take turns, with the size of steps that is
    /// asked for.
    pub(crate) fn strategies(&self) -> Vec<Strategy> {
        let granularity = self.granularity();
        let sized = |strategy: &Strategy| Strategy {
            granularity,
            method: match strategy.method {
                Method::Dse(_) => Method::Dse(self.order),
                other => other,
            },
            ..*strategy
        };
        self.algorithm.strategies().iter().map(sized).collect()
    }

    /// The size of steps, by default the algorithm's own.
    pub fn granularity(&self) -> Granularity {
        let usual = || self.algorithm.strategies()[0].granularity;
        self.blocks.unwrap_or_else(usual)
    }

    /// Whether a technique is used.
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        match technique.is_usual() {
            true => !self.without.contains(&technique),
            false => self.with.contains(&technique),
        }
    }

    /// Bytes that the objects of the program may have in one run.
    pub(crate) fn object_memory(&self) -> u64 {
        self.limits.memory.unwrap_or(USUAL_MEMORY)
    }
}

/// The algorithms, each one [`Strategy`] or several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Algorithm {
    /// All that helps; strategies take turns.
    #[default]
    Full,
    /// A procedure at a time, with must and not-may summaries.
    Smash,
    /// SMASH with not-may summaries only.
    May,
    /// SMASH with must summaries only.
    Must,
    /// DASH as its paper has it.
    Dash,
    /// SYNERGY, its predecessor.
    Synergy,
    /// DASH that first asks whether the target can be reached at all.
    Lctd,
    /// The bisimulation quotient of Lee and Yannakakis.
    LeeYannakakis,
    /// Directed testing: a test for every path.
    Dse,
    /// Predicate abstraction, refined by infeasible paths.
    Cegar,
}

impl Algorithm {
    /// Its name in reports and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Algorithm::Full => "full",
            Algorithm::Smash => "smash",
            Algorithm::May => "may",
            Algorithm::Must => "must",
            Algorithm::Dash => "dash",
            Algorithm::Synergy => "synergy",
            Algorithm::Lctd => "lctd",
            Algorithm::LeeYannakakis => "lee-yannakakis",
            Algorithm::Dse => "dse",
            Algorithm::Cegar => "cegar",
        }
    }

    /// Its strategies; at least one.
    fn strategies(self) -> &'static [Strategy] {
        match self {
            Algorithm::Full => &Strategy::DEFAULT,
            Algorithm::Smash => &[Strategy::SMASH],
            Algorithm::May => &[Strategy::MAY],
            Algorithm::Must => &[Strategy::MUST],
            Algorithm::Dash => &[Strategy::DASH],
            Algorithm::Synergy => &[Strategy::SYNERGY],
            Algorithm::Lctd => &[Strategy::LCTD],
            Algorithm::LeeYannakakis => &[Strategy::LEE_YANNAKAKIS],
            Algorithm::Dse => &[Strategy::DSE],
            Algorithm::Cegar => &[Strategy::CEGAR],
        }
    }
}
