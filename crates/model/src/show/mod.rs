//! The model in readable form: as text, and as a graph for Graphviz.
//!
//! `code` prints instructions, `dot` the graph, `sites` lists unsupported constructs and missing
//! functions.

mod code;
mod dot;
mod sites;

pub use code::Code;
pub use dot::dot;
pub use sites::{Site, bail_sites, missing_functions};

use crate::graph::{Edge, EdgeOp, Graph, Loc, LocKind, Outcome};
use crate::program::*;
use std::fmt::Write;

/// The name of a location's kind.
pub fn kind_name(kind: LocKind) -> String {
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

/// A description of an edge.
pub fn edge_name(program: &Program, edge: &Edge) -> String {
    match &edge.op {
        EdgeOp::Init => "init".into(),
        EdgeOp::Block(blocks) => {
            let names: Vec<String> = blocks.iter().map(|b| format!("B{}", b.0)).collect();
            names.join(" ")
        }
        EdgeOp::Call(callee, outcome) => {
            let name = &program.function(*callee).name;
            match outcome {
                Outcome::Return => format!("call {name}"),
                Outcome::Error => format!("call {name}: error inside"),
                Outcome::Halt => format!("call {name}: program ends inside"),
                Outcome::Bail(kind) => format!("call {name}: {} inside", kind.word()),
            }
        }
    }
}

/// The whole model as text: unsupported constructs first, then each function with its code,
/// locations and edges.
pub fn text(program: &Program, graph: &Graph) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(program, graph, &mut out);
    out
}

/// `1 edge`, `2 edges`.
fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

fn write_text(program: &Program, graph: &Graph, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "{}, {}, {}, {}, {} in registers, {}-bit pointers",
        count(program.functions.len(), "function"),
        count(graph.locations.len(), "location"),
        count(graph.edges.len(), "edge"),
        count(program.objects.len(), "static object"),
        count(program.globals.len(), "global"),
        program.pointer_bits
    )?;
    let missing = missing_functions(program);
    if !missing.is_empty() {
        writeln!(out, "\nfunctions without a body or model:")?;
        for site in &missing {
            writeln!(out, "  {}, called at {}", site.what, site.places(program))?;
        }
    }
    let others = bail_sites(program);
    if !others.is_empty() {
        writeln!(out, "\nunsupported:")?;
        for site in &others {
            writeln!(
                out,
                "  {}: {}, at {}",
                site.kind.word(),
                site.what,
                site.places(program)
            )?;
        }
    }
    for (id, function) in program.functions.iter().enumerate() {
        writeln!(out)?;
        write_function(program, graph, FnId(id as u32), function, out)?;
    }
    Ok(())
}

/// The code of a function, without its places in the source.
pub fn function_code(program: &Program, id: FnId) -> String {
    let function = program.function(id);
    let sorts: Vec<String> = function.regs.iter().map(|r| r.sort.to_string()).collect();
    let mut out = format!(
        "function {} {} {} {:?} {}\n",
        function.name,
        function.params,
        function.varargs,
        function.results,
        sorts.join(" ")
    );
    // Writing to a string cannot fail.
    let _ = write_code(program, function, &mut out);
    out
}

fn write_code(program: &Program, function: &Function, out: &mut String) -> std::fmt::Result {
    let code = Code { program, function };
    for (b, block) in function.blocks.iter().enumerate() {
        writeln!(out, "  B{b}:")?;
        for inst in &block.insts {
            writeln!(out, "    {}", code.inst(inst))?;
        }
        writeln!(out, "    {}", code.end(&block.end))?;
    }
    Ok(())
}

fn write_function(
    program: &Program,
    graph: &Graph,
    id: FnId,
    function: &Function,
    out: &mut String,
) -> std::fmt::Result {
    let made = if function.synthetic {
        ", made by attest"
    } else {
        ""
    };
    writeln!(
        out,
        "function {} at {}{made}",
        function.name,
        program.place(function.place)
    )?;
    write_code(program, function, out)?;
    for (l, location) in graph.locations.iter().enumerate() {
        if location.function != Some(id) {
            continue;
        }
        let loc = Loc(l as u32);
        write!(out, "  L{l} {}", kind_name(location.kind))?;
        if let Some(position) = location.position {
            write!(
                out,
                " B{}.{} {}",
                position.block.0,
                position.index,
                program.place(location.place)
            )?;
            let code = Code { program, function };
            let live: Vec<String> = location.live.iter().map(|r| code.reg(*r)).collect();
            if !live.is_empty() {
                write!(out, " live: {}", live.join(" "))?;
            }
        }
        writeln!(out)?;
        for edge in &graph.outgoing[loc.0 as usize] {
            let edge = graph.edge(*edge);
            writeln!(
                out,
                "    -> L{} by {}",
                edge.dst.0,
                edge_name(program, edge)
            )?;
        }
    }
    Ok(())
}
