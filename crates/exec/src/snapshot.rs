//! Snapshots: states at cut points that share their unchanged parts.
//!
//! A snapshot holds the live registers of its activation and handles to the rest: memory is a
//! persistent map of pages, the activations below are a linked stack, and the globals are copied
//! only after a write. So the cost of a snapshot is what changed since the previous one. This is
//! the purpose of YOGI's delta states, without their chains of look-ups (algorithm notes 3.1).

use crate::concrete::memory::Memory;
use crate::concrete::value::Val;
use crate::inputs::Feed;
use crate::interpreter::{Caller, Frame, Interpreter};
use attest_model::graph::{Graph, Loc};
use attest_model::{BlockId, FnId, GlobalReg, ObjectId, Reg, Sort};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A state of a run at a location.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The location.
    pub loc: Loc,
    /// Instructions executed before the state.
    pub steps: u64,
    /// Environment inputs taken before the state.
    pub inputs: usize,
    function: FnId,
    block: BlockId,
    index: usize,
    /// Values of the location's live registers, in its order.
    regs: Box<[Val]>,
    globals: Arc<[Val]>,
    memory: Memory,
    callers: Option<Arc<Caller>>,
    varargs: Arc<[(Val, Sort)]>,
    stack_objects: Arc<[ObjectId]>,
    feed: Feed,
}

impl Snapshot {
    /// The value of a register, if it is live here.
    pub fn reg(&self, graph: &Graph, reg: Reg) -> Option<Val> {
        let at = graph.location(self.loc).live.binary_search(&reg).ok()?;
        self.regs.get(at).copied()
    }

    /// The values of the live registers.
    pub fn regs(&self) -> &[Val] {
        &self.regs
    }

    /// The value of a promoted global.
    pub fn global(&self, global: GlobalReg) -> Val {
        self.globals[global.0 as usize]
    }

    /// The memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A hash of everything that the rest of the run depends on, given the memory at the start
    /// of the run. Different states almost always have different hashes.
    pub fn digest(&self, start: &Memory) -> u64 {
        let mut state = FxHasher::default();
        (self.loc, &self.regs, &self.globals).hash(&mut state);
        self.memory.hash_changes(start, &mut state);
        let mut caller = self.callers.as_deref();
        while let Some(at) = caller {
            caller = at.hash_frame(&mut state);
        }
        state.finish()
    }

    /// Every byte that may count as a feature of the state: of the live registers, of the promoted
    /// globals, and of the memory where it differs from the start. Each comes with a hash of its
    /// position and of `with`.
    pub fn bytes(&self, start: &Memory, with: impl Hash + Copy, mut each: impl FnMut(u64, u8)) {
        let mut byte = |place: (u32, u32, u64), value: u8| {
            let mut hasher = FxHasher::default();
            (self.loc, with, place).hash(&mut hasher);
            each(hasher.finish(), value);
        };
        let words = self.regs.iter().map(|value| (0, value));
        let words = words.chain(self.globals.iter().map(|value| (1, value)));
        for (i, (which, value)) in words.enumerate() {
            for (at, value) in value.lo.to_le_bytes().into_iter().enumerate() {
                // The higher bytes of most numbers are zero.
                if at == 0 || value != 0 {
                    byte((which, i as u32, at as u64), value);
                }
            }
        }
        self.memory
            .changes(start, |object, at, value| byte((2, object, at), value));
    }
}

/// A list that snapshots share; empty lists, which most are, need no allocation.
fn shared<T: Copy>(list: &[T]) -> Arc<[T]> {
    match list {
        [] => Arc::default(),
        _ => list.into(),
    }
}

impl Interpreter<'_> {
    /// A snapshot of the run, which is at this location.
    pub fn snapshot(&mut self, graph: &Graph, loc: Loc) -> Snapshot {
        let live = &graph.location(loc).live;
        Snapshot {
            loc,
            steps: self.steps,
            inputs: self.machine.feed.taken(),
            function: self.frame.function,
            block: self.frame.block,
            index: self.frame.index,
            regs: live
                .iter()
                .map(|reg| self.frame.regs[reg.0 as usize])
                .collect(),
            globals: self.share_globals(),
            memory: self.machine.memory.clone(),
            callers: self.callers.clone(),
            varargs: shared(&self.machine.varargs),
            stack_objects: shared(&self.machine.stack_objects),
            feed: self.machine.feed.clone(),
        }
    }

    /// Resets the run to a snapshot of the same program and graph. The output and the list of taken
    /// inputs stay.
    pub fn restore(&mut self, graph: &Graph, snapshot: &Snapshot) {
        let mut frame = Frame::new(self.program, snapshot.function);
        frame.block = snapshot.block;
        frame.index = snapshot.index;
        for (reg, value) in graph.location(snapshot.loc).live.iter().zip(&snapshot.regs) {
            frame.regs[reg.0 as usize] = *value;
        }
        self.frame = frame;
        self.callers = snapshot.callers.clone();
        self.steps = snapshot.steps;
        self.machine.memory = snapshot.memory.clone();
        self.machine.globals.copy_from_slice(&snapshot.globals);
        self.machine.globals_changed = true;
        self.machine.varargs = snapshot.varargs.to_vec();
        self.machine.stack_objects = snapshot.stack_objects.to_vec();
        self.machine.feed = snapshot.feed.clone();
    }
}
