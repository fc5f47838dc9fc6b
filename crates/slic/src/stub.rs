//! Skeletons of bodies for functions that a program only declares.

use crate::ir::{line_from, signature, symbols};

/// The skeleton of a missing function, from the line of IR that declares it.
pub fn skeleton(ir: &str, function: &str, called: &str) -> Option<String> {
    let (_, symbol) = symbols(ir).into_iter().find(|(name, s)| {
        *name == function && s.first && line_from(ir, s.line).starts_with("declare ")
    })?;
    let own = signature(ir, &symbol);
    let result = c_type(&own.result)?;
    let mut parameters = Vec::new();
    for (i, ty) in own.parameters.iter().enumerate() {
        parameters.push(match ty.as_str() {
            "..." => "...".to_owned(),
            ty => {
                let ty = c_type(ty)?.0;
                let space = if ty.ends_with('*') { "" } else { " " };
                format!("{ty}{space}a{}", i + 1)
            }
        });
    }
    if parameters.is_empty() {
        parameters.push("void".into());
    }
    let space = if result.0.ends_with('*') { "" } else { " " };
    let body = match result.1 {
        "" => String::new(),
        input => format!("    return __VERIFIER_nondet_{input}();\n"),
    };
    Some(format!(
        "/* {function}: called at {called}. */\n{}{space}{function}({}) {{\n{body}}}\n",
        result.0,
        parameters.join(", "),
    ))
}

/// The C type of an IR type, and the name of its inputs.
fn c_type(ty: &str) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        "void" => ("void", ""),
        "ptr" => ("void *", "pointer"),
        "i1" | "i1 zeroext" => ("_Bool", "bool"),
        "i8" | "i8 signext" => ("char", "char"),
        "i8 zeroext" => ("unsigned char", "uchar"),
        "i16" | "i16 signext" => ("short", "short"),
        "i16 zeroext" => ("unsigned short", "ushort"),
        "i32" => ("int", "int"),
        "i64" => ("long", "long"),
        "float" => ("float", "float"),
        "double" => ("double", "double"),
        _ => return None,
    })
}

/// The declarations of inputs that skeletons use.
pub fn inputs(skeletons: &str) -> String {
    let mut out = String::new();
    for ty in [
        "ptr",
        "i1",
        "i8",
        "i8 zeroext",
        "i16",
        "i16 zeroext",
        "i32",
        "i64",
        "float",
        "double",
    ] {
        if let Some((c, input)) = c_type(ty) {
            let call = format!("__VERIFIER_nondet_{input}(");
            if skeletons.contains(&call) {
                let space = if c.ends_with('*') { "" } else { " " };
                out.push_str(&format!("extern {c}{space}{call}void);\n"));
            }
        }
    }
    out
}
