//! A run in C terms: assignments, inputs, calls, decisions, line by line.

use crate::ctext;
use crate::interpreter::{Interpreter, Observer};
use attest_model::*;

/// One line of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The call depth.
    pub depth: u32,
    /// The place in the source.
    pub place: PlaceId,
    /// The event.
    pub text: String,
}

/// Turns a run into lines, and passes each on as it happens.
pub struct Tracer<F: FnMut(Line)> {
    sink: F,
}

impl<F: FnMut(Line)> Tracer<F> {
    /// A tracer that passes its lines to `sink`.
    pub fn new(sink: F) -> Tracer<F> {
        Tracer { sink }
    }

    fn say(&mut self, run: &Interpreter<'_>, place: PlaceId, text: String) {
        (self.sink)(Line {
            depth: run.depth(),
            place,
            text,
        });
    }
}

impl<F: FnMut(Line)> Observer for Tracer<F> {
    const STEPS: bool = true;

    fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, place: PlaceId) {
        if let Some(text) = effect(run, inst) {
            self.say(run, place, text);
        }
    }

    fn ended_block(&mut self, run: &mut Interpreter<'_>, end: &Terminator, place: PlaceId) {
        if let Some(text) = decision(run, end) {
            self.say(run, place, text);
        }
    }
}

/// The effect of an instruction, if it is visible in C.
pub fn effect(run: &Interpreter<'_>, inst: &Inst) -> Option<String> {
    let program = run.program;
    let function = program.function(run.frame.function);
    let memory = &run.machine.memory;
    match inst {
        Inst::SetGlobal { global, .. } => {
            let info = &program.globals[global.0 as usize];
            let value = run.machine.globals[global.0 as usize];
            let ty = info.variable.and_then(|v| program.variable(v).ty);
            Some(format!(
                "{} = {}",
                info.name,
                ctext::value(program, memory, value, info.sort, ty)
            ))
        }
        Inst::Store { sort, ptr, .. } => {
            let ptr = run.read(*ptr);
            let stored = memory.load(*sort, ptr, Other::Address).ok()?;
            let place = ctext::place(program, memory, ptr, sort.bytes(program.pointer_bits));
            Some(format!(
                "{place} = {}",
                ctext::value(program, memory, stored, *sort, None)
            ))
        }
        Inst::Call(call) => called(run, call),
        Inst::Free { ptr, .. } => Some(format!(
            "free({})",
            ctext::pointer(program, memory, run.read(*ptr))
        )),
        Inst::Assume { .. } => Some("assumption holds".into()),
        Inst::MemCopy { dst, len, .. } | Inst::MemSet { dst, len, .. } => {
            let place = ctext::place(program, memory, run.read(*dst), 0);
            Some(format!("{} bytes of {place} written", run.read(*len).lo))
        }
        Inst::Input { dst, sort, kind } => {
            let info = &function.regs[dst.0 as usize];
            let ty = info.variable.and_then(|v| program.variable(v).ty);
            let value = ctext::value(program, memory, run.read(Operand::Reg(*dst)), *sort, ty);
            match kind {
                InputKind::Nondet(name) => Some(format!("input {name} is {value}")),
                InputKind::Argument(name) => Some(format!("argument {name} is {value}")),
                InputKind::Uninit(name) => Some(format!("{name} is uninitialised, here {value}")),
                InputKind::Undef | InputKind::Result(_) => None,
            }
        }
        _ => {
            let dst = inst.dst()?;
            let info = &function.regs[dst.0 as usize];
            let variable = program.variable(info.variable?);
            let value = ctext::value(
                program,
                memory,
                run.read(Operand::Reg(dst)),
                info.sort,
                variable.ty,
            );
            Some(format!("{} = {value}", variable.name))
        }
    }
}

/// A call with its arguments.
fn called(run: &Interpreter<'_>, call: &Call) -> Option<String> {
    let (program, memory) = (run.program, &run.machine.memory);
    let callee = program.function(call.callee);
    // A call of `scanf` is several calls in the model.
    match callee.name.strip_prefix("__attest_scan_") {
        Some("from_input") => return Some("call scanf".into()),
        Some("from") => return Some("call fscanf".into()),
        Some(_) => return None,
        None => {}
    }
    let text = |arg: Operand, sort| ctext::value(program, memory, run.read(arg), sort, None);
    let fixed = call
        .args
        .iter()
        .enumerate()
        .map(|(i, arg)| text(*arg, callee.regs[i].sort));
    let variable = call.varargs.iter().map(|(arg, sort)| text(*arg, *sort));
    let args: Vec<String> = fixed.chain(variable).collect();
    Some(format!("call {}({})", callee.name, args.join(", ")))
}

/// The decision at the end of a block, if it has several successors.
pub fn decision(run: &Interpreter<'_>, end: &Terminator) -> Option<String> {
    let program = run.program;
    let memory = &run.machine.memory;
    match end {
        Terminator::Branch { cond, .. } => Some(format!(
            "condition is {}",
            if run.read(*cond).is_true() {
                "true"
            } else {
                "false"
            }
        )),
        Terminator::Switch { value, width, .. } => {
            Some(format!("switch on {}", run.read(*value).signed(*width)))
        }
        Terminator::PtrSwitch { ptr, .. } => Some(format!(
            "call through {}",
            ctext::pointer(program, memory, run.read(*ptr))
        )),
        Terminator::Return(values) => {
            let function = program.function(run.frame.function);
            let mut shown = Vec::new();
            for (value, sort) in values.iter().zip(&function.results) {
                shown.push(ctext::value(program, memory, run.read(*value), *sort, None));
            }
            Some(format!("return {}", shown.join(", ")).trim_end().into())
        }
        Terminator::Halt(Halt::Abort, _) => Some("abort".into()),
        Terminator::Halt(Halt::Exit | Halt::Immediate, _) => Some("exit".into()),
        Terminator::Error(name) => Some(format!("call {name}: the property is violated")),
        Terminator::Bail(bail) => Some(format!("execution stops: {bail}")),
        Terminator::Goto(_) => None,
    }
}
