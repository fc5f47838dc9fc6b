//! Writing terms and scripts.
//!
//! A term that is used more than once gets a name, by `let` in a term and by `define-fun` in a
//! script, so the text is linear in the size of the graph.

use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::function::Function;
use super::quote;
use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::FloatSort;
use crate::symbol::SymbolId;

impl Terms {
    /// The term as SMT-LIB text; reading it in the same arena gives the same term.
    pub fn to_smtlib(&self, root: Term) -> String {
        let mut printer = Printer::new(self, &[root]);
        let shared = printer.shared.clone();
        for &term in &shared {
            let _ = write!(printer.out, "(let (({} ", printer.name(term));
            printer.definition(term);
            printer.out.push_str(")) ");
        }
        printer.reference(root);
        printer.out.extend(shared.iter().map(|_| ')'));
        printer.out
    }

    /// A script that declares all symbols and functions that occur, asserts the terms, and checks
    /// satisfiability.
    pub fn to_smtlib_script(&self, assertions: &[Term]) -> String {
        let mut printer = Printer::new(self, assertions);
        printer.out.push_str("(set-logic ALL)\n");
        for id in self.free_symbols(assertions) {
            let symbol = self.symbol(id);
            let (name, sort) = (quote(&symbol.name), symbol.sort);
            let _ = write!(
                printer.out,
                "(declare-const {name} {sort})\n(set-info :attest-symbol ({name} {}",
                symbol.kind
            );
            if let Some(source) = &symbol.source {
                let _ = write!(printer.out, " \"{}\"", source.replace('"', "\"\""));
            }
            printer.out.push_str("))\n");
        }
        let functions: BTreeSet<Function> = self
            .reachable(assertions)
            .into_iter()
            .filter_map(|term| Function::of(self, term))
            .flat_map(|function| function.needs().into_iter().chain([function]))
            .collect();
        let (declared, defined): (Vec<Function>, Vec<Function>) =
            functions.into_iter().partition(|f| f.needs().is_none());
        for function in declared.into_iter().chain(defined) {
            let _ = writeln!(printer.out, "{}", function.command());
        }
        for term in printer.shared.clone() {
            let _ = write!(
                printer.out,
                "(define-fun {} () {} ",
                printer.name(term),
                self.sort(term)
            );
            printer.definition(term);
            printer.out.push_str(")\n");
        }
        for &term in assertions {
            printer.out.push_str("(assert ");
            printer.reference(term);
            printer.out.push_str(")\n");
        }
        printer.out.push_str("(check-sat)\n");
        printer.out
    }
}

enum Piece {
    Term(Term),
    Text(&'static str),
}

struct Printer<'a> {
    terms: &'a Terms,
    /// The terms with names, operands first.
    shared: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    /// The names of symbols as written.
    quoted: FxHashMap<SymbolId, String>,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Printer<'a> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut shared = terms.reachable(roots);
        for &term in &shared {
            terms
                .args(term)
                .iter()
                .for_each(|&arg| *uses.entry(arg).or_default() += 1);
        }
        shared.retain(|term| {
            !terms.args(*term).is_empty() && uses.get(term).is_some_and(|&count| count > 1)
        });
        let numbers = shared
            .iter()
            .enumerate()
            .map(|(i, &term)| (term, i))
            .collect();
        Printer {
            terms,
            shared,
            numbers,
            quoted: FxHashMap::default(),
            out: String::new(),
        }
    }

    fn name(&self, term: Term) -> String {
        format!("${}", self.numbers[&term])
    }

    fn reference(&mut self, term: Term) {
        self.write(vec![Piece::Term(term)]);
    }

    fn definition(&mut self, term: Term) {
        let mut stack = Vec::new();
        self.open(term, &mut stack);
        self.write(stack);
    }

    fn write(&mut self, mut stack: Vec<Piece>) {
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Term(term) => match self.numbers.get(&term) {
                    Some(number) => {
                        let _ = write!(self.out, "${number}");
                    }
                    None => self.open(term, &mut stack),
                },
            }
        }
    }

    /// Writes a leaf, or writes the head of an application and pushes the rest.
    fn open(&mut self, term: Term, stack: &mut Vec<Piece>) {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Bool(b) => {
                let _ = write!(self.out, "{b}");
            }
            Op::Const(id) => {
                let _ = write!(self.out, "{}", self.terms.const_value(id));
            }
            Op::Var(symbol) => {
                let name = || quote(&self.terms.symbol(symbol).name);
                self.out
                    .push_str(self.quoted.entry(symbol).or_insert_with(name));
            }
            op => {
                self.out.push('(');
                self.head(term, op);
                stack.push(Piece::Text(")"));
                for &arg in args.iter().rev() {
                    stack.push(Piece::Term(arg));
                    stack.push(Piece::Text(" "));
                }
            }
        }
    }

    fn head(&mut self, term: Term, op: Op) {
        if let Some(function) = Function::of(self.terms, term) {
            self.out.push_str(&function.name());
            return;
        }
        let out = &mut self.out;
        let _ = match op {
            Op::Extract { high, low } => write!(out, "(_ extract {high} {low})"),
            Op::ZeroExt { by } => write!(out, "(_ zero_extend {by})"),
            Op::SignExt { by } => write!(out, "(_ sign_extend {by})"),
            Op::FRound(mode) => write!(out, "fp.roundToIntegral {}", mode.smtlib()),
            Op::FFromSigned(to) | Op::FConvert(to) => write!(out, "{} RNE", to_fp("to_fp", to)),
            Op::FFromUnsigned(to) => write!(out, "{} RNE", to_fp("to_fp_unsigned", to)),
            Op::FFromBits(to) => write!(out, "{}", to_fp("to_fp", to)),
            _ => {
                out.push_str(simple_name(op).unwrap_or("?"));
                if let Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FSqrt | Op::FFma = op {
                    out.push_str(" RNE");
                }
                Ok(())
            }
        };
    }
}

fn to_fp(head: &str, to: FloatSort) -> String {
    format!(
        "(_ {head} {} {})",
        to.exponent_bits(),
        to.significand_bits()
    )
}

/// The operations without parameters, and their names.
pub(super) const SIMPLE: &[(Op, &str)] = &[
    (Op::Not, "not"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Xor, "xor"),
    (Op::Eq, "="),
    (Op::Ite, "ite"),
    (Op::BvNeg, "bvneg"),
    (Op::BvNot, "bvnot"),
    (Op::Add, "bvadd"),
    (Op::Sub, "bvsub"),
    (Op::Mul, "bvmul"),
    (Op::Udiv, "bvudiv"),
    (Op::Sdiv, "bvsdiv"),
    (Op::Urem, "bvurem"),
    (Op::Srem, "bvsrem"),
    (Op::BvAnd, "bvand"),
    (Op::BvOr, "bvor"),
    (Op::BvXor, "bvxor"),
    (Op::Shl, "bvshl"),
    (Op::Lshr, "bvlshr"),
    (Op::Ashr, "bvashr"),
    (Op::Concat, "concat"),
    (Op::Ult, "bvult"),
    (Op::Ule, "bvule"),
    (Op::Slt, "bvslt"),
    (Op::Sle, "bvsle"),
    (Op::FAdd, "fp.add"),
    (Op::FSub, "fp.sub"),
    (Op::FMul, "fp.mul"),
    (Op::FDiv, "fp.div"),
    (Op::FFma, "fp.fma"),
    (Op::FNeg, "fp.neg"),
    (Op::FAbs, "fp.abs"),
    (Op::FSqrt, "fp.sqrt"),
    (Op::FEq, "fp.eq"),
    (Op::FLt, "fp.lt"),
    (Op::FLe, "fp.leq"),
    (Op::FIsNan, "fp.isNaN"),
    (Op::FIsInf, "fp.isInfinite"),
    (Op::FIsZero, "fp.isZero"),
    (Op::FIsNormal, "fp.isNormal"),
    (Op::FIsSubnormal, "fp.isSubnormal"),
    (Op::FIsNegative, "fp.isNegative"),
    (Op::FToBits, "fp.to_ieee_bv"),
];

fn simple_name(op: Op) -> Option<&'static str> {
    SIMPLE
        .iter()
        .find(|(simple, _)| *simple == op)
        .map(|(_, name)| *name)
}
