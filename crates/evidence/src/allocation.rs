//! Allocations that fail in a native run, where a test says that each may fail.
//!
//! The linker leads the program's calls of `malloc` and its like to wrappers in the harness. Each
//! takes the next input of the test, as the model does, and returns null if that says so. The
//! machine's own library calls its allocator past the wrappers, so functions that allocate inside
//! it have wrappers of their own.

use crate::heap;
use crate::test::Test;
use attest_proof::Malloc;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A function that allocates: its name, result, parameters, and the arguments for the real one.
type Allocator = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

/// All of them but `malloc`, with what is looked at before memory is asked for.
const ALLOCATORS: [Allocator; 10] = [
    (
        "calloc",
        "void *",
        "unsigned long n, unsigned long m",
        "n, m",
        "",
    ),
    ("realloc", "void *", "void *p, unsigned long n", "p, n", ""),
    ("valloc", "void *", "unsigned long n", "n", ""),
    (
        "aligned_alloc",
        "void *",
        "unsigned long a, unsigned long n",
        "a, n",
        "",
    ),
    (
        "memalign",
        "void *",
        "unsigned long a, unsigned long n",
        "a, n",
        "",
    ),
    ("strdup", "char *", "const char *s", "s", ""),
    ("__strdup", "char *", "const char *s", "s", ""),
    (
        "strndup",
        "char *",
        "const char *s, unsigned long n",
        "s, n",
        "",
    ),
    (
        "reallocarray",
        "void *",
        "void *p, unsigned long n, unsigned long m",
        "p, n, m",
        "m == 0 || n <= -1ul / m",
    ),
    (
        "posix_memalign",
        "int ",
        "void **p, unsigned long a, unsigned long n",
        "p, a, n",
        "a % sizeof(void *) == 0 && a != 0 && (a & (a - 1)) == 0",
    ),
];

fn may_fail(test: &Test) -> bool {
    test.malloc == Malloc::MayFail
}

/// The functions that the linker leads to wrappers.
fn wrapped<'a>(
    test: &'a Test,
    undefined: &'a BTreeSet<String>,
) -> impl Iterator<Item = &'static str> + 'a {
    let names = ALLOCATORS.iter().map(|(name, ..)| *name);
    let fails = names.filter(move |name| may_fail(test) && undefined.contains(*name));
    let fails_first = may_fail(test) && undefined.contains("malloc");
    let malloc = fails_first || heap::wraps_malloc(&test.unwritten);
    malloc.then_some("malloc").into_iter().chain(fails)
}

/// The options for the linker.
pub(crate) fn options(test: &Test, undefined: &BTreeSet<String>) -> Vec<String> {
    let option = |name| format!("-Wl,--wrap={name}");
    wrapped(test, undefined).map(option).collect()
}

/// The wrappers.
pub(crate) fn wrappers(test: &Test, undefined: &BTreeSet<String>) -> String {
    let mut c = String::new();
    let names: BTreeSet<&str> = wrapped(test, undefined).collect();
    let fails = may_fail(test) && undefined.contains("malloc");
    if may_fail(test) && !names.is_empty() {
        c.push_str(
            "/* Whether an allocation fails: as the test says. */\n\
             int *__errno_location(void);\n\n\
             static int fails(void) {\n  if (!(inputs[next()].low & 1)) return 0;\n  \
             *__errno_location() = 12;\n  return 1;\n}\n\n",
        );
    }
    for (name, result, parameters, arguments, first) in ALLOCATORS {
        if !names.contains(name) {
            continue;
        }
        let asked = match first {
            "" => "fails()".to_owned(),
            first => format!("({first}) && fails()"),
        };
        let failed = if result == "int " { "12" } else { "0" };
        let _ = writeln!(
            c,
            "{result}__real_{name}({parameters});\n\n\
             {result}__wrap_{name}({parameters}) {{\n  \
             return {asked} ? {failed} : __real_{name}({arguments});\n}}\n"
        );
    }
    if names.contains("malloc") {
        c.push_str(&heap::wrapper(&test.unwritten, fails));
    }
    c
}
