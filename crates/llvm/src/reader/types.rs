//! Types: `i32`, `[4 x %struct.s]`, `<{ i8, i32 }>`, `void (ptr, ...)`.

use super::{Reader, Res};
use crate::ir::{FloatKind, NamedType, StructBody, Ty, TypeKind, Types};
use crate::lexer::{Name, Tok};

/// Handles of the types that every file uses, to avoid their look-up.
pub(super) struct Common {
    pub void: Ty,
    pub label: Ty,
    pub metadata: Ty,
    pub token: Ty,
    pub ptr: Ty,
    pub i1: Ty,
    pub i8: Ty,
    pub i16: Ty,
    pub i32: Ty,
    pub i64: Ty,
}

impl Common {
    pub fn new(types: &mut Types) -> Self {
        Common {
            void: types.intern(TypeKind::Void),
            label: types.intern(TypeKind::Label),
            metadata: types.intern(TypeKind::Metadata),
            token: types.intern(TypeKind::Token),
            ptr: types.intern(TypeKind::Ptr(0)),
            i1: types.intern(TypeKind::Int(1)),
            i8: types.intern(TypeKind::Int(8)),
            i16: types.intern(TypeKind::Int(16)),
            i32: types.intern(TypeKind::Int(32)),
            i64: types.intern(TypeKind::Int(64)),
        }
    }
}

/// The widest integer that LLVM allows.
const MAX_BITS: u32 = 1 << 23;

/// The width of `iN`, if the word is one.
fn integer_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits
        .parse()
        .ok()
        .filter(|&bits| (1..=MAX_BITS).contains(&bits))
}

fn float_kind(word: &str) -> Option<FloatKind> {
    Some(match word {
        "half" => FloatKind::Half,
        "bfloat" => FloatKind::BFloat,
        "float" => FloatKind::Float,
        "double" => FloatKind::Double,
        "x86_fp80" => FloatKind::X86Fp80,
        "fp128" => FloatKind::Fp128,
        "ppc_fp128" => FloatKind::PpcFp128,
        _ => return None,
    })
}

/// Whether a word starts a type.
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void" | "ptr" | "label" | "metadata" | "token" | "target" | "x86_mmx" | "x86_amx"
    ) || integer_width(word).is_some()
        || float_kind(word).is_some()
}

impl<'a> Reader<'a> {
    /// A type, function types included.
    pub(super) fn ty(&mut self) -> Res<Ty> {
        let mut ty = match self.tok {
            Tok::Word(word) => self.word_type(word)?,
            Tok::Local(name) => self.advance_after_type_name(name)?,
            Tok::Punct(b'[') => {
                self.advance()?;
                let (length, element) = self.sequence()?;
                self.punct(b']')?;
                self.module.types.intern(TypeKind::Array(length, element))
            }
            Tok::Punct(b'<') => self.angle_type()?,
            Tok::Punct(b'{') => {
                let body = self.struct_body(false)?;
                self.module.types.intern(TypeKind::Struct(body))
            }
            _ => return Err(self.fail("expected a type")),
        };
        let mut levels = 0;
        while self.is(b'(') {
            levels += 1;
            if levels > super::MAX_DEPTH {
                return Err(self.fail("function types nested too deep"));
            }
            ty = self.function_type(ty)?;
        }
        if self.is(b'*') {
            return Err(self.fail("typed pointers are not supported: use clang 16 or newer"));
        }
        Ok(ty)
    }

    fn word_type(&mut self, word: &str) -> Res<Ty> {
        let ty = match word {
            "i32" => self.common.i32,
            "ptr" => {
                self.advance()?;
                if !self.is_word("addrspace") {
                    return Ok(self.common.ptr);
                }
                let space = self.address_space()?;
                return Ok(self.module.types.intern(TypeKind::Ptr(space)));
            }
            "i8" => self.common.i8,
            "i64" => self.common.i64,
            "i1" => self.common.i1,
            "i16" => self.common.i16,
            "void" => self.common.void,
            "label" => self.common.label,
            "metadata" => self.common.metadata,
            "token" => self.common.token,
            "x86_mmx" | "x86_amx" => self.module.types.intern(TypeKind::Target(word.to_owned())),
            "target" => return self.target_type(),
            _ => {
                let kind = match (integer_width(word), float_kind(word)) {
                    (Some(bits), _) => TypeKind::Int(bits),
                    (_, Some(float)) => TypeKind::Float(float),
                    _ => return Err(self.fail("expected a type")),
                };
                self.module.types.intern(kind)
            }
        };
        self.advance()?;
        Ok(ty)
    }

    /// `target("name", i32, 7)`, stored as text.
    fn target_type(&mut self) -> Res<Ty> {
        let start = self.lexer.start();
        self.advance()?;
        self.punct(b'(')?;
        self.string()?;
        while self.eat(b',')? {
            match self.tok {
                Tok::Int(_) => self.integer().map(drop)?,
                _ => self.nested(Self::ty).map(drop)?,
            }
        }
        if !self.is(b')') {
            return Err(self.fail("expected `)`"));
        }
        let text = self.lexer.text_from(start).to_owned();
        self.advance()?;
        Ok(self.module.types.intern(TypeKind::Target(text)))
    }

    fn advance_after_type_name(&mut self, name: Name<'a>) -> Res<Ty> {
        let pos = self.pos();
        self.advance()?;
        let name = name.text();
        if let Some(&(ty, _)) = self.type_names.get(name.as_ref()) {
            return Ok(ty);
        }
        let ty = self.new_named_type(&name);
        self.type_names
            .insert(name.clone().into_owned(), (ty, false));
        self.type_uses.push((name.into_owned(), pos));
        Ok(ty)
    }

    fn new_named_type(&mut self, name: &str) -> Ty {
        let types = &mut self.module.types;
        let number = types.named.len() as u32;
        types.named.push(NamedType {
            name: name.to_owned(),
            body: None,
        });
        types.intern(TypeKind::Named(number))
    }

    /// `%struct.s = type { ... }`.
    pub(super) fn type_definition(&mut self, name: Name<'a>) -> Res<()> {
        let text = name.text();
        let known = self.type_names.get(text.as_ref()).copied();
        if matches!(known, Some((_, true))) {
            return Err(self.fail("this type is defined twice"));
        }
        self.advance()?;
        self.punct(b'=')?;
        self.word("type")?;
        let body = match self.tok {
            Tok::Word("opaque") => {
                self.advance()?;
                None
            }
            Tok::Punct(b'{') => Some(self.struct_body(false)?),
            Tok::Punct(b'<') if self.lexer.peek_byte() == b'{' => {
                self.advance()?;
                let body = self.struct_body(true)?;
                self.punct(b'>')?;
                Some(body)
            }
            _ if known.is_none() => {
                let ty = self.ty()?;
                self.type_names.insert(text.into_owned(), (ty, true));
                return Ok(());
            }
            _ => return Err(self.fail("expected the fields of a structure")),
        };
        // The body may mention the name itself.
        let ty = match self.type_names.get(text.as_ref()) {
            Some(&(ty, _)) => ty,
            None => self.new_named_type(&text),
        };
        if let TypeKind::Named(number) = *self.module.types.kind(ty) {
            self.module.types.named[number as usize].body = body;
        }
        self.type_names.insert(text.into_owned(), (ty, true));
        Ok(())
    }

    /// `{ T, ... }` with the brace as the current token.
    fn struct_body(&mut self, packed: bool) -> Res<StructBody> {
        self.punct(b'{')?;
        let mut fields = Vec::new();
        if self.eat(b'}')? {
            return Ok(StructBody { fields, packed });
        }
        loop {
            let field = self.nested(Self::ty)?;
            self.element_type(field)?;
            fields.push(field);
            if !self.eat(b',')? {
                break;
            }
        }
        self.punct(b'}')?;
        Ok(StructBody { fields, packed })
    }

    /// `4 x T`.
    fn sequence(&mut self) -> Res<(u64, Ty)> {
        let length = self.integer()?;
        self.word("x")?;
        let element = self.nested(Self::ty)?;
        self.element_type(element)?;
        Ok((length, element))
    }

    fn element_type(&self, ty: Ty) -> Res<()> {
        match self.module.types.kind(ty) {
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Function { .. } => {
                Err(self.fail("a type of no memory cannot be part of another"))
            }
            _ => Ok(()),
        }
    }

    /// `<4 x T>`, `<vscale x 4 x T>` or `<{ ... }>`.
    fn angle_type(&mut self) -> Res<Ty> {
        self.punct(b'<')?;
        if self.is(b'{') {
            let body = self.struct_body(true)?;
            self.punct(b'>')?;
            return Ok(self.module.types.intern(TypeKind::Struct(body)));
        }
        let scalable = self.eat_word("vscale")?;
        if scalable {
            self.word("x")?;
        }
        let (length, element) = self.sequence()?;
        let scalar = matches!(
            self.module.types.kind(element),
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr(_) | TypeKind::Target(_)
        );
        if !scalar || length == 0 || length > u64::from(u32::MAX) {
            return Err(self.fail("not a valid vector type"));
        }
        self.punct(b'>')?;
        Ok(self
            .module
            .types
            .intern(TypeKind::Vector(length, element, scalable)))
    }

    fn function_type(&mut self, ret: Ty) -> Res<Ty> {
        self.punct(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        if !self.is(b')') {
            loop {
                if self.tok == Tok::Ellipsis {
                    self.advance()?;
                    varargs = true;
                    break;
                }
                let param = self.nested(Self::ty)?;
                if param == self.common.void || self.is_function_type(param) {
                    return Err(self.fail("not a type of a parameter"));
                }
                params.push(param);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b')')?;
        Ok(self.module.types.intern(TypeKind::Function {
            ret,
            params,
            varargs,
        }))
    }

    pub(super) fn is_function_type(&self, ty: Ty) -> bool {
        matches!(self.module.types.kind(ty), TypeKind::Function { .. })
    }

    /// A type as LLVM writes it, for messages; long ones are truncated.
    pub(super) fn show(&self, ty: Ty) -> String {
        self.module.types.show(ty)
    }
}

impl Types {
    /// A type as LLVM writes it, for messages; deep nesting is truncated to `...`.
    pub fn show(&self, ty: Ty) -> String {
        self.show_within(ty, 4)
    }

    fn show_within(&self, ty: Ty, depth: u32) -> String {
        if depth == 0 {
            return "...".to_owned();
        }
        let list = |types: &[Ty]| {
            let texts: Vec<_> = types
                .iter()
                .map(|&t| self.show_within(t, depth - 1))
                .collect();
            texts.join(", ")
        };
        match self.kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Int(bits) => format!("i{bits}"),
            TypeKind::Float(kind) => match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::X86Fp80 => "x86_fp80",
                FloatKind::Fp128 => "fp128",
                FloatKind::PpcFp128 => "ppc_fp128",
            }
            .to_owned(),
            TypeKind::Ptr(0) => "ptr".to_owned(),
            TypeKind::Ptr(space) => format!("ptr addrspace({space})"),
            TypeKind::Array(n, t) => format!("[{n} x {}]", self.show_within(*t, depth - 1)),
            TypeKind::Vector(n, t, scalable) => {
                let vscale = if *scalable { "vscale x " } else { "" };
                format!("<{vscale}{n} x {}>", self.show_within(*t, depth - 1))
            }
            TypeKind::Struct(body) if body.packed => format!("<{{ {} }}>", list(&body.fields)),
            TypeKind::Struct(body) => format!("{{ {} }}", list(&body.fields)),
            TypeKind::Named(n) => format!("%{}", self.named[*n as usize].name),
            TypeKind::Function {
                ret,
                params,
                varargs,
            } => {
                let dots = match (varargs, params.is_empty()) {
                    (false, _) => "",
                    (true, true) => "...",
                    (true, false) => ", ...",
                };
                format!(
                    "{} ({}{dots})",
                    self.show_within(*ret, depth - 1),
                    list(params)
                )
            }
            TypeKind::Label => "label".to_owned(),
            TypeKind::Metadata => "metadata".to_owned(),
            TypeKind::Token => "token".to_owned(),
            TypeKind::Target(text) => text.clone(),
        }
    }
}
