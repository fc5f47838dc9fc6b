//! The memory instructions: accesses, allocation, copies.
//!
//! The state records which objects have ended. Whether an access has to ask for it is decided by
//! `attest_model::lives`, which the checker runs itself. The state does not record which objects are
//! on the heap: where points-to does not show it, `free` may be an invalid one.

use crate::arith;
use crate::encode::{Encoder, FIRST_ADDRESS, Flow, LAST_PAGE};
use crate::memory::SIZES;
use crate::state::{Pointer, Value};
use attest_model::environment::{ALIGN, PLACES};
use attest_model::points_to::SiteKind;
use attest_model::*;
use attest_term::Term;

impl Encoder<'_> {
    pub(crate) fn is_null_object(&mut self, p: Pointer) -> Term {
        let null = self.terms.bv_u128(32, 0);
        self.terms.eq(p.object, null)
    }

    /// Whether an object is a static one of these kinds.
    pub(crate) fn is_static(&mut self, object: Term, kinds: &[StaticKind]) -> Term {
        let program = self.program;
        if let Some(number) = self.terms.bv_const(object) {
            let info = program.object(ObjectId(number.low_u64() as u32));
            return self
                .terms
                .bool(info.is_some_and(|info| kinds.contains(&info.kind)));
        }
        let mut any = Vec::new();
        for (i, info) in program.objects.iter().enumerate() {
            if kinds.contains(&info.kind) {
                let number = self.terms.bv_u128(32, i as u128 + 1);
                any.push(self.terms.eq(object, number));
            }
        }
        self.terms.any(&any)
    }

    pub(crate) fn size_of(&mut self, object: Term) -> Term {
        if self.run.is_some() {
            return self.size_in_run(object);
        }
        let zero = self.word(0);
        self.terms.read(SIZES, object, zero, self.bits() / 8)
    }

    /// Whether the life of the object of this operand is to be asked for at the present
    /// instruction, and if so, whether the state may not know of its end.
    fn life_of(&self, ptr: Operand) -> Option<bool> {
        if self.run.is_some() {
            return Some(false);
        }
        let Position { block, index } = self.position;
        let mut needs = self.lives.needs(self.function, block, index).iter();
        needs.find(|need| need.ptr == ptr).map(|need| need.unclear)
    }

    /// An access of `len` bytes, which is not zero, through the pointer of this operand.
    pub(crate) fn access(
        &mut self,
        flow: &mut Flow,
        (ptr, p): (Operand, Pointer),
        len: Term,
        write: bool,
    ) {
        let no_object = self.is_null_object(p);
        // Null plus a field's offset is still null, and so is an error number; another number is no
        // known address.
        let traps = self.is_plain_number(p.offset);
        let null = self.terms.all(&[no_object, traps]);
        self.bail(flow, null, BailKind::NullDeref, "an access through null");
        let what = "an access through a number that is no address";
        self.bail(flow, no_object, BailKind::InvalidPointer, what);
        if let Some(unclear) = self.life_of(ptr) {
            let kind = BailKind::UseAfterFree;
            let ended = self.memories.ended(self.terms, flow.memory, p.object);
            let zero = self.terms.bv_u128(8, 0);
            let ended = self.terms.ne(ended, zero);
            let what = "an access to an object that has ended";
            self.bail(flow, ended, kind, what);
            if unclear {
                let first = self.program.first_dynamic().0;
                let first = self.terms.bv_u128(32, first.into());
                let dynamic = self.terms.ule(first, p.object);
                let what = "an access to one of several objects of an alloca that may have ended";
                self.may_bail(flow, dynamic, kind, what);
            }
        }
        let size = self.size_of(p.object);
        let starts = self.terms.ule(p.offset, size);
        let left = self.terms.sub(size, p.offset);
        let ends = self.terms.ule(len, left);
        let inside = self.terms.all(&[starts, ends]);
        let outside = self.terms.not(inside);
        let code = self.is_static(p.object, &[StaticKind::Function]);
        let outside = self.terms.any(&[outside, code]);
        let what = "an access outside its object";
        self.bail(flow, outside, BailKind::OutOfBounds, what);
        let open = self.is_static(p.object, &[StaticKind::Unmodelled]);
        let what = "a global whose contents are not modelled";
        self.bail(flow, open, BailKind::Unsupported, what);
        if write {
            let constant = self.is_static(p.object, &[StaticKind::Constant]);
            let what = "a write to a constant";
            self.bail(flow, constant, BailKind::ConstWrite, what);
        }
    }

    pub(crate) fn load(
        &mut self,
        flow: &mut Flow,
        sort: Sort,
        (ptr, p): (Operand, Pointer),
        other: Other,
    ) -> Value {
        let bytes = sort.bytes(self.bits()) as u32;
        let len = self.word(bytes.into());
        self.access(flow, (ptr, p), len, false);
        let raw = self.memories.data(self.terms, flow.memory, p, bytes);
        match sort {
            Sort::Int(width) => Value::One(arith::fit(self.terms, raw, width)),
            Sort::F32 => Value::One(self.terms.float_from_bits(attest_term::FloatSort::F32, raw)),
            Sort::F64 => Value::One(self.terms.float_from_bits(attest_term::FloatSort::F64, raw)),
            Sort::Ptr => {
                let tag = self.memories.tag(self.terms, flow.memory, p);
                let slot = self.memories.slot(self.terms, flow.memory, p);
                // Bytes that are no stored pointer are a number.
                if self.run.is_some() && self.terms.bool_const(tag) == Some(true) {
                    return Value::Ptr(slot);
                }
                let number = Value::Ptr(match other {
                    Other::Foreign(environment) => self.foreign(raw, environment),
                    Other::Address if self.run.is_some() => {
                        let untagged = self.terms.not(tag);
                        let mut without = flow.clone();
                        self.branch(&mut without, untagged);
                        self.pointer_of(&mut without, raw)
                    }
                    Other::Address => self.pointer_of(flow, raw),
                    Other::Number => self.plain_number(raw),
                });
                Value::Ptr(slot).choose(self.terms, tag, number)
            }
        }
    }

    /// The environment's pointer for a number: null and the last page stay numbers; the low bits of
    /// any other number select a place.
    pub(crate) fn foreign(&mut self, number: Term, environment: ObjectId) -> Pointer {
        let zero = self.word(0);
        let is_null = self.terms.eq(number, zero);
        let is_last = self.is_last(number);
        let is_number = self.terms.any(&[is_null, is_last]);
        let page = self.terms.extract(PLACES.trailing_ones() - 1, 0, number);
        let start = self.terms.bv_u128(ALIGN.trailing_zeros(), 0);
        let offset = self.terms.concat(page, start);
        let inside = Value::Ptr(Pointer {
            object: self.terms.bv_u128(32, environment.0.into()),
            offset: self.terms.zext(offset, self.bits()),
        });
        let number = Value::Ptr(Pointer {
            object: self.terms.bv_u128(32, 0),
            offset: number,
        });
        number.choose(self.terms, is_number, inside).ptr()
    }

    /// Whether a number is in the last page.
    fn is_last(&mut self, number: Term) -> Term {
        let page = self.word(LAST_PAGE);
        let last = self.terms.neg(page);
        self.terms.ule(last, number)
    }

    /// Whether a pointer points to one of these spots.
    pub(crate) fn is_within(&mut self, p: Pointer, spots: &[Spot], first: ObjectId) -> Term {
        let mut any = Vec::with_capacity(spots.len());
        for spot in spots {
            let right = match spot.object {
                Some(object) => {
                    let object = self.terms.bv_u128(32, object.0.into());
                    self.terms.eq(p.object, object)
                }
                None => {
                    let first = self.terms.bv_u128(32, first.0.into());
                    self.terms.ule(first, p.object)
                }
            };
            let offset = self.word(spot.offset.into());
            let unknown = self.word(u128::from(self.bits() - spot.bits));
            let apart = self.terms.sub(p.offset, offset);
            // Only the low bits of the offset are known.
            let low = self.terms.shl(apart, unknown);
            let zero = self.word(0);
            let there = self.terms.eq(low, zero);
            any.push(self.terms.all(&[right, there]));
        }
        self.terms.any(&any)
    }

    /// Whether an address belongs to no object in any layout.
    pub(crate) fn is_plain_number(&mut self, address: Term) -> Term {
        let first = self.word(FIRST_ADDRESS);
        let low = self.terms.ult(address, first);
        let high = self.is_last(address);
        self.terms.any(&[low, high])
    }

    pub(crate) fn store(
        &mut self,
        flow: &mut Flow,
        sort: Sort,
        (ptr, p): (Operand, Pointer),
        value: Value,
    ) {
        let bytes = sort.bytes(self.bits()) as u32;
        let len = self.word(bytes.into());
        self.access(flow, (ptr, p), len, true);
        flow.memory = match (sort, value) {
            (Sort::Ptr, value) => {
                self.memories
                    .store_pointer(self.terms, flow.memory, p, value.ptr())
            }
            (Sort::Int(_), value) => {
                let whole = self.terms.zext(value.one(), 8 * bytes);
                self.memories.store(self.terms, flow.memory, p, whole)
            }
            (Sort::F32 | Sort::F64, value) => {
                let whole = self.terms.float_to_bits(value.one());
                self.memories.store(self.terms, flow.memory, p, whole)
            }
        };
    }

    pub(crate) fn alloc(&mut self, flow: &mut Flow, size: Term, zeroed: bool) -> Pointer {
        let object = match self.run.is_some() {
            true => self.object_of_run(size),
            false => self.next_object(flow, size),
        };
        let start = Pointer {
            object,
            offset: self.word(0),
        };
        if zeroed {
            let byte = self.terms.bv_u128(8, 0);
            flow.memory = self
                .memories
                .fill(self.terms, flow.memory, start, byte, size);
        } else if self.program.shadows {
            let byte = self.terms.bv_u128(8, u8::MAX.into());
            flow.memory = self
                .memories
                .fill_shadow(self.terms, flow.memory, start, byte, size);
        }
        start
    }

    /// The next object of any state.
    fn next_object(&mut self, flow: &mut Flow, size: Term) -> Term {
        let object = flow.state.counter;
        let one = self.terms.bv_u128(32, 1);
        flow.state.counter = self.terms.add(object, one);
        // Sizes never change, so the new object always had this size.
        let recorded = self.size_of(object);
        let right = self.terms.eq(recorded, size);
        self.assume(flow, right);
        object
    }

    /// Requires that this pointer may be freed; returns whether it is an object that ends then.
    fn may_free(&mut self, flow: &mut Flow, (ptr, p): (Operand, Pointer)) -> Term {
        let kind = BailKind::BadFree;
        let zero = self.word(0);
        let no_object = self.is_null_object(p);
        let at_start = self.terms.eq(p.offset, zero);
        let null = self.terms.all(&[no_object, at_start]);
        // Objects of the environment may be heap objects.
        let foreign = match self.program.environment {
            Some(environment) => {
                let environment = self.terms.bv_u128(32, environment.0.into());
                self.terms.eq(p.object, environment)
            }
            None => self.terms.bool(false),
        };
        let nothing = self.terms.any(&[null, foreign]);
        let something = self.terms.not(nothing);
        let first = self.program.first_dynamic().0;
        let first = self.terms.bv_u128(32, first.into());
        let made = self.terms.ule(first, p.object);
        let right = self.terms.all(&[made, at_start]);
        let wrong = self.terms.not(right);
        let wrong = self.terms.all(&[something, wrong]);
        self.bail(flow, wrong, kind, "free of what is no heap object's start");
        let ended = self.memories.ended(self.terms, flow.memory, p.object);
        let zero = self.terms.bv_u128(8, 0);
        let ended = self.terms.ne(ended, zero);
        let twice = self.terms.all(&[something, ended]);
        self.bail(flow, twice, kind, "free of an object that has ended");
        if self.run.is_some() {
            let heap = self.is_heap_in_run(p.object);
            let other = self.terms.not(heap);
            let other = self.terms.all(&[something, other]);
            self.bail(flow, other, kind, "free of what is no heap object");
        } else if !self.is_on_heap(ptr) {
            let what = "free of what may be no heap object";
            self.may_bail(flow, something, kind, what);
        }
        something
    }

    /// Whether points-to shows that the objects that this operand leads to, other than static ones,
    /// are on the heap.
    fn is_on_heap(&self, ptr: Operand) -> bool {
        let places = self.points_to.operand(self.function, ptr);
        let heap = |site: &SiteKind| match site {
            SiteKind::Made {
                function,
                block,
                index,
            } => {
                let block = self.program.function(*function).block(*block);
                match block.insts.get(*index as usize) {
                    Some(Inst::Alloc { storage, .. }) => *storage == Storage::Heap,
                    Some(Inst::Realloc { .. }) => true,
                    _ => false,
                }
            }
            SiteKind::ArgumentList | SiteKind::ArgumentText => false,
            // Static objects are known by their numbers, and numbers by theirs.
            SiteKind::Static(_) | SiteKind::NoObject | SiteKind::ErrorNumber | SiteKind::Piece => {
                true
            }
        };
        let mut sites = places.list.iter();
        !places.anywhere && sites.all(|at| heap(&self.points_to.sites[at.site.0 as usize]))
    }

    /// Whether an object ends.
    pub(crate) fn free(&mut self, flow: &mut Flow, ptr: Operand, p: Pointer) -> Term {
        let ends = self.may_free(flow, (ptr, p));
        flow.memory = self.memories.end(self.terms, flow.memory, p.object, ends);
        ends
    }

    pub(crate) fn end_life(&mut self, flow: &mut Flow, p: Pointer) {
        let first = self.program.first_dynamic().0;
        let first = self.terms.bv_u128(32, first.into());
        let some = self.terms.ule(first, p.object);
        flow.memory = self.memories.end(self.terms, flow.memory, p.object, some);
    }

    pub(crate) fn realloc(
        &mut self,
        flow: &mut Flow,
        (ptr, old): (Operand, Pointer),
        size: Term,
    ) -> Pointer {
        self.may_free(flow, (ptr, old));
        let new = self.alloc(flow, size, false);
        let old_size = self.size_of(old.object);
        let shrinks = self.terms.ult(size, old_size);
        let kept = self.terms.ite(shrinks, size, old_size);
        let zero = self.word(0);
        let nothing = self.is_null_object(old);
        let kept = self.terms.ite(nothing, zero, kept);
        flow.memory = self.memories.copy(self.terms, flow.memory, new, old, kept);
        new
    }

    /// An access whose length may be zero; then there is no access.
    pub(crate) fn access_some(
        &mut self,
        flow: &mut Flow,
        (ptr, p): (Operand, Pointer),
        len: Term,
        write: bool,
    ) {
        let before = flow.path;
        let losses = self.losses();
        let zero = self.word(0);
        let some = self.terms.ne(len, zero);
        self.branch(flow, some);
        self.access(flow, (ptr, p), len, write);
        if self.run.is_some() && self.losses() == losses {
            flow.path = before;
            return;
        }
        let with = flow.path;
        let none = self.terms.not(some);
        let without = self.terms.all(&[before, none]);
        flow.path = self.terms.any(&[with, without]);
    }

    pub(crate) fn copy(
        &mut self,
        flow: &mut Flow,
        (dst, to): (Operand, Pointer),
        (src, from): (Operand, Pointer),
        len: Term,
        overlap: bool,
    ) {
        self.access_some(flow, (dst, to), len, true);
        self.access_some(flow, (src, from), len, false);
        if !overlap {
            let same = self.terms.eq(to.object, from.object);
            let moved = self.terms.ne(to.offset, from.offset);
            let (up, down) = (
                self.terms.sub(to.offset, from.offset),
                self.terms.sub(from.offset, to.offset),
            );
            let (up, down) = (self.terms.ult(up, len), self.terms.ult(down, len));
            let near = self.terms.any(&[up, down]);
            let both = self.terms.all(&[same, moved, near]);
            self.bail(flow, both, BailKind::Overlap, "a copy onto itself");
        }
        flow.memory = self.memories.copy(self.terms, flow.memory, to, from, len);
    }

    /// `va_start` for the x86 ABIs: a `va_list` whose arguments all lie in memory, in a new object,
    /// which is the result.
    pub(crate) fn start_varargs(
        &mut self,
        flow: &mut Flow,
        (ptr, list): (Operand, Pointer),
        args: &[(Value, Sort)],
    ) -> Pointer {
        let bits = self.bits();
        let slot = u64::from(bits / 8);
        let mut places = Vec::with_capacity(args.len());
        let mut size = 0u64;
        for (_, sort) in args {
            let bytes = sort.bytes(bits);
            if bits == 64 && bytes > 8 {
                size = size.next_multiple_of(16);
            }
            places.push(size);
            size += bytes.next_multiple_of(slot);
        }
        let size = self.word(size.into());
        let area = self.alloc(flow, size, false);
        for ((value, sort), place) in args.iter().zip(places) {
            let offset = self.word(place.into());
            // It is new, so nothing has to be asked of it.
            let null = Operand::Const(Constant::NULL);
            self.store(flow, *sort, (null, Pointer { offset, ..area }), *value);
        }
        let field = |encoder: &mut Self, at: u64| {
            let by = encoder.word(at.into());
            let offset = encoder.terms.add(list.offset, by);
            Pointer { offset, ..list }
        };
        let mut overflow_area = 0;
        if bits == 64 {
            // Marks both register areas as used up.
            for (at, used) in [(0, 48), (4, 176)] {
                let (place, used) = (field(self, at), self.terms.bv_u128(32, used));
                self.store(flow, Sort::Int(32), (ptr, place), Value::One(used));
            }
            overflow_area = 8;
        }
        let place = field(self, overflow_area);
        self.store(flow, Sort::Ptr, (ptr, place), Value::Ptr(area));
        if bits == 64 {
            let (place, null) = (field(self, 16), Constant::NULL);
            let null = Value::constant(self.terms, null, bits);
            self.store(flow, Sort::Ptr, (ptr, place), null);
        }
        area
    }
}
