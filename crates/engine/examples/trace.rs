//! Prints the events of a run, for whoever wants to know why a proof is not found:
//! `cargo run -p attest-engine --example trace -- FILE.c [insn|basic|large] [STRATEGY]`.

use attest_engine::events::View;
use attest_engine::{Engine, Event, Options, Strategy};
use attest_llvm::clang::{Clang, compile};
use attest_model::{Granularity, Graph, InlineOptions, inline, lower};
use attest_solver::{Blaster, Cached};
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let clang = Clang::find().expect("clang is installed");
    let text =
        compile(&clang, &Default::default(), std::path::Path::new(&args[1])).expect("compiles");
    let module = attest_llvm::read_module(&text, "x.c").expect("reads");
    let program = lower(&module, &Default::default()).expect("lowers");
    let partial = args.get(4).is_some();
    let options = if partial {
        InlineOptions {
            partial: Some(attest_model::Partial {
                small: 0,
                once: 0,
                growth: 3,
            }),
            ..Default::default()
        }
    } else {
        InlineOptions {
            recursion: 4,
            most_insts: 50_000,
            ..Default::default()
        }
    };
    let program = inline(&program, &options);
    let granularity = match args.get(2).map(String::as_str) {
        Some("basic") => Granularity::Basic,
        Some("insn") => Granularity::Insn,
        _ => Granularity::Large,
    };
    let strategy = match args.get(3).map(String::as_str) {
        Some("dash") => Strategy::DASH,
        Some("lctd") => Strategy::LCTD,
        Some("synergy") => Strategy::SYNERGY,
        Some("control") => Strategy::CONTROL,
        _ => Strategy::DATA,
    };
    let graph = Graph::of(&program, granularity);
    let options = Options {
        time: Some(Duration::from_secs(20)),
        strategy,
        self_check: true,
        ..Default::default()
    };
    let mut left: i32 = std::env::var("LINES")
        .ok()
        .and_then(|l| l.parse().ok())
        .unwrap_or(400);
    let watch = move |view: &View<'_>, event: &Event| {
        left -= 1;
        if left < 0 {
            return;
        }
        let region = |id| {
            let r: &attest_engine::regions::Region = view.regions.region(id);
            let parts: Vec<String> = r.predicate.iter().map(|p| view.terms.to_c(*p)).collect();
            format!(
                "{:?}#{:?} {:?} {}",
                r.loc,
                id,
                view.graph.location(r.loc).kind,
                parts.join(" && ")
            )
        };
        match event {
            Event::Frontier { frontier, depth } => eprintln!(
                "frontier depth {depth:?}\n   {}\n   {}",
                region(frontier.from),
                region(frontier.to)
            ),
            Event::Split {
                rho, generator, to, ..
            } => eprintln!("split {generator} to {to:?}: {}", view.terms.to_c(*rho)),
            Event::Question { kind, answer, time } => eprintln!("  ? {kind:?} {answer:?} {time:?}"),
            Event::Test {
                why,
                nodes,
                outcome,
                inputs,
                ..
            } => eprintln!("  test {why:?} {nodes} {outcome:?} {:?}", inputs.nondet),
            Event::Missed(_) => eprintln!("  MISSED"),
            other => eprintln!("  {other:?}"),
        }
    };
    let mut engine = Engine::new(
        &program,
        &graph,
        options,
        Box::new(Cached::new(Blaster::new())),
    )
    .watched_by(watch);
    let verdict = engine.run();
    eprintln!("{verdict:?}\n{:?}", engine.statistics());
}
