//! A record: tests, summaries and a proof, as JSON.

use crate::summaries::KnownSummary;
use attest_exec::{InputValue, Inputs, Rest};
use attest_proof::Proof;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the `format` of a record says.
pub const FORMAT: &str = "attest-store-1";

/// What is known of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// The program, as it was named, with the options that matter.
    pub subject: String,
    /// Tests, a failing one first.
    pub tests: Vec<StoredTest>,
    /// Summaries of functions.
    pub summaries: Vec<KnownSummary>,
    /// The last proof.
    pub proof: Option<KnownProof>,
}

/// A proof and the program that it is about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownProof {
    /// The hash of the program's code and data.
    pub program: String,
    /// The proof.
    pub proof: Proof,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            format: FORMAT.to_owned(),
            subject: String::new(),
            tests: Vec::new(),
            summaries: Vec::new(),
            proof: None,
        }
    }
}

impl Record {
    /// Reads a record; an error is a message.
    pub fn parse(text: &str) -> Result<Record, String> {
        let record: Record = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if record.format != FORMAT {
            return Err(format!("its format is `{}`", record.format));
        }
        Ok(record)
    }

    /// The record as text.
    pub fn to_json(&self) -> String {
        // Strings and numbers only, which serialise without fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The inputs of a test.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredTest {
    /// The inputs from the environment.
    pub nondet: Vec<String>,
    /// Values of variables before their first assignment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uninit: Vec<String>,
    /// Bytes of fresh objects: object, offset, byte.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<(u32, u64, u8)>,
    /// The seed of what comes after the lists; zeros without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// `main`'s `argc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argc: Option<String>,
}

impl From<&Inputs> for StoredTest {
    fn from(inputs: &Inputs) -> StoredTest {
        let texts = |values: &[InputValue]| values.iter().map(text).collect();
        StoredTest {
            nondet: texts(&inputs.nondet),
            uninit: texts(&inputs.uninit),
            unknown: inputs
                .unknown
                .iter()
                .map(|((object, at), byte)| (*object, *at, *byte))
                .collect(),
            seed: match inputs.rest {
                Rest::Zero => None,
                Rest::Random(seed) => Some(seed),
            },
            argc: inputs.argc.map(|n| n.to_string()),
        }
    }
}

impl StoredTest {
    /// The inputs, if all of them can be read.
    pub fn inputs(&self) -> Option<Inputs> {
        let values = |texts: &[String]| -> Option<Vec<InputValue>> {
            texts.iter().map(|text| value(text)).collect()
        };
        let bytes = self.unknown.iter();
        let argc = match &self.argc {
            None => None,
            Some(text) => Some(text.parse().ok()?),
        };
        Some(Inputs {
            nondet: values(&self.nondet)?,
            uninit: values(&self.uninit)?,
            unknown: Arc::new(bytes.map(|(o, at, byte)| ((*o, *at), *byte)).collect()),
            rest: self.seed.map_or(Rest::Zero, Rest::Random),
            argc,
        })
    }
}

/// A value as text that keeps every bit of it.
fn text(value: &InputValue) -> String {
    match value {
        InputValue::Int(n) => n.to_string(),
        InputValue::Float(x) => format!("float:{:x}", x.to_bits()),
    }
}

fn value(text: &str) -> Option<InputValue> {
    match text.strip_prefix("float:") {
        Some(bits) => {
            let bits = u64::from_str_radix(bits, 16).ok()?;
            Some(InputValue::Float(f64::from_bits(bits)))
        }
        None => text.parse().ok().map(InputValue::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_kept_bit_by_bit() {
        let inputs = Inputs {
            nondet: vec![
                InputValue::Int(-1),
                InputValue::Int(i128::MIN),
                InputValue::Float(-0.0),
                InputValue::Float(1e-310),
            ],
            uninit: vec![InputValue::Int(7)],
            unknown: Arc::new([((12, 3), 255)].into_iter().collect()),
            rest: Rest::Random(u64::MAX),
            argc: Some(3),
        };
        let record = Record {
            tests: vec![StoredTest::from(&inputs)],
            ..Record::default()
        };
        let read = Record::parse(&record.to_json()).expect("it reads");
        assert_eq!(read.tests[0].inputs(), Some(inputs));
        let wrong = StoredTest {
            nondet: vec!["x".into()],
            ..StoredTest::default()
        };
        assert_eq!(wrong.inputs(), None);
    }
}
