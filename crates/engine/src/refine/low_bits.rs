//! Low bits that no input reaches, said without the inputs.
//!
//! An input that is added as a multiple of 2^k leaves the lowest k bits of a sum alone:
//! `(y + 2 * v)[0:0]` is `y[0:0]`, and `y + 2 * v == z` implies `y[0:0] == z[0:0]`.
//! [`eliminate`](crate::refine::eliminate) drops such a piece, since no value of one input
//! makes it true or false by itself. Here each piece is replaced by an equivalent one, in which
//! what the low bits say stands beside the rest and has no input. The invariants of the
//! thesis's programs Jain 1 to 7 (table 5.1) are of this kind.
//!
//! Sound, since every replacement is an equivalence: a bit below the lowest one that depends
//! on an input is the same for all inputs, zero among them.

use crate::refine::eliminate::{mentioning, with_zero_inputs};
use attest_term::{Bv, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Equivalent pieces, where low bits that no input reaches are said without it.
pub(super) fn split_off(terms: &mut Terms, pieces: &[Term]) -> Vec<Term> {
    let reach = reach(terms, pieces);
    if reach.values().all(|lowest| *lowest == 0) {
        return pieces.to_vec();
    }
    let mut memo = FxHashMap::default();
    let one = |terms: &mut Terms, term: Term, args: &[Term]| match terms.op(term) {
        Op::Extract { high, low: 0 } => {
            let lowest = reach.get(&terms.arg(term, 0));
            let is_free = lowest.is_some_and(|lowest| *lowest > high);
            is_free.then(|| with_zero_inputs(terms, term))
        }
        Op::Eq => {
            let low = of_equation(terms, term, &reach)?;
            let equation = terms.make(Op::Eq, args);
            Some(terms.all(&[equation, low]))
        }
        _ => None,
    };
    pieces
        .iter()
        .map(|piece| terms.transform(*piece, &mut memo, one))
        .collect()
}

/// The low bits of an equation that no input reaches, as an equation.
fn of_equation(terms: &mut Terms, equation: Term, reach: &FxHashMap<Term, u32>) -> Option<Term> {
    let sides = [terms.arg(equation, 0), terms.arg(equation, 1)];
    let Sort::BitVec(width) = terms.sort(sides[0]) else {
        return None;
    };
    let lowest = sides.iter().filter_map(|side| reach.get(side)).min()?;
    let bits = (*lowest).min(width);
    if bits == 0 {
        return None;
    }
    let [left, right] = sides.map(|side| {
        let side = with_zero_inputs(terms, side);
        terms.extract(bits - 1, 0, side)
    });
    Some(terms.eq(left, right))
}

/// The lowest bit that depends on an input, of each number that has inputs inside.
fn reach(terms: &Terms, roots: &[Term]) -> FxHashMap<Term, u32> {
    let about = mentioning(terms, roots);
    let mut reach: FxHashMap<Term, u32> = FxHashMap::default();
    for term in terms.reachable(roots) {
        if !about.contains(&term) || !matches!(terms.sort(term), Sort::BitVec(_)) {
            continue;
        }
        let args = terms.args(term);
        let inside = args.iter().filter(|arg| about.contains(*arg));
        let lowest = inside.map(|arg| reach.get(arg).copied().unwrap_or(0)).min();
        let lowest = lowest.unwrap_or(0);
        let zeros = |arg: &Term| terms.bv_const(*arg).map_or(0, Bv::trailing_zeros);
        let lowest = match terms.op(term) {
            Op::Add | Op::Sub | Op::BvNeg | Op::BvNot => lowest,
            Op::BvAnd | Op::BvOr | Op::BvXor => lowest,
            Op::ZeroExt { .. } | Op::SignExt { .. } | Op::Extract { low: 0, .. } => lowest,
            Op::Mul => lowest.saturating_add(args.iter().map(zeros).sum()),
            Op::Shl if !about.contains(&args[1]) => {
                let by = terms.bv_const(args[1]).and_then(|by| by.to_u128());
                lowest.saturating_add(by.map_or(0, |by| by.min(1 << 20) as u32))
            }
            _ => 0,
        };
        reach.insert(term, lowest);
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::SymbolKind;
    use attest_term::testing::{Family, Maker, RandomEnv, Rng};

    /// Whatever the inputs are, the pieces say the same as before.
    #[test]
    fn what_is_said_is_the_same() {
        let mut rng = Rng::new(11);
        for seed in 0..2000 {
            let mut terms = Terms::new();
            let mut maker = Maker::new(Family::Bv, seed);
            let piece = maker.term_of(&mut terms, Sort::Bool, 14);
            let mut map = FxHashMap::default();
            for symbol in terms.free_symbols(&[piece]) {
                let sort = terms.symbol(symbol).sort;
                if let (Sort::BitVec(width), true) = (sort, rng.one_in(2)) {
                    let old = terms.symbol_term(symbol);
                    let name = format!("in{}", map.len());
                    let input = terms.var(&name, sort, SymbolKind::Input);
                    // Even multiples, so that there are free bits.
                    let even = terms.bv_u128(width, 2);
                    map.insert(old, terms.mul(even, input));
                }
            }
            let piece = terms.substitute(piece, &map);
            let split = split_off(&mut terms, &[piece]);
            for round in 0..20 {
                let env = RandomEnv::new(&terms, seed * 100 + round);
                let (before, after) = (terms.eval(piece, &env), terms.eval(split[0], &env));
                assert_eq!(
                    before.as_bool(),
                    after.as_bool(),
                    "seed {seed}: {}",
                    terms.to_c(piece)
                );
            }
        }
    }

    #[test]
    fn parities_lose_their_inputs() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let y = terms.var("y", word, SymbolKind::Register);
        let [v, w] = ["v", "w"].map(|name| terms.var(name, word, SymbolKind::Input));
        let [four, six] = [4, 6].map(|n| terms.bv_u128(32, n));
        let (v, w) = (terms.mul(four, v), terms.mul(six, w));
        let more = terms.add(y, v);
        let more = terms.add(more, w);
        let low = terms.extract(0, 0, more);
        let other = terms.extract(0, 0, y);
        let equation = terms.eq(more, four);
        let even = terms.eq(low, other);
        assert_eq!(split_off(&mut terms, &[even]), [terms.bool(true)]);
        let split = split_off(&mut terms, &[equation]);
        let pieces = terms.args(split[0]).to_vec();
        let free = pieces
            .iter()
            .filter(|p| mentioning(&terms, &[**p]).is_empty());
        assert_eq!(free.count(), 1);
    }
}
