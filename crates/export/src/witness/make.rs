//! Witnesses of what a check found.

use super::{About, Claim, Content, Location, Waypoint, What, Witness};
use crate::csource::{CSource, Kind};
use crate::proof::Explained;
use attest_evidence::{InputSource, Test};
use std::collections::BTreeMap;

/// The correctness witness of a proof.
pub fn correctness(about: About, proof: &Explained) -> Witness {
    let claim = |i: &crate::proof::LoopInvariant| Claim {
        of_loop: true,
        loose: false,
        next: None,
        location: Location {
            file: i.file.clone(),
            line: i.line,
            column: Some(i.column),
            function: Some(i.function.clone()),
            callee: None,
        },
        value: i.value.clone(),
    };
    Witness {
        about,
        content: Content::Correctness(proof.invariants.iter().map(claim).collect()),
    }
}

/// The violation witness of a counterexample: what its inputs return, and the error. Inputs
/// whose call is not in the text, such as those inside of macros, are left out.
pub fn violation(about: About, test: &Test, sources: &BTreeMap<String, CSource>) -> Witness {
    let mut segments = Vec::new();
    let follow = |what, constraint, location| {
        vec![Waypoint {
            what,
            avoid: false,
            constraint,
            location,
        }]
    };
    for input in test
        .inputs
        .iter()
        .filter(|i| i.source == InputSource::Nondet)
    {
        let Some((source, token, file)) = at(sources, &input.place) else {
            continue;
        };
        let Some(token) = call_near(source, token, &input.call) else {
            continue;
        };
        let (Some(close), Some(value)) = (
            Some(token + 1)
                .filter(|t| source.word(*t) == "(")
                .and_then(|t| source.closing(t)),
            constant(&input.value, &input.ty),
        ) else {
            continue;
        };
        let place = source.tokens[close];
        let location = Location {
            file: file.to_owned(),
            line: place.line,
            column: Some(place.column),
            function: source.function_at(token).map(|f| f.name.clone()),
            callee: Some(input.call.clone()),
        };
        let constraint = Some(format!("\\result == {value}"));
        segments.push(follow(What::Return, constraint, location));
    }
    let target = match (&test.error, &test.violation) {
        (Some(error), _) => Some(&error.place),
        (None, violation) => violation.as_ref().map(|violation| &violation.place),
    };
    if let Some(target) = target
        && let Some((file, line, column)) = parts(target)
    {
        let function = at(sources, target)
            .and_then(|(source, token, _)| source.function_at(token))
            .map(|f| f.name.clone());
        let location = Location {
            file: file.to_owned(),
            line,
            column: Some(column),
            function,
            callee: None,
        };
        segments.push(follow(What::Target, None, location));
    }
    Witness {
        about,
        content: Content::Violation(segments),
    }
}

/// The call of a function at a token, or the next one in the same statement: the place of
/// an input may be that of the variable it goes to.
fn call_near(source: &CSource, token: usize, callee: &str) -> Option<usize> {
    let is_call = |t: &usize| {
        source.tokens[*t].kind == Kind::Word
            && source.word(*t) == callee
            && source.word(*t + 1) == "("
    };
    let mut statement = (token..source.tokens.len()).take_while(|t| source.word(*t) != ";");
    let after = statement.find(is_call);
    let line = source.tokens[token].line;
    let before = || {
        let mut on_line = (0..token)
            .rev()
            .take_while(|t| source.tokens[*t].line == line);
        on_line.find(is_call)
    };
    after.or_else(before)
}

/// A value as a constant of C; none for what C has no constant of.
fn constant(value: &str, ty: &str) -> Option<String> {
    let digits = value.trim_start_matches('-');
    let decimal = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    match ty {
        "float" | "double" => value
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite())
            .map(|v| format!("{v:?}")),
        "void *" => matches!(value, "0" | "0x0" | "NULL").then(|| "0".into()),
        _ if ty.contains("128") || !decimal => None,
        _ => {
            let number: i128 = value.parse().ok()?;
            Some(match number {
                n if n == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
                n if n == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
                n if n > i128::from(i64::MAX) => format!("{n}ULL"),
                n if n > i128::from(u32::MAX) || n < i128::from(i32::MIN) => format!("{n}LL"),
                n if n > i128::from(i32::MAX) => format!("{n}U"),
                n => n.to_string(),
            })
        }
    }
}

/// `file:line:column`.
fn parts(place: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

fn at<'a, 'p>(
    sources: &'a BTreeMap<String, CSource>,
    place: &'p str,
) -> Option<(&'a CSource, usize, &'p str)> {
    let (file, line, column) = parts(place)?;
    let source = sources.get(file)?;
    Some((source, source.at(line, column)?, file))
}
