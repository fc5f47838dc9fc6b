//! Leaks: heap memory that is not freed where the program ends.
//!
//! The pass adds a promoted global, the number of live heap objects, and ordinary instructions that
//! keep it: one more after an allocation, one less after a `free`. Where the program ends and the
//! number is not 0 it bails with the kind that is asked for ([`Leaks::kind`]). No other part knows
//! of this, and a proof that the bail is unreachable proves that nothing leaks, in either sense:
//! nothing is left at all.
//!
//! Whether something still points to what is left cannot be said by instructions. So a program has
//! one kind of bail for both kinds of leaks, whose text names the [`End`]. A run that ends there
//! tells them apart: the interpreter looks what can be reached from variables and says `Leak`,
//! `NotFreed`, or that there is no leak after all. The number is never too small.
//!
//! A run that never ends has no end to look at. [`endless`] lists the loops without an exit, before
//! which memory may be lost unseen.

mod count;
mod ends;

pub use ends::endless;

use crate::program::*;
use std::sync::Arc;

/// Where the program looks for memory that is not freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaks {
    /// Nowhere.
    #[default]
    Off,
    /// Where it ends in good order, at the return of the entry and at `exit`: nothing may be left.
    Ends,
    /// Also where it ends at once (`abort`, `_exit`): nothing may be left wherever it ends.
    AllEnds,
    /// Also where it ends at once (`abort`, `_exit`), and before a loop without an exit in which
    /// nothing happens: nothing may be lost, and what is lost by then is lost in every
    /// continuation.
    Everywhere,
}

impl Leaks {
    /// The kind of all bails of the pass: what a proof has to exclude.
    pub fn kind(self) -> BailKind {
        match self {
            Leaks::Off | Leaks::Ends | Leaks::AllEnds => BailKind::NotFreed,
            Leaks::Everywhere => BailKind::Leak,
        }
    }
}

/// The end at which memory is left, as the text of its bail says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The return of the entry: the variables of `main` are gone.
    Return,
    /// `exit`: the variables of all activations are still there.
    Exit,
    /// `abort` or `_exit`, likewise.
    Immediate,
    /// A loop without an exit. What is still pointed to there is no leak.
    Loop,
}

impl End {
    const ALL: [End; 4] = [End::Return, End::Exit, End::Immediate, End::Loop];

    fn what(self) -> &'static str {
        match self {
            End::Return => "heap memory is left at the return of the entry",
            End::Exit => "heap memory is left at exit",
            End::Immediate => "heap memory is left where the program ends at once",
            End::Loop => "heap memory is left at a loop without an exit",
        }
    }

    /// The end that a bail of the pass is about.
    pub fn of(bail: &Bail) -> Option<End> {
        let of_pass = matches!(bail.kind, BailKind::NotFreed | BailKind::Leak);
        let mut ends = End::ALL.into_iter();
        ends.find(|end| of_pass && *bail.what == *end.what())
    }

    fn bail(self, kind: BailKind) -> Bail {
        Bail {
            kind,
            what: self.what().into(),
        }
    }
}

/// Adds the count of heap objects and the checks of it.
pub(crate) fn instrument(program: &mut Program, leaks: Leaks) {
    if leaks == Leaks::Off {
        return;
    }
    separate_entry(program);
    let count = GlobalReg(program.globals.len() as u32);
    let sort = Sort::Int(program.pointer_bits);
    count::count(program, count);
    program.globals.push(GlobalInfo {
        name: "heap objects".into(),
        sort,
        init: Some(Constant::zero(sort)),
        variable: None,
    });
    program.heap_count = Some(count);
    ends::check(program, count, leaks);
}

/// Whether the entry is a `main`, whose return ends the program. The caller of another entry keeps
/// what is returned to it.
pub fn is_main(program: &Program) -> bool {
    program.caller.is_none() && &*program.function(program.entry).name == "main"
}

/// Makes the return of the entry the end of the program: a `main` that the program calls gets a
/// copy for these calls, and an entry without arguments a caller to which it returns its result.
fn separate_entry(program: &mut Program) {
    let entry = program.entry;
    let other = FnId(program.functions.len() as u32);
    if !is_main(program) {
        if program.caller.is_none() {
            program
                .functions
                .push(caller(program.function(entry), entry));
            program.entry = other;
        }
        return;
    }
    let mut called = false;
    for function in &mut program.functions {
        for inst in function.blocks.iter_mut().flat_map(|b| &mut b.insts) {
            if let Inst::Call(call) = inst
                && call.callee == entry
            {
                call.callee = other;
                called = true;
            }
        }
    }
    if called {
        program.functions.push(program.function(entry).clone());
    }
}

/// A function that calls another one without arguments and returns its results.
fn caller(called: &Function, callee: FnId) -> Function {
    let name: Arc<str> = "result".into();
    let info = |sort: &Sort| RegInfo {
        sort: *sort,
        name: name.clone(),
        variable: None,
    };
    let results: Vec<Reg> = (0..called.results.len() as u32).map(Reg).collect();
    let end = Terminator::Return(results.iter().map(|reg| Operand::Reg(*reg)).collect());
    let call = Call {
        callee,
        args: Vec::new(),
        varargs: Vec::new(),
        results,
    };
    Function {
        name: called.name.clone(),
        regs: called.results.iter().map(info).collect(),
        params: 0,
        varargs: false,
        results: called.results.clone(),
        blocks: vec![Block {
            insts: vec![Inst::Call(Box::new(call))],
            places: vec![called.place],
            end,
            end_place: called.place,
        }],
        place: called.place,
        object: ObjectId::NULL,
        synthetic: true,
    }
}

/// The functions that may be called from the entry.
fn called_from_entry(program: &Program) -> Vec<bool> {
    let mut called = vec![false; program.functions.len()];
    let mut work = vec![program.entry];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut called[id.0 as usize], true) {
            continue;
        }
        let blocks = &program.function(id).blocks;
        for inst in blocks.iter().flat_map(|b| &b.insts) {
            if let Inst::Call(call) = inst {
                work.push(call.callee);
            }
        }
    }
    called
}
