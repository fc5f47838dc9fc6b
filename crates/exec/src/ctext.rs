//! Values and places in memory as C text: `-3`, `'a'`, `RED`, `&list.head->next`, `a[3].x`.

use crate::concrete::memory::Memory;
use crate::concrete::value::Val;
use attest_llvm::ctype::{CType, Encoding};
use attest_llvm::ir::MdId;
use attest_model::{ObjectId, Program, Sort};

/// The nesting depth of structures at which naming stops.
const DEEPEST: u32 = 16;

/// A value of a sort, read as a C type if one is known.
pub fn value(
    program: &Program,
    memory: &Memory,
    value: Val,
    sort: Sort,
    ty: Option<MdId>,
) -> String {
    match sort {
        Sort::F32 => format!("{:?}", f32::from_bits(value.lo as u32)),
        Sort::F64 => format!("{:?}", f64::from_bits(value.lo)),
        Sort::Ptr => pointer(program, memory, value),
        Sort::Int(width) => integer(program, value, width, ty),
    }
}

fn integer(program: &Program, value: Val, width: u32, ty: Option<MdId>) -> String {
    let number = value.signed(width);
    match ty.and_then(|ty| program.metadata.ctype(ty)) {
        Some(CType::Basic {
            encoding: Encoding::Unsigned | Encoding::UnsignedChar,
            ..
        }) => value.int().to_string(),
        Some(CType::Basic {
            encoding: Encoding::SignedChar,
            ..
        }) if (32..127).contains(&number) => {
            format!("{number} ('{}')", char::from(number as u8))
        }
        Some(CType::Basic {
            encoding: Encoding::Bool,
            ..
        }) => (value.int() & 1).to_string(),
        Some(CType::Enum {
            signed,
            enumerators,
            ..
        }) => {
            let number = if signed { number } else { value.int() as i128 };
            match enumerators.iter().find(|(_, n)| *n == number) {
                Some((name, _)) => name.clone(),
                None => number.to_string(),
            }
        }
        _ => number.to_string(),
    }
}

/// A pointer: null, a number, a function, or the address of a place.
pub fn pointer(program: &Program, memory: &Memory, ptr: Val) -> String {
    if ptr.hi == 0 {
        return if ptr.lo == 0 {
            "NULL".into()
        } else {
            format!("(void *){:#x}", ptr.lo)
        };
    }
    if let Some(object) = program.object(ptr.object())
        && object.kind == attest_model::StaticKind::Function
    {
        return object.name.to_string();
    }
    format!("&{}", place(program, memory, ptr, 0))
}

/// A place in memory as an expression; `size` is the size of the access, 0 for the whole object.
pub fn place(program: &Program, memory: &Memory, ptr: Val, size: u64) -> String {
    let (name, ty) = object_name(program, memory, ptr.object());
    let path = ty.map(|ty| path(program, ty, ptr.lo, size, 0));
    match path {
        Some(path) => name + &path,
        None if ptr.lo == 0 => name,
        None => format!("{name}+{}", ptr.lo as i64),
    }
}

fn object_name(program: &Program, memory: &Memory, id: ObjectId) -> (String, Option<MdId>) {
    let variable = match program.object(id) {
        Some(object) => object.variable,
        None => memory.object(id).and_then(|o| o.variable),
    };
    if let Some(variable) = variable {
        let variable = program.variable(variable);
        return (variable.name.to_string(), variable.ty);
    }
    match program.object(id) {
        Some(object) => (object.name.to_string(), None),
        None => (format!("object{}", id.0), None),
    }
}

/// The fields and indices that lead to an offset in a type.
fn path(program: &Program, ty: MdId, offset: u64, size: u64, depth: u32) -> String {
    let rest = |offset: u64| {
        if offset == 0 {
            String::new()
        } else {
            format!("+{}", offset as i64)
        }
    };
    if depth > DEEPEST {
        return rest(offset);
    }
    match program.metadata.ctype(ty) {
        Some(CType::Struct { fields, bits, .. }) if offset * 8 < bits && size * 8 < bits.max(1) => {
            let found = fields.iter().find(|f| {
                let start = f.offset / 8;
                start <= offset && offset < (f.offset + f.bits.max(8)).div_ceil(8)
            });
            match found {
                Some(field) => {
                    let name = field
                        .name
                        .as_ref()
                        .map_or(String::new(), |n| format!(".{n}"));
                    let inner = offset - field.offset / 8;
                    match field.ty {
                        Some(ty) if !field.bit_field => {
                            name + &path(program, ty, inner, size, depth + 1)
                        }
                        _ => name,
                    }
                }
                None => rest(offset),
            }
        }
        Some(CType::Array {
            element: Some(element),
            counts,
            bits,
        }) if offset * 8 < bits => {
            let total: u64 = counts.iter().map(|c| c.unwrap_or(1)).product();
            let mut each = (bits / 8).checked_div(total).unwrap_or(0);
            if each == 0 {
                return rest(offset);
            }
            let mut out = String::new();
            let mut left = offset;
            let mut span = bits / 8;
            for count in &counts {
                span = span.checked_div(count.unwrap_or(1)).unwrap_or(each).max(1);
                out.push_str(&format!("[{}]", left / span));
                left %= span;
                each = span;
            }
            out + &path(program, element, left, size.min(each), depth + 1)
        }
        _ => rest(offset),
    }
}
