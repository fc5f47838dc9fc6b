//! The constraint graph and its least solution, by difference propagation.
//!
//! A node is a set of places: of a register, a promoted global, a result, or the values stored or
//! read at a place. A use of a node gives the consequences of each of its places, once; new places
//! are propagated until a fixpoint. A node that may point anywhere stores nothing else.

use super::PointsTo;
use super::memory::{Bytes, Contents, Copied, RawBytes, Reading, What};
use super::numbers::{Leak, Mixture};
use super::place::{MOST_SHIFT, Place, Site};
use super::sites::SiteKind;
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of places under construction.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(pub u32);

/// The consequence of each place of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The place is also in this node.
    Copy(Node),
    /// The place plus a constant is in another node; the number of the addition.
    Add(u32),
    /// The place plus a constant and a multiple of `2^shift` is in another node.
    Stride { to: Node, by: u64, shift: u32 },
    /// The contents there are in this node; how other bytes are read.
    Load(Node, Reading),
    /// The contents of this node are stored there.
    Store(Node),
    /// Other bytes are stored there; their number, if it is known.
    Data { bytes: Option<u64>, what: Bytes },
    /// Bytes are copied from there; the number of the copy.
    From(u32),
    /// Bytes are copied to there.
    To(u32),
    /// Control continues at the case for it.
    Switch(FnId, BlockId),
    /// Its bits go into a number, as this operand; the number of the mixture.
    Mix { mixture: u32, operand: u32 },
    /// Pieces of it flow elsewhere if it is an address; the number of the leak.
    Leak(u32),
}

/// An addition of a constant. After several results in one object it counts as the step of a loop,
/// and gives all places that the loop can reach.
struct Addition {
    to: Node,
    by: u64,
    seen: FxHashMap<Site, u32>,
}

/// The number of results of an addition in one object above which it counts as the step of a loop.
const MOST_STEPS: u32 = 8;

/// A copy of bytes between the places of two nodes.
struct Copying {
    from: Option<Node>,
    to: Option<Node>,
    bytes: Option<u64>,
}

#[derive(Default)]
struct Set {
    anywhere: bool,
    all: Vec<Place>,
    known: FxHashSet<Place>,
    /// How many places the uses have processed, and whether they have processed `anywhere`.
    done: usize,
    anywhere_done: bool,
    uses: Vec<Use>,
    copied_to: FxHashSet<Node>,
    queued: bool,
}

/// The state of the analysis.
pub(crate) struct Solver<'p> {
    pub program: &'p Program,
    sets: Vec<Set>,
    queue: Vec<Node>,
    additions: Vec<Addition>,
    pub mixtures: Vec<Mixture>,
    /// Pending effects on numbers, for when they become addresses.
    pub leaks: Vec<Option<Leak>>,
    copyings: Vec<Copying>,
    pub contents: Vec<Contents>,
    /// Pending contents of copies.
    pub moves: Vec<(Copied, What)>,
    pub sites: Vec<SiteKind>,
    /// The node that every read includes: anything, once something is stored anywhere.
    pub stored_anywhere: Node,
    /// The first node of each function's registers, if it is called.
    pub registers: Vec<Option<u32>>,
    pub results: Vec<Vec<Node>>,
    pub globals: Vec<Node>,
    pub constants: FxHashMap<Place, Node>,
    /// Reachable blocks.
    pub active: Vec<Vec<bool>>,
    /// Blocks whose constraints are still to be generated.
    pub blocks: Vec<(FnId, BlockId)>,
    /// Where the variable arguments of calls go, by function.
    pub varargs: Vec<Vec<Place>>,
    /// The variable arguments of calls, by callee.
    pub passed: Vec<Vec<Vec<(Node, Sort)>>>,
    /// The writes of each function's own code: where, and how many bytes.
    pub written: Vec<Vec<(Node, Option<u64>)>>,
    /// The call graph.
    pub calls: Vec<FxHashSet<u32>>,
    /// The reads that must not treat bytes never written as numbers of the environment, if such
    /// reads are searched for.
    pub addresses: Option<&'p FxHashSet<SiteKind>>,
}

impl<'p> Solver<'p> {
    pub(crate) fn new(program: &'p Program) -> Solver<'p> {
        let functions = program.functions.len();
        let blocks = program.functions.iter().map(|f| f.blocks.len());
        let mut solver = Solver {
            program,
            sets: Vec::new(),
            queue: Vec::new(),
            additions: Vec::new(),
            mixtures: Vec::new(),
            leaks: Vec::new(),
            copyings: Vec::new(),
            contents: Vec::new(),
            moves: Vec::new(),
            sites: Vec::new(),
            stored_anywhere: Node(0),
            registers: vec![None; functions],
            results: vec![Vec::new(); functions],
            globals: Vec::new(),
            constants: FxHashMap::default(),
            active: blocks.map(|n| vec![false; n]).collect(),
            blocks: Vec::new(),
            varargs: vec![Vec::new(); functions],
            passed: vec![Vec::new(); functions],
            written: vec![Vec::new(); functions],
            calls: vec![FxHashSet::default(); functions],
            addresses: None,
        };
        solver.stored_anywhere = solver.node();
        solver
    }

    pub(crate) fn pointer_bytes(&self) -> u128 {
        u128::from(self.program.pointer_bits / 8)
    }

    /// The abstract object of plain numbers, which comes after the static ones.
    pub(crate) fn none(&self) -> Site {
        Site(self.program.objects.len() as u32)
    }

    /// The abstract object of null and the numbers in the last page.
    pub(crate) fn errors(&self) -> Site {
        Site(self.program.objects.len() as u32 + 1)
    }

    /// Whether an abstract object stands for numbers.
    pub(crate) fn is_number(&self, site: Site) -> bool {
        [self.none(), self.errors(), self.pieces()].contains(&site)
    }

    pub(crate) fn null(&self) -> Place {
        self.exact(self.none(), 0)
    }

    /// Any plain number.
    pub(crate) fn any_number(&self) -> Place {
        Place::new(self.none(), 0, 0)
    }

    /// A known offset of an object.
    pub(crate) fn exact(&self, site: Site, offset: u64) -> Place {
        Place::new(site, offset, self.program.pointer_bits)
    }

    pub(crate) fn node(&mut self) -> Node {
        self.sets.push(Set::default());
        Node(self.sets.len() as u32 - 1)
    }

    /// Places of a node; none if it may point anywhere.
    pub(crate) fn places(&self, node: Node) -> Option<&[Place]> {
        let set = &self.sets[node.0 as usize];
        (!set.anywhere).then_some(&set.all)
    }

    fn queue(&mut self, node: Node) {
        let set = &mut self.sets[node.0 as usize];
        if !set.queued {
            set.queued = true;
            self.queue.push(node);
        }
    }

    pub(crate) fn add(&mut self, node: Node, place: Place) {
        let set = &mut self.sets[node.0 as usize];
        if !set.anywhere && set.known.insert(place) {
            set.all.push(place);
            self.queue(node);
        }
    }

    pub(crate) fn add_anywhere(&mut self, node: Node) {
        let set = &mut self.sets[node.0 as usize];
        if !set.anywhere {
            set.anywhere = true;
            set.all = Vec::new();
            set.known = FxHashSet::default();
            set.done = 0;
            self.queue(node);
        }
    }

    /// Adds a use, for the node's present and future places.
    pub(crate) fn attach(&mut self, node: Node, what: Use) {
        let set = &mut self.sets[node.0 as usize];
        if let Use::Copy(to) = what
            && (to == node || !set.copied_to.insert(to))
        {
            return;
        }
        set.uses.push(what);
        let (anywhere_done, seen) = (set.anywhere_done, set.all[..set.done].to_vec());
        if anywhere_done {
            self.apply_anywhere(what);
        }
        for place in seen {
            self.apply(what, place);
        }
    }

    /// Adds the flow of all places plus a constant.
    pub(crate) fn attach_addition(&mut self, node: Node, to: Node, by: u64) {
        if by == 0 {
            return self.attach(node, Use::Copy(to));
        }
        self.additions.push(Addition {
            to,
            by,
            seen: FxHashMap::default(),
        });
        self.attach(node, Use::Add(self.additions.len() as u32 - 1));
    }

    /// Adds a copy of bytes between the places of two pointers; numbers have no bytes.
    pub(crate) fn attach_copying(
        &mut self,
        from: Option<Node>,
        to: Option<Node>,
        bytes: Option<u64>,
    ) {
        self.copyings.push(Copying { from, to, bytes });
        let number = self.copyings.len() as u32 - 1;
        if let Some(from) = from {
            self.attach(from, Use::From(number));
        }
        if let Some(to) = to {
            self.attach(to, Use::To(number));
        }
    }

    /// Propagates until a fixpoint.
    pub(crate) fn solve(&mut self) {
        loop {
            if let Some((function, block)) = self.blocks.pop() {
                self.constrain(function, block);
            } else if let Some((copied, what)) = self.moves.pop() {
                self.copy_contents(copied, what);
            } else if let Some(node) = self.queue.pop() {
                self.propagate(node);
            } else {
                return;
            }
        }
    }

    fn propagate(&mut self, node: Node) {
        let set = &mut self.sets[node.0 as usize];
        set.queued = false;
        let anywhere = set.anywhere && !set.anywhere_done;
        set.anywhere_done |= anywhere;
        let new = set.all[set.done..].to_vec();
        set.done = set.all.len();
        let uses = set.uses.clone();
        for what in uses {
            if anywhere {
                self.apply_anywhere(what);
            }
            for place in &new {
                self.apply(what, *place);
            }
        }
    }

    fn apply(&mut self, what: Use, place: Place) {
        let accesses = matches!(
            what,
            Use::Load(..) | Use::Store(_) | Use::Data { .. } | Use::From(_) | Use::To(_)
        );
        // No access through a number succeeds.
        if accesses && self.is_number(place.site) {
            return;
        }
        // An error number that is advanced or compared is an ordinary number.
        let place = match what {
            Use::Copy(_) | Use::Mix { .. } | Use::Leak(_) => place,
            _ if place.site == self.errors() => self.any_number(),
            _ => place,
        };
        match what {
            Use::Copy(to) => self.add(to, place),
            Use::Add(number) => self.apply_addition(number, place),
            Use::Stride { to, by, shift } => self.add(to, place.moved(by, shift)),
            Use::Load(to, reading) => {
                let from = self.load(place, reading);
                self.attach(from, Use::Copy(to));
            }
            Use::Store(from) => {
                let to = self.store(place);
                self.attach(from, Use::Copy(to));
            }
            Use::Data { bytes, what } => {
                // Zeros of unknown number may end inside a pointer.
                let what = match (bytes, what) {
                    (None, Bytes::Zero) => Bytes::Data,
                    _ => what,
                };
                let bytes = bytes.map_or(place.rest(), u128::from);
                self.add_raw(RawBytes {
                    at: place,
                    bytes,
                    what,
                });
            }
            Use::From(number) => {
                let Copying { to, bytes, .. } = self.copyings[number as usize];
                match to.map(|to| self.places(to).map(<[Place]>::to_vec)) {
                    None | Some(None) => {}
                    Some(Some(all)) => {
                        for to in all {
                            let from = place;
                            if !self.is_number(to.site) {
                                self.add_copy(Copied { from, to, bytes });
                            }
                        }
                    }
                }
            }
            Use::To(number) => {
                let Copying { from, bytes, .. } = self.copyings[number as usize];
                match from.map(|from| self.places(from).map(<[Place]>::to_vec)) {
                    None => {}
                    Some(None) => self.copy_from_anywhere(place, bytes),
                    Some(Some(all)) => {
                        for from in all {
                            let to = place;
                            if !self.is_number(from.site) {
                                self.add_copy(Copied { from, to, bytes });
                            }
                        }
                    }
                }
            }
            Use::Switch(function, block) => self.switch(function, block, place),
            Use::Mix { mixture, operand } => self.apply_mix(mixture, operand, Some(place)),
            Use::Leak(leak) => self.apply_leak(leak, Some(place)),
        }
    }

    fn apply_anywhere(&mut self, what: Use) {
        match what {
            Use::Copy(to) | Use::Stride { to, .. } | Use::Load(to, _) => self.add_anywhere(to),
            Use::Add(number) => self.add_anywhere(self.additions[number as usize].to),
            Use::Store(_) | Use::Data { .. } | Use::To(_) => {
                self.add_anywhere(self.stored_anywhere)
            }
            Use::From(number) => {
                let Copying { to, bytes, .. } = self.copyings[number as usize];
                let all = to.and_then(|to| self.places(to)).map(<[Place]>::to_vec);
                let all: Vec<Place> = all.into_iter().flatten().collect();
                for place in all {
                    if !self.is_number(place.site) {
                        self.copy_from_anywhere(place, bytes);
                    }
                }
            }
            Use::Switch(function, block) => self.switch_anywhere(function, block),
            Use::Mix { mixture, operand } => self.apply_mix(mixture, operand, None),
            Use::Leak(leak) => self.apply_leak(leak, None),
        }
    }

    fn copy_from_anywhere(&mut self, to: Place, bytes: Option<u64>) {
        let any = self.store(Place::new(to.site, 0, 0));
        self.add_anywhere(any);
        let bytes = bytes.map_or(to.rest(), u128::from);
        let (at, what) = (to, Bytes::Address);
        self.add_raw(RawBytes { at, bytes, what });
    }

    fn apply_addition(&mut self, number: u32, place: Place) {
        let exact = place.shift == self.program.pointer_bits;
        let addition = &mut self.additions[number as usize];
        let (to, by) = (addition.to, addition.by);
        let steps = addition.seen.entry(place.site).or_default();
        let shift = match exact {
            true if *steps < MOST_STEPS => {
                *steps += 1;
                u64::BITS
            }
            true => by.trailing_zeros().min(MOST_SHIFT),
            false => u64::BITS,
        };
        self.add(to, place.moved(by, shift));
    }

    /// The result.
    pub(crate) fn finish(self) -> PointsTo {
        PointsTo::from_solver(self)
    }

    /// Every set, by node.
    pub(crate) fn into_sets(self) -> Vec<super::Places> {
        let numbers = [self.none(), self.errors(), self.pieces()];
        let places = |set: Set| {
            let all = set.all.into_iter();
            let (numbers, list) = all.partition(|place| numbers.contains(&place.site));
            let places = super::Places {
                anywhere: set.anywhere,
                list,
                numbers,
            };
            places.join(super::Places::default())
        };
        self.sets.into_iter().map(places).collect()
    }
}
