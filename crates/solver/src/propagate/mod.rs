//! Equality propagation: contradictions that need no search.
//!
//! A chain of equalities and bounds refutes many of the engine's checks: `x = 3, x = y, y > 7`. The
//! conjunction is split into literals; equal terms are joined (union-find), and each class collects
//! the constant it equals and the unsigned and signed interval it lies in. Terms with known
//! operands are evaluated, which may give more. A contradiction is two constants in a class, an
//! empty interval, a constant outside its interval, two terms that differ in one class, or a
//! literal that evaluates to its opposite. Where numbers are multiplied or divided, bounds of operands
//! also give bounds of results (`ranges`), which a SAT solver finds hard to see.
//!
//! Every derived fact carries the set of assumptions it comes from, so the core is available. Each
//! step is an inference valid in every state, so a contradiction found here is one. If none is
//! found, nothing is known.

mod ranges;

use attest_term::{Bv, Op, Sort, Term, Terms, Value};
use ranges::Range;
use rustc_hash::FxHashMap;

use crate::solver::Core;

/// Conjunctions with more terms are left to the solver.
const MOST_TERMS: usize = 3_000;
/// Rounds of evaluation; each uses the results of the previous one.
const ROUNDS: usize = 3;

/// The assumptions from which something was derived, ascending; facts need none.
type From = Vec<u32>;

fn joined(a: &From, b: &From) -> From {
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// A core, if propagation alone shows that facts and assumptions exclude each other.
pub(crate) fn contradiction(terms: &Terms, facts: &[Term], assumptions: &[Term]) -> Option<Core> {
    let all = [facts, assumptions].concat();
    let reachable = terms.reachable(&all);
    if reachable.len() > MOST_TERMS {
        return None;
    }
    let mut state = State::new(terms);
    state.ranges = reachable.iter().any(|term| is_hard(terms, *term));
    let run = || -> Result<(), From> {
        for (i, &root) in all.iter().enumerate() {
            let from = i.checked_sub(facts.len()).map(|i| i as u32);
            state.hold(root, true, from.into_iter().collect())?;
        }
        for _ in 0..ROUNDS {
            if !state.evaluate(&reachable)? {
                break;
            }
        }
        Ok(())
    };
    let from = { run }().err()?;
    Some(from.into_iter().map(|i| assumptions[i as usize]).collect())
}

/// Whether a term is a product or a quotient of two unknown numbers.
fn is_hard(terms: &Terms, term: Term) -> bool {
    let is_hard = |op| matches!(op, Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem);
    let args = terms.args(term);
    is_hard(terms.op(term)) && args.iter().all(|arg| terms.constant(*arg).is_none())
}

struct Class {
    value: Option<(Value, From)>,
    /// Least and greatest value, unsigned; then signed.
    bounds: [Option<(Bv, From)>; 4],
    members: Vec<Term>,
    differs: Vec<(Term, From)>,
}

struct State<'a> {
    terms: &'a Terms,
    /// A term's class, and why it is in the class with the class's first member.
    class_of: FxHashMap<Term, (usize, From)>,
    classes: Vec<Class>,
    /// Bounds of operands are to give bounds of results.
    ranges: bool,
    changed: bool,
}

/// Nothing, or the assumptions that exclude each other.
type Step = Result<(), From>;

impl<'a> State<'a> {
    fn new(terms: &'a Terms) -> State<'a> {
        State {
            terms,
            class_of: FxHashMap::default(),
            classes: Vec::new(),
            ranges: false,
            changed: false,
        }
    }

    fn class(&mut self, term: Term) -> (usize, From) {
        if let Some(found) = self.class_of.get(&term) {
            return found.clone();
        }
        let class = self.classes.len();
        self.classes.push(Class {
            value: self.terms.constant(term).map(|value| (value, vec![])),
            bounds: [const { None }; 4],
            members: vec![term],
            differs: vec![],
        });
        self.class_of.insert(term, (class, vec![]));
        (class, vec![])
    }

    /// The value that a term is known to have, and why.
    fn value(&mut self, term: Term) -> Option<(Value, From)> {
        if let Some(value) = self.terms.constant(term) {
            return Some((value, vec![]));
        }
        let (class, from) = self.class_of.get(&term)?;
        let (value, why) = self.classes[*class].value.as_ref()?;
        Some((value.clone(), joined(from, why)))
    }

    /// Assumes that a boolean term has this truth value.
    fn hold(&mut self, root: Term, truth: bool, from: From) -> Step {
        let mut stack = vec![(root, truth)];
        while let Some((term, truth)) = stack.pop() {
            let args = self.terms.args(term);
            match (self.terms.op(term), truth) {
                (Op::Not, _) => stack.push((args[0], !truth)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(args.iter().map(|&arg| (arg, truth)));
                    self.know(term, Value::Bool(truth), &from)?;
                }
                (op, _) => {
                    self.know(term, Value::Bool(truth), &from)?;
                    let &[a, b] = args else { continue };
                    match (op, truth) {
                        (Op::Eq, true) => self.unite(a, b, &from)?,
                        (Op::Eq, false) if self.terms.sort(a) != Sort::Bool => {
                            self.differ(a, b, &from)?;
                        }
                        (Op::Ult, true) => self.below(a, b, 0, true, &from)?,
                        (Op::Ult, false) => self.below(b, a, 0, false, &from)?,
                        (Op::Ule, true) => self.below(a, b, 0, false, &from)?,
                        (Op::Ule, false) => self.below(b, a, 0, true, &from)?,
                        (Op::Slt, true) => self.below(a, b, 2, true, &from)?,
                        (Op::Slt, false) => self.below(b, a, 2, false, &from)?,
                        (Op::Sle, true) => self.below(a, b, 2, false, &from)?,
                        (Op::Sle, false) => self.below(b, a, 2, true, &from)?,
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn know(&mut self, term: Term, value: Value, from: &From) -> Step {
        let (class, why) = self.class(term);
        let from = joined(&why, from);
        match &self.classes[class].value {
            Some((known, _)) if *known == value => Ok(()),
            Some((_, why)) => Err(joined(why, &from)),
            None => {
                self.classes[class].value = Some((value, from));
                self.changed = true;
                self.consistent(class)
            }
        }
    }

    fn unite(&mut self, a: Term, b: Term, from: &From) -> Step {
        let ((class_a, why_a), (class_b, why_b)) = (self.class(a), self.class(b));
        if class_a == class_b {
            return Ok(());
        }
        // The smaller class joins the larger one.
        let (into, out) =
            match self.classes[class_a].members.len() < self.classes[class_b].members.len() {
                true => (class_b, class_a),
                false => (class_a, class_b),
            };
        self.changed = true;
        // From the first member of one class through a and b to that of the other.
        let link = joined(&joined(&why_a, &why_b), from);
        let empty = Class {
            value: None,
            bounds: [const { None }; 4],
            members: vec![],
            differs: vec![],
        };
        let old = std::mem::replace(&mut self.classes[out], empty);
        for member in old.members {
            if let Some((class, why)) = self.class_of.get_mut(&member) {
                (*class, *why) = (into, joined(why, &link));
            }
            self.classes[into].members.push(member);
        }
        for (other, why) in old.differs {
            self.classes[into]
                .differs
                .push((other, joined(&why, &link)));
        }
        for (which, bound) in old.bounds.into_iter().enumerate() {
            if let Some((bound, why)) = bound {
                self.bound(into, which, bound, joined(&why, &link))?;
            }
        }
        if let Some((value, why)) = old.value {
            let why = joined(&why, &link);
            match &self.classes[into].value {
                Some((known, _)) if *known == value => {}
                Some((_, known)) => return Err(joined(known, &why)),
                None => self.classes[into].value = Some((value, why)),
            }
        }
        self.consistent(into)
    }

    fn differ(&mut self, a: Term, b: Term, from: &From) -> Step {
        let ((class_a, why_a), (class_b, why_b)) = (self.class(a), self.class(b));
        self.classes[class_a]
            .differs
            .push((b, joined(&why_a, from)));
        self.classes[class_b]
            .differs
            .push((a, joined(&why_b, from)));
        self.consistent(class_a)
    }

    /// Derives from `a < b` or `a <= b`, unsigned (0) or signed (2), where one side is bounded.
    fn below(&mut self, a: Term, b: Term, kind: usize, strict: bool, from: &From) -> Step {
        if let Some((Value::Bv(b), why)) = self.value(b) {
            let (least, one) = (
                if kind == 0 {
                    Bv::zero(b.width())
                } else {
                    Bv::signed_min(b.width())
                },
                Bv::one(b.width()),
            );
            let why = joined(&why, from);
            if strict && b == least {
                return Err(why);
            }
            let bound = if strict { b.sub(&one) } else { b };
            let (class, link) = self.class(a);
            self.bound(class, kind + 1, bound, joined(&why, &link))?;
            self.consistent(class)?;
        }
        if let Some((Value::Bv(a), why)) = self.value(a) {
            let (greatest, one) = (
                if kind == 0 {
                    Bv::ones(a.width())
                } else {
                    Bv::signed_max(a.width())
                },
                Bv::one(a.width()),
            );
            let why = joined(&why, from);
            if strict && a == greatest {
                return Err(why);
            }
            let bound = if strict { a.add(&one) } else { a };
            let (class, link) = self.class(b);
            self.bound(class, kind, bound, joined(&why, &link))?;
            self.consistent(class)?;
        }
        if strict && a == b {
            return Err(from.clone());
        }
        Ok(())
    }

    /// What the values of a term are known to be between, and why.
    fn range(&self, term: Term) -> Option<(Range, From)> {
        if let Some(value) = self.terms.constant(term) {
            let Value::Bv(value) = value else { return None };
            return Some((Range::of(&value)?, vec![]));
        }
        let Sort::BitVec(width) = self.terms.sort(term) else {
            return None;
        };
        let all = Range::all(width)?;
        let Some((class, link)) = self.class_of.get(&term) else {
            return Some((all, vec![]));
        };
        let class = &self.classes[*class];
        if let Some((Value::Bv(value), why)) = &class.value {
            return Some((Range::of(value)?, joined(link, why)));
        }
        let bounds = [0, 1, 2, 3].map(|which| class.bounds[which].as_ref().map(|(bound, _)| bound));
        let known = class.bounds.iter().flatten();
        let from = known.fold(link.clone(), |from, (_, why)| joined(&from, why));
        Some((all.within(bounds).ok()?, from))
    }

    /// Derives bounds of a number from those of its operands, and the outcome of a comparison.
    fn derive(&mut self, term: Term) -> Step {
        let op = self.terms.op(term);
        let args = match (op, self.terms.args(term)) {
            // Whatever the condition is.
            (Op::Ite, &[_, t, e]) => &[t, e],
            (_, args) => args,
        };
        if self.terms.sort(term) == Sort::Bool && args.len() != 2 || args.len() > 2 {
            return Ok(());
        }
        let mut ranges = Vec::with_capacity(2);
        let mut from = vec![];
        for &arg in args {
            let Some((range, why)) = self.range(arg) else {
                return Ok(());
            };
            from = joined(&from, &why);
            ranges.push(range);
        }
        let range = match (op, self.terms.sort(term), &ranges[..]) {
            (Op::Ite, _, [a, b]) => Some(a.either(b)),
            (_, Sort::Bool, [a, b]) => {
                return match Range::compare(op, a, b) {
                    Some(truth) => self.know(term, Value::Bool(truth), &from),
                    None => Ok(()),
                };
            }
            (_, Sort::BitVec(width), ranges) => Range::apply(op, width, ranges),
            _ => None,
        };
        let Some(range) = range else { return Ok(()) };
        let (class, link) = self.class(term);
        for (which, bound) in range.bounds().into_iter().enumerate() {
            if let Some(bound) = bound {
                self.bound(class, which, bound, joined(&from, &link))?;
            }
        }
        self.consistent(class)
    }

    /// Keeps the tighter of two bounds; an empty interval is a contradiction.
    fn bound(&mut self, class: usize, which: usize, bound: Bv, from: From) -> Step {
        let less = |a: &Bv, b: &Bv| if which < 2 { a.ult(b) } else { a.slt(b) };
        let lower = which.is_multiple_of(2);
        let bounds = &mut self.classes[class].bounds;
        if let Some((other, why)) = &bounds[which ^ 1] {
            let empty = if lower {
                less(other, &bound)
            } else {
                less(&bound, other)
            };
            if empty {
                return Err(joined(why, &from));
            }
        }
        let tighter = match &bounds[which] {
            None => true,
            Some((old, _)) => {
                if lower {
                    less(old, &bound)
                } else {
                    less(&bound, old)
                }
            }
        };
        if tighter {
            bounds[which] = Some((bound, from));
            self.changed = true;
        }
        Ok(())
    }

    /// Checks that the class's constant is within its bounds, and that no term that differs from
    /// the class is in it or has the same constant.
    fn consistent(&mut self, class: usize) -> Step {
        if let Some((Value::Bv(value), why)) = &self.classes[class].value {
            for (which, bound) in self.classes[class].bounds.iter().enumerate() {
                let Some((bound, from)) = bound else { continue };
                let (a, b) = if which.is_multiple_of(2) {
                    (value, bound)
                } else {
                    (bound, value)
                };
                if if which < 2 { a.ult(b) } else { a.slt(b) } {
                    return Err(joined(why, from));
                }
            }
        }
        for i in 0..self.classes[class].differs.len() {
            let (other, from) = self.classes[class].differs[i].clone();
            if let Some((there, why)) = self.class_of.get(&other)
                && *there == class
            {
                return Err(joined(why, &from));
            }
            if let (Some((mine, why)), Some((others, other_why))) =
                (self.classes[class].value.clone(), self.value(other))
                && mine == others
            {
                return Err(joined(&joined(&why, &other_why), &from));
            }
        }
        Ok(())
    }

    /// Evaluates terms with known operands; returns whether anything is new.
    fn evaluate(&mut self, reachable: &[Term]) -> Result<bool, From> {
        self.changed = false;
        for &term in reachable {
            let args = self.terms.args(term);
            if args.is_empty() {
                continue;
            }
            if let (Op::Ite, &[c, t, e]) = (self.terms.op(term), args) {
                if let Some((Value::Bool(c), why)) = self.value(c) {
                    self.unite(term, if c { t } else { e }, &why)?;
                }
                if self.ranges {
                    self.derive(term)?;
                }
                continue;
            }
            let mut values = Vec::with_capacity(args.len());
            let mut from = vec![];
            for &arg in args {
                let Some((value, why)) = self.value(arg) else {
                    break;
                };
                from = joined(&from, &why);
                values.push(value);
            }
            if values.len() < args.len() {
                // A known truth value may still imply more, as `x < y` once y is known.
                if let (Sort::Bool, Some((Value::Bool(truth), why))) =
                    (self.terms.sort(term), self.value(term))
                {
                    self.hold(term, truth, why)?;
                }
                if self.ranges {
                    self.derive(term)?;
                }
                continue;
            }
            let values: Vec<&Value> = values.iter().collect();
            if let Some(value) = self.terms.op(term).apply(&values) {
                self.know(term, value, &from)?;
            }
        }
        Ok(self.changed)
    }
}
