//! Reads of the memory of a run from the initial state.
//!
//! The versions of memory are those of `crate::memory`, and so is what a write does to a read. Here
//! is which writes a read meets: with the initial contents known and every object a number, a read
//! of a known place ends at one write, and its value is that write's. Numbers are read whole where
//! the writes are whole; else byte by byte.

use super::index::{CELL, Head, Hidden, Index, Touched};
use super::leaves::{Leaf, Leaves, low_bits};
use crate::memory::{Memories, Node, ReadKind, START, Version, What, same_object};
use crate::state::Pointer;
use attest_model::{InitPiece, Program, StaticObject};
use attest_term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A read of an unknown place that more writes may answer is not encoded.
const MOST_WRITES: usize = 4096;

type Contents = (Rc<[InitPiece]>, u64);

/// What is known of memory where a run starts in the initial state of the program.
#[derive(Debug)]
pub struct Whole {
    /// Which writes a read has to look at.
    pub index: Index,
    /// What objects can be.
    pub leaves: Leaves,
    /// A place was accessed that may be anywhere, so that values read since mean nothing.
    pub lost: bool,
    /// Initial contents and sizes of static objects, where the program says them.
    objects: Vec<Option<Contents>>,
    words: FxHashMap<(Version, Pointer, u32), Option<Term>>,
}

impl Whole {
    /// The initial state of a program.
    pub fn of(program: &Program) -> Whole {
        Whole {
            index: Index::new(),
            leaves: Leaves::default(),
            lost: false,
            objects: program.objects.iter().map(contents).collect(),
            words: FxHashMap::default(),
        }
    }
}

fn contents(info: &StaticObject) -> Option<Contents> {
    Some((info.init.as_deref()?.into(), info.size))
}

/// The latest writes that may answer a read, by the cell through which they were found; writes
/// without one may touch any cell.
struct Cursor {
    at: BTreeMap<Version, Vec<Option<u64>>>,
}

impl Cursor {
    /// Of the cells from the first to the last, or all.
    fn new(head: &Head, cells: Option<(u64, u64)>) -> Cursor {
        let mut cursor = Cursor {
            at: BTreeMap::new(),
        };
        match cells {
            Some((first, last)) => {
                for cell in first..=last {
                    cursor.add(head.cell(cell), Some(cell));
                }
            }
            None => {
                for (cell, version) in &head.cells {
                    cursor.add(*version, Some(*cell));
                }
                cursor.add(head.all, None);
            }
        }
        cursor
    }

    fn add(&mut self, version: Version, cell: Option<u64>) {
        self.at.entry(version).or_default().push(cell);
    }

    /// The latest write; the first version where there is none.
    fn top(&self) -> Version {
        self.at
            .keys()
            .next_back()
            .copied()
            .unwrap_or(Version::FIRST)
    }

    /// Goes on below the latest write.
    fn pass(&mut self, index: &Index, object: u32, cells: Option<(u64, u64)>) {
        let Some((version, through)) = self.at.pop_last() else {
            return;
        };
        match index.hidden(version, object) {
            Some(Hidden::Cells(before)) => {
                for cell in through {
                    let known = before.iter().find(|(c, _)| Some(*c) == cell);
                    self.add(known.map_or(Version::FIRST, |(_, v)| *v), cell);
                }
            }
            Some(Hidden::All(head)) => *self = Cursor::new(head, cells),
            None => {}
        }
    }
}

/// The cells of some bytes at an offset, if it is known.
fn cells_of(terms: &Terms, offset: Term, bytes: u64) -> Option<(u64, u64)> {
    let first = terms.bv_const(offset)?.low_u64();
    let last = first.checked_add(bytes.max(1) - 1)?;
    Some((first / CELL, last / CELL))
}

/// Where a write lies, as seen from a read of some bytes.
enum Meets {
    /// It writes none of them.
    Never,
    /// It writes all of them, from this distance on, where the condition holds, and else none.
    Whole(Term),
    /// It may write some of them and not others.
    Partly,
}

impl Memories {
    /// The objects that a pointer may lead to; none, and noted, if they are not known.
    fn objects(&mut self, terms: &mut Terms, object: Term) -> Option<Rc<[Leaf]>> {
        let whole = self.whole.as_mut()?;
        let leaves = whole.leaves.of(terms, object);
        whole.lost |= leaves.is_none();
        leaves
    }

    /// Notes which places a write may touch.
    pub(crate) fn note_write(
        &mut self,
        terms: &mut Terms,
        below: Version,
        version: Version,
        at: Pointer,
        what: What,
    ) {
        if self.whole.is_none() {
            return;
        }
        let number = |term| terms.bv_const(term).map(|bits| bits.low_u64());
        let offset = number(at.offset);
        let length = match what {
            What::Data(value) | What::Shadow(value) => Some(u64::from(terms.width(value) / 8)),
            What::Slot(_) => Some(u64::from(self.pointer_bits / 8)),
            What::Copy(_, len, _) | What::Fill(_, len) | What::ShadowFill(_, len) => number(len),
        };
        let objects = self
            .objects(terms, at.object)
            .unwrap_or_else(|| Rc::new([]));
        let touched: Vec<Touched> = objects
            .iter()
            .filter(|leaf| leaf.value != 0 && length != Some(0))
            .map(|leaf| Touched::new(leaf.value as u32, offset, length))
            .collect();
        if let Some(whole) = &mut self.whole {
            whole.index.write(below, version, &touched);
        }
    }

    /// Notes which objects may end.
    pub(crate) fn note_end(
        &mut self,
        terms: &mut Terms,
        below: Version,
        version: Version,
        object: Term,
    ) {
        if self.whole.is_none() {
            return;
        }
        let objects = self.objects(terms, object).unwrap_or_else(|| Rc::new([]));
        let objects: Vec<u32> = objects.iter().map(|leaf| leaf.value as u32).collect();
        if let Some(whole) = &mut self.whole {
            whole.index.end(below, version, &objects);
        }
    }

    /// A read of a run's memory.
    pub(crate) fn read_of_run(
        &mut self,
        terms: &mut Terms,
        version: Version,
        kind: ReadKind,
        at: Pointer,
    ) -> Term {
        let objects = self
            .objects(terms, at.object)
            .unwrap_or_else(|| Rc::new([]));
        let mut answer = None;
        for leaf in objects.iter() {
            let object = terms.bv_u128(32, leaf.value.into());
            let value = self.read_object(terms, version, kind, Pointer { object, ..at });
            answer = Some(match answer {
                Some(other) => terms.ite(leaf.when, value, other),
                None => value,
            });
        }
        answer.unwrap_or_else(|| self.nothing(terms, kind))
    }

    /// What is read where nothing was ever written.
    fn nothing(&self, terms: &mut Terms, kind: ReadKind) -> Term {
        match kind {
            ReadKind::Byte | ReadKind::Shadow | ReadKind::Ended => terms.bv_u128(8, 0),
            ReadKind::Tag => terms.bool(false),
            ReadKind::SlotObject => terms.bv_u128(32, 0),
            ReadKind::SlotOffset => terms.bv_u128(self.pointer_bits, 0),
        }
    }

    fn object_of(terms: &Terms, at: Pointer) -> u32 {
        terms
            .bv_const(at.object)
            .map_or(0, |bits| bits.low_u64() as u32)
    }

    /// The latest writes to an object at a version.
    fn head(&mut self, version: Version, object: u32) -> Head {
        let Some(whole) = &mut self.whole else {
            return Index::default().head(version, object);
        };
        whole.lost |= !whole.index.has(version);
        whole.index.head(version, object)
    }

    /// A read of one object.
    fn read_object(
        &mut self,
        terms: &mut Terms,
        version: Version,
        kind: ReadKind,
        at: Pointer,
    ) -> Term {
        let object = Memories::object_of(terms, at);
        if object == 0 {
            return self.nothing(terms, kind);
        }
        let head = self.head(version, object);
        if kind == ReadKind::Ended {
            return self.read_life(terms, head.life, at);
        }
        let cells = cells_of(terms, at.offset, self.span(kind));
        let mut cursor = Cursor::new(&head, cells);
        let key = (cursor.top(), kind, at);
        // Two reads with the same latest write may differ below it, unless that is all there is.
        let is_single = cursor.at.len() == 1;
        if is_single && let Some(known) = self.known.get(&key) {
            return *known;
        }
        let was_lost = self.start_read();
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let base = loop {
            let top = cursor.top();
            match self.nodes[top.index()].clone() {
                Node::Write(_, to, what) => {
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
                    if let Some(value) = settled {
                        break value;
                    }
                    self.pass(&mut cursor, object, cells);
                }
                Node::Join(versions) => {
                    let read = |memories: &mut Memories, terms: &mut Terms, version| {
                        Some(memories.read_object(terms, version, kind, at))
                    };
                    break self
                        .joined(terms, &versions, read)
                        .unwrap_or_else(|| self.nothing(terms, kind));
                }
                _ => break self.initial(terms, kind, at),
            }
            if newer.len() > MOST_WRITES {
                self.lose();
                break self.nothing(terms, kind);
            }
        };
        let answer = chain(terms, newer, base);
        if self.end_read(was_lost) && is_single {
            self.known.insert(key, answer);
        }
        answer
    }

    /// Starts a read whose answer may be kept: forgets that something is lost, and says whether it
    /// was.
    fn start_read(&mut self) -> bool {
        let whole = self.whole.as_mut();
        whole.is_some_and(|whole| std::mem::take(&mut whole.lost))
    }

    /// Ends a read. Its answer can be given again if it means something: on the path of another
    /// read, nobody would know that something was lost on the way to it.
    fn end_read(&mut self, was_lost: bool) -> bool {
        let Some(whole) = &mut self.whole else {
            return true;
        };
        let means_something = !whole.lost;
        whole.lost |= was_lost;
        means_something
    }

    fn pass(&mut self, cursor: &mut Cursor, object: u32, cells: Option<(u64, u64)>) {
        if let Some(whole) = &self.whole {
            cursor.pass(&whole.index, object, cells);
        }
    }

    fn lose(&mut self) {
        if let Some(whole) = &mut self.whole {
            whole.lost = true;
        }
    }

    /// A choice between what is read at each of the versions that join.
    fn joined(
        &mut self,
        terms: &mut Terms,
        versions: &[(Term, Version)],
        mut read: impl FnMut(&mut Memories, &mut Terms, Version) -> Option<Term>,
    ) -> Option<Term> {
        let mut answers = Vec::with_capacity(versions.len());
        for (cond, version) in versions {
            answers.push((*cond, read(self, terms, *version)?));
        }
        let (_, last) = answers.pop()?;
        Some(chain(terms, answers, last))
    }

    /// Whether an object has ended.
    fn read_life(&mut self, terms: &mut Terms, life: Version, at: Pointer) -> Term {
        let object = Memories::object_of(terms, at);
        let key = (life, ReadKind::Ended, at);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let was_lost = self.start_read();
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let mut here = life;
        let base = loop {
            match self.nodes[here.index()].clone() {
                Node::End(_, ended, when) => {
                    let same = same_object(terms, ended, at.object);
                    let now = terms.all(&[when, same]);
                    let one = terms.bv_u128(8, 1);
                    match terms.bool_const(now) {
                        Some(true) => break one,
                        Some(false) => {}
                        None => newer.push((now, one)),
                    }
                    let whole = self.whole.as_ref();
                    here = whole.map_or(Version::FIRST, |w| w.index.life_before(here, object));
                }
                Node::Join(versions) => {
                    let read = |memories: &mut Memories, terms: &mut Terms, version| {
                        let life = memories.head(version, object).life;
                        Some(memories.read_life(terms, life, at))
                    };
                    break self
                        .joined(terms, &versions, read)
                        .unwrap_or_else(|| self.nothing(terms, ReadKind::Ended));
                }
                _ => break self.nothing(terms, ReadKind::Ended),
            }
        };
        let answer = chain(terms, newer, base);
        if self.end_read(was_lost) {
            self.known.insert(key, answer);
        }
        answer
    }

    /// A number that is read whole, where the writes that it meets are whole.
    pub(crate) fn word_of_run(
        &mut self,
        terms: &mut Terms,
        version: Version,
        at: Pointer,
        bytes: u32,
        kind: ReadKind,
    ) -> Option<Term> {
        if self.whole.is_none() || kind != ReadKind::Byte {
            return None;
        }
        let objects = self.objects(terms, at.object)?;
        let mut answer = None;
        for leaf in objects.iter() {
            let object = terms.bv_u128(32, leaf.value.into());
            let value = self.word(terms, version, Pointer { object, ..at }, bytes)?;
            answer = Some(match answer {
                Some(other) => terms.ite(leaf.when, value, other),
                None => value,
            });
        }
        answer
    }

    fn word(
        &mut self,
        terms: &mut Terms,
        version: Version,
        at: Pointer,
        bytes: u32,
    ) -> Option<Term> {
        let object = Memories::object_of(terms, at);
        if object == 0 {
            return Some(terms.bv_u128(8 * bytes, 0));
        }
        let head = self.head(version, object);
        let cells = cells_of(terms, at.offset, bytes.into());
        let cursor = Cursor::new(&head, cells);
        let key = (cursor.top(), at, bytes);
        let is_single = cursor.at.len() == 1;
        if is_single
            && let Some(whole) = &self.whole
            && let Some(known) = whole.words.get(&key)
        {
            return *known;
        }
        let was_lost = self.start_read();
        let answer = self.word_below(terms, cursor, cells, at, bytes);
        if self.end_read(was_lost)
            && is_single
            && let Some(whole) = &mut self.whole
        {
            whole.words.insert(key, answer);
        }
        answer
    }

    fn word_below(
        &mut self,
        terms: &mut Terms,
        mut cursor: Cursor,
        cells: Option<(u64, u64)>,
        at: Pointer,
        bytes: u32,
    ) -> Option<Term> {
        let object = Memories::object_of(terms, at);
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let base = loop {
            let top = cursor.top();
            match self.nodes[top.index()].clone() {
                Node::Write(_, to, what) => {
                    match self.meets(terms, to, what, at, bytes) {
                        Meets::Partly => return None,
                        Meets::Never => {}
                        Meets::Whole(cond) => {
                            let value = self.part(terms, to, what, at, bytes)?;
                            if terms.bool_const(cond) == Some(true) {
                                break value;
                            }
                            newer.push((cond, value));
                        }
                    }
                    self.pass(&mut cursor, object, cells);
                }
                Node::Join(versions) => {
                    let read = |memories: &mut Memories, terms: &mut Terms, version| {
                        memories.word(terms, version, at, bytes)
                    };
                    break self.joined(terms, &versions, read)?;
                }
                _ => break self.initial_word(terms, at, bytes)?,
            }
            if newer.len() > MOST_WRITES {
                return None;
            }
        };
        Some(chain(terms, newer, base))
    }

    /// How a write meets a read of some bytes of one object.
    fn meets(
        &mut self,
        terms: &mut Terms,
        to: Pointer,
        what: What,
        at: Pointer,
        bytes: u32,
    ) -> Meets {
        let same = same_object(terms, to.object, at.object);
        let (length, is_one) = match what {
            What::Shadow(_) | What::ShadowFill(..) => return Meets::Never,
            What::Data(value) => (Some(u64::from(terms.width(value) / 8)), true),
            What::Slot(_) => (Some(u64::from(self.pointer_bits / 8)), true),
            What::Fill(_, len) | What::Copy(_, len, _) => {
                (terms.bv_const(len).map(|bits| bits.low_u64()), false)
            }
        };
        if terms.bool_const(same) == Some(false) {
            return Meets::Never;
        }
        let Some(length) = length else {
            return Meets::Partly;
        };
        let bytes = u64::from(bytes);
        let distance = terms.sub(at.offset, to.offset);
        if let Some(known) = terms.bv_const(distance) {
            let known = known.low_u64();
            let mask = u64::MAX >> (64 - self.pointer_bits.min(64));
            let back = known.wrapping_neg() & mask;
            let inside = known < length && bytes <= length - known;
            return match inside {
                true => Meets::Whole(same),
                false if known >= length && back >= bytes => Meets::Never,
                false => Meets::Partly,
            };
        }
        // Both lie at multiples of the size of the read, so that they never overlap in part.
        let is_aligned =
            bytes.is_power_of_two() && low_bits(terms, distance, bytes.trailing_zeros()) == Some(0);
        if !is_aligned || length % bytes != 0 || is_one && length != bytes {
            return Meets::Partly;
        }
        let inside = match is_one {
            true => terms.eq(at.offset, to.offset),
            false => {
                let length = terms.bv_u128(self.pointer_bits, length.into());
                terms.ult(distance, length)
            }
        };
        Meets::Whole(terms.all(&[same, inside]))
    }

    /// The bytes of a write that a read inside of it gives.
    fn part(
        &mut self,
        terms: &mut Terms,
        to: Pointer,
        what: What,
        at: Pointer,
        bytes: u32,
    ) -> Option<Term> {
        let distance = terms.sub(at.offset, to.offset);
        let number = match what {
            What::Data(value) => value,
            What::Slot(p) => self.address(terms, p),
            What::Fill(byte, _) => {
                let parts = vec![byte; bytes as usize];
                return parts
                    .into_iter()
                    .reduce(|low, high| terms.concat(high, low));
            }
            What::Copy(from, _, source) => {
                let offset = terms.add(from.offset, distance);
                let from = Pointer { offset, ..from };
                return self.word_of_run(terms, source, from, bytes, ReadKind::Byte);
            }
            What::Shadow(_) | What::ShadowFill(..) => return None,
        };
        if terms.width(number) == 8 * bytes {
            return Some(number);
        }
        let from = 8 * terms.bv_const(distance)?.low_u64() as u32;
        Some(terms.extract(from + 8 * bytes - 1, from, number))
    }

    /// The initial contents of a static object, if the program says them.
    fn contents(&self, object: u32) -> Option<Contents> {
        let whole = self.whole.as_ref()?;
        let known = whole.objects.get((object as usize).checked_sub(1)?)?;
        known.clone()
    }

    /// A number in the initial memory.
    fn initial_word(&mut self, terms: &mut Terms, at: Pointer, bytes: u32) -> Option<Term> {
        let object = Memories::object_of(terms, at);
        let Some((pieces, size)) = self.contents(object) else {
            return Some(terms.read(START, at.object, at.offset, bytes));
        };
        let width = 8 * bytes;
        if let Some(offset) = terms.bv_const(at.offset) {
            let offset = offset.low_u64();
            return self.number_at(terms, &pieces, offset, bytes);
        }
        let zero = terms.bv_u128(width, 0);
        if pieces.is_empty() {
            return Some(zero);
        }
        let step = u64::from(bytes);
        let is_aligned = step.is_power_of_two();
        let low = low_bits(terms, at.offset, step.trailing_zeros()).filter(|_| is_aligned)?;
        let mut newer = Vec::new();
        for place in (low..size).step_by(bytes as usize) {
            let value = self.number_at(terms, &pieces, place, bytes)?;
            if value != zero {
                let place = terms.bv_u128(self.pointer_bits, place.into());
                newer.push((terms.eq(at.offset, place), value));
            }
            if newer.len() > MOST_WRITES {
                return None;
            }
        }
        Some(chain(terms, newer, zero))
    }

    /// The number at a place of initial contents; none if a part of a pointer is in it.
    fn number_at(
        &self,
        terms: &mut Terms,
        pieces: &[InitPiece],
        place: u64,
        bytes: u32,
    ) -> Option<Term> {
        let slot = u64::from(self.pointer_bits / 8);
        let end = place.checked_add(bytes.into())?;
        let mut contents = vec![0u8; bytes as usize];
        for piece in pieces {
            match piece {
                InitPiece::Bytes(at, values) => {
                    let first = (*at).max(place);
                    let last = (at + values.len() as u64).min(end);
                    for here in first..last {
                        contents[(here - place) as usize] = values[(here - at) as usize];
                    }
                }
                InitPiece::Ptr(at, target, offset) if *at == place && slot == u64::from(bytes) => {
                    let object = terms.bv_u128(32, target.0.into());
                    let offset = terms.bv_u128(self.pointer_bits, (*offset).into());
                    return Some(self.address(terms, Pointer { object, offset }));
                }
                InitPiece::Ptr(at, ..) if *at < end && at + slot > place => return None,
                InitPiece::Ptr(..) => {}
            }
        }
        let parts: Vec<Term> = contents
            .into_iter()
            .map(|byte| terms.bv_u128(8, byte.into()))
            .collect();
        parts
            .into_iter()
            .reduce(|low, high| terms.concat(high, low))
    }

    /// A read of the initial memory.
    fn initial(&mut self, terms: &mut Terms, kind: ReadKind, at: Pointer) -> Term {
        let object = Memories::object_of(terms, at);
        let contents = self.contents(object);
        let nothing = self.nothing(terms, kind);
        let Some((pieces, size)) = contents else {
            return match kind {
                ReadKind::Byte => terms.read(START, at.object, at.offset, 1),
                _ => nothing,
            };
        };
        let mut newer = Vec::new();
        match kind {
            ReadKind::Ended | ReadKind::Shadow => {}
            ReadKind::Byte => {
                let places = match terms.bv_const(at.offset) {
                    Some(offset) => vec![offset.low_u64()],
                    None if pieces.is_empty() => Vec::new(),
                    None if size > MOST_WRITES as u64 => {
                        self.lose();
                        Vec::new()
                    }
                    None => (0..size).collect(),
                };
                for place in places {
                    let value = self.byte_at(terms, &pieces, place);
                    if value != nothing {
                        let place = terms.bv_u128(self.pointer_bits, place.into());
                        newer.push((terms.eq(at.offset, place), value));
                    }
                }
            }
            ReadKind::Tag | ReadKind::SlotObject | ReadKind::SlotOffset => {
                for piece in pieces.iter() {
                    let InitPiece::Ptr(place, target, offset) = piece else {
                        continue;
                    };
                    let value = match kind {
                        ReadKind::Tag => terms.bool(target.0 != 0),
                        ReadKind::SlotObject => terms.bv_u128(32, target.0.into()),
                        _ => terms.bv_u128(self.pointer_bits, (*offset).into()),
                    };
                    let place = terms.bv_u128(self.pointer_bits, (*place).into());
                    let here = terms.eq(at.offset, place);
                    if terms.bool_const(here) != Some(false) {
                        newer.push((here, value));
                    }
                }
            }
        }
        chain(terms, newer, nothing)
    }

    /// A byte of initial contents; that of a pointer is one of its address.
    fn byte_at(&self, terms: &mut Terms, pieces: &[InitPiece], place: u64) -> Term {
        let slot = u64::from(self.pointer_bits / 8);
        let pointer = pieces.iter().find_map(|piece| match piece {
            InitPiece::Ptr(at, target, offset) if (*at..at + slot).contains(&place) => {
                Some((*at, target.0, *offset))
            }
            _ => None,
        });
        if let Some((at, target, offset)) = pointer {
            let object = terms.bv_u128(32, target.into());
            let offset = terms.bv_u128(self.pointer_bits, offset.into());
            let address = self.address(terms, Pointer { object, offset });
            let from = 8 * (place - at) as u32;
            return terms.extract(from + 7, from, address);
        }
        let number = self.number_at(terms, pieces, place, 1);
        number.unwrap_or_else(|| terms.bv_u128(8, 0))
    }
}

/// The value of the first condition that holds, or the last.
fn chain(terms: &mut Terms, newer: Vec<(Term, Term)>, last: Term) -> Term {
    let choose = |other, (cond, value)| terms.ite(cond, value, other);
    newer.into_iter().rev().fold(last, choose)
}
