//! Proof files from the invariants that a search ends with.
//!
//! See [`attest_proof`] for the format; this is the only writer of it.

use attest_model::graph::{Graph, Loc};
use attest_model::{BailKind, Program};
pub use attest_proof::*;
use attest_term::{Term, Terms};
use std::path::PathBuf;

/// What a proof is about: the files and how they were loaded.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The program's files, in the order in which they were linked.
    pub files: Vec<PathBuf>,
    /// Files with bodies for functions that the program lacks.
    pub stubs: Vec<PathBuf>,
    /// A compilation database.
    pub database: Option<PathBuf>,
    /// Widths of types.
    pub data_model: DataModel,
    /// Arguments for clang.
    pub clang_args: Vec<String>,
    /// Entry and property.
    pub model: attest_model::Options,
    /// How far calls were inlined.
    pub inline: attest_model::InlineOptions,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Ways out of the model that are assumed not to be taken.
    pub assumed: Vec<BailKind>,
}

/// The proof with these invariants. The program is the inlined one, and the
/// terms are over the state's own names.
pub fn proof_of(
    subject: &Subject,
    program: &Program,
    graph: &Graph,
    terms: &Terms,
    invariants: &[(Loc, Term)],
) -> std::io::Result<Proof> {
    let hashed = |files: &[PathBuf]| -> std::io::Result<Vec<HashedFile>> {
        files.iter().map(|path| HashedFile::of(path)).collect()
    };
    let mut written: Vec<Invariant> = invariants
        .iter()
        .filter(|(_, term)| terms.bool_const(*term) != Some(true))
        .filter_map(|(at, term)| {
            let location = graph.location(*at);
            Some(Invariant {
                location: at.0,
                position: position_text(location.position?),
                place: program.place(location.place).to_string(),
                smt: terms.to_smtlib(*term),
                c: terms.to_c(*term),
            })
        })
        .collect();
    written.sort_by_key(|invariant| invariant.location);
    Ok(Proof {
        format: FORMAT.to_owned(),
        tool: format!("attest {}", env!("CARGO_PKG_VERSION")),
        files: hashed(&subject.files)?,
        data_model: subject.data_model,
        clang_args: subject.clang_args.clone(),
        stubs: hashed(&subject.stubs)?,
        database: subject
            .database
            .as_deref()
            .map(HashedFile::of)
            .transpose()?,
        entry: subject.model.entry.clone(),
        errors: subject.model.errors.clone(),
        granularity: graph.granularity.into(),
        inline: Inlining {
            recursion: subject.inline.recursion,
            most_insts: subject.inline.most_insts,
        },
        overflow: subject.overflow,
        assumed: subject
            .assumed
            .iter()
            .map(|kind| kind.word().to_owned())
            .collect(),
        invariants: written,
    })
}
