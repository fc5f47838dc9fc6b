//! Calls by name: the property, the verifier's functions, bodies, models, and what is missing.

use super::function::{Builder, Next, as_reg, int};
use super::types::unsupported;
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
                self.named_call(global, &name, &args, &results)?
            }
            None => {
                let ptr = self.scalar_operand(callee)?;
                self.indirect_call(ptr, &args, &results)?
            }
        };
        if let Next::Continue = next {
            // What was passed by value ends with the call.
            for copy in copies {
                let ptr = Operand::Reg(copy);
                self.emit(Inst::EndLife { ptr });
            }
        }
        Ok(next)
    }

    /// The function that a constant callee names, through aliases and casts.
    fn named_function(&self, mut id: ir::ConstId) -> Option<GlobalId> {
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

    /// The scalars of all arguments. What is passed by value is copied here, as C says.
    fn arguments(&mut self, call: &ir::Call) -> Result<Vec<(Operand, Sort)>, Bail> {
        let mut out = Vec::with_capacity(call.args.len());
        for arg in &call.args {
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
                let size = self.ctx.size_of(ty)?;
                let src = self.scalar_operand(value)?;
                out.push((self.private_copy(src, size), Sort::Ptr));
                continue;
            }
            let leaves = self.ctx.leaves(arg.ty)?;
            let operands = self.operand(value)?;
            out.extend(operands.into_iter().zip(leaves.iter().map(|l| l.sort)));
        }
        Ok(out)
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
        if function.is_declaration() {
            return match self.library_call(name, args, results)? {
                Some(next) => Ok(next),
                None => Err(unsupported(BailKind::Extern, name)),
            };
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
        // A result that the caller ignores still needs a place.
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

    /// Assembly that does nothing but order the compiler is a no-op. Any other is outside the model.
    fn assembly(
        &mut self,
        call: &ir::Call,
        text: &str,
        constraints: &str,
        result: Option<ir::LocalId>,
    ) -> Result<Next, Bail> {
        let only_clobbers = constraints
            .split(',')
            .all(|c| c.is_empty() || c.starts_with('~'));
        if text.trim().is_empty() && only_clobbers && call.args.is_empty() && result.is_none() {
            return Ok(Next::Continue);
        }
        let shown: String = text.chars().take(40).collect();
        Err(unsupported(
            BailKind::Asm,
            format!("asm(\"{}\")", shown.escape_default()),
        ))
    }
}

/// The stack object that an instruction makes.
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
