//! Division by its definition: `q * d + r = n` without overflow, and `r < d`.
//!
//! The quotient and remainder are new inputs with this as their condition. For every `n` and `d`
//! exactly one pair satisfies it (the quotient by zero is all ones and its remainder `n`), so the
//! condition constrains nothing else and both are functions of `n` and `d`. One circuit serves
//! quotient and remainder. It is easier for the search than a chain of subtractions, since a known
//! quotient determines the dividend.

use super::gates::{Gates, Lit};
use super::words::{Tick, Word, is_constant};
use crate::solver::Reason;

impl Gates {
    /// The unsigned quotient and remainder.
    pub fn divide(&mut self, n: &[Lit], d: &[Lit], tick: Tick) -> Result<(Word, Word), Reason> {
        let width = n.len();
        let used =
            |word: &[Lit]| width - word.iter().rev().take_while(|&&b| b == Lit::FALSE).count();
        // High bits that are zero in both operands are zero in the results, except by zero.
        let narrow = used(n).max(used(d)).max(1);
        let (low_n, low_d) = (&n[..narrow], &d[..narrow]);
        let by_zero = !self.any(low_d);
        let (mut q, mut r) = if is_constant(low_d) {
            self.divide_by_constant(low_n, low_d, tick)?
        } else {
            self.divide_by_variable(low_n, low_d, by_zero, tick)?
        };
        q.resize(width, by_zero);
        r.resize(width, Lit::FALSE);
        Ok((q, r))
    }

    fn divide_by_variable(
        &mut self,
        n: &[Lit],
        d: &[Lit],
        by_zero: Lit,
        tick: Tick,
    ) -> Result<(Word, Word), Reason> {
        let (q, r) = (self.inputs(n.len()), self.inputs(n.len()));
        let mut conditions = Vec::new();
        let product = self.product_that_fits(&q, d, &mut conditions, tick)?;
        let (sum, carry) = self.sum(&product, &r, Lit::FALSE);
        conditions.push(!carry);
        conditions.extend(self.bitwise(&sum, n, |gates, a, b| !gates.xor(a, b)));
        let below = self.less(&r, d);
        conditions.push(self.or(by_zero, below));
        conditions.extend(q.iter().map(|&bit| self.or(!by_zero, bit)));
        self.require(&[&q[..], &r[..]].concat(), conditions);
        Ok((q, r))
    }

    /// The product of words, with the conditions under which it is below two to the width.
    fn product_that_fits(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        conditions: &mut Vec<Lit>,
        tick: Tick,
    ) -> Result<Word, Reason> {
        let width = a.len();
        // For each position, whether `b` has a bit there or above.
        let mut above = vec![Lit::FALSE; width + 1];
        for i in (0..width).rev() {
            above[i] = self.or(b[i], above[i + 1]);
        }
        let mut product = vec![Lit::FALSE; width];
        for (i, &bit) in a.iter().enumerate() {
            tick(self)?;
            conditions.push(!self.and(bit, above[width - i]));
            let row: Word = b[..width - i].iter().map(|&b| self.and(b, bit)).collect();
            let (sum, carry) = self.sum(&product[i..], &row, Lit::FALSE);
            conditions.push(!carry);
            product[i..].copy_from_slice(&sum);
        }
        Ok(product)
    }

    fn divide_by_constant(
        &mut self,
        n: &[Lit],
        d: &[Lit],
        tick: Tick,
    ) -> Result<(Word, Word), Reason> {
        let width = n.len();
        let Some(log) = d.iter().rposition(|&bit| bit == Lit::TRUE) else {
            return Ok((vec![Lit::TRUE; width], n.to_vec()));
        };
        if d[..log].iter().all(|&bit| bit == Lit::FALSE) {
            let (low, high) = n.split_at(log);
            let (mut q, mut r) = (high.to_vec(), low.to_vec());
            q.resize(width, Lit::FALSE);
            r.resize(width, Lit::FALSE);
            return Ok((q, r));
        }
        // The quotient is below two to `width - log`, the remainder below two to
        // `log + 1`; two more bits hold any product and sum of such numbers.
        let (mut q, mut r) = (self.inputs(width - log), self.inputs(log + 1));
        let inputs = [&q[..], &r[..]].concat();
        q.resize(width + 2, Lit::FALSE);
        r.resize(width + 2, Lit::FALSE);
        let extended = |word: &[Lit]| {
            let mut word = word.to_vec();
            word.resize(width + 2, Lit::FALSE);
            word
        };
        let (n, d) = (extended(n), extended(d));
        let product = self.mul(&q, &d, tick)?;
        let sum = self.add(&product, &r);
        let mut conditions = self.bitwise(&sum, &n, |gates, a, b| !gates.xor(a, b));
        conditions.push(self.less(&r, &d));
        self.require(&inputs, conditions);
        q.truncate(width);
        r.truncate(width);
        Ok((q, r))
    }

    pub fn inputs(&mut self, count: usize) -> Word {
        (0..count).map(|_| self.input()).collect()
    }
}
