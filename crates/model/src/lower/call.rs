//! Calls by name: error functions, the verifier's functions, bodies, models, and missing functions.

use super::function::{Builder, Next, as_reg, int};
use super::types::{Leaf, unsupported};
use crate::program::*;
use attest_llvm::ir::{self, ArgValue, Callee, ConstExpr, ConstKind, GlobalId, GlobalKind};

impl Builder<'_, '_> {
    /// Lowers a call.
    pub fn call(&mut self, call: &ir::Call, result: Option<ir::LocalId>) -> Result<Next, Bail> {
        let callee = match &call.callee {
            Callee::Asm {
                text, constraints, ..
            } => return self.assembly(call, text, constraints, result),
            Callee::Value(operand) => *operand,
        };
        let named = match callee {
            ir::Operand::Const(id) => self.named_function(id),
            ir::Operand::Local(_) => None,
        };
        if let Some(global) = named {
            let name = self.ctx.module.global(global).name.clone();
            if let Some(intrinsic) = name.strip_prefix("llvm.") {
                return self.intrinsic(intrinsic, call, result);
            }
        }
        let before = self.insts.len();
        let args = self.arguments(call)?;
        let copies: Vec<Reg> = self.insts[before..]
            .iter()
            .filter_map(stack_object)
            .collect();
        let leaves = self.ctx.leaves(call.ret)?;
        let results: Vec<Reg> = match result {
            Some(local) => self.regs_of(local, call.ret)?,
            None => self
                .new_regs(&leaves, "ignored")
                .into_iter()
                .filter_map(as_reg)
                .collect(),
        };
        let next = match named {
            Some(global) => {
                let name = self.ctx.module.global(global).name.clone();
                self.comparing(global, &name, call)?;
                self.named_call(global, &name, &args, &results)?
            }
            None => {
                let ptr = self.scalar_operand(callee)?;
                self.indirect_call(ptr, &args, &results)?
            }
        };
        if let Next::Continue = next {
            // Arguments passed by value end with the call.
            for copy in copies {
                let ptr = Operand::Reg(copy);
                self.emit(Inst::EndLife { ptr });
            }
        }
        Ok(next)
    }

    /// The function that a constant callee names, through aliases and casts.
    pub(super) fn named_function(&self, mut id: ir::ConstId) -> Option<GlobalId> {
        let module = self.ctx.module;
        for _ in 0..16 {
            match &module.constant(id).kind {
                ConstKind::Global(g) | ConstKind::Equivalent(g) => match &module.global(*g).kind {
                    GlobalKind::Function(_) => return Some(*g),
                    GlobalKind::Alias {
                        target,
                        ifunc: false,
                    } => id = *target,
                    _ => return None,
                },
                ConstKind::Expr(ConstExpr::Cast(_, inner)) => id = *inner,
                _ => return None,
            }
        }
        None
    }

    /// The scalars of all arguments. Arguments passed by value are copied here, as in C.
    fn arguments(&mut self, call: &ir::Call) -> Result<Vec<(Operand, Sort)>, Bail> {
        let mut out = Vec::with_capacity(call.args.len());
        let fixed = self.fixed_arguments(call);
        for (i, arg) in call.args.iter().enumerate() {
            let ArgValue::Value(value) = arg.value else {
                return Err(unsupported(
                    BailKind::Unsupported,
                    "metadata passed to a function",
                ));
            };
            if ir::has_attr(&arg.attrs, "inalloca") || ir::has_attr(&arg.attrs, "preallocated") {
                return Err(unsupported(BailKind::Unsupported, "inalloca arguments"));
            }
            if let Some(ty) = ir::type_attr(&arg.attrs, "byval") {
                let src = self.scalar_operand(value)?;
                if i >= fixed {
                    self.spread(src, ty, &arg.attrs, &mut out)?;
                } else {
                    let size = self.ctx.size_of(ty)?;
                    out.push((self.private_copy(src, size), Sort::Ptr));
                }
                continue;
            }
            let leaves = self.ctx.leaves(arg.ty)?;
            let operands = self.operand(value)?;
            if i >= fixed && leaves.len() > 1 {
                let area = self.stored(&leaves, &operands, self.ctx.size_of(arg.ty)?);
                self.spread(area, arg.ty, &arg.attrs, &mut out)?;
                continue;
            }
            out.extend(operands.into_iter().zip(leaves.iter().map(|l| l.sort)));
        }
        Ok(out)
    }

    /// The number of arguments for parameters; the others are variable arguments.
    fn fixed_arguments(&self, call: &ir::Call) -> usize {
        match call.fn_ty.map(|ty| self.ctx.module.types.kind(ty)) {
            Some(ir::TypeKind::Function {
                params,
                varargs: true,
                ..
            }) => params.len(),
            _ => call.args.len(),
        }
    }

    /// A structure or vector among variable arguments lies in their area itself, so it is stored
    /// slot by slot; a pointer that fills a slot stays a pointer.
    fn spread(
        &mut self,
        src: Operand,
        ty: ir::Ty,
        attrs: &[ir::Attr],
        out: &mut Vec<(Operand, Sort)>,
    ) -> Result<(), Bail> {
        let bits = self.ctx.pointer_bits();
        let size = self.ctx.size_of(ty)?;
        let aligned =
            |a: &ir::Attr| matches!(a, ir::Attr::Number(n, align) if n == "align" && *align > 8);
        let is_vector = matches!(self.ctx.module.types.kind(ty), ir::TypeKind::Vector(..));
        let wide = bits == 64 && (attrs.iter().any(aligned) || is_vector && size > 8);
        let slot = if wide { 16 } else { u64::from(bits / 8) };
        let leaves = self.ctx.leaves(ty).unwrap_or_default();
        for at in (0..size).step_by(slot as usize) {
            let is_pointer = leaves
                .iter()
                .any(|l| l.offset == at && l.sort == Sort::Ptr && !wide);
            let sort = if is_pointer {
                Sort::Ptr
            } else {
                Sort::Int(8 * slot.min(size - at) as u32)
            };
            let ptr = self.displaced(src, at);
            let dst = self.temp(sort);
            self.emit(Inst::Load {
                dst,
                sort,
                ptr,
                other: Other::Address,
            });
            out.push((Operand::Reg(dst), sort));
        }
        Ok(())
    }

    /// A fresh stack object with these scalars.
    fn stored(&mut self, leaves: &[Leaf], operands: &[Operand], size: u64) -> Operand {
        let bits = self.ctx.pointer_bits();
        let area = self.temp(Sort::Ptr);
        self.emit(Inst::Alloc {
            dst: area,
            storage: Storage::Stack,
            size: int(bits, u128::from(size)),
            zeroed: false,
            name: None,
        });
        for (leaf, src) in leaves.iter().zip(operands) {
            let ptr = self.displaced(Operand::Reg(area), leaf.offset);
            self.emit(Inst::Store {
                sort: leaf.sort,
                ptr,
                src: *src,
            });
        }
        Operand::Reg(area)
    }

    pub fn displaced(&mut self, base: Operand, offset: u64) -> Operand {
        let bits = self.ctx.pointer_bits();
        let dst = self.temp(Sort::Ptr);
        self.emit(Inst::PtrAdd {
            dst,
            base,
            offset,
            index: int(bits, 0),
            width: bits,
            scale: 0,
        });
        Operand::Reg(dst)
    }

    /// A fresh stack object with the contents of another.
    fn private_copy(&mut self, src: Operand, size: u64) -> Operand {
        let bits = self.ctx.pointer_bits();
        let len = int(bits, u128::from(size));
        let dst = self.temp(Sort::Ptr);
        self.emit(Inst::Alloc {
            dst,
            storage: Storage::Stack,
            size: len,
            zeroed: false,
            name: None,
        });
        self.emit(Inst::MemCopy {
            dst: Operand::Reg(dst),
            src,
            len,
            overlap: true,
        });
        Operand::Reg(dst)
    }

    /// A call of a function by name.
    pub fn named_call(
        &mut self,
        global: GlobalId,
        name: &str,
        args: &[(Operand, Sort)],
        results: &[Reg],
    ) -> Result<Next, Bail> {
        if self.ctx.is_error(name) {
            self.finish(Terminator::Error(name.into()));
            return Ok(Next::Ended);
        }
        let GlobalKind::Function(function) = &self.ctx.module.global(global).kind else {
            return Err(unsupported(
                BailKind::BadCall,
                format!("`{name}` is no function"),
            ));
        };
        // A header's inline body stands for the library's function, and a model of it is preferred.
        let linkage = self.ctx.module.global(global).linkage;
        let inline = linkage == ir::Linkage::AvailableExternally && super::is_primitive(name);
        if function.is_declaration() || inline {
            return match self.library_call(name, args, results)? {
                Some(next) => Ok(next),
                None => Err(match name.strip_prefix("__attest_unsupported_") {
                    Some(what) => unsupported(BailKind::Unsupported, left_out(what)),
                    None => unsupported(BailKind::Extern, name),
                }),
            };
        }
        if let Some(next) = self.scan(global, name, args, results)? {
            return Ok(next);
        }
        let callee = self.ctx.fn_for(global);
        self.direct_call(callee, global, args, results)?;
        Ok(Next::Continue)
    }

    /// A call of a function with a body, if the arguments fit its parameters.
    pub fn direct_call(
        &mut self,
        callee: FnId,
        global: GlobalId,
        args: &[(Operand, Sort)],
        results: &[Reg],
    ) -> Result<(), Bail> {
        let signature = self.ctx.signature(global)?;
        let sorts: Vec<Sort> = args.iter().map(|(_, s)| *s).collect();
        let wanted: Vec<Sort> = results
            .iter()
            .map(|r| self.regs[r.0 as usize].sort)
            .collect();
        if !signature.accepts(&sorts, &wanted) {
            let name = &self.ctx.module.global(global).name;
            let what =
                format!("`{name}` called with arguments or a result of another type than it has");
            return Err(unsupported(BailKind::BadCall, what));
        }
        let fixed = signature.params.len();
        // An ignored result still needs a register.
        let mut results = results.to_vec();
        for sort in signature.results.iter().skip(results.len()) {
            results.push(self.new_reg(*sort, "ignored"));
        }
        let varargs = if signature.varargs {
            args[fixed..].to_vec()
        } else {
            Vec::new()
        };
        self.emit(Inst::Call(Box::new(Call {
            callee,
            args: args[..fixed].iter().map(|(a, _)| *a).collect(),
            varargs,
            results,
        })));
        Ok(())
    }
}

/// The stack object that an instruction allocates.
fn stack_object(inst: &Inst) -> Option<Reg> {
    match inst {
        Inst::Alloc {
            dst,
            storage: Storage::Stack,
            ..
        } => Some(*dst),
        _ => None,
    }
}

/// A description of what a model in C omits.
fn left_out(what: &str) -> String {
    match what {
        "printf_float" => "a floating-point number printed into memory".into(),
        "printf_conversion" => "printing into memory with an unusual conversion".into(),
        "scanf_conversion" => {
            "scanning with an unusual conversion, or a text without a width".into()
        }
        other => other.replace('_', " "),
    }
}
