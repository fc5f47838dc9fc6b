//! What can be reached in memory through stored pointers.
//!
//! A pointer into an object or to its end reaches the whole object, and so does a number that is
//! such an address, at a place where a pointer may lie (leak checkers of machines look at the same
//! words). Freed objects have no contents, so nothing is reached through them.

use super::{Memory, ObjectKind, PAGE, Pages, Val};
use attest_model::{ObjectId, PlaceId, Sort, Storage};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Memory {
    /// The live objects of the heap, in order of creation.
    pub fn heap_objects(&self) -> Vec<ObjectId> {
        self.objects_of(|kind| kind == ObjectKind::Dynamic(Storage::Heap))
    }

    /// The live objects that are not of the heap: variables and constants.
    pub fn variables(&self) -> Vec<ObjectId> {
        self.objects_of(|kind| kind != ObjectKind::Dynamic(Storage::Heap))
    }

    fn objects_of(&self, wanted: impl Fn(ObjectKind) -> bool) -> Vec<ObjectId> {
        let objects = self.objects.iter().filter(|(_, o)| wanted(o.kind));
        objects.map(|(id, _)| ObjectId(*id)).collect()
    }

    /// Records where an object was made, and whether the library keeps it.
    pub fn set_made_at(&mut self, id: ObjectId, (place, kept): (PlaceId, bool)) {
        if let Some(object) = self.objects.get_mut(&id.0) {
            let object = Arc::make_mut(object);
            (object.made_at, object.kept) = (place, kept);
        }
    }

    /// The object that a value leads to, if it is a pointer or an object's address.
    pub fn target(&self, value: Val, sort: Sort) -> Option<ObjectId> {
        let found = match sort {
            Sort::Ptr if value.hi != 0 => value,
            Sort::Ptr => self.pointer_to(value.lo),
            Sort::Int(width) if width >= self.pointer_bits => self.pointer_to(value.lo),
            Sort::Int(_) | Sort::F32 | Sort::F64 => return None,
        };
        Some(found.object()).filter(|id| self.object(*id).is_some())
    }

    /// The objects that can be reached from these, which are among them.
    pub fn reachable(&self, from: impl IntoIterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
        let mut seen = BTreeSet::new();
        let mut work: Vec<ObjectId> = from.into_iter().collect();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                self.each_target(id, |target| work.push(target));
            }
        }
        seen
    }

    /// The objects that the contents of an object lead to.
    fn each_target(&self, id: ObjectId, mut each: impl FnMut(ObjectId)) {
        let Some(object) = self.object(id) else {
            return;
        };
        let pages: Vec<u64> = match &object.pages {
            Pages::One(page) => page.iter().map(|_| 0).collect(),
            Pages::Many(pages) => pages.keys().copied().collect(),
        };
        let bytes = Sort::Ptr.bytes(self.pointer_bits);
        for page in pages {
            let start = page * PAGE;
            for (_, target) in object.slots_in(start, PAGE, bytes) {
                self.target(target, Sort::Ptr)
                    .into_iter()
                    .for_each(&mut each);
            }
            let end = (start + PAGE).min(object.size);
            for at in (start..end.saturating_sub(bytes - 1)).step_by(bytes as usize) {
                let mut word = [0; 8];
                self.read(object, at, &mut word[..bytes as usize]);
                let number = Val::ptr(ObjectId::NULL, u64::from_le_bytes(word));
                self.target(number, Sort::Ptr)
                    .into_iter()
                    .for_each(&mut each);
            }
        }
    }
}
