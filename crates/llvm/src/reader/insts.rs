//! Instructions: arithmetic, comparisons, conversions, vectors, aggregates, and jumps. Memory,
//! calls and exceptions are in separate files.

use super::{Reader, Res};
use crate::ir::{
    BinOp, BlockId, CastOp, ConstKind, Flags, FloatPredicate, Inst, InstKind, IntPredicate,
    Operand, Ty, TypeKind,
};
use crate::lexer::{Pos, Tok};

pub(super) fn binary_op(word: &str) -> Option<BinOp> {
    Some(match word {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        "mul" => BinOp::Mul,
        "udiv" => BinOp::UDiv,
        "sdiv" => BinOp::SDiv,
        "urem" => BinOp::URem,
        "srem" => BinOp::SRem,
        "shl" => BinOp::Shl,
        "lshr" => BinOp::LShr,
        "ashr" => BinOp::AShr,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        "fadd" => BinOp::FAdd,
        "fsub" => BinOp::FSub,
        "fmul" => BinOp::FMul,
        "fdiv" => BinOp::FDiv,
        "frem" => BinOp::FRem,
        _ => return None,
    })
}

pub(super) fn cast_op(word: &str) -> Option<CastOp> {
    Some(match word {
        "trunc" => CastOp::Trunc,
        "zext" => CastOp::ZExt,
        "sext" => CastOp::SExt,
        "fptrunc" => CastOp::FpTrunc,
        "fpext" => CastOp::FpExt,
        "fptoui" => CastOp::FpToUi,
        "fptosi" => CastOp::FpToSi,
        "uitofp" => CastOp::UiToFp,
        "sitofp" => CastOp::SiToFp,
        "ptrtoint" => CastOp::PtrToInt,
        "ptrtoaddr" => CastOp::PtrToAddr,
        "inttoptr" => CastOp::IntToPtr,
        "bitcast" => CastOp::BitCast,
        "addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

pub(super) fn int_predicate(word: &str) -> Option<IntPredicate> {
    Some(match word {
        "eq" => IntPredicate::Eq,
        "ne" => IntPredicate::Ne,
        "ugt" => IntPredicate::Ugt,
        "uge" => IntPredicate::Uge,
        "ult" => IntPredicate::Ult,
        "ule" => IntPredicate::Ule,
        "sgt" => IntPredicate::Sgt,
        "sge" => IntPredicate::Sge,
        "slt" => IntPredicate::Slt,
        "sle" => IntPredicate::Sle,
        _ => return None,
    })
}

pub(super) fn float_predicate(word: &str) -> Option<FloatPredicate> {
    Some(match word {
        "false" => FloatPredicate::False,
        "oeq" => FloatPredicate::Oeq,
        "ogt" => FloatPredicate::Ogt,
        "oge" => FloatPredicate::Oge,
        "olt" => FloatPredicate::Olt,
        "ole" => FloatPredicate::Ole,
        "one" => FloatPredicate::One,
        "ord" => FloatPredicate::Ord,
        "ueq" => FloatPredicate::Ueq,
        "ugt" => FloatPredicate::Ugt,
        "uge" => FloatPredicate::Uge,
        "ult" => FloatPredicate::Ult,
        "ule" => FloatPredicate::Ule,
        "une" => FloatPredicate::Une,
        "uno" => FloatPredicate::Uno,
        "true" => FloatPredicate::True,
        _ => return None,
    })
}

/// The fast-math flags.
pub(super) const FAST: &[&str] = &[
    "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc",
];

/// The operation of an instruction, and the type of its result (`void` for none).
pub(super) type Parsed = (InstKind, Ty);

impl<'a> Reader<'a> {
    /// Flags such as `nsw`, of those that the instruction may have.
    pub(super) fn flags(&mut self, allowed: &[&str]) -> Res<Flags> {
        let mut flags = Flags::default();
        while let Tok::Word(word) = self.tok {
            if !allowed.contains(&word) {
                break;
            }
            match word {
                "nsw" => flags.nsw = true,
                "nuw" => flags.nuw = true,
                "exact" => flags.exact = true,
                "disjoint" => flags.disjoint = true,
                "nneg" => flags.nneg = true,
                "inbounds" => flags.inbounds = true,
                "nusw" => flags.nusw = true,
                "samesign" => flags.samesign = true,
                _ => self.is_fast = true,
            }
            self.advance()?;
        }
        Ok(flags)
    }

    /// One instruction or debug record. `ret` is the function's return type; groups that a call
    /// names are added to `groups`.
    pub(super) fn instruction(&mut self, ret: Ty, groups: &mut Vec<(u32, Pos)>) -> Res<Inst> {
        let pos = self.pos();
        if let Tok::Record(word) = self.tok {
            let (kind, dbg) = self.debug_record(word)?;
            return Ok(Inst {
                result: None,
                kind,
                dbg,
                line: pos.line,
                fast: false,
            });
        }
        let given = match self.tok {
            Tok::Local(name) => {
                self.advance()?;
                self.punct(b'=')?;
                Some(name.text())
            }
            _ => None,
        };
        let Tok::Word(opcode) = self.tok else {
            return Err(self.fail("expected an instruction"));
        };
        let at = self.pos();
        self.advance()?;
        self.is_fast = false;
        let (mut kind, ty) = self.operation(opcode, at, ret, groups)?;
        let fast = self.is_fast;
        let result = if ty != self.common.void {
            Some(self.define_local(given, ty, pos)?)
        } else if let Some(name) = given {
            let message = "this instruction has no result";
            return Err(self.fail_at(pos, &format!("%{name}"), message));
        } else {
            None
        };
        let mut dbg = None;
        while self.eat(b',')? {
            if let (Tok::Meta("nosanitize"), InstKind::Call(call)) = (&self.tok, &mut kind) {
                call.of_sanitizer = true;
            }
            dbg = self.attachment()?.or(dbg);
        }
        Ok(Inst {
            result,
            kind,
            dbg,
            line: pos.line,
            fast,
        })
    }

    fn operation(
        &mut self,
        opcode: &'a str,
        at: Pos,
        ret: Ty,
        groups: &mut Vec<(u32, Pos)>,
    ) -> Res<Parsed> {
        match opcode {
            "load" => self.load(),
            "store" => self.store(),
            "call" => self.call("", groups),
            "tail" | "musttail" | "notail" => {
                self.word("call")?;
                self.call(opcode, groups)
            }
            "br" => self.branch(),
            "icmp" => self.icmp(),
            "getelementptr" => self.gep(),
            "alloca" => self.alloca(),
            "phi" => self.phi(),
            "ret" => self.ret(ret),
            "select" => self.select(),
            "switch" => self.switch(),
            "unreachable" => Ok((InstKind::Unreachable, self.common.void)),
            "fcmp" => self.fcmp(),
            "fneg" => {
                self.flags(FAST)?;
                let (ty, value) = self.typed_operand()?;
                match self.scalar(ty) {
                    TypeKind::Float(_) => Ok((InstKind::FNeg(ty, value), ty)),
                    _ => Err(self.fail_at(at, opcode, "expected a float")),
                }
            }
            "freeze" => {
                let (ty, value) = self.typed_operand()?;
                Ok((InstKind::Freeze(ty, value), ty))
            }
            "extractvalue" => self.extract_value(),
            "insertvalue" => self.insert_value(),
            "extractelement" => self.extract_element(),
            "insertelement" => self.insert_element(),
            "shufflevector" => self.shuffle_vector(),
            "indirectbr" => self.indirect_branch(),
            "va_arg" => {
                let list = self.pointer()?;
                self.punct(b',')?;
                let ty = self.ty()?;
                Ok((InstKind::VaArg { list, ty }, ty))
            }
            "atomicrmw" => self.atomic_rmw(),
            "cmpxchg" => self.cmp_xchg(),
            "fence" => self.fence(),
            "invoke" => self.invoke(groups),
            "callbr" => self.call_br(groups),
            "landingpad" => self.landing_pad(),
            "catchpad" | "cleanuppad" => self.funclet_pad(opcode),
            "catchswitch" => self.catch_switch(),
            "resume" => self.resume(),
            "catchret" => self.catch_ret(),
            "cleanupret" => self.cleanup_ret(),
            _ => {
                if let Some(op) = binary_op(opcode) {
                    self.binary(op, opcode, at)
                } else if let Some(op) = cast_op(opcode) {
                    self.cast(op)
                } else {
                    Err(self.fail_at(at, opcode, "expected an instruction"))
                }
            }
        }
    }

    fn binary(&mut self, op: BinOp, opcode: &str, at: Pos) -> Res<Parsed> {
        let allowed: &[&str] = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => &["nuw", "nsw"],
            BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr => &["exact"],
            BinOp::Or => &["disjoint"],
            BinOp::URem | BinOp::SRem | BinOp::And | BinOp::Xor => &[],
            BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => FAST,
        };
        let flags = self.flags(allowed)?;
        let ty = self.ty()?;
        if !self.fits_binary(op, ty) {
            let message = format!("this operation is not for type {}", self.show(ty));
            return Err(self.fail_at(at, opcode, &message));
        }
        let lhs = self.operand(ty)?;
        self.punct(b',')?;
        let rhs = self.operand(ty)?;
        Ok((
            InstKind::Bin {
                op,
                flags,
                ty,
                lhs,
                rhs,
            },
            ty,
        ))
    }

    fn comparison(&mut self, integers: bool) -> Res<(Ty, Operand, Operand, Ty)> {
        let ty = self.ty()?;
        if !self.fits_compare(ty, integers) {
            return Err(self.fail("this type cannot be compared so"));
        }
        let lhs = self.operand(ty)?;
        self.punct(b',')?;
        let rhs = self.operand(ty)?;
        let result = self.truth_type(ty);
        Ok((ty, lhs, rhs, result))
    }

    fn icmp(&mut self) -> Res<Parsed> {
        self.flags(&["samesign"])?;
        let Tok::Word(word) = self.tok else {
            return Err(self.fail("expected a relation"));
        };
        let Some(pred) = int_predicate(word) else {
            return Err(self.fail("expected a relation of integers"));
        };
        self.advance()?;
        let (ty, lhs, rhs, result) = self.comparison(true)?;
        Ok((InstKind::ICmp { pred, ty, lhs, rhs }, result))
    }

    fn fcmp(&mut self) -> Res<Parsed> {
        self.flags(FAST)?;
        let Tok::Word(word) = self.tok else {
            return Err(self.fail("expected a relation"));
        };
        let Some(pred) = float_predicate(word) else {
            return Err(self.fail("expected a relation of floats"));
        };
        self.advance()?;
        let (ty, lhs, rhs, result) = self.comparison(false)?;
        Ok((InstKind::FCmp { pred, ty, lhs, rhs }, result))
    }

    fn cast(&mut self, op: CastOp) -> Res<Parsed> {
        let allowed: &[&str] = match op {
            CastOp::Trunc => &["nuw", "nsw"],
            CastOp::ZExt | CastOp::UiToFp => &["nneg"],
            CastOp::FpTrunc | CastOp::FpExt => FAST,
            _ => &[],
        };
        let flags = self.flags(allowed)?;
        let (from, value) = self.typed_operand()?;
        self.word("to")?;
        let to = self.ty()?;
        self.check_cast(op, from, to)?;
        Ok((
            InstKind::Cast {
                op,
                flags,
                from,
                value,
                to,
            },
            to,
        ))
    }

    fn phi(&mut self) -> Res<Parsed> {
        self.flags(FAST)?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.punct(b'[')?;
            let value = self.operand(ty)?;
            self.punct(b',')?;
            let block = self.label_name()?;
            self.punct(b']')?;
            incoming.push((value, block));
            if !self.comma_not_metadata()? {
                break;
            }
        }
        Ok((InstKind::Phi { ty, incoming }, ty))
    }

    fn select(&mut self) -> Res<Parsed> {
        self.flags(FAST)?;
        let (cond_ty, cond) = self.typed_operand()?;
        self.punct(b',')?;
        let (ty, on_true) = self.typed_operand()?;
        self.punct(b',')?;
        let (other, on_false) = self.typed_operand()?;
        if ty != other || !self.fits_condition(cond_ty, ty) {
            return Err(self.fail("the operands are not of types for a select"));
        }
        Ok((
            InstKind::Select {
                cond_ty,
                cond,
                ty,
                on_true,
                on_false,
            },
            ty,
        ))
    }

    fn path(&mut self) -> Res<Vec<u32>> {
        let mut path = Vec::new();
        while self.comma_not_metadata()? {
            path.push(self.integer32()?);
        }
        if path.is_empty() {
            return Err(self.fail("expected an index"));
        }
        Ok(path)
    }

    fn extract_value(&mut self) -> Res<Parsed> {
        let (ty, agg) = self.typed_operand()?;
        let indices = self.path()?;
        let part = self.part_type(ty, &indices)?;
        Ok((InstKind::ExtractValue { ty, agg, indices }, part))
    }

    fn insert_value(&mut self) -> Res<Parsed> {
        let (ty, agg) = self.typed_operand()?;
        self.punct(b',')?;
        let (value_ty, value) = self.typed_operand()?;
        let indices = self.path()?;
        if self.part_type(ty, &indices)? != value_ty {
            return Err(self.fail("the value is not of the part's type"));
        }
        Ok((
            InstKind::InsertValue {
                ty,
                agg,
                value_ty,
                value,
                indices,
            },
            ty,
        ))
    }

    fn extract_element(&mut self) -> Res<Parsed> {
        let (ty, vector) = self.typed_operand()?;
        let TypeKind::Vector(_, element, _) = *self.module.types.kind(ty) else {
            return Err(self.fail("expected a vector"));
        };
        self.punct(b',')?;
        let (_, index) = self.typed_operand_of("an integer", |k| matches!(k, TypeKind::Int(_)))?;
        Ok((InstKind::ExtractElement { ty, vector, index }, element))
    }

    fn insert_element(&mut self) -> Res<Parsed> {
        let (ty, vector) = self.typed_operand()?;
        self.punct(b',')?;
        let (value_ty, value) = self.typed_operand()?;
        if !matches!(*self.module.types.kind(ty), TypeKind::Vector(_, e, _) if e == value_ty) {
            return Err(self.fail("the element is not of the vector's type"));
        }
        self.punct(b',')?;
        let (_, index) = self.typed_operand_of("an integer", |k| matches!(k, TypeKind::Int(_)))?;
        Ok((
            InstKind::InsertElement {
                ty,
                vector,
                value,
                index,
            },
            ty,
        ))
    }

    fn shuffle_vector(&mut self) -> Res<Parsed> {
        let (ty, lhs) = self.typed_operand()?;
        self.punct(b',')?;
        let (other, rhs) = self.typed_operand()?;
        self.punct(b',')?;
        let (mask_ty, mask) = self.typed_const()?;
        let result = self.shuffle_type(ty, other, mask_ty)?;
        Ok((InstKind::ShuffleVector { ty, lhs, rhs, mask }, result))
    }

    fn ret(&mut self, expected: Ty) -> Res<Parsed> {
        let pos = self.pos();
        let ty = self.ty()?;
        if ty != expected {
            let message = format!("the function returns {}", self.show(expected));
            return Err(self.fail_at(pos, &self.show(ty), &message));
        }
        if ty == self.common.void {
            return Ok((InstKind::Ret(None), ty));
        }
        let value = self.operand(ty)?;
        Ok((InstKind::Ret(Some((ty, value))), self.common.void))
    }

    fn branch(&mut self) -> Res<Parsed> {
        let void = self.common.void;
        if self.is_word("label") {
            return Ok((InstKind::Br(self.label()?), void));
        }
        let (_, cond) = self.typed_operand_of("a truth value", |k| *k == TypeKind::Int(1))?;
        self.punct(b',')?;
        let then = self.label()?;
        self.punct(b',')?;
        let other = self.label()?;
        Ok((InstKind::CondBr { cond, then, other }, void))
    }

    fn switch(&mut self) -> Res<Parsed> {
        let (ty, value) = self.typed_operand_of("an integer", |k| matches!(k, TypeKind::Int(_)))?;
        self.punct(b',')?;
        let default = self.label()?;
        self.punct(b'[')?;
        let mut cases = Vec::new();
        while !self.is(b']') {
            let (case_ty, case) = self.typed_const()?;
            if case_ty != ty || !matches!(self.module.constant(case).kind, ConstKind::Int(_)) {
                return Err(self.fail("a case is not an integer of the switch's type"));
            }
            self.punct(b',')?;
            cases.push((case, self.label()?));
        }
        self.punct(b']')?;
        Ok((
            InstKind::Switch {
                ty,
                value,
                default,
                cases,
            },
            self.common.void,
        ))
    }

    fn indirect_branch(&mut self) -> Res<Parsed> {
        let address = self.pointer()?;
        self.punct(b',')?;
        let targets = self.label_list()?;
        Ok((InstKind::IndirectBr { address, targets }, self.common.void))
    }

    /// `[label %a, label %b]`.
    pub(super) fn label_list(&mut self) -> Res<Vec<BlockId>> {
        self.punct(b'[')?;
        let mut targets = Vec::new();
        if !self.is(b']') {
            loop {
                targets.push(self.label()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b']')?;
        Ok(targets)
    }
}
