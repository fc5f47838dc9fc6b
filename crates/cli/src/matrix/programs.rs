//! The programs of a suite: files, families, lists, and those of other suites.

use super::plan::Property;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Programs, a file each unless they are linked.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Programs {
    /// Files, or patterns with one `*` in the last part.
    #[serde(default)]
    files: Vec<String>,
    /// All files are one program.
    #[serde(default)]
    linked: bool,
    /// A list with the columns path, expected (true, false) and data_model; it and the root
    /// may begin with a variable of the environment, as in `$TASKS/list.tsv`,
    list: Option<PathBuf>,
    /// the folder that its paths start from,
    root: Option<PathBuf>,
    /// and the beginnings of the paths that are meant.
    #[serde(default)]
    only: Vec<String>,
    /// Without the list they are left out, and not missed.
    #[serde(default)]
    optional: bool,
    /// Another suite in the same folder, whose programs are meant, with its properties.
    pub(super) suite: Option<PathBuf>,
    #[serde(default)]
    sizes: Vec<u32>,
    expect: Option<String>,
    /// Options of `attest check`.
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    clang: Vec<String>,
}

/// One program of a suite.
pub(super) struct Program {
    pub files: Vec<String>,
    pub size: Option<u32>,
    pub expected: String,
    pub options: Vec<String>,
    pub clang: Vec<String>,
    pub model: &'static str,
    /// The properties of the suite that it comes from, if that has its own.
    pub properties: Vec<Property>,
}

impl Programs {
    /// The programs that an entry stands for.
    pub(super) fn each(&self, folder: &Path) -> Result<Vec<Program>, String> {
        if let Some(expect) = &self.expect
            && !["safe", "unsafe"].contains(&expect.as_str())
        {
            return Err(format!("expect is safe or unsafe, not `{expect}`"));
        }
        let mut files = Vec::new();
        for pattern in &self.files {
            files.extend(matching(folder, pattern)?);
        }
        let groups: Vec<Vec<String>> = match self.linked {
            true => vec![files],
            false => files.into_iter().map(|file| vec![file]).collect(),
        };
        let mut out = Vec::new();
        for files in groups.iter().filter(|files| !files.is_empty()) {
            let expected = match &self.expect {
                Some(expect) => expect.clone(),
                None => expected_in(&folder.join(&files[0])),
            };
            let sizes: Vec<Option<u32>> = match self.sizes.is_empty() {
                true => vec![None],
                false => self.sizes.iter().copied().map(Some).collect(),
            };
            for size in sizes {
                let mut clang = self.clang.clone();
                clang.extend(size.map(|n| format!("-DN={n}")));
                out.push(Program {
                    files: files.clone(),
                    size,
                    expected: expected.clone(),
                    options: self.options.clone(),
                    clang,
                    model: "LP64",
                    properties: Vec::new(),
                });
            }
        }
        if let Some(list) = self
            .list
            .as_ref()
            .filter(|list| self.is_there(folder, list))
        {
            out.extend(self.listed(folder, list)?);
        }
        Ok(out)
    }

    /// Whether a list is to be read: one that may be missing is not if it is.
    fn is_there(&self, folder: &Path, list: &Path) -> bool {
        !self.optional || in_environment(list).is_ok_and(|list| folder.join(list).exists())
    }

    /// The list that is left out, if one is.
    pub(super) fn left_out(&self, folder: &Path) -> Option<&Path> {
        let list = self.list.as_deref();
        list.filter(|list| !self.is_there(folder, list))
    }

    fn listed(&self, folder: &Path, list: &Path) -> Result<Vec<Program>, String> {
        let path = folder.join(in_environment(list)?);
        let text = std::fs::read_to_string(&path)
            .map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let column = |name: &str| head.iter().position(|h| *h == name);
        let at = column("path").ok_or(format!("{} has no column path", path.display()))?;
        let root = in_environment(&self.root.clone().unwrap_or_default())?;
        let mut out = Vec::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).copied();
            let Some(name) = cell(Some(at)) else { continue };
            let meant = |start: &String| name.starts_with(start.as_str());
            if !self.only.is_empty() && !self.only.iter().any(meant) {
                continue;
            }
            let expected = match cell(column("expected")) {
                Some("true") => "safe",
                Some("false") => "unsafe",
                _ => "",
            };
            let narrow = cell(column("data_model")) == Some("ILP32");
            let mut options = self.options.clone();
            if narrow {
                options.extend(["--data-model".into(), "ilp32".into()]);
            }
            out.push(Program {
                files: vec![root.join(name).display().to_string()],
                size: None,
                expected: expected.into(),
                options,
                clang: self.clang.clone(),
                model: if narrow { "ILP32" } else { "LP64" },
                properties: Vec::new(),
            });
        }
        Ok(out)
    }
}

/// A path that may begin with a variable.
fn in_environment(path: &Path) -> Result<PathBuf, String> {
    let text = path.display().to_string();
    let Some(rest) = text.strip_prefix('$') else {
        return Ok(path.to_owned());
    };
    let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let value = std::env::var(name);
    let value = value.map_err(|_| format!("{text}: the variable {name} is not set"))?;
    Ok(Path::new(&value).join(rest))
}

/// The files of a pattern with at most one `*`, in its last part.
pub(super) fn matching(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    if !pattern.contains('*') {
        return Ok(vec![pattern.into()]);
    }
    let (place, name) = pattern.rsplit_once('/').unwrap_or((".", pattern));
    let Some((start, end)) = name.split_once('*').filter(|_| !place.contains('*')) else {
        return Err(format!("{pattern}: a * can be in the last part only"));
    };
    let read = std::fs::read_dir(folder.join(place));
    let entries = read.map_err(|why| format!("{place} cannot be read: {why}"))?;
    let mut found: Vec<String> = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let fits = name.len() >= start.len() + end.len();
        if fits && name.starts_with(start) && name.ends_with(end) {
            found.push(match place {
                "." => name,
                place => format!("{place}/{name}"),
            });
        }
    }
    if found.is_empty() {
        return Err(format!("no file is called {pattern}"));
    }
    found.sort();
    Ok(found)
}

/// What the first line of a program expects: `/* expected: safe`.
fn expected_in(file: &Path) -> String {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().unwrap_or_default();
    let Some((_, rest)) = first.split_once("expected:") else {
        return String::new();
    };
    let word = rest.split_whitespace().next().unwrap_or_default();
    match word.trim_matches(|c: char| !c.is_alphabetic()) {
        word @ ("safe" | "unsafe") => word.into(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_in_the_first_line() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        for (text, expected) in [
            ("/* expected: safe\n", "safe"),
            ("/* expected: unsafe, soon */\n", "unsafe"),
            ("// nothing\n// expected: safe\n", ""),
            ("", ""),
        ] {
            std::fs::write(file.path(), text).expect("a text");
            assert_eq!(expected_in(file.path()), expected, "{text}");
        }
    }
}
