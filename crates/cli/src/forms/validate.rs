//! `attest check --check-witness`: is a witness of any producer right?
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

use crate::args::CheckArgs;
use crate::cache::Cache;
use crate::decide::{Decision, decide};
use crate::exit::Failure;
use crate::forms::put::Put;
use crate::load::{self, Source};
use crate::property;
use crate::report::Phase;
use crate::search::{Failing, search};
use crate::session::{Said, Session};
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow};
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
pub enum Finding {
    /// It holds, and so does this.
    Accepted(Said),
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
pub fn validate(
    session: &Arc<Session>,
    args: &CheckArgs,
    source: &Source,
    file: &Path,
) -> Result<Said, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|why| Failure::input(format!("{name}: the witness cannot be read: {why}")))?;
    let found = match examine(session, args, source, &text)? {
        Ok(found) | Err(found) => found,
    };
    Ok(match found {
        Finding::Accepted(said) => {
            session.say(&format!("{name}: the witness is accepted\n"));
            said
        }
        Finding::Rejected(why) => Said::Unknown(format!("the witness is rejected: {why}")),
        Finding::Undecided(why) => Said::Unknown(format!("the witness is not decided: {why}")),
    })
}

/// What is found; the inner error is an early end.
fn examine(
    session: &Arc<Session>,
    args: &CheckArgs,
    source: &Source,
    text: &str,
) -> Result<Result<Finding, Finding>, Failure> {
    let read = witness::read(text).and_then(|w| fits(&w.about, source).map(|e| (w, e)));
    let (witness, errors) = match read {
        Ok(read) => read,
        Err(problem) => return Ok(Err(problem.into())),
    };
    session.phase(Phase::FrontEnd);
    // A program that does not compile by itself is no fault of the witness.
    let original = load::load(source)?;
    let mut sources = Vec::new();
    for file in &source.files {
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
        .map_err(|why| Failure::input(format!("a temporary folder cannot be made: {why}")))?;
    let put = Put {
        source,
        errors: &errors,
        files: &files,
        folder: folder.path(),
    };
    let made = match &witness.content {
        Content::Correctness(claims) => {
            let overflow = args.exec.overflow();
            put.claims(session, claims.clone(), &original, overflow)?
        }
        Content::Violation(segments) => put.segments(segments.clone())?,
    };
    let (changed, program) = match made {
        Ok(made) => made,
        Err(finding) => return Ok(Err(finding)),
    };
    let followed = said(&witness).and_then(|inputs| {
        let memory = args.exec.limits(0).memory;
        follow(&program, inputs, args.exec.overflow(), memory)
    });
    if let (None, Content::Violation(segments)) = (&followed, &witness.content)
        && let Some(why) = put.impossible(session, args, segments)?
    {
        return Ok(Err(Finding::Rejected(why)));
    }
    let decision = match followed {
        Some(failing) => Decision::Unsafe(failing),
        None => decided(session, args, &changed, &program),
    };
    Ok(Ok(conclude(
        args,
        (&original, &program),
        decision,
        &witness.content,
    )))
}

/// Has plain runs and then the engine decide about a program.
pub fn decided(
    session: &Arc<Session>,
    args: &CheckArgs,
    source: &Source,
    program: &Program,
) -> Decision {
    session.phase(Phase::Search);
    let overflow = args.exec.overflow();
    let memory = args.exec.limits(0).memory;
    let seed = args.exec.seed.unwrap_or(1);
    let found = search(program, &[], overflow, memory, seed, &session.stop_flag());
    match found.failing {
        Some(failing) => Decision::Unsafe(failing),
        None => decide(
            session,
            args,
            source,
            program,
            &found.left,
            &mut Cache::off(),
        ),
    }
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
    if about.data_model != crate::failure::data_model(source) {
        return wrong("it is about another data model".into());
    }
    let property = match property::parse(&about.specification) {
        Ok(property) => property,
        Err(why) => return wrong(format!("its specification: {why}")),
    };
    if property.entry.as_deref().unwrap_or("main") != source.model.entry {
        return wrong("it is about another entry".into());
    }
    let errors = property.errors;
    let known = |e: &String| source.model.errors.contains(e);
    match errors.iter().all(known) {
        true => Ok(errors),
        false => wrong("it is about another property".into()),
    }
}

fn conclude(
    args: &CheckArgs,
    (original, program): (&Program, &Program),
    decision: Decision,
    content: &Content,
) -> Finding {
    let overflow = args.exec.overflow();
    let is_violation = matches!(content, Content::Violation(_));
    match (decision, is_violation) {
        (Decision::Safe(_), false) => Finding::Accepted(Said::Safe),
        (Decision::Safe(_), true) => Finding::Rejected("no run that fails follows it".into()),
        (Decision::Unsafe(failing), false) => {
            let place = program.place(failing.place);
            if &*failing.error == DOUBTED {
                let why = "a run breaks the invariant at";
                return Finding::Undecided(format!(
                    "{why} {place}, which may be meant for another moment"
                ));
            }
            Finding::Rejected(match &*failing.error == REFUTED {
                true => format!("a run breaks the invariant at {place}"),
                false => format!(
                    "a run of the program fails: {} is called at {place}",
                    failing.error
                ),
            })
        }
        (Decision::Unsafe(failing), true) => {
            let given = Arc::new(in_original(&failing.given, program, original));
            let mut run = Interpreter::new(original, given, overflow, Limits::default());
            match run.run() {
                Outcome::Error(_) => Finding::Accepted(Said::Unsafe),
                _ => Finding::Undecided(
                    "a run follows it, but the program itself does not fail on its inputs".into(),
                ),
            }
        }
        (Decision::Unknown(why), _) => Finding::Undecided(why),
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
fn follow(program: &Program, inputs: Inputs, overflow: Overflow, memory: u64) -> Option<Failing> {
    let limits = Limits {
        steps: MOST_STEPS,
        memory,
        ..Limits::default()
    };
    let given = Arc::new(inputs);
    let mut run = Interpreter::new(program, given.clone(), overflow, limits);
    match run.run() {
        Outcome::Error(error) => Some(Failing {
            error,
            place: run.place(),
            ending: String::new(),
            taken: run.machine.taken.clone(),
            given,
            seed: None,
            native: false,
        }),
        _ => None,
    }
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
