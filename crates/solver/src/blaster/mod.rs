//! The embedded solver: bit-blasting over CaDiCaL, incremental for a whole run.
//!
//! A question is answered in these steps: `encode` turns terms into `gates`
//! (each term once), `search` turns gates into clauses (each gate once an
//! instance) and asks CaDiCaL with the assumptions' literals assumed; a model is
//! read back, and where it breaks the functional consistency of memory, `cells`
//! gives the violated instances and the search goes on.
//!
//! Soundness: clauses define gates, conditions define quotients, congruences
//! are valid, so a conflict among the assumed literals is one among the terms;
//! and a model is only returned when memory is a function in it, so that the
//! evaluator agrees (the tests evaluate every model).

mod cells;
mod divide;
mod encode;
mod gates;
mod search;
mod words;

use std::sync::Arc;

use attest_term::{Bv, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::model::Model;
use crate::solver::{Answer, Core, Limits, Reason, Solver};
use crate::statistics::Statistics;
use cells::CellId;
use encode::{Encoder, Support};
use gates::Lit;
use search::{Found, Search};

/// The solver that attest brings with it. Floats are unknown to it.
pub struct Blaster {
    encoder: Encoder,
    search: Search,
    /// The number of the search instance, from one.
    instance: u64,
    facts: Vec<Term>,
    /// How many of the facts the instance has.
    asserted: usize,
    supports: FxHashMap<Term, Arc<Support>>,
    statistics: Statistics,
    /// Whether the encoding holds far more than questions need.
    outgrown: bool,
}

/// Instances below this many variables are not worth replacing.
const SMALL: usize = 2_000;
/// An instance is replaced when it is so many times the size of a question.
const BLOAT: usize = 3;
/// With so many gates the whole encoding is begun anew, unless a question needs them.
const MANY_GATES: usize = 40_000_000;

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster::new()
    }
}

impl Blaster {
    /// A solver without facts.
    pub fn new() -> Blaster {
        Blaster {
            encoder: Encoder::new(),
            search: Search::new(),
            instance: 1,
            facts: Vec::new(),
            asserted: 0,
            supports: FxHashMap::default(),
            statistics: Statistics::default(),
            outgrown: false,
        }
    }

    fn decide(&mut self, terms: &Terms, roots: &[Term], budget: &Budget) -> Result<Answer, Reason> {
        if let Some(core) = self.assert_facts(terms, budget)? {
            return Ok(Answer::Unsat(core));
        }
        let mut assumed = Vec::with_capacity(roots.len());
        for &root in roots {
            match self.encoder.literal(terms, root, budget)? {
                Lit::FALSE => return Ok(Answer::Unsat(vec![root])),
                Lit::TRUE => {}
                lit => assumed.push((lit, root)),
            }
        }
        let lits: Vec<Lit> = assumed.iter().map(|(lit, _)| *lit).collect();
        self.replace_bloated(terms, &lits, budget)?;
        let support = self.support(terms, roots);
        self.define_places(&support.cells, budget)?;
        loop {
            self.add_missing_congruences(&support.cells, budget)?;
            let held = self.encoder.bytes();
            let found = self
                .search
                .solve(&self.encoder.gates, &lits, held, budget)?;
            match found {
                Found::Conflict(failed) => return Ok(Answer::Unsat(core(&assumed, &failed))),
                Found::Assignment => {}
            }
            let mut model = self.symbols(terms, &support);
            let value = |lit: Lit| self.search.value(lit);
            let cells = &self.encoder.cells;
            let violated = cells.contents(&support.cells, &value, &mut model);
            if violated.is_empty() {
                return Ok(Answer::Sat(Arc::new(model)));
            }
            for pair in violated {
                self.encoder.cells.relate(&mut self.encoder.gates, pair);
                self.statistics.congruences += 1;
            }
        }
    }

    /// Puts new facts into the instance; an empty core if one is false as it stands.
    fn assert_facts(&mut self, terms: &Terms, budget: &Budget) -> Result<Option<Core>, Reason> {
        while let Some(&fact) = self.facts.get(self.asserted) {
            let lit = self.encoder.literal(terms, fact, budget)?;
            if lit == Lit::FALSE {
                return Ok(Some(vec![]));
            }
            self.search.assert(&self.encoder.gates, lit, budget)?;
            self.asserted += 1;
        }
        Ok(None)
    }

    /// A model must say where the cells are, even if no clause asks for it.
    fn define_places(&mut self, cells: &[CellId], budget: &Budget) -> Result<(), Reason> {
        for &cell in cells {
            let Some(bits) = self.encoder.cells.missing_place(cell, self.instance) else {
                continue;
            };
            for bit in bits {
                self.search.define(&self.encoder.gates, bit, budget)?;
            }
            self.encoder.cells.place_defined(cell, self.instance);
        }
        Ok(())
    }

    fn add_missing_congruences(&mut self, cells: &[CellId], budget: &Budget) -> Result<(), Reason> {
        for index in self.encoder.cells.missing(cells, self.instance) {
            let congruence = &self.encoder.cells.congruences[index];
            let words = congruence.cells.map(|cell| self.encoder.cells.bits(cell));
            let same_place = congruence.same_place;
            self.search
                .equate(&self.encoder.gates, same_place, words, budget)?;
            self.encoder.cells.congruences[index].instance = self.instance;
        }
        Ok(())
    }

    /// What the facts and the roots depend on.
    fn support(&mut self, terms: &Terms, roots: &[Term]) -> Support {
        let mut all = Support::default();
        for &root in self.facts.iter().chain(roots) {
            let support = match self.supports.get(&root) {
                Some(support) => support.clone(),
                None => {
                    let support = Arc::new(self.encoder.support(terms, root));
                    self.supports.insert(root, support.clone());
                    support
                }
            };
            all.symbols.extend_from_slice(&support.symbols);
            all.cells.extend_from_slice(&support.cells);
        }
        all.symbols.sort_unstable();
        all.symbols.dedup();
        all.cells.sort_unstable();
        all.cells.dedup();
        all
    }

    fn symbols(&self, terms: &Terms, support: &Support) -> Model {
        let mut model = Model::default();
        for &(symbol, term) in &support.symbols {
            let Some(bits) = self.encoder.symbol(terms, term) else {
                continue;
            };
            let value = match terms.sort(term) {
                Sort::Bool => Value::Bool(self.search.value(bits[0])),
                _ => Value::Bv(self.word(bits)),
            };
            model.vars.insert(symbol, value);
        }
        model
    }

    fn word(&self, bits: &[Lit]) -> Bv {
        let value = |lit: Lit| self.search.value(lit);
        let words = bits.chunks(64).map(|chunk| cells::number(chunk, &value));
        Bv::from_words(bits.len() as u32, words.collect())
    }

    /// Begins a new instance if this one holds far more than the question needs.
    /// A model assigns every variable and meets every quotient's condition, so
    /// what is not needed costs time: tenfold on the benchmark's paths. Gates
    /// stay, so a new instance costs only the clauses of the question.
    fn replace_bloated(
        &mut self,
        terms: &Terms,
        lits: &[Lit],
        budget: &Budget,
    ) -> Result<(), Reason> {
        let gates = self.encoder.gates.len();
        if self.search.variables() < SMALL {
            return Ok(());
        }
        let cone = self.search.cone(&self.encoder.gates, lits);
        if cone * BLOAT < self.search.variables() {
            self.new_instance();
            self.assert_facts(terms, budget)?;
            self.outgrown = gates > MANY_GATES && cone * BLOAT < gates;
        }
        Ok(())
    }

    /// Drops the encoding; terms will be encoded again when they are asked about.
    fn forget(&mut self) {
        self.new_instance();
        self.encoder = Encoder::new();
        self.supports.clear();
        self.outgrown = false;
    }

    fn new_instance(&mut self) {
        self.retire();
        self.search = Search::new();
        self.instance += 1;
        self.asserted = 0;
        self.statistics.restarts += 1;
    }

    /// Adds the figures of the instance to those of its predecessors.
    fn retire(&mut self) {
        self.statistics.variables += self.search.variables() as u64;
        self.statistics.clauses += self.search.clauses();
        self.statistics.conflicts += self.search.conflicts();
    }
}

/// The assumptions whose literals failed, each literal once.
fn core(assumed: &[(Lit, Term)], failed: &[Lit]) -> Core {
    let mut failed = failed.to_vec();
    failed.sort_unstable();
    let mut core = Vec::new();
    for (lit, term) in assumed {
        if let Ok(at) = failed.binary_search(lit) {
            failed.remove(at);
            core.push(*term);
        }
    }
    core
}

impl Solver for Blaster {
    fn name(&self) -> &'static str {
        "blaster"
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        assert_eq!(terms.sort(fact), Sort::Bool, "a fact has a truth value");
        self.facts.push(fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let budget = Budget::new(limits);
        let answer = self.decide(terms, assumptions, &budget);
        let answer = answer.unwrap_or_else(|reason| {
            self.outgrown |= reason == Reason::Memory;
            Answer::Unknown(reason)
        });
        if self.outgrown {
            self.forget();
        }
        self.statistics.count(&answer, budget.start());
        answer
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics;
        statistics.variables += self.search.variables() as u64;
        statistics.clauses += self.search.clauses();
        statistics.conflicts += self.search.conflicts();
        statistics
    }
}
