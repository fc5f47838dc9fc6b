//! Models of library functions, written in C.
//!
//! [`SOURCE`] is compiled and linked like any other file, but only for functions that the program
//! calls and does not define. Functions that C cannot express are primitives of the lowering
//! instead ([`is_primitive`]).

use attest_llvm::Module;
use attest_llvm::ir::{GlobalKind, Linkage};

pub use crate::lower::is_primitive;

/// The folder of the models in source places; no user file is in it.
pub const FOLDER: &str = "<attest>/";

/// The C source of the models.
pub const SOURCE: &str = concat!(
    "#line 1 \"<attest>/libc.c\"\n",
    include_str!("../stubs/libc.c"),
    "#line 1 \"<attest>/input.c\"\n",
    include_str!("../stubs/input.c")
);

/// How the names of functions begin by whose call a stub says what it assumes.
pub const ASSUMING: &str = "__attest_assuming_";

/// The functions of the models that read external input. Native tests use them too, since the
/// machine's own functions would read other data.
pub const INPUT: &str = include_str!("../stubs/input.c");

/// A function of the environment that only [`INPUT`] calls.
#[derive(Clone, Copy, Debug)]
pub struct Any {
    /// Its name.
    pub name: &'static str,
    /// Its type in C.
    pub ty: &'static str,
    /// A description of its result.
    pub words: &'static str,
}

const fn any(name: &'static str, ty: &'static str, words: &'static str) -> Any {
    Any { name, ty, words }
}

/// The function of [`INPUT`] that allocates streams. The machine's library has a list of them, so a
/// stream that is not closed is not lost.
pub const STREAMS: &str = "open_stream";

/// The function whose results are characters of streams.
pub const CHARACTER: &str = "__attest_any_character";

/// All functions of the environment that only [`INPUT`] calls.
pub const ANY: [Any; 12] = [
    any(CHARACTER, "int", "a character that is read"),
    any("__attest_any_beginning", "int", "whether a number comes"),
    any("__attest_any_int", "int", "a number that is read"),
    any(
        "__attest_any_longlong",
        "long long",
        "a number that is read",
    ),
    any("__attest_any_float", "float", "a number that is read"),
    any("__attest_any_double", "double", "a number that is read"),
    any(
        "__attest_any_count",
        "long long",
        "how much is read or written",
    ),
    any("__attest_any_success", "int", "whether a call succeeds"),
    any("__attest_any_random", "int", "a random number"),
    any("__attest_any_time", "long long", "the time"),
    any("__attest_any_choice", "_Bool", "what the library chooses"),
    any(
        "__attest_any_element",
        "unsigned long long",
        "an element that the library compares",
    ),
];

/// The input that says whether an allocation fails, where the options say that each may.
pub const FAILURE: Any = any(
    "__attest_any_failure",
    "_Bool",
    "whether an allocation fails",
);

/// The function of this name among [`ANY`], or [`FAILURE`].
pub fn any_named(name: &str) -> Option<Any> {
    let mut all = ANY.into_iter().chain([FAILURE]);
    all.find(|any| any.name == name)
}

/// The character that a result of `__attest_any_character` stands for, which also says whether the
/// stream is a terminal.
pub fn character_read(result: i128) -> i128 {
    const IS_NO_TERMINAL: i128 = 512;
    match result {
        IS_NO_TERMINAL.. => result - IS_NO_TERMINAL,
        _ => result,
    }
}

/// The text of a file of the library, by the name that places have.
pub fn text_of(file: &str) -> Option<&'static str> {
    match file.strip_prefix(FOLDER)? {
        "libc.c" => Some(include_str!("../stubs/libc.c")),
        "input.c" => Some(INPUT),
        _ => None,
    }
}

/// Functions that the source defines.
pub fn defined() -> impl Iterator<Item = &'static str> {
    defined_in(SOURCE)
}

/// The functions that a C text defines: its lines of the form `TYPE name(...) {` at the margin.
pub fn defined_in(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
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

/// The function that runs when the program ends normally: functions of `atexit`, and destructors.
pub const AT_EXIT: &str = "__attest_at_exit";

/// Functions whose body in a header is one of several that C allows: a verdict must not rest on
/// it, and the library's model is taken.
const OPEN: [&str; 2] = ["qsort", "bsearch"];

/// Removes the bodies of such functions that headers define for a compiler that inlines them.
pub fn without_open_bodies(program: &mut Module) {
    for global in &mut program.globals {
        let is_open = OPEN.contains(&global.name.as_str());
        if is_open
            && global.linkage == Linkage::AvailableExternally
            && let GlobalKind::Function(function) = &mut global.kind
        {
            function.blocks.clear();
            global.linkage = Linkage::External;
        }
    }
}

/// Library functions that the program needs without calling them.
pub fn uncalled(program: &Module) -> &'static [&'static str] {
    let has_destructors = program.lookup("llvm.global_dtors").is_some();
    match has_destructors || is_missing(program, "atexit") {
        true => &[AT_EXIT],
        false => &[],
    }
}

/// Whether the program declares a function or a variable that only the library defines.
pub fn lacks_any(program: &Module) -> bool {
    let mut names = defined().chain(VARIABLES.iter().copied());
    names.any(|name| is_missing(program, name)) || !uncalled(program).is_empty()
}

/// Whether the program declares a function or a variable and does not define it.
fn is_missing(program: &Module, name: &str) -> bool {
    let symbol = program.lookup(name).map(|g| &program.global(g).kind);
    match symbol {
        Some(GlobalKind::Function(f)) => f.is_declaration(),
        Some(GlobalKind::Variable(v)) => v.init.is_none(),
        Some(GlobalKind::Alias { .. } | GlobalKind::Forward) | None => false,
    }
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
            "fgets",
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

    #[test]
    fn places_name_files_of_the_library() {
        let marks = SOURCE.lines().filter_map(|l| l.strip_prefix("#line 1 "));
        let files: Vec<&str> = marks.map(|file| file.trim_matches('"')).collect();
        assert_eq!(files.len(), 2);
        assert!(files.iter().all(|f| text_of(f).is_some()), "{files:?}");
        assert_eq!(text_of("libc.c"), None);
    }

    #[test]
    fn external_input_functions_are_declared() {
        for Any { name, ty, .. } in ANY {
            let declaration = format!("{ty} {name}(void);");
            assert!(INPUT.contains(&declaration), "{declaration}");
        }
        let called = INPUT.split("__attest_any_").skip(1);
        for rest in called {
            let end = rest.find('(').expect("a call");
            let name = format!("__attest_any_{}", &rest[..end]);
            assert!(any_named(&name).is_some(), "{name}");
        }
    }
}
