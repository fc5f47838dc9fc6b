//! The check that a test violates, other than an assertion: its kind, its place in the
//! user's code, and the calls that lead there.

use attest_model::{BailKind, Class, library};
use serde::{Deserialize, Serialize};

/// A call on the stack of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The function that is at work.
    pub function: String,
    /// Where in it, as `file:line:column`.
    pub place: String,
}

/// A check that a run violates.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    /// The check: its class and kind, such as `memory/out-of-bounds`.
    pub check: String,
    /// Where in the user's own code, as `file:line:column`.
    pub place: String,
    /// What is violated, in words.
    #[serde(default)]
    pub what: String,
    /// The calls at that moment, innermost first, with those inside attest's own model of the
    /// library.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Call>,
    /// Of a leak: where the memory was allocated, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<String>,
}

impl Violation {
    /// The kind that the check names; none if there is no such check.
    pub fn kind(&self) -> Option<BailKind> {
        let mut all = BailKind::ALL.iter().copied();
        all.find(|kind| kind.class().is_some() && kind.check() == self.check)
    }

    /// The class of the check.
    pub fn class(&self) -> Option<Class> {
        self.kind().and_then(BailKind::class)
    }

    /// What is wrong with a violation from a file.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.kind().is_some() {
            return None;
        }
        let all = BailKind::ALL.iter().filter(|kind| kind.class().is_some());
        let all: Vec<String> = all.map(|kind| kind.check()).collect();
        let (check, all) = (&self.check, all.join(", "));
        Some(format!("there is no check `{check}`; there are {all}"))
    }

    /// Whether it is inside a library function, which the user's code only calls.
    pub fn is_in_library(&self) -> bool {
        let innermost = self.stack.first();
        let place = innermost.map_or(&self.place, |call| &call.place);
        place.starts_with(library::FOLDER)
    }
}

/// A place as text, taken apart: the file and the line.
pub(crate) fn file_and_line(place: &str) -> Option<(&str, u32)> {
    let (rest, last) = place.rsplit_once(':')?;
    let last = last.parse().ok()?;
    match rest.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) => Some((file, line)),
            Err(_) => Some((rest, last)),
        },
        None => Some((rest, last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_have_kinds() {
        for kind in BailKind::ALL {
            let violation = Violation {
                check: kind.check(),
                ..Violation::default()
            };
            let expected = kind.class().map(|_| *kind);
            assert_eq!(violation.kind(), expected);
            assert_eq!(violation.problem().is_none(), expected.is_some());
        }
    }

    #[test]
    fn places() {
        assert_eq!(file_and_line("a.c:3:5"), Some(("a.c", 3)));
        assert_eq!(file_and_line("a:b.c:3:5"), Some(("a:b.c", 3)));
        assert_eq!(file_and_line("a.c:3"), Some(("a.c", 3)));
        assert_eq!(file_and_line("a.c"), None);
    }
}
