//! The trace of `attest run --trace`: each source line when it is reached, with its function.

use crate::words;
use attest_exec::Interpreter;
use attest_exec::interpreter::Observer;
use attest_model::{FnId, Inst, PlaceId, Program, Terminator};
use std::io::{self, BufWriter, Stderr, Write};

/// Prints source lines while a program runs.
pub struct Lines {
    out: BufWriter<Stderr>,
    last: Option<(FnId, PlaceId)>,
}

impl Lines {
    /// A trace on standard error.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Lines {
        Lines {
            out: BufWriter::new(io::stderr()),
            last: None,
        }
    }

    fn at(&mut self, run: &Interpreter<'_>, place: PlaceId) {
        let now = (run.frame.function, place);
        if place == PlaceId(0) || self.last.is_some_and(|l| same_line(run.program, l, now)) {
            return;
        }
        self.last = Some(now);
        let depth = 2 * (run.depth() as usize).min(20);
        let name = &run.program.function(now.0).name;
        let at = words::place(run.program, place);
        // Nobody reads on: the run itself still counts.
        let _ = writeln!(self.out, "{:depth$}{name} at {at}", "");
    }
}

fn same_line(program: &Program, a: (FnId, PlaceId), b: (FnId, PlaceId)) -> bool {
    let (x, y) = (program.place(a.1), program.place(b.1));
    a.0 == b.0 && x.line == y.line && x.file == y.file
}

impl Observer for Lines {
    const STEPS: bool = true;

    fn executed(&mut self, run: &Interpreter<'_>, _inst: &Inst, place: PlaceId) {
        self.at(run, place);
    }

    fn ended_block(&mut self, run: &Interpreter<'_>, _end: &Terminator, place: PlaceId) {
        self.at(run, place);
    }
}
