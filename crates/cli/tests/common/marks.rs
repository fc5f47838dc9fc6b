//! The violations that a program is expected to have, and those that the output of a check tells.
//!
//! A line of a program is marked by a comment at its end, with one or more kinds:
//!
//! ```text
//! a[i] = 1; // violated: memory/out-of-bounds
//! free(p);  // violated(WRONG): memory/bad-free, memory/use-after-free
//! ```
//!
//! A mark with a name in parentheses holds in the cases whose options for clang have `-DNAME`.
//! A check must report exactly the marked lines, each in clang's form.

use std::collections::BTreeSet;
use std::fmt;

/// A violation: its file, line and kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Violation {
    /// The file's name without its folder.
    pub file: String,
    pub line: u32,
    /// `memory/out-of-bounds`.
    pub kind: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} [{}]", self.file, self.line, self.kind)
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The violation that a line of the header tells, `KIND at LINE` or `KIND at FILE:LINE`, in a
/// program with this main file.
pub fn in_header(value: &str, main: &str) -> Result<Violation, String> {
    let malformed = || format!("`{value}` is not `KIND at LINE` or `KIND at FILE:LINE`");
    let (kind, place) = value.split_once(" at ").ok_or_else(malformed)?;
    let (file, line) = place.rsplit_once(':').unwrap_or((main, place));
    Ok(Violation {
        file: base(file).to_owned(),
        line: line.trim().parse().map_err(|_| malformed())?,
        kind: kind.trim().to_owned(),
    })
}

/// The names that the options define for the preprocessor.
fn defined(options: &[String]) -> impl Iterator<Item = &str> {
    let defined = options
        .iter()
        .filter_map(|option| option.strip_prefix("-D"));
    defined.map(|name| name.split('=').next().unwrap_or(name))
}

/// The violations that the lines of a file are marked with, under these options.
pub fn marked(file: &str, text: &str, options: &[String]) -> Result<Vec<Violation>, String> {
    let mut marked = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(at) = line.find("// violated") else {
            continue;
        };
        if at == 0 {
            continue;
        }
        let rest = &line[at + "// violated".len()..];
        let malformed = || format!("{file}:{number}: a mark that is not understood");
        let (condition, kinds) = rest.split_once(':').ok_or_else(malformed)?;
        let holds = match condition.strip_prefix('(') {
            None if condition.is_empty() => true,
            None => return Err(malformed()),
            Some(names) => {
                let names = names.strip_suffix(')').ok_or_else(malformed)?;
                let mut names = names.split(',').map(str::trim);
                names.any(|name| defined(options).any(|defined| defined == name))
            }
        };
        if holds {
            marked.extend(kinds.split(',').map(|kind| Violation {
                file: base(file).to_owned(),
                line: number,
                kind: kind.trim().to_owned(),
            }));
        }
    }
    Ok(marked)
}

/// The violations that an output tells: lines `FILE:LINE:COLUMN: error: TEXT [KIND]`.
pub fn told(output: &str) -> BTreeSet<Violation> {
    let told = output.lines().filter_map(|line| {
        let (place, text) = line.split_once(": error: ")?;
        let (_, kind) = text.trim_end().strip_suffix(']')?.rsplit_once('[')?;
        kind.contains('/').then_some(())?;
        let mut place = place.rsplitn(3, ':');
        let _column: u32 = place.next()?.parse().ok()?;
        let line = place.next()?.parse().ok()?;
        let file = base(place.next()?).to_owned();
        let kind = kind.to_owned();
        Some(Violation { file, line, kind })
    });
    told.collect()
}

/// How what was told differs from what was expected.
pub fn difference(expected: &BTreeSet<Violation>, told: &BTreeSet<Violation>) -> Option<String> {
    let list = |a: &BTreeSet<Violation>, b| {
        let missing = a.difference(b).map(Violation::to_string);
        missing.collect::<Vec<_>>().join(", ")
    };
    let (missing, surplus) = (list(expected, told), list(told, expected));
    match (missing.is_empty(), surplus.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("not reported: {missing}")),
        (true, false) => Some(format!("reported and not expected: {surplus}")),
        (false, false) => Some(format!("expected {missing}, reported {surplus}")),
    }
}
