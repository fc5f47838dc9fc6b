//! Plain words for what a run did: places, ends, inputs, and what to do next.

use attest_exec::inputs::Taken;
use attest_exec::{Interpreter, Outcome};
use attest_model::{Bail, BailKind, InputKind, PlaceId, Program, Sort};
use std::fmt::Write;

/// `1 run`, `2 runs`.
pub fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// A place in the source.
pub fn place(program: &Program, id: PlaceId) -> String {
    match program.place(id) {
        place if place.file.is_empty() => "an unknown place".into(),
        place => place.to_string(),
    }
}

/// How a run ended: the first line says it, further ones say where and what to do.
pub fn ending(run: &Interpreter<'_>, outcome: &Outcome) -> String {
    let program = run.program;
    let at = place(program, run.place());
    let entry = &program.function(program.entry).name;
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
            "the run left the model at {at}: {bail}; {}\n{}",
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

/// What a user can do about a way out of the model.
pub fn advice(kind: BailKind) -> &'static str {
    use BailKind::*;
    match kind {
        Extern => "give the function a body with --stubs FILE.c, or add the file that defines it",
        Asm => "put the assembly behind a function and give it a body in C with --stubs FILE.c",
        BadCall => "the pointer or the declaration does not fit the function that is called",
        Division | Shift | FloatToInt | Overflow => {
            "C leaves the result undefined; guard the operation"
        }
        NullDeref | OutOfBounds | UseAfterFree | BadFree | ConstWrite | Overlap => {
            "C leaves this access undefined; correct the program"
        }
        PtrOrder => "C defines this only for pointers into the same object",
        IntToPtr => "take the address of an object instead of making one from a number",
        PtrPun => "read a stored pointer as a pointer, or copy it with memcpy",
        Unreachable => "the compiler was told that control cannot come here",
        Recursion => "the recursion goes deeper than the calls that are followed",
        Exception | Type | Unsupported => {
            "attest has no model of it yet; replace it for the check, for example with --stubs"
        }
    }
}

/// A way out of the model with its place, on one line.
pub fn bail(program: &Program, bail: &Bail, at: PlaceId) -> String {
    format!("{} at {}", bail, place(program, at))
}

/// Whether an input is an answer of the environment, which `--input` lists.
pub fn is_listed(taken: &Taken) -> bool {
    matches!(taken.kind, InputKind::Nondet(_) | InputKind::Result(_))
}

/// Whether an input means something to the author of the program: all but
/// the compiler's own variables.
pub fn is_of_source(program: &Program, taken: &Taken) -> bool {
    match &taken.kind {
        InputKind::Uninit(name) => program.variables.iter().any(|v| v.name == *name),
        InputKind::Undef => false,
        InputKind::Nondet(_) | InputKind::Result(_) => true,
    }
}

/// The value of an input as `--input` reads it.
pub fn input_value(taken: &Taken) -> String {
    match taken.sort {
        Sort::Int(_) if is_unsigned(&taken.kind) => taken.value.int().to_string(),
        Sort::Int(width) => taken.value.signed(width).to_string(),
        Sort::Ptr => format!("{:#x}", taken.value.lo),
        Sort::F32 => format!("{:?}", f32::from_bits(taken.value.lo as u32)),
        Sort::F64 => format!("{:?}", f64::from_bits(taken.value.lo)),
    }
}

/// What an input stands for, with its value.
pub fn input(program: &Program, taken: &Taken) -> String {
    let value = input_value(taken);
    let entry = &program.function(program.entry).name;
    let what = match &taken.kind {
        // The arguments of the entry are taken before the first place.
        InputKind::Nondet(name) if taken.place == PlaceId(0) => {
            return format!("argument {name} of {entry} = {value}");
        }
        InputKind::Nondet(name) => format!("__VERIFIER_nondet_{name}()"),
        InputKind::Result(name) => format!("the result of {name}()"),
        InputKind::Uninit(name) => format!("{name} before its first assignment"),
        InputKind::Undef => "an undefined value".into(),
    };
    format!("{what} = {value} at {}", place(program, taken.place))
}

fn is_unsigned(kind: &InputKind) -> bool {
    let InputKind::Nondet(name) = kind else {
        return false;
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
