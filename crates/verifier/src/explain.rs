//! What is kept of a check for people: the failing run line by line, the lines that tests
//! reach, and the history of the regions.

use crate::case::Case;
use crate::confirm::ConfirmedTest;
use crate::messages;
use crate::session::Session;
use crate::sources::sources;
use attest_exec::Inputs;
use attest_export::coverage::Coverage;
use attest_export::history::History;
use attest_export::{Story, story};
use std::sync::Arc;

/// Tests whose coverage a page shows, and instructions of all of them.
const MOST_TESTS: usize = 300;
const MOST_STEPS: u64 = 20_000_000;

/// The failing run as lines of C, which the report keeps: its text, and the run itself.
pub(crate) fn tell(case: &Case, test: &ConfirmedTest) -> (String, Story) {
    let story = story::tell(&case.program, test.given(), case.settings.overflow);
    let sources = sources(&case.program);
    let text = story.text(&sources);
    let left_out = story.left_out();
    let kept = story.clone();
    case.session.note(|report| {
        report.details.sources = sources;
        report.details.story = Some(kept);
    });
    let text = match (text.is_empty(), left_out) {
        (true, _) => String::new(),
        (false, 0) => format!("the run, line by line:\n{text}"),
        (false, n) => {
            let lines = messages::count(n, "line");
            format!("the run, without {lines} beside the way to the error:\n{text}")
        }
    };
    (text, story)
}

/// Counts the lines that tests reach, for a page.
pub(crate) fn cover(case: &Case, tests: &[Arc<Inputs>]) {
    if !case.settings.keep_history {
        return;
    }
    let mut coverage = Coverage::new(&case.program);
    let mut left = MOST_STEPS;
    let mut count = 0;
    for test in tests.iter().take(MOST_TESTS) {
        if left == 0 || case.session.is_stopping() {
            break;
        }
        let run = coverage.add(&case.program, test, case.settings.overflow, left);
        left = left.saturating_sub(run.steps.max(1));
        count += 1;
    }
    let sources = sources(&case.program);
    case.session.note(|report| {
        report.details.sources = sources;
        report.details.coverage = Some((coverage, count));
    });
}

/// The same for a failing run that plain runs found, before there was any other test.
pub(crate) fn cover_failing(case: &Case, test: &ConfirmedTest) {
    let mut covered = false;
    case.session
        .note(|report| covered = report.details.coverage.is_some());
    if !covered {
        cover(case, std::slice::from_ref(test.given()));
    }
}

/// Keeps what an engine did, if it is the best that is known.
pub(crate) fn keep_history(session: &Session, history: &History) {
    session.note(|report| {
        let known = report.details.history.as_ref();
        let weight = |h: &History| (h.decided, h.changes.len());
        if known.is_none_or(|known| weight(known) <= weight(history)) {
            report.details.history = Some(history.clone());
        }
    });
}
