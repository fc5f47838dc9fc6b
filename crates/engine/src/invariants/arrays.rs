//! Candidates about every element of an array, from the tests' states.
//!
//! Loops walk over arrays, so what they establish is mostly about a stretch
//! of one: up to the counter, from the counter on, or the whole. For each
//! array that the code walks over and each such stretch, the elements in the
//! stored states suggest what all elements there are: one value, a function of
//! the index, the other array's element, bounded, in order, or compared with
//! a variable. The candidates have the index `k` as a free symbol
//! ([`crate::invariants::universal`]) and are proved by [`crate::invariants::houdini`] like all others.

use crate::core::Core;
use crate::forest::NodeId;
use crate::invariants::candidates;
use crate::invariants::places::Place;
use crate::invariants::pools::Array;
use crate::invariants::pools::Walks;
use crate::invariants::universal;
use crate::task::Task;
use attest_exec::symbolic::env::StateEnv;
use attest_exec::symbolic::memory::{BASE, Pointer};
use attest_exec::symbolic::step::Part;
use attest_exec::symbolic::value::SymVal;
use attest_model::ObjectId;
use attest_model::graph::Loc;
use attest_term::{Op, Program as Compiled, Scratch, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A stretch of an array: from an index, or the start, up to another.
#[derive(Clone, Copy)]
struct Stretch {
    /// An end, and how many elements after it the stretch begins.
    from: Option<(usize, i128)>,
    to: usize,
}

/// What was read of one state at one index.
struct Row {
    index: i128,
    /// Each array's element here and at the next index; none outside of the array.
    elements: Vec<[Option<i128>; 2]>,
    ends: Vec<i128>,
    scalars: Vec<i128>,
}

/// What candidates of a location are made of.
struct Material {
    index: Term,
    arrays: Vec<Array>,
    elements: Vec<[Term; 2]>,
    ends: Vec<Term>,
    constant_ends: usize,
    scalars: Vec<Term>,
}

/// Candidates about the elements of arrays at a location.
pub(crate) fn array_candidates(core: &mut Core<'_>, task: &mut Task, loc: Loc) -> Vec<Term> {
    let walks = walks(core, task);
    if walks.is_empty() || core.nodes_at(task, loc).is_empty() {
        return Vec::new();
    }
    let mut facts = untagged(core, task, loc, &walks);
    let Some(material) = material(core, task, loc, &walks) else {
        return facts;
    };
    let rows = rows(core, task, loc, &material);
    for at in 0..material.arrays.len() {
        // What is true of the whole is not said of the ends of it.
        let mut whole: Vec<Term> = Vec::new();
        let mut own: Vec<Term> = Vec::new();
        for stretch in stretches(&material) {
            let mut found = about_stretch(core, task, &material, &rows, at, stretch);
            match stretch.from {
                None if stretch.to == material.constant_ends => {
                    whole = found.iter().map(|(claim, _)| *claim).collect();
                }
                None => {}
                Some(_) => found.retain(|(claim, _)| !whole.contains(claim)),
            }
            let found = found
                .into_iter()
                .take(core.options.tuning.arrays.segment_candidates);
            own.extend(found.map(|(_, fact)| fact));
        }
        let mut seen = FxHashSet::default();
        own.retain(|fact| core.terms.bool_const(*fact).is_none() && seen.insert(*fact));
        own.truncate(core.options.tuning.arrays.candidates / material.arrays.len());
        facts.extend(own);
    }
    facts
}

/// Where the present procedure walks over arrays.
fn walks(core: &mut Core<'_>, task: &mut Task) -> Walks {
    if let Some(known) = &task.pools.walks {
        return known.clone();
    }
    let mut found = Vec::new();
    let locations: Vec<Loc> = (core.graph.locations_of(task.function)).map(Loc).collect();
    for loc in locations {
        let mut accesses: Vec<(Pointer, u32)> = Vec::new();
        let mut about = Vec::new();
        for transition in core.transitions(task, loc).iter() {
            about.extend(transition.condition());
            for value in transition.regs.iter().chain(&transition.state.globals) {
                if let SymVal::Bits(term) = value {
                    about.push(*term);
                }
            }
            for (at, value) in transition.state.memory.stores() {
                accesses.push((at, core.terms.width(value) / 8));
                about.push(value);
            }
        }
        for read in core.terms.reads(&about) {
            if let Op::Read {
                version: BASE,
                bytes,
            } = core.terms.op(read)
            {
                let object = core.terms.arg(read, 0);
                let offset = core.terms.arg(read, 1);
                accesses.push((Pointer { object, offset }, bytes));
            }
        }
        for (at, bytes) in accesses {
            let walk = walk(core, task, at, bytes);
            let new = |(array, index)| (loc, array, index);
            if let Some(walk) = walk.map(new)
                && !found.contains(&walk)
            {
                found.push(walk);
            }
        }
    }
    let found = Arc::new(found);
    task.pools.walks = Some(found.clone());
    found
}

/// An access whose place depends on the state, as an element of an array.
fn walk(core: &mut Core<'_>, task: &Task, at: Pointer, bytes: u32) -> Option<(Array, Term)> {
    let is_plain = core.terms.is_const(at.object) || task.names.object_parts.contains(&at.object);
    if !is_plain || core.terms.is_const(at.offset) || !(1..=8).contains(&bytes) {
        return None;
    }
    let own = offset_of(task, at.object);
    let mut place = Place {
        bytes: Some(bytes),
        object: at.object,
        base: None,
        start: 0,
        stride: 0,
    };
    let mut work = vec![at.offset];
    while let Some(term) = work.pop() {
        match core.terms.op(term) {
            Op::Add => work.extend(core.terms.args(term)),
            _ if Some(term) == own => place.base = own,
            _ => {
                let constant = core.terms.bv_const(term).and_then(|bv| bv.to_i128());
                match constant {
                    Some(value) => place.start += value,
                    None => place.stride = gcd(place.stride, factor(core, term)),
                }
            }
        }
    }
    if place.stride < i128::from(bytes) {
        // The offset itself walks.
        place.base = None;
        place.stride = bytes.into();
    }
    place.start = place.start.rem_euclid(place.stride);
    let array = Array { place, bytes };
    let index = place.index(&mut core.terms, at.offset)?;
    Some((array, index))
}

/// The offset of the pointer in the state whose object this is.
fn offset_of(task: &Task, object: Term) -> Option<Term> {
    let value = match task.names.vocabulary.part(object)? {
        Part::Reg(reg, false) => task.names.vocabulary.reg(reg),
        Part::Global(global, false) => task.names.vocabulary.global(global),
        _ => return None,
    };
    match value {
        SymVal::Ptr(p) => Some(p.offset),
        _ => None,
    }
}

/// A number that a term is a multiple of by its form.
fn factor(core: &mut Core<'_>, term: Term) -> i128 {
    let zeros = match core.terms.op(term) {
        Op::Mul => {
            let args = core.terms.args(term);
            let numbers = args.iter().filter_map(|a| core.terms.bv_const(*a));
            return numbers.filter_map(|n| n.to_i128()).product::<i128>().abs();
        }
        Op::Concat => {
            let low = core.terms.arg(term, 1);
            let zero = core.terms.bv_const(low).is_some_and(|bv| bv.is_zero());
            if zero { core.terms.width(low) } else { 0 }
        }
        _ => 0,
    };
    1 << zeros.min(16)
}

/// That objects which are walked over hold no pointers.
fn untagged(core: &mut Core<'_>, task: &Task, loc: Loc, walks: &Walks) -> Vec<Term> {
    let mut facts = Vec::new();
    let index = universal::index(core);
    let nodes = some_states(core, task, loc);
    for (_, array, _) in walks.iter() {
        let object = array.place.object;
        if !is_there(core, task, loc, object) {
            continue;
        }
        let tag = core.terms.read_tag(BASE, object, index);
        let fact = core.terms.not(tag);
        let place = Place {
            bytes: None,
            object,
            base: None,
            start: 0,
            stride: 1,
        };
        if !facts.contains(&fact) {
            let holds = nodes.iter().all(|node| {
                let number = core
                    .value_at(task, *node, object)
                    .map_or(0, |v| v.low_u64());
                let state = core.forest.node(*node).state.as_ref();
                state.is_none_or(|s| s.memory().holds_no_pointer(ObjectId(number as u32)))
            });
            if holds {
                core.universals.insert(fact, vec![place]);
                facts.push(fact);
            }
        }
    }
    facts
}

/// Whether an object is named by the state at a location.
fn is_there(core: &Core<'_>, task: &Task, loc: Loc, object: Term) -> bool {
    match task.names.vocabulary.part(object) {
        Some(Part::Reg(reg, _)) => core.graph.location(loc).live.contains(&reg),
        Some(Part::Global(..)) => true,
        _ => core.terms.is_const(object),
    }
}

fn some_states(core: &Core<'_>, task: &Task, loc: Loc) -> Vec<NodeId> {
    let nodes = core.nodes_at(task, loc);
    let n = nodes.len();
    let some = n.min(core.options.tuning.arrays.states);
    (0..some).map(|i| nodes[(i + 1) * n / some - 1]).collect()
}

/// What candidates of a location are made of.
fn material(core: &mut Core<'_>, task: &mut Task, loc: Loc, walks: &Walks) -> Option<Material> {
    let mut arrays: Vec<Array> = Vec::new();
    for (_, array, _) in walks.iter() {
        if !arrays.contains(array) && is_there(core, task, loc, array.place.object) {
            arrays.push(*array);
        }
    }
    arrays.truncate(core.options.tuning.arrays.arrays);
    let first = *arrays.first()?;
    let bits = core.program.pointer_bits;
    let variables = candidates::variables_at(core, task, loc);
    let mut ends = Vec::new();
    for (at, _, index) in walks.iter() {
        if *at == loc
            && core.is_of_state(task, *index)
            && core.terms.dag_size(&[*index]) <= core.options.tuning.arrays.end_terms
            && !ends.contains(index)
        {
            ends.push(*index);
        }
    }
    let numbers = changing(core, task, loc, variables);
    for variable in &numbers {
        let width = core.terms.width(*variable);
        if width <= bits && core.terms.dag_size(&[*variable]) == 1 {
            let wide = core.terms.sext(*variable, bits);
            if !ends.contains(&wide) {
                ends.push(wide);
            }
        }
    }
    ends.truncate(core.options.tuning.arrays.ends);
    let constant_ends = ends.len();
    for length in lengths(core, task, loc, &arrays) {
        ends.push(core.terms.bv_i128(bits, length));
    }
    // What counts the elements is not compared with them.
    let indices: Vec<Term> = walks.iter().map(|(_, _, index)| *index).collect();
    let counters = core.terms.reachable(&indices);
    let mut scalars = numbers;
    scalars.retain(|v| {
        let counts = counters.contains(v) || core.terms.dag_size(&[*v]) > 1;
        !counts && core.terms.width(*v) == first.bytes * 8
    });
    scalars.truncate(core.options.tuning.arrays.scalars);
    let index = universal::index(core);
    let one = core.terms.bv_u128(bits, 1);
    let next = core.terms.add(index, one);
    let mut elements = Vec::with_capacity(arrays.len());
    for array in &arrays {
        elements.push([index, next].map(|index| {
            let offset = array.place.offset(&mut core.terms, index);
            let object = array.place.object;
            core.terms.read(BASE, object, offset, array.bytes)
        }));
    }
    Some(Material {
        index,
        arrays,
        elements,
        ends,
        constant_ends,
        scalars,
    })
}

/// The variables that are no parts of pointers and have several values in the states.
fn changing(core: &Core<'_>, task: &Task, loc: Loc, mut variables: Vec<Term>) -> Vec<Term> {
    let nodes = some_states(core, task, loc);
    let is_pointer = |part: Part| match part {
        Part::Reg(reg, _) => matches!(task.names.vocabulary.reg(reg), SymVal::Ptr(_)),
        Part::Global(global, _) => matches!(task.names.vocabulary.global(global), SymVal::Ptr(_)),
        _ => false,
    };
    variables.retain(|v| {
        let mut values = nodes
            .iter()
            .filter_map(|node| core.value_at(task, *node, *v));
        let first = values.next();
        core.terms.width(*v) > 1
            && !task.names.vocabulary.part(*v).is_some_and(is_pointer)
            && values.any(|value| Some(value) != first)
    });
    variables
}

/// Numbers of elements: of whole arrays, and those that the program compares with.
fn lengths(core: &mut Core<'_>, task: &mut Task, loc: Loc, arrays: &[Array]) -> Vec<i128> {
    let mut lengths: Vec<i128> = Vec::new();
    for node in some_states(core, task, loc) {
        for array in arrays {
            let length = length(core, task, node, array);
            if (2..1 << 32).contains(&length) && !lengths.contains(&length) {
                lengths.push(length);
            }
        }
        if lengths.len() > 3 {
            lengths.clear();
            break;
        }
    }
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let numbers = candidates::numbers(core, task);
    let compared = [32, 64].map(|w| numbers.constants.get(&w).cloned().unwrap_or_default());
    for list in compared {
        for number in &list {
            // The list has each number's neighbours too.
            let own = list.contains(&(number - 1)) && list.contains(&(number + 1));
            let fits = *number > 8 && (longest == 0 || *number < longest);
            if own && fits && lengths.len() < 4 && !lengths.contains(number) {
                lengths.push(*number);
            }
        }
    }
    lengths
}

/// The elements of an array in a state.
fn length(core: &Core<'_>, task: &Task, node: NodeId, array: &Array) -> i128 {
    let Some(state) = core.forest.node(node).state.as_ref() else {
        return 0;
    };
    let value = |term| core.value_at(task, node, term).map_or(0, |v| v.low_u64());
    let object = value(array.place.object);
    let base = array.place.base.map_or(0, value);
    let size = state.memory().size_of(ObjectId(object as u32));
    let room = i128::from(size) - i128::from(base) - array.place.start;
    (room.max(0) + array.place.stride - i128::from(array.bytes)) / array.place.stride
}

/// Elements of arrays in states of a location.
fn rows(core: &mut Core<'_>, task: &Task, loc: Loc, material: &Material) -> Vec<Row> {
    let mut roots: Vec<Term> = material.elements.concat();
    roots.extend(&material.ends);
    roots.extend(&material.scalars);
    let program = Compiled::compile_all(&core.terms, &roots);
    let Op::Var(symbol) = core.terms.op(material.index) else {
        return Vec::new();
    };
    let bits = core.program.pointer_bits;
    let mut scratch = Scratch::default();
    let mut rows = Vec::new();
    for node in some_states(core, task, loc) {
        let lengths: Vec<i128> = (material.arrays.iter())
            .map(|array| length(core, task, node, array))
            .collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let near: Vec<i128> = (material.ends.iter())
            .filter_map(|end| core.value_at(task, node, *end))
            .filter_map(|value| value.as_bv().and_then(|bv| bv.to_i128()))
            .collect();
        for index in sample(longest, &near, core.options.tuning.arrays.elements) {
            let given = FxHashMap::from_iter([(symbol, Value::bv(bits, index as u128))]);
            let Some(env) = core.view(task).at(node) else {
                continue;
            };
            let env = StateEnv {
                inputs: &given,
                ..env
            };
            program.run(&env, &mut scratch);
            let value = |i: usize| {
                let value = program.root(i, &scratch);
                value.as_bv().and_then(|bv| bv.to_i128()).unwrap_or(0)
            };
            let count = lengths.len();
            let elements = (0..count).map(|a| {
                [0, 1].map(|next| {
                    let inside = index + (next as i128) < lengths[a];
                    inside.then(|| value(2 * a + next))
                })
            });
            let elements = elements.collect();
            let ends = material.ends.len();
            rows.push(Row {
                index,
                elements,
                ends: (0..ends).map(|e| value(2 * count + e)).collect(),
                scalars: (0..material.scalars.len())
                    .map(|s| value(2 * count + ends + s))
                    .collect(),
            });
        }
    }
    rows
}

/// What all elements of a stretch are: the claims, and each for all of its indices.
fn about_stretch(
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
fn claims(
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
fn for_all(
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

/// Up to each end, and from each that is no constant, or from right after it, up to another.
fn stretches(material: &Material) -> Vec<Stretch> {
    let ends = 0..material.ends.len();
    let mut out: Vec<Stretch> = ends.map(|to| Stretch { from: None, to }).collect();
    for from in 0..material.constant_ends {
        for to in 0..material.ends.len().min(material.constant_ends + 1) {
            for more in [0, 1] {
                let from = (to != from).then_some((from, more));
                out.extend(from.map(|from| Stretch {
                    from: Some(from),
                    to,
                }));
            }
        }
    }
    out
}

/// Indices to look at: at both ends of an array, some in between, and near its marks.
fn sample(length: i128, near: &[i128], most: i128) -> Vec<i128> {
    let mut some: Vec<i128> = (0..most).collect();
    some.extend(length - most..length);
    some.extend((1..most).map(|i| i * length / most));
    some.extend(near.iter().flat_map(|n| n - 2..n + 2));
    some.retain(|i| (0..length).contains(i));
    some.sort_unstable();
    some.dedup();
    some
}

/// The slope and start of the line that all elements lie on, if they do.
fn line(rows: &[&Row], values: &[i128]) -> Option<(i128, i128)> {
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

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
