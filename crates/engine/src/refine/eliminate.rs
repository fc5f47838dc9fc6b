//! Inputs out of predicates: `exists inputs. pieces`, from above (algorithm notes 1.8).
//!
//! A region's predicate speaks of the state alone, but the precondition of a
//! step that reads an input speaks of the input too. What is wanted is
//! something implied by "some input makes it true"; that it is as strong is
//! good and not necessary, since every use of it asks the solver again.
//!
//! Four rules. Where an equation says what an input is, that is put for it
//! everywhere. A choice like `v != 0` that decides an `ite` is expanded, true
//! or false. An equation in which the input occurs once is solved for it; what
//! is left is the condition that it can be solved at all, such as an even
//! right-hand side of `2 * v = t`. Everything else that still has an input is
//! dropped.

use attest_exec::mutants::{Mutant, mutated};
use attest_term::{Op, Sort, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pieces without inputs that follow from the pieces, whatever the inputs are.
pub fn eliminate(terms: &mut Terms, pieces: &[Term], most_choices: u32) -> Vec<Term> {
    let mut budget = most_choices;
    let pieces = one_point(terms, pieces.to_vec());
    conjunction(terms, &pieces, &mut budget)
}

/// `exists v. v = t and P` is `P` with `t` for `v`.
fn one_point(terms: &mut Terms, mut pieces: Vec<Term>) -> Vec<Term> {
    for _ in 0..pieces.len() {
        let about = mentioning(terms, &pieces);
        let solution = pieces.iter().enumerate().find_map(|(at, piece)| {
            let (left, right) = sides(terms, *piece, &about)?;
            let (conditions, solution) = solve(terms, left, right, &about);
            Some((at, conditions, solution?))
        });
        let Some((at, conditions, (input, value))) = solution else {
            break;
        };
        pieces.remove(at);
        let map = FxHashMap::from_iter([(input, value)]);
        for piece in &mut pieces {
            *piece = terms.substitute(*piece, &map);
        }
        pieces.extend(conditions);
    }
    pieces
}

/// The sides of an equation of numbers, that with the input first, if only one has any.
fn sides(terms: &Terms, atom: Term, about: &FxHashSet<Term>) -> Option<(Term, Term)> {
    if terms.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
    if !matches!(terms.sort(a), Sort::BitVec(_)) {
        return None;
    }
    match (about.contains(&a), about.contains(&b)) {
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        _ => None,
    }
}

fn conjunction(terms: &mut Terms, pieces: &[Term], budget: &mut u32) -> Vec<Term> {
    let about = mentioning(terms, pieces);
    let (with, mut out): (Vec<Term>, Vec<Term>) = pieces.iter().partition(|p| about.contains(*p));
    // A choice that several pieces share must fall the same way in all of them.
    let shared = with
        .iter()
        .flat_map(|piece| choices(terms, *piece, &about))
        .find(|choice| {
            let has = |piece: &&Term| terms.reachable(&[**piece]).contains(choice);
            with.iter().filter(has).count() > 1
        });
    match shared {
        Some(choice) if *budget > 0 => {
            *budget -= 1;
            let mut ways = Vec::with_capacity(2);
            for value in [true, false] {
                let pieces = decided(terms, &with, choice, value);
                let way = conjunction(terms, &pieces, budget);
                ways.push(terms.all(&way));
            }
            out.push(terms.any(&ways));
        }
        _ => out.extend(with.iter().map(|piece| exists(terms, *piece, budget))),
    }
    out
}

/// The terms with an input inside.
pub(super) fn mentioning(terms: &Terms, roots: &[Term]) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    for term in terms.reachable(roots) {
        let is_input = |symbol| terms.symbol(symbol).kind == SymbolKind::Input;
        let here = match terms.op(term) {
            Op::Var(symbol) => is_input(symbol),
            _ => terms.args(term).iter().any(|a| found.contains(a)),
        };
        if here {
            found.insert(term);
        }
    }
    found
}

/// The innermost truth values with an input inside that decide something in a piece.
fn choices(terms: &Terms, piece: Term, about: &FxHashSet<Term>) -> Vec<Term> {
    let is_choice = |t: &Term| about.contains(t) && terms.sort(*t) == Sort::Bool;
    let mut over: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    for term in terms.reachable(&[piece]) {
        if terms.args(term).iter().any(|a| over.contains(a)) {
            over.insert(term);
        }
        if is_choice(&term) && over.insert(term) && term != piece {
            found.push(term);
        }
    }
    found
}

fn decided(terms: &mut Terms, pieces: &[Term], choice: Term, value: bool) -> Vec<Term> {
    let value = terms.bool(value);
    let map = FxHashMap::from_iter([(choice, value)]);
    pieces.iter().map(|p| terms.substitute(*p, &map)).collect()
}

/// One piece without inputs.
fn exists(terms: &mut Terms, piece: Term, budget: &mut u32) -> Term {
    let about = mentioning(terms, &[piece]);
    if about.is_empty() {
        return piece;
    }
    let each = |terms: &mut Terms, budget: &mut u32, args: &[Term]| -> Vec<Term> {
        args.iter().map(|a| exists(terms, *a, budget)).collect()
    };
    match terms.op(piece) {
        Op::And => {
            let args = terms.args(piece).to_vec();
            let parts = each(terms, budget, &args);
            return terms.all(&parts);
        }
        Op::Or => {
            let args = terms.args(piece).to_vec();
            let parts = each(terms, budget, &args);
            return terms.any(&parts);
        }
        _ => {}
    }
    match choices(terms, piece, &about).first() {
        None if mutated(Mutant::InputTakenAsZero) => with_zero_inputs(terms, piece),
        None => solved(terms, piece, &about),
        Some(_) if *budget == 0 => terms.bool(true),
        Some(&choice) if terms.op(piece) == Op::Not && terms.arg(piece, 0) == choice => {
            solved(terms, piece, &about)
        }
        Some(&choice) => {
            *budget -= 1;
            let mut ways = Vec::with_capacity(2);
            for value in [true, false] {
                let rest = decided(terms, &[piece], choice, value)[0];
                let itself = if value { choice } else { terms.not(choice) };
                let (rest, itself) = (exists(terms, rest, budget), exists(terms, itself, budget));
                ways.push(terms.all(&[rest, itself]));
            }
            terms.any(&ways)
        }
    }
}

/// A term with zero for its inputs. As a piece it does not follow from the one with them.
pub(super) fn with_zero_inputs(terms: &mut Terms, term: Term) -> Term {
    let mut map = FxHashMap::default();
    for symbol in terms.free_symbols(&[term]) {
        if let (SymbolKind::Input, Sort::BitVec(width)) =
            (terms.symbol(symbol).kind, terms.symbol(symbol).sort)
        {
            map.insert(terms.symbol_term(symbol), terms.bv_u128(width, 0));
        }
    }
    terms.substitute(term, &map)
}

/// A comparison that has an input on one side: the condition that some input satisfies it.
fn solved(terms: &mut Terms, atom: Term, about: &FxHashSet<Term>) -> Term {
    let yes = terms.bool(true);
    let (op, args) = (terms.op(atom), terms.args(atom).to_vec());
    match op {
        Op::Eq => match sides(terms, atom, about) {
            Some((left, right)) => {
                let (conditions, _) = solve(terms, left, right, about);
                terms.all(&conditions)
            }
            None => yes,
        },
        Op::Ult | Op::Slt => {
            let width = terms.width(args[0]);
            let bound = match (about.contains(&args[0]), about.contains(&args[1])) {
                // Something below it exists.
                (true, false) if op == Op::Ult => (args[1], terms.bv_u128(width, 0)),
                (true, false) => (args[1], signed_min(terms, width)),
                // Something above it exists.
                (false, true) if op == Op::Ult => (args[0], terms.bv_i128(width, -1)),
                (false, true) => {
                    let least = signed_min(terms, width);
                    (args[0], terms.bvnot(least))
                }
                _ => return yes,
            };
            terms.ne(bound.0, bound.1)
        }
        _ => yes,
    }
}

fn signed_min(terms: &mut Terms, width: u32) -> Term {
    let one = terms.bv_u128(width, 1);
    let by = terms.bv_u128(width, u128::from(width) - 1);
    terms.shl(one, by)
}

/// The conditions that `left = right` has a solution for the input in `left`, and the
/// input with its value if there is but one.
fn solve(
    terms: &mut Terms,
    left: Term,
    right: Term,
    about: &FxHashSet<Term>,
) -> (Vec<Term>, Option<(Term, Term)>) {
    let (mut left, mut right) = (left, right);
    let mut conditions = Vec::new();
    loop {
        let args = terms.args(left).to_vec();
        let inside: Vec<usize> = (0..args.len())
            .filter(|i| about.contains(&args[*i]))
            .collect();
        let [at] = inside[..] else {
            let is_input = matches!(terms.op(left), Op::Var(_));
            return (conditions, is_input.then_some((left, right)));
        };
        let inner = args[at];
        let other = args.get(1 - at.min(1)).copied();
        let width = terms.width(left);
        match (terms.op(left), other) {
            (Op::Add, Some(other)) if args.len() == 2 => right = terms.sub(right, other),
            (Op::Sub, Some(other)) if at == 0 => right = terms.add(right, other),
            (Op::Sub, Some(other)) => right = terms.sub(other, right),
            (Op::BvXor, Some(other)) if args.len() == 2 => right = terms.bvxor(right, other),
            (Op::BvNeg, _) => right = terms.neg(right),
            (Op::BvNot, _) => right = terms.bvnot(right),
            (Op::Mul, Some(other)) if args.len() == 2 => {
                let Some(factor) = terms.bv_const(other).cloned() else {
                    break;
                };
                let zeros = factor.trailing_zeros();
                conditions.push(low_bits_are_zero(terms, right, zeros));
                if zeros > 0 {
                    break;
                }
                let Some(inverse) = inverse(&factor) else {
                    break;
                };
                let inverse = terms.bv_u128(width, inverse);
                right = terms.mul(right, inverse);
            }
            (Op::Shl, Some(by)) if at == 0 => {
                let Some(by) = terms.bv_const(by).and_then(|b| b.to_u128()) else {
                    break;
                };
                let zeros = by.min(width.into()) as u32;
                conditions.push(low_bits_are_zero(terms, right, zeros));
                break;
            }
            (Op::ZeroExt { .. }, _) => {
                let low = terms.width(inner);
                let cut = terms.extract(low - 1, 0, right);
                let back = terms.zext(cut, width);
                conditions.push(terms.eq(back, right));
                right = cut;
            }
            (Op::SignExt { .. }, _) => {
                let low = terms.width(inner);
                let cut = terms.extract(low - 1, 0, right);
                let back = terms.sext(cut, width);
                conditions.push(terms.eq(back, right));
                right = cut;
            }
            (Op::Concat, Some(other)) => {
                let low = terms.width(args[1]);
                let (high_part, low_part) = (
                    terms.extract(width - 1, low, right),
                    terms.extract(low - 1, 0, right),
                );
                let (mine, theirs) = match at {
                    0 => (high_part, low_part),
                    _ => (low_part, high_part),
                };
                conditions.push(terms.eq(theirs, other));
                right = mine;
            }
            (Op::BvAnd, Some(mask)) if args.len() == 2 => {
                // No bit outside of the mask.
                let outside = terms.bvnot(mask);
                let rest = terms.bvand(right, outside);
                let zero = terms.bv_u128(width, 0);
                conditions.push(terms.eq(rest, zero));
                break;
            }
            _ => break,
        }
        left = inner;
    }
    (conditions, None)
}

fn low_bits_are_zero(terms: &mut Terms, of: Term, count: u32) -> Term {
    match count.min(terms.width(of)) {
        0 => terms.bool(true),
        count => {
            let low = terms.extract(count - 1, 0, of);
            let zero = terms.bv_u128(count, 0);
            match mutated(Mutant::ParityInverted) {
                true => terms.ne(low, zero),
                false => terms.eq(low, zero),
            }
        }
    }
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration.
fn inverse(of: &attest_term::Bv) -> Option<u128> {
    let a = of.to_u128()?;
    let mut x = a;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(a.wrapping_mul(x)));
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::testing::{Family, Maker, RandomEnv, Rng};

    /// Whatever inputs make the pieces true, the result is true.
    #[test]
    fn what_is_left_follows() {
        let mut rng = Rng::new(7);
        for seed in 0..4000 {
            let mut terms = Terms::new();
            let mut maker = Maker::new(Family::Bv, seed);
            let pieces: Vec<Term> = (0..2)
                .map(|_| maker.term_of(&mut terms, Sort::Bool, 12))
                .collect();
            // Some of its variables are inputs.
            let symbols = terms.free_symbols(&pieces);
            let mut map = FxHashMap::default();
            let mut inputs = Vec::new();
            for symbol in symbols {
                if rng.one_in(2) {
                    let sort = terms.symbol(symbol).sort;
                    let name = format!("in{}", inputs.len());
                    let old = terms.symbol_term(symbol);
                    let new = terms.var(&name, sort, SymbolKind::Input);
                    map.insert(old, new);
                    inputs.push(new);
                }
            }
            let pieces: Vec<Term> = pieces
                .into_iter()
                .map(|p| terms.substitute(p, &map))
                .collect();
            let left = eliminate(&mut terms, &pieces, 6);
            for round in 0..20 {
                let env = RandomEnv::new(&terms, seed * 100 + round);
                let holds = |t: &Term| terms.eval(*t, &env).as_bool() == Some(true);
                if pieces.iter().all(holds) {
                    let kept: Vec<&Term> = left
                        .iter()
                        .filter(|t| mentioning(&terms, &[**t]).is_empty())
                        .collect();
                    assert!(
                        kept.into_iter().all(holds),
                        "seed {seed}: {}",
                        terms.to_c(pieces[0])
                    );
                }
            }
        }
    }

    #[test]
    fn an_even_multiple_of_an_input_leaves_a_parity() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let y = terms.var("y", word, SymbolKind::Register);
        let v = terms.var("v", word, SymbolKind::Input);
        let two = terms.bv_u128(32, 2);
        let zero = terms.bv_u128(32, 0);
        let doubled = terms.mul(two, v);
        let sum = terms.add(y, doubled);
        let piece = terms.eq(sum, zero);
        let left = eliminate(&mut terms, &[piece], 6);
        assert_eq!(left.len(), 1);
        assert!(mentioning(&terms, &left).is_empty());
        assert_ne!(terms.bool_const(left[0]), Some(true));
    }

    #[test]
    fn an_equation_says_what_an_input_is_everywhere() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let a = terms.var("a", word, SymbolKind::Register);
        let v = terms.var("v", word, SymbolKind::Input);
        let two = terms.bv_u128(32, 2);
        // The input is both a and a + 2: impossible.
        let more = terms.add(a, two);
        let (p, q) = (terms.eq(v, a), terms.eq(v, more));
        let left = eliminate(&mut terms, &[p, q], 6);
        let rho = terms.all(&left);
        assert_eq!(terms.bool_const(rho), Some(false));
    }

    #[test]
    fn a_choice_falls_the_same_way_everywhere() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let x = terms.var("x", word, SymbolKind::Register);
        let v = terms.var("v", word, SymbolKind::Input);
        let [zero, one, two] = [0, 1, 2].map(|n| terms.bv_u128(32, n));
        let chosen = terms.ne(v, zero);
        // x' = v ? x + 1 : x is both 1 and, by the other way, 2: impossible.
        let next = terms.add(x, one);
        let a = terms.ite(chosen, next, x);
        let b = terms.ite(chosen, x, next);
        let (p, q) = (terms.eq(a, one), terms.eq(b, two));
        let left = eliminate(&mut terms, &[p, q], 6);
        let rho = terms.all(&left);
        let at = |terms: &mut Terms, n: u128| {
            let value = terms.bv_u128(32, n);
            let map = FxHashMap::from_iter([(x, value)]);
            let r = terms.substitute(rho, &map);
            terms.bool_const(r)
        };
        assert_eq!(at(&mut terms, 0), Some(false));
        assert_eq!(at(&mut terms, 1), Some(true));
    }
}
