//! Cells: the memory locations that terms read, as unknown bits.
//!
//! A memory is an unknown function of (object, offset) to bytes; pointer slots, tags and base
//! addresses are further such functions. Each distinct location that a term reads is a cell of
//! fresh bits. Two cells with the same location must have the same contents. This constraint is not
//! added eagerly, which would be quadratic in the reads, but when a model violates it: lazy
//! Ackermann reduction. It terminates because the pairs of cells are finitely many. A read of
//! several bytes is one cell per byte, so reads of different widths that overlap are related byte
//! by byte (algorithm notes 2.5).
//!
//! An offset is a word plus a constant distance. Cells at different distances from one word are
//! never the same location, and comparing two locations needs one adder for all bytes of two reads.

use rustc_hash::FxHashMap;

use super::gates::{Gates, Lit};
use super::words::{Word, is_constant};
use super::{BENCHES, Instance};
use crate::model::Model;

/// The unknown function that a cell is a value of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Function {
    Byte,
    PointerObject,
    PointerOffset,
    Tag,
    Base,
}

/// A cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct CellId(pub u32);

/// An interned word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct WordId(u32);

/// The arguments of the function, as terms give them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    function: Function,
    version: u32,
    offset_width: u32,
    object: WordId,
    base: WordId,
    distance: u64,
}

struct Cell {
    key: Key,
    bits: Word,
    /// The congruences that this cell takes part in.
    congruences: Vec<u32>,
    /// For each bench, the instance that has the clauses of the cell's location.
    instances: [u64; BENCHES],
}

/// "Where the locations are equal, the contents are equal."
pub(crate) struct Congruence {
    pub cells: [CellId; 2],
    pub same_place: Lit,
    /// For each bench, the instance that has its clauses.
    instances: [u64; BENCHES],
}

/// The arguments of a function in a model.
type Place = (Function, u32, u32, u32, u64);

#[derive(Default)]
pub(crate) struct Cells {
    words: Vec<Word>,
    word_ids: FxHashMap<Word, WordId>,
    cells: Vec<Cell>,
    ids: FxHashMap<Key, CellId>,
    pub congruences: Vec<Congruence>,
}

/// A location as the encoder sees it: an object, a word and a distance from it.
pub(crate) struct Spot<'a> {
    pub version: u32,
    pub object: &'a [Lit],
    pub base: &'a [Lit],
    pub distance: u64,
}

/// The number of a word whose bits are all known under `value`.
pub(crate) fn number(word: &[Lit], value: &impl Fn(Lit) -> bool) -> u64 {
    let bits = word.iter().enumerate();
    bits.fold(0, |n, (i, &bit)| n | (value(bit) as u64) << i)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Cells {
    pub fn bits(&self, cell: CellId) -> &[Lit] {
        &self.cells[cell.0 as usize].bits
    }

    /// The cell of a function at a location, with fresh bits if it is new.
    pub fn cell(&mut self, gates: &mut Gates, function: Function, spot: &Spot) -> CellId {
        let offset_width = spot.base.len() as u32;
        let (base, distance) = if function == Function::Base {
            (vec![], 0)
        } else if is_constant(spot.base) {
            let start = number(spot.base, &|bit| bit == Lit::TRUE);
            let distance = start.wrapping_add(spot.distance);
            (
                vec![Lit::FALSE; spot.base.len()],
                distance & mask(offset_width),
            )
        } else {
            (spot.base.to_vec(), spot.distance & mask(offset_width))
        };
        let key = Key {
            function,
            version: spot.version,
            offset_width: base.len() as u32,
            object: self.word(spot.object.to_vec()),
            base: self.word(base),
            distance,
        };
        if let Some(&cell) = self.ids.get(&key) {
            return cell;
        }
        let width = match function {
            Function::Byte => 8,
            Function::PointerObject => 32,
            Function::PointerOffset => offset_width as usize,
            Function::Tag => 1,
            Function::Base => 64,
        };
        let cell = CellId(self.cells.len() as u32);
        self.cells.push(Cell {
            key,
            bits: gates.inputs(width),
            congruences: Vec::new(),
            instances: [0; BENCHES],
        });
        self.ids.insert(key, cell);
        cell
    }

    fn word(&mut self, word: Word) -> WordId {
        if let Some(&id) = self.word_ids.get(&word) {
            return id;
        }
        let id = WordId(self.words.len() as u32);
        self.words.push(word.clone());
        self.word_ids.insert(word, id);
        id
    }

    fn words_of(&self, key: &Key) -> (&[Lit], &[Lit]) {
        let word = |id: WordId| &self.words[id.0 as usize][..];
        (word(key.object), word(key.base))
    }

    /// The bits of a cell's location, if the instance lacks them.
    pub fn missing_place(&self, cell: CellId, at: Instance) -> Option<Word> {
        let cell = &self.cells[cell.0 as usize];
        let (object, base) = self.words_of(&cell.key);
        (!at.has(&cell.instances)).then(|| [object, base].concat())
    }

    /// Records that the instance has a cell's location.
    pub fn place_defined(&mut self, cell: CellId, at: Instance) {
        at.note(&mut self.cells[cell.0 as usize].instances);
    }

    /// Records that the instance has a congruence.
    pub fn congruence_defined(&mut self, index: usize, at: Instance) {
        at.note(&mut self.congruences[index].instances);
    }

    fn place(&self, cell: CellId, value: &impl Fn(Lit) -> bool) -> Place {
        let key = &self.cells[cell.0 as usize].key;
        let (object, base) = self.words_of(key);
        let offset = match key.offset_width {
            0 => 0,
            width => number(base, value).wrapping_add(key.distance) & mask(width),
        };
        let object = number(object, value) as u32;
        (key.function, key.version, key.offset_width, object, offset)
    }

    /// Adds the contents of the cells to `model`, or returns the pairs of cells that have one
    /// location and two contents.
    pub fn contents(
        &self,
        cells: &[CellId],
        value: &impl Fn(Lit) -> bool,
        model: &mut Model,
    ) -> Vec<[CellId; 2]> {
        let mut first: FxHashMap<Place, (CellId, u64)> = FxHashMap::default();
        let mut violated = Vec::new();
        for &cell in cells {
            let place = self.place(cell, value);
            let content = number(self.bits(cell), value);
            let (other, there) = *first.entry(place).or_insert((cell, content));
            if there != content {
                violated.push([other, cell]);
            }
            let (function, version, offset_width, object, offset) = place;
            let place = (version, offset_width, object, offset);
            match function {
                Function::Byte => drop(model.bytes.insert(place, content as u8)),
                Function::PointerObject => drop(model.objects.insert(place, content as u32)),
                Function::PointerOffset => drop(model.offsets.insert(place, content)),
                Function::Tag => drop(model.tags.insert(place, content == 1)),
                Function::Base => drop(model.bases.insert(object, content)),
            }
        }
        violated
    }

    /// Adds the congruence of two cells of one function.
    pub fn relate(&mut self, gates: &mut Gates, cells: [CellId; 2]) -> usize {
        // No model violates a clause that is asserted; otherwise the search would not terminate.
        debug_assert!(!self.is_related(cells), "violated although related");
        let [a, b] = cells.map(|cell| self.cells[cell.0 as usize].key);
        let ((object_a, base_a), (object_b, base_b)) = (self.words_of(&a), self.words_of(&b));
        let between = a.distance.wrapping_sub(b.distance);
        let bit = |i: usize| Lit::constant(i < 64 && between >> i & 1 == 1);
        let distance: Word = (0..base_a.len()).map(bit).collect();
        let moved = gates.add(base_a, &distance);
        let (object, offset) = (gates.equal(object_a, object_b), gates.equal(&moved, base_b));
        let same_place = gates.and(object, offset);
        let index = self.congruences.len();
        self.congruences.push(Congruence {
            cells,
            same_place,
            instances: [0; BENCHES],
        });
        for cell in cells {
            let cell = &mut self.cells[cell.0 as usize];
            cell.congruences.push(index as u32);
        }
        index
    }

    fn is_related(&self, cells: [CellId; 2]) -> bool {
        let indices = &self.cells[cells[0].0 as usize].congruences;
        let mut congruences = indices.iter().map(|&i| &self.congruences[i as usize]);
        congruences.any(|congruence| congruence.cells == cells)
    }

    /// The congruences between two of these cells (sorted) that an instance lacks.
    pub fn missing(&self, cells: &[CellId], at: Instance) -> Vec<usize> {
        let mut missing: Vec<usize> = cells
            .iter()
            .flat_map(|cell| &self.cells[cell.0 as usize].congruences)
            .map(|&index| index as usize)
            .filter(|&index| {
                let congruence = &self.congruences[index];
                !at.has(&congruence.instances)
                    && congruence
                        .cells
                        .iter()
                        .all(|cell| cells.binary_search(cell).is_ok())
            })
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}
