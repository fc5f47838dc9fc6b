//! Bit-vector values of any width, with SMT-LIB's total arithmetic.
//!
//! Values of up to 128 bits are inline in one `u128`; wider ones, which only `concat` makes, are
//! words on the heap. These operations define the meaning of the term operations of the same name:
//! the constant folder and the reference evaluator call them, and tests compare the compiled
//! evaluator with them. Invariant: bits above the width are zero.

use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bv {
    width: u32,
    repr: Repr,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    /// Exactly when the width is at most 128.
    Small(u128),
    /// Little-endian words, as many as the width needs.
    Wide(Box<[u64]>),
}

/// The low `width` bits set, for a width of at most 128.
fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

impl Bv {
    /// The value whose low bits are `bits`; higher bits than the width are dropped.
    ///
    /// # Panics
    /// If the width is zero.
    pub fn new(width: u32, bits: u128) -> Bv {
        assert!(width > 0, "a bit vector has at least one bit");
        if width <= 128 {
            return Bv {
                width,
                repr: Repr::Small(bits & mask(width)),
            };
        }
        Bv::from_words(width, vec![bits as u64, (bits >> 64) as u64])
    }

    /// The value with these little-endian words, truncated or zero-extended to the width.
    ///
    /// # Panics
    /// If the width is zero.
    pub fn from_words(width: u32, mut words: Vec<u64>) -> Bv {
        assert!(width > 0, "a bit vector has at least one bit");
        if width <= 128 {
            let low = words.first().copied().unwrap_or(0) as u128;
            let high = words.get(1).copied().unwrap_or(0) as u128;
            return Bv::new(width, low | high << 64);
        }
        words.resize(width.div_ceil(64) as usize, 0);
        if !width.is_multiple_of(64) {
            let last = words.len() - 1;
            words[last] &= (1 << (width % 64)) - 1;
        }
        Bv {
            width,
            repr: Repr::Wide(words.into()),
        }
    }

    /// Zero.
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }

    /// One.
    pub fn one(width: u32) -> Bv {
        Bv::new(width, 1)
    }

    /// Every bit set.
    pub fn ones(width: u32) -> Bv {
        Bv::zero(width).not()
    }

    /// The least signed value: only the top bit set.
    pub fn signed_min(width: u32) -> Bv {
        Bv::one(width).shl_by(width - 1)
    }

    /// The greatest signed value: all but the top bit set.
    pub fn signed_max(width: u32) -> Bv {
        Bv::signed_min(width).not()
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value as an unsigned number, if it has at most 128 significant bits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.repr {
            Repr::Small(bits) => Some(*bits),
            Repr::Wide(words) => words[2..]
                .iter()
                .all(|&word| word == 0)
                .then(|| words[0] as u128 | (words[1] as u128) << 64),
        }
    }

    /// The value as a signed number, if the width is at most 128.
    pub fn to_i128(&self) -> Option<i128> {
        match self.repr {
            Repr::Small(bits) => {
                let shift = 128 - self.width;
                Some(((bits << shift) as i128) >> shift)
            }
            Repr::Wide(_) => None,
        }
    }

    /// The low 64 bits.
    pub fn low_u64(&self) -> u64 {
        match &self.repr {
            Repr::Small(bits) => *bits as u64,
            Repr::Wide(words) => words[0],
        }
    }

    /// The value as little-endian words.
    pub fn words(&self) -> Vec<u64> {
        match &self.repr {
            Repr::Small(bits) if self.width <= 64 => vec![*bits as u64],
            Repr::Small(bits) => vec![*bits as u64, (*bits >> 64) as u64],
            Repr::Wide(words) => words.to_vec(),
        }
    }

    /// The bit at this position, counted from the least significant.
    pub fn bit(&self, index: u32) -> bool {
        match &self.repr {
            Repr::Small(bits) => index < 128 && bits >> index & 1 == 1,
            Repr::Wide(words) => words
                .get(index as usize / 64)
                .is_some_and(|word| word >> (index % 64) & 1 == 1),
        }
    }

    /// Whether the top bit is set.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.to_u128() == Some(0)
    }

    /// Whether the value is one.
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    /// Whether every bit is set.
    pub fn is_ones(&self) -> bool {
        match self.repr {
            Repr::Small(bits) => bits == mask(self.width),
            Repr::Wide(_) => self.not().is_zero(),
        }
    }

    /// The exponent, if the value is a power of two.
    pub fn power_of_two(&self) -> Option<u32> {
        let words = self.words();
        let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
        (ones == 1).then(|| self.trailing_zeros())
    }

    /// How many low bits are zero; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        let mut count = 0;
        for word in self.words() {
            count += word.trailing_zeros();
            if word != 0 {
                break;
            }
        }
        count.min(self.width)
    }

    fn map2(
        &self,
        other: &Bv,
        small: impl Fn(u128, u128) -> u128,
        wide: impl Fn(&[u64], &[u64]) -> Vec<u64>,
    ) -> Bv {
        assert_eq!(self.width, other.width, "operands of different widths");
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bv::new(self.width, small(*a, *b)),
            _ => Bv::from_words(self.width, wide(&self.words(), &other.words())),
        }
    }

    /// Sum modulo two to the width.
    pub fn add(&self, other: &Bv) -> Bv {
        self.map2(other, u128::wrapping_add, |a, b| {
            let mut carry = false;
            let digit = |(x, y): (&u64, &u64)| {
                let (sum, c1) = x.overflowing_add(*y);
                let (sum, c2) = sum.overflowing_add(carry as u64);
                carry = c1 | c2;
                sum
            };
            a.iter().zip(b).map(digit).collect()
        })
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Bv {
        self.not().add(&Bv::one(self.width))
    }

    /// Difference modulo two to the width.
    pub fn sub(&self, other: &Bv) -> Bv {
        self.add(&other.neg())
    }

    /// Product modulo two to the width.
    pub fn mul(&self, other: &Bv) -> Bv {
        self.map2(other, u128::wrapping_mul, |a, b| {
            let mut product = vec![0u64; a.len()];
            for (i, x) in a.iter().enumerate() {
                let mut carry = 0u128;
                for (j, y) in b[..a.len() - i].iter().enumerate() {
                    let sum = *x as u128 * *y as u128 + product[i + j] as u128 + carry;
                    product[i + j] = sum as u64;
                    carry = sum >> 64;
                }
            }
            product
        })
    }

    /// Quotient and remainder by a non-zero divisor, bit by bit.
    fn long_division(&self, divisor: &Bv) -> (Bv, Bv) {
        let mut quotient = vec![0u64; self.width.div_ceil(64) as usize];
        // One bit wider, so that the shifted remainder cannot overflow.
        let divisor = divisor.zero_extend(1);
        let mut rest = Bv::zero(self.width + 1);
        for index in (0..self.width).rev() {
            rest = rest.shl_by(1);
            if self.bit(index) {
                rest = rest.or(&Bv::one(self.width + 1));
            }
            if rest.unsigned_cmp(&divisor) != Ordering::Less {
                rest = rest.sub(&divisor);
                quotient[index as usize / 64] |= 1 << (index % 64);
            }
        }
        (
            Bv::from_words(self.width, quotient),
            rest.extract(self.width - 1, 0),
        )
    }

    /// Unsigned quotient; all ones for a divisor of zero.
    pub fn udiv(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return Bv::ones(self.width);
        }
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bv::new(self.width, a / b),
            _ => self.long_division(other).0,
        }
    }

    /// Unsigned remainder; the dividend for a divisor of zero.
    pub fn urem(&self, other: &Bv) -> Bv {
        if other.is_zero() {
            return self.clone();
        }
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bv::new(self.width, a % b),
            _ => self.long_division(other).1,
        }
    }

    fn abs(&self) -> Bv {
        if self.is_negative() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Signed quotient towards zero; for a divisor of zero 1 if the dividend
    /// is negative and -1 otherwise; the least value divided by -1 is itself.
    pub fn sdiv(&self, other: &Bv) -> Bv {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() != other.is_negative() {
            quotient.neg()
        } else {
            quotient
        }
    }

    /// Signed remainder with the dividend's sign; the dividend for a divisor of zero.
    pub fn srem(&self, other: &Bv) -> Bv {
        let rest = self.abs().urem(&other.abs());
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// Bitwise complement.
    pub fn not(&self) -> Bv {
        match &self.repr {
            Repr::Small(bits) => Bv::new(self.width, !bits),
            Repr::Wide(words) => Bv::from_words(self.width, words.iter().map(|w| !w).collect()),
        }
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bv) -> Bv {
        self.map2(
            other,
            |a, b| a & b,
            |a, b| a.iter().zip(b).map(|(x, y)| x & y).collect(),
        )
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bv) -> Bv {
        self.map2(
            other,
            |a, b| a | b,
            |a, b| a.iter().zip(b).map(|(x, y)| x | y).collect(),
        )
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bv) -> Bv {
        self.map2(
            other,
            |a, b| a ^ b,
            |a, b| a.iter().zip(b).map(|(x, y)| x ^ y).collect(),
        )
    }

    /// A shift amount as a number, saturated at the width.
    fn amount(&self, other: &Bv) -> u32 {
        other
            .to_u128()
            .map_or(self.width, |n| n.min(self.width as u128) as u32)
    }

    fn shl_by(&self, n: u32) -> Bv {
        if n >= self.width {
            return Bv::zero(self.width);
        }
        if let Repr::Small(bits) = self.repr {
            return Bv::new(self.width, bits << n);
        }
        let words = self.words();
        let (skip, bits) = (n as usize / 64, n % 64);
        let shifted = (0..words.len()).map(|i| {
            let high = if i >= skip { words[i - skip] } else { 0 };
            let low = if i > skip { words[i - skip - 1] } else { 0 };
            if bits == 0 {
                high
            } else {
                high << bits | low >> (64 - bits)
            }
        });
        Bv::from_words(self.width, shifted.collect())
    }

    fn lshr_by(&self, n: u32) -> Bv {
        if n >= self.width {
            return Bv::zero(self.width);
        }
        if let Repr::Small(bits) = self.repr {
            return Bv::new(self.width, bits >> n);
        }
        let words = self.words();
        let (skip, bits) = (n as usize / 64, n % 64);
        let shifted = (skip..words.len()).map(|i| {
            let high = words.get(i + 1).copied().unwrap_or(0);
            if bits == 0 {
                words[i]
            } else {
                words[i] >> bits | high << (64 - bits)
            }
        });
        Bv::from_words(self.width, shifted.collect())
    }

    /// Left shift; zero when the amount is the width or more.
    pub fn shl(&self, other: &Bv) -> Bv {
        self.shl_by(self.amount(other))
    }

    /// Right shift that fills with zeros; zero when the amount is the width or more.
    pub fn lshr(&self, other: &Bv) -> Bv {
        self.lshr_by(self.amount(other))
    }

    /// Right shift that fills with the sign bit; all sign bits when the amount is the width or
    /// more.
    pub fn ashr(&self, other: &Bv) -> Bv {
        let n = self.amount(other);
        if self.is_negative() {
            self.not().lshr_by(n).not()
        } else {
            self.lshr_by(n)
        }
    }

    /// This value as the high bits above `low`.
    pub fn concat(&self, low: &Bv) -> Bv {
        let high = self.zero_extend(low.width);
        high.shl_by(low.width).or(&low.zero_extend(self.width))
    }

    /// The bits from `high` down to `low`, both included.
    ///
    /// # Panics
    /// If `high` is not below the width or `low` is above `high`.
    pub fn extract(&self, high: u32, low: u32) -> Bv {
        assert!(low <= high && high < self.width, "extract out of range");
        let shifted = self.lshr_by(low);
        match shifted.repr {
            Repr::Small(bits) => Bv::new(high - low + 1, bits),
            Repr::Wide(words) => Bv::from_words(high - low + 1, words.into_vec()),
        }
    }

    /// Widened by this many zero bits.
    pub fn zero_extend(&self, by: u32) -> Bv {
        match &self.repr {
            Repr::Small(bits) => Bv::new(self.width + by, *bits),
            Repr::Wide(words) => Bv::from_words(self.width + by, words.to_vec()),
        }
    }

    /// Widened by this many copies of the sign bit.
    pub fn sign_extend(&self, by: u32) -> Bv {
        if self.is_negative() {
            self.not().zero_extend(by).not()
        } else {
            self.zero_extend(by)
        }
    }

    /// Order as unsigned numbers.
    pub fn unsigned_cmp(&self, other: &Bv) -> Ordering {
        assert_eq!(self.width, other.width, "operands of different widths");
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.words().iter().rev().cmp(other.words().iter().rev()),
        }
    }

    /// Order as signed numbers.
    pub fn signed_cmp(&self, other: &Bv) -> Ordering {
        let by_sign = other.is_negative().cmp(&self.is_negative());
        by_sign.then_with(|| self.unsigned_cmp(other))
    }

    /// Unsigned less than.
    pub fn ult(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other) == Ordering::Less
    }

    /// Signed less than.
    pub fn slt(&self, other: &Bv) -> bool {
        self.signed_cmp(other) == Ordering::Less
    }

    /// Reads digits of radix 2, 10 or 16; `None` if a digit is wrong or the value does not fit.
    pub fn parse(width: u32, digits: &str, radix: u32) -> Option<Bv> {
        if digits.is_empty() || width == 0 {
            return None;
        }
        if let Ok(bits) = u128::from_str_radix(digits, radix) {
            let fits = width >= 128 || bits <= mask(width);
            return (fits && !digits.starts_with('+')).then(|| Bv::new(width, bits));
        }
        // Enough extra bits for every digit and for the multiplication by the radix.
        let room = width.checked_add(8)?;
        let base = Bv::new(room, radix as u128);
        let mut value = Bv::zero(room);
        for digit in digits.chars() {
            value = value
                .mul(&base)
                .add(&Bv::new(room, digit.to_digit(radix)? as u128));
            if !value.lshr_by(width).is_zero() {
                return None;
            }
        }
        Some(value.extract(width - 1, 0))
    }
}

impl fmt::Display for Bv {
    /// Writes the value as SMT-LIB does: `#x` where the width is a multiple of four, else `#b`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.width.is_multiple_of(4) {
            write!(f, "#b")?;
            return (0..self.width)
                .rev()
                .try_for_each(|i| write!(f, "{}", self.bit(i) as u8));
        }
        write!(f, "#x")?;
        let words = self.words();
        (0..self.width / 4).rev().try_for_each(|i| {
            let digit = words[i as usize / 16] >> (i % 16 * 4) & 0xf;
            write!(f, "{digit:x}")
        })
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
