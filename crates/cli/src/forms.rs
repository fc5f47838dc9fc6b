//! What a check says in other forms than its words: reports for browsers and
//! editors, and witnesses.
//!
//! [`attest_export`] makes the texts of the library's report; this writes the files.

use crate::output;
use attest_evidence::Test;
use attest_export::csource::CSource;
use attest_export::witness::{self, About, Witness};
use attest_export::{html, sarif, testcomp};
use attest_model::{BailKind, Checks, check_word};
use attest_verifier::property::{asked_formulas, violated_formula};
use attest_verifier::report::Failing;
use attest_verifier::{Report, rules};
use clap::{Args, ValueHint};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files that a check writes besides proof, tests and JSON.
#[derive(Args, Clone, Default, Debug)]
pub struct FormArgs {
    /// Write a page for a browser to this file: source, trace, coverage, regions, time
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Write the verdict as SARIF 2.1.0 to this file, for editors and code scanning
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
    /// Write a witness of the verdict: GraphML 1.0 for FILE.graphml, else YAML 2.0; may be given again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "spec")]
    pub witness: Vec<PathBuf>,
    /// Validate a witness of any producer, in YAML 2.0 or GraphML 1.0
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        conflicts_with_all = ["proof", "tests", "witness", "sarif", "report", "spec"])]
    pub check_witness: Option<PathBuf>,
}

/// Writes the files that are wanted; whether all could be written.
pub fn write(args: &FormArgs, report: &Report, asked: &Checks) -> bool {
    let mut fine = true;
    let mut put = |file: &PathBuf, text: String| {
        if let Err(why) = std::fs::write(file, text) {
            let name = file.display();
            output::complain(&format!("{name}: the file cannot be written: {why}"));
            fine = false;
        }
    };
    if let Some(file) = &args.sarif {
        put(file, sarif::write(&findings(report)));
    }
    if let Some(file) = &args.report {
        put(file, html::write(&page(report)));
    }
    for file in &args.witness {
        let Some(witness) = witness_of(report, asked) else {
            let what = match report.verdict() {
                "unknown" => "there is no verdict, so there is no witness",
                _ => "no property of SV-COMP says this, so there is no witness",
            };
            output::note(&format!("{}: {what}\n", file.display()));
            continue;
        };
        put(
            file,
            match file.extension().is_some_and(|e| e == "graphml") {
                true => witness::graphml::write(&witness),
                false => witness::yaml::write(&witness),
            },
        );
    }
    fine
}

/// `file:line:column` in parts.
fn place_of(text: &str) -> Option<(String, u32, u32)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.into(), line.parse().ok()?, column.parse().ok()?))
}

/// What a check found: each violation, or the verdict where there is none.
fn findings(report: &Report) -> Vec<sarif::Finding> {
    let asked = report.violations.iter().map(|failing| (failing, false));
    let notices = report.notices.iter().map(|failing| (failing, true));
    let mut all: Vec<sarif::Finding> = Vec::new();
    if report.violations.is_empty() {
        all.push(finding(report, None));
    }
    for (failing, is_notice) in asked.chain(notices) {
        all.push(sarif::Finding {
            is_notice,
            ..finding(report, Some(failing))
        });
    }
    all
}

fn finding(report: &Report, failure: Option<&Failing>) -> sarif::Finding {
    let check = failure.map(|f| f.check.clone());
    let check = check.filter(|check| *check != check_word(None));
    let message = match (failure, report.reason()) {
        (Some(failure), _) => {
            let inputs = failure.inputs.iter().take(8);
            let inputs: Vec<String> = inputs
                .map(|i| format!("{}() = {}", i.call, i.value))
                .collect();
            let on = match inputs.is_empty() {
                true => String::new(),
                false => format!(" with {}", inputs.join(", ")),
            };
            let what = match (&report.rule, &check) {
                (_, Some(_)) => failure.function.clone(),
                (None, None) => format!("{} is called", failure.function),
                (Some(rule), None) => {
                    let told = rule.message.as_deref();
                    told.unwrap_or("the rule is violated").to_owned()
                }
            };
            format!("{what}{on}")
        }
        (None, Some(reason)) if report.verdict() == "unknown" => format!("not decided: {reason}"),
        (None, Some(reason)) => reason.to_owned(),
        (None, None) => "no run violates the property".into(),
    };
    let rule = report.rule.as_ref();
    let place = failure.and_then(|f| place_of(&f.place));
    // A rule is violated in the rule's own text; the program's line is what its reader wants.
    let in_rule = place
        .as_ref()
        .is_some_and(|p| rule.is_some_and(|r| r.file == p.0));
    let mut trace = failure.iter().flat_map(|f| f.trace.iter()).rev();
    let led = trace.find(|line| rule.is_some_and(|r| r.file != line.file));
    let led = led.map(|line| (line.file.clone(), line.line, line.column));
    let applies = rule.and_then(|r| r.applies);
    sarif::Finding {
        verdict: match (failure, applies) {
            (Some(_), _) => "unsafe".into(),
            (None, Some(false)) => rules::NOT_APPLICABLE.into(),
            (None, _) => report.verdict().into(),
        },
        rule: rule.filter(|_| check.is_none()).map(|r| r.file.clone()),
        check,
        is_notice: false,
        message,
        related: place.clone().filter(|_| in_rule && led.is_some()),
        place: match in_rule {
            true => led.or(place),
            false => place,
        },
        trace: failure.map(|f| f.trace.clone()).unwrap_or_default(),
        files: report.files.clone(),
        status: report.status(),
    }
}

fn page(report: &Report) -> html::Page {
    let details = &report.details;
    let story = details.story.clone().unwrap_or_default();
    let (coverage, tests) = details.coverage.clone().unwrap_or_default();
    let numbers = &report.statistics;
    let failure = report.failure.as_ref();
    let input = |i: &attest_evidence::Input| format!("{}() = {} at {}", i.call, i.value, i.place);
    let number = |name: &str, n: u64| (name.to_owned(), n);
    html::Page {
        verdict: report.verdict().into(),
        reason: report.reason().map(str::to_owned),
        next_step: report.next_step.clone(),
        errors: match failure {
            Some(failure) => vec![failure.function.clone()],
            None => report.property.errors.clone(),
        },
        assumptions: report.assumptions.iter().map(|a| (*a).to_owned()).collect(),
        inputs: failure
            .map(|f| f.inputs.iter().map(input).collect())
            .unwrap_or_default(),
        files: html::files(&details.sources),
        trace: story.lines,
        unrecorded: story.unrecorded,
        coverage: coverage.lines,
        tests,
        invariants: report.proof.invariants.clone(),
        history: details.history.clone(),
        seconds: report
            .seconds
            .iter()
            .map(|(k, v)| ((*k).to_owned(), *v))
            .collect(),
        numbers: BTreeMap::from([
            number("iterations", numbers.iterations),
            number("tests", numbers.tests),
            number("regions", numbers.regions),
            number("runs before", numbers.runs_before as u64),
        ]),
        version: format!("attest {}", report.versions.attest),
    }
}

/// What a witness or a suite of a check is about.
pub fn about(files: &[String], ilp32: bool, entry: &str, errors: &[String]) -> About {
    let hashed = |file: &String| {
        let hash = attest_proof::sha256_of_file(file.as_ref());
        (file.clone(), hash.unwrap_or_default())
    };
    let specification = witness::specification(entry, errors);
    About {
        files: files.iter().map(hashed).collect(),
        data_model: match ilp32 {
            true => attest_proof::DataModel::Ilp32,
            false => attest_proof::DataModel::Lp64,
        },
        creation_time: witness::time::iso(std::time::SystemTime::now()),
        uuid: witness::uuid(),
        specification,
        entry: entry.into(),
    }
}

/// A failing test as an archive in the format of Test-Comp, which knows `main` only.
pub fn suite_of(test: &Test) -> Option<Vec<u8>> {
    let error = test.error.as_ref().filter(|_| test.entry == "main")?;
    let names: Vec<String> = test.files.iter().map(|f| f.path.clone()).collect();
    let ilp32 = test.data_model == attest_proof::DataModel::Ilp32;
    let mut about = about(&names, ilp32, &test.entry, &test.errors);
    about.specification = format!(
        "COVER( init({}()), FQL(COVER EDGES(@CALL({}))) )",
        test.entry, error.function
    );
    let files = [testcomp::metadata(&about), testcomp::testcase(1, test)];
    Some(testcomp::zip(&files))
}

/// What a witness of a verdict says, as a property of SV-COMP: the property that is violated, or
/// what is proved. None has all of our checks.
fn specification(report: &Report, asked: &Checks) -> Option<String> {
    let entry = &report.entry;
    let check = report.failure.as_ref().map(|failure| &failure.check);
    let mut kinds = BailKind::ALL.iter().copied();
    let kind = check.and_then(|check| kinds.find(|kind| kind.check() == *check));
    let formulas = match (report.verdict(), kind) {
        ("unsafe", Some(kind)) => vec![violated_formula(kind, asked)?],
        ("unsafe", None) => Vec::new(),
        _ if asked.asserts => Vec::new(),
        _ => match asked_formulas(asked) {
            formulas if formulas.is_empty() => return None,
            formulas => formulas,
        },
    };
    if formulas.is_empty() {
        return Some(witness::specification(entry, &report.property.errors));
    }
    let spaced = |formula: &str| formula.replace('!', "! ");
    let line = |formula: &&str| format!("CHECK( init({entry}()), LTL(G {}) )", spaced(formula));
    let lines: Vec<String> = formulas.iter().map(line).collect();
    Some(lines.join("\n"))
}

/// The witness of a verdict; none without one.
fn witness_of(report: &Report, asked: &Checks) -> Option<Witness> {
    let ilp32 = report.options.data_model == "ilp32";
    let errors = &report.property.errors;
    let specification = specification(report, asked)?;
    let about = || About {
        specification: specification.clone(),
        ..about(&report.files, ilp32, &report.entry, errors)
    };
    match (report.verdict(), &report.details.test) {
        ("safe", _) => Some(witness::correctness(about(), &report.proof)),
        ("unsafe", Some(test)) => {
            let mut read = BTreeMap::new();
            for (name, lines) in report.details.sources.files() {
                read.insert(name.to_owned(), CSource::read(&lines.join("\n")));
            }
            Some(witness::violation(about(), test, &read))
        }
        _ => None,
    }
}
