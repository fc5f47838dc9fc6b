//! Traces, proofs in C, SARIF, suites, tasks, completions.

mod common;

use common::{Folder, attest_in, root};
use serde_json::Value;

const LOOP: &str = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
static unsigned sum;
static void add(int i) {
  sum += i;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int unused = 3;
  for (int i = 0; i < 20; i++)
    add(n);
  unused++;
  if (sum == 140)
    reach_error();
  return 0;
}
";

#[test]
fn a_trace_folds_loops_and_leaves_out_what_does_not_matter() {
    let folder = Folder::with(&[("a.c", LOOP)]);
    let ended = folder.attest(&["check", "a.c"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    let trace = &ended.stdout;
    for words in [
        "__VERIFIER_nondet_int() = 7",
        "  main:\n",
        "    add:\n",
        "5: sum += i;",
        "-> sum = 7\n",
        "-> sum = 140\n",
        "these lines 18 times more",
        "reach_error: the property is violated",
    ] {
        assert!(trace.contains(words), "{words}: {trace}");
    }
    assert!(!trace.contains("unused"), "{trace}");
    assert!(trace.lines().count() < 40, "{trace}");
}

#[test]
fn a_next_step_for_an_open_verdict() {
    let hard = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
        int main(void) {\n  unsigned a = __VERIFIER_nondet_uint(), b = 1, n = 0;\n\
        \x20 while (a != 1 && n < 100000) {\n    a = a % 2 ? 3 * a + 1 : a / 2;\n    b = b * a + 7;\n\
        \x20   n++;\n    if (b == 0xdeadbeef && a == 0x1234567) reach_error();\n  }\n}\n";
    let folder = Folder::with(&[("hard.c", hard)]);
    let ended = folder.attest(&["check", "hard.c", "--time-limit", "4"]);
    if ended.status == 5 {
        assert!(ended.stdout.contains("\nnext: "), "{ended:?}");
    }
    let ended = attest_in(&root(), &["check", "examples/env.c"]);
    assert!(
        ended.stdout.contains("\nnext: give the function a body"),
        "{ended:?}"
    );
}

#[test]
fn sarif_has_the_trace_as_a_code_flow() {
    let folder = Folder::with(&[("a.c", LOOP)]);
    folder.attest(&["check", "a.c", "--sarif", "a.sarif", "--quiet"]);
    let text = std::fs::read_to_string(folder.path("a.sarif")).expect("a log");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "attest");
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "error-reached");
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a.c");
    assert_eq!(place["region"]["startLine"], 14);
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(
        flow.as_array().is_some_and(|steps| steps.len() > 20),
        "{flow}"
    );
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
}

#[test]
fn a_suite_covers_branches() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
        int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 123456) {\n    \
        if (__VERIFIER_nondet_int() == 654321)\n      reach_error();\n  }\n  \
        if (x > 5 && x < 5)\n    return 1;\n  return 0;\n}\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["tests", "a.c", "--out", "suite", "--time-limit", "60"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("branches: 7 of 8 are taken, 1 cannot be"),
        "{ended:?}"
    );
    let read = |name: &str| std::fs::read_to_string(folder.path("suite").join(name));
    let metadata = read("metadata.xml").expect("metadata");
    assert!(
        metadata.contains("COVER EDGES(@DECISIONEDGE)"),
        "{metadata}"
    );
    let tests: Vec<String> = (1..10)
        .filter_map(|i| read(&format!("testcase-{i}.xml")).ok())
        .collect();
    let failing = tests.iter().find(|t| t.contains("coversError=\"true\""));
    let failing = failing.expect("a failing test");
    let at = |value: &str| failing.find(&format!(">{value}</input>"));
    assert!(
        at("123456").is_some() && at("123456") < at("654321"),
        "{failing}"
    );
    let ended = folder.attest(&["tests", "a.c", "--out", "suite.zip"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let archive = std::fs::read(folder.path("suite.zip")).expect("an archive");
    assert!(archive.starts_with(b"PK\x03\x04") && archive.len() > 500);
}

#[test]
fn tasks() {
    let ended = attest_in(&root(), &["check", "examples/task.yml", "--json", "-"]);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["verdict"], "safe", "{ended:?}");
    assert_eq!(report["files"][0], "examples/steps.c");
    assert_eq!(
        report["property"]["errors"],
        serde_json::json!(["reach_error"])
    );
    let folder = Folder::with(&[
        ("a.c", "int main(void) { int a[2] = {1}; return a[1]; }\n"),
        ("odd.yml", "input_files: a.c\noptions: { data_model: XY }\n"),
        ("none.yml", "properties: []\n"),
        (
            "java.yml",
            "input_files: a.c\noptions: { language: Java }\n",
        ),
        ("broken.yml", "input_files: [\n"),
        (
            "fine.yml",
            "input_files: [a.c]\noptions: { data_model: ILP32 }\n",
        ),
    ]);
    for (task, status, words) in [
        ("odd.yml", 2, "no known data model"),
        ("none.yml", 2, "no input files"),
        ("java.yml", 2, "not in C"),
        ("broken.yml", 2, "no task definition"),
        ("fine.yml", 0, ""),
    ] {
        let ended = folder.attest(&["check", task, "--quiet"]);
        assert_eq!(ended.status, status, "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}

#[test]
fn completions_and_the_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let ended = attest_in(&root(), &["completions", shell]);
        assert!(ended.stdout.contains("check-witness"), "{shell}");
    }
    let ended = attest_in(&root(), &["man"]);
    for words in [".TH attest", "COMMAND CHECK", "witness", "COMMAND TESTS"] {
        assert!(ended.stdout.contains(words), "{words}: {}", ended.stdout);
    }
}
