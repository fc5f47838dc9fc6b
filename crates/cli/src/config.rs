//! `attest.toml` in the current folder: what holds for every check of a project.
//!
//! Today it has findings that are silenced:
//!
//! ```toml
//! [[allow]]
//! check = "memory/out-of-bounds"
//! file = "src/parser.c"
//! line = 120
//! reason = "the caller sees to it"
//! ```

use crate::exit::Failure;
use attest_verifier::Silence;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::Path;

/// The name of the file.
const FILE: &str = "attest.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    allow: Vec<Allow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allow {
    check: String,
    file: String,
    line: Option<u32>,
    /// Why, for people.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

/// The findings that the project silences; none without a file.
pub fn silenced() -> Result<Vec<Silence>, Failure> {
    let text = match std::fs::read_to_string(Path::new(FILE)) {
        Ok(text) => text,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(Failure::input(format!("{FILE}: it cannot be read: {why}"))),
    };
    parse(&text).map_err(|why| Failure::input(format!("{FILE}: {why}")))
}

fn parse(text: &str) -> Result<Vec<Silence>, String> {
    let config: Config = toml::from_str(text).map_err(|why| {
        let why = why.to_string();
        let line = why.lines().last().unwrap_or_default();
        format!("{line}; it has tables [[allow]] with check, file, line and reason")
    })?;
    let silences = config.allow.into_iter().map(|allow| Silence {
        check: allow.check,
        file: allow.file,
        line: allow.line,
    });
    Ok(silences.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_silenced_findings() {
        let text = "[[allow]]\ncheck = \"memory\"\nfile = \"a.c\"\nline = 3\nreason = \"x\"\n";
        let expected = Silence {
            check: "memory".into(),
            file: "a.c".into(),
            line: Some(3),
        };
        assert_eq!(parse(text), Ok(vec![expected]));
        assert_eq!(parse(""), Ok(Vec::new()));
        assert!(parse("[[alow]]").is_err_and(|why| why.contains("[[allow]]")));
    }
}
