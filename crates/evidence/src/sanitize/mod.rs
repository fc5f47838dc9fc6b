//! Violations that the machine confirms: the program of a test, built with a sanitizer.
//!
//! **What counts as confirmation.** That a run violates a check is said after the interpreter
//! has run the program again, as for assertions. A sanitizer confirms it if, on the same
//! inputs, it finds the same kind of violation at the same line: that of the innermost call
//! in the user's own files, since both are in the library where a copy overflows in
//! `strcpy`. [`finding::KINDS`] says what is the same kind. Of leaks only the kind is compared,
//! and where the memory was allocated if the test says that: they belong to the end of the run.
//!
//! A sanitizer that finds nothing says little, because it does not see everything. Only for the
//! kinds of [`finding::silence_counts`] does a run to the end without a finding make the answer
//! unknown, as a run without a failing assertion does, and only if the run was given all that
//! the test has and the violation is in the user's own code.
//! [`Confirmation::contradicts`] is the first part of this rule. A finding of another kind or
//! at another line never speaks for `safe`, and is only told.
//!
//! **What the run is given.** Inputs and arguments are as in the native run of an assertion:
//! a wrapper of `malloc` fills memory with what the test says, and new variables are zero; new
//! memory is zero too, since AddressSanitizer would fill it with a pattern of its own.
//! A run that looks for values that were never set leaves all that unset instead. Nothing
//! depends on it before the violation, which is the first use.

pub mod confirmation;
pub mod finding;
pub mod report;
pub mod tool;

use crate::build::{Prepared, prepare_for};
use crate::replay::ReplayError;
use crate::test::Test;
use crate::violation::{Violation, file_and_line};
use attest_llvm::clang::Clang;
use attest_model::{BailKind, library};
use finding::{Finding, FoundAt, Frame};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tool::{Instrument, Tool};

pub use confirmation::Confirmation;
pub use finding::silence_counts;

/// Builds the program of a test with the tools for its violation and runs it, each time for at
/// most this long, until one confirms it; else the attempt counts that says most. None if the
/// test has no violation. If another thread sets the flag, everything is killed.
pub fn confirm_natively(
    test: &Test,
    time: Duration,
    interrupt: Option<Arc<AtomicBool>>,
) -> Result<Option<Confirmation>, ReplayError> {
    let Some(violation) = &test.violation else {
        return Ok(None);
    };
    let Some(kind) = violation.kind() else {
        return Ok(None);
    };
    let clang = Clang::find().map_err(ReplayError::Clang)?;
    let mut best: Option<Confirmation> = None;
    let mut tried: Option<Tool> = None;
    for instrument in Instrument::attempts(kind) {
        // A second tool is for where the first is missing, or sees nothing of a leak.
        let again = kind == BailKind::Leak || tried == Some(instrument.tool);
        if tried.is_some() && !again {
            break;
        }
        let one = match instrument.tool.missing(&clang, test.data_model) {
            Some(why) => Confirmation::NotAvailable(why),
            None => {
                let one = attempt(test, violation, instrument, time, interrupt.clone())?;
                if !matches!(one, Confirmation::NotAvailable(_)) {
                    tried = Some(instrument.tool);
                }
                one
            }
        };
        if one.is_confirmed() {
            return Ok(Some(one));
        }
        if best
            .as_ref()
            .is_none_or(|best| best.weight() < one.weight())
        {
            best = Some(one);
        }
    }
    let nothing = || Confirmation::NotAvailable(format!("no tool finds {}", kind.check()));
    Ok(Some(best.unwrap_or_else(nothing)))
}

fn attempt(
    test: &Test,
    violation: &Violation,
    instrument: Instrument,
    time: Duration,
    interrupt: Option<Arc<AtomicBool>>,
) -> Result<Confirmation, ReplayError> {
    let is_ir = |path: &str| path.ends_with(".ll");
    if let Some(file) = test.files.iter().find(|file| is_ir(&file.path)) {
        let why = format!("{} is LLVM IR, and sanitizers work on C", file.path);
        return Ok(Confirmation::CannotBuild(why));
    }
    let mut test = test.clone();
    if instrument.needs_unset() {
        test.unwritten.retain(|cell| cell.allocation == 0);
    }
    let prepared = match prepare_for(&test, interrupt.clone(), Some(instrument))? {
        Ok(prepared) => prepared,
        Err(why) => return Ok(Confirmation::CannotBuild(why)),
    };
    let binary = match prepared.link_for(&instrument, &test)? {
        Ok(binary) => binary,
        Err(why) => return Ok(Confirmation::CannotBuild(why)),
    };
    let status = instrument.run(&binary, prepared.folder(), time, interrupt.as_deref())?;
    let text = Instrument::report(prepared.folder());
    let mut findings = match instrument.tool {
        Tool::Valgrind => report::of_valgrind(&text),
        _ => report::of_sanitizer(&text),
    };
    let leaks = matches!(instrument.kind, BailKind::Leak | BailKind::NotFreed);
    if leaks && report::leaks_not_looked_for(&text) {
        let why = "LeakSanitizer does not work here, perhaps because of ptrace; install valgrind";
        return Ok(Confirmation::NotAvailable(why.into()));
    }
    for finding in &mut findings {
        locate(finding, &binary);
    }
    let is_users = |file: &str| is_users(file, &prepared, violation);
    let said = judge(&findings, violation, instrument.kind, &is_users);
    Ok(match (said, status) {
        (Some(said), _) => said,
        (None, Some(Some(tool::FOUND))) => {
            let why = format!("the report of {} cannot be read", instrument.family());
            Confirmation::NotAvailable(why)
        }
        (None, Some(status)) => Confirmation::NotFound {
            tool: instrument.family(),
            kind: instrument.kind,
            status,
        },
        (None, None) => Confirmation::TimedOut,
    })
}

/// What the findings of a run mean; none if there are none.
fn judge(
    findings: &[Finding],
    violation: &Violation,
    kind: BailKind,
    is_users: &dyn Fn(&str) -> bool,
) -> Option<Confirmation> {
    let leaks = matches!(kind, BailKind::Leak | BailKind::NotFreed);
    let expected = match leaks {
        true => violation.allocated.as_deref(),
        false => Some(violation.place.as_str()),
    };
    let mut best: Option<Confirmation> = None;
    for finding in findings {
        let (tool, name) = (finding.kind.family, finding.kind.name);
        let at = finding.place(is_users);
        // What the harness allocates is no leak of the program.
        if leaks && at.is_none() && finding.kind.confirms.contains(&kind) {
            continue;
        }
        let one = match (finding.kind.confirms.contains(&kind), at) {
            (false, at) => Confirmation::OtherKind {
                tool,
                finding: name,
                at,
            },
            (true, Some(at)) if expected.is_none_or(|place| is_at(&at, place)) => {
                Confirmation::Confirmed {
                    tool,
                    finding: name,
                    at,
                }
            }
            (true, at) => Confirmation::OtherLine {
                tool,
                finding: name,
                at,
            },
        };
        if best
            .as_ref()
            .is_none_or(|best| best.weight() < one.weight())
        {
            best = Some(one);
        }
        // The first finding ends a run, but for leaks.
        if !leaks {
            break;
        }
    }
    best
}

/// Whether a finding is at the line of a place.
fn is_at(at: &FoundAt, place: &str) -> bool {
    file_and_line(place).is_some_and(|(file, line)| line == at.line && same_file(file, &at.file))
}

/// Whether two names are of the same file: the compiler may have had the one from another
/// folder, and debug information has it with its folder.
fn same_file(a: &str, b: &str) -> bool {
    let full = |name: &str| std::fs::canonicalize(name).ok();
    if let (Some(a), Some(b)) = (full(a), full(b)) {
        return a == b;
    }
    let parts = |name: &str| -> Vec<String> {
        let parts = name
            .rsplit('/')
            .filter(|part| !part.is_empty() && *part != ".");
        parts.map(String::from).collect()
    };
    let (a, b) = (parts(a), parts(b));
    a.iter()
        .zip(&b)
        .all(|(a, b)| a == b || a == ".." || b == "..")
        && !a.is_empty()
        && !b.is_empty()
}

/// Whether a file is the user's: none of the harness, of attest's model or of the system's.
fn is_users(file: &str, prepared: &Prepared, violation: &Violation) -> bool {
    if file_and_line(&violation.place).is_some_and(|(own, _)| same_file(own, file)) {
        return true;
    }
    let path = Path::new(file);
    !file.starts_with(library::FOLDER)
        && !path.starts_with(prepared.folder())
        && !path.starts_with("/usr/")
        && !file.starts_with("../")
        && path.exists()
}

/// Asks for the lines of frames of which a tool says only the module.
fn locate(finding: &mut Finding, binary: &Path) {
    let own = binary.to_string_lossy();
    for frame in &mut finding.frames {
        let at = match (&frame.place, &frame.module) {
            (None, Some((module, at))) if *module == own => *at,
            _ => continue,
        };
        if let Some(found) = line_of(binary, at) {
            *frame = found;
        }
    }
}

/// The function and the line of the call before an address.
fn line_of(binary: &Path, at: u64) -> Option<Frame> {
    let mut command = Command::new("addr2line");
    command.arg("-f").arg("-e").arg(binary);
    command.arg(format!("{:#x}", at.saturating_sub(1)));
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    let function = lines.next()?.to_owned();
    let place = lines.next()?.split(" (discriminator").next()?;
    let (file, line) = file_and_line(place)?;
    Some(Frame {
        function,
        place: Some((file.to_owned(), line)),
        module: None,
    })
}
