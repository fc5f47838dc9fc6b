//! Terms built and evaluated: a million of each.

use std::hint::black_box;
use std::time::Instant;

use attest_term::testing::Rng;
use attest_term::{Address, Env, Program, Scratch, Sort, SymbolId, SymbolKind, Term, Terms, Value};

const COUNT: usize = 1_000_000;

/// Runs and prints both.
pub fn run() {
    build();
    evaluate();
}

fn report(what: &str, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{what:<52} {seconds:>7.3} s {:>9.2} million/s",
        COUNT as f64 / seconds / 1e6
    );
}

fn registers(terms: &mut Terms) -> Vec<Term> {
    (0..16)
        .map(|i| terms.var(&format!("x{i}"), Sort::BitVec(32), SymbolKind::Register))
        .collect()
}

fn build() {
    let start = Instant::now();
    let mut terms = Terms::new();
    let registers = registers(&mut terms);
    let mut term = registers[0];
    let mut step = 0;
    while terms.len() < COUNT {
        let x = registers[step % 16];
        let k = terms.bv_u128(32, (step * 7919 + 3) as u128);
        let sum = terms.add(x, k);
        let product = terms.mul(term, sum);
        let condition = terms.slt(product, x);
        term = terms.ite(condition, sum, product);
        step += 1;
    }
    report("build a million rewritten terms", start);
    black_box(term);
}

struct State([u64; 16]);

impl Env for State {
    fn var(&self, symbol: SymbolId) -> Value {
        Value::bv(32, self.0[symbol.index()] as u128)
    }
    fn var_bits(&self, symbol: SymbolId) -> u64 {
        self.0[symbol.index()]
    }
    fn byte(&self, at: Address) -> u8 {
        at.offset as u8
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

/// A conjunction of comparisons over sums, products, shifts and choices.
fn predicate(terms: &mut Terms) -> Term {
    let registers = registers(terms);
    let mut pieces = Vec::new();
    for i in 0.. {
        let [x, y, z] = [0, 5, 11].map(|d| registers[(i * 3 + d) % 16]);
        let k = terms.bv_u128(32, i as u128 * 37 + 5);
        let sum = terms.add(x, k);
        let mixed = terms.bvxor(sum, y);
        let scaled = terms.mul(mixed, z);
        let shifted = terms.lshr(scaled, y);
        let below = terms.slt(shifted, scaled);
        let choice = terms.ite(below, mixed, y);
        let other = terms.ne(choice, k);
        pieces.push(terms.or(below, other));
        let root = terms.all(&pieces);
        if terms.dag_size(&[root]) >= 200 {
            return root;
        }
    }
    unreachable!("the predicate grows with every round")
}

fn evaluate() {
    let mut terms = Terms::new();
    let root = predicate(&mut terms);
    let program = Program::compile(&terms, root);
    let (mut scratch, mut rng) = (Scratch::default(), Rng::new(1));
    let mut states: Vec<State> = (0..4096)
        .map(|_| State(std::array::from_fn(|_| rng.next_u64() >> 32)))
        .collect();
    let start = Instant::now();
    let mut held = 0;
    for i in 0..COUNT {
        let state = &mut states[i % 4096];
        state.0[i % 16] ^= i as u64 & 0xff;
        held += program.eval_bool(state, &mut scratch) as usize;
    }
    report("evaluate a 200-node predicate on a million states", start);
    let (mut truths, batches) = (Vec::new(), COUNT.div_ceil(states.len()));
    let start = Instant::now();
    for _ in 0..batches {
        truths.clear();
        program.eval_bools(&states, &mut scratch, &mut truths);
        held += truths.iter().filter(|&&truth| truth).count();
    }
    report("  the same in batches", start);
    black_box(held);
}
