//! The activations of functions: blocks, loops, calls.

use super::join::join;
use super::questions::Questions;
use crate::encode::{Encoder, Flow, Next, Unsupported};
use crate::state::Value;
use crate::step::{Step, end_block};
use attest_model::liveness::Liveness;
use attest_model::wto::{Component, Element, weak_topological_order};
use attest_model::*;
use attest_proof::Unwinding;
use attest_solver::Answer;
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

/// How often the caller's flag is looked at, in instructions.
const LOOK: u64 = 64;
/// Terms that are made at most: some gigabytes.
const MOST_TERMS: usize = 40_000_000;

/// Why an unwinding stops before all paths have ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// More instructions than claimed.
    Instructions,
    /// A loop has more iterations than claimed.
    Iterations(String),
    /// Calls are nested deeper than claimed.
    Depth(String),
    /// The encoding is too large.
    Size,
    /// A path still waits at a block where the function's order has ended.
    Order,
    /// The limit of effort is reached.
    Effort,
    /// The caller wants no more.
    Interrupted,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Instructions => f.write_str("the program takes more instructions than claimed"),
            Cause::Iterations(place) => {
                write!(f, "the loop at {place} has more iterations than claimed")
            }
            Cause::Depth(name) => write!(f, "calls of {name} are nested deeper than claimed"),
            Cause::Size => f.write_str("the executions are too large to be encoded"),
            Cause::Order => f.write_str("the order of the blocks leaves a path out"),
            Cause::Effort => f.write_str("effort limit"),
            Cause::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// What is known of a function's code.
struct Code {
    order: Vec<Element>,
    live: Liveness,
}

/// A function at work.
struct Activation {
    function: FnId,
    code: Rc<Code>,
    /// Paths that wait at the start of a block.
    waiting: FxHashMap<BlockId, Vec<Flow>>,
    returns: Vec<(Flow, Vec<Value>)>,
    /// Objects that end with it.
    stack: Vec<Term>,
    varargs: Vec<(Value, Sort)>,
}

/// An unwinding under way.
pub struct Unwinder<'a, 's> {
    pub encoder: Encoder<'a>,
    pub questions: Questions<'s>,
    claim: &'a Unwinding,
    codes: FxHashMap<FnId, Rc<Code>>,
    /// The number of activations of each function.
    active: FxHashMap<FnId, u32>,
    /// The number of executed instructions.
    pub instructions: u64,
    /// The conditions under which the program ends.
    pub ends: Vec<Term>,
}

impl<'a, 's> Unwinder<'a, 's> {
    /// Nothing was executed.
    pub fn new(encoder: Encoder<'a>, questions: Questions<'s>, claim: &'a Unwinding) -> Self {
        Unwinder {
            encoder,
            questions,
            claim,
            codes: FxHashMap::default(),
            active: FxHashMap::default(),
            instructions: 0,
            ends: Vec::new(),
        }
    }

    /// Whether the facts can hold together.
    pub fn ask(&mut self, facts: &[Term]) -> Answer {
        let encoder = &self.encoder;
        (self.questions).ask(encoder.terms, &encoder.definitions, facts)
    }

    /// Executes the program.
    pub fn entry(&mut self, flow: Flow, args: Vec<Value>) -> Result<(), Cause> {
        let entry = self.encoder.program.entry;
        if let Some((flow, _)) = self.call(entry, flow, args, Vec::new())? {
            self.ends.push(flow.path);
        }
        Ok(())
    }

    fn code(&mut self, id: FnId) -> Rc<Code> {
        let function = self.encoder.program.function(id);
        let make = || {
            Rc::new(Code {
                order: weak_topological_order(function),
                live: Liveness::of(function),
            })
        };
        self.codes.entry(id).or_insert_with(make).clone()
    }

    /// Executes a call on all paths that are in this one; where it returns, the results.
    fn call(
        &mut self,
        id: FnId,
        mut flow: Flow,
        args: Vec<Value>,
        varargs: Vec<(Value, Sort)>,
    ) -> Result<Option<(Flow, Vec<Value>)>, Cause> {
        let program = self.encoder.program;
        let function = program.function(id);
        let depth = self.active.get(&id).copied().unwrap_or(0);
        if depth > 0 && self.is_impossible(flow.path) {
            return Ok(None);
        }
        if depth >= self.claim.depth {
            return Err(Cause::Depth(function.name.to_string()));
        }
        let caller = self.encoder.function;
        let before = (flow.path, self.encoder.losses());
        let zeros = function.regs[args.len()..].iter();
        let zeros: Vec<Value> = zeros
            .map(|info| {
                let zero = Constant::zero(info.sort);
                Value::constant(self.encoder.terms, zero, program.pointer_bits)
            })
            .collect();
        let regs = args.into_iter().chain(zeros).collect();
        let callers = std::mem::replace(&mut flow.state.regs, regs);
        let code = self.code(id);
        let mut activation = Activation {
            function: id,
            code: code.clone(),
            waiting: FxHashMap::default(),
            returns: Vec::new(),
            stack: Vec::new(),
            varargs,
        };
        activation.waiting.insert(BlockId(0), vec![flow]);
        self.active.insert(id, depth + 1);
        self.encoder.function = id;
        self.elements(&mut activation, &code.order)?;
        if activation.waiting.values().any(|flows| !flows.is_empty()) {
            return Err(Cause::Order);
        }
        self.active.insert(id, depth);
        self.encoder.function = caller;
        Ok(self.leave(activation, callers, before))
    }

    /// Brings the returns of an activation together, in the caller's state.
    fn leave(
        &mut self,
        activation: Activation,
        regs: Vec<Value>,
        (path, losses): (Term, u64),
    ) -> Option<(Flow, Vec<Value>)> {
        let encoder = &mut self.encoder;
        let results = activation.returns.first().map_or(0, |(_, v)| v.len());
        let live: Vec<Reg> = (0..results as u32).map(Reg).collect();
        // The results are the registers that are read after a return.
        let flows = activation.returns.into_iter().map(|(mut flow, values)| {
            flow.state.regs = values;
            flow
        });
        let mut flow = join(encoder, flows.collect(), &live)?;
        if encoder.losses() == losses {
            // Every path that was there before is there again.
            flow.path = path;
        }
        for object in activation.stack {
            let always = encoder.terms.bool(true);
            flow.memory = (encoder.memories).end(encoder.terms, flow.memory, object, always);
        }
        let values = std::mem::replace(&mut flow.state.regs, regs);
        Some((flow, values))
    }

    /// Whether no execution takes a path.
    fn is_impossible(&mut self, path: Term) -> bool {
        match self.encoder.terms.bool_const(path) {
            Some(possible) => !possible,
            None => self.ask(&[path]).is_unsat(),
        }
    }

    fn elements(&mut self, at: &mut Activation, order: &[Element]) -> Result<(), Cause> {
        for element in order {
            match element {
                Element::Block(block) => self.block(at, *block)?,
                Element::Loop(component) => self.component(at, component)?,
            }
        }
        Ok(())
    }

    /// Executes the blocks of a loop as long as paths wait in it.
    fn component(&mut self, at: &mut Activation, component: &Component) -> Result<(), Cause> {
        if let Some(flow) = self.take(at, component.head) {
            at.waiting.insert(component.head, vec![flow]);
        }
        let before = self.paths_into(at, component);
        let losses = self.encoder.losses();
        let outside: FxHashMap<BlockId, usize> = (at.waiting.iter())
            .map(|(block, flows)| (*block, flows.len()))
            .collect();
        let returns = at.returns.len();
        let mut open = 0;
        let mut is_first = true;
        loop {
            let waits = |block: &BlockId| at.waiting.contains_key(block);
            if !component.blocks.iter().any(waits) {
                break;
            }
            if !is_first && let Some(flow) = self.take(at, component.head) {
                let is_open = self.encoder.terms.bool_const(flow.path).is_none();
                if self.is_impossible(flow.path) {
                    continue;
                }
                open += u64::from(is_open);
                if open > self.claim.iterations {
                    let function = self.encoder.program.function(at.function);
                    let place = function.block(component.head).end_place;
                    let place = self.encoder.program.place(place).to_string();
                    return Err(Cause::Iterations(place));
                }
                at.waiting.insert(component.head, vec![flow]);
            }
            is_first = false;
            self.block(at, component.head)?;
            self.elements(at, &component.body)?;
        }
        if let Some(path) = before
            && self.encoder.losses() == losses
            && at.returns.len() == returns
        {
            self.restore(at, component, path, &outside);
        }
        Ok(())
    }

    /// The path into a loop, if there is one.
    fn paths_into(&self, at: &Activation, component: &Component) -> Option<Term> {
        let mut flows = (component.blocks.iter())
            .filter_map(|block| at.waiting.get(block))
            .flatten();
        match (flows.next(), flows.next()) {
            (Some(flow), None) => Some(flow.path),
            _ => None,
        }
    }

    /// Where all paths out of a loop lead to one block, they are together the path into it.
    fn restore(
        &mut self,
        at: &mut Activation,
        component: &Component,
        path: Term,
        outside: &FxHashMap<BlockId, usize>,
    ) {
        let grown = |(block, flows): &(&BlockId, &Vec<Flow>)| {
            let before = match component.blocks.binary_search(block) {
                Ok(_) => 0,
                Err(_) => outside.get(block).copied().unwrap_or(0),
            };
            flows.len() > before
        };
        let mut exits = at.waiting.iter().filter(grown).map(|(block, _)| *block);
        let (Some(exit), None) = (exits.next(), exits.next()) else {
            return;
        };
        let from = outside.get(&exit).copied().unwrap_or(0);
        let Some(flows) = at.waiting.get_mut(&exit) else {
            return;
        };
        let left = flows.split_off(from);
        let live = at.code.live.live_in(exit);
        if let Some(mut flow) = join(&mut self.encoder, left, live) {
            flow.path = path;
            flows.push(flow);
        }
    }

    /// The paths that wait at a block, together.
    fn take(&mut self, at: &mut Activation, block: BlockId) -> Option<Flow> {
        let flows = at.waiting.remove(&block)?;
        join(&mut self.encoder, flows, at.code.live.live_in(block))
    }

    /// Executes a block on the paths that wait there.
    fn block(&mut self, at: &mut Activation, id: BlockId) -> Result<(), Cause> {
        let Some(mut flow) = self.take(at, id) else {
            return Ok(());
        };
        let program = self.encoder.program;
        let block = program.function(at.function).block(id);
        for (index, inst) in block.insts.iter().enumerate() {
            self.count()?;
            self.encoder.place = block.places[index];
            self.encoder.position = Position {
                block: id,
                index: index as u32,
            };
            match self.inst(at, flow, inst)? {
                Some(next) => flow = next,
                None => return Ok(()),
            }
        }
        self.count()?;
        self.encoder.place = block.end_place;
        let before = flow.path;
        let mut step = Step::default();
        let mut jumps = end_block(&mut self.encoder, &block.end, flow, &mut step);
        self.note_lost(before);
        if matches!(
            block.end,
            Terminator::Halt(..) | Terminator::Error(_) | Terminator::Bail(_)
        ) {
            self.lose();
        }
        self.ends.extend(step.ends);
        at.returns.extend(step.returns);
        // Each path has its own memory from here on.
        for (_, flow) in jumps.iter_mut().skip(1) {
            flow.memory = self.encoder.memories.fork(flow.memory);
        }
        for (target, flow) in jumps {
            at.waiting.entry(target).or_default().push(flow);
        }
        Ok(())
    }

    /// Executes an instruction; where it goes on, the state after it.
    fn inst(
        &mut self,
        at: &mut Activation,
        mut flow: Flow,
        inst: &Inst,
    ) -> Result<Option<Flow>, Cause> {
        match inst {
            Inst::Call(call) => return self.call_inst(flow, call),
            Inst::VaStart { list, args: None } => {
                let place = self.encoder.operand(&flow, *list).ptr();
                let before = flow.path;
                self.makes(false);
                let varargs = std::mem::take(&mut at.varargs);
                let list = (*list, place);
                let area = self.encoder.start_varargs(&mut flow, list, &varargs);
                at.varargs = varargs;
                at.stack.push(area.object);
                self.makes(true);
                self.note_lost(before);
                return Ok(Some(flow));
            }
            Inst::Alloc { storage, .. } => self.makes(*storage == Storage::Heap),
            Inst::Realloc { .. } => self.makes(true),
            _ => {}
        }
        let before = flow.path;
        let next = self.encoder.inst(&mut flow, inst);
        self.note_lost(before);
        if let Inst::Alloc {
            storage: Storage::Stack,
            dst,
            ..
        } = inst
        {
            at.stack.push(flow.state.regs[dst.0 as usize].ptr().object);
        }
        self.makes(true);
        match next {
            Next::Continue => Ok(Some(flow)),
            Next::Stop => {
                self.lose();
                Ok(None)
            }
        }
    }

    fn call_inst(&mut self, flow: Flow, call: &Call) -> Result<Option<Flow>, Cause> {
        let args = call.args.iter();
        let args = args.map(|a| self.encoder.operand(&flow, *a)).collect();
        let varargs = call.varargs.iter();
        let varargs = varargs
            .map(|(a, sort)| (self.encoder.operand(&flow, *a), *sort))
            .collect();
        let returned = self.call(call.callee, flow, args, varargs)?;
        Ok(returned.map(|(mut flow, values)| {
            for (dst, value) in call.results.iter().zip(values) {
                flow.state.regs[dst.0 as usize] = value;
            }
            flow
        }))
    }

    /// Where the next object is.
    fn makes(&mut self, heap: bool) {
        if let Some(run) = &mut self.encoder.run {
            run.heap = heap;
        }
    }

    /// Some path has ended.
    fn lose(&mut self) {
        if let Some(run) = &mut self.encoder.run {
            run.losses += 1;
        }
    }

    /// If an access was to a place that may be anywhere, nothing is known on its paths.
    fn note_lost(&mut self, path: Term) {
        let whole = self.encoder.memories.whole.as_mut();
        if whole.is_some_and(|whole| std::mem::take(&mut whole.lost)) {
            let place = self.encoder.place;
            self.encoder.unsupported.push(Unsupported {
                what: "an access through a pointer to objects that are not known",
                cond: path,
                place,
            });
        }
    }

    fn count(&mut self) -> Result<(), Cause> {
        self.instructions += 1;
        if self.instructions > self.claim.instructions {
            return Err(Cause::Instructions);
        }
        if self.instructions.is_multiple_of(LOOK) {
            if self.questions.is_interrupted() {
                return Err(Cause::Interrupted);
            }
            if self.encoder.terms.len() > MOST_TERMS {
                return Err(Cause::Size);
            }
            if self.questions.left(self.encoder.terms) == Some(Duration::ZERO) {
                return Err(Cause::Effort);
            }
        }
        Ok(())
    }
}
