//! The first tests, so that there is something to follow (algorithm notes 6.3).
//!
//! Candidates are guessed from the states of tests, so the first tests should
//! run each loop several times and not always as often. Most inputs that say
//! how often are small numbers in a test that ends; and where one
//! number bounds another, both are of one size. So each test has a scale of
//! its own, and its inputs are drawn from around zero up to it. Sizes are
//! mostly read first; later inputs are often choices between zero and the
//! rest, so zero is drawn more often there.

use crate::tuning::TestLimits;
use attest_exec::{InputValue, Inputs, Rest};
use attest_term::random::Random;

/// The inputs of the first tests, by number.
pub fn inputs(number: u32, seed: u64, limits: &TestLimits) -> Inputs {
    let seed = seed.wrapping_add(number.into());
    match number {
        0 => Inputs::default(),
        1 => Inputs {
            nondet: vec![InputValue::Int(1); 64],
            ..Inputs::default()
        },
        n if n % 3 == 2 => Inputs {
            rest: Rest::Random(seed),
            ..Inputs::default()
        },
        n => Inputs {
            nondet: small(
                limits,
                limits.input_scales[n as usize % limits.input_scales.len()],
                n % 2 == 0,
                seed,
            ),
            rest: Rest::Random(seed),
            ..Inputs::default()
        },
    }
}

/// Numbers up to a scale, some of them below zero if `signed`.
fn small(limits: &TestLimits, scale: u64, signed: bool, seed: u64) -> Vec<InputValue> {
    let mut random = Random(seed);
    let below = if signed { scale / 3 } else { 0 };
    let mut next = move |i: usize| match random.below(3) {
        0 if i >= limits.size_inputs => 0,
        _ => i128::from(random.below(scale + below + 1)) - i128::from(below),
    };
    (0..limits.listed_inputs)
        .map(|i| InputValue::Int(next(i)))
        .collect()
}

/// The inputs of a test made smaller by one factor, if they are large: what compares sums
/// of them mostly comes out the same, and loops come to their ends. Some are one more, by
/// `number`, so that not all such tests are alike.
pub fn scaled(inputs: &Inputs, number: u64, limits: &TestLimits) -> Option<Inputs> {
    let integer = |value: &InputValue| match value {
        InputValue::Int(n) => Some(*n),
        InputValue::Float(_) => None,
    };
    let greatest = inputs
        .nondet
        .iter()
        .filter_map(integer)
        .map(i128::abs)
        .max()?;
    let factor = greatest / limits.scaled_size;
    let smaller = |(i, value): (usize, &InputValue)| match value {
        InputValue::Int(n) => {
            let n = if n.abs() >= factor { n / factor } else { *n };
            InputValue::Int(n + i128::from(number >> (i % 8) & 1))
        }
        other => *other,
    };
    (factor > 1).then(|| Inputs {
        nondet: inputs.nondet.iter().enumerate().map(smaller).collect(),
        ..inputs.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_inputs_are_small_and_differ() {
        let values = |inputs: &Inputs| -> Vec<i128> {
            let number = |v: &InputValue| match v {
                InputValue::Int(n) => *n,
                InputValue::Float(_) => panic!("no floats here"),
            };
            inputs.nondet.iter().map(number).collect()
        };
        let limits = TestLimits::default();
        let inputs = |number, seed| inputs(number, seed, &limits);
        let three = values(&inputs(3, 1));
        assert!(three.iter().all(|n| (-1..=5).contains(n)), "{three:?}");
        assert!(three.iter().any(|n| *n != three[0]));
        assert_ne!(three, values(&inputs(9, 1)));
        assert_eq!(three, values(&inputs(3, 1)));
        let large = Inputs {
            nondet: [524_286, 999_997, 131_072].map(InputValue::Int).to_vec(),
            ..Inputs::default()
        };
        let small = values(&scaled(&large, 4, &limits).expect("they are large"));
        assert_eq!(small, [12, 24, 4]);
        assert_eq!(scaled(&inputs(1, 1), 0, &limits), None);
    }
}
