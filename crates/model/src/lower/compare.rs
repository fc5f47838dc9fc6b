//! The comparison functions of `qsort` and `bsearch`.
//!
//! C leaves open how often and in which order they are called, and the order of elements that
//! compare equal. The models in `stubs/input.c` let the environment choose what that can change
//! if a comparison changes nothing: which elements are compared before the model's own order
//! takes over, and where equal elements go. If a comparison has effects (it counts, reads input,
//! writes anything that outlives it), then their number and order show. No model has all of these
//! sequences, so the call is unsupported: a verdict would rest on one of them.
//!
//! Effects are looked for in the IR. A function has none if it and all that it calls store only
//! to variables of their own.

use super::function::Builder;
use super::types::unsupported;
use crate::program::*;
use attest_llvm::ir::{self, Callee, ConstKind, GlobalId, GlobalKind, InstKind, Module};
use rustc_hash::FxHashSet;

/// The functions of the library that compare with a function of the program, and where in their
/// arguments it is.
const COMPARING: [(&str, usize); 2] = [("qsort", 3), ("bsearch", 4)];

/// Intrinsics that write nothing.
const SILENT: [&str; 4] = ["dbg.", "lifetime.", "stacksave", "stackrestore"];
/// The same, of numbers.
const OF_NUMBERS: [&str; 14] = [
    "abs.",
    "smax.",
    "smin.",
    "umax.",
    "umin.",
    "sadd.",
    "ssub.",
    "smul.",
    "uadd.",
    "usub.",
    "umul.",
    "fabs.",
    "expect.",
    "is.constant.",
];

impl Builder<'_, '_> {
    /// Whether a call compares with a function that has effects: then there is no model of it.
    pub(super) fn comparing(
        &mut self,
        global: GlobalId,
        name: &str,
        call: &ir::Call,
    ) -> Result<(), Bail> {
        let Some((_, at)) = COMPARING.iter().find(|(known, _)| *known == name) else {
            return Ok(());
        };
        if !self.is_of_library(global) {
            return Ok(());
        }
        let module = self.ctx.module;
        let given = call.args.get(*at).and_then(|arg| match &arg.value {
            ir::ArgValue::Value(ir::Operand::Const(id)) => self.named_function(*id),
            _ => None,
        });
        let compared: Vec<GlobalId> = match given {
            Some(one) => vec![one],
            None => self.comparisons(),
        };
        let loud = compared.into_iter().find(|id| has_effects(module, *id));
        match loud {
            None => Ok(()),
            Some(id) => {
                let compare = &module.global(id).name;
                let what = format!(
                    "`{name}` with the comparison function `{compare}`, which has effects: C \
                     leaves open how often and in which order it is called"
                );
                Err(unsupported(BailKind::Unsupported, what))
            }
        }
    }

    /// All functions of the program that may be meant where a pointer is given.
    fn comparisons(&mut self) -> Vec<GlobalId> {
        let module = self.ctx.module;
        let all = (0..module.globals.len() as u32).map(GlobalId);
        let fits = |id: &GlobalId| match &module.global(*id).kind {
            GlobalKind::Function(f) => f.params.len() == 2 && !f.is_declaration(),
            _ => false,
        };
        all.filter(fits)
            .filter(|id| !self.is_of_library(*id))
            .collect()
    }
}

/// Whether a function may do something that outlives its call, other than ending the program.
fn has_effects(module: &Module, id: GlobalId) -> bool {
    let mut seen: FxHashSet<GlobalId> = FxHashSet::default();
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let GlobalKind::Function(function) = &module.global(id).kind else {
            return true;
        };
        if function.is_declaration() && !ends_or_is_silent(&module.global(id).name) {
            return true;
        }
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            match &inst.kind {
                InstKind::Store { ptr, access, .. }
                    if access.volatile || !is_own(function, *ptr) =>
                {
                    return true;
                }
                InstKind::Load { access, .. } if access.volatile => return true,
                InstKind::Call(call) => match called(module, call) {
                    Some(callee) => left.push(callee),
                    None => return true,
                },
                InstKind::VaArg { .. }
                | InstKind::AtomicRmw { .. }
                | InstKind::CmpXchg { .. }
                | InstKind::Fence(_)
                | InstKind::Exception(_)
                | InstKind::IndirectBr { .. }
                | InstKind::Invoke { .. }
                | InstKind::CallBr { .. } => return true,
                _ => {}
            }
        }
    }
    false
}

/// A function without a body that writes nothing: it is an intrinsic, or it ends the program.
fn ends_or_is_silent(name: &str) -> bool {
    let intrinsic = name.strip_prefix("llvm.");
    let silent = |rest: &str| {
        let mut all = SILENT.iter().chain(&OF_NUMBERS);
        all.any(|known| rest.starts_with(known))
    };
    let ends = ["abort", "__assert_fail", "reach_error", "__VERIFIER_error"];
    intrinsic.map_or_else(|| ends.contains(&name), silent)
}

/// The function that a call names.
fn called(module: &Module, call: &ir::Call) -> Option<GlobalId> {
    let Callee::Value(ir::Operand::Const(id)) = &call.callee else {
        return None;
    };
    match &module.constant(*id).kind {
        ConstKind::Global(global) => Some(*global),
        _ => None,
    }
}

/// Whether an address is in a variable of the function itself.
fn is_own(function: &ir::Function, address: ir::Operand) -> bool {
    let mut at = address;
    for _ in 0..16 {
        let ir::Operand::Local(local) = at else {
            return false;
        };
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        let Some(inst) = insts.find(|inst| inst.result == Some(local)) else {
            return false;
        };
        match &inst.kind {
            InstKind::Alloca { .. } => return true,
            InstKind::Gep { base, .. } => at = *base,
            _ => return false,
        }
    }
    false
}
