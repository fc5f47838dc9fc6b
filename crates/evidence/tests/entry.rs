//! Calls of functions other than `main`: the interpreter and the machine get
//! the same arguments and agree on whether the error is reached.

use attest_evidence::test::FORMAT;
use attest_evidence::{ErrorReached, ReplayOutcome, Test, confirm, replay};
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Overflow, Rest};
use attest_frontend::{Source, load};
use attest_llvm::clang;
use attest_proof::{DataModel, HashedFile};
use std::sync::Arc;
use std::time::Duration;

const PROGRAM: &str = r#"
extern void reach_error(void);
struct node { int v; struct node *next; char tag; };
struct both { double d; struct node *n; short s; };
union word { int i; struct node *p; };
static int less(int a, int b) { return a < b; }
static int same(int a, int b) { return a == b; }
int (*const orders[])(int, int) = {less, same};

__attribute__((used))
static void f(int a, struct node *n, struct both b, union word *w,
              int (*order)(int, int), char *text, struct node **list, _Bool t) {
  unsigned h = a * 31u + t;
  if (n) { h += n->v + (n->next == n) + (n->next == 0) * 3 + n->tag; n->v = 5; }
  if (b.n) h = h * 7 + b.n->v + (b.n == n) * 2;
  h += b.s;
  if (w) w->i = 9;
  if (order) h += order(a, 10) * 4;
  if (text) { h += text[0]; *text = 3; }
  if (n) h += n->tag;
  if (list && *list) h += (*list)->v * 3;
  if (h & 1) reach_error();
}
"#;

/// Runs the function on random arguments, in the interpreter and natively.
fn agree(data_model: DataModel, seed: u64) -> Option<bool> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.i");
    std::fs::write(&file, PROGRAM).unwrap();
    let mut source = Source {
        files: vec![file.clone()],
        data_model: match data_model {
            DataModel::Ilp32 => clang::DataModel::Ilp32,
            DataModel::Lp64 => clang::DataModel::Lp64,
        },
        ..Source::default()
    };
    source.model.entry = "f".into();
    let program = load(&source).unwrap();
    let caller = program.caller.as_ref().expect("a caller");
    // Some contents for every object.
    let mut unknown = std::collections::BTreeMap::new();
    for (i, object) in caller.objects.iter().enumerate() {
        for at in 0..object.size {
            let number = program.first_dynamic().0 + i as u32;
            let byte = (seed ^ at.wrapping_mul(37) ^ (i as u64 * 11)) as u8;
            unknown.insert((number, at), byte);
        }
    }
    let inputs = Arc::new(Inputs {
        rest: Rest::Random(seed),
        unknown: Arc::new(unknown),
        ..Inputs::default()
    });
    let mut run = Interpreter::new(&program, inputs.clone(), Overflow::Wrap, Limits::default());
    let outcome = run.run();
    let fails = match &outcome {
        Outcome::Error(_) => true,
        Outcome::Returned(_) => false,
        // A union that was overwritten is no pointer any more.
        Outcome::Bailed(_) => return None,
        other => panic!("seed {seed}: {other:?}"),
    };
    let test = Test {
        format: FORMAT.into(),
        tool: "attest".into(),
        files: vec![HashedFile::of(&file).unwrap()],
        data_model,
        clang_args: Vec::new(),
        stubs: Vec::new(),
        database: None,
        rule: None,
        entry: "f".into(),
        malloc: Default::default(),
        errors: source.model.errors.clone(),
        inputs: Vec::new(),
        uninitialised: Vec::new(),
        memory: Vec::new(),
        unwritten: Vec::new(),
        arguments: None,
        error: Some(ErrorReached::default()),
        violation: None,
    };
    let test = test.with_run(&program, &run.machine.taken, &inputs);
    let test = Test::parse(&test.to_json()).unwrap();
    let again = confirm(&program, &test, Overflow::Wrap, Limits::default());
    assert_eq!(again.unwrap(), outcome, "seed {seed}: the test as a file");
    match replay(&test, Duration::from_secs(10)).unwrap() {
        ReplayOutcome::Failed(_) => assert!(fails, "seed {seed}: only natively"),
        ReplayOutcome::Passed(Some(0)) => assert!(!fails, "seed {seed}: only interpreted"),
        other => panic!("seed {seed}: {other}\n{}", test.to_json()),
    }
    Some(fails)
}

fn check(data_model: DataModel) {
    let runs: Vec<bool> = (1..=12).filter_map(|s| agree(data_model, s)).collect();
    let fails = runs.iter().filter(|fails| **fails).count();
    assert!(fails >= 2 && fails + 2 <= runs.len(), "{fails} of {runs:?}");
}

#[test]
fn lp64() {
    check(DataModel::Lp64);
}

#[test]
fn ilp32() {
    check(DataModel::Ilp32);
}
