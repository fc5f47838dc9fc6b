//! Concrete memory: objects of bytes and pointer slots.
//!
//! A pointer is an object and an offset. Objects are numbered in order of creation, and numbers are
//! never reused (algorithm notes 2.1). Contents are pages that snapshots share: copying a memory is
//! cheap, and a later write copies one page. A stored pointer is a slot beside the bytes that it
//! covers. Reading such bytes as data gives the address that the layout assigns; reading data bytes
//! as a pointer finds the object at that address. So code that takes pointers apart runs as on a
//! machine.

mod reach;

use super::page::{PAGE, Page, Slot};
use super::shadow::ShadowBytes;
use attest_model::environment::{self, FIRST_ADDRESS};
use attest_model::{BailKind, ObjectId, Other, PlaceId, Program, Sort, StaticKind, Storage, VarId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::value::Val;

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable, literal or function.
    Static(StaticKind),
    /// An object made at run time.
    Dynamic(Storage),
}

/// An object: its extent, its address, and the pages that were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Size in bytes.
    pub size: u64,
    /// Address of its first byte.
    pub base: u64,
    /// Its kind.
    pub kind: ObjectKind,
    /// Its variable.
    pub variable: Option<VarId>,
    /// Where it was allocated, if the program is instrumented for leaks.
    pub made_at: PlaceId,
    /// Whether the library keeps a pointer to it that the model does not have.
    pub kept: bool,
    pages: Pages,
    /// What of its contents was never set; none if all was.
    shadow: Option<Box<ShadowBytes>>,
}

/// Contents. Most objects have one page; a page that was never written is not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Pages {
    One(Option<Arc<Page>>),
    Many(OrdMap<u64, Arc<Page>>),
}

impl Pages {
    fn get(&self, number: u64) -> Option<&Arc<Page>> {
        match self {
            Pages::One(page) => page.as_ref().filter(|_| number == 0),
            Pages::Many(pages) => pages.get(&number),
        }
    }

    fn hash_changes(&self, other: Option<&Pages>, state: &mut impl Hasher) {
        self.changed(other, |number, page, _| {
            (number, &page.bytes).hash(state);
            for slot in &page.slots {
                (slot.start, slot.target).hash(state);
            }
        });
    }

    /// The bytes that differ, each with its offset.
    fn changes(&self, other: Option<&Pages>, mut each: impl FnMut(u64, u8)) {
        self.changed(other, |number, page, before| {
            for (at, value) in page.bytes.iter().enumerate() {
                if before.map_or(0, |before| before.bytes[at]) != *value {
                    each(number * PAGE + at as u64, *value);
                }
            }
        });
    }

    /// The pages that are not shared, each with its number and its earlier contents.
    fn changed(
        &self,
        other: Option<&Pages>,
        mut each: impl FnMut(u64, &Arc<Page>, Option<&Arc<Page>>),
    ) {
        let mut changed = |number: u64, page: &Arc<Page>| {
            let before = other.and_then(|other| other.get(number));
            if !before.is_some_and(|before| Arc::ptr_eq(before, page)) {
                each(number, page, before);
            }
        };
        match (self, other) {
            (Pages::One(page), _) => page.iter().for_each(|page| changed(0, page)),
            (Pages::Many(pages), Some(Pages::Many(before))) => {
                for change in before.diff(pages) {
                    if let DiffItem::Add(number, page)
                    | DiffItem::Update {
                        new: (number, page),
                        ..
                    } = change
                    {
                        changed(*number, page);
                    }
                }
            }
            (Pages::Many(pages), _) => pages
                .iter()
                .for_each(|(number, page)| changed(*number, page)),
        }
    }
}

/// The number of a new or changed object, the object, and its earlier pages.
fn made_or_changed<'a>(
    change: DiffItem<'a, 'a, u32, Arc<Object>>,
) -> Option<(u32, &'a Object, Option<&'a Pages>)> {
    match change {
        DiffItem::Add(id, object) => Some((*id, object, None)),
        DiffItem::Update {
            old: (_, before),
            new: (id, object),
        } => Some((*id, object, Some(&before.pages))),
        DiffItem::Remove(..) => None,
    }
}

/// The number of run-time objects whose contents are compared.
const FIRST_OBJECTS: u32 = 64;

/// Contents of fresh objects that a test fixes: bytes by object and offset; all others are 0.
pub type Unknown = BTreeMap<(u32, u64), u8>;

/// Why an access bails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault(pub BailKind, pub &'static str);

/// The memory of a state.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: OrdMap<u32, Arc<Object>>,
    /// Address and size of every object so far, live or dead, by its number.
    extents: Arc<imbl::Vector<(u64, u64)>>,
    next: u32,
    next_base: u64,
    pointer_bits: u32,
    unknown: Arc<Unknown>,
    /// The environment's memory.
    environment: Option<ObjectId>,
    /// Bytes of all live objects.
    in_use: u64,
    /// Whether objects have shadows.
    shadows: bool,
}

const NULL_DEREF: Fault = Fault(BailKind::NullDeref, "an access through a null pointer");
const ERROR_DEREF: Fault = Fault(BailKind::NullDeref, "an access through an error number");
const WILD: Fault = Fault(
    BailKind::InvalidPointer,
    "an access through a number that is no object's address",
);
// Where the machine has its objects is its own affair, so this is no violation.
const GUESSED: Fault = Fault(
    BailKind::PtrPun,
    "an access through a number that happens to be an object's address",
);
const DEAD: Fault = Fault(
    BailKind::UseAfterFree,
    "an access to an object after its lifetime",
);
const OUTSIDE: Fault = Fault(BailKind::OutOfBounds, "an access outside its object");
const CONSTANT: Fault = Fault(BailKind::ConstWrite, "a write to a constant");
const CODE: Fault = Fault(BailKind::OutOfBounds, "a function accessed as data");
const UNMODELLED: Fault = Fault(
    BailKind::Unsupported,
    "a global with unsupported initial contents",
);

impl Memory {
    /// The memory at the start of a program.
    pub fn new(program: &Program, unknown: Arc<Unknown>) -> Memory {
        let mut memory = Memory {
            objects: OrdMap::new(),
            extents: Arc::new(imbl::Vector::from_iter([(0, 0)])),
            next: 1,
            next_base: FIRST_ADDRESS,
            pointer_bits: program.pointer_bits,
            unknown,
            environment: program.environment,
            in_use: 0,
            shadows: program.shadows,
        };
        for object in &program.objects {
            memory.add(
                object.size,
                object.align,
                ObjectKind::Static(object.kind),
                object.variable,
                object.init.is_some(),
            );
        }
        // The environment's object is huge and mostly untouched, so it does not count as used.
        let own = program.environment.map_or(0, |_| environment::SIZE);
        memory.in_use = memory.in_use.saturating_sub(own);
        for (i, object) in program.objects.iter().enumerate() {
            let id = ObjectId(i as u32 + 1);
            for piece in object.init.iter().flatten() {
                match piece {
                    attest_model::InitPiece::Bytes(at, bytes) => memory.put_bytes(id, *at, bytes),
                    attest_model::InitPiece::Ptr(at, target, offset) => {
                        memory.put_pointer(id, *at, Val::ptr(*target, *offset));
                    }
                }
            }
        }
        memory
    }

    /// Hashes the differences from another memory of the same program.
    pub fn hash_changes(&self, other: &Memory, state: &mut impl Hasher) {
        for change in other.objects.diff(&self.objects) {
            if let DiffItem::Remove(id, _) = change {
                id.hash(state);
            }
            if let Some((id, object, before)) = made_or_changed(change) {
                (id, object.size).hash(state);
                object.pages.hash_changes(before, state);
            }
        }
    }

    /// The bytes that differ from another memory of the same program, in the objects of that memory
    /// and in the first objects made later.
    pub fn changes(&self, other: &Memory, mut each: impl FnMut(u32, u64, u8)) {
        let last = other.next + FIRST_OBJECTS;
        let changes = other.objects.diff(&self.objects);
        let changes = changes.filter_map(made_or_changed);
        for (id, object, before) in changes.take_while(|(id, ..)| *id < last) {
            object
                .pages
                .changes(before, |at, value| each(id, at, value));
        }
    }

    /// Whether an object is the environment's memory.
    pub fn is_environment(&self, id: ObjectId) -> bool {
        self.environment == Some(id)
    }

    /// The number of the next object.
    pub fn next_object(&self) -> ObjectId {
        ObjectId(self.next)
    }

    /// Width of a pointer.
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// Bytes of all live objects.
    pub fn in_use(&self) -> u64 {
        self.in_use
    }

    /// An object, if it is live.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(&id.0).map(|o| &**o)
    }

    /// A new object with arbitrary contents (or zeros).
    pub fn alloc(
        &mut self,
        storage: Storage,
        size: u64,
        zeroed: bool,
        variable: Option<VarId>,
    ) -> Option<ObjectId> {
        let id = self.add(size, 16, ObjectKind::Dynamic(storage), variable, zeroed)?;
        if self.shadows
            && !zeroed
            && let Some(object) = self.objects.get_mut(&id.0)
        {
            Arc::make_mut(object).shadow = Some(Box::new(ShadowBytes::unset()));
        }
        Some(id)
    }

    fn add(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        variable: Option<VarId>,
        known: bool,
    ) -> Option<ObjectId> {
        let align = align.max(1).next_power_of_two();
        let base = self.next_base.checked_next_multiple_of(align)?;
        // A gap separates the end of one object from the start of the next.
        let end = base.checked_add(size)?.checked_add(1)?;
        if self.pointer_bits == 32 && end > u64::from(u32::MAX) - 0x1000 {
            return None;
        }
        let id = ObjectId(self.next);
        self.next = self.next.checked_add(1)?;
        self.next_base = end;
        Arc::make_mut(&mut self.extents).push_back((base, size));
        self.in_use = self.in_use.saturating_add(size);
        let pages = if size <= PAGE {
            Pages::One(None)
        } else {
            Pages::Many(OrdMap::new())
        };
        self.objects.insert(
            id.0,
            Arc::new(Object {
                size,
                base,
                kind,
                variable,
                made_at: PlaceId(0),
                kept: false,
                pages,
                shadow: None,
            }),
        );
        if !known {
            self.fill_unknown(id);
        }
        Some(id)
    }

    /// Writes the contents that the test fixes for a fresh object.
    fn fill_unknown(&mut self, id: ObjectId) {
        if self.unknown.is_empty() {
            return;
        }
        let unknown = self.unknown.clone();
        let size = self.object(id).map_or(0, |o| o.size);
        // The program cannot see bytes that a test gives for places outside the object.
        for (&(_, at), &byte) in unknown.range((id.0, 0)..(id.0, size)) {
            self.put_bytes(id, at, &[byte]);
        }
    }

    /// Ends the lifetime of an object; returns whether it was live.
    pub fn end(&mut self, id: ObjectId) -> bool {
        match self.objects.remove(&id.0) {
            Some(object) => {
                self.in_use = self.in_use.saturating_sub(object.size);
                true
            }
            None => false,
        }
    }

    /// Whether an object was there and its lifetime has ended.
    pub fn has_ended(&self, id: ObjectId) -> bool {
        id != ObjectId::NULL && id.0 < self.next && !self.objects.contains_key(&id.0)
    }

    /// Checks that the object of a pointer, if it is in one, is live.
    pub fn check_alive(&self, ptr: Val) -> Result<(), Fault> {
        match self.has_ended(ptr.object()) {
            true => Err(DEAD),
            false => Ok(()),
        }
    }

    /// Checks that an access is inside a live object.
    #[inline(always)]
    fn check(&self, ptr: Val, len: u64, write: bool) -> Result<&Arc<Object>, Fault> {
        let Some(object) = self.objects.get(&(ptr.hi as u32)) else {
            return Err(self.missing(ptr));
        };
        if ptr.lo > object.size || len > object.size - ptr.lo {
            return Err(match object.kind {
                ObjectKind::Static(StaticKind::Function) => CODE,
                // Its size may be said elsewhere.
                ObjectKind::Static(StaticKind::Unmodelled) => UNMODELLED,
                _ => OUTSIDE,
            });
        }
        if let ObjectKind::Static(kind) = object.kind {
            match kind {
                StaticKind::Variable => {}
                StaticKind::Constant if !write => {}
                StaticKind::Constant => return Err(CONSTANT),
                StaticKind::Function => return Err(CODE),
                StaticKind::Unmodelled => return Err(UNMODELLED),
            }
        }
        Ok(object)
    }

    /// Whether a number is an address in an object, live or dead.
    fn is_address(&self, number: u64) -> bool {
        let mut extents = self.extents.iter();
        extents.any(|(base, size)| number >= *base && number - base < (*size).max(1))
    }

    #[cold]
    fn missing(&self, ptr: Val) -> Fault {
        match (ptr.hi, ptr.lo) {
            // A small number is null plus a field's offset.
            (0, 0..FIRST_ADDRESS) => NULL_DEREF,
            (0, number) if environment::traps(number, self.pointer_bits) => ERROR_DEREF,
            (0, number) if self.is_address(number) => GUESSED,
            (0, _) => WILD,
            _ => DEAD,
        }
    }

    /// Reads a scalar.
    #[inline(always)]
    pub fn load(&self, sort: Sort, ptr: Val, other: Other) -> Result<Val, Fault> {
        let len = sort.bytes(self.pointer_bits);
        let object = self.check(ptr, len, false)?;
        let (page, at) = (ptr.lo / PAGE, (ptr.lo % PAGE) as usize);
        if let Some(page) = object.page(page)
            && page.slots.is_empty()
            && at + len as usize <= page.bytes.len()
            && sort != Sort::Ptr
            && (object.size <= PAGE || at >= 8)
        {
            return Ok(mask_sort(sort, page.small(at, len as usize)));
        }
        self.load_slow(object, sort, ptr.lo, len, other)
    }

    #[inline(never)]
    fn load_slow(
        &self,
        object: &Object,
        sort: Sort,
        at: u64,
        len: u64,
        other: Other,
    ) -> Result<Val, Fault> {
        if sort == Sort::Ptr
            && let Some(slot) = object.slot_at(at)
        {
            return Ok(slot);
        }
        let mut buffer = [0u8; 16];
        let bytes = &mut buffer[..len as usize];
        self.read(object, at, bytes);
        let value = u128::from_le_bytes(buffer);
        Ok(match sort {
            Sort::Ptr => match other {
                Other::Foreign(environment) => self.foreign(value as u64, environment),
                Other::Address => self.pointer_to(value as u64),
                Other::Number => Val::ptr(ObjectId::NULL, value as u64),
            },
            _ => mask_sort(sort, value),
        })
    }

    /// The pointer for a number of the environment.
    pub fn foreign(&self, number: u64, environment: ObjectId) -> Val {
        match environment::place(number, self.pointer_bits) {
            Some(offset) => Val::ptr(environment, offset),
            None => Val::ptr(ObjectId::NULL, number),
        }
    }

    /// Writes a scalar.
    #[inline(always)]
    pub fn store(&mut self, sort: Sort, ptr: Val, value: Val) -> Result<(), Fault> {
        let len = sort.bytes(self.pointer_bits);
        self.check(ptr, len, true)?;
        match sort {
            Sort::Ptr if value.hi != 0 => self.put_pointer(ptr.object(), ptr.lo, value),
            _ => self.put_bytes(
                ptr.object(),
                ptr.lo,
                &value.int().to_le_bytes()[..len as usize],
            ),
        }
        if self.shadows {
            self.fill_shadow(ptr, 0, len);
        }
        Ok(())
    }

    /// Reads the shadow of bits.
    pub fn load_shadow(&self, width: u32, ptr: Val) -> Val {
        let mut buffer = [0u8; 16];
        let bytes = width.div_ceil(8).min(16) as usize;
        if let Some(shadow) = self.shadow(ptr.object()) {
            shadow.read(ptr.lo, &mut buffer[..bytes]);
        }
        mask_sort(Sort::Int(width), u128::from_le_bytes(buffer))
    }

    /// Writes shadows.
    pub fn store_shadow(&mut self, ptr: Val, bytes: &[u8]) {
        if bytes.iter().any(|byte| *byte != 0) || self.shadow(ptr.object()).is_some() {
            self.change_shadow(ptr.object(), |shadow| shadow.write(ptr.lo, bytes));
        }
    }

    /// Fills shadows with a byte.
    pub fn fill_shadow(&mut self, ptr: Val, byte: u8, len: u64) {
        if byte != 0 || self.shadow(ptr.object()).is_some() {
            self.change_shadow(ptr.object(), |shadow| shadow.fill(ptr.lo, byte, len));
        }
    }

    /// A byte's shadow; zero outside live objects.
    pub fn shadow_at(&self, id: ObjectId, at: u64) -> u8 {
        let mut byte = [0];
        if self.object(id).is_some_and(|o| at < o.size)
            && let Some(shadow) = self.shadow(id)
        {
            shadow.read(at, &mut byte);
        }
        byte[0]
    }

    fn shadow(&self, id: ObjectId) -> Option<&ShadowBytes> {
        self.objects.get(&id.0)?.shadow.as_deref()
    }

    fn change_shadow(&mut self, id: ObjectId, change: impl FnOnce(&mut ShadowBytes)) {
        if let Some(object) = self.objects.get_mut(&id.0) {
            let shadow = &mut Arc::make_mut(object).shadow;
            change(shadow.get_or_insert_with(|| Box::new(ShadowBytes::set())));
        }
    }

    /// Reads bytes of an object, with stored pointers as their addresses.
    fn read(&self, object: &Object, at: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let offset = at + done as u64;
            let start = (offset % PAGE) as usize;
            let n = (out.len() - done).min(PAGE as usize - start);
            match object.page(offset / PAGE) {
                Some(page) => out[done..done + n].copy_from_slice(&page.bytes[start..start + n]),
                None => out[done..done + n].fill(0),
            }
            done += n;
        }
        let size = u64::from(self.pointer_bits / 8);
        for (start, target) in object.slots_in(at, out.len() as u64, size) {
            let address = self.address(target).to_le_bytes();
            for i in 0..size {
                if let Some(byte) = (start + i)
                    .checked_sub(at)
                    .and_then(|k| out.get_mut(k as usize))
                {
                    *byte = address[i as usize];
                }
            }
        }
    }

    /// Writes bytes. A pointer slot that is only partly overwritten becomes bytes.
    fn put_bytes(&mut self, id: ObjectId, at: u64, bytes: &[u8]) {
        self.break_slots(id, at, bytes.len() as u64);
        let Some(object) = self.objects.get_mut(&id.0) else {
            return;
        };
        Arc::make_mut(object).write(at, bytes);
    }

    fn put_pointer(&mut self, id: ObjectId, at: u64, value: Val) {
        self.break_slots(id, at, u64::from(self.pointer_bits / 8));
        if value.hi == 0 {
            return self.put_bytes(
                id,
                at,
                &value.lo.to_le_bytes()[..self.pointer_bits as usize / 8],
            );
        }
        let Some(object) = self.objects.get_mut(&id.0) else {
            return;
        };
        Arc::make_mut(object).write_slot(at, value);
    }

    /// Removes the slots that overlap a write of these bytes.
    #[inline(always)]
    fn break_slots(&mut self, id: ObjectId, at: u64, len: u64) {
        let Some(object) = self.objects.get(&id.0) else {
            return;
        };
        if let Pages::One(page) = &object.pages
            && page.as_ref().is_none_or(|p| p.slots.is_empty())
        {
            return;
        }
        self.break_slots_slow(id, at, len);
    }

    fn break_slots_slow(&mut self, id: ObjectId, at: u64, len: u64) {
        let size = u64::from(self.pointer_bits / 8);
        let Some(object) = self.objects.get(&id.0) else {
            return;
        };
        let touched = object.slots_in(at, len, size);
        if touched.is_empty() {
            return;
        }
        let addresses: Vec<_> = touched
            .iter()
            .map(|(start, target)| (*start, self.address(*target)))
            .collect();
        let Some(object) = self.objects.get_mut(&id.0) else {
            return;
        };
        let object = Arc::make_mut(object);
        for (start, address) in addresses {
            object.remove_slot(start);
            if start < at || start + size > at + len {
                object.write(start, &address.to_le_bytes()[..size as usize]);
            }
        }
    }

    /// Copies bytes and slots.
    pub fn copy(&mut self, dst: Val, src: Val, len: u64, overlap: bool) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        self.check(dst, len, true)?;
        let object = self.check(src, len, false)?;
        if !overlap && dst.hi == src.hi && dst.lo != src.lo && dst.lo.abs_diff(src.lo) < len {
            return Err(Fault(BailKind::Overlap, "memcpy of overlapping memory"));
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(|_| OUTSIDE)?];
        self.read(object, src.lo, &mut bytes);
        let size = u64::from(self.pointer_bits / 8);
        let whole = |start: u64| start >= src.lo && start + size <= src.lo + len;
        let slots: Vec<_> = object
            .slots_in(src.lo, len, size)
            .into_iter()
            .filter(|(s, _)| whole(*s))
            .collect();
        self.put_bytes(dst.object(), dst.lo, &bytes);
        for (start, target) in slots {
            self.put_pointer(dst.object(), start - src.lo + dst.lo, target);
        }
        if self.shadows {
            // The length of `bytes` is that of the copy.
            bytes.fill(0);
            if let Some(shadow) = self.shadow(src.object()) {
                shadow.read(src.lo, &mut bytes);
            }
            self.store_shadow(dst, &bytes);
        }
        Ok(())
    }

    /// Fills with a byte.
    pub fn fill(&mut self, dst: Val, byte: u8, len: u64) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        self.check(dst, len, true)?;
        let chunk = [byte; PAGE as usize];
        let mut at = dst.lo;
        let end = dst.lo + len;
        while at < end {
            let n = (PAGE - at % PAGE).min(end - at);
            self.put_bytes(dst.object(), at, &chunk[..n as usize]);
            at += n;
        }
        if self.shadows {
            self.fill_shadow(dst, 0, len);
        }
        Ok(())
    }

    /// The bytes up to a zero, for printing.
    pub fn c_string(&self, ptr: Val, most: usize) -> Option<Vec<u8>> {
        let object = self.objects.get(&(ptr.hi as u32))?;
        let mut out = Vec::new();
        for at in ptr.lo..object.size {
            let mut byte = [0];
            self.read(object, at, &mut byte);
            if byte[0] == 0 || out.len() == most {
                return Some(out);
            }
            out.push(byte[0]);
        }
        None
    }

    /// The machine address of a pointer in this run's layout.
    pub fn address(&self, ptr: Val) -> u64 {
        let address = self.base_of(ptr.object()).wrapping_add(ptr.lo);
        if self.pointer_bits == 32 {
            address & u64::from(u32::MAX)
        } else {
            address
        }
    }

    /// The address of an object, live or dead.
    pub fn base_of(&self, id: ObjectId) -> u64 {
        self.extents.get(id.0 as usize).map_or(0, |e| e.0)
    }

    /// The size of an object, live or dead.
    pub fn size_of(&self, id: ObjectId) -> u64 {
        self.extents.get(id.0 as usize).map_or(0, |e| e.1)
    }

    /// A byte. Outside objects it is the test's value, or 0: no program reads there, but a
    /// predicate may, and a solver's model then gives the value.
    pub fn byte_at(&self, id: ObjectId, at: u64) -> u8 {
        let mut byte = [0];
        match self.object(id).filter(|o| at < o.size) {
            Some(object) => self.read(object, at, &mut byte),
            None => byte[0] = self.unknown.get(&(id.0, at)).copied().unwrap_or(0),
        }
        byte[0]
    }

    /// The pointer stored at an offset.
    pub fn slot(&self, id: ObjectId, at: u64) -> Option<Val> {
        self.object(id).filter(|o| at < o.size)?.slot_at(at)
    }

    /// Whether an object holds no stored pointer.
    pub fn holds_no_pointer(&self, id: ObjectId) -> bool {
        let none = |object: &Object| match &object.pages {
            Pages::One(page) => page.as_ref().is_none_or(|page| page.slots.is_empty()),
            Pages::Many(pages) => pages.values().all(|page| page.slots.is_empty()),
        };
        self.object(id).is_none_or(none)
    }

    /// The pointer for an address: into the object there (its end included), live or dead, or else a
    /// plain number.
    pub fn pointer_to(&self, address: u64) -> Val {
        // Addresses grow with object numbers, and objects do not overlap.
        let (mut low, mut high) = (1, self.extents.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.extents.get(middle) {
                Some((base, _)) if *base <= address => low = middle + 1,
                _ => high = middle,
            }
        }
        let id = low - 1;
        match self.extents.get(id) {
            Some((base, size)) if id > 0 && address - base <= *size => {
                Val::ptr(ObjectId(id as u32), address - base)
            }
            _ => Val::ptr(ObjectId::NULL, address),
        }
    }
}

impl Object {
    #[inline(always)]
    fn page(&self, number: u64) -> Option<&Page> {
        match &self.pages {
            Pages::One(page) => page.as_deref(),
            Pages::Many(pages) => pages.get(&number).map(|p| &**p),
        }
    }

    #[inline(always)]
    fn page_mut(&mut self, number: u64) -> &mut Page {
        let len = (self.size - number * PAGE).min(PAGE) as usize;
        let page = match &mut self.pages {
            Pages::One(page) => page.get_or_insert_with(|| Arc::new(Page::new(len))),
            Pages::Many(pages) => pages
                .entry(number)
                .or_insert_with(|| Arc::new(Page::new(len))),
        };
        Arc::make_mut(page)
    }

    #[inline(always)]
    fn write(&mut self, at: u64, bytes: &[u8]) {
        let start = (at % PAGE) as usize;
        if start + bytes.len() <= PAGE as usize {
            let page = self.page_mut(at / PAGE);
            page.bytes[start..start + bytes.len()].copy_from_slice(bytes);
            return;
        }
        let (here, rest) = bytes.split_at(PAGE as usize - start);
        self.write(at, here);
        self.write(at + here.len() as u64, rest);
    }

    fn write_slot(&mut self, at: u64, target: Val) {
        let page = self.page_mut(at / PAGE);
        let start = (at % PAGE) as u16;
        let place = page.slots.partition_point(|s| s.start < start);
        page.slots.insert(place, Slot { start, target });
    }

    fn remove_slot(&mut self, at: u64) {
        let page = self.page_mut(at / PAGE);
        page.slots.retain(|s| u64::from(s.start) != at % PAGE);
    }

    /// The pointer stored exactly here.
    fn slot_at(&self, at: u64) -> Option<Val> {
        let page = self.page(at / PAGE)?;
        let found = page
            .slots
            .binary_search_by_key(&((at % PAGE) as u16), |s| s.start)
            .ok()?;
        Some(page.slots[found].target)
    }

    /// Slots that overlap a range, by their start; a slot may begin in the previous page.
    fn slots_in(&self, at: u64, len: u64, size: u64) -> Vec<(u64, Val)> {
        let mut out = Vec::new();
        let first = at.saturating_sub(size - 1);
        let last = at + len.max(1) - 1;
        let mut look = |number: u64, page: &Page| {
            for slot in &page.slots {
                let start = number * PAGE + u64::from(slot.start);
                if start + size > at && start < at + len {
                    out.push((start, slot.target));
                }
            }
        };
        match &self.pages {
            Pages::One(page) => page.iter().for_each(|page| look(0, page)),
            Pages::Many(pages) => {
                // A huge object may have few pages.
                let touched = pages.range(first / PAGE..=last / PAGE);
                touched.for_each(|(number, page)| look(*number, page));
            }
        }
        out
    }
}

#[inline(always)]
fn mask_sort(sort: Sort, value: u128) -> Val {
    match sort {
        Sort::Int(w) if w < 128 => Val::wide(value & (u128::MAX >> (128 - w))),
        _ => Val::wide(value),
    }
}
