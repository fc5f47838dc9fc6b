//! The caller of an entry other than `main`: which arguments it passes.
//!
//! `--entry f` checks every call of `f` with arbitrary scalars, where each pointer is null or
//! points into one of a few objects with arbitrary contents. The caller is an ordinary function of
//! the model (`lower/entry` makes it). This file describes its inputs, so that a verdict can print
//! its assumptions, a counterexample its arguments, and a native harness can rebuild them.
//!
//! The objects are shared: two pointers to the same type may lead to the same object, to different
//! elements of it, or to a member of a structure. So the choices cover all forms of aliasing
//! without listing each.

use crate::program::{Function, Inst, ObjectId, Operand, Program, Reg, Sort};
use std::fmt::Write;
use std::sync::Arc;

/// The sizes of an entry's arguments. A `safe` verdict holds within these bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Elements of an array of bytes, for `char *` and `void *`.
    pub bytes: u32,
    /// Elements of an array of other scalars.
    pub scalars: u32,
    /// Elements of an array of pointers or structures; a recursive structure is not in an array.
    pub aggregates: u32,
    /// Extra objects of a type, besides those of the parameters, if pointers inside objects point
    /// to the type.
    pub more: u32,
    /// The number of pointer steps from a parameter up to which types get objects; fewer if there
    /// would be too many pointers.
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

/// The behaviour of an entry's caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The called function.
    pub function: Arc<str>,
    /// Objects, in the order of their allocation before any other.
    pub objects: Vec<ArgumentObject>,
    /// Inputs, in the order in which they are taken.
    pub inputs: Vec<ArgumentInput>,
    /// The scalars of the parameters, in order.
    pub passed: Vec<Passed>,
    /// Pointers inside objects that are always null: object and offset.
    pub nulls: Vec<(usize, u64)>,
    /// A description of the omissions.
    pub notes: Vec<String>,
}

/// An object that arguments may point into. Its contents are arbitrary except for its pointers,
/// which are inputs.
#[derive(Clone, Debug)]
pub struct ArgumentObject {
    /// Its type and number: `int[4] #1`.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its named scalars, for printing.
    pub scalars: Vec<NamedScalar>,
}

/// A scalar inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedScalar {
    /// The access path: `[1].count`.
    pub path: String,
    /// Offset in bytes from the object's start.
    pub offset: u64,
    /// Its sort.
    pub sort: Sort,
    /// Whether it is signed.
    pub signed: bool,
}

/// An input of the caller.
#[derive(Clone, Debug)]
pub struct ArgumentInput {
    /// The parameter, or the pointer inside an object, that gets the value.
    pub name: Arc<str>,
    /// Its sort; for a pointer, the sort of the choice's number.
    pub sort: Sort,
    /// For a pointer, the meaning of each number. Numbers beyond the end mean the same as 1.
    pub choices: Vec<Choice>,
    /// The place in memory where it is stored: object and offset.
    pub stored: Option<(usize, u64)>,
    /// Whether it is signed.
    pub signed: bool,
}

impl ArgumentInput {
    /// The meaning of a number, for a pointer.
    pub fn choice(&self, number: u128) -> Option<&Choice> {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        self.choices.get(at).or_else(|| self.choices.get(1))
    }
}

/// A possible value of a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Null.
    Null,
    /// A place in an object.
    Place {
        /// The number of the caller's object.
        object: usize,
        /// Bytes from its start.
        offset: u64,
        /// The access path: `[1].count`, or empty.
        path: String,
    },
    /// A function.
    Function {
        /// Its name.
        name: Arc<str>,
        /// Its address.
        object: ObjectId,
    },
    /// Not a pointer: the bytes of a union, arbitrary like all data.
    Data,
}

/// A scalar passed to the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The parameter in the IR, from 0.
    pub parameter: usize,
    /// Bytes from the start of the parameter's value.
    pub offset: u64,
    /// Its sort.
    pub sort: Sort,
    /// Its value.
    pub value: PassedValue,
}

/// The value of a passed scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedValue {
    /// The value of an input.
    Input(usize),
    /// Null, since nothing else fits.
    Null,
    /// The start of an object: a structure that is passed or returned by value.
    Object(usize),
}

impl Caller {
    /// A description of a choice.
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

    /// The input with this name.
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
                "{n} pointer{s} null inside objects: no object of the type is available"
            ));
        }
        out.extend(self.notes.iter().cloned());
        out
    }

    /// The possible values of a pointer, one phrase per object.
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

/// The assumptions about the environment and about the call of an entry other than `main`, one line
/// each.
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

/// Whether `main` reads its arguments themselves, and not only their number.
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
