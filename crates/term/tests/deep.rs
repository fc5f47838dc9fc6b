//! Terms nested a million deep: built, evaluated, printed, read, substituted
//! without recursion, and in time that grows with the size and not its square.

use std::time::{Duration, Instant};

use attest_term::testing::RandomEnv;
use attest_term::{Op, Program, Scratch, Sort, SymbolKind, Term, Terms, Value};
use rustc_hash::FxHashMap;

const DEPTH: usize = 1_000_000;

/// Runs `step` a million times, then everything there is on the result.
fn check(mut step: impl FnMut(&mut Terms, Term, usize) -> Term) -> (Terms, Term) {
    let start = Instant::now();
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
    let mut term = x;
    for i in 0..DEPTH {
        term = step(&mut terms, term, i);
    }
    let zero = terms.value(Value::zero(terms.sort(term)));
    let root = terms.raw(Op::Eq, &[term, zero]);
    assert!(terms.dag_size(&[root]) > DEPTH / 2);

    let text = terms.to_smtlib(root);
    assert_eq!(terms.parse_smtlib(&text), Ok(root));
    assert!(terms.to_c(root).len() < 10_000);

    let program = Program::compile(&terms, root);
    let small = terms.simplify(root);
    let y = terms.var("y", Sort::BitVec(32), SymbolKind::Register);
    let replaced = terms.substitute(root, &FxHashMap::from_iter([(x, y)]));
    assert_eq!(terms.free_symbols(&[replaced]).len(), 1);

    let env = RandomEnv::new(&terms, 7);
    let value = terms.eval(root, &env);
    assert_eq!(value, program.eval(&env, &mut Scratch::default()));
    assert_eq!(value, terms.eval(small, &env));
    // Some seconds when linear, hours when not.
    assert!(
        start.elapsed() < Duration::from_secs(600),
        "{:?}",
        start.elapsed()
    );
    (terms, root)
}

#[test]
fn sums_and_products() {
    let (mut terms, root) = check(|terms, term, i| {
        let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
        if i % 2 == 0 {
            terms.mul(term, x)
        } else {
            terms.bvxor(term, x)
        }
    });
    let script = terms.to_smtlib_script(&[root]);
    assert_eq!(terms.parse_smtlib_script(&script), Ok(vec![root]));
}

#[test]
fn choices() {
    check(|terms, term, i| {
        let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
        let k = terms.bv_u128(32, i as u128);
        let hit = terms.eq(x, k);
        terms.ite(hit, k, term)
    });
}

#[test]
fn reads_of_reads() {
    check(|terms, term, i| {
        let k = terms.bv_u128(32, 4 * (i as u128 % 2));
        terms.read(0, term, k, 4)
    });
}

#[test]
fn conjunctions() {
    check(|terms, term, i| {
        let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
        let k = terms.bv_u128(32, i as u128);
        let differs = terms.ne(x, k);
        if terms.sort(term) == Sort::Bool {
            terms.and(term, differs)
        } else {
            differs
        }
    });
}
