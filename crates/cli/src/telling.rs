//! The words of `attest check`: what it prints of the events of a check.

use crate::args::CheckArgs;
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Rest};
use attest_model::{FnId, Graph, Program};
use attest_verifier::{ConfirmedTest, Fails, Survey, Tried, messages};
use std::fmt::Write;
use std::sync::Arc;

/// What the program consists of.
pub fn describe(program: &Program, survey: &Survey) -> String {
    let graph = Graph::of(program, Default::default());
    // The caller of another entry than main is no part of the program.
    let is_caller = |f: &FnId| program.caller.is_some() && *f == program.entry;
    let functions = survey.functions.iter().filter(|f| !is_caller(f)).count();
    let own = |f: &Option<FnId>| f.is_some_and(|f| survey.functions.contains(&f));
    let locations = graph.locations.iter().filter(|l| own(&l.function)).count();
    let mut out = format!(
        "modelled: {}, {}, {}, {} of the error\n",
        messages::count(functions, "function"),
        messages::count(locations, "location"),
        messages::count(survey.inputs, "input"),
        messages::count(survey.errors, "call"),
    );
    out.push_str(&survey.gaps(program));
    out
}

/// How the runs of the search ended.
pub fn tried(program: &Program, survey: &Survey, search: &Tried) -> String {
    let ends: Vec<String> = search
        .ends
        .iter()
        .map(|(end, n)| format!("{n} {end}"))
        .collect();
    if search.runs == 0 {
        return String::new();
    }
    let runs = messages::count(search.runs, "run");
    let mut out = format!("tried: {runs}: {}\n", ends.join(", "));
    // The gaps are named already.
    let left = search.left.iter();
    for (bail, at) in left.filter(|(bail, at)| !survey.is_gap(bail, *at)) {
        let how = match bail.kind.traps() {
            true => "a run ended by",
            false => "a run left the model:",
        };
        let _ = writeln!(
            out,
            "{how} {}; {}",
            messages::bail(program, bail, *at),
            messages::advice(bail.kind)
        );
    }
    out
}

/// Inputs that are printed one by one.
const MOST_INPUTS: usize = 100;

/// The failing run: inputs, place, and how to see it again.
pub fn fails(args: &CheckArgs, fails: &Fails) -> String {
    let (program, test) = (&*fails.program, &fails.test);
    let who = match test.is_native() {
        true => "a native run",
        false => "a run of the interpreter",
    };
    let mut out = format!("{who} fails on these inputs, in order:\n");
    let of_source = |t: &&Taken| messages::is_of_source(program, t);
    let shown: Vec<&Taken> = test.taken().iter().filter(of_source).collect();
    for (i, taken) in shown.iter().take(MOST_INPUTS).enumerate() {
        let _ = writeln!(out, "  {}. {}", i + 1, messages::input(program, taken));
    }
    match shown.len() {
        0 => out.push_str("  (none)\n"),
        n if n > MOST_INPUTS => {
            let _ = writeln!(out, "  ... and {} more", n - MOST_INPUTS);
        }
        _ => {}
    }
    for line in messages::contents(program, &test.given().unknown) {
        let _ = writeln!(out, "  contents of {line}");
    }
    out.push_str(&fails.story);
    out.push_str(test.ending());
    if test.is_native() {
        out.push_str("it is too long for the interpreter; --tests DIR writes it\n");
    } else if repeats(program, args, test) {
        let again = args.as_run(&fails.source.stubs, &inputs_again(program, test));
        let _ = writeln!(out, "to run it again: {again}");
    } else {
        out.push_str(
            "no list of inputs repeats it: it depends on variables before their first \
             assignment; --tests DIR writes them\n",
        );
    }
    out
}

/// Whether `attest run` fails on what it can be given.
fn repeats(program: &Program, args: &CheckArgs, test: &ConfirmedTest) -> bool {
    let listed = test.taken().iter().filter(|t| messages::is_listed(t));
    let listed = listed.map(|t| InputValue::parse(&messages::input_value(program, t)));
    let inputs = match test.seed() {
        Some(seed) => Inputs {
            rest: Rest::Random(seed),
            ..Inputs::default()
        },
        None => Inputs {
            nondet: listed.map(|v| v.unwrap_or(InputValue::Int(0))).collect(),
            unknown: test.given().unknown.clone(),
            ..Inputs::default()
        },
    };
    let limits = Limits::default();
    let mut run = Interpreter::new(program, Arc::new(inputs), args.exec.overflow(), limits);
    matches!(run.run(), Outcome::Error(_))
}

/// The options that give a run its inputs again.
fn inputs_again(program: &Program, test: &ConfirmedTest) -> Vec<String> {
    if let Some(seed) = test.seed() {
        return vec![format!("--seed={seed}")];
    }
    let listed = test.taken().iter().filter(|t| messages::is_listed(t));
    let listed: Vec<String> = listed.map(|t| messages::input_value(program, t)).collect();
    // Where the caller stores a pointer, what was there before does not matter.
    let first = program.first_dynamic().0;
    let size = u64::from(program.pointer_bits / 8);
    let matters = |object: u32, at: u64| match (&program.caller, object.checked_sub(first)) {
        (Some(caller), Some(number)) => !caller.is_in_pointer(number as usize, at, size),
        _ => true,
    };
    let bytes = test
        .given()
        .unknown
        .iter()
        .filter(|((o, at), _)| matters(*o, *at));
    let bytes: Vec<String> = bytes
        .map(|((object, offset), byte)| format!("{object}:{offset}={byte}"))
        .collect();
    let mut out = Vec::new();
    out.extend((!listed.is_empty()).then(|| format!("--input={}", listed.join(","))));
    out.extend((!bytes.is_empty()).then(|| format!("--contents={}", bytes.join(","))));
    out
}
