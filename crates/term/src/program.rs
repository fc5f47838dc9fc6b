//! Compiled evaluation: a term as a flat program over numbered slots.
//!
//! A region's predicate is evaluated on every state that reaches its location,
//! so this is one of the two hot loops of attest. Values of at most 64 bits,
//! which is nearly all, live in `u64` slots and their operations are single
//! instructions that neither allocate nor branch on sorts. An instruction that
//! has a wider operand or result goes the slow way through `semantics`.
//! Invariant: a slot holds the encoding of a value of its sort, with zero bits above.

use crate::arena::{Term, Terms};
use crate::eval::{self, Address, Env};
use crate::op::Op;
use crate::semantics;
use crate::sort::{FloatSort, Sort};
use crate::symbol::SymbolId;
use crate::traverse::Dense;
use crate::value::{NAN32, NAN64, Value};

/// A term, or several, compiled.
#[derive(Clone)]
pub struct Program {
    /// The first slots hold the constants.
    consts: Vec<u64>,
    wide_consts: Vec<Value>,
    /// Instruction `i` writes slot `consts.len() + i`.
    code: Vec<Instr>,
    wide: Vec<WideInstr>,
    wide_slots: usize,
    roots: Vec<Place>,
}

/// The working memory of evaluation; any program can use it, one at a time.
#[derive(Clone, Default)]
pub struct Scratch {
    slots: Vec<u64>,
    wide: Vec<Value>,
}

/// Where a value is.
#[derive(Clone, Copy)]
enum Place {
    Narrow { slot: u32, sort: Sort },
    Wide(u32),
}

#[derive(Clone)]
struct WideInstr {
    op: Op,
    args: Box<[Place]>,
    dst: Option<u32>,
    offset_width: u32,
}

#[derive(Clone, Copy)]
struct Instr {
    code: Code,
    /// A width in bits, or a count of bytes.
    width: u8,
    a: u32,
    b: u32,
    c: u32,
    /// The mask of the result in most instructions.
    imm: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
enum Code {
    Wide, Var, VarFloat, CanonFloat, Read, PtrObject, PtrOffset, Tag, Base,
    Not, And, Or, Xor, Eq, Ite,
    Neg, Add, Sub, Mul, Udiv, Sdiv, Urem, Srem, Shl, Lshr, Ashr,
    Concat, Extract, SignExt, Copy, Ult, Ule, Slt, Sle,
    Add32, Sub32, Mul32, Div32, Lt32, Le32, Eq32,
    Add64, Sub64, Mul64, Div64, Lt64, Le64, Eq64,
}

impl Program {
    /// Compiles one term.
    pub fn compile(terms: &Terms, root: Term) -> Program {
        Program::compile_all(terms, &[root])
    }

    /// Compiles several terms; shared parts are computed once.
    pub fn compile_all(terms: &Terms, roots: &[Term]) -> Program {
        Compiler::new(terms, roots).run(roots)
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Whether there are no instructions, as for a constant.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// The value of the first root.
    pub fn eval(&self, env: &(impl Env + ?Sized), scratch: &mut Scratch) -> Value {
        self.run(env, scratch);
        self.root(0, scratch)
    }

    /// The truth value of the first root; false if it is not a truth value.
    pub fn eval_bool(&self, env: &(impl Env + ?Sized), scratch: &mut Scratch) -> bool {
        self.run(env, scratch);
        match self.roots[0] {
            Place::Narrow { slot, .. } => scratch.slots[slot as usize] == 1,
            Place::Wide(_) => false,
        }
    }

    /// Evaluates all roots; [`Program::root`] then gives their values.
    pub fn run(&self, env: &(impl Env + ?Sized), scratch: &mut Scratch) {
        let first = self.consts.len();
        let size = first + self.code.len();
        if scratch.slots.len() < size {
            scratch.slots.resize(size, 0);
        }
        scratch.wide.truncate(0);
        if self.wide_slots > 0 {
            scratch.wide.extend_from_slice(&self.wide_consts);
            scratch.wide.resize(self.wide_slots, Value::Bool(false));
        }
        let slots = &mut scratch.slots[..size];
        slots[..first].copy_from_slice(&self.consts);
        for (i, instr) in self.code.iter().enumerate() {
            let value = match instr.code {
                Code::Wide => self.step_wide(instr, slots, &mut scratch.wide, env),
                _ => step(instr, slots, env),
            };
            slots[first + i] = value;
        }
    }

    /// The value of a root after [`Program::run`].
    pub fn root(&self, index: usize, scratch: &Scratch) -> Value {
        fetch(self.roots[index], &scratch.slots, &scratch.wide)
    }

    #[cold]
    fn step_wide(
        &self,
        instr: &Instr,
        slots: &[u64],
        wide: &mut [Value],
        env: &(impl Env + ?Sized),
    ) -> u64 {
        let WideInstr {
            op,
            args,
            dst,
            offset_width,
        } = &self.wide[instr.a as usize];
        let args: Vec<Value> = args
            .iter()
            .map(|&place| fetch(place, slots, wide))
            .collect();
        let value = match (*op, &args[..]) {
            (Op::Var(symbol), _) => env.var(symbol),
            (op, [object, offset]) if op.is_read() => {
                eval::read(op, object, offset, *offset_width, env)
            }
            (op, args) => {
                let args: Vec<&Value> = args.iter().collect();
                semantics::apply(op, &args).expect("the operands' sorts fit")
            }
        };
        let low = value.low_u64();
        if let Some(dst) = dst {
            wide[*dst as usize] = value;
        }
        low
    }
}

fn fetch(place: Place, slots: &[u64], wide: &[Value]) -> Value {
    match place {
        Place::Narrow { slot, sort } => Value::from_bits(sort, slots[slot as usize]),
        Place::Wide(slot) => wide[slot as usize].clone(),
    }
}

/// The word as a signed number of this width.
#[inline(always)]
fn signed(word: u64, width: u8) -> i64 {
    let shift = 64 - width as u32;
    ((word << shift) as i64) >> shift
}

#[inline(always)]
fn encode32(number: f32) -> u64 {
    if number.is_nan() {
        NAN32 as u64
    } else {
        number.to_bits() as u64
    }
}

#[inline(always)]
fn encode64(number: f64) -> u64 {
    if number.is_nan() {
        NAN64
    } else {
        number.to_bits()
    }
}

#[inline(always)]
fn step(instr: &Instr, slots: &[u64], env: &(impl Env + ?Sized)) -> u64 {
    let Instr { width, imm, .. } = *instr;
    let a = || slots[instr.a as usize];
    let b = || slots[instr.b as usize];
    let c = || slots[instr.c as usize];
    let f32s = || (f32::from_bits(a() as u32), f32::from_bits(b() as u32));
    let f64s = || (f64::from_bits(a()), f64::from_bits(b()));
    let at = || Address {
        version: instr.c,
        object: a() as u32,
        offset: b(),
        offset_width: imm as u32,
    };
    match instr.code {
        Code::Wide => unreachable!("handled by the caller"),
        Code::Var => env.var_bits(SymbolId(instr.a)) & imm,
        Code::VarFloat if width == 32 => {
            encode32(f32::from_bits(env.var_bits(SymbolId(instr.a)) as u32))
        }
        Code::VarFloat => encode64(f64::from_bits(env.var_bits(SymbolId(instr.a)))),
        Code::CanonFloat if width == 32 => encode32(f32::from_bits(a() as u32)),
        Code::CanonFloat => encode64(f64::from_bits(a())),
        Code::Read => env.bytes(at(), width as u32),
        Code::PtrObject => env.pointer(at()).0 as u64,
        Code::PtrOffset => env.pointer(at()).1 & u64::MAX >> (64 - imm),
        Code::Tag => env.tag(at()) as u64,
        Code::Base => env.base(a() as u32) & imm,
        Code::Not => a() ^ imm,
        Code::And => a() & b(),
        Code::Or => a() | b(),
        Code::Xor => a() ^ b(),
        Code::Eq => (a() == b()) as u64,
        Code::Ite => {
            let (condition, then, other) = (a(), b(), c());
            if condition == 1 { then } else { other }
        }
        Code::Neg => a().wrapping_neg() & imm,
        Code::Add => a().wrapping_add(b()) & imm,
        Code::Sub => a().wrapping_sub(b()) & imm,
        Code::Mul => a().wrapping_mul(b()) & imm,
        Code::Udiv => a().checked_div(b()).unwrap_or(imm),
        Code::Urem => a().checked_rem(b()).unwrap_or(a()),
        Code::Sdiv => {
            let (x, y) = (signed(a(), width), signed(b(), width));
            let total = if y == 0 {
                if x < 0 { 1 } else { -1 }
            } else {
                x.wrapping_div(y)
            };
            total as u64 & imm
        }
        Code::Srem => {
            let (x, y) = (signed(a(), width), signed(b(), width));
            (if y == 0 { x } else { x.wrapping_rem(y) }) as u64 & imm
        }
        Code::Shl => {
            if b() >= width as u64 {
                0
            } else {
                a() << b() & imm
            }
        }
        Code::Lshr => {
            if b() >= width as u64 {
                0
            } else {
                a() >> b()
            }
        }
        Code::Ashr => (signed(a(), width) >> b().min(63)) as u64 & imm,
        Code::Concat => a() << width | b(),
        Code::Extract => a() >> width & imm,
        Code::SignExt => signed(a(), width) as u64 & imm,
        Code::Copy => a(),
        Code::Ult => (a() < b()) as u64,
        Code::Ule => (a() <= b()) as u64,
        Code::Slt => (signed(a(), width) < signed(b(), width)) as u64,
        Code::Sle => (signed(a(), width) <= signed(b(), width)) as u64,
        Code::Add32 => {
            let (x, y) = f32s();
            encode32(x + y)
        }
        Code::Sub32 => {
            let (x, y) = f32s();
            encode32(x - y)
        }
        Code::Mul32 => {
            let (x, y) = f32s();
            encode32(x * y)
        }
        Code::Div32 => {
            let (x, y) = f32s();
            encode32(x / y)
        }
        Code::Lt32 => {
            let (x, y) = f32s();
            (x < y) as u64
        }
        Code::Le32 => {
            let (x, y) = f32s();
            (x <= y) as u64
        }
        Code::Eq32 => {
            let (x, y) = f32s();
            (x == y) as u64
        }
        Code::Add64 => {
            let (x, y) = f64s();
            encode64(x + y)
        }
        Code::Sub64 => {
            let (x, y) = f64s();
            encode64(x - y)
        }
        Code::Mul64 => {
            let (x, y) = f64s();
            encode64(x * y)
        }
        Code::Div64 => {
            let (x, y) = f64s();
            encode64(x / y)
        }
        Code::Lt64 => {
            let (x, y) = f64s();
            (x < y) as u64
        }
        Code::Le64 => {
            let (x, y) = f64s();
            (x <= y) as u64
        }
        Code::Eq64 => {
            let (x, y) = f64s();
            (x == y) as u64
        }
    }
}

/// One pass over the reachable terms in handle order.
struct Compiler<'a> {
    terms: &'a Terms,
    order: Dense,
    places: Vec<Place>,
    program: Program,
}

impl<'a> Compiler<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Compiler<'a> {
        let order = Dense::new(terms.reachable(roots));
        let program = Program {
            consts: Vec::new(),
            wide_consts: Vec::new(),
            code: Vec::new(),
            wide: Vec::new(),
            wide_slots: 0,
            roots: Vec::new(),
        };
        Compiler {
            terms,
            order,
            places: Vec::new(),
            program,
        }
    }

    fn run(mut self, roots: &[Term]) -> Program {
        let order = self.order.terms().to_vec();
        // Constants first, so that the number of their slots is known.
        let placeholder = Place::Wide(u32::MAX);
        for &term in &order {
            let place = self
                .terms
                .constant(term)
                .map(|value| self.place_const(value));
            self.places.push(place.unwrap_or(placeholder));
        }
        self.program.wide_slots = self.program.wide_consts.len();
        for (i, &term) in order.iter().enumerate() {
            if !self.terms.is_const(term) {
                self.places[i] = self.compile(term);
            }
        }
        self.program.roots = roots.iter().map(|&root| self.place(root)).collect();
        self.program
    }

    fn place(&self, term: Term) -> Place {
        self.places[self.order.index(term)]
    }

    fn place_const(&mut self, value: Value) -> Place {
        let sort = value.sort();
        if sort.bits() <= 64 {
            self.program.consts.push(value.low_u64());
            return Place::Narrow {
                slot: self.program.consts.len() as u32 - 1,
                sort,
            };
        }
        self.program.wide_consts.push(value);
        Place::Wide(self.program.wide_consts.len() as u32 - 1)
    }

    /// Adds an instruction and returns its slot.
    fn emit(&mut self, instr: Instr) -> u32 {
        self.program.code.push(instr);
        (self.program.consts.len() + self.program.code.len()) as u32 - 1
    }

    fn compile(&mut self, term: Term) -> Place {
        let sort = self.terms.sort(term);
        let args: Vec<Place> = self
            .terms
            .args(term)
            .iter()
            .map(|&arg| self.place(arg))
            .collect();
        let slots: Option<Vec<u32>> = args
            .iter()
            .map(|place| match place {
                Place::Narrow { slot, .. } => Some(*slot),
                Place::Wide(_) => None,
            })
            .collect();
        let narrow = slots.filter(|_| sort.bits() <= 64);
        if let Some(slots) = narrow
            && let Some(slot) = self.compile_narrow(term, sort, &slots)
        {
            return Place::Narrow { slot, sort };
        }
        self.compile_wide(term, sort, args)
    }

    fn compile_wide(&mut self, term: Term, sort: Sort, args: Vec<Place>) -> Place {
        let op = self.terms.op(term);
        let offset_width = if op.is_read() {
            self.terms.width(self.terms.arg(term, 1))
        } else {
            0
        };
        let dst = (sort.bits() > 64).then(|| {
            self.program.wide_slots += 1;
            self.program.wide_slots as u32 - 1
        });
        let a = self.program.wide.len() as u32;
        self.program.wide.push(WideInstr {
            op,
            args: args.into(),
            dst,
            offset_width,
        });
        let slot = self.emit(Instr {
            code: Code::Wide,
            width: 0,
            a,
            b: 0,
            c: 0,
            imm: 0,
        });
        dst.map_or(Place::Narrow { slot, sort }, Place::Wide)
    }

    /// The slot of the result, or `None` if there is no narrow instruction for the operation.
    fn compile_narrow(&mut self, term: Term, sort: Sort, slots: &[u32]) -> Option<u32> {
        let op = self.terms.op(term);
        if let Op::And | Op::Or = op {
            let code = if op == Op::And { Code::And } else { Code::Or };
            let step = |acc, &b| {
                self.emit(Instr {
                    code,
                    width: 1,
                    a: acc,
                    b,
                    c: 0,
                    imm: 1,
                })
            };
            return Some(slots[1..].iter().fold(slots[0], step));
        }
        let slot = |i: usize| slots.get(i).copied().unwrap_or(0);
        let mut instr = Instr {
            code: Code::Copy,
            width: sort.bits() as u8,
            a: slot(0),
            b: slot(1),
            c: slot(2),
            imm: u64::MAX >> (64 - sort.bits()),
        };
        self.select(term, op, sort, &mut instr)?;
        Some(self.emit(instr))
    }

    /// Fills in the code of an instruction, and what differs from the usual.
    fn select(&self, term: Term, op: Op, sort: Sort, instr: &mut Instr) -> Option<()> {
        let arg_sort = |i: usize| self.terms.sort(self.terms.arg(term, i));
        let mut arg_width = |i: usize| instr.width = arg_sort(i).bits() as u8;
        instr.code = match op {
            Op::Bool(_) | Op::Const(_) | Op::And | Op::Or => return None,
            Op::Var(symbol) => {
                instr.a = symbol.0;
                if matches!(sort, Sort::Float(_)) {
                    Code::VarFloat
                } else {
                    Code::Var
                }
            }
            Op::Read { version, bytes } => {
                (instr.width, instr.c, instr.imm) =
                    (bytes as u8, version, arg_sort(1).bits() as u64);
                Code::Read
            }
            Op::ReadPtrObject { version }
            | Op::ReadPtrOffset { version }
            | Op::ReadTag { version } => {
                (instr.c, instr.imm) = (version, arg_sort(1).bits() as u64);
                match op {
                    Op::ReadPtrObject { .. } => Code::PtrObject,
                    Op::ReadPtrOffset { .. } => Code::PtrOffset,
                    _ => Code::Tag,
                }
            }
            Op::Base { .. } => Code::Base,
            Op::Not | Op::BvNot => Code::Not,
            Op::Xor | Op::BvXor => Code::Xor,
            Op::Eq => Code::Eq,
            Op::Ite => Code::Ite,
            Op::BvNeg => Code::Neg,
            Op::Add => Code::Add,
            Op::Sub => Code::Sub,
            Op::Mul => Code::Mul,
            Op::Udiv => Code::Udiv,
            Op::Sdiv => Code::Sdiv,
            Op::Urem => Code::Urem,
            Op::Srem => Code::Srem,
            Op::BvAnd => Code::And,
            Op::BvOr => Code::Or,
            Op::Shl => Code::Shl,
            Op::Lshr => Code::Lshr,
            Op::Ashr => Code::Ashr,
            Op::Concat => {
                arg_width(1);
                Code::Concat
            }
            Op::Extract { low, .. } => {
                instr.width = low as u8;
                Code::Extract
            }
            Op::ZeroExt { .. } | Op::FToBits => Code::Copy,
            // Encodings of NaN are made canonical.
            Op::FFromBits(_) => Code::CanonFloat,
            Op::SignExt { .. } => {
                arg_width(0);
                Code::SignExt
            }
            Op::Ult => Code::Ult,
            Op::Ule => Code::Ule,
            Op::Slt => {
                arg_width(0);
                Code::Slt
            }
            Op::Sle => {
                arg_width(0);
                Code::Sle
            }
            _ => return self.select_float(op, arg_sort(0), instr),
        };
        Some(())
    }

    fn select_float(&self, op: Op, sort: Sort, instr: &mut Instr) -> Option<()> {
        instr.code = match (op, sort) {
            (Op::FAdd, Sort::Float(FloatSort::F32)) => Code::Add32,
            (Op::FSub, Sort::Float(FloatSort::F32)) => Code::Sub32,
            (Op::FMul, Sort::Float(FloatSort::F32)) => Code::Mul32,
            (Op::FDiv, Sort::Float(FloatSort::F32)) => Code::Div32,
            (Op::FLt, Sort::Float(FloatSort::F32)) => Code::Lt32,
            (Op::FLe, Sort::Float(FloatSort::F32)) => Code::Le32,
            (Op::FEq, Sort::Float(FloatSort::F32)) => Code::Eq32,
            (Op::FAdd, Sort::Float(FloatSort::F64)) => Code::Add64,
            (Op::FSub, Sort::Float(FloatSort::F64)) => Code::Sub64,
            (Op::FMul, Sort::Float(FloatSort::F64)) => Code::Mul64,
            (Op::FDiv, Sort::Float(FloatSort::F64)) => Code::Div64,
            (Op::FLt, Sort::Float(FloatSort::F64)) => Code::Lt64,
            (Op::FLe, Sort::Float(FloatSort::F64)) => Code::Le64,
            (Op::FEq, Sort::Float(FloatSort::F64)) => Code::Eq64,
            _ => return None,
        };
        Some(())
    }
}
