//! What the elements of a segment have in common in all stored states: one value, a function
//! of the index, the element of another array, bounds, an order, a comparison with a variable.

use super::Stretch;
use super::material::Material;
use super::rows::Row;
use crate::core::Core;
use crate::invariants::candidates;
use crate::invariants::places::Place;
use crate::invariants::pools::Array;
use crate::task::Task;
use attest_term::Term;

/// What all elements of a stretch are: the claims, and each for all of its indices.
pub(super) fn about_stretch(
    core: &mut Core<'_>,
    task: &mut Task,
    material: &Material,
    rows: &[Row],
    at: usize,
    stretch: Stretch,
) -> Vec<(Term, Term)> {
    let inside = |row: &&Row| {
        let from = stretch.from.map_or(0, |(end, more)| row.ends[end] + more);
        (from..row.ends[stretch.to]).contains(&row.index) && row.index >= 0
    };
    let rows: Vec<&Row> = rows.iter().filter(inside).collect();
    let values: Option<Vec<i128>> = rows.iter().map(|r| r.elements[at][0]).collect();
    let Some(values) = values.filter(|v| v.len() >= core.options.tuning.arrays.least_elements)
    else {
        return Vec::new();
    };
    let array = material.arrays[at];
    let [element, next] = material.elements[at];
    let mut said: Vec<(Term, Vec<Place>)> = Vec::new();
    for claim in claims(core, task, material, &rows, &values, array, element) {
        said.push((claim, vec![array.place]));
    }
    for (other, place) in material.arrays.iter().enumerate() {
        if other == at || place.bytes != array.bytes {
            continue;
        }
        let there = material.elements[other][0];
        let pairs = || {
            rows.iter()
                .zip(&values)
                .map(|(r, v)| (*v, r.elements[other][0]))
        };
        let all =
            |test: fn(i128, i128) -> bool| pairs().all(|(a, b)| b.is_some_and(|b| test(a, b)));
        let places = vec![array.place, place.place];
        if all(|a, b| a == b) {
            if at < other {
                said.push((core.terms.eq(element, there), places));
            }
        } else if all(|a, b| a <= b) {
            said.push((core.terms.sle(element, there), places));
        }
    }
    let mut facts = Vec::new();
    for (claim, places) in said {
        let index = material.index;
        let fact = for_all(core, material, stretch, index, claim, places);
        facts.push((claim, fact));
    }
    let mut pairs = rows.iter().filter_map(|r| {
        let last = r.index + 1 >= r.ends[stretch.to];
        (!last).then(|| (r.elements[at][0], r.elements[at][1]))
    });
    let ordered =
        |(a, b): (Option<i128>, Option<i128>)| matches!((a, b), (Some(a), Some(b)) if a <= b);
    let varied = values.iter().any(|v| *v != values[0]);
    if varied && pairs.all(ordered) {
        let one = core.terms.bv_u128(core.program.pointer_bits, 1);
        let after = core.terms.add(material.index, one);
        let claim = core.terms.sle(element, next);
        let second = Place {
            start: array.place.start + array.place.stride,
            ..array.place
        };
        let places = vec![array.place, second];
        let fact = for_all(core, material, stretch, after, claim, places);
        facts.push((claim, fact));
    }
    facts
}

/// What is true of all these values of an element: in the order of worth.
pub(super) fn claims(
    core: &mut Core<'_>,
    task: &mut Task,
    material: &Material,
    rows: &[&Row],
    values: &[i128],
    array: Array,
    element: Term,
) -> Vec<Term> {
    let width = array.bytes * 8;
    let mut claims = Vec::new();
    let first = values[0];
    if values.iter().all(|v| *v == first) {
        let constant = core.terms.bv_i128(width, first);
        claims.push(core.terms.eq(element, constant));
    } else if let Some(line) = line(rows, values) {
        let (slope, start) = line;
        let bits = core.program.pointer_bits;
        let index = match bits >= width {
            true => core.terms.extract(width - 1, 0, material.index),
            false => core.terms.zext(material.index, width),
        };
        let slope = core.terms.bv_i128(width, slope);
        let start = core.terms.bv_i128(width, start);
        let scaled = core.terms.mul(index, slope);
        let sum = core.terms.add(scaled, start);
        claims.push(core.terms.eq(element, sum));
    }
    let mut few = values.to_vec();
    few.sort_unstable();
    few.dedup();
    if (2..=3).contains(&few.len()) && values.len() >= 3 * few.len() {
        let each: Vec<Term> = few
            .iter()
            .map(|v| {
                let constant = core.terms.bv_i128(width, *v);
                core.terms.eq(element, constant)
            })
            .collect();
        claims.push(core.terms.any(&each));
    }
    for (i, scalar) in material.scalars.iter().enumerate() {
        if core.terms.width(*scalar) != width {
            continue;
        }
        let all = |test: fn(i128, i128) -> bool| {
            let mut pairs = rows.iter().zip(values);
            pairs.all(|(row, v)| test(*v, row.scalars[i]))
        };
        if all(|v, s| v == s) {
            claims.push(core.terms.eq(element, *scalar));
        } else if all(|v, s| v <= s) {
            claims.push(core.terms.sle(element, *scalar));
        } else if all(|v, s| v >= s) {
            claims.push(core.terms.sle(*scalar, element));
        }
    }
    if few.len() > 1 {
        let numbers = candidates::numbers(core, task);
        let none = vec![0];
        let list = numbers.constants.get(&width).unwrap_or(&none);
        let (least, greatest) = (few[0], few[few.len() - 1]);
        if let Some(bound) = list.iter().rev().find(|c| **c <= least) {
            let bound = core.terms.bv_i128(width, *bound);
            claims.push(core.terms.sle(bound, element));
        }
        if let Some(bound) = list.iter().find(|c| **c >= greatest) {
            let bound = core.terms.bv_i128(width, *bound);
            claims.push(core.terms.sle(element, bound));
        }
        if !few.contains(&0) {
            let zero = core.terms.bv_u128(width, 0);
            claims.push(core.terms.ne(element, zero));
        }
    }
    claims
}

/// A claim for every index whose last place, `last`, is in a stretch.
pub(super) fn for_all(
    core: &mut Core<'_>,
    material: &Material,
    stretch: Stretch,
    last: Term,
    claim: Term,
    places: Vec<Place>,
) -> Term {
    let zero = core.terms.bv_u128(core.program.pointer_bits, 0);
    let not_negative = core.terms.sle(zero, material.index);
    let above = match stretch.from {
        Some((end, 0)) => core.terms.sle(material.ends[end], material.index),
        Some((end, _)) => core.terms.slt(material.ends[end], material.index),
        None => not_negative,
    };
    let below = core.terms.slt(last, material.ends[stretch.to]);
    let range = core.terms.all(&[not_negative, above, below]);
    let fact = core.terms.implies(range, claim);
    core.universals.insert(fact, places);
    fact
}

/// The slope and start of the line that all elements lie on, if they do.
pub(super) fn line(rows: &[&Row], values: &[i128]) -> Option<(i128, i128)> {
    let first = (rows[0].index, values[0]);
    let mut points = rows.iter().map(|r| r.index).zip(values.iter().copied());
    let other = points.clone().find(|(i, _)| *i != first.0)?;
    let (run, rise) = (other.0 - first.0, other.1 - first.1);
    if rise % run != 0 {
        return None;
    }
    let slope = rise / run;
    let start = first.1 - slope * first.0;
    let on_it = points.all(|(i, v)| v == slope * i + start);
    (on_it && slope.abs() < 1 << 31).then_some((slope, start))
}
