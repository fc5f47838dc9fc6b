//! Constants: literals, aggregates, addresses and constant expressions.
//!
//! A constant is read against the type that precedes it in the text; everything that does not fit
//! the type is an error.

use super::insts::{binary_op, cast_op, float_predicate, int_predicate};
use super::{BlockUse, Reader, Res, floats, ints};
use crate::ir::{Const, ConstExpr, ConstId, ConstKind, FloatKind, StructBody, Ty, TypeKind};
use crate::lexer::{Tok, unescape};

impl<'a> Reader<'a> {
    /// A constant of this type.
    pub(super) fn const_value(&mut self, ty: Ty) -> Res<ConstId> {
        match self.tok {
            Tok::Int(digits) => self.int_literal(ty, digits),
            Tok::Global(name) => {
                let TypeKind::Ptr(space) = *self.module.types.kind(ty) else {
                    return Err(self.mismatch("an address", ty));
                };
                let pos = self.pos();
                let id = self.symbol(&name.text(), space, pos);
                if self.global_info[id.0 as usize].0 != space {
                    return Err(self.fail("this symbol is in another address space"));
                }
                self.advance()?;
                Ok(self.constant(ty, ConstKind::Global(id)))
            }
            Tok::Word(word) => self.word_const(ty, word),
            Tok::HexInt(text) => {
                let TypeKind::Int(bits) = *self.module.types.kind(ty) else {
                    return Err(self.mismatch("an integer", ty));
                };
                let Some(words) = ints::hexadecimal(text, bits) else {
                    return Err(self.fail("this number does not fit in its type"));
                };
                self.advance()?;
                Ok(self.constant(ty, ConstKind::Int(words)))
            }
            Tok::Float(text) => {
                let TypeKind::Float(kind) = *self.module.types.kind(ty) else {
                    return Err(self.mismatch("a float", ty));
                };
                let bits = floats::bits(text, kind).map_err(|e| self.fail(e))?;
                self.advance()?;
                Ok(self.constant(ty, ConstKind::Float(bits)))
            }
            Tok::Bytes(raw) => {
                let bytes = unescape(raw);
                let fits = matches!(*self.module.types.kind(ty), TypeKind::Array(n, element)
                    if element == self.common.i8 && n == bytes.len() as u64);
                if !fits {
                    let message =
                        format!("{} bytes are not of type {}", bytes.len(), self.show(ty));
                    return Err(self.fail(&message));
                }
                self.advance()?;
                Ok(self.constant(ty, ConstKind::Bytes(bytes)))
            }
            Tok::Punct(b'[') => self.sequence_const(ty, b']'),
            Tok::Punct(b'<') if self.lexer.peek_byte() == b'{' => {
                self.advance()?;
                let id = self.struct_const(ty, true)?;
                self.punct(b'>')?;
                Ok(id)
            }
            Tok::Punct(b'<') => self.sequence_const(ty, b'>'),
            Tok::Punct(b'{') => self.struct_const(ty, false),
            _ => Err(self.fail("expected a value")),
        }
    }

    fn mismatch(&self, what: &str, ty: Ty) -> Box<super::ReadError> {
        self.fail(&format!("{what} cannot have type {}", self.show(ty)))
    }

    fn int_literal(&mut self, ty: Ty, digits: &str) -> Res<ConstId> {
        let TypeKind::Int(bits) = *self.module.types.kind(ty) else {
            return Err(self.mismatch("an integer", ty));
        };
        let too_wide = "this number does not fit in its type";
        if bits <= 64 {
            let Some(value) = ints::small_decimal(digits, bits) else {
                return Err(self.fail(too_wide));
            };
            self.advance()?;
            return Ok(self.small_int(ty, value));
        }
        let Some(words) = ints::decimal(digits, bits) else {
            return Err(self.fail(too_wide));
        };
        self.advance()?;
        Ok(self.constant(ty, ConstKind::Int(words)))
    }

    /// An integer of at most 64 bits.
    pub(super) fn small_int(&mut self, ty: Ty, value: u64) -> ConstId {
        if let Some(&id) = self.ints.get(&(ty, value)) {
            return id;
        }
        let id = self.constant(ty, ConstKind::Int(vec![value]));
        self.ints.insert((ty, value), id);
        id
    }

    fn word_const(&mut self, ty: Ty, word: &str) -> Res<ConstId> {
        let kind = match word {
            "null" => match self.module.types.kind(ty) {
                TypeKind::Ptr(_) => ConstKind::Null,
                _ => return Err(self.mismatch("null", ty)),
            },
            "true" | "false" => {
                if ty != self.common.i1 {
                    return Err(self.mismatch("a truth value", ty));
                }
                self.advance()?;
                return Ok(self.small_int(ty, u64::from(word == "true")));
            }
            "undef" | "poison" | "zeroinitializer" => {
                if matches!(
                    self.module.types.kind(ty),
                    TypeKind::Void
                        | TypeKind::Label
                        | TypeKind::Metadata
                        | TypeKind::Function { .. }
                ) {
                    return Err(self.mismatch("a value", ty));
                }
                match word {
                    "undef" => ConstKind::Undef,
                    "poison" => ConstKind::Poison,
                    _ => ConstKind::Zero,
                }
            }
            "none" => match self.module.types.kind(ty) {
                TypeKind::Token => ConstKind::TokenNone,
                _ => return Err(self.mismatch("none", ty)),
            },
            "splat" => return self.splat(ty),
            "blockaddress" => return self.block_address(ty),
            "dso_local_equivalent" | "no_cfi" => {
                if !matches!(self.module.types.kind(ty), TypeKind::Ptr(_)) {
                    return Err(self.mismatch("an address", ty));
                }
                self.advance()?;
                let id = self.global_name()?;
                return Ok(self.constant(ty, ConstKind::Equivalent(id)));
            }
            _ => {
                let pos = self.pos();
                let expr = self.nested(|r| r.const_expr(word))?;
                if expr.ty != ty {
                    let (found, ty) = (self.show(expr.ty), self.show(ty));
                    let message = format!("this expression has type {found}, not {ty}");
                    return Err(self.fail_at(pos, word, &message));
                }
                return Ok(self.constant(expr.ty, expr.kind));
            }
        };
        self.advance()?;
        Ok(self.constant(ty, kind))
    }

    fn splat(&mut self, ty: Ty) -> Res<ConstId> {
        let TypeKind::Vector(_, expected, _) = *self.module.types.kind(ty) else {
            return Err(self.mismatch("splat", ty));
        };
        self.advance()?;
        self.punct(b'(')?;
        let (element, id) = self.nested(Self::typed_const)?;
        if element != expected {
            return Err(self.fail("the element is not of the vector's type"));
        }
        self.punct(b')')?;
        Ok(self.constant(ty, ConstKind::Splat(id)))
    }

    fn block_address(&mut self, ty: Ty) -> Res<ConstId> {
        if !matches!(self.module.types.kind(ty), TypeKind::Ptr(_)) {
            return Err(self.mismatch("the address of a block", ty));
        }
        self.advance()?;
        self.punct(b'(')?;
        let function = self.global_name()?;
        self.punct(b',')?;
        let Tok::Local(name) = self.tok else {
            return Err(self.fail("expected a block"));
        };
        let block = name.text().into_owned();
        self.block_uses.push(BlockUse {
            function,
            block: block.clone(),
            pos: self.pos(),
        });
        self.advance()?;
        self.punct(b')')?;
        Ok(self.constant(ty, ConstKind::BlockAddress(function, block)))
    }

    /// `[T v, ...]` or `<T v, ...>`.
    fn sequence_const(&mut self, ty: Ty, close: u8) -> Res<ConstId> {
        let (length, element) = match (self.module.types.kind(ty), close) {
            (&TypeKind::Array(n, e), b']') | (&TypeKind::Vector(n, e, false), b'>') => (n, e),
            _ => return Err(self.mismatch("a list of elements", ty)),
        };
        self.advance()?;
        let elements = self.elements(close, |_| Some(element))?;
        if elements.len() as u64 != length {
            return Err(self.fail(&format!("expected {length} elements")));
        }
        self.punct(close)?;
        Ok(self.constant(ty, ConstKind::Aggregate(elements)))
    }

    /// `{ T v, ... }` with the brace as the current token.
    fn struct_const(&mut self, ty: Ty, packed: bool) -> Res<ConstId> {
        let body: StructBody = match self.module.types.struct_body(ty) {
            Some(body) if body.packed == packed => body.clone(),
            _ => return Err(self.mismatch("a structure", ty)),
        };
        self.advance()?;
        let elements = self.elements(b'}', |i| body.fields.get(i).copied())?;
        if elements.len() != body.fields.len() {
            return Err(self.fail(&format!("expected {} fields", body.fields.len())));
        }
        self.punct(b'}')?;
        Ok(self.constant(ty, ConstKind::Aggregate(elements)))
    }

    fn elements(&mut self, close: u8, expected: impl Fn(usize) -> Option<Ty>) -> Res<Vec<ConstId>> {
        let mut elements = Vec::new();
        if self.is(close) {
            return Ok(elements);
        }
        loop {
            let pos = self.pos();
            let (ty, id) = self.nested(Self::typed_const)?;
            if expected(elements.len()) != Some(ty) {
                let message = "this element is not of the type of the whole";
                return Err(self.fail_at(pos, &self.show(ty), message));
            }
            elements.push(id);
            if !self.eat(b',')? {
                return Ok(elements);
            }
        }
    }

    /// A constant expression, which determines its own type. The caller counts the depth.
    pub(super) fn const_expr(&mut self, word: &str) -> Res<Const> {
        if let Some(op) = cast_op(word) {
            self.advance()?;
            self.flags(&["nuw", "nsw", "nneg"])?;
            self.punct(b'(')?;
            let (from, id) = self.typed_const()?;
            self.word("to")?;
            let ty = self.ty()?;
            self.check_cast(op, from, ty)?;
            self.punct(b')')?;
            return Ok(Const {
                ty,
                kind: ConstKind::Expr(ConstExpr::Cast(op, id)),
            });
        }
        if let Some(op) = binary_op(word) {
            self.advance()?;
            self.flags(&["nuw", "nsw", "exact", "disjoint"])?;
            let [(ty, lhs), (other, rhs)] = self.const_args()?;
            if ty != other || !self.fits_binary(op, ty) {
                return Err(self.fail("the operands are not of types for this operation"));
            }
            return Ok(Const {
                ty,
                kind: ConstKind::Expr(ConstExpr::Bin(op, lhs, rhs)),
            });
        }
        match word {
            "getelementptr" => self.const_gep(),
            "icmp" | "fcmp" => self.const_compare(word == "icmp"),
            "select" => {
                self.advance()?;
                let [(cond, c), (ty, a), (other, b)] = self.const_args()?;
                if ty != other || !self.fits_condition(cond, ty) {
                    return Err(self.fail("the operands are not of types for a select"));
                }
                Ok(Const {
                    ty,
                    kind: ConstKind::Expr(ConstExpr::Select(c, a, b)),
                })
            }
            "extractelement" => {
                self.advance()?;
                let [(vector, v), (_, index)] = self.const_args()?;
                let TypeKind::Vector(_, ty, _) = *self.module.types.kind(vector) else {
                    return Err(self.fail("expected a vector"));
                };
                Ok(Const {
                    ty,
                    kind: ConstKind::Expr(ConstExpr::ExtractElement(v, index)),
                })
            }
            "insertelement" => {
                self.advance()?;
                let [(ty, v), (element, e), (_, index)] = self.const_args()?;
                if !matches!(*self.module.types.kind(ty), TypeKind::Vector(_, t, _) if t == element)
                {
                    return Err(self.fail("the element is not of the vector's type"));
                }
                Ok(Const {
                    ty,
                    kind: ConstKind::Expr(ConstExpr::InsertElement(v, e, index)),
                })
            }
            "shufflevector" => {
                self.advance()?;
                let [(ty, a), (other, b), (mask_ty, mask)] = self.const_args()?;
                let ty = self.shuffle_type(ty, other, mask_ty)?;
                Ok(Const {
                    ty,
                    kind: ConstKind::Expr(ConstExpr::ShuffleVector(a, b, mask)),
                })
            }
            _ => Err(self.fail("expected a value")),
        }
    }

    /// `(T a, T b)`: as many as the caller needs.
    fn const_args<const N: usize>(&mut self) -> Res<[(Ty, ConstId); N]> {
        let mut args = [(self.common.void, ConstId(0)); N];
        self.punct(b'(')?;
        for (i, arg) in args.iter_mut().enumerate() {
            if i > 0 {
                self.punct(b',')?;
            }
            *arg = self.typed_const()?;
        }
        self.punct(b')')?;
        Ok(args)
    }

    fn const_compare(&mut self, integers: bool) -> Res<Const> {
        self.advance()?;
        let Tok::Word(pred) = self.tok else {
            return Err(self.fail("expected a relation"));
        };
        let (int, float) = (int_predicate(pred), float_predicate(pred));
        if int.is_none() && integers || float.is_none() && !integers {
            return Err(self.fail("expected a relation"));
        }
        self.advance()?;
        let [(ty, lhs), (other, rhs)] = self.const_args()?;
        if ty != other || !self.fits_compare(ty, integers) {
            return Err(self.fail("the operands are not of types for this comparison"));
        }
        let result = self.truth_type(ty);
        let expr = match (integers, int, float) {
            (true, Some(pred), _) => ConstExpr::ICmp(pred, lhs, rhs),
            (false, _, Some(pred)) => ConstExpr::FCmp(pred, lhs, rhs),
            _ => return Err(self.fail("expected a relation")),
        };
        Ok(Const {
            ty: result,
            kind: ConstKind::Expr(expr),
        })
    }

    /// `getelementptr inbounds (T, ptr @g, i32 0, i32 1)`.
    fn const_gep(&mut self) -> Res<Const> {
        self.advance()?;
        let mut inbounds = false;
        loop {
            match self.tok {
                Tok::Word("inbounds") => {
                    inbounds = true;
                    self.advance()?;
                }
                Tok::Word("nuw" | "nusw") => self.advance()?,
                Tok::Word("inrange") => {
                    self.advance()?;
                    self.in_range()?;
                }
                _ => break,
            }
        }
        self.punct(b'(')?;
        let source = self.ty()?;
        self.punct(b',')?;
        let (base_ty, base) = self.typed_const()?;
        let mut indices = Vec::new();
        let mut types = Vec::new();
        while self.eat(b',')? {
            // Before LLVM 19 the mark was on an index.
            self.eat_word("inrange")?;
            let (ty, index) = self.typed_const()?;
            types.push((ty, self.known_index(index)));
            indices.push(index);
        }
        let ty = self.gep_type(source, base_ty, &types)?;
        self.punct(b')')?;
        Ok(Const {
            ty,
            kind: ConstKind::Expr(ConstExpr::Gep {
                source,
                base,
                indices,
                inbounds,
            }),
        })
    }

    /// `(-8, 16)` of `inrange`: a promise about later use, with no effect on the value.
    pub(super) fn in_range(&mut self) -> Res<()> {
        self.punct(b'(')?;
        for close in [b',', b')'] {
            match self.tok {
                Tok::Int(_) => self.advance()?,
                _ => return Err(self.fail("expected a number")),
            }
            self.punct(close)?;
        }
        Ok(())
    }

    /// The value of a small constant integer, or of a splat of one.
    pub(super) fn known_index(&self, id: ConstId) -> Option<u64> {
        match &self.module.constant(id).kind {
            ConstKind::Int(words) => match words.as_slice() {
                [value] => Some(*value),
                _ => None,
            },
            ConstKind::Zero => Some(0),
            ConstKind::Splat(inner) => match &self.module.constant(*inner).kind {
                ConstKind::Int(words) if words.len() == 1 => words.first().copied(),
                _ => None,
            },
            ConstKind::Aggregate(elements) => {
                let first = *elements.first()?;
                let same = elements.iter().all(|&e| e == first);
                match &self.module.constant(first).kind {
                    ConstKind::Int(words) if same && words.len() == 1 => words.first().copied(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type itself, or the element type of a vector.
    pub(super) fn scalar(&self, ty: Ty) -> &TypeKind {
        match *self.module.types.kind(ty) {
            TypeKind::Vector(_, element, _) => self.module.types.kind(element),
            _ => self.module.types.kind(ty),
        }
    }

    pub(super) fn float_width(kind: FloatKind) -> u32 {
        match kind {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}
