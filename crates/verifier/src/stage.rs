//! A stage of the search, and the violations that all parts of it report.
//!
//! A violation is the same whoever finds it, a plain run, the unwinding or an engine: it is told
//! with its run, repeated natively, and only then counts.

use crate::answer::Why;
use crate::case::Case;
use crate::confirm::ConfirmedTest;
use crate::known::Findings;
use crate::listener::{Event, Fails};
use crate::report::Phase;
use crate::{evidence, explain, rules};
use std::sync::Arc;

/// A stage of the search.
pub(crate) struct Stage {
    /// What is asked, and what overflow does.
    pub case: Case,
    /// Another stage follows if this one leaves a class open.
    pub more: bool,
}

/// Tells a violation with its evidence and adds it to what is known. False if a native run
/// contradicts it.
pub(crate) fn violated(case: &Case, test: ConfirmedTest, findings: &mut Findings) -> bool {
    if findings.knows(test.check()) {
        return true;
    }
    if case.is_changed {
        findings.violated(case, test);
        return true;
    }
    let session = &*case.session;
    let number = findings.violations().len() + findings.notices().len();
    let (story, lines) = match test.is_native() {
        true => Default::default(),
        false => explain::tell(case, &test),
    };
    let place = case.program.place(test.at());
    let rule = case.rule.as_ref();
    let of_rule = rule.and_then(|rule| rules::message(rule, place));
    session.note(|report| {
        let known = report.rule.iter_mut();
        known.for_each(|r| r.message.clone_from(&of_rule));
    });
    session.tell(Event::Fails(Arc::new(Fails {
        program: case.program.clone(),
        source: case.source.clone(),
        test: test.clone(),
        number,
        is_asked: case.settings.checks.has(test.check().kind),
        story,
        violated: of_rule,
        assumed: case.havocked(),
    })));
    if !test.is_native() {
        explain::cover_failing(case, &test);
    }
    session.phase(Phase::Native);
    match evidence::natively(case, test, number, &lines) {
        Ok(test) => {
            findings.violated(case, test);
            true
        }
        Err(against) => {
            findings.ended(Why::Unconfirmed(against));
            false
        }
    }
}
