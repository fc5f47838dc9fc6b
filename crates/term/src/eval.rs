//! Evaluation on a state: the interface to states, and the reference evaluator.
//!
//! The reference evaluator computes every node once, in handle order, with the meaning from
//! `semantics`. The fast evaluator is [`Program`](crate::Program); tests compare the two.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;
use crate::semantics;
use crate::sort::Sort;
use crate::symbol::SymbolId;
use crate::traverse::Dense;
use crate::value::Value;

/// A place in the memory of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// Which memory; zero is the current state's.
    pub version: u32,
    /// The object.
    pub object: u32,
    /// The offset in the object, below two to the `offset_width`.
    pub offset: u64,
    /// The width of offsets, that is of pointers, in bits; at most 64.
    pub offset_width: u32,
}

impl Address {
    /// The address this many bytes further, wrapping at the width of offsets.
    pub fn plus(self, bytes: u64) -> Address {
        let mask = u64::MAX >> (64 - self.offset_width);
        Address {
            offset: self.offset.wrapping_add(bytes) & mask,
            ..self
        }
    }
}

/// The state on which terms are evaluated. All functions are total and deterministic: the same
/// arguments give the same result.
pub trait Env {
    /// The value of a symbol, of the symbol's sort. The evaluators read a value of another sort as
    /// zero: the environment does not know the symbol.
    fn var(&self, symbol: SymbolId) -> Value;

    /// The encoding of the value of a symbol whose sort has at most 64 bits. The compiled evaluator
    /// calls this; override it where a `Value` is slow to build.
    fn var_bits(&self, symbol: SymbolId) -> u64 {
        self.var(symbol).low_u64()
    }

    /// The data byte stored at an address.
    fn byte(&self, at: Address) -> u8;

    /// The `count` bytes (at most 8) from an address on, least significant first.
    fn bytes(&self, at: Address, count: u32) -> u64 {
        (0..count).fold(0, |word, i| {
            word | (self.byte(at.plus(i as u64)) as u64) << (8 * i)
        })
    }

    /// The object and the offset of the pointer slot at an address.
    fn pointer(&self, at: Address) -> (u32, u64);

    /// Whether a pointer is stored at an address.
    fn tag(&self, at: Address) -> bool;

    /// The rigid machine address of an object.
    fn base(&self, object: u32) -> u64;
}

impl<E: Env + ?Sized> Env for &E {
    fn var(&self, symbol: SymbolId) -> Value {
        (**self).var(symbol)
    }

    fn var_bits(&self, symbol: SymbolId) -> u64 {
        (**self).var_bits(symbol)
    }

    fn byte(&self, at: Address) -> u8 {
        (**self).byte(at)
    }

    fn bytes(&self, at: Address, count: u32) -> u64 {
        (**self).bytes(at, count)
    }

    fn pointer(&self, at: Address) -> (u32, u64) {
        (**self).pointer(at)
    }

    fn tag(&self, at: Address) -> bool {
        (**self).tag(at)
    }

    fn base(&self, object: u32) -> u64 {
        (**self).base(object)
    }
}

/// The value of a symbol of a sort.
pub(crate) fn var(env: &(impl Env + ?Sized), symbol: SymbolId, sort: Sort) -> Value {
    let value = env.var(symbol);
    match value.sort() == sort {
        true => value,
        false => Value::zero(sort),
    }
}

impl Terms {
    /// The value of a term on a state.
    pub fn eval(&self, root: Term, env: &(impl Env + ?Sized)) -> Value {
        self.eval_all(&[root], env).swap_remove(0)
    }

    /// The values of several terms on a state; shared parts are computed once.
    pub fn eval_all(&self, roots: &[Term], env: &(impl Env + ?Sized)) -> Vec<Value> {
        let order = Dense::new(self.reachable(roots));
        let mut values: Vec<Value> = Vec::with_capacity(order.terms().len());
        for &term in order.terms() {
            let value = {
                let arg = |i: usize| &values[order.index(self.arg(term, i))];
                match (self.op(term), self.args(term)) {
                    (Op::Const(id), _) => self.const_value(id).clone(),
                    (Op::Var(symbol), _) => var(env, symbol, self.sort(term)),
                    (op, [_, offset]) if op.is_read() => {
                        let offset_width = self.width(*offset);
                        read(op, arg(0), arg(1), offset_width, env)
                    }
                    (Op::Base { width }, _) => {
                        Value::bv(width, env.base(arg(0).low_u64() as u32) as u128)
                    }
                    (op, args) => {
                        let args: Vec<&Value> = (0..args.len()).map(arg).collect();
                        semantics::apply(op, &args).expect("the operands' sorts fit")
                    }
                }
            };
            debug_assert_eq!(
                value.sort(),
                self.sort(term),
                "the environment gave a wrong sort"
            );
            values.push(value);
        }
        roots
            .iter()
            .map(|&root| values[order.index(root)].clone())
            .collect()
    }
}

/// The value of a memory read.
pub(crate) fn read(
    op: Op,
    object: &Value,
    offset: &Value,
    offset_width: u32,
    env: &(impl Env + ?Sized),
) -> Value {
    let version = op.version().expect("a read has a version");
    let (object, offset) = (object.low_u64() as u32, offset.low_u64());
    let at = Address {
        version,
        object,
        offset,
        offset_width,
    };
    match op {
        Op::ReadPtrObject { .. } => Value::bv(32, env.pointer(at).0 as u128),
        Op::ReadPtrOffset { .. } => Value::bv(offset_width, env.pointer(at).1 as u128),
        Op::ReadTag { .. } => Value::Bool(env.tag(at)),
        Op::Read { bytes, .. } => {
            let word = |i: u32| env.bytes(at.plus(8 * i as u64), 8.min(bytes - 8 * i));
            let words = (0..bytes.div_ceil(8)).map(word).collect();
            Value::Bv(Bv::from_words(8 * bytes, words))
        }
        _ => unreachable!("not a read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Scratch, SymbolKind};

    /// An environment that knows neither symbols nor their widths.
    struct Nothing;

    impl Env for Nothing {
        fn var(&self, _: SymbolId) -> Value {
            Value::bv(1, 0)
        }

        fn byte(&self, _: Address) -> u8 {
            0
        }

        fn pointer(&self, _: Address) -> (u32, u64) {
            (0, 0)
        }

        fn tag(&self, _: Address) -> bool {
            false
        }

        fn base(&self, _: u32) -> u64 {
            0
        }
    }

    #[test]
    fn an_unknown_symbol_is_zero() {
        for width in [1, 32, 64, 128] {
            let mut terms = Terms::new();
            let x = terms.var("x", Sort::BitVec(width), SymbolKind::Register);
            let one = terms.bv_u128(width, 1);
            let sum = terms.add(x, one);
            assert_eq!(terms.eval(sum, &Nothing), Value::bv(width, 1));
            let compiled = Program::compile(&terms, sum);
            assert_eq!(
                compiled.eval(&Nothing, &mut Scratch::default()),
                Value::bv(width, 1)
            );
        }
    }
}
