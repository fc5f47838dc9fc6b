//! The solver's part of an unwinding.
//!
//! The names of joins are defined once and for all, when a check first mentions them.

use crate::encode::Definition;
use crate::fresh::Fresh;
use attest_solver::{Answer, Limits, Reason, Solver, WithFloats};
use attest_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// The limit of conflicts of the first search; a search that takes longer starts afresh.
const SHORT: u32 = 20_000;

/// Nanoseconds of a term that is made,
const TERM: u64 = 50;
/// and of one that is visited or asked for again.
const VISIT: u64 = 16;

/// The solver, what it was told, and the limits.
pub struct Questions<'s> {
    solver: &'s mut dyn Solver,
    limits: &'s Limits,
    /// The effort of other solvers that it used.
    aside: Duration,
    /// The number of solver checks.
    pub checks: usize,
    /// Definitions by their names.
    definitions: FxHashMap<Term, Term>,
    /// How many of the encoder's definitions are known.
    known: usize,
    seen: FxHashSet<Term>,
}

impl<'s> Questions<'s> {
    /// Nothing was asked.
    pub fn new(solver: &'s mut dyn Solver, limits: &'s Limits) -> Questions<'s> {
        Questions {
            solver,
            limits,
            aside: Duration::ZERO,
            checks: 0,
            definitions: FxHashMap::default(),
            known: 0,
            seen: FxHashSet::default(),
        }
    }

    /// Whether the caller wants no more.
    pub fn is_interrupted(&self) -> bool {
        self.limits.interrupted()
    }

    /// The effort that is left for all that is to come, if it is limited.
    pub fn left(&self, terms: &Terms) -> Option<Duration> {
        let own = Duration::from_nanos(TERM * terms.len() as u64 + VISIT * terms.work());
        let used = own + self.solver.statistics().effort() + self.aside;
        Some(self.limits.effort?.saturating_sub(used))
    }

    /// Whether the facts can hold together, given the definitions of the names in them.
    pub fn ask(&mut self, terms: &Terms, definitions: &[Definition], facts: &[Term]) -> Answer {
        if facts
            .iter()
            .any(|fact| terms.bool_const(*fact) == Some(false))
        {
            return Answer::Unsat(Vec::new());
        }
        for definition in &definitions[self.known..] {
            self.definitions
                .insert(definition.name, definition.equation);
        }
        self.known = definitions.len();
        self.tell(terms, facts);
        self.checks += 1;
        let most = self.limits.conflicts.unwrap_or(u32::MAX);
        let long = Limits {
            effort: self.left(terms),
            ..self.limits.clone()
        };
        let short = Limits {
            conflicts: Some(SHORT.min(most)),
            ..long.clone()
        };
        let first = self.solver.check(terms, facts, &short);
        if most <= SHORT || !matches!(first, Answer::Unknown(Reason::Conflicts)) {
            return first;
        }
        let mut all = facts.to_vec();
        all.extend(self.needed(terms, facts));
        let mut fresh = Fresh::new(WithFloats::new);
        let answer = fresh.check(terms, &all, &long);
        self.aside += fresh.statistics().effort();
        answer
    }

    /// Tells the solver the definitions that facts mention and it does not know.
    fn tell(&mut self, terms: &Terms, facts: &[Term]) {
        let mut work = facts.to_vec();
        while let Some(term) = work.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            work.extend(terms.args(term));
            if let Some(&equation) = self.definitions.get(&term) {
                self.solver.assert(terms, equation);
                work.push(equation);
            }
        }
    }

    /// The definitions that facts mention.
    fn needed(&self, terms: &Terms, facts: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut out = Vec::new();
        let mut work = facts.to_vec();
        while let Some(term) = work.pop() {
            if seen.insert(term) {
                work.extend(terms.args(term));
                if let Some(&equation) = self.definitions.get(&term) {
                    out.push(equation);
                    work.push(equation);
                }
            }
        }
        out
    }
}
