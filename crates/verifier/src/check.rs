//! A check from the files to the answer.
//!
//! A bounded search by plain runs comes first, since many errors are shallow. Then engines
//! look for a proof or a test ([`crate::portfolio`]), and what they find is confirmed before
//! it is answered ([`crate::confirm`]).

use crate::answer::Answer;
use crate::case::Case;
use crate::error::Error;
use crate::havoc::Havoc;
use crate::listener::{Event, Listener};
use crate::report::{Checked, Phase, text};
use crate::session::Session;
use crate::settings::Settings;
use crate::source::Source;
use crate::supervise::supervise;
use crate::survey::Survey;
use crate::{files, havoc, load, rules, search, silence, validate as witness};
use attest_model::{BailKind, Checks, Class, Leaks, Program};
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
            // Witnesses are about error functions only.
            let settings = Settings {
                checks: Checks::of(&[Class::Assert]),
                first: true,
                notices: false,
                ..settings
            };
            let case = |source, program| Case {
                session: session.clone(),
                settings: Arc::new(settings),
                source: Arc::new(source),
                program: Arc::new(program),
                havoc,
                rule: None,
                is_changed: false,
                silenced: Arc::default(),
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

/// Where memory that is not freed is looked for. What nothing points to is lost in every
/// continuation, so it is looked for wherever a run can end; what is still pointed to only
/// where the program ends in good order, but SV-COMP's valid-memcleanup asks for it wherever it
/// ends.
fn leaks(settings: &Settings) -> Leaks {
    let asks = |kind| settings.checks.has(Some(kind));
    match (asks(BailKind::Leak), asks(BailKind::NotFreed)) {
        (false, false) => Leaks::Off,
        (true, false) => Leaks::Everywhere,
        (_, true) if settings.notices => Leaks::Ends,
        (_, true) => Leaks::AllEnds,
    }
}

/// What a verdict assumes that few expect: of the arguments of `main`, and what stubs say.
fn assumptions(program: &Program) -> Vec<String> {
    let of_entry = attest_model::caller::assumptions(program);
    let arguments = of_entry.iter().any(|line| line.contains("argc is 1"));
    let of_stubs = program.assuming.iter().map(ToString::to_string);
    let argc = arguments.then(|| "argc is 1".to_owned());
    argc.into_iter().chain(of_stubs).collect()
}

/// Does a check.
fn decide(
    session: &Arc<Session>,
    mut source: Source,
    settings: &Arc<Settings>,
) -> Result<Answer, Error> {
    session.phase(Phase::FrontEnd);
    source.model.leaks = leaks(settings);
    // Properties of SV-COMP have no class of divisions: such a quotient overflows.
    let asks = |kind| settings.checks.has(Some(kind));
    source.model.quotients =
        !settings.notices && asks(BailKind::Overflow) && !asks(BailKind::Division);
    source.model.uninitialised = settings.checks.has(Some(BailKind::Uninitialised));
    let havoc = complete(session, &mut source, settings)?;
    let module = load::module(session, &source)?;
    session.phase(Phase::Model);
    let program = attest_frontend::model(&module, &source)?;
    drop(module);
    let survey = Arc::new(Survey::of(&program));
    let missing: Vec<String> = survey.missing.keys().map(|name| name.to_string()).collect();
    session.note(|report| {
        report.missing_functions.clone_from(&missing);
    });
    let rule = source.rule.as_deref().map(rules::read).transpose()?;
    let (silenced, count) = silence::silenced(&program, &settings.silenced)?;
    let assuming = assumptions(&program);
    session.note(|report| {
        report.silenced = count;
        report.assuming = assuming;
    });
    let case = Case {
        session: session.clone(),
        settings: settings.clone(),
        source: Arc::new(source),
        program: Arc::new(program),
        havoc,
        rule,
        is_changed: false,
        silenced: Arc::new(silenced),
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
            return Ok(Answer::Nothing(rules::not_applicable(rule)));
        }
    }
    let findings = search::search(&case, Some(&survey));
    findings.note(&case);
    Ok(match findings.answer() {
        Answer::Unknown(why) => Answer::Unknown(why.with_missing(missing)),
        answer => answer,
    })
}
