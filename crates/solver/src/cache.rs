//! A cache of answers, and a check before the search.
//!
//! Answers are facts about sets of terms, so three things are sound. The same set, in any order,
//! has the same answer. A set that contains a known core is unsatisfiable by that core; facts are
//! only added, so cores stay valid. A model that satisfies all terms of a set, and all facts, is a
//! model of the set: the most recent models are evaluated, so flipping a branch back to a known
//! test needs no search. Unknown answers are not kept, since limits differ.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use attest_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Model;
use crate::propagate;
use crate::solver::{Answer, Core, Limits, Solver, distinct};
use crate::statistics::Statistics;

/// A solver behind a cache of its answers.
pub struct Cached<S> {
    solver: S,
    facts: Vec<Term>,
    /// By the sorted assumptions; a model only counts with the facts under which it was found.
    exact: FxHashMap<Vec<Term>, Known>,
    /// Known cores, by their greatest term.
    cores: FxHashMap<Term, Vec<Core>>,
    recent: VecDeque<Arc<Model>>,
    statistics: Statistics,
}

#[derive(Clone)]
enum Known {
    Sat { model: Arc<Model>, facts: usize },
    Unsat(Core),
}

/// The number of recent models that are tried on a new set.
const RECENT: usize = 4;
/// The number of terms in a set up to which trying models is cheaper than a search.
const SMALL: usize = 20_000;
/// The number of answers kept; beyond it the cache starts from empty.
const CAPACITY: usize = 200_000;
/// The number of cores kept for one greatest term.
const CORES: usize = 16;

impl<S: Solver> Cached<S> {
    /// A cache before a solver that has no facts yet.
    pub fn new(solver: S) -> Cached<S> {
        Cached {
            solver,
            facts: Vec::new(),
            exact: FxHashMap::default(),
            cores: FxHashMap::default(),
            recent: VecDeque::new(),
            statistics: Statistics::default(),
        }
    }

    /// The solver behind the cache.
    pub fn inner(&mut self) -> &mut S {
        &mut self.solver
    }

    fn lookup(&self, terms: &Terms, roots: &[Term], key: &[Term]) -> Option<Answer> {
        match self.exact.get(key) {
            Some(Known::Sat { model, facts }) if *facts == self.facts.len() => {
                return Some(Answer::Sat(model.clone()));
            }
            Some(Known::Unsat(core)) => return Some(Answer::Unsat(ordered(roots, core))),
            _ => {}
        }
        let inside: FxHashSet<Term> = key.iter().copied().collect();
        let known = |core: &&Core| core.iter().all(|term| inside.contains(term));
        let cores = key.iter().filter_map(|term| self.cores.get(term)).flatten();
        if let Some(core) = cores.into_iter().find(known) {
            return Some(Answer::Unsat(ordered(roots, core)));
        }
        if self.recent.is_empty() || terms.dag_size(key) > SMALL {
            return None;
        }
        let all = [&self.facts[..], key].concat();
        let model = self
            .recent
            .iter()
            .find(|model| model.satisfies(terms, &all));
        model.map(|model| Answer::Sat(model.clone()))
    }

    fn remember(&mut self, key: Vec<Term>, answer: &Answer) {
        if self.exact.len() >= CAPACITY {
            self.exact.clear();
            self.cores.clear();
        }
        match answer {
            Answer::Sat(model) => {
                if !self.recent.iter().any(|recent| Arc::ptr_eq(recent, model)) {
                    self.recent.push_front(model.clone());
                    self.recent.truncate(RECENT);
                }
                let (model, facts) = (model.clone(), self.facts.len());
                self.exact.insert(key, Known::Sat { model, facts });
            }
            Answer::Unsat(core) => {
                // An empty core comes from the facts alone; it answers every set.
                if let Some(&greatest) = core.iter().max() {
                    let cores = self.cores.entry(greatest).or_default();
                    if cores.len() < CORES {
                        cores.push(core.clone());
                    }
                }
                self.exact.insert(key, Known::Unsat(core.clone()));
            }
            Answer::Unknown(_) => {}
        }
    }

    fn decide(&mut self, terms: &Terms, roots: &[Term], limits: &Limits) -> Answer {
        let mut key = roots.to_vec();
        key.sort_unstable();
        if let Some(answer) = self.lookup(terms, roots, &key) {
            self.statistics.cache_hits += 1;
            if answer.is_sat() {
                self.remember(key, &answer);
            }
            return answer;
        }
        let answer = match propagate::contradiction(terms, &self.facts, roots) {
            Some(core) => {
                self.statistics.propagated += 1;
                Answer::Unsat(core)
            }
            None => self.solver.check(terms, roots, limits),
        };
        self.remember(key, &answer);
        answer
    }
}

/// The core's terms in the order of the assumptions.
fn ordered(roots: &[Term], core: &[Term]) -> Core {
    let inside = |term: &&Term| core.contains(term);
    roots.iter().filter(inside).copied().collect()
}

impl<S: Solver> Solver for Cached<S> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        self.facts.push(fact);
        self.solver.assert(terms, fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let start = Instant::now();
        let answer = self.decide(terms, &distinct(assumptions), limits);
        self.statistics.count(&answer, start);
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics.over(&self.solver.statistics())
    }
}
