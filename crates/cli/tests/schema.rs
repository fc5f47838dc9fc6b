//! The report in JSON is what its published schema says.

mod common;

use common::{Folder, root};
use serde_json::Value;

/// Checks a value against the parts of JSON Schema that our schema uses.
fn validate(at: &str, schema: &Value, value: &Value, problems: &mut Vec<String>) {
    let mut problem = |what: String| problems.push(format!("{at}: {what}"));
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_i64() || n.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |ty: &Value| ty == kind || (ty == "number" && kind == "integer");
    match &schema["type"] {
        Value::Null => {}
        Value::Array(types) if types.iter().any(fits) => {}
        ty if fits(ty) => {}
        ty => problem(format!("{value} is not of type {ty}")),
    }
    if let Some(expected) = schema.get("const")
        && expected != value
    {
        problem(format!("{value} is not {expected}"));
    }
    if let Some(Value::Array(all)) = schema.get("enum")
        && !all.contains(value)
    {
        problem(format!("{value} is not one of {all:?}"));
    }
    if let Value::Object(map) = value {
        for key in schema["required"].as_array().into_iter().flatten() {
            if !map.contains_key(key.as_str().unwrap_or_default()) {
                problem(format!("{key} is missing"));
            }
        }
        for (key, value) in map {
            let known = schema["properties"].get(key);
            if let Some(schema) = known.or(schema.get("additionalProperties")) {
                validate(&format!("{at}.{key}"), schema, value, problems);
            } else if schema.get("properties").is_some() {
                problems.push(format!("{at}.{key} is not in the schema"));
            }
        }
    }
    if let (Value::Array(list), Some(schema)) = (value, schema.get("items")) {
        for (i, value) in list.iter().enumerate() {
            validate(&format!("{at}[{i}]"), schema, value, problems);
        }
    }
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/report.schema.json")).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn reports_are_valid() {
    let loops = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
        int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0;\n\
        while (i < n) i++; if (i != n) reach_error(); }\n";
    let calls = "int __VERIFIER_nondet_int(void); void reach_error(void); void nobody(void);\n\
        int f(int x) { if (x > 3) nobody(); return x; }\n\
        int main(void) { if (f(__VERIFIER_nondet_int()) == 77) reach_error(); nobody(); }\n";
    let failing = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
        int main(void) { if (__VERIFIER_nondet_int() == 1) reach_error(); }\n";
    let ruled = "void put(void) {}\nint main(void) { put(); }\n";
    let rule = "void put(void);\nput.entry { abort; }\n";
    let folder = Folder::with(&[("safe.c", loops), ("open.c", calls), ("bad.c", failing)]);
    folder.write("ruled.c", ruled);
    folder.write("r.slic", rule);
    let schema = schema();
    for (file, verdict, more) in [
        ("safe.c", "safe", &[][..]),
        ("open.c", "unknown", &[]),
        ("bad.c", "unsafe", &[]),
        ("ruled.c", "unsafe", &["--spec", "r.slic"]),
    ] {
        let args = ["check", file, "--tests", "out", "--json", "r.json"];
        folder.attest(&[&args, more].concat());
        let text = std::fs::read_to_string(folder.path("r.json")).expect("a report");
        let report: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["verdict"], verdict, "{file}");
        let mut problems = Vec::new();
        validate("report", &schema, &report, &mut problems);
        assert!(problems.is_empty(), "{file}: {problems:#?}");
    }
}

#[test]
fn what_is_not_valid_is_found() {
    let mut problems = Vec::new();
    let wrong = serde_json::json!({ "format": "x", "verdict": 3, "status": 0, "files": [1] });
    validate("report", &schema(), &wrong, &mut problems);
    for part in ["format", "verdict", "files[0]", "\"seconds\" is missing"] {
        assert!(
            problems.iter().any(|p| p.contains(part)),
            "{part}: {problems:?}"
        );
    }
}
