//! Calls: `call`, `invoke`, `callbr`, and calls of `llvm.dbg.*`, which become debug records as in
//! newer versions of clang.

use super::insts::{FAST, Parsed};
use super::{Reader, Res};
use crate::ir::{Arg, ArgValue, Call, Callee, InstKind, MdId, Operand, Ty, TypeKind};
use crate::lexer::{Name, Pos, Tok};

/// An operand bundle: its tag and operands.
type Bundle = (String, Vec<(Ty, Operand)>);

impl<'a> Reader<'a> {
    pub(super) fn call(&mut self, tail: &str, groups: &mut Vec<(u32, Pos)>) -> Res<Parsed> {
        self.flags(FAST)?;
        let (mut call, is_debug) = self.call_site(groups)?;
        if let Some(kind) = is_debug {
            groups.clear();
            return self
                .debug_call(kind, &call)
                .map(|kind| (kind, self.common.void));
        }
        call.must_tail = tail == "musttail";
        let ty = call.ret;
        Ok((InstKind::Call(Box::new(call)), ty))
    }

    pub(super) fn invoke(&mut self, groups: &mut Vec<(u32, Pos)>) -> Res<Parsed> {
        let (call, _) = self.call_site(groups)?;
        self.word("to")?;
        let normal = self.label()?;
        self.word("unwind")?;
        let unwind = self.label()?;
        let ty = call.ret;
        Ok((
            InstKind::Invoke {
                call: Box::new(call),
                normal,
                unwind,
            },
            ty,
        ))
    }

    pub(super) fn call_br(&mut self, groups: &mut Vec<(u32, Pos)>) -> Res<Parsed> {
        let (call, _) = self.call_site(groups)?;
        self.word("to")?;
        let fallthrough = self.label()?;
        let indirect = self.label_list()?;
        let ty = call.ret;
        Ok((
            InstKind::CallBr {
                call: Box::new(call),
                fallthrough,
                indirect,
            },
            ty,
        ))
    }

    /// Everything from the calling convention to the operand bundles; also the name of the debug
    /// intrinsic, if one is called.
    fn call_site(&mut self, groups: &mut Vec<(u32, Pos)>) -> Res<(Call, Option<&'a str>)> {
        self.calling_convention()?;
        let ret_attrs = self.attributes()?;
        let space = self.address_space()?;
        let written = self.ty()?;
        let (ret, fn_ty) = match self.module.types.kind(written) {
            TypeKind::Function { ret, .. } => (*ret, Some(written)),
            _ => (written, None),
        };
        if ret == self.common.label || ret == self.common.metadata || self.is_function_type(ret) {
            return Err(self.fail("no call returns this type"));
        }
        let debug = match self.tok {
            Tok::Global(Name { raw, .. }) => raw.strip_prefix("llvm.dbg."),
            _ => None,
        };
        let callee = self.callee(space)?;
        let pos = self.pos();
        let args = self.args()?;
        if let Some(fn_ty) = fn_ty {
            self.check_args(fn_ty, &args, pos)?;
        }
        let attrs = self.call_attributes(groups)?;
        let bundles = self.bundles()?;
        let call = Call {
            callee,
            ret,
            fn_ty,
            ret_attrs,
            args,
            attrs,
            must_tail: false,
            of_sanitizer: false,
            bundles,
        };
        Ok((call, debug))
    }

    fn callee(&mut self, space: u32) -> Res<Callee> {
        if !self.eat_word("asm")? {
            let ty = match space {
                0 => self.common.ptr,
                _ => self.module.types.intern(TypeKind::Ptr(space)),
            };
            return self.operand(ty).map(Callee::Value);
        }
        let side_effect = self.eat_word("sideeffect")?;
        for word in ["alignstack", "inteldialect", "unwind"] {
            self.eat_word(word)?;
        }
        let text = self.string()?;
        self.punct(b',')?;
        let constraints = self.string()?;
        Ok(Callee::Asm {
            text,
            constraints,
            side_effect,
        })
    }

    fn args(&mut self) -> Res<Vec<Arg>> {
        self.punct(b'(')?;
        let mut args = Vec::new();
        if !self.is(b')') {
            loop {
                // `musttail` in a varargs function forwards the remaining arguments.
                if self.tok == Tok::Ellipsis {
                    self.advance()?;
                    break;
                }
                args.push(self.arg()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b')')?;
        Ok(args)
    }

    fn arg(&mut self) -> Res<Arg> {
        let ty = self.ty()?;
        if ty == self.common.metadata {
            let node = self.metadata_operand()?;
            return Ok(Arg {
                ty,
                attrs: Vec::new(),
                value: ArgValue::Metadata(node),
            });
        }
        let attrs = self.attributes()?;
        let value = if ty == self.common.label {
            return Err(self.fail("a block cannot be an argument"));
        } else {
            self.operand(ty)?
        };
        Ok(Arg {
            ty,
            attrs,
            value: ArgValue::Value(value),
        })
    }

    fn check_args(&self, fn_ty: Ty, args: &[Arg], pos: Pos) -> Res<()> {
        let TypeKind::Function {
            params, varargs, ..
        } = self.module.types.kind(fn_ty)
        else {
            return Ok(());
        };
        let count = args.len() == params.len() || *varargs && args.len() > params.len();
        if !count || params.iter().zip(args).any(|(&param, arg)| param != arg.ty) {
            let message = format!("the arguments do not fit {}", self.show(fn_ty));
            return Err(self.fail_at(pos, "(", &message));
        }
        Ok(())
    }

    /// `[ "tag"(T v, ...), ... ]`.
    fn bundles(&mut self) -> Res<Vec<Bundle>> {
        let mut bundles = Vec::new();
        if !self.eat(b'[')? {
            return Ok(bundles);
        }
        loop {
            let tag = self.string()?;
            self.punct(b'(')?;
            let mut operands = Vec::new();
            if !self.is(b')') {
                loop {
                    let ty = self.ty()?;
                    if ty == self.common.metadata {
                        return Err(self.fail("metadata in a bundle is not supported"));
                    }
                    operands.push((ty, self.operand(ty)?));
                    if !self.eat(b',')? {
                        break;
                    }
                }
            }
            self.punct(b')')?;
            bundles.push((tag, operands));
            if !self.eat(b',')? {
                break;
            }
        }
        self.punct(b']')?;
        Ok(bundles)
    }

    pub(super) fn metadata_args(&self, call: &Call) -> Vec<MdId> {
        let node = |arg: &Arg| match arg.value {
            ArgValue::Metadata(id) => Some(id),
            ArgValue::Value(_) => None,
        };
        call.args.iter().filter_map(node).collect()
    }
}
