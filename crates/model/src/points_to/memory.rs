//! The contents of abstract objects: stored pointers and other bytes.
//!
//! A pointer is read whole if one was stored at exactly that offset, and so is an address that was
//! stored as a number. Bytes that were stored piece by piece, as parts of addresses, form an
//! address that may be any object's; data is a number and no object's address ([`super::numbers`]);
//! bytes that were never written may be a pointer of the environment ([`super::unset`]). A stored
//! pointer that is partly overwritten with data is no pointer any more: reading it is undefined in
//! C. So an object records its stored pointers, its other bytes ("raw" bytes; zeros are harmless if
//! they cover the whole read), its reads, and its copies.

use super::numbers::Leak;
use super::place::{Overlap, Place, Site};
use super::solve::{Node, Solver, Use};
use crate::environment;
use crate::program::Sort;
use rustc_hash::{FxHashMap, FxHashSet};

/// The kind of bytes that are no pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bytes {
    /// Zeros, or a copy that other rules handle.
    Zero,
    /// The contents before the first write.
    Unset,
    /// Anything but pieces of addresses.
    Data,
    /// Addresses stored as numbers, which are tracked like stored pointers.
    Whole,
    /// Pieces of addresses.
    Address,
}

/// Bytes that are no pointer, with their place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RawBytes {
    pub at: Place,
    pub bytes: u128,
    pub what: Bytes,
}

impl RawBytes {
    /// Whether it may contain an address.
    fn is_of_address(self) -> bool {
        matches!(self.what, Bytes::Whole | Bytes::Address)
    }
}

/// How a read treats bytes that are no pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reading {
    /// As a number, or as any object's address if they are pieces of addresses.
    Address,
    /// The same, but bytes never written are a number of the environment.
    Unset,
    /// All as a number of the environment.
    Foreign,
    /// All as a number that is no object's address.
    Number,
    /// The read is not of a pointer, but of a number of this many bytes.
    Bits(u64),
}

/// Bytes that are copied to another place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Copied {
    pub from: Place,
    pub to: Place,
    /// None if the number is unknown.
    pub bytes: Option<u64>,
}

/// The contents of a copy's source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A pointer.
    Stored(Place, Node),
    /// Other bytes.
    RawBytes(RawBytes),
}

/// The number of strided places of one kind of bytes in an object above which the offset is
/// unknown: copies between strides may produce as many places as there are offsets.
const MOST_STRIDED: u32 = 256;

/// The known contents of an abstract object.
#[derive(Default, Debug)]
pub(crate) struct Contents {
    /// Stored pointers: their place, and the node of their values.
    pub stored: Vec<(Place, Node)>,
    /// Reads of pointers.
    loaded: Vec<(Place, Reading, Node)>,
    pub raw: Vec<RawBytes>,
    known_raw: FxHashSet<RawBytes>,
    /// The number of strided places per kind of bytes.
    strided: FxHashMap<Bytes, u32>,
    copies: Vec<Copied>,
    known_copies: FxHashSet<Copied>,
}

impl Solver<'_> {
    fn contents(&mut self, site: Site) -> &mut Contents {
        let at = site.0 as usize;
        if self.contents.len() <= at {
            self.contents.resize_with(at + 1, Contents::default);
        }
        &mut self.contents[at]
    }

    /// The node of the pointers that a read at a place may give.
    pub(crate) fn load(&mut self, at: Place, reading: Reading) -> Node {
        let mut known = self.contents(at.site).loaded.iter();
        if let Some((.., node)) = known.find(|(place, how, _)| (*place, *how) == (at, reading)) {
            return *node;
        }
        let node = self.node();
        let contents = self.contents(at.site);
        contents.loaded.push((at, reading, node));
        let (stored, raw) = (contents.stored.clone(), contents.raw.clone());
        let stored_anywhere = self.stored_anywhere;
        self.attach(stored_anywhere, Use::Copy(node));
        // Zeros are null.
        if !matches!(reading, Reading::Bits(_)) {
            self.add(node, self.null());
        }
        for (place, from) in stored {
            self.read_stored(place, from, at, reading, node);
        }
        for raw in raw {
            self.read_raw(raw, at, reading, node);
        }
        node
    }

    /// The node of the pointers stored at a place.
    pub(crate) fn store(&mut self, at: Place) -> Node {
        let known = self.contents(at.site).stored.iter();
        if let Some((_, node)) = known.clone().find(|(place, _)| *place == at) {
            return *node;
        }
        let node = self.node();
        let contents = self.contents(at.site);
        contents.stored.push((at, node));
        let (loaded, copies) = (contents.loaded.clone(), contents.copies.clone());
        for (place, reading, to) in loaded {
            self.read_stored(at, node, place, reading, to);
        }
        let moves = copies.into_iter().map(|c| (c, What::Stored(at, node)));
        self.moves.extend(moves);
        node
    }

    /// Stores other bytes.
    pub(crate) fn add_raw(&mut self, mut raw: RawBytes) {
        let exact = raw.at.shift >= self.program.pointer_bits;
        let contents = self.contents(raw.at.site);
        if raw.bytes == 0 || contents.known_raw.contains(&raw) {
            return;
        }
        if !exact && raw.what != Bytes::Zero {
            let strided = contents.strided.entry(raw.what).or_default();
            *strided += 1;
            if *strided > MOST_STRIDED {
                raw.at = Place::new(raw.at.site, 0, 0);
                raw.bytes = 1;
            }
        }
        if !contents.known_raw.insert(raw) {
            return;
        }
        contents.raw.push(raw);
        let (loaded, copies) = (contents.loaded.clone(), contents.copies.clone());
        for (place, reading, node) in loaded {
            self.read_raw(raw, place, reading, node);
        }
        let moves = copies.into_iter().map(|c| (c, What::RawBytes(raw)));
        self.moves.extend(moves);
    }

    /// Copies bytes of any kind.
    pub(crate) fn add_copy(&mut self, mut copied: Copied) {
        // Within one object the copies could continue from place to place.
        if copied.from.site == copied.to.site && copied.from != copied.to {
            copied.bytes = copied.bytes.filter(|bytes| *bytes == 0);
        }
        let contents = self.contents(copied.from.site);
        if copied.bytes == Some(0) || !contents.known_copies.insert(copied) {
            return;
        }
        contents.copies.push(copied);
        let (stored, raw) = (contents.stored.clone(), contents.raw.clone());
        // The copy overwrites its destination: if its end is unknown, possibly half a pointer.
        match copied.bytes {
            Some(bytes) => self.add_raw(RawBytes {
                at: copied.to,
                bytes: bytes.into(),
                what: Bytes::Zero,
            }),
            None => self.copy_may_write(copied, Bytes::Data),
        }
        let stored = stored.into_iter().map(|(at, node)| What::Stored(at, node));
        let raw = raw.into_iter().map(What::RawBytes);
        let moves = stored.chain(raw).map(|what| (copied, what));
        self.moves.extend(moves);
    }

    /// Copies a pointer or other bytes.
    pub(crate) fn copy_contents(&mut self, copied: Copied, what: What) {
        match what {
            What::Stored(at, node) => self.copy_stored(copied, at, node),
            // A copy of unknown length has already made everything after its start arbitrary.
            What::RawBytes(raw) if copied.bytes.is_none() && !raw.is_of_address() => {}
            What::RawBytes(raw) => self.copy_raw(copied, raw),
        }
    }

    /// A stored pointer may be read wholly or partly.
    fn read_stored(&mut self, stored: Place, from: Node, read: Place, reading: Reading, to: Node) {
        let whole = match reading {
            Reading::Bits(bytes) => u128::from(bytes) == self.pointer_bytes(),
            _ => true,
        };
        if whole && read.may_equal(stored) {
            self.attach(from, Use::Copy(to));
        }
        match reading {
            Reading::Bits(bytes) => {
                let overlap = read.overlap(bytes.into(), stored, self.pointer_bytes());
                if overlap != Overlap::Apart && (!whole || self.may_be_partial(stored, read)) {
                    let sort = Sort::Int(8 * bytes as u32);
                    self.mix(&[from], to, sort);
                }
            }
            _ if self.may_be_partial(stored, read) => self.read_bytes(Bytes::Data, reading, to),
            _ => {}
        }
    }

    /// Whether a part of a stored pointer may be read.
    pub(crate) fn may_be_partial(&self, stored: Place, read: Place) -> bool {
        let (distance, shift) = read.distance(stored);
        let (distance, span) = (u128::from(distance), 1u128 << shift);
        let bytes = self.pointer_bytes();
        let partly = distance != 0 && (distance < bytes || span - distance < bytes);
        partly || span < bytes
    }

    /// Other bytes may be read.
    fn read_raw(&mut self, raw: RawBytes, read: Place, reading: Reading, to: Node) {
        if let Reading::Bits(bytes) = reading {
            let overlap = read.overlap(bytes.into(), raw.at, raw.bytes);
            if overlap != Overlap::Apart && raw.what == Bytes::Address {
                self.read_piece(bytes, to);
            }
        } else if let Some(what) = self.kind_of_raw(raw, read) {
            self.read_bytes(what, reading, to);
        }
    }

    /// The kind of these bytes that a read of a pointer may get.
    pub(crate) fn kind_of_raw(&self, raw: RawBytes, read: Place) -> Option<Bytes> {
        match (
            read.overlap(self.pointer_bytes(), raw.at, raw.bytes),
            raw.what,
        ) {
            (Overlap::Apart, _) | (Overlap::Inside, Bytes::Zero) => None,
            // The boundary of zeros inside a pointer.
            (Overlap::Mixed, Bytes::Zero) => Some(Bytes::Data),
            (_, what) => Some(what),
        }
    }

    /// Bytes are read as a pointer.
    fn read_bytes(&mut self, what: Bytes, reading: Reading, to: Node) {
        match (reading, what) {
            (Reading::Foreign, _) | (Reading::Unset, Bytes::Unset) => self.add_foreign(to),
            (Reading::Address | Reading::Unset, Bytes::Address) => self.add_anywhere(to),
            (_, Bytes::Whole) => {}
            _ => self.add(to, self.any_number()),
        }
    }

    /// A pointer of the environment.
    pub(crate) fn add_foreign(&mut self, to: Node) {
        let Some(environment) = self.program.environment else {
            return self.add_anywhere(to);
        };
        let shift = environment::ALIGN.trailing_zeros();
        let site = self.static_place(environment, 0).site;
        self.add(to, Place::new(site, 0, shift));
        self.add(to, Place::new(self.errors(), 0, 0));
        self.add(to, self.null());
    }

    fn copy_stored(&mut self, copied: Copied, at: Place, node: Node) {
        let bytes = copied.bytes.map_or(copied.from.rest(), u128::from);
        let overlap = at.overlap(self.pointer_bytes(), copied.from, bytes);
        if overlap == Overlap::Apart {
            return;
        }
        let (distance, mut shift) = at.distance(copied.from);
        if copied.bytes.is_none() {
            shift = shift.min(self.program.pointer_bits.trailing_zeros() - 3);
        }
        let to = self.store(copied.to.moved(distance, shift));
        self.attach(node, Use::Copy(to));
        let partly = overlap == Overlap::Mixed || copied.bytes.is_none();
        if partly && !self.copies_whole(copied, distance, shift) {
            self.attach_leak(node, Leak::Copied(copied));
        }
    }

    /// Whether a copy takes pointers at this distance from its start only as a whole: it starts on a
    /// pointer boundary, and its length is a multiple of a pointer's.
    fn copies_whole(&self, copied: Copied, distance: u64, shift: u32) -> bool {
        let pointer = u64::from(self.program.pointer_bits / 8);
        let aligned = shift >= pointer.trailing_zeros() && distance.is_multiple_of(pointer);
        let exact = copied.from.shift == self.program.pointer_bits;
        let long = copied
            .bytes
            .is_some_and(|bytes| bytes.is_multiple_of(pointer));
        aligned && long && !exact
    }

    fn copy_raw(&mut self, copied: Copied, raw: RawBytes) {
        let bytes = copied.bytes.map_or(copied.from.rest(), u128::from);
        match raw.at.overlap(raw.bytes, copied.from, bytes) {
            Overlap::Apart => {}
            Overlap::Inside => {
                let (distance, shift) = raw.at.distance(copied.from);
                let at = copied.to.moved(distance, shift);
                self.add_raw(RawBytes { at, ..raw });
            }
            Overlap::Mixed if raw.what == Bytes::Zero => {
                // Only zeros are copied, or the boundary of zeros inside a pointer.
                if copied.from.overlap(bytes, raw.at, raw.bytes) != Overlap::Inside {
                    self.copy_may_write(copied, Bytes::Data);
                }
            }
            Overlap::Mixed => self.copy_may_write(copied, raw.what),
        }
    }

    /// All bytes that a copy writes may be of this kind.
    pub(crate) fn copy_may_write(&mut self, copied: Copied, what: Bytes) {
        let bytes = copied.bytes.map_or(copied.to.rest(), u128::from);
        let at = copied.to;
        self.add_raw(RawBytes { at, bytes, what });
    }
}
