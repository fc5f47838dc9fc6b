//! Memory in LLVM IR: objects of functions, loads, stores and addresses.
//!
//! A promoted variable is a register; aggregates are loaded and stored scalar by scalar.

use super::constants::{GepStep, mask};
use super::function::{Builder, Next, int};
use super::types::width_of;
use crate::program::*;
use attest_llvm::ir;

/// A promoted variable.
enum Var {
    Local(Reg),
    Global(GlobalReg),
}

impl Builder<'_, '_> {
    pub(super) fn alloca(
        &mut self,
        inst: &ir::Inst,
        ty: ir::Ty,
        count: ir::Operand,
    ) -> Result<Next, Bail> {
        let Some(result) = inst.result else {
            return Ok(Next::Continue);
        };
        if let Some(&var) = self.vars.get(&result) {
            self.declare(var);
            return Ok(Next::Continue);
        }
        if self.allocas.contains_key(&result) {
            return Ok(Next::Continue);
        }
        let size = self.ctx.size_of(ty)?;
        let count_width = match self.ctx.module_operand_type(self.ir, count) {
            Some(ty) => width_of(self.ctx.scalar(ty)?)?,
            None => self.ctx.pointer_bits(),
        };
        let count = self.scalar_operand(count)?;
        let bits = self.ctx.pointer_bits();
        let size = match count {
            Operand::Const(Constant::Int { value, .. }) => {
                int(bits, mask(value.wrapping_mul(u128::from(size)), bits))
            }
            _ => {
                let how = if count_width > bits {
                    Resize::Truncate
                } else {
                    Resize::ZeroExtend
                };
                let count = self.resize(how, count_width, bits, count);
                self.arith(IntOp::Mul, bits, count, int(bits, u128::from(size)), false)
            }
        };
        let name = self.debug_names.get(&result).copied();
        let dst = self.reg_of(result)?;
        self.regs[dst.0 as usize].variable = None;
        self.emit(Inst::Alloc {
            dst,
            storage: Storage::Stack,
            size,
            zeroed: false,
            name,
        });
        Ok(Next::Continue)
    }

    /// The start of a variable's lifetime: its value is arbitrary.
    pub fn declare(&mut self, var: Reg) {
        let info = &self.regs[var.0 as usize];
        let name = match info.variable {
            Some(v) => self.ctx.variable_name(v),
            None => info.name.clone(),
        };
        let sort = info.sort;
        let kind = InputKind::Uninit(name);
        if sort != Sort::Ptr {
            return self.emit(Inst::Input {
                dst: var,
                sort,
                kind,
            });
        }
        let dst = self.temp(sort);
        self.emit(Inst::Input { dst, sort, kind });
        self.foreign_pointer(var, Operand::Reg(dst));
    }

    pub(super) fn load(
        &mut self,
        ty: ir::Ty,
        ptr: ir::Operand,
        result: Option<ir::LocalId>,
    ) -> Result<Vec<Operand>, Bail> {
        if let Some(var) = self.variable_at(ptr) {
            let sort = self.ctx.scalar(ty)?;
            let name = result
                .map(|r| self.ir.locals[r.0 as usize].name.clone())
                .unwrap_or_default();
            let dst = self.new_reg(sort, &name);
            self.emit(match var {
                Var::Local(src) => Inst::Copy {
                    dst,
                    src: Operand::Reg(src),
                },
                Var::Global(global) => Inst::GetGlobal { dst, global },
            });
            return Ok(vec![Operand::Reg(dst)]);
        }
        let base = self.scalar_operand(ptr)?;
        self.load_from(ty, base)
    }

    /// Loads every scalar of a type from an address.
    pub fn load_from(&mut self, ty: ir::Ty, base: Operand) -> Result<Vec<Operand>, Bail> {
        let leaves = self.ctx.leaves(ty)?;
        let mut out = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let ptr = self.moved(base, leaf.offset);
            let dst = self.temp(leaf.sort);
            self.emit(Inst::Load {
                dst,
                sort: leaf.sort,
                ptr,
                other: Other::Address,
            });
            out.push(Operand::Reg(dst));
        }
        Ok(out)
    }

    pub(super) fn store(
        &mut self,
        ty: ir::Ty,
        value: ir::Operand,
        ptr: ir::Operand,
    ) -> Result<(), Bail> {
        let values = self.operand(value)?;
        match (self.variable_at(ptr), values.as_slice()) {
            (Some(Var::Local(dst)), [src]) => {
                self.emit(Inst::Copy { dst, src: *src });
                return Ok(());
            }
            (Some(Var::Global(global)), [src]) => {
                self.emit(Inst::SetGlobal { global, src: *src });
                return Ok(());
            }
            _ => {}
        }
        let base = self.scalar_operand(ptr)?;
        self.store_to(ty, &values, base)
    }

    /// Stores every scalar of a type to an address.
    pub fn store_to(&mut self, ty: ir::Ty, values: &[Operand], base: Operand) -> Result<(), Bail> {
        let leaves = self.ctx.leaves(ty)?;
        for (leaf, src) in leaves.iter().zip(values) {
            let ptr = self.moved(base, leaf.offset);
            self.emit(Inst::Store {
                sort: leaf.sort,
                ptr,
                src: *src,
            });
        }
        Ok(())
    }

    /// The register of a promoted address.
    fn variable_at(&self, ptr: ir::Operand) -> Option<Var> {
        match ptr {
            ir::Operand::Local(local) => self.vars.get(&local).copied().map(Var::Local),
            ir::Operand::Const(id) => match self.ctx.module.constant(id).kind {
                ir::ConstKind::Global(g) => self.ctx.promoted.get(&g).copied().map(Var::Global),
                _ => None,
            },
        }
    }

    /// A pointer advanced by a constant.
    pub fn moved(&mut self, base: Operand, bytes: u64) -> Operand {
        let bits = self.ctx.pointer_bits();
        match base {
            _ if bytes == 0 => base,
            Operand::Const(Constant::Ptr { object, offset }) => {
                let offset = mask(u128::from(offset.wrapping_add(bytes)), bits) as u64;
                Operand::Const(Constant::Ptr { object, offset })
            }
            _ => {
                let dst = self.temp(Sort::Ptr);
                self.emit(Inst::PtrAdd {
                    dst,
                    base,
                    offset: bytes,
                    index: int(bits, 0),
                    width: bits,
                    scale: 0,
                });
                Operand::Reg(dst)
            }
        }
    }

    pub(super) fn gep(
        &mut self,
        source: ir::Ty,
        base: ir::Operand,
        indices: &[(ir::Ty, ir::Operand)],
    ) -> Result<Vec<Operand>, Bail> {
        let base = self.scalar_operand(base)?;
        let mut parts = Vec::with_capacity(indices.len());
        for (ty, index) in indices {
            let width = width_of(self.ctx.scalar(*ty)?)?;
            parts.push((width, self.scalar_operand(*index)?));
        }
        Ok(vec![self.walk_indices(source, base, &parts)?])
    }

    /// Advances a pointer along indices: constants add up, each variable index is one instruction.
    pub(super) fn walk_indices(
        &mut self,
        source: ir::Ty,
        base: Operand,
        indices: &[(u32, Operand)],
    ) -> Result<Operand, Bail> {
        let bits = self.ctx.pointer_bits();
        let mut ty = source;
        let mut fixed = 0u64;
        let mut variable = Vec::new();
        for (i, &(width, index)) in indices.iter().enumerate() {
            let known = match index {
                Operand::Const(Constant::Int { value, width }) => {
                    Some(super::constants::signed(value, width) as i64)
                }
                _ => None,
            };
            if i > 0 {
                let (step, next) = self.ctx.gep_step(ty, known)?;
                ty = next;
                if let GepStep::Field(bytes) = step {
                    fixed = fixed.wrapping_add(bytes);
                    continue;
                }
            }
            let scale = self.ctx.size_of(ty)?;
            match known {
                Some(n) => fixed = fixed.wrapping_add((n as u64).wrapping_mul(scale)),
                None => variable.push((width, index, scale)),
            }
        }
        let mut fixed = mask(u128::from(fixed), bits) as u64;
        if variable.is_empty() {
            return Ok(self.moved(base, fixed));
        }
        let mut at = base;
        for (width, index, scale) in variable {
            let dst = self.temp(Sort::Ptr);
            self.emit(Inst::PtrAdd {
                dst,
                base: at,
                offset: fixed,
                index,
                width,
                scale,
            });
            fixed = 0;
            at = Operand::Reg(dst);
        }
        Ok(at)
    }
}
