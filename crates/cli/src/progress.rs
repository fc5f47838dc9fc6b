//! Progress for a person at a terminal: one line on standard error that is gone in the end.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The line, if there is a terminal.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A line, if it is wanted and standard error is a terminal.
    pub fn new(wanted: bool) -> Progress {
        if !wanted || !std::io::stderr().is_terminal() {
            return Progress(None);
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress(Some(bar))
    }

    /// Says what is being done.
    pub fn say(&self, words: impl FnOnce() -> String) {
        if let Some(bar) = &self.0 {
            bar.set_message(words());
        }
    }

    /// Writes something else, with the line out of the way.
    pub fn aside(&self, write: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
