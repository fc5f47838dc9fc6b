//! `attest check`: load, model, search, decide, and say what was found.
//!
//! A bounded search by plain runs comes first, since many errors are shallow.
//! Then the engine looks for a proof or a test, and what it finds is
//! confirmed before it is said ([`crate::decide`]).

use crate::args::{CheckArgs, External};
use crate::decide::{Decision, decide, native};
use crate::exit::{Failure, Status};
use crate::search::{Failing, Search, search};
use crate::survey::Survey;
use crate::{deadline, load, output, words};
use attest_exec::inputs::Taken;
use attest_model::{FnId, Graph, Program};
use std::fmt::Write;

/// Checks a program.
pub fn check(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(seconds) = args.time_limit {
        deadline::start(seconds);
    }
    let source = args.program.source()?;
    let program = load::load(&source)?;
    let survey = Survey::of(&program);
    output::print(describe(&program, &survey));
    if args.external == External::Havoc && !survey.missing.is_empty() {
        output::print("--extern havoc is not built yet: a run stops at a missing function\n");
    }
    let memory = args.exec.limits(0).memory;
    let seed = args.exec.seed.unwrap_or(1);
    let found = search(&program, args.exec.overflow(), memory, seed);
    output::print(tried(&program, &survey, &found));
    let decision = match found.failing {
        Some(failing) => Decision::Unsafe(failing),
        None => decide(args, &source, &program),
    };
    Ok(match decision {
        Decision::Safe(words) => {
            output::print(words.trim_end().to_owned() + "\n");
            deadline::say("safe", Status::Fine)
        }
        Decision::Unsafe(failing) => {
            output::print(failure(&program, args, &failing));
            output::print(native(&source, &program, &failing) + "\n");
            deadline::say("unsafe", Status::Error)
        }
        Decision::Unknown(reason) => deadline::say_unknown(&(reason + &missing(&survey))),
    })
}

/// What the program consists of.
fn describe(program: &Program, survey: &Survey) -> String {
    let graph = Graph::of(program, Default::default());
    let own = |f: &Option<FnId>| f.is_some_and(|f| survey.functions.contains(&f));
    let locations = graph.locations.iter().filter(|l| own(&l.function)).count();
    let mut out = format!(
        "modelled: {}, {}, {}, {} of the error\n",
        words::count(survey.functions.len(), "function"),
        words::count(locations, "location"),
        words::count(survey.inputs, "input"),
        words::count(survey.errors, "call"),
    );
    out.push_str(&survey.gaps(program));
    out
}

/// How the runs of the search ended.
fn tried(program: &Program, survey: &Survey, search: &Search) -> String {
    let ends: Vec<String> = search
        .ends
        .iter()
        .map(|(end, n)| format!("{n} {end}"))
        .collect();
    let runs = words::count(search.runs, "run");
    let mut out = format!("tried: {runs}: {}\n", ends.join(", "));
    // The gaps are named already.
    let left = search.left.as_ref();
    if let Some((bail, at)) = left.filter(|(bail, at)| !survey.is_gap(bail, *at)) {
        let _ = writeln!(
            out,
            "a run left the model: {}; {}",
            words::bail(program, bail, *at),
            words::advice(bail.kind)
        );
    }
    out
}

/// Inputs that are printed one by one.
const MOST_INPUTS: usize = 100;

/// The failing run: inputs, place, and how to see it again.
fn failure(program: &Program, args: &CheckArgs, failing: &Failing) -> String {
    let mut out = String::from("a run of the interpreter fails on these inputs, in order:\n");
    let of_source = |t: &&Taken| words::is_of_source(program, t);
    let shown: Vec<&Taken> = failing.taken.iter().filter(of_source).collect();
    for (i, taken) in shown.iter().take(MOST_INPUTS).enumerate() {
        let _ = writeln!(out, "  {}. {}", i + 1, words::input(program, taken));
    }
    match shown.len() {
        0 => out.push_str("  (none)\n"),
        n if n > MOST_INPUTS => {
            let _ = writeln!(out, "  ... and {} more", n - MOST_INPUTS);
        }
        _ => {}
    }
    out.push_str(&failing.ending);
    let again = args.as_run(&inputs_again(failing));
    let _ = writeln!(out, "to run it again: {again}");
    out
}

/// The option that gives a run its inputs again.
fn inputs_again(failing: &Failing) -> String {
    let listed = failing.taken.iter().filter(|t| words::is_listed(t));
    let listed: Vec<String> = listed.map(words::input_value).collect();
    match failing.seed {
        Some(seed) => format!("--seed={seed}"),
        None if listed.is_empty() => String::new(),
        None => format!("--input={}", listed.join(",")),
    }
}

/// The functions that the program lacks, for the reason of an open verdict.
fn missing(survey: &Survey) -> String {
    let names: Vec<&str> = survey.missing.keys().map(|n| &**n).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("; missing: {}", names.join(", ")),
    }
}
