//! The source files of a program, which answers quote, and a proof in their words.
//!
//! [`attest_export`] makes the texts; this reads the files while they are those that were
//! checked.

use attest_export::Sources;
use attest_export::csource::CSource;
use attest_export::proof::{Explained, Subject};
use attest_model::{Graph, Program, library};
use attest_proof::Proof;
use std::collections::BTreeMap;

/// Larger files are not quoted.
const LARGEST_FILE: u64 = 16 << 20;

/// The files that a program's places name, as far as they can be read.
pub(crate) fn sources(program: &Program) -> Sources {
    let mut sources = Sources::default();
    for (name, text) in texts(program) {
        sources.add(&name, &text);
    }
    sources
}

/// The same as texts by their names.
pub(crate) fn texts(program: &Program) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for place in &program.places {
        let name = &*place.file;
        if name.is_empty() || texts.contains_key(name) {
            continue;
        }
        if let Some(text) = library::text_of(name) {
            texts.insert(name.to_owned(), text.to_owned());
            continue;
        }
        let small = std::fs::metadata(name).is_ok_and(|file| file.len() <= LARGEST_FILE);
        let text = small.then(|| std::fs::read_to_string(name).ok()).flatten();
        texts.insert(name.to_owned(), text.unwrap_or_default());
    }
    texts
}

/// A proof over a program with its calls inlined, in C.
pub(crate) fn explain(
    original: &Program,
    (program, graph): (&Program, &Graph),
    proof: &Proof,
) -> Explained {
    let texts = texts(original);
    let read = texts
        .iter()
        .map(|(name, text)| (name.clone(), CSource::read(text)));
    let read: BTreeMap<String, CSource> = read.collect();
    let subject = Subject {
        program,
        graph,
        original,
        sources: &read,
    };
    subject.explain(proof)
}
