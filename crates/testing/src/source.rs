//! The source of this workspace as text: its files without comments, and who imports whom.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..")
}

/// A source file of a crate.
pub struct File {
    /// Its place below `src`.
    pub name: String,
    /// The modules that lead to it from the root of the crate.
    pub module: Vec<String>,
    /// Its text without comments, the contents of literals, and its modules of tests.
    pub code: String,
}

impl File {
    /// Whether it has an inherent `impl` of this type.
    pub fn implements(&self, ty: &str) -> bool {
        let words = words(&self.code);
        let starts = words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word == "impl");
        starts.into_iter().any(|(at, _)| {
            let head = words[at + 1..].iter().take_while(|word| **word != "{");
            let head: Vec<&str> = head.copied().collect();
            let target = &head[generics(&head)..];
            target.first() == Some(&ty) && !target.contains(&"for")
        })
    }

    /// Whether this identifier occurs in it.
    pub fn mentions(&self, word: &str) -> bool {
        words(&self.code).contains(&word)
    }

    /// The paths that begin in this crate, absolute: those it only names, and those that a
    /// `use` gives a name here.
    fn paths(&self, all: &BTreeMap<Vec<String>, usize>) -> Paths {
        let words = words(&self.code);
        let mut paths = Paths::default();
        // The inline modules around a word, and the depth of braces of each.
        let (mut inside, mut depth): (Vec<(String, usize)>, usize) = (Vec::new(), 0);
        let mut at = 0;
        while at < words.len() {
            let (word, before) = (words[at], at.checked_sub(1).map(|b| words[b]));
            match word {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    inside.retain(|(_, opened)| *opened < depth + 1);
                }
                "mod" if words.get(at + 2) == Some(&"{") => {
                    inside.push((words[at + 1].to_owned(), depth + 1));
                }
                _ => {}
            }
            let starts = is_name(word) && !matches!(before, Some("::" | "." | "mod"));
            let follows = before == Some("use") || words.get(at + 1) == Some(&"::");
            if starts && follows {
                let mut here = self.module.clone();
                here.extend(inside.iter().map(|(name, _)| name.clone()));
                let child = || [&here[..], &[word.to_owned()]].concat();
                let base = match word {
                    "crate" => Some((Vec::new(), at + 2)),
                    "self" => Some((here.clone(), at + 2)),
                    "super" => {
                        here.pop();
                        let mut next = at + 2;
                        while words.get(next) == Some(&"super") {
                            here.pop();
                            next += 2;
                        }
                        Some((here.clone(), next))
                    }
                    // A module that this one declares.
                    _ if all.contains_key(&child()) => Some((here.clone(), at)),
                    _ => None,
                };
                if let Some((base, from)) = base {
                    let names = before == Some("use");
                    let known = paths.all.len();
                    tree(&words, from, &base, names, &mut paths);
                    if from == at {
                        // A module is made of its parts: that is no import.
                        paths.all.truncate(known);
                    }
                }
            }
            at += 1;
        }
        paths
    }
}

/// The paths of a file.
#[derive(Default)]
struct Paths {
    /// All of them.
    all: Vec<Vec<String>>,
    /// What a name stands for.
    names: BTreeMap<String, Vec<String>>,
}

/// Reads a path or a tree of them, as `use` has; gives the place after it.
fn tree(words: &[&str], mut at: usize, base: &[String], names: bool, paths: &mut Paths) -> usize {
    let mut path = base.to_vec();
    while at < words.len() {
        match words[at] {
            "{" if names => {
                at += 1;
                while at < words.len() && words[at] != "}" {
                    at = tree(words, at, &path, names, paths).max(at + 1);
                    if words.get(at) == Some(&",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "self" => {}
            word if is_name(word) => path.push(word.to_owned()),
            _ => break,
        }
        at += 1;
        if words.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    if names {
        let renamed = words.get(at) == Some(&"as");
        let name = if renamed {
            words.get(at + 1).map(|n| (*n).to_owned())
        } else {
            path.last().cloned()
        };
        paths.names.extend(name.map(|name| (name, path.clone())));
        at += if renamed { 2 } else { 0 };
    }
    paths.all.push(path);
    at
}

/// A crate of the workspace.
pub struct Crate {
    /// Its source files, sorted.
    pub files: Vec<File>,
}

impl Crate {
    /// The names of the folders in `crates`.
    pub fn names() -> Vec<String> {
        let all = std::fs::read_dir(root().join("crates")).expect("crates");
        let names = all.map(|entry| entry.expect("a crate").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.retain(|name| root().join("crates").join(name).join("src").is_dir());
        names.sort();
        names
    }

    /// The crate in `crates/NAME`.
    pub fn read(name: &str) -> Crate {
        let src = root().join("crates").join(name).join("src");
        let mut found = Vec::new();
        collect(&src, &src, &mut found);
        found.sort();
        let texts = found.into_iter().map(|(name, path)| {
            let text = std::fs::read_to_string(path).expect("a source file");
            (name, text)
        });
        Crate::of(texts)
    }

    /// A crate of these files, by their places below `src`.
    pub fn of(texts: impl IntoIterator<Item = (String, String)>) -> Crate {
        let file = |(name, text): (String, String)| File {
            module: module(&name),
            code: without_tests(&without_comments(&text)),
            name,
        };
        Crate {
            files: texts.into_iter().map(file).collect(),
        }
    }

    /// The most files that import each other in a circle, or one.
    pub fn longest_cycle(&self) -> Vec<String> {
        let modules = self.files.iter().enumerate();
        let modules: BTreeMap<Vec<String>, usize> =
            modules.map(|(i, file)| (file.module.clone(), i)).collect();
        let paths: Vec<Paths> = self.files.iter().map(|file| file.paths(&modules)).collect();
        let mut edges = vec![BTreeSet::new(); self.files.len()];
        for (from, file) in paths.iter().enumerate() {
            let to = file
                .all
                .iter()
                .filter_map(|path| owner(path, &modules, &paths, 8));
            edges[from].extend(to.filter(|to| *to != from));
        }
        let reached: Vec<BTreeSet<usize>> =
            (0..edges.len()).map(|from| reach(&edges, from)).collect();
        let circle = |of: usize| -> Vec<String> {
            let back = reached[of].iter().filter(|to| reached[**to].contains(&of));
            back.map(|to| self.files[*to].name.clone()).collect()
        };
        let circles = (0..edges.len()).map(circle);
        circles.max_by_key(Vec::len).unwrap_or_default()
    }
}

/// The file that an absolute path leads to, through what other files give a name again.
fn owner(
    path: &[String],
    modules: &BTreeMap<Vec<String>, usize>,
    paths: &[Paths],
    fuel: usize,
) -> Option<usize> {
    let known = (0..=path.len())
        .rev()
        .find(|n| modules.contains_key(&path[..*n]))?;
    let file = modules[&path[..known]];
    let next = path.get(known).and_then(|name| paths[file].names.get(name));
    match next {
        Some(next) if fuel > 0 && next != path => {
            let whole = [&next[..], &path[known + 1..]].concat();
            owner(&whole, modules, paths, fuel - 1)
        }
        _ => Some(file),
    }
}

/// What can be reached in one step or more.
fn reach(edges: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut todo: Vec<usize> = edges[from].iter().copied().collect();
    while let Some(next) = todo.pop() {
        if seen.insert(next) {
            todo.extend(&edges[next]);
        }
    }
    seen
}

/// The structs of a text with the number of their fields.
pub fn struct_fields(code: &str) -> BTreeMap<String, usize> {
    let words = words(code);
    let mut found = BTreeMap::new();
    for at in (0..words.len()).filter(|at| words[*at] == "struct") {
        let Some(open) = words[at..]
            .iter()
            .position(|w| matches!(*w, "{" | ";" | "("))
        else {
            continue;
        };
        if words[at + open] != "{" {
            continue;
        }
        let (mut depth, mut fields) = (0, 0);
        for inner in &words[at + open..] {
            match *inner {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                ":" if depth == 1 => fields += 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        found.insert(words[at + 1].to_owned(), fields);
    }
    found
}

fn collect(src: &Path, folder: &Path, found: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a source file").path();
        if path.is_dir() {
            collect(src, &path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path
                .strip_prefix(src)
                .expect("it is below")
                .to_string_lossy();
            found.push((name.into_owned(), path));
        }
    }
}

/// The modules that lead to a file; a program's own root is apart from the library's.
fn module(name: &str) -> Vec<String> {
    let parts = name.trim_end_matches(".rs").split('/');
    let mut parts: Vec<String> = parts.map(str::to_owned).collect();
    match parts.last().map(String::as_str) {
        Some("mod") => drop(parts.pop()),
        Some("lib") if parts.len() == 1 => parts.clear(),
        _ => {}
    }
    parts
}

/// How many words the generic parameters at the start take.
fn generics(words: &[&str]) -> usize {
    if words.first() != Some(&"<") {
        return 0;
    }
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Identifiers, `::`, and all else a character at a time.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let length = if part(first) {
            rest.find(|c| !part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") || rest.starts_with("->") || rest.starts_with("=>") {
            2
        } else {
            first.len_utf8()
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// A text without comments, and with nothing between its quotes.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let raw = ["r\"", "r#\"", "r##\"", "br\"", "br#\""];
        let name = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(start) = raw.iter().find(|r| !name && rest.starts_with(**r)) {
            let hashes = "#".repeat(start.matches('#').count());
            let end = rest[start.len()..].find(&format!("\"{hashes}"));
            at += end.map_or(rest.len(), |end| start.len() + end + 1 + hashes.len());
            code += "\"\"";
        } else if rest.starts_with('"') {
            at += quoted(rest, '"');
            code += "\"\"";
        } else if rest.starts_with('\'') && is_char(rest) {
            at += quoted(rest, '\'');
            code += "' '";
        } else {
            let c = rest.chars().next().expect("there is a rest");
            code.push(c);
            at += c.len_utf8();
        }
    }
    code
}

/// A character and not a lifetime.
fn is_char(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    matches!(
        (chars.next(), chars.next()),
        (Some('\\'), _) | (_, Some('\''))
    )
}

/// The length of a literal with its quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// A text without its modules of unit tests.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(start) = rest.find("#[cfg(test)]\nmod ") {
        kept += &rest[..start];
        rest = &rest[start..];
        let (open, semicolon) = (rest.find('{'), rest.find(';'));
        if semicolon.is_some_and(|s| open.is_none_or(|o| s < o)) {
            rest = &rest[semicolon.expect("there is one") + 1..];
            continue;
        }
        let mut depth = 0;
        let end = rest.char_indices().find(|(_, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => return false,
            }
            depth == 0
        });
        rest = end.map_or("", |(at, _)| &rest[at + 1..]);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Crate {
        Crate::of(
            texts
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        )
    }

    #[test]
    fn comments_and_literals_are_left_out() {
        let text = "a // b\n\"c\\\"d\" 'e' '\\'' r#\"f\"g\"# <'h> /* i */ j";
        assert_eq!(without_comments(text), "a \n\"\" ' ' ' ' \"\" <'h>  j");
        let text = "a\n#[cfg(test)]\nmod tests { mod b {} }\nc";
        assert_eq!(without_tests(text), "a\n\nc");
    }

    #[test]
    fn fields_are_counted() {
        let text = "struct A<T: B> { pub a: (u8, [C; 2]), b: Vec<c::D>, }\nstruct E;";
        let found = struct_fields(text);
        assert_eq!(found, BTreeMap::from([("A".to_owned(), 2)]));
    }

    #[test]
    fn inherent_implementations_are_found() {
        let has = |text: &str| files(&[("a.rs", text)]).files[0].implements("Engine");
        assert!(has("impl<'a, S: Fn() -> u8> Engine<'a, S> {}"));
        assert!(has("impl Engine<'_> {}"));
        assert!(!has("impl Drop for Engine<'_> {}"));
        assert!(!has("fn f(_: impl Engine) {}") || !has("// impl Engine {}"));
    }

    #[test]
    fn circles_go_through_new_names() {
        let lib = ("lib.rs", "mod a; mod b; mod c; mod d; pub use c::C;");
        let circle = files(&[
            lib,
            ("a.rs", "use crate::{b::{self, B}, d};"),
            ("b.rs", "fn f() -> crate::C { C }"),
            ("c.rs", "use super::a::A;"),
            (
                "d.rs",
                "struct D; #[cfg(test)]\nmod tests { use crate::a::A; }",
            ),
        ]);
        assert_eq!(circle.longest_cycle(), ["a.rs", "b.rs", "c.rs"]);
        let none = files(&[lib, ("a.rs", "use crate::C;"), ("c.rs", "struct C;")]);
        assert!(none.longest_cycle().is_empty());
    }

    #[test]
    fn a_module_does_not_import_its_parts() {
        let part = ("a/b.rs", "use super::f;");
        let made = files(&[("a/mod.rs", "mod b; fn f() { b::g(); }"), part]);
        assert!(made.longest_cycle().is_empty());
        let both = files(&[("a/mod.rs", "mod b; use crate::a::b::g;"), part]);
        assert_eq!(both.longest_cycle(), ["a/mod.rs", "a/b.rs"]);
    }
}
