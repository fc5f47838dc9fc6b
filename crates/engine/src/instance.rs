//! Procedures in turn: what the engine knows of the one it works on.
//!
//! The engine works on one procedure at a time, under one query. What belongs
//! to that work, its regions, witnesses, cuts, is in the engine's own fields
//! while it lasts; a sub-query exchanges them for the callee's and puts the
//! caller's on a stack, and its answer brings them back. There is no recursion
//! on the machine's stack, and an unanswered query is kept to be resumed.

use crate::candidates::Pools;
use crate::engine::{Engine, Names};
use crate::forest::{ActivationId, NodeId};
use crate::frontier::Bad;
use crate::look::Ghosts;
use crate::procedures::{Query, Use};
use crate::regions::{RegionId, Regions};
use crate::techniques::Technique;
use attest_exec::symbolic::env::SymbolTable;
use attest_exec::symbolic::step::Vocabulary;
use attest_model::FnId;
use attest_model::graph::{Graph, Loc};
use attest_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The work on one procedure.
pub(crate) struct Instance {
    pub function: FnId,
    pub number: u32,
    pub vocabulary: Rc<Vocabulary>,
    pub symbols: Rc<SymbolTable>,
    pub object_parts: Rc<FxHashSet<Term>>,
    pub regions: Regions,
    pub bad: Bad,
    pub not_local: FxHashMap<(RegionId, RegionId), u32>,
    pub tried: FxHashSet<(RegionId, RegionId, Option<NodeId>)>,
    pub attempts: FxHashMap<(Loc, Loc), u32>,
    pub astray: FxHashMap<(RegionId, RegionId), u32>,
    pub splits: FxHashMap<Loc, u32>,
    pub invariants: FxHashMap<Loc, Vec<Term>>,
    pub invariants_version: u32,
    pub pools: Pools,
    pub query: Option<Query>,
    pub ghosts: Ghosts,
    pub ghost_terms: FxHashMap<ActivationId, FxHashMap<Term, Term>>,
    pub conditions: FxHashMap<ActivationId, Vec<Term>>,
    pub own: FxHashMap<Loc, Vec<NodeId>>,
    pub uses: Vec<Use>,
}

/// What holds at a procedure's locations whatever the query, and who made it.
#[derive(Clone, Default)]
pub(crate) struct Background {
    invariants: FxHashMap<Loc, Vec<Term>>,
    makers: FxHashMap<Term, Technique>,
}

macro_rules! exchange {
    ($a:ident, $b:ident: $($field:ident),*) => {
        $(std::mem::swap(&mut $a.$field, &mut $b.$field);)*
    };
}

impl Instance {
    /// One that knows nothing.
    fn empty(function: FnId, (vocabulary, symbols, object_parts): Names) -> Instance {
        Instance {
            function,
            number: 0,
            vocabulary,
            symbols,
            object_parts,
            regions: Regions::default(),
            bad: Bad::default(),
            not_local: FxHashMap::default(),
            tried: FxHashSet::default(),
            attempts: FxHashMap::default(),
            astray: FxHashMap::default(),
            splits: FxHashMap::default(),
            invariants: FxHashMap::default(),
            invariants_version: 0,
            pools: Pools::default(),
            query: None,
            ghosts: FxHashMap::default(),
            ghost_terms: FxHashMap::default(),
            conditions: FxHashMap::default(),
            own: FxHashMap::default(),
            uses: Vec::new(),
        }
    }
}

impl Engine<'_> {
    /// Puts another instance's work into the engine's fields, and the present one there.
    pub(crate) fn exchange(&mut self, other: &mut Instance) {
        exchange!(self, other: function, number, vocabulary, symbols, object_parts, regions, bad,
            not_local, tried, attempts, astray, splits, invariants, invariants_version, pools,
            query, ghosts, ghost_terms, conditions, own, uses);
        self.focus = None;
    }

    /// An instance for a procedure, with one region a location.
    pub(crate) fn instance(&mut self, function: FnId, query: Option<Query>) -> Instance {
        let names = self.names_of(function);
        let mut instance = Instance::empty(function, names);
        self.numbers += 1;
        instance.number = self.numbers;
        instance.regions = Regions::new(self.graph.locations_of(function));
        let asker = query.as_ref().map(|query| (function, query.key.asker));
        if let Some(known) = asker.and_then(|asker| self.background.get(&asker)) {
            instance.invariants.clone_from(&known.invariants);
            instance.pools.makers.clone_from(&known.makers);
            // The first search for invariants would find the same.
            instance.pools.learned.insert(Graph::ROOT, 1);
        }
        instance.query = query;
        instance
    }

    /// Keeps the invariants of the present query, which do not depend on it, for others.
    pub(crate) fn keep_invariants(&mut self) {
        let Some(asker) = self.query.as_ref().map(|query| query.key.asker) else {
            return;
        };
        let known = Background {
            invariants: self.invariants.clone(),
            makers: self.pools.makers.clone(),
        };
        self.background.insert((self.function, asker), known);
    }

    /// Does something in the place of the present query's caller.
    pub(crate) fn in_caller<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let mut caller = self.stack.pop()?;
        let focus = self.focus;
        self.exchange(&mut caller);
        let result = work(self);
        self.exchange(&mut caller);
        self.focus = focus;
        self.stack.push(caller);
        Some(result)
    }

    /// Does something in the place of every instance on the stack, the program's own
    /// first and the present one last. The number is its level.
    pub(crate) fn in_each(&mut self, mut work: impl FnMut(&mut Self, usize)) {
        let focus = self.focus;
        let mut above: Vec<Instance> = std::mem::take(&mut self.stack);
        let levels = above.len();
        above.reverse();
        // Below the present level the stack is as it was when that level was the present one.
        let mut present = self.hold();
        while let Some(mut next) = above.pop() {
            self.exchange(&mut next);
            let level = self.stack.len();
            work(self, level);
            self.exchange(&mut next);
            self.stack.push(next);
        }
        self.exchange(&mut present);
        work(self, levels);
        self.focus = focus;
    }

    /// Takes the present work out of the engine's fields, leaving nothing there.
    pub(crate) fn hold(&mut self) -> Instance {
        let names = (
            self.vocabulary.clone(),
            self.symbols.clone(),
            self.object_parts.clone(),
        );
        let mut held = Instance::empty(self.function, names);
        self.exchange(&mut held);
        held
    }

    /// The tests' states at a location that the present work may look at.
    pub(crate) fn nodes_at(&self, loc: Loc) -> &[NodeId] {
        match self.query {
            None => self.forest.at(loc),
            Some(_) => self.own.get(&loc).map_or(&[], Vec::as_slice),
        }
    }
}
