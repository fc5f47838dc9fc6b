//! The inputs of a test: the environment's answers, and unspecified machine contents.

use crate::concrete::memory::Unknown;
use crate::concrete::value::Val;
use attest_model::{InputKind, PlaceId, Sort};
use attest_term::random::{self, Random};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value of a test; it takes the sort of the instruction that reads it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InputValue {
    /// A number; a pointer input reads it as an address.
    Int(i128),
    /// A float.
    Float(f64),
}

impl InputValue {
    /// Reads `3`, `-1`, `0x1f`, `'a'`, `2.5`, `nan` or `-inf`.
    pub fn parse(text: &str) -> Option<InputValue> {
        let text = text.trim();
        if let Some(c) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
            let mut chars = c.chars();
            return match (chars.next(), chars.next()) {
                (Some(c), None) => Some(InputValue::Int(i128::from(u32::from(c)))),
                _ => None,
            };
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let number = match digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
        {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u128>().ok(),
        };
        if let Some(number) = number {
            let number = number as i128;
            return Some(InputValue::Int(if negative {
                number.wrapping_neg()
            } else {
                number
            }));
        }
        text.parse().ok().map(InputValue::Float)
    }

    /// The machine value of a sort.
    pub fn as_val(self, sort: Sort, pointer_bits: u32) -> Val {
        match (sort, self) {
            (Sort::Int(w), InputValue::Int(n)) => Val::wide(n as u128 & (u128::MAX >> (128 - w))),
            (Sort::Int(w), InputValue::Float(x)) => {
                Val::wide((x as i128) as u128 & (u128::MAX >> (128 - w)))
            }
            (Sort::Ptr, InputValue::Int(n)) => {
                Val::small(n as u64 & (u64::MAX >> (64 - pointer_bits)))
            }
            (Sort::Ptr, InputValue::Float(_)) => Val::default(),
            (Sort::F32, InputValue::Int(n)) => Val::small(u64::from((n as f32).to_bits())),
            (Sort::F64, InputValue::Int(n)) => Val::small((n as f64).to_bits()),
            (Sort::F32, InputValue::Float(x)) => Val::small(u64::from((x as f32).to_bits())),
            (Sort::F64, InputValue::Float(x)) => Val::small(x.to_bits()),
        }
    }
}

/// The value of an input beyond the end of the lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rest {
    /// 0.
    #[default]
    Zero,
    /// Numbers from a generator with this seed.
    Random(u64),
}

/// The inputs of a test.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    /// Answers of the environment, in the order of its calls.
    pub nondet: Vec<InputValue>,
    /// Values of variables before their first assignment, in the order of their lifetimes.
    pub uninit: Vec<InputValue>,
    /// Bytes of objects before they are written.
    pub unknown: Arc<Unknown>,
    /// The rule for inputs beyond the lists.
    pub rest: Rest,
    /// `main`'s `argc`, if it is not 1.
    pub argc: Option<i128>,
}

/// An input that a run took.
#[derive(Clone, PartialEq, Debug)]
pub struct Taken {
    /// What the input stands for.
    pub kind: InputKind,
    /// Its sort.
    pub sort: Sort,
    /// Its value.
    pub value: Val,
    /// Where it was taken.
    pub place: PlaceId,
}

/// The number of inputs taken: environment inputs, and values of variables before their first
/// assignment.
pub type Counts = [usize; 2];

impl Inputs {
    /// The inputs of some segments of a run, each from one count up to another, followed by zeros,
    /// with which most programs terminate.
    pub fn of_stretches(&self, stretches: &[(Counts, Counts)]) -> Inputs {
        let values = |list: usize| {
            let ranges = stretches.iter().map(|(from, to)| from[list]..to[list]);
            ranges.flatten().map(|at| self.value(list, at)).collect()
        };
        Inputs {
            nondet: values(0),
            uninit: values(1),
            rest: Rest::Zero,
            ..self.clone()
        }
    }

    /// The value at a position of one of the two lists.
    fn value(&self, list: usize, at: usize) -> InputValue {
        let listed = [&self.nondet, &self.uninit][list];
        match (listed.get(at), self.rest) {
            (Some(value), _) => *value,
            (None, Rest::Zero) => InputValue::Int(0),
            (None, Rest::Random(seed)) => {
                let after = (at - listed.len()) as u64;
                InputValue::Int(i128::from(roll(seed, list as u64, after) as i64))
            }
        }
    }
}

/// A random number that favours small ones.
fn roll(seed: u64, list: u64, at: u64) -> u64 {
    let before = at.wrapping_mul(random::STEP).wrapping_add(list << 32);
    let z = Random(seed.wrapping_add(before)).roll();
    match z & 3 {
        0 => z >> 2 & 0xf,
        1 => (z >> 2 & 0xff).wrapping_sub(128),
        _ => z >> 2,
    }
}

/// Generates environment inputs during a run.
pub trait Maker: std::fmt::Debug + Send {
    /// The input for a call at this place.
    fn answer(&mut self, place: PlaceId) -> InputValue;
}

/// A generator, for as long as it is used; one thread at a time has it.
pub fn locked<T: ?Sized>(maker: &Mutex<T>) -> MutexGuard<'_, T> {
    maker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands out the inputs of a test.
#[derive(Clone, Debug)]
pub struct Feed {
    inputs: Arc<Inputs>,
    counts: Counts,
    /// The generator of environment inputs, if they are not in the lists.
    maker: Option<Arc<Mutex<dyn Maker>>>,
}

impl Feed {
    /// Starts at the beginning of the inputs.
    pub fn new(inputs: Arc<Inputs>) -> Feed {
        Feed {
            inputs,
            counts: [0, 0],
            maker: None,
        }
    }

    /// Takes environment inputs from a generator.
    pub fn made_by(maker: Arc<Mutex<dyn Maker>>) -> Feed {
        Feed {
            maker: Some(maker),
            ..Feed::new(Arc::default())
        }
    }

    /// The value of `argc`.
    pub fn argc(&self) -> i128 {
        self.inputs.argc.unwrap_or(1)
    }

    /// The number of environment inputs taken.
    pub fn taken(&self) -> usize {
        self.counts[0]
    }

    /// The number of inputs of either kind taken.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The next input of its kind.
    pub fn next(&mut self, sort: Sort, kind: &InputKind, place: PlaceId, pointer_bits: u32) -> Val {
        let list = match kind {
            InputKind::Nondet(_) | InputKind::Result(_) | InputKind::Argument(_) => 0,
            InputKind::Uninit(_) | InputKind::Undef => 1,
        };
        let value = match &self.maker {
            Some(maker) if list == 0 => locked(maker).answer(place),
            _ => self.inputs.value(list, self.counts[list]),
        };
        self.counts[list] += 1;
        value.as_val(sort, pointer_bits)
    }
}
