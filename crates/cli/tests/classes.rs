//! Classes of checks on the command line: wrong names, nothing to check, silencing, and what the
//! other forms of output say of violations.

mod common;

use common::{Ended, Folder};
use serde_json::Value;

const INPUT: &str = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n\
    void reach_error(void);\n";

fn folder(program: &str) -> Folder {
    Folder::with(&[("a.c", &format!("{INPUT}{program}"))])
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.attest(&[&["check", "a.c", "--time-limit", "60"], more].concat())
}

/// A division by zero in line 4, behind it an access out of bounds in line 5.
const TWO: &str = "int main(void) { int i = __VERIFIER_nondet_int(), a[2] = {0};\n\
    int b = i == 7 ? 7 / (i - 7) : i == 8 ?\n a[i] : 0; return b != 0; }\n";

#[test]
fn wrong_names_get_a_line_with_the_right_ones() {
    let folder = folder(TWO);
    folder.write("race.prp", "CHECK( init(main()), LTL(G ! data-race) )");
    folder.write("none.prp", "valid-deref");
    for (status, options, words) in [
        (1, ["--check", "memroy"], "assert, memory, leak, overflow"),
        (1, ["--check", "assert,,memory"], "assert, memory, leak"),
        (1, ["--property", "no-overflows"], "valid-deref"),
        (2, ["--property", "race.prp"], "valid-memsafety"),
        (2, ["--property", "none.prp"], "CHECK( init(main())"),
        (1, ["--malloc", "sometimes"], "may-fail"),
    ] {
        let ended = check(&folder, &options);
        assert_eq!(ended.status, status, "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
}

#[test]
fn nothing_to_check_has_a_status() {
    let contradictory = "int main(void) { int x = __VERIFIER_nondet_int();\n\
        __VERIFIER_assume(x > 5); __VERIFIER_assume(x < 3); if (x == 4) reach_error(); }\n";
    for (program, options, words) in [
        (
            "int main(void) { return 0; }\n",
            &[][..],
            "no check of these classes",
        ),
        (TWO, &["--check", "assert"], "no check of assert"),
        (contradictory, &[], "assumptions exclude all inputs"),
    ] {
        let folder = folder(program);
        let ended = check(&folder, options);
        let verdict = ended.verdict();
        assert!(
            verdict.starts_with("verdict: safe (nothing to check: "),
            "{ended:?}"
        );
        assert!(verdict.contains(words), "{ended:?}");
        assert_eq!(ended.status, 3, "{ended:?}");
        let allowed = [options, &["--allow-empty"]].concat();
        assert_eq!(check(&folder, &allowed).status, 0);
    }
}

#[test]
fn what_was_not_asked_for_is_said() {
    let divides = "int main(void) { int i = __VERIFIER_nondet_int(), a[2] = {0};\n\
        int b = 7 / i; return a[b & 1]; }\n";
    let folder = folder(divides);
    let ended = check(&folder, &["--check", "memory"]);
    let verdict = ended.verdict();
    assert!(
        verdict.starts_with("verdict: safe (until arithmetic/division at a.c:4"),
        "{ended:?}"
    );
}

#[test]
fn findings_are_silenced() {
    let folder = folder(TWO);
    let project = "[[allow]]\ncheck = \"arithmetic\"\nfile = \"a.c\"\nreason = \"a test\"\n";
    folder.write("attest.toml", project);
    let ended = check(&folder, &[]);
    assert_eq!(
        ended.verdict(),
        "verdict: unsafe (1 finding silenced)",
        "{ended:?}"
    );
    assert!(!ended.stdout.contains("[arithmetic/"), "{ended:?}");
    folder.write(
        "attest.toml",
        "[[allow]]\ncheck = \"memroy\"\nfile = \"a.c\"\n",
    );
    let ended = check(&folder, &[]);
    assert!(ended.stderr.contains("memory/out-of-bounds"), "{ended:?}");
}

/// A result for each violation, and for what was not asked for a warning.
#[test]
fn sarif_has_all_violations() {
    let folder = folder(TWO);
    check(&folder, &["--check", "memory", "--sarif", "a.sarif"]);
    let text = std::fs::read_to_string(folder.path("a.sarif")).expect("a log");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let told: Vec<(&str, &str)> = results
        .iter()
        .filter_map(|r| Some((r["ruleId"].as_str()?, r["level"].as_str()?)))
        .collect();
    let expected = [
        ("memory/out-of-bounds", "error"),
        ("arithmetic/division", "warning"),
    ];
    assert_eq!(told, expected, "{text}");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array();
    let ids = rules
        .into_iter()
        .flatten()
        .filter_map(|rule| rule["id"].as_str());
    let ids: Vec<&str> = ids.collect();
    assert!(expected.iter().all(|(id, _)| ids.contains(id)), "{ids:?}");
}

/// A witness is about the property that is violated or proved, and about no other.
#[test]
fn witnesses_are_about_the_property() {
    let wrong = folder(TWO);
    let right = folder("int main(void) { int a[2] = {0}; return a[1]; }\n");
    for (folder, options, says, silent) in [
        (
            &wrong,
            ["--check", "memory"],
            "G valid-deref",
            "reach_error",
        ),
        (
            &wrong,
            ["--property", "valid-memsafety"],
            "G valid-deref",
            "valid-free",
        ),
        (&right, ["--check", "memory"], "G valid-free", "reach_error"),
        (
            &right,
            ["--property", "valid-deref"],
            "G valid-deref",
            "valid-free",
        ),
    ] {
        for name in ["a.yml", "a.graphml"] {
            check(folder, &[&options[..], &["--witness", name]].concat());
            let text = std::fs::read_to_string(folder.path(name)).expect("a witness");
            assert!(text.contains(says), "{text}");
            assert!(!text.contains(silent), "{text}");
        }
    }
    // They say nothing of calls of error functions, so they are no evidence of that.
    let ended = check(&right, &["--check-witness", "a.yml"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(ended.verdict().contains("undefined behaviour"), "{ended:?}");
}
