//! The concrete domain: machine values, concrete memory, a test's inputs.

use super::float;
use super::memory::{Fault, Memory, ObjectKind};
use super::print::format;
use super::value::{self, Val};
use crate::domain::{Domain, Overflow, Stop};
use crate::inputs::{Feed, Taken};
use attest_model::*;

/// The concrete state without the activations.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Memory.
    pub memory: Memory,
    /// Promoted globals.
    pub globals: Vec<Val>,
    /// Whether globals were written since the last snapshot.
    pub globals_changed: bool,
    /// The remaining inputs.
    pub feed: Feed,
    /// The inputs taken so far.
    pub taken: Vec<Taken>,
    /// The printed output, if it is kept.
    pub output: Option<Vec<u8>>,
    /// Variable arguments of the current activation.
    pub varargs: Vec<(Val, Sort)>,
    /// Stack objects of the current activation.
    pub stack_objects: Vec<ObjectId>,
    /// The place of the current instruction.
    pub place: PlaceId,
    /// Where the next allocation is and whether the library keeps it, if that is recorded.
    pub(crate) allocates_at: Option<(PlaceId, bool)>,
    pointer_bits: u32,
    overflow: Overflow,
    memory_limit: u64,
}

/// Printed output beyond this is dropped.
const MOST_OUTPUT: usize = 16 << 20;

impl Machine {
    /// The machine at the start of a program.
    pub fn new(
        program: &Program,
        memory: Memory,
        feed: Feed,
        overflow: Overflow,
        memory_limit: u64,
    ) -> Machine {
        let mut machine = Machine {
            memory,
            globals: Vec::with_capacity(program.globals.len()),
            globals_changed: true,
            feed,
            taken: Vec::new(),
            output: None,
            varargs: Vec::new(),
            stack_objects: Vec::new(),
            place: PlaceId(0),
            allocates_at: None,
            pointer_bits: program.pointer_bits,
            overflow,
            memory_limit,
        };
        for global in &program.globals {
            let value = match global.init {
                Some(constant) => Val::of(constant),
                None => machine.take(global.sort, &InputKind::Uninit(global.name.clone())),
            };
            machine.globals.push(value);
        }
        machine
    }

    /// Takes the next input of its kind and records it.
    pub(crate) fn take(&mut self, sort: Sort, kind: &InputKind) -> Val {
        let value = self.feed.next(sort, kind, self.place, self.pointer_bits);
        // Unspecified machine contents are many and rarely matter; the test consists of the
        // environment's answers.
        if !matches!(kind, InputKind::Undef) {
            self.taken.push(Taken {
                kind: kind.clone(),
                sort,
                value,
                place: self.place,
            });
        }
        value
    }

    fn check_memory(&self) -> Result<(), Stop> {
        if self.memory.in_use() > self.memory_limit {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }

    /// Whether a pointer may be freed, and whether an object ends then.
    fn is_freed(&self, ptr: &Val) -> Result<bool, Stop> {
        // Objects of the environment may be heap objects.
        if *ptr == Val::default() || self.memory.is_environment(ptr.object()) {
            return Ok(false);
        }
        let heap = self
            .memory
            .object(ptr.object())
            .map(|o| o.kind == ObjectKind::Dynamic(Storage::Heap));
        match heap {
            Some(true) if ptr.lo == 0 => Ok(true),
            Some(_) => Err(bail(Fault(
                BailKind::BadFree,
                "free of a pointer that is not the start of a heap object",
            ))),
            None if ptr.hi == 0 => Err(bail(Fault(
                BailKind::BadFree,
                "free of a number that is no address",
            ))),
            None => Err(bail(Fault(
                BailKind::BadFree,
                "free of an object after its lifetime",
            ))),
        }
    }
}

/// A fault of the memory as a bail.
#[cold]
fn bail(fault: Fault) -> Stop {
    Stop::Bail(Bail {
        kind: fault.0,
        what: fault.1.into(),
    })
}

impl Domain for Machine {
    type Val = Val;

    fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    fn overflow(&self) -> Overflow {
        self.overflow
    }

    #[inline(always)]
    fn constant(&mut self, constant: Constant) -> Val {
        Val::of(constant)
    }

    #[inline(always)]
    fn int(&mut self, op: IntOp, width: u32, a: &Val, b: &Val) -> Val {
        value::int(op, width, *a, *b)
    }

    fn int_unary(&mut self, op: IntUnary, width: u32, a: &Val) -> Val {
        value::int_unary(op, width, *a)
    }

    #[inline(always)]
    fn compare(&mut self, rel: Relation, width: u32, a: &Val, b: &Val) -> Val {
        Val::bit(value::compare(rel, width, *a, *b))
    }

    #[inline(always)]
    fn resize(&mut self, how: Resize, from: u32, to: u32, a: &Val) -> Val {
        value::resize(how, from, to, *a)
    }

    fn select(&mut self, cond: &Val, a: &Val, b: &Val) -> Val {
        if cond.is_true() { *a } else { *b }
    }

    fn float(&mut self, op: FloatOp, format: FloatFormat, a: &Val, b: &Val) -> Val {
        float::float(op, format, *a, *b)
    }

    fn float_unary(&mut self, op: FloatUnary, format: FloatFormat, a: &Val) -> Val {
        float::float_unary(op, format, *a)
    }

    fn float_compare(&mut self, rel: FloatRelation, format: FloatFormat, a: &Val, b: &Val) -> Val {
        Val::bit(float::float_compare(rel, format, *a, *b))
    }

    fn float_cast(&mut self, cast: FloatCast, a: &Val) -> Val {
        float::float_cast(cast, *a)
    }

    fn float_fits(&mut self, from: FloatFormat, width: u32, signed: bool, a: &Val) -> Val {
        Val::bit(float::float_fits(from, width, signed, *a))
    }

    #[inline(always)]
    fn object_of(&mut self, ptr: &Val) -> Val {
        Val::small(ptr.hi)
    }

    #[inline(always)]
    fn offset_of(&mut self, ptr: &Val) -> Val {
        Val::small(ptr.lo)
    }

    #[inline(always)]
    fn with_offset(&mut self, ptr: &Val, offset: &Val) -> Val {
        Val {
            lo: offset.lo,
            hi: ptr.hi,
        }
    }

    fn address_of(&mut self, ptr: &Val) -> Val {
        Val::small(self.memory.address(*ptr))
    }

    fn pointer_to(&mut self, address: &Val) -> Result<Val, Stop> {
        Ok(self.memory.pointer_to(address.lo))
    }

    #[inline(always)]
    fn require(&mut self, cond: &Val, kind: BailKind, what: &'static str) -> Result<(), Stop> {
        if cond.is_true() {
            Ok(())
        } else {
            Err(bail(Fault(kind, what)))
        }
    }

    fn assume(&mut self, cond: &Val) -> Result<(), Stop> {
        if cond.is_true() {
            Ok(())
        } else {
            Err(Stop::Assume)
        }
    }

    fn within(&mut self, ptr: &Val, spots: &[Spot], first: ObjectId) -> Result<(), Stop> {
        let object = ptr.object();
        let is_there = |spot: &Spot| {
            let right = match spot.object {
                Some(known) => known == object,
                None => object >= first,
            };
            let low = u64::MAX.checked_shr(64 - spot.bits).unwrap_or(0);
            right && ptr.lo & low == spot.offset
        };
        if spots.iter().any(is_there) {
            return Ok(());
        }
        Err(Stop::Bail(Bail {
            kind: BailKind::Unsupported,
            what: "a pointer is elsewhere than the points-to analysis says".into(),
        }))
    }

    fn input(&mut self, sort: Sort, kind: &InputKind) -> Result<Val, Stop> {
        Ok(self.take(sort, kind))
    }

    #[inline(always)]
    fn get_global(&mut self, global: GlobalReg) -> Val {
        self.globals[global.0 as usize]
    }

    #[inline(always)]
    fn set_global(&mut self, global: GlobalReg, value: Val) {
        self.globals[global.0 as usize] = value;
        self.globals_changed = true;
    }

    #[inline(always)]
    fn load(&mut self, sort: Sort, ptr: &Val, other: Other) -> Result<Val, Stop> {
        self.memory.load(sort, *ptr, other).map_err(bail)
    }

    fn foreign(&mut self, number: &Val, environment: ObjectId) -> Val {
        self.memory.foreign(number.lo, environment)
    }

    #[inline(always)]
    fn store(&mut self, sort: Sort, ptr: &Val, value: &Val) -> Result<(), Stop> {
        self.memory.store(sort, *ptr, *value).map_err(bail)
    }

    fn alloc(
        &mut self,
        storage: Storage,
        size: &Val,
        zeroed: bool,
        name: Option<VarId>,
    ) -> Result<Val, Stop> {
        if size.lo > self.memory_limit {
            return Err(Stop::Memory);
        }
        let object = self
            .memory
            .alloc(storage, size.lo, zeroed, name)
            .ok_or(Stop::Memory)?;
        match storage {
            Storage::Stack => self.stack_objects.push(object),
            Storage::Heap => {
                let made_at = self.allocates_at.take();
                if let Some(made_at) = made_at {
                    self.memory.set_made_at(object, made_at);
                }
            }
        }
        self.check_memory()?;
        Ok(Val::ptr(object, 0))
    }

    fn alive(&mut self, ptr: &Val, len: &Val) -> Result<(), Stop> {
        match len.lo {
            0 => Ok(()),
            _ => self.memory.check_alive(*ptr).map_err(bail),
        }
    }

    fn free(&mut self, ptr: &Val) -> Result<Val, Stop> {
        let freed = self.is_freed(ptr)?;
        if freed {
            self.memory.end(ptr.object());
        }
        Ok(Val::wide(u128::from(freed)))
    }

    fn end_life(&mut self, ptr: &Val) -> Result<(), Stop> {
        if self.memory.end(ptr.object()) {
            if self.stack_objects.last() == Some(&ptr.object()) {
                self.stack_objects.pop();
            } else {
                self.stack_objects.retain(|o| *o != ptr.object());
            }
        }
        Ok(())
    }

    fn realloc(&mut self, ptr: &Val, size: &Val) -> Result<Val, Stop> {
        self.is_freed(ptr)?;
        let new = self.alloc(Storage::Heap, size, false, None)?;
        if *ptr != Val::default() {
            let old = self.memory.object(ptr.object()).map_or(0, |o| o.size);
            if ptr.lo == 0 && old > 0 {
                self.memory
                    .copy(new, *ptr, old.min(size.lo), true)
                    .map_err(bail)?;
            }
        }
        Ok(new)
    }

    fn mem_copy(&mut self, dst: &Val, src: &Val, len: &Val, overlap: bool) -> Result<(), Stop> {
        self.memory.copy(*dst, *src, len.lo, overlap).map_err(bail)
    }

    fn mem_set(&mut self, dst: &Val, byte: &Val, len: &Val) -> Result<(), Stop> {
        self.memory.fill(*dst, byte.lo as u8, len.lo).map_err(bail)
    }

    fn load_shadow(&mut self, width: u32, ptr: &Val) -> Val {
        self.memory.load_shadow(width, *ptr)
    }

    fn store_shadow(&mut self, width: u32, ptr: &Val, shadow: &Val) {
        let bytes = width.div_ceil(8) as usize;
        let shadow = shadow.int().to_le_bytes();
        self.memory.store_shadow(*ptr, &shadow[..bytes.min(16)]);
    }

    fn fill_shadow(&mut self, ptr: &Val, byte: &Val, len: &Val) {
        self.memory.fill_shadow(*ptr, byte.lo as u8, len.lo);
    }

    fn varargs(&mut self) -> Result<Vec<(Val, Sort)>, Stop> {
        Ok(self.varargs.clone())
    }

    fn print(&mut self, what: &Print, args: &[(Val, Sort)]) -> Result<Val, Stop> {
        let text = format(what, args, &self.memory);
        if what.to_stdout
            && let Some(output) = &mut self.output
        {
            let room = MOST_OUTPUT.saturating_sub(output.len());
            output.extend(text.iter().take(room));
        }
        Ok(Val::small(text.len() as u64 & 0x7fff_ffff))
    }
}
