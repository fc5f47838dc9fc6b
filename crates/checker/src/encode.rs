//! The effect of each instruction on a state of terms.
//!
//! Written from the model's documentation and the notes (1.5, 2), not from the engine's semantics:
//! a checker is only useful if the two are independent. Where an instruction bails,
//! [`Encoder::bail`] records the condition; a kind that the proof assumes away restricts the path
//! instead.

use crate::arith;
use crate::memory::{Memories, Version};
use crate::open::Open;
use crate::state::{Pointer, State, Value};
use crate::unwind::Run;
use attest_model::*;
use attest_proof::Overflow;
use attest_term::{Op, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;

/// No object lies below this address.
pub const FIRST_ADDRESS: u128 = 0x1_0000;
/// No object overlaps this many addresses at the end.
pub(crate) const LAST_PAGE: u128 = 0x1000;

/// A bail, or a call of the error.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The kind; none for a violation of the property.
    pub kind: Option<BailKind>,
    /// A description of the cause.
    pub what: String,
    /// The condition under which it happens.
    pub cond: Term,
    /// Its place.
    pub place: PlaceId,
}

/// A construct that the encoder does not know.
#[derive(Clone, Debug)]
pub struct Unsupported {
    /// A description of the construct.
    pub what: &'static str,
    /// The condition under which it is executed.
    pub cond: Term,
    /// Its place.
    pub place: PlaceId,
}

/// A name for the condition of a join.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The name, which occurs in paths through the join.
    pub name: Term,
    /// Its definition.
    pub equation: Term,
}

/// The context of a step's encoding.
pub struct Encoder<'a> {
    /// The inlined program.
    pub program: &'a Program,
    /// The function of the step.
    pub function: FnId,
    /// The arena.
    pub terms: &'a mut Terms,
    /// The versions of memory of this step.
    pub memories: Memories,
    /// What the proof does not exclude.
    pub open: &'a Open,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Which accesses may be to objects that have ended.
    pub lives: &'a Lives,
    /// Where pointers may point.
    pub points_to: &'a PointsTo,
    /// What is known in a run from the initial state, if this is one.
    pub run: Option<Run>,
    /// The bails and errors so far.
    pub exits: Vec<Exit>,
    /// Unknown constructs; their effect is not encoded.
    pub unsupported: Vec<Unsupported>,
    /// Definitions of the names that joins introduced.
    pub definitions: Vec<Definition>,
    /// The pointers for numbers, by the number and the counter.
    pub resolved: FxHashMap<(Term, Term), Term>,
    /// The place of the current instruction,
    pub place: PlaceId,
    /// and where it is in the code.
    pub position: Position,
}

/// A state in the middle of a step.
#[derive(Clone)]
pub struct Flow {
    /// Registers, globals, counter.
    pub state: State,
    /// Memory.
    pub memory: Version,
    /// The condition of the path.
    pub path: Term,
}

/// Whether execution can continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It can.
    Continue,
    /// It cannot.
    Stop,
}

impl Encoder<'_> {
    pub(crate) fn bits(&self) -> u32 {
        self.program.pointer_bits
    }

    /// The value of an operand.
    pub fn operand(&mut self, flow: &Flow, a: Operand) -> Value {
        match a {
            Operand::Reg(reg) => flow.state.regs[reg.0 as usize],
            Operand::Const(constant) => Value::constant(self.terms, constant, self.bits()),
        }
    }

    fn one(&mut self, flow: &Flow, a: Operand) -> Term {
        self.operand(flow, a).one()
    }

    fn ptr(&mut self, flow: &Flow, a: Operand) -> Pointer {
        self.operand(flow, a).ptr()
    }

    pub(crate) fn word(&mut self, value: u128) -> Term {
        self.terms.bv_u128(self.program.pointer_bits, value)
    }

    /// Restricts the path to executions in which the condition holds.
    pub fn assume(&mut self, flow: &mut Flow, cond: Term) {
        if let Some(run) = &mut self.run
            && self.terms.bool_const(cond) != Some(true)
        {
            run.losses += 1;
        }
        self.branch(flow, cond);
    }

    /// Restricts the path to one side of a branch.
    pub fn branch(&mut self, flow: &mut Flow, cond: Term) {
        flow.path = self.terms.all(&[flow.path, cond]);
    }

    /// Records that the step bails where the condition holds.
    pub fn bail(&mut self, flow: &mut Flow, bad: Term, kind: BailKind, what: &str) {
        let good = self.terms.not(bad);
        if !self.open.kinds.contains(&kind) {
            let cond = self.terms.all(&[flow.path, bad]);
            // A proof that a run violates nothing need not say what happens after a violation.
            if self.record(cond, Some(kind), what) && self.run.is_some() {
                return;
            }
        }
        self.assume(flow, good);
    }

    /// Records that the step may bail where the condition holds: whether it does is not part of the
    /// state. So executions that continue are not restricted, not even where the kind is assumed
    /// away.
    pub fn may_bail(&mut self, flow: &Flow, maybe: Term, kind: BailKind, what: &str) {
        if !self.open.kinds.contains(&kind) {
            let cond = self.terms.all(&[flow.path, maybe]);
            self.record(cond, Some(kind), what);
        }
    }

    /// Records an exit of the step; false if the proof need not exclude it.
    pub fn record(&mut self, cond: Term, kind: Option<BailKind>, what: &str) -> bool {
        let place = self.place;
        let counts = !self.open.has(Check { place, kind });
        if self.terms.bool_const(cond) != Some(false) && counts {
            self.exits.push(Exit {
                kind,
                what: what.to_owned(),
                cond,
                place,
            });
        }
        counts
    }

    /// An arbitrary value.
    pub(crate) fn fresh(&mut self, sort: Sort) -> Value {
        let name = format!("in.{}", self.terms.symbols().len());
        let value = Value::symbol(self.terms, &name, sort, self.bits(), SymbolKind::Input);
        match value {
            // The environment cannot name an object; its pointers are plain numbers.
            Value::Ptr(p) => Value::Ptr(Pointer {
                object: self.terms.bv_u128(32, 0),
                offset: p.offset,
            }),
            one => one,
        }
    }

    /// The pointer for an address. Numbers carry their provenance: a number made from an object's
    /// base becomes a pointer to the object, and a constant has no provenance. Any other number may
    /// be the address of any existing object, or of none.
    pub(crate) fn pointer_of(&mut self, flow: &mut Flow, address: Term) -> Pointer {
        let null = self.terms.bv_u128(32, 0);
        if self.run.is_some() {
            return self.pointer_of_run(flow, address);
        }
        if let Some(base) = self.base_in(address) {
            return Pointer {
                object: self.terms.arg(base, 0),
                offset: self.terms.sub(address, base),
            };
        }
        if self.terms.is_const(address) {
            return self.plain_number(address);
        }
        let key = (address, flow.state.counter);
        let object = match self.resolved.get(&key) {
            Some(known) => *known,
            None => self.fresh(Sort::Int(32)).one(),
        };
        self.resolved.insert(key, object);
        let exists = self.terms.ult(object, flow.state.counter);
        self.assume(flow, exists);
        let nothing = self.terms.eq(object, null);
        let plain = self.is_plain_number(address);
        let right = self.terms.implies(plain, nothing);
        self.assume(flow, right);
        let base = self.terms.base(object, self.program.pointer_bits);
        let inside = self.terms.sub(address, base);
        Pointer {
            object,
            offset: self.terms.ite(nothing, address, inside),
        }
    }

    /// The pointer for a number that is no object's address.
    pub(crate) fn plain_number(&mut self, number: Term) -> Pointer {
        Pointer {
            object: self.terms.bv_u128(32, 0),
            offset: number,
        }
    }

    /// The object's base among the summands of an address, if there is exactly one.
    pub(crate) fn base_in(&self, address: Term) -> Option<Term> {
        let mut summands = vec![address];
        let mut found = None;
        while let Some(term) = summands.pop() {
            match self.terms.op(term) {
                Op::Add => summands.extend(self.terms.args(term)),
                Op::Base { .. } if found.is_some() => return None,
                Op::Base { .. } => found = Some(term),
                _ => {}
            }
        }
        found
    }

    fn same_object(&mut self, flow: &mut Flow, p: Pointer, q: Pointer, what: &str) {
        let differ = self.terms.ne(p.object, q.object);
        self.bail(flow, differ, BailKind::PtrOrder, what);
    }

    fn compare_pointers(
        &mut self,
        flow: &mut Flow,
        rel: Relation,
        p: Pointer,
        q: Pointer,
        numbers: bool,
    ) -> Term {
        let objects = self.terms.eq(p.object, q.object);
        let offsets = self.terms.eq(p.offset, q.offset);
        let mut equal = self.terms.all(&[objects, offsets]);
        if numbers {
            // A number, and a pointer that has it as its address.
            let [x, y] = [p, q].map(|p| self.memories.address(self.terms, p));
            let met = self.terms.eq(x, y);
            for (number, object) in [(p, q), (q, p)] {
                let number = self.is_null_object(number);
                let nothing = self.is_null_object(object);
                let object = self.terms.not(nothing);
                let met = self.terms.all(&[number, object, met]);
                equal = self.terms.any(&[equal, met]);
            }
        }
        // Offsets are signed: a pointer may point before its object.
        let signed = match rel {
            Relation::Eq => return equal,
            Relation::Ne => return self.terms.not(equal),
            Relation::Ult | Relation::Slt => Relation::Slt,
            Relation::Ule | Relation::Sle => Relation::Sle,
            Relation::Ugt | Relation::Sgt => Relation::Sgt,
            Relation::Uge | Relation::Sge => Relation::Sge,
        };
        let what = "an ordered comparison of pointers into different objects";
        self.same_object(flow, p, q, what);
        arith::relation(self.terms, signed, p.offset, q.offset)
    }

    /// `base + offset + index * scale`.
    fn move_pointer(&mut self, p: Pointer, offset: u64, index: Term, scale: u64) -> Pointer {
        let bits = self.bits();
        let index = if self.terms.width(index) > bits {
            self.terms.extract(bits - 1, 0, index)
        } else {
            self.terms.sext(index, bits)
        };
        let (offset, scale) = (self.word(offset.into()), self.word(scale.into()));
        let by = self.terms.mul(index, scale);
        let moved = self.terms.add(p.offset, offset);
        Pointer {
            object: p.object,
            offset: self.terms.add(moved, by),
        }
    }

    fn truth(&mut self, cond: Term) -> Value {
        Value::One(self.terms.bool_to_bv(cond, 1))
    }

    /// Executes an instruction.
    pub fn inst(&mut self, flow: &mut Flow, inst: &Inst) -> Next {
        let value = match inst {
            Inst::Copy { src, .. } => self.operand(flow, *src),
            Inst::GetGlobal { global, .. } => flow.state.globals[global.0 as usize],
            Inst::Int { .. }
            | Inst::IntUnary { .. }
            | Inst::Compare { .. }
            | Inst::Resize { .. }
            | Inst::Select { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatCompare { .. }
            | Inst::FloatCast { .. } => self.scalar(flow, inst),
            Inst::PtrCompare { .. }
            | Inst::PtrAdd { .. }
            | Inst::PtrDiff { .. }
            | Inst::PtrToInt { .. }
            | Inst::IntToPtr { .. }
            | Inst::Foreign { .. } => self.pointer(flow, inst),
            Inst::Load {
                sort, ptr, other, ..
            } => {
                let p = self.ptr(flow, *ptr);
                self.load(flow, *sort, (*ptr, p), *other)
            }
            Inst::Alloc { size, zeroed, .. } => {
                let size = self.one(flow, *size);
                Value::Ptr(self.alloc(flow, size, *zeroed))
            }
            Inst::Realloc { ptr, size, .. } => {
                let (p, size) = (self.ptr(flow, *ptr), self.one(flow, *size));
                Value::Ptr(self.realloc(flow, (*ptr, p), size))
            }
            Inst::Input { sort, kind, .. } => {
                let value = self.fresh(*sort);
                if let Some(run) = &mut self.run {
                    run.inputs.push((flow.path, value, kind.clone()));
                }
                value
            }
            Inst::Shadow(Shadow::Load { width, ptr, .. }) => {
                let p = self.ptr(flow, *ptr);
                let bytes = width.div_ceil(8);
                let raw = self.memories.shadow(self.terms, flow.memory, p, bytes);
                Value::One(arith::fit(self.terms, raw, *width))
            }
            Inst::Print { dst: Some(dst), .. } => {
                let function = self.program.function(self.function);
                self.fresh(function.regs[dst.0 as usize].sort)
            }
            Inst::Free { ptr, ended } => {
                let p = self.ptr(flow, *ptr);
                let freed = self.free(flow, *ptr, p);
                let Some(_) = ended else {
                    return Next::Continue;
                };
                self.truth(freed)
            }
            Inst::SetGlobal { .. }
            | Inst::Store { .. }
            | Inst::EndLife { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::Within { .. }
            | Inst::Alive { .. }
            | Inst::Assume { .. }
            | Inst::Shadow(_)
            | Inst::Print { dst: None, .. }
            | Inst::VaStart { args: Some(_), .. } => {
                self.effect(flow, inst);
                return Next::Continue;
            }
            Inst::VaStart { args: None, .. } | Inst::Call(_) => {
                self.unsupported.push(Unsupported {
                    what: match inst {
                        Inst::Call(_) => "a call inside a step",
                        _ => "variable arguments of an activation that was not inlined",
                    },
                    cond: flow.path,
                    place: self.place,
                });
                return Next::Stop;
            }
        };
        if let Some(dst) = inst.dst() {
            flow.state.regs[dst.0 as usize] = value;
        }
        match self.terms.bool_const(flow.path) {
            Some(false) => Next::Stop,
            _ => Next::Continue,
        }
    }

    /// The result of an operation on scalars.
    fn scalar(&mut self, flow: &mut Flow, inst: &Inst) -> Value {
        match inst {
            Inst::Int {
                op,
                a,
                b,
                no_signed_wrap,
                ..
            } => {
                let (a, b) = (self.one(flow, *a), self.one(flow, *b));
                if let Some((bad, kind)) = arith::undefined(self.terms, *op, a, b) {
                    self.bail(flow, bad, kind, "an operation that C leaves undefined");
                }
                if *no_signed_wrap
                    && self.overflow != Overflow::Wrap
                    && let Some(wraps) = arith::overflows(self.terms, *op, a, b)
                {
                    if self.overflow == Overflow::Assume {
                        let fits = self.terms.not(wraps);
                        self.assume(flow, fits);
                    } else {
                        self.bail(flow, wraps, BailKind::Overflow, "signed overflow");
                    }
                }
                Value::One(arith::int(self.terms, *op, a, b))
            }
            Inst::IntUnary { op, a, .. } => {
                let a = self.one(flow, *a);
                Value::One(arith::int_unary(self.terms, *op, a))
            }
            Inst::Compare { rel, a, b, .. } => {
                let (a, b) = (self.one(flow, *a), self.one(flow, *b));
                let holds = arith::relation(self.terms, *rel, a, b);
                self.truth(holds)
            }
            Inst::Resize { how, to, a, .. } => {
                let a = self.one(flow, *a);
                Value::One(arith::resize(self.terms, *how, *to, a))
            }
            Inst::Select { cond, a, b, .. } => {
                let cond = self.one(flow, *cond);
                let cond = self.terms.bit_to_bool(cond);
                let (a, b) = (self.operand(flow, *a), self.operand(flow, *b));
                a.choose(self.terms, cond, b)
            }
            Inst::Float { op, a, b, .. } => {
                let (a, b) = (self.one(flow, *a), self.one(flow, *b));
                Value::One(arith::float(self.terms, *op, a, b))
            }
            Inst::FloatUnary { op, a, .. } => {
                let a = self.one(flow, *a);
                Value::One(arith::float_unary(self.terms, *op, a))
            }
            Inst::FloatCompare { rel, a, b, .. } => {
                let (a, b) = (self.one(flow, *a), self.one(flow, *b));
                let holds = arith::float_relation(self.terms, *rel, a, b);
                self.truth(holds)
            }
            Inst::FloatCast { cast, a, .. } => {
                let a = self.one(flow, *a);
                if let FloatCast::ToInt {
                    from,
                    width,
                    signed,
                    saturating: false,
                } = *cast
                {
                    let bad = arith::does_not_fit(self.terms, from, width, signed, a);
                    let what = "a float that does not fit its integer";
                    self.bail(flow, bad, BailKind::FloatToInt, what);
                }
                Value::One(arith::float_cast(self.terms, *cast, a))
            }
            _ => unreachable!("not an operation on scalars"),
        }
    }

    /// The result of an operation on pointers.
    fn pointer(&mut self, flow: &mut Flow, inst: &Inst) -> Value {
        match inst {
            Inst::PtrCompare {
                rel, a, b, numbers, ..
            } => {
                let (p, q) = (self.ptr(flow, *a), self.ptr(flow, *b));
                let holds = self.compare_pointers(flow, *rel, p, q, *numbers);
                self.truth(holds)
            }
            Inst::PtrAdd {
                base,
                offset,
                index,
                scale,
                ..
            } => {
                let (p, index) = (self.ptr(flow, *base), self.one(flow, *index));
                Value::Ptr(self.move_pointer(p, *offset, index, *scale))
            }
            Inst::PtrDiff { width, a, b, .. } => {
                let (p, q) = (self.ptr(flow, *a), self.ptr(flow, *b));
                let what = "the difference of pointers into different objects";
                self.same_object(flow, p, q, what);
                let difference = self.terms.sub(p.offset, q.offset);
                Value::One(arith::fit(self.terms, difference, *width))
            }
            Inst::PtrToInt { width, a, .. } => {
                let p = self.ptr(flow, *a);
                let address = self.memories.address(self.terms, p);
                Value::One(arith::fit(self.terms, address, *width))
            }
            Inst::IntToPtr { a, plain, .. } => {
                let number = self.one(flow, *a);
                let address = arith::fit(self.terms, number, self.program.pointer_bits);
                Value::Ptr(match plain {
                    true => self.plain_number(address),
                    false => self.pointer_of(flow, address),
                })
            }
            Inst::Foreign { a, environment, .. } => {
                let number = self.ptr(flow, *a).offset;
                Value::Ptr(self.foreign(number, *environment))
            }
            _ => unreachable!("not an operation on pointers"),
        }
    }

    /// An instruction without a result.
    fn effect(&mut self, flow: &mut Flow, inst: &Inst) {
        match inst {
            Inst::SetGlobal { global, src } => {
                flow.state.globals[global.0 as usize] = self.operand(flow, *src);
            }
            Inst::Store { sort, ptr, src } => {
                let (p, value) = (self.ptr(flow, *ptr), self.operand(flow, *src));
                self.store(flow, *sort, (*ptr, p), value);
            }
            Inst::EndLife { ptr } => {
                let p = self.ptr(flow, *ptr);
                self.end_life(flow, p);
            }
            // The checker decides by itself which accesses need it.
            Inst::Alive { .. } => {}
            Inst::MemCopy {
                dst,
                src,
                len,
                overlap,
            } => {
                let (to, from) = (self.ptr(flow, *dst), self.ptr(flow, *src));
                let len = self.one(flow, *len);
                self.copy(flow, (*dst, to), (*src, from), len, *overlap);
            }
            Inst::MemSet { dst, byte, len } => {
                let to = self.ptr(flow, *dst);
                let (byte, len) = (self.one(flow, *byte), self.one(flow, *len));
                self.access_some(flow, (*dst, to), len, true);
                flow.memory = self.memories.fill(self.terms, flow.memory, to, byte, len);
            }
            Inst::Within {
                ptr,
                spots,
                first_dynamic,
            } => {
                // A run has its pointers at hand and need not believe what is said of them.
                if self.run.is_none() {
                    let ptr = self.operand(flow, *ptr).ptr();
                    let known = self.is_within(ptr, spots, *first_dynamic);
                    self.assume(flow, known);
                }
            }
            Inst::Assume { cond } => {
                let cond = self.one(flow, *cond);
                let cond = self.terms.bit_to_bool(cond);
                self.assume(flow, cond);
            }
            Inst::Print { dst: None, .. } => {}
            Inst::Shadow(Shadow::Store { width, ptr, src }) => {
                let (p, shadow) = (self.ptr(flow, *ptr), self.one(flow, *src));
                let whole = self.terms.zext(shadow, width.div_ceil(8) * 8);
                flow.memory = self
                    .memories
                    .store_shadow(self.terms, flow.memory, p, whole);
            }
            Inst::Shadow(Shadow::Fill { ptr, byte, len }) => {
                let p = self.ptr(flow, *ptr);
                let (byte, len) = (self.one(flow, *byte), self.one(flow, *len));
                flow.memory = self
                    .memories
                    .fill_shadow(self.terms, flow.memory, p, byte, len);
            }
            Inst::Shadow(Shadow::Require {
                shadow,
                width,
                kind,
                what,
            }) => {
                let shadow = self.one(flow, *shadow);
                let zero = self.terms.bv_u128(*width, 0);
                let unset = self.terms.ne(shadow, zero);
                self.bail(flow, unset, *kind, what);
            }
            Inst::VaStart {
                list,
                args: Some(args),
            } => {
                let area = self.ptr(flow, *list);
                let values = args.iter().map(|(a, sort)| (self.operand(flow, *a), *sort));
                let values: Vec<(Value, Sort)> = values.collect();
                self.start_varargs(flow, (*list, area), &values);
            }
            _ => unreachable!("an instruction with a result"),
        }
    }
}
