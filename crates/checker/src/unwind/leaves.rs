//! What a term can be: the constants among which it chooses.
//!
//! In a run from the initial state every object has a number, so the object of a pointer is a
//! constant or a choice between constants. Accesses are split by it, and what is known of a
//! constant is known of each choice.

use attest_term::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A choice between more objects is not split.
const MOST_LEAVES: usize = 256;
/// Nested operations that are looked into for low bits.
const DEPTH: u32 = 24;

/// A constant that a term can be, and when it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The constant.
    pub value: u64,
    /// The condition; the conditions of a term exclude each other, and one of them holds.
    pub when: Term,
}

/// The leaves of terms, with what is known so far.
#[derive(Default, Debug)]
pub struct Leaves {
    known: FxHashMap<Term, Option<Rc<[Leaf]>>>,
}

impl Leaves {
    /// The constants that a term chooses between; none if it is not such a choice.
    pub fn of(&mut self, terms: &mut Terms, term: Term) -> Option<Rc<[Leaf]>> {
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if self.known.contains_key(&top) {
                work.pop();
                continue;
            }
            if let Some(bits) = terms.bv_const(top) {
                let value = bits.low_u64();
                let when = terms.bool(true);
                self.known
                    .insert(top, Some(Rc::new([Leaf { value, when }])));
                continue;
            }
            let &[condition, then, other] = terms.args(top) else {
                self.known.insert(top, None);
                continue;
            };
            if terms.op(top) != Op::Ite {
                self.known.insert(top, None);
                continue;
            }
            let open = [then, other].map(|part| !self.known.contains_key(&part));
            if open != [false, false] {
                work.extend(
                    [then, other]
                        .into_iter()
                        .zip(open)
                        .filter(|p| p.1)
                        .map(|p| p.0),
                );
                continue;
            }
            let merged = match (&self.known[&then], &self.known[&other]) {
                (Some(a), Some(b)) => merge(terms, condition, &a.clone(), &b.clone()),
                _ => None,
            };
            self.known.insert(top, merged);
        }
        self.known[&term].clone()
    }
}

/// The leaves of a choice.
fn merge(terms: &mut Terms, condition: Term, then: &[Leaf], other: &[Leaf]) -> Option<Rc<[Leaf]>> {
    let not = terms.not(condition);
    let mut out: Vec<Leaf> = Vec::with_capacity(then.len() + other.len());
    let sides = [(condition, then), (not, other)];
    for (side, leaves) in sides {
        for leaf in leaves {
            let when = terms.all(&[side, leaf.when]);
            match out.iter_mut().find(|known| known.value == leaf.value) {
                Some(known) => known.when = terms.any(&[known.when, when]),
                None => out.push(Leaf { when, ..*leaf }),
            }
        }
    }
    out.retain(|leaf| terms.bool_const(leaf.when) != Some(false));
    (out.len() <= MOST_LEAVES).then(|| out.into())
}

/// The lowest bits of a term, where they are the same in all states.
pub fn low_bits(terms: &Terms, term: Term, bits: u32) -> Option<u64> {
    let mask = |value: u64| match bits {
        0 => 0,
        64.. => value,
        _ => value & ((1 << bits) - 1),
    };
    low(terms, term, bits, DEPTH).map(mask)
}

fn low(terms: &Terms, term: Term, bits: u32, depth: u32) -> Option<u64> {
    if bits == 0 {
        return Some(0);
    }
    if let Some(constant) = terms.bv_const(term) {
        return Some(constant.low_u64());
    }
    let depth = depth.checked_sub(1)?;
    let args = terms.args(term);
    let all = |join: fn(u64, u64) -> u64, first: u64| {
        args.iter().try_fold(first, |sum, arg| {
            Some(join(sum, low(terms, *arg, bits, depth)?))
        })
    };
    match terms.op(term) {
        Op::Add => all(u64::wrapping_add, 0),
        Op::Sub => {
            let (a, b) = (
                low(terms, args[0], bits, depth)?,
                low(terms, args[1], bits, depth)?,
            );
            Some(a.wrapping_sub(b))
        }
        Op::Mul => {
            let zeros = |arg: &Term| terms.bv_const(*arg).map_or(0, |c| c.trailing_zeros());
            match args.iter().any(|arg| zeros(arg) >= bits) {
                true => Some(0),
                false => all(u64::wrapping_mul, 1),
            }
        }
        Op::Concat if terms.width(args[1]) >= bits => low(terms, args[1], bits, depth),
        Op::ZeroExt { .. } | Op::SignExt { .. } if terms.width(args[0]) >= bits => {
            low(terms, args[0], bits, depth)
        }
        Op::Extract { low: 0, .. } => low(terms, args[0], bits, depth),
        Op::Ite => {
            let (a, b) = (
                low(terms, args[1], bits, depth)?,
                low(terms, args[2], bits, depth)?,
            );
            let differ = (a ^ b) & u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0);
            (differ == 0).then_some(a)
        }
        _ => None,
    }
}
