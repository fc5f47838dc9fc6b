//! LLVM's intrinsics, by the model's own instructions.

use super::constants::mask;
use super::function::{Builder, Next, int};
use super::types::{format_of, unsupported, width_of};
use crate::program::*;
use attest_llvm::ir::{self, ArgValue};

/// The scalars of an argument, with their sorts.
type Scalars = (Vec<Operand>, Vec<Sort>);

/// Intrinsics that are only hints for an optimiser.
const NO_EFFECT: &[&str] = &[
    "dbg.",
    "assume",
    "donothing",
    "sideeffect",
    "prefetch",
    "var.annotation",
    "invariant.start",
    "invariant.end",
    "experimental.noalias.scope.decl",
    "va_end",
    "stackrestore",
    "pseudoprobe",
    "fake.use",
    "instrprof.",
];

/// Intrinsics whose result is their first argument.
const IDENTITY: &[&str] = &[
    "expect.",
    "expect.with.probability.",
    "annotation.",
    "ptr.annotation.",
    "launder.invariant.group",
    "strip.invariant.group",
    "threadlocal.address",
    "ssa.copy",
    "arithmetic.fence",
    "preserve.union.access.index",
    "preserve.static.offset",
];

/// The operation whose overflow an intrinsic of `-fsanitize=signed-integer-overflow` looks for.
fn signed_check(name: &str) -> Option<IntOp> {
    match name {
        "sadd.with.overflow" => Some(IntOp::Add),
        "ssub.with.overflow" => Some(IntOp::Sub),
        "smul.with.overflow" => Some(IntOp::Mul),
        _ => None,
    }
}

/// clang's number of the handler for quotients (`SanitizerHandler::DivremOverflow`).
const DIVREM_OVERFLOW: u128 = 3;

impl Builder<'_, '_> {
    /// Lowers a call of `llvm.NAME`.
    pub fn intrinsic(
        &mut self,
        name: &str,
        call: &ir::Call,
        result: Option<ir::LocalId>,
    ) -> Result<Next, Bail> {
        if NO_EFFECT.iter().any(|n| name.starts_with(n)) {
            return match result {
                Some(local) => {
                    // A token that a later marker names; its value is irrelevant.
                    let leaves = self.ctx.leaves(call.ret)?;
                    let zero = leaves
                        .iter()
                        .map(|l| Operand::Const(Constant::zero(l.sort)))
                        .collect();
                    self.set(local, zero);
                    Ok(Next::Continue)
                }
                None => Ok(Next::Continue),
            };
        }
        if let Some(which) = name.strip_prefix("lifetime.") {
            self.lifetime(which.starts_with("start"), call)?;
            return Ok(Next::Continue);
        }
        // Where the quotient of two constants would overflow; other quotients are checked as such.
        if name.starts_with("ubsantrap") && call.of_sanitizer && self.is_divrem(call)? {
            return Err(unsupported(
                BailKind::Division,
                "a quotient that does not fit",
            ));
        }
        if name == "trap" || name == "debugtrap" || name.starts_with("ubsantrap") {
            self.finish(Terminator::Halt(Halt::Abort, None));
            return Ok(Next::Ended);
        }
        if let Some(values) = self.memory_intrinsic(name, call)? {
            if let Some(local) = result {
                self.set(local, values);
            }
            return Ok(Next::Continue);
        }
        let args = self.intrinsic_args(call)?;
        let values = if IDENTITY.iter().any(|n| name.starts_with(n)) {
            args.first().cloned().ok_or_else(|| missing(name))?.0
        } else {
            self.lanes(name, call, &args)?
        };
        if let Some(local) = result {
            self.set(local, values);
        }
        Ok(Next::Continue)
    }

    /// Whether this is the trap of a quotient.
    fn is_divrem(&mut self, call: &ir::Call) -> Result<bool, Bail> {
        let args = self.intrinsic_args(call)?;
        let number = args.first().and_then(|(values, _)| values.first());
        let is = |n: &Operand| matches!(n, Operand::Const(Constant::Int { value, .. }) if *value == DIVREM_OVERFLOW);
        Ok(number.is_some_and(is))
    }

    /// The lifetime of a variable starts or ends. At its start it is a new object with unknown
    /// contents.
    fn lifetime(&mut self, start: bool, call: &ir::Call) -> Result<(), Bail> {
        let Some(ArgValue::Value(ir::Operand::Local(local))) = call.args.last().map(|a| a.value)
        else {
            return Ok(());
        };
        if let Some(&var) = self.vars.get(&local) {
            if start {
                self.declare(var);
            }
            return Ok(());
        }
        let Some(&ty) = self.allocas.get(&local) else {
            return Ok(());
        };
        let dst = self.reg_of(local)?;
        if start {
            let bits = self.ctx.pointer_bits();
            let size = int(bits, u128::from(self.ctx.size_of(ty)?));
            let name = self.debug_names.get(&local).copied();
            self.emit(Inst::Alloc {
                dst,
                storage: Storage::Stack,
                size,
                zeroed: false,
                name,
            });
        } else {
            self.emit(Inst::EndLife {
                ptr: Operand::Reg(dst),
            });
        }
        Ok(())
    }

    /// Intrinsics about memory and the target: `None` if this is not one.
    fn memory_intrinsic(
        &mut self,
        name: &str,
        call: &ir::Call,
    ) -> Result<Option<Vec<Operand>>, Bail> {
        let bits = self.ctx.pointer_bits();
        let first = |b: &mut Self, at: usize| match call.args.get(at).map(|a| a.value) {
            Some(ArgValue::Value(v)) => b.scalar_operand(v),
            _ => Err(missing(name)),
        };
        if name.starts_with("memcpy") || name.starts_with("memmove") {
            let (dst, src) = (first(self, 0)?, first(self, 1)?);
            let len = self.length(call, 2)?;
            // clang copies structures with memcpy even onto themselves, which is allowed.
            self.emit(Inst::MemCopy {
                dst,
                src,
                len,
                overlap: true,
            });
            return Ok(Some(vec![]));
        }
        if name.starts_with("memset") {
            let (dst, byte) = (first(self, 0)?, first(self, 1)?);
            let len = self.length(call, 2)?;
            self.emit(Inst::MemSet { dst, byte, len });
            return Ok(Some(vec![]));
        }
        if name.starts_with("va_start") || name.starts_with("va_copy") {
            let triple = &self.ctx.module.triple;
            if !(triple.starts_with("x86_64") || triple.starts_with('i') || triple.is_empty()) {
                return Err(unsupported(
                    BailKind::Unsupported,
                    format!("variable arguments on {triple}"),
                ));
            }
            let list = first(self, 0)?;
            if name.starts_with("va_start") {
                self.emit(Inst::VaStart { list, args: None });
            } else {
                let src = first(self, 1)?;
                let len = int(bits, if bits == 64 { 24 } else { 4 });
                self.emit(Inst::MemCopy {
                    dst: list,
                    src,
                    len,
                    overlap: true,
                });
            }
            return Ok(Some(vec![]));
        }
        if name.starts_with("stacksave") {
            return Ok(Some(vec![Operand::Const(Constant::NULL)]));
        }
        if name.starts_with("objectsize") {
            let width = width_of(self.ctx.scalar(call.ret)?)?;
            let least = matches!(
                first(self, 1)?,
                Operand::Const(Constant::Int { value: 1, .. })
            );
            return Ok(Some(vec![int(
                width,
                if least { 0 } else { mask(u128::MAX, width) },
            )]));
        }
        if name.starts_with("is.constant") {
            return Ok(Some(vec![int(1, 0)]));
        }
        Ok(None)
    }

    fn length(&mut self, call: &ir::Call, at: usize) -> Result<Operand, Bail> {
        let Some((ArgValue::Value(value), ty)) = call.args.get(at).map(|a| (a.value, a.ty)) else {
            return Err(missing("a memory intrinsic"));
        };
        let width = width_of(self.ctx.scalar(ty)?)?;
        let a = self.scalar_operand(value)?;
        self.as_size(a, width)
    }

    fn intrinsic_args(&mut self, call: &ir::Call) -> Result<Vec<Scalars>, Bail> {
        let mut out = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            let ArgValue::Value(value) = arg.value else {
                continue;
            };
            let sorts = self.ctx.leaves(arg.ty)?.iter().map(|l| l.sort).collect();
            out.push((self.operand(value)?, sorts));
        }
        Ok(out)
    }

    /// Arithmetic intrinsics, lane by lane. Two-part results (`with.overflow`) are scalar only.
    fn lanes(
        &mut self,
        name: &str,
        call: &ir::Call,
        args: &[(Vec<Operand>, Vec<Sort>)],
    ) -> Result<Vec<Operand>, Bail> {
        let (first, sorts) = args.first().ok_or_else(|| missing(name))?;
        let mut out = Vec::new();
        for (lane, sort) in sorts.iter().enumerate().take(first.len()) {
            let lane_args: Vec<Operand> = args
                .iter()
                .map(|(ops, _)| if ops.len() == 1 { ops[0] } else { ops[lane] })
                .collect();
            out.extend(self.arithmetic(name, *sort, &lane_args, call)?);
        }
        Ok(out)
    }

    fn arithmetic(
        &mut self,
        name: &str,
        sort: Sort,
        args: &[Operand],
        call: &ir::Call,
    ) -> Result<Vec<Operand>, Bail> {
        let base = name.rsplit_once('.').map_or(name, |(head, _)| head);
        let arg = |i: usize| args.get(i).copied().ok_or_else(|| missing(name));
        let a = arg(0)?;
        if call.of_sanitizer
            && let Some(op) = signed_check(base)
        {
            // The operation is the check.
            let value = self.arith(op, width_of(sort)?, a, arg(1)?, true);
            return Ok(vec![value, int(1, 0)]);
        }
        let one = match base {
            "abs" => {
                let w = width_of(sort)?;
                let negative = self.int_compare(Relation::Slt, sort, a, int(w, 0));
                let negated = self.arith(IntOp::Sub, w, int(w, 0), a, false);
                self.choose(sort, negative, negated, a)
            }
            "smax" => self.pick(Relation::Sgt, sort, a, arg(1)?),
            "smin" => self.pick(Relation::Slt, sort, a, arg(1)?),
            "umax" => self.pick(Relation::Ugt, sort, a, arg(1)?),
            "umin" => self.pick(Relation::Ult, sort, a, arg(1)?),
            "ctpop" => self.bit_op(IntUnary::PopCount, sort, a)?,
            "ctlz" => self.count_zeros(IntUnary::LeadingZeros, sort, a, arg(1)?)?,
            "cttz" => self.count_zeros(IntUnary::TrailingZeros, sort, a, arg(1)?)?,
            "bswap" => self.bit_op(IntUnary::ByteSwap, sort, a)?,
            "bitreverse" => self.bit_op(IntUnary::BitReverse, sort, a)?,
            "fshl" => self.funnel(width_of(sort)?, a, arg(1)?, arg(2)?, true),
            "fshr" => self.funnel(width_of(sort)?, a, arg(1)?, arg(2)?, false),
            "sadd.with.overflow" => return self.with_overflow(IntOp::Add, true, sort, a, arg(1)?),
            "uadd.with.overflow" => return self.with_overflow(IntOp::Add, false, sort, a, arg(1)?),
            "ssub.with.overflow" => return self.with_overflow(IntOp::Sub, true, sort, a, arg(1)?),
            "usub.with.overflow" => return self.with_overflow(IntOp::Sub, false, sort, a, arg(1)?),
            "smul.with.overflow" => return self.with_overflow(IntOp::Mul, true, sort, a, arg(1)?),
            "umul.with.overflow" => return self.with_overflow(IntOp::Mul, false, sort, a, arg(1)?),
            "uadd.sat" | "usub.sat" | "sadd.sat" | "ssub.sat" => {
                self.saturating(base, sort, a, arg(1)?)?
            }
            "ucmp" | "scmp" => self.three_way(base == "scmp", sort, a, arg(1)?, call)?,
            "ptrmask" => return Err(unsupported(BailKind::Unsupported, "llvm.ptrmask")),
            "fabs" => self.float_unary(FloatUnary::Abs, sort, a)?,
            "floor" => self.float_unary(FloatUnary::Floor, sort, a)?,
            "ceil" => self.float_unary(FloatUnary::Ceil, sort, a)?,
            "trunc" => self.float_unary(FloatUnary::Trunc, sort, a)?,
            "round" => self.float_unary(FloatUnary::Round, sort, a)?,
            "roundeven" | "rint" | "nearbyint" => {
                self.float_unary(FloatUnary::RoundEven, sort, a)?
            }
            "copysign" => self.float_op(FloatOp::CopySign, sort, a, arg(1)?)?,
            "minnum" => self.float_op(FloatOp::Min, sort, a, arg(1)?)?,
            "maxnum" => self.float_op(FloatOp::Max, sort, a, arg(1)?)?,
            "fmuladd" | "sqrt" if self.has_feature("-sse2") => {
                let what = format!("the intrinsic llvm.{name} on a target without SSE2");
                return Err(unsupported(BailKind::Unsupported, what));
            }
            "sqrt" => self.float_unary(FloatUnary::Sqrt, sort, a)?,
            "fmuladd" if self.has_fused() => {
                let what = "`a * b + c` on a target with a fused instruction, such as by -mfma";
                return Err(unsupported(BailKind::Unsupported, what));
            }
            // A machine without a fused instruction rounds twice.
            "fmuladd" => {
                let product = self.float_op(FloatOp::Mul, sort, a, arg(1)?)?;
                self.float_op(FloatOp::Add, sort, product, arg(2)?)?
            }
            "is.fpclass" => self.float_class(sort, a, arg(1)?)?,
            _ if base.starts_with("fptosi.sat") || base.starts_with("fptoui.sat") => {
                self.saturating_cast(name, base.starts_with("fptosi"), sort, a, call)?
            }
            _ => {
                return Err(unsupported(
                    BailKind::Unsupported,
                    format!("the intrinsic llvm.{name}"),
                ));
            }
        };
        Ok(vec![one])
    }

    /// Whether the function is compiled for a machine that multiplies and adds with one rounding.
    fn has_fused(&self) -> bool {
        self.has_feature("+fma") || self.has_feature("+fma4")
    }

    /// Whether the target of the function is said to have a feature (`+fma`), or not to (`-sse2`).
    pub fn has_feature(&self, signed: &str) -> bool {
        let features = self.ir.attrs.iter().filter_map(|attr| match attr {
            ir::Attr::Text(key, value) if key == "target-features" => Some(value),
            _ => None,
        });
        let mut features = features.flat_map(|all| all.split(','));
        features.any(|one| one == signed)
    }

    fn saturating_cast(
        &mut self,
        name: &str,
        signed: bool,
        sort: Sort,
        a: Operand,
        call: &ir::Call,
    ) -> Result<Operand, Bail> {
        let leaves = self.ctx.leaves(call.ret)?;
        let to = leaves.first().ok_or_else(|| missing(name))?.sort;
        let cast = FloatCast::ToInt {
            from: format_of(sort)?,
            width: width_of(to)?,
            signed,
            saturating: true,
        };
        self.float_cast(cast, to, a)
    }

    fn pick(&mut self, rel: Relation, sort: Sort, a: Operand, b: Operand) -> Operand {
        let keep = self.int_compare(rel, sort, a, b);
        self.choose(sort, keep, a, b)
    }

    fn bit_op(&mut self, op: IntUnary, sort: Sort, a: Operand) -> Result<Operand, Bail> {
        let (dst, width) = (self.temp(sort), width_of(sort)?);
        self.emit(Inst::IntUnary { op, width, dst, a });
        Ok(Operand::Reg(dst))
    }

    /// The number of zeros at an end of a number; of zero it is arbitrary, if the code says so.
    fn count_zeros(
        &mut self,
        op: IntUnary,
        sort: Sort,
        a: Operand,
        open: Operand,
    ) -> Result<Operand, Bail> {
        let count = self.bit_op(op, sort, a)?;
        if let Operand::Const(Constant::Int { value: 0, .. }) = open {
            return Ok(count);
        }
        let is_zero = self.int_compare(Relation::Eq, sort, a, int(width_of(sort)?, 0));
        let any = self.undefined(sort);
        Ok(self.choose(sort, is_zero, any, count))
    }

    fn float_op(
        &mut self,
        op: FloatOp,
        sort: Sort,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Bail> {
        let dst = self.temp(sort);
        self.emit(Inst::Float {
            op,
            format: format_of(sort)?,
            dst,
            a,
            b,
        });
        Ok(Operand::Reg(dst))
    }

    /// The high (or low) half of `a:b` shifted left (or right), by the amount modulo the width.
    fn funnel(&mut self, w: u32, a: Operand, b: Operand, amount: Operand, left: bool) -> Operand {
        let sort = Sort::Int(w);
        let n = self.arith(IntOp::URem, w, amount, int(w, u128::from(w)), false);
        let zero = self.int_compare(Relation::Eq, sort, n, int(w, 0));
        // A shift by the whole width would bail, so the amount 0 is handled separately.
        let n = self.choose(sort, zero, int(w, 1), n);
        let rest = self.arith(IntOp::Sub, w, int(w, u128::from(w)), n, false);
        let (up, down) = if left { (n, rest) } else { (rest, n) };
        let high = self.arith(IntOp::Shl, w, a, up, false);
        let low = self.arith(IntOp::LShr, w, b, down, false);
        let mixed = self.arith(IntOp::Or, w, high, low, false);
        self.choose(sort, zero, if left { a } else { b }, mixed)
    }

    /// The wrapped result and whether it wrapped: computed in twice the width if that fits,
    /// otherwise by the sign rules.
    pub(super) fn with_overflow(
        &mut self,
        op: IntOp,
        is_signed: bool,
        sort: Sort,
        a: Operand,
        b: Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let w = width_of(sort)?;
        let wrapped = self.arith(op, w, a, b, false);
        if w <= 64 {
            let wide = w * 2;
            let how = if is_signed {
                Resize::SignExtend
            } else {
                Resize::ZeroExtend
            };
            let (x, y) = (self.resize(how, w, wide, a), self.resize(how, w, wide, b));
            let exact = self.arith(op, wide, x, y, false);
            let back = self.resize(how, w, wide, wrapped);
            let overflow = self.int_compare(Relation::Ne, Sort::Int(wide), exact, back);
            return Ok(vec![wrapped, overflow]);
        }
        let overflow = match (op, is_signed) {
            (IntOp::Add, false) => self.int_compare(Relation::Ult, sort, wrapped, a),
            (IntOp::Sub, false) => self.int_compare(Relation::Ult, sort, a, b),
            (IntOp::Add | IntOp::Sub, true) => {
                let moved = self.arith(IntOp::Xor, w, a, wrapped, false);
                let other = match op {
                    IntOp::Add => self.arith(IntOp::Xor, w, b, wrapped, false),
                    _ => self.arith(IntOp::Xor, w, a, b, false),
                };
                let both = self.arith(IntOp::And, w, moved, other, false);
                self.int_compare(Relation::Slt, sort, both, int(w, 0))
            }
            _ => {
                return Err(unsupported(
                    BailKind::Unsupported,
                    "overflow of a 128-bit product",
                ));
            }
        };
        Ok(vec![wrapped, overflow])
    }

    fn saturating(
        &mut self,
        name: &str,
        sort: Sort,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Bail> {
        let w = width_of(sort)?;
        let is_signed = name.starts_with('s');
        let op = if name.contains("add") {
            IntOp::Add
        } else {
            IntOp::Sub
        };
        let parts = self.with_overflow(op, is_signed, sort, a, b)?;
        let bound = if is_signed {
            let negative = self.int_compare(Relation::Slt, sort, a, int(w, 0));
            let lowest = int(w, 1u128 << (w - 1));
            let highest = int(w, mask(u128::MAX, w - 1));
            self.choose(sort, negative, lowest, highest)
        } else if op == IntOp::Add {
            int(w, mask(u128::MAX, w))
        } else {
            int(w, 0)
        };
        Ok(self.choose(sort, parts[1], bound, parts[0]))
    }

    fn three_way(
        &mut self,
        signed: bool,
        sort: Sort,
        a: Operand,
        b: Operand,
        call: &ir::Call,
    ) -> Result<Operand, Bail> {
        let to = self
            .ctx
            .leaves(call.ret)?
            .first()
            .ok_or_else(|| missing("llvm.ucmp"))?
            .sort;
        let w = width_of(to)?;
        let (lt, gt) = if signed {
            (Relation::Slt, Relation::Sgt)
        } else {
            (Relation::Ult, Relation::Ugt)
        };
        let less = self.int_compare(lt, sort, a, b);
        let more = self.int_compare(gt, sort, a, b);
        let upper = self.choose(to, more, int(w, 1), int(w, 0));
        Ok(self.choose(to, less, int(w, mask(u128::MAX, w)), upper))
    }

    /// `llvm.is.fpclass`: ten classes, distinguished by the bit pattern.
    fn float_class(&mut self, sort: Sort, a: Operand, classes: Operand) -> Result<Operand, Bail> {
        let Operand::Const(Constant::Int { value: classes, .. }) = classes else {
            return Err(unsupported(
                BailKind::Unsupported,
                "llvm.is.fpclass with unknown classes",
            ));
        };
        let format = format_of(sort)?;
        let (w, mantissa) = if format == FloatFormat::Single {
            (32, 23)
        } else {
            (64, 52)
        };
        let bits_sort = Sort::Int(w);
        let bits = self.float_cast(FloatCast::ToBits(format), bits_sort, a)?;
        let magnitude = self.arith(IntOp::And, w, bits, int(w, mask(u128::MAX, w - 1)), false);
        let negative = self.int_compare(Relation::Slt, bits_sort, bits, int(w, 0));
        let infinity = mask(u128::MAX, w - 1) >> mantissa << mantissa;
        let quiet = infinity | 1u128 << (mantissa - 1);
        let least_normal = 1u128 << mantissa;
        // Magnitudes as half-open ranges: [low, high), and the class bits for either sign.
        let ranges = [
            (0, 1, 1u128 << 6, 1u128 << 5),
            (1, least_normal, 1 << 7, 1 << 4),
            (least_normal, infinity, 1 << 8, 1 << 3),
            (infinity, infinity + 1, 1 << 9, 1 << 2),
            (infinity + 1, quiet, 1, 1),
            (quiet, mask(u128::MAX, w - 1) + 1, 2, 2),
        ];
        let mut any = int(1, 0);
        for (low, high, positive, minus) in ranges {
            let wanted = match (classes & positive != 0, classes & minus != 0) {
                (false, false) => continue,
                (true, true) => int(1, 1),
                (false, true) => negative,
                (true, false) => self.arith(IntOp::Xor, 1, negative, int(1, 1), false),
            };
            let above = self.int_compare(Relation::Uge, bits_sort, magnitude, int(w, low));
            let below = self.int_compare(Relation::Ult, bits_sort, magnitude, int(w, high));
            let inside = self.arith(IntOp::And, 1, above, below, false);
            let here = self.arith(IntOp::And, 1, inside, wanted, false);
            any = self.arith(IntOp::Or, 1, any, here, false);
        }
        Ok(any)
    }
}

fn missing(name: &str) -> Bail {
    unsupported(
        BailKind::Unsupported,
        format!("llvm.{name} with missing arguments"),
    )
}
