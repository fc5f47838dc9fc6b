//! Names for large files: `fopen64` is `fopen`.
//!
//! Where a program is compiled with `_FILE_OFFSET_BITS=64`, the headers of
//! glibc replace its calls of `fopen` by calls of `fopen64`, which does the same
//! with wider offsets. A rule about `fopen` means both, so in the IR of a
//! program the name in the rule replaces the other one.

use crate::ir::{line_from, symbols};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The functions that have a twin for large files, without its `64`.
const TWINS: &[&str] = &[
    "fopen",
    "freopen",
    "tmpfile",
    "open",
    "openat",
    "creat",
    "mkstemp",
    "mkostemp",
    "lseek",
    "fseeko",
    "ftello",
    "pread",
    "pwrite",
    "ftruncate",
    "truncate",
    "readdir",
    "mmap",
    "sendfile",
];

/// IR in which twins of these functions have the functions' names, unless the file defines them.
pub(crate) fn with_plain_names<'a>(ir: &'a str, functions: &BTreeSet<&str>) -> Cow<'a, str> {
    let plain = |name: &'a str| {
        let plain = name.strip_suffix("64")?;
        (TWINS.contains(&plain) && functions.contains(plain)).then_some(plain)
    };
    let all = symbols(ir);
    let is_subject = |line: usize, keyword: &str| line_from(ir, line).starts_with(keyword);
    let defined: BTreeSet<&str> = all
        .iter()
        .filter(|(_, symbol)| symbol.first && is_subject(symbol.line, "define "))
        .map(|(name, _)| *name)
        .collect();
    // A function is declared once, also where a file uses both names.
    let mut declared: BTreeSet<&str> = all
        .iter()
        .filter(|(_, symbol)| symbol.first && is_subject(symbol.line, "declare "))
        .map(|(name, _)| *name)
        .chain(defined.iter().copied())
        .collect();
    let mut out = String::new();
    let mut copied = 0;
    for (name, symbol) in all {
        let Some(plain) = plain(name).filter(|_| !defined.contains(name)) else {
            continue;
        };
        let is_declaration = symbol.first && is_subject(symbol.line, "declare ");
        if is_declaration && !declared.insert(plain) {
            out.push_str(&ir[copied..symbol.line]);
            copied = symbol.line + line_from(ir, symbol.line).len();
            continue;
        }
        out.push_str(&ir[copied..symbol.start]);
        out.push('@');
        out.push_str(plain);
        copied = symbol.end;
    }
    if copied == 0 {
        return Cow::Borrowed(ir);
    }
    out.push_str(&ir[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ir: &str, expected: &str) {
        let functions = BTreeSet::from(["fopen", "open"]);
        assert_eq!(with_plain_names(ir, &functions), expected);
    }

    #[test]
    fn twins_get_the_rules_names() {
        check(
            "  %1 = call ptr @fopen64(ptr @a, ptr @b)\ndeclare ptr @fopen64(ptr, ptr) #1\n",
            "  %1 = call ptr @fopen(ptr @a, ptr @b)\ndeclare ptr @fopen(ptr, ptr) #1\n",
        );
    }

    #[test]
    fn others_stay() {
        let ir = "  call void @lseek64()\n  call void @reopen64()\n  call void @fopen()\n";
        check(ir, ir);
        let own = "define ptr @fopen64(ptr %0) {\n}\n  call ptr @fopen64(ptr null)\n";
        check(own, own);
    }

    #[test]
    fn both_names_have_one_declaration() {
        check(
            "declare ptr @fopen(ptr)\ndeclare ptr @fopen64(ptr)\n  call ptr @fopen64(ptr null)\n",
            "declare ptr @fopen(ptr)\n\n  call ptr @fopen(ptr null)\n",
        );
    }
}
