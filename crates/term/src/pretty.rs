//! C-like printing for people: source names, few parentheses, truncated when long.
//!
//! Canonical forms are shown as a C programmer would write them: `!(b < a)` as `a <= b`, low bits
//! as a mask, slices as shifts. Signed is the default reading, as in C; an unsigned comparison or
//! division shows a cast, or `u` after the constant. This text is not parsed.

use std::borrow::Cow;

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;
use crate::sort::{FloatSort, Rounding, Sort};
use crate::value::Value;

/// The size at which printing truncates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The number of operations and leaves; a shared term counts each time it is shown.
    pub nodes: usize,
    /// The nesting depth.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: 200,
            depth: 24,
        }
    }
}

impl Terms {
    /// The term as C-like text, truncated at the default limits with `...`.
    pub fn to_c(&self, root: Term) -> String {
        self.to_c_within(root, Limits::default())
    }

    /// The term as C-like text, truncated at these limits with `...`.
    pub fn to_c_within(&self, root: Term, limits: Limits) -> String {
        let mut out = String::new();
        let mut left = limits.nodes;
        let mut stack = vec![Piece::Term {
            term: root,
            above: 0,
            unsigned: false,
            depth: 0,
        }];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term { depth, .. } if left == 0 || depth > limits.depth => {
                    out.push_str("...");
                }
                Piece::Term {
                    term,
                    above,
                    unsigned,
                    depth,
                } => {
                    left -= 1;
                    let mut shape = Shape {
                        terms: self,
                        pieces: Vec::new(),
                        depth: depth + 1,
                    };
                    let level = shape.show(term, unsigned);
                    if level < above {
                        shape.pieces.insert(0, Piece::text("("));
                        shape.pieces.push(Piece::text(")"));
                    }
                    stack.extend(shape.pieces.into_iter().rev());
                }
            }
        }
        out
    }
}

enum Piece {
    Text(Cow<'static, str>),
    /// `above` is the weakest operator that may stand here without parentheses.
    Term {
        term: Term,
        above: u8,
        unsigned: bool,
        depth: usize,
    },
}

impl Piece {
    fn text(text: impl Into<Cow<'static, str>>) -> Piece {
        Piece::Text(text.into())
    }
}

// C's precedence levels, tightest last.
const CHOICE: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const BIT_OR: u8 = 6;
const BIT_XOR: u8 = 7;
const BIT_AND: u8 = 8;
const EQUAL: u8 = 9;
const ORDER: u8 = 10;
const SHIFT: u8 = 11;
const SUM: u8 = 12;
const PRODUCT: u8 = 13;
const UNARY: u8 = 14;
const PRIMARY: u8 = 15;

/// The pieces of one term, its operands not yet expanded.
struct Shape<'a> {
    terms: &'a Terms,
    pieces: Vec<Piece>,
    depth: usize,
}

impl Shape<'_> {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) {
        self.pieces.push(Piece::text(text));
    }

    fn term(&mut self, term: Term, above: u8) {
        self.pieces.push(Piece::Term {
            term,
            above,
            unsigned: false,
            depth: self.depth,
        });
    }

    fn infix(&mut self, a: Term, operator: &'static str, b: Term, level: u8) -> u8 {
        self.term(a, level);
        self.text(operator);
        self.term(b, level + 1);
        level
    }

    /// An infix operation on unsigned numbers, with a cast to say so.
    fn unsigned_infix(&mut self, a: Term, operator: &'static str, b: Term, level: u8) -> u8 {
        let constant = self.terms.is_const(a) || self.terms.is_const(b);
        for (operand, above) in [(a, level), (b, level + 1)] {
            if self.terms.is_const(operand) {
                let (unsigned, depth) = (true, self.depth);
                self.pieces.push(Piece::Term {
                    term: operand,
                    above,
                    unsigned,
                    depth,
                });
            } else if operand == a || constant {
                self.text(format!("({})", int_name(self.terms.width(operand), false)));
                self.term(operand, UNARY);
            } else {
                self.term(operand, above);
            }
            if above == level {
                self.text(operator);
            }
        }
        level
    }

    fn call(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        brackets: [&'static str; 2],
        args: &[Term],
    ) -> u8 {
        self.text(name);
        self.text(brackets[0]);
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.term(arg, 0);
        }
        self.text(brackets[1]);
        PRIMARY
    }

    fn prefix(&mut self, operator: impl Into<Cow<'static, str>>, a: Term) -> u8 {
        self.text(operator);
        self.term(a, UNARY);
        UNARY
    }

    /// Adds the pieces of the term and returns how tightly they bind.
    fn show(&mut self, term: Term, unsigned: bool) -> u8 {
        let terms = self.terms;
        match (terms.op(term), terms.args(term)) {
            (Op::Bool(b), _) => self.literal(b.to_string()),
            (Op::Const(id), _) => self.literal(constant(terms.const_value(id), unsigned)),
            (Op::Var(symbol), _) => {
                let symbol = terms.symbol(symbol);
                let name = symbol.source.as_ref().unwrap_or(&symbol.name).clone();
                self.text(name);
                PRIMARY
            }
            (Op::Not, &[a]) => self.negated(a),
            (Op::And, args) => self.junction(args, " && ", AND),
            (Op::Or, args) => self.junction(args, " || ", OR),
            (Op::Xor, &[a, b]) => self.infix(a, " != ", b, EQUAL),
            (Op::Eq, &[a, b]) => self.infix(a, " == ", b, EQUAL),
            (Op::Ite, &[c, t, e]) => {
                self.term(c, CHOICE + 1);
                self.text(" ? ");
                self.term(t, 0);
                self.text(" : ");
                self.term(e, CHOICE);
                CHOICE
            }
            (Op::Ult, &[a, b]) => self.unsigned_infix(a, " < ", b, ORDER),
            (Op::Ule, &[a, b]) => self.unsigned_infix(a, " <= ", b, ORDER),
            (Op::Slt, &[a, b]) => self.infix(a, " < ", b, ORDER),
            (Op::Sle, &[a, b]) => self.infix(a, " <= ", b, ORDER),
            (op, args) if op.is_read() => self.read(op, args),
            (Op::Base { .. }, args) => self.call("address", ["(", ")"], args),
            (_, args) if matches!(terms.sort(term), Sort::Float(_)) => self.float(term, args),
            (_, &[a]) if matches!(terms.sort(a), Sort::Float(_)) => self.float(term, &[a]),
            (_, &[a, _]) if matches!(terms.sort(a), Sort::Float(_)) => {
                self.float(term, terms.args(term))
            }
            _ => self.word(term),
        }
    }

    fn literal(&mut self, text: String) -> u8 {
        let level = if text.starts_with('-') {
            UNARY
        } else {
            PRIMARY
        };
        self.text(text);
        level
    }

    fn junction(&mut self, args: &[Term], operator: &'static str, level: u8) -> u8 {
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.text(operator);
            }
            self.term(arg, level + 1);
        }
        level
    }

    fn negated(&mut self, a: Term) -> u8 {
        match (self.terms.op(a), self.terms.args(a)) {
            (Op::Eq, &[x, y]) => self.infix(x, " != ", y, EQUAL),
            (Op::Slt, &[x, y]) => self.infix(y, " <= ", x, ORDER),
            (Op::Ult, &[x, y]) => self.unsigned_infix(y, " <= ", x, ORDER),
            _ => self.prefix("!", a),
        }
    }

    fn read(&mut self, op: Op, args: &[Term]) -> u8 {
        let version = match op.version() {
            Some(version @ 1..) => format!("@{version}"),
            _ => String::new(),
        };
        match op {
            Op::Read { bytes, .. } => {
                self.call(format!("mem{}{version}", 8 * bytes), ["[", "]"], args)
            }
            Op::ReadPtrObject { .. } => self.call(format!("ptr{version}"), ["[", "].object"], args),
            Op::ReadPtrOffset { .. } => self.call(format!("ptr{version}"), ["[", "].offset"], args),
            _ => self.call(format!("is_ptr{version}"), ["[", "]"], args),
        }
    }

    fn word(&mut self, term: Term) -> u8 {
        let terms = self.terms;
        match (terms.op(term), terms.args(term)) {
            (Op::Add, &[a, b]) => match terms.bv_const(b) {
                Some(k) if k.is_negative() && *k != Bv::signed_min(k.width()) => {
                    self.term(a, SUM);
                    self.text(format!(" - {}", constant(&Value::Bv(k.neg()), false)));
                    SUM
                }
                _ => self.infix(a, " + ", b, SUM),
            },
            (Op::Sub, &[a, b]) => self.infix(a, " - ", b, SUM),
            (Op::Mul, &[a, b]) => self.infix(a, " * ", b, PRODUCT),
            (Op::Sdiv, &[a, b]) => self.infix(a, " / ", b, PRODUCT),
            (Op::Srem, &[a, b]) => self.infix(a, " % ", b, PRODUCT),
            (Op::Udiv, &[a, b]) => self.unsigned_infix(a, " / ", b, PRODUCT),
            (Op::Urem, &[a, b]) => self.unsigned_infix(a, " % ", b, PRODUCT),
            (Op::BvAnd, &[a, b]) => self.infix(a, " & ", b, BIT_AND),
            (Op::BvOr, &[a, b]) => self.infix(a, " | ", b, BIT_OR),
            (Op::BvXor, &[a, b]) => self.infix(a, " ^ ", b, BIT_XOR),
            (Op::Shl, &[a, b]) => self.infix(a, " << ", b, SHIFT),
            (Op::Ashr, &[a, b]) => self.infix(a, " >> ", b, SHIFT),
            (Op::Lshr, &[a, b]) => {
                self.cast(a, false);
                self.text(" >> ");
                self.term(b, SHIFT + 1);
                SHIFT
            }
            (Op::BvNeg, &[a]) => self.prefix("-", a),
            (Op::BvNot, &[a]) => self.prefix("~", a),
            (Op::ZeroExt { .. } | Op::SignExt { .. } | Op::Extract { .. } | Op::Concat, _) => {
                self.slice(term)
            }
            (op, args) => self.call(format!("{op:?}"), ["(", ")"], args),
        }
    }

    fn cast(&mut self, a: Term, signed: bool) {
        self.text(format!("({})", int_name(self.terms.width(a), signed)));
        self.term(a, UNARY);
    }

    /// Extensions and slices, as masks, shifts and casts where possible.
    fn slice(&mut self, term: Term) -> u8 {
        let terms = self.terms;
        let (op, width) = (terms.op(term), terms.width(term));
        let a = terms.arg(term, 0);
        let inner = match terms.op(a) {
            Op::Extract { high, low } => {
                Some((terms.arg(a, 0), high, low)).filter(|(word, ..)| terms.width(*word) == width)
            }
            _ => None,
        };
        match (op, inner) {
            (Op::ZeroExt { .. }, Some((word, high, 0))) => {
                self.term(word, BIT_AND);
                let mask = Bv::ones(high + 1).zero_extend(width - high - 1);
                self.text(format!(" & {}", constant(&Value::Bv(mask), false)));
                BIT_AND
            }
            (Op::ZeroExt { .. } | Op::SignExt { .. }, Some((word, high, low)))
                if high == width - 1 =>
            {
                match op {
                    Op::SignExt { .. } => self.term(word, SHIFT),
                    _ => self.cast(word, false),
                }
                self.text(format!(" >> {low}"));
                SHIFT
            }
            (Op::Concat, Some((word, _, 0)))
                if terms.bv_const(terms.arg(term, 1)).is_some_and(Bv::is_zero) =>
            {
                self.term(word, SHIFT);
                self.text(format!(" << {}", terms.width(terms.arg(term, 1))));
                SHIFT
            }
            (Op::ZeroExt { .. }, _) => self.prefix(format!("({})", int_name(width, false)), a),
            (Op::SignExt { .. }, _) => self.prefix(format!("({})", int_name(width, true)), a),
            (Op::Extract { low: 0, .. }, _) if width >= 8 && width.is_power_of_two() => {
                self.prefix(format!("({})", int_name(width, true)), a)
            }
            (Op::Extract { high, low }, _) => {
                self.term(a, PRIMARY);
                self.text(format!("[{high}:{low}]"));
                PRIMARY
            }
            _ => self.call("concat", ["(", ")"], terms.args(term)),
        }
    }

    fn float(&mut self, term: Term, args: &[Term]) -> u8 {
        let float_name = |format| {
            if format == FloatSort::F32 {
                "(float)"
            } else {
                "(double)"
            }
        };
        match (self.terms.op(term), args) {
            (Op::FAdd, &[a, b]) => self.infix(a, " + ", b, SUM),
            (Op::FSub, &[a, b]) => self.infix(a, " - ", b, SUM),
            (Op::FMul, &[a, b]) => self.infix(a, " * ", b, PRODUCT),
            (Op::FDiv, &[a, b]) => self.infix(a, " / ", b, PRODUCT),
            (Op::FEq, &[a, b]) => self.infix(a, " == ", b, EQUAL),
            (Op::FLt, &[a, b]) => self.infix(a, " < ", b, ORDER),
            (Op::FLe, &[a, b]) => self.infix(a, " <= ", b, ORDER),
            (Op::FNeg, &[a]) => self.prefix("-", a),
            (Op::FFromSigned(to) | Op::FConvert(to), &[a]) => self.prefix(float_name(to), a),
            (Op::FFromUnsigned(to), &[a]) => {
                self.text(float_name(to));
                self.cast(a, false);
                UNARY
            }
            (Op::FToSigned { width }, &[a]) => {
                self.prefix(format!("({})", int_name(width, true)), a)
            }
            (Op::FToUnsigned { width }, &[a]) => {
                self.prefix(format!("({})", int_name(width, false)), a)
            }
            (op, args) => {
                let name = match op {
                    Op::FRem => "fmod",
                    Op::FFma => "fma",
                    Op::FAbs => "fabs",
                    Op::FSqrt => "sqrt",
                    Op::FRound(Rounding::NearestEven) => "rint",
                    Op::FRound(Rounding::NearestAway) => "round",
                    Op::FRound(Rounding::Up) => "ceil",
                    Op::FRound(Rounding::Down) => "floor",
                    Op::FRound(Rounding::Zero) => "trunc",
                    Op::FIsNan => "isnan",
                    Op::FIsInf => "isinf",
                    Op::FIsZero => "iszero",
                    Op::FIsNormal => "isnormal",
                    Op::FIsSubnormal => "issubnormal",
                    Op::FIsNegative => "signbit",
                    Op::FToBits => "bits_of",
                    Op::FFromBits(FloatSort::F32) => "float_of_bits",
                    _ => "double_of_bits",
                };
                self.call(name, ["(", ")"], args)
            }
        }
    }
}

fn int_name(width: u32, signed: bool) -> String {
    let sign = if signed { "" } else { "u" };
    match width {
        8 | 16 | 32 | 64 => format!("{sign}int{width}_t"),
        _ => format!("{}{width}", if signed { 'i' } else { 'u' }),
    }
}

/// Small numbers in decimal, large ones in hexadecimal.
fn constant(value: &Value, unsigned: bool) -> String {
    const SMALL: u128 = 1 << 20;
    match value {
        Value::Bool(b) => b.to_string(),
        Value::F32(bits) => format!("{:?}f", f32::from_bits(*bits)),
        Value::F64(bits) => format!("{:?}", f64::from_bits(*bits)),
        Value::Bv(bv) => match (bv.to_u128(), bv.to_i128()) {
            (Some(u), _) if unsigned && u < SMALL => format!("{u}u"),
            (Some(u), _) if unsigned => format!("{u:#x}u"),
            (Some(u), _) if u < SMALL => u.to_string(),
            (_, Some(i)) if i.unsigned_abs() < SMALL => i.to_string(),
            _ => bv
                .to_string()
                .replacen("#x", "0x", 1)
                .replacen("#b", "0b", 1),
        },
    }
}
