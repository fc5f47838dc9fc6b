//! Two figures: building a million terms, and evaluating a predicate of some
//! 200 nodes on a million states. Run with `cargo bench -p attest-term`.

use std::hint::black_box;
use std::time::Instant;

use attest_term::{
    Address, Env, Op, Program, Scratch, Sort, SymbolId, SymbolKind, Term, Terms, Value,
};

const COUNT: usize = 1_000_000;

fn main() {
    // `cargo test` runs benches too, without this argument.
    if std::env::args().any(|arg| arg == "--bench") {
        build();
        build_raw();
        evaluate(false);
        evaluate(true);
    }
}

fn report(what: &str, start: Instant, count: usize) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = count as f64 / seconds / 1e6;
    println!("{what:<48} {seconds:>7.3} s {rate:>9.2} million/s");
}

fn vars(terms: &mut Terms) -> Vec<Term> {
    let name = |i| format!("x{i}");
    (0..16)
        .map(|i| terms.var(&name(i), Sort::BitVec(32), SymbolKind::Register))
        .collect()
}

/// A mix of arithmetic, comparisons and choices, all new terms.
fn build() {
    let start = Instant::now();
    let mut terms = Terms::new();
    let vars = vars(&mut terms);
    let mut term = vars[0];
    let mut step = 0;
    while terms.len() < COUNT {
        let x = vars[step % 16];
        let k = terms.bv_u128(32, (step * 7919 + 3) as u128);
        let sum = terms.add(x, k);
        let product = terms.mul(term, sum);
        let condition = terms.slt(product, x);
        term = terms.ite(condition, sum, product);
        step += 1;
    }
    report("build a million rewritten terms", start, terms.len());
    black_box(term);
}

fn build_raw() {
    let start = Instant::now();
    let mut terms = Terms::new();
    let vars = vars(&mut terms);
    let mut term = vars[0];
    let mut step = 0;
    while terms.len() < COUNT {
        let op = [Op::Add, Op::Mul, Op::BvXor][step % 3];
        term = terms.raw(op, &[term, vars[step % 16]]);
        step += 1;
    }
    report("build a million raw terms", start, terms.len());
    black_box(term);
}

struct State {
    registers: [u64; 16],
    memory: [u8; 64],
}

impl Env for State {
    fn var(&self, symbol: SymbolId) -> Value {
        Value::bv(32, self.registers[symbol.index()] as u128)
    }
    fn var_bits(&self, symbol: SymbolId) -> u64 {
        self.registers[symbol.index()]
    }
    fn byte(&self, at: Address) -> u8 {
        self.memory[at.offset as usize % 64]
    }
    fn pointer(&self, _: Address) -> (u32, u64) {
        (0, 0)
    }
    fn tag(&self, _: Address) -> bool {
        false
    }
    fn base(&self, object: u32) -> u64 {
        object as u64
    }
}

/// A conjunction of comparisons over sums, products, masks and choices.
fn predicate(terms: &mut Terms, memory: bool) -> Term {
    let vars = vars(terms);
    let mut pieces = Vec::new();
    let mut i = 0;
    loop {
        let [x, y, z] = [0, 5, 11].map(|d| vars[(i * 3 + d) % 16]);
        let k = terms.bv_u128(32, i as u128 * 37 + 5);
        let sum = terms.add(x, k);
        let mixed = terms.bvxor(sum, y);
        let scaled = terms.mul(mixed, z);
        let shifted = terms.lshr(scaled, y);
        let word = if memory {
            let object = terms.bv_u128(32, 1);
            terms.read(0, object, sum, 4)
        } else {
            terms.bvand(shifted, x)
        };
        let below = terms.slt(word, scaled);
        let other = terms.ult(shifted, z);
        let choice = terms.ite(below, mixed, y);
        let last = terms.ne(choice, k);
        let piece = terms.any(&[below, other, last]);
        pieces.push(piece);
        let root = terms.all(&pieces);
        if terms.dag_size(&[root]) >= 200 {
            return root;
        }
        i += 1;
    }
}

fn evaluate(memory: bool) {
    let mut terms = Terms::new();
    let root = predicate(&mut terms, memory);
    let program = Program::compile(&terms, root);
    let mut scratch = Scratch::default();
    let mut seed = attest_term::testing::Rng::new(1);
    // A million states, from a few thousand that fit in the cache and are changed each time.
    let mut states: Vec<State> = (0..4096)
        .map(|_| State {
            registers: std::array::from_fn(|_| seed.next_u64() >> 32),
            memory: std::array::from_fn(|_| seed.next_u64() as u8),
        })
        .collect();
    let start = Instant::now();
    let mut held = 0;
    for i in 0..COUNT {
        let state = &mut states[i % 4096];
        state.registers[i % 16] ^= i as u64 & 0xff;
        held += program.eval_bool(state, &mut scratch) as usize;
    }
    let size = terms.dag_size(&[root]);
    let what = if memory { "with reads" } else { "no memory" };
    report(
        &format!("evaluate {size} nodes on a million states, {what}"),
        start,
        COUNT,
    );
    black_box(held);

    let start = Instant::now();
    let mut truths = Vec::with_capacity(states.len());
    let mut done = 0;
    while done < COUNT {
        truths.clear();
        program.eval_bools(&states, &mut scratch, &mut truths);
        done += black_box(truths.len());
    }
    report(&format!("  the same in batches, {what}"), start, done);
}
