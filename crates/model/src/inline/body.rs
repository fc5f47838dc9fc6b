//! A function that grows by the bodies of its callees.
//!
//! Both modes of inlining use it: the mode decides which call sites to expand.

use super::template::Template;
use crate::program::*;

/// A call that may be expanded.
pub struct Site {
    /// The block that ends with the call.
    pub block: BlockId,
    /// The block after the call.
    pub after: BlockId,
    /// The call.
    pub call: Call,
}

/// The function with the bodies inlined so far.
pub struct Body {
    /// The function.
    pub out: Function,
    /// The number of instructions and terminators.
    pub size: usize,
}

impl Body {
    /// A function without its code.
    pub fn new(function: &Function) -> Body {
        Body {
            out: Function {
                regs: Vec::new(),
                blocks: Vec::new(),
                ..function.clone()
            },
            size: 0,
        }
    }

    /// Replaces a call by a callee's body; returns the calls inside at which the template is split.
    pub fn expand(&mut self, site: &Site, template: &Template) -> Vec<Site> {
        let enter = self.arguments(template, &site.call);
        let return_to = (site.after, site.call.results.as_slice());
        let start = BlockId(self.out.blocks.len() as u32);
        let sites = self.place(template, Some(return_to), &enter.varargs);
        self.out.blocks[site.block.0 as usize].end = Terminator::Goto(Target {
            block: start,
            copies: enter.copies,
        });
        sites
    }

    /// Replaces a call by a bail.
    pub fn bail(&mut self, site: &Site, kind: BailKind, what: String) {
        let what = what.into();
        self.out.blocks[site.block.0 as usize].end = Terminator::Bail(Bail { kind, what });
    }

    /// The copies on the edge into an activation: arguments to parameters, zeros to registers that
    /// a fresh activation may read first, and variable arguments to registers of their own if the
    /// callee uses them.
    fn arguments(&mut self, template: &Template, call: &Call) -> Enter {
        let first = self.out.regs.len() as u32;
        let params = call.args.iter().take(template.params as usize);
        let mut copies: Vec<(Reg, Operand)> = params
            .enumerate()
            .map(|(i, arg)| (Reg(first + i as u32), *arg))
            .collect();
        let given = copies.len() as u32;
        for reg in template.read_first.iter().filter(|reg| reg.0 >= given) {
            let zero = Constant::zero(template.regs[reg.0 as usize].sort);
            copies.push((Reg(first + reg.0), Operand::Const(zero)));
        }
        let mut varargs = Vec::new();
        let mut next = first + template.regs.len() as u32;
        for (arg, sort) in call.varargs.iter().filter(|_| template.starts_varargs) {
            let held = match arg {
                Operand::Const(_) => *arg,
                Operand::Reg(_) => {
                    copies.push((Reg(next), *arg));
                    next += 1;
                    Operand::Reg(Reg(next - 1))
                }
            };
            varargs.push((held, *sort));
        }
        Enter { copies, varargs }
    }

    /// Adds the registers and blocks of an activation; returns the calls at which the template is
    /// split.
    pub fn place(
        &mut self,
        template: &Template,
        return_to: Option<(BlockId, &[Reg])>,
        varargs: &[(Operand, Sort)],
    ) -> Vec<Site> {
        let first_reg = self.out.regs.len() as u32;
        let first_block = self.out.blocks.len() as u32;
        self.size += template.size;
        self.out.regs.extend(template.regs.iter().cloned());
        for (arg, sort) in varargs {
            if let Operand::Reg(_) = arg {
                self.out.regs.push(RegInfo {
                    sort: *sort,
                    name: template.vararg_name.clone(),
                    variable: None,
                });
            }
        }
        let mut sites = Vec::new();
        for (i, piece) in template.pieces.iter().enumerate() {
            let mut block = piece.block.clone();
            move_block(&mut block, first_reg, first_block);
            if let Some((after, results)) = return_to {
                replace_varargs(&mut block, varargs);
                if let Terminator::Return(values) = &block.end {
                    block.end = Terminator::Goto(Target {
                        block: after,
                        copies: results
                            .iter()
                            .copied()
                            .zip(values.iter().copied())
                            .collect(),
                    });
                }
            }
            self.out.blocks.push(block);
            if let Some(call) = &piece.call {
                let mut call = call.clone();
                move_call(&mut call, first_reg);
                let block = BlockId(first_block + i as u32);
                let after = BlockId(block.0 + 1);
                sites.push(Site { block, after, call });
            }
        }
        sites
    }
}

/// The operations on the edge into an activation.
struct Enter {
    copies: Vec<(Reg, Operand)>,
    varargs: Vec<(Operand, Sort)>,
}

/// Renumbers the registers and targets of a block for an activation.
fn move_block(block: &mut Block, first_reg: u32, first_block: u32) {
    let rename = |a: &mut Operand| move_operand(a, first_reg);
    for inst in &mut block.insts {
        match inst {
            Inst::Call(call) => move_call(call, first_reg),
            other => {
                other.uses_mut(rename);
                if let Some(dst) = other.dst_mut() {
                    dst.0 += first_reg;
                }
            }
        }
    }
    block.end.uses_mut(rename);
    block.end.targets_mut(|target| {
        target.block.0 += first_block;
        for (dst, src) in &mut target.copies {
            dst.0 += first_reg;
            rename(src);
        }
    });
}

fn move_call(call: &mut Call, first_reg: u32) {
    call.args
        .iter_mut()
        .for_each(|a| move_operand(a, first_reg));
    call.varargs
        .iter_mut()
        .for_each(|(a, _)| move_operand(a, first_reg));
    call.results.iter_mut().for_each(|r| r.0 += first_reg);
}

fn move_operand(a: &mut Operand, first_reg: u32) {
    if let Operand::Reg(reg) = a {
        reg.0 += first_reg;
    }
}

/// Replaces uses of the activation's own variable arguments by registers; callees inlined into it
/// earlier are already done.
fn replace_varargs(block: &mut Block, varargs: &[(Operand, Sort)]) {
    for inst in &mut block.insts {
        if let Inst::VaStart { args, .. } = inst {
            args.get_or_insert_with(|| varargs.to_vec());
        }
    }
}
