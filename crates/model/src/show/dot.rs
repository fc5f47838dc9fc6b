//! The graph of locations for Graphviz, a box per function.

use super::{edge_name, kind_name};
use crate::graph::{Graph, LocKind};
use crate::program::*;
use std::fmt::Write;

/// The graph in the DOT language.
pub fn dot(program: &Program, graph: &Graph) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_dot(program, graph, &mut out);
    out
}

fn write_dot(program: &Program, graph: &Graph, out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph attest {{")?;
    writeln!(
        out,
        "  node [shape=box, style=rounded, fontname=\"monospace\"];"
    )?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=10];")?;
    writeln!(out, "  L0 [label=\"root\", shape=point];")?;
    for (id, function) in program.functions.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{id} {{")?;
        writeln!(out, "    label=\"{}\";", quote(&function.name))?;
        for (l, location) in graph.locations.iter().enumerate() {
            if location.function != Some(FnId(id as u32)) {
                continue;
            }
            let place = program.place(location.place);
            let line = if location.position.is_some() {
                format!("\\nline {}", place.line)
            } else {
                String::new()
            };
            let style = match location.kind {
                LocKind::Error => ", color=red, fontcolor=red",
                LocKind::Bail(_) => ", color=gray, fontcolor=gray",
                LocKind::LoopHead => ", peripheries=2",
                _ => "",
            };
            writeln!(
                out,
                "    L{l} [label=\"L{l} {}{line}\"{style}];",
                kind_name(location.kind)
            )?;
        }
        writeln!(out, "  }}")?;
    }
    for edge in &graph.edges {
        let style = match graph.location(edge.dst).kind {
            LocKind::Bail(_) => ", color=gray, fontcolor=gray",
            LocKind::Error => ", color=red, fontcolor=red",
            _ => "",
        };
        writeln!(
            out,
            "  L{} -> L{} [label=\"{}\"{style}];",
            edge.src.0,
            edge.dst.0,
            quote(&edge_name(program, edge))
        )?;
    }
    writeln!(out, "}}")
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
