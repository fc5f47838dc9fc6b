//! The environment of a test, as a C file.
//!
//! The calls that stand for inputs return the values of a table, in the order of
//! the test and 0 beyond its end. The program exits silently where an assumption
//! fails, and with a status of its own where it reaches the error.
//! For an entry other than `main` it has a `main` that builds the arguments.
//! Linked together, harness and program are a program that fails.

use crate::c_text::{comment, is_name};
use crate::sanitize::tool::Instrument;
use crate::test::{InputSource, Test, c_type};
use crate::violation::Violation;
use crate::{allocation, heap};
use attest_exec::InputValue;
use attest_model::environment::{ALIGN, LAST_PAGE, PLACES, SIZE};
use attest_model::{BailKind, library};
use attest_proof::DataModel;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Exit status when the error is reached.
pub const REACHED: i32 = 42;
/// The same in a run that is a guess. A program that ends with one of the two by itself does
/// not end with the other.
pub(crate) const GUESSED: i32 = 43;
/// Exit status when an assumption fails.
pub const ASSUMPTION: i32 = 77;

/// The C file of a test. `undefined` are the functions that the program calls
/// and does not define: those that belong to the environment are defined here.
/// `name` is the name of the file.
pub fn harness(test: &Test, undefined: &BTreeSet<String>, name: &str) -> String {
    let mut c = String::new();
    let does = match (&test.error, &test.violation) {
        (None, Some(violation)) => format!(
            "With it the program violates {} ({}),\n   which a sanitizer reports",
            comment(&violation.check),
            comment(&violation.place),
        ),
        (Some(error), _) => format!(
            "With it the program calls {} ({})\n   and ends with status {REACHED}",
            comment(&error.function),
            comment(&error.place),
        ),
        (None, None) => {
            format!("Status {REACHED} would mean that the program calls an error function")
        }
    };
    let how = match test.entry.as_str() {
        "main" if test.rule.is_some() => format!(
            "Build and run all by hand, with gcc or clang. The rule is in {}; in the other\n   \
             files, which are the program as clang compiles it, its wrappers stand for the\n   \
             functions that it watches:\n     {}",
            comment(&beside(name, RULE)),
            comment(&with_rule(test, undefined, name)),
        ),
        "main" => format!(
            "Build and run both by hand, with gcc or clang, this file first:\n     {}\n   \
             An error function of the program that is static is not seen so; \
             `attest replay` sees it.",
            comment(&by_hand(test, undefined, name)),
        ),
        entry => format!(
            "`attest replay` builds and runs both, with `attest_call`, which calls {}.",
            comment(entry)
        ),
    };
    let _ = write!(
        c,
        "/* The environment of a test, written by {}.\n   {does};\n   \
         status {ASSUMPTION} means that an assumption did not hold.\n\n   {how} */\n\n",
        comment(&test.tool),
    );
    c.push_str("void _Exit(int);\n\n");
    c.push_str("static const struct { unsigned long long low, high; } inputs[] = {\n");
    for input in &test.inputs {
        if input.source == InputSource::Nondet {
            let (low, high) = words(&input.value, &input.ty);
            let (call, place) = (comment(&input.call), comment(&input.place));
            let value = comment(&input.value);
            let _ = writeln!(
                c,
                "  {{{low}ull, {high}ull}}, /* {call}: {value} ({place}) */"
            );
        }
    }
    c.push_str("  {0, 0},\n};\n\nstatic unsigned long taken;\n\n");
    c.push_str(
        "static unsigned long next(void) {\n  \
         unsigned long last = sizeof inputs / sizeof inputs[0] - 1;\n  \
         return taken < last ? taken++ : last;\n}\n\n",
    );
    let answers = answers(test, undefined);
    if answers.values().any(|ty| ty == POINTER) || !test.unwritten.is_empty() {
        c.push_str(&environment());
    }
    c.push_str(&heap::filling(&test.unwritten));
    c.push_str(&allocation::wrappers(test, undefined));
    c.push_str(&input(undefined));
    for (name, ty) in answers {
        let _ = writeln!(c, "{}\n", answer(&name, &ty));
    }
    if undefined.contains(ASSUME) {
        let _ = writeln!(c, "{}\n", assume());
    }
    for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
        if undefined.contains(name) {
            let _ = writeln!(c, "void {name}(void) {{}}\n");
        }
    }
    let assuming = undefined
        .iter()
        .filter(|name| name.starts_with(library::ASSUMING));
    for name in assuming.filter(|name| is_name(name)) {
        let _ = writeln!(c, "void {name}(void) {{}}\n");
    }
    // The rule calls this when it lost track of the object that it watches.
    if undefined.contains(attest_slic::emit::TOO_MANY) {
        let name = attest_slic::emit::TOO_MANY;
        let _ = writeln!(c, "void {name}(void) {{ _Exit({ASSUMPTION}); }}\n");
    }
    let reached = test.error.iter().map(|error| &error.function);
    let errors: BTreeSet<&str> = test
        .errors
        .iter()
        .chain(reached)
        .map(String::as_str)
        .collect();
    for name in &errors {
        if undefined.contains(*name) && is_name(name) {
            let _ = writeln!(c, "void {name}() {{ {} }}\n", end(REACHED));
        }
    }
    // Where the property does not ask for them, these end the program.
    for name in ["reach_error", "__VERIFIER_error"] {
        if undefined.contains(name) && !errors.contains(name) {
            let _ = writeln!(c, "void {name}() {{ __builtin_abort(); }}\n");
        }
    }
    if test.entry != "main" {
        let arguments = test.arguments.clone().unwrap_or_default();
        c.push_str(&arguments.main());
    }
    c
}

/// What an error function does.
pub(crate) fn end(status: i32) -> String {
    format!("_Exit({status});")
}

/// The name of a file beside the harness: `failing.c` has `failing-rule.c`.
pub(crate) fn beside(name: &str, suffix: &str) -> String {
    let stem = name.strip_suffix(".c").unwrap_or(name);
    format!("{stem}-{suffix}")
}

/// The rule in C, with its wrappers.
pub(crate) const RULE: &str = "rule.c";

/// A file of the program in assembly, from 1.
pub(crate) fn assembly(number: usize) -> String {
    format!("{number}.s")
}

/// The command that builds a test of a rule from the files beside its harness and runs it.
fn with_rule(test: &Test, undefined: &BTreeSet<String>, name: &str) -> String {
    let mut words = vec!["cc".to_owned()];
    words.extend(["-O0", "-w", "-fwrapv", "-fno-builtin"].map(String::from));
    words.extend(sanitizers(test));
    if test.data_model == DataModel::Ilp32 {
        words.extend(["-m32", "-msse2", "-mfpmath=sse"].map(String::from));
    }
    let folder = test.rule.as_ref().map(|rule| rule_folder(&rule.path));
    words.extend(["-iquote".into(), quoted(&folder.unwrap_or_default())]);
    words.extend(test.clang_args.iter().map(|word| quoted(word)));
    words.extend(allocation::options(test, undefined));
    words.extend([quoted(name), quoted(&beside(name, RULE))]);
    let parts = 1..=test.files.len() + test.stubs.len();
    words.extend(parts.map(|n| quoted(&beside(name, &assembly(n)))));
    words.push(format!(
        "-lm -o failing && {}./failing; echo $?",
        under(test)
    ));
    words.join(" ")
}

/// The options for gcc and clang with which the violation of a test is reported.
fn sanitizers(test: &Test) -> Vec<String> {
    let Some(kind) = test.violation.as_ref().and_then(Violation::kind) else {
        return Vec::new();
    };
    let mut words = vec!["-g".to_owned()];
    let checks = match (kind, Instrument::by_hand(kind).checks()) {
        (BailKind::Uninitialised | BailKind::NotFreed, _) => return words,
        // gcc has no check of calls.
        (BailKind::BadCall, _) => "address".into(),
        (_, checks) => checks,
    };
    if kind == BailKind::Overflow {
        words.push("-fno-wrapv".into());
    }
    words.push("-fno-omit-frame-pointer".into());
    words.push(format!("-fsanitize={checks}"));
    words.push("-fno-sanitize-recover=all".into());
    words
}

/// What the program is run under, with a space.
fn under(test: &Test) -> &'static str {
    match test.violation.as_ref().and_then(Violation::kind) {
        Some(BailKind::Uninitialised) => "valgrind -q ",
        Some(BailKind::NotFreed) => "valgrind -q --leak-check=full --show-leak-kinds=all ",
        // They are not looked for on purpose where something else is the matter.
        Some(BailKind::Leak) | None => "",
        Some(_) => "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 ",
    }
}

/// The folder of a rule, where its headers are looked for.
pub(crate) fn rule_folder(rule: &str) -> String {
    match rule.rsplit_once('/') {
        Some(("", _)) => "/".into(),
        Some((folder, _)) => folder.into(),
        None => ".".into(),
    }
}

/// The command that builds the program with its harness and runs it. The
/// harness comes first, so that its error functions are taken where the
/// program defines them too.
fn by_hand(test: &Test, undefined: &BTreeSet<String>, name: &str) -> String {
    let mut words = vec!["cc".to_owned()];
    words.extend(["-O0", "-w", "-fwrapv", "-fno-builtin"].map(String::from));
    words.extend(sanitizers(test));
    if test.data_model == DataModel::Ilp32 {
        words.extend(["-m32", "-msse2", "-mfpmath=sse"].map(String::from));
    }
    words.extend(test.clang_args.iter().map(|word| quoted(word)));
    words.extend(allocation::options(test, undefined));
    words.extend(["-Wl,-z,muldefs".into(), quoted(name)]);
    let files = test.files.iter().chain(&test.stubs);
    words.extend(files.map(|file| quoted(&file.path)));
    words.push(format!(
        "-lm -o failing && {}./failing; echo $?",
        under(test)
    ));
    words.join(" ")
}

/// A word of a command as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The functions to define as inputs, with their types: those of the test, and
/// others of the environment that the program may call on another path.
fn answers(test: &Test, undefined: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for name in undefined {
        let short = name.strip_prefix("__VERIFIER_nondet_");
        if let Some(ty) = short.and_then(c_type) {
            out.insert(name.clone(), ty.to_owned());
        }
    }
    for input in &test.inputs {
        let environment = input.source == InputSource::Nondet && undefined.contains(&input.call);
        if environment && is_name(&input.call) && is_type(&input.ty) {
            let ty = || input.ty.clone();
            out.entry(input.call.clone()).or_insert_with(ty);
        }
    }
    out
}

/// The library's functions that read what comes from outside, if the program calls one: as
/// attest has them, so that they take their inputs from the test. Those that the program
/// has itself come before.
fn input(undefined: &BTreeSet<String>) -> String {
    if !reads_input(undefined) {
        return String::new();
    }
    let names: Vec<&str> = library::defined_in(library::INPUT).collect();
    let opens = OPENERS.iter().any(|name| undefined.contains(*name));
    let printing = if opens { PRINTING } else { "" };
    let weak = names.into_iter().chain(library::defined_in(printing));
    let mut c: String = weak.map(|name| format!("#pragma weak {name}\n")).collect();
    let left_out = library::INPUT.lines();
    let left_out = left_out.filter_map(|l| l.strip_suffix("(void);")?.strip_prefix("void "));
    for name in left_out.filter(|name| name.starts_with("__attest_unsupported_")) {
        let _ = writeln!(c, "void {name}(void) {{ _Exit({ASSUMPTION}); }}");
    }
    for any in library::ANY {
        let _ = writeln!(c, "{}", answer(any.name, any.ty));
    }
    if !undefined.contains(ASSUME) {
        let _ = writeln!(c, "{}", assume());
    }
    format!("{c}\n{}\n{printing}\n", library::INPUT)
}

/// Whether the program calls a function that reads what comes from outside.
pub(crate) fn reads_input(undefined: &BTreeSet<String>) -> bool {
    library::defined_in(library::INPUT).any(|name| undefined.contains(name))
}

const ASSUME: &str = "__VERIFIER_assume";

fn assume() -> String {
    format!("void {ASSUME}(int cond) {{ if (!cond) _Exit({ASSUMPTION}); }}")
}

/// What those functions allocate with.
pub(crate) const ALLOCATE: [&str; 2] = ["malloc", "realloc"];

/// Functions that make streams.
const OPENERS: [&str; 4] = ["fopen", "fopen64", "fdopen", "tmpfile"];

/// Printing to streams that are none of the machine's: it is lost.
const PRINTING: &str = include_str!("printing.c");

const POINTER: &str = "void *";

/// The environment's memory, and the pointer that a number of the environment stands for.
fn environment() -> String {
    format!(
        "/* The environment's memory: only what is touched is there. */\n\
         static char environment[{SIZE}ul] __attribute__((aligned({ALIGN})));\n\n\
         static void *pointer(unsigned long number) {{\n  \
         if (number + {LAST_PAGE}ul <= {LAST_PAGE}ul) return (void *)number;\n  \
         return environment + (number & {PLACES}ul) * {ALIGN};\n}}\n\n"
    )
}

fn answer(name: &str, ty: &str) -> String {
    let body = match ty {
        "float" => {
            "union { unsigned bits; float value; } u; u.bits = inputs[next()].low; return u.value;"
        }
        "double" => {
            "union { unsigned long long bits; double value; } u; \
             u.bits = inputs[next()].low; return u.value;"
        }
        POINTER => "return pointer(inputs[next()].low);",
        wide if wide.contains("128") => {
            "unsigned long at = next(); \
             return (unsigned __int128)inputs[at].high << 64 | inputs[at].low;"
        }
        _ => "return inputs[next()].low;",
    };
    format!("{ty} {name}() {{ {body} }}")
}

/// The bits of a value of a type, in two words.
fn words(value: &str, ty: &str) -> (u64, u64) {
    let bits = match (InputValue::parse(value), ty) {
        (None, _) => 0,
        (Some(InputValue::Int(n)), "float") => (n as f32).to_bits().into(),
        (Some(InputValue::Int(n)), "double") => (n as f64).to_bits().into(),
        (Some(InputValue::Float(x)), "float") => (x as f32).to_bits().into(),
        (Some(InputValue::Float(x)), "double") => x.to_bits().into(),
        (Some(InputValue::Int(n)), _) => n as u128,
        (Some(InputValue::Float(x)), _) => (x as i128) as u128,
    };
    (bits as u64, (bits >> 64) as u64)
}

fn is_type(ty: &str) -> bool {
    ty.chars()
        .all(|c| c.is_ascii_alphanumeric() || "_ *()".contains(c))
}
