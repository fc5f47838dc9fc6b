//! Metadata: numbered, named and inline nodes.
//!
//! Nodes are stored generically, as [`crate::debug`] describes. The elements of nodes without field
//! names, `!DIExpression(DW_OP_deref)` and `!DIArgList(...)`, are one field with an empty name, a
//! list. As an argument, a string or value is a tuple of that one element.

use super::types::is_type_word;
use super::{Reader, Res};
use crate::debug::{MdNode, MdValue};
use crate::ir::{MdId, Operand};
use crate::lexer::{Name, Pos, Tok};
use rustc_hash::FxHashMap;

/// The reader's data about metadata besides the nodes.
#[derive(Default)]
pub(super) struct Numbers {
    /// Nodes by their number in the text, with the place of the first use.
    by_number: FxHashMap<u32, (MdId, Pos)>,
    /// The node of `!DIExpression()`, which most files use a thousand times.
    empty_expression: Option<MdId>,
    /// Values used as metadata.
    pub operands: FxHashMap<MdId, Operand>,
}

impl<'a> Reader<'a> {
    pub(super) fn new_node(&mut self, node: MdNode) -> MdId {
        let id = MdId(self.module.metadata.nodes.len() as u32);
        self.module.metadata.nodes.push(node);
        id
    }

    fn numbered(&mut self, number: u32) -> MdId {
        if let Some(&(id, _)) = self.md.by_number.get(&number) {
            return id;
        }
        let id = self.new_node(MdNode::Forward);
        self.md.by_number.insert(number, (id, self.pos()));
        id
    }

    /// `!7 = ...` or `!llvm.name = !{...}`.
    pub(super) fn top_metadata(&mut self) -> Res<()> {
        if let Tok::Meta(name) = self.tok {
            self.advance()?;
            self.punct(b'=')?;
            if self.tok != Tok::Bang {
                return Err(self.fail("expected `!{`"));
            }
            self.advance()?;
            self.punct(b'{')?;
            let mut nodes = Vec::new();
            if !self.is(b'}') {
                loop {
                    nodes.push(self.metadata_node()?);
                    if !self.eat(b',')? {
                        break;
                    }
                }
            }
            self.punct(b'}')?;
            let list = self
                .module
                .metadata
                .named
                .entry(name.to_owned())
                .or_default();
            list.extend(nodes);
            return Ok(());
        }
        let Tok::MetaNumber(number) = self.tok else {
            return Err(self.fail("expected metadata"));
        };
        let id = self.numbered(number);
        if self.module.metadata.nodes[id.0 as usize] != MdNode::Forward {
            return Err(self.fail("this metadata is defined twice"));
        }
        self.advance()?;
        self.punct(b'=')?;
        self.eat_word("distinct")?;
        let node = match self.tok {
            Tok::Bang => {
                self.advance()?;
                MdNode::Tuple(self.tuple()?)
            }
            Tok::Meta(kind) => {
                self.advance()?;
                self.special(kind)?
            }
            _ => return Err(self.fail("expected a metadata node")),
        };
        self.module.metadata.nodes[id.0 as usize] = node;
        Ok(())
    }

    /// A node by number, or written inline.
    pub(super) fn metadata_node(&mut self) -> Res<MdId> {
        match self.tok {
            Tok::MetaNumber(number) => {
                let id = self.numbered(number);
                self.advance()?;
                Ok(id)
            }
            Tok::Meta(kind) => {
                self.advance()?;
                let node = self.nested(|r| r.special(kind))?;
                let empty = matches!(&node, MdNode::Special(kind, fields)
                    if kind == "DIExpression" && fields.is_empty());
                if !empty {
                    return Ok(self.new_node(node));
                }
                if let Some(id) = self.md.empty_expression {
                    return Ok(id);
                }
                let id = self.new_node(node);
                self.md.empty_expression = Some(id);
                Ok(id)
            }
            Tok::Bang => {
                self.advance()?;
                let elements = self.nested(Self::tuple)?;
                Ok(self.new_node(MdNode::Tuple(elements)))
            }
            Tok::Word("distinct") => {
                self.advance()?;
                match self.tok {
                    Tok::Meta(_) | Tok::Bang => self.metadata_node(),
                    _ => Err(self.fail("expected a metadata node")),
                }
            }
            _ => Err(self.fail("expected a metadata node")),
        }
    }

    /// The operand after `metadata` in an argument.
    pub(super) fn metadata_operand(&mut self) -> Res<MdId> {
        match self.tok {
            Tok::Bang if self.lexer.peek_byte() == b'"' => {
                self.advance()?;
                let text = self.string()?;
                Ok(self.new_node(MdNode::Tuple(vec![MdValue::Text(text)])))
            }
            Tok::Meta(_) | Tok::MetaNumber(_) | Tok::Bang => self.metadata_node(),
            _ => self.value_as_metadata(),
        }
    }

    /// `{ ... }` after the `!`.
    fn tuple(&mut self) -> Res<Vec<MdValue>> {
        self.punct(b'{')?;
        let mut elements = Vec::new();
        if !self.is(b'}') {
            loop {
                elements.push(self.element()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b'}')?;
        Ok(elements)
    }

    /// An element of a tuple.
    fn element(&mut self) -> Res<MdValue> {
        match self.tok {
            Tok::Word("null") => {
                self.advance()?;
                Ok(MdValue::Null)
            }
            Tok::Bang if self.lexer.peek_byte() == b'"' => {
                self.advance()?;
                self.string().map(MdValue::Text)
            }
            Tok::Meta(_) | Tok::MetaNumber(_) | Tok::Bang => {
                self.metadata_node().map(MdValue::Node)
            }
            _ => self.typed_metadata(),
        }
    }

    /// A typed value: a constant anywhere, a local inside a function.
    fn typed_metadata(&mut self) -> Res<MdValue> {
        let (ty, operand) = self.typed_operand()?;
        Ok(match operand {
            Operand::Const(id) => MdValue::Const(ty, id),
            Operand::Local(_) => MdValue::Local,
        })
    }

    /// `(...)` after `!DIsomething`.
    fn special(&mut self, kind: &'a str) -> Res<MdNode> {
        let nameless = matches!(kind, "DIExpression" | "DIArgList");
        if !nameless && !kind.starts_with("DI") && kind != "GenericDINode" {
            return Err(self.fail("expected a metadata node before this"));
        }
        self.punct(b'(')?;
        let mut fields: Vec<(String, MdValue)> = Vec::new();
        let mut elements = Vec::new();
        if !self.is(b')') {
            loop {
                if nameless {
                    elements.push(self.field_value()?);
                } else {
                    let Tok::Label(Name { raw, quoted: false }) = self.tok else {
                        return Err(self.fail("expected the name of a field"));
                    };
                    if fields.iter().any(|(name, _)| name == raw) {
                        return Err(self.fail("this field is given twice"));
                    }
                    self.advance()?;
                    let value = self.field_value()?;
                    fields.push((raw.to_owned(), value));
                }
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b')')?;
        if !elements.is_empty() {
            fields.push((String::new(), MdValue::List(elements)));
        }
        Ok(MdNode::Special(kind.to_owned(), fields))
    }

    fn field_value(&mut self) -> Res<MdValue> {
        match self.tok {
            Tok::Int(digits) => {
                let Ok(number) = digits.parse() else {
                    return Err(self.fail("this number is too large"));
                };
                self.advance()?;
                Ok(MdValue::Number(number))
            }
            Tok::Str(_) => self.string().map(MdValue::Text),
            Tok::Word("null") => {
                self.advance()?;
                Ok(MdValue::Null)
            }
            Tok::Word("distinct") => self.metadata_node().map(MdValue::Node),
            Tok::Word(word) if !is_type_word(word) => self.words(),
            Tok::Bang if self.lexer.peek_byte() == b'"' => {
                self.advance()?;
                self.string().map(MdValue::Text)
            }
            Tok::Meta(_) | Tok::MetaNumber(_) | Tok::Bang => {
                self.metadata_node().map(MdValue::Node)
            }
            Tok::Punct(b'{') => self.nested(Self::tuple).map(MdValue::List),
            _ => self.typed_metadata(),
        }
    }

    /// `DIFlagA | DIFlagB`.
    fn words(&mut self) -> Res<MdValue> {
        let mut text = String::new();
        loop {
            match self.tok {
                Tok::Word(word) | Tok::Int(word) => text.push_str(word),
                _ => return Err(self.fail("expected a word")),
            }
            self.advance()?;
            if !self.eat(b'|')? {
                return Ok(MdValue::Word(text));
            }
            text.push_str(" | ");
        }
    }

    pub(super) fn check_metadata_defined(&self) -> Res<()> {
        let mut first: Option<(u32, Pos)> = None;
        for (&number, &(id, pos)) in &self.md.by_number {
            let undefined = self.module.metadata.nodes[id.0 as usize] == MdNode::Forward;
            if undefined && first.is_none_or(|(_, p)| (pos.line, pos.column) < (p.line, p.column)) {
                first = Some((number, pos));
            }
        }
        match first {
            Some((number, pos)) => {
                let token = format!("!{number}");
                Err(self.fail_at(pos, &token, "this metadata is not defined"))
            }
            None => Ok(()),
        }
    }
}
