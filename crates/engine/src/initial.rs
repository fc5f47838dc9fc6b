//! The first abstraction: what values the state of a rule has at each location.
//!
//! The YOGI study (section 8) starts with the predicates of the rule that
//! mention no parameters and no results, since almost every proof needs them.
//! Here it is the state itself, and not its predicates: which values its
//! variables have together, with the values of live pointers and whether the
//! watched object is what they point to. The sets are computed forward from
//! the start, one value at a time that the solver finds at the end of a step,
//! until no step leads out of them. They are inductive then, by themselves,
//! and become invariants like those of [`crate::houdini`]; a location without
//! values is not reached. What has too many values is forgotten there.
//!
//! Calls through tables of functions need the tables: with the pointers known,
//! the pointers of static objects and the numbers of constant ones that keep
//! their first values everywhere become invariants, too.

use crate::dash::Engine;
use crate::events::{Event, Question};
use crate::strategy::{Calls, Candidates};
use crate::techniques::Technique;
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Graph, Loc};
use attest_model::{GlobalReg, InitPiece, ObjectId, StaticKind};
use attest_solver::Answer;
use attest_term::{Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Values of a variable of the rule at one location,
const MOST_OF_RULE: usize = 12;
/// of another one,
const MOST_OF_OTHERS: usize = 8;
/// and of all of them together.
const MOST_TOGETHER: usize = 64;
/// Live pointers that are looked at.
const MOST_POINTERS: usize = 24;
/// Pointers of static objects that are looked at.
const MOST_CELLS: usize = 64;
/// The largest table.
const LARGEST_TABLE: u64 = 512;
/// The longest time that it may take.
const LONGEST: Duration = Duration::from_secs(60);

/// Something whose values are followed at a location.
#[derive(Clone, Copy)]
struct Followed {
    term: Term,
    of_rule: bool,
}

/// What is known of a location.
struct Valuations {
    followed: Vec<Followed>,
    tuples: FxHashSet<Vec<Value>>,
}

impl Engine<'_> {
    /// Whether the first abstraction is to be made.
    pub(crate) fn wants_initial_abstraction(&self) -> bool {
        let strategy = &self.options.strategy;
        !self.options.initial.is_empty()
            && self.options.uses(Technique::Initial)
            && strategy.calls == Calls::Inlined
            && strategy.candidates == Candidates::Invariants
    }

    /// Finds the values of the rule's state everywhere and makes invariants of them, if there
    /// is time to come to an end.
    pub(crate) fn abstract_initially(&mut self) {
        let now = Instant::now();
        let left = self.deadline.map(|d| d.saturating_duration_since(now));
        let budget = now + left.map_or(LONGEST, |left| (left / 2).min(LONGEST));
        let locations = (0..self.graph.locations.len() as u32).map(Loc);
        let inner: Vec<Loc> = locations.filter(|loc| self.is_inner(*loc)).collect();
        let Some(mut known) = self.valuations(budget) else {
            return;
        };
        for loc in inner.iter().copied() {
            let fact = match known.remove(&loc) {
                Some(valuations) => self.formula(&valuations),
                None => self.terms.bool(false),
            };
            if self.terms.bool_const(fact) == Some(true) {
                continue;
            }
            self.pools.makers.insert(fact, Technique::Initial);
            let maker = self.maker(fact);
            self.tell(Event::Invariant { loc, fact, maker });
            self.invariants.entry(loc).or_default().push(fact);
        }
        let tables = self.tables();
        let sets = inner.iter().map(|loc| (*loc, tables.clone())).collect();
        self.inductive(&inner, sets, budget);
        self.invariants_version += 1;
    }

    /// That pointers of static objects and numbers of constant ones have their first values,
    /// one by one.
    fn tables(&mut self) -> Vec<Term> {
        let mut out = Vec::new();
        let program = self.program;
        for (number, object) in program.objects.iter().enumerate() {
            let Some(init) = object
                .init
                .as_ref()
                .filter(|_| object.size <= LARGEST_TABLE)
            else {
                continue;
            };
            // Number 0 is no object.
            let id = self.terms.bv_u128(32, number as u128 + 1);
            let mut bytes = vec![Some(0u8); object.size as usize];
            let mut pointers = 0;
            for piece in init {
                match piece {
                    InitPiece::Ptr(at, target, inside) => {
                        pointers += 1;
                        let width = u64::from(program.pointer_bits / 8);
                        let slot = *at as usize..((at + width) as usize).min(bytes.len());
                        bytes[slot].fill(None);
                        out.push(self.pointer_cell(id, *at, *target, *inside));
                    }
                    InitPiece::Bytes(at, text) => {
                        for (i, byte) in text.iter().enumerate() {
                            if let Some(place) = bytes.get_mut(*at as usize + i) {
                                *place = Some(*byte);
                            }
                        }
                    }
                }
            }
            if object.kind == StaticKind::Constant && pointers > 0 {
                self.number_cells(id, &bytes, &mut out);
            }
        }
        out.truncate(MOST_CELLS);
        for fact in &out {
            self.pools.makers.insert(*fact, Technique::Initial);
        }
        out
    }

    /// That a slot holds a pointer.
    fn pointer_cell(&mut self, object: Term, at: u64, target: ObjectId, inside: u64) -> Term {
        let bits = self.program.pointer_bits;
        let terms = &mut self.terms;
        let at = terms.bv_u128(bits, at.into());
        let target = terms.bv_u128(32, target.0.into());
        let inside = terms.bv_u128(bits, inside.into());
        let tag = terms.read_tag(BASE, object, at);
        let holds_object = terms.read_ptr_object(BASE, object, at);
        let holds_object = terms.eq(holds_object, target);
        let holds_offset = terms.read_ptr_offset(BASE, object, at);
        let holds_offset = terms.eq(holds_offset, inside);
        terms.all(&[tag, holds_object, holds_offset])
    }

    /// The words of a table between its pointers.
    fn number_cells(&mut self, object: Term, bytes: &[Option<u8>], out: &mut Vec<Term>) {
        for (i, word) in bytes.chunks_exact(4).enumerate() {
            let [Some(a), Some(b), Some(c), Some(d)] = word else {
                continue;
            };
            let value = u32::from_le_bytes([*a, *b, *c, *d]);
            let at = self.terms.bv_u128(self.program.pointer_bits, 4 * i as u128);
            let read = self.terms.read(BASE, object, at, 4);
            let value = self.terms.bv_u128(32, value.into());
            out.push(self.terms.eq(read, value));
        }
    }

    /// The values at every location that may be reached; none if time is up.
    fn valuations(&mut self, budget: Instant) -> Option<FxHashMap<Loc, Valuations>> {
        let mut known: FxHashMap<Loc, Valuations> = FxHashMap::default();
        let mut work: BTreeSet<(Loc, Loc)> = BTreeSet::new();
        self.push_edges(Graph::ROOT, &mut work);
        while let Some((src, dst)) = work.pop_first() {
            if Instant::now() > budget || self.out_of_limits().is_some() {
                return None;
            }
            if !self.is_inner(dst) {
                continue;
            }
            if self.call_edge(src, dst).is_some() {
                return None;
            }
            if self.follow(src, dst, &mut known) {
                self.push_edges(dst, &mut work);
            }
        }
        Some(known)
    }

    fn push_edges(&self, src: Loc, work: &mut BTreeSet<(Loc, Loc)>) {
        for edge in &self.graph.outgoing[src.0 as usize] {
            work.insert((src, self.graph.edge(*edge).dst));
        }
    }

    /// Adds the values that a step leads to; whether there are new ones.
    fn follow(&mut self, src: Loc, dst: Loc, known: &mut FxHashMap<Loc, Valuations>) -> bool {
        let Some(mut all) = self.pre_of(src, dst, &[]) else {
            return false;
        };
        all.extend(self.invariants.get(&src).into_iter().flatten());
        if let Some(before) = known.get(&src) {
            all.push(self.formula(before));
        }
        let mut at = known.remove(&dst);
        let first = at.is_none();
        let followed = match &at {
            Some(at) => at.followed.clone(),
            None => self.followed(dst),
        };
        let mut now = at.take().unwrap_or(Valuations {
            followed,
            tuples: FxHashSet::default(),
        });
        let mut changed = false;
        loop {
            let here = self.formula(&now);
            let inside = self.pre_of_one(src, dst, here);
            let mut question = all.clone();
            question.push(self.terms.not(inside));
            match self.ask_briefly(Question::Induction, &question) {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => {
                    let followed = now.followed.iter();
                    let terms: Vec<Term> = followed.map(|f| f.term).collect();
                    let after: Vec<Term> = terms
                        .iter()
                        .map(|term| self.pre_of_one(src, dst, *term))
                        .collect();
                    let tuple = model.values(&self.terms, &after);
                    if !now.tuples.insert(tuple) {
                        // A model that leads to nothing new would be a mistake: forget all.
                        now.forget_all();
                    }
                }
                Answer::Unknown(_) => now.forget_all(),
            }
            changed = true;
            now.forget();
        }
        // A step that nothing takes leaves its target unreached.
        if !first || changed {
            known.insert(dst, now);
        }
        changed
    }

    /// That the values are among those that are known.
    fn formula(&mut self, valuations: &Valuations) -> Term {
        let mut any = Vec::new();
        for tuple in &valuations.tuples {
            let mut all = Vec::new();
            for (followed, value) in valuations.followed.iter().zip(tuple) {
                let value = self.terms.value(value.clone());
                all.push(self.terms.eq(followed.term, value));
            }
            any.push(self.terms.all(&all));
        }
        // The order of a set is no order: a run must not depend on it.
        any.sort_unstable();
        self.terms.any(&any)
    }

    /// The variables of the rule, the live pointers, and whether they point to the watched
    /// object.
    fn followed(&mut self, loc: Loc) -> Vec<Followed> {
        let mut out = Vec::new();
        let mut objects = Vec::new();
        for global in self.options.initial.clone() {
            match self.vocabulary.global(global) {
                SymVal::Bits(term) => out.push(Followed {
                    term,
                    of_rule: true,
                }),
                SymVal::Ptr(p) => {
                    objects.push((p.object, p.offset));
                    out.extend([p.object, p.offset].map(|term| Followed {
                        term,
                        of_rule: true,
                    }));
                }
                SymVal::Float(_) => {}
            }
        }
        let live = self.graph.location(loc).live.clone();
        let mut pointers = Vec::new();
        for reg in live {
            if let SymVal::Ptr(p) = self.vocabulary.reg(reg) {
                pointers.push((p.object, p.offset));
            }
        }
        for global in (0..self.program.globals.len() as u32).map(GlobalReg) {
            if !self.options.initial.contains(&global)
                && let SymVal::Ptr(p) = self.vocabulary.global(global)
            {
                pointers.push((p.object, p.offset));
            }
        }
        pointers.truncate(MOST_POINTERS);
        let other = |term| Followed {
            term,
            of_rule: false,
        };
        for (object, offset) in &pointers {
            out.extend([*object, *offset].map(other));
        }
        for (object, offset) in &objects {
            for (reg, at) in &pointers {
                let same = self.terms.eq(*object, *reg);
                let there = self.terms.eq(*offset, *at);
                out.push(other(self.terms.all(&[same, there])));
            }
        }
        out.retain(|f| match self.terms.sort(f.term) {
            Sort::BitVec(width) => width <= 64,
            sort => sort == Sort::Bool,
        });
        out
    }
}

impl Valuations {
    /// Nothing is known any more but that the location may be reached.
    fn forget_all(&mut self) {
        self.keep(|_| false);
    }

    /// Forgets what has too many values.
    fn forget(&mut self) {
        let values = |i: usize, tuples: &FxHashSet<Vec<Value>>| {
            let all: FxHashSet<&Value> = tuples.iter().map(|t| &t[i]).collect();
            all.len()
        };
        let counts: Vec<usize> = (0..self.followed.len())
            .map(|i| values(i, &self.tuples))
            .collect();
        let few = |i: usize, f: &Followed| {
            let most = if f.of_rule {
                MOST_OF_RULE
            } else {
                MOST_OF_OTHERS
            };
            counts[i] <= most
        };
        let keep: Vec<bool> = self
            .followed
            .iter()
            .enumerate()
            .map(|(i, f)| few(i, f))
            .collect();
        if keep.contains(&false) {
            self.keep(|i| keep[i]);
        }
        if self.tuples.len() > MOST_TOGETHER {
            let of_rule: Vec<bool> = self.followed.iter().map(|f| f.of_rule).collect();
            if of_rule.iter().all(|of_rule| *of_rule) {
                self.forget_all();
            } else {
                self.keep(|i| of_rule[i]);
                self.forget();
            }
        }
    }

    fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        let tuples = std::mem::take(&mut self.tuples);
        let kept = |list: Vec<Value>| -> Vec<Value> {
            let list = list.into_iter().enumerate();
            list.filter(|(i, _)| keep(*i)).map(|(_, v)| v).collect()
        };
        self.tuples = tuples.into_iter().map(kept).collect();
        let followed = std::mem::take(&mut self.followed).into_iter().enumerate();
        self.followed = followed.filter(|(i, _)| keep(*i)).map(|(_, f)| f).collect();
    }
}
