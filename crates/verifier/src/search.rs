//! The search for violations and proofs, in stages.
//!
//! The first stage asks for everything. If signed overflow is among it, overflow ends a run
//! there; a proof of that is one of everything. A machine goes on after an overflow, so where
//! it is not excluded a second stage asks for the other classes with sums that wrap around.
//! In each stage plain runs come first, since many errors are shallow, and then engines
//! ([`crate::portfolio`]).

use crate::cache::Cache;
use crate::case::Case;
use crate::known::Findings;
use crate::listener::Event;
use crate::plain_runs::{self, PlainRuns, Plan};
use crate::report::Phase;
use crate::settings::Technique;
use crate::stage::{Stage, violated};
use crate::standing::Verdict;
use crate::survey::Survey;
use crate::{native_search, portfolio};
use attest_exec::Overflow;
use attest_model::{BailKind, Class};
use std::sync::Arc;

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
