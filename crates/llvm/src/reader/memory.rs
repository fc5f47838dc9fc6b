//! Instructions on memory: `alloca`, `load`, `store`, `getelementptr`, atomics.

use super::insts::Parsed;
use super::{Reader, Res};
use crate::ir::{Access, InstKind, Operand, Ordering, StructBody, Ty, TypeKind};
use crate::lexer::Tok;

/// The operations of `atomicrmw`.
const RMW: &[&str] = &[
    "add",
    "and",
    "fadd",
    "fmax",
    "fmaximum",
    "fmaximumnum",
    "fmin",
    "fminimum",
    "fminimumnum",
    "fsub",
    "max",
    "min",
    "nand",
    "or",
    "sub",
    "udec_wrap",
    "uinc_wrap",
    "umax",
    "umin",
    "usub_cond",
    "usub_sat",
    "xchg",
    "xor",
];

impl Reader<'_> {
    /// `, align 4`, where attachments may follow instead.
    fn alignment(&mut self) -> Res<Option<u64>> {
        let mut align = None;
        while self.comma_not_metadata()? {
            self.word("align")?;
            if align.replace(self.integer()?).is_some() {
                return Err(self.fail("the alignment is said twice"));
            }
        }
        Ok(align)
    }

    /// `syncscope("agent")`, if present.
    fn sync_scope(&mut self) -> Res<()> {
        if self.eat_word("syncscope")? {
            self.punct(b'(')?;
            self.string()?;
            self.punct(b')')?;
        }
        Ok(())
    }

    fn ordering(&mut self) -> Res<Ordering> {
        let ordering = match self.tok {
            Tok::Word("unordered") => Ordering::Unordered,
            Tok::Word("monotonic") => Ordering::Monotonic,
            Tok::Word("acquire") => Ordering::Acquire,
            Tok::Word("release") => Ordering::Release,
            Tok::Word("acq_rel") => Ordering::AcqRel,
            Tok::Word("seq_cst") => Ordering::SeqCst,
            _ => return Err(self.fail("expected an ordering")),
        };
        self.advance()?;
        Ok(ordering)
    }

    fn value_type(&self, ty: Ty) -> Res<()> {
        match self.module.types.kind(ty) {
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Function { .. } => Err(self.fail("this type is not of memory")),
            _ => Ok(()),
        }
    }

    pub(super) fn alloca(&mut self) -> Res<Parsed> {
        self.eat_word("inalloca")?;
        self.eat_word("swifterror")?;
        let ty = self.ty()?;
        self.value_type(ty)?;
        let (mut count, mut align, mut space) = (None, None, 0);
        while self.comma_not_metadata()? {
            match self.tok {
                Tok::Word("align") if align.is_none() => {
                    self.advance()?;
                    align = Some(self.integer()?);
                }
                Tok::Word("addrspace") => space = self.address_space()?,
                _ if count.is_none() && align.is_none() => {
                    let is_int = |kind: &TypeKind| matches!(kind, TypeKind::Int(_));
                    count = Some(self.typed_operand_of("an integer", is_int)?.1);
                }
                _ => return Err(self.fail("expected an alignment")),
            }
        }
        let one = self.small_int(self.common.i32, 1);
        let count = count.unwrap_or(Operand::Const(one));
        let pointer = self.module.types.intern(TypeKind::Ptr(space));
        Ok((InstKind::Alloca { ty, count, align }, pointer))
    }

    pub(super) fn load(&mut self) -> Res<Parsed> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let ty = self.ty()?;
        self.value_type(ty)?;
        self.punct(b',')?;
        let ptr = self.pointer()?;
        let access = self.access(atomic, volatile)?;
        Ok((InstKind::Load { ty, ptr, access }, ty))
    }

    pub(super) fn store(&mut self) -> Res<Parsed> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let (ty, value) = self.typed_operand()?;
        self.value_type(ty)?;
        self.punct(b',')?;
        let ptr = self.pointer()?;
        let access = self.access(atomic, volatile)?;
        Ok((
            InstKind::Store {
                ty,
                value,
                ptr,
                access,
            },
            self.common.void,
        ))
    }

    fn access(&mut self, atomic: bool, volatile: bool) -> Res<Access> {
        let atomic = if atomic {
            self.sync_scope()?;
            Some(self.ordering()?)
        } else {
            None
        };
        let align = self.alignment()?;
        Ok(Access {
            volatile,
            atomic,
            align,
        })
    }

    pub(super) fn gep(&mut self) -> Res<Parsed> {
        let flags = self.flags(&["inbounds", "nuw", "nusw"])?;
        if self.eat_word("inrange")? {
            self.in_range()?;
        }
        let source = self.ty()?;
        self.value_type(source)?;
        self.punct(b',')?;
        let (base_ty, base) = self.typed_operand()?;
        let mut indices = Vec::new();
        let mut types = Vec::new();
        while self.comma_not_metadata()? {
            let (ty, index) = self.typed_operand()?;
            let value = match index {
                Operand::Const(id) => self.known_index(id),
                Operand::Local(_) => None,
            };
            types.push((ty, value));
            indices.push((ty, index));
        }
        let ty = self.gep_type(source, base_ty, &types)?;
        Ok((
            InstKind::Gep {
                source,
                base,
                indices,
                flags,
            },
            ty,
        ))
    }

    pub(super) fn atomic_rmw(&mut self) -> Res<Parsed> {
        let volatile = self.eat_word("volatile")?;
        let op = match self.tok {
            Tok::Word(op) if RMW.contains(&op) => op.to_owned(),
            _ => return Err(self.fail("expected an atomic operation")),
        };
        self.advance()?;
        let ptr = self.pointer()?;
        self.punct(b',')?;
        let (ty, value) = self.typed_operand()?;
        self.value_type(ty)?;
        self.sync_scope()?;
        let ordering = self.ordering()?;
        self.alignment()?;
        Ok((
            InstKind::AtomicRmw {
                op,
                ptr,
                ty,
                value,
                volatile,
                ordering,
            },
            ty,
        ))
    }

    pub(super) fn cmp_xchg(&mut self) -> Res<Parsed> {
        let weak = self.eat_word("weak")?;
        let volatile = self.eat_word("volatile")?;
        let ptr = self.pointer()?;
        self.punct(b',')?;
        let (ty, expected) = self.typed_operand()?;
        self.value_type(ty)?;
        self.punct(b',')?;
        let (other, new) = self.typed_operand()?;
        if other != ty {
            return Err(self.fail("the two values are of different types"));
        }
        self.sync_scope()?;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        self.alignment()?;
        let body = StructBody {
            fields: vec![ty, self.common.i1],
            packed: false,
        };
        let result = self.module.types.intern(TypeKind::Struct(body));
        let kind = InstKind::CmpXchg {
            ptr,
            ty,
            expected,
            new,
            weak,
            volatile,
            success,
            failure,
        };
        Ok((kind, result))
    }

    pub(super) fn fence(&mut self) -> Res<Parsed> {
        self.sync_scope()?;
        Ok((InstKind::Fence(self.ordering()?), self.common.void))
    }
}
