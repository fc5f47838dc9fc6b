//! A guess engine in linear integer arithmetic (algorithm notes 6.5).
//!
//! The steps become Horn clauses over unbounded integers, as if nothing wrapped
//! around and memory were what the tests' variables say. Z3's Spacer looks for
//! an invariant of each location that excludes the targets. The parts of what
//! it finds go into the pools of candidates, stated over bit vectors, where
//! tests refute them and [`crate::houdini`] checks them. So soundness does not
//! depend on the translation, and without Z3 only these guesses are missing.

use crate::engine::Engine;
use crate::events::{Event, Question, Reply};
use crate::guess::Column;
use crate::linear::at_most;
use crate::strategy::Templates;
use crate::techniques::Technique;
use attest_exec::Overflow;
use attest_model::BailKind;
use attest_model::graph::{Graph, Loc, Outcome};
use attest_solver::{Limits, Reason};
use attest_term::{Op, Sexps, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Time for one search in any case,
const LEAST: Duration = Duration::from_millis(300);
/// and the share of the time so far that it may take besides.
const SHARE: f64 = 0.1;
/// How often it is asked, each time for longer.
const MOST_TRIES: u32 = 4;
/// Locations of a program that it is tried on.
const MOST_LOCATIONS: usize = 60;
/// Terms of all steps.
const MOST_TERMS: usize = 20_000;
/// Facts that are taken from the answer for one location.
const MOST_FACTS: usize = 60;
/// Factors and bounds beyond this are of no use.
const LARGEST: i128 = 1 << 40;

impl Engine<'_> {
    /// Whether its guesses are this engine's business: with guards against overflow, if there
    /// are such, since bounds are found for them then.
    fn wants_spacer(&self) -> bool {
        let ends = &self.graph.functions[self.function.0 as usize].ends;
        let guards = ends.contains_key(&Outcome::Bail(BailKind::Overflow));
        self.options.uses(Technique::Spacer)
            && self.options.strategy.templates == Templates::Rich
            && self.query.is_none()
            && self.pools.spacer_tries < MOST_TRIES
            && (!guards || self.options.overflow != Overflow::Wrap)
    }

    /// Asks Spacer, unless it has given its answer.
    pub(crate) fn guess_by_spacer(&mut self) {
        if !self.wants_spacer() {
            return;
        }
        let Some(process) = self.options.horn.clone() else {
            return;
        };
        self.pools.spacer_tries += 1;
        let begin = Instant::now();
        let Some(clauses) = self.clauses() else {
            self.pools.spacer_tries = MOST_TRIES;
            return;
        };
        let limits = Limits {
            time: Some(LEAST + self.effort().mul_f64(SHARE)),
            clock: self.options.clock,
            interrupt: self.options.interrupt.clone(),
            ..Limits::default()
        };
        let answer = process.solve(&clauses.script(), &limits);
        let reply = match &answer {
            Ok(text) if text.lines().any(|line| line == "sat") => Reply::Sat,
            Ok(text) if text.lines().any(|line| line == "unsat") => Reply::Unsat,
            _ => Reply::Unknown,
        };
        self.tell(Event::Question {
            kind: Question::Horn,
            answer: reply,
            time: begin.elapsed(),
        });
        match answer {
            Ok(text) if reply == Reply::Sat => {
                for (loc, facts) in clauses.facts(&mut self.terms, &text) {
                    self.pools.offer(loc, facts);
                }
            }
            // It was not given enough time.
            Err(Reason::Time) => return,
            Err(Reason::Other(why)) => self.tell(Event::Absent(why)),
            _ => {}
        }
        self.pools.spacer_tries = MOST_TRIES;
    }

    /// The program as clauses; none if it is too large, or nothing of it is about numbers.
    fn clauses(&mut self) -> Option<Clauses> {
        let locations: Vec<Loc> = (0..self.graph.locations.len() as u32)
            .map(Loc)
            .filter(|loc| self.is_inner(*loc))
            .collect();
        if locations.len() > MOST_LOCATIONS {
            return None;
        }
        let mut variables: FxHashMap<Loc, Vec<Term>> = FxHashMap::default();
        for loc in &locations {
            let mut here = self.variables_at(*loc);
            here.retain(|v| self.terms.width(*v) > 1);
            variables.insert(*loc, here);
        }
        let mut clauses = Clauses {
            variables,
            text: String::new(),
        };
        let mut size = 0;
        for edge in self.graph.edges.clone() {
            let (src, dst) = (edge.src, edge.dst);
            let is_target = self.targets.contains(&dst);
            let known = src == Graph::ROOT || clauses.variables.contains_key(&src);
            if !known || !(is_target || clauses.variables.contains_key(&dst)) {
                continue;
            }
            let Some(step) = self.pre_of(src, dst, &[]) else {
                continue;
            };
            let after = clauses.variables.get(&dst).cloned().unwrap_or_default();
            let after: Vec<Term> = after
                .into_iter()
                .map(|variable| self.pre_of_one(src, dst, variable))
                .collect();
            let head = if is_target { None } else { Some(dst) };
            size += clauses.add(&self.terms, src, &step, head, &after);
            if size > MOST_TERMS {
                return None;
            }
        }
        Some(clauses)
    }
}

/// Horn clauses over the variables of locations.
struct Clauses {
    variables: FxHashMap<Loc, Vec<Term>>,
    text: String,
}

impl Clauses {
    /// Adds a step, to a target if there is no head; its size.
    fn add(
        &mut self,
        terms: &Terms,
        src: Loc,
        step: &[Term],
        head: Option<Loc>,
        after: &[Term],
    ) -> usize {
        let before = self.variables.get(&src).cloned().unwrap_or_default();
        let mut clause = Clause::new(terms, &before);
        let roots: Vec<Term> = step.iter().chain(after).copied().collect();
        let reachable = terms.reachable(&roots);
        for term in &reachable {
            clause.define(*term);
        }
        let mut body: Vec<String> = Vec::new();
        if src != Graph::ROOT {
            body.push(application(src, (0..before.len()).map(|i| format!("x{i}"))));
        }
        body.extend(step.iter().map(|term| clause.name(*term)));
        let head = match head {
            Some(dst) => application(dst, after.iter().map(|term| clause.name(*term))),
            None => "false".to_owned(),
        };
        let mut quantified = clause.quantified;
        quantified.extend((0..before.len()).map(|i| format!("(x{i} Int)")));
        let inner = format!("(=> (and true {}) {head})", body.join(" "));
        let lets: String = clause.lets.concat();
        let close = ")".repeat(clause.lets.len());
        let whole = format!("{lets}{inner}{close}");
        let _ = match quantified.is_empty() {
            true => writeln!(self.text, "(assert {whole})"),
            false => writeln!(
                self.text,
                "(assert (forall ({}) {whole}))",
                quantified.join(" ")
            ),
        };
        reachable.len()
    }

    fn script(&self) -> String {
        // Lemmas are generalised together; an old Z3 does not know this and says so.
        let mut out = String::from("(set-option :fp.spacer.global true)\n(set-logic HORN)\n");
        let mut locations: Vec<(&Loc, &Vec<Term>)> = self.variables.iter().collect();
        locations.sort();
        for (loc, variables) in locations {
            let sorts = vec!["Int"; variables.len()].join(" ");
            let _ = writeln!(out, "(declare-fun l{} ({sorts}) Bool)", loc.0);
        }
        out.push_str(&self.text);
        out.push_str("(check-sat)\n(get-model)\n");
        out
    }

    /// The facts of Spacer's answer for each location, as terms.
    fn facts(&self, terms: &mut Terms, answer: &str) -> Vec<(Loc, Vec<Term>)> {
        let Ok(sexps) = Sexps::read(answer) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let all = sexps.top().flat_map(|list| sexps.children(list));
        for definition in all.collect::<Vec<usize>>() {
            let parts: Vec<usize> = sexps.children(definition).collect();
            let [word, name, parameters, _, body] = parts[..] else {
                continue;
            };
            if sexps.atom(word) != Some("define-fun") {
                continue;
            }
            let number = sexps.text(name).strip_prefix('l');
            let Some(loc) = number.and_then(|n| n.parse().ok()).map(Loc) else {
                continue;
            };
            let Some(variables) = self.variables.get(&loc) else {
                continue;
            };
            let mut reader = Answer {
                sexps: &sexps,
                variables,
                values: FxHashMap::default(),
                atoms: Vec::new(),
            };
            for (i, parameter) in sexps.children(parameters).enumerate() {
                let Some(name) = sexps.children(parameter).next() else {
                    continue;
                };
                let name = sexps.text(name).to_owned();
                reader.values.insert(name, Meaning::Number(Linear::of(i)));
            }
            let mut facts = reader.conjuncts(terms, body, 0);
            for atom in std::mem::take(&mut reader.atoms) {
                facts.push(atom);
                facts.push(terms.not(atom));
            }
            let mut seen = FxHashSet::default();
            facts.retain(|fact| terms.bool_const(*fact).is_none() && seen.insert(*fact));
            facts.truncate(MOST_FACTS);
            if !facts.is_empty() {
                found.push((loc, facts));
            }
        }
        found
    }
}

/// `(l3 x0 x1)`.
fn application(loc: Loc, arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    match arguments.is_empty() {
        true => format!("l{}", loc.0),
        false => format!("(l{} {})", loc.0, arguments.join(" ")),
    }
}

/// One clause: its terms as integers and truth values.
struct Clause<'a> {
    terms: &'a Terms,
    names: FxHashMap<Term, String>,
    /// What is not known: inputs, and operations that are not linear.
    quantified: Vec<String>,
    /// `(let ((t7 (+ x0 1)) ` for each, in the order of use.
    lets: Vec<String>,
}

impl<'a> Clause<'a> {
    fn new(terms: &'a Terms, variables: &[Term]) -> Clause<'a> {
        let named = variables.iter().enumerate();
        Clause {
            terms,
            names: named.map(|(i, v)| (*v, format!("x{i}"))).collect(),
            quantified: Vec::new(),
            lets: Vec::new(),
        }
    }

    fn name(&self, term: Term) -> String {
        match self.names.get(&term) {
            Some(name) => name.clone(),
            None => "0".to_owned(),
        }
    }

    /// Names a term whose operands have names.
    fn define(&mut self, term: Term) {
        if self.names.contains_key(&term) {
            return;
        }
        let number = term.index();
        let name = match (self.meaning(term), self.terms.sort(term)) {
            (Some(text), _) if !text.starts_with('(') => text,
            (Some(text), _) => {
                self.lets.push(format!("(let ((t{number} {text})) "));
                format!("t{number}")
            }
            (None, Sort::Bool) => {
                self.quantified.push(format!("(b{number} Bool)"));
                format!("b{number}")
            }
            (None, _) => {
                self.quantified.push(format!("(h{number} Int)"));
                format!("h{number}")
            }
        };
        self.names.insert(term, name);
    }

    /// A term over the names of its operands; none if it is not linear.
    fn meaning(&self, term: Term) -> Option<String> {
        let args = self.terms.args(term);
        let names: Vec<String> = args.iter().map(|arg| self.name(*arg)).collect();
        let all = |word: &str| Some(format!("({word} {})", names.join(" ")));
        let constant = |i: usize| self.constant(args[i]);
        match self.terms.op(term) {
            Op::Bool(value) => Some(value.to_string()),
            Op::Const(_) => self.constant(term).map(numeral),
            Op::Not => all("not"),
            Op::And => all("and"),
            Op::Or => all("or"),
            Op::Xor => all("xor"),
            Op::Eq if matches!(self.terms.sort(args[0]), Sort::Float(_)) => None,
            Op::Eq if args.iter().any(|arg| self.is_cut(*arg)) => {
                let cut = args.iter().find(|arg| self.is_cut(**arg))?;
                let half = power(i128::from(self.terms.width(self.terms.arg(*cut, 0))) - 1)?;
                let name = self.name(*cut);
                Some(format!("(and (<= (- {half}) {name}) (< {name} {half}))"))
            }
            Op::Eq => all("="),
            Op::Ite if matches!(self.terms.sort(term), Sort::Float(_)) => None,
            Op::Ite => all("ite"),
            Op::BvNeg => all("-"),
            Op::Add => all("+"),
            Op::Sub => all("-"),
            Op::Mul if args.iter().any(|arg| self.constant(*arg).is_some()) => all("*"),
            // Both rounded towards zero in C; for numbers that are not below zero it is the same.
            Op::Sdiv | Op::Udiv if constant(1).is_some_and(|c| c > 0) => all("div"),
            Op::Srem | Op::Urem if constant(1).is_some_and(|c| c > 0) => all("mod"),
            Op::Shl => {
                let factor = power(constant(1)?)?;
                Some(format!("(* {} {factor})", names[0]))
            }
            Op::Lshr | Op::Ashr => {
                let factor = power(constant(1)?)?;
                Some(format!("(div {} {factor})", names[0]))
            }
            Op::BvAnd => {
                let mask = (0..2).find(|i| constant(*i).is_some_and(|c| c > 0 && c & (c + 1) == 0));
                let mask = mask?;
                let modulus = constant(mask)? + 1;
                Some(format!("(mod {} {modulus})", names[1 - mask]))
            }
            // Nothing wraps around, so the width does not matter.
            Op::ZeroExt { .. } | Op::SignExt { .. } => Some(names[0].clone()),
            Op::Extract { low: 0, high } if high > 6 => Some(names[0].clone()),
            Op::Ult => Some(self.unsigned("<", args)),
            Op::Ule => Some(self.unsigned("<=", args)),
            Op::Slt => all("<"),
            Op::Sle => all("<="),
            _ => None,
        }
    }

    /// Whether this is what arithmetic left after it was cut to its width: compared with what
    /// it would be if it were not, it says that nothing overflowed.
    fn is_cut(&self, term: Term) -> bool {
        let inner = |term: Term| self.terms.op(self.terms.arg(term, 0));
        matches!(self.terms.op(term), Op::SignExt { .. })
            && matches!(inner(term), Op::Add | Op::Sub | Op::Mul | Op::BvNeg)
    }

    /// A comparison of numbers that are not below zero.
    fn unsigned(&self, word: &str, args: &[Term]) -> String {
        let name = |arg: &Term| match self.terms.bv_const(*arg).map(|bv| bv.words().to_vec()) {
            Some(words) if words.len() == 1 => words[0].to_string(),
            _ => self.name(*arg),
        };
        format!("({word} {} {})", name(&args[0]), name(&args[1]))
    }

    fn constant(&self, term: Term) -> Option<i128> {
        self.terms.bv_const(term).and_then(|bv| bv.to_i128())
    }
}

fn power(shift: i128) -> Option<i128> {
    (0..62).contains(&shift).then(|| 1i128 << shift)
}

fn numeral(number: i128) -> String {
    match number < 0 {
        true => format!("(- {})", number.unsigned_abs()),
        false => number.to_string(),
    }
}

/// A sum of variables with factors, and a number.
#[derive(Clone, Default, PartialEq, Debug)]
struct Linear {
    factors: BTreeMap<usize, i128>,
    constant: i128,
}

impl Linear {
    fn of(variable: usize) -> Linear {
        Linear {
            factors: [(variable, 1)].into(),
            constant: 0,
        }
    }

    fn number(constant: i128) -> Linear {
        Linear {
            constant,
            ..Linear::default()
        }
    }

    /// This and a multiple of another, if nothing gets too large.
    fn plus(mut self, factor: i128, other: &Linear) -> Option<Linear> {
        for (variable, f) in &other.factors {
            *self.factors.entry(*variable).or_default() += f.checked_mul(factor)?;
        }
        self.constant += other.constant.checked_mul(factor)?;
        self.factors.retain(|_, f| *f != 0);
        let small = |n: &i128| n.abs() <= LARGEST;
        (self.factors.values().all(small) && small(&self.constant)).then_some(self)
    }

    /// That it is at most zero.
    fn at_most_zero(&self, terms: &mut Terms, variables: &[Term]) -> Term {
        if self.factors.is_empty() {
            return terms.bool(self.constant <= 0);
        }
        let columns: Vec<(i128, Column)> = self
            .factors
            .iter()
            .map(|(variable, factor)| (*factor, column(terms, variables[*variable])))
            .collect();
        let form: Vec<(i128, &Column)> = columns.iter().map(|(f, c)| (*f, c)).collect();
        at_most(terms, &form, -self.constant)
    }

    /// That it is zero: modulo the width where all have the same, so that wrap-around does
    /// not spoil it.
    fn is_zero(&self, terms: &mut Terms, variables: &[Term]) -> Term {
        let widths: FxHashSet<u32> = self
            .factors
            .keys()
            .map(|v| terms.width(variables[*v]))
            .collect();
        let (Some(width), 1) = (widths.iter().next().copied(), widths.len()) else {
            let below = self.at_most_zero(terms, variables);
            let negated = Linear::default().plus(-1, self).unwrap_or_default();
            let above = negated.at_most_zero(terms, variables);
            return terms.all(&[below, above]);
        };
        let sum = self.modulo(terms, variables, width);
        let zero = terms.bv_u128(width, 0);
        terms.eq(sum, zero)
    }

    /// It, cut to a width.
    fn modulo(&self, terms: &mut Terms, variables: &[Term], width: u32) -> Term {
        let mut sum = terms.bv_i128(width, self.constant);
        for (variable, factor) in &self.factors {
            let value = terms.sext(variables[*variable], width);
            let factor = terms.bv_i128(width, *factor);
            let part = terms.mul(factor, value);
            sum = terms.add(sum, part);
        }
        sum
    }
}

fn column(terms: &Terms, term: Term) -> Column {
    Column {
        term,
        width: terms.width(term),
        is_object: false,
        varies: false,
        values: Vec::new(),
    }
}

/// What a part of the answer means.
#[derive(Clone)]
enum Meaning {
    Number(Linear),
    /// The rest of a division by a power of two: so many bits.
    LowBits(Linear, u32),
    Truth(Term),
}

/// Nesting of an answer that is still read.
const DEEPEST: u32 = 200;

/// Reads the invariant of one location.
struct Answer<'a> {
    sexps: &'a Sexps<'a>,
    variables: &'a [Term],
    /// Parameters, and names that `let` gives.
    values: FxHashMap<String, Meaning>,
    /// Comparisons that were met.
    atoms: Vec<Term>,
}

impl Answer<'_> {
    /// The parts of a conjunction that can be read.
    fn conjuncts(&mut self, terms: &mut Terms, node: usize, depth: u32) -> Vec<Term> {
        let parts: Vec<usize> = self.sexps.children(node).collect();
        let word = parts.first().and_then(|first| self.sexps.atom(*first));
        match word {
            Some("and") if depth < DEEPEST => {
                let parts = parts[1..].iter();
                let facts = parts.map(|part| self.conjuncts(terms, *part, depth + 1));
                facts.collect::<Vec<_>>().concat()
            }
            Some("let") if depth < DEEPEST && parts.len() == 3 => {
                self.bind(terms, parts[1], depth);
                self.conjuncts(terms, parts[2], depth + 1)
            }
            _ => match self.read(terms, node, depth) {
                Some(Meaning::Truth(fact)) => vec![fact],
                _ => Vec::new(),
            },
        }
    }

    fn bind(&mut self, terms: &mut Terms, bindings: usize, depth: u32) {
        let bindings: Vec<usize> = self.sexps.children(bindings).collect();
        for binding in bindings {
            let pair: Vec<usize> = self.sexps.children(binding).collect();
            if let [name, value] = pair[..]
                && let Some(meaning) = self.read(terms, value, depth + 1)
            {
                let name = self.sexps.text(name).to_owned();
                self.values.insert(name, meaning);
            }
        }
    }

    fn read(&mut self, terms: &mut Terms, node: usize, depth: u32) -> Option<Meaning> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(word) = self.sexps.atom(node) {
            return match word {
                "true" | "false" => Some(Meaning::Truth(terms.bool(word == "true"))),
                _ => match word.parse() {
                    Ok(number) => Some(Meaning::Number(Linear::number(number))),
                    Err(_) => self.values.get(word).cloned(),
                },
            };
        }
        let parts: Vec<usize> = self.sexps.children(node).collect();
        let word = self.sexps.atom(*parts.first()?)?;
        if word == "let" {
            self.bind(terms, *parts.get(1)?, depth);
            return self.read(terms, *parts.get(2)?, depth + 1);
        }
        let mut operands = Vec::with_capacity(parts.len());
        for part in &parts[1..] {
            operands.push(self.read(terms, *part, depth + 1)?);
        }
        match word {
            "and" | "or" | "not" | "=>" => {
                let mut truths = Vec::with_capacity(operands.len());
                for operand in operands {
                    let Meaning::Truth(truth) = operand else {
                        return None;
                    };
                    truths.push(truth);
                }
                Some(Meaning::Truth(match word {
                    "and" => terms.all(&truths),
                    "or" => terms.any(&truths),
                    "not" => terms.not(*truths.first()?),
                    _ => {
                        let last = truths.pop()?;
                        let mut any: Vec<Term> = truths.iter().map(|t| terms.not(*t)).collect();
                        any.push(last);
                        terms.any(&any)
                    }
                }))
            }
            "+" | "-" | "*" => self.arithmetic(word, &operands).map(Meaning::Number),
            "mod" => match &operands[..] {
                [Meaning::Number(sum), Meaning::Number(by)] if by.factors.is_empty() => {
                    let bits = by.constant.trailing_zeros();
                    let is_power = by.constant == 1i128 << bits.min(62);
                    is_power.then(|| Meaning::LowBits(sum.clone(), bits))
                }
                _ => None,
            },
            "=" | "<=" | ">=" | "<" | ">" => {
                let atom = self.comparison(terms, word, &operands)?;
                if word != "=" || terms.bool_const(atom).is_none() {
                    self.atoms.push(atom);
                }
                Some(Meaning::Truth(atom))
            }
            _ => None,
        }
    }

    fn arithmetic(&self, word: &str, operands: &[Meaning]) -> Option<Linear> {
        let mut sums = Vec::with_capacity(operands.len());
        for operand in operands {
            let Meaning::Number(sum) = operand else {
                return None;
            };
            sums.push(sum);
        }
        match (word, &sums[..]) {
            ("-", [one]) => Linear::default().plus(-1, one),
            ("*", [a, b]) if a.factors.is_empty() => Linear::default().plus(a.constant, b),
            ("*", [a, b]) if b.factors.is_empty() => Linear::default().plus(b.constant, a),
            ("*", _) => None,
            (_, [first, rest @ ..]) => {
                let factor = if word == "-" { -1 } else { 1 };
                let mut sum = (*first).clone();
                for other in rest {
                    sum = sum.plus(factor, other)?;
                }
                Some(sum)
            }
            _ => None,
        }
    }

    fn comparison(&self, terms: &mut Terms, word: &str, operands: &[Meaning]) -> Option<Term> {
        match operands {
            [Meaning::Truth(a), Meaning::Truth(b)] if word == "=" => Some(terms.eq(*a, *b)),
            [Meaning::LowBits(sum, bits), Meaning::Number(rest)]
            | [Meaning::Number(rest), Meaning::LowBits(sum, bits)]
                if word == "=" && rest.factors.is_empty() && *bits > 0 =>
            {
                let narrow = sum.factors.keys();
                let fits = narrow
                    .map(|v| terms.width(self.variables[*v]))
                    .all(|width| width >= *bits);
                fits.then(|| {
                    let low = sum.modulo(terms, self.variables, *bits);
                    let rest = terms.bv_i128(*bits, rest.constant);
                    terms.eq(low, rest)
                })
            }
            [Meaning::Number(a), Meaning::Number(b)] => {
                let (first, second, strict) = match word {
                    "<=" => (a, b, 0),
                    "<" => (a, b, 1),
                    ">=" => (b, a, 0),
                    ">" => (b, a, 1),
                    _ => {
                        let difference = a.clone().plus(-1, b)?;
                        return Some(difference.is_zero(terms, self.variables));
                    }
                };
                let difference = first.clone().plus(-1, second)?;
                let difference = difference.plus(1, &Linear::number(strict))?;
                Some(difference.at_most_zero(terms, self.variables))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_term::SymbolKind;

    fn read(answer: &str) -> Vec<String> {
        let mut terms = Terms::new();
        let mut variable = |name| terms.var(name, Sort::BitVec(32), SymbolKind::Register);
        let variables = vec![variable("i"), variable("n")];
        let clauses = Clauses {
            variables: [(Loc(3), variables)].into_iter().collect(),
            text: String::new(),
        };
        let found = clauses.facts(&mut terms, answer);
        let facts = found.iter().flat_map(|(_, facts)| facts);
        facts.map(|fact| terms.to_c(*fact)).collect()
    }

    #[test]
    fn parts_of_an_answer_become_facts() {
        let facts = read(
            "sat\n(\n(define-fun l3 ((x!0 Int) (x!1 Int)) Bool
                (and (<= (+ x!0 (* (- 1) x!1)) 0) (not (<= x!0 (- 1)))
                     (exists ((z Int)) (= x!0 (* 2 z)))))\n)",
        );
        // The two conjuncts, and each comparison and its opposite.
        assert!(facts.len() >= 4, "{facts:?}");
        assert!(
            facts.iter().any(|f| f.contains('i') && f.contains('n')),
            "{facts:?}"
        );
        assert!(facts.iter().all(|f| !f.contains('z')), "{facts:?}");
    }

    #[test]
    fn bindings_and_low_bits_are_read() {
        let facts = read(
            "sat\n((define-fun l3 ((a Int) (b Int)) Bool
                (let ((s (+ a b))) (and (= (mod s 2) 1) (or (>= s 3) (= a b))))))",
        );
        assert!(facts.len() >= 4, "{facts:?}");
    }

    #[test]
    fn what_is_no_answer_gives_nothing() {
        for text in [
            "",
            "sat",
            "sat (",
            "unknown",
            "(error \"x\")",
            "((define-fun l9 () Bool true))",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn sums_stay_small() {
        let large = Linear::number(LARGEST);
        assert_eq!(large.clone().plus(1, &large), None);
        let x = Linear::of(0);
        assert_eq!(x.clone().plus(-1, &x), Some(Linear::default()));
    }
}
