//! Witnesses: ours are accepted, damaged ones are rejected, and so with other producers'.

mod common;

use common::{Ended, Folder};

const LOOP: &str = "\
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, twice = 0;
  if (n > 1000)
    return 0;
  while (i < n) {
    i++;
    twice += 2;
  }
  if (twice != 2 * n)
    reach_error();
  return 0;
}
";

const BUG: &str = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
static int next(int x) {
  if (x > 10)
    return x - 10;
  else
    return x + 1;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  x = next(x);
  if (x == 7 && y == x + 5)
    reach_error();
  return 0;
}
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

fn folder() -> Folder {
    let folder = Folder::with(&[("loop.c", LOOP), ("bug.c", BUG), ("p.prp", PROPERTY)]);
    for (file, status) in [("loop.c", 0), ("bug.c", 10)] {
        let (yaml, graphml) = (format!("{file}.yml"), format!("{file}.graphml"));
        let ended = folder.attest(&[
            "check",
            file,
            "--property",
            "p.prp",
            "--witness",
            &yaml,
            "--witness",
            &graphml,
        ]);
        assert_eq!(ended.status, status, "{ended:?}");
    }
    folder
}

fn check(folder: &Folder, file: &str, witness: &str) -> Ended {
    folder.attest(&[
        "check",
        file,
        "--property",
        "p.prp",
        "--check-witness",
        witness,
        "--time-limit",
        "600",
    ])
}

fn text(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a witness")
}

#[test]
fn our_own_are_accepted() {
    let folder = folder();
    for (file, status) in [("loop.c", 0), ("bug.c", 10)] {
        for format in ["yml", "graphml"] {
            let ended = check(&folder, file, &format!("{file}.{format}"));
            assert_eq!(ended.status, status, "{ended:?}");
            assert!(
                ended.stdout.contains("the witness is accepted"),
                "{ended:?}"
            );
        }
    }
    let yaml = text(&folder, "loop.c.yml");
    assert!(
        yaml.contains("line: 8\n          column: 3\n          function: \"main\""),
        "{yaml}"
    );
    let yaml = text(&folder, "bug.c.yml");
    assert_eq!(yaml.matches("type: function_return").count(), 2, "{yaml}");
}

/// A damage: the witness, what is replaced by what, and a word of the reason.
type Damage = (&'static str, &'static str, &'static str, &'static str);

const DAMAGES: &[Damage] = &[
    // What the witness is about.
    ("loop.c.yml", "LP64", "ILP32", "data model"),
    (
        "loop.c.yml",
        "format_version: \"2.0\"",
        "format_version: \"7.0\"",
        "format",
    ),
    ("loop.c.yml", "init(main())", "init(other())", "entry"),
    (
        "loop.c.yml",
        "call(reach_error())",
        "call(other_error())",
        "property",
    ),
    ("loop.c.yml", "G ! call(", "F call(", "specification"),
    ("loop.c.yml", "language: C", "language: Ada", "language"),
    ("loop.c.yml", "  uuid: \"", "  uuid: \"x", "uuid"),
    (
        "loop.c.yml",
        "creation_time: \"2",
        "creation_time: \"x",
        "time",
    ),
    (
        "loop.c.yml",
        "loop_invariant",
        "some_invariant",
        "kind of invariant",
    ),
    ("loop.c.yml", "invariant_set", "set", "kind of entry"),
    ("loop.c.yml", "    producer:", "    consumer:", "producer"),
    ("loop.c.graphml", "64bit", "32bit", "data model"),
    ("loop.c.graphml", "64bit", "8bit", "architecture"),
    (
        "loop.c.graphml",
        "correctness_witness",
        "violation_witness",
        "no path leads",
    ),
    (
        "loop.c.graphml",
        "<data key=\"sourcecodelang\">C",
        "<data key=\"sourcecodelang\">Go",
        "language",
    ),
    (
        "loop.c.graphml",
        "<data key=\"entry\">true",
        "<data key=\"entry\">false",
        "entry nodes",
    ),
    (
        "loop.c.graphml",
        "target=\"loop0\"",
        "target=\"loop9\"",
        "no node",
    ),
    ("loop.c.graphml", "</graphml>", "", "no XML"),
    // What it claims.
    ("loop.c.yml", "line: 8", "line: 9", "no loop"),
    ("loop.c.yml", "line: 8", "line: 800", "no such line"),
    ("loop.c.yml", "column: 3", "column: 4", "no loop"),
    (
        "loop.c.yml",
        "function: \"main\"",
        "function: \"other\"",
        "that function",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"twice == 3 && ",
        "breaks the invariant",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"i < n && ",
        "breaks the invariant",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"i++ < n && ",
        "no effects",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"(twice = 0) == 0 && ",
        "no effects",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"nobody() && ",
        "calls no function",
    ),
    (
        "loop.c.yml",
        "value: \"",
        "value: \"nobody && ",
        "does not compile",
    ),
    ("loop.c.yml", "value: \"", "value: \") && (", "parentheses"),
    ("loop.c.yml", "value: \"", "value: \"1; ", "no expression"),
    (
        "loop.c.graphml",
        "<data key=\"startline\">8",
        "<data key=\"startline\">9",
        "no loop",
    ),
    (
        "loop.c.graphml",
        "<data key=\"invariant\">",
        "<data key=\"invariant\">i == 5 &amp;&amp; ",
        "breaks the invariant",
    ),
    (
        "bug.c.yml",
        "line: 10",
        "line: 11",
        "no run that fails follows",
    ),
    (
        "bug.c.yml",
        "\\\\result == ",
        "\\\\result == 1 + ",
        "no run that fails follows",
    ),
    (
        "bug.c.yml",
        "\\\\result == ",
        "\\\\result == 100 + ",
        "no run that fails follows",
    ),
    ("bug.c.yml", "line: 14", "line: 15", "nothing begins here"),
    (
        "bug.c.yml",
        "line: 14\n              column: 5",
        "line: 15\n              column: 3",
        "no call of the error",
    ),
    (
        "bug.c.yml",
        "type: target",
        "type: somewhere",
        "kind of waypoint",
    ),
    ("bug.c.yml", "type: target", "type: branching", "constraint"),
    (
        "bug.c.yml",
        "action: follow",
        "action: avoid",
        "waypoint to follow",
    ),
    (
        "bug.c.graphml",
        "<data key=\"violation\">true",
        "<data key=\"violation\">false",
        "no path leads",
    ),
    (
        "bug.c.graphml",
        "\\result == ",
        "\\result == 100 + ",
        "no run that fails follows",
    ),
    (
        "bug.c.graphml",
        "target=\"n1\"",
        "target=\"n0\"",
        "no path leads",
    ),
    (
        "bug.c.graphml",
        "for=\"edge\" id=\"assumption\"",
        "for=\"edge\" id=\"other\"",
        "not declared",
    ),
];

#[test]
fn damaged_ones_are_rejected() {
    let folder = folder();
    for (witness, from, to, why) in DAMAGES {
        let file = &witness[..witness.find(".c").expect("a name") + 2];
        let whole = text(&folder, witness);
        assert!(whole.contains(from), "{witness}: {from}: {whole}");
        folder.write("damaged", whole.replacen(from, to, 1));
        let ended = check(&folder, file, "damaged");
        let verdict = ended.verdict();
        let rejected = verdict.starts_with("verdict: unknown (the witness is rejected: ");
        assert!(
            rejected && verdict.contains(why),
            "{witness}, {from} -> {to}: {ended:?}"
        );
        assert_eq!(ended.status, 5);
    }
}

#[test]
fn another_program() {
    let folder = folder();
    folder.write("loop.c", LOOP.replace("1000", "1001"));
    let ended = check(&folder, "loop.c", "loop.c.yml");
    assert!(ended.verdict().contains("another hash"), "{ended:?}");
    let ended = check(&folder, "bug.c", "loop.c.yml");
    assert!(
        ended.verdict().contains("no file of the program"),
        "{ended:?}"
    );
}

/// Segments of a violation witness of another producer: waypoints as type, action,
/// constraint and place.
fn foreign(folder: &Folder, waypoints: &[(&str, &str, &str, (u32, u32))]) -> String {
    let own = text(folder, "bug.c.yml");
    let head = own.split("  content:").next().expect("metadata").to_owned();
    let mut out = head.replace("\"attest\"", "\"another\"") + "  content:\n";
    let mut fresh = true;
    for (kind, action, constraint, (line, column)) in waypoints {
        if fresh {
            out.push_str("    - segment:\n");
        }
        out.push_str(&format!(
            "        - waypoint:\n            type: {kind}\n            action: {action}\n"
        ));
        if !constraint.is_empty() {
            out.push_str(&format!(
                "            constraint:\n              value: {constraint:?}\n"
            ));
        }
        out.push_str(&format!(
            "            location:\n              file_name: bug.c\n              line: {line}\n              column: {column}\n"
        ));
        fresh = *action == "follow";
    }
    out
}

#[test]
fn waypoints_of_every_kind() {
    let target = ("target", "follow", "", (14, 5));
    let folder = folder();
    let expect = |accepted: bool, waypoints: &[(&str, &str, &str, (u32, u32))]| {
        folder.write("w.yml", foreign(&folder, waypoints));
        let ended = check(&folder, "bug.c", "w.yml");
        let words = if accepted {
            "is accepted"
        } else {
            "is rejected: no run"
        };
        assert!(ended.stdout.contains(words), "{waypoints:?}: {ended:?}");
    };
    expect(true, &[target]);
    expect(true, &[("assumption", "follow", "x > 10", (12, 3)), target]);
    expect(true, &[("branching", "follow", "true", (4, 3)), target]);
    expect(true, &[("branching", "avoid", "true", (4, 3)), target]);
    expect(true, &[("function_enter", "follow", "", (12, 13)), target]);
    expect(
        true,
        &[
            ("function_return", "follow", "\\result == 7", (12, 13)),
            target,
        ],
    );
    expect(
        false,
        &[("assumption", "follow", "x == 8", (12, 3)), target],
    );
    expect(
        false,
        &[
            ("function_return", "follow", "\\result == 8", (12, 13)),
            target,
        ],
    );
    expect(false, &[("branching", "follow", "false", (13, 3)), target]);
    let both = ("branching", "avoid", "true", (4, 3));
    expect(
        true,
        &[
            both,
            ("assumption", "follow", "x == 17", (12, 3)),
            ("branching", "follow", "true", (4, 3)),
            target,
        ],
    );
    expect(
        false,
        &[both, ("branching", "avoid", "false", (4, 3)), target],
    );
}

#[test]
fn an_invariant_at_a_statement() {
    let folder = folder();
    let whole = text(&folder, "loop.c.yml").replace("loop_invariant", "location_invariant");
    let at = whole.find("  content:").expect("content");
    let claim = |value: &str, line: u32, column: u32| {
        let content = format!(
            "  content:\n    - invariant:\n        type: location_invariant\n        location:\n          \
             file_name: loop.c\n          line: {line}\n          column: {column}\n        \
             value: {value:?}\n        format: c_expression\n"
        );
        folder.write("w.yml", format!("{}{content}", &whole[..at]));
        check(&folder, "loop.c", "w.yml")
    };
    let ended = claim("n > 1000", 7, 5);
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    let ended = claim("n > 1001", 7, 5);
    assert!(
        ended.verdict().contains("breaks the invariant"),
        "{ended:?}"
    );
    let ended = claim("twice == 2 * i", 9, 5);
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    // No statement begins there.
    let ended = claim("twice == 2 * i", 11, 3);
    assert!(ended.stdout.contains("left out"), "{ended:?}");
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
}

/// A result that cannot be is seen without the rest of the program.
#[test]
fn a_constraint_that_nothing_satisfies() {
    let folder = folder();
    let waypoints = [
        (
            "function_return",
            "follow",
            "\\result != 7 && \\result == 7",
            (12, 13),
        ),
        ("target", "follow", "", (14, 5)),
    ];
    folder.write("w.yml", foreign(&folder, &waypoints));
    let ended = check(&folder, "bug.c", "w.yml");
    let verdict = ended.verdict();
    assert!(
        verdict.contains("is rejected: bug.c:12: no result"),
        "{ended:?}"
    );
}

/// An expression that would end the run, or that C leaves undefined, proves nothing.
#[test]
fn an_invariant_that_may_be_undefined_is_not_accepted() {
    let text = "#define STOP __builtin_unreachable()\n#define ZERO (1 / (x - x))\n\
        void reach_error(void);\nvoid exit(int);\n#define END exit(0)\n\
        int main(void) {\n  int x = 3, *p = 0;\n  \
        while (x > 0) {\n    x--;\n  }\n  reach_error();\n  return p == &x;\n}\n";
    let folder = folder();
    folder.write("odd.c", text);
    let hash = attest_proof::sha256_of_bytes(text.as_bytes());
    let head = text_of_head(&folder, &hash);
    for value in [
        "*p == 0",
        "ZERO",
        "p[2] == 1",
        "1 / (x - x) == 0",
        "(END, 1)",
        "(STOP, 1)",
    ] {
        let claim = format!(
            "  content:\n    - invariant:\n        type: loop_invariant\n        location:\n          \
             file_name: odd.c\n          line: 8\n          column: 3\n        value: {value:?}\n        \
             format: c_expression\n"
        );
        folder.write("w.yml", format!("{head}{claim}"));
        let ended = check(&folder, "odd.c", "w.yml");
        assert_eq!(ended.status, 5, "{value}: {ended:?}");
        assert!(!ended.stdout.contains("accepted"), "{value}: {ended:?}");
    }
}

/// The metadata of a correctness witness of `odd.c`.
fn text_of_head(folder: &Folder, hash: &str) -> String {
    let own = text(folder, "loop.c.yml");
    let head = own.split("  content:").next().expect("metadata");
    let known = attest_proof::sha256_of_bytes(LOOP.as_bytes());
    head.replace("loop.c", "odd.c").replace(&known, hash)
}

/// A correctness witness as Ultimate Automizer writes it: the edge into the loop's node is
/// the statement before the loop, and those out of it are the condition.
#[test]
fn the_loop_is_that_of_the_condition() {
    let folder = folder();
    let own = text(&folder, "loop.c.graphml");
    let at = own.find("  <node id=\"start\">").expect("the entry");
    let graph = |invariant: &str, line: u32| {
        let edge = |from: &str, to: &str, line: u32, more: &str| {
            format!(
                "<edge source=\"{from}\" target=\"{to}\"><data key=\"startline\">{line}</data>{more}</edge>\n"
            )
        };
        let head = "<data key=\"enterLoopHead\">true</data>";
        folder.write(
            "w.graphml",
            format!(
                "{}<node id=\"a\"><data key=\"entry\">true</data></node>\n\
                 <node id=\"b\"><data key=\"invariant\">{invariant}</data></node>\n\
                 <node id=\"c\"/>\n{}{} </graph>\n</graphml>\n",
                &own[..at],
                edge("a", "b", 5, head),
                edge("b", "c", line, ""),
            ),
        );
        check(&folder, "loop.c", "w.graphml")
    };
    let ended = graph("twice == 2 * i", 8);
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    let ended = graph("twice == i", 8);
    assert!(
        ended.verdict().contains("breaks the invariant"),
        "{ended:?}"
    );
    // What leads to no loop is left out.
    let ended = graph("twice == 2 * i", 12);
    assert!(ended.stdout.contains("left out"), "{ended:?}");
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
}

/// A correctness witness in GraphML whose node is entered by the edge of a line.
fn node(folder: &Folder, invariant: &str, line: u32, more: &str) -> Ended {
    let own = text(folder, "loop.c.graphml");
    let at = own.find("  <node id=\"start\">").expect("the entry");
    let graph = format!(
        "{}<node id=\"a\"><data key=\"entry\">true</data></node>\n\
         <node id=\"b\"><data key=\"invariant\">{invariant}</data></node>\n\
         <edge source=\"a\" target=\"b\"><data key=\"startline\">{line}</data>{more}</edge>\n\
         </graph>\n</graphml>\n",
        &own[..at],
    );
    folder.write("w.graphml", graph);
    check(folder, "loop.c", "w.graphml")
}

/// An invariant of a node that is no loop is checked after the statement of its edge; where
/// that is not clear it is left out. It is never a reason to reject the witness.
#[test]
fn an_invariant_at_a_node_that_is_no_loop() {
    let folder = folder();
    let ended = node(&folder, "twice == 0", 5, "");
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    assert!(!ended.stdout.contains("left out"), "{ended:?}");
    let ended = node(&folder, "twice == 1", 5, "");
    assert!(ended.verdict().contains("is not decided"), "{ended:?}");
    for (value, line) in [("n &lt;= 1000", 12), ("twice == 0", 1), ("cond == 0", 5)] {
        let ended = node(&folder, value, line, "");
        assert!(ended.stdout.contains("left out"), "{ended:?}");
        assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    }
    // Ultimate marks such nodes as heads of loops too.
    let head = "<data key=\"enterLoopHead\">true</data>";
    let ended = node(&folder, "cond != 0", 12, head);
    assert!(ended.stdout.contains("left out"), "{ended:?}");
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    // The last statement of the body leads to the head.
    let ended = node(&folder, "twice == 2 * i", 10, head);
    assert!(!ended.stdout.contains("left out"), "{ended:?}");
    let ended = node(&folder, "twice == i", 10, head);
    let verdict = ended.verdict();
    assert!(verdict.contains("breaks the invariant"), "{ended:?}");
}

const MEMORY: &str = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct pair { int first, second; };
int seen[10];
int main(void) {
  struct pair pair = {0, 0}, *p = &pair, *q = 0;
  unsigned k = __VERIFIER_nondet_int();
  if (k >= 10) return 0;
  seen[k] = 5;
  while (__VERIFIER_nondet_int()) {
    p->first += 2;
    p->second += 2;
  }
  if (pair.first != pair.second || seen[k] != 5)
    reach_error();
  return q != 0;
}
";

/// A proof about members and elements is said in C, defined wherever it is evaluated.
#[test]
fn our_own_about_memory() {
    let folder = Folder::with(&[("m.c", MEMORY), ("p.prp", PROPERTY)]);
    let args = [
        "--property",
        "p.prp",
        "--witness",
        "m.yml",
        "--witness",
        "m.graphml",
    ];
    let ended = folder.attest(&[&["check", "m.c"], &args[..]].concat());
    assert_eq!(ended.status, 0, "{ended:?}");
    let yaml = text(&folder, "m.yml");
    for part in ["pair.first == pair.second", "k < 10", "seen[k] "] {
        assert!(yaml.contains(part), "{part}: {yaml}");
    }
    for witness in ["m.yml", "m.graphml"] {
        let ended = check(&folder, "m.c", witness);
        assert!(ended.stdout.contains("is accepted"), "{ended:?}");
        let whole = text(&folder, witness);
        let damaged = whole.replacen("pair.first ==", "pair.first + 1 ==", 1);
        folder.write("damaged", damaged);
        let ended = check(&folder, "m.c", "damaged");
        let verdict = ended.verdict();
        assert!(verdict.contains("breaks the invariant"), "{ended:?}");
    }
}

/// Invariants about memory are checked without assuming that they have a value.
#[test]
fn an_invariant_about_memory() {
    let folder = folder();
    folder.write("odd.c", MEMORY);
    let hash = attest_proof::sha256_of_bytes(MEMORY.as_bytes());
    let head = text_of_head(&folder, &hash);
    let claim = |value: &str| {
        let claim = format!(
            "  content:\n    - invariant:\n        type: loop_invariant\n        location:\n          \
             file_name: odd.c\n          line: 10\n          column: 3\n        value: {value:?}\n        \
             format: c_expression\n"
        );
        folder.write("w.yml", format!("{head}{claim}"));
        check(&folder, "odd.c", "w.yml")
    };
    let ended = claim("pair.first == p->second");
    assert!(ended.stdout.contains("is accepted"), "{ended:?}");
    let ended = claim("p->first == 0");
    let verdict = ended.verdict();
    assert!(verdict.contains("breaks the invariant"), "{ended:?}");
    let ended = claim("q->first == 0");
    assert!(
        ended.verdict().contains("has no value in a run"),
        "{ended:?}"
    );
}
