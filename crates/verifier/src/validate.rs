//! Is a witness of any producer right?
//!
//! A witness about another program, property or data model, or one that is
//! malformed, is rejected as it is read. Else its claims are put into the
//! program's text ([`attest_export::instrument`]) and the engine decides:
//!
//! - correctness: accepted if the program with a check of every invariant is
//!   proved, rejected if a run breaks an invariant or reaches the error;
//! - violation: accepted if a run follows it to the error, and that run fails
//!   in the program as it is; rejected if it is proved that none does.
//!
//! An invariant whose evaluation may itself be undefined (it reads memory, or
//! divides) is evaluated apart from the program's own runs: a proof would else
//! assume away what comes after it.
//!
//! The verdict is that of the program if the witness is accepted, and unknown
//! if not; the words say whether it is rejected or not decided.

use crate::answer::{Answer, Why};
use crate::case::Case;
use crate::confirm::{self, ConfirmedTest};
use crate::error::Error;
use crate::instrumented_load::Put;
use crate::listener::Event;
use crate::property;
use crate::report::Phase;
use crate::search;
use crate::session::Session;
use crate::source::{Source, written_data_model};
use attest_exec::{InputValue, Inputs, Limits};
use attest_export::claims::{DOUBTED, REFUTED};
use attest_export::csource::CSource;
use attest_export::instrument::Files;
use attest_export::witness::{self, About, Content, Problem, Waypoint, What, Witness};
use attest_model::Program;
use std::path::Path;
use std::sync::Arc;

/// Instructions of the run that a witness says outright.
const MOST_STEPS: u64 = 100_000_000;

/// How the check of a witness ended.
pub(crate) enum Finding {
    /// It holds, and so does this.
    Accepted(Answer),
    /// It is wrong, and why.
    Rejected(String),
    /// Neither is known, and why.
    Undecided(String),
}

impl From<Problem> for Finding {
    fn from(problem: Problem) -> Finding {
        match problem {
            Problem::Wrong(why) => Finding::Rejected(why),
            Problem::Unsupported(what) => Finding::Undecided(format!("not supported: {what}")),
        }
    }
}

/// Validates a witness.
pub(crate) fn validate(
    session: &Session,
    source: Source,
    case: impl FnOnce(Source, Program) -> Case,
    file: &Path,
) -> Result<Answer, Error> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|why| Error::input(format!("{name}: the witness cannot be read: {why}")))?;
    let found = match examine(session, source, case, &text)? {
        Ok(found) | Err(found) => found,
    };
    Ok(match found {
        Finding::Accepted(answer) => {
            session.tell(Event::WitnessAccepted);
            answer
        }
        Finding::Rejected(why) => Answer::Unknown(Why::Rejected(why)),
        Finding::Undecided(why) => Answer::Unknown(Why::WitnessUndecided(why)),
    })
}

/// What is found; the inner error is an early end.
fn examine(
    session: &Session,
    source: Source,
    case: impl FnOnce(Source, Program) -> Case,
    text: &str,
) -> Result<Result<Finding, Finding>, Error> {
    let read = witness::read(text).and_then(|w| fits(&w.about, &source).map(|e| (w, e)));
    let (witness, errors) = match read {
        Ok(read) => read,
        Err(problem) => return Ok(Err(problem.into())),
    };
    session.phase(Phase::FrontEnd);
    // A program that does not compile by itself is no fault of the witness.
    let original = crate::load::load(session, &source)?;
    let original = case(source, original);
    let mut sources = Vec::new();
    for file in &original.source.files {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file);
        sources.push((name, CSource::read(&text.unwrap_or_default())));
    }
    let files = Files {
        files: sources
            .iter()
            .map(|(name, source)| (name.clone(), source))
            .collect(),
        errors: &errors,
    };
    let folder = tempfile::tempdir()
        .map_err(|why| Error::input(format!("a temporary folder cannot be made: {why}")))?;
    let put = Put {
        case: &original,
        errors: &errors,
        files: &files,
        folder: folder.path(),
    };
    let made = match &witness.content {
        Content::Correctness(claims) => put.claims(claims.clone())?,
        Content::Violation(segments) => put.segments(segments.clone())?,
    };
    let (changed, program) = match made {
        Ok(made) => made,
        Err(finding) => return Ok(Err(finding)),
    };
    let case = original.changed(changed, program);
    let followed = said(&witness).and_then(|inputs| follow(&case, inputs));
    if let (None, Content::Violation(segments)) = (&followed, &witness.content)
        && let Some(why) = put.impossible(segments)?
    {
        return Ok(Err(Finding::Rejected(why)));
    }
    let answer = match followed {
        Some(failing) => Answer::Unsafe(failing),
        None => decided(&case),
    };
    Ok(Ok(conclude(
        &case,
        &original.program,
        answer,
        &witness.content,
    )))
}

/// Has plain runs and then the engine decide about a program.
pub(crate) fn decided(case: &Case) -> Answer {
    search::search(case, None).answer()
}

/// Whether a witness is about this program and property; the error functions that it means.
fn fits(about: &About, source: &Source) -> Result<Vec<String>, Problem> {
    let wrong = |why: String| Err(Problem::Wrong(why));
    let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    if about.files.len() > source.files.len() {
        return wrong("it is about more files than the program has".into());
    }
    for (name, hash) in &about.files {
        let file = source
            .files
            .iter()
            .find(|f| base(&f.display().to_string()) == base(name));
        let Some(file) = file else {
            return wrong(format!(
                "it is about {name}, which is no file of the program"
            ));
        };
        let own = attest_proof::sha256_of_file(file).unwrap_or_default();
        if hash.len() == 40 {
            let what = "its hash is no SHA-256".to_owned();
            return Err(Problem::Unsupported(what));
        }
        if !own.eq_ignore_ascii_case(hash) {
            return wrong(format!("{name} has another hash"));
        }
    }
    if about.data_model != written_data_model(source) {
        return wrong("it is about another data model".into());
    }
    let property = match property::parse(&about.specification) {
        Ok(property) => property,
        Err(why) => return wrong(format!("its specification: {why}")),
    };
    if property.entry.as_deref().unwrap_or("main") != source.model.entry {
        return wrong("it is about another entry".into());
    }
    if !property.checks.kinds.is_empty() {
        let what = "it is about undefined behaviour; attest validates witnesses about calls of \
                    error functions";
        return Err(Problem::Unsupported(what.into()));
    }
    let errors = property.errors;
    let known = |e: &String| source.model.errors.contains(e);
    match errors.iter().all(known) {
        true => Ok(errors),
        false => wrong("it is about another property".into()),
    }
}

fn conclude(case: &Case, original: &Program, answer: Answer, content: &Content) -> Finding {
    let program = &*case.program;
    let is_violation = matches!(content, Content::Violation(_));
    match (answer, is_violation) {
        (Answer::Safe(proof), false) => Finding::Accepted(Answer::Safe(proof)),
        (Answer::Safe(_), true) => Finding::Rejected("no run that fails follows it".into()),
        (Answer::Unsafe(failing), false) => {
            let (error, place) = (failing.what(), failing.place());
            if error == DOUBTED {
                let why = "a run breaks the invariant at";
                return Finding::Undecided(format!(
                    "{why} {place}, which may be meant for another moment"
                ));
            }
            Finding::Rejected(match error == REFUTED {
                true => format!("a run breaks the invariant at {place}"),
                false => format!("a run of the program fails: {error} is called at {place}"),
            })
        }
        (Answer::Unsafe(failing), true) => {
            let given = Arc::new(in_original(failing.given(), program, original));
            let overflow = case.settings.overflow;
            let run = confirm::run(
                original,
                &given,
                &case.settings.checks,
                overflow,
                Limits::default(),
            );
            match run.failing {
                Some(test) => Finding::Accepted(Answer::Unsafe(test)),
                None => Finding::Undecided(
                    "a run follows it, but the program itself does not fail on its inputs".into(),
                ),
            }
        }
        (Answer::Unknown(why), _) => Finding::Undecided(why.to_string()),
        (Answer::Nothing(why), _) => Finding::Undecided(why),
    }
}

/// The inputs that a violation witness says outright: what calls return, in order.
fn said(witness: &Witness) -> Option<Inputs> {
    let Content::Violation(segments) = &witness.content else {
        return None;
    };
    let returns = segments.iter().flatten();
    let returns = returns.filter(|w| w.what == What::Return && !w.avoid);
    let value = |w: &Waypoint| {
        let text = w.constraint.as_deref()?.split_once("==")?.1;
        let text = text.trim().trim_end_matches([')', ';', ' ']);
        let text = text
            .trim_start_matches('(')
            .trim_end_matches(['U', 'L', 'u', 'l']);
        match text {
            "-2147483647 - 1" => InputValue::parse("-2147483648"),
            "-9223372036854775807LL - 1" => InputValue::parse("-9223372036854775808"),
            text => InputValue::parse(text),
        }
    };
    let nondet: Option<Vec<InputValue>> = returns.map(value).collect();
    Some(Inputs {
        nondet: nondet.filter(|values| !values.is_empty())?,
        ..Inputs::default()
    })
}

/// A run on these inputs, if it reaches the error.
fn follow(case: &Case, inputs: Inputs) -> Option<ConfirmedTest> {
    let limits = Limits {
        steps: MOST_STEPS,
        memory: case.settings.object_memory(),
        ..Limits::default()
    };
    let overflow = case.settings.overflow;
    let checks = &case.settings.checks;
    confirm::run(&case.program, &Arc::new(inputs), checks, overflow, limits).failing
}

/// Inputs of the changed program as the original takes them: objects that are made while it
/// runs have other numbers there.
fn in_original(given: &Inputs, changed: &Program, original: &Program) -> Inputs {
    let (from, to) = (changed.first_dynamic().0, original.first_dynamic().0);
    let mut inputs = given.clone();
    let moved = given.unknown.iter().map(|((object, offset), byte)| {
        let object = match object.checked_sub(from) {
            Some(number) => number + to,
            None => *object,
        };
        ((object, *offset), *byte)
    });
    inputs.unknown = Arc::new(moved.collect());
    inputs
}
