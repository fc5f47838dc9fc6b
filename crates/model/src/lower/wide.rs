//! Integers of more than 128 bits, as limbs of 64.
//!
//! clang reads packed bit-fields through one integer as wide as the whole run of fields. Such an
//! integer is an aggregate of limbs here, lowest first, the last one narrower. The operations of
//! bit-field code (shifts by constants, bit operations, changes of width) work limb by limb. Other
//! arithmetic on it is unsupported.

use super::function::{Builder, int};
use super::types::{LIMB, Leaf, limbs, unsupported, width_of};
use crate::program::*;
use attest_llvm::ir::{self, BinOp, CastOp, IntPredicate, TypeKind};

impl Builder<'_, '_> {
    /// The width of an integer type that is stored in limbs.
    pub fn wide_width(&self, ty: ir::Ty) -> Option<u32> {
        match self.ctx.module.types.kind(ty) {
            TypeKind::Int(w) if *w > 128 => Some(*w),
            _ => None,
        }
    }

    /// The limbs of a wide constant.
    pub fn wide_constant(&self, words: &[u64], width: u32) -> Result<Vec<Operand>, Bail> {
        let limbs = limbs(width, 0)?;
        let value = |i: usize| u128::from(*words.get(i).unwrap_or(&0));
        limbs
            .enumerate()
            .map(|(i, leaf)| Ok(int(width_of(leaf.sort)?, value(i))))
            .collect()
    }

    /// Arithmetic on limbs.
    pub fn wide_binary(
        &mut self,
        op: BinOp,
        width: u32,
        lhs: ir::Operand,
        rhs: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
        let bitwise = match op {
            BinOp::And => Some(IntOp::And),
            BinOp::Or => Some(IntOp::Or),
            BinOp::Xor => Some(IntOp::Xor),
            _ => None,
        };
        if let Some(op) = bitwise {
            let sorts: Vec<Leaf> = limbs(width, 0)?.collect();
            let pairs = a.into_iter().zip(b).zip(sorts);
            return pairs
                .map(|((x, y), leaf)| Ok(self.arith(op, width_of(leaf.sort)?, x, y, false)))
                .collect();
        }
        let amount = match b.first() {
            Some(Operand::Const(Constant::Int { value, .. })) if *value < u128::from(width) => {
                *value as u32
            }
            _ => return Err(refused(width)),
        };
        let full = self.full_limbs(a, width, op == BinOp::AShr)?;
        let shifted = match op {
            BinOp::Shl => self.shift_up(&full, amount),
            BinOp::LShr => self.shift_down(&full, amount, int(LIMB, 0)),
            BinOp::AShr => {
                let top = *full.last().ok_or_else(|| refused(width))?;
                let sign = self.arith(IntOp::AShr, LIMB, top, int(LIMB, 63), false);
                self.shift_down(&full, amount, sign)
            }
            _ => return Err(refused(width)),
        };
        self.trim_limbs(shifted, width)
    }

    /// A change of width from or to a wide integer.
    pub fn wide_cast(
        &mut self,
        op: CastOp,
        from: ir::Ty,
        value: ir::Operand,
        to: ir::Ty,
    ) -> Result<Vec<Operand>, Bail> {
        let width = |b: &Self, ty| match b.ctx.module.types.kind(ty) {
            TypeKind::Int(w) => Ok(*w),
            _ => Err(unsupported(
                BailKind::Type,
                "a conversion of a very wide integer",
            )),
        };
        let (from, to) = (width(self, from)?, width(self, to)?);
        let operands = self.operand(value)?;
        let signed = op == CastOp::SExt;
        if !matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt) {
            return Err(refused(from.max(to)));
        }
        let mut full = if from > 128 {
            self.full_limbs(operands, from, signed)?
        } else {
            let how = if signed {
                Resize::SignExtend
            } else {
                Resize::ZeroExtend
            };
            let a = *operands.first().ok_or_else(|| refused(from))?;
            let both = self.resize(how, from, 128, a);
            let low = self.resize(Resize::Truncate, 128, LIMB, both);
            let high = self.arith(IntOp::LShr, 128, both, int(128, 64), false);
            vec![low, self.resize(Resize::Truncate, 128, LIMB, high)]
        };
        let fill = match (signed, full.last()) {
            (true, Some(&top)) => self.arith(IntOp::AShr, LIMB, top, int(LIMB, 63), false),
            _ => int(LIMB, 0),
        };
        full.resize(to.div_ceil(LIMB).max(2) as usize, fill);
        if to > 128 {
            return self.trim_limbs(full, to);
        }
        let low = self.resize(Resize::ZeroExtend, LIMB, 128, full[0]);
        let high = self.resize(Resize::ZeroExtend, LIMB, 128, full[1]);
        let high = self.arith(IntOp::Shl, 128, high, int(128, 64), false);
        let both = self.arith(IntOp::Or, 128, low, high, false);
        Ok(vec![self.resize(Resize::Truncate, 128, to, both)])
    }

    /// Equality of wide integers.
    pub fn wide_compare(
        &mut self,
        pred: IntPredicate,
        width: u32,
        lhs: ir::Operand,
        rhs: ir::Operand,
    ) -> Result<Operand, Bail> {
        let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
        let sorts: Vec<Leaf> = limbs(width, 0)?.collect();
        let mut equal = int(1, 1);
        for ((x, y), leaf) in a.into_iter().zip(b).zip(sorts) {
            let same = self.int_compare(Relation::Eq, leaf.sort, x, y);
            equal = self.arith(IntOp::And, 1, equal, same, false);
        }
        match pred {
            IntPredicate::Eq => Ok(equal),
            IntPredicate::Ne => Ok(self.arith(IntOp::Xor, 1, equal, int(1, 1), false)),
            _ => Err(refused(width)),
        }
    }

    /// All limbs, extended to full width.
    fn full_limbs(
        &mut self,
        mut limbs: Vec<Operand>,
        width: u32,
        signed: bool,
    ) -> Result<Vec<Operand>, Bail> {
        let last = width - (width.div_ceil(LIMB) - 1) * LIMB;
        let how = if signed {
            Resize::SignExtend
        } else {
            Resize::ZeroExtend
        };
        let top = limbs.pop().ok_or_else(|| refused(width))?;
        limbs.push(self.resize(how, last, LIMB, top));
        Ok(limbs)
    }

    /// Truncates the last limb to its width.
    fn trim_limbs(&mut self, mut limbs: Vec<Operand>, width: u32) -> Result<Vec<Operand>, Bail> {
        let count = width.div_ceil(LIMB);
        limbs.truncate(count as usize);
        let top = limbs.pop().ok_or_else(|| refused(width))?;
        limbs.push(self.resize(Resize::Truncate, LIMB, width - (count - 1) * LIMB, top));
        Ok(limbs)
    }

    fn shift_up(&mut self, limbs: &[Operand], amount: u32) -> Vec<Operand> {
        let (skip, bits) = ((amount / LIMB) as usize, amount % LIMB);
        let get = |i: usize| i.checked_sub(skip).map_or(int(LIMB, 0), |k| limbs[k]);
        (0..limbs.len())
            .map(|i| {
                let below = if i > 0 { get(i - 1) } else { int(LIMB, 0) };
                self.funnel_limbs(get(i), below, bits)
            })
            .collect()
    }

    fn shift_down(&mut self, limbs: &[Operand], amount: u32, fill: Operand) -> Vec<Operand> {
        let (skip, bits) = ((amount / LIMB) as usize, amount % LIMB);
        let get = |i: usize| limbs.get(i + skip).copied().unwrap_or(fill);
        (0..limbs.len())
            .map(|i| {
                if bits == 0 {
                    get(i)
                } else {
                    self.funnel_limbs(get(i + 1), get(i), LIMB - bits)
                }
            })
            .collect()
    }

    /// The upper limb of `high:low` shifted up.
    fn funnel_limbs(&mut self, high: Operand, low: Operand, bits: u32) -> Operand {
        if bits == 0 {
            return high;
        }
        let up = self.arith(IntOp::Shl, LIMB, high, int(LIMB, bits.into()), false);
        let down = self.arith(
            IntOp::LShr,
            LIMB,
            low,
            int(LIMB, (LIMB - bits).into()),
            false,
        );
        self.arith(IntOp::Or, LIMB, up, down, false)
    }
}

fn refused(width: u32) -> Bail {
    unsupported(
        BailKind::Type,
        format!("arithmetic on an integer of {width} bits"),
    )
}
