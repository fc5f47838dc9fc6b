//! Reading terms and scripts.
//!
//! Terms are built raw, so printed text is read back as the same handle; for text of other origin,
//! [`Terms::simplify`] rewrites the result. Every mistake in the text is an error with its
//! position; nothing panics.

use std::borrow::Cow;
use std::fmt;

use rustc_hash::FxHashMap;

use super::function::Function;
use super::print::SIMPLE;
use super::sexp::{Kind, Sexps};
use super::unquote;
use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::{MAX_WIDTH, Op};
use crate::sort::{FloatSort, Rounding, Sort};
use crate::symbol::SymbolKind;
use crate::value::Value;

/// An error of a text, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from one.
    pub line: usize,
    /// The column in bytes, from one.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

impl Terms {
    /// Reads one term over the symbols that are declared in this arena.
    pub fn parse_smtlib(&mut self, text: &str) -> Result<Term, ParseError> {
        let sexps = Sexps::read(text)?;
        let mut top = sexps.top();
        match (top.next(), top.next()) {
            (Some(root), None) => Parser::new(self, &sexps).term(root),
            (Some(_), Some(second)) => Err(sexps.error(second, "more than one term")),
            (None, _) => Err(ParseError {
                line: 1,
                column: 1,
                message: "no term".to_owned(),
            }),
        }
    }

    /// Reads a script: declares its symbols and returns what it asserts.
    /// Commands other than declarations, definitions of constants and
    /// assertions are skipped.
    pub fn parse_smtlib_script(&mut self, text: &str) -> Result<Vec<Term>, ParseError> {
        let sexps = Sexps::read(text)?;
        let kinds = symbol_infos(&sexps);
        let mut parser = Parser::new(self, &sexps);
        let mut assertions = Vec::new();
        for command in sexps.top() {
            let parts: Vec<usize> = sexps.children(command).collect();
            match (parts.first().and_then(|&head| sexps.atom(head)), &parts[..]) {
                (Some("assert"), &[_, term]) => {
                    let assertion = parser.term(term)?;
                    if parser.terms.sort(assertion) != Sort::Bool {
                        return Err(sexps.error(term, "an assertion is a truth value"));
                    }
                    assertions.push(assertion);
                }
                (Some("declare-const"), &[_, name, sort]) => parser.declare(name, sort, &kinds)?,
                (Some("declare-fun"), &[_, name, params, sort]) => {
                    let known = sexps
                        .atom(name)
                        .is_some_and(|n| Function::parse(n).is_some());
                    if sexps.children(params).next().is_none() {
                        parser.declare(name, sort, &kinds)?;
                    } else if !known {
                        return Err(sexps.error(name, "functions are not supported"));
                    }
                }
                (Some("define-fun"), &[_, name, params, _, body]) => {
                    let known = sexps
                        .atom(name)
                        .is_some_and(|n| Function::parse(n).is_some());
                    if sexps.children(params).next().is_none() {
                        let term = parser.term(body)?;
                        parser.scope.entry(sexps.text(name)).or_default().push(term);
                    } else if !known {
                        return Err(sexps.error(name, "functions are not supported"));
                    }
                }
                (Some("assert" | "declare-const" | "declare-fun" | "define-fun"), _) => {
                    return Err(sexps.error(command, "malformed command"));
                }
                (Some("push" | "pop" | "reset" | "define-funs-rec" | "define-sort"), _) => {
                    return Err(sexps.error(command, "this command is not supported"));
                }
                (Some(_), _) => {}
                (None, _) => return Err(sexps.error(command, "not a command")),
            }
        }
        Ok(assertions)
    }
}

/// Attributes that our scripts give a symbol besides its sort.
type Infos<'a> = FxHashMap<&'a str, (SymbolKind, Option<String>)>;

fn symbol_infos<'a>(sexps: &Sexps<'a>) -> Infos<'a> {
    let mut infos = Infos::default();
    for command in sexps.top() {
        let parts: Vec<usize> = sexps.children(command).collect();
        let &[head, key, info] = &parts[..] else {
            continue;
        };
        if (sexps.atom(head), sexps.atom(key)) != (Some("set-info"), Some(":attest-symbol")) {
            continue;
        }
        let parts: Vec<usize> = sexps.children(info).collect();
        let (&[name, kind] | &[name, kind, _]) = &parts[..] else {
            continue;
        };
        let kind = SymbolKind::ALL
            .into_iter()
            .find(|k| k.to_string() == sexps.text(kind));
        let source = parts
            .get(2)
            .map(|&source| sexps.text(source).replace("\"\"", "\""));
        infos.insert(
            sexps.text(name),
            (kind.unwrap_or(SymbolKind::Plain), source),
        );
    }
    infos
}

/// A step of reading a term; an explicit stack of these replaces recursion.
enum Task {
    Read(usize),
    Apply(usize, usize),
    Bind(usize),
    Unbind(usize),
}

struct Parser<'a, 't> {
    terms: &'t mut Terms,
    sexps: &'a Sexps<'a>,
    /// The terms bound to each name, innermost last.
    scope: FxHashMap<&'a str, Vec<Term>>,
    simple: FxHashMap<&'static str, Op>,
}

impl<'a, 't> Parser<'a, 't> {
    fn new(terms: &'t mut Terms, sexps: &'a Sexps<'a>) -> Parser<'a, 't> {
        let simple = SIMPLE.iter().map(|&(op, name)| (name, op)).collect();
        Parser {
            terms,
            sexps,
            scope: FxHashMap::default(),
            simple,
        }
    }

    fn error<T>(&self, node: usize, message: &str) -> Result<T, ParseError> {
        Err(self.sexps.error(node, message))
    }

    fn term(&mut self, root: usize) -> Result<Term, ParseError> {
        let mut tasks = vec![Task::Read(root)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(node) if self.sexps.node(node).kind != Kind::List => {
                    values.push(self.leaf(node)?);
                }
                Task::Read(node) => self.read_list(node, &mut tasks, &mut values)?,
                Task::Apply(node, count) => {
                    let args = values.split_off(values.len() - count);
                    values.push(self.apply(node, &args)?);
                }
                Task::Bind(bindings) => {
                    let names: Vec<usize> = self.sexps.children(bindings).collect();
                    let bound = values.split_off(values.len() - names.len());
                    for (binding, term) in names.into_iter().zip(bound) {
                        let name = self.binding(binding)?.0;
                        self.scope.entry(name).or_default().push(term);
                    }
                }
                Task::Unbind(bindings) => {
                    for binding in self.sexps.children(bindings) {
                        let name = self.binding(binding)?.0;
                        self.scope.entry(name).or_default().pop();
                    }
                }
            }
        }
        match values.pop() {
            Some(term) => Ok(term),
            None => self.error(root, "no term"),
        }
    }

    /// The name and the term of a binding in `let`.
    fn binding(&self, node: usize) -> Result<(&'a str, usize), ParseError> {
        let parts: Vec<usize> = self.sexps.children(node).collect();
        match parts[..] {
            [name, term] if self.sexps.node(name).kind != Kind::List => {
                Ok((self.sexps.text(name), term))
            }
            _ => self.error(node, "a binding is (name term)"),
        }
    }

    fn read_list(
        &mut self,
        node: usize,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Term>,
    ) -> Result<(), ParseError> {
        let mut parts = self.sexps.children(node);
        let Some(head) = parts.next() else {
            return self.error(node, "an empty list");
        };
        match self.sexps.atom(head) {
            Some("_") => values.push(self.indexed_constant(node)?),
            Some("let") => {
                let (Some(bindings), Some(body), None) = (parts.next(), parts.next(), parts.next())
                else {
                    return self.error(node, "let is (let (bindings) term)");
                };
                if self.sexps.node(bindings).kind != Kind::List {
                    return self.error(node, "let is (let (bindings) term)");
                }
                tasks.push(Task::Unbind(bindings));
                tasks.push(Task::Read(body));
                tasks.push(Task::Bind(bindings));
                let bound: Result<Vec<_>, _> = self
                    .sexps
                    .children(bindings)
                    .map(|binding| self.binding(binding))
                    .collect();
                tasks.extend(bound?.into_iter().rev().map(|(_, term)| Task::Read(term)));
            }
            _ => {
                let args: Vec<usize> = parts
                    .filter(|&arg| self.sexps.atom(arg).is_none_or(|a| rounding(a).is_none()))
                    .collect();
                tasks.push(Task::Apply(node, args.len()));
                tasks.extend(args.into_iter().rev().map(Task::Read));
            }
        }
        Ok(())
    }

    fn leaf(&mut self, node: usize) -> Result<Term, ParseError> {
        let text = self.sexps.text(node);
        let kind = self.sexps.node(node).kind;
        if let Some(&term) = self.scope.get(text).and_then(|bound| bound.last()) {
            return Ok(term);
        }
        if kind == Kind::Atom {
            let digits = |width: usize, digits: &str, radix| {
                let width = u32::try_from(width).ok().filter(|w| *w <= MAX_WIDTH)?;
                Bv::parse(width, digits, radix)
            };
            let value = match text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => match (text.strip_prefix("#b"), text.strip_prefix("#x")) {
                    (Some(bits), _) => digits(bits.len(), bits, 2).map(Value::Bv),
                    (_, Some(hex)) => digits(4 * hex.len(), hex, 16).map(Value::Bv),
                    _ => None,
                },
            };
            if let Some(value) = value {
                return Ok(self.terms.value(value));
            }
        }
        let name = match kind {
            Kind::Quoted => Cow::Owned(unquote(text)),
            _ => Cow::Borrowed(text),
        };
        match self.terms.lookup(&name) {
            Some(symbol) if kind != Kind::Text => Ok(self.terms.symbol_term(symbol)),
            _ => self.error(node, &format!("unknown symbol {name}")),
        }
    }

    /// `(_ head numbers...)` as words.
    fn indexed(&self, node: usize) -> Option<(&'a str, Vec<u32>)> {
        let mut parts = self.sexps.children(node);
        if self.sexps.atom(parts.next()?)? != "_" {
            return None;
        }
        let head = self.sexps.atom(parts.next()?)?;
        let number = |part| self.sexps.atom(part)?.parse().ok();
        Some((head, parts.map(number).collect::<Option<_>>()?))
    }

    fn indexed_constant(&mut self, node: usize) -> Result<Term, ParseError> {
        let value = self.indexed(node).and_then(|(head, numbers)| {
            let number = |pick: fn(f64) -> f64, unit: f64| {
                let (e, s) = (*numbers.first()?, *numbers.get(1)?);
                match float_sort(e, s)? {
                    FloatSort::F32 => Some(Value::f32(pick(unit) as f32)),
                    FloatSort::F64 => Some(Value::f64(pick(unit))),
                }
            };
            match head {
                "NaN" => number(|x| x, f64::NAN),
                "+oo" => number(|x| x, f64::INFINITY),
                "-oo" => number(|x| x, f64::NEG_INFINITY),
                "+zero" => number(|x| x, 0.0),
                "-zero" => number(|x| x, -0.0),
                _ => {
                    let width = *numbers.first().filter(|width| **width <= MAX_WIDTH)?;
                    Bv::parse(width, head.strip_prefix("bv")?, 10).map(Value::Bv)
                }
            }
        });
        match value {
            Some(value) => Ok(self.terms.value(value)),
            None => self.error(node, "not a constant"),
        }
    }

    fn apply(&mut self, node: usize, args: &[Term]) -> Result<Term, ParseError> {
        let mut parts = self.sexps.children(node);
        let head = parts.next().unwrap_or(node);
        let mode = parts
            .next()
            .and_then(|part| rounding(self.sexps.atom(part)?));
        let Some(name) = self.sexps.atom(head) else {
            return self.apply_indexed(node, head, mode, args);
        };
        let op = match (name, mode) {
            ("fp", None) => return self.float_constant(node, args),
            ("fp.roundToIntegral", Some(mode)) => Op::FRound(mode),
            (_, Some(mode)) if mode != Rounding::NearestEven => {
                return self.error(node, "only RNE is supported here");
            }
            _ => match self.simple.get(name) {
                Some(op) => *op,
                None => return self.apply_function(node, name, args),
            },
        };
        match (op, args) {
            // Left-associative in SMT-LIB.
            (
                Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Concat | Op::Xor,
                &[first, _, _, ..],
            ) => args[1..]
                .iter()
                .try_fold(first, |acc, &arg| self.raw(node, op, &[acc, arg])),
            (Op::And | Op::Or, [only]) if self.terms.sort(*only) == Sort::Bool => Ok(*only),
            _ => self.raw(node, op, args),
        }
    }

    /// One of the functions that SMT-LIB lacks, or that we have no operation for.
    fn apply_function(
        &mut self,
        node: usize,
        name: &str,
        args: &[Term],
    ) -> Result<Term, ParseError> {
        let Some(function) = Function::parse(name) else {
            return self.apply_derived(node, name, args);
        };
        let Some(op) = function.op() else {
            return self.error(node, "not a function of terms");
        };
        let term = self.raw(node, op, args)?;
        // The name must agree with the operands' sorts.
        if Function::of(self.terms, term) != Some(function) {
            return self.error(node, "the operands do not fit the function's name");
        }
        Ok(term)
    }

    fn raw(&mut self, node: usize, op: Op, args: &[Term]) -> Result<Term, ParseError> {
        self.terms
            .try_raw(op, args)
            .map_err(|error| self.sexps.error(node, &error.to_string()))
    }

    /// SMT-LIB operations that the term language expresses by others.
    fn apply_derived(
        &mut self,
        node: usize,
        name: &str,
        args: &[Term],
    ) -> Result<Term, ParseError> {
        let swapped = |args: &[Term]| args.iter().rev().copied().collect::<Vec<_>>();
        match (name, args) {
            ("=>", &[a, b]) => {
                let not_a = self.raw(node, Op::Not, &[a])?;
                self.raw(node, Op::Or, &[not_a, b])
            }
            ("distinct", &[a, b]) => {
                let same = self.raw(node, Op::Eq, &[a, b])?;
                self.raw(node, Op::Not, &[same])
            }
            ("bvugt", _) => self.raw(node, Op::Ult, &swapped(args)),
            ("bvuge", _) => self.raw(node, Op::Ule, &swapped(args)),
            ("bvsgt", _) => self.raw(node, Op::Slt, &swapped(args)),
            ("bvsge", _) => self.raw(node, Op::Sle, &swapped(args)),
            ("fp.gt", _) => self.raw(node, Op::FLt, &swapped(args)),
            ("fp.geq", _) => self.raw(node, Op::FLe, &swapped(args)),
            _ => self.error(node, &format!("unknown function {name}")),
        }
    }

    fn apply_indexed(
        &mut self,
        node: usize,
        head: usize,
        mode: Option<Rounding>,
        args: &[Term],
    ) -> Result<Term, ParseError> {
        let Some((name, numbers)) = self.indexed(head) else {
            return self.error(head, "not a function");
        };
        let from = args.first().map(|&arg| self.terms.sort(arg));
        let nearest = mode == Some(Rounding::NearestEven);
        let op = match (name, &numbers[..]) {
            ("extract", &[high, low]) => Op::Extract { high, low },
            ("zero_extend", &[by]) => Op::ZeroExt { by },
            ("sign_extend", &[by]) => Op::SignExt { by },
            ("to_fp" | "to_fp_unsigned", &[e, s]) => {
                let Some(to) = float_sort(e, s) else {
                    return self.error(head, "only the formats of float and double are supported");
                };
                match (name, from) {
                    ("to_fp", Some(Sort::BitVec(_))) if mode.is_none() => Op::FFromBits(to),
                    ("to_fp", Some(Sort::BitVec(_))) if nearest => Op::FFromSigned(to),
                    ("to_fp", Some(Sort::Float(_))) if nearest => Op::FConvert(to),
                    ("to_fp_unsigned", _) if nearest => Op::FFromUnsigned(to),
                    _ => return self.error(node, "this conversion is not supported"),
                }
            }
            _ => return self.error(head, &format!("unknown function {name}")),
        };
        self.raw(node, op, args)
    }

    /// `(fp sign exponent significand)` of constants.
    fn float_constant(&mut self, node: usize, args: &[Term]) -> Result<Term, ParseError> {
        let parts: Option<Vec<Bv>> = args
            .iter()
            .map(|&arg| self.terms.bv_const(arg).cloned())
            .collect();
        let value = parts.and_then(|parts| match &parts[..] {
            [sign, exponent, rest] if sign.width() == 1 => {
                let format = float_sort(exponent.width(), rest.width() + 1)?;
                let bits = sign.concat(exponent).concat(rest);
                Some(Value::from_bits(Sort::Float(format), bits.low_u64()))
            }
            _ => None,
        });
        match value {
            Some(value) => Ok(self.terms.value(value)),
            None => self.error(
                node,
                "fp is of the three parts of a float or a double, in constants",
            ),
        }
    }

    fn sort(&self, node: usize) -> Result<Sort, ParseError> {
        let sort = match (self.sexps.atom(node), self.indexed(node)) {
            (Some("Bool"), _) => Some(Sort::Bool),
            (Some("Float32"), _) => Some(Sort::Float(FloatSort::F32)),
            (Some("Float64"), _) => Some(Sort::Float(FloatSort::F64)),
            (_, Some(("BitVec", numbers))) => match numbers[..] {
                [width @ 1..=MAX_WIDTH] => Some(Sort::BitVec(width)),
                _ => None,
            },
            (_, Some(("FloatingPoint", numbers))) => match numbers[..] {
                [e, s] => float_sort(e, s).map(Sort::Float),
                _ => None,
            },
            _ => None,
        };
        sort.map_or_else(|| self.error(node, "unknown sort"), Ok)
    }

    fn declare(&mut self, name: usize, sort: usize, infos: &Infos) -> Result<(), ParseError> {
        let sort = self.sort(sort)?;
        let text = self.sexps.text(name);
        let (kind, source) = infos
            .get(text)
            .cloned()
            .unwrap_or((SymbolKind::Plain, None));
        let decoded = match self.sexps.node(name).kind {
            Kind::Quoted => unquote(text),
            Kind::Atom => text.to_owned(),
            _ => return self.error(name, "not a name"),
        };
        if let Some(old) = self.terms.lookup(&decoded) {
            let old = self.terms.symbol(old);
            if old.sort != sort || old.kind != kind {
                return self.error(name, &format!("{decoded} is declared otherwise"));
            }
        }
        let symbol = self.terms.declare(&decoded, sort, kind);
        if let Some(source) = source {
            self.terms.set_source(symbol, &source);
        }
        Ok(())
    }
}

fn float_sort(exponent: u32, significand: u32) -> Option<FloatSort> {
    match (exponent, significand) {
        (8, 24) => Some(FloatSort::F32),
        (11, 53) => Some(FloatSort::F64),
        _ => None,
    }
}

fn rounding(name: &str) -> Option<Rounding> {
    if !name.starts_with('R') {
        return None;
    }
    Rounding::ALL.into_iter().find(|mode| mode.smtlib() == name)
}
