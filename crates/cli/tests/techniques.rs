//! Techniques by what they change from outside: programs that need them, and options.

mod common;

use common::{Ended, Folder, attest_in, root};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// The check of a text.
fn check(body: &str, options: &[&str]) -> Ended {
    let text = format!("{HEAD}{body}");
    let mut all = vec!["check", "a.c", "--check=assert"];
    all.extend(options);
    Folder::with(&[("a.c", &text)]).attest(&all)
}

/// The condition of a step is left out of a predicate where the rest will do.
#[test]
fn conditions_that_do_not_matter_are_left_out() {
    let body = "int state;\n\
        int main(void) { int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();\n\
        state = 1; if (i > 10) k++; if (k > 10) i++; if (i < k) i = k;\n\
        if (state != 1) reach_error(); return i; }\n";
    let options = ["--algorithm", "dash", "--with", "sp", "--stats"];
    let with = check(body, &options);
    assert_eq!(with.verdict(), "verdict: safe", "{with:?}");
    assert!(with.stdout.contains("sp "), "{with:?}");
    let without = check(body, &["--algorithm", "dash", "--stats"]);
    assert_eq!(without.verdict(), "verdict: safe", "{without:?}");
    assert!(!without.stdout.contains(" sp "), "{without:?}");
}

/// Only what is there for comparison can be switched on, and only the usual off.
#[test]
fn what_can_be_switched() {
    for (options, says) in [
        (["--with", "cores"], "these can be switched on: sp, cd"),
        (["--without", "sp"], "the techniques are initial"),
    ] {
        let ended = check("int main(void) { return 0; }\n", &options);
        assert_eq!(ended.status, 1, "{ended:?}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    }
}

/// A fact about every element of an array, from the loop that writes them to the one that
/// reads them, is in the proof file.
#[test]
fn every_element_of_an_array() {
    let folder = Folder::new();
    let proof = folder.path("a.proof").display().to_string();
    let program = "tests/programs/smoke/every_element.c";
    let ended = attest_in(&root(), &["check", program, "--proof", &proof, "--stats"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let needed = ended.stdout.lines().find(|l| l.contains("in the proof"));
    assert!(needed.is_some_and(|l| l.contains("arrays")), "{ended:?}");
    let proof = std::fs::read_to_string(proof).expect("a proof");
    assert!(proof.contains("forall"), "{proof}");
}
