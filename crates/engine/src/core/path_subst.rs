//! Terms over the state at the end of a path, as ones over the path's inputs.
//!
//! The solver call about a frontier puts the precondition of a step on top of beta, the
//! symbolic state of a test's path. Reads of memory are resolved against the
//! writes of the whole path, which is most of the work on large programs. The
//! same witness comes again and again with preconditions that share most of
//! their terms, so what the latest paths made of terms is kept.

use crate::tuning::SearchLimits;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::Vocabulary;
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// A path and the names of what its last state consists of.
pub(crate) struct Path {
    pub beta: Arc<PathState>,
    pub names: Arc<Vocabulary>,
}

impl Path {
    fn is(&self, other: &Path) -> bool {
        Arc::ptr_eq(&self.beta, &other.beta) && Arc::ptr_eq(&self.names, &other.names)
    }
}

/// What paths made of terms, the latest path first.
pub(crate) struct PathSubst {
    latest: VecDeque<(Path, FxHashMap<Term, Term>)>,
    most_paths: usize,
    most_terms: usize,
}

impl PathSubst {
    /// Nothing was made yet.
    pub fn new(limits: &SearchLimits) -> PathSubst {
        PathSubst {
            latest: VecDeque::new(),
            most_paths: limits.substituted_paths,
            most_terms: limits.substituted_terms,
        }
    }

    /// Takes out what a path made of terms.
    pub fn take(&mut self, path: &Path) -> FxHashMap<Term, Term> {
        let known = self.latest.iter().position(|(known, _)| known.is(path));
        let known = known.and_then(|at| self.latest.remove(at));
        known.map(|(_, memo)| memo).unwrap_or_default()
    }

    pub fn keep(&mut self, path: Path, memo: FxHashMap<Term, Term>) {
        if memo.len() <= self.most_terms {
            self.latest.push_front((path, memo));
            self.latest.truncate(self.most_paths);
        }
    }
}
