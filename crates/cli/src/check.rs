//! `attest check`: as far as a check goes today.
//!
//! The program is loaded, modelled and described, and a bounded search runs
//! it. There is no proof engine yet, and a failing run is not replayed
//! natively yet, so the verdict is `unknown` in both cases and says why.

use crate::args::{CheckArgs, External};
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
    let program = load::load(&args.program.source()?)?;
    let survey = Survey::of(&program);
    output::print(describe(&program, &survey));
    if args.external == External::Havoc && !survey.missing.is_empty() {
        output::print("--extern havoc is not built yet: a run stops at a missing function\n");
    }
    let memory = args.exec.limits(0).memory;
    let seed = args.exec.seed.unwrap_or(1);
    let found = search(&program, args.exec.overflow(), memory, seed);
    output::print(tried(&program, &survey, &found));
    if let Some(failing) = &found.failing {
        output::print(failure(&program, args, failing));
    }
    Ok(deadline::say_unknown(&reason(&program, &survey, &found)))
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

/// Why there is no verdict.
fn reason(program: &Program, survey: &Survey, search: &Search) -> String {
    if let Some(failing) = &search.failing {
        return format!(
            "a run of the interpreter reaches {} at {}, but native replay is not built yet \
             and an unsafe verdict needs it",
            failing.error,
            words::place(program, failing.place)
        );
    }
    let missing: Vec<&str> = survey.missing.keys().map(|n| &**n).collect();
    let missing = match missing.as_slice() {
        [] => String::new(),
        names => format!("; missing: {}", names.join(", ")),
    };
    format!(
        "the proof engine is not built yet; {} reached no error{missing}",
        words::count(search.runs, "run")
    )
}
