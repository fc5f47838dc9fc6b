//! Scratch: run the engine on a C file.
use attest_engine::*;
use attest_llvm::clang::{Clang, DataModel, Options as ClangOptions, compile};
use attest_model::{Granularity, Graph, InlineOptions, inline, lower};
use attest_solver::Blaster;
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = std::path::Path::new(&args[1]);
    let data_model = if args.iter().any(|a| a == "ILP32") {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    let limit: u64 = args.get(3).and_then(|a| a.parse().ok()).unwrap_or(20);
    let granularity = if args.iter().any(|a| a == "basic") {
        Granularity::Basic
    } else {
        Granularity::Large
    };
    let clang = Clang::find().unwrap();
    let text = compile(
        &clang,
        &ClangOptions {
            data_model,
            ..Default::default()
        },
        path,
    )
    .unwrap();
    let module = attest_llvm::read_module(&text, &args[1]).unwrap();
    let program = lower(&module, &Default::default()).unwrap();
    let program = inline(
        &program,
        &InlineOptions {
            recursion: 4,
            most_insts: 100_000,
        },
    );
    let graph = Graph::of(&program, granularity);
    if args.iter().any(|a| a == "show") {
        println!("{}", attest_model::show::text(&program, &graph));
    }
    let options = Options {
        time: Some(Duration::from_secs(limit)),
        granularity,
        ..Default::default()
    };
    let mut engine = Engine::new(&program, &graph, options, Box::new(Blaster::new()));
    let verdict = engine.run();
    println!("{:?}", engine.statistics);
    match verdict {
        Verdict::Safe(proof) => {
            for (loc, inv) in &proof.invariants {
                let text: String = engine.terms.to_c(*inv).chars().take(300).collect();
                println!("  L{} {:?}: {}", loc.0, graph.location(*loc).kind, text);
            }
            println!("verdict: safe");
        }
        Verdict::Unsafe(test) => println!(
            "verdict: unsafe {:?} at {}",
            test.inputs.nondet,
            program.place(test.place)
        ),
        Verdict::Unknown(reason) => println!("verdict: unknown ({reason})"),
    }
}
