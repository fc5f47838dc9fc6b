//! The step behind a cut point: every path to the next locations, as terms.
//!
//! The blocks between cut points are ordered and encoded once each. Where paths join, the condition
//! of the block gets a name with a definition, and different values become choices by the paths'
//! conditions. Paths that end at a location are kept apart. The edges of the graph are not used:
//! the code is what has to be checked.

use crate::encode::{Definition, Encoder, Flow, Next};
use crate::state::Value;
use attest_model::graph::{FunctionGraph, Loc};
use attest_model::*;
use attest_term::{Sort as TermSort, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// A path of the step that ends at a location.
pub struct Arrival {
    /// The location.
    pub at: Loc,
    /// The state there, and the path's condition.
    pub flow: Flow,
}

/// All ends of a step other than the encoder's bails and errors.
#[derive(Default)]
pub struct Step {
    /// Paths to locations.
    pub arrivals: Vec<Arrival>,
    /// Returns, with the results.
    pub returns: Vec<(Flow, Vec<Value>)>,
    /// The conditions under which the program ends normally: `exit`, `abort`.
    pub ends: Vec<Term>,
}

/// The blocks of a step, each after its predecessors.
fn order(
    function: &Function,
    graph: &FunctionGraph,
    from: Position,
) -> Result<Vec<BlockId>, String> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Open,
        Done,
    }
    let mut marks: FxHashMap<BlockId, Mark> = FxHashMap::default();
    let mut done = Vec::new();
    let mut stack = vec![(from.block, inner(function, graph, from, from.block))];
    marks.insert(from.block, Mark::Open);
    while let Some((block, rest)) = stack.last_mut() {
        let Some(next) = rest.pop() else {
            marks.insert(*block, Mark::Done);
            done.push(*block);
            stack.pop();
            continue;
        };
        match marks.get(&next) {
            Some(Mark::Open) => return Err(format!("a loop through block {} is not cut", next.0)),
            Some(Mark::Done) => {}
            None => {
                marks.insert(next, Mark::Open);
                stack.push((next, inner(function, graph, from, next)));
            }
        }
    }
    done.reverse();
    Ok(done)
}

/// The successors of a block inside the step.
fn inner(
    function: &Function,
    graph: &FunctionGraph,
    from: Position,
    block: BlockId,
) -> Vec<BlockId> {
    let mut next = Vec::new();
    let first = if block == from.block {
        from.index + 1
    } else {
        0
    };
    let last = function.block(block).insts.len() as u32;
    if (first..=last).any(|index| graph.cuts.contains_key(&Position { block, index })) {
        return next;
    }
    function.block(block).end.targets(|t| {
        if !graph.cuts.contains_key(&Position::start(t.block)) {
            next.push(t.block);
        }
    });
    next
}

/// Encodes the step from a position.
pub fn step(
    encoder: &mut Encoder<'_>,
    graph: &FunctionGraph,
    from: Position,
    start: Flow,
) -> Result<Step, String> {
    let function = encoder.program.function(encoder.function);
    let mut out = Step::default();
    let mut waiting: FxHashMap<BlockId, Vec<Flow>> = FxHashMap::default();
    waiting.insert(from.block, vec![start]);
    for block in order(function, graph, from)? {
        let Some(flows) = waiting.remove(&block) else {
            continue;
        };
        let flow = join(encoder, flows);
        let first = if block == from.block { from.index } else { 0 };
        let jumps = run_block(encoder, function, graph, (block, first), flow, &mut out);
        for (target, flow) in jumps {
            match graph.cuts.get(&Position::start(target)) {
                Some(&at) => out.arrivals.push(Arrival { at, flow }),
                None => waiting.entry(target).or_default().push(flow),
            }
        }
    }
    Ok(out)
}

/// Encodes a block up to its end or its first cut point; returns the jumps out of it.
fn run_block(
    encoder: &mut Encoder<'_>,
    function: &Function,
    graph: &FunctionGraph,
    (id, first): (BlockId, u32),
    mut flow: Flow,
    out: &mut Step,
) -> Vec<(BlockId, Flow)> {
    let block = function.block(id);
    for index in first..=block.insts.len() as u32 {
        let position = Position { block: id, index };
        if index > first
            && let Some(&at) = graph.cuts.get(&position)
        {
            out.arrivals.push(Arrival { at, flow });
            return Vec::new();
        }
        if let Some(inst) = block.insts.get(index as usize) {
            encoder.place = block.places[index as usize];
            encoder.position = position;
            if encoder.inst(&mut flow, inst) == Next::Stop {
                return Vec::new();
            }
        }
    }
    encoder.place = block.end_place;
    end_block(encoder, &block.end, flow, out)
}

/// Encodes the end of a block; returns the jumps out of it.
pub fn end_block(
    encoder: &mut Encoder<'_>,
    end: &Terminator,
    mut flow: Flow,
    out: &mut Step,
) -> Vec<(BlockId, Flow)> {
    let targets: Vec<(Term, &Target)> = match end {
        Terminator::Goto(target) => vec![(encoder.terms.bool(true), target)],
        Terminator::Branch { cond, then, other } => {
            let bit = encoder.operand(&flow, *cond).one();
            let cond = encoder.terms.bit_to_bool(bit);
            let not = encoder.terms.not(cond);
            vec![(cond, then), (not, other)]
        }
        Terminator::Switch {
            width,
            value,
            cases,
            default,
        } => {
            let value = encoder.operand(&flow, *value).one();
            let tests = cases.iter().map(|(case, target)| {
                let case = encoder.terms.bv_u128(*width, *case);
                (encoder.terms.eq(value, case), target)
            });
            let tests = tests.collect();
            first_of(encoder, tests, default)
        }
        Terminator::PtrSwitch {
            ptr,
            cases,
            default,
        } => {
            let p = encoder.operand(&flow, *ptr).ptr();
            let bits = encoder.program.pointer_bits;
            let tests = cases.iter().map(|(object, offset, target)| {
                let object = encoder.terms.bv_u128(32, object.0.into());
                let offset = encoder.terms.bv_u128(bits, (*offset).into());
                let object = encoder.terms.eq(p.object, object);
                let offset = encoder.terms.eq(p.offset, offset);
                (encoder.terms.all(&[object, offset]), target)
            });
            let tests = tests.collect();
            first_of(encoder, tests, default)
        }
        Terminator::Return(values) => {
            let values = values.iter().map(|a| encoder.operand(&flow, *a)).collect();
            out.returns.push((flow, values));
            return Vec::new();
        }
        Terminator::Halt(..) => {
            out.ends.push(flow.path);
            return Vec::new();
        }
        Terminator::Error(name) => {
            encoder.record(flow.path, None, &format!("a call of {name}"));
            return Vec::new();
        }
        Terminator::Bail(bail) => {
            let always = encoder.terms.bool(true);
            encoder.bail(&mut flow, always, bail.kind, &bail.what);
            return Vec::new();
        }
    };
    let mut jumps = Vec::with_capacity(targets.len());
    for (cond, target) in targets {
        let mut next = flow.clone();
        encoder.branch(&mut next, cond);
        if encoder.terms.bool_const(next.path) == Some(false) {
            continue;
        }
        // All sources are read before any destination is written.
        for (dst, src) in &target.copies {
            next.state.regs[dst.0 as usize] = encoder.operand(&flow, *src);
        }
        jumps.push((target.block, next));
    }
    jumps
}

/// The first matching case, or the default.
fn first_of<'t>(
    encoder: &mut Encoder<'_>,
    tests: Vec<(Term, &'t Target)>,
    default: &'t Target,
) -> Vec<(Term, &'t Target)> {
    let mut none_so_far = encoder.terms.bool(true);
    let mut out = Vec::with_capacity(tests.len() + 1);
    for (test, target) in tests {
        out.push((encoder.terms.all(&[none_so_far, test]), target));
        let not = encoder.terms.not(test);
        none_so_far = encoder.terms.all(&[none_so_far, not]);
    }
    out.push((none_so_far, default));
    out
}

/// Merges flows. Their conditions are mutually exclusive.
fn join(encoder: &mut Encoder<'_>, mut flows: Vec<Flow>) -> Flow {
    if flows.len() == 1 {
        return flows.remove(0);
    }
    let conditions: Vec<Term> = flows.iter().map(|flow| flow.path).collect();
    let any = encoder.terms.any(&conditions);
    let name = encoder
        .terms
        .declare_fresh("at", TermSort::Bool, SymbolKind::Plain);
    let name = encoder.terms.symbol_term(name);
    let equation = encoder.terms.eq(name, any);
    encoder.definitions.push(Definition { name, equation });
    let versions = flows.iter().map(|flow| (flow.path, flow.memory)).collect();
    let memory = encoder.memories.join(versions);
    let mut joined = flows.remove(flows.len() - 1);
    for flow in flows.iter().rev() {
        let choose = |mine: &mut Value, theirs: &Value, encoder: &mut Encoder<'_>| {
            if mine != theirs {
                *mine = theirs.choose(encoder.terms, flow.path, *mine);
            }
        };
        for (mine, theirs) in joined.state.regs.iter_mut().zip(&flow.state.regs) {
            choose(mine, theirs, encoder);
        }
        for (mine, theirs) in joined.state.globals.iter_mut().zip(&flow.state.globals) {
            choose(mine, theirs, encoder);
        }
        let counters = (flow.state.counter, joined.state.counter);
        joined.state.counter = encoder.terms.ite(flow.path, counters.0, counters.1);
    }
    Flow {
        state: joined.state,
        memory,
        path: name,
    }
}
