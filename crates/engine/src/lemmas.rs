//! Inductive generalisation of what a split is about (algorithm notes 6.5; CTIGAR's step).
//!
//! A region is split by a cube of states that can cross, and no test is known
//! to come there. If no step leads into the cube from outside of it, its
//! complement is an invariant and there is no need for a split. Literals are
//! dropped from the cube as long as that stays so: the tests' states say first
//! which ones, by evaluation alone, and the solver is asked only where no
//! state is in the larger cube.

use crate::engine::Engine;
use crate::events::{Event, Question};
use attest_model::graph::{Graph, Loc};
use attest_term::{Program as Compiled, Term};

/// Literals of a cube that is tried.
const MOST_LITERALS: usize = 6;
/// How often that may fail at a location.
const HOPE: u32 = 8;

impl Engine<'_> {
    /// Makes the complement of a cube an invariant of a location, if it is one; whether it is.
    pub(crate) fn learn_lemma(&mut self, loc: Loc, cube: &[Term]) -> bool {
        if self.query.is_some() || cube.is_empty() || cube.len() > MOST_LITERALS {
            return false;
        }
        let sources: Vec<Loc> = self.graph.incoming[loc.0 as usize]
            .iter()
            .map(|edge| self.graph.edge(*edge).src)
            .collect();
        let by_calls = sources
            .iter()
            .any(|src| self.call_edge(*src, loc).is_some());
        let hope = self.pools.lemmas.entry(loc).or_insert(HOPE);
        if by_calls || !sources.contains(&loc) || *hope == 0 {
            return false;
        }
        *hope -= 1;
        let mut cube = cube.to_vec();
        if self.is_visited(loc, &cube) || !self.is_closed(loc, &sources, &cube) {
            return false;
        }
        let mut at = cube.len();
        while at > 0 && cube.len() > 1 {
            at -= 1;
            let mut less = cube.clone();
            less.remove(at);
            if !self.is_visited(loc, &less) && self.is_closed(loc, &sources, &less) {
                cube = less;
            }
        }
        let all = self.terms.all(&cube);
        let fact = self.terms.not(all);
        self.invariants.entry(loc).or_default().push(fact);
        self.pools.makers.insert(fact, crate::Technique::Lemmas);
        *self.pools.lemmas.entry(loc).or_default() += 2;
        self.invariants_version += 1;
        let maker = self.maker(fact);
        self.tell(Event::Invariant { loc, fact, maker });
        true
    }

    /// Whether a test's state is in a cube.
    fn is_visited(&mut self, loc: Loc, cube: &[Term]) -> bool {
        let all = self.terms.all(cube);
        let outside = self.terms.not(all);
        let outside = Compiled::compile(&self.terms, outside);
        self.which_hold(self.nodes_at(loc), &outside) != [true]
    }

    /// Whether no step leads into a cube from outside of it.
    fn is_closed(&mut self, loc: Loc, sources: &[Loc], cube: &[Term]) -> bool {
        let all = self.terms.all(cube);
        let outside = self.terms.not(all);
        sources.iter().all(|src| {
            let Some(mut question) = self.pre_of(*src, loc, cube) else {
                return true;
            };
            if *src != Graph::ROOT {
                question.extend(self.invariants.get(src).into_iter().flatten());
            }
            if *src == loc {
                question.push(outside);
            }
            self.ask_briefly(Question::Induction, &question).is_unsat()
        })
    }
}
