//! Sizes, alignments and offsets of types, from a `target datalayout` string.
//!
//! The rules are LLVM's: an integer without its own entry has the alignment of the next larger one,
//! a vector that of its size, a float that of its entry. All arithmetic is checked, since a hostile
//! file can contain `[9223372036854775807 x i64]`. The depth and the number of parts that one call
//! may visit are bounded, since named structures can nest without end or contain themselves.

use crate::ir::{FloatKind, StructBody, Ty, TypeKind, Types};

/// The maximum nesting depth of a type.
const MAX_DEPTH: u32 = 600;
/// The number of parts of types that one call may visit.
const MAX_VISITS: u32 = 2_000_000;

/// A pointer of one address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pointer {
    space: u32,
    bits: u32,
    align: u64,
    index_bits: u32,
}

/// The contents of a `target datalayout`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pointers: Vec<Pointer>,
    /// Alignments in bytes by width, sorted by width.
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    aggregate: u64,
}

impl Default for Layout {
    /// LLVM's defaults for missing entries.
    fn default() -> Self {
        Layout {
            pointers: vec![Pointer {
                space: 0,
                bits: 64,
                align: 8,
                index_bits: 64,
            }],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregate: 1,
        }
    }
}

/// Size and alignment in bytes: `store` is the size of an access, `alloc` the size of an array
/// element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    store: u64,
    alloc: u64,
    align: u64,
}

/// Counts the visited parts.
struct Budget {
    visits: u32,
}

impl Layout {
    /// Parses a data layout; big-endian ones are not supported.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let mut layout = Layout::default();
        for item in text.split('-').filter(|item| !item.is_empty()) {
            layout
                .item(item)
                .map_err(|e| format!("data layout `{text}`: in `{item}`: {e}"))?;
        }
        Ok(layout)
    }

    fn item(&mut self, item: &str) -> Result<(), String> {
        let mut parts = item.split(':');
        let head = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let mut letters = head.chars();
        let letter = letters.next().unwrap_or_default();
        let tail = letters.as_str();
        match letter {
            'e' if tail.is_empty() => Ok(()),
            'E' if tail.is_empty() => Err("big-endian targets are not supported".to_owned()),
            'p' => self.pointer(tail, &rest),
            'i' | 'f' | 'v' => {
                let bits = number(tail)?;
                let align = alignment(rest.first().ok_or("an alignment is missing")?)?;
                if bits == 0 {
                    return Err("a width of 0".to_owned());
                }
                // An alignment of 0 has no meaning for types.
                let align = align.max(1);
                let table = match letter {
                    'i' => &mut self.integers,
                    'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                match table.binary_search_by_key(&bits, |&(width, _)| width) {
                    Ok(place) => table[place].1 = align,
                    Err(place) => table.insert(place, (bits, align)),
                }
                Ok(())
            }
            'a' => {
                let align = alignment(rest.first().ok_or("an alignment is missing")?)?;
                self.aggregate = align.max(1);
                Ok(())
            }
            // Mangling, native widths, the stack, functions, address spaces of globals and allocas,
            // and non-integral spaces: irrelevant for sizes.
            'm' | 'n' | 'S' | 'F' | 'P' | 'G' | 'A' | 's' => Ok(()),
            _ => Err("unknown item".to_owned()),
        }
    }

    /// `p270:32:32:32:32`; in LLVM 22 flags may precede the number.
    fn pointer(&mut self, tail: &str, rest: &[&str]) -> Result<(), String> {
        let digits = tail.trim_start_matches(['u', 'e']);
        let digits = digits.split('(').next().unwrap_or_default();
        let space = if digits.is_empty() {
            0
        } else {
            number(digits)?
        };
        let bits = number(rest.first().ok_or("a size is missing")?)?;
        if bits == 0 || bits > 1 << 23 {
            return Err("not a size of pointers".to_owned());
        }
        let align = alignment(rest.get(1).ok_or("an alignment is missing")?)?;
        let index_bits = match rest.get(3) {
            Some(text) => number(text)?,
            None => bits,
        };
        if index_bits == 0 || index_bits > bits {
            return Err("not a size of indices".to_owned());
        }
        let pointer = Pointer {
            space,
            bits,
            align: align.max(1),
            index_bits,
        };
        match self.pointers.iter_mut().find(|p| p.space == space) {
            Some(old) => *old = pointer,
            None => self.pointers.push(pointer),
        }
        Ok(())
    }

    fn pointer_of(&self, space: u32) -> Pointer {
        let found = self.pointers.iter().find(|p| p.space == space);
        let default = self.pointers.iter().find(|p| p.space == 0);
        let last_resort = Pointer {
            space: 0,
            bits: 64,
            align: 8,
            index_bits: 64,
        };
        found.or(default).copied().unwrap_or(last_resort)
    }

    /// Width of a pointer of this address space, in bits.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer_of(space).bits
    }

    /// Width of an offset in this address space, in bits.
    pub fn index_bits(&self, space: u32) -> u32 {
        self.pointer_of(space).index_bits
    }

    /// The size in bytes of an object of this type, including padding at its end.
    pub fn size_of(&self, types: &Types, ty: Ty) -> Result<u64, String> {
        self.measure(types, ty).map(|extent| extent.alloc)
    }

    /// The number of bytes that a load or store of this type accesses.
    pub fn store_size(&self, types: &Types, ty: Ty) -> Result<u64, String> {
        self.measure(types, ty).map(|extent| extent.store)
    }

    /// The alignment that the ABI requires, in bytes.
    pub fn align_of(&self, types: &Types, ty: Ty) -> Result<u64, String> {
        self.measure(types, ty).map(|extent| extent.align)
    }

    /// The offset in bytes of a field of a structure, or of an element of an
    /// array or vector.
    pub fn field_offset(&self, types: &Types, ty: Ty, index: u64) -> Result<u64, String> {
        match types.kind(ty) {
            TypeKind::Array(_, element) | TypeKind::Vector(_, element, _) => {
                let size = self.size_of(types, *element)?;
                size.checked_mul(index).ok_or_else(|| too_large(types, ty))
            }
            _ => {
                let body = body(types, ty)?;
                let field = usize::try_from(index)
                    .ok()
                    .filter(|&i| i < body.fields.len());
                let field =
                    field.ok_or_else(|| format!("{} has no field {index}", types.show(ty)))?;
                let mut budget = Budget { visits: 0 };
                let mut offset = 0;
                self.walk_fields(types, ty, body, 0, &mut budget, |i, at| {
                    if i == field {
                        offset = at;
                    }
                })?;
                Ok(offset)
            }
        }
    }

    /// The offsets in bytes of all fields of a structure.
    pub fn field_offsets(&self, types: &Types, ty: Ty) -> Result<Vec<u64>, String> {
        let body = body(types, ty)?;
        let mut offsets = Vec::with_capacity(body.fields.len());
        let mut budget = Budget { visits: 0 };
        self.walk_fields(types, ty, body, 0, &mut budget, |_, at| offsets.push(at))?;
        Ok(offsets)
    }

    fn measure(&self, types: &Types, ty: Ty) -> Result<Extent, String> {
        self.extent(types, ty, 0, &mut Budget { visits: 0 })
    }

    fn extent(
        &self,
        types: &Types,
        ty: Ty,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<Extent, String> {
        budget.visits += 1;
        if depth > MAX_DEPTH || budget.visits > MAX_VISITS {
            return Err(format!(
                "{} contains itself or nests too deep",
                types.show(ty)
            ));
        }
        let scalar = |bits: u64, align: u64| {
            let store = bits.div_ceil(8);
            let alloc = round_up(store, align).ok_or_else(|| too_large(types, ty))?;
            Ok(Extent {
                store,
                alloc,
                align,
            })
        };
        match types.kind(ty) {
            TypeKind::Int(bits) => scalar(u64::from(*bits), self.integer_align(*bits)),
            TypeKind::Float(kind) => {
                let bits = float_bits(*kind);
                scalar(u64::from(bits), self.float_align(bits))
            }
            TypeKind::Ptr(space) => {
                let pointer = self.pointer_of(*space);
                scalar(u64::from(pointer.bits), pointer.align)
            }
            TypeKind::Vector(_, _, true) => {
                Err(format!("the size of {} is not known", types.show(ty)))
            }
            TypeKind::Vector(n, element, false) => {
                let bits = match types.kind(*element) {
                    TypeKind::Int(bits) => *bits,
                    TypeKind::Float(kind) => float_bits(*kind),
                    TypeKind::Ptr(space) => self.pointer_of(*space).bits,
                    _ => return Err(format!("{} has no size", types.show(*element))),
                };
                let bits = u64::from(bits)
                    .checked_mul(*n)
                    .ok_or_else(|| too_large(types, ty))?;
                let align = self
                    .vector_align(bits)
                    .ok_or_else(|| too_large(types, ty))?;
                scalar(bits, align)
            }
            TypeKind::Array(n, element) => {
                let element = self.extent(types, *element, depth + 1, budget)?;
                let size = element
                    .alloc
                    .checked_mul(*n)
                    .ok_or_else(|| too_large(types, ty))?;
                Ok(Extent {
                    store: size,
                    alloc: size,
                    align: element.align,
                })
            }
            TypeKind::Struct(_) | TypeKind::Named(_) => {
                let body = body(types, ty)?;
                self.walk_fields(types, ty, body, depth, budget, |_, _| {})
            }
            TypeKind::Target(name) if name == "x86_mmx" => scalar(64, 8),
            TypeKind::Target(name) if name == "x86_amx" => scalar(8192, 64),
            TypeKind::Void
            | TypeKind::Function { .. }
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Target(_) => Err(format!("{} has no size", types.show(ty))),
        }
    }

    /// Visits the fields of a structure with their offsets.
    fn walk_fields(
        &self,
        types: &Types,
        ty: Ty,
        body: &StructBody,
        depth: u32,
        budget: &mut Budget,
        mut visit: impl FnMut(usize, u64),
    ) -> Result<Extent, String> {
        let mut at = 0u64;
        let mut align = if body.packed { 1 } else { self.aggregate };
        for (i, &field) in body.fields.iter().enumerate() {
            let field = self.extent(types, field, depth + 1, budget)?;
            if !body.packed {
                align = align.max(field.align);
                at = round_up(at, field.align).ok_or_else(|| too_large(types, ty))?;
            }
            visit(i, at);
            at = at
                .checked_add(field.alloc)
                .ok_or_else(|| too_large(types, ty))?;
        }
        let size = round_up(at, align).ok_or_else(|| too_large(types, ty))?;
        Ok(Extent {
            store: size,
            alloc: size,
            align,
        })
    }

    fn integer_align(&self, bits: u32) -> u64 {
        let larger = self.integers.iter().find(|&&(width, _)| width >= bits);
        larger
            .or(self.integers.last())
            .map_or(1, |&(_, align)| align)
    }

    fn float_align(&self, bits: u32) -> u64 {
        match self.floats.iter().find(|&&(width, _)| width == bits) {
            Some(&(_, align)) => align,
            None => u64::from(bits.div_ceil(8)).next_power_of_two(),
        }
    }

    fn vector_align(&self, bits: u64) -> Option<u64> {
        match self
            .vectors
            .iter()
            .find(|&&(width, _)| u64::from(width) == bits)
        {
            Some(&(_, align)) => Some(align),
            None => bits.div_ceil(8).checked_next_power_of_two(),
        }
    }
}

fn body(types: &Types, ty: Ty) -> Result<&StructBody, String> {
    types
        .struct_body(ty)
        .ok_or_else(|| format!("{} has no known fields", types.show(ty)))
}

fn too_large(types: &Types, ty: Ty) -> String {
    format!("{} is too large", types.show(ty))
}

fn round_up(value: u64, align: u64) -> Option<u64> {
    value.checked_next_multiple_of(align)
}

fn float_bits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::X86Fp80 => 80,
        FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number"))
}

/// An alignment in bits, as bytes.
fn alignment(text: &str) -> Result<u64, String> {
    let bits = number(text)?;
    let bytes = u64::from(bits / 8);
    if bits % 8 != 0 || bytes != 0 && !bytes.is_power_of_two() {
        return Err(format!("`{text}` is not an alignment"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_module;

    const I386: &str =
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";
    const X86_64: &str =
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    /// Size, store size and alignment of a type on both targets.
    fn check(ty: &str, i386: (u64, u64, u64), x86_64: (u64, u64, u64)) {
        for (layout, expected) in [(I386, i386), (X86_64, x86_64)] {
            let layout = Layout::parse(layout).expect("a valid layout");
            let text = format!("%s = type {{ i8, i64, i8 }}\n@g = external global {ty}\n");
            let module = read_module(&text, "test.ll").expect("a valid module");
            let crate::ir::GlobalKind::Variable(v) = &module.globals[0].kind else {
                panic!("not a variable")
            };
            let types = &module.types;
            let found = (
                layout.size_of(types, v.ty).expect("a size"),
                layout.store_size(types, v.ty).expect("a size"),
                layout.align_of(types, v.ty).expect("an alignment"),
            );
            assert_eq!(found, expected, "{ty}");
        }
    }

    #[test]
    fn sizes() {
        check("i1", (1, 1, 1), (1, 1, 1));
        check("i24", (4, 3, 4), (4, 3, 4));
        check("i33", (8, 5, 4), (8, 5, 8));
        check("i64", (8, 8, 4), (8, 8, 8));
        check("i65", (16, 9, 16), (16, 9, 16));
        check("i129", (32, 17, 16), (32, 17, 16));
        check("ptr", (4, 4, 4), (8, 8, 8));
        check("ptr addrspace(272)", (8, 8, 8), (8, 8, 8));
        check("double", (8, 8, 4), (8, 8, 8));
        check("x86_fp80", (12, 10, 4), (16, 10, 16));
        check("fp128", (16, 16, 16), (16, 16, 16));
        check("<3 x i32>", (16, 12, 16), (16, 12, 16));
        check("<8 x i1>", (1, 1, 1), (1, 1, 1));
        check("<8 x i32>", (32, 32, 32), (32, 32, 32));
        check("%s", (16, 16, 4), (24, 24, 8));
        check("<{ i8, i64, i8 }>", (10, 10, 1), (10, 10, 1));
        check("{}", (0, 0, 1), (0, 0, 1));
        check("[3 x { i16, i8 }]", (12, 12, 2), (12, 12, 2));
    }

    fn check_error(ty: &str, message: &str) {
        let text = format!(
            "%opaque = type opaque\n%self = type {{ i8, %self }}\n@g = external global {ty}\n"
        );
        let module = read_module(&text, "test.ll").expect("a valid module");
        let crate::ir::GlobalKind::Variable(v) = &module.globals[0].kind else {
            panic!("not a variable")
        };
        let error = Layout::default()
            .size_of(&module.types, v.ty)
            .expect_err("no size");
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn errors() {
        check_error("%opaque", "no known fields");
        check_error("%self", "contains itself");
        check_error("[9223372036854775807 x i64]", "too large");
        check_error(
            "{ [9223372036854775807 x i8], [9223372036854775807 x i8], i64 }",
            "too large",
        );
        check_error("<vscale x 4 x i32>", "not known");
        check_error("target(\"a.b\")", "no size");
    }

    #[test]
    fn exponentially_large_types_are_rejected() {
        let mut text = "%t0 = type { i8 }\n".to_owned();
        for i in 1..64 {
            text.push_str(&format!("%t{i} = type {{ %t{0}, %t{0} }}\n", i - 1));
        }
        text.push_str("@g = external global %t63\n");
        let module = read_module(&text, "test.ll").expect("a valid module");
        let crate::ir::GlobalKind::Variable(v) = &module.globals[0].kind else {
            panic!("not a variable")
        };
        assert!(Layout::default().size_of(&module.types, v.ty).is_err());
    }

    #[test]
    fn offsets() {
        let layout = Layout::parse(X86_64).expect("a valid layout");
        let text = "%s = type { i8, i64, i8, [2 x i32] }\n@g = external global %s\n";
        let module = read_module(text, "test.ll").expect("a valid module");
        let crate::ir::GlobalKind::Variable(v) = &module.globals[0].kind else {
            panic!("not a variable")
        };
        let offsets = layout.field_offsets(&module.types, v.ty);
        assert_eq!(offsets, Ok(vec![0, 8, 16, 20]));
        assert_eq!(layout.field_offset(&module.types, v.ty, 3), Ok(20));
        assert!(layout.field_offset(&module.types, v.ty, 4).is_err());
    }

    #[test]
    fn bad_layouts() {
        for text in [
            ":8", "E", "e-p:32", "i64:7", "f64", "x", "p:0:0", "i:8", "é:4",
        ] {
            assert!(Layout::parse(text).is_err(), "{text}");
        }
    }
}
