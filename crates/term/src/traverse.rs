//! Traversals: what occurs in a term, and terms rebuilt with parts replaced.
//!
//! Operands have smaller handles than the terms that use them, so a traversal collects the
//! reachable handles with an explicit stack, sorts them, and loops. Nothing recurses, every shared
//! node is visited once, and the order of results depends on handles alone, never on hashing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::symbol::SymbolId;

/// Sorted handles with dense numbers.
pub(crate) struct Dense {
    terms: Vec<Term>,
    numbers: Numbers,
}

/// A hash map for few handles of a large arena, else a table.
enum Numbers {
    Hashed(FxHashMap<Term, u32>),
    Table { first: usize, numbers: Vec<u32> },
}

impl Dense {
    pub fn new(terms: Vec<Term>) -> Dense {
        let first = terms.first().map_or(0, |term| term.index());
        let span = terms.last().map_or(0, |term| term.index() + 1 - first);
        let pairs = terms.iter().enumerate().map(|(i, &term)| (term, i as u32));
        let numbers = if span <= 8 * terms.len() {
            let mut numbers = vec![u32::MAX; span];
            pairs.for_each(|(term, number)| numbers[term.index() - first] = number);
            Numbers::Table { first, numbers }
        } else {
            Numbers::Hashed(pairs.collect())
        };
        Dense { terms, numbers }
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub fn index(&self, term: Term) -> usize {
        match &self.numbers {
            Numbers::Hashed(numbers) => numbers[&term] as usize,
            Numbers::Table { first, numbers } => numbers[term.index() - first] as usize,
        }
    }
}

/// The visited handles: a hash set while they are few, then a bit set.
struct Seen {
    few: FxHashSet<Term>,
    many: Vec<u64>,
    size: usize,
}

impl Seen {
    /// For handles below `size`.
    fn new(size: usize) -> Seen {
        Seen {
            few: FxHashSet::default(),
            many: Vec::new(),
            size,
        }
    }

    /// Adds a handle; false if it was present.
    fn insert(&mut self, term: Term) -> bool {
        if self.many.is_empty() {
            if self.few.len() * 256 < self.size {
                return self.few.insert(term);
            }
            self.many = vec![0; self.size.div_ceil(64)];
            self.few
                .iter()
                .for_each(|term| self.many[term.index() / 64] |= 1 << (term.index() % 64));
        }
        let (word, bit) = (&mut self.many[term.index() / 64], 1 << (term.index() % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

impl Terms {
    /// All terms that occur in the roots, operands before their users.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable_until(roots, |_| false)
    }

    /// As [`Terms::reachable`], but does not go below terms for which `stop` holds.
    fn reachable_until(&self, roots: &[Term], stop: impl Fn(Term) -> bool) -> Vec<Term> {
        let size = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        let mut seen = Seen::new(size);
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        let mut met = 0;
        while let Some(term) = stack.pop() {
            met += 1;
            if seen.insert(term) {
                found.push(term);
                if !stop(term) {
                    stack.extend_from_slice(self.args(term));
                }
            }
        }
        self.count_work(met + found.len());
        found.sort_unstable();
        found
    }

    /// The number of distinct terms in the roots: their size as a graph.
    pub fn dag_size(&self, roots: &[Term]) -> usize {
        self.reachable(roots).len()
    }

    /// The symbols that occur in the roots, ascending.
    pub fn free_symbols(&self, roots: &[Term]) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|term| match self.op(term) {
                Op::Var(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        symbols.sort_unstable();
        symbols
    }

    /// The memory reads that occur in the roots, inner ones first.
    pub fn reads(&self, roots: &[Term]) -> Vec<Term> {
        let mut reads = self.reachable(roots);
        reads.retain(|&term| self.op(term).is_read());
        reads
    }

    /// The term with the mapped terms replaced, all at once; see [`Substitution`].
    pub fn substitute(&mut self, root: Term, map: &FxHashMap<Term, Term>) -> Term {
        Substitution::new(map).apply(self, root)
    }

    /// The term rebuilt by the rewriting constructors from its leaves up.
    pub fn simplify(&mut self, root: Term) -> Term {
        Substitution::new(&FxHashMap::default()).apply(self, root)
    }

    /// The term rebuilt from its leaves up, with `rebuild` deciding each node.
    ///
    /// `rebuild` gets the old term and its new operands, and may return `None` to keep the
    /// operation. `memo` carries results over to the next root; it must always be used with the
    /// same `rebuild`.
    pub fn transform(
        &mut self,
        root: Term,
        memo: &mut FxHashMap<Term, Term>,
        mut rebuild: impl FnMut(&mut Terms, Term, &[Term]) -> Option<Term>,
    ) -> Term {
        let order = self.reachable_until(&[root], |term| memo.contains_key(&term));
        let mut args = Vec::new();
        for term in order {
            if memo.contains_key(&term) {
                continue;
            }
            args.clear();
            args.extend(self.args(term).iter().map(|arg| memo[arg]));
            let new = match rebuild(self, term, &args) {
                Some(new) => new,
                None => self.make(self.op(term), &args),
            };
            memo.insert(term, new);
        }
        memo[&root]
    }
}

/// A simultaneous replacement of terms by terms, with results kept across roots.
///
/// The keys may be any terms, most often variables and reads. A key is matched against the
/// unchanged root, before anything below it; replacements are not substituted into again.
pub struct Substitution {
    memo: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The replacement of each key of the map by its value.
    pub fn new(map: &FxHashMap<Term, Term>) -> Substitution {
        Substitution { memo: map.clone() }
    }

    /// The root with the replacements applied.
    ///
    /// # Panics
    /// If a replacement does not have its key's sort.
    pub fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        terms.transform(root, &mut self.memo, |_, _, _| None)
    }
}
