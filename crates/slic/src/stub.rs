//! Skeletons of bodies for functions that a program only declares.

use crate::ir::{Symbol, line_from, signature, symbols};

/// The skeleton of a missing function, from the line of IR that declares it.
pub fn skeleton(ir: &str, function: &str, called: &str) -> Option<String> {
    let named: Vec<Symbol> = symbols(ir)
        .into_iter()
        .filter_map(|(name, symbol)| (name == function).then_some(symbol))
        .collect();
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if !function.bytes().all(part) {
        return None;
    }
    let is_declared = |s: &&Symbol| s.first && line_from(ir, s.line).starts_with("declare ");
    let symbol = named.iter().find(is_declared)?;
    let own = signature(ir, symbol);
    let result = c_type(&own.result)?;
    // Declared without a prototype, it has the parameters of its first call.
    let called_with = match own.parameters.as_slice() {
        [any] if any == "..." => {
            let is_call = |s: &&Symbol| s.line != symbol.line && ir[s.end..].starts_with('(');
            let call = named.iter().find(is_call);
            call.map_or(Vec::new(), |call| signature(ir, call).parameters)
        }
        _ => own.parameters,
    };
    let mut parameters = Vec::new();
    for (i, ty) in called_with.iter().enumerate() {
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
        _ if never_returns(ir, symbol) => "    abort();\n".to_owned(),
        "" => String::new(),
        input => format!("    return __VERIFIER_nondet_{input}();\n"),
    };
    Some(format!(
        "/* {function}: {called}. */\n{}{space}{function}({}) {{\n{body}}}\n",
        result.0,
        parameters.join(", "),
    ))
}

/// Whether the line that declares a function says that it does not return.
fn never_returns(ir: &str, symbol: &Symbol) -> bool {
    let line = line_from(ir, symbol.line);
    let Some(group) = line.split(' ').find(|word| word.starts_with('#')) else {
        return false;
    };
    let head = format!("attributes {group} = ");
    let mut groups = ir.lines().filter_map(|line| line.strip_prefix(&head));
    groups.any(|attributes| attributes.split(' ').any(|word| word == "noreturn"))
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
        "i64" => ("long long", "longlong"),
        "float" => ("float", "float"),
        "double" => ("double", "double"),
        _ => return None,
    })
}

/// The declarations of inputs that skeletons use.
pub fn inputs(skeletons: &str) -> String {
    let mut out = String::new();
    if skeletons.contains(" abort();") {
        out.push_str("extern void abort(void);\n");
    }
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
