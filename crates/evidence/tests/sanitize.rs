//! Violations of each kind in small programs, built and run natively with a sanitizer. The
//! line with `HERE` is the one that a test names.

use attest_evidence::sanitize::silence_counts;
use attest_evidence::test::FORMAT;
use attest_evidence::{Call, Confirmation, Input, Test, Violation, confirm_natively};
use attest_proof::{DataModel, HashedFile};
use std::path::PathBuf;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(20);
const HEAD: &str = "#include <limits.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void);\n";

struct Case {
    check: &'static str,
    c: String,
    inputs: Vec<i32>,
    data_model: DataModel,
    entry: &'static str,
}

impl Case {
    fn new(check: &'static str, c: &str, inputs: &[i32]) -> Case {
        Case {
            check,
            c: format!("{HEAD}{c}\n"),
            inputs: inputs.to_vec(),
            data_model: DataModel::Lp64,
            entry: "main",
        }
    }

    /// What the machine says, and the text of it.
    fn run(&self) -> Confirmation {
        let folder = tempfile::tempdir().unwrap();
        let file: PathBuf = folder.path().join("program.c");
        std::fs::write(&file, &self.c).unwrap();
        let line = self.c.lines().position(|line| line.contains("HERE"));
        let line = line.map_or(1, |at| at + 1);
        let place = format!("{}:{line}:3", file.display());
        let inputs = self.inputs.iter().map(|value| Input {
            call: "__VERIFIER_nondet_int".into(),
            source: Default::default(),
            ty: "int".into(),
            value: value.to_string(),
            place: String::new(),
        });
        let test = Test {
            malloc: Default::default(),
            format: FORMAT.into(),
            tool: "attest".into(),
            files: vec![HashedFile::of(&file).unwrap()],
            data_model: self.data_model,
            clang_args: Vec::new(),
            stubs: Vec::new(),
            database: None,
            rule: None,
            entry: self.entry.into(),
            errors: vec!["reach_error".into()],
            inputs: inputs.collect(),
            uninitialised: Vec::new(),
            memory: Vec::new(),
            unwritten: Vec::new(),
            arguments: None,
            error: None,
            violation: None,
        };
        let test = test.with_violation(Violation {
            check: self.check.into(),
            place,
            what: "for a test".into(),
            stack: vec![Call::default()],
            allocated: None,
        });
        let again = Test::parse(&test.to_json()).unwrap();
        assert_eq!(again, test);
        let said = confirm_natively(&again, TIME, None).unwrap().unwrap();
        eprintln!("{}: {said}", self.check);
        said
    }
}

/// Whether the tool is missing: then nothing can be said, but what to install.
fn is_left_out(said: &Confirmation) -> bool {
    match said {
        Confirmation::NotAvailable(why) => {
            attest_testing::tools::missing(why);
            true
        }
        _ => false,
    }
}

#[track_caller]
fn confirmed(check: &'static str, c: &str, inputs: &[i32]) {
    let case = Case::new(check, c, inputs);
    let said = case.run();
    if !is_left_out(&said) {
        assert!(said.is_confirmed(), "{check}: {said:?}\n{}", case.c);
    }
}

#[track_caller]
fn not_seen(check: &'static str, c: &str, inputs: &[i32]) {
    let case = Case::new(check, c, inputs);
    let said = case.run();
    if !is_left_out(&said) {
        assert!(matches!(said, Confirmation::NotFound { .. }), "{said:?}");
        let kind = match said {
            Confirmation::NotFound { kind, .. } => kind,
            _ => unreachable!(),
        };
        assert_eq!(said.contradicts(), silence_counts(kind), "{said:?}");
    }
}

#[test]
fn outside_of_objects() {
    let check = "memory/out-of-bounds";
    for c in [
        "int main(void) { char *p = malloc(4); int i = __VERIFIER_nondet_int();
           if (i == 4) p[i] = 1; /* HERE */
           return 0; }",
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int();
           a[i] = 1; /* HERE */
           return a[0]; }",
        "int a[4]; int main(void) { int i = __VERIFIER_nondet_int();
           return a[i]; /* HERE */
         }",
        // The user's line is the call.
        "int main(void) { char a[8]; char *b = malloc(8); int n = __VERIFIER_nondet_int();
           memset(a, 'x', 8); a[7] = 0;
           strcpy(b + n, a); /* HERE */
           return 0; }",
        // Far beyond the zone around the array.
        "int a[4], b[5000]; int main(void) { int i = __VERIFIER_nondet_int();
           return a[i * 300]; /* HERE */
         }",
        // An index inside of a structure, which only the check of bounds sees.
        "struct s { int a[2], b[8]; } s; int main(void) { int i = __VERIFIER_nondet_int();
           return s.a[i]; /* HERE */
         }",
    ] {
        confirmed(check, c, &[4]);
    }
    not_seen(
        check,
        "struct s { int a[2], b[8]; } s; int main(void) { int i = __VERIFIER_nondet_int();
           int *p = s.a;
           return p[i]; /* HERE */
         }",
        &[4],
    );
}

#[test]
fn input_into_a_small_buffer() {
    // The harness stands for the library here, and is not blamed.
    confirmed(
        "memory/out-of-bounds",
        "#include <stdio.h>
         int main(void) { char *p = malloc(4);
           fgets(p, 40, stdin); /* HERE */
           return p[0]; }",
        &[
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ],
    );
}

#[test]
fn after_the_life_of_objects() {
    for c in [
        "int main(void) { int *p = malloc(4); *p = 1; if (__VERIFIER_nondet_int() == 7) free(p);
           return *p; /* HERE */
         }",
        "int main(void) { int *p; { int x = __VERIFIER_nondet_int(); p = &x; }
           return *p; /* HERE */
         }",
        "int *escape(void) { int x = __VERIFIER_nondet_int(); int *p = &x; return p; }
         int main(void) {
           return *escape(); /* HERE */
         }",
    ] {
        confirmed("memory/use-after-free", c, &[7]);
    }
}

#[test]
fn null_and_wild_addresses() {
    confirmed(
        "memory/null-dereference",
        "struct s { int a, b; }; int main(void) { struct s *p = 0, s;
           if (__VERIFIER_nondet_int() != 3) p = &s;
           p->b = 1; /* HERE */
           return 0; }",
        &[3],
    );
    confirmed(
        "memory/invalid-pointer",
        "int main(void) { int *p = (int *)(long)(__VERIFIER_nondet_int() * 100000l);
           return *p; /* HERE */
         }",
        &[1234],
    );
    confirmed(
        "memory/constant-write",
        "int main(void) { char *p = \"text\"; p += __VERIFIER_nondet_int();
           *p = 'x'; /* HERE */
           return 0; }",
        &[1],
    );
    // `&p->b` of a null pointer is no access, and the run goes on to the one behind it.
    confirmed(
        "memory/null-dereference",
        "struct s { int a, b; }; int main(void) { struct s *p = 0; int *q = &p->b;
           return *q; /* HERE */
         }",
        &[],
    );
}

#[test]
fn wrong_frees() {
    for c in [
        "int main(void) { int *p = malloc(4); free(p); if (__VERIFIER_nondet_int() == 2)
           free(p); /* HERE */
           return 0; }",
        "int main(void) { int a[4];
           free(a + __VERIFIER_nondet_int()); /* HERE */
           return 0; }",
        "int main(void) { char *p = malloc(40);
           free(p + __VERIFIER_nondet_int()); /* HERE */
           return 0; }",
    ] {
        confirmed("memory/bad-free", c, &[2]);
    }
}

#[test]
fn wrong_calls() {
    for c in [
        "int main(void) { void (*volatile f)(void) = 0;
           f(); /* HERE */
           return 0; }",
        "int main(void) { int x; int (*volatile f)(void) = (int (*)(void))(void *)&x;
           return f(); /* HERE */
         }",
        "static int g(double d) { return d > 1; }
         int main(void) { int (*volatile f)(int) = (int (*)(int))g;
           return f(__VERIFIER_nondet_int()); /* HERE */
         }",
    ] {
        confirmed("memory/bad-call", c, &[2]);
    }
}

#[test]
fn overlapping_copies() {
    confirmed(
        "memory/overlapping-copy",
        "int main(void) { char a[16] = \"0123456789\";
           memcpy(a, a + 2, __VERIFIER_nondet_int()); /* HERE */
           return 0; }",
        &[8],
    );
}

#[test]
fn arithmetic() {
    for (check, c, input) in [
        ("overflow/overflow", "n + 1", INT),
        ("overflow/overflow", "-n", i32::MIN),
        ("overflow/overflow", "n * n", INT),
        ("arithmetic/division", "5 / n", 0),
        ("arithmetic/division", "5 % n", 0),
        ("arithmetic/division", "n / -one", i32::MIN),
        ("arithmetic/shift", "1 << n", 32),
        ("arithmetic/shift", "1 >> n", -1),
        ("arithmetic/float-to-int", "(int)(n * 1e30)", 3),
    ] {
        let program = format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(), one = 1;
               int x = {c}; /* HERE */
               return x == 7; }}"
        );
        confirmed(check, &program, &[input]);
        // Without the violation silence speaks against it.
        if c.starts_with("n + 1") || c.starts_with("5 / n") {
            not_seen(check, &program, &[1]);
        }
    }
    confirmed(
        "arithmetic/unreachable",
        "int main(void) { if (__VERIFIER_nondet_int() == 5)
           __builtin_unreachable(); /* HERE */
           return 0; }",
        &[5],
    );
}

const INT: i32 = i32::MAX;

#[test]
fn wrapping_is_no_end_for_other_classes() {
    confirmed(
        "arithmetic/division",
        "int main(void) { int n = __VERIFIER_nondet_int(); int wraps = n + 1; wraps += n;
           return 1 / (wraps + 1); /* HERE */
         }",
        &[INT],
    );
}

#[test]
fn leaks() {
    confirmed(
        "leak/unreachable-memory",
        "static void f(int n) { char *p = malloc(n); p[0] = 1; }
         int main(void) { f(__VERIFIER_nondet_int()); f(3);
           return 0; /* HERE */
         }",
        &[40],
    );
    confirmed(
        "leak/not-freed",
        "char *kept;
         int main(void) { kept = malloc(__VERIFIER_nondet_int());
           return 0; /* HERE */
         }",
        &[40],
    );
    not_seen(
        "leak/unreachable-memory",
        "char *kept; int main(void) { kept = malloc(7); return 0; }",
        &[],
    );
}

#[test]
fn values_that_were_never_set() {
    confirmed(
        "uninitialised/never-set",
        "int main(void) { int x; if (__VERIFIER_nondet_int() == 3) x = 1;
           if (x == 7) /* HERE */
             return 1;
           return 0; }",
        &[4],
    );
    confirmed(
        "uninitialised/never-set",
        "int main(void) { int *p = malloc(40); p[__VERIFIER_nondet_int()] = 1; int y = p[3];
           switch (y) { /* HERE */
             case 3: return 1; default: return 0; } }",
        &[4],
    );
    not_seen(
        "uninitialised/never-set",
        "int main(void) { int x; if (__VERIFIER_nondet_int() == 3) x = 1; int y = x; return 0; }",
        &[4],
    );
}

#[test]
fn other_lines_and_other_kinds() {
    let c = "int main(void) { int a[4]; int i = __VERIFIER_nondet_int();
        a[i] = 1;
        return 0; /* HERE */
      }";
    let said = Case::new("memory/out-of-bounds", c, &[4]).run();
    if is_left_out(&said) {
        return;
    }
    assert!(matches!(said, Confirmation::OtherLine { .. }), "{said:?}");
    let said = Case::new("memory/bad-free", c, &[4]).run();
    assert!(matches!(said, Confirmation::OtherKind { .. }), "{said:?}");
    assert!(!said.contradicts());
}

#[test]
fn what_does_not_build_or_end() {
    let broken = Case::new("memory/bad-free", "int main(void) { return 0 }", &[]);
    let said = broken.run();
    if is_left_out(&said) {
        return;
    }
    assert!(matches!(said, Confirmation::CannotBuild(_)), "{said:?}");
}

#[test]
fn narrow_programs() {
    let mut case = Case::new(
        "memory/out-of-bounds",
        "int main(void) { long a[4]; long *p = malloc(16); p[sizeof(long) - 4] = 1;
           p[__VERIFIER_nondet_int()] = 1; /* HERE */
           return 0; }",
        &[4],
    );
    case.data_model = DataModel::Ilp32;
    let said = case.run();
    if !is_left_out(&said) {
        assert!(said.is_confirmed(), "{said:?}");
    }
}

#[test]
fn another_entry() {
    let mut case = Case::new(
        "memory/out-of-bounds",
        "static int f(void) { int a[4]; int i = __VERIFIER_nondet_int();
           return a[i]; /* HERE */
         }
         int g(void) { return f(); }",
        &[4],
    );
    case.entry = "g";
    let said = case.run();
    if !is_left_out(&said) {
        assert!(said.is_confirmed(), "{said:?}");
    }
}

#[test]
fn an_unknown_check() {
    let text = r#"{"format": "attest-test-1", "tool": "x", "files": [], "data_model": "lp64",
        "entry": "main", "errors": [], "inputs": [],
        "violation": {"check": "memory/out-of-bonds", "place": "a.c:1:1"}}"#;
    let why = Test::parse(text).unwrap_err().to_string();
    assert!(
        why.starts_with("there is no check `memory/out-of-bonds`; there are"),
        "{why}"
    );
}
