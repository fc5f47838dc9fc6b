//! Random terms and states for property tests of this crate and of the solver.
//!
//! They are seeded and deterministic, with no dependencies. Terms are built *raw*, so that a test
//! does not rewrite, print or solve terms that are already simplified. Random choices favour edge
//! cases: operands used twice, constants at the ends of ranges, shifts near the width, overlapping
//! reads, nested choices.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::eval::{Address, Env};
use crate::op::Op;
use crate::random::{Random, mix};
use crate::sort::{FloatSort, Rounding, Sort};
use crate::symbol::{SymbolId, SymbolKind};
use crate::value::Value;

/// Random numbers, and random values of this crate's types.
#[derive(Clone)]
pub struct Rng(Random);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Random(seed))
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.roll()
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next_u64() % n
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// A bit vector, often at the ends of a range or small.
    pub fn bv(&mut self, width: u32) -> Bv {
        let one = Bv::one(width);
        match self.below(12) {
            0 => Bv::zero(width),
            1 => one,
            2 => Bv::ones(width),
            3 => Bv::signed_min(width),
            4 => Bv::signed_max(width),
            5 => Bv::ones(width).sub(&one),
            6 => Bv::new(width, width as u128 + self.below(3) as u128 - 1),
            7 => one.shl(&Bv::new(width, self.below(width as u64) as u128)),
            8 => one
                .shl(&Bv::new(width, self.below(width as u64) as u128))
                .sub(&one),
            9 => Bv::new(width, self.below(8) as u128),
            _ => {
                let words = (0..width.div_ceil(64)).map(|_| self.next_u64()).collect();
                Bv::from_words(width, words)
            }
        }
    }

    /// A value of any sort, often an unusual one.
    pub fn value(&mut self, sort: Sort) -> Value {
        const F64: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.5,
            -3.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            f64::MAX,
            5e-324,
            4294967296.0,
        ];
        const F32: [f32; 13] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            -2.5,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MIN_POSITIVE,
            f32::MAX,
            1e-45,
        ];
        match sort {
            Sort::Bool => Value::Bool(self.one_in(2)),
            Sort::BitVec(width) => Value::Bv(self.bv(width)),
            Sort::Float(FloatSort::F32) if self.one_in(2) => Value::f32(self.pick(&F32)),
            Sort::Float(FloatSort::F64) if self.one_in(2) => Value::f64(self.pick(&F64)),
            Sort::Float(_) if self.one_in(2) => {
                let number = self.below(2000) as f64 / 8.0 - 100.0;
                match sort {
                    Sort::Float(FloatSort::F32) => Value::f32(number as f32),
                    _ => Value::f64(number),
                }
            }
            Sort::Float(_) => Value::from_bits(sort, self.next_u64()),
        }
    }
}

/// The operations that random terms are built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Truth values over small bit vectors.
    Bool,
    /// Bit vectors of the usual widths, and odd ones up to 64.
    Bv,
    /// Bit vectors of 65 to 128 bits.
    Long,
    /// Bit vectors beyond 128 bits.
    Wide,
    /// Reads of memory, and arithmetic on addresses.
    Memory,
    /// IEEE floats.
    Float,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 6] = [
        Family::Bool,
        Family::Bv,
        Family::Long,
        Family::Wide,
        Family::Memory,
        Family::Float,
    ];

    fn widths(self) -> &'static [u32] {
        match self {
            Family::Bool => &[1, 4, 8, 32],
            Family::Bv => &[1, 2, 3, 7, 8, 16, 17, 31, 32, 33, 63, 64],
            Family::Long => &[8, 64, 65, 66, 96, 100, 127, 128],
            Family::Wide => &[8, 64, 128, 129, 160, 192, 193, 256],
            Family::Memory => &[8, 16, 32, 64],
            Family::Float => &[8, 32, 64],
        }
    }

    /// A sort that a root of this family may have.
    pub fn sort(self, rng: &mut Rng) -> Sort {
        match self {
            Family::Bool => Sort::Bool,
            Family::Float if !rng.one_in(3) => {
                Sort::Float(rng.pick(&[FloatSort::F32, FloatSort::F64]))
            }
            _ => Sort::BitVec(rng.pick(self.widths())),
        }
    }
}

/// A maker of random raw terms.
pub struct Maker {
    /// The source of randomness.
    pub rng: Rng,
    family: Family,
    /// The parts of the current term so far, for reuse.
    pool: Vec<Term>,
}

impl Maker {
    /// A maker of terms of a family.
    pub fn new(family: Family, seed: u64) -> Maker {
        Maker {
            rng: Rng::new(mix(seed)),
            family,
            pool: Vec::new(),
        }
    }

    /// A random term of the family with at most about `size` operations.
    pub fn term(&mut self, terms: &mut Terms, size: u32) -> Term {
        let sort = self.family.sort(&mut self.rng);
        self.term_of(terms, sort, size)
    }

    /// A random term of the sort with at most about `size` operations.
    pub fn term_of(&mut self, terms: &mut Terms, sort: Sort, size: u32) -> Term {
        self.pool.clear();
        self.grow(terms, sort, size)
    }

    /// Recursion is as deep as `size` is large, so `size` must be small.
    fn grow(&mut self, terms: &mut Terms, sort: Sort, size: u32) -> Term {
        if size > 0 && self.rng.one_in(4) {
            let same: Vec<Term> = self
                .pool
                .iter()
                .copied()
                .filter(|&term| terms.sort(term) == sort)
                .collect();
            if !same.is_empty() {
                return self.rng.pick(&same);
            }
        }
        let term = if size == 0 {
            self.leaf(terms, sort)
        } else {
            self.node(terms, sort, size - 1)
        };
        self.pool.push(term);
        term
    }

    fn leaf(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        if self.rng.one_in(3) {
            let value = self.rng.value(sort);
            return terms.value(value);
        }
        let name = match sort {
            Sort::Bool => "b".to_owned(),
            Sort::BitVec(width) => format!("x{width}_"),
            Sort::Float(format) => format!("f{}_", format.bits()),
        };
        let number = self.rng.below(3);
        let kind = SymbolKind::ALL[number as usize];
        // One plain name, one that must be quoted, and one that must be escaped.
        let name = match number {
            0 => format!("{name}0"),
            1 => format!("{name} 1|é"),
            _ => format!("bv{name}"),
        };
        terms.var(&name, sort, kind)
    }

    fn node(&mut self, terms: &mut Terms, sort: Sort, size: u32) -> Term {
        if self.rng.one_in(8) {
            let args = self.several(terms, &[Sort::Bool, sort, sort], size);
            return terms.raw(Op::Ite, &args);
        }
        match sort {
            Sort::Bool => self.truth(terms, size),
            Sort::BitVec(width) => self.word(terms, width, size),
            Sort::Float(format) => self.float(terms, format, size),
        }
    }

    /// Operands of these sorts that share the size.
    fn several(&mut self, terms: &mut Terms, sorts: &[Sort], size: u32) -> Vec<Term> {
        let share = size / sorts.len() as u32;
        let mut args: Vec<Term> = Vec::with_capacity(sorts.len());
        for &sort in sorts {
            let repeated = args.iter().copied().find(|&arg| terms.sort(arg) == sort);
            match repeated {
                Some(arg) if self.rng.one_in(8) => args.push(arg),
                _ => args.push(self.grow(terms, sort, share)),
            }
        }
        args
    }

    fn truth(&mut self, terms: &mut Terms, size: u32) -> Term {
        if self.rng.one_in(3) {
            let count = 2 + self.rng.below(3) as usize;
            let (op, count) = match self.rng.below(6) {
                0 => (Op::Not, 1),
                1 => (Op::Xor, 2),
                2 => (Op::Eq, 2),
                3 | 4 => (Op::And, count),
                _ => (Op::Or, count),
            };
            let args = self.several(terms, &vec![Sort::Bool; count], size);
            return terms.raw(op, &args);
        }
        if self.family == Family::Memory && self.rng.one_in(6) {
            let args = self.address(terms, size);
            return terms.raw(
                Op::ReadTag {
                    version: self.rng.below(2) as u32,
                },
                &args,
            );
        }
        if self.family == Family::Float && !self.rng.one_in(4) {
            use Op::*;
            let sort = Sort::Float(self.rng.pick(&[FloatSort::F32, FloatSort::F64]));
            let tests = [
                FIsNan,
                FIsInf,
                FIsZero,
                FIsNormal,
                FIsSubnormal,
                FIsNegative,
            ];
            let op = if self.rng.one_in(2) {
                self.rng.pick(&tests)
            } else {
                self.rng.pick(&[FEq, FLt, FLe, Eq])
            };
            let count = if tests.contains(&op) { 1 } else { 2 };
            let args = self.several(terms, &vec![sort; count], size);
            return terms.raw(op, &args);
        }
        let width = self.rng.pick(self.family.widths());
        let op = self.rng.pick(&[Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle]);
        let args = self.several(terms, &[Sort::BitVec(width); 2], size);
        terms.raw(op, &args)
    }

    fn word(&mut self, terms: &mut Terms, width: u32, size: u32) -> Term {
        let memory = self.family == Family::Memory;
        if memory && width.is_multiple_of(8) && self.rng.one_in(2) {
            return self.read(terms, width, size);
        }
        if self.family == Family::Float && width > 1 && self.rng.one_in(2) {
            let format = self.rng.pick(&[FloatSort::F32, FloatSort::F64]);
            let op = match self.rng.below(3) {
                0 if width == format.bits() => Op::FToBits,
                1 => Op::FToUnsigned { width },
                _ => Op::FToSigned { width },
            };
            let args = self.several(terms, &[Sort::Float(format)], size);
            return terms.raw(op, &args);
        }
        match self.rng.below(8) {
            0 => self.resized(terms, width, size),
            1 if width > 1 => {
                let low = 1 + self.rng.below(width as u64 - 1) as u32;
                let sorts = [Sort::BitVec(width - low), Sort::BitVec(low)];
                let args = self.several(terms, &sorts, size);
                terms.raw(Op::Concat, &args)
            }
            2 => {
                let args = self.several(terms, &[Sort::BitVec(width)], size);
                terms.raw(self.rng.pick(&[Op::BvNeg, Op::BvNot]), &args)
            }
            3 => {
                // A choice of constants, as LLVM produces for comparisons.
                let condition = self.grow(terms, Sort::Bool, size);
                let (t, e) = (self.rng.bv(width), self.rng.bv(width));
                let (t, e) = (terms.value(t.into()), terms.value(e.into()));
                terms.raw(Op::Ite, &[condition, t, e])
            }
            _ => {
                use Op::*;
                let ops = [
                    Add, Add, Add, Sub, Sub, Mul, Udiv, Sdiv, Urem, Srem, BvAnd, BvOr, BvXor, Shl,
                    Lshr, Ashr,
                ];
                let args = self.several(terms, &[Sort::BitVec(width); 2], size);
                terms.raw(self.rng.pick(&ops), &args)
            }
        }
    }

    fn resized(&mut self, terms: &mut Terms, width: u32, size: u32) -> Term {
        let other = self.rng.pick(self.family.widths());
        let args = self.several(terms, &[Sort::BitVec(other)], size);
        let op = if other >= width {
            let low = self.rng.below((other - width) as u64 + 1) as u32;
            let low = if self.rng.one_in(2) { low / 8 * 8 } else { low };
            Op::Extract {
                high: low + width - 1,
                low,
            }
        } else if self.rng.one_in(2) {
            Op::ZeroExt { by: width - other }
        } else {
            Op::SignExt { by: width - other }
        };
        terms.raw(op, &args)
    }

    fn address(&mut self, terms: &mut Terms, size: u32) -> Vec<Term> {
        let offset = Sort::BitVec(self.rng.pick(&[32, 64]));
        self.several(terms, &[Sort::BitVec(32), offset], size)
    }

    fn read(&mut self, terms: &mut Terms, width: u32, size: u32) -> Term {
        let version = self.rng.below(2) as u32;
        let args = self.address(terms, size);
        let op = match self.rng.below(6) {
            0 if width == 32 => Op::ReadPtrObject { version },
            1 if width == terms.width(args[1]) => Op::ReadPtrOffset { version },
            2 if width <= 64 => return terms.raw(Op::Base { width }, &args[..1]),
            _ => Op::Read {
                version,
                bytes: width / 8,
            },
        };
        terms.raw(op, &args)
    }

    fn float(&mut self, terms: &mut Terms, format: FloatSort, size: u32) -> Term {
        use Op::*;
        let sort = Sort::Float(format);
        let (op, sorts) = match self.rng.below(10) {
            0 => (FNeg, vec![sort]),
            1 => (FAbs, vec![sort]),
            2 => (
                self.rng
                    .pick(&[FSqrt, FRound(self.rng.clone().pick(&Rounding::ALL))]),
                vec![sort],
            ),
            3 => {
                let width = self.rng.pick(&[8, 32, 64, 128]);
                let op = self.rng.pick(&[FFromSigned(format), FFromUnsigned(format)]);
                (op, vec![Sort::BitVec(width)])
            }
            4 => {
                let from = self.rng.pick(&[FloatSort::F32, FloatSort::F64]);
                (FConvert(format), vec![Sort::Float(from)])
            }
            5 => (FFromBits(format), vec![Sort::BitVec(format.bits())]),
            6 => (self.rng.pick(&[FRem, FFma]), vec![sort; 3]),
            _ => (self.rng.pick(&[FAdd, FSub, FMul, FDiv]), vec![sort; 2]),
        };
        let sorts = if op == FRem { &sorts[..2] } else { &sorts[..] };
        let args = self.several(terms, sorts, size);
        terms.raw(op, &args)
    }
}

/// A random state: every answer is a function of the seed and the arguments.
pub struct RandomEnv<'a> {
    terms: &'a Terms,
    seed: u64,
}

impl<'a> RandomEnv<'a> {
    /// The state of this seed, for the arena's symbols.
    pub fn new(terms: &'a Terms, seed: u64) -> RandomEnv<'a> {
        RandomEnv { terms, seed }
    }

    fn hash(&self, parts: [u64; 4]) -> u64 {
        parts.iter().fold(mix(self.seed), |hash, part| {
            mix(hash ^ part.wrapping_mul(0x9e37_79b9))
        })
    }

    fn at(&self, at: Address, what: u64) -> u64 {
        self.hash([what, at.version as u64, at.object as u64, at.offset])
    }
}

impl Env for RandomEnv<'_> {
    fn var(&self, symbol: SymbolId) -> Value {
        let sort = self.terms.symbol(symbol).sort;
        Rng::new(self.hash([0, symbol.index() as u64, 0, 0])).value(sort)
    }

    fn byte(&self, at: Address) -> u8 {
        let hash = self.at(at, 1);
        // Zero bytes are frequent, as in real memory.
        if hash & 3 == 0 { 0 } else { (hash >> 8) as u8 }
    }

    fn pointer(&self, at: Address) -> (u32, u64) {
        let hash = self.at(at, 2);
        let mask = u64::MAX >> (64 - at.offset_width);
        ((hash & 7) as u32, mix(hash) & mask)
    }

    fn tag(&self, at: Address) -> bool {
        self.at(at, 3) & 1 == 1
    }

    fn base(&self, object: u32) -> u64 {
        self.hash([4, object as u64, 0, 0])
    }
}
