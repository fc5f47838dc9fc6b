//! A counterexample as lines of C with the values that matter.
//!
//! The run is repeated with a watcher that records its last steps; a dynamic
//! slice (`slice.rs`) says which of them led to the error. Steps of one
//! source line become one line, and loops are folded to their first and last
//! iteration.

use crate::slice::{Cell, Step, control_dependence, slice};
use crate::sources::Sources;
use attest_exec::concrete::value::Val;
use attest_exec::{CutTable, Inputs, Interpreter, Limits, Observer, Overflow, trace};
use attest_model::*;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

/// The most steps of a run that are recorded: the last ones.
const MOST_STEPS: u64 = 400_000;
/// The most bytes of one copy in memory that are tracked.
const MOST_BYTES: u64 = 4096;
/// Lines of one iteration of a loop.
const LONGEST_LOOP: usize = 60;
/// The number of iterations from which a loop is folded.
const FOLDED: usize = 4;

/// The column where the effect of a line is written,
const TOLD: usize = 48;
/// and the width of text that is kept on one line.
const WIDEST: usize = 110;

/// Calls that are indented; deeper ones are not indented further.
const DEEPEST: u32 = 20;

/// The columns before a line at this depth of calls.
fn indent(depth: u32) -> usize {
    2 * depth.min(DEEPEST) as usize
}

/// A line of C that a run reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// How deep in calls.
    pub depth: u32,
    /// The function.
    pub function: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of what happened first.
    pub column: u32,
    /// What happened, in C terms: `x = 3`, `condition is true`.
    pub notes: Vec<String>,
    /// It led to the error.
    pub matters: bool,
}

/// A counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Story {
    /// Its lines in order; those that do not matter are among them.
    pub lines: Vec<Line>,
    /// Steps before the first line that were not recorded.
    pub unrecorded: u64,
}

/// Records a run and finds what of it matters.
pub fn tell(program: &Program, inputs: &Arc<Inputs>, overflow: Overflow) -> Story {
    let new = || Interpreter::new(program, inputs.clone(), overflow, Limits::default());
    let mut first = new();
    first.run();
    let unrecorded = first.steps.saturating_sub(MOST_STEPS);
    let mut recorder = Recorder {
        from: unrecorded,
        steps: Vec::new(),
        told: Vec::new(),
        stack: Vec::new(),
        functions: Vec::new(),
    };
    new().watch(&mut recorder, &CutTable::default());
    let mut dependence: Vec<Option<Vec<Vec<u32>>>> = vec![None; program.functions.len()];
    for function in &recorder.functions {
        let slot = &mut dependence[function.0 as usize];
        slot.get_or_insert_with(|| control_dependence(program.function(*function)));
    }
    let matters = slice(&recorder.steps, |activation, block| {
        let function = recorder.functions[activation as usize];
        let known = dependence[function.0 as usize].as_ref();
        known.map_or(Vec::new(), |known| known[block.0 as usize].clone())
    });
    let mut lines: Vec<Line> = Vec::new();
    let mut last = None;
    for ((step, told), matters) in recorder.steps.iter().zip(&recorder.told).zip(matters) {
        let Some((place, depth, note)) = told else {
            continue;
        };
        let place = program.place(*place);
        let function = program.function(recorder.functions[step.activation as usize]);
        if place.line == 0 || function.synthetic {
            continue;
        }
        let key = (step.activation, place.line, matters);
        match lines.last_mut().filter(|_| last == Some(key)) {
            Some(line) if line.file == *place.file => line.notes.push(note.clone()),
            _ => lines.push(Line {
                depth: *depth,
                function: function.name.to_string(),
                file: place.file.to_string(),
                line: place.line,
                column: place.column,
                notes: vec![note.clone()],
                matters,
            }),
        }
        last = Some(key);
    }
    // The library is not the user's code, unless the error is there.
    if let Some((_, before)) = lines.split_last_mut() {
        for line in before {
            line.matters &= !line.file.starts_with(library::FOLDER);
        }
    }
    Story { lines, unrecorded }
}

/// What a step says, where, and how deep in calls.
type Told = Option<(PlaceId, u32, String)>;

struct Recorder {
    from: u64,
    steps: Vec<Step>,
    told: Vec<Told>,
    /// Open activations, with the registers that wait for results.
    stack: Vec<(u32, Vec<Reg>)>,
    /// The functions of all activations.
    functions: Vec<FnId>,
}

impl Recorder {
    fn activation(&mut self, run: &Interpreter<'_>) -> u32 {
        let depth = run.depth() as usize;
        if self.stack.len() <= depth {
            let mut missing = run.call_stack();
            missing.reverse();
            for (function, _) in missing.into_iter().skip(self.stack.len()) {
                self.enter(function, Vec::new());
            }
        }
        self.stack[depth].0
    }

    fn enter(&mut self, function: FnId, results: Vec<Reg>) -> u32 {
        let number = self.functions.len() as u32;
        self.functions.push(function);
        self.stack.push((number, results));
        number
    }

    fn push(&mut self, step: Step, told: Told) {
        self.steps.push(step);
        self.told.push(told);
    }
}

fn bytes(ptr: Val, size: u64) -> impl Iterator<Item = Cell> {
    let object = ptr.object().0;
    (0..size.min(MOST_BYTES)).map(move |i| Cell::Byte(object, ptr.lo.wrapping_add(i)))
}

impl Observer for Recorder {
    const STEPS: bool = true;

    fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, place: PlaceId) {
        if run.steps <= self.from {
            return;
        }
        let activation = self.activation(run);
        let mut step = Step {
            activation,
            block: run.frame.block.0,
            ..Step::default()
        };
        inst.uses(|operand| {
            if let Operand::Reg(reg) = operand {
                step.reads.push(Cell::Reg(activation, reg.0));
            }
        });
        let bits = run.program.pointer_bits;
        match inst {
            Inst::Call(call) => {
                let callee = self.enter(call.callee, call.results.clone());
                step.enters = Some(callee);
                let args = call.args.iter().enumerate();
                // An argument is wanted only where the parameter is.
                step.reads.clear();
                for (i, arg) in args {
                    let mut passed = Step {
                        activation,
                        block: step.block,
                        writes: vec![Cell::Reg(callee, i as u32)],
                        ..Step::default()
                    };
                    if let Operand::Reg(reg) = arg {
                        passed.reads.push(Cell::Reg(activation, reg.0));
                    }
                    self.push(passed, None);
                }
            }
            Inst::GetGlobal { global, .. } => step.reads.push(Cell::Global(global.0)),
            Inst::SetGlobal { global, .. } => step.writes.push(Cell::Global(global.0)),
            Inst::Load { dst, sort, ptr, .. } if *ptr != Operand::Reg(*dst) => {
                step.reads.extend(bytes(run.read(*ptr), sort.bytes(bits)));
            }
            Inst::Store { sort, ptr, .. } => {
                step.writes.extend(bytes(run.read(*ptr), sort.bytes(bits)));
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let len = run.read(*len).lo;
                step.reads.extend(bytes(run.read(*src), len));
                step.writes.extend(bytes(run.read(*dst), len));
            }
            Inst::MemSet { dst, len, .. } => {
                step.writes.extend(bytes(run.read(*dst), run.read(*len).lo));
            }
            _ => {}
        }
        if !matches!(inst, Inst::Call(_)) {
            inst.defs(|reg| step.writes.push(Cell::Reg(activation, reg.0)));
        }
        let told = trace::effect(run, inst).filter(|_| !passes_parameter(run, inst, place));
        self.push(step, told.map(|text| (place, run.depth(), text)));
    }

    fn ended_block(&mut self, run: &mut Interpreter<'_>, end: &Terminator, place: PlaceId) {
        if run.steps < self.from {
            return;
        }
        let activation = self.activation(run);
        let mut step = Step {
            activation,
            block: run.frame.block.0,
            ..Step::default()
        };
        end.own_uses(|operand| {
            if let Operand::Reg(reg) = operand {
                step.reads.push(Cell::Reg(activation, reg.0));
            }
        });
        if let Terminator::Return(_) = end {
            let below = self.stack.len().checked_sub(2).map(|at| self.stack[at].0);
            if let (Some((_, results)), Some(caller)) = (self.stack.pop(), below) {
                let cell = |reg: &Reg| Cell::Reg(caller, reg.0);
                step.writes.extend(results.iter().map(cell));
            }
        }
        let mut ways = 0;
        end.targets(|_| ways += 1);
        step.decides = ways > 1;
        let told = trace::decision(run, end).map(|text| (place, run.depth(), text));
        let block = step.block;
        self.push(step, told);
        let taken = taken(run, end);
        for (dst, src) in taken.map(|t| t.copies.as_slice()).unwrap_or_default() {
            let mut copy = Step {
                activation,
                block,
                writes: vec![Cell::Reg(activation, dst.0)],
                ..Step::default()
            };
            if let Operand::Reg(reg) = src {
                copy.reads.push(Cell::Reg(activation, reg.0));
            }
            self.push(copy, None);
        }
    }
}

/// Whether an instruction gives a parameter its value, which the line of the call shows already.
fn passes_parameter(run: &Interpreter<'_>, inst: &Inst, place: PlaceId) -> bool {
    let program = run.program;
    let function = program.function(run.frame.function);
    let first = run.frame.block.0 == 0;
    if !first || program.place(place).line != program.place(function.place).line {
        return false;
    }
    let is_parameter = |id: VarId| {
        let info = program.metadata.variable(program.variable(id).declared);
        info.is_some_and(|info| info.arg.is_some())
    };
    match inst {
        Inst::Copy {
            dst,
            src: Operand::Reg(src),
        } => {
            let variable = function.regs[dst.0 as usize].variable;
            src.0 < function.params && variable.is_some_and(is_parameter)
        }
        _ => false,
    }
}

/// The target that a block's end goes to.
fn taken<'a>(run: &Interpreter<'_>, end: &'a Terminator) -> Option<&'a Target> {
    match end {
        Terminator::Goto(target) => Some(target),
        Terminator::Branch { cond, then, other } => Some(if run.read(*cond).is_true() {
            then
        } else {
            other
        }),
        Terminator::Switch {
            value,
            cases,
            default,
            ..
        } => {
            let value = run.read(*value).int();
            let case = cases.iter().find(|(case, _)| *case == value);
            Some(case.map_or(default, |(_, target)| target))
        }
        Terminator::PtrSwitch {
            ptr,
            cases,
            default,
        } => {
            let ptr = run.read(*ptr);
            let mut cases = cases.iter();
            let case = cases.find(|(object, offset, _)| ptr == Val::ptr(*object, *offset));
            Some(case.map_or(default, |(_, _, target)| target))
        }
        _ => None,
    }
}

/// A line of the text, or a part of a loop that is left out.
enum Part<'a> {
    Line(&'a Line),
    Fold { times: usize, lines: usize },
}

/// Loops as their first and last iteration.
fn folded<'a>(lines: &[&'a Line]) -> Vec<Part<'a>> {
    let same = |a: &Line, b: &Line| {
        (a.line, a.depth) == (b.line, b.depth) && a.function == b.function && a.file == b.file
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut best = (0, 0);
        for period in 1..=LONGEST_LOOP.min((lines.len() - at) / FOLDED) {
            let mut end = at + period;
            while end < lines.len() && same(lines[end], lines[end - period]) {
                end += 1;
            }
            let times = (end - at) / period;
            if times >= FOLDED && times * period > best.0 * best.1 {
                best = (times, period);
            }
        }
        let (times, period) = best;
        if times == 0 {
            out.push(Part::Line(lines[at]));
            at += 1;
            continue;
        }
        out.extend(lines[at..at + period].iter().map(|line| Part::Line(line)));
        out.push(Part::Fold {
            times: times - 2,
            lines: period,
        });
        at += (times - 1) * period;
        out.extend(lines[at..at + period].iter().map(|line| Part::Line(line)));
        at += period;
    }
    out
}

impl Story {
    /// The lines that matter, as text: calls indented, loops folded.
    pub fn text(&self, sources: &Sources) -> String {
        let lines: Vec<&Line> = self.lines.iter().filter(|line| line.matters).collect();
        let files: std::collections::BTreeSet<&str> =
            lines.iter().map(|line| line.file.as_str()).collect();
        let mut out = String::new();
        if self.unrecorded > 0 {
            let _ = writeln!(
                out,
                "  ... {} steps before the last {MOST_STEPS} are left out",
                self.unrecorded
            );
        }
        let mut function: Option<(&str, u32)> = None;
        for part in folded(&lines) {
            let line = match part {
                Part::Line(line) => line,
                Part::Fold { times, lines } => {
                    let columns = indent(function.map_or(0, |(_, depth)| depth));
                    let what = if lines == 1 {
                        "this line"
                    } else {
                        "these lines"
                    };
                    let _ = writeln!(
                        out,
                        "{:columns$}      ... {what} {times} times more ...",
                        ""
                    );
                    function = None;
                    continue;
                }
            };
            let indent = 2 + indent(line.depth);
            if function != Some((&line.function, line.depth)) {
                let _ = writeln!(out, "{:indent$}{}:", "", line.function);
                function = Some((&line.function, line.depth));
            }
            let place = match files.len() {
                1 => line.line.to_string(),
                _ => format!("{}:{}", line.file, line.line),
            };
            let source = sources.line(&line.file, line.line).trim();
            let code = format!("{:indent$}  {place}: {source}", "");
            let told = line.told();
            let _ = match code.len().max(TOLD) + told.len() <= WIDEST {
                true => writeln!(out, "{code:<TOLD$} {told}"),
                false => writeln!(out, "{code}\n{:TOLD$} {told}", ""),
            };
        }
        out
    }

    /// The lines that matter.
    pub fn that_matters(&self) -> Vec<Line> {
        let lines = self.lines.iter().filter(|line| line.matters);
        lines.cloned().collect()
    }

    /// How many lines do not matter.
    pub fn left_out(&self) -> usize {
        self.lines.iter().filter(|line| !line.matters).count()
    }
}

impl Line {
    /// What happened on the line, in one text.
    pub fn told(&self) -> String {
        let mut notes: Vec<&str> = Vec::new();
        let mut last: FxHashMap<&str, usize> = FxHashMap::default();
        for note in &self.notes {
            // A variable that is assigned again on the same line has its last value.
            let key = note
                .split_once(" = ")
                .map_or(note.as_str(), |(name, _)| name);
            match last.get(key) {
                Some(at) => notes[*at] = note,
                None => {
                    last.insert(key, notes.len());
                    notes.push(note);
                }
            }
        }
        format!("-> {}", notes.join(", "))
    }
}
