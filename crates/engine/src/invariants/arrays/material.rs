//! What candidates about arrays are made of at one location: the arrays, the ends of their
//! segments, and the variables that elements are compared with.

use crate::core::Core;
use crate::forest::NodeId;
use crate::invariants::candidates;
use crate::invariants::pools::Array;
use crate::invariants::pools::Walks;
use crate::invariants::universal;
use crate::task::Task;
use attest_exec::symbolic::step::Part;
use attest_exec::symbolic::value::SymVal;
use attest_model::ObjectId;
use attest_model::graph::Loc;
use attest_term::Term;

/// What candidates of a location are made of.
pub(super) struct Material {
    pub index: Term,
    pub arrays: Vec<Array>,
    pub elements: Vec<[Term; 2]>,
    pub ends: Vec<Term>,
    pub constant_ends: usize,
    pub scalars: Vec<Term>,
}

/// What candidates of a location are made of.
pub(super) fn material(
    core: &mut Core<'_>,
    task: &mut Task,
    loc: Loc,
    walks: &Walks,
) -> Option<Material> {
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
            core.terms.read(array.version, object, offset, array.bytes)
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

/// Whether an object is named by the state at a location.
pub(super) fn is_there(core: &Core<'_>, task: &Task, loc: Loc, object: Term) -> bool {
    match task.names.vocabulary.part(object) {
        Some(Part::Reg(reg, _)) => core.graph.location(loc).live.contains(&reg),
        Some(Part::Global(..)) => true,
        _ => core.terms.is_const(object),
    }
}

pub(super) fn some_states(core: &Core<'_>, task: &Task, loc: Loc) -> Vec<NodeId> {
    let nodes = core.nodes_at(task, loc);
    let n = nodes.len();
    let some = n.min(core.options.tuning.arrays.states);
    (0..some).map(|i| nodes[(i + 1) * n / some - 1]).collect()
}

/// The variables that are no parts of pointers and have several values in the states.
pub(super) fn changing(
    core: &Core<'_>,
    task: &Task,
    loc: Loc,
    mut variables: Vec<Term>,
) -> Vec<Term> {
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
pub(super) fn lengths(
    core: &mut Core<'_>,
    task: &mut Task,
    loc: Loc,
    arrays: &[Array],
) -> Vec<i128> {
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
pub(super) fn length(core: &Core<'_>, task: &Task, node: NodeId, array: &Array) -> i128 {
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
