//! The symbolic domain: terms for values, a log of writes for memory.
//!
//! Execution goes forward from a symbolic or partly known state; [`crate::semantics`] has the
//! meaning of instructions, as for the concrete domain. The conditions under which an execution
//! continues are collected as conjuncts of the path; each bail is recorded with its condition.

use super::memory::{Pointer, SIZES, SymMemory};
use super::value::SymVal;
use crate::domain::{Domain, Overflow, Stop};
use crate::mutants::{Mutant, mutated};
use attest_model::*;
use attest_term::{FloatSort, Op, Rounding, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The size of a pointer's object is unknown if the object is a choice with more cases than this.
const MOST_CHOICES: u32 = 16;

/// An input of a symbolic execution.
#[derive(Clone, PartialEq, Debug)]
pub struct SymInput {
    /// What the input stands for.
    pub kind: InputKind,
    /// Its sort.
    pub sort: Sort,
    /// Its symbols.
    pub value: SymVal,
}

/// A symbolic state without the registers, and what the execution collects.
#[derive(Clone, Debug)]
pub struct SymState {
    /// Memory.
    pub memory: SymMemory,
    /// Which objects have ended.
    pub lives: SymMemory,
    /// The environment's memory, if there is any.
    pub environment: Option<ObjectId>,
    /// Promoted globals.
    pub globals: Vec<SymVal>,
    /// The number of the next object.
    pub next_object: Term,
    /// Conditions of the path so far.
    pub path: Vec<Term>,
    /// Inputs so far.
    pub inputs: Vec<SymInput>,
    /// The bails: each holds under its condition together with the path at that point.
    pub bails: Vec<(BailKind, Term)>,
    /// Sizes of the static objects, by number less one.
    pub static_sizes: Arc<[u64]>,
    /// Sizes of the objects made by this execution.
    pub new_sizes: FxHashMap<Term, Term>,
    /// A pointer that is null, a number that is no object's address, or this place.
    pub at: Option<(Pointer, Pointer)>,
}

impl SymState {
    /// The size of an object if it is null, a static object, an object made here, or a choice of a
    /// few of these; the size of any other is an unknown that never changes.
    pub fn known_size(&self, terms: &mut Terms, object: Term, pointer_bits: u32) -> Option<Term> {
        self.size_of_choice(terms, object, pointer_bits, MOST_CHOICES)
    }

    fn size_of_choice(
        &self,
        terms: &mut Terms,
        object: Term,
        pointer_bits: u32,
        choices: u32,
    ) -> Option<Term> {
        if let Some(size) = self.new_sizes.get(&object) {
            return Some(*size);
        }
        if terms.op(object) == Op::Ite && choices > 0 {
            let [which, yes, no] = [0, 1, 2].map(|i| terms.arg(object, i));
            let yes = self.size_of_choice(terms, yes, pointer_bits, choices - 1)?;
            let no = self.size_of_choice(terms, no, pointer_bits, choices - 1)?;
            return Some(terms.ite(which, yes, no));
        }
        let number = terms.bv_const(object)?.to_u128()? as usize;
        // Null is no object and has no bytes.
        let size = match number.checked_sub(1) {
            Some(at) => *self.static_sizes.get(at)?,
            None => 0,
        };
        Some(terms.bv_u128(pointer_bits, size.into()))
    }
}

/// The symbolic domain of one execution.
pub struct Sym<'t> {
    /// The arena.
    pub terms: &'t mut Terms,
    /// The state.
    pub state: SymState,
    /// The condition of the current block inside a step; it guards the block's writes.
    pub guard: Option<Term>,
    /// Prefix of the names of input symbols, unique to this execution.
    pub prefix: String,
    /// The number of inputs with this prefix so far.
    pub named: u32,
    pointer_bits: u32,
    overflow: Overflow,
}

impl<'t> Sym<'t> {
    /// Execution from a state.
    pub fn new(
        terms: &'t mut Terms,
        state: SymState,
        prefix: &str,
        pointer_bits: u32,
        overflow: Overflow,
    ) -> Sym<'t> {
        Sym {
            terms,
            state,
            guard: None,
            prefix: prefix.into(),
            named: 0,
            pointer_bits,
            overflow,
        }
    }

    fn bit(&mut self, cond: Term) -> SymVal {
        SymVal::Bits(self.terms.bool_to_bv(cond, 1))
    }

    /// A bit as a truth value.
    pub fn truth(&mut self, bit: &SymVal) -> Term {
        self.terms.bit_to_bool(bit.bits())
    }

    pub(crate) fn path_condition(&mut self) -> Term {
        let path = self.state.path.clone();
        self.terms.all(&path)
    }

    /// Continues only under a condition; its negation bails.
    fn demand(&mut self, cond: Term, kind: BailKind) -> Result<(), Stop> {
        match self.terms.bool_const(cond) {
            Some(true) => return Ok(()),
            Some(false) => {
                return Err(Stop::Bail(Bail {
                    kind,
                    what: "for sure".into(),
                }));
            }
            None => {}
        }
        let before = self.path_condition();
        let not = self.terms.not(cond);
        let leaves = self.terms.all(&[before, not]);
        self.state.bails.push((kind, leaves));
        self.state.path.push(cond);
        Ok(())
    }

    /// Requires that an access of `len` bytes lies inside its object; returns its place.
    fn demand_access(&mut self, p: Pointer, len: Term) -> Result<Pointer, Stop> {
        let null = self.terms.bv_u128(32, 0);
        let is_null = self.terms.eq(p.object, null);
        // Null plus a field's offset is still null; another number is no known address.
        let traps = self.traps(p.offset);
        let null_page = self.terms.all(&[is_null, traps]);
        let not_null = self.terms.not(null_page);
        self.demand(not_null, BailKind::NullDeref)?;
        let some = self.terms.not(is_null);
        self.demand(some, BailKind::InvalidPointer)?;
        let p = self.surely_at(p);
        let size = self.size_of(p.object);
        let starts = self.terms.ule(p.offset, size);
        let left = self.terms.sub(size, p.offset);
        let fits = self.terms.ule(len, left);
        let inside = self.terms.all(&[starts, fits]);
        self.demand(inside, BailKind::OutOfBounds)?;
        Ok(p)
    }

    /// Whether an object is one that is made at run time.
    fn is_dynamic(&mut self, object: Term) -> Term {
        if self.state.lives.is_dynamic(self.terms, object) {
            return self.terms.bool(true);
        }
        let first = self.state.static_sizes.len() as u128 + 1;
        let first = self.terms.bv_u128(32, first);
        self.terms.ule(first, object)
    }

    /// Requires that a pointer may be freed: it is null, in the environment's memory, whose objects
    /// may be heap objects, or the start of an object that is alive. Returns the condition under
    /// which an object ends. An object on the stack counts as one on the heap; the checker does not
    /// accept this where points-to does not exclude it.
    fn demand_free(&mut self, p: Pointer) -> Result<Term, Stop> {
        let null = self.terms.bv_u128(32, 0);
        let none = self.terms.eq(p.object, null);
        let zero = self.terms.bv_u128(self.pointer_bits, 0);
        let start = self.terms.eq(p.offset, zero);
        let mut nothing = self.terms.all(&[none, start]);
        if let Some(environment) = self.state.environment {
            let environment = self.terms.bv_u128(32, environment.0.into());
            let foreign = self.terms.eq(p.object, environment);
            nothing = self.terms.any(&[nothing, foreign]);
        }
        let zero = self.terms.bv_u128(8, 0);
        let ended = self.state.lives.ended(self.terms, p.object);
        let mut alive = self.terms.eq(ended, zero);
        if mutated(Mutant::DoubleFreeAllowed) {
            alive = self.terms.bool(true);
        }
        let dynamic = self.is_dynamic(p.object);
        let freed = self.terms.all(&[dynamic, start, alive]);
        let fine = self.terms.any(&[nothing, freed]);
        self.demand(fine, BailKind::BadFree)?;
        Ok(self.terms.not(nothing))
    }

    /// Whether an access through a number traps.
    fn traps(&mut self, number: Term) -> Term {
        let word = |terms: &mut Terms, n: u64| terms.bv_u128(self.pointer_bits, n.into());
        let page = word(self.terms, environment::LAST_PAGE);
        let ends = word(
            self.terms,
            environment::LAST_PAGE + environment::FIRST_ADDRESS,
        );
        let moved = self.terms.add(number, page);
        self.terms.ult(moved, ends)
    }

    fn size_of(&mut self, object: Term) -> Term {
        let known = self.state.known_size(self.terms, object, self.pointer_bits);
        known.unwrap_or_else(|| {
            let zero = self.terms.bv_u128(self.pointer_bits, 0);
            self.terms.read(SIZES, object, zero, self.pointer_bits / 8)
        })
    }

    /// The place of a pointer after a successful access: a constant place, if points-to knows only
    /// one.
    fn surely_at(&mut self, p: Pointer) -> Pointer {
        match self.state.at.take() {
            Some((known, place)) if known == p => place,
            _ => p,
        }
    }

    /// The pointer for a number of the environment ([`environment::place`]).
    fn foreign_pointer(&mut self, number: Term, environment: ObjectId) -> Pointer {
        let word = |terms: &mut Terms, n: u64| terms.bv_u128(self.pointer_bits, n.into());
        let page = word(self.terms, environment::LAST_PAGE);
        let moved = self.terms.add(number, page);
        let is_number = self.terms.ule(moved, page);
        let places = environment::PLACES.trailing_ones();
        let place = self.terms.extract(places - 1, 0, number);
        let inside = self.terms.bv_u128(environment::ALIGN.trailing_zeros(), 0);
        let offset = self.terms.concat(place, inside);
        let offset = self.terms.zext(offset, self.pointer_bits);
        let null = self.terms.bv_u128(32, 0);
        let object = self.terms.bv_u128(32, environment.0.into());
        Pointer {
            object: self.terms.ite(is_number, null, object),
            offset: self.terms.ite(is_number, number, offset),
        }
    }

    fn pointer_of(&mut self, address: Term, choices: u32) -> Pointer {
        if self.terms.op(address) == Op::Ite && choices > 0 {
            let [which, yes, no] = [0, 1, 2].map(|i| self.terms.arg(address, i));
            let yes = self.pointer_of(yes, choices / 2);
            let no = self.pointer_of(no, choices / 2);
            return Pointer {
                object: self.terms.ite(which, yes.object, no.object),
                offset: self.terms.ite(which, yes.offset, no.offset),
            };
        }
        let mut summands = vec![address];
        while let Some(term) = summands.pop() {
            match self.terms.op(term) {
                Op::Add => summands.extend(self.terms.args(term)),
                Op::Base { .. } => {
                    return Pointer {
                        object: self.terms.arg(term, 0),
                        offset: self.terms.sub(address, term),
                    };
                }
                _ => {}
            }
        }
        Pointer {
            object: self.terms.bv_u128(32, 0),
            offset: address,
        }
    }

    fn bytes(&mut self, sort: Sort) -> Term {
        let bytes = sort.bytes(self.pointer_bits);
        self.terms.bv_u128(self.pointer_bits, bytes.into())
    }

    fn float_sort(format: FloatFormat) -> FloatSort {
        match format {
            FloatFormat::Single => FloatSort::F32,
            FloatFormat::Double => FloatSort::F64,
        }
    }

    fn power_of_two(&mut self, format: FloatFormat, exponent: u32, negative: bool) -> Term {
        let value = 2f64.powi(exponent as i32) * if negative { -1.0 } else { 1.0 };
        match format {
            FloatFormat::Single => self.terms.f32(value as f32),
            FloatFormat::Double => self.terms.f64(value),
        }
    }

    fn scalar_from(&mut self, sort: Sort, raw: Term) -> SymVal {
        match sort {
            Sort::Int(w) if self.terms.width(raw) > w => {
                SymVal::Bits(self.terms.extract(w - 1, 0, raw))
            }
            Sort::F32 => SymVal::Float(self.terms.float_from_bits(FloatSort::F32, raw)),
            Sort::F64 => SymVal::Float(self.terms.float_from_bits(FloatSort::F64, raw)),
            _ => SymVal::Bits(raw),
        }
    }
}

impl Domain for Sym<'_> {
    type Val = SymVal;

    fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    fn overflow(&self) -> Overflow {
        self.overflow
    }

    fn constant(&mut self, constant: Constant) -> SymVal {
        SymVal::constant(self.terms, constant, self.pointer_bits)
    }

    fn int(&mut self, op: IntOp, _width: u32, a: &SymVal, b: &SymVal) -> SymVal {
        let (x, y) = (a.bits(), b.bits());
        let t = &mut *self.terms;
        SymVal::Bits(match op {
            IntOp::Add => t.add(x, y),
            IntOp::Sub => t.sub(x, y),
            IntOp::Mul => t.mul(x, y),
            IntOp::UDiv => t.udiv(x, y),
            IntOp::SDiv => t.sdiv(x, y),
            IntOp::URem => t.urem(x, y),
            IntOp::SRem => t.srem(x, y),
            IntOp::Shl => t.shl(x, y),
            IntOp::LShr => t.lshr(x, y),
            IntOp::AShr => t.ashr(x, y),
            IntOp::And => t.bvand(x, y),
            IntOp::Or => t.bvor(x, y),
            IntOp::Xor => t.bvxor(x, y),
        })
    }

    fn int_unary(&mut self, op: IntUnary, width: u32, a: &SymVal) -> SymVal {
        let x = a.bits();
        let t = &mut *self.terms;
        let bit = |t: &mut Terms, i: u32| t.extract(i, i, x);
        SymVal::Bits(match op {
            IntUnary::PopCount => {
                let mut sum = t.bv_u128(width, 0);
                for i in 0..width {
                    let one = bit(t, i);
                    let one = t.zext(one, width);
                    sum = t.add(sum, one);
                }
                sum
            }
            IntUnary::LeadingZeros | IntUnary::TrailingZeros => {
                let leading = op == IntUnary::LeadingZeros;
                let mut count = t.bv_u128(width, width.into());
                // The deciding bit comes last.
                for distance in (0..width).rev() {
                    let at = if leading {
                        width - 1 - distance
                    } else {
                        distance
                    };
                    let one = bit(t, at);
                    let set = t.bit_to_bool(one);
                    let here = t.bv_u128(width, distance.into());
                    count = t.ite(set, here, count);
                }
                count
            }
            IntUnary::ByteSwap => {
                let mut out = t.extract(7, 0, x);
                for i in 1..width / 8 {
                    let byte = t.extract(i * 8 + 7, i * 8, x);
                    out = t.concat(out, byte);
                }
                out
            }
            IntUnary::BitReverse => {
                let mut out = bit(t, 0);
                for i in 1..width {
                    let next = bit(t, i);
                    out = t.concat(out, next);
                }
                out
            }
        })
    }

    fn compare(&mut self, rel: Relation, _width: u32, a: &SymVal, b: &SymVal) -> SymVal {
        let (x, y) = (a.bits(), b.bits());
        let t = &mut *self.terms;
        let cond = match rel {
            Relation::Eq => t.eq(x, y),
            Relation::Ne => t.ne(x, y),
            Relation::Ult => t.ult(x, y),
            Relation::Ule => t.ule(x, y),
            Relation::Ugt => t.ult(y, x),
            Relation::Uge => t.ule(y, x),
            Relation::Slt if mutated(Mutant::SignedAsUnsigned) => t.ult(x, y),
            Relation::Slt => t.slt(x, y),
            Relation::Sle => t.sle(x, y),
            Relation::Sgt => t.slt(y, x),
            Relation::Sge => t.sle(y, x),
        };
        self.bit(cond)
    }

    fn resize(&mut self, how: Resize, _from: u32, to: u32, a: &SymVal) -> SymVal {
        SymVal::Bits(match how {
            Resize::Truncate => self.terms.extract(to - 1, 0, a.bits()),
            Resize::ZeroExtend => self.terms.zext(a.bits(), to),
            Resize::SignExtend => self.terms.sext(a.bits(), to),
        })
    }

    fn select(&mut self, cond: &SymVal, a: &SymVal, b: &SymVal) -> SymVal {
        let cond = self.truth(cond);
        a.merge(self.terms, cond, *b)
    }

    fn float(&mut self, op: FloatOp, _format: FloatFormat, a: &SymVal, b: &SymVal) -> SymVal {
        let (x, y) = (a.float(), b.float());
        let t = &mut *self.terms;
        SymVal::Float(match op {
            FloatOp::Add => t.fadd(x, y),
            FloatOp::Sub => t.fsub(x, y),
            FloatOp::Mul => t.fmul(x, y),
            FloatOp::Div => t.fdiv(x, y),
            FloatOp::Rem => t.frem(x, y),
            FloatOp::CopySign => {
                let (p, q) = (t.is_negative(x), t.is_negative(y));
                let same = t.eq(p, q);
                let flipped = t.fneg(x);
                t.ite(same, x, flipped)
            }
            FloatOp::Min | FloatOp::Max => {
                let other_wins = if op == FloatOp::Min {
                    t.folt(y, x)
                } else {
                    t.folt(x, y)
                };
                let x_nan = t.is_nan(x);
                let take_y = t.any(&[x_nan, other_wins]);
                t.ite(take_y, y, x)
            }
        })
    }

    fn float_unary(&mut self, op: FloatUnary, _format: FloatFormat, a: &SymVal) -> SymVal {
        let x = a.float();
        let t = &mut *self.terms;
        SymVal::Float(match op {
            FloatUnary::Neg => t.fneg(x),
            FloatUnary::Abs => t.fabs(x),
            FloatUnary::Sqrt => t.fsqrt(x),
            FloatUnary::Floor => t.fround(Rounding::Down, x),
            FloatUnary::Ceil => t.fround(Rounding::Up, x),
            FloatUnary::Trunc => t.fround(Rounding::Zero, x),
            FloatUnary::Round => t.fround(Rounding::NearestAway, x),
            FloatUnary::RoundEven => t.fround(Rounding::NearestEven, x),
        })
    }

    fn float_compare(
        &mut self,
        rel: FloatRelation,
        _format: FloatFormat,
        a: &SymVal,
        b: &SymVal,
    ) -> SymVal {
        let (x, y) = (a.float(), b.float());
        let t = &mut *self.terms;
        let cond = match rel {
            FloatRelation::False => t.bool(false),
            FloatRelation::True => t.bool(true),
            FloatRelation::Oeq => t.foeq(x, y),
            FloatRelation::Ogt => t.folt(y, x),
            FloatRelation::Oge => t.fole(y, x),
            FloatRelation::Olt => t.folt(x, y),
            FloatRelation::Ole => t.fole(x, y),
            FloatRelation::One => {
                let (less, more) = (t.folt(x, y), t.folt(y, x));
                t.any(&[less, more])
            }
            FloatRelation::Ord => {
                let unordered = t.funordered(x, y);
                t.not(unordered)
            }
            FloatRelation::Uno => t.funordered(x, y),
            FloatRelation::Ueq => {
                let (less, more) = (t.folt(x, y), t.folt(y, x));
                let differ = t.any(&[less, more]);
                t.not(differ)
            }
            FloatRelation::Ugt => {
                let le = t.fole(x, y);
                t.not(le)
            }
            FloatRelation::Uge => {
                let lt = t.folt(x, y);
                t.not(lt)
            }
            FloatRelation::Ult => {
                let ge = t.fole(y, x);
                t.not(ge)
            }
            FloatRelation::Ule => {
                let gt = t.folt(y, x);
                t.not(gt)
            }
            FloatRelation::Une => {
                let eq = t.foeq(x, y);
                t.not(eq)
            }
        };
        self.bit(cond)
    }

    fn float_cast(&mut self, cast: FloatCast, a: &SymVal) -> SymVal {
        let t = &mut *self.terms;
        match cast {
            FloatCast::Format { to, .. } => {
                SymVal::Float(t.float_convert(Sym::float_sort(to), a.float()))
            }
            FloatCast::FromInt {
                signed: true, to, ..
            } => SymVal::Float(t.float_from_signed(Sym::float_sort(to), a.bits())),
            FloatCast::FromInt {
                signed: false, to, ..
            } => SymVal::Float(t.float_from_unsigned(Sym::float_sort(to), a.bits())),
            FloatCast::ToInt {
                width,
                signed: true,
                ..
            } => SymVal::Bits(t.float_to_signed(width, a.float())),
            FloatCast::ToInt {
                width,
                signed: false,
                ..
            } => SymVal::Bits(t.float_to_unsigned(width, a.float())),
            FloatCast::ToBits(_) => SymVal::Bits(t.float_to_bits(a.float())),
            FloatCast::FromBits(format) => {
                SymVal::Float(t.float_from_bits(Sym::float_sort(format), a.bits()))
            }
        }
    }

    fn float_fits(&mut self, from: FloatFormat, width: u32, signed: bool, a: &SymVal) -> SymVal {
        let whole = self.terms.fround(Rounding::Zero, a.float());
        let (low, high) = if signed {
            (
                self.power_of_two(from, width - 1, true),
                self.power_of_two(from, width - 1, false),
            )
        } else {
            let zero = match from {
                FloatFormat::Single => self.terms.f32(0.0),
                FloatFormat::Double => self.terms.f64(0.0),
            };
            (zero, self.power_of_two(from, width, false))
        };
        let above = self.terms.fole(low, whole);
        let below = self.terms.folt(whole, high);
        let fits = self.terms.all(&[above, below]);
        self.bit(fits)
    }

    fn object_of(&mut self, ptr: &SymVal) -> SymVal {
        SymVal::Bits(ptr.ptr().object)
    }

    fn offset_of(&mut self, ptr: &SymVal) -> SymVal {
        SymVal::Bits(ptr.ptr().offset)
    }

    fn with_offset(&mut self, ptr: &SymVal, offset: &SymVal) -> SymVal {
        SymVal::Ptr(Pointer {
            object: ptr.ptr().object,
            offset: offset.bits(),
        })
    }

    fn address_of(&mut self, ptr: &SymVal) -> SymVal {
        SymVal::Bits(self.state.memory.address(self.terms, ptr.ptr()))
    }

    /// `Base(o) + n` becomes the pointer it came from, and a choice of such addresses a choice of
    /// pointers. Any other number is assumed to be no object's address; a run in which it is one
    /// diverges from the prediction, and the checker does not confirm a proof that rests on it.
    fn pointer_to(&mut self, address: &SymVal) -> Result<SymVal, Stop> {
        let address = address.bits();
        Ok(SymVal::Ptr(self.pointer_of(address, MOST_CHOICES)))
    }

    fn require(&mut self, cond: &SymVal, kind: BailKind, _what: &'static str) -> Result<(), Stop> {
        let cond = self.truth(cond);
        self.demand(cond, kind)
    }

    fn assume(&mut self, cond: &SymVal) -> Result<(), Stop> {
        let cond = self.truth(cond);
        if self.terms.bool_const(cond) == Some(false) {
            return Err(Stop::Assume);
        }
        self.state.path.push(cond);
        Ok(())
    }

    fn within(&mut self, ptr: &SymVal, spots: &[Spot], first: ObjectId) -> Result<(), Stop> {
        let p = ptr.ptr();
        let word = |terms: &mut Terms, n: u32| terms.bv_u128(32, n.into());
        let mut any = Vec::with_capacity(spots.len());
        for spot in spots {
            let object = match spot.object {
                Some(known) => {
                    let known = word(self.terms, known.0);
                    self.terms.eq(p.object, known)
                }
                None => {
                    let first = word(self.terms, first.0);
                    self.terms.ule(first, p.object)
                }
            };
            let offset = match spot.bits {
                0 => self.terms.bool(true),
                bits => {
                    let low = self.terms.extract(bits - 1, 0, p.offset);
                    let known = self.terms.bv_u128(bits, spot.offset.into());
                    self.terms.eq(low, known)
                }
            };
            any.push(self.terms.all(&[object, offset]));
        }
        let cond = self.terms.any(&any);
        match self.terms.bool_const(cond) {
            Some(true) => {}
            Some(false) => return Err(Stop::Assume),
            None => self.state.path.push(cond),
        }
        let mut real = spots.iter().filter(|s| s.object != Some(ObjectId::NULL));
        self.state.at = match (real.next(), real.next()) {
            (Some(spot), None) if spot.bits == self.pointer_bits => spot.object.map(|object| {
                let object = word(self.terms, object.0);
                let offset = self.terms.bv_u128(spot.bits, spot.offset.into());
                (p, Pointer { object, offset })
            }),
            _ => None,
        };
        Ok(())
    }

    fn input(&mut self, sort: Sort, kind: &InputKind) -> Result<SymVal, Stop> {
        let name = format!("{}{}", self.prefix, self.named);
        self.named += 1;
        let value = SymVal::symbol(
            self.terms,
            &name,
            sort,
            SymbolKind::Input,
            self.pointer_bits,
        );
        self.state.inputs.push(SymInput {
            kind: kind.clone(),
            sort,
            value,
        });
        if let SymVal::Ptr(p) = value {
            // An input cannot name an object: as in the concrete domain, it is a plain number.
            let null = self.terms.bv_u128(32, 0);
            return Ok(SymVal::Ptr(Pointer {
                object: null,
                offset: p.offset,
            }));
        }
        Ok(value)
    }

    fn get_global(&mut self, global: GlobalReg) -> SymVal {
        self.state.globals[global.0 as usize]
    }

    fn set_global(&mut self, global: GlobalReg, value: SymVal) {
        self.state.globals[global.0 as usize] = value;
    }

    fn load(&mut self, sort: Sort, ptr: &SymVal, other: Other) -> Result<SymVal, Stop> {
        let len = self.bytes(sort);
        let p = self.demand_access(ptr.ptr(), len)?;
        let bytes = sort.bytes(self.pointer_bits) as u32;
        if sort != Sort::Ptr {
            let raw = self.state.memory.read(self.terms, p, bytes);
            return Ok(self.scalar_from(sort, raw));
        }
        let tag = self.state.memory.tag(self.terms, p);
        let slot = self.state.memory.read_slot(self.terms, p);
        if self.terms.bool_const(tag) == Some(true) {
            return Ok(SymVal::Ptr(slot));
        }
        // Bytes that are no stored pointer are a number.
        let raw = self.state.memory.read(self.terms, p, bytes);
        let number = match other {
            Other::Foreign(environment) => self.foreign_pointer(raw, environment),
            Other::Address => self.pointer_of(raw, MOST_CHOICES),
            Other::Number => Pointer {
                object: self.terms.bv_u128(32, 0),
                offset: raw,
            },
        };
        Ok(SymVal::Ptr(slot).merge(self.terms, tag, SymVal::Ptr(number)))
    }

    fn foreign(&mut self, number: &SymVal, environment: ObjectId) -> SymVal {
        let number = number.ptr().offset;
        SymVal::Ptr(self.foreign_pointer(number, environment))
    }

    fn store(&mut self, sort: Sort, ptr: &SymVal, value: &SymVal) -> Result<(), Stop> {
        let len = self.bytes(sort);
        let p = self.demand_access(ptr.ptr(), len)?;
        let raw = match *value {
            SymVal::Ptr(target) => {
                if self
                    .terms
                    .bv_const(target.object)
                    .is_some_and(attest_term::Bv::is_zero)
                {
                    target.offset
                } else {
                    self.state
                        .memory
                        .store_pointer(self.terms, p, target, self.guard);
                    return Ok(());
                }
            }
            SymVal::Bits(bits) => {
                let width = sort.bytes(self.pointer_bits) as u32 * 8;
                self.terms.zext(bits, width)
            }
            SymVal::Float(float) => self.terms.float_to_bits(float),
        };
        self.state.memory.store(self.terms, p, raw, self.guard);
        Ok(())
    }

    fn alloc(
        &mut self,
        _storage: Storage,
        size: &SymVal,
        zeroed: bool,
        _name: Option<VarId>,
    ) -> Result<SymVal, Stop> {
        let object = self.state.next_object;
        let one = self.terms.bv_u128(32, 1);
        self.state.next_object = self.terms.add(object, one);
        let zero = self.terms.bv_u128(self.pointer_bits, 0);
        // Sizes are a fixed function of objects; assume that it agrees with this execution.
        let recorded = self.terms.read(SIZES, object, zero, self.pointer_bits / 8);
        let fits = self.terms.eq(recorded, size.bits());
        self.state.path.push(fits);
        self.state.new_sizes.insert(object, size.bits());
        if mutated(Mutant::MadeDead) {
            let always = self.terms.bool(true);
            self.state.lives.end(self.terms, object, always, self.guard);
        }
        let p = Pointer {
            object,
            offset: zero,
        };
        if zeroed {
            let byte = self.terms.bv_u128(8, 0);
            self.state
                .memory
                .fill(self.terms, p, byte, size.bits(), self.guard);
        } else if self.state.memory.has_shadows() {
            let byte = self.terms.bv_u128(8, u8::MAX.into());
            self.state
                .memory
                .fill_shadow(self.terms, p, byte, size.bits(), self.guard);
        }
        Ok(SymVal::Ptr(p))
    }

    fn alive(&mut self, ptr: &SymVal, len: &SymVal) -> Result<(), Stop> {
        let zero = self.terms.bv_u128(8, 0);
        let ended = self.state.lives.ended(self.terms, ptr.ptr().object);
        let alive = self.terms.eq(ended, zero);
        let nothing = self.terms.bv_u128(self.pointer_bits, 0);
        let empty = self.terms.eq(len.bits(), nothing);
        let fine = self.terms.any(&[empty, alive]);
        self.demand(fine, BailKind::UseAfterFree)
    }

    fn free(&mut self, ptr: &SymVal) -> Result<SymVal, Stop> {
        let freed = self.demand_free(ptr.ptr())?;
        let object = ptr.ptr().object;
        self.state.lives.end(self.terms, object, freed, self.guard);
        Ok(self.bit(freed))
    }

    fn end_life(&mut self, ptr: &SymVal) -> Result<(), Stop> {
        let object = ptr.ptr().object;
        let some = self.is_dynamic(object);
        self.state.lives.end(self.terms, object, some, self.guard);
        Ok(())
    }

    fn realloc(&mut self, ptr: &SymVal, size: &SymVal) -> Result<SymVal, Stop> {
        self.demand_free(ptr.ptr())?;
        let new = self.alloc(Storage::Heap, size, false, None)?;
        let old = ptr.ptr();
        let zero = self.terms.bv_u128(self.pointer_bits, 0);
        let old_size = self.size_of(old.object);
        let shrinks = self.terms.ult(size.bits(), old_size);
        let len = self.terms.ite(shrinks, size.bits(), old_size);
        let null = self.terms.bv_u128(32, 0);
        let fresh = self.terms.eq(old.object, null);
        let len = self.terms.ite(fresh, zero, len);
        self.state
            .memory
            .copy(self.terms, new.ptr(), old, len, self.guard);
        Ok(new)
    }

    fn mem_copy(
        &mut self,
        dst: &SymVal,
        src: &SymVal,
        len: &SymVal,
        _overlap: bool,
    ) -> Result<(), Stop> {
        let (to, from, len) = (dst.ptr(), src.ptr(), len.bits());
        if self
            .terms
            .bv_const(len)
            .is_some_and(attest_term::Bv::is_zero)
        {
            return Ok(());
        }
        self.demand_access(to, len)?;
        self.demand_access(from, len)?;
        self.state
            .memory
            .copy(self.terms, to, from, len, self.guard);
        Ok(())
    }

    fn mem_set(&mut self, dst: &SymVal, byte: &SymVal, len: &SymVal) -> Result<(), Stop> {
        let (at, len) = (dst.ptr(), len.bits());
        if self
            .terms
            .bv_const(len)
            .is_some_and(attest_term::Bv::is_zero)
        {
            return Ok(());
        }
        self.demand_access(at, len)?;
        self.state
            .memory
            .fill(self.terms, at, byte.bits(), len, self.guard);
        Ok(())
    }

    fn load_shadow(&mut self, width: u32, ptr: &SymVal) -> SymVal {
        let bytes = width.div_ceil(8);
        let raw = self.state.memory.read_shadow(self.terms, ptr.ptr(), bytes);
        self.scalar_from(Sort::Int(width), raw)
    }

    fn store_shadow(&mut self, width: u32, ptr: &SymVal, shadow: &SymVal) {
        let shadow = self.terms.zext(shadow.bits(), width.div_ceil(8) * 8);
        self.state
            .memory
            .store_shadow(self.terms, ptr.ptr(), shadow, self.guard);
    }

    fn fill_shadow(&mut self, ptr: &SymVal, byte: &SymVal, len: &SymVal) {
        self.state
            .memory
            .fill_shadow(self.terms, ptr.ptr(), byte.bits(), len.bits(), self.guard);
    }

    fn varargs(&mut self) -> Result<Vec<(SymVal, Sort)>, Stop> {
        // Calls are inlined before symbolic execution, so `va_start` has its arguments.
        let what = "variable arguments of an activation that is not inlined".into();
        Err(Stop::Bail(Bail {
            kind: BailKind::Unsupported,
            what,
        }))
    }

    fn print(&mut self, what: &Print, _args: &[(SymVal, Sort)]) -> Result<SymVal, Stop> {
        self.input(Sort::Int(32), &InputKind::Result(what.name.clone()))
    }
}
