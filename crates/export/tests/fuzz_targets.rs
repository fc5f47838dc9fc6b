//! The fuzz targets on their seeds and on damaged copies of them, the same in every run.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use attest_testing::{Rng, mutate};
use std::path::Path;

/// The texts in a folder of the repository, in the order of their names.
fn texts(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    let read = |file: &std::path::PathBuf| std::fs::read_to_string(file).expect("a text");
    files.iter().map(read).collect()
}

/// Runs a target on texts, which are accepted, and on `damaged` copies of each.
fn run(target: fn(&str) -> bool, texts: &[String], damaged: usize) {
    assert!(!texts.is_empty());
    let mut rng = Rng(0x5eed_1234_5678_9abc);
    for text in texts {
        assert!(target(text), "a seed is refused:\n{text}");
        for _ in 0..damaged {
            let text = mutate(text, &mut rng);
            let ended = std::panic::catch_unwind(|| target(&text));
            assert!(ended.is_ok(), "the target fails on:\n{text}");
        }
    }
}

#[test]
fn ir() {
    run(targets::ir, &texts("fuzz/seeds/ir"), 300);
}

#[test]
fn slic() {
    run(targets::slic, &texts("fuzz/seeds/slic"), 500);
    run(targets::slic, &texts("rules"), 50);
}

#[test]
fn proof() {
    run(targets::proof, &texts("fuzz/seeds/proof"), 500);
}

#[test]
fn yaml() {
    run(targets::yaml, &texts("fuzz/seeds/yaml"), 500);
}

#[test]
fn graphml() {
    run(targets::graphml, &texts("fuzz/seeds/graphml"), 500);
}
