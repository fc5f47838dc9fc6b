//! What the initial abstraction tracks ([`crate::simulation`]): the state of the rule, the
//! variables of the program, and for a rule about each object which pointers are the
//! watched one.
//!
//! Objects that are made while running are one value. So that a pointer is the
//! watched object is a fact of its own, and states are kept apart by it: who
//! holds the object is part of what state it is in, since nobody should hold a
//! freed one (Fink et al., ISSTA 2006, keep such sets of pointers with the
//! state). What is known of two pointers is whether they are the same made
//! object: a new one is none of the others, and stays so when it becomes the
//! watched one later, also through a variable that may be null.

use crate::core::Core;
use crate::task::Task;
use attest_exec::symbolic::memory::{BASE, Pointer};
use attest_exec::symbolic::step::Part;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::Loc;
use attest_model::points_to::{Place, Places as Targets, SiteKind};
use attest_model::{
    Constant, GlobalReg, Inst, ObjectId, Operand, Reg, Sort as CodeSort, StaticKind,
};
use attest_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Something whose values are tracked at a location.
#[derive(Clone, Copy)]
pub(crate) struct Followed {
    pub term: Term,
    pub how: How,
}

/// What is remembered of values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// States that differ in it are kept apart.
    Apart,
    /// Which ones, if they are few: it is a name and not a number.
    Few,
    /// Whether it is one, and whether it is zero.
    Merged,
}

/// The sizes of variables whose addresses are in registers.
type Locals = FxHashMap<Reg, u32>;

/// A place for a pointer in a static object.
type Cell = (ObjectId, u64);

/// The memory that is tracked.
#[derive(Default)]
pub(crate) struct Places {
    /// Pointers that the code writes,
    cells: Vec<Cell>,
    /// and pointers that it only reads, in constants too.
    unwritten: Vec<Cell>,
    /// Places of flags, and their sizes.
    flags: Vec<Flag>,
    locals: Locals,
}

/// A flag in a static object: the object, the offset, and the size.
type Flag = (ObjectId, u64, u32);

impl Places {
    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.flags.is_empty() && self.locals.is_empty()
    }
}

/// A variable of the program.
struct Variable {
    value: SymVal,
    /// A pointer that may be the watched object, and one that was made while running.
    may_be_watched: bool,
    may_be_made: bool,
    /// A pointer in memory.
    is_cell: bool,
    /// Where it may point.
    targets: Targets,
}

/// The variables of the rule, the variables of the program that are live, and whether its
/// pointers are the watched object.
pub(crate) fn followed(
    core: &mut Core<'_>,
    task: &Task,
    loc: Loc,
    places: &Places,
) -> Vec<Followed> {
    let mut out = Vec::new();
    let mut watched = Vec::new();
    for global in core.options.initial.clone() {
        let value = task.names.vocabulary.global(global);
        follow_value(core, value, true, &mut out);
        if let SymVal::Ptr(p) = value
            && core.options.watched.contains(&global)
        {
            watched.push(p);
        }
    }
    let mut compared = Vec::new();
    let (mut held, mut kept) = (Vec::new(), Vec::new());
    let beginnings = watched_beginnings(core);
    for variable in variables(core, task, loc, places) {
        follow_value(core, variable.value, false, &mut out);
        let SymVal::Ptr(p) = variable.value else {
            continue;
        };
        for object in &watched {
            let term = is_watched(core, *object, p);
            let how = match variable.may_be_watched {
                true => How::Apart,
                false => How::Merged,
            };
            out.push(Followed { term, how });
        }
        if core.terms.is_const(p.object) || !variable.may_be_watched {
            continue;
        }
        if variable.may_be_made {
            compared.push(p);
            continue;
        }
        // A pointer to a member of the watched object is another pointer.
        if variable.targets.apart(1, &beginnings, Some(1)) {
            continue;
        }
        for (by, bytes) in flags_behind(core, &variable.targets, &places.flags) {
            let term = behind(core, p, by, bytes);
            let how = How::Merged;
            out.push(Followed { term, how });
        }
        match variable.is_cell {
            true => kept.push(p),
            false => held.push(p),
        }
    }
    compared.truncate(core.options.tuning.simulation.compared);
    for (i, a) in compared.iter().enumerate() {
        for b in &compared[i + 1..] {
            let made = is_made(core, a.object);
            let same = core.terms.eq(a.object, b.object);
            let term = core.terms.all(&[made, same]);
            let how = How::Merged;
            out.push(Followed { term, how });
        }
    }
    for (i, a) in kept.iter().enumerate() {
        for b in held
            .iter()
            .take(core.options.tuning.simulation.compared)
            .chain(&kept[i + 1..])
        {
            let term = is_watched(core, *a, *b);
            let how = How::Apart;
            out.push(Followed { term, how });
        }
    }
    for cell in &places.unwritten {
        let value = SymVal::Ptr(pointer_to(core, *cell));
        follow_value(core, value, false, &mut out);
    }
    let mut seen = FxHashSet::default();
    out.retain(|f| {
        let fits = match core.terms.sort(f.term) {
            Sort::BitVec(width) => width <= 64,
            sort => sort == Sort::Bool,
        };
        fits && !core.terms.is_const(f.term) && seen.insert(f.term)
    });
    out
}

/// The variables of the program that are looked at.
fn variables(core: &mut Core<'_>, task: &Task, loc: Loc, places: &Places) -> Vec<Variable> {
    let points_to = core.points_to.clone();
    let of_watched = watched_objects(core);
    let is_made = |places: &Targets| {
        let made = |kind: SiteKind| matches!(kind, SiteKind::Made { .. });
        let sites = places.list.iter();
        let mut kinds = sites.map(|place| points_to.sites[place.site.0 as usize]);
        places.anywhere || kinds.any(made)
    };
    let variable = |value, targets: &Targets| {
        let may_be_watched = !targets.any_offset().apart(1, &of_watched, None);
        Variable {
            value,
            may_be_watched,
            may_be_made: may_be_watched && is_made(&of_watched) && is_made(targets),
            is_cell: false,
            targets: targets.clone(),
        }
    };
    let mut out = Vec::new();
    for reg in core.graph.location(loc).live.clone() {
        let value = task.names.vocabulary.reg(reg);
        if let (SymVal::Ptr(p), Some(bytes)) = (value, places.locals.get(&reg)) {
            let holds = core.terms.read(BASE, p.object, p.offset, *bytes);
            let holds = SymVal::Bits(holds);
            out.push(variable(holds, &Targets::default()));
        }
        let places = points_to.register(task.function, reg);
        out.push(variable(value, places));
    }
    out.truncate(core.options.tuning.simulation.variables);
    if !places.is_empty() {
        let others = (0..core.program.globals.len() as u32).map(GlobalReg);
        let others = others.filter(|global| !core.options.initial.contains(global));
        for global in others.take(core.options.tuning.simulation.variables) {
            let value = task.names.vocabulary.global(global);
            out.push(variable(value, points_to.global(global)));
        }
    }
    for cell in &places.cells {
        let value = SymVal::Ptr(pointer_to(core, *cell));
        let targets = targets_of(core, *cell);
        // One that never points to an object says nothing.
        if targets.anywhere || !targets.list.is_empty() {
            out.push(Variable {
                is_cell: true,
                ..variable(value, &targets)
            });
        }
    }
    let bits = core.program.pointer_bits;
    for (object, at, bytes) in &places.flags {
        let object = core.terms.bv_u128(32, object.0.into());
        let at = core.terms.bv_u128(bits, (*at).into());
        let holds = SymVal::Bits(core.terms.read(BASE, object, at, *bytes));
        out.push(variable(holds, &Targets::default()));
    }
    out
}

/// The objects that may be the watched one.
fn watched_objects(core: &Core<'_>) -> Targets {
    watched_beginnings(core).any_offset()
}

/// The places that may be the watched one.
fn watched_beginnings(core: &Core<'_>) -> Targets {
    let globals = core.options.watched.iter();
    let all = globals.map(|global| core.points_to.global(*global).clone());
    all.fold(Targets::default(), Targets::join)
}

/// What may be stored in a cell.
fn targets_of(core: &Core<'_>, (object, offset): Cell) -> Targets {
    match core.points_to.static_place(object, offset) {
        None => Targets::anywhere(),
        Some(place) => core.points_to.stored_at(&Targets {
            list: vec![place],
            ..Targets::default()
        }),
    }
}

/// The flag so many bytes behind a pointer; one where the pointer is null.
fn behind(core: &mut Core<'_>, p: Pointer, by: u64, bytes: u32) -> Term {
    let by = core.terms.bv_u128(core.program.pointer_bits, by.into());
    let at = core.terms.add(p.offset, by);
    let flag = core.terms.read(BASE, p.object, at, bytes);
    let none = core.terms.bv_u128(32, 0);
    let null = core.terms.eq(p.object, none);
    let one = core.terms.bv_u128(8 * bytes, 1);
    core.terms.ite(null, one, flag)
}

/// Whether a pointer is the watched object, where there is one.
fn is_watched(core: &mut Core<'_>, watched: Pointer, p: Pointer) -> Term {
    let none = core.terms.bv_u128(32, 0);
    let some = core.terms.ne(watched.object, none);
    let same = core.terms.eq(watched.object, p.object);
    let there = core.terms.eq(watched.offset, p.offset);
    core.terms.all(&[some, same, there])
}

/// Whether an object was made while running.
fn is_made(core: &mut Core<'_>, object: Term) -> Term {
    let first = core.program.first_dynamic().0;
    let first = core.terms.bv_u128(32, first.into());
    core.terms.ule(first, object)
}

/// A number, or a pointer in parts: its object, where all that are made while running are
/// one, and its offset.
fn follow_value(core: &mut Core<'_>, value: SymVal, apart: bool, out: &mut Vec<Followed>) {
    match value {
        SymVal::Bits(term) => out.push(Followed {
            term,
            how: if apart { How::Apart } else { How::Merged },
        }),
        SymVal::Ptr(p) => {
            let made = is_made(core, p.object);
            let first = core.program.first_dynamic().0;
            let first = core.terms.bv_u128(32, first.into());
            let object = core.terms.ite(made, first, p.object);
            for (term, merged) in [(object, How::Few), (p.offset, How::Merged)] {
                let how = if apart { How::Apart } else { merged };
                out.push(Followed { term, how });
            }
        }
        SymVal::Float(_) => {}
    }
}

/// The pointer that a cell holds. Bytes that were not stored as one are a number.
fn pointer_to(core: &mut Core<'_>, (object, at): Cell) -> Pointer {
    let bits = core.program.pointer_bits;
    let object = core.terms.bv_u128(32, object.0.into());
    let at = core.terms.bv_u128(bits, at.into());
    let tag = core.terms.read_tag(BASE, object, at);
    let none = core.terms.bv_u128(32, 0);
    let number = core.terms.read(BASE, object, at, bits / 8);
    let holds = core.terms.read_ptr_object(BASE, object, at);
    let offset = core.terms.read_ptr_offset(BASE, object, at);
    Pointer {
        object: core.terms.ite(tag, holds, none),
        offset: core.terms.ite(tag, offset, number),
    }
}

/// Registers with the addresses of small variables of functions, and their sizes.
fn locals(core: &Core<'_>, task: &Task) -> Locals {
    let mut out = Locals::default();
    let blocks = &core.program.function(task.function).blocks;
    for inst in blocks.iter().flat_map(|block| &block.insts) {
        if let Inst::Alloc {
            dst,
            size: Operand::Const(Constant::Int { value, .. }),
            ..
        } = inst
            && matches!(value, 1 | 2 | 4 | 8)
        {
            out.insert(*dst, *value as u32);
        }
    }
    out
}

/// The pointers and flags in static variables that the code writes, and the pointers that
/// it only reads: those stay what they were, null mostly. A flag is a number that only
/// constants are assigned to.
pub(crate) fn followed_places(core: &Core<'_>, task: &Task) -> Places {
    let mut pointers = BTreeSet::new();
    let (mut flags, mut others, mut loaded) =
        (pointers.clone(), pointers.clone(), pointers.clone());
    let bits = core.program.pointer_bits;
    for block in &core.program.function(task.function).blocks {
        let mut before: Option<&Inst> = None;
        let code = block.insts.iter();
        for inst in code.filter(|inst| !matches!(inst, Inst::Alive { .. })) {
            let last = before.replace(inst);
            let (found, ptr, sort) = match inst {
                Inst::Store { sort, ptr, src } => match (sort, src) {
                    (CodeSort::Ptr, _) => (&mut pointers, ptr, sort),
                    (CodeSort::Int(8 | 16 | 32 | 64), Operand::Const(_)) => (&mut flags, ptr, sort),
                    _ => (&mut others, ptr, sort),
                },
                Inst::Load { sort, ptr, .. } if *sort == CodeSort::Ptr => (&mut loaded, ptr, sort),
                _ => continue,
            };
            let bytes = sort.bytes(bits) as u32;
            match (ptr, last) {
                (Operand::Const(Constant::Ptr { object, offset }), _) => {
                    found.insert((*object, *offset, bytes));
                }
                (ptr, Some(Inst::Within { ptr: of, spots, .. })) if of == ptr => {
                    let known = spots.iter().filter(|spot| spot.bits == bits);
                    let known = known.filter_map(|s| Some((s.object?, s.offset, bytes)));
                    found.extend(known);
                }
                _ => {}
            }
        }
    }
    let is_variable = |(object, ..): &(ObjectId, u64, u32)| {
        let info = core.program.object(*object);
        info.is_some_and(|info| info.kind == StaticKind::Variable)
    };
    let has_contents = |(object, ..): &Flag| {
        let info = core.program.object(*object);
        let kinds = [StaticKind::Variable, StaticKind::Constant];
        info.is_some_and(|info| kinds.contains(&info.kind))
    };
    let unwritten = loaded.difference(&pointers).copied().filter(has_contents);
    let cell = |(object, at, _): Flag| (object, at);
    let unwritten = unwritten
        .take(core.options.tuning.simulation.unwritten)
        .map(cell)
        .collect();
    let mut pointers: Vec<_> = pointers.into_iter().filter(is_variable).collect();
    // Those that may be the watched object come first.
    let watched = watched_objects(core);
    pointers.sort_by_cached_key(|(object, at, _)| {
        let targets = targets_of(core, (*object, *at));
        targets.any_offset().apart(1, &watched, None)
    });
    let flags = flags.difference(&others).copied().filter(is_variable);
    Places {
        cells: pointers
            .into_iter()
            .take(core.options.tuning.simulation.pointers)
            .map(cell)
            .collect(),
        unwritten,
        flags: flags.take(core.options.tuning.simulation.flags).collect(),
        locals: locals(core, task),
    }
}

/// Those of these places that the watched object is held in, and the flags in it.
pub(crate) fn places_of_watched(core: &Core<'_>, places: &Places) -> Places {
    let watched = watched_objects(core);
    let may_be_watched = |targets: Targets| !targets.any_offset().apart(1, &watched, None);
    let is_watched = |object: &ObjectId| {
        let place = core.points_to.static_place(*object, 0);
        place.is_some_and(|place| {
            may_be_watched(Targets {
                list: vec![place],
                ..Targets::default()
            })
        })
    };
    let held = |cell: &Cell| may_be_watched(targets_of(core, *cell));
    Places {
        cells: places.cells.iter().copied().filter(held).collect(),
        unwritten: places.unwritten.clone(),
        flags: places
            .flags
            .iter()
            .copied()
            .filter(|(o, ..)| is_watched(o))
            .collect(),
        locals: Locals::default(),
    }
}

/// The flags that each static object has to which a pointer may lead, if there are several:
/// how far behind the pointer, and their sizes.
fn flags_behind(core: &Core<'_>, targets: &Targets, flags: &[Flag]) -> Vec<(u64, u32)> {
    let spot = |place: &Place| match core.points_to.sites[place.site.0 as usize] {
        SiteKind::Static(object) if place.shift == core.program.pointer_bits => {
            Some((object, place.offset))
        }
        _ => None,
    };
    let spots: Option<Vec<(ObjectId, u64)>> = targets.list.iter().map(spot).collect();
    let Some(spots) = spots.filter(|spots| spots.len() > 1 && !targets.anywhere) else {
        return Vec::new();
    };
    let (first, at) = spots[0];
    let mut out = Vec::new();
    for (object, offset, bytes) in flags {
        let by = offset.wrapping_sub(at);
        let has = |(object, at): &(ObjectId, u64)| {
            flags.contains(&(*object, at.wrapping_add(by), *bytes))
        };
        if *object == first && spots.iter().all(has) {
            out.push((by, *bytes));
        }
    }
    out
}

/// Where the places lie that a read of the state may be of.
pub(crate) fn targets_of_read(core: &Core<'_>, task: &Task, read: Term) -> Targets {
    let [object, offset] = [0, 1].map(|i| core.terms.arg(read, i));
    let number = |term: Term| core.terms.bv_const(term).and_then(|v| v.to_u128());
    if let (Some(object), Some(offset)) = (number(object), number(offset)) {
        let object = ObjectId(object as u32);
        let place = core.points_to.static_place(object, offset as u64);
        return place.map_or_else(Targets::anywhere, |place| Targets {
            list: vec![place],
            ..Targets::default()
        });
    }
    match task.names.vocabulary.part(object) {
        Some(Part::Reg(reg, _)) => core.points_to.register(task.function, reg).any_offset(),
        Some(Part::Global(global, _)) => core.points_to.global(global).any_offset(),
        _ => Targets::anywhere(),
    }
}
