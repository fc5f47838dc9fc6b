//! Memory as a graph of versions.
//!
//! A version is the memory at the start of the step, a version with one write over it, or a choice
//! between the versions of blocks that join. A read of a version is resolved byte by byte: a write
//! gives the bytes that it covers and passes the read of the others on; a join reads all its
//! versions. The remaining reads are of the start, which is the proof's own vocabulary, or of the
//! memory after a call, of which only the frame is known.
//!
//! Versions also have the ends of objects. A read of whether an object has ended meets these alone,
//! and other reads pass them by.
//!
//! Pointers in memory follow algorithm notes 2.2: a stored pointer, also null, is a slot with a
//! tag, and its bytes are its address; any other write over a part of it removes the tag. Programs
//! cannot see the value of an untagged slot, and it stays unchanged.

use crate::frame::Frame;
use crate::state::Pointer;
use crate::unwind::Whole;
use attest_model::points_to::Addresses;
use attest_term::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The version of reads in the proof's vocabulary.
pub const START: u32 = 0;
/// The version of reads that are sizes of objects, at offset 0.
pub const SIZES: u32 = 1;

/// The version of reads of which objects have ended, at offset 0: 1 if the object has, else 0. An
/// object that is not made yet has not, so an allocation changes nothing.
pub const LIVES: u32 = 2;

/// The version of reads of the memory after a call,
pub const AFTER: u32 = 3;
/// and of which objects have ended then. Proofs can name neither.
pub const LIVES_AFTER: u32 = 4;

/// The version of reads of shadows in the proof's vocabulary: a bit is 1 where the contents were
/// never set.
pub const SHADOW: u32 = 5;

/// The version of reads of shadows after a call.
pub const SHADOW_AFTER: u32 = 6;

/// A version of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(u32);

impl Version {
    /// The memory at the start.
    pub const FIRST: Version = Version(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a version comes from others.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// An unknown memory, whose reads have this version.
    Given(u32),
    Write(Version, Pointer, What),
    /// This object ends under this condition.
    End(Version, Term, Term),
    Join(Vec<(Term, Version)>),
    /// The same memory, on another path.
    Same(Version),
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A number of whole bytes.
    Data(Term),
    Slot(Pointer),
    /// This many bytes from this place of that version.
    Copy(Pointer, Term, Version),
    /// This many copies of this byte.
    Fill(Term, Term),
    /// The shadow of a number of whole bytes, which stay as they are.
    Shadow(Term),
    /// This many copies of this byte in the shadow.
    ShadowFill(Term, Term),
}

/// What is read at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ReadKind {
    Byte,
    /// The shadow of a byte.
    Shadow,
    Tag,
    SlotObject,
    SlotOffset,
    /// Whether the object has ended.
    Ended,
}

/// All versions of a step.
#[derive(Debug)]
pub struct Memories {
    pub(crate) nodes: Vec<Node>,
    pub(crate) known: FxHashMap<(Version, ReadKind, Pointer), Term>,
    /// What is known where the start is the initial state of the program.
    pub(crate) whole: Option<Box<Whole>>,
    /// What the call left unchanged.
    frame: Option<Frame>,
    /// Facts about which addresses over the start's symbols are never equal.
    addresses: Arc<Addresses>,
    pub(crate) pointer_bits: u32,
}

impl Memories {
    /// The memory at the start of a step.
    pub const START: Version = Version(0);

    /// No writes yet.
    pub fn new(pointer_bits: u32, addresses: Arc<Addresses>) -> Memories {
        Memories {
            nodes: vec![Node::Given(START)],
            known: FxHashMap::default(),
            whole: None,
            frame: None,
            addresses,
            pointer_bits,
        }
    }

    /// The memory of a run from the initial state.
    pub fn of_run(pointer_bits: u32, addresses: Arc<Addresses>, whole: Whole) -> Memories {
        Memories {
            whole: Some(Box::new(whole)),
            ..Memories::new(pointer_bits, addresses)
        }
    }

    fn add(&mut self, node: Node) -> Version {
        self.nodes.push(node);
        Version(self.nodes.len() as u32 - 1)
    }

    /// The version after a call: its contents are arbitrary except for what the frame leaves
    /// unchanged.
    pub fn after_call(&mut self, frame: Frame) -> Version {
        self.frame = Some(frame);
        self.add(Node::Given(AFTER))
    }

    fn write(&mut self, terms: &mut Terms, below: Version, at: Pointer, what: What) -> Version {
        let version = self.add(Node::Write(below, at, what));
        self.note_write(terms, below, version, at, what);
        version
    }

    /// The version after a store of whole bytes.
    pub fn store(
        &mut self,
        terms: &mut Terms,
        below: Version,
        at: Pointer,
        value: Term,
    ) -> Version {
        self.write(terms, below, at, What::Data(value))
    }

    /// The version after a store of a pointer.
    pub fn store_pointer(
        &mut self,
        terms: &mut Terms,
        below: Version,
        at: Pointer,
        value: Pointer,
    ) -> Version {
        self.write(terms, below, at, What::Slot(value))
    }

    /// The version after a copy.
    pub fn copy(
        &mut self,
        terms: &mut Terms,
        below: Version,
        to: Pointer,
        from: Pointer,
        len: Term,
    ) -> Version {
        let source = match self.whole {
            Some(_) => self.fork(below),
            None => below,
        };
        self.write(terms, below, to, What::Copy(from, len, source))
    }

    /// The version after a fill.
    pub fn fill(
        &mut self,
        terms: &mut Terms,
        below: Version,
        at: Pointer,
        byte: Term,
        len: Term,
    ) -> Version {
        self.write(terms, below, at, What::Fill(byte, len))
    }

    /// The version after the end of an object, under a condition.
    pub fn end(&mut self, terms: &mut Terms, below: Version, object: Term, when: Term) -> Version {
        let version = self.add(Node::End(below, object, when));
        self.note_end(terms, below, version, object);
        version
    }

    /// The same memory for another path.
    pub fn fork(&mut self, version: Version) -> Version {
        let Some(whole) = &mut self.whole else {
            return version;
        };
        self.nodes.push(Node::Same(version));
        let same = Version(self.nodes.len() as u32 - 1);
        whole.index.fork(version, same);
        same
    }

    /// Whether an object has ended, as a byte.
    pub fn ended(&mut self, terms: &mut Terms, version: Version, object: Term) -> Term {
        let offset = terms.bv_u128(self.pointer_bits, 0);
        let at = Pointer { object, offset };
        self.resolve_read(terms, version, ReadKind::Ended, at)
    }

    /// The version after a store of the shadow of whole bytes.
    pub fn store_shadow(
        &mut self,
        terms: &mut Terms,
        below: Version,
        at: Pointer,
        shadow: Term,
    ) -> Version {
        self.write(terms, below, at, What::Shadow(shadow))
    }

    /// The version after a fill of shadows.
    pub fn fill_shadow(
        &mut self,
        terms: &mut Terms,
        below: Version,
        at: Pointer,
        byte: Term,
        len: Term,
    ) -> Version {
        self.write(terms, below, at, What::ShadowFill(byte, len))
    }

    /// The version of a join: the version of the first condition that holds, or else the last.
    pub fn join(&mut self, versions: Vec<(Term, Version)>) -> Version {
        match versions.split_first() {
            Some((first, rest)) if rest.iter().all(|(_, version)| *version == first.1) => first.1,
            _ => {
                let parts: Vec<Version> = versions.iter().map(|(_, version)| *version).collect();
                let joined = self.add(Node::Join(versions));
                if let Some(whole) = &mut self.whole {
                    whole.index.join(&parts, joined);
                }
                joined
            }
        }
    }

    /// The address of a pointer.
    pub fn address(&self, terms: &mut Terms, p: Pointer) -> Term {
        match terms.bv_const(p.object) {
            Some(object) if object.is_zero() => p.offset,
            _ => {
                let base = terms.base(p.object, self.pointer_bits);
                terms.add(base, p.offset)
            }
        }
    }

    /// Bytes as a number, little-endian.
    pub fn data(&mut self, terms: &mut Terms, version: Version, at: Pointer, bytes: u32) -> Term {
        self.bytes(terms, version, at, bytes, ReadKind::Byte)
    }

    /// The shadows of bytes as a number.
    pub fn shadow(&mut self, terms: &mut Terms, version: Version, at: Pointer, bytes: u32) -> Term {
        self.bytes(terms, version, at, bytes, ReadKind::Shadow)
    }

    fn bytes(
        &mut self,
        terms: &mut Terms,
        version: Version,
        at: Pointer,
        bytes: u32,
        kind: ReadKind,
    ) -> Term {
        if let Some(word) = self.word_of_run(terms, version, at, bytes, kind) {
            return word;
        }
        let parts: Vec<Term> = (0..bytes)
            .map(|i| {
                let place = plus(terms, at, i.into());
                self.resolve_read(terms, version, kind, place)
            })
            .collect();
        for given in [START, AFTER, SHADOW, SHADOW_AFTER] {
            let untouched = (0..bytes).zip(&parts).all(|(i, part)| {
                let place = plus(terms, at, i.into());
                *part == terms.read(given, place.object, place.offset, 1)
            });
            if untouched {
                return terms.read(given, at.object, at.offset, bytes);
            }
        }
        let join = |low, high| terms.concat(high, low);
        parts.into_iter().reduce(join).unwrap_or(at.offset)
    }

    /// Whether a pointer is stored here.
    pub fn tag(&mut self, terms: &mut Terms, version: Version, at: Pointer) -> Term {
        self.resolve_read(terms, version, ReadKind::Tag, at)
    }

    /// The pointer stored here.
    pub fn slot(&mut self, terms: &mut Terms, version: Version, at: Pointer) -> Pointer {
        Pointer {
            object: self.resolve_read(terms, version, ReadKind::SlotObject, at),
            offset: self.resolve_read(terms, version, ReadKind::SlotOffset, at),
        }
    }

    /// A read of the proof's vocabulary, applied to this version instead of the start.
    pub fn resolve(
        &mut self,
        terms: &mut Terms,
        version: Version,
        op: Op,
        args: &[Term],
    ) -> Option<Term> {
        let at = |args: &[Term]| Pointer {
            object: args[0],
            offset: args[1],
        };
        Some(match op {
            Op::Read {
                version: START,
                bytes,
            } => self.data(terms, version, at(args), bytes),
            // The offset is 0 and it is one byte, as `map.rs` has seen to.
            Op::Read { version: LIVES, .. } => self.ended(terms, version, args[0]),
            Op::Read {
                version: SHADOW,
                bytes,
            } => self.shadow(terms, version, at(args), bytes),
            Op::ReadTag { version: START } => self.tag(terms, version, at(args)),
            Op::ReadPtrObject { version: START } => self.slot(terms, version, at(args)).object,
            Op::ReadPtrOffset { version: START } => self.slot(terms, version, at(args)).offset,
            _ => return None,
        })
    }

    /// Resolves a read by the writes of a version. Only joins and copies recurse.
    pub(crate) fn resolve_read(
        &mut self,
        terms: &mut Terms,
        version: Version,
        kind: ReadKind,
        at: Pointer,
    ) -> Term {
        if self.whole.is_some() {
            return self.read_of_run(terms, version, kind, at);
        }
        if let Some(known) = self.known.get(&(version, kind, at)) {
            return *known;
        }
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let mut here = version;
        let mut answer = loop {
            match self.nodes[here.0 as usize].clone() {
                Node::Given(version) if kind == ReadKind::Ended => {
                    let kept = version == START || self.is_life_kept(terms, at);
                    let version = if kept { LIVES } else { LIVES_AFTER };
                    break terms.read(version, at.object, at.offset, 1);
                }
                Node::Given(version) => {
                    let version = match version == AFTER && self.is_kept(terms, kind, at) {
                        true => START,
                        false => version,
                    };
                    let place = [at.object, at.offset];
                    if kind == ReadKind::Tag
                        && version == START
                        && self.addresses.holds_no_pointer(terms, place)
                    {
                        break terms.bool(false);
                    }
                    break given(terms, version, kind, at);
                }
                Node::Join(versions) => {
                    let mut answers = Vec::with_capacity(versions.len());
                    for (cond, version) in versions {
                        answers.push((cond, self.resolve_read(terms, version, kind, at)));
                    }
                    let Some((_, last)) = answers.pop() else {
                        unreachable!("a join has versions");
                    };
                    let choose = |other, (cond, value)| terms.ite(cond, value, other);
                    break answers.into_iter().rev().fold(last, choose);
                }
                Node::Same(below) => here = below,
                Node::End(below, _, _) if kind != ReadKind::Ended => here = below,
                Node::Write(below, _, _) if kind == ReadKind::Ended => here = below,
                Node::End(below, object, when) => {
                    let same = same_object(terms, object, at.object);
                    let now = terms.all(&[when, same]);
                    let never_met = terms.bool_const(same).is_none()
                        && self.are_different(terms, object, at.object);
                    match terms.bool_const(now) {
                        Some(true) => break terms.bv_u128(8, 1),
                        None if !never_met => newer.push((now, terms.bv_u128(8, 1))),
                        _ => {}
                    }
                    here = below;
                }
                Node::Write(below, to, what) => {
                    let mut settled = None;
                    for (cond, value) in self.effect(terms, to, what, kind, at) {
                        match terms.bool_const(cond) {
                            Some(false) => {}
                            Some(true) => {
                                settled = Some(value);
                                break;
                            }
                            None => newer.push((cond, value)),
                        }
                    }
                    match settled {
                        Some(value) => break value,
                        None => here = below,
                    }
                }
            }
        };
        for (cond, value) in newer.into_iter().rev() {
            answer = terms.ite(cond, value, answer);
        }
        self.known.insert((version, kind, at), answer);
        answer
    }

    fn is_kept(&self, terms: &Terms, kind: ReadKind, at: Pointer) -> bool {
        let frame = self.frame.as_ref();
        frame.is_some_and(|frame| frame.keeps(terms, at, self.span(kind)))
    }

    fn is_life_kept(&self, terms: &Terms, at: Pointer) -> bool {
        let frame = self.frame.as_ref();
        frame.is_some_and(|frame| frame.keeps_alive(terms, at))
    }

    /// Whether two objects are never the same.
    fn are_different(&self, terms: &mut Terms, a: Term, b: Term) -> bool {
        let offset = terms.bv_u128(self.pointer_bits, 0);
        let terms = &*terms;
        (self.addresses).apart(terms, [a, offset], Some(1), [b, offset], 1)
    }

    /// The number of bytes of a read.
    pub(crate) fn span(&self, kind: ReadKind) -> u64 {
        match kind {
            ReadKind::Byte | ReadKind::Ended | ReadKind::Shadow => 1,
            _ => u64::from(self.pointer_bits / 8),
        }
    }

    /// Whether a write never overlaps a place, in any state.
    fn is_elsewhere(
        &self,
        terms: &Terms,
        to: Pointer,
        length: Term,
        kind: ReadKind,
        at: Pointer,
    ) -> bool {
        let length = terms.bv_const(length).map(|bits| bits.low_u64());
        let [write, read] = [to, at].map(|p| [p.object, p.offset]);
        (self.addresses).apart(terms, write, length, read, self.span(kind))
    }

    /// The values that a write gives, with conditions; the first condition that holds counts.
    pub(crate) fn effect(
        &mut self,
        terms: &mut Terms,
        to: Pointer,
        what: What,
        kind: ReadKind,
        at: Pointer,
    ) -> Vec<(Term, Term)> {
        // What the write does to the memory that is read.
        let shadow = kind == ReadKind::Shadow;
        if !shadow && matches!(what, What::Shadow(_) | What::ShadowFill(..)) {
            return Vec::new();
        }
        let same = same_object(terms, to.object, at.object);
        if terms.bool_const(same) == Some(false) {
            return Vec::new();
        }
        let distance = terms.sub(at.offset, to.offset);
        let bits = self.pointer_bits;
        let slot_bytes = terms.bv_u128(bits, (bits / 8).into());
        let length = match what {
            What::Data(value) | What::Shadow(value) => {
                terms.bv_u128(bits, (terms.width(value) / 8).into())
            }
            What::Slot(_) => slot_bytes,
            What::Copy(_, len, _) | What::Fill(_, len) | What::ShadowFill(_, len) => len,
        };
        if self.whole.is_none()
            && terms.bool_const(same).is_none()
            && self.is_elsewhere(terms, to, length, kind, at)
        {
            return Vec::new();
        }
        if !matches!(kind, ReadKind::Byte | ReadKind::Shadow) {
            return self.effect_on_slot(terms, same, distance, length, what, kind);
        }
        let covered = terms.ult(distance, length);
        let covered = terms.all(&[same, covered]);
        match what {
            // Bytes that are written are set.
            What::Fill(..) | What::Data(_) | What::Slot(_) if shadow => {
                vec![(covered, terms.bv_u128(8, 0))]
            }
            What::Shadow(word) => bytes_of(terms, same, distance, word),
            What::Fill(byte, _) | What::ShadowFill(byte, _) => vec![(covered, byte)],
            What::Copy(from, _, source) => {
                let offset = terms.add(from.offset, distance);
                let from = Pointer { offset, ..from };
                let byte = self.resolve_read(terms, source, kind, from);
                vec![(covered, byte)]
            }
            What::Data(word) => bytes_of(terms, same, distance, word),
            What::Slot(p) => {
                let word = self.address(terms, p);
                bytes_of(terms, same, distance, word)
            }
        }
    }

    /// The effect of a write on the slot at a place.
    #[allow(clippy::too_many_arguments)]
    fn effect_on_slot(
        &mut self,
        terms: &mut Terms,
        same: Term,
        distance: Term,
        length: Term,
        what: What,
        kind: ReadKind,
    ) -> Vec<(Term, Term)> {
        let bits = self.pointer_bits;
        let zero = terms.bv_u128(bits, 0);
        let slot_bytes = terms.bv_u128(bits, (bits / 8).into());
        let exact = terms.eq(distance, zero);
        let here = terms.all(&[same, exact]);
        // The slot starts inside the write, or the write inside the slot, and the write is not
        // empty.
        let starts_in = terms.ult(distance, length);
        let back = terms.neg(distance);
        let begins_in = terms.ult(back, slot_bytes);
        let touches = terms.any(&[starts_in, begins_in]);
        let some = terms.ne(length, zero);
        let touched = terms.all(&[same, some, touches]);
        let mut out = Vec::new();
        match what {
            What::Slot(p) => {
                let part = match kind {
                    ReadKind::SlotObject => p.object,
                    ReadKind::SlotOffset => p.offset,
                    ReadKind::Tag | ReadKind::Byte | ReadKind::Ended | ReadKind::Shadow => {
                        terms.bool(true)
                    }
                };
                out.push((here, part));
            }
            What::Copy(from, _, source) => {
                let left = terms.sub(length, distance);
                let fits = terms.ule(slot_bytes, left);
                let whole = terms.all(&[same, starts_in, fits]);
                let offset = terms.add(from.offset, distance);
                let from = Pointer { offset, ..from };
                let tag = self.resolve_read(terms, source, ReadKind::Tag, from);
                if kind == ReadKind::Tag {
                    out.push((whole, tag));
                } else {
                    let value = self.resolve_read(terms, source, kind, from);
                    let moved = terms.all(&[whole, tag]);
                    out.push((moved, value));
                }
            }
            What::Data(_) | What::Fill(..) => {}
            // They change no slot.
            What::Shadow(_) | What::ShadowFill(..) => return Vec::new(),
        }
        if kind == ReadKind::Tag {
            let none = terms.bool(false);
            out.push((touched, none));
        }
        out
    }
}

/// The bytes of a word, each at its distance.
fn bytes_of(terms: &mut Terms, same: Term, distance: Term, word: Term) -> Vec<(Term, Term)> {
    let bits = terms.width(distance);
    let bytes = terms.width(word) / 8;
    let mut out = Vec::with_capacity(bytes as usize);
    for i in 0..bytes {
        let place = terms.bv_u128(bits, i.into());
        let here = terms.eq(distance, place);
        let here = terms.all(&[same, here]);
        let byte = terms.extract(8 * i + 7, 8 * i, word);
        out.push((here, byte));
    }
    out
}

pub(crate) fn given(terms: &mut Terms, version: u32, kind: ReadKind, at: Pointer) -> Term {
    match kind {
        ReadKind::Byte | ReadKind::Ended => terms.read(version, at.object, at.offset, 1),
        ReadKind::Shadow => {
            let version = if version == AFTER {
                SHADOW_AFTER
            } else {
                SHADOW
            };
            terms.read(version, at.object, at.offset, 1)
        }
        ReadKind::Tag => terms.read_tag(version, at.object, at.offset),
        ReadKind::SlotObject => terms.read_ptr_object(version, at.object, at.offset),
        ReadKind::SlotOffset => terms.read_ptr_offset(version, at.object, at.offset),
    }
}

pub(crate) fn plus(terms: &mut Terms, at: Pointer, bytes: u128) -> Pointer {
    let width = terms.width(at.offset);
    let by = terms.bv_u128(width, bytes);
    Pointer {
        object: at.object,
        offset: terms.add(at.offset, by),
    }
}

/// Whether two objects are equal; constant where their difference is.
pub(crate) fn same_object(terms: &mut Terms, a: Term, b: Term) -> Term {
    let difference = terms.sub(a, b);
    let decided = terms.bv_const(difference).map(|d| d.is_zero());
    match decided {
        Some(same) => terms.bool(same),
        None => terms.eq(a, b),
    }
}
