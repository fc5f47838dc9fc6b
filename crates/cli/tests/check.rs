//! `attest check` and `attest model`.

mod common;

use attest_evidence::harness::REACHED;
use common::{Folder, attest_in, root};

/// An example's verdict, and what else its check says.
fn example(args: &[&str], verdict: &str, says: &[&str]) {
    let mut all = vec!["check"];
    all.extend(args);
    let ended = attest_in(&root(), &all);
    assert!(ended.verdict().starts_with(verdict), "{ended:?}");
    let status = match verdict {
        "verdict: safe" => 0,
        "verdict: unsafe" => 10,
        _ => 5,
    };
    assert_eq!(ended.status, status, "{ended:?}");
    for words in says {
        assert!(ended.stdout.contains(words), "{words:?}: {ended:?}");
    }
    assert!(!ended.stdout.contains("vacuous"), "{ended:?}");
}

#[test]
fn examples() {
    let safe = "verdict: safe";
    let accepted = "accepted";
    example(
        &["examples/spinlock.c"],
        safe,
        &["4 functions", "1 input", accepted, "assumed not to happen"],
    );
    example(&["examples/lock.c"], safe, &[accepted]);
    example(&["examples/copy.c"], safe, &["1 run", accepted]);
    example(
        &["examples/spinlock_bug.c"],
        "verdict: unsafe",
        &[
            "1. __VERIFIER_nondet_int() = -1 at examples/spinlock_bug.c:33:",
            "in serve at examples/spinlock_bug.c:31:5",
            "to run it again: attest run examples/spinlock_bug.c --input=-1",
            "the test fails natively",
        ],
    );
    example(
        &["examples/env.c"],
        "verdict: unknown (an execution stops: missing-function: read_sensor",
        &["missing function: read_sensor, called at examples/env.c:11:17 in main"],
    );
    let stubbed = ["examples/env.c", "--stubs", "examples/env_stubs.c"];
    example(&stubbed, safe, &["failed an assumption", accepted]);
}

/// The command that a check prints does fail again.
fn repeats(text: &str, options: &[&str]) {
    let property = "CHECK( init(main()), LTL(G ! call(bad())) )";
    let folder = Folder::with(&[("a.c", text), ("bad.prp", property)]);
    let mut args = vec!["check", "a.c"];
    args.extend(options);
    let ended = folder.attest(&args);
    let again = ended
        .stdout
        .lines()
        .find_map(|l| l.strip_prefix("to run it again: attest "));
    let again: Vec<&str> = again.expect(&ended.stdout).split(' ').collect();
    assert_eq!(folder.attest(&again).status, 10, "{again:?}");
}

#[test]
fn failing_runs_repeat() {
    let head = "extern int __VERIFIER_nondet_int(void);\n\
        extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n";
    let program = |body: &str| format!("{head}int main(void) {{ {body} }}\n");
    repeats(
        &program("if (__VERIFIER_nondet_uint() == 4294967295u) reach_error();"),
        &[],
    );
    repeats(
        &program("int x = __VERIFIER_nondet_int(); if (x > 5 && x < 16) reach_error();"),
        &["--seed", "3"],
    );
    repeats(
        &program("if (sizeof(long) == K) reach_error();"),
        &["--data-model", "ilp32", "--", "-DK=4"],
    );
    repeats(
        &format!("{head}void f(int a, int b) {{ if (a < b) reach_error(); }}\n"),
        &["--entry", "f"],
    );
    repeats(
        "void bad(void); int main(void) { bad(); }\n",
        &["--property", "bad.prp"],
    );
}

/// SV-COMP has no property about divisions: the least number by minus one overflows.
#[test]
fn a_quotient_that_does_not_fit_overflows() {
    let program = |defined: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{\n  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n  \
             if (!({defined})) return 0;\n  return (a / b == 7) + (a % b == 3);\n}}\n"
        )
    };
    for (defined, verdict) in [
        ("b != 0", "verdict: false(no-overflow)"),
        (
            "b != 0 && (b != -1 || a != -2147483647 - 1)",
            "verdict: true",
        ),
    ] {
        let folder = Folder::with(&[("a.c", &program(defined))]);
        let ended = folder.attest(&["check", "a.c", "--property", "no-overflow"]);
        assert_eq!(ended.verdict(), verdict, "{ended:?}");
    }
}

/// A long sequence of inputs, each of which only the state before tells from the others:
/// it is found iteration by iteration, before any solver call.
#[test]
fn a_sequence_of_inputs_is_found_turn_by_turn() {
    let text = "extern int __VERIFIER_nondet_int(void);
        extern void reach_error(void);
        static int place, turns[4];
        static void turn(int to) {
            unsigned mixed = place * 37u + to * to * 11u + turns[to % 4];
            turns[to % 4] = (turns[to % 4] + 1) % 3;
            place = mixed % 211;
        }
        int main(void) {
            while (1) {
                int to = __VERIFIER_nondet_int();
                if (to != 2 && to != 3 && to != 5 && to != 7) return 0;
                turn(to);
                if (place == 173 && turns[1] == 2 && turns[2] == 1) reach_error();
            }
        }";
    let folder = Folder::with(&[("a.c", text)]);
    // Only the assertion, by the engines, and nothing after it.
    let only = ["--check", "assert", "--without", "unwinding", "--first"];
    let ended = folder.attest(&[&["check", "a.c", "--stats"][..], &only].concat());
    assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
    let iterations = ended.stdout.lines().find(|l| l.contains("iterations "));
    let number = iterations.and_then(|l| l.split_whitespace().nth(1));
    assert_eq!(number, Some("0"), "{ended:?}");
    assert!(
        ended.stdout.contains("the test fails natively"),
        "{ended:?}"
    );
}

/// The only run is too long for the interpreter: the program itself is run, and it must
/// fail without optimisation too.
#[test]
fn a_long_run_is_a_native_one() {
    let program = |start: u32, rest: &str| {
        format!(
            "extern void reach_error(void);
             static unsigned next(unsigned x) {{ return x + 2; }}
             int main(void) {{
                 unsigned x = {start};
                 while (x < 0x07ffffffu) x = next(x);
                 {rest}
                 return 0;
             }}"
        )
    };
    let ends_with = |status: i32| {
        let rest = format!("if (x == 1) reach_error(); if (x) return {status};");
        program(0, &rest)
    };
    let folder = Folder::with(&[
        (
            "fails.c",
            &program(0, "if (x != 0x07ffffffu) reach_error();"),
        ),
        (
            "holds.c",
            &program(1, "if (x != 0x07ffffffu) reach_error();"),
        ),
        // A loop that never ends is not to be taken for one that does.
        ("turns.c", &program(1, "while (x) x += 2; reach_error();")),
        // Their own status is that of a harness that has seen the error.
        ("status.c", &ends_with(REACHED)),
        ("guess.c", &ends_with(REACHED + 1)),
        // One that is known only when it ends is none of them.
        (
            "register.c",
            &program(0, "if (x != 0x07ffffffu) reach_error(); return x;"),
        ),
    ]);
    let fails = folder.attest(&["check", "fails.c", "--time-limit=60", "--tests=t"]);
    assert_eq!(fails.verdict(), "verdict: unsafe", "{fails:?}");
    for words in ["a native run fails", "the test fails natively: fails.c:6"] {
        assert!(fails.stdout.contains(words), "{words}: {fails:?}");
    }
    let replayed = folder.attest(&["replay", "t/failing.json"]);
    assert_eq!(replayed.status, 10, "{replayed:?}");
    let register = folder.attest(&["check", "register.c", "--time-limit=60"]);
    assert_eq!(register.verdict(), "verdict: unsafe", "{register:?}");
    for file in ["holds.c", "turns.c", "status.c", "guess.c"] {
        let ended = folder.attest(&["check", file, "--time-limit=5"]);
        assert_ne!(ended.status, 10, "{ended:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let run = || attest_in(&root(), &["check", "examples/spinlock.c", "--seed", "9"]).stdout;
    assert_eq!(run(), run());
}

#[test]
fn models() {
    let ended = attest_in(&root(), &["model", "examples/spinlock.c"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    for name in ["main", "serve", "spin_lock", "spin_unlock"] {
        assert!(ended.stdout.contains(name), "{name}");
    }
    let dot = attest_in(&root(), &["model", "examples/spinlock.c", "--dot"]).stdout;
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'));
    let size = |blocks| {
        let ended = attest_in(&root(), &["model", "examples/copy.c", "--blocks", blocks]);
        ended.stdout.lines().count()
    };
    assert!(size("insn") > size("basic") && size("basic") > size("large"));
    let missing = attest_in(&root(), &["model", "examples/env.c"]).stdout;
    assert!(missing.starts_with("1 function, "), "{missing}");
    assert!(missing.contains("read_sensor"), "{missing}");
    assert!(missing.contains("examples/env.c:11:17"), "{missing}");
}

#[test]
fn help_and_version() {
    let help = Folder::new().attest(&["--help"]);
    assert_eq!(help.status, 0);
    assert!(help.stdout.contains("Examples:"), "{help:?}");
    let version = Folder::new().attest(&["--version"]);
    assert_eq!(version.status, 0);
    let expected = format!("attest {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(version.stdout, expected);
}
