//! The model of a program as text and as a graph for Graphviz.

use crate::survey::Survey;
use crate::words;
use attest_model::graph::{Edge, EdgeOp, LocKind, Outcome};
use attest_model::*;
use std::fmt::Write;

/// Functions with their locations and edges, then what is missing and how the model can be left.
pub fn text(program: &Program, graph: &Graph) -> String {
    let survey = Survey::of(program);
    let mut out = String::new();
    for id in &survey.functions {
        let function = program.function(*id);
        let at = words::place(program, function.place);
        let _ = writeln!(out, "function {} at {at}", function.name);
        for (number, location) in graph.locations.iter().enumerate() {
            if location.function != Some(*id) {
                continue;
            }
            let kind = kind(location.kind);
            let at = words::place(program, location.place);
            let _ = writeln!(out, "  L{number} {kind} at {at}");
            for edge in &graph.outgoing[number] {
                let edge = graph.edge(*edge);
                let _ = writeln!(out, "    -> L{} {}", edge.dst.0, operation(program, edge));
            }
        }
    }
    out.push_str(&survey.gaps(program));
    let ways: Vec<String> = survey
        .ways_out
        .iter()
        .map(|(kind, n)| format!("{} {n}", kind.word()))
        .collect();
    if !ways.is_empty() {
        let _ = writeln!(out, "ways out of the model: {}", ways.join(", "));
    }
    out
}

/// The graph in Graphviz's language, a cluster a function.
pub fn dot(program: &Program, graph: &Graph) -> String {
    let survey = Survey::of(program);
    let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
    for id in &survey.functions {
        let name = &program.function(*id).name;
        let _ = writeln!(out, "  subgraph cluster_{} {{ label=\"{name}\";", id.0);
        for (number, location) in graph.locations.iter().enumerate() {
            if location.function == Some(*id) {
                let kind = kind(location.kind);
                let at = words::place(program, location.place);
                let label = format!("L{number} {kind}\n{at}");
                let _ = writeln!(out, "    L{number} [label=\"{}\"];", label.escape_default());
            }
        }
        out.push_str("  }\n");
    }
    let shown = |loc: Loc| {
        let function = graph.location(loc).function;
        function.is_some_and(|f| survey.functions.contains(&f))
    };
    for edge in graph.edges.iter().filter(|e| shown(e.src)) {
        let label = operation(program, edge);
        let (src, dst) = (edge.src.0, edge.dst.0);
        let _ = writeln!(
            out,
            "  L{src} -> L{dst} [label=\"{}\"];",
            label.escape_default()
        );
    }
    out.push_str("}\n");
    out
}

fn kind(kind: LocKind) -> String {
    match kind {
        LocKind::Root => "root".into(),
        LocKind::Entry => "entry".into(),
        LocKind::Exit => "exit".into(),
        LocKind::LoopHead => "loop head".into(),
        LocKind::BeforeCall => "before call".into(),
        LocKind::AfterCall => "after call".into(),
        LocKind::Inner => "inner".into(),
        LocKind::Error => "ERROR".into(),
        LocKind::Halt => "halt".into(),
        LocKind::Bail(kind) => format!("BAIL {}", kind.word()),
    }
}

fn operation(program: &Program, edge: &Edge) -> String {
    match &edge.op {
        EdgeOp::Init => "init".into(),
        EdgeOp::Block(blocks) => format!("by {}", words::count(blocks.len(), "block")),
        EdgeOp::Call(callee, outcome) => {
            let name = &program.function(*callee).name;
            match outcome {
                Outcome::Return => format!("call of {name}"),
                Outcome::Error => format!("error in {name}"),
                Outcome::Halt => format!("end in {name}"),
                Outcome::Bail(kind) => format!("{} in {name}", kind.word()),
            }
        }
    }
}
