//! What the tests share: Z3 if it is there, and random questions.

#![allow(dead_code)] // Each test file uses some of it.

use std::path::PathBuf;
use std::process::Command;

use attest_solver::{Limits, Z3};
use attest_term::testing::{Family, Maker, RandomEnv};
use attest_term::{Op, Sort, Term, Terms, Value};

/// Z3, or a note that a test is left out.
pub fn z3() -> Option<Z3> {
    match Z3::load() {
        Ok(z3) => Some(z3),
        Err(error) => {
            attest_testing::tools::missing(&format!("Z3: {error}"));
            None
        }
    }
}

/// Z3's program beside the library that `ATTEST_Z3` names, or on the path.
pub fn z3_program() -> Option<PathBuf> {
    let beside = std::env::var_os("ATTEST_Z3").map(|place| PathBuf::from(place).join("bin/z3"));
    let program = beside.filter(|file| file.is_file());
    let program = program.unwrap_or_else(|| "z3".into());
    let runs = Command::new(&program).arg("-version").output().is_ok();
    if !runs {
        attest_testing::tools::missing("program of Z3");
    }
    runs.then_some(program)
}

/// How many of a number of cases to run: all, unless `ATTEST_QUICK` divides them.
pub fn cases(count: u64) -> u64 {
    let divisor = std::env::var("ATTEST_QUICK").ok();
    count / divisor.and_then(|text| text.parse().ok()).unwrap_or(1)
}

pub fn no_limits() -> Limits {
    Limits::default()
}

/// A random term of truth value over narrow words, so that questions are easy
/// and every corner of an operation is near; long and wide words are as long
/// and wide as they are, but neither multiplied nor shifted. `family` is any but `Float`.
pub fn truth(terms: &mut Terms, maker: &mut Maker, family: Family, size: u32) -> Term {
    let width = match family {
        // Narrow reads coincide and contradict more often.
        Family::Memory => 1 + maker.rng.below(3) as u32,
        Family::Long => maker.rng.pick(&[65, 96]),
        Family::Wide => maker.rng.pick(&[129, 136]),
        _ => 1 + maker.rng.below(7) as u32,
    };
    let mut words = Words { family, width };
    words.truth(terms, maker, size)
}

struct Words {
    family: Family,
    width: u32,
}

impl Words {
    fn truth(&mut self, terms: &mut Terms, maker: &mut Maker, size: u32) -> Term {
        if size == 0 {
            let number = maker.rng.below(3);
            let kind = attest_term::SymbolKind::Plain;
            return terms.var(&format!("t{number}"), Sort::Bool, kind);
        }
        let half = size / 2;
        let connective = if self.family == Family::Bool { 2 } else { 5 };
        if maker.rng.one_in(connective) {
            let (a, b) = (
                self.truth(terms, maker, half),
                self.truth(terms, maker, half),
            );
            return match maker.rng.below(6) {
                0 => terms.raw(Op::Not, &[a]),
                1 => terms.raw(Op::Xor, &[a, b]),
                2 => terms.raw(Op::Eq, &[a, b]),
                3 => {
                    let c = self.truth(terms, maker, half);
                    terms.raw(Op::Ite, &[c, a, b])
                }
                4 => terms.raw(Op::And, &[a, b]),
                _ => terms.raw(Op::Or, &[a, b]),
            };
        }
        if self.family == Family::Memory && maker.rng.one_in(6) {
            let [object, offset] = self.address(terms, maker, half);
            return terms.raw(Op::ReadTag { version: 0 }, &[object, offset]);
        }
        let ops = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle];
        let op = maker.rng.pick(&ops);
        let (a, b) = (self.word(terms, maker, half), self.word(terms, maker, half));
        terms.raw(op, &[a, b])
    }

    fn word(&mut self, terms: &mut Terms, maker: &mut Maker, size: u32) -> Term {
        let width = self.width;
        if size == 0 {
            if maker.rng.one_in(3) {
                let value = maker.rng.bv(width);
                return terms.value(value.into());
            }
            let number = maker.rng.below(3);
            let kind = attest_term::SymbolKind::Plain;
            return terms.var(&format!("w{width}_{number}"), Sort::BitVec(width), kind);
        }
        let half = size / 2;
        if self.family == Family::Memory && maker.rng.one_in(2) {
            return self.read(terms, maker, half);
        }
        if maker.rng.one_in(6) {
            let c = self.truth(terms, maker, half);
            let (a, b) = (self.word(terms, maker, half), self.word(terms, maker, half));
            return terms.raw(Op::Ite, &[c, a, b]);
        }
        if maker.rng.one_in(6) {
            return self.resized(terms, maker, half);
        }
        use Op::*;
        let ops = [
            Add, Sub, BvAnd, BvOr, BvXor, BvNeg, BvNot, Shl, Lshr, Ashr, Mul, Udiv, Sdiv, Urem,
            Srem,
        ];
        let cheap = if width > 16 { 7 } else { ops.len() };
        let op = maker.rng.pick(&ops[..cheap]);
        let a = self.word(terms, maker, half);
        if matches!(op, BvNeg | BvNot) {
            return terms.raw(op, &[a]);
        }
        let b = self.word(terms, maker, half);
        terms.raw(op, &[a, b])
    }

    fn resized(&mut self, terms: &mut Terms, maker: &mut Maker, size: u32) -> Term {
        let (width, more) = (self.width, 1 + maker.rng.below(4) as u32);
        let a = self.word(terms, maker, size);
        let wide = match maker.rng.below(3) {
            0 => terms.raw(Op::ZeroExt { by: more }, &[a]),
            1 => terms.raw(Op::SignExt { by: more }, &[a]),
            _ => terms.raw(Op::Concat, &[a, a]),
        };
        let low = maker.rng.below((terms.width(wide) - width) as u64 + 1) as u32;
        let high = low + width - 1;
        terms.raw(Op::Extract { high, low }, &[wide])
    }

    /// Objects and offsets of few values, so that places coincide and overlap.
    fn address(&mut self, terms: &mut Terms, maker: &mut Maker, size: u32) -> [Term; 2] {
        let object = self.word(terms, maker, size / 2);
        let object = terms.zext(object, 32);
        let one = terms.bv_u128(32, 1);
        let object = terms.raw(Op::BvAnd, &[object, one]);
        let offset = self.word(terms, maker, size / 2);
        let offset = terms.zext(offset, 16);
        let distance = maker.rng.below(4) as u128;
        let distance = terms.bv_u128(16, distance);
        [object, terms.raw(Op::Add, &[offset, distance])]
    }

    fn read(&mut self, terms: &mut Terms, maker: &mut Maker, size: u32) -> Term {
        let [object, offset] = self.address(terms, maker, size);
        let version = maker.rng.below(2) as u32;
        let whole = match maker.rng.below(6) {
            0 => terms.raw(Op::ReadPtrObject { version }, &[object, offset]),
            1 => terms.raw(Op::ReadPtrOffset { version }, &[object, offset]),
            2 => {
                let width = maker.rng.pick(&[16, 32, 64]);
                terms.raw(Op::Base { width }, &[object])
            }
            _ => {
                let bytes = maker.rng.pick(&[2, 3, 4]);
                terms.raw(Op::Read { version, bytes }, &[object, offset])
            }
        };
        let high = self.width - 1;
        let low = maker
            .rng
            .below((terms.width(whole) - self.width) as u64 + 1) as u32;
        terms.raw(
            Op::Extract {
                high: high + low,
                low,
            },
            &[whole],
        )
    }
}

/// Whether all the terms hold on a random state.
pub fn all_hold(terms: &Terms, set: &[Term], seed: u64) -> bool {
    let env = RandomEnv::new(terms, seed);
    let values = terms.eval_all(set, &env);
    values.iter().all(|value| *value == Value::Bool(true))
}

/// Factors of a product of two primes: far too hard for any solver here.
pub fn hard(terms: &mut Terms) -> Vec<Term> {
    let word = |terms: &mut Terms, name: &str| {
        terms.var(name, Sort::BitVec(64), attest_term::SymbolKind::Input)
    };
    let (x, y) = (word(terms, "x"), word(terms, "y"));
    let [x, y] = [x, y].map(|word| {
        let low = terms.extract(39, 0, word);
        terms.zext(low, 80)
    });
    let product = terms.mul(x, y);
    let number = terms.bv_u128(80, 943_783_788_697u128 * 927_465_761_771);
    let (one, equal) = (terms.bv_u128(80, 1), terms.eq(product, number));
    vec![equal, terms.ult(one, x), terms.ult(one, y)]
}
