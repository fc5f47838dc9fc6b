//! The shadow of an object: which bits of its contents were never set.
//!
//! A bit is 1 if it was never set, or was computed from such bits. Most of a new object is all
//! ones until it is written, so only pages that differ from the object's first state are stored.

use super::page::PAGE;
use imbl::OrdMap;
use std::sync::Arc;

type Bytes = [u8; PAGE as usize];

/// A shadow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShadowBytes {
    /// The bytes of pages that are not stored.
    rest: u8,
    pages: OrdMap<u64, Arc<Bytes>>,
}

impl ShadowBytes {
    /// The shadow of contents that are set.
    pub fn set() -> ShadowBytes {
        ShadowBytes {
            rest: 0,
            pages: OrdMap::new(),
        }
    }

    /// The shadow of contents that were never set.
    pub fn unset() -> ShadowBytes {
        ShadowBytes {
            rest: u8::MAX,
            pages: OrdMap::new(),
        }
    }

    /// Reads bytes at an offset.
    pub fn read(&self, at: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let offset = at.wrapping_add(done as u64);
            let start = (offset % PAGE) as usize;
            let n = (out.len() - done).min(PAGE as usize - start);
            match self.pages.get(&(offset / PAGE)) {
                Some(page) => out[done..done + n].copy_from_slice(&page[start..start + n]),
                None => out[done..done + n].fill(self.rest),
            }
            done += n;
        }
    }

    /// Writes bytes at an offset.
    pub fn write(&mut self, at: u64, bytes: &[u8]) {
        self.pieces(at, bytes.len() as u64, |place, done| {
            let n = place.len();
            place.copy_from_slice(&bytes[done as usize..done as usize + n]);
        });
    }

    /// Writes one byte repeatedly.
    pub fn fill(&mut self, at: u64, byte: u8, len: u64) {
        self.pieces(at, len, |place, _| place.fill(byte));
    }

    /// Calls `f` on the stored bytes of a range, page by page, each with its distance from the
    /// start.
    fn pieces(&mut self, at: u64, len: u64, mut f: impl FnMut(&mut [u8], u64)) {
        let mut done = 0;
        while done < len {
            let offset = at.wrapping_add(done);
            let start = offset % PAGE;
            let n = (len - done).min(PAGE - start);
            let rest = self.rest;
            let page = self
                .pages
                .entry(offset / PAGE)
                .or_insert_with(|| Arc::new([rest; PAGE as usize]));
            let range = start as usize..(start + n) as usize;
            f(&mut Arc::make_mut(page)[range], done);
            done += n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_cross_pages() {
        let mut shadow = ShadowBytes::unset();
        shadow.fill(250, 0, 300);
        let mut out = [7; 4];
        for (at, expected) in [(248, [255, 255, 0, 0]), (548, [0, 0, 255, 255])] {
            shadow.read(at, &mut out);
            assert_eq!(out, expected, "{at}");
        }
        shadow.write(255, &[1, 2]);
        shadow.read(254, &mut out);
        assert_eq!(out, [0, 1, 2, 0]);
    }
}
