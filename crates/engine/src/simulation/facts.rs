//! Merged states as formulas.

use super::merged::{Merged, Merger, Simulation};
use crate::core::Core;
use crate::simulation::tracked::Followed;
use attest_term::{Sort, Term};

/// That the state is among those that are known.
pub(super) fn formula(core: &mut Core<'_>, simulation: &mut Simulation) -> Term {
    let mut any = Vec::with_capacity(simulation.states.len());
    for state in simulation.states.values_mut() {
        any.push(fact(core, &simulation.followed, state));
    }
    core.terms.any(&any)
}

/// That the state is one of these.
pub(super) fn fact(core: &mut Core<'_>, followed: &[Followed], state: &mut Merger) -> Term {
    if let Some(fact) = state.fact {
        return fact;
    }
    let mut all = Vec::new();
    for (followed, merged) in followed.iter().zip(&state.known) {
        all.extend(known_fact(core, followed.term, merged));
    }
    let fact = core.terms.all(&all);
    state.fact = Some(fact);
    fact
}

/// That this is known of something.
pub(super) fn known_fact(core: &mut Core<'_>, term: Term, merged: &Merged) -> Option<Term> {
    match merged {
        Merged::Few(values) => {
            let mut is = Vec::with_capacity(values.len());
            for value in values {
                let value = core.terms.value(value.clone());
                is.push(core.terms.eq(term, value));
            }
            Some(core.terms.any(&is))
        }
        Merged::NotZero => {
            let Sort::BitVec(width) = core.terms.sort(term) else {
                return None;
            };
            let zero = core.terms.bv_u128(width, 0);
            Some(core.terms.ne(term, zero))
        }
        Merged::Any => None,
    }
}
