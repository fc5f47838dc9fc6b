//! The symbols of a procedure's state: registers, globals, memory.

use attest_exec::symbolic::env::SymbolTable;
use attest_exec::symbolic::step::{Part, Vocabulary};
use attest_model::*;
use attest_term::{Term, Terms};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The symbols of a procedure's state, shared by its tasks.
#[derive(Clone)]
pub(crate) struct Names {
    /// The terms of registers, globals, and memory.
    pub vocabulary: Arc<Vocabulary>,
    /// Where to find their values in a state.
    pub symbols: Arc<SymbolTable>,
    /// Those that are objects of pointers.
    pub object_parts: Arc<FxHashSet<Term>>,
    /// Those that are objects or offsets of pointers.
    pub pointer_parts: Arc<FxHashSet<Term>>,
}

pub(crate) fn names(
    terms: &mut Terms,
    program: &Program,
    function: FnId,
    points_to: Option<&Arc<PointsTo>>,
) -> Names {
    let mut vocabulary = Vocabulary::of(terms, program, function);
    if let Some(points_to) = points_to {
        vocabulary = vocabulary.with_points_to(points_to);
    }
    let symbols = SymbolTable::new(terms, &vocabulary, program);
    let objects = pointer_parts(program, &vocabulary, &[false]);
    let pointers = pointer_parts(program, &vocabulary, &[false, true]);
    Names {
        vocabulary: Arc::new(vocabulary),
        symbols: Arc::new(symbols),
        object_parts: Arc::new(objects),
        pointer_parts: Arc::new(pointers),
    }
}

/// The terms that are objects (false) or offsets (true) of pointers in the state.
fn pointer_parts(program: &Program, vocabulary: &Vocabulary, which: &[bool]) -> FxHashSet<Term> {
    let function = program.function(vocabulary.function);
    let is_pointer = |part: Part| match part {
        Part::Reg(reg, of) if which.contains(&of) => {
            function.regs[reg.0 as usize].sort == Sort::Ptr
        }
        Part::Global(global, of) if which.contains(&of) => {
            program.globals[global.0 as usize].sort == Sort::Ptr
        }
        _ => false,
    };
    vocabulary
        .parts()
        .filter(|(_, part)| is_pointer(*part))
        .map(|(term, _)| term)
        .collect()
}
