//! Cut points and edges of handwritten functions, and the time that big ones take.

use attest_model::cuts::{MOST_BLOCKS, cut_points, loop_heads};
use attest_model::graph::{EdgeOp, Graph, LocKind};
use attest_model::liveness::Liveness;
use attest_model::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const GRANULARITIES: [Granularity; 3] = [Granularity::Insn, Granularity::Basic, Granularity::Large];

fn model(text: &str) -> Program {
    let module = attest_llvm::read_module(text, "test.ll").unwrap_or_else(|e| panic!("{e}"));
    lower(&module, &Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Two nested loops with a phi each.
const NESTED: &str = "
define i32 @main(i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %next ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %inner, label %done
inner:
  %j = phi i32 [ %i, %outer ], [ %j2, %inner ]
  %j2 = add i32 %j, 1
  %d = icmp slt i32 %j2, %m
  br i1 %d, label %inner, label %next
next:
  %i2 = add i32 %i, %j2
  br label %outer
done:
  ret i32 %i
}";

/// A loop of two blocks that is entered at either.
const IRREDUCIBLE: &str = "
define i32 @main(i32 %n, i1 %which) {
entry:
  br i1 %which, label %left, label %right
left:
  %a = phi i32 [ %n, %entry ], [ %b2, %right ]
  %a2 = sub i32 %a, 3
  %c = icmp sgt i32 %a2, 0
  br i1 %c, label %right, label %done
right:
  %b = phi i32 [ 7, %entry ], [ %a2, %left ]
  %b2 = xor i32 %b, 5
  %d = icmp sgt i32 %b2, 2
  br i1 %d, label %left, label %done
done:
  %r = phi i32 [ %a2, %left ], [ %b2, %right ]
  ret i32 %r
}";

/// Calls, a call in a loop, an error, a way out of the model, an end.
const CALLS: &str = "
declare void @reach_error()
declare void @abort()
declare i32 @missing(i32)
define i32 @half(i32 %x) {
  %z = icmp eq i32 %x, 13
  br i1 %z, label %bad, label %good
bad:
  call void @reach_error()
  unreachable
good:
  %h = sdiv i32 %x, 2
  ret i32 %h
}
define i32 @main(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %k, %more ]
  %h = call i32 @half(i32 %i)
  %g = call i32 @half(i32 %h)
  %k = sub i32 %i, %g
  store i32 %k, ptr %p
  %c = icmp sgt i32 %k, 10
  br i1 %c, label %more, label %done
more:
  %e = icmp eq i32 %k, 99
  br i1 %e, label %stop, label %loop
stop:
  call void @abort()
  unreachable
done:
  %w = icmp eq i32 %k, 5
  br i1 %w, label %out, label %fine
out:
  %m = call i32 @missing(i32 %k)
  ret i32 %m
fine:
  ret i32 %k
}";

/// So many diamonds in a row.
fn diamonds(count: usize) -> String {
    let mut text = String::from("define i32 @main(i32 %n) {\nentry:\n  br label %d0\n");
    for i in 0..count {
        let (v, from) = match i {
            0 => (String::from("%n"), String::new()),
            _ => (format!("%v{i}"), format!("%r{}", i - 1)),
        };
        text += &format!("d{i}:\n");
        if i > 0 {
            let last = i - 1;
            text += &format!("  {v} = phi i32 [ %a{last}, %l{last} ], [ %b{last}, {from} ]\n");
        }
        text += &format!(
            "  %c{i} = icmp sgt i32 {v}, {i}\n  br i1 %c{i}, label %l{i}, label %r{i}\n\
             l{i}:\n  %a{i} = add i32 {v}, {i}\n  br label %d{next}\n\
             r{i}:\n  %b{i} = mul i32 {v}, 3\n  br label %d{next}\n",
            next = i + 1
        );
    }
    let last = count - 1;
    text += &format!(
        "d{count}:\n  %x = phi i32 [ %a{last}, %l{last} ], [ %b{last}, %r{last} ]\n  ret i32 %x\n}}\n"
    );
    text
}

fn programs() -> Vec<Program> {
    let texts = [NESTED, IRREDUCIBLE, CALLS].map(String::from);
    let mut all: Vec<Program> = texts.iter().map(|t| model(t)).collect();
    all.push(model(&diamonds(40)));
    let flat = all.iter().map(|p| inline(p, &InlineOptions::default()));
    let flat: Vec<Program> = flat.collect();
    all.extend(flat);
    all
}

fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    let mut out = Vec::new();
    function.block(block).end.targets(|t| out.push(t.block));
    out
}

/// Whether the blocks that are left without these have no cycle: Kahn's algorithm, unlike the code under test.
fn acyclic_without(function: &Function, removed: &BTreeSet<BlockId>) -> bool {
    let ids = (0..function.blocks.len() as u32).map(BlockId);
    let mut left: BTreeSet<BlockId> = ids.filter(|b| !removed.contains(b)).collect();
    loop {
        let entered: BTreeSet<BlockId> = left
            .iter()
            .flat_map(|b| successors(function, *b))
            .filter(|b| left.contains(b))
            .collect();
        let before = left.len();
        left.retain(|b| entered.contains(b));
        if left.len() == before {
            return left.is_empty();
        }
    }
}

#[test]
fn every_cycle_has_a_head() {
    for program in programs() {
        for function in &program.functions {
            assert!(acyclic_without(function, &loop_heads(function)));
        }
    }
    let heads = |text| loop_heads(&model(text).functions[0]).len();
    assert_eq!(heads(NESTED), 2);
    assert_eq!(heads(IRREDUCIBLE), 1);
    assert_eq!(heads(&diamonds(3)), 0);
}

#[test]
fn granularities_refine_each_other() {
    for program in programs() {
        for function in &program.functions {
            let [insn, basic, large] = GRANULARITIES.map(|g| cut_points(function, g));
            assert!(insn.is_superset(&basic) && basic.is_superset(&large));
            let mut mandatory = BTreeSet::from([Position::start(BlockId(0))]);
            mandatory.extend(loop_heads(function).into_iter().map(Position::start));
            for (b, block) in function.blocks.iter().enumerate() {
                let block_id = BlockId(b as u32);
                assert!(basic.contains(&Position::start(block_id)));
                for (i, inst) in block.insts.iter().enumerate() {
                    if let Inst::Call(_) = inst {
                        let sides = [i, i + 1].map(|i| Position {
                            block: block_id,
                            index: i as u32,
                        });
                        mandatory.extend(sides);
                    }
                }
            }
            assert!(large.is_superset(&mandatory));
            let all: usize = function.blocks.iter().map(|b| b.insts.len() + 1).sum();
            assert_eq!(insn.len(), all);
        }
    }
}

#[test]
fn steps_are_acyclic_and_start_at_their_source() {
    for program in programs() {
        for granularity in GRANULARITIES {
            let graph = Graph::of(&program, granularity);
            for edge in &graph.edges {
                let EdgeOp::Block(blocks) = &edge.op else {
                    continue;
                };
                let source = graph.location(edge.src);
                let position = source.position.expect("steps start at cut points");
                let function = program.function(source.function.expect("it is in a function"));
                assert_eq!(blocks[0], position.block);
                assert_eq!(blocks.iter().collect::<BTreeSet<_>>().len(), blocks.len());
                // In topological order, but for the way back to the source's own start.
                let at: BTreeMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
                let cuts = &graph.functions[source.function.map_or(0, |f| f.0 as usize)].cuts;
                for (i, block) in blocks.iter().enumerate() {
                    for next in successors(function, *block) {
                        let inside = at
                            .get(&next)
                            .filter(|_| !cuts.contains_key(&Position::start(next)));
                        assert!(inside.is_none_or(|j| *j > i));
                    }
                }
            }
        }
    }
}

#[test]
fn edges_and_locations_know_each_other() {
    for program in programs() {
        for granularity in GRANULARITIES {
            let graph = Graph::of(&program, granularity);
            for (i, edge) in graph.edges.iter().enumerate() {
                let id = attest_model::graph::EdgeId(i as u32);
                assert!(graph.outgoing[edge.src.0 as usize].contains(&id));
                assert!(graph.incoming[edge.dst.0 as usize].contains(&id));
            }
            for (i, location) in graph.locations.iter().enumerate() {
                let ways_out = graph.outgoing[i].len();
                let is_end = matches!(
                    location.kind,
                    LocKind::Exit | LocKind::Error | LocKind::Halt | LocKind::Bail(_)
                );
                assert_eq!(ways_out == 0, is_end, "{location:?}");
            }
        }
    }
}

#[test]
fn what_happens_in_a_callee_surfaces_at_the_call() {
    let program = model(CALLS);
    let graph = Graph::of(&program, Granularity::Large);
    let mut found = BTreeSet::new();
    for edge in &graph.edges {
        if let EdgeOp::Call(callee, outcome) = edge.op {
            assert_eq!(&*program.function(callee).name, "half");
            found.insert((
                format!("{outcome:?}"),
                format!("{:?}", graph.location(edge.dst).kind),
            ));
        }
    }
    let words: Vec<String> = found.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
    assert_eq!(
        words,
        [
            "Bail(Division) -> Bail(Division)",
            "Error -> Error",
            "Return -> AfterCall",
            "Return -> BeforeCall"
        ]
    );
    // Inlined, the same ends are steps of the entry.
    let flat = inline(&program, &InlineOptions::default());
    let graph = Graph::of(&flat, Granularity::Large);
    let kinds = graph.locations.iter().map(|l| format!("{:?}", l.kind));
    let kinds: BTreeSet<String> = kinds.collect();
    for kind in [
        "Error",
        "Halt",
        "Exit",
        "LoopHead",
        "Bail(Division)",
        "Bail(Extern)",
    ] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    assert!(!kinds.contains("BeforeCall"));
}

#[test]
fn large_steps_are_bounded_at_joins() {
    let program = model(&diamonds(200));
    let graph = Graph::of(&program, Granularity::Large);
    for edge in &graph.edges {
        if let EdgeOp::Block(blocks) = &edge.op {
            assert!(blocks.len() <= MOST_BLOCKS);
        }
    }
    assert!((600 / MOST_BLOCKS..150).contains(&graph.locations.len()));
}

#[test]
fn liveness_sees_through_copies_on_edges() {
    let program = model(IRREDUCIBLE);
    let function = &program.functions[0];
    let liveness = Liveness::of(function);
    let names = |block: u32| -> BTreeSet<&str> {
        let live = liveness.live_in(BlockId(block)).iter();
        live.map(|r| &*function.regs[r.0 as usize].name).collect()
    };
    assert_eq!(names(0), BTreeSet::from(["n", "which"]));
    for block in 1..function.blocks.len() as u32 {
        assert!(names(block).len() == 1, "{:?}", names(block));
    }
    for (b, block) in function.blocks.iter().enumerate() {
        let id = BlockId(b as u32);
        let indices: Vec<usize> = (0..=block.insts.len()).collect();
        let each = liveness.before_each(function, id, &indices);
        for (index, live) in indices.into_iter().zip(each) {
            let one: Vec<Reg> = liveness.before(function, id, index).iter().collect();
            assert_eq!(one, live);
        }
    }
}

/// `main` calls `work` so many times; `work` is a loop around ten diamonds with
/// a hundred instructions, and a value of `main` is live across each call.
fn many_calls(calls: usize) -> String {
    let mut text = String::from("define i32 @work(i32 %n, ptr %p) {\nentry:\n  br label %d0\n");
    for d in 0..10 {
        let v = format!("%v{d}");
        let from = match d {
            0 => String::from("[ %n, %entry ], [ %v10, %d10 ]"),
            _ => format!("[ %x{0}8, %l{0} ], [ %w{0}, %r{0} ]", d - 1),
        };
        text += &format!("d{d}:\n  {v} = phi i32 {from}\n  %c{d} = icmp sgt i32 {v}, {d}\n");
        text +=
            &format!("  br i1 %c{d}, label %l{d}, label %r{d}\nl{d}:\n  %x{d}0 = xor i32 {v}, 7\n");
        for i in 1..9 {
            text += &format!("  %x{d}{i} = mul i32 %x{d}{}, {v}\n", i - 1);
        }
        text += &format!(
            "  store i32 %x{d}8, ptr %p\n  br label %d{0}\nr{d}:\n  %w{d} = load i32, ptr %p\n  br label %d{0}\n",
            d + 1
        );
    }
    text += "d10:\n  %v10 = phi i32 [ %x98, %l9 ], [ %w9, %r9 ]\n  %c = icmp sgt i32 %v10, 100\n";
    text += "  br i1 %c, label %d0, label %done\ndone:\n  ret i32 %v10\n}\n";
    text += "define i32 @main(i32 %n, ptr %p) {\n  %k0 = add i32 %n, 1\n";
    for i in 0..calls {
        let next = i + 1;
        text += &format!(
            "  %r{i} = call i32 @work(i32 %k{i}, ptr %p)\n  %k{next} = add i32 %r{i}, %n\n"
        );
    }
    text + &format!("  ret i32 %k{calls}\n}}\n")
}

fn timed<T>(what: &str, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = f();
    let took = start.elapsed();
    eprintln!("{what}: {} ms", took.as_millis());
    // Generous, for a loaded machine without optimisation; quadratic behaviour is far beyond.
    assert!(took < Duration::from_secs(20), "{what} took {took:?}");
    result
}

#[test]
fn big_functions_do_not_take_long() {
    let program = model(&many_calls(1000));
    let options = InlineOptions {
        recursion: 1,
        most_insts: 1_000_000,
        ..Default::default()
    };
    let flat = timed("inlining", || inline(&program, &options));
    let function = &flat.functions[0];
    let insts: usize = function.blocks.iter().map(|b| b.insts.len()).sum();
    eprintln!(
        "{insts} instructions, {} blocks, {} registers",
        function.blocks.len(),
        function.regs.len()
    );
    assert!(function.blocks.len() > 20_000 && insts > 100_000);
    timed("liveness", || Liveness::of(function));
    for granularity in GRANULARITIES {
        let graph = timed(&format!("graph {granularity:?}"), || {
            Graph::of(&flat, granularity)
        });
        eprintln!(
            "{} locations, {} edges",
            graph.locations.len(),
            graph.edges.len()
        );
    }
    // And one long straight line.
    let mut text =
        String::from("define i32 @one(i32 %n) {\n  %x = mul i32 %n, %n\n  ret i32 %x\n}\n");
    text += "define i32 @main(i32 %n) {\n  %k0 = add i32 %n, 1\n";
    for i in 0..50_000 {
        text += &format!("  %k{} = call i32 @one(i32 %k{i})\n", i + 1);
    }
    let program = model(&(text + "  ret i32 %k50000\n}\n"));
    let flat = timed("a straight line", || inline(&program, &options));
    assert_eq!(flat.functions[0].blocks.len(), 1);
    timed("its graph", || Graph::of(&flat, Granularity::Insn));
}
