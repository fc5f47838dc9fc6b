//! The tokens of a rule, with their places.

use std::fmt;

/// A part of the text of a rule, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
}

impl Span {
    /// The smallest span with both in it.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start,
            end: other.end,
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or a word of the language.
    Name,
    /// `$1`, `$2`, ...
    Param(u32),
    /// `$return`.
    Return,
    /// A number or a character.
    Literal,
    /// A text in double quotes.
    Text,
    /// A line of the preprocessor.
    Directive,
    /// Anything else.
    Sign,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

/// What is wrong with a rule, on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlicError {
    /// The rule's file.
    pub file: String,
    /// The line, from 1; 0 if it is about the whole rule.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for SlicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}:{}: {}", self.file, self.column, self.message),
        }
    }
}

impl std::error::Error for SlicError {}

/// Line and column of a byte.
pub fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (line, before.len() - start + 1)
}

/// An error at a byte of the rule's text.
pub(crate) fn error(file: &str, text: &str, at: usize, message: impl Into<String>) -> SlicError {
    let (line, column) = place(text, at);
    SlicError {
        file: file.into(),
        line,
        column,
        message: message.into(),
    }
}

/// Signs of more than one character, longest first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// Reads the tokens of a text; the last one is [`Kind::End`].
pub(crate) fn tokens(file: &str, text: &str) -> Result<Vec<Token>, SlicError> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '\n' {
            fresh = true;
        }
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => at += end + 2,
                None => return Err(error(file, text, at, "the comment has no end")),
            }
            continue;
        } else if c == '#' && fresh {
            (Kind::Directive, directive(rest))
        } else if c == '$' {
            let length = 1 + word(&rest[1..]);
            match &rest[1..length] {
                "return" => (Kind::Return, length),
                number => match number.parse() {
                    Ok(n) if n >= 1 => (Kind::Param(n), length),
                    _ => {
                        let why = "after `$` comes the number of a parameter, from 1, or `return`";
                        return Err(error(file, text, at, why));
                    }
                },
            }
        } else if c.is_ascii_digit() {
            (Kind::Literal, word(rest))
        } else if c.is_ascii_alphabetic() || c == '_' {
            (Kind::Name, word(rest))
        } else if c == '"' || c == '\'' {
            let kind = if c == '"' { Kind::Text } else { Kind::Literal };
            match quoted(rest, c) {
                Some(length) => (kind, length),
                None => {
                    return Err(error(
                        file,
                        text,
                        at,
                        "the quotes are not closed on the line",
                    ));
                }
            }
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Sign, sign.len())
        } else if c.is_ascii_punctuation() && !"@`\\#".contains(c) {
            (Kind::Sign, 1)
        } else {
            let why = format!("`{c}` has no meaning in a rule");
            return Err(error(file, text, at, why));
        };
        fresh = false;
        let span = Span {
            start: at,
            end: at + length,
        };
        out.push(Token { kind, span });
        at += length;
    }
    let span = Span {
        start: text.len(),
        end: text.len(),
    };
    out.push(Token {
        kind: Kind::End,
        span,
    });
    Ok(out)
}

/// Bytes of a name or number.
fn word(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.find(|c| !part(c)).unwrap_or(text.len())
}

/// Bytes of a directive with the lines that continue it.
fn directive(text: &str) -> usize {
    let mut from = 0;
    loop {
        let end = text[from..].find('\n').map_or(text.len(), |n| from + n);
        if !text[..end].ends_with('\\') || end == text.len() {
            return end;
        }
        from = end + 1;
    }
}

/// Bytes of a text in quotes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(i + 1),
            _ => {}
        }
    }
    None
}
