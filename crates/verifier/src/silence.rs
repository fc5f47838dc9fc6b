//! Findings that the user has silenced: a run ends there, and nothing is said of it.
//!
//! A comment in the code silences the checks of its line, or of the next line if it stands
//! alone: `// attest: allow memory/out-of-bounds`. It names kinds or classes of checks,
//! separated by commas. [`Silence`] values, which the command line reads from `attest.toml`, do
//! the same from outside of the code.

use crate::error::Error;
use crate::sources;
use attest_model::{BailKind, Check, Class, PlaceId, Program, check_word, class_of};
use std::collections::BTreeSet;

/// How a comment begins that silences checks.
const MARK: &str = "attest: allow";

/// A silenced finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Silence {
    /// A kind of check such as `memory/out-of-bounds`, or a class.
    pub check: String,
    /// The file, or the end of its path.
    pub file: String,
    /// The line; none is the whole file.
    pub line: Option<u32>,
}

/// A kind of check; none is the call of an error function.
type Kind = Option<BailKind>;

/// The kinds that a word means: a kind of check or a whole class.
fn kinds(word: &str) -> Result<Vec<Kind>, String> {
    let all = || {
        let kinds = BailKind::ALL.iter().map(|kind| Some(*kind));
        kinds.chain([None]).filter(|kind| class_of(*kind).is_some())
    };
    let class = Class::named(word);
    let meant: Vec<Kind> = all()
        .filter(|kind| check_word(*kind) == word || class.is_some() && class_of(*kind) == class)
        .collect();
    match meant.is_empty() {
        false => Ok(meant),
        true => {
            let words: Vec<String> = all().map(check_word).collect();
            Err(format!(
                "`{word}` is no check; write one of {}",
                words.join(", ")
            ))
        }
    }
}

/// The checks of a program that its comments and these values silence, and how many of those
/// there are.
pub(crate) fn silenced(
    program: &Program,
    given: &[Silence],
) -> Result<(BTreeSet<Check>, usize), Error> {
    let mut rows: Vec<(String, Option<u32>, Vec<Kind>)> = Vec::new();
    for silence in given {
        let meant = kinds(&silence.check).map_err(Error::usage)?;
        rows.push((silence.file.clone(), silence.line, meant));
    }
    for (name, text) in sources::texts(program) {
        if !text.contains(MARK) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let Some((code, words)) = comment(line) else {
                continue;
            };
            let alone = code.trim().is_empty();
            let at = number as u32 + if alone { 2 } else { 1 };
            for word in words.split(',') {
                let meant = kinds(word.trim());
                let meant =
                    meant.map_err(|why| Error::input(format!("{name}:{}: {why}", number + 1)))?;
                rows.push((name.clone(), Some(at), meant));
            }
        }
    }
    let places = (0..program.places.len() as u32).map(PlaceId);
    let mut found = BTreeSet::new();
    let mut used = BTreeSet::new();
    for id in places {
        let place = program.place(id);
        for (row, (file, line, meant)) in rows.iter().enumerate() {
            let is_there =
                is_named(&place.file, file) && line.is_none_or(|line| line == place.line);
            if is_there {
                used.insert(row);
                found.extend(meant.iter().map(|kind| Check {
                    place: id,
                    kind: *kind,
                }));
            }
        }
    }
    Ok((found, used.len()))
}

/// Whether a file is the one that a user names by its path or the end of it.
fn is_named(file: &str, named: &str) -> bool {
    let named = named.trim_start_matches("./");
    let rest = file.strip_suffix(named);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// A line's code and what its comment allows.
fn comment(line: &str) -> Option<(&str, &str)> {
    let (before, words) = line.split_once(MARK)?;
    let before = before.trim_end();
    let code = before.strip_suffix("//").or(before.strip_suffix("/*"))?;
    let words = words.split("*/").next().unwrap_or_default();
    // A reason may follow after two dashes.
    let words = words.split("--").next().unwrap_or_default();
    Some((code, words.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_kinds() {
        let one = kinds("memory/out-of-bounds");
        assert_eq!(one, Ok(vec![Some(BailKind::OutOfBounds)]));
        assert_eq!(kinds("assert"), Ok(vec![None]));
        assert!(kinds("memory").is_ok_and(|all| all.len() > 4));
        assert!(kinds("memroy").is_err_and(|why| why.contains("memory/bad-free")));
    }

    #[test]
    fn comments() {
        let all = [
            (
                "x = a[i]; // attest: allow memory -- checked by the caller",
                "x = a[i]; ",
                "memory",
            ),
            (
                "/* attest: allow overflow, memory */",
                "",
                "overflow, memory",
            ),
        ];
        for (line, code, words) in all {
            assert_eq!(comment(line), Some((code, words)), "{line}");
        }
        assert_eq!(comment("\"attest: allow memory\""), None);
    }

    #[test]
    fn files_are_named_by_their_end() {
        assert!(is_named("/a/b/c.c", "b/c.c") && is_named("c.c", "./c.c"));
        assert!(!is_named("/a/b/cc.c", "c.c"));
    }
}
