//! The operand types of an operation, and the type of its result.

use super::{Reader, Res};
use crate::ir::{BinOp, CastOp, Ty, TypeKind};

impl Reader<'_> {
    /// `(length, scalable)` of a vector.
    fn lanes(&self, ty: Ty) -> Option<(u64, bool)> {
        match *self.module.types.kind(ty) {
            TypeKind::Vector(n, _, scalable) => Some((n, scalable)),
            _ => None,
        }
    }

    fn with_lanes(&mut self, element: Ty, lanes: Option<(u64, bool)>) -> Ty {
        match lanes {
            Some((n, scalable)) => self
                .module
                .types
                .intern(TypeKind::Vector(n, element, scalable)),
            None => element,
        }
    }

    pub(super) fn fits_binary(&self, op: BinOp, ty: Ty) -> bool {
        let float = matches!(
            op,
            BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem
        );
        match self.scalar(ty) {
            TypeKind::Int(_) => !float,
            TypeKind::Float(_) => float,
            _ => false,
        }
    }

    pub(super) fn fits_compare(&self, ty: Ty, integers: bool) -> bool {
        match self.scalar(ty) {
            TypeKind::Int(_) | TypeKind::Ptr(_) => integers,
            TypeKind::Float(_) => !integers,
            _ => false,
        }
    }

    /// Whether a `select` may choose values of type `ty` by `cond`.
    pub(super) fn fits_condition(&self, cond: Ty, ty: Ty) -> bool {
        matches!(self.scalar(cond), TypeKind::Int(1))
            && (self.lanes(cond).is_none() || self.lanes(cond) == self.lanes(ty))
            && !matches!(
                self.module.types.kind(ty),
                TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. }
            )
    }

    /// `i1`, or a vector of it for vectors.
    pub(super) fn truth_type(&mut self, ty: Ty) -> Ty {
        let lanes = self.lanes(ty);
        self.with_lanes(self.common.i1, lanes)
    }

    pub(super) fn shuffle_type(&mut self, lhs: Ty, rhs: Ty, mask: Ty) -> Res<Ty> {
        let fits = lhs == rhs && matches!(self.scalar(mask), TypeKind::Int(32));
        match (self.module.types.kind(lhs), self.lanes(mask)) {
            (&TypeKind::Vector(_, element, _), Some(lanes)) if fits => {
                Ok(self.with_lanes(element, Some(lanes)))
            }
            _ => Err(self.fail("the operands are not of types for a shuffle")),
        }
    }

    pub(super) fn check_cast(&self, op: CastOp, from: Ty, to: Ty) -> Res<()> {
        let lanes = self.lanes(from) == self.lanes(to);
        let fits = match (op, self.scalar(from), self.scalar(to)) {
            (CastOp::Trunc, TypeKind::Int(a), TypeKind::Int(b)) => lanes && a > b,
            (CastOp::ZExt | CastOp::SExt, TypeKind::Int(a), TypeKind::Int(b)) => lanes && a < b,
            (CastOp::FpTrunc, TypeKind::Float(a), TypeKind::Float(b)) => {
                lanes && Self::float_width(*a) > Self::float_width(*b)
            }
            (CastOp::FpExt, TypeKind::Float(a), TypeKind::Float(b)) => {
                lanes && Self::float_width(*a) < Self::float_width(*b)
            }
            (CastOp::FpToUi | CastOp::FpToSi, TypeKind::Float(_), TypeKind::Int(_))
            | (CastOp::UiToFp | CastOp::SiToFp, TypeKind::Int(_), TypeKind::Float(_))
            | (CastOp::PtrToInt | CastOp::PtrToAddr, TypeKind::Ptr(_), TypeKind::Int(_))
            | (CastOp::IntToPtr, TypeKind::Int(_), TypeKind::Ptr(_)) => lanes,
            (CastOp::AddrSpaceCast, TypeKind::Ptr(a), TypeKind::Ptr(b)) => lanes && a != b,
            (CastOp::BitCast, TypeKind::Ptr(a), TypeKind::Ptr(b)) => a == b && lanes,
            (CastOp::BitCast, _, _) => {
                self.bit_width(from).is_some() && self.bit_width(from) == self.bit_width(to)
            }
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let (from, to) = (self.show(from), self.show(to));
        Err(self.fail(&format!(
            "this conversion is not possible from {from} to {to}"
        )))
    }

    /// The number of bits of an integer, float, or fixed vector of them (for a scalable one, per
    /// step).
    fn bit_width(&self, ty: Ty) -> Option<(u64, bool)> {
        let element = match self.scalar(ty) {
            TypeKind::Int(bits) => u64::from(*bits),
            TypeKind::Float(kind) => u64::from(Self::float_width(*kind)),
            TypeKind::Target(name) if name == "x86_mmx" => 64,
            TypeKind::Target(name) if name == "x86_amx" => 8192,
            _ => return None,
        };
        match self.lanes(ty) {
            Some((n, scalable)) => Some((element.checked_mul(n)?, scalable)),
            None => Some((element, false)),
        }
    }

    /// The type of a `getelementptr`; `indices` has their types and, for constants, values.
    pub(super) fn gep_type(
        &mut self,
        source: Ty,
        base: Ty,
        indices: &[(Ty, Option<u64>)],
    ) -> Res<Ty> {
        if !matches!(self.scalar(base), TypeKind::Ptr(_)) {
            return Err(self.fail("the base is not a pointer"));
        }
        let mut lanes = self.lanes(base);
        let mut at = source;
        for (i, &(ty, value)) in indices.iter().enumerate() {
            if !matches!(self.scalar(ty), TypeKind::Int(_)) {
                return Err(self.fail("an index is not an integer"));
            }
            match (lanes, self.lanes(ty)) {
                (None, some) => lanes = some,
                (Some(a), Some(b)) if a != b => {
                    return Err(self.fail("the vectors differ in length"));
                }
                _ => {}
            }
            if i == 0 {
                continue;
            }
            at = match *self.module.types.kind(at) {
                TypeKind::Array(_, element) | TypeKind::Vector(_, element, _) => element,
                _ => {
                    let field = value.and_then(|v| usize::try_from(v).ok());
                    let body = self.module.types.struct_body(at);
                    match body
                        .zip(field)
                        .and_then(|(body, field)| body.fields.get(field))
                    {
                        Some(&field) => field,
                        None => {
                            let message = format!("{} has no such part", self.show(at));
                            return Err(self.fail(&message));
                        }
                    }
                }
            };
        }
        if self.lanes(base).is_some() || lanes.is_none() {
            return Ok(base);
        }
        Ok(self.with_lanes(base, lanes))
    }

    /// The type of the part of an aggregate at a path of indices.
    pub(super) fn part_type(&self, aggregate: Ty, path: &[u32]) -> Res<Ty> {
        let mut at = aggregate;
        for &index in path {
            let part = match *self.module.types.kind(at) {
                TypeKind::Array(n, element) if u64::from(index) < n => Some(element),
                _ => {
                    let body = self.module.types.struct_body(at);
                    body.and_then(|body| body.fields.get(index as usize).copied())
                }
            };
            at = match part {
                Some(part) => part,
                None => {
                    let message = format!("{} has no part {index}", self.show(at));
                    return Err(self.fail(&message));
                }
            };
        }
        Ok(at)
    }
}
