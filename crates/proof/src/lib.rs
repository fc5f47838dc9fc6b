//! The proof file: an invariant for each location of the inlined program.
//!
//! It is all that the checker takes from whoever made the proof (algorithm
//! notes 7.1): no regions, no tests, no alias choices. It names its sources by
//! their hashes and says how they were loaded, so the checker can build the
//! same graph by itself; it names what was assumed, so nobody has to guess
//! what "safe" meant.
//!
//! An invariant is an SMT-LIB term of truth value over the state of its
//! location. The state's parts have fixed names:
//!
//! | name | is |
//! |---|---|
//! | `rN` | register N of the inlined entry function |
//! | `rN.o`, `rN.a` | its object (32 bits) and offset (pointer width), if it is a pointer |
//! | `gN`, `gN.o`, `gN.a` | promoted global N, likewise |
//! | `nobj` | the number of the next object (32 bits) |
//! | `readN.v0.wW`, `tag.v0.wW`, `ptrobj.v0.wW`, `ptroff.v0.wW` | memory: bytes, and the pointer stored at a place |
//! | `readN.v1.wW` at offset 0 | the size of an object |
//! | `base.wW` | the address of an object |
//!
//! A location without an entry has the invariant `true`.

mod hash;

pub use hash::{sha256_of_bytes, sha256_of_file};

use attest_model::graph::{Graph, Loc};
use attest_model::{BailKind, Granularity, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// What the `format` of a proof says.
pub const FORMAT: &str = "attest-proof-1";

/// A source file and its contents' hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HashedFile {
    /// As it was named.
    pub path: String,
    /// The SHA-256 of its contents, in hexadecimal.
    pub sha256: String,
}

impl HashedFile {
    /// Names a file and hashes it.
    pub fn of(path: &Path) -> std::io::Result<HashedFile> {
        Ok(HashedFile {
            path: path.display().to_string(),
            sha256: sha256_of_file(path)?,
        })
    }
}

/// The widths of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `int` of 32 bits, `long` and pointers of 64.
    #[default]
    Lp64,
}

/// Size of the steps between locations; see [`attest_model::Granularity`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Steps {
    Insn,
    Basic,
    #[default]
    Large,
}

impl From<Steps> for Granularity {
    fn from(steps: Steps) -> Granularity {
        match steps {
            Steps::Insn => Granularity::Insn,
            Steps::Basic => Granularity::Basic,
            Steps::Large => Granularity::Large,
        }
    }
}

impl From<Granularity> for Steps {
    fn from(granularity: Granularity) -> Steps {
        match granularity {
            Granularity::Insn => Steps::Insn,
            Granularity::Basic => Steps::Basic,
            Granularity::Large => Steps::Large,
        }
    }
}

/// What becomes of signed overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// Two's complement.
    #[default]
    Wrap,
    /// Executions that overflow are left out: an assumption of the proof.
    Assume,
    /// It is a way out of the model.
    Check,
}

/// How far calls were inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inlining {
    /// Activations of one function on a call chain.
    pub recursion: u32,
    /// Instructions of the result.
    pub most_insts: usize,
}

/// The invariant of a location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// The location's number in the graph.
    pub location: u32,
    /// Its position in the code, `B<block>.<instruction>`: a cross-check.
    pub position: String,
    /// Where in the source, for people.
    pub place: String,
    /// The invariant.
    pub smt: String,
    /// The same as C would put it, for people.
    #[serde(default)]
    pub c: String,
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
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
    /// Where the program starts.
    pub entry: String,
    /// Functions whose call violates the property.
    pub errors: Vec<String>,
    /// Size of the steps between locations.
    pub granularity: Steps,
    /// How far calls were inlined.
    pub inline: Inlining,
    /// The policy for signed overflow.
    #[serde(default)]
    pub overflow: Overflow,
    /// Ways out of the model that are assumed not to be taken.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
}

/// What is wrong with a proof file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofError(pub String);

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProofError {}

impl Proof {
    /// Reads a proof. Fields that are not known are errors, since they might
    /// say something about what is proved.
    pub fn parse(text: &str) -> Result<Proof, ProofError> {
        let proof: Proof =
            serde_json::from_str(text).map_err(|e| ProofError(format!("not a proof file: {e}")))?;
        if proof.format != FORMAT {
            return Err(ProofError(format!(
                "the format is `{}`, and only `{FORMAT}` is known",
                proof.format
            )));
        }
        proof.assumed_kinds()?;
        Ok(proof)
    }

    /// The proof as text.
    pub fn to_json(&self) -> String {
        // A proof is strings and numbers only, which serialise without fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The kinds of ways out of the model that are assumed not to be taken.
    pub fn assumed_kinds(&self) -> Result<Vec<BailKind>, ProofError> {
        let kind = |word: &String| {
            let known = BailKind::ALL.iter().find(|kind| kind.word() == word);
            let error = || ProofError(format!("`{word}` in `assumed` is no known kind"));
            known.copied().ok_or_else(error)
        };
        self.assumed.iter().map(kind).collect()
    }
}

/// A position as proofs write it.
pub fn position_text(position: Position) -> String {
    format!("B{}.{}", position.block.0, position.index)
}

/// The location that an invariant names, if the graph has it there.
pub fn location_of(graph: &Graph, invariant: &Invariant) -> Result<Loc, ProofError> {
    let number = invariant.location;
    let error = |what: &str| {
        Err(ProofError(format!(
            "the invariant of location {number}: {what}"
        )))
    };
    let Some(location) = graph.locations.get(number as usize) else {
        return error("the program has no such location");
    };
    match location.position {
        None => error("an end of the program has no invariant of its own"),
        Some(position) if position_text(position) != invariant.position => {
            error("it is at another position, so the proof is of another program")
        }
        Some(_) => Ok(Loc(number)),
    }
}
