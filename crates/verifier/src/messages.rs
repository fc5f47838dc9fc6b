//! Plain words for what a run did: places, ends, inputs, and what to do next. Answers and
//! reports quote them, and the command line prints them.

use attest_exec::concrete::memory::Unknown;
use attest_exec::inputs::Taken;
use attest_exec::{Interpreter, Outcome, Val};
use attest_model::{Bail, BailKind, FnId, InputKind, PlaceId, Program, Sort, library};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// `1 run`, `2 runs`.
pub fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// `1 second`, `2.5 seconds`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds} second{}", if seconds == 1.0 { "" } else { "s" })
}

/// `1 summary`, `2 summaries`.
pub fn summaries(n: usize) -> String {
    format!("{n} summar{}", if n == 1 { "y" } else { "ies" })
}

/// A place in the source.
pub fn place(program: &Program, id: PlaceId) -> String {
    match program.place(id) {
        place if place.file.is_empty() => "an unknown place".into(),
        place => place.to_string(),
    }
}

/// Where something happened in the user's code: the innermost call that is not inside attest's
/// model of the library.
pub fn user_place(program: &Program, stack: &[(FnId, PlaceId)], at: PlaceId) -> String {
    place(program, attest_model::user_place(program, at, stack))
}

/// How a run ended: the first line says it, further ones say where and what to do.
pub fn ending(run: &Interpreter<'_>, outcome: &Outcome) -> String {
    let program = run.program;
    let at = place(program, run.place());
    let entry = program.entry_name();
    match outcome {
        Outcome::Returned(Some(value)) => format!("{entry} returned {value}\n"),
        Outcome::Returned(None) => format!("{entry} returned\n"),
        Outcome::Exited(status) => format!("the program called exit({status}) at {at}\n"),
        Outcome::Aborted => format!("the program called abort() at {at}\n"),
        Outcome::Error(name) => format!(
            "the error is reached: {name} is called at {at}\n{}",
            call_stack(run)
        ),
        Outcome::Bailed(bail) => format!(
            "the run ends at {at}: {bail}; {}\n{}",
            advice(bail.kind),
            call_stack(run)
        ),
        Outcome::AssumeFailed => format!(
            "an assumption failed at {at}, so this run counts for nothing; try other inputs\n"
        ),
        Outcome::StepLimit => format!(
            "the limit of {} steps was used up at {at}; allow more with --steps\n",
            run.steps
        ),
        Outcome::MemoryLimit => {
            format!("the memory limit was used up at {at}; allow more with --memory-limit\n")
        }
        Outcome::DepthLimit => format!(
            "calls are nested deeper than {} at {at}; is the recursion meant to end?\n{}",
            run.depth(),
            call_stack(run)
        ),
        Outcome::Stopped => format!("the run was stopped at {at}\n"),
    }
}

/// Activations that are shown at either end of a deep stack.
const MOST_CALLS: usize = 8;

fn call_stack(run: &Interpreter<'_>) -> String {
    let stack = run.call_stack();
    let mut out = String::new();
    for (i, (function, at)) in stack.iter().enumerate() {
        let skipped = stack.len().saturating_sub(2 * MOST_CALLS);
        if skipped > 0 && i == MOST_CALLS {
            let _ = writeln!(out, "  ... {}", count(skipped, "more call"));
        }
        if (MOST_CALLS..MOST_CALLS + skipped).contains(&i) {
            continue;
        }
        let name = &run.program.function(*function).name;
        let _ = writeln!(out, "  in {name} at {}", place(run.program, *at));
    }
    out
}

/// What a user can do about an unsupported construct or undefined behaviour.
pub fn advice(kind: BailKind) -> &'static str {
    use BailKind::*;
    match kind {
        Extern => {
            "give the function a body with --stubs FILE.c, add the file that defines it, or let it return anything with --extern havoc"
        }
        Asm => "put the assembly behind a function and give it a body in C with --stubs FILE.c",
        BadCall => "the pointer or the declaration does not fit the function that is called",
        Division | Shift | FloatToInt | Overflow => {
            "C leaves the result undefined; guard the operation"
        }
        NullDeref | OutOfBounds | UseAfterFree | BadFree | ConstWrite | Overlap => {
            "C leaves this access undefined; correct the program"
        }
        PtrOrder => "C defines this only for pointers into the same object",
        InvalidPointer => "take the address of an object instead of making one from a number",
        Leak | NotFreed => "free the memory before the program ends",
        Uninitialised => "set the value before it is used",
        PtrPun => "read a stored pointer as a pointer, or copy it with memcpy",
        Unreachable => "the compiler was told that control cannot come here",
        Recursion => "the recursion goes deeper than the calls that are followed",
        Exception | Type | Unsupported => {
            "attest has no model of it yet; replace it for the check, for example with --stubs"
        }
    }
}

/// An unsupported construct or undefined behaviour with its place, on one line.
pub fn bail(program: &Program, bail: &Bail, at: PlaceId) -> String {
    format!("{} at {}", bail, place(program, at))
}

/// Whether an input is an answer of the environment, which `--input` lists.
pub fn is_listed(taken: &Taken) -> bool {
    matches!(
        taken.kind,
        InputKind::Nondet(_) | InputKind::Result(_) | InputKind::Argument(_)
    )
}

/// Whether an input means something to the author of the program: all but
/// the compiler's own variables.
pub fn is_of_source(program: &Program, taken: &Taken) -> bool {
    match &taken.kind {
        InputKind::Uninit(name) => program.variables.iter().any(|v| v.name == *name),
        InputKind::Undef => false,
        InputKind::Nondet(_) | InputKind::Result(_) | InputKind::Argument(_) => true,
    }
}

/// The value of an input as `--input` reads it.
pub fn input_value(program: &Program, taken: &Taken) -> String {
    let unsigned = is_unsigned(program, &taken.kind);
    scalar_text(taken.sort, unsigned, taken.value)
}

fn scalar_text(sort: Sort, unsigned: bool, value: Val) -> String {
    match sort {
        Sort::Int(_) if unsigned => value.int().to_string(),
        Sort::Int(width) => value.signed(width).to_string(),
        Sort::Ptr => format!("{:#x}", value.lo),
        Sort::F32 => format!("{:?}", f32::from_bits(value.lo as u32)),
        Sort::F64 => format!("{:?}", f64::from_bits(value.lo)),
    }
}

/// What an input stands for, with its value.
pub fn input(program: &Program, taken: &Taken) -> String {
    let mut value = input_value(program, taken);
    let what = match &taken.kind {
        InputKind::Argument(name) => return argument(program, name, &value, taken),
        InputKind::Nondet(name) if **name == *library::CHARACTER => {
            let result = match taken.sort {
                Sort::Int(width) => taken.value.signed(width),
                _ => taken.value.int().cast_signed(),
            };
            value = library::character_read(result).to_string();
            "a character that is read".into()
        }
        InputKind::Nondet(name) => match library::any_named(name) {
            Some(any) => any.words.into(),
            None => format!("__VERIFIER_nondet_{name}()"),
        },
        InputKind::Result(name) => format!("the result of {name}()"),
        InputKind::Uninit(name) => format!("{name} before its first assignment"),
        InputKind::Undef => "an undefined value".into(),
    };
    format!("{what} = {value} at {}", place(program, taken.place))
}

/// An argument of the entry, with what a choice means.
fn argument(program: &Program, name: &str, value: &str, taken: &Taken) -> String {
    let of = format!("argument {name} of {}", program.entry_name());
    let Some(caller) = &program.caller else {
        return format!("{of} = {value}");
    };
    match caller.input(name) {
        Some(input) if !input.choices.is_empty() => {
            let choice = input.choice(taken.value.int());
            let words = choice.map(|c| caller.words(c)).unwrap_or_default();
            match input.stored {
                None => format!("{of} = {value}: {words}"),
                Some(_) => format!("{name} = {value}: {words}"),
            }
        }
        _ => format!("{of} = {value}"),
    }
}

/// The contents of the objects that arguments point to, where they are not 0; a line an object.
pub fn contents(program: &Program, unknown: &Unknown) -> Vec<String> {
    let Some(caller) = &program.caller else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (i, object) in caller.objects.iter().enumerate() {
        let number = program.first_dynamic().0 + i as u32;
        let byte = |at: u64| unknown.get(&(number, at)).copied().unwrap_or(0);
        let mut named = BTreeSet::new();
        let mut values = Vec::new();
        for scalar in &object.scalars {
            let size = scalar.sort.bytes(program.pointer_bits);
            let places = scalar.offset..scalar.offset.saturating_add(size);
            let bits = places
                .clone()
                .rev()
                .fold(0, |n, at| n << 8 | u128::from(byte(at)));
            named.extend(places);
            if bits != 0 && scalar.sort != Sort::Ptr {
                let value = Val::wide(bits);
                let value = scalar_text(scalar.sort, !scalar.signed, value);
                values.push((scalar.offset, format!("{} = {value}", scalar.path)));
            }
        }
        for (&(_, at), &byte) in unknown.range((number, 0)..(number, object.size)) {
            if byte != 0 && !named.contains(&at) {
                values.push((at, format!("byte {at} = {byte}")));
            }
        }
        values.sort();
        values.dedup();
        let values: Vec<String> = values.into_iter().map(|(_, text)| text).collect();
        if !values.is_empty() {
            out.push(format!("{}: {}", object.name, values.join(", ")));
        }
    }
    out
}

fn is_unsigned(program: &Program, kind: &InputKind) -> bool {
    let name = match kind {
        InputKind::Nondet(name) => name,
        InputKind::Argument(name) => {
            let input = program.caller.as_ref().and_then(|c| c.input(name));
            return input.is_some_and(|i| !i.signed);
        }
        _ => return false,
    };
    name.starts_with('u') || matches!(&**name, "bool" | "_Bool" | "size_t" | "pointer")
}

/// A word of a command as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        assert_eq!(quoted("a/b.c"), "a/b.c");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn counts() {
        assert_eq!(count(1, "run"), "1 run");
        assert_eq!(count(0, "run"), "0 runs");
    }
}
