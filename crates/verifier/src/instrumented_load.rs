//! The program with the claims of a witness in its text, loaded again.
//!
//! What cannot be placed or compiled where GraphML only hints at a place is
//! left out and said; else it is the witness's fault. The changed program must
//! do no more than the original besides its checks.

use crate::answer::Answer;
use crate::case::Case;
use crate::error::Error;
use crate::listener::Event;
use crate::load;
use crate::plain_runs::plans;
use crate::source::Source;
use crate::validate::{Finding, decided};
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_export::claims::{DOUBTED, REFUTED};
use attest_export::instrument::{ALONE, FOLLOWED, Files};
use attest_export::witness::{Claim, Waypoint, What};
use attest_frontend::LoadError;
use attest_model::{BailKind, Inst, Program, Terminator};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is put into the text of a program.
pub(crate) struct Put<'a> {
    /// The program.
    pub case: &'a Case,
    /// Its error functions.
    pub errors: &'a [String],
    /// Its files.
    pub files: &'a Files<'a>,
    /// Where changed files go.
    pub folder: &'a Path,
}

/// A changed program, or what is found about the witness already.
pub(crate) type Made = Result<(Source, Program), Finding>;

impl Put<'_> {
    /// Loads the program with these texts; the inner error is what clang says.
    fn load(
        &self,
        texts: &[Option<String>],
        correctness: bool,
    ) -> Result<Result<(Source, Program), String>, Error> {
        let changed = instrumented(
            &self.case.source,
            correctness,
            self.errors,
            texts,
            self.folder,
        )
        .map_err(|why| Error::input(format!("a file cannot be written: {why}")))?;
        match load::load(&self.case.session, &changed) {
            Ok(program) => Ok(Ok((changed, program))),
            Err(LoadError::Clang(why)) => {
                let why = why.to_string();
                let line = why.lines().find(|l| l.contains("error:")).unwrap_or(&why);
                Ok(Err(line.to_owned()))
            }
            Err(other) => Err(other.into()),
        }
    }

    /// The program with the invariants that can be placed.
    pub fn claims(&self, mut claims: Vec<Claim>) -> Result<Made, Error> {
        let (original, overflow) = (&*self.case.program, self.case.settings.overflow);
        let note = |claim: &Claim, why: &str| {
            self.case.session.tell(Event::LeftOut {
                claim: claim.value.clone(),
                why: why.to_owned(),
            });
        };
        let mut apart = false;
        loop {
            let checked = match self.files.with_invariants(&claims, apart) {
                Ok(checked) => checked,
                Err(problem) => return Ok(Err(problem.into())),
            };
            for (number, why) in checked.left_out.iter().rev() {
                note(&claims.remove(*number), why);
            }
            let (changed, program) = match self.load(&checked.texts, true)? {
                Ok(made) => made,
                Err(why) if claims.iter().any(|c| c.loose) => {
                    let before = claims.len();
                    for claim in std::mem::take(&mut claims) {
                        match !claim.loose || self.compiles(&claim)? {
                            true => claims.push(claim),
                            false => note(&claim, "a name in it means nothing there"),
                        }
                    }
                    if claims.len() == before {
                        return Ok(Err(Finding::Rejected(uncompiled(&why))));
                    }
                    continue;
                }
                Err(why) => return Ok(Err(Finding::Rejected(uncompiled(&why)))),
            };
            // The choice to evaluate apart is an input of its own.
            if apart {
                return Ok(Ok((changed, program)));
            }
            match new_effect(original, &program, overflow) {
                None => return Ok(Ok((changed, program))),
                Some((_, true)) => {
                    if let Some(why) = ends_runs(original, &program, overflow) {
                        return Ok(Err(Finding::Undecided(why)));
                    }
                    apart = true;
                }
                Some((what, false)) => {
                    let why = format!("to evaluate an invariant of it may have an effect ({what})");
                    return Ok(Err(Finding::Undecided(why)));
                }
            }
        }
    }

    /// Whether the text with one claim compiles.
    fn compiles(&self, claim: &Claim) -> Result<bool, Error> {
        match self
            .files
            .with_invariants(std::slice::from_ref(claim), false)
        {
            Ok(checked) => Ok(self.load(&checked.texts, true)?.is_ok()),
            Err(_) => Ok(true),
        }
    }

    /// The program with a counter of segments.
    pub fn segments(&self, mut segments: Vec<Vec<Waypoint>>) -> Result<Made, Error> {
        loop {
            let texts = match self.files.with_waypoints(&segments) {
                Ok(texts) => texts,
                Err(problem) => return Ok(Err(problem.into())),
            };
            match self.load(&texts, false)? {
                Ok(made) => return Ok(Ok(made)),
                // GraphML has facts about variables that are not yet there.
                Err(_) if without_facts(&mut segments) => {}
                Err(why) => return Ok(Err(Finding::Rejected(uncompiled(&why)))),
            }
        }
    }
}

/// Runs that are tried for an expression without a value, and instructions of each.
const RUNS: usize = 60;
const STEPS: u64 = 100_000;

/// Whether a run leaves what C defines only because invariants are evaluated in it.
fn ends_runs(original: &Program, changed: &Program, overflow: Overflow) -> Option<String> {
    let limits = || Limits {
        steps: STEPS,
        ..Limits::default()
    };
    for given in plans(1).take(RUNS).map(Arc::new) {
        let mut run = Interpreter::new(changed, given.clone(), overflow, limits());
        let Outcome::Bailed(bail) = run.run() else {
            continue;
        };
        let place = changed.place(run.place());
        let mut run = Interpreter::new(original, given, overflow, limits());
        if !matches!(run.run(), Outcome::Bailed(_)) {
            let what = bail.kind.word();
            return Some(format!(
                "an invariant of it has no value in a run ({what} at {place})"
            ));
        }
    }
    None
}

/// Constraints that are looked at by themselves.
const MOST_ALONE: usize = 24;

impl Put<'_> {
    /// Why no run at all follows a witness: a result that it wants does not exist.
    pub fn impossible(&self, segments: &[Vec<Waypoint>]) -> Result<Option<String>, Error> {
        let mut asked = BTreeSet::new();
        for waypoint in segments.iter().flatten() {
            let Some((at, text)) = self.files.alone(waypoint) else {
                continue;
            };
            if asked.len() == MOST_ALONE || !asked.insert(text.clone()) {
                continue;
            }
            let mut texts = vec![None; self.case.source.files.len()];
            texts[at] = Some(text);
            let changed = instrumented(&self.case.source, false, self.errors, &texts, self.folder)
                .map_err(|why| Error::input(format!("a file cannot be written: {why}")))?;
            let mut alone = changed;
            alone.model.entry = ALONE.into();
            // It may name variables of its place; then the whole program decides.
            let Ok(program) = load::load(&self.case.session, &alone) else {
                continue;
            };
            let case = self.case.changed(alone, program);
            if let Answer::Safe(_) = decided(&case) {
                let constraint = waypoint.constraint.as_deref().unwrap_or_default();
                return Ok(Some(format!(
                    "{}:{}: no result satisfies {constraint}",
                    waypoint.location.file, waypoint.location.line
                )));
            }
        }
        Ok(None)
    }
}

fn uncompiled(why: &str) -> String {
    format!("an expression of it does not compile: {why}")
}

/// Leaves out what GraphML says after statements; whether there was any.
fn without_facts(segments: &mut Vec<Vec<Waypoint>>) -> bool {
    let before = segments.len();
    segments.retain(|s| s.iter().all(|w| w.what != What::Afterwards));
    segments.len() < before
}

/// What the program does more often with the claims in its text than without, and whether that
/// is only to leave C's defined behaviour. An expression whose value C leaves undefined would
/// otherwise be assumed to be fine, and what comes after it never to happen; and a name may be
/// a macro that does something.
fn new_effect(
    original: &Program,
    changed: &Program,
    overflow: Overflow,
) -> Option<(&'static str, bool)> {
    const EFFECTS: [&str; 7] = [
        "call",
        "input",
        "assumption",
        "assignment",
        "library",
        "end of the program",
        "unsupported construct",
    ];
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
                Terminator::Bail(_) => *counts.entry("unsupported construct").or_default() += 1,
                _ => {}
            }
        }
        counts
    };
    let before = count(original);
    let after = count(changed).into_iter();
    let more = after.filter(|(what, n)| *n > before.get(what).copied().unwrap_or_default());
    let more = more.map(|(what, _)| (what, !EFFECTS.contains(&what)));
    more.min_by_key(|(_, undefined)| *undefined)
}

/// The program with the claims of the witness in its text.
fn instrumented(
    source: &Source,
    correctness: bool,
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
    match correctness {
        true => {
            // The verdict is about all that was asked for, whatever the witness is about.
            let broken = [REFUTED, DOUBTED].map(String::from);
            changed.model.errors.extend(broken);
        }
        false => {
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
