//! Our own drivers against rules: a sample of the pairs of `evaluation/drivers_linux.toml` and
//! `evaluation/drivers_windows.toml`, which have all of them.

mod common;

use common::{attest_in, root};

/// A driver with its harness against a rule.
fn pair(driver: &str, system: &str, rule: &str, planted: bool) -> common::Ended {
    let file = format!("examples/drivers/{driver}.c");
    let harness = format!("stubs/{system}_harness.c");
    let stubs = format!("stubs/{system}_driver.c");
    let rule = format!("rules/{rule}.slic");
    let mut args = vec!["check", &file, &harness, "--stubs", &stubs];
    args.extend(["--spec", &rule, "--no-cache", "--time-limit", "600"]);
    args.extend(["--", "-Istubs"]);
    if planted {
        args.push("-DPLANTED");
    }
    attest_in(&root(), &args)
}

fn violated(driver: &str, system: &str, rule: &str, words: &str) {
    let ended = pair(driver, system, rule, true);
    assert_eq!(
        ended.verdict(),
        "verdict: unsafe",
        "{driver} {rule}: {ended:?}"
    );
    let said = format!("the rule is violated: {words}");
    assert!(ended.stdout.contains(&said), "{driver} {rule}: {ended:?}");
    let native = ended.stdout.contains("the test fails natively");
    assert!(native, "{driver} {rule}: {ended:?}");
}

#[test]
fn planted_mistakes_are_found() {
    let words = "interrupts are disabled at the end";
    violated("ring", "linux", "irq_disable", words);
    let words = "a completion is used before init_completion";
    violated("store", "linux", "init_before_use", words);
    let words = "a request is completed twice";
    violated("scale", "windows", "irp_completion", words);
}

/// A rule that has nothing to do with a driver is said not to apply, fast.
#[test]
fn rules_of_other_systems_do_not_apply() {
    for (driver, system, rule) in [
        ("store", "linux", "irql_order"),
        ("scale", "windows", "mutex"),
    ] {
        let ended = pair(driver, system, rule, false);
        assert!(ended.stdout.contains("not applicable"), "{ended:?}");
    }
}

/// The first abstraction proves rules of a whole driver, the second of them about each object.
#[test]
fn a_right_driver_is_proved() {
    for rule in ["irq_disable", "refcount"] {
        let ended = pair("ring", "linux", rule, false);
        assert!(ended.verdict().starts_with("verdict: safe"), "{ended:?}");
    }
}
