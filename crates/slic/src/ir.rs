//! Symbols in textual IR: where they are, and what their types are.
//!
//! Only names are looked for and only lines are told apart, so nothing here
//! depends on more of LLVM's syntax than `define`, `declare` and `call`.

/// A symbol in a text of IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symbol {
    /// The byte of its `@`.
    pub start: usize,
    /// The byte after its name.
    pub end: usize,
    /// The first byte of its line.
    pub line: usize,
    /// Whether it is the first symbol on its line.
    pub first: bool,
}

/// The symbols of a text, in order, with their names.
pub(crate) fn symbols(ir: &str) -> Vec<(&str, Symbol)> {
    let bytes = ir.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line, mut first) = (0, 0, true);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => (line, first) = (at + 1, true),
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'"' => at = quoted(bytes, at) - 1,
            b'@' => {
                let (name, end) = name(ir, at + 1);
                out.push((
                    name,
                    Symbol {
                        start: at,
                        end,
                        line,
                        first,
                    },
                ));
                first = false;
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    out
}

/// The byte after a text in quotes.
fn quoted(bytes: &[u8], start: usize) -> usize {
    let rest = bytes[start + 1..].iter().position(|b| *b == b'"');
    rest.map_or(bytes.len(), |n| start + n + 2)
}

/// The name that begins at a byte, and the byte after it.
fn name(ir: &str, start: usize) -> (&str, usize) {
    let bytes = ir.as_bytes();
    if bytes.get(start) == Some(&b'"') {
        let end = quoted(bytes, start);
        return (ir[start..end].trim_matches('"'), end);
    }
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"-$._".contains(b);
    let length = bytes[start..].iter().take_while(|b| part(b)).count();
    (&ir[start..start + length], (start + length).max(start))
}

/// The text of a line from a byte on.
pub(crate) fn line_from(ir: &str, start: usize) -> &str {
    ir[start..].split('\n').next().unwrap_or_default()
}

/// A function's result and parameters, as far as calls depend on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// The type of the result with its extension.
    pub result: String,
    /// The types of the parameters with their extensions; `...` if more may follow.
    pub parameters: Vec<String>,
}

/// The signature of the line that defines or declares the symbol.
pub(crate) fn signature(ir: &str, symbol: &Symbol) -> Signature {
    let before = words(&ir[symbol.line..symbol.start]);
    let list = bracketed(&ir[symbol.end..]);
    Signature {
        result: typed(&before, before.last()),
        parameters: split(list)
            .iter()
            .map(|p| {
                let words = words(p);
                typed(&words, words.first())
            })
            .collect(),
    }
}

/// A type with what changes how a value is passed.
fn typed(words: &[&str], ty: Option<&&str>) -> String {
    let matters = |w: &&str| {
        ["signext", "zeroext", "inreg"].contains(w)
            || w.starts_with("byval(")
            || w.starts_with("sret(")
    };
    let mut out = (*ty.unwrap_or(&"")).to_owned();
    for word in words.iter().filter(|w| matters(w)) {
        out.push(' ');
        // Structures have other names in other files.
        out.push_str(word.split('(').next().unwrap_or(word));
    }
    out
}

/// The inside of the parentheses that a text begins with.
pub(crate) fn bracketed(text: &str) -> &str {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return &text[1..i];
                }
            }
            _ => {}
        }
    }
    ""
}

/// The parts between commas outside of brackets; none of an empty text.
pub(crate) fn split(list: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (i, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(list[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(list[from..].trim());
    out.retain(|part| !part.is_empty());
    out
}

/// The words of a text; brackets with their inside belong to one word.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0, None);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        let blank = c.is_whitespace() && depth == 0;
        match (blank, from) {
            (true, Some(start)) => {
                out.push(&text[start..i]);
                from = None;
            }
            (false, None) => from = Some(i),
            _ => {}
        }
    }
    out.extend(from.map(|start| &text[start..]));
    out
}
