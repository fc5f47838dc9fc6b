//! Which accesses may be to an object that has ended.
//!
//! Engine and checker treat the life of an object as state, and ask for it only where points-to
//! and this analysis cannot show that it has not ended. It goes forward over each function and
//! knows, at each instruction: of which abstract objects some object may have ended, of which the
//! newest one may have, and which registers surely lead to the newest object of one (or to none).
//!
//! An abstract object stands for all objects that an instruction makes, so a new one revives none
//! of them: a pointer kept from an earlier iteration is to an object that has ended, while the
//! newest is alive. Only for a register with the instruction's own result, or computed from it
//! without another such result in between, does the newest one decide.
//!
//! [`Inst::Alive`] before an access is the check, for the engine and the interpreter. The checker
//! analyses the program with these instructions again and decides by itself.

use crate::inline::end_activation;
use crate::liveness::Liveness;
use crate::points_to::{Places, PointsTo, Site, bounds, insert};
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The size of a set at all blocks of a function, in bits, above which only the program's code as a
/// whole is looked at.
const MOST_BITS: usize = 1 << 28;
/// The number of registers that are followed at a block.
const MOST_HELD: usize = 4096;

/// What an access needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The pointer.
    pub ptr: Operand,
    /// The length of the access.
    pub len: Operand,
    /// Whether it may be to an object of which only the machine knows that it ended: one of
    /// several that an `alloca` made in an activation.
    pub unclear: bool,
}

/// The accesses that may be to objects that have ended.
#[derive(Debug, Default)]
pub struct Lives {
    needs: FxHashMap<(FnId, BlockId, u32), Vec<Need>>,
}

impl Lives {
    /// Analyses a program.
    pub fn of(program: &Program, points_to: &PointsTo) -> Lives {
        let mut lives = Lives::default();
        let ended = ended(program, points_to);
        if ended.is_empty() {
            return lives;
        }
        let called: FxHashSet<FnId> = calls(program).map(|call| call.callee).collect();
        let mut analysis = Analysis {
            program,
            points_to,
            number: ended.iter().zip(0..).map(|(site, i)| (*site, i)).collect(),
            id: program.entry,
            unclear: Bits::default(),
        };
        let mut states = Vec::with_capacity(program.functions.len());
        for (number, function) in program.functions.iter().enumerate() {
            analysis.id = FnId(number as u32);
            states.push(match points_to.is_active(analysis.id, BlockId(0)) {
                true => {
                    let only_once = analysis.id == program.entry && !called.contains(&analysis.id);
                    analysis.function(function, only_once)
                }
                false => Vec::new(),
            });
        }
        for (number, states) in states.into_iter().enumerate() {
            analysis.id = FnId(number as u32);
            for (at, state) in states.into_iter().enumerate() {
                if let Some(state) = state {
                    analysis.find_needs(BlockId(at as u32), state, &mut lives);
                }
            }
        }
        lives
    }

    /// What the accesses of an instruction need.
    pub fn needs(&self, function: FnId, block: BlockId, index: u32) -> &[Need] {
        let known = self.needs.get(&(function, block, index));
        known.map_or(&[], |needs| needs)
    }

    /// Whether no access needs anything.
    pub fn is_empty(&self) -> bool {
        self.needs.is_empty()
    }
}

/// Puts the facts of the points-to analysis and the checks of lifetimes before accesses.
pub(crate) fn mark(program: &mut Program, points_to: &PointsTo) {
    let lives = Lives::of(program, points_to);
    for number in 0..program.functions.len() {
        let id = FnId(number as u32);
        for at in 0..program.function(id).blocks.len() {
            let block = BlockId(at as u32);
            if !points_to.is_active(id, block) {
                continue;
            }
            let mut all = bounds(program, points_to, id, block);
            if !lives.is_empty() {
                let count = program.function(id).block(block).insts.len();
                for index in 0..count {
                    for need in lives.needs(id, block, index as u32) {
                        let (ptr, len) = (need.ptr, need.len);
                        all.push((index, Inst::Alive { ptr, len }));
                    }
                }
                // Facts come before checks.
                all.sort_by_key(|(index, _)| *index);
            }
            insert(&mut program.functions[number].blocks[at], all);
        }
    }
}

/// Makes the end of an activation explicit where the address of a variable may outlive it: an
/// `EndLife` before each return, in functions that are called. Returns whether there are any.
pub(crate) fn end_activations(program: &mut Program, points_to: &PointsTo) -> bool {
    let kept = points_to.kept_addresses();
    let called: FxHashSet<FnId> = calls(program).map(|call| call.callee).collect();
    let mut outliving = Vec::new();
    for (number, function) in program.functions.iter().enumerate() {
        let id = FnId(number as u32);
        if !called.contains(&id) || !points_to.is_active(id, BlockId(0)) {
            continue;
        }
        let mut own = BTreeSet::new();
        let mut returned = Places::default();
        for (at, block) in function.blocks.iter().enumerate() {
            for (index, inst) in block.insts.iter().enumerate() {
                let stack = match inst {
                    Inst::Alloc { storage, .. } => *storage == Storage::Stack,
                    Inst::VaStart { .. } => true,
                    _ => false,
                };
                if stack {
                    own.extend(points_to.made_at(id, BlockId(at as u32), index));
                }
            }
            if let Terminator::Return(values) = &block.end {
                for value in values {
                    returned = returned.join(points_to.operand(id, *value));
                }
            }
        }
        let outlives = |site: &Site| {
            let in_memory = kept.as_ref().is_none_or(|kept| kept.contains(site));
            let mut places = returned.list.iter();
            in_memory || returned.anywhere || places.any(|place| place.site == *site)
        };
        if own.iter().any(outlives) {
            outliving.push(number);
        }
    }
    for number in &outliving {
        end_activation(&mut program.functions[*number], program.pointer_bits);
    }
    !outliving.is_empty()
}

fn calls(program: &Program) -> impl Iterator<Item = &Call> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.flat_map(|b| &b.insts).filter_map(|inst| match inst {
        Inst::Call(call) => Some(&**call),
        _ => None,
    })
}

/// The abstract objects of which any may end anywhere in the program.
fn ended(program: &Program, points_to: &PointsTo) -> BTreeSet<Site> {
    let mut out = BTreeSet::new();
    for number in 0..program.functions.len() {
        let ends = points_to.ends(FnId(number as u32));
        if ends.anywhere {
            let all = (0..points_to.sites.len() as u32).map(Site);
            return all.filter(|site| points_to.is_made(*site)).collect();
        }
        out.extend(&ends.sites);
    }
    out
}

/// Where a followed register leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hold {
    /// To no object that can end.
    Nothing,
    /// To the newest object of the abstract one of this number, or to no object.
    Newest(usize),
}

impl Hold {
    /// What is known of a value that is one of two.
    fn or(self, other: Hold) -> Option<Hold> {
        match (self, other) {
            (Hold::Nothing, known) | (known, Hold::Nothing) => Some(known),
            (known, other) => (known == other).then_some(known),
        }
    }
}

/// A set of abstract objects that may end, by their numbers among these.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn all(count: usize) -> Bits {
        let mut bits = Bits::default();
        (0..count).for_each(|i| {
            bits.insert(i);
        });
        bits
    }

    fn has(&self, i: usize) -> bool {
        self.0
            .get(i / 64)
            .is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Adds a number; returns whether it is new.
    fn insert(&mut self, i: usize) -> bool {
        if self.0.len() <= i / 64 {
            self.0.resize(i / 64 + 1, 0);
        }
        let before = self.0[i / 64];
        self.0[i / 64] |= 1 << (i % 64);
        self.0[i / 64] != before
    }

    fn remove(&mut self, i: usize) {
        if let Some(word) = self.0.get_mut(i / 64) {
            *word &= !(1 << (i % 64));
        }
    }

    /// Adds all of another set; returns whether any is new.
    fn extend(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut more = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            more |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        more
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|i| self.has(*i))
    }

    fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Those that are also in another set.
    fn within(mut self, other: &Bits) -> Bits {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= theirs;
        }
        self
    }
}

/// What is known before an instruction.
#[derive(Clone, Debug, Default)]
struct State {
    /// Of which some object may have ended.
    dead: Bits,
    /// Of which the newest object may have ended.
    newest: Bits,
    /// Of which an object may have been made.
    made: Bits,
    /// Of which this activation's newest object may have no explicit end yet.
    open: Bits,
    /// Where registers lead; nothing is known of others.
    held: BTreeMap<Reg, Hold>,
}

impl State {
    /// Anything may have happened before.
    fn of_all(count: usize) -> State {
        State {
            dead: Bits::all(count),
            newest: Bits::all(count),
            made: Bits::all(count),
            ..State::default()
        }
    }

    /// Adds what another state allows; returns whether there is anything new.
    fn join(&mut self, other: &State) -> bool {
        let mut changed = self.dead.extend(&other.dead);
        changed |= self.newest.extend(&other.newest);
        changed |= self.made.extend(&other.made);
        changed |= self.open.extend(&other.open);
        self.held.retain(|reg, hold| {
            let joined = other.held.get(reg).and_then(|theirs| hold.or(*theirs));
            changed |= joined != Some(*hold);
            *hold = joined.unwrap_or(*hold);
            joined.is_some()
        });
        changed
    }

    fn hold(&self, operand: Operand) -> Option<Hold> {
        match operand {
            Operand::Const(_) => Some(Hold::Nothing),
            Operand::Reg(reg) => self.held.get(&reg).copied(),
        }
    }

    fn set(&mut self, reg: Reg, hold: Option<Hold>) {
        match hold {
            Some(hold) if self.held.len() < MOST_HELD => {
                self.held.insert(reg, hold);
            }
            _ => {
                self.held.remove(&reg);
            }
        }
    }
}

/// The analysis of a program; of one function at a time.
struct Analysis<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// The abstract objects of which any may end, numbered.
    number: BTreeMap<Site, usize>,
    id: FnId,
    /// Those of which an activation may make several without an explicit end of each.
    unclear: Bits,
}

impl Analysis<'_> {
    /// The state at the start of each block that is reachable.
    fn function(&mut self, function: &Function, only_once: bool) -> Vec<Option<State>> {
        let count = self.number.len();
        if function.blocks.len().saturating_mul(count) > MOST_BITS {
            self.unclear = Bits::all(count);
            return vec![Some(State::of_all(count)); function.blocks.len()];
        }
        let live = Liveness::of(function);
        let mut states: Vec<Option<State>> = vec![None; function.blocks.len()];
        states[0] = Some(match only_once {
            true => State::default(),
            false => State::of_all(count),
        });
        let mut work = BTreeSet::from([BlockId(0)]);
        while let Some(id) = work.pop_first() {
            let Some(mut state) = states[id.0 as usize].clone() else {
                continue;
            };
            let block = function.block(id);
            for index in 0..block.insts.len() {
                self.inst(&mut state, id, index, &block.insts);
            }
            block.end.targets(|target| {
                let mut next = state.clone();
                // All sources are read before any destination is written.
                for (dst, src) in &target.copies {
                    let is_pointer = function.regs[dst.0 as usize].sort == Sort::Ptr;
                    next.set(*dst, state.hold(*src).filter(|_| is_pointer));
                }
                let live = live.live_in(target.block);
                next.held.retain(|reg, _| live.binary_search(reg).is_ok());
                let changed = match &mut states[target.block.0 as usize] {
                    Some(known) => known.join(&next),
                    none => {
                        *none = Some(next);
                        true
                    }
                };
                if changed {
                    work.insert(target.block);
                }
            });
        }
        states
    }

    fn find_needs(&mut self, id: BlockId, mut state: State, lives: &mut Lives) {
        let program = self.program;
        let insts = &program.function(self.id).block(id).insts;
        for (index, inst) in insts.iter().enumerate() {
            let needs = self.needs_of(&state, inst);
            if !needs.is_empty() {
                lives.needs.insert((self.id, id, index as u32), needs);
            }
            self.inst(&mut state, id, index, insts);
        }
    }

    /// The abstract objects that a pointer may lead to, of those that may end.
    fn sites(&self, ptr: Operand) -> Bits {
        let Operand::Reg(reg) = ptr else {
            return Bits::default();
        };
        let places = self.points_to.register(self.id, reg);
        if places.anywhere {
            return Bits::all(self.number.len());
        }
        let mut bits = Bits::default();
        for place in &places.list {
            if let Some(&number) = self.number.get(&place.site) {
                bits.insert(number);
            }
        }
        bits
    }

    fn numbers(&self, sites: &BTreeSet<Site>) -> impl Iterator<Item = usize> {
        sites
            .iter()
            .filter_map(|site| self.number.get(site))
            .copied()
    }

    fn inst(&mut self, state: &mut State, block: BlockId, index: usize, insts: &[Inst]) {
        let inst = &insts[index];
        if let Some(ptr) = inst.ended() {
            self.end(state, ptr);
        }
        let made = self.points_to.made_at(self.id, block, index);
        let made = made.and_then(|site| self.number.get(&site).copied());
        if let Some(number) = made {
            self.make(state, number, inst);
        }
        let held = match inst {
            Inst::Copy { src, .. } => state.hold(*src),
            Inst::PtrAdd { base, .. } => state.hold(*base),
            Inst::Select { a, b, .. } => {
                let (a, b) = (state.hold(*a), state.hold(*b));
                a.zip(b).and_then(|(a, b)| a.or(b))
            }
            // The environment cannot name an object that ends.
            Inst::Input { .. } | Inst::Foreign { .. } => Some(Hold::Nothing),
            Inst::Alloc { .. } | Inst::Realloc { .. } => made.map(Hold::Newest),
            Inst::Load { .. } => self.argument_area(block, index, insts),
            Inst::Call(call) => {
                self.call(state, call);
                None
            }
            _ => None,
        };
        let regs = &self.program.function(self.id).regs;
        inst.defs(|dst| {
            let is_pointer = regs[dst.0 as usize].sort == Sort::Ptr;
            state.set(dst, held.filter(|_| is_pointer));
        });
    }

    fn call(&self, state: &mut State, call: &Call) {
        let ends = self.points_to.ends(call.callee);
        let made: Vec<usize> = self.numbers(&ends.made).collect();
        for number in &made {
            state.made.insert(*number);
        }
        if ends.anywhere {
            state.dead = Bits::all(self.number.len());
            state.newest = Bits::all(self.number.len());
        }
        for number in self.numbers(&ends.sites) {
            state.dead.insert(number);
            state.newest.insert(number);
        }
        // The callee may make newer ones.
        let older = |hold: &Hold| matches!(hold, Hold::Newest(n) if made.contains(n));
        state.held.retain(|_, hold| !older(hold));
    }

    /// What a load right after `va_start` reads, if it is the pointer to the new object with the
    /// arguments.
    fn argument_area(&self, block: BlockId, index: usize, insts: &[Inst]) -> Option<Hold> {
        let Inst::Load { ptr, sort, .. } = &insts[index] else {
            return None;
        };
        let mut address = *ptr;
        for at in (0..index).rev() {
            match &insts[at] {
                Inst::Within { .. } | Inst::Alive { .. } => {}
                Inst::PtrAdd {
                    dst,
                    base,
                    offset: 8,
                    scale: 0,
                    ..
                } if address == *ptr && Operand::Reg(*dst) == address && *base != address => {
                    address = *base;
                }
                Inst::VaStart { list, .. } => {
                    let moved = address != *ptr;
                    let right = moved == (self.program.pointer_bits == 64);
                    let fits = *list == address && right && *sort == Sort::Ptr;
                    let site = self.points_to.made_at(self.id, block, at);
                    let number = site.and_then(|site| self.number.get(&site).copied());
                    return number.filter(|_| fits).map(Hold::Newest);
                }
                _ => return None,
            }
        }
        None
    }

    /// The object of a pointer ends.
    fn end(&self, state: &mut State, ptr: Operand) {
        match state.hold(ptr) {
            Some(Hold::Nothing) => {}
            Some(Hold::Newest(number)) => {
                state.open.remove(number);
                state.dead.insert(number);
                state.newest.insert(number);
            }
            None => {
                let exist = self.sites(ptr).within(&state.made);
                state.dead.extend(&exist);
                state.newest.extend(&exist);
            }
        }
    }

    /// A new object of an abstract one.
    fn make(&mut self, state: &mut State, number: usize, inst: &Inst) {
        let stack = match inst {
            Inst::Alloc { storage, .. } => *storage == Storage::Stack,
            _ => matches!(inst, Inst::VaStart { .. }),
        };
        if stack && !state.open.insert(number) {
            self.unclear.insert(number);
        }
        state.newest.remove(number);
        state.made.insert(number);
        state.held.retain(|_, hold| *hold != Hold::Newest(number));
    }

    /// What the accesses of an instruction need.
    fn needs_of(&self, state: &State, inst: &Inst) -> Vec<Need> {
        let one = Operand::Const(Constant::Int {
            width: self.program.pointer_bits,
            value: 1,
        });
        let (first, second) = match inst {
            Inst::Load { ptr, .. } | Inst::Store { ptr, .. } => ((*ptr, one), None),
            Inst::VaStart { list, .. } => ((*list, one), None),
            Inst::MemSet { dst, len, .. } => ((*dst, *len), None),
            Inst::MemCopy { dst, src, len, .. } => ((*dst, *len), Some((*src, *len))),
            _ => return Vec::new(),
        };
        let accesses = std::iter::once(first).chain(second);
        let needs = accesses.filter_map(|(ptr, len)| {
            let unclear = self.may_be_dead(state, ptr)?;
            Some(Need { ptr, len, unclear })
        });
        needs.collect()
    }

    /// Whether an access may be to an object that has ended, and if so, whether this may be
    /// unclear.
    fn may_be_dead(&self, state: &State, ptr: Operand) -> Option<bool> {
        match state.hold(ptr) {
            Some(Hold::Nothing) => None,
            Some(Hold::Newest(number)) => state.newest.has(number).then_some(false),
            None => {
                let sites = self.sites(ptr).within(&state.dead);
                let unclear = sites.meets(&self.unclear);
                sites.iter().next().map(|_| unclear)
            }
        }
    }
}
