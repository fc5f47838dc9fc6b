//! `attest check` and `attest model`.

mod common;

use attest_evidence::harness::REACHED;
use common::{Ended, Folder, attest_in, root};

fn unknown(ended: &Ended, reason: &str) {
    assert_eq!(ended.status, 5, "{ended:?}");
    let verdict = ended.verdict();
    assert!(verdict.starts_with("verdict: unknown ("), "{ended:?}");
    assert!(verdict.contains(reason), "{ended:?}");
}

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
        "verdict: unknown (an execution leaves the model: missing-function: read_sensor",
        &["missing function: read_sensor, called at examples/env.c:11:17 in main"],
    );
    let stubbed = ["examples/env.c", "--stubs", "examples/env_stubs.c"];
    example(&stubbed, safe, &["failed an assumption", accepted]);
}

#[test]
fn a_test_that_only_the_solver_finds() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * 7 == 3 * 7 * 1234567) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
    for words in ["1. __VERIFIER_nondet_int() = ", "the test fails natively"] {
        assert!(ended.stdout.contains(words), "{words:?}: {ended:?}");
    }
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

/// A long sequence of inputs, each of which only the state before tells from the others:
/// it is found turn by turn, before anything is asked.
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
    let ended = folder.attest(&["check", "a.c", "--stats"]);
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
fn a_failed_assertion_that_the_property_does_not_name_ends_the_program() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        extern void reach_error(void);\nint main(void) { int x = __VERIFIER_nondet_int();\n\
        assert(x > 0); if (x < 0) reach_error(); }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.attest(&["check", "a.c", "--property", "unreach-call"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    assert!(!ended.stdout.contains("missing"), "{ended:?}");
    assert_eq!(folder.attest(&["check", "a.c"]).status, 10);
}

#[test]
fn a_wild_pointer_is_not_assumed_away() {
    // A pointer that the program makes of a number is used before the error: no proof may
    // rest on that not happening.
    let text = "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
        struct s { int x; };\n\
        int main(void) { struct s *p = (struct s *) __VERIFIER_nondet_ulong();\n\
        p->x = 1; reach_error(); return 0; }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    unknown(&ended, "leaves the model");
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let run = || attest_in(&root(), &["check", "examples/spinlock.c", "--seed", "9"]).stdout;
    assert_eq!(run(), run());
}

#[test]
fn constructs_outside_the_model_are_named() {
    let text = "int main(void) {\n  int x = 1;\n  asm(\"bswap %0\" : \"+r\"(x));\n  return x;\n}\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    unknown(&ended, "");
    let line = "outside the model: inline-assembly: asm(\"bswap $0\") at a.c:3:";
    assert!(ended.stdout.contains(line), "{ended:?}");
}

#[test]
fn time_limit() {
    let ended = attest_in(
        &root(),
        &["check", "examples/list.c", "--time-limit", "0.000001"],
    );
    unknown(&ended, "time limit");
    assert_eq!(ended.stdout.matches("verdict:").count(), 1, "{ended:?}");
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

/// The only way to the error goes through an access outside its object that random runs do
/// not come to: a proof that assumes it away would be about nothing.
#[test]
fn what_a_proof_assumes_away_is_searched_for() {
    let text = "#include <stdlib.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
        extern void reach_error(void);\nstruct port { int peer; int state; };\n\
        int table[4];\n\
        int main(void) { struct port *p = calloc(1, sizeof *p);\n\
        if (!p || __VERIFIER_nondet_uint() * 7 != 7 * 123456789u) return 0;\n\
        table[p->peer + 4] = 1;\nif (p->state == 0) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    unknown(&ended, "out-of-bounds");
    assert!(ended.verdict().contains("a.c:8:"), "{ended:?}");
}

/// A run of the first search reads outside an array, behind a sum that no solver turns around:
/// what some run did is not assumed away by any engine.
#[test]
fn what_a_run_did_is_not_assumed_away() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int port[4]; int last = 4;\n\
        int main(void) { unsigned x = __VERIFIER_nondet_uint(), sum = x; int state = 0;\n\
        for (int i = 0; i < 60; i++) sum = (sum ^ sum >> 15) * 2246822519u + i;\n\
        if (sum % 128 == 0) state = port[last];\n\
        if (state != 0) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c", "--time-limit=30"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    let left = "a run left the model: out-of-bounds";
    assert!(ended.stdout.contains(left), "{ended:?}");
}

/// An access through null ends the program, so what is behind it cannot be reached.
#[test]
fn a_null_dereference_ends_the_program() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) { int x = 0, *p = &x;\n\
        if (__VERIFIER_nondet_int()) p = 0;\n*p = 1;\n\
        if (x != 1) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let said = "a run ended by null-dereference: an access through a null pointer at a.c:5:";
    assert!(ended.stdout.contains(said), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("ends the program: null-dereference\n")
    );
}

const FOREIGN: &str = "extern void *__VERIFIER_nondet_pointer(void);\n\
    extern void reach_error(void);\nextern void *malloc(unsigned long);\n\
    struct node { int n; struct node *next; };\n";

/// Pointers of the environment lead to its own memory, where they may meet each other.
#[test]
fn pointers_of_the_environment() {
    let verdict = |body: &str, more: &str| {
        let text = format!("{FOREIGN}{body}");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c"]);
        assert!(ended.stdout.contains(more), "{ended:?}");
        ended.verdict().to_owned()
    };
    let apart = "int flag, *q = &flag;\n\
        int main(void) { struct node *p = __VERIFIER_nondet_pointer(), *r;\n\
        *q = 1; p->n = 3; r->n = 4; if (flag != 1) reach_error(); }\n";
    let assumed = "assumed: pointers from the environment";
    assert_eq!(verdict(apart, assumed), "verdict: safe");
    let same = "int main(void) { int *p = __VERIFIER_nondet_pointer();\n\
        int *q = __VERIFIER_nondet_pointer();\n\
        *p = 3; *q = 4; if (*p == 4) reach_error(); }\n";
    assert_eq!(verdict(same, "fails natively"), "verdict: unsafe");
    let error = "int main(void) { char *p = __VERIFIER_nondet_pointer();\n\
        if ((unsigned long) p >= (unsigned long) -4095) reach_error(); }\n";
    assert_eq!(verdict(error, "fails natively"), "verdict: unsafe");
}

/// What the program put into the environment's memory comes out of it; and a pointer that
/// is copied byte by byte is still the pointer.
#[test]
fn pointers_of_the_program_stay_its_own() {
    let stored = "int flag;\n\
        int main(void) { int **p = __VERIFIER_nondet_pointer();\n\
        *p = &flag; **p = 1; if (flag) reach_error(); }\n";
    let copied = "int x;\n\
        int main(void) { int *p = &x, *q; char *from = (char *) &p, *to = (char *) &q;\n\
        for (int i = 0; i < sizeof p; i++) to[i] = from[i];\n\
        *q = 1; if (x) reach_error(); }\n";
    for body in [stored, copied] {
        let text = format!("{FOREIGN}{body}");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c"]);
        assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
    }
    // The address of an object that lies there as a number, or byte by byte.
    let number = "int x;\n\
        int main(void) { unsigned long *p = __VERIFIER_nondet_pointer();\n\
        *p = (unsigned long) &x; int *q = *(int **) p; *q = 1; if (x) reach_error(); }\n";
    let bytes = "int x;\n\
        int main(void) { int *o = &x;\n\
        char *p = __VERIFIER_nondet_pointer(), *from = (char *) &o;\n\
        for (int i = 0; i < sizeof o; i++) p[i] = from[i];\n\
        **(int **) p = 1; if (x) reach_error(); }\n";
    // The same in memory of the program's own that nobody wrote before.
    let fresh = "int x;\n\
        int main(void) { unsigned long *p = malloc(16);\n\
        *p = (unsigned long) &x; int *q = *(int **) p; *q = 1; if (x) reach_error(); }\n";
    let half = "int x;\n\
        int main(void) { int *o = &x, **p = malloc(16);\n\
        char *to = (char *) p, *from = (char *) &o;\n\
        for (int i = 0; i < sizeof o; i++) to[i] = from[i];\n\
        **p = 1; if (x) reach_error(); }\n";
    // And a number that is stored as a pointer is no pointer of the environment's.
    let poison = "int main(void) { int **p = malloc(16);\n\
        if (__VERIFIER_nondet_pointer()) *p = (int *) 0x100100ul;\n\
        else *p = 0; if (*p == (int *) 0x100100ul) reach_error(); }\n";
    for body in [number, bytes, fresh, half, poison] {
        let text = format!("{FOREIGN}{body}");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c", "--time-limit=20"]);
        assert_ne!(ended.verdict(), "verdict: safe", "{ended:?}");
    }
}

/// What nobody wrote, on the heap or in the environment's memory, is a pointer of the
/// environment's where it is read as a pointer, and the verdict says that it rests on this.
#[test]
fn pointers_that_were_never_set_are_the_environments() {
    let left = "int x;\n\
        int main(void) { struct node *p = __VERIFIER_nondet_pointer();\n\
        p->next->n = 1; if (x) reach_error(); }\n";
    let heap = "int main(void) { struct node *a = malloc(sizeof *a);\n\
        a->n = 5; a->next->n = 6; if (a->n != 5) reach_error(); }\n";
    for body in [left, heap] {
        let text = format!("{FOREIGN}{body}");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c"]);
        assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
        let assumed = "assumed: pointers from the environment, and those that were never set";
        assert!(ended.stdout.contains(assumed), "{ended:?}");
    }
    // Such pointers may be equal.
    let equal = "struct pair { struct node *a, *b; };\n\
        int main(void) { struct pair *p = malloc(sizeof *p);\n\
        p->a->n = 5; p->b->n = 6; if (p->a->n != 5) reach_error(); }\n";
    let text = format!("{FOREIGN}{equal}");
    let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
    // A native run finds in its memory what the test says.
    assert!(
        ended.stdout.contains("the test fails natively"),
        "{ended:?}"
    );
}

/// Inlining leaves out variables that nobody needs; the program itself has them still.
#[test]
fn a_test_fits_the_program_that_is_not_inlined() {
    let text = "extern void reach_error(void);\n\
        int second(int a, int b) { return b; }\n\
        int main(void) { int a, b, c; int d = second(a, b);\n\
        if (second(a, c) == 77 && d == 78) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: unsafe", "{ended:?}");
}

/// Where objects lie is not known: models of drivers say that an allocation which did not
/// fail is at a low address, and this is no proof that every one fails.
#[test]
fn no_proof_rests_on_addresses() {
    let text = "#include <stdlib.h>\nextern void reach_error(void);\n\
        extern void __VERIFIER_assume(int);\n\
        int main(void) { int *p = malloc(sizeof *p);\n\
        __VERIFIER_assume((unsigned long) p <= 2012ul); reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c", "--time-limit=20"]);
    assert_eq!(ended.status, 5, "{ended:?}");
}

/// A number from the environment that is kept as a pointer and never followed is no reason
/// to leave the model.
#[test]
fn a_number_may_be_kept_as_a_pointer() {
    let text = "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
        struct port { void *user; int state; } port;\n\
        int main(void) { unsigned long arg = __VERIFIER_nondet_ulong();\n\
        port.state = 1; port.user = (void *) (arg + 8);\n\
        if (port.state != 1 || port.user != (void *) (arg + 8)) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
}

/// A pointer that went through memory as a number is still the pointer.
#[test]
fn a_number_may_be_an_address() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int cell; unsigned long kept[4];\n\
        int main(void) { unsigned i = __VERIFIER_nondet_uint() & 3;\n\
        kept[i] = (unsigned long) &cell;\n\
        if (i * 7 != 14) return 0;\n\
        int *p = (int *) kept[2];\n*p = 5;\nif (cell == 5) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert!(ended.verdict() != "verdict: safe", "{ended:?}");
}

/// Data that lies beside pointers is none, wherever the program may write it, so that what
/// pointers lead to stays known.
#[test]
fn data_beside_pointers_is_no_pointer() {
    let head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";
    let buffer = "struct port { char name[6]; int *level; void (*done)(void); } port;\n\
        int level, other, ran; void done(void) { ran = 1; }\n\
        int main(void) { port.level = &level; port.done = done;\n\
        for (;;) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 5) break; port.name[i] = i; }\n\
        *port.level = 1; port.done(); if (other || !ran) reach_error(); }\n";
    let table = "struct entry { int *cell; char tag[4]; } table[3]; int cells[3], other;\n\
        int main(void) { for (int i = 0; i < 3; i++) table[i].cell = &cells[i];\n\
        int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();\n\
        if (i < 0 || i > 2 || k < 0 || k > 3) return 0;\n\
        table[i].tag[k] = k; *table[i].cell = k; if (other) reach_error(); }\n";
    let list = "struct list { struct list *next; } waiting; int other;\n\
        struct item { struct list link; int kind; int word; } items[2];\n\
        struct queue { int open; struct list head; int *count; } queue; int count;\n\
        void put(struct item *item) { item->link.next = queue.head.next; queue.head.next = &item->link; }\n\
        int main(void) { queue.head.next = &queue.head; queue.count = &count;\n\
        if (__VERIFIER_nondet_int()) put(&items[0]); if (__VERIFIER_nondet_int()) put(&items[1]);\n\
        if (queue.head.next == &queue.head) return 0;\n\
        struct item *first = (struct item *) queue.head.next; first->kind = 3; first->word = 4;\n\
        *queue.count += 1; if (other) reach_error(); }\n";
    for text in [buffer, table, list] {
        let text = format!("{head}{text}");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c"]);
        assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    }
}

/// A number that was guessed may turn out to be an object's address.
#[test]
fn a_guessed_number_may_be_an_address() {
    let head = "extern unsigned long __VERIFIER_nondet_ulong(void); extern void reach_error(void);\nint x;\n";
    for body in [
        "if ((int *) __VERIFIER_nondet_ulong() == &x) reach_error();",
        "unsigned long n = __VERIFIER_nondet_ulong(); int *p = (int *) n; if (p != &x) return 0; reach_error();",
        "union { unsigned long n; int *p; } u; u.n = __VERIFIER_nondet_ulong(); if (u.p == &x) reach_error();",
        "int *p = (int *) __VERIFIER_nondet_ulong(); if (p == &x) *p = 1; if (x) reach_error();",
        "*(int *) 0x20000ul = 1; reach_error();",
    ] {
        let text = format!("{head}int main(void) {{ {body} }}\n");
        let ended = Folder::with(&[("a.c", &text)]).attest(&["check", "a.c", "--time-limit=20"]);
        assert_ne!(ended.verdict(), "verdict: safe", "{ended:?}");
    }
}

/// Floats are decided where Z3 is, which the set-up installs.
#[test]
fn floats_are_proved() {
    let text = "extern double __VERIFIER_nondet_double(void);\nextern void reach_error(void);\n\
        int main(void) { double x = __VERIFIER_nondet_double();\n\
        if (!(x >= 0.0 && x <= 10.0)) return 0;\n\
        double y = x * 0.5 + 1.0; if (y < 1.0 || y > 6.0) reach_error(); }\n";
    let ended = Folder::with(&[("a.c", text)]).attest(&["check", "a.c"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
}
