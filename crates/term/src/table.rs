//! The hash table of hash-consing: from an operation and its operands to the existing term.
//!
//! It uses open addressing over (hash, term) pairs. The arena owns the keys, so the table holds
//! only handles, lets the caller compare, and never moves a key when it grows. It is never
//! iterated, so hash order cannot affect results.

#[derive(Clone, Default)]
pub(crate) struct Table {
    /// The slots; their number is a power of two, and at most two thirds are full.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    term: u32,
}

const EMPTY: Slot = Slot {
    hash: 0,
    term: u32::MAX,
};

impl Table {
    /// The term with this hash for which `same` holds, or else the slot for it.
    pub fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.term == u32::MAX {
                return None;
            }
            if slot.hash == hash && same(slot.term) {
                return Some(slot.term);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a term that [`Table::find`] did not find.
    pub fn insert(&mut self, hash: u32, term: u32) {
        if (self.used + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        self.used += 1;
        self.place(Slot { hash, term });
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn place(&mut self, slot: Slot) {
        let mut at = self.home(slot.hash);
        while self.slots[at].term != u32::MAX {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        for slot in old.into_iter().filter(|slot| slot.term != u32::MAX) {
            self.place(slot);
        }
    }
}
