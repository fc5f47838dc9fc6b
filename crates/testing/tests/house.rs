//! The house stays tidy: limits on the shape of the source, read from its text.
//!
//! A limit that the source exceeds today is an exception with its present size. An exception
//! may shrink, it may not grow, and once the limit holds it must be taken off the list.

use attest_testing::source::{Crate, root, struct_fields};
use std::collections::BTreeMap;

/// The most fields of a struct of the engine.
const FIELDS: usize = 25;
/// The most files with an inherent `impl Engine`.
const ENGINE_FILES: usize = 1;
/// The most files of a crate that import each other in a circle.
const CYCLE: usize = 3;

/// Structs with more fields, and how many they have.
const LARGE_STRUCTS: &[(&str, usize)] = &[];
/// How many files have an inherent `impl Engine`, where that is more than the limit.
const SPREAD_ENGINE: &[(&str, usize)] = &[];
/// Crates with a longer circle of imports, and how many files are on the longest.
const LONG_CYCLES: &[(&str, usize)] = &[];
/// Crates besides `cli` that use clap, and in how many places: lines of the manifest and files.
const CLAP_USERS: &[(&str, usize)] = &[];

/// Fails where something above the limit is no exception or has grown, and where an
/// exception is no longer needed.
fn compare(
    what: &str,
    limit: usize,
    found: &BTreeMap<String, usize>,
    exceptions: &[(&str, usize)],
) {
    let mut wrong = Vec::new();
    for (name, size) in found.iter().filter(|(_, size)| **size > limit) {
        match exceptions.iter().find(|(listed, _)| listed == name) {
            None => wrong.push(format!("{name} has {size}, the limit is {limit}")),
            Some((_, most)) if size > most => {
                wrong.push(format!(
                    "{name} has grown from {most} to {size}, the limit is {limit}"
                ));
            }
            Some(_) => {}
        }
    }
    for (name, _) in exceptions {
        if found.get(*name).is_none_or(|size| *size <= limit) {
            wrong.push(format!(
                "{name} keeps to the limit: take it off the list in house.rs"
            ));
        }
    }
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn structs_of_the_engine_are_small() {
    let engine = Crate::read("engine");
    let mut found = BTreeMap::new();
    for file in &engine.files {
        found.extend(struct_fields(&file.code));
    }
    assert!(found.len() > 50, "only {} structs found", found.len());
    compare("fields of a struct", FIELDS, &found, LARGE_STRUCTS);
}

#[test]
fn the_engine_is_implemented_in_one_file() {
    let engine = Crate::read("engine");
    let with = engine.files.iter().filter(|file| file.implements("Engine"));
    let found = BTreeMap::from([("Engine".to_owned(), with.count())]);
    assert!(found["Engine"] > 0, "no `impl Engine` found");
    compare(
        "files with an `impl Engine`",
        ENGINE_FILES,
        &found,
        SPREAD_ENGINE,
    );
}

#[test]
fn imports_are_no_long_circles() {
    let mut found = BTreeMap::new();
    let mut told = String::new();
    for name in Crate::names() {
        let circle = Crate::read(&name).longest_cycle();
        if circle.len() > CYCLE {
            told += &format!("{name}: {}\n", circle.join(" "));
        }
        found.insert(name, circle.len());
    }
    compare(
        &format!("files in one circle of imports\n{told}"),
        CYCLE,
        &found,
        LONG_CYCLES,
    );
}

#[test]
fn only_the_command_line_uses_clap() {
    let mut found = BTreeMap::new();
    for name in Crate::names().into_iter().filter(|name| name != "cli") {
        let manifest = root().join("crates").join(&name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a manifest");
        let depends = manifest.lines().filter(|line| line.starts_with("clap"));
        let files = Crate::read(&name).files;
        let uses = files.iter().filter(|file| file.mentions("clap"));
        found.insert(name, depends.count() + uses.count());
    }
    compare("places with clap", 0, &found, CLAP_USERS);
}
