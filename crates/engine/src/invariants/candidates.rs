//! Candidate facts from the tests' states (algorithm notes 6.3).
//!
//! The forest holds states that executions really reach, so a fact that some
//! execution breaks is mostly broken by data that is there already. What is
//! true of all states at a location goes into its pool. Tests suggest, the
//! solver selects: a candidate is used where the solver needs it
//! ([`crate::refine::pool`]) or where it is inductive
//! ([`crate::invariants::houdini`]), and a wrong one is found out by the next test.

use crate::core::Core;
use crate::forest::NodeId;
use crate::invariants::entry_guards;
use crate::invariants::pools::Pool;
use crate::invariants::templates::{self, Column, Numbers};
use crate::refine::facts;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::symbolic::env::StateEnv;
use attest_exec::symbolic::memory::{BASE, SIZES};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Loc, LocKind};
use attest_term::{Op, Program as Compiled, Scratch, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Facts that hold of every state at a location that a test has reached.
pub(crate) fn candidates_at(core: &mut Core<'_>, task: &mut Task, loc: Loc) -> Vec<Term> {
    let states = samples_at(core, task, loc).len();
    let known = task.pools.pools.get(&loc).map_or(0, |p| p.guessed_from);
    if states > known * 2 {
        guess(core, task, loc);
    }
    let Some(pool) = task.pools.pools.get(&loc) else {
        return Vec::new();
    };
    let new = &samples_at(core, task, loc)[pool.seen..];
    let count = new.len();
    let refuted = which_hold(core, task, new, &pool.compiled).contains(&false);
    if refuted {
        // A weaker fact may hold where a stronger one stood in its way.
        guess(core, task, loc);
    }
    let Some(pool) = task.pools.pools.get_mut(&loc) else {
        return Vec::new();
    };
    if !refuted {
        pool.seen += count;
    }
    pool.facts.clone()
}

/// Which of the facts hold of all these states; of a state where the program had ended,
/// none does.
pub(crate) fn which_hold(
    core: &Core<'_>,
    task: &Task,
    nodes: &[NodeId],
    facts: &Compiled,
) -> Vec<bool> {
    let look = core.view(task);
    let states: Vec<StateEnv<'_>> = nodes.iter().map_while(|node| look.at(*node)).collect();
    match states.len() == nodes.len() {
        true => facts.all_true(&states, &mut Scratch::default()),
        false => vec![false; facts.roots()],
    }
}

/// Those of the facts that hold of all these states. Facts share most of what they are
/// made of, so they are evaluated together; most are refuted by the first states.
fn holding(core: &Core<'_>, task: &Task, nodes: &[NodeId], mut facts: Vec<Term>) -> Vec<Term> {
    let mut rest = nodes;
    let mut many = core.options.tuning.invariants.first_states;
    let mut compiled = Compiled::compile_all(&core.terms, &facts);
    while !rest.is_empty() && !facts.is_empty() {
        let (these, later) = rest.split_at(many.min(rest.len()));
        let holds = which_hold(core, task, these, &compiled);
        if holds.contains(&false) {
            let mut holds = holds.into_iter();
            facts.retain(|_| holds.next() == Some(true));
            compiled = Compiled::compile_all(&core.terms, &facts);
        }
        (rest, many) = (later, many * 8);
    }
    facts
}

/// The states that candidates are guessed from: where a procedure loops, those of all
/// its calls, since an invariant is one of all of them.
fn samples_at<'a>(core: &'a Core<'_>, task: &'a Task, loc: Loc) -> &'a [NodeId] {
    match core.graph.location(loc).kind {
        LocKind::LoopHead => core.forest.at(loc),
        _ => core.nodes_at(task, loc),
    }
}

/// Makes the pool of a location anew.
fn guess(core: &mut Core<'_>, task: &mut Task, loc: Loc) {
    let nodes = samples_at(core, task, loc).to_vec();
    let facts = guessed(core, task, loc, &nodes);
    let pool = Pool {
        compiled: Compiled::compile_all(&core.terms, &facts),
        facts,
        seen: nodes.len(),
        guessed_from: nodes.len(),
    };
    task.pools.pools.insert(loc, pool);
}

/// Facts that hold of all these states of a location.
pub(crate) fn guessed(
    core: &mut Core<'_>,
    task: &mut Task,
    loc: Loc,
    nodes: &[NodeId],
) -> Vec<Term> {
    let numbers = numbers(core, task);
    let variables = variables_at(core, task, loc);
    let most = core.options.tuning.invariants.states;
    let rows: Vec<NodeId> = match nodes.len() {
        n if n <= most => nodes.to_vec(),
        n => (0..most).map(|i| nodes[i * n / most]).collect(),
    };
    let mut columns = columns(core, task, &variables, &rows);
    if let Some(varying) = task.pools.varying.get(&loc) {
        for column in &mut columns {
            column.varies = varying.contains(&column.term);
        }
    }
    let templates = core.options.strategy.templates;
    let options = core.options.clone();
    let uses = |technique| options.uses(technique);
    let mut made: Vec<(Term, Technique)> = Vec::new();
    let (mut guards, mut disjunctions) = guards_at(core, task, loc);
    if !uses(Technique::Guards) {
        guards.clear();
        disjunctions.clear();
    }
    made.extend(guards.into_iter().map(|fact| (fact, Technique::Guards)));
    if uses(Technique::EntryGuards) {
        let entered = entry_guards::entry_conditions(core, task, loc).into_iter();
        made.extend(entered.map(|fact| (fact, Technique::EntryGuards)));
    }
    let found = templates::facts_of(
        &mut core.terms,
        &columns,
        &numbers,
        templates,
        &core.options.tuning.templates,
        &uses,
    );
    made.extend(found);
    made.extend(
        disjunctions
            .into_iter()
            .map(|fact| (fact, Technique::Guards)),
    );
    for (fact, technique) in &made {
        task.pools.makers.entry(*fact).or_insert(*technique);
    }
    let mut facts: Vec<Term> = made.into_iter().map(|(fact, _)| fact).collect();
    drop_addresses(core, task, &mut facts, &rows);
    let mut seen = FxHashSet::default();
    facts.retain(|fact| core.terms.bool_const(*fact).is_none() && seen.insert(*fact));
    let mut facts = holding(core, task, nodes, facts);
    facts.truncate(core.options.tuning.invariants.candidates);
    facts
}

/// Drops facts that read stored pointers as data: such values are a matter of the
/// run's layout.
fn drop_addresses(core: &mut Core<'_>, task: &Task, facts: &mut Vec<Term>, rows: &[NodeId]) {
    let mut addresses: FxHashSet<Term> = FxHashSet::default();
    for read in core.terms.reads(facts) {
        if rows
            .iter()
            .any(|row| facts::reads_an_address(core, task, *row, read))
        {
            addresses.insert(read);
        }
    }
    if !addresses.is_empty() {
        facts.retain(|fact| {
            let mut reads = core.terms.reads(&[*fact]).into_iter();
            !reads.any(|read| addresses.contains(&read))
        });
    }
}

/// What the state at a location consists of, as far as numbers go.
pub(crate) fn variables_at(core: &mut Core<'_>, task: &Task, loc: Loc) -> Vec<Term> {
    let mut variables = Vec::new();
    let live = core.graph.location(loc).live.clone();
    let regs = live.iter().map(|reg| task.names.vocabulary.reg(*reg));
    let globals = (0..core.program.globals.len() as u32)
        .map(|g| task.names.vocabulary.global(attest_model::GlobalReg(g)));
    for value in regs.chain(globals) {
        match value {
            SymVal::Bits(term) => variables.push(term),
            SymVal::Ptr(p) => variables.extend([p.object, p.offset]),
            SymVal::Float(_) => {}
        }
    }
    let conditions = conditions_at(core, task, loc);
    let mut mentioned: FxHashSet<Term> = FxHashSet::default();
    for term in core.terms.reachable(&conditions) {
        mentioned.insert(term);
        // Sizes are read as data is.
        let data = match core.terms.op(term) {
            Op::Read { version: SIZES, .. } => core.options.uses(Technique::Sizes),
            op => matches!(op, Op::Read { .. }),
        };
        if data && core.is_of_state(task, term) {
            variables.push(term);
        }
    }
    if core.options.uses(Technique::Sizes) {
        let sizes = sizes_at(core, task, loc);
        // A text ends at the end of its object at the latest.
        if task.pools.numbers.as_ref().is_some_and(|n| n.of_texts) {
            let ends = sizes.iter().map(|size| last_byte(core, *size));
            variables.extend(ends.collect::<Vec<_>>());
        }
        variables.extend(sizes);
    }
    // What the next steps look at comes first.
    variables.sort_by_key(|v| !mentioned.contains(v));
    variables.retain(|v| match core.terms.sort(*v) {
        Sort::BitVec(width) => width <= 64,
        _ => false,
    });
    variables.dedup();
    variables.truncate(core.options.tuning.invariants.variables);
    variables
}

/// The conditions of the steps from a location.
pub(crate) fn conditions_at(core: &mut Core<'_>, task: &Task, loc: Loc) -> Vec<Term> {
    let transitions = core.transitions(task, loc);
    let conditions = transitions.iter().flat_map(|t| t.condition());
    conditions.copied().collect()
}

/// The sizes of objects that the state points to: later steps may need them.
fn sizes_at(core: &mut Core<'_>, task: &Task, loc: Loc) -> Vec<Term> {
    let bits = core.program.pointer_bits;
    let start = core.terms.bv_u128(bits, 0);
    let live = core.graph.location(loc).live.iter();
    let objects: Vec<Term> = live
        .filter_map(|reg| match task.names.vocabulary.reg(*reg) {
            SymVal::Ptr(p) => Some(p.object),
            _ => None,
        })
        .take(core.options.tuning.invariants.sizes)
        .collect();
    let mut size = |object| core.terms.read(SIZES, object, start, bits / 8);
    objects.into_iter().map(&mut size).collect()
}

/// The last byte of the object that has this size.
fn last_byte(core: &mut Core<'_>, size: Term) -> Term {
    let object = core.terms.arg(size, 0);
    let one = core.terms.bv_u128(core.program.pointer_bits, 1);
    let last = core.terms.sub(size, one);
    core.terms.read(BASE, object, last, 1)
}

/// The values of variables in states.
fn columns(core: &mut Core<'_>, task: &Task, variables: &[Term], rows: &[NodeId]) -> Vec<Column> {
    let program = Compiled::compile_all(&core.terms, variables);
    let mut columns: Vec<Column> = variables
        .iter()
        .map(|term| Column {
            term: *term,
            width: core.terms.width(*term),
            is_object: task.names.object_parts.contains(term),
            varies: false,
            values: Vec::with_capacity(rows.len()),
        })
        .collect();
    let look = core.view(task);
    let mut scratch = Scratch::default();
    for row in rows {
        let Some(env) = look.at(*row) else {
            continue;
        };
        program.run(&env, &mut scratch);
        for (i, column) in columns.iter_mut().enumerate() {
            let value = program.root(i, &scratch);
            let number = value.as_bv().and_then(|bv| bv.to_i128());
            column.values.push(number.unwrap_or(0));
        }
    }
    columns
}

/// Conditions of the steps from a location that are about its state, and disjunctions
/// of two of them.
fn guards_at(core: &mut Core<'_>, task: &Task, loc: Loc) -> (Vec<Term>, Vec<Term>) {
    let mut conditions = conditions_at(core, task, loc);
    for region in task.regions.at(loc) {
        conditions.extend(&task.regions.region(*region).predicate);
    }
    let mut atoms = Vec::new();
    for term in core.terms.reachable(&conditions) {
        let is_atom = matches!(
            core.terms.op(term),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle
        );
        if is_atom && core.terms.dag_size(&[term]) < 30 && core.is_of_state(task, term) {
            atoms.push(term);
        }
    }
    atoms.truncate(24);
    let mut guards = Vec::new();
    for atom in &atoms {
        guards.push(*atom);
        guards.push(core.terms.not(*atom));
    }
    let mut disjunctions = Vec::new();
    for (i, a) in guards.iter().enumerate() {
        for b in &guards[i + 1..] {
            disjunctions.push(core.terms.any(&[*a, *b]));
        }
    }
    (guards, disjunctions)
}

/// Whether an equation is one of a byte of memory and zero, whatever its width became.
fn compares_byte_with_zero(terms: &Terms, equation: Term) -> bool {
    let [a, b] = [0, 1].map(|i| terms.arg(equation, i));
    let is_zero = |t: Term| terms.bv_const(t).is_some_and(|bv| bv.to_u128() == Some(0));
    let is_byte = |mut t: Term| {
        while matches!(terms.op(t), Op::ZeroExt { .. } | Op::SignExt { .. }) {
            t = terms.arg(t, 0);
        }
        matches!(terms.op(t), Op::Read { bytes: 1, .. })
    };
    is_zero(a) && is_byte(b) || is_zero(b) && is_byte(a)
}

/// The numbers that the program compares with and multiplies with.
pub(crate) fn numbers(core: &mut Core<'_>, task: &mut Task) -> Numbers {
    if let Some(known) = &task.pools.numbers {
        return known.clone();
    }
    let mut found: FxHashMap<u32, Vec<i128>> = FxHashMap::default();
    let mut factors = vec![2];
    let mut of_texts = false;
    let mut compared = Vec::new();
    let locations = 0..core.graph.locations.len() as u32;
    for loc in locations.map(Loc) {
        if core.graph.location(loc).function != Some(task.function) {
            continue;
        }
        let mut about = Vec::new();
        for transition in core.transitions(task, loc).iter() {
            about.extend(transition.condition());
            about.extend(transition.regs.iter().filter_map(|value| match value {
                SymVal::Bits(term) => Some(*term),
                _ => None,
            }));
        }
        for term in core.terms.reachable(&about) {
            let op = core.terms.op(term);
            let compares = matches!(op, Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle);
            of_texts |= op == Op::Eq && compares_byte_with_zero(&core.terms, term);
            if !compares && op != Op::Mul {
                continue;
            }
            for arg in core.terms.args(term) {
                let Some(value) = core.terms.bv_const(*arg) else {
                    continue;
                };
                let Some(number) = value.to_i128() else {
                    continue;
                };
                if compares {
                    let list = found.entry(value.width()).or_default();
                    list.extend([number - 1, number, number + 1]);
                    compared.push(number);
                } else {
                    factors.push(number.abs());
                }
            }
        }
    }
    for list in found.values_mut() {
        list.extend([-1, 0, 1]);
        list.sort_unstable();
        list.dedup();
    }
    factors.extend(compared.into_iter().map(i128::abs));
    factors.retain(|k| (2..=1 << 16).contains(k));
    let mut seen = FxHashSet::default();
    factors.retain(|k| seen.insert(*k));
    factors.truncate(core.options.tuning.invariants.factors);
    let numbers = Numbers {
        constants: found,
        factors,
        of_texts,
    };
    task.pools.numbers = Some(numbers.clone());
    numbers
}
