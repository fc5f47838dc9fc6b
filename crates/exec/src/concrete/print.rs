//! The output of the `printf` family, for `attest run` and for comparing runs with native ones.
//!
//! Printing has no effect on a property, so nothing here fails: an argument that cannot be read
//! prints as a question mark.

use super::memory::Memory;
use super::value::Val;
use attest_model::{Other, Print, Sort};

/// Longer strings are truncated.
const LONGEST: usize = 1 << 20;

/// The text of a call.
pub fn format(what: &Print, args: &[(Val, Sort)], memory: &Memory) -> Vec<u8> {
    let name = &*what.name;
    match what.format {
        None if name.contains("flush") => Vec::new(),
        None => args
            .first()
            .map(|(c, _)| vec![c.lo as u8])
            .unwrap_or_default(),
        Some(at) => {
            let text = args.get(at).and_then(|(p, _)| memory.c_string(*p, LONGEST));
            let Some(text) = text else {
                return b"?".to_vec();
            };
            match name {
                "puts" => [text, b"\n".to_vec()].concat(),
                "fputs" | "perror" => text,
                "vprintf" | "vfprintf" => {
                    let list = args.get(at + 1).map_or(Val::default(), |(list, _)| *list);
                    expand(&text, Args::listed(list, memory), memory)
                }
                _ => expand(&text, Args::Given(&args[at + 1..]), memory),
            }
        }
    }
}

/// One conversion: flags, width, precision, letter.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// The number of `h` modifiers.
    short: u32,
    /// The number of `l` modifiers, or the equivalent.
    long: u32,
}

/// The source of a format's arguments.
enum Args<'a> {
    /// The arguments of a call.
    Given(&'a [(Val, Sort)]),
    /// The area that a `va_list` points into.
    Area(Val),
}

impl Args<'_> {
    /// The arguments of a `va_list`, in the layout of the x86 ABIs.
    fn listed(list: Val, memory: &Memory) -> Self {
        if memory.pointer_bits() == 32 {
            return Args::Area(list);
        }
        let field = Val {
            lo: list.lo.wrapping_add(8),
            ..list
        };
        Args::Area(
            memory
                .load(Sort::Ptr, field, Other::Address)
                .unwrap_or_default(),
        )
    }

    /// The next argument; one in memory has the sort that the format gives.
    fn next(&mut self, sort: Sort, memory: &Memory) -> Option<(Val, Sort)> {
        match self {
            Args::Given(rest) => {
                let (first, others) = rest.split_first()?;
                *rest = others;
                Some(*first)
            }
            Args::Area(at) => {
                let value = memory.load(sort, *at, Other::Address).ok()?;
                let slot = u64::from(memory.pointer_bits() / 8);
                let size = sort.bytes(memory.pointer_bits());
                at.lo = at.lo.wrapping_add(size.next_multiple_of(slot));
                Some((value, sort))
            }
        }
    }
}

fn expand(text: &[u8], mut args: Args<'_>, memory: &Memory) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        at += 1;
        let mut spec = Spec::default();
        while let Some(flag) = text.get(at) {
            match flag {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        if let Some(width) = number(text, &mut at, &mut args, memory) {
            spec.minus |= width < 0;
            spec.width = width.unsigned_abs().min(4096) as usize;
        }
        if text.get(at) == Some(&b'.') {
            at += 1;
            let precision = number(text, &mut at, &mut args, memory).unwrap_or(0);
            spec.precision = usize::try_from(precision).ok().map(|p| p.min(4096));
        }
        while let Some(length) = text.get(at) {
            match length {
                b'h' => spec.short += 1,
                b'l' => spec.long += 1,
                b'z' | b't' => spec.long += 1,
                b'j' | b'q' => spec.long += 2,
                b'L' => {}
                _ => break,
            }
            at += 1;
        }
        let Some(&letter) = text.get(at) else { break };
        at += 1;
        if letter == b'%' {
            out.push(b'%');
        } else {
            let sort = match letter {
                b's' | b'p' => Sort::Ptr,
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Sort::F64,
                _ if spec.long >= 2 => Sort::Int(64),
                _ if spec.long == 1 => Sort::Int(memory.pointer_bits()),
                _ => Sort::Int(32),
            };
            let arg = args.next(sort, memory);
            convert(letter, &spec, arg, memory, &mut out);
        }
    }
    out
}

fn number(text: &[u8], at: &mut usize, args: &mut Args<'_>, memory: &Memory) -> Option<i64> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        let (width, _) = args.next(Sort::Int(32), memory)?;
        return Some(i64::from(width.lo as i32));
    }
    let start = *at;
    while text.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    std::str::from_utf8(&text[start..*at]).ok()?.parse().ok()
}

fn convert(letter: u8, spec: &Spec, arg: Option<(Val, Sort)>, memory: &Memory, out: &mut Vec<u8>) {
    let Some((value, sort)) = arg else {
        out.push(b'?');
        return;
    };
    let width = match sort {
        Sort::Int(w) => w,
        _ => 64,
    };
    // `%hhd` prints a promoted `char` as a char.
    let width = match spec.short {
        0 => width,
        1 => width.min(16),
        _ => width.min(8),
    };
    let unsigned = value.int() & (u128::MAX >> (128 - width));
    match letter {
        b'd' | b'i' => {
            let n = Val::wide(unsigned).signed(width);
            let digits = n.unsigned_abs().to_string();
            let sign = if n < 0 {
                "-"
            } else if spec.plus {
                "+"
            } else if spec.space {
                " "
            } else {
                ""
            };
            integer(spec, sign, &digits, out);
        }
        b'u' => integer(spec, "", &unsigned.to_string(), out),
        b'x' | b'X' | b'o' => {
            let (digits, prefix) = match letter {
                b'x' => (format!("{unsigned:x}"), "0x"),
                b'X' => (format!("{unsigned:X}"), "0X"),
                _ => (format!("{unsigned:o}"), "0"),
            };
            let prefix = if spec.alternate && unsigned != 0 {
                prefix
            } else {
                ""
            };
            integer(spec, prefix, &digits, out);
        }
        b'c' => pad(spec, &[value.lo as u8], out),
        b's' => {
            let text = memory.c_string(value, spec.precision.unwrap_or(LONGEST));
            pad(spec, &text.unwrap_or_else(|| b"(null)".to_vec()), out);
        }
        b'p' if value == Val::default() => pad(spec, b"(nil)", out),
        b'p' => pad(
            spec,
            format!("{:#x}", memory.address(value)).as_bytes(),
            out,
        ),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
            let x = match sort {
                Sort::F32 => f64::from(f32::from_bits(value.lo as u32)),
                _ => f64::from_bits(value.lo),
            };
            float(letter, spec, x, out);
        }
        _ => out.push(b'?'),
    }
}

fn integer(spec: &Spec, prefix: &str, digits: &str, out: &mut Vec<u8>) {
    let least = spec.precision.unwrap_or(0);
    let mut text = "0".repeat(least.saturating_sub(digits.len()));
    if !(spec.precision == Some(0) && digits == "0") {
        text.push_str(digits);
    }
    if spec.zero && !spec.minus && spec.precision.is_none() {
        let fill = spec.width.saturating_sub(prefix.len() + text.len());
        text.insert_str(0, &"0".repeat(fill));
    }
    pad(spec, format!("{prefix}{text}").as_bytes(), out);
}

fn pad(spec: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let fill = spec.width.saturating_sub(text.len());
    if !spec.minus {
        out.resize(out.len() + fill, b' ');
    }
    out.extend_from_slice(text);
    if spec.minus {
        out.resize(out.len() + fill, b' ');
    }
}

fn float(letter: u8, spec: &Spec, x: f64, out: &mut Vec<u8>) {
    let precision = spec.precision.unwrap_or(6);
    let magnitude = x.abs();
    let text = if x.is_nan() {
        "nan".to_string()
    } else if x.is_infinite() {
        "inf".to_string()
    } else {
        match letter.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => scientific(magnitude, precision),
            _ => general(magnitude, precision.max(1), spec.alternate),
        }
    };
    let text = if letter.is_ascii_uppercase() {
        text.to_ascii_uppercase()
    } else {
        text
    };
    let sign = if x.is_sign_negative() {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    let fill = if spec.zero && !spec.minus && x.is_finite() {
        "0".repeat(spec.width.saturating_sub(sign.len() + text.len()))
    } else {
        String::new()
    };
    pad(spec, format!("{sign}{fill}{text}").as_bytes(), out);
}

fn scientific(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let n: i32 = exponent.parse().unwrap_or(0);
            format!("{mantissa}e{}{:02}", if n < 0 { '-' } else { '+' }, n.abs())
        }
        None => text,
    }
}

fn general(x: f64, precision: usize, keep_zeros: bool) -> String {
    let rounded = scientific(x, precision - 1);
    let exponent: i32 = rounded
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let fixed = exponent >= -4 && exponent < precision as i32;
    let text = if fixed {
        let digits = (precision as i32 - 1 - exponent).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        rounded
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, tail) = match text.split_once('e') {
        Some((m, e)) => (m.to_string(), format!("e{e}")),
        None => (text, String::new()),
    };
    let mantissa = if mantissa.contains('.') {
        mantissa
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_string()
    } else {
        mantissa
    };
    mantissa + &tail
}
