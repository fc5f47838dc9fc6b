//! Pools: the candidate facts of each location, and what their making remembers.

use crate::invariants::places::Place;
use crate::invariants::templates::Numbers;
use crate::techniques::Technique;
use attest_model::graph::Loc;
use attest_term::{Program as Compiled, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;

/// The pools of all locations.
#[derive(Default)]
pub(crate) struct Pools {
    pub(crate) pools: FxHashMap<Loc, Pool>,
    /// Numbers of the program's text; made on first use.
    pub(crate) numbers: Option<Numbers>,
    /// Where the code walks over arrays; made on first use.
    pub(crate) walks: Option<Walks>,
    /// Which technique made each fact.
    pub(crate) makers: FxHashMap<Term, Technique>,
    /// How often facts of single regions are still tried at a location.
    pub(crate) hope: FxHashMap<Loc, u32>,
    /// Variables that are the same in all tests, but not after every step.
    pub(crate) varying: FxHashMap<Loc, FxHashSet<Term>>,
    /// How often invariants were looked for, by the location that asked.
    pub(crate) learned: FxHashMap<Loc, u32>,
    /// The effort of the search for invariants.
    pub(crate) effort: Duration,
}

/// Facts that hold of all states at a location so far.
pub(crate) struct Pool {
    pub(crate) facts: Vec<Term>,
    /// All of them, to be compared with more states.
    pub(crate) compiled: Compiled,
    /// States of the location that they were compared with.
    pub(crate) seen: usize,
    /// States that they were guessed from.
    pub(crate) guessed_from: usize,
}

impl Pools {
    /// Takes note of variables that do not stay what they were in all tests; whether that
    /// is new, so that there are other candidates.
    pub(crate) fn vary(&mut self, loc: Loc, variables: Vec<Term>) -> bool {
        let known = self.varying.entry(loc).or_default();
        let before = known.len();
        known.extend(variables);
        let new = known.len() > before;
        if new {
            self.pools.remove(&loc);
        }
        new
    }
}

/// An array as the code walks over it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Array {
    pub place: Place,
    /// Bytes of an element.
    pub bytes: u32,
    /// The memory or its shadow.
    pub version: u32,
}

/// Where the code walks over arrays: the location before the step, the array, the index.
pub(crate) type Walks = Arc<Vec<(Loc, Array, Term)>>;
