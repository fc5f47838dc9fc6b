//! Terms over the state at the end of a path, as ones over the path's inputs.
//!
//! The frontier question puts the precondition of a step on top of beta, the
//! symbolic state of a test's path. Reads of memory are resolved against the
//! writes of the whole path, which is most of the work on large programs. The
//! same witness is asked again and again with preconditions that share most of
//! their terms, so what the latest paths made of terms is kept.

use crate::core::Core;
use crate::task::Task;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Vocabulary, substitute};
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Paths that are remembered,
const MOST_PATHS: usize = 16;
/// and terms along one of them.
const MOST_TERMS: usize = 200_000;

/// A path and the names of what its last state consists of.
struct Path {
    beta: Rc<PathState>,
    names: Rc<Vocabulary>,
}

impl Path {
    fn is(&self, other: &Path) -> bool {
        Rc::ptr_eq(&self.beta, &other.beta) && Rc::ptr_eq(&self.names, &other.names)
    }
}

/// What paths made of terms, the latest path first.
#[derive(Default)]
pub(crate) struct Along(VecDeque<(Path, FxHashMap<Term, Term>)>);

impl Along {
    /// Takes out what a path made of terms.
    fn take(&mut self, path: &Path) -> FxHashMap<Term, Term> {
        let known = self.0.iter().position(|(known, _)| known.is(path));
        let known = known.and_then(|at| self.0.remove(at));
        known.map(|(_, memo)| memo).unwrap_or_default()
    }

    fn keep(&mut self, path: Path, memo: FxHashMap<Term, Term>) {
        if memo.len() <= MOST_TERMS {
            self.0.push_front((path, memo));
            self.0.truncate(MOST_PATHS);
        }
    }
}

impl Core<'_> {
    /// Terms over the state of a path, as ones over the inputs of the path.
    pub(crate) fn all_along(
        &mut self,
        task: &Task,
        beta: &Rc<PathState>,
        of: &[Term],
    ) -> Vec<Term> {
        let path = Path {
            beta: beta.clone(),
            names: task.names.vocabulary.clone(),
        };
        let mut memo = self.path_subst.take(&path);
        let mut out = Vec::with_capacity(of.len());
        for term in of {
            let (terms, values) = (&mut self.terms, beta.values());
            let there = substitute(terms, &task.names.vocabulary, values, *term, &mut memo);
            out.push(
                match task
                    .context
                    .focus
                    .and_then(|at| task.context.terms.get(&at))
                {
                    Some(ghosts) => self.terms.substitute(there, ghosts),
                    None => there,
                },
            );
        }
        self.path_subst.keep(path, memo);
        out
    }

    /// The same of one term.
    pub(crate) fn along(&mut self, task: &Task, beta: &Rc<PathState>, term: Term) -> Term {
        self.all_along(task, beta, &[term])[0]
    }
}
