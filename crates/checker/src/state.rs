//! The state of a location as terms, with the names that proofs use.

use attest_model::{Constant, FnId, Program, Sort as ModelSort};
use attest_term::{FloatSort, Sort, SymbolKind, Term, Terms};

/// A pointer as terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// Its object, 32 bits.
    pub object: Term,
    /// Its offset, of pointer width.
    pub offset: Term,
}

/// A scalar as terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer or a float.
    One(Term),
    /// A pointer.
    Ptr(Pointer),
}

impl Value {
    /// The term of an integer or float.
    ///
    /// # Panics
    /// On a pointer: the model is sorted, so this is a bug in it.
    pub fn one(self) -> Term {
        match self {
            Value::One(term) => term,
            Value::Ptr(_) => unreachable!("a pointer where the model promises a number"),
        }
    }

    /// The pointer.
    ///
    /// # Panics
    /// On a number: the model is sorted, so this is a bug in it.
    pub fn ptr(self) -> Pointer {
        match self {
            Value::Ptr(pointer) => pointer,
            Value::One(_) => unreachable!("a number where the model promises a pointer"),
        }
    }

    /// A constant of the model.
    pub fn constant(terms: &mut Terms, constant: Constant, pointer_bits: u32) -> Value {
        match constant {
            Constant::Int { width, value } => Value::One(terms.bv_u128(width, value)),
            Constant::F32(bits) => Value::One(terms.f32(f32::from_bits(bits))),
            Constant::F64(bits) => Value::One(terms.f64(f64::from_bits(bits))),
            Constant::Ptr { object, offset } => Value::Ptr(Pointer {
                object: terms.bv_u128(32, object.0.into()),
                offset: terms.bv_u128(pointer_bits, offset.into()),
            }),
        }
    }

    /// A symbol, or two for a pointer.
    pub fn symbol(
        terms: &mut Terms,
        name: &str,
        sort: ModelSort,
        pointer_bits: u32,
        kind: SymbolKind,
    ) -> Value {
        let one = match sort {
            ModelSort::Int(width) => Sort::BitVec(width),
            ModelSort::F32 => Sort::Float(FloatSort::F32),
            ModelSort::F64 => Sort::Float(FloatSort::F64),
            ModelSort::Ptr => {
                let object = terms.var(&format!("{name}.o"), Sort::BitVec(32), kind);
                let offset = terms.var(&format!("{name}.a"), Sort::BitVec(pointer_bits), kind);
                return Value::Ptr(Pointer { object, offset });
            }
        };
        Value::One(terms.var(name, one, kind))
    }

    /// `cond ? self : other`.
    pub fn choose(self, terms: &mut Terms, cond: Term, other: Value) -> Value {
        match (self, other) {
            (Value::One(a), Value::One(b)) => Value::One(terms.ite(cond, a, b)),
            (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(Pointer {
                object: terms.ite(cond, a.object, b.object),
                offset: terms.ite(cond, a.offset, b.offset),
            }),
            _ => unreachable!("a choice between a pointer and a number"),
        }
    }
}

/// Registers, promoted globals and the object counter.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Registers of the function.
    pub regs: Vec<Value>,
    /// Promoted globals.
    pub globals: Vec<Value>,
    /// The number of the next object.
    pub counter: Term,
}

impl State {
    /// Declares the state of a function as symbols.
    pub fn symbols(terms: &mut Terms, program: &Program, id: FnId) -> State {
        let bits = program.pointer_bits;
        let function = program.function(id);
        let prefix = match id == program.entry {
            true => String::new(),
            false => format!("f{}.", id.0),
        };
        let mut declare = |name: String, sort, source: Option<&str>| {
            let value = Value::symbol(terms, &name, sort, bits, SymbolKind::Register);
            if let Some(source) = source {
                for term in value.terms() {
                    if let attest_term::Op::Var(symbol) = terms.op(term) {
                        terms.set_source(symbol, source);
                    }
                }
            }
            value
        };
        let regs = function.regs.iter().enumerate().map(|(i, info)| {
            let source = info.variable.map(|v| &*program.variable(v).name);
            declare(format!("{prefix}r{i}"), info.sort, source)
        });
        let regs = regs.collect();
        let globals = program.globals.iter().enumerate();
        let globals = globals
            .map(|(i, info)| declare(format!("g{i}"), info.sort, Some(&info.name)))
            .collect();
        let counter = terms.var("nobj", Sort::BitVec(32), SymbolKind::ObjectCounter);
        State {
            regs,
            globals,
            counter,
        }
    }

    /// Declares the results of a function as symbols.
    pub fn results(terms: &mut Terms, program: &Program, id: FnId) -> Vec<Value> {
        let bits = program.pointer_bits;
        let sorts = program.function(id).results.iter().enumerate();
        sorts
            .map(|(i, sort)| {
                let name = format!("f{}.ret{i}", id.0);
                Value::symbol(terms, &name, *sort, bits, SymbolKind::Register)
            })
            .collect()
    }

    /// All terms of the state, in the same order for every state of a function.
    pub fn parts(&self) -> Vec<Term> {
        let values = self.regs.iter().chain(&self.globals);
        let mut parts: Vec<Term> = values.flat_map(|value| value.terms()).collect();
        parts.push(self.counter);
        parts
    }
}

impl Value {
    /// The terms of the value.
    pub fn terms(self) -> impl Iterator<Item = Term> {
        let (first, second) = match self {
            Value::One(term) => (term, None),
            Value::Ptr(p) => (p.object, Some(p.offset)),
        };
        std::iter::once(first).chain(second)
    }
}
