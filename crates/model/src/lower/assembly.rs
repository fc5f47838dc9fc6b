//! Inline assembly: the x86 instructions that drivers use most.
//!
//! These are fences, atomic counters and bit operations, exchanges, and the undefined instruction,
//! with which the kernel stops itself. The text is parsed into instructions with their exact
//! meaning, so that a run in the interpreter does what the machine does. Everything else is
//! unsupported: an unknown instruction, a register given by name, a width that does not fit, and
//! all assembly for other machines. Clobbers have no effect: these instructions only change their
//! operands and the flags.

use super::function::{Builder, Next, int};
use super::types::{unsupported, width_of};
use crate::program::*;
use attest_llvm::ir::{self, ArgValue};

/// An operand of the whole statement.
#[derive(Clone, Copy)]
enum Spot {
    /// An output that the call returns, with its value once it has one.
    Result(Option<Operand>),
    /// Memory.
    Memory(Operand),
    /// An input.
    Value(Operand),
}

/// An operand of one instruction: one of the statement's, or a number.
#[derive(Clone, Copy, PartialEq)]
enum Arg {
    Spot(usize),
    Number(i128),
}

/// One instruction: its name, the width if the name gives it, and its operands.
struct Step {
    name: String,
    args: Vec<Arg>,
}

/// The flags of the last instruction's result, one bit each.
#[derive(Clone, Copy, Default)]
struct Flags {
    zero: Option<Operand>,
    sign: Option<Operand>,
    carry: Option<Operand>,
}

/// A statement during its lowering.
struct Statement {
    /// The operands, each with its width.
    spots: Vec<(Spot, u32)>,
    /// The output that is in the register `ax`.
    accumulator: Option<usize>,
    flags: Flags,
}

/// Instructions that only wait or order accesses.
const IDLE: [&str; 5] = ["mfence", "lfence", "sfence", "pause", "nop"];
/// Instructions whose names may end with the width of their operands.
const SIZED: [&str; 15] = [
    "inc", "dec", "add", "sub", "and", "or", "xor", "xadd", "xchg", "cmpxchg", "bts", "btr", "btc",
    "bt", "sbb",
];

impl Builder<'_, '_> {
    /// Lowers inline assembly.
    pub(super) fn assembly(
        &mut self,
        call: &ir::Call,
        text: &str,
        constraints: &str,
        result: Option<ir::LocalId>,
    ) -> Result<Next, Bail> {
        let shown: String = text.chars().take(40).collect();
        let what = format!("asm(\"{}\")", shown.escape_default());
        let outside = || unsupported(BailKind::Asm, what.clone());
        let triple = &self.ctx.module.triple;
        let is_x86 = triple.starts_with("x86_64") || triple.starts_with('i');
        let steps = steps(text).ok_or_else(outside)?;
        if !is_x86 && !steps.is_empty() {
            return Err(outside());
        }
        if let [first, ..] = steps.as_slice()
            && first.name == "ud2"
        {
            self.finish(Terminator::Halt(Halt::Abort, None));
            return Ok(Next::Ended);
        }
        let spots = self.spots(call, constraints)?.ok_or_else(outside)?;
        let is_ax = |constraint: &str| matches!(constraint, "={ax}" | "=&{ax}");
        let mut statement = Statement {
            spots,
            accumulator: constraints.split(',').position(is_ax),
            flags: Flags::default(),
        };
        // The compiler may share a register between an input and an output, so no input is read
        // after an instruction that wrote an output.
        let mut written = false;
        for step in &steps {
            if written && statement.takes_inputs(step) {
                return Err(outside());
            }
            self.step(&mut statement, step)?.ok_or_else(outside)?;
            written |= statement.names_result(step);
        }
        let mut results = Vec::new();
        for (spot, _) in &statement.spots {
            if let Spot::Result(value) = spot {
                results.push(value.ok_or_else(outside)?);
            }
        }
        if let Some(local) = result {
            self.set(local, results);
        }
        Ok(Next::Continue)
    }

    /// The operands by their numbers; none if one has an unknown kind.
    fn spots(
        &mut self,
        call: &ir::Call,
        constraints: &str,
    ) -> Result<Option<Vec<(Spot, u32)>>, Bail> {
        let leaves = self.ctx.leaves(call.ret)?;
        let mut args = call.args.iter();
        let (mut out, mut results) = (Vec::new(), 0);
        for constraint in constraints.split(',') {
            if constraint.is_empty() || constraint.starts_with('~') {
                continue;
            }
            if constraint.starts_with('=') && !constraint.starts_with("=*") {
                // An early-clobber output has its own register.
                let Some(leaf) = leaves.get(results) else {
                    return Ok(None);
                };
                out.push((Spot::Result(None), width_of(leaf.sort)?));
                results += 1;
                continue;
            }
            let Some(arg) = args.next() else {
                return Ok(None);
            };
            let ArgValue::Value(value) = arg.value else {
                return Ok(None);
            };
            let value = self.scalar_operand(value)?;
            let is_memory = constraint.trim_start_matches(['=', '&']).starts_with('*');
            let ty = match is_memory {
                true => ir::type_attr(&arg.attrs, "elementtype"),
                false => Some(arg.ty),
            };
            let Some(ty) = ty else { return Ok(None) };
            let width = match self.ctx.scalar(ty)? {
                Sort::Int(width) => width,
                // An operand that is only printed, or a pointer: no instruction here takes one.
                _ => 0,
            };
            let spot = match (is_memory, constraint.parse::<usize>()) {
                (true, _) => Spot::Memory(value),
                // An input tied to an output is the initial value of its register.
                (false, Ok(tied)) => match out.get_mut(tied) {
                    Some((Spot::Result(first), w)) if *w == width => {
                        *first = Some(value);
                        Spot::Value(value)
                    }
                    _ => return Ok(None),
                },
                (false, Err(_)) => Spot::Value(value),
            };
            out.push((spot, width));
        }
        Ok((results == leaves.len() && args.next().is_none()).then_some(out))
    }

    /// Lowers one instruction; none if it is unknown.
    fn step(&mut self, statement: &mut Statement, step: &Step) -> Result<Option<()>, Bail> {
        if IDLE.contains(&step.name.as_str()) && step.args.is_empty() {
            return Ok(Some(()));
        }
        if let Some(condition) = step.name.strip_prefix("set") {
            return self.set_flag(statement, condition, &step.args);
        }
        let Some((name, suffix)) = sized(&step.name) else {
            return Ok(None);
        };
        let widths = step.args.iter().map(|arg| match arg {
            Arg::Spot(n) => statement.spots.get(*n).map(|(_, width)| *width),
            Arg::Number(_) => None,
        });
        // The first operand has the width; for a bit this is its number, not the memory.
        let Some(width) = suffix.or_else(|| widths.flatten().next()) else {
            return Ok(None);
        };
        match (name, step.args.as_slice()) {
            ("inc" | "dec", [dst]) => {
                let op = if name == "inc" { "add" } else { "sub" };
                // The carry flag is unchanged, but no supported instruction reads it here.
                self.compute(statement, op, width, Arg::Number(1), *dst, false)
            }
            ("add" | "sub" | "and" | "or" | "xor", [src, dst]) => {
                self.compute(statement, name, width, *src, *dst, true)
            }
            ("sbb", [src, dst]) if src == dst => {
                let Some(carry) = statement.flags.carry else {
                    return Ok(None);
                };
                let all = self.resize(Resize::SignExtend, 1, width, carry);
                statement.flags = Flags::default();
                Ok(self.write(statement, *dst, width, all))
            }
            ("xchg", [a, b]) => {
                let (Some(x), Some(y)) = (
                    self.read(statement, *a, width),
                    self.read(statement, *b, width),
                ) else {
                    return Ok(None);
                };
                let first = self.write(statement, *a, width, y);
                Ok(first.and_then(|()| self.write(statement, *b, width, x)))
            }
            ("xadd", [src, dst]) => {
                let Some(before) = self.read(statement, *dst, width) else {
                    return Ok(None);
                };
                let done = self.compute(statement, "add", width, *src, *dst, true)?;
                Ok(done.and_then(|()| self.write(statement, *src, width, before)))
            }
            ("cmpxchg", [src, dst]) => Ok(self.exchange_if_equal(statement, width, *src, *dst)),
            ("bt" | "bts" | "btr" | "btc", [bit, dst]) => {
                Ok(self.bit(statement, name, width, *bit, *dst))
            }
            _ => Ok(None),
        }
    }

    fn compute(
        &mut self,
        statement: &mut Statement,
        op: &str,
        width: u32,
        src: Arg,
        dst: Arg,
        has_carry: bool,
    ) -> Result<Option<()>, Bail> {
        let (Some(a), Some(b)) = (
            self.read(statement, dst, width),
            self.read(statement, src, width),
        ) else {
            return Ok(None);
        };
        let op = match op {
            "add" => IntOp::Add,
            "sub" => IntOp::Sub,
            "and" => IntOp::And,
            "or" => IntOp::Or,
            _ => IntOp::Xor,
        };
        let after = self.arith(op, width, a, b, false);
        let (zero, sort) = (int(width, 0), Sort::Int(width));
        let carry = match op {
            IntOp::Add => self.int_compare(Relation::Ult, sort, after, a),
            IntOp::Sub => self.int_compare(Relation::Ult, sort, a, b),
            _ => int(1, 0),
        };
        statement.flags = Flags {
            zero: Some(self.int_compare(Relation::Eq, sort, after, zero)),
            sign: Some(self.int_compare(Relation::Slt, sort, after, zero)),
            carry: has_carry.then_some(carry),
        };
        Ok(self.write(statement, dst, width, after))
    }

    /// `cmpxchg`: compares the register `ax`, which gets the old value.
    fn exchange_if_equal(
        &mut self,
        statement: &mut Statement,
        width: u32,
        src: Arg,
        dst: Arg,
    ) -> Option<()> {
        let ax = Arg::Spot(statement.accumulator?);
        let expected = self.read(statement, ax, width)?;
        let before = self.read(statement, dst, width)?;
        let new = self.read(statement, src, width)?;
        let sort = Sort::Int(width);
        let same = self.int_compare(Relation::Eq, sort, before, expected);
        let after = self.choose(sort, same, new, before);
        self.write(statement, dst, width, after)?;
        statement.flags = Flags {
            zero: Some(same),
            ..Flags::default()
        };
        self.write(statement, ax, width, before)
    }

    /// `bt`, `bts`, `btr` and `btc`: bit numbers in memory may exceed one word.
    fn bit(
        &mut self,
        statement: &mut Statement,
        name: &str,
        width: u32,
        bit: Arg,
        dst: Arg,
    ) -> Option<()> {
        if !matches!(width, 32 | 64) {
            return None;
        }
        let number = self.read(statement, bit, width)?;
        let low = int(width, u128::from(width) - 1);
        let within = self.arith(IntOp::And, width, number, low, false);
        let memory = match dst {
            Arg::Spot(n) => match statement.spots.get(n)?.0 {
                Spot::Memory(base) => Some(base),
                _ => None,
            },
            Arg::Number(_) => return None,
        };
        let at = memory.map(|base| {
            let word = int(width, u128::from(width.ilog2()));
            let index = self.arith(IntOp::AShr, width, number, word, false);
            let dst = self.temp(Sort::Ptr);
            self.emit(Inst::PtrAdd {
                dst,
                base,
                offset: 0,
                index,
                width,
                scale: u64::from(width) / 8,
            });
            Operand::Reg(dst)
        });
        let before = match at {
            Some(ptr) => self.load_word(ptr, width),
            None => self.read(statement, dst, width)?,
        };
        let moved = self.arith(IntOp::LShr, width, before, within, false);
        let carry = self.resize(Resize::Truncate, width, 1, moved);
        let mask = self.arith(IntOp::Shl, width, int(width, 1), within, false);
        statement.flags = Flags {
            carry: Some(carry),
            ..Flags::default()
        };
        let after = match name {
            "bt" => return Some(()),
            "bts" => self.arith(IntOp::Or, width, before, mask, false),
            "btc" => self.arith(IntOp::Xor, width, before, mask, false),
            _ => {
                let ones = super::constants::mask(u128::MAX, width);
                let rest = self.arith(IntOp::Xor, width, mask, int(width, ones), false);
                self.arith(IntOp::And, width, before, rest, false)
            }
        };
        match at {
            Some(ptr) => {
                let (sort, src) = (Sort::Int(width), after);
                self.emit(Inst::Store { sort, ptr, src });
                Some(())
            }
            None => self.write(statement, dst, width, after),
        }
    }

    /// `setc` etc.: a byte that is one or zero.
    fn set_flag(
        &mut self,
        statement: &mut Statement,
        condition: &str,
        args: &[Arg],
    ) -> Result<Option<()>, Bail> {
        let flags = statement.flags;
        let (flag, negated) = match condition {
            "e" | "z" => (flags.zero, false),
            "ne" | "nz" => (flags.zero, true),
            "s" => (flags.sign, false),
            "ns" => (flags.sign, true),
            "c" | "b" => (flags.carry, false),
            "nc" | "ae" => (flags.carry, true),
            _ => (None, false),
        };
        let (Some(flag), [dst]) = (flag, args) else {
            return Ok(None);
        };
        let flag = match negated {
            true => self.arith(IntOp::Xor, 1, flag, int(1, 1), false),
            false => flag,
        };
        let byte = self.resize(Resize::ZeroExtend, 1, 8, flag);
        Ok(self.write(statement, *dst, 8, byte))
    }

    /// The value of an operand of this width; none if it has another width, or no value yet.
    fn read(&mut self, statement: &Statement, arg: Arg, width: u32) -> Option<Operand> {
        let n = match arg {
            Arg::Number(n) => return Some(int(width, super::constants::mask(n as u128, width))),
            Arg::Spot(n) => n,
        };
        match statement.spots.get(n)? {
            (_, w) if *w != width => None,
            (Spot::Result(value), _) => *value,
            (Spot::Value(value), _) => Some(*value),
            (Spot::Memory(ptr), _) => Some(self.load_word(*ptr, width)),
        }
    }

    fn load_word(&mut self, ptr: Operand, width: u32) -> Operand {
        let sort = Sort::Int(width);
        let dst = self.temp(sort);
        self.emit(Inst::Load {
            dst,
            sort,
            ptr,
            other: Other::Address,
        });
        Operand::Reg(dst)
    }

    /// Assigns an operand; none if it has another width, or is an input.
    fn write(
        &mut self,
        statement: &mut Statement,
        arg: Arg,
        width: u32,
        value: Operand,
    ) -> Option<()> {
        let Arg::Spot(n) = arg else { return None };
        match statement.spots.get_mut(n)? {
            (_, w) if *w != width => None,
            (Spot::Result(held), _) => {
                *held = Some(value);
                Some(())
            }
            (Spot::Memory(ptr), _) => {
                let (sort, ptr, src) = (Sort::Int(width), *ptr, value);
                self.emit(Inst::Store { sort, ptr, src });
                Some(())
            }
            (Spot::Value(_), _) => None,
        }
    }
}

impl Statement {
    fn names(&self, step: &Step, which: impl Fn(&Spot) -> bool) -> bool {
        step.args.iter().any(|arg| match arg {
            Arg::Spot(n) => self.spots.get(*n).is_some_and(|(spot, _)| which(spot)),
            Arg::Number(_) => false,
        })
    }

    fn takes_inputs(&self, step: &Step) -> bool {
        self.names(step, |spot| !matches!(spot, Spot::Result(_)))
    }

    fn names_result(&self, step: &Step) -> bool {
        step.name.starts_with("cmpxchg") || self.names(step, |spot| matches!(spot, Spot::Result(_)))
    }
}

/// A name without its width suffix, and the width.
fn sized(name: &str) -> Option<(&str, Option<u32>)> {
    if SIZED.contains(&name) {
        return Some((name, None));
    }
    let (base, last) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let width = match last {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    SIZED.contains(&base).then_some((base, Some(width)))
}

/// The instructions of a text; none if it has an unknown one.
fn steps(text: &str) -> Option<Vec<Step>> {
    let mut out = Vec::new();
    // Other sections hold tables for the kernel, not code that runs here.
    let mut elsewhere = false;
    for line in text.split(['\n', ';']) {
        let mut line = line.trim();
        if let Some((label, rest)) = line.split_once(':')
            && !label.is_empty()
            && label.chars().all(|c| c.is_ascii_digit())
        {
            line = rest.trim();
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            ".section" | ".pushsection" => elsewhere = true,
            ".previous" | ".popsection" => elsewhere = false,
            "" => {}
            _ if elsewhere => {}
            // Prefixes: every instruction is atomic here, and waiting has no effect.
            "lock" | "rep" if rest.is_empty() => {}
            "lock" | "rep" => out.push(step(rest)?),
            _ => out.push(step(line)?),
        }
    }
    (!elsewhere).then_some(out)
}

fn step(text: &str) -> Option<Step> {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let args = rest.split(',').map(str::trim).filter(|arg| !arg.is_empty());
    let args: Option<Vec<Arg>> = args.map(arg).collect();
    Some(Step {
        name: name.to_owned(),
        args: args?,
    })
}

/// `$0`, `${0:w}` or `$$5`.
fn arg(text: &str) -> Option<Arg> {
    let rest = text.strip_prefix('$')?;
    if let Some(number) = rest.strip_prefix('$') {
        return number.parse().ok().map(Arg::Number);
    }
    let number = match rest.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}')?.split(':').next()?,
        None => rest,
    };
    number.parse().ok().map(Arg::Spot)
}
