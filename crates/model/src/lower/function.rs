//! One function: its registers, its blocks, and the phis as copies on edges.
//!
//! Blocks are lowered in reverse postorder, so that a value is defined before it is used. A block
//! ends at its first bail, and blocks that only it reaches are never lowered.

use super::constants::block_offset;
use super::types::{Leaf, unsupported};
use super::{Ctx, Job};
use crate::leak::Leaks;
use crate::program::*;
use attest_llvm::ir::{self, ConstKind, GlobalKind, InstKind, LocalId, TypeKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Builds one function of the model.
pub(crate) struct Builder<'c, 'm> {
    pub ctx: &'c mut Ctx<'m>,
    pub ir: &'c ir::Function,
    pub name: Arc<str>,
    pub regs: Vec<RegInfo>,
    /// The scalars of each local value of the IR.
    values: Vec<Option<Vec<Operand>>>,
    /// Promoted variables.
    pub vars: FxHashMap<LocalId, Reg>,
    /// Debug variables by the local that holds or addresses them.
    pub debug_names: FxHashMap<LocalId, VarId>,
    /// Types of the variables in memory that have lifetime markers.
    pub allocas: FxHashMap<LocalId, ir::Ty>,
    /// The pointer from which each `ptrtoint` result was made, for differences of pointers.
    pub pointer_of: FxHashMap<LocalId, Operand>,
    blocks: Vec<Option<Block>>,
    pub current: BlockId,
    pub insts: Vec<Inst>,
    places: Vec<PlaceId>,
    pub place: PlaceId,
    /// Sorts of the results.
    pub results: Vec<Sort>,
}

/// What a program may say in a pragma; as an argument of the compiler it is refused.
const FAST: &str = "floating-point arithmetic whose result the compiler may change";

/// What clang has evaluated and C leaves undefined.
const FOLDED: &str = "a constant expression that divides by zero, shifts too far or does not fit";

/// The other unit has registers that keep more digits than the types.
const WITHOUT_SSE2: &str = "floating-point arithmetic on a target without SSE2";

/// Whether an instruction rounds the result of an operation on floats.
fn computes_floats(inst: &ir::Inst) -> bool {
    use attest_llvm::ir::{BinOp, CastOp};
    match &inst.kind {
        InstKind::Bin { op, .. } => matches!(
            op,
            BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem
        ),
        InstKind::Cast { op, .. } => {
            matches!(op, CastOp::FpTrunc | CastOp::UiToFp | CastOp::SiToFp)
        }
        _ => false,
    }
}

/// A block's code so far, kept while other blocks are made.
pub(crate) type Paused = (Vec<Inst>, Vec<PlaceId>);

/// Whether lowering of the block continues after an instruction.
pub(crate) enum Next {
    /// The next instruction follows.
    Continue,
    /// The block has ended.
    Ended,
}

/// Lowers a function, or makes the wrapper of a function without a body.
pub(crate) fn lower_function(ctx: &mut Ctx<'_>, job: &Job) -> Function {
    let global = ctx.module.global(job.global);
    let object = ctx
        .object_of
        .get(&job.global)
        .copied()
        .unwrap_or(ObjectId::NULL);
    let GlobalKind::Function(function) = &global.kind else {
        return bailing(
            global.name.as_str().into(),
            object,
            "an alias called as a function",
        );
    };
    let name: Arc<str> = global.name.as_str().into();
    let place = ctx.function_place(function.dbg, global.line);
    let blocks = function.blocks.len().max(1);
    let mut builder = Builder::new(ctx, function, name.clone(), place, blocks);
    let made = builder.signature();
    let params = builder.regs.len() as u32;
    match made {
        Err(bail) => builder.finish(Terminator::Bail(bail)),
        Ok(()) if job.wrapper => builder.wrapper(job.global, &name),
        Ok(()) => builder.body(place),
    }
    let blocks = builder.take_blocks();
    let (regs, results) = (builder.regs, builder.results);
    let mut function = Function {
        name,
        regs,
        params,
        varargs: function.varargs,
        results,
        blocks,
        place,
        object,
        synthetic: job.wrapper,
    };
    match ctx.options.leaks {
        Leaks::Off => crate::tidy::tidy(&mut function),
        _ => crate::tidy::tidy_but_variables(&mut function),
    }
    function
}

fn bailing(name: Arc<str>, object: ObjectId, why: &str) -> Function {
    let end = Terminator::Bail(unsupported(BailKind::Unsupported, why));
    let block = Block {
        insts: vec![],
        places: vec![],
        end,
        end_place: PlaceId(0),
    };
    Function {
        name,
        regs: vec![],
        params: 0,
        varargs: false,
        results: vec![],
        blocks: vec![block],
        place: PlaceId(0),
        object,
        synthetic: true,
    }
}

impl<'c, 'm> Builder<'c, 'm> {
    /// A function without code yet.
    pub fn new(
        ctx: &'c mut Ctx<'m>,
        ir: &'c ir::Function,
        name: Arc<str>,
        place: PlaceId,
        blocks: usize,
    ) -> Builder<'c, 'm> {
        Builder {
            values: vec![None; ir.locals.len()],
            ctx,
            ir,
            name,
            regs: Vec::new(),
            vars: FxHashMap::default(),
            debug_names: FxHashMap::default(),
            allocas: FxHashMap::default(),
            pointer_of: FxHashMap::default(),
            blocks: vec![None; blocks],
            current: BlockId(0),
            insts: Vec::new(),
            places: Vec::new(),
            place,
            results: Vec::new(),
        }
    }

    /// Parameters become the first registers.
    fn signature(&mut self) -> Result<(), Bail> {
        let ir = self.ir;
        for param in &ir.params {
            let leaves = self.ctx.leaves(param.ty)?;
            let regs = self.new_regs(&leaves, &ir.locals[param.local.0 as usize].name);
            self.set(param.local, regs);
        }
        self.results = self.ctx.leaves(ir.ret)?.iter().map(|l| l.sort).collect();
        Ok(())
    }

    /// A body that passes its parameters to the model with the function's name.
    fn wrapper(&mut self, global: ir::GlobalId, name: &str) {
        let args: Vec<(Operand, Sort)> = (0..self.regs.len())
            .map(|i| (Operand::Reg(Reg(i as u32)), self.regs[i].sort))
            .collect();
        let leaves: Vec<Leaf> = self
            .results
            .iter()
            .map(|&sort| Leaf { sort, offset: 0 })
            .collect();
        let results = self.new_regs(&leaves, "result");
        let results: Vec<Reg> = results.iter().filter_map(|o| as_reg(*o)).collect();
        match self.named_call(global, name, &args, &results) {
            Ok(Next::Continue) => self.finish(Terminator::Return(
                results.into_iter().map(Operand::Reg).collect(),
            )),
            Ok(Next::Ended) => {}
            Err(bail) => self.finish(Terminator::Bail(bail)),
        }
    }

    fn body(&mut self, start: PlaceId) {
        let ir = self.ir;
        self.find_debug_names();
        self.find_lifetimes();
        for (local, sort) in sorted(super::promote::promotable_locals(self.ctx, ir)) {
            let reg = self.new_reg(sort, &ir.locals[local.0 as usize].name);
            self.regs[reg.0 as usize].variable = self.debug_names.get(&local).copied();
            self.vars.insert(local, reg);
        }
        let order = reverse_postorder(ir);
        let mut reached = vec![false; ir.blocks.len()];
        reached[0] = true;
        // Only irreducible graphs, where a block can come before all its predecessors, need a
        // second round.
        let mut progress = true;
        let mut done = vec![false; ir.blocks.len()];
        while progress {
            progress = false;
            for &block in &order {
                let at = block.0 as usize;
                if done[at] || !reached[at] {
                    continue;
                }
                done[at] = true;
                progress = true;
                self.current = BlockId(block.0);
                self.place = start;
                for target in self.lower_block(block) {
                    reached[target.0 as usize] = true;
                }
            }
        }
    }

    /// Lowers a block and returns its successors in the IR.
    fn lower_block(&mut self, id: ir::BlockId) -> Vec<ir::BlockId> {
        let ir = self.ir;
        let block = &ir.blocks[id.0 as usize];
        if id.0 == 0
            && let Err(bail) = self.call_constructors()
        {
            self.finish(Terminator::Bail(bail));
            return Vec::new();
        }
        for inst in &block.insts {
            self.place = self.ctx.place_at(inst.dbg, inst.line, self.place);
            let inexact = if inst.fast {
                Some(FAST)
            } else if computes_floats(inst) && self.has_feature("-sse2") {
                Some(WITHOUT_SSE2)
            } else {
                None
            };
            if let Some(what) = inexact {
                let bail = unsupported(BailKind::Unsupported, what);
                self.finish(Terminator::Bail(bail));
                return Vec::new();
            }
            let outcome = match self.terminator(inst, id) {
                Some(done) => done.map(Some),
                None => self.inst(inst).map(|next| match next {
                    Next::Continue => None,
                    Next::Ended => Some(Vec::new()),
                }),
            };
            match outcome {
                Ok(None) => {}
                Ok(Some(targets)) => return targets,
                Err(bail) => {
                    self.finish(Terminator::Bail(bail));
                    return Vec::new();
                }
            }
        }
        self.finish(Terminator::Bail(unsupported(
            BailKind::Unsupported,
            "a block without an end",
        )));
        Vec::new()
    }

    /// Lowers a terminator; `None` if the instruction is not one.
    fn terminator(
        &mut self,
        inst: &ir::Inst,
        from: ir::BlockId,
    ) -> Option<Result<Vec<ir::BlockId>, Bail>> {
        let lowered = match &inst.kind {
            InstKind::Ret(value) => {
                let values = value.map_or(Ok(Vec::new()), |(_, value)| self.operand(value));
                let values = values.and_then(|values| self.call_after_main().map(|()| values));
                values.map(|values| (Terminator::Return(values), Vec::new()))
            }
            InstKind::Br(to) => self
                .target(from, *to)
                .map(|t| (Terminator::Goto(t), vec![*to])),
            InstKind::CondBr { cond, then, other } => self.branch(from, *cond, *then, *other),
            InstKind::Switch {
                value,
                default,
                cases,
                ..
            } => self.switch(from, *value, *default, cases),
            InstKind::IndirectBr { address, targets } => {
                self.indirect_branch(from, *address, targets)
            }
            InstKind::Unreachable => {
                let what = "code marked unreachable is reached";
                Err(unsupported(BailKind::Unreachable, what))
            }
            InstKind::Invoke { call, normal, .. } => match self.call(call, inst.result) {
                Ok(Next::Continue) => self
                    .target(from, *normal)
                    .map(|t| (Terminator::Goto(t), vec![*normal])),
                Ok(Next::Ended) => return Some(Ok(Vec::new())),
                Err(bail) => Err(bail),
            },
            InstKind::CallBr { .. } => Err(unsupported(BailKind::Asm, "asm goto")),
            InstKind::ExceptionTerminator(what, _) => {
                Err(unsupported(BailKind::Exception, what.clone()))
            }
            _ => return None,
        };
        Some(lowered.map(|(end, targets)| {
            self.finish(end);
            targets
        }))
    }

    fn branch(
        &mut self,
        from: ir::BlockId,
        cond: ir::Operand,
        then: ir::BlockId,
        other: ir::BlockId,
    ) -> Result<(Terminator, Vec<ir::BlockId>), Bail> {
        let cond = self.scalar_operand(cond)?;
        let (then_to, other_to) = (self.target(from, then)?, self.target(from, other)?);
        Ok((
            Terminator::Branch {
                cond,
                then: then_to,
                other: other_to,
            },
            vec![then, other],
        ))
    }

    fn switch(
        &mut self,
        from: ir::BlockId,
        value: ir::Operand,
        default: ir::BlockId,
        cases: &[(ir::ConstId, ir::BlockId)],
    ) -> Result<(Terminator, Vec<ir::BlockId>), Bail> {
        let value = self.scalar_operand(value)?;
        let mut lowered = Vec::with_capacity(cases.len());
        let mut targets = vec![default];
        let mut width = 1;
        for (constant, to) in cases {
            let Some(Constant::Int { value, width: w }) = self.ctx.const_scalar(*constant)? else {
                return Err(unsupported(
                    BailKind::Unsupported,
                    "a case that is no number",
                ));
            };
            width = w;
            lowered.push((value, self.target(from, *to)?));
            targets.push(*to);
        }
        let default = self.target(from, default)?;
        Ok((
            Terminator::Switch {
                width,
                value,
                cases: lowered,
                default,
            },
            targets,
        ))
    }

    fn indirect_branch(
        &mut self,
        from: ir::BlockId,
        address: ir::Operand,
        targets: &[ir::BlockId],
    ) -> Result<(Terminator, Vec<ir::BlockId>), Bail> {
        let ptr = self.scalar_operand(address)?;
        let this = self
            .ctx
            .module
            .lookup(&self.name)
            .and_then(|g| self.ctx.object_of.get(&g))
            .copied();
        let this = this.unwrap_or(ObjectId::NULL);
        let mut cases = Vec::with_capacity(targets.len());
        for to in targets {
            cases.push((this, block_offset(to.0 as usize), self.target(from, *to)?));
        }
        let other_label = self.bail_block(unsupported(
            BailKind::BadCall,
            "goto through a pointer to no label",
        ));
        let default = Target {
            block: other_label,
            copies: Vec::new(),
        };
        Ok((
            Terminator::PtrSwitch {
                ptr,
                cases,
                default,
            },
            targets.to_vec(),
        ))
    }

    /// The jump to a block with the copies for its phis.
    fn target(&mut self, from: ir::BlockId, to: ir::BlockId) -> Result<Target, Bail> {
        let ir = self.ir;
        let mut copies = Vec::new();
        for inst in &ir.blocks[to.0 as usize].insts {
            let InstKind::Phi { ty, incoming } = &inst.kind else {
                if matches!(inst.kind, InstKind::Dbg(_)) {
                    continue;
                }
                break;
            };
            let Some(result) = inst.result else { continue };
            let regs = self.regs_of(result, *ty)?;
            let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                return Err(unsupported(
                    BailKind::Unsupported,
                    "a phi without a value for its predecessor",
                ));
            };
            if let ir::Operand::Const(constant) = value
                && self.is_folded(*constant)
            {
                return Ok(Target {
                    block: self.bail_block(unsupported(BailKind::Division, FOLDED)),
                    copies: Vec::new(),
                });
            }
            copies.extend(regs.into_iter().zip(self.operand(*value)?));
        }
        Ok(Target {
            block: BlockId(to.0),
            copies,
        })
    }

    // Registers and values.

    /// A fresh register.
    pub fn new_reg(&mut self, sort: Sort, name: &str) -> Reg {
        let reg = Reg(self.regs.len() as u32);
        self.regs.push(RegInfo {
            sort,
            name: name.into(),
            variable: None,
        });
        reg
    }

    /// Fresh registers for the scalars of a value.
    pub fn new_regs(&mut self, leaves: &[Leaf], name: &str) -> Vec<Operand> {
        match leaves {
            [one] => vec![Operand::Reg(self.new_reg(one.sort, name))],
            many => many
                .iter()
                .enumerate()
                .map(|(i, leaf)| Operand::Reg(self.new_reg(leaf.sort, &format!("{name}.{i}"))))
                .collect(),
        }
    }

    /// A temporary.
    pub fn temp(&mut self, sort: Sort) -> Reg {
        self.new_reg(sort, "t")
    }

    /// The registers of a local value, created if it has none yet.
    pub fn regs_of(&mut self, local: LocalId, ty: ir::Ty) -> Result<Vec<Reg>, Bail> {
        if let Some(values) = &self.values[local.0 as usize]
            && values.iter().all(|v| as_reg(*v).is_some())
        {
            return Ok(values.iter().filter_map(|v| as_reg(*v)).collect());
        }
        let leaves = self.ctx.leaves(ty)?;
        let ir = self.ir;
        let operands = self.new_regs(&leaves, &ir.locals[local.0 as usize].name);
        self.values[local.0 as usize] = Some(operands.clone());
        Ok(operands.into_iter().filter_map(as_reg).collect())
    }

    /// The one register of a scalar local.
    pub fn reg_of(&mut self, local: LocalId) -> Result<Reg, Bail> {
        let ir = self.ir;
        let ty = ir.locals[local.0 as usize].ty;
        match self.regs_of(local, ty)?.as_slice() {
            [reg] => Ok(*reg),
            _ => Err(unsupported(
                BailKind::Type,
                "an aggregate where a scalar is needed",
            )),
        }
    }

    /// Sets the scalars of a local. If it already has registers, they are assigned.
    pub fn set(&mut self, local: LocalId, values: Vec<Operand>) {
        match &self.values[local.0 as usize] {
            None => self.values[local.0 as usize] = Some(values),
            Some(held) => {
                let pairs: Vec<_> = held.iter().copied().zip(values).collect();
                for (dst, src) in pairs {
                    if let Operand::Reg(dst) = dst {
                        self.emit(Inst::Copy { dst, src });
                    }
                }
            }
        }
    }

    /// The scalars of an operand.
    pub fn operand(&mut self, operand: ir::Operand) -> Result<Vec<Operand>, Bail> {
        match operand {
            ir::Operand::Local(local) => {
                if let Some(values) = &self.values[local.0 as usize] {
                    return Ok(values.clone());
                }
                let ir = self.ir;
                let ty = ir.locals[local.0 as usize].ty;
                Ok(self
                    .regs_of(local, ty)?
                    .into_iter()
                    .map(Operand::Reg)
                    .collect())
            }
            ir::Operand::Const(constant) => self.constant(constant),
        }
    }

    /// The one scalar of an operand.
    pub fn scalar_operand(&mut self, operand: ir::Operand) -> Result<Operand, Bail> {
        if let ir::Operand::Local(local) = operand
            && let Some([one]) = self.values[local.0 as usize].as_deref()
        {
            return Ok(*one);
        }
        match self.operand(operand)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(unsupported(
                BailKind::Type,
                "an aggregate where a scalar is needed",
            )),
        }
    }

    /// The scalars of a constant. Undefined ones are inputs, a fresh one at each use.
    pub fn constant(&mut self, id: ir::ConstId) -> Result<Vec<Operand>, Bail> {
        let module = self.ctx.module;
        let constant = module.constant(id);
        match &constant.kind {
            ConstKind::Poison if self.is_folded(id) => Err(unsupported(BailKind::Division, FOLDED)),
            ConstKind::Undef | ConstKind::Poison => {
                let leaves = self.ctx.leaves(constant.ty)?;
                Ok(leaves
                    .iter()
                    .map(|leaf| self.undefined(leaf.sort))
                    .collect())
            }
            ConstKind::Zero => {
                let leaves = self.ctx.leaves(constant.ty)?;
                Ok(leaves
                    .iter()
                    .map(|leaf| Operand::Const(Constant::zero(leaf.sort)))
                    .collect())
            }
            ConstKind::Aggregate(elements) => {
                let mut out = Vec::new();
                for element in elements {
                    out.extend(self.constant(*element)?);
                }
                Ok(out)
            }
            ConstKind::Int(words) if self.wide_width(constant.ty).is_some() => {
                self.wide_constant(words, self.wide_width(constant.ty).unwrap_or(0))
            }
            ConstKind::Bytes(bytes) => Ok(bytes.iter().map(|b| int(8, u128::from(*b))).collect()),
            ConstKind::Splat(element) => {
                let count = self.ctx.leaves(constant.ty)?.len();
                let one = self.constant(*element)?;
                Ok((0..count).flat_map(|_| one.clone()).collect())
            }
            _ => match self.ctx.const_scalar(id)? {
                Some(scalar) => Ok(vec![Operand::Const(scalar)]),
                None => match &constant.kind {
                    ConstKind::Expr(expr) => self.constant_expr(expr, constant.ty),
                    _ => Err(unsupported(
                        BailKind::Unsupported,
                        "an unsupported constant",
                    )),
                },
            },
        }
    }

    /// Whether a constant is what clang makes of a constant expression that C leaves undefined, such
    /// as `1 / 0` or `1 << 40`. Of aggregates and vectors it makes the same before they are filled.
    pub fn is_folded(&self, id: ir::ConstId) -> bool {
        let constant = self.ctx.module.constant(id);
        let is_scalar = matches!(
            self.ctx.module.types.kind(constant.ty),
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr(_)
        );
        is_scalar && matches!(constant.kind, ConstKind::Poison)
    }

    /// A fresh unknown value.
    pub fn undefined(&mut self, sort: Sort) -> Operand {
        let dst = self.new_reg(sort, "undef");
        self.emit(Inst::Input {
            dst,
            sort,
            kind: InputKind::Undef,
        });
        Operand::Reg(dst)
    }

    // Code.

    /// Adds an instruction to the current block.
    pub fn emit(&mut self, inst: Inst) {
        self.insts.push(inst);
        self.places.push(self.place);
    }

    /// Ends the current block.
    pub fn finish(&mut self, end: Terminator) {
        let block = Block {
            insts: std::mem::take(&mut self.insts),
            places: std::mem::take(&mut self.places),
            end,
            end_place: self.place,
        };
        self.blocks[self.current.0 as usize] = Some(block);
    }

    /// Takes the code of the current block so far.
    pub fn pause(&mut self) -> Paused {
        (
            std::mem::take(&mut self.insts),
            std::mem::take(&mut self.places),
        )
    }

    /// Restores code that was taken.
    pub fn resume(&mut self, paused: Paused) {
        (self.insts, self.places) = paused;
    }

    /// A new empty block, not yet current.
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// A block that only bails.
    pub fn bail_block(&mut self, bail: Bail) -> BlockId {
        let id = self.new_block();
        let end = Terminator::Bail(bail);
        self.blocks[id.0 as usize] = Some(Block {
            insts: vec![],
            places: vec![],
            end,
            end_place: self.place,
        });
        id
    }

    /// The lowered blocks, renumbered without gaps.
    pub fn take_blocks(&mut self) -> Vec<Block> {
        let mut number = Vec::with_capacity(self.blocks.len());
        let mut count = 0u32;
        for block in &self.blocks {
            number.push(BlockId(count));
            count += u32::from(block.is_some());
        }
        let mut blocks: Vec<Block> = std::mem::take(&mut self.blocks)
            .into_iter()
            .flatten()
            .collect();
        for block in &mut blocks {
            block
                .end
                .targets_mut(|t| t.block = number[t.block.0 as usize]);
        }
        blocks
    }

    /// Variables in memory with lifetime markers are allocated at the marker, not at the `alloca`.
    fn find_lifetimes(&mut self) {
        let ir = self.ir;
        let module = self.ctx.module;
        let mut marked = rustc_hash::FxHashSet::default();
        for inst in ir.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Call(call) = &inst.kind
                && super::promote::callee_name(module, call)
                    .is_some_and(|n| n.starts_with("llvm.lifetime.start"))
                && let Some(ir::ArgValue::Value(ir::Operand::Local(local))) =
                    call.args.last().map(|a| a.value)
            {
                marked.insert(local);
            }
        }
        for inst in ir.blocks.iter().flat_map(|b| &b.insts) {
            if let (InstKind::Alloca { ty, .. }, Some(local)) = (&inst.kind, inst.result)
                && marked.contains(&local)
            {
                self.allocas.insert(local, *ty);
            }
        }
    }

    /// The C variable that each local is or addresses.
    fn find_debug_names(&mut self) {
        let ir = self.ir;
        for inst in ir.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Dbg(record) = &inst.kind
                && record.plain
                && let (Some(ir::Operand::Local(local)), Some(subject)) =
                    (record.value, record.subject)
                && let Some(variable) = self.ctx.variable(subject)
            {
                self.debug_names.entry(local).or_insert(variable);
            }
        }
    }
}

/// The register of an operand.
pub(crate) fn as_reg(operand: Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(reg) => Some(reg),
        Operand::Const(_) => None,
    }
}

/// An integer constant.
pub(crate) fn int(width: u32, value: u128) -> Operand {
    Operand::Const(Constant::Int { width, value })
}

fn sorted(map: FxHashMap<LocalId, Sort>) -> Vec<(LocalId, Sort)> {
    let mut list: Vec<_> = map.into_iter().collect();
    list.sort_by_key(|(local, _)| *local);
    list
}

/// Reachable blocks, each before its successors except along loops.
fn reverse_postorder(function: &ir::Function) -> Vec<ir::BlockId> {
    let mut order = Vec::new();
    let mut seen = vec![false; function.blocks.len()];
    let mut stack = vec![(
        ir::BlockId(0),
        successors(function, ir::BlockId(0)).into_iter(),
    )];
    seen[0] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.next() {
            Some(next) if !seen[next.0 as usize] => {
                seen[next.0 as usize] = true;
                stack.push((next, successors(function, next).into_iter()));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn successors(function: &ir::Function, block: ir::BlockId) -> Vec<ir::BlockId> {
    match function.blocks[block.0 as usize]
        .insts
        .last()
        .map(|i| &i.kind)
    {
        Some(InstKind::Br(to)) => vec![*to],
        Some(InstKind::CondBr { then, other, .. }) => vec![*then, *other],
        Some(InstKind::Switch { default, cases, .. }) => {
            let mut all: Vec<_> = cases.iter().map(|(_, to)| *to).collect();
            all.push(*default);
            all
        }
        Some(InstKind::IndirectBr { targets, .. }) => targets.clone(),
        Some(InstKind::Invoke { normal, .. }) => vec![*normal],
        _ => vec![],
    }
}
