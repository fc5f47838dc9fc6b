//! Words: circuits of bit-vector operations, the least significant bit first.
//!
//! Each function is the textbook circuit (ripple-carry, shift-and-add, barrel shifter). The gates
//! fold constants and repeated bits, so one circuit serves `x + y`, `x + 4` and `zext(x) +
//! zext(y)`. All are total and have the meaning of the table in `attest_term`'s documentation; the
//! tests compare them with its evaluator at many widths.

use super::gates::{Gates, Lit};
use crate::solver::Reason;

/// The bits of a word.
pub(crate) type Word = Vec<Lit>;

/// Checks the limits; called once per row where circuits are quadratic.
pub(crate) type Tick<'a> = &'a dyn Fn(&Gates) -> Result<(), Reason>;

pub(crate) fn is_constant(word: &[Lit]) -> bool {
    word.iter().all(|bit| bit.as_const().is_some())
}

pub(crate) fn not(a: &[Lit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

impl Gates {
    /// The sum with a carry in, and the carry out.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            sum.push(self.xor3(a, b, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.sum(a, b, Lit::FALSE).0
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.sum(a, &not(b), Lit::TRUE).0
    }

    /// The negation if `sign`, else the word itself.
    pub fn negate_if(&mut self, sign: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, sign)).collect();
        let zero = vec![Lit::FALSE; a.len()];
        self.sum(&flipped, &zero, sign).0
    }

    pub fn bitwise(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut gate: impl FnMut(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| gate(self, a, b)).collect()
    }

    pub fn choose(&mut self, c: Lit, t: &[Lit], e: &[Lit]) -> Word {
        self.bitwise(t, e, |gates, t, e| gates.mux(c, t, e))
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.bitwise(a, b, |gates, a, b| !gates.xor(a, b));
        self.all(&same)
    }

    /// Unsigned `a < b`: the borrow of the difference.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let pairs = a.iter().zip(b);
        pairs.fold(Lit::FALSE, |borrow, (&a, &b)| self.majority(!a, b, borrow))
    }

    /// Signed `a < b`: as unsigned with the sign bits exchanged.
    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let borrow = self.less(&a[..top], &b[..top]);
        self.majority(a[top], !b[top], borrow)
    }

    /// The product, modulo two to the width.
    ///
    /// The multiplier's digits are its bits, with two exceptions: a constant has signed digits (few
    /// are not zero), and a run of equal top bits, as sign extension makes, is one negative digit.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit], tick: Tick) -> Result<Word, Reason> {
        let known = |word: &[Lit]| word.iter().filter(|bit| bit.as_const().is_some()).count();
        let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut product = vec![Lit::FALSE; width];
        let mut digit = |gates: &mut Gates, at: usize, bit: Lit, minus: bool| {
            tick(gates)?;
            let row: Word = a[..width - at].iter().map(|&a| gates.and(a, bit)).collect();
            let high = &product[at..];
            let high = if minus {
                gates.sub(high, &row)
            } else {
                gates.add(high, &row)
            };
            product[at..].copy_from_slice(&high);
            Ok(())
        };
        if is_constant(b) {
            for (at, minus) in signed_digits(b) {
                digit(self, at, Lit::TRUE, minus)?;
            }
            return Ok(product);
        }
        let top = b[width - 1];
        let run = b.iter().rev().take_while(|&&bit| bit == top).count();
        let plain = if run > 1 { width - run } else { width };
        for (at, &bit) in b[..plain].iter().enumerate() {
            if bit != Lit::FALSE {
                digit(self, at, bit, false)?;
            }
        }
        if run > 1 && top != Lit::FALSE {
            digit(self, plain, top, true)?;
        }
        Ok(product)
    }

    /// The word shifted by a variable amount; `left` or right, filled with `fill`.
    pub fn shift(&mut self, a: &[Lit], amount: &[Lit], left: bool, fill: Lit) -> Word {
        let width = a.len();
        // This number of stages reaches every amount below the width.
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let by = 1usize << stage;
            let moved: Word = (0..width)
                .map(|i| {
                    let from = if left {
                        i.checked_sub(by)
                    } else {
                        Some(i + by)
                    };
                    let from = from.and_then(|from| word.get(from));
                    from.copied().unwrap_or(fill)
                })
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        let beyond = self.any(&amount[stages.min(amount.len())..]);
        self.choose(beyond, &vec![fill; width], &word)
    }
}

/// The non-zero signed digits of a constant: positions, and whether negative. Their number is
/// minimal (non-adjacent form).
fn signed_digits(constant: &[Lit]) -> Vec<(usize, bool)> {
    let bit = |i: usize| constant.get(i) == Some(&Lit::TRUE);
    let mut digits = Vec::new();
    let mut carry = false;
    for i in 0..constant.len() {
        let odd = bit(i) ^ carry;
        if odd {
            let minus = bit(i + 1);
            digits.push((i, minus));
            carry = minus;
        } else {
            carry &= bit(i);
        }
    }
    digits
}
