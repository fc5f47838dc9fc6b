//! Points-to against the interpreter: whatever a run does, the analysis had said.
//!
//! Every pointer that an instruction reads or writes, and from time to time
//! every pointer in memory, is in the set that was computed, and every write is
//! among the writes of all active functions. That the watch notices what is
//! missing is shown with analyses of programs that lack a store.

mod common;

use attest_exec::concrete::value::Val;
use attest_exec::{CutTable, Interpreter, Limits, Observer, Outcome, Overflow};
use attest_exec::{Inputs, Rest};
use attest_model::points_to::{Place, Places, PointsTo, Site, SiteKind, prune};
use attest_model::*;
use common::pointers::POINTERS;
use common::programs::PROGRAMS;
use std::collections::HashMap;
use std::sync::Arc;

/// Looks on and notes what the analysis did not foresee.
struct Watch<'a> {
    points_to: &'a PointsTo,
    /// The abstract objects of those that were made.
    made: HashMap<u32, Option<Site>>,
    steps: u64,
    missed: Vec<String>,
}

impl Watch<'_> {
    fn site(&self, object: ObjectId) -> Option<Site> {
        let place = self.points_to.static_place(object, 0);
        let made = || self.made.get(&object.0).copied().flatten();
        place.map(|place| place.site).or_else(made)
    }

    fn miss(&mut self, what: String) {
        if self.missed.len() < 5 {
            self.missed.push(what);
        }
    }

    /// A pointer is where it may be, or a number that it may be.
    fn see(&mut self, value: Val, places: &Places, what: impl Fn() -> String) {
        let known = match value.hi {
            0 => places.has_number(value.lo),
            _ => {
                let site = self.site(value.object());
                places.anywhere || site.is_some_and(|site| places.has(site, value.lo))
            }
        };
        if !known {
            let site = self.site(value.object());
            self.miss(format!(
                "{}: {value:?} of {site:?} not in {places:?}",
                what()
            ));
        }
    }

    /// A write is one of each active function.
    fn wrote(&mut self, run: &Interpreter<'_>, at: Val, bytes: u64, what: &str) {
        if bytes == 0 {
            return;
        }
        let Some(site) = self.site(at.object()) else {
            return self.miss(format!("{what} to an unknown object {at:?}"));
        };
        let bits = run.program.pointer_bits;
        let place = Places {
            list: vec![Place::new(site, at.lo, bits)],
            ..Places::default()
        };
        for (function, _) in run.call_stack() {
            if !self.points_to.writes(function).may_meet(&place, bytes) {
                let name = run.program.function(function).name.clone();
                self.miss(format!("{what} of {bytes} bytes at {place:?} in {name}"));
            }
        }
    }

    fn see_memory(&mut self, run: &Interpreter<'_>) {
        let memory = &run.machine.memory;
        for number in 1..memory.next_object().0 {
            let object = ObjectId(number);
            let size = memory.object(object).map_or(0, |o| o.size);
            for at in 0..size.min(4096) {
                let (Some(value), Some(site)) = (memory.slot(object, at), self.site(object)) else {
                    continue;
                };
                let place = Place::new(site, at, run.program.pointer_bits);
                let holder = Places {
                    list: vec![place],
                    ..Places::default()
                };
                let stored = self.points_to.stored_at(&holder);
                self.see(value, &stored, || format!("in memory at {place:?}"));
            }
        }
        for (i, value) in run.machine.globals.iter().enumerate() {
            if run.program.globals[i].sort == Sort::Ptr {
                let places = self.points_to.global(GlobalReg(i as u32)).clone();
                self.see(*value, &places, || format!("in global {i}"));
            }
        }
    }

    fn see_register(&mut self, run: &Interpreter<'_>, reg: Reg) {
        let function = run.frame.function;
        let info = &run.program.function(function).regs[reg.0 as usize];
        if info.sort == Sort::Ptr {
            let places = self.points_to.register(function, reg).clone();
            let name = &run.program.function(function).name;
            let value = run.read(Operand::Reg(reg));
            self.see(value, &places, || format!("{} of {name}", info.name));
        }
    }

    fn note_made(&mut self, run: &Interpreter<'_>) {
        let kind = SiteKind::Made {
            function: run.frame.function,
            block: run.frame.block,
            index: run.frame.index as u32,
        };
        let newest = run.machine.memory.next_object().0 - 1;
        let site = self.points_to.site(kind);
        self.made.insert(newest, site);
    }

    fn see_writes(&mut self, run: &Interpreter<'_>, inst: &Inst) {
        let bits = run.program.pointer_bits;
        match inst {
            Inst::Store { sort, ptr, .. } => {
                self.wrote(run, run.read(*ptr), sort.bytes(bits), "a store");
            }
            Inst::MemCopy { dst, len, .. } | Inst::MemSet { dst, len, .. } => {
                self.wrote(run, run.read(*dst), run.read(*len).lo, "a copy or fill");
            }
            Inst::Alloc { dst, zeroed, .. } => {
                self.note_made(run);
                let at = run.read(Operand::Reg(*dst));
                let size = run.machine.memory.size_of(at.object());
                if *zeroed {
                    self.wrote(run, at, size, "zeros");
                }
            }
            Inst::Realloc { dst, .. } => {
                self.note_made(run);
                let at = run.read(Operand::Reg(*dst));
                let size = run.machine.memory.size_of(at.object());
                self.wrote(run, at, size, "realloc");
            }
            Inst::VaStart { list, .. } => {
                self.note_made(run);
                let area = ObjectId(run.machine.memory.next_object().0 - 1);
                let size = run.machine.memory.size_of(area);
                self.wrote(run, Val::ptr(area, 0), size, "the area of va_start");
                let bytes = if bits == 32 { 4 } else { 24 };
                self.wrote(run, run.read(*list), bytes, "va_start");
            }
            _ => {}
        }
    }
}

impl Observer for Watch<'_> {
    const STEPS: bool = true;

    fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, _: PlaceId) {
        self.steps += 1;
        self.see_writes(run, inst);
        let dst = inst.dst();
        inst.uses(|operand| {
            if let Operand::Reg(reg) = operand {
                self.see_register(run, reg);
            }
        });
        if let Some(reg) = dst {
            self.see_register(run, reg);
        }
        let here = (run.frame.function, run.frame.block);
        if !self.points_to.is_active(here.0, here.1) {
            self.miss(format!("{here:?} is reached"));
        }
        if self.steps.is_power_of_two() || self.steps.is_multiple_of(5000) {
            self.see_memory(run);
        }
    }
}

const STEPS: u64 = 30_000;

/// Runs a program under the watch.
fn watch(program: &Program, points_to: &PointsTo, inputs: Arc<Inputs>) -> (Outcome, Vec<String>) {
    let limits = Limits {
        steps: STEPS,
        memory: 1 << 24,
        depth: 500,
    };
    let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits);
    let mut watch = Watch {
        points_to,
        made: HashMap::new(),
        steps: 0,
        missed: Vec::new(),
    };
    // Objects that are there before the first instruction are the arguments of `main`.
    let first = program.first_dynamic().0;
    let given = [SiteKind::ArgumentText, SiteKind::ArgumentList];
    for (i, kind) in given.into_iter().enumerate() {
        watch.made.insert(first + i as u32, points_to.site(kind));
    }
    let outcome = run.watch(&mut watch, &CutTable::default());
    watch.see_memory(&run);
    (outcome, watch.missed)
}

fn random(seed: u64) -> Arc<Inputs> {
    Arc::new(Inputs {
        rest: Rest::Random(seed),
        ..Default::default()
    })
}

/// Contents that nobody wrote are the address of the first object.
fn wild(program: &Program) -> Arc<Inputs> {
    let (first, word) = (
        program.first_dynamic().0,
        u64::from(program.pointer_bits / 8),
    );
    let bytes = (first..first + 64).flat_map(|object| (0..64).map(move |at| (object, at)));
    let unknown = bytes.map(|place| (place, u8::from(place.1 % word == 2)));
    Arc::new(Inputs {
        unknown: Arc::new(unknown.collect()),
        rest: Rest::Random(5),
        ..Default::default()
    })
}

/// Nothing is missed, and pruned switches do the same.
fn check(name: &str, program: &Program, inputs: &[Arc<Inputs>]) {
    let points_to = PointsTo::of(program);
    let mut pruned = program.clone();
    prune(&mut pruned);
    for inputs in inputs {
        let (outcome, missed) = watch(program, &points_to, inputs.clone());
        assert!(missed.is_empty(), "{name}: {missed:#?}");
        let (after, missed) = watch(&pruned, &PointsTo::of(&pruned), inputs.clone());
        assert!(missed.is_empty(), "{name}, pruned: {missed:#?}");
        assert_eq!(outcome, after, "{name}");
    }
}

fn partly_inlined(program: &Program) -> Program {
    inline(program, &InlineOptions::partial())
}

#[test]
fn runs_of_programs_with_pointers_stay_in_the_sets() {
    for (name, source) in POINTERS {
        for model in [
            attest_llvm::clang::DataModel::Lp64,
            attest_llvm::clang::DataModel::Ilp32,
        ] {
            let program = common::model_of(source, model);
            let mut inputs = vec![common::inputs("", "")];
            inputs.extend((1..4).map(random));
            inputs.push(wild(&program));
            check(name, &program, &inputs);
            check(name, &partly_inlined(&program), &inputs);
        }
    }
}

/// Pieces of addresses at hundreds of places of an array's elements: there the analysis takes
/// them to be anywhere in the array.
const STREWN: &str = "
    #define ONE(k) tab[i].b[k] = ((char *)&p)[(k) & (sizeof p - 1)];
    #define SOME(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4) ONE(k + 5) ONE(k + 6) ONE(k + 7)
    #define MANY(k) SOME(k) SOME(k + 8) SOME(k + 16) SOME(k + 24) SOME(k + 32) SOME(k + 40) SOME(k + 48) SOME(k + 56)
    struct t { char b[512]; } tab[4], copy; int x, y; int *last[2]; int __VERIFIER_nondet_int(void);
    int main(void) {
      int i = __VERIFIER_nondet_int() & 3; int *p = __VERIFIER_nondet_int() & 1 ? &x : &y;
      MANY(0) MANY(64) MANY(128) MANY(192) MANY(256) MANY(320)
      copy = tab[i];
      int *q; for (int j = 0; j < sizeof q; j++) ((char *)&q)[j] = copy.b[320 + j];
      *q = 4; last[i & 1] = q; **(last + (i & 1)) += 3; return x + 2 * y; }";

#[test]
fn runs_of_a_program_with_strewn_pieces_stay_in_the_sets() {
    for model in [
        attest_llvm::clang::DataModel::Lp64,
        attest_llvm::clang::DataModel::Ilp32,
    ] {
        let program = common::model_of(STREWN, model);
        let inputs: Vec<Arc<Inputs>> = (0..6).map(random).collect();
        let ends = |i: &Arc<Inputs>| watch(&program, &PointsTo::of(&program), i.clone()).0;
        let done = |outcome: Outcome| matches!(outcome, Outcome::Returned(Some(7 | 14)));
        assert!(
            inputs.iter().all(|i| done(ends(i))),
            "it reads what it wrote"
        );
        check("strewn", &program, &inputs);
    }
}

#[test]
fn runs_of_programs_with_calls_stay_in_the_sets() {
    for case in PROGRAMS {
        let program = common::model(case.source);
        let inputs: Vec<_> = case.inputs.iter().map(|i| common::inputs(i, "")).collect();
        check(case.source, &program, &inputs);
        check(case.source, &partly_inlined(&program), &inputs);
    }
}

#[test]
fn runs_of_the_differential_programs_stay_in_the_sets() {
    for (name, program) in common::differential_programs() {
        check(&name, &program, &[common::inputs("", "")]);
    }
}

/// A program that lacks one instruction that writes memory or hands on a pointer.
fn without(program: &Program, number: usize) -> Option<Program> {
    let mut lacking = program.clone();
    let blocks = lacking.functions.iter_mut().flat_map(|f| &mut f.blocks);
    let mut insts = blocks.flat_map(|b| &mut b.insts).filter(|i| {
        let write = matches!(i, Inst::Store { .. } | Inst::MemCopy { .. });
        write || matches!(i, Inst::MemSet { .. } | Inst::PtrAdd { .. })
    });
    let inst = insts.nth(number)?;
    *inst = Inst::Assume {
        cond: Operand::Const(Constant::Int { width: 1, value: 1 }),
    };
    Some(lacking)
}

#[test]
fn an_analysis_that_forgets_an_instruction_is_noticed() {
    let (mut noticed, mut all) = (0, 0);
    for (_, source) in POINTERS {
        let program = common::model(source);
        for number in 0.. {
            let Some(lacking) = without(&program, number) else {
                break;
            };
            let points_to = PointsTo::of(&lacking);
            let (_, missed) = watch(&program, &points_to, random(1));
            noticed += usize::from(!missed.is_empty());
            all += 1;
        }
    }
    // The others are not executed, or other code does the same.
    assert!(noticed * 2 > all, "{noticed} of {all}");
}
