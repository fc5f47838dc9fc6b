//! Float literals as the bit patterns of their formats.
//!
//! LLVM writes a `float` as the `double` of the same value, in decimal if that is exact and
//! otherwise by the 64 bits of the double; `half` and `bfloat` may have this form too. The other
//! formats are always written by their bits, after a letter.

use crate::ir::FloatKind;

/// The bits of a literal; an error if it does not fit the format.
pub(super) fn bits(text: &str, kind: FloatKind) -> Result<u128, &'static str> {
    const OTHER: &str = "this literal is of another floating-point format";
    if let Some(digits) = text.strip_prefix("f0x") {
        return hex(digits, width(kind));
    }
    let Some(digits) = text.strip_prefix("0x") else {
        let value: f64 = text.parse().map_err(|_| "not a floating-point literal")?;
        return from_double(value.to_bits(), kind);
    };
    let (letter, rest) =
        digits.split_at(usize::from(digits.starts_with(['K', 'L', 'M', 'H', 'R'])));
    match (letter, kind) {
        ("", _) => {
            let double = u64::try_from(hex(rest, 64)?).map_err(|_| OTHER)?;
            from_double(double, kind)
        }
        ("H", FloatKind::Half) | ("R", FloatKind::BFloat) => hex(rest, 16),
        ("K", FloatKind::X86Fp80) => hex(rest, 80),
        // Both are printed as two words of 16 digits, the low word first.
        ("L", FloatKind::Fp128) | ("M", FloatKind::PpcFp128) => {
            let whole = hex(rest, 128)?;
            if rest.len() <= 16 {
                Ok(whole)
            } else {
                Ok(low_word_first(rest)?)
            }
        }
        _ => Err(OTHER),
    }
}

fn low_word_first(digits: &str) -> Result<u128, &'static str> {
    let (first, second) = digits.split_at(16);
    Ok(hex(second, 64)? << 64 | hex(first, 64)?)
}

fn hex(digits: &str, bits: u32) -> Result<u128, &'static str> {
    const LONG: &str = "too many digits for this floating-point format";
    let value = u128::from_str_radix(digits, 16).map_err(|_| LONG)?;
    if bits < 128 && value >> bits != 0 {
        Err(LONG)
    } else {
        Ok(value)
    }
}

fn width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::X86Fp80 => 80,
        FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
    }
}

fn from_double(double: u64, kind: FloatKind) -> Result<u128, &'static str> {
    let narrow = match kind {
        FloatKind::Double => Some(double),
        FloatKind::Float => narrow(double, 8, 23),
        FloatKind::Half => narrow(double, 5, 10),
        FloatKind::BFloat => narrow(double, 8, 7),
        _ => return Err("this format needs a literal by its bits"),
    };
    narrow
        .map(u128::from)
        .ok_or("this literal is not exact in its format")
}

/// The same value in a smaller IEEE format, if it has one. Computed on bits so that the payload of
/// a NaN is kept.
fn narrow(double: u64, exponent_bits: u32, mantissa_bits: u32) -> Option<u64> {
    let sign = double >> 63 << (exponent_bits + mantissa_bits);
    let exponent = (double >> 52 & 0x7FF) as i64;
    let mantissa = double & ((1 << 52) - 1);
    let drop = 52 - mantissa_bits;
    let exact = |value: u64, shift: u32| (value.trailing_zeros() >= shift).then(|| value >> shift);
    let top = (1i64 << exponent_bits) - 1;
    if exponent == 0x7FF {
        return Some(sign | (top as u64) << mantissa_bits | exact(mantissa, drop)?);
    }
    if exponent == 0 && mantissa == 0 {
        return Some(sign);
    }
    if exponent == 0 {
        return None;
    }
    let rebased = exponent - 1023 + (top >> 1);
    if rebased >= top {
        return None;
    }
    if rebased > 0 {
        return Some(sign | (rebased as u64) << mantissa_bits | exact(mantissa, drop)?);
    }
    let shift = u32::try_from(1 - rebased).ok()?.checked_add(drop)?;
    if shift > 52 {
        return None;
    }
    Some(sign | exact(mantissa | 1 << 52, shift)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let check = |text, kind, expected: Option<u128>| {
            assert_eq!(bits(text, kind).ok(), expected, "{text}");
        };
        use FloatKind::*;
        check("1.000000e+00", Double, Some(u128::from(1f64.to_bits())));
        check("-1.5", Float, Some(u128::from((-1.5f32).to_bits())));
        check(
            "0x3FB99999A0000000",
            Float,
            Some(u128::from(0.1f32.to_bits())),
        );
        check("0x3FB999999999999A", Float, None);
        check("0x36A0000000000000", Float, Some(1));
        check("0x3690000000000000", Float, None);
        check("0x7FF4000000000000", Float, Some(0x7FA0_0000));
        check("0x7FF0000000000000", Float, Some(0x7F80_0000));
        check("0xH3C00", Half, Some(0x3C00));
        check("1.0", Half, Some(0x3C00));
        check("0xR3F80", BFloat, Some(0x3F80));
        check(
            "0xK3FFF8000000000000000",
            X86Fp80,
            Some(0x3FFF_8000_0000_0000_0000),
        );
        check(
            "0xL00000000000000003FFF000000000000",
            Fp128,
            Some(0x3FFF << 112),
        );
        check("0xK3FFF8000000000000000", Double, None);
        check("0xH13C00", Half, None);
        check("1.0", X86Fp80, None);
    }
}
