//! Facts about loops with what the engine says of them besides the verdict; programs where
//! only the verdict counts are in `tests/programs/loops`.

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
        most_effort: Some(Duration::from_secs(120)),
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
    let alone = statistics.invariants.get("single-run").copied();
    assert!(alone.is_some_and(|n| n > 0), "{statistics:?}");
    check(&ring.replace("LAST", "6"), "unsafe");
}

/// No one technique is all that these need: without any of them the verdict is the same.
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
            let (verdict, statistics) = decide_with(source, |options| Options {
                without: vec![*technique],
                most_effort: Some(Duration::from_secs(3)),
                ..options
            });
            // Splits by whole preconditions never end on a loop without a bound.
            let expect = match (technique, expect) {
                (Technique::Cores, "safe") => "unknown",
                _ => expect,
            };
            assert_eq!(verdict, expect, "without {technique}: {statistics:?}");
        }
    }
}
