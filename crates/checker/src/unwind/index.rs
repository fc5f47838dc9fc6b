//! Which writes a read has to look at.
//!
//! A run from the initial state makes many writes, nearly all to known places. For each version of
//! memory that a path stands at, the index has the latest write to each cell of each object; a
//! write keeps what it hides. So a read meets only writes that may overlap it, the latest first,
//! and a write costs no more than the cells that it touches.

use crate::memory::Version;
use imbl::OrdMap;
use rustc_hash::FxHashMap;

/// The size of a cell in bytes.
pub const CELL: u64 = 8;
/// A write of more cells counts as one to any place of its object.
const MOST_CELLS: u64 = 32;

/// The latest writes to an object.
#[derive(Clone, Debug)]
pub struct Head {
    /// The latest write to places of it that are not known, before those in `cells`.
    pub all: Version,
    /// The latest write to each cell since then.
    pub cells: OrdMap<u64, Version>,
    /// The latest change of its life.
    pub life: Version,
}

impl PartialEq for Head {
    /// Cells that are not shared count as different, which is only slower.
    fn eq(&self, other: &Head) -> bool {
        self.all == other.all && self.life == other.life && self.cells.ptr_eq(&other.cells)
    }
}

impl Head {
    fn none() -> Head {
        Head {
            all: Version::FIRST,
            cells: OrdMap::new(),
            life: Version::FIRST,
        }
    }

    /// The latest write to a cell.
    pub fn cell(&self, cell: u64) -> Version {
        self.cells.get(&cell).copied().unwrap_or(self.all)
    }
}

/// The latest writes of a version.
pub type Heads = OrdMap<u32, Head>;

/// What a write hides.
#[derive(Clone, Debug)]
pub enum Hidden {
    /// The latest writes to the cells that it touches.
    Cells(Vec<(u64, Version)>),
    /// All latest writes to the object.
    All(Head),
}

/// Places of an object that a write may touch.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// The object.
    pub object: u32,
    /// The first and the last cell, where they are known.
    pub cells: Option<(u64, u64)>,
}

impl Touched {
    /// A write of some bytes at an offset, where both are known.
    pub fn new(object: u32, offset: Option<u64>, length: Option<u64>) -> Touched {
        let cells = match (offset, length) {
            (Some(offset), Some(length)) => {
                let last = offset.checked_add(length.max(1) - 1);
                last.map(|last| (offset / CELL, last / CELL))
            }
            _ => None,
        };
        let few = cells.filter(|(first, last)| last - first < MOST_CELLS);
        Touched { object, cells: few }
    }
}

/// The writes of a run, by place.
#[derive(Debug, Default)]
pub struct Index {
    heads: FxHashMap<Version, Heads>,
    hidden: FxHashMap<(Version, u32), Hidden>,
    lives: FxHashMap<(Version, u32), Version>,
}

impl Index {
    /// The index of the initial memory.
    pub fn new() -> Index {
        let mut index = Index::default();
        index.heads.insert(Version::FIRST, Heads::new());
        index
    }

    /// The latest writes to an object at a version.
    pub fn head(&self, version: Version, object: u32) -> Head {
        let heads = self.heads.get(&version);
        let head = heads.and_then(|heads| heads.get(&object));
        head.cloned().unwrap_or(Head::none())
    }

    /// Whether a version can be read.
    pub fn has(&self, version: Version) -> bool {
        self.heads.contains_key(&version)
    }

    /// What a write hides of an object.
    pub fn hidden(&self, version: Version, object: u32) -> Option<&Hidden> {
        self.hidden.get(&(version, object))
    }

    /// The change of an object's life before this one.
    pub fn life_before(&self, version: Version, object: u32) -> Version {
        let known = self.lives.get(&(version, object));
        known.copied().unwrap_or(Version::FIRST)
    }

    /// A second path goes on from a version.
    pub fn fork(&mut self, from: Version, to: Version) {
        if let Some(heads) = self.heads.get(&from) {
            let heads = heads.clone();
            self.heads.insert(to, heads);
        }
    }

    /// The only path at a version goes on with a write.
    pub fn write(&mut self, below: Version, version: Version, touched: &[Touched]) {
        let Some(mut heads) = self.heads.remove(&below) else {
            return;
        };
        for Touched { object, cells } in touched {
            let head = heads.entry(*object).or_insert_with(Head::none);
            let hidden = match *cells {
                Some((first, last)) => {
                    let hide = |cell| {
                        let before = head.cells.insert(cell, version);
                        (cell, before.unwrap_or(head.all))
                    };
                    Hidden::Cells((first..=last).map(hide).collect())
                }
                None => {
                    let before = Head {
                        all: head.all,
                        cells: std::mem::take(&mut head.cells),
                        life: head.life,
                    };
                    head.all = version;
                    Hidden::All(before)
                }
            };
            self.hidden.insert((version, *object), hidden);
        }
        self.heads.insert(version, heads);
    }

    /// The only path at a version goes on with the end of some objects.
    pub fn end(&mut self, below: Version, version: Version, objects: &[u32]) {
        let Some(mut heads) = self.heads.remove(&below) else {
            return;
        };
        for object in objects {
            let head = heads.entry(*object).or_insert_with(Head::none);
            let before = std::mem::replace(&mut head.life, version);
            self.lives.insert((version, *object), before);
        }
        self.heads.insert(version, heads);
    }

    /// Paths at these versions come together.
    pub fn join(&mut self, versions: &[Version], joined: Version) {
        let mut parts = versions.iter().map(|version| self.heads.get(version));
        let Some(Some(first)) = parts.next() else {
            return;
        };
        let mut out = first.clone();
        for part in parts {
            let Some(other) = part else {
                return;
            };
            for change in first.diff(other) {
                let (object, mine, theirs) = match change {
                    imbl::ordmap::DiffItem::Add(object, theirs) => (*object, None, Some(theirs)),
                    imbl::ordmap::DiffItem::Remove(object, mine) => (*object, Some(mine), None),
                    imbl::ordmap::DiffItem::Update { old, new } => {
                        (*old.0, Some(old.1), Some(new.1))
                    }
                };
                let none = Head::none();
                let (mine, theirs) = (mine.unwrap_or(&none), theirs.unwrap_or(&none));
                let head = out.entry(object).or_insert_with(Head::none);
                join_heads(head, mine, theirs, joined);
            }
        }
        self.heads.insert(joined, out);
    }
}

/// Marks what differs between two latest writes.
fn join_heads(head: &mut Head, mine: &Head, theirs: &Head, joined: Version) {
    if mine.life != theirs.life {
        head.life = joined;
    }
    if head.all == joined {
        return;
    }
    if mine.all != theirs.all {
        head.all = joined;
        head.cells = OrdMap::new();
        return;
    }
    let changed: Vec<u64> = mine
        .cells
        .diff(&theirs.cells)
        .map(|change| match change {
            imbl::ordmap::DiffItem::Add(cell, _) | imbl::ordmap::DiffItem::Remove(cell, _) => *cell,
            imbl::ordmap::DiffItem::Update { old, .. } => *old.0,
        })
        .collect();
    for cell in changed {
        head.cells.insert(cell, joined);
    }
}
