//! Integer literals of any width as little-endian 64-bit words.

/// The number of words of an integer of this width.
pub(super) fn words(bits: u32) -> usize {
    bits.div_ceil(64) as usize
}

/// Zeroes the bits above the width.
pub(super) fn mask(value: &mut [u64], bits: u32) {
    if let Some(last) = value.last_mut() {
        let rest = bits % 64;
        if rest != 0 {
            *last &= (1 << rest) - 1;
        }
    }
}

/// A decimal literal of at most 64 bits: the common case.
pub(super) fn small_decimal(digits: &str, bits: u32) -> Option<u64> {
    let value: i128 = match digits.parse::<i64>() {
        Ok(value) => i128::from(value),
        Err(_) => digits.parse().ok()?,
    };
    let low = -(1i128 << (bits - 1));
    let high = (1i128 << bits) - 1;
    if value < low || value > high {
        return None;
    }
    let all = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    Some(value as u64 & all)
}

/// A decimal literal; `None` if it does not fit in the width as a signed or
/// an unsigned number.
pub(super) fn decimal(digits: &str, bits: u32) -> Option<Vec<u64>> {
    if bits <= 64 {
        return small_decimal(digits, bits).map(|v| vec![v]);
    }
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    // More digits than bits cannot fit; this also bounds the work below.
    let digits = digits.trim_start_matches('0');
    if digits.len() > bits as usize {
        return None;
    }
    let mut value = vec![0u64; words(bits)];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit.checked_sub(b'0').filter(|d| *d < 10)?);
        for word in &mut value {
            let wide = u128::from(*word) * 10 + carry;
            *word = wide as u64;
            carry = wide >> 64;
        }
        if carry != 0 {
            return None;
        }
    }
    signed(value, negative, bits)
}

/// `u0x1F` or `s0x1F`: the latter is a two's complement number as wide as its digits.
pub(super) fn hexadecimal(text: &str, bits: u32) -> Option<Vec<u64>> {
    let sign_matters = text.starts_with('s');
    let digits = text.get(3..)?;
    let mut value = vec![0u64; words(bits)];
    for (i, digit) in digits.bytes().rev().enumerate() {
        let digit = u64::from(char::from(digit).to_digit(16)?);
        match value.get_mut(i / 16) {
            Some(word) => *word |= digit << (i % 16 * 4),
            None if digit == 0 => {}
            None => return None,
        }
    }
    let top = digits
        .bytes()
        .next()
        .and_then(|d| char::from(d).to_digit(16))?;
    if sign_matters && top >= 8 {
        let width = digits.len() * 4;
        for i in width..value.len() * 64 {
            value[i / 64] |= 1 << (i % 64);
        }
        let mut masked = value.clone();
        mask(&mut masked, bits);
        return Some(masked);
    }
    signed(value, false, bits)
}

/// Applies the sign to a magnitude, if the result fits.
fn signed(mut value: Vec<u64>, negative: bool, bits: u32) -> Option<Vec<u64>> {
    let mut masked = value.clone();
    mask(&mut masked, bits);
    if masked != value {
        return None;
    }
    if !negative {
        return Some(value);
    }
    let top_bit = bits as usize - 1;
    let top_set = value[top_bit / 64] >> (top_bit % 64) & 1 == 1;
    let ones: u32 = value.iter().map(|w| w.count_ones()).sum();
    if top_set && ones > 1 {
        return None;
    }
    let mut carry = true;
    for word in &mut value {
        let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
        *word = sum;
        carry = overflow;
    }
    mask(&mut value, bits);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        let check = |digits, bits, expected: Option<&[u64]>| {
            assert_eq!(
                decimal(digits, bits).as_deref(),
                expected,
                "i{bits} {digits}"
            );
        };
        check("7", 32, Some(&[7]));
        check("-1", 32, Some(&[0xFFFF_FFFF]));
        check("4294967295", 32, Some(&[0xFFFF_FFFF]));
        check("4294967296", 32, None);
        check("-2147483649", 32, None);
        check("18446744073709551615", 64, Some(&[u64::MAX]));
        check("-9223372036854775808", 64, Some(&[1 << 63]));
        check("-1", 1, Some(&[1]));
        check("18446744073709551616", 128, Some(&[0, 1]));
        check("-1", 128, Some(&[u64::MAX, u64::MAX]));
        check("-1", 65, Some(&[u64::MAX, 1]));
        check("-18446744073709551616", 65, Some(&[0, 1]));
        check("-18446744073709551617", 65, None);
        check("36893488147419103232", 65, None);
        check("340282366920938463463374607431768211456", 128, None);
    }

    #[test]
    fn hexadecimals() {
        assert_eq!(hexadecimal("u0xFF", 8), Some(vec![255]));
        assert_eq!(hexadecimal("u0x1FF", 8), None);
        assert_eq!(hexadecimal("s0xF", 8), Some(vec![255]));
        assert_eq!(hexadecimal("s0x7", 8), Some(vec![7]));
        assert_eq!(hexadecimal("u0x10000000000000000", 128), Some(vec![0, 1]));
    }
}
