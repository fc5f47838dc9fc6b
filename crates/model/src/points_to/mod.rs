//! Points-to: where every pointer of a program may point, in all runs.
//!
//! Inclusion-based (Andersen), field-sensitive by byte offset, flow- and context-insensitive, with
//! the targets of calls through pointers computed on the fly (algorithm notes 5.4). Abstract
//! objects are static objects and allocating instructions. The result gives what a call may write
//! ([`Writes`]), and so its frame: what it leaves unchanged.
//!
//! Soundness is about every state of every run from the entry: the object and offset of a pointer
//! in a register, in a promoted global or in a slot of memory are in its set; null and plain
//! numbers, through which no access succeeds, are offsets of a separate abstract object. Untracked
//! pointers may point anywhere: addresses that are assembled from pieces. A number without an
//! address in it points to no object (`numbers.rs`, [`provenance`]). All this holds as long as
//! accesses stay inside their objects; other accesses bail.
//!
//! # Files
//!
//! - `constraints`: from code to constraints; `solve`: their least solution
//! - `place`, `sites`: sets of places, and abstract objects
//! - `memory`: the contents of objects; `fresh`: bytes that are initialised at once
//! - `numbers`: which numbers may be addresses
//! - `provenance`, `unset`: mark reads and conversions of numbers that are no address, and of bytes
//!   that were never written
//! - `writes`: what a call may write; `ends`: which objects it may end
//! - `addresses`, `terms`: the addresses in predicates
//! - `prune`: removes impossible cases of calls through pointers
//! - `bound`: states points-to facts before accesses
//!
//! **Invariant:** points-to sets hold in every reachable state; `exec`'s tests compare each pointer
//! and each write of runs with them, and the interpreter bails where an `Inst::Within` does not
//! hold. Engine and checker derive from them which writes never overlap a read, so what they say
//! about a step holds from every reachable state, and only from those.
//!
//! **Invariant:** a number leads to an object only if the object's address went into it.
//! Interpreter, engine and checker take this from marks in the code (`Other`, `plain`, `numbers`),
//! so they cannot disagree about it. An access through another number bails as
//! `invalid-pointer`, which a proof treats as undefined, like accesses out of bounds. Only a
//! comparison can find that such a number equals an object's address.

mod addresses;
mod bound;
mod constraints;
mod ends;
mod fresh;
mod memory;
mod numbers;
mod place;
mod provenance;
mod prune;
mod sites;
mod solve;
mod terms;
mod unset;
mod writes;

pub use addresses::{Addresses, Holder};
pub(crate) use bound::{bounds, insert};
pub use ends::Ends;
pub(crate) use fresh::unwritten;
pub use place::{Place, Places, Site};
pub use provenance::provenance;
pub use prune::prune;
pub use sites::SiteKind;
pub use terms::{Leaf, Leaves};
pub use writes::{Range, Writes};

use crate::program::*;
use rustc_hash::FxHashMap;
use solve::{Node, Solver};

/// The value of a constant operand.
fn constant(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const(Constant::Int { value, .. }) => u64::try_from(value).ok(),
        _ => None,
    }
}

/// The points-to sets of a program. The default is that of no program, which says nothing.
#[derive(Debug, Default)]
pub struct PointsTo {
    /// The abstract objects.
    pub sites: Vec<SiteKind>,
    sets: Vec<Places>,
    registers: Vec<Option<u32>>,
    globals: Vec<Node>,
    /// Stored pointers, by abstract object.
    stored: Vec<Vec<(Place, Node)>>,
    stored_anywhere: Node,
    active: Vec<Vec<bool>>,
    writes: Vec<Writes>,
    ends: Vec<Ends>,
    made: FxHashMap<SiteKind, Site>,
    pointer_bits: u32,
}

impl PointsTo {
    /// Analyses a program from its entry.
    pub fn of(program: &Program) -> PointsTo {
        let mut solver = Solver::new(program);
        solver.start();
        solver.solve();
        solver.finish()
    }

    pub(crate) fn from_solver(mut solver: Solver<'_>) -> PointsTo {
        let program = solver.program;
        let writes = writes::of(&solver);
        let contents = std::mem::take(&mut solver.contents);
        let sites = std::mem::take(&mut solver.sites);
        let numbered = sites.iter().enumerate();
        let mut points_to = PointsTo {
            ends: Vec::new(),
            made: numbered.map(|(i, kind)| (*kind, Site(i as u32))).collect(),
            sites,
            registers: std::mem::take(&mut solver.registers),
            globals: std::mem::take(&mut solver.globals),
            stored: contents.into_iter().map(|c| c.stored).collect(),
            stored_anywhere: solver.stored_anywhere,
            active: std::mem::take(&mut solver.active),
            writes,
            pointer_bits: solver.program.pointer_bits,
            sets: solver.into_sets(),
        };
        points_to.ends = ends::of(program, &points_to);
        points_to
    }

    /// Where a register may point.
    pub fn register(&self, function: FnId, reg: Reg) -> &Places {
        const NOWHERE: &Places = &Places {
            anywhere: false,
            list: Vec::new(),
            numbers: Vec::new(),
        };
        match self.registers[function.0 as usize] {
            Some(base) => &self.sets[(base + reg.0) as usize],
            // It is never called.
            None => NOWHERE,
        }
    }

    /// Where a promoted global may point.
    pub fn global(&self, global: GlobalReg) -> &Places {
        &self.sets[self.globals[global.0 as usize].0 as usize]
    }

    /// The place of a static object's offset.
    pub fn static_place(&self, object: ObjectId, offset: u64) -> Option<Place> {
        let at = object.0.checked_sub(1)?;
        let known = matches!(self.sites.get(at as usize), Some(SiteKind::Static(_)));
        known.then(|| Place::new(Site(at), offset, self.pointer_bits))
    }

    /// The abstract object of a kind, if the allocating code is reachable.
    pub fn site(&self, kind: SiteKind) -> Option<Site> {
        self.made.get(&kind).copied()
    }

    /// The pointers that may be stored, as pointers, at these places.
    pub fn stored_at(&self, places: &Places) -> Places {
        let mut out = Places::default();
        if places.anywhere || self.sets[self.stored_anywhere.0 as usize].anywhere {
            return Places::anywhere();
        }
        for place in &places.list {
            let stored = self.stored.get(place.site.0 as usize);
            for (at, node) in stored.into_iter().flatten() {
                if at.may_equal(*place) {
                    out.anywhere |= self.sets[node.0 as usize].anywhere;
                    out.list.extend(&self.sets[node.0 as usize].list);
                    out.numbers.extend(&self.sets[node.0 as usize].numbers);
                }
            }
        }
        out.join(Places::default())
    }

    /// Whether a pointer to an object may be stored at these places.
    pub fn may_hold_pointer(&self, places: &Places) -> bool {
        if places.anywhere || self.sets[self.stored_anywhere.0 as usize].anywhere {
            return true;
        }
        let held = |place: &Place| {
            let stored = self.stored.get(place.site.0 as usize);
            stored.into_iter().flatten().any(|(at, node)| {
                let set = &self.sets[node.0 as usize];
                at.may_equal(*place) && (set.anywhere || !set.list.is_empty())
            })
        };
        places.list.iter().any(held)
    }

    /// What a call of a function may write, its callees included.
    pub fn writes(&self, function: FnId) -> &Writes {
        &self.writes[function.0 as usize]
    }

    /// Whether a block is reachable.
    pub fn is_active(&self, function: FnId, block: BlockId) -> bool {
        self.active[function.0 as usize][block.0 as usize]
    }

    /// The size of the result: nodes, their places, and abstract objects.
    pub fn size(&self) -> (usize, usize, usize) {
        let places = self.sets.iter().map(|set| set.list.len()).sum();
        (self.sets.len(), places, self.sites.len())
    }
}
