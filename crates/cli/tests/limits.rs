//! Time, memory and Ctrl-C: a check that cannot end by itself ends with what it knows.

#![cfg(unix)]

mod common;

use common::{Ended, Folder};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

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
    let ended = check(&folder, &["--time-limit", "5"]);
    let reason = "the time limit of 5 seconds is used up";
    ends_with_all_it_knows(&folder, &ended, reason);
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

/// A check whose engine has made its first step, and the reader of what it says after that.
fn under_way(folder: &Folder) -> (Child, JoinHandle<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_attest"))
        .args(WITH_REPORT)
        .args(["--trace-steps", "--time-limit", "1000"])
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("attest starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut said = String::new();
    let read = stderr.read_line(&mut said).expect("a line");
    assert!(read > 0, "no step of the engine");
    let rest = std::thread::spawn(move || {
        stderr.read_to_string(&mut said).expect("text");
        said
    });
    (child, rest)
}

fn interrupt(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

fn ended((child, rest): (Child, JoinHandle<String>)) -> Ended {
    let output = child.wait_with_output().expect("attest ends");
    Ended {
        status: output.status.code().expect("no signal ends it"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: rest.join().expect("the reader ends"),
    }
}

#[test]
fn ctrl_c() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder();
        let child = under_way(&folder);
        interrupt(&child.0, signal);
        ends_with_all_it_knows(&folder, &ended(child), "interrupted");
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let folder = folder();
    let child = under_way(&folder);
    // The first may be heard in time, and then its verdict is as good.
    interrupt(&child.0, "-INT");
    interrupt(&child.0, "-INT");
    let ended = ended(child);
    assert!(matches!(ended.status, 5 | 130), "{ended:?}");
}
