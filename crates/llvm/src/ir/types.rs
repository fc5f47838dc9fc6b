//! Types, interned: equal types of a module have equal handles.

use rustc_hash::FxHashMap;

/// A type, as a handle into [`Types`]. Equal types of a module have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub u32);

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// A floating-point format.
    Float(FloatKind),
    /// A pointer into an address space.
    Ptr(u32),
    /// `[n x T]`.
    Array(u64, Ty),
    /// `<n x T>`; the flag means `vscale x`.
    Vector(u64, Ty, bool),
    /// A literal structure.
    Struct(StructBody),
    /// A named structure; its body is in [`Types::named`].
    Named(u32),
    /// A function type.
    Function {
        /// The return type.
        ret: Ty,
        /// Its fixed parameters.
        params: Vec<Ty>,
        /// Whether it takes variable arguments.
        varargs: bool,
    },
    /// A basic block.
    Label,
    /// A metadata operand.
    Metadata,
    /// A token.
    Token,
    /// A target extension type, by its text.
    Target(String),
}

/// Fields of a structure and whether it is packed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructBody {
    /// Types of the fields in order.
    pub fields: Vec<Ty>,
    /// Whether there is no padding between the fields.
    pub packed: bool,
}

/// The floating-point formats of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
}

/// A named structure type; `body` is `None` for an opaque one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// Its name without the `%`.
    pub name: String,
    /// Its fields, if they are known.
    pub body: Option<StructBody>,
}

/// The arena of types of a module.
#[derive(Clone, Default, Debug)]
pub struct Types {
    pub(crate) kinds: Vec<TypeKind>,
    pub(crate) index: FxHashMap<TypeKind, Ty>,
    /// Named structures, by the number in [`TypeKind::Named`].
    pub named: Vec<NamedType>,
}

impl Types {
    /// The handle of a type, added if it is new.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        if let Some(&ty) = self.index.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.index.insert(kind, ty);
        ty
    }

    /// The structure of a type.
    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    /// The body of a literal or named structure.
    pub fn struct_body(&self, ty: Ty) -> Option<&StructBody> {
        match self.kind(ty) {
            TypeKind::Struct(body) => Some(body),
            TypeKind::Named(n) => self.named[*n as usize].body.as_ref(),
            _ => None,
        }
    }
}
