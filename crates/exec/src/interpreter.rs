//! The interpreter: runs a program of the model in the concrete domain.
//!
//! It implements control flow and activations; [`crate::semantics`] has the meaning of
//! instructions. An [`Observer`] sees the run at cut points and, on request, at instructions; a run
//! without an observer pays nothing for this.

use crate::concrete::machine::Machine;
use crate::concrete::memory::Memory;
use crate::concrete::value::Val;
use crate::domain::{Overflow, Stop};
use crate::inputs::{Feed, InputValue, Inputs};
use crate::semantics::{operand, step};
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions.
    pub steps: u64,
    /// Bytes of live objects.
    pub memory: u64,
    /// Activations on the stack.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            memory: 1 << 30,
            depth: 100_000,
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned, with its value if it has one.
    Returned(Option<i64>),
    /// `exit` with this status.
    Exited(i64),
    /// `abort`.
    Aborted,
    /// A call of this function violated the property.
    Error(Arc<str>),
    /// Undefined behaviour or an unsupported construct.
    Bailed(Bail),
    /// An assumption failed.
    AssumeFailed,
    /// The step limit was reached.
    StepLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// Too many activations.
    DepthLimit,
    /// The observer asked to stop.
    Stopped,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FnId,
    /// The block.
    pub block: BlockId,
    /// The index of the next instruction; for a caller, the call itself.
    pub index: usize,
    /// Registers.
    pub regs: Vec<Val>,
    varargs: Vec<(Val, Sort)>,
    stack_objects: Vec<ObjectId>,
}

impl Frame {
    /// The variable arguments of an activation that has called another one.
    pub(crate) fn varargs(&self) -> &[(Val, Sort)] {
        &self.varargs
    }

    /// A fresh activation.
    pub(crate) fn new(program: &Program, function: FnId) -> Frame {
        Frame {
            function,
            block: BlockId(0),
            index: 0,
            regs: vec![Val::default(); program.function(function).regs.len()],
            varargs: Vec::new(),
            stack_objects: Vec::new(),
        }
    }
}

/// Activations below the current one, shared between snapshots.
#[derive(Clone, Debug)]
pub struct Caller {
    frame: Frame,
    below: Option<Arc<Caller>>,
    depth: u32,
}

impl Caller {
    /// Hashes this activation; returns the one below.
    pub(crate) fn hash_frame(&self, state: &mut impl Hasher) -> Option<&Caller> {
        let frame = &self.frame;
        (frame.function, frame.block, frame.index, &frame.regs).hash(state);
        self.below.as_deref()
    }
}

impl Drop for Caller {
    /// Iterative: the stack of activations may be deeper than the machine stack allows.
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut caller) = below.and_then(Arc::into_inner) {
            below = caller.below.take();
        }
    }
}

/// Whether a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// It continues.
    On,
    /// It stops.
    Stop,
}

/// An observer of a run. The constants say which calls it needs; the compiler removes the others.
pub trait Observer {
    /// Whether [`Observer::cut`] is called.
    const CUTS: bool = false;
    /// Whether [`Observer::executed`] and [`Observer::ended_block`] are called.
    const STEPS: bool = false;

    /// The run is at a cut point.
    fn cut(&mut self, _run: &mut Interpreter<'_>, _at: Loc) -> Go {
        Go::On
    }

    /// An instruction was executed.
    fn executed(&mut self, _run: &Interpreter<'_>, _inst: &Inst, _place: PlaceId) {}

    /// A block ended.
    fn ended_block(&mut self, _run: &mut Interpreter<'_>, _end: &Terminator, _place: PlaceId) {}
}

/// An observer that ignores everything.
pub struct Nobody;

impl Observer for Nobody {}

/// Cut points by function and block, for lookup during a run.
#[derive(Clone, Debug, Default)]
pub struct CutTable(Vec<Vec<Vec<(u32, Loc)>>>);

impl CutTable {
    /// The cut points of a graph.
    pub fn of(program: &Program, graph: &Graph) -> CutTable {
        let mut table = Vec::with_capacity(graph.functions.len());
        for (function, graph) in program.functions.iter().zip(&graph.functions) {
            let mut blocks = vec![Vec::new(); function.blocks.len()];
            for (position, loc) in &graph.cuts {
                blocks[position.block.0 as usize].push((position.index, *loc));
            }
            table.push(blocks);
        }
        CutTable(table)
    }

    fn at(&self, function: FnId, block: BlockId, index: usize) -> Option<Loc> {
        let cuts = &self.0[function.0 as usize][block.0 as usize];
        let at = cuts
            .binary_search_by_key(&index, |(i, _)| *i as usize)
            .ok()?;
        Some(cuts[at].1)
    }
}

/// A run of a program.
#[derive(Clone, Debug)]
pub struct Interpreter<'p> {
    /// The program.
    pub program: &'p Program,
    /// Values and memory.
    pub machine: Machine,
    /// The current activation.
    pub frame: Frame,
    pub(crate) callers: Option<Arc<Caller>>,
    /// Instructions executed so far.
    pub steps: u64,
    limits: Limits,
    scratch: Vec<Val>,
    shared_globals: Option<Arc<[Val]>>,
}

impl<'p> Interpreter<'p> {
    /// A run before its first instruction.
    pub fn new(
        program: &'p Program,
        inputs: Arc<Inputs>,
        overflow: Overflow,
        limits: Limits,
    ) -> Interpreter<'p> {
        let memory = Memory::new(program, inputs.unknown.clone());
        let machine = Machine::new(program, memory, Feed::new(inputs), overflow, limits.memory);
        let mut run = Interpreter {
            program,
            machine,
            frame: Frame::new(program, program.entry),
            callers: None,
            steps: 0,
            limits,
            scratch: Vec::new(),
            shared_globals: None,
        };
        run.pass_main_arguments();
        run
    }

    /// Passes one argument to `main(argc, argv)`: the program's name.
    fn pass_main_arguments(&mut self) {
        let function = self.program.function(self.program.entry);
        let bits = self.program.pointer_bits;
        let pointer = u64::from(bits / 8);
        for i in 0..function.params as usize {
            let sort = function.regs[i].sort;
            self.frame.regs[i] = match (i, sort) {
                (0, Sort::Int(_)) if &*function.name == "main" => {
                    InputValue::Int(self.machine.feed.argc()).as_val(sort, bits)
                }
                (1, Sort::Ptr) if &*function.name == "main" => {
                    let memory = &mut self.machine.memory;
                    let name = memory.alloc(Storage::Stack, 8, true, None);
                    let list = memory.alloc(Storage::Stack, 2 * pointer, true, None);
                    match (name, list) {
                        (Some(name), Some(list)) => {
                            // Both objects are fresh and large enough, so these writes cannot fail.
                            for (at, byte) in b"program".iter().enumerate() {
                                let _ = memory.store(
                                    Sort::Int(8),
                                    Val::ptr(name, at as u64),
                                    Val::small(u64::from(*byte)),
                                );
                            }
                            let _ = memory.store(Sort::Ptr, Val::ptr(list, 0), Val::ptr(name, 0));
                            Val::ptr(list, 0)
                        }
                        _ => Val::default(),
                    }
                }
                _ => self
                    .machine
                    .take(sort, &InputKind::Nondet(function.regs[i].name.clone())),
            };
        }
    }

    /// Runs to the end without an observer.
    pub fn run(&mut self) -> Outcome {
        self.watch(&mut Nobody, &CutTable::default())
    }

    /// Runs to the end.
    pub fn watch<O: Observer>(&mut self, observer: &mut O, cuts: &CutTable) -> Outcome {
        match self.steps_until_end(observer, cuts) {
            Ok(outcome) => outcome,
            Err(Stop::Bail(bail)) => Outcome::Bailed(bail),
            Err(Stop::Assume) => Outcome::AssumeFailed,
            Err(Stop::Memory) => Outcome::MemoryLimit,
        }
    }

    /// The value of an operand of the current activation.
    pub fn read(&self, a: Operand) -> Val {
        match a {
            Operand::Reg(reg) => self.frame.regs[reg.0 as usize],
            Operand::Const(constant) => Val::of(constant),
        }
    }

    /// The place of the next instruction.
    pub fn place(&self) -> PlaceId {
        let block = self
            .program
            .function(self.frame.function)
            .block(self.frame.block);
        block
            .places
            .get(self.frame.index)
            .copied()
            .unwrap_or(block.end_place)
    }

    /// The current function and block.
    pub fn block(&self) -> (FnId, BlockId) {
        (self.frame.function, self.frame.block)
    }

    /// The activations below the current one, the innermost first.
    pub(crate) fn each_caller(&self, mut each: impl FnMut(&Frame)) {
        let mut at = &self.callers;
        while let Some(caller) = at {
            each(&caller.frame);
            at = &caller.below;
        }
    }

    /// Activations on the stack, the innermost first: function and place.
    pub fn call_stack(&self) -> Vec<(FnId, PlaceId)> {
        let mut out = vec![(self.frame.function, self.place())];
        let mut at = &self.callers;
        while let Some(caller) = at {
            let block = self
                .program
                .function(caller.frame.function)
                .block(caller.frame.block);
            let place = block
                .places
                .get(caller.frame.index)
                .copied()
                .unwrap_or(block.end_place);
            out.push((caller.frame.function, place));
            at = &caller.below;
        }
        out
    }

    /// The number of activations below the current one.
    pub fn depth(&self) -> u32 {
        self.callers.as_ref().map_or(0, |c| c.depth)
    }

    fn steps_until_end<O: Observer>(
        &mut self,
        observer: &mut O,
        cuts: &CutTable,
    ) -> Result<Outcome, Stop> {
        let program = self.program;
        loop {
            let block = program
                .function(self.frame.function)
                .block(self.frame.block);
            while let Some(inst) = block.insts.get(self.frame.index) {
                if O::CUTS
                    && let Some(loc) =
                        cuts.at(self.frame.function, self.frame.block, self.frame.index)
                    && observer.cut(self, loc) == Go::Stop
                {
                    return Ok(Outcome::Stopped);
                }
                if self.steps >= self.limits.steps {
                    return Ok(Outcome::StepLimit);
                }
                self.steps += 1;
                if let Inst::Call(_) = inst {
                    break;
                }
                match inst {
                    Inst::Input { .. } => self.machine.place = block.places[self.frame.index],
                    Inst::Alloc { .. } | Inst::Realloc { .. } if program.heap_count.is_some() => {
                        let here = block.places[self.frame.index];
                        self.machine.allocates_at = Some(self.allocation(here));
                    }
                    _ => {}
                }
                step(&mut self.machine, &mut self.frame.regs, inst)?;
                if O::STEPS {
                    observer.executed(self, inst, block.places[self.frame.index]);
                }
                self.frame.index += 1;
            }
            if let Some(inst @ Inst::Call(call)) = block.insts.get(self.frame.index) {
                if O::STEPS {
                    observer.executed(self, inst, block.places[self.frame.index]);
                }
                if !self.enter(call) {
                    return Ok(Outcome::DepthLimit);
                }
                continue;
            }
            if O::CUTS
                && let Some(loc) = cuts.at(self.frame.function, self.frame.block, self.frame.index)
                && observer.cut(self, loc) == Go::Stop
            {
                return Ok(Outcome::Stopped);
            }
            if O::STEPS {
                observer.ended_block(self, &block.end, block.end_place);
            }
            if self.steps >= self.limits.steps {
                return Ok(Outcome::StepLimit);
            }
            self.steps += 1;
            if let Some(outcome) = self.end_block(&block.end) {
                return Ok(outcome);
            }
        }
    }

    #[inline(always)]
    fn value(&mut self, a: Operand) -> Val {
        operand(&mut self.machine, &self.frame.regs, a)
    }

    /// Executes a terminator; an outcome if the run ends there.
    #[inline(always)]
    fn end_block(&mut self, end: &'p Terminator) -> Option<Outcome> {
        let target = match end {
            Terminator::Goto(target) => target,
            Terminator::Branch { cond, then, other } => {
                if self.value(*cond).is_true() {
                    then
                } else {
                    other
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let value = self.value(*value).int();
                cases
                    .iter()
                    .find(|(case, _)| *case == value)
                    .map_or(default, |(_, target)| target)
            }
            Terminator::PtrSwitch {
                ptr,
                cases,
                default,
            } => {
                let p = self.value(*ptr);
                let case = cases
                    .iter()
                    .find(|(object, offset, _)| p == Val::ptr(*object, *offset));
                case.map_or(default, |(_, _, target)| target)
            }
            Terminator::Return(values) => return self.leave(values),
            Terminator::Halt(Halt::Abort, _) => return Some(Outcome::Aborted),
            Terminator::Halt(Halt::Exit | Halt::Immediate, status) => {
                let status = status.map_or(0, |s| self.value(s).lo as u32 as i32);
                return Some(Outcome::Exited(i64::from(status)));
            }
            Terminator::Error(name) => return Some(Outcome::Error(name.clone())),
            Terminator::Bail(bail) => return Some(Outcome::Bailed(bail.clone())),
        };
        self.jump(target);
        None
    }

    #[inline(always)]
    fn jump(&mut self, target: &Target) {
        match target.copies.as_slice() {
            [] => {}
            [(dst, src)] => {
                let value = self.value(*src);
                self.frame.regs[dst.0 as usize] = value;
            }
            many => {
                let mut values = std::mem::take(&mut self.scratch);
                values.clear();
                values.extend(many.iter().map(|(_, src)| self.value(*src)));
                for ((dst, _), value) in many.iter().zip(&values) {
                    self.frame.regs[dst.0 as usize] = *value;
                }
                self.scratch = values;
            }
        }
        self.frame.block = target.block;
        self.frame.index = 0;
    }

    /// Enters a function; false if the stack is full.
    fn enter(&mut self, call: &Call) -> bool {
        let depth = self.depth() + 1;
        if depth > self.limits.depth {
            return false;
        }
        let mut frame = Frame::new(self.program, call.callee);
        for (i, arg) in call.args.iter().enumerate() {
            frame.regs[i] = self.value(*arg);
        }
        let varargs = call
            .varargs
            .iter()
            .map(|(a, sort)| (self.value(*a), *sort))
            .collect();
        let mut caller = std::mem::replace(&mut self.frame, frame);
        caller.varargs = std::mem::replace(&mut self.machine.varargs, varargs);
        caller.stack_objects = std::mem::take(&mut self.machine.stack_objects);
        self.callers = Some(Arc::new(Caller {
            frame: caller,
            below: self.callers.take(),
            depth,
        }));
        true
    }

    /// Returns to the caller; an outcome if there is none.
    fn leave(&mut self, values: &[Operand]) -> Option<Outcome> {
        let mut results = std::mem::take(&mut self.scratch);
        results.clear();
        results.extend(values.iter().map(|a| self.value(*a)));
        for object in std::mem::take(&mut self.machine.stack_objects) {
            self.machine.memory.end(object);
        }
        let Some(caller) = self.callers.take() else {
            let sort = self
                .program
                .function(self.frame.function)
                .results
                .first()
                .copied();
            let status = match (results.first(), sort) {
                (Some(value), Some(Sort::Int(w))) => Some(value.signed(w) as i64),
                _ => None,
            };
            return Some(Outcome::Returned(status));
        };
        let mut caller = Arc::unwrap_or_clone(caller);
        std::mem::swap(&mut self.frame, &mut caller.frame);
        self.callers = caller.below.take();
        self.machine.varargs = std::mem::take(&mut self.frame.varargs);
        self.machine.stack_objects = std::mem::take(&mut self.frame.stack_objects);
        let block = self
            .program
            .function(self.frame.function)
            .block(self.frame.block);
        if let Some(Inst::Call(call)) = block.insts.get(self.frame.index) {
            for (dst, value) in call.results.iter().zip(&results) {
                self.frame.regs[dst.0 as usize] = *value;
            }
        }
        self.frame.index += 1;
        self.scratch = results;
        None
    }

    /// The promoted globals, shared with earlier snapshots until they are written.
    pub(crate) fn share_globals(&mut self) -> Arc<[Val]> {
        match &self.shared_globals {
            Some(shared) if !self.machine.globals_changed => shared.clone(),
            _ => {
                let shared: Arc<[Val]> = self.machine.globals.as_slice().into();
                self.machine.globals_changed = false;
                self.shared_globals = Some(shared.clone());
                shared
            }
        }
    }
}
