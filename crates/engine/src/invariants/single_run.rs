//! A program without inputs has one run, and the states of the run are the proof.
//!
//! SYNERGY's tests stand for what can happen; here they are all of it. What the
//! rest of the run will read of a state, its registers, globals, memory and the
//! number of the next object, has at each visit of a location one value. "It
//! is the state of one of the visits" is a candidate for an invariant there, and
//! "nobody comes here" where the run does not come. As with every candidate the
//! solver decides whether they are inductive (`houdini`), so nothing is taken
//! from the run on trust.

use crate::core::Core;
use crate::invariants::houdini;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::concrete::memory::Memory;
use attest_exec::interpreter::{Go, Observer};
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::value::SymVal;
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Val};
use attest_model::graph::{Graph, Loc};
use attest_model::{GlobalReg, Inst, ObjectId, Operand, Other, PlaceId, Sort};
use attest_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A scalar in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Cell {
    object: u32,
    offset: u64,
    bytes: u64,
    is_pointer: bool,
}

/// Bytes in memory.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    object: u32,
    offset: u64,
    bytes: u64,
}

/// What the rest of a run reads of its state, or no longer does.
enum Event {
    Visit(Loc, Box<State>),
    Reads(Cell),
    Writes(Bytes),
    /// The bytes, and where they come from.
    Copies(Bytes, u32, u64),
    ReadsGlobal(GlobalReg),
    WritesGlobal(GlobalReg),
    Allocates,
}

struct State {
    /// The registers that are live there.
    regs: Vec<Val>,
    globals: Vec<Val>,
    memory: Memory,
}

/// Writes a run down.
struct Recorder<'p> {
    graph: &'p Graph,
    events: Vec<Event>,
    visits: usize,
    /// Visits of a run that is short enough.
    most_visits: usize,
    /// It does something that this file does not follow.
    lost: bool,
}

fn bytes_at(at: Val, bytes: u64) -> Bytes {
    Bytes {
        object: at.object().0,
        offset: at.lo,
        bytes,
    }
}

impl Observer for Recorder<'_> {
    const CUTS: bool = true;
    const STEPS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        self.visits += 1;
        if self.lost || self.visits > self.most_visits {
            self.lost = true;
            return Go::Stop;
        }
        let live = self.graph.location(at).live.iter();
        let state = State {
            regs: live.map(|reg| run.read(Operand::Reg(*reg))).collect(),
            globals: run.machine.globals.clone(),
            memory: run.machine.memory.clone(),
        };
        self.events.push(Event::Visit(at, Box::new(state)));
        Go::On
    }

    fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, _place: PlaceId) {
        let bits = run.program.pointer_bits;
        let event = match inst {
            Inst::Load { sort, ptr, .. } => {
                let at = run.read(*ptr);
                Event::Reads(Cell {
                    object: at.object().0,
                    offset: at.lo,
                    bytes: sort.bytes(bits),
                    is_pointer: *sort == Sort::Ptr,
                })
            }
            Inst::Store { sort, ptr, .. } => {
                Event::Writes(bytes_at(run.read(*ptr), sort.bytes(bits)))
            }
            Inst::MemSet { dst, len, .. } => {
                Event::Writes(bytes_at(run.read(*dst), run.read(*len).lo))
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let from = run.read(*src);
                let to = bytes_at(run.read(*dst), run.read(*len).lo);
                Event::Copies(to, from.object().0, from.lo)
            }
            Inst::GetGlobal { global, .. } => Event::ReadsGlobal(*global),
            Inst::SetGlobal { global, .. } => Event::WritesGlobal(*global),
            Inst::Alloc { dst, zeroed, .. } => {
                self.events.push(Event::Allocates);
                if !zeroed {
                    return;
                }
                let object = run.read(Operand::Reg(*dst)).object();
                let size = run.machine.memory.object(object).map_or(0, |o| o.size);
                Event::Writes(bytes_at(Val::ptr(object, 0), size))
            }
            Inst::Input { .. } | Inst::Realloc { .. } | Inst::VaStart { .. } | Inst::Call(_) => {
                self.lost = true;
                return;
            }
            _ => return,
        };
        self.events.push(event);
    }
}

/// What the rest of the run reads.
#[derive(Default)]
struct Needed {
    cells: BTreeSet<Cell>,
    globals: BTreeSet<u32>,
    allocates: bool,
}

impl Needed {
    /// Goes one event back.
    fn before(&mut self, event: &Event) {
        match event {
            Event::Visit(..) => {}
            Event::Reads(cell) => {
                self.cells.insert(*cell);
            }
            Event::Writes(bytes) => self.cells.retain(|cell| !covers(bytes, cell)),
            Event::Copies(to, object, offset) => {
                let moved: Vec<Cell> = (self.cells.iter())
                    .filter(|cell| covers(to, cell))
                    .map(|cell| Cell {
                        object: *object,
                        offset: cell.offset - to.offset + offset,
                        ..*cell
                    })
                    .collect();
                self.cells.retain(|cell| !covers(to, cell));
                self.cells.extend(moved);
            }
            Event::ReadsGlobal(global) => {
                self.globals.insert(global.0);
            }
            Event::WritesGlobal(global) => {
                self.globals.remove(&global.0);
            }
            Event::Allocates => self.allocates = true,
        }
    }
}

fn covers(bytes: &Bytes, cell: &Cell) -> bool {
    bytes.object == cell.object
        && bytes.offset <= cell.offset
        && cell.offset + cell.bytes <= bytes.offset + bytes.bytes
}

/// Makes invariants of the states of the only run there is, if it is short and ended.
pub(crate) fn learn_single_run(core: &mut Core<'_>, task: &mut Task) {
    let entry = core.program.function(core.program.entry);
    if core.graph.has_calls() || entry.params > 0 {
        return;
    }
    let limits = Limits {
        steps: core.options.tuning.invariants.run_instructions,
        ..Limits::default()
    };
    let inputs = Arc::new(Inputs::default());
    let mut run = Interpreter::new(core.program, inputs, core.options.overflow, limits);
    let mut recorder = Recorder {
        graph: core.graph,
        events: Vec::new(),
        visits: 0,
        most_visits: core.options.tuning.invariants.run_visits,
        lost: false,
    };
    let outcome = run.watch(&mut recorder, &core.cuts);
    let ended = match &outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => true,
        Outcome::Bailed(bail) => bail.kind.traps(),
        _ => false,
    };
    if !ended || recorder.lost {
        return;
    }
    let Some(visits) = visits(core, task, &recorder.events) else {
        return;
    };
    let locations: Vec<Loc> = (0..core.graph.locations.len() as u32)
        .map(Loc)
        .filter(|loc| core.is_inner(task, *loc))
        .collect();
    let mut sets = FxHashMap::default();
    for loc in &locations {
        let states = visits.get(loc).map_or(&[][..], Vec::as_slice);
        let one_of = core.terms.any(states);
        if !states.is_empty() {
            task.pools.makers.insert(one_of, Technique::SingleRun);
        }
        sets.insert(*loc, vec![one_of]);
    }
    let budget = core.effort() + core.effort_left() / core.options.tuning.invariants.run_divisor;
    let found = houdini::inductive(core, task, &locations, sets, budget);
    task.invariants_version += u32::from(found == Some(true));
}

/// The states of each location, each once; none if they are too many, or not plain.
fn visits(core: &mut Core<'_>, task: &Task, events: &[Event]) -> Option<FxHashMap<Loc, Vec<Term>>> {
    let mut needed = Needed::default();
    let mut visits: FxHashMap<Loc, Vec<Term>> = FxHashMap::default();
    let mut known = FxHashSet::default();
    let mut count = 0;
    for event in events.iter().rev() {
        needed.before(event);
        let Event::Visit(loc, state) = event else {
            continue;
        };
        let facts = facts_of(core, task, *loc, state, &needed)?;
        count += facts.len();
        if count > core.options.tuning.invariants.run_facts {
            return None;
        }
        let all = core.terms.all(&facts);
        if known.insert((*loc, all)) {
            visits.entry(*loc).or_default().push(all);
        }
    }
    Some(visits)
}

/// What is needed of a state, as equations.
fn facts_of(
    core: &mut Core<'_>,
    task: &Task,
    loc: Loc,
    state: &State,
    needed: &Needed,
) -> Option<Vec<Term>> {
    let vocabulary = task.names.vocabulary.clone();
    let mut facts = Vec::new();
    let live = &core.graph.location(loc).live;
    for (reg, value) in live.iter().zip(&state.regs) {
        equals(core, vocabulary.reg(*reg), *value, &mut facts)?;
    }
    for global in &needed.globals {
        let symbol = vocabulary.global(GlobalReg(*global));
        equals(core, symbol, state.globals[*global as usize], &mut facts)?;
    }
    if needed.allocates {
        let next = state.memory.next_object().0;
        let next = core.terms.bv_u128(32, next.into());
        facts.push(core.terms.eq(vocabulary.next_object(), next));
    }
    for cell in &needed.cells {
        // A part of the state only if the object is there by now.
        if state.memory.object(ObjectId(cell.object)).is_some() {
            facts.push(holds(core, &state.memory, *cell)?);
        }
    }
    Some(facts)
}

fn equals(core: &mut Core<'_>, symbol: SymVal, value: Val, facts: &mut Vec<Term>) -> Option<()> {
    match symbol {
        SymVal::Bits(term) => {
            let width = core.terms.width(term);
            let number = core.terms.bv_u128(width, value.int());
            facts.push(core.terms.eq(term, number));
        }
        SymVal::Ptr(pointer) => {
            let object = core.terms.bv_u128(32, value.object().0.into());
            let width = core.terms.width(pointer.offset);
            let offset = core.terms.bv_u128(width, value.lo.into());
            facts.push(core.terms.eq(pointer.object, object));
            facts.push(core.terms.eq(pointer.offset, offset));
        }
        SymVal::Float(_) => return None,
    }
    Some(())
}

/// A cell holds what it holds in this memory.
fn holds(core: &mut Core<'_>, memory: &Memory, cell: Cell) -> Option<Term> {
    let width = core.program.pointer_bits;
    let object = core.terms.bv_u128(32, cell.object.into());
    let offset = core.terms.bv_u128(width, cell.offset.into());
    let id = ObjectId(cell.object);
    let raw = core
        .terms
        .read(BASE, object, offset, u32::try_from(cell.bytes).ok()?);
    let at = Val::ptr(id, cell.offset);
    if !cell.is_pointer {
        let sort = Sort::Int(u32::try_from(8 * cell.bytes).ok()?);
        let value = memory.load(sort, at, Other::Address).ok()?;
        let number = core.terms.bv_u128(8 * cell.bytes as u32, value.int());
        return Some(core.terms.eq(raw, number));
    }
    let tag = core.terms.read_tag(BASE, object, offset);
    let slot = SymVal::Ptr(attest_exec::symbolic::memory::Pointer {
        object: core.terms.read_ptr_object(BASE, object, offset),
        offset: core.terms.read_ptr_offset(BASE, object, offset),
    });
    let value = memory.load(Sort::Ptr, at, Other::Number).ok()?;
    let mut stored = vec![tag];
    equals(core, slot, value, &mut stored)?;
    let stored = core.terms.all(&stored);
    if value.hi != 0 {
        return Some(stored);
    }
    // Null may have been stored as a pointer or as bytes.
    let number = core.terms.bv_u128(width, value.lo.into());
    let mut bytes = vec![core.terms.eq(raw, number)];
    bytes.push(core.terms.not(tag));
    let bytes = core.terms.all(&bytes);
    Some(core.terms.any(&[stored, bytes]))
}
