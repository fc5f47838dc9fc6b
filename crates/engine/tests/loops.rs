//! Programs whose proofs need a fact about a loop, one for each way of finding it, with the
//! verdict that each must get.

use attest_engine::{Engine, Options, Statistics, Technique, Verdict};
use attest_llvm::clang::{Clang, compile};
use attest_model::{Granularity, Graph, InlineOptions, inline, lower};
use attest_solver::{Blaster, Cached};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const PRELUDE: &str = "void reach_error(void) {} int __VERIFIER_nondet_int(void);
    #define assert(c) if (!(c)) reach_error()\n";

/// The verdict in a word, and what it cost.
fn decide(source: &str) -> (&'static str, Statistics) {
    decide_with(source, |options| options)
}

/// The same with other options.
fn decide_with(
    source: &str,
    change: impl FnOnce(Options) -> Options,
) -> (&'static str, Statistics) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("attest-loops-{}-{number}.c", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, format!("{PRELUDE}{source}")).expect("a temporary file");
    let clang = Clang::find().expect("clang is installed");
    let text = compile(&clang, &Default::default(), &file);
    std::fs::remove_file(&file).ok();
    let text = text.unwrap_or_else(|e| panic!("{e}"));
    let module = attest_llvm::read_module(&text, "loop.c").unwrap_or_else(|e| panic!("{e}"));
    let program = lower(&module, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let inlining = InlineOptions {
        recursion: 4,
        most_insts: 50_000,
        partial: None,
    };
    let program = inline(&program, &inlining);
    let graph = Graph::of(&program, Granularity::Large);
    let options = Options {
        time: Some(Duration::from_secs(120)),
        self_check: true,
        ..Default::default()
    };
    let solver = Box::new(Cached::new(Blaster::new()));
    let mut engine = Engine::new(&program, &graph, change(options), solver);
    let word = match engine.run() {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    };
    (word, engine.statistics().clone())
}

#[track_caller]
fn check(source: &str, expect: &str) {
    let (verdict, statistics) = decide(source);
    assert_eq!(verdict, expect, "{statistics:?} of {source}");
    assert_eq!(statistics.missed, 0, "a test went astray: {source}");
}

/// Linear inequalities with a factor of the program.
#[test]
fn a_triangle_of_two_loops() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 5000) return 0;
         for (int i = 1; i < n; i++) for (int j = i; j < 3 * i; j++) assert(j < 3 * n); return 0; }",
        "safe",
    );
}

/// A bound by a constant that the loop's own test is one away from.
#[test]
fn a_counter_ends_one_past_its_test() {
    check(
        "int main(void) { int i = 0, k = 0; while (__VERIFIER_nondet_int() && i <= 70000) { i++; k++; }
         for (int j = 0; j < i; j++) { assert(k > 0); k--; } return 0; }",
        "safe",
    );
}

/// Relations under the value of a flag.
#[test]
fn a_flag_remembers_an_order() {
    check(
        "int main(void) { int key = __VERIFIER_nondet_int(), seen = 0, c;
         for (c = 0; c < 90000; c++) if (c == key) seen = 1;
         if (seen) assert(key < c && c - key <= 90000); return 0; }",
        "safe",
    );
}

/// Both ways through the body add up to the same, which the terms show.
#[test]
fn two_counters_share_a_sum() {
    check(
        "int main(void) { unsigned n = __VERIFIER_nondet_int(), a = 0, b = 0;
         for (unsigned i = 0; i < n; i++) { if (__VERIFIER_nondet_int()) { a += 1; b += 4; } else { a += 3; b += 2; } }
         assert(a + b == 5 * n); return 0; }",
        "safe",
    );
}

/// What holds only of the part of a loop that an earlier split left.
#[test]
fn a_relation_of_positive_sizes_only() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), left = n, i = 0; if (n > 30000) return 0;
         while (i < n) { left--; i += 2; }
         for (int j = 0; j < n / 2; j++) { assert(left > 0); left--; } return 0; }",
        "safe",
    );
}

/// An index and a pointer that move together, in numbers of different widths.
#[test]
fn a_pointer_follows_an_index() {
    check(
        "int main(void) { int a[64], *p = a, i; for (i = 0; i < 64; i++) { *p = i; p++; }
         assert(p - a == i); return 0; }",
        "safe",
    );
}

/// A predicate may look past the end of an object where no execution does.
#[test]
fn a_string_turned_around() {
    check(
        "int main(void) { unsigned n = 4; char s[n], t[n]; int i, j = 0;
         for (i = 0; i < n; i++) s[i] = __VERIFIER_nondet_int();
         for (i = n - 1; i >= 0; i--) t[j++] = s[i];
         j = n - 1; for (i = 0; i < n; i++) { assert(s[i] == t[j]); j--; } return 0; }",
        "safe",
    );
}

/// What was checked before the loop, far from where any test meets it.
#[test]
fn a_size_that_was_checked_before() {
    check(
        "int main(void) { int head = __VERIFIER_nondet_int(), size = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
         if (head <= 0 || size <= 0 || n <= 0 || head > 9000 || size > 9000 || n > 9000) return 0;
         int room = size - head; if (room < 3 * n) return 0;
         for (int i = 0; i < n; i++) { assert(3 * i + 2 < room); } return 0; }",
        "safe",
    );
}

/// Tests run on after their first states.
#[test]
fn an_error_after_a_long_loop() {
    let body = |value: u32| {
        format!(
            "int main(void) {{ unsigned x = 0, y = 0; while (x < 600000) {{ x++; y += x & 3; }}
             if (y == {value}) reach_error(); return 0; }}"
        )
    };
    check(&body(900_000), "unsafe");
}

/// What all elements are: one value up to the counter, and then up to the end.
#[test]
fn every_element_is_written() {
    let program = |hole: &str| {
        format!(
            "int main(void) {{ int a[100];
             for (int i = 0; i < 100; i++) a[i] = i == {hole} ? 8 : 7;
             for (int j = 0; j < 100; j++) assert(a[j] == 7); return 0; }}"
        )
    };
    check(&program("100"), "safe");
    check(&program("60"), "unsafe");
}

/// One array's elements are another's, walked over from the end.
#[test]
fn a_copy_has_the_elements() {
    check(
        "int b[50]; int main(void) { int a[50];
         for (int i = 0; i < 50; i++) a[i] = __VERIFIER_nondet_int();
         for (int i = 49; i >= 0; i--) b[i] = a[i];
         for (int j = 0; j < 50; j++) assert(a[j] == b[j]); return 0; }",
        "safe",
    );
}

/// Elements as a function of the index, and of a stride that is no power of two.
#[test]
fn an_element_follows_its_index() {
    check(
        "struct s { int x, y, z; } a[40]; int main(void) {
         for (int i = 0; i < 40; i++) { a[i].x = 5; a[i].y = 3 * i + 1; }
         for (int j = 0; j < 40; j++) assert(a[j].y == 3 * j + 1); return 0; }",
        "safe",
    );
}

/// The greatest element.
#[test]
fn a_variable_is_above_all_elements() {
    let program = |start: i32| {
        format!(
            "int a[30]; int main(void) {{ int max = {start};
             for (int i = 0; i < 30; i++) {{ a[i] = __VERIFIER_nondet_int();
               if (a[i] > max) max = a[i]; }}
             for (int j = 0; j < 30; j++) assert(a[j] <= max); return 0; }}"
        )
    };
    check(&program(0), "safe");
}

/// A program without inputs has one run: registers, globals, a ring on the heap and copies
/// of structures.
#[test]
fn the_only_run_is_the_proof() {
    let ring = "void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
        struct node { int n; struct node *next; }; int made;
        static struct node *node(int n, struct node *next) {
          struct node *p = malloc(sizeof *p), fresh = { n, next };
          memcpy(p, &fresh, sizeof fresh); made++; return p; }
        int main(void) { struct node *first = node(1, 0), *last = first;
          for (int i = 2; i <= 5; i++) last = last->next = node(i * i, 0);
          last->next = first;
          int sum = 0; struct node *p = first;
          do { sum += p->n; p->n = sum; p = p->next; } while (p != first);
          assert(sum == 55 && last->n == 55 && made == LAST); return 0; }";
    let (verdict, statistics) = decide(&ring.replace("LAST", "5"));
    assert_eq!(verdict, "safe", "{statistics:?}");
    let alone = statistics.invariants.get("alone").copied();
    assert!(alone.is_some_and(|n| n > 0), "{statistics:?}");
    check(&ring.replace("LAST", "6"), "unsafe");
}

/// What the environment left in memory is no input, but the run is not the only one.
#[test]
fn fresh_memory_makes_more_runs() {
    let source = "void *malloc(unsigned long);
        int main(void) { int *p = malloc(sizeof *p); assert(*p != 7); return 0; }";
    check(source, "unsafe");
    let source = "void *malloc(unsigned long);
        int main(void) { int *p = malloc(2 * sizeof *p); p[0] = p[1];
        for (int i = 0; i < 3; i++) p[0] &= 7; assert(p[0] != 5); return 0; }";
    check(source, "unsafe");
}

/// Without any one technique the verdict is the same or none.
#[test]
fn each_technique_can_be_switched_off() {
    let programs = [
        (
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, k = 0;
              while (i < n) { i++; k++; } assert(n <= 0 || k == n); return 0; }",
            "safe",
        ),
        (
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
              while (i < n && i < 9) i++; assert(i != 7); return 0; }",
            "unsafe",
        ),
    ];
    for technique in Technique::ALL {
        for (source, expect) in programs {
            let (verdict, _) = decide_with(source, |options| Options {
                without: vec![*technique],
                time: Some(Duration::from_secs(10)),
                ..options
            });
            let fits = verdict == expect || verdict == "unknown";
            assert!(fits, "{verdict} without {technique}: {source}");
        }
    }
}
