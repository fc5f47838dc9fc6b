//! `attest suite` and `attest compare`. Nothing here depends on how long anything takes.

mod common;

use common::Folder;
use std::path::Path;
use std::process::{Command, Stdio};

const SAFE: &str = "/* expected: safe */\nvoid reach_error(void) {}\n\
    int __VERIFIER_nondet_int(void);\n\
    int main(void) { int a = __VERIFIER_nondet_int(), b = a;\n\
    if (a != b) reach_error(); return 0; }\n";
const FAILS: &str = "/* expected: unsafe */\nvoid reach_error(void) {}\n\
    int __VERIFIER_nondet_int(void);\n\
    int main(void) { if (__VERIFIER_nondet_int() == 4711) reach_error(); return 0; }\n";
const SIZED: &str = "/* expected: safe */\nvoid reach_error(void) {}\n\
    int __VERIFIER_nondet_int(void);\n\
    int main(void) { int n = __VERIFIER_nondet_int(); if (n < N && n > N) reach_error();\n\
    return 0; }\n";
const SUITE: &str = r#"
time = 600
[[programs]]
files = ["p*.c"]
[[programs]]
files = ["sized.c"]
sizes = [1, 2, 3]
[[configurations]]
name = "dash"
options = ["--algorithm", "dash"]
[[configurations]]
name = "dse"
options = ["--algorithm", "dse", "--without", "first-runs"]
[[configurations]]
name = "cegar"
options = ["--algorithm", "cegar"]
[[configurations]]
name = "lee-yannakakis"
options = ["--algorithm", "lee-yannakakis"]
[[tools]]
name = "says-safe"
command = "echo {file} is fine"
safe = "fine"
unsafe = "broken"
"#;

fn folder(suite: &str) -> Folder {
    Folder::with(&[
        ("p1.c", SAFE),
        ("p2.c", FAILS),
        ("sized.c", SIZED),
        ("s.toml", suite),
    ])
}

/// The cells of a table that do not depend on time.
fn stable(table: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(table).expect("a table");
    let cut = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let last = cells[cells.len() - 1];
        cells[..6].join("\t") + "\t" + last
    };
    text.lines().map(cut).collect()
}

#[test]
fn a_killed_suite_goes_on_where_it_was() {
    let folder = folder(SUITE);
    let whole = folder.attest(&["suite", "s.toml", "--table", "whole.tsv"]);
    assert_eq!(whole.status, 10, "{whole:?}"); // The tool calls an unsafe program safe.
    assert!(whole.stderr.contains("25/25"), "{whole:?}");
    assert!(whole.stderr.contains("WRONG"), "{whole:?}");
    let expected = stable(&folder.path("whole.tsv"));
    assert_eq!(expected.len(), 26, "{expected:?}");
    // Killed after the first rows, and again, at whatever moment that is.
    let table = folder.path("killed.tsv");
    for rows in [1, 5, 9] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_attest"))
            .args(["suite", "s.toml", "--table", "killed.tsv", "--workers", "1"])
            .current_dir(folder.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("attest starts");
        let written = || std::fs::read_to_string(&table).map_or(0, |text| text.lines().count());
        while written() <= rows && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().expect("a signal that cannot be caught");
        child.wait().expect("an end");
        // What a killed writer leaves of a line.
        let mut text = std::fs::read(&table).expect("a table");
        text.extend(b"p1.c\t\t\tdash\tsa");
        std::fs::write(&table, text).expect("a table");
    }
    let rest = folder.attest(&["suite", "s.toml", "--table", "killed.tsv"]);
    assert!(
        rest.stderr.contains("are in killed.tsv already"),
        "{rest:?}"
    );
    assert_eq!(stable(&table), expected);
    // Nothing is left to do.
    let again = folder.attest(&["suite", "s.toml", "--table", "killed.tsv"]);
    assert!(again.stderr.starts_with("25 of 25 runs"), "{again:?}");
    assert_eq!(stable(&table), expected);
    // A program that was changed is run again, and no other.
    folder.write("p1.c", SAFE.replace("b = a;", "b = a + 0;"));
    let changed = folder.attest(&["suite", "s.toml", "--table", "killed.tsv"]);
    assert!(changed.stderr.starts_with("20 of 25 runs"), "{changed:?}");
}

#[test]
fn two_workers_say_what_one_says() {
    let folder = folder(SUITE);
    for (workers, table) in [("1", "one.tsv"), ("2", "two.tsv")] {
        let args = ["suite", "s.toml", "--workers", workers, "--table", table];
        folder.attest(&[&args[..], &["--quiet"]].concat());
    }
    let one = stable(&folder.path("one.tsv"));
    assert_eq!(one, stable(&folder.path("two.tsv")));
    let verdict = |program: &str, configuration: &str| {
        let start = format!("{program}\t\t\t{configuration}\t");
        let row = one.iter().find(|row| row.starts_with(&start));
        row.map(|row| row.split('\t').nth(5).unwrap_or_default().to_owned())
    };
    for configuration in ["dash", "dse", "cegar", "lee-yannakakis"] {
        assert_eq!(verdict("p1.c", configuration).as_deref(), Some("safe"));
        assert_eq!(verdict("p2.c", configuration).as_deref(), Some("unsafe"));
    }
    let page = folder.attest(&["compare", "one.tsv", "two.tsv", "--out", "page.html"]);
    assert_eq!(page.status, 10, "the tool disagrees: {page:?}");
    assert!(page.stdout.contains("DISAGREE: p2.c"), "{page:?}");
    let page = folder.attest(&[
        "compare",
        "one.tsv:dash",
        "two.tsv:dse",
        "--out",
        "page.html",
    ]);
    assert_eq!(page.status, 0, "{page:?}");
    assert!(page.stdout.contains("both decide 5"), "{page:?}");
    let html = std::fs::read_to_string(folder.path("page.html")).expect("a page");
    for part in [
        "dash against dse",
        "quantiles",
        "cactus",
        "sized.c: questions",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(
        !html.contains("http") && !html.contains("<script"),
        "it needs nothing else"
    );
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
}

#[track_caller]
fn refused(folder: &Folder, args: &[&str], words: &[&str]) {
    let ended = folder.attest(args);
    assert!([1, 2].contains(&ended.status), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "{word}: {ended:?}");
    }
}

#[test]
fn bad_input_is_one_line() {
    let programs = "[[programs]]\nfiles = [\"p1.c\"]\n";
    let runs = "[[configurations]]\nname = \"x\"\n";
    let suite = |text: String, words: &[&str]| {
        let folder = folder(&text);
        refused(&folder, &["suite", "s.toml"], words);
    };
    suite(String::new(), &["s.toml", "[[programs]]"]);
    suite(programs.into(), &["[[configurations]]"]);
    suite("time = \n".into(), &["s.toml", "line 1"]);
    suite(format!("tiem = 3\n{programs}{runs}"), &["tiem"]);
    suite(format!("time = -1.0\n{programs}{runs}"), &["above 0"]);
    suite(format!("cpu = 0.0\n{programs}{runs}"), &["cpu", "above 0"]);
    suite(format!("{programs}{runs}{runs}"), &["two", "x"]);
    suite(format!("[[programs]]\nfiles = [\"q.c\"]\n{runs}"), &["q.c"]);
    suite(
        format!("[[programs]]\nfiles = [\"q*.c\"]\n{runs}"),
        &["q*.c"],
    );
    suite(
        format!("[[programs]]\nfiles = [\"*/p.c\"]\n{runs}"),
        &["last part"],
    );
    suite(
        format!("[[programs]]\nlist = \"l.tsv\"\n{runs}"),
        &["l.tsv"],
    );
    suite(
        format!("[[programs]]\nlist = \"$ATTEST_NOT_SET/l.tsv\"\n{runs}"),
        &["ATTEST_NOT_SET"],
    );
    suite(
        format!("[[programs]]\nsuite = \"s.toml\"\n{runs}"),
        &["s.toml", "part of itself"],
    );
    suite(
        format!("[[programs]]\nsuite = \"../s.toml\"\n{runs}"),
        &["same folder"],
    );
    suite(
        format!("[[programs]]\nsuite = \"none.toml\"\n{runs}"),
        &["none.toml"],
    );
    suite(format!("{programs}expect = \"good\"\n{runs}"), &["good"]);
    let tool = "[[tools]]\nname = \"t\"\ncommand = \"\"\nsafe = \"a\"\nunsafe = \"b\"\n";
    suite(format!("{programs}{tool}"), &["empty"]);
    let folder = folder(&format!("{programs}{runs}"));
    refused(&folder, &["suite", "none.toml"], &["none.toml"]);
    refused(
        &folder,
        &["suite", "s.toml", "--table", "p1.c"],
        &["p1.c", "no table"],
    );
    refused(
        &folder,
        &["suite", "s.toml", "--table", "no/t.tsv"],
        &["no/t.tsv"],
    );
    refused(&folder, &["compare", "p1.c"], &["p1.c", "no table"]);
    refused(&folder, &["compare", "none.tsv"], &["none.tsv"]);
    folder.attest(&["suite", "s.toml"]);
    refused(&folder, &["compare", "s.tsv:y"], &["no configuration y"]);
    refused(
        &folder,
        &["compare", "s.tsv", "--out", "no/p.html"],
        &["no/p.html"],
    );
}

/// An option that no check has is an error of the run, told in its row.
#[test]
fn a_run_that_cannot_be_is_a_row() {
    let folder = folder(
        "[[programs]]\nfiles = [\"p1.c\"]\n[[configurations]]\nname = \"odd\"\n\
         options = [\"--frob\"]\n[[tools]]\nname = \"gone\"\ncommand = \"no-such-tool {file}\"\n\
         safe = \"ok\"\nunsafe = \"bad\"\n",
    );
    let ended = folder.attest(&["suite", "s.toml"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let rows = stable(&folder.path("s.tsv"));
    assert!(rows[1].contains("\todd\tsafe\terror\t"), "{rows:?}");
    assert!(rows[2].contains("\tgone\tsafe\tunknown\t"), "{rows:?}");
    assert!(ended.stderr.contains("--frob"), "{ended:?}");
}

/// A suite may have the programs of others, with their properties, and do without a list.
#[test]
fn programs_of_another_suite() {
    let folder = folder(
        "[[programs]]\nsuite = \"other.toml\"\n[[programs]]\nfiles = [\"p2.c\"]\n\
         [[configurations]]\nname = \"dash\"\noptions = [\"--algorithm\", \"dash\"]\n",
    );
    let other = "[[programs]]\nfiles = [\"p1.c\"]\n[[programs]]\n\
        list = \"$ATTEST_NOT_SET/l.tsv\"\noptional = true\n\
        [[properties]]\nname = \"a\"\n[[properties]]\nname = \"b\"\n";
    folder.write("other.toml", other);
    let ended = folder.attest(&["suite", "s.toml"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let rows = stable(&folder.path("s.tsv"));
    let starts = [
        "p1.c\t\ta\tdash\tsafe",
        "p1.c\t\tb\tdash\tsafe",
        "p2.c\t\t\tdash\tunsafe",
    ];
    assert_eq!(rows.len(), 1 + starts.len(), "{rows:?}");
    for (row, start) in rows[1..].iter().zip(starts) {
        assert!(row.starts_with(start), "{row}");
    }
    assert!(ended.stderr.contains("left out"), "{ended:?}");
    assert!(ended.stderr.contains("$ATTEST_NOT_SET/l.tsv"), "{ended:?}");
}

/// Directed testing of it has a path for each number of turns.
const ENDLESS: &str = "/* expected: safe */\nvoid reach_error(void) {}\n\
    int __VERIFIER_nondet_int(void);\n\
    int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n += 2;\n\
    if (n & 1) reach_error(); return 0; }\n";

/// A limit of processor time ends a check in its own words, and a tool by force; the summary
/// counts them as time-outs, as long as their limit.
#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_limited() {
    let suite = "cpu = 2\nworkers = 2\n[[programs]]\nfiles = [\"endless.c\", \"p1.c\"]\n\
        [[configurations]]\nname = \"dse\"\noptions = [\"--algorithm\", \"dse\"]\n\
        [[tools]]\nname = \"loops\"\ncommand = \"sh loop.sh\"\nsafe = \"ok\"\nunsafe = \"bad\"\n";
    let folder = folder(suite);
    folder.write("endless.c", ENDLESS);
    folder.write("loop.sh", "while :; do :; done\n");
    let ended = folder.attest(&["suite", "s.toml"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let words = "the time limit of 2 seconds of processor time is used up";
    assert_eq!(ended.stderr.matches(words).count(), 1, "{ended:?}");
    let line = |name: &str| {
        let line = ended.stdout.lines().find(|line| line.starts_with(name));
        let cells = line.expect(name).split_whitespace().map(str::to_owned);
        cells.collect::<Vec<String>>()
    };
    let [dse, loops] = [line("dse"), line("loops")];
    assert_eq!(dse[1..5], ["1", "0", "1", "0"], "{ended:?}");
    assert_eq!(loops[1..5], ["0", "0", "2", "0"], "{ended:?}");
    for (cells, least) in [(dse, 2.0), (loops, 4.0)] {
        let seconds: f64 = cells[8].parse().expect("seconds");
        assert!(seconds >= least && seconds < 30.0, "{ended:?}");
    }
}
