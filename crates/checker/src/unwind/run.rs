//! What instructions need to know in a run from the initial state: objects are numbers, with their
//! sizes and where they were made.

use super::leaves::Leaf;
use crate::encode::{Encoder, Flow, Unsupported};
use crate::state::{Pointer, Value};
use attest_model::{InputKind, ObjectId};
use attest_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A number that is one of more addresses is not followed.
const MOST_ADDRESSES: u32 = 12;

/// An object that a run made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Its size in bytes.
    pub size: Term,
    /// Whether it is on the heap.
    pub heap: bool,
}

/// A run from the initial state, on all paths at once.
#[derive(Debug)]
pub struct Run {
    /// The objects that it made, the first with the number of the first dynamic object.
    pub made: Vec<Made>,
    /// The number of the first of them.
    pub first: u32,
    /// The storage of the next object.
    pub heap: bool,
    /// What it took from the environment, in the order of any of its paths: the path's condition,
    /// the value, and the kind.
    pub inputs: Vec<(Term, Value, InputKind)>,
    /// How often a path was restricted other than by a branch.
    pub losses: u64,
    sizes: FxHashMap<Term, Term>,
    /// Terms into which no object's address goes.
    plain: FxHashSet<Term>,
}

impl Run {
    /// A run that has made no objects.
    pub fn new(first: u32) -> Run {
        Run {
            made: Vec::new(),
            first,
            heap: true,
            inputs: Vec::new(),
            losses: 0,
            sizes: FxHashMap::default(),
            plain: FxHashSet::default(),
        }
    }

    fn made(&self, object: u64) -> Option<Made> {
        let at = (object as usize).checked_sub(self.first as usize)?;
        self.made.get(at).copied()
    }
}

impl Encoder<'_> {
    /// How often paths of the run were restricted other than by a branch; 0 in a step.
    pub(crate) fn losses(&self) -> u64 {
        self.run.as_ref().map_or(0, |run| run.losses)
    }

    /// A new object of the run. All paths count on together, so that its number is a constant.
    pub(crate) fn object_of_run(&mut self, size: Term) -> Term {
        let number = match &mut self.run {
            Some(run) => {
                let heap = run.heap;
                run.made.push(Made { size, heap });
                run.first + run.made.len() as u32 - 1
            }
            None => 0,
        };
        self.terms.bv_u128(32, number.into())
    }

    /// The objects that a pointer of the run may lead to; none, and noted, if they are not known.
    fn objects_in_run(&mut self, object: Term) -> Option<Rc<[Leaf]>> {
        let whole = self.memories.whole.as_mut()?;
        let leaves = whole.leaves.of(self.terms, object);
        whole.lost |= leaves.is_none();
        leaves
    }

    /// The size of an object of the run.
    pub(crate) fn size_in_run(&mut self, object: Term) -> Term {
        let known = self.run.as_ref().and_then(|run| run.sizes.get(&object));
        if let Some(size) = known {
            return *size;
        }
        let zero = self.word(0);
        let Some(leaves) = self.objects_in_run(object) else {
            return zero;
        };
        let mut size = zero;
        for leaf in leaves.iter() {
            let made = self.run.as_ref().and_then(|run| run.made(leaf.value));
            let info = self.program.object(ObjectId(leaf.value as u32));
            let of_leaf = match (made, info) {
                (Some(made), _) => made.size,
                (None, Some(info)) => self.word(info.size.into()),
                (None, None) => zero,
            };
            size = self.terms.ite(leaf.when, of_leaf, size);
        }
        if let Some(run) = &mut self.run {
            run.sizes.insert(object, size);
        }
        size
    }

    /// Whether an object of the run is on the heap.
    pub(crate) fn is_heap_in_run(&mut self, object: Term) -> Term {
        let leaves = self.objects_in_run(object).unwrap_or_else(|| Rc::new([]));
        let heap = |leaf: &&Leaf| {
            let made = self.run.as_ref().and_then(|run| run.made(leaf.value));
            made.is_some_and(|made| made.heap)
        };
        let conditions: Vec<Term> = leaves.iter().filter(heap).map(|leaf| leaf.when).collect();
        self.terms.any(&conditions)
    }

    /// Whether no object's address goes into a number.
    fn has_no_address(&mut self, number: Term) -> bool {
        let Some(run) = &mut self.run else {
            return false;
        };
        let mut found = Vec::new();
        let mut work = vec![number];
        while let Some(term) = work.pop() {
            if matches!(self.terms.op(term), Op::Base { .. }) {
                // What was found is only known to be plain if nothing below it is an address.
                for term in found {
                    run.plain.remove(&term);
                }
                return false;
            }
            if run.plain.insert(term) {
                found.push(term);
                work.extend(self.terms.args(term));
            }
        }
        true
    }

    /// The pointer for an address, where it is one of few that are known.
    pub(crate) fn pointer_of_run(&mut self, flow: &mut Flow, address: Term) -> Pointer {
        self.one_of_addresses(flow.path, address, MOST_ADDRESSES)
    }

    fn one_of_addresses(&mut self, path: Term, address: Term, depth: u32) -> Pointer {
        if let Some(base) = self.base_in(address) {
            let offset = self.terms.sub(address, base);
            // The distance between two objects leads from one to the other.
            if self.has_no_address(offset) {
                let object = self.terms.arg(base, 0);
                return Pointer { object, offset };
            }
        }
        if self.terms.is_const(address) {
            return self.plain_number(address);
        }
        if self.terms.op(address) == Op::Ite && depth > 0 {
            let &[condition, then, other] = self.terms.args(address) else {
                return self.plain_number(address);
            };
            let not = self.terms.not(condition);
            let on = self.terms.all(&[path, condition]);
            let off = self.terms.all(&[path, not]);
            let then = self.one_of_addresses(on, then, depth - 1);
            let other = self.one_of_addresses(off, other, depth - 1);
            return Value::Ptr(then)
                .choose(self.terms, condition, Value::Ptr(other))
                .ptr();
        }
        self.unsupported.push(Unsupported {
            what: "a number that may be any object's address",
            cond: path,
            place: self.place,
        });
        self.plain_number(address)
    }
}
