//! Debug records: `#dbg_declare(...)` of newer clangs and calls of `llvm.dbg.declare` of older ones
//! become the same [`DbgRecord`].

use super::{Reader, Res};
use crate::debug::{MdNode, MdValue};
use crate::ir::{Call, DbgKind, DbgRecord, InstKind, MdId, Operand};
use crate::lexer::Tok;

impl Reader<'_> {
    /// A record and its debug location, with `#dbg_...` as the current token.
    pub(super) fn debug_record(&mut self, word: &str) -> Res<(InstKind, Option<MdId>)> {
        let kind = match word {
            "dbg_declare" => DbgKind::Declare,
            "dbg_value" => DbgKind::Value,
            "dbg_assign" => DbgKind::Assign,
            "dbg_label" => DbgKind::Label,
            _ => return Err(self.fail("unknown debug record")),
        };
        self.advance()?;
        self.punct(b'(')?;
        let mut record = DbgRecord {
            kind,
            value: None,
            subject: None,
            plain: false,
        };
        if kind != DbgKind::Label {
            record.value = self.record_value()?;
            self.punct(b',')?;
        }
        record.subject = Some(self.metadata_node()?);
        self.punct(b',')?;
        if kind != DbgKind::Label {
            let expression = self.metadata_node()?;
            record.plain = self.is_plain(expression);
            self.punct(b',')?;
        }
        if kind == DbgKind::Assign {
            self.metadata_node()?;
            self.punct(b',')?;
            self.record_value()?;
            self.punct(b',')?;
            self.metadata_node()?;
            self.punct(b',')?;
        }
        let location = self.metadata_node()?;
        self.punct(b')')?;
        Ok((InstKind::Dbg(record), Some(location)))
    }

    /// The first operand of a record: a value, or metadata instead.
    fn record_value(&mut self) -> Res<Option<Operand>> {
        match self.tok {
            Tok::Meta(_) | Tok::MetaNumber(_) | Tok::Bang => {
                self.metadata_node()?;
                Ok(None)
            }
            _ => self.typed_operand().map(|(_, value)| Some(value)),
        }
    }

    /// The record for a call of `llvm.dbg.KIND`.
    pub(super) fn debug_call(&mut self, kind: &str, call: &Call) -> Res<InstKind> {
        let nodes = self.metadata_args(call);
        let (kind, value, subject, expression) = match (kind, nodes.as_slice()) {
            ("declare" | "addr", &[value, subject, expression]) => {
                (DbgKind::Declare, Some(value), subject, Some(expression))
            }
            ("value", &[value, subject, expression]) => {
                (DbgKind::Value, Some(value), subject, Some(expression))
            }
            ("assign", &[value, subject, expression, _, _, _]) => {
                (DbgKind::Assign, Some(value), subject, Some(expression))
            }
            ("label", &[subject]) => (DbgKind::Label, None, subject, None),
            _ => return Err(self.fail("unknown form of a debug call before this")),
        };
        let value = value.and_then(|node| self.md.operands.get(&node).copied());
        let plain = expression.is_some_and(|node| self.is_plain(node));
        Ok(InstKind::Dbg(DbgRecord {
            kind,
            value,
            subject: Some(subject),
            plain,
        }))
    }

    /// Whether a node is `!DIExpression()`.
    fn is_plain(&self, node: MdId) -> bool {
        match &self.module.metadata.nodes[node.0 as usize] {
            MdNode::Special(kind, fields) => kind == "DIExpression" && fields.is_empty(),
            _ => false,
        }
    }

    /// A node for a value used as metadata, and the value itself while the function is read.
    pub(super) fn value_as_metadata(&mut self) -> Res<MdId> {
        let (ty, operand) = self.typed_operand()?;
        let value = match operand {
            Operand::Local(_) => MdValue::Local,
            Operand::Const(id) => MdValue::Const(ty, id),
        };
        let node = self.new_node(MdNode::Tuple(vec![value]));
        self.md.operands.insert(node, operand);
        Ok(node)
    }
}
