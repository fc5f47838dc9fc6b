//! Conjunctions and disjunctions as lists of their parts.

use crate::core::Core;
use attest_term::{Op, Term};

/// The parts of a conjunction.
pub(crate) fn conjuncts(core: &mut Core<'_>, of: &[Term]) -> Vec<Term> {
    let mut out = Vec::new();
    let mut work: Vec<Term> = of.iter().rev().copied().collect();
    while let Some(term) = work.pop() {
        let inner = match core.terms.op(term) {
            Op::Not => Some(core.terms.arg(term, 0)),
            _ => None,
        };
        match (core.terms.op(term), inner.map(|t| core.terms.op(t))) {
            (Op::And, _) => work.extend(core.terms.args(term).iter().rev()),
            (_, Some(Op::Or)) => {
                let parts = inner.map_or(Vec::new(), |t| core.terms.args(t).to_vec());
                for part in parts.into_iter().rev() {
                    work.push(core.terms.not(part));
                }
            }
            (Op::Bool(true), _) => {}
            _ if out.contains(&term) => {}
            _ => out.push(term),
        }
    }
    out
}

pub(crate) fn disjuncts(core: &mut Core<'_>, piece: Term) -> Vec<Term> {
    match core.terms.op(piece) {
        Op::Or => core.terms.args(piece).to_vec(),
        Op::Not => {
            let inner = core.terms.arg(piece, 0);
            match core.terms.op(inner) {
                Op::And => {
                    let parts = core.terms.args(inner).to_vec();
                    parts.into_iter().map(|p| core.terms.not(p)).collect()
                }
                _ => vec![piece],
            }
        }
        _ => vec![piece],
    }
}
