//! Leaks: which memory is left at the end of a run, whether something still points to it, and
//! where it was allocated. Each program has its expected answer: the kind of the leak, the number
//! of objects that it is about, and the lines of their allocations.

mod common;

use attest_exec::{HeapLeft, Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_llvm::clang::DataModel;
use attest_model::leak::endless;
use attest_model::{BailKind, Leaks, Options, Program};
use std::sync::{Arc, OnceLock};

const PRELUDE: &str = "typedef unsigned long size; void *malloc(size), *calloc(size, size), \
    *realloc(void *, size); void free(void *), exit(int), _exit(int), abort(void); char \
    *strdup(const char *); int atexit(void (*)(void)), __VERIFIER_nondet_int(void); void \
    *memcpy(void *, const void *, size); int *__VERIFIER_nondet_pointer(void); void \
    *fopen(const char *, const char *); int fclose(void *); \
    struct list { struct list *next; int n; };\n";

/// The program with the library's models, instrumented.
fn program(source: &str, leaks: Leaks, entry: &str) -> Program {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    let library =
        LIBRARY.get_or_init(|| common::ir(attest_model::library::SOURCE, DataModel::Lp64));
    let read =
        |text: &str| attest_llvm::read_module(text, "test.c").unwrap_or_else(|e| panic!("{e}"));
    let own = read(&common::ir(&format!("{PRELUDE}{source}"), DataModel::Lp64));
    let also = attest_model::library::uncalled(&own);
    let module = attest_llvm::link_library(own, read(library), also);
    let module = module.unwrap_or_else(|e| panic!("{e}"));
    let options = Options {
        leaks,
        entry: entry.into(),
        ..Options::default()
    };
    let program = attest_model::lower(&module, &options);
    let mut program = program.unwrap_or_else(|e| panic!("{e}"));
    attest_model::points_to::provenance(&mut program);
    attest_model::points_to::prune(&mut program);
    program
}

fn told(run: &Interpreter<'_>, left: &HeapLeft) -> String {
    let kind = match left.kind(run.program) {
        Some(kind) => kind.word(),
        None => "no leak",
    };
    let wanted = |lost| lost == (kind == BailKind::Leak.word());
    let objects = left.objects.iter().filter(|o| wanted(o.lost));
    let lines: Vec<u32> = objects.map(|o| run.program.place(o.made_at).line).collect();
    match lines.is_empty() {
        true => kind.into(),
        false => format!("{kind} {lines:?}"),
    }
}

/// How a run of a program ends.
fn ended(program: &Program, given: Arc<Inputs>) -> String {
    let limits = Limits {
        steps: 100_000,
        ..Default::default()
    };
    let mut run = Interpreter::new(program, given, Overflow::Wrap, limits);
    let outcome = run.run();
    if let Some(left) = run.heap_left(&outcome) {
        return told(&run, &left);
    }
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) => "ends".into(),
        Outcome::Bailed(bail) => format!("bail {}", bail.kind.word()),
        other => format!("{other:?}"),
    }
}

/// Each program with the answer for its run; lines are counted from 2.
fn check(leaks: Leaks, programs: &[(&str, &str)]) {
    for (source, expect) in programs {
        let program = program(source, leaks, "main");
        assert_eq!(ended(&program, Arc::default()), *expect, "{source}");
    }
}

#[test]
fn memory_is_left_at_the_return_of_main() {
    check(
        Leaks::Ends,
        &[
            ("int main(void) { return 0; }", "ends"),
            (
                "int main(void) { malloc(4); return 0; }",
                "unreachable-memory [2]",
            ),
            // The variables of `main` are gone.
            (
                "int main(void) { int *p = malloc(4); *p = 1; return *p; }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { int *p = malloc(4); free(p); return 0; }",
                "ends",
            ),
            (
                "int main(void) { int *p = malloc(4);\n p = malloc(8); free(p); return 0; }",
                "unreachable-memory [2]",
            ),
            (
                "int *g; int main(void) { g = malloc(4); return 0; }",
                "not-freed [2]",
            ),
            (
                "int *g[4]; int main(void) { g[2] = malloc(4); return 0; }",
                "not-freed [2]",
            ),
            // A pointer into an object, and one to its end.
            (
                "char *g; int main(void) { g = malloc(4); g += 2; return 0; }",
                "not-freed [2]",
            ),
            (
                "char *g; int main(void) { g = malloc(4); g += 4; return 0; }",
                "not-freed [2]",
            ),
            // A variable in memory.
            (
                "int main(void) { int *p = malloc(4), **q = &p; *q = p; return 0; }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { free(0); void *p = 0; free(p); return 0; }",
                "ends",
            ),
            ("int main(void) { free(malloc(0)); return 0; }", "ends"),
            (
                "int main(void) { malloc(0); return 0; }",
                "unreachable-memory [2]",
            ),
        ],
    );
}

#[test]
fn pointers_are_followed() {
    check(
        Leaks::Ends,
        &[
            (
                "struct list *g; int main(void) { g = malloc(16); g->next = malloc(16); \
              g->next->next = 0; return 0; }",
                "not-freed [2, 2]",
            ),
            // A lost tail.
            (
                "struct list *g; int main(void) { g = malloc(16);\n g->next = malloc(16);\n\
              g->next->next = malloc(16); g->next->next->next = 0; g->next = 0; return 0; }",
                "unreachable-memory [3, 4]",
            ),
            // Freed from the head on, and from the head only.
            (
                "int main(void) { struct list *l = 0, *n; for (int i = 0; i < 3; i++) { \
              n = malloc(16); n->next = l; l = n; } while (l) { n = l->next; free(l); l = n; } \
              return 0; }",
                "ends",
            ),
            (
                "int main(void) { struct list *l = 0, *n; for (int i = 0; i < 3; i++) { \
              n = malloc(16); n->next = l; l = n; } free(l); return 0; }",
                "unreachable-memory [2, 2]",
            ),
            // Two that only point to each other.
            (
                "int main(void) { struct list *a = malloc(16);\n struct list *b = malloc(16); \
              a->next = b; b->next = a; return 0; }",
                "unreachable-memory [2, 3]",
            ),
            // Only freed memory points to it.
            (
                "struct list *g; int main(void) { g = malloc(16);\n g->next = malloc(16); free(g); \
              return 0; }",
                "unreachable-memory [3]",
            ),
            // An address as a number, and the bytes of a pointer.
            (
                "unsigned long g; int main(void) { g = (unsigned long)malloc(4); return 0; }",
                "not-freed [2]",
            ),
            (
                "char g[8]; int main(void) { int *p = malloc(4); char *c = (char *)&p; \
              for (int i = 0; i < 8; i++) g[i] = c[i]; return 0; }",
                "not-freed [2]",
            ),
            (
                "char g[8]; int main(void) { int *p = malloc(4); memcpy(g, &p, 8); return 0; }",
                "not-freed [2]",
            ),
            // A pointer in the middle of a big object, which is reached from a variable.
            (
                "char **g; int main(void) { g = malloc(4096);\n g[300] = malloc(4); return 0; }",
                "not-freed [2, 3]",
            ),
        ],
    );
}

#[test]
fn the_library_allocates_for_its_caller() {
    check(
        Leaks::Ends,
        &[
            (
                "int main(void) { int *p = calloc(3, 4); free(p); return 0; }",
                "ends",
            ),
            (
                "int main(void) { calloc(3, 4); return 0; }",
                "unreachable-memory [2]",
            ),
            // It fails.
            (
                "int main(void) { int *p = calloc(1ul << 40, 1ul << 40); return p != 0; }",
                "ends",
            ),
            (
                "size n; int main(void) { n = 1ul << 40; int *p = calloc(n, n); free(p); \
              return p != 0; }",
                "ends",
            ),
            (
                "int main(void) { char *p = malloc(4);\n p = realloc(p, 400); free(p); return 0; }",
                "ends",
            ),
            (
                "int main(void) { char *p = malloc(4);\n p = realloc(p, 400); return 0; }",
                "unreachable-memory [3]",
            ),
            (
                "int main(void) { char *p = 0;\n p = realloc(p, 400); return 0; }",
                "unreachable-memory [3]",
            ),
            (
                "int main(void) { free(realloc(0, 400)); return 0; }",
                "ends",
            ),
            (
                "int main(void) { char *p =\n strdup(\"text\"); return *p; }",
                "unreachable-memory [3]",
            ),
            (
                "int main(void) { char *p = strdup(\"text\"); free(p); return 0; }",
                "ends",
            ),
            (
                "int main(void) { void *f = fopen(\"a\", \"r\"); return 0; }",
                "not-freed [2]",
            ),
            (
                "int main(void) { void *f = fopen(\"a\", \"r\"); fclose(f); return 0; }",
                "ends",
            ),
            // What runs at the end may still free.
            (
                "int *g; void end(void) { free(g); } int main(void) { atexit(end); g = malloc(4); \
              return 0; }",
                "ends",
            ),
            (
                "int *g; void end(void) { free(g); } int main(void) { atexit(end); g = malloc(4); \
              exit(1); }",
                "ends",
            ),
            // Through a pointer.
            (
                "void *(*make)(size) = malloc; void (*drop)(void *) = free; int main(void) { \
              int *p = make(4); drop(p); return 0; }",
                "ends",
            ),
            (
                "void *(*make)(size) = malloc; int main(void) { int *p = make(4); return 0; }",
                "unreachable-memory [2]",
            ),
        ],
    );
}

#[test]
fn variables_are_there_at_exit() {
    check(
        Leaks::Ends,
        &[
            (
                "void end(void) { exit(1); } int main(void) { int *p = malloc(4); end(); free(p); \
              return 0; }",
                "not-freed [2]",
            ),
            // Nobody reads it any more.
            (
                "void end(void) { exit(1); } int main(void) { int *p = malloc(4); end(); }",
                "not-freed [2]",
            ),
            (
                "void end(int *q) { exit(1); } int main(void) { end(malloc(4)); }",
                "not-freed [2]",
            ),
            (
                "int main(void) { int *p = malloc(4); p = 0; exit(1); }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { malloc(4); exit(1); }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { int *p = malloc(4), *q = p; p = 0; exit(1); }",
                "not-freed [2]",
            ),
            (
                "void f(void) { int *p = malloc(4); } int main(void) { f(); exit(0); }",
                "unreachable-memory [2]",
            ),
            // A variable in memory, and two in one loop.
            (
                "void end(int **p) { exit(1); } int main(void) { int *p = malloc(4); end(&p); }",
                "not-freed [2]",
            ),
            (
                "int main(void) { int *p, *q; for (int i = 0; i < 2; i++) { int *t = malloc(4); \
              if (i == 0) p = t; else q = t; } exit(0); }",
                "not-freed [2, 2]",
            ),
            // Other ends are no ends in good order.
            ("int main(void) { malloc(4); _exit(1); }", "ends"),
            ("int main(void) { malloc(4); abort(); }", "Aborted"),
        ],
    );
    check(
        Leaks::Everywhere,
        &[
            (
                "int main(void) { malloc(4); _exit(1); }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { malloc(4); abort(); }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { int *p = malloc(4); abort(); }",
                "not-freed [2]",
            ),
            (
                "int main(void) { int *p = malloc(4); free(p); abort(); }",
                "Aborted",
            ),
            (
                "int main(void) { malloc(4); for (;;) ; }",
                "unreachable-memory [2]",
            ),
            (
                "int main(void) { int *p = malloc(4); for (;;) ; }",
                "no leak [2]",
            ),
            ("int main(void) { for (;;) ; }", "StepLimit"),
        ],
    );
}

#[test]
fn a_main_that_is_called_does_not_end_the_program() {
    // Without the library's models, which exclude such programs.
    let source = "void *malloc(unsigned long); void free(void *); int *g, n; int main(void) { \
        if (n++) { return 1; } g = malloc(4); main(); free(g); return 0; }";
    let module = common::ir(source, DataModel::Lp64);
    let module = attest_llvm::read_module(&module, "test.c").expect("it reads");
    let options = Options {
        leaks: Leaks::Ends,
        ..Options::default()
    };
    let program = attest_model::lower(&module, &options).expect("it is modelled");
    assert_eq!(ended(&program, Arc::default()), "ends");
}

#[test]
fn the_caller_of_an_entry_keeps_what_it_has() {
    for (source, expect) in [
        // What is returned is no leak, and neither is what was passed.
        ("int *f(void) { return malloc(4); }", "no leak"),
        (
            "int *f(void) { malloc(4); return 0; }",
            "unreachable-memory [2]",
        ),
        ("int f(struct list *l) { return l != 0; }", "ends"),
        (
            "int f(struct list *l) { malloc(4); return l != 0; }",
            "unreachable-memory [2]",
        ),
        (
            "int f(struct list *l) { if (l) l->next = malloc(16); else malloc(4); return 0; }",
            "unreachable-memory [2]",
        ),
    ] {
        let program = program(source, Leaks::Ends, "f");
        let got = ended(&program, Arc::default());
        assert_eq!(
            got.split(" [").next(),
            expect.split(" [").next(),
            "{source}: {got}"
        );
    }
}

#[test]
fn memory_of_the_environment_is_not_counted() {
    let source = "int main(void) { int *p = __VERIFIER_nondet_pointer(); free(p); malloc(4); \
        return 0; }";
    let program = program(source, Leaks::Ends, "main");
    for number in ["0", "131072", "135168", "5000000"] {
        let got = ended(&program, common::inputs(number, ""));
        assert_eq!(got, "unreachable-memory [2]", "for {number}");
    }
}

#[test]
fn loops_without_an_exit_are_listed() {
    for (source, leaks, expect) in [
        ("int main(void) { for (;;) ; }", Leaks::Ends, vec![]),
        (
            "int main(void) { malloc(4);\n for (;;) ; }",
            Leaks::Ends,
            vec![3],
        ),
        (
            "int main(void) { malloc(4);\n for (;;) ; }",
            Leaks::Everywhere,
            vec![],
        ),
        (
            "int main(void) {\n for (;;) malloc(4); }",
            Leaks::Everywhere,
            vec![3],
        ),
        (
            "void f(void) { exit(0); } int main(void) {\n for (;;) { malloc(4); f(); } }",
            Leaks::Ends,
            vec![],
        ),
        (
            "int main(void) {\n for (;;) { malloc(4); if (__VERIFIER_nondet_int()) break; } return 0; }",
            Leaks::Ends,
            vec![],
        ),
        (
            "void spin(void) {\n end: goto end; } int main(void) { if (malloc(4)) return 1; spin(); return 0; }",
            Leaks::Ends,
            vec![3],
        ),
        (
            "int g; int main(void) { malloc(4); if (g) {\n for (;;) for (int i = 0; i < 3; i++) g++; } return 0; }",
            Leaks::Everywhere,
            vec![3],
        ),
    ] {
        let program = program(source, leaks, "main");
        let found = endless(&program);
        let mut lines: Vec<u32> = found.iter().map(|at| program.place(*at).line).collect();
        lines.dedup();
        assert_eq!(lines, expect, "{source}");
    }
}

#[test]
fn what_is_left_is_told() {
    let source = "int *g;\nint main(void) {\n  g = malloc(4);\n  for (int i = 0; i < 3; i++)\n    malloc(8);\n  return 0;\n}";
    let program = program(source, Leaks::Ends, "main");
    let mut run = Interpreter::new(&program, Arc::default(), Overflow::Wrap, Limits::default());
    let outcome = run.run();
    let left = run.heap_left(&outcome).expect("memory is left");
    assert_eq!(
        left.told(&program).to_string(),
        "3 objects of 24 bytes are not freed, and nothing points there; allocated at test.c:6:5"
    );
}
