//! What an algorithm does, step by step, as the papers tell it: each test with the lines that
//! it visits first, and each split with its line and its predicate. So a figure can be
//! compared with what is done, and not with its verdict alone.

use crate::common;
use attest_engine::events::{View, Watcher};
use attest_engine::strategy::Predicate;
use attest_engine::{Engine, Event, Options, Strategy, Technique};
use attest_model::BailKind;
use attest_model::graph::{Graph, Loc};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A run in steps.
pub struct Told {
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// Its steps.
    pub steps: Vec<String>,
    /// Rounds of the main loop that a frontier was worked on.
    pub rounds: u64,
}

/// Runs a strategy from one test, and tells its steps. Lines are those of the text.
pub fn tell(source: &str, strategy: Strategy) -> Told {
    let program = common::program(source);
    let graph = Graph::of(&program, strategy.granularity);
    let options = Options {
        strategy,
        without: vec![Technique::FirstRuns],
        most_effort: Some(Duration::from_secs(60)),
        doubt: false,
        self_check: true,
        assumed: match strategy.predicate {
            Predicate::Core => Vec::new(),
            _ => BailKind::ALL.to_vec(),
        },
        ..Default::default()
    };
    let steps = Arc::default();
    let scribe = Scribe {
        steps: Arc::clone(&steps),
        before: common::PRELUDE.lines().count() as u32,
    };
    let mut engine = Engine::new(&program, &graph, options, common::solver()).watched_by(scribe);
    let verdict = engine.run();
    let rounds = engine.statistics().iterations;
    drop(engine);
    let steps = steps.lock().expect("nobody panicked").clone();
    let told = Told {
        verdict: common::word(&verdict),
        steps,
        rounds,
    };
    println!(
        "{} in {} rounds: {:#?}",
        told.verdict, told.rounds, told.steps
    );
    told
}

struct Scribe {
    steps: Arc<Mutex<Vec<String>>>,
    before: u32,
}

impl Scribe {
    fn line(&self, view: &View<'_>, loc: Loc) -> u32 {
        let place = view.program.place(view.graph.location(loc).place);
        place.line.saturating_sub(self.before)
    }
}

impl Watcher for Scribe {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        let step = match event {
            Event::Test { outcome, .. } => match outcome {
                attest_exec::Outcome::Error(_) => "a test fails".to_owned(),
                _ => "a test".to_owned(),
            },
            Event::Split { region, rho, .. } => {
                let line = self.line(view, view.regions.region(*region).loc);
                format!("{line}: {}", view.terms.to_c(*rho))
            }
            _ => return,
        };
        self.steps.lock().expect("nobody panicked").push(step);
    }
}
