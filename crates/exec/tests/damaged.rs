//! Damaged IR that still reads: it is modelled and run, or refused, and nothing panics.

mod common;

use attest_exec::{Inputs, Interpreter, Limits, Overflow};
use attest_llvm::clang::DataModel;
use attest_model::{Granularity, Graph, show};
use attest_testing::{Rng, mutate};
use std::sync::Arc;

const PROGRAMS: &[&str] = &[
    "struct s { char c; int n[3]; struct s *next; unsigned a : 3, b : 9; } g = { 'x', { 1, 2, 3 }, &g, 5, 6 };
     union u { double d; long l; char b[8]; };
     int total; short half = -3; const char *text = \"abc\";
     int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
     int (*ops[])(int, int) = { add, sub, 0 };
     struct s pass(struct s x) { x.b++; x.n[1] += x.a; return x; }
     int main(void) { union u u; u.d = 2.5; struct s l = pass(g);
       for (int i = 0; i < 3; i++) { total += ops[i & 1](i, l.n[i]); switch (i) { case 1: half += 2; break; case 2: half /= 3; } }
       return total + half + u.b[7] + (int)(text[1] - 'a') + l.next->b; }",
    "void *malloc(unsigned long); void free(void *); int printf(const char *, ...); int __VERIFIER_nondet_int(void);
     void __VERIFIER_assume(int); void reach_error(void) {} void *memcpy(void *, const void *, unsigned long);
     struct n { int v; struct n *next; };
     int sum(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int s = 0; while (n--) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }
     int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
     int main(void) { struct n *list = 0; int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k < 10);
       for (int i = 0; i < 5; i++) { struct n *m = malloc(sizeof *m); m->v = i * k; m->next = list; list = m; }
       int t = 0; while (list) { struct n copy; memcpy(&copy, list, sizeof copy); free(list); t += copy.v; list = copy.next; }
       if (t == 77) reach_error(); printf(\"%d %s\\n\", t, \"ok\"); return sum(3, t, fib(7), k) - (t >> 1); }",
    "typedef float v4 __attribute__((vector_size(16))); typedef _Atomic int ai; ai counter; int plain; __int128 wide;
     struct __attribute__((packed)) p { long long a : 40; long long b : 60; long long c : 50; } p = { 1, 2, 3 };
     double mix(float f, long l, unsigned char c) { return f * l - c / 3.0; }
     int jump(int i) { static void *t[] = { &&a, &&b }; goto *t[i & 1]; a: return 1; b: return 2; }
     int main(void) { v4 x = { 1, 2, 3, 4 }, y = x * x + 1; counter++; __sync_fetch_and_add(&plain, 3);
       wide = (__int128)counter << 70; p.b += 5; int n = 3; int a[n]; a[n - 1] = jump(n);
       unsigned o; return (int)y[2] + (int)(wide >> 69) + p.b + a[2] + (int)mix(1.5f, 7, 9) + __builtin_add_overflow(n, 2147483647, &o) + __builtin_popcount(n) + __builtin_clz(n); }",
];

/// Reads, models, draws and runs a text as far as it goes.
fn go_all_the_way(text: &str) -> bool {
    let Ok(module) = attest_llvm::read_module(text, "damaged.ll") else {
        return false;
    };
    let Ok(mut program) = attest_model::lower(&module, &Default::default()) else {
        return false;
    };
    attest_model::points_to::provenance(&mut program);
    attest_model::points_to::prune(&mut program);
    for granularity in [Granularity::Insn, Granularity::Basic, Granularity::Large] {
        let graph = Graph::of(&program, granularity);
        if granularity == Granularity::Large {
            show::text(&program, &graph);
            show::dot(&program, &graph);
        }
    }
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 20,
        depth: 100,
    };
    let mut run = Interpreter::new(
        &program,
        Arc::new(Inputs::default()),
        Overflow::Check,
        limits,
    );
    run.machine.output = Some(Vec::new());
    run.watch(
        &mut attest_exec::trace::Tracer::new(|_| {}),
        &Default::default(),
    );
    true
}

#[test]
fn damaged_programs_never_panic() {
    let mut corpus = Vec::new();
    for program in PROGRAMS {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            if data_model == DataModel::Ilp32 && program.contains("__int128") {
                continue;
            }
            let program = match data_model {
                DataModel::Ilp32 => program.replace("unsigned long", "unsigned"),
                DataModel::Lp64 => program.to_string(),
            };
            corpus.push(common::ir(&program, data_model));
        }
    }
    for text in &corpus {
        assert!(go_all_the_way(text), "the undamaged text is modelled");
    }
    let mut rng = Rng(0x0dd0_5eed_1234_5678);
    let mut modelled = 0;
    for i in 0..10_000 {
        let text = mutate(&corpus[i % corpus.len()], &mut rng);
        let caught = std::panic::catch_unwind(|| go_all_the_way(&text));
        match caught {
            Ok(whole) => modelled += u32::from(whole),
            Err(_) => {
                let path = std::env::temp_dir().join("attest-damaged.ll");
                std::fs::write(&path, &text).ok();
                panic!("case {i} panics; the text is in {}", path.display());
            }
        }
    }
    assert!(
        modelled > 500,
        "only {modelled} damaged texts were modelled"
    );
}
