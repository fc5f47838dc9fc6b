//! Compares the sizes and field offsets that [`attest_llvm::Layout`] computes for structures with
//! those in the debug information: `sizes FILE...`.

use attest_llvm::ctype::CType;
use attest_llvm::ir::{MdId, TypeKind};
use attest_llvm::{Layout, read_module};
use std::collections::HashMap;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut compared, mut fields_compared, mut differ) = (0, 0, 0);
    for file in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let Ok(mut module) = read_module(&text, &file) else {
            continue;
        };
        let Ok(layout) = Layout::parse(&module.data_layout) else {
            continue;
        };
        let mut said = HashMap::new();
        for id in (0..module.metadata.nodes.len()).map(|i| MdId(i as u32)) {
            let composite = module.metadata.kind(id) == Some("DICompositeType");
            if composite
                && let Some(CType::Struct {
                    name: Some(name),
                    union,
                    bits,
                    fields,
                }) = module.metadata.ctype(id)
                && bits > 0
            {
                let kind = if union { "union" } else { "struct" };
                said.insert(format!("{kind}.{name}"), (union, bits, fields));
            }
        }
        for number in 0..module.types.named.len() as u32 {
            let ty = module.types.intern(TypeKind::Named(number));
            let named = &module.types.named[number as usize];
            let (Some(_), Some((union, bits, fields))) = (&named.body, said.get(&named.name))
            else {
                continue;
            };
            compared += 1;
            if layout.size_of(&module.types, ty) != Ok(bits / 8) {
                differ += 1;
                println!(
                    "{file}: %{}: {:?} {bits}",
                    named.name,
                    layout.size_of(&module.types, ty)
                );
            }
            let offsets = layout.field_offsets(&module.types, ty).unwrap_or_default();
            if !union && fields.iter().all(|f| !f.bit_field && f.bits > 0) {
                for field in fields {
                    fields_compared += 1;
                    if !offsets.contains(&(field.offset / 8)) {
                        differ += 1;
                        println!(
                            "{file}: %{} {:?}: {} not in {offsets:?}",
                            named.name,
                            field.name,
                            field.offset / 8
                        );
                    }
                }
            }
        }
    }
    println!("{compared} structures and {fields_compared} fields compared, {differ} differ");
    if differ == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
