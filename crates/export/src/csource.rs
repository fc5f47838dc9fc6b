//! C source as text: tokens, functions, statements and loops with their places.
//!
//! clang knows what a program means; this knows where its words are, for
//! witnesses that speak of a loop keyword's line and column, and for adding
//! their claims to the text ([`crate::instrument`]). Macros are not expanded:
//! what they hide is not found, and nothing is concluded from that.

use crate::tokens::tokens;
pub use crate::tokens::{Kind, Token};

/// What a statement begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Form {
    Block,
    If,
    Switch,
    While,
    For,
    Do,
    Label,
    Jump,
    /// An expression or a declaration.
    Plain,
}

/// A statement; numbers are those of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is.
    pub form: Form,
    /// Its first token,
    pub start: usize,
    /// and the one after its last.
    pub end: usize,
    /// It is directly inside of a block.
    pub in_block: bool,
    /// The parentheses of its condition or header.
    pub header: Option<(usize, usize)>,
}

impl Statement {
    /// It is a loop.
    pub fn is_loop(&self) -> bool {
        matches!(self.form, Form::While | Form::For | Form::Do)
    }
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The token of the name,
    pub named: usize,
    /// of the opening brace of its body,
    pub open: usize,
    /// and of the closing one.
    pub close: usize,
}

/// A C file.
#[derive(Clone, Debug)]
pub struct CSource {
    /// The text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Its functions in order.
    pub functions: Vec<Function>,
    /// Their statements in order of their starts.
    pub statements: Vec<Statement>,
}

/// Statements inside statements that are followed.
const DEEPEST: u32 = 500;

impl CSource {
    /// Reads a text.
    pub fn read(text: &str) -> CSource {
        let mut source = CSource {
            text: text.to_owned(),
            tokens: tokens(text),
            functions: Vec::new(),
            statements: Vec::new(),
        };
        source.find_functions();
        for function in source.functions.clone() {
            let mut reader = Reader {
                source: &source,
                found: Vec::new(),
            };
            let mut at = function.open + 1;
            while at < function.close {
                match reader.statement(at, true, 0) {
                    Some(next) if next > at => at = next,
                    _ => break,
                }
            }
            let found = reader.found;
            source.statements.extend(found);
        }
        source
            .statements
            .sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
        source
    }

    /// The text of a token; empty beyond the end.
    pub fn word(&self, token: usize) -> &str {
        self.tokens
            .get(token)
            .map_or("", |t| &self.text[t.start..t.end])
    }

    /// The text of some tokens.
    pub fn words(&self, from: usize, to: usize) -> &str {
        match (
            self.tokens.get(from),
            to.checked_sub(1).and_then(|t| self.tokens.get(t)),
        ) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end],
            _ => "",
        }
    }

    /// The token that begins at a place.
    pub fn at(&self, line: u32, column: u32) -> Option<usize> {
        let found = self
            .tokens
            .binary_search_by_key(&(line, column), |t| (t.line, t.column));
        found.ok()
    }

    /// The first token on a line.
    pub fn first_on(&self, line: u32) -> Option<usize> {
        let at = self.tokens.partition_point(|t| t.line < line);
        (self.tokens.get(at)?.line == line).then_some(at)
    }

    /// The function whose body has a token.
    pub fn function_at(&self, token: usize) -> Option<&Function> {
        let mut functions = self.functions.iter();
        functions.find(|f| f.named <= token && token <= f.close)
    }

    /// The statement that begins with a token; the outermost if there are several.
    pub fn statement_at(&self, token: usize) -> Option<&Statement> {
        self.statements.iter().find(|s| s.start == token)
    }

    /// The loop whose keyword is at a place.
    pub fn loop_at(&self, line: u32, column: u32) -> Option<&Statement> {
        let token = self.at(line, column)?;
        let mut all = self.statements.iter();
        all.find(|s| s.start == token && s.is_loop())
    }

    /// The closing sign that belongs to an opening one.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0u32;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The opening sign that belongs to a closing one.
    pub fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0u32;
        for at in (0..=close).rev() {
            match self.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The condition of a `for` loop, without its semicolons: its first token and the one
    /// after its last.
    pub fn for_condition(&self, statement: &Statement) -> Option<(usize, usize)> {
        let (open, close) = statement.header?;
        let mut depth = 0u32;
        let mut ends = Vec::new();
        for at in open + 1..close {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                ";" if depth == 0 => ends.push(at),
                _ => {}
            }
        }
        match ends.as_slice() {
            [first, second] => Some((first + 1, *second)),
            _ => None,
        }
    }

    fn find_functions(&mut self) {
        let mut at = 0;
        let mut begin = 0;
        // The name of a function whose old-style parameters are being declared.
        let mut old_style: Option<usize> = None;
        while at < self.tokens.len() {
            match self.word(at) {
                ";" => {
                    old_style = self.function_name(begin, at).or(old_style);
                    begin = at + 1;
                }
                "{" => {
                    let Some(close) = self.closing(at) else {
                        return;
                    };
                    let named = self.function_name(begin, at);
                    let empty = begin == at;
                    match named.or(old_style.filter(|_| empty)) {
                        Some(named) => {
                            self.functions.push(Function {
                                name: self.word(named).to_owned(),
                                named,
                                open: at,
                                close,
                            });
                            begin = close + 1;
                            old_style = None;
                        }
                        None if empty => begin = close + 1,
                        None => {}
                    }
                    at = close;
                }
                "(" | "[" => match self.closing(at) {
                    Some(close) => at = close,
                    None => return,
                },
                _ => {}
            }
            at += 1;
        }
    }

    /// The name of the function that these tokens declare, if they do.
    fn function_name(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        let mut found = None;
        while at < to {
            match self.word(at) {
                "=" | "typedef" => return None,
                "(" => {
                    let before = at.checked_sub(1).filter(|b| *b >= from)?;
                    let is_name = self.tokens[before].kind == Kind::Word
                        && !self.word(before).starts_with("__attribute")
                        && !matches!(
                            self.word(before),
                            "__asm__" | "asm" | "__declspec" | "_Alignas" | "__typeof__" | "typeof"
                        );
                    if is_name && found.is_none() {
                        found = Some(before);
                    }
                    at = self.closing(at)?;
                }
                "{" | "[" => at = self.closing(at)?,
                _ => {}
            }
            at += 1;
        }
        found
    }
}

struct Reader<'a> {
    source: &'a CSource,
    found: Vec<Statement>,
}

impl Reader<'_> {
    /// Reads the statement that begins here; the token after it.
    fn statement(&mut self, start: usize, in_block: bool, depth: u32) -> Option<usize> {
        if depth > DEEPEST || start >= self.source.tokens.len() {
            return None;
        }
        let slot = self.found.len();
        let form = self.form(start);
        self.found.push(Statement {
            form,
            start,
            end: start,
            in_block,
            header: None,
        });
        let (end, header) = self.rest(form, start, depth)?;
        self.found[slot].end = end;
        self.found[slot].header = header;
        Some(end)
    }

    fn form(&self, start: usize) -> Form {
        let source = self.source;
        match source.word(start) {
            "{" => Form::Block,
            "if" => Form::If,
            "switch" => Form::Switch,
            "while" => Form::While,
            "for" => Form::For,
            "do" => Form::Do,
            "case" | "default" => Form::Label,
            "return" | "goto" | "break" | "continue" => Form::Jump,
            _ if source.tokens[start].kind == Kind::Word && source.word(start + 1) == ":" => {
                Form::Label
            }
            _ => Form::Plain,
        }
    }

    fn rest(
        &mut self,
        form: Form,
        start: usize,
        depth: u32,
    ) -> Option<(usize, Option<(usize, usize)>)> {
        let source = self.source;
        let paren = |at: usize| match source.word(at) {
            "(" => source.closing(at).map(|close| (at, close)),
            _ => None,
        };
        match form {
            Form::Block => {
                let close = source.closing(start)?;
                let mut at = start + 1;
                while at < close {
                    at = self
                        .statement(at, true, depth + 1)
                        .filter(|next| *next > at)?;
                }
                Some((close + 1, None))
            }
            Form::If => {
                let header = paren(start + 1)?;
                let mut end = self.statement(header.1 + 1, false, depth + 1)?;
                // A chain of `else if` may be longer than any stack.
                while source.word(end) == "else" {
                    if source.word(end + 1) == "if" {
                        let inner = paren(end + 2)?;
                        let slot = self.found.len();
                        self.found.push(Statement {
                            form: Form::If,
                            start: end + 1,
                            end: end + 1,
                            in_block: false,
                            header: Some(inner),
                        });
                        end = self.statement(inner.1 + 1, false, depth + 1)?;
                        self.found[slot].end = end;
                    } else {
                        end = self.statement(end + 1, false, depth + 1)?;
                        break;
                    }
                }
                Some((end, Some(header)))
            }
            Form::Switch | Form::While | Form::For => {
                let header = paren(start + 1)?;
                let end = self.statement(header.1 + 1, false, depth + 1)?;
                Some((end, Some(header)))
            }
            Form::Do => {
                let end = self.statement(start + 1, false, depth + 1)?;
                if source.word(end) != "while" {
                    return None;
                }
                let header = paren(end + 1)?;
                Some((header.1 + 2, Some(header)))
            }
            Form::Label => {
                let mut at = start;
                while source.word(at) != ":" {
                    at += 1;
                    if at >= source.tokens.len() {
                        return None;
                    }
                }
                match source.word(at + 1) {
                    "}" => Some((at + 1, None)),
                    _ => Some((self.statement(at + 1, false, depth + 1)?, None)),
                }
            }
            Form::Jump | Form::Plain => {
                let mut at = start;
                while source.word(at) != ";" {
                    at = match source.word(at) {
                        "(" | "[" | "{" => source.closing(at)? + 1,
                        "" | "}" => return None,
                        _ => at + 1,
                    };
                }
                Some((at + 1, None))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
#include <stdio.h>
struct s { int x; };
int table[] = { 1, 2 };
static int f(int a) /* while (1) */ {
  for (int i = 0; i < a; i++) a--;
  do { a++; } while (a < \"}\"[0]);
  if (a) return 1; else if (a > 2) while (a) a--; else { a = 2; }
  return 0;
}
int old(a) int a; { L: goto L; }
";

    #[test]
    fn functions_and_loops() {
        let source = CSource::read(PROGRAM);
        let names: Vec<&str> = source.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["f", "old"]);
        let loops: Vec<(Form, u32, u32)> = source
            .statements
            .iter()
            .filter(|s| s.is_loop())
            .map(|s| {
                let token = source.tokens[s.start];
                (s.form, token.line, token.column)
            })
            .collect();
        assert_eq!(
            loops,
            [(Form::For, 5, 3), (Form::Do, 6, 3), (Form::While, 7, 36)]
        );
        let first = source.loop_at(5, 3).expect("the loop");
        let (from, to) = source.for_condition(first).expect("its condition");
        assert_eq!(source.words(from, to), "i < a");
        assert_eq!(
            source.words(first.start, first.end),
            "for (int i = 0; i < a; i++) a--;"
        );
    }

    #[test]
    fn damaged_text_ends() {
        for end in 0..PROGRAM.len() {
            CSource::read(&PROGRAM[..end]);
            CSource::read(&PROGRAM[end..]);
        }
    }
}
