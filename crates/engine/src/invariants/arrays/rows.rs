//! What the stored states say of arrays: elements at some indices, with the ends and variables
//! of the same state.

use super::material::{Material, length, some_states};
use crate::core::Core;
use crate::task::Task;
use attest_exec::symbolic::env::StateEnv;
use attest_model::graph::Loc;
use attest_term::{Op, Program as Compiled, Scratch, Term, Value};
use rustc_hash::FxHashMap;

/// What was read of one state at one index.
pub(super) struct Row {
    pub index: i128,
    /// Each array's element here and at the next index; none outside of the array.
    pub elements: Vec<[Option<i128>; 2]>,
    pub ends: Vec<i128>,
    pub scalars: Vec<i128>,
}

/// Elements of arrays in states of a location.
pub(super) fn rows(core: &mut Core<'_>, task: &Task, loc: Loc, material: &Material) -> Vec<Row> {
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

/// Indices to look at: at both ends of an array, some in between, and near its marks.
pub(super) fn sample(length: i128, near: &[i128], most: i128) -> Vec<i128> {
    let mut some: Vec<i128> = (0..most).collect();
    some.extend(length - most..length);
    some.extend((1..most).map(|i| i * length / most));
    some.extend(near.iter().flat_map(|n| n - 2..n + 2));
    some.retain(|i| (0..length).contains(i));
    some.sort_unstable();
    some.dedup();
    some
}
