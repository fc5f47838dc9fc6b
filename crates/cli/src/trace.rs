//! The trace of `attest run --trace`: a line for each thing that C would see.

use attest_exec::trace::{Line, Tracer};
use attest_model::Program;
use attest_verifier::messages;
use std::io::{self, BufWriter, Write};

/// Calls that are indented; deeper ones are not indented further.
const DEEPEST: u32 = 20;

/// A tracer that writes its lines to standard error as they come.
pub fn to_stderr(program: &Program) -> Tracer<impl FnMut(Line)> {
    let mut out = BufWriter::new(io::stderr());
    Tracer::new(move |line| {
        let indent = 2 * line.depth.min(DEEPEST) as usize;
        let at = messages::place(program, line.place);
        // If nobody reads on, the run itself still counts.
        let _ = writeln!(out, "{at}: {:indent$}{}", "", line.text);
    })
}
