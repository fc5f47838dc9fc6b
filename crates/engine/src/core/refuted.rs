//! Refutations that are remembered: what excluded one frontier often excludes the next.
//!
//! A test's path up to a location with the predicate of a region there, and the same path one
//! step earlier with the precondition of that predicate, are the same conditions about the
//! same inputs. Where the first are refuted so are the second, and no solver call says
//! anything new: along the path of one test a predicate goes back for the price of one. What
//! is kept are the solver's own cores, and a conjunction that contains one is refuted by it.
//! They stay true, since terms over a path's inputs mean the same for the whole run.

use attest_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Conjunctions that the solver refuted.
#[derive(Default)]
pub(crate) struct Refuted {
    cores: Vec<Vec<Term>>,
    /// Those with a term, which is the newest of the core: the fewest have it.
    with: FxHashMap<Term, Vec<usize>>,
}

impl Refuted {
    /// Remembers the core of a refutation.
    pub fn add(&mut self, core: &[Term]) {
        if let Some(newest) = core.iter().max() {
            self.with.entry(*newest).or_default().push(self.cores.len());
            self.cores.push(core.to_vec());
        }
    }

    /// A core that a conjunction contains.
    pub fn core_of(&self, all: &[Term]) -> Option<&[Term]> {
        let has: FxHashSet<Term> = all.iter().copied().collect();
        let mut known = all.iter().filter_map(|term| self.with.get(term)).flatten();
        let within = |core: &[Term]| core.iter().all(|term| has.contains(term));
        known.find_map(|at| {
            let core = self.cores[*at].as_slice();
            within(core).then_some(core)
        })
    }
}
