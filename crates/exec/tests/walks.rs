//! Runs against the graph: every run is a walk along its edges, and nothing
//! that is dead at a location matters after it.

mod common;

use attest_exec::{CutTable, Go, Interpreter, Limits, Observer, Outcome, Overflow, Val};
use attest_model::graph::{EdgeOp, Graph, Outcome as Ending};
use attest_model::*;
use common::programs::PROGRAMS;

const GRANULARITIES: [Granularity; 3] = [Granularity::Insn, Granularity::Basic, Granularity::Large];

fn limits() -> Limits {
    Limits {
        steps: 5_000,
        ..Default::default()
    }
}

/// Calls `f` with each program and its inlined form, and each list of inputs.
/// The steps are few, but the programs of the differential tests are many.
fn each_run(mut f: impl FnMut(&Program, &str)) {
    for case in PROGRAMS {
        let program = common::model(case.source);
        let flat = inline(&program, &InlineOptions::default());
        for inputs in case.inputs {
            f(&program, inputs);
            f(&flat, inputs);
        }
    }
    for (_, program) in common::differential_programs() {
        f(&program, "");
        f(&inline(&program, &InlineOptions::default()), "");
    }
}

/// An activation as the walker knows it: the last location, and the blocks since then.
struct Walked {
    at: Option<Loc>,
    blocks: Vec<BlockId>,
}

struct Walker<'g> {
    graph: &'g Graph,
    stack: Vec<Walked>,
    edges: usize,
}

impl Walker<'_> {
    /// Brings the stack to the depth of the run. What is taken off has returned.
    fn adjust(&mut self, run: &Interpreter<'_>) {
        let depth = run.depth() as usize + 1;
        while self.stack.len() > depth {
            self.leave(Ending::Return);
        }
        if self.stack.len() < depth {
            self.stack.push(Walked {
                at: None,
                blocks: Vec::new(),
            });
        }
        assert_eq!(self.stack.len(), depth);
    }

    /// The innermost activation ends.
    fn leave(&mut self, ending: Ending) {
        let walked = self.stack.pop().expect("an activation");
        let at = walked.at.expect("each activation starts at a location");
        let function = self.graph.location(at).function.expect("it has a function");
        let end = self.graph.functions[function.0 as usize].ends[&ending];
        self.check_edge(at, end, &walked.blocks, ending);
    }

    fn check_edge(&mut self, from: Loc, to: Loc, walked: &[BlockId], ending: Ending) {
        let edges = self.graph.outgoing[from.0 as usize].iter();
        let fits = edges.map(|e| self.graph.edge(*e)).any(|edge| {
            edge.dst == to
                && match &edge.op {
                    EdgeOp::Init => false,
                    EdgeOp::Call(_, outcome) => *outcome == ending,
                    EdgeOp::Block(blocks) => {
                        let mut rest = blocks.iter();
                        walked.iter().all(|b| rest.any(|other| other == b))
                    }
                }
        });
        assert!(fits, "no edge from {from:?} to {to:?} through {walked:?}");
        self.edges += 1;
    }

    fn finish(&mut self, run: &Interpreter<'_>, outcome: &Outcome) {
        let ending = match outcome {
            Outcome::Returned(_) => Ending::Return,
            Outcome::Exited(_) | Outcome::Aborted => Ending::Halt,
            Outcome::Error(_) => Ending::Error,
            Outcome::Bailed(bail) => Ending::Bail(bail.kind),
            _ => return,
        };
        if ending != Ending::Return {
            let top = self.stack.last_mut().expect("an activation");
            if top.blocks.last() != Some(&run.frame.block) {
                top.blocks.push(run.frame.block);
            }
        }
        while !self.stack.is_empty() {
            self.leave(ending);
        }
    }
}

impl Observer for Walker<'_> {
    const CUTS: bool = true;
    const STEPS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        self.adjust(run);
        let top = self.stack.last_mut().expect("an activation");
        let mut blocks = std::mem::take(&mut top.blocks);
        match top.at.replace(at) {
            None => {
                let entry = self.graph.functions[run.frame.function.0 as usize].entry;
                assert_eq!(at, entry);
            }
            Some(from) => {
                if run.frame.index > 0 {
                    blocks.push(run.frame.block);
                }
                self.check_edge(from, at, &blocks, Ending::Return);
            }
        }
        Go::On
    }

    fn ended_block(&mut self, run: &mut Interpreter<'_>, _: &Terminator, _: PlaceId) {
        self.adjust(run);
        let top = self.stack.last_mut().expect("an activation");
        top.blocks.push(run.frame.block);
    }
}

#[test]
fn every_run_is_a_walk_along_edges() {
    let mut edges = [0; 3];
    each_run(|program, inputs| {
        for (i, granularity) in GRANULARITIES.into_iter().enumerate() {
            let graph = Graph::of(program, granularity);
            let cuts = CutTable::of(program, &graph);
            let mut walker = Walker {
                graph: &graph,
                stack: Vec::new(),
                edges: 0,
            };
            let inputs = common::inputs(inputs, "");
            let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits());
            let outcome = run.watch(&mut walker, &cuts);
            walker.finish(&run, &outcome);
            edges[i] += walker.edges;
        }
    });
    assert!(edges[0] > edges[1] && edges[1] > edges[2] && edges[2] > 1000);
}

/// Overwrites every register that is dead at a location.
struct Spoiler<'g> {
    graph: &'g Graph,
    spoiled: usize,
}

impl Observer for Spoiler<'_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        let live = &self.graph.location(at).live;
        for (i, value) in run.frame.regs.iter_mut().enumerate() {
            if live.binary_search(&Reg(i as u32)).is_err() {
                *value = Val {
                    lo: 0xdead_beef_dead_beef,
                    hi: 0xdead_beef,
                };
                self.spoiled += 1;
            }
        }
        Go::On
    }
}

#[test]
fn dead_registers_do_not_matter() {
    each_run(|program, inputs| {
        let start = || {
            let inputs = common::inputs(inputs, "");
            let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits());
            run.machine.output = Some(Vec::new());
            run
        };
        let mut plain = start();
        let outcome = plain.run();
        for granularity in GRANULARITIES {
            let graph = Graph::of(program, granularity);
            let cuts = CutTable::of(program, &graph);
            let mut spoiler = Spoiler {
                graph: &graph,
                spoiled: 0,
            };
            let mut run = start();
            assert_eq!(run.watch(&mut spoiler, &cuts), outcome);
            assert_eq!(run.steps, plain.steps);
            assert_eq!(run.machine.output, plain.machine.output);
            assert_eq!(run.machine.globals, plain.machine.globals);
            assert_eq!(run.machine.memory.in_use(), plain.machine.memory.in_use());
            assert!(spoiler.spoiled > 0 || granularity == Granularity::Large);
        }
    });
}
