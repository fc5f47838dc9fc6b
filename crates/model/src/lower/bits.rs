//! `bitcast`: the same bits as another type, lane by lane where the lanes agree and otherwise
//! through one integer.

use super::function::{Builder, int};
use super::types::{Leaf, format_of, unsupported};
use crate::program::*;
use attest_llvm::ir;
use attest_llvm::ir::CastOp;

impl Builder<'_, '_> {
    /// The scalars of the target type with these bits.
    pub fn bitcast(
        &mut self,
        from: ir::Ty,
        operands: Vec<Operand>,
        to: ir::Ty,
    ) -> Result<Vec<Operand>, Bail> {
        let (sources, targets) = (self.ctx.leaves(from)?, self.ctx.leaves(to)?);
        let bits = |b: &Self, sort| b.bits_of(sort);
        let lanes_agree = sources.len() == targets.len()
            && sources
                .iter()
                .zip(&targets)
                .all(|(s, t)| bits(self, s.sort) == bits(self, t.sort));
        if lanes_agree {
            let mut out = Vec::with_capacity(targets.len());
            for ((s, t), a) in sources.iter().zip(&targets).zip(operands) {
                out.push(self.same_bits(s.sort, t.sort, a)?);
            }
            return Ok(out);
        }
        let total: u32 = sources.iter().map(|s| self.bits_of(s.sort)).sum();
        if total > 128 {
            return Err(unsupported(
                BailKind::Type,
                format!("a bitcast of {total} bits"),
            ));
        }
        let whole = self.join(&sources, operands, total)?;
        self.split(whole, total, &targets)
    }

    fn bits_of(&self, sort: Sort) -> u32 {
        match sort {
            Sort::Int(w) => w,
            Sort::Ptr => self.ctx.pointer_bits(),
            Sort::F32 => 32,
            Sort::F64 => 64,
        }
    }

    /// One scalar as another of the same size.
    fn same_bits(&mut self, from: Sort, to: Sort, a: Operand) -> Result<Operand, Bail> {
        match (from, to) {
            _ if from == to => Ok(a),
            (Sort::F32 | Sort::F64, Sort::Int(_)) => {
                self.float_cast(FloatCast::ToBits(format_of(from)?), to, a)
            }
            (Sort::Int(_), Sort::F32 | Sort::F64) => {
                self.float_cast(FloatCast::FromBits(format_of(to)?), to, a)
            }
            (Sort::Ptr, Sort::Int(_)) => self.scalar_cast(CastOp::PtrToInt, from, to, a),
            (Sort::Int(_), Sort::Ptr) => self.scalar_cast(CastOp::IntToPtr, from, to, a),
            _ => Err(unsupported(
                BailKind::Type,
                "a bitcast between pointers and floats",
            )),
        }
    }

    /// Lanes into one integer, the first lane lowest.
    fn join(
        &mut self,
        lanes: &[Leaf],
        operands: Vec<Operand>,
        total: u32,
    ) -> Result<Operand, Bail> {
        let mut whole = int(total, 0);
        let mut at = 0;
        for (lane, a) in lanes.iter().zip(operands) {
            let width = self.bits_of(lane.sort);
            let part = self.same_bits(lane.sort, Sort::Int(width), a)?;
            let part = self.resize(Resize::ZeroExtend, width, total, part);
            let part = if at == 0 {
                part
            } else {
                self.arith(IntOp::Shl, total, part, int(total, at.into()), false)
            };
            whole = if at == 0 {
                part
            } else {
                self.arith(IntOp::Or, total, whole, part, false)
            };
            at += width;
        }
        Ok(whole)
    }

    /// One integer into lanes.
    fn split(&mut self, whole: Operand, total: u32, lanes: &[Leaf]) -> Result<Vec<Operand>, Bail> {
        let mut out = Vec::with_capacity(lanes.len());
        let mut at = 0;
        for lane in lanes {
            let width = self.bits_of(lane.sort);
            let part = if at == 0 {
                whole
            } else {
                self.arith(IntOp::LShr, total, whole, int(total, at.into()), false)
            };
            let part = self.resize(Resize::Truncate, total, width, part);
            out.push(self.same_bits(Sort::Int(width), lane.sort, part)?);
            at += width;
        }
        Ok(out)
    }
}
