//! Terms as C expressions that a compiler reads and that mean the same.
//!
//! [`attest_term`]'s own printing is for people and is not read back. Here a
//! conjunct either becomes an expression of exactly its meaning, without
//! behaviour that C leaves undefined, or there is none: arithmetic is done in
//! unsigned types, which wrap as terms do, and casts say how bits are read. A
//! cast to a narrower signed type wraps in every compiler that this is for.

use attest_term::{Op, Sort, SymbolId, Term, Terms};

/// A C variable that a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its type is signed.
    pub signed: bool,
}

/// A longer expression than this is of no use to a reader.
const LONGEST: usize = 600;

/// Makes C of terms.
pub struct Printer<'a> {
    /// The arena.
    pub terms: &'a Terms,
    /// What symbols are called where the expression will stand.
    pub names: &'a dyn Fn(SymbolId) -> Option<Named>,
}

/// The type of a width.
fn type_name(width: u32, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

fn short(text: String) -> Option<String> {
    (text.len() <= LONGEST).then_some(text)
}

impl Printer<'_> {
    /// A term of truth value; its conjuncts that cannot be said are left out.
    pub fn weakened(&self, term: Term) -> Vec<String> {
        let conjuncts = match self.terms.op(term) {
            Op::And => self.terms.args(term).to_vec(),
            _ => vec![term],
        };
        conjuncts
            .into_iter()
            .filter_map(|c| self.truth(c))
            .collect()
    }

    /// A term of truth value, exactly.
    pub fn truth(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        let text = match (terms.op(term), terms.args(term)) {
            (Op::Bool(value), _) => u8::from(value).to_string(),
            (Op::Not, &[a]) => self.negated(a)?,
            (Op::And, args) => self.junction(args, " && ")?,
            (Op::Or, args) => self.junction(args, " || ")?,
            (Op::Xor, &[a, b]) => format!("!({}) != !({})", self.truth(a)?, self.truth(b)?),
            (Op::Eq, &[a, b]) => self.equation(a, " == ", b)?,
            (Op::Ite, &[c, a, b]) if terms.sort(a) == Sort::Bool => format!(
                "(({}) ? ({}) : ({}))",
                self.truth(c)?,
                self.truth(a)?,
                self.truth(b)?
            ),
            (Op::Ult, &[a, b]) => format!("{} < {}", self.unsigned(a)?, self.unsigned(b)?),
            (Op::Ule, &[a, b]) => format!("{} <= {}", self.unsigned(a)?, self.unsigned(b)?),
            (Op::Slt, &[a, b]) => format!("{} < {}", self.signed(a)?, self.signed(b)?),
            (Op::Sle, &[a, b]) => format!("{} <= {}", self.signed(a)?, self.signed(b)?),
            _ => return None,
        };
        short(text)
    }

    fn junction(&self, args: &[Term], operator: &str) -> Option<String> {
        let parts: Option<Vec<String>> = args.iter().map(|a| self.truth(*a)).collect();
        let parts: Vec<String> = parts?.into_iter().map(|p| format!("({p})")).collect();
        short(parts.join(operator))
    }

    fn negated(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        Some(match (terms.op(term), terms.args(term)) {
            (Op::Eq, &[a, b]) => self.equation(a, " != ", b)?,
            (Op::Ult, &[a, b]) => format!("{} <= {}", self.unsigned(b)?, self.unsigned(a)?),
            (Op::Ule, &[a, b]) => format!("{} < {}", self.unsigned(b)?, self.unsigned(a)?),
            (Op::Slt, &[a, b]) => format!("{} <= {}", self.signed(b)?, self.signed(a)?),
            (Op::Sle, &[a, b]) => format!("{} < {}", self.signed(b)?, self.signed(a)?),
            _ => format!("!({})", self.truth(term)?),
        })
    }

    fn equation(&self, a: Term, operator: &str, b: Term) -> Option<String> {
        match self.terms.sort(a) {
            Sort::Bool => Some(format!(
                "!({}){operator}!({})",
                self.truth(a)?,
                self.truth(b)?
            )),
            Sort::BitVec(_) if self.reads_signed(a) && self.reads_signed(b) => {
                Some(format!("{}{operator}{}", self.signed(a)?, self.signed(b)?))
            }
            Sort::BitVec(_) => match self.moved(a, b).or_else(|| self.moved(b, a)) {
                Some((left, right)) => Some(format!("{left}{operator}{right}")),
                None => Some(format!(
                    "{}{operator}{}",
                    self.unsigned(a)?,
                    self.unsigned(b)?
                )),
            },
            _ => None,
        }
    }

    /// `x + y * -3 == 0` as `x` and `y * 3`, which are equal by wrapping arithmetic.
    fn moved(&self, sum: Term, zero: Term) -> Option<(String, String)> {
        let terms = self.terms;
        let (Op::Add, &[x, product]) = (terms.op(sum), terms.args(sum)) else {
            return None;
        };
        let (Op::Mul, &[y, factor]) = (terms.op(product), terms.args(product)) else {
            return None;
        };
        let factor = terms.bv_const(factor)?;
        let width = factor.width();
        if !terms.bv_const(zero)?.is_zero() || !factor.is_negative() || width < 32 {
            return None;
        }
        let suffix = if width == 64 { "ULL" } else { "U" };
        let factor = factor.neg().to_u128()?;
        let right = format!("{} * {factor}{suffix}", self.unsigned(y)?);
        Some((self.unsigned(x)?, right))
    }

    /// It is shortest as a signed number.
    fn reads_signed(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Const(_) | Op::SignExt { .. } => true,
            Op::Var(symbol) => (self.names)(symbol).is_some_and(|named| named.signed),
            _ => false,
        }
    }

    /// An expression of the signed type of the term's width, with its value.
    fn signed(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        let Sort::BitVec(width) = terms.sort(term) else {
            return None;
        };
        let ty = type_name(width, true)?;
        match (terms.op(term), terms.args(term)) {
            (Op::Const(_), _) => {
                let value = terms.bv_const(term)?.to_i128()?;
                Some(literal(value, width))
            }
            (Op::Var(symbol), _) => {
                let named = (self.names)(symbol)?;
                Some(match named.signed {
                    true => named.name,
                    false => format!("({ty}){}", named.name),
                })
            }
            (Op::SignExt { .. }, &[a]) => Some(format!("({ty}){}", self.atom(self.signed(a)?))),
            _ => short(format!("({ty}){}", self.unsigned(term)?)),
        }
    }

    /// In parentheses unless it is a single word.
    fn atom(&self, text: String) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match text.chars().all(plain) || text.starts_with('(') && text.ends_with(')') {
            true => text,
            false => format!("({text})"),
        }
    }

    /// An expression of the unsigned type of the term's width, with its bits.
    fn unsigned(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        let Sort::BitVec(width) = terms.sort(term) else {
            return None;
        };
        let ty = type_name(width, false)?;
        // Narrow numbers are promoted to int, so their arithmetic is done in a wider type.
        let wide = if width < 32 { "(unsigned int)" } else { "" };
        let binary = |a: Term, operator: &str, b: Term| -> Option<String> {
            let text = format!(
                "({wide}{} {operator} {wide}{})",
                self.unsigned(a)?,
                self.unsigned(b)?
            );
            Some(if width < 32 {
                format!("({ty}){text}")
            } else {
                text
            })
        };
        let constant = |t: Term| terms.bv_const(t).and_then(|c| c.to_u128());
        let text = match (terms.op(term), terms.args(term)) {
            (Op::Const(_), _) => match width {
                64 => format!("{}ULL", constant(term)?),
                32 => format!("{}U", constant(term)?),
                _ => format!("({ty}){}U", constant(term)?),
            },
            (Op::Var(symbol), _) => {
                let named = (self.names)(symbol)?;
                match named.signed {
                    true => format!("({ty}){}", named.name),
                    false => named.name,
                }
            }
            (Op::Add, &[a, b]) => binary(a, "+", b)?,
            (Op::Sub, &[a, b]) => binary(a, "-", b)?,
            (Op::Mul, &[a, b]) => binary(a, "*", b)?,
            (Op::BvAnd, &[a, b]) => binary(a, "&", b)?,
            (Op::BvOr, &[a, b]) => binary(a, "|", b)?,
            (Op::BvXor, &[a, b]) => binary(a, "^", b)?,
            (Op::BvNeg, &[a]) => format!("({ty})(0ULL - {})", self.unsigned(a)?),
            (Op::BvNot, &[a]) => format!("({ty})~{}", self.atom(self.unsigned(a)?)),
            // Division by 0 and shifts by the width have a value in terms, and none in C.
            (Op::Udiv, &[a, b]) if constant(b)? != 0 => binary(a, "/", b)?,
            (Op::Urem, &[a, b]) if constant(b)? != 0 => binary(a, "%", b)?,
            (Op::Shl, &[a, b]) if constant(b)? < u128::from(width) => {
                format!("({ty})({wide}{} << {})", self.unsigned(a)?, constant(b)?)
            }
            (Op::Lshr, &[a, b]) if constant(b)? < u128::from(width) => {
                format!("({ty})({wide}{} >> {})", self.unsigned(a)?, constant(b)?)
            }
            (Op::ZeroExt { .. }, &[a]) => format!("({ty}){}", self.unsigned(a)?),
            (Op::SignExt { .. }, &[a]) => format!("({ty}){}", self.atom(self.signed(a)?)),
            (Op::Extract { low, .. }, &[a]) => match low {
                0 => format!("({ty}){}", self.unsigned(a)?),
                low => format!("({ty})({} >> {low})", self.unsigned(a)?),
            },
            (Op::Ite, &[c, a, b]) => {
                let (c, a, b) = (self.truth(c)?, self.unsigned(a)?, self.unsigned(b)?);
                format!("({ty})(({c}) ? {a} : {b})")
            }
            _ => return None,
        };
        short(text)
    }
}

/// A signed number as C writes it; the smallest one has no literal of its own.
fn literal(value: i128, width: u32) -> String {
    let suffix = if width == 64 { "LL" } else { "" };
    match value {
        v if v == -(1i128 << (width - 1)) && width >= 32 => format!("({}{suffix} - 1)", v + 1),
        v => format!("{v}{suffix}"),
    }
}
