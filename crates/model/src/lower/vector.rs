//! Vectors, lane by lane, and atomic accesses, which are plain accesses in a sequential program.

use super::function::{Builder, int};
use super::inst::outside;
use super::types::{unsupported, width_of};
use crate::program::*;
use attest_llvm::ir::{self, ConstKind};

impl Builder<'_, '_> {
    /// One lane; a variable index is a chain of choices.
    pub fn extract_element(
        &mut self,
        vector: ir::Operand,
        index: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let (lanes, index) = self.lanes_and_index(vector, index)?;
        let (sort, width, index) = match index {
            Index::Known(i) => return Ok(vec![*lanes.get(i).ok_or_else(outside)?]),
            Index::Unknown(sort, width, index) => (sort, width, index),
        };
        let mut chosen = *lanes.first().ok_or_else(outside)?;
        for (i, lane) in lanes.iter().enumerate().skip(1) {
            let here =
                self.int_compare(Relation::Eq, Sort::Int(width), index, int(width, i as u128));
            chosen = self.choose(sort, here, *lane, chosen);
        }
        Ok(vec![chosen])
    }

    /// A vector with one lane replaced.
    pub fn insert_element(
        &mut self,
        vector: ir::Operand,
        value: ir::Operand,
        index: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let (mut lanes, index) = self.lanes_and_index(vector, index)?;
        let value = self.scalar_operand(value)?;
        match index {
            Index::Known(i) => *lanes.get_mut(i).ok_or_else(outside)? = value,
            Index::Unknown(sort, width, index) => {
                for (i, lane) in lanes.iter_mut().enumerate() {
                    let here = self.int_compare(
                        Relation::Eq,
                        Sort::Int(width),
                        index,
                        int(width, i as u128),
                    );
                    *lane = self.choose(sort, here, value, *lane);
                }
            }
        }
        Ok(lanes)
    }

    fn lanes_and_index(
        &mut self,
        vector: ir::Operand,
        index: ir::Operand,
    ) -> Result<(Vec<Operand>, Index), Bail> {
        let ty = self
            .ctx
            .module_operand_type(self.ir, vector)
            .ok_or_else(outside)?;
        let index_ty = self
            .ctx
            .module_operand_type(self.ir, index)
            .ok_or_else(outside)?;
        let sort = self.ctx.leaves(ty)?.first().ok_or_else(outside)?.sort;
        let lanes = self.operand(vector)?;
        let width = width_of(self.ctx.scalar(index_ty)?)?;
        Ok(match self.scalar_operand(index)? {
            Operand::Const(Constant::Int { value, .. }) => (
                lanes,
                Index::Known(usize::try_from(value).unwrap_or(usize::MAX)),
            ),
            other => (lanes, Index::Unknown(sort, width, other)),
        })
    }

    /// Lanes selected from two vectors by a constant mask.
    pub fn shuffle(
        &mut self,
        lhs: ir::Operand,
        rhs: ir::Operand,
        mask: ir::ConstId,
    ) -> Result<Vec<Operand>, Bail> {
        let ty = self
            .ctx
            .module_operand_type(self.ir, lhs)
            .ok_or_else(outside)?;
        let sort = self.ctx.leaves(ty)?.first().ok_or_else(outside)?.sort;
        let mut lanes = self.operand(lhs)?;
        lanes.extend(self.operand(rhs)?);
        let module = self.ctx.module;
        let mask = module.constant(mask);
        let picks: Vec<Option<usize>> = match &mask.kind {
            ConstKind::Aggregate(elements) => elements
                .iter()
                .map(|e| match &module.constant(*e).kind {
                    ConstKind::Int(words) => words.first().map(|w| *w as usize),
                    _ => None,
                })
                .collect(),
            ConstKind::Splat(element) => {
                let pick = match &module.constant(*element).kind {
                    ConstKind::Int(words) => words.first().map(|w| *w as usize),
                    _ => None,
                };
                vec![pick; self.ctx.leaves(mask.ty)?.len()]
            }
            ConstKind::Zero => vec![Some(0); self.ctx.leaves(mask.ty)?.len()],
            _ => vec![None; self.ctx.leaves(mask.ty)?.len()],
        };
        picks
            .into_iter()
            .map(|pick| match pick {
                Some(i) => lanes.get(i).copied().ok_or_else(outside),
                None => Ok(self.undefined(sort)),
            })
            .collect()
    }

    /// `atomicrmw`: load, compute, store; the old value is the result.
    pub fn atomic_rmw(
        &mut self,
        op: &str,
        ptr: ir::Operand,
        ty: ir::Ty,
        value: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let base = self.scalar_operand(ptr)?;
        let value = self.scalar_operand(value)?;
        let sort = self.ctx.scalar(ty)?;
        let old = self.load_from(ty, base)?;
        let [before] = old.as_slice() else {
            return Err(outside());
        };
        let before = *before;
        let minmax = |b: &mut Self, rel| {
            let keep = b.int_compare(rel, sort, before, value);
            Ok(b.choose(sort, keep, before, value))
        };
        let plain = |b: &mut Self, op| Ok(b.arith(op, width_of(sort)?, before, value, false));
        let new = match op {
            "xchg" => Ok(value),
            "add" => plain(self, IntOp::Add),
            "sub" => plain(self, IntOp::Sub),
            "and" => plain(self, IntOp::And),
            "or" => plain(self, IntOp::Or),
            "xor" => plain(self, IntOp::Xor),
            "nand" => {
                let both = self.arith(IntOp::And, width_of(sort)?, before, value, false);
                let ones = super::constants::mask(u128::MAX, width_of(sort)?);
                Ok(self.arith(
                    IntOp::Xor,
                    width_of(sort)?,
                    both,
                    int(width_of(sort)?, ones),
                    false,
                ))
            }
            "max" => minmax(self, Relation::Sgt),
            "min" => minmax(self, Relation::Slt),
            "umax" => minmax(self, Relation::Ugt),
            "umin" => minmax(self, Relation::Ult),
            other => Err(unsupported(
                BailKind::Unsupported,
                format!("atomicrmw {other}"),
            )),
        }?;
        self.store_to(ty, &[new], base)?;
        Ok(vec![before])
    }

    /// `cmpxchg`: the old value and whether it was the expected one.
    pub fn compare_exchange(
        &mut self,
        ptr: ir::Operand,
        ty: ir::Ty,
        expected: ir::Operand,
        new: ir::Operand,
    ) -> Result<Vec<Operand>, Bail> {
        let base = self.scalar_operand(ptr)?;
        let (expected, new) = (self.scalar_operand(expected)?, self.scalar_operand(new)?);
        let sort = self.ctx.scalar(ty)?;
        let old = self.load_from(ty, base)?;
        let [before] = old.as_slice() else {
            return Err(outside());
        };
        let same = self.int_compare(Relation::Eq, sort, *before, expected);
        let after = self.choose(sort, same, new, *before);
        self.store_to(ty, &[after], base)?;
        Ok(vec![*before, same])
    }
}

/// An index into a vector.
enum Index {
    Known(usize),
    /// The sort of the lanes, the width of the index, the index.
    Unknown(Sort, u32, Operand),
}
