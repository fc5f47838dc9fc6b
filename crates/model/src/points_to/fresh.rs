//! The bytes of a new object that are written before they are read.
//!
//! Contents that were never written are arbitrary, and read as a pointer they may point anywhere.
//! But most code initialises a new object at once. From the allocation to the end of its block, or
//! to the first instruction that reads the object or lets its address escape, only registers
//! computed from its address point to it. Bytes written through them in this range are written
//! before they are read.

use crate::program::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The size in bytes above which objects are not analysed.
const MOST_BYTES: u64 = 4096;

/// The ranges of an object of this size, allocated by an instruction of a block, that may be read
/// before they are written: offset and length.
pub(crate) fn unwritten(block: &Block, index: usize, size: u64, bits: u32) -> Vec<(u64, u64)> {
    if size > MOST_BYTES {
        return vec![(0, size)];
    }
    let mut open: BTreeSet<u64> = (0..size).collect();
    let mut known: FxHashMap<Reg, u64> = FxHashMap::default();
    let made = block.insts.get(index).and_then(Inst::dst);
    known.extend(made.map(|dst| (dst, 0)));
    for inst in block.insts.iter().skip(index + 1) {
        let at = |operand: Operand| match operand {
            Operand::Reg(reg) => known.get(&reg).copied(),
            Operand::Const(_) => None,
        };
        let mut moved = None;
        match inst {
            Inst::Store { sort, ptr, src } if at(*src).is_none() => {
                fill(&mut open, at(*ptr), Some(sort.bytes(bits)));
            }
            Inst::MemSet { dst, len, .. } => fill(&mut open, at(*dst), super::constant(*len)),
            Inst::MemCopy { dst, src, len, .. } if at(*src).is_none() => {
                fill(&mut open, at(*dst), super::constant(*len));
            }
            Inst::Copy { dst, src } => moved = at(*src).map(|offset| (*dst, offset)),
            Inst::PtrAdd {
                dst,
                base,
                offset,
                scale: 0,
                ..
            } => moved = at(*base).map(|from| (*dst, from.wrapping_add(*offset))),
            Inst::PtrCompare { .. }
            | Inst::Within { .. }
            | Inst::Alive { .. }
            | Inst::Shadow(_) => {}
            // Any other instruction must not access the object.
            _ => {
                let mut sees = false;
                inst.uses(|operand| sees |= at(operand).is_some());
                if sees {
                    break;
                }
            }
        }
        inst.defs(|reg| {
            known.remove(&reg);
        });
        known.extend(moved);
    }
    ranges(&open)
}

fn fill(open: &mut BTreeSet<u64>, at: Option<u64>, bytes: Option<u64>) {
    if let (Some(at), Some(bytes)) = (at, bytes)
        && let Some(end) = at.checked_add(bytes)
    {
        open.retain(|byte| !(at..end).contains(byte));
    }
}

fn ranges(open: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    for byte in open {
        match out.last_mut() {
            Some((start, length)) if *start + *length == *byte => *length += 1,
            _ => out.push((*byte, 1)),
        }
    }
    out
}
