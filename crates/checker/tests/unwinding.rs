//! Proofs by unwinding: what is claimed must be so, and what is violated is shown.

mod common;

use attest_checker::{CheckResult, Fresh, check_proof, load_for};
use attest_proof::Unwinding;
use attest_solver::{Blaster, Limits};
use common::{HEADER, blank};

const ENOUGH: Unwinding = Unwinding {
    instructions: 10_000,
    iterations: 20,
    depth: 20,
    runs: Vec::new(),
};

/// The check of a claim about a program.
fn check(c: &str, claim: Unwinding) -> CheckResult {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEADER}{c}")).unwrap();
    let mut proof = blank(&file, &[]);
    proof.unwinding = Some(claim);
    let program = load_for(&proof, std::slice::from_ref(&file)).unwrap();
    let graph = attest_model::Graph::of(&program, proof.granularity.into());
    let mut solver = Fresh::new(Blaster::new);
    check_proof(&program, &graph, &proof, &mut solver, &Limits::default()).unwrap()
}

/// Why a claim is undecided.
fn undecided(c: &str, claim: Unwinding) -> String {
    match check(c, claim) {
        CheckResult::Undecided(failure) => failure.why,
        other => panic!("{other}"),
    }
}

const COUNTS: &str = "static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() % 8;
  int i = 0;
  while (i < n) i++;
  if (down(i) != n) reach_error();
}";

#[test]
fn a_claim_within_its_bounds_is_accepted() {
    let runs = vec![vec![0], vec![7], vec![255]];
    let result = check(COUNTS, Unwinding { runs, ..ENOUGH });
    assert!(matches!(result, CheckResult::Accepted(_)), "{result}");
}

#[test]
fn a_claim_of_too_little_is_not() {
    let few = Unwinding {
        iterations: 6,
        ..ENOUGH
    };
    assert!(undecided(COUNTS, few).contains("more iterations"));
    let shallow = Unwinding { depth: 7, ..ENOUGH };
    assert!(undecided(COUNTS, shallow).contains("nested deeper"));
    let short = Unwinding {
        instructions: 50,
        ..ENOUGH
    };
    assert!(undecided(COUNTS, short).contains("more instructions"));
}

#[test]
fn a_run_that_is_none_is_found_out() {
    for (run, why) in [
        (vec![], "more inputs"),
        (vec![1, 2], "fewer inputs"),
        (vec![1], ""),
    ] {
        let claim = Unwinding {
            runs: vec![run],
            ..ENOUGH
        };
        match check(COUNTS, claim) {
            CheckResult::Undecided(failure) if !why.is_empty() => {
                assert!(failure.why.contains(why), "{}", failure.why);
            }
            result => assert!(why.is_empty(), "{result}"),
        }
    }
    let assumed = "int main(void) {
      int x = __VERIFIER_nondet_int();
      __VERIFIER_assume(x > 5);
    }";
    let claim = Unwinding {
        runs: vec![vec![5]],
        ..ENOUGH
    };
    assert!(undecided(assumed, claim).contains("it does not end"));
}

#[test]
fn a_violation_comes_with_its_inputs() {
    let c = "int main(void) {
      unsigned char a = __VERIFIER_nondet_uchar(), b = 0;
      if (a > 9) b = __VERIFIER_nondet_uchar();
      unsigned char c = __VERIFIER_nondet_uchar();
      if (a == 77 && b == 78 && c == 79) reach_error();
    }";
    match check(c, ENOUGH) {
        CheckResult::Rejected(failure) => {
            let values: Vec<u64> = (failure.inputs.iter())
                .map(|input| input.value.low_u64() & 255)
                .collect();
            assert_eq!(values, [77, 78, 79]);
        }
        other => panic!("{other}"),
    }
}

/// Each program is safe, and the same with the last condition negated, or with a value changed,
/// is not.
#[test]
fn right_and_wrong_versions() {
    for (c, right, wrong) in [
        (
            // Reads of another size than the writes.
            "unsigned char b[8]; for (int i = 0; i < 8; i++) b[i] = i;
             unsigned w; __builtin_memcpy(&w, b + (x & 3), 4);
             if ((w & 255) VALUE) reach_error();",
            "!= (x & 3)",
            "== 3",
        ),
        (
            // One of two objects ends.
            "int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2;
             int *r = x & 1 ? p : q; *r += 10;
             if (*p + *q VALUE) reach_error();",
            "!= 13",
            "== 13",
        ),
        (
            // A join of three paths with different writes.
            "int a[3] = {0, 0, 0};
             switch (x % 3) { case 0: a[0] = 5; break; case 1: a[1] = 6; break; default: a[2] = 7; }
             if (a[0] + a[1] + a[2] VALUE) reach_error();",
            "< 5",
            "> 6",
        ),
        (
            // A pointer in memory, chosen by an input.
            "int u = 3, v = 4; int *t[2] = {&u, &v}; *t[x & 1] = 9;
             if (u * v VALUE) reach_error();",
            "!= ((x & 1) ? 27 : 36)",
            "== 36",
        ),
        (
            // A write through an open index hides one element alone.
            "unsigned char b[6] = {1, 2, 3, 4, 5, 6}; b[x % 6] = 0; int s = 0;
             for (int i = 0; i < 6; i++) s += b[i];
             if (s VALUE) reach_error();",
            "!= 20 - x % 6",
            "== 15",
        ),
    ] {
        let program = |value: &str| {
            let body = c.replace("VALUE", value);
            format!("int main(void) {{ unsigned x = __VERIFIER_nondet_uchar(); {body} }}")
        };
        let result = check(&program(right), ENOUGH);
        assert!(matches!(result, CheckResult::Accepted(_)), "{c}: {result}");
        let result = check(&program(wrong), ENOUGH);
        assert!(matches!(result, CheckResult::Rejected(_)), "{c}: {result}");
    }
}
