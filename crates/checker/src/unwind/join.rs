//! Where paths of a run come together.
//!
//! Two paths that differ in one decision have together the path before it, so conditions stay as
//! short as the program is nested. Other paths get a name for their disjunction.

use crate::encode::{Definition, Encoder, Flow};
use attest_model::Reg;
use attest_term::{Op, Sort, SymbolKind, Term, Terms};

/// The conjuncts of a path, in order.
fn conjuncts(terms: &Terms, path: Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut work = vec![path];
    while let Some(term) = work.pop() {
        match terms.op(term) {
            Op::And => work.extend(terms.args(term)),
            Op::Bool(true) => {}
            _ => out.push(term),
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// What two paths have in common, and what each has besides.
struct Parts {
    common: Vec<Term>,
    mine: Vec<Term>,
    theirs: Vec<Term>,
}

fn parts(terms: &Terms, mine: Term, theirs: Term) -> Parts {
    let (a, b) = (conjuncts(terms, mine), conjuncts(terms, theirs));
    let (common, mine) = a.into_iter().partition(|c| b.binary_search(c).is_ok());
    let common: Vec<Term> = common;
    let theirs = b
        .into_iter()
        .filter(|c| common.binary_search(c).is_err())
        .collect();
    Parts {
        common,
        mine,
        theirs,
    }
}

/// Brings paths together at a place where these registers may still be read. The paths exclude each
/// other.
pub fn join(encoder: &mut Encoder<'_>, mut flows: Vec<Flow>, live: &[Reg]) -> Option<Flow> {
    flows.retain(|flow| encoder.terms.bool_const(flow.path) != Some(false));
    let mut joined = flows.pop()?;
    // The latest paths are the longest.
    while let Some(flow) = closest(encoder.terms, &joined, &mut flows) {
        joined = two(encoder, joined, flow, live);
    }
    Some(joined)
}

/// The next path to join: one that differs in one decision, if there is one.
fn closest(terms: &mut Terms, joined: &Flow, flows: &mut Vec<Flow>) -> Option<Flow> {
    let opposite = |terms: &mut Terms, flow: &Flow| {
        let parts = parts(terms, joined.path, flow.path);
        match (&parts.mine[..], &parts.theirs[..]) {
            (&[a], &[b]) => terms.not(a) == b,
            (a, b) => a.is_empty() || b.is_empty(),
        }
    };
    let at = (0..flows.len())
        .rev()
        .find(|at| opposite(terms, &flows[*at]));
    match at {
        Some(at) => Some(flows.remove(at)),
        None => flows.pop(),
    }
}

/// Brings two paths together.
fn two(encoder: &mut Encoder<'_>, mut mine: Flow, theirs: Flow, live: &[Reg]) -> Flow {
    let terms = &mut *encoder.terms;
    let Parts {
        common,
        mine: a,
        theirs: b,
    } = parts(terms, mine.path, theirs.path);
    let (of_mine, of_theirs) = (terms.all(&a), terms.all(&b));
    let either = terms.any(&[of_mine, of_theirs]);
    let path = match terms.bool_const(either) {
        Some(_) => either,
        None => {
            let name = terms.declare_fresh("at", Sort::Bool, SymbolKind::Plain);
            let name = terms.symbol_term(name);
            let equation = terms.eq(name, either);
            encoder.definitions.push(Definition { name, equation });
            name
        }
    };
    let terms = &mut *encoder.terms;
    let mut all = common;
    all.push(path);
    let path = terms.all(&all);
    // A decision is taken by the shorter condition.
    let (here, swap) = match a.len() <= b.len() {
        true => (of_mine, false),
        false => (of_theirs, true),
    };
    let choose = |terms: &mut Terms, a, b| match swap {
        false => terms.ite(here, a, b),
        true => terms.ite(here, b, a),
    };
    let regs = live.iter().map(|reg| reg.0 as usize);
    for at in regs {
        let (x, y) = (mine.state.regs[at], theirs.state.regs[at]);
        if x != y {
            mine.state.regs[at] = match swap {
                false => x.choose(terms, here, y),
                true => y.choose(terms, here, x),
            };
        }
    }
    for (x, y) in mine.state.globals.iter_mut().zip(&theirs.state.globals) {
        if x != y {
            *x = match swap {
                false => x.choose(terms, here, *y),
                true => y.choose(terms, here, *x),
            };
        }
    }
    if mine.state.counter != theirs.state.counter {
        let counters = (mine.state.counter, theirs.state.counter);
        mine.state.counter = choose(terms, counters.0, counters.1);
    }
    let versions = match swap {
        false => vec![(here, mine.memory), (of_theirs, theirs.memory)],
        true => vec![(here, theirs.memory), (of_mine, mine.memory)],
    };
    Flow {
        state: mine.state,
        memory: encoder.memories.join(versions),
        path,
    }
}
