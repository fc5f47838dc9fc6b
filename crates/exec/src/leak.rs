//! The heap memory that is left at the end of a run, and what still points to it.
//!
//! A program with a count of heap objects ([`attest_model::leak`]) bails where it ends and the
//! count is not 0. All these bails have one kind, so that the runs that end there are at one
//! location of the graph; [`HeapLeft::kind`] says which kind of the class the run shows.
//!
//! What can be reached starts from static objects, promoted globals and, except after the return
//! of `main`, from the variables of all activations and the values that they still need: as for
//! the leak checkers of machines, but a register that is not used any more is no variable. The
//! program as it was loaded has the variables of C. An inlined program keeps fewer of them, and
//! those of activations that have ended, so it must not be asked.

use crate::concrete::value::Val;
use crate::interpreter::{Frame, Interpreter, Outcome};
use attest_model::leak::{End, is_main};
use attest_model::liveness::Liveness;
use attest_model::{BailKind, FnId, ObjectId, PlaceId, Reg, Sort};
use attest_model::{Program, library};
use std::collections::BTreeSet;
use std::fmt;

/// A heap object that was not freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// The object.
    pub object: ObjectId,
    /// Its size in bytes.
    pub size: u64,
    /// The innermost place of its allocation that is not inside a model of a library function.
    pub made_at: PlaceId,
    /// Whether nothing points to it any more.
    pub lost: bool,
}

/// The heap memory that is left at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapLeft {
    /// The end.
    pub end: End,
    /// The objects in order of their creation, without those of the caller of the entry.
    pub objects: Vec<Left>,
}

impl HeapLeft {
    /// The kind of leak: `Leak` if an object is lost, else `NotFreed` if one is left. None if there
    /// is no leak: the count was too large, or the program goes on in a loop, or it returns to a
    /// caller that still has the memory.
    pub fn kind(&self, program: &Program) -> Option<BailKind> {
        if self.objects.iter().any(|o| o.lost) {
            return Some(BailKind::Leak);
        }
        let goes_on = match self.end {
            End::Loop => true,
            End::Return => !is_main(program),
            End::Exit | End::Immediate => false,
        };
        (!goes_on && !self.objects.is_empty()).then_some(BailKind::NotFreed)
    }

    /// Where the first object that is lost was allocated, or the first that is left.
    pub fn made_at(&self) -> Option<PlaceId> {
        let mut lost = self.objects.iter().filter(|o| o.lost);
        let first = lost.next().or(self.objects.first());
        first.map(|o| o.made_at)
    }

    /// What is left, for people.
    pub fn told<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        Told {
            left: self,
            program,
        }
    }
}

struct Told<'a> {
    left: &'a HeapLeft,
    program: &'a Program,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let objects = &self.left.objects;
        let lost: Vec<&Left> = objects.iter().filter(|o| o.lost).collect();
        let (shown, how) = match lost.is_empty() {
            true => (objects.iter().collect(), "not freed"),
            false => (lost, "not freed, and nothing points there"),
        };
        let bytes: u64 = shown.iter().map(|o| o.size).sum();
        let plural = |n: u64, one: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {one}s"),
        };
        let number = plural(shown.len() as u64, "object");
        let is = if shown.len() == 1 { "is" } else { "are" };
        write!(f, "{number} of {} {is} {how}", plural(bytes, "byte"))?;
        let places: BTreeSet<PlaceId> = shown.iter().map(|o| o.made_at).collect();
        for (i, place) in places.iter().enumerate() {
            let before = if i == 0 { "; allocated at " } else { ", " };
            if i == MOST_PLACES {
                return f.write_str(", ...");
            }
            write!(f, "{before}{}", self.program.place(*place))?;
        }
        Ok(())
    }
}

/// Places of allocations that are told.
const MOST_PLACES: usize = 4;

impl Interpreter<'_> {
    /// What is left of the heap, if the run has ended with this outcome because something is.
    pub fn heap_left(&self, outcome: &Outcome) -> Option<HeapLeft> {
        match outcome {
            Outcome::Bailed(bail) => Some(self.heap_at(End::of(bail)?)),
            _ => None,
        }
    }

    /// The heap as it would be left if the program ended here in this way. A run that has reached
    /// a limit in a loop without an exit has leaked what is lost here.
    pub fn heap_at(&self, end: End) -> HeapLeft {
        let memory = &self.machine.memory;
        let callers = self.objects_of_caller();
        let own = |id: &ObjectId| !callers.contains(&id.0);
        let reachable = memory.reachable(self.roots(end));
        let left = memory.heap_objects().into_iter().filter(own);
        let objects = left.filter_map(|id| {
            let object = memory.object(id)?;
            Some(Left {
                object: id,
                size: object.size,
                made_at: object.made_at,
                lost: !object.kept && !reachable.contains(&id),
            })
        });
        HeapLeft {
            end,
            objects: objects.collect(),
        }
    }

    /// The numbers of the objects that the caller of the entry passes: the first ones it makes.
    fn objects_of_caller(&self) -> std::ops::Range<u32> {
        let first = self.program.first_dynamic().0;
        let passed = self.program.caller.as_ref().map_or(0, |c| c.objects.len());
        first..first + passed as u32
    }

    /// The objects from which others are reached, and those that values outside memory lead to.
    fn roots(&self, end: End) -> BTreeSet<ObjectId> {
        let memory = &self.machine.memory;
        let mut roots: BTreeSet<ObjectId> = memory.variables().into_iter().collect();
        roots.extend(self.objects_of_caller().map(ObjectId));
        let is_kept = |id: &ObjectId| memory.object(*id).is_some_and(|object| object.kept);
        roots.extend(memory.heap_objects().into_iter().filter(is_kept));
        let globals = self.machine.globals.iter().zip(&self.program.globals);
        for (i, (value, info)) in globals.enumerate() {
            if self
                .program
                .heap_count
                .is_none_or(|count| count.0 != i as u32)
            {
                roots.extend(memory.target(*value, info.sort));
            }
        }
        if end == End::Return {
            for object in &self.machine.stack_objects {
                roots.remove(object);
            }
            // The caller of an entry other than `main` keeps what it passed and what it gets.
            if !is_main(self.program) {
                let all = 0..self.frame.regs.len() as u32;
                self.registers(&self.frame, all.map(Reg), &mut roots);
            }
            return roots;
        }
        let mut varargs = |list: &[(Val, Sort)]| {
            let targets = list.iter().map(|(v, sort)| memory.target(*v, *sort));
            roots.extend(targets.flatten());
        };
        varargs(&self.machine.varargs);
        self.each_caller(|frame| varargs(frame.varargs()));
        let mut activation = |frame: &Frame, at: usize| {
            let held = held(self.program, frame, at);
            self.registers(frame, held, &mut roots);
        };
        activation(&self.frame, self.frame.index);
        self.each_caller(|frame| activation(frame, frame.index + 1));
        roots
    }

    fn registers(
        &self,
        frame: &Frame,
        held: impl IntoIterator<Item = Reg>,
        roots: &mut BTreeSet<ObjectId>,
    ) {
        let infos = &self.program.function(frame.function).regs;
        for reg in held {
            let at = reg.0 as usize;
            let target = self.machine.memory.target(frame.regs[at], infos[at].sort);
            roots.extend(target);
        }
    }

    /// The place of an allocation for a report, that of the innermost activation which is no model
    /// of a library function; and whether the library keeps what is allocated.
    pub(crate) fn allocation(&self, here: PlaceId) -> (PlaceId, bool) {
        let program = self.program;
        let is_library = |function: FnId, place: PlaceId| {
            let function = program.function(function);
            function.synthetic || program.place(place).file.starts_with(library::FOLDER)
        };
        if !is_library(self.frame.function, here) {
            return (here, false);
        }
        let name = &program.function(self.frame.function).name;
        let kept = name.split('.').next() == Some(library::STREAMS);
        let mut stack = self.call_stack().into_iter().skip(1);
        let own = stack.find(|(function, place)| !is_library(*function, *place));
        (own.map_or(here, |(_, place)| place), kept)
    }
}

/// The registers of an activation whose values the program still has before this instruction:
/// variables, and what later code reads. Without debug information any register may be a variable.
fn held(program: &Program, frame: &Frame, at: usize) -> Vec<Reg> {
    let function = program.function(frame.function);
    let all = (0..function.regs.len() as u32).map(Reg);
    let is_variable = |reg: &Reg| function.regs[reg.0 as usize].variable.is_some();
    let mut variables: Vec<Reg> = all.clone().filter(is_variable).collect();
    let place = |place: PlaceId| program.place(place).column > 0;
    let mut blocks = function.blocks.iter();
    let debugged = blocks.any(|b| place(b.end_place) || b.places.iter().any(|p| place(*p)));
    if variables.is_empty() && !debugged {
        return all.collect();
    }
    let live = Liveness::of(function).before(function, frame.block, at);
    variables.extend(live.iter());
    variables
}
