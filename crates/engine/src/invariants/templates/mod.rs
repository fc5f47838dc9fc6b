//! Templates of candidate facts, filled from columns of data (algorithm notes 6.3).
//!
//! In the order of worth: constants and small sets of values, affine
//! equations from the null space of the data, bounds by the program's own
//! constants, orders and differences of two variables, congruences, and what
//! holds under each value of a control variable ([`crate::invariants::templates::conditional`]); with
//! [`crate::invariants::templates::linear`] inequalities with the program's own factors. Equations are modulo the
//! width, so that wrap-around does not spoil them; differences are computed
//! wider than the machine does, so that they mean what they say.
//!
//! - `linear`: inequalities with the program's factors;
//! - `conditional`: what holds under a value of a control variable.

pub(crate) mod conditional;
pub(crate) mod linear;

use crate::algorithm::strategy::Templates;
use crate::invariants::templates::conditional::implications;
use crate::invariants::templates::linear::{across_widths, at_most, inequalities};
use crate::techniques::Technique;
use crate::tuning::TemplateLimits;
use attest_term::{Term, Terms};
use rustc_hash::FxHashMap;

/// A variable and its values, one a state, as signed numbers.
pub struct Column {
    /// The variable.
    pub term: Term,
    /// Its width.
    pub width: u32,
    /// It is the object of a pointer: a name and not a number.
    pub is_object: bool,
    /// Some step gives it another value, even if all states here have the same.
    pub varies: bool,
    /// Its values.
    pub values: Vec<i128>,
}

impl Column {
    pub(crate) fn least(&self) -> i128 {
        self.values.iter().copied().min().unwrap_or(0)
    }

    pub(crate) fn greatest(&self) -> i128 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    pub(crate) fn is_constant(&self) -> bool {
        !self.varies && self.least() == self.greatest()
    }

    /// Its values without repetition, if there are at most so many.
    pub(crate) fn few(&self, most: usize) -> Option<Vec<i128>> {
        let mut found: Vec<i128> = Vec::new();
        for value in &self.values {
            if !found.contains(value) {
                if found.len() == most {
                    return None;
                }
                found.push(*value);
            }
        }
        found.sort_unstable();
        Some(found)
    }
}

/// Numbers that the program's text has.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// What it compares with, and those next to them, by width, ascending.
    pub constants: FxHashMap<u32, Vec<i128>>,
    /// What it multiplies with, and small ones that it compares with.
    pub factors: Vec<i128>,
    /// Whether it compares bytes of memory with zero, as programs on texts do.
    pub of_texts: bool,
}

/// Facts that hold in every row, or nearly so: the caller checks them.
pub fn facts(
    terms: &mut Terms,
    columns: &[Column],
    program: &Numbers,
    templates: Templates,
    limits: &TemplateLimits,
) -> Vec<Term> {
    let made = facts_of(terms, columns, program, templates, limits, &|_| true).into_iter();
    made.map(|(fact, _)| fact).collect()
}

/// The same by the techniques that are switched on, each fact with the one that made it.
pub fn facts_of(
    terms: &mut Terms,
    columns: &[Column],
    program: &Numbers,
    templates: Templates,
    limits: &TemplateLimits,
    uses: &dyn Fn(Technique) -> bool,
) -> Vec<(Term, Technique)> {
    if columns.first().is_none_or(|c| c.values.is_empty()) {
        return Vec::new();
    }
    let mut made = Made {
        uses,
        facts: Vec::new(),
    };
    made.by(Technique::Values, |out| {
        for column in columns {
            values(terms, column, out);
        }
    });
    let numbers: Vec<&Column> = columns
        .iter()
        .filter(|c| !c.is_object && c.width > 1 && !c.is_constant())
        .collect();
    let objects: Vec<&Column> = columns.iter().filter(|c| c.is_object).collect();
    made.by(Technique::Values, |out| {
        for (i, a) in objects.iter().enumerate() {
            for b in &objects[i + 1..] {
                if a.values == b.values {
                    out.push(terms.eq(a.term, b.term));
                } else if a.values.iter().zip(&b.values).all(|(x, y)| x != y) {
                    out.push(terms.ne(a.term, b.term));
                }
            }
        }
    });
    made.by(Technique::Equations, |out| {
        equations(terms, &numbers, out);
        across_widths(terms, &numbers, out);
    });
    made.by(Technique::Bounds, |out| {
        let most =
            (limits.all_bounds / numbers.len().max(1)).clamp(limits.bounds, 3 * limits.bounds);
        for column in &numbers {
            bounds(terms, column, &program.constants, most, out);
        }
    });
    made.by(Technique::Orders, |out| {
        for (i, a) in numbers.iter().take(limits.ordered).enumerate() {
            for b in numbers.iter().take(limits.ordered).skip(i + 1) {
                if a.width == b.width {
                    orders(terms, a, b, out);
                    orders(terms, b, a, out);
                }
            }
        }
    });
    let usual = vec![-1, 0, 1];
    let widest = numbers.iter().map(|c| c.width).max().unwrap_or(32);
    let constants = program.constants.get(&widest.min(32)).unwrap_or(&usual);
    if templates == Templates::Rich {
        made.by(Technique::Inequalities, |out| {
            inequalities(terms, &numbers, constants, &program.factors, limits, out);
        });
    }
    made.by(Technique::Congruences, |out| {
        for column in &numbers {
            congruences(terms, column, out);
        }
    });
    made.by(Technique::Implications, |out| {
        implications(terms, columns, constants, limits, out);
    });
    made.facts
}

/// Facts with the techniques that made them.
struct Made<'a> {
    uses: &'a dyn Fn(Technique) -> bool,
    facts: Vec<(Term, Technique)>,
}

impl Made<'_> {
    /// What a technique finds, if it is switched on.
    fn by(&mut self, technique: Technique, find: impl FnOnce(&mut Vec<Term>)) {
        if (self.uses)(technique) {
            let mut found = Vec::new();
            find(&mut found);
            let found = found.into_iter();
            self.facts.extend(found.map(|fact| (fact, technique)));
        }
    }
}

fn constant(terms: &mut Terms, column: &Column, value: i128) -> Term {
    let value = terms.bv_i128(column.width, value);
    terms.eq(column.term, value)
}

/// One value, or a few.
fn values(terms: &mut Terms, column: &Column, out: &mut Vec<Term>) {
    let rows = column.values.len();
    let Some(few) = column.few(4) else {
        return;
    };
    if few.len() == 1 || rows >= 2 * few.len() {
        let each: Vec<Term> = few.iter().map(|v| constant(terms, column, *v)).collect();
        out.push(terms.any(&each));
    }
}

/// Bounds by the nearest constants of the program.
fn bounds(
    terms: &mut Terms,
    column: &Column,
    constants: &FxHashMap<u32, Vec<i128>>,
    most: usize,
    out: &mut Vec<Term>,
) {
    let (least, greatest) = (column.least(), column.greatest());
    let none = vec![-1, 0, 1];
    let list = constants.get(&column.width).unwrap_or(&none);
    // The loosest come first: of two that do, the one that more executions satisfy.
    let mut below: Vec<&i128> = list.iter().rev().filter(|c| **c <= least).collect();
    let mut above: Vec<&i128> = list.iter().filter(|c| **c >= greatest).collect();
    for side in [&mut below, &mut above] {
        side.truncate(most);
        side.reverse();
    }
    for bound in below {
        let bound = terms.bv_i128(column.width, *bound);
        out.push(terms.sle(bound, column.term));
    }
    for bound in above {
        let c = terms.bv_i128(column.width, *bound);
        out.push(terms.sle(column.term, c));
        if least >= 0 && *bound >= 0 {
            out.push(terms.ule(column.term, c));
        }
    }
    let negative = |c: &&i128| **c < 0 && least < 0;
    // As unsigned numbers the negative ones are the great ones.
    if let Some(bound) = list.iter().filter(negative).find(|c| **c >= greatest)
        && greatest < 0
    {
        let c = terms.bv_i128(column.width, *bound);
        out.push(terms.ule(column.term, c));
    }
    if !column.values.contains(&0) {
        let zero = terms.bv_u128(column.width, 0);
        out.push(terms.ne(column.term, zero));
    }
}

/// `a <= b` and the like.
fn orders(terms: &mut Terms, a: &Column, b: &Column, out: &mut Vec<Term>) {
    let pairs = || a.values.iter().zip(&b.values);
    let difference = pairs().map(|(x, y)| x - y).max().unwrap_or(0);
    let unsigned = |x: i128| if x < 0 { x + (1i128 << a.width) } else { x };
    let apart = pairs()
        .map(|(x, y)| unsigned(*x) - unsigned(*y))
        .max()
        .unwrap_or(0);
    match difference {
        i128::MIN..=-1 => out.push(terms.slt(a.term, b.term)),
        0 => out.push(terms.sle(a.term, b.term)),
        1..=2 => out.push(at_most(terms, &[(1, a), (-1, b)], difference)),
        _ => {}
    }
    match apart {
        i128::MIN..=-1 => out.push(terms.ult(a.term, b.term)),
        0 => out.push(terms.ule(a.term, b.term)),
        _ => {}
    }
    let twice = pairs().map(|(x, y)| 2 * x - y).max().unwrap_or(0);
    if (-1..=1).contains(&twice) {
        out.push(at_most(terms, &[(2, a), (-1, b)], twice));
    }
    let half = pairs().map(|(x, y)| x - 2 * y).max().unwrap_or(0);
    if (-1..=1).contains(&half) {
        out.push(at_most(terms, &[(1, a), (-2, b)], half));
    }
}

/// What the low bits of one column, or of the sum or difference of two or three, are.
fn congruences(terms: &mut Terms, column: &Column, out: &mut Vec<Term>) {
    congruence(terms, &[(1, column)], out);
}

fn congruence(terms: &mut Terms, sum: &[(i128, &Column)], out: &mut Vec<Term>) {
    let width = sum[0].1.width;
    let rows = sum[0].1.values.len();
    let value = |row: usize| -> i128 { sum.iter().map(|(f, c)| f * c.values[row]).sum() };
    let first = value(0);
    let mut agree = width - 1;
    for row in 1..rows {
        let differs = (value(row) ^ first).trailing_zeros();
        agree = agree.min(differs);
    }
    if agree == 0 {
        return;
    }
    // Each number of low bits is a candidate: fewer may be inductive where more are not.
    for bits in [agree, 1] {
        let mut total: Option<Term> = None;
        for (factor, column) in sum {
            let low = terms.extract(bits - 1, 0, column.term);
            let part = if *factor < 0 { terms.neg(low) } else { low };
            total = Some(match total {
                None => part,
                Some(total) => terms.add(total, part),
            });
        }
        let Some(total) = total else { return };
        let expected = terms.bv_i128(bits, first & ((1 << bits) - 1));
        out.push(terms.eq(total, expected));
        if agree == 1 {
            break;
        }
    }
}

/// A prime that products of two residues fit an `i128` with.
const PRIME: i128 = (1 << 61) - 1;

fn residue(n: i128) -> i128 {
    n.rem_euclid(PRIME)
}

fn power(mut base: i128, mut exponent: i128) -> i128 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// Affine equations: the null space of the data, computed modulo a prime and read back
/// as small fractions. They are stated modulo the width.
fn equations(terms: &mut Terms, numbers: &[&Column], out: &mut Vec<Term>) {
    let mut widths: Vec<u32> = numbers.iter().map(|c| c.width).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let group: Vec<&Column> = numbers
            .iter()
            .copied()
            .filter(|c| c.width == width)
            .collect();
        if group.len() < 2 {
            continue;
        }
        let mut relations = null_space(&group);
        relations.extend(without_constants(&relations));
        for relation in relations {
            let support = relation[1..].iter().filter(|c| **c != 0).count();
            if !(2..=4).contains(&support) {
                continue;
            }
            // Fewer factors below zero make terms that are easier to compare.
            let below = relation[1..].iter().filter(|c| **c < 0).count();
            let sign = if 2 * below > support { -1 } else { 1 };
            let relation: Vec<i128> = relation.iter().map(|c| sign * c).collect();
            let mut total = terms.bv_i128(width, relation[0]);
            for (factor, column) in relation[1..].iter().zip(&group) {
                let factor = terms.bv_i128(width, *factor);
                let part = terms.mul(factor, column.term);
                total = terms.add(total, part);
            }
            let zero = terms.bv_u128(width, 0);
            out.push(terms.eq(total, zero));
        }
    }
}

/// Integer vectors `c` with `c0 + sum ci xi = 0` in every row.
fn null_space(group: &[&Column]) -> Vec<Vec<i128>> {
    let width = group.len() + 1;
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for r in 0..group[0].values.len().min(200) {
        let mut row = vec![1];
        row.extend(group.iter().map(|c| residue(c.values[r])));
        rows.push(row);
    }
    // Reduced echelon form; the constant's column is the first and always a pivot.
    let mut pivots: Vec<usize> = Vec::new();
    let mut done = 0;
    for column in 0..width {
        let Some(found) = (done..rows.len()).find(|r| rows[*r][column] != 0) else {
            continue;
        };
        rows.swap(done, found);
        let inverse = power(rows[done][column], PRIME - 2);
        for value in &mut rows[done] {
            *value = *value * inverse % PRIME;
        }
        let pivot = rows[done].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if r != done && factor != 0 {
                for (value, p) in row.iter_mut().zip(&pivot) {
                    *value = residue(*value - factor * p % PRIME);
                }
            }
        }
        pivots.push(column);
        done += 1;
        if done == rows.len() {
            break;
        }
    }
    let mut out = Vec::new();
    for free in (0..width).filter(|c| !pivots.contains(c)) {
        let mut entries: Vec<(i128, i128)> = vec![(0, 1); width];
        entries[free] = (1, 1);
        let mut small = true;
        for (row, pivot) in pivots.iter().enumerate() {
            match fraction(residue(-rows[row][free]), *pivot == 0) {
                Some(entry) => entries[*pivot] = entry,
                None => small = false,
            }
        }
        if !small {
            continue;
        }
        let common = entries.iter().fold(1, |acc, (_, d)| lcm(acc, *d));
        if common <= 64 {
            out.push(entries.iter().map(|(n, d)| n * (common / d)).collect());
        }
    }
    out
}

/// Combinations of two relations that have no constant: where every test had the same value
/// of a third variable, each of the two has it as a constant, and together they do not.
fn without_constants(relations: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let mut out = Vec::new();
    for (i, a) in relations.iter().enumerate() {
        for b in &relations[i + 1..] {
            let (k, m) = (a[0], b[0]);
            if k == 0 || m == 0 || k.abs() > 1 << 40 || m.abs() > 1 << 40 {
                continue;
            }
            let sum = |(x, y): (&i128, &i128)| x * m - y * k;
            let both: Vec<i128> = a.iter().zip(b).map(sum).collect();
            let common = both.iter().fold(0, |acc, x| gcd(acc, x.abs()));
            if common != 0 && both.iter().all(|x| (x / common).abs() <= 64) {
                out.push(both.iter().map(|x| x / common).collect());
            }
        }
    }
    out
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: i128, b: i128) -> i128 {
    a / gcd(a, b) * b
}

/// The small fraction that a residue stands for; a large numerator is allowed where it is
/// an additive constant.
fn fraction(residue: i128, large: bool) -> Option<(i128, i128)> {
    let most = if large { 1i128 << 56 } else { 1 << 10 };
    for denominator in 1..=8 {
        let numerator = residue * denominator % PRIME;
        let signed = if numerator > PRIME / 2 {
            numerator - PRIME
        } else {
            numerator
        };
        if signed.abs() <= most {
            return Some((signed, denominator));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::{Sort, SymbolKind};

    fn columns(terms: &mut Terms, data: &[&[i128]]) -> Vec<Column> {
        let column = |(i, values): (usize, &&[i128])| Column {
            term: terms.var(&format!("x{i}"), Sort::BitVec(32), SymbolKind::Register),
            width: 32,
            is_object: false,
            varies: false,
            values: values.to_vec(),
        };
        data.iter().enumerate().map(column).collect()
    }

    #[test]
    fn the_null_space_finds_affine_equations() {
        let mut terms = Terms::new();
        let columns = columns(
            &mut terms,
            &[&[0, 1, 2, 5, 7], &[3, 5, 7, 13, 17], &[9, 1, 4, 8, 2]],
        );
        let group: Vec<&Column> = columns.iter().collect();
        let found = null_space(&group);
        assert_eq!(found.len(), 1, "{found:?}");
        // x1 = 2 x0 + 3, up to a factor.
        let relation = &found[0];
        for row in 0..5 {
            let sum: i128 = relation[0]
                + relation[1..]
                    .iter()
                    .zip(&group)
                    .map(|(f, c)| f * c.values[row])
                    .sum::<i128>();
            assert_eq!(sum, 0);
        }
        assert_eq!(relation[3], 0);
    }

    #[test]
    fn a_constant_of_two_equations_goes() {
        // y = 2x + 7 and v = u + 7: where 7 is the same third thing, y - 2x = v - u.
        let found = without_constants(&[vec![7, 2, -1, 0, 0], vec![7, 0, 0, 1, -1]]);
        assert_eq!(found, [vec![0, 2, -1, -1, 1]]);
    }

    #[test]
    fn low_bits_are_noticed() {
        let mut terms = Terms::new();
        let columns = columns(&mut terms, &[&[1, 5, 9, -3, 13]]);
        let limits = TemplateLimits::default();
        let found = facts(
            &mut terms,
            &columns,
            &Numbers::default(),
            Templates::Rich,
            &limits,
        );
        let text: Vec<String> = found.iter().map(|f| terms.to_c(*f)).collect();
        assert!(text.len() > 2, "{text:?}");
    }
}
