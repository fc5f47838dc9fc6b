//! Runs that must be among the executions.
//!
//! A proof by unwinding names inputs on which the interpreter saw the program end normally. Here
//! the executions that were unwound are evaluated on these inputs: the program must end on them
//! here too, after as many inputs. So the semantics of the interpreter and that of the checker,
//! which share nothing, are compared on the program itself, and an encoding that loses paths is
//! found out. It also shows that the proof is not vacuous.

use super::run::Run;
use crate::encode::Definition;
use crate::state::Value as Scalar;
use attest_model::InputKind;
use attest_term::{Bv, Op, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// The values of terms on the inputs of one run.
struct Evaluation<'a> {
    terms: &'a Terms,
    /// What the names of joins stand for.
    definitions: &'a FxHashMap<Term, Term>,
    known: FxHashMap<Term, Value>,
}

impl Evaluation<'_> {
    /// The value of a term. What neither the program nor the run says is zero.
    fn value(&mut self, root: Term) -> Value {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.known.contains_key(&term) {
                work.pop();
                continue;
            }
            let equation = self.definitions.get(&term);
            // A name and what it stands for are the two sides of its equation.
            let parts = match equation {
                Some(equation) => self.terms.args(*equation),
                None => self.terms.args(term),
            };
            let open = parts
                .iter()
                .filter(|p| **p != term && !self.known.contains_key(p));
            let open: Vec<Term> = open.copied().collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            let value = match equation {
                Some(_) => {
                    let meaning = parts.iter().find(|part| **part != term);
                    meaning.and_then(|part| self.known.get(part)).cloned()
                }
                None => self.operation(term),
            };
            let value = value.unwrap_or_else(|| Value::zero(self.terms.sort(term)));
            self.known.insert(term, value);
        }
        self.known[&root].clone()
    }

    fn operation(&self, term: Term) -> Option<Value> {
        if let Some(constant) = self.terms.constant(term) {
            return Some(constant);
        }
        let args = self.terms.args(term);
        let values: Vec<&Value> = args.iter().filter_map(|arg| self.known.get(arg)).collect();
        match self.terms.op(term) {
            Op::Var(_) => None,
            // Some address, the same for an object wherever it is asked for.
            Op::Base { width } => {
                let object = values[0].low_u64();
                Some(Value::bv(width, u128::from(object) << 20))
            }
            op if op.is_read() => None,
            Op::Ite => {
                let chosen = usize::from(!values[0].as_bool()?);
                values.get(1 + chosen).copied().cloned()
            }
            op => op.apply(&values),
        }
    }
}

/// Why a run is not among the executions, if it is not.
pub fn missing(
    terms: &Terms,
    definitions: &[Definition],
    run: &Run,
    ends: &[Term],
    inputs: &[i128],
) -> Option<String> {
    let definitions = definitions.iter().map(|d| (d.name, d.equation)).collect();
    let mut evaluation = Evaluation {
        terms,
        definitions: &definitions,
        known: FxHashMap::default(),
    };
    let mut next = inputs.iter();
    for (path, value, kind) in &run.inputs {
        let listed = matches!(
            kind,
            InputKind::Nondet(_) | InputKind::Result(_) | InputKind::Argument(_)
        );
        if !listed || evaluation.value(*path).as_bool() != Some(true) {
            continue;
        }
        let Some(given) = next.next() else {
            return Some("it takes more inputs".into());
        };
        let symbol = match value {
            Scalar::One(term) => *term,
            Scalar::Ptr(p) => p.offset,
        };
        let Some(width) = terms.sort(symbol).width() else {
            // A float: runs do not say these.
            return None;
        };
        let number = Bv::new(width, *given as u128);
        evaluation.known.insert(symbol, Value::Bv(number));
    }
    if next.next().is_some() {
        return Some("it takes fewer inputs".into());
    }
    let ended = ends
        .iter()
        .filter(|end| evaluation.value(**end).as_bool() == Some(true));
    match ended.count() {
        0 => Some("it does not end".into()),
        1 => None,
        _ => Some("it ends twice".into()),
    }
}
