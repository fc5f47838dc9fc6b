//! Symbolic memory: a base version and a log of writes over it.
//!
//! Reads are resolved against the log from the newest write to the oldest, by the alias classes of
//! algorithm notes 2.5: disjoint, exact, overlap at a known distance, or undecided, which becomes
//! an `ite` over the classes. The result is a term over reads of the base version alone, so
//! predicates never contain a store. A write may be guarded by the condition of its block.
//!
//! A pointer is written as a slot; its bytes are those of its address, so data reads over a slot
//! are terms too.

use super::distance::{
    difference, object_number, object_numbers, trailing_zeros, zeros_of_difference,
};
use crate::mutants::{Mutant, mutated};
use attest_model::points_to::Addresses;
use attest_term::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The version of the initial memory.
pub const BASE: u32 = 0;
/// The version whose reads are the sizes of objects: a rigid function, read at offset 0.
pub const SIZES: u32 = 1;
/// The version whose bytes say which objects have ended: 1 at offset 0 of an object whose life has
/// ended, and 0 everywhere else. So static objects and objects that are not made yet read as 0, and
/// an allocation changes nothing. A byte is never set back, since numbers are not reused.
pub const LIVES: u32 = 2;

/// The version whose reads are the shadows of the initial memory. The versions between are the
/// checker's.
pub const SHADOW: u32 = 5;

/// The nesting depth of choices up to which a pointer's object is analysed.
const DEEPEST_CHOICE: u32 = 6;

/// A pointer as terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// Its object, 32 bits.
    pub object: Term,
    /// Its offset, of pointer width.
    pub offset: Term,
}

/// The contents of a write.
#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    /// This many bytes of data.
    Data(Term, u32),
    /// A pointer slot.
    Slot(Pointer),
    /// The contents of another place when the log had this length: source, number of bytes.
    Copy(Pointer, Term, usize),
    /// One byte, repeated.
    Fill(Term, Term),
    /// This many bytes of shadow alone.
    Shadow(Term, u32),
    /// One byte of shadow, repeated.
    ShadowFill(Term, Term),
}

#[derive(Clone, Copy, Debug)]
struct Write {
    at: Pointer,
    what: What,
    /// The condition of the write, if it has one.
    guard: Option<Term>,
}

impl Write {
    fn same(&self, other: &Write) -> bool {
        self.at == other.at && self.guard == other.guard && self.what == other.what
    }
}

/// What a read asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReadKind {
    /// This many bytes.
    Data(u32),
    /// The object of the pointer stored here.
    SlotObject,
    /// The offset of the pointer stored here.
    SlotOffset,
    /// Whether a pointer slot starts here.
    Tag,
    /// The shadow of this many bytes.
    Shadow(u32),
}

/// The relative position of a write and a read.
enum Class {
    Disjoint,
    /// Same object; the read starts this many bytes above the write's start.
    Distance(i64),
    Undecided,
}

/// A log of writes over the base version.
#[derive(Clone, Debug)]
pub struct SymMemory {
    log: Vec<Write>,
    /// Writes to objects with a constant number, by that number.
    known: FxHashMap<u32, Vec<u32>>,
    /// Writes to other objects.
    unknown: Vec<u32>,
    bytes: u32,
    /// The object counter at the start: every pointer of the start state is below it.
    first_new: Term,
    /// The number of static objects.
    statics: u32,
    /// The base version: [`BASE`] or [`LIVES`].
    version: u32,
    /// Whether the base version stores no pointer; of lives, whether none has ended.
    no_pointers: bool,
    /// Whether all contents of the base version are set.
    all_set: bool,
    /// Whether memory has shadows.
    shadows: bool,
    /// Facts about which addresses are never equal in reachable states.
    addresses: Option<Arc<Addresses>>,
}

impl SymMemory {
    /// An empty log.
    pub fn new(pointer_bits: u32, first_new: Term, statics: u32) -> SymMemory {
        SymMemory {
            log: Vec::new(),
            known: FxHashMap::default(),
            unknown: Vec::new(),
            bytes: pointer_bits / 8,
            first_new,
            statics,
            version: BASE,
            no_pointers: false,
            all_set: false,
            shadows: false,
            addresses: None,
        }
    }

    /// An empty log over which objects have ended.
    pub fn lives(pointer_bits: u32, first_new: Term, statics: u32) -> SymMemory {
        SymMemory {
            version: LIVES,
            ..SymMemory::new(pointer_bits, first_new, statics)
        }
    }

    /// The same log, of a program whose memory has shadows or not.
    pub fn with_shadows(self, shadows: bool) -> SymMemory {
        SymMemory { shadows, ..self }
    }

    /// The same log over a base version whose contents are all set: memory before the first
    /// instruction.
    pub fn all_set(self) -> SymMemory {
        SymMemory {
            all_set: true,
            ..self
        }
    }

    /// Whether memory has shadows.
    pub fn has_shadows(&self) -> bool {
        self.shadows
    }

    /// The same log, with facts about which addresses of the start state are never equal.
    pub fn with_addresses(self, addresses: Option<Arc<Addresses>>) -> SymMemory {
        SymMemory { addresses, ..self }
    }

    /// The same log over a base version without pointers: memory before the first instruction,
    /// where all contents other than the initial ones are plain bytes.
    pub fn without_pointers(self) -> SymMemory {
        SymMemory {
            no_pointers: true,
            ..self
        }
    }

    /// The number of writes.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether there are no writes.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// One log for several states that merge: their common prefix, then each state's own writes
    /// under its condition. The conditions are mutually exclusive, so the order is irrelevant.
    pub fn join(terms: &mut Terms, states: &[(Term, &SymMemory)]) -> SymMemory {
        let first = states[0].1;
        let shared = |i: usize| {
            let same = |m: &SymMemory| m.log.get(i).is_some_and(|w| w.same(&first.log[i]));
            states.iter().all(|(_, m)| same(m))
        };
        let common = (0..first.log.len()).take_while(|i| shared(*i)).count();
        let mut joined = SymMemory::new(first.bytes * 8, first.first_new, first.statics);
        joined.version = first.version;
        joined.no_pointers = first.no_pointers;
        joined.all_set = first.all_set;
        joined.shadows = first.shadows;
        joined.addresses.clone_from(&first.addresses);
        for write in &first.log[..common] {
            joined.push(terms, *write);
        }
        for (cond, memory) in states {
            let moved = joined.log.len() - common;
            for write in &memory.log[common..] {
                let guard = match write.guard {
                    Some(guard) => terms.all(&[*cond, guard]),
                    None => *cond,
                };
                let mut write = Write {
                    guard: Some(guard),
                    ..*write
                };
                if let What::Copy(_, _, upto) = &mut write.what
                    && *upto > common
                {
                    *upto += moved;
                }
                joined.push(terms, write);
            }
        }
        joined
    }

    fn push(&mut self, terms: &Terms, write: Write) {
        let at = self.log.len() as u32;
        match object_number(terms, write.at.object) {
            Some(object) => self.known.entry(object).or_default().push(at),
            None => self.unknown.push(at),
        }
        self.log.push(write);
    }

    /// Writes below a length of the log that may overlap a read of this object, newest first.
    fn candidates(&self, terms: &Terms, object: Term, upto: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        if !object_numbers(terms, object, DEEPEST_CHOICE, &mut numbers) {
            return (0..upto as u32).rev().collect();
        }
        let below = |list: &[u32]| list.partition_point(|i| (*i as usize) < upto);
        let own = numbers.iter().filter_map(|number| self.known.get(number));
        let lists = own.chain([&self.unknown]);
        let mut out: Vec<u32> = lists
            .flat_map(|list| &list[..below(list)])
            .copied()
            .collect();
        // A few sorted runs.
        out.sort();
        out.reverse();
        out
    }

    /// The places and values of data writes, oldest first; fills and copies are left out.
    pub fn stores(&self) -> impl Iterator<Item = (Pointer, Term)> + '_ {
        self.log.iter().filter_map(|write| match write.what {
            What::Data(value, _) => Some((write.at, value)),
            _ => None,
        })
    }

    /// Writes data.
    pub fn store(&mut self, terms: &Terms, at: Pointer, value: Term, guard: Option<Term>) {
        if mutated(Mutant::WriteForgotten) {
            return;
        }
        let bytes = terms.width(value) / 8;
        self.push(
            terms,
            Write {
                at,
                what: What::Data(value, bytes),
                guard,
            },
        );
    }

    /// Writes a pointer slot.
    pub fn store_pointer(
        &mut self,
        terms: &Terms,
        at: Pointer,
        value: Pointer,
        guard: Option<Term>,
    ) {
        self.push(
            terms,
            Write {
                at,
                what: What::Slot(value),
                guard,
            },
        );
    }

    /// Copies bytes and slots.
    pub fn copy(
        &mut self,
        terms: &Terms,
        to: Pointer,
        from: Pointer,
        len: Term,
        guard: Option<Term>,
    ) {
        let upto = self.log.len();
        self.push(
            terms,
            Write {
                at: to,
                what: What::Copy(from, len, upto),
                guard,
            },
        );
    }

    /// Fills with a byte.
    pub fn fill(&mut self, terms: &Terms, at: Pointer, byte: Term, len: Term, guard: Option<Term>) {
        self.push(
            terms,
            Write {
                at,
                what: What::Fill(byte, len),
                guard,
            },
        );
    }

    /// Writes the shadow of data.
    pub fn store_shadow(&mut self, terms: &Terms, at: Pointer, shadow: Term, guard: Option<Term>) {
        let what = What::Shadow(shadow, terms.width(shadow) / 8);
        self.push(terms, Write { at, what, guard });
    }

    /// Fills the shadow of memory with a byte.
    pub fn fill_shadow(
        &mut self,
        terms: &Terms,
        at: Pointer,
        byte: Term,
        len: Term,
        guard: Option<Term>,
    ) {
        let what = What::ShadowFill(byte, len);
        self.push(terms, Write { at, what, guard });
    }

    /// The shadow here.
    pub fn read_shadow(&self, terms: &mut Terms, at: Pointer, bytes: u32) -> Term {
        self.resolve_read(terms, at, ReadKind::Shadow(bytes), self.log.len())
    }

    /// What a write does to the memory that is read, as a write of data; none if it does nothing.
    fn seen(&self, terms: &mut Terms, write: Write, kind: ReadKind) -> Option<Write> {
        let shadow = matches!(kind, ReadKind::Shadow(_));
        let what = match write.what {
            What::Shadow(..) | What::ShadowFill(..) if !shadow => return None,
            what if !shadow => what,
            What::Copy(..) => write.what,
            What::Shadow(value, bytes) => What::Data(value, bytes),
            What::ShadowFill(byte, len) => What::Fill(byte, len),
            // What is written is set.
            What::Data(_, bytes) => What::Data(terms.bv_u128(bytes * 8, 0), bytes),
            What::Slot(_) => What::Data(terms.bv_u128(self.bytes * 8, 0), self.bytes),
            What::Fill(_, len) => What::Fill(terms.bv_u128(8, 0), len),
        };
        Some(Write { what, ..write })
    }

    /// Data here.
    pub fn read(&self, terms: &mut Terms, at: Pointer, bytes: u32) -> Term {
        self.resolve_read(terms, at, ReadKind::Data(bytes), self.log.len())
    }

    /// The pointer stored here, where [`SymMemory::tag`] says that one is.
    pub fn read_slot(&self, terms: &mut Terms, at: Pointer) -> Pointer {
        Pointer {
            object: self.resolve_read(terms, at, ReadKind::SlotObject, self.log.len()),
            offset: self.resolve_read(terms, at, ReadKind::SlotOffset, self.log.len()),
        }
    }

    /// Whether a pointer slot starts here.
    pub fn tag(&self, terms: &mut Terms, at: Pointer) -> Term {
        self.resolve_read(terms, at, ReadKind::Tag, self.log.len())
    }

    /// Rewrites the reads of the base version in a predicate about the state after this log into
    /// terms over the state before it.
    pub fn resolve(&self, terms: &mut Terms, op: Op, args: &[Term]) -> Option<Term> {
        let shadow = self.version == BASE && op.version() == Some(SHADOW);
        if op.version() != Some(self.version) && !shadow {
            return None;
        }
        let kind = match op {
            Op::Read {
                version: SHADOW,
                bytes,
            } => ReadKind::Shadow(bytes),
            Op::Read { bytes, .. } => ReadKind::Data(bytes),
            Op::ReadPtrObject { .. } => ReadKind::SlotObject,
            Op::ReadPtrOffset { .. } => ReadKind::SlotOffset,
            Op::ReadTag { .. } => ReadKind::Tag,
            _ => return None,
        };
        let at = Pointer {
            object: args[0],
            offset: args[1],
        };
        Some(self.resolve_read(terms, at, kind, self.log.len()))
    }

    /// Whether an object has ended, as a byte.
    pub fn ended(&self, terms: &mut Terms, object: Term) -> Term {
        let offset = terms.bv_u128(self.bytes * 8, 0);
        self.read(terms, Pointer { object, offset }, 1)
    }

    /// An object ends under a condition.
    pub fn end(&mut self, terms: &mut Terms, object: Term, when: Term, guard: Option<Term>) {
        if mutated(Mutant::EndForgotten) {
            return;
        }
        let offset = terms.bv_u128(self.bytes * 8, 0);
        let guard = match terms.bool_const(when) {
            Some(false) => return,
            Some(true) => guard,
            None => Some(terms.all(&[when, guard.unwrap_or(when)])),
        };
        let one = terms.bv_u128(8, 1);
        self.store(terms, Pointer { object, offset }, one, guard);
    }

    /// Whether an object surely is none of the static ones, nor null.
    pub fn is_dynamic(&self, terms: &mut Terms, object: Term) -> bool {
        let number = object_number(terms, object);
        number.is_some_and(|number| number > self.statics) || self.is_new(terms, object)
    }

    /// Whether an object had ended at the start, as a byte. A choice of objects is a choice of
    /// bytes, so that new objects and static ones among them are known.
    fn had_ended(&self, terms: &mut Terms, at: Pointer, depth: u32) -> Term {
        let number = object_number(terms, at.object);
        let is_static = number.is_some_and(|number| number <= self.statics);
        if self.no_pointers || is_static || self.is_new(terms, at.object) {
            return terms.bv_u128(8, 0);
        }
        if terms.op(at.object) == Op::Ite && depth > 0 {
            let [which, yes, no] = [0, 1, 2].map(|i| terms.arg(at.object, i));
            let [yes, no] = [yes, no].map(|object| Pointer { object, ..at });
            let yes = self.had_ended(terms, yes, depth - 1);
            let no = self.had_ended(terms, no, depth - 1);
            return terms.ite(which, yes, no);
        }
        terms.read(LIVES, at.object, at.offset, 1)
    }

    fn base(&self, terms: &mut Terms, at: Pointer, kind: ReadKind) -> Term {
        if self.version == LIVES && kind == ReadKind::Data(1) {
            return self.had_ended(terms, at, DEEPEST_CHOICE);
        }
        // Only existing objects hold pointers.
        let none = !matches!(kind, ReadKind::Data(_) | ReadKind::Shadow(_))
            && (self.no_pointers || self.is_new(terms, at.object));
        match kind {
            ReadKind::Tag if none || self.holds_no_pointer(terms, at) => terms.bool(false),
            ReadKind::SlotObject if none => terms.bv_u128(32, 0),
            ReadKind::SlotOffset if none => terms.bv_u128(self.bytes * 8, 0),
            ReadKind::Data(bytes) => terms.read(self.version, at.object, at.offset, bytes),
            ReadKind::Shadow(bytes) if self.all_set => terms.bv_u128(bytes * 8, 0),
            ReadKind::Shadow(bytes) => terms.read(SHADOW, at.object, at.offset, bytes),
            ReadKind::SlotObject => terms.read_ptr_object(self.version, at.object, at.offset),
            ReadKind::SlotOffset => terms.read_ptr_offset(self.version, at.object, at.offset),
            ReadKind::Tag => terms.read_tag(self.version, at.object, at.offset),
        }
    }

    /// Whether points-to shows that no pointer is ever stored here.
    fn holds_no_pointer(&self, terms: &Terms, at: Pointer) -> bool {
        let known = self.addresses.as_ref();
        known.is_some_and(|known| known.holds_no_pointer(terms, [at.object, at.offset]))
    }

    /// The number of bytes that are read.
    fn span(&self, kind: ReadKind) -> u32 {
        match kind {
            ReadKind::Data(bytes) | ReadKind::Shadow(bytes) => bytes,
            _ => self.bytes,
        }
    }

    fn resolve_read(&self, terms: &mut Terms, at: Pointer, kind: ReadKind, upto: usize) -> Term {
        // Nothing is ever stored at null; states agree. No static object ends.
        let number = object_number(terms, at.object);
        let last = if self.version == LIVES {
            self.statics
        } else {
            0
        };
        if number.is_some_and(|number| number <= last) {
            return match kind {
                ReadKind::Data(bytes) | ReadKind::Shadow(bytes) => terms.bv_u128(bytes * 8, 0),
                ReadKind::SlotObject => terms.bv_u128(32, 0),
                ReadKind::SlotOffset => terms.bv_u128(self.bytes * 8, 0),
                ReadKind::Tag => terms.bool(false),
            };
        }
        // Writes that may matter, newest first, up to one that decides.
        let mut pending: Vec<(Term, Term)> = Vec::new();
        let mut bottom = None;
        for i in self.candidates(terms, at.object, upto) {
            let i = i as usize;
            let Some(write) = self.seen(terms, self.log[i], kind) else {
                continue;
            };
            let hit = match self.classify(terms, &write, at, self.span(kind)) {
                Class::Disjoint => continue,
                Class::Distance(d) => self.known(terms, &write, at, kind, d),
                Class::Undecided => self.undecided(terms, &write, at, kind),
            };
            match hit {
                Hit::Miss => {}
                Hit::Value(value) => match write.guard {
                    None => {
                        bottom = Some(value);
                        break;
                    }
                    Some(guard) => pending.push((guard, value)),
                },
                Hit::When(cond, value) => {
                    let cond = match write.guard {
                        Some(guard) => terms.all(&[guard, cond]),
                        None => cond,
                    };
                    pending.push((cond, value));
                }
                Hit::Bytewise => {
                    bottom = Some(self.bytewise(terms, at, kind, i + 1));
                    break;
                }
            }
        }
        let mut value = match bottom {
            Some(value) => value,
            None => self.base(terms, at, kind),
        };
        for (cond, newer) in pending.into_iter().rev() {
            value = terms.ite(cond, newer, value);
        }
        value
    }

    /// Reads byte by byte, for accesses that partly overlap.
    fn bytewise(&self, terms: &mut Terms, at: Pointer, kind: ReadKind, upto: usize) -> Term {
        match kind {
            ReadKind::Data(1) | ReadKind::Shadow(1) => self.base(terms, at, kind),
            ReadKind::Data(bytes) | ReadKind::Shadow(bytes) => {
                let one = match kind {
                    ReadKind::Shadow(_) => ReadKind::Shadow(1),
                    _ => ReadKind::Data(1),
                };
                let mut value = self.resolve_read(terms, at, one, upto);
                for i in 1..bytes {
                    let next = Pointer {
                        object: at.object,
                        offset: self.plus(terms, at.offset, i.into()),
                    };
                    let byte = self.resolve_read(terms, next, one, upto);
                    value = terms.concat(byte, value);
                }
                value
            }
            // A partly overwritten slot is no longer a slot; its contents are irrelevant, since its
            // tag is false.
            ReadKind::Tag => terms.bool(false),
            ReadKind::SlotObject | ReadKind::SlotOffset => self.base(terms, at, kind),
        }
    }

    fn plus(&self, terms: &mut Terms, offset: Term, by: i128) -> Term {
        let width = terms.width(offset);
        let by = terms.bv_i128(width, by);
        terms.add(offset, by)
    }

    /// Decides the relative position of a write and a read without a solver.
    fn classify(&self, terms: &mut Terms, write: &Write, at: Pointer, span: u32) -> Class {
        if self.different_objects(terms, write.at.object, at.object) {
            return Class::Disjoint;
        }
        let length = match write.what {
            What::Data(_, bytes) => Some(u64::from(bytes)),
            What::Slot(_) => Some(u64::from(self.bytes)),
            What::Shadow(_, bytes) => Some(u64::from(bytes)),
            What::Copy(_, len, _) | What::Fill(_, len) | What::ShadowFill(_, len) => {
                let len = terms.bv_const(len).and_then(attest_term::Bv::to_u128);
                len.map(|len| len.min(i64::MAX as u128) as u64)
            }
        };
        let distance = match write.at.object == at.object {
            true => terms.sub(at.offset, write.at.offset),
            false => return self.unrelated(terms, write, length, at, span),
        };
        let distance = terms.bv_const(distance).and_then(attest_term::Bv::to_i128);
        let (Some(distance), Some(length)) = (distance, length) else {
            return self.unrelated(terms, write, length, at, span);
        };
        let length = i128::from(length);
        if distance >= length || distance + i128::from(span) <= 0 {
            return Class::Disjoint;
        }
        Class::Distance(distance as i64)
    }

    /// A write and a read at a non-constant distance: points-to may separate them.
    fn unrelated(
        &self,
        terms: &Terms,
        write: &Write,
        length: Option<u64>,
        at: Pointer,
        span: u32,
    ) -> Class {
        let Some(addresses) = &self.addresses else {
            return Class::Undecided;
        };
        let [to, from] = [write.at, at].map(|p| [p.object, p.offset]);
        match addresses.apart(terms, to, length, from, span.into()) {
            true => Class::Disjoint,
            false => Class::Undecided,
        }
    }

    /// Whether two object terms are never equal: different numbers, different allocations of this
    /// step, or an old pointer and a new allocation.
    fn different_objects(&self, terms: &mut Terms, a: Term, b: Term) -> bool {
        if a == b {
            return false;
        }
        if difference(terms, a, b).is_some_and(|d| d != 0) {
            return true;
        }
        let old = |t: Term, terms: &Terms| self.is_old(terms, t, DEEPEST_CHOICE);
        let a_new = self.is_new(terms, a);
        let b_new = self.is_new(terms, b);
        (a_new && old(b, terms)) || (b_new && old(a, terms))
    }

    /// Whether a term is an object made after the start.
    fn is_new(&self, terms: &mut Terms, object: Term) -> bool {
        difference(terms, object, self.first_new).is_some_and(|above| above < 1 << 24)
    }

    /// Whether a term is an object of the start state, or no object.
    fn is_old(&self, terms: &Terms, object: Term, depth: u32) -> bool {
        match terms.op(object) {
            Op::Var(_) | Op::ReadPtrObject { version: BASE } => object != self.first_new,
            Op::Ite if depth > 0 => [1, 2]
                .into_iter()
                .all(|branch| self.is_old(terms, terms.arg(object, branch), depth - 1)),
            _ => object_number(terms, object).is_some_and(|number| number <= self.statics),
        }
    }

    /// A read of the same object at a known distance that overlaps the write.
    fn known(
        &self,
        terms: &mut Terms,
        write: &Write,
        at: Pointer,
        kind: ReadKind,
        distance: i64,
    ) -> Hit {
        let span = i64::from(self.span(kind));
        match (write.what, kind) {
            (What::Slot(p), ReadKind::SlotObject) if distance == 0 => Hit::Value(p.object),
            (What::Slot(p), ReadKind::SlotOffset) if distance == 0 => Hit::Value(p.offset),
            (What::Slot(_), ReadKind::Tag) => Hit::Value(terms.bool(distance == 0)),
            (What::Slot(p), ReadKind::Data(bytes)) => {
                let address = self.address(terms, p);
                part(terms, address, i64::from(self.bytes), distance, bytes)
            }
            (
                What::Data(value, width) | What::Shadow(value, width),
                ReadKind::Data(bytes) | ReadKind::Shadow(bytes),
            ) => part(terms, value, width.into(), distance, bytes),
            (What::Copy(from, len, before), kind) => {
                let len = terms
                    .bv_const(len)
                    .and_then(attest_term::Bv::to_u128)
                    .unwrap_or(0) as i64;
                if distance >= 0 && distance + span <= len {
                    let offset = self.plus(terms, from.offset, distance.into());
                    let source = Pointer {
                        object: from.object,
                        offset,
                    };
                    Hit::Value(self.resolve_read(terms, source, kind, before))
                } else {
                    Hit::Bytewise
                }
            }
            (
                What::Fill(byte, len) | What::ShadowFill(byte, len),
                ReadKind::Data(bytes) | ReadKind::Shadow(bytes),
            ) => {
                let len = terms
                    .bv_const(len)
                    .and_then(attest_term::Bv::to_u128)
                    .unwrap_or(0) as i64;
                if distance >= 0 && distance + span <= len {
                    let mut value = byte;
                    for _ in 1..bytes {
                        value = terms.concat(byte, value);
                    }
                    Hit::Value(value)
                } else {
                    Hit::Bytewise
                }
            }
            (What::Slot(_), ReadKind::Shadow(_)) => Hit::Bytewise,
            (_, ReadKind::Tag) => Hit::Value(terms.bool(false)),
            // No longer a slot: see `bytewise`.
            (_, ReadKind::SlotObject | ReadKind::SlotOffset) => {
                Hit::Value(self.base(terms, at, kind))
            }
        }
    }

    /// A read that may overlap the write: the condition, and the value under it.
    fn undecided(&self, terms: &mut Terms, write: &Write, at: Pointer, kind: ReadKind) -> Hit {
        let same = terms.eq(write.at.object, at.object);
        let distance = terms.sub(at.offset, write.at.offset);
        let width = terms.width(distance);
        let (length, constant) = match write.what {
            What::Data(_, bytes) | What::Shadow(_, bytes) => {
                (terms.bv_u128(width, bytes.into()), Some(bytes))
            }
            What::Slot(_) => (terms.bv_u128(width, self.bytes.into()), Some(self.bytes)),
            What::Copy(_, len, _) | What::Fill(_, len) | What::ShadowFill(_, len) => (len, None),
        };
        let span = self.span(kind);
        // Aligned accesses of one size overlap exactly or not at all.
        let zeros = span.trailing_zeros();
        let aligned = constant == Some(span)
            && span.is_power_of_two()
            && (trailing_zeros(terms, at.offset) >= zeros
                && trailing_zeros(terms, write.at.offset) >= zeros
                || zeros_of_difference(terms, at.offset, write.at.offset) >= zeros);
        if span == 1 || aligned {
            let inside = terms.ult(distance, length);
            let meets = terms.all(&[same, inside]);
            let value = self.value_inside(terms, write, at, kind, distance);
            return Hit::When(meets, value);
        }
        match kind {
            // Partial overlap is possible: read each byte separately.
            ReadKind::Data(_) | ReadKind::Shadow(_) => Hit::Bytewise,
            // Where the two overlap, the slot is this write's or none.
            _ => {
                let zero = terms.bv_u128(width, 0);
                let exact = terms.eq(distance, zero);
                let below = terms.ult(distance, length);
                let reverse = terms.neg(distance);
                let reach = terms.bv_u128(width, span.into());
                let above = terms.ult(reverse, reach);
                let overlaps = terms.any(&[below, above]);
                let meets = terms.all(&[same, overlaps]);
                match (write.what, kind) {
                    (What::Slot(p), ReadKind::SlotObject) => Hit::When(meets, p.object),
                    (What::Slot(p), ReadKind::SlotOffset) => Hit::When(meets, p.offset),
                    (What::Slot(_), _) => Hit::When(meets, exact),
                    (What::Copy(..), _) => {
                        let mut value = self.value_inside(terms, write, at, kind, distance);
                        if kind == ReadKind::Tag {
                            // The copy breaks a slot that is only partly inside it.
                            let left = terms.sub(length, distance);
                            let fits = terms.ule(reach, left);
                            value = terms.all(&[below, fits, value]);
                        }
                        Hit::When(meets, value)
                    }
                    (_, ReadKind::Tag) => Hit::When(meets, terms.bool(false)),
                    _ => Hit::Miss,
                }
            }
        }
    }

    /// The value of a read that lies inside the write, at a symbolic distance.
    fn value_inside(
        &self,
        terms: &mut Terms,
        write: &Write,
        at: Pointer,
        kind: ReadKind,
        distance: Term,
    ) -> Term {
        match (write.what, kind) {
            (
                What::Data(value, width) | What::Shadow(value, width),
                ReadKind::Data(bytes) | ReadKind::Shadow(bytes),
            ) => pick(terms, value, width, distance, bytes),
            (What::Slot(p), ReadKind::Data(bytes)) => {
                let address = self.address(terms, p);
                pick(terms, address, self.bytes, distance, bytes)
            }
            (What::Slot(p), ReadKind::SlotObject) => p.object,
            (What::Slot(p), ReadKind::SlotOffset) => p.offset,
            (What::Slot(_), ReadKind::Tag) => {
                let zero = terms.bv_u128(terms.width(distance), 0);
                terms.eq(distance, zero)
            }
            (What::Copy(from, _, before), kind) => {
                let offset = terms.add(from.offset, distance);
                self.resolve_read(
                    terms,
                    Pointer {
                        object: from.object,
                        offset,
                    },
                    kind,
                    before,
                )
            }
            (
                What::Fill(byte, _) | What::ShadowFill(byte, _),
                ReadKind::Data(bytes) | ReadKind::Shadow(bytes),
            ) => {
                let mut value = byte;
                for _ in 1..bytes {
                    value = terms.concat(byte, value);
                }
                value
            }
            (What::Slot(_), ReadKind::Shadow(bytes)) => terms.bv_u128(bytes * 8, 0),
            (_, ReadKind::Tag) => terms.bool(false),
            (_, ReadKind::SlotObject | ReadKind::SlotOffset) => self.base(terms, at, kind),
        }
    }

    /// The address of a pointer: an unknown but fixed base per object, plus the offset.
    pub fn address(&self, terms: &mut Terms, p: Pointer) -> Term {
        if terms
            .bv_const(p.object)
            .is_some_and(attest_term::Bv::is_zero)
        {
            return p.offset;
        }
        let base = terms.base(p.object, self.bytes * 8);
        terms.add(base, p.offset)
    }
}

/// The effect of a write on a read.
enum Hit {
    /// No effect.
    Miss,
    /// Always this value.
    Value(Term),
    /// This value under a condition, else the older contents.
    When(Term, Term),
    /// A partial overlap: each byte must be read separately.
    Bytewise,
}

/// Bytes of a value at a known distance, wholly or partly inside it.
fn part(terms: &mut Terms, value: Term, width: i64, distance: i64, bytes: u32) -> Hit {
    if distance < 0 || distance + i64::from(bytes) > width {
        return Hit::Bytewise;
    }
    let low = distance as u32 * 8;
    Hit::Value(terms.extract(low + bytes * 8 - 1, low, value))
}

/// Bytes of a value at a symbolic distance.
fn pick(terms: &mut Terms, value: Term, width: u32, distance: Term, bytes: u32) -> Term {
    if width == bytes {
        return value;
    }
    let bits = terms.width(value);
    let fitted = if terms.width(distance) >= bits {
        terms.extract(bits - 1, 0, distance)
    } else {
        terms.zext(distance, bits)
    };
    let eight = terms.bv_u128(bits, 8);
    let amount = terms.mul(fitted, eight);
    let moved = terms.lshr(value, amount);
    terms.extract(bytes * 8 - 1, 0, moved)
}
