//! The caller of an entry other than `main`.
//!
//! It consists of ordinary instructions, so no other part treats it specially: it allocates objects
//! with arbitrary contents, lets inputs choose each pointer, stores the pointers inside the
//! objects, and calls the entry. It is one block without a branch, since `Select` chooses pointers,
//! so the objects have the same numbers in every run and all choices together are one step of a
//! proof. [`Caller`] describes the choices. `types` has the C types of the debug information,
//! `plan` the objects and the choices of each pointer.

mod plan;
mod types;

use super::Ctx;
use super::function::{Builder, int};
use super::types::unsupported;
use crate::caller::{ArgumentInput, Caller, Choice, PassedValue};
use crate::program::*;
use attest_llvm::ctype::CType;
use attest_llvm::ir::{self, GlobalKind, InstKind, MdId};
use plan::{Candidate, Param, Plan, Source};
use std::sync::Arc;
use types::{Types, no_arguments};

/// An offset without a scalar.
const NOWHERE: u64 = u64::MAX / 2;

/// Makes the caller of a function that is already lowered.
pub(crate) fn lower_caller(ctx: &mut Ctx<'_>, entry: FnId) -> (Function, Caller) {
    let module = ctx.module;
    let global = ctx.jobs[entry.0 as usize].global;
    let called: Arc<str> = module.global(global).name.as_str().into();
    let name: Arc<str> = format!("caller of {called}").into();
    let GlobalKind::Function(ir) = &module.global(global).kind else {
        unreachable!("only functions are lowered");
    };
    let place = ctx.function_place(ir.dbg, module.global(global).line);
    let planned = make_plan(ctx, ir, called.clone());
    let mut builder = Builder::new(ctx, ir, name.clone(), place, 1);
    let (made, caller) = match planned {
        Ok((caller, bools)) => (builder.caller(global, entry, &caller, &bools), caller),
        Err(bail) => (Err(bail), nothing(called)),
    };
    if let Err(bail) = made {
        builder.pause();
        builder.finish(Terminator::Bail(bail));
    }
    let blocks = builder.take_blocks();
    let function = Function {
        name,
        regs: builder.regs,
        params: 0,
        varargs: false,
        results: builder.results,
        blocks,
        place,
        object: ObjectId::NULL,
        synthetic: true,
    };
    (function, caller)
}

/// The description of a caller that cannot be made.
fn nothing(function: Arc<str>) -> Caller {
    Caller {
        function,
        objects: Vec::new(),
        inputs: Vec::new(),
        passed: Vec::new(),
        nulls: Vec::new(),
        notes: Vec::new(),
    }
}

fn make_plan(ctx: &Ctx<'_>, ir: &ir::Function, name: Arc<str>) -> Result<Plan, Bail> {
    if ir.varargs {
        let what = format!("variable arguments of the entry {name}");
        return Err(unsupported(BailKind::Unsupported, what));
    }
    let types = Types::new(&ctx.module.metadata);
    let params = Matching::new(ctx, &types, ir).params()?;
    let candidates = candidates(ctx, &types);
    plan::plan(&types, ctx.options.bounds, &candidates, name, &params)
}

/// The functions that a pointer may point to.
fn candidates(ctx: &Ctx<'_>, types: &Types<'_>) -> Vec<Candidate> {
    let mut out = Vec::new();
    for global in &ctx.candidates {
        let info = ctx.module.global(*global);
        let (GlobalKind::Function(function), Some(object)) =
            (&info.kind, ctx.object_of.get(global))
        else {
            continue;
        };
        let Ok(signature) = ctx.signature(*global) else {
            continue;
        };
        let subprogram = function.dbg.and_then(|d| ctx.module.metadata.subprogram(d));
        out.push(Candidate {
            name: info.name.as_str().into(),
            object: *object,
            key: subprogram.and_then(|s| s.ty).map(|ty| types.key(Some(ty))),
            signature: (signature.params, signature.results),
        });
    }
    out
}

/// Matches each parameter of the IR with its parameter in C. clang's ABI passes structures by
/// address, or in pieces named after them.
struct Matching<'a, 'm> {
    ctx: &'a Ctx<'m>,
    types: &'a Types<'m>,
    ir: &'a ir::Function,
    /// Names and types of C's parameters.
    declared: Vec<(String, Option<MdId>)>,
}

impl<'a, 'm> Matching<'a, 'm> {
    fn new(ctx: &'a Ctx<'m>, types: &'a Types<'m>, ir: &'a ir::Function) -> Matching<'a, 'm> {
        let metadata = &ctx.module.metadata;
        let mut declared: Vec<(String, Option<MdId>)> = Vec::new();
        let ty = ir
            .dbg
            .and_then(|d| metadata.subprogram(d))
            .and_then(|s| s.ty);
        if let Some(CType::Function { params, .. }) = ty.and_then(|ty| metadata.ctype(ty)) {
            declared.extend(params.into_iter().map(|ty| (String::new(), ty)));
        }
        // Old-style definitions have no prototype, but their parameters are variables.
        for inst in ir.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Dbg(record) = &inst.kind
                && let Some(variable) = record.subject.and_then(|s| metadata.variable(s))
                && let Some(at) = variable.arg.map(|arg| arg as usize - 1)
                && variable.scope == ir.dbg
                && at < ir.params.len().max(declared.len())
            {
                if declared.len() <= at {
                    declared.resize(at + 1, (String::new(), None));
                }
                declared[at] = (variable.name, variable.ty);
            }
        }
        Matching {
            ctx,
            types,
            ir,
            declared,
        }
    }

    fn params(&self) -> Result<Vec<Param>, Bail> {
        let mut out = Vec::new();
        let mut c = 0;
        let mut at = 0;
        while let Some(param) = self.ir.params.get(at) {
            if let Some(ty) = ir::type_attr(&param.attrs, "sret") {
                let size = self.ctx.size_of(ty)?;
                out.push(self.param(at, "the result", 0, Sort::Ptr, Source::Result(size)));
                at += 1;
                continue;
            }
            let declared = self.declared.get(c);
            c += 1;
            let ty = declared.and_then(|(_, ty)| *ty);
            if ty.is_some_and(|ty| self.types.is_empty(ty)) && self.stem(at).is_none() {
                continue;
            }
            let ir_name = self.ir_name(at);
            let name = match declared {
                Some((name, _)) if !name.is_empty() => name.as_str(),
                _ => ir_name,
            };
            match ty {
                Some(ty) if self.types.is_split(ty) => at = self.split(at, name, ty, &mut out)?,
                _ => {
                    self.whole(at, name, ty, &mut out)?;
                    at += 1;
                }
            }
        }
        Ok(out)
    }

    fn param(&self, at: usize, name: &str, offset: u64, sort: Sort, source: Source) -> Param {
        Param {
            name: name.into(),
            parameter: at,
            offset,
            sort,
            source,
        }
    }

    fn ir_name(&self, at: usize) -> &str {
        let local = self.ir.params.get(at).map(|p| p.local.0 as usize);
        local.map_or("", |local| &self.ir.locals[local].name)
    }

    /// `a` and the suffix, for `a.coerce`, `a.coerce1` and `a.1`.
    fn stem(&self, at: usize) -> Option<(&str, &str)> {
        let (stem, suffix) = self.ir_name(at).rsplit_once('.')?;
        let digits = suffix.strip_prefix("coerce").unwrap_or(suffix);
        let numbered = digits.chars().all(|c| c.is_ascii_digit());
        (numbered && !suffix.is_empty()).then_some((stem, suffix))
    }

    /// A parameter that is a whole parameter of C.
    fn whole(
        &self,
        at: usize,
        name: &str,
        ty: Option<MdId>,
        out: &mut Vec<Param>,
    ) -> Result<(), Bail> {
        let param = &self.ir.params[at];
        if ty.is_some_and(|ty| self.types.is_va_list(ty)) {
            return Err(no_arguments("a va_list"));
        }
        let leaves = self.ctx.leaves(param.ty)?;
        for (i, leaf) in leaves.iter().enumerate() {
            let source = match (leaf.sort, ty.map(|ty| (ty, self.types.pointee(ty)))) {
                (Sort::Ptr, Some((ty, Some(target)))) => {
                    Source::Pointer(target, self.types.is_restrict(ty))
                }
                (Sort::Ptr, _) => {
                    return Err(no_arguments(format!(
                        "a pointer to something that the debug information does not tell: {name}"
                    )));
                }
                (_, ty) => Source::Scalar(ty.is_some_and(|(ty, _)| self.types.is_signed(ty))),
            };
            let name = match leaves.len() {
                1 => name.to_owned(),
                _ => format!("{name}.{i}"),
            };
            out.push(self.param(at, &name, leaf.offset, leaf.sort, source));
        }
        Ok(())
    }

    /// A structure that is passed by value; returns the next parameter.
    fn split(
        &self,
        mut at: usize,
        name: &str,
        ty: MdId,
        out: &mut Vec<Param>,
    ) -> Result<usize, Bail> {
        let by_address = ir::type_attr(&self.ir.params[at].attrs, "byval").is_some();
        let Some((stem, _)) = self.stem(at).filter(|_| !by_address) else {
            let sort = self.ctx.leaves(self.ir.params[at].ty)?;
            match sort.as_slice() {
                [leaf] if leaf.sort == Sort::Ptr => {
                    out.push(self.param(at, name, 0, Sort::Ptr, Source::Value(Some(ty))));
                    return Ok(at + 1);
                }
                _ => {
                    self.whole(at, name, Some(ty), out)?;
                    return Ok(at + 1);
                }
            }
        };
        let mut shape = types::Shape::default();
        self.types.walk(Some(ty), 0, "", &mut shape)?;
        let scalars = self.types.scalars(ty)?;
        while let Some((_, suffix)) = self.stem(at).filter(|(s, _)| *s == stem) {
            // Pieces are words of 8 bytes, or single scalars.
            let start = match suffix.strip_prefix("coerce") {
                Some(number) => 8 * u64::from(number.parse::<u8>().unwrap_or(0)),
                None => {
                    let number: usize = suffix.parse().unwrap_or(usize::MAX);
                    scalars.get(number).copied().unwrap_or(NOWHERE)
                }
            };
            for leaf in self.ctx.leaves(self.ir.params[at].ty)? {
                let offset = start.saturating_add(leaf.offset);
                let named = shape.scalars.iter().find(|s| s.offset == offset);
                let slot = shape.slots.iter().find(|s| s.offset == offset);
                let source = match (leaf.sort, slot) {
                    (Sort::Ptr, Some(slot)) if slot.targets.len() == 1 => {
                        Source::Pointer(slot.targets[0], false)
                    }
                    (Sort::Ptr, _) => {
                        return Err(no_arguments(format!("a union of pointers: {name}")));
                    }
                    _ => Source::Scalar(named.is_some_and(|n| n.signed)),
                };
                let piece = match named {
                    Some(scalar) if scalar.sort == leaf.sort => format!("{name}{}", scalar.path),
                    _ => format!("{name}, {} bytes from byte {offset}", {
                        leaf.sort.bytes(self.ctx.pointer_bits())
                    }),
                };
                out.push(self.param(at, &piece, leaf.offset, leaf.sort, source));
            }
            at += 1;
        }
        Ok(at)
    }
}

impl Builder<'_, '_> {
    /// The code of the caller.
    fn caller(
        &mut self,
        global: ir::GlobalId,
        entry: FnId,
        caller: &Caller,
        bools: &[(usize, u64)],
    ) -> Result<(), Bail> {
        let bits = self.ctx.pointer_bits();
        let mut objects = Vec::with_capacity(caller.objects.len());
        for object in &caller.objects {
            let dst = self.new_reg(Sort::Ptr, &object.name);
            self.emit(Inst::Alloc {
                dst,
                storage: Storage::Heap,
                size: int(bits, object.size.into()),
                zeroed: false,
                name: None,
            });
            objects.push(Operand::Reg(dst));
        }
        let mut values = Vec::with_capacity(caller.inputs.len());
        for input in &caller.inputs {
            values.push(self.argument_input(input, &objects));
        }
        for (object, offset) in &caller.nulls {
            let ptr = self.displaced(objects[*object], *offset);
            self.emit(Inst::Store {
                sort: Sort::Ptr,
                ptr,
                src: Operand::Const(Constant::NULL),
            });
        }
        for (object, offset) in bools {
            self.truth_value(objects[*object], *offset);
        }
        let passed = caller.passed.iter().map(|passed| {
            let value = match passed.value {
                PassedValue::Input(at) => values[at],
                PassedValue::Object(at) => objects[at],
                PassedValue::Null => Operand::Const(Constant::NULL),
            };
            (value, passed.sort)
        });
        let passed: Vec<(Operand, Sort)> = passed.collect();
        let leaves = self.ctx.leaves(self.ir.ret)?;
        self.results = leaves.iter().map(|l| l.sort).collect();
        let mut results = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            results.push(self.new_reg(leaf.sort, "result"));
        }
        self.direct_call(entry, global, &passed, &results)?;
        let results = results.into_iter().map(Operand::Reg).collect();
        self.finish(Terminator::Return(results));
        Ok(())
    }

    /// Takes an input, and for a pointer selects the chosen place.
    fn argument_input(&mut self, input: &ArgumentInput, objects: &[Operand]) -> Operand {
        let number = self.new_reg(input.sort, &input.name);
        self.emit(Inst::Input {
            dst: number,
            sort: input.sort,
            kind: InputKind::Argument(input.name.clone()),
        });
        let number = Operand::Reg(number);
        if input.choices.is_empty() {
            return number;
        }
        let mut pointers = Vec::with_capacity(input.choices.len());
        for choice in &input.choices {
            pointers.push(match choice {
                Choice::Null | Choice::Data => Operand::Const(Constant::NULL),
                Choice::Place {
                    object, offset: 0, ..
                } => objects[*object],
                Choice::Place { object, offset, .. } => self.displaced(objects[*object], *offset),
                Choice::Function { object, .. } => Operand::Const(Constant::Ptr {
                    object: *object,
                    offset: 0,
                }),
            });
        }
        // Numbers beyond the end mean the same as 1.
        let mut chosen = pointers.get(1).copied().unwrap_or(pointers[0]);
        for (i, pointer) in pointers.iter().enumerate().filter(|(i, _)| *i != 1) {
            let cond = self.chooses(input.sort, number, i);
            let dst = self.temp(Sort::Ptr);
            self.emit(Inst::Select {
                dst,
                cond,
                a: *pointer,
                b: chosen,
            });
            chosen = Operand::Reg(dst);
        }
        if let Some((object, offset)) = input.stored {
            let ptr = self.displaced(objects[object], offset);
            let store = Inst::Store {
                sort: Sort::Ptr,
                ptr,
                src: chosen,
            };
            match input.choices.iter().position(|c| *c == Choice::Data) {
                None => self.emit(store),
                Some(data) => {
                    let is_data = self.chooses(input.sort, number, data);
                    self.unless(is_data, store);
                }
            }
        }
        chosen
    }

    fn chooses(&mut self, sort: Sort, number: Operand, choice: usize) -> Operand {
        let Sort::Int(width) = sort else {
            return int(1, 0);
        };
        self.int_compare(Relation::Eq, sort, number, int(width, choice as u128))
    }

    /// An instruction with no effect if a condition holds.
    fn unless(&mut self, cond: Operand, inst: Inst) {
        let (work, after) = (self.new_block(), self.new_block());
        let to = |block| Target {
            block,
            copies: Vec::new(),
        };
        self.finish(Terminator::Branch {
            cond,
            then: to(after),
            other: to(work),
        });
        self.current = work;
        self.emit(inst);
        self.finish(Terminator::Goto(to(after)));
        self.current = after;
    }

    /// A boolean in memory is 0 or 1.
    fn truth_value(&mut self, object: Operand, offset: u64) {
        let ptr = self.displaced(object, offset);
        let dst = self.temp(Sort::Int(8));
        let sort = Sort::Int(8);
        self.emit(Inst::Load {
            dst,
            sort,
            ptr,
            other: Other::Address,
        });
        let cond = self.int_compare(Relation::Ule, sort, Operand::Reg(dst), int(8, 1));
        self.emit(Inst::Assume { cond });
    }
}
