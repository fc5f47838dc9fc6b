//! Witnesses in format 2.0: YAML.

use super::{
    About, Claim, Content, Location, Problem, Waypoint, What, Witness, check_segments, time, wrong,
};
use attest_proof::DataModel;
use serde_norway::Value;
use std::fmt::Write;

/// A text in quotes, as JSON and YAML have it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Writes a witness.
pub fn write(witness: &Witness) -> String {
    let about = &witness.about;
    let (entry_type, content) = match &witness.content {
        Content::Correctness(claims) => ("invariant_set", invariants(claims)),
        Content::Violation(segments) => ("violation_sequence", sequence(segments)),
    };
    let mut out = format!(
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    \
         creation_time: {}\n    producer:\n      name: \"attest\"\n      version: {}\n    task:\n",
        quoted(&about.uuid),
        quoted(&about.creation_time),
        quoted(env!("CARGO_PKG_VERSION")),
    );
    out.push_str("      input_files:\n");
    for (file, _) in &about.files {
        let _ = writeln!(out, "        - {}", quoted(file));
    }
    out.push_str("      input_file_hashes:\n");
    for (file, hash) in &about.files {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let data_model = match about.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let _ = write!(
        out,
        "      specification: {}\n      data_model: {data_model}\n      language: C\n{content}",
        quoted(&about.specification),
    );
    out
}

fn invariants(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return "  content: []\n".into();
    }
    let mut out = String::from("  content:\n");
    for claim in claims {
        let kind = if claim.of_loop {
            "loop_invariant"
        } else {
            "location_invariant"
        };
        let _ = write!(
            out,
            "    - invariant:\n        type: {kind}\n{}        value: {}\n        \
             format: c_expression\n",
            location(&claim.location, 8),
            quoted(&claim.value)
        );
    }
    out
}

fn sequence(segments: &[Vec<Waypoint>]) -> String {
    let mut out = String::from("  content:\n");
    for segment in segments {
        out.push_str("    - segment:\n");
        for waypoint in segment {
            let action = if waypoint.avoid { "avoid" } else { "follow" };
            let _ = write!(
                out,
                "        - waypoint:\n            type: {}\n            action: {action}\n",
                waypoint.what.word()
            );
            if let Some(value) = &waypoint.constraint {
                let format = if value.contains("\\result") {
                    "ext_c_expression"
                } else {
                    "c_expression"
                };
                let _ = write!(
                    out,
                    "            constraint:\n              value: {}\n              \
                     format: {format}\n",
                    quoted(value)
                );
            }
            out.push_str(&location(&waypoint.location, 12));
        }
    }
    out
}

fn location(at: &Location, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = format!(
        "{pad}location:\n{pad}  file_name: {}\n{pad}  line: {}\n",
        quoted(&at.file),
        at.line
    );
    if let Some(column) = at.column {
        let _ = writeln!(out, "{pad}  column: {column}");
    }
    if let Some(function) = &at.function {
        let _ = writeln!(out, "{pad}  function: {}", quoted(function));
    }
    out
}

/// Reads a witness.
pub fn read(text: &str) -> Result<Witness, Problem> {
    let value: Value = serde_norway::from_str(text)
        .map_err(|why| Problem::Wrong(format!("this is no YAML: {why}")))?;
    let Value::Sequence(entries) = value else {
        return wrong("a witness is a list of entries");
    };
    let mut witness: Option<Witness> = None;
    for entry in &entries {
        let kind = text_of(entry, "entry_type")?;
        let about = metadata(field(entry, "metadata")?)?;
        let Value::Sequence(content) = field(entry, "content")? else {
            return wrong("`content` is a list");
        };
        let content = match kind.as_str() {
            "invariant_set" => Content::Correctness(all(content, claim)?),
            "violation_sequence" => {
                let segments = all(content, segment)?;
                check_segments(&segments)?;
                Content::Violation(segments)
            }
            other => return wrong(format!("`{other}` is no known kind of entry")),
        };
        if witness.replace(Witness { about, content }).is_some() {
            return Err(Problem::Unsupported("it has several entries".into()));
        }
    }
    witness.ok_or_else(|| Problem::Wrong("it has no entry".into()))
}

fn all<T>(values: &[Value], read: fn(&Value) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    values.iter().map(read).collect()
}

fn field<'a>(value: &'a Value, key: &str) -> Result<&'a Value, Problem> {
    value
        .get(key)
        .ok_or_else(|| Problem::Wrong(format!("`{key}` is missing")))
}

fn text_of(value: &Value, key: &str) -> Result<String, Problem> {
    match field(value, key)? {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(number) => Ok(number.to_string()),
        _ => wrong(format!("`{key}` is a text")),
    }
}

fn number(value: &Value, key: &str) -> Result<Option<u32>, Problem> {
    match value.get(key) {
        None => Ok(None),
        Some(Value::Number(n)) => match n.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n > 0 => Ok(Some(n)),
            _ => wrong(format!("`{key}` is a number from 1")),
        },
        Some(_) => wrong(format!("`{key}` is a number")),
    }
}

fn metadata(value: &Value) -> Result<About, Problem> {
    let version = match field(value, "format_version")? {
        Value::String(text) => text.clone(),
        _ => return wrong("`format_version` is a text"),
    };
    if version != "2.0" {
        return wrong(format!("the format is `{version}`, and only 2.0 is known"));
    }
    let producer = field(value, "producer")?;
    text_of(producer, "name")?;
    text_of(producer, "version")?;
    let creation_time = text_of(value, "creation_time")?;
    if !time::is_iso(&creation_time) {
        return wrong(format!("`{creation_time}` is no time"));
    }
    let uuid = text_of(value, "uuid")?;
    if uuid.len() != 36 || !uuid.chars().all(|c| c == '-' || c.is_ascii_hexdigit()) {
        return wrong(format!("`{uuid}` is no uuid"));
    }
    let task = field(value, "task")?;
    let Value::Sequence(names) = field(task, "input_files")? else {
        return wrong("`input_files` is a list");
    };
    let hashes = field(task, "input_file_hashes")?;
    let mut files = Vec::new();
    for name in names {
        let Value::String(name) = name else {
            return wrong("`input_files` has texts");
        };
        files.push((name.clone(), text_of(hashes, name)?));
    }
    if files.is_empty() {
        return wrong("`input_files` is empty");
    }
    let language = text_of(task, "language")?;
    if language != "C" {
        return wrong(format!("the language is `{language}`"));
    }
    Ok(About {
        files,
        specification: text_of(task, "specification")?,
        data_model: match text_of(task, "data_model")?.as_str() {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            other => return wrong(format!("`{other}` is no known data model")),
        },
        creation_time,
        uuid,
        entry: "main".into(),
    })
}

fn place(value: &Value) -> Result<Location, Problem> {
    let at = field(value, "location")?;
    let line = number(at, "line")?;
    Ok(Location {
        file: text_of(at, "file_name")?,
        line: line.ok_or_else(|| Problem::Wrong("`line` is missing".into()))?,
        column: number(at, "column")?,
        function: match at.get("function") {
            None => None,
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => return wrong("`function` is a text"),
        },
        callee: None,
    })
}

fn claim(value: &Value) -> Result<Claim, Problem> {
    let invariant = field(value, "invariant")?;
    let of_loop = match text_of(invariant, "type")?.as_str() {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return wrong(format!("`{other}` is no known kind of invariant")),
    };
    match text_of(invariant, "format")?.as_str() {
        "c_expression" => {}
        other => return wrong(format!("`{other}` is no known format of an invariant")),
    }
    Ok(Claim {
        of_loop,
        loose: false,
        next: None,
        location: place(invariant)?,
        value: text_of(invariant, "value")?,
    })
}

fn segment(value: &Value) -> Result<Vec<Waypoint>, Problem> {
    let Value::Sequence(waypoints) = field(value, "segment")? else {
        return wrong("`segment` is a list");
    };
    all(waypoints, waypoint)
}

fn waypoint(value: &Value) -> Result<Waypoint, Problem> {
    let value = field(value, "waypoint")?;
    let what = match text_of(value, "type")?.as_str() {
        "assumption" => What::Assumption,
        "branching" => What::Branching,
        "function_enter" => What::Enter,
        "function_return" => What::Return,
        "target" => What::Target,
        other => return wrong(format!("`{other}` is no known kind of waypoint")),
    };
    let avoid = match text_of(value, "action")?.as_str() {
        "follow" => false,
        "avoid" => true,
        other => return wrong(format!("`{other}` is no known action")),
    };
    let constraint = match value.get("constraint") {
        None => None,
        Some(constraint) => Some(text_of(constraint, "value")?),
    };
    Ok(Waypoint {
        what,
        avoid,
        constraint,
        location: place(value)?,
    })
}
