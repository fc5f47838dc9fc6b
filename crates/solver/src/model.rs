//! Models: states on which a set of terms holds.
//!
//! A model becomes an [`Env`] with [`Model::env`], so only the evaluator of terms says what a
//! term's value in it is. It holds the symbols and addresses of the check; all others are zero,
//! which is as good as any other value.

use std::collections::BTreeMap;

use attest_term::{Address, Env, SymbolId, Term, Terms, Value};

/// A state: values of symbols and contents of memories.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    pub(crate) vars: BTreeMap<SymbolId, Value>,
    pub(crate) bytes: BTreeMap<Place, u8>,
    pub(crate) objects: BTreeMap<Place, u32>,
    pub(crate) offsets: BTreeMap<Place, u64>,
    pub(crate) tags: BTreeMap<Place, bool>,
    pub(crate) bases: BTreeMap<u32, u64>,
}

/// An address in an order: version, width of offsets, object, offset.
pub(crate) type Place = (u32, u32, u32, u64);

fn place(at: Address) -> Place {
    (at.version, at.offset_width, at.object, at.offset)
}

impl Model {
    /// The value of a term.
    pub fn value(&self, terms: &Terms, term: Term) -> Value {
        terms.eval(term, &self.env(terms))
    }

    /// The values of several terms; shared parts are computed once.
    pub fn values(&self, terms: &Terms, roots: &[Term]) -> Vec<Value> {
        terms.eval_all(roots, &self.env(terms))
    }

    /// Whether all these terms of truth value hold.
    pub fn satisfies(&self, terms: &Terms, facts: &[Term]) -> bool {
        let values = self.values(terms, facts);
        values.iter().all(|value| *value == Value::Bool(true))
    }

    /// The model as a state that knows every symbol of the arena.
    pub fn env<'a>(&'a self, terms: &'a Terms) -> ModelEnv<'a> {
        ModelEnv { terms, model: self }
    }

    /// The symbols that have a value, with the value, in declaration order.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.vars.iter().map(|(symbol, value)| (*symbol, value))
    }

    /// The bytes of memory that have a value, with the value, in address order.
    pub fn memory(&self) -> impl Iterator<Item = (Address, u8)> {
        self.bytes.iter().map(|(place, byte)| {
            let &(version, offset_width, object, offset) = place;
            let at = Address {
                version,
                object,
                offset,
                offset_width,
            };
            (at, *byte)
        })
    }
}

/// A model with its arena, which knows the sorts of the symbols without a value.
#[derive(Clone, Copy)]
pub struct ModelEnv<'a> {
    terms: &'a Terms,
    model: &'a Model,
}

impl Env for ModelEnv<'_> {
    fn var(&self, symbol: SymbolId) -> Value {
        let known = self.model.vars.get(&symbol);
        known.map_or_else(|| Value::zero(self.terms.symbol(symbol).sort), Value::clone)
    }

    fn byte(&self, at: Address) -> u8 {
        self.model.bytes.get(&place(at)).copied().unwrap_or(0)
    }

    fn pointer(&self, at: Address) -> (u32, u64) {
        let at = place(at);
        let object = self.model.objects.get(&at).copied().unwrap_or(0);
        (object, self.model.offsets.get(&at).copied().unwrap_or(0))
    }

    fn tag(&self, at: Address) -> bool {
        self.model.tags.get(&place(at)).copied().unwrap_or(false)
    }

    fn base(&self, object: u32) -> u64 {
        self.model.bases.get(&object).copied().unwrap_or(0)
    }
}
