//! A verdict as SARIF 2.1.0, which editors and code-scanning services read.
//!
//! With API rules each rule is one of SARIF too, and a violation is placed at
//! the line of the program that leads to it. The line of the rule that the
//! violation breaks is a related location.

use crate::story::Line;
use serde_json::{Value, json};

/// What a result is made of.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// `safe`, `unsafe`, `unknown` or `not applicable`.
    pub verdict: String,
    /// The file of the API rule that was checked, if it was one.
    pub rule: Option<String>,
    /// The check that is violated, such as `memory/out-of-bounds`, if it is no call of an error
    /// function.
    pub check: Option<String>,
    /// The check was not asked for.
    pub is_notice: bool,
    /// A further place that the message is about: the line of the rule.
    pub related: Option<(String, u32, u32)>,
    /// The message.
    pub message: String,
    /// Where: file, line, column.
    pub place: Option<(String, u32, u32)>,
    /// The lines that lead there.
    pub trace: Vec<Line>,
    /// The program's files.
    pub files: Vec<String>,
    /// The exit status.
    pub status: i32,
}

const INFORMATION: &str = "https://github.com/attest-verify/attest";

/// A path as SARIF wants it: relative where it can be, with slashes.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.trim_start_matches("./").replace('\\', "/").bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) => out.push(char::from(b)),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    match path.starts_with('/') {
        true => format!("file://{out}"),
        false => out,
    }
}

fn location(file: &str, line: u32, column: u32, message: Option<&str>) -> Value {
    let mut region = json!({ "startLine": line.max(1) });
    if column > 0 {
        region["startColumn"] = json!(column);
    }
    let mut out = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(file) }, "region": region } });
    if let Some(text) = message {
        out["message"] = json!({ "text": text });
    }
    out
}

/// What a SARIF rule is called that stands for an API rule: the name of its file.
fn id_of(rule: &str) -> String {
    let name = rule.rsplit('/').next().unwrap_or(rule);
    name.strip_suffix(".slic").unwrap_or(name).to_owned()
}

/// The rules that a finding may name.
fn rules(finding: &Finding) -> Vec<Value> {
    let rule = |id: &str, text: &str| {
        json!({ "id": id, "shortDescription": { "text": text },
            "helpUri": INFORMATION })
    };
    match &finding.rule {
        None => {
            let mut all = vec![
                rule(
                    "error-reached",
                    "A run of the program violates the property.",
                ),
                rule("not-decided", "The check ended without a verdict."),
            ];
            if let Some(check) = &finding.check {
                all.push(rule(check, "A run of the program violates this check."));
            }
            all
        }
        Some(file) => {
            let id = id_of(file);
            let mut made = rule(
                &id,
                &format!("A run of the program violates {}.", uri(file)),
            );
            made["name"] = json!(id);
            vec![made]
        }
    }
}

fn result(finding: &Finding) -> Value {
    let own = finding.rule.as_deref().map(id_of);
    let own = own.as_deref().or(finding.check.as_deref());
    let own = own.unwrap_or("error-reached");
    // Only a failure has a level of its own in SARIF.
    let (id, level, kind) = match finding.verdict.as_str() {
        "unsafe" if finding.is_notice => (own, "warning", "fail"),
        "unsafe" => (own, "error", "fail"),
        "safe" => (own, "none", "pass"),
        "not applicable" => (own, "none", "notApplicable"),
        _ if finding.rule.is_some() => (own, "none", "open"),
        _ => ("not-decided", "none", "open"),
    };
    let first = finding.files.first().map_or("", String::as_str);
    let place = finding.place.clone();
    let (file, line, column) = place.unwrap_or_else(|| (first.to_owned(), 1, 0));
    let rule = finding.rule.as_deref().map(uri).unwrap_or_default();
    let fingerprint = format!("{id} {rule} {} {}", uri(&file), finding.message);
    let hash = attest_proof::sha256_of_bytes(fingerprint.as_bytes());
    let mut result = json!({
        "ruleId": id, "level": level, "kind": kind,
        "message": { "text": finding.message },
        "locations": [location(&file, line, column, None)],
        "partialFingerprints": { "attest/v1": &hash[..32] },
    });
    if let Some((file, line, column)) = &finding.related {
        let note = Some("where the rule says so");
        result["relatedLocations"] = json!([location(file, *line, *column, note)]);
    }
    if !finding.trace.is_empty() {
        let steps = finding.trace.iter().map(|step| {
            json!({ "location": location(&step.file, step.line, step.column,
                    Some(&format!("{}: {}", step.function, step.told()))),
                "nestingLevel": step.depth })
        });
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn artifacts(finding: &Finding) -> Vec<Value> {
    let files = finding.files.iter().chain(&finding.rule);
    let artifact = |file: &String| json!({ "location": { "uri": uri(file) } });
    files.map(artifact).collect()
}

/// The log of one check: what it found, the verdict's own finding first.
pub fn write(findings: &[Finding]) -> String {
    let status = findings.first().map_or(0, |finding| finding.status);
    let parts = findings.iter().cloned().map(Box::new);
    let parts: Vec<Part> = parts.map(Part::Finding).collect();
    merge(&parts, status)
}

/// A part of a log about many rules.
pub enum Part {
    /// A log that [`write()`] made.
    Log(Value),
    /// A finding without one.
    Finding(Box<Finding>),
}

/// One log of the checks of many rules.
pub fn merge(parts: &[Part], status: i32) -> String {
    let (mut all_rules, mut files, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let mut join = |rules: Vec<Value>, artifacts: Vec<Value>, more: Vec<Value>| {
        let fresh = |known: &[Value], one: &Value| !known.contains(one);
        for rule in rules {
            if fresh(&all_rules, &rule) {
                all_rules.push(rule);
            }
        }
        for file in artifacts {
            if fresh(&files, &file) {
                files.push(file);
            }
        }
        results.extend(more);
    };
    for part in parts {
        match part {
            Part::Log(made) => {
                let run = &made["runs"][0];
                let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
                let rules = list(&run["tool"]["driver"]["rules"]);
                join(rules, list(&run["artifacts"]), list(&run["results"]));
            }
            Part::Finding(finding) => {
                join(rules(finding), artifacts(finding), vec![result(finding)])
            }
        }
    }
    log(all_rules, files, results, status)
}

fn log(rules: Vec<Value>, artifacts: Vec<Value>, results: Vec<Value>, status: i32) -> String {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "attest", "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": INFORMATION,
                "rules": rules,
            } },
            "invocations": [{ "executionSuccessful": true, "exitCode": status }],
            "artifacts": artifacts,
            "results": results,
            "columnKind": "unicodeCodePoints",
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}
