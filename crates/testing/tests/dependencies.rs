//! The dependencies are what `deny.toml` allows: their licences, their sources and their names.
//!
//! This is the part of `cargo deny check licenses bans sources` that needs no other tool.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The lists of `deny.toml`.
struct Lists {
    licences: BTreeSet<String>,
    banned: BTreeSet<String>,
    registries: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn lists() -> Lists {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let file: toml::Table = toml::from_str(&text).expect("TOML");
    let texts = |section: &str, key: &str| -> BTreeSet<String> {
        let list = file[section][key].as_array().expect("a list");
        let text = |value: &toml::Value| {
            let text = value.as_str().or_else(|| value["crate"].as_str());
            text.expect("a text").to_owned()
        };
        list.iter().map(text).collect()
    };
    Lists {
        licences: texts("licenses", "allow"),
        banned: texts("bans", "deny"),
        registries: texts("sources", "allow-registry"),
    }
}

/// What is wrong with a package of `cargo metadata`.
fn problems(package: &Value, lists: &Lists) -> Vec<String> {
    let name = package["name"].as_str().expect("a name");
    let mut problems = Vec::new();
    let licence = package["license"].as_str().unwrap_or_default();
    if !allows(licence, &lists.licences) {
        problems.push(format!("{name} has the licence `{licence}`"));
    }
    if lists.banned.contains(name) {
        problems.push(format!("{name} is banned"));
    }
    // A crate of this workspace has no source.
    if let Some(source) = package["source"].as_str()
        && !source
            .strip_prefix("registry+")
            .is_some_and(|registry| lists.registries.contains(registry))
    {
        problems.push(format!("{name} comes from {source}"));
    }
    problems
}

/// Whether an SPDX expression holds if the licences of the list are accepted.
fn allows(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // Old manifests write `MIT/Apache-2.0`, and `MPL-2.0+` for that version or a later one.
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ")
        .replace('+', "");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    alternatives(&mut rest, allowed) == Some(true) && rest.is_empty()
}

fn alternatives(rest: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut value = conjunction(rest, allowed)?;
    while let ["OR", more @ ..] = *rest {
        *rest = more;
        value |= conjunction(rest, allowed)?;
    }
    Some(value)
}

fn conjunction(rest: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut value = licence(rest, allowed)?;
    while let ["AND", more @ ..] = *rest {
        *rest = more;
        value &= licence(rest, allowed)?;
    }
    Some(value)
}

fn licence(rest: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    match *rest {
        ["(", more @ ..] => {
            *rest = more;
            let value = alternatives(rest, allowed)?;
            let [")", more @ ..] = *rest else {
                return None;
            };
            *rest = more;
            Some(value)
        }
        // An exception makes it a licence of its own.
        [licence, "WITH", exception, more @ ..] => {
            *rest = more;
            Some(allowed.contains(&format!("{licence} WITH {exception}")))
        }
        [licence, more @ ..] => {
            *rest = more;
            Some(allowed.contains(*licence))
        }
        [] => None,
    }
}

#[test]
fn dependencies_are_allowed() {
    let rustc = Command::new("rustc").arg("-vV").output();
    let rustc = String::from_utf8(rustc.expect("rustc runs").stdout).expect("text");
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    // The build does not download the packages for other machines.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", host.expect("a host")])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&metadata.stderr);
    assert!(metadata.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.iter().any(|package| package["name"] == "rustsat"));
    let lists = lists();
    let problems: Vec<String> = packages.iter().flat_map(|p| problems(p, &lists)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn others_are_refused() {
    let lists = lists();
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let found = |licence: &str, name: &str, source: &str| {
        let package = json!({ "license": licence, "name": name, "source": source });
        problems(&package, &lists).len()
    };
    assert_eq!(found("MIT", "reqwest", registry), 1);
    assert_eq!(found("MIT", "serde", "git+https://example.org/serde"), 1);
    assert_eq!(found("MIT", "serde", "registry+https://example.org/"), 1);
    for licence in [
        "",
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(MIT OR ISC) AND (GPL-3.0-only OR LGPL-3.0-only)",
        "Apache-2.0 WITH LLVM-exception",
        "MIT OR",
    ] {
        assert_eq!(found(licence, "serde", registry), 1, "{licence}");
    }
    for licence in [
        "MIT",
        "MPL-2.0+",
        "GPL-3.0-only OR MIT",
        "Unknown/MIT",
        "MIT AND (GPL-3.0-only OR ISC)",
        "Apache-2.0 WITH LLVM-exception OR MIT",
    ] {
        assert_eq!(found(licence, "serde", registry), 0, "{licence}");
    }
}
