//! Templates of linear inequalities, filled from columns of data (algorithm notes 6.3).
//!
//! A form such as `2*i - j` or `10*i + j - k` is a candidate if its greatest
//! value over the data is a number that the program itself might have meant:
//! about zero, or a constant of its comparisons. Factors are those of the
//! program too. A form that is no better than bounds of its parts says
//! nothing new and is dropped; of the rest those come first whose bound is
//! met by most states, since a face of the true set is met again and again
//! and an accident is not. Forms are computed wide enough not to wrap around.

use crate::invariants::templates::Column;
use crate::tuning::TemplateLimits;
use attest_term::{Term, Terms};

/// A sum with factors.
type Form<'c> = Vec<(i128, &'c Column)>;

/// Candidates of two and three columns.
pub fn inequalities(
    terms: &mut Terms,
    numbers: &[&Column],
    constants: &[i128],
    factors: &[i128],
    limits: &TemplateLimits,
    out: &mut Vec<Term>,
) {
    let paired: Vec<&Column> = numbers.iter().copied().take(limits.linear_pairs).collect();
    let mut found = Vec::new();
    for (i, a) in paired.iter().enumerate() {
        for b in &paired[i + 1..] {
            for [f, g] in factors_of_two(factors) {
                let nice = |bound: i128| bound.abs() <= 1 || constants.contains(&bound);
                found.extend(bounded(vec![(f, a), (g, b)], limits.linear_rows, nice));
            }
        }
    }
    emit(terms, found, limits.inequalities_of_two, out);
    let tripled: Vec<&Column> = numbers
        .iter()
        .copied()
        .take(limits.linear_triples)
        .collect();
    let mut found = Vec::new();
    for (i, a) in tripled.iter().enumerate() {
        for (j, b) in tripled.iter().enumerate().skip(i + 1) {
            for c in &tripled[j + 1..] {
                for [f, g, h] in factors_of_three(factors) {
                    let nice = |bound: i128| bound.abs() <= 1;
                    found.extend(bounded(
                        vec![(f, a), (g, b), (h, c)],
                        limits.linear_rows,
                        nice,
                    ));
                }
            }
        }
    }
    emit(terms, found, limits.inequalities_of_three, out);
}

/// The best forms as terms.
fn emit(
    terms: &mut Terms,
    mut found: Vec<(usize, i128, Form<'_>)>,
    most: usize,
    out: &mut Vec<Term>,
) {
    found.sort_by_key(|(met, _, _)| std::cmp::Reverse(*met));
    for (_, bound, form) in found.into_iter().take(most) {
        out.push(at_most(terms, &form, bound));
    }
}

fn factors_of_two(factors: &[i128]) -> Vec<[i128; 2]> {
    // Differences with factor 1 are orders, which are guessed elsewhere.
    let mut all = vec![[1, 1], [-1, -1]];
    for &k in factors {
        for sign in [1, -1] {
            all.extend([[sign * k, 1], [sign * k, -1], [1, sign * k], [-1, sign * k]]);
        }
    }
    all
}

fn factors_of_three(factors: &[i128]) -> Vec<[i128; 3]> {
    let mut all = Vec::new();
    for signs in 0..8u32 {
        let sign = |i: u32| if signs >> i & 1 == 0 { 1 } else { -1 };
        let plain = [sign(0), sign(1), sign(2)];
        all.push(plain);
        for &k in factors {
            for at in 0..3 {
                let mut one = plain;
                one[at] *= k;
                all.push(one);
                let mut others = plain.map(|f| f * k);
                others[at] = plain[at];
                all.push(others);
            }
        }
    }
    all
}

/// A form with its bound and how many different states meet it, if it is worth something.
fn bounded<'c>(
    form: Form<'c>,
    most_rows: usize,
    nice: impl Fn(i128) -> bool,
) -> Option<(usize, i128, Form<'c>)> {
    let rows = form[0].1.values.len();
    let step = rows.div_ceil(most_rows).max(1);
    let value = |row: usize| -> i128 { form.iter().map(|(f, c)| f * c.values[row]).sum() };
    let greatest = |at: &[usize]| -> i128 {
        let part = |row: usize| at.iter().map(|i| form[*i].0 * form[*i].1.values[row]).sum();
        (0..rows).step_by(step).map(part).max().unwrap_or(0)
    };
    let bound = (0..rows).step_by(step).map(value).max()?;
    if !nice(bound) {
        return None;
    }
    // The parts' own bounds say as much.
    let all: Vec<usize> = (0..form.len()).collect();
    let redundant = all.iter().any(|alone| {
        let others: Vec<usize> = all.iter().copied().filter(|i| i != alone).collect();
        greatest(&[*alone]) + greatest(&others) <= bound
    });
    if redundant {
        return None;
    }
    let state = |row: usize| -> Vec<i128> { form.iter().map(|(_, c)| c.values[row]).collect() };
    let meets = |row: &usize| value(*row) == bound;
    let mut met: Vec<Vec<i128>> = (0..rows).step_by(step).filter(meets).map(state).collect();
    met.sort_unstable();
    met.dedup();
    (met.len() > 1).then_some((met.len(), bound, form))
}

/// A sum that is at most a bound, computed without overflow.
pub fn at_most(terms: &mut Terms, sum: &[(i128, &Column)], bound: i128) -> Term {
    let widest = sum.iter().map(|(_, c)| c.width).max().unwrap_or(1);
    let bits = |n: i128| 128 - n.unsigned_abs().leading_zeros();
    let factors = sum.iter().map(|(f, _)| bits(*f)).max().unwrap_or(0);
    let wide = (widest + factors + 2).max(bits(bound) + 2);
    let mut total = terms.bv_u128(wide, 0);
    for (factor, column) in sum {
        let value = terms.sext(column.term, wide);
        let factor = terms.bv_i128(wide, *factor);
        let part = terms.mul(factor, value);
        total = terms.add(total, part);
    }
    let bound = terms.bv_i128(wide, bound);
    terms.sle(total, bound)
}

/// `b = k*a + c` for a narrower `a`, as an index and an offset of bytes are related.
pub fn across_widths(terms: &mut Terms, numbers: &[&Column], out: &mut Vec<Term>) {
    for a in numbers {
        for b in numbers.iter().filter(|b| b.width > a.width) {
            for k in [1, 2, 4, 8] {
                let rest = |row: usize| b.values[row] - k * a.values[row];
                if (1..a.values.len()).any(|row| rest(row) != rest(0)) {
                    continue;
                }
                let factor = terms.bv_i128(b.width, k);
                let more = terms.bv_i128(b.width, rest(0));
                for signed in [true, false] {
                    let wide = match signed {
                        true => terms.sext(a.term, b.width),
                        false => terms.zext(a.term, b.width),
                    };
                    let scaled = terms.mul(factor, wide);
                    let sum = terms.add(scaled, more);
                    out.push(terms.eq(b.term, sum));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::{Sort, SymbolKind};

    fn column(terms: &mut Terms, name: &str, width: u32, values: &[i128]) -> Column {
        Column {
            term: terms.var(name, Sort::BitVec(width), SymbolKind::Register),
            width,
            is_object: false,
            varies: false,
            values: values.to_vec(),
        }
    }

    #[test]
    fn a_factor_of_the_program_gives_a_bound() {
        let mut terms = Terms::new();
        // j < 3*i, and the bound is met at several places.
        let i = column(&mut terms, "i", 32, &[1, 1, 2, 2, 2, 3, 4, 4]);
        let j = column(&mut terms, "j", 32, &[1, 2, 5, 4, 3, 8, 11, 0]);
        let mut out = Vec::new();
        inequalities(
            &mut terms,
            &[&i, &j],
            &[],
            &[3],
            &TemplateLimits::default(),
            &mut out,
        );
        let text: Vec<String> = out.iter().map(|f| terms.to_c(*f)).collect();
        assert!(
            text.iter().any(|t| t.contains("-1") || t.contains('3')),
            "{text:?}"
        );
        assert!(!out.is_empty());
    }

    #[test]
    fn what_bounds_say_already_is_dropped() {
        let mut terms = Terms::new();
        let x = column(&mut terms, "x", 32, &[0, 1, 0, 1, 0, -1]);
        let y = column(&mut terms, "y", 32, &[0, 0, -1, -1, -2, 0]);
        let mut out = Vec::new();
        inequalities(
            &mut terms,
            &[&x, &y],
            &[],
            &[],
            &TemplateLimits::default(),
            &mut out,
        );
        // x + y <= 1 is no more than x <= 1 and y <= 0.
        let text: Vec<String> = out.iter().map(|f| terms.to_c(*f)).collect();
        assert!(!text.iter().any(|t| t.ends_with("<= 1")), "{text:?}");
    }

    #[test]
    fn an_offset_follows_an_index() {
        let mut terms = Terms::new();
        let i = column(&mut terms, "i", 32, &[0, 1, 2, 7]);
        let p = column(&mut terms, "p", 64, &[8, 12, 16, 36]);
        let mut out = Vec::new();
        across_widths(&mut terms, &[&i, &p], &mut out);
        assert_eq!(out.len(), 2, "signed and unsigned");
    }
}
