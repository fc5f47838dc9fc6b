//! Scratch: run .ll files.
use attest_exec::*;
use std::sync::Arc;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let t = std::time::Instant::now();
    let module = attest_llvm::read_module(&text, &args[1]).unwrap();
    let t1 = t.elapsed();
    let program = attest_model::lower(&module, &Default::default()).unwrap();
    let t2 = t.elapsed();
    let g = attest_model::Graph::of(&program, Default::default());
    let t3 = t.elapsed();
    eprintln!(
        "read {t1:?} lower {:?} graph {:?} locs {} edges {}",
        t2 - t1,
        t3 - t2,
        g.locations.len(),
        g.edges.len()
    );
    if args.len() > 2 && args[2] == "-p" {
        for f in &program.functions {
            println!("{:#?}", f);
        }
        return;
    }
    let steps = args
        .get(2)
        .and_then(|s| s.parse().ok())
        .unwrap_or(100_000_000);
    let mut run = Interpreter::new(
        &program,
        Arc::new(Inputs::default()),
        Overflow::Wrap,
        Limits {
            steps,
            ..Default::default()
        },
    );
    run.machine.output = Some(vec![]);
    let out = run.run();
    print!(
        "{}",
        String::from_utf8_lossy(run.machine.output.as_ref().unwrap())
    );
    eprintln!(
        "{out:?} at {} steps {} in {:?}",
        program.place(run.place()),
        run.steps,
        t.elapsed() - t3
    );
}
