//! What a check does with the events of its engines: the session learns how
//! far they have come, tests are kept for `--tests`, and `--trace-steps` tells
//! them.

use crate::session::Session;
use crate::{forms, output, steps};
use attest_engine::Statistics;
use attest_engine::events::{Event, View, Watcher};
use attest_exec::Inputs;
use attest_export::history::History;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two looks of the session at an engine's statistics.
const PACE: Duration = Duration::from_millis(50);
/// Tests that are kept at most.
const MOST_TESTS: usize = 1000;

/// What the watchers of all engines share.
pub struct Board {
    session: Arc<Session>,
    steps: bool,
    keeps_tests: bool,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    /// What each engine has done.
    statistics: Vec<Statistics>,
    /// The engine whose turn it is.
    turn: Option<usize>,
    tests: Vec<Arc<Inputs>>,
}

/// A watcher of one engine.
pub struct Watch {
    board: Rc<Board>,
    engine: usize,
    name: &'static str,
    last: Option<Instant>,
    history: Option<History>,
}

impl Board {
    /// A board: are steps to be told, and tests to be kept?
    pub fn new(session: &Arc<Session>, steps: bool, keeps_tests: bool) -> Rc<Board> {
        Rc::new(Board {
            session: session.clone(),
            steps,
            keeps_tests,
            seen: RefCell::default(),
        })
    }

    /// A watcher for the next engine, whose strategy has this name.
    pub fn watch(self: &Rc<Board>, name: &'static str) -> Watch {
        let mut seen = self.seen.borrow_mut();
        seen.statistics.push(Statistics::default());
        Watch {
            board: self.clone(),
            engine: seen.statistics.len() - 1,
            name,
            last: None,
            history: self
                .session
                .settings()
                .forms
                .report
                .as_ref()
                .map(|_| History::default()),
        }
    }

    /// How many engines are watched.
    pub fn engines(&self) -> usize {
        self.seen.borrow().statistics.len()
    }

    /// The inputs of the tests that were kept.
    pub fn tests(&self) -> Vec<Arc<Inputs>> {
        self.seen.borrow().tests.clone()
    }

    /// An engine has come so far.
    pub fn note(&self, engine: usize, statistics: &Statistics) {
        let mut seen = self.seen.borrow_mut();
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
    /// Says whose turn it is, if there are several engines and it is another's.
    fn turn(&self) {
        let mut seen = self.board.seen.borrow_mut();
        if seen.statistics.len() > 1 && seen.turn != Some(self.engine) {
            seen.turn = Some(self.engine);
            output::note(&format!("\nthe turn of the strategy `{}`\n", self.name));
        }
    }
}

impl Watcher for Watch {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        let board = &self.board;
        if board.steps {
            self.turn();
            steps::tell(view, event);
        }
        if let (Event::Test { inputs, .. }, true) = (event, board.keeps_tests) {
            let tests = &mut board.seen.borrow_mut().tests;
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
                forms::keep_history(&board.session, history);
            }
            board.note(self.engine, &statistics);
            self.last = Some(Instant::now());
        }
    }
}
