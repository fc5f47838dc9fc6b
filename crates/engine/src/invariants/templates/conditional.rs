//! Templates of what holds under a value of a control variable (algorithm notes 6.3).
//!
//! Flags and states of a machine remember what was once compared: after
//! `if (c == last) seen = 1` it holds that `!seen || last < c` long after the
//! comparison. For each variable with a few values, what is true of the
//! states with one of them and not of all is a candidate: that another
//! variable has one value, an order of two others, or a bound by a constant
//! of the program.

use crate::invariants::templates::Column;
use crate::tuning::TemplateLimits;
use attest_term::{Term, Terms};

/// Candidates of the form "unless this variable has this value, that".
pub fn implications(
    terms: &mut Terms,
    columns: &[Column],
    constants: &[i128],
    limits: &TemplateLimits,
    out: &mut Vec<Term>,
) {
    let controls = columns
        .iter()
        .filter_map(|c| Some((c, c.few(limits.control_values)?)))
        .filter(|(_, few)| few.len() > 1)
        .take(limits.controls);
    let few: Vec<&Column> = columns.iter().take(limits.implied_columns).collect();
    for (control, values) in controls {
        for value in values {
            let rows: Vec<usize> = (0..control.values.len())
                .filter(|r| control.values[*r] == value)
                .collect();
            if rows.len() < limits.control_rows {
                continue;
            }
            let here = terms.bv_i128(control.width, value);
            let other = terms.ne(control.term, here);
            let others = few.iter().copied().filter(|c| c.term != control.term);
            let others: Vec<&Column> = others.collect();
            let mut facts = Vec::new();
            for column in &others {
                constant(terms, column, &rows, &mut facts);
                bounds(terms, column, &rows, constants, &mut facts);
            }
            let numbers = others.iter().filter(|c| !c.is_object && c.width > 1);
            let numbers: Vec<&&Column> = numbers.take(limits.implied_pairs).collect();
            for (i, a) in numbers.iter().enumerate() {
                for b in &numbers[i + 1..] {
                    if a.width == b.width {
                        order(terms, a, b, &rows, &mut facts);
                    }
                }
            }
            out.extend(facts.into_iter().map(|fact| terms.any(&[other, fact])));
        }
    }
}

/// One value.
fn constant(terms: &mut Terms, column: &Column, rows: &[usize], out: &mut Vec<Term>) {
    let first = column.values[rows[0]];
    let same = rows.iter().all(|r| column.values[*r] == first);
    if same && !column.is_constant() {
        let value = terms.bv_i128(column.width, first);
        out.push(terms.eq(column.term, value));
    }
}

/// The nearest constant of the program on each side, if all states are not inside.
fn bounds(
    terms: &mut Terms,
    column: &Column,
    rows: &[usize],
    constants: &[i128],
    out: &mut Vec<Term>,
) {
    if column.is_object || column.width == 1 {
        return;
    }
    let values = || rows.iter().map(|r| column.values[*r]);
    let (least, greatest) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
    if least == greatest {
        return;
    }
    if let Some(bound) = constants.iter().find(|c| **c >= greatest)
        && *bound < column.greatest()
    {
        let bound = terms.bv_i128(column.width, *bound);
        out.push(terms.sle(column.term, bound));
    }
    if let Some(bound) = constants.iter().rev().find(|c| **c <= least)
        && *bound > column.least()
    {
        let bound = terms.bv_i128(column.width, *bound);
        out.push(terms.sle(bound, column.term));
    }
}

/// How two columns compare, if not everywhere so.
fn order(terms: &mut Terms, a: &Column, b: &Column, rows: &[usize], out: &mut Vec<Term>) {
    let here = |test: fn(i128, i128) -> bool| {
        let some = rows.iter().all(|r| test(a.values[*r], b.values[*r]));
        let mut all = a.values.iter().zip(&b.values);
        some && !all.all(|(x, y)| test(*x, *y))
    };
    if here(|x, y| x == y) {
        out.push(terms.eq(a.term, b.term));
    } else if here(|x, y| x < y) {
        out.push(terms.slt(a.term, b.term));
    } else if here(|x, y| x > y) {
        out.push(terms.slt(b.term, a.term));
    } else if here(|x, y| x <= y) {
        out.push(terms.sle(a.term, b.term));
    } else if here(|x, y| x >= y) {
        out.push(terms.sle(b.term, a.term));
    } else if here(|x, y| x != y) {
        out.push(terms.ne(a.term, b.term));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::{Sort, SymbolKind};

    #[test]
    fn a_flag_remembers_an_order() {
        let mut terms = Terms::new();
        let mut column = |name: &str, values: &[i128]| Column {
            term: terms.var(name, Sort::BitVec(32), SymbolKind::Register),
            width: 32,
            is_object: false,
            varies: false,
            values: values.to_vec(),
        };
        let columns = [
            column("flag", &[0, 0, 1, 1, 0]),
            column("c", &[1, 5, 9, 8, 2]),
            column("last", &[3, 4, 2, 7, 2]),
        ];
        let mut out = Vec::new();
        implications(
            &mut terms,
            &columns,
            &[],
            &TemplateLimits::default(),
            &mut out,
        );
        let text: Vec<String> = out.iter().map(|f| terms.to_c(*f)).collect();
        assert!(text.iter().any(|t| t.contains("last < c")), "{text:?}");
    }
}
