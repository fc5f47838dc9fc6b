//! Promotion: which variables become registers.
//!
//! A variable may become a register when no pointer to it can exist: its address occurs only as the
//! address of loads and stores of its own scalar type (and in lifetime markers and debug records).
//! This is our own pass and runs on the original IR, because LLVM's `mem2reg` and `SROA` choose the
//! undefined initial value of a variable as they like (algorithm notes 1.8).

use super::Ctx;
use crate::program::Sort;
use attest_llvm::ir::{
    self, ArgValue, Callee, ConstExpr, ConstId, ConstKind, GlobalId, InstKind, LocalId, Operand,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Promoted locals of a function, with their sort.
pub(crate) fn promotable_locals(
    ctx: &Ctx<'_>,
    function: &ir::Function,
) -> FxHashMap<LocalId, Sort> {
    let mut found = FxHashMap::default();
    for inst in function.blocks.iter().flat_map(|b| &b.insts) {
        if let (InstKind::Alloca { ty, count, .. }, Some(result)) = (&inst.kind, inst.result)
            && let Operand::Const(count) = count
            && matches!(&ctx.module.constant(*count).kind, ConstKind::Int(w) if w.first() == Some(&1))
            && let Ok(sort) = ctx.scalar(*ty)
        {
            found.insert(result, sort);
        }
    }
    for inst in function.blocks.iter().flat_map(|b| &b.insts) {
        let allowed = direct_access(ctx, inst);
        operands(ctx.module, inst, &mut |operand, direct| {
            if let Operand::Local(local) = operand
                && let Some(sort) = found.get(&local)
                && !(direct && (allowed == Some(*sort) || is_marker(ctx.module, inst)))
            {
                found.remove(&local);
            }
        });
    }
    found
}

/// Promoted global variables, with their sort.
pub(crate) fn promotable_globals(ctx: &Ctx<'_>) -> FxHashMap<GlobalId, Sort> {
    let module = ctx.module;
    let mut found = FxHashMap::default();
    for (i, global) in module.globals.iter().enumerate() {
        if let ir::GlobalKind::Variable(variable) = &global.kind
            && let Ok(sort) = ctx.scalar(variable.ty)
            && !global.name.starts_with("llvm.")
            && !needs_code(module, variable)
        {
            found.insert(GlobalId(i as u32), sort);
        }
    }
    // Any use inside another constant (an initialiser, an alias, an expression) is an escape.
    let mut seen = FxHashSet::default();
    for global in &module.globals {
        match &global.kind {
            ir::GlobalKind::Variable(v) => {
                if let Some(init) = v.init {
                    mentions(module, init, &mut seen, &mut |g| {
                        found.remove(&g);
                    });
                }
            }
            ir::GlobalKind::Alias { target, .. } => {
                mentions(module, *target, &mut seen, &mut |g| {
                    found.remove(&g);
                })
            }
            _ => {}
        }
    }
    for global in &module.globals {
        let ir::GlobalKind::Function(function) = &global.kind else {
            continue;
        };
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let allowed = direct_access(ctx, inst);
            operands(module, inst, &mut |operand, direct| {
                let Operand::Const(constant) = operand else {
                    return;
                };
                match module.constant(constant).kind {
                    ConstKind::Global(g) => {
                        if let Some(sort) = found.get(&g)
                            && !(direct && allowed == Some(*sort))
                        {
                            found.remove(&g);
                        }
                    }
                    _ => mentions(module, constant, &mut seen, &mut |g| {
                        found.remove(&g);
                    }),
                }
            });
        }
    }
    found
}

/// Whether the initial value is an expression over addresses, other than a plain address.
fn needs_code(module: &ir::Module, variable: &ir::Variable) -> bool {
    let init = variable.init.map(|init| &module.constant(init).kind);
    matches!(init, Some(ConstKind::Expr(e)) if !matches!(e, ConstExpr::Gep { .. }))
}

/// The sort that a load or store moves.
fn direct_access(ctx: &Ctx<'_>, inst: &ir::Inst) -> Option<Sort> {
    match &inst.kind {
        InstKind::Load { ty, .. } | InstKind::Store { ty, .. } => ctx.scalar(*ty).ok(),
        _ => None,
    }
}

/// Lifetime markers and debug records do not let an address escape.
fn is_marker(module: &ir::Module, inst: &ir::Inst) -> bool {
    match &inst.kind {
        InstKind::Dbg(_) => true,
        InstKind::Call(call) => callee_name(module, call)
            .is_some_and(|n| n.starts_with("llvm.lifetime.") || n.starts_with("llvm.dbg.")),
        _ => false,
    }
}

/// The name of the function that a call names directly.
pub(crate) fn callee_name<'m>(module: &'m ir::Module, call: &ir::Call) -> Option<&'m str> {
    match call.callee {
        Callee::Value(Operand::Const(c)) => match module.constant(c).kind {
            ConstKind::Global(g) => Some(&module.global(g).name),
            _ => None,
        },
        _ => None,
    }
}

/// Calls `f` on each operand; the flag says that it is the address of a load or store, or an
/// argument of a marker.
pub(crate) fn operands(module: &ir::Module, inst: &ir::Inst, f: &mut dyn FnMut(Operand, bool)) {
    match &inst.kind {
        InstKind::Load { ptr, .. } => f(*ptr, true),
        InstKind::Store { value, ptr, .. } => {
            f(*value, false);
            f(*ptr, true);
        }
        InstKind::Bin { lhs, rhs, .. }
        | InstKind::ICmp { lhs, rhs, .. }
        | InstKind::FCmp { lhs, rhs, .. }
        | InstKind::ShuffleVector { lhs, rhs, .. } => {
            f(*lhs, false);
            f(*rhs, false);
        }
        InstKind::FNeg(_, value)
        | InstKind::Cast { value, .. }
        | InstKind::Alloca { count: value, .. }
        | InstKind::Freeze(_, value)
        | InstKind::ExtractValue { agg: value, .. }
        | InstKind::VaArg { list: value, .. }
        | InstKind::Switch { value, .. }
        | InstKind::CondBr { cond: value, .. }
        | InstKind::IndirectBr { address: value, .. }
        | InstKind::Ret(Some((_, value))) => f(*value, false),
        InstKind::Gep { base, indices, .. } => {
            f(*base, false);
            indices.iter().for_each(|(_, i)| f(*i, false));
        }
        InstKind::Phi { incoming, .. } => incoming.iter().for_each(|(v, _)| f(*v, false)),
        InstKind::Select {
            cond,
            on_true,
            on_false,
            ..
        } => {
            f(*cond, false);
            f(*on_true, false);
            f(*on_false, false);
        }
        InstKind::InsertValue { agg, value, .. } => {
            f(*agg, false);
            f(*value, false);
        }
        InstKind::ExtractElement { vector, index, .. } => {
            f(*vector, false);
            f(*index, false);
        }
        InstKind::InsertElement {
            vector,
            value,
            index,
            ..
        } => {
            f(*vector, false);
            f(*value, false);
            f(*index, false);
        }
        InstKind::AtomicRmw { ptr, value, .. } => {
            f(*ptr, false);
            f(*value, false);
        }
        InstKind::CmpXchg {
            ptr, expected, new, ..
        } => {
            f(*ptr, false);
            f(*expected, false);
            f(*new, false);
        }
        InstKind::Dbg(record) => {
            if let Some(value) = record.value {
                f(value, true);
            }
        }
        InstKind::Call(call) | InstKind::Invoke { call, .. } | InstKind::CallBr { call, .. } => {
            let marker = is_marker(module, inst);
            if let Callee::Value(callee @ Operand::Local(_)) = call.callee {
                f(callee, false);
            }
            for arg in &call.args {
                if let ArgValue::Value(value) = arg.value {
                    f(value, marker);
                }
            }
            for (_, values) in &call.bundles {
                values.iter().for_each(|(_, v)| f(*v, false));
            }
        }
        InstKind::Fence(_)
        | InstKind::Exception(_)
        | InstKind::ExceptionTerminator(..)
        | InstKind::Ret(None)
        | InstKind::Br(_)
        | InstKind::Unreachable => {}
    }
}

/// Calls `f` on each global that a constant mentions.
pub(crate) fn mentions(
    module: &ir::Module,
    root: ConstId,
    seen: &mut FxHashSet<ConstId>,
    f: &mut dyn FnMut(GlobalId),
) {
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &module.constant(id).kind {
            ConstKind::Global(g) | ConstKind::Equivalent(g) | ConstKind::BlockAddress(g, _) => {
                f(*g)
            }
            ConstKind::Aggregate(elements) => work.extend(elements),
            ConstKind::Splat(element) => work.push(*element),
            ConstKind::Expr(expr) => match expr {
                ConstExpr::Cast(_, a) => work.push(*a),
                ConstExpr::Gep { base, indices, .. } => {
                    work.push(*base);
                    work.extend(indices);
                }
                ConstExpr::Bin(_, a, b)
                | ConstExpr::ICmp(_, a, b)
                | ConstExpr::FCmp(_, a, b)
                | ConstExpr::ExtractElement(a, b) => work.extend([*a, *b]),
                ConstExpr::Select(a, b, c)
                | ConstExpr::InsertElement(a, b, c)
                | ConstExpr::ShuffleVector(a, b, c) => work.extend([*a, *b, *c]),
            },
            _ => {}
        }
    }
}
