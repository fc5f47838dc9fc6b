//! A program and its inlined forms do the same.

mod common;

use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::{
    BailKind, InlineOptions, InputKind, Inst, Partial, Program, Terminator, inline,
};
use common::programs::PROGRAMS;

/// Everything about a run that inlining keeps.
#[derive(PartialEq, Debug)]
struct Run {
    outcome: Outcome,
    output: String,
    inputs: Vec<(InputKind, u128)>,
    memory: u64,
}

fn run(program: &Program, nondet: &str) -> Run {
    let limits = Limits {
        steps: 3_000_000,
        ..Default::default()
    };
    let inputs = common::inputs(nondet, "");
    let mut run = Interpreter::new(program, inputs, Overflow::Wrap, limits);
    run.machine.output = Some(Vec::new());
    let outcome = run.run();
    let output = run.machine.output.take().unwrap_or_default();
    let environment =
        |kind: &InputKind| matches!(kind, InputKind::Nondet(_) | InputKind::Result(_));
    let taken = run.machine.taken.iter().filter(|t| environment(&t.kind));
    Run {
        outcome,
        output: String::from_utf8_lossy(&output).into_owned(),
        inputs: taken.map(|t| (t.kind.clone(), t.value.int())).collect(),
        memory: run.machine.memory.in_use(),
    }
}

fn calls(program: &Program) -> usize {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let insts = blocks.flat_map(|b| &b.insts);
    insts.filter(|i| matches!(i, Inst::Call(_))).count()
}

/// Modes of partial inlining: usual bounds, nothing but tiny callees, and all that is not recursive.
fn partial_modes() -> [InlineOptions; 3] {
    let sizes = |small, once, growth| InlineOptions {
        partial: Some(Partial {
            small,
            once,
            growth,
        }),
        ..InlineOptions::default()
    };
    let all = sizes(100_000, 100_000, 1_000);
    [InlineOptions::partial(), sizes(4, 12, 1), all]
}

#[test]
fn a_partly_inlined_program_does_the_same() {
    let mut left = [0; 3];
    for case in PROGRAMS {
        let program = common::model(case.source);
        for (mode, options) in partial_modes().iter().enumerate() {
            let some = inline(&program, options);
            assert_eq!(some.functions.len(), program.functions.len());
            assert_eq!(some.entry, program.entry);
            left[mode] += calls(&some);
            for inputs in case.inputs {
                let (one, two) = (run(&program, inputs), run(&some, inputs));
                assert_eq!(one, two, "for inputs [{inputs}] of {}", case.source);
            }
        }
    }
    // Recursive calls are left in all modes, and others where they are not small.
    assert!(
        left[1] > left[0] && left[0] >= left[2] && left[2] > 0,
        "{left:?}"
    );
}

#[test]
fn real_programs_do_the_same_partly_inlined() {
    for (name, program) in common::differential_programs() {
        let one = run(&program, "");
        for options in partial_modes() {
            let two = run(&inline(&program, &options), "");
            if two.outcome == Outcome::StepLimit || one.outcome == Outcome::StepLimit {
                assert!(
                    one.output.starts_with(&two.output) || two.output.starts_with(&one.output),
                    "{name}"
                );
            } else {
                assert_eq!(one, two, "{name}");
            }
        }
    }
}

#[test]
fn only_what_is_small_or_called_once_is_inlined() {
    let source = "int __VERIFIER_nondet_int(void);
        int tiny(int n) { return n + 1; }
        int loops(int n) { int s = 0; for (int i = 0; i < n; i++) s += tiny(s * i) - (s >> 3) + (s ^ n); return s; }
        int single(int n) { return loops(n) + loops(n + 1); }
        int down(int n) { return n ? down(n - 1) + tiny(n) : 0; }
        int main(void) { return single(__VERIFIER_nondet_int()) + down(3); }";
    let program = common::model(source);
    let options = InlineOptions {
        partial: Some(Partial {
            small: 10,
            once: 100,
            growth: 3,
        }),
        ..InlineOptions::default()
    };
    let some = inline(&program, &options);
    let callees = |name: &str| {
        let function = some.function(some.lookup(name).unwrap());
        let insts = function.blocks.iter().flat_map(|b| &b.insts);
        let calls = insts.filter_map(|i| match i {
            Inst::Call(call) => Some(some.function(call.callee).name.to_string()),
            _ => None,
        });
        calls.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(callees("main"), "loops loops down");
    assert_eq!(callees("loops"), "");
    assert_eq!(callees("down"), "down");
    // Nobody calls these any more.
    for name in ["tiny", "single"] {
        let function = some.function(some.lookup(name).unwrap());
        assert!(
            matches!(function.blocks[0].end, Terminator::Bail(_)),
            "{name}"
        );
    }
}

#[test]
fn an_inlined_program_does_the_same() {
    let mut ends = std::collections::BTreeSet::new();
    for case in PROGRAMS {
        let program = common::model(case.source);
        let flat = inline(&program, &InlineOptions::default());
        assert!(calls(&program) > 0 && calls(&flat) == 0);
        for inputs in case.inputs {
            let (one, two) = (run(&program, inputs), run(&flat, inputs));
            assert_eq!(one, two, "for inputs [{inputs}] of {}", case.source);
            ends.insert(format!("{:?}", std::mem::discriminant(&one.outcome)));
        }
    }
    // Returned, exited, aborted, error, bail, assumption.
    assert_eq!(ends.len(), 6);
}

#[test]
fn real_programs_do_the_same() {
    for (name, program) in common::differential_programs() {
        let flat = inline(&program, &InlineOptions::default());
        let (one, two) = (run(&program, ""), run(&flat, ""));
        let at_bound = match &two.outcome {
            Outcome::Bailed(bail) => {
                bail.kind == BailKind::Recursion || bail.what.contains("too large")
            }
            end => *end == Outcome::StepLimit,
        };
        if at_bound {
            assert!(one.output.starts_with(&two.output), "{name}");
        } else {
            assert_eq!(one, two, "{name}");
        }
    }
}

#[test]
fn inlining_is_deterministic() {
    for case in PROGRAMS {
        let program = common::model(case.source);
        let show = |program: &Program| {
            let graph = attest_model::Graph::of(program, Default::default());
            attest_model::show::text(program, &graph)
        };
        for options in [InlineOptions::default(), InlineOptions::partial()] {
            assert_eq!(
                show(&inline(&program, &options)),
                show(&inline(&program, &options))
            );
        }
    }
}

/// How a program ends when it is inlined within these bounds.
fn end(source: &str, recursion: u32, most_insts: usize, nondet: &str) -> String {
    let options = InlineOptions {
        recursion,
        most_insts,
        partial: None,
    };
    let flat = inline(&common::model(source), &options);
    match run(&flat, nondet).outcome {
        Outcome::Bailed(bail) => format!("bail {bail}"),
        Outcome::Returned(Some(n)) => format!("return {n}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn recursion_beyond_the_bound_leaves_the_model() {
    let source =
        "int __VERIFIER_nondet_int(void); int down(int n) { return n ? down(n - 1) + 1 : 0; }
        int main(void) { return down(__VERIFIER_nondet_int()); }";
    assert_eq!(end(source, 4, 10_000, "3"), "return 3");
    let bail =
        "bail recursion: `down` is called more than 4 deep; calls beyond that are not followed";
    assert_eq!(end(source, 4, 10_000, "4"), bail);
    let bail =
        "bail recursion: `down` is called more than 1 deep; calls beyond that are not followed";
    assert_eq!(end(source, 1, 10_000, "1"), bail);
    assert_eq!(end(source, 1, 10_000, "0"), "return 0");
}

#[test]
fn size_beyond_the_bound_leaves_the_model() {
    let source = "int __VERIFIER_nondet_int(void); int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int plain(int n) { return n * 3 + 1; } int last(int n) { return plain(n) + plain(n + 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); return n > 50 ? last(n) : fib(n); }";
    assert_eq!(end(source, 30, 2_000, "2"), "return 1");
    let bail =
        "bail unsupported: the program is too large to inline; calls of `fib` are not analysed";
    assert_eq!(end(source, 30, 2_000, "25"), bail);
    // What does not recurse comes first.
    assert_eq!(end(source, 30, 2_000, "60"), "return 365");
}

#[test]
fn each_activation_is_fresh() {
    // The second call reads a variable that only the first one has begun; clang makes no such code.
    let text = "
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @f(i1 %first) {
  %x = alloca i32
  br i1 %first, label %begin, label %read
begin:
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 3, ptr %x
  %p = ptrtoint ptr %x to i64
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  ret i32 1
read:
  %v = load i32, ptr %x
  ret i32 %v
}
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %first = icmp eq i32 %i, 0
  %r = call i32 @f(i1 %first)
  %j = add i32 %i, %r
  %c = icmp ult i32 %j, 5
  br i1 %c, label %loop, label %done
done:
  ret i32 %j
}";
    let module = attest_llvm::read_module(text, "fresh.ll").expect("it reads");
    let program = attest_model::lower(&module, &Default::default()).expect("it is modelled");
    let flat = inline(&program, &InlineOptions::default());
    let one = run(&program, "");
    assert_eq!(one, run(&flat, ""));
    assert!(matches!(one.outcome, Outcome::Bailed(bail) if bail.kind == BailKind::NullDeref));
}

#[test]
fn names_say_where_they_are_from() {
    let source = "int __VERIFIER_nondet_int(void);
        int count(int n) { int k = 0; while (k < n) k += 2; return k; }
        int main(void) { return count(__VERIFIER_nondet_int()); }";
    let flat = inline(&common::model(source), &InlineOptions::default());
    let names: Vec<&str> = flat.functions[0].regs.iter().map(|r| &*r.name).collect();
    assert!(names.contains(&"count.k"), "{names:?}");
}
