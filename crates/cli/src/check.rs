//! `attest check`: load, model, search, decide, and say what was found.
//!
//! A bounded search by plain runs comes first, since many errors are shallow.
//! Then the engine looks for a proof or a test, and what it finds is
//! confirmed before it is said ([`crate::decide`]).

use crate::args::CheckArgs;
use crate::cache::Cache;
use crate::decide::{Decision, decide};
use crate::exit::{Failure, Status};
use crate::load::Source;
use crate::report::{Phase, Report};
use crate::search::{Failing, Search, search};
use crate::session::{Said, Session, Settings};
use crate::survey::Survey;
use crate::{failure, forms, havoc, load, long, rules, watchdog, words};
use attest_engine::Technique;
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow, Rest};
use attest_llvm::clang::Clang;
use attest_model::{FnId, Graph, Program};
use attest_solver::clock;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// Checks a program.
pub fn check(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(rules) = rules::several(&args.program.spec)? {
        return rules::check_all(args, &rules);
    }
    let completed = havoc::completed(args)?;
    let args = completed.as_ref().unwrap_or(args);
    let source = args.program.source()?;
    if let Some(folder) = &args.tests {
        failure::make_folder(folder)?;
    }
    if args.cpu_limit.is_some() && !clock::count_processor_time() {
        return Err(Failure::usage(
            "the system does not say how much processor time is used; use --time-limit",
        ));
    }
    let session = Session::new(settings(args), Report::new(args, &source));
    watchdog::start(&session);
    let said = match &args.forms.check_witness {
        Some(witness) => forms::validate::validate(&session, args, &source, witness),
        None => work(&session, args, &source),
    };
    match said {
        Ok(said) => Ok(session.end(said)),
        // An interrupt reaches clang too, and then it is no news that clang has failed.
        Err(_) if session.asked().is_some() => Ok(session.end(Said::Unknown(String::new()))),
        Err(failure) => Err(failure),
    }
}

fn settings(args: &CheckArgs) -> Settings {
    let time = |seconds| Duration::try_from_secs_f64(seconds).ok();
    Settings {
        stats: args.stats,
        json: args.json.clone(),
        forms: args.forms.clone(),
        quiet: args.quiet,
        progress: !args.quiet && !args.trace_steps,
        time: args.time_limit.and_then(time),
        cpu: args.cpu_limit.and_then(time),
        memory: args.exec.memory_limit.map(|mb| mb.saturating_mul(1 << 20)),
    }
}

/// Does the check; what is to be said.
pub fn work(session: &Arc<Session>, args: &CheckArgs, source: &Source) -> Result<Said, Failure> {
    session.phase(Phase::FrontEnd);
    let module = load::load_module(source)?;
    if args.json.is_some() {
        let clang = Clang::find().ok();
        session.note(|report| report.versions.clang = clang.map(|clang| clang.version));
    }
    session.phase(Phase::Model);
    let program = load::model(&module, source)?;
    let survey = Survey::of(&program);
    session.note(|report| {
        report.missing_functions = survey.missing.keys().map(|n| n.to_string()).collect();
    });
    session.say(&describe(&program, &survey));
    let rule = source.rule.as_deref().map(load::read_rule).transpose()?;
    if let Some(rule) = &rule {
        let applies = rules::applies(&program, rule);
        session.note(|report| {
            report
                .rule
                .iter_mut()
                .for_each(|r| r.applies = Some(applies))
        });
        if !applies {
            return Ok(Said::Unknown(rules::not_applicable(rule)));
        }
    }
    session.phase(Phase::Search);
    let memory = args.exec.limits(0).memory;
    let seed = args.exec.seed.unwrap_or(1);
    let stop = session.stop_flag();
    let mut cache = Cache::of(args, source);
    let tests = cache.tests();
    let found = match args.without.contains(&Technique::FirstRuns) {
        true => Search::default(),
        false => search(&program, &tests, args.exec.overflow(), memory, seed, &stop),
    };
    session.note(|report| report.statistics.runs_before = found.runs);
    session.say(&tried(&program, &survey, &found));
    let wraps = args.exec.overflow() == Overflow::Wrap;
    let long = || match found.failing.is_none() && wraps {
        true => long::go_on(session, source, &program, &found),
        false => None,
    };
    let long = long();
    let decision = match found.failing.or(long) {
        Some(failing) => Decision::Unsafe(failing),
        None => decide(session, args, source, &program, &found.left, &mut cache),
    };
    let failing = match &decision {
        Decision::Unsafe(failing) => Some(&*failing.given),
        _ => None,
    };
    if let Some(trouble) = cache.keep(failing) {
        session.say(&trouble);
    }
    Ok(match decision {
        Decision::Safe(words) => {
            for line in assumptions(args, &program) {
                session.say(&format!("assumed: {line}\n"));
            }
            session.say(&session.explained());
            session.say(&(words.trim_end().to_owned() + "\n"));
            Said::Safe
        }
        Decision::Unsafe(failing) => {
            session.certain(Said::Unsafe);
            session.note(|report| {
                report.assumptions.clear();
                report.entry_assumptions.clear();
            });
            let story = match failing.native {
                true => String::new(),
                false => forms::tell(session, &program, &failing.given, args.exec.overflow()),
            };
            session.say(&told(&program, args, &failing, &story));
            if !failing.native {
                forms::cover_failing(session, &program, &failing.given, args.exec.overflow());
            }
            let place = program.place(failing.place);
            if let Some(words) = rule.and_then(|rule| rules::message(&rule, place)) {
                session.say(&format!("the rule is violated: {words}\n"));
                session.note(|report| {
                    report
                        .rule
                        .iter_mut()
                        .for_each(|r| r.message = Some(words.clone()));
                });
            }
            if let Some(line) = havoc::assumption(args, &program) {
                session.say(&format!("assumed: {line}\n"));
            }
            session.phase(Phase::Native);
            let folder = args.tests.as_deref();
            match failure::show(session, source, &program, &failing, folder) {
                None => Said::Unsafe,
                // What the machine does counts.
                Some(against) => {
                    session.note(|report| {
                        report.failure = None;
                        report.details.test = None;
                    });
                    Said::Unknown(against)
                }
            }
        }
        Decision::Unknown(reason) => Said::Unknown(reason + &missing(&survey)),
    })
}

/// What a verdict assumes of the program's surroundings, in words.
pub fn assumptions(args: &CheckArgs, program: &Program) -> Vec<String> {
    let mut lines = attest_model::caller::assumptions(program);
    lines.extend(havoc::assumption(args, program));
    lines
}

/// What the program consists of.
fn describe(program: &Program, survey: &Survey) -> String {
    let graph = Graph::of(program, Default::default());
    // The caller of another entry than main is no part of the program.
    let is_caller = |f: &FnId| program.caller.is_some() && *f == program.entry;
    let functions = survey.functions.iter().filter(|f| !is_caller(f)).count();
    let own = |f: &Option<FnId>| f.is_some_and(|f| survey.functions.contains(&f));
    let locations = graph.locations.iter().filter(|l| own(&l.function)).count();
    let mut out = format!(
        "modelled: {}, {}, {}, {} of the error\n",
        words::count(functions, "function"),
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
    if search.runs == 0 {
        return String::new();
    }
    let runs = words::count(search.runs, "run");
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
            words::bail(program, bail, *at),
            words::advice(bail.kind)
        );
    }
    out
}

/// Inputs that are printed one by one.
const MOST_INPUTS: usize = 100;

/// The failing run: inputs, place, and how to see it again.
fn told(program: &Program, args: &CheckArgs, failing: &Failing, story: &str) -> String {
    let who = match failing.native {
        true => "a native run",
        false => "a run of the interpreter",
    };
    let mut out = format!("{who} fails on these inputs, in order:\n");
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
    for line in words::contents(program, &failing.given.unknown) {
        let _ = writeln!(out, "  contents of {line}");
    }
    out.push_str(story);
    out.push_str(&failing.ending);
    if failing.native {
        out.push_str("it is too long for the interpreter; --tests DIR writes it\n");
    } else if repeats(program, args, failing) {
        let again = args.as_run(&inputs_again(program, failing));
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
fn repeats(program: &Program, args: &CheckArgs, failing: &Failing) -> bool {
    let listed = failing.taken.iter().filter(|t| words::is_listed(t));
    let listed = listed.map(|t| InputValue::parse(&words::input_value(program, t)));
    let inputs = match failing.seed {
        Some(seed) => Inputs {
            rest: Rest::Random(seed),
            ..Inputs::default()
        },
        None => Inputs {
            nondet: listed.map(|v| v.unwrap_or(InputValue::Int(0))).collect(),
            unknown: failing.given.unknown.clone(),
            ..Inputs::default()
        },
    };
    let limits = Limits::default();
    let mut run = Interpreter::new(program, Arc::new(inputs), args.exec.overflow(), limits);
    matches!(run.run(), Outcome::Error(_))
}

/// The options that give a run its inputs again.
fn inputs_again(program: &Program, failing: &Failing) -> Vec<String> {
    if let Some(seed) = failing.seed {
        return vec![format!("--seed={seed}")];
    }
    let listed = failing.taken.iter().filter(|t| words::is_listed(t));
    let listed: Vec<String> = listed.map(|t| words::input_value(program, t)).collect();
    // Where the caller stores a pointer, what was there before does not matter.
    let first = program.first_dynamic().0;
    let size = u64::from(program.pointer_bits / 8);
    let matters = |object: u32, at: u64| match (&program.caller, object.checked_sub(first)) {
        (Some(caller), Some(number)) => !caller.is_in_pointer(number as usize, at, size),
        _ => true,
    };
    let bytes = failing
        .given
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

/// The functions that the program lacks, for the reason of an open verdict.
fn missing(survey: &Survey) -> String {
    let names: Vec<&str> = survey.missing.keys().map(|n| &**n).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("; missing: {}", names.join(", ")),
    }
}
