//! Properties: SV-COMP's property files, and their short names.
//!
//! A property file says `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//! Reachability of a function is what attest decides; other properties of
//! SV-COMP are known by name and refused.

use crate::error::Error;
use std::path::Path;

/// A reachability property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Where the program starts, if the property says so.
    pub entry: Option<String>,
    /// Functions that must not be called.
    pub errors: Vec<String>,
}

/// The property that `--property` names.
pub fn named(name: &str) -> Result<Property, Error> {
    if name == "unreach-call" {
        return Ok(Property {
            entry: None,
            errors: vec!["reach_error".into(), "__VERIFIER_error".into()],
        });
    }
    let path = Path::new(name);
    if path.extension().is_none_or(|e| e != "prp") {
        return Err(Error::usage(format!(
            "--property {name} is not known; write unreach-call or name a file FILE.prp"
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::input(format!("{name}: the property file cannot be read: {e}")))?;
    parse(&text).map_err(|why| Error::input(format!("{name}: {why}")))
}

/// Reads the text of a property file.
pub fn parse(text: &str) -> Result<Property, String> {
    let text: String = text.split_whitespace().collect();
    let mut rest = text.as_str();
    let mut found: Option<Property> = None;
    while !rest.is_empty() {
        let (entry, formula, after) = check(rest).ok_or(FORM)?;
        let error = unreachable_call(formula).ok_or_else(|| {
            format!("the property `{formula}` is not supported; attest decides `G ! call(F())`")
        })?;
        let property = found.get_or_insert(Property {
            entry: Some(entry.into()),
            errors: Vec::new(),
        });
        if property.entry.as_deref() != Some(entry) {
            return Err("its lines start the program in different functions".into());
        }
        property.errors.push(error.into());
        rest = after;
    }
    found.ok_or_else(|| FORM.into())
}

const FORM: &str =
    "this is no property; write `CHECK( init(main()), LTL(G ! call(reach_error())) )`";

/// `CHECK(init(ENTRY()),LTL(FORMULA))`: the entry, the formula, and what follows.
fn check(text: &str) -> Option<(&str, &str, &str)> {
    let (entry, rest) = text.strip_prefix("CHECK(init(")?.split_once("()),")?;
    let body = rest.strip_prefix("LTL(")?;
    let end = body.find("CHECK(").unwrap_or(body.len());
    let formula = body[..end].strip_suffix("))")?;
    is_name(entry).then_some((entry, formula, &body[end..]))
}

/// `G!call(F())`: the function.
fn unreachable_call(formula: &str) -> Option<&str> {
    let name = formula.strip_prefix("G!call(")?.strip_suffix("())")?;
    is_name(name).then_some(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(text: &str, entry: &str, errors: &[&str]) {
        let property = parse(text).expect(text);
        assert_eq!(property.entry.as_deref(), Some(entry), "{text}");
        assert_eq!(property.errors, errors, "{text}");
    }

    fn bad(text: &str, why: &str) {
        let message = parse(text).expect_err(text);
        assert!(message.contains(why), "{text}: {message}");
    }

    #[test]
    fn properties() {
        good(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n",
            "main",
            &["reach_error"],
        );
        good(
            "CHECK(init(start()),LTL(G!call(a())))CHECK(init(start()),LTL(G ! call(b())))",
            "start",
            &["a", "b"],
        );
        bad("", "no property");
        bad("hello", "no property");
        bad("CHECK( init(main()), LTL(G ! overflow) )", "G!overflow");
        bad("CHECK( init(main()), LTL(F end) )", "not supported");
        bad(
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "no property",
        );
        bad(
            "CHECK(init(f()),LTL(G!call(a())))CHECK(init(g()),LTL(G!call(a())))",
            "different functions",
        );
    }

    #[test]
    fn names() {
        assert!(named("unreach-call").is_ok_and(|p| p.entry.is_none()));
        assert!(named("no-overflow").is_err());
    }
}
