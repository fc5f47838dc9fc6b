//! Time, memory and Ctrl-C: a check that cannot end by itself ends with what it knows.

#![cfg(unix)]

mod common;

use common::{Ended, Folder};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The error is some 2^63 rounds of a generator away: there is neither a proof nor a test.
const ENDLESS: &str = "extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
  unsigned long x = 0, n = __VERIFIER_nondet_ulong();
  while (n-- > 0) x = x * 6364136223846793005ul + 1442695040888963407ul;
  if (x == 3141592653589793238ul) reach_error();
}
";

fn folder() -> Folder {
    Folder::with(&[("a.c", ENDLESS)])
}

/// The verdict with its reason, status 5, statistics, and a report that says the same.
#[track_caller]
fn ends_with_all_it_knows(folder: &Folder, ended: &Ended, reason: &str) {
    assert_eq!(ended.status, 5, "{ended:?}");
    assert_eq!(ended.verdict(), format!("verdict: unknown ({reason})"));
    assert_eq!(ended.stdout.matches("verdict:").count(), 1, "{ended:?}");
    assert!(ended.stdout.contains("statistics:\n"), "{ended:?}");
    let text = std::fs::read_to_string(folder.path("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["reason"], reason);
    assert_eq!(report["status"], 5);
}

const WITH_REPORT: [&str; 5] = ["check", "a.c", "--stats", "--json", "r.json"];

fn check(folder: &Folder, options: &[&str]) -> Ended {
    let mut args = WITH_REPORT.to_vec();
    args.extend(options);
    folder.attest(&args)
}

#[test]
fn the_time_limit() {
    let folder = folder();
    let clock = Instant::now();
    // Two native builds come first, and on a busy machine they take their time.
    let ended = check(&folder, &["--time-limit", "12"]);
    assert!(clock.elapsed() < Duration::from_secs(25), "{ended:?}");
    let reason = "the time limit of 12 seconds is used up";
    ends_with_all_it_knows(&folder, &ended, reason);
    let tests = "  tests                0\n";
    assert!(!ended.stdout.contains(tests), "{ended:?}");
}

#[test]
fn a_time_limit_inside_clang() {
    let folder = folder();
    let ended = check(&folder, &["--time-limit", "0.000001"]);
    let reason = "the time limit of 0.000001 seconds is used up";
    ends_with_all_it_knows(&folder, &ended, reason);
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit() {
    let folder = folder();
    for limit in ["1", "40"] {
        let ended = check(&folder, &["--memory-limit", limit, "--time-limit", "100"]);
        let reason =
            format!("the memory limit of {limit} MB is used up; allow more with --memory-limit");
        ends_with_all_it_knows(&folder, &ended, &reason);
    }
}

/// A check that is in the engine already.
fn under_way(folder: &Folder, options: &[&str]) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_attest"))
        .args(WITH_REPORT)
        .args(options)
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("attest starts");
    std::thread::sleep(Duration::from_secs(2));
    child
}

fn interrupt(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

fn ended(child: Child) -> Ended {
    let output = child.wait_with_output().expect("attest ends");
    Ended {
        status: output.status.code().expect("no signal ends it"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn ctrl_c() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder();
        let child = under_way(&folder, &["--time-limit", "100"]);
        interrupt(&child, signal);
        ends_with_all_it_knows(&folder, &ended(child), "interrupted");
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let folder = folder();
    let child = under_way(&folder, &["--time-limit", "100"]);
    // The first may be heard in time, and then its verdict is as good.
    interrupt(&child, "-INT");
    interrupt(&child, "-INT");
    let ended = ended(child);
    assert!(matches!(ended.status, 5 | 130), "{ended:?}");
}
