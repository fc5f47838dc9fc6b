//! Inlining: the entry function with the body of every callee in place of its call.
//!
//! The engine of SYNERGY and DASH works on one procedure; until calls are
//! edges of their own, this makes one procedure of a program. It is exact: a
//! run of the result takes the same inputs of the environment and ends in the
//! same way as a run of the program (unknown values of the machine that only
//! a call seemed to read are not asked for any more). An activation becomes a copy of the callee's registers and
//! blocks (`template`), entered and left by parallel copies on edges, so
//! nothing is read after it was overwritten. Where a bound on recursion or
//! size is reached, the call is a [`Terminator::Bail`]: never left out.
//!
//! One difference remains. An activation that runs the same `alloca` several
//! times has several objects, and only the last of them ends with it.

mod template;

use crate::program::*;
use crate::tidy::tidy;
use std::collections::BTreeMap;
use std::rc::Rc;
use template::Template;

/// How far inlining goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineOptions {
    /// Activations of one function on a call chain.
    pub recursion: u32,
    /// Instructions and block ends of the result, before it is tidied.
    pub most_insts: usize,
}

impl Default for InlineOptions {
    fn default() -> InlineOptions {
        InlineOptions {
            recursion: 8,
            most_insts: 200_000,
        }
    }
}

/// The program with all calls of its entry inlined. The entry is its only
/// function; the addresses of the others stay among its objects.
pub fn inline(program: &Program, options: &InlineOptions) -> Program {
    let mut inliner = Inliner::new(program, options);
    inliner.add_entry();
    while let Some((_, call)) = inliner.pending.pop_first() {
        inliner.expand(call);
    }
    let mut function = inliner.out;
    tidy(&mut function);
    Program {
        functions: vec![function],
        objects: program.objects.clone(),
        globals: program.globals.clone(),
        places: program.places.clone(),
        variables: program.variables.clone(),
        pointer_bits: program.pointer_bits,
        entry: FnId(0),
        metadata: program.metadata.clone(),
    }
}

/// An activation that was inlined.
struct Activation {
    function: FnId,
    caller: Option<usize>,
    /// Most activations that any function has on the chain down to here.
    recursion: u32,
}

/// A call that is not inlined yet.
struct Pending {
    /// The block that ends with the call, and the one after it.
    block: BlockId,
    after: BlockId,
    call: Call,
    /// Who calls.
    caller: usize,
}

struct Inliner<'a> {
    program: &'a Program,
    options: &'a InlineOptions,
    templates: Vec<Option<Rc<Template>>>,
    activations: Vec<Activation>,
    /// Calls by the recursion that they lead to, then by age: a bound on size
    /// cuts recursion before it cuts anything else.
    pending: BTreeMap<(u32, usize), Pending>,
    calls: usize,
    size: usize,
    out: Function,
}

impl<'a> Inliner<'a> {
    fn new(program: &'a Program, options: &'a InlineOptions) -> Inliner<'a> {
        let entry = program.function(program.entry);
        Inliner {
            program,
            options,
            templates: vec![None; program.functions.len()],
            activations: Vec::new(),
            pending: BTreeMap::new(),
            calls: 0,
            size: 0,
            out: Function {
                regs: Vec::new(),
                blocks: Vec::new(),
                ..entry.clone()
            },
        }
    }

    fn template(&mut self, function: FnId) -> Rc<Template> {
        let slot = &mut self.templates[function.0 as usize];
        let make = || Rc::new(Template::of_callee(self.program, function));
        slot.get_or_insert_with(make).clone()
    }

    /// The entry's own activation, which begins and ends with the program.
    fn add_entry(&mut self) {
        let entry = self.program.entry;
        let template = Template::of_entry(self.program.function(entry));
        self.activations.push(Activation {
            function: entry,
            caller: None,
            recursion: 1,
        });
        self.place(&template, 0, None, &[]);
    }

    /// Puts the callee's body in place of a call, if the bounds allow.
    fn expand(&mut self, pending: Pending) {
        let callee = pending.call.callee;
        let name = &self.program.function(callee).name;
        let depth = self.activations_of(callee, pending.caller) + 1;
        let limit = self.options.recursion;
        if depth > limit {
            let what = format!(
                "`{name}` is called more than {limit} deep; calls beyond that are not followed"
            );
            return self.bail(pending.block, BailKind::Recursion, what);
        }
        let template = self.template(callee);
        if self.size + template.size > self.options.most_insts {
            let what = format!("the program is too large to inline; `{name}` is left out");
            return self.bail(pending.block, BailKind::Unsupported, what);
        }
        let recursion = self.activations[pending.caller].recursion.max(depth);
        self.activations.push(Activation {
            function: callee,
            caller: Some(pending.caller),
            recursion,
        });
        let enter = self.arguments(&template, &pending.call);
        let varargs = enter.varargs;
        let way_back = (pending.after, pending.call.results.as_slice());
        let start = BlockId(self.out.blocks.len() as u32);
        let activation = self.activations.len() - 1;
        self.place(&template, activation, Some(way_back), &varargs);
        self.out.blocks[pending.block.0 as usize].end = Terminator::Goto(Target {
            block: start,
            copies: enter.copies,
        });
    }

    /// How many activations of a function are on a call chain.
    fn activations_of(&self, function: FnId, caller: usize) -> u32 {
        let mut count = 0;
        let mut at = Some(caller);
        while let Some(activation) = at.map(|at| &self.activations[at]) {
            count += u32::from(activation.function == function);
            at = activation.caller;
        }
        count
    }

    fn bail(&mut self, block: BlockId, kind: BailKind, what: String) {
        let what = what.into();
        self.out.blocks[block.0 as usize].end = Terminator::Bail(Bail { kind, what });
    }

    /// What is copied on the way into an activation: arguments to parameters,
    /// zeros to what a fresh activation may read first, and variable arguments
    /// to registers of their own if the callee asks for them.
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

    /// Adds the registers and blocks of an activation.
    fn place(
        &mut self,
        template: &Template,
        activation: usize,
        way_back: Option<(BlockId, &[Reg])>,
        varargs: &[(Operand, Sort)],
    ) {
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
        for (i, piece) in template.pieces.iter().enumerate() {
            let mut block = piece.block.clone();
            move_block(&mut block, first_reg, first_block);
            if let Some((after, results)) = way_back {
                give_varargs(&mut block, varargs);
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
                self.add_pending(activation, block, call);
            }
        }
    }

    fn add_pending(&mut self, caller: usize, block: BlockId, call: Call) {
        let depth = self.activations_of(call.callee, caller) + 1;
        let recursion = self.activations[caller].recursion.max(depth);
        let pending = Pending {
            block,
            after: BlockId(block.0 + 1),
            call,
            caller,
        };
        self.pending.insert((recursion, self.calls), pending);
        self.calls += 1;
    }
}

/// What happens on the edge into an activation.
struct Enter {
    copies: Vec<(Reg, Operand)>,
    varargs: Vec<(Operand, Sort)>,
}

/// Moves the registers and targets of a block to those of an activation.
fn move_block(block: &mut Block, first_reg: u32, first_block: u32) {
    let rename = |a: &mut Operand| move_operand(a, first_reg);
    for inst in &mut block.insts {
        inst.uses_mut(rename);
        if let Some(dst) = inst.dst_mut() {
            dst.0 += first_reg;
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

fn give_varargs(block: &mut Block, varargs: &[(Operand, Sort)]) {
    for inst in &mut block.insts {
        if let Inst::VaStart { args, .. } = inst {
            *args = Some(varargs.to_vec());
        }
    }
}
