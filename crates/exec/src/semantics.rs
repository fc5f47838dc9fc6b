//! The meaning of each instruction, defined once, over any value domain.
//!
//! The interpreter, the path executor and the precondition (which is forward execution from a
//! symbolic state) all call [`step`]; there are no backward rules that could disagree. The
//! executors implement calls and control flow.

use crate::domain::{Domain, Overflow, Stop};
use attest_model::*;

/// The value of an operand.
#[inline(always)]
pub fn operand<D: Domain>(d: &mut D, regs: &[D::Val], a: Operand) -> D::Val {
    match a {
        Operand::Reg(reg) => regs[reg.0 as usize].clone(),
        Operand::Const(constant) => d.constant(constant),
    }
}

/// Executes one instruction other than a call.
#[inline(always)]
pub fn step<D: Domain>(d: &mut D, regs: &mut [D::Val], inst: &Inst) -> Result<(), Stop> {
    let (dst, value) = match inst {
        Inst::Copy { dst, src } => (*dst, operand(d, regs, *src)),
        Inst::Int {
            op,
            width,
            dst,
            a,
            b,
            no_signed_wrap,
        } => {
            let (x, y) = (operand(d, regs, *a), operand(d, regs, *b));
            guard_int(d, *op, *width, &x, &y, *b)?;
            if *no_signed_wrap && d.overflow() != Overflow::Wrap {
                guard_overflow(d, *op, *width, &x, &y)?;
            }
            (*dst, d.int(*op, *width, &x, &y))
        }
        Inst::Compare {
            rel,
            width,
            dst,
            a,
            b,
        } => {
            let (x, y) = (operand(d, regs, *a), operand(d, regs, *b));
            (*dst, d.compare(*rel, *width, &x, &y))
        }
        Inst::Resize {
            how,
            from,
            to,
            dst,
            a,
        } => {
            let x = operand(d, regs, *a);
            (*dst, d.resize(*how, *from, *to, &x))
        }
        Inst::GetGlobal { dst, global } => (*dst, d.get_global(*global)),
        Inst::SetGlobal { global, src } => {
            let x = operand(d, regs, *src);
            d.set_global(*global, x);
            return Ok(());
        }
        Inst::Load {
            dst,
            sort,
            ptr,
            other,
        } => {
            let p = operand(d, regs, *ptr);
            (*dst, d.load(*sort, &p, *other)?)
        }
        Inst::Store { sort, ptr, src } => {
            let (p, x) = (operand(d, regs, *ptr), operand(d, regs, *src));
            return d.store(*sort, &p, &x);
        }
        Inst::PtrAdd {
            dst,
            base,
            offset,
            index,
            width,
            scale,
        } => {
            let (p, i) = (operand(d, regs, *base), operand(d, regs, *index));
            (*dst, pointer_add(d, &p, *offset, &i, *width, *scale))
        }
        other => return rare(d, regs, other),
    };
    regs[dst.0 as usize] = value;
    Ok(())
}

/// The instructions that are rare in hot loops, in a function of their own for speed.
#[inline(never)]
fn rare<D: Domain>(d: &mut D, regs: &mut [D::Val], inst: &Inst) -> Result<(), Stop> {
    let (dst, value) = match inst {
        Inst::IntUnary { .. }
        | Inst::Select { .. }
        | Inst::Float { .. }
        | Inst::FloatUnary { .. }
        | Inst::FloatCompare { .. }
        | Inst::FloatCast { .. } => scalar(d, regs, inst)?,
        Inst::PtrCompare { .. }
        | Inst::PtrDiff { .. }
        | Inst::PtrToInt { .. }
        | Inst::IntToPtr { .. }
        | Inst::InObject { .. }
        | Inst::Foreign { .. } => pointer(d, regs, inst)?,
        Inst::Alloc {
            dst,
            storage,
            size,
            zeroed,
            name,
        } => {
            let n = operand(d, regs, *size);
            (*dst, d.alloc(*storage, &n, *zeroed, *name)?)
        }
        Inst::Realloc { dst, ptr, size } => {
            let (p, n) = (operand(d, regs, *ptr), operand(d, regs, *size));
            (*dst, d.realloc(&p, &n)?)
        }
        Inst::Input { dst, sort, kind } => (*dst, d.input(*sort, kind)?),
        Inst::Shadow(Shadow::Load { dst, width, ptr }) => {
            let p = operand(d, regs, *ptr);
            (*dst, d.load_shadow(*width, &p))
        }
        Inst::Print { what, dst, args } => {
            let args: Vec<_> = args
                .iter()
                .map(|(a, sort)| (operand(d, regs, *a), *sort))
                .collect();
            let result = d.print(what, &args)?;
            match dst {
                Some(dst) => (*dst, result),
                None => return Ok(()),
            }
        }
        Inst::Free { .. }
        | Inst::EndLife { .. }
        | Inst::MemCopy { .. }
        | Inst::MemSet { .. }
        | Inst::Within { .. }
        | Inst::Alive { .. }
        | Inst::Assume { .. }
        | Inst::Shadow(_)
        | Inst::VaStart { .. } => return effect(d, regs, inst),
        Inst::Call(_) => {
            let what = "a call inside a step".into();
            return Err(Stop::Bail(Bail {
                kind: BailKind::Unsupported,
                what,
            }));
        }
        Inst::Copy { .. }
        | Inst::Int { .. }
        | Inst::Compare { .. }
        | Inst::Resize { .. }
        | Inst::GetGlobal { .. }
        | Inst::SetGlobal { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::PtrAdd { .. } => unreachable!("executed by `step`"),
    };
    regs[dst.0 as usize] = value;
    Ok(())
}

/// The result of an operation on scalars, with its register.
fn scalar<D: Domain>(d: &mut D, regs: &[D::Val], inst: &Inst) -> Result<(Reg, D::Val), Stop> {
    Ok(match inst {
        Inst::IntUnary { op, width, dst, a } => {
            let x = operand(d, regs, *a);
            (*dst, d.int_unary(*op, *width, &x))
        }
        Inst::Select { dst, cond, a, b } => {
            let (c, x, y) = (
                operand(d, regs, *cond),
                operand(d, regs, *a),
                operand(d, regs, *b),
            );
            (*dst, d.select(&c, &x, &y))
        }
        Inst::Float {
            op,
            format,
            dst,
            a,
            b,
        } => {
            let (x, y) = (operand(d, regs, *a), operand(d, regs, *b));
            (*dst, d.float(*op, *format, &x, &y))
        }
        Inst::FloatUnary { op, format, dst, a } => {
            let x = operand(d, regs, *a);
            (*dst, d.float_unary(*op, *format, &x))
        }
        Inst::FloatCompare {
            rel,
            format,
            dst,
            a,
            b,
        } => {
            let (x, y) = (operand(d, regs, *a), operand(d, regs, *b));
            (*dst, d.float_compare(*rel, *format, &x, &y))
        }
        Inst::FloatCast { cast, dst, a } => {
            let x = operand(d, regs, *a);
            if let FloatCast::ToInt {
                from,
                width,
                signed,
                saturating: false,
            } = *cast
            {
                let fits = d.float_fits(from, width, signed, &x);
                d.require(
                    &fits,
                    BailKind::FloatToInt,
                    "a float that does not fit its integer",
                )?;
            }
            (*dst, d.float_cast(*cast, &x))
        }
        _ => unreachable!("not an operation on scalars"),
    })
}

/// The result of an operation on pointers, with its register.
fn pointer<D: Domain>(d: &mut D, regs: &[D::Val], inst: &Inst) -> Result<(Reg, D::Val), Stop> {
    Ok(match inst {
        Inst::PtrCompare {
            rel,
            dst,
            a,
            b,
            numbers,
        } => {
            let (p, q) = (operand(d, regs, *a), operand(d, regs, *b));
            (*dst, pointer_compare(d, *rel, &p, &q, *numbers)?)
        }
        Inst::PtrDiff { dst, width, a, b } => {
            let (p, q) = (operand(d, regs, *a), operand(d, regs, *b));
            same_object(
                d,
                &p,
                &q,
                "the difference of pointers into different objects",
            )?;
            let (x, y) = (d.offset_of(&p), d.offset_of(&q));
            (*dst, d.int(IntOp::Sub, *width, &x, &y))
        }
        Inst::PtrToInt { dst, width, a } => {
            let p = operand(d, regs, *a);
            let (address, bits) = (d.address_of(&p), d.pointer_bits());
            (*dst, fit(d, &address, bits, *width))
        }
        Inst::IntToPtr {
            dst,
            width,
            a,
            plain,
        } => {
            let x = operand(d, regs, *a);
            let bits = d.pointer_bits();
            let address = fit(d, &x, *width, bits);
            let pointer = match plain {
                true => {
                    let null = d.constant(Constant::zero(Sort::Ptr));
                    d.with_offset(&null, &address)
                }
                false => d.pointer_to(&address)?,
            };
            (*dst, pointer)
        }
        Inst::InObject { dst, a, object } => {
            let p = operand(d, regs, *a);
            let known = d.constant(Constant::Int {
                width: 32,
                value: object.0.into(),
            });
            let of_p = d.object_of(&p);
            (*dst, d.compare(Relation::Eq, 32, &of_p, &known))
        }
        Inst::Foreign {
            dst,
            a,
            environment,
        } => {
            let x = operand(d, regs, *a);
            (*dst, d.foreign(&x, *environment))
        }
        _ => unreachable!("not an operation on pointers"),
    })
}

/// An instruction without a result.
fn effect<D: Domain>(d: &mut D, regs: &[D::Val], inst: &Inst) -> Result<(), Stop> {
    match inst {
        Inst::Free { ptr } => {
            let p = operand(d, regs, *ptr);
            d.free(&p)
        }
        Inst::EndLife { ptr } => {
            let p = operand(d, regs, *ptr);
            d.end_life(&p)
        }
        Inst::MemCopy {
            dst,
            src,
            len,
            overlap,
        } => {
            let (p, q, n) = (
                operand(d, regs, *dst),
                operand(d, regs, *src),
                operand(d, regs, *len),
            );
            d.mem_copy(&p, &q, &n, *overlap)
        }
        Inst::MemSet { dst, byte, len } => {
            let (p, x, n) = (
                operand(d, regs, *dst),
                operand(d, regs, *byte),
                operand(d, regs, *len),
            );
            d.mem_set(&p, &x, &n)
        }
        Inst::Within {
            ptr,
            spots,
            first_dynamic,
        } => {
            let p = operand(d, regs, *ptr);
            d.within(&p, spots, *first_dynamic)
        }
        Inst::Alive { ptr, len } => {
            let (p, n) = (operand(d, regs, *ptr), operand(d, regs, *len));
            d.alive(&p, &n)
        }
        Inst::Assume { cond } => {
            let c = operand(d, regs, *cond);
            d.assume(&c)
        }
        Inst::Shadow(Shadow::Store { width, ptr, src }) => {
            let (p, x) = (operand(d, regs, *ptr), operand(d, regs, *src));
            d.store_shadow(*width, &p, &x);
            Ok(())
        }
        Inst::Shadow(Shadow::Fill { ptr, byte, len }) => {
            let (p, x, n) = (
                operand(d, regs, *ptr),
                operand(d, regs, *byte),
                operand(d, regs, *len),
            );
            d.fill_shadow(&p, &x, &n);
            Ok(())
        }
        Inst::Shadow(Shadow::Require {
            shadow,
            width,
            kind,
            what,
        }) => {
            let x = operand(d, regs, *shadow);
            let width = *width;
            let zero = d.constant(Constant::Int { width, value: 0 });
            let is_set = d.compare(Relation::Eq, width, &x, &zero);
            d.require(&is_set, *kind, what)
        }
        Inst::VaStart { list, args } => {
            let p = operand(d, regs, *list);
            let args = match args {
                Some(args) => args
                    .iter()
                    .map(|(a, sort)| (operand(d, regs, *a), *sort))
                    .collect(),
                None => d.varargs()?,
            };
            va_start(d, &p, &args)
        }
        _ => unreachable!("an instruction with a result"),
    }
}

/// `va_start` for the `va_list` of the x86 ABIs: all arguments in the overflow area, which is a new
/// object, and the register areas marked as used up.
fn va_start<D: Domain>(d: &mut D, list: &D::Val, args: &[(D::Val, Sort)]) -> Result<(), Stop> {
    let bits = d.pointer_bits();
    let slot = u64::from(bits / 8);
    let mut end = 0u64;
    let mut places = Vec::with_capacity(args.len());
    for (_, sort) in args {
        let size = sort.bytes(bits);
        if slot == 8 && size > 8 {
            end = end.next_multiple_of(16);
        }
        places.push(end);
        end += size.next_multiple_of(slot);
    }
    let size = d.constant(Constant::Int {
        width: bits,
        value: end.into(),
    });
    let area = d.alloc(Storage::Stack, &size, false, None)?;
    for ((value, sort), at) in args.iter().zip(places) {
        let place = moved(d, &area, at);
        d.store(*sort, &place, value)?;
    }
    if bits == 32 {
        return d.store(Sort::Ptr, list, &area);
    }
    for (at, used_up) in [(0, 48), (4, 176)] {
        let place = moved(d, list, at);
        let value = d.constant(Constant::Int {
            width: 32,
            value: used_up,
        });
        d.store(Sort::Int(32), &place, &value)?;
    }
    let (overflow, registers) = (moved(d, list, 8), moved(d, list, 16));
    d.store(Sort::Ptr, &overflow, &area)?;
    let null = d.constant(Constant::NULL);
    d.store(Sort::Ptr, &registers, &null)
}

/// A pointer advanced by a constant.
fn moved<D: Domain>(d: &mut D, base: &D::Val, bytes: u64) -> D::Val {
    let bits = d.pointer_bits();
    let none = d.constant(Constant::Int {
        width: bits,
        value: 0,
    });
    pointer_add(d, base, bytes, &none, bits, 0)
}

/// Excludes the operands of division and shifts that C leaves undefined.
#[inline(always)]
fn guard_int<D: Domain>(
    d: &mut D,
    op: IntOp,
    width: u32,
    x: &D::Val,
    y: &D::Val,
    divisor: Operand,
) -> Result<(), Stop> {
    let known = match divisor {
        Operand::Const(Constant::Int { value, .. }) => Some(value),
        _ => None,
    };
    match op {
        IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => {
            let all_ones = u128::MAX >> (128 - width);
            if known.is_some_and(|v| v != 0 && v != all_ones) {
                return Ok(());
            }
            let zero = d.constant(Constant::Int { width, value: 0 });
            let nonzero = d.compare(Relation::Ne, width, y, &zero);
            d.require(&nonzero, BailKind::Division, "division by zero")?;
            if matches!(op, IntOp::SDiv | IntOp::SRem) {
                let least = d.constant(Constant::Int {
                    width,
                    value: 1 << (width - 1),
                });
                let minus_one = d.constant(Constant::Int {
                    width,
                    value: all_ones,
                });
                let a = d.compare(Relation::Ne, width, x, &least);
                let b = d.compare(Relation::Ne, width, y, &minus_one);
                let fits = d.int(IntOp::Or, 1, &a, &b);
                d.require(
                    &fits,
                    BailKind::Division,
                    "a quotient that does not fit its type",
                )?;
            }
            Ok(())
        }
        IntOp::Shl | IntOp::LShr | IntOp::AShr => {
            if known.is_some_and(|v| v < u128::from(width)) {
                return Ok(());
            }
            let bound = d.constant(Constant::Int {
                width,
                value: u128::from(width),
            });
            // The amount may be too narrow to hold the width (in one bit, 1 is too large): then
            // only the shift by 0 fits.
            let fits = if width < 128 && u128::from(width) >> width != 0 {
                let zero = d.constant(Constant::Int { width, value: 0 });
                d.compare(Relation::Eq, width, y, &zero)
            } else {
                d.compare(Relation::Ult, width, y, &bound)
            };
            d.require(
                &fits,
                BailKind::Shift,
                "a shift by the width of its type or more",
            )
        }
        _ => Ok(()),
    }
}

/// The overflow policy for operations that clang marked `nsw`.
fn guard_overflow<D: Domain>(
    d: &mut D,
    op: IntOp,
    width: u32,
    x: &D::Val,
    y: &D::Val,
) -> Result<(), Stop> {
    let fits = match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul if width <= 64 => {
            let wide = width * 2;
            let (a, b) = (
                d.resize(Resize::SignExtend, width, wide, x),
                d.resize(Resize::SignExtend, width, wide, y),
            );
            let exact = d.int(op, wide, &a, &b);
            let wrapped = d.int(op, width, x, y);
            let back = d.resize(Resize::SignExtend, width, wide, &wrapped);
            d.compare(Relation::Eq, wide, &exact, &back)
        }
        IntOp::Add | IntOp::Sub => {
            let r = d.int(op, width, x, y);
            let moved = d.int(IntOp::Xor, width, x, &r);
            let other = match op {
                IntOp::Add => d.int(IntOp::Xor, width, y, &r),
                _ => d.int(IntOp::Xor, width, x, y),
            };
            let both = d.int(IntOp::And, width, &moved, &other);
            let zero = d.constant(Constant::Int { width, value: 0 });
            d.compare(Relation::Sge, width, &both, &zero)
        }
        IntOp::Mul => {
            // Beyond 64 bits: the product divided by a factor gives the other factor.
            let r = d.int(op, width, x, y);
            let zero = d.constant(Constant::Int { width, value: 0 });
            let none = d.compare(Relation::Eq, width, x, &zero);
            let q = d.int(IntOp::SDiv, width, &r, x);
            let back = d.compare(Relation::Eq, width, &q, y);
            let all_ones = u128::MAX >> (128 - width);
            let minus_one = d.constant(Constant::Int {
                width,
                value: all_ones,
            });
            let least = d.constant(Constant::Int {
                width,
                value: 1 << (width - 1),
            });
            let a = d.compare(Relation::Ne, width, x, &minus_one);
            let b = d.compare(Relation::Ne, width, y, &least);
            let not_least = d.int(IntOp::Or, 1, &a, &b);
            let good = d.int(IntOp::And, 1, &back, &not_least);
            d.int(IntOp::Or, 1, &none, &good)
        }
        IntOp::Shl => {
            let r = d.int(op, width, x, y);
            let back = d.int(IntOp::AShr, width, &r, y);
            d.compare(Relation::Eq, width, &back, x)
        }
        _ => return Ok(()),
    };
    match d.overflow() {
        Overflow::Wrap => Ok(()),
        Overflow::Assume => d.assume(&fits),
        Overflow::Check => d.require(&fits, BailKind::Overflow, "signed overflow"),
    }
}

#[inline(always)]
fn pointer_add<D: Domain>(
    d: &mut D,
    base: &D::Val,
    offset: u64,
    index: &D::Val,
    width: u32,
    scale: u64,
) -> D::Val {
    let bits = d.pointer_bits();
    let mut moved = d.offset_of(base);
    if offset != 0 {
        let fixed = d.constant(Constant::Int {
            width: bits,
            value: u128::from(offset),
        });
        moved = d.int(IntOp::Add, bits, &moved, &fixed);
    }
    if scale != 0 {
        let mut steps = if width > bits {
            d.resize(Resize::Truncate, width, bits, index)
        } else if width < bits {
            d.resize(Resize::SignExtend, width, bits, index)
        } else {
            index.clone()
        };
        if scale != 1 {
            let size = d.constant(Constant::Int {
                width: bits,
                value: u128::from(scale),
            });
            steps = d.int(IntOp::Mul, bits, &steps, &size);
        }
        moved = d.int(IntOp::Add, bits, &moved, &steps);
    }
    d.with_offset(base, &moved)
}

/// Equality compares object and offset. Order compares offsets, which are signed because a pointer
/// may point before its object.
fn pointer_compare<D: Domain>(
    d: &mut D,
    rel: Relation,
    p: &D::Val,
    q: &D::Val,
    numbers: bool,
) -> Result<D::Val, Stop> {
    let bits = d.pointer_bits();
    let (x, y) = (d.offset_of(p), d.offset_of(q));
    let rel = match rel {
        Relation::Eq | Relation::Ne => {
            let (a, b) = (d.object_of(p), d.object_of(q));
            let objects = d.compare(Relation::Eq, 32, &a, &b);
            let offsets = d.compare(Relation::Eq, bits, &x, &y);
            let mut equal = d.int(IntOp::And, 1, &objects, &offsets);
            if numbers {
                let null = d.constant(Constant::Int {
                    width: 32,
                    value: 0,
                });
                let no_object = [a, b].map(|object| d.compare(Relation::Eq, 32, &object, &null));
                let one = d.int(IntOp::Xor, 1, &no_object[0], &no_object[1]);
                let (x, y) = (d.address_of(p), d.address_of(q));
                let met = d.compare(Relation::Eq, bits, &x, &y);
                let met = d.int(IntOp::And, 1, &one, &met);
                equal = d.int(IntOp::Or, 1, &equal, &met);
            }
            if rel == Relation::Eq {
                return Ok(equal);
            }
            let one = d.constant(Constant::Int { width: 1, value: 1 });
            return Ok(d.int(IntOp::Xor, 1, &equal, &one));
        }
        Relation::Ult | Relation::Slt => Relation::Slt,
        Relation::Ule | Relation::Sle => Relation::Sle,
        Relation::Ugt | Relation::Sgt => Relation::Sgt,
        Relation::Uge | Relation::Sge => Relation::Sge,
    };
    same_object(
        d,
        p,
        q,
        "an ordered comparison of pointers into different objects",
    )?;
    Ok(d.compare(rel, bits, &x, &y))
}

fn same_object<D: Domain>(
    d: &mut D,
    p: &D::Val,
    q: &D::Val,
    what: &'static str,
) -> Result<(), Stop> {
    let (a, b) = (d.object_of(p), d.object_of(q));
    let same = d.compare(Relation::Eq, 32, &a, &b);
    d.require(&same, BailKind::PtrOrder, what)
}

/// An unsigned integer resized to another width.
fn fit<D: Domain>(d: &mut D, a: &D::Val, from: u32, to: u32) -> D::Val {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => d.resize(Resize::ZeroExtend, from, to, a),
        std::cmp::Ordering::Equal => a.clone(),
        std::cmp::Ordering::Greater => d.resize(Resize::Truncate, from, to, a),
    }
}
