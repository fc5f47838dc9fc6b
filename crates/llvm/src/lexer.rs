//! Tokens of textual LLVM IR.
//!
//! The lexer borrows everything from the text: a token is a small copyable value, and escapes in
//! quoted names are only decoded on demand. As in LLVM, a word directly followed by a colon is a
//! label; this covers basic blocks and the fields of debug nodes (`line: 8`).

use std::borrow::Cow;
use std::fmt;

/// A name in the text, without its sigil and quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name<'a> {
    /// The characters, escapes not decoded.
    pub raw: &'a str,
    /// Whether it was quoted.
    pub quoted: bool,
}

impl<'a> Name<'a> {
    /// The decoded name. A name that is not UTF-8 keeps its escapes, so that no two names become
    /// equal by decoding.
    pub fn text(self) -> Cow<'a, str> {
        if !self.quoted || !self.raw.contains('\\') {
            return Cow::Borrowed(self.raw);
        }
        match String::from_utf8(unescape(self.raw)) {
            Ok(text) => Cow::Owned(text),
            Err(_) => Cow::Borrowed(self.raw),
        }
    }
}

/// Decodes `\xx` and `\\`; any other backslash stands for itself.
pub(crate) fn unescape(raw: &str) -> Vec<u8> {
    let bytes = raw.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        if b == b'\\' {
            if bytes.get(i + 1) == Some(&b'\\') {
                out.push(b'\\');
                i += 2;
                continue;
            }
            if let (Some(hi), Some(lo)) = (hex(bytes.get(i + 1)), hex(bytes.get(i + 2))) {
                out.push(hi << 4 | lo);
                i += 3;
                continue;
            }
        }
        out.push(b);
        i += 1;
    }
    out
}

fn hex(b: Option<&u8>) -> Option<u8> {
    let digit = char::from(*b?).to_digit(16)?;
    u8::try_from(digit).ok()
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok<'a> {
    /// The end of the text.
    Eof,
    /// A keyword, type or attribute.
    Word(&'a str),
    /// `name:`.
    Label(Name<'a>),
    /// `%name`.
    Local(Name<'a>),
    /// `@name`.
    Global(Name<'a>),
    /// `$name`.
    Comdat(Name<'a>),
    /// `!name`.
    Meta(&'a str),
    /// `!7`.
    MetaNumber(u32),
    /// A `!` alone, before `{` or a string.
    Bang,
    /// `#7`.
    Group(u32),
    /// `#dbg_declare`: the word without the `#`.
    Record(&'a str),
    /// `^7`.
    Summary(u32),
    /// `"text"`.
    Str(&'a str),
    /// `c"bytes"`.
    Bytes(&'a str),
    /// A decimal integer, with its sign.
    Int(&'a str),
    /// `u0x1F` or `s0x1F`.
    HexInt(&'a str),
    /// A float: decimal, or `0x` with an optional letter for its format.
    Float(&'a str),
    /// One of `( ) [ ] { } < > , = * | :`.
    Punct(u8),
    /// `...`.
    Ellipsis,
}

/// The position of a token: line and column from 1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Pos {
    pub line: u32,
    pub column: u32,
}

/// The error of the lexer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LexError {
    UnexpectedCharacter,
    UnterminatedString,
    NumberTooLarge,
    NameExpected,
    HexDigitsExpected,
}

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            LexError::UnexpectedCharacter => "no token starts with this character",
            LexError::UnterminatedString => "the string has no end",
            LexError::NumberTooLarge => "the number does not fit in 32 bits",
            LexError::NameExpected => "expected a name",
            LexError::HexDigitsExpected => "expected hexadecimal digits",
        })
    }
}

const KEYWORD: u8 = 1;
const LABEL: u8 = 2;
const DIGIT: u8 = 4;
const HEX: u8 = 8;

/// The classes of each byte.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        if b.is_ascii_alphanumeric() || b == b'_' {
            table[i] |= KEYWORD | LABEL;
        }
        if b == b'$' || b == b'.' || b == b'-' {
            table[i] |= LABEL;
        }
        if b.is_ascii_digit() {
            table[i] |= DIGIT;
        }
        if b.is_ascii_hexdigit() {
            table[i] |= HEX;
        }
        i += 1;
    }
    table
};

fn is(class: u8, b: u8) -> bool {
    CLASS[usize::from(b)] & class != 0
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    start: usize,
    line: u32,
    line_start: usize,
    pos: Pos,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer {
            text,
            at: 0,
            start: 0,
            line: 1,
            line_start: 0,
            pos: Pos { line: 1, column: 1 },
        }
    }

    /// The position of the last token.
    pub fn pos(&self) -> Pos {
        self.pos
    }

    /// The text of the last token, as far as it was read.
    pub fn token_text(&self) -> &'a str {
        self.slice(self.start, self.at)
    }

    /// The offset of the last token.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The text from an earlier [`Lexer::start`] to the end of the last token.
    pub fn text_from(&self, start: usize) -> &'a str {
        self.slice(start, self.at)
    }

    /// The first byte of the token after this one.
    pub fn peek_byte(&self) -> u8 {
        let mut ahead = self.clone();
        ahead.skip_space();
        ahead.byte(0)
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn newline(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            match b {
                b'\n' => {
                    self.at += 1;
                    self.newline();
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    while bytes.get(self.at).is_some_and(|&b| b != b'\n') {
                        self.at += 1;
                    }
                }
                _ => break,
            }
        }
    }

    fn take(&mut self, class: u8) -> &'a str {
        let from = self.at;
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|&b| is(class, b)) {
            self.at += 1;
        }
        self.slice(from, self.at)
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Tok<'a>, LexError> {
        self.skip_space();
        self.start = self.at;
        let column = u32::try_from(self.at - self.line_start + 1).unwrap_or(u32::MAX);
        self.pos = Pos {
            line: self.line,
            column,
        };
        if self.at >= self.text.len() {
            return Ok(Tok::Eof);
        }
        let b = self.byte(0);
        match b {
            b'%' => self.sigil().map(Tok::Local),
            b'@' => self.sigil().map(Tok::Global),
            b'!' => self.bang(),
            b'#' => self.hash(),
            b'^' => {
                self.at += 1;
                self.number().map(Tok::Summary)
            }
            b'"' => self.quoted(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'|'
            | b':' => {
                self.at += 1;
                Ok(Tok::Punct(b))
            }
            b'+' => self.decimal(),
            b'0'..=b'9' | b'-' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' | b'$' => self.word(b),
            _ => {
                self.at += self.text[self.at..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
                Err(LexError::UnexpectedCharacter)
            }
        }
    }

    fn number(&mut self) -> Result<u32, LexError> {
        let digits = self.take(DIGIT);
        if digits.is_empty() {
            return Err(LexError::NameExpected);
        }
        digits.parse().map_err(|_| LexError::NumberTooLarge)
    }

    /// After `%`, `@` or `$`: a plain or quoted name.
    fn sigil(&mut self) -> Result<Name<'a>, LexError> {
        self.at += 1;
        if self.byte(0) == b'"' {
            let raw = self.string()?;
            return Ok(Name { raw, quoted: true });
        }
        let raw = self.take(LABEL);
        if raw.is_empty() {
            Err(LexError::NameExpected)
        } else {
            Ok(Name { raw, quoted: false })
        }
    }

    /// At a quote: the text up to the next one. LLVM writes a quote as `\22`, so no escape contains
    /// one.
    fn string(&mut self) -> Result<&'a str, LexError> {
        let from = self.at + 1;
        let rest = self.text.get(from..).unwrap_or_default();
        let Some(length) = rest.find('"') else {
            self.at = from;
            return Err(LexError::UnterminatedString);
        };
        let raw = &rest[..length];
        self.at = from + length + 1;
        if let Some(last) = raw.rfind('\n') {
            let count = raw.bytes().filter(|&b| b == b'\n').count();
            self.line = self
                .line
                .saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            self.line_start = from + last + 1;
        }
        Ok(raw)
    }

    fn quoted(&mut self) -> Result<Tok<'a>, LexError> {
        let raw = self.string()?;
        if self.byte(0) == b':' {
            self.at += 1;
            return Ok(Tok::Label(Name { raw, quoted: true }));
        }
        Ok(Tok::Str(raw))
    }

    fn bang(&mut self) -> Result<Tok<'a>, LexError> {
        self.at += 1;
        let b = self.byte(0);
        if is(DIGIT, b) {
            return self.number().map(Tok::MetaNumber);
        }
        let from = self.at;
        loop {
            self.take(LABEL);
            if self.byte(0) != b'\\' {
                break;
            }
            self.at += 1;
        }
        let name = self.slice(from, self.at);
        Ok(if name.is_empty() {
            Tok::Bang
        } else {
            Tok::Meta(name)
        })
    }

    fn hash(&mut self) -> Result<Tok<'a>, LexError> {
        self.at += 1;
        if is(DIGIT, self.byte(0)) {
            return self.number().map(Tok::Group);
        }
        let word = self.take(KEYWORD);
        if word.is_empty() {
            Err(LexError::NameExpected)
        } else {
            Ok(Tok::Record(word))
        }
    }

    /// A label, number, keyword, comdat or ellipsis: a token that starts with a label character.
    fn word(&mut self, first: u8) -> Result<Tok<'a>, LexError> {
        let from = self.at;
        let raw = self.take(LABEL);
        if self.byte(0) == b':' {
            self.at += 1;
            return Ok(Tok::Label(Name { raw, quoted: false }));
        }
        self.at = from;
        match first {
            b'0'..=b'9' | b'-' => self.decimal(),
            b'$' => {
                let name = self.sigil()?;
                if name.quoted && self.byte(0) == b':' {
                    return Err(LexError::UnexpectedCharacter);
                }
                Ok(Tok::Comdat(name))
            }
            b'.' if raw.starts_with("...") => {
                self.at += 3;
                Ok(Tok::Ellipsis)
            }
            b'.' => {
                self.at += 1;
                Err(LexError::UnexpectedCharacter)
            }
            _ => self.keyword(),
        }
    }

    fn keyword(&mut self) -> Result<Tok<'a>, LexError> {
        let word = self.take(KEYWORD);
        if word == "c" && self.byte(0) == b'"' {
            return self.string().map(Tok::Bytes);
        }
        if let Some(digits) = word.get(1..).and_then(|w| w.strip_prefix("0x")) {
            let kind = word.as_bytes()[0];
            if matches!(kind, b'u' | b's' | b'f') {
                if digits.is_empty() || !digits.bytes().all(|b| is(HEX, b)) {
                    return Err(LexError::HexDigitsExpected);
                }
                return Ok(if kind == b'f' {
                    Tok::Float(word)
                } else {
                    Tok::HexInt(word)
                });
            }
        }
        Ok(Tok::Word(word))
    }

    /// An integer, a decimal float, or a hexadecimal float.
    fn decimal(&mut self) -> Result<Tok<'a>, LexError> {
        let from = self.at;
        if self.byte(0) == b'0' && self.byte(1) == b'x' {
            self.at += 2;
            if matches!(self.byte(0), b'K' | b'L' | b'M' | b'H' | b'R') {
                self.at += 1;
            }
            return match self.take(HEX) {
                "" => Err(LexError::HexDigitsExpected),
                _ => Ok(Tok::Float(self.slice(from, self.at))),
            };
        }
        if matches!(self.byte(0), b'-' | b'+') {
            self.at += 1;
        }
        if self.take(DIGIT).is_empty() {
            return Err(LexError::UnexpectedCharacter);
        }
        if self.byte(0) != b'.' {
            return Ok(Tok::Int(self.slice(from, self.at)));
        }
        self.at += 1;
        self.take(DIGIT);
        if matches!(self.byte(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(1), b'-' | b'+'));
            if is(DIGIT, self.byte(1 + sign)) {
                self.at += 1 + sign;
                self.take(DIGIT);
            }
        }
        Ok(Tok::Float(self.slice(from, self.at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Tok]) {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.next() {
                Ok(Tok::Eof) => break,
                Ok(token) => tokens.push(token),
                Err(e) => panic!("{text}: {e}"),
            }
        }
        assert_eq!(tokens, expected, "{text}");
    }

    fn plain(raw: &str) -> Name<'_> {
        Name { raw, quoted: false }
    }

    #[test]
    fn tokens() {
        check(
            "%a = i32 ; c",
            &[Tok::Local(plain("a")), Tok::Punct(b'='), Tok::Word("i32")],
        );
        check(
            "if.then: -5: ",
            &[Tok::Label(plain("if.then")), Tok::Label(plain("-5"))],
        );
        check(
            "-5 1.5e-03 0xK4000",
            &[Tok::Int("-5"), Tok::Float("1.5e-03"), Tok::Float("0xK4000")],
        );
        check(
            "u0xFF c\"a\\00\"",
            &[Tok::HexInt("u0xFF"), Tok::Bytes("a\\00")],
        );
        check(
            "!{ !7 !dbg",
            &[
                Tok::Bang,
                Tok::Punct(b'{'),
                Tok::MetaNumber(7),
                Tok::Meta("dbg"),
            ],
        );
        check("#0 #dbg_value", &[Tok::Group(0), Tok::Record("dbg_value")]);
        check(
            "... $c ^0",
            &[Tok::Ellipsis, Tok::Comdat(plain("c")), Tok::Summary(0)],
        );
        check(
            "@\"a b\"",
            &[Tok::Global(Name {
                raw: "a b",
                quoted: true,
            })],
        );
        check(
            "DW_OP_x|1",
            &[Tok::Word("DW_OP_x"), Tok::Punct(b'|'), Tok::Int("1")],
        );
    }

    #[test]
    fn errors() {
        for text in [
            "%",
            "\"abc",
            "!99999999999",
            "é",
            "0x",
            ".x",
            "-",
            "#",
            "u0xZ",
        ] {
            let mut lexer = Lexer::new(text);
            assert!(lexer.next().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_decoded() {
        let name = |raw| Name { raw, quoted: true }.text().into_owned();
        assert_eq!(name("a\\20b\\\\"), "a b\\");
        assert_eq!(name("\\FF"), "\\FF");
        assert_eq!(unescape("\\zz\\4"), b"\\zz\\4");
    }

    #[test]
    fn positions() {
        let mut lexer = Lexer::new("a\n \"x\ny\" b");
        let _ = lexer.next();
        let _ = lexer.next();
        assert_eq!(lexer.pos(), Pos { line: 2, column: 2 });
        let _ = lexer.next();
        assert_eq!(lexer.pos(), Pos { line: 3, column: 4 });
    }
}
