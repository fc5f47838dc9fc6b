//! The declaration of a function in a rule: `int open(const char *path, int flags, ...);`
//!
//! The parameters of its wrapper have the same types and the names `$1`, `$2`,
//! ..., which clang takes for names like any other.

use crate::lexer::{Kind, Span, Token};

/// A function that a rule declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prototype {
    /// Its name.
    pub name: String,
    /// The type of its result in C.
    pub result: String,
    /// Its parameters in C, named `$1`, `$2`, ...
    pub parameters: Vec<String>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Where its name stands.
    pub span: Span,
}

impl Prototype {
    /// Whether it has a result.
    pub fn has_result(&self) -> bool {
        self.result != "void"
    }
}

/// Keywords, which are no names of parameters.
const TYPES: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "const",
    "volatile",
    "restrict",
    "struct",
    "union",
    "enum",
    "bool",
    "size_t",
    "__restrict",
];

/// The prototype that the tokens of a declaration are, if they are one. The
/// tokens do not include the semicolon.
pub(crate) fn read(text: &str, tokens: &[Token]) -> Result<Option<Prototype>, (usize, String)> {
    let word = |t: &Token| &text[t.span.start..t.span.end];
    if tokens.first().is_some_and(|t| word(t) == "typedef") {
        return Ok(None);
    }
    let Some(open) = tokens.iter().position(|t| word(t) == "(" || word(t) == "{") else {
        return Ok(None);
    };
    if word(&tokens[open]) == "{" || open == 0 {
        return Ok(None);
    }
    let name = tokens[open - 1];
    if name.kind != Kind::Name || open < 2 {
        return Ok(None);
    }
    if word(&tokens[tokens.len() - 1]) != ")" {
        let why = "after the parameters of a function comes `;`";
        return Err((tokens[tokens.len() - 1].span.start, why.into()));
    }
    let result: Vec<&str> = tokens[..open - 1].iter().map(word).collect();
    let result = result.into_iter().filter(|w| *w != "extern");
    let mut prototype = Prototype {
        name: word(&name).into(),
        result: result.collect::<Vec<_>>().join(" "),
        parameters: Vec::new(),
        variadic: false,
        span: name.span,
    };
    for parameter in split(text, &tokens[open + 1..tokens.len() - 1]) {
        match parameter {
            [only] if word(only) == "void" => {}
            [only] if word(only) == "..." => prototype.variadic = true,
            [] => {
                let at = tokens[open].span.start;
                return Err((at, "a parameter is missing; write `(void)` for none".into()));
            }
            parameter => {
                let number = prototype.parameters.len() + 1;
                prototype.parameters.push(named(text, parameter, number)?);
            }
        }
    }
    Ok(Some(prototype))
}

/// The parts between commas that are not inside parentheses.
fn split<'a>(text: &str, tokens: &'a [Token]) -> Vec<&'a [Token]> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        match &text[token.span.start..token.span.end] {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                out.push(&tokens[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(&tokens[from..]);
    out
}

/// A parameter with the name `$number`.
fn named(text: &str, tokens: &[Token], number: usize) -> Result<String, (usize, String)> {
    let words: Vec<&str> = tokens
        .iter()
        .map(|t| &text[t.span.start..t.span.end])
        .collect();
    let name = format!("${number}");
    // A pointer to a function: the name is behind its star.
    if let Some(star) = words.windows(2).position(|w| w == ["(", "*"]) {
        let mut out: Vec<&str> = words[..star + 2].to_vec();
        out.push(&name);
        let is_name = tokens[star + 2].kind == Kind::Name;
        out.extend(&words[star + 2 + usize::from(is_name)..]);
        return Ok(out.join(" "));
    }
    if words.contains(&"[") {
        let why = "write the parameter as a pointer, not as an array";
        return Err((tokens[0].span.start, why.into()));
    }
    let last = words.len() - 1;
    let is_type = |i: usize| {
        let after_tag = i > 0 && ["struct", "union", "enum"].contains(&words[i - 1]);
        tokens[i].kind != Kind::Name || TYPES.contains(&words[i]) || after_tag
    };
    // What remains without the last word must still name a type.
    let qualifiers = ["const", "volatile", "restrict", "__restrict"];
    let types = (0..last).any(|i| tokens[i].kind == Kind::Name && !qualifiers.contains(&words[i]));
    let end = if last > 0 && !is_type(last) && types {
        last
    } else {
        last + 1
    };
    Ok(format!("{} {name}", words[..end].join(" ")))
}
