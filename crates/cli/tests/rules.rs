//! API rules: those of `rules/` on their programs, errors in rules, and many rules at once.

mod common;

use common::{Folder, attest_in, root};
use std::sync::Mutex;

/// What the first comment of a program says: `/* expect: VERDICT; stubs: FILES; with: FILES */`.
struct Header {
    expected: String,
    stubs: Vec<String>,
    with: Vec<String>,
}

fn header(text: &str) -> Header {
    let line = text.lines().next().unwrap_or_default();
    let words = |key: &str| -> Vec<String> {
        let rest = line.split(key).nth(1).unwrap_or_default();
        let part = rest.split([';', '*']).next().unwrap_or_default();
        part.split_whitespace().map(str::to_owned).collect()
    };
    Header {
        expected: words("expect: ").pop().expect("an expectation"),
        stubs: words("stubs: "),
        with: words("with: "),
    }
}

fn check(program: &str) -> Result<(), String> {
    let path = format!("rules/tests/{program}.c");
    let text = std::fs::read_to_string(root().join(&path)).expect("a program");
    let header = header(&text);
    let expected = header.expected;
    let (rule, _) = program.split_once('-').expect("RULE-right or RULE-wrong");
    let rule = format!("rules/{rule}.slic");
    let in_stubs = |file: &String| format!("stubs/{file}");
    let with: Vec<String> = header.with.iter().map(in_stubs).collect();
    let stubs: Vec<String> = header.stubs.iter().map(in_stubs).collect();
    let mut args = vec!["check", &path, "--spec", &rule, "--no-cache"];
    args.extend(with.iter().map(String::as_str));
    for file in &stubs {
        args.extend(["--stubs", file]);
    }
    args.extend(["--", "-Istubs"]);
    let ended = attest_in(&root(), &args);
    let natively = ended.stdout.contains("the test fails natively");
    let said = ended.stdout.contains("the rule is violated");
    let evidence = expected == "safe" || natively && said;
    // What a stub assumes is behind the verdict.
    let verdict = ended.verdict().split(" (assuming ").next();
    if verdict == Some(&format!("verdict: {expected}")) && evidence {
        Ok(())
    } else {
        Err(format!("{program}: expected {expected}: {ended:?}"))
    }
}

/// Every rule has a program that keeps it and one that violates it, with evidence for both.
#[test]
fn every_rule_on_its_programs() {
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(root().join("rules")).expect("rules") {
        let path = entry.expect("a rule").path();
        if path.extension().is_some_and(|e| e == "slic") {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            programs.extend([format!("{name}-right"), format!("{name}-wrong")]);
        }
    }
    assert!(programs.len() >= 2 * 15, "{programs:?}");
    // Some have more, RULE-right-WHAT or RULE-wrong-WHAT.
    for entry in std::fs::read_dir(root().join("rules/tests")).expect("programs") {
        let path = entry.expect("a program").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        if !programs.contains(&name.as_ref().to_owned()) {
            programs.push(name.into_owned());
        }
    }
    let work = Mutex::new(programs);
    let wrong: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = work.lock().ok().and_then(|mut w| w.pop()) {
                    if let Err(why) = check(&program) {
                        wrong.lock().expect("the list").push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("the list");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const PROGRAM: &str = "extern int take(void *p);\n\
    int main(void) { int x; take(&x); return take(&x); }\n";
const RULE: &str = "int take(void *p);\nwatch void *p { int taken = 0; }\n\
    take.entry on $1 {\n  if (taken) abort \"taken twice\";\n  taken = 1;\n}\n";

/// A rule that is refused gets one line with the place.
#[test]
fn wrong_rules_get_one_line() {
    let folder = Folder::with(&[("a.c", PROGRAM)]);
    let refused = |rule: &str, place: &str, why: &str| {
        folder.write("r.slic", rule);
        let ended = folder.attest(&["slic", "check", "r.slic", "a.c"]);
        assert_eq!(ended.status, 2, "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
        let start = format!("attest: r.slic:{place}: ");
        assert!(ended.stderr.starts_with(&start), "{ended:?}");
        assert!(ended.stderr.contains(why), "{ended:?}");
        let ended = folder.attest(&["check", "a.c", "--spec", "r.slic"]);
        ended.status
    };
    let syntax = RULE.replace("on $1", "onto $1");
    assert_eq!(refused(&syntax, "3:12", "expected `{`"), 2);
    let unknown = format!("{RULE}int give(void *p);\ngive.entry {{ abort; }}\n");
    assert_eq!(refused(&unknown, "8:1", "`give`"), 5);
    let name = RULE.replace("if (taken)", "if (token)");
    assert_eq!(refused(&name, "4:7", "token"), 2);
    let types = RULE.replace("on $1", "on 3 * 4");
    assert_eq!(refused(&types, "3:15", "int"), 2);
    let other = RULE.replace("int take(", "long take(");
    assert_eq!(refused(&other, "1:6", "another type"), 2);
    folder.write("r.slic", RULE);
    let ended = folder.attest(&["slic", "check", "r.slic", "a.c"]);
    assert_eq!(
        (ended.status, ended.stdout.as_str()),
        (0, "r.slic: 1 event of 1 function\n")
    );
}

/// One table for many rules; what does not apply is no failure.
#[test]
fn many_rules_give_one_table() {
    let folder = Folder::with(&[
        ("a.c", PROGRAM),
        ("env.c", "int take(void *p) { return 0; }\n"),
    ]);
    std::fs::create_dir(folder.path("rules")).expect("a folder");
    folder.write("rules/once.slic", RULE);
    folder.write(
        "rules/other.slic",
        "void other(void);\nother.entry { abort; }\n",
    );
    let never = RULE.replace("if (taken)", "if (taken > 1)");
    folder.write("rules/never.slic", never);
    let args = [
        "check", "a.c", "--stubs", "env.c", "--spec", "rules", "--json", "r.json", "--sarif",
        "r.sarif", "--report", "pages",
    ];
    let ended = folder.attest(&args);
    assert_eq!(ended.status, 10, "{ended:?}");
    assert_eq!(ended.verdict(), "verdict: unsafe");
    assert!(folder.path("pages/once.html").is_file());
    sarif_has_every_pair(&folder);
    let rows: Vec<Vec<&str>> = ended
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[1][..2], ["rules/never.slic", "safe"]);
    assert_eq!(rows[2][..2], ["rules/once.slic", "unsafe"]);
    assert!(
        rows[2].ends_with(&["rules/once.slic:4:14:", "taken", "twice"]),
        "{ended:?}"
    );
    assert_eq!(rows[3].join(" "), "1 rule does not apply: rules/other.slic");
    let text = std::fs::read_to_string(folder.path("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        report["pairs"][1]["report"]["rule"]["message"],
        "taken twice"
    );
    let one = ["check", "a.c", "--spec", "rules/other.slic"];
    let ended = folder.attest(&[&one[..], &["--stubs", "env.c"]].concat());
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(ended.verdict().contains("not applicable"), "{ended:?}");
    // What a missing function hides may call anything.
    let ended = folder.attest(&one);
    assert!(!ended.verdict().contains("not applicable"), "{ended:?}");
}

/// Each pair of the program and a rule is a result of a rule of SARIF; a violation is at the
/// program's own line.
fn sarif_has_every_pair(folder: &Folder) {
    let text = std::fs::read_to_string(folder.path("r.sarif")).expect("a log");
    let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let found: Vec<(&str, &str)> = results
        .iter()
        .map(|r| (r["ruleId"].as_str().unwrap(), r["kind"].as_str().unwrap()))
        .collect();
    let expected = [
        ("never", "pass"),
        ("once", "fail"),
        ("other", "notApplicable"),
    ];
    assert_eq!(found, expected, "{text}");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["never", "once", "other"], "{text}");
    let violated = &results[1];
    let told = violated["message"]["text"].as_str().expect("a message");
    assert!(told.starts_with("taken twice"), "{told}");
    let place = |location: &serde_json::Value| {
        let place = &location["physicalLocation"];
        let file = place["artifactLocation"]["uri"]
            .as_str()
            .unwrap()
            .to_owned();
        (file, place["region"]["startLine"].as_u64().unwrap())
    };
    assert_eq!(place(&violated["locations"][0]), ("a.c".into(), 2));
    let related = place(&violated["relatedLocations"][0]);
    assert_eq!(related, ("rules/once.slic".into(), 4));
    let flow = &violated["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(flow.as_array().is_some_and(|f| f.len() > 1), "{text}");
    assert_eq!(run["invocations"][0]["exitCode"], 10);
}

/// A proof and a test name the rule, and are checked and replayed with it.
#[test]
fn evidence_is_about_the_rule() {
    let folder = Folder::with(&[
        ("a.c", PROGRAM),
        ("env.c", "int take(void *p) { return 0; }\n"),
    ]);
    folder.write("r.slic", RULE);
    let args = [
        "check", "a.c", "--stubs", "env.c", "--spec", "r.slic", "--tests", "out",
    ];
    let ended = folder.attest(&args);
    assert_eq!(ended.status, 10, "{ended:?}");
    let ended = folder.attest(&["replay", "out/failing.json"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    // The command of the harness builds the program with the rule, with any compiler.
    let harness = std::fs::read_to_string(folder.path("out/failing.c")).expect("a harness");
    let command = harness.lines().find(|l| l.trim().starts_with("cc "));
    let command = command.expect("a command").replace("*/", "");
    assert!(command.contains("out/failing-rule.c"), "{command}");
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.trim(), "42", "{command}: {output:?}");
    folder.write("r.slic", RULE.replace("twice", "again"));
    let ended = folder.attest(&["replay", "out/failing.json"]);
    assert_eq!(ended.status, 2, "{ended:?}");
}

/// Skeletons of missing functions compile and can be used.
#[test]
fn stubs_are_skeletons() {
    let folder = Folder::with(&[("a.c", PROGRAM)]);
    let ended = folder.attest(&["stubs", "a.c"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    folder.write("env.c", &ended.stdout);
    let ended = folder.attest(&["check", "a.c", "--stubs", "env.c"]);
    assert_eq!(ended.status, 3, "{ended:?}");
    let verdict = ended.verdict();
    let nothing = "verdict: safe (nothing to check: ";
    assert!(verdict.starts_with(nothing), "{ended:?}");
    let ended = folder.attest(&["stubs", "a.c", "--stubs", "env.c"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""));
}
