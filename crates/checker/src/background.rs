//! Facts that hold in every state, and facts about the initial state.
//!
//! They are meta-theorems of the semantics (algorithm notes 2.2, 7.3). The solver gets them for the
//! terms that occur in a check: object numbers in registers, globals and slots are below the
//! counter; sizes of static objects and constants never change; no object lies at a low address.
//! They also hold in the state after a call, with the counter after the call.

use crate::memory::{AFTER, LIVES, LIVES_AFTER, SHADOW, SIZES, START};
use crate::session::Session;
use crate::state::{State, Value};
use attest_model::{InitPiece, Inst, Program, StaticKind, StaticObject};
use attest_solver::Answer;
use attest_term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of static objects up to which a place with an unknown object gets facts about them.
const MOST_OBJECTS: usize = 256;
/// The number of bytes up to which an object with contents gets facts for unknown offsets.
const MOST_BYTES: u64 = 512;

/// Facts about the state that the symbols name, for the terms in a check.
#[derive(Clone)]
pub struct Background<'p> {
    program: &'p Program,
    /// The largest value of the counter that a step cannot overflow.
    last_counter: u128,
    /// Objects of pointers in the state, with the counter that bounds them.
    objects: FxHashMap<Term, Term>,
    counter: Term,
    /// The counter after a call.
    after: Option<Term>,
    /// Whether the state is the initial one.
    first: bool,
}

impl<'p> Background<'p> {
    /// The facts of a program, over the symbols of its state.
    pub fn new(program: &'p Program, symbols: &State) -> Background<'p> {
        let blocks = program.functions.iter().flat_map(|f| &f.blocks);
        let allocs = blocks.flat_map(|b| &b.insts).filter(|i| {
            let alloc = matches!(i, Inst::Alloc { .. } | Inst::Realloc { .. });
            alloc || matches!(i, Inst::VaStart { .. })
        });
        let mut background = Background {
            program,
            last_counter: u128::from(u32::MAX) - 2 - allocs.count() as u128,
            objects: FxHashMap::default(),
            counter: symbols.counter,
            after: None,
            first: false,
        };
        let values = symbols.regs.iter().chain(&symbols.globals);
        background.add_pointers(values, symbols.counter);
        background
    }

    /// The same for the initial state.
    pub fn at_initial(self) -> Background<'p> {
        Background {
            first: true,
            ..self
        }
    }

    /// The same with the facts of the state after a call: these values are new, and so is the
    /// counter, unless the call allocates nothing.
    pub fn after_call(&self, new: &[Value], counter: Term) -> Background<'p> {
        let mut after = Background {
            program: self.program,
            last_counter: self.last_counter,
            objects: self.objects.clone(),
            counter: self.counter,
            after: Some(counter),
            first: false,
        };
        after.add_pointers(new.iter(), counter);
        after
    }

    fn add_pointers<'v>(&mut self, values: impl Iterator<Item = &'v Value>, counter: Term) {
        let objects = values.filter_map(|value| match value {
            Value::Ptr(p) => Some((p.object, counter)),
            Value::One(_) => None,
        });
        self.objects.extend(objects);
    }

    /// Whether the formulas are satisfiable, together with the facts for their terms. Facts about
    /// places with an unknown object are many, since they concern every static object, and few
    /// checks need them: they are left out if the formulas are unsatisfiable without them.
    pub fn check(&self, session: &mut Session<'_>, formulas: &[Term]) -> Answer {
        let few = self.facts(&mut session.terms, formulas, false);
        let some: Vec<Term> = formulas.iter().chain(&few).copied().collect();
        let answer = session.check(&some);
        if answer.is_unsat() {
            return answer;
        }
        let facts = self.facts(&mut session.terms, formulas, true);
        if facts.len() == few.len() {
            return answer;
        }
        let all: Vec<Term> = formulas.iter().chain(&facts).copied().collect();
        session.check(&all)
    }

    /// The facts for the terms in the roots; with `all`, also those about places whose object is
    /// unknown.
    pub fn facts(&self, terms: &mut Terms, roots: &[Term], all: bool) -> Vec<Term> {
        let mut facts = self.counter_facts(terms);
        let mut seen = FxHashSet::default();
        loop {
            let mut mentioned = roots.to_vec();
            mentioned.extend(&facts);
            let mut new = terms.reachable(&mentioned);
            new.retain(|term| seen.insert(*term));
            if new.is_empty() {
                return facts;
            }
            for term in new {
                self.facts_of(terms, term, all, &mut facts);
            }
        }
    }

    fn counter_facts(&self, terms: &mut Terms) -> Vec<Term> {
        let least = u128::from(self.program.first_dynamic().0);
        // The two objects of `main`'s arguments may exist; no other entry has any.
        let entry = self.program.function(self.program.entry);
        let given = if entry.params == 0 { 0 } else { 2 };
        let most = if self.first {
            least + given
        } else {
            self.last_counter
        };
        let (least, most) = (terms.bv_u128(32, least), terms.bv_u128(32, most));
        let mut facts = vec![
            terms.ule(least, self.counter),
            terms.ule(self.counter, most),
        ];
        if let Some(after) = self.after {
            facts.push(terms.ule(self.counter, after));
            facts.push(terms.ule(after, most));
        }
        facts
    }

    fn facts_of(&self, terms: &mut Terms, term: Term, all: bool, facts: &mut Vec<Term>) {
        let op = terms.op(term);
        let args = terms.args(term).to_vec();
        match op {
            Op::Var(_) => {
                if let Some(counter) = self.objects.get(&term) {
                    facts.push(terms.ult(term, *counter));
                }
            }
            Op::ReadPtrObject { version } => {
                if let Some(counter) = self.counter_of(version) {
                    facts.push(terms.ult(term, counter));
                    facts.push(none_stored(terms, term, args[0], counter));
                }
            }
            Op::ReadPtrOffset { version } => {
                if let Some(counter) = self.counter_of(version) {
                    facts.push(none_stored(terms, term, args[0], counter));
                }
            }
            Op::ReadTag { version } => {
                // Only existing objects hold pointers.
                if let Some(counter) = self.counter_of(version) {
                    let exists = exists(terms, args[0], counter);
                    facts.push(terms.implies(term, exists));
                }
            }
            Op::Base { width } => {
                let null = terms.bv_u128(32, 0);
                let no_object = terms.eq(args[0], null);
                let zero = terms.bv_u128(width, 0);
                let is_zero = terms.eq(term, zero);
                // Models of drivers use low addresses that an allocation might return, so a proof
                // may not depend on where objects lie.
                let some = terms.not(is_zero);
                facts.push(terms.ite(no_object, is_zero, some));
            }
            Op::Read { version: SIZES, .. } => self.size_facts(terms, term, args[0], all, facts),
            Op::Read {
                version: LIVES | LIVES_AFTER,
                ..
            } => self.life_facts(terms, term, facts),
            // At the start all contents are set.
            Op::Read {
                version: SHADOW, ..
            } if self.first => {
                let zero = terms.bv_u128(terms.width(term), 0);
                facts.push(terms.eq(term, zero));
            }
            _ => {}
        }
        if let Op::Read { version, .. }
        | Op::ReadTag { version }
        | Op::ReadPtrObject { version }
        | Op::ReadPtrOffset { version } = op
            && self.counter_of(version).is_some()
        {
            let first = self.first && version == START;
            self.contents_facts(terms, term, (first, all), facts);
        }
    }

    /// The counter of the state with this version of memory.
    fn counter_of(&self, version: u32) -> Option<Term> {
        match version {
            START => Some(self.counter),
            AFTER => self.after,
            _ => None,
        }
    }

    /// The static objects that a term may be, each with its condition.
    fn candidates(&self, terms: &mut Terms, object: Term, all: bool) -> Vec<(Term, usize)> {
        let number = terms.bv_const(object).map(|bits| bits.low_u64() as usize);
        if let Some(number) = number {
            let yes = terms.bool(true);
            let at = number.checked_sub(1);
            return at.map(|at| (yes, at)).into_iter().collect();
        }
        if !all || self.program.objects.len() > MOST_OBJECTS {
            return Vec::new();
        }
        let mut out = Vec::with_capacity(self.program.objects.len());
        for at in 0..self.program.objects.len() {
            let number = terms.bv_u128(32, at as u128 + 1);
            out.push((terms.eq(object, number), at));
        }
        out
    }

    fn size_facts(
        &self,
        terms: &mut Terms,
        size: Term,
        object: Term,
        all: bool,
        facts: &mut Vec<Term>,
    ) {
        let width = terms.width(size);
        for (is, at) in self.candidates(terms, object, all) {
            if let Some(info) = self.program.objects.get(at) {
                let number = terms.bv_u128(width, info.size.into());
                let right = terms.eq(size, number);
                facts.push(terms.implies(is, right));
            }
        }
        let null = terms.bv_u128(32, 0);
        let no_object = terms.eq(object, null);
        let zero = terms.bv_u128(width, 0);
        let empty = terms.eq(size, zero);
        facts.push(terms.implies(no_object, empty));
    }

    /// Null, static objects, and what is not made yet have not ended; at the start nothing has.
    fn life_facts(&self, terms: &mut Terms, ended: Term, facts: &mut Vec<Term>) {
        let object = terms.arg(ended, 0);
        let (zero, one) = (terms.bv_u128(8, 0), terms.bv_u128(8, 1));
        let alive = terms.eq(ended, zero);
        let start = terms.op(ended).version() == Some(LIVES);
        if start && self.first {
            facts.push(alive);
            return;
        }
        facts.push(terms.ule(ended, one));
        let first = terms.bv_u128(32, self.program.first_dynamic().0.into());
        let is_static = terms.ult(object, first);
        let counter = match start {
            true => self.counter,
            false => self.after.unwrap_or(self.counter),
        };
        let future = terms.ule(counter, object);
        let never = terms.any(&[is_static, future]);
        facts.push(terms.implies(never, alive));
    }

    /// Contents of constants in every state, and of all static objects in the initial state.
    fn contents_facts(
        &self,
        terms: &mut Terms,
        read: Term,
        (first, all): (bool, bool),
        facts: &mut Vec<Term>,
    ) {
        let (object, offset) = (terms.arg(read, 0), terms.arg(read, 1));
        let width = terms.width(offset);
        let bytes = match terms.op(read) {
            Op::Read { bytes, .. } => u64::from(bytes),
            _ => u64::from(width / 8),
        };
        for (is, at) in self.candidates(terms, object, all) {
            let Some(info) = self.program.objects.get(at) else {
                continue;
            };
            if first && info.init.is_none() {
                // Values from the environment were not stored as pointers, and programs cannot see
                // the contents of such a slot.
                let none = match terms.op(read) {
                    Op::ReadTag { .. } => terms.not(read),
                    Op::Read { .. } => continue,
                    _ => {
                        let zero = terms.bv_u128(terms.width(read), 0);
                        terms.eq(read, zero)
                    }
                };
                facts.push(terms.implies(is, none));
            }
            let fixed = first || info.kind == StaticKind::Constant;
            let (true, Some(pieces)) = (fixed, &info.init) else {
                continue;
            };
            let Some(last) = info.size.checked_sub(bytes) else {
                continue;
            };
            let known = terms.bv_const(offset).map(|bits| bits.low_u64());
            let places: Vec<u64> = match known {
                Some(place) if place <= last => vec![place],
                Some(_) => continue,
                None if pieces.is_empty() => {
                    // All zero: one fact for the whole object.
                    let bound = terms.bv_u128(width, last.into());
                    let inside = terms.ule(offset, bound);
                    let is = terms.all(&[is, inside]);
                    self.contents_fact(terms, read, is, info, 0, bytes, facts);
                    continue;
                }
                None if last < MOST_BYTES => (0..=last).collect(),
                None => continue,
            };
            for place in places {
                let number = terms.bv_u128(width, place.into());
                let here = terms.eq(offset, number);
                let is = terms.all(&[is, here]);
                self.contents_fact(terms, read, is, info, place, bytes, facts);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn contents_fact(
        &self,
        terms: &mut Terms,
        read: Term,
        is: Term,
        info: &StaticObject,
        place: u64,
        bytes: u64,
        facts: &mut Vec<Term>,
    ) {
        let pieces = info.init.as_deref().unwrap_or_default();
        let slot = pieces.iter().find_map(|piece| match piece {
            InitPiece::Ptr(at, target, offset) if *at == place => Some((target.0, *offset)),
            _ => None,
        });
        let right = match terms.op(read) {
            Op::ReadTag { .. } => {
                let tagged = slot.is_some_and(|(target, _)| target != 0);
                let tagged = terms.bool(tagged);
                terms.eq(read, tagged)
            }
            Op::ReadPtrObject { .. } => {
                let target = terms.bv_u128(32, slot.map_or(0, |s| s.0).into());
                terms.eq(read, target)
            }
            Op::ReadPtrOffset { .. } => {
                let width = terms.width(read);
                let offset = terms.bv_u128(width, slot.map_or(0, |s| s.1).into());
                terms.eq(read, offset)
            }
            _ => match static_bytes(pieces, place, bytes, self.program.pointer_bits) {
                Some(value) if bytes <= 16 => {
                    let width = terms.width(read);
                    let value = terms.bv_u128(width, value);
                    terms.eq(read, value)
                }
                _ => return,
            },
        };
        facts.push(terms.implies(is, right));
    }
}

/// An object exists if it is not null, may hold data, and was allocated.
fn exists(terms: &mut Terms, object: Term, counter: Term) -> Term {
    let null = terms.bv_u128(32, 0);
    let is_null = terms.eq(object, null);
    let made = terms.ult(object, counter);
    let some = terms.not(is_null);
    terms.all(&[some, made])
}

/// The contents of a slot without a pointer are zero from the start, since programs cannot see
/// them, and stay zero until the object exists.
fn none_stored(terms: &mut Terms, slot: Term, object: Term, counter: Term) -> Term {
    let exists = exists(terms, object, counter);
    let zero = terms.bv_u128(terms.width(slot), 0);
    let none = terms.eq(slot, zero);
    terms.any(&[exists, none])
}

/// The first bytes at a place of a static object; none where a pointer is stored.
fn static_bytes(pieces: &[InitPiece], place: u64, bytes: u64, pointer_bits: u32) -> Option<u128> {
    let mut value = 0;
    let end = place + bytes;
    for piece in pieces {
        match piece {
            InitPiece::Bytes(at, contents) => {
                for (i, byte) in contents.iter().enumerate() {
                    let here = at + i as u64;
                    if (place..end).contains(&here) && here - place < 16 {
                        value |= u128::from(*byte) << (8 * (here - place));
                    }
                }
            }
            InitPiece::Ptr(at, ..) => {
                if *at < end && at + u64::from(pointer_bits / 8) > place {
                    return None;
                }
            }
        }
    }
    Some(value)
}
