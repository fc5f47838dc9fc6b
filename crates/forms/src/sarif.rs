//! A verdict as SARIF 2.1.0, which editors and code-scanning services read.

use crate::story::Line;
use serde_json::{Value, json};

/// What a result is made of.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// What to say.
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

/// The log of one check.
pub fn write(finding: &Finding) -> String {
    let rule = |id: &str, text: &str| {
        json!({ "id": id, "shortDescription": { "text": text },
            "helpUri": INFORMATION })
    };
    let (id, level, kind) = match finding.verdict.as_str() {
        "unsafe" => ("error-reached", "error", "fail"),
        "safe" => ("error-reached", "none", "pass"),
        _ => ("not-decided", "note", "open"),
    };
    let first = finding.files.first().map_or("", String::as_str);
    let place = finding.place.clone();
    let (file, line, column) = place.unwrap_or_else(|| (first.to_owned(), 1, 0));
    let fingerprint = format!("{id} {} {}", uri(&file), finding.message);
    let hash = attest_proof::sha256_of_bytes(fingerprint.as_bytes());
    // Only a failure has a level of its own in SARIF.
    let level = if kind == "fail" { level } else { "none" };
    let mut result = json!({
        "ruleId": id, "level": level, "kind": kind,
        "message": { "text": finding.message },
        "locations": [location(&file, line, column, None)],
        "partialFingerprints": { "attest/v1": &hash[..32] },
    });
    if !finding.trace.is_empty() {
        let steps = finding.trace.iter().map(|step| {
            json!({ "location": location(&step.file, step.line, step.column,
                    Some(&format!("{}: {}", step.function, step.told()))),
                "nestingLevel": step.depth })
        });
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    let artifacts = finding.files.iter();
    let artifacts: Vec<Value> = artifacts
        .map(|file| json!({ "location": { "uri": uri(file) } }))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "attest", "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": INFORMATION,
                "rules": [
                    rule("error-reached", "A run of the program violates the property."),
                    rule("not-decided", "The check ended without a verdict."),
                ],
            } },
            "invocations": [{ "executionSuccessful": true, "exitCode": finding.status }],
            "artifacts": artifacts,
            "results": [result],
            "columnKind": "unicodeCodePoints",
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}
