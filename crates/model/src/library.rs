//! Models of library functions that are written in C.
//!
//! [`SOURCE`] is compiled and linked like any other file, but only for
//! functions that the program calls and nobody defines. What C cannot express
//! is a primitive of the lowering instead ([`is_primitive`]).

use attest_llvm::Module;
use attest_llvm::ir::GlobalKind;

pub use crate::lower::is_primitive;

/// The C source of the models.
pub const SOURCE: &str = include_str!("../stubs/libc.c");

/// Functions that the source defines: its lines of the form `TYPE name(...) {` at the margin.
pub fn defined() -> impl Iterator<Item = &'static str> {
    SOURCE.lines().filter_map(|line| {
        let (head, _) = line.split_once('(')?;
        if line.starts_with([' ', '\t', '#', '/', '}'])
            || head.starts_with("static")
            || !line.ends_with('{')
        {
            return None;
        }
        head.rsplit([' ', '*']).next()
    })
}

/// Variables that the source defines.
const VARIABLES: &[&str] = &["stdin", "stdout", "stderr"];

/// Whether the program declares a function or a variable that only the library defines.
pub fn lacks_any(program: &Module) -> bool {
    let missing = |name: &str| {
        program
            .lookup(name)
            .is_some_and(|g| match &program.global(g).kind {
                GlobalKind::Function(f) => f.is_declaration(),
                GlobalKind::Variable(v) => v.init.is_none(),
                GlobalKind::Alias { .. } | GlobalKind::Forward => false,
            })
    };
    defined().chain(VARIABLES.iter().copied()).any(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found() {
        let names: Vec<&str> = defined().collect();
        for wanted in [
            "strlen",
            "__ctype_b_loc",
            "qsort",
            "div",
            "snprintf",
            "fmodf",
        ] {
            assert!(names.contains(&wanted), "{wanted}");
        }
        assert!(!names.contains(&"put"), "a helper of the models");
        assert!(!names.contains(&"memcpy"), "a primitive");
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "defined twice");
        assert!(names.iter().all(|n| !is_primitive(n)), "{names:?}");
    }
}
