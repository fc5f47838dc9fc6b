//! Terms over the state at the end of a path, as ones over the path's inputs.
//!
//! The frontier question puts the precondition of a step on top of beta, the
//! symbolic state of a test's path. Reads of memory are resolved against the
//! writes of the whole path, which is most of the work on large programs. The
//! same witness is asked again and again with preconditions that share most of
//! their terms, so what the latest paths made of terms is kept.

use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::Vocabulary;
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Paths that are remembered,
const MOST_PATHS: usize = 16;
/// and terms along one of them.
const MOST_TERMS: usize = 200_000;

/// A path and the names of what its last state consists of.
pub(crate) struct Path {
    pub beta: Rc<PathState>,
    pub names: Rc<Vocabulary>,
}

impl Path {
    fn is(&self, other: &Path) -> bool {
        Rc::ptr_eq(&self.beta, &other.beta) && Rc::ptr_eq(&self.names, &other.names)
    }
}

/// What paths made of terms, the latest path first.
#[derive(Default)]
pub(crate) struct PathSubst(VecDeque<(Path, FxHashMap<Term, Term>)>);

impl PathSubst {
    /// Takes out what a path made of terms.
    pub fn take(&mut self, path: &Path) -> FxHashMap<Term, Term> {
        let known = self.0.iter().position(|(known, _)| known.is(path));
        let known = known.and_then(|at| self.0.remove(at));
        known.map(|(_, memo)| memo).unwrap_or_default()
    }

    pub fn keep(&mut self, path: Path, memo: FxHashMap<Term, Term>) {
        if memo.len() <= MOST_TERMS {
            self.0.push_front((path, memo));
            self.0.truncate(MOST_PATHS);
        }
    }
}
