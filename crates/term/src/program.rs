//! Compiled evaluation: a term as a flat program over numbered slots.
//!
//! A region's predicate is evaluated on every state that reaches its location, so this is one of
//! the two hot loops of attest. Values of at most 64 bits, which is nearly all, are in `u64` slots,
//! and their operations are single instructions that neither allocate nor branch on sorts. An
//! instruction with a wider operand or result takes the slow path through `semantics`. Invariant: a
//! slot holds the encoding of a value of its sort, with zero bits above.

use crate::eval::{self, Address, Env};
use crate::op::Op;
use crate::semantics;
use crate::sort::Sort;
use crate::symbol::SymbolId;
use crate::value::{NAN32, NAN64, Value};

/// A term, or several, compiled.
#[derive(Clone)]
pub struct Program {
    /// The first slots hold the constants.
    pub(crate) consts: Vec<u64>,
    pub(crate) wide_consts: Vec<Value>,
    /// Instruction `i` writes slot `consts.len() + i`.
    pub(crate) code: Vec<Instr>,
    pub(crate) wide: Vec<WideInstr>,
    pub(crate) wide_slots: usize,
    pub(crate) roots: Vec<Place>,
}

/// The working memory of evaluation; any program can use it, one at a time.
#[derive(Clone, Default)]
pub struct Scratch {
    slots: Vec<[u64; 1]>,
    wide: Vec<Value>,
    lanes: Vec<[u64; LANES]>,
}

/// How many states a batch evaluates at a time. Dispatching an instruction costs more than
/// executing it, so a batch executes each instruction on several states.
const LANES: usize = 16;

/// Where a value is stored.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Narrow { slot: u32, sort: Sort },
    Wide(u32),
}

impl Place {
    /// The slot of a value that is not wide.
    fn narrow(self) -> Option<usize> {
        match self {
            Place::Narrow { slot, .. } => Some(slot as usize),
            Place::Wide(_) => None,
        }
    }
}

#[derive(Clone)]
pub(crate) struct WideInstr {
    pub op: Op,
    pub args: Box<[Place]>,
    pub dst: Option<u32>,
    pub offset_width: u32,
    /// The sort of the result.
    pub sort: Sort,
}

#[derive(Clone, Copy)]
pub(crate) struct Instr {
    pub code: Code,
    /// A width in bits, or a count of bytes.
    pub width: u8,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// The mask of the result in most instructions.
    pub imm: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Code {
    Wide, Var, VarFloat, CanonFloat, Read, PtrObject, PtrOffset, Tag, Base,
    Not, And, Or, Xor, Eq, Ite,
    Neg, Add, Sub, Mul, Udiv, Sdiv, Urem, Srem, Shl, Lshr, Ashr,
    Concat, Extract, SignExt, Copy, Ult, Ule, Slt, Sle,
    Add32, Sub32, Mul32, Div32, Lt32, Le32, Eq32,
    Add64, Sub64, Mul64, Div64, Lt64, Le64, Eq64,
}

impl Program {
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
            Place::Narrow { slot, .. } => scratch.slots[slot as usize] == [1],
            Place::Wide(_) => false,
        }
    }

    /// The truth values of the first root on many states, in their order; this
    /// is several times faster than one state at a time.
    pub fn eval_bools<E: Env>(&self, envs: &[E], scratch: &mut Scratch, out: &mut Vec<bool>) {
        let mut rest = envs;
        if let (Place::Narrow { slot, .. }, 0) = (self.roots[0], self.wide.len()) {
            self.prepare(&mut scratch.lanes);
            while let Some((batch, after)) = rest.split_first_chunk::<LANES>() {
                self.run_narrow(batch, &mut scratch.lanes);
                out.extend(scratch.lanes[slot as usize].map(|bit| bit == 1));
                rest = after;
            }
        }
        out.extend(rest.iter().map(|env| self.eval_bool(env, scratch)));
    }

    /// The number of roots.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// Which roots are true on all states; a root that is not a truth value counts as false.
    pub fn all_true<E: Env>(&self, envs: &[E], scratch: &mut Scratch) -> Vec<bool> {
        let slots: Vec<Option<usize>> = self.roots.iter().map(|root| root.narrow()).collect();
        let mut all: Vec<bool> = slots.iter().map(Option::is_some).collect();
        let mut and = |truth: &dyn Fn(usize) -> bool| {
            for (all, slot) in all.iter_mut().zip(&slots) {
                *all = *all && slot.is_some_and(truth);
            }
        };
        let mut rest = envs;
        if self.wide.is_empty() && self.wide_consts.is_empty() {
            self.prepare(&mut scratch.lanes);
            while let Some((batch, after)) = rest.split_first_chunk::<LANES>() {
                self.run_narrow(batch, &mut scratch.lanes);
                and(&|slot| scratch.lanes[slot] == [1; LANES]);
                rest = after;
            }
        }
        for env in rest {
            self.run(env, scratch);
            and(&|slot| scratch.slots[slot] == [1]);
        }
        all
    }

    /// Evaluates all roots; [`Program::root`] then gives their values.
    pub fn run(&self, env: &(impl Env + ?Sized), scratch: &mut Scratch) {
        self.prepare(&mut scratch.slots);
        if self.wide.is_empty() && self.wide_consts.is_empty() {
            return self.run_narrow(&[env], &mut scratch.slots);
        }
        scratch.wide.clear();
        scratch.wide.extend_from_slice(&self.wide_consts);
        scratch.wide.resize(self.wide_slots, Value::Bool(false));
        let first = self.consts.len();
        for (i, instr) in self.code.iter().enumerate() {
            scratch.slots[first + i] = match instr.code {
                Code::Wide => [self.step_wide(instr, &scratch.slots, &mut scratch.wide, env)],
                _ => step(instr, &scratch.slots, &[env]),
            };
        }
    }

    /// Makes room for the slots and fills in the constants.
    fn prepare<const N: usize>(&self, slots: &mut Vec<[u64; N]>) {
        let size = self.consts.len() + self.code.len();
        if slots.len() < size {
            slots.resize(size, [0; N]);
        }
        slots
            .iter_mut()
            .zip(&self.consts)
            .for_each(|(slot, &value)| *slot = [value; N]);
    }

    /// Runs a program without wide instructions on `N` states.
    fn run_narrow<const N: usize, E: Env>(&self, envs: &[E; N], slots: &mut [[u64; N]]) {
        let first = self.consts.len();
        let slots = &mut slots[..first + self.code.len()];
        for (i, instr) in self.code.iter().enumerate() {
            slots[first + i] = step(instr, slots, envs);
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
        slots: &[[u64; 1]],
        wide: &mut [Value],
        env: &(impl Env + ?Sized),
    ) -> u64 {
        let WideInstr {
            op,
            args,
            dst,
            offset_width,
            sort,
        } = &self.wide[instr.c as usize];
        let args: Vec<Value> = args
            .iter()
            .map(|&place| fetch(place, slots, wide))
            .collect();
        let value = match (*op, &args[..]) {
            (Op::Var(symbol), _) => eval::var(env, symbol, *sort),
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

fn fetch(place: Place, slots: &[[u64; 1]], wide: &[Value]) -> Value {
    match place {
        Place::Narrow { slot, sort } => Value::from_bits(sort, slots[slot as usize][0]),
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

/// Executes one instruction on each of `N` states.
#[inline(always)]
fn step<const N: usize, E: Env>(instr: &Instr, slots: &[[u64; N]], envs: &[E; N]) -> [u64; N] {
    let Instr { width, imm, .. } = *instr;
    // Loaded unconditionally: this is cheaper than a load in each case.
    let (a, b) = (&slots[instr.a as usize], &slots[instr.b as usize]);
    let symbol = SymbolId(instr.c);
    let address = |a: u64, b: u64| {
        let (object, offset_width) = (a as u32, imm as u32);
        Address {
            version: instr.c,
            object,
            offset: b,
            offset_width,
        }
    };
    // The value on each state, from the operands of that state.
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            std::array::from_fn(|lane| {
                let ($a, $b) = (a[lane], b[lane]);
                $value
            })
        };
        (|$env:ident, $a:ident, $b:ident| $value:expr) => {
            std::array::from_fn(|lane| {
                let ($env, $a, $b) = (&envs[lane], a[lane], b[lane]);
                $value
            })
        };
    }
    macro_rules! float32 {
        (|$x:ident, $y:ident| $value:expr) => {
            each!(|a, b| {
                let ($x, $y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                $value
            })
        };
    }
    macro_rules! float64 {
        (|$x:ident, $y:ident| $value:expr) => {
            each!(|a, b| {
                let ($x, $y) = (f64::from_bits(a), f64::from_bits(b));
                $value
            })
        };
    }
    match instr.code {
        Code::Wide => unreachable!("handled by the caller"),
        Code::Var => each!(|env, _a, _b| env.var_bits(symbol) & imm),
        Code::VarFloat if width == 32 => {
            each!(|env, _a, _b| encode32(f32::from_bits(env.var_bits(symbol) as u32)))
        }
        Code::VarFloat => each!(|env, _a, _b| encode64(f64::from_bits(env.var_bits(symbol)))),
        Code::CanonFloat if width == 32 => float32!(|x, _y| encode32(x)),
        Code::CanonFloat => float64!(|x, _y| encode64(x)),
        Code::Read => each!(|env, a, b| env.bytes(address(a, b), width as u32)),
        Code::PtrObject => each!(|env, a, b| env.pointer(address(a, b)).0 as u64),
        Code::PtrOffset => {
            each!(|env, a, b| env.pointer(address(a, b)).1 & u64::MAX >> (64 - imm))
        }
        Code::Tag => each!(|env, a, b| env.tag(address(a, b)) as u64),
        Code::Base => each!(|env, a, _b| env.base(a as u32) & imm),
        Code::Not => each!(|a, _b| a ^ imm),
        Code::And => each!(|a, b| a & b),
        Code::Or => each!(|a, b| a | b),
        Code::Xor => each!(|a, b| a ^ b),
        Code::Eq => each!(|a, b| (a == b) as u64),
        Code::Ite => {
            let c = &slots[instr.c as usize];
            std::array::from_fn(|lane| if a[lane] == 1 { b[lane] } else { c[lane] })
        }
        Code::Neg => each!(|a, _b| a.wrapping_neg() & imm),
        Code::Add => each!(|a, b| a.wrapping_add(b) & imm),
        Code::Sub => each!(|a, b| a.wrapping_sub(b) & imm),
        Code::Mul => each!(|a, b| a.wrapping_mul(b) & imm),
        Code::Udiv => each!(|a, b| a.checked_div(b).unwrap_or(imm)),
        Code::Urem => each!(|a, b| a.checked_rem(b).unwrap_or(a)),
        Code::Sdiv => each!(|a, b| sdiv(signed(a, width), signed(b, width)) as u64 & imm),
        Code::Srem => each!(|a, b| srem(signed(a, width), signed(b, width)) as u64 & imm),
        Code::Shl => each!(|a, b| if b >= width as u64 { 0 } else { a << b & imm }),
        Code::Lshr => each!(|a, b| if b >= width as u64 { 0 } else { a >> b }),
        Code::Ashr => each!(|a, b| (signed(a, width) >> b.min(63)) as u64 & imm),
        Code::Concat => each!(|a, b| a << width | b),
        Code::Extract => each!(|a, _b| a >> width & imm),
        Code::SignExt => each!(|a, _b| signed(a, width) as u64 & imm),
        Code::Copy => *a,
        Code::Ult => each!(|a, b| (a < b) as u64),
        Code::Ule => each!(|a, b| (a <= b) as u64),
        Code::Slt => each!(|a, b| (signed(a, width) < signed(b, width)) as u64),
        Code::Sle => each!(|a, b| (signed(a, width) <= signed(b, width)) as u64),
        Code::Add32 => float32!(|x, y| encode32(x + y)),
        Code::Sub32 => float32!(|x, y| encode32(x - y)),
        Code::Mul32 => float32!(|x, y| encode32(x * y)),
        Code::Div32 => float32!(|x, y| encode32(x / y)),
        Code::Lt32 => float32!(|x, y| (x < y) as u64),
        Code::Le32 => float32!(|x, y| (x <= y) as u64),
        Code::Eq32 => float32!(|x, y| (x == y) as u64),
        Code::Add64 => float64!(|x, y| encode64(x + y)),
        Code::Sub64 => float64!(|x, y| encode64(x - y)),
        Code::Mul64 => float64!(|x, y| encode64(x * y)),
        Code::Div64 => float64!(|x, y| encode64(x / y)),
        Code::Lt64 => float64!(|x, y| (x < y) as u64),
        Code::Le64 => float64!(|x, y| (x <= y) as u64),
        Code::Eq64 => float64!(|x, y| (x == y) as u64),
    }
}

#[inline(always)]
fn sdiv(x: i64, y: i64) -> i64 {
    match y {
        0 if x < 0 => 1,
        0 => -1,
        _ => x.wrapping_div(y),
    }
}

#[inline(always)]
fn srem(x: i64, y: i64) -> i64 {
    if y == 0 { x } else { x.wrapping_rem(y) }
}
