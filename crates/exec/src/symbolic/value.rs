//! Symbolic values, and the names of the state's parts.
//!
//! A predicate is about the state at a location: registers, promoted globals, the object counter,
//! and reads of memory. The names are fixed here, since proofs carry them to the checker: register
//! 7 is `r7`, or `r7.o` and `r7.a` (object and offset) if it is a pointer; global 3 is `g3`; the
//! counter is `nobj`.

use super::memory::Pointer;
use attest_model::{Constant, Sort as ModelSort};
use attest_term::{FloatSort, Sort, SymbolKind, Term, Terms};

/// A symbolic scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymVal {
    /// An integer.
    Bits(Term),
    /// A pointer.
    Ptr(Pointer),
    /// A float.
    Float(Term),
}

impl SymVal {
    /// The integer.
    ///
    /// # Panics
    /// If it is not an integer: the model is sorted, so this is a bug.
    pub fn bits(self) -> Term {
        match self {
            SymVal::Bits(t) => t,
            other => unreachable!("an integer was expected, not {other:?}"),
        }
    }

    /// The pointer.
    ///
    /// # Panics
    /// If it is not a pointer: the model is sorted, so this is a bug.
    pub fn ptr(self) -> Pointer {
        match self {
            SymVal::Ptr(p) => p,
            other => unreachable!("a pointer was expected, not {other:?}"),
        }
    }

    /// The float.
    ///
    /// # Panics
    /// If it is not a float: the model is sorted, so this is a bug.
    pub fn float(self) -> Term {
        match self {
            SymVal::Float(t) => t,
            other => unreachable!("a float was expected, not {other:?}"),
        }
    }

    /// The terms of the value.
    pub fn terms(self) -> impl Iterator<Item = Term> {
        let (a, b) = match self {
            SymVal::Bits(t) | SymVal::Float(t) => (t, None),
            SymVal::Ptr(p) => (p.object, Some(p.offset)),
        };
        std::iter::once(a).chain(b)
    }

    /// A constant.
    pub fn constant(terms: &mut Terms, constant: Constant, pointer_bits: u32) -> SymVal {
        match constant {
            Constant::Int { width, value } => SymVal::Bits(terms.bv_u128(width, value)),
            Constant::Ptr { object, offset } => SymVal::Ptr(Pointer {
                object: terms.bv_u128(32, object.0.into()),
                offset: terms.bv_u128(pointer_bits, offset.into()),
            }),
            Constant::F32(bits) => SymVal::Float(terms.f32(f32::from_bits(bits))),
            Constant::F64(bits) => SymVal::Float(terms.f64(f64::from_bits(bits))),
        }
    }

    /// A symbol, or two for a pointer.
    pub fn symbol(
        terms: &mut Terms,
        name: &str,
        sort: ModelSort,
        kind: SymbolKind,
        pointer_bits: u32,
    ) -> SymVal {
        match sort {
            ModelSort::Int(w) => SymVal::Bits(terms.var(name, Sort::BitVec(w), kind)),
            ModelSort::F32 => SymVal::Float(terms.var(name, Sort::Float(FloatSort::F32), kind)),
            ModelSort::F64 => SymVal::Float(terms.var(name, Sort::Float(FloatSort::F64), kind)),
            ModelSort::Ptr => SymVal::Ptr(Pointer {
                object: terms.var(&format!("{name}.o"), Sort::BitVec(32), kind),
                offset: terms.var(&format!("{name}.a"), Sort::BitVec(pointer_bits), kind),
            }),
        }
    }

    /// `cond ? self : other`.
    pub fn merge(self, terms: &mut Terms, cond: Term, other: SymVal) -> SymVal {
        match (self, other) {
            (SymVal::Bits(a), SymVal::Bits(b)) => SymVal::Bits(terms.ite(cond, a, b)),
            (SymVal::Float(a), SymVal::Float(b)) => SymVal::Float(terms.ite(cond, a, b)),
            (SymVal::Ptr(a), SymVal::Ptr(b)) => SymVal::Ptr(Pointer {
                object: terms.ite(cond, a.object, b.object),
                offset: terms.ite(cond, a.offset, b.offset),
            }),
            (a, b) => unreachable!("{a:?} and {b:?} have different sorts"),
        }
    }
}
