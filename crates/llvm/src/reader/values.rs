//! Operands: a constant or a local value. The text always gives the type first, so a local can be
//! used before its definition.

use super::{Reader, Res};
use crate::ir::{BlockId, ConstId, LocalId, Operand, Ty, TypeKind};
use crate::lexer::{Name, Tok};

impl<'a> Reader<'a> {
    /// A value of this type.
    pub(super) fn operand(&mut self, ty: Ty) -> Res<Operand> {
        match self.tok {
            Tok::Local(name) => self.local(name, ty).map(Operand::Local),
            _ => self.const_value(ty).map(Operand::Const),
        }
    }

    /// A type and a value of it.
    pub(super) fn typed_operand(&mut self) -> Res<(Ty, Operand)> {
        let ty = self.ty()?;
        let operand = self.operand(ty)?;
        Ok((ty, operand))
    }

    /// A type and a constant of it.
    pub(super) fn typed_const(&mut self) -> Res<(Ty, ConstId)> {
        let ty = self.ty()?;
        let id = self.const_value(ty)?;
        Ok((ty, id))
    }

    /// A typed value whose type must satisfy a predicate.
    pub(super) fn typed_operand_of(
        &mut self,
        expected: &str,
        fits: impl FnOnce(&TypeKind) -> bool,
    ) -> Res<(Ty, Operand)> {
        let (pos, text) = (self.pos(), self.lexer.token_text());
        let (ty, operand) = self.typed_operand()?;
        if !fits(self.module.types.kind(ty)) {
            return Err(self.fail_at(pos, text, &format!("expected {expected}")));
        }
        Ok((ty, operand))
    }

    /// A typed pointer.
    pub(super) fn pointer(&mut self) -> Res<Operand> {
        let (_, operand) =
            self.typed_operand_of("a pointer", |kind| matches!(kind, TypeKind::Ptr(_)))?;
        Ok(operand)
    }

    fn local(&mut self, name: Name<'a>, ty: Ty) -> Res<LocalId> {
        if !self.body.active {
            return Err(self.fail("a local value outside of a function"));
        }
        let text = name.text();
        let id = match self.body.names.get(text.as_ref()) {
            Some(&id) => id,
            None => {
                let first_class = !matches!(
                    self.module.types.kind(ty),
                    TypeKind::Void
                        | TypeKind::Label
                        | TypeKind::Metadata
                        | TypeKind::Function { .. }
                );
                if !first_class {
                    return Err(self.fail("no value has this type"));
                }
                let pos = self.pos();
                self.body.mention(text, ty, pos)
            }
        };
        let known = self.body.locals[id.0 as usize].ty;
        if known != ty {
            let (known, ty) = (self.show(known), self.show(ty));
            return Err(self.fail(&format!("this value has type {known}, not {ty}")));
        }
        self.advance()?;
        Ok(id)
    }

    /// `%block`, where only a block is allowed.
    pub(super) fn label_name(&mut self) -> Res<BlockId> {
        let Tok::Local(name) = self.tok else {
            return Err(self.fail("expected a block"));
        };
        if !self.body.active {
            return Err(self.fail("a block outside of a function"));
        }
        let pos = self.pos();
        let id = self.body.label(name.text(), pos);
        self.advance()?;
        Ok(id)
    }

    /// `label %block`.
    pub(super) fn label(&mut self) -> Res<BlockId> {
        self.word("label")?;
        self.label_name()
    }
}
