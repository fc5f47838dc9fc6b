//! The words of `attest check`: what it prints of the events of a check.

use crate::args::CheckArgs;
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow, Rest};
use attest_model::{BailKind, FnId, Graph, Program};
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
        let how = match bail.kind.class() {
            Some(_) => "a run ended by",
            None => "a run met",
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

/// A violation in the form of a compiler's message, with the line of the source and a caret.
fn headline(fails: &Fails) -> String {
    let test = &fails.test;
    let how = match fails.is_asked {
        true => "error",
        false => "warning",
    };
    let what = match test.check().kind {
        None => format!("{} is called", test.what()),
        Some(_) => test.what().to_owned(),
    };
    let mut out = format!("{}: {how}: {what} [{}]\n", test.place(), test.word());
    let mut parts = test.place().rsplitn(3, ':');
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<usize>().ok());
    let (column, line) = (number(parts.next()), number(parts.next()));
    let text = parts
        .next()
        .and_then(|file| std::fs::read_to_string(file).ok());
    let (Some(column), Some(line), Some(text)) = (column, line, text) else {
        return out;
    };
    if let Some(line) = line.checked_sub(1).and_then(|at| text.lines().nth(at)) {
        let before: String = line.chars().take(column.saturating_sub(1)).collect();
        let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
        let blanks: String = before.chars().map(blank).collect();
        let _ = writeln!(out, "  {line}\n  {blanks}^");
    }
    out
}

/// The failing run: inputs, place, and how to see it again.
pub fn fails(args: &CheckArgs, fails: &Fails) -> String {
    let (program, test) = (&*fails.program, &fails.test);
    let mut out = headline(fails);
    let who = match test.is_native() {
        true => "a native run",
        false => "a run of the interpreter",
    };
    let _ = writeln!(out, "{who} fails on these inputs, in order:");
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
        let overflow = overflow_of(args, test);
        let again = args.as_run(&fails.source.stubs, &inputs_again(program, test), overflow);
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
    let mut run = Interpreter::new(program, Arc::new(inputs), overflow_of(args, test), limits);
    match run.run() {
        Outcome::Error(_) => test.check().kind.is_none(),
        Outcome::Bailed(bail) => test.check().kind == Some(bail.kind),
        _ => false,
    }
}

/// What signed overflow does in the run that is to be repeated.
fn overflow_of(args: &CheckArgs, test: &ConfirmedTest) -> Overflow {
    match test.check().kind {
        Some(BailKind::Overflow) => Overflow::Check,
        _ => match args.exec.overflow() {
            Overflow::Assume => Overflow::Assume,
            _ => Overflow::Wrap,
        },
    }
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
