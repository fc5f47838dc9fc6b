//! C types of the debug information, for the caller of an entry: when two types are the same, and
//! what a type contains.
//!
//! LLVM's pointers do not say what they point to, so this is the only source. Types are compared by
//! a text, their key: each file has its own nodes for the same type, and signedness does not
//! separate pointers, as in C's aliasing rules.

use crate::caller::NamedScalar;
use crate::lower::types::unsupported;
use crate::program::{Bail, BailKind, Sort};
use attest_llvm::ctype::{CField, CType, Encoding};
use attest_llvm::debug::Metadata;
use attest_llvm::ir::MdId;
use rustc_hash::FxHashMap;

/// The nesting depth up to which a key is written.
const KEY_DEPTH: u32 = 12;
/// Keys are truncated after this many bytes; types that only differ later count as one.
const LONGEST_KEY: usize = 2000;
/// The maximum nesting depth of types.
const MOST_NESTED: u32 = 40;
/// The number of parts of one type above which it is refused.
const MOST_PARTS: usize = 4096;
/// Pointers only point to the first two elements and the last one of longer arrays.
const SHORT_ARRAY: u64 = 4;

/// The key of the type of bytes, which `void *` points to as well.
pub const BYTES: &str = "char";

/// The types of a program.
pub struct Types<'m> {
    metadata: &'m Metadata,
    /// Structures by their key, for those that are only declared elsewhere.
    complete: FxHashMap<String, MdId>,
}

/// The contents of a type.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Its pointers.
    pub slots: Vec<Slot>,
    /// Offsets of booleans, which are 0 or 1.
    pub bools: Vec<u64>,
    /// The parts that a pointer of the right type may point to, the whole type included.
    pub parts: Vec<Part>,
    /// Its scalars, for printing.
    pub scalars: Vec<NamedScalar>,
}

/// A pointer inside a type.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Offset in bytes from the start.
    pub offset: u64,
    /// The access path.
    pub path: String,
    /// The types that it points to: several in a union.
    pub targets: Vec<Option<MdId>>,
    /// Whether it is in a union, so that its bytes may be other data.
    pub maybe_data: bool,
}

/// A part of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Offset in bytes from the start.
    pub offset: u64,
    /// The key of its type.
    pub key: String,
    /// The access path.
    pub path: String,
}

/// The target type of pointers.
#[derive(Clone, Debug)]
pub struct Target {
    /// The key.
    pub key: String,
    /// The name of the type.
    pub name: String,
    /// The type; `None` for the bytes of a `void *`, and for a type that is never defined.
    pub ty: Option<MdId>,
    /// The size of one element.
    pub size: u64,
    /// The element of a flexible array at the end, which needs room.
    pub flexible: Option<(u64, Option<MdId>)>,
    /// The kind of the type.
    pub class: Class,
}

/// Kinds of types with different numbers of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A byte.
    Byte,
    /// Another scalar.
    Scalar,
    /// A pointer, structure, union or array.
    Aggregate,
    /// A structure that the program never accesses.
    Opaque,
    /// A function.
    Function,
}

impl<'m> Types<'m> {
    pub fn new(metadata: &'m Metadata) -> Types<'m> {
        let mut types = Types {
            metadata,
            complete: FxHashMap::default(),
        };
        for at in 0..metadata.nodes.len() {
            let id = MdId(at as u32);
            if metadata.kind(id) == Some("DICompositeType")
                && matches!(metadata.ctype(id), Some(CType::Struct { .. }))
                && !types.is_declared_only(id)
            {
                let key = types.key(Some(id));
                types.complete.entry(key).or_insert(id);
            }
        }
        types
    }

    fn is_declared_only(&self, id: MdId) -> bool {
        let flags = self.metadata.word_field(id, "flags");
        flags.is_some_and(|f| f.contains("DIFlagFwdDecl"))
    }

    /// A type, with declared structures replaced by their definitions.
    fn ctype(&self, id: MdId) -> Option<(MdId, CType)> {
        let id = self.metadata.resolve_type(id).unwrap_or(id);
        let id = if self.is_declared_only(id) {
            *self.complete.get(&self.key(Some(id))).unwrap_or(&id)
        } else {
            id
        };
        Some((id, self.metadata.ctype(id)?))
    }

    /// A text that is the same for types whose pointers may alias.
    pub fn key(&self, id: Option<MdId>) -> String {
        let mut key = String::new();
        self.write_key(id, KEY_DEPTH, &mut key);
        key
    }

    fn write_key(&self, id: Option<MdId>, depth: u32, out: &mut String) {
        let Some(ctype) = id.map(|id| self.metadata.ctype(id)) else {
            return out.push_str("void");
        };
        if depth == 0 || out.len() > LONGEST_KEY {
            return out.push_str("...");
        }
        match ctype {
            None => out.push('?'),
            Some(CType::Void) => out.push_str("void"),
            Some(CType::Basic { name, .. }) => {
                let name = name.strip_prefix("unsigned ").unwrap_or(&name);
                out.push_str(name.strip_prefix("signed ").unwrap_or(name));
            }
            Some(CType::Enum { bits, .. }) => out.push_str(match bits {
                8 => "char",
                16 => "short",
                64 => "long",
                _ => "int",
            }),
            Some(CType::Pointer { target, .. }) => {
                out.push('*');
                self.write_key(target, depth - 1, out);
            }
            Some(CType::Array {
                element, counts, ..
            }) => {
                self.write_key(element, depth - 1, out);
                out.push_str(&format!("{counts:?}"));
            }
            Some(CType::Struct {
                name,
                union,
                fields,
                ..
            }) => {
                out.push_str(if union { "union " } else { "struct " });
                match name {
                    Some(name) => out.push_str(&name),
                    None => {
                        for field in fields {
                            out.push_str(if out.ends_with(' ') { "{" } else { ";" });
                            self.write_key(field.ty, depth - 1, out);
                            out.push_str(&format!("@{}", field.offset));
                        }
                        out.push('}');
                    }
                }
            }
            Some(CType::Function {
                ret,
                params,
                varargs,
            }) => {
                self.write_key(ret, depth - 1, out);
                out.push('(');
                for param in params {
                    self.write_key(param, depth - 1, out);
                    out.push(',');
                }
                out.push_str(if varargs { "...)" } else { ")" });
            }
            Some(CType::Other(tag)) => out.push_str(&tag),
        }
    }

    /// The target of a pointer type; `None` if it is not a pointer.
    pub fn pointee(&self, id: MdId) -> Option<Option<MdId>> {
        match self.metadata.ctype(id)? {
            CType::Pointer { target, .. } => {
                // `void` below a qualifier is `void`.
                Some(target.filter(|t| self.metadata.ctype(*t) != Some(CType::Void)))
            }
            _ => None,
        }
    }

    /// Whether a type is a structure, union or complex number, which is passed in pieces.
    pub fn is_split(&self, id: MdId) -> bool {
        match self.metadata.ctype(id) {
            Some(CType::Struct { .. }) => true,
            Some(CType::Basic { encoding, .. }) => encoding == Encoding::Other,
            _ => false,
        }
    }

    /// Whether a type has size zero.
    pub fn is_empty(&self, id: MdId) -> bool {
        matches!(self.ctype(id), Some((_, CType::Struct { bits: 0, .. })))
    }

    /// Whether a scalar is signed.
    pub fn is_signed(&self, id: MdId) -> bool {
        match self.metadata.ctype(id) {
            Some(CType::Basic { encoding, .. }) => encoding.is_signed(),
            Some(CType::Enum { signed, .. }) => signed,
            _ => false,
        }
    }

    /// Whether a parameter is declared `restrict`.
    pub fn is_restrict(&self, id: MdId) -> bool {
        self.is_wrapped(id, |at| {
            self.metadata.word_field(at, "tag") == Some("DW_TAG_restrict_type")
        })
    }

    /// Whether a parameter is a `va_list`, which is a plain pointer on some machines.
    pub fn is_va_list(&self, id: MdId) -> bool {
        self.is_wrapped(id, |at| {
            let name = self.metadata.text_field(at, "name");
            name.is_some_and(|name| name.ends_with("va_list"))
        })
    }

    /// Whether one of a type's typedefs and qualifiers matches.
    fn is_wrapped(&self, id: MdId, wanted: impl Fn(MdId) -> bool) -> bool {
        let is_wrapper = |at: &MdId| {
            let tag = self.metadata.word_field(*at, "tag").unwrap_or_default();
            matches!(
                tag,
                "DW_TAG_typedef"
                    | "DW_TAG_const_type"
                    | "DW_TAG_volatile_type"
                    | "DW_TAG_restrict_type"
            )
        };
        std::iter::successors(Some(id), |at| self.metadata.node_field(*at, "baseType"))
            .take(KEY_DEPTH as usize)
            .take_while(is_wrapper)
            .any(wanted)
    }

    /// The target of pointers to a type.
    pub fn target(&self, ty: Option<MdId>) -> Result<Target, Bail> {
        let name = ty.map_or("void".into(), |ty| self.metadata.ctype_name(ty));
        let bytes = |name: &str| Target {
            key: BYTES.into(),
            name: name.into(),
            ty: None,
            size: 1,
            flexible: None,
            class: Class::Byte,
        };
        let Some(ty) = ty else {
            return Ok(bytes("char"));
        };
        let Some((id, ctype)) = self.ctype(ty) else {
            return Err(no_arguments(format!("a pointer to {name}")));
        };
        let key = self.key(Some(id));
        let mut target = Target {
            key,
            name,
            ty: Some(id),
            size: 0,
            flexible: None,
            class: Class::Aggregate,
        };
        let bits = match ctype {
            CType::Void => return Ok(bytes("char")),
            CType::Basic { .. } if target.key == BYTES => return Ok(bytes(&target.name)),
            CType::Basic { bits, .. } | CType::Enum { bits, .. } => {
                target.class = if target.key == BYTES {
                    Class::Byte
                } else {
                    Class::Scalar
                };
                bits
            }
            CType::Function { .. } => {
                target.class = Class::Function;
                8
            }
            CType::Struct { .. } if target.key.contains("__va_list") => {
                return Err(no_arguments("a va_list"));
            }
            CType::Struct { .. } if self.is_declared_only(id) => {
                target.class = Class::Opaque;
                8
            }
            CType::Struct { bits, fields, .. } => {
                target.flexible = self.flexible(fields.last());
                bits
            }
            CType::Array { bits: 0, .. } => {
                let what = format!("a pointer to an array of unknown length, {}", target.name);
                return Err(no_arguments(what));
            }
            CType::Pointer { bits, .. } | CType::Array { bits, .. } => bits,
            CType::Other(what) => return Err(no_arguments(format!("a pointer to {what}"))),
        };
        target.size = (bits / 8).max(1);
        Ok(target)
    }

    /// The flexible array at the end of a structure: its element's size and type.
    fn flexible(&self, last: Option<&CField>) -> Option<(u64, Option<MdId>)> {
        let Some(CType::Array {
            element, counts, ..
        }) = last
            .and_then(|f| f.ty)
            .and_then(|ty| self.metadata.ctype(ty))
        else {
            return None;
        };
        match counts.as_slice() {
            [None | Some(0)] => Some((self.size(element), element)),
            _ => None,
        }
    }

    /// The size of a type in bytes; 1 if it has none.
    fn size(&self, ty: Option<MdId>) -> u64 {
        let bits = match ty.and_then(|ty| self.ctype(ty)) {
            Some((
                _,
                CType::Basic { bits, .. }
                | CType::Enum { bits, .. }
                | CType::Pointer { bits, .. }
                | CType::Array { bits, .. }
                | CType::Struct { bits, .. },
            )) => bits,
            _ => 8,
        };
        (bits / 8).max(1)
    }

    /// Adds the contents of a type at an offset to a shape.
    pub fn walk(
        &self,
        ty: Option<MdId>,
        offset: u64,
        path: &str,
        shape: &mut Shape,
    ) -> Result<(), Bail> {
        let walk = Walk {
            types: self,
            in_union: false,
            depth: 0,
        };
        walk.visit(ty, offset, path, shape)?;
        shape.merge_slots()
    }

    /// The scalars of a structure in order, for arguments that are passed as single scalars.
    pub fn scalars(&self, ty: MdId) -> Result<Vec<u64>, Bail> {
        let mut shape = Shape::default();
        self.walk(Some(ty), 0, "", &mut shape)?;
        Ok(shape.scalars.iter().map(|s| s.offset).collect())
    }

    /// The sort of a scalar type.
    pub fn sort(&self, ty: MdId) -> Option<Sort> {
        match self.metadata.ctype(ty)? {
            CType::Basic { bits, encoding, .. } => match (encoding, bits) {
                (Encoding::Bool, _) => Some(Sort::Int(1)),
                (Encoding::Float, 32) => Some(Sort::F32),
                (Encoding::Float, 64) => Some(Sort::F64),
                (Encoding::Float | Encoding::Other, _) => None,
                (_, bits @ 1..=128) => Some(Sort::Int(bits as u32)),
                _ => None,
            },
            CType::Enum { bits, .. } => Some(Sort::Int(bits as u32)),
            CType::Pointer { .. } => Some(Sort::Ptr),
            _ => None,
        }
    }

    /// The parameters and result of a function type, if all are scalars.
    pub fn scalar_signature(&self, ty: MdId) -> Option<(Vec<Sort>, Vec<Sort>)> {
        let CType::Function {
            ret,
            params,
            varargs: false,
        } = self.metadata.ctype(ty)?
        else {
            return None;
        };
        let params = params.iter().map(|p| self.sort((*p)?));
        let results = match ret {
            None => Vec::new(),
            Some(ret) => vec![self.sort(ret)?],
        };
        Some((params.collect::<Option<_>>()?, results))
    }
}

/// A bail for arguments that the caller cannot make.
pub fn no_arguments(what: impl Into<String>) -> Bail {
    let what = what.into();
    unsupported(BailKind::Unsupported, format!("an argument that is {what}"))
}

impl Shape {
    fn part(&mut self, offset: u64, key: String, path: &str) {
        let path = path.to_owned();
        self.parts.push(Part { offset, key, path });
    }

    /// Slots of a union's members at the same place are merged.
    fn merge_slots(&mut self) -> Result<(), Bail> {
        self.slots.sort_by_key(|slot| slot.offset);
        let mut merged: Vec<Slot> = Vec::with_capacity(self.slots.len());
        for slot in self.slots.drain(..) {
            match merged.last_mut() {
                Some(last) if last.offset == slot.offset => last.targets.extend(slot.targets),
                Some(last) if slot.offset - last.offset < 4 => {
                    return Err(no_arguments(
                        "a union of pointers that partly cover each other",
                    ));
                }
                _ => merged.push(slot),
            }
        }
        self.slots = merged;
        Ok(())
    }
}

/// A traversal of a type.
struct Walk<'t, 'm> {
    types: &'t Types<'m>,
    in_union: bool,
    depth: u32,
}

impl Walk<'_, '_> {
    fn inner(&self, in_union: bool) -> Self {
        Walk {
            types: self.types,
            in_union: self.in_union || in_union,
            depth: self.depth + 1,
        }
    }

    fn visit(
        &self,
        ty: Option<MdId>,
        offset: u64,
        path: &str,
        shape: &mut Shape,
    ) -> Result<(), Bail> {
        if self.depth > MOST_NESTED || shape.parts.len() > MOST_PARTS {
            return Err(no_arguments("a structure with too many parts"));
        }
        let scalar = |sort, signed| NamedScalar {
            path: path.to_owned(),
            offset,
            sort,
            signed,
        };
        let Some(ty) = ty else {
            shape.scalars.push(scalar(Sort::Int(8), true));
            shape.part(offset, BYTES.into(), path);
            return Ok(());
        };
        let Some((id, ctype)) = self.types.ctype(ty) else {
            return Ok(());
        };
        shape.part(offset, self.types.key(Some(id)), path);
        match ctype {
            CType::Basic { bits, encoding, .. } => {
                let sort = match (encoding, bits) {
                    (Encoding::Float, 32) => Some(Sort::F32),
                    (Encoding::Float, 64) => Some(Sort::F64),
                    (Encoding::Float | Encoding::Other, _) | (_, 0 | 129..) => None,
                    _ => Some(Sort::Int(bits as u32)),
                };
                if encoding == Encoding::Bool && !self.in_union {
                    shape.bools.push(offset);
                }
                let scalars = sort.map(|sort| scalar(sort, encoding.is_signed()));
                shape.scalars.extend(scalars);
            }
            CType::Enum { bits, signed, .. } => {
                shape.scalars.push(scalar(Sort::Int(bits as u32), signed));
            }
            CType::Pointer { target, .. } => {
                let target = target.filter(|_| self.types.pointee(id) != Some(None));
                shape.slots.push(Slot {
                    offset,
                    path: path.to_owned(),
                    targets: vec![target],
                    maybe_data: self.in_union,
                });
                shape.scalars.push(scalar(Sort::Ptr, false));
            }
            CType::Struct { union, fields, .. } => {
                let walk = self.inner(union);
                for field in fields.iter().filter(|f| !f.bit_field) {
                    let at = offset.saturating_add(field.offset / 8);
                    let path = match &field.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.to_owned(),
                    };
                    walk.visit(field.ty, at, &path, shape)?;
                }
            }
            CType::Array {
                element, counts, ..
            } => self.array(element, &counts, offset, path, shape)?,
            CType::Void | CType::Function { .. } | CType::Other(_) => {}
        }
        Ok(())
    }

    /// The elements of an array: all of them if there are pointers inside, otherwise those that
    /// pointers may point to.
    fn array(
        &self,
        element: Option<MdId>,
        counts: &[Option<u64>],
        offset: u64,
        path: &str,
        shape: &mut Shape,
    ) -> Result<(), Bail> {
        let total = counts.iter().try_fold(1u64, |n, c| n.checked_mul((*c)?));
        let total = total.unwrap_or(0);
        let size = self.types.size(element);
        let mut first = Shape::default();
        self.inner(false).visit(element, 0, "", &mut first)?;
        let plain = first.slots.is_empty() && first.bools.is_empty();
        if !plain && total > MOST_PARTS as u64 {
            return Err(no_arguments(
                "a very long array of pointers or truth values",
            ));
        }
        let tried: Vec<u64> = if plain && total > SHORT_ARRAY {
            vec![0, 1, total - 1]
        } else {
            (0..total).collect()
        };
        for i in tried {
            let path = format!("{path}{}", subscripts(i, counts));
            let at = offset.saturating_add(i.saturating_mul(size));
            self.inner(false).visit(element, at, &path, shape)?;
        }
        Ok(())
    }
}

/// `[1][0]` for the element with this number of an array of several dimensions.
fn subscripts(mut number: u64, counts: &[Option<u64>]) -> String {
    let mut out = String::new();
    for count in counts.iter().rev() {
        let count = count.unwrap_or(1).max(1);
        out = format!("[{}]{out}", number % count);
        number /= count;
    }
    out
}
