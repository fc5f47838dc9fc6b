//! The arena of terms: storage, hash-consing, symbols and constants.
//!
//! A [`Term`] is a handle to a node; two structurally equal terms have equal handles. Operands
//! always have smaller handles than the terms that use them, so ascending handle order is a
//! topological order: every traversal of this crate is a loop over sorted handles and none
//! recurses. Dropping the arena frees flat vectors, however deep the terms are nested.
//!
//! Nodes are only added, never removed. [`Terms::raw`] builds a term without rewriting; it is the
//! reference for testing the rewriting constructors ([`Terms::make`] and the named ones in
//! `build`).

use std::hash::{Hash, Hasher};

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHasher};

use crate::bv::Bv;
use crate::op::{ConstId, Op, SortError};
use crate::sort::Sort;
use crate::symbol::{Symbol, SymbolId, SymbolKind};
use crate::table::Table;
use crate::value::Value;

/// A term of one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position in creation order, for dense tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone)]
struct Node {
    op: Op,
    sort: Sort,
    first: u32,
    count: u32,
}

/// An owned, hash-consed set of terms.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<Term>,
    table: Table,
    consts: Vec<Value>,
    const_ids: FxHashMap<Value, ConstId>,
    symbols: Vec<Symbol>,
    names: FxHashMap<String, SymbolId>,
    /// How many rewriting constructors are active; bounds the work of one call.
    pub(crate) depth: u32,
    /// Terms that were visited or made, however often: a measure of the work done here.
    pub(crate) work: Cell<u64>,
}

impl Terms {
    /// An arena without terms.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many terms were visited by traversals or asked for by constructors, those that were
    /// there already included. The same calls give the same count on every machine.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    pub(crate) fn count_work(&self, terms: usize) {
        self.work.set(self.work.get() + terms as u64);
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operation at the root.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// The operands.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.args[node.first as usize..][..node.count as usize]
    }

    /// The operand at this position.
    pub fn arg(&self, term: Term, index: usize) -> Term {
        self.args(term)[index]
    }

    /// The sort.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is not a bit vector.
    pub fn width(&self, term: Term) -> u32 {
        let sort = self.sort(term);
        sort.width()
            .unwrap_or_else(|| panic!("a term of sort {sort} has no width"))
    }

    /// The value of a constant of any sort.
    pub fn constant(&self, term: Term) -> Option<Value> {
        match self.op(term) {
            Op::Bool(b) => Some(Value::Bool(b)),
            Op::Const(id) => Some(self.consts[id.0 as usize].clone()),
            _ => None,
        }
    }

    /// The truth value of a boolean constant.
    pub fn bool_const(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The value of a bit-vector constant.
    pub fn bv_const(&self, term: Term) -> Option<&Bv> {
        match self.op(term) {
            Op::Const(id) => self.consts[id.0 as usize].as_bv(),
            _ => None,
        }
    }

    /// Whether the term is a constant.
    pub fn is_const(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Bool(_) | Op::Const(_))
    }

    /// The value of an interned constant.
    pub fn const_value(&self, id: ConstId) -> &Value {
        &self.consts[id.0 as usize]
    }

    // Construction.

    /// The constant term of a value.
    pub fn value(&mut self, value: Value) -> Term {
        if let Value::Bool(b) = value {
            return self.intern(Op::Bool(b), Sort::Bool, &[]);
        }
        let sort = value.sort();
        let id = match self.const_ids.get(&value) {
            Some(id) => *id,
            None => {
                let id = ConstId(self.consts.len() as u32);
                self.consts.push(value.clone());
                self.const_ids.insert(value, id);
                id
            }
        };
        self.intern(Op::Const(id), sort, &[])
    }

    /// The term with exactly this operation and these operands, not rewritten.
    ///
    /// # Panics
    /// If the operands' sorts do not fit the operation.
    pub fn raw(&mut self, op: Op, args: &[Term]) -> Term {
        self.try_raw(op, args)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Terms::raw`], with an error instead of a panic where the sorts do not fit.
    pub fn try_raw(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        let sort = match op {
            Op::Const(id) if args.is_empty() => self.consts[id.0 as usize].sort(),
            Op::Var(id) if args.is_empty() => self.symbols[id.index()].sort,
            _ => self.result_sort(op, args)?,
        };
        Ok(self.intern(op, sort, args))
    }

    fn result_sort(&self, op: Op, args: &[Term]) -> Result<Sort, SortError> {
        // Only long conjunctions need the heap.
        let mut few = [Sort::Bool; 3];
        if args.len() <= few.len() {
            args.iter()
                .zip(&mut few)
                .for_each(|(arg, sort)| *sort = self.sort(*arg));
            return op.result_sort(&few[..args.len()]);
        }
        let sorts: Vec<Sort> = args.iter().map(|arg| self.sort(*arg)).collect();
        op.result_sort(&sorts)
    }

    fn intern(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        self.count_work(1 + args.len());
        let mut hasher = FxHasher::default();
        op.hash(&mut hasher);
        args.iter().for_each(|arg| hasher.write_u32(arg.0));
        let hash = hasher.finish() as u32;
        let same = |other| {
            let other = Term(other);
            self.op(other) == op && self.args(other) == args
        };
        if let Some(found) = self.table.find(hash, same) {
            return Term(found);
        }
        let index = self.nodes.len() as u32;
        assert!(index < u32::MAX, "the arena holds at most 2^32 - 1 terms");
        let (first, count) = (self.args.len() as u32, args.len() as u32);
        self.args.extend_from_slice(args);
        self.nodes.push(Node {
            op,
            sort,
            first,
            count,
        });
        self.table.insert(hash, index);
        Term(index)
    }

    // Symbols.

    /// The symbol of this name, declared if it is new.
    ///
    /// # Panics
    /// If the name was declared with another sort or kind.
    pub fn declare(&mut self, name: &str, sort: Sort, kind: SymbolKind) -> SymbolId {
        if let Some(&id) = self.names.get(name) {
            let old = &self.symbols[id.index()];
            assert!(
                old.sort == sort && old.kind == kind,
                "{name} is already a {} of sort {}",
                old.kind,
                old.sort
            );
            return id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol {
            name: name.to_owned(),
            source: None,
            sort,
            kind,
        });
        self.names.insert(name.to_owned(), id);
        id
    }

    /// A new symbol whose name begins with `prefix`.
    pub fn declare_fresh(&mut self, prefix: &str, sort: Sort, kind: SymbolKind) -> SymbolId {
        let mut number = self.symbols.len();
        let mut name = format!("{prefix}!{number}");
        while self.names.contains_key(&name) {
            number += 1;
            name = format!("{prefix}!{number}");
        }
        self.declare(&name, sort, kind)
    }

    /// Gives a symbol its name in the C source.
    pub fn set_source(&mut self, symbol: SymbolId, source: &str) {
        self.symbols[symbol.index()].source = Some(source.to_owned());
    }

    /// The declaration of a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol.index()]
    }

    /// The symbol of this name, if declared.
    pub fn lookup(&self, name: &str) -> Option<SymbolId> {
        self.names.get(name).copied()
    }

    /// All symbols, in the order of declaration.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = (SymbolId, &Symbol)> {
        self.symbols
            .iter()
            .enumerate()
            .map(|(i, symbol)| (SymbolId(i as u32), symbol))
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, symbol: SymbolId) -> Term {
        let sort = self.symbols[symbol.index()].sort;
        self.intern(Op::Var(symbol), sort, &[])
    }

    /// The term of the symbol of this name, declared if it is new.
    ///
    /// # Panics
    /// If the name was declared with another sort or kind.
    pub fn var(&mut self, name: &str, sort: Sort, kind: SymbolKind) -> Term {
        let symbol = self.declare(name, sort, kind);
        self.symbol_term(symbol)
    }
}
