//! S-expressions, read into one flat list.
//!
//! The nodes are in the order of the text and each knows where its subtree ends, so reading and
//! walking need no recursion, however deep the nesting.

use super::parse::ParseError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An unquoted symbol, number or keyword.
    Atom,
    /// The text between two bars.
    Quoted,
    /// The text between two quotation marks; doubled ones inside stay doubled.
    Text,
    List,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// Where the text starts and ends, without delimiters.
    pub start: usize,
    stop: usize,
    /// The node after this one's subtree.
    next: usize,
}

/// Expressions of a text.
pub struct Sexps<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

impl<'a> Sexps<'a> {
    /// Reads all expressions of the text.
    pub fn read(text: &'a str) -> Result<Sexps<'a>, ParseError> {
        let bytes = text.as_bytes();
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b';' => at += find(&bytes[at..], |byte| byte == b'\n').unwrap_or(bytes.len() - at),
                b'(' => {
                    open.push(nodes.len());
                    nodes.push(Node {
                        kind: Kind::List,
                        start,
                        stop: start,
                        next: 0,
                    });
                    at += 1;
                }
                b')' => {
                    let list = open.pop().ok_or_else(|| error(text, at, "unmatched )"))?;
                    (nodes[list].stop, nodes[list].next) = (at, nodes.len());
                    at += 1;
                }
                delimiter @ (b'|' | b'"') => {
                    let mut stop = at + 1;
                    loop {
                        let end = find(&bytes[stop..], |byte| byte == delimiter)
                            .ok_or_else(|| error(text, start, "unterminated quotation"))?;
                        stop += end;
                        // A quotation mark in a string is doubled.
                        if delimiter == b'|' || bytes.get(stop + 1) != Some(&b'"') {
                            break;
                        }
                        stop += 2;
                    }
                    let kind = if delimiter == b'|' {
                        Kind::Quoted
                    } else {
                        Kind::Text
                    };
                    let next = nodes.len() + 1;
                    nodes.push(Node {
                        kind,
                        start: at + 1,
                        stop,
                        next,
                    });
                    at = stop + 1;
                }
                _ => {
                    let ends = |byte: u8| byte.is_ascii_whitespace() || b"()|\";".contains(&byte);
                    at += find(&bytes[at..], ends).unwrap_or(bytes.len() - at);
                    let next = nodes.len() + 1;
                    // At least one byte, so that every input is consumed.
                    at = at.max(start + 1);
                    nodes.push(Node {
                        kind: Kind::Atom,
                        start,
                        stop: at,
                        next,
                    });
                }
            }
        }
        match open.pop() {
            Some(list) => Err(error(text, nodes[list].start, "unmatched (")),
            None => Ok(Sexps { text, nodes }),
        }
    }

    /// The outermost expressions.
    pub fn top(&self) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: 0,
            end: self.nodes.len(),
        }
    }

    /// The expressions of a list; none for an atom.
    pub fn children(&self, node: usize) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: node + 1,
            end: self.nodes[node].next,
        }
    }

    pub(super) fn node(&self, node: usize) -> Node {
        self.nodes[node]
    }

    /// The text of a word; none for anything else.
    pub fn atom(&self, node: usize) -> Option<&'a str> {
        let Node {
            kind, start, stop, ..
        } = self.nodes[node];
        (kind == Kind::Atom).then(|| &self.text[start..stop])
    }

    /// The text of a node between its delimiters.
    pub fn text(&self, node: usize) -> &'a str {
        &self.text[self.nodes[node].start..self.nodes[node].stop]
    }

    pub(super) fn error(&self, node: usize, message: &str) -> ParseError {
        error(self.text, self.nodes[node].start, message)
    }
}

fn find(bytes: &[u8], test: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.iter().position(|&byte| test(byte))
}

fn error(text: &str, at: usize, message: &str) -> ParseError {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let column = 1 + before
        .iter()
        .rev()
        .take_while(|&&byte| byte != b'\n')
        .count();
    ParseError {
        line,
        column,
        message: message.to_owned(),
    }
}

/// The indices of sibling nodes.
pub struct Children<'a> {
    nodes: &'a [Node],
    at: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.at >= self.end {
            return None;
        }
        let node = self.at;
        self.at = self.nodes[node].next;
        Some(node)
    }
}
