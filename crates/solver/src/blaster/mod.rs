//! The embedded solver: bit-blasting over CaDiCaL, incremental for a whole run.
//!
//! A check takes these steps: `encode` turns terms into `gates` (each term once); `search` turns
//! gates into clauses (each gate once per instance) and runs CaDiCaL under the assumptions'
//! literals; the model is read back, and where it violates the functional consistency of memory,
//! `cells` gives the violated congruences and the search continues. The circuits are in `words`
//! (bit vectors) and `divide` (division).
//!
//! Soundness: clauses define gates, conditions define quotients, and congruences are valid, so a
//! conflict among the assumed literals is a conflict among the terms. A model is only returned when
//! memory is a function in it, so the evaluator agrees (the tests evaluate every model).

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

/// The embedded solver. It does not decide floats.
pub struct Blaster {
    encoder: Encoder,
    /// Checks of different sizes have separate instances: a small check in a large instance would
    /// pay for its size, and a large check would be rebuilt each time.
    benches: [Bench; BENCHES],
    /// The bench of the current check.
    at: usize,
    /// The number of instances so far.
    instances: u64,
    facts: Vec<Term>,
    supports: FxHashMap<Term, Arc<Support>>,
    statistics: Statistics,
    /// Whether the encoding holds far more than the checks need.
    outgrown: bool,
}

/// The number of simultaneous instances of the search.
const BENCHES: usize = 2;
/// The number of gates from which a check uses the second bench.
const TOO_MANY: usize = 12_000;

/// An instance of the search.
struct Bench {
    search: Search,
    /// The number of the instance, from one; numbers are unique.
    instance: u64,
    /// How many of the facts are asserted in it.
    asserted: usize,
}

impl Bench {
    fn new(instance: u64) -> Bench {
        Bench {
            search: Search::new(),
            instance,
            asserted: 0,
        }
    }
}

/// Names an instance by its bench and number.
#[derive(Clone, Copy)]
struct Instance {
    bench: usize,
    number: u64,
}

impl Instance {
    /// Whether this instance is the one recorded for its bench.
    fn has(self, noted: &[u64; BENCHES]) -> bool {
        noted[self.bench] == self.number
    }

    fn note(self, noted: &mut [u64; BENCHES]) {
        noted[self.bench] = self.number;
    }
}

/// Instances below this many variables are not worth replacing.
const SMALL: usize = 2_000;
/// An instance is replaced when it is this many times the size of a check.
const BLOAT: usize = 3;
/// The encoding restarts from empty at this many gates, unless one check needs them.
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
            benches: [1, 2].map(Bench::new),
            at: 0,
            instances: BENCHES as u64,
            facts: Vec::new(),
            supports: FxHashMap::default(),
            statistics: Statistics::default(),
            outgrown: false,
        }
    }

    fn decide(&mut self, terms: &Terms, roots: &[Term], budget: &Budget) -> Result<Answer, Reason> {
        let mut assumed = Vec::with_capacity(roots.len());
        for &root in roots {
            match self.encoder.literal(terms, root, budget)? {
                Lit::FALSE => return Ok(Answer::Unsat(vec![root])),
                Lit::TRUE => {}
                lit => assumed.push((lit, root)),
            }
        }
        let lits: Vec<Lit> = assumed.iter().map(|(lit, _)| *lit).collect();
        self.choose_bench(&lits);
        if let Some(core) = self.assert_facts(terms, budget)? {
            return Ok(Answer::Unsat(core));
        }
        let begin = self.statistics().effort();
        let support = self.support(terms, roots);
        self.define_places(&support.cells, budget)?;
        loop {
            self.add_missing_congruences(&support.cells, budget)?;
            let others = self.benches.iter().enumerate();
            let others = others.filter(|(bench, _)| *bench != self.at);
            let others: u64 = others.map(|(_, bench)| bench.search.bytes()).sum();
            let held = self.encoder.bytes() + others;
            let found =
                self.benches[self.at]
                    .search
                    .solve(&self.encoder.gates, &lits, held, budget)?;
            match found {
                Found::Conflict(failed) => return Ok(Answer::Unsat(core(&assumed, &failed))),
                Found::Assignment => {}
            }
            let mut model = self.symbols(terms, &support);
            let value = |lit: Lit| self.search().value(lit);
            let cells = &self.encoder.cells;
            let violated = cells.contents(&support.cells, &value, &mut model);
            if violated.is_empty() {
                return Ok(Answer::Sat(Arc::new(model)));
            }
            let spent = self.statistics().effort().saturating_sub(begin);
            if budget.effort().is_some_and(|effort| spent > effort) {
                return Err(Reason::Effort);
            }
            for pair in violated {
                self.encoder.cells.relate(&mut self.encoder.gates, pair);
                self.statistics.congruences += 1;
            }
        }
    }

    /// Asserts new facts in the instance; an empty core if one is constant false.
    fn assert_facts(&mut self, terms: &Terms, budget: &Budget) -> Result<Option<Core>, Reason> {
        while let Some(&fact) = self.facts.get(self.benches[self.at].asserted) {
            let lit = self.encoder.literal(terms, fact, budget)?;
            if lit == Lit::FALSE {
                return Ok(Some(vec![]));
            }
            let bench = &mut self.benches[self.at];
            bench.search.assert(&self.encoder.gates, lit, budget)?;
            bench.asserted += 1;
        }
        Ok(None)
    }

    /// A model must have the location of each cell, even if no clause needs it.
    fn define_places(&mut self, cells: &[CellId], budget: &Budget) -> Result<(), Reason> {
        for &cell in cells {
            let at = self.instance();
            let Some(bits) = self.encoder.cells.missing_place(cell, at) else {
                continue;
            };
            let search = &mut self.benches[self.at].search;
            for bit in bits {
                search.define(&self.encoder.gates, bit, budget)?;
            }
            self.encoder.cells.place_defined(cell, at);
        }
        Ok(())
    }

    fn add_missing_congruences(&mut self, cells: &[CellId], budget: &Budget) -> Result<(), Reason> {
        let at = self.instance();
        for index in self.encoder.cells.missing(cells, at) {
            let congruence = &self.encoder.cells.congruences[index];
            let words = congruence.cells.map(|cell| self.encoder.cells.bits(cell));
            let same_place = congruence.same_place;
            self.benches[self.at]
                .search
                .equate(&self.encoder.gates, same_place, words, budget)?;
            self.encoder.cells.congruence_defined(index, at);
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
                Sort::Bool => Value::Bool(self.search().value(bits[0])),
                _ => Value::Bv(self.word(bits)),
            };
            model.vars.insert(symbol, value);
        }
        model
    }

    fn word(&self, bits: &[Lit]) -> Bv {
        let value = |lit: Lit| self.search().value(lit);
        let words = bits.chunks(64).map(|chunk| cells::number(chunk, &value));
        Bv::from_words(bits.len() as u32, words.collect())
    }

    /// The instance of the current check.
    fn instance(&self) -> Instance {
        Instance {
            bench: self.at,
            number: self.benches[self.at].instance,
        }
    }

    fn search(&self) -> &Search {
        &self.benches[self.at].search
    }

    /// Selects the bench for checks of this size, and starts a new instance there if the old one is
    /// far larger than the check needs.
    ///
    /// A model assigns every variable and meets every quotient's condition, so unneeded gates cost
    /// time: tenfold on the benchmark's paths. Gates stay encoded, so a new instance only costs the
    /// clauses of the check.
    fn choose_bench(&mut self, lits: &[Lit]) {
        let gates = &self.encoder.gates;
        let cone = self.benches[0].search.cone(gates, lits);
        self.statistics.gates += cone as u64;
        self.at = usize::from(cone >= TOO_MANY);
        let variables = self.search().variables();
        if variables >= SMALL && cone * BLOAT < variables {
            self.outgrown = gates.len() > MANY_GATES && cone * BLOAT < gates.len();
            self.new_instance(self.at);
        }
    }

    /// Drops the encoding; terms are encoded again when a check needs them.
    fn forget(&mut self) {
        (0..BENCHES).for_each(|bench| self.new_instance(bench));
        self.encoder = Encoder::new();
        self.supports.clear();
        self.outgrown = false;
    }

    fn new_instance(&mut self, bench: usize) {
        self.instances += 1;
        let old = std::mem::replace(&mut self.benches[bench], Bench::new(self.instances));
        add_figures(&mut self.statistics, &old.search);
        self.statistics.restarts += 1;
    }
}

/// Adds the counters of an instance to the statistics.
fn add_figures(statistics: &mut Statistics, search: &Search) {
    statistics.variables += search.variables() as u64;
    statistics.clauses += search.clauses();
    statistics.conflicts += search.conflicts();
    statistics.ticks += search.ticks();
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
        for bench in &self.benches {
            add_figures(&mut statistics, &bench.search);
        }
        statistics
    }
}
