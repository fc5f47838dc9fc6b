//! What a check keeps in `.attest` for the next one.

mod common;

use common::{Ended, Folder};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// A program whose requests take a lock, work and give it back, each in a procedure that is
/// too large to be inlined; `word` is what the last of them looks for.
fn requests(count: usize, word: i32) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         static int lock, pending;\n\
         static void acquire(void) { if (lock) reach_error(); lock = 1; }\n\
         static void release(void) { if (!lock) reach_error(); lock = 0; }\n",
    );
    for i in 0..count {
        let word = if i + 1 == count { word } else { 7 };
        let _ = write!(
            text,
            "static int request_{i}(int kind, int size) {{\n\
               int done = 0, failed = 0;\n\
               if (size < 0) return -1;\n\
               if (size > {most}) size = {most};\n\
               acquire();\n\
               while (done < size) {{\n\
                 int next = __VERIFIER_nondet_int();\n\
                 if (next == {word}) {{ failed = 1; break; }}\n\
                 if (next < 0) {{ release(); if (kind == {i}) {{ pending = pending + 1;\n\
                   if (pending > 100) pending = 0; }} acquire(); }}\n\
                 done++;\n\
               }}\n\
               if (done > {most}) reach_error();\n\
               release();\n\
               if (failed) return -2;\n\
               return done;\n\
             }}\n",
            most = 3 + i,
        );
    }
    text.push_str("int main(void) { while (__VERIFIER_nondet_int()) {\n");
    text.push_str("int kind = __VERIFIER_nondet_int(), size = __VERIFIER_nondet_int();\n");
    for i in 0..count {
        let most = 3 + i;
        let _ = writeln!(
            text,
            "if (kind == {i} && request_{i}(kind, size) > {most}) reach_error();"
        );
    }
    text.push_str("if (lock) reach_error(); } return 0; }\n");
    text
}

/// The assertions: SMASH has no invariants, which the sums would need.
const SMASH: [&str; 4] = ["check", "a.c", "--check=assert", "--algorithm=smash"];
const FULL: [&str; 3] = ["check", "a.c", "--check=assert"];

fn safe(ended: &Ended) {
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
}

/// How many of these a check has recalled.
fn recalled(ended: &Ended, what: &str) -> usize {
    let line = ended.stdout.lines().find(|l| l.starts_with("recalled: "));
    let words: Vec<&str> = line.unwrap_or_default().split([' ', ',']).collect();
    let at = words.iter().position(|w| w.starts_with(what));
    at.map_or(0, |at| words[at - 1].parse().expect("a number"))
}

fn records(folder: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path(".attest")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_record = |path: &PathBuf| path.extension().is_some_and(|e| e == "json");
    paths.filter(is_record).collect()
}

#[test]
fn the_same_program_is_checked_by_its_proof() {
    let folder = Folder::with(&[("a.c", &requests(3, 7))]);
    safe(&folder.attest_again(&SMASH));
    let again = folder.attest_again(&[&FULL[..], &["--proof=p.json"]].concat());
    safe(&again);
    assert!(again.stdout.contains("recalled: the proof"), "{again:?}");
    assert!(folder.path("p.json").exists());
    let without = folder.attest_again(&[&SMASH[..], &["--no-cache"]].concat());
    safe(&without);
    assert!(!without.stdout.contains("recalled"), "{without:?}");
}

#[test]
fn a_changed_function_takes_only_its_own_with_it() {
    let folder = Folder::with(&[("a.c", &requests(4, 7))]);
    let first = folder.attest_again(&[&SMASH[..], &["--stats"]].concat());
    safe(&first);
    folder.write("a.c", format!("/* a remark */\n{}", requests(4, 8)));
    let second = folder.attest_again(&[&SMASH[..], &["--stats"]].concat());
    safe(&second);
    // The other three have kept what was known of them.
    assert!(recalled(&second, "summar") >= 3, "{second:?}");
    let made = |ended: &Ended| -> usize {
        let line = ended.stdout.lines().find(|l| l.contains("procedures "));
        let after = line.and_then(|l| l.split("not-may ").nth(1));
        let number = after.and_then(|rest| rest.split(',').next());
        number.map_or(0, |n| n.trim().parse().expect("a number"))
    };
    assert!(made(&second) * 2 <= made(&first), "{first:?} {second:?}");
}

/// A long chain of calls: what is asked of one request says nothing of the others, a loop
/// is understood though every test gave it the same bound, and after an edit there is
/// little left to do.
#[test]
fn a_long_chain_of_calls_is_proved_and_proved_again() {
    let rounds = |ended: &Ended| -> usize {
        let line = ended.stdout.lines().find(|l| l.contains("iterations "));
        let number = line.and_then(|l| l.split_whitespace().nth(1));
        number.map_or(0, |n| n.parse().expect("a number"))
    };
    let folder = Folder::with(&[("a.c", &requests(24, 7))]);
    let first = folder.attest_again(&[&SMASH[..], &["--stats"]].concat());
    safe(&first);
    assert!(rounds(&first) < 24 * 120, "{first:?}");
    folder.write("a.c", requests(24, 8));
    let second = folder.attest_again(&[&SMASH[..], &["--stats"]].concat());
    safe(&second);
    assert!(rounds(&second) * 3 < rounds(&first), "{second:?}");
}

/// An error that is put in is found, whatever was known of the program without it.
#[test]
fn an_error_that_is_new_is_found_and_kept() {
    let right = requests(3, 7);
    let wrong = right.replace(
        "release();\nif (failed) return -2;",
        "if (failed) return -2;\nrelease();",
    );
    assert_ne!(right, wrong);
    let folder = Folder::with(&[("a.c", &right)]);
    safe(&folder.attest_again(&SMASH));
    folder.write("a.c", &wrong);
    let found = folder.attest_again(&FULL);
    assert_eq!(found.status, 10, "{found:?}");
    let again = folder.attest_again(&[&FULL[..], &["--first"]].concat());
    assert_eq!(again.status, 10, "{again:?}");
    assert!(again.stdout.contains("tried: 1 run:"), "{again:?}");
    // And it is no longer there when it is corrected.
    folder.write("a.c", &right);
    safe(&folder.attest_again(&SMASH));
}

/// Whatever the store says, the verdict is that of the program.
#[test]
fn a_damaged_or_foreign_store_changes_no_verdict() {
    let (right, wrong) = (requests(2, 7), requests(2, 7).replace("lock = 0;", ";"));
    let folder = Folder::with(&[("a.c", &right)]);
    safe(&folder.attest_again(&SMASH));
    let [record] = &records(&folder)[..] else {
        panic!("one record");
    };
    let text = fs::read_to_string(record).expect("it reads");
    // The proof of the right program, offered as one of the wrong one.
    folder.write("a.c", &wrong);
    assert_eq!(folder.attest_again(&SMASH).status, 10);
    let other = fs::read_to_string(record).expect("it reads");
    let field = |text: &str| -> String {
        let at = text.find("\"program\":\"").map(|at| at + 11);
        at.map_or(String::new(), |at| text[at..at + 64].to_owned())
    };
    let kept = field(&text);
    assert_eq!(kept, field(&other), "the last proof stays");
    folder.write("a.c", &right);
    let damages: [(&str, &str); 5] = [
        // Weaker and wrong facts, and those of other functions.
        ("bvsle", "bvslt"),
        ("(and ", "(or "),
        ("\"post\":\"", "\"post\":\"(not true) "),
        ("f3.", "f2."),
        ("request_0", "request_1"),
    ];
    for (from, to) in damages {
        fs::write(record, text.replace(from, to)).expect("it is damaged");
        safe(&folder.attest_again(&SMASH));
    }
    for bytes in [&text.as_bytes()[..text.len() / 2], b"", b"{}", &[0xff, 0]] {
        fs::write(record, bytes).expect("it is damaged");
        safe(&folder.attest_again(&SMASH));
    }
    // The wrong program with every record that ever was.
    folder.write("a.c", &wrong);
    for text in [&text, &other] {
        fs::write(record, text.replace(&kept, &"0".repeat(64))).expect("a record");
        assert_eq!(folder.attest_again(&SMASH).status, 10);
    }
}

#[test]
fn the_store_is_shown_and_cleared() {
    let folder = Folder::with(&[("a.c", &requests(1, 7))]);
    let nothing = folder.attest_again(&["cache"]);
    assert_eq!(nothing.stdout, ".attest: 0 programs, 0 kB\n", "{nothing:?}");
    safe(&folder.attest_again(&["check", "a.c"]));
    let shown = folder.attest_again(&["cache", "show"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.starts_with(".attest: 1 program,"), "{shown:?}");
    assert!(
        shown.stdout.contains("a proof: a.c --entry main"),
        "{shown:?}"
    );
    let other = folder.attest_again(&["check", "a.c", "--cache=elsewhere"]);
    safe(&other);
    assert!(folder.path("elsewhere").exists());
    let cleared = folder.attest_again(&["cache", "clear"]);
    assert_eq!(cleared.stdout, ".attest: forgot 1 program\n", "{cleared:?}");
    assert!(!folder.path(".attest").exists());
    // Where nothing can be kept the verdict is still said.
    folder.write("file", "");
    let full = folder.attest_again(&["check", "a.c", "--cache=file"]);
    safe(&full);
    assert!(full.stdout.contains("could not be kept"), "{full:?}");
}
