//! How a program starts and ends: functions that run before and after `main`, and `main`'s
//! arguments.
//!
//! Constructors are calls at the beginning of `main`. When the program ends, by `exit` or by
//! `main`'s return, it calls [`AT_EXIT`], a function of the library's models, which calls the
//! functions registered with `atexit` and then the destructors. So no other part needs to treat
//! them specially.

use super::function::Builder;
use super::types::unsupported;
use crate::caller::reads_arguments;
use crate::library::AT_EXIT;
use crate::program::*;
use attest_llvm::ir::{ConstId, ConstKind, GlobalId, GlobalKind, Module};
use std::sync::Arc;

/// The functions that run before and after `main`.
#[derive(Default)]
pub(super) struct MainHooks {
    /// Before `main`, in this order.
    constructors: Vec<GlobalId>,
    /// When the program ends.
    at_exit: Option<GlobalId>,
    /// The last functions that run then, in this order.
    destructors: Vec<GlobalId>,
    /// Why these functions have no model.
    unsupported_why: Option<&'static str>,
}

impl MainHooks {
    /// Reads the lists of constructors and destructors.
    pub fn of(module: &Module) -> MainHooks {
        let mut hooks = MainHooks::default();
        let is_defined = |g: &GlobalId| match &module.global(*g).kind {
            GlobalKind::Function(f) => !f.is_declaration(),
            _ => false,
        };
        hooks.at_exit = module.lookup(AT_EXIT).filter(is_defined);
        match listed(module, "llvm.global_ctors") {
            Some(list) => hooks.constructors = list,
            None => hooks.unsupported_why = Some("an unusual constructor"),
        }
        match listed(module, "llvm.global_dtors") {
            // The machine processes its list from the end.
            Some(list) => hooks.destructors = list.into_iter().rev().collect(),
            None => hooks.unsupported_why = Some("an unusual destructor"),
        }
        if !hooks.destructors.is_empty() && hooks.at_exit.is_none() {
            hooks.unsupported_why = Some("a destructor without the library's models");
        }
        hooks
    }

    fn is_empty(&self) -> bool {
        self.constructors.is_empty() && self.destructors.is_empty() && self.at_exit.is_none()
    }
}

/// The functions of such a list by priority; none if one of them has arguments, no body, or
/// associated data.
fn listed(module: &Module, name: &str) -> Option<Vec<GlobalId>> {
    let variable = module.lookup(name).map(|g| &module.global(g).kind);
    let init = match variable {
        Some(GlobalKind::Variable(v)) => v.init,
        _ => None,
    };
    let parts = |id: ConstId| match &module.constant(id).kind {
        ConstKind::Aggregate(parts) => Some(&parts[..]),
        ConstKind::Zero => Some(&[][..]),
        _ => None,
    };
    let mut list = Vec::new();
    for row in init.map_or(Some(&[][..]), parts)? {
        let &[priority, function, data] = parts(*row)? else {
            return None;
        };
        let ConstKind::Int(words) = &module.constant(priority).kind else {
            return None;
        };
        let ConstKind::Global(global) = module.constant(function).kind else {
            return None;
        };
        let plain = match &module.global(global).kind {
            GlobalKind::Function(f) => !f.is_declaration() && f.params.is_empty() && !f.varargs,
            _ => false,
        };
        if !plain || module.constant(data).kind != ConstKind::Null {
            return None;
        }
        list.push((words.first().copied()?, global));
    }
    list.sort_by_key(|(priority, _)| *priority);
    Some(list.into_iter().map(|(_, global)| global).collect())
}

impl Builder<'_, '_> {
    fn is_main(&self) -> bool {
        self.ctx.options.entry == "main" && *self.name == *"main"
    }

    /// Calls of functions without arguments.
    fn call_each(&mut self, functions: &[GlobalId]) -> Result<(), Bail> {
        for global in functions {
            let callee = self.ctx.fn_for(*global);
            self.direct_call(callee, *global, &[], &[])?;
        }
        Ok(())
    }

    /// At the beginning of a function: the constructors, if it is `main`.
    pub fn call_constructors(&mut self) -> Result<(), Bail> {
        match self.is_main() {
            true => self.call_each(&self.ctx.hooks.constructors.clone()),
            false => Ok(()),
        }
    }

    /// At the return of a function: the functions after `main`.
    pub fn call_after_main(&mut self) -> Result<(), Bail> {
        match self.is_main() {
            true => self.call_at_exit(),
            false => Ok(()),
        }
    }

    /// The functions that run when the program ends normally.
    pub fn call_at_exit(&mut self) -> Result<(), Bail> {
        let at_exit: Vec<GlobalId> = self.ctx.hooks.at_exit.into_iter().collect();
        self.call_each(&at_exit)
    }

    /// The destructors.
    pub fn call_destructors(&mut self) -> Result<(), Bail> {
        self.call_each(&self.ctx.hooks.destructors.clone())
    }
}

fn calls(functions: &[Function], callee: FnId) -> bool {
    let is_call = |inst: &Inst| matches!(inst, Inst::Call(call) if call.callee == callee);
    let mut blocks = functions.iter().flat_map(|f| &f.blocks);
    blocks.any(|block| block.insts.iter().any(is_call))
}

/// If the functions before and after `main` have no model, the program bails at its start: another
/// entry does not say when they run, and a `main` that the program calls returns to it.
pub(super) fn bail_if_unsupported(
    hooks: &MainHooks,
    is_main: bool,
    functions: &mut [Function],
    entry: FnId,
) {
    let listed = !hooks.constructors.is_empty() || !hooks.destructors.is_empty();
    let what = match hooks.unsupported_why {
        Some(what) => what,
        None if listed && !is_main => "a constructor or destructor, and another entry than main",
        None if !hooks.is_empty() && is_main && calls(functions, entry) => {
            "a main that the program calls, and functions that run before or after it"
        }
        None => return,
    };
    let entry = &mut functions[entry.0 as usize];
    let first = &mut entry.blocks[0];
    first.insts.clear();
    first.places.clear();
    first.end = Terminator::Bail(unsupported(BailKind::Unsupported, what));
    first.end_place = entry.place;
}

/// Constrains the number of `main`'s arguments, which is not negative. If `main` reads its
/// arguments, the only one is the program's name, as a verdict says
/// ([`crate::caller::assumptions`]). A `main` that the program itself calls gets the arguments of
/// that call.
pub(super) fn bound_arguments(functions: &mut [Function], main: FnId) {
    if calls(functions, main) {
        return;
    }
    let function = &mut functions[main.0 as usize];
    let first = function.regs.first().filter(|_| function.params > 0);
    let Some(Sort::Int(width)) = first.map(|reg| reg.sort) else {
        return;
    };
    let (rel, value) = match reads_arguments(function) {
        true => (Relation::Eq, 1),
        false => (Relation::Sge, 0),
    };
    let dst = Reg(function.regs.len() as u32);
    function.regs.push(RegInfo {
        sort: Sort::Int(1),
        name: Arc::from("argc.bound"),
        variable: None,
    });
    let compare = Inst::Compare {
        rel,
        width,
        dst,
        a: Operand::Reg(Reg(0)),
        b: Operand::Const(Constant::Int { width, value }),
    };
    let cond = Operand::Reg(dst);
    let entry = &mut function.blocks[0];
    entry.insts.splice(0..0, [compare, Inst::Assume { cond }]);
    entry.places.splice(0..0, [function.place; 2]);
}
