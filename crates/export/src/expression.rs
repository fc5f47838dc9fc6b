//! Expressions of witnesses: text of others that is about to stand in a program.
//!
//! It must be one expression, without effects and calls. What macros may hide
//! is not seen here; whoever compiles it looks at what the program does more
//! often then.

use crate::csource::{CSource, Kind};
use crate::witness::{Location, Problem};

/// Says that a witness is wrong at a place.
pub(crate) fn wrong<T>(location: &Location, why: &str) -> Result<T, Problem> {
    let column = location.column.map_or(String::new(), |c| format!(":{c}"));
    Err(Problem::Wrong(format!(
        "{}:{}{column}: {why}",
        location.file, location.line
    )))
}

/// An expression that can stand in the text and changes nothing.
pub(crate) fn checked(expression: &str, location: &Location) -> Result<String, Problem> {
    let text = expression.replace("\\result", "__attest_result");
    let source = CSource::read(&text);
    let mut depth = 0i32;
    for (i, token) in source.tokens.iter().enumerate() {
        let word = source.word(i);
        match word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "++" | "--" => return wrong(location, "an expression of a witness has no effects"),
            "==" | "!=" | "<=" | ">=" => {}
            _ if token.kind == Kind::Sign && word.ends_with('=') => {
                return wrong(location, "an expression of a witness has no effects");
            }
            ";" | "{" | "}" | "#" | "\\" => {
                return wrong(location, "this is no expression");
            }
            _ => {}
        }
        let calls = token.kind == Kind::Word && source.word(i + 1) == "(";
        if calls && !matches!(word, "sizeof" | "_Alignof") {
            return wrong(location, "an expression of a witness calls no function");
        }
        if depth < 0 {
            return wrong(location, "the parentheses of an expression do not match");
        }
    }
    let odd = ["/*", "//", "\n", "\r", "\\", "#", "??"];
    if depth != 0 || source.tokens.is_empty() || odd.iter().any(|o| text.contains(o)) {
        return wrong(location, "this is no expression");
    }
    Ok(text)
}
