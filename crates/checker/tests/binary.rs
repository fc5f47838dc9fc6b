//! The program `attest-checker`: its exit status and what it says.

mod common;

use attest_proof::Proof;
use common::{Subject, subject};
use std::process::Command;

const COUNT: &str = "int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
}";

fn run(s: &Subject, proof: &str) -> (Option<i32>, String) {
    let path = s.folder.path().join("proof.json");
    std::fs::write(&path, proof).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_attest-checker"))
        .arg(&path)
        .arg(&s.file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn exit_status_tells_the_outcome() {
    let s = subject(COUNT, &[]);
    let right = s.loop_proof(&[&["(bvsle {i} {n})"]]);
    let (status, text) = run(&s, &right.to_json());
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("edges checked") && text.ends_with("accepted\n"),
        "{text}"
    );
    let claim = "claim: from main none of reach_error is called";
    assert!(text.starts_with(claim), "{text}");
    assert_eq!(Proof::parse(&right.to_json()), Ok(right.clone()));

    let wrong = s.loop_proof(&[&["(bvsle {n} {i})"]]);
    let (status, text) = run(&s, &wrong.to_json());
    assert_eq!(status, Some(10), "{text}");
    assert!(text.contains("\nrejected: edge from L"), "{text}");

    let broken = right.to_json().replace("bvsle", "bvsl");
    let (status, text) = run(&s, &broken);
    assert_eq!(status, Some(2), "{text}");
    let unknown = right
        .to_json()
        .replace("\"tool\"", "\"trust_me\": true, \"tool\"");
    let (status, text) = run(&s, &unknown);
    assert_eq!(status, Some(2), "{text}");
    let newer = right.to_json().replace("attest-proof-2", "attest-proof-9");
    assert_eq!(run(&s, &newer).0, Some(2));

    let mut source = std::fs::read_to_string(&s.file).unwrap();
    source.push_str("/* another program */\n");
    std::fs::write(&s.file, source).unwrap();
    let (status, text) = run(&s, &right.to_json());
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("contents"), "{text}");

    let usage = Command::new(env!("CARGO_BIN_EXE_attest-checker")).output();
    assert_eq!(usage.unwrap().status.code(), Some(1));
}
