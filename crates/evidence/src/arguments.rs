//! The arguments of an entry other than `main`, as a test writes them down and
//! a native run builds them again.
//!
//! The types live in the program, so the harness works on untyped memory: it
//! fills blocks with bytes, stores pointers between them, and leaves the
//! scalars of each parameter in a buffer. The call itself is appended to the
//! IR of the file that defines the entry, where its exact signature is known
//! and `static` is no obstacle.

use attest_exec::inputs::Taken;
use attest_exec::{Inputs, Val};
use attest_model::caller::{Choice, PassedValue};
use attest_model::{InputKind, Program, Sort};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Bytes of the buffer of a parameter.
const BUFFER: u64 = 64;

/// What a call passes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The objects that pointers lead to.
    pub objects: Vec<ObjectContents>,
    /// The scalars of the parameters.
    pub passed: Vec<PassedScalar>,
}

/// An object with its contents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectContents {
    /// Its type and number, for people.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Bytes that are not 0, by their offsets.
    #[serde(default)]
    pub bytes: BTreeMap<u64, u8>,
    /// Pointers in it, by their offsets.
    #[serde(default)]
    pub pointers: BTreeMap<u64, Address>,
}

/// Where a pointer points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Address {
    /// Nowhere.
    Null,
    /// Into one of the objects, from 0: its number and the offset.
    Object(usize, u64),
    /// To a function.
    Function(String),
}

/// A scalar that is passed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassedScalar {
    /// The parameter in the IR, from 0.
    pub parameter: usize,
    /// Bytes from the start of the parameter's value.
    pub offset: u64,
    /// Its value.
    pub value: ScalarValue,
}

/// The value of a scalar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScalarValue {
    /// Its bytes in memory.
    Bytes(Vec<u8>),
    /// A pointer.
    Pointer(Address),
}

impl Arguments {
    /// The arguments that the caller made in a run, if there is a caller and the run reached its call.
    pub fn of(program: &Program, taken: &[Taken], given: &Inputs) -> Option<Arguments> {
        let caller = program.caller.as_ref()?;
        let is_argument = |t: &&Taken| matches!(t.kind, InputKind::Argument(_));
        let values: Vec<&Taken> = taken.iter().filter(is_argument).collect();
        if values.len() < caller.inputs.len() {
            return None;
        }
        let mut objects: Vec<ObjectContents> = (0u32..)
            .zip(&caller.objects)
            .map(|(i, object)| {
                let number = program.first_dynamic().0 + i;
                let bytes = given.unknown.range((number, 0)..(number, object.size));
                ObjectContents {
                    name: object.name.clone(),
                    size: object.size,
                    bytes: bytes.map(|((_, at), byte)| (*at, *byte)).collect(),
                    pointers: BTreeMap::new(),
                }
            })
            .collect();
        for (object, offset) in &caller.nulls {
            objects[*object].pointers.insert(*offset, Address::Null);
        }
        for (input, taken) in caller.inputs.iter().zip(&values) {
            if let Some((object, offset)) = input.stored
                && let Some(to) = address(input.choice(taken.value.int()))
            {
                objects[object].pointers.insert(offset, to);
            }
        }
        let passed = caller.passed.iter().map(|passed| PassedScalar {
            parameter: passed.parameter,
            offset: passed.offset,
            value: match passed.value {
                PassedValue::Null => ScalarValue::Pointer(Address::Null),
                PassedValue::Object(at) => ScalarValue::Pointer(Address::Object(at, 0)),
                PassedValue::Input(at) if caller.inputs[at].choices.is_empty() => {
                    ScalarValue::Bytes(bytes_of(values[at].value, passed.sort))
                }
                PassedValue::Input(at) => {
                    let choice = caller.inputs[at].choice(values[at].value.int());
                    ScalarValue::Pointer(address(choice).unwrap_or(Address::Null))
                }
            },
        });
        let passed = passed.collect();
        Some(Arguments { objects, passed })
    }

    /// The functions that pointers name.
    pub fn functions(&self) -> BTreeSet<&str> {
        let inside = self.objects.iter().flat_map(|o| o.pointers.values());
        let passed = self.passed.iter().filter_map(|p| match &p.value {
            ScalarValue::Pointer(to) => Some(to),
            ScalarValue::Bytes(_) => None,
        });
        inside
            .chain(passed)
            .filter_map(|to| match to {
                Address::Function(name) => Some(name.as_str()),
                _ => None,
            })
            .collect()
    }

    /// A `main` in C that builds the arguments and makes the call.
    pub fn main(&self) -> String {
        let mut c = String::from("void *calloc(unsigned long, unsigned long);\n");
        for name in self.functions() {
            let _ = writeln!(c, "void {name}();");
        }
        let parameters: BTreeSet<usize> = self.passed.iter().map(|p| p.parameter).collect();
        for parameter in parameters {
            let _ = writeln!(
                c,
                "unsigned char attest_argument_{parameter}[{BUFFER}] __attribute__((aligned(16)));"
            );
        }
        c.push_str("void attest_call(void);\n\nint main(void) {\n");
        for (i, object) in self.objects.iter().enumerate() {
            let _ = writeln!(
                c,
                "  unsigned char *object_{i} = calloc(1, {}); /* {} */",
                object.size,
                crate::c_text::comment(&object.name)
            );
        }
        for (i, object) in self.objects.iter().enumerate() {
            for (at, byte) in object.bytes.range(..object.size) {
                let _ = writeln!(c, "  object_{i}[{at}] = {byte};");
            }
            for (at, to) in &object.pointers {
                let _ = writeln!(c, "  *(void **)(object_{i} + {at}) = {};", text(to));
            }
        }
        for passed in &self.passed {
            let (parameter, offset) = (passed.parameter, passed.offset);
            match &passed.value {
                ScalarValue::Bytes(bytes) => {
                    for (at, byte) in (offset..).zip(bytes) {
                        let _ = writeln!(c, "  attest_argument_{parameter}[{at}] = {byte};");
                    }
                }
                ScalarValue::Pointer(to) => {
                    let _ = writeln!(
                        c,
                        "  *(void **)(attest_argument_{parameter} + {offset}) = {};",
                        text(to)
                    );
                }
            }
        }
        c.push_str("  attest_call();\n  return 0;\n}\n");
        c
    }

    /// What is wrong with arguments from a file.
    pub fn problem(&self) -> Option<String> {
        let exists = |to: &Address| match to {
            Address::Object(at, _) => *at < self.objects.len(),
            Address::Function(name) => crate::c_text::is_name(name),
            Address::Null => true,
        };
        let pointers = self.objects.iter().flat_map(|o| o.pointers.values());
        if !pointers.into_iter().all(exists) {
            return Some("an object of the arguments points to no object or function".into());
        }
        for passed in &self.passed {
            let length = match &passed.value {
                ScalarValue::Bytes(bytes) => bytes.len() as u64,
                ScalarValue::Pointer(to) if exists(to) => 8,
                ScalarValue::Pointer(_) => {
                    return Some("an argument points to no object or function".into());
                }
            };
            if passed.offset.saturating_add(length) > BUFFER {
                return Some("an argument is too large".into());
            }
        }
        None
    }
}

fn address(choice: Option<&Choice>) -> Option<Address> {
    match choice? {
        Choice::Null => Some(Address::Null),
        Choice::Place { object, offset, .. } => Some(Address::Object(*object, *offset)),
        Choice::Function { name, .. } => Some(Address::Function(name.to_string())),
        Choice::Data => None,
    }
}

fn bytes_of(value: Val, sort: Sort) -> Vec<u8> {
    let size = sort.bytes(64) as usize;
    value.int().to_le_bytes()[..size].to_vec()
}

fn text(to: &Address) -> String {
    match to {
        Address::Null => "0".into(),
        Address::Object(at, offset) => format!("object_{at} + {offset}"),
        Address::Function(name) => format!("(void *)&{name}"),
    }
}

/// IR of a function `attest_call` that calls a function of the module with the
/// buffers of its parameters; `None` if the line does not define it so that it
/// can be read.
pub fn call(define: &str, name: &str) -> Option<String> {
    let quoted = format!("@\"{name}\"(");
    let plain = format!("@{name}(");
    let (at, symbol) = match (define.find(&plain), define.find(&quoted)) {
        (Some(at), _) => (at, &plain),
        (None, Some(at)) => (at, &quoted),
        (None, None) => return None,
    };
    let head = define[..at].trim_end();
    let result = &head[type_before(head)?..];
    let convention = head.split_whitespace().find(|w| w.ends_with("cc"));
    let list = list_after(&define[at + symbol.len()..])?;
    let mut ir = String::new();
    let mut loads = String::new();
    let mut passed = Vec::new();
    for (i, param) in list.iter().enumerate() {
        if *param == "..." {
            return None;
        }
        let ty = &param[..type_end(param)?];
        // The last word is the parameter's own name.
        let (with_attributes, _) = param
            .rsplit_once('%')
            .filter(|(rest, _)| rest.ends_with(' '))?;
        let _ = writeln!(ir, "@attest_argument_{i} = external global [{BUFFER} x i8]");
        let _ = writeln!(loads, "  %a{i} = load {ty}, ptr @attest_argument_{i}");
        passed.push(format!("{with_attributes}%a{i}"));
    }
    let convention = convention.map(|c| format!("{c} ")).unwrap_or_default();
    let symbol = symbol.trim_end_matches('(');
    let to = if result == "void" { "" } else { "%r = " };
    let passed = passed.join(", ");
    let _ = write!(
        ir,
        "define void @attest_call() {{\n{loads}  {to}call {convention}{result} {symbol}({passed})\n  ret void\n}}\n"
    );
    Some(ir)
}

const OPEN: &str = "([{<";
const CLOSE: &str = ")]}>";

/// Where the last type of a text begins.
fn type_before(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().rev() {
        if CLOSE.contains(c) {
            depth += 1;
        } else if OPEN.contains(c) {
            depth = depth.checked_sub(1)?;
        } else if c == ' ' && depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Where the type ends that a text begins with.
fn type_end(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        if OPEN.contains(c) {
            depth += 1;
        } else if CLOSE.contains(c) {
            depth = depth.checked_sub(1)?;
        } else if c == ' ' && depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The parameters of a list, up to its closing parenthesis.
fn list_after(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0usize;
    let mut start = 0;
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        if c == ')' && depth == 0 {
            let last = text[start..at].trim();
            out.extend((!last.is_empty()).then_some(last));
            return Some(out);
        }
        if c == ',' && depth == 0 {
            out.push(text[start..at].trim());
            start = at + 1;
        } else if OPEN.contains(c) {
            depth += 1;
        } else if CLOSE.contains(c) {
            depth = depth.checked_sub(1)?;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::call;

    fn check(define: &str, expected: &str) {
        let made = call(define, "f").expect(define);
        let line = made.lines().find(|l| l.contains("call ")).expect(&made);
        assert_eq!(line.trim(), expected);
    }

    #[test]
    fn calls() {
        check("define dso_local void @f() #0 {", "call void @f()");
        check(
            "define internal noundef i32 @f(ptr noalias noundef %p, i1 noundef zeroext %t) #0 !dbg !9 {",
            "%r = call i32 @f(ptr noalias noundef %a0, i1 noundef zeroext %a1)",
        );
        check(
            "define dso_local { i64, i32 } @f(ptr byval(%struct.B) align 8 %b, { i32, i32 } %0) {",
            "%r = call { i64, i32 } @f(ptr byval(%struct.B) align 8 %a0, { i32, i32 } %a1)",
        );
        check(
            "define range(i32 0, 2) i32 @f(i32 range(i32 0, 5) %x) {",
            "%r = call i32 @f(i32 range(i32 0, 5) %a0)",
        );
        assert_eq!(call("define void @f(i32 %n, ...) {", "f"), None);
    }
}
