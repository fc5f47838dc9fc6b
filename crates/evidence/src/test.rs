//! A test as a file: all inputs of a run, and the error that it reaches.
//!
//! The inputs from the environment are in the order of the calls. Values of
//! variables before their first assignment and bytes of fresh objects belong
//! to the machine; a native run can be given those of the heap ([`crate::heap`]),
//! the interpreter all of them.

use crate::arguments::Arguments;
use crate::heap::{Unwritten, unwritten};
use crate::violation::Violation;
use attest_exec::inputs::Taken;
use attest_exec::{InputValue, Inputs, Rest, Val};
use attest_model::{InputKind, PlaceId, Program, Sort};
use attest_proof::{DataModel, HashedFile, Malloc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the `format` of a test says.
pub const FORMAT: &str = "attest-test-1";

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputSource {
    /// A function that stands for the environment.
    #[default]
    Nondet,
    /// A library function whose result the model leaves open.
    Result,
    /// The caller of an entry other than `main`.
    Argument,
}

/// One input from the environment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The function that was called.
    pub call: String,
    /// Where it comes from.
    #[serde(default)]
    pub source: InputSource,
    /// Its type in C.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value, as C writes it.
    pub value: String,
    /// The place of the call.
    #[serde(default)]
    pub place: String,
}

/// The value of a variable before its first assignment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uninitialised {
    /// The variable.
    pub variable: String,
    /// Its value.
    pub value: String,
    /// Where its life begins.
    #[serde(default)]
    pub place: String,
}

/// A byte of a fresh object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryByte {
    /// The object's number in the order of allocation, static ones first.
    pub object: u32,
    /// The offset.
    pub offset: u64,
    /// The byte.
    pub byte: u8,
}

/// The error that the test reaches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorReached {
    /// The function that was called.
    pub function: String,
    /// Where.
    pub place: String,
}

/// A test; it fails if it has an error or a violation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// [`FORMAT`].
    pub format: String,
    /// Who made it.
    pub tool: String,
    /// The program's files, in the order in which they were linked.
    pub files: Vec<HashedFile>,
    /// Widths of types.
    pub data_model: DataModel,
    /// Arguments for clang.
    #[serde(default)]
    pub clang_args: Vec<String>,
    /// Files with bodies for functions that the program lacks.
    #[serde(default)]
    pub stubs: Vec<HashedFile>,
    /// A compilation database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<HashedFile>,
    /// The API rule that the program is instrumented with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<HashedFile>,
    /// Where the program starts.
    pub entry: String,
    /// Functions whose call violates the property.
    pub errors: Vec<String>,
    /// Whether allocations may fail.
    #[serde(default, skip_serializing_if = "Malloc::is_default")]
    pub malloc: Malloc,
    /// The inputs from the environment.
    pub inputs: Vec<Input>,
    /// The machine's values of variables.
    #[serde(default)]
    pub uninitialised: Vec<Uninitialised>,
    /// The machine's bytes of objects.
    #[serde(default)]
    pub memory: Vec<MemoryByte>,
    /// The same as a native run can be given it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Unwritten>,
    /// What an entry other than `main` is called with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Arguments>,
    /// What is reached; none if the test does not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReached>,
    /// The check that it violates instead of reaching an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
}

/// What is wrong with a test file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct TestError(pub String);

impl Test {
    /// Reads a test.
    pub fn parse(text: &str) -> Result<Test, TestError> {
        let test: Test =
            serde_json::from_str(text).map_err(|e| TestError(format!("not a test file: {e}")))?;
        if test.format != FORMAT {
            return Err(TestError(format!(
                "the format is `{}`, and only `{FORMAT}` is known",
                test.format
            )));
        }
        test.to_inputs()?;
        if let Some(why) = test.violation.as_ref().and_then(Violation::problem) {
            return Err(TestError(why));
        }
        match test.arguments.as_ref().and_then(Arguments::problem) {
            Some(why) => Err(TestError(why)),
            None => Ok(test),
        }
    }

    /// The test as text.
    pub fn to_json(&self) -> String {
        // A test is strings and numbers only, which serialise without fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The same as a test that violates this check, and reaches no error.
    #[must_use]
    pub fn with_violation(self, violation: Violation) -> Test {
        Test {
            error: None,
            violation: Some(violation),
            ..self
        }
    }

    /// Adds the inputs and values of a run in order, and the bytes that it read.
    #[must_use]
    pub fn with_run(mut self, program: &Program, taken: &[Taken], given: &Arc<Inputs>) -> Test {
        let place = |id: PlaceId| match id {
            PlaceId(0) => String::new(),
            id => program.place(id).to_string(),
        };
        for input in taken {
            let value = value_text(input.value, input.sort);
            let place = place(input.place);
            match &input.kind {
                InputKind::Nondet(name) => self.inputs.push(Input {
                    call: call_name(name),
                    source: InputSource::Nondet,
                    ty: type_text(name, input.sort),
                    value,
                    place,
                }),
                InputKind::Argument(name) => self.inputs.push(Input {
                    call: name.to_string(),
                    source: InputSource::Argument,
                    ty: type_text("", input.sort),
                    value,
                    place,
                }),
                InputKind::Result(name) => self.inputs.push(Input {
                    call: name.to_string(),
                    source: InputSource::Result,
                    ty: type_text("", input.sort),
                    value,
                    place,
                }),
                InputKind::Uninit(variable) => self.uninitialised.push(Uninitialised {
                    variable: variable.to_string(),
                    value,
                    place,
                }),
                InputKind::Undef => self.uninitialised.push(Uninitialised {
                    variable: String::new(),
                    value,
                    place,
                }),
            }
        }
        self.arguments = Arguments::of(program, taken, given);
        self.unwritten = unwritten(program, given);
        let bytes = given.unknown.iter();
        self.memory
            .extend(bytes.map(|(&(object, offset), &byte)| MemoryByte {
                object,
                offset,
                byte,
            }));
        self
    }

    /// The inputs for the interpreter.
    pub fn to_inputs(&self) -> Result<Inputs, TestError> {
        let parse = |text: &String| {
            InputValue::parse(text).ok_or_else(|| TestError(format!("`{text}` is no value")))
        };
        let nondet = self.inputs.iter().map(|input| parse(&input.value));
        let uninit = self.uninitialised.iter().map(|value| parse(&value.value));
        let bytes = self.memory.iter();
        let unknown: BTreeMap<_, _> = bytes.map(|b| ((b.object, b.offset), b.byte)).collect();
        Ok(Inputs {
            nondet: nondet.collect::<Result<_, _>>()?,
            uninit: uninit.collect::<Result<_, _>>()?,
            unknown: Arc::new(unknown),
            argc: None,
            rest: Rest::Zero,
        })
    }
}

/// The function behind the short name of an input.
fn call_name(name: &str) -> String {
    match c_type(name) {
        Some(_) => format!("__VERIFIER_nondet_{name}"),
        None => name.to_owned(),
    }
}

/// The C type of `__VERIFIER_nondet_NAME`.
pub(crate) fn c_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "_Bool",
        "char" => "char",
        "uchar" | "unsigned_char" | "u8" => "unsigned char",
        "schar" => "signed char",
        "short" => "short",
        "ushort" | "unsigned_short" | "u16" => "unsigned short",
        "int" => "int",
        "uint" | "unsigned" | "unsigned_int" | "u32" => "unsigned int",
        "long" | "loff_t" => "long",
        "ulong" | "unsigned_long" | "size_t" | "sector_t" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" | "u64" => "unsigned long long",
        "int128" => "__int128",
        "uint128" | "u128" => "unsigned __int128",
        "float" => "float",
        "double" => "double",
        "pointer" | "charp" | "pchar" => "void *",
        _ => return None,
    })
}

fn type_text(name: &str, sort: Sort) -> String {
    let by_sort = match sort {
        Sort::Int(1) => "_Bool",
        Sort::Int(8) => "char",
        Sort::Int(16) => "short",
        Sort::Int(32) => "int",
        Sort::Int(64) => "long long",
        Sort::Int(128) => "__int128",
        Sort::Int(width) => return format!("_BitInt({width})"),
        Sort::Ptr => "void *",
        Sort::F32 => "float",
        Sort::F64 => "double",
    };
    c_type(name).unwrap_or(by_sort).to_owned()
}

/// A machine value as text that [`InputValue::parse`] reads back.
fn value_text(value: Val, sort: Sort) -> String {
    match sort {
        Sort::Int(1) => value.int().to_string(),
        Sort::Int(width) => value.signed(width).to_string(),
        Sort::Ptr => value.lo.to_string(),
        Sort::F32 => float_text(f64::from(f32::from_bits(value.lo as u32))),
        Sort::F64 => float_text(f64::from_bits(value.lo)),
    }
}

/// A float that reads back as itself; whole ones keep their point, or they would be integers.
fn float_text(number: f64) -> String {
    if number.is_finite() {
        format!("{number:?}")
    } else if number.is_nan() {
        "nan".to_owned()
    } else {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}inf")
    }
}
