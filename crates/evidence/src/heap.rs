//! What a run reads from unwritten memory, in the form that a native run can be given.
//!
//! A test says which bytes of which objects it needs. A wrapper of `malloc`
//! fills the memory that it returns, and the harness has the environment's
//! memory. Bytes that the run read as a pointer of the environment become the
//! pointer that they stand for.

use attest_exec::{Inputs, Interpreter, Limits, Observer, Overflow};
use attest_model::{Inst, ObjectId, Operand, Other, PlaceId, Program, Sort, Storage, environment};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// A value in unwritten memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unwritten {
    /// In what the `malloc` of this number returned, from 1; 0 is the environment's memory.
    pub allocation: u64,
    /// Where.
    pub offset: u64,
    /// The byte, or the number of the environment that a pointer there stands for.
    #[serde(flatten)]
    pub what: What,
}

/// What is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A byte.
    Byte(u8),
    /// A pointer of the environment.
    Pointer(u64),
}

/// The objects that `malloc` returned, and where pointers were read.
struct Watch<'a> {
    given: &'a Inputs,
    made: BTreeMap<u32, u64>,
    pointers: BTreeMap<(u32, u64), u64>,
}

impl Watch<'_> {
    /// The number that lies somewhere before the first write.
    fn number(&self, object: ObjectId, offset: u64, bytes: u64) -> u64 {
        (0..bytes).rev().fold(0, |high, i| {
            let byte = self.given.unknown.get(&(object.0, offset + i));
            (high << 8) | u64::from(byte.copied().unwrap_or(0))
        })
    }
}

impl Observer for Watch<'_> {
    const STEPS: bool = true;
    fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, _: PlaceId) {
        match inst {
            Inst::Alloc {
                dst,
                storage: Storage::Heap,
                zeroed: false,
                ..
            } => {
                let number = self.made.len() as u64 + 1;
                let object = run.read(Operand::Reg(*dst)).object();
                self.made.insert(object.0, number);
            }
            Inst::Load {
                dst,
                ptr,
                other: Other::Foreign(own),
                ..
            } if *ptr != Operand::Reg(*dst) => {
                let bits = run.program.pointer_bits;
                let (at, value) = (run.read(*ptr), run.read(Operand::Reg(*dst)));
                let number = self.number(at.object(), at.lo, Sort::Ptr.bytes(bits));
                if value.object() == *own && environment::place(number, bits) == Some(value.lo) {
                    self.pointers.insert((at.object().0, at.lo), number);
                }
            }
            _ => {}
        }
    }
}

/// What a native run on these inputs has to find.
pub fn unwritten(program: &Program, given: &Arc<Inputs>) -> Vec<Unwritten> {
    if given.unknown.is_empty() {
        return Vec::new();
    }
    let limits = Limits::default();
    let mut run = Interpreter::new(program, given.clone(), Overflow::Wrap, limits);
    let mut watch = Watch {
        given,
        made: BTreeMap::new(),
        pointers: BTreeMap::new(),
    };
    run.watch(&mut watch, &Default::default());
    let allocation = |object: u32| match program.environment {
        Some(own) if own.0 == object => Some(0),
        _ => watch.made.get(&object).copied(),
    };
    let size = Sort::Ptr.bytes(program.pointer_bits);
    let mut out = Vec::new();
    for (&(object, offset), &byte) in given.unknown.iter() {
        let first = offset.saturating_sub(size - 1);
        let mut around = watch.pointers.range((object, first)..=(object, offset));
        if let (Some(allocation), None) = (allocation(object), around.next()) {
            let what = What::Byte(byte);
            out.push(Unwritten {
                allocation,
                offset,
                what,
            });
        }
    }
    for (&(object, offset), &number) in &watch.pointers {
        if let Some(allocation) = allocation(object) {
            let what = What::Pointer(number);
            out.push(Unwritten {
                allocation,
                offset,
                what,
            });
        }
    }
    out
}

/// Whether a wrapper of `malloc` is needed.
pub(crate) fn wraps_malloc(cells: &[Unwritten]) -> bool {
    cells.iter().any(|cell| cell.allocation > 0)
}

/// The assignment that makes a value.
fn assign(cell: &Unwritten) -> String {
    match cell.what {
        What::Byte(byte) => format!("at[{}ul] = (char){byte};", cell.offset),
        What::Pointer(number) => {
            let offset = cell.offset;
            format!("*(void **)(at + {offset}ul) = pointer({number}ul);")
        }
    }
}

/// The values in what one `malloc` returned.
fn of(cells: &[Unwritten], allocation: u64) -> impl Iterator<Item = &Unwritten> {
    let is_there = move |cell: &&Unwritten| cell.allocation == allocation;
    cells.iter().filter(is_there)
}

/// The part of the harness that fills the environment's memory, which is there already.
pub(crate) fn filling(cells: &[Unwritten]) -> String {
    let mut c = String::new();
    if of(cells, 0).next().is_some() {
        c.push_str(
            "/* What is in the environment's memory. */\n\
             __attribute__((constructor)) static void fill(void) {\n  char *at = environment;\n",
        );
        for cell in of(cells, 0) {
            let _ = writeln!(c, "  {}", assign(cell));
        }
        c.push_str("}\n\n");
    }
    c
}

/// The wrapper of `malloc`, which fills the memory, and fails first if it `fails`.
pub(crate) fn wrapper(cells: &[Unwritten], fails: bool) -> String {
    let mut c = String::from(
        "/* What is in memory that malloc returns, before it is written. */\n\
         void *__real_malloc(unsigned long size);\n\n\
         void *__wrap_malloc(unsigned long size) {\n  static unsigned long made;\n",
    );
    if fails {
        c.push_str("  if (fails()) return 0;\n");
    }
    c.push_str(
        "  char *at = __real_malloc(size);\n  \
         for (unsigned long i = 0; at && i < size; i++) at[i] = 0;\n  \
         if (at) switch (++made) {\n",
    );
    let numbers: BTreeSet<u64> = cells.iter().map(|cell| cell.allocation).collect();
    for number in numbers.into_iter().filter(|number| *number > 0) {
        let _ = writeln!(c, "  case {number}:");
        for cell in of(cells, number) {
            let _ = writeln!(c, "    {}", assign(cell));
        }
        c.push_str("    break;\n");
    }
    c.push_str("  }\n  return at;\n}\n\n");
    c
}
