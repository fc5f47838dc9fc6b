//! A check from the files to the answer.
//!
//! A bounded search by plain runs comes first, since many errors are shallow. Then engines
//! look for a proof or a test ([`crate::portfolio`]), and what they find is confirmed before
//! it is answered ([`crate::confirm`]).

use crate::answer::{Answer, Why};
use crate::cache::Cache;
use crate::case::Case;
use crate::confirm::ConfirmedTest;
use crate::error::Error;
use crate::havoc::{self, Havoc};
use crate::listener::{Event, Fails, Listener};
use crate::plain_runs::{self, PlainRuns, Plan};
use crate::report::{Checked, Phase, text};
use crate::session::Session;
use crate::settings::{Settings, Technique};
use crate::source::Source;
use crate::supervise::supervise;
use crate::survey::Survey;
use crate::{evidence, explain, files, load, native_search, portfolio, rules, validate as witness};
use attest_exec::Overflow;
use std::path::Path;
use std::sync::Arc;

/// Checks a program: whether a run of it violates its property.
///
/// The listener is told what happens on the calling thread. An answer comes within the
/// limits of the settings and a short grace; an error is about the program's files.
pub fn check(
    source: &Source,
    settings: &Settings,
    listener: &mut dyn Listener,
) -> Result<Checked, Error> {
    inspect(source)?;
    supervise(source, settings, listener, |session, source, settings| {
        decide(&session, source, &Arc::new(settings))
    })
}

/// Validates a witness of any producer, in YAML 2.0 or GraphML 1.0. The answer is that of
/// the program if the witness is right, and unknown if not.
pub fn validate(
    source: &Source,
    settings: &Settings,
    witness: &Path,
    listener: &mut dyn Listener,
) -> Result<Checked, Error> {
    inspect(source)?;
    let file = witness.to_owned();
    supervise(
        source,
        settings,
        listener,
        move |session, mut source, settings| {
            let havoc = complete(&session, &mut source, &settings)?;
            let case = |source, program| Case {
                session: session.clone(),
                settings: Arc::new(settings),
                source: Arc::new(source),
                program: Arc::new(program),
                havoc,
                rule: None,
                is_changed: false,
            };
            witness::validate(&session, source, case, &file)
        },
    )
}

/// Looks at the files of a program before anything is done with them.
fn inspect(source: &Source) -> Result<(), Error> {
    let mut files = source.files.iter().chain(&source.stubs);
    files.try_for_each(|file| files::inspect(file))
}

/// Adds bodies for functions without one, if that is asked for.
fn complete(
    session: &Session,
    source: &mut Source,
    settings: &Settings,
) -> Result<Option<Arc<Havoc>>, Error> {
    let havoc = havoc::complete(session, source, settings)?;
    let stubs = source.stubs.iter().map(|file| text(file)).collect();
    session.note(|report| report.stubs = stubs);
    Ok(havoc.map(Arc::new))
}

/// Does a check.
fn decide(
    session: &Arc<Session>,
    mut source: Source,
    settings: &Arc<Settings>,
) -> Result<Answer, Error> {
    session.phase(Phase::FrontEnd);
    let havoc = complete(session, &mut source, settings)?;
    let module = load::module(session, &source)?;
    session.phase(Phase::Model);
    let program = attest_frontend::model(&module, &source)?;
    drop(module);
    let survey = Arc::new(Survey::of(&program));
    let missing: Vec<String> = survey.missing.keys().map(|name| name.to_string()).collect();
    session.note(|report| report.missing_functions.clone_from(&missing));
    let rule = source.rule.as_deref().map(rules::read).transpose()?;
    let case = Case {
        session: session.clone(),
        settings: settings.clone(),
        source: Arc::new(source),
        program: Arc::new(program),
        havoc,
        rule,
        is_changed: false,
    };
    session.tell(Event::Modelled {
        program: case.program.clone(),
        survey: survey.clone(),
    });
    if let Some(rule) = &case.rule {
        let applies = rules::applies(&case.program, rule);
        session.note(|report| {
            let known = report.rule.iter_mut();
            known.for_each(|r| r.applies = Some(applies));
        });
        if !applies {
            return Ok(Answer::Unknown(Why::NotApplicable(rules::not_applicable(
                rule,
            ))));
        }
    }
    Ok(match search(&case, &survey) {
        Answer::Unsafe(test) => fails(&case, test),
        Answer::Unknown(why) => Answer::Unknown(why.with_missing(missing)),
        safe => safe,
    })
}

/// Searches for a failing run or a proof, with what earlier checks learnt.
fn search(case: &Case, survey: &Arc<Survey>) -> Answer {
    let session = &*case.session;
    session.phase(Phase::Search);
    let mut cache = Cache::of(&case.settings, &case.source);
    let plain = plain_runs(case, &cache);
    session.note(|report| report.statistics.runs_before = plain.tried.runs);
    session.tell(Event::Tried {
        program: case.program.clone(),
        survey: survey.clone(),
        tried: plain.tried.clone(),
    });
    let wraps = case.settings.overflow == Overflow::Wrap;
    let long = match plain.failing.is_none() && wraps {
        true => native_search::search(case, &plain),
        false => None,
    };
    let answer = match plain.failing.or(long) {
        Some(test) => Answer::Unsafe(test),
        None => portfolio::decide(case, &plain.tried.left, &mut cache),
    };
    let failing = match &answer {
        Answer::Unsafe(test) => Some(&**test.given()),
        _ => None,
    };
    if let Some(trouble) = cache.keep(failing) {
        session.tell(Event::NotKept(trouble));
    }
    answer
}

/// Runs the program on a few inputs.
fn plain_runs(case: &Case, cache: &Cache) -> PlainRuns {
    if !case.settings.uses(Technique::FirstRuns) {
        return PlainRuns::default();
    }
    let plan = Plan {
        earlier: &cache.tests(),
        overflow: case.settings.overflow,
        memory: case.settings.object_memory(),
        seed: case.settings.seed,
        stop: &case.session.stop_flag(),
    };
    plain_runs::search(&case.program, &plan)
}

/// Tells a failing run with its evidence.
fn fails(case: &Case, test: ConfirmedTest) -> Answer {
    let session = &*case.session;
    case.is_certain(&Answer::Unsafe(test.clone()));
    session.note(|report| {
        report.assumptions.clear();
        report.entry_assumptions.clear();
    });
    let (story, lines) = match test.is_native() {
        true => Default::default(),
        false => explain::tell(case, &test),
    };
    let place = case.program.place(test.at());
    let rule = case.rule.as_ref();
    let violated = rule.and_then(|rule| rules::message(rule, place));
    session.note(|report| {
        let known = report.rule.iter_mut();
        known.for_each(|r| r.message.clone_from(&violated));
    });
    session.tell(Event::Fails(Arc::new(Fails {
        program: case.program.clone(),
        source: case.source.clone(),
        test: test.clone(),
        story,
        violated,
        assumed: case.havocked(),
    })));
    if !test.is_native() {
        explain::cover_failing(case, &test);
    }
    session.phase(Phase::Native);
    evidence::natively(case, test, &lines)
}
