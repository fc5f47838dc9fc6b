//! What the first abstraction follows ([`crate::initial`]): the state of the rule, the
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

use crate::dash::Engine;
use attest_exec::symbolic::memory::{BASE, Pointer};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::Loc;
use attest_model::points_to::{Places as Targets, SiteKind};
use attest_model::{
    Constant, GlobalReg, Inst, ObjectId, Operand, Reg, Sort as CodeSort, StaticKind,
};
use attest_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Variables of the program that are looked at, of each kind.
const MOST_VARIABLES: usize = 40;
/// Pointers in memory that are looked at.
const MOST_CELLS: usize = 16;
/// Flags in memory that are looked at.
const MOST_FLAGS: usize = 16;
/// Pointers that are compared with each other.
const MOST_COMPARED: usize = 10;

/// Something whose values are followed at a location.
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

/// The memory that is followed.
#[derive(Default)]
pub(crate) struct Places {
    cells: Vec<Cell>,
    /// Places of flags, and their sizes.
    flags: Vec<(ObjectId, u64, u32)>,
    locals: Locals,
}

impl Places {
    fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.flags.is_empty() && self.locals.is_empty()
    }
}

/// A variable of the program.
struct Variable {
    value: SymVal,
    /// A pointer that may be the watched object, and one that was made while running.
    may_be_watched: bool,
    may_be_made: bool,
}

impl Engine<'_> {
    /// The variables of the rule, the variables of the program that are live, and whether its
    /// pointers are the watched object.
    pub(crate) fn followed(&mut self, loc: Loc, places: &Places) -> Vec<Followed> {
        let mut out = Vec::new();
        let mut watched = Vec::new();
        for global in self.options.initial.clone() {
            let value = self.vocabulary.global(global);
            self.follow_value(value, true, &mut out);
            if let SymVal::Ptr(p) = value
                && self.options.watched.contains(&global)
            {
                watched.push(p);
            }
        }
        let mut compared = Vec::new();
        for variable in self.variables(loc, places) {
            self.follow_value(variable.value, false, &mut out);
            let SymVal::Ptr(p) = variable.value else {
                continue;
            };
            for object in &watched {
                let term = self.is_watched(*object, p);
                let how = match variable.may_be_watched {
                    true => How::Apart,
                    false => How::Merged,
                };
                out.push(Followed { term, how });
            }
            if variable.may_be_made && !self.terms.is_const(p.object) {
                compared.push(p);
            }
        }
        compared.truncate(MOST_COMPARED);
        for (i, a) in compared.iter().enumerate() {
            for b in &compared[i + 1..] {
                let made = self.is_made(a.object);
                let same = self.terms.eq(a.object, b.object);
                let term = self.terms.all(&[made, same]);
                let how = How::Merged;
                out.push(Followed { term, how });
            }
        }
        let mut seen = FxHashSet::default();
        out.retain(|f| {
            let fits = match self.terms.sort(f.term) {
                Sort::BitVec(width) => width <= 64,
                sort => sort == Sort::Bool,
            };
            fits && !self.terms.is_const(f.term) && seen.insert(f.term)
        });
        out
    }

    /// The variables of the program that are looked at.
    fn variables(&mut self, loc: Loc, places: &Places) -> Vec<Variable> {
        let points_to = self.points_to.clone();
        let of_watched = self.watched_objects();
        let is_made = |places: &Targets| {
            let made = |kind: SiteKind| matches!(kind, SiteKind::Made { .. });
            let sites = places.list.iter();
            let mut kinds = sites.map(|place| points_to.sites[place.site.0 as usize]);
            places.anywhere || kinds.any(made)
        };
        let variable = |value, places: &Targets| {
            let may_be_watched = !places.any_offset().apart(1, &of_watched, None);
            Variable {
                value,
                may_be_watched,
                may_be_made: may_be_watched && is_made(&of_watched) && is_made(places),
            }
        };
        let mut out = Vec::new();
        for reg in self.graph.location(loc).live.clone() {
            let value = self.vocabulary.reg(reg);
            if let (SymVal::Ptr(p), Some(bytes)) = (value, places.locals.get(&reg)) {
                let holds = self.terms.read(BASE, p.object, p.offset, *bytes);
                let holds = SymVal::Bits(holds);
                out.push(variable(holds, &Targets::default()));
            }
            let places = points_to.register(self.function, reg);
            out.push(variable(value, places));
        }
        out.truncate(MOST_VARIABLES);
        if !places.is_empty() {
            let others = (0..self.program.globals.len() as u32).map(GlobalReg);
            let others = others.filter(|global| !self.options.initial.contains(global));
            for global in others.take(MOST_VARIABLES) {
                let value = self.vocabulary.global(global);
                out.push(variable(value, points_to.global(global)));
            }
        }
        for cell in &places.cells {
            let value = SymVal::Ptr(self.cell(*cell));
            let targets = self.targets_of(*cell);
            // One that never points to an object says nothing.
            if targets.anywhere || !targets.list.is_empty() {
                out.push(variable(value, &targets));
            }
        }
        let bits = self.program.pointer_bits;
        for (object, at, bytes) in &places.flags {
            let object = self.terms.bv_u128(32, object.0.into());
            let at = self.terms.bv_u128(bits, (*at).into());
            let holds = SymVal::Bits(self.terms.read(BASE, object, at, *bytes));
            out.push(variable(holds, &Targets::default()));
        }
        out
    }

    /// The objects that may be the watched one.
    fn watched_objects(&self) -> Targets {
        let globals = self.options.watched.iter();
        let all = globals.map(|global| self.points_to.global(*global).any_offset());
        all.fold(Targets::default(), Targets::join)
    }

    /// What may be stored in a cell.
    fn targets_of(&self, (object, offset): Cell) -> Targets {
        match self.points_to.static_place(object, offset) {
            None => Targets::anywhere(),
            Some(place) => self.points_to.stored_at(&Targets {
                list: vec![place],
                ..Targets::default()
            }),
        }
    }

    /// Whether a pointer is the watched object, where there is one.
    fn is_watched(&mut self, watched: Pointer, p: Pointer) -> Term {
        let none = self.terms.bv_u128(32, 0);
        let some = self.terms.ne(watched.object, none);
        let same = self.terms.eq(watched.object, p.object);
        let there = self.terms.eq(watched.offset, p.offset);
        self.terms.all(&[some, same, there])
    }

    /// Whether an object was made while running.
    fn is_made(&mut self, object: Term) -> Term {
        let first = self.program.first_dynamic().0;
        let first = self.terms.bv_u128(32, first.into());
        self.terms.ule(first, object)
    }

    /// A number, or a pointer in parts: its object, where all that are made while running are
    /// one, and its offset.
    fn follow_value(&mut self, value: SymVal, apart: bool, out: &mut Vec<Followed>) {
        match value {
            SymVal::Bits(term) => out.push(Followed {
                term,
                how: if apart { How::Apart } else { How::Merged },
            }),
            SymVal::Ptr(p) => {
                let made = self.is_made(p.object);
                let first = self.program.first_dynamic().0;
                let first = self.terms.bv_u128(32, first.into());
                let object = self.terms.ite(made, first, p.object);
                for (term, merged) in [(object, How::Few), (p.offset, How::Merged)] {
                    let how = if apart { How::Apart } else { merged };
                    out.push(Followed { term, how });
                }
            }
            SymVal::Float(_) => {}
        }
    }

    /// The pointer that a cell holds. Bytes that were not stored as one are a number.
    fn cell(&mut self, (object, at): Cell) -> Pointer {
        let bits = self.program.pointer_bits;
        let object = self.terms.bv_u128(32, object.0.into());
        let at = self.terms.bv_u128(bits, at.into());
        let tag = self.terms.read_tag(BASE, object, at);
        let none = self.terms.bv_u128(32, 0);
        let number = self.terms.read(BASE, object, at, bits / 8);
        let holds = self.terms.read_ptr_object(BASE, object, at);
        let offset = self.terms.read_ptr_offset(BASE, object, at);
        Pointer {
            object: self.terms.ite(tag, holds, none),
            offset: self.terms.ite(tag, offset, number),
        }
    }

    /// Registers with the addresses of small variables of functions, and their sizes.
    fn locals(&self) -> Locals {
        let mut out = Locals::default();
        let blocks = &self.program.function(self.function).blocks;
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
    pub(crate) fn followed_places(&self) -> Places {
        let mut pointers = BTreeSet::new();
        let (mut flags, mut others, mut loaded) =
            (pointers.clone(), pointers.clone(), pointers.clone());
        let bits = self.program.pointer_bits;
        for block in &self.program.function(self.function).blocks {
            let mut before: Option<&Inst> = None;
            for inst in &block.insts {
                let last = before.replace(inst);
                let (found, ptr, sort) = match inst {
                    Inst::Store { sort, ptr, src } => match (sort, src) {
                        (CodeSort::Ptr, _) => (&mut pointers, ptr, sort),
                        (CodeSort::Int(8 | 16 | 32 | 64), Operand::Const(_)) => {
                            (&mut flags, ptr, sort)
                        }
                        _ => (&mut others, ptr, sort),
                    },
                    Inst::Load { sort, ptr, .. } if *sort == CodeSort::Ptr => {
                        (&mut loaded, ptr, sort)
                    }
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
            let info = self.program.object(*object);
            info.is_some_and(|info| info.kind == StaticKind::Variable)
        };
        let unwritten = loaded.difference(&pointers).copied().filter(is_variable);
        let unwritten: Vec<_> = unwritten.take(MOST_CELLS / 2).collect();
        let mut pointers: Vec<_> = pointers.into_iter().filter(is_variable).collect();
        // Those that may be the watched object come first.
        let watched = self.watched_objects();
        pointers.sort_by_cached_key(|(object, at, _)| {
            let targets = self.targets_of((*object, *at));
            targets.any_offset().apart(1, &watched, None)
        });
        let pointers = pointers.into_iter().take(MOST_CELLS).chain(unwritten);
        let flags = flags.difference(&others).copied().filter(is_variable);
        Places {
            cells: pointers.map(|(object, at, _)| (object, at)).collect(),
            flags: flags.take(MOST_FLAGS).collect(),
            locals: self.locals(),
        }
    }
}
