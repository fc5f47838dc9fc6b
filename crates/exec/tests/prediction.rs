//! Predicted and executed steps agree: along concrete runs, the symbolic
//! transition of each step has a true condition for the location that the
//! run reached and a false one for all others, and it predicts the registers,
//! globals and memory that the run then has (algorithm notes 2.4).

mod common;

use attest_exec::symbolic::env::{StateEnv, SymbolTable, part_value};
use attest_exec::symbolic::step::{Stepper, Transition, Vocabulary};
use attest_exec::symbolic::value::SymVal;
use attest_exec::{CutTable, Go, Inputs, Interpreter, Limits, Observer, Overflow, Rest, Snapshot};
use attest_model::{Granularity, Graph, Loc, PointsTo, Program};
use attest_term::{Op, Terms, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

const PROGRAMS: &[&str] = &[
    // Scalars, branches, loops, switch.
    "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
     int g; short h = 3;
     int main(void) { int x = __VERIFIER_nondet_int(), y = 0;
       while (y < 20) { y++; switch (x & 7) { case 0: g += y; break; case 3: h ^= x; case 4: x >>= 1; break; default: x -= y; }
         if (__VERIFIER_nondet_uchar() > 100) { x = -x; g = g * 3 + 1; } else if (y % 3 == 1) continue;
         int z; y += z > 5 ? 1 : 2; }
       return g + h; }",
    // Memory: arrays, structures, pointers, the heap.
    "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
     struct n { int v; char c; struct n *next; } head; int a[16];
     int main(void) { struct n *p = &head; int i = 0;
       while (i < 6) { struct n *q = malloc(sizeof *q); q->v = i * 2; q->c = __VERIFIER_nondet_int(); q->next = 0; p->next = q; p = q;
         a[(i * 5) & 15] = q->v; a[__VERIFIER_nondet_int() & 15] += 3; i++; }
       int s = 0; for (p = head.next; p; p = p->next) { s += p->v + p->c; if (s > 40) s = a[s & 15]; }
       char *b = (char *)a; for (i = 0; i < 8; i++) b[i * 3] ^= i; struct n t = head, *u = &t; u->v = s; head = t;
       return s + a[7] + head.v; }",
    // Widths, casts, unsigned arithmetic, function pointers, memset and memcpy.
    "int __VERIFIER_nondet_int(void); void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
     static int inc(int x) { return x + 1; } static int dbl(int x) { return x * 2; } int (*f[2])(int);
     int main(void) { unsigned long k = 1; signed char c = -3; long long w = 5; char buf[12]; int out[3];
       for (int i = 0; i < 9; i++) { k = k * 2654435761u + (unsigned char)c; c += (signed char)(k >> 7); w = (w << 3) / (i + 1) - c;
         memset(buf, (int)k, sizeof buf); memcpy(out, buf + (i & 3), 8); out[1] ^= (int)w;
         if (out[1] % 7 == 2) w = -w; if ((unsigned)out[0] > k) c = (signed char)__VERIFIER_nondet_int(); }
       return (int)w + c; }",
    // Objects that point to each other, and pointers that were never set.
    "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void *__VERIFIER_nondet_pointer(void);
     struct inner { int a; int *where; struct inner *never; };
     struct outer { int id; struct inner *in; struct inner own; };
     struct outer *make(int id) { struct outer *o = malloc(sizeof *o); o->id = id;
       o->in = malloc(sizeof *o->in); o->in->where = &o->id; o->own.where = &o->in->a; o->in->a = 0; return o; }
     int is_place(void *p) { return p && (unsigned long)p < (unsigned long)-4096; }
     int main(void) { struct outer *list[3] = {0}; int sum = 0;
       for (int i = 0; i < 3; i++) list[i] = make(i);
       for (int i = 0; i < 12; i++) { struct outer *o = list[(unsigned)__VERIFIER_nondet_int() % 3];
         o->in->a = i; *o->in->where += 2; *o->own.where ^= i;
         struct outer *same = (struct outer *)((char *)&o->own - 16);
         same->id++; struct inner *far = __VERIFIER_nondet_pointer();
         if (is_place(far)) { far->a = i; sum += o->id + far->a; }
         if (is_place(o->own.never)) { sum += o->own.never->a; o->own.never->a = sum; o->own.never = far; } }
       return sum; }",
];

struct Watch<'g> {
    graph: &'g Graph,
    states: Vec<Snapshot>,
    taken: Vec<usize>,
}

impl Observer for Watch<'_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        self.states.push(run.snapshot(self.graph, at));
        self.taken.push(run.machine.taken.len());
        if self.states.len() < 400 {
            Go::On
        } else {
            Go::Stop
        }
    }
}

fn value_of(terms: &Terms, env: &StateEnv<'_>, value: SymVal, second: bool) -> Value {
    let term = match (value, second) {
        (SymVal::Bits(t) | SymVal::Float(t), _) => t,
        (SymVal::Ptr(p), false) => p.object,
        (SymVal::Ptr(p), true) => p.offset,
    };
    terms.eval(term, env)
}

fn holds(terms: &Terms, env: &StateEnv<'_>, transition: &Transition) -> bool {
    transition
        .condition()
        .iter()
        .all(|c| terms.eval(*c, env).as_bool() == Some(true))
}

fn check_program(
    program: &Program,
    granularity: Granularity,
    seed: u64,
    points_to: Option<&Arc<PointsTo>>,
) -> usize {
    let graph = Graph::of(program, granularity);
    let table = CutTable::of(program, &graph);
    // New objects have something in them.
    let places = (0..12).flat_map(|object| (0..48).map(move |at| (object, at)));
    let first = program.first_dynamic().0;
    let unknown = places.map(|(object, at)| {
        let byte = (u64::from(object) * 7 + at * 13) ^ (seed * 31);
        ((first + object, at), byte as u8)
    });
    let inputs = Arc::new(Inputs {
        rest: Rest::Random(seed),
        unknown: Arc::new(unknown.collect()),
        ..Default::default()
    });
    let mut run = Interpreter::new(program, inputs, Overflow::Wrap, Limits::default());
    let mut watch = Watch {
        graph: &graph,
        states: Vec::new(),
        taken: Vec::new(),
    };
    run.watch(&mut watch, &table);
    let mut terms = Terms::new();
    let mut vocabulary = Vocabulary::new(&mut terms, program);
    if let Some(points_to) = points_to {
        vocabulary = vocabulary.with_points_to(points_to);
    }
    let symbols = SymbolTable::new(&terms, &vocabulary, program);
    let stepper = Stepper {
        program,
        graph: &graph,
        overflow: Overflow::Wrap,
        excused: Default::default(),
    };
    let mut cache: FxHashMap<Loc, Vec<Transition>> = FxHashMap::default();
    let bits = program.pointer_bits;
    for (i, pair) in watch.states.windows(2).enumerate() {
        let (before, after) = (&pair[0], &pair[1]);
        let transitions = cache
            .entry(before.loc)
            .or_insert_with(|| stepper.transitions(&mut terms, &vocabulary, before.loc));
        let reached = transitions.iter().find(|t| t.dst == after.loc);
        let reached = reached
            .unwrap_or_else(|| panic!("no transition from {:?} to {:?}", before.loc, after.loc));
        // The inputs that the run took on this step, in their order: symbolic
        // execution lists those of all ways, so only straight steps are matched.
        let taken = &run.machine.taken[watch.taken[i]..watch.taken[i + 1]];
        let named = &reached.state.inputs;
        let mut values = FxHashMap::default();
        for other in transitions
            .iter()
            .flat_map(|t| &t.state.inputs)
            .flat_map(|i| i.value.terms())
        {
            if let Op::Var(symbol) = terms.op(other) {
                values.insert(symbol, Value::zero(terms.sort(other)));
            }
        }
        let mut left: Vec<_> = named.iter().collect();
        for concrete in taken {
            let Some(at) = left
                .iter()
                .position(|s| s.kind == concrete.kind && s.sort == concrete.sort)
            else {
                panic!("an input that is not predicted: {concrete:?}");
            };
            let symbolic = left.remove(at);
            for (second, term) in symbolic.value.terms().enumerate() {
                if let Op::Var(symbol) = terms.op(term) {
                    values.insert(
                        symbol,
                        part_value(concrete.value, concrete.sort, second == 1, bits),
                    );
                }
            }
        }
        let kinds: Vec<_> = named.iter().map(|n| &n.kind).collect();
        if (1..kinds.len()).any(|i| kinds[..i].contains(&kinds[i])) {
            // Which of two alike it was cannot be told apart here.
            continue;
        }
        let env = StateEnv {
            state: before,
            graph: &graph,
            table: &symbols,
            inputs: &values,
            returned: &[],
            pointer_bits: bits,
            extents: Some(&run.machine.memory),
        };
        assert!(
            holds(&terms, &env, reached),
            "the step from {:?} to {:?} is not predicted",
            before.loc,
            after.loc
        );
        for other in transitions
            .iter()
            .filter(|t| t.dst != after.loc && t.state.inputs.is_empty())
        {
            let kind = graph.location(other.dst).kind;
            assert!(
                !holds(&terms, &env, other),
                "{:?} is predicted too: {kind:?}",
                other.dst
            );
        }
        let function = program.function(program.entry);
        let none = FxHashMap::default();
        let later = StateEnv {
            state: after,
            graph: &graph,
            table: &symbols,
            inputs: &none,
            returned: &[],
            pointer_bits: bits,
            extents: Some(&run.machine.memory),
        };
        for reg in &graph.location(after.loc).live {
            let sort = function.regs[reg.0 as usize].sort;
            for second in [false, true] {
                let predicted = value_of(&terms, &env, reached.regs[reg.0 as usize], second);
                let actual = part_value(
                    after.reg(&graph, *reg).unwrap_or_default(),
                    sort,
                    second,
                    bits,
                );
                let actual = if matches!(sort, attest_model::Sort::Ptr) || !second {
                    actual
                } else {
                    predicted.clone()
                };
                assert_eq!(
                    predicted, actual,
                    "register {reg:?} after {:?} -> {:?}",
                    before.loc, after.loc
                );
            }
        }
        // Memory: every byte of the static objects, through `pre`.
        let mut memo = FxHashMap::default();
        for object in 1..program.first_dynamic().0 + 8 {
            let size = after
                .memory()
                .size_of(attest_model::ObjectId(object))
                .min(64);
            for at in (0..size).step_by(4) {
                let o = terms.bv_u128(32, object.into());
                let offset = terms.bv_u128(bits, at.into());
                let n = if size - at >= 4 { 4 } else { 1 };
                let read = terms.read(0, o, offset, n);
                let pre = reached.pre_with(&mut terms, &vocabulary, read, &mut memo);
                assert_eq!(
                    terms.eval(pre, &env),
                    terms.eval(read, &later),
                    "object {object} at {at} after {:?} -> {:?}",
                    before.loc,
                    after.loc
                );
            }
        }
    }
    watch.states.len()
}

#[test]
fn predicted_and_executed_steps_agree() {
    for source in PROGRAMS {
        let program = common::model(source);
        let program = attest_model::inline(
            &program,
            &attest_model::InlineOptions {
                recursion: 3,
                most_insts: 10_000,
                ..Default::default()
            },
        );
        for granularity in [Granularity::Basic, Granularity::Large] {
            // What points-to decides is what happens.
            let points_to = Arc::new(PointsTo::of(&program));
            for points_to in [None, Some(&points_to)] {
                let steps: usize = (0..6)
                    .map(|seed| check_program(&program, granularity, seed, points_to))
                    .sum();
                assert!(steps > 30, "only {steps} steps were compared");
            }
        }
    }
}
