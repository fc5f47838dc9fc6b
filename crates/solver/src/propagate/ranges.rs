//! Ranges of arithmetic: from bounds of operands to bounds of the result.
//!
//! `0 < w <= 30000 and 0 <= y < 30000` bound the product `w * y`, so that it does not overflow. A
//! bit-blasted multiplier hides this from the SAT solver, which would have to learn it bit by bit;
//! here it is four multiplications. A range is two intervals of the same number, read as unsigned
//! and as signed, since a sum may fit one reading and wrap around in the other. A reading that
//! wraps around is not bounded (Moore 1966; for machine integers Miné's and others' interval
//! domains do the same).

use attest_term::{Bv, Op};

/// The least and the greatest value of a number, read in both ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    width: u32,
    unsigned: (u128, u128),
    signed: (i128, i128),
}

/// What is outside the range has no value at all: the bounds contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Empty;

/// Widths that are looked at, so that every number and most products fit 128 bits.
const MOST_BITS: u32 = 128;

fn greatest(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn greatest_signed(width: u32) -> i128 {
    i128::MAX >> (128 - width)
}

/// All bits up to the highest one of a number.
fn filled(number: u128) -> u128 {
    match number.leading_zeros() {
        128 => 0,
        zeros => u128::MAX >> zeros,
    }
}

/// The least and the greatest of some numbers, if all of them are known.
fn hull<T: Ord + Copy>(all: &[Option<T>]) -> Option<(T, T)> {
    let all: Option<Vec<T>> = all.iter().copied().collect();
    let all = all?;
    Some((*all.iter().min()?, *all.iter().max()?))
}

impl Range {
    /// All numbers of a width, if it is one that is looked at.
    pub fn all(width: u32) -> Option<Range> {
        (1..=MOST_BITS).contains(&width).then(|| Range {
            width,
            unsigned: (0, greatest(width)),
            signed: (-greatest_signed(width) - 1, greatest_signed(width)),
        })
    }

    /// One number.
    pub fn of(value: &Bv) -> Option<Range> {
        let (unsigned, signed) = (value.to_u128()?, value.to_i128()?);
        Some(Range {
            width: value.width(),
            unsigned: (unsigned, unsigned),
            signed: (signed, signed),
        })
    }

    /// The part with these bounds: unsigned least and greatest, then signed.
    pub fn within(mut self, bounds: [Option<&Bv>; 4]) -> Result<Range, Empty> {
        let unsigned = |which: usize| bounds[which].and_then(Bv::to_u128);
        let signed = |which: usize| bounds[which].and_then(Bv::to_i128);
        self.unsigned.0 = self.unsigned.0.max(unsigned(0).unwrap_or(0));
        self.unsigned.1 = self.unsigned.1.min(unsigned(1).unwrap_or(u128::MAX));
        self.signed.0 = self.signed.0.max(signed(2).unwrap_or(i128::MIN));
        self.signed.1 = self.signed.1.min(signed(3).unwrap_or(i128::MAX));
        self.tight()
    }

    /// What each reading says of the other.
    fn tight(mut self) -> Result<Range, Empty> {
        let most = greatest_signed(self.width);
        let half = most.cast_unsigned();
        let as_signed = |number: u128| Bv::new(self.width, number).to_i128();
        // On one side of the sign bit both readings have the same order.
        let one_side = self.unsigned.1 <= half || self.unsigned.0 > half;
        if one_side
            && let (Some(least), Some(greatest)) =
                (as_signed(self.unsigned.0), as_signed(self.unsigned.1))
        {
            self.signed = (self.signed.0.max(least), self.signed.1.min(greatest));
        }
        if self.signed.0 >= 0 || self.signed.1 < 0 {
            let mask = greatest(self.width);
            let least = self.signed.0.cast_unsigned() & mask;
            let greatest = self.signed.1.cast_unsigned() & mask;
            self.unsigned = (self.unsigned.0.max(least), self.unsigned.1.min(greatest));
        }
        let is_empty = self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1;
        if is_empty { Err(Empty) } else { Ok(self) }
    }

    /// The bounds as values, of those that say something: unsigned least and greatest, then signed.
    pub fn bounds(&self) -> [Option<Bv>; 4] {
        let Some(all) = Range::all(self.width) else {
            return [const { None }; 4];
        };
        let of = |says: bool, number: u128| says.then(|| Bv::new(self.width, number));
        let signed = |says: bool, number: i128| of(says, number.cast_unsigned());
        [
            of(self.unsigned.0 > all.unsigned.0, self.unsigned.0),
            of(self.unsigned.1 < all.unsigned.1, self.unsigned.1),
            signed(self.signed.0 > all.signed.0, self.signed.0),
            signed(self.signed.1 < all.signed.1, self.signed.1),
        ]
    }

    /// Whether a comparison of two numbers has the same outcome for all of their values.
    pub fn compare(op: Op, a: &Range, b: &Range) -> Option<bool> {
        fn less<T: Ord>(a: (T, T), b: (T, T)) -> Option<bool> {
            match (a.1 < b.0, a.0 >= b.1) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            }
        }
        let not = |known: Option<bool>| known.map(|known| !known);
        match op {
            Op::Ult => less(a.unsigned, b.unsigned),
            Op::Ule => not(less(b.unsigned, a.unsigned)),
            Op::Slt => less(a.signed, b.signed),
            Op::Sle => not(less(b.signed, a.signed)),
            Op::Eq => {
                let apart = |(a0, a1), (b0, b1)| a1 < b0 || b1 < a0;
                let signed = a.signed.1 < b.signed.0 || b.signed.1 < a.signed.0;
                match a == b && a.unsigned.0 == a.unsigned.1 {
                    true => Some(true),
                    false => (apart(a.unsigned, b.unsigned) || signed).then_some(false),
                }
            }
            _ => None,
        }
    }

    /// The range of an operation's result, for operands in these ranges.
    pub fn apply(op: Op, width: u32, args: &[Range]) -> Option<Range> {
        let mut out = Range::all(width)?;
        let (unsigned, signed) = match *args {
            [a] => out.of_one(op, &a),
            [a, b] => out.of_two(op, &a, &b),
            _ => return None,
        };
        if let Some((least, most)) = unsigned.filter(|(_, most)| *most <= greatest(width)) {
            out.unsigned = (least, most);
        }
        let fits = |(least, most): &(i128, i128)| {
            -greatest_signed(width) - 1 <= *least && *most <= greatest_signed(width)
        };
        if let Some(range) = signed.filter(fits) {
            out.signed = range;
        }
        // An operation on values in their ranges has a value.
        out.tight()
            .ok()
            .filter(|out| Some(*out) != Range::all(width))
    }

    /// Either of two.
    pub fn either(&self, other: &Range) -> Range {
        let (a, b) = (self, other);
        Range {
            width: a.width,
            unsigned: (
                a.unsigned.0.min(b.unsigned.0),
                a.unsigned.1.max(b.unsigned.1),
            ),
            signed: (a.signed.0.min(b.signed.0), a.signed.1.max(b.signed.1)),
        }
    }

    fn of_one(&self, op: Op, a: &Range) -> Readings {
        match op {
            Op::ZeroExt { .. } => (Some(a.unsigned), None),
            Op::SignExt { .. } => (None, Some(a.signed)),
            Op::BvNot => (
                Some((
                    greatest(a.width) - a.unsigned.1,
                    greatest(a.width) - a.unsigned.0,
                )),
                Some((!a.signed.1, !a.signed.0)),
            ),
            Op::BvNeg => (
                None,
                hull(&[a.signed.0.checked_neg(), a.signed.1.checked_neg()]),
            ),
            Op::Extract { low: 0, .. } => (Some(a.unsigned), Some(a.signed)),
            Op::Extract { low, .. } => (Some((a.unsigned.0 >> low, a.unsigned.1 >> low)), None),
            _ => (None, None),
        }
    }

    fn of_two(&self, op: Op, a: &Range, b: &Range) -> Readings {
        let (ua, ub, sa, sb) = (a.unsigned, b.unsigned, a.signed, b.signed);
        match op {
            Op::Add => (
                hull(&[ua.0.checked_add(ub.0), ua.1.checked_add(ub.1)]),
                hull(&[sa.0.checked_add(sb.0), sa.1.checked_add(sb.1)]),
            ),
            Op::Sub => (
                // Below zero it wraps around.
                hull(&[ua.0.checked_sub(ub.1), ua.1.checked_sub(ub.0)]),
                hull(&[sa.0.checked_sub(sb.1), sa.1.checked_sub(sb.0)]),
            ),
            Op::Mul => (
                hull(&[ua.0.checked_mul(ub.0), ua.1.checked_mul(ub.1)]),
                hull(&[
                    sa.0.checked_mul(sb.0),
                    sa.0.checked_mul(sb.1),
                    sa.1.checked_mul(sb.0),
                    sa.1.checked_mul(sb.1),
                ]),
            ),
            Op::Udiv if ub.0 > 0 => (Some((ua.0 / ub.1, ua.1 / ub.0)), None),
            Op::Urem if ub.0 > 0 => (Some((0, ua.1.min(ub.1 - 1))), None),
            Op::Sdiv if sb.0 > 0 => (
                None,
                hull(&[sa.0 / sb.0, sa.0 / sb.1, sa.1 / sb.0, sa.1 / sb.1].map(Some)),
            ),
            Op::Srem if sb.0 > 0 => {
                let most = sb.1 - 1;
                let range = (sa.0.max(-most).min(0), sa.1.min(most).max(0));
                (None, Some(range))
            }
            Op::BvAnd => (Some((0, ua.1.min(ub.1))), None),
            Op::BvOr => (Some((ua.0.max(ub.0), filled(ua.1 | ub.1))), None),
            Op::BvXor => (Some((0, filled(ua.1 | ub.1))), None),
            Op::Shl if ub.1 < u128::from(self.width) => {
                let by = |least: u128, most: u128| {
                    1i128
                        .checked_shl(most as u32)
                        .filter(|_| least == most && most < 127)
                };
                let Some(factor) = by(ub.0, ub.1) else {
                    return (None, None);
                };
                let unsigned = factor.cast_unsigned();
                (
                    hull(&[ua.0.checked_mul(unsigned), ua.1.checked_mul(unsigned)]),
                    hull(&[sa.0.checked_mul(factor), sa.1.checked_mul(factor)]),
                )
            }
            Op::Lshr if ub.1 < u128::from(self.width) => (Some((ua.0 >> ub.1, ua.1 >> ub.0)), None),
            Op::Ashr if ub.1 < u128::from(self.width) => (
                None,
                hull(&[sa.0 >> ub.0, sa.0 >> ub.1, sa.1 >> ub.0, sa.1 >> ub.1].map(Some)),
            ),
            Op::Concat if self.width <= 127 => {
                let put = |high: u128, low: u128| high << b.width | low;
                (Some((put(ua.0, ub.0), put(ua.1, ub.1))), None)
            }
            _ => (None, None),
        }
    }
}

/// The least and the greatest result, unsigned and signed, before it is cut to its width.
type Readings = (Option<(u128, u128)>, Option<(i128, i128)>);

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::testing::Rng;
    use attest_term::{Sort, SymbolKind, Term, Terms, Value};

    /// Two numbers of a width, and all that is between them in one of the readings.
    fn some(rng: &mut Rng, width: u32) -> (Range, Bv) {
        let all = Range::all(width).expect("a width");
        let (a, b) = (rng.bv(width), rng.bv(width));
        let signed = rng.below(2) == 0;
        let in_order = if signed { !b.slt(&a) } else { !b.ult(&a) };
        let (least, most) = if in_order { (a, b) } else { (b, a) };
        let bounds = match signed {
            true => [None, None, Some(&least), Some(&most)],
            false => [Some(&least), Some(&most), None, None],
        };
        let range = all.within(bounds).expect("the bounds are in order");
        // One of the ends, or something between them.
        let step = Bv::new(width, rng.below(5).into());
        let inside = match rng.below(3) {
            0 => least,
            1 => most,
            _ => least.add(&step),
        };
        match holds(&range, &inside) {
            true => (range, inside),
            false => (Range::of(&inside).expect("a width"), inside),
        }
    }

    fn holds(range: &Range, value: &Bv) -> bool {
        let unsigned = value.to_u128().expect("at most 128 bits");
        let signed = value.to_i128().expect("at most 128 bits");
        (range.unsigned.0..=range.unsigned.1).contains(&unsigned)
            && (range.signed.0..=range.signed.1).contains(&signed)
    }

    fn operation(rng: &mut Rng, width: u32) -> (Op, usize) {
        let two = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Udiv,
            Op::Sdiv,
            Op::Urem,
            Op::Srem,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
            Op::Concat,
        ];
        let low = rng.below(width.into()) as u32;
        let high = low + rng.below((width - low).into()) as u32;
        let by = 1 + rng.below(64) as u32;
        let one = [
            Op::BvNeg,
            Op::BvNot,
            Op::ZeroExt { by },
            Op::SignExt { by },
            Op::Extract { high, low },
        ];
        match rng.below(4) {
            0 => (rng.pick(&one), 1),
            _ => (rng.pick(&two), 2),
        }
    }

    /// The result of values in their ranges is in the range of the result.
    #[test]
    fn results_are_in_their_ranges() {
        let mut rng = Rng::new(29);
        let mut bounded = 0;
        for _ in 0..200_000 {
            let width = rng.pick(&[1, 2, 3, 8, 16, 31, 32, 33, 64, 127, 128]);
            let (op, count) = operation(&mut rng, width);
            let (ranges, values): (Vec<Range>, Vec<Value>) = (0..count)
                .map(|_| some(&mut rng, width))
                .map(|(range, value)| (range, Value::Bv(value)))
                .unzip();
            let all: Vec<&Value> = values.iter().collect();
            let Some(Value::Bv(result)) = op.apply(&all) else {
                continue;
            };
            if let Some(range) = Range::apply(op, result.width(), &ranges) {
                bounded += 1;
                assert!(
                    holds(&range, &result),
                    "{op:?} {ranges:?} {values:?}: {range:?}"
                );
            }
            if let [a, b] = &ranges[..] {
                for op in [Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Eq] {
                    if let Some(truth) = Range::compare(op, a, b) {
                        assert_eq!(
                            op.apply(&all),
                            Some(Value::Bool(truth)),
                            "{op:?} {ranges:?}"
                        );
                    }
                }
                assert!(holds(
                    &a.either(b),
                    match &values[0] {
                        Value::Bv(value) => value,
                        _ => unreachable!("a number"),
                    }
                ));
            }
        }
        assert!(bounded > 50_000, "{bounded}");
    }

    /// `1 < w <= 30000`, `0 <= y < 30000`: `y * w + x` does not overflow.
    #[test]
    fn a_product_of_bounded_numbers_does_not_overflow() {
        let mut terms = Terms::new();
        let number = |terms: &mut Terms, n: u128| terms.bv_u128(32, n);
        let inputs: Vec<Term> = (0..3)
            .map(|_| {
                let (sort, kind) = (Sort::BitVec(32), SymbolKind::Input);
                let symbol = terms.declare_fresh("input", sort, kind);
                terms.symbol_term(symbol)
            })
            .collect();
        let (zero, most) = (number(&mut terms, 0), number(&mut terms, 30_000));
        let mut facts = Vec::new();
        for &input in &inputs {
            facts.push(terms.slt(zero, input));
            facts.push(terms.sle(input, most));
        }
        let product = terms.mul(inputs[0], inputs[1]);
        let overflows = [
            terms.smul_overflow(inputs[0], inputs[1]),
            terms.sadd_overflow(product, inputs[2]),
        ];
        for overflow in overflows {
            let assumptions = [&facts[..], &[overflow]].concat();
            let core = super::super::contradiction(&terms, &[], &assumptions);
            assert!(core.expect("a contradiction").contains(&overflow));
            let without = [&facts[2..], &[overflow]].concat();
            assert!(super::super::contradiction(&terms, &[], &without).is_none());
        }
    }
}
