//! What a check does with the events of its engines: the session learns how far they have
//! come, tests are kept, steps are told, and a history is kept for a page.

use crate::case::Case;
use crate::explain;
use crate::listener::Event as Told;
use crate::session::Session;
use crate::steps;
use attest_engine::Statistics;
use attest_engine::events::{Event, View, Watcher};
use attest_exec::Inputs;
use attest_export::history::History;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks of the session at an engine's statistics.
const PACE: Duration = Duration::from_millis(50);
/// Tests that are kept at most.
const MOST_TESTS: usize = 1000;

/// What the watchers of all engines share.
pub(crate) struct Board {
    session: Arc<Session>,
    steps: bool,
    keeps_tests: bool,
    keeps_history: bool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// What each engine has done.
    statistics: Vec<Statistics>,
    /// The engine that works.
    turn: Option<usize>,
    tests: Vec<Arc<Inputs>>,
}

/// A watcher of one engine.
pub(crate) struct Watch {
    board: Arc<Board>,
    engine: usize,
    name: &'static str,
    last: Option<Instant>,
    history: Option<History>,
}

impl Board {
    /// A board. Tests are kept for the cache, and for those who asked for them.
    pub fn new(case: &Case, caches: bool) -> Arc<Board> {
        let settings = &case.settings;
        Arc::new(Board {
            session: case.session.clone(),
            steps: settings.steps,
            keeps_tests: caches || settings.keep_tests || settings.keep_history,
            keeps_history: settings.keep_history,
            seen: Mutex::default(),
        })
    }

    /// A watcher for the next engine, whose strategy has this name.
    pub fn watch(self: &Arc<Board>, name: &'static str) -> Watch {
        let mut seen = self.seen();
        seen.statistics.push(Statistics::default());
        Watch {
            board: self.clone(),
            engine: seen.statistics.len() - 1,
            name,
            last: None,
            history: self.keeps_history.then(History::default),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many engines are watched.
    pub fn engines(&self) -> usize {
        self.seen().statistics.len()
    }

    /// The inputs of the tests that were kept.
    pub fn tests(&self) -> Vec<Arc<Inputs>> {
        self.seen().tests.clone()
    }

    /// An engine has come so far.
    pub fn note(&self, engine: usize, statistics: &Statistics) {
        let mut seen = self.seen();
        if let Some(known) = seen.statistics.get_mut(engine) {
            let regions = known.regions.max(statistics.regions);
            known.clone_from(statistics);
            known.regions = regions;
        }
        let mut all = Statistics::default();
        for one in &seen.statistics {
            all += one;
        }
        self.session.publish(&all);
    }
}

impl Watch {
    /// Tells which engine works, if there are several and it is another.
    fn turn(&self) {
        let mut seen = self.board.seen();
        if seen.statistics.len() > 1 && seen.turn != Some(self.engine) {
            seen.turn = Some(self.engine);
            let turn = format!("\nthe turn of the strategy `{}`", self.name);
            self.board.session.tell(Told::Step(turn));
        }
    }
}

impl Watcher for Watch {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        let board = &self.board;
        if board.steps {
            self.turn();
            board.session.tell(Told::Step(steps::words(view, event)));
        }
        if let (Event::Test { inputs, .. }, true) = (event, board.keeps_tests) {
            let tests = &mut board.seen().tests;
            if tests.len() < MOST_TESTS && !tests.contains(inputs) {
                tests.push(inputs.clone());
            }
        }
        if let Some(history) = &mut self.history {
            history.event(view, event);
        }
        let at_the_end = matches!(event, Event::Conclusion(_));
        if at_the_end || self.last.is_none_or(|last| last.elapsed() >= PACE) {
            let mut statistics = view.statistics.clone();
            statistics.regions = view.regions.count() as u64;
            if let (Some(history), true) = (&self.history, at_the_end) {
                explain::keep_history(&board.session, history);
            }
            board.note(self.engine, &statistics);
            self.last = Some(Instant::now());
        }
    }
}
