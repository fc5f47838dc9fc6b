//! Speed of the interpreter and cost of snapshots, on C programs compiled here.
//!
//! Run with `cargo bench -p attest-exec`. It prints figures and asserts nothing, since machines
//! differ.

use attest_exec::{CutTable, Go, Inputs, Interpreter, Limits, Observer, Overflow, Snapshot};
use attest_llvm::clang::{Clang, Options, compile};
use attest_model::{Granularity, Graph, Loc, Program};
use std::sync::Arc;
use std::time::Instant;

const COUNTING: &str = "
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 5000000; i++)
    sum += i;
  return sum == 7;
}";

const ARRAY: &str = "
char a[1 << 20];
int main(void) {
  for (int i = 0; i < 100000; i++)
    a[(i * 7919u) & 0xfffff] = i;
  return 0;
}";

const CALLS: &str = "
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(25) == 1; }";

fn program(source: &str) -> Program {
    let folder = std::env::temp_dir().join(format!("attest-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("bench.c");
    std::fs::write(&path, source).expect("a temporary file");
    let clang = Clang::find().expect("clang");
    let text = compile(&clang, &Options::default(), &path).expect("it compiles");
    std::fs::remove_dir_all(&folder).ok();
    let module = attest_llvm::read_module(&text, "bench.c").expect("it is read");
    attest_model::lower(&module, &Default::default()).expect("it is modelled")
}

fn start(program: &Program) -> Interpreter<'_> {
    Interpreter::new(
        program,
        Arc::new(Inputs::default()),
        Overflow::Wrap,
        Limits::default(),
    )
}

fn speed(name: &str, source: &str) {
    let program = program(source);
    let mut run = start(&program);
    let clock = Instant::now();
    run.run();
    let seconds = clock.elapsed().as_secs_f64();
    let rate = run.steps as f64 / seconds / 1e6;
    println!(
        "{name:10} {:>12} instructions {seconds:8.3} s {rate:8.1} million/s",
        run.steps
    );
}

/// Keeps every state.
struct Keep<'g> {
    graph: &'g Graph,
    snapshots: Vec<Snapshot>,
}

impl Observer for Keep<'_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        let snapshot = run.snapshot(self.graph, at);
        self.snapshots.push(snapshot);
        Go::On
    }
}

/// Resident memory in bytes, where the system reports it.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = text
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0.0);
    pages * 4096.0
}

fn snapshots() {
    let program = program(ARRAY);
    let graph = Graph::of(&program, Granularity::Large);
    let table = CutTable::of(&program, &graph);
    let mut run = start(&program);
    let mut keep = Keep {
        graph: &graph,
        snapshots: Vec::new(),
    };
    let (clock, before) = (Instant::now(), resident());
    run.watch(&mut keep, &table);
    let (seconds, grown) = (clock.elapsed().as_secs_f64(), resident() - before);
    let count = keep.snapshots.len();
    println!(
        "snapshots  {count:>12} of a 1 MB array {seconds:8.3} s {:8.0} bytes each",
        grown / count as f64
    );
}

fn main() {
    speed("counting", COUNTING);
    speed("array", ARRAY);
    speed("calls", CALLS);
    snapshots();
}
