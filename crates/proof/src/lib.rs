//! The proof file: an invariant for each location, and summaries of procedures.
//!
//! It is all that the checker takes from whoever made the proof (algorithm
//! notes 7.1 and 7.2): no regions, no tests, no alias choices. It names its
//! sources by their hashes and says how they were loaded, so the checker can
//! build the same graph by itself; it names its assumptions, which are a part of
//! what "safe" means.
//!
//! A *map* is an invariant for each location of one function: an SMT-LIB term
//! of truth value over the state there. The main map is that of the entry
//! function. The state's parts have fixed names:
//!
//! | name | is |
//! |---|---|
//! | `rN` | register N of the entry function |
//! | `fK.rN` | register N of the function of number K, if that is not the entry |
//! | `rN.o`, `rN.a` | its object (32 bits) and offset (pointer width), if it is a pointer; so for all names |
//! | `gN` | promoted global N |
//! | `nobj` | the number of the next object (32 bits) |
//! | `readN.v0.wW`, `tag.v0.wW`, `ptrobj.v0.wW`, `ptroff.v0.wW` | memory: bytes, and the pointer stored at a place |
//! | `readN.v1.wW` at offset 0 | the size of an object |
//! | `base.wW` | the address of an object |
//!
//! A location without an entry has the invariant `true`.
//!
//! Besides a term about the state, an invariant of the main map may have a
//! `forall`: a term that may also name `k`, a number of pointer width, and
//! that holds for every value of it. It says what all elements of an array
//! are.
//!
//! Where calls were not inlined, `summaries` has what is known of callees. A
//! [`Summary`] is a map of its own function, an outcome, and `post`. It says,
//! for all values of its ghosts: no execution of the function that starts in
//! the map's invariant at the entry ends with the outcome in a state of
//! `post`. Its names:
//!
//! | name | is | where |
//! |---|---|---|
//! | `sI.zN` | ghost N of summary I | in its map and its `post` |
//! | `fK.retN` | result N of the function of number K | in its `post`, besides globals, memory and `nobj` after the return |
//!
//! Every map, the main one too, lists in `calls` which summaries it uses at
//! which call, and the terms that the ghosts are there.
//!
//! A proof by complete unwinding has `unwinding` instead: how many instructions, iterations and
//! nested calls the program takes at most. The checker executes it.
//!
//! The first format, `attest-proof-1`, had neither summaries nor `calls`, and
//! is still read.

mod hash;
mod summary;

pub use hash::{sha256_of_bytes, sha256_of_file};
pub use summary::{Ghost, Summary, SummaryUse, outcome_text};

use attest_model::graph::{Graph, Loc};
use attest_model::{BailKind, Bounds, FnId, Granularity, InlineOptions, Partial, Position};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What the `format` of a proof says.
pub const FORMAT: &str = "attest-proof-2";
/// The `format` of proofs from before there were summaries.
pub const OLD_FORMAT: &str = "attest-proof-1";

/// The symbol in a `forall` that stands for every number of pointer width.
pub const INDEX: &str = "k";

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

/// How signed overflow is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// Two's complement.
    #[default]
    Wrap,
    /// Executions that overflow are left out: an assumption of the proof.
    Assume,
    /// It is an unsupported exit of the model.
    Check,
}

/// Whether allocations may fail; see [`attest_model::Malloc`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Malloc {
    #[default]
    Succeeds,
    MayFail,
}

impl Malloc {
    /// Whether a file need not say it.
    pub fn is_default(&self) -> bool {
        *self == Malloc::default()
    }
}

/// Where memory that is not freed is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Leaks {
    #[default]
    Off,
    Ends,
    AllEnds,
    Everywhere,
}

impl Leaks {
    fn is_off(&self) -> bool {
        *self == Leaks::Off
    }
}

impl From<Leaks> for attest_model::Leaks {
    fn from(leaks: Leaks) -> attest_model::Leaks {
        match leaks {
            Leaks::Off => attest_model::Leaks::Off,
            Leaks::Ends => attest_model::Leaks::Ends,
            Leaks::AllEnds => attest_model::Leaks::AllEnds,
            Leaks::Everywhere => attest_model::Leaks::Everywhere,
        }
    }
}

impl From<attest_model::Leaks> for Leaks {
    fn from(leaks: attest_model::Leaks) -> Leaks {
        match leaks {
            attest_model::Leaks::Off => Leaks::Off,
            attest_model::Leaks::Ends => Leaks::Ends,
            attest_model::Leaks::AllEnds => Leaks::AllEnds,
            attest_model::Leaks::Everywhere => Leaks::Everywhere,
        }
    }
}

impl From<Malloc> for attest_model::Malloc {
    fn from(malloc: Malloc) -> attest_model::Malloc {
        match malloc {
            Malloc::Succeeds => attest_model::Malloc::Succeeds,
            Malloc::MayFail => attest_model::Malloc::MayFail,
        }
    }
}

impl From<attest_model::Malloc> for Malloc {
    fn from(malloc: attest_model::Malloc) -> Malloc {
        match malloc {
            attest_model::Malloc::Succeeds => Malloc::Succeeds,
            attest_model::Malloc::MayFail => Malloc::MayFail,
        }
    }
}

/// How far calls were inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inlining {
    /// Activations of one function on a call chain.
    pub recursion: u32,
    /// Instructions of the result.
    pub most_insts: usize,
    /// Only small callees were inlined, and other calls stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialInlining>,
}

/// Which callees were inlined; see [`attest_model::Partial`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PartialInlining {
    pub small: usize,
    pub once: usize,
    pub growth: usize,
}

impl From<InlineOptions> for Inlining {
    fn from(options: InlineOptions) -> Inlining {
        let partial = options.partial.map(|partial| PartialInlining {
            small: partial.small,
            once: partial.once,
            growth: partial.growth,
        });
        Inlining {
            recursion: options.recursion,
            most_insts: options.most_insts,
            partial,
        }
    }
}

impl From<Inlining> for InlineOptions {
    fn from(inlining: Inlining) -> InlineOptions {
        let partial = inlining.partial.map(|partial| Partial {
            small: partial.small,
            once: partial.once,
            growth: partial.growth,
        });
        InlineOptions {
            recursion: inlining.recursion,
            most_insts: inlining.most_insts,
            partial,
        }
    }
}

/// A proof with larger arguments is refused: the caller that makes them would be too large.
const LARGEST_BOUND: u32 = 64;

/// How large the arguments of the entry are; see [`attest_model::Bounds`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Arguments {
    pub bytes: u32,
    pub scalars: u32,
    pub aggregates: u32,
    pub more: u32,
    pub depth: u32,
}

impl Arguments {
    fn largest(self) -> u32 {
        let Arguments {
            bytes,
            scalars,
            aggregates,
            more,
            depth,
        } = self;
        bytes.max(scalars).max(aggregates).max(more).max(depth)
    }
}

impl From<Bounds> for Arguments {
    fn from(bounds: Bounds) -> Arguments {
        Arguments {
            bytes: bounds.bytes,
            scalars: bounds.scalars,
            aggregates: bounds.aggregates,
            more: bounds.more,
            depth: bounds.depth,
        }
    }
}

impl From<Arguments> for Bounds {
    fn from(arguments: Arguments) -> Bounds {
        Bounds {
            bytes: arguments.bytes,
            scalars: arguments.scalars,
            aggregates: arguments.aggregates,
            more: arguments.more,
            depth: arguments.depth,
        }
    }
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
    /// What holds besides, for every value of [`INDEX`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forall: Option<String>,
    /// The same as C would put it, for people.
    #[serde(default)]
    pub c: String,
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// [`FORMAT`], or [`OLD_FORMAT`].
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
    /// How large the arguments of an entry other than `main` are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Arguments>,
    /// Functions whose call violates the property.
    pub errors: Vec<String>,
    /// Whether the program checks that values were set before they are used.
    #[serde(default, skip_serializing_if = "is_false")]
    pub uninitialised: bool,
    /// Whether a quotient that does not fit is a signed overflow.
    #[serde(default, skip_serializing_if = "is_false")]
    pub quotients: bool,
    /// Size of the steps between locations.
    pub granularity: Steps,
    /// How far calls were inlined.
    pub inline: Inlining,
    /// Whether allocations may fail.
    #[serde(default, skip_serializing_if = "Malloc::is_default")]
    pub malloc: Malloc,
    /// Where memory that is not freed is looked for.
    #[serde(default, skip_serializing_if = "Leaks::is_off")]
    pub leaks: Leaks,
    /// The policy for signed overflow.
    #[serde(default)]
    pub overflow: Overflow,
    /// Kinds that the proof does not exclude: a run ends there. All other kinds are excluded,
    /// and so are calls of the error functions.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Calls of the error functions are not excluded either.
    #[serde(default, skip_serializing_if = "is_false")]
    pub asserts_end: bool,
    /// Single checks that are not excluded: a run ends there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excused: Vec<ExcusedCheck>,
    /// The proof is by complete unwinding and has neither invariants nor summaries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwinding: Option<Unwinding>,
    /// The invariants of the entry function.
    pub invariants: Vec<Invariant>,
    /// The summaries that they use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<SummaryUse>,
    /// All summaries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Summary>,
}

/// The claim that all executions of the program end within these bounds. Calls are not inlined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unwinding {
    /// Executed instructions, each on all of its paths at once.
    pub instructions: u64,
    /// Iterations of a loop in which the condition for another one depends on inputs.
    pub iterations: u64,
    /// Activations of one function on a call chain.
    pub depth: u32,
    /// Inputs on which the program was seen to end normally. They must be among the executions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Vec<i128>>,
}

/// A check that a proof does not exclude.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcusedCheck {
    /// Its kind, such as `memory/out-of-bounds`.
    pub check: String,
    /// Its place: file, line and column.
    pub place: String,
}

/// Whether a field need not be written.
fn is_false(value: &bool) -> bool {
    !value
}

/// What is wrong with a proof file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProofError(pub String);

impl Proof {
    /// Reads a proof. Fields that are not known are errors, since they might
    /// say something about what is proved.
    pub fn parse(text: &str) -> Result<Proof, ProofError> {
        let proof: Proof =
            serde_json::from_str(text).map_err(|e| ProofError(format!("not a proof file: {e}")))?;
        let old = proof.format == OLD_FORMAT;
        if proof.format != FORMAT && !old {
            return Err(ProofError(format!(
                "the format is `{}`, and only `{FORMAT}` and `{OLD_FORMAT}` are known",
                proof.format
            )));
        }
        let newer = !proof.summaries.is_empty()
            || !proof.calls.is_empty()
            || proof.inline.partial.is_some();
        if old && newer {
            let message = format!("`{OLD_FORMAT}` has no summaries");
            return Err(ProofError(message));
        }
        let has_more = !(proof.invariants.is_empty() && proof.summaries.is_empty());
        if proof.unwinding.is_some() && (has_more || !proof.calls.is_empty()) {
            let message = "a proof by unwinding has no invariants and no summaries";
            return Err(ProofError(message.into()));
        }
        proof.assumed_kinds()?;
        if proof.arguments.is_some_and(|a| a.largest() > LARGEST_BOUND) {
            return Err(ProofError(format!(
                "a bound in `arguments` is larger than {LARGEST_BOUND}"
            )));
        }
        Ok(proof)
    }

    /// The proof as text.
    pub fn to_json(&self) -> String {
        // A proof is strings and numbers only, which serialise without fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// How large the arguments of the entry are.
    pub fn bounds(&self) -> Bounds {
        self.arguments.map(Bounds::from).unwrap_or_default()
    }

    /// The kinds of unsupported exits that are assumed not to be taken.
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

/// The location of this number, if the graph has it in this function and at this position.
pub fn location_at(
    graph: &Graph,
    function: FnId,
    number: u32,
    position: &str,
) -> Result<Loc, ProofError> {
    let error = |what: &str| Err(ProofError(format!("location {number}: {what}")));
    let Some(location) = graph.locations.get(number as usize) else {
        return error("the program has no such location");
    };
    match location.position {
        None => error("an end of the program has no invariant of its own"),
        Some(known) if position_text(known) != position => {
            error("it is at another position, so the proof is of another program")
        }
        Some(_) if location.function != Some(function) => error("it is in another function"),
        Some(_) => Ok(Loc(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"{ "format": "attest-proof-1", "tool": "t", "files": [], "data_model": "lp64",
        "entry": "main", "errors": [], "granularity": "large",
        "inline": { "recursion": 2, "most_insts": 10 }, "invariants": [] }"#;

    #[test]
    fn the_old_format_is_still_read() {
        let old = Proof::parse(OLD).unwrap();
        assert_eq!(old.inline.partial, None);
        assert!(old.summaries.is_empty() && old.calls.is_empty());
        assert_eq!(Proof::parse(&old.to_json()), Ok(old));
    }

    #[test]
    fn the_old_format_has_no_summaries() {
        let summary = r#""summaries": [{ "id": 0, "function": "f", "number": 1,
            "outcome": "error", "post": "true", "invariants": [] }], "invariants""#;
        let mixed = OLD.replace("\"invariants\"", summary);
        assert!(Proof::parse(&mixed).unwrap_err().0.contains("no summaries"));
        let newer = Proof::parse(&mixed.replace(OLD_FORMAT, FORMAT)).unwrap();
        assert_eq!(
            newer.summaries[0].outcome(),
            Ok(attest_model::graph::Outcome::Error)
        );
        assert_eq!(Proof::parse(&newer.to_json()), Ok(newer));
        let partial = OLD.replace(
            "\"most_insts\": 10",
            "\"most_insts\": 10, \"partial\": { \"small\": 1, \"once\": 2, \"growth\": 3 }",
        );
        assert!(Proof::parse(&partial).is_err());
        assert!(Proof::parse(&partial.replace(OLD_FORMAT, FORMAT)).is_ok());
    }
}
