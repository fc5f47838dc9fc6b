//! Properties of random terms: however a term is built or evaluated, its value
//! is the same; substituting and evaluating commute; text is read back as the
//! same term. Each family gets at least 20,000 terms.

use attest_term::testing::{Family, Maker, RandomEnv};
use attest_term::{Program, Scratch, Sort, Substitution, SymbolKind, Term, Terms, Value};
use rustc_hash::FxHashMap;

const TERMS: u64 = 20_000;
/// Terms in one arena, so that arenas stay small and cached.
const BATCH: u64 = 250;
const STATES: u64 = 3;

/// Runs `check` on 20,000 random terms of the family.
fn for_random_terms(family: Family, mut check: impl FnMut(&mut Terms, Term, &mut Maker)) {
    for batch in 0..TERMS / BATCH {
        let mut terms = Terms::new();
        let mut maker = Maker::new(family, batch);
        for _ in 0..BATCH {
            let size = 1 + maker.rng.below(30) as u32;
            let term = maker.term(&mut terms, size);
            check(&mut terms, term, &mut maker);
        }
    }
}

/// Raw, rewritten and compiled have one value on every state.
fn rewriting_and_compiling_preserve_values(family: Family) {
    let mut scratch = Scratch::default();
    let (mut raw_size, mut small_size) = (0, 0);
    for_random_terms(family, |terms, raw, maker| {
        let small = terms.simplify(raw);
        assert_eq!(terms.sort(raw), terms.sort(small));
        raw_size += terms.dag_size(&[raw]);
        small_size += terms.dag_size(&[small]);
        let program = Program::compile(terms, raw);
        let small_program = Program::compile(terms, small);
        for _ in 0..STATES {
            let env = RandomEnv::new(terms, maker.rng.next_u64());
            let value = terms.eval(raw, &env);
            let explain = || terms.to_smtlib(raw);
            assert_eq!(value.sort(), terms.sort(raw));
            assert_eq!(value, terms.eval(small, &env), "rewriting {}", explain());
            assert_eq!(
                value,
                program.eval(&env, &mut scratch),
                "compiling {}",
                explain()
            );
            let fast = small_program.eval(&env, &mut scratch);
            assert_eq!(value, fast, "compiling the rewritten {}", explain());
        }
    });
    assert!(
        small_size * 10 < raw_size * 9,
        "rewriting is not worth it: {raw_size} to {small_size}"
    );
}

/// A batch of states gives what each of them gives.
#[test]
fn batches_agree_with_single_states() {
    let mut scratch = Scratch::default();
    for family in Family::ALL {
        let mut terms = Terms::new();
        let mut maker = Maker::new(family, 5);
        for _ in 0..500 {
            let root = maker.term_of(&mut terms, Sort::Bool, 20);
            let program = Program::compile(&terms, root);
            let envs: Vec<RandomEnv> = (0..37).map(|seed| RandomEnv::new(&terms, seed)).collect();
            let mut batch = Vec::new();
            program.eval_bools(&envs, &mut scratch, &mut batch);
            let single: Vec<bool> = envs
                .iter()
                .map(|env| program.eval_bool(env, &mut scratch))
                .collect();
            assert_eq!(batch, single, "{}", terms.to_smtlib(root));
        }
    }
}

/// Of several terms, those are true on all states that are true on each.
#[test]
fn true_on_all_states() {
    let mut scratch = Scratch::default();
    let mut both = [0, 0];
    for family in Family::ALL {
        let mut terms = Terms::new();
        let mut maker = Maker::new(family, 6);
        for count in [1, 5, 16, 37] {
            let roots: Vec<Term> = (0..60)
                .map(|_| maker.term_of(&mut terms, Sort::Bool, 8))
                .collect();
            let program = Program::compile_all(&terms, &roots);
            let envs: Vec<RandomEnv> = (0..count)
                .map(|seed| RandomEnv::new(&terms, seed))
                .collect();
            let together = program.all_true(&envs, &mut scratch);
            for (root, all) in roots.into_iter().zip(together) {
                let program = Program::compile(&terms, root);
                let mut each = envs.iter();
                let expected = each.all(|env| program.eval_bool(env, &mut scratch));
                assert_eq!(all, expected, "{}", terms.to_smtlib(root));
                both[usize::from(all)] += 1;
            }
        }
    }
    assert!(both.iter().all(|n| *n > 100), "{both:?}");
}

#[test]
fn values_bool() {
    rewriting_and_compiling_preserve_values(Family::Bool);
}

#[test]
fn values_bv() {
    rewriting_and_compiling_preserve_values(Family::Bv);
}

#[test]
fn values_long() {
    rewriting_and_compiling_preserve_values(Family::Long);
}

#[test]
fn values_wide() {
    rewriting_and_compiling_preserve_values(Family::Wide);
}

#[test]
fn values_memory() {
    rewriting_and_compiling_preserve_values(Family::Memory);
}

#[test]
fn values_float() {
    rewriting_and_compiling_preserve_values(Family::Float);
}

/// Two-operand combinations over narrow words, on every state: rules with side
/// conditions on widths fail here first.
#[test]
fn rewriting_is_right_on_all_states_of_three_bits() {
    for seed in 0..TERMS {
        let mut terms = Terms::new();
        let mut maker = Maker::new(Family::Bool, seed);
        let width = 1 + (seed % 3) as u32;
        let sort = if seed % 2 == 0 {
            Sort::Bool
        } else {
            Sort::BitVec(width)
        };
        let names = ["x", "y"];
        let vars: Vec<Term> = names
            .iter()
            .map(|name| terms.var(name, Sort::BitVec(width), SymbolKind::Plain))
            .collect();
        let raw = maker.term_of(&mut terms, sort, 6);
        // Words become the two variables, so that all states can be tried.
        let mut map = FxHashMap::default();
        for symbol in terms.free_symbols(&[raw]) {
            let old = terms.symbol_term(symbol);
            let new = match terms.sort(old) {
                Sort::BitVec(w) => {
                    let var = vars[symbol.index() % 2];
                    terms.zext(var, w)
                }
                _ => terms.bool(symbol.index() % 2 == 0),
            };
            map.insert(old, new);
        }
        let mut memo = map.clone();
        let raw = terms.transform(raw, &mut memo, |terms, old, args| {
            Some(terms.raw(terms.op(old), args))
        });
        let small = terms.simplify(raw);
        for bits in 0..1u128 << (2 * width) {
            let env = Two { width, bits };
            assert_eq!(
                terms.eval(raw, &env),
                terms.eval(small, &env),
                "{}",
                terms.to_smtlib(raw)
            );
        }
    }
}

struct Two {
    width: u32,
    bits: u128,
}

impl attest_term::Env for Two {
    fn var(&self, symbol: attest_term::SymbolId) -> Value {
        Value::bv(
            self.width,
            self.bits >> (self.width * (symbol.index() as u32 % 2)),
        )
    }
    fn byte(&self, _: attest_term::Address) -> u8 {
        0
    }
    fn pointer(&self, _: attest_term::Address) -> (u32, u64) {
        (0, 0)
    }
    fn tag(&self, _: attest_term::Address) -> bool {
        false
    }
    fn base(&self, _: u32) -> u64 {
        0
    }
}

#[test]
fn substitution_commutes_with_evaluation() {
    for family in Family::ALL {
        for_random_terms(family, |terms, raw, maker| {
            // Some of the variables, each by a random term.
            let mut map = FxHashMap::default();
            for symbol in terms.free_symbols(&[raw]) {
                if maker.rng.one_in(2) {
                    let var = terms.symbol_term(symbol);
                    // Often another variable, so that swaps occur.
                    let size = maker.rng.pick(&[0, 0, 4]);
                    let new = maker.term_of(terms, terms.sort(var), size);
                    map.insert(var, new);
                }
            }
            let replaced = Substitution::new(&map).apply(terms, raw);
            let seed = maker.rng.next_u64();
            let expected = terms.eval(replaced, &RandomEnv::new(terms, seed));
            // The same by evaluating the replacements first.
            let mut values = FxHashMap::default();
            for (&var, &new) in &map {
                let value = terms.eval(new, &RandomEnv::new(terms, seed));
                values.insert(var, terms.value(value));
            }
            let direct = terms.substitute(raw, &values);
            assert_eq!(
                expected,
                terms.eval(direct, &RandomEnv::new(terms, seed)),
                "{family:?}"
            );
        });
    }
}

#[test]
fn text_is_read_back_as_the_same_term() {
    for family in Family::ALL {
        for_random_terms(family, |terms, raw, _| {
            let small = terms.simplify(raw);
            for term in [raw, small] {
                let text = terms.to_smtlib(term);
                let read = terms.parse_smtlib(&text);
                assert_eq!(read, Ok(term), "{text}");
            }
        });
    }
}
