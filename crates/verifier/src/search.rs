//! The search for violations and proofs, in stages.
//!
//! The first stage asks for everything. If signed overflow is among it, overflow ends a run
//! there; a proof of that is one of everything. A machine goes on after an overflow, so where
//! it is not excluded a second stage asks for the other classes with sums that wrap around.
//! In each stage plain runs come first, since many errors are shallow, and then engines
//! ([`crate::portfolio`]).

use crate::answer::Why;
use crate::cache::Cache;
use crate::case::Case;
use crate::confirm::ConfirmedTest;
use crate::known::Findings;
use crate::listener::{Event, Fails};
use crate::plain_runs::{self, PlainRuns, Plan};
use crate::report::Phase;
use crate::settings::Technique;
use crate::standing::Verdict;
use crate::survey::Survey;
use crate::{evidence, explain, native_search, portfolio, rules};
use attest_exec::Overflow;
use attest_model::{BailKind, Class};
use std::sync::Arc;

/// A stage of the search.
pub(crate) struct Stage {
    /// What is asked, and what overflow does.
    pub case: Case,
    /// Another stage follows if this one leaves a class open.
    pub more: bool,
}

/// The stages of a case.
fn stages(case: &Case) -> Vec<Stage> {
    let asked = &case.settings.checks;
    if !asked.has(Some(BailKind::Overflow)) {
        let case = case.about(asked.clone(), case.settings.overflow);
        return vec![Stage { case, more: false }];
    }
    let others = asked.without(Class::Overflow);
    let more = !others.is_empty();
    let mut stages = vec![Stage {
        case: case.about(asked.clone(), Overflow::Check),
        more,
    }];
    if more {
        let case = case.about(others, Overflow::Wrap);
        stages.push(Stage { case, more: false });
    }
    stages
}

/// Searches for violations and proofs, with what earlier checks learnt.
pub(crate) fn search(case: &Case, survey: Option<&Arc<Survey>>) -> Findings {
    let mut findings = Findings::of(case);
    findings.note(case);
    let mut runs = 0;
    for (number, stage) in stages(case).iter().enumerate() {
        let case = &stage.case;
        let first = number == 0;
        let done = findings.complete(&case.settings.checks) || is_enough(case, &findings);
        if !first && (done || case.session.is_stopping()) {
            break;
        }
        findings.goes_on();
        runs += staged(stage, survey.filter(|_| first), &mut findings);
    }
    case.session
        .note(|report| report.statistics.runs_before = runs);
    findings
}

/// Whether the user wants no more than is known.
fn is_enough(case: &Case, findings: &Findings) -> bool {
    case.settings.first && findings.fails()
}

/// One stage; how many plain runs it made.
fn staged(stage: &Stage, survey: Option<&Arc<Survey>>, findings: &mut Findings) -> usize {
    let case = &stage.case;
    let session = &*case.session;
    session.phase(Phase::Search);
    let mut cache = match case.is_changed {
        true => Cache::off(),
        false => Cache::of(&case.settings, &case.source),
    };
    let plain = plain_runs(case, &cache, findings);
    if let Some(survey) = survey {
        session.tell(Event::Tried {
            program: case.program.clone(),
            survey: survey.clone(),
            tried: plain.tried.clone(),
        });
    }
    let runs = plain.tried.runs;
    let wraps = case.settings.overflow == Overflow::Wrap;
    let long = match plain.failing.is_empty() && wraps {
        true => native_search::search(case, &plain),
        false => None,
    };
    let mut against = false;
    for test in plain.failing.iter().cloned().chain(long) {
        if is_enough(case, findings) {
            break;
        }
        against |= !violated(case, test, findings);
    }
    for test in plain.notices.iter().cloned() {
        violated(case, test, findings);
    }
    // What the machine does not do is no violation, and the search would only find it again.
    let overflows = findings.verdict(Class::Overflow) == Verdict::Violated;
    let is_over = against || is_enough(case, findings) || stage.more && overflows;
    if !is_over && !findings.complete(&case.settings.checks) {
        portfolio::decide(stage, &plain.tried, &mut cache, findings);
    }
    let failing = findings
        .violations()
        .first()
        .map(|test| test.given().clone());
    if let Some(trouble) = cache.keep(failing.as_deref()) {
        session.tell(Event::NotKept(trouble));
    }
    runs
}

/// Runs the program on a few inputs.
fn plain_runs(case: &Case, cache: &Cache, findings: &Findings) -> PlainRuns {
    if !case.settings.uses(Technique::FirstRuns) {
        return PlainRuns::default();
    }
    let plan = Plan {
        earlier: &cache.tests(),
        checks: &case.settings.checks,
        notices: case.settings.notices && !case.is_changed,
        excused: &findings.excused(),
        first: case.settings.first,
        overflow: case.settings.overflow,
        memory: case.settings.object_memory(),
        seed: case.settings.seed,
        stop: &case.session.stop_flag(),
    };
    plain_runs::search(&case.program, &plan)
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
