//! Calls through pointers: a case for each function whose address is taken and whose type fits; a
//! case for null, which ends the program as every access through null does; and a bail for every
//! other address. The bail makes the model correct whatever the candidates are.

use super::Ctx;
use super::function::{Builder, Next};
use super::promote::{mentions, operands};
use super::types::unsupported;
use crate::program::*;
use attest_llvm::ir::{GlobalId, GlobalKind, Operand as IrOperand};
use rustc_hash::FxHashSet;

/// The scalar parameters and results of a function.
pub(crate) struct Signature {
    pub params: Vec<Sort>,
    pub results: Vec<Sort>,
    pub varargs: bool,
}

impl Signature {
    /// Whether a call with these arguments and these expected results is well-formed.
    pub fn accepts(&self, args: &[Sort], results: &[Sort]) -> bool {
        let enough = if self.varargs {
            args.len() >= self.params.len()
        } else {
            args.len() == self.params.len()
        };
        enough
            && self.params.iter().zip(args).all(|(p, a)| p == a)
            && (results.is_empty() || results == self.results.as_slice())
    }

    /// Whether a call with these arguments is well-formed except for an expected result, which the
    /// function does not have. Programs pass such functions where one with a result is expected
    /// (`pthread_create`); the caller then reads an unspecified register.
    fn accepts_without(&self, args: &[Sort]) -> bool {
        self.results.is_empty() && self.accepts(args, &[])
    }
}

impl Ctx<'_> {
    /// The signature of a function.
    pub fn signature(&self, global: GlobalId) -> Result<Signature, Bail> {
        let GlobalKind::Function(function) = &self.module.global(global).kind else {
            return Err(unsupported(BailKind::BadCall, "no function"));
        };
        let mut params = Vec::new();
        for param in &function.params {
            params.extend(self.leaves(param.ty)?.iter().map(|l| l.sort));
        }
        let results = self.leaves(function.ret)?.iter().map(|l| l.sort).collect();
        Ok(Signature {
            params,
            results,
            varargs: function.varargs,
        })
    }

    /// Finds the functions whose address is taken anywhere.
    pub fn find_candidates(&mut self) {
        let module = self.module;
        let mut taken = FxHashSet::default();
        let mut seen = FxHashSet::default();
        for global in &module.globals {
            match &global.kind {
                GlobalKind::Variable(v) => {
                    if let Some(init) = v.init {
                        mentions(module, init, &mut seen, &mut |g| {
                            taken.insert(g);
                        });
                    }
                }
                GlobalKind::Alias { target, .. } => {
                    mentions(module, *target, &mut seen, &mut |g| {
                        taken.insert(g);
                    })
                }
                GlobalKind::Function(function) => {
                    for inst in function.blocks.iter().flat_map(|b| &b.insts) {
                        operands(module, inst, &mut |operand, _| {
                            if let IrOperand::Const(id) = operand {
                                mentions(module, id, &mut seen, &mut |g| {
                                    taken.insert(g);
                                });
                            }
                        });
                    }
                }
                GlobalKind::Forward => {}
            }
        }
        let is_function = |g: &GlobalId| matches!(module.global(*g).kind, GlobalKind::Function(_));
        self.candidates = taken.into_iter().filter(is_function).collect();
        self.candidates.sort();
    }
}

impl Builder<'_, '_> {
    /// A call through a pointer.
    pub fn indirect_call(
        &mut self,
        ptr: Operand,
        args: &[(Operand, Sort)],
        results: &[Reg],
    ) -> Result<Next, Bail> {
        let sorts: Vec<Sort> = args.iter().map(|(_, s)| *s).collect();
        let wanted: Vec<Sort> = results
            .iter()
            .map(|r| self.regs[r.0 as usize].sort)
            .collect();
        let fitting: Vec<GlobalId> = self
            .ctx
            .candidates
            .clone()
            .into_iter()
            .filter(|g| {
                self.ctx
                    .signature(*g)
                    .is_ok_and(|s| s.accepts(&sorts, &wanted) || s.accepts_without(&sorts))
            })
            .collect();
        let join = self.new_block();
        let mut cases = Vec::with_capacity(fitting.len());
        let from = self.current;
        let start = self.pause();
        for global in fitting {
            let Some(&object) = self.ctx.object_of.get(&global) else {
                continue;
            };
            let block = self.new_block();
            self.current = block;
            self.call_candidate(global, args, results)?;
            self.finish(Terminator::Goto(Target {
                block: join,
                copies: Vec::new(),
            }));
            let copies = Vec::new();
            cases.push((object, 0, Target { block, copies }));
        }
        let null = self.bail_block(unsupported(
            BailKind::NullDeref,
            "a call through a null pointer",
        ));
        let copies = Vec::new();
        let at_null = Target {
            block: null,
            copies,
        };
        cases.push((ObjectId::NULL, 0, at_null));
        let other = self.bail_block(unsupported(
            BailKind::BadCall,
            "a call through a pointer to no fitting function",
        ));
        self.current = from;
        self.resume(start);
        let default = Target {
            block: other,
            copies: Vec::new(),
        };
        self.finish(Terminator::PtrSwitch {
            ptr,
            cases,
            default,
        });
        self.current = join;
        Ok(Next::Continue)
    }

    /// Calls one of the functions that a pointer may name. An expected result that the function
    /// does not have is unspecified.
    fn call_candidate(
        &mut self,
        global: GlobalId,
        args: &[(Operand, Sort)],
        results: &[Reg],
    ) -> Result<(), Bail> {
        let callee = self.ctx.fn_for(global);
        if !self.ctx.signature(global)?.results.is_empty() {
            self.direct_call(callee, global, args, results)?;
            return Ok(());
        }
        self.direct_call(callee, global, args, &[])?;
        for result in results {
            let sort = self.regs[result.0 as usize].sort;
            self.emit(Inst::Input {
                dst: *result,
                sort,
                kind: InputKind::Undef,
            });
        }
        Ok(())
    }
}
