//! Constants: scalars for instructions, and the bytes and pointer slots that initialise globals.

use super::Ctx;
use super::types::unsupported;
use crate::program::*;
use attest_llvm::ir::{self, CastOp, ConstExpr, ConstId, ConstKind, TypeKind};

/// The nesting depth above which constant expressions are refused.
const DEEPEST: u32 = 200;

/// Keeps the low `width` bits.
pub(crate) fn mask(value: u128, width: u32) -> u128 {
    if width >= 128 {
        value
    } else {
        value & ((1u128 << width) - 1)
    }
}

/// Reads the low `width` bits as a signed number.
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    if width >= 128 {
        return value as i128;
    }
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

impl Ctx<'_> {
    /// The scalar of a constant, if it needs no code: `None` for undefined values and for addresses
    /// as integers.
    pub fn const_scalar(&self, id: ConstId) -> Result<Option<Constant>, Bail> {
        self.scalar_at(id, 0)
    }

    fn scalar_at(&self, id: ConstId, depth: u32) -> Result<Option<Constant>, Bail> {
        if depth > DEEPEST {
            return Err(unsupported(
                BailKind::Unsupported,
                "a constant expression nested too deep",
            ));
        }
        let constant = self.module.constant(id);
        let sort = self.scalar(constant.ty)?;
        let scalar = match &constant.kind {
            ConstKind::Int(words) => {
                let low = u128::from(*words.first().unwrap_or(&0));
                let high = u128::from(*words.get(1).unwrap_or(&0));
                let Sort::Int(width) = sort else {
                    return Ok(None);
                };
                Constant::Int {
                    width,
                    value: mask(low | high << 64, width),
                }
            }
            ConstKind::Float(bits) => match sort {
                Sort::F32 => Constant::F32(*bits as u32),
                Sort::F64 => Constant::F64(*bits as u64),
                _ => return Ok(None),
            },
            ConstKind::Null | ConstKind::Zero => Constant::zero(sort),
            ConstKind::Global(global) | ConstKind::Equivalent(global) => {
                return self.address_of(*global, depth).map(Some);
            }
            ConstKind::BlockAddress(function, block) => {
                let Constant::Ptr { object, .. } = self.address_of(*function, depth)? else {
                    return Ok(None);
                };
                let ir::GlobalKind::Function(f) = &self.module.global(*function).kind else {
                    return Ok(None);
                };
                let at = f.blocks.iter().position(|b| b.name == *block);
                let Some(at) = at else {
                    return Err(unsupported(
                        BailKind::Unsupported,
                        "the address of an unknown label",
                    ));
                };
                Constant::Ptr {
                    object,
                    offset: block_offset(at),
                }
            }
            ConstKind::Expr(expr) => return self.expr_scalar(expr, sort, depth),
            _ => return Ok(None),
        };
        Ok(Some(scalar))
    }

    /// The address of a global symbol.
    fn address_of(&self, id: ir::GlobalId, depth: u32) -> Result<Constant, Bail> {
        if let ir::GlobalKind::Alias {
            target,
            ifunc: false,
        } = self.module.global(id).kind
        {
            let target = self.scalar_at(target, depth + 1)?;
            return target
                .ok_or_else(|| unsupported(BailKind::Unsupported, "an alias of no address"));
        }
        let global = self.module.global(id);
        if global.linkage == ir::Linkage::ExternWeak {
            let what = format!(
                "the address of `{}`, which is weak and not defined",
                global.name
            );
            return Err(unsupported(BailKind::Unsupported, what));
        }
        match self.object_of.get(&id) {
            Some(&object) => Ok(Constant::Ptr { object, offset: 0 }),
            None => Err(unsupported(
                BailKind::Unsupported,
                format!("the address of `{}`", self.module.global(id).name),
            )),
        }
    }

    fn expr_scalar(
        &self,
        expr: &ConstExpr,
        sort: Sort,
        depth: u32,
    ) -> Result<Option<Constant>, Bail> {
        let get = |id: &ConstId| self.scalar_at(*id, depth + 1);
        Ok(match expr {
            ConstExpr::Cast(op, value) => self.cast_scalar(*op, get(value)?, sort),
            ConstExpr::Gep {
                source,
                base,
                indices,
                ..
            } => {
                let Some(Constant::Ptr { object, offset }) = get(base)? else {
                    return Ok(None);
                };
                let mut parts = Vec::with_capacity(indices.len());
                for index in indices {
                    match get(index)? {
                        Some(Constant::Int { value, width }) => {
                            parts.push(signed(value, width) as i64)
                        }
                        _ => return Ok(None),
                    }
                }
                let moved = self.const_offset(*source, &parts)?;
                let offset =
                    mask(u128::from(offset.wrapping_add(moved)), self.pointer_bits()) as u64;
                Some(Constant::Ptr { object, offset })
            }
            ConstExpr::Bin(op, a, b) => match (get(a)?, get(b)?) {
                (Some(Constant::Int { value: a, width }), Some(Constant::Int { value: b, .. })) => {
                    let value = match op {
                        ir::BinOp::Add => a.wrapping_add(b),
                        ir::BinOp::Sub => a.wrapping_sub(b),
                        ir::BinOp::Mul => a.wrapping_mul(b),
                        ir::BinOp::And => a & b,
                        ir::BinOp::Or => a | b,
                        ir::BinOp::Xor => a ^ b,
                        _ => return Ok(None),
                    };
                    Some(Constant::Int {
                        width,
                        value: mask(value, width),
                    })
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn cast_scalar(&self, op: CastOp, value: Option<Constant>, sort: Sort) -> Option<Constant> {
        match (op, value, sort) {
            (CastOp::IntToPtr, Some(Constant::Int { value, .. }), _) => {
                let offset = mask(value, self.pointer_bits()) as u64;
                Some(Constant::Ptr {
                    object: ObjectId::NULL,
                    offset,
                })
            }
            (
                CastOp::PtrToInt | CastOp::PtrToAddr,
                Some(Constant::Ptr { object, offset }),
                Sort::Int(width),
            ) if object == ObjectId::NULL => Some(Constant::Int {
                width,
                value: mask(u128::from(offset), width),
            }),
            (CastOp::BitCast | CastOp::AddrSpaceCast, Some(c), _) if c.sort() == sort => Some(c),
            (CastOp::Trunc | CastOp::ZExt, Some(Constant::Int { value, .. }), Sort::Int(width)) => {
                Some(Constant::Int {
                    width,
                    value: mask(value, width),
                })
            }
            (CastOp::SExt, Some(Constant::Int { value, width: from }), Sort::Int(width)) => {
                Some(Constant::Int {
                    width,
                    value: mask(signed(value, from) as u128, width),
                })
            }
            _ => None,
        }
    }

    /// The number of bytes by which constant indices advance a pointer.
    pub fn const_offset(&self, source: ir::Ty, indices: &[i64]) -> Result<u64, Bail> {
        let mut ty = source;
        let mut offset = 0u64;
        for (i, &index) in indices.iter().enumerate() {
            if i > 0 {
                let (step, next) = self.gep_step(ty, Some(index))?;
                ty = next;
                match step {
                    GepStep::Field(bytes) => {
                        offset = offset.wrapping_add(bytes);
                        continue;
                    }
                    GepStep::Element => {}
                }
            }
            offset = offset.wrapping_add((index as u64).wrapping_mul(self.size_of(ty)?));
        }
        Ok(offset)
    }

    /// One step of `getelementptr` into a type: a field at a fixed offset, or an element.
    pub fn gep_step(&self, ty: ir::Ty, index: Option<i64>) -> Result<(GepStep, ir::Ty), Bail> {
        match self.module.types.kind(ty) {
            TypeKind::Array(_, element) | TypeKind::Vector(_, element, _) => {
                Ok((GepStep::Element, *element))
            }
            _ => {
                let field = index.and_then(|i| usize::try_from(i).ok());
                let body = self.module.types.struct_body(ty);
                match (field, body) {
                    (Some(i), Some(body)) if i < body.fields.len() => {
                        Ok((GepStep::Field(self.field_offset(ty, i)?), body.fields[i]))
                    }
                    _ => Err(unsupported(
                        BailKind::Unsupported,
                        "getelementptr outside its type",
                    )),
                }
            }
        }
    }

    /// Writes the bytes and slots of a constant at an offset.
    pub fn init_pieces(&self, id: ConstId, at: u64, out: &mut Vec<InitPiece>) -> Result<(), Bail> {
        let constant = self.module.constant(id);
        match &constant.kind {
            ConstKind::Zero | ConstKind::Null | ConstKind::Undef | ConstKind::Poison => Ok(()),
            ConstKind::Bytes(bytes) => {
                out.push(InitPiece::Bytes(at, bytes.clone()));
                Ok(())
            }
            ConstKind::Aggregate(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    let offset = self.element_offset(constant.ty, i)?;
                    self.init_pieces(*element, at.wrapping_add(offset), out)?;
                }
                Ok(())
            }
            ConstKind::Float(bits) if self.scalar(constant.ty).is_err() => {
                let size = self.layout.store_size(&self.module.types, constant.ty);
                let size = size.map_err(|e| unsupported(BailKind::Type, e))?;
                out.push(InitPiece::Bytes(
                    at,
                    bits.to_le_bytes()[..(size as usize).min(16)].to_vec(),
                ));
                Ok(())
            }
            ConstKind::Int(words) if self.scalar(constant.ty).is_err() => {
                let size = self.size_of(constant.ty)? as usize;
                let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                bytes.resize(size, 0);
                out.push(InitPiece::Bytes(at, bytes));
                Ok(())
            }
            ConstKind::Expr(ConstExpr::Cast(CastOp::PtrToInt | CastOp::PtrToAddr, inner))
                if self.scalar(constant.ty)? == Sort::Int(self.pointer_bits()) =>
            {
                // A whole address stored in an integer is the pointer slot itself.
                self.init_pieces(*inner, at, out)
            }
            _ => {
                match self.const_scalar(id)? {
                    Some(Constant::Ptr { object, offset }) => {
                        out.push(InitPiece::Ptr(at, object, offset))
                    }
                    Some(Constant::Int { width, value }) => {
                        let bytes = width.div_ceil(8) as usize;
                        out.push(InitPiece::Bytes(at, value.to_le_bytes()[..bytes].to_vec()));
                    }
                    Some(Constant::F32(bits)) => {
                        out.push(InitPiece::Bytes(at, bits.to_le_bytes().to_vec()))
                    }
                    Some(Constant::F64(bits)) => {
                        out.push(InitPiece::Bytes(at, bits.to_le_bytes().to_vec()))
                    }
                    None => {
                        return Err(unsupported(
                            BailKind::Unsupported,
                            "an initialiser that needs an address as a number",
                        ));
                    }
                }
                Ok(())
            }
        }
    }

    fn element_offset(&self, ty: ir::Ty, index: usize) -> Result<u64, Bail> {
        match self.module.types.kind(ty) {
            TypeKind::Array(_, element) | TypeKind::Vector(_, element, _) => {
                Ok((index as u64).wrapping_mul(self.size_of(*element)?))
            }
            _ => self.field_offset(ty, index),
        }
    }
}

/// What an index of `getelementptr` selects.
pub(crate) enum GepStep {
    /// A field: this many bytes further.
    Field(u64),
    /// An element: the index times the element's size.
    Element,
}

/// The offset in its function's object that represents the address of a label. Offset 0 is the
/// function itself.
pub(crate) fn block_offset(block: usize) -> u64 {
    block as u64 + 1
}
