//! Questions as attest's engine asks them, made from fixed seeds.
//!
//! All questions are made before any is answered, so every solver gets the same
//! ones. A path follows a concrete state: its condition is satisfiable, and the
//! question is whether the branch at its end can go the other way.

use attest_term::testing::{RandomEnv, Rng};
use attest_term::{Sort, SymbolKind, Term, Terms, Value};

/// The assumptions of each question.
pub type Questions = Vec<Vec<Term>>;

fn inputs(terms: &mut Terms, prefix: &str, count: usize) -> Vec<Term> {
    let sort = Sort::BitVec(32);
    (0..count)
        .map(|i| terms.var(&format!("{prefix}{i}"), sort, SymbolKind::Input))
        .collect()
}

/// One assignment of a program: mostly sums and masks, now and then a product,
/// a quotient or a shift by a variable.
fn statement(terms: &mut Terms, rng: &mut Rng, state: &[Term]) -> Term {
    let (x, y) = (rng.pick(state), rng.pick(state));
    let k = terms.bv_u128(32, 1 + rng.below(100) as u128);
    let byte = terms.bv_u128(32, 0xff);
    match rng.below(16) {
        0..4 => terms.add(x, k),
        4..6 => terms.add(x, y),
        6 => terms.sub(x, y),
        7 => terms.bvxor(x, y),
        8 => terms.bvand(x, byte),
        9 => terms.mul(x, k),
        10 => {
            let (x, y) = (terms.bvand(x, byte), terms.bvand(y, byte));
            terms.mul(x, y)
        }
        11 => terms.udiv(x, k),
        12 => terms.srem(x, k),
        13 => {
            let (x, y) = (terms.bvand(x, byte), terms.bvand(y, byte));
            terms.udiv(x, y)
        }
        14 => {
            let amount = terms.bv_u128(32, 31);
            let amount = terms.bvand(y, amount);
            let left = rng.one_in(2);
            if left {
                terms.shl(x, amount)
            } else {
                terms.ashr(x, amount)
            }
        }
        _ => {
            let c = terms.slt(x, y);
            terms.ite(c, x, k)
        }
    }
}

fn condition(terms: &mut Terms, rng: &mut Rng, state: &[Term]) -> Term {
    let (x, y) = (rng.pick(state), rng.pick(state));
    let k = terms.bv_u128(32, rng.below(200) as u128);
    match rng.below(6) {
        0 => terms.eq(x, k),
        1 => terms.ult(x, k),
        2 => terms.slt(x, y),
        3 => terms.sle(k, x),
        4 => {
            let three = terms.bv_u128(32, 3);
            let low = terms.bvand(x, three);
            let zero = terms.bv_u128(32, 0);
            terms.eq(low, zero)
        }
        _ => terms.ne(x, y),
    }
}

fn holds(terms: &Terms, term: Term, state: &RandomEnv) -> bool {
    terms.eval(term, state) == Value::Bool(true)
}

/// Path conditions that grow branch by branch, each with its last branch flipped.
pub fn paths(terms: &mut Terms, count: usize) -> Questions {
    let mut rng = Rng::new(0x5eed);
    let mut questions = Vec::new();
    let inputs = inputs(terms, "in", 8);
    while questions.len() < count {
        let seed = rng.next_u64();
        let mut state = inputs.clone();
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..30 {
            for _ in 0..3 {
                let at = rng.below(8) as usize;
                state[at] = statement(terms, &mut rng, &state);
            }
            let branch = condition(terms, &mut rng, &state);
            if terms.is_const(branch) {
                continue;
            }
            let not = terms.not(branch);
            let taken = holds(terms, branch, &RandomEnv::new(terms, seed));
            let (taken, flipped) = if taken { (branch, not) } else { (not, branch) };
            if !path.contains(&flipped) {
                questions.push([&path[..], &[flipped]].concat());
            }
            path.push(taken);
        }
    }
    questions.truncate(count);
    questions
}

/// Forty assumptions of which a few, hidden among the rest, exclude each other.
pub fn cores(terms: &mut Terms, count: usize) -> Questions {
    let mut rng = Rng::new(0xc0de);
    let inputs = inputs(terms, "c", 12);
    let mut questions = Vec::new();
    for _ in 0..count {
        let seed = rng.next_u64();
        let mut set = Vec::new();
        while set.len() < 36 {
            let mut state = inputs[..8].to_vec();
            let at = rng.below(8) as usize;
            state[at] = statement(terms, &mut rng, &state);
            let term = condition(terms, &mut rng, &state);
            let not = terms.not(term);
            let holds = holds(terms, term, &RandomEnv::new(terms, seed));
            let term = if holds { term } else { not };
            if !terms.is_const(term) && !set.contains(&term) {
                set.push(term);
            }
        }
        let [a, b, c, d] = [8, 9, 10, 11].map(|i| inputs[i]);
        let (k, limit) = (1 + rng.below(9) as u128, terms.bv_u128(32, 1000));
        let (k, two) = (terms.bv_u128(32, k), terms.bv_u128(32, 2));
        // d = 2(a + k), a < b <= c, c < 1000, and d above 2(c + k).
        let sum = terms.add(a, k);
        let double = terms.mul(sum, two);
        let end = terms.add(c, k);
        let end = terms.mul(end, two);
        let order = terms.ult(a, b);
        let order = [order, terms.ule(b, c), terms.ult(c, limit)];
        let equal = terms.eq(d, double);
        let beyond = terms.ult(end, d);
        for term in order.into_iter().chain([equal]) {
            let at = rng.below(set.len() as u64) as usize;
            set.insert(at, term);
        }
        set.insert(rng.below(set.len() as u64) as usize, beyond);
        set.truncate(40);
        if !set.contains(&beyond) {
            set[0] = beyond;
        }
        questions.push(set);
    }
    questions
}

/// Reads of a memory after 10 to 50 writes, resolved to choices over addresses.
pub fn memory(terms: &mut Terms, count: usize) -> Questions {
    let mut rng = Rng::new(0x3e3);
    let (indices, values) = (inputs(terms, "i", 10), inputs(terms, "v", 10));
    let pointers = inputs(terms, "p", 4);
    let mut questions = Vec::new();
    for _ in 0..count {
        let mut writes: Vec<(Term, Term, Term)> = Vec::new();
        for _ in 0..10 + rng.below(41) {
            let (object, offset) = place(terms, &mut rng, &pointers, &indices);
            writes.push((object, offset, rng.pick(&values)));
        }
        let mut set = Vec::new();
        let mut reads = Vec::new();
        for _ in 0..3 {
            let (object, offset) = place(terms, &mut rng, &pointers, &indices);
            reads.push((object, offset, resolve(terms, &writes, object, offset)));
        }
        let (a, b) = (reads[0], reads[1]);
        let objects = terms.eq(a.0, b.0);
        let offsets = terms.eq(a.1, b.1);
        set.extend([objects, offsets]);
        let differ = terms.ne(a.2, b.2);
        let k = terms.bv_u128(32, rng.below(1 << 20) as u128);
        let value = terms.eq(reads[2].2, k);
        let twice = terms.add(a.2, b.2);
        let even = terms.ult(twice, k);
        // Half of the questions contradict that memory is a function.
        set.extend(if rng.one_in(2) {
            [differ, value]
        } else {
            [even, value]
        });
        set.retain(|&term| terms.bool_const(term) != Some(true));
        questions.push(set);
    }
    questions
}

fn place(terms: &mut Terms, rng: &mut Rng, pointers: &[Term], indices: &[Term]) -> (Term, Term) {
    let object = if rng.one_in(2) {
        terms.bv_u128(32, 1 + rng.below(3) as u128)
    } else {
        rng.pick(pointers)
    };
    let index = terms.zext(rng.pick(indices), 64);
    let four = terms.bv_u128(64, 4);
    let scaled = terms.mul(index, four);
    let k = terms.bv_u128(64, 4 * rng.below(8) as u128);
    let offset = match rng.below(6) {
        0 | 1 => k,
        2 => terms.add(scaled, k),
        _ => scaled,
    };
    (object, offset)
}

fn resolve(terms: &mut Terms, writes: &[(Term, Term, Term)], object: Term, offset: Term) -> Term {
    let start = terms.read(0, object, offset, 4);
    writes.iter().fold(start, |older, (o, p, value)| {
        let (o, p) = (terms.eq(*o, object), terms.eq(*p, offset));
        let hit = terms.and(o, p);
        terms.ite(hit, *value, older)
    })
}
