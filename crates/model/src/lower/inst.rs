//! Instructions other than calls and terminators, each into scalar instructions of the model.

use super::constants::mask;
use super::function::{Builder, Next, int};
use super::types::{format_of, unsupported, width_of};
use crate::program::*;
use attest_llvm::ir::{self, BinOp, CastOp, ConstExpr, FloatPredicate, InstKind, IntPredicate};

impl Builder<'_, '_> {
    /// Lowers one instruction.
    pub fn inst(&mut self, inst: &ir::Inst) -> Result<Next, Bail> {
        if let InstKind::Call(call) = &inst.kind {
            return self.call(call, inst.result);
        }
        let values = match &inst.kind {
            InstKind::Phi { .. } | InstKind::Dbg(_) | InstKind::Fence(_) => {
                return Ok(Next::Continue);
            }
            InstKind::Store { ty, value, ptr, .. } => {
                self.store(*ty, *value, *ptr)?;
                return Ok(Next::Continue);
            }
            InstKind::Exception(what) => {
                return Err(unsupported(BailKind::Exception, what.clone()));
            }
            InstKind::Bin {
                op,
                flags,
                ty,
                lhs,
                rhs,
            } => {
                let (op, flags) = (*op, *flags);
                if let Some(difference) = self.pointer_difference(inst) {
                    vec![difference]
                } else if let Some(width) = self.wide_width(*ty) {
                    self.wide_binary(op, width, *lhs, *rhs)?
                } else {
                    self.zip(*ty, *lhs, *rhs, |b, sort, x, y| {
                        b.binary(op, flags, sort, x, y)
                    })?
                }
            }
            InstKind::FNeg(ty, value) => self.negate(*ty, *value)?,
            InstKind::ICmp { pred, ty, lhs, rhs } => {
                let pred = *pred;
                if let Some(width) = self.wide_width(*ty) {
                    vec![self.wide_compare(pred, width, *lhs, *rhs)?]
                } else {
                    self.zip(*ty, *lhs, *rhs, |b, sort, x, y| {
                        Ok(b.int_compare(relation(pred), sort, x, y))
                    })?
                }
            }
            InstKind::FCmp { pred, ty, lhs, rhs } => {
                self.zip(*ty, *lhs, *rhs, |b, sort, x, y| {
                    b.float_compare(*pred, sort, x, y)
                })?
            }
            InstKind::Cast {
                op,
                from,
                value,
                to,
                ..
            } => self.cast(*op, *from, *value, *to, inst.result)?,
            InstKind::Alloca { ty, count, .. } => return self.alloca(inst, *ty, *count),
            InstKind::Load { ty, ptr, .. } => self.load(*ty, *ptr, inst.result)?,
            InstKind::Gep {
                source,
                base,
                indices,
                ..
            } => self.gep(*source, *base, indices)?,
            InstKind::Select {
                cond_ty,
                cond,
                ty,
                on_true,
                on_false,
            } => self.select(*cond_ty, *cond, *ty, *on_true, *on_false)?,
            // Undefined values are explicit inputs already, so `freeze` has no effect.
            InstKind::Freeze(_, value) => self.operand(*value)?,
            other => self.aggregate_or_atomic(other)?,
        };
        if let Some(result) = inst.result {
            self.set(result, values);
        }
        Ok(Next::Continue)
    }

    /// The result of an operation on aggregates or vectors, or of an atomic access.
    fn aggregate_or_atomic(&mut self, kind: &InstKind) -> Result<Vec<Operand>, Bail> {
        match kind {
            InstKind::ExtractValue { ty, agg, indices } => {
                let (start, len) = self.field_range(*ty, indices)?;
                let all = self.operand(*agg)?;
                all.get(start..start + len)
                    .map(<[Operand]>::to_vec)
                    .ok_or_else(outside)
            }
            InstKind::InsertValue {
                ty,
                agg,
                value,
                indices,
                ..
            } => {
                let (start, len) = self.field_range(*ty, indices)?;
                let mut all = self.operand(*agg)?;
                let new = self.operand(*value)?;
                if start + len > all.len() || new.len() != len {
                    return Err(outside());
                }
                all.splice(start..start + len, new);
                Ok(all)
            }
            InstKind::ExtractElement { vector, index, .. } => self.extract_element(*vector, *index),
            InstKind::InsertElement {
                vector,
                value,
                index,
                ..
            } => self.insert_element(*vector, *value, *index),
            InstKind::ShuffleVector { lhs, rhs, mask, .. } => self.shuffle(*lhs, *rhs, *mask),
            InstKind::VaArg { .. } => Err(unsupported(BailKind::Unsupported, "va_arg instruction")),
            InstKind::AtomicRmw {
                op, ptr, ty, value, ..
            } => self.atomic_rmw(op, *ptr, *ty, *value),
            InstKind::CmpXchg {
                ptr,
                ty,
                expected,
                new,
                ..
            } => self.compare_exchange(*ptr, *ty, *expected, *new),
            _ => Err(unsupported(
                BailKind::Unsupported,
                "an unsupported instruction",
            )),
        }
    }

    /// Float negation, lane by lane.
    fn negate(&mut self, ty: ir::Ty, value: ir::Operand) -> Result<Vec<Operand>, Bail> {
        let leaves = self.ctx.leaves(ty)?;
        let operands = self.operand(value)?;
        let mut out = Vec::new();
        for (leaf, a) in leaves.iter().zip(operands) {
            out.push(self.float_unary(FloatUnary::Neg, leaf.sort, a)?);
        }
        Ok(out)
    }

    /// Applies a scalar operation to each lane.
    fn zip(
        &mut self,
        ty: ir::Ty,
        lhs: ir::Operand,
        rhs: ir::Operand,
        mut each: impl FnMut(&mut Self, Sort, Operand, Operand) -> Result<Operand, Bail>,
    ) -> Result<Vec<Operand>, Bail> {
        let leaves = self.ctx.leaves(ty)?;
        let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
        let mut out = Vec::with_capacity(leaves.len());
        for ((leaf, x), y) in leaves.iter().zip(a).zip(b) {
            out.push(each(self, leaf.sort, x, y)?);
        }
        Ok(out)
    }

    /// `p - q` is a difference of pointers, which needs no addresses. A difference of numbers that
    /// the program itself made from pointers is defined for different objects too.
    fn pointer_difference(&mut self, inst: &ir::Inst) -> Option<Operand> {
        let name = &self.ir.locals.get(inst.result?.0 as usize)?.name;
        if !name.starts_with("sub.ptr.") {
            return None;
        }
        let InstKind::Bin {
            op: BinOp::Sub,
            lhs: ir::Operand::Local(x),
            rhs: ir::Operand::Local(y),
            ..
        } = &inst.kind
        else {
            return None;
        };
        let (&a, &b) = (self.pointer_of.get(x)?, self.pointer_of.get(y)?);
        let width = self.ctx.pointer_bits();
        let dst = self.temp(Sort::Int(width));
        self.emit(Inst::PtrDiff { dst, width, a, b });
        Some(Operand::Reg(dst))
    }

    fn binary(
        &mut self,
        op: BinOp,
        flags: ir::Flags,
        sort: Sort,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Bail> {
        let float = |op| (None, Some(op));
        let (int_op, float_op) = match op {
            BinOp::Add => (Some(IntOp::Add), None),
            BinOp::Sub => (Some(IntOp::Sub), None),
            BinOp::Mul => (Some(IntOp::Mul), None),
            BinOp::UDiv => (Some(IntOp::UDiv), None),
            BinOp::SDiv => (Some(IntOp::SDiv), None),
            BinOp::URem => (Some(IntOp::URem), None),
            BinOp::SRem => (Some(IntOp::SRem), None),
            BinOp::Shl => (Some(IntOp::Shl), None),
            BinOp::LShr => (Some(IntOp::LShr), None),
            BinOp::AShr => (Some(IntOp::AShr), None),
            BinOp::And => (Some(IntOp::And), None),
            BinOp::Or => (Some(IntOp::Or), None),
            BinOp::Xor => (Some(IntOp::Xor), None),
            BinOp::FAdd => float(FloatOp::Add),
            BinOp::FSub => float(FloatOp::Sub),
            BinOp::FMul => float(FloatOp::Mul),
            BinOp::FDiv => float(FloatOp::Div),
            BinOp::FRem => float(FloatOp::Rem),
        };
        if let Some(op) = float_op {
            let dst = self.temp(sort);
            self.emit(Inst::Float {
                op,
                format: format_of(sort)?,
                dst,
                a,
                b,
            });
            return Ok(Operand::Reg(dst));
        }
        let width = width_of(sort)?;
        if matches!(op, BinOp::SDiv | BinOp::SRem) && self.ctx.options.quotients {
            self.check_quotient(width, a, b);
        }
        Ok(self.arith(int_op.unwrap_or(IntOp::Add), width, a, b, flags.nsw))
    }

    /// The run ends by an overflow where the least number is divided by minus one.
    fn check_quotient(&mut self, width: u32, a: Operand, b: Operand) {
        let minus_one = mask(u128::MAX, width);
        if matches!(b, Operand::Const(Constant::Int { value, .. }) if value != minus_one) {
            return;
        }
        let sort = Sort::Int(width);
        let least = self.int_compare(Relation::Eq, sort, a, int(width, 1 << (width - 1)));
        let by_minus_one = self.int_compare(Relation::Eq, sort, b, int(width, minus_one));
        let cond = self.arith(IntOp::And, 1, least, by_minus_one, false);
        let what = "the quotient of the least number and minus one";
        let then = self.bail_block(unsupported(BailKind::Overflow, what));
        let rest = self.new_block();
        let jump = |block| Target {
            block,
            copies: Vec::new(),
        };
        self.finish(Terminator::Branch {
            cond,
            then: jump(then),
            other: jump(rest),
        });
        self.current = rest;
    }

    /// Integer arithmetic into a fresh register.
    pub fn arith(
        &mut self,
        op: IntOp,
        width: u32,
        a: Operand,
        b: Operand,
        no_signed_wrap: bool,
    ) -> Operand {
        let dst = self.temp(Sort::Int(width));
        self.emit(Inst::Int {
            op,
            width,
            dst,
            a,
            b,
            no_signed_wrap,
        });
        Operand::Reg(dst)
    }

    /// A comparison of integers or pointers.
    pub fn int_compare(&mut self, rel: Relation, sort: Sort, a: Operand, b: Operand) -> Operand {
        let dst = self.temp(Sort::Int(1));
        self.emit(match sort {
            Sort::Int(width) => Inst::Compare {
                rel,
                width,
                dst,
                a,
                b,
            },
            _ => Inst::PtrCompare {
                rel,
                dst,
                a,
                b,
                numbers: false,
            },
        });
        Operand::Reg(dst)
    }

    fn float_compare(
        &mut self,
        pred: FloatPredicate,
        sort: Sort,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Bail> {
        let dst = self.temp(Sort::Int(1));
        self.emit(Inst::FloatCompare {
            rel: float_relation(pred),
            format: format_of(sort)?,
            dst,
            a,
            b,
        });
        Ok(Operand::Reg(dst))
    }

    /// Unary float arithmetic.
    pub fn float_unary(&mut self, op: FloatUnary, sort: Sort, a: Operand) -> Result<Operand, Bail> {
        let dst = self.temp(sort);
        self.emit(Inst::FloatUnary {
            op,
            format: format_of(sort)?,
            dst,
            a,
        });
        Ok(Operand::Reg(dst))
    }

    /// `cond ? a : b` into a fresh register.
    pub fn choose(&mut self, sort: Sort, cond: Operand, a: Operand, b: Operand) -> Operand {
        let dst = self.temp(sort);
        self.emit(Inst::Select { dst, cond, a, b });
        Operand::Reg(dst)
    }

    /// Changes the width of an integer.
    pub fn resize(&mut self, how: Resize, from: u32, to: u32, a: Operand) -> Operand {
        if from == to {
            return a;
        }
        if let (Operand::Const(Constant::Int { value, .. }), true) = (a, how != Resize::SignExtend)
        {
            return int(to, mask(value, to));
        }
        let dst = self.temp(Sort::Int(to));
        self.emit(Inst::Resize {
            how,
            from,
            to,
            dst,
            a,
        });
        Operand::Reg(dst)
    }

    fn select(
        &mut self,
        cond_ty: ir::Ty,
        cond: ir::Operand,
        ty: ir::Ty,
        on_true: ir::Operand,
        on_false: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let leaves = self.ctx.leaves(ty)?;
        let lanes = self.ctx.leaves(cond_ty)?.len();
        let conds = self.operand(cond)?;
        let is_folded = |value| matches!(value, ir::Operand::Const(id) if self.is_folded(id));
        match (is_folded(on_true), is_folded(on_false)) {
            (false, false) => {}
            (true, true) => return self.operand(on_true),
            // The quotient of 1 by what is 0 where the undefined one is chosen.
            (is_first, _) => {
                let (zero, one) = (int(32, 0), int(32, 1));
                let (a, b) = if is_first { (zero, one) } else { (one, zero) };
                let divisor = self.choose(Sort::Int(32), conds[0], a, b);
                self.arith(IntOp::UDiv, 32, one, divisor, false);
                return self.operand(if is_first { on_false } else { on_true });
            }
        }
        let (a, b) = (self.operand(on_true)?, self.operand(on_false)?);
        let mut out = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.iter().enumerate() {
            let cond = if lanes == 1 {
                conds[0]
            } else {
                *conds.get(i).ok_or_else(outside)?
            };
            out.push(self.choose(leaf.sort, cond, a[i], b[i]));
        }
        Ok(out)
    }

    fn cast(
        &mut self,
        op: CastOp,
        from: ir::Ty,
        value: ir::Operand,
        to: ir::Ty,
        result: Option<ir::LocalId>,
    ) -> Result<Vec<Operand>, Bail> {
        if self.wide_width(from).is_some() || self.wide_width(to).is_some() {
            return self.wide_cast(op, from, value, to);
        }
        let operands = self.operand(value)?;
        if op == CastOp::BitCast {
            return self.bitcast(from, operands, to);
        }
        let (sources, targets) = (self.ctx.leaves(from)?, self.ctx.leaves(to)?);
        if let (CastOp::PtrToInt, [one], Some(result)) = (op, operands.as_slice(), result)
            && targets[0].sort == Sort::Int(self.ctx.pointer_bits())
        {
            self.pointer_of.insert(result, *one);
        }
        let mut out = Vec::with_capacity(targets.len());
        for ((source, target), a) in sources.iter().zip(&targets).zip(operands) {
            out.push(self.scalar_cast(op, source.sort, target.sort, a)?);
        }
        Ok(out)
    }

    /// One scalar conversion.
    pub fn scalar_cast(
        &mut self,
        op: CastOp,
        from: Sort,
        to: Sort,
        a: Operand,
    ) -> Result<Operand, Bail> {
        let dst = |b: &mut Self| b.temp(to);
        match op {
            CastOp::Trunc => Ok(self.resize(Resize::Truncate, width_of(from)?, width_of(to)?, a)),
            CastOp::ZExt => Ok(self.resize(Resize::ZeroExtend, width_of(from)?, width_of(to)?, a)),
            CastOp::SExt => Ok(self.resize(Resize::SignExtend, width_of(from)?, width_of(to)?, a)),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let (dst, width) = (dst(self), width_of(to)?);
                self.emit(Inst::PtrToInt { dst, width, a });
                Ok(Operand::Reg(dst))
            }
            CastOp::IntToPtr => {
                let (dst, width) = (dst(self), width_of(from)?);
                self.emit(Inst::IntToPtr {
                    dst,
                    width,
                    a,
                    plain: false,
                });
                Ok(Operand::Reg(dst))
            }
            CastOp::BitCast | CastOp::AddrSpaceCast => Ok(a),
            CastOp::FpTrunc | CastOp::FpExt => self.float_cast(
                FloatCast::Format {
                    from: format_of(from)?,
                    to: format_of(to)?,
                },
                to,
                a,
            ),
            CastOp::FpToUi | CastOp::FpToSi => {
                let signed = op == CastOp::FpToSi;
                let cast = FloatCast::ToInt {
                    from: format_of(from)?,
                    width: width_of(to)?,
                    signed,
                    saturating: false,
                };
                self.float_cast(cast, to, a)
            }
            CastOp::UiToFp | CastOp::SiToFp => {
                let signed = op == CastOp::SiToFp;
                self.float_cast(
                    FloatCast::FromInt {
                        width: width_of(from)?,
                        signed,
                        to: format_of(to)?,
                    },
                    to,
                    a,
                )
            }
        }
    }

    /// A float conversion into a fresh register.
    pub fn float_cast(&mut self, cast: FloatCast, to: Sort, a: Operand) -> Result<Operand, Bail> {
        let dst = self.temp(to);
        self.emit(Inst::FloatCast { cast, dst, a });
        Ok(Operand::Reg(dst))
    }

    /// Code for a constant expression that is not a plain scalar.
    pub fn constant_expr(&mut self, expr: &ConstExpr, ty: ir::Ty) -> Result<Vec<Operand>, Bail> {
        let module = self.ctx.module;
        let type_of = |id: &ir::ConstId| module.constant(*id).ty;
        let one = |b: &mut Self, id: &ir::ConstId| b.scalar_operand(ir::Operand::Const(*id));
        Ok(match expr {
            ConstExpr::Cast(CastOp::BitCast, value) => {
                let operands = self.constant(*value)?;
                self.bitcast(type_of(value), operands, ty)?
            }
            ConstExpr::Cast(op, value) => {
                let a = one(self, value)?;
                let (from, to) = (self.ctx.scalar(type_of(value))?, self.ctx.scalar(ty)?);
                vec![self.scalar_cast(*op, from, to, a)?]
            }
            ConstExpr::Gep {
                source,
                base,
                indices,
                ..
            } => {
                let base = one(self, base)?;
                let mut parts = Vec::new();
                for index in indices {
                    let width = width_of(self.ctx.scalar(type_of(index))?)?;
                    parts.push((width, one(self, index)?));
                }
                vec![self.walk_indices(*source, base, &parts)?]
            }
            ConstExpr::Bin(op, a, b) => {
                let sort = self.ctx.scalar(ty)?;
                let (x, y) = (one(self, a)?, one(self, b)?);
                vec![self.binary(*op, ir::Flags::default(), sort, x, y)?]
            }
            ConstExpr::ICmp(pred, a, b) => {
                let sort = self.ctx.scalar(type_of(a))?;
                let (x, y) = (one(self, a)?, one(self, b)?);
                vec![self.int_compare(relation(*pred), sort, x, y)]
            }
            ConstExpr::FCmp(pred, a, b) => {
                let sort = self.ctx.scalar(type_of(a))?;
                let (x, y) = (one(self, a)?, one(self, b)?);
                vec![self.float_compare(*pred, sort, x, y)?]
            }
            ConstExpr::Select(cond, a, b) => {
                let sort = self.ctx.scalar(ty)?;
                let (c, x, y) = (one(self, cond)?, one(self, a)?, one(self, b)?);
                vec![self.choose(sort, c, x, y)]
            }
            ConstExpr::ExtractElement(v, i) => {
                self.extract_element(ir::Operand::Const(*v), ir::Operand::Const(*i))?
            }
            ConstExpr::InsertElement(v, x, i) => {
                let (v, x, i) = (
                    ir::Operand::Const(*v),
                    ir::Operand::Const(*x),
                    ir::Operand::Const(*i),
                );
                self.insert_element(v, x, i)?
            }
            ConstExpr::ShuffleVector(a, b, m) => {
                self.shuffle(ir::Operand::Const(*a), ir::Operand::Const(*b), *m)?
            }
        })
    }

    /// The range of a field's scalars among those of its aggregate.
    fn field_range(&mut self, ty: ir::Ty, indices: &[u32]) -> Result<(usize, usize), Bail> {
        let (mut start, mut ty) = (0, ty);
        for &index in indices {
            let (before, field) = self.ctx.leaf_range(ty, u64::from(index))?;
            start += before;
            ty = field;
        }
        Ok((start, self.ctx.leaves(ty)?.len()))
    }
}

/// An index outside its aggregate.
pub(crate) fn outside() -> Bail {
    unsupported(BailKind::Unsupported, "an index outside its aggregate")
}

fn relation(pred: IntPredicate) -> Relation {
    match pred {
        IntPredicate::Eq => Relation::Eq,
        IntPredicate::Ne => Relation::Ne,
        IntPredicate::Ugt => Relation::Ugt,
        IntPredicate::Uge => Relation::Uge,
        IntPredicate::Ult => Relation::Ult,
        IntPredicate::Ule => Relation::Ule,
        IntPredicate::Sgt => Relation::Sgt,
        IntPredicate::Sge => Relation::Sge,
        IntPredicate::Slt => Relation::Slt,
        IntPredicate::Sle => Relation::Sle,
    }
}

fn float_relation(pred: FloatPredicate) -> FloatRelation {
    match pred {
        FloatPredicate::False => FloatRelation::False,
        FloatPredicate::Oeq => FloatRelation::Oeq,
        FloatPredicate::Ogt => FloatRelation::Ogt,
        FloatPredicate::Oge => FloatRelation::Oge,
        FloatPredicate::Olt => FloatRelation::Olt,
        FloatPredicate::Ole => FloatRelation::Ole,
        FloatPredicate::One => FloatRelation::One,
        FloatPredicate::Ord => FloatRelation::Ord,
        FloatPredicate::Ueq => FloatRelation::Ueq,
        FloatPredicate::Ugt => FloatRelation::Ugt,
        FloatPredicate::Uge => FloatRelation::Uge,
        FloatPredicate::Ult => FloatRelation::Ult,
        FloatPredicate::Ule => FloatRelation::Ule,
        FloatPredicate::Une => FloatRelation::Une,
        FloatPredicate::Uno => FloatRelation::Uno,
        FloatPredicate::True => FloatRelation::True,
    }
}
