//! The words and signs of a C file, with their places; comments and directives are passed over.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number, character or string.
    Literal,
    /// Punctuation, one character each, except where C has longer signs.
    Sign,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte in the text,
    pub start: usize,
    /// and the one after its last.
    pub end: usize,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in bytes, from 1.
    pub column: u32,
}

const LONG_SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 1u32, 0);
    let mut fresh = true;
    while at < bytes.len() {
        let start = at;
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
        let begin = (line, (start - line_start) as u32 + 1);
        let mut kind = None;
        match bytes[at] {
            b'\n' => {
                line += 1;
                line_start = at + 1;
                fresh = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'\\' => at += 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            b'#' if fresh => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = at.min(bytes.len());
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                kind = Some(Kind::Literal);
            }
            b if b.is_ascii_digit() => {
                let exponent = |at: usize| matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
                while at < bytes.len()
                    && (is_word(bytes[at])
                        || bytes[at] == b'.'
                        || (matches!(bytes[at], b'+' | b'-') && exponent(at)))
                {
                    at += 1;
                }
                kind = Some(Kind::Literal);
            }
            b if is_word(b) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                kind = Some(Kind::Word);
            }
            _ => {
                let long = LONG_SIGNS.iter().find(|s| text[at..].starts_with(**s));
                at += long.map_or(1, |s| s.len());
                kind = Some(Kind::Sign);
            }
        }
        let passed = &bytes[start..at];
        line += passed.iter().filter(|b| **b == b'\n').count() as u32;
        if let Some(last) = passed.iter().rposition(|b| *b == b'\n') {
            line_start = start + last + 1;
        }
        if let Some(kind) = kind {
            fresh = false;
            out.push(Token {
                kind,
                start,
                end: at,
                line: begin.0,
                column: begin.1,
            });
        }
    }
    out
}
