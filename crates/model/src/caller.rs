//! The caller of an entry other than `main`: which arguments it passes.
//!
//! `--entry f` asks about every call of `f` in which scalars are arbitrary and
//! each pointer is null or points somewhere into one of a few objects with
//! arbitrary contents. The caller is a function of the model like any other
//! (`lower/entry` makes it); this page says in words what its inputs mean, so
//! that a verdict can print its assumptions, a failing test its arguments, and
//! a native harness can build them again.
//!
//! The objects are shared: two pointers to the same type may lead to the same
//! object, to different elements of it, or to a member of a structure, so all
//! ways of aliasing are among the choices without being listed one by one.

use crate::program::{Function, Inst, ObjectId, Operand, Program, Reg, Sort};
use std::fmt::Write;
use std::sync::Arc;

/// How large the arguments of an entry are. A `safe` verdict holds within these bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Elements of an array of bytes, for `char *` and `void *`.
    pub bytes: u32,
    /// Elements of an array of other scalars.
    pub scalars: u32,
    /// Elements of an array of pointers or structures; a structure that leads
    /// back to itself stands alone.
    pub aggregates: u32,
    /// Objects of a type beside those of the parameters, if pointers inside
    /// objects lead to the type.
    pub more: u32,
    /// Steps from a parameter after which no further types get objects; fewer
    /// where there would be too many pointers.
    pub depth: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            bytes: 8,
            scalars: 4,
            aggregates: 2,
            more: 2,
            depth: 8,
        }
    }
}

/// What the caller of an entry does.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The function that it calls.
    pub function: Arc<str>,
    /// Objects in the order in which they are made, before anything else.
    pub objects: Vec<ArgumentObject>,
    /// Its inputs in the order in which they are taken.
    pub inputs: Vec<ArgumentInput>,
    /// The scalars of the parameters, in order.
    pub passed: Vec<Passed>,
    /// Pointers inside objects that can only be null: object and offset.
    pub nulls: Vec<(usize, u64)>,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// An object that arguments may point into. Its contents are arbitrary except
/// for its pointers, which are inputs.
#[derive(Clone, Debug)]
pub struct ArgumentObject {
    /// Its type and number: `int[4] #1`.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Scalars in it that have a name, for printing.
    pub scalars: Vec<NamedScalar>,
}

/// A scalar inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedScalar {
    /// The way to it: `[1].count`.
    pub path: String,
    /// Bytes from the object's start.
    pub offset: u64,
    /// What it is.
    pub sort: Sort,
    /// Its top bit is a sign.
    pub signed: bool,
}

/// An input of the caller.
#[derive(Clone, Debug)]
pub struct ArgumentInput {
    /// The parameter, or the pointer inside an object, that it fixes.
    pub name: Arc<str>,
    /// Its sort; for a pointer that of the choice's number.
    pub sort: Sort,
    /// For a pointer: what each number means. Numbers beyond the end mean the same as 1.
    pub choices: Vec<Choice>,
    /// The place in memory that it is written to: object and offset.
    pub stored: Option<(usize, u64)>,
    /// A scalar whose top bit is a sign.
    pub signed: bool,
}

impl ArgumentInput {
    /// What a number means, for a pointer.
    pub fn choice(&self, number: u128) -> Option<&Choice> {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        self.choices.get(at).or_else(|| self.choices.get(1))
    }
}

/// What a pointer may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Null.
    Null,
    /// A place in an object.
    Place {
        /// Which of the caller's objects.
        object: usize,
        /// Bytes from its start.
        offset: u64,
        /// The way there: `[1].count`, or empty.
        path: String,
    },
    /// A function.
    Function {
        /// Its name.
        name: Arc<str>,
        /// Its address.
        object: ObjectId,
    },
    /// Not a pointer: the bytes of a union, arbitrary as all data.
    Data,
}

/// A scalar that is passed to the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The parameter in the IR, from 0.
    pub parameter: usize,
    /// Bytes from the start of the parameter's value.
    pub offset: u64,
    /// What it is.
    pub sort: Sort,
    /// Its value.
    pub value: PassedValue,
}

/// The value of a scalar that is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedValue {
    /// That of an input.
    Input(usize),
    /// Null, as nothing else fits.
    Null,
    /// The start of an object: a structure that is passed or returned by value.
    Object(usize),
}

impl Caller {
    /// What a choice is, in words.
    pub fn words(&self, choice: &Choice) -> String {
        match choice {
            Choice::Null => "null".into(),
            Choice::Data => "not a pointer, but arbitrary bytes".into(),
            Choice::Function { name, .. } => format!("the function {name}"),
            Choice::Place { object, path, .. } => {
                let name = &self.objects[*object].name;
                match path.as_str() {
                    "" => format!("points to {name}"),
                    path => format!("points to {path} in {name}"),
                }
            }
        }
    }

    /// The input of a name.
    pub fn input(&self, name: &str) -> Option<&ArgumentInput> {
        self.inputs.iter().find(|i| &*i.name == name)
    }

    /// Whether a byte of an object belongs to a pointer of this many bytes
    /// that the caller always stores.
    pub fn is_in_pointer(&self, object: usize, at: u64, bytes: u64) -> bool {
        let covers = |(o, offset): (usize, u64)| {
            o == object && (offset..offset.saturating_add(bytes)).contains(&at)
        };
        let stored = self
            .inputs
            .iter()
            .filter(|i| !i.choices.contains(&Choice::Data));
        stored.filter_map(|i| i.stored).any(covers) || self.nulls.iter().copied().any(covers)
    }

    fn assumptions(&self) -> Vec<String> {
        let mut out = Vec::new();
        let of_parameters = |i: &&ArgumentInput| i.stored.is_none() && !i.choices.is_empty();
        for input in self.inputs.iter().filter(of_parameters) {
            out.push(format!("{}: {}", input.name, self.alternatives(input)));
        }
        let inside = self.inputs.iter().filter(|i| i.stored.is_some()).count();
        if inside > 0 {
            let s = if inside == 1 { "" } else { "s" };
            out.push(format!(
                "the {inside} pointer{s} inside objects: null, or again into one of the objects, \
                 or a function"
            ));
        }
        if !self.nulls.is_empty() {
            let n = self.nulls.len();
            let s = if n == 1 { " is" } else { "s are" };
            out.push(format!(
                "{n} pointer{s} null inside objects: nothing of the type is at hand"
            ));
        }
        out.extend(self.notes.iter().cloned());
        out
    }

    /// What a pointer may be, one phrase an object.
    fn alternatives(&self, input: &ArgumentInput) -> String {
        let mut out = String::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut functions = Vec::new();
        for choice in &input.choices {
            match choice {
                Choice::Null | Choice::Data => {
                    let _ = write!(out, "{}{}", comma(&out), self.words(choice));
                }
                Choice::Function { name, .. } => functions.push(&**name),
                Choice::Place { object, .. } => match places.last_mut() {
                    Some((last, count)) if last == object => *count += 1,
                    _ => places.push((*object, 1)),
                },
            }
        }
        for (object, count) in places {
            let name = &self.objects[object].name;
            let _ = match count {
                1 => write!(out, "{}{name}", comma(&out)),
                n => write!(out, "{}one of {n} places in {name}", comma(&out)),
            };
        }
        if !functions.is_empty() {
            let _ = write!(out, "{}one of {}", comma(&out), functions.join(", "));
        }
        out
    }
}

/// What is assumed of the environment and of the call of an entry other than `main`,
/// a line each.
pub fn assumptions(program: &Program) -> Vec<String> {
    let mut out = Vec::from_iter(crate::environment::assumption(program));
    let name = program.entry_name();
    if name == "main" {
        if reads_arguments(program.function(program.entry)) {
            out.push("main gets no arguments: argc is 1, and argv[1] is null".into());
        }
        return out;
    }
    if let Some(caller) = &program.caller {
        let what = "scalars and contents of objects are arbitrary";
        out.push(format!("the arguments of {name}: {what}"));
        out.extend(caller.assumptions());
    }
    out.push(format!(
        "globals have their initial values when {name} is called, and no argument points to one"
    ));
    out
}

/// Whether `main` looks at its arguments themselves, and not only at their number.
pub(crate) fn reads_arguments(main: &Function) -> bool {
    if main.params < 2 {
        return false;
    }
    let insts = || main.blocks.iter().flat_map(|block| &block.insts);
    let mut copies = vec![Reg(1)];
    let mut seen = 0;
    while let Some(argv) = copies.get(seen).copied() {
        seen += 1;
        for inst in insts() {
            match inst {
                Inst::Copy { dst, src } if *src == Operand::Reg(argv) => {
                    if !copies.contains(dst) {
                        copies.push(*dst);
                    }
                }
                other => {
                    let mut used = false;
                    other.uses(|operand| used |= operand == Operand::Reg(argv));
                    if used {
                        return true;
                    }
                }
            }
        }
        let mut ends = main.blocks.iter().map(|block| &block.end);
        if ends.any(|end| {
            let mut used = false;
            end.uses(|operand| used |= operand == Operand::Reg(argv));
            used
        }) {
            return true;
        }
    }
    false
}

fn comma(before: &str) -> &'static str {
    if before.is_empty() { "" } else { ", or " }
}
