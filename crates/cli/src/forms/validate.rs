//! `attest check --check-witness`: is a witness of any producer right?
//!
//! A witness about another program, property or data model, or one that is
//! malformed, is rejected as it is read. Else its claims are put into the
//! program's text ([`attest_forms::instrument`]) and the engine decides:
//!
//! - correctness: accepted if the program with a check of every invariant is
//!   proved, rejected if a run breaks an invariant or reaches the error;
//! - violation: accepted if a run follows it to the error, and that run fails
//!   in the program as it is; rejected if it is proved that none does.
//!
//! An invariant whose evaluation may itself be undefined (it reads memory, or
//! divides) is not decided: a proof would assume it away.
//!
//! The verdict is that of the program if the witness is accepted, and unknown
//! if not; the words say whether it is rejected or not decided.

use crate::args::CheckArgs;
use crate::cache::Cache;
use crate::decide::{Decision, decide};
use crate::exit::Failure;
use crate::load::{self, LoadError, Source};
use crate::property;
use crate::report::Phase;
use crate::search::{Failing, search};
use crate::session::{Said, Session};
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_forms::csource::CSource;
use attest_forms::instrument::{FOLLOWED, Files, REFUTED};
use attest_forms::witness::{self, About, Content, Problem, Waypoint, What, Witness};
use attest_model::{BailKind, Inst, Program, Terminator};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Instructions of the run that a witness says outright.
const MOST_STEPS: u64 = 100_000_000;

/// How the check of a witness ended.
enum Finding {
    Accepted(Said),
    Rejected(String),
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
    let mut witness = witness;
    let (changed, program) = loop {
        let texts = match &witness.content {
            Content::Correctness(claims) => files.with_invariants(claims),
            Content::Violation(segments) => files.with_waypoints(segments),
        };
        let texts = match texts {
            Ok(texts) => texts,
            Err(problem) => return Ok(Err(problem.into())),
        };
        let changed = instrumented(source, &witness, &errors, &texts, folder.path())
            .map_err(|why| Failure::input(format!("a file cannot be written: {why}")))?;
        match load::load(&changed) {
            Ok(program) => break (changed, program),
            // GraphML has facts about variables that are not yet there.
            Err(LoadError::Clang(_)) if without_facts(&mut witness) => {}
            Err(LoadError::Clang(why)) => {
                let why = why.to_string();
                let line = why.lines().find(|l| l.contains("error:")).unwrap_or(&why);
                let why = format!("an expression of it does not compile: {line}");
                return Ok(Err(Finding::Rejected(why)));
            }
            Err(other) => return Err(other.into()),
        }
    };
    if let (Content::Correctness(_), Some(what)) = (
        &witness.content,
        new_effect(&original, &program, args.exec.overflow()),
    ) {
        let why =
            format!("to evaluate an invariant of it may be undefined or have an effect ({what})");
        return Ok(Err(Finding::Undecided(why)));
    }
    let (programs, sources) = ((&original, &program), &changed);
    Ok(Ok(conclude(session, args, programs, sources, &witness)))
}

/// Leaves out what GraphML says after statements; whether there was any.
fn without_facts(witness: &mut Witness) -> bool {
    let Content::Violation(segments) = &mut witness.content else {
        return false;
    };
    let before = segments.len();
    segments.retain(|s| s.iter().all(|w| w.what != What::Afterwards));
    segments.len() < before
}

/// What the program does more often with the claims in its text than without. An expression
/// whose value C leaves undefined would otherwise be assumed to be fine, and what comes after
/// it never to happen; and a name may be a macro that does something.
fn new_effect(original: &Program, changed: &Program, overflow: Overflow) -> Option<String> {
    let count = |program: &Program| {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for block in program.functions.iter().flat_map(|f| &f.blocks) {
            for inst in &block.insts {
                for kind in inst.bail_kinds() {
                    let wraps = *kind == BailKind::Overflow && overflow == Overflow::Wrap;
                    if !wraps && !divides_by_number(inst) {
                        *counts.entry(kind.word()).or_default() += 1;
                    }
                }
                let what = match inst {
                    Inst::Call(_) => "call",
                    Inst::Input { .. } => "input",
                    Inst::Assume { .. } => "assumption",
                    Inst::SetGlobal { .. } | Inst::Store { .. } => "assignment",
                    Inst::Alloc { .. } | Inst::Print { .. } | Inst::Free { .. } => "library",
                    _ => continue,
                };
                *counts.entry(what).or_default() += 1;
            }
            match block.end {
                Terminator::Halt(..) => *counts.entry("end of the program").or_default() += 1,
                Terminator::Bail(_) => *counts.entry("way out of the model").or_default() += 1,
                _ => {}
            }
        }
        counts
    };
    let before = count(original);
    let mut after = count(changed).into_iter();
    let more = after.find(|(what, n)| *n > before.get(what).copied().unwrap_or_default());
    more.map(|(what, _)| what.to_owned())
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

/// The program with the claims of the witness in its text.
fn instrumented(
    source: &Source,
    witness: &Witness,
    errors: &[String],
    texts: &[Option<String>],
    folder: &Path,
) -> std::io::Result<Source> {
    let mut changed = source.clone();
    for (i, (file, text)) in source.files.iter().zip(texts).enumerate() {
        let Some(text) = text else { continue };
        let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("c");
        let path: PathBuf = folder.join(format!("{i}.{extension}"));
        std::fs::write(&path, text)?;
        changed.files[i] = path;
        // Headers beside the file are still found.
        let beside = file.parent().filter(|p| !p.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new("."));
        changed.clang_args.push(format!("-I{}", beside.display()));
    }
    match &witness.content {
        Content::Correctness(_) => {
            // The verdict is about all that was asked for, whatever the witness is about.
            changed.model.errors.push(REFUTED.into());
        }
        Content::Violation(_) => {
            changed.model.errors = vec![FOLLOWED.into()];
            // The error itself just ends a run that does not follow the witness.
            let stub = folder.join("errors.c");
            let mut text = String::from("extern void abort(void);\n");
            for error in errors.iter().filter(|e| !e.contains("assert")) {
                text.push_str(&format!("void {error}(void) {{ abort(); }}\n"));
            }
            std::fs::write(&stub, text)?;
            changed.stubs.push(stub);
        }
    }
    Ok(changed)
}

fn conclude(
    session: &Arc<Session>,
    args: &CheckArgs,
    (original, program): (&Program, &Program),
    changed: &Source,
    witness: &Witness,
) -> Finding {
    session.phase(Phase::Search);
    let overflow = args.exec.overflow();
    let memory = args.exec.limits(0).memory;
    let seed = args.exec.seed.unwrap_or(1);
    let outright = said(witness).and_then(|inputs| follow(program, inputs, overflow, memory));
    let decision = match outright {
        Some(failing) => Decision::Unsafe(failing),
        None => {
            let found = search(program, &[], overflow, memory, seed, &session.stop_flag());
            match found.failing {
                Some(failing) => Decision::Unsafe(failing),
                None => decide(
                    session,
                    args,
                    changed,
                    program,
                    &found.left,
                    &mut Cache::off(),
                ),
            }
        }
    };
    let is_violation = matches!(witness.content, Content::Violation(_));
    match (decision, is_violation) {
        (Decision::Safe(_), false) => Finding::Accepted(Said::Safe),
        (Decision::Safe(_), true) => Finding::Rejected("no run that fails follows it".into()),
        (Decision::Unsafe(failing), false) => {
            let place = program.place(failing.place);
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

/// A division by a number that every quotient exists for.
fn divides_by_number(inst: &Inst) -> bool {
    use attest_model::{Constant, IntOp, Operand};
    let Inst::Int {
        op: IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem,
        b: Operand::Const(Constant::Int { width, value }),
        ..
    } = inst
    else {
        return false;
    };
    *value != 0 && *value != u128::MAX >> (128 - width)
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
