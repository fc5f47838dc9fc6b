//! The functions that SMT-LIB lacks: their names and definitions.

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::{FloatSort, Sort};
use crate::value::{NAN32, NAN64, Value};

/// One of the functions of the table in the module's documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Function {
    Byte {
        version: u32,
        offset: u32,
    },
    Read {
        bytes: u32,
        version: u32,
        offset: u32,
    },
    PtrObject {
        version: u32,
        offset: u32,
    },
    PtrOffset {
        version: u32,
        offset: u32,
    },
    Tag {
        version: u32,
        offset: u32,
    },
    Base {
        width: u32,
    },
    ToInt {
        signed: bool,
        width: u32,
        from: FloatSort,
    },
    Fmod(FloatSort),
    ToBits(FloatSort),
}

impl Function {
    /// The function that a term applies, if SMT-LIB lacks it.
    pub fn of(terms: &Terms, term: Term) -> Option<Function> {
        let offset = || terms.width(terms.arg(term, 1));
        let float = || match terms.sort(terms.arg(term, 0)) {
            Sort::Float(format) => format,
            _ => FloatSort::F64,
        };
        Some(match terms.op(term) {
            Op::Read { version, bytes } => Function::Read {
                bytes,
                version,
                offset: offset(),
            },
            Op::ReadPtrObject { version } => Function::PtrObject {
                version,
                offset: offset(),
            },
            Op::ReadPtrOffset { version } => Function::PtrOffset {
                version,
                offset: offset(),
            },
            Op::ReadTag { version } => Function::Tag {
                version,
                offset: offset(),
            },
            Op::Base { width } => Function::Base { width },
            Op::FToSigned { width } => Function::ToInt {
                signed: true,
                width,
                from: float(),
            },
            Op::FToUnsigned { width } => Function::ToInt {
                signed: false,
                width,
                from: float(),
            },
            Op::FRem => Function::Fmod(float()),
            Op::FToBits => Function::ToBits(float()),
            _ => return None,
        })
    }

    /// The operation; none for a byte, which is not a separate term.
    pub fn op(self) -> Option<Op> {
        Some(match self {
            Function::Byte { .. } => return None,
            Function::Read { bytes, version, .. } => Op::Read { version, bytes },
            Function::PtrObject { version, .. } => Op::ReadPtrObject { version },
            Function::PtrOffset { version, .. } => Op::ReadPtrOffset { version },
            Function::Tag { version, .. } => Op::ReadTag { version },
            Function::Base { width } => Op::Base { width },
            Function::ToInt {
                signed: true,
                width,
                ..
            } => Op::FToSigned { width },
            Function::ToInt {
                signed: false,
                width,
                ..
            } => Op::FToUnsigned { width },
            Function::Fmod(_) => Op::FRem,
            Function::ToBits(_) => Op::FToBits,
        })
    }

    pub fn name(self) -> String {
        match self {
            Function::Byte { version, offset } => format!("byte.v{version}.w{offset}"),
            Function::Read {
                bytes,
                version,
                offset,
            } => format!("read{bytes}.v{version}.w{offset}"),
            Function::PtrObject { version, offset } => format!("ptrobj.v{version}.w{offset}"),
            Function::PtrOffset { version, offset } => format!("ptroff.v{version}.w{offset}"),
            Function::Tag { version, offset } => format!("tag.v{version}.w{offset}"),
            Function::Base { width } => format!("base.w{width}"),
            Function::ToInt {
                signed,
                width,
                from,
            } => {
                let sign = if signed { 's' } else { 'u' };
                format!("fp.to_{sign}bv_sat.w{width}.f{}", from.bits())
            }
            Function::Fmod(format) => format!("fmod.f{}", format.bits()),
            Function::ToBits(format) => format!("fp.to_bits.f{}", format.bits()),
        }
    }

    /// The function of this name.
    pub fn parse(name: &str) -> Option<Function> {
        let number = |text: &str, letter: &str| -> Option<u32> {
            let digits = text.strip_prefix(letter)?;
            // One spelling per number, so that each function has exactly one name.
            let number: u32 = digits.parse().ok()?;
            (number.to_string() == digits).then_some(number)
        };
        let format = |text: &str| match text {
            "f32" => Some(FloatSort::F32),
            "f64" => Some(FloatSort::F64),
            _ => None,
        };
        let parts: Vec<&str> = name.split('.').collect();
        match parts[..] {
            [head, version, offset] if !head.is_empty() && head != "fp" => {
                let (version, offset) = (number(version, "v")?, number(offset, "w")?);
                Some(match head {
                    "byte" => Function::Byte { version, offset },
                    "ptrobj" => Function::PtrObject { version, offset },
                    "ptroff" => Function::PtrOffset { version, offset },
                    "tag" => Function::Tag { version, offset },
                    _ => Function::Read {
                        bytes: number(head, "read")?,
                        version,
                        offset,
                    },
                })
            }
            ["base", width] => Some(Function::Base {
                width: number(width, "w")?,
            }),
            ["fmod", from] => Some(Function::Fmod(format(from)?)),
            ["fp", "to_bits", from] => Some(Function::ToBits(format(from)?)),
            ["fp", head, width, from] => {
                let signed = match head {
                    "to_sbv_sat" => true,
                    "to_ubv_sat" => false,
                    _ => return None,
                };
                Some(Function::ToInt {
                    signed,
                    width: number(width, "w")?,
                    from: format(from)?,
                })
            }
            _ => None,
        }
    }

    /// A function that must come before this one in a script.
    pub fn needs(self) -> Option<Function> {
        match self {
            Function::Read {
                version, offset, ..
            } => Some(Function::Byte { version, offset }),
            Function::Base { width } if width != 64 => Some(Function::Base { width: 64 }),
            _ => None,
        }
    }

    /// The command that declares or defines the function.
    pub fn command(self) -> String {
        let name = self.name();
        let declare = |offset: u32, result: Sort| {
            let (object, offset) = (Sort::BitVec(32), Sort::BitVec(offset));
            format!("(declare-fun {name} ({object} {offset}) {result})")
        };
        match self {
            Function::Byte { offset, .. } => declare(offset, Sort::BitVec(8)),
            Function::PtrObject { offset, .. } => declare(offset, Sort::BitVec(32)),
            Function::PtrOffset { offset, .. } => declare(offset, Sort::BitVec(offset)),
            Function::Tag { offset, .. } => declare(offset, Sort::Bool),
            Function::Base { width } => {
                let (object, result) = (Sort::BitVec(32), Sort::BitVec(width));
                match self.needs() {
                    None => format!("(declare-fun {name} ({object}) {result})"),
                    // An object has one address; narrow base addresses are its low bits.
                    Some(whole) => format!(
                        "(define-fun {name} ((o {object})) {result} \
                         ((_ extract {} 0) ({} o)))",
                        width - 1,
                        whole.name()
                    ),
                }
            }
            Function::Fmod(format) => {
                let float = Sort::Float(format);
                format!("(declare-fun {name} ({float} {float}) {float})")
            }
            Function::ToBits(format) => {
                let (float, result) = (Sort::Float(format), Sort::BitVec(format.bits()));
                let nan = match format {
                    FloatSort::F32 => Value::bv(32, NAN32 as u128),
                    FloatSort::F64 => Value::bv(64, NAN64 as u128),
                };
                format!(
                    "(define-fun {name} ((x {float})) {result} \
                     (ite (fp.isNaN x) {nan} (fp.to_ieee_bv x)))"
                )
            }
            Function::Read {
                bytes,
                version,
                offset,
            } => {
                let byte = Function::Byte { version, offset }.name();
                let at = |i: u32| {
                    let plus = Value::bv(offset, i as u128);
                    format!("({byte} o (bvadd a {plus}))")
                };
                let word = (1..bytes).fold(at(0), |low, i| format!("(concat {} {low})", at(i)));
                let (object, offset) = (Sort::BitVec(32), Sort::BitVec(offset));
                let result = Sort::BitVec(8 * bytes);
                format!("(define-fun {name} ((o {object}) (a {offset})) {result} {word})")
            }
            Function::ToInt {
                signed,
                width,
                from,
            } => to_int(&name, signed, width, from),
        }
    }
}

fn to_int(name: &str, signed: bool, width: u32, from: FloatSort) -> String {
    let (sort, result) = (Sort::Float(from), Sort::BitVec(width));
    let number = |x: f64| match from {
        FloatSort::F32 => Value::f32(x as f32),
        FloatSort::F64 => Value::f64(x),
    };
    let zero = Value::bv(width, 0);
    let (least, greatest, low, high, letter) = if signed {
        let bound = 2f64.powi(width as i32 - 1);
        let least = crate::Bv::signed_min(width);
        (
            Value::Bv(least.clone()),
            Value::Bv(least.not()),
            number(-bound),
            number(bound),
            's',
        )
    } else {
        let ones = Value::Bv(crate::Bv::ones(width));
        (
            zero.clone(),
            ones,
            number(0.0),
            number(2f64.powi(width as i32)),
            'u',
        )
    };
    format!(
        "(define-fun {name} ((x {sort})) {result} (ite (fp.isNaN x) {zero} \
         (ite (fp.leq x {low}) {least} (ite (fp.geq x {high}) {greatest} \
         ((_ fp.to_{letter}bv {width}) RTZ x)))))"
    )
}
