//! A page: the unit in which memory contents are shared and copied.

use super::value::Val;

/// Bytes in a page.
pub const PAGE: u64 = 256;

/// A pointer stored in a page, at this offset in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Offset of its first byte in the page; its last may lie in the next page.
    pub start: u16,
    /// The pointer.
    pub target: Val,
}

/// Bytes and pointer slots, sorted by their start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Data; bytes under a slot have no meaning.
    pub bytes: Box<[u8]>,
    /// Pointers.
    pub slots: Vec<Slot>,
}

impl Page {
    /// A page of zeros.
    pub fn new(len: usize) -> Page {
        Page {
            bytes: vec![0; len].into_boxed_slice(),
            slots: Vec::new(),
        }
    }

    /// Up to 16 bytes as a little-endian number.
    #[inline(always)]
    pub fn small(&self, at: usize, len: usize) -> u128 {
        match len {
            1 => u128::from(self.bytes[at]),
            4 => {
                let mut raw = [0; 4];
                raw.copy_from_slice(&self.bytes[at..at + 4]);
                u128::from(u32::from_le_bytes(raw))
            }
            8 => {
                let mut raw = [0; 8];
                raw.copy_from_slice(&self.bytes[at..at + 8]);
                u128::from(u64::from_le_bytes(raw))
            }
            _ => {
                let mut raw = [0; 16];
                raw[..len].copy_from_slice(&self.bytes[at..at + len]);
                u128::from_le_bytes(raw)
            }
        }
    }
}
