//! Terms as C expressions that a compiler reads and that mean the same.
//!
//! [`attest_term`]'s own printing is for people and is not read back. Here a
//! conjunct either becomes an expression of exactly its meaning, without
//! behaviour that C leaves undefined, or there is none: arithmetic is done in
//! unsigned types, which wrap as terms do, and casts say how bits are read. A
//! cast to a narrower signed type wraps in every compiler that this is for.

use attest_term::{Op, Sort, SymbolId, Term, Terms};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A C variable that a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its type is signed.
    pub signed: bool,
}

/// A place in memory that a read reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The variable with its members, or the array.
    pub name: String,
    /// Which element of the array.
    pub index: Option<Index>,
    /// Its type is signed.
    pub signed: bool,
    /// What must hold for it to be this place.
    pub guard: Option<String>,
}

/// An index of an array: `term + plus`, below the number of elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// Of the width of a pointer.
    pub term: Term,
    /// Added to it.
    pub plus: i64,
    /// How many elements there are.
    pub below: u64,
}

/// The place that a read of an object, at an offset, of some bytes reads.
pub type Cells<'a> = &'a dyn Fn(Term, Term, u32) -> Option<Cell>;

/// A longer expression than this is of no use to a reader.
const LONGEST: usize = 600;

/// Makes C of terms.
pub struct Printer<'a> {
    terms: &'a Terms,
    /// What symbols are called where the expression will stand.
    names: &'a dyn Fn(SymbolId) -> Option<Named>,
    /// What reads of memory are called there.
    cells: Option<Cells<'a>>,
    /// What must hold for the conjunct under way to mean its term.
    guards: RefCell<BTreeSet<String>>,
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

impl<'a> Printer<'a> {
    /// A printer of terms about variables, with what these are called.
    pub fn new(terms: &'a Terms, names: &'a dyn Fn(SymbolId) -> Option<Named>) -> Printer<'a> {
        Printer {
            terms,
            names,
            cells: None,
            guards: RefCell::default(),
        }
    }

    /// One that also knows places in memory.
    pub fn with_memory(self, cells: Cells<'a>) -> Printer<'a> {
        Printer {
            cells: Some(cells),
            ..self
        }
    }

    /// A term of truth value; its conjuncts that cannot be said are left out.
    pub fn weakened(&self, term: Term) -> Vec<String> {
        let mut said = Vec::new();
        for (conjunct, holds) in self.conjuncts(term) {
            self.guards.borrow_mut().clear();
            let text = match holds {
                true => self.truth(conjunct),
                false => self.negated(conjunct).and_then(short),
            };
            let Some(text) = text else { continue };
            let guards = self.guards.borrow();
            let guards: Vec<String> = guards.iter().map(|g| format!("({g})")).collect();
            said.extend(short(match guards.is_empty() {
                true => text,
                false => format!("!({}) || ({text})", guards.join(" && ")),
            }));
        }
        said
    }

    /// The conjuncts of a term, each as it is or negated.
    fn conjuncts(&self, term: Term) -> Vec<(Term, bool)> {
        let mut out = Vec::new();
        let mut work = vec![(term, true)];
        while let Some((term, holds)) = work.pop() {
            let args = self.terms.args(term).iter().rev();
            match (self.terms.op(term), holds) {
                (Op::Not, _) => work.extend(args.map(|a| (*a, !holds))),
                (Op::And, true) | (Op::Or, false) => work.extend(args.map(|a| (*a, holds))),
                _ => out.push((term, holds)),
            }
        }
        out
    }

    /// The variable or place in memory that a term is.
    fn named(&self, term: Term) -> Option<Named> {
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Var(symbol), _) => (self.names)(symbol),
            (Op::Read { version: 0, bytes }, &[object, offset]) => {
                let cell = self.cells?(object, offset, bytes)?;
                let name = match &cell.index {
                    None => cell.name,
                    Some(index) => {
                        let (index, guard) = self.index(index)?;
                        self.guards.borrow_mut().insert(guard);
                        format!("{}[{index}]", cell.name)
                    }
                };
                self.guards.borrow_mut().extend(cell.guard);
                Some(Named {
                    name,
                    signed: cell.signed,
                })
            }
            _ => None,
        }
    }

    /// An index and the guard under which it is one of the array.
    fn index(&self, index: &Index) -> Option<(String, String)> {
        let (terms, below) = (self.terms, index.below);
        let widened = match (terms.op(index.term), terms.args(index.term)) {
            (Op::SignExt { .. }, &[a]) => self.named(a).filter(|n| n.signed),
            (Op::ZeroExt { .. }, &[a]) => self.named(a).filter(|n| !n.signed),
            _ => None,
        };
        Some(match widened {
            Some(Named { name, signed: true }) if index.plus == 0 => {
                let guard = format!("0 <= {name} && {name} < {below}");
                (name, guard)
            }
            Some(Named { name, .. }) if index.plus == 0 => {
                let guard = format!("{name} < {below}");
                (name, guard)
            }
            _ => {
                let text = match index.plus {
                    0 => self.unsigned(index.term)?,
                    n if n < 0 => format!("({} - {}U)", self.unsigned(index.term)?, -n),
                    n => format!("({} + {n}U)", self.unsigned(index.term)?),
                };
                let guard = format!("{text} < {below}U");
                (text, guard)
            }
        })
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
            Sort::BitVec(width) if type_name(width, false).is_none() => {
                Some(format!("{}{operator}{}", self.bits(a)?, self.bits(b)?))
            }
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

    /// Some bits of a number, as a number of no sign.
    fn bits(&self, term: Term) -> Option<String> {
        let terms = self.terms;
        match (terms.op(term), terms.args(term)) {
            (Op::Const(_), _) => {
                let value = u64::try_from(terms.bv_const(term)?.to_u128()?).ok()?;
                Some(format!("{value}ULL"))
            }
            (Op::Extract { high, low }, &[a]) if high - low < 63 => {
                let mask = (1u64 << (high - low + 1)) - 1;
                let whole = self.unsigned(a)?;
                short(format!(
                    "(((unsigned long long){whole} >> {low}) & {mask}ULL)"
                ))
            }
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
            Op::Var(_) | Op::Read { .. } => self.named(term).is_some_and(|named| named.signed),
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
            (Op::Var(_) | Op::Read { .. }, _) => {
                let named = self.named(term)?;
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
            (Op::Var(_) | Op::Read { .. }, _) => {
                let named = self.named(term)?;
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
