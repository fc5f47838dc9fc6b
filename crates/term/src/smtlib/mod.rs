//! SMT-LIB text: terms and scripts written, and read back as the same terms.
//!
//! Operations that SMT-LIB has are written with their SMT-LIB names. All others are written as
//! applications of the functions below, which a script defines or declares, so that another solver
//! decides the same formula:
//!
//! | function | is | in a script |
//! |---|---|---|
//! | `byte.vV.wW` | the byte at (object, offset) of memory version V | declared |
//! | `readN.vV.wW` | N bytes there, little-endian | defined by bytes |
//! | `ptrobj.vV.wW`, `ptroff.vV.wW`, `tag.vV.wW` | the pointer slot there and its tag | declared |
//! | `base.wW` | the address of an object | declared for 64 bits, narrower ones truncate it |
//! | `fp.to_sbv_sat.wN.fM`, `fp.to_ubv_sat.wN.fM` | conversion towards zero that saturates | defined |
//! | `fp.to_bits.fM` | the encoding, with one NaN | defined by Z3's `fp.to_ieee_bv`, whose NaN is unspecified |
//! | `fmod.fM` | C's `fmod`; `fp.rem` is another function | declared only: `sat` may be spurious |
//!
//! W is the width of offsets, N a number of bytes or bits, M 32 or 64.
//!
//! Files: `print` writes, `parse` reads over the S-expressions of `sexp`, `function` has the
//! functions of the table.

mod function;
mod parse;
mod print;
mod sexp;

pub use parse::ParseError;
pub use sexp::Sexps;

/// Whether a name is reserved by SMT-LIB or by attest, and so cannot be a symbol's name unchanged.
fn is_reserved(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "true",
        "false",
        "not",
        "and",
        "or",
        "xor",
        "ite",
        "distinct",
        "let",
        "forall",
        "exists",
        "match",
        "par",
        "as",
        "concat",
        "extract",
        "zero_extend",
        "sign_extend",
        "fp",
        "RNE",
        "RNA",
        "RTP",
        "RTN",
        "RTZ",
        "NaN",
        "Bool",
        "BitVec",
        "FloatingPoint",
        "Float32",
        "Float64",
        "select",
        "store",
        "repeat",
        "abs",
        "div",
        "mod",
        "Int",
        "Real",
        "String",
        "Array",
        "RoundingMode",
        "to_fp",
        "to_fp_unsigned",
        "assert",
        "push",
        "pop",
        "reset",
        "exit",
        "echo",
        "roundNearestTiesToEven",
        "roundTowardZero",
    ];
    WORDS.contains(&name)
        || name.starts_with("bv") // bvadd, ..., and bvN for numbers
        || name.starts_with("fp.")
        || name.starts_with("to_")
        || name.starts_with("int2bv")
        || name.starts_with("rotate")
        || function::Function::parse(name).is_some()
}

/// A symbol's name as an SMT-LIB symbol. Characters that are not allowed even between bars, and the
/// first character of a reserved name, are written as `%` and two hexadecimal digits per byte.
fn quote(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$^&*_-+=<>.?/".contains(c);
    let odd_start = name.starts_with(|c: char| c.is_ascii_digit() || "$@.!=<>+-*/&^~?".contains(c));
    if !name.is_empty() && name.chars().all(plain) && !odd_start && !is_reserved(name) {
        return name.to_owned();
    }
    let escape_first = is_reserved(name) || odd_start;
    let mut quoted = String::from("|");
    for (i, c) in name.chars().enumerate() {
        let bare = (c == ' ' || c.is_ascii_graphic()) && !"|\\%".contains(c);
        if bare && !(i == 0 && escape_first) {
            quoted.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            quoted.push_str(&format!("%{byte:02x}"));
        }
    }
    quoted.push('|');
    quoted
}

/// The name that [`quote`] wrote between bars.
fn unquote(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut name = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = text
            .get(i + 1..i + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) if bytes[i] == b'%' => {
                name.push(byte);
                i += 3;
            }
            _ => {
                name.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{quote, unquote};

    #[test]
    fn any_name_survives_quoting() {
        for name in [
            "x",
            "and",
            "a b",
            "a|b\\c%41",
            "",
            "0",
            "$1",
            "é",
            "read4.v0.w64",
            "bv8",
        ] {
            let quoted = quote(name);
            let inner = quoted
                .strip_prefix('|')
                .and_then(|rest| rest.strip_suffix('|'));
            assert_eq!(inner.map_or(quoted.clone(), unquote), name, "{quoted}");
        }
        assert_eq!(quote("main.x"), "main.x");
        assert_eq!(quote("and"), "|%61nd|");
    }
}
