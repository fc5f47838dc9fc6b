//! What a call of a function may change, its callees included.
//!
//! This is the frame of a call edge (algorithm notes 5.4): a promoted global outside the set is the
//! same before and after the call, memory that is not written keeps its contents, and without
//! allocations the object counter stays. It is computed from the code alone, so the engine and the
//! checker can both use it and agree.

use crate::program::*;
use std::collections::BTreeSet;

/// What a call may change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Promoted globals that may be written.
    pub globals: BTreeSet<GlobalReg>,
    /// Whether the contents of memory may change, even if only in objects that the call makes.
    pub memory: bool,
    /// Whether objects may be allocated, so that the counter may grow.
    pub objects: bool,
    /// Whether the lifetime of an object may end, including objects that the call makes.
    pub lives: bool,
}

impl Effects {
    /// The effects of one instruction, without those of a callee.
    fn of_inst(inst: &Inst, shadows: bool) -> Effects {
        let mut out = Effects::default();
        match inst {
            Inst::SetGlobal { global, .. } => {
                out.globals.insert(*global);
            }
            Inst::Store { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. } => out.memory = true,
            Inst::Shadow(Shadow::Store { .. } | Shadow::Fill { .. }) => out.memory = true,
            Inst::Alloc {
                storage, zeroed, ..
            } => {
                out.objects = true;
                // The shadow of a new object is written.
                out.memory = *zeroed || shadows;
                // A stack object ends with the activation.
                out.lives = *storage == Storage::Stack;
            }
            Inst::Realloc { .. } => {
                out.objects = true;
                out.memory = true;
            }
            Inst::VaStart { .. } => {
                out.objects = true;
                out.memory = true;
                out.lives = true;
            }
            Inst::Free { .. } | Inst::EndLife { .. } => out.lives = true,
            Inst::Copy { .. }
            | Inst::GetGlobal { .. }
            | Inst::Int { .. }
            | Inst::IntUnary { .. }
            | Inst::Compare { .. }
            | Inst::Resize { .. }
            | Inst::Select { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatCompare { .. }
            | Inst::FloatCast { .. }
            | Inst::PtrCompare { .. }
            | Inst::PtrAdd { .. }
            | Inst::PtrDiff { .. }
            | Inst::PtrToInt { .. }
            | Inst::IntToPtr { .. }
            | Inst::Foreign { .. }
            | Inst::Load { .. }
            | Inst::Input { .. }
            | Inst::Within { .. }
            | Inst::Alive { .. }
            | Inst::Assume { .. }
            | Inst::Print { .. }
            | Inst::Shadow(Shadow::Load { .. } | Shadow::Require { .. })
            | Inst::Call(_) => {}
        }
        out
    }

    /// Adds other effects; returns whether there is anything new.
    fn add(&mut self, other: &Effects) -> bool {
        let before = (self.globals.len(), self.memory, self.objects, self.lives);
        self.globals.extend(&other.globals);
        self.memory |= other.memory;
        self.objects |= other.objects;
        self.lives |= other.lives;
        before != (self.globals.len(), self.memory, self.objects, self.lives)
    }
}

/// The effects of a call of each function, by its number: those of its code and its callees, as a
/// fixpoint.
pub fn effects(program: &Program) -> Vec<Effects> {
    let mut all = vec![Effects::default(); program.functions.len()];
    let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); program.functions.len()];
    for (id, function) in program.functions.iter().enumerate() {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            all[id].add(&Effects::of_inst(inst, program.shadows));
            if let Inst::Call(call) = inst {
                callers[call.callee.0 as usize].insert(id);
            }
        }
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(callee) = work.pop() {
        let passed = all[callee].clone();
        for &caller in &callers[callee] {
            if all[caller].add(&passed) {
                work.push(caller);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(text: &str) -> Program {
        let module = attest_llvm::read_module(text, "effects.ll").expect("it reads");
        crate::lower(&module, &Default::default()).expect("it is modelled")
    }

    /// A description of a function's effects.
    fn words(program: &Program, name: &str) -> String {
        let id = program.lookup(name).expect("there is such a function");
        let found = &effects(program)[id.0 as usize];
        let globals = found.globals.iter();
        let names = globals.map(|g| program.globals[g.0 as usize].name.to_string());
        let flags = [
            (found.memory, "memory"),
            (found.objects, "objects"),
            (found.lives, "lives"),
        ];
        let flags = flags.iter().filter(|(set, _)| *set);
        let mut all: Vec<String> = names.collect();
        all.extend(flags.map(|(_, word)| (*word).to_string()));
        all.join(" ")
    }

    const PROGRAM: &str = "
@a = global i32 0
@b = global i32 0
@c = global i32 0
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
define void @set_a() { store i32 1, ptr @a ret void }
define i32 @get_b() { %x = load i32, ptr @b ret i32 %x }
define void @through(ptr %p) { store i32 2, ptr %p ret void }
define ptr @make() { %p = call ptr @malloc(i64 4) ret ptr %p }
define ptr @zeros() { %p = call ptr @calloc(i64 4, i64 4) ret ptr %p }
define void @drop(ptr %p) { call void @free(ptr %p) ret void }
define i32 @read(ptr %p) { %x = load i32, ptr %p ret i32 %x }
define i32 @local() {
  %x = alloca i32
  %y = call i32 @read(ptr %x)
  ret i32 %y
}
define void @even(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %out, label %go
go:
  %m = sub i32 %n, 1
  call void @odd(i32 %m)
  br label %out
out:
  ret void
}
define void @odd(i32 %n) {
  store i32 %n, ptr @b
  %m = sub i32 %n, 1
  call void @even(i32 %m)
  call void @set_a()
  ret void
}
define i32 @main() {
  call void @even(i32 5)
  store i32 3, ptr @c
  %x = call i32 @get_b()
  %p = call ptr @make()
  %q = call ptr @zeros()
  call void @through(ptr %p)
  call void @drop(ptr %p)
  %y = call i32 @local()
  ret i32 %x
}";

    #[test]
    fn effects_include_those_of_callees() {
        let program = model(PROGRAM);
        for (name, expected) in [
            ("set_a", "a"),
            ("get_b", ""),
            ("through", "memory"),
            ("make", "objects"),
            ("zeros", "memory objects"),
            ("drop", "lives"),
            ("read", ""),
            ("local", "objects lives"),
            // Through a cycle of calls.
            ("even", "a b"),
            ("odd", "a b"),
            ("main", "a b c memory objects lives"),
        ] {
            assert_eq!(words(&program, name), expected, "{name}");
        }
    }

    #[test]
    fn inlining_adds_no_effect_to_the_whole() {
        let program = model(PROGRAM);
        let flat = crate::inline(&program, &Default::default());
        let (before, after) = (effects(&program), effects(&flat));
        let [main] = &after[..] else {
            panic!("one function is left")
        };
        assert_eq!(before[program.entry.0 as usize], *main);
    }
}
