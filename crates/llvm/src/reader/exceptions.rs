//! Instructions of exceptions, as C++ and Rust use them.
//!
//! They are read completely, so that a program with them can be loaded, but only their opcode and
//! successors are kept: the model does not support them.

use super::insts::Parsed;
use super::{Reader, Res};
use crate::ir::{BlockId, InstKind};
use crate::lexer::Tok;

impl Reader<'_> {
    pub(super) fn landing_pad(&mut self) -> Res<Parsed> {
        let ty = self.ty()?;
        self.eat_word("cleanup")?;
        while let Tok::Word("catch" | "filter") = self.tok {
            self.advance()?;
            self.typed_operand()?;
        }
        Ok((InstKind::Exception("landingpad".to_owned()), ty))
    }

    pub(super) fn resume(&mut self) -> Res<Parsed> {
        self.typed_operand()?;
        Ok(self.terminator("resume", Vec::new()))
    }

    /// `within %pad [T v, ...]` of `catchpad` and `cleanuppad`.
    pub(super) fn funclet_pad(&mut self, opcode: &str) -> Res<Parsed> {
        self.word("within")?;
        self.operand(self.common.token)?;
        self.punct(b'[')?;
        if !self.is(b']') {
            loop {
                let ty = self.ty()?;
                if ty == self.common.metadata {
                    self.metadata_operand()?;
                } else {
                    self.operand(ty)?;
                }
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b']')?;
        Ok((InstKind::Exception(opcode.to_owned()), self.common.token))
    }

    pub(super) fn catch_switch(&mut self) -> Res<Parsed> {
        self.word("within")?;
        self.operand(self.common.token)?;
        let mut targets = self.label_list()?;
        self.unwind(&mut targets)?;
        let kind = InstKind::ExceptionTerminator("catchswitch".to_owned(), targets);
        Ok((kind, self.common.token))
    }

    pub(super) fn catch_ret(&mut self) -> Res<Parsed> {
        self.word("from")?;
        self.operand(self.common.token)?;
        self.word("to")?;
        let target = self.label()?;
        Ok(self.terminator("catchret", vec![target]))
    }

    pub(super) fn cleanup_ret(&mut self) -> Res<Parsed> {
        self.word("from")?;
        self.operand(self.common.token)?;
        let mut targets = Vec::new();
        self.unwind(&mut targets)?;
        Ok(self.terminator("cleanupret", targets))
    }

    /// `unwind label %b` or `unwind to caller`.
    fn unwind(&mut self, targets: &mut Vec<BlockId>) -> Res<()> {
        self.word("unwind")?;
        if self.eat_word("to")? {
            return self.word("caller");
        }
        targets.push(self.label()?);
        Ok(())
    }

    fn terminator(&self, opcode: &str, targets: Vec<BlockId>) -> Parsed {
        (
            InstKind::ExceptionTerminator(opcode.to_owned(), targets),
            self.common.void,
        )
    }
}
